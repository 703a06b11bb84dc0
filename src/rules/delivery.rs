//! AK1xx: what is promised about each delivery.

use super::Rule;

mod abrupt_shutdown;
mod ack_before_effect;
mod batch_settled_as_one;
mod exactly_once_delivery;
mod exactly_once_in_prose;
mod guarantee_unfit_for_flow;
mod publish_without_outbox;
mod unconfirmed_publish;
mod unstated_loss;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &exactly_once_delivery::RULE,
    &exactly_once_in_prose::RULE,
    &guarantee_unfit_for_flow::RULE,
    &unstated_loss::RULE,
    &ack_before_effect::RULE,
    &unconfirmed_publish::RULE,
    &publish_without_outbox::RULE,
    &batch_settled_as_one::RULE,
    &abrupt_shutdown::RULE,
];
