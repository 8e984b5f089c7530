//! A ledger's page: what is on it, and what cannot be.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use super::*;
use copydesk_newsroom::ConcernType;

fn article(body: &str) -> ArticleResponse {
    ArticleResponse {
        headline: "Park <b>".into(),
        alternativeHeadline: String::new(),
        articleBody: body.into(),
        description: String::new(),
    }
}

fn row(kind: SpanKind, standing: Standing, text: &str, body: &str, source: &Source, passage: &str) -> LedgerRow {
    let (start, at) = (body.find(text).unwrap(), source.text.find(passage).unwrap());
    let bad = matches!(standing, Standing::Altered | Standing::NotFound);
    LedgerRow {
        kind,
        standing,
        rule: "quotation.altered".into(),
        field: "articleBody".into(),
        start,
        end: start + text.len(),
        text: text.into(),
        concern_type: bad.then_some(ConcernType::UnsupportedFact),
        blocks: bad,
        note: bad.then(|| "Other <words>.".into()),
        passage: Some(SourceSpan {
            source: source.name.clone(),
            start: at,
            end: at + passage.len(),
            text: passage.into(),
        }),
        replacement: None,
    }
}

fn place(passage: &SourceSpan) -> PlaceToHear {
    PlaceToHear { place: format!("{}, line 1", passage.source), listen: None }
}

#[test]
fn each_span_is_a_link_to_its_passage_and_back() {
    let body = "“I only swim,” Ana said in 1958.";
    let source =
        Source { name: "a&b.txt".into(), text: "“I never swim,” she said in 1958. <script>x</script>".into() };
    let rows = vec![
        row(SpanKind::Quotation, Standing::Altered, "I only swim,", body, &source, "I never swim,"),
        row(SpanKind::Date, Standing::Matches, "1958", body, &source, "1958"),
    ];
    let ledger = Ledger { rows };
    let page = to_html(
        &article(body),
        std::slice::from_ref(&source),
        &ledger,
        &["read as <x>".into()],
        &|rule| Some(rule).filter(|rule| *rule == "quotation.altered").map(|_| "right 3 of 4".into()),
        &place,
    );
    for part in [
        "<title>Proof: Park &lt;b&gt;</title>",
        "<p>1 finding. Checked 2 statements.</p>",
        "<li>read as &lt;x&gt;</li>",
        "<b class=\"bad\">ALTERED</b> quotation <a href=\"#d0\">“I only swim,”</a> <a href=\"#s0\">a&amp;b.txt, line 1</a>",
        "<p>Other &lt;words&gt;.</p>",
        "<details class=\"rule\"><summary>Rule</summary>quotation.altered: right 3 of 4</details>",
        "<p>I <del>only</del><ins>never</ins> swim,</p>",
        "“<span id=\"d0\"></span><a class=\"bad\" href=\"#s0\" title=\"ALTERED quotation\">I only swim,</a>” Ana",
        "<span id=\"s0\"></span><a class=\"bad\" href=\"#d0\" title=\"ALTERED quotation: I only swim,\">I never swim,</a>”",
        "<span id=\"s1\"></span><a class=\"good\" href=\"#d1\" title=\"MATCHES date: 1958\">1958</a>",
        "&lt;script&gt;x&lt;/script&gt;",
        "<dt>ALTERED</dt><dd>The source uses other words.</dd>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(
        !page.contains("<script") && !page.contains("http:") && !page.contains("https:") && !page.contains("VERBATIM")
    );
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    assert!(page.contains(&STANDARD.encode(Sha256::digest(style.as_bytes()))));
}

#[test]
fn of_a_long_source_only_what_is_around_its_passages_is_shown() {
    let text = format!("{}It opened in 1958.{}", "é ".repeat(WHOLE / 2), "z ".repeat(WHOLE / 2));
    let source = Source { name: "long.txt".into(), text };
    let body = "It opened in 1958.";
    let ledger = Ledger { rows: vec![row(SpanKind::Date, Standing::Matches, "1958", body, &source, "1958")] };
    let page = to_html(&article(body), &[source], &ledger, &[], &|_| None, &place);
    assert!(page.len() < 20_000, "{}", page.len());
    assert!(
        page.contains("<span id=\"s0\"></span><a class=\"good\" href=\"#d0\" title=\"MATCHES date: 1958\">1958</a>.")
    );
    assert_eq!(page.matches("text left out").count(), 2);
}

#[test]
fn overlapping_spans_each_have_their_anchor_and_the_gravest_is_the_link() {
    let text = "abcdef";
    let mark = |row, range, class| SpanMark { row, range, class, links: true, title: String::new() };
    let marks = [mark(0, 0..6, "good"), mark(1, 2..4, "good"), mark(2, 3..6, "bad")];
    assert_eq!(
        marked(text, std::slice::from_ref(&(0..6)), &marks, DRAFT),
        "<span id=\"d0\"></span><a class=\"good\" href=\"#s0\" title=\"\">ab</a>\
         <span id=\"d1\"></span><a class=\"good\" href=\"#s1\" title=\"\">c</a>\
         <span id=\"d2\"></span><a class=\"bad\" href=\"#s2\" title=\"\">d</a><a class=\"bad\" href=\"#s2\" title=\"\">ef</a>"
    );
}
