//! Services of the kernel: switches and semaphores.

use super::facts;

facts! {
    /// Yields of two threads to each other.
    SWITCHES;
    YIELDS "yields" Count "yields";
    YIELDS_WITHOUT_SWITCH "yields_without_switch" Count "yields after which no other task ran";
}

facts! {
    /// Two threads at one semaphore.
    SEMAPHORES;
    WAITED "waited" Count "rounds of the literal loop that found the semaphore held and waited";
}
