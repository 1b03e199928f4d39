//! Odd inputs: valid ones with a few changes, which are the same for the same seed.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

/// Environment variable with the number of cases for all tests of this kind: `STEADFAST_CASES`.
/// Without it, each test tries as many as a build can afford.
const CASES: &str = "STEADFAST_CASES";
const SEED: &str = "STEADFAST_SEED";
/// Numbers that are likely to cause errors.
const EDGES: [i64; 16] = [
    0,
    1,
    -1,
    2,
    63,
    64,
    255,
    1 << 16,
    i32::MAX as i64,
    u32::MAX as i64,
    1 << 53,
    1 << 60,
    1 << 62,
    i64::MAX - 1,
    i64::MAX,
    i64::MIN,
];
/// Texts that are likely to cause errors.
const TEXTS: [&str; 14] = [
    "",
    " ",
    "\0",
    "\n",
    "\u{1b}[2J",
    "\u{202e}",
    "=cmd|x",
    "</script>",
    "\"'`$(x)",
    "-1",
    "1e999",
    "99999999999999999999999999",
    "\u{1F980}",
    "nan",
];

/// A random number generator (splitmix64: Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub struct Odd(u64);

impl Odd {
    /// Creates the generator of one case.
    pub fn of(seed: u64, case: u64) -> Self {
        let mut odd = Self(seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        odd.draw();
        odd
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up, below 1.
    pub fn uniform(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number below `end`, which is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.draw() % end as u64) as usize
    }

    /// Returns true once in `times` calls on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Returns a whole number: an extreme value, one near another, or any.
    pub fn number(&mut self, near: i64) -> i64 {
        match self.below(4) {
            0 => near.wrapping_add(self.below(5) as i64 - 2),
            1 => near.wrapping_mul(self.below(2000) as i64 - 1000),
            2 => self.draw() as i64 >> self.below(64),
            _ => *self.one_of(&EDGES),
        }
    }

    /// Returns another text to replace this one.
    pub fn text(&mut self, before: &str) -> String {
        let odd = *self.one_of(&TEXTS);
        match self.below(6) {
            0 => odd.to_owned(),
            1 => format!("{before}{odd}"),
            2 => format!("{odd}{before}"),
            3 => before.repeat(self.below(4)),
            4 => self.number(1).to_string(),
            _ => before.chars().take(self.below(before.len() + 1)).collect(),
        }
    }

    /// Changes bytes: flips, cuts, repeats, and replaces them by numbers.
    pub fn bytes(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            if bytes.is_empty() {
                return;
            }
            let at = self.below(bytes.len());
            match self.below(6) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes[at] = self.draw() as u8,
                2 => bytes.truncate(at),
                3 => drop(bytes.drain(at..(at + 1 + self.below(16)).min(bytes.len()))),
                4 => {
                    let end = (at + 1 + self.below(64)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
                _ => {
                    let number = self.number(1).to_le_bytes();
                    let width = *self.one_of(&[1, 2, 4, 8]);
                    let end = (at + width).min(bytes.len());
                    bytes[at..end].copy_from_slice(&number[..end - at]);
                }
            }
        }
    }

    /// Returns an input like these, with a few changes: of its bytes, of its words, or with parts of
    /// another. It has at most `longest` bytes.
    pub fn input(&mut self, like: &[Vec<u8>], longest: usize) -> Vec<u8> {
        let mut input = self.one_of(like).clone();
        for _ in 0..=self.below(3) {
            match self.below(8) {
                0..=2 => self.bytes(&mut input),
                3 => {
                    let (cut, other) = (self.below(input.len() + 1), self.one_of(like));
                    input.truncate(cut);
                    input.extend_from_slice(&other[self.below(other.len() + 1)..]);
                }
                _ => self.words(&mut input, like),
            }
        }
        input.truncate(longest);
        input
    }

    /// Replaces, repeats or removes a word or a mark; or inserts a word of another input.
    fn words(&mut self, input: &mut Vec<u8>, like: &[Vec<u8>]) {
        let Some((from, to)) = self.word(input) else { return };
        let other = self.one_of(like).clone();
        let word = match (self.below(8), self.word(&other)) {
            (0, _) => Vec::new(),
            (1, _) => input[from..to].repeat(2 + self.below(3)),
            (2, _) => self.number(1).to_string().into_bytes(),
            (3..5, _) | (_, None) => {
                self.text(&String::from_utf8_lossy(&input[from..to])).into_bytes()
            }
            (_, Some((from, to))) => other[from..to].to_vec(),
        };
        input.splice(from..to, word);
    }

    /// Returns where a word or a mark is: letters and digits, or one other byte.
    fn word(&mut self, text: &[u8]) -> Option<(usize, usize)> {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
        let at = (!text.is_empty()).then(|| self.below(text.len()))?;
        if !is_letter(&text[at]) {
            return Some((at, at + 1));
        }
        let before = text[..at].iter().rev().take_while(|byte| is_letter(byte)).count();
        let after = text[at..].iter().take_while(|byte| is_letter(byte)).count();
        Some((at - before, at + after))
    }

    /// Changes one value somewhere in a document.
    pub fn value(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() && !self.once_in(8) => {
                let at = self.below(fields.len());
                let name = fields.keys().nth(at).cloned().unwrap_or_default();
                match self.below(8) {
                    0 => drop(fields.remove(&name)),
                    1 => {
                        let moved = fields.remove(&name).unwrap_or_default();
                        fields.insert(self.text(&name), moved);
                    }
                    _ => self.value(&mut fields[&name]),
                }
            }
            Value::Array(values) if !values.is_empty() && !self.once_in(8) => {
                let at = self.below(values.len());
                match self.below(8) {
                    0 => drop(values.remove(at)),
                    1 => values.push(values[at].clone()),
                    _ => self.value(&mut values[at]),
                }
            }
            other => *other = self.other(other),
        }
    }

