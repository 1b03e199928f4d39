//! latmus of EVL: its text, and the histogram of `-g`.

use base::Nanos;
use record::{Fact, Value as Parameter, fact};
use serde_json::Value;

use crate::Flaw;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::number::{count, scaled};
use crate::results::{
    self, EXPONENT, FINAL, SECOND, finished, has_end, has_results, heads, is_of_latmus,
    read_results, warn_of_modes,
};
use crate::runs::{cut_off, several};
use crate::stated::Stated;
use crate::text::after;

pub(super) const FORMAT: Format = Format {
    tool: NAME,
    files: "text; the file of `-g` (since 2019)",
    once: &[
        FINAL,
        "# libevl version:",
        "# sampling period:",
        "# context:",
        "# duration (hhmmss):",
        MIN,
        AVG,
        MAX,
    ],
    recognises: |content| {
        content.lines().is_some_and(|lines| {
            (has_results(lines) && heads(lines).any(is_of_latmus)) || after(lines, MIN).is_some()
        })
    },
    read: |content, _| read(content.lines().unwrap_or_default()),
};

const NAME: &str = "latmus";
const SAMPLES: &str = "# sample count:";
const MIN: &str = "# min latency:";
const AVG: &str = "# avg latency:";
const MAX: &str = "# max latency:";

fn read(lines: &[&str]) -> Result<Stated, Flaw> {
    let mut stated = Stated { tool: NAME.to_owned(), measurement: "latmus", ..Stated::default() };
    let cpu = heads(lines).next().and_then(|head| results::add_head(&mut stated, head));
    let Some(at) = lines.iter().position(|line| line.starts_with(MIN)) else {
        let (histogram, others) = read_results(lines)?;
        stated.rows.push(results::row(cpu, None, histogram, others)?);
        return Ok(finished(stated, lines));
    };
    let samples = after(lines, SAMPLES).map(|words| count_of(SAMPLES, &words)).transpose()?;
    let (histogram, others) = plot(lines, samples)?;
    if has_results(lines) {
        expect_plot_within(lines, at, &histogram)?;
    }
    let counted = histogram.bins.iter().try_fold(0u64, |all, (_, count)| all.checked_add(*count));
    let cpu = add_conditions(&mut stated, lines).or(cpu);
    stated.rows.push(results::row(cpu, samples.or(counted), histogram, others)?);
    stated.warn(
        "the histogram counts negative latencies as positive ones, and its last bin has everything above it",
        "use it for positive latencies only",
    );
    warn_of_modes(&mut stated);
    Ok(stated)
}

/// Refuses a histogram that is not of the run whose lines of results are around it, as with `-g` without a file.
fn expect_plot_within(lines: &[&str], at: usize, histogram: &Histogram) -> Result<(), Flaw> {
    let (before, rest) = lines.split_at(at);
    let is_within = !has_end(before) && !rest.iter().any(|line| line.starts_with(SECOND));
    let (run, _) = read_results(lines)?;
    match is_within && (run.min_ns, run.max_ns) == (histogram.min_ns, histogram.max_ns) {
        true => Ok(()),
        false => Err(several("lines of results and a histogram")),
    }
}

/// Adds what the head of a histogram states. Returns the CPU.
fn add_conditions(stated: &mut Stated, lines: &[&str]) -> Option<u64> {
    let stated_as = |begin: &str| after(lines, begin).filter(|words| !words.is_empty());
    if let Some(context) = stated_as("# context:") {
        stated.parameters.set("mode", Parameter::Word(context.join(" ")));
    }
    let number = |begin: &str| stated_as(begin)?.first()?.parse::<u64>().ok();
    if let Some(us) = number("# sampling period:") {
        stated.parameters.set("interval", Parameter::Time(Nanos(us.saturating_mul(1000))));
    }
    if let Some(priority) = number("# thread priority:") {
        stated.parameters.set("priority", Parameter::Count(priority));
    }
    if let Some(time) = stated_as("# duration (hhmmss):") {
        stated.parameters.set("duration", Parameter::Word(time.join(" ")));
    }
    stated.version = stated_as("# libevl version:").map(|words| words.join(" "));
    if let Some(release) = stated_as("# Linux version") {
        stated.machine.kernel_release = release[0].to_owned();
    }
    let affinity = stated_as("# thread affinity:")?;
    affinity[0].strip_prefix("CPU")?.trim_end_matches("-noisol").parse().ok()
}

