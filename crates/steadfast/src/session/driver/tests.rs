//! Tests of every plan with the driver: whenever a run is interrupted and resumed, no run is lost
//! or made twice, and the order of the runs is kept.

mod example;
pub(crate) mod fake;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::Duration;

use knob::OnMachine;
use place::{Target, TargetError};
use record::{Arrived, Machine, RunSpec, Warning};
use store::Store;
use tempfile::tempdir;

use super::*;
use crate::command::frontier::beside::tests as beside;
use crate::command::frontier::map::tests as map;
use crate::command::frontier::tests as frontier;
use crate::command::gate::tests as gate;
use crate::command::interfere::tests as interfere;
use crate::command::knobs::tests as knobs;
use crate::command::run::line::specs_of;
use crate::command::studies::measure::tests as studies;
use crate::options::request;

/// The phase of a run in which the user presses Ctrl-C.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// The run is known to be next, but has not begun.
    Due,
    /// The run waits for others, or measures.
    Measuring,
    /// The run is made, but not saved.
    Made,
    Saved,
}

const PHASES: [Phase; 4] = [Phase::Due, Phase::Measuring, Phase::Made, Phase::Saved];

/// A plan as a command creates it, anew each time that the command is typed.
struct Asked {
    name: &'static str,
    /// Returns the plan, and the specifications by which its session is found.
    plan: fn() -> (Box<dyn Plan>, Vec<RunSpec>),
    /// Number of runs that the carrier takes at once.
    at_once: usize,
    takes_up_all: bool,
    has_limits: bool,
}

const LIST: Asked = Asked {
    name: "list",
    plan: || {
        let specs = specs();
        (Box::new(List::of(&specs)), specs)
    },
    at_once: 1,
    takes_up_all: false,
    has_limits: false,
};

const ALL: &[Asked] = &[
    LIST,
    Asked { name: "list, many at once", at_once: usize::MAX, ..LIST },
    Asked {
        name: "map",
        plan: || map::asked("--threads 1,2 --rate 1kHz --from 400 --resolution 20%"),
        takes_up_all: true,
        ..LIST
    },
    Asked {
        name: "map with its pretest",
        plan: || map::asked("--rate 1kHz --from 400 --resolution 20%"),
        takes_up_all: true,
        ..LIST
    },
    Asked {
        name: "map, every size",
        plan: || map::asked("--threads 1,2 --full-grid --to 1600 --resolution 400"),
        takes_up_all: true,
        ..LIST
    },
    Asked {
        name: "frontier",
        plan: || frontier::asked("--rate 1kHz --threads 1,2 --soft --resolution 20%"),
        has_limits: true,
        ..LIST
    },
    Asked {
        name: "frontier of one size",
        plan: || frontier::asked("--rate 1kHz --threads 1,2 --size 4000 --soft"),
        has_limits: true,
        ..LIST
    },
    Asked { name: "studies", plan: || studies::asked("fra"), has_limits: true, ..LIST },
    Asked { name: "knobs", plan: knobs::asked, has_limits: true, ..LIST },
    Asked {
        name: "interfere",
        plan: || interfere::asked("--aggressors cache+fork --budget 90s"),
        has_limits: true,
        ..LIST
    },
    Asked { name: "gate", plan: gate::asked, has_limits: true, ..LIST },
    Asked {
        name: "frontier of a mix",
        plan: || beside::asked("--budget 60s --seconds 1"),
        has_limits: true,
        ..LIST
    },
];

pub(super) fn specs() -> Vec<RunSpec> {
    let line = "wakeup --policy other --cpus 0 --period 1ms,2ms,3ms,4ms,5ms";
    request::repeated(specs_of(line).unwrap(), 2).unwrap()
}

/// Makes no real runs, and presses Ctrl-C in a given phase of a given run.
struct Fake<'a> {
    stop: &'a Cell<bool>,
    at_once: usize,
    interrupts: Option<(usize, Phase)>,
    /// Number of runs made so far, in all commands.
    made: &'a Cell<usize>,
    due: Cell<usize>,
}

impl Fake<'_> {
    fn comes_to(&self, phase: Phase) {
        let is_now = self.interrupts == Some((self.due.get(), phase));
        self.stop.set(self.stop.get() || is_now);
    }
}

