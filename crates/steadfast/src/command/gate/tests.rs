use record::{GateSide, RunSpec};

use super::pair::{PairArgs, requested, turns};
use crate::options::after;
use crate::session::driver::{Known, Plan, fake};

/// Returns a small gate, and the specifications by which its session is found.
pub(crate) fn asked() -> (Box<dyn Plan>, Vec<RunSpec>) {
    let sides = requested(&args("5min"), "a machine").unwrap();
    (Box::new(turns(&sides, 3)), sides.to_vec())
}

fn args(budget: &str) -> PairArgs {
    let words = format!("--margin 2% --budget {budget}");
    let line = "wakeup --cpus 0 --policy other --seconds 0.001";
    PairArgs { a: line.to_owned(), b: format!("{line} --period 500us"), ..typed(&words) }
}

fn typed(words: &str) -> PairArgs {
    after(&format!("--a x --b y {words}")).unwrap()
}

#[test]
fn every_round_has_each_side_once_in_an_order_of_its_own() {
    let sides = requested(&args("5min"), "a machine").unwrap();
    let mut turns = turns(&sides, 20);
    let mut made = Vec::new();
    fake::make_all(&mut turns, &mut Known::default(), |due| {
        made.push(due.spec.gate.clone().unwrap().side);
        fake::outcome(&due.spec, due.ordinal, 1)
    });
    assert!(turns.is_done());
    let rounds: Vec<&[GateSide]> = made.chunks(3).collect();
    assert_eq!(rounds.len(), 20);
    for round in &rounds {
        assert!(GateSide::ALL.iter().all(|side| round.contains(side)), "{round:?}");
    }
    assert!(rounds.iter().any(|round| *round != rounds[0]), "the order is random");
}

#[test]
fn what_cannot_be_decided_is_refused_in_one_line() {
    let refused = |args: PairArgs| format!("{:#}", requested(&args, "a machine").unwrap_err());
    assert!(refused(args("3s")).starts_with("--budget: "), "{}", refused(args("3s")));
    let other = PairArgs { b: "task_switch".to_owned(), ..args("5min") };
    assert!(refused(other).contains("one measurement"));
    let wrong = PairArgs { b: "wakeup --cpus".to_owned(), ..args("5min") };
    assert!(refused(wrong).starts_with("--b 'wakeup --cpus'"));
}
