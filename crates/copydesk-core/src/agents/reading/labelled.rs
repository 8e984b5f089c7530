//! An answer whose fields stand under their names, as YAML, Markdown or XML write them, or in a table, instead of in JSON.

use regex::Regex;
use serde_json::{Map, Value};

use super::{
    fitting::{kind, only_list},
    listed::rows,
    meant::is_none,
};

/// The fields of an answer: those of an object, or of each item of its one list. None unless each field that must be there has its name
/// just once, and the last text has an end.
pub(super) fn labelled(text: &str, schema: &Value) -> Option<Value> {
    let Some((_, list)) = only_list(schema) else { return object(text, schema) };
    let items = list.get("items")?;
    if let Some((names, rows)) = rows(text) {
        let map = |row: Vec<String>| names.iter().cloned().zip(row.into_iter().map(Value::String)).collect();
        return Some(Value::Array(rows.into_iter().map(|row| Value::Object(map(row))).collect()));
    }
    // Each item begins with the name that comes first.
    let names = items.get("properties")?.as_object()?.keys();
    let mut places: Vec<Vec<usize>> = Vec::new();
    for name in names {
        places.push(label(name)?.find_iter(text).map(|found| found.start()).collect());
    }
    let starts = places.into_iter().min_by_key(|starts| starts.first().copied().unwrap_or(usize::MAX))?;
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let items: Vec<Value> =
        starts.iter().zip(ends).map(|(start, end)| object(text.get(*start..end)?, items)).collect::<Option<_>>()?;
    (!items.is_empty()).then_some(Value::Array(items))
}

fn object(text: &str, schema: &Value) -> Option<Value> {
    let properties = schema.get("properties")?.as_object()?;
    let mut labels: Vec<(usize, usize, &str)> = Vec::new();
    for (name, form) in properties {
        if kind(form) == "object" {
            return None;
        }
        let label = label(name)?;
        let mut found = label.find_iter(text);
        match (found.next(), found.next()) {
            (Some(only), None) => labels.push((only.start(), only.end(), name)),
            (None, _) if form.get("anyOf").is_some() => {}
            _ => return None,
        }
    }
    labels.sort_unstable();
    let ends = labels.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    let mut fields = Map::new();
    for ((_, start, name), end) in labels.iter().zip(ends) {
        let said = text.get(*start..end)?.trim();
        let said = said.split_once(&format!("</{name}>")).map_or(said, |(said, _)| said.trim());
        let said = said.strip_prefix(['|', '>']).map_or(said, |said| said.trim_start_matches('-').trim_start());
        // Broken off, it would be a text all the same.
        let is_text = properties.get(*name).is_some_and(|form| kind(form) == "string" && form.get("enum").is_none());
        if end == text.len() && is_text && !said.ends_with(['.', '!', '?', '”', '"', '’', '\'', ')', ']']) {
            return None;
        }
        let said = serde_json::from_str::<String>(said).unwrap_or_else(|_| said.to_owned());
        let said = if is_none(&said) && !is_text { Value::Null } else { Value::String(said) };
        fields.insert((*name).to_owned(), said);
    }
    (!fields.is_empty()).then_some(Value::Object(fields))
}

/// The name of a field before its text: `articleBody:`, `**Article body:**`, `<articleBody>`, or a heading of its own.
fn label(name: &str) -> Option<Regex> {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() || c == '_' {
            words.push_str("[ _-]?");
        }
        words.extend(c.to_lowercase().filter(|c| *c != '_'));
    }
    Regex::new(&format!(
        r"(?im)<{words}>|^[ \t]*#+[ \t]*[*_]*{words}[*_:]*[ \t]*$|^[ \t*_#>-]*[\x22']?{words}[\x22'*_]*[ \t]*[:=][*_]*"
    ))
    .ok()
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
