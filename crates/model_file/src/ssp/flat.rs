//! A nested system without its nesting: components, and the ways of values between their connectors.

use std::collections::HashMap;

use super::structure::{Connection, Connector, Content, Element};
use super::transform::Transform;
use super::units::Units;
use crate::refused::{Refused, refused};

/// A connector of an element, by the path of the element: the names from the root system on, with
/// dots between them. That of the root system is empty.
pub(super) type Place = (String, String);

/// All components and connections of a system.
#[derive(Debug, Default)]
pub(super) struct Flat<'s> {
    pub(super) components: Vec<Component<'s>>,
    connectors: HashMap<Place, &'s Connector>,
    /// Connections that start at a place, each with its end.
    from: HashMap<Place, Vec<(Place, &'s Connection)>>,
}

#[derive(Debug)]
pub(super) struct Component<'s> {
    pub(super) path: String,
    pub(super) element: &'s Element,
    pub(super) source: &'s str,
    pub(super) implementation: &'s str,
}

/// Where a value arrives, and how it has changed on its way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arrival {
    /// The component, by its position, and its connector.
    pub(super) component: usize,
    pub(super) connector: String,
    pub(super) transform: Transform,
}

/// A value on its way.
#[derive(Debug, Clone)]
struct Way {
    unit: Option<String>,
    transform: Transform,
}

impl<'s> Flat<'s> {
    pub(super) fn of(root: &'s Element) -> Self {
        let mut all = Self::default();
        all.add(root, "");
        all
    }

    fn add(&mut self, element: &'s Element, path: &str) {
        for connector in &element.connectors {
            self.connectors.insert((path.to_owned(), connector.name.clone()), connector);
        }
        match &element.content {
            Content::Component { source, implementation } => {
                let path = path.to_owned();
                self.components.push(Component { path, element, source, implementation });
            }
            Content::System { elements, connections } => {
                for inner in elements {
                    self.add(inner, &joined(path, &inner.name));
                }
                for connection in connections {
                    let place = |(element, connector): &(Option<String>, String)| {
                        let inner = element.as_ref().map(|element| joined(path, element));
                        (inner.unwrap_or_else(|| path.to_owned()), connector.clone())
                    };
                    let ends = self.from.entry(place(&connection.start)).or_default();
                    ends.push((place(&connection.end), connection));
                }
            }
        }
    }

    pub(super) fn component(&self, path: &str) -> Option<usize> {
        self.components.iter().position(|component| component.path == path)
    }

    /// Returns all components that a value of a connector reaches. Its unit is that of the
    /// connector, or `usual` if that has none.
    pub(super) fn arrivals(
        &self,
        start: &Place,
        usual: &dyn Fn(&Place) -> Option<String>,
        units: &Units,
    ) -> Result<Vec<Arrival>, Refused> {
        let unit = self.unit(start, usual);
        let way = Way { unit, transform: Transform::SAME };
        let mut arrivals = Vec::new();
        self.follow(start, &way, usual, units, &mut vec![start.clone()], &mut arrivals)?;
        Ok(arrivals)
    }

    pub(super) fn unit(
        &self,
        place: &Place,
        usual: &dyn Fn(&Place) -> Option<String>,
    ) -> Option<String> {
        let typed = self.connectors.get(place).and_then(|connector| connector.unit.clone());
        typed.or_else(|| usual(place))
    }

    fn follow(
        &self,
        start: &Place,
        way: &Way,
        usual: &dyn Fn(&Place) -> Option<String>,
        units: &Units,
        passed: &mut Vec<Place>,
        arrivals: &mut Vec<Arrival>,
    ) -> Result<(), Refused> {
        for (end, connection) in self.from.get(start).into_iter().flatten() {
            if passed.contains(end) {
                return Err(refused!("connections lead from {} back to it", shown(end)));
            }
            let way = way.through(connection, self.unit(end, usual), units);
            let way =
                way.map_err(|why| refused!("{} to {}: {}", shown(start), shown(end), why.why()))?;
            match self.component(&end.0) {
                Some(component) => arrivals.push(Arrival {
                    component,
                    connector: end.1.clone(),
                    transform: way.transform,
                }),
                None => {
                    passed.push(end.clone());
                    self.follow(end, &way, usual, units, passed, arrivals)?;
                    passed.pop();
                }
            }
        }
        Ok(())
    }
}

impl Way {
    /// Returns the value after a connection to a connector of this unit; one without a unit has that
    /// of the value.
    fn through(
        &self,
        connection: &Connection,
        unit: Option<String>,
        units: &Units,
    ) -> Result<Self, Refused> {
        let conversion = match (&self.unit, &unit) {
            (Some(from), Some(to)) if connection.converts_units => {
                units.conversion(from, units, to)?
            }
            _ => Transform::SAME,
        };
        let transform = self.transform.clone().then(conversion)?;
        Ok(Self {
            unit: unit.or_else(|| self.unit.clone()),
            transform: transform.then(connection.transform.clone())?,
        })
    }
}

pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Returns a place as users write it: `Sub.A.y`.
pub(super) fn shown((path, connector): &Place) -> String {
    joined(path, connector)
}
