//! The variables of an FMU that a run sets and reads, found by the names that the user gave.

use std::ops::RangeInclusive;

use model_file::{Causality, Description, Type, Variability, Variable, Version};
use record::{NOWHERE, named_settings};

use super::csv;
use super::inputs::Inputs;

/// A variable of the model, or one element of an array.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// Its name, with the number of its element if it is an array.
    pub(super) name: String,
    pub(super) reference: u32,
    pub(super) kind: Type,
    /// Number of the element in the variable, from 0.
    pub(super) element: u64,
}

impl Value {
    fn all(variable: &Variable, elements: u64) -> impl Iterator<Item = Self> {
        let is_array = !variable.dimensions.is_empty();
        (0..elements).map(move |element| Self {
            name: match is_array {
                true => format!("{}[{}]", variable.name, element + 1),
                false => variable.name.clone(),
            },
            reference: variable.reference,
            kind: variable.kind,
            element,
        })
    }
}

/// A start value that the user gave to a variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Start {
    pub(super) name: String,
    /// Whether it is set in Configuration Mode, because sizes of arrays depend on it.
    pub(super) is_structural: bool,
    pub(super) value: StartValue,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum StartValue {
    Text { reference: u32, text: String },
    Binary { reference: u32, data: Vec<u8> },
    Numbers(Vec<Value>, Vec<f64>),
}

/// Maximum number of values that are read after a step.
const MOST_OUTPUTS: u64 = 100_000;

/// Splits a list of names, separated by commas, into the known ones, which may contain commas, and
/// others.
pub(super) fn names_in(typed: &str, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in typed.split(',').filter(|_| typed != NOWHERE) {
        match names.last_mut().filter(|last| !is_known(last.trim())) {
            Some(last) => *last += &format!(",{part}"),
            None => names.push(part.to_owned()),
        }
    }
    names.iter().map(|name| name.trim().to_owned()).collect()
}

/// Returns the places of the variables that are read after each step: those of a list of names, or
/// else all outputs.
pub(super) fn read_after_steps(
    description: &Description,
    typed: &str,
) -> Result<Vec<usize>, String> {
    let is_readable = |variable: &Variable| variable.kind != Type::Clock;
    let place = |name: &str| {
        description.place(name).filter(|place| is_readable(&description.variables[*place]))
    };
    let names = names_in(typed, |name| place(name).is_some());
    if names.is_empty() {
        return Ok(description.structure.outputs.clone());
    }
    let mut places = Vec::new();
    for name in &names {
        let found = place(name).ok_or_else(|| {
            let all = description.variables.iter().filter(|variable| is_readable(variable));
            let expected = base::expected(name, all.map(|variable| variable.name.as_str()));
            format!("--output: {} has no variable `{name}`; {expected}", description.name)
        })?;
        if places.contains(&found) {
            return Err(format!("--output: `{name}` is named twice"));
        }
        places.push(found);
    }
    Ok(places)
}

/// Returns those of some types among the variables at these places, with arrays element by element.
pub(super) fn outputs(
    description: &Description,
    places: &[usize],
    is_asked_for: fn(Type) -> bool,
) -> Result<Vec<Value>, String> {
    let variables = places.iter().map(|place| &description.variables[*place]);
    let counted: Vec<_> = variables
        .filter(|variable| is_asked_for(variable.kind))
        .map(|variable| (variable, description.elements(variable)))
        .collect();
    let many = counted.iter().map(|(_, elements)| *elements).fold(0, u64::saturating_add);
    if many > MOST_OUTPUTS {
        return Err(format!(
            "its outputs have {many} values, but at most {MOST_OUTPUTS} can be read"
        ));
    }
    let value = |(variable, elements)| Value::all(variable, elements);
    Ok(counted.into_iter().flat_map(value).collect())
}

/// The values that a run sets over time, in an order in which the elements of an array follow each
/// other.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct OverTime {
    pub(super) values: Vec<Value>,
    /// Whether each value holds between two moments.
    pub(super) holds: Vec<bool>,
    /// The position of each value among the names that were requested.
    pub(super) columns: Vec<usize>,
}

/// Finds the inputs and tunable parameters of those names; `u[2]` names an element of an array,
/// whose elements must all be there.
pub(super) fn over_time(description: &Description, names: &[String]) -> Result<OverTime, String> {
    read_over_time(description, names).map_err(|why| format!("--input: {why}"))
}

