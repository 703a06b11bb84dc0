//! Pieces of PromQL, and of the templates that Prometheus fills in annotations.

use std::fmt::Write as _;

use crate::units::{Duration, trim};

/// `value` as a string of PromQL: exactly the same characters, whatever they are.
pub(in crate::emit) fn string(value: &str) -> String {
    let mut out = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            // The runs of blanks that YAML's writer joins must survive, and a first one, too.
            // Behind two hashes a bracket is a command to a build log, which YAML's writer shows otherwise.
            // Behind a dollar or two brackets, Grafana reads a variable.
            '!'..='~' if !matches!(character, '#' | '$' | '[') => out.push(character),
            ' ' if !out.ends_with([' ', '"']) => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(out, "\\U{:08x}", u32::from(character));
            }
        }
    }
    out.push('"');
    out
}

/// `text` in an annotation, with no action of a template in it.
pub(in crate::emit) fn annotation(text: &str) -> String {
    text.replace("{{", "{{ \"{{\" }}")
}

/// A length of time where PromQL asks for one.
pub(in crate::emit) fn duration(time: Duration) -> String {
    let millis = time.as_millis();
    if millis.is_multiple_of(1000) {
        Duration::from_millis(millis).to_string()
    } else {
        format!("{millis}ms")
    }
}

/// A length of time as the number of its seconds, as the metrics count it.
pub(in crate::emit) fn seconds(time: Duration) -> String {
    trim(time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_holds_what_it_was_given() {
        assert_eq!(string("orders.v2"), "\"orders.v2\"");
        assert_eq!(string("a\"b\\c"), r#""a\"b\\c""#);
        assert_eq!(string(" a  b\n"), r#""\U00000020a \U00000020b\U0000000a""#);
        assert_eq!(string("\u{202e}é"), "\"\\U0000202eé\"");
    }

    #[test]
    fn times_are_what_promql_reads() {
        assert_eq!(duration(Duration::from_secs(5400)), "1h30m");
        assert_eq!(duration(Duration::from_millis(1500)), "1500ms");
        assert_eq!(seconds(Duration::from_millis(1500)), "1.5");
    }

    #[test]
    fn an_annotation_has_no_action() {
        assert_eq!(annotation("{{ $labels.x }}"), "{{ \"{{\" }} $labels.x }}");
    }
}
