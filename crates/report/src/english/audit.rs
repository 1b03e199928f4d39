//! The English text of an audit.

use analysis::audit::{Details, Finding, FindingKind, Pattern, TOUCHED_STACK};
use analysis::words::{bytes, counted, grouped, listed, times};
use plan::{ChangedWhen, CodePlace};

use super::parts::{joined, maybe, some};

/// A ratio of times below this may be chance.
const LEAST_TIMES: f64 = 1.2;

/// Returns the whole finding, without initial capital and full stop.
pub(crate) fn finding(finding: &Finding, all: u64) -> String {
    let count = finding.count as usize;
    match &finding.details {
        Details::Broken { phase, what } => {
            let step = maybe(finding.first_step, |step| format!(", step {}", grouped(step)));
            return format!("the model failed in its {phase}{step}: {what}");
        }
        Details::Changed { what, when } => {
            let [when, of_what] = changed_when(*when);
            return format!("the model {what}, {when}{of_what}");
        }
        Details::Heirs(heirs) => {
            let verb = if count == 1 { "is" } else { "are" };
            let inherits = match *heirs {
                0 => "none inherits the policy of the step",
                1 if count == 1 => "it inherits the policy and the CPUs of the step",
                heirs if heirs == count => "all inherit the policy and the CPUs of the step",
                _ => "some inherit the policy and the CPUs of the step",
            };
            let threads = counted(count, "thread");
            return format!("{threads} {verb} started before the first step; {inherits}");
        }
        Details::None => {}
    }
    match finding.kind {
        FindingKind::OutputsDiffer => "the outputs of two equal passes differ".to_owned(),
        FindingKind::Stack => format!(
            "a step uses {} of stack or more, as much as a run touches before it measures",
            bytes(TOUCHED_STACK)
        ),
        _ => of_steps(finding, all),
    }
}

fn of_steps(finding: &Finding, all: u64) -> String {
    let (one, several) = verb(finding.kind);
    let counted = |steps| format!("{} of {} steps", grouped(steps), grouped(all));
    let mut text = match finding.pattern {
        Pattern::Other | Pattern::BeforeSteps => format!("the model {one} before the first step"),
        Pattern::One { step: 0 } => format!("{} {one} (the first)", counted(1)),
        Pattern::One { step } => format!("{} {one} (step {})", counted(1), grouped(step)),
        Pattern::Every => format!("every step {one}"),
        Pattern::From { first } => format!("from step {} on every step {one}", grouped(first)),
        Pattern::Between { first, last } => {
            let steps = counted(last - first + 1);
            format!("{steps} {several} (steps {} to {})", grouped(first), grouped(last))
        }
        Pattern::Stride { stride, first } => {
            format!("every {} step {one}, from step {} on", ordinal(stride), grouped(first))
        }
        Pattern::Some { steps, first } => {
            format!("{} {several}, the first is step {}", counted(steps), grouped(first))
        }
    };
    let is_named = matches!(
        finding.kind,
        FindingKind::SystemCall | FindingKind::FloatMode | FindingKind::Status | FindingKind::Lock
    );
    let names = (is_named && !finding.names.is_empty()).then(|| listed(&finding.names));
    let several = finding.count > finding.steps_affected;
    let often = several.then(|| format!("{} times in all", grouped(finding.count)));
    let details = some(joined(names.into_iter().chain(often), ", "));
    text += &maybe(details, |details| format!(": {details}"));
    if let Some(ratio) = finding.times_as_long.filter(|ratio| *ratio >= LEAST_TIMES) {
        let take = if finding.steps_affected == 1 { "it takes" } else { "these take" };
        text += &format!("; {take} {} times as long", times(ratio));
    }
    text
}

/// Says in which steps it occurred, in a word or two.
pub(crate) fn when(finding: &Finding) -> String {
    match (&finding.details, finding.first_step) {
        (Details::Broken { .. }, Some(step)) => return format!("step {}", grouped(step)),
        (Details::Broken { phase, .. }, None) => return phase.clone(),
        (Details::Changed { when, .. }, _) => {
            let [when, _] = changed_when(*when);
            return when.to_owned();
        }
        _ => {}
    }
    match finding.pattern {
        Pattern::Other => String::new(),
        Pattern::BeforeSteps => "before the first".to_owned(),
        Pattern::One { step: 0 } => "the first".to_owned(),
        Pattern::One { step } => format!("step {}", grouped(step)),
        Pattern::Every => "every step".to_owned(),
        Pattern::From { first } => format!("from {} on", grouped(first)),
        Pattern::Stride { stride, first } => {
            format!("every {}, from {} on", ordinal(stride), grouped(first))
        }
        Pattern::Between { first, last } => format!("{} to {}", grouped(first), grouped(last)),
        Pattern::Some { steps, first } => {
            format!("{}, first {}", grouped(steps), grouped(first))
        }
    }
}