fn read_over_time(description: &Description, names: &[String]) -> Result<OverTime, String> {
    let mut firsts: Vec<(usize, usize)> = Vec::new();
    let mut found: Vec<(usize, u64, usize)> = Vec::new();
    for (column, name) in names.iter().enumerate() {
        let (place, element) = element(description, name)?;
        if !firsts.iter().any(|(known, _)| *known == place) {
            firsts.push((place, column));
        }
        let first = firsts.iter().position(|(known, _)| *known == place);
        found.push((first.unwrap_or_default(), element, column));
    }
    found.sort_unstable();
    let mut all = OverTime::default();
    for (at, (place, _)) in firsts.iter().enumerate() {
        let variable = &description.variables[*place];
        let elements: Vec<_> = found.iter().filter(|(first, ..)| *first == at).collect();
        let needed = description.elements(variable);
        let is_each_once = (0..needed).eq(elements.iter().map(|(_, element, _)| *element));
        if !is_each_once {
            return Err(format!(
                "`{}` has {}, and each must have one value, in a cell `1 2 3` or in columns such \
                 as `{}[1]`",
                variable.name,
                base::counted(needed as usize, "element"),
                variable.name
            ));
        }
        all.values.extend(Value::all(variable, needed));
        let holds = variable.variability != Variability::Continuous;
        all.holds.extend(elements.iter().map(|_| holds));
        all.columns.extend(elements.iter().map(|(.., column)| *column));
    }
    Ok(all)
}

/// Refuses numbers that a variable cannot have, in the order of `values`.
pub(super) fn check_over_time(
    description: &Description,
    values: &[Value],
    inputs: &Inputs,
) -> Result<(), String> {
    let ranges = values.iter().map(|value| possible(value.kind, description.version));
    let ranges: Vec<_> = ranges.collect();
    let Some((time, column, found)) = inputs.outside(&ranges) else {
        return Ok(());
    };
    let range = ranges[column].clone().unwrap_or(0.0..=0.0);
    let (name, least, most) = (&values[column].name, range.start(), range.end());
    Err(format!(
        "--input: `{name}` takes numbers from {least} to {most}, not {found} (at {time} s)"
    ))
}

/// Returns the place of the variable to which a name belongs, and the number of its element.
fn element(description: &Description, name: &str) -> Result<(usize, u64), String> {
    let changes = |place: &usize| may_change(&description.variables[*place]);
    let whole = description.place(name).filter(changes);
    let element = || {
        let (array, number) = name.strip_suffix(']')?.rsplit_once('[')?;
        let place = description.place(array).filter(changes)?;
        let element = number.parse::<u64>().ok()?.checked_sub(1)?;
        let is_array = !description.variables[place].dimensions.is_empty();
        is_array.then_some((place, element))
    };
    whole.map(|place| (place, 0)).or_else(element).ok_or_else(|| {
        if let Some(what) = variable(description, name).and_then(why_fixed) {
            return format!("`{name}` is {what}; set it before the run: --set {name}=VALUE");
        }
        let all = description.variables.iter().filter(|variable| may_change(variable));
        format!(
            "`{name}` is not an input or a tunable parameter of {} that takes numbers; {}",
            description.name,
            base::expected(name, all.map(|variable| variable.name.as_str()))
        )
    })
}

/// Says why a variable that may be set at the start keeps that value.
fn why_fixed(variable: &Variable) -> Option<&'static str> {
    match (variable.causality, variable.variability) {
        (Causality::StructuralParameter, _) => {
            Some("a structural parameter, which is fixed from the initialisation on")
        }
        (Causality::Parameter, Variability::Fixed) => {
            Some("a fixed parameter, which does not change after the initialisation")
        }
        _ => None,
    }
}

/// Whether a variable may get other numbers during a run.
fn may_change(variable: &Variable) -> bool {
    let is_tunable =
        variable.causality == Causality::Parameter && variable.variability == Variability::Tunable;
    (variable.causality == Causality::Input || is_tunable) && is_number(variable.kind)
}

/// Returns the start values of the user's settings, each `NAME=VALUE`. Arrays whose sizes depend on
/// structural parameters get the sizes that follow from the settings.
pub(super) fn starts(description: &mut Description, typed: &str) -> Result<Vec<Start>, String> {
    read_starts(description, typed).map_err(|why| format!("--set: {why}"))
}

fn read_starts(description: &mut Description, typed: &str) -> Result<Vec<Start>, String> {
    let settings = named_settings(typed, |name| description.place(name).is_some())?;
    for (name, text) in &settings {
        let place = description.place(name).filter(|place| is_structural(description, *place));
        if let Some(place) = place {
            start(description, name, text)?;
            description.variables[place].start = vec![text.clone()];
        }
    }
    let start = |(name, text): (String, String)| {
        let place = description.place(&name);
        Ok(Start {
            is_structural: place.is_some_and(|place| is_structural(description, place)),
            value: start(description, &name, &text)?,
            name,
        })
    };
    let starts: Result<_, String> = settings.into_iter().map(start).collect();
    let hint = if typed.contains(';') { "; write ;; for a ; in a name or a value" } else { "" };
    starts.map_err(|why| why + hint)
}

