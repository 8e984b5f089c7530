//! Says why an action cannot be used now. The footer, the palette and the action itself ask here.

use crate::app::actions::listed;
use crate::app::{Action, HelpPage, Model, Overlay, Palette, Screen, Trouble};
use crate::screens::article::page::decided_at;
use crate::screens::article::update::article;
use crate::screens::concerns::ConcernRow;
use crate::screens::desk::{DeskRow, StoryHolder, StoryState};
use crate::screens::forms::{Form, FormStage, NoteOrigin};
use crate::screens::gate::forks::{fork_step, left_gate_at};
use crate::screens::gate::update::last_decision;
use crate::screens::gate::{notes, one_change};
use crate::screens::memory::record::remembered;
use crate::screens::sources::update::other_way;
use crate::screens::story::{StoryView, Tab};
use crate::widgets::SIDE_BY_SIDE_FROM;
use copydesk_core::agents::has_fix;
use copydesk_core::editorial::choices::Refused;
use copydesk_core::editorial::{choices, decisions, extract, vouching};
use copydesk_newsroom::{Choice, RunState, Status, TriageWay, Wait};
use copydesk_style::with_word;

/// The things that an action needs, or the reason why it cannot be used now.
type Checked<T = ()> = Result<T, Trouble>;

/// The story that an action is about: the open one, or the selected one.
pub(crate) fn row(model: &Model) -> Option<&DeskRow> {
    match (&model.story, model.screen) {
        (Some(story), Screen::Story) => model.desk.row(&story.run.story),
        _ => model.desk.selected(),
    }
}

fn story(model: &Model) -> Option<&StoryView> {
    model.story.as_deref().filter(|_| model.screen == Screen::Story)
}

fn open_story(model: &Model) -> Checked<&StoryView> {
    story(model).ok_or_else(|| Trouble::new("open a story first"))
}

fn selected_row(model: &Model) -> Checked<&DeskRow> {
    row(model).ok_or_else(|| Trouble::new("there is no story"))
}

/// The form on top, also below the help, which lists its keys.
fn form(model: &Model) -> Option<&Form> {
    model.overlays.iter().rev().find(|page| page.page::<HelpPage>().is_none())?.page()
}

/// Refuses with this reason.
fn refuse(why: impl Into<String>) -> Checked {
    Err(Trouble::new(why))
}

/// Refuses with this reason unless the condition holds.
fn require(holds: bool, otherwise: &str) -> Checked {
    if holds { Ok(()) } else { refuse(otherwise) }
}

/// Why an action cannot be used now; `None` if it can.
pub fn why_not(model: &Model, action: Action) -> Option<String> {
    if model.house.recorded.is_some() && OF_OWN_DESK.contains(&action) {
        return Some("this is a recorded story; quit it first".into());
    }
    // The help lists the keys of the page below it.
    let page = model.overlays.iter().rev().find(|page| page.page::<HelpPage>().is_none());
    if let Some(page) = page.filter(|page| page.context().is_page()) {
        if let Some(why) = page.why_not(action, model) {
            return Some(why);
        }
        if action.row().is_at(page.context()) {
            return None;
        }
    }
    let places = action.row().places;
    if let Some(page) = places.last().filter(|_| places.iter().all(|place| place.is_page())) {
        return Some(format!("open {} first", page.title()));
    }
    check(model, action).err().map(String::from)
}

