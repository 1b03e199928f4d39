//! Models: what was computed, how fast, and how its steps went; and what the machine allows.

use super::facts;

facts! {
    /// What was computed, and what came out.
    MODEL;
    MODE "mode" Text "real-fast or real-time";
    MODEL_NAME "model" Text "balanced or central, or the name of a person's own";
    MASSES "masses" Count "masses of the ring";
    THREADS "threads" Count "number of threads";
    SOLVER "solver" Text "name of the solver";
    PRECISION "precision" Text "floating-point numbers: f64 or f32";
    SUBSTEPS "substeps" Count "internal steps that make up a step";
    CPU_TIME_NS "cpu_time_ns" Nanoseconds "CPU time of all threads";
    STATE_HASH "state_hash" Text "hash of the final state, sixteen hexadecimal digits";
    ENERGY_SHARE "energy_share" Ratio
        "mechanical energy at the end, as a share of that at the start";
    IS_EXACT "is_exact" YesNo "whether the solver computes the same bits as every other exact one";
}

facts! {
    /// How fast steps are that nothing waits for.
    THROUGHPUT;
    WALL_NS "wall_ns" Nanoseconds "time from the first start to the last end";
    STEPS_AT_ONCE "steps_at_once" Count "steps that share a time stamp";
    MASS_UPDATES_PER_S "mass_updates_per_s" PerSecond "masses times steps";
    ENERGY_UJ "energy_uj" Microjoules
        "energy that the processor used (null where it is not counted)";
}

facts! {
    /// What a paced tire does before its steps.
    WARM_UP;
    WARM_UP_NS "warm_up_ns" Nanoseconds
        "time in which threads got ready for their steps instead of sleeping, summed (null without)";
}

facts! {
    /// What threads do with a step, on average.
    PHASES;
    LOCK_NS "lock_ns" Nanoseconds "mean time of a step that a thread spends with semaphores";
    COMPUTE_NS "compute_ns" Nanoseconds "mean time of a step in which a thread computes forces";
    INTEGRATE_NS "integrate_ns" Nanoseconds "mean time of a step in which a thread integrates";
    WAIT_NS "wait_ns" Nanoseconds "mean time of a step for which a thread waits for others";
    IDLE_NS "idle_ns" Nanoseconds "mean time of a step in which a thread has nothing to do";
}

facts! {
    /// What steps with due times tell beside their phases.
    STEPS;
    STEP_RUN_NS "step_run_ns" Nanoseconds "mean time from a step's first start to its last end";
    STAMPS_SHARE "stamps_share" Ratio "share of a step that its own stamps take, 0 to 1";
    TIMELINE "timeline" List "what every thread did around the worst step (null without one)";
}

facts! {
    /// What a person's own model is, and what became of its steps.
    OWN_MODEL;
    INSTANCES "instances" Count "instances of the model";
    INTERFACE "interface" Text "how the model is stepped";
    INPUTS_NS "inputs_ns" Nanoseconds "mean time of a step in which inputs are set";
    CALL_NS "call_ns" Nanoseconds "mean time of a step in which the model computes";
    OUTPUTS_NS "outputs_ns" Nanoseconds "mean time of a step in which outputs are read";
    INSTANTIATE_NS "instantiate_ns" Nanoseconds
        "time to load and to make the instances of the thread that took longest";
    INITIALISE_NS "initialise_ns" Nanoseconds
        "time to initialise the instances of the thread that took longest";
    FIRST_STEP_NS "first_step_ns" Nanoseconds
        "the first step, of the thread that took longest, before the measured ones";
    SWITCHES_NS "switches_ns" Nanoseconds
        "median time of a request that asks nothing of the model's process (null without one)";
    DISCARDED "discarded" Count "steps that the model discarded";
    EARLY_RETURNS "early_returns" Count "steps that ended before the time asked for";
    OTHER_TIMES "other_times" Count "steps whose last successful time was not the one asked for";
    EVENTS "events" Count "events that were handled";
    LOG_LINES "log_lines" Count "lines that the model logged";
    MODEL_THREADS "model_threads" Count "threads that the model made";
    TEXTS_CUT "texts_cut" Count
        "texts and binary outputs that were longer than the 64 bytes of each that are recorded (null where none are)";
    OUTPUT_HASH "output_hash" Text
        "hash of all outputs of all measured steps, sixteen hexadecimal digits";
}

facts! {
    /// What became of the pictures of a run that is watched.
    VIEWER;
    WATCHED_AT "watched_at" Text "where it was shown";
    FRAMES_DUE "frames_due" Count "pictures for the viewer that were due";
    FRAMES_SENT "frames_sent" Count "pictures for the viewer that were sent";
    FRAMES_REFUSED "frames_refused" Count "pictures for the viewer that the kernel did not take";
    FRAMES_DROPPED "frames_dropped" Count
        "pictures for the viewer that were due and neither sent nor refused";
}

facts! {
    /// What the arithmetic units allow.
    CEILING;
    KIND "kind" Text "arithmetic or memory";
    INSTRUCTIONS "instructions" Text "instruction set of the vectors (null without vectors)";
    MULTIPLICATIONS_A_MASS "multiplications_a_mass" Ratio
        "multiplications and fused multiply-adds of a mass in one step";
}

facts! {
    /// What the memory allows.
    CEILING_MEMORY;
    BUFFER_BYTES "buffer_bytes" Bytes "memory that is swept";
    CACHE_BYTES "cache_bytes" Bytes "caches of the CPUs in use";
    BYTES_A_MASS "bytes_a_mass" Bytes "what is read and written for a mass in one pass over memory";
    BYTES_PER_S "bytes_per_s" PerSecond "bytes read and written";
}
