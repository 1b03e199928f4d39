//! Outputs that are texts or binary data: a record keeps only the first bytes of each.

use model_file::Type;
use rt::fmi::{Failed, Room, Variables};

use super::variables::Value;

/// Number of bytes that are kept of each output.
pub(super) const KEPT: usize = 64;
/// Words per output: its length in bytes, at most one more than are kept, and the bytes.
pub(super) const WORDS: usize = 1 + KEPT / WORD;
const WORD: usize = size_of::<u64>();

/// Outputs whose bytes are read together: first all texts, then all binary data.
#[derive(Debug)]
pub(super) struct Texts([Group; 2]);

#[derive(Debug)]
struct Group {
    references: Vec<u32>,
    room: Room,
    count: usize,
}

impl Group {
    fn of(all: &[Value], kind: Type) -> Self {
        let of_kind = || all.iter().filter(|value| value.kind == kind);
        let variables = of_kind().filter(|value| value.element == 0);
        let count = of_kind().count();
        Self {
            references: variables.map(|value| value.reference).collect(),
            room: Room::for_values(count),
            count,
        }
    }
}

impl Texts {
    pub(super) fn of(all: &[Value]) -> Self {
        Self([Type::String, Type::Binary].map(|kind| Group::of(all, kind)))
    }

    /// Reads the kept bytes of all outputs.
    pub(super) fn read(&mut self, from: Variables, words: &mut [u64]) -> Result<(), Failed> {
        let [texts, binaries] = &mut self.0;
        let (of_texts, of_binaries) = words.split_at_mut(texts.count * WORDS);
        if texts.count > 0 {
            let keep = |number: usize, bytes: &[u8]| keep(&mut of_texts[number * WORDS..], bytes);
            from.get_texts(&texts.references, &mut texts.room, KEPT + 1, keep)?;
        }
        if binaries.count > 0 {
            let keep =
                |number: usize, bytes: &[u8]| keep(&mut of_binaries[number * WORDS..], bytes);
            from.get_binaries(&binaries.references, &mut binaries.room, KEPT + 1, keep)?;
        }
        Ok(())
    }
}

pub(super) fn keep(words: &mut [u64], bytes: &[u8]) {
    words[0] = bytes.len() as u64;
    let kept = &bytes[..bytes.len().min(KEPT)];
    for (word, bytes) in words[1..WORDS].iter_mut().zip(kept.chunks(WORD)) {
        let mut whole = [0; WORD];
        whole[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(whole);
    }
}

pub(super) fn is_cut(words: &[u64]) -> bool {
    words[0] > KEPT as u64
}

pub(super) fn kept(words: &[i64]) -> Vec<u8> {
    let (length, words) = words.split_first().map_or((0, words), |(length, words)| {
        (usize::try_from(*length).unwrap_or(0).min(KEPT), words)
    });
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(length);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_up_to_a_bound() {
        for length in [0, 1, 8, 63, 64, 65] {
            let bytes: Vec<u8> = (1..=length).collect();
            let mut words = [7; WORDS];
            keep(&mut words, &bytes);
            assert_eq!(is_cut(&words), bytes.len() > KEPT);
            let bits = words.map(u64::cast_signed);
            assert_eq!(kept(&bits), bytes[..bytes.len().min(KEPT)]);
        }
        assert!(kept(&[i64::MIN, 1]).is_empty() && kept(&[]).is_empty());
    }
}
