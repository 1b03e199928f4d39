//! The preemption model of a machine, and those that its kernel can have.

use record::Machine;
use rt::preemption::Build;

use crate::{Tree, Unfiled};

/// Returns the preemption model: the name of the real-time core if it serves measured code; `rt` on
/// a PREEMPT_RT kernel; else the active model of a dynamic kernel, or `dynamic` if it is unknown;
/// else what the kernel's build says.
pub(crate) fn active(tree: &Tree, unfiled: &Unfiled, machine: &Machine) -> String {
    if let Some(core) = &unfiled.core_beside_linux {
        return core.clone();
    }
    let version = &machine.kernel_version;
    let has = |mark: &str| version.split_whitespace().any(|word| word == mark);
    let is_real_time = tree.value("/sys/kernel/realtime").seen() == Some(1);
    // Kernels before 5.4 print it as two words.
    if is_real_time || has("PREEMPT_RT") || version.contains(" PREEMPT RT ") {
        return "rt".to_owned();
    }
    if let Some(active) = tree.bracketed("/sys/kernel/debug/sched/preempt", '(') {
        return active;
    }
    let model = match requested_model(machine) {
        Some(model) => model,
        None if has("PREEMPT_DYNAMIC") => "dynamic",
        None if has("PREEMPT") => model_at_boot(machine).unwrap_or("full"),
        None if version.is_empty() => "",
        None => "none or voluntary",
    };
    model.to_owned()
}

/// Returns the models of which `preempt=` chooses one at boot.
pub(crate) fn models(machine: &Machine) -> Vec<&'static str> {
    of_build(machine).0
}

/// Returns the model that a kernel without PREEMPT_RT has without a parameter at boot; `None` if
/// its configuration is unknown.
#[must_use]
pub fn model_at_boot(machine: &Machine) -> Option<&'static str> {
    of_build(machine).1
}

/// Returns the model that was requested at boot, if the kernel has it. Of several, the last counts.
#[must_use]
pub fn requested_model(machine: &Machine) -> Option<&'static str> {
    let models = models(machine);
    let mut requested = requests(machine).into_iter().rev();
    requested.find_map(|asked| models.iter().copied().find(|model| *model == asked))
}

/// Returns the last model that was requested at boot and that the kernel does not have.
pub(crate) fn refused_model(machine: &Machine) -> Option<&str> {
    let models = models(machine);
    requests(machine).into_iter().rfind(|asked| !models.contains(asked))
}

fn requests(machine: &Machine) -> Vec<&str> {
    let words = machine.command_line.split_whitespace();
    words.filter_map(|word| word.strip_prefix("preempt=")).collect()
}

/// Returns the models that a kernel has, and the one that it has without a parameter.
fn of_build(machine: &Machine) -> (Vec<&'static str>, Option<&'static str>) {
    let options = machine.installation.as_ref().map(|system| &system.kernel_options);
    let option = |name: &str| options?.get(name).cloned();
    let (release, version) = (&machine.kernel_release, &machine.kernel_version);
    let build = Build { release, version, option: &option };
    (build.models(), build.model())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(release: &str, command_line: &str) -> Machine {
        Machine {
            kernel_release: release.to_owned(),
            kernel_version: "#1 SMP PREEMPT_DYNAMIC".to_owned(),
            command_line: command_line.to_owned(),
            ..Machine::default()
        }
    }

    #[test]
    fn only_a_model_that_the_kernel_has_was_taken() {
        for (release, line, requested, refused) in [
            ("6.1.0", "quiet preempt=none", Some("none"), None),
            ("6.1.0", "preempt=full preempt=lazy", Some("full"), Some("lazy")),
            ("7.2.13", "preempt=none", None, Some("none")),
            ("7.2.13", "preempt=lazy preempt=full quiet", Some("full"), None),
            ("7.2.13", "quiet", None, None),
        ] {
            let machine = machine(release, line);
            let found = (requested_model(&machine), refused_model(&machine));
            assert_eq!(found, (requested, refused), "{release} {line}");
        }
    }

    #[test]
    fn a_kernel_with_one_model_is_labelled_by_its_build() {
        let unfiled = Unfiled::default();
        let label = |version: &str, line: &str, built: &[&str]| {
            let kernel_options =
                built.iter().map(|name| ((*name).to_owned(), "y".to_owned())).collect();
            let installation = record::Installation { kernel_options, ..Default::default() };
            let machine = Machine {
                kernel_version: version.to_owned(),
                installation: Some(installation),
                ..machine("7.2.13", line)
            };
            active(&Tree::nowhere(), &unfiled, &machine)
        };
        assert_eq!(label("#1 SMP PREEMPT", "", &["CONFIG_PREEMPT_LAZY"]), "lazy");
        assert_eq!(label("#1 SMP PREEMPT", "preempt=none", &["CONFIG_PREEMPT"]), "full");
        assert_eq!(label("#1 SMP PREEMPT", "", &[]), "full");
        assert_eq!(label("#1 SMP PREEMPT_DYNAMIC", "preempt=none", &[]), "dynamic");
        assert_eq!(label("#1 SMP PREEMPT_DYNAMIC", "preempt=lazy", &[]), "lazy");
        assert_eq!(label("#1 SMP PREEMPT_RT", "preempt=lazy", &[]), "rt");
        assert_eq!(label("#1 SMP", "", &[]), "none or voluntary");
    }
}
