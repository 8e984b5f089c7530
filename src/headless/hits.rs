//! The hits of a search: lines for a person, one JSON object for a program.

use serde_json::json;

use crate::{
    documents::DocumentKind,
    newsroom::{Passage, Tier},
    ports::{Found, Hit},
    text::{
        overlap::{Sentences, Stems},
        places, sanitise,
        time_code::turn_code,
    },
};

/// Most characters of a passage in a list: about ten lines of a terminal.
const LONGEST: usize = 800;

/// A hit as lines: its title, its place, why it was found, then the passage. `before` is the text before the passage,
/// if it is known.
pub fn hit_lines(number: usize, hit: &Hit, before: Option<&str>) -> String {
    let title = sanitise::excerpt(&sanitise::one_line(&hit.title), 120);
    let (skipped, shown) = hit.passage.text.split_at_checked(shown_from(hit)).unwrap_or(("", &hit.passage.text));
    let before = before.map(|before| format!("{before}{skipped}"));
    let mut lines = vec![format!("{number}. {title}"), sanitise::visible(&place(hit, before.as_deref(), shown))];
    lines.extend(Some(sanitise::one_line(&hit.why())).filter(|why| !why.is_empty()));
    let mark = if skipped.is_empty() { "" } else { "… " };
    lines.push(format!("{mark}{}", sanitise::excerpt(shown, LONGEST)));
    lines.join("\n   ")
}

/// The first byte that is shown: the passage's, or that of the sentence with most of the words if it is not seen there.
fn shown_from(hit: &Hit) -> usize {
    let words = hit.text.as_ref().map(|text| text.words.join(" ")).unwrap_or_default();
    let near = Sentences::of(&hit.passage.text).nearest(&Stems::of(&words)).into_iter().next();
    near.filter(|near| near.range.end > LONGEST).map_or(0, |near| near.range.start)
}

/// Where the shown text is: the file and the place in it, what kind of witness it is, its story, headings, credibility, date.
fn place(hit: &Hit, before: Option<&str>, shown: &str) -> String {
    let passage = &hit.passage;
    let file = match before {
        Some(before) => format!("{}, {}", passage.file, in_text(passage, before, shown)),
        None => passage.file.clone(),
    };
    let mut parts = vec![file, passage.tier.words().to_owned()];
    parts.extend(hit.story.as_ref().map(|story| format!("story {story}")));
    parts.extend(passage.particulars());
    parts.join(" · ")
}

/// The time in a recording, the page of a document with pages, the line of a text file, or the record of a table. Any other document, such as
/// a web page, has the paragraph.
fn in_text(passage: &Passage, before: &str, shown: &str) -> String {
    let text = format!("{before}{shown}");
    if let Some(code) = turn_code(&text, &(before.len()..text.len())) {
        return code.to_owned();
    }
    if let Some(page) = places::page(&text, before.len()) {
        return format!("page {page}");
    }
    let line = places::line(&text, before.len());
    let kind = match passage.tier {
        Tier::Source | Tier::Knowledge => DocumentKind::by_name(&passage.file).unwrap_or(DocumentKind::Text),
        Tier::Found => DocumentKind::by_name(&passage.file).unwrap_or(DocumentKind::WebPage),
        Tier::Evidence | Tier::Article => DocumentKind::WebPage,
    };
    kind.place(&text, before.len(), line)
}

