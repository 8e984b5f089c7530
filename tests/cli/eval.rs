//! The proof's rules, measured on texts that people have judged: the real binary, data of its own.

use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

const NOTES: &str = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958. Inez Calloway spoke \
                     in favor of the ramp.";

/// Two texts for measuring, one of them wrong, and a wrong one that rules were made on.
fn minutes() -> Value {
    json!([
        {"doc": NOTES, "summary": "The council voted to spend $1.8 million on the park.", "label": 1, "split": "evaluation"},
        {"doc": NOTES, "summary": "The council voted to spend $2.8 million on the park.", "label": 0, "split": "evaluation"},
        {"doc": NOTES, "summary": "The park opened in 1985.", "label": "0", "split": "test", "edit_types": []},
    ])
}

fn desk(data: &Value) -> Newsroom {
    let newsroom = Newsroom::offline();
    newsroom.write("data/minutes.json", data.to_string().as_bytes());
    newsroom
}

#[test]
fn each_file_and_each_rule_is_measured() {
    let newsroom = desk(&minutes());
    newsroom.write("data/empty.json", b"[]");
    newsroom.write("data/notes.txt", b"no data");
    let measured = newsroom.run(&["eval", "proof", "--data", "data", "--json"]);
    assert_eq!((measured.code, measured.err.as_str()), (0, ""), "{}", measured.out);
    let told: Value = serde_json::from_str(&measured.out).unwrap();
    let file = json!({"n": 2, "balanced_accuracy": 1.0, "precision": 1.0, "recall": 1.0});
    let rule = json!({"gravity": "concern", "fires": 1, "right": 1, "precision": 1.0, "adds": 0.5});
    assert_eq!(told["files"], json!({"minutes": file}));
    assert_eq!(told["mean_balanced_accuracy"], 1.0);
    assert_eq!(told["rules"], json!({"number.contradicted": rule}));
    let all = newsroom.run(&["eval", "proof", "--data", "data", "--split", "all", "--json"]);
    let all: Value = serde_json::from_str(&all.out).unwrap();
    assert_eq!(all["files"]["minutes"]["n"], 3);
    assert_eq!(all["rules"]["number.contradicted"]["fires"], 2);
}

#[test]
fn a_person_gets_tables_for_each_level() {
    let measured = desk(&minutes()).run(&["eval", "proof", "--data", "data", "--split", "test"]);
    let words: Vec<String> =
        measured.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let found = ["minutes 1 100.0 100.0 100.0", "mean 100.0"];
    for (level, said) in [("note", found), ("concern", found), ("block", ["minutes 1 0.0 – 0.0", "mean 0.0"])] {
        let head = format!("rules from {level} on texts balanced accuracy precision recall");
        let at = words.iter().position(|line| *line == head).unwrap_or_else(|| panic!("{}", measured.out));
        assert_eq!(words[at + 1..at + 3], said, "{}", measured.out);
    }
    assert!(words.contains(&"number.contradicted concern 1 1 100.0 +100.00".to_owned()), "{}", measured.out);
}

#[test]
fn data_that_cannot_be_measured_is_wrong_use_and_says_where() {
    let text = |label: Value, split: &str| json!([{"doc": "a", "summary": "b", "label": label, "split": split}]);
    for (data, said) in [
        (text(json!(2), "test"), "minutes.json, text 1: the label is neither 0 nor 1"),
        (text(json!("yes"), "test"), "minutes.json, text 1: the label is neither 0 nor 1"),
        (text(json!(1), "train"), "minutes.json, text 1: the split is train, neither test nor evaluation"),
        (text(json!(1), "test"), "no file of data has a text of this split; try --split all"),
        (json!([{"doc": "a", "label": 1, "split": "test"}]), "missing field `summary`"),
        (json!({}), "minutes.json is no list of texts"),
    ] {
        let newsroom = desk(&data);
        let measured = newsroom.run(&["eval", "proof", "--data", "data"]);
        assert_eq!((measured.code, measured.out.as_str()), (2, ""), "{said}");
        assert!(measured.err.contains(said), "{said}: {}", measured.err);
    }
    let nothing = Newsroom::offline().run(&["eval", "proof", "--data", "nowhere"]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.err.contains("the folder nowhere cannot be read"), "{}", nothing.err);
    let newsroom = Newsroom::offline();
    newsroom.write("data/notes.txt", b"no data");
    let measured = newsroom.run(&["eval", "proof", "--data", "data"]);
    assert!(measured.code == 2 && measured.err.contains("the folder data holds no data (*.json)"), "{}", measured.err);
}