/// Says when, in the few words of a table, and what a sentence adds to them.
fn changed_when(when: ChangedWhen) -> [&'static str; 2] {
    match when {
        ChangedWhen::BeforeSteps => ["before the first", " step"],
        ChangedWhen::InSteps => ["in the steps", ""],
        ChangedWhen::AfterSteps => ["after the last", " step"],
    }
}

fn ordinal(number: u64) -> String {
    let end = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{}{end}", grouped(number))
}

/// `plant_step+12 in plant.so+0x1139`.
pub(crate) fn place(place: &CodePlace) -> String {
    let file = place.library.rsplit('/').next().unwrap_or_default();
    match &place.symbol {
        Some(symbol) => format!("{symbol} in {file}+{:#x}", place.offset),
        None => format!("{file}+{:#x}", place.offset),
    }
}

/// Returns the system call, or else the kind of finding.
pub(crate) fn name(finding: &Finding) -> &str {
    match (finding.kind, finding.names.first()) {
        (FindingKind::SystemCall, Some(name)) => name,
        (kind, _) => kind_name(kind),
    }
}

pub(crate) fn kind_name(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Crash => "crash",
        FindingKind::Hang => "never returns",
        FindingKind::Status => "step failed",
        FindingKind::OutputsDiffer => "outputs differ",
        FindingKind::NotFinite => "NaN or infinity",
        FindingKind::FloatMode => "floating-point mode",
        FindingKind::Allocation => "allocation",
        FindingKind::Release => "free",
        FindingKind::Lock => "lock",
        FindingKind::SystemCall => "system call",
        FindingKind::MajorFault => "page from a device",
        FindingKind::MinorFault => "page fault",
        FindingKind::Switch => "voluntary switch",
        FindingKind::Denormal => "denormals",
        FindingKind::InvalidCalculation => "invalid calculation",
        FindingKind::DivisionByZero => "division by zero",
        FindingKind::Overflow => "overflow",
        FindingKind::LogLine => "log line",
        FindingKind::Thread => "thread",
        FindingKind::Stack => "stack",
        FindingKind::Change => "change",
    }
}

fn verb(kind: FindingKind) -> (&'static str, &'static str) {
    match kind {
        FindingKind::Status => ("fails", "fail"),
        FindingKind::NotFinite => ("returns NaN or infinity", "return NaN or infinity"),
        FindingKind::FloatMode => {
            ("leaves the floating-point mode changed", "leave the floating-point mode changed")
        }
        FindingKind::Allocation => ("allocates", "allocate"),
        FindingKind::Release => ("frees memory", "free memory"),
        FindingKind::Lock => ("takes a lock", "take a lock"),
        FindingKind::SystemCall => ("makes a system call", "make a system call"),
        FindingKind::MajorFault => {
            ("waits for a page from a device", "wait for a page from a device")
        }
        FindingKind::MinorFault => ("has a page fault", "have a page fault"),
        FindingKind::Switch => ("gives up its CPU to wait", "give up their CPU to wait"),
        FindingKind::Denormal => ("calculates with denormals", "calculate with denormals"),
        FindingKind::InvalidCalculation => ("calculates a NaN", "calculate a NaN"),
        FindingKind::DivisionByZero => ("divides by zero", "divide by zero"),
        FindingKind::Overflow => ("overflows", "overflow"),
        FindingKind::LogLine => ("logs", "log"),
        FindingKind::Thread => ("starts a thread", "start a thread"),
        FindingKind::Crash
        | FindingKind::Hang
        | FindingKind::OutputsDiffer
        | FindingKind::Stack
        | FindingKind::Change => ("", ""),
    }
}

