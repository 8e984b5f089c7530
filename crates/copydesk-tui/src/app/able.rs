//! Says why an action cannot be used now. The footer, the palette and the action itself ask here.

use crate::{
    app::{
        actions::Action,
        frame::{help::HelpPage, palette::Palette},
        model::{Model, Overlay},
    },
    screens::{
        article::page::decided_at,
        desk::model::{DeskRow, StoryHolder, StoryState},
        forms::model::{Form, FormStage},
        gate::one_change,
        story::{model::StoryView, tabs::Tab},
    },
    widgets::diff::state::SIDE_BY_SIDE_FROM,
};
use copydesk_core::editorial::{choices, decisions, vouching};
use copydesk_newsroom::{Choice, Status, Step, TriageWay, Wait};
use copydesk_style::with_word;

/// The story that an action is about: the open one, or the selected one.
pub(crate) fn row(model: &Model) -> Option<&DeskRow> {
    match (&model.story, model.screen) {
        (Some(story), crate::app::model::Screen::Story) => model.desk.row(&story.run.story),
        _ => model.desk.selected(),
    }
}

fn story(model: &Model) -> Option<&StoryView> {
    model.story.as_deref().filter(|_| model.screen == crate::app::model::Screen::Story)
}

/// Why an action cannot be used now; `None` if it can.
#[expect(clippy::too_many_lines, reason = "one arm for each action")]
pub fn why_not(model: &Model, action: Action) -> Option<String> {
    let at_gate = |choice: Choice| gate(model, &choice);
    if model.house.recorded.is_some() && is_of_own_desk(action) {
        return Some("this desk plays a recorded story; quit it first".into());
    }
    // The help lists the keys of the page below it.
    let page = model.overlays.iter().rev().find(|page| page.page::<HelpPage>().is_none());
    if let Some(page) = page.filter(|page| page.context().page_name().is_some()) {
        if let Some(why) = page.why_not(action, model) {
            return Some(why);
        }
        if action.row().is_at(page.context()) {
            return None;
        }
    }
    let only_at: Option<Vec<&str>> = action.row().places.iter().map(|place| place.page_name()).collect();
    if let Some(name) = only_at.and_then(|names| names.first().copied()) {
        return Some(format!("open {name} first"));
    }
    match action {
        Action::OverruleVerdict => overrule_verdict(model),
        Action::ApplyFix => apply_fix(model),
        Action::AcceptFinding => accept(model),
        Action::AddWord => add_word(model),
        Action::Triage => triage(model),
        Action::SendReporter => at_gate(Choice::Research { question: "text".into() }),
        Action::AddSource => add_source(model),
        Action::RemoveSource => remove_source(model),
        Action::DistrustSource => distrust_source(model),
        Action::AllowCall | Action::RefuseCall => on_call(model, action == Action::AllowCall),
        Action::Feedback => at_gate(Choice::Feedback { text: "text".into() }),
        Action::EditDraft | Action::EditOutside => edit(model, action),
        Action::NextNote | Action::PreviousNote | Action::AcceptNote | Action::RejectNote | Action::CommentHere
            if on_draft_page(model) =>
        {
            unnoted(model).filter(|_| action != Action::CommentHere)
        }
        Action::NextNote
        | Action::PreviousNote
        | Action::AcceptNote
        | Action::RejectNote
        | Action::CommentHere
        | Action::FindReplace
        | Action::FindAgain => match model.on_top::<Form>() {
            Some(form) if form.keeps() && form.stage == FormStage::Open => None,
            _ => Some("go to the Article page of a draft that waits, or edit the draft, first".into()),
        },
        Action::ForgetEdit => match model.on_top::<Form>() {
            Some(form) if form.keeps() && form.is_sent() => Some("it is being saved".into()),
            Some(form) if form.keeps() && (form.is_touched() || form.kept_at.is_some()) => None,
            Some(form) if form.keeps() => Some("nothing is saved yet".into()),
            _ => Some("no hand edit is open".into()),
        },
        Action::ShowRemembered => match story(model) {
            None => Some("open a story first".into()),
            Some(story) if crate::screens::memory::record::remembered(story).is_some() => None,
            Some(_) => Some("this verdict does not come from an earlier check".into()),
        },
        Action::ShowFailedSteps => model.failed_steps.is_empty().then(|| "no step has failed".into()),
        Action::ShowClaims | Action::ShowPublish | Action::ShowRecord => {
            story(model).is_none().then(|| "open a story first".into())
        }
        Action::ConnectModel => model
            .house
            .settings
            .model
            .as_ref()
            .map(|known| format!("{} writes already; the settings change it", known.model)),
        Action::WatchRecorded => (model.desk.at_work() > 0)
            .then(|| "a story is being worked on; stop it or wait until it waits for you".into()),
        Action::TryModels => try_models(model),
        Action::UndoDecision => undo(model),
        Action::AnotherRound => at_gate(Choice::AnotherRound),
        Action::Continue => at_gate(Choice::Continue),
        Action::Stet => at_gate(Choice::Stet { reason: "a reason".into() }),
        Action::Spike => at_gate(Choice::Spike { reason: "a reason".into() }),
        Action::SignOff => at_gate(Choice::SignOff { chain: String::new() }),
        Action::SendBack => at_gate(Choice::SendBack { text: "text".into() }),
        Action::AcceptFlags => crate::screens::review::update::why_not(model),
        Action::Reopen => match row(model).map(DeskRow::standing) {
            None => Some("there is no story".into()),
            Some(
                StoryState::Failed
                | StoryState::Flagged
                | StoryState::Passed
                | StoryState::Extracted
                | StoryState::Signed
                | StoryState::Withdrawn,
            ) => None,
            Some(_) => Some("only a story that has ended can be reopened".into()),
        },
        Action::Resume => match row(model).map(DeskRow::standing) {
            Some(StoryState::Stopped | StoryState::Paused) => None,
            Some(StoryState::AtGate | StoryState::AtSignOff) => Some("it waits for your decision".into()),
            Some(StoryState::AtWork | StoryState::Queued | StoryState::Elsewhere) => {
                Some("it is being worked on".into())
            }
            Some(_) => Some("it has ended; reopen it".into()),
            None => Some("there is no story".into()),
        },
        Action::Stop => match row(model) {
            Some(row) if matches!(row.hands, StoryHolder::Ours | StoryHolder::OursSoon | StoryHolder::Queued) => None,
            Some(_) => Some("this program is not working on it".into()),
            None => Some("there is no story".into()),
        },
        Action::Pause => match row(model) {
            Some(row) if row.run.paused => None,
            Some(row) if row.run.waits.is_some() => Some("it waits for you; there is nothing to pause".into()),
            Some(row) if row.run.state == copydesk_newsroom::RunState::Open => None,
            Some(_) => Some("it has ended".into()),
            None => Some("there is no story".into()),
        },
        Action::RaisePriority
        | Action::LowerPriority
        | Action::SetDeadline
        | Action::AssignEditor
        | Action::DeleteStory
        | Action::Open
            if row(model).is_none() =>
        {
            Some("there is no story".into())
        }
        Action::Fork | Action::ForkAgain => fork(model),
        Action::AcceptChange => match story(model) {
            None => Some("open a story first".into()),
            Some(story) => one_change::why_not_accept(story),
        },
        Action::TakeBack => match story(model) {
            None => Some("open a story first".into()),
            Some(story) => one_change::why_not_take_back(story).or_else(|| edit(model, Action::EditDraft)),
        },
        Action::ToggleDiffLayout => match story(model).and_then(|story| story.changes.compared.as_ref()) {
            Some(compared) if compared.is_narrow() => {
                Some(format!("two drafts side by side need a window of {SIDE_BY_SIDE_FROM} columns"))
            }
            _ => None,
        },
        Action::NextFinding | Action::PreviousFinding | Action::FilterRows | Action::OrderRows => no_proof(model),
        Action::CopyArticle | Action::SaveMarkdown | Action::SaveHtml => match story(model) {
            Some(story) if crate::screens::article::update::article(story).is_some() => None,
            Some(_) => Some("there is no draft yet".into()),
            None => Some("open a story first".into()),
        },
        Action::ChooseDrafts | Action::NextChange | Action::PreviousChange | Action::NextUnasked => {
            match story(model) {
                Some(story) if story.latest_round() < 2 => Some("there is only one draft".into()),
                Some(_) => None,
                None => Some("open a story first".into()),
            }
        }
        _ => None,
    }
}

