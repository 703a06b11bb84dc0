//! A queue in a file: for the demonstration, for tests, and where one host is enough.
//!
//! Several processes may share it. A message is a row; whoever receives it writes a token and the end of
//! its lock into the row, and settles only what still has that token.

use std::path::Path;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sqlx::SqlitePool;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::{Broker, BrokerError, Depth, Effective, Reading};
use crate::delivery::{Delivery, Headers, Outgoing, Place, Receipt};
use crate::random;
use crate::store::sqlite;
use crate::time::Millis;

/// The tables of the queue; `counts` remembers what `messages` forgets.
const TABLES: &str = "
    create table if not exists messages (
        id integer primary key autoincrement,
        place text not null,
        message_id text not null,
        body blob not null,
        headers text not null,
        available_at integer not null,
        locked_until integer not null default 0,
        token text not null default '',
        handed_out integer not null default 0
    );
    create index if not exists messages_by_place on messages (place, id);
    create table if not exists counts (name text primary key, value integer not null);
    insert or ignore into counts values ('published', 0), ('delivered', 0);
";

/// The next messages that nobody holds.
const NEXT: &str = "
    select id, message_id, body, headers, handed_out from messages
    where place = ? and available_at <= ? and locked_until <= ? order by id limit ?";

/// A queue in a file.
#[derive(Debug)]
pub struct Embedded {
    pool: SqlitePool,
    lock: Duration,
}

impl Embedded {
    /// Opens the queue in `file`, and makes it where there is none. A delivery is held for `lock`.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or is no queue.
    pub async fn open(file: &Path, lock: Duration) -> Result<Self, BrokerError> {
        let pool = sqlite::pool(file).await.map_err(failed)?;
        sqlx::raw_sql(TABLES).execute(&pool).await.map_err(failed)?;
        Ok(Self { pool, lock })
    }

    /// Takes what is there now.
    async fn take(&self, from: Place, most: usize) -> Result<Vec<Delivery>, BrokerError> {
        let now = Millis::now();
        let mut transaction = self
            .pool
            .begin_with("begin immediate")
            .await
            .map_err(failed)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = sqlx::query(NEXT)
            .bind(place(from))
            .bind(now.0)
            .bind(now.0)
            .bind(most);
        let rows = rows.fetch_all(&mut *transaction).await.map_err(failed)?;
        let mut deliveries = Vec::with_capacity(rows.len());
        for row in &rows {
            let delivery = self.delivery(row, from).map_err(failed)?;
            let lock = "update messages set locked_until = ?, token = ?, handed_out = handed_out + 1 where id = ?";
            let lock = sqlx::query(lock)
                .bind(now.plus(self.lock).0)
                .bind(&delivery.receipt.token);
            lock.bind(row_id(&delivery))
                .execute(&mut *transaction)
                .await
                .map_err(failed)?;
            deliveries.push(delivery);
        }
        let count = "update counts set value = value + ? where name = 'delivered'";
        let count = sqlx::query(count).bind(i64::try_from(deliveries.len()).unwrap_or(i64::MAX));
        count.execute(&mut *transaction).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(deliveries)
    }

    fn delivery(&self, row: &SqliteRow, from: Place) -> Result<Delivery, sqlx::Error> {
        let (id, handed_out): (i64, i64) = (row.try_get("id")?, row.try_get("handed_out")?);
        let headers: String = row.try_get("headers")?;
        let received_at = Instant::now();
        Ok(Delivery {
            id: row.try_get("message_id")?,
            body: row.try_get("body")?,
            headers: serde_json::from_str(&headers).unwrap_or_default(),
            handed_out_before: u32::try_from(handed_out).unwrap_or(u32::MAX),
            received_at,
            locked_until: Some(received_at + self.lock),
            from,
            receipt: Receipt {
                tag: id.unsigned_abs(),
                token: random::name(),
            },
        })
    }

    /// Changes the row of a delivery that is still ours.
    async fn settle(&self, delivery: &Delivery, change: Change) -> Result<(), BrokerError> {
        let now = Millis::now();
        let free = "locked_until = 0, token = ''";
        let (sql, headers, at) = match change {
            Change::Delete => ("delete from messages".to_owned(), None, None),
            Change::Retry(delay, headers) => {
                let set = format!(
                    "update messages set headers = ?, available_at = ?, handed_out = 0, {free}"
                );
                (set, Some(headers), Some(now.plus(delay).0))
            }
            Change::Bury(headers) => {
                let set = format!(
                    "update messages set headers = ?, place = 'dead', handed_out = 0, {free}"
                );
                (set, Some(headers), None)
            }
            Change::Return => (
                format!("update messages set handed_out = handed_out - 1, {free}"),
                None,
                None,
            ),
            Change::Extend(time) => (
                "update messages set locked_until = ?".to_owned(),
                None,
                Some(now.plus(time).0),
            ),
        };
        let sql = format!("{sql} where id = ? and token = ?");
        let mut query = sqlx::query(AssertSqlSafe(sql));
        if let Some(headers) = headers {
            query = query.bind(json(&headers));
        }
        if let Some(at) = at {
            query = query.bind(at);
        }
        let query = query.bind(row_id(delivery)).bind(&delivery.receipt.token);
        let changed = query.execute(&self.pool).await.map_err(failed)?;
        if changed.rows_affected() == 0 {
            Err(BrokerError::LockLost)
        } else {
            Ok(())
        }
    }

