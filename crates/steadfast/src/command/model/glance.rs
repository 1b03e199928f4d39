//! The description of a model's file at first glance.

use analysis::finding::Standing;
use analysis::words::counted;
use model_file::{Archive, Causality, Content, Description, Elf, Interface, Kind, Library, Source};
use report::answer::{Answer, Line, Remark};

use crate::options::FunctionArgs;

const HASH: usize = 16;

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
    let (mut fitting, mut refused) = (Vec::new(), Vec::new());
    for interface in &archive.description.interfaces {
        match archive.elf(interface.kind) {
            Ok(_) => fitting.push(interface),
            Err(why) => refused.push(why),
        }
    }
    if let (Some(why), []) = (refused.first(), &*fitting) {
        return (Standing::Bad, format!("It cannot run here: {}.", why.why()));
    }
    let names: Vec<&str> = fitting.iter().map(|one| one.kind.name()).collect();
    let has = format!("It contains a binary for this machine, for {}", names.join(" and "));
    if fitting.iter().any(|one| one.needs_execution_tool) {
        return (Standing::Open, format!("{has}; it also needs an external tool installed."));
    }
    (Standing::Good, has + ".")
}

/// Returns words with `between` between them; `none` instead of an empty text.
fn joined(words: &[String], between: &str, none: &str) -> String {
    if words.is_empty() { none.to_owned() } else { words.join(between) }
}

fn true_ones(facts: &[(bool, &str)]) -> Vec<String> {
    facts.iter().filter(|(is_so, _)| *is_so).map(|(_, what)| (*what).to_owned()).collect()
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
    let may = true_ones(&[
        (interface.has_event_mode, "event mode"),
        (interface.returns_early, "early return"),
        (interface.might_return_early, "may return early"),
        (interface.asynchronous, "steps may be pending"),
    ]);
    line(interface.kind.name(), [vec![steps], may].concat().join(", "))
}

fn seconds(step: f64) -> String {
    match step {
        ..1e-3 => format!("{} us", step * 1e6),
        1e-3..1.0 => format!("{} ms", step * 1e3),
        _ => format!("{step} s"),
    }
}

fn roles(about: &Description) -> String {
    let roles: [(&[Causality], &str); 3] = [
        (&[Causality::Input], "input"),
        (&[Causality::Output], "output"),
        (&[Causality::Parameter, Causality::StructuralParameter], "parameter"),
    ];
    let count =
        |of: &[Causality]| about.variables.iter().filter(|one| of.contains(&one.causality)).count();
    roles.map(|(of, what)| counted(count(of), what)).join(", ")
}

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
    let step = match about.experiment.step {
        Some(step) => format!("steps of {}", seconds(step)),
        None => "no step size".to_owned(),
    };
    let start = about.experiment.start.unwrap_or(0.0);
    match about.experiment.stop {
        Some(stop) => format!("{step}, from {start} s to {stop} s"),
        None => step,
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
    let mut remarks = vec![Remark::new("Binaries", joined(&platforms, ", ", "none"))];
    let elf = about.interfaces.iter().find_map(|one| archive.elf(one.kind).ok());
    let first = about.interfaces.first().filter(|_| elf.is_none());
    let compiler = first.and_then(|one| archive.compiler_line(one));
    remarks.extend(elf.map(|elf| needs(&elf)));
    remarks.extend(compiler.map(|line| Remark::new("Compile", line)));
    remarks.push(Remark::new("Requires", asked(about)));
    remarks
}

fn needs(elf: &Elf) -> Remark {
    Remark::new("Needs", joined(&elf.needed, ", ", "no other library"))
}

/// Returns what a program that runs the model has to provide.
fn asked(about: &Description) -> String {
    let any = |asks: fn(&Interface) -> bool| about.interfaces.iter().any(asks);
    let asked = true_ones(&[
        (any(|one| one.needs_execution_tool), "an external tool installed"),
        (any(|one| one.single_instance), "a separate process for each instance"),
        (any(|one| !one.allocates_itself), "memory allocation callbacks, possibly within steps"),
    ]);
    joined(&asked, "; ", "nothing special")
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
            let [initialize, terminate] = [found.initialize, found.terminate].map(Vec::from_iter);
            let parts = [
                ("at the start", initialize),
                ("each step", found.steps),
                ("at the end", terminate),
            ];
            let lines = parts.map(|(what, names)| line(what, joined(&names, ", ", "nothing")));
            let how = match functions.first() {
                None => "found by their names",
                Some(_) => "those that you named",
            };
            let verdict = format!("It is for this machine, and its functions are {how}.");
            (Standing::Good, verdict, lines.into())
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
        remarks: vec![needs(elf)],
    }
}
