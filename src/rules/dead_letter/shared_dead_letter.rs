//! See `shared_dead_letter.md`.

use std::collections::BTreeMap;

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Broker, Contract};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK411",
    "shared-dead-letter",
    Level::Warning,
    include_str!("shared_dead_letter.md"),
    Check::Workspace(check),
);

fn check(analyses: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    let mut by_queue: BTreeMap<_, Vec<&Contract>> = BTreeMap::new();
    for contract in analyses.iter().map(|analysis| analysis.contract) {
        let Some(name) = contract.dead_letter.queue.get() else { continue };
        // The same name at another kind of broker is another queue.
        let kind = contract.broker.get().map(Broker::kind);
        by_queue.entry((name, kind)).or_default().push(contract);
    }
    for ((name, _), contracts) in by_queue {
        let [first, later @ ..] = contracts.as_slice() else { continue };
        let agreed = contracts.iter().all(|contract| shares(contract));
        let Some(primary) =
            later.iter().find(|contract| !shares(contract)).or(later.first()).filter(|_| !agreed)
        else {
            continue;
        };
        let others = contracts.len() - 1;
        let with =
            if others == 1 { format!("`{}`", first.name()) } else { format!("{others} other contracts") };
        out.push(
            Diagnostic::new(
                RULE.code,
                primary.dead_letter.queue.span(),
                format!(
                    "`{}` and {with} have one dead-letter queue, `{name}`, and do not all say so",
                    primary.name()
                ),
            )
            .at("used here")
            .label(first.dead_letter.queue.span(), "and here")
            .help("give each contract a queue of its own, or write `shared: true` in all of them"),
        );
    }
}

fn shares(contract: &Contract) -> bool {
    contract.dead_letter.shared.get() == Some(&true)
}
