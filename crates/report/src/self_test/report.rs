//! The JSON of a self-test.

use analysis::finding::NOT_INJECTED;
use analysis::self_test::own_lateness;
use base::SchemaVersion;
use record::{Disturbed, Heading, SelfTest};
use serde::Serialize;

/// Output of `steadfast self-test --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SelfTestReport<'t> {
    schema_version: SchemaVersion<1>,
    #[serde(flatten)]
    heading: Heading,
    #[serde(flatten)]
    test: &'t SelfTest,
    /// Number of injected events, over all disturbances.
    injected: u64,
    /// Number of further events, not counted in `injected`, in which the injector itself was
    /// disturbed.
    spoilt: u64,
    /// Number of injected events that were seen as lateness.
    seen: u64,
    /// Number of injected events blamed mainly on the right cause.
    blamed: u64,
    /// `blamed` divided by `injected`; null if nothing was injected.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    share_blamed: Option<f64>,
    /// Number of late events without injection, except those that the host caused: the machine's
    /// own lateness.
    late_without_injection: u64,
    /// Number of late events without injection that were caused by a platform gap, by steal, or by
    /// something that cannot be distinguished from these.
    host_stalls: u64,
    /// The kinds of disturbance that are left out, and why.
    not_covered: &'static str,
}

impl<'t> SelfTestReport<'t> {
    /// Returns the result of a self-test with the sums over all disturbances.
    pub fn of(test: &'t SelfTest, heading: Heading) -> Self {
        let sum = |of: fn(&Disturbed) -> u64| -> u64 { test.disturbances.iter().map(of).sum() };
        let (injected, blamed) = (sum(|d| d.injected), sum(|d| d.blamed));
        Self {
            schema_version: SchemaVersion,
            heading,
            test,
            injected,
            spoilt: sum(|d| d.spoilt),
            seen: sum(|d| d.seen),
            blamed,
            share_blamed: (injected > 0).then(|| blamed as f64 / injected as f64),
            late_without_injection: own_lateness(test),
            host_stalls: sum(|d| d.late_elsewhere()[1]),
            not_covered: NOT_INJECTED,
        }
    }
}
