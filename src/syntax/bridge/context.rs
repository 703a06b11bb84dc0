//! What is said about one document: once, and not without end.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::HOSTILE_INPUT;
use crate::syntax::tree::Tree;

/// After so many findings of one file the rest is not worth the memory.
const MOST_FINDINGS: usize = 10_000;

/// What all readers of one document share.
pub(super) struct Context<'t> {
    pub(super) tree: &'t Tree<'t>,
    /// A part of the document is unknown: nothing may be called missing.
    pub(super) damaged: bool,
    told: usize,
    found: RefCell<Vec<Diagnostic>>,
    /// What is said already: an anchored value is read once for each of its aliases.
    said: RefCell<HashSet<(Span, Code, u64)>>,
    hasher: RandomState,
    full: Cell<bool>,
}

impl<'t> Context<'t> {
    /// `told` findings of the file are out already.
    pub(super) fn new(tree: &'t Tree<'t>, damaged: bool, told: usize) -> Self {
        Self {
            tree,
            damaged,
            told,
            found: RefCell::default(),
            said: RefCell::default(),
            hasher: RandomState::new(),
            full: Cell::new(told > MOST_FINDINGS),
        }
    }

    pub(super) fn say(&self, finding: Diagnostic) {
        if self.full.get() {
            return;
        }
        let key = (finding.primary.span, finding.code, self.hasher.hash_one(&finding.message));
        if !self.said.borrow_mut().insert(key) {
            return;
        }
        let mut found = self.found.borrow_mut();
        found.push(finding);
        if self.told + found.len() >= MOST_FINDINGS {
            self.full.set(true);
            let last = found.last().map_or_else(Span::default, |finding| finding.primary.span);
            let message = format!("the file has {MOST_FINDINGS} mistakes; what follows is not judged");
            found.push(Diagnostic::new(HOSTILE_INPUT, last, message));
        }
    }

    /// Whether nothing more is listened to.
    pub(super) fn is_full(&self) -> bool {
        self.full.get()
    }

    /// All findings in the order of the text.
    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|finding| finding.primary.span);
        found
    }
}
