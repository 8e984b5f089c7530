use crate::app::model::Question;
use ratatui::{buffer::Buffer, layout::Rect};

use crate::{
    app::{messages::Request, model::Model, news::News, offer, tests::seat::Seat, trouble::Trouble, view::view},
    screens::{
        forms::{field_name::FieldName, model::Form},
        settings::{
            model::{
                ChoosableModel, FirstStory, FoundServer, MeasuredModel, NewSettings, NewTarget, NewTargetAt,
                SeenSettings, SeenTarget, ServerAt, TargetChange,
            },
            update,
        },
    },
    testing::dump::dump,
    widgets::theme::ThemeName,
};
use copydesk_config::{KeyChange, Secret};
use copydesk_core::editorial::export::ExportFormat;
use copydesk_newsroom::Disclosure;
use copydesk_text::spelling::HouseSpelling;

fn server(name: &str, address: &str, here: bool, models: &[&str]) -> FoundServer {
    let host = address.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let models = models.iter().map(|model| (*model).to_owned()).collect();
    FoundServer { name: name.into(), at: ServerAt { address: address.into(), key: None }, host, here, models }
}

fn local() -> FoundServer {
    server("Ollama", "http://127.0.0.1:11434/v1", true, &["text-embedding-3", "llama", "qwen"])
}

fn offline() -> Seat {
    let mut seat = Seat::at_desk();
    seat.model.house.settings = SeenSettings { model: None, editor: "The editor".into(), ..SeenSettings::example() };
    seat
}

fn form(model: &mut Model) -> &mut Form {
    model.on_top_mut().unwrap()
}

fn saved(seat: &mut Seat) -> NewSettings {
    let asked = seat.asked();
    let [Request::SaveSettings(new)] = &asked[..] else { panic!("{asked:?}") };
    (**new).clone()
}

/// The whole screen.
fn drawn(seat: &mut Seat) -> String {
    drawn_in(seat, 80, 24)
}

fn drawn_in(seat: &mut Seat, width: u16, height: u16) -> String {
    let ways = offer::offer(&seat.model);
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    view(&mut seat.model, &ways, area, &mut buffer);
    dump(&buffer)
}

/// The model that the page asks.
fn asked_model(seat: &mut Seat) -> ChoosableModel {
    let asked = seat.asked();
    let [Request::MeasureModel(model)] = &asked[..] else { panic!("{asked:?}") };
    (**model).clone()
}

fn measured(asked: &ChoosableModel) -> MeasuredModel {
    let said =
        vec!["window: 8,192 tokens (llama.cpp says 1 slot of 8,192 tokens)".to_owned(), "JSON: it keeps".to_owned()];
    MeasuredModel { at: asked.at.clone(), said, changes: vec![KeyChange::new("desk.stories_at_once", 1)] }
}

/// The model is asked, and what it said is taken.
fn take_findings(seat: &mut Seat) {
    let asked = asked_model(seat);
    seat.hear(News::Measured(asked.at.clone(), Ok(Box::new(measured(&asked)))));
    seat.keys("enter");
}

#[test]
fn a_new_model_is_asked_what_it_can_take_and_that_is_shown_before_it_is_saved() {
    let mut seat = offline();
    update::first(&mut seat.model, Some("Ada"), None);
    seat.hear(News::Servers(Ok(vec![local()])));
    form(&mut seat.model).focus_on(FieldName::Model);
    seat.keys("down enter");
    let asked = asked_model(&mut seat);
    assert_eq!(asked.at.model, "llama");
    seat.hear(News::Measuring(asked.at.clone(), "trying whether it calls tools".into()));
    assert!(drawn(&mut seat).contains("llama: trying whether it calls tools… esc stops"), "{}", drawn(&mut seat));
    seat.keys("enter");
    assert_eq!(seat.asked(), [], "it is being asked");
    // Esc stops it and keeps the page. An answer that comes late is not shown.
    seat.keys("esc");
    assert_eq!(seat.asked(), [Request::StopMeasuring]);
    seat.hear(News::Measured(asked.at.clone(), Ok(Box::new(measured(&asked)))));
    assert!(seat.model.on_top::<Form>().is_some());
    seat.keys("enter");
    assert_eq!(asked_model(&mut seat), asked);
    seat.hear(News::Measured(asked.at.clone(), Err(Trouble::new("llama did not answer"))));
    assert_eq!(form(&mut seat.model).problem.as_deref(), Some("llama did not answer"));
    seat.keys("enter");
    seat.asked();
    seat.hear(News::Measured(asked.at.clone(), Ok(Box::new(measured(&asked)))));
    let shown = drawn(&mut seat);
    assert!(shown.contains("Save these settings?") && shown.contains("llama at http://127.0.0.1:11434/v1"), "{shown}");
    assert!(shown.contains("window: 8,192 tokens (llama.cpp says 1 slot of 8,192"), "{shown}");
    seat.keys("esc");
    assert_eq!(seat.asked(), [], "a no saves nothing");
    seat.keys("enter");
    assert_eq!(saved(&mut seat).learned, measured(&asked).changes);
}

