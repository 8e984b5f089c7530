//! What a search found: lines for a person, one JSON object for a program.

use serde_json::json;

use super::Paint;
use crate::{
    ports::{Found, Hit},
    text::{
        overlap::{Sentences, Stems},
        sanitise,
    },
};

/// Most characters of a passage in a list: about ten lines of a terminal.
const LONGEST: usize = 800;

/// The hits as lines: where, how good, why, then the passage.
#[must_use]
pub fn hits_lines(found: &Found, paint: Paint) -> String {
    let mut lines = Vec::new();
    for (hit, number) in found.hits.iter().zip(1_usize..) {
        let title = sanitise::excerpt(&sanitise::one_line(&hit.title), 120);
        lines.push(paint.heading(&format!("{number}. {title}")));
        lines.push(format!("   {}", sanitise::visible(&hit.place())));
        lines.push(format!("   {}", sanitise::one_line(&hit.why())));
        lines.push(format!("   {}", what_was_found(hit)));
        lines.push(String::new());
    }
    lines.pop();
    lines.join("\n")
}

/// The passage, from its beginning where what was found is seen there, else from the sentence that has most of the words.
fn what_was_found(hit: &Hit) -> String {
    let text = hit.passage.text.as_str();
    let words = hit.text.as_ref().map(|text| text.words.join(" ")).unwrap_or_default();
    let near = Sentences::of(text).nearest(&Stems::of(&words)).into_iter().next();
    match near.filter(|near| near.range.end > LONGEST).and_then(|near| text.get(near.range.start..)) {
        Some(rest) => format!("… {}", sanitise::excerpt(rest, LONGEST)),
        None => sanitise::excerpt(text, LONGEST),
    }
}

/// The hits as one JSON object.
///
/// # Errors
/// Where they cannot be written as JSON, which their types rule out.
pub fn hits_json(query: &str, found: &Found) -> serde_json::Result<String> {
    let hits: Vec<_> = found
        .hits
        .iter()
        .map(|hit| {
            json!({
                "title": hit.title, "story": hit.story.as_ref().map(ToString::to_string), "passage": hit.passage,
                "tier": hit.passage.tier, "citation": hit.passage.citation(), "tokens": hit.tokens, "score": hit.score,
                "text": hit.text.as_ref().map(|text| json!({
                    "rank": text.rank, "bm25": text.score, "words": text.words
                })),
                "dense": hit.dense.map(|dense| json!({ "rank": dense.rank, "similarity": dense.similarity })),
            })
        })
        .collect();
    serde_json::to_string_pretty(&json!({ "query": query, "words_only": found.words_only, "hits": hits }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        newsroom::{Passage, Tier},
        ports::{DenseMatch, TextMatch},
    };

    #[test]
    fn a_hit_says_where_it_is_and_why_it_was_found() {
        let hit = Hit {
            passage: Passage {
                file: "parks\u{1b}[2J.md".into(),
                start: 3,
                end: 9,
                text: "The\npark.".into(),
                tier: Tier::Knowledge,
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
        };
        let found = Found {
            hits: vec![hit.clone(), Hit { text: None, dense: None, ..hit }],
            words: 1,
            words_only: None,
            degraded: false,
        };
        let said = hits_lines(&found, Paint::Plain);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0], "1. Parks");
        assert!(!said.contains('\u{1b}'), "{said}");
        assert!(
            lines[1].ends_with(
                "parks\\x1b[2J.md, bytes 3-9 · knowledge base · Parks > Cost · credibility 0.9 · of 2026-01-02"
            ),
            "{said}"
        );
        assert_eq!(lines[2], "   score 0.88 · has park (BM25 3.2, rank 1) · near in meaning (cosine 0.50, rank 2)");
        assert_eq!(lines[3], "   The park.");
        assert_eq!(lines[7], "   score 0.88");
        let object: serde_json::Value = serde_json::from_str(&hits_json("park", &found).unwrap()).unwrap();
        assert_eq!(object["hits"][0]["text"]["words"][0], "park");
        assert_eq!(object["hits"][1]["dense"], serde_json::Value::Null);
    }

    #[test]
    fn a_long_passage_is_shown_from_where_it_has_what_was_asked() {
        let hit = |text: String| Hit {
            passage: Passage { text, ..Passage::default() },
            title: "Minutes".into(),
            story: None,
            tokens: 900,
            score: 1.0,
            text: Some(TextMatch { rank: 1, score: 3.0, words: vec!["reserve".into(), "paying".into()] }),
            dense: None,
        };
        let far = format!("{}The reserve pays. Then all went home.", "The council met. ".repeat(60));
        assert_eq!(what_was_found(&hit(far)), "… The reserve pays. Then all went home.");
        let near = format!("The reserve pays. {}", "The council met. ".repeat(60));
        assert!(what_was_found(&hit(near)).starts_with("The reserve pays. The council met."));
    }
}
