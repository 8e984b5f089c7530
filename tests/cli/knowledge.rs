//! The knowledge base from the command line: files indexed, searched, cited; bad files, bad embedders, bad queries.

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use crate::support::{
    documents,
    newsroom::{Done, Newsroom},
    server::{Call, Reply, Server},
    terminal::Terminal,
};

const PARKS: &str = "---\ntitle: Parks of Eastbrook\ncredibility: 0.9\ndate: 2026-03-04\n---\n# Rules\n\nWork on parks must not begin in \
                     April, says the ordinance.\n\n# History\n\nMiller Park opened in 1958.\n";

fn filled() -> Newsroom {
    let newsroom = Newsroom::offline();
    newsroom.write("data/knowledgebase/parks.md", PARKS.as_bytes());
    newsroom.write("data/knowledgebase/2026/budget.txt", b"The budget of Eastbrook for 2026 is $14 million.");
    newsroom.write(
        "data/knowledgebase/old.docx",
        &documents::docx("<w:p><w:r><w:t>The harbour silted up in 1911.</w:t></w:r></w:p>"),
    );
    newsroom.write("data/knowledgebase/.hidden.md", b"A harbour that nobody sees.");
    newsroom.write("data/knowledgebase/rumour.md", b"---\ncredibility: 0.2\n---\nThe harbour was sold, they say.");
    newsroom
}

fn json_of(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {} {}", done.out, done.err))
}

fn files(found: &Value) -> Vec<&str> {
    found["hits"].as_array().unwrap().iter().map(|hit| hit["passage"]["file"].as_str().unwrap()).collect()
}

fn search(newsroom: &Newsroom, arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["kb", "search", "--json"].iter().chain(arguments).copied().collect();
    let done = newsroom.run(&all);
    assert_eq!(done.code, 0, "{}", done.err);
    json_of(&done)
}

#[test]
fn files_are_indexed_once_and_found_with_their_place_and_why() {
    let newsroom = filled();
    let indexed = newsroom.run(&["kb", "index", "--json"]);
    assert_eq!((indexed.code, indexed.err.as_str()), (0, ""));
    let told = json_of(&indexed);
    assert_eq!((told["files"].as_u64(), told["read"].as_u64()), (Some(4), Some(4)));
    let version = told["index"]["kb_index_version"].clone();

    let found = search(&newsroom, &["may", "work on parks begin in April?"]);
    assert_eq!(files(&found)[0], "parks.md");
    let hit = &found["hits"][0];
    let (start, end) = (hit["passage"]["start"].as_u64().unwrap(), hit["passage"]["end"].as_u64().unwrap());
    let cited = PARKS.get(usize::try_from(start).unwrap()..usize::try_from(end).unwrap()).unwrap();
    assert_eq!(hit["passage"]["text"], cited);
    assert_eq!((&hit["title"], &hit["passage"]["published"]), (&json!("Parks of Eastbrook"), &json!("2026-03-04")));
    assert_eq!(hit["passage"]["credibility"], json!(0.9));
    assert_eq!(hit["text"]["words"], json!(["work", "parks", "begin", "april"]));
    assert!(
        found["words_only"]
            .as_str()
            .unwrap()
            .starts_with("Found by words, not by meaning: no model for that is configured")
    );

    assert_eq!(files(&search(&newsroom, &["harbour"])), ["old.docx"], "what is trusted less is not cited");
    assert_eq!(files(&search(&newsroom, &["harbour", "--min-credibility", "0"])).len(), 2);
    assert_eq!(files(&search(&newsroom, &["Eastbrook", "--from", "2026-01-01"])), ["parks.md"]);
    assert!(files(&search(&newsroom, &["Eastbrook", "--until", "2025-01-01"])).is_empty());
    assert_eq!(files(&search(&newsroom, &["Eastbrook", "-k", "1"])).len(), 1);

    let again = json_of(&newsroom.run(&["kb", "index", "--json"]));
    assert_eq!((again["read"].as_u64(), &again["index"]["kb_index_version"]), (Some(0), &version));
    // Another time, as after a copy from another machine, is no other file; another text is, and what is gone is taken out.
    newsroom.write("data/knowledgebase/parks.md", PARKS.as_bytes());
    newsroom.write("data/knowledgebase/2026/budget.txt", b"The budget of Eastbrook for 2026 is $15 million.");
    std::fs::remove_file(newsroom.path().join("data/knowledgebase/old.docx")).unwrap();
    let changed = json_of(&newsroom.run(&["kb", "index", "--json"]));
    assert_eq!((changed["read"].as_u64(), changed["forgotten"].as_u64()), (Some(1), Some(1)));
    assert_ne!(changed["index"]["kb_index_version"], version);
    assert!(files(&search(&newsroom, &["harbour"])).is_empty());
    let budget = search(&newsroom, &["budget"]);
    assert!(budget["hits"][0]["passage"]["text"].as_str().unwrap().contains("$15 million"));

    // Other chunks: everything is read anew.
    let config = newsroom.read("config/config.yaml").replace("chunk_size_tokens: 512", "chunk_size_tokens: 64");
    newsroom.write(
        "config/config.yaml",
        config.replace("  chunk_overlap_tokens: 50", "  chunk_overlap_tokens: 8").as_bytes(),
    );
    assert_eq!(json_of(&newsroom.run(&["kb", "index", "--json"]))["read"], 3);
}

