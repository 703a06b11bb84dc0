//! Names, texts and comments in SQL, as each engine and its command line read them.

use sha2::{Digest, Sha256};

use super::markdown::on_one_line;
use crate::model::Engine;

/// How an engine wants its SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::emit) enum Dialect {
    Postgres,
    Mysql,
    Sqlite,
}

impl Dialect {
    /// The dialect of an engine, where it speaks SQL.
    pub(in crate::emit) fn of(engine: Engine) -> Option<Self> {
        match engine {
            Engine::Postgres => Some(Self::Postgres),
            Engine::Mysql => Some(Self::Mysql),
            Engine::Sqlite => Some(Self::Sqlite),
            Engine::Redis => None,
        }
    }

    /// What people call it.
    pub(in crate::emit) fn title(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MySQL and MariaDB",
            Self::Sqlite => "SQLite",
        }
    }

    /// So many bytes of a name count. PostgreSQL cuts a longer one without an error, MySQL refuses it.
    fn longest_name(self) -> usize {
        match self {
            Self::Postgres => 63,
            Self::Mysql => 64,
            Self::Sqlite => usize::MAX,
        }
    }

    /// Whether the engine knows a table by this name and by no shorter one.
    pub(in crate::emit) fn keeps(self, name: &str) -> bool {
        name.split('.').all(|part| part.len() <= self.longest_name())
    }

    /// A table or a column, with its schema before a dot where it has one.
    pub(in crate::emit) fn name(self, name: &str) -> String {
        name.split('.').map(|part| self.word(part)).collect::<Vec<_>>().join(".")
    }

    /// One name, in which a dot is only a dot.
    pub(in crate::emit) fn word(self, name: &str) -> String {
        let quote = if self == Self::Mysql { '`' } else { '"' };
        let mut out = String::from(quote);
        for character in name.chars() {
            if character == quote {
                out.push(quote);
            }
            out.push(character);
        }
        out.push(quote);
        out
    }

    /// The name of something that belongs to `table`, without its schema, and short enough to be kept: what
    /// is cut off a long name is replaced by a digest of the whole.
    pub(in crate::emit) fn derived(self, table: &str, suffix: &str) -> String {
        let base = table.rsplit('.').next().unwrap_or(table);
        let room = self.longest_name().saturating_sub(suffix.len() + 1);
        if base.len() <= room {
            return format!("{base}_{suffix}");
        }
        let digest: String =
            Sha256::digest(base.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let kept: String = base.chars().take(room.saturating_sub(digest.len() + 1)).collect();
        format!("{kept}_{digest}_{suffix}")
    }

    /// `text` as a value on one line: exactly the same characters, whatever the session is set to. There is
    /// none for a text that holds NUL, which no text of PostgreSQL can hold.
    pub(in crate::emit) fn text(self, text: &str) -> Option<String> {
        if text.contains('\0') {
            return None;
        }
        if text.chars().all(is_plain) {
            return Some(format!("'{}'", text.replace('\'', "''")));
        }
        // A backslash means one thing or another by a setting of the session, and what acts on a terminal
        // must not stand in a file. Bytes mean the same everywhere.
        let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        Some(match self {
            Self::Postgres => format!("convert_from(decode('{hex}', 'hex'), 'UTF8')"),
            Self::Mysql => format!("convert(x'{hex}' using utf8mb4)"),
            Self::Sqlite => format!("cast(x'{hex}' as text)"),
        })
    }
}

/// Whether a character means only itself between quotes, and shows itself as it is.
fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~') && character != '\\' || character.is_alphanumeric()
}

/// `text` behind `-- `. A line comment ends only with its line; but a person may put the line into
/// `/* */`, and a command line may look for its own commands, so nothing of that kind is left.
pub(in crate::emit) fn comment(text: &str) -> String {
    on_one_line(text).replace('\\', "\\ ").replace("*/", "* /").replace("/*", "/ *")
}

#[cfg(test)]
mod tests {
    use super::Dialect::{Mysql, Postgres, Sqlite};
    use super::*;

    #[test]
    fn names_are_quoted_part_by_part() {
        assert_eq!(Postgres.name("billing.order_outbox"), r#""billing"."order_outbox""#);
        assert_eq!(Mysql.name("billing.order_outbox"), "`billing`.`order_outbox`");
        assert_eq!(Sqlite.name("t"), r#""t""#);
        assert_eq!(Postgres.word("a.b\"c"), r#""a.b""c""#);
        assert_eq!(Mysql.word("a`b\"c"), "`a``b\"c`");
    }

    #[test]
    fn a_derived_name_is_short_enough_and_its_own() {
        assert_eq!(Postgres.derived("billing.keys", "expires_at"), "keys_expires_at");
        let [one, two] = ["a", "b"].map(|end| format!("{}{end}", "t".repeat(62)));
        for dialect in [Postgres, Mysql] {
            assert_ne!(dialect.derived(&one, "p1"), dialect.derived(&two, "p1"));
            assert_ne!(dialect.derived(&one, "p1"), dialect.derived(&one, "p2"));
            assert_eq!(dialect.derived(&one, "expires_at").len(), dialect.longest_name());
            assert!(dialect.keeps(&one) && dialect.keeps(&format!("{one}.{two}")));
            assert!(!dialect.keeps(&format!("{one}_t")));
        }
    }

    #[test]
    fn a_text_is_one_literal_on_one_line() {
        for dialect in [Postgres, Mysql, Sqlite] {
            assert_eq!(dialect.text("it's; -- é").as_deref(), Some("'it''s; -- é'"));
            assert_eq!(dialect.text("a\0b"), None);
            for text in ["a\\", "a\nb", "\u{202e}", "\t", "\\'; drop table x; --"] {
                let literal = dialect.text(text).expect("a literal");
                assert!(literal.is_ascii() && !literal.contains(['\\', '\n', '\t']), "{literal}");
            }
        }
        assert_eq!(Mysql.text("\\").as_deref(), Some("convert(x'5c' using utf8mb4)"));
    }

    #[test]
    fn a_comment_is_one_line_without_a_command() {
        assert_eq!(comment("a\n\\! id"), "a \\ ! id");
        assert_eq!(comment("a */ b /*! c */"), "a * / b / *! c * /");
        assert_eq!(comment("*/*/"), "* / * /");
        assert!(!comment("/*/*//**/").contains("*/") && !comment("/*/*//**/").contains("/*"));
    }
}
