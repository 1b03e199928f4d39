//! Certificates that were changed in every way.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use analysis::finding::Disagreement;
use base::{CpuSet, Policy};
use lab::sha256;
use measure::Bench;
use record::{Machine, Outcome, Recording, Track, Warning};
use store::{Problem, Store, StoreError};
use tempfile::{TempDir, tempdir};
use testing::{Odd, skip};

use super::folder::{JSON, PAGE, SIGNATURE, STORE, SUMS};
use super::verify::Checked;
use super::{CertificateArgs, folder, make};
use crate::command::run::line::specs_of;

const PRIVATE: [&str; 5] = ["lovelace", "10.9.8.7", "4e1f-serial", "bench.example", "52:54:00"];

fn measured(run_id: &str) -> (Outcome, Vec<Track>) {
    measured_by("clock_overhead --seconds 0.02", run_id)
}

/// Measures what a run line requests, without rights.
pub(super) fn measured_by(line: &str, run_id: &str) -> (Outcome, Vec<Track>) {
    let line = format!("{line} --cpus 0 --policy other --memory unlocked --idle-states leave");
    let spec = specs_of(&line).unwrap().remove(0);
    let measurement = measure::find(&spec.measurement).unwrap();
    let tracks = measurement.run(&Bench::new(spec.clone())).unwrap();
    let command_line = "root=UUID=4e1f-serial ip=10.9.8.7 isolcpus=1".to_owned();
    let found = testing::outcomes::found("main", spec.asked.policy, &spec.asked.cpus);
    let mut recording = Recording {
        found,
        warnings: vec![Warning::LatencyHoldRefused {
            reason: "/home/lovelace/x at root@bench.example and 52:54:00:12:34:56".into(),
            is_missing: false,
            barrier: None,
        }],
        tracks: tracks.clone(),
        ..Recording::empty(run_id, spec)
    };
    let machine = Machine { command_line, ..testing::outcomes::machine() };
    recording.header.machine = machine.into();
    (measure::outcome(&recording), tracks)
}

pub(super) fn store(folder: &Path, runs: &[(Outcome, Vec<Track>)]) -> PathBuf {
    let path = folder.join("from.db");
    let specs: Vec<_> = runs.iter().map(|(run, _)| run.header.spec.clone()).collect();
    let mut store = Store::open(&path).unwrap();
    let begun = store.begin_session("run", &specs, &runs[0].0.header.machine, 0).unwrap();
    for (place, (run, samples)) in runs.iter().enumerate() {
        store.save(&begun, place, run, samples).unwrap();
    }
    store.finish_session(&begun).unwrap();
    path
}

struct Made {
    around: TempDir,
    place: PathBuf,
}

impl Made {
    fn of(runs: &[(Outcome, Vec<Track>)], key: Option<&Path>) -> Self {
        let around = tempdir().unwrap();
        let args = CertificateArgs {
            store: store(around.path(), runs),
            out: around.path().join("certified"),
            sign: key.map(Path::to_owned),
            with_names: false,
        };
        make(&args).unwrap();
        Self { place: args.out, around }
    }

    fn problem(&self) -> Option<Disagreement> {
        Checked::of(&self.place, None).unwrap().problem
    }

    fn file(&self, name: &str) -> PathBuf {
        self.place.join(name)
    }
}

/// Creates an ssh key; `None` without `ssh-keygen`.
fn key(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(name);
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-q", "-t", "ed25519", "-N", "", "-C", "tester", "-f"]).arg(&path);
    match keygen.status() {
        Ok(status) => {
            assert!(status.success());
            Some(path)
        }
        Err(_) => {
            skip("there is no ssh-keygen (openssh-client)");
            None
        }
    }
}

