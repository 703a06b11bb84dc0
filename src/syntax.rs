//! YAML text -> a tree with places -> typed values, with every mistake of a file in one run.
//!
//! [`parse`] never fails: it returns the tree that could be read and says what could not.
//! [`load`] reads one document of that tree into a type that derives `Deserialize`; how such types
//! are written stands at the top of `syntax/bridge.rs`. [`schema`] publishes the same types.
//! No other module of the crate knows which parser is underneath.

pub mod bridge;
mod build;
pub mod field;
mod guard;
pub mod nearest;
mod reading;
mod recover;
pub mod scalar;
mod schema;
mod suppress;
mod tree;
mod words;

#[cfg(test)]
mod tests;

pub use bridge::load;
#[allow(unused_imports, reason = "the model declares its sections with it")]
pub(crate) use field::sections;
pub use field::{Entry, Field, List, Map, Opt, Req, Section};
#[allow(unused_imports, reason = "the units declare their types with it")]
pub(crate) use scalar::scalar;
pub use scalar::{Problem, Scalar};
pub use schema::schema;
pub use suppress::{Suppression, suppressions};
pub use tree::{Anchor, Comment, Document, Kind, Node, NodeId, Style, Tree};

use crate::diagnostic::{Code, Diagnostic};
use crate::source::FileId;

/// The text is not YAML.
pub const BROKEN_YAML: Code = Code("AK001");
/// A key is written twice in one mapping.
pub const DUPLICATE_KEY: Code = Code("AK002");
/// A key that the mapping does not have.
pub const UNKNOWN_FIELD: Code = Code("AK003");
/// A required key is not there.
pub const MISSING_FIELD: Code = Code("AK004");
/// A list where a mapping belongs, and the like.
pub const WRONG_TYPE: Code = Code("AK005");
/// A plain scalar that YAML 1.1 and 1.2 read differently.
pub const YAML_SURPRISE: Code = Code("AK007");
/// A word that is not one of the allowed ones.
pub const UNKNOWN_VALUE: Code = Code("AK008");
/// The text is past a limit.
pub const HOSTILE_INPUT: Code = Code("AK009");

/// How much of a text is read before it is refused. The defaults are far beyond any contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: usize,
    /// Collections inside collections.
    pub depth: usize,
    /// Nodes as written.
    pub nodes: usize,
    /// Nodes that aliases add to them.
    pub alias_nodes: usize,
    /// Aliases of one file.
    pub aliases: usize,
    /// Bytes of one scalar.
    pub scalar_bytes: usize,
    /// Documents of one file.
    pub documents: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 8 << 20,
            depth: 64,
            nodes: 1_000_000,
            alias_nodes: 100_000,
            aliases: 1_000,
            scalar_bytes: 256 << 10,
            documents: 10_000,
        }
    }
}

/// Reads `text` into a tree. Whatever is wrong with it goes to `out`, in the order of the text.
pub fn parse<'s>(file: FileId, text: &'s str, limits: &Limits, out: &mut Vec<Diagnostic>) -> Tree<'s> {
    if let Some(refusal) = guard::refuse(file, text, limits) {
        out.push(refusal);
        return Tree::refused(file);
    }
    let (tree, mut found) = recover::read(file, text, limits);
    found.sort_by_key(|diagnostic| diagnostic.primary.span);
    out.append(&mut found);
    tree
}
