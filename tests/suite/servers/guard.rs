//! A server that ends with us, also when we are killed.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Its standard input is a pipe that we hold. The pipe ends when we do, whatever the reason; then it ends
/// the server with all its processes and removes the folder, unless the word `keep` came first.
const SCRIPT: &str = r#"
folder=$1 signal=$2
shift 2
setsid "$@" </dev/null >>"$folder/server.log" 2>&1 &
server=$!
echo $server
read -r word
kill -s "$signal" -- "-$server" 2>/dev/null
wait "$server" 2>/dev/null
[ "$word" = keep ] || rm -rf -- "$folder" || { sleep 1; rm -rf -- "$folder"; }
"#;

/// Watches over one server.
pub struct Guard {
    child: Child,
    folder: PathBuf,
    /// The process of the server, which leads its group.
    pub pid: u32,
}

impl Guard {
    /// Starts the program of `words`; `signal` ends it at once.
    pub fn start(folder: &Path, signal: &str, words: &[String], environment: &[(&str, String)]) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", SCRIPT, "guard"])
            .arg(folder)
            .arg(signal)
            .args(words)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // An interrupt from the keyboard is for the tests; the guard outlives them by a moment.
            .process_group(0)
            .spawn()
            .expect("sh");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let pid = line.trim().parse().expect("a process");
        Self { child, folder: folder.to_owned(), pid }
    }

    /// Whether the server still runs; one that has ended stays a zombie until the guard looks.
    pub fn alive(&self) -> bool {
        let state = Command::new("ps").args(["-o", "stat=", "-p", &self.pid.to_string()]).output();
        state.is_ok_and(|ps| !ps.stdout.is_empty() && ps.stdout.first() != Some(&b'Z'))
    }

    /// Kills the server and leaves its folder.
    pub fn kill(&mut self) {
        if let Some(mut pipe) = self.child.stdin.take() {
            let _ = pipe.write_all(b"keep\n");
        }
        let _ = self.child.wait();
    }

    /// What the server said.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("server.log")).unwrap_or_default()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
