//! `ackord schema`.

use super::CLEAN;
use super::args::Schema;
use super::output::{Streams, json};
use super::stop::Stop;
use crate::config;

/// Runs the command.
pub(super) fn run(args: &Schema, streams: &mut Streams) -> Result<u8, Stop> {
    let schema = if args.config { config::schema() } else { crate::schema() };
    streams.result(&json(&schema)?)?;
    Ok(CLEAN)
}
