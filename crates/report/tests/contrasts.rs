//! Comparisons of systems: which differences are shown, and which are not.

use analysis::Analysis;
use analysis::comparison::{Comparison, Question, Side};
use analysis::standards::DEFAULT_STANDARDS;
use analysis::survey::systems;
use base::Policy;
use record::{Outcome, Row};
use serde_json::{Value as Json, json};
use testing::Odd;
use testing::outcomes::{
    distribution, in_lab, lab, lab_and_machine, side, tire, two_machines, wakeup,
};
use testing_schema::Schema;

fn side_of<'a>(name: &str, runs: &'a [Outcome]) -> Side<'a> {
    Side { name: name.to_owned(), outcomes: runs.iter().collect() }
}

fn compared<'a>(sides: &'a [(&str, Vec<Outcome>)]) -> Comparison<'a> {
    let sides = sides.iter().map(|(name, runs)| side_of(name, runs)).collect();
    Comparison::of(sides, &Question::default(), &DEFAULT_STANDARDS).unwrap()
}

fn told(sides: &[(&str, Vec<Outcome>)]) -> Json {
    document(&compared(sides))
}

fn document(comparison: &Comparison) -> Json {
    let document = json!(comparison);
    Schema::named("compare-2").assert(&document);
    document
}

/// Returns the page that compares these sides, with plain spaces.
fn page(sides: &[(&str, Vec<Outcome>)]) -> String {
    report::html(&Analysis::comparing(compared(sides))).replace('\u{a0}', " ")
}

/// Returns runs of a tire, each with these misses; those of another `first` run in between.
fn tires(steps: u64, missed: &[u64], first: u64) -> Vec<Outcome> {
    let run = |(missed, round): (&u64, u64)| {
        let mut run = tire("real-time", 400, 1, steps, *missed);
        run.header.started_unix_ns += (2 * round + first) * 1_000_000_000;
        run
    };
    missed.iter().zip(0..).map(run).collect()
}

/// Returns two sides without load; the second takes `times` as long.
fn a_and_b(times: f64, runs: u64) -> [(&'static str, Vec<Outcome>); 2] {
    [("a", side(None, 1.0, runs, 1)), ("b", side(None, times, runs, 2))]
}

/// Returns the findings of this kind.
fn found<'d>(document: &'d Json, kind: &str) -> Vec<&'d Json> {
    let findings = document["findings"].as_array().unwrap().iter();
    findings.filter(|finding| finding["kind"] == kind).collect()
}

#[test]
fn equal_machines_show_no_difference() {
    let document = told(&a_and_b(1.0, 3));
    let pair = &document["pairs"][0];
    assert_eq!((&pair["rows_matched"], &pair["rows_without_difference"]), (&9.into(), &9.into()));
    let speed = &found(&document, "pair_compared")[0]["speed"];
    assert_eq!((&speed["no_difference"], &speed["worse"]), (&9.into(), &Json::Null));
}

#[test]
fn the_loaded_one_is_named() {
    let sides = [("idle", side(None, 1.0, 3, 1)), ("busy", side(Some("cpu"), 3.0, 3, 2))];
    let document = told(&sides);
    let pair = &document["pairs"][0];
    assert_eq!(pair["across"][0]["other"], "cpu");
    assert_eq!(pair["rows_without_difference"], 0);
    assert_eq!(found(&document, "matched")[0]["across"][0]["values"], json!(["none", "cpu"]));
    assert_eq!(found(&document, "pair_compared")[0]["speed"]["worse"]["rows"], 9);
    let wakeup = &found(&document, "by_measurement")[0]["measurements"][0];
    assert_eq!((&wakeup["measurement"], &wakeup["worse"]), (&"wakeup".into(), &9.into()));
    let analysis = Analysis::comparing(compared(&sides));
    let rows = pair["rows"].as_array().unwrap().iter();
    let figures: usize = rows.map(|row| row["figures"].as_array().unwrap().len()).sum();
    assert_eq!(report::comparison_csv(&analysis).lines().count(), figures + 1);
    let text = report::terminal(&analysis);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("Load asked"), "{text}");
}

