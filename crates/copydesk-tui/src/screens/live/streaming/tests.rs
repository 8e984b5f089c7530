use proptest::prelude::*;

use crate::screens::live::streaming::*;

fn shown(awaited: Awaited, text: &str) -> PartialText {
    let mut streaming = Streaming::new(awaited);
    streaming.push(text);
    streaming.shown().clone()
}

fn article(headline: &str, description: &str, body: &str) -> PartialText {
    PartialText::Article {
        headline: headline.into(),
        alternative: String::new(),
        description: description.into(),
        body: body.into(),
    }
}

#[test]
fn an_article_is_shown_as_far_as_it_is_there() {
    for (text, wanted) in [
        ("{", article("", "", "")),
        ("{\"headl", article("", "", "")),
        ("{\"headline\": \"Coun", article("Coun", "", "")),
        (r#"{"headline": "Council", "articleBody": "One.\n\nTw"#, article("Council", "", "One.\n\nTw")),
        (r#"{"headline": "C", "articleBody": "a\"b\u20"#, article("C", "", "a\"b")),
        (r#"{"headline": "C", "articleBody": "a\"#, article("C", "", "a")),
        (r#"{"headline": "C", "articleBody": "a\ud83d"#, article("C", "", "a")),
        (r#"{"headline": "C", "articleBody": "a\ud83d\"#, article("C", "", "a")),
        (r#"{"headline": "C", "articleBody": "a\ud83d\u"#, article("C", "", "a")),
        (r#"{"headline": "C", "articleBody": "a\ud83d\ude00"#, article("C", "", "a😀")),
        ("Here it is, {as} asked:\n```json\n{\"headline\": \"C\"}\n```\nBye", article("C", "", "")),
        ("Here {it} is: {\"description\": \"D\", \"headline\": \"C\"} Bye {x}", article("C", "D", "")),
        ("<think>{\"headline\": \"no\"}</think>{\"headline\": \"C", article("C", "", "")),
    ] {
        assert_eq!(shown(Awaited::Article, text), wanted, "{text}");
    }
}

#[test]
fn what_is_no_answer_is_shown_as_text_and_thoughts_as_thoughts() {
    assert_eq!(shown(Awaited::Article, ""), PartialText::Thinking(String::new()));
    assert_eq!(shown(Awaited::Article, "<think>I wonder"), PartialText::Thinking("I wonder".into()));
    assert_eq!(shown(Awaited::Article, "I cannot do that."), PartialText::Text("I cannot do that.".into()));
    assert_eq!(shown(Awaited::Verdict, "{\"other\": 1}"), PartialText::Text("{\"other\": 1}".into()));
    assert_eq!(shown(Awaited::Review, "Let me see"), PartialText::Text("Let me see".into()));
    assert_eq!(shown(Awaited::Text, "- a"), PartialText::Text("- a".into()));
}

#[test]
fn a_review_is_shown_bullet_by_bullet() {
    let bullets = |rows: &[&str]| PartialText::Review(rows.iter().map(|row| (*row).to_owned()).collect());
    assert_eq!(shown(Awaited::Review, "I found:\n- “a” is\n  wrong\n* “b"), bullets(&["“a” is\n  wrong", "“b"]));
    assert_eq!(shown(Awaited::Review, "```markdown\n- a\n```"), bullets(&["a"]));
}

#[test]
fn mappings_and_verdicts_are_shown_as_far_as_they_are_there() {
    let text = r#"{"mappings": [{"concern_id": 1, "concern_type": "inferred_fact", "selected_agent": "opinion", "confidence": "high", "reason": "r"}, {"concern_id": 2, "selected_agent": "fact_"#;
    let row = |concern, agent: &str, kind: &str, reason: &str| Mapped {
        concern,
        agent: agent.into(),
        kind: kind.into(),
        reason: reason.into(),
    };
    let rows = vec![row(1, "opinion", "inferred_fact", "r"), row(2, "fact_", "", "")];
    assert_eq!(shown(Awaited::Mappings, text), PartialText::Mappings(rows.clone()));
    assert_eq!(shown(Awaited::Mappings, text.strip_prefix("{\"mappings\": ").unwrap()), PartialText::Mappings(rows));
    let verdict = |status: &str, rationale: &str| PartialText::Verdict {
        status: status.into(),
        rationale: rationale.into(),
        fix: String::new(),
        evidence: String::new(),
    };
    assert_eq!(shown(Awaited::Verdict, r#"{"concern_id": 1, "status": "RE"#), verdict("", ""));
    assert_eq!(shown(Awaited::Verdict, r#"{"status": "REMOVE", "rationale": "No so"#), verdict("REMOVE", "No so"));
}

#[test]
fn no_beginning_of_a_sound_answer_falls_back_to_raw_text() {
    let verdict = r#"{ "concern_id": 12, "misleading": false, "status": "KEEP", "rationale": "a\n\u00e9\"b", "suggested_fix": null }"#;
    let article = r#"{"headline": "a [b] {c}", "articleBody": "d\\", "description": "e", "alternativeHeadline": "f"}"#;
    for (awaited, text) in [(Awaited::Verdict, verdict), (Awaited::Article, article)] {
        for end in 1..=text.len() {
            let shown = shown(awaited, &text[..end]);
            assert!(!matches!(shown, PartialText::Text(_)), "{:?}", &text[..end]);
        }
    }
}

#[test]
fn escapes_never_reach_the_screen_however_they_are_cut_and_hidden() {
    let mut streaming = Streaming::new(Awaited::Article);
    for piece in ["{\"headline\": \"a\x1b", "[31", "mred", "\\u001b[2Jb\\u202e\"}"] {
        streaming.push(piece);
        let text = format!("{:?}", streaming.shown());
        assert!(!text.contains("\\u{1b}") && !text.contains("\\u{202e}"), "{text}");
    }
    assert_eq!(*streaming.shown(), article("aredb", "", ""));
}

#[test]
fn an_endless_answer_is_bounded() {
    let mut streaming = Streaming::new(Awaited::Text);
    for _ in 0..1_100 {
        streaming.push(&"é".repeat(500));
    }
    assert!(streaming.cut && streaming.raw.len() <= LONGEST);
    let before = streaming.raw.len();
    streaming.push("x");
    assert_eq!(streaming.raw.len(), before);
}

#[test]
fn nothing_is_read_twice() {
    let mut streaming = Streaming::new(Awaited::Text);
    streaming.push("a");
    assert!(streaming.shown.is_none());
    streaming.shown();
    streaming.push("");
    assert!(streaming.shown.is_some(), "nothing has arrived since");
    streaming.push("b");
    assert!(streaming.shown.is_none());
}

proptest! {
    #[test]
    fn any_answer_in_any_pieces(text in "([{}\\[\\],:\"\\\\]|[a-z]{1,4}|\"headline\": \"|\\\\u00|\x1b\\[|```(json)?\n|- |\n|<think>|</think>|\\PC){0,40}", cut in 0usize..60) {
        for awaited in [Awaited::Article, Awaited::Review, Awaited::Mappings, Awaited::Verdict, Awaited::Text] {
            let mut streaming = Streaming::new(awaited);
            let at = text.char_indices().nth(cut).map_or(text.len(), |(at, _)| at);
            streaming.push(&text[..at]);
            streaming.shown();
            streaming.push(&text[at..]);
            prop_assert_eq!(streaming.shown(), &shown(awaited, &text));
        }
    }
}
