//! Parses and checks loads as users type them.

use base::CpuSet;
use record::LoadSpec;

use crate::{LOADS, Load, Processes, find};

/// Why `none` is refused with other loads: it would have no effect.
pub const NONE_AMONG_OTHERS: &str =
    "`none` cannot be joined with a load; use a plan with load = [\"none\", \"cpu\"]";

/// Parses loads that are joined by `+`, such as `cpu%50@0,2+disk:/var/tmp`, or by commas; `none`
/// gives an empty list. The argument of a load that runs another program takes the rest of the text.
///
/// # Errors
/// One line that says what is wrong and how to fix it.
pub fn read(list: &str) -> Result<Vec<LoadSpec>, String> {
    let words = words(list);
    let mut loads = Vec::new();
    for word in &words {
        let spec: LoadSpec = word.parse()?;
        if refuse(&spec)?.processes != Processes::None {
            loads.push(spec);
        }
    }
    match loads.is_empty() || loads.len() == words.len() {
        true => Ok(loads),
        false => Err(NONE_AMONG_OTHERS.to_owned()),
    }
}

/// Returns true if loads are joined by commas, the separator before `+`.
pub fn has_commas(list: &str) -> bool {
    words(list).join("+") != list
}

fn words(list: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = list;
    while let Some(end) = end_of_first(rest) {
        words.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    words.push(rest);
    words
}

/// Returns the position of the first separator. A comma inside a list of CPUs, after which a number
/// follows, is not a separator, and neither is a `+` of an argument, which no load follows.
fn end_of_first(list: &str) -> Option<usize> {
    if named(list).is_some_and(|load| load.processes == Processes::Guard) {
        return None;
    }
    let mut ends = list.match_indices([',', '+']).filter(|(at, sign)| {
        let rest = list[at + 1..].trim_start();
        match *sign {
            "+" => !list[..*at].contains(':') || named(rest).is_some(),
            _ => !rest.starts_with(|c: char| c.is_ascii_digit()),
        }
    });
    ends.next().map(|(at, _)| at)
}

fn named(list: &str) -> Option<&'static Load> {
    list.trim_start().split(['%', '@', ':', ',', '+']).next().and_then(find)
}

/// Refuses a load that is invalid on a machine with these CPUs.
///
/// # Errors
/// One line that says what is wrong and how to fix it.
pub fn check(spec: &LoadSpec, online: &CpuSet) -> Result<(), String> {
    refuse(spec)?;
    let offline = spec.cpus.as_ref().map(|cpus| cpus.without(online)).unwrap_or_default();
    if !offline.is_empty() {
        return Err(format!("`{spec}`: no CPU {offline} online here; online: {online}"));
    }
    Ok(())
}

/// Returns the load, unless the specification is invalid on every machine.
fn refuse(spec: &LoadSpec) -> Result<&'static Load, String> {
    let load = known(&spec.name)?;
    match unfit(load, spec) {
        Some(why) => Err(format!("`{spec}`: {why}")),
        None => Ok(load),
    }
}

/// Returns why the load cannot do what is specified, and what to specify instead.
fn unfit(load: &Load, spec: &LoadSpec) -> Option<String> {
    let is_paced = spec.intensity_percent != LoadSpec::FULL;
    let processes = load.processes;
    match (load.argument, &spec.argument) {
        (None, Some(_)) => Some("it takes nothing after `:`".to_owned()),
        (Some(argument), None) if argument.default.is_none() => {
            Some(format!("write {}:{}, {}", spec.name, argument.name, argument.help))
        }
        _ if processes == Processes::None && spec.cpus.is_some() => {
            Some("it takes nothing after `@`".to_owned())
        }
        _ if processes == Processes::Guard && is_paced => {
            Some("it takes nothing after `%`; use the program's own options".to_owned())
        }
        _ if processes == Processes::None && is_paced => {
            Some("it takes nothing after `%`".to_owned())
        }
        _ => {
            let argument = argument(load, spec);
            let why = (load.check)(argument).err()?;
            let is_misplaced = argument.contains(['%', '@']);
            Some(why + if is_misplaced { "; `%` and `@` go before `:`" } else { "" })
        }
    }
}

/// Finds a load by name; the error lists the known names.
pub(crate) fn known(name: &str) -> Result<&'static Load, String> {
    find(name).ok_or_else(|| {
        let names = LOADS.iter().map(|load| load.name);
        format!("there is no load `{name}`; {}", base::expected_of(name, names, "steadfast list"))
    })
}

pub(crate) fn argument<'a>(load: &Load, spec: &'a LoadSpec) -> &'a str {
    spec.argument.as_deref().unwrap_or(load.usual_argument())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::refuses;

    fn printed(list: &str) -> Vec<String> {
        read(list).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_list_is_split_only_between_loads() {
        for (list, loads) in [
            ("none", &[][..]),
            ("cpu, memory", &["cpu", "memory"]),
            ("cpu%50@0,2-3,disk:/tmp/..,user", &["cpu%50@0,2-3", "disk:/tmp/..", "user"]),
            ("cpu%50@0,2-3+disk:/tmp/..+user", &["cpu%50@0,2-3", "disk:/tmp/..", "user"]),
            ("user,stress-ng@0,1:--a 2 --b 0,1,cpu", &["user", "stress-ng@0-1:--a 2 --b 0,1,cpu"]),
            ("cpu+network:icmp", &["cpu", "network:icmp"]),
        ] {
            assert_eq!(printed(list), loads, "{list}");
        }
    }

    #[test]
    fn a_comma_is_the_old_separator() {
        for (list, is_old) in [
            ("cpu+memory", false),
            ("cpu@0,2+memory", false),
            ("cpu,memory", true),
            ("cpu@0,2,memory", true),
            ("cpu+stress-ng:--taskset 0,a", false),
        ] {
            assert_eq!(has_commas(list), is_old, "{list}");
        }
        refuses(read("disk:/no+such+place"), "/no+such+place");
    }

    #[test]
    fn invalid_loads_are_refused_with_a_reason() {
        for (list, reason) in [
            ("nonsense", "no load `nonsense`; `steadfast list` lists all"),
            ("cpu,,user", "`` names no load"),
            ("cpu+", "`` names no load"),
            ("cpu+memry", "did you mean `memory`?"),
            ("cpu:3", "it takes nothing after `:`"),
            ("none%50", "nothing after `%`"),
            ("cpu, memory,none", "`none` cannot be joined with a load; use a plan"),
            ("none+cpu", "`none` cannot be joined"),
            ("none@0", "nothing after `@`"),
            ("stress-ng", "write stress-ng:ARGS"),
            ("stress-ng%50:--cpu 1", "the program's own options"),
            ("network:tcp", "`tcp` is not one of udp, icmp"),
            ("network:icmp@1", "go before `:`"),
            ("disk:/no/such/place", "/no/such/place is not a directory"),
            ("cpu@0,x", "no load `x`"),
        ] {
            refuses(read(list), reason);
        }
        let elsewhere: LoadSpec = "cpu@0,9".parse().unwrap();
        refuses(check(&elsewhere, &CpuSet::one(0)), "no CPU 9 online here");
    }

    #[test]
    fn odd_lists_are_read_or_refused() {
        let seeds = [
            "cpu%50@0,2-3+disk:/tmp/..+user",
            "stress-ng@0,1:--a 2 --b 0,1,cpu",
            "network:icmp,none",
        ];
        testing::try_corpus(&seeds, 3_000, |input| {
            let list = String::from_utf8_lossy(input);
            let _ = (read(&list), has_commas(&list));
        });
    }
}
