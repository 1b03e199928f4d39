//! Every output format, from made-up outcomes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use analysis::Analysis;
use analysis::comparison::{Comparison, Question, Side};
use analysis::finding::{AboutDeadlines, Finding, Fix, OnMachine};
use analysis::standards::{DEFAULT_STANDARDS, Limits, Standards};
use analysis::verdict::How;
use base::{Nanos, Policy};
use record::{Fact, Installation, KernelOrigin, Outcome, Row, fact};
use serde_json::{Value, json};
use stats::{Distribution, Sample};
use testing::outcomes::{
    self, benchmark, blamed, distribution, everything, frames, in_lab, lab, lab_and_machine,
    many_loads, messages, outcome, platform_gaps, refused, self_tested, tire, two_machines, wakeup,
};

fn html(outcomes: &[Outcome]) -> String {
    report::html(&Analysis::of(outcomes, &DEFAULT_STANDARDS))
}

fn json(outcomes: &[Outcome]) -> Value {
    reported(&Analysis::of(outcomes, &DEFAULT_STANDARDS))
}

fn reported(analysis: &Analysis) -> Value {
    json!(report::Reported::of(analysis))
}

fn terminal(outcomes: &[Outcome]) -> String {
    report::terminal(&Analysis::of(outcomes, &DEFAULT_STANDARDS))
}

/// Returns a text in one line.
fn in_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn summary(outcomes: &[Outcome]) -> String {
    in_line(&terminal(outcomes))
}

fn run_json(outcome: &Outcome) -> Value {
    analysis::json::run(outcome, &DEFAULT_STANDARDS).json()
}

#[track_caller]
fn assert_has(text: &str, all: &[&str]) {
    all.iter().for_each(|words| assert!(text.contains(words), "{words}"));
}

/// Returns the part after a text, up to the next occurrence of another.
#[track_caller]
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    text.split_once(from).unwrap().1.split_once(to).unwrap().0
}

/// Returns wake-ups of a real-time thread.
fn fifo(load: Option<&str>, worst: f64) -> Outcome {
    wakeup(Policy::Fifo(80), load, 8_000.0, worst)
}

fn usual() -> Outcome {
    fifo(None, 60_000.0)
}

fn other() -> Outcome {
    wakeup(Policy::OTHER, None, 8_000.0, 60_000.0)
}

fn judged(outcomes: &[Outcome]) -> analysis::verdict::Verdict {
    Analysis::of(outcomes, &DEFAULT_STANDARDS).verdict
}

/// Returns sets of outcomes that every function must show without a panic.
fn sets() -> Vec<(&'static str, Vec<Outcome>)> {
    let mut extreme = outcome("wakeup", Policy::OTHER, &[]);
    let samples = [-5_000_000, 0, 1, i64::from(u32::MAX) * 1_000_000].map(|value_ns| Sample {
        value_ns,
        index: u64::MAX,
        at_ns: u64::MAX,
    });
    extreme.rows = vec![
        Row::of("huge and tiny", Distribution::of(samples)).with(&named("odd"), Value::Null),
        Row::of("only early", Distribution::of(samples.into_iter().take(1))),
        Row::of("nothing", None),
    ];
    let mut zeros = tire("real-fast", 0, 0, 0, 0);
    zeros.rows = vec![Row::of("zeros", None).with(&fact::WALL_NS, 0)];
    vec![
        ("none", vec![]),
        ("all invalid", vec![refused(), refused()]),
        ("one", vec![usual()]),
        ("extreme", vec![extreme]),
        ("zeros", vec![zeros]),
        ("everything", everything()),
        ("two machines", two_machines()),
        ("many loads", many_loads()),
        ("blamed", vec![blamed("hog")]),
        ("self-tested", self_tested()),
        ("lab", lab()),
        ("lab and machine", lab_and_machine()),
    ]
}

/// Returns the text that a reader of the page sees, without styles and tags.
fn visible(html: &str) -> String {
    let mut text = String::new();
    let body = html.split_once("<body>").unwrap().1;
    for piece in body.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, rest)| rest));
    }
    text.replace("&nbsp;", " ")
        .replace(['\u{200b}', '\u{2060}'], "")
        .replace('\u{a0}', " ")
        .replace("&#x2f;", "/")
}

/// A set in every form.
struct Shown {
    name: &'static str,
    runs: usize,
    answer: report::Answer,
    html: String,
    terminal: String,
    json: Value,
}

impl Shown {
    fn of((name, outcomes): (&'static str, Vec<Outcome>)) -> Self {
        let analysis = Analysis::of(&outcomes, &DEFAULT_STANDARDS);
        Self {
            name,
            runs: outcomes.len(),
            answer: report::answer(&analysis),
            html: report::html(&analysis),
            terminal: report::terminal(&analysis),
            json: reported(&analysis),
        }
    }
}

/// The sets, analysed once for all tests.
static SHOWN: LazyLock<Vec<Shown>> = LazyLock::new(|| sets().into_iter().map(Shown::of).collect());

fn shown(name: &str) -> &'static Shown {
    SHOWN.iter().find(|shown| shown.name == name).unwrap()
}

/// Returns the sample of each line of each legend that shows wake-ups, by the name next to it.
fn legends(html: &str) -> Vec<(&str, &str)> {
    let figures = html.split("<figure id=\"figure-").skip(1);
    let wakeups = figures.filter(|one| one.starts_with("answer") || one.starts_with("wakeup-"));
    let figures = wakeups.filter_map(|one| one.split_once("</figure>"));
    let entries = figures.flat_map(|(figure, _)| figure.split("<li><svg ").skip(1));
    let entries = entries.filter_map(|entry| entry.split_once("</svg>"));
    entries.filter_map(|(sample, rest)| Some((rest.split_once("</li>")?.0, sample))).collect()
}

#[test]
fn a_line_has_one_look_in_all_charts_of_a_page() {
    let loads = [None, Some("cpu"), Some("io"), Some("ipc")];
    let worst = |index: usize| 4e5 * (1 + index * 7 % 5) as f64;
    let runs = loads.into_iter().enumerate().flat_map(|(index, load)| {
        [Policy::OTHER, Policy::Fifo(80)].map(|policy| wakeup(policy, load, 8e3, worst(index)))
    });
    let page = html(&runs.collect::<Vec<_>>());
    let mut looks = BTreeMap::new();
    let all = legends(&page);
    assert!(all.len() > 8, "{all:?}");
    for (name, sample) in all {
        assert_eq!(*looks.entry(name).or_insert(sample), sample, "{name}");
    }
    assert_has(&page, &["Not shown here: 4 other cases."]);
}

#[test]
fn the_page_names_no_outside_address_and_every_table_scrolls_by_itself() {
    for Shown { name, html, .. } in &*SHOWN {
        for (place, _) in html.match_indices("://") {
            let scheme = html[..place].rsplit(|c: char| !c.is_ascii_alphabetic()).next();
            let namespace = html[place..].starts_with("://www.w3.org/");
            let fetched = ["http", "https"].contains(&scheme.unwrap());
            assert!(!fetched || namespace, "{name}: {}", &html[place - 8..place + 40]);
        }
        assert!(!html.contains("src=\"//") && !html.contains("href=\"//"), "{name}");
        let scrolled = html.matches(" class=\"table\">").count();
        assert_eq!(scrolled, html.matches("<table>").count(), "{name}");
    }
}

