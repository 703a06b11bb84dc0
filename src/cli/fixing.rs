//! `--fix` and `--diff`: what the fixes came to, on disk or as a difference.

use super::diff::unified;
use super::discover::{Found, Place};
use super::output::{self, Streams};
use super::stop::Stop;
use crate::fix::{Fixed, Outcome};
use crate::report::text::printable;
use crate::source::{FileId, Sources};

/// Says which files keep their text because their fixes were taken back, and whether there is one.
pub(super) fn refusals(fixed: &Fixed, streams: &mut Streams) -> bool {
    let mut any = false;
    for (file, outcome) in &fixed.files {
        if let Outcome::Refused(reason) = outcome {
            let name = name(&fixed.report.sources, *file);
            streams.tell(&format!("error: `{name}` is left as it was: {}", printable(&reason.to_string())));
            any = true;
        }
    }
    any
}

/// Writes every changed file, and says what was done.
pub(super) fn write(
    fixed: &Fixed,
    before: &Sources,
    files: &[Found],
    place: &Place,
    quiet: bool,
    streams: &mut Streams,
) -> Result<(), Stop> {
    for (file, outcome) in &fixed.files {
        let (Outcome::Changed(applied), Some(old), Some(new)) =
            (outcome, before.get(*file), fixed.report.sources.get(*file))
        else {
            continue;
        };
        let Some(found) = files.iter().find(|found| found.name == old.name) else { continue };
        output::replace(&place.root, &found.path, &old.name, old.text.as_bytes(), new.text.as_bytes())?;
        if quiet {
            continue;
        }
        for fix in applied {
            let (name, title) = (printable(&old.name), printable(&fix.title));
            streams.tell(&format!("fixed    {name}:{}   {title}   {}", fix.line, fix.code));
        }
    }
    Ok(())
}

/// Prints what the fixes change, and says whether they change anything.
pub(super) fn diff(fixed: &Fixed, before: &Sources, streams: &mut Streams) -> Result<bool, Stop> {
    let mut differs = false;
    for (file, outcome) in &fixed.files {
        let (Outcome::Changed(_), Some(old), Some(new)) =
            (outcome, before.get(*file), fixed.report.sources.get(*file))
        else {
            continue;
        };
        streams.result(&unified(&old.name, &old.text, &new.text))?;
        differs = true;
    }
    Ok(differs)
}

fn name(sources: &Sources, file: FileId) -> String {
    printable(sources.get(file).map_or("", |source| source.name.as_str()))
}
