//! Browsers that are connected and have sent no request yet.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, PoisonError};

/// Connections by their number, which rises. If all places are taken, the oldest of these gives way.
#[derive(Debug, Default)]
pub struct Silent(Mutex<BTreeMap<u64, TcpStream>>);

impl Silent {
    /// Adds a connection; without room for it, it is not among those that can be ended.
    pub fn add(&self, number: u64, browser: &TcpStream) {
        if let Ok(browser) = browser.try_clone() {
            self.with(|all| all.insert(number, browser));
        }
    }

    /// Removes a connection, which has sent its request or has gone.
    pub fn remove(&self, number: u64) {
        self.with(|all| all.remove(&number));
    }

    /// Ends the oldest connection; returns whether there was one.
    pub fn end_oldest(&self) -> bool {
        let oldest = self.with(BTreeMap::pop_first);
        // One that has gone already makes room as well.
        oldest.map(|(_, browser)| browser.shutdown(Shutdown::Both)).is_some()
    }

    fn with<T>(&self, what: impl FnOnce(&mut BTreeMap<u64, TcpStream>) -> T) -> T {
        what(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
