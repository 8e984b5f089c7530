//! Opens the page, lists models while they are found, shows the colours that are being chosen.

use strum::VariantArray as _;

use crate::app::{Model, Question, Request, Trouble};
use crate::screens::forms::top::form;
use crate::screens::forms::{FieldName, Form, Purpose};
use crate::screens::settings::{
    Asked, ChoosableModel, FirstStory, FoundServer, MeasuredModel, Measuring, ModelAt, NewTarget, SeenSettings,
    ServerAt, TargetChoice,
};
use crate::widgets::{Field, ThemeName, words};
use copydesk_newsroom::Disclosure;
use copydesk_text::spelling::HouseSpelling;

/// Most models in the list: a service may offer thousands.
const MOST_MODELS: usize = 300;

/// The choices for a first start, each with the story that it begins.
const BEGIN: [(&str, Option<FirstStory>); 4] = [
    ("the sample story", Some(FirstStory::Sample)),
    ("a file of mine", Some(FirstStory::Own)),
    ("a recorded story", Some(FirstStory::Recorded)),
    ("an empty desk", None),
];

/// Most columns of the name of the configuration; its end says which it is.
const LONGEST_FILE: usize = 44;

const NO_MODEL: &str = "No AI: fact sheet and check";
const LOOKING: &str = "looking for LM Studio, Ollama, llama.cpp…";
/// Entries stand beside one another if they fit, else below one another.
const CHOOSES: &str = "the arrow keys choose";
const CHOOSE: &str = "the arrow keys choose; one model for all agents";
const NONE_FOUND: &str = "no model server answers on this machine";

/// The page of the first start. `name` and `light` are proposals; `light` is none if the terminal does not say what its background is.
pub fn first(model: &mut Model, name: Option<&str>, light: Option<bool>) {
    let before = model.house.settings.clone();
    let theme = match light {
        Some(true) => ThemeName::Light,
        Some(false) => ThemeName::Dark,
        None => before.theme,
    };
    let title = "Welcome to Copydesk";
    let explanation = format!(
        "Enter takes what is proposed here; Tab goes to the next field. You can change all of it later in the settings ({}).",
        model.keys.keys(crate::app::actions::Action::ShowSettings).first().map(ToString::to_string).unwrap_or_default()
    );
    let fields = vec![
        Field::proposed(FieldName::Name, "the byline of your decisions", name.unwrap_or(&before.editor)),
        models(&before, LOOKING),
        colours(theme),
        Field::choice(FieldName::Begin, CHOOSES, BEGIN.map(|(name, _)| name.to_owned()).to_vec(), 0),
    ];
    let asked = asked(model, true);
    let mut form = Form::new(Purpose::Settings(Box::new(asked)), title, explanation, fields).doing("Begin");
    form.focus_on(FieldName::Begin);
    model.lay_over(form);
    if model.theme.name != ThemeName::Monochrome {
        model.set_theme(theme);
    }
}

pub(crate) fn show(model: &mut Model) {
    open(model, FieldName::Name);
}

pub(crate) fn connect(model: &mut Model) {
    open(model, FieldName::Model);
}

pub(crate) fn try_models(model: &mut Model) {
    let style = model.house.styles.first().cloned().unwrap_or_default();
    model.say("the models are being tried; all messages (!) has what came out");
    model.ask(Request::TryModels { style });
}

fn open(model: &mut Model, focus: FieldName) {
    let before = model.house.settings.clone();
    let explanation = format!("Only what you change is written. File: {}", words::fit_end(&before.file, LONGEST_FILE));
    let on_off =
        |name: FieldName, hint, on: bool| Field::choice(name, hint, vec!["on".into(), "off".into()], usize::from(!on));
    let one_of = |name: FieldName, hint, texts: Vec<String>, now: &str| {
        let chosen = texts.iter().position(|text| text == now).unwrap_or(0);
        Field::choice(name, hint, texts, chosen)
    };
    let one_spelling = |spelling| match spelling {
        HouseSpelling::Either => "either",
        HouseSpelling::American => "American",
        HouseSpelling::British => "British",
    };
    let one_notice = |notice| match notice {
        Disclosure::None => "none",
        Disclosure::AiAssisted => "AI-assisted",
        Disclosure::AiGenerated => "AI-generated",
    };
    let spellings = HouseSpelling::ALL.map(|spelling| one_spelling(spelling).to_owned()).to_vec();
    let notices = Disclosure::ALL.map(|notice| one_notice(notice).to_owned()).to_vec();
    let fields = vec![
        Field::line(FieldName::Name, "the byline of your decisions", &before.editor),
        models(&before, LOOKING),
        Field::line(FieldName::Server, "such as http://127.0.0.1:1234/v1", ""),
        Field::line(FieldName::ServerKey, "only for a server that asks for one", ""),
        colours(model.theme.name),
        on_off(FieldName::Mouse, "with it on, shift and drag selects text", before.mouse),
        on_off(FieldName::Bell, "rings when a story waits for you", before.bell),
        Field::line(FieldName::Length, "of new stories, in words, such as 250-400", &before.length),
        Field::choice(
            FieldName::Style,
            "of new stories",
            model.house.styles.iter().map(|style| words::style(style)).collect(),
            model.house.styles.iter().position(|style| *style == before.style).unwrap_or(0),
        ),
        Field::line(FieldName::Channel, "of new stories that name none", &before.channel),
        Field::line(FieldName::Desk, "of new stories that name none; empty: no desk", &before.desk),
        one_of(FieldName::Spelling, "of your house", spellings, one_spelling(before.spelling)),
        one_of(FieldName::Notice, "what readers are told about AI", notices, one_notice(before.disclosure)),
        Field::choice(FieldName::Targets, "where signed stories go", TargetChoice::texts(&before.targets), 0),
    ];
    let asked = asked(model, false);
    let mut form = Form::new(Purpose::Settings(Box::new(asked)), "Settings", explanation, fields);
    form.focus_on(focus);
    model.lay_over(form);
    model.ask(Request::ListModels(None));
}

