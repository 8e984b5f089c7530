//! Hand edits: typed here or in the person's own editor, kept in the database as they are typed, decided like anything else.

use std::path::PathBuf;

use crate::editorial::{decisions, drafts};
use crate::newsroom::{ArticleResponse, Wait};
use crate::ports::RunKey;
use crate::text::sanitise;
use crate::tui::{
    app::{
        effects::Effect,
        messages::Request,
        model::{Model, Overlay, Question, Then},
    },
    screens::{
        forms::{
            model::{Form, Stage},
            purpose::{At, Decides, Purpose},
            update::{article, form},
        },
        gate,
    },
    widgets::field::Field,
};

/// Under which name a hand edit is kept while it is typed.
pub(crate) fn kept_name(round: u32) -> String {
    format!("r{round}.edit")
}

/// Opens the draft for a hand edit, here or in the person's own editor, with what was being typed before where that was left
/// unsaved.
pub(crate) fn open_edit(model: &mut Model, outside: bool) -> Vec<Effect> {
    let Some((at, story)) = gate::update::place(model) else { return Vec::new() };
    let (run, round) = (at.run, at.round());
    let Some(draft) = story.journal.draft(round) else { return Vec::new() };
    let article = decisions::edit(&story.journal, round).unwrap_or(&draft.article).clone();
    let ticket = model.ticket();
    let mut form = edit_form(at, article);
    form.stage = Stage::Reading { ticket, outside };
    gate::update::push(model, form);
    vec![Effect::AskFor(ticket, Request::ReadKept { run, what: kept_name(round) })]
}

fn edit_form(at: At, article: ArticleResponse) -> Form {
    let round = at.round();
    let fields = vec![
        Field::line("Headline", "one line", &article.headline),
        Field::line("Alternative headline", "one line", &article.alternativeHeadline),
        Field::text("Description", "one or two sentences", &article.description),
        Field::text("Text", "Markdown", &article.articleBody),
    ];
    let mut form = Form::new(
        Purpose::Decide(at, Decides::Edit { before: Box::new(article) }),
        format!("Edit the draft of round {round}"),
        "Your text becomes the next draft and is reviewed like any other. It is kept while you type.",
        fields,
    );
    form.focus = 3;
    form
}

/// What was kept has been read, where something was: now the text can be worked on.
pub(crate) fn opened(form: &mut Form, outside: bool) -> Vec<Effect> {
    let mut effects = if form.opened() { keep(form) } else { Vec::new() };
    if outside {
        effects.extend(hand_out(form));
    }
    effects
}

/// The form of a hand edit, whatever lies over it.
fn edit_of<'m>(model: &'m mut Model, run: RunKey, what: &str) -> Option<&'m mut Form> {
    model.overlays.iter_mut().find_map(|overlay| match overlay {
        Overlay::Form(form) => {
            let is = form.edits().is_some_and(|(at, _)| at.run == run && kept_name(at.round()) == what);
            is.then_some(&mut **form)
        }
        _ => None,
    })
}

/// What was kept of a hand edit comes back into the form that waits for it.
pub(crate) fn restore(model: &mut Model, run: RunKey, what: &str, text: &str, at: String) {
    let Ok(kept) = serde_json::from_str::<ArticleResponse>(text) else { return };
    let Some(form) = edit_of(model, run, what) else { return remember(model, run, what, &kept) };
    let is_news = form.edits().is_some_and(|(_, before)| kept != *before);
    if !is_news || !matches!(form.stage, Stage::Reading { .. }) {
        return;
    }
    for (place, (_, text)) in kept.fields().into_iter().enumerate() {
        form.replace_field(place, text);
    }
    form.kept_at = Some(at);
    form.explanation =
        "This is what you were typing when it was last kept: save it, leave it for later, or throw it away.".into();
    form.problem = None;
}

/// A hand edit of the gate that waits was kept and never saved: continuing asks about it.
fn remember(model: &mut Model, run: RunKey, what: &str, kept: &ArticleResponse) {
    let Some(story) = model.story.as_deref_mut().filter(|story| story.key == run) else { return };
    let Some(Wait::Gate { round }) = story.waits() else { return };
    let known = decisions::edit(&story.journal, round).or(story.journal.draft(round).map(|draft| &draft.article));
    if kept_name(round) == what && known != Some(kept) {
        story.gate.undecided_edit = Some(round);
        model.continues_at = None;
        model.say("an edit of this draft was kept and never saved: open it again to save it or to throw it away");
    }
}

/// A hand edit is kept in the database as it is typed.
pub(crate) fn keep(form: &Form) -> Vec<Effect> {
    let Some((at, _)) = form.edits() else { return Vec::new() };
    match serde_json::to_string(&article(form)) {
        Ok(text) => vec![Effect::Ask(Request::Keep { run: at.run, what: kept_name(at.round()), text })],
        Err(_) => Vec::new(),
    }
}

