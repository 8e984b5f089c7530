use proptest::prelude::*;

use crate::screens::live::streaming::*;

const DRAFT: Step = Step::Draft;
const REVIEW: Step = Step::Review { round: 1 };
const MAP: Step = Step::Map { round: 1 };
const JUDGE: Step = Step::Judge { round: 1, concern: 1 };
const PLAN: Step = Step::Plan;

fn marked(step: Step, text: &str) -> (String, Vec<Mark>) {
    let mut streaming = Streaming::new(step);
    streaming.push(text);
    streaming.shown().clone()
}

fn shown(step: Step, text: &str) -> String {
    marked(step, text).0
}

fn article(headline: &str, description: &str, body: &str) -> String {
    let head = [headline, description].into_iter().filter(|text| !text.is_empty());
    head.flat_map(|text| [text, "\n\n"]).chain([body]).collect()
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
        assert_eq!(shown(DRAFT, text), wanted, "{text}");
    }
}

#[test]
fn what_is_no_answer_is_shown_as_text_and_thoughts_as_thoughts() {
    let text = |text: &str| (text.to_owned(), Vec::new());
    assert_eq!(marked(DRAFT, ""), text(""));
    let thought = Mark::new(0.."I wonder".len(), TextRole::Dim);
    assert_eq!(marked(DRAFT, "<think>I wonder"), ("I wonder".to_owned(), vec![thought]));
    assert_eq!(marked(DRAFT, "I cannot do that."), text("I cannot do that."));
    assert_eq!(marked(JUDGE, "{\"other\": 1}"), text("{\"other\": 1}"));
    assert_eq!(marked(REVIEW, "Let me see"), text("Let me see"));
    assert_eq!(marked(PLAN, "- a"), text("- a"));
}

#[test]
fn a_review_is_shown_bullet_by_bullet() {
    assert_eq!(shown(REVIEW, "I found:\n- “a” is\n  wrong\n* “b"), "• “a” is\n  wrong\n\n• “b\n\n");
    assert_eq!(shown(REVIEW, "```markdown\n- a\n```"), "• a\n\n");
}

#[test]
fn mappings_and_verdicts_are_shown_as_far_as_they_are_there() {
    let text = r#"{"mappings": [{"concern_id": 1, "concern_type": "inferred_fact", "selected_agent": "opinion", "confidence": "high", "reason": "r"}, {"concern_id": 2, "selected_agent": "fact_"#;
    let kind = ConcernType::InferredFact.words();
    let rows = format!("concern 1 → Opinion  {kind}  r\nconcern 2 → Fact     \n");
    assert_eq!(shown(MAP, text), rows);
    assert_eq!(shown(MAP, text.strip_prefix("{\"mappings\": ").unwrap()), rows);
    assert_eq!(shown(JUDGE, r#"{"concern_id": 1, "status": "RE"#), "");
    let verdict = shown(JUDGE, r#"{"status": "REMOVE", "rationale": "No so"#);
    assert_eq!(verdict, "REMOVE\n\nRationale: No so\n");
}

#[test]
fn no_beginning_of_a_sound_answer_falls_back_to_raw_text() {
    let verdict = r#"{ "concern_id": 12, "misleading": false, "status": "KEEP", "rationale": "a\n\u00e9\"b", "suggested_fix": null }"#;
    let article = r#"{"headline": "a [b] {c}", "articleBody": "d\\", "description": "e", "alternativeHeadline": "f"}"#;
    for (step, text) in [(JUDGE, verdict), (DRAFT, article)] {
        for end in 1..=text.len() {
            assert!(!shown(step, &text[..end]).starts_with('{'), "{:?}", &text[..end]);
        }
    }
}

#[test]
fn escapes_never_reach_the_screen_however_they_are_cut_and_hidden() {
    let mut streaming = Streaming::new(DRAFT);
    for piece in ["{\"headline\": \"a\x1b", "[31", "mred", "\\u001b[2Jb\\u202e\"}"] {
        streaming.push(piece);
        let text = format!("{:?}", streaming.shown());
        assert!(!text.contains("\\u{1b}") && !text.contains("\\u{202e}"), "{text}");
    }
    assert_eq!(streaming.shown().0, article("aredb", "", ""));
}

#[test]
fn an_endless_answer_is_bounded() {
    let mut streaming = Streaming::new(PLAN);
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
    let mut streaming = Streaming::new(PLAN);
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
        for step in [DRAFT, REVIEW, MAP, JUDGE, PLAN] {
            let mut streaming = Streaming::new(step);
            let at = text.char_indices().nth(cut).map_or(text.len(), |(at, _)| at);
            streaming.push(&text[..at]);
            streaming.shown();
            streaming.push(&text[at..]);
            prop_assert_eq!(streaming.shown(), &marked(step, &text));
        }
    }
}
