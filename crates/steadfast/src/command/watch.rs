//! `steadfast watch`.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use plan::Warning;
use target::{Local, Target, TargetError};
use watch::Viewer;

use crate::args::address;
use crate::command::run::args::parse_run_line;
use crate::exit::EXIT_INTERRUPTED;
use crate::interrupt;
use crate::output::{print, tell};
use crate::request;

/// How often an idle viewer looks for Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Where to listen for a tire (UDP); 0.0.0.0:9870 for one on another machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9870", value_parser = address)]
    listen: SocketAddr,
    /// Where the page is (HTTP); 0.0.0.0:9871 for a browser on another machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9871", value_parser = address)]
    page: SocketAddr,
    /// Let a small tire fall again and again, for a first look
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
        text += "A small tire falls again and again, for show.";
    } else {
        let line = line(3000, &reachable(viewer.listen));
        text += &format!("\nStart a tire in another terminal:\n\n  steadfast run {line}\n");
    }
    text + "\nCtrl-C ends the viewer.\n"
}

/// An address that can be typed elsewhere.
fn reachable(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("THIS-MACHINE:{}", address.port())
    } else {
        address.to_string()
    }
}

/// A tire that bounces and stands, as one would type it after `steadfast run`, under
/// the conditions that this user has the right to.
fn line(steps: u64, viewer: &str) -> String {
    let has_rights = rt::sched::may_be_real_time() && rt::idle::IdleHold::new().is_ok();
    let conditions =
        if has_rights { "" } else { " --policy other --memory unlocked --idle-states leave" };
    format!(
        "tire --mode real-time --model central --masses 40 --threads 1 --steps {steps}\
         {conditions} --watch {viewer}"
    )
}

/// Lets a tire fall again and again.
fn demonstrate(viewer: &Viewer) -> Result<()> {
    /// Until it stands still.
    const STEPS: u64 = 400;
    let typed = parse_run_line(&line(STEPS, &viewer.listen.to_string()))?;
    let specs = request::specs(&typed)?;
    let target = Local::default();
    for spec in specs.iter().cycle() {
        match target.run(spec, &mut || !interrupt::is_wanted()) {
            Ok(arrived) => tell_invalid(&arrived.recording().warnings)?,
            Err(TargetError::Interrupted) => break,
            Err(why) => bail!(why),
        }
    }
    Ok(())
}

fn tell_invalid(warnings: &[Warning]) -> Result<()> {
    match warnings.iter().find(|warning| warning.invalidates()) {
        None => Ok(()),
        Some(warning) => {
            tell(&format!("INVALID: {}", warning.cause()));
            bail!("{}", warning.remedy())
        }
    }
}