/// The hits as one JSON object.
///
/// # Errors
/// If they cannot be written as JSON, which their types rule out.
pub fn hits_json(query: &str, found: &Found) -> serde_json::Result<String> {
    let hits: Vec<_> = found
        .hits
        .iter()
        .map(|hit| {
            json!({
                "title": hit.title, "story": hit.story.as_ref().map(ToString::to_string), "passage": hit.passage,
                "tier": hit.passage.tier, "citation": hit.passage.citation(), "tokens": hit.tokens, "score": hit.score,
                "text": hit.text, "dense": hit.dense,
            })
        })
        .collect();
    serde_json::to_string_pretty(&json!({ "query": query, "words_only": found.words_only, "hits": hits }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{DenseMatch, TextMatch};

    fn hit(file: &str, tier: Tier) -> Hit {
        Hit {
            passage: Passage {
                file: file.into(),
                start: 3,
                end: 9,
                text: "The\npark.".into(),
                tier,
                heading: "Parks > Cost".into(),
                credibility: Some(0.9),
                published: Some("2026-01-02".into()),
            },
            title: "Parks".into(),
            story: None,
            tokens: 4,
            score: 0.875,
            text: Some(TextMatch { rank: 1, score: 3.25, words: vec!["park".into()] }),
            dense: Some(DenseMatch { rank: 2, similarity: 0.5 }),
        }
    }

    #[test]
    fn a_hit_says_where_it_is_and_why_it_was_found() {
        let known = hit("parks\u{1b}[2J.md", Tier::Knowledge);
        let said = hit_lines(2, &known, Some("# A\n\n"));
        assert_eq!(
            said.lines().collect::<Vec<_>>(),
            [
                "2. Parks",
                "   parks\\x1b[2J.md, line 3 · knowledge base · Parks > Cost · credibility 0.9 · of 2026-01-02",
                "   Found: park · similar in meaning",
                "   The park.",
            ]
        );
        let neighbour = Hit { text: None, dense: None, ..known.clone() };
        let said = hit_lines(1, &neighbour, None);
        assert!(said.contains(".md · knowledge base · ") && said.lines().count() == 3, "{said}");
        let found = Found { hits: vec![known, neighbour], words: 1, words_only: None, degraded: false };
        let object: serde_json::Value = serde_json::from_str(&hits_json("park", &found).unwrap()).unwrap();
        assert_eq!(object["hits"][0]["text"]["words"][0], "park");
        assert_eq!(
            (&object["hits"][0]["text"]["bm25"], &object["hits"][0]["passage"]["start"]),
            (&json!(3.25), &json!(3))
        );
        assert_eq!(object["hits"][1]["dense"], serde_json::Value::Null);
    }

    #[test]
    fn a_place_is_counted_as_the_reader_of_the_file_counts() {
        let before = "One.\nTwo.\n\n\n\nThree. ";
        let place = |file: &str, tier, before| in_text(&hit(file, tier).passage, before, "The\npark.");
        for (file, tier, told) in [
            ("park.md", Tier::Knowledge, "line 6"),
            ("Minutes of May", Tier::Source, "line 6"),
            ("costs.csv", Tier::Source, "record 6"),
            ("park.pdf", Tier::Knowledge, "paragraph 2"),
            ("https://a.example/park.txt", Tier::Evidence, "paragraph 2"),
            ("The park", Tier::Article, "paragraph 2"),
        ] {
            assert_eq!(place(file, tier, before), told, "{file}");
        }
        assert_eq!(
            ["", "One.\n\n"].map(|before| place("park.pdf", Tier::Source, before)),
            ["paragraph 1", "paragraph 2"]
        );
        assert_eq!(place("talk.vtt", Tier::Source, "[00:01:02] VOSS: Good. "), "00:01:02");
    }

    #[test]
    fn a_long_passage_is_shown_from_where_it_has_what_was_asked() {
        let said = |text: String| {
            let words = vec!["reserve".into(), "paying".into()];
            let passage = Passage { file: "minutes.md".into(), text, ..Passage::default() };
            hit_lines(
                1,
                &Hit { passage, text: Some(TextMatch { rank: 1, score: 3.0, words }), ..hit("", Tier::Source) },
                Some("\n"),
            )
        };
        let far = said(format!("{}\n\nThe reserve pays. Then all went home.", "The council met. ".repeat(60)));
        assert!(
            far.ends_with("\n   … The reserve pays. Then all went home.") && far.contains("minutes.md, line 4 "),
            "{far}"
        );
        let near = said(format!("The reserve pays. {}", "The council met. ".repeat(60)));
        assert!(
            near.contains("\n   The reserve pays. The council met.") && near.contains("minutes.md, line 2 "),
            "{near}"
        );
    }
}
