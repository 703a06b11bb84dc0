//! What may be written on the command line. No behaviour is here.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args as Arguments, Parser, Subcommand, ValueEnum};

use crate::diagnostic::Level;
use crate::lint::Date;
use crate::report;

/// Compiler and linter for queue contracts.
#[derive(Debug, Parser)]
#[command(name = "ackord", version, arg_required_else_help = true, subcommand_required = true)]
#[command(disable_help_subcommand = true, after_help = MAIN_EXAMPLES)]
pub struct Args {
    /// When to use colour [default: auto]
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    pub color: Option<Color>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const MAIN_EXAMPLES: &str = "\
Examples:
  ackord init payment-capture --flow money --broker rabbitmq
  ackord check                        every contract below this folder
  ackord explain AK201                why a finding matters and what to do
  ackord inspect queues/payment-capture.queue.yaml
  ackord generate queues/payment-capture.queue.yaml --target runbook --out out

Exit codes: 0 nothing found, 1 findings or a difference, 2 the run itself failed.";

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge contracts
    Check(Box<Check>),
    /// Show what a contract amounts to: timelines, bounds, rows, latency
    Inspect(Inspect),
    /// Write what follows from contracts
    Generate(Generate),
    /// Tell what a rule is about
    Explain(Explain),
    /// List all rules
    Rules(Rules),
    /// Print the JSON Schema of contracts
    Schema(Schema),
    /// Write a first contract, or complete one
    Init(Init),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print or write the manual pages
    Man(Man),
}

/// The arguments of `check`.
#[derive(Debug, Default, Arguments)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// Files, folders, or `-` for standard input [default: .]
    #[arg(value_name = "PATHS")]
    pub paths: Vec<PathBuf>,

    /// The name of what comes from standard input
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<PathBuf>,
    /// Judge nothing if there is no contract, and end with 0
    #[arg(long)]
    pub allow_empty: bool,
    /// List the files that would be read, and stop
    #[arg(long)]
    pub show_files: bool,

    /// Apply the safe fixes
    #[arg(long, help_heading = "Fixes")]
    pub fix: bool,
    /// Apply all fixes, also those that change a promise, a size or a meaning
    #[arg(long, help_heading = "Fixes")]
    pub unsafe_fixes: bool,
    /// Print what the fixes would change, write nothing; ends with 1 if there is anything
    #[arg(long, help_heading = "Fixes")]
    pub diff: bool,

    /// Only these rules: codes, names, prefixes such as AK2, items such as AK016:evidence, ALL
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,
    /// These rules too, beside what the configuration selects
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    pub extend_select: Vec<String>,
    /// Not these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// Show notes too
    #[arg(long, help_heading = "Rules")]
    pub pedantic: bool,
    /// Judge also what contracts suppress
    #[arg(long, help_heading = "Rules")]
    pub no_ignores: bool,
    /// The day that suppressions with an end are judged at [default: SOURCE_DATE_EPOCH, else today]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = super::clock::parse, help_heading = "Rules")]
    pub today: Option<Date>,

    /// How findings are written [default: full, or ACKORD_OUTPUT_FORMAT]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub output_format: Option<Format>,
    /// Write findings also to a file; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output, help_heading = "Output")]
    pub output: Vec<(Format, PathBuf)>,
    /// Count findings by rule instead of listing them
    #[arg(long, help_heading = "Output")]
    pub statistics: bool,
    /// Findings only, no summary
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
    /// The least level that ends the run with 1 [default: error]
    #[arg(long, value_enum, value_name = "LEVEL", help_heading = "Output")]
    pub fail_on: Option<FailOn>,
    /// End with 0 where findings would end the run with 1
    #[arg(long, help_heading = "Output")]
    pub exit_zero: bool,

    /// Read this configuration instead of looking for ackord.toml
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub config: Option<PathBuf>,
    /// Read no configuration
    #[arg(long, conflicts_with = "config", help_heading = "Configuration")]
    pub isolated: bool,
    /// Print the settings in force, and stop
    #[arg(long, help_heading = "Configuration")]
    pub show_config: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  ackord check
  ackord check queues/payment-capture.queue.yaml --pedantic
  ackord check --diff --unsafe-fixes            what the fixes would change
  ackord check --select AK2,unjittered-backoff
  ackord check --output-format github --output sarif=ackord.sarif
  ackord check - --stdin-filename queues/new.queue.yaml < draft.yaml";

/// The arguments of `inspect`.
#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  ackord inspect queues/payment-capture.queue.yaml
  ackord inspect queues/payment-capture.queue.yaml --output-format json")]
pub struct Inspect {
    /// The contract
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How it is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Shape::Text)]
    pub output_format: Shape,
}

