//! `ackord generate CONTRACT… [--target TARGET]… [--out DIR]`.

mod asked;
mod folder;
mod state;
mod told;

use std::path::PathBuf;

use super::args::Generate;
use super::discover::Place;
use super::output::{Streams, shown};
use super::stop::Stop;
use super::{CLEAN, FINDINGS, judged};
use crate::emit::lock::{self, Fate, Options, Plan};
use crate::emit::{self, Target};
use crate::report::{self, failure::Failure};

use asked::{Made, Targets};
use folder::Folder;
use state::State;

/// Runs the command.
pub(super) fn run(args: &Generate, streams: &mut Streams) -> Result<u8, Stop> {
    let all = emit::targets().map_err(failure)?;
    if args.files.is_empty() {
        told::list_targets(&all, streams)?;
        return Ok(CLEAN);
    }
    let (report, decided) = judged::judge(&args.files, streams.color())?;
    let clean = report.clean(&decided.settings.policy);
    if clean.is_none() || !report.findings.is_empty() {
        let options = report::Options { color: streams.color() };
        streams.result(&report::render(decided.format, &report, &options))?;
        streams.tell(report::summary(&report).trim_end());
    }
    let Some(clean) = clean else { return Ok(FINDINGS) };
    let targets = asked::targets(args, &decided, &all)?;
    let out = asked::out(args, &decided);
    let files = asked::files(&clean, &targets)?;
    if args.list {
        let place = Place::of(&args.files)?;
        told::list_files(&files, out.map(|out| named(&place, &out)).as_deref(), streams)?;
        return Ok(CLEAN);
    }
    let out = out.ok_or_else(|| {
        let message = "`ackord generate` needs --out, or `out` under [generate] in ackord.toml";
        Stop::with_help(message, "write --out out")
    })?;
    Job { args, files, targets, all, out }.run(streams)
}

/// A folder as the user reads it.
fn named(place: &Place, out: &std::path::Path) -> String {
    let name = if out.is_absolute() && out.starts_with(&place.root) { place.name(out) } else { shown(out) };
    if name.is_empty() { ".".to_owned() } else { name }
}

/// What a run is about once everything is asked.
struct Job<'a> {
    args: &'a Generate,
    files: Vec<Made>,
    targets: Targets,
    all: Vec<Target>,
    out: PathBuf,
}

impl Job<'_> {
    fn run(&self, streams: &mut Streams) -> Result<u8, Stop> {
        let place = Place::of(&self.args.files)?;
        let out = PathBuf::from(named(&place, &self.out));
        let options = Options { force: self.args.force, beside: self.args.force_scaffold };
        let looks = self.args.check || self.args.diff;
        let before = Folder::open(&place, &out, false)?;
        let state = State::read(before.as_ref(), &place, &out, self)?;
        let plan = state.plan(options);
        asked::refuse_clash(plan.next.entries().map(|entry| entry.path.as_str()))?;
        if looks {
            return told::differences(self, &state, &plan, before.as_ref(), &shown(&out), streams);
        }
        if plan.refused(options.force) {
            return told::refusal(&state, &plan, options, &shown(&out), streams);
        }
        // Waiting for another run that writes must not be done while one is in its way.
        drop(before);
        let Some(folder) = Folder::open(&place, &out, true)? else { return Ok(CLEAN) };
        let state = State::read(Some(&folder), &place, &out, self)?;
        let plan = state.plan(options);
        if plan.refused(options.force) {
            return told::refusal(&state, &plan, options, &shown(&out), streams);
        }
        self.write(&folder, &state, &plan)?;
        told::written(self, &state, &plan, &shown(&out), streams);
        Ok(CLEAN)
    }

    /// Writes what the plan says: first what the lock will be, last the lock. Whoever comes after a run that
    /// was killed in between has both, and each file is as in one or the other.
    fn write(&self, folder: &Folder, state: &State, plan: &Plan) -> Result<(), Stop> {
        folder.sweep()?;
        let next = plan.next.print();
        if state.is_settled(&next) && !plan.fates.values().any(|fate| fate.writes() || fate.removes()) {
            return Ok(());
        }
        if state.journaled {
            folder.write_own(lock::NAME, &state.lock.print())?;
        }
        folder.write_own(lock::JOURNAL, &next)?;
        for (path, fate) in &plan.fates {
            if let (true, Some(text)) = (fate.writes(), state.text(path)) {
                folder.write(path, text.as_bytes(), state.disk.get(path))?;
            }
        }
        for path in plan.fates.iter().filter(|(_, fate)| fate.removes()).map(|(path, _)| path) {
            folder.remove(path, state.disk.get(path))?;
        }
        folder.rename_own(lock::JOURNAL, lock::NAME)
    }
}

/// Whether anything about a file keeps a folder from being fresh.
fn differs(fate: Fate) -> bool {
    !matches!(fate, Fate::Unchanged | Fate::YoursKept)
}

fn failure(failure: Failure) -> Stop {
    Stop::Failure(failure.into())
}
