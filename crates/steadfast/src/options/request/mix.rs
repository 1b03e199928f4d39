//! Plans of a mix: reads TOML into members that run at the same time.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Error, Result};
use base::{Nanos, Policy, Rate};
use measure::{Measurement, REAL_TIME};
use model_file::Ssp;
use record::{Kind, Link, Member, Mode, Refused, RunSpec, Value};
use rt::read;
use toml::de::DeTable;

use super::links::links;
use super::run::{self, RunRequest};
use super::ssp;
use super::values::{self, Mistake, misspelt, refused};
use crate::options::place::Ground;
use crate::options::{Condition, ConditionArgs, keys};

const LARGEST: u64 = 1 << 20;
/// The words for a member's model, their measurements, and the parameters that they set.
const MODELS: &[(&str, &str, Option<&str>)] = &[
    ("tire", "tire", None),
    ("balanced", "tire", Some("model")),
    ("central", "tire", Some("model")),
    ("fmu", "model", None),
    ("library", "model", None),
    ("program", "model", None),
    ("wait", "wait", None),
];
/// Keys of a member that are neither conditions nor parameters of its model.
const KEYS: [&str; 5] = ["name", "model", "inputs", "best_effort", "limit"];
/// Keys that a member needs. `best_effort` replaces `rate`.
const NEEDED: [&str; 4] = ["name", "model", "rate", "best_effort"];
/// Parameters of a model that the mix determines for its members.
const SET_BY_MIX: [&str; 4] = ["mode", "steps", "watch", "clocks"];

/// Fills a mix with the members of a plan, on that target and under the typed conditions.
pub(crate) fn fill(
    mix: &mut RunSpec,
    path: &str,
    request: &RunRequest,
    ground: &Ground,
) -> Result<()> {
    let [rate, delays] = ["rate", "delay"].map(|name| request.word(name));
    if Ssp::is_named(Path::new(path)) {
        let rate = rate.map(|rate| rate.parse().map_err(|why| Refused::option("rate", why)));
        let (text, folder) = ssp::unpacked(Path::new(path), rate.transpose()?, delays)?;
        let filled = Reading { request, ground, directory: Some(&folder) }.fill(mix, &text);
        return filled.map_err(|mistake| Error::msg(mistake.message(path, &text)));
    }
    if let Some((flag, _)) =
        [("rate", rate), ("delay", delays)].iter().find(|(_, typed)| typed.is_some())
    {
        let what = "applies only to a system of FMUs (FILE.ssp)";
        return Err(Refused::option(flag, what)
            .remedy("set it for each member in the plan")
            .into());
    }
    let bytes = read::bounded(Path::new(path), LARGEST).with_context(|| path.to_owned())?;
    let text = String::from_utf8(bytes).map_err(|_| Error::msg("the file is not text (UTF-8)"));
    let text = text.with_context(|| path.to_owned())?;
    let directory = Path::new(path).parent();
    let filled = Reading { request, ground, directory }.fill(mix, &text);
    filled.map_err(|mistake| Error::msg(mistake.message(path, &text)))
}

struct Reading<'a> {
    request: &'a RunRequest,
    ground: &'a Ground,
    /// The directory from which paths in the plan count.
    directory: Option<&'a Path>,
}

/// A member of the file, whose table is not yet read completely.
struct Written<'t> {
    at: usize,
    table: &'t DeTable<'t>,
    name: String,
    measurement: &'static dyn Measurement,
    /// A parameter and its value, set by the word for the model.
    chosen: Option<(&'static str, &'static str)>,
    /// `None` for best-effort work.
    rate: Option<Rate>,
    links: Vec<Link>,
}

