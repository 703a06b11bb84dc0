//! What a command line that clap could not take is answered with.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::args::Args;
use super::output::Streams;
use super::stop::Stop;
use super::{CLEAN, FAILURE};
use crate::config::select::suggestion;

/// Help and version are results; everything else is a failure in our own words.
pub(super) fn answer(error: &clap::Error, arguments: &[OsString], streams: &mut Streams) -> Result<u8, Stop> {
    let kind = error.kind();
    if kind == ErrorKind::DisplayHelp || kind == ErrorKind::DisplayVersion {
        streams.result(&error.render().to_string())?;
        return Ok(CLEAN);
    }
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        streams.tell(error.render().to_string().trim_end());
        return Ok(FAILURE);
    }
    let command = command(arguments);
    Err(Stop::with_help(message(error, &command), help(error, &command)))
}

fn message(error: &clap::Error, command: &str) -> String {
    let text = |kind| context(error, kind).join(", ");
    let argument = || text(ContextKind::InvalidArg);
    let value = || text(ContextKind::InvalidValue);
    let kind = error.kind();
    if kind == ErrorKind::UnknownArgument {
        format!("`{}` is not an option of `{command}`", argument())
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
        format!("`{command}` needs {}", argument())
    } else if kind == ErrorKind::ArgumentConflict {
        format!("`{}` and `{}` exclude each other", argument(), text(ContextKind::PriorArg))
    } else {
        let line = error.render().to_string();
        line.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
    }
}

/// The next step: the nearest word, the allowed words, or the help of the command.
fn help(error: &clap::Error, command: &str) -> String {
    let mut main = Args::command();
    main.build();
    let page = format!("{command} --help");
    let kind = error.kind();
    let text = |kind| context(error, kind).join(", ");
    if kind == ErrorKind::InvalidSubcommand {
        let names = main.get_subcommands().map(clap::Command::get_name);
        return suggestion(&text(ContextKind::InvalidSubcommand), names, "ackord --help");
    }
    if kind == ErrorKind::UnknownArgument {
        let name = command.split_whitespace().nth(1).unwrap_or_default();
        let called = main.find_subcommand(name).unwrap_or(&main);
        let options = called.get_arguments().filter_map(|option| option.get_long());
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

/// The command that was called: `ackord check`, or `ackord` where it got no further.
fn command(arguments: &[OsString]) -> String {
    let main = Args::command();
    let name = arguments.iter().skip(1).find(|word| !word.to_string_lossy().starts_with('-'));
    let name = name.and_then(|word| main.find_subcommand(word)).map(clap::Command::get_name);
    name.map_or_else(|| "ackord".to_owned(), |name| format!("ackord {name}"))
}

fn context(error: &clap::Error, wanted: ContextKind) -> Vec<String> {
    match error.get(wanted) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}
