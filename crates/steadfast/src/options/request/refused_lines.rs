//! Run lines that are refused, each with the name of what is wrong, and those just within a limit.

use testing::refuses;

use crate::command::run::line::specs_of;
use crate::options::one_line;

fn assert_refused(lines: &[(&str, &str)]) {
    for (line, reason) in lines {
        let why = specs_of(line).map_err(|why| match why.downcast_ref::<clap::Error>() {
            Some(error) => one_line(&error.to_string()),
            None => format!("{why:#}"),
        });
        refuses(why, reason);
    }
}

#[test]
fn nonsense_is_refused_with_its_name() {
    assert_refused(&[
        ("", "MEASUREMENT"),
        ("nonsense", "no measurement `nonsense`"),
        ("cpu", "is a load"),
        ("rhealstone", "from task_switch, preemption, interrupt, semaphore_shuffle"),
        ("wakeup --nonsense", "'--nonsense'"),
        ("wakeup --tolerance 5%", "--tolerance is a parameter of model"),
        ("wakeup --masses 4", "--masses is a parameter of tire"),
        ("wakeup --period 0", "--period"),
        ("wakeup --period 1parsec", "--period: `parsec`"),
        ("wakeup --period 10ns", "--period: 10ns is too short"),
        ("wakeup --period 1s --seconds 0.05", "--seconds: 50ms is shorter than one period of 1s"),
        ("wakeup --seconds nan", "'--seconds <TIME>': `nan` is not a time"),
        ("wakeup --cpus 99", "--cpus: there is no CPU 99"),
        ("wakeup --cpus 1-0", "'--cpus <LIST>': `1-0` runs backwards"),
        ("wakeup --memory loose", "--memory"),
        ("wakeup --load nonsense", "no load `nonsense`"),
        ("wakeup --load none,cpu", "'--load <LOAD+...>': `none` cannot be joined with a load"),
        ("wakeup --load none --load cpu", "--load: `none` cannot be joined with a load"),
        ("wakeup --load cpu%200", "'--load <LOAD+...>': `cpu%200`: `200` is not an intensity"),
        ("wakeup --load disk:/no/such/place", "--load"),
        ("wakeup --policy ffio:10", "'--policy <POLICY>': `ffio` is not a policy"),
        ("wakeup --policy fifo:100", "'--policy <POLICY>': `100` is not a priority"),
        ("wakeup --firm-misses 10", "`10` is not a limit of misses"),
        ("wakeup --firm-misses -1/h", "`-1/h` is not a limit of misses"),
        ("wakeup --repeat 0", "from 1 to 100000"),
        ("wakeup --repeat 1500000", "from 1 to 100000"),
        ("wakeup --threshold 1ms", "--blame"),
        ("wakeup --blame --threshold soon", "--threshold"),
        ("task_switch --blame", "use it with wakeup, frame, tire with --mode real-time"),
        ("wakeup --record x.csv", "no steps to record; use it with tire or model"),
        ("clock_overhead deadlock_break --seconds 0.2", "--seconds"),
        ("platform_gap --shortest-gap 999ns", "--shortest-gap: 999ns is not between"),
        ("platform_gap --shortest-gap 2s", "--shortest-gap: 2s is not between"),
        ("mailbox_round_robin --policy fifo:50", "--policy: mailbox_round_robin needs threads of"),
        ("priority_inversion --policy other", "--policy"),
        ("priority_inversion --policy fifo:2", "--policy: priority_inversion needs threads of"),
        ("priority_inversion --policy fifo:2", "N from 3 to 99"),
        ("priority_inversion --medium-run 999999ns", "--medium-run: 999.999us is too short"),
        ("priority_inversion --medium-run 201ms", "--medium-run: 201ms is too long"),
        ("ceiling --policy deadline:1ms/2ms", "--policy: ceiling pins its threads"),
        ("ceiling --precision f16", "--precision"),
        ("ceiling --threads 0", "--threads"),
    ]);
}

