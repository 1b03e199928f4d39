//! Bad input gives one clear line and exit code 2, and loses nothing. One run line of each
//! kind is here; `request::refused_lines` has the others.

use crate::common::{Folder, MODEST, refused, run, run_words};

#[test]
fn nonsense_on_the_command_line_is_named() {
    for (line, reason) in [
        ("run wakeup --load cpu@0,99", "no CPU 99 online"),
        ("interfere", "--of"),
        ("interfere --of nonsense", "--of"),
        ("run wakeup --keep-samples", "--store"),
        ("run wakeup --seconds 1000000h", "--seconds"),
        ("lab freertos", "--firmware <FILE>"),
        ("lab freertos --firmware no/such", "freertos/README.md"),
        ("lab freertos --firmware Cargo.toml", "is not the firmware"),
        ("run rhealstone", "is a view, not a measurement: the report computes it"),
        ("run tire --masses 6", "--masses"),
        ("check model --rate 1kHz --fmu no/such.fmu", "no/such.fmu"),
        (
            "check --rate 1kHz --fmu plant.fmu",
            "--fmu is a parameter of model, which is not among the measurements to run; name it after the command: \
          `model --fmu ...`",
        ),
        ("check model --rate 1kHz --masses 4", "--masses is a parameter of tire"),
        ("check tire --rate 1kHz --mode real-fast", "--mode: a check is about deadlines"),
        ("check --rate 1kHz --period 2ms", "--period: --rate sets it"),
        ("check tire --rate 1kHz --model wakeup", "--model"),
        ("check tires --rate 1kHz", "[possible values: wakeup, tire, model]"),
        ("frontier tire plan.toml", "write `frontier mix plan.toml`"),
        ("frontier model plant.fmu", "write `frontier model --fmu plant.fmu`"),
        ("frontier mix", "<PLAN.toml>"),
        ("campaign sae-micro --only 1 --json", "--only"),
        ("studies --seconds 5s", "--seconds: nothing is measured"),
        ("run tire --radius nan", "--radius: `nan` is not a number"),
        ("bench", "SUBJECT"),
        ("bench nonsense", "nonsense"),
        ("full --seconds 0", "--seconds"),
        ("watch --listen nonsense", "such as 127.0.0.1:9870"),
        ("watch --page 9871", "such as 127.0.0.1:9870"),
        ("watch --listen 192.0.2.1:9870", "--listen: 192.0.2.1:9870"),
        ("run frame --peer no..host:7007", "error: --peer: cannot resolve"),
        ("echo --listen nowhere", "such as 127.0.0.1:9870"),
        ("echo --listen 203.0.113.1:7007", "address not available"),
        ("echo --listen 203.0.113.1:7007", "IP address of this machine"),
        ("run interrupt --source=", "--source: expected a SOURCE"),
        ("nonsense", "nonsense"),
        ("report", "STORE"),
        ("report x.db --tolerance 5", "`5` is not a tolerance"),
        ("report x.db --tolerance -1%", "`-1%` is not a tolerance"),
        ("report x.db --out x --interactive", "'--interactive': the charts of"),
        ("compare x.db y.db --out x --interactive", "`steadfast report STORE --csv`"),
        ("lab compare --interactive", "report.html show exact values"),
        ("run wakeup --out x", "keeps results with --store FILE"),
        ("quick 1kHz", "options begin with --"),
        ("quick --soft-share 1", "`1` is not a share of periods"),
        ("report x.db --soft-share 101%", "`101%` is not a share"),
        ("run wakeup --period 1ms,2ms --repeat 60000", "--repeat: 120000 runs"),
        ("campaign x.toml --only 99999999999999999999", "from 1 to 100000"),
        ("campaign /dev/zero", "not a regular file"),
        ("audit /dev/zero", "not a regular file"),
        ("model /dev/zero", "not a regular file"),
        ("trace x.db -o -", "--output: `-` is not a name here; use ./-"),
    ] {
        refused(line, reason);
    }
}

#[test]
fn what_cannot_be_searched_or_judged_is_refused_before_anything_is_measured() {
    let folder = Folder::new();
    for (line, reason) in [
        ("frontier --budget 1s", "--budget"),
        ("frontier --rate 0Hz", "--rate"),
        ("frontier --hard --firm", "--firm"),
        ("frontier --target nowhere", "--target"),
        ("map --to 6", "--to"),
        ("map --resolution 0%", "--resolution"),
        ("map --many-misses 10", "--many-misses"),
        ("map --threads none", "--threads"),
        ("map --pretest-rate 0", "--pretest-rate"),
        ("map --from 400 --threads 401", "--threads"),
        ("map --budget 1s", "--budget"),
        ("studies --budget 2s", "--budget"),
        ("studies --budget 10min --from a.db", "--from"),
        ("studies --from a.db --system rtai=vm:rtai", "--budget TIME"),
        ("studies --budget 10min --system xenomai=missing.db", "missing.db"),
    ] {
        folder.run_unmeasured(&format!("{line} --out out")).refuses(reason);
    }
    assert!(!folder.path("out/results.db").exists(), "nothing is begun");
}

#[test]
fn an_error_is_one_line_whatever_was_typed() {
    for words in [
        &["run", "wa\nkeup"][..],
        &["run", "wakeup", "--cpus", "1\n2"],
        &["run", "wakeup", "--target", "ssh:\n"],
        &["report", "no\nfile\x1b[2J"],
        &["campaign", "no.\nfile"],
        &["lab", "remove", "no\r\nkernel"],
    ] {
        let done = run_words("", words);
        assert_eq!(done.code(), 2, "{words:?}");
        let stderr = done.stderr();
        assert_eq!(stderr.lines().count(), 1, "{words:?}: {stderr}");
        assert!(!stderr.trim_end().contains(char::is_control), "{words:?}: {stderr:?}");
    }
}

#[test]
fn a_file_that_is_not_a_store_is_left_alone() {
    let folder = Folder::new();
    folder.write("text.db", "these are my notes\n");
    let measured =
        folder.run(&format!("run wakeup --seconds 1 {MODEST} --store text.db")).refuses("text.db");
    assert!(measured.stdout().is_empty(), "nothing is measured before the store is open");
    folder.run("report text.db").refuses("text.db");
    assert_eq!(folder.read("text.db"), "these are my notes\n");
}

#[test]
fn missing_and_unwritable_places_are_named() {
    run("report /no/such/place.db").refuses("/no/such/place.db");
    run("quick --out /proc/nowhere").refuses("/proc/nowhere");
    run("full --out /proc/nowhere").refuses("/proc/nowhere");
    run("bench tire --out /proc/nowhere").refuses("/proc/nowhere");
    run(&format!("run wakeup --seconds 0.1 {MODEST} --store /proc/nowhere.db"))
        .refuses("/proc/nowhere.db");
}
