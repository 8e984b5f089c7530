mod mending;

use std::time::Duration;

use super::{
    forgetting::forget_files,
    nearest::{bound, nearest_of_all_knowledge, nearest_of_knowledge},
};
use crate::{
    Store,
    testing::{AT, open, opening_of, store, store_in_a_file, story},
};
use copydesk_core::ports::{
    Area, Candidates, ChildVector, Filter, Index as _, KnowledgeFile, NewDocument, NewPassage, PassageRequest,
    Retention as _, Shelf as _, Span, StoreError, Stories as _, StoryText,
};
use copydesk_newsroom::Tier;

/// A text of passages that are one line each.
fn document(name: &str, credibility: f64, lines: &[&str]) -> NewDocument {
    let text = lines.join("\n");
    let mut start = 0;
    let passages = lines.iter().map(|line| {
        let passage = NewPassage { start, end: start + line.len() as u64, heading: String::new(), tokens: 7 };
        start = passage.end + 1;
        passage
    });
    NewDocument {
        passages: passages.collect(),
        name: name.into(),
        title: format!("On {name}"),
        tier: Tier::Knowledge,
        credibility,
        published: None,
        digest: format!("digest of {name}"),
        tokens: 20,
        text,
        hidden: Vec::new(),
    }
}

fn file(path: &str, modified: i64) -> KnowledgeFile {
    KnowledgeFile { path: path.into(), size: 10, modified, digest: format!("{path} {modified}") }
}

async fn put(store: &Store, name: &str, credibility: f64, lines: &[&str]) {
    store.index_file(file(name, 1), document(name, credibility, lines)).await.unwrap();
}

