//! A table of `PostgreSQL` as a queue, as the generated `topology` makes it.
//!
//! A message is a row. Whoever receives it writes a token into the row and the end of its lock into
//! `visible_at`, and settles only what still has that token; so a lost lock is noticed by the statement that
//! settles. Consumers do not wait for each other, because they skip what another one is about to take. All
//! times are the server's, so the clocks of hosts do not matter.

mod row;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Row as _};

use super::{Broker, BrokerError, Depth, Effective, Reading};
use crate::contract::Contract;
use crate::delivery::{Delivery, Headers, Outgoing, Place};
use crate::random;
use crate::time::in_millis;
use row::{delivery, failed, json, name};

/// So long a connection may take to be there.
const CONNECT: Duration = Duration::from_secs(5);

/// A table cannot wake anybody, so it is asked again and again: soon at first, then less often.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(100));

/// A queue in a table.
#[derive(Debug)]
pub struct Postgres {
    pool: PgPool,
    queue: String,
    dead_letters: Option<String>,
    lock: Duration,
}

impl Postgres {
    /// Opens the queue of `contract` in the database at `url`. Nothing is connected before the first call.
    ///
    /// # Errors
    ///
    /// If `url` is no address.
    pub fn open(url: &str, contract: &Contract) -> Result<Self, BrokerError> {
        // One for each hand, and one for whatever else is asked.
        let connections = u32::try_from(contract.processing.concurrency).unwrap_or(u32::MAX);
        let options = PgPoolOptions::new()
            .max_connections(connections.saturating_add(1))
            .acquire_timeout(CONNECT);
        Ok(Self {
            pool: options.connect_lazy(url).map_err(failed)?,
            queue: name(contract.queue),
            dead_letters: contract.dead_letter_queue.map(name),
            lock: contract.processing.lock,
        })
    }

    fn table(&self, place: Place) -> Result<&str, BrokerError> {
        match place {
            Place::Work => Ok(&self.queue),
            Place::DeadLetters => self
                .dead_letters
                .as_deref()
                .ok_or_else(|| BrokerError::Refused("the contract has no dead letters".to_owned())),
        }
    }

    /// Takes what is there now.
    async fn take(&self, from: Place, most: usize) -> Result<Vec<Delivery>, BrokerError> {
        let table = self.table(from)?;
        // The rows are chosen once, and locked, before any is changed.
        let sql = format!(
            "with next as materialized (
                select id from {table} where visible_at <= clock_timestamp()
                order by visible_at, id limit $1 for update skip locked)
            update {table} as message set token = $2, handed_out = handed_out + 1,
                visible_at = clock_timestamp() + $3 * interval '1 millisecond'
            from next where message.id = next.id
            returning message.id, message_id, body, headers::text as headers, handed_out - 1 as before,
                (extract(epoch from published_at) * 1000)::bigint as published_at"
        );
        let token = random::name();
        let received_at = Instant::now();
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(i64::try_from(most).unwrap_or(i64::MAX))
            .bind(&token)
            .bind(in_millis(self.lock));
        let rows = rows.fetch_all(&self.pool).await.map_err(failed)?;
        let mut deliveries = Vec::with_capacity(rows.len());
        for row in &rows {
            let mut delivery = delivery(row, from, &token, received_at).map_err(failed)?;
            delivery.locked_until = Some(received_at + self.lock);
            deliveries.push(delivery);
        }
        // The statement may return its rows in any order.
        deliveries.sort_by_key(|delivery| delivery.receipt.tag);
        Ok(deliveries)
    }

    /// Runs a statement on the row that a delivery holds: `$1` is its id and `$2` its token.
    async fn settle(
        &self,
        delivery: &Delivery,
        sql: String,
        time: Option<Duration>,
        headers: Option<&Headers>,
    ) -> Result<(), BrokerError> {
        let id = i64::try_from(delivery.receipt.tag).unwrap_or(i64::MAX);
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(id)
            .bind(&delivery.receipt.token);
        if let Some(time) = time {
            query = query.bind(in_millis(time));
        }
        if let Some(headers) = headers {
            query = query.bind(json(headers));
        }
        let done = query.execute(&self.pool).await.map_err(failed)?;
        if done.rows_affected() == 0 {
            return Err(BrokerError::LockLost);
        }
        Ok(())
    }
}

/// The row of a delivery, as long as it is held.
const HELD: &str = "where id = $1 and token = $2";

