//! Reads the output of the firmware: plain text, one line per test.

use std::collections::BTreeMap;

use stats::{Distribution, Sample};

use super::sha256;

/// The first line: the format and its version.
const FORMAT: &str = "steadfast-freertos 1";
const END: &str = "end";

/// The tests whose times the firmware must report, in the order in which they are shown: the name
/// that the firmware uses, and the label for users.
pub const TESTS: &[(&str, &str)] = &[
    ("task_switch", "task switch, by yielding"),
    ("preemption_by_timer", "preemption, by the kernel's tick"),
    ("preemption_by_semaphore", "preemption, by a semaphore"),
    ("interrupt", "interrupt, from expiry to the task"),
    ("interrupt_to_handler", "interrupt, from expiry to its handler"),
    ("semaphore_shuffle_contended", "semaphore shuffle, contended"),
    ("semaphore_shuffle_uncontended", "semaphore shuffle, uncontended"),
    ("deadlock_break_contended", "deadlock break, lock held for 1 ms"),
    ("deadlock_break_free", "deadlock break, free lock"),
    ("message_transfer", "message transfer, 16 bytes by a queue"),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    pub kernel: String,
    /// Length of a tick of its clock in nanoseconds, which is also the resolution.
    pub tick_ns: u64,
    /// The times of [`TESTS`], in the same order.
    pub times: Vec<Times>,
    /// Other counts, by their names.
    pub counts: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Times {
    pub name: &'static str,
    pub label: &'static str,
    /// Times in nanoseconds, in the order in which they were measured; never empty.
    pub values_ns: Vec<u64>,
}

impl Times {
    /// Returns the distribution of the times. It does not contain when each was measured, which is
    /// unknown.
    pub fn distribution(&self) -> Option<Distribution> {
        let samples = self.values_ns.iter().zip(0..);
        Distribution::of(samples.map(|(value, index)| Sample {
            value_ns: *value as i64,
            index,
            at_ns: 0,
        }))
    }
}

impl Figures {
    /// The error says what is wrong with the output.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(FORMAT) {
            return Err(format!("it does not begin with `{FORMAT}`"));
        }
        let mut heads = BTreeMap::new();
        let mut ended = false;
        for line in lines {
            if let Some(why) = line.strip_prefix("failed ") {
                return Err(format!("it failed: {why}"));
            }
            let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (head, rest) = match head {
                "count" => rest.split_once(' ').unwrap_or((rest, "")),
                _ => (head, rest),
            };
            ended = head == END;
            heads.insert(head, rest);
        }
        if !ended {
            return Err(format!("it ended before its `{END}`"));
        }
        let figures = Self::from_lines(&heads)?;
        figures.holds_together()?;
        Ok(figures)
    }

    fn from_lines(heads: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let find = |name: &str| heads.get(name).ok_or_else(|| format!("it has no {name}"));
        let number =
            |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
        let tick_ns = number(find("tick_ns")?)?;
        let times = |(name, label): &(&'static str, &'static str)| {
            let ticks = find(name)?.split_whitespace();
            let to_ns = |ticks| {
                let ns = number(ticks)?.checked_mul(tick_ns);
                ns.ok_or_else(|| format!("{ticks} ticks is too large"))
            };
            let values_ns = ticks.map(to_ns).collect::<Result<Vec<u64>, String>>()?;
            if values_ns.is_empty() {
                return Err(format!("it has no times for {name}"));
            }
            Ok(Times { name, label, values_ns })
        };
        let count = |name: &&str| Ok(((*name).to_owned(), number(find(name)?)?));
        Ok(Self {
            kernel: (*find("kernel")?).to_owned(),
            tick_ns,
            times: TESTS.iter().map(times).collect::<Result<_, String>>()?,
            counts: COUNTS.iter().map(count).collect::<Result<_, String>>()?,
        })
    }

    /// Checks that shared and sent data arrived intact.
    fn holds_together(&self) -> Result<(), String> {
        let taken = ["semaphore_shuffle_contended", "semaphore_shuffle_uncontended"];
        let taken: usize = taken.iter().map(|name| self.samples(name)).sum();
        if self.counts[ROUNDS] != taken as u64 {
            return Err("its semaphore did not guard the variable that two tasks shared".into());
        }
        match self.counts[WRONG_MESSAGES] {
            0 => Ok(()),
            wrong => Err(format!("{wrong} messages arrived with changed content")),
        }
    }

    fn of(&self, name: &str) -> Option<&Times> {
        self.times.iter().find(|times| times.name == name)
    }

    fn samples(&self, name: &str) -> usize {
        self.of(name).map_or(0, |times| times.values_ns.len())
    }

    /// Returns the time of Rhealstone's deadlock break, in nanoseconds: the mean of the contended
    /// times minus the mean of the times with a free lock.
    pub fn deadlock_break_ns(&self) -> Option<f64> {
        let mean = |name| Some(self.of(name)?.distribution()?.mean_ns());
        Some(mean("deadlock_break_contended")? - mean("deadlock_break_free")?)
    }

    /// Returns the SHA-256 over all times with their names, in hexadecimal digits.
    pub fn sample_hash(&self) -> String {
        let mut bytes = Vec::new();
        for times in &self.times {
            bytes.extend_from_slice(times.name.as_bytes());
            for value in &times.values_ns {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
        sha256(&bytes)
    }
}

const ROUNDS: &str = "rounds";
const WRONG_MESSAGES: &str = "wrong_messages";
/// The counts that the firmware must report.
const COUNTS: &[&str] = &["yields_without_switch", ROUNDS, WRONG_MESSAGES];