/// Why there is no note to go to on the page of the draft that waits.
fn unnoted(model: &Model) -> Option<String> {
    let story = story(model)?;
    match story.article.noted.margin(story.round) {
        Some(margin) if !margin.notes.is_empty() => None,
        Some(margin) if !margin.is_checking => Some("there are no notes on this draft".into()),
        _ => Some("the draft is still being checked".into()),
    }
}

/// Whether the page of the draft that waits is shown, with nothing over it.
fn on_draft_page(model: &Model) -> bool {
    let is_shown = |story: &StoryView| story.tab == Tab::Article && decided_at(&story.journal, story.round).is_some();
    let is_menu = |page: &dyn Overlay| page.page::<HelpPage>().is_some() || page.page::<Palette>().is_some();
    model.overlays.iter().all(|page| is_menu(&**page)) && story(model).is_some_and(is_shown)
}

fn fork(model: &Model) -> Option<String> {
    match story(model) {
        None => Some("open a story first".into()),
        Some(story) if crate::screens::gate::forks::fork_step(story).is_none() => Some(match story.tab {
            Tab::Log | Tab::Calls => "you cannot restart from this row; select another".into(),
            _ => "no step is finished yet".into(),
        }),
        Some(story) if model.desk.row(&story.run.story).is_some_and(|row| row.hands != StoryHolder::Nobody) => {
            Some("it is being worked on; stop it first".into())
        }
        Some(_) => None,
    }
}

