//! Which CPUs are being measured, and by whom.
//!
//! A process that measures holds a lock of fcntl(2) on one byte a CPU. The locked file is
//! the kernel's time namespace (`/proc/self/ns/time`): every process sees the same one, also
//! of another user, and in containers with mounts, networks and process numbers of their
//! own; nothing is written, and the kernel takes the locks back when their holder ends. They
//! are shared locks, for which a file need not be writable: who wants a CPU alone asks who
//! else holds one.
//!
//! Not seen are a process with a time namespace of its own, and a process by itself: its
//! threads hold locks together.

use std::ffi::c_int;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::OnceLock;
use std::{fmt, io};

use rustix::process::Pid;
use units::CpuSet;

use crate::{read, tasks, topology};

/// The CPUs that this process measures, until it is dropped or the process ends.
#[derive(Debug)]
pub struct Claim {
    cpus: CpuSet,
}

impl Claim {
    /// Claims CPUs, also those that others have claimed: [`claimants`] tells.
    ///
    /// # Errors
    /// Without /proc, and where the kernel has no time namespaces (before Linux 5.6).
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
            // The kernel has no reason to refuse, and does it at the process's end.
            let _ = lock(libc::F_SETLK, libc::F_UNLCK, cpu);
        }
    }
}

/// Another process that measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    /// Its number; `None` where this process cannot see it, as in another container.
    pub process: Option<Pid>,
    /// The CPUs on which it measures.
    pub cpus: CpuSet,
}

impl fmt::Display for Claimant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.cpus.len() == 1 { "" } else { "s" };
        let cpus = format!("measures on CPU{plural} {}", self.cpus);
        let Some(process) = self.process else {
            return write!(f, "a process that is not seen from here {cpus}");
        };
        write!(f, "process {process} {cpus}")?;
        if let Some(age) = tasks::age(process) {
            write!(f, " since {} s", age.as_secs())?;
        }
        match command_line(process) {
            Some(command) => write!(f, " (`{command}`)"),
            None => Ok(()),
        }
    }
}

/// The other processes that measure on one of the CPUs.
///
/// # Errors
/// As [`Claim::lay`].
pub fn claimants(cpus: &CpuSet) -> io::Result<Vec<Claimant>> {
    let holder = |cpu| lock(libc::F_GETLK, libc::F_WRLCK, cpu);
    let mut holders = Vec::new();
    for cpu in cpus.iter() {
        if let Some(process) = holder(cpu)?
            && !holders.contains(&process)
        {
            holders.push(process);
        }
    }
    let all = match holders.is_empty() {
        true => CpuSet::default(),
        false => topology::online().with(cpus),
    };
    let of = |process: &i32| Claimant {
        process: Pid::from_raw(*process),
        cpus: all
            .iter()
            .filter(|cpu| holder(*cpu).is_ok_and(|holder| holder == Some(*process)))
            .collect(),
    };
    Ok(holders.iter().map(of).collect())
}

/// What a runner says first where others measure on its CPUs.
pub const MEASURED_BY_OTHERS: &str = "others measure there: ";

/// Who they are, in a line.
#[must_use]
pub fn in_words(claimants: &[Claimant]) -> String {
    let words: Vec<String> = claimants.iter().map(ToString::to_string).collect();
    words.join("; ")
}

/// What was typed: the command of the process that started the one that measures.
fn command_line(process: Pid) -> Option<String> {
    const LONGEST: usize = 200;
    let started = tasks::parent_of(process).unwrap_or(process);
    let line = read::text(format!("/proc/{started}/cmdline"))?.replace('\0', " ");
    let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
    (!line.is_empty()).then(|| line.chars().take(LONGEST).collect())
}

/// Sets or asks for the lock of a CPU; the number of the process that holds another one, 0
/// where it is not seen from here.
fn lock(command: c_int, kind: c_int, cpu: usize) -> io::Result<Option<i32>> {
    /// Bytes from here on are CPUs; other programs' locks are unlikely to be here.
    const FIRST: libc::off_t = 0x5374_0000;
    let file = file()?;
    // SAFETY: every bit pattern of a `flock` is valid, zeroes too.
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

/// Open as long as the process lives: closing any descriptor of it would end all locks.
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
    use std::process::{Command, Stdio};

    /// CPUs that no machine of a test has.
    fn cpus(list: &str) -> CpuSet {
        list.parse().unwrap()
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
            let told = BufReader::new(other.stdout.take().unwrap()).lines();
            (other, told.map_while(Result::ok))
        };
        let seen = |list| claimants(&cpus(list)).unwrap();
        let (mut first, mut told) = start();
        assert!(told.any(|line| line == "claimed"));
        let _own = Claim::lay(&cpus("8001")).unwrap();
        assert_eq!(seen("8000,8003"), []);
        let others = seen("8000-8001");
        assert_eq!(others.len(), 1, "its own claim is none of another");
        assert_eq!(others[0].process, Some(Pid::from_child(&first)));
        let words = others[0].to_string();
        assert!(words.contains(&first.id().to_string()), "{words}");
        assert!(words.contains("since ") && words.contains('`'), "{words}");
        writeln!(first.stdin.as_mut().unwrap()).unwrap();
        assert!(told.any(|line| line == "given back"));
        assert_eq!(seen("8001-8002"), []);
        first.kill().unwrap();
        first.wait().unwrap();

        let (mut killed, mut told) = start();
        assert!(told.any(|line| line == "claimed"));
        assert_eq!(seen("8002").len(), 1);
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert_eq!(seen("8002"), []);
    }
}
