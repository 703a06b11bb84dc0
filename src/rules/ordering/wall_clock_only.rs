//! See `wall_clock_only.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Against, ClockKind};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK508",
    "wall-clock-only",
    Level::Warning,
    include_str!("wall_clock_only.md"),
    Check::Contract(check),
);

/// Below so many times the error of the clocks, the error decides.
const MARGINS: u64 = 10;

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let staleness = &analysis.contract.staleness;
    let margin = analysis.policy.margin;
    let Some(limit) = staleness.max_age.get().filter(|limit| **limit < margin * MARGINS) else { return };
    if staleness.clock.get() != Some(&ClockKind::Physical) {
        return;
    }
    let least = margin * MARGINS;
    // How old something is now, no sequence can tell.
    let help = if staleness.against.get() == Some(&Against::Now) {
        format!("raise `max_age` to {least}, or set `margin` in ackord.toml to what clocks and network keep")
    } else {
        "write `clock: logical` or `clock: hybrid` with a `sequence` from the producer, or raise `max_age`"
            .to_owned()
    };
    let shown = analysis.written(*limit, staleness.max_age.span());
    let text = format!(
        "the time of day alone decides about an age of {shown}, and clocks and network are wrong by up to {margin}"
    );
    out.push(
        Diagnostic::new(RULE.code, staleness.clock.span(), text)
            .at("two hosts do not agree about it")
            .label(staleness.max_age.span(), "less than ten times the error")
            .note(format!("least age for the time of day = {MARGINS} × {margin} = {least}"))
            .help(help),
    );
}
