//! Links between the members of a mix, as a plan writes them.

use base::Number;
use record::{Link, Transform};
use toml::de::{DeTable, DeValue};

use super::values::{self, Mistake, Value};

const EXPECTED: &str = "expected inputs = { INPUT = \"MEMBER.OUTPUT\" }, or a table with from, factor, \
                        offset, map and delay in place of the text";
const KEYS: [&str; 5] = ["from", "factor", "offset", "map", "delay"];

/// Reads the links of a member's inputs, such as `{ u = "other.y" }`.
pub(super) fn links(table: &DeTable) -> Result<Vec<Link>, Mistake> {
    let Some(value) = table.get("inputs") else {
        return Ok(Vec::new());
    };
    let table = value.get_ref().as_table().ok_or_else(|| Mistake::on(value, EXPECTED))?;
    table.iter().map(|(input, source)| link(input.get_ref(), source)).collect()
}

fn link(input: &str, source: &Value) -> Result<Link, Mistake> {
    let none = DeTable::new();
    let (from, more) = match source.get_ref() {
        DeValue::Table(more) => {
            if let Some(key) = more.keys().find(|key| !KEYS.contains(&key.get_ref().as_ref())) {
                return Err(Mistake::on(key, EXPECTED));
            }
            (more.get("from").ok_or_else(|| Mistake::on(source, EXPECTED))?, more)
        }
        _ => (source, &none),
    };
    let output = from.get_ref().as_str().and_then(|text| text.split_once('.'));
    let (member, output) = output.ok_or_else(|| Mistake::on(from, EXPECTED))?;
    let delay = more.get("delay").map_or(Ok(false), |value| {
        value.get_ref().as_bool().ok_or_else(|| Mistake::on(value, "expected true or false"))
    })?;
    Ok(Link {
        input: input.to_owned(),
        from: member.to_owned(),
        output: output.to_owned(),
        transform: transform(more)?,
        delay,
    })
}

fn transform(table: &DeTable) -> Result<Option<Transform>, Mistake> {
    let number = |key: &str, usual: &str| match table.get(key) {
        Some(value) => read_number(value),
        None => Ok(usual.parse().expect("the default is a number")),
    };
    match table.get("map") {
        Some(value) if table.contains_key("factor") || table.contains_key("offset") => {
            Err(Mistake::on(value, "expected either a map, or factor and offset"))
        }
        Some(value) => map(value).map(Some),
        None => {
            let (factor, offset) = (number("factor", "1")?, number("offset", "0")?);
            let is_any = factor.get() != 1.0 || offset.get() != 0.0;
            Ok(is_any.then_some(Transform::Linear { factor, offset }))
        }
    }
}

fn map(value: &Value) -> Result<Transform, Mistake> {
    let expected = || Mistake::on(value, "expected a map of numbers such as { 1 = 10, 2 = 20 }");
    let table = value.get_ref().as_table().filter(|table| !table.is_empty());
    let pairs = table.ok_or_else(expected)?.iter().map(|(from, to)| {
        let from = from.get_ref().parse().map_err(|why| Mistake::on(from, why))?;
        Ok((from, read_number(to)?))
    });
    pairs.collect::<Result<_, _>>().map(Transform::Map)
}

fn read_number(value: &Value) -> Result<Number, Mistake> {
    let typed = values::one(value)?;
    typed.text.parse().map_err(|why| Mistake::at(typed.at, why))
}
