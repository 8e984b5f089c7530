//! A story from its topic to its sign-off, by keys alone: the real program in a terminal, a scripted server behind it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop there and say so"
)]

mod support;

use copydesk::newsroom::{Choice, Status};
use serde_json::{Value, json};
use support::{
    newsroom::Newsroom,
    press,
    record::Made,
    script,
    server::{Call, Latch, Reply, Server},
    terminal::Terminal,
};

const REASON: &str = "The clerk confirmed April by telephone.";
const TO_DO: &str = "Say who pays for the lighting.";

/// The usual story, whose first draft stops in the middle of a word until the latch is opened.
fn held(latch: &Latch) -> impl Fn(&Call) -> Reply + Send + Sync + use<> {
    let latch = latch.clone();
    move |call| match call.agent.as_str() {
        "writer" => {
            let text = script::text(call);
            let place = text.find("budget").unwrap();
            let after = text.chars().count() - text.split_at(place).1.chars().count();
            Reply::Held(text, after + 3, latch.clone())
        }
        _ => script::usual(call),
    }
}

/// Types text into the editor that is open, and saves it.
fn write(terminal: &Terminal, text: &str) {
    terminal.send(text.as_bytes(), text);
    terminal.wait_for(text.split_whitespace().last().unwrap());
    terminal.keys(press::SAVE);
}

#[test]
#[ignore = "the screen is being written"]
fn a_story_is_watched_overruled_continued_compared_and_signed_off() {
    let latch = Latch::default();
    let server = Server::start(held(&latch));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", topic.to_str().unwrap()], 36, 120);

    // Watch: the draft comes in word by word, and what has not come is not there.
    let shot = terminal.wait_for("fifth of the bud");
    assert!(!shot.contains("budget") && !shot.contains("shade"), "{}", shot.text());
    latch.open();
    terminal.wait_for("shade");

    // The gate waits, and is heard.
    terminal.wait_for("Round 1: 3 concerns open.");
    assert_eq!(terminal.bells(), 1, "a bell when a gate waits");

    // Concern, excerpt, verdict and source, side by side.
    terminal.keys(press::CONCERNS);
    let shot = terminal.wait_for("Rationale 1.");
    for text in ["REWRITE", "Say that the month is not decided.", "begin in April", "The minutes name no month."] {
        assert!(shot.contains(text), "{text}\n{}", shot.text());
    }

    // Overrule the first verdict.
    terminal.keys(press::OVERRIDE).keys(press::KEEP_THEN_REASON);
    write(&terminal, REASON);
    terminal.wait_until("the verdict struck through beside the decision", |shot| {
        shot.look_of("REWRITE").is_some_and(|look| look.struck) && shot.contains("KEEP")
    });
    let by = |round, choice| Made { round, by: "The editor".into(), choice, undone: false };
    let overruled = by(1, Choice::Override { concern: 1, status: Status::Keep, fix: None, reason: REASON.into() });
    assert_eq!(newsroom.record("park").decisions(), std::slice::from_ref(&overruled), "kept before it is shown");

    // Feedback, and one that is taken back.
    terminal.keys(press::FEEDBACK);
    write(&terminal, "A mistake.");
    terminal.wait_until("the feedback in the database", |_| newsroom.record("park").decisions().len() == 2);
    terminal.keys(press::UNDO);
    terminal.wait_until("the undoing in the database", |_| newsroom.record("park").decisions().len() == 3);
    terminal.keys(press::FEEDBACK);
    write(&terminal, TO_DO);
    terminal.wait_until("the feedback in the database", |_| newsroom.record("park").decisions().len() == 4);

    // On to the second round, whose review has no concern.
    terminal.keys(press::CONTINUE).wait_for("Round 2: nothing to object.");

    // Compare the drafts.
    terminal.keys(press::CHANGES);
    terminal.wait_until("both drafts", |shot| shot.contains("(draft 1)") && shot.contains("(draft 2)"));

    // Sign off.
    terminal.keys(press::CONTINUE).wait_for("Sign it off?");
    terminal.keys(press::ARTICLE).wait_for("A park plan passes (draft 2)");
    terminal.keys(press::SIGN_OFF).keys(press::YES).wait_for("igned off");
    terminal.keys(press::QUIT);
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(terminal.left_behind(), Vec::<String>::new());

    // The next prompt had it.
    let revision = server.calls().into_iter().find(|call| call.agent == "revision").unwrap();
    assert!(revision.user.contains(TO_DO) && !revision.user.contains("A mistake."), "{}", revision.user);
    assert!(!revision.user.contains("Say that the month is not decided."), "overruled: {}", revision.user);
    assert_eq!(server.calls().len(), 10, "no call was made twice");

    // The database.
    let record = newsroom.record("park");
    let mut decisions = record.decisions();
    let Some(Made { choice: Choice::SignOff { chain }, .. }) = decisions.pop() else { panic!("no sign-off") };
    assert_eq!(chain.len(), 64, "the head of the log's chain: {chain}");
    let feedback = |text: &str| Choice::Feedback { text: text.into() };
    assert_eq!(
        decisions,
        [
            overruled,
            Made { undone: true, ..by(1, feedback("A mistake.")) },
            by(1, Choice::Undo { number: 2 }),
            by(1, feedback(TO_DO)),
            by(1, Choice::Continue),
            by(2, Choice::Continue),
        ]
    );
    assert_eq!(record.verdicts(1)[0].status, Status::Rewrite, "the specialist's verdict stays");
    assert_eq!(
        (record.run.state.as_str(), record.run.signed_by.as_deref(), record.run.waits.as_deref()),
        ("success", Some("The editor"), None)
    );

    // The files.
    let result = newsroom.canonical();
    assert_eq!((&result["success"], &result["error"]), (&json!(true), &Value::Null));
    assert_eq!(result["article"]["headline"], "A park plan passes (draft 2)");
    let first = &result["editor_report"]["iterations"][0];
    assert_eq!(
        first["verdicts"][0],
        json!({"concern_id": 1, "misleading": false, "status": "KEEP", "rationale": REASON,
            "suggested_fix": null, "evidence": null, "citations": null})
    );
    assert_eq!(
        first["feedback_to_writer"]["todo_list"],
        json!(["Delete the share of the budget.", "Name the vote in the headline.", TO_DO])
    );
    let run = newsroom.runs().pop().unwrap();
    let read = |name: &str| -> Value { serde_json::from_slice(&std::fs::read(run.join(name)).unwrap()).unwrap() };
    assert_eq!(read("iter1_verdicts.json")[0]["status"], "REWRITE", "the agents' verdicts");
    assert_eq!(read("iter1_decisions.json").as_array().unwrap().len(), 5);
}

