//! What a model in this process has printed and logged.

use record::Warning;
use rt::fmi::print_logs;
use rt::printed::{flush, last_lines_here};

/// Prints what the model has logged, and what its C library still keeps.
pub(crate) fn print_rest() {
    print_logs();
    flush();
}

/// Adds to each failure of a model what the model printed last.
pub(crate) fn quote_printed(warnings: &mut [Warning]) {
    for warning in warnings {
        if let Warning::ModelFailed { printed, .. } = warning {
            print_rest();
            *printed = last_lines_here();
        }
    }
}
