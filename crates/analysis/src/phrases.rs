//! The phrases that several subjects share: counts of misses, rates, machines.

use crate::words::{capital, counted, grouped, listed, percent, quantity, time};

pub fn joined(texts: impl Iterator<Item = String>, separator: &str) -> String {
    texts.collect::<Vec<String>>().join(separator)
}

/// `a, b and c`.
pub fn list(texts: impl Iterator<Item = String>) -> String {
    listed(&texts.collect::<Vec<String>>())
}

/// `None` for nothing: 0, an empty text, an empty list.
pub fn some<T: Default + PartialEq>(value: T) -> Option<T> {
    (value != T::default()).then_some(value)
}

pub fn maybe<T>(value: Option<T>, words: impl FnOnce(T) -> String) -> String {
    value.map_or_else(String::new, words)
}

pub fn ns(ns: impl Into<u64> + Copy) -> String {
    time(ns.into() as f64)
}

/// `1 kHz`, `100 Hz`.
pub fn hertz(rate: f64) -> String {
    match rate {
        1e6.. => format!("{} MHz", quantity(rate / 1e6)),
        1e3.. => format!("{} kHz", quantity(rate / 1e3)),
        _ => format!("{} Hz", quantity(rate)),
    }
}

pub fn on_machine(machine: Option<&String>) -> String {
    maybe(machine, |machine| format!(" on {machine}"))
}

pub fn threads(count: u64) -> String {
    counted(count as usize, "thread")
}

/// `missed none of 200`, `missed 12 of 200`.
pub fn missed(missed: u64, due: u64) -> String {
    format!("missed {}", share_of(missed, due))
}

/// `12 of 200 missed`.
pub fn number_missed(missed: u64, due: u64) -> String {
    format!("{} of {} missed", grouped(missed), grouped(due))
}

/// `missed 1 % (0.5 % to 2 %)`.
pub fn share_missed(shares: [f64; 3]) -> String {
    let [least, share, most] = shares.map(percent);
    format!("missed {share} ({least} to {most})")
}

/// `none of 200`, `7 of 200`.
pub fn share_of(some: u64, all: u64) -> String {
    let some = if some == 0 { "none".to_owned() } else { grouped(some) };
    format!("{some} of {}", grouped(all))
}

/// `46 runs`, `3 of 46 runs`.
pub fn of_all(some: usize, all: usize, thing: &str) -> String {
    let all_of_them = counted(all, thing);
    if some == all { all_of_them } else { format!("{some} of {all_of_them}") }
}

pub fn rate(period_ns: u64) -> String {
    hertz(1e9 / period_ns as f64)
}

pub fn warned(cause: &str, remedy: &str) -> String {
    format!("{}. Remedy: {remedy}.", capital(cause))
}