fn asked(model: &Model, first: bool) -> Asked {
    let before = model.house.settings.clone();
    let current = before.model.clone().map(|at| {
        let server = model.house.servers.first();
        ChoosableModel {
            host: server.map_or_else(|| at.address.clone(), |server| server.host.clone()),
            here: server.is_none_or(|server| server.here),
            at,
            key: None,
        }
    });
    Asked {
        before,
        styles: model.house.styles.clone(),
        first,
        models: current.into_iter().collect(),
        agreed: false,
        target: None,
        measuring: Measuring::Nothing,
        theme: model.theme.name,
    }
}

fn models(before: &SeenSettings, hint: &'static str) -> Field {
    let now = before.model.iter().map(|at| format!("{} · as now", at.model));
    let texts: Vec<String> = std::iter::once(NO_MODEL.to_owned()).chain(now).collect();
    let chosen = texts.len() - 1;
    Field::choice(FieldName::Model, hint, texts, chosen)
}

fn colours(theme: ThemeName) -> Field {
    let texts = ThemeName::VARIANTS.iter().map(|name| name.name().replace('_', " ")).collect();
    let chosen = ThemeName::VARIANTS.iter().position(|name| *name == theme).unwrap_or(0);
    Field::choice(FieldName::Colours, CHOOSES, texts, chosen)
}

/// The page, wherever it lies.
fn page(model: &mut Model) -> Option<&mut Form> {
    model.forms_mut().find(|form| matches!(form.purpose, Purpose::Settings(_)))
}

fn asked_of(form: &mut Form) -> Option<&mut Asked> {
    match &mut form.purpose {
        Purpose::Settings(asked) => Some(asked),
        _ => None,
    }
}

/// Asks another server for its models. The page stays: one of them is chosen then.
pub(crate) fn list(model: &mut Model, at: ServerAt) {
    if let Some(form) = page(model) {
        form.problem = None;
        form.set_hint(FieldName::Model, "the server is being asked for its models…");
        form.focus_on(FieldName::Model);
    }
    model.ask(Request::ListModels(Some(at)));
}

/// Adds the models that servers offer. None is proposed, because trying one takes a while; one of a server that was named is chosen.
pub(crate) fn listed(model: &mut Model, servers: Vec<FoundServer>) {
    let Some(form) = page(model) else { return };
    let named = !form.value(FieldName::Server).is_empty();
    let Some(asked) = asked_of(form) else { return };
    let known = asked.models.len();
    let mut texts = Vec::new();
    for FoundServer { name, at: ServerAt { address, key }, host, here, models } in servers {
        // An embedding model cannot write.
        for offered in models.into_iter().filter(|offered| !offered.to_lowercase().contains("embed")) {
            let at = ModelAt { address: address.clone(), model: offered };
            if asked.models.len() >= MOST_MODELS || asked.models.iter().any(|known| known.at == at) {
                continue;
            }
            let outside = if here { "" } else { ", another machine" };
            texts.push(format!("{} · {name}, {host}{outside}", at.model));
            asked.models.push(ChoosableModel { at, key: key.clone(), host: host.clone(), here });
        }
    }
    let found = !texts.is_empty();
    let all = known + texts.len();
    if let Some(options) = form.options(FieldName::Model) {
        options.texts.extend(texts);
        if found && named {
            options.chosen = known + 1;
        }
    }
    form.set_hint(FieldName::Model, if all == 0 { NONE_FOUND } else { CHOOSE });
    if named && found {
        form.replace_field(FieldName::Server, "");
        form.replace_field(FieldName::ServerKey, "");
    } else if named {
        form.problem = Some("every model of that server is in the list already".into());
    }
}

