//! Topics that cannot be used, with the real program: where their failure is written, and that no article is lost to it.

use serde_json::{Value, json};

use crate::support::newsroom::{Done, Newsroom};

const ARTICLES: &str = "data/output/articles/";
const RUNS: &str = "data/output/article_editor_runs/";

/// The files among the articles.
fn articles(newsroom: &Newsroom) -> Vec<String> {
    let names = newsroom.files().into_iter().map(|(name, _)| name);
    names.filter_map(|name| name.strip_prefix(ARTICLES).map(str::to_owned)).collect()
}

fn exists(newsroom: &Newsroom, file: &str) -> bool {
    newsroom.path().join(file).exists()
}

/// Runs the story's topic with a field that is none.
fn rejected(newsroom: &Newsroom, field: &str, options: &[&str]) -> Done {
    newsroom.topic_with(|topic| topic[field] = json!("x"));
    let done = newsroom.run(&[&["run"], options, &["park.json"]].concat());
    assert_eq!(done.code, 1, "{}", done.err);
    let says = format!("park.json: {field} is not a field of a topic");
    assert!(done.err.contains(&says) || done.out.contains(&says), "{} {}", done.out, done.err);
    done
}

fn failed(newsroom: &Newsroom, file: &str, says: &str) {
    let result = newsroom.json(file);
    assert_eq!((&result["success"], &result["article"]), (&json!(false), &Value::Null), "{file}");
    assert!(result["error"].as_str().unwrap().contains(says), "{file}: {result}");
}

#[test]
fn a_rejected_topic_leaves_its_failure_and_takes_no_article_away() {
    let newsroom = Newsroom::offline();
    let canonical = format!("{ARTICLES}desk/park.json");
    let beside = format!("{RUNS}desk/park/rejected.json");
    let done = rejected(&newsroom, "styel", &["--auto"]);
    assert!(done.err.contains("desk/park: The failure is in ") && !done.err.contains("is unchanged"), "{}", done.err);
    assert!(done.err.contains(&canonical), "{}", done.err);
    failed(&newsroom, &canonical, "styel");
    assert!(!exists(&newsroom, &beside));

    // A good topic of the story writes its article there.
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let article = newsroom.read(&canonical);
    assert_eq!((&newsroom.canonical()["success"], articles(&newsroom)), (&json!(true), vec!["desk/park.json".into()]));

    // From then on the failure stands beside the runs, the latest one.
    for (field, options) in [("one", ["--auto"].as_slice()), ("two", &["--plain"]), ("three", &["--auto", "--json"])] {
        let done = rejected(&newsroom, field, options);
        let line = done.err.lines().find(|line| line.starts_with("desk/park: The failure is in ")).unwrap();
        assert!(line.contains(&beside) && line.ends_with(&format!("{canonical} is unchanged")), "{line}");
        failed(&newsroom, &beside, field);
        assert_eq!(newsroom.read(&canonical), article);
    }
    // The first failure and the two good runs: a topic that cannot be used takes no good run's place.
    assert_eq!((articles(&newsroom), newsroom.runs().len()), (vec!["desk/park.json".to_owned()], 3));

    // A later good topic replaces its article only; the failure is there until the story is deleted.
    let topic = newsroom.topic_with(|topic| topic["target_length_words"] = json!("50-100"));
    assert_eq!(newsroom.auto(&topic).code, 0);
    assert_ne!(newsroom.read(&canonical), article);
    failed(&newsroom, &beside, "three");
    let deleted = newsroom.ran(&["delete", "park", "--yes"]);
    assert!(deleted.err.contains("Deleted desk/park"), "{}", deleted.err);
    assert!(articles(&newsroom).is_empty() && !exists(&newsroom, &format!("{RUNS}desk")));
}