impl Reading<'_> {
    fn fill(&self, mix: &mut RunSpec, text: &str) -> Result<(), Mistake> {
        let document = DeTable::parse(text).map_err(|error| Mistake::of_syntax(&error))?;
        let document = document.get_ref();
        let expected = "expected [[member]] once or more";
        if let Some(key) = document.keys().find(|key| key.get_ref() != "member") {
            let what = format!("`{}` is not a key of a mix; {expected}", key.get_ref());
            return Err(misspelt(document, &["member"]).unwrap_or(Mistake::on(key, what)));
        }
        let Some(tables) = document.get("member") else {
            return Err(Mistake::at(0, format!("the mix has no member; {expected}")));
        };
        let mut all = Vec::new();
        for table in tables.get_ref().as_array().ok_or_else(|| Mistake::on(tables, expected))? {
            let keys = table.get_ref().as_table().ok_or_else(|| Mistake::on(table, expected))?;
            all.push(written(table.span().start, keys)?);
        }
        let mut members = Vec::new();
        for (one, rank) in all.iter().zip(ranks(&all)) {
            members.push(self.member(mix, one, rank)?);
        }
        take(mix, members);
        let own = measure::find(measure::MIX);
        let examined = own.map_or(Ok(()), |measurement| measurement.examine(mix).map(drop));
        examined.map_err(|why| {
            let named = all.iter().find_map(|one| {
                let rest = why.strip_prefix(&one.name)?.strip_prefix(": ")?;
                Some((one, rest))
            });
            let Some((one, rest)) = named else {
                return Mistake::at(0, why);
            };
            if rest.starts_with("--") {
                return refused(&Error::msg(rest.to_owned()), one.at, one.table);
            }
            let links = one.table.get("inputs").map(|value| value.span().start);
            Mistake::at(links.unwrap_or(one.at), &why)
        })
    }

    /// Returns a member as the run that it would be alone; `rank` 0 has the highest rate.
    fn member(&self, mix: &RunSpec, one: &Written, rank: usize) -> Result<Member, Mistake> {
        let measurement = one.measurement;
        let mut request = RunRequest::of(measurement);
        // Best-effort work has no due time, so it cannot be late.
        if one.rate.is_some() {
            request.blame = self.request.blame.clone();
        }
        let typed = &self.request.conditions;
        request.conditions = ConditionArgs {
            cpus: typed.cpus.clone(),
            memory: typed.memory,
            idle_states: typed.idle_states,
            policy: Some(self.ranked(one, rank)?),
            ..ConditionArgs::default()
        };
        let usual = set_usual(mix, one, &mut request);
        usual.map_err(|why| refused(&why.into(), one.at, one.table))?;
        for (key, value) in one.table {
            let name = key.get_ref().as_ref();
            let parameter = measurement.parameters().iter().find(|p| p.name == name);
            let is_free = !SET_BY_MIX.contains(&name) && (name != "rate" || one.rate.is_some());
            let condition = own_conditions().find(|condition| condition.name == name);
            if KEYS.contains(&name) {
                continue;
            }
            if condition.is_none() && !(is_free && parameter.is_some()) {
                return Err(Mistake::on(key, strange(name, one)));
            }
            let typed = values::from(self.directory, measurement, name, values::one(value)?);
            let set = match condition {
                Some(condition) => request.put(condition, &typed.text),
                None => request.parse(name, &typed.text).map_err(|why| why.reason()),
            };
            set.map_err(|why| Mistake::at(typed.at, format!("{name}: {why}")))?;
        }
        let specs = run::specs_on(self.ground, &request, |_, _| Ok(()));
        let specs = specs.map_err(|why| refused(&why, one.at, one.table))?;
        let [run] = <[RunSpec; 1]>::try_from(specs)
            .map_err(|_| Mistake::at(one.at, "expected one value of each key"))?;
        Ok(Member {
            name: one.name.clone(),
            run,
            inputs: one.links.clone(),
            best_effort: one.rate.is_none(),
            limit_percent: limit(one)?,
        })
    }

    /// Assigns rate-monotonic priorities: from the typed policy, or the default, downwards.
    fn ranked(&self, one: &Written, rank: usize) -> Result<Policy, Mistake> {
        let highest = self.request.conditions.policy.unwrap_or(REAL_TIME);
        match highest.lowered(rank as u8) {
            _ if one.rate.is_none() => Ok(Policy::Idle),
            Some(policy) => Ok(policy),
            None if highest.priority().is_none() || one.table.contains_key("policy") => Ok(highest),
            None => {
                let what = "--policy: each lower rate, and each member after its sources, has a \
                            priority lower by one, but";
                let what = format!("{what} {highest} has no {rank} priorities below it");
                Err(Mistake::at(one.at, what))
            }
        }
    }
}

/// Returns how many priorities are above that of each member: the highest rate is first, and at
/// equal rates a member is after those whose values it takes.
fn ranks(all: &[Written]) -> Vec<usize> {
    let members: Vec<_> = all.iter().map(|one| (&*one.name, &*one.links)).collect();
    let period = |one: &Written| one.rate.map_or(Nanos(0), Rate::period);
    let periods: Vec<Nanos> = all.iter().map(period).collect();
    let depths = record::depths(&record::wires(&members), &periods);
    let places: Vec<_> = periods.into_iter().zip(depths).collect();
    let paced = all.iter().zip(&places).filter(|(one, _)| one.rate.is_some());
    let known: BTreeSet<_> = paced.map(|(_, place)| *place).collect();
    let rank = |place| known.iter().position(|one| one == place).unwrap_or(0);
    places.iter().map(rank).collect()
}

