//! One run alternating with others, in as many rounds as a budget has room for.

mod carried;
mod list;
mod plan;
mod room;

pub(crate) use self::carried::{carried_in_turns, carried_out};
pub(crate) use self::list::Rounds;
pub(crate) use self::plan::InTurns;
pub(crate) use self::room::Room;