#[test]
fn one_key_takes_what_the_first_start_proposes() {
    let mut seat = offline();
    update::first(&mut seat.model, Some("Ada"), Some(true));
    assert_eq!(seat.model.theme.name, ThemeName::Light, "the proposal is seen");
    // A model is chosen, never proposed: it would be tried for half a minute first.
    seat.hear(News::Servers(Ok(vec![local()])));
    assert_eq!(form(&mut seat.model).value(FieldName::Model), "No AI: fact sheet and check");
    seat.keys("enter");
    let new = saved(&mut seat);
    let after = SeenSettings { editor: "Ada".into(), theme: ThemeName::Light, ..new.before.clone() };
    assert_eq!(
        new,
        NewSettings {
            before: seat.model.house.settings.clone(),
            after,
            key: None,
            learned: vec![],
            target: None,
            first: true
        }
    );
    // It cannot be written: the page says so, and stays.
    seat.answer(Err("the disk is full"));
    assert_eq!(form(&mut seat.model).problem.as_deref(), Some("the disk is full"));
    seat.keys("enter");
    assert_eq!(saved(&mut seat).after.model, None);
    let now = SeenSettings { desk: "city".into(), ..SeenSettings::example() };
    seat.hear(News::SettingsSaved(Box::new(now.clone())));
    assert_eq!(seat.model.house.settings, now, "the page has them at once");
    seat.answer(Ok(()));
    assert!(seat.model.overlays.is_empty() && seat.model.has_new_settings);
    assert_eq!(seat.model.first_story, Some(FirstStory::Sample));
}

#[test]
fn a_typed_name_replaces_the_proposal_and_no_proposal_replaces_a_choice() {
    let mut seat = offline();
    update::first(&mut seat.model, Some("Ada"), None);
    seat.keys("tab \"Grace\"");
    seat.hear(News::Servers(Ok(vec![local()])));
    seat.keys("enter");
    let after = saved(&mut seat).after;
    assert_eq!((after.editor.as_str(), after.model, after.theme), ("Grace", None, ThemeName::Dark));
    let mut seat = offline();
    update::first(&mut seat.model, Some("Ada"), None);
    seat.keys("tab backspace enter");
    assert_eq!(form(&mut seat.model).problem.as_deref(), Some("enter your name: your decisions carry it"));
}

#[test]
fn another_machine_is_asked_for_its_models_and_gets_texts_only_with_consent() {
    let mut seat = offline();
    seat.keys("C");
    assert_eq!(seat.asked(), [Request::ListModels(None)]);
    seat.hear(News::Servers(Ok(vec![])));
    seat.keys("tab \"http://models.example.com/v1\" enter");
    let named = ServerAt { address: "http://models.example.com/v1".into(), key: None };
    assert_eq!(seat.asked(), [Request::ListModels(Some(named))]);
    seat.hear(News::Servers(Err(Trouble::new("it answered 401"))));
    assert_eq!(form(&mut seat.model).problem.as_deref(), Some("it answered 401"));
    seat.hear(News::Servers(Ok(vec![server("server", "http://models.example.com/v1", false, &["large"])])));
    assert_eq!(form(&mut seat.model).value(FieldName::Model), "large · server, models.example.com, another machine");
    seat.keys("enter");
    assert_eq!(seat.asked(), []);
    assert!(seat.model.on_top::<Question>().is_some_and(|question| question.text.contains("models.example.com")));
    seat.keys("n enter");
    assert!(seat.model.on_top::<Question>().is_some(), "a no is no consent");
    seat.keys("y");
    take_findings(&mut seat);
    let after = saved(&mut seat).after;
    assert!(!after.local_only && after.model.is_some_and(|model| model.model == "large"));
}

#[test]
fn colours_are_shown_while_they_are_chosen_and_come_back() {
    let mut seat = Seat::at_desk();
    seat.keys("O tab tab tab tab right");
    assert_eq!(seat.model.theme.name, ThemeName::Light);
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty());
    assert_eq!(seat.model.theme.name, ThemeName::Dark);
    seat.asked();
    seat.keys("O tab tab tab tab right tab left enter");
    seat.asked().into_iter().for_each(|asked| match asked {
        Request::ListModels(None) => {}
        Request::SaveSettings(new) => {
            let before = SeenSettings::example();
            assert_eq!(new.after, SeenSettings { theme: ThemeName::Light, mouse: true, ..before });
        }
        other => panic!("{other:?}"),
    });
    // Nothing changed: nothing is written.
    let mut seat = Seat::at_desk();
    seat.keys("O enter");
    assert_eq!(seat.asked(), [Request::ListModels(None)]);
    assert!(seat.model.overlays.is_empty());
    seat.keys("C");
    assert!(seat.model.notice.as_ref().is_some_and(|notice| notice.text.contains("small is the writer already")));
}

