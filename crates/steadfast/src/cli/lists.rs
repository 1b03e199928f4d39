//! Compares the lists in the manual with the tables in the code that they describe.
//! `GOLDEN=write cargo test -p steadfast --bin steadfast lists` writes them again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use analysis::standards::Limits;
use analysis::words::grouped;
use base::Rate;
use knob::{At, KNOBS, Knob, RIVALS, Values, Way};
use load::{LOADS, Load, Processes};
use measure::MEASUREMENTS;
use record::Warning;
use report::FORMATS;
use serde_json::{Map, Value, json};
use testing::manual::{assert_list, in_words, lists, project, table};

use crate::cli::entries::{self, code};
use crate::cli::{Cli, paths};
use crate::options::request::{recorders, with_due_times};
use crate::startup::exit::CODES;

type List = fn(&str) -> String;

/// The names of the lists, each with the function that makes it from what the page has now.
const LISTS: &[(&str, List)] = &[
    ("aggressors", |_| in_words(aggressors())),
    ("blame", |_| blame()),
    ("conditions", |_| conditions()),
    ("exit codes", |_| exit_codes()),
    ("format files", |_| format_flags(" FILE").join(", ")),
    ("format flags", |_| format_flags("").join(", ")),
    ("format table", |_| format_table()),
    ("formats", |_| formats()),
    ("json", commands_with_json),
    ("knobs", |_| knobs()),
    ("load names", |_| load_names()),
    ("loads", |_| loads()),
    ("chance of shown", |_| chance_of_shown()),
    ("rivals", |_| RIVALS.join(", ")),
    ("record", |_| in_words(recorders())),
    ("warnings", |_| warnings()),
];

#[test]
fn every_list_in_the_manual_is_that_of_the_code() {
    for (name, expected) in LISTS {
        assert_list(name, expected);
    }
    let names = LISTS.iter().map(|(name, _)| (*name).to_owned());
    assert_eq!(lists(), names.collect());
    // Not at the same time, because both write the same pages.
    entries::assert_all();
}

fn conditions() -> String {
    let row = |known: &doctor::Condition| [code(known.name), known.what.to_owned()];
    table(["name", "what it is"], doctor::CONDITIONS.iter().map(row))
}

fn format_flags(value: &str) -> Vec<String> {
    FORMATS.iter().map(|format| code(&format!("--{}{value}", format.flag))).collect()
}

fn format_table() -> String {
    let row = |format: &report::Format| {
        let flag = code(&format!("--{} FILE", format.flag));
        [flag, format.form.to_owned(), format.readers.to_owned()]
    };
    table(["flag", "form", "for"], FORMATS.iter().map(row))
}

fn formats() -> String {
    let flags: Vec<String> = FORMATS.iter().map(|format| format!("--{}", format.flag)).collect();
    in_words(flags.iter().map(String::as_str))
}

/// Groups of commands whose output as JSON is described in one clause.
const DESCRIBED_TOGETHER: [&str; 2] = ["lab ", "store "];

/// Returns the commands that print one JSON object, which are named by hand, and then those that the
/// page does not name.
fn commands_with_json(now: &str) -> String {
    let root = Cli::known();
    let page = fs::read_to_string(project().join("docs/machines.md")).expect("there is a page");
    let prints_json = |path: &&String| {
        let known = path.split(' ').fold(&root, |known, name| {
            known.find_subcommand(name).expect("the path is that of a command")
        });
        known.get_arguments().any(|arg| arg.get_long() == Some("json"))
    };
    let is_described = |path: &str| {
        ["`", " "].iter().any(|end| page.contains(&format!("`{path}{end}")))
            || DESCRIBED_TOGETHER.iter().any(|group| path.starts_with(group))
    };
    let commands = paths(&root);
    let others = commands.iter().filter(prints_json).filter(|path| !is_described(path));
    others.fold(now.trim().to_owned(), |all, path| format!("{all}, {}", code(path)))
}

/// Returns the loads as they are typed, with the argument of those that require one.
fn load_names() -> String {
    let typed = |load: &Load| match load.argument {
        Some(argument) if argument.default.is_none() => {
            code(&format!("{}:{}", load.name, argument.name))
        }
        _ => code(load.name),
    };
    LOADS.iter().map(typed).collect::<Vec<String>>().join(", ")
}

/// Returns the loads that do one thing of which a neighbour may be suspected.
fn aggressors() -> impl Iterator<Item = &'static str> {
    LOADS.iter().filter(|load| load.is_aggressor).map(|load| load.name)
}

