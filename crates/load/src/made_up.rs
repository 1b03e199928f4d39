//! A made-up load, as `docs/add-a-load.md` shows it: bytes that a process sends to itself.

use std::io::{self, Read, Write};

use crate::Load;

/// Bytes in one unit of work, which takes about a millisecond.
const AT_ONCE: u64 = 1000;

pub(crate) const LOAD: Load = Load {
    name: "pipe",
    summary: "sends single bytes to itself through a pipe",
    unit: |_| "bytes sent",
    prepare: |_, _| {
        let failed = |error: io::Error| format!("pipe: {error}; allow more open files (ulimit -n)");
        let (mut reader, mut writer) = io::pipe().map_err(failed)?;
        Ok(Box::new(move || {
            let mut byte = [0];
            for _ in 0..AT_ONCE {
                let sent = writer.write_all(&byte);
                sent.and_then(|()| reader.read_exact(&mut byte)).map_err(failed)?;
            }
            Ok(AT_ONCE)
        }))
    },
    ..Load::PLAIN
};

#[test]
fn it_is_found_and_counts_every_byte() {
    let load = crate::find("pipe").unwrap();
    let mut work = (load.prepare)(load.usual_argument(), u64::MAX).unwrap();
    assert_eq!(work().unwrap() + work().unwrap(), 2 * AT_ONCE);
    assert_eq!((load.unit)(""), "bytes sent");
}
