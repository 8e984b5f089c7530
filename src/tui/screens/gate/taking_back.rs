//! Taking one change of the draft that waits back, from the page of changes.

use crate::editorial::{changes::taken_back, decisions};
use crate::newsroom::{ArticleResponse, Choice};
use crate::tui::{
    app::{effects::Effect, model::Model},
    screens::{
        changes,
        gate::{update::decide_at, waiting::place},
        story::model::StoryView,
    },
};

/// The text with the selected change taken back. None if the page shows another draft than the one that waits, or no change, or if
/// the words were changed since.
fn without_it(story: &StoryView, round: u32) -> Option<ArticleResponse> {
    let compared = story.changes.compared.as_ref().filter(|compared| compared.state.to == round)?;
    let change = compared.comparison.changes.get(compared.state.selected)?;
    let draft = |round: u32| story.journal.draft(round).map(|draft| &draft.article);
    let (old, new) = (draft(compared.state.from)?, draft(round)?);
    taken_back(old, new, change, decisions::edit(&story.journal, round).unwrap_or(new))
}

/// Why the selected change cannot be taken back.
#[must_use]
pub fn why_not(story: &StoryView) -> Option<String> {
    let Some(round) = story.waits().map(crate::newsroom::Wait::round) else {
        return Some("the story does not wait for you".into());
    };
    let compared = story.changes.compared.as_ref();
    if compared.is_none_or(|compared| compared.comparison.changes.is_empty()) {
        return Some("no change is selected".into());
    }
    if compared.is_some_and(|compared| compared.state.to != round) {
        return Some(format!("only draft {round} can be changed: it waits for you"));
    }
    if story.gate.undecided_edit == Some(round) {
        return Some("you have an unfinished edit of this draft; save it or throw it away first".into());
    }
    without_it(story, round).is_none().then(|| {
        "its words do not stand in your text as they did, or a paragraph moved; edit the draft yourself".into()
    })
}

/// Puts the old words of the selected change into the text, and goes to the next change.
pub(crate) fn take_back(model: &mut Model) -> Vec<Effect> {
    let Some((at, story)) = place(model) else { return Vec::new() };
    let Some(article) = without_it(story, at.round()) else { return Vec::new() };
    let effects = decide_at(model, at, Choice::Edit { article });
    changes::update::change(model, changes::update::Jump::Next);
    effects
}
