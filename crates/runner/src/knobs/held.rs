//! Knobs that are processes or open files, held as long as a run lasts.

use std::io;
use std::process::{Child, Stdio};

use base::{CpuSet, Nanos, Policy};
use record::Asked;
use rt::role;
use rt::stamped::StampedSocket;

/// Something that ends with the run, however the run ends. Dropping it ends it.
pub(super) enum Held {
    Socket(StampedSocket),
    Hogs(Hogs),
}

/// The positive control: a knob whose effect is known, a hog above each measured thread.
pub(super) struct Hogs {
    value: String,
    processes: Vec<Child>,
}

/// Longer than any run, so the last burst never comes.
const LONGEST: Nanos = Nanos(24 * 3_600 * 1_000_000_000);

impl Held {
    pub(super) fn socket() -> Result<Self, String> {
        StampedSocket::new().map(Self::Socket).map_err(|error| measure::reason(&error))
    }

    pub(super) fn hogs(value: &str, asked: &Asked) -> Result<Self, String> {
        let (burst, every) = knob::disturbance(value)?;
        let policy = above(asked.policy)?;
        let mut hogs = Hogs { value: value.to_owned(), processes: Vec::new() };
        for cpu in asked.cpus.iter() {
            let hog = hog(cpu, policy, burst, every).map_err(|error| error.to_string())?;
            hogs.processes.push(hog);
        }
        Ok(Self::Hogs(hogs))
    }

    /// Returns the value in force; for hogs the requested one only while every hog is alive.
    pub(super) fn read_back(&mut self) -> String {
        match self {
            Self::Socket(socket) if socket.is_stamped() => "held".to_owned(),
            Self::Socket(_) => "not held".to_owned(),
            Self::Hogs(Hogs { value, processes }) => {
                let all_live = processes.iter_mut().all(|hog| matches!(hog.try_wait(), Ok(None)));
                if all_live { value.clone() } else { "ended".to_owned() }
            }
        }
    }

    pub(super) fn before(&self) -> &'static str {
        match self {
            Self::Socket(_) => "not held",
            Self::Hogs(_) => "none",
        }
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.processes {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

/// Returns the policy one step above that of the measured threads.
fn above(policy: Policy) -> Result<Policy, String> {
    match policy {
        Policy::Other { .. } | Policy::Idle => Ok(Policy::Fifo(1)),
        Policy::Fifo(priority @ ..=98) | Policy::Rr(priority @ ..=98) => {
            Ok(Policy::Fifo(priority + 1))
        }
        _ => Err(format!("no policy has priority over {policy}")),
    }
}

fn hog(cpu: usize, policy: Policy, burst: Nanos, every: Nanos) -> io::Result<Child> {
    let mut command = role::command(role::program(), "role-hog");
    command
        .args(["steadfast-known", &policy.to_string()])
        .args([CpuSet::one(cpu).to_string(), burst.to_string()])
        .args([every.to_string(), (LONGEST.0 / every.0).to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}
