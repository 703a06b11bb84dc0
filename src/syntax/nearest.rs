//! Which known name somebody may have meant.

/// The names of `known` that are near to `word`, the nearest first; equally near ones keep their order.
///
/// Case and separators do not count, so `maxRetries` is `max_retries`. Two letters may differ in a
/// long name, one in a name of three to five letters.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // A longer word is no slip of the pen, and the comparison costs its length.
    if word.len() > 80 {
        return Vec::new();
    }
    let meant = letters(word);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let name_letters = letters(name);
            let allowed = (name_letters.len().min(meant.len()) / 3).min(2);
            if name_letters.len().abs_diff(meant.len()) > allowed {
                return None;
            }
            Some((distance(&meant, &name_letters), name)).filter(|(far, _)| *far <= allowed)
        })
        .collect();
    near.sort_by_key(|(far, _)| *far);
    near.into_iter().map(|(_, name)| name).collect()
}

fn letters(word: &str) -> Vec<char> {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How many letters must be put in, left out, replaced or swapped with their neighbour.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (row, letter) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in to.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&above, column) + usize::from(letter != other);
            let mut best = replaced.min(at(&above, column + 1) + 1).min(at(&current, column) + 1);
            let swapped = row > 0
                && column > 0
                && from.get(row - 1) == Some(other)
                && to.get(column - 1) == Some(letter);
            if swapped {
                best = best.min(at(&before, column - 1) + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(0)
}

/// The names as `` `a`, `b` or `c` ``.
pub fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}
