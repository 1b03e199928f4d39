//! The JSON schemas of the project. A crate of its own, because the validator takes long to build and few tests need it.

#![allow(clippy::missing_panics_doc, reason = "a schema that cannot be used fails its test")]

mod derived;
mod text;

use std::fs;
use std::path::PathBuf;

use jsonschema::{Registry, RegistryBuilder, ValidationError, Validator};
use serde_json::Value;

use testing::manual::project;

pub use derived::{Printed, assert_derived};

/// The base address for references between the files of the schemas.
const FOLDER: &str = "file:///schema/";

/// A schema of `docs/schema`.
pub struct Schema {
    validator: Validator,
}

impl Schema {
    /// Returns the schema in the file of this name, such as `run-2`.
    pub fn named(name: &str) -> Self {
        let all = all();
        let by_address =
            all.iter().map(|(name, schema)| (format!("{FOLDER}{name}.json"), schema.clone()));
        let registry = Registry::new().extend(by_address);
        let registry = registry.and_then(RegistryBuilder::prepare).expect("schemas");
        let schema = all.iter().find(|(known, _)| *known == name);
        let (_, schema) = schema.unwrap_or_else(|| panic!("there is no schema {name}"));
        let validator = jsonschema::options()
            .with_base_uri(format!("{FOLDER}{name}.json"))
            .with_registry(&registry)
            .build(schema)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { validator }
    }

    /// Returns what is wrong with a document: places and reasons.
    pub fn errors(&self, document: &Value) -> Vec<String> {
        let line = |error: ValidationError| format!("{}: {error}", error.instance_path());
        self.validator.iter_errors(document).map(line).collect()
    }

    /// Asserts that nothing is wrong with a document.
    pub fn assert(&self, document: &Value) {
        let errors = self.errors(document);
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
}

/// Returns all schemas with the names of their files, such as `run-2`.
fn all() -> Vec<(String, Value)> {
    let files = fs::read_dir(project().join("docs/schema")).expect("there are schemas").flatten();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("it is text");
        (name, serde_json::from_str(&text).expect("a schema is JSON"))
    };
    files.map(|file| read(file.path())).collect()
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
        for (file, schema) in all() {
            let mut found = Vec::new();
            fields(&schema, &mut found);
            assert!(!found.is_empty(), "{file}");
            for (name, field) in found {
                let text = field["description"].as_str().unwrap_or_default();
                let is_tag = field.get("const").is_some();
                assert!(is_tag || !text.is_empty(), "{file}: {name}");
                let is_interval = field.get("$ref").is_some();
                assert!(
                    !name.ends_with("_ns") || is_interval || text.contains("nanoseconds"),
                    "{file}: {name}: {text}"
                );
            }
        }
    }
}
