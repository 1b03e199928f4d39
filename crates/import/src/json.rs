//! Reading JSON: each function names what is wrong.

use serde_json::{Map, Value};

use crate::Flaw;
use crate::number::{count, scaled};

pub(crate) type Object = Map<String, Value>;

/// Returns a member of an object that is an object itself.
pub(crate) fn object<'v>(of: &'v Object, name: &str) -> Result<&'v Object, Flaw> {
    let found = of.get(name).ok_or_else(|| Flaw::missing(&format!("`{name}`")))?;
    found
        .as_object()
        .ok_or_else(|| Flaw::not(&format!("`{name}`"), &found.to_string(), "an object"))
}

/// Returns a text; `None` if the object has none of that name.
pub(crate) fn text<'v>(of: &'v Object, name: &str) -> Option<&'v str> {
    of.get(name)?.as_str()
}

/// Returns a number as it is printed.
fn printed(of: &Object, name: &str) -> Result<String, Flaw> {
    match of.get(name) {
        None => Err(Flaw::missing(&format!("`{name}`"))),
        Some(Value::Number(number)) => Ok(number.to_string()),
        Some(other) => Err(Flaw::not(&format!("`{name}`"), &other.to_string(), "a number")),
    }
}

/// Returns a number times a power of ten.
pub(crate) fn time(of: &Object, name: &str, exponent: i32) -> Result<f64, Flaw> {
    scaled(&format!("`{name}`"), &printed(of, name)?, exponent)
}

/// Returns a count.
pub(crate) fn whole(of: &Object, name: &str) -> Result<u64, Flaw> {
    count(&format!("`{name}`"), &printed(of, name)?)
}

/// Refuses a file of another form than the only known one, which its member `name` states.
pub(crate) fn expect_form(of: &Object, name: &str, known: u64) -> Result<(), Flaw> {
    match whole(of, name)? {
        found if found == known => Ok(()),
        found => Err(Flaw::new(format!("its `{name}` is {found}, and only {known} is known"))),
    }
}

/// Returns the bins of a histogram whose keys are values and whose values are counts, in rising order.
pub(crate) fn bins(of: &Object, exponent: i32) -> Result<Vec<(i64, u64)>, Flaw> {
    let bin = |(value, found): (&String, &Value)| {
        let ns = scaled("a bin of its histogram", value, exponent)?;
        let counted = count(&format!("bin `{value}` of its histogram"), &found.to_string())?;
        Ok((ns.round() as i64, counted))
    };
    let mut bins = of.iter().map(bin).collect::<Result<Vec<(i64, u64)>, Flaw>>()?;
    bins.sort_unstable();
    Ok(bins)
}

/// Returns the members of an object of objects, in the order of the numbers that are their names.
pub(crate) fn numbered<'v>(of: &'v Object, what: &str) -> Result<Vec<(u64, &'v Object)>, Flaw> {
    let member = |(name, found): (&String, &'v Value)| {
        let number = count(&format!("a name in `{what}`"), name)?;
        let found = found.as_object();
        Ok((number, found.ok_or_else(|| Flaw::new(format!("`{what}` {name} is not an object")))?))
    };
    let mut members = of.iter().map(member).collect::<Result<Vec<_>, Flaw>>()?;
    members.sort_by_key(|(number, _)| *number);
    Ok(members)
}

/// Describes what an object is, for a file that no format knows.
pub(crate) fn in_words(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let names: Vec<&str> = members.keys().take(3).map(String::as_str).collect();
            format!("JSON with {}", crate::flaw::shortened(&names.join(", ")))
        }
        _ => "JSON".to_owned(),
    }
}
