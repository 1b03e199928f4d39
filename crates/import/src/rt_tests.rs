//! What all JSON files of rt-tests have: the tool, its version, the machine and the start.

use std::time::{Duration, UNIX_EPOCH};

use record::Machine;
use serde_json::Value;

use crate::command::Command;
use crate::content::Content;
use crate::json::{Object, expect_form, object, text};
use crate::stated::Stated;
use crate::{Flaw, Unit};

/// The value of `file_version` in files of the known form.
const FORM: u64 = 1;
/// Versions whose files were compared with what the tools print, as they state them: 2.4, 2.6 and 2.10.
const TRIED: [&str; 3] = ["2.40", "2.60", "2.10"];

/// Returns the command line of a JSON file of rt-tests. Versions up to 2.10 end the names of two members with a
/// colon.
pub(crate) fn command(content: &Content) -> Option<Command> {
    let file = content.json()?.as_object()?;
    file.get("file_version")?;
    text(file, "cmdline:").or_else(|| text(file, "cmdline")).map(Command::of)
}

/// Whether a file is one that this tool of rt-tests writes with `--json`.
pub(crate) fn is_of(content: &Content, tool: &str) -> bool {
    command(content).is_some_and(|command| command.tool() == tool)
}

/// Returns the file with what it states about tool, machine and start.
pub(crate) fn opened<'v>(content: &'v Content) -> Result<(&'v Object, Stated), Flaw> {
    let file =
        content.json().and_then(Value::as_object).ok_or_else(|| Flaw::missing("JSON object"))?;
    expect_form(file, "file_version", FORM)?;
    let version = text(file, "rt_test_version:").or_else(|| text(file, "rt_test_version"));
    let sysinfo = object(file, "sysinfo").ok();
    let mut stated = Stated {
        version: version.map(str::to_owned),
        machine: sysinfo.map(machine).unwrap_or_default(),
        started_unix_ns: text(file, "start_time").and_then(moment),
        ..Stated::default()
    };
    stated.warn_if_untried();
    let threads = object(file, "thread").map_or(0, Object::len);
    let said = file.get("num_threads").and_then(Value::as_u64);
    if let Some(said) = said.filter(|said| *said != threads as u64) {
        stated.warn(
            format!("the file contradicts itself: it states {said} threads and has {threads}"),
            "measure again, or use only figures that you can check",
        );
    }
    Ok((file, stated))
}

impl Stated {
    /// Adds a trap if the stated version of rt-tests is none of those that were tried.
    pub(crate) fn warn_if_untried(&mut self) {
        let Some(version) = self.version.as_deref().filter(|version| !TRIED.contains(version))
        else {
            return;
        };
        self.warn(
            format!("version {version} of rt-tests was not tried: known are 2.4, 2.6 and 2.10"),
            "compare the figures with those that the tool printed",
        );
    }
}

/// Returns what uname says; the name of the host is left out, because it identifies the machine.
pub(crate) fn machine(sysinfo: &Object) -> Machine {
    let word = |name| text(sysinfo, name).unwrap_or_default().to_owned();
    let version = word("version");
    let preemption = if version.contains("PREEMPT_RT") { "rt" } else { "" };
    Machine {
        architecture: word("machine"),
        kernel_release: word("release"),
        kernel_version: version,
        preemption: preemption.to_owned(),
        ..Machine::default()
    }
}

/// Returns the unit of times: nanoseconds where a file, or its part about the system, says that they resolve these.
pub(crate) fn unit(file: &Object) -> Unit {
    match file.get("resolution_in_ns").and_then(Value::as_u64) {
        Some(1) => Unit::Nanoseconds,
        _ => Unit::Microseconds,
    }
}

/// Parses a time such as `Mon, 30 Nov 2026 15:00:39 +0000` (RFC 5322), to nanoseconds since 1970.
fn moment(text: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, day, month, year, clock, zone] = words.as_slice() else { return None };
    let month = MONTHS.find(month).filter(|_| month.len() == 3)? / 3 + 1;
    let utc = humantime::parse_rfc3339(&format!("{year}-{month:02}-{day:0>2}T{clock}Z")).ok()?;
    let (sign, zone) = zone.split_at_checked(1)?;
    let (hours, minutes) = zone.split_at_checked(2)?;
    let offset =
        Duration::from_secs(hours.parse::<u64>().ok()? * 3600 + minutes.parse::<u64>().ok()? * 60);
    let utc = if sign == "-" { utc.checked_add(offset)? } else { utc.checked_sub(offset)? };
    utc.duration_since(UNIX_EPOCH).ok()?.as_nanos().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn moments_have_their_zone() {
        let utc = moment("Mon, 30 Nov 2026 15:00:39 +0000").unwrap();
        assert_eq!(utc, 1_796_050_839_000_000_000);
        assert_eq!(moment("Mon, 30 Nov 2026 17:30:39 +0230"), Some(utc));
        assert_eq!(moment("Mon, 30 Nov 2026 10:00:39 -0500"), Some(utc));
        for odd in [
            "",
            "yesterday",
            "Mon, 30 Xyz 2026 15:00:39 +0000",
            "Mon, 99 Nov 2026 15:00:39 +0000",
            "a b c d e é",
        ] {
            assert_eq!(moment(odd), None, "{odd}");
        }
    }
}
