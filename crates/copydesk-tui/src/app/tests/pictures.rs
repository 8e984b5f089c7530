//! Every screen at 80 columns, the main ones at 60 and 120, too; every screen at every small size.

use std::fmt::Write as _;

use std::collections::BTreeMap;

use ratatui::{buffer::Buffer, layout::Rect};

use crate::{
    app::{
        self,
        actions::Action,
        frame::{help::HelpPage, notices::NoticesPage, palette::Palette},
        model::{Model, Overlay, Screen},
        news::News,
        under_way::{UnderWay, WorkKind},
        view::view,
    },
    screens::{
        forms::model::{Form, FormStage},
        story::tabs::{Pane, Tab},
    },
    testing::{
        demo, demo_ask, demo_claims, demo_day, demo_draft, demo_failed_steps, demo_memory, demo_overlays, demo_pages,
        demo_proof, demo_publish, demo_record, demo_review, demo_search, demo_sources, demo_story,
        dump::{dump, dump_styled},
    },
    widgets::{
        list_and_text::ListStage,
        theme::{Theme, ThemeName},
    },
};
use copydesk_core::ports::ServerDown;
use copydesk_newsroom::Journal;

pub(crate) fn drawn(model: &mut Model, width: u16, height: u16) -> Buffer {
    app::hints::before_frame(model);
    let ways = app::offer::offer(model);
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    view(model, &ways, area, &mut buffer);
    buffer
}

fn filtering() -> Model {
    let mut model = demo::desk();
    model.desk.filtering = true;
    model.desk.filter = "city".into();
    model.desk.arrange();
    model.desk.select(2);
    model
}

fn over(mut model: Model, overlay: impl Overlay) -> Model {
    model.overlays.push(Box::new(overlay));
    model
}

fn counting(mut model: Model) -> Model {
    model.continues_at = Some("2026-10-06T12:10:25Z".parse().unwrap());
    model
}

/// The form that asks for the reason to accept a finding.
fn accepting() -> Model {
    let mut model = demo_proof::proof(demo_proof::proved(), Pane::List, 1);
    app::perform::perform(&mut model, crate::app::actions::Action::AcceptFinding);
    model
}

/// The form that overrules a verdict, after it was sent without a reason.
fn overruling() -> Model {
    let mut model = demo_pages::concerns(Pane::List, 2);
    app::perform::perform(&mut model, Action::OverruleVerdict);
    app::perform::perform(&mut model, Action::Save);
    model
}

/// The same with a reason, on its way.
fn sent() -> Model {
    let mut model = overruling();
    let form = model.on_top_mut::<Form>().unwrap();
    (form.focus, form.problem, form.stage) = (0, None, FormStage::Sent(app::ticket::Ticket::default()));
    model
}

/// The draft of the gate in the editor, kept a moment ago.
fn editing() -> Model {
    let mut model = demo_story::story(demo_story::at_gate(), Tab::Live);
    app::perform::perform(&mut model, Action::EditDraft);
    let form = model.on_top_mut::<Form>().unwrap();
    form.opened();
    form.kept_at = Some("2026-10-06T12:03:07Z".into());
    model
}

