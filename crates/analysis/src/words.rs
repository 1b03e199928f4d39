//! Formatting of numbers for people.

use std::time::{Duration, UNIX_EPOCH};

use base::Nanos;
pub use base::{counted, grouped};
use record::{Axis, Size, Value};

/// Units of time from small to large: name and length in nanoseconds.
pub const UNITS: [(&str, f64); 4] = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];

/// Formats a time with three significant digits and a fitting unit: `42.1 µs`.
pub fn time(ns: f64) -> String {
    match fitting(ns) {
        Some((unit, length)) => format!("{} {unit}", time_in(ns, *length)),
        None => long_time(ns),
    }
}

/// Formats the ends of a range of times: `42.1 µs to 1.2 ms`, one time if both look alike.
pub fn time_range(ends_ns: [f64; 2]) -> String {
    let [shortest, longest] = ends_ns.map(time);
    if shortest == longest { longest } else { format!("{shortest} to {longest}") }
}

/// Formats the ends of a range of counts: `3 to 5 draws`, `5 draws` if both are equal.
pub fn counted_range([fewest, most]: [usize; 2], thing: &str) -> String {
    let fewer = if fewest < most { format!("{fewest} to ") } else { String::new() };
    fewer + &counted(most, thing)
}

/// Says how often the runs of a plan were made in the lab: `10 runs`, `5 draws of 2 runs`.
pub fn draws_of_runs(draws: usize, runs: usize) -> String {
    let runs = counted(runs, "run");
    match draws {
        1 => runs,
        draws => format!("{} of {runs}", counted(draws, "draw")),
    }
}

/// Formats a time like [`time`]; if it is above a limit, with as many digits as it takes to show that:
/// `10.05 ms` beyond 10 ms.
pub fn time_beyond(ns: f64, limit_ns: f64) -> String {
    let Some((unit, length)) = fitting(ns).filter(|_| ns > limit_ns) else { return time(ns) };
    let digits = (2..9).find(|digits| rounded_to(ns, *digits) > limit_ns).unwrap_or(9);
    format!("{} {unit}", plain(rounded_to(ns, digits) / length))
}

/// The nanoseconds of the unit of a time; `None` for minutes or more, which have two units.
pub fn unit(ns: f64) -> Option<f64> {
    fitting(ns).map(|(_, length)| *length)
}

/// Converts a time to a unit of `unit_ns` nanoseconds: -194 ns are `-0.194` in 1000 ns.
pub fn time_in(ns: f64, unit_ns: f64) -> String {
    plain(significant(ns) / unit_ns)
}

fn fitting(ns: f64) -> Option<&'static (&'static str, f64)> {
    let rounded = significant(ns).abs();
    let unit = UNITS.iter().rev().find(|(_, length)| rounded >= *length);
    (rounded < 100e9).then(|| unit.unwrap_or(&UNITS[0]))
}

/// Formats a time of minutes or more in whole seconds: `2 min 5 s`.
fn long_time(ns: f64) -> String {
    if ns < 0.0 {
        return format!("-{}", long_time(-ns));
    }
    let seconds = (ns / 1e9).round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes, seconds) {
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, 0, _) => format!("{} h", grouped(hours)),
        (hours, minutes, _) => format!("{} h {minutes} min", grouped(hours)),
    }
}

/// Says why there is no figure, unless it is obvious.
pub fn unavailable(why: &str) -> String {
    match why.starts_with("not applicable") {
        true => why.to_owned(),
        false => format!("not available: {why}"),
    }
}

/// A size of a model with its unit: `57 000 masses`.
pub fn size(unit: Size, count: u64) -> String {
    format!("{} {}", grouped(count), unit.unit(count))
}

/// A place on an axis without its unit: `57 000`, `2 400`, `2.5`.
pub fn bare(axis: &Axis, place: u64) -> String {
    match axis {
        Axis::Setting(setting) => setting.value(place).to_string(),
        _ => grouped(place),
    }
}

/// A place on an axis: `57 000 masses`, `2 400 Hz`, `k = 2.5`.
pub fn place(axis: &Axis, place: u64) -> String {
    let (unit, bare) = (axis.unit(place), bare(axis, place));
    match axis {
        Axis::Setting(_) => format!("{unit} = {bare}"),
        _ => format!("{bare} {unit}"),
    }
}

