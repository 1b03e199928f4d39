use std::fs;
use std::path::Path;

use tempfile::TempDir;
use testing::archive::zipped;
use testing::refuses;

use super::*;

/// An FMU with an input `u` in degrees Celsius, a parameter `k` in kilograms and an output `y` in
/// kelvins that depends on these inputs.
fn fmu(dependencies: &str) -> Vec<u8> {
    let about = format!(
        r#"<fmiModelDescription fmiVersion="2.0" modelName="part" guid="g"><CoSimulation modelIdentifier="part"/>
        <ModelVariables>
        <ScalarVariable name="u" valueReference="1" causality="input"><Real start="0" unit="degC"/></ScalarVariable>
        <ScalarVariable name="k" valueReference="2" causality="parameter"><Real start="0" unit="kg"/></ScalarVariable>
        <ScalarVariable name="y" valueReference="3" causality="output"><Real unit="K"/></ScalarVariable>
        <ScalarVariable name="t" valueReference="4" causality="input"><String start=""/></ScalarVariable>
        </ModelVariables>
        <ModelStructure><Outputs><Unknown index="3" dependencies="{dependencies}"/></Outputs></ModelStructure>
        </fmiModelDescription>"#
    );
    zipped(&[("modelDescription.xml", about.as_bytes(), None)])
}

const UNITS: &str = r#"<ssc:Unit name="K"><ssc:BaseUnit K="1"/></ssc:Unit>
    <ssc:Unit name="degC"><ssc:BaseUnit K="1" offset="273.15"/></ssc:Unit>
    <ssc:Unit name="kg"><ssc:BaseUnit kg="1"/></ssc:Unit><ssc:Unit name="g"><ssc:BaseUnit kg="1" factor="0.001"/></ssc:Unit>"#;

fn connectors(all: &[(&str, &str, &str)]) -> String {
    let connector = |(name, kind, typed): &(&str, &str, &str)| {
        format!("<ssd:Connector name=\"{name}\" kind=\"{kind}\">{typed}</ssd:Connector>")
    };
    let all: String = all.iter().map(connector).collect();
    format!("<ssd:Connectors>{all}</ssd:Connectors>")
}

const PORTS: [(&str, &str, &str); 2] = [("u", "input", ""), ("y", "output", "")];

/// A component that depends directly on its input, or not.
fn component(name: &str, file: &str, more: &str) -> String {
    format!(
        "<ssd:Component name=\"{name}\" source=\"resources/{file}.fmu\">{}{more}</ssd:Component>",
        connectors(&PORTS)
    )
}

fn connection(from: [&str; 2], to: [&str; 2], more: &str) -> String {
    let end = |side: &str, [element, connector]: [&str; 2]| {
        let element = match element {
            "" => String::new(),
            name => format!("{side}Element=\"{name}\" "),
        };
        format!("{element}{side}Connector=\"{connector}\"")
    };
    format!("<ssd:Connection {} {} {more}</ssd:Connection>", end("start", from), end("end", to))
}

fn document(version: &str, system: &str) -> String {
    format!(
        r#"<ssd:SystemStructureDescription version="{version}" name="demo"
        xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
        xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
        xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
        xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping">
        <ssd:System name="root">{system}</ssd:System><ssd:Units>{UNITS}</ssd:Units></ssd:SystemStructureDescription>"#
    )
}

fn system(elements: &str, connections: &str) -> String {
    format!(
        "<ssd:Elements>{elements}</ssd:Elements><ssd:Connections>{connections}</ssd:Connections>"
    )
}

fn connected_of(document: &str, delays: &[&str]) -> Result<Connected, Refused> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("demo.ssp");
    let (direct, indirect) = (fmu("1"), fmu(""));
    let values = r#"<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="v">
        <ssv:Parameters><ssv:Parameter name="mass"><ssv:Real value="250" unit="g"/></ssv:Parameter></ssv:Parameters>
        <ssv:Units><ssc:Unit xmlns:ssc="c" name="g"><ssc:BaseUnit kg="1" factor="1e-3"/></ssc:Unit></ssv:Units></ssv:ParameterSet>"#;
    let archive = zipped(&[
        (DESCRIPTION, document.as_bytes(), None),
        ("resources/direct.fmu", &direct, None),
        ("resources/indirect.fmu", &indirect, None),
        ("resources/values.ssv", values.as_bytes(), None),
        ("outside.txt", b"", None),
    ]);
    fs::write(&path, archive).unwrap();
    let into = TempDir::new().unwrap();
    let delays: Vec<String> = delays.iter().map(|delay| (*delay).to_owned()).collect();
    Ssp::open(&path)?.connect(into.path(), &delays)
}

fn connected(system: &str) -> Connected {
    connected_of(&document("1.0", system), &[]).unwrap()
}

