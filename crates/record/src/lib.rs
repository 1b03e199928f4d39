//! What to measure, what was recorded, and the result: the data that passes between the command
//! line and the runner. It uses neither clock nor kernel.

mod about;
mod arrived;
mod audit;
mod axis;
mod column;
mod conditions;
mod error;
pub mod fact;
mod family;
mod heading;
mod imported;
mod installation;
mod knob;
mod link;
pub mod live;
mod live_figures;
mod load;
mod machine;
mod mode;
mod outcome;
mod parameters;
mod read;
mod recording;
mod refused;
mod right;
mod run_id;
mod run_line;
mod self_test;
mod settings;
pub mod shape;
mod shared;
mod size;
mod spec;
mod texts;
mod varied;
mod warning;
mod wire;

pub use about::{About, GivenBack, KnobsBack, Right, SettingsLeft, Settled};
pub use arrived::{Arrived, Envelope, LabRun};
pub use audit::{
    AuditRecord, Change, ChangedWhen, CodePlace, Deed, ModelAudited, ModelThread, Occurrence, Pass,
    PassEnd, StepRun,
};
pub use axis::{Axis, Periods, Setting};
pub use column::{pack as pack_column, unpack as unpack_column};
pub use conditions::{
    Asked, Counters, CpuCounters, Found, IntervalFound, LabFound, LatencyHold, LoadFound,
    OthersFound, SelfTested, SystemFound, ThreadFound,
};
pub use error::RecordingError;
pub use fact::{Fact, Unit};
pub use family::Family;
pub use heading::{Heading, Note, Title, Words};
pub use imported::Imported;
pub use installation::{Installation, KernelOrigin};
pub use knob::{KNOWN, KnobBarrier, KnobFound, SHAM, Tried};
pub use link::{Link, Transform, Wire, depths, wires};
pub use live_figures::LiveFigures;
pub use load::LoadSpec;
pub use machine::{CoreKind, Machine, VirtualMachine};
pub use mode::Mode;
pub use outcome::{Outcome, Row};
pub use parameters::{Kind, Parameter, Parameters, Value};
pub use read::PARAMETERS_READ;
pub use recording::{Column, Header, Recording, Track, samples_hash};
pub use refused::Refused;
pub use right::{IN_USER_NAMESPACE, remedy_for};
pub use run_id::run_id;
pub use run_line::{RunOption, run_line, run_options};
pub use self_test::{
    Answer, DISTURBANCE, Disturbed, Elsewhere, LENGTH_WITHIN, SELF_TEST, SelfTest,
};
pub use settings::{NOWHERE, joined_settings, named_settings, settings_in, typed_settings};
pub use shared::Shared;
pub use size::Size;
pub use spec::{FileAsked, GateRun, GateSide, Member, RunSpec, leave_out_of_titles};
pub use texts::{change_texts, show_texts, texts_of_fields};
pub use warning::{Warning, lift_throttling, quoted_output};
pub use wire::{Room, read_recording, write_recording};

/// The last moment that a recording may name, in nanoseconds (36 years after the machine's start).
pub const LAST_STAMP: u64 = 1 << 60;

/// Version of the run specification and of the recording. A runner refuses every other version.
pub const FORMAT_VERSION: u16 = 1;
