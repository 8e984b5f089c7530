use crate::{
    testing::dump::{dump, dump_styled},
    widgets::{
        diff::{pane::*, state::DiffSearch},
        theme::ThemeName,
    },
};
use copydesk_core::editorial::changes::{AskedFor, by_hand, compare};
use copydesk_newsroom::ArticleResponse;

const OLD: &str = "The Ellery Falls council voted 7-2 on Monday to renovate Miller Park. The work costs $1.8 million and begins in \
    May, when the school year ends and the contractor has its crews in the county.\n\n“We have waited ten years for this,” said \
    Denise Pruitt, who chairs the Friends of Miller Park.\n\nThe park opened in 1956.\n\nIts pond was dug by hand.\n\nIts oaks \
    are older than the town.\n\nTwo members opposed the plan.\n\nPlans for a café were dropped.\n\n議会は計画を承認した。 The sister \
    city sent a greeting.\n\nThe bridge stays closed until the work is done.";

fn article(body: &str, headline: &str) -> ArticleResponse {
    ArticleResponse {
        headline: headline.into(),
        alternativeHeadline: "Seven to two for the park".into(),
        description: "A vote on Miller Park.".into(),
        articleBody: body.into(),
    }
}

fn asked(mark: &str, label: &str, excerpt: Option<&str>, to_do: &str) -> AskedFor {
    AskedFor {
        label: label.into(),
        mark: mark.into(),
        concern: mark.parse().ok(),
        excerpt: excerpt.map(str::to_owned),
        to_do: to_do.into(),
        removes: label.ends_with("REMOVE"),
    }
}

/// Two corrections, one removal, a move; a quotation and a greeting without a request.
fn comparison() -> Comparison {
    let new = OLD
        .replace("1.8", "1.4")
        .replace("waited ten years", "fought ten years")
        .replace("\n\nPlans for a café were dropped.", "")
        .replace("承認", "否決")
        .replace("\n\nThe bridge stays closed until the work is done.", "")
        .replace("\n\nThe park opened", "\n\nThe bridge stays closed until the work is done.\n\nThe park opened");
    let to_dos = [
        asked(
            "2",
            "concern 2, REWRITE",
            Some("The work costs $1.8 million"),
            "Replace “$1.8 million” with “$1.4 million”.",
        ),
        asked("5", "concern 5, REMOVE", Some("Plans for a café were dropped."), "Cut this: no source has it."),
        asked("e1", "editor's feedback", None, "Replace “Council votes” with “Council approves park”"),
    ];
    compare(&article(OLD, "Council votes"), &article(&new, "Council approves park"), &to_dos)
}

fn drawn(comparison: &Comparison, state: &DiffState, (width, height): (u16, u16), theme: &Theme) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    let page = DiffPage::new(comparison, state, width, theme);
    view(&page, state, comparison, area, &mut buf, theme);
    buf
}

const SIZES: [(u16, u16); 3] = [(120, 36), (80, 24), (60, 15)];

#[test]
fn the_pane_at_three_sizes_in_colour_and_without() {
    let compared = comparison();
    let (dark, plain) = (Theme::named(ThemeName::Dark), Theme::named(ThemeName::Monochrome));
    for size in SIZES {
        let mut state = DiffState::new(1, 2);
        let page = DiffPage::new(&compared, &state, size.0, &dark);
        state.next_unasked(&compared, &page.jumps, text_height(Rect::new(0, 0, size.0, size.1)));
        let name = format!("{}x{}", size.0, size.1);
        insta::assert_snapshot!(format!("diff_{name}"), dump_styled(&drawn(&compared, &state, size, &dark)));
        let written = dump(&drawn(&compared, &state, size, &plain));
        assert!(written.contains("[-") && written.contains("{+"), "{written}");
    }
}

#[test]
fn a_search_unfolds_what_did_not_change_and_inline_is_possible_where_there_is_room_for_two() {
    let compared = by_hand(&article(OLD, "A"), &article(&OLD.replace("Two", "Three").replace("1956", "1957"), "A"));
    let state = DiffState {
        layout: Layout::Inline,
        search: Some(DiffSearch { query: "the".into(), at: 0 }),
        ..DiffState::new(2, 3)
    };
    let plain = Theme::named(ThemeName::Monochrome);
    insta::assert_snapshot!(dump(&drawn(&compared, &state, (120, 36), &plain)));
}

#[test]
fn two_drafts_that_are_the_same_say_so() {
    let compared = compare(&article(OLD, "A"), &article(OLD, "A"), &[]);
    let plain = Theme::named(ThemeName::Monochrome);
    insta::assert_snapshot!(dump(&drawn(&compared, &DiffState::new(1, 2), (60, 15), &plain)));
}

