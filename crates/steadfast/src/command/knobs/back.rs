//! `steadfast knobs back`.

use std::process::ExitCode;

use anyhow::Result;
use plan::SettingsLeft;

use crate::exit::EXIT_FAILED;
use crate::output::print;
use crate::place::Place;

/// Says whether anything is left to be given back: as at the start of any command, all that could
/// be was given back before this is carried out.
pub(super) fn back(place: &Place) -> Result<ExitCode> {
    let (words, code) = match place.settings_left()? {
        SettingsLeft::Nothing => ("Nothing is left to be given back.", ExitCode::SUCCESS),
        SettingsLeft::UnderWay => (
            "A run that is under way has changed settings; it gives them back when it ends.",
            ExitCode::SUCCESS,
        ),
        SettingsLeft::OfOthers => (
            "A run of another user, or of a container, has changed settings, or has left some changed: \
             give the same command as that user (sudo steadfast knobs back), or there.",
            EXIT_FAILED.into(),
        ),
        SettingsLeft::Refused => (
            "Settings are left that could not be given back; mend what is named above, and try again.",
            EXIT_FAILED.into(),
        ),
    };
    print(&format!("{words}\n"))?;
    Ok(code)
}
