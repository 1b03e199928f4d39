//! Which programs run, as far as this process sees them.

use units::Observed;

use crate::Tree;
use crate::tree::Namespace;

/// Whether a program with this name runs. That it does not is seen only by a process that sees the
/// processes of all users, in the namespace that the kernel started with.
pub(crate) fn runs(tree: &Tree, name: &str) -> Observed<bool> {
    let Some(processes) = tree.numbers_in("/proc") else {
        return Observed::Hidden("no process can be seen".to_owned());
    };
    let named = |process: &u32| tree.text(&format!("/proc/{process}/comm"));
    let names: Vec<Observed<String>> = processes.iter().map(named).collect();
    let is_it = |found: &Observed<String>| matches!(found, Observed::Seen(found) if found == name);
    // A process whose folder is gone has ended.
    let is_hidden = |(process, name): (&u32, &Observed<String>)| {
        !matches!(name, Observed::Seen(_)) && tree.exists(&format!("/proc/{process}"))
    };
    let hidden = |why: &str| Observed::Hidden(why.to_owned());
    match tree.is_in_first(Namespace::Processes) {
        _ if names.iter().any(is_it) => Observed::Seen(true),
        Observed::Seen(true) if !processes.contains(&1) => hidden("processes of others are hidden"),
        Observed::Seen(true) if processes.iter().zip(&names).any(is_hidden) => {
            hidden("processes of others are hidden")
        }
        Observed::Seen(true) => Observed::Seen(false),
        Observed::Seen(false) => hidden("the host's processes cannot be seen from a container"),
        _ => hidden("whether this is a container cannot be seen"),
    }
}
