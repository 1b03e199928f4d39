//! This crate has no code, only tests of all crates together.