fn overrule_verdict(model: &Model) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    let Some(concern) = story.selected_concern() else { return Some("there is no concern to decide".into()) };
    if story.waits().is_some_and(|wait| wait.round() != story.round) {
        return Some(format!("round {} is decided; only the round that waits can be changed", story.round));
    }
    let reason = "a reason".into();
    gate(model, &Choice::Override { concern: concern.id, status: Status::Keep, fix: None, reason })
}

/// Why the fix for the selected concern cannot be made in the text. Whether it names the words is said when it is made.
fn apply_fix(model: &Model) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    let Some(concern) = story.selected_concern() else { return Some("there is no concern to decide".into()) };
    if story.waits().is_some_and(|wait| wait.round() != story.round) {
        return Some(format!("round {} is decided; only the round that waits can be changed", story.round));
    }
    let draft = story.journal.draft(story.round)?;
    let choice = Choice::Applied { concern: concern.id, article: draft.article.clone() };
    gate(model, &choice).or_else(|| match concern.status() {
        Some(Status::Keep) => Some(format!("nothing is to be changed for concern {}", concern.id)),
        _ if story.gate.undecided_edit == Some(story.round) => {
            Some("you have an unfinished edit of this draft; save it or throw it away first".into())
        }
        _ if concern.applied => Some(format!("the fix for concern {} is in your text already", concern.id)),
        _ => None,
    })
}

/// Why there is no call to decide on. If none waits, the check says so of any.
fn on_call(model: &Model, allows: bool) -> Option<String> {
    let call = waits(model).and_then(Wait::call).unwrap_or(Step::Publish);
    gate(model, &Choice::Call { call, allows, note: String::new() })
}

fn triage(model: &Model) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    let Some(concern) = story.selected_concern() else { return Some("there is no concern to decide".into()) };
    if story.waits().is_some_and(|wait| wait.round() != story.round) {
        return Some(format!("round {} is decided; only the round that waits can be changed", story.round));
    }
    let other = crate::screens::sources::update::other_way(story);
    // If it was not triaged, the check says why.
    let unknown = || Choice::Triage { concern: concern.id, way: TriageWay::Rewrite, question: None };
    gate(model, &other.unwrap_or_else(unknown))
}

fn add_source(model: &Model) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    // Longer than every name there is, so it is none of them.
    let name = story.sources.iter().map(|source| source.name.as_str()).collect::<String>() + "x";
    gate(model, &Choice::AddSource { name, text: "text".into(), hidden: Vec::new() })
}

fn remove_source(model: &Model) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    let Some(source) = story.sources_page.source() else { return Some("select a source first".into()) };
    if source.removed.is_some() {
        return Some("it is removed already; undo that decision to use it again".into());
    }
    if !source.kept {
        return Some("the story does not rest on it, so there is nothing to remove".into());
    }
    gate(model, &Choice::RemoveSource { name: source.name.clone(), reason: "a reason".into() })
}

fn distrust_source(model: &Model) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    let Some(source) = story.sources_page.source() else { return Some("select a source first".into()) };
    gate(model, &Choice::DistrustSource { name: source.name.clone(), reason: "a reason".into() })
}

