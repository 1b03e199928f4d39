//! Removes what may identify a user or a machine's owner from stored results.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use analysis::machine::by_publicity;
use anyhow::Result;
use plan::{Heading, Kind, Machine, Outcome, RunSpec, Track, Value as Parameter, Words};
use probe::MEASUREMENTS;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const REMOVED: &str = "removed";
/// Directories that are the same on every machine.
const SYSTEM: [&str; 13] = [
    "/bin", "/boot", "/dev", "/etc", "/lib", "/opt", "/proc", "/sbin", "/sys", "/tmp", "/usr",
    "/var/lib", "/var/tmp",
];
/// Directories that contain one for each user.
const OF_USERS: [&str; 4] = ["/home/", "/Users/", "/media/", "/run/user/"];
/// Names that very many machines and users have.
const COMMON: [&str; 8] =
    ["root", "localhost", "user", "ubuntu", "debian", "fedora", "raspberrypi", "admin"];
/// An address for documentation (RFC 5737), in place of each.
const HOST: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
/// Shorter names are parts of too many other words.
const SHORTEST_NAME: usize = 4;

/// What to remove; by default nothing.
#[derive(Default, Clone)]
pub(super) struct Private {
    is_removed: bool,
    names: Vec<String>,
    /// Files and hosts that the runs name, and what replaces each.
    replaced: Vec<(String, String)>,
}

impl Private {
    /// Returns what a process of this user on this machine should remove.
    pub(super) fn of_this_process() -> Self {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let variables = ["USER", "LOGNAME", "HOSTNAME"].into_iter();
        let all = variables.filter_map(|name| env::var(name).ok()).chain(host);
        let mut names: BTreeSet<String> = all.map(|name| name.trim().to_owned()).collect();
        names.retain(|name| may_identify(name));
        Self { is_removed: true, names: Vec::from_iter(names), replaced: Vec::new() }
    }

    /// Adds the files and hosts that are named by parameters of these runs.
    pub(super) fn with_names_of(&self, outcomes: &[Outcome]) -> Self {
        let mut all = self.clone();
        if self.is_removed {
            outcomes.iter().for_each(|outcome| all.add(&outcome.header.spec));
            // The longest first, since a path may be the start of another.
            all.replaced.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
            all.replaced.dedup();
        }
        all
    }

    fn add(&mut self, spec: &RunSpec) {
        for file in &spec.files {
            self.replaced.push((file.path.clone(), file_name(&file.path)));
        }
        let declared = probe::find(&spec.measurement).map_or(&[][..], |found| found.parameters());
        for (name, value) in spec.parameters.iter() {
            let parameter = declared.iter().find(|parameter| parameter.name == name);
            if let (Some(Kind::Peer(words)), Parameter::Word(peer)) =
                (parameter.map(|it| it.kind), value)
                && !words.contains(&peer.as_str())
                && let Some((host, port)) = peer.rsplit_once(':')
            {
                self.replaced.push((peer.clone(), format!("{HOST}:{port}")));
                self.names.extend(may_identify(host).then(|| host.to_owned()));
            }
        }
        spec.members.iter().for_each(|member| self.add(&member.run));
    }

    pub(super) fn removed(
        &self,
        mut run: Outcome,
        mut samples: Vec<Track>,
    ) -> Result<(Outcome, Vec<Track>)> {
        if !self.is_removed {
            return Ok((run, samples));
        }
        run.header.machine = self.machine(&run.header.machine)?.into();
        run.header.spec = self.through(&run.header.spec)?;
        run.found = self.through(&run.found)?;
        run.warnings = self.through(&run.warnings)?;
        for row in &mut run.rows {
            row.label = self.text(&row.label);
            row.unavailable = row.unavailable.as_ref().map(|why| self.text(why));
            row.facts.values_mut().for_each(|fact| self.clean(fact));
        }
        for track in &mut samples {
            track.name = self.text(&track.name);
            track.attributes.values_mut().for_each(|fact| self.clean(fact));
        }
        Ok((run, samples))
    }

    pub(super) fn machine(&self, machine: &Machine) -> Result<Machine> {
        if !self.is_removed {
            return Ok(machine.clone());
        }
        let (public, _) = by_publicity(&machine.command_line);
        self.through(&Machine { command_line: public.join(" "), ..machine.clone() })
    }

    pub(super) fn heading(&self, heading: &Heading) -> Heading {
        Heading {
            title: heading.title.as_ref().and_then(|title| self.words(title)),
            note: heading.note.as_ref().and_then(|note| self.words(note)),
        }
    }

    fn words<const MOST: usize>(&self, words: &Words<MOST>) -> Option<Words<MOST>> {
        Words::read(&self.text(words.text())).ok()
    }

    /// Returns data with each of its texts changed.
    pub(super) fn through<T: Serialize + DeserializeOwned>(&self, data: &T) -> Result<T> {
        let mut document = serde_json::to_value(data)?;
        self.clean(&mut document);
        Ok(serde_json::from_value(document)?)
    }

    fn clean(&self, value: &mut Value) {
        plan::change_texts(value, &|text| self.text(text));
    }

