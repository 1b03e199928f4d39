//! Serial ports: modem lines or a byte looped back in the chip, and modem lines over a wire.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rt::clock;
use rt::serial::SerialPort;

use super::source::{Form, Opened, Source};

const DEVICE: Form = Form { example: "PORT such as /dev/ttyS1", has_numbers: false };

/// The modem lines of a 16550 in internal loopback.
pub(super) const UART: Source = Source {
    name: "uart",
    needs: "a free serial port with a 16550 that interrupts while its modem lines are looped \
         back internally (emulated ports of virtual machines do not)",
    device: Some(DEVICE),
    is_periodic: false,
    open: |device, _| {
        let port = SerialPort::open(Path::new(device))?;
        port.loop_back()?;
        modem_lines(port)
    },
};

/// A byte through a 16550 in internal loopback.
pub(super) const UART_BYTE: Source = Source {
    name: "uart-byte",
    needs: "a free serial port with a 16550 that receives what it sends while it is looped \
         back internally",
    device: Some(DEVICE),
    is_periodic: false,
    open: |device, _| {
        let port = Arc::new(SerialPort::open(Path::new(device))?);
        port.loop_back()?;
        let receiver = Arc::clone(&port);
        let raise = move || -> io::Result<Option<u64>> {
            let raised = clock::now();
            port.send()?;
            Ok(Some(raised))
        };
        Ok(Opened::pair(raise, move || receiver.receive().map(|()| None)))
    },
};

/// A wire from RTS to CTS, or a second machine that answers.
pub(super) const SERIAL: Source = Source {
    name: "serial",
    needs: "a free serial port with a wire from RTS to CTS, or a crossover cable to a \
         machine that runs this measurement with --role answer",
    device: Some(DEVICE),
    is_periodic: false,
    open: |device, _| modem_lines(SerialPort::open(Path::new(device))?),
};

fn modem_lines(port: SerialPort) -> io::Result<Opened> {
    let port = Arc::new(port);
    let mut toggle_rts = rts_toggle(Arc::clone(&port))?;
    let raise = move || -> io::Result<Option<u64>> {
        let raised = clock::now();
        toggle_rts()?;
        Ok(Some(raised))
    };
    Ok(Opened::pair(raise, move || port.wait_for_cts().map(|()| None)))
}

/// Raises an interrupt at each call: both edges of the RTS line do.
fn rts_toggle(port: Arc<SerialPort>) -> io::Result<impl FnMut() -> io::Result<()> + Send> {
    let mut is_high = true;
    port.set_rts(is_high)?;
    Ok(move || {
        is_high = !is_high;
        port.set_rts(is_high)
    })
}

/// Returns what waits for a change of CTS and answers it with a change of RTS.
pub(super) fn answer(device: &str) -> io::Result<impl FnMut() -> io::Result<()> + Send> {
    let port = Arc::new(SerialPort::open(Path::new(device))?);
    let mut toggle_rts = rts_toggle(Arc::clone(&port))?;
    Ok(move || {
        port.wait_for_cts()?;
        toggle_rts()
    })
}
