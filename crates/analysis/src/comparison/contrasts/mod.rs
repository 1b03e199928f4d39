//! What tells systems apart, and how sure that is: every system against the first one,
//! row by row, with runs as the unit.

mod answer;
mod figures;
mod glance;
mod json;
mod matching;
mod pairs;
mod question;
mod row;
mod variants;
mod worse;

pub use answer::answer;
pub use figures::{FIGURES, Figure, Quality};
pub(crate) use figures::{OF_NEIGHBOURS, share_of_tail};
pub use glance::glance;
pub use json::figure;
pub use matching::Across;
pub use pairs::{Basis, Contrasts, FALSE_DISCOVERIES, Pair};
pub use question::{Margin, NotAMargin, Question, Unanswerable};
pub use row::Finding;
pub use row::{Compared, Row};
pub use variants::Varied;
pub(super) use variants::taken_apart;
pub use variants::varying;
pub use worse::worse;
