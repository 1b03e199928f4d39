//! How a machine starts: from its saved state, or by booting its kernel.

use lab::{Machine, NoState, Setup, States};
use record::RunSpec;

use super::port::Message;
use super::{Conversation, MOST_WORDS, OFF, Vm, failed, guest, silent};
use crate::{KeepGoing, TargetError};

impl Vm {
    /// Starts a machine that makes these runs. Returns what it says, from its first answer to the
    /// request on, and one hash over everything that determines its samples. A restored machine has
    /// the same samples as a booted one, so it has the same hash.
    pub(super) fn start(
        &self,
        specs: &[RunSpec],
        most_bytes: u64,
        keep_going: KeepGoing,
    ) -> Result<(Conversation<'_>, String), TargetError> {
        let request = serde_json::to_vec(&(wait_ns(self.draw), specs)).map_err(failed)?;
        let mut initrd = self.initrd(specs)?;
        let setup = self.described(&initrd);
        let hash = setup.hash(&request);
        let restored =
            self.is_restored.then(|| self.restored(&setup, &request, most_bytes, keep_going));
        if let Some(conversation) = restored.transpose()?.flatten() {
            return Ok((conversation, hash));
        }
        let mut conversation = self.booted(&setup, &request, most_bytes, keep_going)?;
        match conversation.next(self.patience, keep_going)? {
            Message::Deaf(why) => {
                self.note_boot(&why);
                initrd.add(guest::RUNS, request);
                let setup = self.described(&initrd);
                let conversation = self.booted(&setup, &[], most_bytes, keep_going)?;
                Ok((conversation, setup.hash(&[])))
            }
            message => {
                conversation.ahead = Some(message);
                Ok((conversation, hash))
            }
        }
    }

    /// Boots a machine, up to its first message.
    fn booted(
        &self,
        setup: &Setup,
        request: &[u8],
        most_bytes: u64,
        keep_going: KeepGoing,
    ) -> Result<Conversation<'_>, TargetError> {
        let machine = Machine::boot(setup, request).map_err(failed)?;
        let mut conversation = Conversation::with(self, machine, most_bytes);
        match conversation.next(self.patience, keep_going)? {
            Message::Hello => Ok(conversation),
            _ => Err(self.failed("its guest did not begin with a greeting", "")),
        }
    }

    /// Starts a machine from its saved state; `None` if it has to boot.
    fn restored(
        &self,
        setup: &Setup,
        request: &[u8],
        most_bytes: u64,
        keep_going: KeepGoing,
    ) -> Result<Option<Conversation<'_>>, TargetError> {
        let states = States::of(&self.kernel);
        let state = match states.get(setup, self.patience, keep_going) {
            Ok(state) => state,
            Err(NoState::Interrupted) => return Err(TargetError::Interrupted),
            Err(NoState::Silent) => return Err(self.failed(&silent(self.patience), "")),
            Err(NoState::Off { said, words }) => {
                return if is_deaf(said) { Ok(None) } else { Err(self.failed(OFF, &words)) };
            }
            Err(NoState::Failed(why) | NoState::Refused(why)) => {
                self.note_boot(&why);
                return Ok(None);
            }
        };
        let machine = Machine::restore(setup, state, request).map_err(failed)?;
        let mut conversation = Conversation::with(self, machine, most_bytes);
        match conversation.next(self.patience, keep_going) {
            Ok(message) => {
                conversation.ahead = Some(message);
                Ok(Some(conversation))
            }
            Err(TargetError::Interrupted) => Err(TargetError::Interrupted),
            Err(why) => {
                let why = why.to_string();
                states.discard(setup, &why);
                self.note_boot(&why);
                Ok(None)
            }
        }
    }

    /// Says why machines of this kernel do not start from a saved state.
    fn note_boot(&self, why: &str) {
        let name = &self.kernel.name;
        (self.note)(&format!("vm:{name} boots for every run, without a saved state: {why}"));
    }
}

/// Returns how long a guest waits before its runs. Waits of one second and less are spread evenly,
/// however many there are (Weyl's sequence of the golden ratio), so draws differ in the moments of
/// everything that is periodic in a kernel.
fn wait_ns(draw: u32) -> u64 {
    const GOLDEN_NS: u64 = 618_033_989;
    u64::from(draw) * GOLDEN_NS % 1_000_000_000
}

/// Whether a guest has said that it cannot read a request.
fn is_deaf(mut said: Vec<u8>) -> bool {
    let mut next = || Message::take(&mut said, MOST_WORDS).ok().flatten();
    std::iter::from_fn(&mut next).any(|message| matches!(message, Message::Deaf(_)))
}
