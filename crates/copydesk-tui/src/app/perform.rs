//! Runs an action, however it was asked for: by key, from the palette or by name.

use strum::VariantArray as _;

use crate::app::frame::notices::NoticesPage;
use crate::app::hints::place;
use crate::app::{
    Action, Beginning, Effect, HelpPage, KeyContext, Model, Palette, Question, Request, Screen, able, find, palette,
};
use crate::screens::desk::{DeskRow, StoryState};
use crate::screens::forms::Form;
use crate::screens::gate::{edits, forks, notes, one_change};
use crate::screens::review::Direction;
use crate::screens::story::{Pane, StoryView, Tab};
use crate::screens::{
    article, ask, changes, claims, day, desk, failed_steps, files, gate, memory, proof, publish, record, review,
    search, settings, sources, story,
};
use crate::widgets::{ThemeName, ring};
use copydesk_core::desk::ForkedAnswer;
use copydesk_newsroom::{Choice, Priority, StoryKey};

/// Runs an action, or says why it cannot be used now.
#[expect(clippy::too_many_lines, reason = "one arm an action")]
pub fn perform(model: &mut Model, action: Action) {
    if let Some(reason) = able::why_not(model, action) {
        // A reason that begins with a capital is a whole sentence and needs no title.
        let whole = reason.chars().next().is_some_and(char::is_uppercase);
        model.warn(if whole { reason } else { format!("{}: {reason}", action.title()) });
        // The page shows the findings that hold the sign-off back.
        if action == Action::SignOff {
            proof::update::show_what_holds_back(model);
        }
        return;
    }
    if matches!(action, Action::Confirm | Action::Save)
        && let Some(chosen) = palette::choice(model)
    {
        model.overlays.pop();
        return perform(model, chosen);
    }
    if model.react(|page, scene| page.run(action, scene)) {
        return;
    }
    let tab = Tab::shown_by(action);
    let shows_page = matches!(action, Action::ShowClaims | Action::ShowPublish | Action::ShowRecord);
    // The story's pages that lie over its tabs are left for another of its pages, and for the settings, which the next page begins with.
    if tab.is_some() || shows_page || action == Action::ShowSettings {
        model.overlays.pop_if(|page| {
            matches!(page.context(), KeyContext::Claims | KeyContext::Publish | KeyContext::StoryRecord)
        });
    }
    if let Some(tab) = tab {
        return story::update::show(model, tab);
    }
    match action {
        Action::MoveUp => move_by(model, -1),
        Action::MoveDown => move_by(model, 1),
        Action::PageUp => page_by(model, -1),
        Action::PageDown => page_by(model, 1),
        Action::GoFirst => to_end(model, false),
        Action::GoLast => to_end(model, true),
        Action::MoveLeft if model.screen == Screen::Story => story::update::sideways(model, -1),
        Action::MoveRight if model.screen == Screen::Story => story::update::sideways(model, 1),
        Action::NextPane if model.screen == Screen::Story => story::update::next_pane(model, 1),
        Action::PreviousPane if model.screen == Screen::Story => story::update::next_pane(model, -1),
        Action::Open => open(model),
        Action::Back => back(model),
        Action::NewFromFile => files::show(model),
        Action::NewFromText => desk::update::new_from_text(model),
        Action::NewFromQuestion => desk::update::new_from_question(model),
        Action::NewByForm => desk::update::new_by_form(model),
        Action::SampleStory => model.ask_to_open(Request::Begin(Beginning::Sample)),
        Action::NextWaiting => review::update::walk(model, Direction::On),
        Action::PreviousWaiting => review::update::walk(model, Direction::Back),
        Action::Pause => with_row(model, |story, row| Request::Pause { story, paused: !row.run.paused }),
        Action::Resume => with_row(model, |story, row| {
            if row.run.paused { Request::Pause { story, paused: false } } else { Request::Resume(story) }
        }),
        Action::Reopen => reopen(model),
        Action::RaisePriority => priority(model, true),
        Action::LowerPriority => priority(model, false),
        Action::SetDeadline => desk::update::ask_for_deadline(model),
        Action::AssignEditor => desk::update::ask_for_editor(model),
        Action::OnlyMine => desk::update::only_mine(model),
        Action::DeleteStory => desk::update::ask_to_delete(model),
        Action::BackUp => desk::update::ask_for_backup(model),
        Action::ShowMemory => memory::list::show(model),
        Action::ShowFailedSteps => failed_steps::show(model),
        Action::ShowDay => day::page::show(model),
        Action::ShowPublish => publish::show(model),
        Action::ShowRecord => record::show(model),
        Action::ShowRemembered => memory::record::show_remembered(model),
        Action::ShowClaims => claims::page::show(model),
        Action::AskSources => ask::page::show(model),
        Action::NextTab => story::update::turn(model, 1),
        Action::PreviousTab => story::update::turn(model, -1),
        Action::NextConcern => story::update::select_concern(model, 1),
        Action::PreviousConcern => story::update::select_concern(model, -1),
        Action::NextRound => story::update::turn_round(model, 1),
        Action::PreviousRound => story::update::turn_round(model, -1),
        Action::NextChange => changes::update::change(model, changes::model::Jump::Next),
        Action::PreviousChange => changes::update::change(model, changes::model::Jump::Previous),
        Action::NextUnasked => changes::update::change(model, changes::model::Jump::Unasked),
        Action::NextFinding => proof::update::go_to_finding(model, true),
        Action::PreviousFinding => proof::update::go_to_finding(model, false),
        Action::AcceptChange => one_change::accept(model),
        Action::TakeBack => one_change::take_back(model),
        Action::ToggleDiffLayout => changes::update::toggle_layout(model),
        Action::ToggleRaw => story::update::toggle_raw(model),
        Action::ChooseDrafts => changes::update::choose_drafts(model),
        Action::Fork => forks::ask_to_fork(model, ForkedAnswer::Taken),
        Action::ForkAgain => forks::ask_to_fork(model, ForkedAnswer::AskedAgain),
        Action::OverruleVerdict => gate::update::open_overrule(model),
        Action::ApplyFix => gate::update::apply_fix(model),
        Action::AcceptFinding => proof::update::open_accept(model),
        Action::AddWord => proof::update::ask_to_add(model),
        Action::Listen => proof::update::listen(model),
        Action::Triage => sources::update::triage(model),
        Action::SendReporter => sources::update::open_research(model),
        Action::AddSource => sources::update::open_add(model),
        Action::RemoveSource => sources::update::open_remove(model),
        Action::DistrustSource => sources::update::open_distrust(model),
        Action::AllowCall => gate::update::ask_to_allow(model),
        Action::RefuseCall => gate::update::refuse_call(model),
        Action::Feedback => gate::update::open_feedback(model),
        Action::EditDraft => edits::open_edit(model, false),
        Action::EditOutside => edits::edit_outside(model),
        Action::NextNote => notes::go_to_note(model, true),
        Action::PreviousNote => notes::go_to_note(model, false),
        Action::AcceptNote => notes::accept_note(model),
        Action::RejectNote => notes::reject_note(model),
        Action::CommentHere => notes::open_comment(model),
        Action::FindReplace => notes::open_find(model),
        Action::ForgetEdit => edits::ask_to_forget(model),
        Action::UndoDecision => gate::update::undo(model),
        Action::AnotherRound => gate::update::decide(model, Choice::AnotherRound),
        Action::Continue => gate::update::ask_to_continue(model),
        Action::Stet => gate::update::open_stet(model),
        Action::Spike => gate::update::open_spike(model),
        Action::SignOff => gate::update::ask_to_sign(model),
        Action::SendBack => gate::update::open_send_back(model),
        Action::AcceptFlags => review::update::ask_to_accept_flags(model),
        Action::SearchEverywhere => search::page::show(model),
        Action::Search => find::search(model),
        Action::NextHit => find::hit(model, true),
        Action::PreviousHit => find::hit(model, false),
        Action::Copy => find::copy(model),
        Action::CopyArticle => article::update::copy_article(model),
        Action::SaveMarkdown => article::update::ask_where(model, false),
        Action::SaveHtml => article::update::ask_where(model, true),
        Action::ShowSettings => settings::update::show(model),
        Action::ConnectModel => settings::update::connect(model),
        Action::TryModels => settings::update::try_models(model),
        Action::ToggleMouse => {
            model.mouse = !model.mouse;
            model.say(if model.mouse {
                "The mouse selects and scrolls here; hold shift to select text as usual"
            } else {
                "The mouse is off here; your terminal selects text"
            });
            model.effects.push(Effect::Mouse(model.mouse));
        }
        Action::Redraw => model.effects.push(Effect::Redraw),
        Action::Suspend => model.effects.push(Effect::Suspend),
        Action::Quit => quit(model),
        Action::Confirm | Action::Save => model.desk.filtering = false,
        Action::Filter => model.desk.filtering = true,
        Action::Cancel => {
            model.desk.filtering = false;
            model.desk.filter.clear();
            model.desk.arrange();
        }
        Action::Sort => {
            model.desk.order = model.desk.order.next();
            model.desk.arrange();
            model.say(format!("sorted: {}", model.desk.order.words()));
        }
        Action::WatchRecorded => model.wants_recorded = true,
        Action::Stop => {
            if let Some(story) = able::row(model).and_then(desk::update::key_of) {
                let text = "Copydesk cancels the running call and keeps all finished steps. You can resume the story.";
                let then = |model: &mut Model| model.ask(Request::Stop(story));
                model.lay_over(Question::new("Stop the story?", text, "stop it", then));
            }
        }
        Action::FindAgain => notes::find_again(model),
        Action::Palette => model.lay_over(Palette::default()),
        Action::Help if model.on_top::<HelpPage>().is_none() => {
            model.lay_over(HelpPage { top: 0, place: place(model) });
        }
        Action::ShowNotices => model.lay_over(NoticesPage::default()),
        Action::NextTheme => {
            let next = ring::neighbour(ThemeName::VARIANTS, model.theme.name, 1);
            model.set_theme(next);
            model.say(format!("theme: {}; to keep it, choose it in the settings", next.name()));
        }
        // A page over the screen has its own actions; without it they are refused above.
        _ => {}
    }
}

