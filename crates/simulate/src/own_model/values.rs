//! Values of an FMU's variables as numbers; they are read and set with one call per type.

use model_file::Type;
use rt::fmi::{Failed, Variables};

use super::variables::Value;

/// Variables of one type, and the positions of their values among all.
#[derive(Debug)]
struct Group {
    references: Vec<u32>,
    places: Vec<usize>,
    numbers: Numbers,
}

#[derive(Debug)]
enum Numbers {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I8(Vec<i8>),
    U8(Vec<u8>),
    I16(Vec<i16>),
    U16(Vec<u16>),
    I32(Vec<i32>),
    U32(Vec<u32>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    Bool(Vec<bool>),
}

impl Numbers {
    fn of(kind: Type, is_two: bool, count: usize) -> Self {
        match kind {
            Type::Float32 => Self::F32(vec![0.0; count]),
            Type::Int8 => Self::I8(vec![0; count]),
            Type::UInt8 => Self::U8(vec![0; count]),
            Type::Int16 => Self::I16(vec![0; count]),
            Type::UInt16 => Self::U16(vec![0; count]),
            Type::Int32 => Self::I32(vec![0; count]),
            Type::UInt32 => Self::U32(vec![0; count]),
            // Enumerations are 32-bit integers in FMI 2.0, and 64-bit integers in FMI 3.0.
            Type::Enumeration if is_two => Self::I32(vec![0; count]),
            Type::Int64 | Type::Enumeration => Self::I64(vec![0; count]),
            Type::UInt64 => Self::U64(vec![0; count]),
            Type::Boolean => Self::Bool(vec![false; count]),
            _ => Self::F64(vec![0.0; count]),
        }
    }
}

/// Applies an expression to the numbers of each type: one for all, or one for fractions and one for
/// whole numbers, and one for Booleans.
macro_rules! each {
    ($numbers:expr, $values:ident => $number:expr, $bool:expr) => {
        each!($numbers, $values => $number, $number, $bool)
    };
    ($numbers:expr, $values:ident => $fraction:expr, $whole:expr, $bool:expr) => {
        match $numbers {
            Numbers::F64($values) => $fraction,
            Numbers::F32($values) => $fraction,
            Numbers::I8($values) => $whole,
            Numbers::U8($values) => $whole,
            Numbers::I16($values) => $whole,
            Numbers::U16($values) => $whole,
            Numbers::I32($values) => $whole,
            Numbers::U32($values) => $whole,
            Numbers::I64($values) => $whole,
            Numbers::U64($values) => $whole,
            Numbers::Bool($values) => $bool,
        }
    };
}

#[derive(Debug, Default)]
pub(super) struct Values(Vec<Group>);

impl Values {
    /// Allocates memory for these values, in their order.
    pub(super) fn of(all: &[Value], is_two: bool) -> Self {
        Self::of_those(all, is_two, |_| true)
    }

    /// Does the same for those whose positions among all are wanted.
    pub(super) fn of_those(all: &[Value], is_two: bool, is_wanted: impl Fn(usize) -> bool) -> Self {
        let mut groups: Vec<(Type, Vec<u32>, Vec<usize>)> = Vec::new();
        for (place, value) in all.iter().enumerate().filter(|(place, _)| is_wanted(*place)) {
            let at = groups.iter().position(|(kind, ..)| *kind == value.kind);
            let at = at.unwrap_or_else(|| {
                groups.push((value.kind, Vec::new(), Vec::new()));
                groups.len() - 1
            });
            let (_, references, places) = &mut groups[at];
            // The elements of an array are one variable; aliases are separate variables.
            if value.element == 0 {
                references.push(value.reference);
            }
            places.push(place);
        }
        let group = |(kind, references, places): (Type, Vec<u32>, Vec<usize>)| Group {
            numbers: Numbers::of(kind, is_two, places.len()),
            references,
            places,
        };
        Self(groups.into_iter().map(group).collect())
    }

    #[expect(clippy::unnecessary_cast, reason = "one of the types is that of the values")]
    #[inline]
    pub(super) fn read(&mut self, from: Variables, to: &mut [f64]) -> Result<(), Failed> {
        for Group { references, places, numbers } in &mut self.0 {
            each!(numbers, values =>
                {
                    from.get(references, values)?;
                    for (place, value) in places.iter().zip(values) {
                        to[*place] = *value as f64;
                    }
                },
                {
                    from.get_booleans(references, values)?;
                    for (place, value) in places.iter().zip(values) {
                        to[*place] = f64::from(*value);
                    }
                }
            );
        }
        Ok(())
    }

