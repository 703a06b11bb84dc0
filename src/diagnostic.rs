//! What is said about a contract: rules, findings, labels and fixes. No rule and no format is here.

use crate::source::Span;

/// How much a finding matters. Ordered: `Note < Warning < Error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing; shown with `--pedantic`.
    Note,
    /// Works until a bad day.
    Warning,
    /// Cannot be true, or loses or repeats an effect.
    Error,
}

impl Level {
    /// The word that the user reads and writes.
    pub fn word(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// The stable name of a rule, such as `AK201`. The registry in `rules` knows what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A place with a few words that point at it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What it is; may be empty.
    pub text: String,
}

/// How far a fix may be trusted. Ordered: `Unsafe < Safe`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// It changes a promise, a size or a meaning; only with `--unsafe-fixes`.
    Unsafe,
    /// It says the same thing in a form that is right.
    Safe,
}

/// One replacement of a range of bytes by a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// How a finding is mended: all edits or none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fix {
    /// In a few words what it does, for the list of applied fixes: `ttl: 10m -> 15d`.
    pub title: String,
    /// How far it may be trusted.
    pub applicability: Applicability,
    /// Its edits; they do not overlap and lie in one source.
    pub edits: Vec<Edit>,
}

/// A finding.
///
/// The message is the fact with the user's own numbers; the primary label sits on the value at
/// fault, further labels on every value that went into it; notes show the derivation; the help is
/// a command.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The rule that it breaks.
    pub code: Code,
    /// The selectable part of a rule that lists several things, such as `evidence` of `AK016`.
    pub items: Vec<&'static str>,
    /// How much it matters here; `None` is the rule's own level.
    pub level: Option<Level>,
    /// The fact.
    pub message: String,
    /// The value at fault.
    pub primary: Label,
    /// Other values that went into it.
    pub labels: Vec<Label>,
    /// The derivation and what else is worth knowing, a line each.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// The mend, where one is certain.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A finding of the rule `code` at `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            items: Vec::new(),
            level: None,
            message: message.into(),
            primary: Label { span, text: String::new() },
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Words at the value at fault.
    pub fn at(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// How much it matters here, where the rule's own level is not right for this flow.
    pub fn level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    /// Another place that took part. An empty place (a value that was not written) is left out.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        if span.end > span.start {
            self.labels.push(Label { span, text: text.into() });
        }
        self
    }

    /// A line of derivation.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// What to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The mend.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// The mend that replaces `span` by `text`.
    pub fn replace(
        self,
        applicability: Applicability,
        span: Span,
        text: impl Into<String>,
        title: impl Into<String>,
    ) -> Self {
        let edits = vec![Edit { span, text: text.into() }];
        self.fix(Fix { title: title.into(), applicability, edits })
    }
}
