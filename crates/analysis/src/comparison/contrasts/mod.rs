//! How systems differ, and how sure that is: every system compared with the first one, row by
//! row; the unit of analysis is the run.

mod matching;
mod pairs;
mod question;
mod row;
mod variants;

pub use pairs::{Basis, Contrasts, Pair};
pub use question::{Margin, Question, Unanswerable};
pub use row::{Decision, Row, RowWorst};
pub use variants::Varied;
pub(super) use variants::taken_apart;
pub use variants::varying;
