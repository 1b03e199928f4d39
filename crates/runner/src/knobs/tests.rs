use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use base::{CpuSet, Policy};
use knob::{Around, Form, KNOBS, Knob, Values, Way, present};
use record::{Asked, Tried, Warning};
use rt::sched;
use testing::{REAL_TIME, needs};

use super::back::give_back_left_over_in;
use super::set::{Ground, Knobs};
use crate::intervals::tests::five_minutes;

/// A machine with two CPUs; the second one is measured.
fn around() -> Around {
    Around { measured: CpuSet::one(1), others: CpuSet::one(0) }
}

fn asked(tried: &[(&str, &str)]) -> Asked {
    let with_value = |(knob, value): &(&str, &str)| Tried {
        knob: (*knob).to_owned(),
        value: Some((*value).to_owned()),
    };
    let tried = tried.iter().map(with_value).collect();
    Asked { cpus: CpuSet::one(1), policy: Policy::OTHER, tried, ..five_minutes("wakeup").asked }
}

/// A tree that represents a machine, and a directory for its journals.
struct Machine {
    root: tempfile::TempDir,
    journals: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let folder = || tempfile::tempdir().unwrap();
        Self { root: folder(), journals: folder() }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Creates the files of a knob for two CPUs.
    fn with(knob: &Knob) -> Self {
        let machine = Self::new();
        let Way::Files(all, values) = &knob.way else {
            return machine;
        };
        for at in *all {
            for number in ["0", "1"] {
                let path = at.pattern.replace('*', number).replace('+', "1");
                machine.write(&path, standing(at.form, values));
                for (file, text) in beside(values) {
                    machine.write(Path::new(&path).with_file_name(file).to_str().unwrap(), &text);
                }
            }
        }
        machine
    }

    fn set(&self, tried: &[(&str, &str)]) -> Knobs {
        let journals = [self.journals.path().to_owned()];
        let ground = Ground {
            root: self.root.path(),
            directories: &journals,
            guard: &|| Ok(None),
            settling: Duration::ZERO,
        };
        Knobs::set_on(&ground, &asked(tried), &around())
    }

    /// Sets knobs, and returns a folder with the journal that a run killed after that leaves.
    fn killed_after(&self, tried: &[(&str, &str)]) -> tempfile::TempDir {
        let killed = self.set(tried);
        let left = tempfile::tempdir().unwrap();
        let journal = self.journals.path().read_dir().unwrap().next().unwrap().unwrap();
        fs::copy(journal.path(), left.path().join(journal.file_name())).unwrap();
        std::mem::forget(killed);
        left
    }

    fn journals(&self) -> usize {
        self.journals.path().read_dir().unwrap().count()
    }
}

/// Returns the content of a file of that form before anything is tried.
fn standing(form: Form, values: &Values) -> &'static str {
    match (form, values) {
        (Form::Bracketed, _) => "first [second] third\n",
        (Form::InParentheses, _) => "first (second) third\n",
        (Form::CpuList, _) => "0-1\n",
        (Form::CpuMask, _) => "3\n",
        (_, Values::Supported(_, other)) => other,
        _ => "7\n",
    }
}

/// Returns the neighbouring files that list the possible values.
fn beside(values: &Values) -> Vec<(&'static str, String)> {
    match values {
        Values::Offered(list, order) => vec![(list, order.join(" "))],
        Values::Beside((_, high), (_, low)) => vec![(high, "900\n".into()), (low, "100\n".into())],
        _ => Vec::new(),
    }
}

#[test]
fn every_knob_in_a_file_is_set_read_back_and_restored() {
    for knob in KNOBS.iter().filter(|knob| matches!(knob.way, Way::Files(..))) {
        let name = knob.name;
        let machine = Machine::with(knob);
        let now = || present(machine.root.path(), name).unwrap().now;
        let before = now();
        let to_try = present(machine.root.path(), name).unwrap().to_try;
        let to_try = to_try.unwrap_or_else(|| panic!("{name} has nothing to try at {before}"));
        let mut knobs = machine.set(&[(name, &to_try)]);
        assert_eq!(knobs.warnings(), [], "{name}");
        assert!(now() != before || name == record::SHAM, "{name}");
        knobs.read_at_end();
        let (found, warnings) = knobs.give_back();
        assert_eq!(warnings, [], "{name}");
        let found = &found[0];
        assert_eq!((&found.before, &now()), (&before, &before), "{name}");
        assert_eq!((&found.during, &found.at_end), (&to_try, &to_try), "{name}");
        assert!(found.given_back, "{name}");
        assert_eq!(machine.journals(), 0, "{name}");
    }
}

