//! The folder for a user's data.

use std::ffi::OsString;
use std::path::PathBuf;

/// Returns the folder of this program's data according to the user's variables: in
/// `$XDG_DATA_HOME`, else in `~/.local/share` (XDG Base Directory Specification). It need not exist
/// yet; `None` if neither that variable nor `HOME` is set.
pub fn data(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // The specification ignores relative paths.
    let data = named(&variable, "XDG_DATA_HOME").filter(|data| data.is_absolute());
    let data = data.or_else(|| Some(named(&variable, "HOME")?.join(".local/share")));
    Some(data?.join("steadfast"))
}

/// Returns the path in a variable; an empty variable counts as unset.
pub fn named(variable: impl Fn(&str) -> Option<OsString>, name: &str) -> Option<PathBuf> {
    let value = variable(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_data_folder_goes_before_home() {
        let data_with = |set: &[(&str, &str)]| {
            data(|name| {
                let (_, value) = set.iter().find(|(variable, _)| *variable == name)?;
                Some(OsString::from(value))
            })
        };
        let (xdg, home) = (("XDG_DATA_HOME", "/data"), ("HOME", "/home/me"));
        assert_eq!(data_with(&[xdg, home]), Some("/data/steadfast".into()));
        let at_home = Some("/home/me/.local/share/steadfast".into());
        assert_eq!(data_with(&[("XDG_DATA_HOME", "data"), home]), at_home);
        assert_eq!(data_with(&[("XDG_DATA_HOME", ""), home]), at_home);
        assert_eq!(data_with(&[]), None);
    }
}
