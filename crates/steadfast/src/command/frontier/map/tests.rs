//! Arguments of `steadfast map`, for the tests of its parts and of the driver.

use record::RunSpec;

use super::*;
use crate::options::after;
use crate::session::driver::Plan;
use crate::session::search::FrontierSearch;

pub(crate) fn parse(line: &str) -> Result<MapArgs, clap::Error> {
    after(line)
}

/// Returns the plan of such a line, and the specifications by which its session is found.
pub(crate) fn asked(line: &str) -> (Box<dyn Plan>, Vec<RunSpec>) {
    let rows = rows(&parse(line).unwrap()).unwrap();
    (Box::new(search_of(line)), rows)
}

pub(crate) fn search_of(line: &str) -> FrontierSearch {
    let args = parse(line).unwrap();
    search(&args, &rows(&args).unwrap()).unwrap()
}

fn threads(line: &str) -> Vec<u64> {
    let rows = rows(&parse(line).unwrap()).unwrap();
    rows.iter().map(|row| row.parameters.threads()).collect()
}

fn tire() -> RunSpec {
    rows(&parse("--threads 1").unwrap()).unwrap().remove(0)
}

#[test]
fn each_number_of_threads_is_a_row() {
    assert_eq!(threads("--threads 1,2 --rate 1kHz"), [1, 2]);
    let cpus = topology::usable().len() as u64;
    let usual = threads("");
    assert_eq!((usual[0], usual.last()), (1, Some(&(2 * cpus))));
    assert!(usual.contains(&cpus), "{usual:?}");
}

#[test]
fn runs_are_as_long_as_their_rate_and_steps_say() {
    let rows_of = |line| rows(&parse(line).unwrap()).unwrap();
    let rows = rows_of("--threads 1 --rate 1kHz --steps 500");
    assert_eq!(rows, rows_of("--threads 1 --rate 1kHz --seconds 0.5"));
    let run = search_args::at(&rows[0], &Axis::Masses, 8000);
    assert_eq!(run.parameters.masses(), 8000);
    assert_eq!(run.asked.duration, Nanos(500_000_000));
    let quicker = pretest::shortened(&run, "2kHz".parse().unwrap());
    assert_eq!(quicker.asked.duration, Nanos(200_000_000));
}

#[test]
fn what_does_not_fit_a_map_is_refused_with_its_flag() {
    for (line, flag) in [
        ("--masses 400", "--masses"),
        ("--mode real-fast", "--mode"),
        ("--seconds 3 --steps 500", "--steps"),
        ("--period 1ms", "--period"),
    ] {
        let error = rows(&parse(line).unwrap()).unwrap_err().to_string();
        assert!(error.starts_with(flag), "{line}: {error}");
    }
    for (line, flag) in [
        ("--from 6", "--from"),
        ("--to 0", "--to"),
        ("--to 40", "--to"),
        ("--resolution 6", "--resolution"),
    ] {
        let args = parse(line).unwrap();
        let error = search(&args, &[tire()]).err().unwrap().to_string();
        assert!(error.starts_with(flag), "{line}: {error}");
    }
    assert!(parse("--full-grid").is_err(), "a full grid needs an end");
}