impl Carrier for Fake<'_> {
    fn at_once(&self) -> usize {
        self.at_once
    }

    fn check(&self, _due: &Due) -> Result<()> {
        if self.at_once == 1 {
            self.comes_to(Phase::Due);
        }
        Ok(())
    }

    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        // Runs that are made at once finish in any order.
        for due in due.iter().rev() {
            self.comes_to(Phase::Measuring);
            if !work.goes_on() {
                return Err(Trouble::Interrupted);
            }
            self.comes_to(Phase::Made);
            let number = self.made.replace(self.made.get() + 1);
            work.gathered(due, fake::outcome(&due.spec, number, 10_000))?;
            self.comes_to(Phase::Saved);
            self.due.set(self.due.get() + 1);
        }
        Ok(())
    }
}

/// Types the command once, and returns how it ended.
fn typed(
    asked: &Asked,
    store: &Path,
    made: &Cell<usize>,
    interrupts: Option<(usize, Phase)>,
) -> Ended {
    let (mut plan, templates) = (asked.plan)();
    let store = Store::open(store).unwrap();
    let mut keeping = Keeping::of(store, "fake", &templates, Machine::default());
    let known = if asked.takes_up_all { keeping.take_up_all() } else { keeping.take_up() };
    let known = known.unwrap();
    let stop = Cell::new(false);
    let is_wanted = || stop.get();
    let mut work = Work { stop: &is_wanted, ..Work::kept(Some(keeping)).knowing(known) };
    if asked.has_limits {
        work = work.until(Instant::now() + Duration::from_secs(3600));
    }
    let mut fake =
        Fake { stop: &stop, at_once: asked.at_once, interrupts, made, due: Cell::new(0) };
    work.carry_out(&mut *plan, &mut fake).unwrap()
}

/// Types the command until it is no longer interrupted: after one run first, then after two, and so
/// on. Returns the runs in the store, in the order in which they were due.
fn until_done(asked: &Asked, interrupted: Option<Phase>) -> Vec<RunSpec> {
    let directory = tempdir().unwrap();
    let path = directory.path().join("results.db");
    let made = Cell::new(0);
    let mut times = 0;
    let interrupts = |times| interrupted.map(|phase| (times + 1, phase));
    while let Some(trouble) = typed(asked, &path, &made, interrupts(times)).trouble {
        assert!(matches!(trouble, Trouble::Interrupted), "{trouble:?}");
        times += 1;
        assert!(times <= made.get(), "every command makes a run");
        assert!(times < 1000, "every command continues where the last one ended");
    }
    assert_eq!(times > 0, interrupted.is_some());
    let store = Store::open_existing(&path).unwrap();
    let [session] = &store.sessions().unwrap()[..] else {
        panic!("one plan, one session");
    };
    assert!(session.finished_unix_ns.is_some());
    let outcomes = store.outcomes(session.id).unwrap();
    assert_eq!(outcomes.len(), made.get(), "what is made is kept");
    outcomes.into_iter().map(|run| run.header.spec).collect()
}

#[test]
fn an_interrupt_in_any_phase_of_any_plan_loses_no_run_and_makes_none_twice() {
    for asked in ALL {
        let whole = until_done(asked, None);
        assert!(whole.len() > 5, "{}", asked.name);
        for phase in PHASES {
            if asked.at_once > 1 && phase == Phase::Due {
                continue;
            }
            let parts = until_done(asked, Some(phase));
            assert_eq!(parts, whole, "{}: {phase:?}", asked.name);
        }
    }
}

#[test]
fn what_is_done_is_known_to_every_later_command() {
    for asked in ALL {
        let directory = tempdir().unwrap();
        let path = directory.path().join("results.db");
        let made = Cell::new(0);
        typed(asked, &path, &made, Some((3, Phase::Saved)));
        let before = made.get();
        let ended = typed(asked, &path, &made, None);
        let numbers: BTreeSet<&str> =
            ended.outcomes.iter().map(|run| &*run.header.run_id).collect();
        assert_eq!(before, 4, "{}", asked.name);
        assert_eq!(numbers.len(), made.get(), "{}", asked.name);
        assert_eq!(ended.outcomes.len(), made.get(), "{}", asked.name);
    }
}

struct Scripted<'a> {
    stop: &'a Cell<bool>,
    answers: RefCell<Vec<Answer>>,
    made: Cell<usize>,
}

enum Answer {
    Made,
    MadeAndInterrupted,
    Interrupted,
    Lost,
    Failed,
}

impl Target for Scripted<'_> {
    fn run(
        &self,
        spec: &RunSpec,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Arrived, TargetError> {
        assert!(keep_going(), "nothing begins after an interrupt");
        let answers = &mut *self.answers.borrow_mut();
        match if answers.is_empty() { Answer::Made } else { answers.remove(0) } {
            Answer::Interrupted => {
                self.stop.set(true);
                return Err(TargetError::Interrupted);
            }
            Answer::Lost => return Err(TargetError::Lost("no answer".into())),
            Answer::Failed => return Err(TargetError::Failed("no memory".into())),
            Answer::MadeAndInterrupted => self.stop.set(true),
            Answer::Made => {}
        }
        self.made.set(self.made.get() + 1);
        Ok(fake::recording(spec, self.made.get()).into())
    }

    fn knobs(&self, _keep_going: &mut dyn FnMut() -> bool) -> Result<OnMachine, TargetError> {
        Err(TargetError::Failed("it only makes runs".into()))
    }
}

