//! Suggestions for a name that does not exist.

/// Names that are more alike than this, on a scale from 0 to 1, may have been meant for each other.
const ALIKE: f64 = 0.6;

/// Returns the text that lists the known names after an unknown one was typed, with the most
/// similar name first.
#[must_use]
pub fn expected<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let all = format!("expected one of {}", known.join(", "));
    match nearest(typed, known) {
        Some(name) => format!("did you mean `{name}`? {all}"),
        None => all,
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
}
