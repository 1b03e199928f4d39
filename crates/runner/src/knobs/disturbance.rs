//! The positive control: a knob whose effect is known, a hog above each measured thread.

use std::io;
use std::process::{Child, Stdio};

use plan::Asked;
use rt::role;
use units::{CpuSet, Nanos, Policy};

pub(super) struct Disturbance {
    value: String,
    hogs: Vec<Child>,
}

/// Longer than any run, so the last burst never comes.
const LONGEST: Nanos = Nanos(24 * 3_600 * 1_000_000_000);

impl Disturbance {
    pub(super) fn start(value: &str, asked: &Asked) -> Result<Self, String> {
        let (burst, every) = knob::disturbance(value)?;
        let policy = above(asked.policy)?;
        let mut disturbance = Self { value: value.to_owned(), hogs: Vec::new() };
        for cpu in asked.cpus.iter() {
            let hog = start_on(cpu, policy, burst, every).map_err(|error| error.to_string())?;
            disturbance.hogs.push(hog);
        }
        Ok(disturbance)
    }

    /// Returns the value in force: the requested one while every hog is alive, otherwise `ended`.
    pub(super) fn read_back(&mut self) -> String {
        let all_live = self.hogs.iter_mut().all(|hog| matches!(hog.try_wait(), Ok(None)));
        if all_live { self.value.clone() } else { "ended".to_owned() }
    }
}

impl Drop for Disturbance {
    fn drop(&mut self) {
        for hog in &mut self.hogs {
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

fn start_on(cpu: usize, policy: Policy, burst: Nanos, every: Nanos) -> io::Result<Child> {
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
