//! The zoo: each file of `zoo` is a small machine, and what is true about it. Another machine is one
//! file; its lines are explained by `Line`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use base::{CpuSet, Policy};
use doctor::{Diagnosis, Finding, State, Tree, Tried, Unfiled, examine, fingerprint};
use rt::thread::start_in;
use tempfile::TempDir;

/// A machine of the zoo.
#[derive(Default)]
struct ZooMachine {
    /// Files by path, and links by path with their target after an arrow.
    files: BTreeMap<String, String>,
    unfiled: Unfiled,
    /// Why each of `RIGHTS` was refused, by its name.
    refused: BTreeMap<String, String>,
    /// What kept threads of the doctor from each CPU that it waited for in vain.
    in_vain: Vec<String>,
    /// The CPUs that a thread is granted; all by default.
    reachable: Option<CpuSet>,
    /// The CPUs for real-time work; the last one by default.
    measured: Option<CpuSet>,
    expected: Vec<Expected>,
    /// What the place of the kernel's parameters contains.
    boot: Option<String>,
}

/// What is true about a check: its state, what the first way to change it begins with, or what the
/// finding contains.
enum Expected {
    State(String, State, String),
    Found(String, String),
}

const ARROW: &str = "-> ";
/// What the doctor tries.
const RIGHTS: [&str; 4] = ["policy", "deadline", "lock", "hold"];

fn zoo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("zoo")
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(zoo()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

impl ZooMachine {
    fn named(name: &str) -> Self {
        let text = fs::read_to_string(zoo().join(name)).unwrap();
        let mut parts = text.split("\n== ");
        let mut machine = Self::default();
        for line in parts.next().unwrap().lines().filter(|line| !line.starts_with('#')) {
            machine.read(line);
        }
        for part in parts {
            let (path, text) = part.split_once('\n').unwrap_or((part, ""));
            match path.split_once(" -> ") {
                Some((path, to)) => machine.files.insert(path.into(), format!("{ARROW}{to}")),
                None => machine.files.insert(path.into(), text.to_owned()),
            };
        }
        machine
    }

    /// Reads a line: `like` another machine, `without` files whose path begins so, ...
    fn read(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "like" => {
                *self = Self { expected: Vec::new(), boot: None, ..Self::named(rest) };
            }
            "without" => self.files.retain(|path, _| !path.starts_with(rest)),
            "unfiled" => match rest.split_once(' ').unwrap() {
                ("architecture", name) => self.unfiled.architecture = name.to_owned(),
                (_, name) => self.unfiled.hypervisor = Some(name.to_owned()),
            },
            "refused" => {
                let (rights, why) = rest.split_once(' ').unwrap();
                let rights = rights.split(',').inspect(|right| assert!(RIGHTS.contains(right)));
                self.refused.extend(rights.map(|right| (right.to_owned(), why.to_owned())));
            }
            "in-vain" => self.in_vain.push(rest.to_owned()),
            "granted" => self.refused.clear(),
            "reachable" => self.reachable = Some(rest.parse().unwrap()),
            "measured" => self.measured = Some(rest.parse().unwrap()),
            "boot" => self.boot = Some(rest.to_owned()),
            "found" => {
                let (check, words) = rest.split_once(' ').unwrap();
                self.expected.push(Expected::Found(check.to_owned(), words.to_owned()));
            }
            "expect" => {
                let mut words = rest.splitn(3, ' ');
                let check = words.next().unwrap().to_owned();
                let state = state(words.next().unwrap());
                let start = words.next().unwrap_or_default().to_owned();
                self.expected.push(Expected::State(check, state, start));
            }
            word => panic!("{word}"),
        }
    }

    fn online(&self) -> CpuSet {
        let online = self.files.get("/sys/devices/system/cpu/online");
        online.map_or("0-3", |text| text.trim()).parse().unwrap()
    }

    fn cpus(&self) -> CpuSet {
        let last = || CpuSet::one(self.online().iter().last().unwrap());
        self.measured.clone().unwrap_or_else(last)
    }

    fn written(&self) -> TempDir {
        let root = TempDir::new().unwrap();
        // Patterns last: a file of a single CPU has priority.
        let (patterns, single): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|(path, _)| path.contains('{'));
        single.into_iter().chain(patterns).for_each(|(path, text)| put(root.path(), path, text));
        root
    }

    fn examined(&self, root: &Path) -> Diagnosis {
        let tree = Tree::at(root);
        let refused = |right: &str| self.refused.get(right).cloned();
        let tried = Tried {
            policy: Policy::Fifo(80),
            policy_refused: refused("policy"),
            deadline_refused: refused("deadline"),
            lock_refused: refused("lock"),
            hold_refused: refused("hold"),
            reachable: self.reachable.clone().unwrap_or_else(|| self.online()),
            in_vain: self.in_vain.clone(),
        };
        examine(&fingerprint(&tree, &self.unfiled), tree, &self.cpus(), &tried)
    }
}

