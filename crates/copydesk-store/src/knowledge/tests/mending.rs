//! Tests the index while another program works, after settings change, and after the file is damaged.

use rusqlite::Connection;

use super::*;
use copydesk_newsroom::StoryKey;

#[tokio::test]
async fn a_vector_that_comes_late_lands_on_no_other_text() {
    let (_folder, store) = store();
    put(&store, "parks", 0.9, &["The park was closed."]).await;
    store.set_embedder("model", 8).await.unwrap();
    let late = store.unembedded(10).await.unwrap();
    // Meanwhile another program reads the file again.
    store.index_file(file("parks", 2), document("parks", 0.9, &["The park was opened."])).await.unwrap();
    let vectors = late.iter().map(|late| ChildVector { passage: late.passage, vector: unit(&[1.0; 8]) }).collect();
    assert!(store.keep_vectors("model", vectors).await.unwrap());
    assert!(store.note_refused("model", late[0].passage).await.unwrap());
    assert!(by_vector(&store, Area::Knowledge, 0.0, &[1.0; 8]).await.is_empty());
    let waiting = store.unembedded(10).await.unwrap();
    assert_eq!(waiting.iter().map(|waiting| waiting.text.as_str()).collect::<Vec<_>>(), ["The park was opened."]);
}

#[tokio::test]
async fn vectors_of_an_embedder_that_another_took_the_place_of_are_not_kept() {
    let (_folder, store) = store();
    put(&store, "parks", 0.9, &["The park was closed.", "It rained."]).await;
    store.set_embedder("model", 16).await.unwrap();
    let passages: Vec<i64> = store.unembedded(10).await.unwrap().into_iter().map(|waiting| waiting.passage).collect();
    let of = |length: usize| vec![ChildVector { passage: passages[0], vector: unit(&vec![1.0; length]) }];
    // Another model, and another one that its server calls the same.
    assert!(!store.keep_vectors("another", of(16)).await.unwrap());
    assert!(!store.keep_vectors("model", of(8)).await.unwrap());
    assert!(!store.note_refused("another", passages[0]).await.unwrap());
    assert_eq!(store.unembedded(10).await.unwrap().len(), 2);
    assert!(store.keep_vectors("model", of(16)).await.unwrap());
    assert!(store.note_refused("model", passages[0]).await.unwrap(), "it has its vectors");
    assert!(store.note_refused("model", passages[1]).await.unwrap());
    let stock = store.stock().await.unwrap();
    assert_eq!((stock.without_vector, stock.refused), (0, 1));
    // Another embedder is asked for what this one refused.
    store.set_embedder("another", 16).await.unwrap();
    let stock = store.stock().await.unwrap();
    assert_eq!((stock.without_vector, stock.refused), (2, 0));
}

/// The passages that a vector finds, as their texts.
async fn told_by(store: &Store, filter: Filter, vector: &[f32]) -> Vec<String> {
    let request = PassageRequest { area: Area::Knowledge, filter, words: vec![], vector: Some(unit(vector)), most: 10 };
    let ids = candidates(store, request).await.dense.into_iter().map(|hit| hit.passage).collect();
    let passages = store.passages(ids).await.unwrap();
    let spans =
        passages.iter().map(|p| Span { document: p.document, start: p.passage.start, end: p.passage.end }).collect();
    store.texts(spans).await.unwrap()
}

#[tokio::test]
async fn days_are_asked_for_by_words_and_by_vectors() {
    let (_folder, store) = store();
    for (name, day) in [("old", Some("2025-12-31")), ("new", Some("2026-01-01")), ("undated", None)] {
        let line = format!("The mayor spoke in the {name} hall.");
        let published = day.map(str::to_owned);
        let document = NewDocument { published, ..document(name, 0.9, &[&line]) };
        store.index_file(file(name, 1), document).await.unwrap();
    }
    store.set_embedder("model", 8).await.unwrap();
    embed(&store, &[1.0; 8]).await;
    let day = |day: &str| Some(day.to_owned());
    for (from, until, names) in [
        (None, None, vec!["new", "old", "undated"]),
        (day("2026-01-01"), None, vec!["new"]),
        (None, day("2025-12-31"), vec!["old"]),
        (day("2025-12-31"), day("2026-01-01"), vec!["new", "old"]),
        (day("2026-01-02"), None, vec![]),
    ] {
        let filter = Filter { from, until, ..Filter::default() };
        let expected: Vec<String> = names.iter().map(|name| format!("The mayor spoke in the {name} hall.")).collect();
        let mut by_words = found(&store, PassageRequest { filter: filter.clone(), ..request(&["mayor"]) }).await;
        let mut by_vector = told_by(&store, filter, &[1.0; 8]).await;
        by_words.sort();
        by_vector.sort();
        assert_eq!((by_words, by_vector), (expected.clone(), expected));
    }
}

