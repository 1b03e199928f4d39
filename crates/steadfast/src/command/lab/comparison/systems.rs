//! The systems that are compared.

use anyhow::{Result, bail};
use lab::{Kernel, Kernels};

/// The preemption models that one kernel with `PREEMPT_DYNAMIC` can be booted with.
const MODELS: &[&str] = &["none", "voluntary", "full"];
const DYNAMIC: &str = "PREEMPT_DYNAMIC";

/// The kernels named, else every kernel of the lab; one that knows several preemption
/// models stands for each of them, unless one is named.
pub(super) fn systems(named: &[String]) -> Result<Vec<Kernel>> {
    let kernels = Kernels::open()?;
    let chosen = match named {
        [] => kernels.list()?,
        named => named.iter().map(|name| kernels.find(name)).collect(),
    };
    let chosen: Vec<Kernel> = chosen.into_iter().collect::<Result<_, _>>()?;
    if chosen.is_empty() {
        bail!(
            "the lab has no kernels to compare yet; `steadfast lab fetch debian:6.1 \
             debian:6.1-rt` gets two"
        );
    }
    let mut names = Vec::new();
    for name in chosen.iter().flat_map(variants) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let systems = names.iter().map(|name| kernels.find(name));
    Ok(systems.collect::<Result<_, _>>()?)
}

/// The names under which a kernel takes part.
fn variants(kernel: &Kernel) -> Vec<String> {
    let mut parameters = kernel.append.split_whitespace();
    let told = parameters.any(|parameter| parameter.starts_with("preempt="));
    if told || !kernel.version.contains(DYNAMIC) {
        return vec![kernel.name.clone()];
    }
    let named = |model| format!("{}+preempt={model}", kernel.name);
    MODELS.iter().map(named).collect()
}
