use super::unmatched::check_plan;
use super::*;
use crate::fixture::{refused, tire, two_machines, wakeup};
use base::Policy;
use proptest::prelude::*;
use record::{Fact, Outcome, Row, Unit, fact};
use stats::{Distribution, Sample};
use testing::refuses;

fn limit(text: &str) -> FailIf {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn verdicts(text: &str, outcome: &Outcome) -> Vec<&'static str> {
    of_run(&[limit(text)], outcome).iter().map(Checked::verdict).collect()
}

const BUSY_PERCENT: Fact =
    Fact { name: "busy_percent", unit: Unit::Percent, meaning: "made up", may_be_null: false };

/// A wake-up of which every figure is known: 1 to 100 us, one of them skipped.
fn known() -> Outcome {
    let samples =
        (1..=100).map(|us| Sample { value_ns: us * 1_000, index: us as u64, at_ns: us as u64 });
    let mut row = Row::of("both", Distribution::of(samples));
    row.due += 1;
    row.skipped = 1;
    let mut fractional = Row::of("cpu 1.5", row.latency.clone());
    fractional = fractional.with(&BUSY_PERCENT, 40).with(&fact::STAMPS_SHARE, 0.25);
    let mut outcome = wakeup(Policy::Fifo(80), Some("cpu"), 8e3, 6e4);
    outcome.rows = vec![row, fractional, Row::unavailable("absent", "needs a port")];
    outcome
}

#[test]
fn a_limit_is_compared_in_the_unit_of_its_figure() {
    for (text, verdict) in [
        ("wakeup.max > 99us", "failed"),
        ("wakeup.max > 100us", "passed"),
        ("wakeup.max >= 0.1ms", "failed"),
        ("wakeup.max_ns>99999", "failed"),
        ("wakeup.max == 100us", "failed"),
        ("wakeup.min < 1us", "passed"),
        ("wakeup.min <= 1us", "failed"),
        ("wakeup.average != 50.5us", "passed"),
        ("wakeup.p50 > 40us", "failed"),
        ("wakeup.due != 101", "passed"),
        ("wakeup.skipped > 0", "failed"),
        ("wakeup.skipped > 1%", "passed"),
        ("wakeup.skipped > 0.9%", "failed"),
        ("wakeup.cpu 1.5.skipped > 0", "passed"),
        ("wakeup.cpu 1.5.busy > 30%", "failed"),
        ("wakeup.cpu 1.5.busy_percent > 50", "passed"),
        ("wakeup.cpu 1.5.stamps > 24%", "failed"),
        ("wakeup.cpu 1.5.stamps_share > 0.25", "passed"),
    ] {
        assert_eq!(verdicts(text, &known()), [verdict], "{text}");
    }
}

#[test]
fn what_was_not_measured_passes_no_limit() {
    // One of 100 samples lies beyond p99, and none beyond p99.9.
    assert_eq!(verdicts("wakeup.p99 > 1s", &known()), ["passed"]);
    for text in ["wakeup.p999 > 1s", "wakeup.absent.max > 1s"] {
        assert_eq!(verdicts(text, &known()), ["not measured"], "{text}");
    }
    // Every row that was measured.
    assert_eq!(verdicts("wakeup.*.max > 1s", &known()), ["passed"; 2]);
    assert_eq!(verdicts("wakeup.max > 1s", &refused()), ["INVALID"]);
    let limits = [limit("wakeup.max > 1s")];
    let broken_in =
        |runs: &[Outcome]| broken(&limits, &runs.iter().collect::<Vec<_>>()).unwrap().len();
    assert_eq!(broken_in(&[refused()]), 1);
    assert_eq!(broken_in(&[known(), refused()]), 1);
    assert_eq!(broken_in(&[known()]), 0);
}

#[test]
fn conditions_choose_runs_as_they_are_typed() {
    let loaded = known();
    let cpus = &loaded.header.spec.asked.cpus;
    for (conditions, count) in [
        ("load=cpu", 1),
        ("load=none", 0),
        ("load=disk", 0),
        ("policy=fifo:80", 1),
        ("policy=other", 0),
        (&format!("cpus={cpus}, load=cpu"), 1),
        ("cpus=7", 0),
    ] {
        let found = verdicts(&format!("wakeup[{conditions}].max > 1s"), &loaded);
        assert_eq!(found.len(), count, "{conditions}");
    }
    let run = tire("real-time", 57_000, 2, 1_000, 3);
    for (conditions, count) in
        [("masses=57000,threads=2", 1), ("masses=5900", 0), ("mode=real-time", 1)]
    {
        let found = verdicts(&format!("tire[{conditions}].missed > 0"), &run);
        assert_eq!(found.len(), count, "{conditions}");
    }
    assert_eq!(limit("wakeup[cpus=0,2].max > 1s").conditions[0].value, "0,2");
}

