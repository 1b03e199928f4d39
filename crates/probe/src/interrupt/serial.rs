//! Serial ports: modem lines or a byte looped back in the chip, and modem lines over a wire.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rt::clock;
use rt::serial::SerialPort;

use super::source::{Form, Opened, Source};

const DEVICE: Form = Form::Path("PORT such as /dev/ttyS1");

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
    let mut rts = ToggleRts::of(Arc::clone(&port))?;
    let raise = move || -> io::Result<Option<u64>> {
        let raised = clock::now();
        rts.toggle()?;
        Ok(Some(raised))
    };
    Ok(Opened::pair(raise, move || port.wait_for_cts().map(|()| None)))
}

/// Raises an interrupt with both edges of the RTS line.
struct ToggleRts {
    port: Arc<SerialPort>,
    high: bool,
}

impl ToggleRts {
    fn of(port: Arc<SerialPort>) -> io::Result<Self> {
        port.set_rts(true)?;
        Ok(Self { port, high: true })
    }

    fn toggle(&mut self) -> io::Result<()> {
        self.high = !self.high;
        self.port.set_rts(self.high)
    }
}

/// Answers each change of CTS with a change of RTS.
pub(super) struct Answer {
    port: Arc<SerialPort>,
    rts: ToggleRts,
}

impl Answer {
    pub(super) fn open(device: &str) -> io::Result<Self> {
        let port = Arc::new(SerialPort::open(Path::new(device))?);
        let rts = ToggleRts::of(Arc::clone(&port))?;
        Ok(Self { port, rts })
    }

    pub(super) fn answer(&mut self) -> io::Result<()> {
        self.port.wait_for_cts()?;
        self.rts.toggle()
    }
}