#[test]
fn the_page_has_every_chart_and_no_script() {
    const MOST: usize = 1_000_000;
    let page = &shown("everything").html;
    assert!(!page.contains("<script"));
    let bytes = page.len();
    assert!(
        bytes < MOST,
        "{bytes} bytes, the limit is {MOST}: show fewer rows, or a smaller figure"
    );
    let figures = page.matches("<figure id=\"figure-").count();
    assert!(figures >= 16 && page.matches("<div class=\"panels").count() == figures);
}

#[test]
fn the_page_begins_with_the_answer_of_the_terminal() {
    for Shown { name, html, answer, .. } in &*SHOWN {
        let first = html.split_once("<nav>").unwrap().0;
        let text = visible(&format!("<body>{}", first.split_once("<body>").unwrap().1));
        let lines = answer.lines.iter().flat_map(|line| &line.figures);
        let remarks = answer.remarks.iter().map(|remark| &remark.words);
        for words in lines.chain(remarks).chain([&answer.verdict]) {
            let words = words.replace('`', "");
            let escaped = words.replace('<', "&lt;").replace('\'', "&#x27;");
            assert!(text.contains(&escaped) || text.contains(&words), "{name}: {words}\n{text}");
        }
        assert!(first.matches("<figure ").count() <= 1, "{name}");
    }
}

#[test]
fn three_hundred_runs_fit_a_page_and_each_keeps_what_it_alone_has() {
    const MOST: usize = 1_500_000;
    let mut outcomes = everything();
    let more: Vec<Outcome> = outcomes.iter().take(300 - outcomes.len()).cloned().collect();
    outcomes.extend(more);
    outcomes[7].found.system.housekeeping_cpus = "17".parse().unwrap();
    let page = html(&outcomes);
    assert_eq!(outcomes.len(), 300);
    assert!(page.len() < MOST, "{}", page.len());
    let runs = page.split_once("<section id=\"runs\"").unwrap().1;
    assert_eq!(runs.matches("<dt>Housekeeping CPUs</dt>").count(), 2);
    assert!(runs.contains("<dt>Housekeeping CPUs</dt><dd>17</dd>"));
}

#[test]
fn a_report_tells_what_only_names_disks_and_hosts_where_that_is_asked_for() {
    let outcomes = [blamed("hog")];
    let told = |analysis: &Analysis| [report::html(analysis), reported(analysis).to_string()];
    let analysis = Analysis::of(&outcomes, &DEFAULT_STANDARDS);
    for text in told(&analysis) {
        assert!(!text.contains("root=") && !text.contains("BOOT_IMAGE"));
        assert!(text.contains("Kernel command line") || text.contains("command_line"));
    }
    for text in told(&analysis.identified()) {
        assert!(text.contains("root=") && text.contains("BOOT_IMAGE"));
    }
}

#[test]
fn systems_that_differ_in_what_names_disks_differ_and_name_them_where_that_is_asked_for() {
    let [one, mut other] = [1e4, 2e4].map(|usual| wakeup(Policy::OTHER, None, usual, 1e5));
    other.header.machine.command_line = "root=/dev/other".to_owned();
    let sides = [("one", &one), ("other", &other)]
        .map(|(name, outcome)| Side { name: name.to_owned(), outcomes: vec![outcome] });
    let comparison =
        Comparison::of(sides.into(), &Question::default(), &DEFAULT_STANDARDS).unwrap();
    let analysis = Analysis::comparing(comparison);
    let told = |analysis: &Analysis| json!(analysis.comparison)["differences"].to_string();
    assert!(told(&analysis).contains("Kernel command line"));
    assert!(!told(&analysis).contains("/dev/other"));
    assert!(told(&analysis.identified()).contains("/dev/other"));
}

#[test]
fn every_figure_and_section_has_a_name_of_its_own() {
    let html = &shown("two machines").html;
    let body = html.split_once("<body>").unwrap().1;
    let names: Vec<&str> =
        body.split(" id=\"").skip(1).filter_map(|after| Some(after.split_once('"')?.0)).collect();
    let different: std::collections::BTreeSet<&&str> = names.iter().collect();
    assert!(names.contains(&"figure-unheard-of"));
    assert_eq!(names.len(), different.len(), "{names:?}");
}

