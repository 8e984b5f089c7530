//! Runs an action, whichever way it was asked for: by key, from the palette, by name.

use super::{
    Effect, able, changes, claims, dead, desk, edits, find, forks, forms, gate, memory, overlays, proof, review, save,
    search, story,
};
use crate::{
    desk::Known,
    newsroom::{Choice, Priority, StoryKey},
    tui::{
        action::Action,
        model::{Model, Overlay, Question, Screen, Then, desk::Standing, review::Way, story::Tab},
        msg::{Beginning, Request},
        theme::{Theme, ThemeName},
    },
};

/// Runs an action, or says why it cannot be used now.
#[expect(clippy::too_many_lines, reason = "one arm an action")]
pub fn perform(model: &mut Model, action: Action) -> Vec<Effect> {
    if let Some(reason) = able::why_not(model, action) {
        // A reason that is a whole sentence names the action itself.
        let whole = reason.chars().next().is_some_and(char::is_uppercase);
        model.warn(if whole { reason } else { format!("{}: {reason}", action.title()) });
        // What holds the sign-off back is shown, not only named.
        return if action == Action::SignOff { proof::show_what_holds_back(model) } else { Vec::new() };
    }
    match action {
        Action::MoveUp => move_by(model, -1),
        Action::MoveDown => move_by(model, 1),
        Action::PageUp => page_by(model, -1),
        Action::PageDown => page_by(model, 1),
        Action::GoFirst => to_end(model, false),
        Action::GoLast => to_end(model, true),
        Action::MoveLeft => sideways(model, -1),
        Action::MoveRight => sideways(model, 1),
        Action::NextPane => next_pane(model, 1),
        Action::PreviousPane => next_pane(model, -1),
        Action::Open if search::on_top(model).is_some() => search::open_selected(model),
        Action::Back if search::on_top(model).is_some() => search::back(model),
        Action::Open if claims::on_top(model).is_some() => claims::open_selected(model),
        Action::Back if claims::on_top(model).is_some() => claims::back(model),
        Action::Open if dead::on_top(model).is_some() => dead::open_selected(model),
        Action::Back if dead::on_top(model).is_some() => dead::back(model),
        Action::Open => open(model),
        Action::Back => back(model),
        Action::Confirm | Action::Save => overlays::confirm(model),
        Action::Close => overlays::close(model),
        Action::NewFromFile => desk::new_from_file(model),
        Action::NewFromText => desk::new_from_text(model),
        Action::NewByForm => desk::new_by_form(model),
        Action::SampleStory => super::ask_to_open(model, Request::Begin(Beginning::Sample)),
        Action::Filter => {
            model.desk.filtering = true;
            Vec::new()
        }
        Action::Sort => {
            model.desk.order = model.desk.order.next();
            model.desk.arrange();
            model.say(format!("sorted: {}", model.desk.order.words()));
            Vec::new()
        }
        Action::NextWaiting => review::walk(model, Way::On),
        Action::PreviousWaiting => review::walk(model, Way::Back),
        Action::Pause => with_row(model, |story, row| {
            let paused = row.run.paused;
            Request::Pause { story, paused: !paused }
        }),
        Action::Stop => {
            let Some(story) = able::row(model).and_then(desk::key_of) else { return Vec::new() };
            model.lay_over(Overlay::Question(Question {
                title: "Stop the story?".into(),
                text: "The call that is running is cancelled. What is finished is kept, and the story can go on."
                    .into(),
                yes: "stop it".into(),
                then: Then::Stop(story),
            }));
            Vec::new()
        }
        Action::Resume => {
            with_row(
                model,
                |story, row| {
                    if row.run.paused { Request::Pause { story, paused: false } } else { Request::GoOn(story) }
                },
            )
        }
        Action::Reopen if able::row(model).is_some_and(|row| row.standing() == Standing::Signed) => {
            let Some((run, story)) = able::row(model).and_then(|row| Some((row.key, desk::key_of(row)?))) else {
                return Vec::new();
            };
            model.lay_over(Overlay::Question(Question {
                title: "Reopen a signed article?".into(),
                text: "A new run becomes the story's current one and waits for your sign-off. The signed run and its article stay as they \
                       are until the new one is signed."
                    .into(),
                yes: "reopen".into(),
                then: Then::Reopen(run, story),
            }));
            Vec::new()
        }
        Action::Reopen => reopen(model),
        Action::RaisePriority => priority(model, true),
        Action::LowerPriority => priority(model, false),
        Action::DeleteStory => desk::ask_to_delete(model),
        Action::BackUp => desk::ask_for_backup(model),
        Action::ShowMemory => memory::show(model),
        Action::ShowDead => dead::show(model),
        Action::RetryLetter => dead::ask_to_retry(model),
        Action::DropLetter => dead::ask_to_drop(model),
        Action::ShowRemembered => memory::show_remembered(model),
        Action::StrikeRecord => memory::ask_to_strike(model),
        Action::RestoreRecord => memory::ask_to_restore(model),
        Action::ShowLive => story::show(model, Tab::Live),
        Action::ShowConcerns => story::show(model, Tab::Concerns),
        Action::ShowChanges => story::show(model, Tab::Changes),
        Action::ShowArticle => story::show(model, Tab::Article),
        Action::ShowCalls => story::show(model, Tab::Calls),
        Action::ShowLog => story::show(model, Tab::Log),
        Action::ShowRuns => story::show(model, Tab::Runs),
        Action::ShowProof => story::show(model, Tab::Proof),
        Action::ShowClaims => claims::show(model),
        Action::NextTab => story::turn(model, 1),
        Action::PreviousTab => story::turn(model, -1),
        Action::NextConcern => story::select_concern(model, 1),
        Action::PreviousConcern => story::select_concern(model, -1),
        Action::NextRound => story::turn_round(model, 1),
        Action::PreviousRound => story::turn_round(model, -1),
        Action::NextChange => changes::change(model, changes::Jump::Next),
        Action::PreviousChange => changes::change(model, changes::Jump::Previous),
        Action::NextUnasked => changes::change(model, changes::Jump::Unasked),
        Action::NextFinding => proof::go_to_finding(model, true),
        Action::PreviousFinding => proof::go_to_finding(model, false),
        Action::FilterRows => proof::filter(model),
        Action::OrderRows => proof::order(model),
        Action::ToggleDiffLayout => changes::toggle_layout(model),
        Action::ToggleRaw => story::toggle_raw(model),
        Action::ChooseDrafts => changes::choose_drafts(model),
        Action::Fork => forks::ask_to_fork(model, Known::Taken),
        Action::ForkAgain => forks::ask_to_fork(model, Known::AskedAgain),
        Action::OverrideVerdict => gate::open_override(model),
        Action::AcceptFinding => proof::open_accept(model),
        Action::Feedback => gate::open_feedback(model),
        Action::EditDraft => edits::open_edit(model, false),
        Action::EditOutside => edits::edit_outside(model),
        Action::ForgetEdit => edits::ask_to_forget(model),
        Action::UndoDecision => gate::undo(model),
        Action::AnotherRound => gate::decide(model, Choice::AnotherRound),
        Action::Continue => gate::ask_to_continue(model),
        Action::Stet => gate::open_stet(model),
        Action::Spike => gate::open_spike(model),
        Action::SignOff => gate::ask_to_sign(model),
        Action::SendBack => gate::open_send_back(model),
        Action::LetStand => review::ask_to_let_stand(model),
        Action::SearchEverywhere => search::show(model),
        Action::NextScope => search::next_scope(model),
        Action::ToggleTrusted => search::toggle_trusted(model),
        Action::CopyCitation => search::copy_citation(model),
        Action::Search => find::search(model),
        Action::NextHit => find::hit(model, true),
        Action::PreviousHit => find::hit(model, false),
        Action::Copy => find::copy(model),
        Action::CopyArticle => save::copy_article(model),
        Action::SaveMarkdown => save::ask_where(model, false),
        Action::SaveHtml => save::ask_where(model, true),
        Action::Cancel => overlays::cancel(model),
        Action::UndoTyping if search::on_top(model).is_some() => search::clear(model),
        Action::UndoTyping
        | Action::RedoTyping
        | Action::SelectAll
        | Action::CutSelection
        | Action::CopySelection
        | Action::Paste => forms::editing(model, action),
        Action::Palette => {
            model.lay_over(Overlay::Palette { query: String::new(), selected: 0 });
            Vec::new()
        }
        Action::Help => {
            if !matches!(model.overlays.last(), Some(Overlay::Help { .. })) {
                model.lay_over(Overlay::Help { top: 0, place: super::place(model) });
            }
            Vec::new()
        }
        Action::ShowNotices => {
            model.lay_over(Overlay::Notices { top: 0 });
            Vec::new()
        }
        Action::NextTheme => {
            let place = ThemeName::ALL.iter().position(|name| *name == model.theme.name).unwrap_or(0);
            let next = ThemeName::ALL.get(place + 1).copied().unwrap_or(ThemeName::Dark);
            model.theme = Theme::named(next);
            model.relay();
            model.say(format!("theme: {}; the key tui.theme keeps it", next.name()));
            Vec::new()
        }
        Action::ToggleMouse => {
            model.mouse = !model.mouse;
            model.say(if model.mouse {
                "the mouse selects and scrolls here; your terminal's own selection is off"
            } else {
                "the mouse is your terminal's again"
            });
            vec![Effect::Mouse(model.mouse)]
        }
        Action::Redraw => vec![Effect::Redraw],
        Action::Quit => quit(model),
    }
}