/// Every screen and everything that can lie over one.
pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let typed = Palette::typed("over", 1);
    let mut reading = demo::empty();
    reading.desk.loaded = false;
    let mut screens = vec![
        ("desk", demo::desk()),
        ("desk_priced_outside", demo::noticed(demo::priced(demo::desk()))),
        ("desk_said_much", demo::said_much(demo::desk())),
        ("desk_long_titles", demo::long_titles(demo::desk())),
        ("desk_filter", filtering()),
        ("desk_empty", demo::empty()),
        ("desk_reading", reading),
        ("live_writing", demo_story::writing()),
        ("live_judging", demo_story::judging()),
        ("live_gate", counting(demo_story::story(demo_story::at_gate(), Tab::Live))),
        ("live_sign_off", demo_story::story(demo_story::passed(), Tab::Live)),
        ("live_signed", demo_story::story(demo_story::signed(), Tab::Live)),
        ("live_failed", demo_story::story(demo_story::failed(), Tab::Live)),
        ("live_started", demo_story::story(demo_story::started(), Tab::Live)),
        ("concerns_list", demo_pages::concerns(Pane::List, 2)),
        ("concerns_draft", demo_pages::concerns(Pane::Draft, 2)),
        ("concerns_verdict", demo_pages::concerns(Pane::Verdict, 1)),
        ("concerns_source", demo_pages::concerns(Pane::Source, 4)),
        ("concerns_search", demo_pages::searched()),
        ("concerns_noticed", counting(demo::noticed(demo_pages::concerns(Pane::List, 5)))),
        ("concerns_left_undone", demo_story::story(demo_pages::left_undone(), Tab::Concerns)),
        ("live_left_undone", demo_story::story(demo_pages::left_undone(), Tab::Live)),
        ("concerns_unreviewed", demo_pages::unreviewed()),
        ("changes_asked_and_not", demo_pages::changes(1, 2, 0)),
        ("changes_over_two_rounds", demo_pages::changes(1, 3, 2)),
        ("changes_one_draft", demo_story::story(demo_story::at_gate(), Tab::Changes)),
        ("article_to_be_signed", demo_pages::article(demo_pages::to_be_signed(), 0)),
        ("article_held_back", demo_pages::article(demo_proof::held_back(), 0)),
        ("concerns_of_the_proof", demo_story::story(demo_proof::proved(), Tab::Concerns)),
        ("form_accept", accepting()),
        ("draft_page", demo_draft::draft(demo_pages::left_undone(), 2)),
        ("draft_page_sign_off", demo_draft::draft(demo_proof::held_back(), 1)),
        ("article_end", demo_pages::article(demo_pages::to_be_signed(), 60)),
        ("article_signed", demo_pages::article(demo_pages::signed(), 0)),
        ("article_spiked", demo_pages::article(demo_pages::spiked(), 0)),
        ("article_not_yet", demo_story::story(demo_story::started(), Tab::Article)),
        ("calls", demo_pages::calls(false, false)),
        ("call_laid_out", demo_pages::calls(true, false)),
        ("call_raw", demo_pages::calls(true, true)),
        ("calls_none", demo_pages::no_calls()),
        ("log", demo_story::with_log()),
        ("log_reading", demo_story::story(demo_story::at_gate(), Tab::Log)),
        ("runs", demo_story::with_runs()),
        ("extract", demo_story::story(demo_story::extracted(), Tab::Live)),
        ("extract_article", demo_pages::article(demo_story::extracted(), 0)),
        ("proof", demo_proof::proof(demo_proof::proved(), Pane::List, 1)),
        ("proof_draft", demo_proof::proof(demo_proof::proved(), Pane::Draft, 0)),
        ("proof_row", demo_proof::proof(demo_proof::proved(), Pane::Verdict, 2)),
        ("proof_source", demo_proof::proof(demo_proof::proved(), Pane::Source, 3)),
        ("proof_accepted", demo_proof::proof(demo_proof::held_back(), Pane::List, 1)),
        ("proof_spelling", demo_proof::spelling()),
        ("proof_proving", demo_proof::proving()),
        ("proof_broken", demo_proof::broken()),
        ("proof_not_yet", demo_story::story(demo_story::started(), Tab::Proof)),
        ("help", over(demo::desk(), HelpPage { top: 1, place: crate::app::action::KeyContext::Desk })),
        ("what_was_said", over(demo::said_much(demo::desk()), NoticesPage { top: 0 })),
        ("nothing_was_said", over(demo::desk(), NoticesPage { top: 3 })),
        ("files", over(demo::desk(), demo_overlays::files("", true))),
        ("files_typed", over(demo::desk(), demo_overlays::files("min", false))),
        ("memory", over(demo::desk(), demo_memory::full(""))),
        ("memory_filter", over(demo::desk(), demo_memory::full("keep BUS"))),
        ("memory_none_fits", over(demo::desk(), demo_memory::full("no such words"))),
        ("memory_reading", over(demo::desk(), demo_memory::list("", None))),
        ("memory_empty", over(demo::desk(), demo_memory::list("", Some(copydesk_core::ports::Book::default())))),
        ("memory_struck", over(demo::desk(), demo_memory::struck_record())),
        ("concerns_remembered", demo_memory::story()),
        ("memory_reused", demo_memory::reused(true)),
        ("memory_reused_reading", demo_memory::reused(false)),
        ("form_strike", demo_memory::striking()),
        ("palette", over(demo::desk(), typed)),
        ("question", over(demo::desk(), demo_overlays::question())),
        ("form_overrule", overruling()),
        ("form_sent", sent()),
        ("form_edit", editing()),
    ];
    screens.extend(demo_search::screens());
    screens.extend(demo_review::screens());
    screens.extend(demo_claims::screens());
    screens.extend(demo_ask::screens());
    screens.extend(demo_failed_steps::screens());
    screens.extend(demo_publish::screens());
    screens.extend(demo_record::screens());
    screens.extend(demo_day::screens());
    screens.extend(demo_sources::screens());
    screens
}

