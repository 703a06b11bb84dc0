//! Texts that want to crash, stall or deceive: through the real binary, each with a limit of time and
//! of memory, and in the process in every format.

mod arbitrary;
mod finds;
mod folders;
mod shapes;
pub mod texts;

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::withstand::tame;

/// The budget of one text is 2 s and 256 MiB in a release build on an idle machine. A test build on a busy
/// one gets ten times as much before it is stopped.
const SECONDS: u64 = 20;
const KIBIBYTES: u64 = 10 * 256 * 1024;

/// What a run came to.
pub struct Outcome {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Outcome {
    /// Asserts what holds for every run: it ended by itself with a code of ours and tamed its words.
    #[track_caller]
    pub fn held(self, what: &str, commands: usize) -> Self {
        let code = self.code;
        assert!(matches!(code, Some(0..=2)), "{what}: ended with {code:?}\n{:.2000}", self.err);
        assert!(!self.err.contains("has a bug"), "{what}: {:.2000}", self.err);
        tame(&self.out, commands);
        tame(&self.err, 0);
        self
    }

    /// Asserts that there is a finding and nothing went wrong beside it.
    #[track_caller]
    pub fn found(self, what: &str) -> Self {
        assert_eq!(self.code, Some(1), "{what}: {:.2000}{:.2000}", self.out, self.err);
        self
    }
}

/// Runs the binary in `folder`, under the limits.
pub fn ackord(folder: &Path, arguments: &[&str], input: &[u8]) -> Outcome {
    let mut command = limited(env!("CARGO_BIN_EXE_ackord"));
    command.args(arguments).current_dir(folder);
    for name in ["ACKORD_OUTPUT_FORMAT", "SOURCE_DATE_EPOCH", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    let (mut to, out, err) =
        (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (out, err) = (drain(out), drain(err));
    // A run that refuses its arguments does not wait for its input.
    let _ = to.write_all(input);
    drop(to);
    let status = wait(&mut child, &format!("{arguments:?}"));
    Outcome { code: status.code(), out: out.join().unwrap(), err: err.join().unwrap() }
}

/// The command behind a shell that bounds its memory, where there is such a shell.
#[cfg(unix)]
fn limited(program: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {KIBIBYTES} && exec \"$0\" \"$@\""), program]);
    command
}

#[cfg(not(unix))]
fn limited(program: &str) -> Command {
    eprintln!("NOT TESTED: nothing bounds the memory of {program} to {KIBIBYTES} KiB on this system");
    Command::new(program)
}

fn drain(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("a stream");
        String::from_utf8(bytes).expect("UTF-8 on both streams")
    })
}

fn wait(child: &mut Child, what: &str) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a process") {
            return status;
        }
        if started.elapsed() > Duration::from_secs(SECONDS) {
            child.kill().expect("a process");
            panic!("{what}: no end after {SECONDS} s");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