#[test]
fn wide_intervals_break_before_themselves_and_heads_at_blanks() {
    let mut sides = a_and_b(1.0, 2);
    for (_, runs) in &mut sides {
        *runs = runs.drain(..).step_by(3).collect();
        runs[1].rows = wakeup(Policy::Fifo(80), None, 40.0 * 8e3, 2e6).rows;
    }
    let text = report::terminal(&Analysis::comparing(compared(&sides)));
    assert!(text.contains("(<0.01–>1000)") && text.contains(" Geometric mean "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// The same runs, but all of one side before all of the other: the interval is wider.
#[test]
fn sides_that_were_not_made_in_turns_are_reported_and_claim_less() {
    let mut sides = a_and_b(1.0, 3);
    let turns = told(&sides);
    for run in &mut sides[1].1 {
        run.header.started_unix_ns += 3_600_000_000_000;
    }
    let apart = told(&sides);
    let upper = |document: &Json| document["pairs"][0]["rows"][0]["figures"][0]["upper"].as_f64();
    assert!(upper(&apart) > upper(&turns));
    assert_eq!(found(&apart, "not_in_turns")[0]["pairs"], json!([["a", "b"]]));
    assert!(found(&turns, "not_in_turns").is_empty());
}

/// With one run per side, 20 % more in all rows is within what runs may differ by; 40 times as much
/// in one row is clearly visible.
#[test]
fn single_runs_tell_rows_that_stand_out_and_no_common_shift() {
    let mut sides = a_and_b(1.2, 1);
    let document = told(&sides);
    assert_eq!(document["variance_source"], "parts of runs");
    let pair = &document["pairs"][0];
    let counts = [&pair["rows_without_difference"], &pair["rows_not_decided"]];
    assert_eq!(counts, [0, 9]);
    assert_eq!(pair["rows"][0]["steadiness"], "not decided");
    sides[1].1[1].rows = wakeup(Policy::Fifo(80), None, 40.0 * 8e3, 2e6).rows;
    let document = told(&sides);
    for row in document["pairs"][0]["rows"].as_array().unwrap() {
        let is_slow = row["conditions"].as_str().unwrap().contains("period 1 ms");
        assert_eq!(row["speed"] == "other is worse", is_slow, "{row}");
    }
    assert_eq!(found(&document, "single_runs")[0]["from_parts"], true);
}

/// Five times the misses, with one run per side, does not justify "no difference".
#[test]
fn one_run_a_side_decides_nothing_and_three_do() {
    let steadiness = |runs: usize| {
        let [few, many] = [[18, 19, 20], [88, 89, 90]].map(|missed| missed[..runs].to_vec());
        let document = told(&[("a", tires(10_000, &few, 0)), ("b", tires(10_000, &many, 1))]);
        found(&document, "pair_compared")[0]["steadiness"].clone()
    };
    let one = steadiness(1);
    assert_eq!((&one["not_decided"], &one["no_difference"]), (&1.into(), &0.into()));
    assert_eq!(steadiness(3)["worse"]["rows"], 1);
}

/// Returns the part of a page from one text to the next occurrence of another.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    page.split_once(from).unwrap().1.split_once(to).unwrap().0
}

/// Returns wake-ups with a mean of 10 µs: half of them take as long as the median.
fn of_median(median_ns: i64, first: u64) -> Vec<Outcome> {
    let mut runs = side(None, 1.0, 4, first);
    for (place, run) in runs.iter_mut().enumerate() {
        let median_ns = median_ns + 10 * (place as i64 % 3);
        let times = [[median_ns; 2].as_slice(), &[30_000 - 2 * median_ns]].concat();
        run.rows = vec![Row::of("all CPUs", distribution(&times.repeat(500)))];
    }
    runs
}

#[test]
fn the_page_draws_what_its_headline_is_about_first() {
    let sides = [("a", of_median(9_000, 1)), ("fifo:90", of_median(8_000, 2))];
    assert!(report::answer(&Analysis::comparing(compared(&sides))).verdict.contains("(median 0.8"));
    let page = page(&sides);
    assert!(between(&page, "<nav>", "</nav>").contains(">fifo:90 against a</a>"));
    let first = between(&page, "<figure id=\"figure-answer\">", "</figure>");
    assert_eq!(first.matches("%\">median of wakeup: all CPUs").count(), 3, "{first}");
    assert!(!first.contains(">mean of"), "{first}");
    assert!(page.contains("Drawn: median, a difference in 3 of 3 rows"));
    assert!(page.contains("id=\"figure-ratios-median-1\""));
    assert!(!page.contains("id=\"figure-ratios-average-1\""));
}

#[test]
fn equal_sides_are_drawn_without_a_difference() {
    let page = page(&a_and_b(1.0, 3));
    let first = between(&page, "<figure id=\"figure-answer\">", "</figure>");
    assert!(first.contains("No difference is shown."), "{first}");
    assert_eq!(first.matches("%\">mean of wakeup").count(), 9, "{first}");
}

#[test]
fn the_page_names_machine_kernel_and_date_and_draws_each_histogram_once() {
    let page = page(&a_and_b(0.5, 3));
    let subtitle = between(&page, "<p class=\"subtitle\">", "</p>");
    for fact in [
        "AMD EPYC 9B45",
        "Linux 6.12.57+deb13-cloud-amd64 (voluntary)",
        "<span class=\"whole\">from 2026-01-01",
    ] {
        assert!(subtitle.contains(fact), "{subtitle}");
    }
    assert_eq!(subtitle.matches("AMD EPYC").count(), 1, "{subtitle}");
    let drawn = page.split("class=\"lines\"").skip(1);
    let drawn = drawn.map(|svg| svg.split_once("</svg>").unwrap().0);
    let paths: Vec<&str> = drawn.filter(|svg| svg.contains("stroke-dasharray")).collect();
    assert_eq!(paths.len(), 3);
    for (place, path) in paths.iter().enumerate() {
        assert!(!paths[..place].contains(path), "{path}");
    }
}

/// A campaign in one store: three policies in alternating order, of which `other` is the slow one.
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
        let across = across.iter().map(|name| (*name).to_owned()).collect();
        let question = Question { across, within: true, ..Question::default() };
        let sides = vec![side_of("campaign", &runs)];
        let comparison = Comparison::of(sides, &question, &DEFAULT_STANDARDS)?;
        let document = document(&comparison);
        let page = report::html(&Analysis::comparing(comparison));
        assert!(page.replace('\u{a0}', " ").contains("fifo:80 against other"));
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
    assert_eq!(found(&document, "variants")[0]["by"], json!(["policy"]));
    let best = found(&document, "best");
    let fastest = best.iter().find(|best| best["quality"] == "speed").unwrap();
    assert_eq!(fastest["unbeaten"], json!(["fifo:80"]));
    assert_eq!(found(&document, "pair_compared")[0]["speed"]["worse"], Json::Null);
    let refused = compared(&["load"]).unwrap_err().to_string();
    assert!(refused.contains("differ in load") && refused.contains("policy"), "{refused}");
    assert_eq!(analysis::comparison::varying(&runs), ["policy", "period"]);
}

#[test]
fn clocks_that_differ_are_not_compared() {
    let document = told(&[("both", lab_and_machine())]);
    assert_eq!(document["clocks_differ"]["kind"], "clocks_differ");
    let pairs = document["pairs"].as_array().unwrap();
    assert!(pairs.iter().any(|pair| pair["refused"].is_string() && pair["rows"] == json!([])));
}

#[test]
fn what_stands_on_one_side_alone_is_counted_and_shares_of_misses_compared() {
    let mut other = tires(1000, &[300, 310, 290], 1);
    other.push(tire("real-time", 800, 1, 1000, 0));
    let document = told(&[("a", tires(1000, &[0, 1, 0], 0)), ("b", other)]);
    let missed = missed(&document);
    assert_eq!(document["pairs"][0]["other_only"].as_array().unwrap().len(), 1);
    assert_eq!((&missed["shown"], &missed["other"]), (&true.into(), &0.3.into()));
}

fn missed(document: &Json) -> &Json {
    figure(document, "missed")
}

fn figure<'d>(document: &'d Json, name: &str) -> &'d Json {
    let mut figures = document["pairs"][0]["rows"][0]["figures"].as_array().unwrap().iter();
    figures.find(|figure| figure["figure"] == name).unwrap()
}