/// Small states of one screen that share a picture, one below the other.
const TOGETHER: [(&str, &[&str]); 21] = [
    ("ask_without", &["ask_opened", "ask_waiting", "ask_stopped", "ask_failed", "ask_no_answer", "ask_nothing"]),
    ("article_without", &["article_spiked", "article_not_yet"]),
    ("call", &["call_laid_out", "call_raw"]),
    ("calls_or_none", &["calls", "calls_none"]),
    (
        "claims_without",
        &["claims_none", "claims_off", "claims_not_yet", "claims_never", "claims_failed", "claims_no_draft"],
    ),
    ("failed_steps_questions", &["failed_steps_retry", "failed_steps_drop"]),
    ("failed_steps_without", &["failed_steps_none", "failed_steps_reading"]),
    ("day_without", &["day_empty", "day_before", "day_reading"]),
    ("desk_without", &["desk_empty", "desk_reading"]),
    ("form_reason", &["form_accept", "form_strike", "form_accept_flags"]),
    ("form_of_sources", &["form_add_source", "form_remove_source", "form_distrust_source", "form_send_reporter"]),
    ("log_or_none", &["log", "log_reading"]),
    ("memory_reuse", &["memory_reused", "memory_reused_reading"]),
    ("memory_without", &["memory_none_fits", "memory_reading", "memory_empty"]),
    ("messages", &["what_was_said", "nothing_was_said"]),
    ("proof_without", &["proof_proving", "proof_broken", "proof_not_yet"]),
    ("publish_without", &["publish_nowhere", "publish_reading"]),
    ("record_without", &["record_empty", "record_reading"]),
    ("search_before", &["search_opened", "search_nothing_typed", "search_searching"]),
    ("sources_read", &["sources_text", "sources_research"]),
    (
        "search_without",
        &[
            "search_nothing",
            "search_no_word",
            "search_no_knowledge",
            "search_index_empty",
            "search_reading_files",
            "search_failed",
        ],
    ),
];

/// The main screens, which are also kept narrow and wide.
const MAIN: [&str; 15] = [
    "desk",
    "live_gate",
    "concerns_list",
    "changes_asked_and_not",
    "article_held_back",
    "draft_page",
    "proof",
    "sources",
    "claims",
    "search_hits",
    "memory",
    "day",
    "failed_steps",
    "help",
    "form_overrule",
];

/// The pictures that tell colours and attributes, too.
const STYLED: [(&str, ThemeName); 11] = [
    ("desk", ThemeName::Dark),
    ("live_writing", ThemeName::Dark),
    ("concerns_draft", ThemeName::Dark),
    ("concerns_search", ThemeName::Monochrome),
    ("changes_asked_and_not", ThemeName::Dark),
    ("article_held_back", ThemeName::Dark),
    ("draft_page", ThemeName::Dark),
    ("proof", ThemeName::Dark),
    ("claims", ThemeName::Monochrome),
    ("search_hits", ThemeName::Dark),
    ("form_overrule", ThemeName::Monochrome),
];

#[test]
fn every_screen_at_80_columns() {
    let mut shared: BTreeMap<&str, String> = BTreeMap::new();
    for (name, mut model) in screens() {
        if let Some((picture, _)) = TOGETHER.iter().find(|(_, states)| states.contains(&name)) {
            let text = dump(&drawn(&mut model, 80, 24));
            write!(shared.entry(picture).or_default(), "== {name}\n{text}").unwrap();
        } else if let Some((_, theme)) = STYLED.iter().find(|(styled, _)| *styled == name) {
            model.theme = Theme::named(*theme);
            insta::assert_snapshot!(format!("{name}_80"), dump_styled(&drawn(&mut model, 80, 24)));
        } else {
            insta::assert_snapshot!(format!("{name}_80"), dump(&drawn(&mut model, 80, 24)));
        }
    }
    for (picture, text) in shared {
        insta::assert_snapshot!(format!("{picture}_80"), text);
    }
}

/// A name that is misspelt in a table would silently lose its picture.
#[test]
fn every_name_of_a_picture_is_a_screen() {
    let screens = screens();
    let named = TOGETHER.iter().flat_map(|(_, states)| states.iter()).chain(&MAIN);
    for name in named.chain(STYLED.iter().map(|(name, _)| name)) {
        assert!(screens.iter().any(|(screen, _)| screen == name), "{name}");
    }
}

