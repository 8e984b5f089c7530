use std::fmt::Write as _;

use proptest::prelude::*;

use crate::widgets::{page::*, theme::ThemeName};

/// A page as it is drawn: one line a row, and below it what is not running text.
fn drawn(page: &Page, width: u16, height: u16, name: ThemeName) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    page.view(area, &mut buf, &Theme::named(name));
    format!("{buf:?}")
}

fn lines(page: &Page, width: u16, height: u16) -> Vec<String> {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    page.view(area, &mut buf, &Theme::named(ThemeName::Monochrome));
    (0..height)
        .map(|y| {
            let cells = (0..width).filter_map(|x| buf.cell((x, y)));
            cells.map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_owned()
        })
        .collect()
}

fn page(text: &str) -> Page {
    Page::new(text.into())
}

/// A hundred lines.
fn numbered(words: &str) -> String {
    (0..100).map(|n| format!("{words}{n}")).collect::<Vec<_>>().join("\n") + "\n"
}

const MINUTES: &str = "The council met on Tuesday evening in the old town hall.\n\nIt voted seven to two to renovate Miller \
                       Park, at a cost of $2,480,000. Work is to begin “in due course”, the mayor said.\n\n\
                       東京都の公園 is a sister park.\tIts café was e\u{301}crit so: שלום.\n\nNobody else spoke.";

#[test]
fn pages_are_drawn_at_several_sizes_in_colour_and_without() {
    let mut page = page(MINUTES);
    let at = MINUTES.find("seven").unwrap();
    page.mark(vec![Mark::new(at..at + 12, TextRole::Passage)]);
    let mut pictures = String::new();
    for (width, height) in [(60, 10), (24, 12), (8, 5)] {
        page.resize(width, height);
        page.home();
        assert_eq!(page.search("PARK"), 2);
        for name in [ThemeName::Dark, ThemeName::Monochrome] {
            let picture = drawn(&page, width, height, name);
            write!(pictures, "== {width} x {height}, {}\n{picture}\n", name.name()).unwrap();
        }
    }
    insta::assert_snapshot!("page", pictures);
}

#[test]
fn any_size_is_drawn() {
    let mut page = page(MINUTES);
    page.search("park");
    for width in 0..=40 {
        for height in 0..=20 {
            drawn(&page, width, height, ThemeName::Dark);
            page.scroll_by(1);
        }
    }
}

#[test]
fn a_pane_outside_the_screen_is_not_drawn() {
    let mut buf = Buffer::empty(Rect::new(0, 0, 10, 3));
    page(MINUTES).view(Rect::new(8, 2, 40, 40), &mut buf, &Theme::named(ThemeName::Dark));
    page(MINUTES).view(Rect::new(50, 50, 4, 4), &mut buf, &Theme::named(ThemeName::Dark));
    assert_eq!(buf.cell((8, 2)).map(ratatui::buffer::Cell::symbol), Some("T"));
}

#[test]
fn a_page_is_scrolled_to_its_end_and_no_further() {
    let mut page = page("one\ntwo\nthree\nfour\nfive");
    assert_eq!(lines(&page, 10, 3), ["one", "two", "three"]);
    assert_eq!((page.position(), page.at_end()), (0, false));
    page.scroll_by(1);
    assert_eq!(lines(&page, 10, 3), ["two", "three", "four"]);
    page.page_by(1);
    page.page_by(1);
    assert_eq!(lines(&page, 10, 3), ["three", "four", "five"]);
    assert_eq!((page.position(), page.at_end()), (100, true));
    page.scroll_by(-1);
    assert_eq!(lines(&page, 10, 3), ["two", "three", "four"]);
    page.home();
    assert_eq!(lines(&page, 10, 3), ["one", "two", "three"]);
    page.end();
    assert_eq!(lines(&page, 10, 2), ["four", "five"]);
}

#[test]
fn a_page_at_its_end_follows_what_is_added() {
    let mut page = page("one\ntwo");
    page.end();
    page.replace_text("one\ntwo\nthree\nfour".into());
    assert_eq!(lines(&page, 10, 2), ["three", "four"]);
    page.scroll_by(-1);
    page.replace_text("one\ntwo\nthree\nfour\nfive".into());
    assert_eq!(lines(&page, 10, 2), ["two", "three"]);
}

#[test]
fn the_place_is_the_same_after_any_number_of_resizes() {
    let text = numbered("A paragraph of a rather long source, with some words and a number: ");
    let mut page = page(&text);
    lines(&page, 40, 10);
    page.scroll_by(61);
    let before = lines(&page, 40, 10);
    for width in (5..90).chain([3, 200]) {
        lines(&page, width, width / 3 + 1);
    }
    assert_eq!(lines(&page, 40, 10), before);
}

#[test]
fn a_place_is_shown_a_third_down_the_page() {
    let text = numbered("line ");
    let mut page = page(&text);
    let at = text.find("line 50").unwrap();
    page.show(&(at..at + 7));
    assert_eq!(lines(&page, 20, 6), ["line 48", "line 49", "line 50", "line 51", "line 52", "line 53"]);
    assert_eq!(page.shown(), text.find("line 48").unwrap()..text.find("\nline 54").unwrap());
    page.show(&(text.len()..text.len() + 9));
    assert!(page.at_end());
}