pub(crate) fn not_listed(model: &mut Model, trouble: &Trouble) {
    if let Some(form) = page(model) {
        form.problem = Some(trouble.to_string());
        form.set_hint(FieldName::Model, CHOOSE);
        form.focus_on(FieldName::Server);
    }
}

/// Asks a newly chosen model what it can take. The page stays, and Esc stops it.
pub(crate) fn measure(model: &mut Model, asked: ChoosableModel) {
    let Some(form) = page(model) else { return };
    form.problem = None;
    let Some(page) = asked_of(form) else { return };
    // A second Enter while it is being asked.
    if matches!(&page.measuring, Measuring::UnderWay(at, _) if *at == asked.at) {
        return;
    }
    page.measuring = Measuring::UnderWay(asked.at.clone(), "a few short questions".into());
    model.ask(Request::MeasureModel(Box::new(asked)));
}

/// Shows the question that the model is being asked now.
pub(crate) fn measuring(model: &mut Model, at: &ModelAt, what: String) {
    if let Some(Measuring::UnderWay(_, said)) = under_way(model, at) {
        *said = what;
    }
}

/// Shows what was found, before it is saved.
pub(crate) fn measured(model: &mut Model, measured: Box<MeasuredModel>) {
    let Some(state) = under_way(model, &measured.at) else { return };
    let text = format!(
        "{} at {}\n{}\nThe settings are made to fit it. In the file, a note beside each says why.",
        measured.at.model,
        measured.at.address,
        measured.said.join("\n")
    );
    *state = Measuring::Done(measured);
    model.lay_over(Question::new("Save these settings?", text, "save", |_| {}).sending());
}

pub(crate) fn not_measured(model: &mut Model, at: &ModelAt, trouble: &Trouble) {
    if let Some(state) = under_way(model, at) {
        *state = Measuring::Nothing;
        if let Some(form) = page(model) {
            form.problem = Some(trouble.to_string());
        }
    }
}

/// The state of the page, if this model is being asked for it.
fn under_way<'m>(model: &'m mut Model, at: &ModelAt) -> Option<&'m mut Measuring> {
    let state = &mut page(model).and_then(asked_of)?.measuring;
    matches!(state, Measuring::UnderWay(asked, _) if asked == at).then_some(state)
}

/// The settings are saved: the screen opens again with them. Until then the page has them, and the bell.
pub(crate) fn saved(model: &mut Model, now: SeenSettings) {
    model.house.settings = now;
    let first = page(model).filter(|form| form.has(FieldName::Begin)).map(|form| form.chosen(FieldName::Begin));
    model.first_story = first.and_then(|chosen| BEGIN.get(chosen)?.1);
    model.has_new_settings = true;
}

/// Takes a new place for signed stories that was described. It is written with the rest of the page.
pub(crate) fn take_target(model: &mut Model, target: NewTarget) {
    let Some(form) = page(model) else { return };
    if let Some(options) = form.options(FieldName::Targets)
        && let Some(entry) = options.texts.get_mut(options.chosen)
    {
        *entry = format!("add {} ({})", target.name, target.at.said());
    }
    if let Some(asked) = asked_of(form) {
        asked.target = Some(target);
    }
}

/// Asks whether texts may go to another machine.
pub(crate) fn ask_to_agree(model: &mut Model, host: &str) {
    let text = format!(
        "{host} is not this machine. Drafts, sources and prompts of your stories will go there, and privacy.local_only is set to false."
    );
    model.lay_over(Question::new("Send texts to another machine?", text, "send them", agree).sending());
}

fn agree(model: &mut Model) {
    if let Some(asked) = page(model).and_then(asked_of) {
        asked.agreed = true;
    }
}

/// Shows the colours that are being chosen.
pub(crate) fn preview(model: &mut Model) {
    let Some(form) = form(model).filter(|form| matches!(form.purpose, Purpose::Settings(_))) else { return };
    if form.fields.get(form.focus).is_some_and(|field| field.label == <&str>::from(FieldName::Colours))
        && let Some(name) = ThemeName::VARIANTS.get(form.chosen(FieldName::Colours)).copied()
    {
        model.set_theme(name);
    }
}

/// Stops what the model is being asked; if nothing is, leaves the page without saving.
pub(crate) fn leave(model: &mut Model) {
    if let Some(state) = page(model).and_then(asked_of).map(|asked| &mut asked.measuring)
        && matches!(state, Measuring::UnderWay(..))
    {
        *state = Measuring::Nothing;
        return model.ask(Request::StopMeasuring);
    }
    let before = form(model).filter(|form| !form.is_sent()).and_then(asked_of).map(|asked| asked.theme);
    model.overlays.pop();
    if let Some(theme) = before.filter(|theme| *theme != model.theme.name) {
        model.set_theme(theme);
    }
}
