//! Confidential stories and hidden names: nothing that must not leave does, whatever is configured, and the ledger says what did.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    script,
    server::{Call, Reply, Server},
};

/// A model server on another machine, which nobody ever reaches.
const AWAY: &str = "http://models.example/v1";

const NAME: &str = "Anna Maria Müller";

fn confidential(newsroom: &Newsroom) -> std::path::PathBuf {
    newsroom.topic_with(|topic| topic["confidential"] = json!(true))
}

fn anywhere(yaml: &str) -> String {
    yaml.replace("local_only: true", "local_only: false")
}

fn requests(newsroom: &Newsroom, arguments: &[&str]) -> Vec<Value> {
    let arguments = [&["audit", "requests", "--json"], arguments].concat();
    newsroom.ran(&arguments).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_confidential_story_is_sent_to_no_other_machine_and_waits_for_one_here() {
    let newsroom = Newsroom::at_with(AWAY, |yaml| anywhere(&yaml));
    newsroom.ran(&["--trust", "list"]);
    let done = newsroom.auto(&confidential(&newsroom));
    assert_eq!(done.code, 1, "{done:?}");
    let refusal = "desk/park is confidential, and models.example is not this machine \
                   (article_generation.models.local.api_base names it). Nothing was sent.";
    assert!(done.err.contains(refusal), "{}", done.err);
    let dead = newsroom.ran(&["dead", "list"]);
    assert!(dead.out.contains("desk/park"), "{}", dead.out);
    let noted = requests(&newsroom, &["park"]);
    assert_eq!(noted.len(), 1, "{noted:?}");
    assert_eq!(
        (&noted[0]["host"], &noted[0]["left"], &noted[0]["bytes_out"], &noted[0]["outcome"], &noted[0]["why"]),
        (&json!("models.example"), &json!(true), &json!(0), &json!("not sent: confidential"), &json!("draft: writer"))
    );
    assert!(
        newsroom
            .ran(&["audit", "requests"])
            .out
            .ends_with("0 requests to other machines (0 bytes), 0 requests to this one.\n")
    );

    // With a server on this machine it goes on from where it waits.
    let server = Server::start(script::usual);
    let yaml = newsroom.read("config/config.yaml").replace(AWAY, &server.base());
    newsroom.write("config/config.yaml", yaml.as_bytes());
    newsroom.ran(&["dead", "retry", "desk/park"]);
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(newsroom.canonical()["success"], true);
    let noted = requests(&newsroom, &["park"]);
    assert_eq!(noted.len(), 1 + server.calls().len());
    assert!(noted[1..].iter().all(|request| request["left"] == false && request["outcome"] == "200"), "{noted:?}");
    assert!(
        noted[1..]
            .iter()
            .all(|request| request["bytes_out"].as_u64() > Some(100) && request["bytes_in"].as_u64() > Some(20))
    );
    newsroom.ran(&["audit", "verify"]);
}

#[test]
fn a_story_stays_confidential_in_later_runs_and_forks() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| anywhere(&yaml));
    assert_eq!(newsroom.auto(&confidential(&newsroom)).code, 0);
    let yaml = newsroom.read("config/config.yaml").replace(&server.base(), AWAY);
    newsroom.write("config/config.yaml", yaml.as_bytes());
    newsroom.ran(&["--trust", "list"]);
    server.forget();
    let topic = newsroom.topic();
    let again = newsroom.run(&["run", "--auto", "--replace", topic.to_str().unwrap()]);
    assert!(again.code == 1 && again.err.contains("desk/park is confidential"), "{again:?}");
    let runs = newsroom.runs();
    let first = runs[0].file_name().unwrap().to_str().unwrap();
    let fork = newsroom.run(&["fork", first, "--at", "r1.review", "--again", "--auto"]);
    assert!(fork.err.contains("desk/park is confidential"), "{fork:?}");
    assert_eq!(server.calls().len(), 0);
    assert!(requests(&newsroom, &["--left"]).iter().all(|request| request["bytes_out"] == 0));
    // Another story may.
    let open = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("mill"));
    let done = newsroom.auto(&open);
    assert!(done.code == 1 && !done.err.contains("confidential"), "{done:?}");
}

