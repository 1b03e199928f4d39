//! Systems side by side, as the papers lay them: one column a system.

mod beside;
mod cases;
mod columns;
pub mod contrasts;
mod cost;
mod differs;
mod order;
mod published;
mod setups;
mod sides;
mod wakeups;
mod worst_cases;

pub use beside::{Beside, beside, words_on_published};
pub use cases::{Case, cases};
pub use columns::{Comparison, NOT_CARRIED};
pub use contrasts::{Compared, Contrasts, Pair, Row, Varied, answer, glance, worse};
pub use contrasts::{Margin, NotAMargin, Question, Unanswerable, varying};
pub use cost::throughput;
pub use differs::Differing;
pub use order::{Order, orders, standing_for};
pub use published::{NotPublished, Published};
pub use setups::{Made, sittings};
pub use sides::Side;
pub use wakeups::{
    LIMIT_NS, decides, head, is_deciding, loads_of, worst_by_default, worst_ns, worst_of_all,
    worst_under,
};