#[expect(clippy::too_many_lines, reason = "one arm for each action")]
fn check(model: &Model, action: Action) -> Checked {
    let at_gate = |choice: Choice| gate(model, &choice);
    match action {
        Action::OverruleVerdict => overrule_verdict(model),
        Action::ApplyFix => apply_fix(model),
        Action::AcceptFinding => accept(model),
        Action::AddWord => add_word(model),
        Action::Listen => match proved(model)?.proof.heard(&open_story(model)?.journal) {
            Some((recorded, _)) if recorded.file.is_none() => {
                refuse("this source is a transcript whose recording is not known: listen in a program of your own")
            }
            Some(_) => Ok(()),
            None => refuse("this row has no recording"),
        },
        Action::Triage => triage(model),
        Action::SendReporter => at_gate(Choice::Research { question: "text".into() }),
        Action::AddSource => add_source(model),
        Action::RemoveSource => remove_source(model),
        Action::DistrustSource => {
            let Some(source) = open_story(model)?.sources_page.source() else { return refuse("select a source first") };
            at_gate(Choice::DistrustSource { name: source.name.clone(), reason: "a reason".into() })
        }
        Action::AllowCall | Action::RefuseCall => {
            let Some(call) = waits(model).and_then(Wait::call) else {
                return refuse("no call of the Reporter waits for you");
            };
            at_gate(Choice::Call { call, allows: action == Action::AllowCall, note: String::new() })
        }
        Action::Feedback if waits(model) == Some(Wait::Plan) => at_gate(Choice::Plan { text: "text".into() }),
        Action::Feedback => at_gate(Choice::Feedback { text: "text".into() }),
        Action::EditDraft | Action::EditOutside => edit(model, action),
        Action::CommentHere if on_draft_page(model) => Ok(()),
        Action::NextNote | Action::PreviousNote | Action::AcceptNote | Action::RejectNote if on_draft_page(model) => {
            let story = open_story(model)?;
            match story.article.noted.margin(story.round) {
                Some(margin) if !margin.notes.is_empty() && action == Action::AcceptNote => accept_note(model),
                Some(margin) if !margin.notes.is_empty() => Ok(()),
                Some(margin) if !margin.is_checking => refuse("there are no notes on this draft"),
                _ => refuse("the draft is still being checked"),
            }
        }
        Action::NextNote
        | Action::PreviousNote
        | Action::AcceptNote
        | Action::RejectNote
        | Action::CommentHere
        | Action::FindReplace
        | Action::FindAgain => {
            require(
                form(model).is_some_and(|form| form.keeps() && form.stage == FormStage::Open),
                "go to the Article page of a draft that waits, or edit the draft, first",
            )?;
            if action == Action::AcceptNote { accept_note(model) } else { Ok(()) }
        }
        Action::ForgetEdit => match form(model).filter(|form| form.keeps()) {
            None => refuse("no hand edit is open"),
            Some(form) if form.is_sent() => refuse("it is being saved"),
            Some(form) => require(form.is_touched() || form.kept_at.is_some(), "nothing is saved yet"),
        },
        Action::ShowRemembered => {
            require(remembered(open_story(model)?).is_some(), "this verdict does not come from an earlier check")
        }
        Action::ShowFailedSteps => require(!model.failed_steps.is_empty(), "no step has failed"),
        Action::ShowClaims | Action::ShowPublish | Action::ShowRecord | Action::AskSources => {
            open_story(model).map(drop)
        }
        Action::ConnectModel => match &model.house.settings.model {
            Some(known) => refuse(format!("{} is the writer already; change that in the settings", known.model)),
            None => Ok(()),
        },
        Action::WatchRecorded => {
            require(model.desk.at_work() == 0, "stop the running story first, or wait until it needs you")
        }
        Action::TryModels => {
            require(model.house.settings.model.is_some(), "no model is connected")?;
            // A story and the trial would be in each other's way at a server with one slot.
            require(model.desk.at_work() == 0, "a running story uses the models; try them when it waits for you")
        }
        Action::UndoDecision => undo(model),
        Action::AnotherRound => at_gate(Choice::AnotherRound),
        Action::Continue => {
            at_gate(Choice::Continue)?;
            let comes_back = open_story(model)?.gate.comes_back;
            require(!comes_back, &format!("Nothing here can be done without a model; {}", edits(model)))
        }
        Action::Stet => at_gate(Choice::Stet { reason: "a reason".into() }),
        Action::Spike => at_gate(Choice::Spike { reason: "a reason".into() }),
        Action::SignOff => {
            let journal = &open_story(model)?.journal;
            at_gate(extract::signing(journal, journal.rounds()))
        }
        Action::SendBack => at_gate(Choice::SendBack { text: "text".into() }),
        Action::AcceptFlags => Ok(choices::accept_flags(&open_story(model)?.run, "a reason").map(drop)?),
        Action::Reopen => {
            let standing = selected_row(model)?.standing();
            let has_ended = standing.is_settled() || matches!(standing, StoryState::Failed | StoryState::Flagged);
            let is_current = standing != StoryState::Replaced;
            require(has_ended && is_current, "only a story that has ended can be reopened")
        }
        Action::Resume => match selected_row(model)?.standing() {
            StoryState::Stopped | StoryState::Paused => Ok(()),
            StoryState::AtGate | StoryState::AtSignOff => refuse("it waits for your decision"),
            StoryState::AtWork | StoryState::Queued | StoryState::Elsewhere => refuse("it is being worked on"),
            _ => refuse("it has ended; reopen it"),
        },
        Action::Stop => {
            let ours = [StoryHolder::Ours, StoryHolder::OursSoon, StoryHolder::Queued];
            require(ours.contains(&selected_row(model)?.hands), "this program is not working on it")
        }
        Action::Pause => match &selected_row(model)?.run {
            run if run.paused => Ok(()),
            run if run.waits.is_some() => refuse("it waits for you; there is nothing to pause"),
            run => require(run.state == RunState::Open, "it has ended"),
        },
        Action::RaisePriority
        | Action::LowerPriority
        | Action::SetDeadline
        | Action::AssignEditor
        | Action::DeleteStory
        | Action::Open => selected_row(model).map(drop),
        Action::Fork | Action::ForkAgain => fork(model),
        Action::AcceptChange => one_change::check_accept(open_story(model)?),
        Action::TakeBack => {
            one_change::check_take_back(open_story(model)?)?;
            edit(model, Action::EditDraft)
        }
        Action::ToggleDiffLayout => match story(model).and_then(|story| story.changes.compared.as_ref()) {
            Some(compared) if compared.is_narrow() => {
                refuse(format!("this window is too narrow: two drafts side by side need {SIDE_BY_SIDE_FROM} columns"))
            }
            Some(_) => Ok(()),
            None => require(open_story(model)?.latest_round() >= 2, "there is only one draft"),
        },
        Action::NextConcern | Action::PreviousConcern => {
            require(!open_story(model)?.concerns.rows.is_empty(), "there are no concerns")
        }
        Action::NextFinding | Action::PreviousFinding => proved(model).map(drop),
        Action::CopyArticle | Action::SaveMarkdown | Action::SaveHtml => {
            require(article(open_story(model)?).is_some(), "there is no draft yet")
        }
        Action::ChooseDrafts
        | Action::PreviousRound
        | Action::NextRound
        | Action::NextChange
        | Action::PreviousChange => require(open_story(model)?.latest_round() >= 2, "there is only one draft"),
        Action::NextUnasked => {
            let story = open_story(model)?;
            require(story.latest_round() >= 2, "there is only one draft")?;
            let is_asked = story.changes.compared.as_ref().is_some_and(|compared| compared.comparison.unasked() == 0);
            require(!is_asked, "every change here was asked for, or made by hand")
        }
        _ => Ok(()),
    }
}