/// Writes a file; for a path with a list of CPUs, such as `cpu{0-95}`, one for each that has none yet,
/// with its number instead of `{cpu}`.
fn put(root: &Path, path: &str, text: &str) {
    for (cpu, path) in expanded(root, path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match text.strip_prefix(ARROW) {
            Some(target) => symlink(target, path).unwrap(),
            None if path.exists() => {}
            None => fs::write(path, text.replace("{cpu}", &cpu)).unwrap(),
        }
    }
}

/// The files of a path, each with the number of its CPU.
fn expanded(root: &Path, path: &str) -> Vec<(String, PathBuf)> {
    let whole = path.trim_start_matches('/');
    let list = whole.split_once('{').and_then(|(start, rest)| Some((start, rest.split_once('}')?)));
    let Some((start, (list, end))) = list else {
        return vec![(String::new(), root.join(whole))];
    };
    let cpus: CpuSet = list.parse().unwrap();
    cpus.iter().map(|cpu| (cpu.to_string(), root.join(format!("{start}{cpu}{end}")))).collect()
}

fn state(word: &str) -> State {
    match word {
        "ok" => State::Ok,
        "advice" => State::Advice,
        "warning" => State::Warning,
        _ => State::Unknown,
    }
}

fn finding<'d>(diagnosis: &'d Diagnosis, check: &str) -> &'d Finding {
    let found = diagnosis.findings.iter().find(|finding| finding.name == check);
    found.unwrap_or_else(|| panic!("no finding of {check}"))
}

#[test]
fn the_doctor_says_of_each_machine_what_is_true() {
    for name in names() {
        let machine = ZooMachine::named(&name);
        let root = machine.written();
        let diagnosis = machine.examined(root.path());
        for expected in &machine.expected {
            match expected {
                Expected::State(check, state, start) => {
                    let finding = finding(&diagnosis, check);
                    assert_eq!(finding.state, *state, "{name}: {finding:#?}");
                    let said = if *state == State::Ok { &finding.found } else { &finding.change };
                    assert!(said.starts_with(start.as_str()), "{name}: {finding:#?}");
                }
                Expected::Found(check, words) => {
                    let finding = finding(&diagnosis, check);
                    assert!(finding.found.contains(words.as_str()), "{name}: {finding:#?}");
                }
            }
        }
        let place = diagnosis.boot_in_words();
        let boot = machine.boot.as_deref().unwrap_or_default();
        assert!(place.contains(boot), "{name}: {place}");
    }
}

/// Files whose existence is itself the fact: one vulnerability fewer is not a hidden one.
const FACTS_BY_EXISTENCE: &str = "/sys/devices/system/cpu/vulnerabilities/";

#[test]
fn no_answer_becomes_better_because_a_file_cannot_be_seen() {
    let (names, next) = (names(), AtomicUsize::new(0));
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            hide_each_file(name);
        }
    };
    thread::scope(|scope| drop([(); 2].map(|()| start_in(scope, "zoo", work).unwrap())));
}

fn hide_each_file(name: &str) {
    let machine = ZooMachine::named(name);
    let root = machine.written();
    let before = machine.examined(root.path());
    let hidden = machine.files.iter().filter(|(path, _)| !path.starts_with(FACTS_BY_EXISTENCE));
    for (path, text) in hidden {
        expanded(root.path(), path).iter().for_each(|(_, file)| fs::remove_file(file).unwrap());
        let after = machine.examined(root.path());
        for found in &after.findings {
            let was = before.findings.iter().find(|was| was.name == found.name);
            let was = was.map(|was| was.state);
            let is_better = match found.state {
                State::Ok => was != Some(State::Ok),
                State::Advice => was == Some(State::Warning),
                State::Warning | State::Unknown => false,
            };
            assert!(!is_better, "{name} without {path}: {was:?}, then {found:#?}");
        }
        put(root.path(), path, text);
    }
}

