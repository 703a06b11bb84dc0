//! What stands in front of a value: anchors, aliases in its place, tags.

use granit_parser::{ScalarStyle, Tag};

use super::{Builder, Step};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::nearest::nearest;
use crate::syntax::tree::{Kind, Style};
use crate::syntax::{BROKEN_YAML, HOSTILE_INPUT};

impl Builder<'_, '_, '_> {
    pub(super) fn count_alias(&mut self, span: Span) -> Step {
        self.aliases += 1;
        if self.aliases > self.limits.aliases {
            let most = self.limits.aliases;
            return self
                .refuse(span, format!("the file has more than {most} aliases, the most that are read"));
        }
        Ok(())
    }

    pub(super) fn alias(&mut self, number: usize, span: Span) -> Step {
        self.count_alias(span)?;
        let Some(target) = self.anchored.get(number).copied().flatten() else {
            return self.lost_alias("", span);
        };
        let inside_itself = self.open.iter().any(|open| open.id == target.node);
        let kind = if inside_itself {
            let place = self.tree.node(target.node).span;
            let start = Span { end: place.start.saturating_add(1), ..place };
            let finding =
                Diagnostic::new(HOSTILE_INPUT, span, "the alias stands inside the value that it stands for")
                    .at("would repeat without end")
                    .label(start, "the value begins here");
            self.say(finding);
            Kind::Lost
        } else {
            self.expanded = self.expanded.saturating_add(target.weight);
            if self.expanded > self.limits.alias_nodes as u64 {
                let most = self.limits.alias_nodes;
                return self
                    .refuse(span, format!("aliases repeat more than {most} values, the most that are read"));
            }
            if self.open.len() + target.height > self.limits.depth {
                return self.too_deep(span);
            }
            self.raise(target.height);
            Kind::Alias(target.node)
        };
        let id = self.node(kind, span)?;
        self.loose.push(id);
        self.last_good = self.last_good.max(span.end as usize);
        Ok(())
    }

    pub(super) fn lost_alias(&mut self, name: &str, span: Span) -> Step {
        self.count_alias(span)?;
        let message = format!("`*{name}` stands for no value: no anchor `&{name}` comes before it");
        let known = self.tree.anchors.iter().map(|anchor| anchor.name.as_str());
        let mut finding = Diagnostic::new(BROKEN_YAML, span, message).at("no such anchor");
        if let Some(near) = nearest(name, known).first() {
            finding =
                finding.help(format!("write `*{near}`, or put `&{name}` before the value that is meant"));
        } else {
            finding = finding.help(format!("put `&{name}` before the value that is meant"));
        }
        self.say(finding);
        let id = self.node(Kind::Lost, span)?;
        self.loose.push(id);
        Ok(())
    }

    pub(super) fn style(
        &mut self,
        style: ScalarStyle,
        tag: Option<&Tag>,
        place: &granit_parser::Span,
    ) -> Style {
        match tag.map(|tag| (tag, tag.core_suffix())) {
            Some((_, Some("str"))) => return Style::Quoted,
            Some((_, Some("int" | "float" | "bool" | "null"))) => return Style::Plain,
            // `!` alone makes a text of any scalar.
            Some((tag, _)) if tag.handle().is_empty() && tag.suffix() == "!" => return Style::Quoted,
            Some((tag, _)) => self.foreign_tag(tag, place),
            None => {}
        }
        match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
            ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
        }
    }

    pub(super) fn collection_tag(&mut self, tag: Option<&Tag>, own: &str, place: &granit_parser::Span) {
        if let Some(tag) = tag
            && tag.core_suffix() != Some(own)
            && !(tag.handle().is_empty() && tag.suffix() == "!")
        {
            self.foreign_tag(tag, place);
        }
    }

    pub(super) fn foreign_tag(&mut self, tag: &Tag, place: &granit_parser::Span) {
        let span = place.tag_span().map_or_else(|| self.span(place), |at| self.span(&at));
        let message = format!("the tag `{}` has no meaning in a contract", tag.original());
        self.say(Diagnostic::new(BROKEN_YAML, span, message).help("remove the tag"));
    }
}
