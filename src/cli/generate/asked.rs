//! What is asked for: flags over `ackord.toml`, and the files that follow.

use std::path::{Path, PathBuf};

use crate::cli::args::Generate;
use crate::cli::settings::Decided;
use crate::cli::stop::Stop;
use crate::emit::lock::{clash, is_inside, unportable};
use crate::emit::{self, GeneratedFile, Target};
use crate::lint::Clean;
use crate::report::text::printable;

/// A file with the name of its target.
pub(super) struct Made {
    pub(super) target: String,
    pub(super) file: GeneratedFile,
}

/// Which targets, and whether they are all that the configuration wants of a folder.
pub(super) struct Targets {
    pub(super) names: Vec<String>,
    pub(super) whole: bool,
}

/// The targets of the command line, else those of the configuration.
pub(super) fn targets(args: &Generate, decided: &Decided, all: &[Target]) -> Result<Targets, Stop> {
    let said = if args.target.is_empty() { &decided.generate.targets } else { &args.target };
    let mut names: Vec<String> = Vec::new();
    for name in said {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    if names.is_empty() {
        let known: Vec<&str> = all.iter().map(|target| target.name.as_str()).collect();
        let message = "`ackord generate` needs a --target, or `targets` under [generate] in ackord.toml";
        return Err(Stop::with_help(message, format!("targets: {}", known.join(", "))));
    }
    Ok(Targets { names, whole: args.target.is_empty() && args.out.is_none() })
}

/// The folder of the command line, else that of the configuration.
pub(super) fn out(args: &Generate, decided: &Decided) -> Option<PathBuf> {
    let configured = || {
        let folder = decided.config.as_deref().and_then(Path::parent)?;
        Some(folder.join(decided.generate.out.as_ref()?))
    };
    args.out.clone().or_else(configured)
}

/// Every file of every target; refused where two could not lie side by side.
pub(super) fn files(clean: &[Clean<'_>], targets: &Targets) -> Result<Vec<Made>, Stop> {
    let mut all = Vec::new();
    for name in &targets.names {
        let files = emit::generate(clean, name).map_err(super::failure)?;
        all.extend(files.into_iter().map(|file| Made { target: name.clone(), file }));
    }
    let paths = || all.iter().map(|made| made.file.path.as_str());
    let rename = "give the contract another name under `queue`";
    if let Some(path) = paths().find(|path| !is_inside(path)) {
        let message = format!("`{}` would be no file of its own in an output folder", printable(path));
        return Err(Stop::with_help(message, rename));
    }
    if let Some((path, part)) = paths().find_map(|path| Some((path, unportable(path)?))) {
        let (path, part) = (printable(path), printable(part));
        let message = format!("`{path}` cannot be on every system: `{part}` is no name of a file on some");
        return Err(Stop::with_help(message, rename));
    }
    refuse_clash(paths())?;
    Ok(all)
}

/// Refuses paths that cannot be there together.
pub(super) fn refuse_clash<'a>(paths: impl Iterator<Item = &'a str>) -> Result<(), Stop> {
    let Some((first, second)) = clash(paths) else { return Ok(()) };
    let message = format!(
        "`{}` and `{}` cannot both be written where the case of letters does not count",
        printable(first),
        printable(second)
    );
    Err(Stop::with_help(message, "give each contract a name of its own under `queue`"))
}
