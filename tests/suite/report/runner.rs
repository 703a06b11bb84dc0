//! How a GitHub runner reads a log: written after the rules of its `ActionCommand`, not after our
//! writer. A command is a line that begins, after blanks, with `::name …::`, or one that holds
//! `##[name …]` anywhere.

/// A command that the runner would obey.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    pub name: String,
    pub properties: Vec<(String, String)>,
    pub data: String,
}

const KNOWN: [&str; 14] = [
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "warning",
];

/// The commands of a log.
pub fn commands(log: &str) -> Vec<Command> {
    log.split(['\n', '\r']).filter_map(|line| modern(line).or_else(|| legacy(line))).collect()
}

fn modern(line: &str) -> Option<Command> {
    let rest = line.trim_start().strip_prefix("::")?;
    let (head, data) = rest.split_once("::")?;
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let properties = properties.trim().split(',').filter_map(|pair| pair.split_once('='));
    let decode = |text: &str| {
        unescape(text, &[("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")])
    };
    known(name).then(|| Command {
        name: name.to_owned(),
        properties: properties.map(|(key, value)| (key.to_owned(), decode(value))).collect(),
        data: unescape(data, &[("%0D", "\r"), ("%0A", "\n"), ("%25", "%")]),
    })
}

fn legacy(line: &str) -> Option<Command> {
    let (_, rest) = line.split_once("##[")?;
    let (head, data) = rest.split_once(']')?;
    let name = head.split_once(' ').map_or(head, |(name, _)| name);
    known(name).then(|| Command { name: name.to_owned(), properties: Vec::new(), data: data.to_owned() })
}

fn known(name: &str) -> bool {
    KNOWN.contains(&name) || name == "stop-commands"
}

fn unescape(text: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[test]
fn it_finds_what_a_runner_finds() {
    assert_eq!(commands("  ::error file=a%2Cb,line=1::x%0Ay").len(), 1);
    assert_eq!(commands("text ##[add-path]/tmp").len(), 1);
    assert_eq!(commands("text ::error::no\n::unknown::no\n:: error::no\n##[other]no").len(), 0);
    let command = commands("::notice file=a%3Ab%2Cc::50%25%0A").pop().expect("a command");
    assert_eq!(command.properties, [("file".to_owned(), "a:b,c".to_owned())]);
    assert_eq!(command.data, "50%\n");
}
