//! Systems side by side, as in the papers: one column per system.

mod cases;
mod columns;
pub mod contrasts;
mod differs;
mod findings;
mod json;
mod measured_and_published;
mod order;
mod price;
mod published;
mod setups;
mod wakeups;
mod worst;
mod worst_cases;

pub use cases::{Case, cases};
pub use columns::{Comparison, NOT_CARRIED, Side};
pub use contrasts::{Contrasts, Pair, Row, RowWorst, Varied};
pub use contrasts::{Margin, Question, Unanswerable, varying};
pub use differs::Differing;
pub(crate) use differs::differing;
pub use findings::{details, findings, worse};
pub use measured_and_published::{TestFigures, measured_and_published};
pub use order::{KINDS, Order, kind_of, orders, standing_for};
pub use price::throughput;
pub use published::Published;
pub use setups::{LabRun, lab_runs};
pub use wakeups::{
    LIMIT_NS, decides, is_deciding, is_plain_wakeup, load_name, loads_of, worst_of_all, worst_under,
};
pub use worst::{Worst, worst, worst_ns};
