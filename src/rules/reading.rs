//! AK0xx: whether a contract can be read, and what it must say at all.

use super::Rule;

mod broken_yaml;
mod contradictory_fields;
mod duplicate_key;
mod expired_suppression;
mod hostile_input;
pub mod incomplete_contract;
mod missing_field;
mod missing_file;
mod missing_unit;
mod unexplained_suppression;
mod unknown_field;
mod unknown_value;
mod unsupported_version;
mod unused_suppression;
mod wrong_type;
mod yaml_surprise;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &broken_yaml::RULE,
    &duplicate_key::RULE,
    &unknown_field::RULE,
    &missing_field::RULE,
    &wrong_type::RULE,
    &missing_unit::RULE,
    &yaml_surprise::RULE,
    &unknown_value::RULE,
    &hostile_input::RULE,
    &unsupported_version::RULE,
    &unused_suppression::RULE,
    &unexplained_suppression::RULE,
    &expired_suppression::RULE,
    &missing_file::RULE,
    &contradictory_fields::RULE,
    &incomplete_contract::RULE,
];
