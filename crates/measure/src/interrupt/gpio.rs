//! GPIO lines: an output line wired to an input line whose edges the kernel stamps.

use std::io;

use rt::clock;
use rt::gpio::{InputLine, OutputLine};

use super::source::{Form, Opened, Source};

const DEVICE: Form =
    Form { example: "CHIP:OUT:IN such as /dev/gpiochip0:17:27", has_numbers: true };

pub(super) const GPIO: Source = Source {
    name: "gpio",
    needs: "a GPIO chip with an output line wired to an input line that can interrupt",
    device: Some(DEVICE),
    is_periodic: false,
    open: |device, _| {
        let (chip, lines) = DEVICE.parse(device)?;
        let no_line = |_| io::Error::other("it has no such line");
        let [out, input] = lines.map(|line| u32::try_from(line).map_err(no_line));
        // The output is taken first, so that the edge from driving it is not waited for.
        let output = OutputLine::take(chip, out?)?;
        let input = InputLine::take(chip, input?)?;
        let mut is_high = false;
        let raise = move || -> io::Result<Option<u64>> {
            is_high = !is_high;
            let raised = clock::now();
            output.set(is_high)?;
            Ok(Some(raised))
        };
        Ok(Opened::pair(raise, move || input.wait().map(Some)))
    },
};