/// The arguments of `generate`.
#[derive(Debug, Arguments)]
#[command(after_help = GENERATE_EXAMPLES)]
pub struct Generate {
    /// The contracts
    #[arg(value_name = "CONTRACT", required_unless_present = "list")]
    pub files: Vec<PathBuf>,
    /// What to write; may be repeated [default: those of ackord.toml]
    #[arg(long, value_name = "TARGET", value_delimiter = ',')]
    pub target: Vec<String>,
    /// The folder to write below [default: that of ackord.toml]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write nothing, tell what differs; ends with 1 if anything does
    #[arg(long, help_heading = "Instead of writing", conflicts_with_all = ["diff", "list"])]
    pub check: bool,
    /// Write nothing, print what would change; ends with 1 if anything would
    #[arg(long, help_heading = "Instead of writing", conflicts_with = "list")]
    pub diff: bool,
    /// List the targets, or the files that contracts would give, and who owns them
    #[arg(long, help_heading = "Instead of writing")]
    pub list: bool,

    /// Overwrite also what was edited since it was generated, or never was
    #[arg(long, help_heading = "Files of yours")]
    pub force: bool,
    /// Write a fresh copy beside each file of yours, with `.new` at its end
    #[arg(long, help_heading = "Files of yours")]
    pub force_scaffold: bool,
}

const GENERATE_EXAMPLES: &str = "\
Examples:
  ackord generate --list
  ackord generate queues/payment-capture.queue.yaml --target runbook --target alerts --out out
  ackord generate queues/*.queue.yaml             targets and folder as in ackord.toml:
                                                    [generate]
                                                    out = \"out\"
                                                    targets = [\"runbook\", \"alerts\"]
  ackord generate queues/*.queue.yaml --check     in CI: is everything fresh and unedited?
  ackord generate queues/*.queue.yaml --diff      what a run would change
  ackord generate queues/*.queue.yaml --list      which files there are, and who owns them

A generated file is written again each time, and ackord.lock remembers its hash. One that was edited
since is never overwritten, unless --force says so. A file of yours is written once.";

/// The arguments of `explain`.
#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  ackord explain AK201
  ackord explain unjittered-backoff")]
pub struct Explain {
    /// The code or the name of a rule
    #[arg(value_name = "CODE|NAME")]
    pub rule: String,
}

/// The arguments of `rules`.
#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  ackord rules
  ackord rules --output-format json")]
pub struct Rules {
    /// How it is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Shape::Text)]
    pub output_format: Shape,
}

/// The arguments of `schema`.
#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  ackord schema > .ackord/ackord.v1.json
  ackord schema --config > ackord-config.v1.json")]
pub struct Schema {
    /// The schema of ackord.toml instead
    #[arg(long)]
    pub config: bool,
}

/// The arguments of `init`.
#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  ackord init payment-capture --flow money --broker rabbitmq
  ackord init --complete queues/payment-capture.queue.yaml")]
pub struct Init {
    /// The name of the queue
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// What the messages are about
    #[arg(long, value_name = "FLOW", value_parser = PossibleValuesParser::new(super::init::flows()))]
    pub flow: Option<String>,
    /// The broker that keeps the queue
    #[arg(long, value_name = "BROKER", value_parser = PossibleValuesParser::new(super::init::brokers()))]
    pub broker: Option<String>,
    /// The folder that the contract is written to
    #[arg(long, value_name = "DIR", default_value = "queues")]
    pub dir: PathBuf,
    /// Add the sections that this contract lacks
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "flow", "broker", "dir"])]
    pub complete: Option<PathBuf>,
}

/// The arguments of `completions`.
#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  ackord completions bash > ~/.local/share/bash-completion/completions/ackord
  ackord completions fish > ~/.config/fish/completions/ackord.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// The arguments of `man`.
#[derive(Debug, Arguments)]
#[command(after_help = "\
Examples:
  ackord man | man -l -
  ackord man /usr/local/share/man/man1")]
pub struct Man {
    /// The folder to write all pages to [default: the main page goes to standard output]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// When colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment says otherwise
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// Text for people, or JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// For people
    Text,
    /// For programs
    Json,
}

/// The formats of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The source with labels
    Full,
    /// A line for each finding
    Concise,
    /// One JSON document
    Json,
    /// A JSON object for each finding
    Jsonl,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0
    Sarif,
}

impl From<Format> for report::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Full => Self::Full,
            Format::Concise => Self::Concise,
            Format::Json => Self::Json,
            Format::Jsonl => Self::JsonLines,
            Format::Github => Self::Github,
            Format::Sarif => Self::Sarif,
        }
    }
}

/// The levels that may fail a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors only
    Error,
    /// Warnings too
    Warning,
    /// Every finding
    Note,
}

impl From<FailOn> for Level {
    fn from(level: FailOn) -> Self {
        match level {
            FailOn::Error => Self::Error,
            FailOn::Warning => Self::Warning,
            FailOn::Note => Self::Note,
        }
    }
}

fn output(text: &str) -> Result<(Format, PathBuf), String> {
    let (format, file) =
        text.split_once('=').ok_or("it names no file; write FORMAT=FILE, such as sarif=ackord.sarif")?;
    if file.is_empty() {
        return Err("it names no file; write FORMAT=FILE, such as sarif=ackord.sarif".to_owned());
    }
    let format = Format::from_str(format, false).map_err(|_| {
        let names = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
        format!("the format is one of {}", names.join(", "))
    })?;
    Ok((format, PathBuf::from(file)))
}