/// Ends the program, asking first where something would stop.
fn quit(model: &mut Model) -> Vec<Effect> {
    let typing = model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Form(form) if form.is_touched()));
    let at_work = model.desk.at_work();
    if at_work == 0 && !typing {
        model.leaving = true;
        return Vec::new();
    }
    let mut text = Vec::new();
    if at_work > 0 {
        let stories = if at_work == 1 { "One story stops".to_owned() } else { format!("{at_work} stories stop") };
        text.push(format!(
            "{stories} where {}. What is finished is safe; `copydesk resume` goes on, and so does this screen.",
            if at_work == 1 { "it is" } else { "they are" }
        ));
    }
    if typing {
        let kept =
            model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Form(form) if form.kept_at.is_some()));
        text.push(if kept {
            "Your edit is kept and comes back when you open it again.".to_owned()
        } else {
            "What you are typing here is not saved.".to_owned()
        });
    }
    model.lay_over(Overlay::Question(Question {
        title: "Quit?".into(),
        text: text.join(" "),
        yes: "quit".into(),
        then: Then::Quit,
    }));
    Vec::new()
}

fn with_row(
    model: &mut Model,
    request: impl FnOnce(StoryKey, &crate::tui::model::desk::DeskRow) -> Request,
) -> Vec<Effect> {
    let Some(row) = able::row(model) else { return Vec::new() };
    match desk::key_of(row) {
        Some(story) => vec![Effect::Ask(request(story, row))],
        None => Vec::new(),
    }
}

