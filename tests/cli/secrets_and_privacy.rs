//! A key is told to its own server and to nobody else; nothing leaves this machine that the configuration did not let go.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
};

use copydesk::{
    config::{self, Endpoint, Settings},
    llm::{Client, Probe, probe},
    newsroom::{Agent, Prompt},
    ports::{Ask, CallError, ModelClient as _},
};
use rusqlite::{Connection, types::ValueRef};
use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom, own_key},
    script,
    server::{Call, Reply, Server},
};

const KEY: &str = "sk-proj-4fJ9xQ2mWz7Lr8TbV1nKc";
const OTHER_KEY: &str = "sk-ant-Zt5Yb0Qe3Hs6Ud9Ng2MvXw";
const SEARCH_KEY: &str = "pplx-7Gk2Rw9Ec4Ty1Ui8Op5As3Df";

/// A newsroom whose agents hold `KEY`, its reviewer `OTHER_KEY`, its search `SEARCH_KEY`.
fn newsroom(base: &str) -> Newsroom {
    Newsroom::at_with(base, |yaml| {
        let search = format!(
            "perplexity:\n    api_base: {base}\n    api_key: {SEARCH_KEY}\n    model: sonar\n    timeout_seconds: 5"
        );
        own_key(&yaml, "article_review", &format!("api_key: {OTHER_KEY}"))
            .replace("api_key: lm-studio", &format!("api_key: {KEY}"))
            .replace("perplexity: null", &search)
    })
}

/// Where a key stands: in what was said, in any file but the configuration, in any row or unpacked text of the database.
fn leaks(newsroom: &Newsroom, done: &Done) -> Vec<String> {
    let mut found = Vec::new();
    let mut look = |place: String, bytes: &[u8]| {
        for key in [KEY, OTHER_KEY, SEARCH_KEY] {
            // Most of a key is as good as all of it.
            if bytes.windows(20).any(|window| window == &key.as_bytes()[..20]) {
                found.push(format!("{key} in {place}"));
            }
        }
    };
    look("standard output".into(), done.out.as_bytes());
    look("standard error".into(), done.err.as_bytes());
    for arguments in [["show", "park"], ["log", "park"], ["list", "--all"]] {
        for json in [false, true] {
            let mut arguments = arguments.to_vec();
            arguments.extend(json.then_some("--json"));
            let shown = newsroom.run(&arguments);
            look(arguments.join(" "), format!("{}{}", shown.out, shown.err).as_bytes());
        }
    }
    for (name, bytes) in newsroom.files().into_iter().filter(|(name, _)| name != "config/config.yaml") {
        look(name, &bytes);
    }
    let database = Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    for (table, row) in rows(&database) {
        look(format!("table {table}"), &row);
    }
    found
}

/// Every row of every table, its texts and blobs joined, packed ones unpacked.
fn rows(database: &Connection) -> Vec<(String, Vec<u8>)> {
    let mut tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
    let names: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut found = Vec::new();
    for name in names {
        let mut select = database.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let columns = select.column_count();
        let mut rows = select.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let mut bytes = Vec::new();
            for column in 0..columns {
                if let ValueRef::Text(value) | ValueRef::Blob(value) = row.get_ref(column).unwrap() {
                    bytes.extend_from_slice(value);
                    bytes.extend(zstd::decode_all(value).unwrap_or_default());
                }
            }
            found.push((name.clone(), bytes));
        }
    }
    found
}

