//! The command line: the only place, beside the language server, that touches files, environment, clock
//! and streams. One file for each subcommand.

mod args;
mod check;
mod clock;
mod completions;
mod diff;
mod discover;
mod explain;
mod fixing;
mod generate;
mod init;
mod inspect;
mod judged;
mod load;
mod man;
pub mod output;
mod rules;
mod schema;
mod settings;
mod stop;
mod usage;

use std::ffi::OsString;

use clap::Parser;

use args::{Args, Command};
use output::Streams;
use stop::Stop;

/// The exit code of a run that found nothing at or above `--fail-on`.
pub const CLEAN: u8 = 0;
/// The exit code of a run with findings, or with a difference.
pub const FINDINGS: u8 = 1;
/// The exit code of a run that could not do what was asked.
pub const FAILURE: u8 = 2;

/// Does what the arguments ask, and says with which code the process ends.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    crate::report::failure::install();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut streams = Streams::new();
    let outcome = match Args::try_parse_from(&arguments) {
        Ok(args) => {
            streams.choose_color(args.color);
            command(args.command, &mut streams)
        }
        Err(error) => usage::answer(&error, &arguments, &mut streams),
    };
    // What was said must have arrived, or the exit code would promise too much.
    let outcome = outcome.and_then(|code| streams.flush().map(|()| code));
    outcome.unwrap_or_else(|stop| stop.report(&mut streams))
}

fn command(command: Command, streams: &mut Streams) -> Result<u8, Stop> {
    match command {
        Command::Check(args) => check::run(*args, streams),
        Command::Inspect(args) => inspect::run(&args, streams),
        Command::Generate(args) => generate::run(&args, streams),
        Command::Explain(args) => explain::run(&args, streams),
        Command::Rules(args) => rules::run(&args, streams),
        Command::Schema(args) => schema::run(&args, streams),
        Command::Init(args) => init::run(&args, streams),
        Command::Completions(args) => completions::run(&args, streams),
        Command::Man(args) => man::run(&args, streams),
    }
}
