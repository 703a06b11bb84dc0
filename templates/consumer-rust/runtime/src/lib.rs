//! What all queues of this folder share: receive, parse, dedupe, act, settle, and be seen.
//!
//! A queue's own package brings its contract, its message and its handler; a [`broker::Broker`] and a
//! [`store::Store`] are found by the addresses in `BROKER_URL` and `STORE_URL`.

pub mod act;
pub mod arguments;
pub mod backoff;
pub mod broker;
pub mod connect;
pub mod contract;
pub mod dedupe;
pub mod delivery;
pub mod demo;
pub mod failure;
pub mod handler;
pub mod http;
pub mod intake;
pub mod metrics;
pub mod program;
pub mod random;
pub mod settle;
pub mod setup;
pub mod stand_in;
pub mod startup;
pub mod status;
pub mod steps;
pub mod store;
pub mod tables;
pub mod time;
pub mod worker;

pub use async_trait::async_trait;
