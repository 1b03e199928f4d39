//! Names of runs.

use uuid::{NoContext, Timestamp, Uuid};

/// Returns a name that no other run has, for a run that begins at this time, in nanoseconds since 1970
/// (UTC): a UUID of version 7.
pub fn run_id(unix_ns: u64) -> String {
    let (seconds, rest) = (unix_ns / 1_000_000_000, unix_ns % 1_000_000_000);
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, rest as u32)).to_string()
}

#[cfg(test)]
mod tests {
    use super::run_id;

    #[test]
    fn runs_of_the_same_time_have_other_names_also_in_1970() {
        for time in [0, 1_764_000_000_123_456_789] {
            assert_ne!(run_id(time), run_id(time));
        }
    }
}
