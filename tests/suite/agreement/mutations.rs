//! One change to a contract, of the kinds that people and programs make.

use serde_json::{Map, Value, json};

use super::documents::anything;
use crate::dice::Dice;

/// The contract with one thing changed; now and then it stays right.
pub fn mutate(contract: &Value, dice: &mut Dice) -> Value {
    let mut changed = contract.clone();
    let places = places(contract);
    let place = dice.pick(&places).clone();
    let node = changed.pointer_mut(&place).expect("the place is there");
    match node {
        Value::Object(section) => change_section(section, dice),
        Value::Array(list) if dice.chance(60) => change_list(list, dice),
        Value::String(text) if dice.chance(75) => *node = change_text(text, dice),
        Value::Number(_) if dice.chance(75) => *node = dice.pick(&numbers()).clone(),
        Value::Array(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {
            *node = replacement(node, dice);
        }
    }
    changed
}

/// The places of all values.
fn places(contract: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![(String::new(), contract)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(section) => open.extend(section.iter().map(|(key, value)| {
                (format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), value)
            })),
            Value::Array(list) => {
                open.extend(list.iter().enumerate().map(|(at, value)| (format!("{path}/{at}"), value)));
            }
            Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {}
        }
        all.push(path);
    }
    all
}

fn numbers() -> Vec<Value> {
    vec![
        json!(-1),
        json!(0),
        json!(1),
        json!(4_294_967_295_u64),
        json!(4_294_967_296_u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.5),
        json!(3.0),
        json!(0.5),
        json!(1000.5),
        json!(1e30),
        json!("3"),
    ]
}

fn replacement(node: &Value, dice: &mut Dice) -> Value {
    let mut others = numbers();
    others.extend([
        json!(null),
        json!(true),
        json!(false),
        json!("true"),
        json!("false"),
        json!("1"),
        json!(""),
        json!("none"),
        json!("text"),
        json!("5m"),
        json!([]),
        json!({}),
        json!([node]),
        json!({"a": node}),
        json!([null]),
    ]);
    dice.pick(&others).clone()
}

fn change_section(section: &mut Map<String, Value>, dice: &mut Dice) {
    let names: Vec<String> = section.keys().cloned().collect();
    let name = if names.is_empty() { String::new() } else { dice.pick(&names).clone() };
    match dice.below(7) {
        0 | 1 => drop(section.remove(&name)),
        2 => drop(section.insert("unknown".to_owned(), anything(dice))),
        3 => drop(section.insert(format!("{name}s"), anything(dice))),
        4 => drop(section.insert("x-note".to_owned(), anything(dice))),
        5 => drop(section.insert(name.clone(), Value::Null)),
        _ => {
            if let Some(value) = section.remove(&name) {
                let odd = ["", "x", "X-a", "x-", " x-a", "no", "12", "null"];
                section.insert((*dice.pick(&odd)).to_owned(), value);
            }
        }
    }
}

fn change_list(list: &mut Vec<Value>, dice: &mut Dice) {
    match dice.below(4) {
        0 => list.clear(),
        1 => list.push(Value::Null),
        2 => list.push(anything(dice)),
        _ => {
            if let Some(first) = list.first().cloned() {
                list.push(first);
            }
        }
    }
}

fn change_text(text: &str, dice: &mut Dice) -> Value {
    if text == "at-least-once" && dice.chance(30) {
        return json!("exactly-once");
    }
    let characters: Vec<char> = text.chars().collect();
    let at = dice.below(characters.len());
    let mut changed = characters.clone();
    match dice.below(12) {
        0 if !characters.is_empty() => drop(changed.remove(at)),
        1 => changed.insert(at, *dice.pick(&['a', 'Z', '0', '9', '-', '_', '.', '/', '%', ' ', 'ß', ','])),
        2 => return json!(text.to_uppercase()),
        3 => return json!(format!("{text}x")),
        4 => return json!(format!("{text} ")),
        5 => return json!(format!("0{text}")),
        6 => return json!(format!("-{text}")),
        7 => return json!(format!("{text}{text}")),
        8 => return json!(text.repeat(60)),
        9 => return json!(text.trim_end_matches(char::is_alphabetic)),
        10 => {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            return digits.parse::<u64>().map_or(json!(1), Value::from);
        }
        _ => return json!(format!("999999999999999999{text}")),
    }
    json!(changed.into_iter().collect::<String>())
}
