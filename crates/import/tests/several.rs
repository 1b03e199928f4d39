//! Texts with the output of several runs, and texts that were cut off: never a mixture, never a part as the whole.

use std::fs;

use import::{Flaw, Unit};
use record::Row;

/// The names and texts of the real files.
fn files() -> Vec<(String, String)> {
    let folder = format!("{}/tests/files", env!("CARGO_MANIFEST_DIR"));
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".md")).collect();
    names.sort();
    let read = |name: String| (fs::read_to_string(format!("{folder}/{name}")).unwrap(), name);
    names.into_iter().map(read).map(|(text, name)| (name, text)).collect()
}

fn rows(text: &str) -> Result<Vec<Row>, Flaw> {
    import::read(text.as_bytes(), Unit::Microseconds).map(|stated| stated.rows)
}

fn assert_refused(text: &str, what: &str) -> String {
    match rows(text) {
        Ok(rows) => panic!("{what}: read as {} rows", rows.len()),
        Err(why) => why.to_string(),
    }
}

#[test]
fn the_output_of_two_runs_in_one_file_is_refused() {
    let files = files();
    for (first, before) in &files {
        for (second, after) in &files {
            let both = format!("{before}{after}");
            let what = format!("{first} and {second}");
            if first != second {
                let why = assert_refused(&both, &what);
                assert!(!why.contains('\n') && why.len() < 300, "{what}: {why}");
            } else if let Ok(both) = rows(&both) {
                // The same lines of the same run twice.
                assert_eq!(format!("{both:?}"), format!("{:?}", rows(before).unwrap()), "{what}");
            }
        }
    }
}

#[test]
fn a_first_run_that_was_cut_off_is_not_mixed_with_the_second() {
    let histogram = |text: &str| text.contains("istogram") || text.contains("Core:");
    for (name, text) in files().iter().filter(|(_, text)| histogram(text)) {
        let half = &text[..text.len() / 2];
        let half = &half[..=half.rfind('\n').unwrap()];
        assert_refused(&format!("{half}{text}"), name);
    }
}

#[test]
fn a_file_that_was_cut_off_is_refused_or_read_as_what_was_known_then() {
    for (name, text) in files() {
        let whole = format!("{:?}", rows(&text).unwrap());
        let cuts = text.char_indices().map(|(at, _)| at).filter(|at| *at > 0);
        for at in cuts {
            let begin = &text[..at];
            let is_line = begin.ends_with('\n');
            if !is_line && text.starts_with('{') && at % 7 > 0 {
                continue;
            }
            let what = format!("{name}, cut at {at}");
            match rows(begin) {
                Err(why) => assert!(why.to_string().len() < 300, "{what}"),
                Ok(rows) if format!("{rows:?}") == whole => {}
                // Tools that print what they counted so far.
                Ok(rows) => assert!(
                    is_line && rows.iter().all(|row| row.latency.is_none()),
                    "{what}: read as {} rows",
                    rows.len()
                ),
            }
        }
    }
}

#[test]
fn a_form_of_a_newer_version_is_refused_and_an_untried_version_is_noted() {
    for (name, text) in files().iter().filter(|(_, text)| text.starts_with('{')) {
        let newer = text.replace("\"file_version\": 1", "\"file_version\": 2");
        let newer = newer.replace("\"version\": 3,", "\"version\": 4,");
        let why = assert_refused(&newer, name);
        assert!(why.contains("is known"), "{why}");
    }
    for (name, text) in files() {
        let newer = text.replace("\"2.10\"", "\"2.11\"").replace("oslat V 2.10", "oslat V 2.11");
        let stated = import::read(newer.as_bytes(), Unit::Microseconds).unwrap();
        let is_noted = stated.traps.iter().any(|trap| trap.what.contains("2.11 of rt-tests"));
        assert_eq!(is_noted, newer != text, "{name}");
    }
}

/// A file of `rtla timerlat top` without `--quiet`: each table begins with what clears the screen.
fn screen(counts: &[u64]) -> String {
    let table = |seconds: usize, count: &u64| {
        format!(
            "\u{1b}c                                     Timer Latency\n  0 00:00:0{seconds}   |          \
             IRQ Timer Latency (us)        |         Thread Timer Latency (us)\nCPU COUNT      |      cur\
                   min       avg       max |      cur       min       avg       max\n  0 #{count}      \
             |        3         2         3        {count} |        5         4         5        {count}\n"
        )
    };
    counts.iter().enumerate().map(|(place, count)| table(place + 1, count)).collect()
}

#[test]
fn a_screen_of_rtla_is_read_to_its_newest_table() {
    let newest = &rows(&screen(&[1000, 1999, 3001])).unwrap()[0];
    assert_eq!(newest.executed, 3001);
    let why = assert_refused(&(screen(&[1000, 1999]) + &screen(&[1001])), "two screens");
    assert!(why.contains("the duration first as 2, later as 1"), "{why}");
    let again = screen(&[1000]).replace('\u{1b}', "").replace("\nc ", "\n ");
    assert_refused(&again.repeat(2), "two tables of --quiet");
}

#[test]
fn a_histogram_of_latmus_is_of_the_lines_around_it() {
    let files = files();
    let text = |wanted: &str| &files.iter().find(|(name, _)| name == wanted).unwrap().1;
    let (results, plot) = (text("latmus-source.txt"), text("latmus-source-plot.txt"));
    let (seconds, end) = results.split_at(results.find("---|").unwrap());
    let both = rows(&format!("{seconds}{plot}{end}")).unwrap();
    assert_eq!(format!("{both:?}"), format!("{:?}", rows(plot).unwrap()));
    assert_refused(&format!("{}{plot}{end}", seconds.replace("3.899", "4.899")), "another run");
}

#[test]
fn a_newer_run_of_the_same_length_is_noticed() {
    let seconds = |best: &str, worst: &str| {
        format!(
            "RTT|  00:00:01  (user, 1000 us period, priority 98, CPU1)\n\
             RTD|      {best}|      1.325|      {worst}|       0|     0|      {best}|      {worst}\n"
        )
    };
    let run = seconds("1.211", "2.476");
    assert!(rows(&run).is_ok());
    assert_refused(&(run.clone() + &seconds("1.300", "2.500")), "latmus");
    assert_refused(&(run + &seconds("1.100", "2.400")), "latmus");
    let log = |sent: u64| {
        format!(
            "[ 1.5]: [INFO]: TsnLowSent={sent} | TsnLowReceived=9 | TsnLowRttMin=5 [us] | TsnLowRttMax=9 [us] | \
             TsnLowRttAvg=7.5 [us] | \n"
        )
    };
    assert!(rows(&(log(500) + &log(1000))).is_ok());
    let why = assert_refused(&(log(500) + &log(499)), "RTC-Testbench");
    assert!(why.contains("`TsnLowSent` first as 500, later as 499"), "{why}");
}
