//! `steadfast echo`: sends datagrams back for frame tests between two machines.

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use measure::Echo;

use crate::options::address;
use crate::startup::exit::EXIT_INTERRUPTED;
use crate::startup::interrupt;
use crate::startup::output::print;

#[derive(Debug, Args)]
pub(crate) struct EchoArgs {
    /// Address and UDP port to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "0.0.0.0:7007", value_parser = address)]
    listen: SocketAddr,
}

pub(crate) fn echo(args: &EchoArgs) -> Result<ExitCode> {
    let echo = Echo::listen(args.listen).map_err(|error| {
        anyhow!(
            "--listen: cannot use {} ({}); choose an IP address of this machine, and a port \
             that is free",
            args.listen,
            error.kind()
        )
    })?;
    let address = echo.address()?;
    let typed = format!("steadfast run frame --peer HOST:{}", address.port());
    print(&format!("Listening on UDP {address}; on the other machine: {typed}\n"))?;
    let echoed = echo.serve(|| !interrupt::is_wanted())?;
    print(&format!("Sent {echoed} datagrams back.\n"))?;
    Ok(ExitCode::from(EXIT_INTERRUPTED))
}