const NO_LIMITS: &str = "Max cpu time unlimited unlimited seconds\n\
                         Max locked memory unlimited unlimited bytes\n\
                         Max realtime priority 99 99\n\
                         Max realtime timeout unlimited unlimited us\n";

/// Does what a finding advises: its command.
fn carry_out(machine: &mut ZooMachine, command: &str) {
    let words: Vec<&str> = command.split_whitespace().filter(|word| *word != "sudo").collect();
    let mut set = |is_it: &dyn Fn(&str) -> bool, value: &str| {
        let files = machine.files.iter_mut().filter(|(path, _)| is_it(path));
        files.for_each(|(_, text)| *text = value.to_owned());
    };
    match words.as_slice() {
        ["echo", "$$", ..] => {
            let groups = machine.files.get_mut("/proc/self/cgroup").unwrap();
            *groups = groups.replace("/box", "/");
            machine.refused.remove("policy");
        }
        ["echo", "0", "|", "tee", idle] if idle.ends_with("/cpu.idle") => {
            set(&|file| file == *idle, "0");
            set(&|file| file == idle.replace("cpu.idle", "cpu.weight"), "100");
        }
        ["echo", "0", "|", "tee", files @ ..] if files[0].ends_with("/online") => {
            files.iter().for_each(|file| take_offline(machine, file));
        }
        ["echo", value, "|", "tee", path] => {
            let (start, end) = path.split_once('*').unwrap_or((path, ""));
            set(&|file| file.starts_with(start) && file.ends_with(end), value);
        }
        ["sysctl", "kernel.watchdog=0"] => set(&|file| file.ends_with("_watchdog"), "0"),
        ["sysctl", setting] => {
            let (name, value) = setting.split_once('=').unwrap();
            set(&|file| file == format!("/proc/sys/{}", name.replace('.', "/")), value);
        }
        ["echo", value, ">", "/proc/$$/timerslack_ns"] => {
            set(&|file| file == "/proc/self/timerslack_ns", value);
        }
        ["chrt", ..] => machine.in_vain.clear(),
        ["prlimit", ..] => set(&|file| file == "/proc/self/limits", NO_LIMITS),
        ["cpupower", "idle-set", ..] => set(&|file| file.ends_with("/latency"), "1"),
        ["swapoff", ..] => {
            set(&|file| file == "/proc/meminfo", "MemTotal: 1 kB\nSwapTotal: 0 kB");
        }
        ["tuned-adm", ..] => set(&|file| file.ends_with("active_profile"), "realtime"),
        ["systemctl", .., service] => {
            machine.files.retain(|path, text| !path.ends_with("/comm") || text.trim() != *service);
        }
        ["setcap", ..] => {
            machine.refused.retain(|right, _| right == "hold");
            let status = machine.files.get_mut("/proc/self/status").unwrap();
            *status = status.replace("CapEff: 0000000000000000", "CapEff: 000001ffffffffff");
        }
        ["apt" | "dnf" | "pacman" | "pro", ..] => {
            set(&|file| file == "/proc/sys/kernel/version", "#1 SMP PREEMPT_RT");
        }
        ["taskset", ..] => {
            let status = machine.files.get_mut("/proc/self/status").unwrap();
            *status = status.replace("Cpus_allowed_list: 0-2", "Cpus_allowed_list: 0-3");
            machine.refused.remove("deadline");
        }
        _ => panic!(
            "the zoo cannot carry out `{command}`: add what it changes to `carry_out` in \
             crates/doctor/tests/zoo.rs"
        ),
    }
}

/// Takes a CPU offline by its file `online`; the others of its core then no longer share it.
fn take_offline(machine: &mut ZooMachine, file: &str) {
    let number = file.trim_end_matches("/online").rsplit_once("cpu").unwrap().1;
    let cpu: CpuSet = number.parse().unwrap();
    let is_list =
        |path: &str| path.ends_with("/thread_siblings_list") || path.ends_with("cpu/online");
    for (_, text) in machine.files.iter_mut().filter(|(path, _)| is_list(path)) {
        if let Ok(cpus) = text.parse::<CpuSet>() {
            *text = cpus.without(&cpu).to_string();
        }
    }
}

