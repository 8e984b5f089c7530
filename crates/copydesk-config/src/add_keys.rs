//! Adds a later version's keys to an older file, from the template with their comments; every other byte stays.

use serde_yaml::{Mapping, Value};

use copydesk_text::yaml;

use super::{
    lines::{KeyAt, KeyShape, first_line, indent_of, keys, last_line},
    own_way::template_for,
};

/// A file with the keys that were added to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The whole file.
    pub yaml: String,
    /// The keys, in the template's order; a section stands for all of its keys. Empty if none was missing.
    pub keys: Vec<String>,
}

/// Keys that a person has to add.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} cannot be added because of the way the file is written there (braces, an alias); write the keys there yourself, as config/config.yaml.template has them",
    keys.join(", ")
)]
pub struct CannotAdd {
    /// The keys, in the template's order.
    pub keys: Vec<String>,
}

/// Adds every key of the template that `yaml` lacks, as the template has it. Text that is not YAML comes back
/// unchanged.
///
/// # Errors
/// [`CannotAdd`] if a section has no lines of its own (`{…}`, an alias), or is written in some other way that could not
/// be kept. Nothing is added then.
pub fn add_keys(yaml: &str) -> Result<Added, CannotAdd> {
    let (mark, mut text) = match yaml.strip_prefix('\u{FEFF}') {
        Some(rest) => ("\u{FEFF}", rest.to_owned()),
        None => ("", yaml.to_owned()),
    };
    let Ok(before @ Value::Mapping(_)) = yaml::value(&text) else {
        return Ok(Added { yaml: yaml.to_owned(), keys: Vec::new() });
    };
    let template = Template::in_the_way_of(&before);
    let mut added: Vec<String> = Vec::new();
    let mut now = State::of(&text);
    for key in &template.keys {
        if now.lacks(&key.path)
            && let Some(place) = place(&template, key, &now.keys, &text)
        {
            text = insert(&text, &place, &template.block(key));
            now = State::of(&text);
            added.push(key.path.clone());
        }
    }
    let left: Vec<String> =
        template.keys.iter().filter(|key| now.lacks(&key.path)).map(|key| key.path.clone()).collect();
    // The new file must still hold every value of the old one. This check catches unforeseen ways of writing YAML.
    let kept = holds(&now.value, &before);
    match (left.is_empty(), kept) {
        (true, true) => Ok(Added { yaml: format!("{mark}{text}"), keys: added }),
        (true, false) => Err(CannotAdd { keys: added }),
        (false, _) => Err(CannotAdd { keys: left }),
    }
}

/// The file as it is now: its value, and its keys with their places.
struct State {
    value: Value,
    keys: Vec<KeyAt>,
}

impl State {
    fn of(text: &str) -> Self {
        // Null holds nothing: if an insertion broke the file, nothing is added.
        match yaml::value(text) {
            Ok(value) => Self { value, keys: keys(text) },
            Err(_) => Self { value: Value::Null, keys: Vec::new() },
        }
    }

    /// Whether the file lacks the key, but has its section, or at least the section's name.
    fn lacks(&self, path: &str) -> bool {
        let Value::Mapping(root) = &self.value else { return false };
        let mut section: &Mapping = root;
        let (sections, name) = path.rsplit_once('.').unwrap_or(("", path));
        for step in sections.split('.').filter(|step| !step.is_empty()) {
            match section.get(step) {
                Some(Value::Mapping(map)) => section = map,
                Some(Value::Null) => {
                    return self.keys.iter().any(|key| key.path == sections && key.shape == KeyShape::Empty);
                }
                _ => return false,
            }
        }
        section.get(name).is_none()
    }
}