/// What is being typed is in the database, or cannot be put there now.
pub(crate) fn is_kept(model: &mut Model, run: RunKey, what: &str, kept: Result<String, String>) {
    match (edit_of(model, run, what), kept) {
        (Some(form), Ok(at)) => (form.kept_at, form.problem) = (Some(at), None),
        (Some(form), Err(problem)) => (form.kept_at, form.problem) = (None, Some(problem)),
        (None, Err(problem)) => model.warn(problem),
        (None, Ok(_)) => {}
    }
}

/// Hands the text to the person's own editor: the focused field of a form, or the draft that waits.
pub(crate) fn edit_outside(model: &mut Model) -> Vec<Effect> {
    match form(model) {
        Some(form) if form.stage == Stage::Open => hand_out(form),
        Some(_) => Vec::new(),
        None => open_edit(model, true),
    }
}

fn hand_out(form: &mut Form) -> Vec<Effect> {
    let Some(text) = form.focused_text() else { return Vec::new() };
    form.stage = Stage::Outside;
    vec![Effect::EditOutside(text)]
}

/// Takes the text back into the form that it was handed out from, whatever lies over it.
pub(crate) fn edited_outside(model: &mut Model, text: Option<String>, problem: Option<String>) -> Vec<Effect> {
    let form = model.overlays.iter_mut().find_map(|overlay| match overlay {
        Overlay::Form(form) if form.stage == Stage::Outside => Some(form),
        _ => None,
    });
    let Some(form) = form else { return Vec::new() };
    form.stage = Stage::Open;
    form.problem = problem;
    match text {
        Some(text) => {
            form.replace(sanitise::clean(&text).trim_end_matches('\n'));
            keep(form)
        }
        None => Vec::new(),
    }
}

/// Leaves the form of a hand edit. What is kept of it stays until it is decided or thrown away.
pub(crate) fn leave(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    let Some((at, _)) = form.edits() else { return Vec::new() };
    let at = at.clone();
    if form.holds_back() {
        form.problem = Some("what was kept of it is still being read; leave in a moment".into());
        return Vec::new();
    }
    let (sent, kept) = (form.is_sent(), form.kept_at.is_some());
    let edited = form.is_touched() || kept;
    let text = drafts::to_markdown(&article(form));
    let waits = model.story.as_deref().is_some_and(|story| story.key == at.run && story.waits() == Some(at.seen.at));
    if edited && !sent && !waits {
        let path = PathBuf::from(format!("{}-round-{}-edit.md", at.story.slug, at.round()));
        model.lay_over(Overlay::Question(Question {
            title: "The story has gone on".into(),
            text: format!(
                "The gate of round {} was left while you edited, and your text is no draft there any more. It can be written to {}.",
                at.round(),
                path.display()
            ),
            yes: "write the file".into(),
            then: Then::SaveEdit(path, text),
        }));
        return Vec::new();
    }
    model.overlays.pop();
    if !edited || !waits {
        return Vec::new();
    }
    if let Some(story) = model.story.as_deref_mut() {
        // Where it is decided after all, it is forgotten with the decision.
        story.gate.undecided_edit = Some(at.round());
    }
    model.say(match (sent, kept) {
        (true, _) => "your edit is being saved",
        (false, true) => "your edit is kept but not decided: open it again and save it, or it is no part of the story",
        (false, false) => {
            "your edit is being kept but not decided: open it again and save it, or it is no part of the story"
        }
    });
    Vec::new()
}

/// Writes the hand edit to a file; the form is closed once it is there.
pub(crate) fn write(model: &mut Model, path: PathBuf, text: String) -> Vec<Effect> {
    let ticket = model.ticket();
    let Some(form) = form(model) else { return Vec::new() };
    form.stage = Stage::Sent(ticket);
    vec![Effect::AskFor(ticket, Request::Write { path, text })]
}

/// Asks whether the hand edit that is being made is to be thrown away.
pub(crate) fn ask_to_forget(model: &mut Model) -> Vec<Effect> {
    model.lay_over(Overlay::Question(Question {
        title: "Throw your edit away?".into(),
        text: "What you typed and did not save is deleted. The draft, and an edit that you saved as a decision, stay as they are.".into(),
        yes: "throw it away".into(),
        then: Then::ForgetEdit,
    }));
    Vec::new()
}

/// Throws the hand edit away that is being made.
pub(crate) fn forget(model: &mut Model) -> Vec<Effect> {
    let Some((at, _)) = form(model).and_then(|form| form.edits()) else { return Vec::new() };
    let (run, round) = (at.run, at.round());
    model.overlays.pop();
    if let Some(story) = model.story.as_deref_mut().filter(|story| story.key == run) {
        story.gate.undecided_edit = None;
    }
    model.say("your edit is thrown away; the draft stands as it was");
    vec![Effect::Ask(Request::Forget { run, what: kept_name(round) })]
}
