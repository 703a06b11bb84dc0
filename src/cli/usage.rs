//! What a command line that clap could not take is answered with.

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::args::Args;
use super::output::Streams;
use super::stop::Stop;
use super::{CLEAN, FAILURE};
use crate::config::select::suggestion;

/// Help and version are results; everything else is a failure in our own words.
pub(super) fn answer(error: &clap::Error, streams: &mut Streams) -> Result<u8, Stop> {
    let kind = error.kind();
    if kind == ErrorKind::DisplayHelp || kind == ErrorKind::DisplayVersion {
        streams.result(&error.render().to_string())?;
        return Ok(CLEAN);
    }
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        streams.tell(error.render().to_string().trim_end());
        return Ok(FAILURE);
    }
    Err(Stop::with_help(message(error), help(error)))
}

fn message(error: &clap::Error) -> String {
    let text = |kind| context(error, kind).join(", ");
    let argument = || text(ContextKind::InvalidArg);
    let value = || text(ContextKind::InvalidValue);
    let kind = error.kind();
    if kind == ErrorKind::UnknownArgument {
        format!("`{}` is not an option of {}", argument(), command(error))
    } else if kind == ErrorKind::InvalidSubcommand {
        format!("`{}` is not a command", text(ContextKind::InvalidSubcommand))
    } else if kind == ErrorKind::InvalidValue && value().is_empty() {
        format!("`{}` needs a value", argument())
    } else if kind == ErrorKind::InvalidValue {
        format!("`{}` is not a value of `{}`", value(), argument())
    } else if kind == ErrorKind::ValueValidation {
        // The reason is the last part of clap's sentence: the source of its error.
        let why = std::error::Error::source(error).map_or_else(String::new, |why| format!(": {why}"));
        format!("`{}` is not a value of `{}`{why}", value(), argument())
    } else if kind == ErrorKind::MissingRequiredArgument {
        format!("{} needs {}", command(error), argument())
    } else if kind == ErrorKind::ArgumentConflict {
        format!("`{}` and `{}` exclude each other", argument(), text(ContextKind::PriorArg))
    } else {
        let line = error.render().to_string();
        line.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
    }
}

/// The next step: the nearest word, the allowed words, or the help of the command.
fn help(error: &clap::Error) -> String {
    let mut main = Args::command();
    main.build();
    let called = command(error);
    let called = called.trim_matches('`');
    let page = format!("{called} --help");
    let kind = error.kind();
    let text = |kind| context(error, kind).join(", ");
    if kind == ErrorKind::InvalidSubcommand {
        let names = main.get_subcommands().map(clap::Command::get_name);
        return suggestion(&text(ContextKind::InvalidSubcommand), names, "ackord --help");
    }
    if kind == ErrorKind::UnknownArgument {
        let name = called.split_whitespace().nth(1).unwrap_or_default();
        let command = main.find_subcommand(name).unwrap_or(&main);
        let options = command.get_arguments().filter_map(|option| option.get_long());
        let options: Vec<String> = options.map(|name| format!("--{name}")).collect();
        return suggestion(&text(ContextKind::InvalidArg), options.iter().map(String::as_str), &page);
    }
    let allowed = context(error, ContextKind::ValidValue);
    if allowed.is_empty() {
        return page;
    }
    let all = format!("write one of {}", allowed.join(", "));
    suggestion(&text(ContextKind::InvalidValue), allowed.iter().map(String::as_str), &all)
}

/// The command that was called, from clap's usage line: `ackord check`.
fn command(error: &clap::Error) -> String {
    let usage =
        error.context().find_map(|(kind, value)| (kind == ContextKind::Usage).then(|| value.to_string()));
    let words = usage.unwrap_or_default();
    let words: Vec<&str> = words
        .trim_start_matches("Usage:")
        .split_whitespace()
        .take_while(|word| word.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    if words.is_empty() { "`ackord`".to_owned() } else { format!("`{}`", words.join(" ")) }
}

fn context(error: &clap::Error, wanted: ContextKind) -> Vec<String> {
    match error.get(wanted) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