/// Reads the histogram's file: lines such as `# min latency: 1.182`, then a line per bin, `2 998`. The last bin, which may
/// be marked as `199+`, has everything above it.
fn plot(lines: &[&str], samples: Option<u64>) -> Result<(Histogram, Vec<(Fact, Value)>), Flaw> {
    let time = |begin: &str| {
        let words = after(lines, begin).ok_or_else(|| cut_off(&format!("line `{begin}`")))?;
        scaled(&format!("`{begin}`"), words.first().copied().unwrap_or_default(), EXPONENT)
    };
    let (min_ns, mean_ns, max_ns) = (time(MIN)?, time(AVG)?, time(MAX)?);
    let mut bins = Vec::new();
    let mut is_marked = false;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [value, counted] = words.as_slice() else { continue };
        if !value.starts_with(|sign: char| sign.is_ascii_digit()) {
            continue;
        }
        is_marked = value.ends_with('+');
        let ns = scaled("a bin of its histogram", value.trim_end_matches('+'), EXPONENT)?;
        bins.push((ns.round() as i64, count("a count of its histogram", counted)?));
    }
    let (last, _) = *bins.last().ok_or_else(|| cut_off("its histogram"))?;
    if !is_marked && (last as f64) + 1e3 <= max_ns {
        return Err(cut_off("the bin of its largest latency"));
    }
    take_back(&mut bins, samples);
    // Only written if there are any.
    let counted = |begin: &str| after(lines, begin).map_or(Ok(0), |words| count_of(begin, &words));
    let others = vec![
        (fact::FILE_OVERRUNS, Value::from(counted("# OVERRUNS:")?)),
        (fact::FILE_MODE_SWITCHES, Value::from(counted("# IN-BAND SWITCHES:")?)),
    ];
    let extremes = [min_ns, mean_ns, max_ns].map(Some);
    let [min_ns, mean_ns, max_ns] = extremes;
    Ok((Histogram { bins, min_ns, mean_ns, max_ns, is_open: true, ..Histogram::default() }, others))
}

fn count_of(begin: &str, words: &[&str]) -> Result<u64, Flaw> {
    count(&format!("`{begin}`"), words.first().copied().unwrap_or_default())
}

/// Takes back the sample too many that versions before June 2020 write into each bin, or each but the last: where the
/// number of samples is `stated`, the bins then have so many.
fn take_back(bins: &mut [(i64, u64)], stated: Option<u64>) {
    let number = bins.len() as u64;
    let counted = bins.iter().fold(0u64, |all, (_, count)| all.saturating_add(*count));
    let surplus = stated.map_or(number, |stated| counted.saturating_sub(stated));
    if surplus == number || surplus + 1 == number {
        let too_many = bins.iter_mut().take(surplus as usize);
        too_many.for_each(|(_, count)| *count = count.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: [&str; 3] = ["# min latency: 1.2", "# avg latency: 1.3", "# max latency: 3.9"];

    fn bins(samples: Option<u64>, rest: &[&str]) -> Result<Vec<(i64, u64)>, Flaw> {
        plot(&[&HEAD, rest].concat(), samples).map(|(histogram, _)| histogram.bins)
    }

    #[test]
    fn the_sample_too_many_is_taken_back_where_there_is_one() {
        let expected = vec![(1_000, 90), (2_000, 0), (3_000, 10)];
        for (samples, rest) in [
            (Some(100), ["1 90", "2 0", "3 10"]),
            (Some(100), ["1 91", "2 1", "3 10"]),
            (Some(100), ["1 91", "2 1", "3 11"]),
            (None, ["1 91", "2 1", "3 11"]),
        ] {
            assert_eq!(bins(samples, &rest).unwrap(), expected, "{rest:?}");
        }
        assert_eq!(bins(Some(9), &["2+ 9"]).unwrap(), [(2_000, 9)]);
        assert_eq!(bins(Some(50), &["1 40", "3 7"]).unwrap(), [(1_000, 40), (3_000, 7)]);
    }

    #[test]
    fn a_histogram_that_ends_before_the_largest_latency_is_refused() {
        assert!(bins(Some(100), &["1 90", "2 0"]).is_err());
    }
}