/// Boots with the advised parameters.
fn boot_with(machine: &mut ZooMachine, parameters: &str) {
    *machine.files.entry("/proc/cmdline".into()).or_default() += &format!(" {parameters}");
    for parameter in parameters.split_whitespace() {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let mut write = |path: &str, text: &str| {
            machine.files.insert(path.to_owned(), text.to_owned());
        };
        match name {
            "isolcpus" => {
                let cpus = value.trim_start_matches("managed_irq,domain,");
                write("/sys/devices/system/cpu/isolated", cpus);
            }
            "nohz_full" => write("/sys/devices/system/cpu/nohz_full", value),
            "nowatchdog" => write("/proc/sys/kernel/soft_watchdog", "0"),
            "transparent_hugepage" => {
                write("/sys/kernel/mm/transparent_hugepage/enabled", &format!("[{value}]"));
            }
            "irqaffinity" => {
                let files = machine.files.iter_mut();
                let affinities = files.filter(|(path, _)| path.ends_with("smp_affinity_list"));
                affinities.for_each(|(_, text)| *text = value.to_owned());
            }
            _ => {}
        }
    }
}

/// Returns what the doctor says of a machine before and after its advice was followed.
fn before_and_after_advice(name: &str) -> [Diagnosis; 2] {
    let mut machine = ZooMachine::named(name);
    let before = machine.examined(machine.written().path());
    let asking = before.findings.iter().filter(|finding| finding.state.asks_for_change());
    for command in asking.filter_map(|finding| finding.command.as_deref()) {
        carry_out(&mut machine, command);
    }
    boot_with(&mut machine, before.kernel_parameters.as_deref().unwrap_or_default());
    let after = machine.examined(machine.written().path());
    [before, after]
}

#[test]
fn advice_that_was_followed_is_done_after_one_step() {
    for name in names() {
        let [_, after] = before_and_after_advice(&name);
        // What remains can only be asked for.
        for finding in after.findings.iter().filter(|finding| finding.state.asks_for_change()) {
            assert_eq!(finding.command, None, "{name}: {finding:#?}");
            assert_eq!(finding.kernel_parameters, None, "{name}: {finding:#?}");
        }
    }
}

/// Checks of what only runs show.
const OF_RUNS: [&str; 3] = ["page_faults", "priority_inversion", "load_sensitivity"];

#[test]
fn every_check_asks_some_machine_for_a_change_and_finds_another_fine() {
    let (mut asking, mut fine) = (BTreeSet::new(), BTreeSet::new());
    let diagnoses = names().into_iter().flat_map(|name| before_and_after_advice(&name));
    for finding in diagnoses.flat_map(|diagnosis| diagnosis.findings) {
        match finding.state {
            State::Warning | State::Advice => asking.insert(finding.name),
            State::Ok => fine.insert(finding.name),
            State::Unknown => false,
        };
    }
    let all = doctor::checks().map(|(name, _)| name);
    let all: BTreeSet<&str> = all.filter(|name| !OF_RUNS.contains(name)).collect();
    let [never_asking, never_fine] = [&asking, &fine].map(|found| &all - found);
    assert!(
        never_asking.is_empty() && never_fine.is_empty(),
        "add machines to crates/doctor/zoo: none asks for a change of {never_asking:?}, none is fine \
         in {never_fine:?}"
    );
    assert_eq!(
        &(&asking | &fine) - &all,
        BTreeSet::new(),
        "a check of runs alone has a finding here"
    );
}

/// The content of every file of the machine may be odd; the files themselves are those of its kind.
#[test]
fn odd_machines_are_examined() {
    let names = ["debian-12-grub", "alpine-vm", "arm-metal-of-a-cloud"];
    let machines = names.map(ZooMachine::named);
    let contents: Vec<String> =
        machines.iter().flat_map(|machine| machine.files.values().cloned()).collect();
    testing::try_corpus(&contents, 40, |input| {
        let machine = &machines[input.len() % machines.len()];
        let root = machine.written();
        let files = machine.files.keys().filter(|path| !path.contains('{'));
        let every = 1 + input.first().map_or(0, |byte| usize::from(byte % 7));
        for path in files.step_by(every) {
            let path = root.path().join(path.trim_start_matches('/'));
            if path.is_file() && !path.is_symlink() {
                fs::write(path, input).unwrap();
            }
        }
        assert!(!machine.examined(root.path()).findings.is_empty());
    });
}
