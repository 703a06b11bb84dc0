//! `ackord inspect FILE`.

use super::args::{Inspect, Shape};
use super::discover::Place;
use super::output::Streams;
use super::stop::Stop;
use super::{CLEAN, load, seams};

/// Runs the command.
pub(super) fn run(args: &Inspect, streams: &mut Streams) -> Result<u8, Stop> {
    let place = Place::of(std::slice::from_ref(&args.file))?;
    let inputs = load::one(&place, &args.file)?;
    let text = seams::inspected(&inputs, args.output_format == Shape::Json, streams.color())?;
    streams.result(&text)?;
    Ok(CLEAN)
}
