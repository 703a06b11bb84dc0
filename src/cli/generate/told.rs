//! What a run says: results on standard output, what was done on standard error.

mod groups;

use std::collections::BTreeMap;

use super::asked::Made;
use super::folder::Folder;
use super::state::State;
use super::{Job, differs};
use crate::cli::diff::unified;
use crate::cli::output::Streams;
use crate::cli::stop::Stop;
use crate::cli::{CLEAN, FINDINGS};
use crate::emit::lock::{self, Fate, Options, Plan};
use crate::emit::{Owner, Target};
use crate::report::text::printable;

/// The targets that there are.
pub(super) fn list_targets(all: &[Target], streams: &mut Streams) -> Result<(), Stop> {
    let widest = all.iter().map(|target| target.name.len()).max().unwrap_or(0).max(8);
    for target in all {
        streams.result(&format!("{:<width$}{}\n", target.name, target.summary, width = widest + 2))?;
    }
    Ok(())
}

/// The files that contracts would give.
pub(super) fn list_files(files: &[Made], out: Option<&str>, streams: &mut Streams) -> Result<(), Stop> {
    let path = |made: &Made| match out {
        Some(out) => format!("{}/{}", out.trim_end_matches('/'), printable(&made.file.path)),
        None => printable(&made.file.path),
    };
    let widest = files.iter().map(|made| path(made).chars().count()).max().unwrap_or(0);
    for made in files {
        let owner = match made.file.owner {
            Owner::Generated => "generated",
            Owner::Yours => "yours",
        };
        let line = format!("{:<widest$}   {owner:<9}   {}\n", path(made), printable(&made.file.remark));
        streams.result(&line)?;
    }
    Ok(())
}

/// What a run would change: a line and a difference for each file, or with `--diff` differences alone.
pub(super) fn differences(
    job: &Job<'_>,
    state: &State,
    plan: &Plan,
    folder: Option<&Folder>,
    out: &str,
    streams: &mut Streams,
) -> Result<u8, Stop> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, fate) in plan.fates.iter().filter(|(_, fate)| differs(**fate)) {
        let (word, why) = words(state, path, *fate);
        *counts.entry(word).or_default() += 1;
        let name = format!("{out}/{}", printable(path));
        if !job.args.diff {
            streams.result(&format!("{word:<9}{name}   {why}\n"))?;
        }
        if job.args.diff || matches!(fate, Fate::Changed | Fate::Edited | Fate::Foreign) {
            streams.result(&difference(state, folder, path, *fate, &name)?)?;
        }
    }
    if counts.is_empty() && !(plan.next == lock::Lock::default() || state.is_settled(&plan.next.print())) {
        *counts.entry("outdated").or_default() += 1;
        if !job.args.diff {
            let name = format!("{out}/{}", lock::NAME);
            streams.result(&format!("{:<9}{name}   it does not say what is there\n", "outdated"))?;
        }
    }
    let files = plural(plan.fates.len(), "file");
    let found: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    if found.is_empty() {
        streams.tell(&format!("checked  {files} below {out}: as generated"));
        return Ok(CLEAN);
    }
    streams.tell(&format!("checked  {files} below {out}: {}; nothing was written", found.join(", ")));
    Ok(FINDINGS)
}

/// The difference between a file and what would be written; nothing where nothing would.
fn difference(
    state: &State,
    folder: Option<&Folder>,
    path: &str,
    fate: Fate,
    name: &str,
) -> Result<String, Stop> {
    if !fate.writes() && fate != Fate::Stale {
        return Ok(String::new());
    }
    let there = state.disk.get(path) != &lock::OnDisk::Absent;
    let old = match folder {
        Some(folder) if there => folder.text(path)?,
        _ => Some(String::new()),
    };
    let Some(old) = old else { return Ok(format!("`{name}` is no text that can be compared\n")) };
    let new = if fate == Fate::Stale { "" } else { state.text(path).unwrap_or_default() };
    let text = unified(name, &old, new);
    Ok(if fate == Fate::Stale {
        text.replacen(&format!("+++ b/{name}\n"), "+++ /dev/null\n", 1)
    } else if there {
        text
    } else {
        text.replacen(&format!("--- a/{name}\n"), "--- /dev/null\n", 1)
    })
}