#[async_trait]
impl Broker for Postgres {
    fn kind(&self) -> &'static str {
        "postgres"
    }

    async fn effective(&self) -> Result<Effective, BrokerError> {
        // What a restart keeps: a table that is logged, and commits that wait for the disk.
        let sql = "select relpersistence = 'p' and current_setting('fsync') = 'on'
                and current_setting('synchronous_commit') <> 'off' from pg_class where oid = to_regclass($1)";
        let durable: Option<bool> = sqlx::query_scalar(sql)
            .bind(&self.queue)
            .fetch_optional(&self.pool)
            .await
            .map_err(failed)?;
        let durable = durable.ok_or_else(|| {
            BrokerError::Refused(format!(
                "there is no table {}; see the topology",
                self.queue
            ))
        })?;
        let dead_letter_queue = match &self.dead_letters {
            None => Reading::Unset,
            Some(table) => {
                let found: Option<String> = sqlx::query_scalar("select to_regclass($1)::text")
                    .bind(table)
                    .fetch_one(&self.pool)
                    .await
                    .map_err(failed)?;
                found.map_or(Reading::Unset, |_| {
                    Reading::Is(table.trim_matches('"').to_owned())
                })
            }
        };
        // Limits are kept by the runtime, and the lock is what each statement writes.
        Ok(Effective {
            delivery_limit: Reading::NotNeeded,
            dead_letter_queue,
            lock: Reading::NotNeeded,
            retention: Reading::NotNeeded,
            durable: Reading::Is(durable),
        })
    }

    async fn receive(
        &self,
        from: Place,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, BrokerError> {
        let until = Instant::now() + wait;
        let (mut pause, longest) = PAUSES;
        loop {
            let deliveries = self.take(from, most).await?;
            let left = until.saturating_duration_since(Instant::now());
            if !deliveries.is_empty() || left.is_zero() {
                return Ok(deliveries);
            }
            tokio::time::sleep(pause.min(left)).await;
            pause = (pause * 2).min(longest);
        }
    }

    async fn ack(&self, delivery: &Delivery) -> Result<(), BrokerError> {
        let table = self.table(delivery.from)?;
        self.settle(delivery, format!("delete from {table} {HELD}"), None, None)
            .await
    }

    async fn retry(
        &self,
        delivery: &Delivery,
        delay: Duration,
        headers: Headers,
    ) -> Result<(), BrokerError> {
        let sql = format!(
            "update {} set token = null, handed_out = 0, headers = $4::jsonb,
                visible_at = clock_timestamp() + $3 * interval '1 millisecond' {HELD}",
            self.table(delivery.from)?
        );
        self.settle(delivery, sql, Some(delay), Some(&headers))
            .await
    }

    async fn dead_letter(&self, delivery: &Delivery, headers: Headers) -> Result<(), BrokerError> {
        // One statement: the letter is there if and only if the message is gone.
        let sql = format!(
            "with gone as (delete from {} {HELD} returning message_id, body, order_key, published_at)
            insert into {} (message_id, body, order_key, published_at, headers)
            select message_id, body, order_key, published_at, $3::jsonb from gone",
            self.table(delivery.from)?,
            self.table(Place::DeadLetters)?
        );
        self.settle(delivery, sql, None, Some(&headers)).await
    }

    async fn give_back(&self, delivery: &Delivery) -> Result<(), BrokerError> {
        let sql = format!(
            "update {} set token = null, handed_out = handed_out - 1, visible_at = clock_timestamp() {HELD}",
            self.table(delivery.from)?
        );
        self.settle(delivery, sql, None, None).await
    }

    async fn extend(&self, delivery: &Delivery, time: Duration) -> Result<(), BrokerError> {
        let sql = format!(
            "update {} set visible_at = clock_timestamp() + $3 * interval '1 millisecond' {HELD}",
            self.table(delivery.from)?
        );
        self.settle(delivery, sql, Some(time), None).await
    }

    async fn publish(&self, to: Place, message: &Outgoing) -> Result<(), BrokerError> {
        let sql = format!(
            "insert into {} (message_id, body, headers, order_key) values ($1, $2, $3::jsonb, $4)",
            self.table(to)?
        );
        let insert = sqlx::query(AssertSqlSafe(sql))
            .bind(&message.id)
            .bind(&message.body)
            .bind(json(&message.headers))
            .bind(&message.order_key);
        insert.execute(&self.pool).await.map(drop).map_err(failed)
    }

    async fn depth(&self) -> Result<Depth, BrokerError> {
        let dead = match &self.dead_letters {
            Some(table) => format!("(select count(*) from {table})"),
            None => "0::bigint".to_owned(),
        };
        // One statement is one moment.
        let sql = format!(
            "select count(*) filter (where visible_at <= clock_timestamp()),
                count(*) filter (where visible_at > clock_timestamp() and token is not null),
                count(*) filter (where visible_at > clock_timestamp() and token is null), {dead} from {}",
            self.queue
        );
        let row = sqlx::query(AssertSqlSafe(sql)).fetch_one(&self.pool);
        let row = row.await.map_err(failed)?;
        let count = |column: usize| row.try_get(column).map(i64::unsigned_abs).map_err(failed);
        Ok(Depth {
            ready: count(0)?,
            in_flight: count(1)?,
            delayed: count(2)?,
            dead: count(3)?,
            published: None,
            delivered: None,
        })
    }

    async fn ids(&self) -> Result<Option<Vec<String>>, BrokerError> {
        let dead = self.dead_letters.iter();
        let dead = dead.map(|table| format!(" union all select message_id from {table}"));
        let sql = format!(
            "select message_id from {}{}",
            self.queue,
            dead.collect::<String>()
        );
        let ids = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&self.pool);
        ids.await.map(Some).map_err(failed)
    }

    async fn close(&self) -> Result<(), BrokerError> {
        self.pool.close().await;
        Ok(())
    }
}
