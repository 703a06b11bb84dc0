//! What was written, a line for each folder.

use std::collections::BTreeMap;

use crate::cli::generate::asked::Made;
use crate::emit::Owner;
use crate::emit::lock::{BESIDE, Fate, Plan};
use crate::report::text::printable;

/// The files of a folder that were written.
#[derive(Default)]
struct Group<'a> {
    files: usize,
    yours: Vec<&'a str>,
    targets: Vec<&'a str>,
    shared: bool,
}

/// A line for each folder that something was written to: how much, and what.
pub(super) fn lines(files: &[Made], plan: &Plan, out: &str) -> Vec<String> {
    let mut groups: BTreeMap<String, Group<'_>> = BTreeMap::new();
    for made in files {
        let path = &made.file.path;
        let writes = |path: &str| plan.fates.get(path).is_some_and(|fate| fate.writes());
        let copy = writes(&format!("{path}{BESIDE}"));
        if !writes(path) && !copy {
            continue;
        }
        let group = groups.entry(folder(files, made)).or_default();
        group.files += 1;
        group.shared |= made.file.source.is_none();
        if plan.fates.get(path) == Some(&Fate::YoursNew) {
            group.yours.push(path.rsplit('/').next().unwrap_or(path));
        }
        if !group.targets.contains(&made.target.as_str()) {
            group.targets.push(&made.target);
        }
    }
    let name = |folder: &str| format!("{out}/{}", printable(folder));
    let widest = groups.keys().map(|folder| name(folder).chars().count()).max().unwrap_or(0);
    let most = groups.values().map(|group| group.files.to_string().len()).max().unwrap_or(0);
    let line = |(folder, group): (String, Group<'_>)| {
        let what = match group.yours.len() {
            _ if group.shared => format!("shared by all your queues: {}", group.targets.join("  ")),
            0 => group.targets.join("  "),
            yours => format!("{yours} yours: {}", printable(&group.yours.join("  "))),
        };
        let word = if group.files == 1 { "file " } else { "files" };
        format!("{:<widest$}   {:>most$} {word}   {what}", name(&folder), group.files)
    };
    groups.into_iter().map(line).collect()
}

/// The folder that a file is told of with: that of its queue, or that of its target within the queue where
/// somebody has files of their own there.
fn folder(files: &[Made], made: &Made) -> String {
    let parts: Vec<&str> = made.file.path.split('/').collect();
    let owned = files.iter().any(|one| {
        one.target == made.target && one.file.owner == Owner::Yours && one.file.source == made.file.source
    });
    let depth = if owned { 2 } else { 1 }.min(parts.len() - 1);
    parts.iter().take(depth).map(|part| format!("{part}/")).collect()
}