/// Returns the measurements that `--blame` supports, each with the value of a parameter it needs.
fn blame() -> String {
    let measurement = |text: String| match text.split_once(" with ") {
        Some((name, needs)) => format!("`{name}` with `{needs}`"),
        None => code(&text),
    };
    with_due_times().into_iter().map(measurement).collect::<Vec<String>>().join(", ")
}

fn loads() -> String {
    let heads = ["name", "what it does", "argument", "processes", "counted in"];
    let row = |load: &Load| {
        let argument = load.argument.map(|argument| match argument.default {
            Some(usual) => format!("{} (`{usual}`)", argument.help),
            None => format!("{}; required", argument.help),
        });
        let unit = (load.unit)(load.usual_argument());
        let (processes, unit) = match load.processes {
            Processes::None => ("none", ""),
            Processes::OnEachCpu => ("one per CPU", unit),
            Processes::One => ("one", unit),
            Processes::Guard => ("its own", unit),
        };
        let [summary, processes, unit] = [load.summary, processes, unit].map(str::to_owned);
        [code(load.name), summary, argument.unwrap_or_default(), processes, unit]
    };
    table(heads, LOADS.iter().map(row))
}

/// How often a step that misses once in so many is shown to hold, by rates of its steps.
fn chance_of_shown() -> String {
    let limits = Limits::default();
    let row = |rate: &str| {
        let period = rate.parse::<Rate>().expect("a rate").period();
        let shown = |power: i32| percent(limits.chance_of_shown(10f64.powi(-power), period));
        let most = limits.held_for.0.0 / period.0;
        let [hundred, thousand, ten, all] = [2, 3, 4, 5].map(shown);
        [rate.to_owned(), format!("1 in {}", grouped(most)), hundred, thousand, ten, all]
    };
    let rows = ["50Hz", "100Hz", "300Hz", "1kHz", "3kHz", "10kHz"].map(row);
    table(
        ["rate", "shown: fewer than", "1 in 100", "1 in 1000", "1 in 10 000", "1 in 100 000"],
        rows,
    )
}

fn percent(share: f64) -> String {
    match share {
        ..1e-3 => "below 0.1 %".to_owned(),
        share => format!("{:.1} %", 100.0 * share),
    }
}

fn exit_codes() -> String {
    let mut meanings = BTreeMap::from([(0, "done, and every run was valid".to_owned())]);
    for (code, meaning) in CODES {
        let all: &mut String = meanings.entry(*code).or_default();
        *all += if all.is_empty() { "" } else { "; " };
        *all += meaning;
    }
    let rows = meanings.into_iter().map(|(code, meaning)| [code.to_string(), meaning]);
    table(["code", "meaning"], rows)
}

fn knobs() -> String {
    let heads = ["knob", "what it does", "where", "to try", "risk"];
    let row = |knob: &Knob| {
        let (place, to_try) = place_and_value(knob);
        let name = match knob.way {
            Way::Unit => format!("{}:NAME", knob.name),
            Way::Boot => format!("{}:WORD", knob.name),
            _ => knob.name.to_owned(),
        };
        let mut risk = knob.risk.name().to_owned();
        if !knob.why.is_empty() {
            risk += &format!(": {}", knob.why);
        }
        if knob.cuts_network {
            risk += "; not tried over ssh";
        }
        [code(&name), knob.summary.to_owned(), place, to_try, risk]
    };
    table(heads, KNOBS.iter().map(row))
}

/// Returns where a knob is set, and what is tried.
fn place_and_value(knob: &Knob) -> (String, String) {
    let of_run = || "the run itself".to_owned();
    let held = || {
        let present = knob::present(Path::new("/"), knob.name);
        code(&present.and_then(|present| present.to_try).expect("it exists everywhere"))
    };
    match &knob.way {
        Way::Files(places, values) => {
            let places: Vec<String> = places.iter().map(place).collect();
            (places.join(", "), value(*values))
        }
        Way::Tasks(begins, values) => (format!("kernel threads `{begins}*`"), value(*values)),
        Way::Cache => ("`/sys/fs/resctrl`".to_owned(), "`half`".to_owned()),
        Way::Unit => ("systemd".to_owned(), "`inactive`".to_owned()),
        Way::Held | Way::Hog => (of_run(), held()),
        Way::Flag(flag) => (of_run(), format!("`{}`, else `{}`", flag.advised, flag.other)),
        Way::Boot => ("the lab".to_owned(), "the word".to_owned()),
    }
}

