//! Events of the parser -> [`Tree`], with the mistakes that only show between nodes: repeated keys,
//! aliases to nothing or into themselves, foreign tags, and everything past a limit.

mod collections;
mod properties;

use std::borrow::Cow;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, options};

use super::tree::{Anchor, Comment, Document, Kind, Node, NodeId, Style, Tree};
use super::{HOSTILE_INPUT, Limits};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// No more mistakes of one kind of file are kept: whoever has so many needs no more.
const MOST_FINDINGS: usize = 10_000;

/// No more values than these are made room for before they are there.
const MOST_EXPECTED: usize = 4_096;

/// One reading of a text.
pub(super) struct Built<'s> {
    pub(super) tree: Tree<'s>,
    pub(super) found: Vec<Diagnostic>,
    pub(super) end: End,
}

/// How a reading ended.
pub(super) enum End {
    /// At the end of the text.
    Complete,
    /// At a place that is not YAML.
    Broken(Box<Breach>),
    /// At a limit; the finding is among the others.
    Refused,
}

/// Where the parser gave up, and what it had seen.
pub(super) struct Breach {
    pub(super) kind: ErrorKind,
    /// Where it shows.
    pub(super) at: usize,
    /// The end of the last thing that was read.
    pub(super) last_good: usize,
    /// Where the innermost open `[` or `{` stands.
    pub(super) bracket: Option<usize>,
    /// The column of the innermost mapping or list that is written in lines.
    pub(super) column: Option<usize>,
}

/// Reads `text`; `keep` decides whether scalars borrow from it or are copied.
pub(super) fn build<'i, 's>(
    file: FileId,
    text: &'i str,
    limits: &Limits,
    keep: fn(Cow<'i, str>) -> Cow<'s, str>,
) -> Built<'s> {
    let options = options! {
        // Strict, the parser refuses a closing bracket below the key of its list, which people write
        // and every other reader takes. `Builder::outdent` is as strict about everything else.
        strict_indentation: false,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: true,
        max_buffered_comment_events: text.len(),
        flow_nesting_limit: limits.depth,
        block_nesting_limit: limits.depth,
    };
    // A dense contract has a value every 8 bytes. Room for many more would only be asked for.
    let values = (text.len() / 8).min(MOST_EXPECTED);
    let (nodes, pairs) = (Vec::with_capacity(values), Vec::with_capacity(values / 2));
    let tree = Tree { file, nodes, pairs, ..Tree::default() };
    let mut builder = Builder {
        limits,
        text,
        last_good: 0,
        tree,
        found: Vec::new(),
        open: Vec::new(),
        loose: Vec::with_capacity(64),
        anchored: Vec::new(),
        expanded: 0,
        aliases: 0,
        started: 0,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        let step = match event {
            Ok((event, place)) => builder.event(event, &place, keep),
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or(text.len());
                Err(builder.stopped(error.kind().clone(), at))
            }
        };
        if let Err(end) = step {
            return builder.finish(end);
        }
    }
    builder.finish(End::Complete)
}

/// A collection that is not closed yet.
struct Open {
    id: NodeId,
    /// Where its children begin among the loose nodes.
    mark: usize,
    flow: bool,
    /// Its column, in characters from 0.
    column: usize,
    /// Levels below it, so far.
    height: usize,
    anchor: usize,
    /// What aliases had added when it was opened.
    expanded: u64,
}

/// What an alias to a node adds to the document.
#[derive(Clone, Copy)]
struct Anchored {
    node: NodeId,
    weight: u64,
    height: usize,
}

struct Builder<'s, 'i, 'l> {
    limits: &'l Limits,
    text: &'i str,
    /// The end of the last value that was read.
    last_good: usize,
    tree: Tree<'s>,
    found: Vec<Diagnostic>,
    open: Vec<Open>,
    /// Nodes whose parent is still open.
    loose: Vec<NodeId>,
    /// By the parser's anchor number.
    anchored: Vec<Option<Anchored>>,
    expanded: u64,
    aliases: usize,
    /// Where the current document begins.
    started: u32,
}

type Step = Result<(), End>;

