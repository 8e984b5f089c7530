use std::fmt::Write as _;

use proptest::prelude::*;
use ratatui::{buffer::Buffer, layout::Rect};
use unicode_segmentation::UnicodeSegmentation;

use crate::widgets::{markdown::*, theme::ThemeName};

fn article(body: &str) -> ArticleResponse {
    ArticleResponse {
        headline: "Council votes seven to two to renovate Miller Park".into(),
        alternativeHeadline: "A park plan passes".into(),
        articleBody: body.into(),
        description: "The council approved a renovation of the park on Tuesday.".into(),
    }
}

fn texts(rendered: &Rendered) -> Vec<String> {
    rendered.lines.iter().map(|line| line.spans.iter().map(|span| span.content.as_ref()).collect()).collect()
}

/// The lines of a body at 40 columns, without the head.
fn body(text: &str) -> Vec<String> {
    let mut bare = article(text);
    (bare.headline, bare.alternativeHeadline, bare.description) = Default::default();
    texts(&Rendered::new(&bare, 40, &Theme::named(ThemeName::Monochrome), &[]))
}

fn mark(article: &ArticleResponse, words: &str, role: TextRole) -> FieldMark {
    let (field, at) = article
        .fields()
        .into_iter()
        .filter(|(field, _)| *field != "alternativeHeadline")
        .find_map(|(field, text)| text.find(words).map(|at| (field, at)))
        .unwrap();
    FieldMark { field, range: at..at + words.len(), role }
}

const BODY: &str = "The *council* voted **seven** to two on Tuesday.[^b] It said `no` to a [pond](https://pond.example/x).\n\n\
                    ## What it costs\n\n> “We cannot wait,” Voss said.\n>\n> - once\n> - twice and for all the years to come\n\n\
                    1. The gate, at $2,480,000\n2. The pond\n   - a bench\n\n\
                    | Item | Cost |\n|---|---|\n| Gate | 8 |\n\n<b>raw</b> & 東京の公園.[^a]\n\n\
                    ## Footnotes\n\n[^a]: Weather office, https://weather.example.\n[^b]: Minutes of 6 October.\n";

#[test]
fn an_article_is_laid_out_at_several_widths_in_colour_and_without() {
    let article = article(BODY);
    let marks = [
        mark(&article, "voted **seven** to two", TextRole::Excerpt),
        mark(&article, "renovate Miller", TextRole::Concern),
        mark(&article, "wait,” Voss", TextRole::Concern),
    ];
    let mut pictures = String::new();
    for (width, height) in [(60, 34), (24, 30)] {
        for name in [ThemeName::Dark, ThemeName::Monochrome] {
            let rendered = Rendered::new(&article, width, &Theme::named(name), &marks);
            let area = Rect::new(0, 0, width, height);
            let mut buf = Buffer::empty(area);
            for (line, y) in rendered.lines.iter().zip(0..height) {
                buf.set_line(0, y, line, width);
            }
            write!(pictures, "== {width} x {height}, {}\n{buf:?}\n", name.name()).unwrap();
        }
    }
    insta::assert_snapshot!("article", pictures);
}

#[test]
fn lists_quotations_tables_and_html_are_text() {
    assert_eq!(body("- one\n- two\n  1. nested\n\nafter"), ["• one", "• two", "  1. nested", "", "after"]);
    assert_eq!(body("> a\n>\n> b\n\n> c"), ["▎ a", "▎ ", "▎ b", "", "▎ c"]);
    assert_eq!(body("| a | b |\n|---|---|\n| c | |"), ["a │ b", "c │"]);
    assert_eq!(body("<div>\n<script>x</script>\n</div>"), ["<div>", "<script>x</script>", "</div>"]);
    assert_eq!(body("```\n  a\n\nb\n```"), ["    a", "  ", "  b"]);
    assert_eq!(body("a  \nb\nc"), ["a", "b c"]);
    assert_eq!(body("![a tree](http://x/y.png)"), ["[image: a tree, http://x/y.png]"]);
    assert_eq!(body("-\n- x"), ["• ", "• x"]);
}

#[test]
fn footnotes_are_numbered_as_the_text_refers_to_them_and_stand_at_the_end() {
    assert_eq!(
        body("[^x]: Late.\n\nOne.[^b] Two.[^X] Three.[^none]\n\n[^b]: Early,\n    and more.\n\nEnd."),
        ["One.¹ Two.² Three.[^none]", "", "End.", "", "Footnotes", "", "¹ Early, and more.", "² Late."]
    );
}

#[test]
fn a_mark_is_found_again_across_emphasis_lines_and_fields() {
    let article = article(BODY);
    let marks = [
        mark(&article, "council* voted **sev", TextRole::Excerpt),
        mark(&article, "approved", TextRole::Excerpt),
        mark(&article, "Minutes of 6", TextRole::Excerpt),
        mark(&article, "**", TextRole::Excerpt),
        FieldMark { field: "articleBody", range: 9_999..10_000, role: TextRole::Excerpt },
    ];
    let rendered = Rendered::new(&article, 60, &Theme::named(ThemeName::Monochrome), &marks);
    let lines = texts(&rendered);
    let at = |mark: usize| rendered.first_line_of(mark).map(|line| lines[line].as_str());
    assert_eq!(at(0), Some("The council voted seven to two on Tuesday.¹ It said no to a"));
    assert_eq!(at(1), Some("The council approved a renovation of the park on Tuesday."));
    assert_eq!(at(2), Some("¹ Minutes of 6 October."));
    assert_eq!(at(3), at(0));
    assert_eq!(at(4), lines.last().map(String::as_str).map(|_| "¹ Minutes of 6 October."));
    let marked: String = rendered
        .lines
        .iter()
        .flat_map(|line| &line.spans)
        .filter(|span| span.style.add_modifier.contains(Modifier::REVERSED))
        .map(|span| span.content.as_ref())
        .collect();
    assert_eq!(marked, "approvedcouncil voted sevMinutes of 6");
}

