//! The institutional memory (docs/reference/contract.md): looked up before any call, reused, imported, expired, struck, restored.

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    script,
    server::{Call, Reply, Server},
};

const CITED: &str = "https://evidence.example/study";

/// A server whose search finds one study, which the verdict cites.
fn server() -> Server {
    Server::start(|call| match call.agent.as_str() {
        "evidence_search" => Reply::Cited("A study of 2024 found the same.".into(), vec![CITED.into()]),
        "evidence_finding" => {
            let mut verdict: Value = serde_json::from_str(&script::verdict(script::concern(call))).unwrap();
            verdict["citations"] = json!([CITED]);
            verdict["evidence"] = json!("A study found the same.");
            Reply::Text(verdict.to_string())
        }
        _ => script::usual(call),
    })
}

fn newsroom(server: &Server) -> Newsroom {
    let perplexity = format!(
        "perplexity:\n    api_base: {}\n    api_key: pplx-secret-key-1\n    model: sonar\n    timeout_seconds: 5",
        server.base()
    );
    Newsroom::at_with(&server.base(), |yaml| yaml.replace("perplexity: null", &perplexity))
}

/// A newsroom in which one story was checked, with the two files that its memory left: the fact check and the search.
fn checked(server: &Server) -> (Newsroom, [String; 2]) {
    let newsroom = newsroom(server);
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let names = newsroom.files().into_iter().map(|(name, _)| name);
    let files: Vec<String> = names.filter(|name| name.starts_with("data/institutional_memory")).collect();
    let (search, fact) = (files[0].clone(), files[1].clone());
    assert!(search.contains("/evidence_finding/") && fact.contains("/fact_checking/") && files.len() == 2, "{files:?}");
    (newsroom, [fact, search])
}

fn listed(newsroom: &Newsroom, all: bool) -> Value {
    let arguments: &[&str] = if all { &["memory", "list", "--json", "--all"] } else { &["memory", "list", "--json"] };
    serde_json::from_str(&newsroom.run(arguments).out).unwrap()
}

/// Another story that asks the same.
fn again(newsroom: &Newsroom, slug: &str) -> Done {
    let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!(slug));
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 0, "{}", done.err);
    done
}

fn asked(server: &Server) -> (usize, usize, usize) {
    let asked = (server.count("fact_check"), server.count("evidence_search"), server.count("evidence_finding"));
    server.forget();
    asked
}

#[test]
fn a_file_is_named_by_the_key_of_its_fields_and_its_day() {
    use sha2::Digest as _;
    let server = server();
    let (newsroom, files) = checked(&server);
    for (file, agent) in files.iter().zip(["fact_check", "evidence_finding"]) {
        let record = newsroom.json(file);
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        let mut fields = vec![agent.to_owned(), text("normalized_query"), text("model_name")];
        if agent == "fact_check" {
            fields.push(text("kb_index_version"));
        }
        let hash = hex::encode(sha2::Sha256::digest(fields.join("|")))[..16].to_owned();
        assert_eq!(text("cache_key_hash"), hash);
        assert!(file.ends_with(&format!("/{}/{hash}.json", &text("timestamp")[..10])), "{file}");
    }
    assert_eq!(newsroom.json(&files[1])["citations"], json!([CITED]));
}

#[test]
fn another_desk_reads_the_files_and_makes_no_call_for_what_they_answer() {
    let server = server();
    let (first, files) = checked(&server);
    let second = newsroom(&server);
    for (name, bytes) in first.files().iter().filter(|(name, _)| files.contains(name)) {
        second.write(&format!("theirs/{name}"), bytes);
    }
    let imported = second.run(&["memory", "import", "theirs"]);
    assert_eq!((imported.code, imported.err.trim()), (0, "Imported 2 records into the memory; 0 were there already."));
    assert_eq!(second.json(&files[0]), first.json(&files[0]), "the record is a file of this desk too");
    assert_eq!(listed(&second, false).as_array().unwrap().len(), 2);
    asked(&server);
    again(&second, "park-again");
    assert_eq!(asked(&server), (0, 0, 0));
    let verdicts =
        second.json("data/output/articles/desk/park-again.json")["editor_report"]["iterations"][0]["verdicts"].clone();
    let theirs = &first.canonical()["editor_report"]["iterations"][0]["verdicts"];
    for concern in 0..2 {
        for field in ["status", "rationale", "evidence", "citations"] {
            assert_eq!(verdicts[concern][field], theirs[concern][field]);
        }
    }

    let known = second.run(&["memory", "import", "theirs", &files[0]]);
    assert_eq!((known.code, known.err.trim()), (0, "Imported 0 records into the memory; 3 were there already."));
    assert_eq!(listed(&second, true).as_array().unwrap().len(), 2);
    let verified = second.run(&["memory", "list", listed(&second, false)[0]["cache_key_hash"].as_str().unwrap()]);
    assert!(verified.out.contains("(imported)"), "{}", verified.out);
}

