//! Plan files: reads TOML into the runs that it requests.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Error, Result};
use toml::de::{DeTable, DeValue};

use super::cross::{Reading, Written, combinations, crossed, expect_few};
use crate::options::request::values::{self, Mistake, Value, misspelt};

#[derive(Debug)]
pub(crate) struct PlanFile {
    /// The plan's name, if it has one; otherwise the file's name is used.
    pub(crate) name: Option<String>,
    pub(crate) is_random: bool,
    pub(crate) seed: Option<u32>,
    pub(crate) repeat: NonZero<usize>,
    pub(crate) runs: Vec<Written>,
}

impl Reading<'_> {
    pub(crate) fn read(&self, file: &str, text: &str) -> Result<PlanFile> {
        let directory = self.directory.or_else(|| Path::new(file).parent());
        let reading = Reading { directory, ..*self };
        parsed(&reading, text).map_err(|mistake| Error::msg(mistake.message(file, text)))
    }
}

const KEYS: [&str; 5] = ["name", "order", "seed", "repeat", "run"];
const EXPECTED: &str = "expected name, order, seed, repeat, and [[run]] once or more";

fn parsed(reading: &Reading<'_>, text: &str) -> Result<PlanFile, Mistake> {
    let document = DeTable::parse(text).map_err(|error| Mistake::of_syntax(&error))?;
    let mut plan = PlanFile {
        name: None,
        is_random: true,
        seed: None,
        repeat: NonZero::<usize>::MIN,
        runs: Vec::new(),
    };
    for (key, value) in document.get_ref() {
        match key.get_ref().as_ref() {
            "name" => plan.name = Some(name(value)?),
            "order" => plan.is_random = is_random(value)?,
            "seed" => {
                let expected = "a whole number from 0 to 4294967295 as seed";
                plan.seed = Some(values::number(value, expected)?);
            }
            "repeat" => plan.repeat = values::number(value, "a whole number above 0")?,
            "run" => plan.runs = runs(reading, value)?,
            other => {
                let what = format!("`{other}` is not a key of a plan; {EXPECTED}");
                let strange = Mistake::on(key, what);
                return Err(misspelt(document.get_ref(), &KEYS).unwrap_or(strange));
            }
        }
    }
    if plan.runs.is_empty() {
        return Err(Mistake::at(0, format!("the plan has no run; {EXPECTED}")));
    }
    expect_few(0, plan.runs.len().saturating_mul(plan.repeat.get()))?;
    Ok(plan)
}

fn name(value: &Value) -> Result<String, Mistake> {
    match value.get_ref() {
        DeValue::String(name) if !name.trim().is_empty() && !name.contains(char::is_control) => {
            Ok(name.trim().to_owned())
        }
        _ => Err(Mistake::on(value, "expected a name in quotes")),
    }
}

fn is_random(value: &Value) -> Result<bool, Mistake> {
    match value.get_ref().as_str() {
        Some("random") => Ok(true),
        Some("as-written") => Ok(false),
        _ => Err(Mistake::on(value, "expected \"random\" or \"as-written\"")),
    }
}