/// Runs the usual story against a server that answers some calls by `hostile`, the others as usual.
fn run(hostile: impl Fn(&Call) -> Option<Reply> + Send + Sync + 'static) -> (Newsroom, Done) {
    let server = Server::start(move |call| {
        hostile(call).unwrap_or_else(|| match call.agent.as_str() {
            "evidence_search" => Reply::Cited("A study found the same.".into(), vec!["https://a.example".into()]),
            _ => script::usual(call),
        })
    });
    let newsroom = newsroom(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    for call in server.calls() {
        let key = match call.agent.as_str() {
            "article_review" => OTHER_KEY,
            "evidence_search" => SEARCH_KEY,
            _ => KEY,
        };
        assert_eq!(call.authorization, format!("Bearer {key}"), "each key goes to its own agent's server alone");
        assert!(!call.body.to_string().contains(key), "{} is told a key in its prompt", call.agent);
    }
    (newsroom, done)
}

#[test]
fn the_search_for_leaks_finds_what_is_there() {
    let (newsroom, done) = run(|call| {
        // Backwards no program can know it.
        let word: String = KEY.chars().rev().collect();
        (call.agent == "writer").then(|| Reply::Text(script::article(1).replace("council", &word)))
    });
    let backwards: String = KEY.chars().rev().collect();
    let seen = rows(&Connection::open(newsroom.path().join("data/copydesk.db")).unwrap());
    assert!(seen.iter().any(|(table, row)| table == "blob" && String::from_utf8_lossy(row).contains(&backwards)));
    assert_eq!((done.code, leaks(&newsroom, &done)), (0, vec![]));
}

#[test]
fn a_server_that_repeats_the_key_in_its_error_finds_no_one_to_tell() {
    for (status, body) in [
        (
            401,
            json!({"error": {"message": format!("Incorrect API key provided: {KEY}. See {OTHER_KEY}.")}}).to_string(),
        ),
        (500, format!("{}Authorization: Bearer {KEY}", "x".repeat(380))),
        (429, json!({"error": {"headers": {"authorization": format!("Bearer {KEY}")}}}).to_string()),
    ] {
        let (newsroom, done) =
            run(move |call| (call.agent == "writer").then(|| Reply::Status(status, vec![], body.clone())));
        assert_eq!(done.code, 1);
        let leaks: Vec<String> = leaks(&newsroom, &done).into_iter().filter(|leak| leak.starts_with(KEY)).collect();
        assert_eq!(leaks, Vec::<String>::new(), "{status}");
    }
    let in_stream = format!("data: {}\n\n", json!({"error": {"message": format!("Bearer {KEY}")}}));
    let (newsroom, done) =
        run(move |call| (call.agent == "opinion").then(|| Reply::Raw("text/event-stream", in_stream.clone().into())));
    assert_eq!((done.code, leaks(&newsroom, &done)), (1, vec![]));
}

#[test]
fn a_server_that_repeats_the_key_in_its_answer_does_not_get_it_printed() {
    let (newsroom, done) = run(|call| match call.agent.as_str() {
        "article_review" => Some(Reply::Text(script::text(call).replace("the source", OTHER_KEY))),
        "evidence_search" => Some(Reply::Cited(format!("Bearer {SEARCH_KEY}"), vec![])),
        _ => {
            Some(Reply::Text(script::text(call).replace("council", KEY).replace("Rationale", KEY).replace("fits", KEY)))
        }
    });
    assert_eq!((done.code, leaks(&newsroom, &done)), (0, vec![]), "{}", done.err);
    assert!(newsroom.canonical()["article"].to_string().contains("[secret]"));
}

#[test]
fn a_key_that_comes_back_in_disguise_is_known_all_the_same() {
    let escaped = |key: &str| key.replace('p', "\\u0070");
    let parted = |key: &str| format!("{}\u{7}{}", &key[..8], &key[8..]);
    let both = |key: &str| format!("{}\\u001b[0m{}\\u0007{}", &key[..8], &key[8..12], &key[12..]);
    for disguised in [escaped(KEY), parted(KEY), both(KEY)] {
        let answer = script::article(1).replace("council", &disguised);
        let (newsroom, done) = run(move |call| (call.agent == "writer").then(|| Reply::Text(answer.clone())));
        assert_eq!((done.code, leaks(&newsroom, &done)), (0, vec![]), "{disguised:?}");
    }
    let body = format!("Bearer {}", parted(KEY));
    let (newsroom, done) = run(move |call| (call.agent == "writer").then(|| Reply::Status(401, vec![], body.clone())));
    assert_eq!((done.code, leaks(&newsroom, &done)), (1, vec![]), "in an error");
}

#[test]
fn a_key_given_as_the_reason_why_an_answer_ended_is_hidden() {
    let (newsroom, done) = run(|call| (call.agent == "writer").then(|| Reply::Finish(script::article(1), KEY)));
    // A reason that is no known failure is an end.
    assert_eq!((done.code, leaks(&newsroom, &done)), (0, vec![]));
}

#[test]
fn a_key_given_as_a_citation_is_hidden() {
    let (newsroom, done) = run(|call| {
        let cited = || vec![format!("https://evidence.example/?key={SEARCH_KEY}")];
        (call.agent == "evidence_search").then(|| Reply::Cited("A study found the same.".into(), cited()))
    });
    assert_eq!((done.code, leaks(&newsroom, &done)), (0, vec![]));
}

#[test]
fn a_server_that_holds_two_keys_cannot_slip_one_into_the_others_answer() {
    let (newsroom, done) =
        run(|call| (call.agent == "revision").then(|| Reply::Text(script::article(2).replace("council", OTHER_KEY))));
    assert_eq!((done.code, leaks(&newsroom, &done)), (0, vec![]));
}

#[test]
fn the_doctor_does_not_read_out_a_key_that_a_list_of_models_repeats() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let _ = connection.read(&mut [0; 4096]);
            let body = json!({"data": [{"id": format!("model-for-{KEY}")}]}).to_string();
            let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            let _ = connection.write_all(format!("{head}{body}").as_bytes());
        }
    });
    let newsroom = newsroom(&base);
    let done = newsroom.run(&["doctor"]);
    assert!(done.out.contains("does not offer your-model-name"), "{}", done.out);
    assert_eq!(leaks(&newsroom, &done), Vec::<String>::new());
}

