//! The file as it is written: one field here is one setting, in the file, its schema and its messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use toml::Spanned;

use super::select::{expand, suggestion};
use super::{Config, Problem};
use crate::diagnostic::Level;
use crate::lint::PathIgnore;
use crate::policy::Policy;
use crate::report;
use crate::rules::Rule;
use crate::syntax::Scalar;
use crate::units::{Duration, Ratio, Size};

/// Settings of Ackord for a repository.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "ackord.toml")]
pub(super) struct File {
    /// Only these rules run: codes, names, prefixes such as `AK2`, items such as `AK016:evidence`, `ALL`.
    #[schemars(with = "Vec<String>")]
    select: Option<Vec<Spanned<String>>>,
    /// These rules are off.
    #[schemars(with = "Vec<String>")]
    ignore: Vec<Spanned<String>>,
    /// The least level that ends a run with 1.
    #[schemars(with = "LevelWord")]
    fail_on: Option<LevelWord>,
    /// Whether notes are shown.
    #[schemars(with = "bool")]
    pedantic: Option<bool>,
    /// How findings are written.
    #[schemars(with = "FormatWord")]
    output_format: Option<FormatWord>,
    /// Levels that replace those of the rules.
    #[schemars(with = "BTreeMap<String, LevelOrOff>")]
    levels: BTreeMap<Spanned<String>, LevelOrOff>,
    /// Rules that are off below some paths.
    #[serde(rename = "override")]
    overrides: Vec<Override>,
    /// The organisation's figures.
    policy: PolicyFile,
    /// What contracts cannot change.
    lock: Lock,
    /// What `ackord generate` writes where nothing else is said.
    generate: Generate,
}

/// What `ackord generate` writes where nothing else is said.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Generate {
    /// The folder to write below, relative to the folder of this file.
    #[schemars(with = "String")]
    out: Option<Spanned<String>>,
    /// The targets; what was generated for others is no longer wanted.
    #[schemars(with = "Vec<String>")]
    targets: Vec<String>,
}

/// Rules that are off below some paths.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Override {
    /// Globs as in a `.gitignore`, relative to the folder of this file.
    #[schemars(with = "Vec<String>")]
    paths: Vec<Spanned<String>>,
    /// The rules that are off there.
    #[schemars(with = "Vec<String>")]
    ignore: Vec<Spanned<String>>,
}

/// What contracts cannot change.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Lock {
    /// Rules that no comment in a contract can suppress.
    #[schemars(with = "Vec<String>")]
    unsuppressible: Vec<Spanned<String>>,
}

/// The organisation's figures; what is not said keeps its default.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct PolicyFile {
    /// What clock error and network add to every bound [default: 1m].
    #[schemars(with = "Written<Duration>")]
    margin: Option<Written<Duration>>,
    /// The least factor between the alert threshold and the p95 objective [default: 10].
    #[schemars(with = "f64", range(min = 1))]
    alert_ratio: Option<Spanned<f64>>,
    /// Objectives longer than this are the work itself, and held to `slow-alert-ratio` [default: 15m].
    #[schemars(with = "Written<Duration>")]
    slow_objective: Option<Written<Duration>>,
    /// The least factor between alert and objective above `slow-objective` [default: 2].
    #[schemars(with = "f64", range(min = 1))]
    slow_alert_ratio: Option<Spanned<f64>>,
    /// The least time that a dead letter is kept [default: 3d].
    #[schemars(with = "Written<Duration>")]
    least_dead_letter_retention: Option<Written<Duration>>,
    /// The longest weekend that a dead letter must survive [default: 3d].
    #[schemars(with = "Written<Duration>")]
    weekend: Option<Written<Duration>>,
    /// The most dead letters that may wait for a page [default: 100].
    #[schemars(with = "u64")]
    dead_letter_alert_messages: Option<u64>,
    /// The time within which they page [default: 15m].
    #[schemars(with = "Written<Duration>")]
    dead_letter_alert_within: Option<Written<Duration>>,
    /// The least notice that a breaking change owes [default: 72h].
    #[schemars(with = "Written<Duration>")]
    breaking_notice: Option<Written<Duration>>,
    /// The most retries that an unclassified failure deserves [default: 3].
    #[schemars(with = "u32")]
    unknown_retries: Option<u32>,
    /// Bodies above this size go by reference [default: 256KiB].
    #[schemars(with = "Written<Size>")]
    embedded_size: Option<Written<Size>>,
    /// The rows from which a dedupe table is partitioned [default: 100000000].
    #[schemars(with = "u64")]
    dedupe_rows: Option<u64>,
    /// The share of capacity above which the steady load is worth a note [default: 80%].
    #[schemars(with = "Written<Ratio>")]
    busy: Option<Written<Ratio>>,
    /// The brokers that may be used; empty allows all.
    #[schemars(with = "Vec<String>")]
    allowed_brokers: Option<Vec<String>>,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum LevelWord {
    Error,
    Warning,
    Note,
}

