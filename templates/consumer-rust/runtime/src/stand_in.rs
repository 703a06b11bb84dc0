//! What stands in for services outside in the demonstration and the proofs.
//!
//! It is the worst kind of service: whoever asks it twice gets two effects. It only remembers, so that it
//! can be asked afterwards.

use std::path::Path;
use std::sync::Arc;

use crate::failure::Error;
use crate::handler::Done;
use crate::store::sqlite::Sqlite;
use crate::store::{Store, Value};
use crate::time::Millis;

/// A service that remembers what it was asked to do.
#[derive(Debug, Clone)]
pub struct StandIn {
    store: Arc<Sqlite>,
    answer: &'static str,
}

impl StandIn {
    /// Opens its memory in `file`. It will answer with `answer`.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub async fn open(file: &Path, answer: &'static str) -> Result<Self, Error> {
        let store = Arc::new(Sqlite::open(file).await?);
        let mut transaction = store.begin().await?;
        let table = "create table if not exists effects (effect text not null, key text not null, at integer not null)";
        transaction.execute(table, &[]).await?;
        transaction.commit().await?;
        Ok(Self { store, answer })
    }

    /// Does it, each time that it is asked.
    ///
    /// # Errors
    ///
    /// If it cannot remember.
    pub async fn act(&self, effect: &str, key: &str) -> Result<Done, Error> {
        let mut transaction = self.store.begin().await?;
        let values = [effect.into(), key.into(), Value::Integer(Millis::now().0)];
        transaction
            .execute("insert into effects values (?, ?, ?)", &values)
            .await?;
        transaction.commit().await?;
        Ok(Done(self.answer.to_owned()))
    }

    /// What it did for `key`.
    ///
    /// # Errors
    ///
    /// If it cannot remember.
    pub async fn ask(&self, effect: &str, key: &str) -> Result<Option<Done>, Error> {
        let sql = "select count(*) from effects where effect = ? and key = ?";
        let times = self.count(sql, &[effect.into(), key.into()]).await?;
        Ok((times > 0).then(|| Done(self.answer.to_owned())))
    }

    /// How often it did something, whatever it was.
    ///
    /// # Errors
    ///
    /// If it cannot remember.
    pub async fn total(&self) -> Result<u64, Error> {
        self.count("select count(*) from effects", &[]).await
    }

    async fn count(&self, sql: &str, values: &[Value]) -> Result<u64, Error> {
        let mut transaction = self.store.begin().await?;
        let rows = transaction.query(sql, values).await?;
        transaction.rollback().await?;
        Ok(rows
            .first()
            .and_then(|row| row.integer(0))
            .unwrap_or(0)
            .unsigned_abs())
    }
}
