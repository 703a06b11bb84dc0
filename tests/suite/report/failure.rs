//! How the program says that it failed.

use std::io;

use ackord::report::failure::{Failure, install, text};
use miette::Diagnostic;

fn failure() -> Failure {
    Failure::new("input::missing", "`queues/\u{1b}[31m` does not exist")
        .cause(io::Error::other("no such file\n::error::forged"))
        .help("ackord init NAME")
}

const EXPECTED: &str = "\
error: `queues/␛[31m` does not exist
cause: no such file␊::error::forged
help: ackord init NAME";

#[test]
fn a_failure_is_told_in_lines() {
    assert_eq!(text(&failure()), EXPECTED);
    assert_eq!(failure().code().map(|code| code.to_string()).as_deref(), Some("input::missing"));
}

#[test]
fn a_failure_alone_is_one_line() {
    assert_eq!(text(&Failure::new("flag", "`--x` is not a flag")), "error: `--x` is not a flag");
}

#[test]
fn every_report_of_the_process_is_told_so() {
    install();
    install();
    assert_eq!(format!("{:?}", miette::Report::new(failure())), EXPECTED);
    assert_eq!(miette::Report::new(failure()).to_string(), "`queues/␛[31m` does not exist");
}
