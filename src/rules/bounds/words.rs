//! What a finding of a list says.

use crate::analysis::Analysis;
use crate::analysis::bounds::{Bound, BoundId, ListId};
use crate::analysis::term::{self, Term};
use crate::units::Duration;

/// What a finding of a list says.
pub(super) struct Words<'a> {
    pub(super) analysis: &'a Analysis<'a>,
    pub(super) shown: &'a str,
    pub(super) aside: &'a str,
    pub(super) needs: Duration,
    pub(super) value: Duration,
}

impl Words<'_> {
    pub(super) fn message(&self, bound: &Bound) -> String {
        let (shown, aside) = (self.shown, self.aside);
        let needs = self.needs.need();
        let written = |index: usize| {
            let term = bound.terms.as_deref().ok().and_then(|terms| terms.get(index));
            term.map_or_else(|| needs.to_string(), |term| self.analysis.written(term.value, term.span))
        };
        match bound.id {
            BoundId::Retries => format!(
                "keys expire after {shown}, but a redelivery can come {needs} after the first delivery"
            ),
            BoundId::Crashes => format!(
                "keys expire after {shown}, but after crashes a redelivery can come {needs} after the first delivery"
            ),
            BoundId::ReplayWindow => {
                format!("keys expire after {shown}, but a replay reaches back {}", written(0))
            }
            BoundId::Replay => format!(
                "keys expire after {shown}, but a replayed message can come {needs} after its first delivery"
            ),
            BoundId::Redrive => format!(
                "keys expire after {shown}, but a dead letter can be handled again {needs} after its first delivery"
            ),
            BoundId::Resend => format!(
                "keys expire after {shown}, but the producer may send the same act again after {needs}"
            ),
            BoundId::ResendHorizon => format!(
                "keys expire after {shown}, but a repeated send can still be redelivered after {needs}"
            ),
            BoundId::Handler => format!(
                "the lock of {shown}{aside} runs out while a handler may still work for {}",
                self.exact(bound)
            ),
            BoundId::HandlerMargin => format!(
                "the lock of {shown}{aside} is less than three times the p99 of {}, and nothing stops a slow handler",
                written(0)
            ),
            BoundId::Buffer => format!(
                "the lock of {shown}{aside} runs out while a fetched message may still wait and be handled for {needs}"
            ),
            BoundId::InProcess => {
                format!("the lock of {shown}{aside} runs out while a handler tries again for {needs}")
            }
            BoundId::TimeToDeadLetter => {
                format!("the queue keeps a message for {shown}, but its retries can take {needs}")
            }
            BoundId::Outage => format!(
                "the queue keeps a message for {shown}, but an outage of {} and the backlog behind it last {needs}",
                written(0)
            ),
            BoundId::Weekend => format!(
                "dead letters are kept for {shown}, which is less than the {needs} that a weekend and triage take"
            ),
            BoundId::Triage => {
                format!("triage may take {}, but a dead letter is kept for {shown}", written(0))
            }
        }
    }

    /// A single written term as the user wrote it, else the need.
    fn exact(&self, bound: &Bound) -> String {
        match bound.terms.as_deref() {
            Ok([term]) if term.count == 1 => self.analysis.written(term.value, term.span),
            _ => self.needs.need().to_string(),
        }
    }

    pub(super) fn label(&self, bound: &Bound) -> String {
        if !self.aside.is_empty() {
            return format!("{}{}", self.value, self.aside);
        }
        let short = (self.needs - self.value).need();
        match bound.id {
            BoundId::Retries
            | BoundId::Crashes
            | BoundId::ReplayWindow
            | BoundId::Replay
            | BoundId::Redrive
            | BoundId::Resend
            | BoundId::ResendHorizon => format!("expires {short} too early"),
            BoundId::Handler | BoundId::HandlerMargin | BoundId::Buffer | BoundId::InProcess
                if short.is_zero() =>
            {
                "not a moment longer".to_owned()
            }
            BoundId::TimeToDeadLetter | BoundId::Outage | BoundId::Weekend | BoundId::Triage
                if short.is_zero() =>
            {
                "no longer than that".to_owned()
            }
            BoundId::Handler
            | BoundId::HandlerMargin
            | BoundId::Buffer
            | BoundId::InProcess
            | BoundId::TimeToDeadLetter
            | BoundId::Outage
            | BoundId::Weekend
            | BoundId::Triage => format!("{short} too short"),
        }
    }

    pub(super) fn derivation(&self, bound: &Bound, terms: &[Term]) -> Option<String> {
        let name = match bound.id {
            BoundId::Retries if terms.iter().any(|term| term.name == "cap") => "retry chain",
            BoundId::Retries | BoundId::Crashes => "longest redelivery",
            BoundId::Replay => "replay",
            BoundId::Redrive => "redrive",
            BoundId::Resend => "resend",
            BoundId::ResendHorizon => "resend and its redeliveries",
            BoundId::Buffer => "fetch to settle",
            BoundId::InProcess => "tries under the lock",
            BoundId::HandlerMargin => "three times p99",
            BoundId::Outage => "outage and drain",
            BoundId::Weekend => "weekend and triage",
            BoundId::ReplayWindow | BoundId::Handler | BoundId::TimeToDeadLetter | BoundId::Triage => {
                return None;
            }
        };
        let written = |value, span| self.analysis.written(value, span);
        (!terms.is_empty())
            .then(|| format!("{name} = {} = {}", term::in_note(terms, written), self.needs.need()))
    }
}

/// What a label says at a term; `None` leaves the term without a label.
pub(super) fn explain(analysis: &Analysis<'_>, list: ListId, term: &Term) -> Option<String> {
    let value = || analysis.written(term.value, term.span);
    let text = match term.name {
        "lock" if matches!(term.origin, crate::resolve::Origin::Broker(_)) => {
            format!("a dead consumer holds it {}", words_of(term))
        }
        "lock" => "a dead consumer holds it this long".to_owned(),
        "hold" => format!("renewed, a dead consumer holds it up to {}", term.value),
        "cap" => format!("each after a wait of up to {}", value()),
        "handler" | "handler timeout" => "one delivery is worked on this long".to_owned(),
        "p99" if list == ListId::Lock => "a slow message takes this long".to_owned(),
        "p99" => "the last delivery is worked on this long".to_owned(),
        "window" => "a replay reaches back this far".to_owned(),
        "DLQ retention" => "a dead letter is kept this long".to_owned(),
        "redrive within" => "a dead letter may be put back this late".to_owned(),
        "within" => "the producer may send again this late".to_owned(),
        "batch window" => "a batch waits this long until it is full".to_owned(),
        "waits" => "tries in the process".to_owned(),
        "outage" => "the outage to be survived".to_owned(),
        "triage" => "the deadline for a decision".to_owned(),
        _ => return None,
    };
    Some(text)
}

fn words_of(term: &Term) -> String {
    match term.origin {
        crate::resolve::Origin::Broker(fact) => {
            format!("{}, the default of {}", term.value, fact.broker.title())
        }
        crate::resolve::Origin::Written | crate::resolve::Origin::Derived => term.value.to_string(),
    }
}
