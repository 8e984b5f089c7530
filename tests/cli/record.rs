//! The papers about a story: who signed what and whether that stands, and a run as a page; and what readers are told.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::Value;

use crate::support::{newsroom::Newsroom, script, server::Server};

const DRAFT: &str = "# Eastbrook council votes 7-2 to renovate Miller Park\n\n*The park*\n\n> The council voted 7-2.\n\n\
                     The Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.\n";

/// A story of a handed-in draft that its editor has signed.
fn signed(disclosure: &str) -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replace("disclosure: none", &format!("disclosure: {disclosure}")));
    newsroom.write(
        "park.txt",
        b"Council minutes\n\nThe Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.\n",
    );
    newsroom.write("draft.md", DRAFT.as_bytes());
    newsroom.ran(&["run", "--plain", "park.txt", "--draft", "draft.md"]);
    newsroom.ran(&["decide", "park", "stet", "--reason", "It is <right>.", "--resume"]);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    newsroom
}

fn record(newsroom: &Newsroom, name: &str) -> Value {
    serde_json::from_str(&newsroom.ran(&["export", name, "--format", "record"]).out).unwrap()
}

#[test]
fn a_signature_stands_until_another_text_comes_and_the_record_says_so() {
    let newsroom = signed("none");
    let first = record(&newsroom, "park");
    assert_eq!(first["format"], "copydesk control record 1");
    assert!(first["notice"].as_str().unwrap().contains("not legal advice"));
    let signature = &first["signatures"][0];
    assert_eq!((&signature["stands"], &signature["by"]), (&true.into(), &"The editor".into()));
    assert_eq!(signature["version"], first["article"]["version"]);
    assert_eq!(first["log"]["flaws"], Value::Array(vec![]));
    // Nobody had anything on a screen: it was decided with commands.
    assert_eq!(first["examined"], Value::Array(vec![]));
    let missing: Vec<&str> =
        first["not_examined"].as_array().unwrap().iter().map(|part| part["object"].as_str().unwrap()).collect();
    assert!(missing.contains(&"draft") && missing.contains(&"source"), "{missing:?}");
    let page = newsroom.ran(&["export", "park", "--format", "record-page"]).out;
    assert!(page.contains("The signature stands for this version."), "{page}");
    assert!(page.contains("It is &lt;right&gt;.") && !page.contains("<right>"), "{page}");

    // To reopen it changes no text.
    let run = first["run"].as_str().unwrap();
    newsroom.ran(&["decide", "park", "reopen"]);
    assert_eq!(record(&newsroom, "park")["signatures"][0]["stands"], true);
    newsroom.write("second.md", DRAFT.replace("on Tuesday", "on Monday").as_bytes());
    newsroom.ran(&["decide", "park", "edit", "second.md"]);
    newsroom.ran(&["decide", "park", "continue", "--resume"]);
    let second = record(&newsroom, "park");
    assert_ne!(second["run"].as_str().unwrap(), run);
    for paper in [&second, &record(&newsroom, run)] {
        assert_eq!(paper["signatures"][0]["stands"], false, "{paper}");
        assert!(paper["signatures"][0]["void_because"][0].as_str().unwrap().ends_with("nobody has signed that."));
    }
    let edit = &second["edits"][0];
    assert_eq!((&edit["changes"][0]["removed"], &edit["changes"][0]["added"]), (&"Tuesday".into(), &"Monday".into()));
    let page = newsroom.ran(&["export", run, "--format", "record-page"]).out;
    assert!(page.contains("VOID: the signature of"), "{page}");
}

#[test]
fn a_file_or_a_database_that_was_changed_voids_the_signature() {
    let newsroom = signed("none");
    let story = record(&newsroom, "park")["story"].as_str().unwrap().to_owned();
    let file = format!("data/output/articles/{story}.json");
    let before = newsroom.read(&file);
    newsroom.write(&file, before.replace("voted 7-2", "voted 6-3").as_bytes());
    let void = record(&newsroom, "park")["signatures"][0]["void_because"].to_string();
    assert!(void.contains("was changed after it was signed: it has version"), "{void}");
    newsroom.write(&file, b"no result");
    let void = record(&newsroom, "park")["signatures"][0]["void_because"].to_string();
    assert!(void.contains("was changed after it was signed: it has no article"), "{void}");
    // A lost file is no other text.
    std::fs::remove_file(newsroom.path().join(&file)).unwrap();
    assert_eq!(record(&newsroom, "park")["signatures"][0]["stands"], true);
    newsroom.write(&file, before.as_bytes());
    let database = rusqlite::Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    database.execute("UPDATE event SET at = '2020' WHERE seq = 2", []).unwrap();
    drop(database);
    let void = record(&newsroom, "park")["signatures"][0]["void_because"].to_string();
    assert!(void.contains("the chain of its audit log is broken at event 2"), "{void}");
}