/// Why nothing was written.
pub(super) fn refusal(
    state: &State,
    plan: &Plan,
    options: Options,
    out: &str,
    streams: &mut Streams,
) -> Result<u8, Stop> {
    let refusing = || plan.fates.iter().filter(|(_, fate)| fate.refuses(options.force));
    for (path, fate) in refusing() {
        let (word, why) = words(state, path, *fate);
        streams.result(&format!("{word:<9}{out}/{}   {why}\n", printable(path)))?;
    }
    let help = match refusing().map(|(_, fate)| *fate).find(|fate| fate.refuses(true)) {
        Some(Fate::Taken) => "give each contract a name of its own under `queue`",
        Some(_) => "move away what is in the way",
        None => "see --diff; keep what you need elsewhere, then overwrite the rest with --force",
    };
    let count = plural(refusing().count(), "file");
    streams.tell(&format!("nothing was written, because of {count}\nhelp: {help}"));
    Ok(FINDINGS)
}

/// What has happened to a file, in one word and in a few.
fn words(state: &State, path: &str, fate: Fate) -> (&'static str, String) {
    let (word, why) = match fate {
        Fate::New => ("missing", "it was never generated, or removed"),
        Fate::Changed => ("outdated", "the contract has changed since, or ackord"),
        Fate::Edited => ("edited", "edited since generated"),
        Fate::Foreign => ("unlisted", "somebody else wrote it"),
        Fate::Blocked => ("blocked", "a link or a folder is in its place, or something on the way to it"),
        Fate::Taken => {
            let spec = state.lock.entries().find(|entry| entry.path == path).map(|entry| entry.spec.as_str());
            return ("taken", format!("{} has a queue of this name", printable(spec.unwrap_or_default())));
        }
        Fate::Stale => ("stale", "no longer generated"),
        Fate::Forgotten => ("stale", "no longer generated, and removed already"),
        Fate::StaleEdited => ("edited", "no longer generated, but edited since generated"),
        Fate::YoursNew => ("missing", "yours, once it is written"),
        Fate::Beside => ("missing", "a fresh copy beside yours"),
        Fate::Unchanged => ("fresh", "as generated"),
        Fate::YoursKept => ("yours", "never touched again"),
    };
    (word, why.to_owned())
}

/// What was written, folder by folder, and what to do with it.
pub(super) fn written(job: &Job<'_>, state: &State, plan: &Plan, out: &str, streams: &mut Streams) {
    for line in groups::lines(&job.files, plan, out) {
        streams.tell(&line);
    }
    let all =
        |wanted: Fate| plan.fates.iter().filter(move |(_, fate)| **fate == wanted).map(|(path, _)| path);
    for path in all(Fate::Stale) {
        streams.tell(&format!("removed  {out}/{}   no longer generated", printable(path)));
    }
    for path in all(Fate::StaleEdited) {
        let then =
            if job.args.force { "yours from now on" } else { "remove it, or take it over with --force" };
        let why = words(state, path, Fate::StaleEdited).1;
        streams.tell(&format!("kept     {out}/{}   {why}: {then}", printable(path)));
    }
    streams.tell(&summary(state, plan));
    if let Some(next) = next(job, plan, out) {
        streams.tell(&format!("next     {next}"));
    }
}

fn summary(state: &State, plan: &Plan) -> String {
    let count = |wanted: &dyn Fn(Fate) -> bool| plan.fates.values().filter(|fate| wanted(**fate)).count();
    let yours = count(&|fate| matches!(fate, Fate::YoursNew));
    let copies = count(&|fate| fate == Fate::Beside);
    let generated = count(&Fate::writes) - yours - copies;
    let mut parts = Vec::new();
    if generated > 0 {
        parts.push(format!("{generated} generated"));
    }
    if yours > 0 {
        parts.push(format!("{yours} yours (never touched again)"));
    }
    if copies > 0 {
        parts.push(format!("{copies} beside yours"));
    }
    let same = count(&|fate| fate == Fate::Unchanged);
    let kept = count(&|fate| fate == Fate::YoursKept);
    let same = [(same, "as they were"), (kept, "yours and not touched")];
    let same = same.into_iter().filter(|(count, _)| *count > 0);
    let same: String = same.map(|(count, what)| format!("; {count} {what}")).collect();
    let lock = if state.is_settled(&plan.next.print()) { "nothing" } else { lock::NAME };
    match generated + yours + copies {
        0 => format!("wrote    {lock}{same}"),
        all => format!("wrote    {}: {}{same}", plural(all, "file"), parts.join(", ")),
    }
}

/// The next step of the first target that knows one, once somebody has files of their own.
fn next(job: &Job<'_>, plan: &Plan, out: &str) -> Option<String> {
    let first = job.files.iter().find(|made| plan.fates.get(&made.file.path) == Some(&Fate::YoursNew))?;
    let target = job.all.iter().find(|target| target.name == first.target)?;
    let queue = first.file.path.split('/').next()?;
    Some(target.next.as_ref()?.replace("{out}", out).replace("{queue}", queue))
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
