//! Stub until the `syntax` branch lands.
use crate::diagnostic::{Applicability, Code};
/// p
pub struct Problem {
    /// c
    pub code: Code,
    /// m
    pub message: String,
    /// h
    pub help: Option<String>,
    /// r
    pub replacement: Option<(String, Applicability)>,
}
/// s
pub trait Scalar: Sized {
    /// e
    const EXPECTED: &'static str;
    /// p
    fn parse(text: &str) -> Result<Self, Problem>;
    /// s
    fn schema() -> serde_json::Value;
}
macro_rules! scalar {
    ($($t:ty),*) => {};
}
pub(crate) use scalar;
