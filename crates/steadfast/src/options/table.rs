//! Every condition of a run, once: its flag, its key in plan files, and what it sets.

use std::fmt::Display;

use base::Nanos;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, ValueEnum};

use super::conditions::{BlameArgs, ConditionArgs, FollowArgs, IdleArg, MemoryArg, loads};
use super::generated::{Generated, generated_args};
use crate::options::place::Place;

pub(crate) struct Condition {
    /// The name of the flag, and of the key.
    pub(crate) name: &'static str,
    form: Form,
    help: &'static str,
    /// The flag that this one needs on a command line; the key sets both.
    pub(crate) needs: Option<&'static str>,
    /// Whether a member of a mix may have it for itself.
    pub(crate) is_of_member: bool,
    pub(crate) set: Set,
}

/// The form of a value, with its name in the help.
enum Form {
    /// Without a value: not a key.
    Flag,
    One(&'static str),
    /// Can be given several times.
    Several(&'static str),
    State(fn() -> Vec<PossibleValue>),
}

type Setter<T> = fn(&mut T, &str) -> Result<(), String>;

/// What sets a value from its text. Commands take all conditions of a group or none.
pub(crate) enum Set {
    Place(Setter<Place>),
    Blame(Setter<BlameArgs>),
    Follow(Setter<FollowArgs>),
    Own(Setter<ConditionArgs>),
}

/// Declares the conditions: help, name, form, and what sets it.
macro_rules! conditions {
    ($(
        $(#[doc = $help:literal])+
        $name:literal $form:ident$(($($of:tt)+))? => $group:ident $set:expr $(, $field:ident = $value:expr)*;
    )+) => {
        /// In the order in which run lines have them; in plan files the last one varies first.
        const CONDITIONS: &[Condition] = &[$(Condition {
            $($field: $value,)*
            ..Condition::of($name, Form::$form$(($($of)+))?, Set::$group($set), concat!($($help),+))
        }),+];
    };
}

conditions! {
    /// Where to measure: `local`; `ssh:[USER@]HOST` or `ssh://[USER@]HOST[:PORT]` for a machine that
    /// `ssh` can reach; `vm:KERNEL` for a virtual machine with a kernel from `steadfast lab kernels`
    /// [default: local]
    "target" One("PLACE") => Place |place, text| put(place, text.parse());
    /// Background loads, such as cpu or memory+disk; can be given several times, all at the same time.
    /// Each is NAME%INTENSITY@CPUS:ARGUMENT, where everything except the name is optional:
    /// cpu%50@0-1, disk:/var/tmp, `stress-ng:--cpu 2 --vm 1`
    "load" Several("LOAD+...") => Own |args, text| loads(text).map(|loads| args.load.push(loads));
    /// Scheduling policy of the measuring threads (of the highest, if priorities differ): other,
    /// other:NICE, other:NICE/SLICE, fifo:N, rr:N, deadline:RUNTIME/PERIOD, idle; default: fifo:80,
    /// for throughput other
    "policy" One("POLICY") => Own |args, text| put(&mut args.policy, text.parse().map(Some)),
        is_of_member = true;
    /// CPUs to measure on: a list such as 1 or 0-3,5; `all`; or `most`: all except one core, which is
    /// kept for Steadfast itself if at least two CPUs remain. Default: as many CPUs as the
    /// measurement needs, the last ones first
    "cpus" One("LIST") => Own |args, text| put(&mut args.cpus, text.parse().map(Some)),
        is_of_member = true;
    /// How long to measure, in seconds or with a unit; default: 10s for wake-ups and frames, otherwise
    /// as long as the measurement needs. In a real-fast run of a model, this is model time
    "seconds" One("TIME") => Own |args, text| {
        put(&mut args.seconds, Nanos::parse_seconds(text).map(Some))
    };
    /// Find the cause of every late event: which task or interrupt had the CPU, or what else delayed
    /// it. Traces the kernel's scheduler if this user may (root), and prints what tracing costs
    "blame" Flag => Blame |args, _| {
        args.blame = true;
        Ok(())
    };
    /// How long after its due time something counts as late, such as 200us; default: 100us for
    /// wake-ups, one period for frames and steps (a missed deadline)
    "threshold" One("TIME") => Blame |args, text| {
        args.blame = true;
        put(&mut args.threshold, text.parse().map(Some))
    }, needs = Some("blame");
    /// Every second, show what was due and missed on each CPU, and its last, typical (median of that
    /// second) and worst latency
    "live" Flag => Follow |args, _| {
        args.live = true;
        Ok(())
    };
    /// End the run after the first wake-up that is later than this, such as 200us; everything until
    /// then is kept. With `--blame`, the cause of what is later than this is searched for
    "stop-at" One("TIME") => Follow |args, text| put(&mut args.stop_at, text.parse().map(Some));
    /// Whether to lock all memory; default: locked, for throughput unlocked
    "memory" State(words::<MemoryArg>) => Own |args, text| put(&mut args.memory, word(text).map(Some));
    /// Whether to hold off idle states through /dev/cpu_dma_latency; default: hold, for throughput
    /// leave
    "idle-states" State(words::<IdleArg>) => Own |args, text| {
        put(&mut args.idle_states, word(text).map(Some))
    };
    /// Measure even while another process measures on one of the CPUs; default: wait for it, for at
    /// most ten minutes
    "beside" Flag => Own |args, _| {
        args.beside = true;
        Ok(())
    };
}

/// The conditions that are keys of a run in a plan file.
pub(crate) fn keys() -> impl Iterator<Item = &'static Condition> {
    CONDITIONS.iter().filter(|condition| !matches!(condition.form, Form::Flag))
}

impl Condition {
    const fn of(name: &'static str, form: Form, set: Set, help: &'static str) -> Self {
        Self { name, form, help, needs: None, is_of_member: false, set }
    }

    fn flag<T: Default + 'static>(&self, set: Setter<T>) -> Arg {
        let arg = Arg::new(self.name).long(self.name).help(self.help.trim_start());
        let arg = self.needs.iter().fold(arg, |arg, needed| arg.requires(*needed));
        let arg = if let Set::Own(_) = self.set { arg.help_heading("Conditions") } else { arg };
        let read = move |text: &str| set(&mut T::default(), text).map(|()| text.to_owned());
        match self.form {
            Form::Flag => arg.action(ArgAction::SetTrue),
            Form::One(name) => arg.value_name(name).value_parser(read),
            Form::Several(name) => {
                arg.value_name(name).value_parser(read).action(ArgAction::Append)
            }
            Form::State(words) => {
                arg.value_name("STATE").value_parser(PossibleValuesParser::new(words()))
            }
        }
    }

    fn typed<'m>(&self, matches: &'m ArgMatches) -> Vec<&'m str> {
        match self.form {
            Form::Flag => Vec::from_iter(matches.get_flag(self.name).then_some("")),
            _ => matches.get_many(self.name).into_iter().flatten().map(String::as_str).collect(),
        }
    }
}

