//! Writes the FMUs of this project's tests to a folder, for `scripts/against-fmpy`.

use std::fs;
use std::path::Path;

use testing::models::{Defines, Kind, Version, fmu};

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let none: &Defines = &[];
    let all = [
        ("two-co-simulation", Version::Two, Kind::CoSimulation, none),
        ("two-model-exchange", Version::Two, Kind::ModelExchange, none),
        ("three-co-simulation", Version::Three, Kind::CoSimulation, none),
        ("three-model-exchange", Version::Three, Kind::ModelExchange, none),
        ("three-arrays", Version::Three, Kind::CoSimulation, &[("ARRAY", "1")]),
        (
            "three-continuous-arrays",
            Version::Three,
            Kind::CoSimulation,
            &[("ARRAY", "1"), ("CONTINUOUS_INPUT", "1")],
        ),
    ];
    for (name, version, kind, defines) in all {
        let to = Path::new(&folder).join(name).with_extension("fmu");
        fs::copy(fmu(version, kind, defines), to).expect("the folder can be written");
    }
}
