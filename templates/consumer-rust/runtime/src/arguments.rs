//! The command line of a consumer.

/// What somebody asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// To work on messages.
    Run,
    /// To see what a crash does to this consumer, and to two that are less careful.
    Demo {
        /// With the keys switched off, to see that the demonstration can fail.
        without_dedupe: bool,
    },
    /// One process of the demonstration; not for people.
    DemoWorker(Vec<String>),
    /// To read what can be asked for.
    Help,
}

/// What `--help` says.
pub const HELP: &str = "\
Works on the messages of one queue, as its contract says.

    run                     work on messages until SIGTERM (the default)
    demo                    500 messages and a SIGKILL at the worst moment, without any server
    demo --without-dedupe   the same with the keys switched off, which must fail

BROKER_URL    where messages come from, such as embedded:queue.db
STORE_URL     where keys and effects are, such as sqlite:store.db
HTTP_ADDR     where /healthz, /metrics and /status/{event_id} are served, such as 127.0.0.1:9000
LOG_LEVEL     error, warn, info (the default) or debug
";

/// Reads the arguments behind the program's name.
///
/// # Errors
///
/// What was not understood.
pub fn parse(arguments: &[String]) -> Result<Command, String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["run"] => Ok(Command::Run),
        ["demo"] => Ok(Command::Demo {
            without_dedupe: false,
        }),
        ["demo", "--without-dedupe"] => Ok(Command::Demo {
            without_dedupe: true,
        }),
        ["demo-worker", rest @ ..] => Ok(Command::DemoWorker(
            rest.iter().map(|word| (*word).to_owned()).collect(),
        )),
        ["--help" | "-h" | "help", ..] => Ok(Command::Help),
        [other, ..] => Err(format!(
            "`{other}` is not a command of this consumer; --help lists them"
        )),
    }
}
