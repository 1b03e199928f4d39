//! Suggestions for a name that does not exist.

/// Names that are more alike than this, on a scale from 0 to 1, may have been meant for each other.
const ALIKE: f64 = 0.6;

/// A longer list does not fit on one line.
const FEW: usize = 8;

/// Returns the text that follows an unknown name: the most similar known name, and the known names
/// if they are few or none is similar; or that there are no known names.
pub fn expected<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let more = known.len().saturating_sub(FEW);
    let all = match more {
        _ if known.is_empty() => "there are none".to_owned(),
        0 | 1 => format!("expected one of {}", known.join(", ")),
        _ => format!("expected one of {}, or {more} others", known[..FEW].join(", ")),
    };
    match nearest(typed, known) {
        Some(name) if more > 1 => format!("did you mean `{name}`?"),
        Some(name) => format!("did you mean `{name}`? {all}"),
        None => all,
    }
}

/// Returns the same for names that a command lists, such as `steadfast list`.
pub fn expected_of<'n>(
    typed: &str,
    known: impl IntoIterator<Item = &'n str>,
    command: &str,
) -> String {
    match nearest(typed, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("`{command}` lists all"),
    }
}

/// Returns the known name that is most like what was typed, if one is similar enough.
pub fn nearest<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let likeness = |name| strsim::normalized_damerau_levenshtein(typed, name);
    let rated = known.into_iter().map(|name| (name, likeness(name)));
    rated
        .filter(|(_, likeness)| *likeness > ALIKE)
        .max_by(|(_, one), (_, other)| one.total_cmp(other))
        .map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_and_no_distant_one() {
        let suggested = |typed| expected(typed, ["wakeup", "tire", "frame"]);
        let all = "expected one of wakeup, tire, frame";
        assert_eq!(suggested("wakeups"), format!("did you mean `wakeup`? {all}"));
        assert_eq!(suggested("frmae"), format!("did you mean `frame`? {all}"));
        assert_eq!(suggested("nonsense"), all);
    }

    #[test]
    fn long_lists_are_not_printed_on_one_line() {
        let letters = ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j10"];
        assert_eq!(expected("i99", letters), "did you mean `i9`?");
        let all = "expected one of a1, b2, c3, d4, e5, f6, g7, h8, or 2 others";
        assert_eq!(expected("nonsense", letters), all);
        assert!(expected("nonsense", letters[..9].iter().copied()).ends_with(", h8, i9"));
        let of = |typed| expected_of(typed, letters, "steadfast list");
        assert_eq!(of("nonsense"), "`steadfast list` lists all");
        assert_eq!(of("i99"), "did you mean `i9`?");
    }
}
