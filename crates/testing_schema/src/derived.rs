//! The files of `docs/schema`, derived from the types of which the JSON is a value.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};
use testing::manual::{project, writes, writing_command};

use crate::text::text;

/// A document that the program prints, by the type of which it is a value.
pub struct Printed {
    /// Name of its schema's file, without the version.
    name: &'static str,
    type_name: fn() -> Cow<'static, str>,
    schema: fn(SchemaGenerator) -> schemars::Schema,
}

impl Printed {
    /// Returns the document of that name, which is a value of `T`.
    pub const fn new<T: JsonSchema>(name: &'static str) -> Self {
        Self { name, type_name: T::schema_name, schema: SchemaGenerator::into_root_schema_for::<T> }
    }

    /// Returns the name of its schema's file, which has the version of the document.
    pub fn file(&self) -> String {
        file(self.name, &self.schema())
    }

    /// Returns its name, which is that of its command unless it is a file.
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn schema(&self) -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut schema = (self.schema)(settings.into_generator()).to_value();
        let alike = |name: &String| name.ends_with(|last: char| last.is_ascii_digit());
        let named =
            definitions(&mut schema).and_then(|defined| defined.keys().find(|name| alike(name)));
        assert!(named.is_none(), "{}: two types are named {named:?} without its digit", self.name);
        merge(&mut schema);
        tidied(&mut schema);
        close(&mut schema, false);
        schema
    }
}

/// Asserts that the file of each document is derived from its type. `GOLDEN=write` writes the files.
/// Definitions that follow from tables, and not from types, are given by their names.
/// A schema refers to the file of another document that it contains.
pub fn assert_derived(printed: &[Printed], tables: &[(&str, Value)]) {
    let mut all: Vec<Value> = printed.iter().map(Printed::schema).collect();
    for (name, table) in tables {
        let places = all.iter_mut().filter_map(|schema| definitions(schema)?.get_mut(*name));
        places.for_each(|place| place.clone_from(table));
    }
    let files: Vec<String> =
        printed.iter().zip(&all).map(|(one, schema)| file(one.name, schema)).collect();
    for (index, schema) in all.iter_mut().enumerate() {
        let others = printed.iter().zip(&files).enumerate().filter(|(other, _)| *other != index);
        others.for_each(|(_, (other, file))| refer(schema, &(other.type_name)(), file));
    }
    let folder = fs::read_dir(project().join("docs/schema")).expect("there are schemas").flatten();
    let mut present: Vec<OsString> = folder.map(|file| file.file_name()).collect();
    present.retain(|name| !files.iter().any(|file| name == &**file));
    assert!(present.is_empty(), "no document has the schemas {present:?}");
    for (file, schema) in files.iter().zip(&all) {
        let path = project().join("docs/schema").join(file);
        let derived = text(schema);
        if fs::read_to_string(&path).is_ok_and(|now| now == derived) {
            continue;
        }
        assert!(writes(), "{file} differs from its type; `{}` writes it", writing_command());
        fs::write(path, derived).expect("the schema can be written");
    }
}

/// Returns the name of a schema's file, which has the version of the document.
fn file(name: &str, schema: &Value) -> String {
    let version = &schema["properties"]["schema_version"]["const"];
    assert!(version.is_u64(), "{name} has a version");
    format!("{name}-{version}.json")
}

/// Replaces a definition by a reference to the file that has it.
fn refer(schema: &mut Value, name: &str, file: &str) {
    let Some(_) = definitions(schema).and_then(|defined| defined.remove(name)) else {
        return;
    };
    let here = format!("#/$defs/{name}");
    each_object(schema, &mut |object| {
        if object.get("$ref").is_some_and(|used| *used == *here) {
            object.insert("$ref".to_owned(), file.into());
        }
    });
    drop_unused(schema);
}

/// Removes definitions that nothing refers to.
fn drop_unused(schema: &mut Value) {
    loop {
        let text = schema.to_string();
        let Some(defined) = definitions(schema) else { return };
        let before = defined.len();
        defined.retain(|name, _| text.contains(&format!("\"#/$defs/{name}\"")));
        if defined.len() == before {
            return;
        }
    }
}

