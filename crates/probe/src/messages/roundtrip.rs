//! A round trip of a word through a FIFO, by one task.

use std::hint::black_box;

use rt::channel::Ends;

/// The word that one task writes into a FIFO and reads back.
pub(super) const WORD: [u8; 4] = [1, 2, 3, 4];
/// Writes the word into the FIFO and reads it back.
pub(super) fn roundtrip(fifo: &Ends) {
    fifo.write(&WORD);
    black_box(fifo.read::<{ WORD.len() }>());
}
