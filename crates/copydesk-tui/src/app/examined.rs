//! Which parts of the open story are on the screen, and what is asked of the worker when one was there long enough.

use crate::app::on_screen::SeenPart;
use crate::app::{Model, Request, Screen};
use crate::screens::article::page::shown_article;
use crate::screens::changes::Compared;
use crate::screens::claims::ClaimsPage;
use crate::screens::sources::SourceRow;
use crate::screens::story::{Pane, StoryView, Tab};
use crate::widgets::ListStage;
use copydesk_core::editorial::{report, version::version_of};
use copydesk_newsroom::ExaminedObject;

/// Asks for a note on each part that was on the screen long enough.
pub(crate) fn note_examined(model: &mut Model) {
    let shown = shown(model);
    let seen = model.on_screen.show(shown, model.now);
    for (run, gate, what) in seen {
        model.ask(Request::NoteExamined { run, gate, what });
    }
}

/// How many seconds after the last key a reader still counts as present.
const PRESENT: i64 = 120;

/// The parts of the screen that a reader sees. None if no key was pressed for [`PRESENT`] seconds. A covered page does not count.
fn shown(model: &Model) -> Vec<SeenPart> {
    if model.touched.is_none_or(|touched| model.now.duration_since(touched).as_secs() > PRESENT) {
        return Vec::new();
    }
    let Some(story) = model.story.as_deref().filter(|_| model.screen == Screen::Story) else { return Vec::new() };
    let parts = match model.overlays.as_slice() {
        [] => on_page(story),
        [overlay] => overlay.page().and_then(read_claim).into_iter().collect(),
        _ => Vec::new(),
    };
    if parts.is_empty() {
        return Vec::new();
    }
    let gate = story.waits();
    parts.into_iter().map(|part| (story.key, gate, part)).collect()
}

/// The claim whose text is being read.
fn read_claim(page: &ClaimsPage) -> Option<ExaminedObject> {
    let place = page.place().filter(|_| page.list.stage == ListStage::Text)?;
    let claim = u32::try_from(place + 1).unwrap_or(u32::MAX);
    Some(ExaminedObject::Claim { round: page.round, claim })
}

fn on_page(story: &StoryView) -> Vec<ExaminedObject> {
    let round = story.round;
    match story.tab {
        Tab::Article => {
            let round = report::shown_round(&story.journal, round);
            let Some(article) = shown_article(&story.journal, story.round) else { return Vec::new() };
            let version = version_of(article);
            let draft = ExaminedObject::Draft { round, version: version.clone() };
            let ends = story.article.printed.shows_end().then_some(ExaminedObject::DraftEnd { round, version });
            std::iter::once(draft).chain(ends).collect()
        }
        Tab::Concerns => {
            let concern = story.selected_concern().map(|row| ExaminedObject::Concern { round, concern: row.id });
            let source = (story.concerns.pane == Pane::Source).then(|| story.concerns.shown_source()).flatten();
            concern.into_iter().chain(source).collect()
        }
        Tab::Changes => {
            let compared = story.changes.compared.as_ref().map(Compared::pair);
            compared.map(|(from, to)| ExaminedObject::Changes { from, to }).into_iter().collect()
        }
        Tab::Proof if story.proof.pane == Pane::Source => {
            let passage = story.proof.row().filter(|_| story.proof.has_passage()).and_then(|row| row.passage.as_ref());
            let passage = passage.map(|passage| ExaminedObject::Passage {
                source: passage.source.clone(),
                start: passage.start,
                end: passage.end,
            });
            let source = || story.sources.get(story.proof.source).map(|source| source.name.clone());
            passage.or_else(|| source().map(|source| ExaminedObject::Source { source })).into_iter().collect()
        }
        Tab::Sources if story.sources_page.list.stage == ListStage::Text => match story.sources_page.row() {
            Some(SourceRow::Source(source)) => vec![ExaminedObject::Source { source: source.name.clone() }],
            Some(SourceRow::Errand(_)) | None => Vec::new(),
        },
        Tab::Live | Tab::Proof | Tab::Sources | Tab::Calls | Tab::Log | Tab::Runs => Vec::new(),
    }
}
