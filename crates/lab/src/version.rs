//! The order of Debian's version numbers (Debian Policy, section 5.6.12).

use std::cmp::Ordering;

/// Compares `[epoch:]upstream[-revision]`.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    let pairs = parts(one).into_iter().zip(parts(other));
    pairs.map(|(one, other)| compare_part(one, other)).fold(Ordering::Equal, Ordering::then)
}

fn parts(version: &str) -> [&str; 3] {
    let (epoch, rest) = version.split_once(':').unwrap_or(("", version));
    let (upstream, revision) = rest.rsplit_once('-').unwrap_or((rest, ""));
    [epoch, upstream, revision]
}

/// Compares alternating texts and numbers: texts by [`rank`], numbers by value.
fn compare_part(mut one: &str, mut other: &str) -> Ordering {
    while !(one.is_empty() && other.is_empty()) {
        let texts = (take(&mut one, is_text), take(&mut other, is_text));
        let numbers = (take(&mut one, is_digit), take(&mut other, is_digit));
        let order =
            compare_text(texts.0, texts.1).then_with(|| compare_number(numbers.0, numbers.1));
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_text(c: char) -> bool {
    !is_digit(c)
}

/// Removes and returns the beginning of a text that belongs together.
fn take<'a>(text: &mut &'a str, belongs: fn(char) -> bool) -> &'a str {
    let end = text.find(|c| !belongs(c)).unwrap_or(text.len());
    let (taken, rest) = text.split_at(end);
    *text = rest;
    taken
}

fn compare_text(one: &str, other: &str) -> Ordering {
    let length = one.len().max(other.len());
    let ranks = |text: &str| -> Vec<u32> {
        let ranks = text.chars().map(Some).chain(std::iter::repeat(None));
        ranks.take(length).map(rank).collect()
    };
    ranks(one).cmp(&ranks(other))
}

/// Ranks a character: a tilde sorts before the end, the end before letters, letters before the
/// rest.
fn rank(c: Option<char>) -> u32 {
    match c {
        Some('~') => 0,
        None => 1,
        Some(c) if c.is_ascii_alphabetic() => u32::from(c),
        Some(c) => u32::from(c) + 256,
    }
}

fn compare_number(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.trim_start_matches('0'), other.trim_start_matches('0'));
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_versions_have_one_order() {
        let seeds = ["1:6.1.192-1+b1\n6.12.9-1~bpo12+1", "6.12.10-1\n007.3~rc1-2"];
        testing::try_corpus(&seeds, 3_000, |input| {
            let text = String::from_utf8_lossy(input);
            let (one, other) = text.split_once('\n').unwrap_or((&text, "6.1"));
            assert_eq!(compare(one, other), compare(other, one).reverse());
            assert_eq!(compare(one, one), Ordering::Equal);
        });
    }

    #[test]
    fn versions_are_in_debians_order() {
        let ascending = [
            "1.0~~",
            "1.0~~a",
            "1.0~",
            "1.0",
            "1.0a",
            "1.0+",
            "6.1.99-1",
            "6.1.148-1",
            "6.1.192-1",
            "6.1.192-1+b1",
            "6.1.192-2",
            "6.12.9-1~bpo12+1",
            "6.12.9-1",
            "6.12.10-1",
            "1:0.1",
        ];
        for (at, one) in ascending.iter().enumerate() {
            for (other_at, other) in ascending.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&other_at), "{one} and {other}");
            }
        }
    }

    #[test]
    fn leading_zeros_make_no_difference() {
        assert_eq!(compare("6.01-1", "6.1-01"), Ordering::Equal);
        assert_eq!(compare("0:6.1", "6.1-0"), Ordering::Equal);
    }
}
