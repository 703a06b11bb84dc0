//! Events of the parser -> [`Tree`], with the mistakes that only show between nodes: repeated keys,
//! aliases to nothing or into themselves, foreign tags, and everything past a limit.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, StructureStyle, Tag, options};

use super::nearest::nearest;
use super::tree::{Anchor, Comment, Document, Kind, Node, NodeId, Style, Tree};
use super::{BROKEN_YAML, DUPLICATE_KEY, HOSTILE_INPUT, Limits};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// No more mistakes of one kind of file are kept: whoever has so many needs no more.
const MOST_FINDINGS: usize = 10_000;

/// From this many keys on a mapping's keys are found by hash.
const MANY_KEYS: usize = 16;

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
    pub(super) error: ScanError,
    /// The end of the last thing that was read.
    pub(super) last_good: usize,
    /// Where the innermost open `[` or `{` stands.
    pub(super) bracket: Option<usize>,
}

/// Reads `text`; `keep` decides whether scalars borrow from it or are copied.
pub(super) fn build<'i, 's>(
    file: FileId,
    text: &'i str,
    limits: &Limits,
    keep: fn(Cow<'i, str>) -> Cow<'s, str>,
) -> Built<'s> {
    let options = options! {
        strict_indentation: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: true,
        max_buffered_comment_events: text.len(),
        flow_nesting_limit: limits.depth,
        block_nesting_limit: limits.depth,
    };
    let tree = Tree { file, ..Tree::default() };
    let mut builder = Builder {
        limits,
        text_len: text.len(),
        tree,
        found: Vec::new(),
        open: Vec::new(),
        loose: Vec::new(),
        anchored: Vec::new(),
        expanded: 0,
        aliases: 0,
        started: 0,
    };
    let mut last_good = 0;
    for event in Parser::new_from_str_with_options(text, options) {
        let step = match event {
            Ok((event, place)) => {
                let span = builder.span(&place);
                if let Event::Scalar(..) | Event::Alias(_) | Event::SequenceEnd | Event::MappingEnd = event {
                    last_good = last_good.max(span.end as usize);
                }
                builder.event(event, span, &place, keep)
            }
            Err(error) => Err(builder.stopped(error, text, last_good)),
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

struct Builder<'s, 'l> {
    limits: &'l Limits,
    text_len: usize,
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

impl<'s> Builder<'s, '_> {
    fn span(&self, place: &granit_parser::Span) -> Span {
        let offset = |marker: granit_parser::Marker| marker.byte_offset().unwrap_or(self.text_len);
        Span::new(self.tree.file, offset(place.start), offset(place.end))
    }

    fn event<'i>(
        &mut self,
        event: Event<'i>,
        span: Span,
        place: &granit_parser::Span,
        keep: fn(Cow<'i, str>) -> Cow<'s, str>,
    ) -> Step {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
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
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "seq", place);
                self.enter(Kind::List(0..0), style, anchor, span)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                self.collection_tag(tag.as_deref(), "map", place);
                self.enter(Kind::Mapping { pairs: 0..0, merges: false }, style, anchor, span)?;
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
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self, end: End) -> Built<'s> {
        self.tree.refused = matches!(end, End::Refused);
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

    fn stopped(&mut self, error: ScanError, text: &str, last_good: usize) -> End {
        if *error.kind() == granit_parser::ErrorKind::RecursionLimitExceeded {
            let at = error.marker().byte_offset().unwrap_or(text.len());
            let span = Span::new(self.tree.file, at, at);
            return match self.too_deep(span) {
                Ok(()) => End::Refused,
                Err(end) => end,
            };
        }
        let starts = self.open.iter().rev().map(|open| self.tree.node(open.id).span.start as usize);
        let mut brackets = starts.filter(|at| matches!(text.as_bytes().get(*at), Some(b'[' | b'{')));
        let bracket = brackets.next();
        End::Broken(Box::new(Breach { error, last_good, bracket }))
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

    fn enter(&mut self, kind: Kind<'s>, style: StructureStyle, anchor: usize, span: Span) -> Step {
        if self.open.len() >= self.limits.depth {
            return self.too_deep(span);
        }
        let id = self.node(kind, span)?;
        self.anchor(anchor, Anchored { node: id, weight: 1, height: 0 });
        let flow = style == StructureStyle::Flow;
        let (mark, expanded) = (self.loose.len(), self.expanded);
        self.open.push(Open { id, mark, flow, height: 0, anchor, expanded });
        Ok(())
    }

    fn close_list(&mut self, end: Span) {
        let Some(open) = self.open.pop() else { return };
        let from = length(&self.tree.items);
        self.tree.items.extend(self.loose.drain(open.mark.min(self.loose.len())..));
        let last = self.tree.items.get(from as usize..).and_then(<[NodeId]>::last).copied();
        let kind = Kind::List(from..length(&self.tree.items));
        self.close(open, kind, end, last);
    }

    fn close_mapping(&mut self, end: Span) {
        let Some(open) = self.open.pop() else { return };
        let from = length(&self.tree.pairs);
        let children = self.loose.split_off(open.mark.min(self.loose.len()));
        let merges = self.keep_first_of_each(&children);
        let kind = Kind::Mapping { pairs: from..length(&self.tree.pairs), merges };
        self.close(open, kind, end, children.last().copied());
    }

    /// Moves keys and values into the tree, each key once; says whether `<<` is among them.
    fn keep_first_of_each(&mut self, children: &[NodeId]) -> bool {
        let from = self.tree.pairs.len();
        let tree = &mut self.tree;
        let (nodes, kept) = (&tree.nodes, &mut tree.pairs);
        let text = |id: NodeId| -> Option<&str> {
            let node = nodes.get(id.index())?;
            let target = if let Kind::Alias(target) = node.kind { nodes.get(target.index())? } else { node };
            match &target.kind {
                Kind::Scalar { text, .. } => Some(text),
                Kind::List(_) | Kind::Mapping { .. } | Kind::Alias(_) | Kind::Lost => None,
            }
        };
        let many = children.len() > 2 * MANY_KEYS;
        let mut seen: HashMap<&str, NodeId> = HashMap::new();
        let mut repeated: Vec<(NodeId, NodeId)> = Vec::new();
        let mut merges = false;
        for pair in children.chunks_exact(2) {
            let &[key, value] = pair else { continue };
            if let Some(name) = text(key) {
                merges |= name == "<<";
                let first = if many {
                    seen.get(name).copied()
                } else {
                    let before = kept.get(from..).unwrap_or(&[]);
                    before.iter().map(|(other, _)| *other).find(|other| text(*other) == Some(name))
                };
                if let Some(first) = first {
                    repeated.push((first, key));
                    continue;
                }
                if many {
                    seen.insert(name, key);
                }
            }
            kept.push((key, value));
        }
        for (first, again) in repeated {
            let (first, place) = (self.tree.node(first).span, self.tree.node(again).span);
            let name = self.tree.text(again).unwrap_or_default();
            let finding =
                Diagnostic::new(DUPLICATE_KEY, place, format!("`{name}` stands twice in this mapping"))
                    .at("again here; this one is not read")
                    .label(first, "first here")
                    .help("remove one of the two");
            self.say(finding);
        }
        merges
    }

    fn close(&mut self, open: Open, kind: Kind<'s>, end: Span, last: Option<NodeId>) {
        let last_end = last.map(|id| self.tree.node(id).span.end);
        let count = self.tree.nodes.len();
        if let Some(node) = self.tree.nodes.get_mut(open.id.index()) {
            node.kind = kind;
            // A block collection has no end of its own: the parser gives the next token's place.
            let end = if open.flow && end.end > end.start { Some(end.end) } else { last_end };
            node.span.end = end.unwrap_or(node.span.end).max(node.span.start);
        }
        let weight = (count - open.id.index()) as u64 + (self.expanded - open.expanded);
        self.anchor(open.anchor, Anchored { node: open.id, weight, height: open.height + 1 });
        self.raise(open.height + 1);
        self.loose.push(open.id);
    }

    /// The innermost open collection has a child of this height.
    fn raise(&mut self, height: usize) {
        if let Some(parent) = self.open.last_mut() {
            parent.height = parent.height.max(height);
        }
    }

    fn count_alias(&mut self, span: Span) -> Step {
        self.aliases += 1;
        if self.aliases > self.limits.aliases {
            let most = self.limits.aliases;
            return self
                .refuse(span, format!("the file has more than {most} aliases, the most that are read"));
        }
        Ok(())
    }

    fn alias(&mut self, number: usize, span: Span) -> Step {
        self.count_alias(span)?;
        let Some(target) = self.anchored.get(number).copied().flatten() else {
            return self.lost_alias("", span);
        };
        let inside_itself = self.open.iter().any(|open| open.id == target.node);
        let kind = if inside_itself {
            let place = self.tree.node(target.node).span;
            let start = Span { end: place.start.saturating_add(1), ..place };
            let finding =
                Diagnostic::new(HOSTILE_INPUT, span, "the alias stands inside the value that it stands for")
                    .at("would repeat without end")
                    .label(start, "the value begins here");
            self.say(finding);
            Kind::Lost
        } else {
            self.expanded = self.expanded.saturating_add(target.weight);
            if self.expanded > self.limits.alias_nodes as u64 {
                let most = self.limits.alias_nodes;
                return self
                    .refuse(span, format!("aliases repeat more than {most} values, the most that are read"));
            }
            if self.open.len() + target.height > self.limits.depth {
                return self.too_deep(span);
            }
            self.raise(target.height);
            Kind::Alias(target.node)
        };
        let id = self.node(kind, span)?;
        self.loose.push(id);
        Ok(())
    }

    fn lost_alias(&mut self, name: &str, span: Span) -> Step {
        self.count_alias(span)?;
        let message = format!("`*{name}` stands for no value: no anchor `&{name}` comes before it");
        let known = self.tree.anchors.iter().map(|anchor| anchor.name.as_str());
        let mut finding = Diagnostic::new(BROKEN_YAML, span, message).at("no such anchor");
        if let Some(near) = nearest(name, known).first() {
            finding =
                finding.help(format!("write `*{near}`, or put `&{name}` before the value that is meant"));
        } else {
            finding = finding.help(format!("put `&{name}` before the value that is meant"));
        }
        self.say(finding);
        let id = self.node(Kind::Lost, span)?;
        self.loose.push(id);
        Ok(())
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

    fn style(&mut self, style: ScalarStyle, tag: Option<&Tag>, place: &granit_parser::Span) -> Style {
        match tag.map(|tag| (tag, tag.core_suffix())) {
            Some((_, Some("str"))) => return Style::Quoted,
            Some((_, Some("int" | "float" | "bool" | "null"))) => return Style::Plain,
            // `!` alone makes a text of any scalar.
            Some((tag, _)) if tag.handle().is_empty() && tag.suffix() == "!" => return Style::Quoted,
            Some((tag, _)) => self.foreign_tag(tag, place),
            None => {}
        }
        match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
            ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
        }
    }

    fn collection_tag(&mut self, tag: Option<&Tag>, own: &str, place: &granit_parser::Span) {
        if let Some(tag) = tag
            && tag.core_suffix() != Some(own)
            && !(tag.handle().is_empty() && tag.suffix() == "!")
        {
            self.foreign_tag(tag, place);
        }
    }

    fn foreign_tag(&mut self, tag: &Tag, place: &granit_parser::Span) {
        let span = place.tag_span().map_or_else(|| self.span(place), |at| self.span(&at));
        let message = format!("the tag `{}` has no meaning in a contract", tag.original());
        self.say(Diagnostic::new(BROKEN_YAML, span, message).help("remove the tag"));
    }
}

/// A block scalar's place without the blank lines after it.
fn trimmed(span: Span, text: &str) -> Span {
    let blank = text.len() - text.trim_end_matches(['\n', '\r', ' ']).len();
    let end = span.end.saturating_sub(u32::try_from(blank).unwrap_or(0)).max(span.start);
    Span { end, ..span }
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
