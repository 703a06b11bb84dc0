//! Mappings: merge keys, unknown fields, names.

use std::collections::HashSet;

use serde::de::Visitor;

use super::access::Pairs;
use super::fault::{Fault, Outcome};
use super::{Reader, Role, missing};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::source::Span;
use crate::syntax::nearest::{nearest, one_of};
use crate::syntax::tree::{Kind, NodeId};
use crate::syntax::{UNKNOWN_FIELD, WRONG_TYPE};

/// A key, its value, and the merge that brought them.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) key: NodeId,
    pub(super) value: NodeId,
    pub(super) via: Option<Span>,
}

impl<'c, 't> Reader<'c, 't> {
    pub(super) fn structure<V: Visitor<'t>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Outcome<V::Value> {
        let (reader, pairs) = self.known_pairs(fields)?;
        let mark = missing::count();
        let result = visitor.visit_map(Pairs::fields(reader, pairs));
        reader.report_missing(mark);
        result.map_err(|fault: Fault| fault.at(reader.span()))
    }

    /// The entries that are fields; the others are reported, or the user's own.
    #[inline(never)]
    fn known_pairs(self, fields: &'static [&'static str]) -> Outcome<(Self, Vec<Pair>)> {
        let reader = self.resolve()?;
        let mut pairs = reader.entries()?;
        let all = pairs.len();
        pairs.retain(|pair| match reader.context.tree.text(pair.key) {
            Some(name) => fields.contains(&name),
            None => false,
        });
        if pairs.len() < all {
            reader.judge_unknown(fields, &pairs);
        }
        Ok((reader, pairs))
    }

    fn judge_unknown(&self, fields: &'static [&'static str], known: &[Pair]) {
        let Ok(pairs) = self.entries() else { return };
        let tree = self.context.tree;
        // A merged key may be given again: the explicit one wins.
        let used: HashSet<&str> =
            known.iter().filter(|pair| pair.via.is_none()).filter_map(|pair| tree.text(pair.key)).collect();
        for pair in pairs {
            if self.context.is_full() {
                return;
            }
            let span = tree.node(pair.key).span;
            let key = Reader { via: pair.via.or(self.via), ..self.child(pair.key, span, Role::Key) };
            match tree.text(pair.key) {
                None => key.say(key.no_text_key()),
                // `: value`, where the key was left out.
                Some(_) if span.end == span.start => key.say(key.no_text_key()),
                Some(name) => {
                    let own = self.tag.is_some_and(|(tag, _)| tag == name) || name.starts_with("x-");
                    if !own && !fields.contains(&name) {
                        key.say(self.unknown_field(name, span, fields, &used));
                    }
                }
            }
        }
    }

    fn unknown_field(
        &self,
        name: &str,
        span: Span,
        fields: &'static [&'static str],
        used: &HashSet<&str>,
    ) -> Diagnostic {
        let of = match (self.tag, self.role) {
            (Some((tag, word)), _) => format!("a field of {tag} `{word}`"),
            (None, Role::Value(key)) => format!("a field of `{}`", super::value::shown(key)),
            (None, Role::Element(key)) => format!("a field of an element of `{}`", super::value::shown(key)),
            (None, Role::Root | Role::Key) => "a field here".to_owned(),
        };
        let message = format!("`{}` is not {of}", super::value::shown(name));
        let finding = Diagnostic::new(UNKNOWN_FIELD, span, message).at("unknown");
        let fields: Vec<&str> = fields.iter().copied().filter(|field| !used.contains(field)).collect();
        match nearest(name, fields.iter().copied()).as_slice() {
            [] if fields.is_empty() => finding.help(format!("remove it, or name it `x-{name}`")),
            [] => finding.help(format!("use {}, or name a field of your own `x-{name}`", one_of(&fields))),
            [near] => finding.help(format!("write `{near}`")).replace(
                Applicability::Safe,
                span,
                *near,
                format!("{name} -> {near}"),
            ),
            several => finding.help(format!("write {}", one_of(several))),
        }
    }

    pub(super) fn no_text_key(&self) -> Diagnostic {
        let message = format!("the key is {}; a key is a text", self.found());
        Diagnostic::new(WRONG_TYPE, self.span(), message).help("write a name")
    }

    pub(super) fn reserved_name(&self, name: &str, span: Span) -> Diagnostic {
        let message =
            format!("`{}` is not a name for an entry of {}", super::value::shown(name), self.subject());
        let rest = name.trim_start_matches("x-");
        Diagnostic::new(UNKNOWN_FIELD, span, message)
            .at("names here do not start with `x-`")
            .help(format!("name it `{rest}`, or move it out of {}", self.subject()))
    }

    /// The entries of a mapping with those that `<<` brings: explicit keys win, then earlier merges.
    #[inline(never)]
    pub(super) fn entries(&self) -> Outcome<Vec<Pair>> {
        let Kind::Mapping { merges, .. } = self.node().kind else { return Err(self.expected("a mapping")) };
        let tree = self.context.tree;
        let own = tree.pairs(self.id);
        let mut pairs: Vec<Pair> = own
            .iter()
            .filter(|(key, _)| !(merges && tree.is_merge(*key)))
            .map(|(key, value)| Pair { key: *key, value: *value, via: None })
            .collect();
        if merges {
            let mut names: HashSet<&str> = pairs.iter().filter_map(|pair| tree.text(pair.key)).collect();
            for (key, value) in own.iter().filter(|(key, _)| tree.is_merge(*key)) {
                let merge = self.child(*value, tree.node(*key).span, Role::Value("<<"));
                merge.merge_into(&mut pairs, &mut names, true);
            }
        }
        Ok(pairs)
    }

    fn merge_into(&self, pairs: &mut Vec<Pair>, names: &mut HashSet<&'t str>, list: bool) {
        let Ok(source) = self.resolve() else { return };
        let tree = self.context.tree;
        match source.node().kind {
            Kind::Mapping { .. } => {
                for pair in source.entries().unwrap_or_default() {
                    if tree.text(pair.key).is_none_or(|name| names.insert(name)) {
                        pairs.push(Pair { via: source.via.or(pair.via), ..pair });
                    }
                }
            }
            Kind::List(_) if list => {
                for item in tree.items(source.id) {
                    source.child(*item, source.key, source.role).merge_into(pairs, names, false);
                }
            }
            Kind::List(_) | Kind::Scalar { .. } | Kind::Alias(_) | Kind::Lost => {
                source.report(source.expected("a mapping or a list of mappings"));
            }
        }
    }
}
