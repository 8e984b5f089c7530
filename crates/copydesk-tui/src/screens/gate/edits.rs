//! Hand edits: typed here or in an external editor, saved while they are typed, decided like anything else.

use std::{path::PathBuf, sync::Arc};

use crate::app::{Effect, Model, Question, Request, Trouble};
use crate::screens::forms::answer::article;
use crate::screens::forms::field_name::ARTICLE;
use crate::screens::forms::kept::KeptEdit;
use crate::screens::forms::top::form;
use crate::screens::forms::{DecisionPoint, FieldName, Form, FormStage, Margin, Purpose, TypedHistory};
use crate::screens::gate::waiting::{kept_name, place};
use crate::screens::story::update::needs;
use crate::screens::story::{StoryView, Tab};
use crate::widgets::{Field, words};
use copydesk_core::editorial::{decisions, drafts};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ArticleResponse, Choice, Wait};
use copydesk_text::{in_marks, merge::merge, sanitise};

/// Opens the draft for a hand edit, here or in an external editor, with the unfinished edit if there is one.
pub(crate) fn open_edit(model: &mut Model, outside: bool) {
    let Some((at, story)) = place(model) else { return };
    let (run, round) = (at.run, at.round());
    let Some(draft) = story.journal.draft(round) else { return };
    let article = decisions::edit(&story.journal, round).unwrap_or(&draft.article).clone();
    // On its page one goes on typing at the note that one has read.
    let begins_at = story.article.noted.at().filter(|_| story.tab == Tab::Article);
    let ticket = model.ticket();
    let mut form = edit_form(at, article);
    form.stage = FormStage::Reading { ticket, outside, saves: false };
    form.begins_at = begins_at;
    model.lay_over(form);
    model.ask_for(ticket, Request::ReadKept { run, what: kept_name(round) });
}

fn edit_form(at: DecisionPoint, article: ArticleResponse) -> Form {
    let round = at.round();
    let explanation =
        "ctrl-s makes this your next draft; it is checked when you go on. It uses up no round. What you type is kept.";
    let fields = vec![
        Field::line(FieldName::Headline, "one line", &article.headline),
        Field::line(FieldName::AlternativeHeadline, "one line", &article.alternativeHeadline),
        Field::text(FieldName::Description, "one or two sentences", &article.description),
        Field::text(FieldName::Text, "Markdown", &article.articleBody),
    ];
    let mut form = Form::new(
        Purpose::Decide(at, Choice::Edit { article }),
        format!("Edit the draft of round {round}"),
        explanation,
        fields,
    );
    form.focus_on(FieldName::Text);
    form.begin_draft(TypedHistory::default());
    form
}

/// An unfinished edit has been read, if there was one: now the text can be edited.
pub(crate) fn opened(form: &mut Form, outside: bool) -> Vec<Effect> {
    let kept = if form.opened() { keep(form) } else { None };
    let given = if outside { hand_out(form) } else { None };
    kept.into_iter().chain(given).collect()
}

/// The form of a hand edit, even if another page is over it.
fn edit_of<'m>(model: &'m mut Model, run: RunKey, what: &str) -> Option<&'m mut Form> {
    let is_it = |form: &Form| form.edits().is_some_and(|(at, _)| at.run == run && kept_name(at.round()) == what);
    model.forms_mut().find(|form| is_it(form))
}

/// Puts an unfinished edit into the form that waits for it.
pub(crate) fn restore(model: &mut Model, run: RunKey, what: &str, text: &str, at: String) {
    let Ok(KeptEdit { article: kept, before, texts, history }) = serde_json::from_str(text) else { return };
    let Some(form) = edit_of(model, run, what) else { return remember(model, run, what, &kept) };
    if !matches!(form.stage, FormStage::Reading { .. }) {
        return;
    }
    let is_news = form.edits().is_some_and(|(_, before)| kept != *before);
    let fields = kept.fields();
    for (at, name) in ARTICLE.into_iter().enumerate() {
        let typed = texts.get(at).map(String::as_str);
        form.replace_field(name, typed.or(fields.get(at).map(|(_, text)| *text)).unwrap_or_default());
    }
    form.begin_draft(history);
    if !is_news {
        return;
    }
    form.kept_at = Some(at);
    form.explanation = "This is your unfinished edit: save it, leave it for later, or discard it.".into();
    form.problem = None;
    let now = form.edits().map(|(_, now)| now.clone());
    if let Some(now) = now.filter(|now| before != *now) {
        take_in(form, &before, &now);
    }
}

