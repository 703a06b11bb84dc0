//! What all queues of this folder share: receive, parse, dedupe, act, settle, and be seen.
//!
//! A queue's own package brings its contract, its message and its handler; a [`broker::Broker`] and a
//! [`store::Store`] are found by the addresses in `BROKER_URL` and `STORE_URL`.

pub mod broker;
pub mod contract;
pub mod delivery;
pub mod store;
pub mod tables;
pub mod time;

pub use async_trait::async_trait;