/// Whether everything of `before` is in `after`; keys may have been added.
fn holds(after: &Value, before: &Value) -> bool {
    match (after, before) {
        (Value::Mapping(after), Value::Mapping(before)) => {
            before.iter().all(|(key, value)| after.get(key).is_some_and(|after| holds(after, value)))
        }
        (Value::Mapping(_), Value::Null) => true,
        (after, before) => after == before,
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// Where new lines go: after so many lines of the file, so far to the right.
struct Place {
    after: usize,
    indent: usize,
}

fn place(template: &Template, key: &KeyAt, there: &[KeyAt], text: &str) -> Option<Place> {
    let section = parent(&key.path);
    let mut inside = there.iter().filter(|at| parent(&at.path) == section && !at.path.contains('['));
    let first = inside.next();
    let indent = match (first, there.iter().find(|at| at.path == section)) {
        (Some(first), Some(at)) if at.shape == KeyShape::Block => first.column,
        (Some(first), None) => first.column,
        (None, Some(at)) if at.shape == KeyShape::Empty => at.column + 2,
        _ => return None,
    };
    let before = template.keys.iter().take_while(|other| other.path != key.path);
    let sibling = before
        .filter(|other| parent(&other.path) == section)
        .filter_map(|other| there.iter().find(|at| at.path == other.path))
        .last();
    let lines: Vec<&str> = text.lines().collect();
    let after = match (sibling, there.iter().find(|at| at.path == section)) {
        (Some(sibling), _) => last_line(&lines, sibling),
        (None, Some(at)) => at.line,
        (None, None) => first_line(&lines, first?) - 1,
    };
    Some(Place { after, indent })
}

/// The template, with the place of each of its keys.
struct Template {
    keys: Vec<KeyAt>,
    lines: Vec<String>,
}

/// A key's lines as the template has them.
struct Block<'t> {
    lines: &'t [String],
    column: usize,
    /// Whether the template sets it off with an empty line.
    apart: bool,
}

impl Template {
    /// The template for a file, which names the models of its agents in its own way.
    fn in_the_way_of(file: &Value) -> Self {
        let lines = template_for(file);
        Self { keys: keys(&lines.join("\n")), lines }
    }

    fn block(&self, key: &KeyAt) -> Block<'_> {
        let first = first_line(&self.lines, key);
        let lines = self.lines.get(first - 1..last_line(&self.lines, key)).unwrap_or_default();
        let apart = first.checked_sub(2).and_then(|above| self.lines.get(above)).is_some_and(String::is_empty);
        Block { lines, column: key.column, apart }
    }
}

