//! Why a datagram was refused.

/// Version of the datagrams; a viewer refuses any other.
pub const VERSION: u8 = 2;

/// Why a datagram was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("not from a watched tire")]
    Stranger,
    #[error("the tire sends version {0}, but this viewer reads only version {VERSION}")]
    Version(u8),
    /// Cut off, changed on its way, or wrongly made.
    #[error("damaged")]
    Damaged,
}