#[test]
fn what_new_stories_begin_with_is_on_the_page() {
    let mut seat = Seat::at_desk();
    seat.keys("O");
    seat.asked();
    form(&mut seat.model).replace_field(FieldName::Length, "long");
    seat.keys("enter");
    let problem = "the length long: write a number of words, or two, such as 250-400";
    assert_eq!(form(&mut seat.model).problem.as_deref(), Some(problem));
    for (name, text) in [(FieldName::Length, "250-400"), (FieldName::Channel, "metro"), (FieldName::Desk, "city")] {
        form(&mut seat.model).replace_field(name, text);
    }
    for name in [FieldName::Style, FieldName::Spelling, FieldName::Notice] {
        form(&mut seat.model).focus_on(name);
        seat.keys("right");
    }
    seat.keys("enter");
    let after = SeenSettings {
        length: "250-400".into(),
        style: "NEWS".into(),
        channel: "metro".into(),
        desk: "city".into(),
        spelling: HouseSpelling::American,
        disclosure: Disclosure::AiAssisted,
        ..SeenSettings::example()
    };
    assert_eq!(saved(&mut seat).after, after);
    // A length that was set by hand in another way does not keep the rest from being saved.
    let mut seat = Seat::at_desk();
    seat.model.house.settings.length = "about 900".into();
    seat.keys("O \" Quill\" enter");
    assert!(seat.asked().iter().any(|asked| matches!(asked, Request::SaveSettings(_))));
}

#[test]
fn a_place_for_signed_stories_is_described_and_then_written_with_the_page() {
    let mut seat = Seat::at_desk();
    seat.keys("O");
    seat.asked();
    form(&mut seat.model).focus_on(FieldName::Targets);
    seat.keys("right right right enter \"cms\" enter");
    assert_eq!(form(&mut seat.model).problem.as_deref(), Some("enter the address"));
    form(&mut seat.model).replace_field(FieldName::Address, "https://cms.example.com/hook");
    form(&mut seat.model).replace_field(FieldName::Secret, "0123456789abcdef");
    seat.keys("enter");
    assert_eq!(form(&mut seat.model).value(FieldName::Targets), "add cms (https://cms.example.com/hook)");
    seat.keys("enter");
    assert_eq!(seat.asked(), [], "it is another machine");
    assert!(seat.model.on_top::<Question>().is_some_and(|question| question.text.contains("cms.example.com")));
    seat.keys("y");
    let new = saved(&mut seat);
    let secret = Secret::new("0123456789abcdef".into());
    let at = NewTargetAt::Webhook { url: "https://cms.example.com/hook".into(), secret };
    let target = NewTarget { name: "cms".into(), format: ExportFormat::Html, at };
    assert_eq!((new.target, new.after.local_only), (Some(TargetChange::Add(target)), false));
}

#[test]
fn a_place_for_signed_stories_can_be_taken_out() {
    let mut seat = Seat::at_desk();
    let place = |name: &str| SeenTarget { name: name.into(), said: format!("./{name}, html") };
    seat.model.house.settings.targets = vec![place("site"), place("wire")];
    seat.keys("O");
    seat.asked();
    assert_eq!(form(&mut seat.model).value(FieldName::Targets), "site, wire");
    form(&mut seat.model).focus_on(FieldName::Targets);
    seat.keys("left");
    assert_eq!(form(&mut seat.model).value(FieldName::Targets), "take out wire (./wire, html)");
    seat.keys("enter");
    assert_eq!(saved(&mut seat).target, Some(TargetChange::Remove(1)));
}

#[test]
fn every_field_is_seen_in_a_usual_window_and_its_neighbours_in_a_small_one() {
    let mut seat = Seat::at_desk();
    seat.keys("O");
    form(&mut seat.model).focus_on(FieldName::Length);
    let shown = drawn(&mut seat);
    for said in ["Your name: Ada", "Style: Magazine", "Spelling: either", "AI notice: none", "Publish to: nowhere"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    let shown = drawn_in(&mut seat, 60, 15);
    for said in ["Bell: on", "› Length", "Style: Magazine"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!shown.contains("Publish to"), "{shown}");
}
