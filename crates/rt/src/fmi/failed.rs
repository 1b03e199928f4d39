//! Errors between a model and its caller.

use std::fmt;

use super::words::Status;

/// Why an operation failed; displayed as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failed {
    /// The library lacks functions that its kind must have.
    Missing(Vec<&'static str>),
    /// The library lacks the function that was called.
    Absent(&'static str),
    /// This version of FMI does not have such a feature.
    Unknown(&'static str),
    /// The model could not be instantiated; contains its last log line, if any.
    NotInstantiated(Option<String>),
    /// A call returned a status after which the caller cannot continue.
    Call {
        /// The function that was called.
        function: &'static str,
        /// What it returned.
        status: Status,
    },
    /// The numbers of variables and of values differ.
    Lengths {
        /// How many variables were requested.
        variables: usize,
        /// How many values there are.
        values: usize,
    },
    /// A text for the model contains a zero byte, which a C string cannot.
    ZeroByte,
    /// The model failed fatally earlier, and must not be called again.
    Dead,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Missing(functions) => {
                let functions = functions.join(", ");
                write!(f, "the model's library lacks {functions}")
            }
            Self::Absent(function) => write!(f, "the model's library has no {function}"),
            Self::Unknown(what) => write!(f, "this version of FMI has no {what}"),
            Self::NotInstantiated(None) => f.write_str("the model refused to be instantiated"),
            Self::NotInstantiated(Some(said)) => {
                write!(f, "the model refused to be instantiated: {said}")
            }
            Self::Call { function, status } => {
                write!(f, "{function} of the model returned {}", status.name())
            }
            Self::Lengths { variables, values } => {
                write!(f, "{values} values for {variables} variables")
            }
            Self::ZeroByte => f.write_str("a text for the model contains a zero byte"),
            Self::Dead => {
                f.write_str("the model failed fatally earlier and cannot be called again")
            }
        }
    }
}

impl std::error::Error for Failed {}
