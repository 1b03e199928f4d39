//! The table of all facts.

use super::{Fact, Unit};

macro_rules! may_be {
    () => {
        false
    };
    (null) => {
        true
    };
}

/// Declares groups of facts: constant, name, unit and meaning of each, and whether it may be null.
macro_rules! facts {
    ($($(#[$about:meta])* $group:ident {
        $($constant:ident $name:literal $unit:ident $(or $null:ident)? $meaning:literal;)*
    })*) => {
        $(
            $(
                #[doc = concat!("The fact `", $name, "`: ", $meaning, ".")]
                pub const $constant: Fact = Fact {
                    name: $name,
                    unit: Unit::$unit,
                    meaning: $meaning,
                    may_be_null: may_be!($($null)?),
                };
            )*
            $(#[$about])*
            pub const $group: &[Fact] = &[$($constant),*];
        )*

        /// All declared facts, group by group.
        pub fn all() -> impl Iterator<Item = &'static Fact> {
            [$($group),*].into_iter().flatten()
        }
    };
}

facts! {
    /// How many bursts were done and planned.
    BURSTS {
        BURSTS_MADE "bursts_made" Count "bursts done in the time given";
        BURSTS_PLANNED "bursts_planned" Count "bursts planned";
    }

    /// What happened to steps that are due once per period.
    PACE {
        OVERRUN_POLICY "overrun_policy" Text
            "reaction to a step that ended too late: catch-up, skip, slip or stop";
        OVERRUNS "overruns" Count "steps or frames that ended after the next due time";
        MISSED "missed" Count
            "deadlines missed: skipped periods, and late ends for which no period was skipped";
        SLIPPED_NS "slipped_ns" Nanoseconds "how much later than planned the last period was due";
        MISSES_LISTED "misses_listed" Count "number of entries in misses";
        MISSES "misses" List "the first misses, at most misses_listed";
    }

    /// How a run went over time, in intervals of equal length.
    OVER_TIME {
        STRIP "strip" List "shortest and longest times over time, in at most 400 intervals";
        STOLEN "stolen" List "steal time of the CPUs over time, if it was read";
    }

    /// Facts in the first row of a run with causes or disturbances.
    CAUSES {
        BLAME "blame" Record "with --blame, in the first row: what was late, and why";
        COUNTED "counted" List
            "in the first row of a run with deadlines: the latest samples, at most 8 per thread, with the causes that the kernel's counters show";
        DISTURBED "disturbed" Record
            "in a run of the self-test: what was injected, and how the measurement reported it";
    }

    /// Properties of the clock.
    CLOCK {
        STAMP_COST_NS "stamp_cost_ns" Nanoseconds "mean cost of a time stamp";
        RESOLUTION_NS "resolution_ns" Nanoseconds or null "smallest step of the clock above 0";
    }

    /// Gaps in the execution of a CPU.
    PLATFORM {
        CAUSE "cause" Text "cause to which the gaps of this row are attributed";
        OBSERVED_NS "observed_ns" Nanoseconds "time observed";
        OBSERVED_PERCENT "observed_percent" Percent "share of the run that was observed";
        TOTAL_NS "total_ns" Nanoseconds "total time of all gaps";
        SHARE_PERCENT "share_percent" Percent "share of the observed time";
        GAPS_PER_MINUTE "gaps_per_minute" PerMinute "gaps in the observed time";
    }

    /// Where a row, or its worst value, was measured.
    PLACES {
        MAX_ON "max_on" Text "CPU or thread of the largest value";
        CPUS "cpus" Text or null "CPUs of this row's thread, as 0-1,3";
    }

    /// Yields of two threads to each other.
    SWITCHES {
        YIELDS "yields" Count "yields";
        YIELDS_WITHOUT_SWITCH "yields_without_switch" Count "yields after which no other task ran";
    }

    /// Two threads at one semaphore.
    SEMAPHORES {
        WAITED "waited" Count "rounds of the literal loop that found the semaphore held and waited";
    }

    /// Facts of every contest.
    CONTESTS {
        LOCK "lock" Text "name of the lock";
        GAVE_UP "gave_up" Count "contests in which a thread gave up waiting for the lock";
    }

    /// Whether a thread of medium priority delays the high one.
    INVERSION {
        VULNERABLE "vulnerable" YesNo or null "whether the high thread waits for the medium one with this lock";
        SLOPE "slope" Ratio or null "additional nanoseconds of waiting for each additional nanosecond of the medium thread's run";
        BLOCKED_NS "blocked_ns" Nanoseconds or null "median time for which the high thread waited for the lock";
        MEDIUM_RUN_NS "medium_run_ns" Nanoseconds or null "median run time of the medium thread";
        BY_MEDIUM_RUN "by_medium_run" List "one entry for each run time of the medium thread";
    }

    /// What contention adds to the time of a lock.
    BREAK {
        BREAK_NS "break_ns" Nanoseconds or null
            "mean time to the lock under contention minus the mean without (null if no lock was granted)";
        UNCONTENDED_MEAN_NS "uncontended_mean_ns" Nanoseconds or null
            "mean time to the lock without contention";
    }

    /// Size of the messages.
    MESSAGES {
        BYTES "bytes" Bytes "size of a message";
    }

    /// The part of a transfer that is the context switch.
    SWITCH_COST {
        CONTEXT_SWITCH_NS "context_switch_ns" Nanoseconds or null
            "mean of the transfer minus mean of write and read on one task";
        SHARE_OF_TRANSFER_PERCENT "share_of_transfer_percent" Percent or null "share of the transfer that is the context switch";
    }

    /// When frames started, how long they ran, and what they did.
    FRAMES {
        FRAME_PERIOD_NS "frame_period_ns" Nanoseconds "period";
        START_DELAY_MIN_NS "start_delay_min_ns" Nanoseconds "smallest start minus due time";
        START_DELAY_MAX_NS "start_delay_max_ns" Nanoseconds "largest start minus due time";
        START_JITTER_NS "start_jitter_ns" Nanoseconds "largest minus smallest start delay";
        MIN_RUN_NS "min_run_ns" Nanoseconds "shortest run time of a frame";
        AVG_RUN_NS "avg_run_ns" Nanoseconds "mean run time of a frame";
        MAX_RUN_NS "max_run_ns" Nanoseconds "longest run time of a frame";
        RUN_MAX_AT_NS "run_max_at_ns" Nanoseconds "time from the start to the longest frame";
        RUN_JITTER_NS "run_jitter_ns" Nanoseconds "longest minus shortest run time";
        RESPONSE_MAX_NS "response_max_ns" Nanoseconds "longest time from when a frame was due to its end";
        START_PLUS_MAX_RUN_NS "start_plus_max_run_ns" Nanoseconds "start jitter plus longest run time";
        IDLE_AVERAGE_NS "idle_average_ns" Nanoseconds or null
            "mean time from a frame's end to the next due time";
        IDLE_MIN_NS "idle_min_ns" Nanoseconds or null "shortest time from a frame's end to the next due time";
        MARKS "marks" List "marks of Murray 2003, such as good_start_jitter or bad_run_jitter";
        INTEGER_ITERATIONS "integer_iterations" Count "iterations of integer work in a frame";
        FLOATING_ITERATIONS "floating_iterations" Count "iterations of floating-point work in a frame";
        INTEGER_ITERATION_NS "integer_iteration_ns" Nanoseconds "time of one iteration of integer work";
        FLOATING_ITERATION_NS "floating_iteration_ns" Nanoseconds
            "time of one iteration of floating-point work";
        BACKGROUND_TURNS "background_turns" Count
            "turns of the background thread, which uses the idle time";
        DATAGRAMS_SENT "datagrams_sent" Count "datagrams sent";
        DATAGRAMS_UNSENT "datagrams_unsent" Count "datagrams that the kernel did not take";
        DATAGRAMS_STRANGE "datagrams_strange" Count "datagrams received that are not answers";
        REPLIES_IN_TIME "replies_in_time" Count "answers received before the next frame";
        REPLIES_LATE "replies_late" Count "answers received after the start of the next frame";
        REPLIES_LOST "replies_lost" Count "answers never received";
        REPLIES_REPEATED "replies_repeated" Count "answers received more than once";
    }

    /// What happened to interrupts, including those without a measured time.
    INTERRUPTS {
        VARIATION_NS "variation_ns" Nanoseconds "largest minus smallest value";
        UNANSWERED "unanswered" Count "interrupts raised but never received";
        NOT_IN_TIME "not_in_time" Count "interrupts skipped because they were not raised in time";
        SPURIOUS "strays" Count "wake-ups for which no interrupt was raised";
        INTERRUPTS_COUNTED "interrupts" Count "interrupts counted by the kernel's handler";
        FAILURE "failure" Text "why the source ended too early";
    }

    /// What was computed, and its result.
    MODEL {
        MODE "mode" Text "real-fast or real-time";
        MODEL_NAME "model" Text "balanced or central, or the name of your own model";
        MASSES "masses" Count "masses of the ring";
        THREADS "threads" Count "number of threads";
        SOLVER "solver" Text "name of the solver";
        PRECISION "precision" Text "floating-point numbers: f64 or f32";
        SUBSTEPS "substeps" Count "internal steps that make up a step";
        CPU_TIME_NS "cpu_time_ns" Nanoseconds "CPU time of all threads";
        STATE_HASH "state_hash" Text or null "hash of the final state, sixteen hexadecimal digits";
        ENERGY_SHARE "energy_share" Ratio or null
            "mechanical energy at the end, as a share of that at the start";
        IS_EXACT "is_exact" YesNo or null "whether the solver computes the same bits as every other exact one";
    }

    /// The speed of steps that are not paced.
    THROUGHPUT {
        WALL_NS "wall_ns" Nanoseconds "time from the first start to the last end";
        STEPS_AT_ONCE "steps_at_once" Count "steps that share a time stamp";
        MASS_UPDATES_PER_S "mass_updates_per_s" PerSecond or null "masses times steps";
        ENERGY_UJ "energy_uj" Microjoules or null
            "energy that the processor used (null if it is not counted)";
    }

    /// What a paced tire does before its steps.
    WARM_UP {
        WARM_UP_NS "warm_up_ns" Nanoseconds or null
            "time that threads spent warming up for their steps instead of sleeping, summed (null without warm-up)";
    }

    /// How threads spend a step, on average.
    PHASES {
        LOCK_NS "lock_ns" Nanoseconds "mean time per step that a thread spends on semaphores";
        COMPUTE_NS "compute_ns" Nanoseconds "mean time per step in which a thread computes forces";
        INTEGRATE_NS "integrate_ns" Nanoseconds "mean time per step in which a thread integrates";
        WAIT_NS "wait_ns" Nanoseconds "mean time per step for which a thread waits for others";
        IDLE_NS "idle_ns" Nanoseconds "mean time per step in which a thread has nothing to do";
    }

    /// Facts of steps with due times, in addition to their phases.
    STEPS {
        STEP_RUN_NS "step_run_ns" Nanoseconds or null "mean time from a step's first start to its last end";
        STAMPS_SHARE "stamps_share" Ratio or null "share of a step that taking time stamps costs, 0 to 1";
        PHASES_NOT_KEPT "phases_not_kept" Count or null
            "phases of later steps, beyond the stamps that are kept of a thread; means are those of the steps before (null without phases)";
        TIMELINE "timeline" List or null "what every thread did around the worst step (else null)";
    }

    /// What your own model is, and how its steps went.
    OWN_MODEL {
        INSTANCES "instances" Count "instances of the model";
        INTERFACE "interface" Text "how the model is stepped";
        INPUTS_NS "inputs_ns" Nanoseconds or null "mean time per step in which inputs are set";
        CALL_NS "call_ns" Nanoseconds or null "mean time per step in which the model computes";
        OUTPUTS_NS "outputs_ns" Nanoseconds or null "mean time per step in which outputs are read";
        INSTANTIATE_NS "instantiate_ns" Nanoseconds or null
            "time to load the model and create the instances of the slowest thread";
        INITIALISE_NS "initialise_ns" Nanoseconds or null
            "time to initialise the instances of the slowest thread";
        FIRST_STEP_NS "first_step_ns" Nanoseconds or null
            "time of the slowest thread's first step, before the measured steps";
        SWITCHES_NS "switches_ns" Nanoseconds or null
            "median time of an empty request to the model's process (null without such a process)";
        NOT_MADE "not_made" Count or null
            "steps that the model did not make as requested: discarded, returned early, or ended at another time; they count as missed (null in scheduled execution and in earlier recordings)";
        OWN_STEP_NS "own_step_ns" Nanoseconds or null
            "the model's own step, if the requested one is not a multiple of it (else null)";
        DISCARDED "discarded" Count or null "steps that the model discarded (null in scheduled execution)";
        EARLY_RETURNS "early_returns" Count or null "steps that ended before the requested time (null in scheduled execution)";
        OTHER_TIMES "other_times" Count or null "steps whose last successful time was not the requested time (null in scheduled execution)";
        EVENTS "events" Count "events handled";
        LOG_LINES "log_lines" Count "lines logged by the model";
        MODEL_WARNINGS "model_warnings" Count or null
            "calls of the model that returned a warning (null in earlier recordings)";
        MODEL_THREADS "model_threads" Count or null
            "threads that the model had started and not ended after the last step (null in scheduled execution in earlier recordings)";
        MODEL_THREADS_AT "model_threads_at" List or null
            "where the model's own threads could run: policy, CPUs, how many, and whether all these CPUs have steps (absent in earlier recordings)";
        TEXTS_CUT "texts_cut" Count or null
            "texts and binary outputs that were longer than the 64 bytes of each that are recorded (null if none are recorded)";
        OUTPUTS_OVER_TIME "outputs_over_time" List
            "recorded outputs over time, at most 12, in at most 400 intervals (absent if not recorded)";
        CHECKED "checked" Record or null
            "how the recorded outputs compare with those of --check (null without it, absent if not recorded)";
        OUTPUT_HASH "output_hash" Text or null
            "hash of all outputs of all measured steps, sixteen hexadecimal digits";
    }

    /// What a member of a mix is, and how long its steps take.
    MIX {
        MEMBER "member" Text "name of the member";
        MEMBER_POLICY "member_policy" Text "policy of the member's threads";
        MEMBER_CPUS "member_cpus" Text "CPUs of the member's threads, in turn";
        MEMBER_PERIOD_NS "member_period_ns" Nanoseconds "period of the member";
        STEP_RUN_MAX_NS "step_run_max_ns" Nanoseconds or null
            "longest time from a step's first start to its last end";
        STEP_COST_NS "step_cost_ns" Nanoseconds or null "median CPU time of a step in a thread";
        STEP_COST_MAX_NS "step_cost_max_ns" Nanoseconds or null "longest CPU time of a step in a thread";
        START_LATE_MAX_NS "start_late_max_ns" Nanoseconds or null "longest time from due to a step's start";
        AGES "ages" List "how old inputs from others were when they were used, one entry for each source";
        BEST_EFFORT "best_effort" YesNo "whether the member has no deadlines";
        LIMIT_PERCENT "limit_percent" Percent or null "share of its CPU that a best-effort member may use";
        STEPS_PER_S "steps_per_s" PerSecond "steps of a best-effort member";
        CPU_SHARE "cpu_share" Ratio or null
            "CPU time of a best-effort member's thread as a share of the run (null for other members)";
    }

    /// What happened to the pictures of a run that is watched.
    VIEWER {
        WATCHED_AT "watched_at" Text "address of the viewer";
        FRAMES_DUE "frames_due" Count "pictures for the viewer that were due";
        FRAMES_SENT "frames_sent" Count "pictures for the viewer that were sent";
        FRAMES_REFUSED "frames_refused" Count "pictures for the viewer that the kernel did not take";
        FRAMES_DROPPED "frames_dropped" Count
            "pictures for the viewer that were due but neither sent nor refused";
    }

    /// The limits of the arithmetic units.
    CEILING {
        KIND "kind" Text "arithmetic or memory";
        INSTRUCTIONS "instructions" Text or null "instruction set of the vectors (null without vectors)";
        MULTIPLICATIONS_A_MASS "multiplications_a_mass" Ratio
            "multiplications and fused multiply-adds per mass and step";
    }

    /// What the file of another tool states about a row.
    IMPORTED {
        FILE_SAMPLES "file_samples" Count or null "samples, as the file states them (null if it does not)";
        FILE_MIN_NS "file_min_ns" Nanoseconds "smallest value, as the file states it";
        FILE_MEAN_NS "file_mean_ns" Nanoseconds "mean, as the file states it";
        FILE_MAX_NS "file_max_ns" Nanoseconds "largest value, as the file states it";
        FILE_BINS "file_bins" List "bins of the file's histogram: value of each in nanoseconds, and its count";
        BIN_WIDTH_NS "bin_width_ns" Nanoseconds "width of a bin of the file's histogram";
        BEYOND_BINS "beyond_bins" Count or null "samples above the file's histogram (null if the file does not state them)";
        BEYOND_AT "beyond_at" List "cycles of samples above the file's histogram, as far as the file lists them";
        FILE_OVERRUNS "file_overruns" Count "overruns, as the file states them";
        FILE_MODE_SWITCHES "file_mode_switches" Count "mode switches, as the file states them";
        FILE_EXCEEDING "file_exceeding" Count "samples above the threshold, as the file states them";
        FILE_SENT "file_sent" Count "frames sent, as the file states them";
        FILE_OUTLIERS "file_outliers" Count "times longer than one cycle, or a round trip longer than two, as the file states them";
    }

    /// The limits of the memory.
    CEILING_MEMORY {
        BUFFER_BYTES "buffer_bytes" Bytes "memory swept";
        CACHE_BYTES "cache_bytes" Bytes "caches of the CPUs in use";
        BYTES_A_MASS "bytes_a_mass" Bytes "data read and written per mass in one pass over memory";
        BYTES_PER_S "bytes_per_s" PerSecond "bytes read and written";
    }
}
