//! Flags over environment over `ackord.toml` over defaults.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::args::{Check, Format};
use super::clock;
use super::discover::{Place, plain};
use super::output::shown;
use super::stop::Stop;
use crate::config::{self, Config, select::suggestion};
use crate::diagnostic::Level;
use crate::lint::{PathIgnore, Settings};
use crate::report::{self, text::printable};
use crate::rules::{self, Rule};
use crate::source::Sources;
use crate::units::{Ratio, Size};

/// Everything that decides how a run goes, beside its files.
#[derive(Debug)]
pub(super) struct Decided {
    /// What the linter is asked.
    pub settings: Settings,
    /// The least level that ends the run with 1.
    pub fail_on: Level,
    /// How findings are written.
    pub format: report::Format,
    /// The configuration that was read.
    pub config: Option<PathBuf>,
    /// What is generated where nothing else is said.
    pub generate: config::Generate,
    overrides: Vec<PathIgnore>,
    // What the globs of the overrides are relative to.
    folder: PathBuf,
}

impl Decided {
    /// Turns the globs of the overrides into the names of the sources that they match, because only here
    /// is it known where the files lie.
    pub(super) fn match_paths(&mut self, place: &Place, sources: &Sources) {
        self.settings.per_path =
            self.overrides.iter().map(|part| self.matched(part, place, sources)).collect();
    }

    fn matched(&self, part: &PathIgnore, place: &Place, sources: &Sources) -> PathIgnore {
        let mut globs = ignore::gitignore::GitignoreBuilder::new("");
        for glob in &part.paths {
            // `config` has refused what is no glob.
            let _ = globs.add_line(None, glob);
        }
        let globs = globs.build().unwrap_or_else(|_| ignore::gitignore::Gitignore::empty());
        let hit = |name: &str| {
            let path = plain(&place.here, Path::new(name));
            let below = path.strip_prefix(&self.folder).ok();
            below.is_some_and(|path| globs.matched_path_or_any_parents(path, false).is_ignore())
        };
        let names =
            sources.iter().filter(|(_, source)| hit(&source.name)).map(|(_, source)| source.name.clone());
        PathIgnore { paths: names.collect(), ignored: part.ignored.clone() }
    }
}

/// Reads the configuration and puts the flags over it.
pub(super) fn decide(args: &Check, place: &Place, color: bool) -> Result<Decided, Stop> {
    let registry: Vec<&'static Rule> = rules::all().collect();
    let path = configuration(args, place)?;
    let file = match &path {
        Some(path) => read(path, place, &registry, color)?,
        None => Config::default(),
    };
    let expand = |flag: &str, words: &[String]| -> Result<BTreeSet<String>, Stop> {
        let words = words.iter().map(|word| {
            let unknown = |unknown: config::select::Unknown| {
                Stop::with_help(format!("`{flag}`: {}", unknown.message), unknown.help)
            };
            config::select::expand(word, &registry).map_err(unknown)
        });
        words.collect::<Result<Vec<_>, Stop>>().map(|sets| sets.into_iter().flatten().collect())
    };
    let chosen = expand("--select", &args.select)?;
    let extended = expand("--extend-select", &args.extend_select)?;
    // Who selects on the command line means it: what the file selects and ignores is then beside the point.
    let (mut selected, mut ignored) = if args.select.is_empty() {
        (file.select.clone().unwrap_or_default(), file.ignore.clone())
    } else {
        (chosen, BTreeSet::new())
    };
    if file.select.as_ref().is_some_and(BTreeSet::is_empty) && args.select.is_empty() && extended.is_empty() {
        return Err(Stop::new("`select` in the configuration is empty, so that no rule would run"));
    }
    ignored.retain(|code| !extended.contains(code));
    if !selected.is_empty() {
        selected.extend(extended);
    }
    ignored.extend(expand("--ignore", &args.ignore)?);
    let settings = Settings {
        policy: file.policy,
        ignored,
        selected,
        levels: file.levels,
        per_path: Vec::new(),
        locked: file.locked,
        pedantic: args.pedantic || file.pedantic.unwrap_or(false),
        suppressions: !args.no_ignores,
        today: clock::today(args.today)?,
    };
    let format = match args.output_format.map(Into::into) {
        Some(format) => format,
        None => environment(std::env::var_os("ACKORD_OUTPUT_FORMAT").as_deref())?
            .or(file.output_format)
            .unwrap_or(report::Format::Full),
    };
    let fail_on = args.fail_on.map(Into::into).or(file.fail_on).unwrap_or(Level::Error);
    // A configuration from elsewhere (a pinned one in CI) speaks about the workspace's paths.
    let folder = path.as_deref().and_then(Path::parent).filter(|folder| folder.starts_with(&place.root));
    let folder = folder.unwrap_or(&place.root).to_owned();
    Ok(Decided {
        settings,
        fail_on,
        format,
        config: path,
        generate: file.generate,
        overrides: file.overrides,
        folder,
    })
}

fn environment(value: Option<&OsStr>) -> Result<Option<report::Format>, Stop> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    let value = value.to_string_lossy();
    let format = Format::from_str(&value, false).map_err(|_| {
        let names: Vec<_> =
            Format::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
        let names: Vec<&str> = names.iter().map(|name| name.get_name()).collect();
        let list = format!("write one of {}", names.join(", "));
        let help = suggestion(&value, names, &list);
        Stop::with_help(format!("`ACKORD_OUTPUT_FORMAT` is `{value}`, which is no format"), help)
    })?;
    Ok(Some(format.into()))
}

