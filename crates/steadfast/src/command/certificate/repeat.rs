//! The command lines that repeat stored runs.

use analysis::lists::groups;
use measure::Length;
use record::{Outcome, RunOption, RunSpec, run_line};

use crate::options::parameters::usual;

/// Plans that a command runs without further choices.
const PLANS: [&str; 4] = ["quick", "full", "frames", "self-test"];

/// Returns a line for each plan, or for each specification of the runs with its repetitions.
pub(super) fn commands(titles: &[String], outcomes: &[Outcome]) -> Vec<String> {
    let is_plan = |title: &String| PLANS.contains(&title.as_str());
    if titles.iter().all(is_plan) {
        let mut titles = titles.to_vec();
        titles.dedup();
        return titles.iter().map(|title| format!("steadfast {title}")).collect();
    }
    let specs = groups(outcomes.iter().map(|run| &run.header.spec), |one, other| one == other);
    specs.iter().map(|equal| line(equal[0], equal.len())).collect()
}

/// Names every condition: what is usual differs between machines and versions.
fn line(spec: &RunSpec, runs: usize) -> String {
    let mut usual: Vec<RunOption> = usual(&spec.measurement)
        .iter()
        .map(|(name, value)| (name.to_owned(), value.to_string()))
        .collect();
    let length = measure::find(&spec.measurement).map(|found| found.length(&spec.parameters));
    // Otherwise the parameters say how long to measure.
    if !matches!(length, Some(Length::Time(_))) {
        usual.push(("seconds".to_owned(), spec.asked.duration.to_string()));
    }
    let repeat = if runs > 1 { format!(" --repeat {runs}") } else { String::new() };
    run_line(spec, &usual) + &repeat
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::run::line::specs_of;

    #[test]
    fn a_line_means_the_run_that_it_is_of() {
        for typed in [
            "wakeup --period 2ms --policy fifo:70 --cpus 0 --seconds 3",
            "wakeup --load cpu%50+disk:/var/tmp --policy other --memory unlocked --idle-states leave",
            "tire --mode real-time --masses 40 --threads 1 --steps 120 --rate 1kHz --beside",
            "clock_overhead",
            "frame --fill 85% --blame",
            "model --program \"sh -c 'exec ./my\\ plant'\" --rate 60Hz",
        ] {
            let specs = specs_of(typed).unwrap();
            let line = line(&specs[0], 1);
            let again = line.strip_prefix("steadfast run ").unwrap();
            assert_eq!(specs_of(again).unwrap(), specs[..1], "{line}");
        }
    }
}
