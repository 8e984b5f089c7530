//! An answer in another form than JSON: YAML, XML, a table, labels, numbered lines, an article in Markdown. Each
//! becomes a value.

use regex::Captures;
use serde_json::{Map, Value};

use super::{
    denials::unmarked,
    items::{in_lines, in_numbers},
    labelled::labelled,
    listed::rows,
    names::{kind, main_list, meant_by, property},
    tagged,
    texts::has_end,
};
use copydesk_text::{pattern::TextPattern, wrapping::words_of, yaml};

/// The values that an answer may mean, by the name of the form.
pub(super) fn values<'t>(text: &'t str, schema: &'t Value) -> impl Iterator<Item = (&'static str, Value)> + use<'t> {
    type Form = fn(&str, &Value) -> Option<Value>;
    let forms: [(&str, Form); 6] = [
        ("YAML", in_yaml),
        ("a table", in_table),
        ("fields under their names", labelled),
        ("numbered lines", in_lines),
        ("a numbered line for each item", in_numbers),
        ("an article in Markdown", in_markdown),
    ];
    let xml = tagged::value(text).map(|value| ("XML", value));
    let text = tagged::as_markdown(text);
    xml.into_iter().chain(forms.into_iter().filter_map(move |(name, read)| Some((name, read(&text, schema)?))))
}

/// A document, or front matter with the text that it stands above. A comment may be a piece of a text, and a word in brackets a placeholder.
fn in_yaml(text: &str, schema: &Value) -> Option<Value> {
    let in_brackets = |rest: &str| rest.starts_with(char::is_alphabetic);
    if text.contains(" #") || !text.contains(':') || text.split(": [").skip(1).any(in_brackets) {
        return None;
    }
    let front = text.trim_start().strip_prefix("---\n").and_then(|text| text.split_once("\n---"));
    // An empty line in a folded text ends a line; it is meant to end a paragraph.
    let unfolded = |yaml: &str| {
        if yaml.contains(": >") && !yaml.contains(": |") { yaml.replace("\n\n", "\n\n\n") } else { yaml.to_owned() }
    };
    let read = |yaml: &str| serde_json::to_value(yaml::value(&unfolded(yaml)).ok()?).ok();
    let Some((front, below)) = front.filter(|(_, below)| !below.trim().is_empty()) else {
        let value = read(text).filter(|value| value.is_object() || value.is_array())?;
        return last_text(&value).is_none_or(|last| has_end(last) || !last.contains(' ')).then_some(value);
    };
    let Value::Object(mut fields) = read(front)? else { return None };
    let properties = schema.get("properties")?.as_object()?;
    let given =
        |name: &String| fields.keys().any(|key| meant_by(properties, key).is_some_and(|(known, _)| known == name));
    let mut left = properties.iter().filter(|(name, form)| kind(form) == "string" && !given(name));
    let (name, below) = (left.next().filter(|_| left.next().is_none())?.0.clone(), below.trim());
    fields.insert(name, Value::from(below));
    has_end(below).then_some(Value::Object(fields))
}

fn last_text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text.trim_end()),
        Value::Array(items) => last_text(items.last()?),
        Value::Object(map) => last_text(map.values().next_back()?),
        _ => None,
    }
}

/// A table with a row for each item, with a row for each field, or with one row.
fn in_table(text: &str, schema: &Value) -> Option<Value> {
    let (names, rows) = rows(text)?;
    let map = |row: Vec<String>| names.iter().cloned().zip(row.into_iter().map(Value::String)).collect::<Map<_, _>>();
    if main_list(schema).is_some() {
        return Some(Value::Array(rows.into_iter().map(|row| Value::Object(map(row))).collect()));
    }
    let properties = schema.get("properties")?.as_object()?;
    if let ([_, _], true) = (names.as_slice(), rows.iter().all(|row| row.len() == 2)) {
        let pairs = std::iter::once(&names).chain(&rows).filter_map(|row| match row.as_slice() {
            [name, value] => Some((property(properties, name)?.0.clone(), Value::from(value.as_str()))),
            _ => None,
        });
        return Some(Value::Object(pairs.collect()));
    }
    let [row] = <[Vec<String>; 1]>::try_from(rows).ok()?;
    Some(Value::Object(map(row)))
}

/// A heading of Markdown with a line of marks below.
static UNDERLINED: TextPattern = TextPattern::new(r"(?m)^(?P<words>[^\s|#>*-].*)\n(?:(?P<first>={2,})|-{2,})[ \t]*$");

