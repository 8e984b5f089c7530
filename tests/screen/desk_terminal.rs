//! A story from its topic to its sign-off, by keys alone: the real program in a terminal, a scripted server behind it.

use copydesk::newsroom::{Choice, Status};
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    press,
    record::Made,
    script,
    server::{Call, Latch, Reply, Server},
    terminal::{Ended, Terminal},
};

const REASON: &str = "The clerk confirmed April by telephone.";
const TO_DO: &str = "Say who pays for the lighting.";
const UNFINISHED: &str = "Half a sentence that nobody sa";
const BY_HAND: &str = "The minutes are public. ";

/// The usual story. Its first draft stops in the middle of a word until the first latch is opened, its concerns after the
/// first until the second; its revision changes a day that nobody asked about.
fn watched(draft: &Latch, review: &Latch) -> impl Fn(&Call) -> Reply + Send + Sync + use<> {
    let (draft, review) = (draft.clone(), review.clone());
    move |call| {
        let text = script::text(call);
        let until = |words: &str, latch: &Latch| {
            let after = text.split(words).next().unwrap().chars().count() + words.chars().count();
            Reply::Held(text.clone(), after, latch.clone())
        };
        match call.agent.as_str() {
            "writer" => until("fifth of the bud", &draft),
            "article_review" if call.before == 0 => until("the source does not say so.\n", &review),
            "revision" => Reply::Text(text.replace("Work will", "Work shall")),
            _ => script::usual(call),
        }
    }
}

/// Waits until the screen shows each of these somewhere.
#[track_caller]
fn wait_for_all(terminal: &Terminal, texts: &[&str]) {
    terminal.wait_until(&format!("{texts:?}"), |shot| texts.iter().all(|text| shot.contains(text)));
}

fn decisions(newsroom: &Newsroom, terminal: &Terminal, count: usize) {
    terminal.wait_until(&format!("{count} decisions in the database"), |_| {
        newsroom.record("park").decisions().len() == count
    });
}

