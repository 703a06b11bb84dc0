//! What of all that was found is said: selection, levels and suppressions.

use std::collections::{BTreeMap, HashMap};

use crate::diagnostic::{Applicability, Code, Diagnostic, Edit, Fix, Level};
use crate::model::Contract;
use crate::rules::reading::incomplete_contract;
use crate::rules::{self, Rule, bounds};
use crate::source::{FileId, Sources, Span};
use crate::syntax::Suppression;

use super::{Date, Settings};

/// The state of a run's selection and suppressions.
pub(super) struct Filter<'a> {
    settings: &'a Settings,
    sources: &'a Sources,
    /// The suppressions of each file.
    suppressions: BTreeMap<FileId, Vec<Held<'a>>>,
    rules: HashMap<Code, &'static Rule>,
    /// How many findings were suppressed.
    pub(super) suppressed: usize,
    /// What suppressions themselves did wrong.
    found: Vec<Diagnostic>,
}

/// A suppression with what became of it.
struct Held<'a> {
    suppression: &'a Suppression,
    valid: bool,
    used: Vec<bool>,
}

impl<'a> Filter<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        sources: &'a Sources,
        all: impl Iterator<Item = &'a Suppression>,
    ) -> Self {
        let mut filter = Self {
            settings,
            sources,
            suppressions: BTreeMap::new(),
            rules: rules::all().map(|rule| (rule.code, rule)).collect(),
            suppressed: 0,
            found: Vec::new(),
        };
        for suppression in all.filter(|_| settings.suppressions) {
            let problems = judge(suppression, settings);
            let valid = problems.is_empty();
            filter.found.extend(problems);
            let held = Held { suppression, valid, used: vec![false; suppression.items.len()] };
            filter.suppressions.entry(suppression.comment.file).or_default().push(held);
        }
        filter
    }

    /// A finding with its level, if it is to be said.
    pub(super) fn pass(&mut self, mut found: Diagnostic) -> Option<Diagnostic> {
        let span = found.primary.span;
        if found.items.is_empty() {
            return self.keeps(found.code, None, span).then(|| self.level(found));
        }
        let code = found.code;
        let items: Vec<&'static str> =
            found.items.drain(..).filter(|item| self.keeps(code, Some(item), span)).collect();
        if items.is_empty() {
            return None;
        }
        incomplete_contract::list(&mut found, items);
        Some(self.level(found))
    }

    /// Whether one entry of a list is to be said.
    pub(super) fn keeps_bound(&mut self, contract: &Contract, one: &bounds::Failing, span: Span) -> bool {
        // Without a hard limit a handler may hang for ever, which says more than a tight lock.
        let endless = Code("AK709");
        let silenced = one.code == Code("AK702")
            && rules::processing::endless(contract)
            && self.enabled(endless, None, self.sources.name(span))
            && !self.is_suppressed(endless, None, contract.processing.key());
        !silenced && self.keeps(one.code, None, span)
    }

    /// The finding with the level that it has in this run.
    pub(super) fn level(&self, mut found: Diagnostic) -> Diagnostic {
        let rule = self.rules.get(&found.code);
        let own = found.level.or(rule.map(|rule| rule.level)).unwrap_or(Level::Error);
        let set = rule.and_then(|rule| {
            let levels = &self.settings.levels;
            levels.get(rule.code.0).or_else(|| levels.get(rule.name)).copied()
        });
        found.level = Some(set.unwrap_or(own));
        found
    }

    fn keeps(&mut self, code: Code, item: Option<&str>, span: Span) -> bool {
        if !self.enabled(code, item, self.sources.name(span)) {
            return false;
        }
        let suppressible = self.rules.get(&code).is_none_or(|rule| self.settings.may_suppress(rule));
        if !suppressible || !self.suppress(code, item, span) {
            return true;
        }
        self.suppressed += 1;
        false
    }

    /// Whether the settings have the rule on for that file.
    fn enabled(&self, code: Code, item: Option<&str>, path: &str) -> bool {
        let Some(rule) = self.rules.get(&code) else { return true };
        let settings = self.settings;
        let named =
            |list: &std::collections::BTreeSet<String>| list.iter().any(|entry| selects(entry, rule, item));
        // What cannot be read at all is said whatever was selected.
        let selected = settings.selected.is_empty() || named(&settings.selected) || !rule.suppressible;
        let ignored = named(&settings.ignored)
            || settings.per_path.iter().any(|one| named(&one.ignored) && one.matches(path));
        selected && !(ignored && rule.suppressible)
    }

    fn is_suppressed(&self, code: Code, item: Option<&str>, span: Span) -> bool {
        let line = self.line(span);
        let rule = self.rules.get(&code);
        self.suppressions.get(&span.file).into_iter().flatten().any(|held| {
            held.covers(line)
                && held
                    .suppression
                    .items
                    .iter()
                    .any(|(entry, _)| rule.is_some_and(|rule| selects(entry, rule, item)))
        })
    }

    fn line(&self, span: Span) -> usize {
        self.sources.get(span.file).map_or(0, |file| file.line_of(span.start))
    }

    /// Whether a suppression takes the finding out; marks it as used.
    fn suppress(&mut self, code: Code, item: Option<&str>, span: Span) -> bool {
        let line = self.line(span);
        let Some(rule) = self.rules.get(&code).copied() else { return false };
        let mut taken = false;
        for held in
            self.suppressions.get_mut(&span.file).into_iter().flatten().filter(|held| held.covers(line))
        {
            for ((entry, _), used) in held.suppression.items.iter().zip(&mut held.used) {
                if selects(entry, rule, item) {
                    *used = true;
                    taken = true;
                }
            }
        }
        taken
    }

    /// What is wrong with the suppressions themselves, now that all findings went through.
    pub(super) fn suppression_findings(&mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.found);
        for (_, held) in
            self.suppressions.iter().flat_map(|(file, all)| all.iter().map(move |held| (file, held)))
        {
            let items = held.suppression.items.iter().zip(&held.used);
            let unused: Vec<&str> =
                items.filter(|(_, used)| !**used).map(|((item, _), _)| item.as_str()).collect();
            if held.valid && !unused.is_empty() {
                found.push(unused_suppression(held.suppression, &unused, self.sources));
            }
        }
        let keep = |one: Diagnostic| {
            self.enabled(one.code, None, self.sources.name(one.primary.span)).then(|| self.level(one))
        };
        found.into_iter().filter_map(keep).collect()
    }
}

