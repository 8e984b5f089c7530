//! `copydesk replay`: what a run left is made again from its record, byte for byte, and no model is asked.

use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

/// Replays a story into a folder of that name.
fn replayed(newsroom: &Newsroom, story: &str, folder: &str) -> (i32, Value) {
    let done = newsroom.run(&["replay", story, "--into", folder, "--json"]);
    (done.code, serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}", done.err)))
}

#[test]
fn a_story_of_two_rounds_is_the_same_again_and_no_model_is_asked() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let calls = server.calls().len();
    let (code, told) = replayed(&newsroom, "park", "again");
    assert_eq!((code, &told["differences"], &told["missing"]), (0, &json!([]), &json!([])), "{told}");
    assert_eq!(told["answers"], json!(calls), "every answer is read again");
    assert!(told["same_files"].as_u64().unwrap() >= 15, "{told}");
    assert_eq!(server.calls().len(), calls);
    let canonical = newsroom.files().into_iter().filter(|(name, _)| name.ends_with("/park.json"));
    let bytes: Vec<Vec<u8>> = canonical.map(|(_, bytes)| bytes).collect();
    assert!(bytes.len() == 2 && bytes[0] == bytes[1], "the article and its report");

    let again = newsroom.run(&["replay", "park", "--into", "again"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("is not empty. Name another with --into"), "{}", again.err);
    let told = newsroom.run(&["replay", "park"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.contains("are identical. The replay's files are in"), "{}", told.out);
}

#[test]
fn what_was_changed_since_is_named() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let run = newsroom.runs().remove(0);
    let draft = run.join("iter1_writer_draft.md");
    std::fs::write(&draft, std::fs::read_to_string(&draft).unwrap().replace("park", "pork")).unwrap();
    std::fs::remove_file(run.join("iter1_verdicts.json")).unwrap();
    let done = newsroom.run(&["replay", "park", "--into", "again"]);
    assert_eq!(done.code, 1);
    assert!(
        done.out.contains("DIFFERENT: ") && done.out.contains("iter1_writer_draft.md is not the file"),
        "{}",
        done.out
    );
    assert!(done.out.contains("1 files of the run are missing"), "{}", done.out);
}

#[test]
fn decisions_forks_failed_attempts_and_the_memory_are_the_same_again() {
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        // The first mapping is of no use.
        "concern_mapping" if call.before < 1 => Reply::Text("no JSON".into()),
        _ => script::usual(call),
    });
    let newsroom =
        Newsroom::at_with(&server.base(), |yaml| yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 1"));
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    let (code, told) = replayed(&newsroom, "park", "first");
    assert_eq!((code, &told["differences"]), (0, &json!([])), "{told}");
    for decision in [
        vec!["reopen"],
        vec!["overrule", "1", "keep", "--reason", "The source has it."],
        vec!["overrule", "2", "keep", "--reason", "The source has it."],
        vec!["overrule", "3", "keep", "--reason", "The source has it."],
        vec!["continue", "--resume"],
        vec!["sign-off", "--resume"],
    ] {
        let all: Vec<&str> = ["decide", "park"].into_iter().chain(decision).collect();
        let done = newsroom.run(&all);
        assert_eq!(done.code, 0, "{all:?} {}", done.err);
    }
    let calls = server.calls().len();
    let (code, told) = replayed(&newsroom, "park", "second");
    assert_eq!((code, &told["differences"]), (0, &json!([])), "{told}");
    assert!(told["recorded"].as_u64().unwrap() >= 5, "the editor's decisions are: {told}");
    assert_eq!(server.calls().len(), calls);
}

#[test]
fn a_story_of_the_offline_rules_is_the_same_again() {
    let newsroom = Newsroom::offline();
    newsroom.write("source.txt", b"The council met on Monday at 6 p.m. It spent $4 million on roads. The mayor spoke.");
    newsroom.run(&["run", "--auto", "source.txt"]);
    let (code, told) = replayed(&newsroom, "source", "again");
    assert_eq!((code, &told["differences"], &told["answers"]), (0, &json!([]), &json!(0)), "{told}");
}

#[test]
fn a_story_whose_drafts_were_proved_is_the_same_again() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replacen("  enabled: false", "  enabled: true", 2));
    newsroom.run(&["run", "--auto", newsroom.topic().to_str().unwrap()]);
    let log = newsroom.run(&["log", "park"]).out;
    assert!(log.contains("r1.proof") && log.contains("r2.proof"), "{log}");
    let (code, told) = replayed(&newsroom, "park", "again");
    assert_eq!((code, &told["differences"], &told["missing"]), (0, &json!([]), &json!([])), "{told}");
}
