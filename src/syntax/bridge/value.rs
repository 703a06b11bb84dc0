//! Scalars: what a node may be read as, and what is said where it may not.

#![allow(clippy::wildcard_enum_match_arm, reason = "each reader takes a few readings and refuses the rest")]

use serde::de::Expected;

use super::fault::{Fault, Outcome};
use super::{Reader, Role};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::syntax::reading::{Reading, sexagesimal, whole};
use crate::syntax::tree::{Kind, Style};
use crate::syntax::{WRONG_TYPE, YAML_SURPRISE};

/// The user's text as far as a sentence can hold it.
pub(super) fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    let mut first: String = line.chars().take(60).collect();
    if first.len() < text.trim_end().len() {
        first.push('…');
    }
    first
}

/// A scalar where any JSON may stand.
pub(super) enum Generic {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text,
}

#[inline(never)]
pub(super) fn generic(text: &str, style: Style) -> Generic {
    if style != Style::Plain {
        return Generic::Text;
    }
    let float = || text.parse().map_or(Generic::Text, Generic::Float);
    match Reading::of(text) {
        Reading::Null => Generic::Null,
        Reading::Bool(truth) => Generic::Bool(truth),
        Reading::Int => {
            let number = whole(text).unwrap_or(i128::MAX);
            match (i64::try_from(number), u64::try_from(number)) {
                (Ok(number), _) => Generic::Signed(number),
                (Err(_), Ok(number)) => Generic::Unsigned(number),
                (Err(_), Err(_)) => float(),
            }
        }
        Reading::Float => float(),
        // Two readers see two things: reading it as a text says so.
        Reading::OldBool(_)
        | Reading::LeadingZero
        | Reading::Octal
        | Reading::Underscore
        | Reading::Sexagesimal
        | Reading::Text => Generic::Text,
    }
}