    /// Returns a text without names of this machine and user, directories and addresses.
    pub(super) fn text(&self, text: &str) -> String {
        if !self.is_removed {
            return text.to_owned();
        }
        let mut named = text.to_owned();
        for (name, instead) in &self.replaced {
            named = named.replace(name.as_str(), instead);
        }
        let is_between = |c: char| c.is_whitespace() || "\"'`,;()<>=|".contains(c);
        let mut clean = String::new();
        for piece in named.split_inclusive(is_between) {
            let word = piece.trim_end_matches(is_between).trim_end_matches(['.', ':']);
            clean += &(without_place(word) + &piece[word.len()..]);
        }
        self.names.iter().fold(clean, |text, name| without_name(&text, name))
    }
}

/// Returns whether a name is not one that most machines or the runs themselves have.
fn may_identify(name: &str) -> bool {
    let mut parameters = MEASUREMENTS.iter().flat_map(|measurement| measurement.parameters());
    let is_known = COMMON.contains(&name)
        || probe::find(name).is_some()
        || load::find(name).is_some()
        || parameters.any(|parameter| parameter.name == name);
    name.len() >= SHORTEST_NAME && !is_known
}

fn file_name(path: &str) -> String {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned()
}

/// Replaces an address, the directories of a path, or a user's name before a host.
fn without_place(word: &str) -> String {
    if let Some(address) = without_address(word) {
        return address;
    }
    let mut starts = word.match_indices('/').map(|(at, _)| word.split_at(at));
    let path = starts.find(|(before, _)| before.is_empty() || before.ends_with([':', '@']));
    if let Some((before, path)) = path {
        return without_place(before) + &without_directories(path);
    }
    match word.split_once('@') {
        Some((user, host)) if !user.is_empty() && host.starts_with(char::is_alphabetic) => {
            REMOVED.to_owned()
        }
        _ => word.to_owned(),
    }
}

fn without_directories(path: &str) -> String {
    let is_below = |root: &&str| {
        path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if path.matches('/').count() < 2 || SYSTEM.iter().any(is_below) {
        return path.to_owned();
    }
    let inside = OF_USERS.iter().find_map(|root| path.strip_prefix(root));
    match inside.map(|inside| inside.trim_end_matches('/')) {
        Some(user) if !user.contains('/') => REMOVED.to_owned(),
        _ => file_name(path),
    }
}

/// Returns an address from the documentation's range in place of one that may belong to someone.
fn without_address(word: &str) -> Option<String> {
    let documented = |ip: IpAddr| match ip {
        _ if ip.is_loopback() || ip.is_unspecified() => ip,
        IpAddr::V4(_) => HOST.into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
    };
    let is_byte = |part: &str| part.len() == 2 && u8::from_str_radix(part, 16).is_ok();
    if word.split(':').count() == 6 && word.split(':').all(is_byte) {
        return Some("00:00:00:00:00:00".to_owned());
    }
    if let Ok(ip) = word.parse::<IpAddr>() {
        return Some(documented(ip).to_string());
    }
    let socket = word.parse::<SocketAddr>().ok()?;
    Some(SocketAddr::new(documented(socket.ip()), socket.port()).to_string())
}

fn without_name(text: &str, name: &str) -> String {
    let mut clean = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole =
            !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        clean += before;
        clean += if is_whole { REMOVED } else { name };
        rest = after;
    }
    clean + rest
}

#[cfg(test)]
mod tests {
    use testing::outcomes::wakeup;
    use units::Policy;

    use super::*;

    #[test]
    fn names_paths_and_addresses_go_and_everything_else_stays() {
        let names = vec!["ada-lab".to_owned(), "lovelace".to_owned()];
        let private = Private { is_removed: true, names, replaced: Vec::new() };
        for (text, clean) in [
            ("disk:/home/lovelace/scratch", "disk:scratch"),
            ("cannot open /home/lovelace: denied", "cannot open removed: denied"),
            ("`/srv/models/plant.fmu` is late", "`plant.fmu` is late"),
            ("root@bench.example.org", "removed"),
            ("10.1.2.3:9870", "192.0.2.1:9870"),
            ("from fe80::1, to 52:54:00:12:34:56.", "from 2001:db8::1, to 00:00:00:00:00:00."),
            ("ada-lab: task `lovelace-sync`", "removed: task `removed-sync`"),
        ] {
            assert_eq!(private.text(text), clean, "{text}");
        }
        for text in [
            "disk:/var/tmp",
            "cpu%50@0-1",
            "127.0.0.1:7",
            "50000000/1000000000",
            "task `kworker/0:1`",
            "lovelaces",
            "10/h or 1/1000000",
            "/dev/cpu_dma_latency",
        ] {
            assert_eq!(private.text(text), text);
        }
        assert_eq!(Private::default().text("root@bench"), "root@bench");
    }

    #[test]
    fn the_peer_of_a_run_goes_and_words_with_its_name_in_them_stay() {
        for (peer, text, clean) in [
            ("pi:7007", "--start spin --peer pi:7007", "--start spin --peer 192.0.2.1:7007"),
            ("start:7007", "start", "start"),
            ("bench7:7007", "bench7 does not answer", "removed does not answer"),
        ] {
            let mut spec = wakeup(Policy::OTHER, None, 8e3, 6e4).header.spec;
            spec.measurement = "frame".to_owned();
            spec.parameters.set("peer", Parameter::Word(peer.to_owned()));
            let mut private = Private { is_removed: true, ..Private::default() };
            private.add(&spec);
            assert_eq!(private.text(text), clean);
        }
    }
}
