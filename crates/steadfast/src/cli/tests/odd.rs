//! Random command lines and plans, put together from what the parser itself knows, so that most of
//! them pass.

use clap::{Arg, ArgAction, Command as Known};
use testing::{Odd, try_odd};

use super::*;
use crate::options::plans::Reading;
use crate::options::request::specs;

/// Values for flags and positional arguments of which the parser knows only the value parser.
const VALUES: &str = "wakeup; tire; frame; interrupt; clock_overhead; priority_inversion; 1ms; 250us; \
    100Hz; 1kHz; 0; 0-1; 0,1; 1; 2; 4; 400; 5900; 0.1; 10; 1h; fifo:80; rr:5; other; other:-5; \
    deadline:1ms/2ms; cpu; cpu%50; disk:/tmp; network; skip; catch-up; real-time; real-fast; all; \
    timer; 50%; 5%; 1/1000000; 10/h; wakeup.max > 150us; tire[masses=400].skipped > 0; results.db; local";
/// Options that would make the program look for other machines.
const ELSEWHERE: [&str; 3] = ["peer", "watch", "target"];

fn other(odd: &mut Odd) -> String {
    let values: Vec<&str> = VALUES.split("; ").collect();
    (*odd.one_of(&values)).to_owned()
}

fn value(odd: &mut Odd, arg: &Arg) -> String {
    let known = arg.get_possible_values();
    let usual = arg.get_default_values();
    let valid = match odd.below(3) {
        0 if !known.is_empty() => odd.one_of(&known).get_name().to_owned(),
        1 if !usual.is_empty() => odd.one_of(usual).to_string_lossy().into_owned(),
        _ => other(odd),
    };
    if odd.once_in(6) { odd.text(&valid) } else { valid }
}

/// Adds a command of any depth with some of its flags.
fn words(odd: &mut Odd, known: &Known, words: &mut Vec<String>) {
    let deeper: Vec<&Known> = known.get_subcommands().collect();
    if !deeper.is_empty() {
        let next = *odd.one_of(&deeper);
        words.push(next.get_name().to_owned());
        return self::words(odd, next, words);
    }
    let few = 1 + odd.below(8);
    for arg in known.get_arguments() {
        let name = arg.get_long();
        let is_elsewhere = name.is_some_and(|name| ELSEWHERE.contains(&name));
        if is_elsewhere || (name.is_some() && !odd.once_in(few)) {
            continue;
        }
        words.extend(name.map(|name| format!("--{name}")));
        if matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
            words.push(value(odd, arg));
        }
    }
    if odd.once_in(8) && !words.is_empty() {
        let at = odd.below(words.len());
        words[at] = odd.text(&words[at]);
    }
}

/// Most of these lines pass; what they request is refused in one line, or can be run.
#[test]
fn odd_lines_are_read_or_refused_in_one_line() {
    let mut known = Cli::command();
    known.build();
    let (mut tried, mut passed) = (0, 0);
    try_odd(1_000, |odd| {
        let mut typed = vec!["steadfast".to_owned()];
        if odd.once_in(2) {
            let run = known.find_subcommand("run").expect("there is `run`");
            typed.extend(["run", odd.one_of(measure::MEASUREMENTS).name()].map(str::to_owned));
            words(odd, run, &mut typed);
        } else {
            words(odd, &known, &mut typed);
        }
        tried += 1;
        match Cli::try_parse_from(&typed) {
            Ok(cli) => {
                passed += 1;
                if let Command::Run(args) = &cli.command
                    && let Err(why) = args.requests().and_then(|requests| specs(&requests))
                {
                    assert!(!format!("{why:#}").is_empty());
                }
            }
            Err(error) if error.use_stderr() => {
                assert!(!one_line(&error.to_string()).contains('\n'), "{typed:?}");
            }
            Err(_) => {}
        }
    });
    assert!(passed * 10 > tried, "{passed} of {tried} lines passed");
}

const PLANS: [&str; 3] = [
    include_str!("../../../plans/fra-latencies.toml"),
    include_str!("../../../plans/tel-messages.toml"),
    "name = \"odd\"\nseed = 3\nrepeat = 2\n[[run]]\nmeasurement = [\"wakeup\", \"fifo_write\"]\n\
     seconds = [0.1, 1]\npolicy = \"other\"\nload = [\"none\", \"cpu\", \"cpu+network\"]\n\
     [[run]]\nmeasurement = \"tire\"\nmasses = [400, 800]\nthreads = [1, 2]\n",
];

#[test]
fn odd_plans_are_read_or_refused_where_they_are_wrong() {
    let (mut tried, mut passed) = (0, 0);
    try_odd(300, |odd| {
        let mut text = (*odd.one_of(&PLANS)).to_owned();
        if odd.below(3) == 0 {
            let mut bytes = text.into_bytes();
            odd.bytes(&mut bytes);
            text = String::from_utf8_lossy(&bytes).into_owned();
        } else {
            for _ in 0..=odd.below(2) {
                let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',', '"']).collect();
                let at = odd.below(words.len());
                let other = if odd.once_in(2) { other(odd) } else { odd.text(words[at]) };
                words[at] = &other;
                text = words.concat();
            }
        }
        if text.contains("target") || text.contains("peer") {
            return;
        }
        tried += 1;
        match Reading::default().read("odd.toml", &text) {
            Ok(plan) => {
                passed += 1;
                assert!(!plan.runs.is_empty());
            }
            Err(why) => assert!(format!("{why:#}").starts_with("odd.toml:"), "{why:#}"),
        }
    });
    assert!(passed * 20 > tried, "{passed} of {tried} plans passed");
}
