//! Tests of what a store keeps, survives and refuses.

mod crash;
mod damage;
mod full_disk;
mod merge;
mod other_process;
mod read_only;
mod refusal;
mod round_trip;
mod sample_data;
mod sessions;
mod sharing;
