//! The instruction set that the user requests for vectors.

use record::Parameters;
use tire::InstructionSet;

const BEST: &str = "best";

/// Words that may be requested; a test compares them with the existing sets.
pub const INSTRUCTIONS: &[&str] = &[BEST, "baseline", "neon", "avx2", "avx512"];

/// Returns the requested set. Specifications older than the parameter request the best set.
///
/// # Errors
/// Says that no set has this name.
pub fn asked(parameters: &Parameters) -> Result<InstructionSet, String> {
    match parameters.instructions() {
        "" | BEST => Ok(InstructionSet::best()),
        word => InstructionSet::named(word).ok_or_else(|| {
            let names = InstructionSet::NAMES.join(", ");
            format!("--instructions: `{word}` is not an instruction set; expected one of {names}")
        }),
    }
}

///
/// # Errors
/// Names `--instructions` if the processor lacks the set.
pub fn check(parameters: &Parameters) -> Result<InstructionSet, String> {
    let set = asked(parameters)?;
    let own: Vec<String> = InstructionSet::available().map(|set| set.to_string()).collect();
    if own.contains(&set.to_string()) {
        return Ok(set);
    }
    Err(format!("--instructions {set}: this processor does not have it; it has {}", own.join(", ")))
}

pub fn is_named(parameters: &Parameters) -> bool {
    !["", BEST].contains(&parameters.instructions())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Value;
    use testing::refuses;

    fn asking(word: &str) -> Parameters {
        let mut parameters = Parameters::default();
        parameters.set("instructions", Value::Word(word.to_owned()));
        parameters
    }

    #[test]
    fn every_set_can_be_requested_by_name() {
        assert_eq!(INSTRUCTIONS[1..], *InstructionSet::NAMES);
        for name in InstructionSet::NAMES.iter().copied() {
            assert_eq!(asked(&asking(name)).unwrap().to_string(), name);
            assert!(is_named(&asking(name)));
        }
        refuses(asked(&asking("avx3")), "`avx3` is not an instruction set");
    }

    #[test]
    fn the_best_set_is_the_default() {
        for parameters in [Parameters::default(), asking(BEST)] {
            assert_eq!(check(&parameters), Ok(InstructionSet::best()));
            assert!(!is_named(&parameters));
        }
    }

    #[test]
    fn a_set_that_the_processor_lacks_is_refused_in_one_line() {
        let own: Vec<InstructionSet> = InstructionSet::available().collect();
        for name in InstructionSet::NAMES.iter().copied() {
            let is_there = own.iter().any(|set| set.to_string() == name);
            match check(&asking(name)) {
                Ok(set) => assert!(is_there && set.to_string() == name),
                Err(why) => {
                    assert!(!is_there, "{why}");
                    assert!(why.starts_with(&format!("--instructions {name}: ")), "{why}");
                    assert!(why.contains("it has baseline") && !why.contains('\n'), "{why}");
                }
            }
        }
    }
}
