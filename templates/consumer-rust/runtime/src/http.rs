//! Three pages for machines: `/healthz`, `/metrics` and `/status/{event_id}`.
//!
//! They answer GET and close the connection, which is all that a probe and a scraper need; a whole web
//! framework would be most of the program.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tracing::debug;

use crate::contract::Contract;
use crate::metrics::Metrics;
use crate::store::{Row, Store, StoreError};

/// A request line longer than this is not one of ours.
const LONGEST_LINE: u64 = 4096;
/// So long a client may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the pages show.
#[derive(Clone)]
pub struct Pages {
    contract: Contract,
    metrics: Arc<Metrics>,
    store: Arc<dyn Store>,
}

/// An answer: its status, its type and its text.
struct Answer(&'static str, &'static str, String);

const JSON: &str = "application/json";
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

impl Pages {
    /// Pages about a consumer.
    #[must_use]
    pub fn new(contract: Contract, metrics: Arc<Metrics>, store: Arc<dyn Store>) -> Self {
        Self {
            contract,
            metrics,
            store,
        }
    }

    async fn answer(&self, method: &str, path: &str) -> Answer {
        match (method, path) {
            ("GET", "/healthz") => self.health().await,
            ("GET", "/metrics") => Answer("200 OK", TEXT, self.metrics.text()),
            ("GET", _) => match path.strip_prefix("/status/") {
                Some(event_id) => self.status(&decoded(event_id)).await,
                None => Answer(
                    "404 Not Found",
                    JSON,
                    json!({"error": "no such page"}).to_string(),
                ),
            },
            _ => Answer(
                "405 Method Not Allowed",
                JSON,
                json!({"error": "only GET"}).to_string(),
            ),
        }
    }

    /// Well if the store answers; the broker is asked all the time anyway.
    async fn health(&self) -> Answer {
        let asked = async {
            let mut transaction = self.store.begin().await?;
            transaction.query("select 1", &[]).await?;
            transaction.rollback().await
        };
        match asked.await {
            Ok(()) => Answer("200 OK", JSON, json!({"status": "ok"}).to_string()),
            Err(error) => unavailable(&error),
        }
    }

    async fn status(&self, event_id: &str) -> Answer {
        match self.find(event_id).await {
            Ok(Some(row)) => {
                let page = json!({
                    "contract": self.contract.name,
                    "event_id": event_id,
                    "business_id": row.text(0),
                    "state": row.text(1),
                    "attempts": row.integer(2),
                    "failure_class": row.text(3),
                    "error": row.text(4),
                    "owner": row.text(5),
                    "next_retry_at_ms": row.integer(6),
                    "received_at_ms": row.integer(7),
                    "updated_at_ms": row.integer(8),
                });
                Answer("200 OK", JSON, page.to_string())
            }
            Ok(None) => Answer(
                "404 Not Found",
                JSON,
                json!({"error": "no such event"}).to_string(),
            ),
            Err(error) => unavailable(&error),
        }
    }

    async fn find(&self, event_id: &str) -> Result<Option<Row>, StoreError> {
        let mut transaction = self.store.begin().await?;
        let sql = format!(
            "select business_id, state, attempts, failure_class, error, owner, next_retry_at, \
             received_at, updated_at from {} where contract = ? and event_id = ?",
            transaction.dialect().name(self.contract.tables.status)
        );
        let rows = transaction
            .query(&sql, &[self.contract.name.into(), event_id.into()])
            .await?;
        transaction.rollback().await?;
        Ok(rows.into_iter().next())
    }
}

/// Answers until the process ends.
pub async fn serve(listener: TcpListener, pages: Pages) {
    loop {
        match listener.accept().await {
            Ok((client, _)) => {
                let pages = pages.clone();
                tokio::spawn(async move {
                    match tokio::time::timeout(PATIENCE, talk(client, &pages)).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => debug!(%error, "a client went away"),
                        Err(_) => debug!("a client took too long"),
                    }
                });
            }
            // Too many open files, for instance: it passes.
            Err(error) => {
                debug!(%error, "a client could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn talk(mut client: TcpStream, pages: &Pages) -> std::io::Result<()> {
    let mut reader = BufReader::new(&mut client).take(LONGEST_LINE);
    let mut line = String::new();
    reader.read_line(&mut line).await?;
    // The headers are read to their end, or the client would see its connection reset.
    let mut header = String::new();
    while reader.read_line(&mut header).await? > 2 {
        header.clear();
    }
    let mut words = line.split_whitespace();
    let (method, target) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let path = target.split('?').next().unwrap_or_default();
    let Answer(status, kind, text) = pages.answer(method, path).await;
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    client.write_all(head.as_bytes()).await?;
    client.write_all(text.as_bytes()).await?;
    client.shutdown().await
}

fn unavailable(error: &StoreError) -> Answer {
    Answer(
        "503 Service Unavailable",
        JSON,
        json!({"error": error.to_string()}).to_string(),
    )
}

/// A path without its percent signs.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let hex = |rest: &mut std::str::Bytes<'_>| {
            let digits = [rest.next()?, rest.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
        };
        bytes.push(if byte == b'%' {
            hex(&mut rest).unwrap_or(b'%')
        } else {
            byte
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
