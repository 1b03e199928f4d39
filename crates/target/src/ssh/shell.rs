//! The login shell of the user on the other machine.

use units::shown;

/// The files that shells read also when they start for a command without a terminal.
const START_FILES: &[(&str, &str)] = &[
    ("bash", "~/.bashrc"),
    ("zsh", "~/.zshenv"),
    ("fish", "~/.config/fish/config.fish"),
    ("tcsh", "~/.tcshrc or ~/.cshrc"),
    ("csh", "~/.cshrc"),
];

/// A login shell, and what it prints before the output of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shell {
    name: String,
    /// The first line that it prints; empty if it prints nothing.
    noise: String,
}

impl Shell {
    /// Takes the shell's name and all that it printed.
    pub(super) fn new(name: &str, printed: &str) -> Self {
        let first = printed.lines().map(str::trim).find(|line| !line.is_empty());
        let noise = first.map(shown).unwrap_or_default().into_owned();
        Self { name: shown(name).into_owned(), noise }
    }

    /// Returns the file that it reads when it starts.
    pub(super) fn start_file(&self) -> &'static str {
        let known = START_FILES.iter().find(|(shell, _)| *shell == self.name);
        known.map_or("its start file", |(_, file)| file)
    }

    /// Describes what it prints, and what to do; `None` if it prints nothing.
    pub(super) fn noise_in_words(&self) -> Option<String> {
        let Self { name, noise } = self;
        let file = self.start_file();
        (!noise.is_empty()).then(|| {
            format!(
                "the shell there ({name}) prints `{noise}` when it starts: let {file} print only to a \
                 terminal"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_that_prints_is_named_with_its_start_file() {
        let words = |name, printed| Shell::new(name, printed).noise_in_words();
        assert_eq!(words("bash", " \n"), None);
        let zsh = words("zsh", "\nwelcome\nback\n").unwrap();
        assert!(zsh.contains("(zsh) prints `welcome`") && zsh.contains("~/.zshenv"), "{zsh}");
        assert!(words("ash", "x").unwrap().contains("its start file"));
    }
}
