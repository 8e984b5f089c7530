//! Where the keys go, the actions that the footer offers there, and the preparation of a frame.

use std::sync::Arc;

use crate::app::actions::{Action, listed};
use crate::app::{HelpPage, KeyContext, Model, Palette, Screen};
use crate::screens::story::{StoryView, Tab};

/// The ways to begin a story, on an empty desk.
pub(crate) const BEGIN: &[Action] = listed![SampleStory WatchRecorded NewFromFile NewFromText NewByForm ConnectModel];

/// The actions that the footer offers, the most useful first. Those that cannot be used now are left out of it.
pub(crate) fn wanted(model: &Model, place: KeyContext) -> Vec<Action> {
    let searching = model.overlays.is_empty() && model.story.as_deref().is_some_and(StoryView::is_searching);
    if searching && model.screen == Screen::Story {
        return listed![NextHit PreviousHit Search Copy Help Back].to_vec();
    }
    if let Some(page) = model.overlays.iter().rev().find(|page| page.context() == place) {
        return page.keys().1.to_vec();
    }
    match place {
        KeyContext::Input => listed![Confirm Cancel].to_vec(),
        KeyContext::Desk if model.desk.all().is_empty() => [BEGIN, listed![Palette Help Quit]].concat(),
        KeyContext::Desk => [ON_DESK, listed![Palette Help Quit]].concat(),
        KeyContext::Live | KeyContext::Concerns | KeyContext::Article => [DECIDING, on_tab(place), LEAVING].concat(),
        _ => [on_tab(place), LEAVING].concat(),
    }
}

const LEAVING: &[Action] = listed![Help Back];

const ON_DESK: &[Action] = listed![
    Open NextWaiting ShowFailedSteps NewFromFile NewFromText Filter SearchEverywhere ShowDay Sort RaisePriority Pause
    Resume ConnectModel
];

/// The decisions on a story that waits.
const DECIDING: &[Action] = listed![
    SignOff Continue AllowCall RefuseCall EditDraft NextNote AcceptNote RejectNote ApplyFix OverruleVerdict Triage
    ShowRemembered Feedback SendBack UndoDecision Stet AnotherRound Spike
];

fn on_tab(place: KeyContext) -> &'static [Action] {
    match place {
        KeyContext::Concerns => listed![
            AcceptFlags NextConcern ShowProof ShowClaims ShowChanges NextPane PreviousRound NextRound Search Copy
        ],
        KeyContext::Diff => listed![
            NextChange PreviousChange AcceptChange TakeBack NextUnasked UndoDecision ToggleDiffLayout ChooseDrafts
            Continue
        ],
        KeyContext::Proof => listed![
            Open NextFinding AcceptFinding Listen AddWord UndoDecision NextPane EditDraft Continue ShowClaims
            PreviousRound NextRound Search
        ],
        KeyContext::Sources => listed![
            Open AddSource RemoveSource DistrustSource SendReporter UndoDecision Continue NextPane Search AskSources
            Copy
        ],
        KeyContext::Article => listed![
            AcceptFlags ShowProof ShowClaims ShowChanges CopyArticle SaveMarkdown SaveHtml ShowPublish ShowRecord
            Search Reopen ConnectModel
        ],
        KeyContext::Calls => listed![Open NextPane ToggleRaw Search Copy Fork],
        KeyContext::Log => listed![Search Copy Fork],
        KeyContext::Runs => listed![Open Fork Reopen],
        _ => listed![Pause Stop Resume AcceptFlags Reopen ShowProof ShowConcerns NextTab Palette],
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
