//! Removes what may identify a user or a machine's owner from stored results.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use analysis::machine::by_publicity;
use anyhow::Result;
use measure::MEASUREMENTS;
use record::{Heading, Kind, Machine, Outcome, RunSpec, Track, Value as Parameter, Words};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::address::{HOST, without_addresses};

const REMOVED: &str = "removed";
/// Directories that are the same on every machine, with what is below them.
const SYSTEM: [&str; 8] = ["/bin", "/boot", "/dev", "/lib", "/proc", "/sbin", "/sys", "/usr"];
/// Directories that are the same on every machine, but not what is below them.
const SHARED: [&str; 4] = ["/var/lib", "/var/tmp", "/usr/local", "/var/opt"];
/// Directories that contain one for each user.
const OF_USERS: [&str; 4] = ["/home/", "/Users/", "/media/", "/run/user/"];
/// Directories that contain some of users and companies, beside files.
const OF_OWNERS: [&str; 10] = [
    "/etc/",
    "/mnt/",
    "/net/",
    "/opt/",
    "/srv/",
    "/tmp/",
    "/usr/local/",
    "/var/lib/",
    "/var/opt/",
    "/var/tmp/",
];
/// Names that very many machines and users have, and words of the program.
const COMMON: [&str; 16] = [
    "root",
    "localhost",
    "user",
    "ubuntu",
    "debian",
    "fedora",
    "raspberrypi",
    "admin",
    "nobody",
    "fifo",
    "rr",
    "other",
    "batch",
    "idle",
    "deadline",
    "none",
];
/// Environment variables with names of the user and the machine.
const NAMED: [&str; 4] = ["USER", "LOGNAME", "SUDO_USER", "HOSTNAME"];
/// Environment variables with the number of the user who became another one.
const NUMBERED: [&str; 2] = ["SUDO_UID", "PKEXEC_UID"];
/// Shorter names are also words, so they are removed only from titles and notes.
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
    /// Returns what a process of this user on this machine should remove from this store.
    pub(super) fn of_this_process(store: &Path) -> Self {
        let owner = |path: &Path| Some(fs::metadata(path).ok()?.uid());
        let numbers = NUMBERED.iter().filter_map(|name| env::var(name).ok()?.parse().ok());
        let numbers = numbers.chain(owner(store)).chain(owner(Path::new("/proc/self")));
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let users: Vec<String> = numbers.filter_map(|number| user(&users, number)).collect();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let variables = NAMED.iter().filter_map(|name| env::var(name).ok());
        Self::of_names(variables.chain(users).chain([host]))
    }

    /// Removes these names, the first label of each, and the domain that it is in.
    fn of_names(all: impl IntoIterator<Item = String>) -> Self {
        let mut names = BTreeSet::new();
        for name in all {
            let name = name.trim().to_lowercase();
            if let Some((label, domain)) = name.split_once('.') {
                names.extend([label.to_owned(), domain.to_owned()]);
            }
            names.insert(name);
        }
        names.retain(|name| may_identify(name));
        let mut names = Vec::from_iter(names);
        names.sort_by_key(|name| Reverse(name.len()));
        Self { is_removed: true, names, replaced: Vec::new() }
    }

    /// Adds the files and hosts that are named by parameters of these runs.
    pub(super) fn with_names_of(&self, outcomes: &[Outcome]) -> Self {
        let mut all = self.clone();
        if self.is_removed {
            outcomes.iter().for_each(|outcome| all.add(&outcome.header.spec));
            // The longest first, since a path may be the start of another.
            all.replaced.sort_by_key(|(name, _)| Reverse(name.len()));
            all.replaced.dedup();
        }
        all
    }

    fn add(&mut self, spec: &RunSpec) {
        for file in &spec.files {
            self.replaced.push((file.path.clone(), file_name(&file.path)));
        }
        let declared = measure::find(&spec.measurement).map_or(&[][..], |found| found.parameters());
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
        let clean = self.text(words.text());
        Words::read(&self.names.iter().fold(clean, |text, name| without_name(&text, name))).ok()
    }

    /// Returns data with each of its texts changed.
    pub(super) fn through<T: Serialize + DeserializeOwned>(&self, data: &T) -> Result<T> {
        let mut document = serde_json::to_value(data)?;
        self.clean(&mut document);
        Ok(serde_json::from_value(document)?)
    }

    fn clean(&self, value: &mut Value) {
        record::change_texts(value, &|text| self.text(text));
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
        let names = self.names.iter().filter(|name| name.len() >= SHORTEST_NAME);
        names.fold(without_addresses(&clean), |text, name| without_name(&text, name))
    }
}

