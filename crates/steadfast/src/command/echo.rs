//! `steadfast echo`.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use probe::Echo;

use crate::EXIT_INTERRUPTED;
use crate::args::EchoArgs;
use crate::interrupt;
use crate::output::print;

/// Sends the datagrams of frames back until somebody stops it.
pub(crate) fn echo(args: &EchoArgs) -> Result<ExitCode> {
    let echo = Echo::listen(args.listen).map_err(|error| {
        anyhow!(
            "--listen: {} cannot be used ({}); name an IP address of this machine, and a port \
             that is free",
            args.listen,
            error.kind()
        )
    })?;
    let address = echo.address()?;
    print(&format!(
        "Listening on UDP {address}; on the other machine: steadfast run frame --peer HOST:{}\n",
        address.port()
    ))?;
    let echoed = echo.serve(|| !interrupt::is_wanted())?;
    print(&format!("Sent {echoed} datagrams back.\n"))?;
    Ok(ExitCode::from(EXIT_INTERRUPTED))
}