/// Runs with equal counts do not vary less than counts do: 3 of 1000 late samples in two runs and 16
/// in another may be chance; 10 and 150 of 9000 in three runs each are not.
#[test]
fn equal_counts_of_late_samples_do_not_make_a_ratio_certain() {
    let side = |late: &[usize], samples: usize, first: u64| {
        let mut runs = tires(1, &vec![0; late.len()], first);
        for (run, late) in runs.iter_mut().zip(late) {
            let times = [vec![10_000; samples - late], vec![100_000; *late]].concat();
            run.rows = vec![Row::of("all CPUs", distribution(&times))];
        }
        runs
    };
    for (samples, few, many, is_shown) in
        [(1000, &[3; 2][..], &[16; 1][..], false), (9000, &[10; 3], &[150; 3], true)]
    {
        let sides = [("a", side(few, samples, 0)), ("b", side(many, samples, 1))];
        let document = told(&sides);
        assert_eq!(figure(&document, "late")["shown"], is_shown, "{document}");
    }
}

/// However certain, 3 % more misses are within the margin of 5 %, and 8 % are not.
#[test]
fn a_difference_of_misses_within_the_margin_does_not_count() {
    for (percent, is_shown) in [(3, false), (8, true)] {
        let few = [10_000, 10_001, 10_002, 10_003];
        let many = few.map(|missed| missed * (100 + percent) / 100);
        let sides = [("a", tires(1_000_000, &few, 0)), ("b", tires(1_000_000, &many, 1))];
        assert_eq!(missed(&told(&sides))["shown"], is_shown, "{percent} %");
    }
}