impl<'s, 'i> Builder<'s, 'i, '_> {
    fn span(&self, place: &granit_parser::Span) -> Span {
        let offset = |marker: granit_parser::Marker| marker.byte_offset().unwrap_or(self.text.len());
        Span::new(self.tree.file, offset(place.start), offset(place.end))
    }

    fn event(
        &mut self,
        event: Event<'i>,
        place: &granit_parser::Span,
        keep: fn(Cow<'i, str>) -> Cow<'s, str>,
    ) -> Step {
        let span = self.span(place);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.outdent(place, style)?;
                let style = self.style(style, tag.as_deref(), place);
                let span = if style == Style::Block { trimmed(span, &text) } else { span };
                if text.len() > self.limits.scalar_bytes {
                    let most = self.limits.scalar_bytes;
                    let message =
                        format!("the text has {} bytes, more than the {most} of one value", text.len());
                    return self.refuse(span, message);
                }
                let id = self.node(Kind::Scalar { text: keep(text), style }, span)?;
                self.anchor(anchor, Anchored { node: id, weight: 1, height: 0 });
                self.loose.push(id);
                self.last_good = self.last_good.max(span.end as usize);
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "seq", place);
                self.enter(Kind::List(0..0), style, anchor, place)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "map", place);
                self.enter(Kind::Mapping { pairs: 0..0, merges: false }, style, anchor, place)?;
            }
            Event::SequenceEnd => self.close_list(span),
            Event::MappingEnd => self.close_mapping(span),
            Event::Anchor(number, name) => {
                if let Some(Some(anchored)) = self.anchored.get(number) {
                    let node = anchored.node;
                    self.tree.anchors.push(Anchor { name: name.into_owned(), span, node });
                }
            }
            Event::Alias(number) => self.alias(number, span)?,
            Event::UnresolvedAlias(name) => self.lost_alias(&name, span)?,
            Event::Comment(text, _) => self.tree.comments.push(Comment { span, text: keep(text) }),
            Event::DocumentStart(..) => self.started = span.start,
            Event::DocumentEnd => self.document(span)?,
            Event::StreamStart | Event::StreamEnd => {}
            // The parser may learn of further events; none of them is a value.
            #[allow(clippy::wildcard_enum_match_arm, reason = "the enum is open")]
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self, end: End) -> Built<'s> {
        self.tree.refused = matches!(end, End::Refused);
        // The parser may tell of a comment after the value that it stands before.
        self.tree.comments.sort_by_key(|comment| comment.span);
        Built { tree: self.tree, found: self.found, end }
    }

    fn say(&mut self, finding: Diagnostic) {
        if self.found.len() < MOST_FINDINGS {
            self.found.push(finding);
        }
    }

    fn refuse<T>(&mut self, span: Span, message: String) -> Result<T, End> {
        self.found.push(Diagnostic::new(HOSTILE_INPUT, span, message).at("the file is not read past here"));
        Err(End::Refused)
    }

    fn stopped(&mut self, kind: ErrorKind, at: usize) -> End {
        if kind == ErrorKind::RecursionLimitExceeded {
            return match self.too_deep(Span::new(self.tree.file, at, at)) {
                Ok(()) => End::Refused,
                Err(end) => end,
            };
        }
        let starts = self.open.iter().rev().map(|open| self.tree.node(open.id).span.start as usize);
        let mut brackets = starts.filter(|at| matches!(self.text.as_bytes().get(*at), Some(b'[' | b'{')));
        let bracket = brackets.next();
        let (last_good, column) = (self.last_good, self.column());
        End::Broken(Box::new(Breach { kind, at, last_good, bracket, column }))
    }

    /// The column of the innermost collection that is written in lines.
    fn column(&self) -> Option<usize> {
        self.open.iter().rev().find(|open| !open.flow).map(|open| open.column)
    }

    /// Refuses a value, or a further line of one, that stands left of the lines that it belongs to:
    /// a bracket or a quote was not closed.
    fn outdent(&mut self, place: &granit_parser::Span, style: ScalarStyle) -> Step {
        let in_brackets = self.open.last().is_some_and(|open| open.flow);
        let lines = place.end.line() > place.start.line()
            && !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        if !in_brackets && !lines {
            return Ok(());
        }
        let Some(column) = self.column() else { return Ok(()) };
        let span = self.span(place);
        if in_brackets && place.start.col() <= column {
            return Err(self.stopped(ErrorKind::InvalidIndentation, span.start as usize));
        }
        if lines {
            let mut at = span.start as usize;
            for (index, line) in self.text.get(span.range()).unwrap_or("").split_inclusive('\n').enumerate() {
                let left = line.len() - line.trim_start_matches(' ').len() <= column;
                let closes = matches!(line.trim(), "" | "'" | "\"");
                if index > 0 && left && !closes {
                    return Err(self.stopped(ErrorKind::InvalidQuotedScalarIndent, at));
                }
                at += line.len();
            }
        }
        Ok(())
    }

    fn too_deep(&mut self, span: Span) -> Step {
        let most = self.limits.depth;
        self.refuse(span, format!("the value is nested deeper than {most} levels, the most that are read"))
    }

    fn node(&mut self, kind: Kind<'s>, span: Span) -> Result<NodeId, End> {
        let count = self.tree.nodes.len();
        if count >= self.limits.nodes {
            let most = self.limits.nodes;
            return self
                .refuse(span, format!("the file has more than {most} values, the most that are read"));
        }
        self.tree.nodes.push(Node { kind, span });
        Ok(NodeId(u32::try_from(count).unwrap_or(u32::MAX)))
    }

    fn anchor(&mut self, number: usize, anchored: Anchored) {
        if number == 0 {
            return;
        }
        if self.anchored.len() <= number {
            self.anchored.resize(number + 1, None);
        }
        if let Some(slot) = self.anchored.get_mut(number) {
            *slot = Some(anchored);
        }
    }

    fn document(&mut self, end: Span) -> Step {
        let Some(root) = self.loose.pop() else { return Ok(()) };
        self.loose.clear();
        if self.tree.documents.len() >= self.limits.documents {
            let most = self.limits.documents;
            return self
                .refuse(end, format!("the file has more than {most} documents, the most that are read"));
        }
        let span = Span { file: end.file, start: self.started, end: end.start.max(self.started) };
        self.tree.documents.push(Document { root, span, damaged: false });
        Ok(())
    }
}

/// A block scalar's place without the blank lines after it.
fn trimmed(span: Span, text: &str) -> Span {
    let blank = text.len() - text.trim_end_matches(['\n', '\r', ' ']).len();
    let end = span.end.saturating_sub(u32::try_from(blank).unwrap_or(0)).max(span.start);
    Span { end, ..span }
}