impl Held<'_> {
    fn covers(&self, line: usize) -> bool {
        self.valid && (self.suppression.whole_file || self.suppression.target_line == line)
    }
}

impl Settings {
    /// Whether a contract may suppress the rule.
    pub fn may_suppress(&self, rule: &Rule) -> bool {
        rule.suppressible && !self.locked.iter().any(|entry| selects(entry, rule, None))
    }
}

/// Whether an entry of a list (a code, a prefix of codes, a name, `ALL`, or one of these with an
/// item behind a colon) speaks of the rule.
pub fn selects(entry: &str, rule: &Rule, item: Option<&str>) -> bool {
    let (name, wanted) = entry.split_once(':').map_or((entry, None), |(name, item)| (name, Some(item)));
    let rule_matches = name == "ALL"
        || name == rule.name
        || (name.len() >= 3 && name.starts_with("AK") && rule.code.0.starts_with(name));
    rule_matches && wanted.is_none_or(|wanted| item == Some(wanted))
}

/// What is wrong with a suppression by itself.
fn judge(suppression: &Suppression, settings: &Settings) -> Vec<Diagnostic> {
    let place = suppression.comment;
    let unexplained = |message: String, span: Span| {
        Diagnostic::new(Code("AK012"), span, message)
            .at("suppresses nothing")
            .help("write `# ackord: ignore[AK204] until 2027-03-01 -- reason`; `until` may be left out")
    };
    if let Some(problem) = &suppression.malformed {
        return vec![unexplained(problem.clone(), place)];
    }
    let mut found = Vec::new();
    for (item, span) in &suppression.items {
        let name = item.split(':').next().unwrap_or(item);
        match rules::find(name) {
            None => {
                let known: Vec<&str> = rules::all().flat_map(|rule| [rule.code.0, rule.name]).collect();
                let near = crate::syntax::nearest::nearest(name, known);
                let help = near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                found.push(unexplained(format!("`{name}` is not a rule{help}"), *span));
            }
            Some(rule) if !settings.may_suppress(rule) => {
                found.push(unexplained(format!("`{name}` cannot be suppressed"), *span));
            }
            Some(_) => {}
        }
    }
    if suppression.reason.as_deref().is_none_or(|reason| reason.trim().is_empty()) {
        found.push(unexplained("the suppression gives no reason".to_owned(), place));
    }
    if let Some((until, span)) = &suppression.until {
        match Date::parse(until) {
            None => found.push(unexplained(format!("`{until}` is not a day such as 2027-03-01"), *span)),
            Some(date) if date < settings.today => found.push(
                Diagnostic::new(Code("AK013"), *span, format!("the suppression expired on {date}"))
                    .at(format!("today is {}", settings.today))
                    .help("mend what it suppressed, or decide anew until when it may stay"),
            ),
            Some(_) => {}
        }
    }
    found
}

fn unused_suppression(suppression: &Suppression, unused: &[&str], sources: &Sources) -> Diagnostic {
    let names = unused.iter().map(|item| format!("`{item}`")).collect::<Vec<_>>().join(", ");
    let found = Diagnostic::new(Code("AK011"), suppression.comment, format!("nothing here breaks {names}"))
        .at("suppresses nothing");
    if unused.len() < suppression.items.len() {
        return found.help(format!("take {names} out of the list"));
    }
    // The comment goes, with the blanks before it, and with its line where it stands alone.
    let Some(file) = sources.get(suppression.comment.file) else { return found };
    let line = file.line_range(file.line_of(suppression.comment.start));
    let before = file.text.get(line.start..suppression.comment.start as usize).unwrap_or("");
    let kept = before.trim_end_matches([' ', '\t']);
    let start = line.start + kept.len();
    let end = if kept.is_empty() {
        file.line_range(file.line_of(suppression.comment.start) + 1).start
    } else {
        line.end
    };
    let span = Span::new(suppression.comment.file, start, end.max(start));
    found.help("remove the comment").fix(Fix {
        title: "removed an unused suppression".to_owned(),
        applicability: Applicability::Safe,
        edits: vec![Edit { span, text: String::new() }],
    })
}
