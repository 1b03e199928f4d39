//! The descriptions of the oscillator's FMUs: FMI 2.0.4, section 2.2, and FMI 3.0.2, section 2.4.

use super::compiled::Defines;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Two,
    Three,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The model does its own steps.
    CoSimulation,
    /// The model computes derivatives for a solver.
    ModelExchange,
    /// Parts of the model are activated by clocks; only in FMI 3.0.
    ScheduledExecution,
}

/// The token by which an FMU's library recognises its description.
pub const TOKEN: &str = "{oscillator}";

impl Version {
    /// Returns the folder of this machine's binaries: FMI 2.0.4, section 2.1.4; FMI 3.0.2, section
    /// 2.5.1.4.
    pub fn platform(self) -> &'static str {
        match (self, cfg!(target_arch = "x86_64")) {
            (Self::Two, true) => "linux64",
            (Self::Three, true) => "x86_64-linux",
            (_, false) => "aarch64-linux",
        }
    }
}

impl Kind {
    /// Returns its element in a description.
    pub fn name(self) -> &'static str {
        match self {
            Self::CoSimulation => "CoSimulation",
            Self::ModelExchange => "ModelExchange",
            Self::ScheduledExecution => "ScheduledExecution",
        }
    }
}

/// Returns the description of an FMU that is compiled with these definitions.
pub(super) fn of(version: Version, kind: Kind, defines: &Defines) -> String {
    let is_defined = |name: &str| defines.iter().any(|(defined, _)| *defined == name);
    let text = match version {
        Version::Two => two(kind),
        Version::Three => three(kind, MORE.iter().find(|more| is_defined(more.0))),
    };
    let text = match is_defined("NEEDS_TOOL") {
        true => text.replace("modelIdentifier=", r#"needsExecutionTool="true" modelIdentifier="#),
        false => text,
    };
    let input = |variability| format!(r#"causality="input" variability="{variability}""#);
    let [continuous, discrete] = ["continuous", "discrete"].map(input);
    match ["DISCRETE_INPUT", "CONTINUOUS_INPUT"].map(is_defined) {
        [true, _] => text.replace(&continuous, &discrete),
        [_, true] => text.replace(&discrete, &continuous),
        _ => text,
    }
}

/// A definition that extends a model, with its variables, and the outputs among these.
type More = (&'static str, &'static str, &'static str);

const MORE: [More; 4] = [
    (
        "MORE_CLOCKS",
        r#"
    <Clock name="push" valueReference="23" causality="input" intervalVariability="triggered" priority="3"/>
    <Clock name="later" valueReference="24" causality="input" intervalVariability="countdown" priority="4" clocks="21"/>
    <Int32 name="push_ticks" valueReference="33" causality="output" variability="discrete" initial="calculated" clocks="23"/>
    <Int32 name="later_ticks" valueReference="34" causality="output" variability="discrete" initial="calculated" clocks="24"/>"#,
        r#"<Output valueReference="33"/><Output valueReference="34"/>"#,
    ),
    (
        "CHANGING_CLOCK",
        r#"
    <Clock name="uneven" valueReference="25" causality="input" intervalVariability="changing" priority="3"/>
    <Int32 name="uneven_ticks" valueReference="35" causality="output" variability="discrete" initial="calculated" clocks="25"/>"#,
        r#"<Output valueReference="35"/>"#,
    ),
    (
        "ARRAY",
        r#"
    <UInt64 name="n" valueReference="40" causality="structuralParameter" variability="fixed" start="2"/>
    <Float64 name="a" valueReference="41" causality="output" variability="discrete" initial="calculated"><Dimension valueReference="40"/></Float64>
    <Float64 name="w" valueReference="42" causality="input" variability="discrete" start="0 0"><Dimension valueReference="40"/></Float64>"#,
        r#"<Output valueReference="41"/>"#,
    ),
    (
        "TEXTS",
        r#"
    <Binary name="blob" valueReference="14" causality="output" variability="discrete" initial="exact"><Start value="00"/></Binary>
    <String name="word" valueReference="15" causality="output" variability="discrete" initial="calculated"/>"#,
        r#"<Output valueReference="14"/><Output valueReference="15"/>"#,
    ),
];

fn two(kind: Kind) -> String {
    assert_ne!(kind, Kind::ScheduledExecution, "FMI 2.0 has no Scheduled Execution");
    let name = kind.name();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Oscillator" guid="{TOKEN}"
    description="A damped oscillator" numberOfEventIndicators="1">
  <{name} modelIdentifier="oscillator"/>
  <UnitDefinitions><Unit name="N"/><Unit name="m"/><Unit name="N/m"/><Unit name="N.s/m"/></UnitDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="10" stepSize="0.001"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="x" valueReference="1" causality="local" variability="continuous" initial="exact"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="v" valueReference="2" causality="local" variability="continuous" initial="exact"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="3" causality="local" variability="continuous" initial="calculated"><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="der(v)" valueReference="4" causality="local" variability="continuous" initial="calculated"><Real derivative="3"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="5" causality="parameter" variability="tunable" initial="exact"><Real start="100" unit="N/m"/></ScalarVariable>
    <ScalarVariable name="c" valueReference="6" causality="parameter" variability="tunable" initial="exact"><Real start="1" unit="N.s/m"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="7" causality="input" variability="continuous"><Real start="0" unit="N"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="8" causality="output" variability="continuous" initial="calculated"><Real unit="m"/></ScalarVariable>
    <ScalarVariable name="steps" valueReference="9" causality="output" variability="discrete" initial="calculated"><Integer/></ScalarVariable>
    <ScalarVariable name="moving" valueReference="10" causality="output" variability="discrete" initial="calculated"><Boolean/></ScalarVariable>
    <ScalarVariable name="label" valueReference="11" causality="parameter" variability="fixed" initial="exact"><String start="spring"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="9"/><Unknown index="10"/><Unknown index="11"/></Outputs>
    <Derivatives><Unknown index="4"/><Unknown index="5"/></Derivatives>
    <InitialUnknowns><Unknown index="4"/><Unknown index="5"/><Unknown index="9"/><Unknown index="10"/><Unknown index="11"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
"#
    )
}

fn three(kind: Kind, more: Option<&More>) -> String {
    let name = kind.name();
    let (_, more_variables, more_outputs) = more.unwrap_or(&("", "", ""));
    let events = match kind {
        Kind::CoSimulation => r#" canReturnEarlyAfterIntermediateUpdate="true""#,
        Kind::ModelExchange | Kind::ScheduledExecution => "",
    };
    let (clocks, outputs) = match kind {
        Kind::ScheduledExecution => (
            r#"
    <Clock name="fast" valueReference="21" causality="input" intervalVariability="constant" intervalDecimal="0.01" priority="1"/>
    <Clock name="slow" valueReference="22" causality="input" intervalVariability="constant" intervalDecimal="0.1" priority="2"/>
    <Int32 name="fast_ticks" valueReference="31" causality="output" variability="discrete" initial="calculated" clocks="21"/>
    <Int32 name="slow_ticks" valueReference="32" causality="output" variability="discrete" initial="calculated" clocks="22"/>"#,
            r#"<Output valueReference="31"/><Output valueReference="32"/>"#,
        ),
        Kind::CoSimulation | Kind::ModelExchange => ("", ""),
    };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Oscillator" instantiationToken="{TOKEN}"
    description="A damped oscillator">
  <{name} modelIdentifier="oscillator"{events}/>
  <UnitDefinitions><Unit name="N"/><Unit name="m"/><Unit name="N/m"/><Unit name="N.s/m"/></UnitDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="10" stepSize="0.001"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="x" valueReference="1" causality="local" variability="continuous" initial="exact" start="1"/>
    <Float64 name="v" valueReference="2" causality="local" variability="continuous" initial="exact" start="0"/>
    <Float64 name="der(x)" valueReference="3" causality="local" variability="continuous" initial="calculated" derivative="1"/>
    <Float64 name="der(v)" valueReference="4" causality="local" variability="continuous" initial="calculated" derivative="2"/>
    <Float64 name="k" valueReference="5" causality="parameter" variability="tunable" start="100" unit="N/m"/>
    <Float64 name="c" valueReference="6" causality="parameter" variability="tunable" start="1" unit="N.s/m"/>
    <Float64 name="u" valueReference="7" causality="input" variability="continuous" start="0" unit="N"/>
    <Float64 name="y" valueReference="8" causality="output" variability="continuous" initial="calculated" unit="m"/>
    <Int32 name="steps" valueReference="9" causality="output" variability="discrete" initial="calculated"/>
    <Boolean name="moving" valueReference="10" causality="output" variability="discrete" initial="calculated"/>
    <String name="label" valueReference="11" causality="parameter" variability="fixed"><Start value="spring"/></String>
    <Float32 name="y32" valueReference="12" causality="output" variability="continuous" initial="calculated"/>
    <Int64 name="steps64" valueReference="13" causality="output" variability="discrete" initial="calculated"/>{clocks}{more_variables}
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="8"/><Output valueReference="9"/><Output valueReference="10"/><Output valueReference="12"/><Output valueReference="13"/>{outputs}{more_outputs}
    <ContinuousStateDerivative valueReference="3"/><ContinuousStateDerivative valueReference="4"/>
    <InitialUnknown valueReference="3"/><InitialUnknown valueReference="4"/><InitialUnknown valueReference="8"/>
    <EventIndicator valueReference="1"/>
  </ModelStructure>
</fmiModelDescription>
"#
    )
}
