//! A small version of what `examples/coverage` tests at length.

#[path = "../src/drawn.rs"]
mod drawn;
#[path = "../examples/coverage/parents.rs"]
mod parents;
#[path = "../examples/coverage/quantiles.rs"]
mod quantiles;
#[path = "../src/random.rs"]
mod random;
#[path = "../examples/coverage/soaks.rs"]
mod soaks;
#[path = "../examples/coverage/tails.rs"]
mod tails;

/// Of all claimed levels 19 of 20 hold: fewer than 93 % of about 900 would have a chance of 3 in
/// 1000.
#[test]
fn levels_hold_as_often_as_claimed_whatever_the_distribution() {
    const RUNS: u64 = 16;
    let (mut claimed, mut held, mut refused) = (0, 0, 0);
    for parent in parents::ALL {
        let tally = tails::tally(parent, 10_000, RUNS);
        claimed += tally.levels.iter().map(|levels| levels.claimed).sum::<u64>();
        held += tally.levels.iter().map(|levels| levels.held).sum::<u64>();
        refused += tally.refused;
        // For a single distribution: fewer than 12 of 16 would have a chance of 1 in 1000.
        for levels in &tally.levels {
            assert!(4 * levels.held >= 3 * levels.claimed, "{}", parent.name);
        }
        // No interval may be so wide that it says nothing.
        let [.., far, _] = &tally.levels;
        assert!(far.claimed == 0 || far.usual_upper() < 60.0, "{}", parent.name);
        // A cause of about five samples in a run shows as one, and is not part of a fit.
        if parent.name == "two modes, 0.05 % stalls" {
            assert!(tally.refused + 1 >= RUNS, "{} of {RUNS} refused", tally.refused);
        }
    }
    let runs = RUNS * parents::ALL.len() as u64;
    assert!(refused * 5 < runs, "{refused} of {runs} refused");
    assert!(held * 100 >= claimed * 93, "{held} of {claimed}");
}

/// Of 60 soaks, fewer than 52 would hold with a chance of 1 in 100 if 19 of 20 do.
#[test]
fn the_claim_of_a_soak_holds_however_misses_come() {
    const SOAKS: u64 = 60;
    for soaked in soaks::ALL {
        let [held, _] = soaked.held(60, SOAKS);
        assert!(held >= 52, "{}: {held}", soaked.name);
    }
    let [_, independent] = soaks::ALL[3].held(60, SOAKS);
    assert!(independent < 48, "bursts of 20 are not independent misses: {independent}");
}

/// Of 60 intervals, fewer than 52 would hold with a chance of 1 in 100 if 19 of 20 do.
#[test]
fn intervals_of_quantiles_hold_however_samples_depend() {
    const RUNS: u64 = 60;
    for kept in quantiles::KEPT {
        let [median, p99, p999] = quantiles::tally(kept, 5_000, RUNS);
        assert_eq!(median.claimed, RUNS);
        for tally in [median, p99, p999] {
            assert!(60 * tally.held >= 52 * tally.claimed, "{kept}: {tally:?}");
        }
    }
}
