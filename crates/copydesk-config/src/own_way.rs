//! The template as a file would have it that names its agents' models in its own way: shared under other names, or each agent's own.

use serde_yaml::{Mapping, Value};

use super::{
    lines::{KeyAt, first_line, indent_of, keys, last_line},
    load::{TEMPLATE, USUAL_MODEL},
    models::SECTIONS,
    set_keys::{value_at, written},
    shared::{MODELS, USE},
};

/// The lines of the template for a file with this value.
pub(super) fn template_for(file: &Value) -> Vec<String> {
    let lines: Vec<&str> = TEMPLATE.lines().collect();
    let places = keys(TEMPLATE);
    let place = |path: &str| places.iter().find(|key| key.path == path);
    let (Some(models), Some(usual)) = (place(MODELS), place(USUAL_MODEL)) else { return owned(&lines) };
    let model = lines.get(usual.line..last_line(&lines, usual)).unwrap_or_default();
    let names = value_at(file, MODELS);
    let names = names.as_ref().and_then(Value::as_mapping).into_iter().flat_map(Mapping::keys);
    let mut names: Vec<String> = names.map(written).collect();
    let has_agents = value_at(file, "article_generation.agents").is_some_and(|agents| agents.is_mapping());
    let shares = !has_agents || !names.is_empty() || SECTIONS.iter().any(|(section, _)| uses(file, section));
    if names.is_empty() {
        names.push("local".to_owned());
    }
    let head = first_line(&lines, models) - 1;
    let mut made = owned(lines.get(..head).unwrap_or_default());
    if shares {
        made.extend(owned(lines.get(head..models.line).unwrap_or_default()));
        for name in &names {
            made.push(format!("{}{name}:", " ".repeat(usual.column)));
            made.extend(owned(model));
        }
    }
    let mut next = last_line(&lines, models) + 1;
    for (section, _) in SECTIONS {
        let Some(agent) = place(&format!("article_generation.agents.{section}")).filter(|agent| agent.end > agent.line)
        else {
            continue;
        };
        let own = lines.get(agent.line..agent.end).unwrap_or_default();
        made.extend(owned(lines.get(next - 1..agent.line).unwrap_or_default()));
        next = agent.end + 1;
        let is_there = value_at(file, &agent.path).is_some_and(|section| section.is_mapping());
        if !shares || is_there && !uses(file, section) {
            made.extend(whole(model, own, usual, agent));
        } else if is_there {
            // What it has beside `use` is its own choice.
            made.extend(owned(own).into_iter().filter(|line| key_of(line) == Some(USE)));
        } else {
            let name = names.first().map_or("local", String::as_str);
            made.extend(own.iter().map(|line| match key_of(line) {
                Some(USE) => format!("{}{USE}: {name}", " ".repeat(indent_of(line))),
                _ => (*line).to_owned(),
            }));
        }
    }
    made.extend(owned(lines.get(next - 1..).unwrap_or_default()));
    made
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn uses(file: &Value, section: &str) -> bool {
    value_at(file, &format!("article_generation.agents.{section}.{USE}")).is_some()
}

/// The lines of an agent that has every key itself: those of the shared model, and its own before them.
fn whole(model: &[&str], own: &[&str], usual: &KeyAt, agent: &KeyAt) -> Vec<String> {
    let mut lines = Vec::new();
    let mut replaced = false;
    for line in model {
        let own_line = key_of(line).and_then(|key| own.iter().find(|own| key_of(own) == Some(key)));
        // The rest of a comment behind a value.
        let goes_on = key_of(line).is_none() && indent_of(line) > usual.column + 2;
        match own_line {
            Some(own) => lines.push((*own).to_owned()),
            None if goes_on && replaced => {}
            None => lines.push(format!(
                "{}{}",
                " ".repeat(indent_of(line) + agent.column - usual.column),
                line.trim_start()
            )),
        }
        replaced = own_line.is_some() || goes_on && replaced;
    }
    lines
}

/// The key on a line; none if it is a comment.
fn key_of(line: &str) -> Option<&str> {
    line.trim_start().split_once(':').map(|(key, _)| key).filter(|key| !key.starts_with('#'))
}
