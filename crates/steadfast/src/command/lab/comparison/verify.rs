//! `steadfast lab verify`: executes the same runs in a booted machine and in one that starts from its
//! saved state, and compares every sample.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use place::{TargetError, Vm};
use record::{LabFound, RunSpec};
use serde_json::{Value, json};

use super::cells::{in_the_lab, systems};
use crate::options::JsonArgs;
use crate::options::plans::LAB_VERIFY;
use crate::startup::exit::{EXIT_INTERRUPTED, success_if};
use crate::startup::interrupt;
use crate::startup::output::{print, print_json};

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Kernels, by the names that `--target vm:KERNEL` accepts; default: all kernels of the lab
    #[arg(value_name = "KERNEL")]
    pub(crate) systems: Vec<String>,
    #[command(flatten)]
    pub(crate) answer: JsonArgs,
}

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let (specs, _) = LAB_VERIFY.round(&in_the_lab)?;
    let mut pairs = Vec::new();
    for vm in systems(&args.systems, None)? {
        let booted = made(&vm.clone().uninterrupted(), &specs);
        let (first, second) = match (booted, made(&vm, &specs)) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(TargetError::Interrupted), _) | (_, Err(TargetError::Interrupted)) => {
                return Ok(ExitCode::from(EXIT_INTERRUPTED));
            }
            (Err(why), _) | (_, Err(why)) => bail!(why),
        };
        let mut words = format!("{}\n", vm.kernel().name);
        for (spec, found) in specs.iter().zip(first.into_iter().zip(second)) {
            let (kernel, run) = (vm.kernel().name.clone(), spec.title());
            let pair = Pair { kernel, run, found: found.into() };
            words += &pair.words();
            pairs.push(pair);
        }
        if !args.answer.json {
            print(&words)?;
        }
    }
    if args.answer.json {
        let pairs: Vec<Value> = pairs.iter().map(Pair::json).collect();
        print_json(&json!({ "runs": pairs }))?;
    }
    Ok(success_if(pairs.iter().all(Pair::is_same)))
}

struct Pair {
    kernel: String,
    run: String,
    found: [LabFound; 2],
}

impl Pair {
    fn is_same(&self) -> bool {
        self.found[0] == self.found[1]
    }

    fn has_equal_setups(&self) -> bool {
        self.found[0].setup_sha256 == self.found[1].setup_sha256
    }

    fn words(&self) -> String {
        let run = &self.run;
        let [first, second] = self.found.each_ref().map(|found| &*found.samples_sha256);
        match (self.is_same(), self.has_equal_setups()) {
            (true, _) => format!("  the same   {first:.16}  {run}\n"),
            (false, true) => format!(
                "  DIFFERENT  {first:.16} and {second:.16}, although the setups are equal: {run}\n"
            ),
            (false, false) => format!("  the setups differ: {run}\n"),
        }
    }

    fn json(&self) -> Value {
        json!({
            "kernel": self.kernel,
            "run": self.run,
            "is_same": self.is_same(),
            "has_equal_setups": self.has_equal_setups(),
            "samples_sha256": self.found.each_ref().map(|found| &found.samples_sha256),
        })
    }
}

/// Returns, for each run, what decided its samples, and their hash.
fn made(vm: &Vm, specs: &[RunSpec]) -> Result<Vec<LabFound>, TargetError> {
    let mut found = Vec::new();
    let mut failure = None;
    let mut keep_going = || !interrupt::is_wanted();
    vm.sitting(specs, &mut keep_going, &mut |_, made| match made {
        Ok(arrived) => found.extend(arrived.envelope.lab.iter().map(|lab| lab.found.clone())),
        Err(why) => failure = Some(TargetError::Failed(why)),
    })?;
    failure.map_or(Ok(found), Err)
}