#[test]
fn a_policy_of_a_kernel_thread_is_set_and_restored() {
    let Some(()) = needs(sched::may_be_real_time(), REAL_TIME) else { return };
    let mut thread = Command::new("sleep").arg("60").spawn().unwrap();
    let machine = Machine::new();
    machine.write(&format!("proc/{}/comm", thread.id()), "ksoftirqd/1\n");
    let task = i32::try_from(thread.id()).unwrap();
    let mut knobs = machine.set(&[("ksoftirqd", "fifo:2")]);
    assert_eq!(knobs.warnings(), []);
    assert_eq!(sched::policy_of(task).unwrap(), Policy::Fifo(2));
    let (found, warnings) = knobs.give_back();
    assert!(found[0].given_back && warnings.is_empty());
    assert!(!sched::policy_of(task).unwrap().is_real_time());
    thread.kill().unwrap();
    thread.wait().unwrap();
}

#[test]
fn a_held_knob_needs_no_journal() {
    let machine = Machine::new();
    let mut knobs = machine.set(&[("static_keys", "held")]);
    assert_eq!((knobs.warnings(), machine.journals()), (vec![], 0));
    knobs.read_at_end();
    let (found, _) = knobs.give_back();
    assert_eq!(found[0].before, "not held");
    assert_eq!((&*found[0].during, &*found[0].at_end), ("held", "held"));
}

const SWAPPINESS: &str = "proc/sys/vm/swappiness";

#[test]
fn a_value_set_by_another_program_is_kept_and_reported_with_its_writer() {
    let machine = Machine::new();
    machine.write(SWAPPINESS, "60\n");
    machine.write("proc/77/comm", "tuned\n");
    let changed_to = |value: &str| Warning::KnobChanged {
        knob: "swappiness".to_owned(),
        asked: "10".to_owned(),
        found: value.to_owned(),
        by: vec!["tuned".to_owned()],
    };
    let mut knobs = machine.set(&[("swappiness", "10")]);
    machine.write(SWAPPINESS, "30\n");
    knobs.read_at_end();
    let (found, warnings) = knobs.give_back();
    assert_eq!(warnings, [changed_to("30")]);
    assert!(warnings[0].invalidates() && warnings[0].cause().contains("perhaps by tuned"));
    assert!(warnings[0].remedy().contains("systemctl stop tuned"));
    assert!(!found[0].given_back);
    assert_eq!((machine.read(SWAPPINESS), machine.journals()), ("30\n".to_owned(), 0));

    let mut knobs = machine.set(&[("swappiness", "10")]);
    knobs.read_at_end();
    machine.write(SWAPPINESS, "40\n");
    assert_eq!(knobs.give_back().1, [changed_to("40")]);
}

#[test]
fn values_that_the_kernel_changes_with_a_knob_are_restored() {
    const POLICY: &str = "sys/devices/system/cpu/cpufreq/policy0";
    let machine = Machine::new();
    let preference = format!("{POLICY}/energy_performance_preference");
    machine.write(&format!("{POLICY}/scaling_governor"), "powersave\n");
    machine.write(&preference, "balance_power\n");
    let mut knobs = machine.set(&[("governor", "performance")]);
    // As the kernel does it.
    machine.write(&preference, "performance\n");
    knobs.read_at_end();
    let (found, warnings) = knobs.give_back();
    assert!(found[0].given_back && warnings.is_empty());
    assert_eq!(machine.read(&preference), "balance_power");
}

#[test]
fn knobs_that_change_each_other_are_named_and_restored() {
    let machine = Machine::new();
    machine.write(SWAPPINESS, "60\n");
    let same = machine.path("proc/sys/vm/stat_interval");
    std::os::unix::fs::symlink(machine.path(SWAPPINESS), same).unwrap();
    let tried = [("swappiness", "10"), ("stat_interval", "120")];
    let mut knobs = machine.set(&tried);
    let overridden = Warning::KnobOverridden {
        knob: "swappiness".to_owned(),
        asked: "10".to_owned(),
        found: "120".to_owned(),
        by: vec!["stat_interval".to_owned()],
    };
    assert!(overridden.invalidates());
    assert_eq!(knobs.warnings(), [overridden]);
    knobs.read_at_end();
    let (found, warnings) = knobs.give_back();
    assert!(found.iter().all(|one| one.given_back) && warnings.is_empty());
    assert_eq!(machine.read(SWAPPINESS), "60");
}