fn accept(model: &Model) -> Option<String> {
    if let Some(why) = no_proof(model) {
        return Some(why);
    }
    let story = story(model)?;
    if story.proof.finding().is_none() {
        return Some("no finding in this row".into());
    }
    let Some(wait) = story.waits() else {
        return gate(model, &Choice::Accept { finding: 1, reason: "a reason".into() });
    };
    if wait.round() != story.round {
        return Some(format!("round {} is decided; only the round that waits can be changed", story.round));
    }
    let Some(number) = story.proof.number() else {
        return Some(
            "the review of this round does not have this finding: it used other rules, or it is not finished".into(),
        );
    };
    if let Some(decided) = vouching::accepted(&story.journal, story.round, number) {
        return Some(format!("accepted already, by {}; undo that decision to take it back", decided.decision.by));
    }
    gate(model, &decisions::accepting(&story.journal, wait, number, "a reason".into()))
}

/// Why the selected row has no word for the dictionary.
fn add_word(model: &Model) -> Option<String> {
    if let Some(why) = no_proof(model) {
        return Some(why);
    }
    match story(model)?.proof.word() {
        Some(note) => with_word("", &note.text).err().map(|error| error.to_string()),
        None => Some("this row is not about spelling".into()),
    }
}

/// Why the proof has no rows.
fn no_proof(model: &Model) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    if story.proof.proved().is_some() {
        return None;
    }
    Some(match story.proof.trouble() {
        _ if story.round == 0 => "there is no draft yet".into(),
        Some(why) => why.to_string(),
        None => "the draft is still being compared with its sources".into(),
    })
}

/// Whether an action has no use on a desk that is thrown away.
fn is_of_own_desk(action: Action) -> bool {
    matches!(
        action,
        Action::SampleStory
            | Action::NewFromFile
            | Action::NewFromText
            | Action::NewByForm
            | Action::NewFromQuestion
            | Action::WatchRecorded
            | Action::ConnectModel
            | Action::ShowSettings
            | Action::TryModels
            | Action::BackUp
    )
}

/// Why the models cannot be tried: a story and the trial would be in each other's way at a server with one slot.
fn try_models(model: &Model) -> Option<String> {
    if model.house.settings.model.is_none() {
        return Some("no model is connected".into());
    }
    (model.desk.at_work() > 0).then(|| "a story needs the models now; try them when it waits for you".into())
}

/// A hand edit of the draft; outside, of any text that a form asks for.
fn edit(model: &Model, action: Action) -> Option<String> {
    if let (Action::EditOutside, Some(form)) = (action, model.on_top::<Form>()) {
        return form.focused_text().is_none().then(|| "this field does not hold text".into());
    }
    let draft = story(model).and_then(|story| story.journal.draft(story.waits()?.round()));
    match draft {
        Some(draft) => gate(model, &Choice::Edit { article: draft.article.clone() }).or_else(|| no_writer(model)),
        None => gate(model, &Choice::Continue).or_else(|| Some("there is no draft to edit".into())),
    }
}

fn undo(model: &Model) -> Option<String> {
    if let Some(number) = story(model).and_then(crate::screens::gate::update::last_decision) {
        return gate(model, &Choice::Undo { number });
    }
    match story(model).and_then(StoryView::waits) {
        Some(Wait::Gate { .. }) => Some("you have not decided anything at this gate".into()),
        // If the story does not wait, the check says so for any number.
        _ => gate(model, &Choice::Undo { number: 0 }),
    }
}

/// In a run of an earlier version: why the draft cannot be edited by hand while there are to-dos. There a hand edit replaces the writer's
/// revision.
fn no_writer(model: &Model) -> Option<String> {
    let story = story(model).filter(|story| !story.journal.opening.edits_freely)?;
    let standing = !decisions::to_dos(&story.journal, story.waits()?.round()).is_empty();
    let why = "the writer does not revise a text that you edit, so your to-dos would be lost; undo them first, or leave the text to the writer";
    standing.then(|| why.to_owned())
}

/// Why the open story does not allow the choice.
fn gate(model: &Model, choice: &Choice) -> Option<String> {
    let Some(story) = story(model) else { return Some("open a story first".into()) };
    choices::check(&story.journal, choice).err().map(|reason| reason.to_string())
}

pub(crate) fn waits(model: &Model) -> Option<Wait> {
    story(model)?.waits()
}
