//! Which CPUs are being measured, and by whom.
//!
//! A process that measures holds an fcntl(2) lock on one byte per CPU. The locked file is the
//! kernel's time namespace (`/proc/self/ns/time`): every process sees the same file, also processes
//! of other users and in containers with separate mounts, networks and process numbers. Nothing is
//! written, and the kernel releases the locks when their holder ends. The locks are shared, so the
//! file need not be writable: a process that wants a CPU for itself asks which other processes hold
//! a lock.
//!
//! Two cases are not detected: a process in another time namespace, and the process itself, because
//! its threads hold their locks together.

use std::ffi::c_int;
use std::fs::File;
use std::io;
use std::ops::RangeInclusive;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;

use base::CpuSet;
use rustix::process::Pid;

use crate::{read, tasks, topology};

/// The CPUs that this process measures, until it is dropped or the process ends.
#[derive(Debug)]
pub struct Claim {
    cpus: CpuSet,
}

impl Claim {
    /// Claims CPUs, also those that others have claimed: [`claimants`] lists these.
    ///
    /// # Errors
    /// Fails without /proc, and if the kernel has no time namespaces (before Linux 5.6).
    pub fn lay(cpus: &CpuSet) -> io::Result<Self> {
        let claim = Self { cpus: cpus.clone() };
        for cpu in cpus.iter() {
            lock(libc::F_SETLK, libc::F_RDLCK, cpu)?;
        }
        Ok(claim)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        for cpu in self.cpus.iter() {
            // The kernel has no reason to refuse, and releases the lock at the process's end
            // anyway.
            let _ = lock(libc::F_SETLK, libc::F_UNLCK, cpu);
        }
    }
}

/// Each byte from this one on is a CPU; other programs are unlikely to lock bytes here.
const FIRST: libc::off_t = 0x5374_0000;

/// Another process that measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    /// Its number; `None` where this process cannot see it, as in another container.
    pub process: Option<Pid>,
    /// The CPUs on which it measures.
    pub cpus: CpuSet,
}

impl Claimant {
    /// Whether a run may ignore it: root does not wait for claims of other users, since any user
    /// may claim every CPU forever.
    #[must_use]
    pub fn is_ignored(&self) -> bool {
        // The real user: a program such as su has another one's claim with root's effective user.
        let is_root = |process: Pid| {
            let status = read::text(format!("/proc/{process}/status")).unwrap_or_default();
            let users = read::field(&status, "Uid:");
            users.is_none_or(|users| users.split_whitespace().next() == Some("0"))
        };
        rustix::process::geteuid().is_root()
            && self.process.is_some_and(|process| !is_root(process))
    }
}

/// The tense of a text about a claimant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    /// Of a text that is read while the claimant measures.
    Present,
    /// Of a text in a stored result.
    Past,
}

impl Claimant {
    fn in_words(&self, tense: Tense) -> String {
        let age = self.process.and_then(tasks::age).map_or(0, |age| age.as_secs());
        let measures = measures(&self.cpus.in_words(), age, tense);
        let Some(process) = self.process else {
            return format!("a process that is not visible from here {measures}");
        };
        let command = command_line(process).map(|command| format!(" (`{command}`)"));
        format!("process {process} {measures}{}", command.unwrap_or_default())
    }
}

fn measures(cpus: &str, age_s: u64, tense: Tense) -> String {
    match (tense, age_s) {
        (Tense::Present, 0) => format!("measures on {cpus}"),
        (Tense::Present, age) => format!("measures on {cpus}, for {age} s now"),
        (Tense::Past, 0) => format!("measured on {cpus}"),
        (Tense::Past, age) => format!("had measured on {cpus} for {age} s"),
    }
}

/// Returns the other processes that measure on any of these CPUs.
///
/// # Errors
/// Fails like [`Claim::lay`].
pub fn claimants(cpus: &CpuSet) -> io::Result<Vec<Claimant>> {
    let holder = |cpu| lock(libc::F_GETLK, libc::F_WRLCK, cpu);
    // The kernel names one holder of each lock; the list of all locks has the others.
    let listed = listed()?;
    let holds = |process: i32, cpu| {
        let byte = FIRST + cpu as libc::off_t;
        listed.iter().any(|(holder, bytes)| *holder == process && bytes.contains(&byte))
    };
    let mut holders: Vec<i32> = Vec::new();
    for cpu in cpus.iter() {
        let others = listed.iter().map(|(process, _)| *process).filter(|one| holds(*one, cpu));
        for process in holder(cpu)?.into_iter().chain(others) {
            if !holders.contains(&process) {
                holders.push(process);
            }
        }
    }
    let all = if holders.is_empty() { CpuSet::default() } else { topology::online().with(cpus) };
    let of = |process: &i32| Claimant {
        process: tasks::pid(*process),
        cpus: all
            .iter()
            .filter(|cpu| {
                let is_first = || holder(*cpu).is_ok_and(|holder| holder == Some(*process));
                holds(*process, *cpu) || is_first()
            })
            .collect(),
    };
    Ok(holders.iter().map(of).collect())
}

/// Returns the locks of other processes on the file, as far as they are visible from here: the
/// process and its bytes (man 5 proc_locks).
fn listed() -> io::Result<Vec<(i32, RangeInclusive<libc::off_t>)>> {
    let own = crate::process::this().as_raw_nonzero().get();
    let inode = file()?.metadata()?.ino().to_string();
    let locks = read::text("/proc/locks").unwrap_or_default();
    let lock = |line: &str| {
        let mut words = line.split_whitespace().skip(4);
        let process =
            words.next()?.parse().ok().filter(|process| *process > 0 && *process != own)?;
        words.next().filter(|file| file.rsplit(':').next() == Some(&*inode))?;
        Some((process, words.next()?.parse().ok()?..=words.next()?.parse().ok()?))
    };
    Ok(locks.lines().filter_map(lock).collect())
}

