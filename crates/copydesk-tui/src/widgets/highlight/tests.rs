use std::fmt::Write as _;

use proptest::prelude::*;
use ratatui::{buffer::Buffer, layout::Rect};

use crate::widgets::{
    highlight::*,
    page::Page,
    theme::{Theme, ThemeName},
};

const VERDICT: &str = r#"{"concern_id":3,"misleading":true,"status":"REWRITE","rationale":"The source says “in due course”\n, no month.","suggested_fix":null,"citations":[],"scores":[0.10, 1e3]}"#;

/// Each marked stretch and what it is.
fn marked(text: &str, kind: SyntaxKind) -> Vec<(&str, TextRole)> {
    highlight(text, kind).into_iter().map(|mark| (&text[mark.range], mark.role)).collect()
}

#[test]
fn an_answer_is_set_out_and_coloured_at_several_sizes() {
    let (text, kind) = pretty(VERDICT);
    let mut page = Page::new(text.as_str().into());
    page.mark(highlight(&text, kind));
    let mut pictures = String::new();
    for (width, height) in [(60, 14), (24, 12)] {
        for name in [ThemeName::Dark, ThemeName::Monochrome] {
            let area = Rect::new(0, 0, width, height);
            let mut buf = Buffer::empty(area);
            page.view(area, &mut buf, &Theme::named(name));
            write!(pictures, "== {width} x {height}, {}\n{buf:?}\n", name.name()).unwrap();
        }
    }
    insta::assert_snapshot!("json", pictures);
}

#[test]
fn json_is_set_out_sign_by_sign() {
    let json = "{\n  \"a\": [\n    1.10,\n    {}\n  ],\n  \"a\": \"x, {\\\"y\\\"}\"\n}";
    let raw = r#"{"a":[1.10,{ }],"a":"x, {\"y\"}"}"#;
    assert_eq!(pretty(raw), (json.to_owned(), SyntaxKind::Json));
    assert_eq!(pretty(&format!("```json\n{raw}\n```")), (format!("```json\n{json}\n```"), SyntaxKind::Json));
    assert_eq!(
        pretty(&format!("<think>Hm.</think>\n{raw}\n")),
        (format!("<think>Hm.</think>\n{json}\n"), SyntaxKind::Json)
    );
}

#[test]
fn what_is_no_json_stays_as_it_came() {
    for (answer, kind) in [
        ("- “x” is wrong\n", SyntaxKind::Markdown),
        ("", SyntaxKind::Markdown),
        ("[^1]: a note", SyntaxKind::Markdown),
        ("{\"headline\": \"Coun", SyntaxKind::Json),
        ("```\nhalf", SyntaxKind::Markdown),
    ] {
        assert_eq!(pretty(answer), (answer.to_owned(), kind), "{answer}");
    }
}

#[test]
fn names_values_and_marks_of_markdown_are_told_apart() {
    assert_eq!(
        marked("{\"a\": [1, true, \"x\\n\"]}\n", SyntaxKind::Json),
        [
            ("{", TextRole::Dim),
            ("\"a\"", TextRole::Name),
            (":", TextRole::Dim),
            ("[", TextRole::Dim),
            ("1", TextRole::Value),
            (",", TextRole::Dim),
            ("true", TextRole::Value),
            (",", TextRole::Dim),
            ("\"", TextRole::Dim),
            ("\\n", TextRole::Value),
            ("\"]}", TextRole::Dim),
        ]
    );
    let markdown = marked("# Head\n\n> said\n\n**bold** and `code`\n", SyntaxKind::Markdown);
    for wanted in [("bold", TextRole::Strong), ("`code`", TextRole::Name)] {
        assert!(markdown.contains(&wanted), "{markdown:?}");
    }
    assert!(markdown.iter().any(|(text, role)| text.contains("Head") && *role == TextRole::Heading), "{markdown:?}");
    assert!(markdown.iter().any(|(text, role)| text.contains("said") && *role == TextRole::Quote), "{markdown:?}");
    assert_eq!(marked("# Head", SyntaxKind::Plain), []);
}

#[test]
fn what_is_too_long_has_no_marks() {
    let long = format!("{{\"a\": 1}}\n{}", " ".repeat(LONGEST));
    assert_eq!(marked(&long, SyntaxKind::Json), []);
    let line = format!("[\n\"{}\",\n1\n]\n", "x".repeat(64 * 1024));
    assert!(marked(&line, SyntaxKind::Json).contains(&("1", TextRole::Value)));
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert!(pretty(&deep).0.len() < 10_000_000);
}

proptest! {
    #[test]
    fn nothing_but_white_space_is_changed(text in "([{}\\[\\],:\"\\\\]|[a-z0-9]{1,3}|\\\\n|[ \n]|```|\\PC){0,40}") {
        let (shown, kind) = pretty(&text);
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(bare(&shown), bare(&text));
        let mut last = 0;
        for mark in highlight(&shown, kind) {
            prop_assert!(mark.range.start >= last && shown.get(mark.range.clone()).is_some());
            last = mark.range.end;
        }
    }
}