/// How much a finding matters, or that it does not.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum LevelOrOff {
    Error,
    Warning,
    Note,
    Off,
}

/// How findings are written.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FormatWord {
    Full,
    Concise,
    Json,
    Jsonl,
    Github,
    Sarif,
}

impl File {
    /// What the file says, with rules by their codes. What does not hold is added to `problems`.
    pub(super) fn lower(self, registry: &[&'static Rule], problems: &mut Vec<Problem>) -> Config {
        let mut rules = |words: &[Spanned<String>]| -> BTreeSet<String> {
            words.iter().flat_map(|word| expanded(word, registry, problems)).collect()
        };
        let select = self.select.as_deref().map(&mut rules);
        let mut ignore = rules(&self.ignore);
        let locked = rules(&self.lock.unsuppressible);
        let overrides = self.overrides.iter().map(|part| PathIgnore {
            paths: part.paths.iter().map(|path| path.get_ref().clone()).collect(),
            ignored: rules(&part.ignore),
        });
        let overrides = overrides.collect();
        for path in self.overrides.iter().flat_map(|part| &part.paths) {
            if let Some(message) = glob_problem(path.get_ref()) {
                problems.push(Problem { place: path.span(), message, help: None });
            }
        }
        let mut levels = BTreeMap::new();
        let words = self.levels.iter().map(|(word, level)| (expanded(word, registry, problems), *level));
        let mut words: Vec<(BTreeSet<String>, LevelOrOff)> = words.collect();
        // What names fewer rules is meant more exactly, so it has the last word.
        words.sort_by_key(|(codes, _)| std::cmp::Reverse(codes.len()));
        for (code, level) in
            words.into_iter().flat_map(|(codes, level)| codes.into_iter().map(move |code| (code, level)))
        {
            match level {
                LevelOrOff::Off => {
                    ignore.insert(code);
                    continue;
                }
                LevelOrOff::Error => levels.insert(code.clone(), Level::Error),
                LevelOrOff::Warning => levels.insert(code.clone(), Level::Warning),
                LevelOrOff::Note => levels.insert(code.clone(), Level::Note),
            };
        }
        let fail_on = self.fail_on.map(|level| match level {
            LevelWord::Error => Level::Error,
            LevelWord::Warning => Level::Warning,
            LevelWord::Note => Level::Note,
        });
        let output_format = self.output_format.map(|format| match format {
            FormatWord::Full => report::Format::Full,
            FormatWord::Concise => report::Format::Concise,
            FormatWord::Json => report::Format::Json,
            FormatWord::Jsonl => report::Format::JsonLines,
            FormatWord::Github => report::Format::Github,
            FormatWord::Sarif => report::Format::Sarif,
        });
        let policy = self.policy.lower(problems);
        let generate = self.generate.lower(problems);
        let pedantic = self.pedantic;
        Config {
            select,
            ignore,
            overrides,
            levels,
            locked,
            policy,
            fail_on,
            pedantic,
            output_format,
            generate,
        }
    }
}

impl Generate {
    fn lower(self, problems: &mut Vec<Problem>) -> super::Generate {
        if let Some(out) = self.out.as_ref().filter(|out| !is_below(out.get_ref())) {
            let message = format!("`{}` is no folder below that of this file", out.get_ref());
            let help = Some("write a path such as `out`".to_owned());
            problems.push(Problem { place: out.span(), message, help });
        }
        super::Generate { out: self.out.map(Spanned::into_inner), targets: self.targets }
    }
}

/// Whether a path names a folder below the one that it is relative to, on every system.
fn is_below(path: &str) -> bool {
    !path.contains(['\\', ':', '\0']) && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

impl PolicyFile {
    fn lower(self, problems: &mut Vec<Problem>) -> Policy {
        let mut factor = |written: Option<Spanned<f64>>, name: &str, default: f64| {
            let Some(written) = written else { return default };
            let value = *written.get_ref();
            if !(value.is_finite() && value >= 1.0) {
                let message = format!("`{name}` is {value}; a factor is at least 1");
                problems.push(Problem { place: written.span(), message, help: None });
            }
            value
        };
        let default = Policy::default();
        let time = |written: Option<Written<Duration>>, default| written.map_or(default, |written| written.0);
        // Every field is named here, so that a new figure cannot be forgotten.
        Policy {
            margin: time(self.margin, default.margin),
            alert_ratio: factor(self.alert_ratio, "alert-ratio", default.alert_ratio),
            slow_objective: time(self.slow_objective, default.slow_objective),
            slow_alert_ratio: factor(self.slow_alert_ratio, "slow-alert-ratio", default.slow_alert_ratio),
            least_dead_letter_retention: time(
                self.least_dead_letter_retention,
                default.least_dead_letter_retention,
            ),
            weekend: time(self.weekend, default.weekend),
            dead_letter_alert_messages: self
                .dead_letter_alert_messages
                .unwrap_or(default.dead_letter_alert_messages),
            dead_letter_alert_within: time(self.dead_letter_alert_within, default.dead_letter_alert_within),
            breaking_notice: time(self.breaking_notice, default.breaking_notice),
            unknown_retries: self.unknown_retries.unwrap_or(default.unknown_retries),
            embedded_size: self.embedded_size.map_or(default.embedded_size, |size| size.0.bytes()),
            dedupe_rows: self.dedupe_rows.unwrap_or(default.dedupe_rows),
            busy: self.busy.map_or(default.busy, |ratio| ratio.0.share()),
        }
    }
}

fn expanded(
    word: &Spanned<String>,
    registry: &[&'static Rule],
    problems: &mut Vec<Problem>,
) -> BTreeSet<String> {
    expand(word.get_ref(), registry).unwrap_or_else(|unknown| {
        problems.push(Problem { place: word.span(), message: unknown.message, help: Some(unknown.help) });
        BTreeSet::new()
    })
}

/// Why a glob cannot be one, if it cannot.
fn glob_problem(glob: &str) -> Option<String> {
    if glob.is_empty() || glob.starts_with(['!', '#']) {
        return Some(format!("`{glob}` is no glob; write a path such as `queues/legacy/**`"));
    }
    let error = ignore::gitignore::GitignoreBuilder::new("").add_line(None, glob).err()?;
    Some(format!("`{glob}` is no glob: {error}"))
}

/// A quantity written as in a contract: `1m`, `256KiB`, `80%`.
#[derive(Debug, Clone, Copy)]
struct Written<T>(T);

impl<'de, T: Scalar> Deserialize<'de> for Written<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text<T>(PhantomData<T>);
        impl<T: Scalar> Visitor<'_> for Text<T> {
            type Value = Written<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                let custom = |help: Option<String>, message: String| match help {
                    Some(help) => E::custom(format!("{message}{HELP}{help}")),
                    None => E::custom(message),
                };
                T::parse(text).map(Written).map_err(|problem| custom(problem.help, problem.message))
            }

            // A bare number is read as text, so that the message is the one about the missing unit.
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
                self.visit_str(&number.to_string())
            }
        }
        deserializer.deserialize_any(Text(PhantomData))
    }
}

