//! The findings of published studies, judged by results.

mod figure;
mod section;
mod view;

pub use view::StudiesView;