/// Returns how a list ends on a target with these answers, and how many runs it has.
fn on_target(answers: Vec<Answer>) -> (usize, Option<Trouble>) {
    let stop = Cell::new(false);
    let target = Scripted { stop: &stop, answers: RefCell::new(answers), made: Cell::new(0) };
    let is_wanted = || stop.get();
    let work = Work { stop: &is_wanted, ..Work::kept(None) };
    let ended = work.carry_out(&mut List::of(&specs()), &mut Targets::only(target)).unwrap();
    (ended.outcomes.len(), ended.trouble)
}

#[test]
fn a_run_whose_connection_was_lost_is_repeated_a_few_times() {
    let lost = |times| std::iter::repeat_with(|| Answer::Lost).take(times).collect();
    let (made, trouble) = on_target(lost(3));
    assert!(made == 10 && trouble.is_none(), "{trouble:?}");
    let (made, trouble) = on_target(lost(4));
    assert!(made == 9 && matches!(trouble, Some(Trouble::NotMade(_))));
}

#[test]
fn a_run_that_cannot_be_made_is_missing_and_the_others_are_made() {
    let (made, trouble) = on_target(vec![Answer::Made, Answer::Failed]);
    let Some(Trouble::NotMade(why)) = trouble else {
        panic!("{trouble:?}");
    };
    assert_eq!(made, 9);
    let why = why.to_string();
    assert!(why.contains("period 2ms") && why.ends_with(": no memory"), "{why}");
}

#[test]
fn what_is_made_when_the_user_interrupts_is_kept_and_nothing_else_begins() {
    for (answer, kept) in [(Answer::Interrupted, 1), (Answer::MadeAndInterrupted, 2)] {
        let (made, trouble) = on_target(vec![Answer::Made, answer]);
        assert_eq!(made, kept);
        assert!(matches!(trouble, Some(Trouble::Interrupted)));
    }
}

pub(super) fn invalid() -> Warning {
    Warning::MemoryLockRefused { reason: String::new(), barrier: None }
}

/// Returns a warning that may be gone when the run is repeated.
pub(crate) fn disturbed() -> Warning {
    Warning::MeasuredBeside { who: String::new(), asked: false }
}

/// A carrier that carries each run by a function.
struct By<F>(F);

impl<F: FnMut(&Due, &mut Work<'_>) -> Result<(), Trouble>> Carrier for By<F> {
    fn carry(&mut self, due: &[Due], work: &mut Work<'_>) -> Result<(), Trouble> {
        due.iter().try_for_each(|due| (self.0)(due, work))
    }
}

/// A search that always wants the same run again.
struct Endless;

impl Plan for Endless {
    fn next(&mut self, known: &Known) -> Option<Due> {
        Some(Due { ordinal: known.next_ordinal(), spec: specs()[0].clone() })
    }

    fn is_done(&self) -> bool {
        false
    }
}

#[test]
fn a_search_ends_where_its_run_cannot_be_made_and_where_all_are_invalid() {
    let work = || Work::kept(None).until(Instant::now() + Duration::from_secs(3600));
    let mut tried = 0;
    let mut impossible = By(|_: &Due, _: &mut Work<'_>| {
        tried += 1;
        Err(Trouble::NotMade(Error::msg("no memory")))
    });
    let ended = work().carry_out(&mut Endless, &mut impossible).unwrap();
    assert!(matches!(ended.trouble, Some(Trouble::NotMade(_))));
    assert_eq!(tried, 1);
    let spoilt = |warning: Warning| {
        let mut made = 0;
        let mut spoilt = By(|due: &Due, work: &mut Work<'_>| {
            let mut outcome = fake::outcome(&due.spec, made, 1);
            made += 1;
            outcome.warnings = vec![warning.clone()];
            if made == 10 {
                outcome.warnings.clear();
                work.limits.as_mut().unwrap().deadline = Instant::now();
            }
            work.gathered(due, outcome)?;
            if work.goes_on() { Ok(()) } else { Err(Trouble::Interrupted) }
        });
        let ended = work().carry_out(&mut Endless, &mut spoilt).unwrap();
        assert!(ended.trouble.is_none());
        ended.outcomes.len()
    };
    assert_eq!(spoilt(invalid()), MOST_INVALID);
    // Runs with passing disturbances are repeated as long as there is time.
    assert_eq!(spoilt(disturbed()), 10);
}

