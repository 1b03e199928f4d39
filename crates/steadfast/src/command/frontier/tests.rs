//! Arguments of `steadfast frontier`, for the tests of its parts and of the driver.

use std::time::Duration;

use record::RunSpec;

use super::*;
use crate::options::after;
use crate::session::driver::Plan;
use crate::session::search::FrontierSearch;

pub(crate) fn parse(line: &str) -> Result<FrontierArgs, clap::Error> {
    after(line)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(line: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let args = parse(line).unwrap();
    let (search, templates) = searched(&args, time_of(args.budget).unwrap()).unwrap();
    (Box::new(search), templates)
}

pub(crate) fn searched(
    args: &FrontierArgs,
    time: Duration,
) -> Result<(FrontierSearch, Vec<RunSpec>)> {
    let templates = templates(args)?;
    Ok((search(args, &templates, time)?, templates))
}

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn each_rate_and_number_of_threads_is_a_line() {
    let args = parse("--rate 1kHz,100Hz --threads 1,2").unwrap();
    let (search, templates) = searched(&args, 4 * MINUTE).unwrap();
    assert_eq!(templates.len(), 4);
    assert!(templates.iter().all(|spec| spec.blame_beyond == Some(spec.parameters.rate_period())));
    for (line, template) in search.lines.iter().zip(templates) {
        let search = &line.search;
        assert_eq!(search.period_ns, template.parameters.rate_period().0 as f64);
        // A second at 1 kHz; at 100 Hz as long as it takes to detect 1 % of misses.
        let quick = if search.period_ns == 1e6 { 1000 } else { 300 };
        assert_eq!(search.quick, quick);
    }
}

#[test]
fn what_the_search_finds_cannot_be_typed() {
    for (line, flag) in [
        ("--masses 400", "--masses"),
        ("--steps 100", "--steps"),
        ("--mode real-fast", "--mode"),
        ("--seconds 10", "--seconds"),
        ("--period 1ms", "--period"),
        ("--hard --soft", "--hard"),
        ("--resolution 0%", "--resolution"),
        ("--resolution 6", "--resolution"),
        ("--size 401", "--masses"),
    ] {
        let args = parse(line).map_err(anyhow::Error::from);
        let asked = args.and_then(|args| searched(&args, MINUTE));
        let why = format!("{:#}", asked.err().unwrap());
        assert!(why.contains(flag), "{line}: {why}");
    }
}
