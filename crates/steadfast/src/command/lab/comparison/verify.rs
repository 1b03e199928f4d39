//! `steadfast lab verify`: executes the same runs twice and compares every sample.

use std::process::ExitCode;

use anyhow::{Result, bail};
use lab::{Kernel, Qemu};
use plan::{LabFound, RunSpec};
use target::{TargetError, Vm};

use super::super::args::VerifyArgs;
use super::systems::systems;
use crate::exit::{EXIT_FAILED, EXIT_INTERRUPTED};
use crate::interrupt;
use crate::output::print;
use crate::plans::LAB_VERIFY;

/// Executes the same runs in two machines of each kernel and compares what they recorded.
pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    let qemu = Qemu::find()?;
    let (specs, _) = LAB_VERIFY.round(&super::cells::in_the_lab)?;
    let mut differs = false;
    for system in systems(&args.systems)? {
        let vm = Vm::new(qemu.clone(), system.clone());
        let once = || made(&vm, &specs);
        let (first, second) = match (once(), once()) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(TargetError::Interrupted), _) | (_, Err(TargetError::Interrupted)) => {
                return Ok(ExitCode::from(EXIT_INTERRUPTED));
            }
            (Err(why), _) | (_, Err(why)) => bail!(why),
        };
        differs |= first != second;
        print(&comparison(&system, &specs, &first, &second))?;
    }
    Ok(match differs {
        true => ExitCode::from(EXIT_FAILED),
        false => ExitCode::SUCCESS,
    })
}

/// Returns, for each run, what decided its samples, and their hash.
fn made(vm: &Vm, specs: &[RunSpec]) -> Result<Vec<LabFound>, TargetError> {
    let mut found = Vec::new();
    let mut failure = None;
    let mut keep_going = || !interrupt::is_wanted();
    vm.sitting(specs, &mut keep_going, &mut |_, made| match made {
        Ok(arrived) => found.extend(arrived.envelope().lab.iter().map(|lab| lab.found.clone())),
        Err(why) => failure = Some(TargetError::Failed(why)),
    })?;
    failure.map_or(Ok(found), Err)
}

fn comparison(system: &Kernel, specs: &[RunSpec], one: &[LabFound], other: &[LabFound]) -> String {
    let mut text = format!("{}\n", system.name);
    for ((spec, one), other) in specs.iter().zip(one).zip(other) {
        let (first, second) = (short(&one.samples_sha256), short(&other.samples_sha256));
        text += &match (one == other, one.setup_sha256 == other.setup_sha256) {
            (true, _) => format!("  the same   {first}  {}\n", spec.title()),
            (false, true) => {
                format!(
                    "  DIFFERENT  {first} and {second}, although the setups are equal: {}\n",
                    spec.title()
                )
            }
            (false, false) => format!("  the setups differ: {}\n", spec.title()),
        };
    }
    text
}

/// Returns enough of a hash to distinguish it from others.
fn short(hash: &str) -> &str {
    &hash[..hash.len().min(16)]
}