macro_rules! groups {
    ($($args:ident of $group:ident),+) => {$(
        impl $args {
            fn conditions() -> impl Iterator<Item = (&'static Condition, Setter<Self>)> {
                CONDITIONS.iter().filter_map(|condition| match condition.set {
                    Set::$group(set) => Some((condition, set)),
                    _ => None,
                })
            }
        }

        impl Generated for $args {
            fn flags() -> impl Iterator<Item = Arg> {
                Self::conditions().map(|(condition, set)| condition.flag(set))
            }

            fn read(matches: &ArgMatches) -> Result<Self, clap::Error> {
                let mut args = Self::default();
                for (condition, set) in Self::conditions() {
                    let mut typed = condition.typed(matches).into_iter();
                    let set = typed.try_for_each(|text| set(&mut args, text));
                    set.map_err(|why| clap::Error::raw(ErrorKind::ValueValidation, why))?;
                }
                Ok(args)
            }
        }

        generated_args!($args);
    )+};
}

groups!(Place of Place, BlameArgs of Blame, FollowArgs of Follow, ConditionArgs of Own);

fn put<T, E: Display>(place: &mut T, read: Result<T, E>) -> Result<(), String> {
    *place = read.map_err(|why| why.to_string())?;
    Ok(())
}

fn words<T: ValueEnum>() -> Vec<PossibleValue> {
    T::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect()
}

fn word<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let words = words::<T>().iter().map(|word| word.get_name().to_owned()).collect::<Vec<_>>();
        format!("`{text}` is not one of {}", words.join(", "))
    })
}