#[test]
fn a_story_is_watched_overruled_continued_compared_edited_and_signed_off() {
    let (draft, review) = (Latch::default(), Latch::default());
    let server = Server::start(watched(&draft, &review));
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", topic.to_str().unwrap()], 36, 120);

    // The draft comes in word by word; what has not come is not there.
    let shot = terminal.wait_for("fifth of the bud");
    assert!(!shot.contains("budget") && !shot.contains("shade"), "{}", shot.text());
    draft.open();
    // So do the concerns.
    let shot = terminal.wait_for("begin in April");
    assert!(!shot.contains("said the parks director"), "{}", shot.text());
    review.open();

    // The gate waits, and is heard.
    terminal.wait_for("Round 1 waits for you: 3 of 5 concerns open.");
    assert_eq!(terminal.bells(), 1, "a bell when a gate waits");

    // Concern, excerpt, verdict and source, side by side.
    terminal.keys(press::CONCERNS);
    wait_for_all(
        &terminal,
        &[
            "Rationale 1.",
            "REWRITE",
            "Say that the month is not decided.",
            "begin in April",
            "The minutes name no month.",
        ],
    );

    // Overrule the first verdict; half of the reason is pasted.
    terminal.keys(press::OVERRIDE).wait_for("Overrule the verdict on concern 1");
    terminal.keys(press::TO_REASON);
    let (typed, pasted) = REASON.split_at(10);
    terminal.send(typed.as_bytes(), typed);
    terminal.paste(pasted).wait_for(REASON);
    terminal.keys(press::SAVE);
    terminal.wait_until("the verdict struck through beside the decision", |shot| {
        shot.look_of("REWRITE").is_some_and(|look| look.struck) && shot.contains(REASON)
    });
    let by = |round, choice| Made { round, by: "The editor".into(), choice, undone: false };
    let overruled = by(1, Choice::Override { concern: 1, status: Status::Keep, fix: None, reason: REASON.into() });
    assert_eq!(newsroom.record("park").decisions(), std::slice::from_ref(&overruled), "kept before it is shown");

    // Feedback that is taken back.
    terminal.keys(press::FEEDBACK).wait_for("Feedback to the writer");
    terminal.keys(&format!("\"A mistake.\" {}", press::SAVE)).wait_for("One to-do added");
    terminal.keys(press::UNDO).wait_for("Undone: gave the writer to-dos: A mistake.");

    // In the middle of a hand edit the program dies; the text comes back.
    terminal.keys(press::EDIT).wait_for("Edit the draft of round 1");
    terminal.keys(&format!("\"{UNFINISHED}\"")).wait_for(UNFINISHED);
    terminal.wait_until("all of it to be kept", |_| {
        newsroom.kept("park", "r1.edit").is_some_and(|text| text.contains(UNFINISHED))
    });
    terminal.kill(Signal::SIGKILL);
    terminal.ended();
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("waits for you");
    terminal.keys(press::OPEN).wait_for("Round 1 waits for you");
    terminal.keys(press::EDIT).wait_for(UNFINISHED);
    terminal.keys("esc").wait_gone(UNFINISHED);
    terminal.keys(press::FEEDBACK).wait_for("Feedback to the writer");
    terminal.keys(&format!("\"{TO_DO}\" {}", press::SAVE)).wait_for("One to-do added");
    decisions(&newsroom, &terminal, 4);

    // On to the second round, whose review has no concern. An edit that was never saved is asked about.
    terminal.keys(press::CONTINUE).wait_for("Continue without your edit?");
    terminal.keys("enter").wait_for("Round 2 waits for you: no concerns.");

    // Compare the drafts: what was asked for, and what was not.
    terminal.keys(press::CHANGES);
    wait_for_all(&terminal, &["(draft 1)", "(draft 2)"]);
    terminal.keys(press::NEXT_UNASKED).wait_for("Change 2 of 2 · nobody asked for this");

    // A hand edit is the next draft. It costs no round, asks no model, and raises nothing.
    terminal.keys(press::EDIT).wait_for("Edit the draft of round 2");
    // Until what was kept is read, nothing is saved.
    terminal.wait_gone("loading your earlier edit…");
    terminal.keys(&format!("\"{BY_HAND}\"")).wait_for("saved at");
    assert!(newsroom.kept("park", "r2.edit").is_some());
    terminal.keys(press::SAVE).wait_for("Your edit is ready; c checks it");
    assert_eq!(newsroom.kept("park", "r2.edit"), None, "what was typed is decided");

    // It waits at its own gate. Then sign off.
    terminal.keys(press::CONTINUE).wait_for("Round 3 waits for you: no concerns.");
    terminal.keys(press::CONTINUE).wait_for("waits for your sign-off");
    terminal.keys(press::ARTICLE).wait_for("A park plan passes (draft 2)");
    terminal.keys(press::SIGN_OFF).wait_for("Sign off?");
    terminal.keys("enter").wait_for("Signed off by The editor");
    terminal.leave();

    the_record_agrees(&newsroom, &server, overruled);
}