/// The waiting gate has an unfinished edit: Continue asks about it.
fn remember(model: &mut Model, run: RunKey, what: &str, kept: &ArticleResponse) {
    let Some(story) = model.story.as_deref_mut().filter(|story| story.key == run) else { return };
    let Some(round) = story.waits().map(Wait::round) else { return };
    let known = decisions::edit(&story.journal, round).or(story.journal.draft(round).map(|draft| &draft.article));
    if kept_name(round) == what && known != Some(kept) {
        story.gate.undecided_edit = Some(round);
        model.continues_at = None;
        model.say("you have an unfinished edit of this draft: open it to save or discard it");
    }
}

/// The text of a hand edit has come back to the gate as a decision: it is not unfinished any more.
pub(crate) fn is_applied(model: &mut Model, run: RunKey, applied: &ArticleResponse) {
    let round = model.story.as_deref().and_then(StoryView::waits).map_or(0, Wait::round);
    if let Some(form) = edit_of(model, run, &kept_name(round)) {
        form.is_decided(applied);
    }
}

/// Saves a hand edit while it is typed.
pub(crate) fn keep(form: &Form) -> Option<Effect> {
    let (at, _) = form.edits()?;
    let text = serde_json::to_string(&KeptEdit::of(form)?).ok()?;
    Some(Effect::Ask(Request::Keep { run: at.run, what: kept_name(at.round()), text }))
}

/// Keeps a text that has changed, and compares it with the sources.
pub(crate) fn keep_and_prove(model: &mut Model, kept: Option<Effect>) {
    model.effects.extend(kept);
    prove(model);
}

/// Asks for the proof of a hand edit as it is now.
pub(crate) fn prove(model: &mut Model) {
    let wanted = || {
        let form = model.forms().rev().find(|form| form.keeps() && !form.holds_back())?;
        let (at, _) = form.edits()?;
        let story = model.story.as_deref().filter(|story| story.key == at.run)?;
        let (journal, article) = (Arc::clone(&story.journal), Box::new(article(form)));
        Some(Effect::Ask(Request::ProveTyped { run: at.run, journal, round: at.round(), article }))
    };
    let wanted = wanted();
    model.effects.extend(wanted);
}

/// The proof of a hand edit is there.
pub(crate) fn is_proved(model: &mut Model, run: RunKey, round: u32, margin: Box<Margin>) {
    if let Some(form) = edit_of(model, run, &kept_name(round)) {
        form.margin = Some(margin);
        return;
    }
    if let Some(story) = model.story.as_deref_mut().filter(|story| story.key == run) {
        story.article.noted.set(round, margin);
        story.article.lay(&story.journal, story.round);
    }
}

/// The edit was saved, or could not be.
pub(crate) fn is_kept(model: &mut Model, run: RunKey, what: &str, kept: Result<String, Trouble>) {
    match (edit_of(model, run, what), kept) {
        (Some(form), Ok(at)) => (form.kept_at, form.problem) = (Some(at), form.clash.clone()),
        (Some(form), Err(problem)) => (form.kept_at, form.problem) = (None, Some(problem.into())),
        (None, Err(problem)) => model.warn(problem),
        (None, Ok(_)) => {}
    }
}

