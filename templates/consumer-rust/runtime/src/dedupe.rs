//! The table of keys: who claimed which business act, and what came of it.

use std::time::Duration;

use crate::contract::Contract;
use crate::store::{Dialect, Row, StoreError, Transaction, Value, insert_once};
use crate::tables::DEDUPE;
use crate::time::Millis;

/// An attempt to be the one who does it.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The contract.
    pub contract: &'a Contract,
    /// The business act.
    pub key: &'a str,
    /// The message that asks for it.
    pub event_id: &'a str,
    /// A name that no other attempt has.
    pub owner: &'a str,
    /// Until when the claim holds; `None` if it is to be done in the same transaction.
    pub lease: Option<Duration>,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// Nobody had it before.
    New,
    /// It was done before.
    Duplicate,
    /// Somebody has it, and may still be at work for so long.
    Held(Duration),
    /// Somebody had it and did not say what came of it; now it is ours.
    Abandoned,
}

impl Claim<'_> {
    /// Claims the key in `transaction`.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub async fn make(&self, transaction: &mut dyn Transaction) -> Result<Claimed, StoreError> {
        if self.insert(transaction).await? {
            return Ok(Claimed::New);
        }
        let Some(row) = self.read(transaction).await? else {
            // Its owner rolled back, or it expired, after we met it.
            return Err(StoreError::Busy("the key was freed just now".to_owned()));
        };
        let now = Millis::now();
        let expired = row.integer(2).is_some_and(|expires| expires <= now.0);
        let (done, lease_until) = (
            row.text(0) == Some("done"),
            Millis(row.integer(1).unwrap_or(0)),
        );
        if expired && (done || lease_until <= now) {
            self.delete(transaction).await?;
            let again = self.insert(transaction).await?;
            return Ok(if again {
                Claimed::New
            } else {
                Claimed::Held(Duration::ZERO)
            });
        }
        if done {
            return Ok(Claimed::Duplicate);
        }
        let left = lease_until.since(now);
        if !left.is_zero() {
            return Ok(Claimed::Held(left));
        }
        self.take_over(transaction, lease_until).await
    }

    /// Writes down that it was done. The key must still be ours, or whoever took it over would see its
    /// own row change: `false` then.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub async fn finish(
        &self,
        transaction: &mut dyn Transaction,
        result: &str,
    ) -> Result<bool, StoreError> {
        let sql = format!(
            "update {} set state = 'done', result = ?, lease_until = 0 \
             where contract = ? and dedupe_key = ? and owner = ? and state = 'in_flight'",
            self.table(transaction.dialect())
        );
        let values = [
            result.into(),
            self.contract.name.into(),
            self.key.into(),
            self.owner.into(),
        ];
        Ok(transaction.execute(&sql, &values).await? == 1)
    }

    /// Gives the key up without a result, so that the next attempt need not wait for the lease to end.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub async fn release(&self, transaction: &mut dyn Transaction) -> Result<(), StoreError> {
        self.lend(transaction, Millis(0)).await.map(|_| ())
    }

    /// Holds the key for `time` from now on; `false` if it is no longer ours.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub async fn extend(
        &self,
        transaction: &mut dyn Transaction,
        time: Duration,
    ) -> Result<bool, StoreError> {
        self.lend(transaction, Millis::now().plus(time)).await
    }

    async fn lend(
        &self,
        transaction: &mut dyn Transaction,
        until: Millis,
    ) -> Result<bool, StoreError> {
        let sql = format!(
            "update {} set lease_until = ? \
             where contract = ? and dedupe_key = ? and owner = ? and state = 'in_flight'",
            self.table(transaction.dialect())
        );
        let values = [
            until.0.into(),
            self.contract.name.into(),
            self.key.into(),
            self.owner.into(),
        ];
        Ok(transaction.execute(&sql, &values).await? == 1)
    }

    async fn insert(&self, transaction: &mut dyn Transaction) -> Result<bool, StoreError> {
        let now = Millis::now();
        let expires = self.contract.keep_keys.map(|keep| now.plus(keep).0);
        let values: [Value; 9] = [
            self.contract.name.into(),
            self.key.into(),
            if self.lease.is_some() {
                "in_flight"
            } else {
                "done"
            }
            .into(),
            Value::Null,
            self.event_id.into(),
            self.owner.into(),
            self.lease.map_or(0, |lease| now.plus(lease).0).into(),
            now.0.into(),
            expires.into(),
        ];
        insert_once(transaction, self.contract.tables.dedupe, DEDUPE, &values).await
    }

    async fn read(&self, transaction: &mut dyn Transaction) -> Result<Option<Row>, StoreError> {
        let dialect = transaction.dialect();
        // The others wait at this row until we are done with it.
        let lock = if dialect == Dialect::Sqlite {
            ""
        } else {
            " for update"
        };
        let sql = format!(
            "select state, lease_until, expires_at from {} where contract = ? and dedupe_key = ?{lock}",
            self.table(dialect)
        );
        let values = [self.contract.name.into(), self.key.into()];
        Ok(transaction.query(&sql, &values).await?.into_iter().next())
    }

    async fn delete(&self, transaction: &mut dyn Transaction) -> Result<u64, StoreError> {
        let table = self.table(transaction.dialect());
        let sql = format!("delete from {table} where contract = ? and dedupe_key = ?");
        transaction
            .execute(&sql, &[self.contract.name.into(), self.key.into()])
            .await
    }

    async fn take_over(
        &self,
        transaction: &mut dyn Transaction,
        lease_until: Millis,
    ) -> Result<Claimed, StoreError> {
        let lease = self.lease.unwrap_or_default();
        let sql = format!(
            "update {} set owner = ?, event_id = ?, lease_until = ? \
             where contract = ? and dedupe_key = ? and state = 'in_flight' and lease_until = ?",
            self.table(transaction.dialect())
        );
        let values = [
            self.owner.into(),
            self.event_id.into(),
            Millis::now().plus(lease).0.into(),
            self.contract.name.into(),
            self.key.into(),
            lease_until.0.into(),
        ];
        let ours = transaction.execute(&sql, &values).await? == 1;
        Ok(if ours {
            Claimed::Abandoned
        } else {
            Claimed::Held(lease)
        })
    }

    fn table(&self, dialect: Dialect) -> String {
        dialect.name(self.contract.tables.dedupe)
    }
}
