//! The word that was most likely meant.

/// Up to three of `words` that are few typing errors away from `word`, the nearest first.
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // A third of the letters wrong is a slip; more is another word.
    let most = word.chars().count().div_ceil(3).max(1);
    let mut near: Vec<(usize, &str)> = words
        .into_iter()
        .map(|other| (distance(&word.to_lowercase(), &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().take(3).map(|(_, other)| other).collect()
}

/// A help that names the nearest words, or else where all of them stand.
pub fn suggestion<'a>(word: &str, words: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    match nearest(word, words).as_slice() {
        [] => otherwise.to_owned(),
        [one] => format!("`{one}` is the nearest"),
        [first, rest @ ..] => format!("the nearest are `{first}` and `{}`", rest.join("` and `")),
    }
}

/// How many letters to insert, drop, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    // Nobody types such a word by mistake; it would only cost time.
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in b.iter().enumerate() {
            let replace = at(&last, j) + usize::from(letter != other);
            let mut best = replace.min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(other) && b.get(j - 1) == Some(letter);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    at(&last, b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_apart() {
        for (a, b, apart) in
            [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3), ("", "ab", 2)]
        {
            assert_eq!(distance(a, b), apart, "{a} {b}");
        }
    }

    #[test]
    fn only_near_words_are_offered() {
        let words = ["select", "ignore", "fail-on", "levels", "level"];
        assert_eq!(nearest("selct", words), ["select"]);
        assert_eq!(nearest("lvels", words), ["levels", "level"]);
        assert!(nearest("zebra", words).is_empty());
        assert_eq!(suggestion("zebra", words, "see the list"), "see the list");
    }
}
