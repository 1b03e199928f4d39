//! The parts of a system and the links between them, with their FMUs unpacked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use super::Ssp;
use super::flat::{Component, Flat, Place, joined, shown};
use super::order::{Edge, order};
use super::parameters::Parameter;
use super::structure::{Content, Element};
use super::transform::Transform;
use crate::archive::Archive;
use crate::description::{Causality, Description, Type, Variable};
use crate::refused::{Refused, refused};

/// The parts of a system in the order in which they step.
#[derive(Debug)]
pub struct Connected {
    pub parts: Vec<Part>,
    /// Names of values in parameter sets that belong to nothing.
    pub ignored: Vec<String>,
}

/// An FMU of a system.
#[derive(Debug)]
pub struct Part {
    /// Its path in the system, with dots between the names.
    pub path: String,
    /// A name of letters, digits, `-` and `_`, which no other part has.
    pub name: String,
    /// Where its FMU was unpacked.
    pub fmu: PathBuf,
    /// How it is stepped as the description says; empty or `any` if it does not.
    pub implementation: String,
    /// Start values, by the names of its variables.
    pub settings: BTreeMap<String, String>,
    pub links: Vec<Link>,
}

/// An input that the output of another part sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub input: String,
    /// The position of the other part.
    pub from: usize,
    pub output: String,
    pub transform: Transform,
    /// Whether the input takes the value of the previous step.
    pub delay: bool,
}

impl Ssp {
    /// Unpacks the FMUs into an existing folder, and connects them. Each of `delays` names an input,
    /// such as `Sub.B.u`, that takes the value of the previous step.
    ///
    /// # Errors
    /// One line that starts with the file's name: an FMU that is refused, a connector that is not a
    /// variable of its FMU, two sources of one input, units that cannot be converted, an algebraic
    /// loop, or a delay of an input that is not connected.
    pub fn connect(&self, folder: &Path, delays: &[String]) -> Result<Connected, Refused> {
        self.connected(folder, delays).map_err(|why| why.of(&self.path))
    }

    fn connected(&self, folder: &Path, delays: &[String]) -> Result<Connected, Refused> {
        let flat = Flat::of(&self.root);
        if flat.components.is_empty() {
            return Err(refused!("the system has no component"));
        }
        let fmus = self.unpacked(&flat, folder)?;
        let archives = fmus.iter().map(|fmu| Archive::open(fmu)).collect::<Result<Vec<_>, _>>()?;
        let reader = Reader { ssp: self, flat: &flat, archives: &archives };
        let (settings, ignored) = reader.settings()?;
        let links = reader.links()?;
        let edges = reader.edges(&links, delays)?;
        let order = order(flat.components.len(), &edges)?;
        let names = names(&flat.components);
        let mut parts = Vec::new();
        for (place, at) in order.iter().enumerate() {
            let Component { path, implementation, .. } = &flat.components[*at];
            let place_of = |part: usize| order.iter().position(|one| *one == part).unwrap_or(0);
            let has_direct = edges.iter().any(|edge| edge.to == *at && edge.is_direct);
            let own = links.iter().filter(|(to, _)| to == at).map(|(_, link)| {
                let is_direct = edges
                    .iter()
                    .any(|edge| (edge.from, edge.to) == (link.from, *at) && edge.is_direct);
                let from = place_of(link.from);
                let delay = !is_direct && (!has_direct || from >= place);
                Link { from, delay, ..link.clone() }
            });
            parts.push(Part {
                path: path.clone(),
                name: names[*at].clone(),
                fmu: fmus[*at].clone(),
                implementation: (*implementation).to_owned(),
                settings: settings[*at].clone(),
                links: own.collect(),
            });
        }
        Ok(Connected { parts, ignored })
    }

    /// Unpacks each FMU once, and returns the file of each component.
    fn unpacked(&self, flat: &Flat, folder: &Path) -> Result<Vec<PathBuf>, Refused> {
        let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
        let mut all = Vec::new();
        for component in &flat.components {
            let entry = self.entry(component.source)?;
            let name = entry.rsplit('/').next().unwrap_or(&entry);
            if !name.to_lowercase().ends_with(".fmu") {
                return Err(refused!(
                    "{} has the file {entry}, which is not an FMU",
                    component.path
                ));
            }
            let path = match files.get(&entry) {
                Some(path) => path.clone(),
                None => {
                    let path = folder.join(format!("{}-{name}", files.len() + 1));
                    self.entries.copy(&entry, &mut File::create(&path)?)?;
                    files.insert(entry, path.clone());
                    path
                }
            };
            all.push(path);
        }
        Ok(all)
    }
}

