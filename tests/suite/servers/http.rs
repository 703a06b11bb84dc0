//! As much HTTP as a management interface on loopback asks for.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The status; 0 where there was no answer.
    pub code: u16,
    /// The body.
    pub text: String,
}

impl Answer {
    /// The body as a value.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert!((200..300).contains(&self.code), "{self:?}");
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// One request. Version 1.0 has no chunks, and its end is the end of the connection.
pub fn request(port: u16, method: &str, path: &str, body: &str) -> Answer {
    ask(port, method, path, body).unwrap_or(Answer { code: 0, text: String::new() })
}

fn ask(port: u16, method: &str, path: &str, body: &str) -> Option<Answer> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(std::time::Duration::from_secs(60))).ok()?;
    let head = format!(
        "{method} {path} HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Basic Z3Vlc3Q6Z3Vlc3Q=\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let code = answer.split(' ').nth(1)?.parse().ok()?;
    let (_, text) = answer.split_once("\r\n\r\n")?;
    Some(Answer { code, text: text.to_owned() })
}

/// A name as a part of a path.
pub fn part(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