/// Sets what follows from the mix: length, mode, and one thread unless the member sets more.
fn set_usual(mix: &RunSpec, one: &Written, request: &mut RunRequest) -> Result<(), Refused> {
    request.conditions.seconds = Some(mix.asked.duration);
    for parameter in one.measurement.parameters() {
        match (parameter.name, parameter.kind) {
            ("mode", _) if one.rate.is_none() => request.set_word("mode", Mode::RealFast.name())?,
            ("mode", _) => request.set_word("mode", Mode::RealTime.name())?,
            ("steps", _) if one.rate.is_none() => {
                // It has no fixed number of steps.
                request.set("steps", Value::Count(1))?;
                request.conditions.seconds = None;
            }
            (name, Kind::Threads(_)) => request.set(name, Value::Count(1))?,
            _ => {}
        }
    }
    one.chosen.map_or(Ok(()), |(parameter, word)| request.set_word(parameter, word))
}

/// Gives a mix its members, and sets what follows from them.
pub(crate) fn take(mix: &mut RunSpec, members: Vec<Member>) {
    let asked = members.iter().map(|member| &member.run.asked);
    mix.asked.cpus = asked.flat_map(|asked| asked.cpus.iter()).collect();
    let paced = || members.iter().filter(|member| !member.best_effort);
    let highest =
        paced().map(|member| member.run.asked.policy).max_by_key(|policy| policy.priority());
    mix.asked.policy = highest.unwrap_or(mix.asked.policy);
    for file in members.iter().flat_map(|member| &member.run.files) {
        if !mix.files.contains(file) {
            mix.files.push(file.clone());
        }
    }
    mix.blame_beyond = paced().filter_map(|member| member.run.blame_beyond).min();
    mix.members = members;
}

fn written<'t>(at: usize, table: &'t DeTable<'t>) -> Result<Written<'t>, Mistake> {
    let needed = |key: &str| {
        let value = table.get(key);
        value.ok_or_else(|| {
            let lacks = || Mistake::at(at, format!("expected `{key}` in this [[member]]"));
            misspelt(table, &NEEDED).unwrap_or_else(lacks)
        })
    };
    let name = values::one(needed("name")?)?;
    let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.text.is_empty() || !name.text.chars().all(is_plain) {
        let expected = "expected a name of letters, digits, - and _";
        return Err(Mistake::at(name.at, expected));
    }
    let model = values::one(needed("model")?)?;
    let known = MODELS.iter().find(|(word, ..)| *word == model.text);
    let Some((word, measurement, parameter)) = known else {
        let words: Vec<&str> = MODELS.iter().map(|(word, ..)| *word).collect();
        let what = format!("`{}` is not a model; expected {}", model.text, words.join(", "));
        return Err(Mistake::at(model.at, what));
    };
    if *measurement == "model" {
        needed(word)?;
    }
    let best_effort = table.get("best_effort").map_or(Ok(false), |value| {
        value.get_ref().as_bool().ok_or_else(|| Mistake::on(value, "expected true or false"))
    })?;
    let rate = if best_effort {
        None
    } else {
        let rate = values::one(needed("rate")?)?;
        let read = rate.text.parse();
        Some(read.map_err(|why| Mistake::at(rate.at, format!("rate: {why}")))?)
    };
    Ok(Written {
        at,
        table,
        name: name.text,
        measurement: measure::find(measurement).expect("its measurement is in the table"),
        chosen: parameter.map(|parameter| (parameter, *word)),
        rate,
        links: links(table)?,
    })
}

/// Returns the conditions that a member may have for itself.
fn own_conditions() -> impl Iterator<Item = &'static Condition> {
    keys().filter(|condition| condition.is_of_member)
}

fn strange(name: &str, one: &Written) -> String {
    let takes = |name: &&str| !SET_BY_MIX.contains(name) && !KEYS.contains(name);
    let conditions = own_conditions().map(|condition| condition.name);
    let own = one.measurement.parameters().iter().map(|p| p.name);
    let known = KEYS.into_iter().chain(conditions).chain(own.filter(takes));
    let expected = base::expected(name, known);
    format!("`{name}` is not a key of this member; {expected}")
}