#[test]
fn any_flipped_bit_is_caught() {
    let keys = tempdir().unwrap();
    let key = key(keys.path(), "key");
    let made = Made::of(&[measured("one")], key.as_deref());
    assert_eq!(made.problem(), None);
    let names = fs::read_dir(&made.place).unwrap();
    let mut names: Vec<PathBuf> = names.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert_eq!(names.len(), if key.is_some() { 6 } else { 5 });
    let mut odd = Odd::of(1, 1);
    for _ in 0..1000 {
        let path = odd.one_of(&names).clone();
        let bytes = fs::read(&path).unwrap();
        let (place, bit) = (odd.below(bytes.len()), odd.below(8));
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << bit;
        fs::write(&path, flipped).unwrap();
        assert!(made.problem().is_some(), "bit {bit} of byte {place} of {}", path.display());
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(made.problem(), None);
}

#[test]
fn figures_and_samples_are_compared_even_if_the_hashes_fit() {
    let made = Made::of(&[measured("one"), measured("two")], None);
    let stored = || {
        let _ = fs::remove_file(made.file(SUMS));
        Store::open(&made.file(STORE)).unwrap()
    };
    let hash_again = || {
        let stated = super::Stated::of(&stored()).unwrap();
        folder::write(&made.place, &stated).unwrap();
    };
    let (mut run, _) = stored().run("two").unwrap();
    let as_computed = run.clone();
    run.rows[0].due += 1;
    stored().recompute(&[run]).unwrap();
    hash_again();
    let problem = made.problem().unwrap();
    assert!(
        matches!(&problem, Disagreement::FigureDiffers { run, figure }
        if run == "two" && figure.contains("due")),
        "{problem:?}"
    );
    stored().recompute(&[as_computed]).unwrap();
    hash_again();
    assert_eq!(made.problem(), None);

    let page = fs::read_to_string(made.file(PAGE)).unwrap();
    fs::write(made.file(PAGE), page.replace("Steadfast", "steadfast")).unwrap();
    let sums = fs::read_to_string(made.file(SUMS)).unwrap();
    let hash = |text: &str| sha256(text.as_bytes());
    let changed = fs::read_to_string(made.file(PAGE)).unwrap();
    fs::write(made.file(SUMS), sums.replace(&hash(&page), &hash(&changed))).unwrap();
    let file = PAGE.to_owned();
    assert_eq!(made.problem(), Some(Disagreement::NotFromResults { file, made_by: None }));
}

#[test]
fn a_file_more_or_less_is_caught() {
    let made = Made::of(&[measured("one")], None);
    let extra = made.file("extra.txt");
    fs::write(&extra, "").unwrap();
    assert_eq!(made.problem(), Some(Disagreement::Added { file: "extra.txt".into() }));
    let sums = fs::read_to_string(made.file(SUMS)).unwrap();
    let (hash, _) = model_file::sha256(&extra).unwrap();
    let listed = format!("{hash}  extra.txt\n");
    let mut lines: Vec<&str> = sums.split_inclusive('\n').chain([&*listed]).collect();
    lines.sort_by_key(|line| line.split_once("  ").map(|(_, name)| name));
    fs::write(made.file(SUMS), lines.concat()).unwrap();
    assert_eq!(made.problem(), Some(Disagreement::Added { file: "extra.txt".into() }), "listed");
    fs::remove_file(&extra).unwrap();
    assert_eq!(made.problem(), Some(Disagreement::Added { file: "extra.txt".into() }), "listed");
    fs::write(made.file(SUMS), sums).unwrap();
    let kept = fs::read(made.file(JSON)).unwrap();
    fs::remove_file(made.file(JSON)).unwrap();
    assert_eq!(made.problem(), Some(Disagreement::Missing { file: JSON.into() }));
    fs::create_dir(made.file(JSON)).unwrap();
    assert!(made.problem().is_some());
    fs::remove_dir(made.file(JSON)).unwrap();
    fs::write(made.file("../elsewhere"), &kept).unwrap();
    symlink("../elsewhere", made.file(JSON)).unwrap();
    assert_eq!(made.problem(), Some(Disagreement::NotAFile { file: JSON.into() }));
    fs::remove_file(made.file(JSON)).unwrap();
    fs::write(made.file(JSON), kept).unwrap();
    assert_eq!(made.problem(), None);
    fs::remove_file(made.file(SUMS)).unwrap();
    let why = Checked::of(&made.place, None).err().unwrap().to_string();
    assert!(why.contains("not a certificate") && !why.contains('\n'), "{why}");
}

#[test]
fn nothing_private_is_in_a_certificate() {
    let made = Made::of(&[measured("one")], None);
    for entry in fs::read_dir(&made.place).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        for private in PRIVATE {
            let is_there = bytes.windows(private.len()).any(|part| part == private.as_bytes());
            assert!(!is_there, "{private} is in {}", path.display());
        }
    }
    let page = fs::read_to_string(made.file(PAGE)).unwrap();
    assert!(page.contains("isolcpus=1"), "what affects real time stays");
}

