//! The command lines that repeat stored runs.

use analysis::lists::groups;
use plan::{LatencyHold, NOWHERE, Outcome, RunSpec, Value};
use probe::Length;
use units::shown;

use crate::parameters::usual;

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

fn line(spec: &RunSpec, runs: usize) -> String {
    let asked = &spec.asked;
    let mut words = vec![format!("steadfast run {}", spec.measurement)];
    let mut add = |option: &str, value: &str| words.push(format!("--{option} {}", quoted(value)));
    let usual = usual(&spec.measurement);
    for (name, value) in spec.parameters.iter() {
        let is_nothing = *value == Value::Word(NOWHERE.to_owned());
        if usual.get(name) != Some(value) && !is_nothing {
            add(name, &value.to_string());
        }
    }
    add("cpus", &asked.cpus.to_string());
    add("policy", &asked.policy.to_string());
    let length = probe::find(&spec.measurement).map(|found| found.length(&spec.parameters));
    // Otherwise the parameters say how long to measure.
    if let Some(Length::Seconds(_)) = length {
        add("seconds", &asked.duration.to_string());
    }
    if !asked.loads.is_empty() {
        let loads: Vec<String> = asked.loads.iter().map(ToString::to_string).collect();
        add("load", &loads.join("+"));
    }
    add("memory", if asked.memory_lock { "locked" } else { "unlocked" });
    let is_held = asked.cpu_dma_latency == LatencyHold::Hold;
    add("idle-states", if is_held { "hold" } else { "leave" });
    if let Some(beyond) = spec.blame_beyond {
        add("threshold", &beyond.to_string());
        words.push("--blame".to_owned());
    }
    if asked.beside {
        words.push("--beside".to_owned());
    }
    if runs > 1 {
        words.push(format!("--repeat {runs}"));
    }
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,+=%@".contains(c);
    if word.chars().all(is_plain) && !word.is_empty() {
        return word.to_owned();
    }
    format!("'{}'", shown(word).replace('\'', r"'\''"))
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
        ] {
            let specs = specs_of(typed).unwrap();
            let line = line(&specs[0], 1);
            let again = line.strip_prefix("steadfast run ").unwrap();
            assert_eq!(specs_of(again).unwrap(), specs[..1], "{line}");
        }
    }
}
