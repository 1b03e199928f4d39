//! The memory map of a process: /proc/PID/maps.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub addresses: Range<u64>,
    /// Offset in the file at which the mapping begins.
    pub offset: u64,
    pub file: PathBuf,
}

/// Returns where a process has mapped the file of that name.
pub(crate) fn mapped(process: u32, name: &str) -> Option<Range<u64>> {
    addresses(maps(process).lines().find(|line| line.contains(name))?)
}

fn maps(process: u32) -> String {
    rt::read::text(format!("/proc/{process}/maps")).unwrap_or_default()
}

fn addresses(line: &str) -> Option<Range<u64>> {
    let (start, end) = line.split_whitespace().next()?.split_once('-')?;
    Some(address(start)?..address(end)?)
}

fn address(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits, 16).ok()
}

/// Returns the code of all files that a process has mapped.
pub(crate) fn code_of(process: u32) -> Vec<Code> {
    maps(process).lines().filter_map(code).collect()
}

/// Parses a line such as `7f00-7f10 r-xp 00001000 fe:00 123   /usr/lib/libplant.so`.
fn code(line: &str) -> Option<Code> {
    let (head, file) = line.split_at(line.find('/')?);
    let mut words = head.split_whitespace().skip(1);
    words.next()?.contains('x').then_some(())?;
    Some(Code {
        addresses: addresses(head)?,
        offset: address(words.next()?)?,
        file: Path::new(file).to_owned(),
    })
}

/// The memory of a process that this process watches.
pub(crate) struct Memory(File);

impl Memory {
    pub(crate) fn of(process: u32) -> io::Result<Self> {
        File::open(format!("/proc/{process}/mem")).map(Self)
    }

    /// Reads the bytes from an address, as many as there are.
    pub(crate) fn read<'a>(&self, address: u64, into: &'a mut [u8]) -> &'a [u8] {
        let read = self.0.read_at(into, address).unwrap_or(0);
        &into[..read]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_distinguished_from_data() {
        let line = "7f00-7f10 r-xp 00001000 fe:00 123   /usr/lib/lib plant.so";
        let code = code(line).unwrap();
        assert_eq!((code.addresses, code.offset), (0x7f00..0x7f10, 0x1000));
        assert_eq!(code.file, Path::new("/usr/lib/lib plant.so"));
        for line in
            ["7f00-7f10 r--p 00001000 fe:00 123 /x", "", "7f00-7f10 r-xp 0 0:0 0 [vdso]", "/"]
        {
            assert_eq!(super::code(line), None, "{line}");
        }
    }

    #[test]
    fn this_process_has_code_and_its_memory_is_read() {
        let own = std::process::id();
        let address = code_of as *const () as u64;
        assert!(code_of(own).iter().any(|code| code.addresses.contains(&address)));
        let (mut some, mut none) = ([0; 16], [0; 16]);
        let memory = Memory::of(own).unwrap();
        assert_eq!(memory.read(address, &mut some).len(), 16);
        assert_eq!(memory.read(8, &mut none).len(), 0);
    }

    #[test]
    fn odd_maps_are_read_or_refused() {
        let line = "7f00-7f10 r-xp 00001000 fe:00 123   /usr/lib/lib plant.so";
        testing::try_corpus(&[line], 3_000, |input| {
            let line = String::from_utf8_lossy(input);
            let _ = (code(&line), addresses(&line));
        });
    }
}
