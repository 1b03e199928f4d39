//! The results database: one SQLite file that contains runs, grouped in sessions.
//!
//! A run is saved in one transaction and stays, whatever happens afterwards to the process or the
//! machine. Every record has a checksum: what is read is what was saved, or an error that says what
//! is damaged.

mod error;
mod id;
mod machine;
mod merge;
mod open;
mod record;
mod remove;
mod row;
mod run;
mod samples;
mod schema;
mod session;
mod side_files;
mod store;

pub use error::{Problem, StoreError};
pub use id::SessionId;
pub use merge::Merged;
pub use session::{Session, SessionInfo};
pub use store::Store;