#[test]
fn a_sentence_tells_limit_value_and_run() {
    let checked = of_run(&[limit("wakeup.max > 99.5us")], &known());
    let sentence = checked[0].sentence();
    assert!(
        sentence.starts_with("failed: wakeup.max > 99.5us, found 100us (wakeup fifo:80, "),
        "{sentence}"
    );
    assert!(sentence.ends_with("; both)"), "{sentence}");
}

#[test]
fn a_limit_about_nothing_names_what_there_is() {
    let runs = [known()];
    for (text, parts) in [
        ("wakup.max > 1s", ["about `wakup`", "there is wakeup"]),
        ("wakeup[mases=1].max > 1s", ["the condition `mases`", "load; policy; cpus"]),
        ("wakeup[load=disk].max > 1s", ["no run has", "load cpu"]),
        ("wakeup.cpu 9.max > 1s", ["the row `cpu 9`", "both; cpu 1.5"]),
        ("wakeup.best > 1s", ["a figure `best`", "max_ns"]),
        ("wakeup.missed > 1s", ["compares with a time", "skipped"]),
    ] {
        let error = broken(&[limit(text)], &[&runs[0]]).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let plan = two_machines();
    let specs = plan.iter().map(|outcome| &outcome.header.spec);
    assert!(check_plan(&[limit("nothing.max > 1s")], specs).is_err());
}

#[test]
fn a_figure_that_no_run_can_have_is_refused_before_anything_is_measured() {
    let plan = known();
    let check = |text: &str| check_request(&[limit(text)], [&plan.header.spec]);
    for text in
        ["wakeup.p99 > 1ms", "wakeup.skipped > 0", "wakeup.skipped > 1%", "wakeup.missed > 0"]
    {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    for (text, part) in [
        ("wakeup.maxx > 1s", "there is `max`"),
        ("wakeup.best > 1s", "there is max, average and p99, for example"),
    ] {
        refuses(check(text), part);
    }
}

#[test]
fn nonsense_is_refused_at_its_place() {
    for (text, place, why) in [
        ("wakeup.max", 11, "expected a comparison"),
        ("wakeup[load=cpu].max", 21, "expected a comparison"),
        ("wakeup.max >> 150us", 12, "`>>` is not a comparison"),
        ("wakeup.max = 150us", 12, "`=` is not a comparison"),
        ("wakeup.max > 150", 14, "is a time; expected one such as 150us"),
        ("wakeup.max > 150parsec", 14, "`parsec` is not a unit"),
        ("wakeup.max >", 13, "is not a number"),
        ("wakeup.skipped > 1us", 18, "is a count"),
        ("wakeup > 1us", 7, "expected a point and a figure"),
        ("wakeup[load=cpu.max > 1us", 7, "never closed"),
        ("wakeup[cpu].max > 1us", 8, "such as load=cpu"),
        ("µ.größe > 1us", 3, "`größe` is not a figure"),
        (".max > 1us", 1, "expected a measurement"),
        ("", 1, "expected a comparison"),
    ] {
        let error = text.parse::<FailIf>().unwrap_err().to_string();
        let begins = format!("`{text}`, character {place}: ");
        assert!(error.starts_with(&begins), "{error}");
        assert!(error.contains(why), "{error}");
    }
}

proptest! {
    #[test]
    fn nothing_typed_panics(text in "[a-z.\\[\\]=<>!*0-9%µ, ]{0,40}") {
        if let Ok(limit) = text.parse::<FailIf>() {
            let again = limit.to_string().parse::<FailIf>();
            prop_assert_eq!(again, Ok(limit));
        }
    }
}

#[test]
fn odd_criteria_are_read_or_refused() {
    let seeds = [
        "wakeup.max > 150us",
        "tire[masses=400].skipped > 0",
        "wakeup[load=cpu].p99.9/p50 >= 3",
        "1/1000000",
        "10/h",
        "5%",
        "Linux/one-cpu",
        "Xenomai",
        "tel:p1",
    ];
    testing::try_corpus(&seeds, 3_000, |input| {
        let text = String::from_utf8_lossy(input);
        if let Ok(limit) = text.parse::<FailIf>() {
            let _ = of_run(&[limit], &known());
        }
        let _ = (
            text.parse::<crate::check::MostMisses>(),
            text.parse::<crate::standards::FirmMisses>(),
        );
        let _ = text.parse::<crate::standards::SoftShare>();
        let _ = text.parse::<crate::comparison::Published>();
        if let Ok(system) = text.parse::<crate::studies::Wanted>() {
            assert_eq!(system.to_string().parse(), Ok(system));
        }
    });
}
