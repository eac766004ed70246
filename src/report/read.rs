//! Reads JSON of unknown make: what is missing or of another kind is told by the name of its field.

use anyhow::{Result, anyhow, bail};
use serde_json::Value;

/// A value, and where it is.
#[derive(Clone)]
pub(super) struct At<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> At<'a> {
    /// The whole document, called `name` in errors.
    pub fn new(value: &'a Value, name: &str) -> At<'a> {
        At { value, path: format!("{name}: ") }
    }

    fn named(&self, key: &str) -> String {
        let dot = if self.path.ends_with(' ') { "" } else { "." };
        format!("{}{dot}{key}", self.path)
    }

    fn wrong<T>(&self, wanted: &str) -> Result<T> {
        let path =
            if self.path.ends_with(' ') { format!("{}the file", self.path) } else { self.path.clone() };
        bail!("{path}: {wanted} is wanted")
    }

    /// Whether there is such a field, and not null.
    pub fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some_and(|v| !v.is_null())
    }

    /// A field that must be there.
    pub fn get(&self, key: &str) -> Result<At<'a>> {
        if !self.value.is_object() {
            return self.wrong("an object");
        }
        let path = self.named(key);
        let value = self.value.get(key).ok_or_else(|| anyhow!("{path}: is not there"))?;
        Ok(At { value, path })
    }

    /// A field that may be missing, or null.
    pub fn maybe(&self, key: &str) -> Option<At<'a>> {
        self.get(key).ok().filter(|at| !at.value.is_null())
    }

    /// A number.
    pub fn number(&self) -> Result<f64> {
        self.value.as_f64().map_or_else(|| self.wrong("a number"), Ok)
    }

    /// A number of things.
    pub fn count(&self) -> Result<u64> {
        self.value.as_u64().map_or_else(|| self.wrong("a whole number"), Ok)
    }

    /// Yes or no.
    pub fn flag(&self) -> Result<bool> {
        self.value.as_bool().map_or_else(|| self.wrong("true or false"), Ok)
    }

    /// A text.
    pub fn text(&self) -> Result<&'a str> {
        self.value.as_str().map_or_else(|| self.wrong("a text"), Ok)
    }

    /// The elements of a list.
    pub fn list(&self) -> Result<Vec<At<'a>>> {
        let Some(list) = self.value.as_array() else { return self.wrong("a list") };
        let at = |(i, value)| At { value, path: format!("{}[{i}]", self.path) };
        Ok(list.iter().enumerate().map(at).collect())
    }

    /// The fields of an object.
    pub fn fields(&self) -> Result<Vec<(&'a str, At<'a>)>> {
        let Some(map) = self.value.as_object() else { return self.wrong("an object") };
        Ok(map.iter().map(|(k, value)| (k.as_str(), At { value, path: self.named(k) })).collect())
    }

    /// As a person would write it.
    pub fn shown(&self) -> String {
        match self.value {
            Value::String(s) => s.clone(),
            Value::Null => "not set".into(),
            Value::Array(list) if list.iter().all(|v| !v.is_array() && !v.is_object()) => {
                let texts: Vec<String> = list.iter().map(|v| v.to_string().replace('"', "")).collect();
                texts.join(", ")
            }
            Value::Number(n) if n.is_u64() => super::html::grouped(n.as_u64().unwrap_or_default()),
            Value::Number(n) if n.is_f64() => super::html::decimal(n.as_f64().unwrap_or_default()),
            other => other.to_string(),
        }
    }

    /// A text in a field.
    pub fn text_of(&self, key: &str) -> Result<&'a str> {
        self.get(key)?.text()
    }

    /// A number in a field.
    pub fn number_of(&self, key: &str) -> Result<f64> {
        self.get(key)?.number()
    }

    /// A number of things in a field.
    pub fn count_of(&self, key: &str) -> Result<u64> {
        self.get(key)?.count()
    }

    /// A list in a field.
    pub fn list_of(&self, key: &str) -> Result<Vec<At<'a>>> {
        self.get(key)?.list()
    }

    /// Texts in a field.
    pub fn texts_of(&self, key: &str) -> Result<Vec<&'a str>> {
        self.list_of(key)?.iter().map(At::text).collect()
    }
}