#[test]
fn runs_without_samples_are_named_and_invalid_runs_are_certified_as_such() {
    let (mut run, _) = measured("one");
    let histograms = Made::of(&[(run.clone(), vec![]), measured("two")], None);
    let checked = Checked::of(&histograms.place, None).unwrap();
    assert_eq!((checked.problem.is_some(), checked.without_samples().len()), (false, 1));

    run.warnings = testing::outcomes::refused().warnings;
    assert!(!run.is_valid());
    let invalid = Made::of(&[(run, vec![])], None);
    assert_eq!(invalid.problem(), None);
    let page = fs::read_to_string(invalid.file(PAGE)).unwrap();
    assert!(page.contains("INVALID: no run can be used."), "{page}");
}

#[test]
fn ssh_keygen_agrees_and_another_key_is_not_the_expected_one() {
    let keys = tempdir().unwrap();
    let (Some(own), Some(other)) = (key(keys.path(), "own"), key(keys.path(), "other")) else {
        return;
    };
    let made = Made::of(&[measured("one")], Some(&own));
    let public = |key: &Path| PathBuf::from(format!("{}.pub", key.display()));
    let allowed = made.around.path().join("allowed");
    let line = fs::read_to_string(public(&own)).unwrap();
    fs::write(&allowed, format!("me@here {line}")).unwrap();
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-Y", "verify", "-n", "steadfast", "-I", "me@here", "-f"]).arg(&allowed);
    keygen.arg("-s").arg(made.file(SIGNATURE));
    keygen.stdin(fs::File::open(made.file(SUMS)).unwrap());
    assert!(keygen.output().unwrap().status.success());

    let problem = |key: &Path| Checked::of(&made.place, Some(key)).unwrap().problem;
    assert_eq!(problem(&public(&own)), None);
    assert_eq!(problem(&own), None, "the public key beside it");
    assert!(matches!(problem(&public(&other)), Some(Disagreement::OtherKey { .. })));
    let unsigned = Made::of(&[measured("one")], None);
    let checked = Checked::of(&unsigned.place, Some(&public(&own))).unwrap();
    assert_eq!(checked.problem, Some(Disagreement::NotSigned));
}

/// Runs whose conditions somebody changed, in a certificate that was made from them.
#[test]
fn conditions_that_contradict_each_other_do_not_agree() {
    type Change = fn(&mut Outcome);
    let changes: [(Change, &str); 8] = [
        (|run| run.found.threads[0].policy = Policy::Fifo(50), "instead of"),
        (|run| run.found.threads[0].cpus_at_end = "1".parse().unwrap(), "on CPUs 1 instead of"),
        (|run| run.found.threads.clear(), "no measuring thread"),
        (|run| run.header.spec.asked.policy = Policy::Fifo(80), "policy fifo:80 was requested"),
        (|run| run.header.spec.asked.cpus = CpuSet::default(), "no CPU was requested"),
        (|run| run.header.spec.asked.loads.push("cpu".parse().unwrap()), "load cpu was requested"),
        (|run| run.found.cpus[0].steal_ns = Some(7_000_000), "lacks the warning that"),
        (
            |run| {
                run.header.spec.asked.memory_lock = true;
                run.found.system.memory_locked_bytes = 0;
            },
            "memory could not be locked",
        ),
    ];
    for (change, reason) in changes {
        let (mut run, _) = measured("one");
        run.warnings.clear();
        change(&mut run);
        let problem = Made::of(&[(run, vec![])], None).problem();
        assert!(
            matches!(&problem, Some(Disagreement::Contradiction { why, .. }) if why.contains(reason)),
            "{reason}: {problem:?}"
        );
    }
}

#[test]
fn a_full_disk_is_named_by_the_certificate_and_nothing_is_said_to_be_kept() {
    let place = Path::new(".certificate-1-x").join(STORE);
    let full = StoreError { path: place, problem: Problem::DiskFull };
    let why = super::no_room(full.into(), Path::new("certified")).to_string();
    assert!(why.starts_with("no room for the certificate certified"), "{why}");
    assert!(!why.contains("kept"), "{why}");
}

#[test]
fn what_killed_processes_left_is_removed_and_nothing_else() {
    let around = tempdir().unwrap();
    // Numbers of processes end below this.
    let (left, other) = (".certificate-99999999-abc", ".certificate-notes");
    let alive = format!(".certificate-{}-abc", std::process::id());
    for name in [left, other, &alive] {
        fs::create_dir(around.path().join(name)).unwrap();
        fs::write(around.path().join(name).join(STORE), "").unwrap();
    }
    super::remove_unfinished(around.path());
    let exists = [left, other, &alive].map(|name| around.path().join(name).exists());
    assert_eq!(exists, [false, true, true]);
}