/// A place on an axis and a number of threads: `57 000 masses on 2 threads`.
pub fn on(axis: &Axis, at: u64, threads: u64) -> String {
    format!("{} on {}", place(axis, at), counted(threads as usize, "thread"))
}

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Separates the thousands of long sizes in a row's label. Other numbers belong to a name, such as
/// that of a file, a task or a port, and stay as they are.
pub fn label(label: &str) -> String {
    const LONG: usize = 5;
    let words: Vec<&str> = label.split(' ').collect();
    let is_size = |at: usize| {
        let mut units = [Size::MASSES, Size::INSTANCES].iter().map(|size| size.many);
        let next = words.get(at + 1);
        next.is_some_and(|word| units.any(|unit| word.starts_with(unit)))
    };
    let word = |(at, word): (usize, &&str)| match word.parse() {
        Ok(number) if word.len() >= LONG && is_size(at) => grouped(number),
        _ => (*word).to_owned(),
    };
    words.iter().enumerate().map(word).collect::<Vec<String>>().join(" ")
}

/// Formats microseconds, with fewer decimals for larger values, padded with digit-wide spaces so
/// that the points of a column align: `0.391`, `33 347.0`.
pub fn micros(ns: f64) -> String {
    let decimals = match ns.abs() {
        ..10e3 => 3,
        ..1e6 => 2,
        _ => 1,
    };
    let fill = "\u{2007}".repeat(3 - decimals);
    fixed_micros(ns, decimals) + &fill
}

/// Formats microseconds with a fixed number of decimals.
fn fixed_micros(ns: f64, decimals: usize) -> String {
    let scale = 10f64.powi(decimals as i32);
    let scaled = (ns.abs() / 1e3 * scale).round();
    let sign = if ns < 0.0 && scaled > 0.0 { "−" } else { "" };
    let whole = grouped((scaled / scale) as u64);
    match decimals {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{:0decimals$}", (scaled % scale) as u64),
    }
}

/// Formats microseconds for narrow columns, about as exactly: `0.42`, `35.7`, `2 739`.
pub fn brief_micros(ns: f64) -> String {
    let decimals = match ns.abs() {
        ..10e3 => 2,
        ..1e6 => 1,
        _ => 0,
    };
    fixed_micros(ns, decimals)
}

/// Formats a quantity with three significant digits and a word for its magnitude: `44.1 million`.
pub fn quantity(number: f64) -> String {
    let rounded = significant(number);
    for (word, size) in [(" billion", 1e9), (" million", 1e6)] {
        if rounded.abs() >= size {
            return format!("{}{word}", plain(rounded / size));
        }
    }
    match rounded.abs() {
        size @ 1e3.. if rounded < 0.0 => format!("-{}", grouped(size as u64)),
        1e3.. => grouped(rounded as u64),
        _ => plain(rounded),
    }
}

/// Formats a ratio: with two decimals near 1, and very large ones by their order of magnitude.
pub fn times(ratio: f64) -> String {
    match ratio {
        ..0.01 => "<0.01".to_owned(),
        0.01..0.1 => format!("{ratio:.3}"),
        0.1..9.995 => format!("{ratio:.2}"),
        9.995..99.95 => format!("{ratio:.1}"),
        99.95..1e3 => format!("{ratio:.0}"),
        _ => ">1000".to_owned(),
    }
}

/// Formats a share as percent with three significant digits: `1.5 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", plain(significant(share * 100.0)))
}

/// Formats a power with three significant digits: `1.9 W`.
pub fn watts(watts: f64) -> String {
    format!("{} W", plain(significant(watts)))
}

/// An amount of memory: `7.7 GiB`.
pub fn bytes(number: u64) -> String {
    let sizes = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match sizes.iter().find(|(_, size)| number >= *size) {
        Some((unit, size)) => {
            format!("{} {unit}", plain(significant(number as f64 / *size as f64)))
        }
        None => format!("{number} bytes"),
    }
}

/// The value of a parameter: `57 000`, `1 ms`, `100 Hz`.
pub fn value(value: &Value) -> String {
    match value {
        Value::Time(Nanos(ns)) => time(*ns as f64),
        Value::Count(count) => grouped(*count),
        Value::Number(number) => number.to_string(),
        Value::Percent(percent) => format!("{percent} %"),
        Value::Rate(rate) => format!("{} Hz", quantity(rate.hertz())),
        Value::Word(word) => word.clone(),
    }
}

