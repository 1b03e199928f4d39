//! How values are written in files, and the one text that represents each value.

use base::CpuSet;
use serde::{Deserialize, Serialize};

/// The form of a value in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    Text,
    /// One of several words, with the active one in brackets: `always [madvise] never`.
    Bracketed,
    /// One of several words, with the active one in parentheses: `none (voluntary) full`.
    InParentheses,
    /// CPUs as `0-3,5`.
    CpuList,
    /// CPUs as a mask of hexadecimal digits, with commas between groups of 32 bits.
    CpuMask,
    /// The cache's part of a resctrl group, one line per level; lines of other resources are
    /// ignored.
    Cache,
}

impl Form {
    /// Returns the value in the text of a file; `None` if the text has none.
    pub(crate) fn read(self, text: &str) -> Option<String> {
        let text = text.trim_matches(['\n', '\0', ' ', '\t']);
        match self {
            Self::Text => Some(text.to_owned()),
            Self::Bracketed => Some(between(text, '[', ']')),
            Self::InParentheses => Some(between(text, '(', ')')),
            Self::CpuList if text.is_empty() => Some(String::new()),
            Self::CpuList => Some(text.parse::<CpuSet>().ok()?.to_string()),
            Self::CpuMask => Some(CpuSet::of_mask(text)?.to_string()),
            Self::Cache => {
                let levels = text.lines().map(str::trim).filter(|l| l.starts_with('L'));
                let levels: Vec<String> = levels.map(without_padding).collect();
                Some(levels.join("\n"))
            }
        }
    }

    /// Returns the text to write for a value; `None` if the value does not have this form.
    pub(crate) fn written(self, value: &str) -> Option<String> {
        match self {
            Self::CpuMask => Some(value.parse::<CpuSet>().ok()?.mask()),
            Self::Cache => Some(format!("{value}\n")),
            _ => Some(value.to_owned()),
        }
    }
}

/// Returns masks without leading zeros, with which kernels before 6.14 read them back.
fn without_padding(level: &str) -> String {
    let mask = |mask: &str| match mask.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => digits.to_owned(),
    };
    let part = |part: &str| match part.rsplit_once('=') {
        Some((of, bits)) => format!("{of}={}", mask(bits)),
        None => part.to_owned(),
    };
    level.split(';').map(part).collect::<Vec<_>>().join(";")
}

/// Returns the word between two marks, or the whole text if it has none.
fn between(text: &str, open: char, close: char) -> String {
    let word = || Some(text.split_once(open)?.1.split_once(close)?.0);
    word().unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_active_word_is_read() {
        let thp = "always [madvise] never\n";
        assert_eq!(Form::Bracketed.read(thp).as_deref(), Some("madvise"));
        assert_eq!(Form::Bracketed.read("never\n").as_deref(), Some("never"));
        let preempt = "none voluntary (full) lazy \n";
        assert_eq!(Form::InParentheses.read(preempt).as_deref(), Some("full"));
        assert_eq!(Form::CpuList.read("0,1\n").as_deref(), Some("0-1"));
        let cache = "    MB:0=100\n    L3:0=7ff;1=7ff\n";
        assert_eq!(Form::Cache.read(cache).as_deref(), Some("L3:0=7ff;1=7ff"));
        let padded = Form::Cache.read("L3:0=01f;1=000\n");
        assert_eq!(padded.as_deref(), Some("L3:0=1f;1=0"));
    }

    #[test]
    fn odd_texts_have_a_value_or_none() {
        let seeds = [
            "always [madvise] never\n",
            "none (full)\n",
            "0-3,5",
            "0000ff,00000003",
            " L3:0=0ff;1=7f\n",
        ];
        let forms = [
            Form::Text,
            Form::Bracketed,
            Form::InParentheses,
            Form::CpuList,
            Form::CpuMask,
            Form::Cache,
        ];
        testing::try_corpus(&seeds, 3_000, |input| {
            let text = String::from_utf8_lossy(input);
            for form in forms {
                let _ = form.read(&text).and_then(|value| form.written(&value));
            }
        });
    }
}