/// The next prompt, the files, the database and the log agree on the decisions.
fn the_record_agrees(newsroom: &Newsroom, server: &Server, overruled: Made) {
    let calls = server.calls();
    let revision = calls.iter().find(|call| call.agent == "revision").unwrap();
    assert!(revision.user.contains(TO_DO) && !revision.user.contains("A mistake."), "{}", revision.user);
    assert!(!revision.user.contains("Say that the month is not decided."), "overruled: {}", revision.user);
    assert!(calls.iter().all(|call| !call.user.contains(UNFINISHED)), "what was not saved goes nowhere");
    let asked: Vec<&str> = calls.iter().map(|call| call.agent.as_str()).collect();
    assert_eq!(asked.len(), 10, "draft, review, routing, five verdicts, revision, review: {asked:?}");

    // The database.
    let record = newsroom.record("park");
    let mut decisions = record.decisions();
    let Some(Made { round: 3, choice: Choice::SignOff { chain: signed, .. }, .. }) = decisions.pop() else {
        panic!("no sign-off: {decisions:?}")
    };
    let by = |round, choice| Made { round, by: "The editor".into(), choice, undone: false };
    let feedback = |text: &str| Choice::Feedback { text: text.into() };
    let article = |round| record.journal.draft(round).unwrap().article.clone();
    let mut edited = article(2);
    edited.articleBody.insert_str(0, BY_HAND);
    assert_eq!(
        decisions,
        [
            overruled,
            Made { undone: true, ..by(1, feedback("A mistake.")) },
            by(1, Choice::Undo { number: 2 }),
            by(1, feedback(TO_DO)),
            by(1, Choice::Continue),
            by(2, Choice::Edit { article: edited.clone() }),
            by(2, Choice::Continue),
            by(3, Choice::Continue),
        ]
    );
    assert_eq!(article(3), edited);
    assert!(article(2).articleBody.contains("Work shall"), "{:?}", article(2));
    assert_eq!(record.verdicts(1)[0].status, Status::Rewrite, "the specialist's verdict stays");
    assert_eq!(
        (record.run.state.as_str(), record.run.signed_by.as_deref(), record.run.waits.as_deref()),
        ("success", Some("The editor"), None)
    );

    // The log: each decision once, and a chain whose head the sign-off names.
    let decided = record.events_of("decided");
    let what: Vec<&Value> = decided.iter().map(|event| &event["choice"]).collect();
    assert_eq!(decided.len(), 9, "{what:?}");
    let (audit, _) = newsroom.chain();
    assert_eq!((audit.events.to_string(), audit.flaws), (newsroom.ask("SELECT count(*) FROM event"), vec![]));
    let signed_after = newsroom.ask(&format!("SELECT count(*) FROM event WHERE hex(chain) = upper('{signed}')"));
    assert_eq!(signed_after, "1", "the head of the log's chain: {signed}");

    // The files.
    let result = newsroom.canonical();
    assert_eq!((&result["success"], &result["error"]), (&json!(true), &Value::Null));
    assert_eq!(result["article"], serde_json::to_value(&edited).unwrap());
    let first = &result["editor_report"]["iterations"][0];
    assert_eq!(
        first["verdicts"][0],
        json!({"concern_id": 1, "misleading": false, "status": "KEEP", "rationale": REASON,
            "suggested_fix": null, "evidence": null, "citations": null})
    );
    let to_dos = json!(["Delete the share of the budget.", "Name the vote in the headline.", TO_DO]);
    assert_eq!(first["feedback_to_writer"]["todo_list"], to_dos);
    let run = newsroom.runs().pop().unwrap();
    let read = |name: &str| -> Value { serde_json::from_slice(&std::fs::read(run.join(name)).unwrap()).unwrap() };
    assert_eq!(read("iter1_verdicts.json")[0]["status"], "REWRITE", "the agents' verdicts");
    assert_eq!(read("iter1_feedback.json")["todo_list"], to_dos);
    let files: Vec<usize> =
        (1..=3).map(|round| read(&format!("iter{round}_decisions.json")).as_array().unwrap().len()).collect();
    assert_eq!(files, [5, 2, 2]);
}

#[test]
fn a_topic_that_cannot_be_used_opens_no_screen_and_leaves_its_failure() {
    let newsroom = Newsroom::offline();
    newsroom.topic_with(|topic| topic["styel"] = json!("x"));
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 100);
    assert_eq!(terminal.ended(), Ended::Code(2));
    let said = terminal.screen();
    assert!(said.contains("styel is not a field of a topic") && said.contains("The failure is in"), "{said}");
    assert_eq!(newsroom.canonical()["success"], json!(false));
}
