//! SEAMS: what the commands call and the core does not have yet. Each is replaced by the call that its
//! comment names; until then it says so.

use super::stop::Stop;
use crate::lint::Inputs;

/// The files of `init`, relative to the folder that they are written below.
pub(super) struct Written {
    /// The path, with `/`.
    pub path: String,
    /// The text.
    pub text: String,
    /// What is said about it beside its name.
    pub remark: String,
}

/// SEAM: `crate::init::…` for a new contract in the folder `dir`, with the schema for the editor.
pub(super) fn started(_name: &str, _flow: &str, _broker: &str, _dir: &str) -> Result<Vec<Written>, Stop> {
    Err(unfinished("`ackord init`"))
}

/// SEAM: `crate::init::…`: the text of the contract with the sections that it lacks.
pub(super) fn completed(_inputs: &Inputs) -> Result<String, Stop> {
    Err(unfinished("`ackord init --complete`"))
}

fn unfinished(command: &str) -> Stop {
    Stop::with_help(format!("{command} does nothing in this version yet"), "ackord --help")
}