#[test]
fn a_bad_file_is_told_of_and_stops_no_other() {
    let server = server();
    let (newsroom, files) = checked(&server);
    let record = newsroom.read(&files[0]);
    let other = newsroom_with_files(&[
        ("in/a.json", "{".to_owned()),
        ("in/b/changed.json", record.replace("\"concern_id\": 1", "\"concern_id\": 1, \"extra\": 2")),
        ("in/b/rekeyed.json", record.replace("your-model-name", "another-model")),
        ("in/c.json", record),
        ("in/notes.txt", "no record".to_owned()),
    ]);
    let done = other.run(&["memory", "import", "in", "nowhere"]);
    assert_eq!(done.code, 1, "{}", done.err);
    for said in [
        "in/a.json: it is not JSON",
        "unknown field `extra`",
        "in/b/rekeyed.json: its cache_key_hash is",
        "nowhere: No such file",
        "Imported 1 record into the memory; 0 were there already.",
        "4 files left out.",
    ] {
        assert!(done.err.contains(said), "{said}: {}", done.err);
    }
    assert!(!done.err.contains("notes.txt"));
    assert_eq!(listed(&other, true).as_array().unwrap().len(), 1);
}

fn newsroom_with_files(files: &[(&str, String)]) -> Newsroom {
    let newsroom = Newsroom::offline();
    for (name, text) in files {
        newsroom.write(name, text.as_bytes());
    }
    newsroom
}