/// Returns a plain name for each component.
fn names(components: &[Component]) -> Vec<String> {
    let mut known = BTreeSet::new();
    let name = |component: &Component| {
        let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let plain: String =
            component.path.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        let name = names.find(|name| !known.contains(name)).unwrap_or_default();
        known.insert(name.clone());
        name
    };
    components.iter().map(name).collect()
}

struct Reader<'r> {
    ssp: &'r Ssp,
    flat: &'r Flat<'r>,
    archives: &'r [Archive],
}

type Settings = Vec<BTreeMap<String, String>>;

impl Reader<'_> {
    fn description(&self, component: usize) -> &Description {
        &self.archives[component].description
    }

    /// Returns the unit that the FMU gives to a variable.
    fn unit_of_variable(&self, (path, name): &Place) -> Option<String> {
        let about = self.description(self.flat.component(path)?);
        about.variables[about.place(name)?].unit.clone()
    }

    /// Returns the links to each component, by its position.
    fn links(&self) -> Result<Vec<(usize, Link)>, Refused> {
        let mut links: Vec<(usize, Link)> = Vec::new();
        for (from, component) in self.flat.components.iter().enumerate() {
            for connector in &component.element.connectors {
                let start = (component.path.clone(), connector.name.clone());
                for arrival in self.arrivals(&start)? {
                    self.expect_variable(from, &connector.name, Causality::Output)?;
                    let (to, input) = (arrival.component, arrival.connector);
                    self.expect_variable(to, &input, Causality::Input)?;
                    if links.iter().any(|(known, link)| *known == to && link.input == input) {
                        let path = &self.flat.components[to].path;
                        return Err(refused!("two connections lead to {}", joined(path, &input)));
                    }
                    let (transform, output) = (arrival.transform, connector.name.clone());
                    links.push((to, Link { input, from, output, transform, delay: false }));
                }
            }
        }
        Ok(links)
    }

    fn arrivals(&self, start: &Place) -> Result<Vec<super::flat::Arrival>, Refused> {
        self.flat.arrivals(start, &|place| self.unit_of_variable(place), &self.ssp.units)
    }

    /// Refuses a connection of a variable that is not in the FMU, or not an output or input.
    fn expect_variable(&self, at: usize, name: &str, causality: Causality) -> Result<(), Refused> {
        let about = self.description(at);
        let what = shown(&(self.flat.components[at].path.clone(), name.to_owned()));
        let Some(place) = about.place(name) else {
            return Err(refused!("{what} is connected, but the FMU has no variable `{name}`"));
        };
        let Variable { causality: found, kind, .. } = about.variables[place];
        if found != causality {
            return Err(refused!(
                "{what} is connected as {}, but is {} of its FMU, which is not supported",
                causality.name(),
                found.name()
            ));
        }
        match kind {
            Type::String | Type::Binary | Type::Clock => Err(refused!(
                "{what} is connected, but is of type {}; only numbers can be connected",
                kind.name()
            )),
            _ => Ok(()),
        }
    }

    /// Returns the links as edges; one is direct if an output that is used depends on it.
    fn edges(&self, links: &[(usize, Link)], delays: &[String]) -> Result<Vec<Edge>, Refused> {
        let place = |part: usize, name: &str| joined(&self.flat.components[part].path, name);
        let edge = |(to, link): &(usize, Link)| {
            let input = place(*to, &link.input);
            let used = links.iter().filter(|(_, other)| other.from == *to);
            let used: Vec<&str> = used.map(|(_, other)| other.output.as_str()).collect();
            let about = self.description(*to);
            Edge {
                from: link.from,
                to: *to,
                name: format!("{} -> {input}", place(link.from, &link.output)),
                is_direct: !delays.contains(&input) && is_direct(about, &link.input, &used),
                input,
            }
        };
        let edges: Vec<Edge> = links.iter().map(edge).collect();
        match delays.iter().find(|delay| edges.iter().all(|edge| edge.input != **delay)) {
            None => Ok(edges),
            Some(delay) => {
                let inputs = edges.iter().map(|edge| edge.input.as_str());
                Err(refused!(
                    "--delay: no connection leads to {delay}; {}",
                    base::expected(delay, inputs)
                ))
            }
        }
    }

    /// Returns the start values of each component, and the names that belong to nothing.
    fn settings(&self) -> Result<(Settings, Vec<String>), Refused> {
        let mut settings = vec![BTreeMap::new(); self.flat.components.len()];
        let mut ignored = Vec::new();
        self.bind(&self.ssp.root, "", &mut settings, &mut ignored)?;
        Ok((settings, ignored))
    }

    /// Applies the bindings of an element after those inside it, which have less weight.
    fn bind(
        &self,
        element: &Element,
        path: &str,
        settings: &mut Settings,
        ignored: &mut Vec<String>,
    ) -> Result<(), Refused> {
        if let Content::System { elements, .. } = &element.content {
            for inner in elements {
                self.bind(inner, &joined(path, &inner.name), settings, ignored)?;
            }
        }
        for binding in &element.bindings {
            for parameter in binding.values(&|source| self.ssp.file(source))? {
                if !self.apply(element, path, &parameter.name, &parameter, settings)? {
                    ignored.push(joined(path, &parameter.name));
                }
            }
        }
        Ok(())
    }

    /// Applies a value to everything that has this name in an element, and returns whether anything
    /// has it.
    fn apply(
        &self,
        element: &Element,
        path: &str,
        name: &str,
        parameter: &Parameter,
        settings: &mut Settings,
    ) -> Result<bool, Refused> {
        let place = (path.to_owned(), name.to_owned());
        let Content::System { elements, .. } = &element.content else {
            let Some(at) = self.flat.component(path) else { return Ok(false) };
            if self.description(at).place(name).is_none() {
                return Ok(false);
            }
            settings[at].insert(name.to_owned(), self.converted(parameter, &place, None)?);
            return Ok(true);
        };
        let mut has_it = false;
        if element.connectors.iter().any(|connector| connector.name == name) {
            for arrival in self.arrivals(&place)? {
                let value = self.converted(parameter, &place, Some(&arrival.transform))?;
                settings[arrival.component].insert(arrival.connector, value);
            }
            has_it = true;
        }
        for inner in elements {
            let rest = name.strip_prefix(&*inner.name).and_then(|rest| rest.strip_prefix('.'));
            if let Some(rest) = rest {
                has_it |=
                    self.apply(inner, &joined(path, &inner.name), rest, parameter, settings)?;
            }
        }
        Ok(has_it)
    }

    /// Returns a value in the unit of its place, and changed on its way from there.
    fn converted(
        &self,
        parameter: &Parameter,
        place: &Place,
        way: Option<&Transform>,
    ) -> Result<String, Refused> {
        let unit = self.flat.unit(place, &|place| self.unit_of_variable(place));
        let conversion = match (&parameter.unit, unit) {
            (Some((from, units)), Some(to)) if parameter.converts_units => {
                units.conversion(from, &self.ssp.units, &to)
            }
            _ => Ok(Transform::SAME),
        };
        let value = conversion.and_then(|conversion| parameter.value_in(&conversion, way));
        value.map_err(|why| refused!("the parameter {}: {}", shown(place), why.why()))
    }
}

/// Whether a used output depends on an input within a step; of a part without used outputs, any
/// output. Without dependencies in the description, every output depends on every input.
fn is_direct(about: &Description, input: &str, used: &[&str]) -> bool {
    let Some(input) = about.place(input) else { return true };
    let outputs = about.structure.outputs.iter().zip(&about.structure.feedthrough);
    let is_used = |place: usize| used.iter().any(|name| about.place(name) == Some(place));
    let mut relevant = outputs.filter(|(place, _)| used.is_empty() || is_used(**place));
    relevant.any(|(_, inputs)| inputs.as_ref().is_none_or(|inputs| inputs.contains(&input)))
}
