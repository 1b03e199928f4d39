//! A device driven from user space whose interrupt is raised by writing a register.

use std::io;
use std::sync::Arc;

use rt::clock;
use rt::uio::UioDevice;

use super::source::{Form, Opened, Source, Wait};

const DEVICE: Form =
    Form { example: "DEVICE:RAISE:ACKNOWLEDGE such as /dev/uio0:0x60:0x64", has_numbers: true };

pub(super) const UIO: Source = Source {
    name: "uio",
    needs: "a UIO device with one register that raises its interrupt when 1 is written to it, and \
         one that acknowledges it",
    device: Some(DEVICE),
    is_periodic: false,
    open: |device, _| {
        let (path, [raise, acknowledge]) = DEVICE.parse(device)?;
        let device = Arc::new(UioDevice::open(path)?);
        let (raise, acknowledge) = (device.register(raise)?, device.register(acknowledge)?);
        let (waiting, acknowledging) = (Arc::clone(&device), Arc::clone(&device));
        let raise = move || -> io::Result<Option<u64>> {
            let raised = clock::now();
            device.strike(raise);
            Ok(Some(raised))
        };
        let interrupt = Box::new(move || waiting.wait().map(|()| None));
        let rearm = Box::new(move || {
            acknowledging.strike(acknowledge);
            acknowledging.unmask()
        });
        Ok(Opened::Pair { raise: Box::new(raise), wait: Wait { interrupt, rearm } })
    },
};
