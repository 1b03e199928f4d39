//! Xenomai's `latency`: its text. Its lines of results are those of latmus, which descends from it.

use crate::Flaw;
use crate::format::Format;
use crate::histogram::Histogram;
use crate::number::{count, scaled};
use crate::results::{
    EXPONENT, FINAL, add_head, cells, finished, has_end, has_results, heads, is_of_latmus,
    read_results, row,
};
use crate::runs::cut_off;
use crate::stated::Stated;

pub(super) const FORMAT: Format = Format {
    tool: NAME,
    files: "text, with `-h` too",
    once: &["== Sampling period:", FINAL, "HSS|    avg|"],
    recognises: |content| {
        content.lines().is_some_and(|lines| {
            let mut heads = heads(lines).peekable();
            let is_own = heads.peek().is_none() || heads.any(|head| !is_of_latmus(head));
            has_results(lines) && is_own
        })
    },
    read: |content, _| read(content.lines().unwrap_or_default()),
};

const NAME: &str = "Xenomai's latency";
fn read(lines: &[&str]) -> Result<Stated, Flaw> {
    let mut stated =
        Stated { tool: NAME.to_owned(), measurement: "xenomai_latency", ..Stated::default() };
    let head = heads(lines).next();
    let cpu = head.and_then(|head| add_head(&mut stated, head));
    let (histogram, others) = read_results(lines)?;
    let bins = avg_bins(lines)?;
    let samples = bins.iter().try_fold(0u64, |all, (_, count)| all.checked_add(*count));
    let has_bins = !bins.is_empty();
    if has_bins {
        expect_all_bins(lines, samples)?;
        if !has_end(lines) {
            return Err(cut_off("line `RTS|`"));
        }
        stated.warn(
            "the histogram counts negative latencies as positive ones, and its last bin has everything above it; the size \
             of its bins (`-B`, 1 us by default) is not stated, and was taken as 1 us",
            "use it for positive latencies and the default size only",
        );
    }
    if head.is_none() {
        stated.warn(
            "the text has no head (`RTT|`): latmus ends with the same lines",
            "check which of the two wrote the file",
        );
    }
    stated.warn(
        "the average is the mean of the means of each second, cut to whole nanoseconds",
        "do not compare averages that differ by a nanosecond",
    );
    stated.rows.push(row(
        cpu,
        samples.filter(|_| has_bins),
        Histogram { bins, is_open: true, ..histogram },
        others,
    )?);
    Ok(finished(stated, lines))
}

/// Returns the bins of all samples: lines such as `HSD|    avg|   3 -  4 |      997`.
fn avg_bins(lines: &[&str]) -> Result<Vec<(i64, u64)>, Flaw> {
    let mut bins = Vec::new();
    for line in lines {
        let cells = cells(line);
        let ["HSD", "avg", range, counted] = cells.as_slice() else { continue };
        let from = range.split('-').next().unwrap_or_default().trim();
        let value = scaled("a bin of its histogram", from, EXPONENT)?;
        bins.push((value.round() as i64, count("a count of its histogram", counted)?));
    }
    bins.sort_unstable();
    Ok(bins)
}

/// Refuses bins without their sum, which follows them: `HSS|    avg|      2000|      1.891|      0.642`.
fn expect_all_bins(lines: &[&str], counted: Option<u64>) -> Result<(), Flaw> {
    let sums = lines.iter().map(|line| cells(line));
    let sum = sums.into_iter().find(|cells| cells.starts_with(&["HSS", "avg"]));
    let sum = sum.ok_or_else(|| cut_off("line `HSS|    avg|`"))?;
    let stated = count("the sum of its histogram", sum.get(2).copied().unwrap_or_default())?;
    match counted == Some(stated) {
        true => Ok(()),
        false => {
            Err(Flaw::new(format!("its bins do not have the {stated} samples of `HSS|    avg|`")))
        }
    }
}