/// Returns the runs of all tables; equal runs only once.
fn runs(reading: &Reading<'_>, value: &Value) -> Result<Vec<Written>, Mistake> {
    let expected = |wrong| Mistake::on(wrong, "expected [[run]], a table in two brackets");
    let (mut runs, mut known, mut places) = (Vec::new(), BTreeSet::new(), Vec::new());
    let tables = value.get_ref().as_array().ok_or_else(|| expected(value))?.iter();
    let tables = tables.map(|table| {
        let keys = table.get_ref().as_table().ok_or_else(|| expected(table))?;
        Ok((table.span().start, keys))
    });
    let tables = tables.collect::<Result<Vec<_>, Mistake>>()?;
    let mut count = 0usize;
    for (at, keys) in &tables {
        count = count.saturating_add(combinations(reading, *at, keys)?);
        expect_few(*at, count)?;
    }
    for (at, keys) in tables {
        let new = crossed(reading, at, keys, &mut places)?.into_iter();
        // Words such as `cores` and `cpus` can mean the same number.
        runs.extend(new.filter(|run| known.insert((run.place.to_string(), run.spec.key()))));
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> PlanFile {
        Reading::default().read("plan.toml", text).unwrap()
    }

    fn lines(text: &str) -> Vec<String> {
        read(text).runs.into_iter().map(|run| run.line).collect()
    }

    /// Returns how many runs the tables of a plan mean, if that can be said.
    fn count(text: &str) -> Option<usize> {
        let document = DeTable::parse(text).ok()?;
        let tables = document.get_ref().get("run")?.get_ref().as_array()?.iter();
        let counted = tables.map(|table| {
            let keys = table.get_ref().as_table()?;
            combinations(&Reading::default(), table.span().start, keys).ok()
        });
        counted.sum()
    }

    /// Plans of many runs are counted only, because each run takes memory that a user expects.
    #[test]
    fn odd_files_are_read_or_refused_where_they_are_wrong() {
        let ready = super::super::READY.iter().map(|ready| ready.text);
        let own = "name = \"odd\"\nseed = 3\nrepeat = 2\norder = \"as-written\"\n\
            [[run]]\nmeasurement = [\"wakeup\", \"fifo_write\"]\nseconds = [0.1, 1]\n\
            policy = \"other\"\nload = [\"none\", \"cpu%50+network\"]\nthreshold = \"50us\"\n\
            [[run]]\nmeasurement = \"tire\"\nmasses = { from = 8, to = 24, step = 8 }\n";
        let seeds: Vec<&str> = ready.chain([own]).collect();
        testing::try_corpus(&seeds, 500, |input| {
            let text = String::from_utf8_lossy(input);
            // Another machine would be asked.
            if text.contains("target") || text.contains("peer") || count(&text) > Some(300) {
                return;
            }
            match Reading::default().read("odd.toml", &text) {
                Ok(plan) => assert!(!plan.runs.is_empty()),
                Err(why) => {
                    let why = why.to_string();
                    assert!(why.starts_with("odd.toml:") && !why.contains('\n'), "{why}");
                }
            }
        });
    }

    #[test]
    fn lists_cross_and_the_last_key_varies_first() {
        let text = r#"
            [[run]]
            measurement = ["wakeup", "task_switch"]
            load = ["none", "cpu%50+network"]
            seconds = 0.5
            period = ["1ms", "2ms"]
        "#;
        let expected = [
            "wakeup --load none --seconds 0.5 --period 1ms",
            "wakeup --load none --seconds 0.5 --period 2ms",
            "wakeup --load cpu%50+network --seconds 0.5 --period 1ms",
            "wakeup --load cpu%50+network --seconds 0.5 --period 2ms",
            "task_switch --load none --seconds 0.5",
            "task_switch --load cpu%50+network --seconds 0.5",
        ];
        assert_eq!(lines(text), expected);
    }

    #[test]
    fn a_line_means_what_it_means_after_steadfast_run() {
        let text = "run = [{ measurement = \"wakeup\", policy = [\"other\", \"rr:7\"], \
                    threshold = \"50us\", \
                    stop-at = [\"90us\", \"2ms\"], \
                    cpus = 0, memory = \"unlocked\", idle-states = \"leave\", period = \"3ms\" }]";
        for run in read(text).runs {
            let typed = crate::command::run::line::specs_of(&run.line).unwrap();
            assert_eq!(typed, [run.spec], "{}", run.line);
        }
    }

    #[test]
    fn paths_count_from_the_plan() {
        let text = "[[run]]\nmeasurement = \"model\"\nrate = \"1kHz\"\nstep = \"f\"\nlibrary = [\"a.so\", \"/b.so\"]\n";
        let line = |file: &str, directory: Option<&str>| {
            let directory = directory.map(Path::new);
            let reading = Reading { directory, ..Reading::default() };
            reading.read(file, text).unwrap_err().to_string()
        };
        assert!(line("models/plan.toml", None).contains("--library: models/a.so"));
        assert!(line("plan.toml", None).contains("--library: a.so"));
        assert!(line("copies/plan.toml", Some("models")).contains("--library: models/a.so"));
    }

    #[test]
    fn a_requested_target_is_in_every_line_that_names_none() {
        let reading = Reading {
            begin: &|request| request.place = "vm:mine".parse().unwrap(),
            ..Reading::default()
        };
        let text = "run = [{ measurement = \"wakeup\" }, { measurement = \"wakeup\", target = \"vm:other\" }]";
        let runs = reading.read("plan.toml", text).unwrap().runs;
        let lines: Vec<&str> = runs.iter().map(|run| &*run.line).collect();
        assert_eq!(lines, ["wakeup --target vm:mine", "wakeup --target vm:other"]);
    }

    #[test]
    fn a_misspelt_key_is_shown_where_it_is() {
        let message = |text| Reading::default().read("plan.toml", text).unwrap_err().to_string();
        assert_eq!(
            message("[[run]]\nperiod = \"1ms\"\nmesurement = \"wakeup\""),
            "plan.toml:3:1: `mesurement` is not a key here; did you mean `measurement`?"
        );
        assert_eq!(
            message("[[rum]]\nmeasurement = \"wakeup\""),
            "plan.toml:1:3: `rum` is not a key here; did you mean `run`?"
        );
    }

    #[test]
    fn a_measurement_that_no_late_sample_can_end_is_refused_at_the_key() {
        let text = "[[run]]\nmeasurement = [\"wakeup\", \"frame\"]\nstop-at = \"1ms\"\n";
        let mistake = Reading::default().read("plan.toml", text).unwrap_err().to_string();
        assert!(mistake.starts_with("plan.toml:3:11: --stop-at: frame cannot"), "{mistake}");
    }

    #[test]
    fn equal_tables_count_before_their_runs_are_made() {
        let table = "[[run]]\nmeasurement = \"tire\"\nmasses = {from = 4, to = 60000, step = 4}\n";
        let mistake = Reading::default().read("plan.toml", &table.repeat(300)).unwrap_err();
        assert!(mistake.to_string().contains("at most 100000"), "{mistake}");
    }

    #[test]
    fn a_value_is_refused_where_it_is_before_the_runs_after_it_are_made() {
        let text = "[[run]]\nmeasurement = \"tire\"\nmasses = {from = 4, to = 100000, step = 1}\n";
        let mistake = Reading::default().read("plan.toml", text).unwrap_err().to_string();
        assert!(mistake.starts_with("plan.toml:3:"), "{mistake}");
        assert!(mistake.contains("5 masses: expected a multiple of 4"), "{mistake}");
    }

    #[test]
    fn a_range_has_both_ends_and_equal_runs_are_made_once() {
        let text = "
            [[run]]
            measurement = \"tire\"
            masses = { from = 8, to = 24, step = 8 }
            [[run]]
            measurement = \"tire\"
            masses = [16, 40, \"40\"]
        ";
        let masses = [8, 16, 24, 40].map(|n| format!("tire --masses {n}"));
        assert_eq!(lines(text), masses);
    }
}
