//! Tests with descriptions as programs write them, with broken ones, and with mutated ones.

use proptest::prelude::*;

use super::*;

const V2: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="plant" guid="{1}" generationTool="a tool"
    numberOfEventIndicators="1" oddAttribute="x">
  <ModelExchange modelIdentifier="plant_me"/>
  <CoSimulation modelIdentifier="plant" canHandleVariableCommunicationStepSize="true"
      canNotUseMemoryManagementFunctions="true" canRunAsynchronuously="1">
    <SourceFiles><File name="plant.c"/></SourceFiles>
  </CoSimulation>
  <LogCategories><Category name="logEvents"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="2.5" stepSize=" 1e-3 "/>
  <VendorAnnotations><Tool name="a tool"/></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="h" valueReference="1" causality="output"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="2"><Real derivative="1" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="g" valueReference="3" causality="parameter" description="gravity">
      <Real start="-9.81"/>
    </ScalarVariable>
    <ScalarVariable name="a name with spaces" valueReference="1"><String start="a b"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="5" causality="input" variability="discrete">
      <Integer start="7"/>
    </ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1"/></Outputs>
    <Derivatives><Unknown index="2" dependencies="3"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>"#;

const V3: &str = r#"<fmiModelDescription fmiVersion="3.0" modelName="loop" instantiationToken="{2}">
  <CoSimulation modelIdentifier="loop" hasEventMode="true" fixedInternalStepSize="0.01"
      canReturnEarlyAfterIntermediateUpdate="true" canBeInstantiatedOnlyOncePerProcess="true"/>
  <ScheduledExecution modelIdentifier="loop" needsExecutionTool="true"/>
  <ModelVariables>
    <UInt64 name="n" valueReference="1" causality="structuralParameter" start="3"/>
    <Float64 name="x" valueReference="2" start="1 2 3"><Dimension valueReference="1"/>
      <Alias name="state"/></Float64>
    <Float64 name="der(x)" valueReference="3" derivative="2"><Dimension valueReference="1"/></Float64>
    <String name="file" valueReference="4" causality="parameter"><Start value="a b"/></String>
    <Clock name="fast" valueReference="5" causality="input" intervalVariability="constant"
        intervalDecimal="0.01" priority="1"/>
    <Clock name="slow" valueReference="6" causality="input" intervalVariability="fixed"
        resolution="1000" intervalCounter="100" shiftCounter="50"/>
    <Int8 name="y" valueReference="7" causality="output" clocks="5 6"/>
    <Binary name="bytes" valueReference="8"><Dimension start="4"/></Binary>
    <Novelty name="of a later version" valueReference="9"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="7"/>
    <ContinuousStateDerivative valueReference="3"/>
    <EventIndicator valueReference="2"/>
  </ModelStructure>
</fmiModelDescription>"#;

fn read(text: &str) -> Description {
    Description::read(text.as_bytes()).unwrap()
}

fn refused(text: &str) -> String {
    let error = Description::read(text.as_bytes()).unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    error
}

#[test]
fn fmi_2_counts_variables_from_1() {
    let plant = read(V2);
    assert_eq!(plant.version, Version::Two);
    assert_eq!((&*plant.name, &*plant.token, &*plant.tool), ("plant", "{1}", "a tool"));
    let state = State { state: Some(0), derivative: 1 };
    assert_eq!(plant.structure.outputs, [0]);
    assert_eq!(plant.structure.states, [state]);
    assert_eq!(plant.structure.event_indicators, 1);
    assert_eq!(plant.experiment.step, Some(1e-3));
    assert_eq!(plant.log_categories, ["logEvents"]);
    let [stepped, exchanged] = &plant.interfaces[..] else { panic!("{:?}", plant.interfaces) };
    assert_eq!([stepped.kind, exchanged.kind], [Kind::CoSimulation, Kind::ModelExchange]);
    assert_eq!(stepped.sources, ["plant.c"]);
    assert!(stepped.allocates_itself && stepped.asynchronous && stepped.variable_steps);
    assert!(!exchanged.allocates_itself && exchanged.needs_completed_step);
}

