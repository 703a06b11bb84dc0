//! What the commands that look at one contract share: it is read and judged like in `check`.

use std::path::PathBuf;

use super::args::Check;
use super::discover::Place;
use super::load;
use super::settings::{self, Decided};
use super::stop::Stop;
use crate::lint::{self, Inputs, Report};

/// Judges the named files by the configuration that applies to them.
pub(super) fn judge(files: &[PathBuf], color: bool) -> Result<(Report, Decided), Stop> {
    let place = Place::of(files)?;
    let check = Check { paths: files.to_vec(), ..Check::default() };
    let mut decided = settings::decide(&check, &place, color)?;
    let mut inputs = Inputs::default();
    for file in files {
        let one = load::one(&place, file)?;
        for (_, source) in one.sources.iter() {
            inputs.sources.add(source.clone());
        }
    }
    load::references(&place, &mut inputs);
    decided.match_paths(&place, &inputs.sources);
    let report = lint::run(inputs, &decided.settings);
    Ok((report, decided))
}
