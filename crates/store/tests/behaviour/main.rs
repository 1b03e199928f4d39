//! How a store behaves: what it keeps, what it survives, what it refuses.

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