#[test]
fn models_that_cannot_be_calculated_are_refused_with_the_option() {
    assert_refused(&[
        ("tire --seconds 3", "--seconds"),
        ("tire --masses 6", "--masses: 6 masses: expected a multiple of 4"),
        ("tire --masses 0", "--masses"),
        ("tire --rate 0", "--rate"),
        ("tire --masses 40 --threads 41", "--threads: 41 threads"),
        ("tire --instructions baseline", "--instructions baseline: the semaphore solver"),
        ("tire --stiffness 100", "--stiffness 100 N/m is not stable"),
        ("tire --stiffness 1e9", "--stiffness 1000000000 N/m is not stable"),
        ("tire --gravity -1", "--gravity -1 m/s2"),
        ("tire --damping 1", "--damping"),
        ("tire --mass 0", "--mass 0 kg"),
        ("tire --radius nan", "--radius: `nan` is not a number"),
        ("tire --restitution 2", "--restitution"),
        ("tire --watch 127.0.0.1:9870", "--watch: only a real-time run"),
        ("tire --mode real-time --watch here", "--watch: `here`"),
        ("tire --mode real-time --watch no..host:9870", "--watch: cannot resolve"),
        ("tire --mode real-fast --warm-up touch:1us", "--warm-up: a real-fast run does not sleep"),
        (
            "tire --mode real-time --warm-up touch:1us",
            "--warm-up touch: the semaphore solver cannot touch",
        ),
        (
            "tire --mode real-time --rate 1kHz --warm-up spin:501us",
            "--warm-up 501us: expected at most half of a period of 1ms",
        ),
        ("tire --mode real-time --warm-up 501us", "--warm-up: `501us` is not none, touch:TIME"),
        ("tire --mode real-time --warm-up touch:", "--warm-up: `` is not a time"),
        ("tire --mode real-time --warm-up spin:1us --blame", "--warm-up: its CPU time would be"),
        ("tire --blame --mode real-fast", "--blame: tire has nothing"),
        ("tire --record x.csv --threads 1", "at most 500000 can be recorded"),
        ("tire --record x.csv --threads 1 --masses 40 --steps 12500", "500040 states"),
        ("tire --record x.csv --threads 1 --masses 40 --steps 12500", "--steps"),
        ("tire --record x.csv --threads 1 --masses 40 --substeps 2", "--substeps"),
        ("tire --record x.csv --threads 2 --masses 40", "--threads 1"),
        ("mix /dev/zero", "mix: /dev/zero: it is not a regular file"),
        ("model --fmu /dev/zero", "--fmu: /dev/zero: it is not a regular file"),
        ("model --library /dev/zero --step x", "--library: /dev/zero: it is not a regular file"),
        ("model --program no-such-program", "--program: `no-such-program`"),
    ]);
}

#[test]
fn frames_and_interrupts_that_cannot_be_paced_are_refused_with_the_option() {
    assert_refused(&[
        ("frame --processes 0", "number of processes"),
        ("frame --cpus 0 --processes 2", "--processes: 2 processes cannot each"),
        ("frame --cpus 0 --processes 2", "--affinity free"),
        ("frame --fill 100%", "--fill"),
        ("frame --rate 20kHz", "--rate: a frame of 50us is too short"),
        ("frame --seconds 0.001", "--seconds: 1ms is shorter than one frame"),
        ("frame --cpus all --others moved", "--others: all CPUs are measured"),
        ("frame --cpus all --others moved", "--others stay"),
        ("frame --peer nobody", "HOST:PORT"),
        ("frame --peer no..host:7007", "--peer: cannot resolve"),
        ("frame --overrun pray", "--overrun"),
        ("interrupt --period 10us", "--period: 10us is too short"),
        ("interrupt --period 1s --seconds 0.05", "--seconds: 50ms is shorter than one period"),
        ("interrupt --source magic", "--source: `magic`"),
        ("interrupt --source all:/dev/ttyS1", "--source: `all` takes no device"),
        ("interrupt --source timer:/dev/null", "--source: timer takes no device"),
        ("interrupt --source gpio:chip", "--source gpio: `chip` is not CHIP:OUT:IN"),
        ("interrupt --source uio:uio0:0x:1", "--source uio: `uio0:0x:1` is not DEVICE:RAISE"),
        (
            "interrupt --source uart:/no/such/port",
            "--source uart: /no/such/port does not exist; it needs a",
        ),
        ("interrupt --role answer", "--role: answering a second machine needs"),
        ("interrupt --policy fifo:1", "--policy"),
    ]);
}

#[test]
fn what_is_just_within_a_limit_is_accepted() {
    for line in [
        "frame --processes 3 --affinity free",
        "platform_gap --shortest-gap 1us",
        "platform_gap --shortest-gap 1s",
        "mailbox_round_robin --policy rr:50",
        "mailbox_round_robin --policy other",
        "priority_inversion --policy fifo:3",
        "tire --mode real-time --rate 1kHz --warm-up spin:500us",
        "tire --mode real-time --rate 1kHz --record x.csv --threads 1 --masses 40 --steps 80",
    ] {
        specs_of(line).unwrap_or_else(|why| panic!("{line}: {why:#}"));
    }
}
