//! Messages through channels: within one task, and from one task to another.
//!
//! The tasks are threads of one process, because the tasks of the source (TEL) share one address
//! space: a switch between them changes no page tables.

mod alone;
mod context_switch;
mod round_robin;
mod transfer;

use bench::place::Place;
use rt::channel::{Channel, Ends, Event, Futex, Message, Queue, Ring};

use alone::{Alone, WORD, roundtrip};
pub(crate) use context_switch::ContextSwitch;
pub(crate) use round_robin::RoundRobin;
use transfer::Transfer;

/// The message that one task posts.
const LETTER: Message = [7; 16];

pub(crate) static FIFO_WRITE: Alone<Ends> = Alone {
    name: "fifo_write",
    summary: "one call that writes 4 bytes into a FIFO",
    source: "TEL LatencyFIFO",
    bytes: WORD.len(),
    create: Ends::pipe,
    timed: |fifo| fifo.write(&WORD),
    afterwards: |fifo| _ = fifo.read::<{ WORD.len() }>(),
};

pub(crate) static FIFO_ROUNDTRIP: Alone<Ends> = Alone {
    name: "fifo_roundtrip",
    summary: "one task writes 4 bytes into a FIFO and reads them back",
    source: "TEL fifo",
    bytes: WORD.len(),
    create: Ends::pipe,
    timed: roundtrip,
    afterwards: |_| {},
};

pub(crate) static MAILBOX_POST: Alone<Queue> = Alone {
    name: "mailbox_post",
    summary: "one call that posts 16 bytes to a POSIX message queue",
    source: "TEL mbox 1",
    bytes: LETTER.len(),
    create: Queue::new,
    timed: |mailbox| mailbox.send(&LETTER),
    afterwards: |mailbox| _ = mailbox.receive(),
};

pub(crate) static FIFO_TRANSFER: Transfer = Transfer {
    name: "fifo_transfer",
    summary: "16 bytes to another task through a FIFO",
    source: "TEL fifoCS",
    create: || Ok(Box::new(Ends::pipe()?)),
    places: &Place::ALL,
};

pub(crate) static MAILBOX_TRANSFER: Transfer = Transfer {
    name: "mailbox_transfer",
    summary: "16 bytes to another task through a POSIX message queue",
    source: "TEL mbox 2",
    create: || Ok(Box::new(Queue::new()?)),
    places: &Place::ALL,
};

pub(crate) static FUTEX_TRANSFER: Transfer = Transfer {
    name: "futex_transfer",
    summary: "16 bytes to another task in memory, woken by a futex",
    source: "after TEL mbox 2",
    create: || Ok(Box::new(Futex::new()?)),
    places: &Place::ALL,
};

pub(crate) static EVENTFD_TRANSFER: Transfer = Transfer {
    name: "eventfd_transfer",
    summary: "16 bytes to another task in memory, woken by an eventfd",
    source: "after TEL mbox 2",
    create: || Ok(Box::new(Event::new()?)),
    places: &Place::ALL,
};

pub(crate) static SOCKET_TRANSFER: Transfer = Transfer {
    name: "socket_transfer",
    summary: "16 bytes to another task through Unix datagram sockets",
    source: "after TEL mbox 2",
    create: || Ok(Box::new(Ends::socket()?)),
    places: &Place::ALL,
};

pub(crate) static RING_TRANSFER: Transfer = Transfer {
    name: "ring_transfer",
    summary: "16 bytes through a shared-memory ring to a spinning task, on another CPU",
    source: "after TEL mbox 2",
    create: || Ok(Box::<Ring>::default()),
    places: &[Place::TwoCpus],
};
