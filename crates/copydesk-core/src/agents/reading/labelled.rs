//! An answer whose fields stand under their names, as YAML and Markdown write them, or in a table, instead of in JSON.

use regex::Regex;
use serde_json::{Map, Value};

use super::{
    meant::{is_none, plain},
    names::{kind, main_list, others},
    texts::has_end,
};

/// The fields of an answer: those of an object, or of each item of its list. None unless the last text has an end, and no name stands twice.
pub(super) fn labelled(text: &str, schema: &Value) -> Option<Value> {
    let Some((_, list)) = main_list(schema) else { return object(text, schema) };
    let items = list.get("items")?;
    // Each item begins with the name that comes first.
    let names = items.get("properties")?.as_object()?.iter();
    let places = names.map(|(name, form)| places(name, form, text)).collect::<Option<Vec<_>>>()?;
    let starts = places.into_iter().min_by_key(|found| found.first().map_or(usize::MAX, |(start, _)| *start))?;
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
    let items: Vec<Value> = starts
        .iter()
        .zip(ends)
        .map(|((start, _), end)| object(text.get(*start..end)?, items))
        .collect::<Option<_>>()?;
    (!items.is_empty()).then_some(Value::Array(items))
}

fn object(text: &str, schema: &Value) -> Option<Value> {
    let properties = schema.get("properties")?.as_object()?;
    let mut labels: Vec<(usize, usize, &str)> = Vec::new();
    for (name, form) in properties {
        if kind(form) == "object" {
            return None;
        }
        match places(name, form, text)?.as_slice() {
            [(start, end)] => labels.push((*start, *end, name)),
            [] => {}
            _ => return None,
        }
    }
    labels.sort_unstable();
    let ends = labels.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    let mut fields = Map::new();
    for ((_, from, name), end) in labels.iter().zip(ends) {
        let said = text.get(*from..end)?.trim();
        let enclosed = said.strip_prefix("\"\"\"").and_then(|said| said.strip_suffix("\"\"\""));
        let said = enclosed.map_or(said, str::trim);
        let said = said.strip_prefix(": ").unwrap_or(said);
        let block = said.strip_prefix(['|', '>']).map(|said| said.trim_start_matches('-').trim_start());
        let block = block.map(|block| block.lines().map(str::trim).collect::<Vec<_>>().join("\n"));
        let said = block.as_deref().unwrap_or(said);
        let is_text = properties.get(*name).is_some_and(|form| kind(form) == "string" && form.get("enum").is_none());
        if end == text.len() && is_text && !has_end(said) {
            return None;
        }
        let said = serde_json::from_str::<String>(said).unwrap_or_else(|_| said.to_owned());
        let said = if is_none(&said) && !is_text { Value::Null } else { Value::String(said) };
        fields.insert((*name).to_owned(), said);
    }
    // The verdict may stand above the names of the others.
    let above = plain(labels.first().and_then(|(start, ..)| text.get(..*start)).unwrap_or_default());
    let says = |choice: &Value| choice.as_str().is_some_and(|choice| plain(choice) == above);
    for (name, form) in properties.iter().filter(|_| !above.is_empty()) {
        let meant =
            form.get("enum").and_then(Value::as_array).and_then(|choices| choices.iter().find(|choice| says(choice)));
        if let Some(meant) = meant.filter(|_| !fields.contains_key(name)) {
            fields.insert(name.clone(), meant.clone());
        }
    }
    (fields.len() > 1).then_some(Value::Object(fields))
}

/// Where the name of a field stands, or one of its other names. The number of an item may stand in its heading: `Concern 1`.
fn places(name: &str, form: &Value, text: &str) -> Option<Vec<(usize, usize)>> {
    let is_line = !text.trim().contains('\n');
    let find = |name: &str| -> Option<Vec<(usize, usize)>> {
        Some(label(name, is_line)?.find_iter(text).map(|found| (found.start(), found.end())).collect())
    };
    let own = find(name)?;
    if !own.is_empty() {
        return Some(own);
    }
    if kind(form) == "integer" {
        let first = name.split('_').next().unwrap_or(name);
        let numbered = Regex::new(&format!(r"(?im)^[^\p{{L}}\p{{N}}\n<]{{0,16}}{first}[ \t]*#?(\d{{1,3}})\b")).ok()?;
        let place = |found: regex::Captures<'_>| Some((found.get(0)?.start(), found.get(1)?.start()));
        return numbered.captures_iter(text).map(place).collect();
    }
    others(name).map(find).find(|found| found.as_ref().is_none_or(|found| !found.is_empty())).unwrap_or(Some(own))
}

