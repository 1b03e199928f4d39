//! A word through a FIFO and back, by one task.

use std::hint::black_box;

use rt::channel::Ends;

/// What one task writes into a FIFO and reads back.
pub(super) const WORD: [u8; 4] = [1, 2, 3, 4];
/// One task writes into the FIFO and reads back.
pub(super) fn roundtrip(fifo: &Ends) {
    fifo.write(&WORD);
    black_box(fifo.read::<{ WORD.len() }>());
}
