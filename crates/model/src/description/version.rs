//! Versions of FMI.

use serde::Serialize;

units::named! {
    /// The version of FMI for which a model was made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    pub enum FmiVersion {
        /// FMI 2.0, with its corrections.
        #[serde(rename = "2.0")]
        V2 = "FMI 2.0",
        /// FMI 3.0, with its corrections.
        #[serde(rename = "3.0")]
        V3 = "FMI 3.0",
    }
}