#[test]
fn a_list_whose_time_is_up_within_its_last_run_is_done_only_if_it_was_to_fill_the_time() {
    let is_done = |rule| {
        let mut list = List::with(&specs(), rule);
        let mut known = Known::default();
        while let Some(due) = list.next(&known) {
            if due.ordinal + 1 == specs().len() {
                list.cut_off(&[due]);
                break;
            }
            known.add(Some(due.ordinal), fake::outcome(&due.spec, due.ordinal, 1));
        }
        list.is_done()
    };
    assert!(!is_done(Rule::All));
    assert!(!is_done(Rule::Possible(None)));
    assert!(is_done(Rule::InTime));
}

#[test]
fn a_check_that_is_ended_says_nothing_about_the_run() {
    struct Broken(fn() -> Error);
    impl Carrier for Broken {
        fn check(&self, _due: &Due) -> Result<()> {
            Err(self.0())
        }

        fn carry(&mut self, _due: &[Due], _work: &mut Work<'_>) -> Result<(), Trouble> {
            unreachable!("it was not possible")
        }
    }
    let ended = |why, stop: &dyn Fn() -> bool| {
        let work = Work { stop, ..Work::kept(None) };
        work.carry_out(&mut Endless, &mut Broken(why))
    };
    let lost = || TargetError::Lost("no answer".to_owned()).into();
    let refused = || Error::msg("too large");
    let trouble = |ended: Result<Ended>| ended.unwrap().trouble;
    assert!(matches!(trouble(ended(refused, &|| true)), Some(Trouble::Interrupted)));
    assert!(matches!(trouble(ended(lost, &|| false)), Some(Trouble::NotMade(_))));
    assert!(ended(refused, &|| false).is_err());
}

#[test]
fn a_budget_that_goes_by_until_others_have_measured_is_named() {
    struct Waiting;
    impl Target for Waiting {
        fn wait(
            &self,
            _spec: &RunSpec,
            keep_going: &mut dyn FnMut() -> bool,
        ) -> Result<(), TargetError> {
            while keep_going() {
                thread::sleep(Duration::from_millis(1));
            }
            Err(TargetError::Interrupted)
        }

        fn run(
            &self,
            _spec: &RunSpec,
            _keep_going: &mut dyn FnMut() -> bool,
        ) -> Result<Arrived, TargetError> {
            unreachable!("others measure")
        }

        fn knobs(&self, _keep_going: &mut dyn FnMut() -> bool) -> Result<OnMachine, TargetError> {
            unreachable!("it only makes runs")
        }
    }
    let work = Work::kept(None).until(Instant::now() + Duration::from_secs(1));
    let ended = work.carry_out(&mut Endless, &mut Targets::only(Waiting));
    let Some(Trouble::NotMade(why)) = ended.unwrap().trouble else {
        panic!("no run was made");
    };
    assert_eq!(why.to_string(), ONLY_WAITED);
}

#[test]
fn a_list_that_is_typed_again_repeats_only_its_invalid_runs() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("results.db");
    let mut number = 0;
    // Makes every run, and those at some places INVALID.
    let mut typed = |invalid_places: &[usize]| {
        let mut made = Vec::new();
        let mut carrier = By(|due: &Due, work: &mut Work<'_>| {
            let mut outcome = fake::outcome(&due.spec, number, 1);
            number += 1;
            if invalid_places.contains(&due.ordinal) {
                outcome.warnings = vec![invalid()];
            }
            made.push(due.ordinal);
            work.gathered(due, outcome)
        });
        let store = Store::open(&path).unwrap();
        let keeping = Keeping::of(store, "fake", &specs(), Machine::default());
        let work = Work::resumed(keeping.repeating_invalid()).unwrap();
        let ended = work.carry_out(&mut List::of(&specs()), &mut carrier).unwrap();
        assert_eq!(ended.outcomes.len(), specs().len());
        made
    };
    let all: Vec<usize> = (0..specs().len()).collect();
    assert_eq!(typed(&[2, 5]), all);
    assert_eq!(typed(&[5]), [2, 5]);
    assert_eq!(typed(&[]), [5]);
    let sessions = || Store::open_existing(&path).unwrap().sessions().unwrap();
    assert_eq!(sessions().len(), 1);
    assert!(sessions()[0].finished_unix_ns.is_some());
    // All runs are valid, so the next command begins another session.
    assert_eq!(typed(&[7]), all);
    assert_eq!(sessions().len(), 2);
}
