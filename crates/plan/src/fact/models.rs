//! Models: what was computed, how fast, and how its steps went; and the limits of the machine.

use super::facts;

facts! {
    /// What was computed, and its result.
    MODEL;
    MODE "mode" Text "real-fast or real-time";
    MODEL_NAME "model" Text "balanced or central, or the name of your own model";
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
    /// The speed of steps that are not paced.
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
        "time that threads spent warming up for their steps instead of sleeping, summed (null without warm-up)";
}

facts! {
    /// How threads spend a step, on average.
    PHASES;
    LOCK_NS "lock_ns" Nanoseconds "mean time per step that a thread spends on semaphores";
    COMPUTE_NS "compute_ns" Nanoseconds "mean time per step in which a thread computes forces";
    INTEGRATE_NS "integrate_ns" Nanoseconds "mean time per step in which a thread integrates";
    WAIT_NS "wait_ns" Nanoseconds "mean time per step for which a thread waits for others";
    IDLE_NS "idle_ns" Nanoseconds "mean time per step in which a thread has nothing to do";
}

facts! {
    /// Facts of steps with due times, in addition to their phases.
    STEPS;
    STEP_RUN_NS "step_run_ns" Nanoseconds "mean time from a step's first start to its last end";
    STAMPS_SHARE "stamps_share" Ratio "share of a step that taking time stamps costs, 0 to 1";
    TIMELINE "timeline" List "what every thread did around the worst step (else null)";
}

facts! {
    /// What your own model is, and how its steps went.
    OWN_MODEL;
    INSTANCES "instances" Count "instances of the model";
    INTERFACE "interface" Text "how the model is stepped";
    INPUTS_NS "inputs_ns" Nanoseconds "mean time per step in which inputs are set";
    CALL_NS "call_ns" Nanoseconds "mean time per step in which the model computes";
    OUTPUTS_NS "outputs_ns" Nanoseconds "mean time per step in which outputs are read";
    INSTANTIATE_NS "instantiate_ns" Nanoseconds
        "time to load the model and create the instances of the slowest thread";
    INITIALISE_NS "initialise_ns" Nanoseconds
        "time to initialise the instances of the slowest thread";
    FIRST_STEP_NS "first_step_ns" Nanoseconds
        "time of the slowest thread's first step, before the measured steps";
    SWITCHES_NS "switches_ns" Nanoseconds
        "median time of an empty request to the model's process (null without such a process)";
    DISCARDED "discarded" Count "steps that the model discarded";
    EARLY_RETURNS "early_returns" Count "steps that ended before the requested time";
    OTHER_TIMES "other_times" Count "steps whose last successful time was not the requested time";
    EVENTS "events" Count "events handled";
    LOG_LINES "log_lines" Count "lines logged by the model";
    MODEL_THREADS "model_threads" Count "threads created by the model";
    TEXTS_CUT "texts_cut" Count
        "texts and binary outputs that were longer than the 64 bytes of each that are recorded (null if none are recorded)";
    OUTPUT_HASH "output_hash" Text
        "hash of all outputs of all measured steps, sixteen hexadecimal digits";
}

facts! {
    /// What happened to the pictures of a run that is watched.
    VIEWER;
    WATCHED_AT "watched_at" Text "address of the viewer";
    FRAMES_DUE "frames_due" Count "pictures for the viewer that were due";
    FRAMES_SENT "frames_sent" Count "pictures for the viewer that were sent";
    FRAMES_REFUSED "frames_refused" Count "pictures for the viewer that the kernel did not take";
    FRAMES_DROPPED "frames_dropped" Count
        "pictures for the viewer that were due but neither sent nor refused";
}

facts! {
    /// The limits of the arithmetic units.
    CEILING;
    KIND "kind" Text "arithmetic or memory";
    INSTRUCTIONS "instructions" Text "instruction set of the vectors (null without vectors)";
    MULTIPLICATIONS_A_MASS "multiplications_a_mass" Ratio
        "multiplications and fused multiply-adds per mass and step";
}

facts! {
    /// The limits of the memory.
    CEILING_MEMORY;
    BUFFER_BYTES "buffer_bytes" Bytes "memory swept";
    CACHE_BYTES "cache_bytes" Bytes "caches of the CPUs in use";
    BYTES_A_MASS "bytes_a_mass" Bytes "data read and written per mass in one pass over memory";
    BYTES_PER_S "bytes_per_s" PerSecond "bytes read and written";
}
