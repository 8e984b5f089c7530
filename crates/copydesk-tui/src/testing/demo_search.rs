//! The search, for the snapshots.

use std::sync::Arc;

use crate::{
    app::{
        messages::SearchAnswer,
        model::Model,
        ticket::Ticket,
        under_way::{UnderWay, WorkKind},
    },
    screens::{
        search::model::{Scope, SearchPage, SearchStage},
        story::tabs::Tab,
    },
};
use copydesk_core::ports::{Around, DenseMatch, Found, Hit, RunKey, Stock, StoreError, TextMatch};
use copydesk_newsroom::*;

fn hit(title: &str, file: &str, tier: Tier, start: u64, text: &str) -> Hit {
    let of_story = tier != Tier::Knowledge;
    Hit {
        passage: Passage {
            file: file.into(),
            start,
            end: start + text.len() as u64,
            text: text.into(),
            tier,
            heading: String::new(),
            credibility: Some(1.0),
            published: None,
        },
        title: title.into(),
        story: of_story
            .then(|| StoryKey::new(PathName::new("local-news").unwrap(), PathName::new("miller-park-vote").unwrap())),
        tokens: 40,
        score: 0.5,
        text: None,
        dense: None,
    }
}

fn by_words(rank: usize, score: f64, words: &[&str]) -> TextMatch {
    TextMatch { rank, score, words: words.iter().map(|word| (*word).to_owned()).collect() }
}

fn hits() -> Vec<Hit> {
    let ordinance = "Work on parks must not begin in April, when birds breed. The council may vote to begin in March \
                     where no bird has been seen; the parks director says so in writing.";
    let mut first = hit("The ordinance on parks", "parks/ordinance.md", Tier::Knowledge, 1204, ordinance);
    first.passage.heading = "Parks > When work may begin".into();
    (first.passage.credibility, first.passage.published) = (Some(0.9), Some("2019-03-05".into()));
    (first.score, first.text) = (1.0, Some(by_words(1, 11.42, &["council", "vote", "april"])));
    first.dense = Some(DenseMatch { rank: 2, similarity: 0.61 });
    let mut second =
        hit("minutes", "minutes", Tier::Source, 0, "The council voted five to two\u{1b}[2J to reopen the park.");
    (second.score, second.text) = (0.74, Some(by_words(2, 9.8, &["council", "vote"])));
    let headline = "公園の話: the council and the park that nobody may call by its own name any more";
    let mut third = hit(headline, headline, Tier::Article, 310, "Nobody voted on the park in April.");
    (third.score, third.dense) = (0.31, Some(DenseMatch { rank: 1, similarity: 0.66 }));
    vec![first, second, third]
}

fn stock() -> Stock {
    Stock { files: 5, passages: 42, story_texts: 3, story_passages: 12, without_vector: 8, refused: 0, embedder: None }
}

fn answered(query: &str, found: Found, stock: Stock) -> SearchPage {
    let mut search = SearchPage { query: query.into(), asked: Some(Ticket::default()), ..SearchPage::default() };
    assert!(search.take(Ticket::default(), Ok(SearchAnswer { found, stock, goes_on: false })));
    search
}

fn full(words_only: Option<&str>) -> SearchPage {
    let words_only = words_only.map(str::to_owned);
    let mut search =
        answered("council vote in April", Found { hits: hits(), words: 3, words_only, degraded: false }, stock());
    search.reading = Some(Ticket::default());
    let around = Around {
        before: "# Parks\n\nThe town has seven parks, Miller Park among them, and each has a keeper.\n\n## When work may begin\n\n".into(),
        after: " Whoever begins earlier pays a fine.\n\n## Fines\n\nA fine is a hundred dollars a day.\n".into(),
    };
    search.surround(Ticket::default(), Some(&around));
    search
}

fn over(mut model: Model, search: SearchPage) -> Model {
    model.overlays.push(Box::new(search));
    model
}

fn desk(search: SearchPage) -> Model {
    over(crate::testing::demo::desk(), search)
}

fn indexing(model: &mut Model, kind: WorkKind, far: (u64, u64)) {
    model.under_way.goes_on(UnderWay { kind, since: model.now, far: Some(far) });
}

/// From a story: its own sources are a place to search.
fn in_story(stage: SearchStage, selected: isize) -> Model {
    let model = crate::testing::demo_story::story(crate::testing::demo_story::at_gate(), Tab::Concerns);
    let journal = Arc::clone(&model.story.as_ref().unwrap().journal);
    let mut search = full(Some("8 passages are not ready for the search by meaning; they are found by words"));
    search.story = Some((RunKey(1), journal));
    search.select(selected);
    search.stage = stage;
    let mut model = over(model, search);
    indexing(&mut model, WorkKind::Vectors, (34, 42));
    model
}

/// Every state of it.
pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let nothing = |scope: Scope, all: bool, words: usize, stock: Stock| {
        let found = Found { words, ..Found::default() };
        SearchPage { scope, all, ..answered("Zwiebelturm", found, stock) }
    };
    let busy = StoreError::Busy { file: "copydesk.db".into(), seconds: 10 };
    let mut failed = SearchPage { query: "park".into(), asked: Some(Ticket::default()), ..SearchPage::default() };
    failed.take(Ticket::default(), Err(busy));
    let empty = || desk(SearchPage { stock: Some(Stock::default()), ..SearchPage::default() });
    let mut reading = empty();
    indexing(&mut reading, WorkKind::Files, (120, 4_000));
    let searching = SearchPage { query: "park".into(), asked: Some(Ticket::default()), ..SearchPage::default() };
    let no_embedder = "Found by words, not by meaning: no model for that is configured";
    vec![
        ("search_typed", desk(full(Some(no_embedder)))),
        ("search_hits", in_story(SearchStage::Hits, 1)),
        ("search_passage", in_story(SearchStage::Passage, 0)),
        ("search_nothing_typed", desk(SearchPage { stock: Some(stock()), ..SearchPage::default() })),
        ("search_opened", desk(SearchPage::default())),
        ("search_searching", desk(searching)),
        ("search_nothing", desk(nothing(Scope::Stories, false, 1, stock()))),
        ("search_no_word", desk(nothing(Scope::Everywhere, true, 0, stock()))),
        ("search_no_knowledge", desk(nothing(Scope::Knowledge, true, 1, Stock { passages: 0, ..stock() }))),
        ("search_index_empty", empty()),
        ("search_reading_files", reading),
        ("search_failed", desk(failed)),
    ]
}
