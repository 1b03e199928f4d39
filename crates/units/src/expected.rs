//! What to type in place of a name that there is not.

/// How alike two names are from which on one may have been meant for the other, from 0 to 1.
const ALIKE: f64 = 0.6;

/// What there is in place of a name that there is not, the one first that is most like it.
#[must_use]
pub fn expected<'n>(typed: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let all = format!("there are {}", known.join(", "));
    let likeness = known.iter().map(|name| strsim::normalized_damerau_levenshtein(typed, name));
    let nearest = known.iter().zip(likeness).max_by(|(_, one), (_, other)| one.total_cmp(other));
    match nearest {
        Some((name, likeness)) if likeness > ALIKE => format!("did you mean `{name}`? {all}"),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_told_first_and_none_that_is_far() {
        let told = |typed| expected(typed, ["wakeup", "tire", "frame"]);
        let all = "there are wakeup, tire, frame";
        assert_eq!(told("wakeups"), format!("did you mean `wakeup`? {all}"));
        assert_eq!(told("frmae"), format!("did you mean `frame`? {all}"));
        assert_eq!(told("nonsense"), all);
    }
}
