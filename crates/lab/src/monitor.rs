//! QEMU's monitor on its standard streams: QMP (QEMU, `docs/interop/qmp-spec.txt`).

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use rt::thread::start;
use serde_json::{Value, json};

use crate::Patience;
use crate::state::NoState;

/// How often the monitor asks whether to go on.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub(crate) struct Monitor<'a> {
    input: ChildStdin,
    lines: Receiver<Value>,
    patience: Patience,
    keep_going: &'a mut dyn FnMut() -> bool,
}

impl<'a> Monitor<'a> {
    /// Connects to a QEMU whose standard streams are pipes; it may use `longest` of CPU time altogether.
    pub(crate) fn of(
        qemu: &mut Child,
        longest: Duration,
        keep_going: &'a mut dyn FnMut() -> bool,
    ) -> Result<Self, NoState> {
        let (input, output) = qemu.stdin.take().zip(qemu.stdout.take()).expect("both are pipes");
        let (send, lines) = channel();
        start("monitor", move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            let values = lines.filter_map(|line| serde_json::from_str(&line).ok());
            // The receiver is gone once the machine was saved.
            values.map_while(|value| send.send(value).ok()).for_each(drop);
        })
        .map_err(failed)?;
        let patience = Patience::with(qemu, longest);
        let mut monitor = Self { input, lines, patience, keep_going };
        monitor.ask("qmp_capabilities", &json!({}))?;
        Ok(monitor)
    }

    /// Executes a command, and returns its result.
    pub(crate) fn ask(&mut self, command: &str, arguments: &Value) -> Result<Value, NoState> {
        let line = json!({ "execute": command, "arguments": arguments });
        writeln!(self.input, "{line}").map_err(failed)?;
        loop {
            let mut message = self.next()?;
            if let Some(error) = message.get("error") {
                let why = error["desc"].as_str().unwrap_or("it gives no reason");
                return Err(NoState::Refused(format!("QEMU refuses {command}: {why}")));
            }
            if let Some(result) = message.get_mut("return") {
                return Ok(result.take());
            }
        }
    }

    /// Executes a command of QEMU's monitor for people, and returns what it prints.
    pub(crate) fn show(&mut self, line: &str) -> Result<String, NoState> {
        let shown = self.ask("human-monitor-command", &json!({ "command-line": line }))?;
        Ok(shown.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until the machine has stopped.
    pub(crate) fn wait_for_stop(&mut self) -> Result<(), NoState> {
        while self.next()?["event"] != "STOP" {}
        Ok(())
    }

    fn next(&mut self) -> Result<Value, NoState> {
        loop {
            if !(self.keep_going)() {
                return Err(NoState::Interrupted);
            }
            match self.lines.recv_timeout(LOOK_EVERY) {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(NoState::Failed("the monitor was closed".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if self.patience.is_over() => {
                    return Err(NoState::Silent);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
fn failed(error: io::Error) -> NoState {
    NoState::Failed(error.to_string())
}
