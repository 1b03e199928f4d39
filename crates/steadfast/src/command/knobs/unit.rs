//! `steadfast knobs unit`: units of systemd that restore settings when both a run and its guard were killed.

use std::env;
use std::process::ExitCode;

use anyhow::Result;

use crate::output::print;

/// Prints a service and the timer that starts it, each under the name of its file.
pub(super) fn unit() -> Result<ExitCode> {
    let program = env::current_exe()?;
    print(&format!(
        "# /etc/systemd/system/steadfast-back.service
[Unit]
Description=Restore settings that a killed steadfast run has left changed

[Service]
Type=oneshot
ExecStart={} knobs back --at-boot

# /etc/systemd/system/steadfast-back.timer
# systemctl daemon-reload && systemctl enable --now steadfast-back.timer
[Unit]
Description=Restore settings every minute if a killed steadfast run changed them

[Timer]
OnBootSec=1min
OnUnitActiveSec=1min

[Install]
WantedBy=timers.target
",
        quoted(&program.display().to_string())
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a path as systemd reads it as one word: man 5 systemd.service, "Command lines".
fn quoted(path: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if path.chars().all(is_plain) {
        return path.to_owned();
    }
    let escaped = path.replace('\\', r"\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('%', "%%").replace('$', "$$"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_path_is_one_word_and_no_specifier() {
        assert_eq!(quoted("/opt/steadfast-1.2/bin/steadfast"), "/opt/steadfast-1.2/bin/steadfast");
        assert_eq!(quoted("/a b%h/$x/\"q\""), r#""/a b%%h/$$x/\"q\"""#);
    }
}