#[test]
fn published_systems_stand_beside_with_their_source() {
    let sides = [("here", two_machines())];
    let comparison = Comparison { published: "xenomai".parse().unwrap(), ..compared(&sides) };
    let document = document(&comparison);
    let latencies = document["published"]["latencies"].as_array().unwrap();
    assert!(latencies.iter().all(|one| one["source"] == "SAE 2014"));
    assert_eq!(latencies.len(), 3);
    let analysis = Analysis::comparing(comparison);
    let page = report::html(&analysis);
    assert!(page.contains("Xenomai 2.6.2.1") && !page.contains("RTAI 3.9.1"));
    assert!(report::terminal(&analysis).contains("With published figures"));
}

/// Returns the figures of the first pair of the lab's kernels, with the whole comparison.
fn of_kernels(runs: &[Outcome]) -> (Json, Vec<Json>) {
    let document = document(&Comparison::of_kernels(systems(runs), &DEFAULT_STANDARDS));
    let rows = document["pairs"][0]["rows"].as_array().unwrap().iter();
    let figures = rows.flat_map(|row| row["figures"].as_array().unwrap().clone()).collect();
    (document, figures)
}

#[test]
fn kernels_of_the_lab_are_compared_exactly_where_draws_agree() {
    let (document, figures) = of_kernels(&lab());
    assert_eq!(document["pairs"].as_array().unwrap().len(), 2);
    assert_eq!(document["variance_source"], "runs");
    let is_exact = |figure: &&Json| {
        figure["figure"] == "median" && figure["p"].is_null() && figure["lower"] == figure["upper"]
    };
    let medians: Vec<&Json> = figures.iter().filter(is_exact).collect();
    for figure in &medians {
        let ratio = figure["ratio"].as_f64().unwrap();
        let beyond = ratio.ln().abs() > 0.05_f64.ln_1p();
        assert_eq!(figure["shown"], beyond, "{figure}");
    }
    assert!(!medians.is_empty());
    let mut others = document["pairs"][1]["rows"].as_array().unwrap().iter();
    assert!(others.any(|row| row["speed"] == "other is worse"));
    assert_eq!(document["findings"][0]["kind"], "steadiest");
    assert_eq!(found(&document, "draws")[0]["draws"], 5);
    assert_eq!(found(&document, "exact").len(), 1);
    assert_eq!(found(&document, "invalid_runs")[0]["runs"], 189 + 4 * 63);
    assert!(found(&document, "single_runs").is_empty());
    assert!(found(&document, "not_in_turns").is_empty());
}

#[test]
fn one_draw_of_each_kernel_ranks_nothing_by_its_tail() {
    let mut runs = lab();
    runs.truncate(189);
    let (document, figures) = of_kernels(&runs);
    assert_eq!(document["comparisons"], 0);
    assert_eq!(document["variance_source"], "nothing: equal runs are equal");
    for figure in figures.iter().filter(|figure| figure["figure"] == "p99") {
        assert!(figure["ratio"].is_null() && figure["shown"] == false, "{figure}");
    }
    assert!(found(&document, "steadiest").is_empty());
    assert_eq!(found(&document, "draws")[0]["draws"], 1);
}

/// Returns a draw of a kernel for each usual wake-up, in nanoseconds.
fn draws(kernel: &str, usual_ns: &[f64]) -> Vec<Outcome> {
    let draw = |(place, usual_ns): (u32, &f64)| {
        let mut run = in_lab(kernel, "rt", wakeup(Policy::Fifo(80), None, *usual_ns, 6e4));
        run.header.run_id = format!("{kernel} {place}");
        run.found.lab.as_mut().unwrap().place = place;
        run
    };
    (0..).zip(usual_ns).map(draw).collect()
}

#[test]
fn runs_of_the_lab_that_differ_are_tested() {
    let times = [8_000.0, 8_100.0, 8_200.0];
    let runs = [draws("a", &times), draws("b", &times.map(|ns| ns * 2.0))].concat();
    let (document, figures) = of_kernels(&runs);
    assert_eq!(document["variance_source"], "runs");
    let average = figures.iter().find(|one| one["figure"] == "average").unwrap();
    assert!(average["p"].is_number() && average["lower"] != average["upper"]);
}

