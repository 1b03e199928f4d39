//! `steadfast knobs unit`: units of systemd that restore settings when both a run and its guard were killed.

use std::env;
use std::process::ExitCode;

use anyhow::Result;

use crate::output::print;
use crate::systemd::quoted;

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
