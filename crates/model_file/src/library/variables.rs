//! Start values of a library's exported variables.

use base::expected;

use crate::debug_info::DataType;
use crate::elf::Symbol;
use crate::scalar::Scalar;

use super::Library;

/// Number of variables that an error lists.
const MOST_NAMED: usize = 10;

/// A variable of a library, with its start value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartValue {
    pub name: String,
    /// The value as in memory; as many bytes as the variable has.
    pub bytes: Vec<u8>,
}

impl Library {
    /// Finds the exported variables for which start values are given, each by `NAME` if debug
    /// information has its type, or by `NAME:TYPE`.
    ///
    /// # Errors
    /// One line that names the first variable that is not exported or whose type is not known or
    /// not that of a number, or the value that the type cannot hold.
    pub fn start_values(&self, starts: &[(String, String)]) -> Result<Vec<StartValue>, String> {
        starts.iter().map(|(name, value)| self.start_value(name, value)).collect()
    }

    fn start_value(&self, typed: &str, value: &str) -> Result<StartValue, String> {
        let (name, stated) = match typed.split_once(':') {
            Some((name, kind)) => (name.trim_end(), Some(scalar(kind.trim_start())?)),
            None => (typed, None),
        };
        let symbol = self.elf.variables.iter().find(|symbol| symbol.name == name);
        let symbol = symbol.ok_or_else(|| self.has_no(name))?;
        let kind = self.kind(symbol, stated)?;
        let bytes = kind.bytes(value).ok_or_else(|| {
            format!(
                "`{name}` is of type {} and takes {}, not `{value}`",
                kind.name(),
                kind.expected()
            )
        })?;
        Ok(StartValue { name: name.to_owned(), bytes })
    }

    /// Returns the type of a variable: that of the debug information, or else the stated one.
    fn kind(&self, symbol: &Symbol, stated: Option<Scalar>) -> Result<Scalar, String> {
        let Symbol { name, address, bytes } = symbol;
        match (self.debug_info.variable(*address), stated) {
            (Some(DataType::Other(what)), _) => {
                Err(format!("`{name}` is {what}; only a variable that is one number can be set"))
            }
            (Some(DataType::Number(known)), Some(stated)) if known != stated => Err(format!(
                "`{name}` is of type {}, not {}; leave the type out",
                known.name(),
                stated.name()
            )),
            (Some(DataType::Number(known)), _) => Ok(known),
            (None, Some(stated)) if stated.size() == *bytes => Ok(stated),
            (None, Some(stated)) => Err(format!(
                "`{name}` has {bytes} bytes, but {} has {}",
                stated.name(),
                stated.size()
            )),
            (None, None) => {
                let (why, remedy) = match self.debug_info.elsewhere() {
                    Some(file) => (format!("which is in {file}"), ""),
                    None => ("which this library lacks".to_owned(), ", or compile with -g"),
                };
                Err(format!(
                    "`{name}` has {bytes} bytes; only debug information says of which type, {why}; \
                     state it, such as {name}:{}=2{remedy}",
                    example(*bytes)
                ))
            }
        }
    }

    fn has_no(&self, name: &str) -> String {
        let named = self.elf.variables.iter().take(MOST_NAMED);
        let named: Vec<String> = named.map(|symbol| self.described(symbol)).collect();
        let exported = if named.is_empty() { "none" } else { &named.join(", ") };
        format!("the library exports no variable `{name}` (variables: {exported})")
    }

    fn described(&self, symbol: &Symbol) -> String {
        let Symbol { name, address, bytes } = symbol;
        match self.debug_info.variable(*address) {
            Some(DataType::Number(known)) => format!("{name} ({})", known.name()),
            Some(DataType::Other(what)) => format!("{name} ({what})"),
            None => format!("{name} ({bytes} bytes)"),
        }
    }
}

fn scalar(name: &str) -> Result<Scalar, String> {
    Scalar::named(name).ok_or_else(|| {
        let all = expected(name, Scalar::NAMES.iter().copied());
        format!("`{name}` is not a type of a number; {all}")
    })
}

/// Returns the name of a type that variables of this size may have.
fn example(bytes: u64) -> &'static str {
    let kind = Scalar::ALL.into_iter().find(|kind| kind.size() == bytes);
    kind.unwrap_or(Scalar::Double).name()
}
