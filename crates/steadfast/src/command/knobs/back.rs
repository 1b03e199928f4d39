//! `steadfast knobs back` and `unit`: restore what a killed run has changed.

use std::env;
use std::process::ExitCode;

use anyhow::Result;
use record::SettingsLeft;

use crate::options::place::Place;
use crate::startup::exit::success_if;
use crate::startup::output::print;
use crate::startup::systemd::quoted;

/// Reports whether a setting has yet to be restored, after this command restored what it could.
pub(super) fn back(place: &Place, at_boot: bool) -> Result<ExitCode> {
    let left = place.settings_left()?;
    if at_boot && matches!(left, SettingsLeft::Nothing | SettingsLeft::UnderWay) {
        return Ok(ExitCode::SUCCESS);
    }
    let (is_restored, words) = match &left {
        SettingsLeft::Distrusted { journal } => (
            false,
            &*format!(
                "Nothing was restored: {journal}, which lists the changed settings, is not a file that only \
                 this user can write. Look at it, then make it so (chown, chmod 600) and run this command \
                 again, or remove it."
            ),
        ),
        SettingsLeft::Nothing => (true, "All settings are restored."),
        SettingsLeft::UnderWay => {
            (true, "A run in progress has changed settings; it will restore them when it ends.")
        }
        SettingsLeft::OfOthers => (
            false,
            "A run of another user or container has changed settings and not (or not yet) restored them: \
             run this command as that user (sudo steadfast knobs back) or in that container.",
        ),
        SettingsLeft::Refused => (
            false,
            "Some settings could not be restored; fix the causes named above, and try again.",
        ),
    };
    print(&format!("{words}\n"))?;
    Ok(success_if(is_restored))
}

/// Prints a service and the timer that starts it, each under the name of its file.
pub(super) fn unit() -> Result<()> {
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
    ))
}
