//! What removes rows that have expired.

use super::statements::{self, Expired};
use super::tables::{Role, Table};
use super::{Line, Source};
use crate::emit::Failure;
use crate::emit::shared::Names;
use crate::model::Ttl;
use crate::syntax::Scalar as _;
use crate::units::Duration;

/// What stands above the jobs.
pub(super) fn notes(source: &Source<'_>) -> Vec<String> {
    vec![
        format!(
            "Removes what has expired, at most {} rows of each table at a time, the oldest first.",
            source.constant("batch")
        ),
        "Run it from a scheduler each minute, and again at once as long as it removes that many. Each"
            .to_owned(),
        "statement is a transaction of its own; two runs at once do no harm.".to_owned(),
    ]
}

/// One statement for each table of which something expires.
pub(super) fn jobs(source: &Source<'_>, tables: &[Table]) -> Result<Vec<Line>, Failure> {
    let mut jobs = Vec::new();
    for table in tables {
        if let Some((why, rows)) = expired(source, table)? {
            let (batch, millis) = (source.constant("batch"), source.constant("millis"));
            jobs.push(Line::new(&why, statements::expire(source.dialect, table, &rows, batch, millis)));
        }
    }
    Ok(jobs)
}

/// Which rows of a table expire, in words and as a condition.
fn expired(source: &Source<'_>, table: &Table) -> Result<Option<(String, Expired)>, Failure> {
    let contract = source.contract();
    let own = |column: &str, text: &str| -> Result<Option<String>, Failure> {
        Ok(Some(format!("{} = {}", source.dialect.word(column), source.text(text)?)))
    };
    Ok(match table.role {
        Role::Dedupe => match contract.idempotency.ttl.get() {
            Some(Ttl::Forever) => None,
            Some(Ttl::Scalar(ttl)) => Some((
                format!("Keys, {ttl} after they were claimed: the consumer writes that time with each."),
                Expired { column: "expires_at", kept: None, also: None },
            )),
            None => Some((
                "Keys whose time is over: the consumer writes it with each.".to_owned(),
                Expired { column: "expires_at", kept: None, also: None },
            )),
        },
        Role::Status => {
            let kept = status_kept(source);
            let final_states =
                format!("{} in ('succeeded', 'dead', 'dropped', 'stale')", source.dialect.word("state"));
            let own = own("contract", contract.name())?.map(|own| format!("{own} and {final_states}"));
            Some((
                format!("Events that came to an end {kept} ago: none of them can come again."),
                Expired { column: "updated_at", kept: Some(kept.as_millis()), also: own },
            ))
        }
        Role::Watermark => None,
        Role::Outbox => match outbox_kept(source) {
            Some(kept) => Some((
                format!("Messages that were sent {kept} ago: no replay reaches further back."),
                Expired {
                    column: "sent_at",
                    kept: Some(kept.as_millis()),
                    also: own("queue", &Names::of(source.analysis).queue)?,
                },
            )),
            None => None,
        },
        Role::DeadLetters => match contract.dead_letter.retention.get() {
            Some(kept) => Some((
                format!("Dead letters that are {kept} old."),
                Expired {
                    column: "last_failure_at",
                    kept: Some(kept.as_millis()),
                    also: own("contract", contract.name())?,
                },
            )),
            None => None,
        },
    })
}

/// As long as anything in the contract can bring an event back.
fn status_kept(source: &Source<'_>) -> Duration {
    let contract = source.contract();
    let ttl = match contract.idempotency.ttl.get() {
        Some(Ttl::Scalar(ttl)) => Some(*ttl),
        Some(Ttl::Forever) | None => None,
    };
    let dead = contract.dead_letter.retention.get().copied();
    let replay = contract.replay.window.get().copied();
    let longest = [ttl, dead, replay].into_iter().flatten().max();
    longest.unwrap_or_else(|| Duration::parse(source.constant("status_keep")).unwrap_or_default())
}

fn outbox_kept(source: &Source<'_>) -> Option<Duration> {
    source.contract().producer.outbox.get()?.keep()
}