#[test]
fn every_size_is_drawn() {
    let compared = comparison();
    for theme in [ThemeName::Dark, ThemeName::Monochrome].map(Theme::named) {
        for width in 0..=40 {
            let page = DiffPage::new(&compared, &DiffState::new(1, 2), width, &theme);
            for (height, (selected, scroll)) in
                (0..=20).flat_map(|height| [(0, 0), (3, 9), (usize::MAX, usize::MAX)].map(|at| (height, at)))
            {
                let area = Rect::new(0, 0, width, height);
                let state = DiffState { selected, scroll, ..DiffState::new(1, 2) };
                view(&page, &state, &compared, area, &mut Buffer::empty(area), &theme);
            }
        }
    }
    // A page of another width, and an area that is not all on the screen.
    let (state, theme) = (DiffState::new(1, 2), Theme::named(ThemeName::Dark));
    let page = DiffPage::new(&compared, &state, 200, &theme);
    let mut buf = Buffer::empty(Rect::new(0, 0, 30, 8));
    view(&page, &state, &compared, Rect::new(9, 2, 90, 90), &mut buf, &theme);
    assert!(dump(&buf).contains("draft 1"));
}

#[test]
fn a_page_is_laid_out_anew_only_where_something_changed() {
    let (compared, dark) = (comparison(), Theme::named(ThemeName::Dark));
    let state = DiffState::new(1, 2);
    let page = DiffPage::new(&compared, &state, 80, &dark);
    let scrolled = DiffState { selected: 2, scroll: 9, layout: Layout::Inline, ..state.clone() };
    assert!(page.fits(&state, 80, &dark) && page.fits(&scrolled, 80, &dark));
    assert!(!page.fits(&state, 81, &dark) && !page.fits(&state, 80, &Theme::named(ThemeName::Light)));
    assert!(!page.fits(
        &DiffState { search: Some(DiffSearch { query: "the".into(), at: 0 }), ..state.clone() },
        80,
        &dark
    ));
    assert!(!DiffPage::new(&compared, &state, 120, &dark).fits(&scrolled, 120, &dark));
}

#[test]
fn every_change_can_be_jumped_to() {
    let (compared, dark) = (comparison(), Theme::named(ThemeName::Dark));
    let page = DiffPage::new(&compared, &DiffState::new(1, 2), 60, &dark);
    assert_eq!(page.jumps.first_lines.len(), compared.changes.len());
    assert!(page.jumps.first_lines.is_sorted() && page.jumps.lines == page.lines.len());
    for (change, line) in page.jumps.first_lines.iter().enumerate() {
        assert!(page.lines[*line].begins.contains(&change), "change {change} does not begin on line {line}");
    }
}

#[test]
fn the_unasked_changes_are_walked_through_round_and_round() {
    let (compared, dark) = (comparison(), Theme::named(ThemeName::Dark));
    let mut state = DiffState::new(1, 2);
    let page = DiffPage::new(&compared, &state, 60, &dark);
    let walked: Vec<usize> = (0..4)
        .map(|_| {
            assert!(state.next_unasked(&compared, &page.jumps, 10));
            state.selected
        })
        .collect();
    let unasked = compared.changes.iter().enumerate().filter(|(_, change)| change.why == ChangeReason::Nobody);
    let unasked: Vec<usize> = unasked.map(|(index, _)| index).collect();
    assert_eq!(walked, [unasked.clone(), vec![unasked[0]]].concat());
}

#[test]
fn what_is_looked_for_is_found_in_both_drafts_across_marks_and_folds() {
    let (old, new) = (article(OLD, "A"), article(&OLD.replace("oaks", "elms").replace("1956", "1957"), "A"));
    let compared = compare(&old, &new, &[]);
    let dark = Theme::named(ThemeName::Dark);
    let lines = |query: &str, width: u16| {
        let state = DiffState { search: Some(DiffSearch { query: query.into(), at: 0 }), ..DiffState::new(1, 2) };
        DiffPage::new(&compared, &state, width, &dark).jumps.hits
    };
    assert_eq!(lines("the bridge", 60).len(), 1, "in a fold, whatever the case");
    assert_eq!(lines("the bridge", 140).len(), 1, "once, where both drafts say it");
    assert_eq!((lines("Its oaks", 140).len(), lines("Its elms", 140).len()), (1, 1));
    assert_eq!(lines("park opened in 1957", 140).len(), 1, "across what was changed");
    assert!(lines("nowhere", 60).is_empty());
    let hits = lines("the", 60);
    assert!(hits.is_sorted() && hits.len() > 5, "{hits:?}");
}
