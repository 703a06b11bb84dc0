//! Contracts from a walk over the schema: every alternative, every field, every pattern.

use std::collections::{BTreeMap, BTreeSet};

use proptest::strategy::{Strategy, ValueTree};
use proptest::string::RegexGeneratorStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};

use crate::dice::Dice;

pub struct Walk<'a> {
    schema: &'a Value,
    runner: TestRunner,
    /// Reading a pattern takes longer than making a text of it.
    patterns: BTreeMap<String, RegexGeneratorStrategy<String>>,
    visited: BTreeSet<String>,
}

/// Names that a user may choose, some of them odd.
const NAMES: [&str; 10] = ["timeout", "no", "1", "a b", "déjà", "null", "5:00", "y", "X-y", "permanent"];
/// Texts without a pattern.
const TEXTS: [&str; 12] =
    ["", "words", "no", "null", "5", "1.5", "5:00", "ünïcode ☃", "a: b # c", "two\nlines", " blank ", "4.2"];
const NUMBERS: [u64; 6] = [0, 1, 2, 5, 100, 4_294_967_295];

impl<'a> Walk<'a> {
    pub fn new(schema: &'a Value) -> Self {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
        let runner = TestRunner::new_with_rng(Config::default(), rng);
        Self { schema, runner, patterns: BTreeMap::new(), visited: BTreeSet::new() }
    }

    /// A contract that the schema accepts.
    pub fn document(&mut self, dice: &mut Dice) -> Value {
        let share = *dice.pick(&[5, 15, 30, 60]);
        self.value(self.schema, "", share, dice)
    }

    /// The fields of the schema that no document has had.
    pub fn unvisited(&self) -> Vec<String> {
        let mut all = BTreeSet::new();
        fields(self.schema, "", self.schema, &mut all);
        all.difference(&self.visited).cloned().collect()
    }

    fn value(&mut self, schema: &'a Value, path: &str, share: usize, dice: &mut Dice) -> Value {
        if let Some(target) = target(self.schema, schema) {
            return self.value(target, path, share, dice);
        }
        if let Some(word) = schema.get("const") {
            return word.clone();
        }
        if let Some(words) = schema["enum"].as_array() {
            return dice.pick(words).clone();
        }
        if let Some(choices) = choices(schema) {
            return self.value(dice.pick(choices), path, share, dice);
        }
        match schema["type"].as_str() {
            Some("object") if schema["properties"].is_object() => self.section(schema, path, share, dice),
            Some("object") => self.names(schema, path, share, dice),
            Some("array") => {
                let count = dice.below(4);
                (0..count).map(|_| self.value(&schema["items"], path, share, dice)).collect()
            }
            Some("string") => self.text(schema, dice).into(),
            Some("integer") => {
                let (least, most) = (schema["minimum"].as_u64(), schema["maximum"].as_u64());
                let number = *dice.pick(&NUMBERS);
                number.clamp(least.unwrap_or(0), most.unwrap_or(u64::MAX)).into()
            }
            Some("number") => json!(dice.pick(&[1.0, 1.5, 2.0, 10.0, 1000.0])),
            Some("boolean") => dice.chance(50).into(),
            Some(other) => panic!("a walk over {other} is not written: {schema}"),
            None => anything(dice),
        }
    }

    fn section(&mut self, schema: &'a Value, path: &str, share: usize, dice: &mut Dice) -> Value {
        let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
        let mut section = Map::new();
        for (name, field) in schema["properties"].as_object().expect("properties") {
            if required.iter().any(|one| one == name) || dice.chance(share) {
                let path = format!("{path}/{name}");
                section.insert(name.clone(), self.value(field, &path, share, dice));
                self.visited.insert(path);
            }
        }
        if dice.chance(3) {
            section.insert("x-own".to_owned(), anything(dice));
        }
        Value::Object(section)
    }

    fn names(&mut self, schema: &'a Value, path: &str, share: usize, dice: &mut Dice) -> Value {
        let count = dice.below(4);
        let path = format!("{path}/*");
        let entry = |walk: &mut Self| {
            let name = (*dice.pick(&NAMES)).to_owned();
            (name, walk.value(&schema["additionalProperties"], &path, share, dice))
        };
        let entries: Map<String, Value> = std::iter::repeat_with(|| ())
            .take(count)
            .map({
                let mut entry = entry;
                move |()| entry(self)
            })
            .collect();
        Value::Object(entries)
    }

    fn text(&mut self, schema: &Value, dice: &mut Dice) -> String {
        let most = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
        if let Some(examples) = schema["examples"].as_array()
            && dice.chance(50)
        {
            return dice.pick(examples).as_str().expect("a text").to_owned();
        }
        let Some(pattern) = schema["pattern"].as_str() else { return (*dice.pick(&TEXTS)).to_owned() };
        let unanchored = pattern.trim_start_matches('^').trim_end_matches('$');
        // Short texts are the likely ones; now and then the longest are tried as well.
        let pattern = if dice.chance(95) {
            unanchored
                .replace("{1,18}", "{1,3}")
                .replace("{0,15}", "?")
                .replace('+', "{1,2}")
                .replace('*', "{0,9}")
        } else {
            unanchored.to_owned()
        };
        let fresh = || proptest::string::string_regex(&pattern).expect("a pattern");
        let strategy = self.patterns.entry(pattern.clone()).or_insert_with(fresh);
        for _ in 0..100 {
            let text = strategy.new_tree(&mut self.runner).expect("a text").current();
            if text.chars().count() as u64 <= most {
                return text;
            }
        }
        panic!("no text of {pattern} is so short as {most}");
    }
}

/// Any JSON.
pub fn anything(dice: &mut Dice) -> Value {
    let choices = [
        json!(true),
        json!(0),
        json!(-1.5),
        json!(""),
        json!("text"),
        json!([]),
        json!([1, [null], "a"]),
        json!({}),
        json!({"a": {"b": null}, "x-c": 1}),
    ];
    dice.pick(&choices).clone()
}

/// What a reference points to.
fn target<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        return Some(root.pointer(reference.trim_start_matches('#')).expect("what is referred to exists"));
    }
    match schema["allOf"].as_array().map(Vec::as_slice) {
        Some([only]) => Some(only),
        Some(_) => panic!("a walk over several `allOf` is not written: {schema}"),
        None => None,
    }
}

fn choices(schema: &Value) -> Option<&Vec<Value>> {
    schema["oneOf"].as_array().or(schema["anyOf"].as_array())
}

fn fields(root: &Value, path: &str, schema: &Value, all: &mut BTreeSet<String>) {
    if let Some(target) = target(root, schema) {
        return fields(root, path, target, all);
    }
    for choice in choices(schema).into_iter().flatten() {
        fields(root, path, choice, all);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        fields(root, &path, field, all);
        all.insert(path);
    }
    if schema["items"].is_object() {
        fields(root, path, &schema["items"], all);
    }
    if schema["additionalProperties"].is_object() {
        fields(root, &format!("{path}/*"), &schema["additionalProperties"], all);
    }
}
