//! The messages from a guest to its host over a serial port, in their order.
//!
//! ```text
//! message = kind:u8 number:u32 length:u32 payload     (little endian)
//! ```
//! A recording in a message has its own checksums.

/// Bytes of a message in addition to its payload.
const HEAD: usize = 9;

/// One message from the guest; runs have numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    Hello,
    /// Why the guest cannot read a request.
    Deaf(String),
    Begun(u32),
    Recorded(u32, Vec<u8>),
    /// Why the run has no recording.
    Failed(u32, String),
    /// The state of the knobs, if there is no run to make.
    Knobs(Vec<u8>),
    Done,
}

impl Message {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (kind, number, payload): (u8, u32, &[u8]) = match self {
            Self::Hello => (b'h', 0, &[]),
            Self::Deaf(why) => (b'n', 0, why.as_bytes()),
            Self::Begun(number) => (b'b', *number, &[]),
            Self::Recorded(number, bytes) => (b'r', *number, bytes),
            Self::Failed(number, why) => (b'f', *number, why.as_bytes()),
            Self::Knobs(bytes) => (b'k', 0, bytes),
            Self::Done => (b'd', 0, &[]),
        };
        let mut bytes = vec![kind];
        bytes.extend(number.to_le_bytes());
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Takes the first complete message, with at most `most_bytes` of payload.
    pub(super) fn take(arrived: &mut Vec<u8>, most_bytes: u64) -> Result<Option<Self>, String> {
        let Some((head, rest)) = arrived.split_first_chunk::<HEAD>() else {
            return Ok(None);
        };
        let [kind, n @ .., _, _, _, _] = *head;
        let [_, _, _, _, _, length @ ..] = *head;
        let (number, length) = (u32::from_le_bytes(n), u32::from_le_bytes(length));
        if u64::from(length) > most_bytes {
            return Err(format!(
                "the guest sent something too large for a recording of its runs: {length} bytes"
            ));
        }
        let Some(payload) = rest.get(..length as usize) else {
            return Ok(None);
        };
        let message = match kind {
            b'h' => Self::Hello,
            b'n' => Self::Deaf(String::from_utf8_lossy(payload).into_owned()),
            b'b' => Self::Begun(number),
            b'r' => Self::Recorded(number, payload.to_vec()),
            b'f' => Self::Failed(number, String::from_utf8_lossy(payload).into_owned()),
            b'k' => Self::Knobs(payload.to_vec()),
            b'd' => Self::Done,
            _ => return Err("the guest sent a message that this version does not know".to_owned()),
        };
        let taken = HEAD + payload.len();
        arrived.drain(..taken);
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_whole_and_in_order_however_they_are_cut() {
        let sent = [
            Message::Hello,
            Message::Deaf("no ports".into()),
            Message::Begun(0),
            Message::Recorded(0, vec![1, 2, 3]),
            Message::Failed(1, "no such load".into()),
            Message::Knobs(b"{}".to_vec()),
            Message::Done,
        ];
        let (mut arrived, mut heard) = (Vec::new(), Vec::new());
        for byte in sent.iter().flat_map(Message::to_bytes) {
            arrived.push(byte);
            heard.extend(Message::take(&mut arrived, 100).unwrap());
        }
        assert_eq!(heard, sent);
        assert!(arrived.is_empty());
    }

    #[test]
    fn anything_else_is_refused() {
        let take = |bytes: &[u8], most| Message::take(&mut bytes.to_vec(), most);
        assert!(take(b"what is this", u64::MAX).is_ok_and(|m| m.is_none()));
        assert!(take(b"what is this", 1 << 20).is_err(), "it will never be complete");
        assert!(take(b"?\0\0\0\0\0\0\0\0", 100).is_err());
    }
}
