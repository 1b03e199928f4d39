//! The preemption models that a kernel without a real-time core beside it can have.

/// Models by the option of the kernel's build that makes each the one without a parameter at boot.
const BUILT: [(&str, &str); 4] = [
    ("CONFIG_PREEMPT_NONE", "none"),
    ("CONFIG_PREEMPT_VOLUNTARY", "voluntary"),
    ("CONFIG_PREEMPT_LAZY", "lazy"),
    ("CONFIG_PREEMPT", "full"),
];
/// The first release with the model `lazy` (7c70cb94d29c).
const WITH_LAZY: [u32; 2] = [6, 13];
/// The first release that has only `full` and `lazy` where it has `lazy` (7dadeaa6e851).
const WITHOUT_NONE: [u32; 2] = [7, 0];

/// How a kernel was built, as far as it is known.
pub struct Build<'a> {
    /// The release, as `uname -r` prints it.
    pub release: &'a str,
    /// The version with the marks of the build, as `uname -v` prints it.
    pub version: &'a str,
    /// Returns the value of an option, `n` if it is not set; `None` if the configuration is
    /// unknown.
    pub option: &'a dyn Fn(&str) -> Option<String>,
}

impl Build<'_> {
    /// Returns the models of which `preempt=` chooses one at boot, least preemptible first; none if
    /// the kernel has only one model (`sched_dynamic_mode` in its `kernel/sched/core.c`).
    #[must_use]
    pub fn models(&self) -> Vec<&'static str> {
        let is = |mark: &str| {
            let mut marks = self.version.split_whitespace();
            marks.any(|word| word == mark) || self.has(&format!("CONFIG_{mark}")) == Some(true)
        };
        if !is("PREEMPT_DYNAMIC") {
            return Vec::new();
        }
        let lazy = ["CONFIG_ARCH_HAS_PREEMPT_LAZY", "CONFIG_PREEMPT_LAZY"];
        let lazy = lazy.into_iter().filter_map(|option| self.has(option));
        let has_lazy = lazy.reduce(|one, other| one || other);
        let has_lazy = has_lazy.unwrap_or_else(|| self.is_at_least(WITH_LAZY));
        let is_real_time = is("PREEMPT_RT");
        let has_none = match has_lazy {
            true => !is_real_time && !self.is_at_least(WITHOUT_NONE),
            false => !(is_real_time && self.is_at_least(WITH_LAZY)),
        };
        let models = [("none", has_none), ("voluntary", has_none), ("lazy", has_lazy)];
        let models = models.into_iter().chain([("full", true)]);
        models.filter_map(|(model, has)| has.then_some(model)).collect()
    }

    /// Returns the model that the kernel has without a parameter at boot; `None` if it is unknown.
    #[must_use]
    pub fn model(&self) -> Option<&'static str> {
        BUILT.into_iter().find_map(|(option, model)| self.has(option)?.then_some(model))
    }

    fn has(&self, option: &str) -> Option<bool> {
        Some((self.option)(option)? == "y")
    }

    fn is_at_least(&self, first: [u32; 2]) -> bool {
        let mut numbers = self.release.split(|c: char| !c.is_ascii_digit());
        let mut number = || numbers.next().and_then(|digits| digits.parse().ok()).unwrap_or(0);
        [number(), number()] >= first
    }
}

/// Returns the models that a dynamic kernel lists in `/sys/kernel/debug/sched/preempt`, where the
/// active one is in parentheses: `full (lazy)`.
#[must_use]
pub fn listed(text: &str) -> Vec<&str> {
    text.split_whitespace().map(|word| word.trim_matches(['(', ')'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DYNAMIC: &str = "#1 SMP PREEMPT_DYNAMIC Debian";

    fn models(release: &str, version: &str, options: Option<&[&str]>) -> String {
        let option = |name: &str| {
            let value = if options?.contains(&name) { "y" } else { "n" };
            Some(value.to_owned())
        };
        Build { release, version, option: &option }.models().join(" ")
    }

    #[test]
    fn models_follow_from_release_and_marks() {
        for (release, version, expected) in [
            ("6.1.0-56-amd64", DYNAMIC, "none voluntary full"),
            ("6.12.9+deb13-amd64", DYNAMIC, "none voluntary full"),
            ("6.13.1", DYNAMIC, "none voluntary lazy full"),
            ("7.0", DYNAMIC, "lazy full"),
            ("7.3-amd64", DYNAMIC, "lazy full"),
            ("10.0.1", DYNAMIC, "lazy full"),
            ("6.1.0-56-rt-amd64", "#1 SMP PREEMPT_RT Debian", ""),
            ("7.3-rt-amd64", "#1 SMP PREEMPT_RT Debian", ""),
            ("6.1.0", "#1 SMP", ""),
            ("", DYNAMIC, "none voluntary full"),
        ] {
            assert_eq!(models(release, version, None), expected, "{release}");
        }
    }

    #[test]
    fn the_configuration_decides_what_marks_do_not_say() {
        const LAZY: &str = "CONFIG_ARCH_HAS_PREEMPT_LAZY";
        const OF_DYNAMIC: &str = "CONFIG_PREEMPT_DYNAMIC";
        let real_time = ["CONFIG_PREEMPT_RT", OF_DYNAMIC, LAZY];
        for (release, options, expected) in [
            ("7.2.13+deb14-rt-amd64", &real_time[..], "lazy full"),
            ("6.14", &real_time, "lazy full"),
            ("7.2.13+deb14-rt-amd64", &["CONFIG_PREEMPT_RT", LAZY], ""),
            ("7.2.13", &[OF_DYNAMIC], "none voluntary full"),
            ("7.2.13", &[OF_DYNAMIC, LAZY], "lazy full"),
            ("6.14", &[OF_DYNAMIC, LAZY], "none voluntary lazy full"),
            ("7.2.13", &[LAZY, "CONFIG_PREEMPT_LAZY"], ""),
        ] {
            assert_eq!(models(release, "", Some(options)), expected, "{release} {options:?}");
        }
    }

    #[test]
    fn the_model_without_a_parameter_is_the_built_one() {
        let model = |built: Option<&str>| {
            let option = |name: &str| Some(if name == built? { "y" } else { "n" }.to_owned());
            Build { release: "", version: "", option: &option }.model()
        };
        assert_eq!(model(Some("CONFIG_PREEMPT_LAZY")), Some("lazy"));
        assert_eq!(model(Some("CONFIG_PREEMPT")), Some("full"));
        assert_eq!([model(Some("CONFIG_HZ")), model(None)], [None, None]);
    }

    #[test]
    fn the_kernels_own_list_is_read() {
        assert_eq!(listed("none voluntary (full)\n"), ["none", "voluntary", "full"]);
        assert_eq!(listed("full (lazy) \n"), ["full", "lazy"]);
    }
}
