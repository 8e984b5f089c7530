//! Every screen at three sizes, in colour and without; every screen at every small size.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{demo, demo_overlays, view};
use crate::tui::{
    model::{Model, Overlay, Screen, story::Tab},
    testing::{dump, dump_styled},
    theme::{Theme, ThemeName},
    update,
};

fn drawn(model: &mut Model, width: u16, height: u16) -> Buffer {
    update::before_frame(model);
    let offer = update::offer(model);
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    view(model, &offer.ways(), area, &mut buffer);
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

fn over(mut model: Model, overlay: Overlay) -> Model {
    model.overlays.push(overlay);
    model
}

fn counting(mut model: Model) -> Model {
    model.continues_at = Some("2026-10-06T12:10:25Z".parse().unwrap());
    model
}

fn sent() -> crate::tui::model::form::Form {
    let mut form = demo_overlays::override_form();
    (form.focus, form.problem, form.sent) = (0, None, true);
    form
}

/// Every screen and everything that can lie over one.
fn screens() -> Vec<(&'static str, Model)> {
    let typed = Overlay::Palette { query: "over".into(), selected: 2 };
    let mut reading = demo::empty();
    reading.desk.loaded = false;
    vec![
        ("desk", demo::desk()),
        ("desk_priced_outside", demo::noticed(demo::priced(demo::desk()))),
        ("desk_filter", filtering()),
        ("desk_empty", demo::empty()),
        ("desk_reading", reading),
        ("live_writing", demo::writing()),
        ("live_judging", demo::judging()),
        ("live_gate", counting(demo::story(demo::at_gate(), Tab::Live))),
        ("live_sign_off", demo::story(demo::passed(), Tab::Live)),
        ("live_signed", demo::story(demo::signed(), Tab::Live)),
        ("live_failed", demo::story(demo::failed(), Tab::Live)),
        ("live_started", demo::story(demo::started(), Tab::Live)),
        ("concerns", demo::story(demo::at_gate(), Tab::Concerns)),
        ("log", demo::with_log()),
        ("log_reading", demo::story(demo::at_gate(), Tab::Log)),
        ("runs", demo::with_runs()),
        ("help", over(demo::desk(), Overlay::Help { top: 1, place: crate::tui::action::Place::Desk })),
        ("palette", over(demo::desk(), typed)),
        ("question", over(demo::desk(), Overlay::Question(demo_overlays::question()))),
        (
            "form_override",
            over(demo::story(demo::at_gate(), Tab::Live), Overlay::Form(Box::new(demo_overlays::override_form()))),
        ),
        ("form_sent", over(demo::story(demo::at_gate(), Tab::Live), Overlay::Form(Box::new(sent())))),
        (
            "form_edit",
            over(demo::story(demo::at_gate(), Tab::Live), Overlay::Form(Box::new(demo_overlays::edit_form()))),
        ),
    ]
}

#[test]
fn screens_at_three_sizes_in_colour_and_without() {
    for (name, model) in screens() {
        for (width, height) in [(120, 36), (80, 24), (60, 15)] {
            let mut model = model.clone();
            model.theme = Theme::named(ThemeName::Dark);
            insta::assert_snapshot!(format!("{name}_{width}_dark"), dump_styled(&drawn(&mut model, width, height)));
            model.theme = Theme::named(ThemeName::Monochrome);
            insta::assert_snapshot!(format!("{name}_{width}_mono"), dump_styled(&drawn(&mut model, width, height)));
        }
    }
}

#[test]
fn a_window_that_is_too_small_says_what_is_needed_and_who_sees_the_text() {
    let mut model = demo::priced(demo::desk());
    insta::assert_snapshot!("too_small_59", dump(&drawn(&mut model, 59, 20)));
    insta::assert_snapshot!("too_small_30", dump(&drawn(&mut model, 30, 8)));
    insta::assert_snapshot!("too_small_20", dump(&drawn(&mut model, 20, 3)));
}

#[test]
fn every_screen_survives_every_size() {
    let sizes = (0..=40).flat_map(|width| (0..=20).map(move |height| (width, height)));
    let odd = [(60, 15), (61, 16), (79, 17), (80, 18), (99, 15), (100, 15), (101, 19), (300, 100), (60, 200), (1, 300)];
    let screens = screens();
    for (width, height) in sizes.chain(odd) {
        for (name, model) in &screens {
            let mut model = model.clone();
            let buffer = drawn(&mut model, width, height);
            assert_eq!(buffer.area, Rect::new(0, 0, width, height), "{name}");
        }
    }
}

/// Below the least size only a page is drawn; the parts themselves are drawn in any area too.
#[test]
fn every_part_survives_every_area() {
    use super::{desk, form, gate, help, palette, question, story};
    for (_, model) in screens() {
        for width in 0..=40 {
            for height in 0..=20 {
                let mut model = model.clone();
                let offer = update::offer(&model);
                let ways = offer.ways();
                let theme = model.theme;
                let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 12));
                let area = Rect::new(width / 3, height / 3, width, height);
                match model.screen {
                    Screen::Desk => desk::desk(&mut model, ways.begin, area, &mut buffer),
                    Screen::Story => story::story(&mut model, area, &mut buffer),
                }
                let _lines = gate::lines(&model, area);
                for overlay in &mut model.overlays {
                    match overlay {
                        Overlay::Help { top, .. } => help::help(ways.help, top, area, &mut buffer, &theme),
                        Overlay::Palette { query, selected } => {
                            palette::palette(query, *selected, ways.palette, area, &mut buffer, &theme);
                        }
                        Overlay::Question(asked) => question::question(asked, area, &mut buffer, &theme),
                        Overlay::Form(asked) => form::form(asked, area, &mut buffer, &theme),
                    }
                }
            }
        }
    }
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