#[test]
#[ignore = "the screen is being written"]
fn every_page_of_a_finished_story_opens_and_leads_back() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let calls = server.calls().len();
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    terminal.wait_for("desk/park");
    terminal.keys("enter").wait_for("A park plan passes");
    for (key, text) in [
        (press::CONCERNS, "begin in April"),
        (press::CHANGES, "(draft 2)"),
        (press::ARTICLE, "A park plan passes (draft 2)"),
        (press::CALLS, "r1.review"),
        (press::LOG, "published"),
        (press::RUNS, "success"),
        (press::LIVE, "publish"),
    ] {
        terminal.keys(key).wait_for(text);
    }
    terminal.keys(press::HELP).wait_for(press::PALETTE);
    terminal.keys("esc").keys("esc").wait_for("desk/park");
    terminal.keys(press::QUIT);
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
    assert_eq!(server.calls().len(), calls, "looking costs nothing");
}

#[test]
#[ignore = "the screen is being written"]
fn a_batch_in_another_process_is_seen() {
    let latch = Latch::default();
    let server = Server::start(held(&latch));
    let newsroom = Newsroom::at(&server.base());
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    let topic = newsroom.topic();
    let batch = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    terminal.wait_for("desk/park");
    latch.open();
    assert!(batch.wait_with_output().unwrap().status.success());
    terminal.wait_for("success");
    terminal.keys(press::QUIT);
    assert_eq!(terminal.exit_code(), 0);
}
