//! The JSON schemas of the project.

use jsonschema::{Registry, RegistryBuilder, Validator};
use serde_json::Value;

/// Every schema by the name of its file.
const SCHEMAS: [(&str, &str); 10] = [
    ("run-1", include_str!("../../../docs/schema/run-1.json")),
    ("report-1", include_str!("../../../docs/schema/report-1.json")),
    ("audit-1", include_str!("../../../docs/schema/audit-1.json")),
    ("check-1", include_str!("../../../docs/schema/check-1.json")),
    ("compare-1", include_str!("../../../docs/schema/compare-1.json")),
    ("list-1", include_str!("../../../docs/schema/list-1.json")),
    ("doctor-1", include_str!("../../../docs/schema/doctor-1.json")),
    ("knobs-1", include_str!("../../../docs/schema/knobs-1.json")),
    ("model-1", include_str!("../../../docs/schema/model-1.json")),
    ("self-test-1", include_str!("../../../docs/schema/self-test-1.json")),
];
/// Where files of the schemas refer to each other from.
const FOLDER: &str = "file:///schema/";

/// One of the project's schemas.
pub struct Schema {
    validator: Validator,
}

impl Schema {
    /// The schema in the file of this name, such as `run-1`.
    ///
    /// # Panics
    /// Where there is none, or it is none.
    #[must_use]
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

    /// What is wrong with a document: places and reasons.
    #[must_use]
    pub fn errors(&self, document: &Value) -> Vec<String> {
        let errors = self.validator.iter_errors(document);
        let told = errors.map(|error| format!("{}: {error}", error.instance_path()));
        told.collect()
    }

    /// Asserts that a document is as the schema says.
    ///
    /// # Panics
    /// Where it is not.
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

    /// Every field that a schema names, wherever it stands.
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
    fn every_field_is_described_and_times_tell_their_unit() {
        for (file, text) in SCHEMAS {
            let schema = parsed(text);
            let mut all = Vec::new();
            fields(&schema, &mut all);
            assert!(!all.is_empty(), "{file}");
            for (name, field) in all {
                let told = field["description"].as_str().unwrap_or_default();
                assert!(!told.is_empty(), "{file}: {name}");
                let is_interval = field.get("$ref").is_some();
                assert!(
                    !name.ends_with("_ns") || is_interval || told.contains("nanoseconds"),
                    "{file}: {name}: {told}"
                );
            }
        }
    }
}
