//! The description of a model's file at first glance.

use analysis::finding::Standing;
use analysis::words::counted;
use model::{
    Archive, Causality, Content, Description, Elf, Interface, Kind, Library, Refused, Source,
};
use report::answer::{Answer, Line, Remark};

use crate::args::FunctionArgs;

/// Digits of the hash that are printed.
const HASH: usize = 16;

/// Returns what the file is, whether it can run here, and what it requires.
pub(super) fn glance(source: &Source, functions: &FunctionArgs) -> Answer {
    let (answer, tool) = match &source.content {
        Content::Fmu(archive) => (of_archive(archive), &*archive.description.tool),
        Content::Library(library) => (of_library(library, functions), ""),
    };
    let by = if tool.is_empty() { String::new() } else { format!(", by {tool}") };
    let (size, hash) = (source.size.div_ceil(1024), &source.sha256[..HASH]);
    let file = format!("{size} KiB, SHA-256 {hash}...{by}");
    answer.with(Remark::new("File", file))
}

fn of_archive(archive: &Archive) -> Answer {
    let about = &archive.description;
    let (standing, verdict) = judged(archive);
    let mut lines = vec![line("variables", roles(about))];
    lines.extend(about.interfaces.iter().map(of_interface));
    lines.extend(structure(about));
    lines.push(line("proposed", experiment(about)));
    Answer {
        subject: format!("{}, {}", about.name, about.version.name()),
        effort: counted(about.variables.len(), "variable"),
        standing,
        verdict,
        lines,
        remarks: remarks(archive),
    }
}

fn line(what: &str, figure: String) -> Line {
    Line { what: what.to_owned(), figures: vec![figure] }
}

/// Judges by the interfaces for which there is a binary for this machine.
fn judged(archive: &Archive) -> (Standing, String) {
    let kinds = archive.description.interfaces.iter();
    let elves = kinds.map(|one| (one, archive.elf(one.kind)));
    let found: Vec<(&Interface, Result<Elf, Refused>)> = elves.collect();
    let fitting = found.iter().filter(|(_, elf)| elf.is_ok());
    let fitting: Vec<&Interface> = fitting.map(|(one, _)| *one).collect();
    match found.first() {
        Some((_, Err(why))) if fitting.is_empty() => {
            (Standing::Bad, format!("It cannot run here: {}.", why.why()))
        }
        _ => {
            let has = format!("It contains a binary for this machine, for {}", names(&fitting));
            if fitting.iter().any(|one| one.needs_execution_tool) {
                (Standing::Open, format!("{has}; it also needs an external tool installed."))
            } else {
                (Standing::Good, has + ".")
            }
        }
    }
}

fn names(interfaces: &[&Interface]) -> String {
    let names: Vec<&str> = interfaces.iter().map(|one| one.kind.name()).collect();
    names.join(" and ")
}

fn of_interface(interface: &Interface) -> Line {
    let step = interface.fixed_internal_step;
    let steps = match (interface.kind, step) {
        (Kind::CoSimulation, Some(step)) => format!("in steps of {}", seconds(step)),
        (Kind::CoSimulation, None) if interface.variable_steps => "in steps of any size".to_owned(),
        (Kind::CoSimulation, None) => "in steps of a constant size".to_owned(),
        (Kind::ModelExchange, _) => "by Steadfast's solver".to_owned(),
        (Kind::ScheduledExecution, _) => "in parts, at the ticks of clocks".to_owned(),
    };
    let may = [
        (interface.has_event_mode, "event mode"),
        (interface.returns_early, "early return"),
        (interface.might_return_early, "may return early"),
        (interface.asynchronous, "steps may be pending"),
    ];
    let may = may.into_iter().filter_map(|(is_so, what)| is_so.then_some(what));
    let facts: Vec<&str> = [steps.as_str()].into_iter().chain(may).collect();
    line(interface.kind.name(), facts.join(", "))
}

fn seconds(step: f64) -> String {
    match step {
        ..1e-3 => format!("{} us", step * 1e6),
        1e-3..1.0 => format!("{} ms", step * 1e3),
        _ => format!("{step} s"),
    }
}

/// Returns how many variables there are of each role.
fn roles(about: &Description) -> String {
    let count = |role: fn(Causality) -> bool| {
        let all = about.variables.iter();
        all.filter(|one| role(one.causality)).count()
    };
    let is_parameter = |one| matches!(one, Causality::Parameter | Causality::StructuralParameter);
    [
        counted(count(|one| one == Causality::Input), "input"),
        counted(count(|one| one == Causality::Output), "output"),
        counted(count(is_parameter), "parameter"),
    ]
    .join(", ")
}

