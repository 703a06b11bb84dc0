//! `ackord completions SHELL`.

use clap::CommandFactory;

use super::CLEAN;
use super::args::{Args, Completions};
use super::output::Streams;
use super::stop::Stop;

/// Runs the command.
pub(super) fn run(args: &Completions, streams: &mut Streams) -> Result<u8, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "ackord", &mut script);
    streams.result(&String::from_utf8_lossy(&script))?;
    Ok(CLEAN)
}