#[test]
fn fmi_2_has_types_in_separate_elements() {
    let plant = read(V2);
    let [_, derivative, gravity, text, count] = &plant.variables[..] else {
        panic!("{:?}", plant.variables)
    };
    assert_eq!(derivative.derivative_of, Some(0));
    assert_eq!(derivative.unit.as_deref(), Some("m/s"));
    assert_eq!(derivative.variability, Variability::Continuous);
    assert_eq!(gravity.start, ["-9.81"]);
    assert_eq!(gravity.variability, Variability::Fixed);
    assert_eq!(gravity.description, "gravity");
    assert_eq!((text.kind, &text.start[..]), (Type::String, &["a b".to_owned()][..]));
    assert_eq!((count.kind, count.causality), (Type::Int32, Causality::Input));
}

#[test]
fn fmi_3_has_arrays_clocks_and_aliases() {
    let model = read(V3);
    let place = |name| model.place(name).unwrap();
    let state = &model.variables[place("state")];
    assert_eq!((&*state.name, model.elements(state)), ("x", 3));
    assert_eq!(state.start, ["1", "2", "3"]);
    assert_eq!(model.states(), 3);
    assert_eq!(model.variables[place("y")].clocks, ["fast", "slow"].map(place));
    assert_eq!(model.structure.outputs, [place("y")]);
    let clock = |name| model.variables[place(name)].clock.clone().unwrap();
    let (fast, slow) = (clock("fast"), clock("slow"));
    assert_eq!((fast.period, fast.priority), (Some(0.01), Some(1)));
    assert_eq!((slow.period, slow.shift), (Some(0.1), 0.05));
    assert_eq!(slow.interval, Interval::Fixed);
    assert_eq!(model.variables[place("file")].start, ["a b"]);
    assert_eq!(model.structure.event_indicators, 1);
}

#[test]
fn fmi_3_describes_the_needs_of_each_kind() {
    let model = read(V3);
    let stepped = model.interface(Kind::CoSimulation).unwrap();
    assert!(stepped.has_event_mode && stepped.returns_early && stepped.single_instance);
    assert_eq!(stepped.fixed_internal_step, Some(0.01));
    let scheduled = model.interface(Kind::ScheduledExecution).unwrap();
    assert!(scheduled.needs_execution_tool && !scheduled.single_instance);
    assert_eq!(model.interface(Kind::ModelExchange), None);
}