/// Returns the name of a sysctl, or the path of another file.
fn place(at: &At) -> String {
    match at.pattern.strip_prefix("proc/sys/") {
        Some(sysctl) => code(&sysctl.replace('/', ".")),
        None => code(&format!("/{}", at.pattern)),
    }
}

fn value(values: Values) -> String {
    match values {
        Values::Between(advised, other) => format!("`{advised}`, else `{other}`"),
        Values::Unless(never, advised, other) => {
            format!("`{advised}`, else `{other}`; nothing at `{never}`")
        }
        Values::Supported(advised, other) => {
            format!("`{advised}`, else `{other}`; nothing at other values")
        }
        Values::Only(advised) => code(advised),
        Values::Offered(_, order) => {
            let order: Vec<String> = order.iter().map(|one| code(one)).collect();
            format!("another one: {}", order.join(", "))
        }
        Values::Beside((advised, _), (other, _)) => format!("`{advised}`, else `{other}`"),
        Values::Away => "*away*".to_owned(),
        Values::Same => "the present value".to_owned(),
    }
}

fn warnings() -> String {
    let rows = codes_of_warnings().into_iter().map(|name| {
        let all = complete(&json!({ "code": name }));
        let invalid: Vec<bool> = all.iter().map(Warning::invalidates).collect();
        let effect = match (invalid.contains(&true), invalid.contains(&false)) {
            (true, true) => "may be INVALID",
            (true, false) => "INVALID",
            (false, _) => "valid",
        };
        [code(&name), effect.to_owned(), all[0].cause()]
    });
    table(["code", "the run is", "cause"], rows)
}

/// Returns the codes of all warnings, which the error for an unknown one names.
fn codes_of_warnings() -> Vec<String> {
    let error = serde_json::from_value::<Warning>(json!({ "code": "" })).unwrap_err().to_string();
    let (_, known) = error.split_once("expected one of ").expect("the error names them");
    known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns warnings of that code with every field set, once for each value of a field that is yes
/// or no. Texts are the field's name in capitals.
fn complete(fields: &Value) -> Vec<Warning> {
    let error = match serde_json::from_value(fields.clone()) {
        Ok(warning) => return with_defaults(warning, fields),
        Err(error) => error.to_string(),
    };
    let Some(missing) = error.strip_prefix("missing field `") else {
        return Vec::new();
    };
    let field = missing.trim_end_matches('`');
    let with = |value: Value| {
        let mut all: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
        all.insert(field.to_owned(), value);
        complete(&Value::Object(all))
    };
    let yes_or_no = [with(json!(false)), with(json!(true))].concat();
    let text = json!(field.to_uppercase());
    let is_found = field == "found";
    let others = [
        text.clone(),
        json!(if is_found { "other" } else { "fifo:80" }),
        json!(if is_found { "0" } else { "1" }),
        json!(if field.ends_with("_ns") { example_ns(field) } else { 20 }),
        json!(20),
        json!("privilege"),
        json!([text]),
        json!(["real_time_priority"]),
    ];
    let mut others = others.into_iter().map(with).filter(|found| !found.is_empty());
    others.next().unwrap_or(yes_or_no)
}

/// Returns a time of a size that the field may have, in nanoseconds.
fn example_ns(field: &str) -> u64 {
    match field {
        "limit_ns" => 20_000,
        "late_ns" => 71_700,
        "planned_ns" => 30_000_000_000,
        _ => 20_000_000,
    }
}

/// Returns a warning whose numbers that were left out are 0, and the same with other numbers.
fn with_defaults(warning: Warning, fields: &Value) -> Vec<Warning> {
    let mut all = serde_json::to_value(&warning).expect("it is data");
    let values = all.as_object_mut().into_iter().flatten();
    let left_out = values.filter(|(name, value)| fields.get(name).is_none() && **value == json!(0));
    let changed = left_out.map(|(_, value)| *value = json!(20)).count();
    let other = (changed > 0).then(|| serde_json::from_value(all).expect("it has the same fields"));
    [warning].into_iter().chain(other).collect()
}

#[test]
fn measurements_that_record_or_can_be_late_are_those_of_the_table() {
    let all: Vec<&str> = MEASUREMENTS.iter().map(|measurement| measurement.name()).collect();
    assert!(recorders().all(|name| all.contains(&name)));
    assert!(recorders().any(|name| name == "model"));
    let late = with_due_times();
    assert!(late.contains(&"wakeup".to_owned()), "{late:?}");
    assert!(late.contains(&"tire with --mode real-time".to_owned()), "{late:?}");
}