#[test]
fn a_tail_of_the_lab_differs_only_if_its_draws_are_apart() {
    let tail = |others: &[f64]| {
        let mut short = draws("a", &[8_000.0, 8_000.0, 8_010.0, 8_020.0, 8_300.0]);
        short.extend(draws("b", others));
        let (_, figures) = of_kernels(&short);
        figures.into_iter().find(|one| one["figure"] == "p99").unwrap()
    };
    let apart = [14_000.0, 14_100.0, 13_900.0, 14_000.0, 9_000.0];
    let overlapping = [14_000.0, 14_100.0, 13_900.0, 14_000.0, 8_005.0];
    assert_eq!(tail(&apart)["shown"], true);
    let overlapping = tail(&overlapping);
    assert!(overlapping["p"].as_f64() < Some(0.001), "the test alone would show it: {overlapping}");
    assert_eq!(overlapping["shown"], false);
    assert_eq!(tail(&apart[..3])["shown"], false, "three draws show nothing");
}

/// Returns the number of misses in each of eight runs of 1000 deadlines; `misses` is the expected
/// total, and misses come in clusters of `cluster`.
fn drawn(odd: &mut Odd, misses: usize, cluster: u64) -> Vec<u64> {
    const RUNS: usize = 8;
    // A Poisson count: few successes among many trials.
    const CHANCES: usize = 10_000;
    let mut runs = vec![0; RUNS];
    for _ in 0..CHANCES {
        if odd.below(CHANCES * cluster as usize) < misses {
            runs[odd.below(RUNS)] += cluster;
        }
    }
    runs
}

/// Compares the misses of two systems whose runs alternate: returns whether they differ, and the
/// decisive level.
fn misses_differ(sides: [&[u64]; 2]) -> (bool, f64) {
    let sides = [("a", tires(1_000, sides[0], 0)), ("b", tires(1_000, sides[1], 1))];
    let document = json!(compared(&sides));
    let figures = document["pairs"][0]["rows"][0]["figures"].as_array().unwrap();
    let is_shown = figures.iter().any(|one| one["figure"] == "missed" && one["shown"] == true);
    (is_shown, 1.0 - document["confidence"].as_f64().unwrap())
}

/// 200 pairs of each kind; three standard deviations above 5 % would be 19.
#[test]
fn equal_systems_miss_equally_often() {
    let mut odd = Odd::of(30, 9);
    for (misses, cluster) in [(0, 1), (1, 1), (3, 1), (30, 1), (3, 3), (30, 10)] {
        let shown = (0..200).filter(|_| {
            let [a, b] = [(); 2].map(|()| drawn(&mut odd, misses, cluster));
            misses_differ([&a, &b]).0
        });
        let shown = shown.count();
        assert!(shown <= 10, "{misses} misses, {cluster} at a time: {shown} of 200 pairs differ");
    }
}

/// Returns the probability of at least this many misses on one side, if that side misses more often
/// by the largest factor that does not count yet (5 %): the exact test of two counts.
fn exact_chance(fewer: u64, more: u64) -> f64 {
    let all = fewer + more;
    let (on_this, on_other) = (1.05_f64 / 2.05, 1.0 / 2.05);
    let (mut term, mut sum) = (on_this.powi(all as i32), 0.0);
    for place in 0..=fewer {
        sum += term;
        term *= (all - place) as f64 / (place + 1) as f64 * on_other / on_this;
    }
    (2.0 * sum).min(1.0)
}

/// 1.5 and 3 times the odds. The exact test of two counts assumes independent misses. The run as
/// the unit of analysis costs some of that test's power: up to 30 % where it finds two thirds of
/// the differences, and almost nothing where it finds almost all.
#[test]
fn systems_that_miss_more_often_are_found() {
    let mut odd = Odd::of(30, 10);
    for (few, many, least_percent) in [(110, 165, 70), (10, 30, 70), (300, 450, 90), (30, 90, 90)] {
        let (mut found, mut possible) = (0, 0);
        for _ in 0..100 {
            let [a, b] = [few, many].map(|misses| drawn(&mut odd, misses, 1));
            let (is_shown, level) = misses_differ([&a, &b]);
            let [a, b] = [a, b].map(|runs| runs.iter().sum::<u64>());
            found += u32::from(is_shown);
            possible += u32::from(exact_chance(a.min(b), a.max(b)) <= level);
        }
        assert!(
            possible > 50 && found * 100 >= possible * least_percent,
            "{few} to {many}: {found} of {possible}"
        );
    }
}
