//! Systems that people laid side by side: what is shown, and what is not.

use analysis::Analysis;
use analysis::comparison::{Comparison, Question, Side};
use analysis::standards::Standards;
use analysis::survey::systems;
use plan::{Outcome, Value};
use serde_json::{Value as Json, json};
use testing::Schema;
use testing::outcomes::{in_lab, lab, lab_and_machine, tire, two_machines, wakeup};
use units::{Nanos, Policy};

/// Wake-ups at three periods, so many rounds of each; runs differ by a few percent, and
/// are made in turns with those of another side that starts elsewhere.
fn side(load: Option<&str>, times: f64, rounds: u64, first: u64) -> Vec<Outcome> {
    let mut runs = Vec::new();
    for round in 0..rounds {
        for (index, period) in [100_000, 1_000_000, 10_000_000].into_iter().enumerate() {
            let jitter = 1.0 + 0.01 * ((7 * round + 3 * index as u64 + 5 * first) % 5) as f64;
            let mut run = wakeup(Policy::Fifo(80), load, 8e3 * times * jitter, 6e4 * times);
            let parameters = &mut run.header.spec.parameters;
            parameters.set("period", Value::Time(Nanos(period)));
            let place = 100 * round + 10 * index as u64 + first;
            run.header.run_id = format!("{place}-{first}");
            run.header.started_unix_ns += place * 1_000_000_000;
            runs.push(run);
        }
    }
    runs
}

fn compared<'a>(sides: &'a [(&str, Vec<Outcome>)], standards: &'a Standards) -> Comparison<'a> {
    let sides = sides
        .iter()
        .map(|(name, runs)| Side { name: (*name).to_owned(), outcomes: runs.iter().collect() });
    Comparison::of(sides.collect(), &Question::default(), standards).unwrap()
}

fn told(sides: &[(&str, Vec<Outcome>)]) -> Json {
    let standards = Standards::default();
    let document = json!(compared(sides, &standards));
    Schema::named("compare-1").assert(&document);
    document
}

fn answer(document: &Json) -> String {
    let sentences = document["answer"].as_array().unwrap().iter();
    let sentences = sentences.map(|sentence| sentence.as_str().unwrap());
    sentences.collect::<Vec<&str>>().join("\n")
}

#[test]
fn equal_machines_show_no_difference() {
    let document = told(&[("a", side(None, 1.0, 3, 1)), ("b", side(None, 1.0, 3, 2))]);
    let pair = &document["pairs"][0];
    assert_eq!((&pair["rows_matched"], &pair["rows_without_difference"]), (&9.into(), &9.into()));
    let told = answer(&document);
    assert!(told.contains("No difference shown in 9 of 9"), "{told}");
    assert!(told.contains("Faster: no difference shown"), "{told}");
}

#[test]
fn the_loaded_one_is_named() {
    let sides = [("idle", side(None, 1.0, 3, 1)), ("busy", side(Some("cpu"), 3.0, 3, 2))];
    let document = told(&sides);
    let pair = &document["pairs"][0];
    assert_eq!(pair["across"][0]["other"], "cpu");
    assert_eq!(pair["rows_without_difference"], 0);
    let told = answer(&document);
    assert!(told.contains("but for their load (none against cpu)"), "{told}");
    assert!(told.contains("Faster: idle. busy takes longer in 9"), "{told}");
    assert!(told.contains("`wakeup` worse in 9 of 9 rows"), "{told}");
    let standards = Standards::default();
    let analysis = Analysis::comparing(compared(&sides, &standards));
    let figures: usize = pair["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["figures"].as_array().unwrap().len())
        .sum();
    assert_eq!(report::comparison_csv(&analysis).lines().count(), figures + 1);
    let text = report::terminal(&analysis);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("Load asked"), "{text}");
}

/// The same runs, all of one side before all of the other: the interval is wider.
#[test]
fn sides_that_were_not_made_in_turns_are_told_and_claim_less() {
    let turns = told(&[("a", side(None, 1.0, 3, 1)), ("b", side(None, 1.0, 3, 2))]);
    let mut later = side(None, 1.0, 3, 2);
    for run in &mut later {
        run.header.started_unix_ns += 3_600_000_000_000;
    }
    let apart = told(&[("a", side(None, 1.0, 3, 1)), ("b", later)]);
    let upper = |document: &Json| document["pairs"][0]["rows"][0]["figures"][0]["upper"].as_f64();
    assert!(upper(&apart) > upper(&turns));
    assert!(answer(&apart).contains("Not made in turns: the runs of b and a."));
    assert!(!answer(&turns).contains("Not made in turns"));
}

