//! `ackord explain CODE|NAME`.

use super::CLEAN;
use super::args::Explain;
use super::output::Streams;
use super::stop::Stop;
use crate::rules;
use crate::syntax::nearest::nearest;

/// Runs the command.
pub(super) fn run(args: &Explain, streams: &mut Streams) -> Result<u8, Stop> {
    let word = args.rule.trim();
    // An item is explained by its rule.
    let word = word.split_once(':').map_or(word, |(rule, _)| rule);
    let Some(rule) = rules::find(word) else {
        let words = rules::all().flat_map(|rule| [rule.code.0, rule.name]);
        let near = nearest(word, words).first().map(|name| format!("ackord explain {name}"));
        let help = near.unwrap_or_else(|| "ackord rules".to_owned());
        return Err(Stop::with_help(format!("`{word}` is no rule"), help));
    };
    streams.result(&format!("{}\n", rule.explanation()))?;
    Ok(CLEAN)
}