#[test]
fn no_complaint_about_the_configuration_quotes_a_key() {
    for (from, to) in [
        ("engine: llm", "engine: magic"),
        (&*format!("api_key: {KEY}"), &*format!("api_key: [{KEY}]")),
        (&*format!("api_key: {KEY}"), &*format!("api_key: {KEY}: x")),
        (&*format!("api_key: {KEY}"), &*format!("api_key: <{KEY}>")),
        (&*format!("api_key: {KEY}"), &*format!("api_key: !{KEY} x")),
        (&*format!("api_key: {KEY}"), &*format!("api_key: \"{KEY}")),
        (&*format!("api_key: {KEY}"), &*format!("api_key:\n        {KEY}: {KEY}")),
        ("http://127.0.0.1:1/v1", &*format!("http://user:{KEY}@127.0.0.1/v1")),
        ("http://127.0.0.1:1/v1", &*format!("http://127.0.0.1/v1?key={KEY}")),
    ] {
        let newsroom = newsroom("http://127.0.0.1:1/v1");
        let yaml = newsroom.read("config/config.yaml").replacen(from, to, 1);
        newsroom.write("config/config.yaml", yaml.as_bytes());
        for command in ["list", "doctor", "resume"] {
            let done = newsroom.run(&[command]);
            assert_eq!(done.code, 2, "{to}: {}", done.err);
            assert!(!(done.out + &done.err).contains(KEY), "{to}");
        }
    }
}

#[test]
fn a_key_that_no_header_can_carry_is_a_mistake_of_the_configuration() {
    let newsroom = Newsroom::with(|yaml| yaml.replacen("api_key: lm-studio", "api_key: \"sk-one\\nsk-two\"", 1));
    let done = newsroom.run(&["list"]);
    assert!(done.code == 2 && done.err.contains("models.local.api_key"), "{}: {}", done.code, done.err);
}