#[test]
fn the_main_screens_narrow_and_wide() {
    for (name, mut model) in screens().into_iter().filter(|(name, _)| MAIN.contains(name)) {
        for (width, height) in [(60, 15), (120, 36)] {
            insta::assert_snapshot!(format!("{name}_{width}"), dump(&drawn(&mut model, width, height)));
        }
    }
}

#[test]
fn a_window_that_is_too_small_says_what_is_needed_and_who_sees_the_text() {
    let mut model = demo::priced(demo::desk());
    let windows = [(59, 20), (30, 8), (20, 3)];
    let pictures =
        windows.map(|(width, height)| format!("== {width} x {height}\n{}", dump(&drawn(&mut model, width, height))));
    insta::assert_snapshot!("too_small", pictures.concat());
}

/// Up to forty columns and twenty rows: every width and height near zero, and a spread above. Each new width lays long
/// texts out again, so the sizes of one width follow each other.
fn small_sizes() -> impl Iterator<Item = (u16, u16)> {
    const WIDTHS: [u16; 12] = [0, 1, 2, 3, 4, 5, 7, 11, 18, 26, 33, 40];
    const HEIGHTS: [u16; 10] = [0, 1, 2, 3, 4, 5, 7, 10, 15, 20];
    // Each width with every height at the edges; each height with the narrowest and the widest.
    let narrow = WIDTHS.into_iter().flat_map(|width| HEIGHTS.into_iter().map(move |height| (width, height)));
    let edges = [1, 40].into_iter().flat_map(|width| (0..=20).map(move |height| (width, height)));
    let rows = (0..=40).flat_map(|width| [1, 20].into_iter().map(move |height| (width, height)));
    narrow.chain(edges).chain(rows)
}

#[test]
fn every_screen_survives_every_size() {
    let odd =
        [(60, 15), (61, 16), (79, 17), (80, 18), (99, 15), (100, 15), (101, 19), (150, 15), (300, 100), (60, 200)];
    for (name, mut model) in screens() {
        let ways = app::offer::offer(&model);
        // All sizes below the least one show the same page, so a few of them are enough.
        let tiny = [(0, 0), (0, 9), (1, 1), (1, 300), (2, 40), (5, 3), (40, 0), (40, 20), (59, 15), (60, 14)];
        for (width, height) in tiny.into_iter().chain(odd) {
            let area = Rect::new(0, 0, width, height);
            let mut buffer = Buffer::empty(area);
            view(&mut model, &ways, area, &mut buffer);
            assert_eq!(buffer.area, area, "{name}");
        }
    }
}

/// Below the least size only a page is drawn; the parts themselves are drawn in any area too.
#[test]
fn every_part_survives_every_area() {
    use crate::screens::{desk, gate, story};
    for (_, mut model) in screens() {
        let ways = app::offer::offer(&model);
        for (width, height) in small_sizes() {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 12));
            let area = Rect::new(width / 3, height / 3, width, height);
            match model.screen {
                Screen::Desk => desk::view::desk(&mut model, &ways.begin, area, &mut buffer),
                Screen::Story => story::view::story(&mut model, area, &mut buffer),
            }
            let _lines = gate::view::lines(&model, area);
            model.draw_pages(&ways, area, &mut buffer);
        }
    }
}

/// Bullets, verdict, passage and the change that a concern asked for are on one page.
#[test]
fn what_became_of_a_concern_stands_below_the_draft_in_a_large_window() {
    let mut model = demo_pages::concerns_and_changes(4);
    insta::assert_snapshot!("concerns_changes_160", dump(&drawn(&mut model, 160, 50)));
    // The change of another concern comes into sight with it.
    let selected = |model: &Model| {
        let compared = model.story.as_ref().unwrap().concerns.compared.as_ref().unwrap();
        let change = &compared.comparison.changes[compared.state.selected];
        compared.comparison.asked_for(change).and_then(|asked| asked.concern)
    };
    assert_eq!(selected(&model), Some(5));
    let mut model = demo_pages::concerns_and_changes(1);
    let shown = dump(&drawn(&mut model, 160, 50));
    assert_eq!(selected(&model), Some(2), "{shown}");
    assert!(!dump(&drawn(&mut model, 160, 30)).contains("Changes from draft 1"), "there is no room for it");
}

