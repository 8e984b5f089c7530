//! Where the keys go, the actions that the footer offers there, and the preparation of a frame.

use std::sync::Arc;

use crate::app::actions::{Action, Action as A};
use crate::app::{HelpPage, KeyContext, Model, Palette, Screen};
use crate::screens::story::{StoryView, Tab};

/// The ways to begin a story, on an empty desk.
pub(crate) const BEGIN: &[Action] =
    &[A::SampleStory, A::WatchRecorded, A::NewFromFile, A::NewFromText, A::NewByForm, A::ConnectModel];

/// The actions that the footer offers, the most useful first. Those that cannot be used now are left out of it.
pub(crate) fn wanted(model: &Model, place: KeyContext) -> Vec<Action> {
    let searching = model.overlays.is_empty() && model.story.as_deref().is_some_and(StoryView::is_searching);
    if searching && model.screen == Screen::Story {
        return vec![A::NextHit, A::PreviousHit, A::Search, A::Copy, A::Help, A::Back];
    }
    if let Some(page) = model.overlays.iter().rev().find(|page| page.context() == place) {
        return page.keys().1.to_vec();
    }
    match place {
        KeyContext::Input => vec![A::Confirm, A::Cancel],
        KeyContext::Desk if model.desk.all().is_empty() => [BEGIN, &[A::Palette, A::Help, A::Quit]].concat(),
        KeyContext::Desk => [ON_DESK, &[A::Palette, A::Help, A::Quit]].concat(),
        KeyContext::Live | KeyContext::Concerns | KeyContext::Article => {
            [DECIDING, on_tab(place), &[A::Help, A::Back]].concat()
        }
        _ => [on_tab(place), &[A::Help, A::Back]].concat(),
    }
}

const ON_DESK: &[Action] = &[
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
];

/// The decisions on a story that waits.
const DECIDING: &[Action] = &[
    A::SignOff,
    A::Continue,
    A::AllowCall,
    A::RefuseCall,
    A::EditDraft,
    A::NextNote,
    A::AcceptNote,
    A::RejectNote,
    A::ApplyFix,
    A::OverruleVerdict,
    A::Triage,
    A::ShowRemembered,
    A::Feedback,
    A::SendBack,
    A::UndoDecision,
    A::Stet,
    A::AnotherRound,
    A::Spike,
];

fn on_tab(place: KeyContext) -> &'static [Action] {
    match place {
        KeyContext::Concerns => &[
            A::AcceptFlags,
            A::NextConcern,
            A::ShowProof,
            A::ShowClaims,
            A::ShowChanges,
            A::NextPane,
            A::PreviousRound,
            A::NextRound,
            A::Search,
            A::Copy,
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
        ],
        KeyContext::Proof => &[
            A::Open,
            A::NextFinding,
            A::AcceptFinding,
            A::Listen,
            A::AddWord,
            A::UndoDecision,
            A::NextPane,
            A::EditDraft,
            A::Continue,
            A::ShowClaims,
            A::PreviousRound,
            A::NextRound,
            A::Search,
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
            A::AskSources,
            A::Copy,
        ],
        KeyContext::Article => &[
            A::AcceptFlags,
            A::ShowProof,
            A::ShowClaims,
            A::ShowChanges,
            A::CopyArticle,
            A::SaveMarkdown,
            A::SaveHtml,
            A::ShowPublish,
            A::ShowRecord,
            A::Search,
            A::Reopen,
            A::ConnectModel,
        ],
        KeyContext::Calls => &[A::Open, A::NextPane, A::ToggleRaw, A::Search, A::Copy, A::Fork],
        KeyContext::Log => &[A::Search, A::Copy, A::Fork],
        KeyContext::Runs => &[A::Open, A::Fork, A::Reopen],
        _ => &[
            A::Pause,
            A::Stop,
            A::Resume,
            A::AcceptFlags,
            A::Reopen,
            A::ShowProof,
            A::ShowConcerns,
            A::NextTab,
            A::Palette,
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
    let shows = |story: &&mut StoryView| matches!(story.tab, Tab::Live | Tab::Concerns);
    let Some(story) = model.story.as_deref_mut().filter(shows) else { return };
    model.streamed = false;
    let Some(live) = model.live.get_mut(&story.run.story) else { return };
    if let Some(call) = live.latest.and_then(|step| live.calls.get_mut(&step)) {
        let (text, marks) = call.text.shown();
        story.live.text.replace_text(Arc::from(text.as_str()));
        story.live.text.mark(marks.clone());
    }
    crate::app::hear::lay_rail(model);
}

/// Where the keys go once the palette, or the help, is closed: those two lie over pages only.
pub fn below_palette(model: &Model) -> KeyContext {
    match model.on_top::<HelpPage>() {
        Some(help) => help.place,
        None if model.on_top::<Palette>().is_some() => page(model),
        None => place(model),
    }
}

/// Where the keys go now.
pub fn place(model: &Model) -> KeyContext {
    model.overlays.last().map_or_else(|| page(model), |overlay| overlay.context())
}

fn page(model: &Model) -> KeyContext {
    match (model.screen, &model.story) {
        (Screen::Story, Some(story)) => story.tab.row().1,
        _ if model.desk.filtering => KeyContext::Input,
        _ => KeyContext::Desk,
    }
}
