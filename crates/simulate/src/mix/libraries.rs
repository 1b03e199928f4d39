//! Members that are libraries, of which a process loads each file once.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;

use record::{Member, NOWHERE};

use crate::own_model::NAME;

/// Refuses two members of one library, which would share its variables. An FMU is unpacked for each
/// member.
pub(super) fn expect_separate(members: &[Member]) -> Result<(), String> {
    let mut known: HashMap<(u64, u64), &str> = HashMap::new();
    for member in members.iter().filter(|member| member.run.measurement == NAME) {
        let path = member.run.parameters.library();
        // A file that cannot be read is refused elsewhere.
        let Some(file) = fs::metadata(path).ok().filter(|_| path != NOWHERE) else {
            continue;
        };
        if let Some(other) = known.insert((file.dev(), file.ino()), &member.name) {
            return Err(format!(
                "{}: --library: {path} is also the library of {other}, and both would share its variables; \
                 use a copy that differs (cp A.so B.so; echo >> B.so)",
                member.name
            ));
        }
    }
    Ok(())
}
