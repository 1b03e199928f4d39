//! GPIO lines: an output line wired to an input line whose edges the kernel stamps.

use std::io;

use rt::clock;
use rt::gpio::{InputLine, OutputLine};

use super::source::{Form, Opened, Raise, Source, Wait};

const DEVICE: Form = Form::Numbered("CHIP:OUT:IN such as /dev/gpiochip0:17:27");

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
        Ok(Opened::Pair {
            raise: Box::new(Toggle { output, high: false }),
            wait: Box::new(Edge(input)),
        })
    },
};

struct Toggle {
    output: OutputLine,
    high: bool,
}

impl Raise for Toggle {
    fn raise(&mut self) -> io::Result<Option<u64>> {
        self.high = !self.high;
        let raised = clock::now();
        self.output.set(self.high)?;
        Ok(Some(raised))
    }
}

struct Edge(InputLine);

impl Wait for Edge {
    fn wait(&mut self) -> io::Result<Option<u64>> {
        self.0.wait().map(Some)
    }
}
