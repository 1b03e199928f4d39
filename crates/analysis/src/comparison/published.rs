//! Published systems that are shown with measured ones.

use std::str::FromStr;

use crate::lists::each_once;
use crate::published::latencies;
use crate::words;

/// Published systems that are shown, by the first word of their names in the publications.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published(Vec<String>);

impl FromStr for Published {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim();
        let mut selected = names();
        selected.retain(|known| name == "all" || known.eq_ignore_ascii_case(name));
        if selected.is_empty() {
            let known: Vec<String> = names().iter().map(|name| name.to_lowercase()).collect();
            let known = words::listed(&known);
            return Err(format!(
                "no published figures are known for `{name}`; expected {known} or all"
            ));
        }
        Ok(Self(selected))
    }
}

/// Returns the first word of each system's name, once.
fn names() -> Vec<String> {
    each_once(latencies().iter().map(|latency| first_word(&latency.system).to_owned()))
}

fn first_word(name: &str) -> &str {
    name.split([' ', ',']).next().unwrap_or_default()
}

impl Published {
    pub(super) fn all() -> Self {
        Self(names())
    }

    pub fn merged(all: Vec<Self>) -> Self {
        Self(all.into_iter().flat_map(|published| published.0).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, system: &str) -> bool {
        self.0.iter().any(|name| name == first_word(system))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_of_a_name_selects_a_system() {
        let read = |text: &str| text.parse::<Published>();
        assert_eq!(read("xenomai").unwrap().0, ["Xenomai"]);
        assert_eq!(read("Preempt_RT").unwrap().0, ["PREEMPT_RT"]);
        assert_eq!(read("all").unwrap().0, ["RTAI", "Xenomai", "PREEMPT_RT", "Linux"]);
        let error = read("vrtx").unwrap_err();
        assert!(error.contains("`vrtx`") && error.contains("rtai, xenomai"), "{error}");
        let linux = read("linux").unwrap();
        assert!(linux.has("Linux 2.6.38") && !linux.has("Xenomai 2.6.2.1, Linux 3.5.7"));
    }
}