#[test]
fn a_name_in_other_letters_is_the_same_story() {
    let newsroom =
        Newsroom::with(|yaml| yaml.replace("save_intermediate_results: true", "save_intermediate_results: false"));
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let article = newsroom.read(&format!("{ARTICLES}desk/park.json"));
    newsroom.topic_with(|topic| {
        topic["source_metadata"]["channel_name"] = json!("Desk");
        topic["source_metadata"]["topic_slug"] = json!("PARK");
        topic["source_text"] = json!(7);
    });
    let done = newsroom.run(&["run", "--auto", "park.json"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert_eq!(articles(&newsroom), ["desk/park.json"]);
    assert_eq!(newsroom.read(&format!("{ARTICLES}desk/park.json")), article);
    failed(&newsroom, &format!("{RUNS}desk/park/rejected.json"), "source_text is a number");
}

#[test]
fn a_source_that_cannot_be_read_leaves_its_failure_under_its_files_name() {
    let newsroom = Newsroom::offline();
    newsroom.write("in/Minutes 3.docx", b"PK\x03\x04 no archive");
    newsroom.write("in/names.json", br#"{"source_metadata": {"channel_name": "../x", "topic_slug": "park"}}"#);
    let done = newsroom.run(&["run", "--auto", "in/Minutes 3.docx", "in/names.json"]);
    assert_eq!(done.code, 1, "{}", done.err);
    // What names no story has its file's name on the desk.
    assert_eq!(articles(&newsroom), ["newsroom/minutes-3.json", "newsroom/names.json"]);
    failed(&newsroom, &format!("{ARTICLES}newsroom/minutes-3.json"), "in/Minutes 3.docx: ");
    assert!(done.err.contains("newsroom/minutes-3: The failure is in "), "{}", done.err);
    // Two files of one name are one story, whether they can be read or not.
    newsroom.write("in/Minutes 3.txt", b"The council of Eastbrook voted.");
    let done = newsroom.run(&["run", "--auto", "in/Minutes 3.docx", "in/Minutes 3.txt"]);
    assert!(done.code == 2 && done.err.contains("are both the story newsroom/minutes-3"), "{}", done.err);
}

#[test]
fn a_broken_topic_of_a_batch_is_on_the_desk_flagged_with_its_reason() {
    let newsroom = Newsroom::offline();
    newsroom.topic();
    newsroom.write("in/broken.json", b"{\"source_text\": 7");
    newsroom.write("in/typo.json", newsroom.read("park.json").replace("source_text", "source_txet").as_bytes());
    let done = newsroom.run(&["run", "--auto", "park.json", "in/broken.json"]);
    assert_eq!(done.code, 1, "{}", done.err);
    let list: Value = serde_json::from_str(&newsroom.ran(&["list", "--review", "--json"]).out).unwrap();
    let row = list.as_array().unwrap().iter().find(|row| row["story"] == "newsroom/broken").cloned();
    let row = row.unwrap_or_else(|| panic!("{list}"));
    assert_eq!(row["state"], "failed", "{row}");
    let shown = newsroom.ran(&["show", "newsroom/broken"]).out;
    assert!(shown.contains("its topic cannot be used"), "{shown}");
    assert!(shown.contains("in/broken.json: it is not JSON"), "{shown}");
    // The story that is there already stays as it is.
    let before = newsroom.json("data/output/articles/desk/park.json");
    let done = newsroom.run(&["run", "--auto", "in/typo.json"]);
    assert!(done.code == 1 && done.err.contains("source_txet is not a field"), "{}", done.err);
    assert_eq!(newsroom.json("data/output/articles/desk/park.json"), before);
    // The topic as it was meant takes the place of the failure.
    newsroom.write("in/broken.txt", b"The council of Eastbrook voted seven to two to renovate Miller Park.");
    let done = newsroom.run(&["run", "--auto", "in/broken.txt"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let shown = newsroom.ran(&["show", "newsroom/broken"]).out;
    assert!(!shown.contains("its topic cannot be used"), "{shown}");
}
