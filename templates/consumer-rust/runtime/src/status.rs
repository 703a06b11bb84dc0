//! Where each event is: what `/status/{event_id}` shows.

use crate::contract::Contract;
use crate::intake::Names;
use crate::store::{StoreError, Transaction, Value, insert_once};
use crate::tables::{STATUS, State};
use crate::time::Millis;

/// A change of an event's state.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    /// The contract.
    pub contract: &'a Contract,
    /// What the event is called.
    pub names: &'a Names,
    /// Where it is now.
    pub state: State,
    /// Attempts so far.
    pub attempts: u32,
    /// The class and the words of the last failure.
    pub failure: Option<(&'a str, &'a str)>,
    /// Who had it.
    pub owner: &'a str,
    /// When it is tried again.
    pub next_retry_at: Option<Millis>,
}

impl Change<'_> {
    /// Writes the change.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub async fn write(&self, transaction: &mut dyn Transaction) -> Result<(), StoreError> {
        let now = Millis::now();
        let (class, error) = self.failure.unzip();
        let said: [Value; 7] = [
            self.state.word().into(),
            self.attempts.into(),
            class.into(),
            error.into(),
            self.owner.into(),
            self.next_retry_at.map(|at| at.0).into(),
            now.0.into(),
        ];
        let table = transaction.dialect().name(self.contract.tables.status);
        let update = format!(
            "update {table} set state = ?, attempts = ?, failure_class = ?, error = ?, owner = ?, \
             next_retry_at = ?, updated_at = ? where contract = ? and event_id = ?"
        );
        let mut values = said.to_vec();
        values.extend([self.contract.name.into(), Value::from(&self.names.event_id)]);
        if transaction.execute(&update, &values).await? > 0 {
            return Ok(());
        }
        let [state, attempts, class, error, owner, retry, now] = said;
        let (contract, event_id) = (self.contract.name.into(), Value::from(&self.names.event_id));
        let business_id = self.names.business_id.as_ref().into();
        let first_seen = now.clone();
        let values = [
            contract,
            event_id,
            business_id,
            state,
            attempts,
            class,
            error,
            owner,
            retry,
            first_seen,
            now,
        ];
        insert_once(transaction, self.contract.tables.status, STATUS, &values)
            .await
            .map(|_| ())
    }
}
