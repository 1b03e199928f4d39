//! A machine that is reached through the system's `ssh`: see `docs/ssh.md`.

mod brought;
mod connection;
mod installed;
mod remote;
mod shell;

use std::env;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use knob::OnMachine;
use measure::room_for;
use record::{About, Arrived, RunSpec, run_id};
use rt::clock;
use rt::process::THIS_PROGRAM;

use crate::following::{Ended, failed, piped};
use crate::knobs;
use crate::program::{Program, how_to_build};
use crate::waiting::{LONGEST_WAIT, LOOK_EVERY};
use crate::{KeepGoing, Target, TargetError};
use connection::{Connection, said};

pub use remote::serve_remote;

/// Seconds before each attempt to restore a lost connection.
const PAUSES: [u64; 5] = [1, 2, 4, 8, 16];
/// Bytes per second of the slowest transfer: a connection that neither ends nor breaks is given up.
const SLOWEST_LINK: u64 = 100 << 10;

/// Returns the program for the machine there.
fn program_for(connection: &Connection) -> Result<Program, TargetError> {
    let Connection { architecture, destination, .. } = connection;
    let found = Program::find(architecture, &[THIS_PROGRAM.into()]).map_err(TargetError::Failed)?;
    found.ok_or_else(|| {
        TargetError::Failed(format!(
            "{destination} is a machine of architecture {architecture}, but this program is for {}; {}",
            env::consts::ARCH,
            how_to_build(architecture)
        ))
    })
}

/// The machine at the other end of a connection.
#[derive(Debug)]
pub struct Ssh {
    program: Program,
    /// Identifies the runs of this target among the processes there.
    mark: String,
    /// The properties of the machine there.
    pub about: About,
    connection: Mutex<Connection>,
}

impl Ssh {
    /// Connects, and copies the program there.
    ///
    /// # Errors
    /// The message of `ssh`, or why the program does not run there.
    pub fn open(destination: &str, keep_going: KeepGoing) -> Result<Self, TargetError> {
        let mut connection = Connection::open(destination, keep_going)?;
        let program = program_for(&connection)?;
        installed::bring(&mut connection, &program, keep_going)?;
        let about = installed::about(&mut connection, &program, &[], keep_going)?;
        Ok(Self {
            program,
            mark: run_id(clock::unix_time()),
            about,
            connection: Mutex::new(connection),
        })
    }

    /// Checks whether these runs can be carried out there.
    ///
    /// # Errors
    /// The first reason why not, in the words of the program there.
    pub fn check(&self, specs: &[RunSpec], keep_going: KeepGoing) -> Result<(), TargetError> {
        let mut ask = || {
            self.connected(keep_going, |connection, keep_going| {
                installed::about(connection, &self.program, specs, keep_going)
            })
        };
        let about = match ask() {
            Err(TargetError::Lost(_)) => ask(),
            answer => answer,
        };
        about?.refused.map_or(Ok(()), |why| Err(TargetError::Failed(why)))
    }

    /// Does a job with the connection, which is replaced first if it was lost.
    fn connected<T>(
        &self,
        keep_going: KeepGoing,
        job: impl FnOnce(&mut Connection, KeepGoing) -> Result<T, TargetError>,
    ) -> Result<T, TargetError> {
        // A connection stays usable when a thread that used it has panicked.
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if connection.ended().is_some() {
            *connection = self.connect_again(&connection.destination, keep_going)?;
        }
        job(&mut connection, keep_going)
    }

    /// Runs the role at the other end until it ends.
    fn follow(
        &self,
        connection: &mut Connection,
        spec: &RunSpec,
        keep_going: KeepGoing,
    ) -> Result<Ended, TargetError> {
        let script = installed::role(&self.program, &format!("role-remote {}", self.mark));
        let mut session = piped(&mut connection.session(&script)).spawn().map_err(failed)?;
        // The input stays open until the run is over: the other end ends the run when it closes.
        let mut input = session.stdin.take();
        if let Some(input) = &mut input {
            // A session that ends before it reads reports why when it ends.
            let _ = writeln!(input, "{}", spec.key());
        }
        connection.follow(session, room_for(spec).bytes(), Some(longest(spec)), keep_going)
    }

    fn connect_again(
        &self,
        destination: &str,
        keep_going: KeepGoing,
    ) -> Result<Connection, TargetError> {
        let mut why = String::new();
        for pause in PAUSES {
            let until = Instant::now() + Duration::from_secs(pause);
            while Instant::now() < until {
                if !keep_going() {
                    return Err(TargetError::Interrupted);
                }
                thread::sleep(LOOK_EVERY);
            }
            let opened = Connection::open(destination, keep_going).and_then(|mut connection| {
                installed::bring(&mut connection, &self.program, keep_going).map(|()| connection)
            });
            match opened {
                Err(error) if keep_going() => why = error.to_string(),
                Err(_) => return Err(TargetError::Interrupted),
                opened => return opened,
            }
        }
        Err(TargetError::Failed(format!(
            "the connection was lost and could not be restored: {why}"
        )))
    }
}

/// How long the answer of a run may take, which may wait for its CPUs first.
fn longest(spec: &RunSpec) -> Duration {
    let wait = if spec.asked.beside { Duration::ZERO } else { LONGEST_WAIT };
    let transfer = Duration::from_secs(room_for(spec).bytes() / SLOWEST_LINK);
    wait + spec.longest() + transfer
}

impl Target for Ssh {
    fn run(&self, spec: &RunSpec, keep_going: KeepGoing) -> Result<Arrived, TargetError> {
        self.connected(keep_going, |connection, keep_going| {
            brought::bring_files(connection, &spec.files, keep_going)?;
            let ended = self.follow(connection, spec, keep_going)?;
            ended.recording(spec, keep_going, |ended| said(&ended.words, ended.status))
        })
    }

    fn knobs(&self, keep_going: KeepGoing) -> Result<OnMachine, TargetError> {
        let script = installed::role(&self.program, knobs::ROLE);
        self.connected(keep_going, |connection, keep_going| {
            knobs::told(&connection.call(&script, &[], keep_going)?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::tests::spec;

    #[test]
    fn a_run_that_may_wait_for_its_cpus_has_the_time_for_it() {
        let waits = spec();
        let mut beside = spec();
        beside.asked.beside = true;
        assert_eq!(longest(&waits), longest(&beside) + LONGEST_WAIT);
    }
}
