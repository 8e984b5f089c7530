//! `article_generation.models`: models that agents share by name. An agent's section names one by `use`; a key that stands beside it counts
//! before the shared one. A section without `use` has all keys itself, as the contract has it.

use std::collections::HashMap;

use serde_yaml::{Mapping, Value};

use super::{models::SECTIONS, problem::MISSING};

/// The section of the models that agents share.
pub(super) const MODELS: &str = "article_generation.models";

/// The key with which an agent names one of them.
pub(super) const USE: &str = "use";

/// The keys that agents have from shared models: the path of each, and the path at which it is written.
#[derive(Debug, Default)]
pub(super) struct SharedKeys(HashMap<String, String>);

impl SharedKeys {
    /// The path at which a key is written.
    pub(super) fn written_at(&self, path: &str) -> String {
        let mut above = std::iter::successors(Some(path), |known| Some(known.rsplit_once('.')?.0));
        let written = above.find_map(|known| Some(format!("{}{}", self.0.get(known)?, path.get(known.len()..)?)));
        written.unwrap_or_else(|| path.to_owned())
    }
}

/// Takes the shared models out of a configuration, and gives their keys to the agents that use them. Also returns the problems, each with
/// its key.
pub(super) fn share(root: &mut Value) -> (SharedKeys, Vec<(String, String)>) {
    let mut shared = SharedKeys::default();
    let mut problems = Vec::new();
    let generation = root.get_mut("article_generation").and_then(Value::as_mapping_mut);
    let is_there = generation.as_ref().is_some_and(|section| section.contains_key("models"));
    let models = match generation.and_then(|section| section.remove("models")) {
        None | Some(Value::Null) => Mapping::new(),
        Some(Value::Mapping(models)) => models,
        Some(_) => {
            problems.push((MODELS.to_owned(), "must be null or a section with models by their names".to_owned()));
            Mapping::new()
        }
    };
    for (section, _) in SECTIONS {
        let path = format!("article_generation.agents.{section}");
        let Some(Value::Mapping(agent)) = at_mut(root, &path) else { continue };
        let Some(name) = agent.remove(USE) else { continue };
        match name.as_str().and_then(|name| Some((name, models.get(name)?.as_mapping()?))) {
            Some((name, model)) => {
                for (key, value) in model {
                    let Some(word) = key.as_str().filter(|_| !agent.contains_key(key)) else { continue };
                    shared.0.insert(format!("{path}.{word}"), format!("{MODELS}.{name}.{word}"));
                    agent.insert(key.clone(), value.clone());
                }
            }
            None if is_there => {
                let names: Vec<&str> = models.keys().filter_map(Value::as_str).collect();
                let names = if names.is_empty() { "has none".to_owned() } else { format!("has {}", names.join(", ")) };
                problems.push((format!("{path}.{USE}"), format!("must be the name of a model; {MODELS} {names}")));
            }
            None if problems.is_empty() => problems.push((MODELS.to_owned(), MISSING.to_owned())),
            None => {}
        }
    }
    (shared, problems)
}

fn at_mut<'v>(root: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    path.split('.').try_fold(root, |section, step| section.get_mut(step))
}

/// The value of a configuration in which each agent has all of its keys.
pub fn with_shared(mut root: Value) -> Value {
    share(&mut root);
    root
}