fn of_story(story: &StoryKey) -> Area {
    Area::Story { story: story.clone(), texts: None }
}

#[tokio::test]
async fn a_damaged_text_goes_with_its_story_and_the_others_are_found_as_before() {
    let (folder, store) = store_in_a_file();
    let (park, road) = (story("park"), story("road"));
    source(&store, "park", &["The council met on the quetzal."]).await;
    source(&store, "road", &["The council met on the road."]).await;
    store.set_embedder("model", 8).await.unwrap();
    embed(&store, &[1.0; 8]).await;
    let database = Connection::open(folder.path().join("copydesk.db")).unwrap();
    let damage =
        "UPDATE document SET packed = 1, body = x'00' WHERE story = (SELECT id FROM story WHERE slug = 'park')";
    assert_eq!(database.execute(damage, []).unwrap(), 1);
    assert!(store.delete_story(&park, "The editor", AT).await.unwrap().is_some());
    let within = |story: &StoryKey, word: &str| PassageRequest { area: of_story(story), ..request(&[word]) };
    assert_eq!(found(&store, within(&road, "council")).await, ["The council met on the road."]);
    assert!(found(&store, within(&park, "council")).await.is_empty());
    let stock = store.stock().await.unwrap();
    assert_eq!((stock.story_texts, stock.story_passages), (1, 1));
    assert_eq!(by_vector(&store, Area::Stories { tiers: vec![] }, 0.0, &[1.0; 8]).await.len(), 1);
    let left = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(left("SELECT count(*) FROM story_fts WHERE story_fts MATCH 'quetzal'"), 0);
    assert_eq!(left("SELECT count(*) FROM embedding"), 1);
    // A damaged file of the knowledge base is taken out as well.
    put(&store, "parks", 0.9, &["The zebra crossing was moved."]).await;
    put(&store, "roads", 0.9, &["The crossing was closed."]).await;
    let damage = "UPDATE document SET packed = 1, body = x'00' WHERE name = 'parks'";
    assert_eq!(database.execute(damage, []).unwrap(), 1);
    assert_eq!(store.forget_files(vec!["parks".into()]).await.unwrap(), 1);
    assert_eq!(found(&store, request(&["crossing"])).await, ["The crossing was closed."]);
    assert_eq!(left("SELECT count(*) FROM knowledge_fts WHERE knowledge_fts MATCH 'zebra'"), 0);
}

/// A story with one source of these lines.
async fn source(store: &Store, slug: &str, lines: &[&str]) {
    open(store, opening_of(slug, slug, "Text."), None).await;
    let text = NewDocument { tier: Tier::Source, ..document("notes", 1.0, lines) };
    assert!(store.index_story_text(&story(slug), text).await.unwrap());
}

