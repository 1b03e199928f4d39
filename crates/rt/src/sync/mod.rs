//! Synchronisation of solver threads.
