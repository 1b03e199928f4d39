//! Bad input gives one clear line and exit code 2, and loses nothing.

use crate::common::{Folder, MODEST, refused, run, run_words};

#[test]
fn nonsense_on_the_command_line_is_named() {
    for (line, reason) in [
        ("run wakeup --load cpu@0,99", "no CPU 99 online"),
        ("run wakeup --load disk:/no/such/place", "--load"),
        ("interfere", "--of"),
        ("interfere --of nonsense", "--of"),
        ("run wakeup --keep-samples", "--store"),
        ("run wakeup --period 1ns", "--period"),
        ("run wakeup --seconds 1000000h", "--seconds"),
        ("lab freertos", "--firmware <FILE>"),
        ("lab freertos --firmware no/such", "freertos/README.md"),
        ("lab freertos --firmware Cargo.toml", "is not the firmware"),
        ("run rhealstone", "is a view, not a measurement: the report computes it"),
        ("run tire --masses 6", "--masses"),
        ("check --rate 1kHz --fmu no/such.fmu", "no/such.fmu"),
        ("check --rate 1kHz --masses 4 --library no/such.so", "masses"),
        ("check --rate 1kHz --masses 4 --mode real-fast", "--mode: a check is about deadlines"),
        ("check --rate 1kHz --period 2ms", "--period: --rate sets it"),
        ("campaign sae-micro --only 1 --json", "--only"),
        ("studies --seconds 5s", "--seconds: nothing is measured"),
        ("run tire --masses 0", "--masses"),
        ("run tire --rate 0", "--rate"),
        ("run tire --masses 4 --threads 5", "--threads"),
        ("run tire --stiffness 100", "--stiffness 100 N/m is not stable"),
        ("run tire --gravity -1", "--gravity -1 m/s2"),
        ("run tire --damping 1", "--damping"),
        ("run tire --mass 0", "--mass 0 kg"),
        ("run tire --radius nan", "--radius: `nan` is not a number"),
        ("run tire --restitution 2", "--restitution"),
        ("run tire --stiffness 1e9", "--stiffness 1000000000 N/m is not stable"),
        ("run ceiling --precision f16", "--precision"),
        ("run ceiling --threads 0", "--threads"),
        ("run ceiling --policy deadline:1ms/2ms", "--policy"),
        ("bench", "SUBJECT"),
        ("bench nonsense", "nonsense"),
        ("full --seconds 0", "--seconds"),
        ("run tire --watch 127.0.0.1:9870", "--watch: only a real-time run"),
        ("run tire --mode real-time --watch here", "--watch: `here`"),
        ("run tire --mode real-time --watch no..host:9870", "--watch: cannot resolve"),
        ("watch --listen nonsense", "such as 127.0.0.1:9870"),
        ("watch --page 9871", "such as 127.0.0.1:9870"),
        ("watch --listen 192.0.2.1:9870", "--listen: 192.0.2.1:9870"),
        ("run frame --processes 0", "number of processes"),
        ("run frame --fill 100", "--fill"),
        ("run frame --rate 1MHz", "--rate"),
        ("run frame --seconds 0.001", "--seconds"),
        ("run frame --cpus 0 --processes 2", "--affinity free"),
        ("run frame --cpus all --others moved", "--others stay"),
        ("run frame --peer nobody", "HOST:PORT"),
        ("run frame --peer no..host:7007", "error: --peer: cannot resolve"),
        ("run frame --overrun pray", "--overrun"),
        ("echo --listen nowhere", "such as 127.0.0.1:9870"),
        ("echo --listen 203.0.113.1:7007", "address not available"),
        ("echo --listen 203.0.113.1:7007", "IP address of this machine"),
        ("run interrupt --source magic", "--source: `magic`"),
        ("run interrupt --period 1us", "--period"),
        ("run interrupt --source=", "--source: expected a SOURCE"),
        ("run interrupt --source uart:/dev/ttyS9", "/dev/ttyS9 does not exist; it needs a"),
        ("run interrupt --source timer:/dev/null", "timer takes no device"),
        ("run interrupt --source gpio:chip", "CHIP:OUT:IN"),
        ("run interrupt --source uio:uio0:0x:1", "DEVICE:RAISE"),
        ("run interrupt --role answer", "--role"),
        ("run interrupt --policy fifo:1", "--policy"),
        ("nonsense", "nonsense"),
        ("report", "STORE"),
        ("report x.db --tolerance 5", "`5` is not a tolerance"),
        ("report x.db --tolerance -1%", "`-1%` is not a tolerance"),
        ("report x.db --out x --interactive", "'--interactive': the charts of"),
        ("compare x.db y.db --out x --interactive", "`steadfast report STORE --csv`"),
        ("lab compare --interactive", "report.html show exact values"),
        ("run wakeup --out x", "keeps results with --store FILE"),
        ("check 1kHz", "options begin with --"),
        ("run wakeup --tolerance 5%", "--tolerance"),
        ("run wakeup --firm-misses 10", "`10` is not a limit of misses"),
        ("run wakeup --firm-misses -1/h", "`-1/h` is not a limit of misses"),
        ("quick --soft-share 1", "`1` is not a share of periods"),
        ("report x.db --soft-share 101%", "`101%` is not a share"),
        ("run wakeup --repeat 0", "from 1 to 100000"),
        ("run wakeup --repeat 1500000", "from 1 to 100000"),
        ("run wakeup --period 1ms,2ms --repeat 60000", "--repeat: 120000 runs"),
        ("campaign x.toml --only 99999999999999999999", "from 1 to 100000"),
        ("campaign /dev/zero", "not a regular file"),
        ("run mix /dev/zero", "not a regular file"),
        ("run model --fmu /dev/zero", "not a regular file"),
        ("run model --library /dev/zero --step x", "not a regular file"),
        ("audit /dev/zero", "not a regular file"),
        ("model /dev/zero", "not a regular file"),
        ("run model --program no-such-program", "--program: `no-such-program`"),
        ("run priority_inversion --medium-run 1us", "--medium-run: 1us is too short"),
        ("run clock_overhead deadlock_break --seconds 0.2", "--seconds"),
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