fn is_structural(description: &Description, place: usize) -> bool {
    description.variables[place].causality == Causality::StructuralParameter
}

fn start(description: &Description, name: &str, text: &str) -> Result<StartValue, String> {
    use Causality::{Input, Local, Output, Parameter, StructuralParameter};
    let model = &description.name;
    let variable = variable(description, name).ok_or_else(|| {
        let all = description.variables.iter().map(|variable| variable.name.as_str());
        format!("{model} has no variable `{name}`; {}", base::expected(name, all))
    })?;
    let may_be_set =
        matches!(variable.causality, Parameter | StructuralParameter | Input | Local | Output);
    if !may_be_set || variable.variability == Variability::Constant {
        return Err(format!("`{name}` of {model} cannot be set at the start"));
    }
    let reference = variable.reference;
    match variable.kind {
        kind if is_number(kind) => numbers(description, variable, text),
        Type::Clock => Err(format!("`{name}` of {model} is a clock and has no value")),
        _ if description.elements(variable) != 1 => Err(format!(
            "`{name}` of {model} has several elements; only arrays of numbers can be set"
        )),
        Type::Binary => {
            bytes(text).map(|data| StartValue::Binary { reference, data }).ok_or_else(|| {
                format!("`{name}` takes hexadecimal digits, two per byte, not `{text}`")
            })
        }
        _ => Ok(StartValue::Text { reference, text: text.to_owned() }),
    }
}

fn numbers(
    description: &Description,
    variable: &Variable,
    text: &str,
) -> Result<StartValue, String> {
    let (name, elements) = (&variable.name, description.elements(variable));
    let numbers = csv::numbers(text);
    let count = numbers.as_ref().map_or(0, Vec::len);
    let range = whole_numbers(variable.kind, description.version);
    match (numbers, range) {
        (Some(numbers), Some(range))
            if numbers.iter().any(|number| number.fract() != 0.0 || !range.contains(number)) =>
        {
            let (least, most) = (range.start(), range.end());
            Err(format!("`{name}` takes a whole number from {least} to {most}, not `{text}`"))
        }
        (Some(numbers), _) if count as u64 == elements => {
            Ok(StartValue::Numbers(Value::all(variable, elements).collect(), numbers))
        }
        (Some(_), _) if elements != 1 => Err(format!(
            "`{name}` has {elements} elements, but {count} numbers are given; separate them with spaces"
        )),
        _ => Err(format!("`{name}` takes a number, true or false, not `{text}`")),
    }
}

/// Returns the whole numbers that can be set, if a type takes no fractions. Those of 64 bits are read
/// exactly only up to a limit.
fn whole_numbers(kind: Type, version: Version) -> Option<RangeInclusive<f64>> {
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    match kind {
        Type::Int8 => Some(i8::MIN.into()..=i8::MAX.into()),
        Type::UInt8 => Some(u8::MIN.into()..=u8::MAX.into()),
        Type::Int16 => Some(i16::MIN.into()..=i16::MAX.into()),
        Type::UInt16 => Some(u16::MIN.into()..=u16::MAX.into()),
        Type::UInt32 => Some(u32::MIN.into()..=u32::MAX.into()),
        Type::UInt64 => Some(0.0..=EXACT),
        Type::Int32 => Some(i32::MIN.into()..=i32::MAX.into()),
        // As in `Numbers::of`.
        Type::Enumeration if version == Version::Two => whole_numbers(Type::Int32, version),
        Type::Int64 | Type::Enumeration => Some(-EXACT..=EXACT),
        _ => None,
    }
}

/// Returns the numbers that a type can have, if it takes no fractions; those of 64 bits are set to the
/// nearest one that a double can have.
fn possible(kind: Type, version: Version) -> Option<RangeInclusive<f64>> {
    const END: f64 = (1_u64 << 63) as f64;
    match kind {
        Type::Int64 => Some(-END..=END),
        Type::UInt64 => Some(0.0..=2.0 * END),
        _ => whole_numbers(kind, version),
    }
}

fn variable<'d>(description: &'d Description, name: &str) -> Option<&'d Variable> {
    description.place(name).map(|place| &description.variables[place])
}

/// Returns the bytes that hexadecimal digits encode.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| Some(c.to_digit(16)? as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Returns whether the values of a type are numbers; Booleans and enumerations count as numbers.
pub(super) fn is_number(kind: Type) -> bool {
    !matches!(kind, Type::String | Type::Binary | Type::Clock)
}

/// Returns whether the values of a type are texts or binary data.
pub(super) fn is_text(kind: Type) -> bool {
    matches!(kind, Type::String | Type::Binary)
}
