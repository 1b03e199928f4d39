//! `steadfast lab fetch` and `lab kernels --available`: the kernels of Debian.

use anyhow::Result;
use clap::Args;
use lab::{ATLAS, Architecture, Archive, Kernel, Kernels, LabError, Offer, Suite, Wanted, newest};
use place::lacks_program;
use serde_json::{Value, json};

use crate::options::JsonArgs;
use crate::startup::output::{aligned, print, tell, tell_once};

/// The part of Debian's archive that is searched.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// Suite of Debian to search, such as trixie or experimental; can be given several times.
    /// Default: all current suites
    #[arg(long = "suite", value_name = "SUITE")]
    suites: Vec<Suite>,
    /// Architecture of the kernels, by its name in Debian: amd64 or arm64
    #[arg(long = "arch", value_name = "ARCH", default_value = "amd64")]
    architecture: &'static Architecture,
}

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// Kernel series: debian:6.1 for the newest stock kernel of the series, debian:6.1-rt for the
    /// one with PREEMPT_RT; debian:newest and debian:newest-rt for the newest of all
    #[arg(value_name = "SERIES", required_unless_present = "atlas")]
    series: Vec<Wanted>,
    #[command(flatten)]
    source: SourceArgs,
    /// Fetch the kernels that the atlas of kernels shows
    #[arg(long, conflicts_with = "series")]
    atlas: bool,
}

/// Fetches the newest packages. All of them are found before the first is downloaded.
pub(super) fn fetch(args: &FetchArgs) -> Result<()> {
    let kernels = Kernels::open()?;
    let architecture = args.source.architecture;
    let archive = kernels.archive(architecture)?;
    let offers = offers(&archive, &args.source.suites)?;
    let wanted = if args.atlas { ATLAS.map(Wanted::Of).to_vec() } else { args.series.clone() };
    let found = wanted.iter().map(|wanted| newest(wanted, architecture, &offers));
    for offer in found.collect::<Result<Vec<_>, _>>()? {
        let name = offer.kernel_name();
        if let Some(kernel) = kernels.fetched(offer)? {
            print(&format!("{name} is up to date: {}\n", kernel.source))?;
            continue;
        }
        let (package, suite) = (&offer.package, &offer.suite);
        let megabytes = megabytes(offer);
        tell(&format!("{name}: downloading {package} from {suite}, {megabytes} MB"));
        let kernel = kernels.fetch(&archive, offer)?;
        print(&introduction(&kernel))?;
        note_lack(&kernel);
    }
    Ok(())
}

/// Lists the newest kernel of each series.
pub(super) fn available(source: &SourceArgs, args: &JsonArgs) -> Result<()> {
    let (kernels, architecture) = (Kernels::open()?, source.architecture);
    let offers = offers(&kernels.archive(architecture)?, &source.suites)?;
    let mut series: Vec<_> = offers.iter().map(|offer| &offer.series).collect();
    series.sort();
    series.dedup();
    let newest =
        series.into_iter().map(|series| newest(&Wanted::Of(series.clone()), architecture, &offers));
    let newest = newest.collect::<Result<Vec<_>, _>>()?;
    args.print(|| newest.iter().copied().map(described).collect::<Vec<_>>(), || table(&newest))
}

/// Returns what these suites offer, or all suites if none is named. A suite that is not named may be
/// missing: Debian moves old suites elsewhere.
fn offers(archive: &Archive, named: &[Suite]) -> Result<Vec<Offer>, LabError> {
    let suites = if named.is_empty() { Suite::usual() } else { named.to_vec() };
    let (mut offers, mut missing) = (Vec::new(), Vec::new());
    for suite in &suites {
        let current = if archive.is_old(suite) {
            tell(&format!("Reading Debian's list of {suite}"));
            archive.refresh(suite)
        } else {
            Ok(())
        };
        match current.and_then(|()| archive.offers(suite)) {
            Ok(more) => offers.extend(more),
            Err(error @ LabError::Apt { .. }) if named.is_empty() => missing.push((suite, error)),
            Err(error) => return Err(error),
        }
    }
    if missing.len() == suites.len() {
        return missing.into_iter().next().map_or(Ok(offers), |(_, error)| Err(error));
    }
    for (suite, error) in missing {
        tell(&format!("Left out: {suite}: {error}"));
    }
    Ok(offers)
}

fn described(offer: &Offer) -> Value {
    json!({
        "series": offer.series.to_string(),
        "package": offer.package,
        "suite": offer.suite.to_string(),
    })
}

fn table(offers: &[&Offer]) -> String {
    let line = |offer: &&Offer| {
        let megabytes = format!("{} MB", megabytes(offer));
        [
            offer.series.to_string(),
            offer.package.version.clone(),
            offer.suite.to_string(),
            megabytes,
        ]
    };
    let heading = ["series", "version", "suite", "download"].map(str::to_owned);
    let lines: Vec<_> = [heading].into_iter().chain(offers.iter().map(line)).collect();
    aligned(&lines, usize::MAX)
}

fn megabytes(offer: &Offer) -> u64 {
    offer.package.bytes.div_ceil(1_000_000)
}

/// Says what else a machine with this kernel needs.
pub(super) fn note_lack(kernel: &Kernel) {
    if let Some(lack) = lacks_program(kernel) {
        tell_once(&lack);
    }
}

/// Says which kernel was added.
pub(super) fn introduction(Kernel { name, version, .. }: &Kernel) -> String {
    let version = if version.is_empty() { "of unknown version" } else { version };
    format!("{name} is Linux {version}\n")
}
