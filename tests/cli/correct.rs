//! A signed version is corrected: with a note, under a new signature, and each target gets it once.

use serde_json::Value;

use crate::{
    publish::{header, signed, webhook},
    support::newsroom::Newsroom,
};

const NOTE: &str = "The vote was 7-1, not 7-2.";

/// Corrects the vote and waits at the sign-off again. Returns the run.
fn corrected(newsroom: &Newsroom) -> String {
    let begun = newsroom.ran(&["correct", "park", "--note", NOTE]);
    assert!(begun.err.contains("waits for your sign-off"), "{}", begun.err);
    let text = newsroom.ran(&["show", "park", "--draft"]).out.replace("7-2 on Tuesday", "7-1 on Tuesday");
    newsroom.write("text.md", text.as_bytes());
    newsroom.run(&["decide", "park", "edit", "text.md", "--resume"]);
    newsroom.ran(&["decide", "park", "stet", "--reason", "The minutes were amended.", "--resume"]);
    begun.out.trim().to_owned()
}

fn canonical(newsroom: &Newsroom) -> String {
    newsroom.read("data/output/articles/newsroom/park.json")
}

#[test]
fn a_correction_needs_a_signature_and_goes_to_each_target_once() {
    let (url, posts) = webhook(&[200]);
    let newsroom = signed(&url);
    newsroom.ran(&["publish", "park"]);
    let first = newsroom.record("park").run.run;
    let published = canonical(&newsroom);

    let run = corrected(&newsroom);
    assert_ne!(run, first);
    assert_eq!(canonical(&newsroom), published, "what is signed stays until the next is");
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("Correction of version 1, which ") && shown.contains(NOTE), "{shown}");
    assert!(shown.contains("It changes 1 paragraph of that version."), "{shown}");
    let again = newsroom.run(&["correct", "park", "--note", NOTE]);
    assert!(again.code == 2 && again.err.contains("has not ended. It waits for your sign-off"), "{}", again.err);
    let refused = newsroom.run(&["publish", "park"]);
    assert!(refused.code == 2 && refused.err.contains("has not ended"), "{}", refused.err);
    let withheld: Value = serde_json::from_str(&newsroom.ran(&["export", "park", "--format", "ninjs"]).out).unwrap();
    assert_eq!((&withheld["version"], &withheld["pubStatus"]), (&"2".into(), &"withheld".into()));

    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    assert_ne!(canonical(&newsroom), published);
    newsroom.ran(&["publish", "park"]);
    newsroom.ran(&["publish", "park"]);
    let sent = posts.lock().unwrap().clone();
    assert_eq!(sent.len(), 2, "the first version, and its correction once");
    assert_ne!(header(&sent[0].0, "idempotency-key"), header(&sent[1].0, "idempotency-key"));
    let [before, now]: [Value; 2] = [0, 1].map(|at| serde_json::from_str(&sent[at].1).unwrap());
    assert_eq!((&before["uri"], &before["version"], &now["version"]), (&now["uri"], &"1".into(), &"2".into()));
    assert!(now["versionCreated"].as_str() > before["versionCreated"].as_str());
    assert_eq!(now["pubStatus"], "usable");
    assert!(now["bodies"][0]["value"].as_str().unwrap().starts_with("**Correction, 2"), "{now}");
    let page = newsroom.read("site/newsroom-park.html");
    assert!(page.contains("CorrectionComment") && page.contains("7-1 on Tuesday"), "the earlier page gave way: {page}");
    for format in ["markdown", "html", "json", "ninjs"] {
        let file = newsroom.ran(&["export", "park", "--format", format]).out;
        assert!(file.contains("The vote was 7"), "{format}: {file}");
    }
    let log = newsroom.ran(&["log", "park"]).out;
    assert!(log.contains(&format!("Correction of {first} begun by ")), "{log}");
    newsroom.ran(&["audit", "verify"]);
}

#[test]
fn a_correction_is_kept_by_forks_resumes_and_replays_and_none_of_them_sends() {
    let (url, posts) = webhook(&[200]);
    let newsroom = signed(&url);
    newsroom.ran(&["publish", "park", "--to", "cms"]);
    let run = corrected(&newsroom);
    let steps = newsroom.record("park").steps();
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    newsroom.ran(&["publish", "park", "--to", "cms"]);
    let signed = newsroom.record("park");
    for step in steps {
        newsroom.ran(&["fork", &run, "--at", &step]);
        newsroom.ran(&["resume"]);
        let forked = newsroom.record("park");
        assert_eq!(forked.journal.opening.corrections, signed.journal.opening.corrections, "{step}");
        newsroom.ran(&["replay", "park", "--into", &format!("replays/{step}")]);
        let refused = newsroom.run(&["publish", "park", "--to", "cms"]);
        assert_eq!(refused.code, 2, "{step}: {}", refused.err);
    }
    newsroom.ran(&["replay", &signed.run.run, "--into", "replays/signed"]);
    assert_eq!(posts.lock().unwrap().len(), 2);
    // A second correction counts on, and names both.
    let begun = newsroom.run(&["correct", "park", "--note", "x"]);
    assert!(begun.code == 2 && begun.err.contains("has not ended"), "{}", begun.err);
    newsroom.ran(&["decide", "park", "spike", "--reason", "A trial."]);
    assert_eq!(newsroom.run(&["resume"]).code, 1);
    let refused = newsroom.run(&["correct", "park", "--note", "x"]);
    assert!(refused.err.contains(&format!("copydesk correct {}", signed.run.run)), "{}", refused.err);
    newsroom.ran(&["correct", &signed.run.run, "--note", "It was <b>Wednesday</b>."]);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    let done = newsroom.ran(&["publish", "park", "--to", "cms"]);
    assert!(done.out.contains("Sent to cms"), "a note alone is a version: {}", done.out);
    let third: Value = serde_json::from_str(&posts.lock().unwrap()[2].1).unwrap();
    assert_eq!(third["version"], "3");
    let body = third["bodies"][1]["value"].as_str().unwrap();
    assert!(body.contains("The vote was 7") && body.contains("It was &lt;b&gt;Wednesday&lt;/b&gt;."), "{body}");
    newsroom.ran(&["audit", "verify"]);
}

#[test]
fn what_was_never_out_is_not_corrected_and_a_note_says_something() {
    let (url, _) = webhook(&[200]);
    let newsroom = crate::publish::at_sign_off(&url);
    for (arguments, says) in [
        (&["correct", "park", "--note", NOTE][..], "has not ended. It waits for your sign-off"),
        (&["correct", "park"], "--note <TEXT>"),
        (&["correct", "mill", "--note", NOTE], "There is no story or run mill"),
    ] {
        let refused = newsroom.run(arguments);
        assert!(refused.code == 2 && refused.err.contains(says), "{arguments:?}: {}", refused.err);
    }
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    let refused = newsroom.run(&["correct", "park", "--note", " \n "]);
    assert!(refused.code == 2 && refused.err.contains("needs a note"), "{}", refused.err);
    let unsigned = Newsroom::offline();
    unsigned.auto(&unsigned.topic());
    let refused = unsigned.run(&["correct", "park", "--note", NOTE]);
    assert!(refused.code == 2 && refused.err.contains("is not signed off"), "{}", refused.err);
}
