//! Memory load: uses the bandwidth between the last-level cache and the memory.

use std::hint::black_box;

use crate::kind::{MIB, last_cache};
use crate::{Load, enough_memory};

/// MiB read and written per unit of work.
const AT_ONCE: usize = 4;

pub(crate) const LOAD: Load = Load {
    name: "memory",
    summary: "reads and writes a buffer of twice the last-level cache, from end to end",
    unit: |_| "MiB read and written",
    prepare: |_, granted| {
        let mut buffer = vec![1_u64; buffer_mib(granted)? * MIB];
        let mut place = 0;
        Ok(Box::new(move || {
            let part = &mut buffer[place..place + AT_ONCE * MIB];
            for number in part.iter_mut() {
                *number = number.wrapping_add(1);
            }
            black_box(part);
            place = (place + AT_ONCE * MIB) % buffer.len();
            Ok(AT_ONCE as u64)
        }))
    },
    ..Load::PLAIN
};

/// A process's buffer in MiB: a multiple of what is touched at once, within what is granted.
fn buffer_mib(granted: u64) -> Result<usize, String> {
    let wanted = 2 * last_cache();
    enough_memory("memory", wanted, " to exceed the last-level cache", granted)?;
    Ok(((wanted >> 20) as usize).next_multiple_of(AT_ONCE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    #[test]
    fn a_process_takes_what_it_needs_or_reports_what_it_lacks() {
        let size = buffer_mib(u64::MAX).unwrap();
        assert!(size > 0 && size.is_multiple_of(AT_ONCE));
        assert_eq!(buffer_mib((size as u64) << 20), Ok(size));
        refuses(buffer_mib(0), "fewer CPUs");
    }
}
