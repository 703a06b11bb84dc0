//! `ackord inspect FILE`.

use super::args::{Inspect, Shape};
use super::output::{self, Streams};
use super::stop::Stop;
use super::{CLEAN, FINDINGS, judged};
use crate::report;
use crate::rules::operation::literal_secret::mask;

/// Runs the command.
pub(super) fn run(args: &Inspect, streams: &mut Streams) -> Result<u8, Stop> {
    let (report, decided) = judged::judge(std::slice::from_ref(&args.file), streams.color())?;
    if report.unreadable() {
        streams.result(&report::render(
            decided.format,
            &report,
            &report::Options { color: streams.color() },
        ))?;
        streams.tell(report::summary(&report).trim_end());
        return Ok(FINDINGS);
    }
    let analyses = report.analyses(&decided.settings.policy);
    match args.output_format {
        Shape::Json => {
            let all: Vec<_> = analyses.iter().map(report::inspect::json).collect();
            // One contract is one object; several in one file are a list.
            let text = match all.as_slice() {
                [one] => output::json(one)?,
                several => output::json(&several)?,
            };
            streams.result(&mask(&text))?;
        }
        Shape::Text => {
            let pages: Vec<String> =
                analyses.iter().map(|analysis| report::inspect::text(analysis, streams.color())).collect();
            streams.result(&mask(&pages.join("\n")))?;
        }
    }
    Ok(CLEAN)
}