    async fn count(&self, sql: &'static str, now: Millis) -> Result<u64, BrokerError> {
        let count: i64 = sqlx::query_scalar(sql)
            .bind(now.0)
            .fetch_one(&self.pool)
            .await
            .map_err(failed)?;
        Ok(count.unsigned_abs())
    }
}

/// What settling does to a row.
enum Change {
    Delete,
    Retry(Duration, Headers),
    Bury(Headers),
    Return,
    Extend(Duration),
}

#[async_trait]
impl Broker for Embedded {
    fn kind(&self) -> &'static str {
        "embedded"
    }

    async fn effective(&self) -> Result<Effective, BrokerError> {
        // It has no settings of its own: limits are kept by the runtime, and the lock is what it is
        // opened with.
        Ok(Effective {
            delivery_limit: Reading::NotNeeded,
            dead_letter_queue: Reading::NotNeeded,
            lock: Reading::NotNeeded,
            retention: Reading::NotNeeded,
            durable: Reading::Is(true),
        })
    }

    async fn receive(
        &self,
        from: Place,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, BrokerError> {
        // A file cannot wake anybody, so it is asked again and again.
        const PAUSE: Duration = Duration::from_millis(10);
        let until = Instant::now() + wait;
        loop {
            let deliveries = self.take(from, most).await?;
            if !deliveries.is_empty() || Instant::now() >= until {
                return Ok(deliveries);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn ack(&self, delivery: &Delivery) -> Result<(), BrokerError> {
        self.settle(delivery, Change::Delete).await
    }

    async fn retry(
        &self,
        delivery: &Delivery,
        delay: Duration,
        headers: Headers,
    ) -> Result<(), BrokerError> {
        self.settle(delivery, Change::Retry(delay, headers)).await
    }

    async fn dead_letter(&self, delivery: &Delivery, headers: Headers) -> Result<(), BrokerError> {
        self.settle(delivery, Change::Bury(headers)).await
    }

    async fn give_back(&self, delivery: &Delivery) -> Result<(), BrokerError> {
        self.settle(delivery, Change::Return).await
    }

    async fn extend(&self, delivery: &Delivery, time: Duration) -> Result<(), BrokerError> {
        self.settle(delivery, Change::Extend(time)).await
    }

    async fn publish(&self, to: Place, message: &Outgoing) -> Result<(), BrokerError> {
        let mut transaction = self
            .pool
            .begin_with("begin immediate")
            .await
            .map_err(failed)?;
        let insert = "insert into messages (place, message_id, body, headers, available_at) values (?, ?, ?, ?, ?)";
        let insert = sqlx::query(insert)
            .bind(place(to))
            .bind(&message.id)
            .bind(&message.body);
        let insert = insert.bind(json(&message.headers)).bind(Millis::now().0);
        insert.execute(&mut *transaction).await.map_err(failed)?;
        let count = sqlx::query("update counts set value = value + 1 where name = 'published'");
        count.execute(&mut *transaction).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)
    }

    async fn depth(&self) -> Result<Depth, BrokerError> {
        let now = Millis::now();
        let ready = "select count(*) from messages where place = 'work' and locked_until <= ?1 and available_at <= ?1";
        let held = "select count(*) from messages where place = 'work' and locked_until > ?1";
        let later = "select count(*) from messages where place = 'work' and available_at > ?1";
        let dead = "select count(*) from messages where place = 'dead' and ?1 > 0";
        let published = "select value from counts where name = 'published' and ?1 > 0";
        let delivered = "select value from counts where name = 'delivered' and ?1 > 0";
        Ok(Depth {
            ready: self.count(ready, now).await?,
            in_flight: self.count(held, now).await?,
            delayed: self.count(later, now).await?,
            dead: self.count(dead, now).await?,
            published: Some(self.count(published, now).await?),
            delivered: Some(self.count(delivered, now).await?),
        })
    }

    async fn ids(&self) -> Result<Option<Vec<String>>, BrokerError> {
        let ids = sqlx::query_scalar("select message_id from messages order by id");
        ids.fetch_all(&self.pool).await.map(Some).map_err(failed)
    }

    async fn close(&self) -> Result<(), BrokerError> {
        self.pool.close().await;
        Ok(())
    }
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Work => "work",
        Place::DeadLetters => "dead",
    }
}

fn row_id(delivery: &Delivery) -> i64 {
    i64::try_from(delivery.receipt.tag).unwrap_or(i64::MAX)
}

fn json(headers: &Headers) -> String {
    serde_json::to_string(headers).unwrap_or_else(|_| "{}".to_owned())
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what `map_err` hands over"
)]
fn failed(error: sqlx::Error) -> BrokerError {
    match error {
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnNotFound(_) => {
            BrokerError::Refused(error.to_string())
        }
        _ => BrokerError::Unavailable(error.to_string()),
    }
}