#[test]
fn a_refused_or_rounded_value_is_reported_and_nothing_more_is_set() {
    let machine = Machine::new();
    machine.write("proc/sys/vm/stat_interval", "1\n");
    let mut knobs = machine.set(&[("swappiness", "10"), ("stat_interval", "120")]);
    let warnings = knobs.warnings();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].invalidates());
    let cause = warnings[0].cause();
    assert!(
        cause.contains("`swappiness` could not be set to 10: this machine does not have it"),
        "{cause}"
    );
    assert_eq!(machine.read("proc/sys/vm/stat_interval"), "1\n");
    drop(knobs);

    let rounds = machine.path(SWAPPINESS);
    std::os::unix::fs::symlink("/dev/null", rounds).unwrap();
    let mut knobs = machine.set(&[("swappiness", "10")]);
    let cause = knobs.warnings()[0].cause();
    assert!(cause.contains("took 10 but read back  ("), "{cause}");
}

/// A file that contains CPU 1 and accepts nothing, as that of an interrupt whose driver manages it.
const MANAGED: &str = "/sys/class/net/lo/ifindex";

#[test]
fn what_may_be_refused_in_some_places_is_not_in_force_if_all_refuse() {
    let has = fs::read_to_string(MANAGED).ok().as_deref() == Some("1\n");
    let Some(()) = needs(has, "a loopback interface") else { return };
    let machine = Machine::new();
    let managed = |path: &str| {
        machine.write(path, "");
        fs::remove_file(machine.path(path)).unwrap();
        std::os::unix::fs::symlink(MANAGED, machine.path(path)).unwrap();
    };
    let warnings = |knob| machine.set(&[(knob, "away")]).warnings();
    let is_refused = |knob| matches!(warnings(knob)[..], [Warning::KnobRefused { .. }]);
    managed("proc/irq/24/smp_affinity_list");
    machine.write("proc/irq/default_smp_affinity", "3\n");
    assert!(is_refused("interrupts"), "the default concerns only later interrupts");
    machine.write("proc/irq/25/smp_affinity_list", "0-1\n");
    assert_eq!(warnings("interrupts"), []);
    // The kernel manages nothing else.
    managed("proc/sys/kernel/watchdog_cpumask");
    assert!(is_refused("watchdog_cpus"));
}

#[test]
fn the_settings_of_a_killed_run_are_restored_from_its_journal() {
    let machine = Machine::new();
    machine.write(SWAPPINESS, "60\n");
    machine.write("proc/sys/vm/stat_interval", "1\n");
    let tried = [("swappiness", "10"), ("stat_interval", "120")];
    let left = machine.killed_after(&tried);
    let back = give_back_left_over_in(&[left.path().to_owned()]);
    assert_eq!((back.back.len(), back.changed.len(), back.refused.len()), (2, 0, 0));
    // The last change comes first.
    assert_eq!(back.back[0].knob, "stat_interval");
    assert_eq!(machine.read(SWAPPINESS), "60");
    assert_eq!(machine.read("proc/sys/vm/stat_interval"), "1");
    assert_eq!(left.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_restored_place_is_not_restored_again_while_another_is_refused() {
    let machine = Machine::new();
    let other = "proc/sys/vm/stat_interval";
    machine.write(SWAPPINESS, "60\n");
    machine.write(other, "1\n");
    let left = machine.killed_after(&[("swappiness", "10"), ("stat_interval", "120")]);
    // A directory in its place can neither be read nor written.
    fs::remove_file(machine.path(other)).unwrap();
    fs::create_dir(machine.path(other)).unwrap();
    let again = || give_back_left_over_in(&[left.path().to_owned()]);
    let back = again();
    assert_eq!((back.back.len(), back.refused.len()), (1, 1));
    // A user has chosen the value that the run had tried.
    machine.write(SWAPPINESS, "10\n");
    let back = again();
    assert_eq!((back.back.len(), back.refused.len()), (0, 1));
    assert_eq!(machine.read(SWAPPINESS), "10\n");
    fs::remove_dir(machine.path(other)).unwrap();
    machine.write(other, "120\n");
    assert_eq!(again().back[0].knob, "stat_interval");
    assert_eq!(left.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_setting_that_another_one_replaces_is_left_alone() {
    let machine = Machine::new();
    machine.write("proc/sys/vm/dirty_ratio", "0\n");
    let mut knobs = machine.set(&[("dirty_ratio", "10")]);
    let cause = knobs.warnings()[0].cause();
    assert!(cause.contains("another setting is active"), "{cause}");
    assert_eq!(machine.read("proc/sys/vm/dirty_ratio"), "0\n");
}
