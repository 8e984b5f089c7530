//! A story that was out is withdrawn: whoever has it is told, once, and nobody gets the article any more.

use serde_json::Value;

use crate::{
    publish::{at_sign_off, header, signed, webhook},
    support::newsroom::Newsroom,
};

fn refused(newsroom: &Newsroom, arguments: &[&str], says: &str) {
    let done = newsroom.run(arguments);
    assert!(done.code == 2 && done.err.contains(says), "{arguments:?}: {} {}", done.out, done.err);
}

#[test]
fn the_notice_goes_once_to_each_target_that_had_the_story() {
    let (url, posts) = webhook(&[200]);
    let newsroom = signed(&url);
    newsroom.ran(&["publish", "park", "--to", "cms"]);
    refused(&newsroom, &["kill", "park", "--reason", " "], "the reason says nothing");
    let killed = newsroom.ran(&["kill", "park", "--reason", "The *letter* was <b>forged</b>."]);
    assert!(killed.err.contains("`copydesk publish newsroom/park` sends the notice to cms ("), "{}", killed.err);
    refused(&newsroom, &["kill", "park", "--reason", "Again."], "was withdrawn on ");
    assert_eq!(posts.lock().unwrap().len(), 1, "nobody is told before somebody publishes");

    let listed = newsroom.ran(&["list"]).out;
    assert!(listed.contains("withdrawn"), "{listed}");
    assert!(newsroom.ran(&["show", "park"]).out.contains("Withdrawn 2"));
    refused(&newsroom, &["publish", "park", "--to", "site"], "site never had it");
    newsroom.ran(&["set", "park", "--embargo", "+2h"]);
    let plan = newsroom.ran(&["publish", "park", "--dry-run"]).out;
    assert!(plan.contains("the notice of withdrawal, newsroom-park.ninjs.json") && !plan.contains("site"), "{plan}");
    // A signature from before the withdrawal does not cancel it.
    refused(&newsroom, &["fork", "park", "--at", "publish"], "`copydesk correct` takes the text up again");
    refused(&newsroom, &["decide", "park", "reopen"], "`copydesk correct` takes the text up again");
    // Who never had it keeps nobody else's notice back.
    newsroom.ran(&["publish", "park", "--to", "site", "--to", "cms"]);
    newsroom.ran(&["publish", "park"]);
    newsroom.ran(&["replay", "park"]);
    let sent = posts.lock().unwrap().clone();
    assert_eq!(sent.len(), 2, "no embargo holds it, and it goes once");
    assert_ne!(header(&sent[0].0, "idempotency-key"), header(&sent[1].0, "idempotency-key"));
    let [before, notice]: [Value; 2] = [0, 1].map(|at| serde_json::from_str(&sent[at].1).unwrap());
    assert_eq!((&notice["pubStatus"], &notice["uri"]), (&"canceled".into(), &before["uri"]));
    assert_eq!(notice["version"], "2");
    assert!(!sent[1].1.contains("voted 7-2 on Tuesday"), "the article is not in it");
    newsroom.ran(&["set", "park", "--embargo", "none"]);
    for format in ["markdown", "html", "json", "ninjs"] {
        let notice = newsroom.ran(&["export", "park", "--format", format]);
        assert!(notice.out.contains("This article was withdrawn on ") && notice.err.contains("This is its notice"));
        assert!(!notice.out.contains("voted 7-2 on Tuesday"), "{format}: {}", notice.out);
    }
    newsroom.ran(&["audit", "verify"]);
    assert!(newsroom.ran(&["log", "park"]).out.contains("Withdrawn by "));
}

#[test]
fn a_withdrawn_story_comes_back_as_a_correction_and_the_notice_goes_meanwhile() {
    let (url, posts) = webhook(&[200]);
    let newsroom = signed(&url);
    newsroom.ran(&["publish", "park"]);
    // Whatever is under way, what is out can be taken back.
    newsroom.ran(&["correct", "park", "--note", "It was Wednesday."]);
    newsroom.ran(&["kill", "park", "--reason", "The day is wrong, and more may be."]);
    newsroom.ran(&["publish", "park"]);
    let notice: Value = serde_json::from_str(&posts.lock().unwrap()[1].1).unwrap();
    assert_eq!((&notice["pubStatus"], &notice["version"]), (&"canceled".into(), &"2".into()));
    assert!(newsroom.read("site/newsroom-park.html").contains("Withdrawn: Eastbrook council"));
    let first = newsroom.records("park").into_iter().find(|record| record.run.signed_by.is_some()).unwrap();
    let report = newsroom.ran(&["export", &first.run.run, "--format", "report"]).out;
    assert!(report.contains("The day is wrong, and more may be.</strong>"), "{report}");
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    newsroom.ran(&["publish", "park"]);
    let back: Value = serde_json::from_str(&posts.lock().unwrap()[2].1).unwrap();
    assert_eq!((&back["pubStatus"], &back["version"]), (&"usable".into(), &"3".into()));
    assert!(newsroom.read("site/newsroom-park.html").contains("<h1>Eastbrook council"));
    assert!(newsroom.ran(&["export", "park", "--format", "markdown"]).out.contains("voted 7-2 on Tuesday"));
    assert!(!newsroom.ran(&["show", "park"]).out.contains("Withdrawn 2"));
    // A correction of an earlier version gets a number that nothing else has.
    newsroom.ran(&["correct", &first.run.run, "--note", "It was Thursday."]);
    let next: Value = serde_json::from_str(&newsroom.ran(&["export", "park", "--format", "ninjs"]).out).unwrap();
    assert_eq!((&next["pubStatus"], &next["version"]), (&"withheld".into(), &"4".into()));
    newsroom.ran(&["audit", "verify"]);
}

#[test]
fn what_was_never_out_is_spiked_and_who_is_not_configured_any_more_is_named() {
    let (url, _posts) = webhook(&[200]);
    let newsroom = at_sign_off(&url);
    refused(&newsroom, &["kill", "park", "--reason", "x"], "nothing of it was signed off or sent");
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    newsroom.ran(&["kill", "park", "--reason", "x"]);
    refused(&newsroom, &["publish", "park"], "no target has it");
    let other = signed(&url);
    other.ran(&["publish", "park"]);
    other.ran(&["kill", "park", "--reason", "x"]);
    let yaml = other.read("config/config.yaml");
    other.write("config/config.yaml", yaml.replace("name: cms", "name: press").as_bytes());
    refused(&other, &["publish", "park"], "is not in `publisher.targets` any more");
    let done = other.ran(&["publish", "park", "--to", "site"]);
    assert!(done.out.contains("Sent to site"), "{}", done.out);
}