/// Whether the page of the draft that waits is shown, with nothing over it.
fn on_draft_page(model: &Model) -> bool {
    let is_shown = |story: &StoryView| story.tab == Tab::Article && decided_at(&story.journal, story.round).is_some();
    let is_menu = |page: &dyn Overlay| page.page::<HelpPage>().is_some() || page.page::<Palette>().is_some();
    model.overlays.iter().all(|page| is_menu(&**page)) && story(model).is_some_and(is_shown)
}

fn fork(model: &Model) -> Checked {
    let story = open_story(model)?;
    if fork_step(story).is_none() {
        return refuse(match story.tab {
            Tab::Log | Tab::Calls => "you cannot restart from this row; select another",
            _ => "no step is finished yet",
        });
    }
    idle(model, story)
}

/// Whether no program works on the story.
fn idle(model: &Model, story: &StoryView) -> Checked {
    let is_free = model.desk.row(&story.run.story).is_none_or(|row| row.hands == StoryHolder::Nobody);
    require(is_free, "it is being worked on; stop it first")
}

/// The selected concern, if its round can still be decided.
fn concern(model: &Model) -> Checked<(&StoryView, &ConcernRow)> {
    let story = open_story(model)?;
    let concern = story.selected_concern().ok_or_else(|| Trouble::new("there is no concern to decide"))?;
    undecided(story)?;
    Ok((story, concern))
}