/// Fewest words of an article that is known by its headings alone.
const FEWEST: usize = 20;

/// An article in Markdown: its headline, a second one below, the description, and the text. Without a text it is the heads alone.
fn in_markdown(text: &str, schema: &Value) -> Option<Value> {
    let properties = schema.get("properties")?.as_object()?;
    if !properties.contains_key("alternativeHeadline") {
        return None;
    }
    let heading = |line: &str| {
        let words = line.trim_start_matches('#');
        let marks = line.len() - words.len();
        (marks > 0 && words.starts_with(' ')).then(|| (marks, words.trim().to_owned()))
    };
    // Headings that are underlined.
    let text = UNDERLINED.replace_all(text, |found: &Captures<'_>| {
        let marks = if found.name("first").is_some() { "#" } else { "##" };
        format!("{marks} {}", found.name("words").map_or("", |words| words.as_str()))
    });
    let (first, rest) = text.trim().split_once('\n')?;
    let (second, rest) = rest.trim_start().split_once('\n')?;
    let ((1, headline), (_, alternative)) = (heading(first)?, heading(second)?) else { return None };
    let rest = rest.trim();
    let (standfirst, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let description = standfirst.trim_matches(['*', '_', '>', ' ']);
    let is_apart = standfirst.starts_with(['*', '_', '>']) && !standfirst.starts_with("* ");
    let mut fields = Map::from_iter([
        ("headline".to_owned(), headline.into()),
        ("alternativeHeadline".to_owned(), alternative.into()),
        ("description".to_owned(), description.into()),
    ]);
    let body = body.trim();
    if !properties.contains_key("articleBody") {
        return (body.is_empty() && has_end(description)).then_some(Value::Object(fields));
    }
    fields.insert("articleBody".to_owned(), body.into());
    (is_apart && has_end(body) && unmarked(body).is_none() && words_of(body) >= FEWEST).then_some(Value::Object(fields))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::json;
    use copydesk_newsroom::{ArticleResponse, ConcernMappingResult, Headlines, Status, Verdict};

    #[derive(Debug, PartialEq, Deserialize, schemars::JsonSchema)]
    struct Plan {
        sections: Vec<Section>,
    }

    #[derive(Debug, PartialEq, Deserialize, schemars::JsonSchema)]
    struct Section {
        point: String,
        lines: Vec<u32>,
    }

    #[derive(Debug, PartialEq, Deserialize, schemars::JsonSchema)]
    struct Asked {
        questions: Vec<String>,
    }

    const LONG: &str = "The council voted seven to two on Tuesday to renovate the park by the river.\n\nWork may begin in April, Ruiz said.";

    #[test]
    fn an_article_is_read_in_each_form() {
        let pair = |key: &str, body: &str| {
            format!(
                "| headline | H |\n{key}| alternativeHeadline | A |\n| articleBody | {body} |\n| description | D. |"
            )
        };
        for text in [
            "headline: H\nalternativeHeadline: 'A'\narticleBody: |\n  One.\n\n  Two.\ndescription: D.".to_owned(),
            "```yaml\n---\ntitle: H\nsubtitle: A\nsummary: D.\nbody: >\n  One.\n\n  Two.\n```".to_owned(),
            "---\nheadline: H\nalternativeHeadline: A\ndescription: D.\n---\n\nOne.\n\nTwo.".to_owned(),
            format!("| Key | Value |\n|---|---|\n{}", pair("", "One.<br><br>Two.")),
            pair("|---|---|\n", "One.<br><br>Two."),
            "| headline | alternativeHeadline | articleBody | description |\n|---|---|---|---|\n| H | A | One.<br><br>Two. | D. |".to_owned(),
            "HEADLINE\nH\n\nALTERNATIVE HEADLINE\nA\n\nARTICLE BODY\nOne.\n\nTwo.\n\nDESCRIPTION\nD.".to_owned(),
            "[HEADLINE] H\n[ALTERNATIVE HEADLINE] A\n[ARTICLE BODY]\nOne.\n\nTwo.\n[DESCRIPTION] D.".to_owned(),
            "1. Headline: H\n2. Alternative headline: A\n3. Article body: One.\n\nTwo.\n4. Description: D.".to_owned(),
            "{\"headline\": \"H\"}\n{\"alternativeHeadline\": \"A\"}\n{\"articleBody\": \"<p>One.</p><p>Two.</p>\"}\n{\"description\": \"D.\"}".to_owned(),
            "key,value\nheadline,H\nalternativeHeadline,A\narticleBody,\"One.\n\nTwo.\"\ndescription,D.".to_owned(),
            "<article><headline>H</headline><alternativeHeadline>A</alternativeHeadline><articleBody><p>One.</p><p>Two.</p></articleBody><description>D.</description></article>".to_owned(),
            "<?xml version=\"1.0\"?>\n<article>\n<headline><![CDATA[H]]></headline><alternativeHeadline>A</alternativeHeadline><articleBody>One.\n\nTwo.</articleBody><description>D.</description></article>".to_owned(),
            "<dl><dt>headline</dt><dd>H</dd><dt>alternativeHeadline</dt><dd>A</dd><dt>articleBody</dt><dd>One.<br><br>Two.</dd><dt>description</dt><dd>D.</dd></dl>".to_owned(),
            "1 | {\"headline\": \"H\",\n2 | \"alternativeHeadline\": \"A\",\n3 | \"articleBody\": \"One.\\n\\nTwo.\",\n4 | \"description\": \"D.\"}".to_owned(),
            "{\"title\": \"**H**\", \"alternative\": \"## A\", \"body\": \"One.\\n\\nTwo.\", \"summary\": \"D.\"}".to_owned(),
        ] {
            let read: ArticleResponse = json(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let fields = [&*read.headline, &read.alternativeHeadline, read.articleBody.trim(), &read.description];
            assert_eq!(fields, ["H", "A", "One.\n\nTwo.", "D."], "{text}");
        }
        let paragraphs: Vec<String> = LONG.split("\n\n").map(|paragraph| format!("<p>{paragraph}</p>")).collect();
        let paragraphs = paragraphs.concat();
        for text in [
            format!("# H\n\n## A\n\n*D.*\n\n{LONG}"),
            format!("H\n===\n\nA\n---\n\n*D.*\n\n{LONG}"),
            format!(
                "<!DOCTYPE html><html><head><title>x</title></head><body><h1>H</h1><h2>A</h2><p><em>D.</em></p>{paragraphs}</body></html>"
            ),
        ] {
            let read: ArticleResponse = json(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!((read.headline, read.articleBody.as_str(), read.description), ("H".into(), LONG, "D.".into()));
        }
        let heads: Headlines = json("# H\n## A\nD.").unwrap();
        assert_eq!(
            (heads.headline, heads.alternativeHeadline, heads.description),
            ("H".into(), "A".into(), "D.".into())
        );
    }

    #[test]
    fn a_piece_of_an_article_is_none() {
        let cut = LONG.trim_end_matches('.');
        for text in [
            format!("# H\n\n## A\n\n*D.*\n\n{cut}"),
            format!("---\nheadline: H\nalternativeHeadline: A\ndescription: D.\n---\n\n{cut}"),
            format!(
                "headline: H\nalternativeHeadline: A\ndescription: D.\narticleBody: |\n  {}",
                cut.replace('\n', "\n  ")
            ),
            format!("headline: H\nalternativeHeadline: A\ndescription: D.\narticleBody: \"\"\"\n{cut}"),
            "| headline | H |\n|---|---|\n| alternativeHeadline | A |\n| description | D. |\n| articleBody | One. T"
                .into(),
            "# Error\n\n## 500\n\n*Something went wrong.*\n\nPlease try again later.".into(),
            "# H\n\n## A\n\n*D.*\n\n1. Read the source.\n2. Write the headline.".into(),
        ] {
            assert!(json::<ArticleResponse>(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_plan_and_questions_are_read_in_lines() {
        let section = |point: &str, lines: &[u32]| Section { point: point.into(), lines: lines.into() };
        let plan = Plan { sections: vec![section("the vote", &[1, 2]), section("the plan", &[5, 6])] };
        for text in [
            "1. the vote (lines 1-2)\n2. the plan (lines 5, 6)",
            "- the vote: [1] [2]\n- the plan: [5, 6]",
            "[1, 2] the vote\n[5, 6] the plan",
            "Lines 1, 2: the vote\nLines 5, 6: the plan",
            "1. the vote\n   - lines: 1, 2\n2. the plan — lines 5 and 6",
            "### Section 1: the vote\nLines: [1], [2]\n\n### Section 2: the plan\nLines: [5], [6]",
            "1. the vote [#1, #2]\n2. the plan [#5, #6]",
            "the vote -> 1, 2\nthe plan -> 5, 6",
            "{\"the vote\": [1, 2], \"the plan\": [5, 6]}",
            "{\"sections\": [\"the vote (lines 1, 2)\", \"the plan (lines 5, 6)\"]}",
            "<plan><section><point>the vote</point><lines>1, 2</lines></section><section><point>the plan</point><lines>5, 6</lines></section></plan>",
            "sections:\n  - point: the vote\n    lines: [1, 2]\n  - point: the plan\n    lines:\n      - 5\n      - 6",
        ] {
            assert_eq!(json::<Plan>(text).as_ref(), Ok(&plan), "{text}");
        }
        let asked = Asked { questions: vec!["How long is it?".into(), "Who voted?".into()] };
        for text in [
            "1. How long is it?\n2. Who voted?",
            "Q1: How long is it?\nQ2: Who voted?",
            "| # | Question |\n|---|---|\n| 1 | How long is it? |\n| 2 | Who voted? |",
            "{\"How long is it?\", \"Who voted?\"}",
            "<questions><question>How long is it?</question><question>Who voted?</question></questions>",
            "{\"question1\": \"How long is it?\", \"question2\": \"Who voted?\"}",
        ] {
            assert_eq!(json::<Asked>(text).as_ref(), Ok(&asked), "{text}");
        }
        assert!(json::<Asked>("- The claim is right.").is_err());
        for text in ["1. the vote\n2. the plan", "1. In 1951 it was shut (1951)."] {
            assert!(json::<Plan>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_verdict_and_a_mapping_are_read_in_prose_and_in_tables() {
        for text in [
            "concern_id: 1. Verdict: keep. Reason: The minutes say so.",
            "concern_id: 1\nstatus: KEEP\nrationale: The minutes say so.\nsuggested_fix:\ncitations: []",
            "| Key | Value |\n|---|---|\n| concern_id | 1 |\n| status | KEEP |\n| rationale | The minutes say so. |",
            "KEEP\n\nconcern_id: 1\nRationale: The minutes say so.",
            "{\"concern_id\": 1, \"misleading\": \"No, it is not\", \"decision\": \"keep\", \"reason\": \"The minutes say so.\"}",
        ] {
            let Ok(read) = json::<Verdict>(text) else { panic!("{text}") };
            assert_eq!(
                (read.status, read.misleading, &*read.rationale),
                (Status::Keep, false, "The minutes say so."),
                "{text}"
            );
        }
        for text in [
            "{\"concern_id\": 1, \"status\": \"REMOVE\", \"verdict\": \"KEEP\", \"rationale\": \"No source.\"}",
            "{\"concern_id\": 1, \"misleading\": \"No, but it could\", \"status\": \"KEEP\", \"rationale\": \"It is so.\"}",
            "The desk would keep it.\n\nconcern_id: 1\nRationale: It is so.",
            "Do not KEEP\n\nconcern_id: 1\nRationale: The figure is wrong.",
            "concern_id: 1\nVerdict: keep, but it misleads.\nReason: The figure is wrong.",
        ] {
            assert!(json::<Verdict>(text).is_err(), "{text}");
        }
        for text in [
            "concern_id,concern_type,selected_agent,confidence,reason\n1,unsupported_fact,fact_check,high,It is a figure.\n2,editorializing,style_review,low,So.",
            "1. unsupported_fact → fact_check (high): It is a figure.\n2. editorializing → style_review (low): So.",
        ] {
            let read: ConcernMappingResult = json(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let told: Vec<String> = read.mappings.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
            assert_eq!(
                told,
                [
                    r#"{"concern_id":1,"concern_type":"unsupported_fact","selected_agent":"fact_check","confidence":"high","reason":"It is a figure."}"#,
                    r#"{"concern_id":2,"concern_type":"editorializing","selected_agent":"style_review","confidence":"low","reason":"So."}"#,
                ],
                "{text}"
            );
        }
        // Two choices are none, and a choice that is denied is another.
        for text in ["1. unsupported_fact, editorializing → fact_check (high): So.", "1. not fact_check: So."] {
            assert!(json::<ConcernMappingResult>(text).is_err(), "{text}");
        }
        let row =
            "- concern_type: unsupported_fact\n- selected_agent: opinion\n- confidence: high\n- reason: It is so.";
        for text in
            [format!("Concern 1:\n{row}\n\nConcern 2:\n{row}"), format!("### Concern 1\n{row}\n\n### Concern 2\n{row}")]
        {
            let read: ConcernMappingResult = json(&text).unwrap();
            assert_eq!(read.mappings.iter().map(|mapping| mapping.concern_id).collect::<Vec<_>>(), [1, 2], "{text}");
        }
    }
}