#[test]
fn a_mark_never_parts_an_accent_from_its_letter() {
    let article = article("cafe\u{301} noir");
    let marks = [FieldMark { field: "articleBody", range: 0..4, role: TextRole::Excerpt }];
    let rendered = Rendered::new(&article, 40, &Theme::named(ThemeName::Dark), &marks);
    let last = rendered.lines.last().unwrap();
    assert_eq!(last.spans[0].content, "cafe\u{301}");
}

#[test]
fn any_width_is_laid_out() {
    for width in 0..=40u16 {
        let rendered = Rendered::new(&article(BODY), width, &Theme::named(ThemeName::Dark), &[]);
        assert_eq!(rendered.lines.is_empty(), width == 0);
        let widest = rendered.lines.iter().map(Line::width).max().unwrap_or(0);
        assert!(widest <= usize::from(width), "{widest} at {width}");
    }
}

#[test]
fn hostile_markdown_is_laid_out() {
    let deep = |open: &str, count: usize| format!("{}x", open.repeat(count));
    let table = format!("|{}\n|{}\n{}", "a|".repeat(2_000), "-|".repeat(2_000), "|b\n".repeat(2_000));
    for text in [
        deep("> ", 50_000),
        deep("[", 100_000),
        deep("![", 50_000),
        deep("*a ", 30_000),
        deep("**", 50_000),
        deep("- ", 20_000),
        deep("`", 100_000),
        deep("<", 100_000),
        deep("[^a", 30_000),
        deep("[^a]: ", 10_000),
        deep("&#0;", 20_000),
        format!("{}x{}", "[".repeat(20_000), "](a)".repeat(20_000)),
        (0..3_000).map(|n| format!("[^{n}]: note [^{n}]")).collect::<Vec<_>>().join("\n\n"),
        table,
        "x".repeat(600_000),
    ] {
        let rendered = Rendered::new(&article(&text), 80, &Theme::named(ThemeName::Dark), &[]);
        assert!(rendered.lines.len() > 3);
    }
}

/// The columns of a line, span by span as its cells are drawn, or as the library counts them if that is more.
fn cells(line: &Line<'_>) -> usize {
    let drawn: usize = line.spans.iter().map(|span| wrap::width_of(&span.content)).sum();
    drawn.max(line.width())
}

#[test]
fn what_a_span_would_part_and_what_is_not_drawn_takes_no_column_too_many() {
    let heap = "\u{1100}".repeat(40_000);
    for text in [
        // One grapheme, half of it emphasised or marked.
        "👩\u{200d}*👩* x",
        "\u{1F1E9}*\u{1F1EA}* x",
        "a*\u{301}*",
        // Counted by the library, and not drawn.
        "a\u{0}b\u{1}c\u{7f}d\u{85}e",
        "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}東",
        // So wide that the count of its columns begins anew.
        &heap[..32_768 * 3],
        &heap,
    ] {
        let end = text.char_indices().nth(1).map_or(0, |(at, _)| at);
        let marks = [FieldMark { field: "articleBody", range: 0..end, role: TextRole::Excerpt }];
        for width in 1..12 {
            let rendered = Rendered::new(&article(text), width, &Theme::named(ThemeName::Dark), &marks);
            let widest = rendered.lines.iter().map(cells).max();
            assert!(widest <= Some(usize::from(width)), "{widest:?} at {width}: {:?}", rendered.lines);
        }
    }
}

proptest! {
    #[test]
    fn any_markdown_at_any_width(
        text in "([a-z]{1,9}|[ \n]|\n\n|[*_`#>|~-]|- |> |1\\. |\\[\\^1\\](: )?|\\[a\\]\\(b\\)|東|e\u{301}|\u{301}|👩|\u{200d}|\u{1F1E9}|\u{1100}|<b>|    |\t|\\PC|\\p{Cc}){0,60}",
        width in 1u16..30,
        start in 0usize..40,
        length in 0usize..40,
    ) {
        let marks = [FieldMark { field: "articleBody", range: start..start + length, role: TextRole::Excerpt }];
        let rendered = Rendered::new(&article(&text), width, &Theme::named(ThemeName::Dark), &marks);
        for line in &rendered.lines {
            prop_assert!(cells(line) <= usize::from(width), "{line:?}");
        }
        prop_assert!(rendered.first_line_of(0).is_none_or(|line| line < rendered.lines.len()));
    }

    #[test]
    fn every_grapheme_of_running_text_is_shown_once(words in proptest::collection::vec("[a-zé東]{1,12}", 1..30), width in 4u16..40) {
        let text = words.join(" ");
        let shown: String = body_at(&text, width).concat();
        let wanted: Vec<&str> = text.graphemes(true).filter(|grapheme| *grapheme != " ").collect();
        prop_assert_eq!(shown.graphemes(true).filter(|grapheme| *grapheme != " ").collect::<Vec<_>>(), wanted);
    }
}

fn body_at(text: &str, width: u16) -> Vec<String> {
    let mut bare = article(text);
    (bare.headline, bare.alternativeHeadline, bare.description) = Default::default();
    texts(&Rendered::new(&bare, width, &Theme::named(ThemeName::Dark), &[]))
}
