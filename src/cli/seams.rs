//! SEAMS: what the commands call and the core does not have yet. Each is replaced by the call that its
//! comment names; until then it says so.

use super::stop::Stop;
use crate::lint::Inputs;

/// The files of `generate`, relative to the folder that they are written below.
pub(super) struct Written {
    /// The path, with `/`.
    pub path: String,
    /// The text.
    pub text: String,
    /// What is said about it beside its name.
    pub remark: String,
}

/// SEAM: `crate::emit::…`, for contracts that are clean. An unknown target is its failure to report.
pub(super) fn generated(_inputs: &Inputs, _target: &str) -> Result<Vec<Written>, Stop> {
    Err(unfinished("`ackord generate`"))
}

fn unfinished(command: &str) -> Stop {
    Stop::with_help(format!("{command} does nothing in this version yet"), "ackord --help")
}
