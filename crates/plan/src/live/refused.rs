//! Why a datagram means nothing.

/// Version of the datagrams; a viewer refuses any other.
pub const VERSION: u8 = 2;

/// Why a datagram is not one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Something else came.
    #[error("not from a watched tire")]
    Stranger,
    /// The sender is another version.
    #[error("the tire tells version {0}, this viewer reads {VERSION}")]
    Version(u8),
    /// Cut off, changed on its way, or made wrongly.
    #[error("damaged")]
    Damaged,
}
