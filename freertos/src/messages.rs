//! Message transfer: 16 bytes from one task to another through a queue for one, the
//! reader one priority above the writer.

use alloc::sync::Arc;
use core::fmt::{self, Write};

use freertos_next::Queue;

use crate::board::{self, Serial};
use crate::cast::{HIGH, MEDIUM, forever, part, play};
use crate::samples::Samples;

type Message = [u32; 4];

static TRANSFERS: Samples = Samples::new();
/// Messages that came out other than they went in.
static WRONG: Samples = Samples::new();

pub fn run(to: &mut Serial) -> fmt::Result {
    let queue = Arc::new(Queue::<Message>::new(1).expect("there is room"));
    let written = Arc::clone(&queue);
    play([
        part(HIGH, move || {
            for index in 0..Samples::ROOM as u32 {
                let Ok([sent, rest @ ..]) = queue.receive(forever()) else {
                    continue;
                };
                TRANSFERS.push(board::now().wrapping_sub(sent));
                if rest != [index; 3] {
                    WRONG.push(index);
                }
            }
        }),
        part(MEDIUM, move || {
            for index in 0..Samples::ROOM as u32 {
                let _ = written.send([board::now(), index, index, index], forever());
            }
        }),
    ]);
    TRANSFERS.tell("message_transfer", to)?;
    writeln!(to, "count wrong_messages {}", WRONG.count())
}
