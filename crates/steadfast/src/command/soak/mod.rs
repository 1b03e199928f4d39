//! `steadfast soak`: a run of days without a pause, stored in intervals.

pub(crate) mod args;
mod on_miss;
mod servers;
mod session;

use std::env;
use std::path::absolute;
use std::process::{ExitCode, Termination};
use std::time::Duration;

use analysis::soak::{self, Added};
use anyhow::{Result, anyhow, bail};
use base::{Nanos, counted};
use place::{Local, TargetError};
use record::{Recording, RunSpec, Warning};

use self::args::SoakArgs;
use self::on_miss::OnMiss;
use self::servers::Shared;
use self::session::Session;
use crate::command::run::line::of_line;
use crate::options::place::Place;
use crate::session::progress::{in_words, say};
use crate::startup::exit::{EXIT_INTERRUPTED, success_if};
use crate::startup::files;
use crate::startup::interrupt;
use crate::startup::output::{entry, print};
use crate::startup::systemd::quoted;

const NAMES: usize = 8;

pub(crate) fn soak(args: &SoakArgs) -> Result<ExitCode> {
    let spec = spec(args)?;
    if args.unit {
        return unit(args).map(Termination::report);
    }
    // Of whole periods.
    let interval = spec.asked.duration;
    let intervals = args.length.0.div_ceil(interval.0.max(1)).max(1);
    let mut session = Session::open(&args.out, &spec)?;
    let shared = Shared::default();
    session.each(&mut |outcome| drop(shared.lock().add(outcome)))?;
    let done = shared.lock().soak.intervals;
    let left = intervals.saturating_sub(done);
    say(&beginning(done, left, interval));
    if left > 0 {
        shared.serve(args, &spec.asked.cpus)?;
    }
    let mut on_miss = args.on_miss.as_deref().map(OnMiss::new);
    let ended = watch(&spec, left, &mut session, &shared, &mut |added| {
        soak::events(added).into_iter().for_each(|line| say(&line.named()));
        on_miss.iter_mut().for_each(|command| command.look_at(&added.interval));
    });
    drop(on_miss);
    let state = shared.lock();
    let soak = &state.soak;
    if soak.intervals == 0 {
        ended?;
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    let page = args.out.join("soak.html");
    let text = report::soak_page(&args.of, soak, &state.picture, None);
    let written = files::put(&page, &text, "--out");
    if args.json {
        session::print_all(&args.of, &spec, &session, soak)?;
    } else {
        let line = |label: &str, words: &str| entry(NAMES, &format!("{label}:"), words);
        let answer = soak::answer(soak).into_iter().map(|said| line(said.label, &said.words));
        print(&(answer.collect::<String>() + &line("Page", &page.display().to_string())))?;
    }
    ended?;
    written?;
    if soak.intervals < intervals {
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    Ok(success_if(soak.invalid == 0))
}

/// Returns the run of one interval, if the run can go on for days.
fn spec(args: &SoakArgs) -> Result<RunSpec> {
    let (mut spec, said) = of_line("--of", &args.of, &Place::default())?;
    if said.is_some_and(|said| said.is_typed) {
        bail!("--of: the time is given by --for and --interval; leave out --seconds and --steps");
    }
    let refused = |why: String| anyhow!("--of '{}': {why}", args.of);
    let name = &spec.measurement;
    let Some(continuous) = measure::find(name).and_then(|measurement| measurement.continuous())
    else {
        let others = measure::MEASUREMENTS.iter().filter(|one| one.continuous().is_some());
        let others = others.map(|one| one.name()).collect::<Vec<_>>().join(", ");
        return Err(refused(format!("{name} cannot go on without a pause; use one of {others}")));
    };
    continuous.check_continuous(&spec).map_err(refused)?;
    continuous.set_interval(&mut spec, args.interval).map_err(refused)?;
    Place::Local.check([&spec]).map_err(|why| refused(format!("{why:#}")))?;
    Ok(spec)
}

fn beginning(done: u64, left: u64, interval: Nanos) -> String {
    let second = Duration::from_secs(1);
    let whole = |count: u64| Duration::from(Nanos(interval.0.saturating_mul(count)));
    let time = |count: u64| in_words(whole(count).saturating_sub(second));
    match (done, left) {
        (0, _) => format!("Watching for {}, in intervals of {interval}.", time(left)),
        (_, 0) => format!("The whole time is watched: {}.", counted(done as usize, "interval")),
        _ => format!("Continuing: intervals stored: {done}; time left: {}.", time(left)),
    }
}

fn watch(
    spec: &RunSpec,
    mut left: u64,
    session: &mut Session,
    soak: &Shared,
    show: &mut dyn FnMut(&Added),
) -> Result<()> {
    let mut is_first = true;
    while left > 0 {
        let (mut made, mut trouble) = (0, None);
        let mut each = |mut recording: Recording| {
            if let Some(place) = &mut recording.found.interval {
                place.is_same_program = !is_first;
                made += 1 + place.stalled_before;
            }
            match kept(&recording, session, soak) {
                Ok(added) => show(&added),
                Err(why) => trouble = Some(why),
            }
            trouble.is_none()
        };
        let go_on = &mut || !interrupt::is_wanted();
        let run = Local::default().run_in_intervals(spec, left, go_on, &mut each);
        // A runner that was ended could not restore anything.
        runner::give_back_left_over();
        match (trouble, run) {
            (Some(why), _) => return Err(why),
            (None, Err(TargetError::Interrupted)) => break,
            (None, Err(why)) => bail!("{}: {why}", spec.title()),
            (None, Ok(())) if made == 0 => bail!("no interval had a step; use a longer --interval"),
            // Lost intervals are measured again.
            (None, Ok(())) => left = left.saturating_sub(made),
        }
        is_first = false;
    }
    Ok(())
}

fn kept(recording: &Recording, session: &mut Session, soak: &Shared) -> Result<Added> {
    if recording.tracks.is_empty() {
        let why = recording.warnings.iter().find(|warning| warning.invalidates());
        let words = |warning: &Warning| format!("{}; {}", warning.cause(), warning.remedy());
        bail!(why.map_or_else(|| "nothing could be measured".to_owned(), words));
    }
    let outcome = measure::outcome(recording);
    session.save(&outcome)?;
    Ok(soak.lock().add(&outcome))
}

/// Prints a service that runs the same command without `--unit`.
fn unit(args: &SoakArgs) -> Result<()> {
    let directory = env::current_dir()?.display().to_string();
    if directory.contains(char::is_control) {
        bail!("--unit: the name of this directory has control characters; change to another one");
    }
    let program = env::current_exe()?.display().to_string();
    let mut words = vec![program, "soak".to_owned(), "--quiet".to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    option("--of", args.of.clone());
    option("--for", args.length.to_string());
    option("--interval", args.interval.to_string());
    option("--out", absolute(&args.out)?.display().to_string());
    for (name, address) in [("--metrics", args.metrics), ("--page", args.page)] {
        address.iter().for_each(|address| option(name, address.to_string()));
    }
    args.on_miss.iter().for_each(|command| option("--on-miss", command.clone()));
    let command: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    print(&format!(
        "# /etc/systemd/system/steadfast-soak.service
# systemctl daemon-reload && systemctl enable --now steadfast-soak.service
[Unit]
Description=Watch this machine for days, and continue after a reboot

[Service]
ExecStart={}
WorkingDirectory={}
Restart=on-abnormal
RestartSec=10
SuccessExitStatus=130

[Install]
WantedBy=multi-user.target
",
        command.join(" "),
        directory.replace('%', "%%")
    ))
}
