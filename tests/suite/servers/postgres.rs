//! PostgreSQL, with a database for each test.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::guard::Guard;
use super::{as_user, folder_of, free_port, fresh, missing, program, run, wait_until};

/// A private instance.
pub struct Postgres {
    /// Where it listens.
    pub port: u16,
    folder: PathBuf,
    server: PathBuf,
    setting: &'static str,
    guard: Guard,
}

/// A database of it.
pub struct Database {
    /// Where its server listens.
    pub port: u16,
    /// Its name.
    pub name: String,
}

/// Where the programs of the newest version are, which some systems keep off the path.
fn folder() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut bins: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    bins.sort();
    let found = bins.pop().filter(|bin| bin.join("initdb").is_file());
    found.or_else(|| program("initdb", &[])?.parent().map(PathBuf::from))
}

impl Postgres {
    /// Starts one, where it is installed. What a killed process wrote is kept by the system, so nothing has
    /// to reach the disk.
    pub fn start() -> Option<Self> {
        Self::start_with("fsync=off")
    }

    /// Starts one with a setting.
    pub fn start_with(setting: &'static str) -> Option<Self> {
        let Some(bin) = folder() else {
            missing("initdb", "postgresql");
            return None;
        };
        let folder = folder_of("postgres");
        let data = folder.join("data").to_string_lossy().into_owned();
        let mut words = as_user("postgres", &bin.join("initdb"));
        let options = ["-D", &data, "-U", "app", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
        words.extend(options.map(str::to_owned));
        run(&words);
        let server = bin.join("postgres");
        let (port, guard) =
            (0..3).find_map(|_| listen(&folder, &server, setting, free_port())).expect("PostgreSQL");
        Some(Self { port, folder, server, setting, guard })
    }

    /// Kills it as a crash would, and starts it again in its place.
    pub fn restart(&mut self) {
        self.guard.kill();
        let (_, guard) =
            listen(&self.folder, &self.server, self.setting, self.port).expect("the same server");
        self.guard = guard;
    }

    /// An empty database.
    pub fn database(&self) -> Database {
        let name = fresh("test");
        let maintenance = Database { port: self.port, name: "postgres".to_owned() };
        maintenance.sql(&format!("create database {name}")).expect("a database");
        Database { port: self.port, name }
    }
}

fn listen(
    folder: &std::path::Path,
    server: &std::path::Path,
    setting: &str,
    port: u16,
) -> Option<(u16, Guard)> {
    let mut words = as_user("postgres", server);
    words.extend(["-D".to_owned(), folder.join("data").to_string_lossy().into_owned()]);
    // A path of a socket must be short, and loopback is enough.
    let settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", setting];
    for setting in settings.map(str::to_owned).into_iter().chain([format!("port={port}")]) {
        words.extend(["-c".to_owned(), setting]);
    }
    let guard = Guard::start(folder, "QUIT", &words, &[]);
    let database = Database { port, name: "postgres".to_owned() };
    wait_until(|| !guard.alive() || database.sql("select 1").is_ok());
    guard.alive().then_some((port, guard))
}

impl Database {
    /// For a client.
    pub fn url(&self) -> String {
        format!("postgres://app@127.0.0.1:{}/{}", self.port, self.name)
    }

    /// Runs statements; the rows without headings, columns with `|`, or what the server complained about.
    pub fn sql(&self, statements: &str) -> Result<String, String> {
        use std::io::Write;
        let mut child = Command::new("psql")
            .args(["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-f", "-", &self.url()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("psql");
        let _ = child.stdin.take().expect("a pipe").write_all(statements.as_bytes());
        let output = child.wait_with_output().expect("an end");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }
}
