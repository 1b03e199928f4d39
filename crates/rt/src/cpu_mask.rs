//! The kernel's masks of CPUs, of whatever size the running kernel has: sched_setaffinity(2). The
//! usual type has 1024 bits, and the kernel refuses a buffer that is smaller than its own mask.

use std::io;
use std::mem::size_of_val;

use base::CpuSet;
use rustix::process::Pid;

use crate::driver;

const BITS: usize = usize::BITS as usize;

/// Words of the smallest buffer that is tried: 1024 CPUs.
const USUAL_WORDS: usize = 1024 / BITS;

/// Words of the largest one: 65,536 CPUs, eight times what any kernel supports.
const MOST_WORDS: usize = 65_536 / BITS;

/// Returns the set as the words of a mask, as many as its highest CPU needs.
fn words_of(cpus: &CpuSet) -> Vec<usize> {
    let mut words = vec![0; USUAL_WORDS];
    for cpu in cpus.iter() {
        let word = cpu / BITS;
        if word >= words.len() {
            words.resize(word + 1, 0);
        }
        words[word] |= 1 << (cpu % BITS);
    }
    words
}

fn set_of(words: &[usize]) -> CpuSet {
    let is_set = |cpu: &usize| words[cpu / BITS] & 1 << (cpu % BITS) != 0;
    (0..words.len() * BITS).filter(is_set).collect()
}

/// Confines a task to these CPUs; `None` is the calling thread.
///
/// # Errors
/// `EINVAL` if none of them is online and inside the task's cpuset, `EPERM`, `ESRCH`.
pub(crate) fn set(task: Option<Pid>, cpus: &CpuSet) -> io::Result<()> {
    if cpus.iter().any(|cpu| cpu >= MOST_WORDS * BITS) {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    let words = words_of(cpus);
    let (task, bytes) = (Pid::as_raw(task), size_of_val(&*words));
    // SAFETY: the call only reads `bytes` bytes of `words`, which has as many.
    let result = unsafe { libc::syscall(libc::SYS_sched_setaffinity, task, bytes, words.as_ptr()) };
    driver::checked(result as libc::c_int)
}

/// Returns the CPUs of a task; `None` is the calling thread.
///
/// # Errors
/// `ESRCH` if it has ended.
pub(crate) fn read(task: Option<Pid>) -> io::Result<CpuSet> {
    read_by(|words| {
        let (task, bytes) = (Pid::as_raw(task), size_of_val(words));
        let place = words.as_mut_ptr();
        // SAFETY: the call writes at most `bytes` bytes of `words`, which has as many.
        let result = unsafe { libc::syscall(libc::SYS_sched_getaffinity, task, bytes, place) };
        driver::checked(result as libc::c_int)
    })
}

/// Reads with a larger buffer as long as the kernel's mask does not fit.
fn read_by(mut fill: impl FnMut(&mut [usize]) -> io::Result<()>) -> io::Result<CpuSet> {
    let mut words = vec![0; USUAL_WORDS];
    loop {
        match fill(&mut words) {
            Ok(()) => return Ok(set_of(&words)),
            Err(error) if error.raw_os_error() != Some(libc::EINVAL) => return Err(error),
            Err(error) if words.len() >= MOST_WORDS => return Err(error),
            Err(_) => words.resize(words.len() * 2, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_any_size_is_the_same_after_it_was_a_mask() {
        for text in ["0", "63-64", "0,1023", "1024", "1-3,2047,8191"] {
            let cpus: CpuSet = text.parse().unwrap();
            let words = words_of(&cpus);
            assert!(words.len() >= USUAL_WORDS);
            assert_eq!(set_of(&words), cpus);
        }
    }

    #[test]
    fn a_kernel_with_a_larger_mask_is_asked_with_a_larger_buffer() {
        let mut asked = Vec::new();
        let kernel_has = 2048 / BITS;
        let found = read_by(|words| {
            asked.push(words.len());
            if words.len() < kernel_has {
                return Err(io::Error::from_raw_os_error(libc::EINVAL));
            }
            words[kernel_has - 1] = 1 << (BITS - 1);
            Ok(())
        });
        assert_eq!(found.unwrap(), CpuSet::one(2047));
        assert_eq!(asked, [USUAL_WORDS, kernel_has]);
        let refused = read_by(|_| Err(io::Error::from_raw_os_error(libc::EINVAL)));
        assert!(refused.is_err());
    }
}