#[test]
fn readers_are_told_what_the_configuration_discloses() {
    let newsroom = signed("ai_assisted");
    let line =
        "This article was made with the help of artificial intelligence (AI). The editor approved it for publication.";
    for format in ["html", "markdown", "json", "ninjs", "record", "record-page"] {
        let out = newsroom.ran(&["export", "park", "--format", format]).out;
        assert!(out.contains(line), "{format}: {out}");
    }
    let html = newsroom.ran(&["export", "park", "--format", "html"]).out;
    assert!(html.contains(&format!("<p class=\"disclosure\" role=\"note\">{line}</p>")), "{html}");
    assert!(html.contains(&format!("\"backstory\":\"{line}\"")), "{html}");
    // An article that is read back has the line once.
    let markdown = newsroom.ran(&["export", "park", "--format", "markdown"]).out;
    assert!(markdown.contains(&format!("\n\n*{line}*\n\nThe Eastbrook")), "{markdown}");

    let wrong = Newsroom::with(|yaml| yaml.replace("disclosure: none", "disclosure: some"));
    let refused = wrong.run(&["list"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("publisher.disclosure") && refused.err.contains("ai_assisted"), "{}", refused.err);
}

#[test]
fn a_run_of_either_engine_is_a_page_and_so_is_one_that_failed_or_waits() {
    let report = |newsroom: &Newsroom| newsroom.ran(&["export", "park", "--format", "report"]).out;
    let offline = Newsroom::offline();
    offline.auto(&offline.topic_with(|topic| {
        topic["source_metadata"]["topic_title"] = "A \"park\" <script>alert(1)</script> \u{202e}plan\u{2066}".into();
        topic["source_metadata"]["video_title"] = "Minutes <img src=x onerror=alert(1)>".into();
    }));
    for page in [report(&offline), offline.ran(&["export", "park", "--format", "record-page"]).out] {
        assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
        assert!(page.contains("default-src 'none'; style-src 'sha256-"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("&lt;img src=x"), "{page}");
        assert!(!page.contains("<script") && !page.contains("<img") && !page.contains('\u{202e}'), "{page}");
    }
    let page = report(&offline);
    for part in ["rules did the work", "No model was asked.", "id=\"proof\"", "Time by agent", "Round 1"] {
        assert!(page.contains(part), "{part}: {page}");
    }

    let server = Server::start(script::usual);
    let asked = Newsroom::at(&server.base());
    asked.auto(&asked.topic());
    let page = report(&asked);
    for part in [
        "aria-label=\"Tokens by agent, sent and received\"",
        "article_review",
        "127.0.0.1:",
        "by the digest of the whole input",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("not kept"), "each call has its digest: {page}");

    // Nobody listens there.
    let broken = Newsroom::at("http://127.0.0.1:9/v1");
    assert_eq!(broken.auto(&broken.topic()).code, 1);
    let page = report(&broken);
    assert!(page.contains("<strong>Failed.</strong>") && page.contains("There is no draft yet."), "{page}");

    let waiting = Newsroom::offline();
    waiting.ran(&["run", "--plain", waiting.topic().to_str().unwrap()]);
    let page = report(&waiting);
    assert!(page.contains("<strong>Not ended.</strong> It waits for "), "{page}");
}

#[test]
fn the_papers_are_files_like_any_export() {
    let newsroom = signed("none");
    newsroom.ran(&["export", "park", "--format", "report", "--out", "report.html"]);
    let again = newsroom.run(&["export", "park", "--format", "record-page", "--out", "report.html"]);
    assert!(again.code == 2 && again.err.contains("--force replaces it"), "{}", again.err);
    assert!(newsroom.read("report.html").contains("<h1>Report: "));
    newsroom.ran(&["set", "park", "--embargo", "+2h"]);
    let held = newsroom.run(&["export", "park", "--format", "report"]);
    assert!(held.code == 2 && held.err.contains("is under embargo"), "{}", held.err);
    let despite = newsroom.ran(&["export", "park", "--format", "report", "--despite-embargo"]);
    assert!(despite.out.contains("EMBARGOED UNTIL"), "{}", despite.out);
}

/// The two halves of a key as `openssl` writes them (RFC 8410); each number makes another key.
fn key(number: u8) -> (String, String) {
    let pem = |what: &str, head: &[u8], body: &[u8]| {
        let text = STANDARD.encode([head, body].concat());
        format!("-----BEGIN {what}-----\n{text}\n-----END {what}-----\n")
    };
    let seed = [number; 32];
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap();
    let private = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
    let public = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
    (pem("PRIVATE KEY", &private, &seed), pem("PUBLIC KEY", &public, pair.public_key().as_ref()))
}

#[test]
fn a_record_is_signed_by_the_editors_key_and_every_change_is_found() {
    let newsroom = signed("none");
    let config = newsroom.read("config/config.yaml").replace("signing_key: null", "signing_key: ./editor.pem");
    newsroom.write("config/config.yaml", config.as_bytes());
    let (private, public) = key(1);
    newsroom.write("editor.pem", private.as_bytes());
    newsroom.write("editor.pub", public.as_bytes());
    newsroom.write("another.pub", key(2).1.as_bytes());
    let export = ["export", "park", "--format", "record", "--out", "record.json"];
    let done = newsroom.ran(&export);
    assert!(done.err.contains("Its signature is in record.json.sig"), "{}", done.err);
    for arguments in [
        &["audit", "verify", "--record", "record.json"][..],
        &["audit", "verify", "--record", "record.json", "--key", "editor.pub"],
    ] {
        assert_eq!(newsroom.ran(arguments).out, "record.json is as it was signed.\n");
    }
    let another = newsroom.run(&["audit", "verify", "--record", "record.json", "--key", "another.pub"]);
    assert_eq!(
        (another.code, &*another.out),
        (1, "record.json is not as it was signed: it was signed with another key.\n")
    );
    let (record, signature) = (newsroom.read("record.json"), newsroom.read("record.json.sig"));
    newsroom.write("record.json", record.replace("The editor", "The Editor").as_bytes());
    let changed = newsroom.run(&["audit", "verify", "--record", "record.json"]);
    assert!(changed.code == 1 && changed.out.contains("the record or its signature was changed"), "{}", changed.out);
    newsroom.write("record.json.sig", b"{}");
    let odd = newsroom.run(&["audit", "verify", "--record", "record.json"]);
    assert!(odd.code == 2 && odd.err.contains("record.json.sig is no signature of Copydesk"), "{}", odd.err);
    newsroom.write("record.json", record.as_bytes());
    newsroom.write("record.json.sig", signature.as_bytes());
    assert_eq!(newsroom.run(&["audit", "verify", "--record", "record.json"]).code, 0);

    let again = newsroom.run(&["export", "park", "--format", "record", "--out", "other.json", "--force"]);
    assert_eq!(again.code, 0, "{}", again.err);
    newsroom.write("third.json.sig", b"mine");
    let kept = newsroom.run(&["export", "park", "--format", "record", "--out", "third.json"]);
    assert!(kept.code == 2 && kept.err.contains("third.json.sig exists. --force replaces it"), "{}", kept.err);
    assert!(!newsroom.path().join("third.json").exists());
    let out = newsroom.ran(&["export", "park", "--format", "record"]);
    assert!(out.err.contains("The record is not signed"), "{}", out.err);
}

#[test]
fn a_key_that_cannot_sign_is_told_and_nothing_is_written() {
    let newsroom = signed("none");
    let config = newsroom.read("config/config.yaml").replace("signing_key: null", "signing_key: ./editor.pem");
    let no_key = newsroom.run(&["audit", "verify", "--record", "record.json"]);
    assert!(no_key.code == 2 && no_key.err.contains("Name the editor's public key with --key"), "{}", no_key.err);
    newsroom.write("config/config.yaml", config.as_bytes());
    for (key, says) in [
        (None, "editor.pem: No such file"),
        (Some("no key"), "editor.pem: it is no private key for Ed25519"),
        (Some("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n"), "editor.pem: the key has a passphrase"),
        (Some("-----BEGIN PRIVATE KEY-----\n?\n-----END PRIVATE KEY-----"), "it is no private key for Ed25519"),
        (Some("-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----"), "it is no private key for Ed25519"),
    ] {
        if let Some(key) = key {
            newsroom.write("editor.pem", key.as_bytes());
        }
        let refused = newsroom.run(&["export", "park", "--format", "record", "--out", "record.json"]);
        assert!(refused.code == 2 && refused.err.contains(says), "{says}: {}", refused.err);
        assert!(!newsroom.path().join("record.json").exists());
    }
    newsroom.write("short.pub", b"-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----");
    let refused = newsroom.run(&["audit", "verify", "--record", "record.json", "--key", "short.pub"]);
    assert!(refused.code == 2 && refused.err.contains("it is no public key for Ed25519"), "{}", refused.err);
}
