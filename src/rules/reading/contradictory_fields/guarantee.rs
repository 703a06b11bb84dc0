//! What the guarantee rules out.

use super::{Contradiction, field, finding, named, section, written};
use crate::analysis::Analysis;
use crate::diagnostic::Diagnostic;
use crate::model::{Ack, Action, Contract, Failures};
use crate::source::Span;

pub(super) const ALL: &[Contradiction] = &[loss_at_least_once, repeats_at_most_once];

/// A loss or a stand-in for what is lost, where nothing may be lost.
fn loss_at_least_once(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let contract = analysis.contract;
    let delivery = &contract.delivery;
    let given = written([
        field("acceptable_loss", &delivery.acceptable_loss),
        section("fallback", &delivery.fallback),
    ]);
    let Some(((_, first), others)) = given.split_first().filter(|_| contract.at_least_once()) else {
        return Vec::new();
    };
    let verb = if others.is_empty() { "plans" } else { "plan" };
    let message = format!("{} {verb} for a loss, but `at-least-once` allows none", named(&given));
    let mut found = finding(*first, message)
        .at("only at most once")
        .label(delivery.guarantee.span(), "loses nothing")
        .help(format!("remove {}, or write `guarantee: at-most-once`", named(&given)));
    for (_, span) in others {
        found = found.label(*span, "only at most once");
    }
    vec![found]
}

/// A second delivery, or what makes one possible, where there is none.
fn repeats_at_most_once(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let contract = analysis.contract;
    // Where nothing may be lost it is the guarantee that is wrong, and AK103 says so.
    if !contract.at_most_once() || contract.must_not_lose() {
        return Vec::new();
    }
    let mut places = Vec::new();
    if contract.delivery.ack.get() == Some(&Ack::AfterEffect) {
        places.push(("`ack: after-effect`", contract.delivery.ack.span()));
    }
    places.extend(retries(contract).into_iter().map(|span| ("a retry", span)));
    let Some(((what, first), others)) = places.split_first() else { return Vec::new() };
    let mut found =
        finding(*first, format!("{what} leads to a second delivery, but `at-most-once` allows only one"))
            .at("a message that fails here comes again")
            .label(contract.delivery.guarantee.span(), "once, or not at all")
            .help("write `ack: on-receive` and drop what fails, or write `guarantee: at-least-once`");
    for (_, span) in others {
        found = found.label(*span, "comes again");
    }
    vec![found]
}

/// The places that ask for another delivery.
fn retries(contract: &Contract) -> Vec<Span> {
    let mut places = Vec::new();
    match contract.failures.get() {
        None => {}
        Some(Failures::Standard) => places.push(contract.failures.span()),
        Some(Failures::Mapping(classes)) => {
            let actions = classes.iter().filter_map(|entry| Some(&entry.value.get()?.action));
            places.extend(
                actions.filter(|action| action.get() == Some(&Action::Retry)).map(|action| action.span()),
            );
        }
    }
    let limit = contract.redelivery_limits().map(|limits| &limits.max_retries);
    places.extend(limit.filter(|limit| limit.get().is_some_and(|most| *most > 0)).map(|limit| limit.span()));
    places
}
