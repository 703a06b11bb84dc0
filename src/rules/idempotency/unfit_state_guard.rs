//! See `unfit_state_guard.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{EffectKind, Strategy};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK213",
    "unfit-state-guard",
    Level::Error,
    include_str!("unfit_state_guard.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let strategy = &contract.idempotency.strategy;
    if strategy.get() != Some(&Strategy::StateGuard) {
        return;
    }
    let guard = &contract.idempotency.guard;
    if !guard.given() {
        out.push(
            Diagnostic::new(
                RULE.code,
                strategy.span(),
                "`strategy: state-guard` names no state transition, so nothing guards the effect",
            )
            .at("needs a `guard`")
            .help("add `guard: {table, key, column, from, to}`"),
        );
    }
    if let Some(state) = guard.from.get().filter(|from| guard.to.get() == Some(from)) {
        let text =
            format!("the guard goes from `{state}` to `{state}`, so a repeated message passes it again");
        out.push(
            Diagnostic::new(RULE.code, guard.to.span(), text)
                .at("the same state")
                .label(guard.from.span(), "as before")
                .help("name the state that the row has after the effect, and only then"),
        );
    }
    let outside = contract
        .effects()
        .find(|(effect, _)| matches!(effect.kind.get(), Some(EffectKind::External | EffectKind::Publish)));
    let second = contract.effects().nth(1);
    let finding = if let Some((effect, _)) = outside {
        let name = effect.name.get().map_or("the effect", |name| name.as_str());
        let text = format!(
            "`{name}` happens outside of the guarded row, and a crash between the two skips or repeats it"
        );
        Diagnostic::new(RULE.code, effect.kind.span(), text).at("not part of the update")
    } else if let Some((effect, span)) = second {
        let name = effect.name.get().map_or("the effect", |name| name.as_str());
        let text = format!("the guard protects one state transition, but `{name}` is another effect");
        let place = if effect.name.given() { effect.name.span() } else { span };
        Diagnostic::new(RULE.code, place, text).at("not guarded by it")
    } else {
        return;
    };
    out.push(
        finding
            .label(strategy.span(), "one conditional update")
            .help("write `strategy: dedupe-table`, which holds for every effect of the message"),
    );
}
