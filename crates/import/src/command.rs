//! Command lines that files state.

/// A command line, in words.
pub(crate) struct Command(Vec<String>);

impl Command {
    pub(crate) fn of(line: &str) -> Self {
        Self(line.split_whitespace().map(str::to_owned).collect())
    }

    /// Returns the name of the program, without its folder.
    pub(crate) fn tool(&self) -> &str {
        let path = self.0.first().map_or("", String::as_str);
        path.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the value of an option, by its letter and its name: `-i 500`, `-i500`, `-qi 500`, `--interval=500`,
    /// `--interval 500`. Letters in `flags` take no value, so others may follow them. The last one counts.
    pub(crate) fn value(&self, flags: &str, letter: char, name: &str) -> Option<&str> {
        let words = self.0.iter().enumerate().skip(1);
        words.rev().find_map(|(place, word)| self.value_at(place, word, flags, letter, name))
    }

    fn value_at<'w>(
        &'w self,
        place: usize,
        word: &'w str,
        flags: &str,
        letter: char,
        name: &str,
    ) -> Option<&'w str> {
        let next = || self.0.get(place + 1).map(String::as_str);
        if let Some(long) = word.strip_prefix("--") {
            return match long.split_once('=') {
                Some((long, value)) => (long == name).then_some(value),
                None => (long == name).then(next).flatten(),
            };
        }
        let cluster = word.strip_prefix('-')?;
        let before = cluster.find(|found| found == letter || !flags.contains(found))?;
        let rest = cluster[before..].strip_prefix(letter)?;
        if rest.is_empty() { next() } else { Some(rest) }
    }

    /// Whether it has a flag, by its letter and its name.
    pub(crate) fn has(&self, flags: &str, letter: char, name: &str) -> bool {
        self.0.iter().skip(1).any(|word| match word.strip_prefix("--") {
            Some(long) => long == name,
            None => word.strip_prefix('-').is_some_and(|cluster| {
                let leading: String =
                    cluster.chars().take_while(|sign| flags.contains(*sign)).collect();
                leading.contains(letter)
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAGS: &str = "mqSN";

    #[test]
    fn options_are_read_in_every_spelling() {
        let interval = |line: &str| {
            let command = Command::of(line);
            command.value(FLAGS, 'i', "interval").map(str::to_owned)
        };
        for line in [
            "cyclictest -i 500",
            "/usr/bin/cyclictest -i500 -q",
            "cyclictest -mqi 500",
            "cyclictest --interval=500",
            "cyclictest --interval 500",
            "cyclictest -i 200 -i 500",
        ] {
            assert_eq!(interval(line).as_deref(), Some("500"), "{line}");
        }
        for line in ["cyclictest", "cyclictest -p 80", "cyclictest -i", "", "cyclictest -p-i"] {
            assert_eq!(interval(line), None, "{line}");
        }
        assert_eq!(Command::of("/usr/bin/cyclictest -q").tool(), "cyclictest");
        assert!(Command::of("cyclictest -Smq -p 80").has(FLAGS, 'S', "smp"));
        assert!(Command::of("cyclictest --smp").has(FLAGS, 'S', "smp"));
        assert!(!Command::of("cyclictest -p S").has(FLAGS, 'S', "smp"));
    }
}