#[test]
fn unimportant_mistakes_are_accepted() {
    let cut = V2.find("  <ModelStructure>").unwrap();
    let plant = read(&format!("\u{feff}{}</fmiModelDescription>", &V2[..cut]));
    assert_eq!(plant.structure.outputs, [0], "outputs follow from the variables");
    assert_eq!(plant.states(), 1);
    let nameless = V2.replace(r#"modelName="plant""#, r#"modelName="""#);
    assert_eq!(read(&nameless).name, "plant_me");
    let latin: Vec<u8> = V2.replace("gravity", "§").chars().map(|c| c as u8).collect();
    let plant = Description::read(&latin).unwrap();
    assert_eq!(plant.variables[2].description, "§");
    let odd = V2.replace(r#"stepSize=" 1e-3 ""#, r#"stepSize="0""#);
    assert_eq!(read(&odd).experiment.step, None);
}

#[test]
fn important_mistakes_are_refused_in_one_line() {
    for (text, old, new, words) in [
        (V2, r#"fmiVersion="2.0""#, r#"fmiVersion="1.0""#, "FMI 1"),
        (V2, r#"fmiVersion="2.0""#, r#"fmiVersion="9""#, "FMI `9`"),
        (V2, r#"fmiVersion="2.0""#, "", "no `fmiVersion`"),
        (V2, "fmiModelDescription", "odd", "begins with `odd`"),
        (V2, r#"name="g""#, r#"name="h""#, "two variables have the name `h`"),
        (V2, r#"name="g""#, "", "has no name"),
        (V2, r#"<Integer start="7"/>"#, "", "`n` has no type"),
        (V2, r#" valueReference="5""#, "", "`n` has no value reference"),
        (V2, r#"valueReference="5""#, r#"valueReference="-5""#, "`valueReference` is `-5`"),
        (V2, r#"derivative="1""#, r#"derivative="6""#, "`derivative` of variable `der(h)` is `6`"),
        (V2, r#"<Unknown index="1"/>"#, r#"<Unknown index="0"/>"#, "index `0`"),
        (V2, r#"stepSize=" 1e-3 ""#, r#"stepSize="1,5""#, "`stepSize` is `1,5`"),
        (V2, "</ModelStructure>", "", "not valid XML"),
        (V3, r#"clocks="5 6""#, r#"clocks="99""#, "a clock of variable `y` is `99`"),
        (V3, r#"<Dimension start="4"/>"#, "<Dimension/>", "neither a length nor a reference"),
        (V3, r#"<Output valueReference="7"/>"#, "<Output/>", "names valueReference ``"),
        (V3, r#"<Alias name="state"/>"#, r#"<Alias name="n"/>"#, "two variables"),
        (V3, r#"modelIdentifier="loop""#, r#"modelIdentifier="../x""#, "not a valid file name"),
    ] {
        assert!(text.contains(old), "{old}");
        let error = refused(&text.replace(old, new));
        assert!(error.contains(words), "{words}: {error}");
    }
    let no_kind = V2.replace("ModelExchange", "Odd").replace("CoSimulation", "Odd");
    assert!(refused(&no_kind).contains("offers none of"));
}

#[test]
fn depth_and_entities_are_bounded() {
    let deep = "<a>".repeat(200_000) + &"</a>".repeat(200_000);
    assert!(refused(&deep).contains("begins with `a`"));
    let entities = r#"<!DOCTYPE a [<!ENTITY b "ccc">]><a>&b;</a>"#;
    assert!(refused(entities).contains("not valid XML"));
}

#[test]
fn attributes_and_variables_are_bounded() {
    let attributes: String = (0..100_000).map(|number| format!(" a{number}=\"1\"")).collect();
    let many = format!("<fmiModelDescription{attributes}/>");
    assert!(refused(&many).contains("more than 1000 attributes"));
    let quoted =
        "<a b=\"".to_owned() + &"=".repeat(2_000) + "\"/><!-- " + &"= ".repeat(2_000) + " -->";
    assert!(refused(&quoted).contains("begins with `a`"));
    let variable = "<Float64 name=\"x\" valueReference=\"1\"/>".repeat(300_001);
    let list = format!("<ModelVariables>{variable}</ModelVariables>");
    let start = V3.find("<ModelVariables>").unwrap();
    let end = V3.find("</ModelVariables>").unwrap() + "</ModelVariables>".len();
    let many = V3[..start].to_owned() + &list + &V3[end..];
    assert!(refused(&many).contains("300001 variables"), "{}", refused(&many));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// However a description is changed, it is read or refused in one line.
    #[test]
    fn mutated_descriptions_are_read_or_refused(
        is_newer in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..20),
    ) {
        let mut bytes = if is_newer { V3 } else { V2 }.as_bytes().to_vec();
        for (place, byte, change) in changes {
            let place = place.index(bytes.len());
            match change {
                0 => bytes[place] = byte,
                1 => drop(bytes.drain(place..(place + usize::from(byte)).min(bytes.len()))),
                2 => bytes.insert(place, byte),
                _ => bytes[place] = b"0123456789\"<>/ "[usize::from(byte) % 15],
            }
            if bytes.is_empty() {
                break;
            }
        }
        match Description::read(&bytes) {
            Ok(read) => {
                for variable in &read.variables {
                    let is_array = !variable.dimensions.is_empty();
                    prop_assert!(is_array || read.elements(variable) == 1);
                }
                prop_assert!(!read.structure.states.is_empty() || read.states() == 0);
            }
            Err(why) => prop_assert!(!why.to_string().contains('\n'), "{why}"),
        }
    }
}

#[test]
fn odd_descriptions_are_read_or_refused() {
    testing::try_corpus(&[V2, V3], 1_000, |input| {
        if let Err(why) = Description::read(input) {
            assert!(!why.to_string().contains('\n'), "{why}");
        }
    });
}
