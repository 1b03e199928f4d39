//! Every figure of real files survives.

use std::fs;

use import::{Stated, Unit};
use record::{Fact, Row, fact};
use serde_json::{Value, json};

fn bytes(name: &str) -> Vec<u8> {
    fs::read(format!("{}/tests/files/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn read(name: &str) -> Stated {
    import::read(&bytes(name), Unit::Microseconds).unwrap_or_else(|flaw| panic!("{name}: {flaw}"))
}

fn number(row: &Row, fact: &Fact) -> Option<f64> {
    row.fact(fact).and_then(Value::as_f64)
}

/// What a file states about a row: samples, then minimum, mean and maximum in nanoseconds.
type Line = (&'static str, Option<u64>, [f64; 3]);

fn assert_lines(name: &str, stated: &Stated, lines: &[Line]) {
    assert_eq!(stated.rows.len(), lines.len(), "{name}");
    for (row, (label, samples, times)) in stated.rows.iter().zip(lines) {
        assert_eq!(
            (row.label.as_str(), row.fact(&fact::FILE_SAMPLES)),
            (*label, Some(&json!(samples))),
            "{name}"
        );
        let found = [fact::FILE_MIN_NS, fact::FILE_MEAN_NS, fact::FILE_MAX_NS]
            .map(|fact| number(row, &fact));
        assert_eq!(found, times.map(Some), "{name}, {label}");
    }
}

/// The bins of a row: how many are filled, how many samples they have, and the sum of value times count in the file's
/// unit; then the samples above them.
fn bins(row: &Row, unit_ns: u64) -> (usize, u64, u64, Option<u64>) {
    let bins: Vec<(u64, u64)> =
        serde_json::from_value(row.fact(&fact::FILE_BINS).unwrap().clone()).unwrap();
    let filled: Vec<_> = bins.iter().filter(|(_, count)| *count > 0).collect();
    let samples = filled.iter().map(|(_, count)| count).sum();
    let sum = filled.iter().map(|(value, count)| value / unit_ns * count).sum();
    (filled.len(), samples, sum, row.fact(&fact::BEYOND_BINS).and_then(Value::as_u64))
}

#[test]
fn cyclictest_json() {
    let lines = [
        (
            "cyclictest-2.4.json",
            [(1000, [5e3, 7_540.0, 20e3]), (1000, [6e3, 12_190.0, 277e3])],
            [1, 15],
        ),
        (
            "cyclictest-2.6.json",
            [(1000, [4e3, 35_960.0, 10_355e3]), (1000, [3e3, 31_950.0, 10_422e3])],
            [104, 52],
        ),
        (
            "cyclictest-2.10.json",
            [(1000, [4e3, 10_020.0, 56e3]), (1000, [3e3, 16_290.0, 270e3])],
            [39, 151],
        ),
    ];
    for (name, [first, second], beyond) in lines {
        let stated = read(name);
        let lines = [("thread 0", Some(first.0), first.1), ("thread 1", Some(second.0), second.1)];
        assert_lines(name, &stated, &lines);
        for (row, beyond) in stated.rows.iter().zip(beyond) {
            let (_, counted, _, found) = bins(row, 1000);
            assert_eq!((counted + beyond, found), (1000, Some(beyond)), "{name}");
            let latency = row.latency.as_ref().unwrap();
            assert_eq!(latency.count(), 1000);
            assert_eq!(Some(latency.max.value_ns as f64), number(row, &fact::FILE_MAX_NS));
            assert!((latency.mean_ns() - number(row, &fact::FILE_MEAN_NS).unwrap()).abs() < 1e-9);
        }
        assert_eq!(stated.machine.kernel_release, "6.12.0-rt");
        let parameters: Vec<String> =
            stated.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        // A distance of 250 us is in the command line, but ignored.
        assert_eq!(parameters, ["interval 500us", "loops 1000", "priority 80"]);
    }
    assert_eq!(read("cyclictest-2.4.json").version.as_deref(), Some("2.40"));
    assert_eq!(read("cyclictest-2.4.json").rows[1].fact(&fact::CPUS), Some(&json!("1")));
    assert_eq!(read("cyclictest-2.6.json").rows[1].fact(&fact::CPUS), None, "it states -1");
    assert_eq!(read("cyclictest-2.6.json").started_unix_ns, Some(1_796_050_909_000_000_000));

    let nanoseconds = read("cyclictest-2.6-nsecs.json");
    let lines = [
        ("thread 0", Some(1000), [4_357.0, 10_994.52, 92_381.0]),
        ("thread 1", Some(666), [6_677.0, 15_935.13, 191_470.0]),
    ];
    assert_lines("nsecs", &nanoseconds, &lines);
    assert!(nanoseconds.rows.iter().all(|row| row.latency.is_none()));
}

#[test]
fn cyclictest_text() {
    let stated = read("cyclictest-2.4-h.txt");
    let lines =
        [("thread 0", Some(1000), [5e3, 7e3, 20e3]), ("thread 1", Some(1000), [6e3, 12e3, 277e3])];
    assert_lines("2.4", &stated, &lines);
    assert_eq!(bins(&stated.rows[0], 1000), (14, 999, 7_525, Some(1)));
    assert_eq!(bins(&stated.rows[1], 1000), (14, 985, 11_353, Some(15)));
    assert_eq!(stated.rows[0].fact(&fact::BEYOND_AT), Some(&json!([150])));

    let stated = read("cyclictest-2.10-h.txt");
    let lines =
        [("thread 0", Some(1000), [4e3, 10e3, 56e3]), ("thread 1", Some(1000), [3e3, 16e3, 270e3])];
    assert_lines("2.10", &stated, &lines);
    assert_eq!(bins(&stated.rows[0], 1000).3, Some(39));
    let listed = stated.rows[1].fact(&fact::BEYOND_AT).unwrap();
    assert_eq!((listed[0].as_u64(), listed.as_array().unwrap().len()), (Some(106), 20));

    let stated = read("cyclictest-2.10-histfile.txt");
    assert_lines("histfile", &stated, &[("thread 0", Some(1000), [3e3, 10e3, 1_439e3])]);

    let stated = read("cyclictest-2.6-quiet.txt");
    let lines =
        [("thread 0", Some(200), [5e3, 12e3, 49e3]), ("thread 1", Some(142), [4e3, 6e3, 36e3])];
    assert_lines("quiet", &stated, &lines);
    assert!(stated.traps.iter().any(|trap| trap.what.contains("different intervals")));

    // What was on the screen, with the sums of all threads (`-H`), in nanoseconds.
    let screen =
        import::read(&bytes("cyclictest-2.6-screen-nsecs.txt"), Unit::Nanoseconds).unwrap();
    let lines = [
        ("thread 0", Some(21), [9_568.0, 14_106.0, 17_758.0]),
        ("thread 1", Some(60), [7_599.0, 13_536.0, 23_755.0]),
    ];
    assert_lines("screen", &screen, &lines);
    assert_eq!(bins(&screen.rows[1], 1).1, 6);
    assert_eq!(number(&screen.rows[0], &fact::BIN_WIDTH_NS), Some(1.0));
}