/// Returns whether a name is not one that most machines or the runs themselves have.
fn may_identify(name: &str) -> bool {
    let mut parameters = MEASUREMENTS.iter().flat_map(|measurement| measurement.parameters());
    let is_known = COMMON.contains(&name)
        || measure::find(name).is_some()
        || load::find(name).is_some()
        || parameters.any(|parameter| parameter.name == name);
    !name.is_empty() && !is_known
}

fn file_name(path: &str) -> String {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned()
}

/// Returns the name of the user with this number, from the text of /etc/passwd.
fn user(passwd: &str, number: u32) -> Option<String> {
    let number = number.to_string();
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, found) = (fields.next()?, fields.nth(1)?);
        (found == number).then(|| name.to_owned())
    })
}

/// Replaces the directories of a path, or a user's name before a host.
fn without_place(word: &str) -> String {
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
    if path.matches('/').count() < 2 || SHARED.contains(&path) {
        return path.to_owned();
    }
    let inside = |roots: &[&str]| {
        let inside = roots.iter().find_map(|root| path.strip_prefix(root))?;
        Some(inside.trim_end_matches('/').to_owned())
    };
    let is_owners =
        |name: &str| !name.contains('/') && (!name.contains('.') || name.ends_with(".d"));
    match (inside(&OF_USERS), inside(&OF_OWNERS)) {
        (Some(user), _) if !user.contains('/') => REMOVED.to_owned(),
        (_, Some(owner)) if is_owners(&owner) => REMOVED.to_owned(),
        (None, None) if SYSTEM.iter().any(is_below) => path.to_owned(),
        _ => file_name(path),
    }
}

fn without_name(text: &str, name: &str) -> String {
    // Host names are the same in either case, and in variables with `_` for `-`.
    let plain = |text: &str| text.to_ascii_lowercase().replace('_', "-");
    let (searched, name) = (plain(text), plain(name));
    let (mut clean, mut at) = (String::new(), 0);
    for (from, _) in searched.match_indices(&name) {
        let to = from + name.len();
        let (before, after) = (&text[..from], &text[to..]);
        if before.ends_with(char::is_alphanumeric) || after.starts_with(char::is_alphanumeric) {
            continue;
        }
        clean += &text[at..from];
        clean += REMOVED;
        at = to;
    }
    clean + &text[at..]
}

#[cfg(test)]
mod tests {
    use base::Policy;
    use testing::outcomes::wakeup;

    use super::*;

    #[test]
    fn names_paths_and_addresses_go_and_everything_else_stays() {
        let private = Private::of_names(["ada-lab.acme.example\n", "lovelace"].map(str::to_owned));
        for (text, clean) in [
            ("disk:/home/lovelace/scratch", "disk:scratch"),
            ("cannot open /home/lovelace: denied", "cannot open removed: denied"),
            ("`/srv/models/plant.fmu` is late", "`plant.fmu` is late"),
            ("/opt/acme/bin/plant", "plant"),
            ("/opt/acme", "removed"),
            ("/etc/acme.d: missing", "removed: missing"),
            ("/etc/acme.d/limits.conf", "limits.conf"),
            ("/tmp/plant.csv", "plant.csv"),
            ("/var/lib/acme", "removed"),
            ("/usr/local/acme/lib.so", "lib.so"),
            ("root@bench.example.org", "removed"),
            ("10.1.2.3:9870", "192.0.2.1:9870"),
            ("from fe80::1, to 52:54:00:12:34:56.", "from 2001:db8::1, to 00:00:00:00:00:00."),
            ("ada-lab: task `lovelace-sync`", "removed: task `removed-sync`"),
            ("ADA_LAB and Ada-Lab", "removed and removed"),
            ("ada-lab.acme.example", "removed"),
            ("acme.example", "removed"),
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
            "/usr/bin/stress-ng",
        ] {
            assert_eq!(private.text(text), text);
        }
        assert_eq!(Private::default().text("root@bench"), "root@bench");
    }

    #[test]
    fn short_names_go_from_what_a_person_wrote() {
        let private = Private::of_names(["ada".to_owned(), "rr".to_owned()]);
        assert_eq!(private.text("ada fifo:80"), "ada fifo:80");
        let title = Words::read("bench of Ada, rr:80").ok();
        let clean = private.heading(&Heading { title, note: None });
        assert_eq!(clean.title.unwrap().text(), "bench of removed, rr:80");
    }

    #[test]
    fn a_user_is_found_by_number() {
        let passwd = "root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\n";
        assert_eq!(user(passwd, 1000).as_deref(), Some("ada"));
        assert_eq!(user(passwd, 100), None);
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