#[test]
fn embeddings_pages_and_searches_of_a_confidential_story_stay_here_too() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let embedding = "embedding:\n        provider: openai_compatible\n        model_name: bge\n        api_base: http://vectors.example/v1\n        api_key: none\n        timeout_seconds: 5";
        let search = "perplexity:\n    api_base: http://search.example\n    api_key: none\n    model: sonar\n    timeout_seconds: 5";
        anywhere(&yaml).replace("embedding: null", embedding).replace("perplexity: null", search)
    });
    newsroom.ran(&["--trust", "list"]);
    newsroom.write("data/knowledgebase/minutes.md", b"The council voted.");
    let done = newsroom.auto(&confidential(&newsroom));
    assert_eq!(done.code, 0, "{done:?}");
    let index = newsroom.run(&["kb", "index"]);
    assert!(index.err.contains("vectors.example"), "{index:?}");
    for request in requests(&newsroom, &["--left"]) {
        // The knowledge base is no story's.
        assert!(request["story"].is_null() || request["bytes_out"] == 0, "{request}");
        assert_ne!(request["host"], "search.example");
    }
}

#[test]
fn a_recording_that_comes_later_goes_to_no_other_machine_either() {
    let newsroom = Newsroom::with(|yaml| {
        let server = "transcription:\n  api_base: http://words.example/v1\n  api_key: none\n  model: whisper-1\n  language: en\n  timeout_seconds: 5\n  longest_mb: 1";
        anywhere(&yaml).replace("transcription: null", server)
    });
    newsroom.ran(&["--trust", "list"]);
    newsroom.write("talk.wav", &crate::recordings::wav());
    let topic = newsroom.topic();
    newsroom.ran(&["run", "--plain", "--confidential", topic.to_str().unwrap()]);
    for arguments in [
        &["decide", "park", "add-source", "talk.wav"][..],
        &["run", "--plain", "--replace", topic.to_str().unwrap(), "--source", "talk.wav"],
    ] {
        let refused = newsroom.run(arguments);
        assert!(refused.code > 0 && refused.err.contains("confidential"), "{arguments:?}: {refused:?}");
    }
    assert!(requests(&newsroom, &[]).iter().all(|request| request["bytes_out"] == 0));
    // Another story's recording is tried.
    newsroom.write("mill.txt", b"The mill\n\nThe mill burned down on Monday.\n");
    let tried = newsroom.run(&["run", "--plain", "mill.txt", "--source", "talk.wav"]);
    assert!(tried.code > 0 && !tried.err.contains("confidential"), "{tried:?}");
}

#[test]
fn an_offline_story_can_be_confidential_and_asks_nobody() {
    let newsroom = Newsroom::offline();
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--confidential", topic.to_str().unwrap()]);
    assert!(done.code <= 1 && done.err.contains("park"), "{done:?}");
    assert_eq!(requests(&newsroom, &[]), Vec::<Value>::new());
}

/// The body of a request as a person reads it, without case, accents and everything but letters.
fn letters(call: &Call) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    let text: String = call.body.to_string().nfkd().filter(|c| !('\u{300}'..='\u{36F}').contains(c)).collect();
    text.to_lowercase().chars().filter(char::is_ascii_alphabetic).collect()
}

fn with_a_source(call: &Call) -> Reply {
    // A paragraph of a draft that begins with the name is JSON within a text in every prompt.
    let told = script::article(1)
        .replace("said the parks director", "said SOURCE-1c, the parks director")
        .replace(r"\n\nResidents", r"\n\nSOURCE-1c left. Residents");
    match call.agent.as_str() {
        "writer" => Reply::Text(told),
        "publisher" => Reply::Text(
            json!({"notes": [{"check": "metadata", "field": "articleBody", "text": "SOURCE-1c, the parks director",
                "what": "It has no first name.", "fix": "Name SOURCE-1c in full.", "replacement": null}]})
            .to_string(),
        ),
        "revision" => Reply::Text(told.replace("(draft 1)", "(draft 2)")),
        "article_review" if call.user.contains("(draft 1)") => {
            Reply::Text(script::bullets().replace("said the parks director", "said SOURCE-1c, the parks director"))
        }
        _ => script::usual(call),
    }
}

