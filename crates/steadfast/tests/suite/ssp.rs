//! `steadfast model X.ssp` and `run mix X.ssp`: systems of connected FMUs.

use std::fs;

use serde_json::Value;
use testing::archive::zipped;
use testing::models::{self, Kind, Version};
use testing_schema::Schema;

use crate::common::{Folder, MODEST};

/// Writes `demo.ssp`: a source that stays at 1 (here in cm), a user in m, and a user of that one.
/// With `ring`, the source takes the value of the last one.
fn write_system(folder: &Folder, ring: bool) {
    let part = |name: &str, bindings: &str| {
        format!(
            r#"<ssd:Component name="{name}" source="resources/oscillator.fmu"><ssd:Connectors>
            <ssd:Connector name="u" kind="input"><ssc:Real unit="m"/></ssd:Connector>
            <ssd:Connector name="y" kind="output"><ssc:Real unit="cm"/></ssd:Connector></ssd:Connectors>
            {bindings}</ssd:Component>"#
        )
    };
    let still = r#"<ssd:ParameterBindings><ssd:ParameterBinding source="resources/still.ssv"/></ssd:ParameterBindings>"#;
    let parts = part("User", "") + &part("Source", still) + &part("Last", "");
    let mut all = vec![("Source", "User"), ("User", "Last")];
    all.extend(ring.then_some(("Last", "Source")));
    let connection = |(from, to): (&str, &str)| {
        format!(
            r#"<ssd:Connection startElement="{from}" startConnector="y" endElement="{to}" endConnector="u"/>"#
        )
    };
    let connections: String = all.into_iter().map(connection).collect();
    let about = format!(
        r#"<ssd:SystemStructureDescription version="1.0" name="demo" xmlns:ssd="d" xmlns:ssc="c">
        <ssd:System name="root"><ssd:Elements>{parts}</ssd:Elements>
        <ssd:Connections>{connections}</ssd:Connections></ssd:System><ssd:Units>
        <ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>
        <ssc:Unit name="cm"><ssc:BaseUnit m="1" factor="0.01"/></ssc:Unit></ssd:Units>
        </ssd:SystemStructureDescription>"#
    );
    let still = r#"<v:ParameterSet version="1.0" name="still" xmlns:v="v"><v:Parameters>
        <v:Parameter name="k"><v:Real value="0"/></v:Parameter>
        <v:Parameter name="c"><v:Real value="0"/></v:Parameter></v:Parameters></v:ParameterSet>"#;
    let fmu = fs::read(models::fmu(Version::Two, Kind::CoSimulation, &[])).unwrap();
    let archive = zipped(&[
        ("SystemStructure.ssd", about.as_bytes(), None),
        ("resources/oscillator.fmu", &fmu, None),
        ("resources/still.ssv", still.as_bytes(), None),
    ]);
    folder.write("demo.ssp", archive);
}

/// Returns the output hash of each member.
fn hashes(run: &Value) -> Vec<(String, String)> {
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let rows = run["rows"].as_array().expect("a mix has rows");
    rows.iter().map(|row| (text(row, "member"), text(row, "output_hash"))).collect()
}