/// Only the round that waits can be changed.
fn undecided(story: &StoryView) -> Checked {
    match story.waits() {
        Some(wait) if wait.round() != story.round => refuse(format!(
            "round {} is decided already; you can change only the round that waits for you",
            story.round
        )),
        _ => Ok(()),
    }
}

fn overrule_verdict(model: &Model) -> Checked {
    let (_, concern) = concern(model)?;
    let reason = "a reason".into();
    gate(model, &Choice::Override { concern: concern.id, status: Status::Keep, fix: None, reason })
}

/// Why the fix for the selected concern cannot be made in the text. Whether it names the words is said when it is made.
fn apply_fix(model: &Model) -> Checked {
    let (story, concern) = concern(model)?;
    let Some(draft) = story.journal.draft(story.round) else { return Ok(()) };
    gate(model, &Choice::Applied { concern: concern.id, article: draft.article.clone() })?;
    match concern.status() {
        Some(Status::Keep) => refuse(format!("concern {} needs no change", concern.id)),
        _ if story.gate.undecided_edit == Some(story.round) => {
            refuse("you have an unfinished edit of this draft; save or discard it first")
        }
        _ if concern.applied => refuse(format!("the fix for concern {} is in your text already", concern.id)),
        _ if !has_fix(&story.journal, story.round, concern.id) => {
            refuse(format!("No exact fix for concern {}; {}", concern.id, edits(model)))
        }
        _ => Ok(()),
    }
}

/// The key that edits the draft, as the end of a sentence.
fn edits(model: &Model) -> String {
    let key = model.keys.keys(Action::EditDraft).first();
    key.map_or_else(|| "edit the draft".to_owned(), |key| format!("{key} edits"))
}

/// Why the note at the cursor cannot be accepted: nothing says what to put in the place of its words.
fn accept_note(model: &Model) -> Checked {
    let (Some(story), Some(note)) = (story(model), notes::note_here(model)) else { return Ok(()) };
    let has_fix = |concern| story.waits().is_some_and(|wait| has_fix(&story.journal, wait.round(), concern));
    let is_settled = note.change.is_some() || note.origin == NoteOrigin::Own;
    if is_settled || note.fix.is_some() || note.concern.is_some_and(has_fix) {
        return Ok(());
    }
    let way = if form(model).is_some() { "type it yourself".to_owned() } else { edits(model) };
    refuse(format!("No exact fix; {way}"))
}

fn triage(model: &Model) -> Checked {
    let (story, concern) = concern(model)?;
    // If it was not triaged, the check says why.
    let unknown = || Choice::Triage { concern: concern.id, way: TriageWay::Rewrite, question: None };
    gate(model, &other_way(story).unwrap_or_else(unknown))
}

fn add_source(model: &Model) -> Checked {
    // Longer than every name there is, so it is none of them.
    let name = open_story(model)?.sources.iter().map(|source| source.name.as_str()).collect::<String>() + "x";
    gate(model, &Choice::AddSource { name, text: "text".into(), hidden: Vec::new(), recorded: None })
}

