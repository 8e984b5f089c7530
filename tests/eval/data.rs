//! What is measured on data that people have judged, and the desk under load: the real binary, data of its own.

use serde_json::{Value, json};

use crate::{
    cells, rows,
    support::{
        newsroom::{Done, Newsroom},
        script,
        server::{Call, Reply, Server},
    },
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
    let measured = newsroom.run(&["proof", "--data", "data", "--json"]);
    assert_eq!((measured.code, measured.err.as_str()), (0, ""), "{}", measured.out);
    let told = json_of(&measured);
    let numbers = |cells: &Value| -> Vec<Option<f64>> {
        cells.as_array().unwrap().iter().map(|cell| cell["value"].as_f64()).collect()
    };
    assert_eq!(rows(&told, "files").len(), 2, "minutes and the mean");
    assert_eq!(numbers(cells(&told, "files", "minutes")), [2.0, 100.0, 100.0, 100.0].map(Some));
    assert_eq!(numbers(cells(&told, "files", "")), [None, Some(100.0), None, None]);
    assert_eq!(rows(&told, "rules").len(), 1);
    let rule = cells(&told, "rules", "number.contradicted");
    assert_eq!(rule[0]["text"], "concern");
    assert_eq!(numbers(rule)[1..], [1.0, 1.0, 100.0, 50.0].map(Some));
    let all = json_of(&newsroom.run(&["proof", "--data", "data", "--split", "all", "--json"]));
    assert_eq!(numbers(cells(&all, "files", "minutes"))[0], Some(3.0));
    assert_eq!(numbers(cells(&all, "rules", "number.contradicted"))[1], Some(2.0));
}