    /// Changes one value somewhere in a part of a document, if the part can still be parsed.
    pub fn part<T: Serialize + DeserializeOwned>(&mut self, part: &mut T) {
        let mut value = serde_json::to_value(&*part).expect("the part is plain data");
        self.value(&mut value);
        if let Ok(changed) = serde_json::from_value(value) {
            *part = changed;
        }
    }

    fn other(&mut self, before: &Value) -> Value {
        match (self.below(8), before) {
            (0, _) => Value::Null,
            (1, _) => Value::Bool(self.once_in(2)),
            (2, _) => Value::Array(vec![before.clone(); self.below(3)]),
            (3, _) => Number::from_f64(*self.one_of(&[0.5, -1.0, 1e300, f64::MIN_POSITIVE]))
                .map_or(Value::Null, Value::Number),
            (4, _) => self.draw().into(),
            (_, Value::String(text)) => self.text(text).into(),
            (_, before) => self.number(before.as_i64().unwrap_or(1)).into(),
        }
    }
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Returns the number of cases: this one, or what `STEADFAST_CASES` says.
pub(crate) fn cases(usual: u64) -> u64 {
    number(CASES).unwrap_or(usual)
}

/// Returns what selects the cases.
pub(crate) fn seed() -> u64 {
    number(SEED).unwrap_or(1)
}

/// Tries this many odd cases, or as many as `STEADFAST_CASES` says. A failure names its case, which
/// can be repeated alone with `STEADFAST_SEED` and `STEADFAST_CASE`.
pub fn try_odd(usual: u64, mut case: impl FnMut(&mut Odd)) {
    let seed = seed();
    let cases = match number("STEADFAST_CASE") {
        Some(alone) => alone..alone + 1,
        None => 0..cases(usual),
    };
    for at in cases {
        let tried = catch_unwind(AssertUnwindSafe(|| case(&mut Odd::of(seed, at))));
        if let Err(panic) = tried {
            crate::skipped::say(&format!(
                "STEADFAST_SEED={seed} STEADFAST_CASE={at} makes it again"
            ));
            resume_unwind(panic);
        }
    }
}