/// One run a side: a fifth more in all rows is what runs may differ by; forty times as much in
/// one of them stands out.
#[test]
fn single_runs_tell_rows_that_stand_out_and_no_common_shift() {
    let shifted = side(None, 1.2, 1, 2);
    let document = told(&[("a", side(None, 1.0, 1, 1)), ("b", shifted.clone())]);
    assert_eq!(document["runs_differ_as_told_by"], "parts of runs");
    let pair = &document["pairs"][0];
    let counts = [&pair["rows_without_difference"], &pair["rows_not_decided"]];
    assert_eq!(counts, [0, 9]);
    assert_eq!(pair["rows"][0]["steadiness"], "not decided");
    let mut one_slow = shifted;
    one_slow[1].rows = wakeup(Policy::Fifo(80), None, 40.0 * 8e3, 2e6).rows;
    let document = told(&[("a", side(None, 1.0, 1, 1)), ("b", one_slow)]);
    let rows = document["pairs"][0]["rows"].as_array().unwrap();
    for row in rows {
        let is_slow = row["conditions"].as_str().unwrap().contains("period 1 ms");
        assert_eq!(row["speed"] == "other is worse", is_slow, "{row}");
    }
    assert!(answer(&document).contains("a weak claim"));
}

/// Five times the misses with one run a side is no ground for "no difference".
#[test]
fn one_run_a_side_decides_nothing_and_three_do() {
    let side = |missed: u64, runs: u64, first: u64| -> Vec<Outcome> {
        let run = |round: u64| {
            let mut run = tire("real-time", 400, 1, 10_000, missed + round);
            run.header.started_unix_ns += (2 * round + first) * 1_000_000_000;
            run
        };
        (0..runs).map(run).collect()
    };
    let told = |runs| answer(&told(&[("a", side(18, runs, 0)), ("b", side(88, runs, 1))]));
    let one = told(1);
    assert!(one.contains("Steadier: not decided between b and a"), "{one}");
    assert!(one.contains("`--repeat 3` can"), "{one}");
    assert!(!one.contains("o difference shown in"), "{one}");
    assert!(!one.contains("o difference shown between"), "{one}");
    let three = told(3);
    assert!(three.contains("Steadier: a. b is late more often"), "{three}");
}

/// A campaign in one store: three policies in turns, of which `other` is the slow one.
#[test]
fn what_varies_in_one_store_is_compared_each_with_each() {
    let mut runs = Vec::new();
    for (first, policy, times) in
        [(1, Policy::Fifo(80), 1.0), (2, Policy::OTHER, 3.0), (3, Policy::Rr(50), 1.5)]
    {
        let mut of_policy = side(None, times, 3, first);
        for run in &mut of_policy {
            run.header.spec.asked.policy = policy;
        }
        runs.extend(of_policy);
    }
    let compared = |across: &[&str]| {
        let sides = vec![Side { name: "campaign".into(), outcomes: runs.iter().collect() }];
        let question = Question {
            across: across.iter().map(|name| (*name).to_owned()).collect(),
            within: true,
            ..Question::default()
        };
        let standards = Standards::default();
        let comparison = Comparison::of(sides, &question, &standards)?;
        let document = json!(comparison);
        let page = report::html(&Analysis::comparing(comparison));
        Schema::named("compare-1").assert(&document);
        assert!(page.contains("fifo:80 against other"));
        Ok::<Json, analysis::comparison::Unanswerable>(document)
    };
    let document = compared(&[]).unwrap();
    let names = document["systems"].as_array().unwrap().iter();
    let names: Vec<&Json> = names.map(|system| &system["name"]).collect();
    assert_eq!(names, ["other", "fifo:80", "rr:50"]);
    assert_eq!(document["pairs"].as_array().unwrap().len(), 3);
    let pair = &document["pairs"][0];
    assert_eq!(pair["across"][0]["field"], "policy");
    assert_eq!(pair["rows_matched"], 9);
    assert_eq!(pair["rows"][0]["conditions"], "period 100 µs");
    let told = answer(&document);
    assert!(told.contains("by policy: other, fifo:80 and rr:50"), "{told}");
    assert!(told.contains("Fastest of 3: fifo:80; every other"), "{told}");
    assert!(told.contains("Faster: fifo:80. fifo:80 takes longer in none"), "{told}");
    let refused = compared(&["load"]).unwrap_err().to_string();
    assert!(refused.contains("differ in load") && refused.contains("policy"), "{refused}");
    assert_eq!(analysis::comparison::varying(&runs), ["policy", "period"]);
}

#[test]
fn clocks_that_differ_are_not_compared() {
    let runs = lab_and_machine();
    let document = told(&[("both", runs)]);
    assert!(document["clocks_differ"].is_string());
    let pairs = document["pairs"].as_array().unwrap();
    assert!(
        pairs.iter().any(|pair| pair["refused"].is_string() && pair["rows"] == Json::Array(vec![]))
    );
}