/// A document whose draft has one wrong figure.
fn planted() -> Newsroom {
    let newsroom = Newsroom::offline();
    let filler: Vec<String> =
        (1..60).map(|n| format!("Item {n} was read out and put on file by the clerk. ")).collect();
    let filler = filler.concat();
    let source = format!("The board met on Monday. {filler}The water rates rise by 4 per cent in May. {filler}");
    let document = json!({"variants": [{
        "id": "v01", "kind": "number", "find": "rise by 4 per cent", "replace": "rise by 7 per cent", "wrong": "7",
        "passages": ["The water rates rise by 4 per cent in May."]
    }]});
    newsroom.write("set/rates/source.txt", source.as_bytes());
    newsroom.write("set/rates/article.md", b"# Board raises rates\n\nThe water rates rise by 4 per cent in May.\n");
    newsroom.write("set/rates/document.json", document.to_string().as_bytes());
    newsroom
}

#[test]
fn what_shortening_saves_and_loses_is_measured() {
    let newsroom = planted();
    let measured = newsroom.run(&["eval", "context", "--data", "set", "--json"]);
    assert_eq!((measured.code, measured.err.as_str()), (0, ""), "{}", measured.out);
    let told: Value = serde_json::from_str(&measured.out).unwrap();
    let shapes: Vec<&str> =
        told["shapes"].as_array().unwrap().iter().map(|one| one["shape"].as_str().unwrap()).collect();
    let expected = [
        "concerns",
        "verdicts with citations",
        "mapping",
        "ledger rows",
        "search results",
        "passages",
        "numeric table",
        "nested configuration",
    ];
    assert_eq!(shapes, expected);
    assert_eq!(told["conversation"][0]["exchanges"], 3);
    let narrow = &told["relevance"][2];
    assert_eq!((&narrow["task"], &narrow["limit"]), (&json!("sentence"), &json!(25)));
    assert_eq!((&narrow["passages"]["part"], &narrow["passages_of_beginning"]["part"]), (&json!(1), &json!(0)));
    assert_eq!((&told["skills"][0]["agent"], &told["skills"][0]["skills"]), (&json!("reporter"), &json!(4)));
    let tables = newsroom.run(&["eval", "context", "--data", "set"]).out;
    assert!(
        tables.starts_with("Tokens are those of o200k_base.") && tables.contains("nested configuration"),
        "{tables}"
    );
    let nowhere = newsroom.run(&["eval", "context", "--data", "nowhere"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("nowhere cannot be read"), "{}", nowhere.err);
}

#[test]
fn the_load_is_measured_from_the_record_and_leaves_nothing_behind() {
    let server = Server::start(|call: &Call| match (call.agent.as_str(), call.before) {
        ("writer", 0) => Reply::Status(503, vec![], "no room".into()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    for slug in ["park", "mill"] {
        let mut one: Value = serde_json::from_str(&std::fs::read_to_string(&topic).unwrap()).unwrap();
        one["source_metadata"]["topic_slug"] = json!(slug);
        newsroom.write(&format!("topics/{slug}.json"), one.to_string().as_bytes());
    }
    newsroom.write("topics/torn.json", b"{");
    let done = newsroom.run(&["eval", "load", "--topics", "topics", "--at", "1,2", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let told: Value = serde_json::from_str(&done.out).unwrap();
    let on = &told["measured_on"];
    assert_eq!((&on["engine"], &on["models"]["writer"]), (&json!("llm"), &json!("your-model-name")));
    let units = told["units"].as_array().unwrap();
    assert_eq!(units.len(), 2, "{told:#}");
    for unit in units {
        assert_eq!(
            [&unit["stories"], &unit["rejected"], &unit["succeeded"]],
            [&json!(2), &json!(1), &json!(2)],
            "{unit:#}"
        );
    }
    let row = |key: &str| {
        let rows = told["tables"][0]["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["key"] == key).unwrap();
        row["cells"].as_array().unwrap().iter().map(|cell| cell["value"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert!(row("stories_per_minute").iter().all(|number| *number > 0.0) && row("queue_ms_p95").len() == 2);
    assert!(row("context_reduction").iter().all(|rho| (0.0..1.0).contains(rho)), "{told:#}");
    // The first draft of all was asked for twice.
    assert_eq!(row("retries_per_story"), [0.5, 0.0]);
    let calls: u64 = units.iter().map(|unit| unit["calls"].as_u64().unwrap()).sum();
    assert_eq!(calls, server.calls().len() as u64);
    assert!(!newsroom.path().join("data").exists(), "the desk itself has none of these stories");
    let table = newsroom.run(&["eval", "load", "--topics", "topics/park.json", "--at", "1"]);
    assert!(table.out.lines().any(|line| line.split_whitespace().eq(["succeeded", "1"])), "{}", table.out);
}

#[test]
fn a_load_of_nothing_is_wrong_use() {
    let newsroom = Newsroom::offline();
    newsroom.write("topics/torn.json", b"{");
    let done = newsroom.run(&["eval", "load", "--topics", "topics"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("none of the topics can be used"), "{}", done.err);
    for wrong in [["--at", "0"], ["--at", "x"]] {
        let done = newsroom.run(&[&["eval", "load", "--topics", "topics"], &wrong[..]].concat());
        assert_eq!(done.code, 2, "{wrong:?}: {}", done.err);
    }
}
