//! The systems to compare.

use anyhow::{Result, bail};
use lab::{Kernel, Kernels};

/// The preemption models with which a kernel with `PREEMPT_DYNAMIC` can boot.
const MODELS: &[&str] = &["none", "voluntary", "full"];
const DYNAMIC: &str = "PREEMPT_DYNAMIC";

/// Returns the named kernels, or by default every kernel of the lab. A kernel that supports several
/// preemption models is replaced by one system for each, unless its parameters name a model.
pub(super) fn systems(named: &[String]) -> Result<Vec<Kernel>> {
    let kernels = Kernels::open()?;
    let chosen = match named {
        [] => kernels.list()?,
        named => named.iter().map(|name| kernels.find(name)).collect(),
    };
    let chosen: Vec<Kernel> = chosen.into_iter().collect::<Result<_, _>>()?;
    if chosen.is_empty() {
        bail!(
            "the lab has no kernels to compare; download two with `steadfast lab fetch debian:6.1 \
             debian:6.1-rt`"
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

/// Returns the names under which a kernel takes part.
fn variants(kernel: &Kernel) -> Vec<String> {
    let mut parameters = kernel.append.split_whitespace();
    let has_model = parameters.any(|parameter| parameter.starts_with("preempt="));
    if has_model || !kernel.version.contains(DYNAMIC) {
        return vec![kernel.name.clone()];
    }
    let named = |model| format!("{}+preempt={model}", kernel.name);
    MODELS.iter().map(named).collect()
}