#[test]
fn what_stands_on_one_side_alone_is_counted_and_shares_of_misses_compared() {
    let runs = |missed: [u64; 3]| -> Vec<Outcome> {
        missed.into_iter().map(|missed| tire("real-time", 400, 1, 1000, missed)).collect()
    };
    let mut other = runs([300, 310, 290]);
    other.push(tire("real-time", 800, 1, 1000, 0));
    let document = told(&[("a", runs([0, 1, 0])), ("b", other)]);
    let pair = &document["pairs"][0];
    assert_eq!(pair["on_other_alone"].as_array().unwrap().len(), 1);
    let figures = pair["rows"][0]["figures"].as_array().unwrap();
    let missed = figures.iter().find(|figure| figure["figure"] == "missed").unwrap();
    assert_eq!((&missed["shown"], &missed["other"]), (&true.into(), &0.3.into()));
}

#[test]
fn published_systems_stand_beside_with_their_source() {
    let machines = two_machines();
    let sides = vec![Side { name: "here".into(), outcomes: machines.iter().collect() }];
    let standards = Standards::default();
    let comparison = Comparison::of(sides, &Question::default(), &standards).unwrap();
    let comparison = comparison.with_published("xenomai".parse().unwrap());
    let document = json!(comparison);
    Schema::named("compare-1").assert(&document);
    let latencies = document["published"]["latencies"].as_array().unwrap();
    assert!(latencies.iter().all(|one| one["source"] == "SAE 2014"));
    assert_eq!(latencies.len(), 3);
    let analysis = Analysis::comparing(comparison);
    let page = report::html(&analysis);
    assert!(page.contains("Xenomai 2.6.2.1") && !page.contains("RTAI 3.9.1"));
    assert!(report::terminal(&analysis).contains("Beside published figures"));
}

#[test]
fn a_question_about_what_no_run_has_is_refused() {
    let runs = side(None, 1.0, 1, 1);
    let sides = vec![Side { name: "a".into(), outcomes: runs.iter().collect() }];
    let question = Question { across: vec!["colour".into()], ..Question::default() };
    let refused = Comparison::of(sides, &question, &Standards::default()).err().unwrap();
    assert!(refused.to_string().contains("`colour`; there are beside, cpus, "), "{refused}");
}

/// The figures of the first pair of kernels of the lab, with the whole comparison.
fn of_kernels(runs: &[Outcome]) -> (Json, Vec<Json>) {
    let standards = Standards::default();
    let document = json!(Comparison::of_kernels(systems(runs), &standards));
    Schema::named("compare-1").assert(&document);
    let rows = document["pairs"][0]["rows"].as_array().unwrap().clone();
    let figures = rows.iter().flat_map(|row| row["figures"].as_array().unwrap().clone());
    let figures = figures.collect();
    (document, figures)
}

#[test]
fn kernels_of_the_lab_are_compared_exactly() {
    let (document, figures) = of_kernels(&lab());
    assert_eq!(document["pairs"].as_array().unwrap().len(), 2);
    assert_eq!(document["comparisons"], 0);
    assert_eq!(document["runs_differ_as_told_by"], "nothing: equal runs are equal");
    for figure in &figures {
        let ratio = figure["ratio"].as_f64().unwrap();
        let exactly = [&figure["lower"], &figure["upper"]];
        assert!(exactly.iter().all(|end| end.as_f64() == Some(ratio)));
        assert!(figure["p"].is_null());
        let beyond = ratio.ln().abs() > 0.05_f64.ln_1p();
        assert_eq!(figure["shown"], beyond, "{figure}");
    }
    assert!(figures.iter().any(|figure| figure["shown"] == true));
    let answer = answer(&document);
    for words in
        ["The steadiest system is stock-rt", "Exact: equal runs", "1 of 189 runs is INVALID"]
    {
        assert!(answer.contains(words), "{words}: {answer}");
    }
    assert!(!answer.contains("`--repeat 3`") && !answer.contains("Not made in turns"));
}

#[test]
fn runs_of_the_lab_that_differ_are_tested() {
    let run = |kernel: &str, place: u32, usual: f64| {
        let mut run = in_lab(kernel, "rt", wakeup(Policy::Fifo(80), None, usual, 6e4));
        run.header.run_id = format!("{kernel} {place}");
        run.found.lab.as_mut().unwrap().place = place;
        run
    };
    let times = [8_000.0, 8_100.0, 8_200.0];
    let of = |kernel, factor: f64| {
        let runs = times.iter().zip(0..);
        runs.map(move |(usual, place)| run(kernel, place, usual * factor))
    };
    let runs: Vec<Outcome> = of("a", 1.0).chain(of("b", 2.0)).collect();
    let (document, figures) = of_kernels(&runs);
    assert_eq!(document["runs_differ_as_told_by"], "runs");
    let average = figures.iter().find(|one| one["figure"] == "average");
    let average = average.unwrap();
    assert!(average["p"].is_number() && average["lower"] != average["upper"]);
}
