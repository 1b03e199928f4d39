//! The login shell of the user on the other machine.

use base::shown;

/// The files that shells read also when they start for a command without a terminal.
const START_FILES: &[(&str, &str)] = &[
    ("bash", "~/.bashrc"),
    ("zsh", "~/.zshenv"),
    ("fish", "~/.config/fish/config.fish"),
    ("tcsh", "~/.tcshrc or ~/.cshrc"),
    ("csh", "~/.cshrc"),
];

/// A login shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shell {
    name: String,
}

impl Shell {
    pub(super) fn new(name: &str) -> Self {
        Self { name: shown(name).into_owned() }
    }

    /// Returns the file that it reads when it starts.
    pub(super) fn start_file(&self) -> &'static str {
        let known = START_FILES.iter().find(|(shell, _)| *shell == self.name);
        known.map_or("its start file", |(_, file)| file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_has_its_start_file() {
        assert_eq!(Shell::new("zsh").start_file(), "~/.zshenv");
        assert_eq!(Shell::new("ash").start_file(), "its start file");
    }
}
