//! Any stressor of stress-ng, if that is installed.

use crate::guard::Guarded;
use crate::{Argument, Load, Processes};

const PROGRAM: &str = "stress-ng";
/// Runs until it is ended, unless the user's arguments say otherwise.
const WITHOUT_END: [&str; 2] = ["--timeout", "0"];

pub(crate) const LOAD: Load = Load {
    name: PROGRAM,
    summary: "stress-ng with these arguments",
    unit: |_| "ms of CPU time",
    processes: Processes::Guard,
    argument: Some(Argument {
        name: "ARGS",
        default: None,
        help: "arguments of stress-ng, separated by blanks, up to the end of the word",
    }),
    needs: Some("the program stress-ng in PATH"),
    prepare: |argument, _| {
        let words = WITHOUT_END.into_iter().chain(argument.split_whitespace());
        let mut guarded = Guarded::start(PROGRAM, words)?;
        Ok(Box::new(move || guarded.work_since()))
    },
    ..Load::PLAIN
};