/// Takes the story up again.
fn reopen(model: &mut Model) -> Vec<Effect> {
    match able::row(model).and_then(|row| Some((row.key, desk::key_of(row)?))) {
        Some((run, story)) => super::ask_to_open(model, Request::Reopen { run, story }),
        None => Vec::new(),
    }
}

fn priority(model: &mut Model, up: bool) -> Vec<Effect> {
    let Some(row) = able::row(model) else { return Vec::new() };
    let priority = match (row.run.priority, up) {
        (Priority::Low, true) | (Priority::High, false) => Priority::Normal,
        (Priority::Normal | Priority::High, true) => Priority::High,
        (Priority::Normal | Priority::Low, false) => Priority::Low,
    };
    if priority == row.run.priority {
        model.say(format!("its priority is {} already", priority.name()));
        return Vec::new();
    }
    with_row(model, |story, _| Request::Priority { story, priority })
}

fn move_by(model: &mut Model, by: isize) -> Vec<Effect> {
    if let Some(effects) = overlays::move_by(model, by) {
        return effects;
    }
    match model.screen {
        Screen::Desk => model.desk.select(by),
        Screen::Story => return story::move_by(model, by),
    }
    Vec::new()
}

fn page_by(model: &mut Model, by: isize) -> Vec<Effect> {
    if claims::page_by(model, by) || dead::page_by(model, by) {
        return Vec::new();
    }
    let rows = isize::try_from(model.page_rows()).unwrap_or(10);
    if let Some(effects) = overlays::move_by(model, by * rows) {
        return effects;
    }
    match model.screen {
        Screen::Desk => model.desk.select(by * rows),
        Screen::Story => return story::page_by(model, by),
    }
    Vec::new()
}

fn to_end(model: &mut Model, last: bool) -> Vec<Effect> {
    const FAR: isize = 1 << 40;
    let by = if last { FAR } else { -FAR };
    if let Some(effects) = overlays::move_by(model, by) {
        return effects;
    }
    match model.screen {
        Screen::Desk => model.desk.select(by),
        Screen::Story => return story::to_end(model, last),
    }
    Vec::new()
}

fn sideways(model: &mut Model, by: isize) -> Vec<Effect> {
    if !overlays::sideways(model, by) && model.screen == Screen::Story {
        return story::sideways(model, by);
    }
    Vec::new()
}

fn next_pane(model: &mut Model, by: isize) -> Vec<Effect> {
    if !overlays::next_field(model, by) && model.screen == Screen::Story {
        story::next_pane(model, by);
    }
    Vec::new()
}

fn open(model: &mut Model) -> Vec<Effect> {
    match model.screen {
        Screen::Desk => match model.desk.selected().map(|row| row.key) {
            Some(key) => super::ask_to_open(model, Request::Open(key)),
            None => Vec::new(),
        },
        Screen::Story => story::open(model),
    }
}

fn back(model: &mut Model) -> Vec<Effect> {
    match model.screen {
        Screen::Desk => {
            if !model.desk.filter.is_empty() {
                model.desk.filter.clear();
                model.desk.arrange();
            }
            Vec::new()
        }
        Screen::Story => story::back(model),
    }
}