impl<T: Scalar> JsonSchema for Written<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::EXPECTED.into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::Schema::try_from(T::schema()).unwrap_or_default()
    }
}

/// Between message and help in the one text that serde carries.
const HELP: char = '\u{1F}';

/// An error of the TOML reader in our words.
pub(super) fn problem(error: &toml::de::Error, text: &str) -> Problem {
    let place = error.span().unwrap_or(0..text.len().min(1));
    let (message, help) =
        error.message().split_once(HELP).map_or((error.message(), None), |(m, h)| (m, Some(h)));
    let ticked =
        |text: &'_ str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let choice = |rest: &str, fact: &str, all: &str| {
        let (found, expected) = rest.split_once(", expected").unwrap_or((rest, ""));
        let word = found.trim_matches('`');
        let words = ticked(expected);
        let list = format!("{all} {}", words.join(", "));
        let help = suggestion(word, words.iter().map(String::as_str), &list);
        (format!("`{word}` {fact}"), Some(help))
    };
    let (message, help) = if let Some(rest) = message.strip_prefix("unknown field ") {
        choice(rest, "is not a setting here", "settings:")
    } else if let Some(rest) = message.strip_prefix("unknown variant ") {
        choice(rest, "is not a value of this setting", "write one of")
    } else if let Some((found, wanted)) =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "))
    {
        (format!("found {found} where {wanted} is wanted"), None)
    } else if let Some(rest) = message.strip_prefix("missing field ") {
        (format!("{rest} is missing"), None)
    } else {
        (message.trim().replace('\n', "; "), help.map(str::to_owned))
    };
    Problem { place, message, help }
}