pub(crate) fn remedy(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Crash => {
            "Run the step in a debugger up to that number; a library built with -g names the line."
        }
        FindingKind::Hang => "Bound every loop of the step by a count, and do not wait in it.",
        FindingKind::Status => "Turn the model's log on; it says why.",
        FindingKind::OutputsDiffer => {
            "Look for what the step reads in addition to its inputs: time, random numbers, addresses, uninitialised memory."
        }
        FindingKind::NotFinite => {
            "Find the first calculation that gives NaN or infinity, and bound its inputs."
        }
        FindingKind::FloatMode => {
            "Restore the mode before the step returns: code called after it calculates differently."
        }
        FindingKind::Allocation | FindingKind::Release => {
            "Allocate all memory when the model is initialised, and keep it to the end."
        }
        FindingKind::Lock => {
            "Take no lock in the step, or only one with priority inheritance that is held briefly; pass data in a ring buffer instead."
        }
        FindingKind::SystemCall => "Do it in another thread, or when the model is initialised.",
        FindingKind::MajorFault | FindingKind::MinorFault => {
            "Touch the memory when the model is initialised; a run locks what exists then."
        }
        FindingKind::Switch => "Do not wait in the step: its caller keeps the time.",
        FindingKind::Denormal => {
            "Flush denormals to zero when the model is initialised (MXCSR on x86, FPCR on Arm), or add a tiny constant where values decay."
        }
        FindingKind::InvalidCalculation | FindingKind::DivisionByZero | FindingKind::Overflow => {
            "Bound the inputs of the calculation."
        }
        FindingKind::LogLine => "Turn the log off for real time, or log to memory.",
        FindingKind::Thread => {
            "Threads of a model inherit the step's policy and CPUs; start none, or give them their own."
        }
        FindingKind::Stack => {
            "Use less stack, or static memory: untouched pages of it fault in the step."
        }
        FindingKind::Change => "Restore what the whole process shares.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::audit::Audited;
    use plan::{AuditRecord, Deed, ModelThread, Occurrence, Pass, StepRun};

    fn seen(deed: Deed, name: &str, runs: &[(u64, u64, u64)]) -> Occurrence {
        let run = |&(first, last, each)| StepRun { first, last, each };
        let place = CodePlace {
            library: "/models/plant.so".to_owned(),
            offset: 0x1139,
            symbol: Some("plant_step+12".to_owned()),
        };
        Occurrence {
            deed,
            name: name.to_owned(),
            place: Some(place),
            by_step: true,
            bytes: 0,
            beside: 0,
            runs: runs.iter().map(run).collect(),
        }
    }

    #[test]
    fn findings_say_which_steps_do_what() {
        let thread = |inherits_policy| ModelThread { name: "w".to_owned(), inherits_policy };
        let inside = Pass {
            occurrences: vec![
                seen(Deed::Denormal, "", &[(3100, 4999, 1)]),
                seen(Deed::Allocation, "malloc", &[(0, 0, 3)]),
                seen(Deed::LogLine, "", &[(3, 4, 1), (9, 9, 1), (11, 11, 1)]),
            ],
            threads: vec![thread(true), thread(true)],
            step_ns: (0..5000).map(|step| if step < 3100 { 100 } else { 900 }).collect(),
            ..Pass::default()
        };
        let sleeps: Vec<_> = (1..10).map(|nth| (500 * nth, 500 * nth, 1)).collect();
        let sleep = seen(Deed::SystemCall, "clock_nanosleep", &sleeps);
        let audited = Audited::of(&AuditRecord {
            file: "/models/plant.so".to_owned(),
            interface: "library".to_owned(),
            steps: 5000,
            inside,
            outside: Pass { occurrences: vec![sleep], ..Pass::default() },
        });
        let found: Vec<[String; 2]> =
            audited.findings.iter().map(|one| [when(one), finding(one, 5000)]).collect();
        let expected = [
            ["the first", "1 of 5 000 steps allocates (the first): 3 times in all"],
            [
                "every 500th, from 500 on",
                "every 500th step makes a system call, from step 500 on: clock_nanosleep",
            ],
            [
                "from 3 100 on",
                "from step 3 100 on every step calculates with denormals; these take 9.00 times as long",
            ],
            ["4, first 3", "4 of 5 000 steps log, the first is step 3"],
            [
                "before the first",
                "2 threads are started before the first step; all inherit the policy and the CPUs of \
                 the step",
            ],
        ];
        assert_eq!(found, expected);
        assert_eq!(place(&audited.findings[0].places[0]), "plant_step+12 in plant.so+0x1139");
    }

    #[test]
    fn ordinals() {
        let numbers = [1, 2, 3, 4, 11, 12, 13, 21, 22, 500].map(ordinal);
        let expected =
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "500th"];
        assert_eq!(numbers, expected);
    }
}