fn hides(newsroom: &Newsroom) -> std::path::PathBuf {
    newsroom.topic_with(|topic| {
        topic["source_text"] = json!(
            "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. ANNA MARIA MU\u{308}LLER: The \
             park is old. Anna Maria Müller, the parks director, was Müller's own witness. Write to anna.mueller@mail.example. \
             M\u{AD}üller named no month."
        );
        topic["optional_angle"] = json!("What does Ms Mueller want?");
        topic["aliases"] = json!({ NAME: "SOURCE-1" });
    })
}

#[test]
fn no_request_of_a_whole_story_has_a_hidden_name_and_the_article_has_it_again() {
    let server = Server::start(with_a_source);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| super::publisher::asks_model(&yaml, &server.base()));
    let done = newsroom.auto(&hides(&newsroom));
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(server.count("publisher"), 1);
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(shown.contains("“Müller, the parks director”: It has no first name. Name Müller in full."), "{shown}");
    let calls = server.calls();
    assert!(calls.len() > 8, "{}", calls.len());
    for call in &calls {
        let body = letters(call);
        assert!(!body.contains("muller") && !body.contains("mueller"), "{}: {}", call.agent, call.user);
    }
    assert!(calls.iter().any(|call| call.body.to_string().contains("SOURCE-1c")));
    let article = newsroom.canonical()["article"]["articleBody"].to_string();
    assert!(article.contains("said Müller, the parks director") && !article.contains("SOURCE-1"), "{article}");
    assert!(article.contains(r"\n\nMüller left."), "{article}");
    assert!(calls.iter().any(|call| call.user.contains(r"\n\nSOURCE-1c left")), "a revision sees the draft as JSON");
    // Only the database has the table of aliases, and what is stored and shown has names, not labels.
    for (name, bytes) in newsroom.files() {
        let text = String::from_utf8_lossy(&bytes);
        if !name.ends_with("park.json") || name.starts_with("data") {
            assert!(!text.contains("SOURCE-1") || name.contains("copydesk.db"), "{name}");
        }
    }
    for arguments in [
        &["show", "park", "--json"][..],
        &["export", "park", "--format", "json"],
        &["export", "park", "--format", "report"],
        &["export", "park", "--format", "record"],
        &["audit", "export"],
        &["log", "park", "--json"],
        &["audit", "requests", "--json"],
    ] {
        let shown = newsroom.run(arguments);
        assert!(!shown.out.contains("SOURCE-1"), "{arguments:?}: {}", shown.out);
    }
    newsroom.ran(&["replay", "park"]);
    // The memory serves every story, so nothing of this one goes into it; of an open one it does.
    let remembered = |newsroom: &Newsroom| newsroom.ran(&["memory", "list", "--json"]).out;
    assert_eq!(remembered(&newsroom).matches("cache_key_hash").count(), 0, "{}", remembered(&newsroom));
    let open = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("mill"));
    newsroom.auto(&open);
    assert!(remembered(&newsroom).contains("cache_key_hash"), "{}", remembered(&newsroom));
}

#[test]
fn an_alias_that_is_none_is_refused_before_anything_is_sent() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let run = |alias: &str| {
        let topic = newsroom.topic();
        newsroom.run(&["run", "--auto", "--alias", alias, topic.to_str().unwrap()])
    };
    let refused = |done: Done, why: &str| assert!(done.code == 2 && done.err.contains(why), "{done:?}");
    refused(run("Anna"), "write the name, = and a label");
    refused(run("Anna=anna"), "is no label");
    refused(run("=SOURCE-1"), "is no name");
    let topic = newsroom.topic_with(|topic| {
        topic["source_text"] = json!("Anna said it, as Source-1 did.");
        topic["aliases"] = json!({"Anna": "SOURCE-1"});
    });
    let taken = newsroom.auto(&topic);
    assert!(taken.code != 0 && taken.err.contains("SOURCE-1 stands in a text of the story already"), "{taken:?}");
    let wrong = newsroom.topic_with(|topic| topic["confidential"] = json!("yes"));
    let wrong = newsroom.auto(&wrong);
    assert!(wrong.code != 0 && wrong.err.contains("it must be true or false, without quotation marks"), "{wrong:?}");
    assert_eq!(server.calls().len(), 0);
}