#[test]
fn an_expired_record_is_kept_shown_as_such_and_not_offered() {
    let server = server();
    let (first, files) = checked(&server);
    let second = newsroom(&server);
    for file in &files {
        let mut record = first.json(file);
        record["timestamp"] = json!("2020-01-01T00:00:00Z");
        second.write(&file.replace("data/", "theirs/"), record.to_string().as_bytes());
    }
    let imported = second.run(&["memory", "import", "theirs"]);
    assert!(imported.err.contains("2 records older than 90 days and not reused"), "{}", imported.err);
    assert_eq!(listed(&second, false), json!([]));
    assert_eq!(listed(&second, true)[0]["state"], json!("expired"));
    asked(&server);
    again(&second, "park-again");
    assert_eq!(asked(&server), (1, 1, 1));
    assert_eq!(listed(&second, true).as_array().unwrap().len(), 4, "the new checks stand beside the old ones");

    // Where nothing expires, the latest of them is offered, and would be the old one were there no other.
    let config = second.read("config/config.yaml").replace("expires_after_days: 90", "expires_after_days: null");
    second.write("config/config.yaml", config.as_bytes());
    assert_eq!(listed(&second, false).as_array().unwrap().len(), 4);
    let wrong = config.replace("expires_after_days: null", "expires_after_days: 0");
    second.write("config/config.yaml", wrong.as_bytes());
    let refused = second.run(&["memory", "list"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("institutional_memory.expires_after_days: must be null or a whole number"),
        "{}",
        refused.err
    );
}

#[test]
fn a_struck_record_is_not_offered_and_its_story_keeps_the_verdict() {
    let server = server();
    let (newsroom, files) = checked(&server);
    let before = newsroom.canonical();
    let search = newsroom.json(&files[1])["cache_key_hash"].as_str().unwrap().to_owned();
    let struck = newsroom.run(&["memory", "strike", &search[..9], "--reason", "the study was retracted"]);
    assert_eq!(struck.code, 0, "{}", struck.err);
    assert!(struck.err.contains("Verdicts that came from it stay"), "{}", struck.err);
    let all = listed(&newsroom, true);
    let record = all.as_array().unwrap().iter().find(|record| record["cache_key_hash"] == json!(search)).unwrap();
    assert_eq!((&record["state"], &record["struck"]["reason"]), (&json!("struck"), &json!("the study was retracted")));
    assert_eq!(record["struck"]["by"], json!("The editor"));
    assert_eq!(listed(&newsroom, false).as_array().unwrap().len(), 1);
    assert_eq!(newsroom.canonical(), before);
    let shown = newsroom.run(&["memory", "list", &search]).out;
    for said in
        ["evidence_finding): struck", "the study was retracted", "A study of 2024 found the same.", CITED, "desk/park"]
    {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(newsroom.run(&["log", "park"]).out.contains(" struck by "), "the log of the story that was checked");

    // Its file does not bring it back.
    let imported = newsroom.run(&["memory", "import", "data/institutional_memory"]);
    assert!(imported.err.contains("Imported 0 records into the memory; 2 were there already."), "{}", imported.err);
    asked(&server);
    again(&newsroom, "mill");
    assert_eq!(asked(&server), (0, 1, 1), "the fact check is remembered, the search is made again");
    again(&newsroom, "pool");
    assert_eq!(asked(&server), (0, 1, 1), "the same verdict again is struck as well");

    let restored = newsroom.run(&["memory", "strike", &search, "--undo"]);
    assert!(restored.err.contains("it can be reused again"), "{}", restored.err);
    again(&newsroom, "quay");
    assert_eq!(asked(&server), (0, 0, 0));
    let doctor = newsroom.run(&["log", "park", "--json"]).out;
    assert!(doctor.lines().any(|line| line.contains("memory_struck")), "{doctor}");
}

#[test]
fn the_report_says_how_much_of_the_work_the_memory_saved() {
    let server = server();
    let (first, files) = checked(&server);
    let usage: u64 =
        ["r1.c1.judge", "r1.c2.search", "r1.c2.judge"].iter().map(|step| tokens(&first, "park", step)).sum();
    assert!(usage > 0);
    let done = again(&first, "mill");
    let said = format!("Memory: 2 look-ups, 2 answered from earlier checks: 3 calls not made ({usage} tokens).");
    assert!(done.err.contains(&said), "{said}: {}", done.err);
    assert!(first.run(&["show", "mill"]).out.contains(&said));
    let shown: Value = serde_json::from_str(&first.run(&["show", "mill", "--json"]).out).unwrap();
    let saved = json!({
        "look_ups": 2, "hits": 2, "calls_not_made": 3, "tokens_not_spent": usage, "hits_of_unknown_cost": 0
    });
    assert_eq!(shown["memory"], saved);

    // A batch says it of all its stories; what an imported record cost is not known here.
    let second = newsroom(&server);
    for file in &files {
        second.write(file, first.read(file).as_bytes());
    }
    assert_eq!(second.run(&["memory", "import", "data/institutional_memory"]).code, 0);
    let topic = first.read("park.json").replace("\"mill\"", "\"quay\"");
    second.write("topics/one.json", topic.as_bytes());
    second.write("topics/two.json", topic.replace("\"quay\"", "\"pool\"").as_bytes());
    let done = second.run(&["run", "--auto", "topics"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let said = "Memory: 4 look-ups, 4 answered from earlier checks: 6 calls not made (tokens unknown).";
    assert!(done.err.contains(said), "{}", done.err);
}

/// The tokens of a step.
fn tokens(newsroom: &Newsroom, story: &str, step: &str) -> u64 {
    let shown: Value = serde_json::from_str(&newsroom.run(&["show", story, "--json"]).out).unwrap();
    let steps = shown["steps"].as_array().unwrap();
    let usage = &steps.iter().find(|entry| entry["step"] == json!(step)).unwrap()["usage"];
    usage["prompt_tokens"].as_u64().unwrap_or(0) + usage["completion_tokens"].as_u64().unwrap_or(0)
}

#[test]
fn wrong_use_is_told_of_and_changes_nothing() {
    let server = server();
    let (newsroom, _) = checked(&server);
    for (arguments, said) in [
        (&["memory", "list", "zz"][..], "The memory has no record zz"),
        (&["memory", "list", ""], "The memory has no record"),
        (&["memory", "strike", "zz", "--reason", "x"], "The memory has no record zz"),
        (&["memory", "strike", "0"], "--reason"),
        (&["memory", "import"], "required"),
        (&["memory"], "Usage"),
    ] {
        let done = newsroom.run(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.err);
        assert!(done.err.contains(said), "{said}: {}", done.err);
    }
    let key = listed(&newsroom, false)[0]["cache_key_hash"].as_str().unwrap().to_owned();
    let blank = newsroom.run(&["memory", "strike", &key, "--reason", " \u{200b}"]);
    assert_eq!(blank.code, 2, "{}", blank.err);
    assert!(newsroom.run(&["memory", "strike", &key, "--undo"]).err.contains("is not struck. Nothing was changed"));
    newsroom.run(&["memory", "strike", &key, "--reason", "x"]);
    assert!(newsroom.run(&["memory", "strike", &key, "--reason", "y"]).err.contains("is already struck"));
    let table = newsroom.run(&["memory", "list"]);
    assert!(table.out.contains("fact_check") || table.out.contains("evidence_finding"), "{}", table.out);
    assert!(table.err.contains("1 record is not reused any more; --all lists them too."), "{}", table.err);
    let empty = Newsroom::offline();
    assert!(empty.run(&["memory", "list"]).err.contains("The memory is empty"));
    assert_eq!(empty.run(&["memory", "list", "--json"]).out.trim(), "[]");
}

/// A story about `source` whose one draft is `body`; the reviewer doubts `excerpts`, each a fact.
fn doubted(body: &'static str, excerpts: &'static [&'static str], fact_check: fn(&Call) -> Value) -> Server {
    Server::start(move |call| match call.agent.as_str() {
        "writer" | "revision" => Reply::Text(
            json!({"headline": "News", "alternativeHeadline": "More", "articleBody": body, "description": "Short."})
                .to_string(),
        ),
        "article_review" => {
            let bullets: Vec<String> =
                excerpts.iter().map(|excerpt| format!("- “{excerpt}” unsupported_fact: is it so?")).collect();
            Reply::Text(bullets.join("\n"))
        }
        "concern_mapping" => {
            let mapping = |id: usize| json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": "fact_check", "confidence": "high", "reason": "fits"});
            Reply::Text(json!({"mappings": (1..=excerpts.len()).map(mapping).collect::<Vec<_>>()}).to_string())
        }
        _ => Reply::Text(fact_check(call).to_string()),
    })
}

fn verdict(call: &Call, status: &str, citation: Option<&str>) -> Value {
    json!({
        "concern_id": script::concern(call), "misleading": status != "KEEP", "status": status, "rationale": "r",
        "suggested_fix": (status != "KEEP").then_some("Delete it."), "evidence": null, "citations": citation.map(|citation| [citation])
    })
}

fn about(newsroom: &Newsroom, slug: &str, source: &str) -> Done {
    let topic = newsroom.topic_with(|topic| {
        topic["source_metadata"]["topic_slug"] = json!(slug);
        topic["source_text"] = json!(source);
    });
    newsroom.auto(&topic)
}

#[test]
fn a_verdict_on_one_sentence_is_no_verdict_on_another_with_the_same_figure() {
    const BODY: &str = "The library wing will cover 1.8 acres. The plan lays 1.8 miles of paths.";
    let judge = |call: &Call| {
        let (_, rest) = call.user.split_once("<sentence>").unwrap();
        let (sentence, _) = rest.split_once("</sentence>").unwrap();
        assert!(sentence.contains('⟦') && sentence.contains("1.8"), "the words are marked: {sentence}");
        let acres = sentence.contains("wing");
        verdict(call, if acres { "REMOVE" } else { "KEEP" }, None)
    };
    let outcomes = ["1", "2", "4", "8"].map(|specialists| {
        let server = doubted(BODY, &["1.8", "1.8 miles"], judge);
        let newsroom = Newsroom::at_with(&server.base(), |yaml| {
            let one = "specialists_of_a_story: 1";
            assert!(yaml.contains(one), "{yaml}");
            yaml.replace(one, &format!("specialists_of_a_story: {specialists}"))
        });
        about(&newsroom, "park", "The plan lays 1.8 miles of paths.");
        let report = newsroom.canonical()["editor_report"]["iterations"][0]["verdicts"].clone();
        let status: Vec<Value> = report.as_array().unwrap().iter().map(|verdict| verdict["status"].clone()).collect();
        (status, server.count("fact_check"))
    });
    assert_eq!(outcomes[0].0[..2], [json!("REMOVE"), json!("KEEP")]);
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
}

#[test]
fn only_what_rests_on_the_knowledge_base_alone_serves_a_story_with_other_sources() {
    const BODY: &str = "Herons nest at the pond of Garlow Falls.";
    const NOTE: &[u8] = b"# Ordinance\n\nHerons nest at the pond of Garlow Falls between February and July.\n";
    for (status, cites, calls) in [("KEEP", true, [1, 1, 2]), ("REMOVE", false, [1, 2, 3])] {
        let judge: fn(&Call) -> Value =
            if cites { |call| verdict(call, "KEEP", Some("[1]")) } else { |call| verdict(call, "REMOVE", None) };
        let server = doubted(BODY, &["Herons nest"], judge);
        let newsroom =
            Newsroom::at_with(&server.base(), |yaml| yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 1"));
        newsroom.write("data/knowledgebase/ordinance.md", NOTE);
        let mut asked = Vec::new();
        for (slug, source) in [
            ("council", "The council voted seven to two on Tuesday."),
            ("mill", "A fire destroyed the mill on Friday night."),
            // This source speaks of it itself, so what it says counts.
            ("birds", "No heron was seen at the pond of Garlow Falls, the warden says."),
        ] {
            about(&newsroom, slug, source);
            asked.push(server.count("fact_check"));
        }
        assert_eq!(asked, calls, "{status}");
        about(&newsroom, "mill", "A fire destroyed the mill on Friday night.");
        assert_eq!(server.count("fact_check"), calls[2], "{status}: the same story again");
    }
}

/// The key of a record of these fields.
fn key_of(record: &Value, agent: &str) -> String {
    use sha2::Digest as _;
    let fields = ["normalized_query", "model_name", "kb_index_version"].map(|name| record[name].as_str());
    let fields: Vec<&str> = std::iter::once(agent).chain(fields.into_iter().flatten()).collect();
    hex::encode(sha2::Sha256::digest(fields.join("|")))[..16].to_owned()
}

/// The record as earlier versions made it: asked by the bare excerpt, and against the text.
fn as_before(record: &Value, agent: &str, timestamp: &str) -> Value {
    let mut old = record.clone();
    let query = record["query"].as_str().unwrap();
    let (_, rest) = query.split_once('⟦').unwrap();
    let (excerpt, _) = rest.split_once('⟧').unwrap();
    (old["query"], old["normalized_query"]) = (json!(excerpt), json!(excerpt.to_lowercase()));
    old["verdict"]["status"] = json!("REMOVE");
    old["verdict"]["misleading"] = json!(true);
    old["verdict"]["rationale"] = json!("Said of another sentence.");
    old["verdict"]["suggested_fix"] = json!("Delete it.");
    old["timestamp"] = json!(timestamp);
    old["cache_key_hash"] = json!(key_of(&old, agent));
    old
}

#[test]
fn a_file_of_an_earlier_version_is_imported_and_not_reused() {
    let server = server();
    let (first, files) = checked(&server);
    let fact = first.json(&files[0]);
    let old = as_before(&fact, "fact_check", fact["timestamp"].as_str().unwrap());
    let second = newsroom(&server);
    second.write("theirs/old.json", old.to_string().as_bytes());
    let imported = second.ran(&["memory", "import", "theirs"]);
    assert!(
        imported.err.contains("1 record of an earlier version and not reused: nothing says which sentence"),
        "{}",
        imported.err
    );
    assert_eq!((listed(&second, false), listed(&second, true)[0]["state"].clone()), (json!([]), json!("outdated")));
}