#[test]
fn every_set_is_shown_everywhere_and_the_terminal_keeps_to_a_hundred_columns() {
    for Shown { name, runs, html, terminal, json, .. } in &*SHOWN {
        let [head, block] = match *name {
            "lab" => ["Details of the answer", "The answer"],
            "self-tested" => ["SEEN: every injected event, with its cause", "What it holds"],
            _ => ["What it holds, and what limits it", "What it holds"],
        };
        let page = visible(html);
        assert!(page.contains(head), "{name}");
        assert!(*name != "self-tested" || !page.contains("No run was measured"), "{page}");
        assert!(terminal.contains(block), "{name}");
        let wide = terminal.lines().find(|line| line.chars().count() > 100);
        assert_eq!(wide, None, "{name}");
        assert_eq!(json["runs"].as_array().unwrap().len(), *runs, "{name}");
        assert!(!json["verdict"]["holds"].as_array().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn wake_ups_over_time_stand_above_what_is_known_of_the_platform() {
    let mut run = usual();
    run.found.cpus[0].steal_ns = Some(40_000_000);
    let figure = |outcomes: &[Outcome]| {
        let page = html(outcomes);
        between(&page, "id=\"figure-wakeup-over-time-0\">", "</figure>").to_owned()
    };
    let panels = |figure: &str| figure.matches("<div class=\"plot\">").count();
    let alone = figure(&[run.clone()]);
    assert!(alone.contains("when, only a run with <code>--blame</code> knows"), "{alone}");
    assert_eq!(panels(&alone), 1);
    let stolen = serde_json::json!([{ "at_ns": 2_000_000_000_u64, "stolen_ns": 40_000_000 }]);
    run.rows[0].tell(&fact::STOLEN, stolen);
    let both = figure(&[run, platform_gaps(&[12_000, 305_000])]);
    assert_eq!(panels(&both), 3);
    assert!(both.contains("stolen in an interval") && both.contains("longest platform gap"));
}

#[test]
fn a_shorter_run_is_drawn_at_the_scale_of_a_longer_one() {
    let mut gaps = platform_gaps(&[12_000, 305_000]);
    let figure = |gaps: &Outcome| {
        let page = html(&[usual(), gaps.clone()]);
        between(&page, "figure-wakeup-over-time-0\">", "</figure>").to_owned()
    };
    assert!(!figure(&gaps).contains("end of this run"));
    gaps.header.spec.asked.duration = Nanos(5_000_000_000);
    let shorter = figure(&gaps);
    assert_eq!(shorter.matches("end of this run").count(), 1);
    let plots: Vec<&str> = shorter.split("class=\"plot\"").skip(1).collect();
    assert_eq!(plots.len(), 2);
    assert!(plots.iter().all(|plot| plot.contains(">10 s</text>")), "the last tick of both");
}

#[test]
fn the_first_picture_has_every_rate_with_its_deadline() {
    let of_period = |period: u64, worst: f64| {
        let mut run = fifo(None, worst);
        run.header.spec.parameters.set("period", record::Value::Time(Nanos(period)));
        run
    };
    let runs = [
        usual(),
        of_period(100_000, 90_000.0),
        of_period(10_000_000, 50_000.0),
        fifo(Some("cpu"), 70_000.0),
        wakeup(Policy::OTHER, None, 8_000.0, 70_000.0),
    ];
    let page = html(&runs).replace('\u{a0}', " ");
    let first = between(&page, "<figure id=\"figure-answer\">", "</figure>");
    for line in ["100 µs, no load", "1 ms, no load", "1 ms, load cpu", "10 ms, no load"] {
        assert!(first.contains(&format!("period {line}</li>")), "{first}");
    }
    assert_eq!(first.matches("</li>").count(), 4, "{first}");
    for deadline in ["100 µs", "1 ms", "10 ms"] {
        assert!(first.contains(&format!(">deadline {deadline}</text>")), "{first}");
    }
}

#[test]
fn what_the_first_picture_shows_is_not_drawn_again() {
    let page = html(&testing::experiment::tried_knobs());
    assert!(page.contains("id=\"figure-answer\"") && !page.contains("id=\"figure-knobs\""));
    assert!(page.contains("<section id=\"knobs\""));
}

#[test]
fn the_same_outcomes_give_the_same_report() {
    assert_eq!(shown("everything").html, html(&everything()));
}

#[test]
fn invalid_runs_are_plain_to_see_and_count_for_nothing() {
    let bad = Outcome { warnings: refused().warnings, ..fifo(None, 123_456_789.0) };
    let outcomes = [usual(), bad];
    let page = visible(&html(&outcomes));
    assert_has(&page, &["1 of 2 runs INVALID", "setcap cap_sys_nice"]);
    let verdict = judged(&outcomes);
    assert_eq!((verdict.runs, verdict.invalid), (2, 1));
    assert_eq!(verdict.holds, judged(&outcomes[..1]).holds);
    assert!(terminal(&outcomes).contains("INVALID"));
}

#[test]
fn many_invalid_runs_are_few_words() {
    let alone = terminal(&[refused()]);
    assert!(alone.contains("wakeup rr:50, period 100us"));
    let many = terminal(&vec![refused(); 20]);
    assert!(many.contains("wakeup: 20 runs"));
    assert_eq!(many.lines().count(), alone.lines().count());
}

#[test]
fn a_run_has_the_same_names_whatever_it_measured() {
    let names = |outcome: &Outcome| -> Vec<String> {
        let run = run_json(outcome);
        let is_fact =
            |name: &str| outcome.rows.first().is_some_and(|row| row.facts.contains_key(name));
        run.as_object().unwrap().keys().filter(|name| !is_fact(name)).cloned().collect()
    };
    let expected = names(&refused());
    for outcome in everything() {
        assert_eq!(names(&outcome), expected, "{}", outcome.header.spec.measurement);
    }
    let fixed = "due executed skipped valid conditions p50_ns p99_ns p999_ns max_ns max_at_ns rows \
                 schema_version started_utc parameters";
    for name in fixed.split(' ') {
        assert!(expected.iter().any(|known| known == name), "{name}");
    }
}

#[test]
fn a_run_tells_its_figures_and_conditions() {
    let outcome = fifo(Some("cpu"), 60_000.0);
    let run = run_json(&outcome);
    let headline = outcome.rows[0].latency.as_ref().unwrap();
    assert_eq!(run["max_ns"], headline.max.value_ns);
    assert_eq!(run["p99_ns"], headline.quantile_ns(0.99));
    assert_eq!(run["due"], 20_000);
    assert_eq!(run["parameters"]["period_ns"], 1_000_000);
    assert_eq!(run["conditions"]["requested"]["policy"], "fifo:80");
    assert_eq!(run["conditions"]["found"]["threads"][0]["policy"], "fifo:80");
    assert_eq!(run["rows"][1]["label"], "CPU 0");
    assert_eq!(run["rows"][1]["cpus"], "0");
    assert_eq!(run["started_utc"], "2026-01-01T00:00:00.000Z");
}

#[test]
fn a_run_without_rows_is_counted_as_nothing_and_a_fact_cannot_take_a_fixed_name() {
    let run = run_json(&refused());
    for name in ["due", "executed", "skipped", "count"] {
        assert_eq!(run[name], 0, "{name}");
    }
    assert_eq!((&run["valid"], &run["max_ns"]), (&Value::Bool(false), &Value::Null));
    assert_eq!(run["warnings"][0]["code"], "policy_refused");
    assert_eq!(run["warnings"][0]["invalidates"], true);
    let rows = vec![Row::of("row", None).with(&named("valid"), true).with(&named("max_ns"), 1)];
    let run = run_json(&Outcome { rows, ..refused() });
    assert_eq!((&run["valid"], &run["max_ns"]), (&Value::Bool(false), &Value::Null));
}

/// Returns a fact that is not declared.
fn named(name: &'static str) -> Fact {
    Fact { name, ..fact::MISSED }
}

#[test]
fn the_document_holds_histograms_and_published_figures() {
    let document = json(&[usual()]);
    let bins = document["runs"][0]["rows"][1]["histogram"].as_array().unwrap();
    let total: u64 = bins.iter().map(|bin| bin["count"].as_u64().unwrap()).sum();
    assert_eq!(total, 10_000);
    let published = document["published"]["latencies"].as_array().unwrap();
    assert!(published.iter().any(|latency| latency["worst_ns"] == 2922));
    assert_eq!(document["machines"].as_array().unwrap().len(), 1);
}

#[test]
fn the_verdict_names_the_size_held_and_the_first_that_missed() {
    let runs = [(5_900, 0), (57_000, 0), (114_000, 12), (200_000, 0)]
        .map(|(masses, missed)| tire("real-time", masses, 2, 200, missed));
    let clean_and_missed = "57 000 masses missed none of 200 steps (fewer than 1 in 31); 114 000 masses \
                            missed 12 of 200 steps.";
    let held =
        "No size of the tire is shown to hold at 100 Hz on 2 threads (semaphore solver, fifo:80):";
    let text = summary(&runs);
    assert!(text.contains(&format!("{held} {clean_and_missed}")), "{text}");
    assert!(summary(&runs[2..3]).contains("No measured size of the tire holds at 100 Hz"));
    assert!(summary(&runs[..2]).contains("; nothing beyond was measured."));
}

#[test]
fn published_sizes_are_next_to_the_same_model_at_the_same_rate_alone() {
    const SYSTEM: &str = "Xenomai (MPE 2014)";
    let of = |masses| tire("real-time", masses, 1, 200, 0);
    let mut runs = [of(100), of(200)];
    assert_has(&html(&runs), &[SYSTEM, "As published: of"]);
    let set_rate = |run: &mut Outcome, rate: &str| {
        run.header.spec.parameters.set_rate(rate.parse().unwrap());
    };
    runs.iter_mut().for_each(|run| set_rate(run, "1kHz"));
    let mut own = ["1kHz", "2kHz"].map(|_| outcomes::own_model("real-time", 0));
    for (run, rate) in own.iter_mut().zip(["1kHz", "2kHz"]) {
        set_rate(run, rate);
        run.header.spec.over = Some(record::Axis::Rate);
    }
    for unlike in [&runs, &own] {
        let page = html(unlike);
        assert!(!page.contains(SYSTEM) && !page.contains("As published"));
        assert_has(&page, &["Sizes without a miss, and where misses begin"]);
    }
}

#[test]
fn the_visible_chart_over_time_fills_its_width() {
    let run = |load, worst, seconds: u64| {
        let mut run = fifo(load, worst);
        let bins = json!([{ "at_ns": 1_000_000, "max_ns": worst }]);
        run.header.spec.asked.duration = Nanos(seconds * 1_000_000_000);
        run.rows[0].tell(&fact::STRIP, bins);
        run
    };
    let page = html(&[run(None, 9e5, 2), run(Some("cpu"), 6e4, 5), run(Some("io"), 5e4, 4)]);
    assert!(page.contains("figure-wakeup-over-time-2"));
    let first = between(&page, "figure-wakeup-over-time-0", "</figure>");
    assert!(!first.contains("end of this run"));
}

#[test]
fn structured_facts_are_named_and_not_spelled_on_a_page() {
    let page = visible(&html(&[blamed("hog")]));
    let page = in_line(&page);
    assert_has(&page, &["in report.json: blame"]);
    assert!(!page.contains("blame: "), "{page}");
}

#[test]
fn what_to_change_first_follows_from_what_limits_first() {
    let mut run = tire("real-fast", 5_900, 1, 200, 0);
    let first = |run: &Outcome| format!("{:?}", judged(std::slice::from_ref(run)).first);
    run.header.machine.hypervisor = None;
    assert!(first(&run).contains("scaling_governor"));
    run.header.machine.governors = vec!["performance".into()];
    assert!(first(&run).contains("a kernel built with CONFIG_PREEMPT_RT"));
    run.header.machine.installation = Some(Installation {
        distribution: Some("debian".into()),
        package_manager: Some("apt".into()),
        boot_loader: Some("update-grub".into()),
        kernel_from: Some(KernelOrigin::Installed),
        ..Installation::default()
    });
    assert!(first(&run).contains("sudo apt install linux-image-rt-amd64"));
    for real_time in ["Xenomai Cobalt 3.3.1", "rt"] {
        run.header.machine.preemption = real_time.into();
        assert!(first(&run).contains("isolcpus=managed_irq,domain,1 irqaffinity=0"));
        assert!(first(&run).contains("sudo update-grub"));
    }
    testing_schema::Schema::named("report-2").assert(&json(&[run]));
    let mut late = usual();
    assert_eq!(first(&late), "None", "no advice follows from a run that missed nothing");
    late.rows[0].skipped = 1;
    let change = judged(std::slice::from_ref(&late)).first;
    assert_eq!(change.map(|change| change.how), looks_for_cause(&late));
    late.rows.truncate(1);
    late.rows[0].latency.as_mut().unwrap().max.value_ns = 12_000_000;
    late.found.cpus[0].steal_ns = Some(10_000_000);
    late.found.cpus.push(record::CpuCounters { cpu: 0, ..late.found.cpus[0] });
    assert!(first(&late).contains("ask the host's operator"));
    let mut blamed = [blamed("hog")];
    blamed[0].rows[0].skipped = 1;
    let told = json(&blamed);
    testing_schema::Schema::named("report-2").assert(&told);
    assert_eq!(told["verdict"]["first"]["fix"]["kind"], "move_task");
    let page = visible(&html(&blamed)).replace('\n', " ");
    assert!(page.contains("What to change first Keep task hog off CPU 1: "), "{page}");
}

fn looks_for_cause(run: &Outcome) -> Option<How> {
    let command = format!("{} --blame", record::run_line(&run.header.spec, &[]));
    Some(How::Fix { fix: Fix::LookForCause { command } })
}

#[test]
fn loads_are_distinguished_and_drawn_over_one_another() {
    let loads = [None, Some("memory"), Some("disk%50@0:/x")];
    let mut runs = Vec::from(loads.map(|load| fifo(load, 60_000.0)));
    assert!(!html(&runs).contains("figure-wakeup-load"));
    let left_out = report::answer(&Analysis::of(&runs, &DEFAULT_STANDARDS)).lines.pop().unwrap();
    assert_eq!((&left_out.what[..], &left_out.figures[0][..]), ("1 other", "not worse"));
    runs.push(other());
    let html = html(&runs);
    let (first, others) = html.split_once("</figure>").unwrap();
    assert_eq!(first.matches("</li>").count(), 3, "the first picture has them");
    assert!(!others.contains("id=\"figure-wakeup-load-"));
    let rounds = "disk%50@0:/x on CPU 1: 812 345 rounds";
    assert_has(&visible(&html), &["no load", "load memory", "load disk%50@0:/x", rounds]);
}

#[test]
fn a_load_that_lengthens_wake_ups_is_a_limit() {
    let limits = |loaded_worst: f64| {
        let runs = [usual(), fifo(Some("cpu"), loaded_worst)].map(|run| vec![run; 5]).concat();
        let limits = judged(&runs).limits;
        let is_load = |limit: &Finding| matches!(limit, Finding::Deadlines(AboutDeadlines::Limit { found, .. }) if found.contains("without load"));
        limits.into_iter().filter(is_load).count()
    };
    assert_eq!((limits(600_000.0), limits(60_000.0)), (1, 0));
}

#[test]
fn no_miss_is_not_called_never() {
    let notes = judged(&[tire("real-time", 5_900, 1, 200, 0)]).notes;
    let is_bound = |note: &Finding| {
        matches!(note, Finding::Deadlines(AboutDeadlines::FewestSteps { steps: 200, .. }))
    };
    assert!(notes.iter().any(is_bound), "{notes:?}");
}

#[test]
fn each_source_of_interrupts_has_a_line_with_what_it_needs() {
    let html = html(&outcomes::interrupts());
    let section = between(&html, "<section id=\"interrupt\"", "What these data carry");
    let cells = section.split("<td class=\"case\">").skip(1);
    let cells: Vec<&str> = cells.filter_map(|cell| Some(cell.split_once('<')?.0)).collect();
    let timed = "timer, uart, uio, gpio, gpio: raise to kernel stamp, gpio: kernel stamp to user";
    assert_eq!(
        cells.join(", "),
        format!("{timed}, timer, gpio"),
        "times first, then what has none"
    );
    assert_eq!(section.matches("<td class=\"unavailable\"").count(), 2);
    for head in ["Shortest", "Average", "p99", "Worst", "Variation"] {
        assert!(section.contains(&format!("{head} <small>")), "{head}");
    }
    assert_has(section, &["Unanswered", "Not in time", "Strays"]);
}

#[test]
fn conditions_asked_and_found_are_shown_where_they_differ() {
    let mut run = usual();
    run.found.threads[0].policy_at_end = Policy::OTHER;
    let page = visible(&html(&[run]));
    assert_has(&page, &["fifo:80, then other", "not as asked: wakeup"]);
}

#[test]
fn solvers_stand_under_their_ceilings() {
    let rounds = benchmark();
    let html = html(&rounds);
    let shown = ["solvers on this machine", "medians of 3 rounds", "73.8 %", "56.4", "touch:1ms"];
    assert_has(&visible(&html), &shown);
    assert!(html.contains("figure-roofline-1"));
    let document = json(&rounds);
    let compared = &document["benchmarks"][0];
    let simd = compared["entries"].as_array().unwrap().iter().find(|entry| {
        entry["solver"] == "simd" && entry["threads"] == 2 && entry["precision"] == "f64"
    });
    assert_eq!(simd.unwrap()["rate_per_s"], 3.1e9);
    assert_eq!(simd.unwrap()["rounds"], 3);
    assert_eq!(compared["ceilings"].as_array().unwrap().len(), 4);
    let ratio = &compared["answers"][0];
    assert_eq!(ratio["measured"], simd.unwrap()["times_semaphore"]);
    assert_eq!(ratio["with"]["solver"], "semaphore");
    let paced = compared["paced"].as_array().unwrap();
    let prices: Vec<&Value> = paced.iter().map(|paced| &paced["ready_share"]).collect();
    assert_eq!(prices, [0.0, 0.1]);
    let none = json(&[tire("real-fast", 5_900, 1, 200, 0)]);
    assert_eq!(none["benchmarks"], Value::Array(vec![]));
}

#[test]
fn a_series_of_a_benchmark_is_reported_once() {
    let text = terminal(&benchmark());
    let words = in_line(&text);
    assert_eq!(words.matches("semaphore-exact f64").count(), 5);
    assert!(!text.contains("measurement"), "{text}");
    let alone = terminal(&[outcomes::ceiling("f64", 2, 4e9, 5e10)]);
    assert!(alone.contains("4 000"), "{alone}");
    assert!(!alone.contains("Ratios") && !alone.contains("rounds"), "{alone}");
}

#[test]
fn published_figures_stand_beside_the_measured_ones() {
    let page = visible(&shown("everything").html);
    assert_has(&page, &["Xenomai 2.6.2.1, Linux 3.5.7", "&gt; 1 000.0", "SAE 2014", "i7-3930K"]);
}

#[test]
fn a_machine_without_a_known_limit_reports_none() {
    let mut run = usual();
    run.header.machine = record::Machine::default().into();
    let verdict = judged(&[run]);
    assert_eq!((verdict.limits, verdict.first), (vec![], None));
}

#[test]
fn several_machines_are_distinguished() {
    let verdict = judged(&two_machines());
    for kernel in ["deb13-cloud", "deb13-rt"] {
        let is_of = |finding: &Finding| matches!(finding, Finding::OnMachine(OnMachine { machine, .. }) if machine.contains(kernel));
        assert!(verdict.holds.iter().any(is_of), "{kernel}");
    }
}

#[test]
fn equal_runs_are_merged_and_others_are_not() {
    let run = usual();
    let mut longer = run.clone();
    longer.header.spec.asked.duration = Nanos::SECOND;
    let sentences = |runs: &[Outcome]| {
        let is_wakeup = |finding: &&Finding| {
            matches!(finding, Finding::Deadlines(AboutDeadlines::WorstWakeup { .. }))
        };
        judged(runs).holds.iter().filter(is_wakeup).count()
    };
    assert_eq!(sentences(&[run.clone(), longer.clone()]), 1);
    assert_eq!(sentences(&[run.clone(), other()]), 2);
    assert!(visible(&html(&[run, longer])).contains("40 000"));
}

#[test]
fn causes_are_reported_in_words_in_a_table_and_in_a_figure() {
    let runs = [blamed("hog"), usual()];
    let answer = "12 late wake-ups, more than 200 µs after the due time: 10 by task `hog` (fifo:90, \
                  number 4711) (part of 12, 4.8 ms in all); 2 by platform gaps";
    assert_has(&summary(&runs), &[answer, "lost 3 trace events"]);
    let html = html(&runs);
    assert!(visible(&html).contains("What was late, and why"));
    assert_eq!(html.matches("id=\"figure-blame-").count(), 1);
    assert_eq!(json(&runs)["runs"][0]["blame"]["causes"][0]["main_of"], 10);
    let without = self::html(&runs[1..]);
    assert!(!visible(&without).contains("What was late"));
}

#[test]
fn a_self_test_is_a_table_of_its_own_and_no_part_of_the_verdict() {
    let mut runs = self_tested();
    runs.push(usual());
    let page = visible(&html(&runs));
    let gaps = "1 by platform gaps (hypervisor or firmware) (at most 1.9 ms).";
    assert_has(&page, &["Every disturbance was seen, measured and blamed correctly.", gaps]);
    assert!(!page.contains("runs INVALID"), "a priority to be found is found");
    assert!(!page.contains("What these data carry: self test"));
    assert_eq!(json(&runs)["verdict"]["runs"], 1);
    // Settings that were not read back, and too few events, are reported.
    runs[2].warnings.clear();
    let few = runs[1].rows[0].facts.get_mut(&*fact::DISTURBED).unwrap();
    few["injected"] = 5.into();
    let disturbed = "and 2 more were themselves disturbed";
    assert_has(&visible(&html(&runs)), &["reading back did not detect the change", disturbed]);
}

#[test]
fn a_machine_is_advised_by_what_is_stored_of_it() {
    let runs = [usual()];
    let machine = &json(&runs)["machines"][0];
    assert_eq!(machine["findings"][0]["state"], "warning");
    assert_eq!(machine["housekeeping_cpus"], "0");
    let told = [
        "How this machine is set up for real-time work",
        "the frequency governor is powersave",
        "isolcpus=managed_irq,domain,1",
        "As it should be: swap is off",
        machine["kernel_parameters"].as_str().unwrap(),
    ];
    let page = visible(&html(&runs));
    assert_has(&page, &told);
    // Whether the counter stops in idle states is not stored, so nothing is said about it.
    assert!(!page.contains("the clock source is tsc"));
    assert!(!visible(&shown("lab").html).contains("How this machine is set up"));
}

#[test]
fn a_derived_row_has_a_mean_and_a_share_and_no_distribution() {
    let runs = messages();
    let document = json(&runs);
    let run = document["runs"].as_array().unwrap().last().unwrap();
    assert_eq!(run["measurement"], "context_switch");
    assert_eq!(run["context_switch_ns"], 1_400.0);
    assert_eq!((&run["count"], &run["due"]), (&0.into(), &20_000.into()));
    for name in ["average_ns", "p99_ns", "max_ns"] {
        assert_eq!(run[name], Value::Null, "{name}");
    }
    assert_eq!(run["rows"][0]["histogram"], Value::Null);
    let terminal = terminal(&runs);
    let line = terminal.lines().find(|line| line.contains("62.5 % of the"));
    let cells: Vec<&str> = line.unwrap().split("  ").filter(|c| !c.is_empty()).collect();
    assert_eq!(cells[1].trim(), "1.4 µs");
    assert!(cells[2..6].iter().all(|cell| cell.trim() == "–"), "{line:?}");
    assert_has(&visible(&html(&runs)), &["62.5 %", "1.400"]);
}

/// Returns the six components, each with one row under one policy.
fn six(policy: Policy) -> Vec<Outcome> {
    let component = |(name, value_ns): (&str, i64)| {
        let row = Row::of("headline", distribution(&[value_ns])).with(&fact::BREAK_NS, value_ns);
        Outcome { rows: vec![row], ..outcome(name, policy, &[]) }
    };
    let components = [
        ("task_switch", 1_000),
        ("preemption", 2_000),
        ("interrupt", 3_000),
        ("semaphore_shuffle", 4_000),
        ("deadlock_break", 5_000),
        ("mailbox_transfer", 6_000),
    ];
    components.map(component).into()
}

#[test]
fn six_times_make_a_composite_that_stands_last() {
    let runs = six(Policy::Fifo(80));
    let document = json(&runs);
    let sets = document["rhealstone"].as_array().unwrap();
    assert_eq!(sets.len(), 1);
    let times = sets[0]["components"].as_array().unwrap();
    let times: Vec<f64> = times.iter().map(|time| time["average_ns"].as_f64().unwrap()).collect();
    assert_eq!(times, [1e3, 2e3, 3e3, 4e3, 5e3, 6e3]);
    let composite = sets[0]["rhealstones_per_second"].as_f64().unwrap();
    assert!((composite - 1e9 / 3_500.0).abs() < 1e-6, "{composite}");
    let page = visible(&html(&runs));
    let (before, _) = page.split_once("285 714").unwrap();
    assert!(before.contains("6.000"), "after the six times");
}

#[test]
fn without_one_of_the_six_times_there_is_no_composite() {
    let mut runs = six(Policy::Fifo(80));
    // Measured, but under conditions that differ from the others.
    runs[2].header.spec.asked.policy = Policy::Fifo(10);
    runs[5].rows = vec![Row::unavailable("one CPU", "needs a mailbox")];
    let document = json(&runs);
    let sets = document["rhealstone"].as_array().unwrap();
    assert_eq!(sets.len(), 1, "one time alone stands beside nothing");
    assert_eq!(sets[0]["rhealstones_per_second"], Value::Null);
    let why = "Interrupt latency: not measured; \
               Message transfer: not available: needs a mailbox";
    assert_eq!(sets[0]["without_composite"], why);
    assert!(visible(&html(&runs)).contains(why));
}

#[test]
fn a_watched_run_says_so_with_its_conditions() {
    let unwatched = tire("real-time", 100, 1, 200, 0);
    assert!(!visible(&html(std::slice::from_ref(&unwatched))).contains("Viewer"));
    let mut watched = unwatched;
    let frames = [
        (fact::FRAMES_DUE, 100),
        (fact::FRAMES_SENT, 90),
        (fact::FRAMES_REFUSED, 4),
        (fact::FRAMES_DROPPED, 6),
    ];
    let row = watched.rows.remove(0).with(&fact::WATCHED_AT, "bench:9870");
    let told = frames.into_iter().fold(row, |row, (fact, count)| row.with(&fact, count));
    watched.rows.push(told);
    let shown = ["bench:9870", "100 frames due, 90 sent, 4 refused, 6 dropped"];
    assert_has(&visible(&html(&[watched])), &shown);
}

#[test]
fn frames_bear_their_marks_beside_the_published_ones() {
    let runs = [frames("timer", 170_000), frames("hybrid", 1_200_000)];
    let html = html(&runs);
    let shown = [
        "green below 0.2 ms",
        "start jitter &gt; 1 ms",
        "a frame overran · max run &gt; T · start jitter + max run &gt; T",
        "Murray",
        "2 processes",
        "2 345 678",
        "fill 85 %",
    ];
    assert_has(&visible(&html), &shown);
    let cells = [
        r#"<td class="n good" title="170 000 ns">0.170"#,
        r#"<td class="n bad" title="1 200 000 ns">1.200"#,
        r#"<td class="bad">a frame overran"#,
        r"<td>none",
    ];
    assert_has(&html, &cells);
    assert_has(&terminal(&runs), &["fill 85 %", "timer", "hybrid"]);
    let json = json(&runs);
    assert_eq!(json["runs"][0]["rows"][2]["overruns"], 1);
    let published = &json["published"];
    assert!(published["timed_frames"].as_array().unwrap().len() > 10);
    assert_eq!(published["frames"][0]["overruns"], 225);
}

#[test]
fn figures_of_merit_stand_with_their_tolerance() {
    let slow = wakeup(Policy::OTHER, None, 80_000.0, 600_000.0);
    let runs = [usual(), fifo(Some("cpu"), 600_000.0), slow];
    let with_tolerance =
        |text: &str| Standards { tolerance: text.parse().unwrap(), ..Standards::default() };
    let [narrow, wide] = ["1%", "40%"].map(|text| {
        reported(&Analysis::of(&runs, &with_tolerance(text)))["figures_of_merit"].take()
    });
    assert_eq!((&narrow["tolerance"], &wide["tolerance"]), (&0.01.into(), &0.4.into()));
    let predictability = |merits: &Value| {
        let general = &merits["systems"][0]["general"];
        assert_eq!(general["cases"], 2);
        general["predictability"].as_f64().unwrap()
    };
    assert!(predictability(&narrow) < predictability(&wide));
    let answer = terminal(&runs);
    assert!(answer.contains("efficiency") && !answer.contains("redictab"), "{answer}");
    assert!(html(&runs).contains("rewards outliers"));
    let cases = narrow["systems"][0]["cases"].as_array().unwrap();
    let counted: Vec<&Value> = cases.iter().map(|case| &case["in_general"]).collect();
    assert_eq!(counted, [true, true, false]);
    let latency = runs[0].rows[0].latency.as_ref().unwrap();
    assert_eq!(cases[0]["efficiency_ns"], latency.mean_ns());
    let variation = latency.max.value_ns - latency.min.value_ns;
    assert_eq!(cases[0]["variation_ns"], variation as f64);
    let page = report::html(&Analysis::of(&runs, &with_tolerance("12.5%")));
    assert_has(&in_line(&visible(&page)), &["at most 12.5 % above the average"]);
}

#[test]
fn the_wait_of_each_lock_is_drawn_against_mediums_run() {
    let page = &shown("everything").html;
    assert_eq!(page.matches("id=\"figure-inversion-").count(), 1);
    let slopes = ["mutex: slope 1.02", "mutex inherit: slope 0.01", "spin: slope 2.00 or more"];
    assert_has(page, &slopes);
    let compared = &shown("two machines").html;
    assert_eq!(compared.matches("id=\"figure-inversion-").count(), 2);
}

#[test]
fn every_timed_row_says_what_its_data_carry() {
    let run = run_json(&usual());
    let claims = &run["rows"][1]["claims"];
    let median = &claims["quantiles"]["p50_ns"];
    assert!(median["lower_ns"].as_i64() <= run["rows"][1]["p50_ns"].as_i64());
    assert!(median["upper_ns"].as_i64() >= run["rows"][1]["p50_ns"].as_i64());
    // 10 000 samples set no upper end at 99.99 %.
    assert_eq!(claims["quantiles"]["p9999_ns"]["upper_ns"], Value::Null);
    let worst = claims["worst"].as_object().unwrap();
    assert!(worst.contains_key("fitted") || worst["refused"]["reason"].is_string());
    assert_eq!(run["claims"]["worst"], Value::Null, "two threads have no order");
    let few = html(&[tire("real-time", 400, 1, 200, 0)]);
    let carried = between(&few, "What these data carry", "</table>");
    assert_eq!(carried.matches("samples\">").count(), 2, "p99.9 and p99.99: {carried}");
    assert_eq!(claims["real_time"]["verdict"], "no miss so far");
    assert_eq!(claims["real_time"]["shown"], false);
}

#[test]
fn the_same_results_are_judged_by_other_limits() {
    let runs = [tire("real-time", 5_900, 1, 1_000, 3)];
    let (firm, soft) = ("1/1000".parse().unwrap(), "0.2%".parse().unwrap());
    let strict = Limits { firm, soft, ..Limits::default() };
    for (limits, verdict) in [(Limits::default(), "soft so far"), (strict, "not even soft so far")]
    {
        let standards = Standards { limits, ..Standards::default() };
        let analysis = Analysis::of(&runs, &standards);
        let json = reported(&analysis);
        assert_eq!(json["runs"][0]["claims"]["real_time"]["verdict"], verdict);
        let text = in_line(&report::terminal(&analysis));
        let limits = format!("Real time ({})", standards.limits);
        assert_has(&text, &[&format!("`tire` {verdict} with 5900 masses"), &limits]);
        assert!(report::html(&analysis).contains("Hard, firm, soft"));
    }
}

#[test]
fn repeated_runs_tell_what_differs_from_run_to_run() {
    let once = usual();
    let again = wakeup(Policy::Fifo(80), None, 9e3, 6e4);
    let repeats = "What repeated runs say of the average";
    assert!(!html(std::slice::from_ref(&once)).contains(repeats));
    assert!(html(&[once, again]).contains(repeats));
}

#[test]
fn several_kernels_of_the_lab_stand_side_by_side() {
    let page = &shown("lab").html;
    let ids = "answer clock-meaning invalid wakeup micro messages locks tire price merit setups";
    for id in ids.split(' ') {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let shown = [
        "stock-rt is the steadiest system",
        "disk (it has no disk)",
        "stock-rt, load paging: mailbox_transfer",
        "RTAI 3.9.1",
        "Xenomai 2.6.2.1",
        "as published",
        "preempt=voluntary",
        "7.2.22",
    ];
    assert_has(&visible(page), &shown);
    // Nine histograms per period and policy, and none for single runs.
    assert_eq!(page.matches("class=\"outline\"").count(), 6 * 9);
    assert!(!page.contains("id=\"runs\""));
    let bytes = page.len() - html(&[]).len();
    assert!(bytes < 510_000, "{bytes} bytes");
}

#[test]
fn what_is_beyond_a_millisecond_is_marked_and_the_work_of_loads_is_shown() {
    let page = &shown("lab").html;
    let table = between(page, "A thread with a period of", "</table>");
    let line = |load: &str| between(table, &format!(">{load}<td"), "\n<");
    assert_eq!(line("files").matches("n bad").count(), 2);
    assert_eq!(line("none").matches("n bad").count(), 0);
    let section = |id: &str| between(page, &format!("<section id=\"{id}\""), "</section>");
    let interrupts = section("interrupt");
    assert_eq!(interrupts.matches("n bad").count(), 1);
    assert_eq!(interrupts.matches("Bold and red").count(), 1);
    for id in ["messages", "locks"] {
        let section = section(id);
        let is_marked = section.contains("n bad");
        assert_eq!(section.contains("Bold and red"), is_marked, "{id}");
    }
    let page = visible(page);
    let (_, work) = page.split_once("Work of each load per second").unwrap();
    // 812 345 rounds in each run of 10 s.
    let work: String = work.split_whitespace().collect();
    assert!(work.contains("filesrounds81235"), "{work}");
}

#[test]
fn worst_cases_of_the_lab_are_ranges_over_draws() {
    let page = &shown("lab").html;
    let wakeups = between(page, "<section id=\"wakeup\"", "</section>");
    // The exact ends of a range are in its title, and both ends in its text.
    let line = |load: &str| between(wakeups, &format!(">{load}<td"), "\n<");
    let (title, text) = between(line("files"), "title=\"", "<td").split_once("\">").unwrap();
    assert!(title.contains(" ns to ") && title.ends_with(" ns over 5 draws"), "{title}");
    assert!(text.contains('–'), "{text}");
    let (title, text) = between(line("none"), "title=\"", "<td").split_once("\">").unwrap();
    assert!(title.ends_with(" ns in each of 5 draws") && !text.contains('–'), "{title}: {text}");
    let visible = visible(page);
    assert_has(
        &visible,
        &[
            "average / worst over 5 draws, µs: shortest and longest",
            "The number is the shortest and the longest worst case of 5 draws",
            "with a period of 1 ms, under each load over 5 draws, µs: shortest and longest",
            "worst over 5 draws, µs: shortest and longest, and the load of the longest",
            "The point is the longest of 5 draws, the line begins at the shortest.",
            "The longest time of a test is the longest over 1 to 5 draws.",
        ],
    );
    // Messages have one draw.
    let messages = between(page, "<section id=\"messages\"", "</section>");
    assert!(!messages.contains("draws"), "{messages}");
}

#[test]
fn repeated_runs_of_machines_are_not_draws() {
    let mut runs = lab();
    for run in &mut runs {
        run.found.lab = None;
    }
    let page = visible(&html(&runs));
    assert!(!page.contains("shortest and longest") && !page.contains(" 5 draws"));
}

#[test]
fn the_terminal_tells_systems_by_loads() {
    let text = &shown("lab").terminal;
    let head = text.lines().find(|line| line.starts_with(" Under load")).unwrap();
    assert_eq!(in_line(head), "Under load none files paging");
    let marks = |system: &str| {
        let mut lines = text.lines().skip_while(|line| *line != head);
        let line = lines.find(|line| line.trim().starts_with(system));
        line.unwrap().matches('!').count()
    };
    assert_eq!((marks("stock+preempt=none"), marks("stock-rt")), (2, 0));
    assert!(text.contains("not modelled"));
}

#[test]
fn the_document_of_a_comparison_tells_its_answer() {
    let Shown { json: document, runs, .. } = shown("lab");
    let comparison = &document["comparison"];
    assert_eq!(comparison["systems"].as_array().unwrap().len(), 3);
    let worst = &comparison["systems"][0]["worst_wakeups"];
    assert_eq!(worst[0]["load"], "none");
    assert!(worst[1]["max_ns"].as_f64() > Some(1e6));
    let system = &comparison["systems"][0];
    let mut rows = comparison["pairs"][0]["rows"].as_array().unwrap().iter();
    let row = rows.find(|row| row["measurement"] == "wakeup").unwrap();
    for [max, draws] in [
        [&worst[1]["max_ns"], &worst[1]["max_ns_of_draws"]],
        [&system["worst_wakeup_ns"], &system["worst_wakeup_ns_of_draws"]],
        [&row["other_max_ns"], &row["other_max_ns_of_draws"]],
    ] {
        let draws: Vec<f64> = draws.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        assert_eq!(draws.len(), 5);
        assert_eq!(max.as_f64(), draws.into_iter().reduce(f64::max));
    }
    assert_eq!(comparison["clock"]["kind"], "instruction_clock");
    assert_eq!(comparison["errors"], Value::Array(vec![]));
    assert_eq!(document["runs"].as_array().unwrap().len(), *runs);
}

#[test]
fn equal_setups_with_different_samples_are_an_error_everywhere() {
    let mut runs = lab();
    let mut again = runs[0].clone();
    again.found.lab.as_mut().unwrap().samples_sha256 = "another".into();
    runs.push(again.clone());
    let one_kernel = vec![runs[0].clone(), again];
    for runs in [runs, one_kernel] {
        let words = "Equal set-ups gave different samples";
        let page = visible(&html(&runs));
        let (before, _) = page.rsplit_once("What this clock means").unwrap();
        assert!(before.contains(words));
        assert!(terminal(&runs).contains(&format!("ERROR\n -  {words}")));
        assert_eq!(judged(&runs).errors.len(), 1);
    }
    assert!(!shown("lab").html.contains("id=\"errors\""));
}

#[test]
fn one_run_of_the_lab_names_its_clock_and_no_hardware() {
    let run = [in_lab("debian-6.1", "voluntary", fifo(Some("kernel"), 60_000.0))];
    for text in [visible(&html(&run)), terminal(&run)] {
        for unfit in [
            "the host can stop it",
            "bare metal",
            "PREEMPT_RT and measure",
            "every CPU was measured",
            "platform gaps",
            "stolen time",
        ] {
            assert!(!text.contains(unfit), "{unfit}: {text}");
        }
        assert!(text.contains("What this clock means, and what it cannot say"));
        assert!(text.contains("4\u{a0}ns") || text.contains("4 ns"));
    }
    let clock = &json(&run)["verdict"]["clock"];
    assert_eq!(clock["ns"], 4);
}

#[test]
fn lab_and_machine_stand_side_by_side_with_a_warning() {
    let runs = lab_and_machine();
    for text in [visible(&html(&runs)), terminal(&runs)] {
        assert_has(&text, &["WARNING", "Clocks differ: time is counted", "AMD EPYC"]);
    }
    let told = &json(&runs)["verdict"]["clocks_differ"];
    assert_eq!(told["kind"], "clocks_differ");
    assert!(shown("everything").json["verdict"]["clocks_differ"].is_null());
}

#[test]
fn what_stands_apart_has_a_section_and_no_rank() {
    let times = analysis::times::Times {
        title: "FreeRTOS, emulated".into(),
        rows: vec![("task switch".into(), distribution(&[200, 240]).unwrap())],
        words: vec![("What these mean".into(), vec!["Another processor.".into()])],
        json: json!({ "kernel": "FreeRTOS" }),
    };
    let runs = lab();
    let comparison = Comparison::of_kernels(analysis::survey::systems(&runs), &DEFAULT_STANDARDS);
    let analysis = Analysis::comparing(Comparison { apart: Some(&times), ..comparison });
    let page = report::html(&analysis);
    let (before, section) = page.split_at(page.find("id=\"apart\"").unwrap());
    assert!(!visible(before).contains("FreeRTOS, emulated<"));
    assert!(section.contains("Another processor.") && section.contains("0.220"));
    let text = report::terminal(&analysis);
    let place = |words: &str| text.find(words).unwrap();
    assert!(place("FreeRTOS") > place("What this clock means"));
    assert_eq!(json!(analysis.comparison)["apart"]["kernel"], "FreeRTOS");
}

#[test]
fn any_systems_can_be_laid_side_by_side() {
    let machines = two_machines();
    let (one, other): (Vec<&Outcome>, Vec<&Outcome>) =
        machines.iter().partition(|run| run.header.machine.preemption == "rt");
    let side = |name: &str, outcomes| Side { name: name.into(), outcomes };
    let sides = vec![side("A.db", one), side("B.db", other), side("empty", vec![])];
    let comparison = Comparison::of(sides, &Question::default(), &DEFAULT_STANDARDS).unwrap();
    let page = visible(&report::html(&Analysis::comparing(comparison)));
    let shown = ["2 systems side by side", "B.db against A.db: every row", "Preemption model"];
    assert_has(&page, &shown);
    assert!(!page.contains("in instructions") && !page.contains("as published"));
}

/// Returns runs of one tire size, each with this number of steps and no miss.
fn clean_tires(masses: u64, steps: u64, runs: usize) -> Vec<Outcome> {
    let run = |number: usize| {
        let mut run = tire("real-time", masses, 2, steps, 0);
        run.header.run_id.push_str(&format!("-{number}"));
        run
    };
    (0..runs).map(run).collect()
}

#[test]
fn what_was_not_shown_holds_nowhere_in_a_report() {
    let once = clean_tires(110_000, 200, 1);
    let text = summary(&once);
    let counted = "110 000 masses missed none of 200 steps (fewer than 1 in 67)";
    assert_has(&text, &[counted, "`tire` no miss so far: 0 of 200"]);
    assert!(!text.contains("Holds 1"), "{text}");
    let html = html(&once);
    assert!(!html.contains("n good") && !html.contains("class=\"good\""));
    let map = &json(&once)["maps"][0];
    assert_eq!(map["cells"][0]["shown_to_hold"], false);
    let edges = &map["thresholds"][0];
    assert_eq!(edges["hard_real_time_up_to"], Value::Null);
    assert_eq!(edges["no_miss_up_to"], 110_000);
}

#[test]
fn every_part_of_a_report_says_the_same_of_what_a_size_holds() {
    let runs = [clean_tires(57_000, 100, 70), clean_tires(110_000, 200, 1)].concat();
    let held = "Holds 57 000 masses at 100 Hz on 2 threads (semaphore solver, fifo:80): missed none of \
                7 000 steps (fewer than 1 in 1 083) in 70 runs; 110 000 masses missed none of 200 steps \
                (fewer than 1 in 31).";
    let graded = "`tire` hard in 1 of 2 cases: 0 of 7 000 missed";
    assert_has(&summary(&runs), &[held, graded, "no miss so far in 1 of 2"]);
    let json = json(&runs);
    let held = &json["frontiers"][0]["lines"][0]["frontier"]["held"];
    assert_eq!((&held["masses"], &held["shown"]), (&57_000.into(), &true.into()));
    let sizes = json["frontiers"][0]["lines"][0]["sizes"].as_array().unwrap();
    let standings: Vec<&Value> = sizes.iter().map(|size| &size["standing"]).collect();
    assert_eq!(standings, ["shown to hold", "seems to hold"]);
    let cells = json["maps"][0]["cells"].as_array().unwrap();
    let shown: Vec<&Value> = cells.iter().map(|cell| &cell["shown_to_hold"]).collect();
    assert_eq!(shown, [true, false]);
    let edges = &json["maps"][0]["thresholds"][0];
    assert_eq!(edges["hard_real_time_up_to"], 57_000);
    let verdicts = json["runs"].as_array().unwrap().iter();
    let of_a_run = |run: &Value| run["claims"]["real_time"]["verdict"].clone();
    assert!(verdicts.map(of_a_run).all(|verdict| verdict == "no miss so far"));
}

#[test]
fn what_has_no_deadline_has_nothing_missed() {
    let of = |measurement: &str| {
        let mut run = usual();
        run.header.spec.measurement = measurement.into();
        run.rows[0].due += 600;
        run.rows[0].skipped = 600;
        run
    };
    assert_has(&summary(&[of("task_switch")]), &["600 of ", "20 600 not made"]);
    assert!(!summary(&[of("wakeup")]).contains("not made"));
    let interrupts = judged(&[of("interrupt")]).holds;
    let [Finding::Deadlines(AboutDeadlines::InterruptsMissed { missed, due, .. })] = interrupts[..]
    else {
        panic!("{interrupts:?}");
    };
    assert_eq!((missed, due), (600, 20_600));
    let measurements = vec!["new".to_owned()];
    let only = Finding::Deadlines(AboutDeadlines::OnlyInTables { measurements });
    assert_eq!(judged(&[of("new")]).holds, [only]);
}

#[test]
fn the_verdict_orders_what_limits_as_the_machines_table_does() {
    let mut run = usual();
    run.header.machine.hypervisor = Some("KVM".into());
    run.header.machine.kernel_release = "6.12.0".into();
    run.found.cpus[0].steal_ns = Some(10_000_000);
    run.rows[0].skipped = 1;
    run.warnings.push(record::Warning::ThrottlingReached {
        cpu: 1,
        used_percent: 95,
        granted_percent: 95,
        gaps: 0,
        group: None,
        is_usual: false,
    });
    let limits = judged(std::slice::from_ref(&run)).limits;
    let findings = &json(&[run])["machines"][0]["findings"];
    let warnings = findings.as_array().unwrap().iter();
    let warnings: Vec<&Value> = warnings.filter(|f| f["state"] == "warning").collect();
    assert_eq!(warnings.len(), limits.len());
    for (finding, limit) in warnings.iter().zip(&limits) {
        let Finding::Deadlines(AboutDeadlines::Limit { found, .. }) = limit else {
            panic!("{limits:#?}");
        };
        assert_eq!(finding["found"].as_str(), Some(found.as_str()));
    }
    let last = warnings.last().unwrap();
    assert_eq!(last["name"], "fair_server");
    assert!(last["command"].as_str().unwrap().contains("fair_server"));
}
