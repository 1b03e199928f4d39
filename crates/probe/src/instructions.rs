//! The instruction set that vectors are asked for.

use plan::Parameters;
use tire::InstructionSet;

/// The best that the processor has.
const BEST: &str = "best";

/// What may be asked for; a test holds the words against the sets that there are.
pub(crate) const INSTRUCTIONS: &[&str] = &[BEST, "baseline", "neon", "avx2", "avx512"];

/// The set that is asked for; a specification from before there was a choice asks for the best.
pub(crate) fn asked(parameters: &Parameters) -> Result<InstructionSet, String> {
    match parameters.word("instructions") {
        "" | BEST => Ok(InstructionSet::best()),
        word => word.parse().map_err(|why| format!("--instructions: {why}")),
    }
}

/// Refuses a set that this processor lacks.
pub(crate) fn check(parameters: &Parameters) -> Result<InstructionSet, String> {
    let set = asked(parameters)?;
    let own: Vec<String> = InstructionSet::available().map(|set| set.to_string()).collect();
    if own.contains(&set.to_string()) {
        return Ok(set);
    }
    Err(format!("--instructions {set}: this processor does not have it; it has {}", own.join(", ")))
}

/// Whether one set is asked for by its name.
pub(crate) fn is_named(parameters: &Parameters) -> bool {
    !["", BEST].contains(&parameters.word("instructions"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::Value;

    fn asking(word: &str) -> Parameters {
        let mut parameters = Parameters::default();
        parameters.set("instructions", Value::Word(word.to_owned()));
        parameters
    }

    #[test]
    fn every_set_may_be_asked_for_by_its_name() {
        let names: Vec<&str> = InstructionSet::names().collect();
        assert_eq!(INSTRUCTIONS[1..], names);
        for name in names {
            assert_eq!(asked(&asking(name)).unwrap().to_string(), name);
            assert!(is_named(&asking(name)));
        }
    }

    #[test]
    fn the_best_is_asked_for_where_nothing_else_is() {
        for parameters in [Parameters::default(), asking(BEST)] {
            assert_eq!(check(&parameters), Ok(InstructionSet::best()));
            assert!(!is_named(&parameters));
        }
    }

    #[test]
    fn a_set_that_is_not_there_is_refused_in_one_line() {
        let own: Vec<InstructionSet> = InstructionSet::available().collect();
        for name in InstructionSet::names() {
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
