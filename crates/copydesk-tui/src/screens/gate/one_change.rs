//! Accepting or taking back one change of the draft that waits, from the page of changes.

use crate::app::{Model, Trouble};
use crate::screens::changes::update::change;
use crate::screens::changes::{Compared, Jump};
use crate::screens::gate::update::decide_at;
use crate::screens::gate::waiting::place;
use crate::screens::story::StoryView;
use copydesk_core::editorial::changes::{Change, taken_back};
use copydesk_core::editorial::{changes as drafts, choices, decisions};
use copydesk_newsroom::{ArticleResponse, Choice, Wait};

/// The comparison that is shown, and its selected change.
fn selected(story: &StoryView) -> Option<(&Compared, &Change)> {
    let compared = story.changes.compared.as_ref()?;
    Some((compared, compared.comparison.changes.get(compared.state.selected)?))
}

/// The text with the selected change taken back. None if the words were changed since.
fn without_it(story: &StoryView, round: u32) -> Option<ArticleResponse> {
    let (compared, change) = selected(story)?;
    let draft = |round: u32| story.journal.draft(round).map(|draft| &draft.article);
    let (old, new) = (draft(compared.state.from)?, draft(round)?);
    taken_back(old, new, change, decisions::edit(&story.journal, round).unwrap_or(new))
}

/// The decision that the selected change may stand.
fn accepting(story: &StoryView) -> Option<Choice> {
    let (compared, change) = selected(story)?;
    drafts::accepting(&story.journal, compared.pair(), change)
}

/// Why nothing can be decided about the selected change; else the round that waits.
fn undecidable(story: &StoryView) -> Result<u32, Trouble> {
    let round = story.waits().map(Wait::round).ok_or_else(|| Trouble::new("the story does not wait for you"))?;
    let (compared, _) = selected(story).ok_or_else(|| Trouble::new("no change is selected"))?;
    if compared.state.to == round {
        Ok(round)
    } else {
        Err(Trouble::new(format!("you can decide only the changes of draft {round}, which waits for you")))
    }
}

/// Why the selected change cannot be accepted.
pub fn check_accept(story: &StoryView) -> Result<(), Trouble> {
    undecidable(story)?;
    match (selected(story), accepting(story)) {
        (Some((compared, _)), _) if compared.state.accepted.contains(&compared.state.selected) => {
            Err(Trouble::new("you accepted it already; undo takes that back"))
        }
        (_, Some(choice)) => Ok(choices::check(&story.journal, &choice).map(drop)?),
        _ => Err(Trouble::new("no change is selected")),
    }
}

/// Why the selected change cannot be taken back.
pub fn check_take_back(story: &StoryView) -> Result<(), Trouble> {
    let round = undecidable(story)?;
    if story.gate.undecided_edit == Some(round) {
        return Err(Trouble::new("you have an unfinished edit of this draft; save or discard it first"));
    }
    without_it(story, round)
        .map(drop)
        .ok_or_else(|| Trouble::new("its words changed in your text, or a paragraph moved; edit the draft yourself"))
}

/// Enters into the record that the selected change may stand, and goes to the next change.
pub(crate) fn accept(model: &mut Model) {
    let Some((at, story)) = place(model) else { return };
    let Some(choice) = accepting(story) else { return };
    decide_at(model, at, choice);
    change(model, Jump::Next);
}

/// Puts the old words of the selected change into the text, and goes to the next change.
pub(crate) fn take_back(model: &mut Model) {
    let Some((at, story)) = place(model) else { return };
    let Some(article) = without_it(story, at.round()) else { return };
    decide_at(model, at, Choice::Edit { article });
    change(model, Jump::Next);
}
