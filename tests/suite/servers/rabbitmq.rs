//! RabbitMQ, with a virtual host for each test.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::guard::Guard;
use super::http::{Answer, part, request};
use super::{free_port, fresh, missing, wait_until};

/// The program itself: the one on the path changes the user and the home.
const SERVER: &str = "/usr/lib/rabbitmq/bin/rabbitmq-server";

/// The daemon that knows where nodes listen is started here, in the foreground: one that the server
/// starts would outlive it.
const BOTH: &str = r#"epmd & exec "$0" "#;

/// Nodes meet on loopback. A dead letter that found no room is tried again after a second, not after three
/// minutes.
const ADVANCED: &str = "[{kernel, [{inet_dist_use_interface, {127,0,0,1}}]},
 {rabbit, [{dead_letter_worker_publisher_confirm_timeout, 1000}]}].
";

/// A private instance.
pub struct Rabbitmq {
    /// Where clients connect.
    pub amqp: u16,
    /// Where its management listens.
    pub management: u16,
    folder: PathBuf,
    ports: [u16; 4],
    guard: Guard,
}

/// A virtual host of it.
pub struct Vhost {
    /// Where clients connect.
    pub amqp: u16,
    /// Where its management listens.
    pub management: u16,
    /// Its name.
    pub name: String,
}

impl Rabbitmq {
    /// Starts one, where it is installed.
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// Starts one that reads definitions before anybody can connect.
    pub fn start_with(definitions: Option<&str>) -> Option<Self> {
        if !Path::new(SERVER).is_file() {
            missing("rabbitmq-server", "rabbitmq-server");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("ackord-").tempdir().expect("a folder").keep();
        if let Some(text) = definitions {
            std::fs::write(folder.join("definitions.json"), text).expect("a file");
        }
        let tries = (0..3).find_map(|_| {
            let ports = [free_port(), free_port(), free_port(), free_port()];
            Some((ports, listen(&folder, ports)?))
        });
        let (ports, guard) = tries.expect("RabbitMQ");
        Some(Self { amqp: ports[0], management: ports[1], folder, ports, guard })
    }

    /// Kills it as a crash would, and starts it again in its place.
    pub fn restart(&mut self) {
        self.guard.kill();
        self.guard = listen(&self.folder, self.ports).expect("the same server");
    }

    /// An empty virtual host.
    pub fn vhost(&self) -> Vhost {
        let name = fresh("test");
        let vhost = self.named(&name);
        let path = format!("/api/vhosts/{name}");
        assert!(request(self.management, "PUT", &path, "{}").code < 300);
        let all = json!({"configure": ".*", "write": ".*", "read": ".*"}).to_string();
        let path = format!("/api/permissions/{name}/guest");
        assert!(request(self.management, "PUT", &path, &all).code < 300);
        vhost
    }

    /// A virtual host that is there already.
    pub fn named(&self, name: &str) -> Vhost {
        Vhost { amqp: self.amqp, management: self.management, name: name.to_owned() }
    }
}

fn listen(folder: &Path, ports: [u16; 4]) -> Option<Guard> {
    let [amqp, management, distribution, epmd] = ports;
    let mut settings = format!(
        "listeners.tcp.default = 127.0.0.1:{amqp}\nmanagement.tcp.ip = 127.0.0.1\n\
         management.tcp.port = {management}\nloopback_users = none\n\
         vm_memory_high_watermark.absolute = 512MB\ndisk_free_limit.absolute = 50MB\n"
    );
    let definitions = folder.join("definitions.json");
    if definitions.is_file() {
        let _ = writeln!(settings, "load_definitions = {}", definitions.display());
    }
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let inside = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let environment = [
        ("HOME", inside("")),
        ("RABBITMQ_NODENAME", format!("ackord{amqp}@localhost")),
        ("RABBITMQ_CONF_ENV_FILE", file("env.conf", "")),
        ("RABBITMQ_CONFIG_FILE", file("rabbitmq.conf", &settings)),
        ("RABBITMQ_ADVANCED_CONFIG_FILE", file("advanced.config", ADVANCED)),
        ("RABBITMQ_ENABLED_PLUGINS_FILE", file("enabled_plugins", "[rabbitmq_management].\n")),
        ("RABBITMQ_MNESIA_BASE", inside("mnesia")),
        ("RABBITMQ_LOG_BASE", inside("log")),
        ("RABBITMQ_PID_FILE", inside("pid")),
        ("RABBITMQ_DIST_PORT", distribution.to_string()),
        ("ERL_EPMD_PORT", epmd.to_string()),
        ("ERL_EPMD_ADDRESS", "127.0.0.1".to_owned()),
        // A machine with few cores has better things to do than to wait busily.
        ("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none".to_owned()),
    ];
    let words = ["sh", "-c", BOTH, SERVER].map(str::to_owned);
    let guard = Guard::start(folder, "KILL", &words, &environment);
    // Right after its start a broker answers before it lets anybody in.
    let ready = || request(management, "GET", "/api/overview", "").code == 200;
    wait_until(|| !guard.alive() || ready());
    if !guard.alive() {
        eprintln!("RabbitMQ did not start: {}", guard.log());
    }
    guard.alive().then_some(guard)
}

impl Vhost {
    /// For a client.
    pub fn url(&self) -> String {
        format!("amqp://guest:guest@127.0.0.1:{}/{}", self.amqp, part(&self.name))
    }

    /// One request about a kind of thing here, such as `queues`; `rest` begins with a slash.
    pub fn get(&self, kind: &str, rest: &str) -> Answer {
        request(self.management, "GET", &self.path(kind, rest), "")
    }

    /// One request that changes something.
    pub fn post(&self, kind: &str, rest: &str, body: &str) -> Answer {
        request(self.management, "POST", &self.path(kind, rest), body)
    }

    /// One request that makes something.
    pub fn put(&self, kind: &str, rest: &str, body: &str) -> Answer {
        request(self.management, "PUT", &self.path(kind, rest), body)
    }

    /// One request that removes something.
    pub fn delete(&self, kind: &str, rest: &str) -> Answer {
        request(self.management, "DELETE", &self.path(kind, rest), "")
    }

    fn path(&self, kind: &str, rest: &str) -> String {
        format!("/api/{kind}/{}{rest}", part(&self.name))
    }
}
