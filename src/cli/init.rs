//! `ackord init`: a first contract, or the sections that a contract lacks.

use std::path::Path;

use super::args::Init;
use super::discover::Place;
use super::output::{self, Streams, shown};
use super::stop::Stop;
use super::{CLEAN, load, seams};
use crate::report::text::printable;

/// Runs the command.
pub(super) fn run(args: &Init, streams: &mut Streams) -> Result<u8, Stop> {
    match (&args.complete, &args.name, &args.flow, &args.broker) {
        (Some(file), ..) => complete(file, streams),
        (None, Some(name), Some(flow), Some(broker)) => start(name, flow, broker, &args.dir, streams),
        // clap has asked for all three.
        (None, ..) => {
            Err(Stop::with_help("`ackord init` needs NAME, --flow and --broker", "ackord init --help"))
        }
    }
}

fn start(name: &str, flow: &str, broker: &str, dir: &Path, streams: &mut Streams) -> Result<u8, Stop> {
    let place = Place::of(&[])?;
    let files = seams::started(name, flow, broker, &place.name(dir))?;
    // All or nothing: a contract that is there already is somebody's work.
    if let Some(file) =
        files.iter().find(|file| file.path.ends_with(".yaml") && place.here.join(&file.path).exists())
    {
        let message = format!("`{}` exists already; it is left as it was", file.path);
        return Err(Stop::with_help(message, format!("ackord init --complete {}", file.path)));
    }
    for file in &files {
        output::below(&place.here, &file.path, file.text.as_bytes())?;
        streams.tell(&format!("created  {}   {}", printable(&file.path), printable(&file.remark)));
    }
    Ok(CLEAN)
}

fn complete(file: &Path, streams: &mut Streams) -> Result<u8, Stop> {
    let paths = [file.to_owned()];
    let place = Place::of(&paths)?;
    let inputs = load::one(&place, file)?;
    let text = seams::completed(&inputs)?;
    let old = inputs.sources.iter().map(|(_, source)| source.text.clone()).next().unwrap_or_default();
    if text == old {
        streams.tell(&format!("complete `{}` lacks nothing", shown(file)));
        return Ok(CLEAN);
    }
    output::replace(&place.root, &place.here.join(file), &place.name(file), old.as_bytes(), text.as_bytes())?;
    streams.tell(&format!("completed {}   replace the lines marked `# guess`", shown(file)));
    Ok(CLEAN)
}
