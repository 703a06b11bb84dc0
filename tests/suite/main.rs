//! x

mod report;
