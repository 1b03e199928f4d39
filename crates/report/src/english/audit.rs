//! The English text of an audit.

use analysis::audit::{Details, Finding, FindingKind as Kind, Pattern, TOUCHED_STACK};
use analysis::phrases::{joined, maybe, some};
use analysis::words::{bytes, counted, grouped, listed, times};
use plan::{ChangedWhen, CodePlace};

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
        Kind::OutputsDiffer => "the outputs of two equal passes differ".to_owned(),
        Kind::Stack => format!(
            "a step uses {} of stack or more, as much as a run touches before it measures",
            bytes(TOUCHED_STACK)
        ),
        _ => of_steps(finding, all),
    }
}

fn of_steps(finding: &Finding, all: u64) -> String {
    let [_, one, several] = words(finding.kind);
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
    let is_named =
        matches!(finding.kind, Kind::SystemCall | Kind::FloatMode | Kind::Status | Kind::Lock);
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
        (Details::Changed { when, .. }, _) => return changed_when(*when)[0].to_owned(),
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
        ChangedWhen::AtUnloading => ["in its destructors", ""],
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
    let symbol = maybe(place.symbol.as_ref(), |symbol| format!("{symbol} in "));
    format!("{symbol}{file}+{:#x}", place.offset)
}

/// Returns the system call, or else the kind of finding.
pub(crate) fn name(finding: &Finding) -> &str {
    match (finding.kind, finding.names.first()) {
        (Kind::SystemCall, Some(name)) => name,
        (kind, _) => kind_name(kind),
    }
}

pub(crate) fn kind_name(kind: Kind) -> &'static str {
    words(kind)[0]
}

/// Returns the name of a kind, and its verb for one step and for several.
fn words(kind: Kind) -> [&'static str; 3] {
    match kind {
        Kind::Crash => ["crash", "", ""],
        Kind::Hang => ["never returns", "", ""],
        Kind::Status => ["step failed", "fails", "fail"],
        Kind::OutputsDiffer => ["outputs differ", "", ""],
        Kind::NotFinite => ["NaN or infinity", "returns NaN or infinity", "return NaN or infinity"],
        Kind::FloatMode => [
            "floating-point mode",
            "leaves the floating-point mode changed",
            "leave the floating-point mode changed",
        ],
        Kind::Allocation => ["allocation", "allocates", "allocate"],
        Kind::Release => ["free", "frees memory", "free memory"],
        Kind::Lock => ["lock", "takes a lock", "take a lock"],
        Kind::SystemCall => ["system call", "makes a system call", "make a system call"],
        Kind::MajorFault => [
            "page from a device",
            "waits for a page from a device",
            "wait for a page from a device",
        ],
        Kind::MinorFault => ["page fault", "has a page fault", "have a page fault"],
        Kind::Switch => {
            ["voluntary switch", "gives up its CPU to wait", "give up their CPU to wait"]
        }
        Kind::Denormal => ["denormals", "calculates with denormals", "calculate with denormals"],
        Kind::InvalidCalculation => ["invalid calculation", "calculates a NaN", "calculate a NaN"],
        Kind::DivisionByZero => ["division by zero", "divides by zero", "divide by zero"],
        Kind::Overflow => ["overflow", "overflows", "overflow"],
        Kind::LogLine => ["log line", "logs", "log"],
        Kind::Thread => ["thread", "starts a thread", "start a thread"],
        Kind::Stack => ["stack", "", ""],
        Kind::Change => ["change", "", ""],
    }
}

pub(crate) fn remedy(kind: Kind) -> &'static str {
    match kind {
        Kind::Crash => {
            "Run the step in a debugger up to that number; a library built with -g names the line."
        }
        Kind::Hang => "Bound every loop of the step by a count, and do not wait in it.",
        Kind::Status => {
            "Read what the model printed and logged; an FMU logs more with `audit --log`."
        }
        Kind::OutputsDiffer => {
            "Look for what the step reads in addition to its inputs: time, random numbers, addresses, uninitialised memory."
        }
        Kind::NotFinite => {
            "Find the first calculation that gives NaN or infinity, and bound its inputs."
        }
        Kind::FloatMode => {
            "Restore the mode before the step returns: code called after it calculates differently."
        }
        Kind::Allocation | Kind::Release => {
            "Allocate all memory when the model is initialised, and keep it to the end."
        }
        Kind::Lock => {
            "Take no lock in the step, or only one with priority inheritance that is held briefly; pass data in a ring buffer instead."
        }
        Kind::SystemCall => "Do it in another thread, or when the model is initialised.",
        Kind::MajorFault | Kind::MinorFault => {
            "Touch the memory when the model is initialised; a run locks what exists then."
        }
        Kind::Switch => "Do not wait in the step: its caller keeps the time.",
        Kind::Denormal => {
            "Flush denormals to zero when the model is initialised (MXCSR on x86, FPCR on Arm), or add a tiny constant where values decay."
        }
        Kind::InvalidCalculation | Kind::DivisionByZero | Kind::Overflow => {
            "Bound the inputs of the calculation."
        }
        Kind::LogLine => "Turn the log off for real time, or log to memory.",
        Kind::Thread => {
            "Threads of a model inherit the step's policy and CPUs; start none, or give them their own."
        }
        Kind::Stack => "Use less stack, or static memory: untouched pages of it fault in the step.",
        Kind::Change => "Restore what the whole process shares.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::audit::Audited;
    use plan::{AuditRecord, Deed, ModelThread, Occurrence, Pass, StepRun};

    fn seen(deed: Deed, name: &str, runs: &[(u64, u64, u64)]) -> Occurrence {
        let run = |&(first, last, each)| StepRun { first, last, each };
        let (runs, symbol) = (runs.iter().map(run).collect(), Some("plant_step+12".to_owned()));
        let library = "/models/plant.so".to_owned();
        let place = Some(CodePlace { library, offset: 0x1139, symbol });
        let name = name.to_owned();
        Occurrence { deed, name, place, by_step: true, bytes: 0, beside: 0, runs }
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
            is_program: false,
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
        assert_eq!(numbers.join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 500th");
    }
}