/// Returns states, events and clocks, if there are any.
fn structure(about: &Description) -> Option<Line> {
    let clocks = about.variables.iter().filter(|one| one.clock.is_some());
    let counts = [
        (about.states(), "continuous state"),
        (about.structure.event_indicators, "event indicator"),
        (clocks.count() as u64, "clock"),
    ];
    let present = counts.into_iter().filter(|(count, _)| *count > 0);
    let present: Vec<String> = present
        .map(|(count, what)| counted(usize::try_from(count).unwrap_or(usize::MAX), what))
        .collect();
    (!present.is_empty()).then(|| line("inside", present.join(", ")))
}

fn experiment(about: &Description) -> String {
    let experiment = about.experiment;
    let step = experiment
        .step
        .map_or("no step size".to_owned(), |step| format!("steps of {}", seconds(step)));
    match (experiment.start, experiment.stop) {
        (start, Some(stop)) => format!("{step}, from {} s to {stop} s", start.unwrap_or(0.0)),
        _ => step,
    }
}

fn remarks(archive: &Archive) -> Vec<Remark> {
    let about = &archive.description;
    let platforms: Vec<String> = archive
        .platforms()
        .into_iter()
        .map(|one| if one.fits { format!("{} (this machine)", one.name) } else { one.name })
        .chain(archive.has_sources().then(|| "sources".to_owned()))
        .collect();
    let platforms = if platforms.is_empty() { "none".to_owned() } else { platforms.join(", ") };
    let elf = about.interfaces.iter().find_map(|one| archive.elf(one.kind).ok());
    let first = about.interfaces.first().filter(|_| elf.is_none());
    let compiler = first.and_then(|one| archive.compiler_line(one));
    [
        Some(Remark::new("Binaries", platforms)),
        elf.map(|elf| Remark::new("Needs", needs(&elf))),
        compiler.map(|line| Remark::new("Compile", line)),
        Some(Remark::new("Requires", asked(about))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn needs(elf: &Elf) -> String {
    if elf.needed.is_empty() { "no other library".to_owned() } else { elf.needed.join(", ") }
}

/// Returns what a program that runs the model has to provide.
fn asked(about: &Description) -> String {
    let any = |asks: fn(&Interface) -> bool| about.interfaces.iter().any(asks);
    let asked = [
        (any(|one| one.needs_execution_tool), "an external tool installed"),
        (any(|one| one.single_instance), "a separate process for each instance"),
        (any(|one| !one.allocates_itself), "memory allocation callbacks, possibly within steps"),
    ];
    let asked = asked.into_iter().filter_map(|(is_so, what)| is_so.then_some(what));
    let asked = asked.collect::<Vec<_>>().join("; ");
    if asked.is_empty() { "nothing special".to_owned() } else { asked }
}

/// Returns how the functions were found.
fn known(functions: &FunctionArgs) -> &'static str {
    match functions.first() {
        None => "found by their names",
        Some(_) => "those that you named",
    }
}

fn of_library(library: &Library, functions: &FunctionArgs) -> Answer {
    let elf = &library.elf;
    let (standing, verdict, lines) = match functions.of(library) {
        _ if !elf.fits() => {
            let (machine, bits, here) = (&elf.machine, elf.bits, std::env::consts::ARCH);
            let it = format!("it is for {machine} ({bits} bits), but this machine is {here}");
            (Standing::Bad, format!("It cannot run here: {it}."), Vec::new())
        }
        Ok(found) => {
            let parts = [
                ("at the start", found.initialize.into_iter().collect()),
                ("each step", found.steps),
                ("at the end", found.terminate.into_iter().collect()),
            ];
            let lines = parts.into_iter().map(|(what, names): (&str, Vec<String>)| {
                let called = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
                line(what, called)
            });
            (
                Standing::Good,
                format!("It is for this machine, and its functions are {}.", known(functions)),
                lines.collect(),
            )
        }
        Err(why) => (Standing::Open, format!("It is for this machine; {}.", why.why()), Vec::new()),
    };
    let name = library.path.file_name().unwrap_or_default();
    Answer {
        subject: format!("{}, shared library, {}", name.display(), elf.machine),
        effort: counted(elf.functions.len(), "function"),
        standing,
        verdict,
        lines,
        remarks: vec![Remark::new("Needs", needs(elf))],
    }
}
