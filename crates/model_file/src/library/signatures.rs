//! Which functions of a library can be called as a model's.

use crate::debug_info::{DataType, POINTER, Signature};
use crate::elf::Symbol;
use crate::refused::{Refused, refused};
use crate::scalar::Scalar;

use super::{Functions, Library};

/// The arguments of a program's `main`, which the start function may have.
const OF_MAIN: [DataType; 2] = [DataType::Number(Scalar::Int32), POINTER];

impl Library {
    /// Refuses functions that take arguments, if debug information shows it.
    pub(super) fn callable(&self, functions: &Functions) -> Result<(), Refused> {
        let is_start = |name: &String| functions.initialize.as_ref() == Some(name);
        let all = functions.steps.iter().chain(&functions.initialize).chain(&functions.terminate);
        for name in all {
            let arguments = self.signature(name).map_or(&[][..], |known| &known.arguments);
            let are_fine = arguments.is_empty() || is_start(name) && arguments == OF_MAIN;
            if !are_fine {
                let count = base::counted(arguments.len(), "argument");
                return Err(refused!(
                    "its `{name}` takes {count}, but a model's functions are called without; \
                     export a function without arguments that calls it, and name that"
                ));
            }
        }
        Ok(())
    }

    /// Returns whether the start function returns an `int`, which says by 0 that it succeeded; only
    /// debug information shows it.
    pub fn start_returns_status(&self, functions: &Functions) -> bool {
        let signature = functions.initialize.as_ref().and_then(|name| self.signature(name));
        signature.is_some_and(|known| known.result == Some(DataType::Number(Scalar::Int32)))
    }

    fn signature(&self, name: &str) -> Option<&Signature> {
        let symbol: &Symbol = self.elf.functions.iter().find(|symbol| symbol.name == name)?;
        self.debug_info.function(symbol.address)
    }
}