fn request(words: &[&str]) -> PassageRequest {
    PassageRequest {
        area: Area::Knowledge,
        filter: Filter::default(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        vector: None,
        most: 10,
    }
}

#[tokio::test]
async fn what_was_found_before_counts_as_long_as_no_passage_came_or_went() {
    let (_folder, store) = store();
    put(&store, "parks", 0.9, &["Nobody spoke of the ramps there."]).await;
    let asked = || found(&store, request(&["ramp"]));
    for _ in 0..2 {
        assert_eq!(asked().await, ["Nobody spoke of the ramps there."]);
    }
    put(&store, "ramps", 0.9, &["The ramp is new."]).await;
    assert_eq!(asked().await, ["The ramp is new.", "Nobody spoke of the ramps there."]);
    // Others ask the same of other texts.
    let credible =
        PassageRequest { filter: Filter { min_credibility: 0.95, ..Filter::default() }, ..request(&["ramp"]) };
    assert_eq!(found(&store, credible).await, Vec::<String>::new());
    assert_eq!(found(&store, PassageRequest { most: 1, ..request(&["ramp"]) }).await, ["The ramp is new."]);
    store.forget_files(vec!["ramps".into()]).await.unwrap();
    assert_eq!(asked().await, ["Nobody spoke of the ramps there."]);
}

async fn candidates(store: &Store, request: PassageRequest) -> Candidates {
    store.candidates(vec![request]).await.unwrap().pop().unwrap()
}

/// The texts that a request finds by their words, best first.
async fn found(store: &Store, request: PassageRequest) -> Vec<String> {
    let ids = candidates(store, request).await.text.into_iter().map(|hit| hit.passage).collect();
    let passages = store.passages(ids).await.unwrap();
    let spans =
        passages.iter().map(|p| Span { document: p.document, start: p.passage.start, end: p.passage.end }).collect();
    store.texts(spans).await.unwrap()
}

#[tokio::test]
async fn passages_are_found_by_their_words_with_titles_before_bodies() {
    let (_folder, store) = store_in_a_file();
    put(&store, "parks", 0.9, &["The council met on Monday.", "Nobody spoke of the ramps there."]).await;
    put(&store, "ramps", 0.9, &["The council was told on Monday."]).await;
    assert_eq!(
        found(&store, request(&["ramp"])).await,
        ["The council was told on Monday.", "Nobody spoke of the ramps there."]
    );
    assert_eq!(found(&store, request(&["\"", "*", "near(", "a\0b"])).await, Vec::<String>::new());
    let ids: Vec<i64> = candidates(&store, request(&["ramp"])).await.text.into_iter().map(|hit| hit.passage).collect();
    let asked = (ids, vec!["monday".into(), "ramp".into(), "bridge".into()]);
    let words = vec![vec!["monday".to_owned(), "ramp".into()], vec!["ramp".into()]];
    let gone = (vec![999], vec!["ramp".into()]);
    for _ in 0..2 {
        let told = store.words_in(vec![asked.clone(), gone.clone()]).await.unwrap();
        assert_eq!(told, [words.clone(), vec![vec![]]], "asked again it is remembered");
    }
}

#[tokio::test]
async fn a_file_that_is_replaced_or_forgotten_leaves_nothing() {
    let (_folder, store) = store();
    put(&store, "parks", 0.9, &["The zebra crossing was moved."]).await;
    let version = store.version().await.unwrap();
    store
        .index_file(file("parks", 2), document("parks", 0.9, &["The crossing was closed.", "It rained."]))
        .await
        .unwrap();
    assert_ne!(store.version().await.unwrap(), version);
    assert!(found(&store, request(&["zebra"])).await.is_empty());
    assert_eq!(found(&store, request(&["crossing"])).await, ["The crossing was closed."]);
    let stock = store.stock().await.unwrap();
    assert_eq!((stock.files, stock.passages, stock.without_vector), (1, 2, 2));
    store.touch_file(file("parks", 3)).await.unwrap();
    assert_eq!(store.indexed_files().await.unwrap()[0].modified, 3);
    store.forget_files(vec!["parks".into()]).await.unwrap();
    store.forget_files(vec!["parks".into()]).await.unwrap();
    assert!(found(&store, request(&["crossing"])).await.is_empty());
    assert_eq!(store.stock().await.unwrap().passages, 0);
}

#[tokio::test]
async fn other_settings_empty_the_knowledge_base_and_leave_the_stories() {
    let (_folder, store) = store();
    open(&store, opening_of("park", "R1", "Text."), None).await;
    put(&store, "parks", 0.9, &["The council met."]).await;
    store.set_embedder("model", 8).await.unwrap();
    let text = NewDocument { tier: Tier::Source, ..document("notes", 1.0, &["The council spoke."]) };
    assert!(store.index_story_text(&story("park"), text.clone()).await.unwrap());
    embed(&store, &[1.0; 8]).await;
    store.set_chunking("1 o200k_base 512 50").await.unwrap();
    assert_eq!(store.chunking().await.unwrap().as_deref(), Some("1 o200k_base 512 50"));
    assert!(found(&store, request(&["council"])).await.is_empty());
    let stock = store.stock().await.unwrap();
    assert_eq!((stock.files, stock.passages, stock.story_texts, stock.story_passages), (0, 0, 1, 1));
    put(&store, "parks", 0.9, &["The council met."]).await;
    assert_eq!(found(&store, request(&["council"])).await, ["The council met."]);
    embed(&store, &[1.0; 8]).await;
    assert_eq!(by_vector(&store, Area::Knowledge, 0.0, &[1.0; 8]).await.len(), 1);
}

#[tokio::test]
async fn what_is_trusted_less_does_not_push_out_what_counts() {
    let (_folder, store) = store();
    for n in 0..30 {
        put(&store, &format!("rumour {n}"), 0.2, &["The mayor, the mayor, the mayor resigned."]).await;
    }
    put(&store, "register", 0.9, &["The mayor took office in 2020, says the register of the town."]).await;
    let trusted = Filter { min_credibility: 0.7, ..Filter::default() };
    let asked = PassageRequest { filter: trusted, ..request(&["mayor"]) };
    assert_eq!(found(&store, asked).await, ["The mayor took office in 2020, says the register of the town."]);
    assert_eq!(found(&store, request(&["mayor"])).await.len(), 10);
    let dated = Filter { from: Some("2026-01-01".into()), ..Filter::default() };
    assert!(found(&store, PassageRequest { filter: dated, ..request(&["mayor"]) }).await.is_empty());
}

#[tokio::test]
async fn a_storys_texts_are_found_in_it_alone_and_go_with_it() {
    let (folder, store) = store_in_a_file();
    for slug in ["park", "road"] {
        open(&store, opening_of(slug, slug, "Text."), None).await;
    }
    let text = |name: &str, line: &str| NewDocument { tier: Tier::Source, ..document(name, 1.0, &[line]) };
    let (park, road) = (story("park"), story("road"));
    store.index_story_text(&park, text("a", "The council met on the quetzal.")).await.unwrap();
    store.index_story_text(&road, text("b", "The council met on the road.")).await.unwrap();
    store.index_story_text(&park, text("c", "The council voted.")).await.unwrap();
    store.index_story_text(&park, text("c", "The council voted.")).await.unwrap();
    assert!(!store.index_story_text(&story("nobody"), text("d", "x")).await.unwrap());
    let key = |name: &str| StoryText { tier: Tier::Source, name: name.into(), digest: format!("digest of {name}") };
    let renamed = StoryText { name: "e".into(), ..key("a") };
    let cited = StoryText { tier: Tier::Evidence, ..key("a") };
    let known = store.story_texts(&park, vec![key("a"), key("b"), renamed, cited]).await.unwrap();
    assert_eq!(known, [(key("a"), 20)], "the same words under another name, or of another kind, are another text");
    assert!(store.story_texts(&story("nobody"), vec![key("a")]).await.unwrap().is_empty());

    let of_park = |names: &[&str]| Area::Story {
        story: story("park"),
        texts: Some(names.iter().map(|name| key(name)).collect()),
    };
    let within = |area: Area| PassageRequest { area, ..request(&["council"]) };
    assert_eq!(
        found(&store, within(of_park(&["a", "c"]))).await,
        ["The council voted.", "The council met on the quetzal."]
    );
    assert_eq!(found(&store, within(of_park(&["a", "b"]))).await, ["The council met on the quetzal."]);
    assert!(found(&store, within(of_park(&[]))).await.is_empty());
    let nobody = Area::Story { story: story("nobody"), texts: None };
    assert!(found(&store, within(nobody)).await.is_empty());
    let all = Area::Story { story: story("park"), texts: None };
    assert_eq!(found(&store, within(all)).await.len(), 2);
    assert_eq!(found(&store, within(Area::Stories { tiers: vec![Tier::Source] })).await.len(), 3);
    assert!(found(&store, within(Area::Stories { tiers: vec![Tier::Article] })).await.is_empty());
    assert!(found(&store, within(Area::Knowledge)).await.is_empty());

    store.set_embedder("model", 8).await.unwrap();
    embed(&store, &[1.0; 8]).await;
    assert_eq!(by_vector(&store, of_park(&["c"]), 0.0, &[1.0; 8]).await.len(), 1);
    assert_eq!(by_vector(&store, Area::Stories { tiers: vec![] }, 0.0, &[1.0; 8]).await.len(), 3);

    // Retention lets a story's vectors go for good; without `really` it only counts.
    assert_eq!(store.take_vectors(vec![road.clone(), story("nobody")], false).await.unwrap(), 1);
    assert_eq!(store.take_vectors(vec![road.clone()], true).await.unwrap(), 1);
    assert_eq!(by_vector(&store, Area::Stories { tiers: vec![] }, 0.0, &[1.0; 8]).await.len(), 2);
    assert!(store.unembedded(10).await.unwrap().is_empty());
    assert_eq!(store.take_vectors(vec![road.clone()], true).await.unwrap(), 0);

    store.delete_story(&park, "The editor", AT).await.unwrap().unwrap();
    assert_eq!(found(&store, within(Area::Stories { tiers: vec![] })).await, ["The council met on the road."]);
    assert_eq!(by_vector(&store, Area::Stories { tiers: vec![] }, 0.0, &[1.0; 8]).await.len(), 0);
    drop(store);
    // Not a word of it is left in the file, in the index no more than in the text.
    let bytes = std::fs::read(folder.path().join("copydesk.db")).unwrap();
    assert!(!bytes.windows(7).any(|window| window == b"quetzal"));
}

/// Gives every passage without a vector this one.
async fn embed(store: &Store, vector: &[f32]) {
    let waiting = store.unembedded(100).await.unwrap();
    let vectors =
        waiting.into_iter().map(|waiting| ChildVector { passage: waiting.passage, vector: unit(vector) }).collect();
    assert!(store.keep_vectors("model", vectors).await.unwrap());
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    vector.iter().map(|component| component / length).collect()
}

/// The passages and similarities, in hundredths, that a vector finds.
async fn by_vector(store: &Store, area: Area, min_credibility: f64, vector: &[f32]) -> Vec<(i64, i64)> {
    let filter = Filter { min_credibility, ..Filter::default() };
    let request = PassageRequest { area, filter, words: vec![], vector: Some(unit(vector)), most: 10 };
    let dense = candidates(store, request).await.dense;
    #[expect(clippy::cast_possible_truncation, reason = "from -100 to 100")]
    let hundredths = |similarity: f64| (similarity * 100.0).round() as i64;
    dense.into_iter().map(|hit| (hit.passage, hundredths(hit.score))).collect()
}

#[tokio::test]
async fn passages_are_found_by_the_nearest_of_their_parts() {
    let (_folder, store) = store();
    put(&store, "a", 0.9, &["One.", "Two."]).await;
    put(&store, "b", 0.2, &["Three."]).await;
    assert!(by_vector(&store, Area::Knowledge, 0.0, &[1.0; 8]).await.is_empty(), "no vectors are kept yet");
    let waiting = store.unembedded(10).await.unwrap();
    let said: Vec<(&str, &str)> = waiting.iter().map(|w| (w.title.as_str(), w.text.as_str())).collect();
    assert_eq!(said, [("On a", "One."), ("On a", "Two."), ("On b", "Three.")]);
    assert_eq!(store.unembedded(1).await.unwrap().len(), 1);
    let ids: Vec<i64> = waiting.iter().map(|w| w.passage).collect();
    let east = unit(&[1.0, 0.1, 0.1, 0.1, -0.1, -0.1, -0.1, -0.1]);
    let north = unit(&[0.1, 1.0, -0.1, 0.1, 0.1, -0.1, 0.1, -0.1]);
    store.set_embedder("model", 8).await.unwrap();
    let child = |passage, vector: &Vec<f32>| ChildVector { passage, vector: vector.clone() };
    store
        .keep_vectors(
            "model",
            vec![
                child(ids[0], &north),
                child(ids[0], &east),
                child(ids[1], &north),
                child(ids[2], &east),
                child(9999, &east),
            ],
        )
        .await
        .unwrap();
    assert!(store.unembedded(10).await.unwrap().is_empty());
    // Another program was slower: the kept vectors stay.
    store.keep_vectors("model", vec![child(ids[1], &east)]).await.unwrap();
    let near = by_vector(&store, Area::Knowledge, 0.0, &east).await;
    assert_eq!(near[..2], [(ids[0], 100), (ids[2], 100)]);
    assert!(near[2].0 == ids[1] && near[2].1 < 40, "{near:?}");
    let trusted = by_vector(&store, Area::Knowledge, 0.7, &east).await;
    assert_eq!(trusted.iter().map(|(passage, _)| *passage).collect::<Vec<_>>(), [ids[0], ids[1]]);
    assert!(by_vector(&store, Area::Knowledge, 0.0, &[1.0; 16]).await.is_empty(), "another length");

    store.forget_files(vec!["a".into()]).await.unwrap();
    assert_eq!(by_vector(&store, Area::Knowledge, 0.0, &east).await, [(ids[2], 100)]);
    store.set_embedder("model", 8).await.unwrap();
    assert_eq!(store.stock().await.unwrap().without_vector, 0, "the same model: nothing is forgotten");
    let version = store.version().await.unwrap();
    store.set_embedder("another", 16).await.unwrap();
    assert_ne!(store.version().await.unwrap(), version);
    let stock = store.stock().await.unwrap();
    assert_eq!((stock.without_vector, stock.embedder), (1, Some(("another".into(), 16))));
    let refused = store.set_embedder("odd", 12).await.unwrap_err();
    assert_eq!(refused, StoreError::Length { identity: "odd".into(), length: 12 });
    assert_eq!(store.stock().await.unwrap().embedder, Some(("another".into(), 16)));
}

#[tokio::test]
async fn in_a_large_index_the_nearest_are_the_same_with_and_without_a_bound() {
    let (_folder, store) = store_in_a_file();
    let lines: Vec<String> = (0..10_500).map(|n| format!("Line {n}.")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    put(&store, "rumours", 0.2, &lines).await;
    put(&store, "records", 0.9, &lines[..300]).await;
    store.set_embedder("model", 64).await.unwrap();
    let mut state = 7_u64;
    let mut vector = move || {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if state >> 63 == 0 { 1.0 } else { -1.0 }
        };
        unit(&std::array::from_fn::<f32, 64, _>(|_| next()))
    };
    let waiting = store.unembedded(20_000).await.unwrap();
    assert_eq!(waiting.len(), 10_800);
    let vectors = waiting.into_iter().map(|waiting| ChildVector { passage: waiting.passage, vector: vector() });
    store.keep_vectors("model", vectors.collect()).await.unwrap();
    // Of what is credible enough there is too little within the bound, and all of it is asked.
    for (min_credibility, bounded) in [(0.0, true), (0.7, false)] {
        for _ in 0..5 {
            let wanted = super::vectors::signs(&vector());
            let found = store.read(move |db| {
                let near = nearest_of_knowledge(db, &wanted, min_credibility)?;
                let all = nearest_of_all_knowledge(db, &wanted, min_credibility)?;
                let bound = bound(db, &wanted)?.unwrap();
                let within = db.column::<i64>(
                    "SELECT rowid FROM knowledge_vec WHERE signs MATCH vec_bit(?1) AND k = 1000 AND credibility >= ?2 AND distance <= ?3",
                    rusqlite::params![wanted, min_credibility, bound],
                )?;
                let mut distances = Vec::new();
                for keys in [near, all] {
                    let mut apart = Vec::new();
                    for key in keys {
                        db.each("SELECT vec_distance_hamming(vec_bit(signs), vec_bit(?2)) FROM knowledge_vec WHERE rowid = ?1", rusqlite::params![key, wanted], |row| {
                            apart.push(row.get::<f64>(0)?);
                            Ok(())
                        })?;
                    }
                    distances.push(apart);
                }
                Ok((distances, within.len()))
            });
            let (distances, within) = found.await.unwrap();
            assert_eq!(distances[0].len(), 160);
            assert_eq!(distances[0], distances[1]);
            assert_eq!(within >= 160, bounded, "{within} lie within the bound");
            assert!(within < 1000, "the bound leaves most out");
        }
    }
}

#[tokio::test]
async fn in_a_large_shelf_words_of_every_passage_are_left_out_while_others_remain() {
    let (_folder, store) = store();
    let lines: Vec<String> = (0..10_500).map(|n| format!("The council spoke of matter{n} once.")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    put(&store, "minutes", 0.9, &lines).await;
    let found_of = |words: &[&str]| {
        let request = request(words);
        async { found(&store, request).await }
    };
    assert_eq!(found_of(&["council", "matter77"]).await, ["The council spoke of matter77 once."]);
    assert_eq!(found_of(&["council", "spoke"]).await.len(), 10, "all are common: the rarest serve");
    let many: Vec<String> = (0..1000).map(|n| format!("matter{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(found_of(&many).await.len(), 10);
    assert!(found_of(&["nothing"]).await.is_empty());
}

#[tokio::test]
async fn files_are_taken_out_together_and_no_longer_than_is_bearable() {
    let (_folder, store) = store();
    let paths: Vec<String> = (0..5).map(|n| format!("file{n}")).collect();
    for path in &paths {
        put(&store, path, 0.9, &["The council met.", "It rained."]).await;
    }
    let (asked, gone) = (paths.clone(), Duration::ZERO);
    let done = store.write(move |db| forget_files(db, &asked, gone)).await.unwrap();
    assert_eq!((done, store.stock().await.unwrap().files), (1, 4), "one goes however long it takes");
    assert_eq!(store.forget_files(paths.clone()).await.unwrap(), 5);
    let stock = store.stock().await.unwrap();
    assert_eq!((stock.files, stock.passages), (0, 0));
    assert!(found(&store, request(&["council"])).await.is_empty());
    assert_eq!(store.forget_files(Vec::new()).await.unwrap(), 0);
}
