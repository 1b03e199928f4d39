//! The parameters that code reads or sets, each by its own function: a misspelt name does not compile.

use base::{Nanos, Rate};

use crate::{Parameters, Value};

/// Declares, by the kind of their values, functions that read parameters.
macro_rules! parameters_read {
    ($($reader:ident -> $type:ty { $($function:ident $name:literal;)+ })+) => {
        /// What a measurement does not declare is 0 or empty.
        impl Parameters {
            $($(pub fn $function(&self) -> $type {
                self.$reader($name)
            })+)+
        }

        /// The names of these parameters, each with the kind of its values.
        pub const PARAMETERS_READ: &[(&str, &str)] = &[$($(($name, stringify!($reader)),)+)+];
    };
}

parameters_read! {
    count -> u64 {
        instances "instances";
        masses "masses";
        pages "pages";
        processes "processes";
        steps "steps";
        substeps "substeps";
        threads "threads";
        trials "trials";
    }
    number -> f64 {
        damping "damping";
        drop_height "drop";
        gravity "gravity";
        mass "mass";
        radius "radius";
        restitution "restitution";
        stiffness "stiffness";
    }
    share -> f64 {
        fill "fill";
    }
    time -> Nanos {
        medium_run "medium-run";
        period "period";
        rate_period "rate";
        shortest_gap "shortest-gap";
        spin "spin";
    }
    word -> &str {
        affinity "affinity";
        allow_inf "allow-inf";
        barrier "barrier";
        calibration "calibration";
        check "check";
        clocks "clocks";
        execution_tool "execution-tool";
        fmu "fmu";
        input "input";
        instructions "instructions";
        integrator "integrator";
        interface "interface";
        library "library";
        log "log";
        model "model";
        others "others";
        output "output";
        overrun "overrun";
        peer "peer";
        plan "plan";
        precision "precision";
        program "program";
        role "role";
        settings "set";
        solver "solver";
        source "source";
        start "start";
        tick "tick";
        timer "timer";
        warm_up "warm-up";
        watch "watch";
    }
}

macro_rules! parameters_set {
    ($($function:ident $name:literal = $kind:ident($type:ty);)+) => {
        impl Parameters {
            $(pub fn $function(&mut self, value: $type) {
                self.set($name, Value::$kind(value));
            })+
        }

        #[cfg(test)]
        const PARAMETERS_SET: &[&str] = &[$($name),+];
    };
}

parameters_set! {
    set_masses "masses" = Count(u64);
    set_rate "rate" = Rate(Rate);
    set_steps "steps" = Count(u64);
    set_threads "threads" = Count(u64);
    set_warm_up "warm-up" = Word(String);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_that_is_set_is_also_read() {
        let is_read = |name: &&str| PARAMETERS_READ.iter().any(|(read, _)| read == name);
        assert!(PARAMETERS_SET.iter().all(is_read));
    }
}
