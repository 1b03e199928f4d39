//! Reading texts: lines of threads, and lines with one figure per thread.

use crate::Flaw;
use crate::number::count;
use crate::runs::{Progress, several};

/// What clears a screen.
pub(crate) const CLEARS: &str = "\u{1b}c";

/// Returns a line without control sequences at its start, such as cursor movements.
pub(crate) fn plain(line: &str) -> &str {
    if let Some(rest) = line.strip_prefix(CLEARS) {
        return plain(rest);
    }
    let Some(rest) = line.strip_prefix("\u{1b}[") else { return line };
    let end = rest.find(|sign: char| sign.is_ascii_alphabetic());
    end.map_or(line, |end| plain(&rest[end + 1..]))
}

/// Returns the words after the first line that begins so, as in `# Min Latencies: 00005 00006`.
pub(crate) fn after<'l>(lines: &[&'l str], begin: &str) -> Option<Vec<&'l str>> {
    let found = lines.iter().find_map(|line| plain(line).trim_start().strip_prefix(begin));
    found.map(|rest| rest.split_whitespace().collect())
}

/// Returns the value after a name and a colon, as in `P:80 I:1000 C:    500 Min:      7`.
pub(crate) fn value<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let begins = line.match_indices(name).find(|(at, _)| {
        let is_start = line[..*at].chars().next_back().is_none_or(char::is_whitespace);
        is_start && line[at + name.len()..].starts_with(':')
    });
    let (at, _) = begins?;
    line[at + name.len() + 1..].split_whitespace().next()
}

/// The newest line of each thread, with its number.
pub(crate) type Threads<'l> = Vec<(u64, &'l str)>;

/// Returns the newest line of each thread, in the order of their numbers: those that begin with `T: 0 (4711)`. What they
/// count is added to `progress`.
pub(crate) fn thread_lines<'l>(
    lines: &[&'l str],
    progress: &mut Progress,
) -> Result<Threads<'l>, Flaw> {
    let mut newest: Threads = Vec::new();
    for line in lines.iter().map(|line| plain(line)).filter(|line| is_thread(line)) {
        let number = count("the number of a thread", value(line, "T").unwrap_or_default())?;
        // cyclicdeadline, whose lines have no priority, takes a sample of 0 for none, so its minimum may rise.
        let has_minimum = ["P", "A"].iter().any(|name| value(line, name).is_some());
        add(progress, number, |name| value(line, name).filter(|_| has_minimum || name != "Min"))?;
        match newest.iter_mut().find(|(known, _)| *known == number) {
            Some((_, known)) if process(known).zip(process(line)).is_some_and(|(a, b)| a != b) => {
                return Err(several(&format!("two threads {number}")));
            }
            Some((_, known)) => *known = line,
            None => newest.push((number, line)),
        }
    }
    newest.sort_by_key(|(number, _)| *number);
    Ok(newest)
}

/// Adds what a thread has counted so far. Before its first cycle it has start values, such as a minimum of a second.
pub(crate) fn add<'l>(
    progress: &mut Progress,
    thread: u64,
    figure: impl Fn(&str) -> Option<&'l str>,
) -> Result<(), Flaw> {
    let cycles = figure("C");
    if cycles.is_some_and(|cycles| cycles.chars().all(|digit| digit == '0')) {
        return Ok(());
    }
    let name = |figure: &str| format!("`{figure}` of thread {thread}");
    progress.rises(name("C"), cycles)?;
    progress.falls(name("Min"), figure("Min"))?;
    progress.rises(name("Max"), figure("Max"))
}

/// Returns the number in brackets of a line of a thread, which differs between runs; `None` for 0, which is printed
/// before the thread has started.
fn process(line: &str) -> Option<&str> {
    let number = line.split_once('(')?.1.split_once(')')?.0.trim();
    Some(number).filter(|number| *number != "0")
}

pub(crate) fn is_thread(line: &str) -> bool {
    plain(line).starts_with("T:") && line.contains(" C:") && line.contains(" Min:")
}

/// Whether a line is one of a thread of cyclicdeadline: it has an interval, and no priority as those of cyclictest have.
pub(crate) fn is_of_deadline(line: &str) -> bool {
    let has = |name| value(plain(line), name).is_some();
    is_thread(line) && has("I") && !has("P")
}

/// Refuses a line that begins as only one line of a run does. A begin with a line feed is that of a whole line.
pub(crate) fn refuse_repeated(lines: &[&str], once: &[&str]) -> Result<(), Flaw> {
    for begin in once {
        let is_it = |line: &&&str| match begin.strip_suffix('\n') {
            Some(whole) => plain(line).trim() == whole,
            None => plain(line).trim_start().starts_with(begin),
        };
        let times = lines.iter().filter(is_it).count();
        if times > 1 {
            return Err(several(&format!("line `{}` {times} times", begin.trim_end())));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 4] = [
        "policy: fifo: loadavg: 3.10 2.41 1.87 7/116 11730",
        "T: 0 (11729) P:80 I:1000 C:     10 Min:   8188 Act:    8327 Avg:   11355 Max:   19545",
        "\u{1b}[2AT: 0 (11729) P:80 I:1000 C:     20 Min:   7787 Act:    8514 Avg:   10599 Max:   19545",
        "T: 1 (11730) A: 1 C:       904 Min:         4 Avg:   22.88 Max:      2397 \u{1b}[K",
    ];

    #[test]
    fn the_newest_line_of_each_thread_counts() {
        let threads = thread_lines(&LINES, &mut Progress::default()).unwrap();
        assert_eq!(threads.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(value(threads[0].1, "C"), Some("20"));
        assert_eq!(value(threads[0].1, "I"), Some("1000"));
        assert_eq!(value(threads[1].1, "Max"), Some("2397"));
        assert_eq!((value(threads[1].1, "P"), value(threads[1].1, "A")), (None, Some("1")));
        assert!(thread_lines(&["T: x (1) C: 1 Min: 2"], &mut Progress::default()).is_err());
    }

    #[test]
    fn a_line_that_a_run_has_once_is_refused_the_second_time() {
        let lines = ["# Histogram", "1 2", "# Histogram Overflows: 0", " # Histogram"];
        let why = refuse_repeated(&lines, &["# Total:", "# Histogram\n"]).unwrap_err().to_string();
        assert!(
            why.starts_with("it has line `# Histogram` 2 times: the output of several"),
            "{why}"
        );
        assert_eq!(refuse_repeated(&lines[..3], &["# Histogram\n"]), Ok(()));
        assert!(refuse_repeated(&lines[..3], &["# Histogram"]).is_err());
    }
}
