//! The variables of an FMU that a run sets and reads: found in its description by the names that
//! were typed.

use model::{Causality, Description, Type, Variability, Variable};
use plan::settings_in;

/// A variable of the model, or an element of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// Its name, with the number of its element where it is an array.
    pub(super) name: String,
    pub(super) reference: u32,
    pub(super) kind: Type,
    /// Which element of the variable it is, from 0 on.
    pub(super) element: u64,
}

impl Value {
    /// All elements of a variable, in order.
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

/// A start value that was typed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Start {
    pub(super) name: String,
    pub(super) value: StartValue,
}

/// What a variable starts with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum StartValue {
    Text { reference: u32, text: String },
    Binary { reference: u32, data: Vec<u8> },
    Numbers(Vec<Value>, Vec<f64>),
}

/// Most values that are read after a step.
const MOST_OUTPUTS: u64 = 100_000;

/// The outputs of some types, in the model's order, arrays element by element.
pub(super) fn outputs(
    description: &Description,
    is_asked_for: fn(Type) -> bool,
) -> Result<Vec<Value>, String> {
    let places = description.structure.outputs.iter();
    let variables = places.map(|place| &description.variables[*place]);
    let variables = variables.filter(|one| is_asked_for(one.kind));
    let counted: Vec<_> = variables.map(|one| (one, description.elements(one))).collect();
    let counts = counted.iter().map(|(_, elements)| *elements);
    match counts.fold(0, u64::saturating_add) {
        0..=MOST_OUTPUTS => {
            Ok(counted.into_iter().flat_map(|(one, elements)| Value::all(one, elements)).collect())
        }
        many => Err(format!("its outputs are {many} values, and {MOST_OUTPUTS} is the most")),
    }
}

/// The inputs of those names, each with whether its value holds between two moments.
pub(super) fn inputs(
    description: &Description,
    names: &[String],
) -> Result<(Vec<Value>, Vec<bool>), String> {
    let is_input = |one: &&Variable| {
        let takes_a_number = is_number(one.kind) && one.dimensions.is_empty();
        one.causality == Causality::Input && takes_a_number
    };
    let input = |name: &String| -> Result<(Value, bool), String> {
        let variable = variable(description, name).filter(is_input);
        let variable = variable.ok_or_else(|| {
            let all = description.variables.iter().filter(is_input);
            format!(
                "--input: `{name}` is no input of {} that takes a number; {}",
                description.name,
                units::expected(name, all.map(|one| one.name.as_str()))
            )
        })?;
        let holds = variable.variability != Variability::Continuous;
        Ok((Value::all(variable, 1).collect::<Vec<_>>().remove(0), holds))
    };
    let inputs = names.iter().map(input).collect::<Result<Vec<_>, _>>()?;
    Ok(inputs.into_iter().unzip())
}

/// The start values of a typed line, `NAME=VALUE` each.
pub(super) fn starts(description: &Description, typed: &str) -> Result<Vec<Start>, String> {
    settings_in(typed)
        .and_then(|all| {
            let all = all.into_iter();
            all.map(|(name, text)| start(description, name, text)).collect()
        })
        .map_err(|why| format!("--set: {why}"))
}

fn start(description: &Description, name: &str, text: &str) -> Result<Start, String> {
    let model = &description.name;
    let variable = variable(description, name).ok_or_else(|| {
        let all = description.variables.iter().map(|one| one.name.as_str());
        format!("{model} has no variable `{name}`; {}", units::expected(name, all))
    })?;
    let may_be_set = matches!(
        variable.causality,
        Causality::Parameter | Causality::Input | Causality::Local | Causality::Output
    );
    if !may_be_set || variable.variability == Variability::Constant {
        return Err(format!("`{name}` of {model} cannot be set at the start"));
    }
    let reference = variable.reference;
    let is_one = description.elements(variable) == 1;
    let value = match variable.kind {
        kind if is_number(kind) => numbers(description, variable, text)?,
        Type::Clock => return Err(format!("`{name}` of {model} is a clock, and has no value")),
        _ if !is_one => {
            return Err(format!(
                "`{name}` of {model} has several elements, which only numbers can have here"
            ));
        }
        Type::Binary => StartValue::Binary {
            reference,
            data: bytes(text).ok_or_else(|| {
                format!("`{name}` takes hexadecimal digits, two a byte, and `{text}` is none")
            })?,
        },
        _ => StartValue::Text { reference, text: text.to_owned() },
    };
    Ok(Start { name: name.to_owned(), value })
}

fn numbers(
    description: &Description,
    variable: &Variable,
    text: &str,
) -> Result<StartValue, String> {
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
    let elements = description.elements(variable);
    match numbers {
        Some(numbers) if numbers.len() as u64 == elements => {
            Ok(StartValue::Numbers(Value::all(variable, elements).collect(), numbers))
        }
        Some(numbers) if elements != 1 => Err(format!(
            "`{}` has {elements} elements, and {} numbers are given; write them with spaces \
             between",
            variable.name,
            numbers.len()
        )),
        _ => Err(format!(
            "`{}` takes a number or true or false, and `{text}` is none",
            variable.name
        )),
    }
}

fn number(text: &str) -> Option<f64> {
    match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

fn variable<'d>(description: &'d Description, name: &str) -> Option<&'d Variable> {
    let place = description.place(name)?;
    Some(&description.variables[place])
}

/// The bytes that hexadecimal digits say.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| Some(c.to_digit(16)? as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Whether it is a number, as truth values and enumerations are too.
pub(super) fn is_number(kind: Type) -> bool {
    !matches!(kind, Type::String | Type::Binary | Type::Clock)
}

/// Whether it is a text or binary data.
pub(super) fn is_text(kind: Type) -> bool {
    matches!(kind, Type::String | Type::Binary)
}
