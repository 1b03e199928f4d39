//! Causes of lateness, as they stand in a run's headline.

use blame::{CauseTotal, Summary};

use crate::survey::{Series, System};
use crate::words;
use plan::{Family, fact};

/// Causes that a sentence names; the others are summed up.
const MOST_NAMED: usize = 6;

/// The causes of each run of a series that looked for them.
pub fn summaries(series: &Series) -> Vec<Summary> {
    let told = series.facts(&fact::BLAME);
    told.filter_map(|told| serde_json::from_value(told.clone()).ok()).collect()
}

/// The answer in words, for each series that looked for causes.
pub fn sentences(systems: &[System]) -> Vec<String> {
    let mut sentences = Vec::new();
    for series in systems.iter().flat_map(|system| &system.series) {
        for summary in summaries(series) {
            sentences.extend(of_run(&series.spec.title(), &series.spec.measurement, &summary));
        }
    }
    sentences
}

fn of_run(title: &str, measurement: &str, summary: &Summary) -> Vec<String> {
    let late = words::counted(summary.late as usize, &format!("late {}", thing(measurement)));
    let limit = words::time(summary.threshold_ns as f64);
    let mut answer = format!("{title}: {late}, more than {limit} after the due time");
    if summary.late > 0 {
        answer += &format!(": {}", causes(summary));
    }
    let mut all = vec![answer + "."];
    all.extend(limits(summary));
    all
}

/// What is late, by measurement.
fn thing(measurement: &str) -> &'static str {
    match Family::of(measurement) {
        Some(Family::Wakeups) => "wake-up",
        Some(Family::Frames) => "frame",
        Some(Family::Models | Family::Mixes) => "step",
        _ => "period",
    }
}

/// ``10 by task `hog` (fifo:90) for 4.8 ms in all; 2 by platform gaps for 0.9 ms in all``.
fn causes(summary: &Summary) -> String {
    let mains = || summary.causes.iter().filter(|total| total.main_of > 0);
    let named = mains().take(MOST_NAMED).map(|total| {
        let CauseTotal { words, main_of, time_ns, .. } = total;
        let time = words::time(*time_ns as f64);
        format!("{} by {words} for {time} in all", words::grouped(*main_of))
    });
    let mut named: Vec<String> = named.collect();
    let more: u64 = mains().skip(MOST_NAMED).map(|total| total.main_of).sum();
    if more > 0 {
        named.push(format!("{} by others", words::grouped(more)));
    }
    let with_cause: u64 = mains().map(|total| total.main_of).sum();
    if summary.late > with_cause {
        let usual = words::grouped(summary.late - with_cause);
        named.push(format!("{usual} took no longer than usual"));
    }
    named.join("; ")
}

/// What a reader must know of the evidence.
pub fn limits(summary: &Summary) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(cost) = &summary.cost {
        all.push(format!(
            "Tracing makes the median wake-up {} where it is {} without: {} more, {} times as long.",
            words::time(cost.on_ns),
            words::time(cost.off_ns),
            words::time(cost.more_ns),
            words::quantity(cost.ratio),
        ));
    }
    if let Some(why) = &summary.not_traced {
        all.push(format!("Nothing was traced, so counters alone tell, which name no task: {why}."));
    }
    if summary.lost_events > 0 {
        all.push(format!(
            "The kernel had no room for {} events of the trace; what they tell is not known.",
            words::grouped(summary.lost_events as u64)
        ));
    }
    let untold = summary.late.saturating_sub(summary.traced);
    if summary.not_traced.is_none() && untold > 0 {
        let no_room = match summary.windows_not_kept {
            0 => String::new(),
            count => format!(", {} for want of room", words::grouped(count as u64)),
        };
        all.push(format!(
            "{} of {} are not in the trace{no_room}; counters alone tell of them.",
            words::grouped(untold),
            words::grouped(summary.late),
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use blame::{Cause, Cost, SomeTask};

    fn total(cause: Cause, main_of: u64, time_ns: i64) -> CauseTotal {
        CauseTotal {
            words: cause.words(),
            cause,
            main_of,
            part_of: main_of,
            time_ns,
            longest_ns: time_ns,
        }
    }

    pub fn summary() -> Summary {
        let hog =
            Cause::Task(SomeTask { name: "hog".to_owned(), pid: 7, policy: "fifo:90".to_owned() });
        Summary {
            threshold_ns: 200_000,
            late: 12,
            traced: 12,
            causes: vec![
                total(hog, 10, 4_800_000),
                total(Cause::PlatformGap, 2, 900_000),
                total(Cause::IdleExit, 0, 100),
            ],
            not_traced: None,
            lost_events: 0,
            windows_not_kept: 0,
            cost: None,
            told: Vec::new(),
            worst: Vec::new(),
        }
    }

    #[test]
    fn the_answer_names_causes_with_counts_and_times() {
        let told = of_run("wakeup fifo:80", "wakeup", &summary());
        let expected = "wakeup fifo:80: 12 late wake-ups, more than 200 µs after the due time: 10 by \
                        task `hog` (fifo:90, number 7) for 4.8 ms in all; 2 by platform gaps \
                        (hypervisor or firmware) for 900 µs in all.";
        assert_eq!(told, [expected]);
        let usual = Summary { late: 15, ..summary() };
        let told = of_run("wakeup", "wakeup", &usual);
        assert!(told[0].ends_with("; 3 took no longer than usual."), "{told:?}");
    }

    #[test]
    fn what_the_evidence_lacks_is_told() {
        let lacking = Summary {
            not_traced: Some("no right to use tracefs".to_owned()),
            lost_events: 5,
            windows_not_kept: 6,
            traced: 5,
            cost: Some(Cost { off_ns: 5_000.0, on_ns: 6_000.0, more_ns: 1_000.0, ratio: 1.2 }),
            ..summary()
        };
        let told = limits(&lacking).join(" ");
        for words in ["1 µs more, 1.2 times", "no right to use tracefs", "5 events"] {
            assert!(told.contains(words), "{words}: {told}");
        }
        let traced = Summary { not_traced: None, ..lacking };
        let told = limits(&traced).join(" ");
        let words = "7 of 12 are not in the trace, 6 for want of room";
        assert!(told.contains(words), "{told}");
        assert!(limits(&summary()).is_empty());
    }
}
