//! MariaDB, with a database for each test.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::guard::Guard;
use super::{as_user, folder_of, free_port, fresh, missing, program, root, run, wait_until};

/// A private instance.
pub struct Mariadb {
    /// Where it listens.
    pub port: u16,
    folder: PathBuf,
    server: PathBuf,
    guard: Guard,
}

/// A database of it.
pub struct Database {
    /// Where its server listens.
    pub port: u16,
    /// Its name.
    pub name: String,
}

impl Mariadb {
    /// Starts one, where it is installed.
    pub fn start() -> Option<Self> {
        let server = program("mariadbd", &["/usr/sbin"]);
        let (Some(server), Some(install)) = (server, program("mariadb-install-db", &[])) else {
            missing("mariadbd", "mariadb-server");
            return None;
        };
        let folder = folder_of("mysql");
        let mut words = vec![install.to_string_lossy().into_owned(), "--no-defaults".to_owned()];
        words.push(format!("--datadir={}", folder.join("data").display()));
        words.extend(["--auth-root-authentication-method=normal", "--skip-test-db"].map(str::to_owned));
        if root() {
            words.push("--user=mysql".to_owned());
        }
        run(&words);
        let (port, guard) = (0..3).find_map(|_| listen(&folder, &server, free_port())).expect("MariaDB");
        Some(Self { port, folder, server, guard })
    }

    /// Kills it as a crash would, and starts it again in its place.
    pub fn restart(&mut self) {
        self.guard.kill();
        let (_, guard) = listen(&self.folder, &self.server, self.port).expect("the same server");
        self.guard = guard;
    }

    /// An empty database.
    pub fn database(&self) -> Database {
        let name = fresh("test");
        let maintenance = Database { port: self.port, name: "mysql".to_owned() };
        maintenance.sql(&format!("create database {name}")).expect("a database");
        Database { port: self.port, name }
    }
}

fn listen(folder: &std::path::Path, server: &std::path::Path, port: u16) -> Option<(u16, Guard)> {
    let mut words = as_user("mysql", server);
    words.push("--no-defaults".to_owned());
    for (option, file) in [("datadir", "data"), ("socket", "sock"), ("pid-file", "pid")] {
        words.push(format!("--{option}={}", folder.join(file).display()));
    }
    // What a killed process wrote is kept by the system, so nothing has to reach the disk.
    let settings = ["bind-address=127.0.0.1", "innodb-buffer-pool-size=32M", "performance-schema=OFF"];
    let quick = ["innodb-flush-log-at-trx-commit=0", "skip-log-bin"];
    words.extend(settings.iter().chain(&quick).map(|setting| format!("--{setting}")));
    words.push(format!("--port={port}"));
    let guard = Guard::start(folder, "KILL", &words, &[]);
    let database = Database { port, name: "mysql".to_owned() };
    wait_until(|| !guard.alive() || database.sql("select 1").is_ok());
    guard.alive().then_some((port, guard))
}

impl Database {
    /// For a client.
    pub fn url(&self) -> String {
        format!("mysql://root@127.0.0.1:{}/{}", self.port, self.name)
    }

    /// Runs statements; the rows without headings, columns with tabs, or what the server complained about.
    pub fn sql(&self, statements: &str) -> Result<String, String> {
        use std::io::Write;
        let port = format!("--port={}", self.port);
        let mut child = Command::new("mariadb")
            .args(["--no-defaults", "--host=127.0.0.1", "--protocol=tcp", &port, "--user=root"])
            .args(["--batch", "--skip-column-names", "--default-character-set=utf8mb4", &self.name])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mariadb");
        let _ = child.stdin.take().expect("a pipe").write_all(statements.as_bytes());
        let output = child.wait_with_output().expect("an end");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }
}