/// Ends the program; asks first if something would stop.
fn quit(model: &mut Model) {
    let typing = model.forms().any(Form::is_touched);
    // A recorded story is not resumed: it is played again.
    let at_work = if model.house.recorded.is_some() { 0 } else { model.desk.at_work() };
    if at_work == 0 && !typing {
        model.leaving = true;
        return;
    }
    let mut text = Vec::new();
    if at_work > 0 {
        let stories = if at_work == 1 { "One story stops".to_owned() } else { format!("{at_work} stories stop") };
        text.push(format!(
            "{stories}. Finished steps are safe. To resume {}, run `copydesk resume` or open this screen again.",
            if at_work == 1 { "it" } else { "them" }
        ));
    }
    if typing {
        let kept = model.forms().any(|form| form.kept_at.is_some());
        text.push(if kept {
            "Your edit is saved; open it again to continue.".to_owned()
        } else {
            "The text that you are typing is not saved.".to_owned()
        });
    }
    model.lay_over(Question::new("Quit?", text.join(" "), "quit", |model| model.leaving = true));
}

fn with_row(model: &mut Model, request: impl FnOnce(StoryKey, &DeskRow) -> Request) {
    if let Some(request) = able::row(model).and_then(|row| Some(request(desk::update::key_of(row)?, row))) {
        model.ask(request);
    }
}

