//! An answer whose fields stand under their names, as YAML, Markdown or XML write them, instead of in JSON.

use regex::Regex;
use serde_json::{Map, Value};

/// The object of these fields; none unless each text of the schema has its name in the answer just once, and the last has an end.
pub(super) fn labelled(text: &str, schema: &Value) -> Option<Value> {
    let properties = schema.get("properties")?.as_object()?;
    let mut labels: Vec<(usize, usize, &str)> = Vec::new();
    for (name, form) in properties {
        form.get("type").filter(|kind| *kind == "string")?;
        let label = label(name)?;
        let mut found = label.find_iter(text);
        let (only, None) = (found.next()?, found.next()) else { return None };
        labels.push((only.start(), only.end(), name));
    }
    labels.sort_unstable();
    let ends = labels.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    let mut fields = Map::new();
    for ((_, start, name), end) in labels.iter().zip(ends) {
        let said = text.get(*start..end)?.trim();
        let said = said.split_once(&format!("</{name}>")).map_or(said, |(said, _)| said.trim());
        // Broken off, it would be a text all the same.
        if end == text.len() && !said.ends_with(['.', '!', '?', '”', '"', '’', '\'', ')', ']']) {
            return None;
        }
        let said = serde_json::from_str::<String>(said).unwrap_or_else(|_| said.to_owned());
        fields.insert((*name).to_owned(), Value::String(said));
    }
    Some(Value::Object(fields))
}

/// The name of a field before its text: `articleBody:`, `**Article body:**`, `<articleBody>`.
fn label(name: &str) -> Option<Regex> {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            words.push_str("[ _-]?");
        }
        words.extend(c.to_lowercase());
    }
    Regex::new(&format!(r"(?im)<{words}>|^[ \t*_#>-]*[\x22']?{words}[\x22'*_]*[ \t]*:[*_]*")).ok()
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use copydesk_newsroom::ArticleResponse;

    #[test]
    fn fields_under_their_names_are_read() {
        for text in [
            "headline: \"H\"\nalternativeHeadline: \"A\"\narticleBody: \"One.\\n\\nTwo.\"\ndescription: \"D.\"",
            "**Headline:** H\n**Alternative headline:** A\n**Article body:** One.\n\nTwo.\n**Description:** D.",
            "<article><headline>H</headline><alternativeHeadline>A</alternativeHeadline><articleBody>One.\n\nTwo.</articleBody><description>D.</description></article>",
        ] {
            let read: ArticleResponse = json(text).unwrap();
            let fields = [read.headline, read.alternativeHeadline, read.articleBody, read.description];
            assert_eq!(fields, ["H", "A", "One.\n\nTwo.", "D."], "{text}");
        }
        for text in [
            "headline: H\nalternativeHeadline: A\ndescription: D.",
            "headline: H\nalternativeHeadline: A\ndescription: D.\narticleBody: One. Tw",
            "headline: H\nheadline: G\nalternativeHeadline: A\narticleBody: One.\ndescription: D.",
        ] {
            assert!(json::<ArticleResponse>(text).is_err(), "{text}");
        }
    }
}
