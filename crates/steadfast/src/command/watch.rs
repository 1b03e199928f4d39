//! `steadfast watch`: shows a running tire live.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use place::{Local, Target, TargetError};
use watch::Viewer;

use super::run::line::LineArgs;
use crate::options::place::Place;
use crate::options::request;
use crate::options::{address, after};
use crate::startup::exit::EXIT_INTERRUPTED;
use crate::startup::interrupt;
use crate::startup::output::{print, tell};

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
    let (page, listen) = (reachable(viewer.page), viewer.listen);
    let what = if demo {
        "A small demonstration tire falls repeatedly.".to_owned()
    } else {
        let line = line(3000, &reachable(listen));
        format!("\nStart a tire in another terminal:\n\n  steadfast run {line}\n")
    };
    format!(
        "The page:   http://{page}/\nListens at: {listen} (UDP)\n{what}\nCtrl-C ends the viewer.\n"
    )
}

/// Returns the address in a form that can be typed on another machine.
fn reachable(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("IP-OF-THIS-MACHINE:{}", address.port())
    } else {
        address.to_string()
    }
}

fn has_rights() -> bool {
    rt::sched::may_be_real_time() && rt::idle::IdleHold::new().is_ok()
}

/// Returns the run line of a tire that bounces and comes to rest, as far as this user's rights go.
fn line(steps: u64, viewer: &str) -> String {
    let conditions =
        if has_rights() { "" } else { " --policy other --memory unlocked --idle-states leave" };
    format!(
        "tire --mode real-time --model central --masses 40 --threads 1 --steps {steps}{conditions} \
         --watch {viewer}"
    )
}

fn demonstrate(viewer: &Viewer) -> Result<()> {
    /// Enough steps to come to rest.
    const STEPS: u64 = 400;
    // A demonstration decides nothing, so it waits for no measurement.
    let line = line(STEPS, &viewer.listen.to_string()) + " --beside";
    let line: LineArgs = after(&line)?;
    let specs = request::specs(&line.requests(&Place::default(), false)?)?;
    let target = Local::default();
    let mut problem = None;
    for spec in specs.iter().cycle() {
        let now = match target.run(spec, &mut || !interrupt::is_wanted()) {
            Ok(arrived) => {
                let mut warnings = arrived.recording.warnings.iter();
                let invalid = warnings.find(|warning| warning.invalidates());
                invalid.map(|warning| format!("INVALID: {}", warning.cause()))
            }
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
