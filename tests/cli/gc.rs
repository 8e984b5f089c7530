//! `copydesk gc`: what retention takes away, and what it leaves alone.

use std::fs;

use serde_json::{Value, json};
use sha2::Digest as _;

use crate::support::{
    newsroom::{Done, Newsroom},
    script,
    server::Server,
};

/// A newsroom that lets everything go after ten days.
fn newsroom(server: &Server) -> Newsroom {
    Newsroom::at_with(&server.base(), |yaml| {
        ["calls_days", "artifacts_days", "expired_memory_days"]
            .iter()
            .fold(yaml, |yaml, key| yaml.replace(&format!("{key}: null"), &format!("{key}: 10")))
    })
}

/// Takes a story through the pipeline, and lets years go by.
fn years_ago(newsroom: &Newsroom, slug: &str) {
    let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!(slug));
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 0, "{}", done.err);
    pass(newsroom);
}

fn pass(newsroom: &Newsroom) {
    newsroom.database().execute("UPDATE run SET updated_at = '2020-01-01T00:00:00.000Z'", []).unwrap();
}

fn gc(newsroom: &Newsroom, arguments: &[&str]) -> Done {
    newsroom.run(&[&["gc"], arguments].concat())
}

/// Calls whose texts are there, and those whose texts went.
fn calls(newsroom: &Newsroom) -> (i64, i64) {
    let count = |which: &str| {
        let sql = format!("SELECT count(*) FROM llm_call WHERE removed_at IS {which} NULL");
        newsroom.database().query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    (count(""), count("NOT"))
}

fn names(newsroom: &Newsroom, below: &str) -> Vec<String> {
    newsroom.files().into_iter().map(|(name, _)| name).filter(|name| name.starts_with(below)).collect()
}

#[test]
fn a_dry_run_says_what_would_go_and_yes_takes_it_and_nothing_else() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    years_ago(&newsroom, "park");
    let (canonical, files) = (newsroom.canonical(), names(&newsroom, "data/output"));
    let article = newsroom.run(&["export", "park", "--format", "markdown"]).out;
    assert_eq!(calls(&newsroom), (10, 0));
    let before = newsroom.bodies();

    let dry = gc(&newsroom, &[]);
    assert_eq!(dry.code, 0, "{}", dry.err);
    assert!(dry.err.contains("Nothing was changed. `copydesk gc --yes` deletes this"), "{}", dry.err);
    let cells: Vec<&str> = dry.out.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(cells[..5], ["desk/park", "2020-01-01", "10", "0", "1"], "{}", dry.out);
    assert!(dry.out.contains("texts of 10 calls: ") && dry.out.contains("1 folder of artifacts: "), "{}", dry.out);
    let as_json: Value = serde_json::from_str(&gc(&newsroom, &["--json"]).out).unwrap();
    assert_eq!((&as_json["dry_run"], &as_json["texts"]["calls"]), (&json!(true), &json!(10)));
    let bytes = as_json["texts"]["bytes"].as_u64().unwrap();
    assert!(bytes > 1000 && as_json["stories"][0]["folder_bytes"].as_u64().unwrap() > 1000, "{as_json}");
    assert_eq!((calls(&newsroom), names(&newsroom, "data/output")), ((10, 0), files));

    let done: Value = serde_json::from_str(&gc(&newsroom, &["--yes", "--json"]).out).unwrap();
    assert_eq!((&done["dry_run"], &done["texts"], &done["missed"]), (&json!(false), &as_json["texts"], &json!([])));
    assert_eq!(calls(&newsroom), (0, 10));
    assert_eq!(names(&newsroom, "data/output"), ["data/output/articles/desk/park.json"]);
    assert_eq!(newsroom.canonical(), canonical);
    assert_eq!(newsroom.run(&["export", "park", "--format", "markdown"]).out, article);
    let shown = newsroom.run(&["show", "park"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("Retention deleted the prompts and answers of its calls on 20"), "{}", shown.out);
    assert!(shown.out.contains("REMOVE: Rationale 2."), "verdicts stay: {}", shown.out);
    let whole: Value = serde_json::from_str(&newsroom.run(&["show", "park", "--json"]).out).unwrap();
    assert!(whole["texts_removed_at"].is_string() && whole["run"]["prompt_tokens"].as_u64().unwrap() > 0, "{whole}");
    let log = newsroom.run(&["log", "park"]).out;
    assert!(log.lines().last().unwrap().contains("Retention, started by "), "{log}");
    // The texts themselves are nowhere in the database's file.
    let gone: Vec<Vec<u8>> = before.difference(&newsroom.bodies()).filter(|body| body.len() > 60).cloned().collect();
    assert!(gone.len() >= 10, "{}", gone.len());
    let file = fs::read(newsroom.path().join("data/copydesk.db")).unwrap();
    for body in gone {
        assert!(!file.windows(40).any(|window| window == &body[..40]));
    }

    // The event itself makes no story younger or older; nothing is left to take.
    let again = gc(&newsroom, &["--yes"]);
    assert_eq!((again.code, again.out.as_str()), (0, ""));
    assert!(again.err.contains("Nothing is old enough to delete."), "{}", again.err);
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    assert_eq!(names(&newsroom, "data/output").len(), 1, "resume writes nothing anew");
}

#[test]
fn a_story_whose_texts_went_can_be_forked_and_asks_again() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    years_ago(&newsroom, "park");
    assert_eq!(gc(&newsroom, &["--yes"]).code, 0);
    server.forget();
    let forked = newsroom.run(&["fork", "park", "--at", "r1.review", "--auto"]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    assert_eq!((server.count("writer"), server.count("article_review")), (0, 2), "the draft is shared, the rest asked");
    assert_eq!(newsroom.canonical()["success"], json!(true));
}

#[test]
fn what_is_young_open_or_flagged_stays() {
    let server = Server::start(|call| match call.agent.as_str() {
        "article_review" if call.user.contains("flagged") || call.before > 1 => {
            crate::support::server::Reply::Text(script::bullets())
        }
        _ => script::usual(call),
    });
    let newsroom = newsroom(&server);
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(gc(&newsroom, &["--yes"]).err.contains("Nothing is old enough"), "it ended just now");

    // From here on no review passes: one story is flagged, another waits at its gate.
    let flagged = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("mill"));
    assert_eq!(newsroom.auto(&flagged).code, 1);
    let waits = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("pool"));
    newsroom.run(&["run", "--plain", waits.to_str().unwrap()]);
    pass(&newsroom);
    let listed: Value = serde_json::from_str(&newsroom.run(&["list", "--json"]).out).unwrap();
    let of = |slug: &str| listed.as_array().unwrap().iter().find(|run| run["story"] == json!(slug)).unwrap().clone();
    assert_eq!((&of("desk/mill")["state"], &of("desk/pool")["waits"]), (&json!("failed"), &json!("r1.gate")));
    let done: Value = serde_json::from_str(&gc(&newsroom, &["--yes", "--json"]).out).unwrap();
    let stories: Vec<&Value> = done["stories"].as_array().unwrap().iter().map(|story| &story["story"]).collect();
    assert_eq!(stories, ["desk/park"]);
    for slug in ["mill", "pool"] {
        assert!(!names(&newsroom, &format!("data/output/article_editor_runs/desk/{slug}/")).is_empty(), "{slug}");
    }
}

