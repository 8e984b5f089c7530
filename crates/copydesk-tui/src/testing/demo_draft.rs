//! The page of a draft that waits, with its notes, for the snapshots.

use crate::{
    app::model::Model,
    screens::{article::page::shown_article, gate::margin::OpenRound, story::tabs::Tab},
    testing::demo_story::story,
};
use copydesk_newsroom::Journal;
use copydesk_proof::{ReadSources, TypedProof, Witnesses};

/// The page with the note of that number selected; none with 0.
pub fn draft(journal: Journal, note: usize) -> Model {
    let mut model = story(journal, Tab::Article);
    let Some(view) = model.story.as_deref_mut() else { return model };
    let (journal, round) = (std::sync::Arc::clone(&view.journal), view.round);
    let Some(article) = shown_article(&journal, round) else { return model };
    let (sources, mut proof) = (journal.sources(), TypedProof::default());
    let read = ReadSources::new(&sources);
    read.typed(&mut proof, article);
    read.go_on(&mut proof, 10_000, || false);
    let open = OpenRound::of(&journal, round, Some(&Witnesses::new(&journal)));
    view.article.noted.set(round, Box::new(open.margin(article, &proof, &[])));
    for _ in 0..note {
        view.article.noted.go(round, article, true);
    }
    view.article.lay(&journal, round);
    model
}
