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

#[test]
fn oslat() {
    let two = ["oslat-2.4.txt", "oslat-2.4.json", "oslat-2.10.txt", "oslat-2.10.json"].map(read);
    for (name, stated, [first, second], bins_of_first) in [
        (
            "2.4",
            &two[0],
            [[1e3, 1_209.0, 400_315e3], [1e3, 1_142.0, 257_553e3]],
            (8, 7_763_631, 7_767_583),
        ),
        (
            "2.4",
            &two[1],
            [[1e3, 1_208.52, 400_315e3], [1e3, 1_142.434, 257_553e3]],
            (8, 7_763_631, 7_767_583),
        ),
        (
            "2.10",
            &two[2],
            [[0.0, 1_099.0, 8_031e3], [0.0, 1_090.0, 12_026e3]],
            (8, 13_643_800, 13_651_406),
        ),
        (
            "2.10",
            &two[3],
            [[0.0, 1_098.71, 8_031e3], [0.0, 1_089.69, 12_026e3]],
            (8, 13_643_800, 13_651_406),
        ),
    ] {
        let (filled, samples, sum) = bins_of_first;
        let second_samples = stated.rows[1].fact(&fact::FILE_SAMPLES).unwrap().as_u64();
        let lines = [("CPU 0", Some(samples), first), ("CPU 1", second_samples, second)];
        assert_lines(name, stated, &lines);
        let found = bins(&stated.rows[0], 1000);
        assert_eq!((found.0, found.1, found.2, found.3), (filled, samples, sum, None), "{name}");
        assert_eq!(stated.rows[1].fact(&fact::CPUS), Some(&json!("1")));
        // Its last bin is open.
        let latency = stated.rows[0].latency.as_ref().unwrap();
        assert_eq!((latency.count(), latency.max.value_ns as f64), (samples, first[2]));
    }
    assert_eq!(two[2].version.as_deref(), Some("2.10"));
}

#[test]
fn cyclicdeadline() {
    for name in ["cyclicdeadline-2.4.json", "cyclicdeadline-2.4.txt"] {
        let mean = if name.ends_with("json") { [7_030.0, 8_130.0] } else { [7e3, 8e3] };
        let lines = [
            ("thread 0", Some(201), [3e3, mean[0], 44e3]),
            ("thread 1", Some(167), [1e3, mean[1], 269e3]),
        ];
        assert_lines(name, &read(name), &lines);
    }
    let lines = [
        ("thread 0", Some(201), [2e3, 4_130.0, 85e3]),
        ("thread 1", Some(167), [2e3, 6_150.0, 28e3]),
    ];
    assert_lines("2.10", &read("cyclicdeadline-2.10.json"), &lines);
    let stated = read("cyclicdeadline-2.10-screen-h.txt");
    assert_lines(
        "screen",
        &stated,
        &[("thread 0", Some(17), [2e3, 4e3, 8e3]), ("thread 1", Some(17), [1e3, 4e3, 11e3])],
    );
    assert_eq!(
        (stated.tool.as_str(), bins(&stated.rows[1], 1000)),
        ("cyclicdeadline", (8, 14, 49, Some(3)))
    );
    let stated = read("cyclicdeadline-2.10-h.json");
    assert_lines("2.10", &stated, &[("thread 0", Some(201), [1e3, 38_580.0, 6_561e3])]);
    assert_eq!(bins(&stated.rows[0], 1000), (17, 198, 1_030, Some(3)));
    // The file has a minimum of 1 us, and eight samples of 0.
    assert_eq!(stated.rows[0].latency.as_ref().unwrap().min.value_ns, 0);
    assert!(stated.traps.iter().any(|trap| trap.what.contains("contradict")));
}

#[test]
fn jitterdebugger() {
    let stated = read("jitterdebugger-0.3.1.json");
    assert_lines("us", &stated, &[("thread 0", Some(988), [4e3, 21_300.0, 2_397e3])]);
    let (_, counted, _, beyond) = bins(&stated.rows[0], 1000);
    assert_eq!(counted + beyond.unwrap(), 988);
    let stated = read("jitterdebugger-0.3.1-nsec.json");
    assert_lines("ns", &stated, &[("thread 0", Some(972), [3_802.0, 12_207.6, 1_532_494.0])]);
    assert_eq!(number(&stated.rows[0], &fact::BIN_WIDTH_NS), Some(1.0));
    let stated = read("jitterdebugger-0.3.1.txt");
    assert_lines("text", &stated, &[("thread 0", Some(904), [4e3, 22_880.0, 2_397e3])]);
    assert_eq!(stated.rows[0].fact(&fact::CPUS), Some(&json!("1")));
}

