//! The tree: an arena of nodes with places, so that neither reading nor dropping it recurses.

use std::borrow::Cow;
use std::ops::Range;

use crate::source::{FileId, Span};

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a scalar is written; only a plain one can be a number, a boolean or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In quotes, or tagged as a string.
    Quoted,
    /// After `|` or `>`.
    Block,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<'s> {
    /// A text; an absent value reads `~` and has an empty place.
    Scalar {
        /// What it says, escapes resolved.
        text: Cow<'s, str>,
        /// How it is written.
        style: Style,
    },
    /// A list: a range of [`Tree::items`].
    List(Range<u32>),
    /// A mapping: a range of [`Tree::pairs`], repeated keys left out.
    Mapping {
        /// Its keys and values.
        pairs: Range<u32>,
        /// Whether a `<<` is among the keys.
        merges: bool,
    },
    /// `*name`: the node that has the anchor.
    Alias(NodeId),
    /// An alias to nothing, or into itself; already reported.
    Lost,
}

/// One node with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node<'s> {
    /// What it is.
    pub kind: Kind<'s>,
    /// Where it stands, without its anchor and tag.
    pub span: Span,
}

/// One document of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its outermost node.
    pub root: NodeId,
    /// From its first to its last byte.
    pub span: Span,
    pub(super) damaged: bool,
}

/// A comment as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment<'s> {
    /// Its place, from the `#`.
    pub span: Span,
    /// What follows the `#`.
    pub text: Cow<'s, str>,
}

/// `&name` on a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// The node that has it.
    pub node: NodeId,
}

/// The documents of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree<'s> {
    pub(super) file: FileId,
    pub(super) nodes: Vec<Node<'s>>,
    pub(super) items: Vec<NodeId>,
    pub(super) pairs: Vec<(NodeId, NodeId)>,
    pub(super) documents: Vec<Document>,
    pub(super) comments: Vec<Comment<'s>>,
    pub(super) anchors: Vec<Anchor>,
    pub(super) refused: bool,
}

/// Stands in for an id that did not come from the tree that is asked.
const NOWHERE: Node<'static> = Node { kind: Kind::Lost, span: Span { file: FileId(0), start: 0, end: 0 } };

impl<'s> Tree<'s> {
    /// The tree of a text that was not read.
    pub(super) fn refused(file: FileId) -> Self {
        Self { file, refused: true, ..Self::default() }
    }

    /// The documents in the order of the file.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The comments in the order of the file.
    pub fn comments(&self) -> &[Comment<'s>] {
        &self.comments
    }

    /// The anchors in the order of the file.
    pub fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// Whether a part of the document was set aside to read the rest: what seems to be missing in
    /// it may stand in that part.
    pub fn damaged(&self, document: &Document) -> bool {
        document.damaged
    }

    /// Whether the text went past a limit and was not read to its end.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// How many nodes were read.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The node behind an id of this tree.
    pub fn node(&self, id: NodeId) -> &Node<'s> {
        self.nodes.get(id.index()).unwrap_or(&NOWHERE)
    }

    /// The node that `id` stands for: the anchored one if it is an alias.
    pub fn target(&self, id: NodeId) -> NodeId {
        match self.node(id).kind {
            Kind::Alias(target) => target,
            Kind::Scalar { .. } | Kind::List(_) | Kind::Mapping { .. } | Kind::Lost => id,
        }
    }

    /// The text of a scalar, also through an alias.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        match &self.node(self.target(id)).kind {
            Kind::Scalar { text, .. } => Some(text),
            Kind::List(_) | Kind::Mapping { .. } | Kind::Alias(_) | Kind::Lost => None,
        }
    }

    /// The elements of a list; none for anything else.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match &self.node(id).kind {
            Kind::List(range) => self.items.get(wide(range)).unwrap_or(&[]),
            Kind::Scalar { .. } | Kind::Mapping { .. } | Kind::Alias(_) | Kind::Lost => &[],
        }
    }

    /// The keys and values of a mapping as written, `<<` among them; none for anything else.
    pub fn pairs(&self, id: NodeId) -> &[(NodeId, NodeId)] {
        match &self.node(id).kind {
            Kind::Mapping { pairs, .. } => self.pairs.get(wide(pairs)).unwrap_or(&[]),
            Kind::Scalar { .. } | Kind::List(_) | Kind::Alias(_) | Kind::Lost => &[],
        }
    }

    /// Whether the key is `<<`, written plainly, which takes over another mapping's entries.
    pub fn is_merge(&self, key: NodeId) -> bool {
        matches!(&self.node(key).kind, Kind::Scalar { text, style: Style::Plain } if text == "<<")
    }
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
