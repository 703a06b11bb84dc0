//! Why handling a message failed, before anybody has said which class that is.

use std::fmt;

use crate::store::StoreError;

/// What went wrong: a word to classify it by, and a sentence for whoever reads the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    word: String,
    text: String,
}

/// The words that the runtime itself uses; the handler adds its own.
pub mod word {
    /// The body is not JSON, or not an object.
    pub const INVALID_PAYLOAD: &str = "invalid-payload";
    /// A field has another type than the contract says.
    pub const SCHEMA_VIOLATION: &str = "schema-violation";
    /// A field is not there.
    pub const MISSING_FIELD: &str = "missing-field";
    /// The message is of a version that this consumer does not accept.
    pub const UNKNOWN_VERSION: &str = "unknown-version";
    /// The handler ran longer than it may.
    pub const TIMEOUT: &str = "timeout";
    /// The store is busy or away.
    pub const STORE_UNAVAILABLE: &str = "store-unavailable";
    /// The store refused a statement.
    pub const STORE_REFUSED: &str = "store-refused";
    /// A message was handed out more often than the contract allows.
    pub const TOO_MANY_DELIVERIES: &str = "too-many-deliveries";
    /// Something that the handler's author still has to write.
    pub const NOT_WRITTEN: &str = "not-written";
}

impl Error {
    /// An error by its word and what it says.
    pub fn new(word: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            text: text.into(),
        }
    }

    /// The word that it is classified by.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.word
    }

    /// Whether its word is one of `words`.
    #[must_use]
    pub fn is_one_of(&self, words: &[&str]) -> bool {
        words.contains(&self.word.as_str())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.word, self.text)
    }
}

impl std::error::Error for Error {}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let word = match error {
            StoreError::Busy(_) => word::STORE_UNAVAILABLE,
            StoreError::Constraint(_) | StoreError::Refused(_) => word::STORE_REFUSED,
        };
        Self::new(word, error.to_string())
    }
}