#[test]
fn units_are_converted_before_a_transformation_and_only_if_they_are_to_be() {
    let linear = "><ssc:LinearTransformation factor=\"2\" offset=\"1\"/>";
    for (more, expected) in [
        (">", Transform::Linear { factor: 1.0, offset: -273.15 }),
        ("suppressUnitConversion=\"true\">", Transform::SAME),
        (linear, Transform::Linear { factor: 2.0, offset: -545.3 }),
        (
            "suppressUnitConversion=\"true\"><ssc:IntegerMappingTransformation>\
             <ssc:MapEntry source=\"1\" target=\"7\"/></ssc:IntegerMappingTransformation>",
            Transform::Map(vec![(1.0, 7.0)]),
        ),
    ] {
        let elements = component("A", "direct", "") + &component("B", "direct", "");
        let all = connected(&system(&elements, &connection(["A", "y"], ["B", "u"], more)));
        let link = &all.parts[1].links[0];
        assert_eq!((link.from, &*link.output, &link.transform), (0, "y", &expected));
    }
}

#[test]
fn parts_of_nested_systems_are_connected_through_their_connectors() {
    let inner = component("B", "direct", "");
    let through =
        connection(["", "in"], ["B", "u"], ">") + &connection(["B", "y"], ["", "out"], ">");
    let ports = connectors(&[("in", "input", ""), ("out", "output", "<ssc:Real unit=\"degC\"/>")]);
    let nested =
        format!("<ssd:System name=\"Sub\">{ports}{}</ssd:System>", system(&inner, &through));
    let elements = nested + &component("A", "direct", "") + &component("C", "direct", "");
    let outside =
        connection(["A", "y"], ["Sub", "in"], ">") + &connection(["Sub", "out"], ["C", "u"], ">");
    for version in ["1.0", "2.0"] {
        let all = connected_of(&document(version, &system(&elements, &outside)), &[]).unwrap();
        let paths: Vec<&str> = all.parts.iter().map(|part| part.path.as_str()).collect();
        assert_eq!(paths, ["A", "Sub.B", "C"]);
        assert_eq!(all.parts[1].name, "Sub_B");
        let links: Vec<_> = all.parts.iter().flat_map(|part| &part.links).collect();
        // K to degC in each: the second on the way out of the nested system.
        let expected = Transform::Linear { factor: 1.0, offset: -273.15 };
        assert!(links.iter().all(|link| link.transform == expected && !link.delay), "{links:?}");
        assert_eq!(links.iter().map(|link| link.from).collect::<Vec<_>>(), [0, 1]);
    }
}

#[test]
fn a_loop_without_feedthrough_steps_from_the_part_that_breaks_it() {
    let elements = component("Controller", "direct", "") + &component("Plant", "indirect", "");
    let ring = connection(["Controller", "y"], ["Plant", "u"], ">")
        + &connection(["Plant", "y"], ["Controller", "u"], ">");
    let all = connected(&system(&elements, &ring));
    let links: Vec<_> = all.parts.iter().map(|part| (&*part.path, part.links[0].delay)).collect();
    assert_eq!(links, [("Plant", true), ("Controller", false)]);
}

#[test]
fn an_algebraic_loop_is_refused_unless_a_delay_breaks_it() {
    let elements = component("A", "direct", "") + &component("B", "direct", "");
    let ring = connection(["A", "y"], ["B", "u"], ">") + &connection(["B", "y"], ["A", "u"], ">");
    let text = document("1.0", &system(&elements, &ring));
    refuses(connected_of(&text, &[]), "algebraic loop: A.y -> B.u, B.y -> A.u;");
    refuses(connected_of(&text, &["A.x"]), "--delay: no connection leads to A.x");
    let all = connected_of(&text, &["B.u"]).unwrap();
    let links: Vec<_> = all.parts.iter().map(|part| (&*part.path, part.links[0].delay)).collect();
    assert_eq!(links, [("B", true), ("A", false)]);
}

#[test]
fn parameters_come_from_files_and_from_here_and_the_outer_ones_have_more_weight() {
    let binding = |inside: &str| format!("<ssd:ParameterBindings>{inside}</ssd:ParameterBindings>");
    let here = |name: &str, value: &str| {
        format!(
            "<ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters>\
             <ssv:Parameter name=\"{name}\"><ssv:Real value=\"{value}\"/></ssv:Parameter></ssv:Parameters>\
             </ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding>"
        )
    };
    let mapped = "<ssd:ParameterBinding source=\"resources/values.ssv\"><ssd:ParameterMapping>\
        <ssm:ParameterMapping version=\"1.0\"><ssm:MappingEntry source=\"mass\" target=\"B.k\">\
        <ssc:LinearTransformation factor=\"2\"/></ssm:MappingEntry></ssm:ParameterMapping>\
        </ssd:ParameterMapping></ssd:ParameterBinding>";
    let elements = component("A", "direct", &binding(&here("k", "1")))
        + &component("B", "direct", &binding(&here("k", "2")));
    let outer = binding(&(mapped.to_owned() + &here("A.z", "3")));
    let all = connected(&(outer + &system(&elements, "")));
    let set = |part: usize| all.parts[part].settings["k"].clone();
    // 250 g are 0.25 kg.
    assert_eq!([set(0), set(1)], ["1", "0.5"]);
    assert_eq!(all.ignored, ["A.z"]);
}