#[test]
fn a_search_goes_from_hit_to_hit_and_round() {
    let text = numbered("line ");
    let mut page = page(&text);
    lines(&page, 20, 6);
    assert_eq!(page.search("LINE\t 9"), 11);
    assert_eq!(page.hit(), Some((1, 11)));
    page.go_to_hit(true);
    assert_eq!((page.hit(), &*page.selected()), (Some((2, 11)), "line 9"));
    assert!(lines(&page, 20, 6).contains(&"line 90".to_owned()));
    page.go_to_hit(false);
    page.go_to_hit(false);
    assert_eq!(page.hit(), Some((11, 11)));
    page.go_to_hit(true);
    assert_eq!(page.hit(), Some((1, 11)));
    page.end_search();
    assert_eq!((page.hit(), page.search("nowhere"), page.search(" ")), (None, 0, 0));
    page.go_to_hit(true);
    page.go_to_hit(false);
    assert_eq!(page.hit(), None);
}

#[test]
fn a_search_puts_case_and_white_space_aside_and_knows_no_pattern() {
    assert_eq!(find("Die STRASSE, die\n Straße", "die straße"), vec![13..25]);
    assert_eq!(find("a.b (c) a?b", "A.B"), vec![0..3]);
    assert!(find("x", &"y".repeat(1_000_000)).is_empty());
}

#[test]
fn a_copy_takes_the_paragraph_where_nothing_was_found() {
    let mut page = page(MINUTES);
    lines(&page, 20, 4);
    page.scroll_by(3);
    assert!(page.selected().starts_with("It voted seven"), "{}", page.selected());
    assert!(page.selected().ends_with("the mayor said."));
    assert_eq!(&*self::page("").selected(), "");
}

/// Bytes that a frame of 120 by 40 may wrap, wherever in a text of a megabyte: what is shown, and a few stretches more.
const FRAME: usize = 120 * 40 * 3 + 8 * crate::widgets::stretches::LONGEST;

#[test]
fn a_frame_of_a_megabyte_wraps_what_it_shows_whatever_the_width() {
    let sentence = "The council voted on Tuesday, and nobody spoke for long. ";
    let paragraphs = format!("{}\n\n", sentence.repeat(12)).repeat(1_600);
    let one_line = "x".repeat(1 << 20);
    let wide = "東京".repeat(180_000);
    let feeds = "\n".repeat(1 << 20);
    for text in [paragraphs, one_line, wide, feeds] {
        assert!(text.len() >= 1 << 20, "{}", text.len());
        let mut page = page(&text);
        page.show(&(text.len() / 2..text.len() / 2 + 1));
        for (step, width) in (40..120).rev().chain(40..120).enumerate() {
            let before = page.rows.wrapped();
            match step % 4 {
                0 => page.scroll_by(3),
                1 => page.page_by(1),
                2 => page.page_by(-1),
                _ => page.scroll_by(-3),
            }
            let moved = page.rows.wrapped();
            lines(&page, width, 40);
            assert!(
                moved - before <= FRAME && page.rows.wrapped() - moved <= FRAME,
                "{width}: {}",
                page.rows.wrapped() - before
            );
        }
        // The same frame again costs nothing.
        lines(&page, 100, 40);
        let before = page.rows.wrapped();
        lines(&page, 100, 40);
        assert_eq!(page.rows.wrapped(), before);
        let before = page.rows.wrapped();
        page.end();
        lines(&page, 100, 40);
        page.home();
        lines(&page, 100, 40);
        assert!(page.rows.wrapped() - before <= 2 * FRAME);
    }
}

proptest! {
    #[test]
    fn a_page_read_from_top_to_bottom_shows_the_whole_text_once(
        text in "([a-z]{1,9}|[ \n]|東|e\u{301}|שלום|👩‍👩‍👧|\t|\\PC){0,60}",
        width in 1u16..20,
        height in 1u16..8,
    ) {
        let mut page = page(&text);
        page.resize(width, height);
        let mut seen = page.shown();
        prop_assert_eq!(seen.start, 0);
        while !page.at_end() {
            let before = page.shown();
            page.page_by(1);
            let now = page.shown();
            prop_assert!(now.start > before.start || page.at_end());
            // No byte is skipped but the feed between two lines.
            prop_assert!(now.start <= seen.end + 1);
            seen.end = now.end;
        }
        prop_assert_eq!(&text[seen.end..], if text.ends_with('\n') { "\n" } else { "" });
    }

    #[test]
    fn nothing_that_is_done_to_a_page_panics(text in "(\\PC|\n){0,80}", steps in proptest::collection::vec((0u8..8, 0u16..30, 0u16..9), 0..12)) {
        let mut page = page(&text);
        for (step, width, height) in steps {
            match step {
                0 => page.scroll_by(isize::try_from(width).unwrap() - 15),
                1 => page.page_by(1),
                2 => page.page_by(-1),
                3 => page.end(),
                4 => page.show(&(usize::from(width)..usize::from(width) + 3)),
                5 => { page.search(text.get(..1).unwrap_or("a")); }
                6 => page.mark(vec![Mark::new(usize::from(height)..usize::from(width), TextRole::Excerpt)]),
                _ => page.go_to_hit(true),
            }
            drawn(&page, width, height, ThemeName::Dark);
            let (_, _) = (page.position(), page.selected().len());
        }
    }
}
