//! Names of missing fields on their way from the derive to the mapping that lacks them.
//!
//! The derive asks each absent field for a value, and `Req` answers with `missing_field`, which has
//! no access to the document. The name waits here until the mapping has been read.

use std::cell::RefCell;

thread_local! {
    static NAMES: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Another field is missing.
pub(super) fn note(name: &'static str) {
    NAMES.with(|names| names.borrow_mut().push(name));
}

/// How many names wait.
pub(in crate::syntax) fn count() -> usize {
    NAMES.with(|names| names.borrow().len())
}

/// The names that came after the first `mark`.
pub(super) fn take(mark: usize) -> Vec<&'static str> {
    NAMES.with(|names| {
        let mut names = names.borrow_mut();
        let mark = mark.min(names.len());
        names.split_off(mark)
    })
}

/// Drops what another reading may have left.
pub(super) fn forget() {
    NAMES.with(|names| names.borrow_mut().clear());
}
