//! Lists and mappings: from their first event to their last.

use std::collections::HashMap;

use granit_parser::{ScalarStyle, StructureStyle};

use super::{Anchored, Builder, Open, Step};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::DUPLICATE_KEY;
use crate::syntax::tree::{Kind, NodeId};

/// From this many keys on a mapping's keys are found by hash.
const MANY_KEYS: usize = 16;

impl<'s> Builder<'s, '_, '_> {
    pub(super) fn enter(
        &mut self,
        kind: Kind<'s>,
        style: StructureStyle,
        anchor: usize,
        place: &granit_parser::Span,
    ) -> Step {
        self.outdent(place, ScalarStyle::Plain)?;
        let mut span = self.span(place);
        let mut column = place.start.col();
        // A list may stand at the column of the key above it. The parser then tells of it at its
        // first element, behind the dash.
        if let Some(dash) = self.dash(&kind, style, span.start as usize) {
            span.start = u32::try_from(dash).unwrap_or(span.start);
            column = self.column().unwrap_or(0);
        }
        if self.open.len() >= self.limits.depth {
            return self.too_deep(span);
        }
        let id = self.node(kind, span)?;
        self.anchor(anchor, Anchored { node: id, weight: 1, height: 0 });
        let flow = style == StructureStyle::Flow;
        let (mark, expanded) = (self.loose.len(), self.expanded);
        self.open.push(Open { id, mark, flow, column, height: 0, anchor, expanded });
        Ok(())
    }

    /// The first dash of a list in lines that begins before `start`.
    fn dash(&self, kind: &Kind<'_>, style: StructureStyle, start: usize) -> Option<usize> {
        if style == StructureStyle::Flow || !matches!(kind, Kind::List(_)) {
            return None;
        }
        // Not a dash of the list around it, nor one in the value before it.
        let around = self.open.last().map_or(0, |open| self.tree.node(open.id).span.start as usize + 1);
        let mut at = self.last_good.max(around);
        for line in self.text.get(at..start)?.split_inclusive('\n') {
            let lead = line.len() - line.trim_start().len();
            if line.trim_start().starts_with('-') {
                return Some(at + lead);
            }
            at += line.len();
        }
        None
    }

    pub(super) fn close_list(&mut self, end: Span) {
        let Some(open) = self.open.pop() else { return };
        let from = length(&self.tree.items);
        self.tree.items.extend(self.loose.drain(open.mark.min(self.loose.len())..));
        let last = self.tree.items.get(from as usize..).and_then(<[NodeId]>::last).copied();
        let kind = Kind::List(from..length(&self.tree.items));
        self.close(open, kind, end, last);
    }

    pub(super) fn close_mapping(&mut self, end: Span) {
        let Some(open) = self.open.pop() else { return };
        let from = length(&self.tree.pairs);
        let children = self.loose.split_off(open.mark.min(self.loose.len()));
        let merges = self.keep_first_of_each(&children);
        let kind = Kind::Mapping { pairs: from..length(&self.tree.pairs), merges };
        self.close(open, kind, end, children.last().copied());
    }

    /// Moves keys and values into the tree, each key once; says whether `<<` is among them.
    pub(super) fn keep_first_of_each(&mut self, children: &[NodeId]) -> bool {
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

    pub(super) fn close(&mut self, open: Open, kind: Kind<'s>, end: Span, last: Option<NodeId>) {
        if open.flow {
            self.last_good = self.last_good.max(end.end as usize);
        }
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
    pub(super) fn raise(&mut self, height: usize) {
        if let Some(parent) = self.open.last_mut() {
            parent.height = parent.height.max(height);
        }
    }
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