#[test]
fn rtla() {
    let stated = read("rtla-6.1-timerlat-hist.txt");
    let lines = [
        ("CPU 0, interrupt", Some(2151), [12e3, 987e3, 40_905e3]),
        ("CPU 0, thread", Some(2151), [41e3, 1_067e3, 51_962e3]),
        ("CPU 1, interrupt", Some(2127), [17e3, 1_030e3, 80_440e3]),
        ("CPU 1, thread", Some(2127), [34e3, 1_105e3, 80_714e3]),
    ];
    assert_lines("hist", &stated, &lines);
    for (row, beyond) in stated.rows.iter().zip([1208, 1982, 897, 1609]) {
        let (_, counted, _, found) = bins(row, 1000);
        assert_eq!(
            (Some(counted + beyond), found),
            (row.fact(&fact::FILE_SAMPLES).unwrap().as_u64(), Some(beyond))
        );
    }
    let stated = read("rtla-6.1-timerlat-top.txt");
    let lines = [
        ("CPU 0, interrupt", Some(2181), [14e3, 1_048e3, 35_338e3]),
        ("CPU 0, thread", Some(2181), [37e3, 1_127e3, 35_821e3]),
        ("CPU 1, interrupt", Some(2089), [14e3, 1_101e3, 34_513e3]),
        ("CPU 1, thread", Some(2089), [33e3, 1_180e3, 37_595e3]),
    ];
    assert_lines("top", &stated, &lines);
    let stated = read("rtla-6.1-osnoise-hist.txt");
    let lines = [
        ("CPU 0", Some(1947), [5e3, 1_676e3, 60_672e3]),
        ("CPU 1", Some(2074), [5e3, 1_550e3, 68_971e3]),
    ];
    assert_lines("osnoise", &stated, &lines);
    assert_eq!(
        (bins(&stated.rows[0], 1000).1, bins(&stated.rows[1], 1000).1),
        (1947 - 401, 2074 - 402)
    );
}

#[test]
fn rtla_of_linux_6_12() {
    let stated = read("rtla-6.12-timerlat-hist-nano.txt");
    let lines = [
        ("CPU 0, interrupt", Some(1996), [2_642.0, 590_848.0, 67_737_014.0]),
        ("CPU 0, thread", Some(1996), [22_437.0, 615_104.0, 67_899_603.0]),
        ("CPU 0, return to user space", Some(1996), [34_447.0, 629_044.0, 67_977_507.0]),
        ("CPU 1, interrupt", Some(1989), [16_080.0, 590_143.0, 179_292_116.0]),
        ("CPU 1, thread", Some(1989), [31_823.0, 623_234.0, 179_880_242.0]),
        ("CPU 1, return to user space", Some(1989), [40_818.0, 636_577.0, 179_958_563.0]),
    ];
    assert_lines("hist", &stated, &lines);
    assert_eq!(bins(&stated.rows[0], 1).1, 1996 - 1643);
    let stated = read("rtla-6.12-timerlat-top.txt");
    let lines = [
        ("CPU 0, interrupt", Some(1678), [16e3, 1_495e3, 67_093e3]),
        ("CPU 0, thread", Some(1678), [42e3, 1_565e3, 67_220e3]),
        ("CPU 0, return to user space", Some(1678), [55e3, 1_597e3, 67_251e3]),
        ("CPU 1, interrupt", Some(1857), [11e3, 1_320e3, 66_073e3]),
        ("CPU 1, thread", Some(1857), [34e3, 1_393e3, 66_366e3]),
        ("CPU 1, return to user space", Some(1857), [44e3, 1_418e3, 66_473e3]),
    ];
    assert_lines("top", &stated, &lines);
    let stated = read("rtla-6.12-osnoise-hist.txt");
    let lines = [
        ("CPU 0", Some(236_660), [1e3, 18_470.0, 741_235e3]),
        ("CPU 1", Some(233_526), [1e3, 20_270.0, 680_302e3]),
    ];
    assert_lines("osnoise", &stated, &lines);
    assert_eq!((bins(&stated.rows[0], 1000).1, bins(&stated.rows[1], 1000).1), (236_391, 233_265));
}