#[test]
fn files_are_named_by_uris() {
    let encoded = component("A", "direct", "").replace("direct.fmu", "dir%65ct.fmu");
    assert_eq!(connected(&system(&encoded, "")).parts[0].path, "A");
    for (uri, text) in [("a%20%c3%bc", "a ü"), ("100%", "100%"), ("%zz%4", "%zz%4")] {
        assert_eq!(decoded(uri), text);
    }
}

#[test]
fn what_is_damaged_or_not_supported_is_refused_in_one_line() {
    let refused =
        |system: &str, why: &str| refuses(connected_of(&document("1.0", system), &[]), why);
    let (a, b) = (component("A", "direct", ""), component("B", "direct", ""));
    let both = a.clone() + &b;
    let to_b = connection(["A", "y"], ["B", "u"], ">");
    refused("", "the system has no component");
    refused(&system(&(a.clone() + &a), ""), "two elements have the name `A`");
    refused(&system(&both, &(to_b.clone() + &to_b)), "two connections lead to B.u");
    refused(
        &system(&both, &connection(["A", "x"], ["B", "u"], ">")),
        "connector `x` of A, which is not there",
    );
    refused(
        &system(&both, &connection(["C", "y"], ["B", "u"], ">")),
        "element `C`, which is not there",
    );
    let to_output = connection(["A", "y"], ["B", "y"], ">");
    refused(&system(&both, &to_output), "B.y is connected as input, but is output of its FMU");
    let text = "<ssd:Connector name=\"t\" kind=\"input\"/></ssd:Connectors>";
    let with_text = a.clone() + &b.replace("</ssd:Connectors>", text);
    let to_text = connection(["A", "y"], ["B", "t"], ">");
    refused(&system(&with_text, &to_text), "B.t is connected, but is of type String; only numbers");
    for (from, to, why) in [
        ("resources/direct.fmu", "../direct.fmu", "has no file ../direct.fmu"),
        ("resources/direct.fmu", "/etc/passwd", "has no file /etc/passwd"),
        ("resources/direct.fmu", "outside.txt", "which is not an FMU"),
        ("source=", "type=\"application/x-ssp-package\" source=", "only FMUs are supported"),
        (
            "<ssd:Connector name=\"u\" kind=\"input\">",
            "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Dimension/>",
            "is an array",
        ),
    ] {
        refused(&system(&a.replace(from, to), ""), why);
    }
    let dictionary = "<ssd:SignalDictionaryReference name=\"d\" dictionary=\"d\"/>";
    refused(&system(dictionary, ""), "signal dictionaries are not supported");
    refuses(connected_of(&document("3.0", ""), &[]), "version 3.0 of SSP is not supported");
    refuses(connected_of("<a", &[]), "SystemStructure.ssd is not valid XML");
    refuses(connected_of("<a/>", &[]), "has a root `a`; expected `SystemStructureDescription`");
    let other_unit =
        a.replace("\"y\" kind=\"output\">", "\"y\" kind=\"output\"><ssc:Real unit=\"kg\"/>");
    refused(
        &system(&(other_unit + &b), &to_b),
        "kg cannot be converted to degC: their base units differ",
    );
    refuses(Ssp::open(Path::new("/nowhere.ssp")), "/nowhere.ssp: ");
}

#[test]
fn odd_systems_are_read_or_refused() {
    let elements = component("A", "direct", "") + &component("B", "indirect", "");
    let both = connection(["A", "y"], ["B", "u"], ">")
        + &connection(["B", "y"], ["A", "u"], "><ssc:LinearTransformation factor=\"2\"/>");
    let bound = "<ssd:ParameterBindings><ssd:ParameterBinding source=\"resources/values.ssv\"/></ssd:ParameterBindings>";
    let nested = format!(
        "<ssd:System name=\"Sub\">{}</ssd:System>",
        system(&component("C", "direct", bound), "")
    );
    let seeds = [
        document("1.0", &system(&elements, &both)),
        document("2.0", &system(&(nested + &elements), "")),
    ];
    testing::try_corpus(&seeds, 150, |input| {
        if let Err(why) = connected_of(&String::from_utf8_lossy(input), &[]) {
            assert!(!why.to_string().contains('\n'), "{why}");
        }
    });
}
