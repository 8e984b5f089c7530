//! The actions that the footer offers in each context, and the preparation of a frame.

use std::sync::Arc;

use crate::{
    app::{
        able,
        action::KeyContext,
        actions::Action,
        model::{Model, Screen},
    },
    screens::{
        live::written,
        story::{model::StoryView, tabs::Tab},
    },
};
use copydesk_newsroom::Wait;

/// The actions that the footer offers, the most useful first.
pub(crate) fn wanted(model: &Model, place: KeyContext) -> &'static [Action] {
    use Action as A;
    let searching = model.overlays.is_empty() && model.story.as_deref().is_some_and(StoryView::is_searching);
    if searching && model.screen == Screen::Story {
        return &[A::NextHit, A::PreviousHit, A::Search, A::Copy, A::Help, A::Back];
    }
    if let Some(page) = model.overlays.iter().rev().find(|page| page.context() == place) {
        return page.hints();
    }
    match place {
        KeyContext::Input => &[A::Confirm, A::Cancel],
        KeyContext::Desk if model.desk.all().is_empty() => &[
            A::SampleStory,
            A::WatchRecorded,
            A::NewFromFile,
            A::NewFromText,
            A::NewByForm,
            A::ConnectModel,
            A::Palette,
            A::Help,
            A::Quit,
        ],
        KeyContext::Desk => &[
            A::Open,
            A::NextWaiting,
            A::ShowFailedSteps,
            A::NewFromFile,
            A::NewFromText,
            A::Filter,
            A::SearchEverywhere,
            A::ShowDay,
            A::Sort,
            A::RaisePriority,
            A::Pause,
            A::Resume,
            A::ConnectModel,
            A::Palette,
            A::Help,
            A::Quit,
        ],
        KeyContext::Diff
        | KeyContext::Proof
        | KeyContext::Sources
        | KeyContext::Calls
        | KeyContext::Log
        | KeyContext::Runs => elsewhere(place),
        _ => deciding(model, place),
    }
}

/// The actions on a page without keys of its own, while a story waits.
fn deciding(model: &Model, place: KeyContext) -> &'static [Action] {
    use Action as A;
    match able::waits(model) {
        Some(Wait::Gate { .. }) => &[
            A::Continue,
            A::EditDraft,
            A::NextNote,
            A::AcceptNote,
            A::RejectNote,
            A::ApplyFix,
            A::OverruleVerdict,
            A::Triage,
            A::ShowRemembered,
            A::Feedback,
            A::UndoDecision,
            A::Stet,
            A::AnotherRound,
            A::Spike,
            A::ShowClaims,
            A::ShowConcerns,
            A::ShowChanges,
            A::NextPane,
            A::Search,
            A::Help,
            A::Back,
        ],
        Some(Wait::SignOff { .. }) => &[
            A::SignOff,
            A::EditDraft,
            A::NextNote,
            A::AcceptNote,
            A::RejectNote,
            A::SendBack,
            A::UndoDecision,
            A::ShowProof,
            A::ShowClaims,
            A::AnotherRound,
            A::Spike,
            A::ShowArticle,
            A::ShowChanges,
            A::CopyArticle,
            A::SaveMarkdown,
            A::SaveHtml,
            A::ConnectModel,
            A::Help,
            A::Back,
        ],
        Some(Wait::Plan) => {
            &[A::Continue, A::Feedback, A::UndoDecision, A::ShowLive, A::ShowSources, A::ShowCalls, A::Help, A::Back]
        }
        Some(Wait::Call { .. }) => {
            &[A::AllowCall, A::RefuseCall, A::ShowLive, A::ShowSources, A::ShowCalls, A::Search, A::Help, A::Back]
        }
        None => elsewhere(place),
    }
}

fn elsewhere(place: KeyContext) -> &'static [Action] {
    use Action as A;
    match place {
        KeyContext::Concerns => &[
            A::AcceptFlags,
            A::NextConcern,
            A::ShowRemembered,
            A::ShowClaims,
            A::NextPane,
            A::PreviousRound,
            A::NextRound,
            A::Search,
            A::Copy,
            A::Help,
            A::Back,
        ],
        KeyContext::Diff => &[
            A::NextChange,
            A::PreviousChange,
            A::AcceptChange,
            A::TakeBack,
            A::NextUnasked,
            A::UndoDecision,
            A::ToggleDiffLayout,
            A::ChooseDrafts,
            A::Continue,
            A::Help,
            A::Back,
        ],
        KeyContext::Proof => &[
            A::Open,
            A::NextFinding,
            A::AcceptFinding,
            A::AddWord,
            A::UndoDecision,
            A::FilterRows,
            A::NextPane,
            A::EditDraft,
            A::Continue,
            A::ShowClaims,
            A::PreviousRound,
            A::NextRound,
            A::Search,
            A::Help,
            A::Back,
        ],
        KeyContext::Sources => &[
            A::Open,
            A::AddSource,
            A::RemoveSource,
            A::DistrustSource,
            A::SendReporter,
            A::UndoDecision,
            A::Continue,
            A::NextPane,
            A::Search,
            A::Copy,
            A::Help,
            A::Back,
        ],
        KeyContext::Article => &[
            A::AcceptFlags,
            A::CopyArticle,
            A::SaveMarkdown,
            A::SaveHtml,
            A::ShowClaims,
            A::Search,
            A::Reopen,
            A::ConnectModel,
            A::Help,
            A::Back,
        ],
        KeyContext::Calls => &[A::Open, A::NextPane, A::ToggleRaw, A::Search, A::Copy, A::Fork, A::Help, A::Back],
        KeyContext::Log => &[A::Search, A::Copy, A::Fork, A::Help, A::Back],
        KeyContext::Runs => &[A::Open, A::Fork, A::Reopen, A::Help, A::Back],
        _ => &[
            A::NextTab,
            A::ShowConcerns,
            A::Pause,
            A::Stop,
            A::Resume,
            A::AcceptFlags,
            A::Reopen,
            A::Palette,
            A::Help,
            A::Back,
        ],
    }
}

/// Whether each second counts: a call is running, a gate counts down, or the numbers of today are shown. It also counts if other work is under
/// way, or something has not been on the screen for long.
pub fn moves(model: &Model) -> bool {
    let counts = model.continues_at.is_some() || crate::screens::day::page::is_live(model);
    counts
        || !model.under_way.is_empty()
        || model.on_screen.waits()
        || model.live.values().any(|live| !live.calls.is_empty())
}

/// Lays out the text that arrived since the last frame: once for each frame, not for each piece.
pub fn before_frame(model: &mut Model) {
    if !model.streamed || model.screen != Screen::Story {
        return;
    }
    // Another page does not show it.
    let Some(story) = model.story.as_deref_mut().filter(|story| story.tab == Tab::Live) else { return };
    model.streamed = false;
    let Some(live) = model.live.get_mut(&story.run.story) else { return };
    if let Some(call) = live.latest.and_then(|step| live.calls.get_mut(&step)) {
        let (text, marks) = written::on_its_way(call.text.shown());
        story.live.text.replace_text(Arc::from(text));
        story.live.text.mark(marks);
    }
    crate::app::hear::lay_rail(model);
}
