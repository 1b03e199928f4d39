//! The JSON schemas of the project.

use jsonschema::{Registry, RegistryBuilder, Validator};
use serde_json::Value;

/// All schemas, by the names of their files.
const SCHEMAS: [(&str, &str); 12] = [
    ("run-1", include_str!("../../../docs/schema/run-1.json")),
    ("report-1", include_str!("../../../docs/schema/report-1.json")),
    ("audit-1", include_str!("../../../docs/schema/audit-1.json")),
    ("check-1", include_str!("../../../docs/schema/check-1.json")),
    ("gate-1", include_str!("../../../docs/schema/gate-1.json")),
    ("compare-1", include_str!("../../../docs/schema/compare-1.json")),
    ("list-1", include_str!("../../../docs/schema/list-1.json")),
    ("doctor-1", include_str!("../../../docs/schema/doctor-1.json")),
    ("knobs-1", include_str!("../../../docs/schema/knobs-1.json")),
    ("model-1", include_str!("../../../docs/schema/model-1.json")),
    ("self-test-1", include_str!("../../../docs/schema/self-test-1.json")),
    ("studies-1", include_str!("../../../docs/schema/studies-1.json")),
];
/// The base address for references between the files of the schemas.
const FOLDER: &str = "file:///schema/";

pub struct Schema {
    validator: Validator,
}

impl Schema {
    /// Returns the schema in the file of this name, such as `run-1`.
    pub fn named(name: &str) -> Self {
        let all = SCHEMAS.map(|(name, text)| (name, parsed(text)));
        let by_address =
            all.iter().map(|(name, schema)| (format!("{FOLDER}{name}.json"), schema.clone()));
        let registry = Registry::new().extend(by_address);
        let registry = registry.and_then(RegistryBuilder::prepare).expect("schemas");
        let (_, schema) = all
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("there is no schema {name}"));
        let validator = jsonschema::options()
            .with_base_uri(format!("{FOLDER}{name}.json"))
            .with_registry(&registry)
            .build(schema)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { validator }
    }

    /// Returns what is wrong with a document: places and reasons.
    pub fn errors(&self, document: &Value) -> Vec<String> {
        let errors = self.validator.iter_errors(document);
        let lines = errors.map(|error| format!("{}: {error}", error.instance_path()));
        lines.collect()
    }

    pub fn assert(&self, document: &Value) {
        let errors = self.errors(document);
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("a schema is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects every field that a schema names, at any depth.
    fn fields<'a>(schema: &'a Value, all: &mut Vec<(&'a String, &'a Value)>) {
        match schema {
            Value::Object(parts) => {
                if let Some(Value::Object(named)) = parts.get("properties") {
                    all.extend(named);
                }
                parts.values().for_each(|part| fields(part, all));
            }
            Value::Array(parts) => parts.iter().for_each(|part| fields(part, all)),
            _ => {}
        }
    }

    #[test]
    fn every_field_is_described_and_times_name_their_unit() {
        for (file, text) in SCHEMAS {
            let schema = parsed(text);
            let mut all = Vec::new();
            fields(&schema, &mut all);
            assert!(!all.is_empty(), "{file}");
            for (name, field) in all {
                let text = field["description"].as_str().unwrap_or_default();
                assert!(!text.is_empty(), "{file}: {name}");
                let is_interval = field.get("$ref").is_some();
                assert!(
                    !name.ends_with("_ns") || is_interval || text.contains("nanoseconds"),
                    "{file}: {name}: {text}"
                );
            }
        }
    }
}
