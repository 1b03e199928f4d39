//! How systems differ, and how sure that is: every system compared with the first one, row by
//! row; the unit of analysis is the run.

mod figures;
mod json;
mod matching;
mod pairs;
mod question;
mod row;
mod variants;

pub use figures::{FIGURES, Figure, Quality};
pub(crate) use figures::{OF_NEIGHBOURS, share_of_tail};
pub use matching::Across;
pub use pairs::{Basis, Contrasts, FALSE_DISCOVERIES, Pair};
pub use question::{Margin, NotAMargin, Question, Unanswerable};
pub use row::{Compared, Decision, Row};
pub use variants::Varied;
pub(super) use variants::taken_apart;
pub use variants::varying;