/// Reads the limit of a best-effort member: a share of a CPU, in percent.
fn limit(one: &Written) -> Result<Option<u64>, Mistake> {
    let Some(value) = one.table.get("limit") else {
        return Ok(None);
    };
    let typed = values::one(value)?;
    match typed.text.trim_end_matches('%').parse() {
        _ if one.rate.is_some() => {
            let why = "limit: a member with a rate cannot have one; set best_effort = true, or leave it out";
            Err(Mistake::at(typed.at, why))
        }
        Ok(percent @ 1..=100) => Ok(Some(percent)),
        _ => Err(Mistake::at(typed.at, "limit: expected a share from 1% to 100%")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::CpuSet;
    use testing::refuses;

    fn read(text: &str) -> Result<RunSpec, String> {
        read_with(None, text)
    }

    fn read_with(policy: Option<Policy>, text: &str) -> Result<RunSpec, String> {
        let request = |name| {
            let mut request = RunRequest::named(name).unwrap();
            request.conditions.seconds = Some(Nanos(2 * Nanos::SECOND.0));
            request.conditions.policy = policy;
            request
        };
        let cores = [0, 1].map(CpuSet::one).to_vec();
        let ground = Ground { usable: "0-1".parse().unwrap(), isolated: CpuSet::default(), cores };
        let mut mix = run::specs_on(&ground, &request("wakeup"), |_, _| Ok(())).unwrap().remove(0);
        mix.measurement = measure::MIX.to_owned();
        mix.parameters =
            record::Parameters::defaults(measure::find(measure::MIX).unwrap().parameters());
        let reading = Reading { request: &request(measure::MIX), ground: &ground, directory: None };
        let filled = reading.fill(&mut mix, text);
        filled.map(|()| mix).map_err(|mistake| mistake.message("mix.toml", text))
    }

    const GOOD: &str = "[[member]]\nname = \"slow\"\nmodel = \"tire\"\nrate = \"100Hz\"\nmasses = 400\n\n\
        [[member]]\nname = \"fast\"\nmodel = \"wait\"\nrate = \"1kHz\"\nspin = \"50us\"\ninputs = { u = \"other.y\" }\n\n\
        [[member]]\nname = \"other\"\nmodel = \"wait\"\nrate = \"100Hz\"\npolicy = \"fifo:7\"\ncpus = \"0\"\n\n\
        [[member]]\nname = \"rest\"\nmodel = \"tire\"\nsolver = \"simd\"\nbest_effort = true\nlimit = \"50%\"\n";

    #[test]
    fn odd_mixes_are_read_or_refused_where_they_are_wrong() {
        let linked = "[[member]]\nname = \"a\"\nmodel = \"wait\"\nrate = \"1kHz\"\nspin = \"50us\"\n\
            inputs = { u = { from = \"b.y\", factor = 1e3, offset = -2 } }\n\
            [[member]]\nname = \"b\"\nmodel = \"wait\"\nrate = \"60Hz\"\n\
            inputs = { u = { from = \"a.y\", map = { 0 = 5, \"1.5\" = -1 }, delay = true } }\n";
        testing::try_corpus(&[GOOD, linked], 1_000, |input| {
            let text = String::from_utf8_lossy(input);
            match read(&text) {
                Ok(mix) => assert!(!mix.members.is_empty()),
                Err(why) => assert!(why.starts_with("mix.toml:") && !why.contains('\n'), "{why}"),
            }
        });
    }

    #[test]
    fn members_are_rate_monotonic_unless_they_say_otherwise() {
        let mix = read(GOOD).unwrap();
        let expected = [
            ("slow", "fifo:79", "1", 200),
            ("fast", "fifo:80", "1", 0),
            ("other", "fifo:7", "0", 0),
        ];
        for (member, (name, policy, cpus, steps)) in mix.members.iter().zip(expected) {
            let asked = &member.run.asked;
            let actual = (&*member.name, asked.policy.to_string(), asked.cpus.to_string());
            assert_eq!(actual, (name, policy.to_owned(), cpus.to_owned()));
            assert_eq!(member.run.parameters.steps(), steps, "{name}");
        }
        assert_eq!(mix.members[3].run.asked.policy, Policy::Idle);
        assert_eq!(mix.members[3].limit_percent, Some(50));
        assert_eq!((mix.asked.policy, &*mix.asked.cpus.to_string()), (Policy::Fifo(80), "0-1"));
        assert_eq!(mix.members[1].inputs[0].from, "other");
    }

    #[test]
    fn a_source_of_the_same_rate_has_a_higher_priority_and_values_may_be_changed() {
        let member = |name: &str, inputs: &str| {
            format!(
                "[[member]]\nname = \"{name}\"\nmodel = \"wait\"\nrate = \"1kHz\"\ninputs = {{ {inputs} }}\n"
            )
        };
        let linear = "u = { from = \"b.y\", factor = 1e3, offset = -2 }";
        let map = "u = { from = \"a.y\", map = { 0 = 5, \"1.5\" = -1 }, delay = true }";
        let mix = read(&(member("a", linear) + &member("b", map))).unwrap();
        let policies: Vec<String> =
            mix.members.iter().map(|one| one.run.asked.policy.to_string()).collect();
        assert_eq!(policies, ["fifo:79", "fifo:80"]);
        let links: Vec<&Link> = mix.members.iter().map(|one| &one.inputs[0]).collect();
        let changed = links.iter().map(|link| link.transform.as_ref().unwrap().of(1.5));
        assert_eq!(changed.collect::<Vec<_>>(), [Some(1498.0), Some(-1.0)]);
        assert_eq!([links[0].delay, links[1].delay], [false, true]);
    }

    #[test]
    fn a_policy_with_too_few_priorities_for_the_rates_is_refused() {
        let with = |policy| read_with(Some(policy), GOOD);
        assert_eq!(with(Policy::Fifo(2)).unwrap().members[0].run.asked.policy, Policy::Fifo(1));
        assert_eq!(with(Policy::OTHER).unwrap().members[0].run.asked.policy, Policy::OTHER);
        refuses(with(Policy::Fifo(1)), "mix.toml:1:1: --policy: each lower rate");
    }

    #[test]
    fn bad_plans_are_reported_with_their_place() {
        let member = |more: &str| format!("[[member]]\nname = \"a\"\nmodel = \"wait\"\n{more}");
        for (text, place, why) in [
            (String::new(), "1:1", "the mix has no member"),
            ("member = 3\n".to_owned(), "1:10", "expected [[member]]"),
            ("runs = 3\n".to_owned(), "1:1", "`runs` is not a key of a mix"),
            (
                "[[membre]]\nname = 'a'\n".to_owned(),
                "1:3",
                "`membre` is not a key here; did you mean `member`?",
            ),
            ("[[member]\n".to_owned(), "1:", "this is not TOML"),
            ("[[member]]\nmodel = 'wait'\n".to_owned(), "1:1", "expected `name`"),
            (member(""), "1:1", "expected `rate`"),
            (
                member("best_efort = true\n"),
                "4:1",
                "`best_efort` is not a key here; did you mean `best_effort`?",
            ),
            (member("rate = 'fast'\n"), "4:8", "rate: "),
            (member("rate = '1kHz'\nmasses = 4\n"), "5:1", "`masses` is not a key of this member"),
            (member("rate = '1kHz'\nmode = 'x'\n"), "5:1", "`mode` is not a key of this member"),
            (member("rate = '1kHz'\nspin = 'x'\n"), "5:8", "spin: "),
            (member("rate = '1kHz'\npolicy = 'ffio:1'\n"), "5:10", "`ffio` is not a policy"),
            (member("rate = '1kHz'\nlimit = '5%'\n"), "5:9", "limit: a member with a rate"),
            (member("rate = '1kHz'\ninputs = 3\n"), "5:10", "expected inputs ="),
            (member("rate = '1kHz'\ninputs = { u = 'b' }\n"), "5:16", "expected inputs ="),
            (
                member("rate = '1kHz'\ninputs = { u = { of = 'b.y' } }\n"),
                "5:18",
                "expected inputs =",
            ),
            (
                member("rate = '1kHz'\ninputs = { u = { from = 'b.y', factor = 'x' } }\n"),
                "5:41",
                "`x` is not a number",
            ),
            (
                member(
                    "rate = '1kHz'\ninputs = { u = { from = 'b.y', factor = 2, map = { 1 = 2 } } }\n",
                ),
                "5:50",
                "either a map, or",
            ),
            (member("rate = '1kHz'\ninputs = { u = 'b.y' }\n"), "5:10", "no member is named `b`"),
            (member("best_effort = true\nrate = '1kHz'\n"), "5:1", "`rate` is not a key"),
            (member("best_effort = 1\n"), "4:15", "expected true or false"),
            (member("best_effort = true\n"), "1:1", "no member has a rate"),
            (GOOD.replace("\"tire\"", "\"tyre\""), "3:9", "`tyre` is not a model"),
            (GOOD.replace("\"slow\"", "\"a b\""), "2:8", "expected a name"),
            (GOOD.replace("\"slow\"", "\"fast\""), "1:1", "two members have the same name"),
            (GOOD.replace("400", "401"), "5:10", "--masses: 401 masses"),
        ] {
            let message = read(&text).unwrap_err();
            let rest = message.strip_prefix("mix.toml:").unwrap_or(&message);
            assert!(rest.starts_with(place), "{text}: {message}");
            assert!(message.contains(why) && !message.contains('\n'), "{text}: {message}");
        }
    }
}
