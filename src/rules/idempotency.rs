//! AK2xx: what makes an effect happen once.

mod bypassed_dedupe;
mod dedupe_apart_from_effect;
mod dedupe_on_audit;
mod dedupe_shorter_than_crashes;
mod dedupe_shorter_than_redrive;
mod dedupe_shorter_than_replay;
mod dedupe_shorter_than_resend;
mod dedupe_shorter_than_retries;
mod forgetful_dedupe_store;
mod growing_dedupe_table;
mod key_not_in_message;
mod key_outlived_by_effect;
mod key_swallows_retry;
mod missing_dedupe;
mod transport_id_as_key;
mod unfit_state_guard;
mod unreconciled_effect;
mod unstated_dedupe_ttl;
mod volatile_key;

use super::Rule;

pub(super) use key_not_in_message::is_missing;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &dedupe_shorter_than_retries::RULE,
    &dedupe_shorter_than_crashes::RULE,
    &dedupe_shorter_than_replay::RULE,
    &dedupe_shorter_than_redrive::RULE,
    &dedupe_shorter_than_resend::RULE,
    &missing_dedupe::RULE,
    &transport_id_as_key::RULE,
    &volatile_key::RULE,
    &key_not_in_message::RULE,
    &dedupe_apart_from_effect::RULE,
    &forgetful_dedupe_store::RULE,
    &unreconciled_effect::RULE,
    &unfit_state_guard::RULE,
    &dedupe_on_audit::RULE,
    &key_swallows_retry::RULE,
    &growing_dedupe_table::RULE,
    &unstated_dedupe_ttl::RULE,
    &key_outlived_by_effect::RULE,
    &bypassed_dedupe::RULE,
];