/// The configuration that applies: the named one, else the nearest upwards inside the workspace.
fn configuration(args: &Check, place: &Place) -> Result<Option<PathBuf>, Stop> {
    if args.isolated {
        return Ok(None);
    }
    if let Some(path) = &args.config {
        return Ok(Some(plain(&place.here, path)));
    }
    for folder in place.start.ancestors().take_while(|folder| folder.starts_with(&place.root)) {
        let here: Vec<PathBuf> =
            config::NAMES.iter().map(|name| folder.join(name)).filter(|path| path.exists()).collect();
        match here.as_slice() {
            [] => {}
            [one] => {
                let inside = |path: &Path| {
                    Some(path.canonicalize().ok()?.starts_with(place.root.canonicalize().ok()?))
                };
                if inside(one) != Some(true) {
                    return Err(Stop::new(format!(
                        "`{}` is a link that leaves the workspace",
                        place.name(one)
                    )));
                }
                return Ok(Some(one.clone()));
            }
            [first, ..] => {
                let message =
                    format!("`{}` has a twin, `.ackord.toml`, and only one can count", place.name(first));
                return Err(Stop::with_help(message, "remove one of the two"));
            }
        }
    }
    Ok(None)
}

fn read(path: &Path, place: &Place, registry: &[&'static Rule], color: bool) -> Result<Config, Stop> {
    const LARGEST: usize = 1024 * 1024;
    let name = place.name(path);
    let bytes = std::fs::read(path).map_err(|error| Stop::io(Path::new(&name), "cannot be read", error))?;
    if bytes.len() > LARGEST {
        return Err(Stop::new(format!("`{name}` is larger than 1 MiB")));
    }
    let text = String::from_utf8(bytes).map_err(|_| Stop::new(format!("`{name}` is not UTF-8")))?;
    config::read(&text, registry)
        .map_err(|problems| Stop::Drawn(config::draw(&name, &text, &problems, color)))
}

/// A share as it was written: the binary fraction's last digits are nobody's.
fn percent(share: f64) -> Ratio {
    Ratio::from_percent((share * 1e8).round() / 1e6)
}

/// The settings in force, for `--show-config`.
pub(super) fn show(decided: &Decided, place: &Place) -> String {
    let settings = &decided.settings;
    let list = |words: &BTreeSet<String>| {
        words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
    };
    let mut out = String::new();
    let source = decided
        .config
        .as_deref()
        .map_or_else(|| "none".to_owned(), |path| shown(Path::new(&place.name(path))));
    let root = match place.name(&place.root) {
        name if name.is_empty() => ".".to_owned(),
        name => shown(Path::new(&name)),
    };
    let date = settings.today;
    // Writing to a string cannot fail.
    let _ = writeln!(out, "# configuration: {source}");
    let _ = writeln!(out, "# workspace: {root}");
    let _ = writeln!(out, "# today: {date}");
    let selected = if settings.selected.is_empty() { "\"ALL\"".to_owned() } else { list(&settings.selected) };
    let _ = writeln!(out, "select = [{selected}]");
    let _ = writeln!(out, "ignore = [{}]", list(&settings.ignored));
    let _ = writeln!(out, "fail-on = \"{}\"", decided.fail_on.word());
    let _ = writeln!(out, "pedantic = {}", settings.pedantic);
    let format = decided.format.name();
    let _ = writeln!(out, "output-format = \"{format}\"");
    let _ = writeln!(out, "\n[levels]");
    for (code, level) in &settings.levels {
        let _ = writeln!(out, "{code} = \"{}\"", level.word());
    }
    for part in &decided.overrides {
        let paths: BTreeSet<String> = part.paths.iter().map(|path| shown(Path::new(path))).collect();
        let _ =
            writeln!(out, "\n[[override]]\npaths = [{}]\nignore = [{}]", list(&paths), list(&part.ignored));
    }
    let policy = &settings.policy;
    let _ = writeln!(out, "\n[policy]");
    let _ = writeln!(out, "margin = \"{}\"", policy.margin);
    let _ = writeln!(out, "alert-ratio = {:?}", policy.alert_ratio);
    let _ = writeln!(out, "slow-objective = \"{}\"", policy.slow_objective);
    let _ = writeln!(out, "slow-alert-ratio = {:?}", policy.slow_alert_ratio);
    let _ = writeln!(out, "least-dead-letter-retention = \"{}\"", policy.least_dead_letter_retention);
    let _ = writeln!(out, "weekend = \"{}\"", policy.weekend);
    let _ = writeln!(out, "dead-letter-alert-messages = {}", policy.dead_letter_alert_messages);
    let _ = writeln!(out, "dead-letter-alert-within = \"{}\"", policy.dead_letter_alert_within);
    let _ = writeln!(out, "breaking-notice = \"{}\"", policy.breaking_notice);
    let _ = writeln!(out, "unknown-retries = {}", policy.unknown_retries);
    let _ = writeln!(out, "embedded-size = \"{}\"", Size::from_bytes(policy.embedded_size));
    let _ = writeln!(out, "dedupe-rows = {}", policy.dedupe_rows);
    let _ = writeln!(out, "busy = \"{}\"", percent(policy.busy));
    let _ = writeln!(out, "\n[lock]\nunsuppressible = [{}]", list(&settings.locked));
    let generate = &decided.generate;
    if *generate != config::Generate::default() {
        // A text of JSON is one of TOML too.
        let quoted = |text: &String| serde_json::Value::from(printable(text)).to_string();
        let targets: Vec<String> = generate.targets.iter().map(quoted).collect();
        let _ = writeln!(out, "\n[generate]\ntargets = [{}]", targets.join(", "));
        if let Some(folder) = &generate.out {
            let _ = writeln!(out, "out = {}", quoted(folder));
        }
    }
    out
}