/// The system calls by which a program reaches others, as strace tells them; none where there is no strace that may trace.
fn traced(newsroom: &Newsroom, arguments: &[&str]) -> Option<(Done, String)> {
    let log = newsroom.path().join("calls.txt");
    let program = newsroom.command(arguments);
    let mut strace = Command::new("strace");
    strace
        .args(["-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o"])
        .arg(&log)
        .arg(program.get_program());
    strace.args(program.get_args()).current_dir(newsroom.path()).env("HOME", newsroom.path().join("home"));
    let output = strace.output().ok()?;
    let calls = std::fs::read_to_string(&log).ok()?;
    Some((crate::support::newsroom::done(output), calls))
}

/// The lines of a trace that name an address which is not this machine's.
fn elsewhere(calls: &str) -> Vec<&str> {
    let inet = calls.lines().filter(|line| line.contains("AF_INET"));
    inet.filter(|line| !line.contains("inet_addr(\"127.") && !line.contains("inet_pton(AF_INET6, \"::1\"")).collect()
}

#[test]
fn the_system_calls_of_a_confidential_story_reach_nobody_but_this_machine() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        // An address, not a name: a request to it would show as a connection.
        let search =
            "perplexity:\n    api_base: http://192.0.2.7\n    api_key: none\n    model: sonar\n    timeout_seconds: 1";
        let embedding = "embedding:\n        provider: openai_compatible\n        model_name: bge\n        api_base: http://192.0.2.8/v1\n        api_key: none\n        timeout_seconds: 1";
        anywhere(&yaml).replace("embedding: null", embedding).replace("perplexity: null", search)
    });
    newsroom.ran(&["--trust", "list"]);
    let topic = confidential(&newsroom);
    let Some((done, calls)) = traced(&newsroom, &["run", "--auto", topic.to_str().unwrap()]) else {
        println!("strace is not here, or may not trace: not tested");
        return;
    };
    assert_eq!(done.code, 0, "{done:?}");
    assert!(calls.contains("inet_addr(\"127.0.0.1\")"), "the model's server was reached: {calls}");
    assert_eq!(elsewhere(&calls), Vec::<&str>::new());
    // The same search finds what an open story sends.
    let open = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("mill"));
    let (_, calls) = traced(&newsroom, &["run", "--auto", open.to_str().unwrap()]).unwrap();
    assert!(elsewhere(&calls).iter().any(|line| line.contains("192.0.2.7")), "{calls}");
}

#[test]
fn passages_that_another_machine_was_not_given_get_vectors_once_the_embedder_is_here() {
    let server = Server::start(|call| {
        let items = call.body["input"].as_array().unwrap().iter();
        let items = items.map(|_| json!({"embedding": vec![1.0; 8]})).collect::<Vec<_>>();
        Reply::Raw("application/json", json!({"data": items}).to_string().into_bytes())
    });
    let away = "http://vectors.example/v1";
    let newsroom = Newsroom::with(|yaml| {
        let embedding = format!(
            "embedding:\n        provider: openai_compatible\n        model_name: bge\n        api_base: {}\n        api_key: none\n        timeout_seconds: 5",
            server.base()
        );
        anywhere(&yaml).replace("embedding: null", &embedding)
    });
    let moves = |from: &str, to: &str| {
        let yaml = newsroom.read("config/config.yaml").replace(from, to);
        newsroom.write("config/config.yaml", yaml.as_bytes());
        newsroom.ran(&["--trust", "list"]);
    };
    newsroom.write("data/knowledgebase/minutes.md", b"The council voted.");
    newsroom.ran(&["kb", "index"]);
    moves(&server.base(), away);
    let done = newsroom.auto(&confidential(&newsroom));
    assert!(done.code <= 1, "{done:?}");
    newsroom.ran(&["kb", "index"]);
    let passages = |embedded: u8| newsroom.ask(&format!("SELECT count(*) FROM passage WHERE embedded = {embedded}"));
    assert!(passages(4) != "0" && passages(0) == "0", "{} spared, {} wait", passages(4), passages(0));

    moves(away, &server.base());
    let mut worker = newsroom.start(&["worker"]);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while (passages(4), passages(0)) != ("0".into(), "0".into()) && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    assert_eq!((passages(4), passages(0)), ("0".into(), "0".into()));
}