#[test]
fn a_story_that_is_being_worked_on_is_left_and_told_of() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    years_ago(&newsroom, "park");
    years_ago(&newsroom, "mill");
    let name = hex::encode(sha2::Sha256::digest("desk/park"))[..24].to_owned();
    let lock = fs::File::options().append(true).open(newsroom.path().join("data/locks").join(name)).unwrap();
    lock.lock().unwrap();
    let done = gc(&newsroom, &["--yes"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("Left: desk/park is being worked on by another copydesk"), "{}", done.err);
    assert!(done.out.contains("desk/mill") && !done.out.contains("desk/park"), "{}", done.out);
    assert!(!names(&newsroom, "data/output/article_editor_runs/desk/park/").is_empty());
    drop(lock);
    assert!(gc(&newsroom, &["--yes"]).out.contains("desk/park"));
    assert_eq!(calls(&newsroom).0, 0);
}

#[test]
fn an_expired_record_goes_with_its_file_and_what_cannot_be_deleted_is_told_of() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    years_ago(&newsroom, "park");
    let file = names(&newsroom, "data/institutional_memory").pop().unwrap();
    let mut record = newsroom.json(&file);
    for day in ["2020-01-01", "2020-01-02"] {
        record["timestamp"] = json!(format!("{day}T00:00:00Z"));
        newsroom.write(&format!("theirs/{day}.json"), record.to_string().as_bytes());
    }
    assert_eq!(newsroom.run(&["memory", "import", "theirs"]).code, 0);
    let dated =
        |day: &str| format!("data/institutional_memory/fact_checking/{day}/{}", file.rsplit('/').next().unwrap());
    assert!(newsroom.path().join(dated("2020-01-01")).is_file());
    // In the place of one file is a folder that is not ours.
    let stands = newsroom.path().join(dated("2020-01-02"));
    fs::remove_file(&stands).unwrap();
    newsroom.write(&format!("{}/mine.txt", dated("2020-01-02")), b"mine");

    let dry = gc(&newsroom, &[]);
    assert!(dry.out.contains("2 expired memory records: "), "{}", dry.out);
    assert!(newsroom.path().join(dated("2020-01-01")).is_file());
    let done = gc(&newsroom, &["--yes"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("cannot be deleted: "), "{}", done.err);
    assert!(!newsroom.path().join(dated("2020-01-01")).exists() && stands.join("mine.txt").is_file());
    let left: Value = serde_json::from_str(&newsroom.run(&["memory", "list", "--all", "--json"]).out).unwrap();
    assert_eq!(left.as_array().unwrap().len(), 1, "the one that has not expired: {left}");
    assert!(newsroom.path().join(&file).is_file());
}

