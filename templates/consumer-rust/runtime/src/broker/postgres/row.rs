//! Rows, names and errors of the database, as the broker needs them.

use std::time::Instant;

use sqlx::Row as _;
use sqlx::error::DatabaseError;
use sqlx::postgres::PgRow;

use crate::broker::BrokerError;
use crate::delivery::{Delivery, Headers, Place, Receipt, header};

/// The delivery that a row stands for.
pub(super) fn delivery(
    row: &PgRow,
    from: Place,
    token: &str,
    received_at: Instant,
) -> Result<Delivery, sqlx::Error> {
    let id: i64 = row.try_get("id")?;
    let before: i32 = row.try_get("before")?;
    let headers: String = row.try_get("headers")?;
    let mut headers: Headers = serde_json::from_str(&headers).unwrap_or_default();
    let published_at: i64 = row.try_get("published_at")?;
    headers
        .entry(header::PUBLISHED_AT.to_owned())
        .or_insert_with(|| published_at.to_string());
    Ok(Delivery {
        id: row.try_get("message_id")?,
        body: row.try_get("body")?,
        headers,
        handed_out_before: before.unsigned_abs(),
        received_at,
        locked_until: None,
        from,
        receipt: Receipt {
            tag: id.unsigned_abs(),
            token: token.to_owned(),
        },
    })
}

/// A table's name, quoted; a dot is only a dot.
pub(super) fn name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

pub(super) fn json(headers: &Headers) -> String {
    serde_json::to_string(headers).unwrap_or_else(|_| "{}".to_owned())
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what `map_err` hands over"
)]
pub(super) fn failed(error: sqlx::Error) -> BrokerError {
    let text = error.to_string();
    let code = error.as_database_error().and_then(DatabaseError::code);
    // Classes of errors that pass: connections, conflicts, resources, an operator at work.
    let passes = |code: &str| {
        ["08", "25", "40", "53", "55", "57", "58"]
            .iter()
            .any(|class| code.starts_with(class))
    };
    match (code, &error) {
        (Some(code), _) if !passes(&code) => BrokerError::Refused(text),
        (
            None,
            sqlx::Error::Configuration(_)
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnNotFound(_),
        ) => BrokerError::Refused(text),
        _ => BrokerError::Unavailable(text),
    }
}