#[cfg(feature = "pdf")]
#[test]
fn a_person_reads_where_and_why_and_how_the_index_stands() {
    let newsroom = filled();
    let none = newsroom.run(&["kb", "search", "parks"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    assert!(none.err.contains("Nothing is indexed yet"), "{}", none.err);
    let indexed = newsroom.run(&["kb", "index"]);
    assert!(indexed.out.starts_with("4 files read, 0 unchanged, 0 removed."), "{}", indexed.out);
    let found = newsroom.run(&["kb", "search", "April"]);
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!(lines[0], "1. Parks of Eastbrook");
    assert!(lines[1].trim().starts_with("parks.md, line ") && lines[1].ends_with("of 2026-03-04"), "{}", found.out);
    assert_eq!(lines[2], "   Found: april");
    assert!(found.err.contains("Found by words, not by meaning: no model for that is configured"), "{}", found.err);
    let missed = |more: &[&str]| newsroom.run(&[&["kb", "search", "zebra", "--min-credibility"], more].concat()).err;
    assert!(missed(&["0"]).contains("No match. Try other words."), "{}", missed(&["0"]));
    for (more, told) in [
        (&["0.7"][..], "Try fewer conditions (--min-credibility 0) or other words."),
        (
            &["0", "--in", "sources", "--until", "2026-01-01"],
            "Try fewer conditions (--in all, no --from and --until) or other words.",
        ),
    ] {
        assert!(missed(more).contains(told), "{}", missed(more));
    }
    for query in ["", "\"", "*"] {
        let wordless = newsroom.run(&["kb", "search", query]).err;
        assert!(wordless.contains("The query has no word to search for.") && !wordless.contains("Fewer"), "{wordless}");
    }
    let status = newsroom.run(&["kb", "status"]);
    assert!(status.out.contains("Knowledge base: 4 passages in 4 files."), "{}", status.out);
    assert!(
        status.out.contains("the search matches words only") && !status.out.contains("not in the index"),
        "{}",
        status.out
    );
    newsroom.write("data/knowledgebase/scan.pdf", &documents::pdf(&["", ""]));
    newsroom.write("data/knowledgebase/new.txt", b"The ferry was sold.");
    let status = newsroom.run(&["kb", "status"]).out;
    assert!(status.contains("\n2 of its 6 files are not in the index: `copydesk kb index` reads them"), "{status}");
    assert_eq!(newsroom.run(&["kb", "index"]).code, 1);
    let status = newsroom.run(&["kb", "status"]).out;
    assert!(status.contains("\n1 of its 6 files are not in the index"), "{status}");
    assert_eq!(json_of(&newsroom.run(&["kb", "status", "--json"]))["not_indexed"], json!(1));
    std::fs::remove_file(newsroom.path().join("data/knowledgebase/scan.pdf")).unwrap();
    std::fs::remove_file(newsroom.path().join("data/knowledgebase/new.txt")).unwrap();
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    let told = json_of(&newsroom.run(&["kb", "status", "--json"]));
    assert_eq!((told["passages"].as_u64(), &told["embedder_configured"]), (Some(4), &json!(false)));
}

#[test]
fn a_person_reads_lines_and_paragraphs_and_a_program_bytes_and_scores() {
    let newsroom = filled();
    let filler = "The council met. ".repeat(400);
    let paragraphs = [filler.trim(), "The chair spoke.", "A zebra grazed on the quay."];
    let text = paragraphs.join("\n\n");
    newsroom.write("data/knowledgebase/zebra.txt", text.as_bytes());
    let runs = paragraphs.map(|words| format!("<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"));
    newsroom.write("data/knowledgebase/zebra.docx", &documents::docx(&runs.concat()));
    newsroom.run(&["kb", "index"]);
    let found = newsroom.run(&["kb", "search", "zebra", "--min-credibility", "0"]);
    for place in ["zebra.txt, line 5 · ", "zebra.docx, paragraph 3 · "] {
        assert!(found.out.contains(&format!("   {place}")), "{}", found.out);
    }
    assert!(found.out.contains("\n   Found: zebra\n"), "{}", found.out);
    for hidden in ["bytes", "BM25", "score", "rank"] {
        assert!(!found.out.contains(hidden), "{hidden}: {}", found.out);
    }
    for hit in search(&newsroom, &["zebra", "--min-credibility", "0"])["hits"].as_array().unwrap() {
        assert!(hit["score"].is_f64() && hit["text"]["bm25"].is_f64() && hit["passage"]["end"].is_u64(), "{hit}");
        assert!(hit["citation"].as_str().unwrap().contains(", bytes "), "{hit}");
    }
}

#[test]
fn any_text_is_a_query_and_what_is_no_number_or_day_is_told() {
    let newsroom = filled();
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    let words: Vec<String> = (0..10_000).map(|n| format!("word{n}")).collect();
    let long = format!("parks {}", words.join(" "));
    for query in [
        "\"",
        "*",
        "NEAR(",
        "AND OR NOT",
        "parks OR",
        "(parks",
        "title:parks",
        "^parks*",
        "''; DROP TABLE passage",
        &long,
    ] {
        let found = search(&newsroom, &["--", query]);
        assert!(!query.contains("parks") || files(&found).contains(&"parks.md"), "{query}: {found}");
    }
    for (arguments, told) in [
        (["--min-credibility", "2"], "a number from 0 to 1 belongs there"),
        (["--from", "yesterday"], "'--from <DAY>': a day such as 2026-11-22 belongs there"),
        (["--until", "2026-02-30"], "'--until <DAY>': a day such as 2026-11-22 belongs there"),
        (["--story", "nobody"], "There is no story or run nobody"),
        (["-k", "0"], "0 is not in 1..=200"),
    ] {
        let all: Vec<&str> = ["kb", "search", "parks"].iter().chain(&arguments).copied().collect();
        let refused = newsroom.run(&all);
        assert_eq!(refused.code, 2, "{arguments:?}: {}", refused.err);
        assert!(refused.err.contains(told), "{}", refused.err);
    }
}

#[cfg(feature = "pdf")]
#[test]
fn one_bad_file_never_stops_the_others() {
    let newsroom = filled();
    newsroom.write("data/knowledgebase/scan.pdf", &documents::pdf(&["", ""]));
    newsroom.write("data/knowledgebase/locked.pdf", &documents::locked_pdf());
    newsroom.write("data/knowledgebase/wrong.md", b"---\ncredibility: certain\n---\nText.");
    newsroom.write(
        "data/knowledgebase/latin.txt",
        b"The caf\xe9 of Eastbrook opened in 1960, says the register of the town.",
    );
    newsroom.write("data/knowledgebase/empty\u{1b}[2J.txt", b"");
    let huge = std::fs::File::create(newsroom.path().join("data/knowledgebase/huge.txt")).unwrap();
    huge.set_len(1 << 30).unwrap();
    let indexed = newsroom.run(&["kb", "index"]);
    assert_eq!(indexed.code, 1, "{}", indexed.err);
    for told in [
        "scan.pdf: none of its 2 pages holds any text",
        "locked.pdf: it is protected with a password",
        "wrong.md: in its front matter credibility “certain” is not a number from 0 to 1 (left out)",
        "huge.txt: it is 1024 MB; a source may have 16 MB at most",
        "empty\\x1b[2J.txt: it is empty",
    ] {
        assert!(indexed.err.contains(told), "{told}: {}", indexed.err);
    }
    let doctor = newsroom.run(&["doctor"]);
    assert!(doctor.out.contains("; and 2 more: `copydesk kb index` lists them all\n"), "{}", doctor.out);
    assert!(
        doctor.out.contains("empty\\x1b[2J.txt: it is empty") && !doctor.out.contains("wrong.md"),
        "{}",
        doctor.out
    );
    assert_eq!(files(&search(&newsroom, &["café register"])), ["latin.txt"]);
    assert_eq!(files(&search(&newsroom, &["April"])), ["parks.md"]);
    // A file that becomes unreadable is no longer what the folder holds.
    newsroom.write("data/knowledgebase/parks.md", b"\x89PNG\r\n\x1a\n");
    let indexed = newsroom.run(&["kb", "index"]);
    assert!(indexed.out.contains("1 removed"), "{}", indexed.out);
    assert!(files(&search(&newsroom, &["April"])).is_empty());
}

#[test]
fn a_folder_that_is_not_there_takes_nothing_out_and_an_empty_one_all() {
    let newsroom = filled();
    let folder = newsroom.path().join("data/knowledgebase");
    let elsewhere = newsroom.path().join("elsewhere");
    std::fs::rename(&folder, &elsewhere).unwrap();
    let missing = newsroom.run(&["kb", "index"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("does not exist: make it and put the files in"), "{}", missing.err);
    let topic = newsroom.topic();
    assert!(!newsroom.auto(&topic).err.contains("knowledge base"), "where nothing was indexed, nothing is missing");
    std::fs::rename(&elsewhere, &folder).unwrap();
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);

    std::fs::rename(&folder, &elsewhere).unwrap();
    // Not even where the files would be cut otherwise.
    let config = newsroom.read("config/config.yaml").replace("chunk_size_tokens: 512", "chunk_size_tokens: 64");
    newsroom.write("config/config.yaml", config.as_bytes());
    let said = "does not exist, but its files are still in the index (4 files). Bring it back or change";
    let missing = newsroom.run(&["kb", "index"]);
    assert!(missing.code == 2 && missing.err.contains(said), "{}", missing.err);
    let run = newsroom.auto(&topic);
    assert!(run.code == 0 && run.err.contains(said), "{}", run.err);
    let status = newsroom.run(&["kb", "status"]).out;
    assert!(status.contains(said) && status.contains("4 passages in 4 files"), "{status}");
    assert_eq!(json_of(&newsroom.run(&["kb", "status", "--json"]))["folder_missing"], json!(true));
    assert!(newsroom.run(&["doctor"]).out.contains(said));
    assert_eq!(files(&search(&newsroom, &["April", "--in", "knowledge"])), ["parks.md"]);

    std::fs::create_dir(&folder).unwrap();
    let emptied = newsroom.run(&["kb", "index"]);
    assert!(emptied.code == 0 && emptied.out.contains("Knowledge base: 0 passages in 0 files."), "{}", emptied.out);
}

/// A newsroom whose embedder is `server`.
fn embedding(server: &Server) -> Newsroom {
    let newsroom = filled();
    let section = format!(
        "embedding:\n      provider: lmstudio\n      model_name: bge\n      api_base: {}\n      api_key: any\n      timeout_seconds: 1",
        server.base()
    );
    let config = newsroom.read("config/config.yaml").replace("embedding: null", &section);
    newsroom.write("config/config.yaml", config.as_bytes());
    newsroom
}

/// Vectors of eight numbers: texts on the harbour point one way, all others another.
fn vectors(call: &Call, length: usize) -> Reply {
    let items = call.body["input"].as_array().unwrap().iter().zip(0..).map(|(text, index): (&Value, u32)| {
        let text = text.as_str().unwrap();
        let harbour = text.contains("harbour") || text.contains("ships");
        let vector: Vec<f64> =
            (0..length).map(|place| if (place < length / 2) == harbour { 1.0 } else { -0.1 }).collect();
        json!({"index": index, "embedding": vector})
    });
    Reply::Raw("application/json", json!({"data": items.collect::<Vec<_>>()}).to_string().into_bytes())
}

#[test]
fn with_an_embedder_a_passage_is_found_without_a_word_of_the_query() {
    let server = Server::start(|call| vectors(call, 8));
    let newsroom = embedding(&server);
    let status = newsroom.run(&["kb", "status"]).out;
    assert!(status.contains("Vectors: 0 of 0 passages have vectors, `copydesk kb index` makes them."), "{status}");
    let indexed = newsroom.run(&["kb", "index"]);
    assert_eq!(indexed.code, 0, "{}", indexed.err);
    assert!(indexed.out.contains("every passage has its vectors; 8 numbers each"), "{}", indexed.out);
    let found = search(&newsroom, &["ships"]);
    assert_eq!((files(&found)[0], &found["words_only"]), ("old.docx", &Value::Null));
    assert_eq!(found["hits"][0]["text"], Value::Null);
    assert!(found["hits"][0]["dense"]["similarity"].as_f64().unwrap() > 0.99);
    let wordless = newsroom.run(&["kb", "search", "?!"]);
    assert_eq!((wordless.out.as_str(), wordless.err.as_str()), ("", "The query has no word to search for.\n"));
    let asked = server.calls().len();
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    assert_eq!(server.calls().len(), asked + 1, "only the length is asked for again");
}

#[test]
fn an_embedder_that_fails_is_not_asked_again_for_each_claim() {
    let broken = |_: &Call| Reply::Status(400, vec![], json!({"error": {"message": "no model is loaded"}}).to_string());
    let server = Server::start(move |call| if call.before < 2 { vectors(call, 8) } else { broken(call) });
    let newsroom = embedding(&server);
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    assert_eq!(server.calls().len(), 2);
    let lines =
        ["The council met on Monday at 6 p.m.", "It spent $4 million on roads.", "The mayor, Ada Lee, left in 2019."];
    newsroom.write("source.txt", lines.join(" ").as_bytes());
    let done = newsroom.run(&["run", "--auto", "source.txt"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("no model is loaded"), "it is said: {}", done.err);
    let all = |name: &str| format!("SELECT count(*) FROM journal WHERE step LIKE '{name}'");
    assert_ne!(newsroom.ask(&all("r1.claims")), "0");
    // Once for the questions of the whole story, and once for the vectors that follow it.
    assert!(server.calls().len() <= 4, "{} calls", server.calls().len());
}

#[test]
fn while_many_passages_wait_for_their_vectors_words_alone_are_compared() {
    let broken = || Reply::Status(400, vec![], json!({"error": {"message": "no model is loaded"}}).to_string());
    let server = Server::start(move |call| if call.before < 2 { vectors(call, 8) } else { broken() });
    let newsroom = embedding(&server);
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    for number in 0..40 {
        newsroom.write(&format!("data/knowledgebase/more{number}.txt"), format!("Letter {number}.").as_bytes());
    }
    assert_eq!(newsroom.run(&["kb", "index"]).code, 1);
    let found = search(&newsroom, &["April"]);
    assert_eq!(
        found["words_only"],
        json!("Found by words, not by meaning: 40 of 44 passages are not ready for that yet")
    );
    assert_eq!(files(&found), ["parks.md"]);
}

#[test]
fn vectors_follow_beside_stories_without_a_screen() {
    let server = Server::start(|call| vectors(call, 8));
    let newsroom = embedding(&server);
    newsroom.write("source.txt", b"The council met on Monday at 6 p.m. It spent $4 million on roads.");
    assert_eq!(newsroom.run(&["run", "--auto", "source.txt"]).code, 0);
    assert!(!server.calls().is_empty(), "the knowledge base's passages wait for vectors");
}

/// A server that takes its time once: after the first vector, which tells their length.
fn slow_once() -> Server {
    Server::start(|call| {
        if call.before == 1 {
            std::thread::sleep(std::time::Duration::from_secs(5));
        }
        vectors(call, 8)
    })
}

#[test]
fn an_interrupted_index_says_how_far_it_is_and_goes_on() {
    let server = slow_once();
    let newsroom = embedding(&server);
    let patient = newsroom.read("config/config.yaml").replace("timeout_seconds: 1\n", "timeout_seconds: 60\n");
    newsroom.write("config/config.yaml", patient.as_bytes());
    let child = newsroom.start(&["kb", "index"]);
    while server.calls().len() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    let stopped = crate::support::newsroom::done(child.wait_with_output().unwrap());
    assert_eq!((stopped.code, stopped.out.as_str()), (130, ""), "{}", stopped.err);
    let said = "Stopped: 4 files read, 0 of 4 passages have vectors. `copydesk kb index` continues from there\n";
    assert_eq!(stopped.err, said);
    let status = newsroom.run(&["kb", "status"]).out;
    assert!(status.contains("Vectors: 0 of 4 passages have vectors"), "{status}");
    let goes_on = newsroom.run(&["kb", "index"]);
    assert!(goes_on.out.starts_with("0 files read, 4 unchanged"), "{} {}", goes_on.out, goes_on.err);
    assert!(goes_on.out.contains("every passage has its vectors"), "{}", goes_on.out);
}

#[test]
fn on_a_terminal_a_bar_shows_how_far_the_index_is() {
    let server = slow_once();
    let newsroom = embedding(&server);
    let patient = newsroom.read("config/config.yaml").replace("timeout_seconds: 1\n", "timeout_seconds: 60\n");
    newsroom.write("config/config.yaml", patient.as_bytes());
    let terminal = Terminal::start(&newsroom, &["kb", "index"], 24, 100);
    terminal.wait_for("0 of 4 passages [");
    terminal.keys("ctrl-c").wait_for("Stopped: 4 files read");
    assert_eq!(terminal.exit_code(), 130);
    let terminal = Terminal::start(&newsroom, &["kb", "index"], 24, 100);
    terminal.wait_for("every passage has its vectors");
    assert_eq!(terminal.exit_code(), 0);
    assert!(!terminal.screen().contains(" ["), "the bar is gone: {}", terminal.screen());
}

type Fault = fn(&Call) -> Reply;

#[test]
fn whatever_the_embedder_does_full_text_serves() {
    // The first question is for the length alone; the second, for all texts at once, is refused.
    let faults: [(Fault, &str); 4] = [
        (
            |call| if call.before == 0 { vectors(call, 8) } else { vectors(call, 16) },
            "vectors of 8 numbers and now one of 16",
        ),
        (
            |call| {
                if call.before == 0 { vectors(call, 8) } else { Reply::Status(401, vec![], "the key is gone".into()) }
            },
            "answered 401: the key is gone",
        ),
        (
            |_| Reply::Raw("application/json", br#"{"data": [{"index": 0, "embedding": [null, 1.0]}]}"#.to_vec()),
            "a vector that cannot be used",
        ),
        (|_| Reply::Raw("application/json", br#"{"data": []}"#.to_vec()), "0 vectors for 1 texts"),
    ];
    for (fault, told) in faults {
        let server = Server::start(fault);
        let newsroom = embedding(&server);
        let indexed = newsroom.run(&["kb", "index"]);
        assert_eq!(indexed.code, 1, "{}", indexed.err);
        assert!(indexed.err.contains(told), "{told}: {}", indexed.err);
        assert!(indexed.err.contains("the search still matches by words"), "{}", indexed.err);
        assert_eq!(json_of(&newsroom.run(&["kb", "status", "--json"]))["refused"], json!(0));
        assert_eq!(files(&search(&newsroom, &["April"])), ["parks.md"]);
    }
    let server = Server::start(|call| vectors(call, 12));
    let newsroom = embedding(&server);
    let indexed = newsroom.run(&["kb", "index"]);
    let told = "12 numbers, and only multiples of 8 can be stored: name another model in knowledge_base.embedding";
    assert!(indexed.code == 1 && indexed.err.contains(told), "{}", indexed.err);
    assert!(indexed.out.contains("Vectors: 0 of 4 passages have vectors"), "{}", indexed.out);
    let doctor = newsroom.run(&["doctor"]).out;
    assert!(doctor.contains("TO DO  embedder: vectors of bge at") && doctor.contains(told), "{doctor}");
    // Another model, of another length: its vectors take the place of the others.
    let (first, second) = (Server::start(|call| vectors(call, 8)), Server::start(|call| vectors(call, 16)));
    let newsroom = embedding(&first);
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    let config = newsroom.read("config/config.yaml").replace(&first.base(), &second.base());
    newsroom.write("config/config.yaml", config.replace("model_name: bge", "model_name: other").as_bytes());
    let before = search(&newsroom, &["ships"]);
    assert!(before["words_only"].as_str().unwrap().contains("another embedding model"), "{before}");
    // The same by its name, whose vectors have become longer.
    let config = newsroom.read("config/config.yaml");
    newsroom.write("config/config.yaml", config.replace("model_name: other", "model_name: bge").as_bytes());
    let longer = search(&newsroom, &["harbour"]);
    assert!(longer["words_only"].as_str().unwrap().contains("another embedding model"), "{longer}");
    assert_eq!(files(&longer), ["old.docx"]);
    newsroom.write("config/config.yaml", config.as_bytes());
    let indexed = newsroom.run(&["kb", "index"]);
    assert!(indexed.out.contains("every passage has its vectors; 16 numbers each"), "{}", indexed.out);
    assert_eq!(files(&search(&newsroom, &["ships"]))[0], "old.docx");
}

#[test]
fn a_text_that_the_embedder_refuses_is_told_of_and_holds_up_no_other() {
    let has = |call: &Call, word: &str| call.body["input"].to_string().contains(word);
    let faults: [(Fault, &str); 2] = [
        (|_| Reply::Status(400, vec![], "too long".into()), "answered 400: too long"),
        (
            |call| {
                let items = call.body["input"].as_array().unwrap().iter().map(|_| json!({"embedding": vec![0.0; 8]}));
                let items: Vec<Value> = items.collect();
                Reply::Raw("application/json", json!({"data": items}).to_string().into_bytes())
            },
            "a vector that cannot be used",
        ),
    ];
    for (fault, told) in faults {
        let server = Server::start(move |call| if has(call, "silted") { fault(call) } else { vectors(call, 8) });
        let newsroom = embedding(&server);
        newsroom.write("data/knowledgebase/ferry.md", b"---\ncredibility: 0.9\n---\nThe ships left the harbour.");
        let indexed = newsroom.run(&["kb", "index"]);
        assert_eq!(indexed.code, 1, "{}", indexed.err);
        assert!(
            indexed.err.contains("old.docx: 1 passage got no vectors: ") && indexed.err.contains(told),
            "{}",
            indexed.err
        );
        assert!(indexed.out.contains("every passage has its vectors but 1 of which"), "{}", indexed.out);
        // By its vector, by its words.
        assert_eq!(files(&search(&newsroom, &["harbour"]))[0], "ferry.md");
        assert!(files(&search(&newsroom, &["silted"])).contains(&"old.docx"));
        let asked = server.calls().len();
        assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
        assert_eq!(server.calls().len(), asked + 1, "it is not asked for again");
    }
}

#[test]
fn a_storys_sources_and_its_article_are_found_and_its_claims_are_checked() {
    let newsroom = filled();
    newsroom.write(
        "data/knowledgebase/audit.md",
        b"The work will cost $2.4 million and take nine months, the auditor of Eastbrook said.",
    );
    let topic = newsroom.topic_with(|topic| {
        topic["source_text"] = json!(
            "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. The work will cost $1.8 million and take nine \
             months, the director said. The council meets again in June to choose a builder for the park."
        );
    });
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    let found = search(&newsroom, &["builder", "--in", "sources"]);
    assert_eq!((files(&found)[0], &found["hits"][0]["story"]), ("Minutes", &json!("desk/park")));
    assert_eq!(found["hits"][0]["passage"]["credibility"], json!(1.0));
    assert!(!files(&search(&newsroom, &["Miller Park", "--in", "articles"])).is_empty());
    assert!(!files(&search(&newsroom, &["Miller", "--story", "park"])).is_empty());

    // Other settings cut what is indexed of stories anew, too.
    let story_passages = || json_of(&newsroom.run(&["kb", "status", "--json"]))["story_passages"].as_u64().unwrap();
    let before = story_passages();
    let config = newsroom.read("config/config.yaml");
    let smaller = config
        .replace("source_chunk_size_tokens: 500", "source_chunk_size_tokens: 32")
        .replace("source_chunk_overlap_tokens: 50", "source_chunk_overlap_tokens: 0");
    assert_ne!(smaller, config);
    newsroom.write("config/config.yaml", smaller.as_bytes());
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    assert!(story_passages() > before, "{before}");
    newsroom.write("config/config.yaml", config.as_bytes());
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    assert_eq!(story_passages(), before);

    let run = newsroom.runs().remove(0);
    let claims: Value = serde_json::from_slice(&std::fs::read(run.join("iter1_claims.json")).unwrap()).unwrap();
    let all = claims["claims"].as_array().unwrap();
    assert!(all.len() >= 2, "{claims}");
    let of = |word: &str| all.iter().find(|claim| claim["text"].as_str().unwrap().contains(word));
    let voted = of("seven to two").unwrap();
    assert_eq!((&voted["verified"], &voted["passage"]["file"]), (&json!(true), &json!("Minutes")));
    assert!(voted["similarity"].as_f64().unwrap() > 0.9);
    // The knowledge base has another figure: both stand side by side, and a human decides.
    let cost = of("$1.8 million").unwrap();
    assert_eq!(cost["verified"], json!(false), "{cost}");
    let stances: Vec<&str> =
        cost["witnesses"].as_array().unwrap().iter().map(|witness| witness["stance"].as_str().unwrap()).collect();
    assert!(stances.contains(&"carries") && stances.contains(&"contradicts"), "{cost}");
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(shown.contains("says otherwise: audit.md: “"), "{shown}");
    assert!(shown.contains("(fact-check score 0."), "{shown}");
    let told = json_of(&newsroom.run(&["show", "park", "--json"]));
    assert!(
        told["claims"]["score"].as_f64().unwrap() < 1.0 && told["claims"]["claims"].is_array(),
        "{}",
        told["claims"]
    );
    let listed = newsroom.run(&["list", "--json"]).out;
    assert!(listed.contains("sources contradict each other"), "{listed}");
}