#[test]
fn a_folder_that_is_a_link_takes_nothing_with_it() {
    let server = Server::start(script::usual);
    let newsroom = newsroom(&server);
    years_ago(&newsroom, "park");
    let run = newsroom.runs().pop().unwrap();
    let elsewhere = newsroom.path().join("elsewhere");
    fs::rename(&run, &elsewhere).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&elsewhere, &run).unwrap();
    assert_eq!(gc(&newsroom, &["--yes"]).code, 0);
    assert!(!run.exists() && elsewhere.join("article.md").is_file());
}

#[cfg(feature = "embedding")]
#[test]
fn vectors_go_by_their_own_key_and_come_back_with_a_fork() {
    let server = Server::start(script::usual);
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/minilm/model");
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("embedding: null", &format!("embedding: {{provider: folder, model_dir: {}}}", json!(model)))
            .replace("vectors_days: null", "vectors_days: 10")
    });
    years_ago(&newsroom, "park");
    fs::create_dir_all(newsroom.path().join("data/knowledgebase")).unwrap();
    let indexed = newsroom.run(&["kb", "index"]);
    assert_eq!(indexed.code, 0, "{}", indexed.err);
    pass(&newsroom);
    let count = |what: &str| -> i64 {
        newsroom.database().query_row(&format!("SELECT count(*) FROM {what}"), [], |row| row.get(0)).unwrap()
    };
    let (vectors, passages) = (count("embedding"), count("passage WHERE embedded = 1"));
    assert!(vectors > 0 && passages > 0);
    let dry: Value = serde_json::from_str(&gc(&newsroom, &["--json"]).out).unwrap();
    assert_eq!((&dry["stories"][0]["vectors"], &dry["stories"][0]["calls"]), (&json!(passages), &json!(0)));
    assert_eq!(count("embedding"), vectors);
    let done = gc(&newsroom, &["--yes"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains(&format!("vectors of {passages} passage")), "{}", done.out);
    assert_eq!((count("embedding"), calls(&newsroom)), (0, (10, 0)));
    // They do not come back by themselves.
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    assert_eq!(count("embedding"), 0);
    let forked = newsroom.run(&["fork", "park", "--at", "r1.gate"]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    assert_eq!(newsroom.run(&["kb", "index"]).code, 0);
    assert!(count("embedding") >= vectors);
}

#[test]
fn without_a_policy_nothing_goes() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    years_ago(&newsroom, "park");
    let done = gc(&newsroom, &["--yes"]);
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    assert!(done.err.contains("every retention setting is null"), "{}", done.err);
    assert_eq!(calls(&newsroom), (10, 0));
    let config = newsroom.read("config/config.yaml").replace("calls_days: null", "calls_days: 0");
    newsroom.write("config/config.yaml", config.as_bytes());
    let refused = gc(&newsroom, &[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("retention.calls_days: must be null or a whole number"), "{}", refused.err);
}
