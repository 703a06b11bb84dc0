//! Names in shell commands.

/// What stands inside double quotes for `name`: the name itself where it holds nothing that a shell or a
/// tool could take for something else, else the variable that the reader sets.
pub(super) fn quoted(name: &str, variable: &str) -> String {
    if is_plain(name) { name.to_owned() } else { format!("${variable}") }
}

/// Whether a name means only itself in a command: no blank, no quote, no dash at its start.
pub(in crate::emit) fn is_plain(name: &str) -> bool {
    name.len() <= 255
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_shell_would_read_becomes_its_variable() {
        assert_eq!(quoted("orders.v2_eu-dlq", "QUEUE"), "orders.v2_eu-dlq");
        for name in [
            "", "a b", "-rf", "$(id)", "`id`", "a\"b", "a\nb", "a;b", "ä", "{{ x }}", "a'b", "../x", "a:b",
            "a/b",
        ] {
            assert_eq!(quoted(name, "QUEUE"), "$QUEUE", "{name:?}");
        }
    }
}
