//! How much later than requested the kernel may end the sleeps of a thread, to end several together:
//! prctl(2), `PR_SET_TIMERSLACK`. Threads and processes inherit it. It does not apply to real-time
//! policies.

use std::io;
use std::num::NonZeroU64;

use base::{Nanos, Policy};
use rustix::thread::{current_timer_slack, set_current_timer_slack};

use crate::sched;

/// The slack of the kernel's first process, which every other one has unless a program changed it.
pub const DEFAULT: Nanos = Nanos(50_000);

/// Gives the calling thread, and what it starts from now on, this slack of at least 1 ns.
///
/// # Errors
/// `EINVAL` if it is 0; another error only if a filter refuses the call.
pub fn set(slack: Nanos) -> io::Result<()> {
    let slack = NonZeroU64::new(slack.0).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(set_current_timer_slack(Some(slack))?)
}

/// Returns the slack that applies to the calling thread; `None` under a real-time policy, and if a
/// filter refuses the call.
#[must_use]
pub fn applied() -> Option<Nanos> {
    let is_real_time = sched::policy().is_ok_and(Policy::is_real_time);
    (!is_real_time).then(current_timer_slack)?.ok().map(Nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slack_is_read_back_and_inherited() {
        std::thread::spawn(|| {
            set(Nanos(7_000)).unwrap();
            assert_eq!(applied(), Some(Nanos(7_000)));
            let inherited = std::thread::spawn(applied);
            assert_eq!(inherited.join().unwrap(), Some(Nanos(7_000)));
            assert!(set(Nanos(0)).is_err());
            if sched::set_policy(Policy::Fifo(1)).is_ok() {
                assert_eq!(applied(), None);
            }
        })
        .join()
        .unwrap();
    }
}