fn remove_source(model: &Model) -> Checked {
    let Some(source) = open_story(model)?.sources_page.source() else { return refuse("select a source first") };
    require(source.removed.is_none(), "it is removed already; undo that decision to use it again")?;
    require(source.kept, "the story does not use it")?;
    gate(model, &Choice::RemoveSource { name: source.name.clone(), reason: "a reason".into() })
}

fn accept(model: &Model) -> Checked {
    let story = proved(model)?;
    require(story.proof.finding().is_some(), "this row has no finding")?;
    let Some(wait) = story.waits() else {
        return gate(model, &Choice::Accept { finding: 1, reason: "a reason".into() });
    };
    undecided(story)?;
    let Some(number) = story.proof.number() else {
        return refuse("this round's review does not have this finding: it is not finished, or it used other rules");
    };
    if let Some(decided) = vouching::accepted(&story.journal, story.round, number) {
        return refuse(format!("accepted already, by {}; undo that decision to take it back", decided.decision.by));
    }
    gate(model, &decisions::accepting(&story.journal, wait, number, "a reason".into()))
}

/// Why the selected row has no word for the dictionary.
fn add_word(model: &Model) -> Checked {
    match proved(model)?.proof.word() {
        Some(note) => Ok(with_word("", &note.text).map(drop)?),
        None => refuse("this row is not about spelling"),
    }
}

/// The open story, if its proof has rows.
fn proved(model: &Model) -> Checked<&StoryView> {
    let story = open_story(model)?;
    if story.proof.proved().is_some() {
        return Ok(story);
    }
    Err(match story.proof.trouble() {
        _ if story.round == 0 => Trouble::new("there is no draft yet"),
        Some(why) => Trouble::new(why.to_string()),
        None => Trouble::new("the draft is still being compared with its sources"),
    })
}

/// The actions that have no use on a desk that is thrown away.
const OF_OWN_DESK: &[Action] = listed![
    SampleStory NewFromFile NewFromText NewByForm NewFromQuestion WatchRecorded ConnectModel ShowSettings TryModels BackUp AskSources
];

/// A hand edit of the draft; outside, of any text that a form asks for.
fn edit(model: &Model, action: Action) -> Checked {
    if let (Action::EditOutside, Some(form)) = (action, form(model)) {
        return require(form.focused_text().is_some(), "this field is a list; there is no text to edit");
    }
    let draft = story(model).and_then(|story| story.journal.draft(story.waits()?.round()));
    match draft {
        Some(draft) => gate(model, &Choice::Edit { article: draft.article.clone() }),
        None => gate(model, &Choice::Continue).and_then(|()| refuse("there is no draft to edit")),
    }
}

fn undo(model: &Model) -> Checked {
    let story = open_story(model)?;
    match (last_decision(story), left_gate_at(story)) {
        (Some(number), _) => gate(model, &Choice::Undo { number }),
        (None, Some(_)) => idle(model, story),
        (None, None) => refuse("Nothing to undo here"),
    }
}

/// Why the open story does not allow the choice.
fn gate(model: &Model, choice: &Choice) -> Checked {
    let story = open_story(model)?;
    let Err(refused) = choices::check(&story.journal, choice) else { return Ok(()) };
    let is_early = matches!(refused, Refused::NotNow { when: "before sign-off", .. });
    if is_early && matches!(story.waits(), Some(Wait::SignOff { .. })) {
        let key = |action| model.keys.keys(action).first().map_or_else(String::new, ToString::to_string);
        let keys = (key(Action::SignOff), key(Action::EditDraft), key(Action::SendBack));
        return refuse(format!("Already at sign-off. {} signs, {} edits, {} sends back", keys.0, keys.1, keys.2));
    }
    Err(refused.into())
}

pub(crate) fn waits(model: &Model) -> Option<Wait> {
    story(model)?.waits()
}
