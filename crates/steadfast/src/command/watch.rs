//! `steadfast watch`: shows a running tire live.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use plan::{Value, Warning};
use target::{Local, Target, TargetError};
use units::Policy;
use watch::Viewer;

use crate::args::{IdleArg, MemoryArg, address};
use crate::exit::EXIT_INTERRUPTED;
use crate::interrupt;
use crate::output::{print, tell};
use crate::request::{self, RunRequest};

/// How often an idle viewer checks for Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Pause after a run of the demonstration that failed.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Address and UDP port to receive a tire's data on; use 0.0.0.0:9870 if the tire runs on
    /// another machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9870", value_parser = address)]
    listen: SocketAddr,
    /// Address and HTTP port of the page; use 0.0.0.0:9871 for a browser on another machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9871", value_parser = address)]
    page: SocketAddr,
    /// Show a small demonstration tire that falls repeatedly
    #[arg(long)]
    demo: bool,
}

/// Shows a running tire until Ctrl-C.
pub(crate) fn watch(args: &WatchArgs) -> Result<ExitCode> {
    let viewer = Viewer::open(args.listen, args.page)?;
    print(&welcome(&viewer, args.demo))?;
    if args.demo {
        demonstrate(&viewer)?;
    }
    while !interrupt::is_wanted() {
        thread::sleep(LOOK_EVERY);
    }
    Ok(ExitCode::from(EXIT_INTERRUPTED))
}

fn welcome(viewer: &Viewer, demo: bool) -> String {
    let mut text = format!(
        "The page:   http://{}/\nListens at: {} (UDP)\n",
        reachable(viewer.page),
        viewer.listen
    );
    if demo {
        text += "A small demonstration tire falls repeatedly.";
    } else {
        let line = line(3000, &reachable(viewer.listen));
        text += &format!("\nStart a tire in another terminal:\n\n  steadfast run {line}\n");
    }
    text + "\nCtrl-C ends the viewer.\n"
}

/// Returns the address in a form that can be typed on another machine.
fn reachable(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("THIS-MACHINE:{}", address.port())
    } else {
        address.to_string()
    }
}

/// The tire that bounces and comes to rest.
const TIRE: [(&str, Value); 2] = [("masses", Value::Count(40)), ("threads", Value::Count(1))];

/// Returns whether this user has the rights that the tire needs by default.
fn has_rights() -> bool {
    rt::sched::may_be_real_time() && rt::idle::IdleHold::new().is_ok()
}

/// Returns a run line for that tire, under conditions to which this user has the right.
fn line(steps: u64, viewer: &str) -> String {
    let parameters = TIRE.map(|(name, value)| format!(" --{name} {value}")).concat();
    let conditions =
        if has_rights() { "" } else { " --policy other --memory unlocked --idle-states leave" };
    format!(
        "tire --mode real-time --model central{parameters} --steps {steps}{conditions} --watch {viewer}"
    )
}

/// Returns the same run as a request.
fn request(steps: u64, viewer: SocketAddr) -> Result<RunRequest> {
    let mut request = RunRequest::named("tire")?;
    for (name, word) in [("mode", "real-time"), ("model", "central")] {
        request.set_word(name, word)?;
    }
    for (name, value) in TIRE.into_iter().chain([("steps", Value::Count(steps))]) {
        request.set(name, value)?;
    }
    request.set_word("watch", &viewer.to_string())?;
    if !has_rights() {
        request.conditions.policy = Some(Policy::OTHER);
        request.conditions.memory = Some(MemoryArg::Unlocked);
        request.conditions.idle_states = Some(IdleArg::Leave);
    }
    Ok(request)
}

/// Runs a falling tire repeatedly until interrupted.
fn demonstrate(viewer: &Viewer) -> Result<()> {
    /// Enough steps to come to rest.
    const STEPS: u64 = 400;
    // A demonstration decides nothing, so it waits for no measurement.
    let mut request = request(STEPS, viewer.listen)?;
    request.conditions.beside = true;
    let specs = request::specs(&[request])?;
    let target = Local::default();
    let mut problem = None;
    for spec in specs.iter().cycle() {
        let now = match target.run(spec, &mut || !interrupt::is_wanted()) {
            Ok(arrived) => invalid(&arrived.recording().warnings),
            Err(TargetError::Interrupted) => break,
            Err(why) => {
                thread::sleep(PAUSE);
                Some(why.to_string())
            }
        };
        if let Some(now) = now.as_ref().filter(|_| now != problem) {
            tell(&format!("{now}; the demonstration continues"));
        }
        problem = now;
    }
    Ok(())
}

/// Returns why a run is INVALID, if it is.
fn invalid(warnings: &[Warning]) -> Option<String> {
    let warning = warnings.iter().find(|warning| warning.invalidates())?;
    Some(format!("INVALID: {}", warning.cause()))
}