/// From 150 columns on three columns hold the four panes.
#[test]
fn concerns_draft_verdict_and_source_side_by_side() {
    let mut model = demo_pages::concerns(Pane::List, 4);
    insta::assert_snapshot!("concerns_160", dump(&drawn(&mut model, 160, 50)));
    let mut model = demo_proof::proof(demo_proof::proved(), Pane::List, 1);
    insta::assert_snapshot!("proof_160", dump(&drawn(&mut model, 160, 50)));
    let mut model = demo_draft::draft(demo_pages::left_undone(), 2);
    insta::assert_snapshot!("draft_page_160", dump(&drawn(&mut model, 160, 50)));
    insta::assert_snapshot!(
        "article_160",
        dump(&drawn(&mut demo_pages::article(demo_pages::to_be_signed(), 0), 160, 50))
    );
}

/// The list over the whole width, and below it those who carry a claim beside those who contradict it.
#[test]
fn witnesses_that_contradict_each_other_side_by_side() {
    let mut model = demo_claims::at(0, ListStage::List);
    insta::assert_snapshot!("claims_160", dump(&drawn(&mut model, 160, 50)));
}

/// The failed steps with the attempts of one of them.
#[test]
fn failed_steps_in_a_large_window() {
    let mut model = demo_failed_steps::page();
    insta::assert_snapshot!("failed_steps_160", dump(&drawn(&mut model, 160, 50)));
}

#[test]
fn work_that_takes_long_is_shown_on_every_page_until_it_is_over() {
    let mut model = demo::desk();
    let since = model.now - jiff::SignedDuration::from_secs(6);
    let far = Some((100 << 20, 300 << 20));
    let work = UnderWay { kind: WorkKind::BackUp, since, far };
    app::hear::hear(&mut model, News::GoesOn(work));
    let said = "▸ Backing up the desk: 100 of 300 MiB · 6 s · about 12 s to go";
    assert!(dump(&drawn(&mut model, 80, 24)).lines().any(|line| line.trim_end() == said));
    assert!(dump(&drawn(&mut model, 60, 15)).contains("▸ Backing up the desk: 100 of 300 MiB"));
    app::perform::perform(&mut model, Action::ShowDay);
    assert!(dump(&drawn(&mut model, 80, 24)).contains(said));
    assert!(app::hints::moves(&model), "its time goes on");
    app::hear::hear(&mut model, News::IsOver { kind: WorkKind::BackUp, since });
    assert!(!dump(&drawn(&mut model, 80, 24)).contains("Backing up"));
}

/// The numbers of a day in two columns.
#[test]
fn a_day_in_numbers_in_a_large_window() {
    let mut model = demo_day::busy();
    insta::assert_snapshot!("day_160", dump(&drawn(&mut model, 160, 50)));
}

#[test]
fn a_server_that_is_down_is_told_of_on_the_desk_and_where_a_story_waits() {
    let down = |since, error: Option<&str>| ServerDown {
        server: "127.0.0.1:1234".into(),
        since,
        until: 0,
        error: error.map(str::to_owned),
    };
    let mut desk = demo::desk();
    let judged = demo_story::judged();
    let mut under_way = Journal::new(judged.opening.clone());
    for entry in judged.entries().iter().take(4) {
        under_way.push(entry.clone());
    }
    let mut story = demo_story::story(under_way, Tab::Live);
    assert!(!dump(&drawn(&mut desk, 120, 24)).contains("is down"));
    for model in [&mut desk, &mut story] {
        model.servers_down = vec![down(Some(0), Some("503: loading"))];
    }
    assert!(dump(&drawn(&mut desk, 120, 24)).contains("127.0.0.1:1234 is down"));
    let said = dump(&drawn(&mut story, 120, 24));
    assert!(said.contains("127.0.0.1:1234 is down (503: loading). Its stories wait"), "{said}");
    desk.servers_down = vec![down(None, None)];
    assert!(dump(&drawn(&mut desk, 120, 24)).contains("127.0.0.1:1234 asked us to wait"));
    desk.servers_down = vec![down(None, None), down(Some(0), None)];
    assert!(dump(&drawn(&mut desk, 120, 24)).contains("2 servers are unavailable"));
}

#[test]
fn the_selected_story_is_kept_in_sight() {
    let mut model = demo::desk();
    model.desk.select(10);
    let said = dump(&drawn(&mut model, 60, 15));
    assert!(said.contains("› * signed off"), "{said}");
    model.desk.select(-10);
    let said = dump(&drawn(&mut model, 60, 15));
    assert!(said.contains("› "), "{said}");
    assert_eq!(model.desk.top, 0);
}

