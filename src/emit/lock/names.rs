//! Which paths a generated file may have.

use std::collections::BTreeMap;

use super::{JOURNAL, NAME, TEMPORARY};

/// Names that are devices on some systems, whatever stands behind their first dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
/// Names that are devices with a number behind them.
const PORTS: [&str; 2] = ["com", "lpt"];

/// Whether a path stays below the folder that it is joined to, on every system, and is no name of ours.
pub fn is_inside(path: &str) -> bool {
    let odd = |c: char| matches!(c, '\\' | ':') || c.is_control();
    let first = path.split('/').next().unwrap_or_default().to_lowercase();
    !path.contains(odd)
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && ![NAME, JOURNAL, TEMPORARY].contains(&first.as_str())
}

/// The part of a path that some system cannot have as a name, or gives another meaning.
pub fn unportable(path: &str) -> Option<&str> {
    path.split('/').find(|part| {
        let stem = part.split('.').next().unwrap_or_default().to_lowercase();
        let port = PORTS.iter().any(|port| {
            stem.strip_prefix(port)
                .is_some_and(|rest| rest.len() == 1 && rest.chars().all(|c| c.is_ascii_digit()))
        });
        DEVICES.contains(&stem.as_str()) || port || part.ends_with(['.', ' ']) || part.len() > 200
    })
}

/// Two paths that cannot both be there: one file where the case of letters does not count, or a file where
/// the other needs a folder.
pub fn clash<'a>(paths: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let mut seen = BTreeMap::new();
    for path in paths {
        if let Some(first) = seen.insert(path.to_lowercase(), path) {
            return Some((first, path));
        }
    }
    seen.iter().find_map(|(folded, path)| {
        let folders = folded.match_indices('/').filter_map(|(at, _)| folded.get(..at));
        let file = folders.into_iter().find_map(|folder| seen.get(folder));
        file.map(|file| (*file, *path))
    })
}
