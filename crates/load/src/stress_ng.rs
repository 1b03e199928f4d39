//! Any stressor of stress-ng, where it is installed.

use crate::guard::Guarded;
use crate::{Argument, Load, Processes, Work};

pub(crate) struct StressNg;

const PROGRAM: &str = "stress-ng";
/// It runs until it is ended, unless its own arguments say otherwise.
const WITHOUT_END: [&str; 2] = ["--timeout", "0"];

impl Load for StressNg {
    fn name(&self) -> &'static str {
        PROGRAM
    }

    fn summary(&self) -> &'static str {
        "stress-ng with these arguments, in a directory of its own that is removed with it"
    }

    fn unit(&self, _argument: &str) -> &'static str {
        "ms of CPU time"
    }

    fn processes(&self) -> Processes {
        Processes::Guard
    }

    fn argument(&self) -> Option<Argument> {
        Some(Argument {
            name: "ARGS",
            default: None,
            help: "arguments of stress-ng, separated by blanks, up to the end of the word",
        })
    }

    fn needs(&self) -> Option<&'static str> {
        Some("the program stress-ng in PATH")
    }

    fn prepare(&self, argument: &str, _granted: u64) -> Result<Work, String> {
        let words = WITHOUT_END.into_iter().chain(argument.split_whitespace());
        let mut guarded = Guarded::start(PROGRAM, words)?;
        Ok(Box::new(move || guarded.work_since()))
    }
}