fn definitions(schema: &mut Value) -> Option<&mut Map<String, Value>> {
    schema.get_mut("$defs")?.as_object_mut()
}

fn each_object(value: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            object.values_mut().for_each(|value| each_object(value, change));
            change(object);
        }
        Value::Array(values) => values.iter_mut().for_each(|value| each_object(value, change)),
        _ => {}
    }
}

/// Replaces references that have further properties by what they refer to with these properties:
/// variants that have the fields of a type.
fn merge(schema: &mut Value) {
    let defined = definitions(schema).cloned().unwrap_or_default();
    each_object(schema, &mut |object| {
        let is_extended = object.contains_key("properties");
        let Some(Value::String(place)) = is_extended.then(|| object.remove("$ref")).flatten()
        else {
            return;
        };
        let whole = &defined[place.trim_start_matches("#/$defs/")];
        let properties = object["properties"].as_object_mut().expect("named properties");
        properties.extend(whole["properties"].as_object().expect("a struct").clone());
        let required = object["required"].as_array_mut().expect("a list of names");
        required.extend(whole["required"].as_array().into_iter().flatten().cloned());
    });
    drop_unused(schema);
}

/// Writes descriptions in one line each, and removes what is about the code: the widths of numbers,
/// what is read where a value is missing, and what types are.
fn tidied(schema: &mut Value) {
    for definition in definitions(schema).into_iter().flat_map(Map::values_mut) {
        definition.as_object_mut().map(|definition| definition.remove("description"));
    }
    each_object(schema, &mut allow_absent);
    each_object(schema, &mut |object| {
        let is_about_code = |name: &str, value: &Value| match name {
            "format" => value.is_string(),
            "default" | "readOnly" => !value.is_object(),
            _ => false,
        };
        object.retain(|name, value| !is_about_code(name, value));
        if let Some(Value::String(text)) = object.get_mut("description") {
            *text = text.replace('\n', " ");
        }
        describe_variant(object);
    });
}

/// Lets properties be absent that are new: results of earlier builds are read, and printed, without.
fn allow_absent(object: &mut Map<String, Value>) {
    let properties = object.get("properties").cloned().unwrap_or_default();
    let is_new = |name: &Value| {
        let property = &properties[name.as_str().unwrap_or_default()];
        property.get("readOnly").is_none() && !property["default"].is_null()
    };
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.retain(|name| !is_new(name));
    }
}

/// Moves the description of an object that has one property, as a variant does, to that property.
fn describe_variant(object: &mut Map<String, Value>) {
    let description = object.get("description").filter(|text| text.is_string()).cloned();
    let properties = object.get_mut("properties").and_then(Value::as_object_mut);
    let only = properties.filter(|all| all.len() == 1).and_then(|all| all.values_mut().next());
    let (Some(description), Some(Value::Object(only))) = (description, only) else { return };
    if !only.contains_key("description") && !only.contains_key("const") {
        only.insert("description".to_owned(), description);
        object.remove("description");
    }
}

/// Keywords whose schemas apply to the same value as the schema that has them.
const SAME_VALUE: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Refuses properties that a schema and the schemas within do not name. A schema that applies to a
/// part of the properties of a value (`is_part`) leaves that to the schema that has it.
fn close(schema: &mut Value, is_part: bool) {
    let Value::Object(object) = schema else { return };
    let is_composed = SAME_VALUE.iter().any(|keyword| object.contains_key(*keyword));
    let names_properties = object.contains_key("properties");
    for keyword in SAME_VALUE {
        let parts = object.get_mut(keyword).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| close(part, is_part || names_properties));
    }
    for keyword in ["properties", "$defs"] {
        let named = object.get_mut(keyword).and_then(Value::as_object_mut);
        named.into_iter().flatten().for_each(|(_, value)| close(value, false));
    }
    for keyword in ["items", "additionalProperties"] {
        object.get_mut(keyword).into_iter().for_each(|value| close(value, false));
    }
    let in_tuple = object.get_mut("prefixItems").and_then(Value::as_array_mut);
    in_tuple.into_iter().flatten().for_each(|value| close(value, false));
    if names_properties && !is_part {
        let rest = if is_composed { "unevaluatedProperties" } else { "additionalProperties" };
        object.entry(rest).or_insert(false.into());
    }
}