/// The gate at which a draft is being typed was left, by a colleague or another window: says so at once, before more is typed.
pub(crate) fn moved_on(model: &mut Model, run: RunKey) {
    let now = model.story.as_deref().and_then(StoryView::waits);
    let Some(form) = model.forms_mut().find(|form| form.keeps()) else { return };
    let Some(round) = form.edits().filter(|(at, _)| at.run == run && Some(at.seen.at) != now).map(|(at, _)| at.round())
    else {
        return;
    };
    form.problem = Some(format!(
        "Round {round} was decided elsewhere, so your text cannot become its draft. It is kept: close this page to save it as a file"
    ));
}

/// Another run of the story took over while its draft was typed: says so at once, before more is typed.
pub(crate) fn replaced(model: &mut Model, run: RunKey) {
    let form = model.forms_mut().find(|form| form.keeps() && form.edits().is_some_and(|(at, _)| at.run == run));
    let Some(form) = form else { return };
    form.problem = Some(
        "Another run of this story has replaced this one, so your text cannot become its draft. It is kept: close this page to save it as a file".into(),
    );
}

/// The draft that is being typed was changed elsewhere, by a colleague or in another window: their changes go into the
/// text. If both changed the same words, those that were typed here stand, and the others are named.
pub(crate) fn changed_elsewhere(model: &mut Model, run: RunKey) {
    let Some((now, story)) = place(model).filter(|(at, _)| at.run == run) else { return };
    let round = now.round();
    let known = decisions::edit(&story.journal, round).or(story.journal.draft(round).map(|draft| &draft.article));
    let Some(theirs) = known.cloned() else { return };
    let Some(form) = edit_of(model, run, &kept_name(round)) else { return };
    let is_news = |(at, before): &(&DecisionPoint, &ArticleResponse)| at.seen.at == now.seen.at && theirs != **before;
    let Some((_, before)) = form.edits().filter(is_news) else {
        return;
    };
    if matches!(form.stage, FormStage::Reading { .. } | FormStage::Outside) {
        // Their changes go in once the text is there.
        return;
    }
    let before = before.clone();
    let is_own = form.sent_fix.take().as_ref() == Some(&theirs) || article(form) == theirs;
    form.is_decided(&theirs);
    if let Purpose::Decide(at, _) = &mut form.purpose {
        at.seen = now.seen;
    }
    if is_own {
        return;
    }
    let says = take_in(form, &before, &theirs);
    let kept = keep(form);
    keep_and_prove(model, kept);
    if says {
        model.say("Another window changed this draft; the changes are in your text now");
    }
}

/// Puts what others made of the text `before` into the text that is typed. Returns whether all of it stands there; else the form says
/// what does not.
fn take_in(form: &mut Form, before: &ArticleResponse, theirs: &ArticleResponse) -> bool {
    let mine = form.texts().map(<[String]>::to_vec).unwrap_or_default();
    let mut clashes = Vec::new();
    let fields = before.fields().into_iter().zip(theirs.fields());
    for (field, (((_, before), (_, theirs)), mine)) in fields.zip(mine).enumerate() {
        let merged = merge(before, &mine, theirs);
        form.rewrite_around(field, &mine, &merged.text);
        clashes.extend(merged.clashes);
    }
    form.clash = clashes.first().map(|clash| {
        let quote = |text: &str| in_marks(&words::fit(&sanitise::one_line(text.trim()), 40));
        let (before, theirs) = (quote(&clash.before), quote(&clash.theirs));
        let what = match (clash.before.trim().is_empty(), clash.theirs.trim().is_empty()) {
            (true, _) => format!("Another window changed this passage to {theirs}"),
            (_, true) => format!("Another window took out {before}, which you changed"),
            _ => format!("Another window changed {before} to {theirs}, and you changed it, too"),
        };
        format!("{what}. Your words are kept: check them, then save again")
    });
    form.problem.clone_from(&form.clash);
    clashes.is_empty()
}

/// Opens an external editor for the focused field, or for the waiting draft.
pub(crate) fn edit_outside(model: &mut Model) {
    match form(model) {
        Some(form) if form.stage == FormStage::Open => {
            let given = hand_out(form);
            model.effects.extend(given);
        }
        Some(_) => {}
        None => open_edit(model, true),
    }
}

