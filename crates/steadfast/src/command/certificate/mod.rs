//! `steadfast certificate`: puts stored results into a folder that others can check.

mod address;
#[cfg(test)]
mod altered;
pub(crate) mod board;
mod folder;
mod private;
mod repeat;
mod signature;
mod stated;
#[cfg(test)]
mod tests;
pub(crate) mod verify;

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use anyhow::{Context, Error, Result, anyhow, bail};
use base::quoted_file;
use clap::Args;
use record::Outcome;
use store::{Problem, Store, StoreError};

use self::folder::STORE;
use self::private::Private;
use self::stated::Stated;
use crate::startup::exit::success_if;
use crate::startup::files::{directory_of, make_directory};
use crate::startup::output::print_answer;

#[derive(Debug, Args)]
pub(crate) struct CertificateArgs {
    /// Results file, such as DIR/results.db of `quick --out DIR`
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// New or empty directory for the certificate
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Sign with this ssh key (`ssh-keygen -Y sign`): a private key, or a public key whose private
    /// key the ssh agent has
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,
    /// Keep what may identify you: host names, users, addresses, directories, and the whole kernel
    /// command line. Default: they are removed
    #[arg(long)]
    with_names: bool,
}

pub(crate) fn certificate(args: &CertificateArgs) -> Result<ExitCode> {
    let stated = make(args)?;
    let page = args.out.join(folder::PAGE);
    let verify = format!("steadfast verify {}", quoted_file(&args.out));
    let more = format!("{}; check it with {verify}", page.display());
    let analysis = stated.analysis();
    print_answer(&report::answer(&analysis).headed(&analysis.heading), &more)?;
    Ok(success_if(stated.outcomes.iter().all(Outcome::is_valid)))
}

fn make(args: &CertificateArgs) -> Result<Stated> {
    let source = Store::open_existing(&args.store)?;
    let parent = new_place(&args.out)?;
    // The folder appears whole, or not at all.
    remove_unfinished(parent);
    let folder = tempfile::Builder::new()
        .prefix(&format!("{UNFINISHED}{}-", process::id()))
        .permissions(Permissions::from_mode(0o755))
        .tempdir_in(parent)
        .with_context(|| format!("cannot write in {}; choose another -o", parent.display()))?;
    let private =
        if args.with_names { Private::default() } else { Private::of_this_process(&args.store) };
    copy(&source, &folder.path().join(STORE), &private).map_err(|why| no_room(why, &args.out))?;
    let stated = Stated::of(&Store::open_existing(&folder.path().join(STORE))?)?;
    if stated.outcomes.is_empty() {
        let path = args.store.display();
        bail!("`{path}` has no finished runs; measure some, for example with `steadfast quick`");
    }
    if let Some(imported) = stated.outcomes.iter().find_map(|run| run.header.spec.imported.as_ref())
    {
        let (path, file) = (args.store.display(), &imported.file);
        bail!(
            "`{path}` has the imported file `{file}`, which cannot be certified: certificates are of measured runs only; \
             keep these in a store without imported files"
        );
    }
    folder::write(folder.path(), &stated)?;
    if let Some(key) = &args.sign {
        signature::sign(folder.path(), key)?;
    }
    fs::rename(folder.path(), &args.out)
        .with_context(|| format!("cannot write {}; choose another -o", args.out.display()))?;
    let _ = folder.keep();
    Ok(stated)
}

/// What the folder of a certificate is called until it is whole, before the number of the process.
const UNFINISHED: &str = ".certificate-";

/// Removes what processes of this user left that were killed while they made a certificate.
fn remove_unfinished(parent: &Path) {
    let is_left = |name: &OsStr| {
        let rest = name.to_str().and_then(|name| name.strip_prefix(UNFINISHED));
        let process = rest.and_then(|rest| rest.split_once('-')).map(|(process, _)| process);
        let process = process.filter(|process| process.bytes().all(|byte| byte.is_ascii_digit()));
        process.is_some_and(|process| !Path::new("/proc").join(process).exists())
    };
    let owner = |path: &Path| Some(fs::symlink_metadata(path).ok()?.uid());
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(|entry| is_left(&entry.file_name())) {
        if owner(&entry.path()) == Some(rt::process::user()) {
            // What cannot be removed harms nobody.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Names the certificate instead of a copy without room, which nobody has named.
fn no_room(why: Error, out: &Path) -> Error {
    match why.downcast_ref::<StoreError>().map(|error| &error.problem) {
        Some(Problem::DiskFull) => {
            let out = out.display();
            anyhow!("no room for the certificate {out}: free space, or choose another -o")
        }
        _ => why,
    }
}

/// Checks that a folder can be created there, and returns its parent.
fn new_place(out: &Path) -> Result<&Path> {
    let parent = directory_of(out);
    make_directory(parent)?;
    let is_free = match fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => out.symlink_metadata().is_err(),
    };
    if !is_free {
        bail!("{} exists and is not empty; choose a new directory with -o", out.display());
    }
    Ok(parent)
}

/// Copies every run, without what is private, and computes it again where samples were kept.
fn copy(source: &Store, to: &Path, private: &Private) -> Result<()> {
    let mut target = Store::open(to)?;
    for session in source.sessions()? {
        let known = source.outcomes(session.id)?;
        let Some(first) = known.first() else { continue };
        let private = private.with_names_of(&known);
        let machine = private.machine(&first.header.machine)?;
        let specs = known.iter().map(|run| private.through(&run.header.spec));
        let specs = specs.collect::<Result<Vec<_>>>()?;
        let (title, started) = (private.text(&session.title), session.started_unix_ns);
        let begun = target.begin_session(&title, &specs, &machine, started)?;
        for (place, run_id) in source.run_ids(session.id)?.iter().enumerate() {
            let (run, samples) = source.run(run_id)?;
            let (mut run, samples) = private.removed(run, samples)?;
            if !samples.is_empty() {
                run = measure::recomputed(&run, samples.clone()).map_err(|why| {
                    anyhow!("run {run_id}: {why}; use the version of steadfast that made it")
                })?;
            }
            target.save(&begun, place, &run, &samples)?;
        }
        target.head_session(&begun, &private.heading(&session.heading))?;
        if session.finished_unix_ns.is_some() {
            target.finish_session(&begun)?;
        }
    }
    Ok(())
}
