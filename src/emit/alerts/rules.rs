//! Which rules a contract has.

mod consumer;
mod dead_letters;
mod latency;
mod rabbitmq;

use super::super::shared::said;
use super::{Pair, Source};
use crate::syntax::Opt;
use crate::units::Duration;

pub(super) use dead_letters::{depth, full_share};
pub(super) use latency::least_settled;
pub(super) use rabbitmq::{done, patience};

/// Whether somebody is woken up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    /// Somebody acts now.
    Page,
    /// Somebody acts by day.
    Ticket,
}

impl Severity {
    fn word(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Ticket => "ticket",
        }
    }
}

/// An alert, or a recorded series where it has no severity.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) expr: String,
    pub(super) hold: Option<Duration>,
    pub(super) severity: Option<Severity>,
    pub(super) annotations: Vec<(&'static str, String)>,
    stage: Option<&'static str>,
    owner: String,
    contract: String,
}

impl Rule {
    /// The labels with the texts that an alert carries.
    pub(super) fn labels(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fixed = [("contract", self.contract.as_str()), ("owner", self.owner.as_str())];
        let severity = self.severity.map(|severity| ("severity", severity.word()));
        fixed.into_iter().chain(severity).chain(self.stage.map(|stage| ("stage", stage)))
    }

    /// The labels and the annotations as promtool compares them.
    pub(super) fn expected(&self) -> (Vec<Pair>, Vec<Pair>) {
        let pair = |(name, text): &(&'static str, String)| Pair::new(name, text.as_str());
        let labels = self.labels().map(|(name, text)| Pair::new(name, text)).collect();
        (labels, self.annotations.iter().map(pair).collect())
    }
}

/// What an alert says: what is seen, what that means, what its reader does first, and the part of the
/// runbook that goes on from there.
struct Told {
    summary: String,
    means: String,
    action: String,
    part: &'static str,
}

/// Parts of the runbook, as its headings are addressed.
mod part {
    pub(super) const FIRST: &str = "first-five-minutes";
    pub(super) const FAILURES: &str = "what-happens-to-a-message-that-fails";
    pub(super) const DEAD_LETTERS: &str = "dead-letters";
    pub(super) const REPLAY: &str = "replay";
    pub(super) const BYPASS: &str = "emergency-bypass";
    pub(super) const CAPACITY: &str = "capacity";
}

/// Rules in their order.
struct Rules<'a> {
    source: &'a Source<'a>,
    all: Vec<Rule>,
}

impl Rules<'_> {
    fn record(&mut self, name: &'static str, expr: String) {
        self.all.push(Rule {
            name,
            expr,
            hold: None,
            severity: None,
            stage: None,
            annotations: Vec::new(),
            owner: String::new(),
            contract: self.source.analysis.contract.name().to_owned(),
        });
    }

    fn page(&mut self, name: &'static str, who: &Opt<String>, expr: String, told: Told) -> &mut Rule {
        self.alert(name, Severity::Page, said(who, "on_call"), expr, told)
    }

    fn ticket(&mut self, name: &'static str, who: &Opt<String>, expr: String, told: Told) -> &mut Rule {
        self.alert(name, Severity::Ticket, said(who, "owner"), expr, told)
    }

    fn alert(
        &mut self,
        name: &'static str,
        severity: Severity,
        owner: String,
        expr: String,
        told: Told,
    ) -> &mut Rule {
        let contract = self.source.analysis.contract.name().to_owned();
        let annotations = vec![
            ("summary", format!("{contract}: {}", told.summary)),
            ("description", told.means),
            ("action", told.action),
            ("runbook", format!("{contract}/runbook.md#{}", told.part)),
        ];
        let severity = Some(severity);
        self.all.push_mut(Rule {
            name,
            expr,
            hold: None,
            severity,
            annotations,
            stage: None,
            owner,
            contract,
        })
    }
}

pub(super) fn rules(source: &Source<'_>) -> Vec<Rule> {
    let mut rules = Rules { source, all: Vec::new() };
    latency::rules(&mut rules);
    consumer::rules(&mut rules);
    dead_letters::rules(&mut rules);
    if source.rabbitmq() {
        rabbitmq::rules(&mut rules);
    }
    rules.all
}
