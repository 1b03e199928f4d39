//! Tests with the firmware's output, with emulators made of a few lines of shell, and with the
//! firmware itself if the tools for it are installed.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use testing::write_script;

use super::*;

/// Returns the output of a firmware that measured each time three times, with these counts.
fn text(rounds: u64, wrong: u64) -> String {
    let mut text = String::from("steadfast-freertos 1\nkernel FreeRTOS V0\ntick_ns 40\n");
    for (index, (name, _)) in TESTS.iter().enumerate() {
        text += &format!("{name} {index} 5 9\n");
    }
    text + &format!(
        "count yields_without_switch 2\ncount rounds {rounds}\ncount wrong_messages {wrong}\nend\n"
    )
}

#[test]
fn times_are_read_in_nanoseconds() {
    let figures = Figures::read(&text(6, 0)).unwrap();
    assert_eq!((&*figures.kernel, figures.tick_ns), ("FreeRTOS V0", 40));
    assert_eq!(figures.times.len(), TESTS.len());
    assert_eq!(figures.times[1].values_ns, [40, 200, 360]);
    let distribution = figures.times[1].distribution().unwrap();
    assert_eq!(distribution.mean_ns(), 200.0);
    assert_eq!(distribution.max.index, 2);
    assert_eq!(figures.counts["yields_without_switch"], 2);
    // Tests 7 and 8 differ only in their first time, by one tick.
    let broken = figures.deadlock_break_ns().unwrap();
    assert!((broken + 40.0 / 3.0).abs() < 1e-9, "{broken}");
}

#[test]
fn the_hash_depends_on_every_time_and_its_place() {
    let hash = |text: &str| Figures::read(text).unwrap().sample_hash();
    let whole = text(6, 0);
    assert_eq!(hash(&whole), hash(&whole));
    assert_eq!(hash(&whole).len(), 64);
    for times in ["3 5 8", "5 3 9"] {
        let changed = whole.replace("interrupt 3 5 9", &format!("interrupt {times}"));
        assert_ne!(hash(&whole), hash(&changed));
    }
}

#[test]
fn an_incomplete_output_is_refused() {
    let whole = text(6, 0);
    let refused = |text: &str| Figures::read(text).unwrap_err();
    for (from, to, why) in [
        ("steadfast-freertos 1", "steadfast-freertos 2", "does not begin"),
        ("end\n", "", "before its `end`"),
        ("interrupt 3", "interrupt x", "`x` is not a number"),
        ("interrupt 3 5 9", "interrupt", "no times for interrupt"),
        ("interrupt 3 5 9\n", "", "has no interrupt"),
        ("interrupt 3", "interrupt 18446744073709551615", "too large"),
        ("tick_ns 40\n", "", "has no tick_ns"),
        ("count rounds 6\n", "", "has no rounds"),
        ("end\n", "failed panicked at main\n", "it failed: panicked at main"),
    ] {
        let why_not = refused(&whole.replace(from, to));
        assert!(why_not.contains(why), "{why_not}");
    }
    assert!(refused("").contains("does not begin"));
    assert!(refused(&text(5, 0)).contains("shared"));
    assert!(refused(&text(6, 1)).contains("1 messages"));
}

/// A folder with a file that looks like a firmware, and an emulator that is a script.
struct Bench(TempDir);

impl Bench {
    fn with(script: &str) -> Self {
        let bench = Self(TempDir::new().unwrap());
        let mut firmware = b"\x7fELF\x01\x01".to_vec();
        firmware.resize(18, 0);
        firmware.extend([40, 0]);
        fs::write(bench.firmware(), firmware).unwrap();
        let script = format!("if [ \"$1\" = --version ]; then echo fake 1; exit; fi\n{script}");
        write_script(&bench.emulator(), &script);
        bench
    }

    fn firmware(&self) -> PathBuf {
        self.0.path().join("firmware")
    }

    fn emulator(&self) -> PathBuf {
        self.0.path().join("emulator")
    }

    fn run(&self, longest: Duration) -> Result<Run, FreeRtosError> {
        run(self.emulator().as_os_str(), &self.firmware(), longest)
    }
}

fn why(run: Result<Run, FreeRtosError>) -> String {
    let why = run.unwrap_err().to_string();
    assert!(!why.contains('\n'), "one line: {why}");
    why
}

#[test]
fn an_emulator_gets_the_firmware_and_its_output_is_read() {
    let bench = Bench::with(&format!(
        "case \"$*\" in *'icount shift=2'*firmware) ;; *) exit 3;; esac\ncat << 'X'\n{}X",
        text(6, 0)
    ));
    let run = bench.run(LONGEST).unwrap();
    assert_eq!(run.emulator, "fake 1");
    assert_eq!(run.firmware_hash.len(), 64);
    assert_eq!(run.figures, Figures::read(&text(6, 0)).unwrap());
}

#[test]
fn the_error_of_an_emulator_that_fails_is_reported() {
    let failed = why(Bench::with("echo one >&2; echo Lockup >&2; exit 1").run(LONGEST));
    assert!(failed.contains("Lockup"), "{failed}");
    let silent = why(Bench::with("exit 0").run(LONGEST));
    assert!(silent.contains("does not begin"), "{silent}");
}

#[test]
fn an_emulator_that_never_answers_is_ended() {
    let bench = Bench::with("echo $$ > \"${0%/*}/pid\"; exec sleep 1000");
    let message = why(bench.run(Duration::from_secs(3)));
    assert!(message.contains("did not end within 3s"), "{message}");
    let pid = fs::read_to_string(bench.0.path().join("pid")).unwrap();
    let process = Path::new("/proc").join(pid.trim());
    assert!(!process.exists(), "{} is left behind", process.display());
}

#[test]
fn the_error_names_what_is_missing_or_not_the_firmware() {
    let bench = Bench::with("");
    let none = bench.0.path().join("none");
    for (emulator, firmware, reason) in [
        (&none, &bench.firmware(), "sudo apt install qemu-system-arm"),
        (&bench.emulator(), &none, "freertos/README.md"),
        (&bench.emulator(), &bench.emulator(), "is not the firmware"),
    ] {
        let why = why(run(emulator.as_os_str(), firmware, LONGEST));
        assert!(why.contains(reason), "{why}");
    }
}

/// Tests the firmware that was built by hand; skips if there is none.
#[test]
fn two_runs_of_the_firmware_have_one_hash() {
    let built = "../../freertos/target/thumbv7m-none-eabi/release/steadfast-freertos";
    let firmware = Path::new(env!("CARGO_MANIFEST_DIR")).join(built);
    if !firmware.exists() {
        return testing::skip("the FreeRTOS firmware is not built (freertos/README.md)");
    }
    let [first, second] = match [(); 2].map(|()| run(EMULATOR.as_ref(), &firmware, LONGEST)) {
        [Err(FreeRtosError::NoEmulator(program)), _] => {
            return testing::skip(&format!("{program} is not installed"));
        }
        runs => runs.map(Result::unwrap),
    };
    assert_eq!(first.figures.sample_hash(), second.figures.sample_hash());
    let counted = first.figures.times.iter().map(|times| times.values_ns.len());
    assert!(counted.min() >= Some(100), "{:?}", first.figures.counts);
}

#[test]
fn odd_outputs_are_read_or_refused() {
    testing::try_corpus(&[text(6, 0)], 2_000, |input| {
        if let Ok(figures) = Figures::read(&String::from_utf8_lossy(input)) {
            let _ = (figures.deadlock_break_ns(), figures.sample_hash());
            figures.times.iter().for_each(|times| drop(times.distribution()));
        }
    });
}