fn hand_out(form: &mut Form) -> Option<Effect> {
    let text = form.focused_text()?;
    form.stage = FormStage::Outside;
    Some(Effect::EditOutside(text))
}

/// Takes the text back from the external editor, even if another page is over the form.
pub(crate) fn edited_outside(model: &mut Model, text: Option<String>, problem: Option<String>) {
    let Some(form) = model.forms_mut().find(|form| form.stage == FormStage::Outside) else { return };
    form.stage = FormStage::Open;
    let Some(text) = text else {
        form.problem = problem;
        return;
    };
    form.problem = None;
    form.replace(sanitise::clean(&text).trim_end_matches('\n'));
    let run = form.edits().map(|(at, _)| at.run);
    let kept = keep(form);
    model.effects.extend(kept);
    if let Some(run) = run {
        changed_elsewhere(model, run);
    }
    prove(model);
    // A message stays until the next key; an error of the form goes once its text is kept.
    if let Some(remark) = problem {
        model.warn(remark);
    }
}

/// Leaves the form. The unfinished edit stays until it is saved or thrown away.
pub(crate) fn leave(model: &mut Model) {
    let Some(form) = form(model) else { return };
    let Some((at, _)) = form.edits() else { return };
    let at = at.clone();
    if form.holds_back() {
        form.problem = Some("your earlier edit is still loading; try again in a moment".into());
        return;
    }
    let (sent, kept) = (form.is_sent(), form.kept_at.is_some());
    let edited = form.is_touched() || kept;
    let text = drafts::to_markdown(&article(form));
    let waits = model
        .story
        .as_deref()
        .is_some_and(|story| story.key == at.run && story.run.current && story.waits() == Some(at.seen.at));
    if edited && !sent && !waits {
        let path = PathBuf::from(format!("{}-round-{}-edit.md", at.story.slug, at.round()));
        let said = format!(
            "Round {} ended while you edited, so your text cannot become its draft. You can save it to {}.",
            at.round(),
            path.display()
        );
        return model.lay_over(Question::new("The story has moved on", said, "write the file", |model| {
            write(model, path, text);
        }));
    }
    model.overlays.pop();
    read_on(model);
    if !edited || !waits {
        return;
    }
    if let Some(story) = model.story.as_deref_mut() {
        // A decision that is on its way forgets it.
        story.gate.undecided_edit = Some(at.round());
    }
    model.say(match (sent, kept) {
        (true, _) => "your edit is being saved",
        (false, true) => "your edit is kept, but is not in the story yet: open it again and save it",
        (false, false) => "your edit is being kept, but is not in the story yet: open it again and save it",
    });
}

/// The page below the form is read again, with the notes on the text as it stands.
pub(crate) fn read_on(model: &mut Model) {
    if let Some(story) = model.story.as_deref_mut() {
        story.article.noted.forget();
        model.effects.extend(needs(story));
    }
}

/// Writes the edit to a file; the form closes once the file is written.
fn write(model: &mut Model, path: PathBuf, text: String) {
    let ticket = model.ticket();
    let Some(form) = form(model) else { return };
    form.stage = FormStage::Sent(ticket);
    model.ask_for(ticket, Request::Write { path, bytes: text.into_bytes() });
}

pub(crate) fn ask_to_forget(model: &mut Model) {
    let text = "What you typed and did not save is deleted. The draft and any edit that you saved stay as they are.";
    model.lay_over(Question::new("Discard your edit?", text, "discard it", forget));
}

fn forget(model: &mut Model) {
    let Some((at, _)) = form(model).and_then(|form| form.edits()) else { return };
    let (run, round) = (at.run, at.round());
    model.overlays.pop();
    if let Some(story) = model.story.as_deref_mut().filter(|story| story.key == run) {
        story.gate.undecided_edit = None;
    }
    model.say("your edit is deleted; the draft is unchanged");
    model.ask(Request::Forget { run, what: kept_name(round) });
}