#[test]
fn a_person_gets_a_table_of_the_level_that_was_asked_for() {
    let found = ["minutes 1 100.0 100.0 100.0", "mean – 100.0 – –"];
    let newsroom = desk(&minutes());
    for (level, said) in [("note", found), ("concern", found), ("block", ["minutes 1 0.0 – 0.0", "mean – 0.0 – –"])]
    {
        let measured = newsroom.run(&["proof", "--data", "data", "--split", "test", "--level", level]);
        let words: Vec<String> =
            measured.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(words[0], format!("Texts, rules from {level} on"));
        assert_eq!(words[2..4], said, "{}", measured.out);
        let rule = "number.contradicted concern 1 1 100.0 100.00".to_owned();
        assert_eq!(words.contains(&rule), level != "block", "{}", measured.out);
    }
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
        let measured = newsroom.run(&["proof", "--data", "data"]);
        assert_eq!((measured.code, measured.out.as_str()), (2, ""), "{said}");
        assert!(measured.err.contains(said), "{said}: {}", measured.err);
    }
    let nothing = Newsroom::offline().run(&["proof", "--data", "nowhere"]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.err.contains("the folder nowhere cannot be read"), "{}", nothing.err);
    let newsroom = Newsroom::offline();
    newsroom.write("data/notes.txt", b"no data");
    let measured = newsroom.run(&["proof", "--data", "data"]);
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
    let measured = newsroom.run(&["context", "--data", "set", "--json"]);
    assert_eq!((measured.code, measured.err.as_str()), (0, ""), "{}", measured.out);
    let told = json_of(&measured);
    let shapes: Vec<&str> = rows(&told, "shapes").iter().map(|row| row["key"].as_str().unwrap()).collect();
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
    assert_eq!(rows(&told, "conversation")[0]["cells"][0]["value"], 3.0);
    let narrow = cells(&told, "relevance", "sentence|25");
    assert_eq!((&narrow[3]["part"], &narrow[4]["part"]), (&json!(1), &json!(0)));
    assert_eq!(cells(&told, "skills", "reporter")[0]["value"], 4.0);
    let first: Vec<&str> = rows(&told, "first_prompts").iter().map(|row| row["key"].as_str().unwrap()).collect();
    assert_eq!(first, ["coverage", "fact_check", "research", "style_review"]);
    for prompt in first {
        let cells = cells(&told, "first_prompts", prompt);
        let [names, all, opened] = [0_usize, 1, 3].map(|at| cells[at]["value"].as_f64().unwrap());
        // To open a skill costs a second call, which sends the names and the tool again.
        assert!(names < all && 2.0 * names < opened && opened < all, "{prompt}: {cells:?}");
    }
    let tables = newsroom.run(&["context", "--data", "set"]).out;
    assert!(tables.contains("Tokens are those of o200k_base.") && tables.contains("nested configuration"), "{tables}");
    let nowhere = newsroom.run(&["context", "--data", "nowhere"]);
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
    let done = newsroom.run(&["load", "--topics", "topics", "--at", "1,2", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let told = json_of(&done);
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
        let cells = cells(&told, "load", key).as_array().unwrap();
        cells.iter().map(|cell| cell["value"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert!(row("stories_per_minute").iter().all(|number| *number > 0.0) && row("queue_ms_p95").len() == 2);
    assert!(row("context_reduction").iter().all(|rho| (0.0..1.0).contains(rho)), "{told:#}");
    // The first draft of all was asked for twice.
    assert_eq!(row("retries_per_story"), [0.5, 0.0]);
    let calls: u64 = units.iter().map(|unit| unit["calls"].as_u64().unwrap()).sum();
    assert_eq!(calls, server.calls().len() as u64);
    assert!(!newsroom.path().join("data").exists(), "the desk itself has none of these stories");
    let table = newsroom.run(&["load", "--topics", "topics/park.json", "--at", "1"]);
    assert!(table.out.lines().any(|line| line.split_whitespace().eq(["succeeded", "1"])), "{}", table.out);
}

#[test]
fn a_load_of_nothing_is_wrong_use() {
    let newsroom = Newsroom::offline();
    newsroom.write("topics/torn.json", b"{");
    let done = newsroom.run(&["load", "--topics", "topics"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("none of the topics can be used"), "{}", done.err);
    for wrong in [["--at", "0"], ["--at", "x"]] {
        let done = newsroom.run(&[&["load", "--topics", "topics"], &wrong[..]].concat());
        assert_eq!(done.code, 2, "{wrong:?}: {}", done.err);
    }
}

fn json_of(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {} {}", done.out, done.err))
}

/// One vector for every text.
fn vectors(call: &Call) -> Reply {
    let items = call.body["input"].as_array().unwrap().iter().zip(0..).map(
        |(_, index): (&Value, u32)| json!({"index": index, "embedding": [1.0, -0.1, 0.5, 0.25, 1.0, -0.1, 0.5, 0.25]}),
    );
    Reply::Raw("application/json", json!({"data": items.collect::<Vec<_>>()}).to_string().into_bytes())
}

/// A collection of three texts and two questions.
fn collection(newsroom: &Newsroom) {
    let corpus = [
        ("d1", "Parks", "Work on parks must not begin in April."),
        ("d2", "", "The harbour silted up."),
        ("d3", "Budget", "Money."),
    ];
    let lines: Vec<String> =
        corpus.map(|(id, title, text)| json!({"_id": id, "title": title, "text": text}).to_string()).into();
    newsroom.write("data/set/corpus.jsonl", lines.join("\n").as_bytes());
    let queries =
        [json!({"_id": "q1", "text": "when may parks begin?"}), json!({"_id": "q2", "text": "nothing known"})];
    newsroom.write("data/set/queries.jsonl", queries.map(|query| query.to_string()).join("\n").as_bytes());
    newsroom.write("data/set/qrels/test.tsv", b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t1\n");
}

#[test]
fn the_search_is_measured_in_each_of_its_ways() {
    let server = Server::start(vectors);
    let newsroom = Newsroom::with(|yaml| {
        let section = format!(
            "embedding:\n      provider: lmstudio\n      model_name: bge\n      api_base: {}\n      api_key: any\n      timeout_seconds: 1",
            server.base()
        );
        yaml.replace("embedding: null", &section)
    });
    collection(&newsroom);
    let measured = newsroom.run(&["retrieval", "--data", "data/set", "--json"]);
    assert_eq!((measured.code, measured.err.as_str()), (0, ""));
    let told = json_of(&measured);
    let modes: Vec<&str> = rows(&told, "modes").iter().map(|row| row["key"].as_str().unwrap()).collect();
    assert_eq!(modes, ["text", "dense", "fused"]);
    let text: Vec<f64> =
        cells(&told, "modes", "text").as_array().unwrap().iter().map(|cell| cell["value"].as_f64().unwrap()).collect();
    assert_eq!(text[..3], [2.0, 0.5, 0.5], "questions, nDCG@10, recall@5");
    assert!(text[6] <= text[7], "the median and the 95th percentile of a question's time");
    let plain = newsroom.run(&["retrieval", "--data", "data/set"]);
    assert!(plain.out.contains("nDCG@10") && plain.out.contains("fused"), "{}", plain.out);
    assert!(!newsroom.path().join("data/copydesk.db").exists(), "nothing is written for a measurement");

    // An embedder that fails at the questions is no search by words that passes for one by vectors.
    let fails = Server::start(|call| {
        if call.body["input"].to_string().contains("begin?") {
            return Reply::Status(400, vec![], "no question, please".into());
        }
        vectors(call)
    });
    let config = newsroom.read("config/config.yaml").replace(&server.base(), &fails.base());
    newsroom.write("config/config.yaml", config.as_bytes());
    let failed = newsroom.run(&["retrieval", "--data", "data/set"]);
    assert_eq!((failed.code, failed.out.as_str()), (1, ""), "{}", failed.err);
    assert!(failed.err.contains("the search by vectors cannot be measured: "), "{}", failed.err);
    assert!(failed.err.contains("no question, please"), "{}", failed.err);

    newsroom.write("data/set/qrels/train.tsv", b"query-id\tcorpus-id\tscore\nq1\td1\tmuch\n");
    for (split, told) in
        [("train", "train.tsv, line 2: it has a score that is no whole number"), ("dev", "dev.tsv cannot be read")]
    {
        let refused = newsroom.run(&["retrieval", "--data", "data/set", "--split", split]);
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains(told), "{}", refused.err);
    }
    newsroom.write("data/set/corpus.jsonl", b"{\"_id\": \"d1\"}\n");
    let refused = newsroom.run(&["retrieval", "--data", "data/set"]);
    assert!(
        refused.code == 2 && refused.err.contains("corpus.jsonl, line 1: it is no text with _id"),
        "{}",
        refused.err
    );
}
