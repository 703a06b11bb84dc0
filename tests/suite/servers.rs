//! Real servers for tests: private instances on free loopback ports, in folders of their own.
//!
//! One instance of each kind serves the whole test binary, and each test takes a database or a virtual
//! host of its own. A test that stops or restarts a server starts one for itself. All of them end with
//! the process that runs the tests, however it ends.
#![allow(dead_code, reason = "what a server can do is complete, whichever tests run")]

mod guard;
mod http;
mod mariadb;
mod postgres;
mod rabbitmq;

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub use mariadb::Mariadb;
pub use postgres::{Database, Postgres};
pub use rabbitmq::{Rabbitmq, Vhost};

/// The RabbitMQ of this run, where it is installed.
pub fn rabbitmq() -> Option<&'static Rabbitmq> {
    static SERVER: OnceLock<Option<Rabbitmq>> = OnceLock::new();
    SERVER.get_or_init(Rabbitmq::start).as_ref()
}

/// The PostgreSQL of this run, where it is installed.
pub fn postgres() -> Option<&'static Postgres> {
    static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
    SERVER.get_or_init(Postgres::start).as_ref()
}

/// The MariaDB of this run, where it is installed.
pub fn mariadb() -> Option<&'static Mariadb> {
    static SERVER: OnceLock<Option<Mariadb>> = OnceLock::new();
    SERVER.get_or_init(Mariadb::start).as_ref()
}

/// A server that is missing leaves something unproved, which must be heard; in CI it is a failure.
fn missing(program: &str, package: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{program} is missing: install {package}");
    // The macros would be captured, since the test passes.
    let words = format!("\nNOT TESTED: {program} is missing, so nothing ran against it; install {package}\n");
    let _ = std::io::stderr().write_all(words.as_bytes());
}

/// A port that nobody listens on. Somebody else may take it before its server does, so starts are tried
/// again.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A name that no other test of this run has.
fn fresh(word: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("{word}_{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Where a program is: on the path, or in a folder that the path leaves out.
fn program(name: &str, folders: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().map(PathBuf::from).chain(std::env::split_paths(&path));
    all.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Whether we are root, whom databases refuse.
fn root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n")
}

/// The program as the user `user`, where we are root.
fn as_user(user: &str, program: &Path) -> Vec<String> {
    let program = program.to_string_lossy().into_owned();
    if !root() {
        return vec![program];
    }
    let [id, group] = [format!("--reuid={user}"), format!("--regid={user}")];
    vec!["setpriv".to_owned(), id, group, "--clear-groups".to_owned(), program]
}

/// A folder of which `user` is the owner, where we are root.
fn folder_of(user: &str) -> PathBuf {
    let folder = tempfile::Builder::new().prefix("ackord-").tempdir().expect("a folder").keep();
    if root() {
        run(&["chown".to_owned(), format!("{user}:{user}"), folder.to_string_lossy().into_owned()]);
    }
    folder
}

/// Runs a program to its end.
fn run(words: &[String]) -> String {
    let output = Command::new(&words[0]).args(&words[1..]).output().expect("a process");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {}{error}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Asks until the answer is yes, or the server will never be ready.
fn wait_until(mut ready: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(120);
    while Instant::now() < end {
        if ready() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

#[test]
fn the_servers_of_a_run_can_be_reached() {
    if let Some(postgres) = postgres() {
        let database = postgres.database();
        assert_eq!(database.sql("select 6 * 7"), Ok("42\n".to_owned()));
        assert!(database.sql("select nothing").is_err());
    }
    if let Some(mariadb) = mariadb() {
        let database = mariadb.database();
        assert_eq!(database.sql("select 6 * 7"), Ok("42\n".to_owned()));
        assert!(database.sql("select nothing").is_err());
    }
    if let Some(rabbitmq) = rabbitmq() {
        let vhost = rabbitmq.vhost();
        assert_eq!(vhost.get("queues", "").code, 200);
        assert_eq!(vhost.get("queues", "/nothing").code, 404);
    }
}

/// A server that was killed comes back with what it had promised to keep.
#[test]
fn a_restarted_server_has_what_was_committed() {
    if let Some(mut postgres) = Postgres::start() {
        let database = postgres.database();
        database.sql("create table t (a int); insert into t values (7)").expect("a table");
        postgres.restart();
        assert_eq!(database.sql("select a from t"), Ok("7\n".to_owned()));
    }
}
