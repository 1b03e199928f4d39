//! Arguments that a table declares instead of a struct.

use clap::{Arg, ArgMatches};

pub(crate) trait Generated: Sized {
    fn flags() -> impl Iterator<Item = Arg>;

    /// Returns what was typed.
    fn read(matches: &ArgMatches) -> Result<Self, clap::Error>;
}

/// Implements the parser's traits for generated arguments.
macro_rules! generated_args {
    ($($args:ty),+) => {$(
        impl clap::Args for $args {
            fn augment_args(command: clap::Command) -> clap::Command {
                command.args(<Self as $crate::options::Generated>::flags())
            }

            fn augment_args_for_update(command: clap::Command) -> clap::Command {
                Self::augment_args(command)
            }
        }

        impl clap::FromArgMatches for $args {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
                <Self as $crate::options::Generated>::read(matches)
            }

            fn update_from_arg_matches(
                &mut self,
                matches: &clap::ArgMatches,
            ) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    )+};
}

pub(crate) use generated_args;