fn reopen(model: &mut Model) {
    let Some(row) = able::row(model) else { return };
    let Some(story) = desk::update::key_of(row) else { return };
    let is_signed = matches!(row.standing(), StoryState::Signed | StoryState::SignedAsNotes);
    let request = Request::Reopen { run: row.key, story };
    if !is_signed {
        return model.ask_to_open(request);
    }
    let text = "Copydesk opens a new run that waits for your sign-off. The signed run and its article stay as they are until you sign \
                the new run.";
    let then = |model: &mut Model| model.ask_to_open(request);
    model.lay_over(Question::new("Reopen a signed article?", text, "reopen", then));
}

fn priority(model: &mut Model, up: bool) {
    let Some(row) = able::row(model) else { return };
    let priority = match (row.run.priority, up) {
        (Priority::Low, true) | (Priority::High, false) => Priority::Normal,
        (Priority::Normal | Priority::High, true) => Priority::High,
        (Priority::Normal | Priority::Low, false) => Priority::Low,
    };
    if priority == row.run.priority {
        model.say(format!("The priority is already {}", priority.name()));
        return;
    }
    with_row(model, |story, _| Request::Priority { story, priority });
}

pub(crate) fn move_by(model: &mut Model, by: isize) {
    if model.react(|page, scene| page.move_by(by, scene)) {
        return;
    }
    match model.screen {
        Screen::Story => story::update::move_by(model, by),
        Screen::Desk => model.desk.select(by),
    }
}

fn page_by(model: &mut Model, by: isize) {
    if model.page_on_top(by) {
        return;
    }
    let rows = model.page_rows();
    match model.screen {
        Screen::Story => story::update::page_by(model, by),
        Screen::Desk => move_by(model, by * rows),
    }
}

fn to_end(model: &mut Model, last: bool) {
    const FAR: isize = 1 << 40;
    match model.screen {
        Screen::Story if model.overlays.is_empty() => story::update::to_end(model, last),
        _ => move_by(model, if last { FAR } else { -FAR }),
    }
}

fn open(model: &mut Model) {
    match model.screen {
        Screen::Desk => {
            if let Some(key) = model.desk.selected().map(|row| row.key) {
                model.ask_to_open(Request::Open(key));
            }
        }
        // On the page of a draft that waits, one begins to type.
        Screen::Story
            if model.story.as_deref().is_some_and(|story| story.tab == Tab::Article && story.waits().is_some()) =>
        {
            perform(model, Action::EditDraft);
        }
        // The verdict shows the sentence before and after its fix; Enter takes it there.
        Screen::Story if shows_verdict(model) && able::why_not(model, Action::ApplyFix).is_none() => {
            gate::update::apply_fix(model);
        }
        Screen::Story => story::update::open(model),
    }
}

/// Whether the verdict on a concern has the focus.
fn shows_verdict(model: &Model) -> bool {
    let is_it = |story: &StoryView| story.tab == Tab::Concerns && story.concerns.pane == Pane::Verdict;
    model.story.as_deref().is_some_and(is_it)
}

fn back(model: &mut Model) {
    match model.screen {
        Screen::Desk => {
            if !model.desk.filter.is_empty() || model.desk.only_for.is_some() {
                model.desk.filter.clear();
                model.desk.only_for = None;
                model.desk.arrange();
            }
        }
        Screen::Story => story::update::back(model),
    }
}
