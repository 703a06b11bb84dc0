//! The tables, for a database in a file that the consumer has for itself: the demonstration and the proofs.
//! A server's tables are made by the migrations.

use crate::contract::Contract;
use crate::store::{Store, StoreError};

/// Makes the runtime's tables where there are none.
///
/// # Errors
///
/// What the store says.
pub async fn tables(contract: &Contract, store: &dyn Store) -> Result<(), StoreError> {
    let name = |table| store.dialect().name(table);
    let dedupe = format!(
        "create table if not exists {} (
            contract text not null, dedupe_key text not null, state text not null, result text,
            event_id text not null, owner text not null, lease_until bigint not null,
            created_at bigint not null, expires_at bigint, primary key (contract, dedupe_key))",
        name(contract.tables.dedupe)
    );
    let status = format!(
        "create table if not exists {} (
            contract text not null, event_id text not null, business_id text, state text not null,
            attempts integer not null, failure_class text, error text, owner text not null,
            next_retry_at bigint, received_at bigint not null, updated_at bigint not null,
            primary key (contract, event_id))",
        name(contract.tables.status)
    );
    let mut transaction = store.begin().await?;
    for sql in [dedupe.as_str(), status.as_str()]
        .iter()
        .chain(contract.demo.tables)
    {
        transaction.execute(sql, &[]).await?;
    }
    transaction.commit().await
}
