//! Sets of logical CPUs.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ParseError;

/// A set of logical CPU numbers, typed and printed as the kernel does: `0-3,5`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CpuSet(BTreeSet<usize>);

/// Largest CPU number that is accepted; the kernel's own limit is 8192.
const HIGHEST: usize = 8191;

impl CpuSet {
    /// Returns a set of one CPU.
    pub fn one(cpu: usize) -> Self {
        Self(BTreeSet::from([cpu]))
    }

    /// Iterates over the CPU numbers in rising order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied()
    }

    /// `CPU 1`, `CPUs 0-3,5`.
    pub fn in_words(&self) -> String {
        format!("{} {self}", if self.len() == 1 { "CPU" } else { "CPUs" })
    }

    /// Returns the number of CPUs in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the set contains no CPU.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the set contains `cpu`.
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(&cpu)
    }

    /// Returns the CPUs of this set that are not in `other`.
    pub fn without(&self, other: &Self) -> Self {
        Self(self.0.difference(&other.0).copied().collect())
    }

    /// Returns the CPUs of both sets.
    pub fn with(&self, other: &Self) -> Self {
        Self(self.0.union(&other.0).copied().collect())
    }

    /// Reads the kernel's mask: hexadecimal digits, the highest first, with commas between groups.
    pub fn of_mask(text: &str) -> Option<Self> {
        let digits = text.chars().rev().filter(|sign| *sign != ',').map(|sign| sign.to_digit(16));
        let digits: Vec<u32> = digits.collect::<Option<_>>()?;
        let has = |cpu: &usize| digits[cpu / 4] & 1 << (cpu % 4) != 0;
        Some((0..4 * digits.len()).filter(has).collect())
    }

    /// Formats the set as the kernel's mask: groups of 32 CPUs in hexadecimal, the highest first.
    pub fn mask(&self) -> String {
        let highest = self.iter().last().unwrap_or(0) / 32;
        let group = |group: usize| {
            let of_group = self.iter().filter(|cpu| cpu / 32 == group);
            let bits = of_group.fold(0u32, |bits, cpu| bits | 1 << (cpu % 32));
            if group == highest { format!("{bits:x}") } else { format!("{bits:08x}") }
        };
        (0..=highest).rev().map(group).collect::<Vec<String>>().join(",")
    }
}

impl FromIterator<usize> for CpuSet {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        Self(cpus.into_iter().collect())
    }
}

impl FromStr for CpuSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let refused = |part: &str, why: &str| {
            ParseError::new(format!("`{part}` {why}; expected CPU numbers such as 1 or 0-3,5"))
        };
        let number = |part: &str| match part.parse::<usize>() {
            Ok(cpu) if cpu <= HIGHEST => Ok(cpu),
            Ok(_) => Err(refused(part, "is beyond any CPU")),
            Err(_) => Err(refused(part, "is not a CPU number")),
        };
        let mut cpus = BTreeSet::new();
        for part in text.trim().split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                None => (number(part)?, number(part)?),
            };
            if first > last {
                return Err(refused(part, "runs backwards"));
            }
            cpus.extend(first..=last);
        }
        Ok(Self(cpus))
    }
}

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for cpu in self.iter() {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == cpu => *last = cpu,
                _ => ranges.push((cpu, cpu)),
            }
        }
        for (index, (first, last)) in ranges.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match last - first {
                0 => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl Serialize for CpuSet {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CpuSet {
    /// Reads what `FromStr` reads, and the empty text as the empty set; users cannot type the empty
    /// set.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match String::deserialize(from)?.as_str() {
            "" => Ok(Self::default()),
            text => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_read_and_printed() {
        for (typed, printed) in [("1", "1"), ("0-3,5", "0-3,5"), ("3,1,2", "1-3"), ("7,7", "7")] {
            assert_eq!(typed.parse::<CpuSet>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn masks_are_written_as_the_kernel_reads_them_and_read_back() {
        for (cpus, text) in
            [("0", "1"), ("0-3,5", "2f"), ("1,33", "2,00000002"), ("3,31-33", "3,80000008")]
        {
            let cpus: CpuSet = cpus.parse().unwrap();
            assert_eq!(cpus.mask(), text);
            assert_eq!(CpuSet::of_mask(text), Some(cpus));
        }
        assert_eq!(CpuSet::of_mask("00000003"), Some(CpuSet::from_iter([0, 1])));
        assert_eq!(CpuSet::of_mask("nonsense"), None);
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for (text, reason) in [
            ("1-0", "`1-0` runs backwards"),
            ("", "`` is not a CPU number"),
            ("a", "`a` is not a CPU number"),
            ("0-99999999", "is beyond any CPU"),
            ("-1", "`` is not a CPU number"),
        ] {
            let error = text.parse::<CpuSet>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