#[test]
fn a_system_of_three_parts_in_other_units_runs_as_the_mix_that_is_equal_to_it() {
    let folder = Folder::new();
    write_system(&folder, false);
    let described = folder.run("model demo.ssp --json").succeeded().document();
    Schema::named("model-1").assert(&described);
    let parts = described["ssp"]["parts"].as_array().unwrap();
    let paths: Vec<&str> = parts.iter().map(|part| part["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["Source", "User", "Last"]);
    assert_eq!(parts[0]["settings"]["k"], "0");

    folder.run("model demo.ssp --plan mix.toml").succeeded();
    folder
        .run("model demo.ssp --plan mix.toml")
        .refuses("--plan: cannot create the folder mix.fmus");
    let lines = |what: &str| {
        folder.run(&format!("run mix {what} --seconds 0.2 {MODEST} --beside --json")).succeeded()
    };
    assert_eq!(hashes(&lines("demo.ssp").first_run()).len(), 3);
    // Every step counts, however late.
    let plan = folder.read("mix.toml").replace("rate = ", "overrun = \"catch-up\"\nrate = ");
    folder.write("mix.toml", plan);

    // 1 cm is 0.01 m.
    folder.write("u.csv", "time,u\n0,0.01\n");
    let fmu = models::fmu(Version::Two, Kind::CoSimulation, &[]);
    let alone = format!("model --fmu {} --input u.csv --mode real-fast", fmu.display());
    let alone = folder.run(&format!("run {alone} --seconds 0.2 {MODEST} --beside --json"));
    let alone = alone.succeeded().first_run()["output_hash"].clone();
    let all = hashes(&lines("mix.toml").first_run());
    let user = all.iter().find(|(member, _)| member == "User").unwrap();
    assert_eq!(alone, user.1.as_str());
}

#[test]
fn each_part_of_a_system_is_audited_alone_with_its_start_values() {
    let folder = Folder::new();
    write_system(&folder, false);
    let done = folder.run("audit demo.ssp --steps 50 --json").succeeded();
    let schema = Schema::named("audit-2");
    let audits = done.json();
    audits.iter().for_each(|audit| schema.assert(audit));
    let text = |name: &str| -> Vec<&str> {
        audits.iter().map(|audit| audit[name].as_str().unwrap()).collect()
    };
    assert_eq!(text("part"), ["Source", "User", "Last"]);
    assert_eq!(text("file"), ["demo.ssp"; 3]);
    // The source has other parameters.
    let hashes = text("outputs_hash");
    assert!(hashes[0] != hashes[1] && hashes[1] == hashes[2], "{hashes:?}");
    let not_seen = audits.iter().map(|audit| audit["not_seen"].to_string());
    let inputs: Vec<bool> = not_seen.map(|all| all.contains("with other inputs: u")).collect();
    assert_eq!(inputs, [false, true, true]);
    let told = folder.run("audit demo.ssp --steps 50").succeeded().stdout();
    assert!(told.contains("User of demo.ssp, ") && told.matches("More:").count() == 1, "{told}");
    folder.run("audit demo.ssp --set k=1").refuses("--set: applies only to one model");
    write_system(&folder, true);
    folder.run("audit demo.ssp --steps 50").refuses("--delay User.u");
    folder.run("audit demo.ssp --steps 50 --delay User.u").succeeded();
}

#[test]
fn an_algebraic_loop_is_refused_with_the_command_that_breaks_it() {
    let folder = Folder::new();
    write_system(&folder, true);
    for line in ["model demo.ssp", "run mix demo.ssp"] {
        let done = folder.run(line).refuses("demo.ssp: algebraic loop: ");
        assert!(done.stderr().contains("--delay User.u"), "{}", done.stderr());
    }
    let line = format!("run mix demo.ssp --seconds 0.2 {MODEST} --beside --json");
    let run = folder.run(&format!("{line} --delay Source.u --rate 500Hz")).succeeded().first_run();
    let dues = run["rows"].as_array().unwrap().iter().map(|row| row["due"].as_u64().unwrap());
    assert_eq!(dues.collect::<Vec<_>>(), [100; 3]);
    folder.run("model demo.ssp --delay Source.u --plan mix.toml --rate 100Hz").succeeded();
    let plan = folder.read("mix.toml");
    assert!(plan.contains("delay = true") && plan.contains("rate = \"100Hz\""), "{plan}");
    folder.run(&format!("run mix mix.toml --seconds 0.2 {MODEST} --beside")).succeeded();
    for option in ["--rate 1kHz", "--delay Source.u"] {
        folder
            .run(&format!("run mix mix.toml {option}"))
            .refuses("applies only to a system of FMUs");
    }
    folder.run("run mix demo.ssp --rate soon").refuses("--rate: ");
    folder.run("run mix demo.ssp --delay Other.u").refuses("no connection leads to Other.u");
}

#[test]
fn a_damaged_system_is_refused_in_one_line() {
    let folder = Folder::new();
    folder.write("cut.ssp", &b"PK\x03\x04"[..]);
    folder.write("other.ssp", zipped(&[("a.txt", b"", None)]));
    for (line, why) in [
        ("model cut.ssp", "cut.ssp: this is not a readable zip archive"),
        ("run mix cut.ssp", "cut.ssp: this is not a readable zip archive"),
        ("model other.ssp", "other.ssp: the archive has no SystemStructure.ssd"),
        ("model none.ssp", "none.ssp: No such file"),
        ("model none.fmu --delay A.u", "--delay: applies only to an SSP"),
    ] {
        folder.run(line).refuses(why);
    }
}