#[tokio::test]
async fn a_storys_text_that_is_cut_otherwise_is_found_by_its_new_passages() {
    let (folder, store) = store_in_a_file();
    let park = story("park");
    let lines = ["The council met on Monday.", "The mayor spoke last."];
    source(&store, "park", &lines).await;
    put(&store, "parks", 0.9, &["No story's."]).await;
    let (text, whole) = store.next_story_text(0).await.unwrap().unwrap();
    let whole = whole.unwrap();
    assert_eq!(whole, lines.join("\n"));
    assert_eq!(store.next_story_text(text).await.unwrap(), None);
    store.set_embedder("model", 8).await.unwrap();
    embed(&store, &[1.0; 8]).await;
    let found_of = async |word: &str| found(&store, PassageRequest { area: of_story(&park), ..request(&[word]) }).await;
    let passages = async || {
        let stock = store.stock().await.unwrap();
        (stock.story_passages, stock.without_vector)
    };
    // The same passages again keep their vectors.
    let apart = document("notes", 1.0, &lines).passages;
    store.recut_story_text(text, 9, apart.clone()).await.unwrap();
    assert_eq!((found_of("mayor").await, passages().await), (vec![lines[1].to_owned()], (2, 0)));
    let known = StoryText { tier: Tier::Source, name: "notes".into(), digest: "digest of notes".into() };
    assert_eq!(store.story_texts(&park, vec![known]).await.unwrap()[0].1, 9);
    let one = vec![NewPassage { start: 0, end: whole.len() as u64, heading: String::new(), tokens: 14 }];
    store.recut_story_text(text, 9, one.clone()).await.unwrap();
    assert_eq!((found_of("mayor").await, passages().await), (vec![whole.clone()], (1, 1)));
    // Whose vectors were let go gets none of the new passages either.
    embed(&store, &[1.0; 8]).await;
    assert_eq!(store.take_vectors(vec![park.clone()], true).await.unwrap(), 1);
    store.recut_story_text(text, 9, apart.clone()).await.unwrap();
    assert_eq!((found_of("mayor").await, passages().await), (vec![lines[1].to_owned()], (2, 0)));
    assert!(by_vector(&store, of_story(&park), 0.0, &[1.0; 8]).await.is_empty());
    // One that cannot be read is told of as such; one that is gone stays so.
    let database = Connection::open(folder.path().join("copydesk.db")).unwrap();
    assert_eq!(database.execute("UPDATE document SET packed = 1, body = x'00' WHERE name = 'notes'", []).unwrap(), 1);
    assert_eq!(store.next_story_text(0).await.unwrap(), Some((text, None)));
    store.delete_story(&park, "The editor", AT).await.unwrap().unwrap();
    store.recut_story_text(text, 9, apart).await.unwrap();
    assert_eq!(passages().await.0, 0);
}

#[tokio::test]
async fn a_story_that_is_taken_up_again_gets_its_vectors_again() {
    let (_folder, store) = store();
    for slug in ["park", "road"] {
        source(&store, slug, &["The council met on Monday."]).await;
    }
    store.set_embedder("model", 8).await.unwrap();
    embed(&store, &[1.0; 8]).await;
    assert_eq!(store.take_vectors(vec![story("park"), story("road")], true).await.unwrap(), 2);
    open(&store, opening_of("park", "R2", "Text."), None).await;
    assert_eq!(store.unembedded(10).await.unwrap().len(), 1);
    embed(&store, &[1.0; 8]).await;
    assert_eq!(by_vector(&store, of_story(&story("park")), 0.0, &[1.0; 8]).await.len(), 1);
    assert!(by_vector(&store, of_story(&story("road")), 0.0, &[1.0; 8]).await.is_empty());
}

#[tokio::test]
async fn a_large_index_is_sampled_once_there_are_vectors_and_again_for_another_embedder() {
    let (_folder, store) = store();
    let lines: Vec<String> = (0..10_500).map(|n| format!("Line {n}.")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    put(&store, "records", 0.9, &lines).await;
    store.set_embedder("model", 8).await.unwrap();
    let bound = async |wanted: u8| store.read(move |db| bound(db, &[wanted])).await.unwrap();
    assert_eq!(bound(0).await, None, "there are no vectors yet");
    let keep = async |identity: &str, sign: f32| {
        let waiting = store.unembedded(20_000).await.unwrap();
        let vectors =
            waiting.into_iter().map(|waiting| ChildVector { passage: waiting.passage, vector: unit(&[sign; 8]) });
        assert!(store.keep_vectors(identity, vectors.collect()).await.unwrap());
    };
    keep("model", 1.0).await;
    assert_eq!((bound(0xff).await, bound(0).await), (Some(0), Some(8)));
    store.set_embedder("another", 8).await.unwrap();
    assert_eq!(bound(0).await, None);
    keep("another", -1.0).await;
    assert_eq!((bound(0xff).await, bound(0).await), (Some(8), Some(0)));
}
