//! Settings of a model's variables, `NAME=VALUE`, as one text.

/// The word for no value, such as no address.
pub const NOWHERE: &str = "none";

/// Separates settings; twice, it is a part of one.
const SEPARATOR: char = ';';
const IN_A_SETTING: &str = ";;";

/// Returns settings as one text, from which [`settings_in`] returns them again.
pub fn joined_settings(settings: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let settings = settings.into_iter();
    let escaped = settings.map(|one| one.as_ref().replace(SEPARATOR, IN_A_SETTING));
    escaped.collect::<Vec<_>>().join(&SEPARATOR.to_string())
}

/// Returns the text of options as a user typed them: a single one may have several settings, and in
/// several of them a `;` is a part of a setting.
pub fn typed_settings(typed: &[String]) -> String {
    match typed {
        [only] => only.clone(),
        several => joined_settings(several),
    }
}

/// Splits a text into settings; returns none for the word [`NOWHERE`].
///
/// # Errors
/// If an item is not `NAME=VALUE`; the message names the first such item. A value may be empty.
pub fn settings_in(text: &str) -> Result<Vec<String>, String> {
    // No control character is accepted.
    const HELD: &str = "\0";
    let apart = text.replace(IN_A_SETTING, HELD);
    let items = apart.split(SEPARATOR).map(str::trim).filter(|one| *one != NOWHERE);
    items
        .map(|one| {
            let (name, _) = one.split_once('=').unwrap_or_default();
            let one = one.replace(HELD, &SEPARATOR.to_string());
            match !name.trim().is_empty() && !text.contains(char::is_control) {
                true => Ok(one),
                false => Err(format!("{one:?} is not NAME=VALUE")),
            }
        })
        .collect()
}

/// Splits a text into the names and values of settings. Both may contain `=`: a name is the longest
/// one that is known, or else ends at the first `=`. A known name may contain `;`, too.
///
/// # Errors
/// As [`settings_in`], and if a name is set twice.
pub fn named_settings(
    text: &str,
    is_known: impl Fn(&str) -> bool,
) -> Result<Vec<(String, String)>, String> {
    let mut settings: Vec<String> = Vec::new();
    for item in settings_in(text)? {
        match settings.last_mut().filter(|last| !is_known(split(last, &is_known).0)) {
            Some(last) => *last += &format!("{SEPARATOR}{item}"),
            None => settings.push(item),
        }
    }
    let mut all: Vec<(String, String)> = Vec::new();
    for setting in &settings {
        let (name, value) = split(setting, &is_known);
        if all.iter().any(|(known, _)| known == name) {
            return Err(format!("`{name}` is set twice"));
        }
        all.push((name.to_owned(), value.to_owned()));
    }
    Ok(all)
}

fn split(setting: &str, is_known: impl Fn(&str) -> bool) -> (&str, &str) {
    let splits = || {
        let places = setting.match_indices('=').map(|(at, _)| setting.split_at(at));
        places.map(|(name, value)| (name.trim(), value[1..].trim()))
    };
    let known = splits().filter(|(name, _)| is_known(name)).last();
    known.or_else(|| splits().next()).unwrap_or((setting, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_settings_are_one_text() {
        assert_eq!(settings_in("none"), Ok(vec![]));
        let typed = "k=2.5;x[1,2] = -1;s=a=b;empty=";
        assert_eq!(settings_in(typed).unwrap(), ["k=2.5", "x[1,2] = -1", "s=a=b", "empty="]);
        for text in ["", "k", "=1", "k=1;", "k=1\n2", "k=1\x002"] {
            assert!(settings_in(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn settings_are_read_back_from_the_text_that_joins_them() {
        for all in [&["k=1", "p=/data/a;b=c.csv"][..], &["p=a;", "q=;;b"], &["'a=b;c'=7"]] {
            assert_eq!(settings_in(&joined_settings(all)).unwrap(), all);
        }
        let typed = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            settings_in(&typed_settings(&words)).unwrap()
        };
        assert_eq!(typed(&["k=1;p=a;;b"]), ["k=1", "p=a;b"]);
        assert_eq!(typed(&["k=1", "p=a;b"]), ["k=1", "p=a;b"]);
    }

    #[test]
    fn the_name_of_a_setting_is_the_longest_known_one() {
        let known = ["k", "q", "q=r", "'a=b;c'"];
        let split = |text| named_settings(text, |name| known.contains(&name));
        for (text, name, value) in [
            ("k = 2", "k", "2"),
            ("q=r=7", "q=r", "7"),
            ("'a=b;c'=7", "'a=b;c'", "7"),
            ("k=a=b", "k", "a=b"),
            ("other=a=b", "other", "a=b"),
            ("k=", "k", ""),
        ] {
            assert_eq!(split(text).unwrap(), [(name.to_owned(), value.to_owned())], "{text}");
        }
        let all = split("q=r=7;'a=b;c'=8;k=1").unwrap();
        let names: Vec<&str> = all.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["q=r", "'a=b;c'", "k"]);
        assert_eq!(split("k=1;k=2").unwrap_err(), "`k` is set twice");
    }
}