#[cfg(unix)]
#[test]
fn a_configuration_that_may_hold_keys_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let newsroom = Newsroom::offline();
    assert_eq!(newsroom.run(&["init", "--force", "--server", "http://127.0.0.1:1/v1"]).code, 0);
    let mode = std::fs::metadata(newsroom.path().join("config/config.yaml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

/// Hosts that look like this machine and are not, and some that do not even look like it.
const ELSEWHERE: [&str; 9] = [
    "https://api.openai.com/v1",
    "http://192.168.1.20:1234/v1",
    "http://0.0.0.0:1234/v1",
    "http://[::ffff:192.0.2.1]:1234/v1",
    "http://localhost.evil.example/v1",
    "http://127.0.0.1.nip.io/v1",
    "http://localhost@evil.example/v1",
    "http://169.254.169.254/v1",
    "http://host.docker.internal:1234/v1",
];

#[test]
fn local_only_refuses_every_other_host_wherever_it_is_named() {
    for base in ELSEWHERE {
        for agent in ["writer", "concern_mapping", "opinion"] {
            let newsroom = Newsroom::with(|yaml| own_key(&yaml, agent, &format!("api_base: {base}")));
            let done = newsroom.auto(&newsroom.topic());
            assert!(done.code == 2 && done.err.contains(&format!("{agent}_llm.api_base")), "{base}: {}", done.err);
            assert!(!newsroom.path().join("data").exists());
        }
    }
    let search = "perplexity:\n    api_base: https://api.perplexity.ai\n    api_key: k\n    model: sonar\n    timeout_seconds: 5";
    let embedding = "embedding:\n      provider: lmstudio\n      model_name: m\n      api_base: https://embed.example/v1\n      api_key: k\n      timeout_seconds: 5";
    for (from, to, key) in [
        ("perplexity: null", search, "article_generation.perplexity.api_base: names api.perplexity.ai"),
        ("embedding: null", embedding, "article_generation.knowledge_base.embedding.api_base: names embed.example"),
    ] {
        let newsroom = Newsroom::with(|yaml| yaml.replace(from, to));
        let done = newsroom.run(&["list"]);
        assert!(done.code == 2 && done.err.contains(key), "{}", done.err);
        assert!(done.err.contains("privacy.local_only is true"), "{}", done.err);
    }
    for base in ["http://localhost:1/v1", "http://127.8.9.10:1/v1", "http://[::1]:1/v1"] {
        let newsroom = Newsroom::at(base);
        assert_eq!(newsroom.run(&["list"]).code, 0, "{base}");
    }
}

/// Settings that no file could have: a host elsewhere though `local_only` is true.
fn smuggled(base: &str) -> Settings {
    let yaml = config::TEMPLATE
        .replace("engine: offline", "engine: llm")
        .replace("local_only: true", "local_only: false")
        .replace("http://127.0.0.1:1234/v1", base)
        .replace(
            "perplexity: null",
            &format!("perplexity:\n    api_base: {base}\n    api_key: k\n    model: sonar\n    timeout_seconds: 5"),
        );
    let mut settings = config::load(Path::new("config.yaml"), &yaml, Path::new("/")).unwrap();
    settings.privacy.local_only = true;
    settings
}

#[test]
fn the_one_door_refuses_by_itself_what_the_configuration_should_have_refused() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for base in ELSEWHERE.into_iter().filter(|base| !base.contains('@')) {
        let settings = smuggled(base);
        let client = Client::new(&settings);
        let specialists = copydesk::newsroom::Specialist::ALL.map(Agent::Specialist);
        let others = [Agent::Writer, Agent::ArticleReview, Agent::ConcernMapping, Agent::EvidenceSearch];
        for agent in others.into_iter().chain(specialists) {
            let ask = Ask { agent, prompt: Prompt::new(vec![]), schema: None, shown: None };
            let refused = runtime.block_on(client.ask(&ask, &|_| {})).unwrap_err();
            assert!(matches!(refused, CallError::NotLocal { .. }) && !refused.may_retry(), "{base}: {refused}");
        }
        let endpoint: &Endpoint = &settings.article_generation.models.writer.endpoint;
        let Probe::Nothing(why) = runtime.block_on(probe(endpoint, None, true)) else { panic!("{base}") };
        assert!(why.contains("privacy.local_only is true"), "{why}");
    }
}

#[test]
fn no_proxy_of_the_environment_comes_between() {
    let spy = Server::start(script::usual);
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let mut command = newsroom.command(&["run", "--auto", topic.to_str().unwrap()]);
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, spy.base());
    }
    assert!(command.status().unwrap().success());
    assert_eq!((spy.calls().len(), server.calls().len()), (0, 10));
}

#[test]
fn offline_asks_nobody() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::with(|yaml| yaml.replace("http://127.0.0.1:1234/v1", &server.base()));
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    assert_eq!(server.calls().len(), 0);
    let sent: Value = newsroom.canonical();
    assert_eq!(sent["success"], json!(true));
}

#[cfg(unix)]
#[test]
fn doctor_warns_of_a_configuration_with_a_key_that_others_can_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let newsroom = newsroom("http://127.0.0.1:9/v1");
    let file = newsroom.path().join("config/config.yaml");
    let said = |mode: u32| {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let told = newsroom.run(&["doctor"]);
        told.out.lines().filter(|line| line.contains("chmod 600")).map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert!(said(0o644).contains("holds a key and others can read it"), "{}", said(0o644));
    assert_eq!(said(0o600), "");
    assert!(said(0o620).contains("others can change"), "{}", said(0o620));
    // A placeholder is no key.
    let offline = Newsroom::offline();
    let file = offline.path().join("config/config.yaml");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(!offline.run(&["doctor"]).out.contains("chmod 600"));
}