/// The first words of a runner's output when other processes measure on its CPUs.
pub const MEASURED_BY_OTHERS: &str = "other measurements use these CPUs: ";

/// Describes the claimants in one line.
#[must_use]
pub fn in_words(claimants: &[Claimant], tense: Tense) -> String {
    let words: Vec<String> = claimants.iter().map(|claimant| claimant.in_words(tense)).collect();
    words.join("; ")
}

/// Returns the command as it was typed: the process's own command line, or for a runner that of the
/// program which started it.
fn command_line(process: Pid) -> Option<String> {
    const LONGEST: usize = 200;
    let of =
        |process: Pid| Some(read::text(format!("/proc/{process}/cmdline"))?.replace('\0', " "));
    let own = of(process)?;
    let line = match own.contains(" role-") {
        true => tasks::parent_of(process).and_then(of).unwrap_or(own),
        false => own,
    };
    let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
    (!line.is_empty()).then(|| line.chars().take(LONGEST).collect())
}

/// Sets or queries the lock of a CPU; returns the number of a process that holds a conflicting
/// lock, 0 if that process is not visible from here.
fn lock(command: c_int, kind: c_int, cpu: usize) -> io::Result<Option<i32>> {
    let file = file()?;
    // SAFETY: every bit pattern of a `flock` is valid, including zeros.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = kind as libc::c_short;
    lock.l_whence = libc::SEEK_SET as libc::c_short;
    lock.l_start = FIRST + cpu as libc::off_t;
    lock.l_len = 1;
    // SAFETY: `lock` is valid for the kernel to read and write.
    if unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut lock) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let is_held = command == libc::F_GETLK && c_int::from(lock.l_type) != libc::F_UNLCK;
    Ok(is_held.then_some(lock.l_pid))
}

/// Opens the file once and keeps it open as long as the process lives: closing any descriptor of it
/// would release all locks.
fn file() -> io::Result<&'static File> {
    static FILE: OnceLock<io::Result<File>> = OnceLock::new();
    let opened = FILE.get_or_init(|| File::open("/proc/self/ns/time"));
    opened
        .as_ref()
        .map_err(|error| io::Error::new(error.kind(), format!("/proc/self/ns/time: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, Command, Stdio};

    /// CPUs that no machine of a test has.
    fn cpus(list: &str) -> CpuSet {
        list.parse().unwrap()
    }

    fn end(process: &mut Child) {
        process.kill().unwrap();
        process.wait().unwrap();
    }

    #[test]
    fn only_the_present_tense_says_now() {
        assert_eq!(measures("CPU 1", 3, Tense::Present), "measures on CPU 1, for 3 s now");
        assert_eq!(measures("CPU 1", 3, Tense::Past), "had measured on CPU 1 for 3 s");
        assert_eq!(measures("CPU 1", 0, Tense::Past), "measured on CPU 1");
    }

    #[test]
    fn a_claim_is_seen_by_other_processes_until_its_holder_ends() {
        const ROLE: &str = "STEADFAST_TEST_CLAIMS";
        if std::env::var_os(ROLE).is_some() {
            let claim = Claim::lay(&cpus("8001-8002")).unwrap();
            println!("\nclaimed");
            let mut line = String::new();
            io::stdin().read_line(&mut line).unwrap();
            drop(claim);
            println!("\ngiven back");
            io::stdin().read_line(&mut line).unwrap();
            return;
        }
        let name = "claim::tests::a_claim_is_seen_by_other_processes_until_its_holder_ends";
        let start = || {
            let mut other = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "--nocapture", name])
                .env(ROLE, "1")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let output = BufReader::new(other.stdout.take().unwrap()).lines();
            let mut output = output.map_while(Result::ok);
            assert!(output.any(|line| line == "claimed"));
            (other, output)
        };
        let seen = |list| claimants(&cpus(list)).unwrap();
        let (mut first, mut output) = start();
        let _own = Claim::lay(&cpus("8001")).unwrap();
        assert_eq!(seen("8000,8003"), []);
        let others = seen("8000-8001");
        assert_eq!(others.len(), 1, "a process's own claim is not another's");
        assert_eq!(others[0].process, Some(Pid::from_child(&first)));
        for (tense, verb) in [(Tense::Present, "measures on"), (Tense::Past, "measured on")] {
            let words = in_words(&others, tense);
            assert!(words.contains(&first.id().to_string()) && words.contains('`'), "{words}");
            assert!(words.contains(verb), "{words}");
        }
        writeln!(first.stdin.as_mut().unwrap()).unwrap();
        assert!(output.any(|line| line == "given back"));
        assert_eq!(seen("8001-8002"), []);
        end(&mut first);

        let [(mut killed, _output), (mut second, _other_output)] = [start(), start()];
        let both = seen("8002");
        let is_seen = |child| both.iter().any(|one| one.process == Some(Pid::from_child(child)));
        assert!(is_seen(&killed) && is_seen(&second), "neither hides the other: {both:?}");
        assert!(both.iter().all(|one| one.cpus == cpus("8002")), "{both:?}");
        end(&mut second);
        assert_eq!(seen("8002").len(), 1);
        end(&mut killed);
        assert_eq!(seen("8002"), []);
    }
}
