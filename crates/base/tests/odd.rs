//! Odd words are a value or are refused.

use std::fmt::Display;
use std::str::FromStr;

use base::{CpuSet, Nanos, Number, Policy, Rate, Vicinity, shown, wrapped};
use testing::try_corpus;

const WORDS: [&str; 16] = [
    "250us",
    "1.5ms",
    "7d",
    "10min",
    "1e3s",
    "1kHz",
    "999.5Hz",
    "0-3,5,9-11",
    "fifo:80",
    "rr:1",
    "other:-5",
    "deadline:1ms/2ms/3ms",
    "00000000,0000ff03",
    "smt",
    "1e-3",
    "18446744073709551615",
];

/// Reads a word; if it has a meaning, its printed form can be read.
fn read<T: FromStr<Err: Display> + Display>(word: &str) {
    match word.parse::<T>() {
        Ok(value) => assert!(value.to_string().parse::<T>().is_ok(), "{value}"),
        Err(why) => assert!(!why.to_string().is_empty()),
    }
}

#[test]
fn odd_words_are_read_or_refused() {
    try_corpus(&WORDS, 5_000, |input| {
        let word = String::from_utf8_lossy(input);
        read::<Nanos>(&word);
        read::<Rate>(&word);
        read::<CpuSet>(&word);
        read::<Policy>(&word);
        read::<Vicinity>(&word);
        read::<Number>(&word);
        let _ = (Nanos::parse_seconds(&word), CpuSet::of_mask(&word));
        assert!(!shown(&word).contains('\u{1b}'));
        let _ = wrapped(&word, 40);
    });
}