#[test]
fn hwlatdetect() {
    let stated = read("hwlatdetect-source-2.6.txt");
    let row = &stated.rows[0];
    assert_eq!(
        (row.fact(&fact::FILE_SAMPLES), row.fact(&fact::FILE_EXCEEDING)),
        (Some(&json!(3)), Some(&json!(3)))
    );
    assert_eq!(number(row, &fact::FILE_MAX_NS), Some(27e3));
    assert_eq!(row.fact(&fact::FILE_BINS), Some(&json!([[12_000, 2], [27_000, 1]])));
    let parameters: Vec<String> =
        stated.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
    assert_eq!(parameters, ["duration 30 seconds", "threshold 10us", "width 500ms", "window 1s"]);
    let real = read("hwlatdetect-2.4.txt");
    assert_eq!(number(&real.rows[0], &fact::FILE_MAX_NS), Some(124_461e3));
    let bins = json!([[96_048_000, 1], [100_059_000, 1], [114_490_000, 1], [124_461_000, 1]]);
    assert_eq!((real.rows[0].executed, real.rows[0].fact(&fact::FILE_BINS)), (4, Some(&bins)));
    let none = read("hwlatdetect-source-2.6-none.txt");
    assert_eq!((none.rows[0].fact(&fact::FILE_MAX_NS), none.rows[0].executed), (None, 0));
}

#[test]
fn xenomai_and_evl() {
    let stated = read("latency-source-3.txt");
    assert_lines("latency", &stated, &[("latency", Some(2000), [1_443.0, 2_168.0, 10_787.0])]);
    assert_eq!(bins(&stated.rows[0], 1000), (4, 2000, 3_782, None));
    assert_eq!(stated.rows[0].fact(&fact::FILE_OVERRUNS), Some(&json!(0)));
    assert_eq!(stated.measurement, "xenomai_latency");

    let stated = read("latmus-source.txt");
    assert_lines("latmus", &stated, &[("latency", None, [1_182.0, 1_313.0, 3_899.0])]);
    assert_eq!(stated.rows[0].fact(&fact::CPUS), Some(&json!("1")));
    let stated = read("latmus-source-plot.txt");
    assert_lines("plot", &stated, &[("latency", Some(2000), [1_182.0, 1_313.0, 3_899.0])]);
    let bins = json!([[1000, 1990], [2000, 8], [3000, 2]]);
    assert_eq!(stated.rows[0].fact(&fact::FILE_BINS), Some(&bins));
    assert_eq!(stated.rows[0].fact(&fact::CPUS), Some(&json!("1")));
    assert_eq!(stated.machine.kernel_release, "6.1.91-evl");
    let parameters: Vec<String> =
        stated.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
    assert_eq!(parameters, ["duration 00:00:02", "interval 1ms", "mode user", "priority 98"]);
}

#[test]
fn rtc_testbench() {
    let stated = read("rtc-testbench-source-5.txt");
    let lines = [
        ("TsnHigh, round trip", Some(999), [601e3, 623_412.0, 1_204e3]),
        ("TsnHigh, one way", Some(999), [300e3, 311_706.0, 604e3]),
    ];
    assert_lines("log", &stated, &lines);
    let row = &stated.rows[0];
    assert_eq!(
        (row.fact(&fact::FILE_SENT), row.fact(&fact::FILE_OUTLIERS)),
        (Some(&json!(1000)), Some(&json!(1)))
    );
    // A mirror times no round trip, and its clock may be behind.
    let stated = read("rtc-testbench-source-5.5.txt");
    let lines = [
        ("TsnHigh, one way", Some(499), [-3e3, 311_100.0, 322e3]),
        ("TsnHigh, RxWorkload", None, [20e3, 22_500.0, 41e3]),
    ];
    assert_lines("log", &stated, &lines);
}