/// A point in time for JSON: `2026-03-01T12:30:05.250Z`.
pub fn rfc3339(unix_ns: u64) -> String {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_nanos(unix_ns)).to_string()
}

/// A point in time for people: `2026-03-01 12:30:05 UTC`.
pub fn moment(unix_ns: u64) -> String {
    let text = humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_nanos(unix_ns));
    text.to_string().replace('T', " ").replace('Z', " UTC")
}

/// `one, two and three`.
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn significant(number: f64) -> f64 {
    rounded_to(number, 2)
}

/// Rounds a number to its first digit and this many more.
fn rounded_to(number: f64, more: i32) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let scale = 10f64.powi(more - number.abs().log10().floor() as i32);
    (number * scale).round() / scale
}

/// Formats a rounded number without the noise of binary fractions.
fn plain(number: f64) -> String {
    format!("{number:.6}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        for (ns, text) in [
            (0.0, "0 ns"),
            (20.64, "20.6 ns"),
            (999.9, "1 µs"),
            (359_214.0, "359 µs"),
            (-1_234.0, "-1.23 µs"),
            (1e6, "1 ms"),
            (3.2e9, "3.2 s"),
            (125e9, "2 min 5 s"),
            (3.6e12, "1 h"),
            (9e15, "2 500 h"),
            (-7.5e12, "-2 h 5 min"),
        ] {
            assert_eq!(time(ns), text);
        }
    }

    #[test]
    fn a_time_beyond_its_limit_looks_like_one() {
        let beyond = |ns| time_beyond(ns, 10e6);
        assert_eq!(beyond(10_049_000.0), "10.05 ms");
        assert_eq!(beyond(10_000_100.0), "10.0001 ms");
        assert_eq!(beyond(12_345_678.0), "12.3 ms");
        assert_eq!(beyond(9_999_999.0), "10 ms");
        assert_eq!(time_beyond(1.2e9, 1e6), "1.2 s");
    }

    #[test]
    fn microseconds_align_at_the_point() {
        assert_eq!(micros(391.0), "0.391");
        assert_eq!(micros(37_264.0), "37.26\u{2007}");
        assert_eq!(micros(33_347_000.0), "33 347.0\u{2007}\u{2007}");
        assert_eq!(micros(-2_500.0), "−2.500");
        assert_eq!(micros(-0.1), "0.000");
        let brief = [391.0, 37_264.0, 33_347_000.0, -2_500.0].map(brief_micros);
        assert_eq!(brief, ["0.39", "37.3", "33 347", "−2.50"]);
    }

    #[test]
    fn large_numbers_stay_readable() {
        assert_eq!(label("57000 masses, 2 threads"), "57 000 masses, 2 threads");
        assert_eq!(size(Size::MASSES, 57_000), "57 000 masses");
        assert_eq!(quantity(44_123_456.0), "44.1 million");
        assert_eq!(quantity(5_900.0), "5 900");
        assert_eq!(quantity(-5_900.0), "-5 900");
        assert_eq!(percent(0.015), "1.5 %");
        assert_eq!(percent(0.000_005), "0.0005 %");
        assert_eq!(bytes(8 << 30), "8 GiB");
    }

    #[test]
    fn numbers_that_belong_to_a_name_stay_as_they_are() {
        for name in ["model20240101.so", "hog 15882", "127.0.0.1:50000", "irq 12345, CPU 1"] {
            assert_eq!(label(name), name);
        }
    }

    #[test]
    fn ratios_are_short() {
        let written = [1e-5, 0.012_34, 0.996, 1.0, 3.456, 9.996, 12.345, 2e9].map(times);
        let short = ["<0.01", "0.012", "1.00", "1.00", "3.46", "10.0", "12.3", ">1000"];
        assert_eq!(written, short);
    }

    #[test]
    fn words_are_joined_as_in_a_sentence() {
        let words: Vec<String> = ["a", "b", "c"].map(String::from).into();
        assert_eq!(listed(&words), "a, b and c");
    }

    #[test]
    fn moments_are_utc() {
        assert_eq!(moment(1_000_000_000_000_000_000), "2001-09-09 01:46:40 UTC");
        assert_eq!(rfc3339(1_500_000_000), "1970-01-01T00:00:01.500Z");
    }
}