    /// Sets all values; a number that a type cannot represent becomes the nearest one that it can.
    #[inline]
    pub(super) fn set(&mut self, to: Variables, from: &[f64]) -> Result<(), Failed> {
        for Group { references, places, numbers } in &mut self.0 {
            each!(numbers, values =>
                to.set(references, put(from, places, values, |number| number as _))?,
                to.set(references, put(from, places, values, |number| number.round() as _))?,
                to.set_booleans(references, put(from, places, values, |number| number != 0.0))?
            );
        }
        Ok(())
    }
}

/// Puts the numbers at these places into `values`, which it returns.
#[inline]
fn put<'v, T>(
    from: &[f64],
    places: &[usize],
    values: &'v mut [T],
    typed: impl Fn(f64) -> T,
) -> &'v [T] {
    for (place, value) in places.iter().zip(values.iter_mut()) {
        *value = typed(from[*place]);
    }
    values
}

#[cfg(test)]
mod tests {
    use model_file::Type;
    use testing::models::Version;

    use super::super::fmu::{CoSimulation, FmuAs};
    use super::super::setup::tests::{fmu, made};
    use super::super::source::Source;
    use super::*;

    fn value(name: &str, reference: u32, element: u64) -> Value {
        Value { name: name.to_owned(), reference, kind: Type::Float64, element }
    }

    #[test]
    fn elements_are_read_as_one_variable_and_aliases_as_several() {
        let sizes = |all: &[Value]| {
            let Values(groups) = Values::of(all, false);
            (groups[0].references.len(), groups[0].places.len())
        };
        assert_eq!(sizes(&[value("a[1]", 3, 0), value("a[2]", 3, 1)]), (1, 2));
        assert_eq!(sizes(&[value("a", 3, 0), value("also a", 3, 0)]), (2, 2));
    }

    #[test]
    fn a_whole_number_is_set_to_the_nearest_one() {
        let (_, made) = made::<FmuAs<CoSimulation>>(&[("fmu", &*fmu(Version::Three))]);
        let steps = Value { kind: Type::Int32, ..value("steps", 9, 0) };
        let mut values = Values::of(&[steps], false);
        let mut read = [0.0];
        for (set, found) in [(2.9, 3.0), (-0.4, 0.0), (1e12, f64::from(i32::MAX))] {
            values.set(made.made.instance.variables(), &[set]).unwrap();
            values.read(made.made.instance.variables(), &mut read).unwrap();
            assert_eq!(read[0].to_bits(), f64::to_bits(found), "{set}");
        }
    }

    /// Returns the outputs after ten steps from rest at 1, with the oscillator's default k and c.
    fn ten_steps(version: Version, set: &str) -> Vec<f64> {
        let flags = [("fmu", &*fmu(version)), ("set", set)];
        let (setup, mut made) = made::<FmuAs<CoSimulation>>(&flags);
        (0..10).for_each(|number| assert!(made.step(number).unwrap()));
        let mut values = vec![0.0; setup.outputs.len()];
        made.outputs(&mut values).unwrap();
        values
    }

    #[test]
    fn every_type_of_an_output_is_a_number() {
        let [two, three] = [Version::Two, Version::Three].map(|version| ten_steps(version, "none"));
        let x = two[0];
        assert!(x > 0.9 && x < 1.0, "{x}");
        assert_eq!(two[1..], [10.0, 1.0]);
        assert_eq!(three, [x, 10.0, 1.0, f64::from(x as f32), 10.0]);
    }

    #[test]
    fn start_values_of_every_type_take_effect() {
        for version in [Version::Two, Version::Three] {
            let still = ten_steps(version, "k=0");
            assert_eq!(still[0].to_bits(), 1.0_f64.to_bits());
            let thrown = ten_steps(version, "k=0;v=2;steps=100;label=thrown");
            assert!(thrown[0] > 1.0);
            assert_eq!(thrown[1].to_bits(), 110.0_f64.to_bits());
        }
    }
}