#[test]
fn which_server_sees_the_text_is_on_every_screen() {
    for (name, model) in screens() {
        let mut model = demo::priced(model);
        for (width, height) in [(120, 36), (80, 24), (60, 15), (40, 10)] {
            let said = dump(&drawn(&mut model, width, height));
            assert!(said.contains("api.example.com"), "{name} at {width}:\n{said}");
        }
    }
}

/// Without colours nothing that is told may be lost: it is a word, a mark, or looks different.
#[test]
fn in_monochrome_whatever_tells_something_is_told_without_colour() {
    use crate::widgets::mark::TextRole;
    use ratatui::style::{Color, Style};
    let theme = Theme::named(ThemeName::Monochrome);
    // Styles that can stand in one text. No two look alike, and none looks like the text around it.
    let together: [&[(&str, Style)]; 4] = [
        &[
            ("text", TextRole::Text.style(&theme)),
            ("the selected concern's excerpt", TextRole::Excerpt.style(&theme)),
            ("another concern's excerpt", TextRole::Concern.style(&theme)),
            ("a hit", TextRole::Hit.style(&theme)),
            ("the hit at which the search stands", TextRole::CurrentHit.style(&theme)),
            ("a quotation", TextRole::Quote.style(&theme)),
        ],
        &[("text", theme.text), ("the passage", TextRole::Passage.style(&theme)), ("a heading", theme.heading)],
        &[("same", theme.text), ("added", theme.added), ("removed", theme.removed), ("selected", theme.selected)],
        &[("a status", theme.text), ("overruled", theme.struck), ("a host outside", theme.outside)],
    ];
    for texts in together {
        for (place, (one, look)) in texts.iter().enumerate() {
            for (other, same) in texts.iter().skip(place + 1) {
                assert_ne!(look, same, "{one} looks like {other}");
            }
        }
    }
    for (name, mut model) in screens() {
        model.theme = theme;
        let (mut colours, mut modifiers) = (0, 0);
        for cell in drawn(&mut model, 120, 36).content {
            colours += usize::from(cell.fg != Color::Reset || cell.bg != Color::Reset);
            modifiers += usize::from(!cell.modifier.is_empty());
        }
        assert_eq!(colours, 0, "{name} has colours");
        assert!(modifiers > 0, "{name} marks nothing");
    }
}

/// Words or marks say on a screen what its colours say.
#[test]
fn statuses_and_states_are_words_or_marks() {
    use crate::screens::{desk::model::StoryState, live::rail::RailState};
    let said = |model: &mut Model| {
        model.theme = Theme::named(ThemeName::Monochrome);
        dump(&drawn(model, 120, 36))
    };
    let list = said(&mut demo_pages::concerns(Pane::List, 0));
    for words in ["› ", "REWRITE “in April”", "KEEP    was REMOVE", "KEEP    “a great day"] {
        assert!(list.contains(words), "{words}\n{list}");
    }
    let calls = said(&mut demo_pages::calls(false, false));
    assert!(["✓ ", "✗ ", "▸ "].iter().all(|mark| calls.contains(mark)), "{calls}");
    let changes = said(&mut demo_pages::changes(1, 2, 0));
    assert!(["▸!", "●1", "[-April-]", "{+, council says+}"].iter().all(|mark| changes.contains(mark)), "{changes}");
    let article = said(&mut demo_pages::article(demo_pages::to_be_signed(), 0));
    assert!(["! Short: 92 words; target 250", "✓ Draft 3: "].iter().all(|mark| article.contains(mark)), "{article}");
    assert!(said(&mut demo::noticed(demo::desk())).contains("✗ The article cannot be saved"));
    let standings = [
        StoryState::AtGate,
        StoryState::AtSignOff,
        StoryState::Flagged,
        StoryState::Failed,
        StoryState::Spiked,
        StoryState::AtWork,
        StoryState::Queued,
        StoryState::Elsewhere,
        StoryState::Stopped,
        StoryState::Paused,
        StoryState::Passed,
        StoryState::Extracted,
        StoryState::Signed,
        StoryState::SignedAsNotes,
        StoryState::Withdrawn,
    ];
    let words: std::collections::BTreeSet<&str> = standings.iter().map(|standing| standing.words().1).collect();
    assert_eq!(words.len(), standings.len());
    let states = [RailState::Done, RailState::Running, RailState::Ready, RailState::Waits, RailState::Failed];
    let marks: std::collections::BTreeSet<&str> = states.iter().map(|state| state.mark()).collect();
    assert_eq!(marks.len(), states.len());
}
