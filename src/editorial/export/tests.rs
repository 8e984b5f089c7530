use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;
use crate::{
    editorial::next_steps::tests::{add, add_round, article, opening, verdict},
    newsroom::{Decision, GateOutcome, Outcome, Publication, Specialist, Status, Step},
};

fn imprint() -> Imprint {
    Imprint {
        channel: "desk".into(),
        source: "Minutes <1>".into(),
        source_date: Some("6 October".into()),
        standing: "Signed off by A. Editor.".into(),
        finished_at: Some("2026-10-06T12:00:09.000Z".into()),
        language: "en".into(),
    }
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes
        .chunks(3)
        .flat_map(|chunk| {
            let bits =
                chunk.iter().chain([0, 0].iter()).take(3).fold(0usize, |bits, byte| bits << 8 | usize::from(*byte));
            (0..4).map(move |sign| if sign <= chunk.len() { SIGNS[bits >> (18 - 6 * sign) & 63] as char } else { '=' })
        })
        .collect()
}

#[test]
fn the_policy_names_the_style() {
    assert_eq!(base64(b"Man"), "TWFu");
    assert_eq!(base64(b"M"), "TQ==");
    assert_eq!(STYLE_DIGEST, base64(&Sha256::digest(STYLE)));
}

#[test]
fn an_article_is_a_page_of_its_own() {
    let text =
        "The council **voted**.[^b]\n\n> “No,” Voss said.[^b]\n\n## Footnotes\n\n[^b]: Minutes, https://m.example.\n";
    let page = to_html(&article(text), &imprint());
    insta::assert_snapshot!(page);
}

#[test]
fn nothing_in_a_text_runs_or_leads_astray() {
    for (text, wanted) in [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>x (javascript:alert(1))</p>\n"),
        ("[x](JavaScript&#58;alert)", "<p>x (JavaScript:alert)</p>\n"),
        ("[x](data:text/html,y) [z](/local)", "<p>x (data:text/html,y) z (/local)</p>\n"),
        ("[x](https://a.example/?q=\"y)", "<p><a href=\"https://a.example/?q=%22y\">x</a></p>\n"),
        ("<a@b.example>", "<p><a href=\"mailto:a@b.example\">a@b.example</a></p>\n"),
        ("![alt](http://x/y.png)", "<p>[image: alt, http://x/y.png]</p>\n"),
        ("[^\"><script>]: x", "<h2>Footnotes</h2>\n<ol class=\"notes\">\n<li id=\"note-1\"><p>x</p>\n</li>\n</ol>\n"),
    ] {
        assert_eq!(body(text), wanted, "{text}");
    }
    let mut hostile = article("x");
    hostile.headline = "</title><script>".into();
    hostile.description = "\"><script>".into();
    hostile.alternativeHeadline = "<script>".into();
    assert!(!to_html(&hostile, &imprint()).contains("<script>"));
}

#[test]
fn footnotes_are_linked_both_ways_in_the_order_of_the_text() {
    assert_eq!(
        body("One.[^b] Two.[^a] Three.[^b]\n\n[^a]: A.\n[^b]: B.\n\nEnd."),
        "<p>One.<sup id=\"ref-1-1\"><a href=\"#note-1\">1</a></sup> \
         Two.<sup id=\"ref-2-1\"><a href=\"#note-2\">2</a></sup> \
         Three.<sup id=\"ref-1-2\"><a href=\"#note-1\">1</a></sup></p>\n<p>End.</p>\n<h2>Footnotes</h2>\n\
         <ol class=\"notes\">\n<li id=\"note-1\"><p>B.</p>\n<a href=\"#ref-1-1\" title=\"back to the text\">↩</a> \
         <a href=\"#ref-1-2\" title=\"back to the text\">↩</a> </li>\n\
         <li id=\"note-2\"><p>A.</p>\n<a href=\"#ref-2-1\" title=\"back to the text\">↩</a> </li>\n</ol>\n"
    );
}

#[test]
fn the_imprint_says_how_far_the_article_has_come() {
    let mut journal = Journal::new(opening());
    add_round(&mut journal, 1, &[Specialist::Opinion]);
    assert_eq!(Imprint::of(&journal).standing, "Draft of round 1, not passed: 1 concern is open.");
    let mut revised = journal.clone();
    add(&mut revised, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
    add(&mut revised, Step::Revise { round: 1 }, Outcome::Draft(journal.draft(1).unwrap().clone()));
    assert_eq!(Imprint::of(&revised).standing, "Draft of round 2, not reviewed.", "not the best so far");
    assert_eq!(Imprint::of_round(&revised, 1).standing, "Draft of round 1, not passed: 1 concern is open.");
    add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(verdict(1, Status::Keep, None)));
    add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Passed));
    assert_eq!(Imprint::of(&journal).standing, "Passed its review in round 1; not signed off.");
    let choice = crate::newsroom::Choice::SignOff { chain: String::new() };
    let decision = Decision { by: "A. Editor".into(), choice };
    add(&mut journal, Step::Decide { round: 1, number: 1 }, Outcome::Decision(decision));
    let publication = Publication { generated_at: "2026-10-06T12:00:09.000Z".into(), success: true, flags: vec![] };
    add(&mut journal, Step::Publish, Outcome::Publication(publication));
    let imprint = Imprint::of(&journal);
    assert_eq!(
        (imprint.standing.as_str(), imprint.finished_at.as_deref()),
        ("Signed off by A. Editor.", Some("2026-10-06T12:00:09.000Z"))
    );
}

proptest! {
    #[test]
    fn no_markdown_makes_a_tag_of_its_own(text in "([a-z]{1,5}|[ \n]|[<>\"'&/=*_`#|\\[\\]()!^:-]|<script|<img src=x>|javascript:|\\]\\(|\\[\\^1\\](: )?|https://a){0,40}") {
        let known = [
            "p", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6",
            "hr", "br", "a", "sup", "table", "thead", "tbody", "tr", "th", "td",
        ];
        let html = body(&text);
        for tag in html.split('<').skip(1) {
            let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            prop_assert!(known.contains(&name.as_str()), "<{tag}");
            if let Some((_, address)) = tag.split_once("href=\"") {
                prop_assert!(address.starts_with('#') || leads_out(address), "{address}");
            }
        }
    }
}