fn insert(text: &str, place: &Place, block: &Block<'_>) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (above, below) = lines.split_at(place.after.min(lines.len()));
    let mut new = above.concat();
    if !new.is_empty() && !new.ends_with('\n') {
        new.push_str(newline);
    }
    let is_blank = |line: Option<&&str>| line.is_none_or(|line| line.trim().is_empty());
    if block.apart && !is_blank(above.last()) {
        new.push_str(newline);
    }
    for line in block.lines {
        if !line.is_empty() {
            let own = indent_of(line);
            let indent = (own + place.indent).saturating_sub(block.column);
            new.push_str(&" ".repeat(indent));
            new.push_str(line.trim_start_matches(' '));
        }
        new.push_str(newline);
    }
    if block.apart && above.is_empty() && !is_blank(below.first()) {
        new.push_str(newline);
    }
    new.push_str(&below.concat());
    new
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{TEMPLATE, load};

    fn loads(yaml: &str) {
        load(Path::new("config.yaml"), yaml, Path::new("/desk")).unwrap_or_else(|error| panic!("{error}\n{yaml}"));
    }

    /// The template as a file has it whose agents have all keys themselves.
    fn each_by_itself() -> String {
        let file = "article_generation: {agents: {}}";
        template_for(&yaml::value(file).unwrap()).join("\n") + "\n"
    }

    /// A file without the lines of one key.
    fn without(file: &str, path: &str) -> String {
        let key = keys(file).into_iter().find(|key| key.path == path).unwrap();
        let lines: Vec<&str> = file.lines().collect();
        let (first, last) = (first_line(&lines, &key), last_line(&lines, &key));
        let lines = file.split_inclusive('\n').enumerate();
        lines.filter(|(index, _)| !(first..=last).contains(&(index + 1))).map(|(_, line)| line).collect()
    }

    fn is_subsequence(part: &str, whole: &str) -> bool {
        let mut lines = whole.split_inclusive('\n');
        part.split_inclusive('\n').all(|line| lines.any(|other| other == line))
    }

    #[test]
    fn each_key_of_the_template_comes_back_with_its_comments() {
        for file in [TEMPLATE.to_owned(), each_by_itself()] {
            loads(&file);
            let template = Template::in_the_way_of(&yaml::value(&file).unwrap());
            assert!(template.keys.len() > 100);
            // Without `use` an agent has all keys itself.
            let around =
                |path: &str| file != TEMPLATE && ["article_generation", "article_generation.agents"].contains(&path);
            for key in
                template.keys.iter().filter(|key| key.path.rsplit('.').next() != Some("use") && !around(&key.path))
            {
                let old = without(&file, &key.path);
                assert!(load(Path::new("config.yaml"), &old, Path::new("/desk")).is_err(), "{} was needed", key.path);
                let added = add_keys(&old).unwrap();
                assert_eq!(added.keys, std::slice::from_ref(&key.path));
                loads(&added.yaml);
                assert!(is_subsequence(&old, &added.yaml), "{}: the rest stays", key.path);
                // Nothing but empty lines may differ.
                let full =
                    |text: &str| text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
                assert!(full(&added.yaml) == full(&file), "{}", key.path);
                assert_eq!(add_keys(&added.yaml), Ok(Added { yaml: added.yaml.clone(), keys: vec![] }));
            }
        }
    }

    #[test]
    fn shared_models_get_their_keys_under_the_names_that_they_have() {
        let named = TEMPLATE.replace("    local:\n", "    \"my own\":\n").replace("use: local", "use: my own");
        loads(&named);
        let old = without(&named, "article_generation.models.my own.max_retries");
        let added = add_keys(&old).unwrap();
        assert_eq!(added.keys, ["article_generation.models.my own.max_retries"]);
        loads(&added.yaml);
        let added = add_keys(&without(&named, "article_generation.agents.concern_mapping_llm")).unwrap();
        assert!(added.yaml.contains("concern_mapping_llm:\n      use: \"my own\"\n"), "{}", added.yaml);
        loads(&added.yaml);
    }

    #[test]
    fn a_file_of_the_version_before_gets_all_that_is_new() {
        let mut old = TEMPLATE.to_owned();
        for path in ["tui", "prices", "transcription", "desk.stories_at_once"] {
            old = without(&old, path);
        }
        let old = old.trim_end().replace("true # mine", "true");
        let added = add_keys(&old).unwrap();
        assert_eq!(added.keys, ["desk.stories_at_once", "tui", "prices", "transcription"]);
        loads(&added.yaml);
        assert!(added.yaml.ends_with("transcription: null\n") && added.yaml.contains("\n\n# The screen.\ntui:\n"));
    }

    #[test]
    fn a_file_in_a_hand_of_its_own_keeps_it() {
        let old = "# mine\r\nb: 1\r\n";
        assert_eq!(add_keys("just text"), Ok(Added { yaml: "just text".into(), keys: vec![] }));
        let added = add_keys(old).unwrap();
        assert!(added.yaml.starts_with("# The folder that relative paths"), "{}", added.yaml);
        assert!(added.yaml.ends_with("# mine\r\nb: 1\r\n") || added.yaml.contains("\r\n# mine\r\nb: 1\r\n"));
        assert!(!added.yaml.replace("\r\n", "").contains('\n'));

        let (begin, end) = (TEMPLATE.find("\nclaims:\n").unwrap() + 1, TEMPLATE.find("\nflags:\n").unwrap() + 1);
        let own = "claims:\n      similarity: 0.6 # small\n      score_floor: null\n      conflict_resolution: human # mine\n             # really\n";
        let deep = TEMPLATE.replace(&TEMPLATE[begin..end], own);
        let added = add_keys(&format!("\u{FEFF}{deep}")).unwrap();
        assert_eq!(added.keys, ["claims.enabled"]);
        assert!(added.yaml.contains("claims:\n      enabled: true\n      similarity: 0.6 # small\n"), "{}", added.yaml);
        assert!(added.yaml.starts_with("\u{FEFF}#"));
    }

    #[test]
    fn an_empty_section_is_filled() {
        let old = TEMPLATE.replace(
            "  # true refuses every host that is not this machine, and says which key named it.\n  local_only: true\n",
            "  # local_only: false\n",
        );
        let added = add_keys(&old).unwrap();
        assert_eq!(added.keys, ["privacy.local_only"]);
        assert!(added.yaml.contains("privacy:\n  # true refuses"), "{}", added.yaml);
        loads(&added.yaml);
    }

    #[test]
    fn an_alias_gets_its_keys_where_they_are_written_and_braces_are_left_to_a_person() {
        let own = each_by_itself();
        let start = own.find("    article_review_llm:").unwrap();
        let end = own.find("    concern_mapping_llm:").unwrap();
        let shared = own
            .replace(&own[start..end], "    article_review_llm: *model\n\n")
            .replace("    writer_llm:\n", "    writer_llm: &model\n")
            .replacen("      retry_delay: 2.0                  # seconds between attempts; a server's Retry-After counts if it is longer\n", "", 1);
        let added = add_keys(&shared).unwrap();
        assert_eq!(added.keys, ["article_generation.agents.writer_llm.retry_delay"]);
        loads(&added.yaml);

        let braces = without(TEMPLATE, "privacy.local_only").replace("privacy:\n", "privacy: {}\nold:\n");
        let both = ["privacy.local_only", "privacy.passphrase_file"].map(str::to_owned);
        assert_eq!(add_keys(&braces), Err(CannotAdd { keys: both.to_vec() }));
    }
}