/// The name of a field before its text: `articleBody:`, `1. **Article body:**`, `[ARTICLE BODY]`, or a line of its own. In
/// a text of one line it may begin a sentence.
fn label(name: &str, is_line: bool) -> Option<Regex> {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() || c == '_' {
            words.push_str("[ _-]?");
        }
        words.extend(c.to_lowercase().filter(|c| *c != '_'));
    }
    let within = if is_line { r"|(?:[.;,]|\*\*)[ \t]+[*_]*WORDS[*_]*:[*_]*" } else { "" };
    let pattern = format!(
        r"(?im)^[ \t]*[#*_]*[ \t]*[*_]*WORDS[*_:]*[ \t]*$|^[ \t]*\[WORDS\]:?|^[^\p{{L}}\p{{N}}\n<]{{0,16}}(?:\d{{1,2}}[.)][ \t]*)?[*_\x22']*WORDS(?: #?\d{{1,2}})?[\x22'*_]*[ \t]*(?:[:=][*_]*|[–—]\s){within}"
    );
    Regex::new(&pattern.replace("WORDS", &words)).ok()
}

#[cfg(test)]
mod tests {
    use super::super::json;
    use copydesk_newsroom::{ArticleResponse, ConcernMappingResult, Status, Verdict};

    #[test]
    fn fields_under_their_names_are_read() {
        for text in [
            "headline: \"H\"\nalternativeHeadline: \"A\"\narticleBody: \"One.\\n\\nTwo.\"\ndescription: \"D.\"",
            "## Headline\n\nH\n\n## Alternative Headline\n\nA\n\n## **Article Body**\n\nOne.\n\nTwo.\n\n## Description\n\nD.",
            "headline = H\nalternative_headline = A\narticle_body = One.\n\nTwo.\ndescription = D.",
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

    #[test]
    fn a_verdict_and_a_mapping_are_read_without_json() {
        for text in [
            "concern_id: 1\nmisleading: true\nstatus: REWRITE\nrationale: \"It says: 1.4.\"\nsuggested_fix: null\nevidence: null\ncitations: null",
            "**Concern Id**: 1\n**Misleading**: True\n**Status**: Rewrite\n**Rationale**: It says: 1.4.\n**Citations**: None",
        ] {
            let read: Verdict = json(text).unwrap();
            assert_eq!((read.status, read.rationale.as_str()), (Status::Rewrite, "It says: 1.4."), "{text}");
            assert_eq!((read.suggested_fix, read.citations), (None, None), "{text}");
        }
        let row = |id: u32| {
            format!(
                "concern_id: {id}\n    concern_type: unsupported_fact\n    selected_agent: opinion\n    confidence: high\n    reason: It is so."
            )
        };
        for text in [
            format!("mappings:\n  - {}\n  - {}", row(1), row(2)),
            "| concern_id | concern_type | selected_agent | confidence | reason |\n|---|---|---|---|---|\n\
             | 1 | unsupported_fact | opinion | high | It is so. |\n| 2 | unsupported_fact | opinion | high | It is so. |"
                .to_owned(),
        ] {
            let read: ConcernMappingResult = json(&text).unwrap();
            let ids: Vec<u32> = read.mappings.iter().map(|mapping| mapping.concern_id).collect();
            assert_eq!((ids, read.mappings[1].reason.as_str()), (vec![1, 2], "It is so."), "{text}");
        }
        for text in
            ["status: KEEP", "concern_id: 1\nmisleading: false\nstatus: KEEP\nrationale: It is", "mappings:\n- none"]
        {
            assert!(json::<Verdict>(text).is_err() && json::<ConcernMappingResult>(text).is_err(), "{text}");
        }
    }
}