impl<'t> Reader<'_, 't> {
    /// What stands here, in words.
    pub(super) fn found(&self) -> String {
        match &self.node().kind {
            Kind::List(_) => "a list".to_owned(),
            Kind::Mapping { .. } => "a mapping".to_owned(),
            Kind::Alias(_) | Kind::Lost => "an alias".to_owned(),
            Kind::Scalar { text, style: Style::Plain } => match Reading::of(text) {
                Reading::Null => "nothing".to_owned(),
                Reading::Int | Reading::Float => format!("the number `{}`", shown(text)),
                _ => format!("`{}`", shown(text)),
            },
            Kind::Scalar { text, .. } => format!("the text \"{}\"", shown(text)),
        }
    }

    fn mismatch(&self, expected: &str) -> Diagnostic {
        let message = format!("{} takes {expected}, found {}", self.subject(), self.found());
        Diagnostic::new(WRONG_TYPE, self.span(), message).at(format!("{expected} belongs here"))
    }

    /// The fault of a node that is not what belongs here.
    #[inline(never)]
    pub(super) fn expected(&self, expected: &str) -> Fault {
        Fault::found(self.mismatch(expected))
    }

    #[inline(never)]
    pub(super) fn no_list(&self) -> Fault {
        let finding = self.mismatch("a list");
        let Some((text, style)) = self.scalar() else { return Fault::found(finding) };
        let word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        if style == Style::Plain && text.chars().all(word) {
            let list = format!("[{text}]");
            let title = format!("{text} -> {list}");
            let help = format!("write `{list}`");
            return Fault::found(finding.help(help).replace(Applicability::Safe, self.span(), list, title));
        }
        Fault::found(finding.help("write the value in brackets"))
    }

    /// Whether a key stands here with nothing behind it, which is reported at the key.
    #[inline(never)]
    pub(super) fn has_no_value(&self) -> bool {
        let Ok(reader) = self.resolve() else { return false };
        let Some((text, Style::Plain)) = reader.scalar() else { return false };
        if Reading::of(text) != Reading::Null {
            return false;
        }
        // Its value may stand in the part of the document that could not be read.
        if !self.context.damaged {
            let written = reader.span();
            let span = if written.end > written.start { written } else { reader.heading() };
            let message = format!("{} has no value", reader.subject());
            let help = match reader.role {
                Role::Root => "write a contract",
                Role::Value(_) | Role::Key => "give it a value, or remove the key",
                Role::Element(_) => "give it a value, or remove it",
            };
            reader.say(Diagnostic::new(WRONG_TYPE, span, message).at("a value belongs here").help(help));
        }
        true
    }

    #[inline(never)]
    pub(super) fn boolean(&self) -> Outcome<bool> {
        let expected = "`true` or `false`";
        let Some((text, style)) = self.scalar() else { return Err(self.expected(expected)) };
        let reading = Reading::of(text);
        let word = |truth: bool| if truth { "true" } else { "false" };
        match (style, reading) {
            (Style::Plain, Reading::Bool(truth)) if text == word(truth) => Ok(truth),
            (_, Reading::Bool(truth)) => Err(self.rewrite(self.mismatch(expected), word(truth))),
            (Style::Plain, Reading::OldBool(truth)) => {
                let message = format!(
                    "{} takes {expected}, but `{text}` is {} to a YAML 1.1 reader and a text to a YAML 1.2 reader",
                    self.subject(),
                    word(truth),
                );
                let finding = Diagnostic::new(YAML_SURPRISE, self.span(), message).at("read in two ways");
                Err(self.rewrite(finding, word(truth)))
            }
            _ => Err(self.expected(expected)),
        }
    }

    fn rewrite(&self, finding: Diagnostic, text: &str) -> Fault {
        let old = self.scalar().map_or("", |(text, _)| text);
        let title = format!("{} -> {text}", shown(old));
        let help = format!("write `{text}`");
        Fault::found(finding.help(help).replace(Applicability::Safe, self.span(), text, title))
    }

    #[inline(never)]
    pub(super) fn integer(&self, least: i128, most: i128) -> Outcome<i128> {
        let expected = if least == 0 { "a whole number from 0" } else { "a whole number" };
        let Some((text, style)) = self.scalar() else { return Err(self.expected(expected)) };
        let reading = Reading::of(text);
        if style != Style::Plain {
            let finding = self.mismatch(expected);
            return Err(match reading {
                Reading::Int => self.rewrite(finding, text),
                _ => Fault::found(finding),
            });
        }
        match reading {
            Reading::Int => self.in_range(whole(text), least, most),
            Reading::LeadingZero | Reading::Octal | Reading::Underscore | Reading::Sexagesimal => {
                Err(self.surprising_number(text, reading))
            }
            _ => Err(self.expected(expected)),
        }
    }

    fn in_range(&self, number: Option<i128>, least: i128, most: i128) -> Outcome<i128> {
        let bound = match number {
            Some(number) if number < least => format!("at least {least}"),
            Some(number) if number <= most => return Ok(number),
            Some(_) | None => format!("at most {most}"),
        };
        let message = format!("{} is {bound}, found {}", self.subject(), self.found());
        Err(Fault::found(
            Diagnostic::new(WRONG_TYPE, self.span(), message).at(format!("{bound} belongs here")),
        ))
    }

    /// A plain scalar that is a number to one YAML and something else to the other.
    fn surprising_number(&self, text: &str, reading: Reading) -> Fault {
        let say = |old: &str, new: &str| {
            let text = shown(text);
            let message = format!("`{text}` is {old} to a YAML 1.1 reader and {new} to a YAML 1.2 reader");
            Diagnostic::new(YAML_SURPRISE, self.span(), message).at("read in two ways")
        };
        match reading {
            Reading::Octal => {
                let number = whole(text).map_or_else(|| text.to_owned(), |number| number.to_string());
                self.rewrite(say("a text", &number), &number)
            }
            Reading::Underscore => {
                let number = text.replace('_', "");
                self.rewrite(say(&number, "a text"), &number)
            }
            Reading::LeadingZero => {
                let ten = whole(text).map_or_else(|| text.to_owned(), |number| number.to_string());
                let eight = i128::from_str_radix(text.trim_start_matches('+'), 8);
                let eight = eight.map_or_else(|_| "a text".to_owned(), |number| number.to_string());
                Fault::found(say(&eight, &ten).help(format!("write `{ten}`")))
            }
            _ => {
                let number = sexagesimal(text);
                let old = number.map_or_else(|| "a number".to_owned(), |n| n.to_string());
                // Minutes and seconds, most likely; whoever meant hours will see it.
                let likely = match number {
                    Some(n) if n % 60 == 0 => format!("write `{}m`, or the unit that is meant", n / 60),
                    Some(n) => format!("write `{n}s`, or the unit that is meant"),
                    None => "write a number with its unit".to_owned(),
                };
                Fault::found(say(&old, "a text").help(likely))
            }
        }
    }

    #[inline(never)]
    pub(super) fn number(&self) -> Outcome<f64> {
        let Some((text, Style::Plain)) = self.scalar() else { return Err(self.expected("a number")) };
        match Reading::of(text) {
            Reading::Int => Ok(whole(text).map_or(f64::NAN, |number| number as f64)),
            Reading::Float => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => Err(self.expected("a number with an end")),
            },
            reading
            @ (Reading::LeadingZero | Reading::Octal | Reading::Underscore | Reading::Sexagesimal) => {
                Err(self.surprising_number(text, reading))
            }
            _ => Err(self.expected("a number")),
        }
    }

    /// A text; a plain scalar that is something else to a reader of YAML is reported and still read.
    #[inline(never)]
    pub(super) fn string(&self) -> Outcome<&'t str> {
        let Some((text, style)) = self.scalar() else { return Err(self.expected("a text")) };
        if style == Style::Plain {
            match Reading::of(text) {
                Reading::Text => {}
                Reading::Null => return Err(self.expected("a text")),
                reading => self.say(self.quote(text, reading)),
            }
        }
        Ok(text)
    }

    fn quote(&self, text: &str, reading: Reading) -> Diagnostic {
        let what = match reading {
            Reading::OldBool(truth) => format!("the boolean {truth} to a YAML 1.1 reader"),
            Reading::Bool(_) => "a boolean".to_owned(),
            Reading::LeadingZero | Reading::Octal | Reading::Underscore | Reading::Sexagesimal => {
                "a number to some readers of YAML".to_owned()
            }
            _ => "a number".to_owned(),
        };
        let subject = self.subject();
        let message = format!("{subject} takes a text, but `{}` without quotes is {what}", shown(text));
        let quoted = format!("\"{text}\"");
        let title = format!("{} -> {}", shown(text), shown(&quoted));
        Diagnostic::new(YAML_SURPRISE, self.span(), message)
            .at("not a text to every reader")
            .help(format!("write `{}`", shown(&quoted)))
            .replace(Applicability::Safe, self.span(), quoted, title)
    }

    /// The text of any scalar, for types that read it themselves.
    #[inline(never)]
    pub(super) fn raw(&self, expected: &dyn Expected) -> Outcome<&'t str> {
        match self.scalar() {
            Some((text, style)) if style != Style::Plain || Reading::of(text) != Reading::Null => Ok(text),
            _ => Err(self.expected(&expected.to_string())),
        }
    }

    /// Whether another reader of YAML, or of the schema, would see a different scalar than the type that
    /// read it: the name `404` is a number to all of them.
    #[inline(never)]
    pub(super) fn judge_raw(&self, text: &str, fault: Option<&Fault>) -> Outcome<()> {
        let Some((_, Style::Plain)) = self.scalar() else { return Ok(()) };
        let reading = Reading::of(text);
        match fault {
            None if reading == Reading::Text => {}
            None => self.say(self.quote(text, reading)),
            // The type's own words say what is wrong, unless the reader cannot see it: `5:00`.
            Some(_) if reading == Reading::Sexagesimal => return Err(self.surprising_number(text, reading)),
            Some(_) => {}
        }
        Ok(())
    }
}
