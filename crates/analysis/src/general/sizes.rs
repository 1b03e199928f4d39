//! Why a size of a model missed deadlines, and what to fix first.

use crate::Analysis;
use crate::capacity::Line;
use crate::explanation::Explanation;
use crate::explanation::deadlines;
use crate::finding::{Finding, Standing};
use crate::frontier::Frontier;
use crate::subject::named;

/// Returns the reason why a size missed on this number of threads, and the first fixes; nothing if it
/// missed nothing.
pub fn of_missed_size<'a>(
    analysis: &Analysis<'a>,
    frontier: &Frontier<'a>,
    at: (&Line<'a>, u64),
) -> Vec<Finding> {
    let machines = named(&analysis.systems);
    let of_machine = |machine| deadlines::of_size(machine, frontier, at, Standing::Bad);
    let Some(case) = machines.iter().find_map(of_machine) else { return Vec::new() };
    let advice = analysis.setups.iter().map(|setup| &setup.advice);
    let explanation = Explanation::new(&machines, advice, analysis.standards, &case);
    explanation.map_or_else(Vec::new, |explanation| explanation.of_lateness())
}

#[cfg(test)]
mod tests {
    use base::Nanos;
    use record::{Outcome, fact};

    use super::*;
    use crate::finding::{AboutMachine, Fix};
    use crate::fixture::{blamed, tire};
    use crate::standards::DEFAULT_STANDARDS;

    /// Findings on the edge, and on the first dot of a map, which are the same size.
    fn found(runs: &[Outcome]) -> Vec<Finding> {
        let analysis = Analysis::of(runs, &DEFAULT_STANDARDS);
        let [frontier] = &analysis.frontiers[..] else { panic!("one rate, one frontier") };
        let of = |at: Option<(&Line, u64)>| at.map(|(line, size)| (line.threads, size));
        assert_eq!(of(frontier.missed()), of(frontier.first_miss()));
        let missed = frontier.missed();
        missed.map_or_else(Vec::new, |at| of_missed_size(&analysis, frontier, at))
    }

    #[test]
    fn the_cause_of_the_first_misses_is_named_with_what_helps_against_it() {
        let held = tire("real-time", 400, 1, 2000, 0);
        assert!(found(std::slice::from_ref(&held)).is_empty(), "nothing was missed");
        let missed = tire("real-time", 800, 1, 2000, 7);
        let [why, first] = &found(&[held.clone(), missed.clone()])[..] else {
            panic!("unknown, and the search for it")
        };
        let Finding::Machine(AboutMachine::NoKnownCause { is_searched, is_of_size, .. }) = why
        else {
            panic!("{why:?}")
        };
        assert!(!is_searched && *is_of_size);
        let Finding::Machine(AboutMachine::FixFirst { fixes, .. }) = first else {
            panic!("{first:?}")
        };
        let is_of_missed = |fix: &Fix| matches!(fix, Fix::LookForCause { command } if command.contains("800") && command.ends_with("--blame"));
        assert!(is_of_missed(&fixes[0]), "{fixes:?}");

        let mut searched = missed;
        searched.header.spec.blame_beyond = Some(Nanos(10_000_000));
        let summary = blamed("hog").rows[0].facts[fact::BLAME.name].clone();
        searched.rows[0].facts.insert(fact::BLAME.name.to_owned(), summary);
        let mut held = held;
        held.header.spec.blame_beyond = searched.header.spec.blame_beyond;
        let [why, first] = &found(&[held, searched])[..] else { panic!("a reason and its fixes") };
        let is_hog = |why: &Finding| matches!(why, Finding::Machine(AboutMachine::Late { causes, .. }) if causes[0].cause.contains("hog"));
        assert!(is_hog(why), "{why:?}");
        let Finding::Machine(AboutMachine::FixFirst { fixes, .. }) = first else {
            panic!("{first:?}")
        };
        assert!(matches!(&fixes[0], Fix::MoveTask { task, .. } if task == "hog"), "{fixes:?}");
    }
}
