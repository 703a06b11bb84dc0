//! `ackord generate FILE… --target TARGET --out DIR`.

use super::args::Generate;
use super::discover::Place;
use super::output::{Streams, below};
use super::stop::Stop;
use super::{CLEAN, load, seams};
use crate::report::text::printable;

/// Runs the command.
pub(super) fn run(args: &Generate, streams: &mut Streams) -> Result<u8, Stop> {
    let place = Place::of(&args.files)?;
    let mut files = Vec::new();
    for file in &args.files {
        files.extend(seams::generated(&load::one(&place, file)?, &args.target)?);
    }
    for file in &files {
        below(&args.out, &file.path, file.text.as_bytes())?;
        streams.tell(&format!("wrote    {}   {}", printable(&file.path), printable(&file.remark)));
    }
    Ok(CLEAN)
}
