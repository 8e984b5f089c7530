//! An editor without a screen: a story from its topic to its sign-off by `run --plain` and `copydesk decide`.

use copydesk::newsroom::{Choice, Status};
use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    record::Made,
    script,
    server::{Reply, Server},
};

const REASON: &str = "The clerk confirmed April by telephone.";
const TO_DO: &str = "Say who pays for the lighting.";

/// A newsroom whose usual story waits at its first gate.
fn at_gate(server: &Server, change: impl FnOnce(String) -> String) -> Newsroom {
    let newsroom = Newsroom::at_with(&server.base(), change);
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--plain", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    newsroom
}

fn decide(newsroom: &Newsroom, words: &[&str]) -> Done {
    newsroom.run(&[&["decide", "park"], words].concat())
}

#[track_caller]
fn decided(newsroom: &Newsroom, words: &[&str]) -> Done {
    let done = decide(newsroom, words);
    assert_eq!(done.code, 0, "{words:?}: {}", done.err);
    done
}

#[track_caller]
fn refused(newsroom: &Newsroom, words: &[&str], says: &str) {
    let before = newsroom.record("park").decisions();
    let done = decide(newsroom, words);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{words:?}: {}", done.err);
    assert!(done.err.contains(says), "{words:?}: {}", done.err);
    assert_eq!(newsroom.record("park").decisions(), before, "{words:?}");
}

fn by(round: u32, choice: Choice) -> Made {
    Made { round, by: "The editor".into(), choice, undone: false }
}

/// A file of the story's only run.
fn file(newsroom: &Newsroom, name: &str) -> Value {
    let runs = newsroom.runs();
    assert_eq!(runs.len(), 1, "{runs:?}");
    serde_json::from_slice(&std::fs::read(runs[0].join(name)).unwrap()).unwrap()
}

fn statuses(verdicts: &Value) -> Vec<&str> {
    verdicts.as_array().unwrap().iter().map(|verdict| verdict["status"].as_str().unwrap()).collect()
}

/// The memory's counts at the end of a batch, if it had no answer.
fn looked_up(times: u64) -> Value {
    json!({
        "look_ups": times, "hits": 0, "calls_not_made": 0, "tokens_not_spent": null, "hits_of_unknown_cost": 0
    })
}

#[test]
fn a_story_goes_from_its_topic_to_its_sign_off_by_commands() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--plain", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("desk/park waits for you: `copydesk show desk/park` lists your choices"), "{}", done.err);
    assert!(!done.out.contains(['\u{1b}', '\r']), "plain: {:?}", done.out);
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(
        lines[0].ends_with("  desk/park  Opened: Council votes to renovate park (llm, up to 3 rounds)"),
        "{}",
        lines[0]
    );
    for line in [
        "Round 1: 3 concerns open. Back to the writer?",
        "  1. “begin in April” not in the source: the source does not say so.",
        "     fact check: REWRITE: Rationale 1.",
        "     to do: Say that the month is not decided.",
        "  copydesk decide desk/park continue: sends 3 to-dos to the writer",
    ] {
        assert!(lines.contains(&line), "{line}\n{}", done.out);
    }
    assert_eq!(server.calls().len(), 8);

    // The decision is printed, and stands in the database.
    let done = decided(&newsroom, &["overrule", "1", "keep", "--reason", REASON]);
    assert_eq!(
        done.err.trim(),
        "desk/park: decided: verdict overruled, concern 1.\n\
         Waiting for your decision, round 1: Round 1: 2 concerns open. Back to the writer? `copydesk show desk/park` lists your choices."
    );
    decided(&newsroom, &["feedback", "A mistake."]);
    decided(&newsroom, &["undo"]);
    decided(&newsroom, &["feedback", &format!("- {TO_DO}")]);
    let shown = newsroom.run(&["show", "park"]).out;
    for line in [
        "     fact check: REWRITE (overruled): Rationale 1.",
        "     to do (overruled): Say that the month is not decided.",
        &format!("     The editor: KEEP: {REASON}"),
        &format!("  1. The editor: verdict overruled, concern 1: KEEP: {REASON}"),
        "  2. The editor: feedback (undone): A mistake.",
        "  3. The editor: undo: decision 2",
        &format!("  4. The editor: feedback: - {TO_DO}"),
        &format!("  to do, by the editor: {TO_DO}"),
        "Round 1: 2 concerns open. Back to the writer?",
        "  copydesk decide desk/park undo [NUMBER]: undoes decision 4, or another of this round",
        "  copydesk decide desk/park continue: sends 3 to-dos to the writer",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
    let done = decided(&newsroom, &["continue"]);
    assert_eq!(done.err.trim(), "desk/park: decided: continue.\n`copydesk resume` resumes it.");
    refused(
        &newsroom,
        &["undo", "1"],
        "This story has not reached its next gate. Undoing a decision is possible only while a story waits for you",
    );

    // The writer is told what counts.
    let done = newsroom.run(&["resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(row(&done, "desk/park"), ["WAITS", "2", "0", &tokens(&newsroom)], "rounds, open concerns, tokens");
    let revision = server.calls().into_iter().find(|call| call.agent == "revision").unwrap();
    assert!(
        revision.user.contains(TO_DO) && revision.user.contains("Delete the share of the budget."),
        "{}",
        revision.user
    );
    assert!(
        !revision.user.contains("A mistake.") && !revision.user.contains("Say that the month is not decided."),
        "{}",
        revision.user
    );

    // The second round has no concern: on to sign-off.
    let done = decided(&newsroom, &["continue", "--resume"]);
    assert!(done.out.contains("WAITS") && done.out.contains("Waiting for your sign-off, round 2"), "{}", done.out);
    let head = newsroom.ask("SELECT chain FROM event ORDER BY seq DESC LIMIT 1");
    let done = decided(&newsroom, &["--resume", "--json", "sign-off"]);
    let events: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.first().unwrap()["event"], "decided");
    let mut closed = events.last().unwrap().clone();
    let stories = closed.as_object_mut().unwrap().remove("stories").unwrap();
    assert_eq!((&stories[0]["story"], &stories[0]["result"]), (&json!("desk/park"), &json!("success")));
    let tokens = closed.as_object_mut().unwrap().remove("tokens").unwrap();
    assert_eq!(tokens, stories[0]["tokens"]);
    let expected = json!({"event": "batch_closed", "succeeded": 1, "failed": 0, "waiting": 0, "cost": null, "memory": looked_up(1)});
    assert_eq!(closed, expected);
    assert_eq!(server.calls().len(), 10, "no call was made twice");

    agrees(&newsroom, head);
}

/// The first words of a story's row in a result table, behind its name.
fn row<'d>(done: &'d Done, story: &str) -> Vec<&'d str> {
    let line =
        done.out.lines().find_map(|line| line.trim().strip_prefix(story)).unwrap_or_else(|| panic!("{}", done.out));
    line.split_whitespace().take(4).collect()
}

/// The tokens of the story's calls.
fn tokens(newsroom: &Newsroom) -> String {
    let run = newsroom.record("park").run;
    (run.prompt_tokens + run.completion_tokens).to_string()
}

#[test]
fn a_story_that_waits_has_its_rounds_concerns_and_tokens_in_the_table_and_has_not_failed() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml);
    let tokens = tokens(&newsroom);
    assert_ne!(tokens, "0");
    let waits = ["WAITS", "1", "3", &tokens];
    let resumed = newsroom.run(&["resume"]);
    assert_eq!((resumed.code, row(&resumed, "desk/park")), (0, waits.to_vec()));

    // Its topic is not run, which the exit code says; the story waits.
    newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("mill"));
    std::fs::rename(newsroom.path().join("park.json"), newsroom.path().join("mill.json")).unwrap();
    newsroom.topic();
    let batch = newsroom.run(&["run", "--auto", "park.json", "mill.json"]);
    assert_eq!((batch.code, row(&batch, "desk/park")), (1, waits.to_vec()));
    assert!(batch.out.contains("desk/park waits for your decision, round 1: decide it first"), "{}", batch.out);
    assert_eq!(row(&batch, "desk/mill").first(), Some(&"SUCCESS"));
    assert!(batch.err.contains("1 of 2 succeeded, 1 not finished; "), "{}", batch.err);
    let events = newsroom.run(&["run", "--auto", "--json", "park.json"]);
    assert_eq!(events.code, 1);
    let last: Value = serde_json::from_str(events.out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["succeeded"], &last["failed"], &last["memory"]), (&json!(0), &json!(1), &looked_up(0)));
    assert_eq!(last["stories"][0]["result"], "waits");

    assert_eq!(newsroom.run(&["set", "park", "--pause"]).code, 0);
    let paused = decided(&newsroom, &["continue", "--resume"]);
    assert_eq!(row(&paused, "desk/park"), waits);
}

/// The database and the files agree with what was decided; `head` is what the sign-off was to record.
fn agrees(newsroom: &Newsroom, head: String) {
    let record = newsroom.record("park");
    let feedback = |text: &str| Choice::Feedback { text: text.into() };
    assert_eq!(
        record.decisions(),
        [
            by(1, Choice::Override { concern: 1, status: Status::Keep, fix: None, reason: REASON.into() }),
            Made { undone: true, ..by(1, feedback("A mistake.")) },
            by(1, Choice::Undo { number: 2 }),
            by(1, feedback(&format!("- {TO_DO}"))),
            by(1, Choice::Continue),
            by(2, Choice::Continue),
            by(2, Choice::SignOff { chain: head, as_notes: false }),
        ]
    );
    assert_eq!(
        (record.run.state.as_str(), record.run.signed_by.as_deref(), record.run.waits.as_deref()),
        ("success", Some("The editor"), None)
    );
    let result = newsroom.canonical();
    assert_eq!((&result["success"], &result["error"]), (&json!(true), &Value::Null));
    assert_eq!(file(newsroom, "article_result.json"), result);
    assert_eq!(file(newsroom, "editor_report.json"), result["editor_report"]);
    let first = &result["editor_report"]["iterations"][0];
    assert_eq!(statuses(&first["verdicts"]), ["KEEP", "REMOVE", "REWRITE", "KEEP", "KEEP"], "what counts");
    assert_eq!(statuses(&file(newsroom, "iter1_verdicts.json")), ["REWRITE", "REMOVE", "REWRITE", "KEEP", "KEEP"]);
    assert_eq!(first["verdicts"][0]["rationale"], REASON);
    let to_dos = json!(["Delete the share of the budget.", "Name the vote in the headline.", TO_DO]);
    assert_eq!(first["feedback_to_writer"]["todo_list"], to_dos);
    assert_eq!(file(newsroom, "iter1_feedback.json"), first["feedback_to_writer"]);
    // Ten, less two for each of the specialists' two to-dos and one for each of three rationales; the editor's own costs nothing.
    assert_eq!(first["feedback_to_writer"]["rating"], 3);
    let rows = file(newsroom, "iter1_decisions.json");
    assert_eq!(rows.as_array().unwrap().len(), 5);
    assert_eq!((&rows[0]["by"], &rows[0]["overruled_verdict"]["status"]), (&json!("The editor"), &json!("REWRITE")));
    assert_eq!((&rows[1]["undone"], &rows[3]["undone"]), (&json!(true), &json!(false)));
    assert_eq!(file(newsroom, "iter2_decisions.json")[1]["decision"]["sign_off"]["chain"].as_str().unwrap().len(), 64);
}

#[test]
fn a_gate_says_first_which_to_dos_the_writer_left() {
    let server = Server::start(|call| match call.agent.as_str() {
        "revision" => Reply::Text(script::article(2).replace("Lighting is", "Lamps are")),
        _ => script::usual(call),
    });
    let newsroom = at_gate(&server, |yaml| yaml);
    decided(&newsroom, &["overrule", "3", "keep", "--reason", REASON]);
    let to_dos = "Delete “more shade”.\nSay “Lamps are” and “the town pays”.\nMake it livelier.";
    decided(&newsroom, &["feedback", to_dos]);
    let done = decided(&newsroom, &["continue"]);
    assert!(!done.err.contains("not done"), "{}", done.err);
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    let shown = newsroom.run(&["show", "park"]).out;
    let left = [
        "  Not done: Say that the month is not decided.",
        "  Not done: Delete the share of the budget.",
        "  Not done: Delete “more shade”.",
        "  Partly done: Say “Lamps are” and “the town pays”.",
        "  Look yourself: Make it livelier.",
    ];
    assert!(shown.contains(&left.join("\n")), "{shown}");
    let question = "Round 2: no objections. 3 to-dos not done, 1 only partly. On to sign-off?";
    assert!(shown.lines().any(|line| line == question), "{shown}");
    let log = newsroom.run(&["log", "park"]).out;
    assert!(log.contains(question), "{log}");
}

/// The draft with a concern's words and the headline changed, as a file.
fn own_text(newsroom: &Newsroom) {
    let draft = newsroom.run(&["show", "park", "--draft"]).out;
    let own = draft.replace("(draft 1)", "by hand").replace("fifth", "part");
    assert!(own.starts_with("# A park plan passes by hand\n\n*Seven to two*\n\n> The council approved"), "{own}");
    newsroom.write("own.md", own.as_bytes());
}

#[test]
fn a_hand_edit_costs_no_round_and_asks_no_model() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 1"));
    own_text(&newsroom);
    let calls = server.calls().len();
    decided(&newsroom, &["edit", "own.md"]);
    let done = decided(&newsroom, &["continue", "--resume"]);
    assert!(done.out.contains("your decision, round 2"), "it waits at its own gate: {}", done.out);
    assert_eq!(server.calls().len(), calls, "no model reviews it");
    let written = file(&newsroom, "iter2_writer_draft.json");
    assert_eq!(written["headline"], "A park plan passes by hand");
    assert!(written["articleBody"].as_str().unwrap().contains("a part of the budget"), "{written}");
    refused(&newsroom, &["accept", "fix", "1"], "concern 1 has no fix that names the words to put or to delete");
    decided(&newsroom, &["stet", "--reason", "The clerk said April.", "--resume"]);
    decided(&newsroom, &["sign-off", "--resume"]);
    // The concern whose sentence stands is open; those whose sentences were changed are closed.
    let verdicts = file(&newsroom, "iter2_verdicts.json");
    assert_eq!(statuses(&verdicts), ["REWRITE", "KEEP", "KEEP"], "{verdicts}");
    let result = newsroom.canonical();
    assert_eq!((&result["success"], &result["article"]), (&json!(true), &written));
    assert_eq!(result["editor_report"]["iterations"][0]["feedback_to_writer"], Value::Null, "the writer was not asked");
    assert_eq!(newsroom.ran(&["replay", "park"]).code, 0);
}

#[test]
fn an_edit_a_to_do_and_an_open_concern_go_to_the_writer_together_and_a_comma_is_mended_at_sign_off() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml);
    own_text(&newsroom);
    decided(&newsroom, &["feedback", TO_DO]);
    decided(&newsroom, &["edit", "own.md"]);
    let calls = server.calls().len();
    let done = decided(&newsroom, &["continue", "--resume"]);
    assert!(done.out.contains("your decision, round 2"), "{}", done.out);
    assert_eq!(server.calls().len(), calls, "nothing goes to the writer before the edited draft's gate is left");
    decided(&newsroom, &["continue", "--resume"]);
    let revision = server.calls().into_iter().rfind(|call| call.agent == "revision").unwrap();
    assert!(revision.user.contains("by hand") && revision.user.contains("a part of the budget"), "{}", revision.user);
    let feedback = file(&newsroom, "iter2_feedback.json");
    assert_eq!(feedback["todo_list"], json!(["Say that the month is not decided.", TO_DO]), "{feedback}");

    // The writer's draft is round 3, and passes.
    decided(&newsroom, &["continue", "--resume"]);
    let calls = server.calls().len();
    let draft = newsroom.run(&["show", "park", "--draft"]).out;
    newsroom.write("own.md", draft.replace("The council approved", "The council of the town approved").as_bytes());
    let done = decided(&newsroom, &["edit", "own.md", "--resume"]);
    assert!(done.out.contains("your decision, round 4"), "{}", done.out);
    let done = decided(&newsroom, &["continue", "--resume"]);
    assert!(done.out.contains("sign-off"), "{}", done.out);
    assert_eq!(server.calls().len(), calls, "no model is asked about a comma");
    decided(&newsroom, &["sign-off", "--resume"]);
    let article = newsroom.canonical()["article"].clone();
    assert_eq!(article["description"], "The council of the town approved a renovation.", "{article}");
    assert_eq!(newsroom.ran(&["replay", "park"]).code, 0);
}

#[test]
fn one_fix_in_the_readmes_story_waits_at_the_gate_of_its_own_draft() {
    let newsroom = Newsroom::offline();
    let asset = |name: &str| format!("{}/assets/{name}", env!("CARGO_MANIFEST_DIR"));
    let (topic, draft) = (asset("topics/miller-park-renovation.json"), asset("drafts/miller-park-renovation.md"));
    newsroom.ran(&["run", "--plain", &topic, "--draft", &draft]);
    newsroom.ran(&["decide", "miller-park-renovation", "accept", "fix", "1"]);
    newsroom.ran(&["decide", "miller-park-renovation", "continue", "--resume"]);
    let record = newsroom.record("miller-park-renovation");
    assert_eq!(record.run.waits.as_deref(), Some("r2.gate"));
    assert!(record.journal.feedback(2).is_none() && record.journal.draft(3).is_none(), "nobody decided that");
    newsroom.ran(&["decide", "miller-park-renovation", "continue", "--resume"]);
    assert_eq!(newsroom.record("miller-park-renovation").run.waits.as_deref(), Some("r3.gate"));
}

#[test]
fn stet_accepts_the_draft_as_it_stands() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml);
    decided(&newsroom, &["stet", "--reason", "It is \u{1b}[31mright.", "--resume"]);
    decided(&newsroom, &["sign-off", "--resume"]);
    assert_eq!(server.calls().len(), 8, "no writer was asked again");
    let result = newsroom.canonical();
    assert_eq!(
        (&result["success"], &result["article"]["headline"]),
        (&json!(true), &json!("A park plan passes (draft 1)"))
    );
    let report = &result["editor_report"];
    assert_eq!((&report["final_status"], &report["blocking_concerns"]), (&json!("SUCCESS"), &Value::Null));
    assert_eq!(statuses(&report["iterations"][0]["verdicts"]), ["KEEP"; 5]);
    assert_eq!(report["iterations"][0]["verdicts"][0]["rationale"], "stet, The editor: It is right.");
    assert_eq!(statuses(&file(&newsroom, "iter1_verdicts.json"))[0], "REWRITE");
}

#[test]
fn a_spiked_story_has_failed_and_is_taken_up_again_where_it_was_spiked() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml);
    decided(&newsroom, &["feedback", TO_DO]);
    let done = decide(&newsroom, &["spike", "--reason", "The source withdrew.", "--resume"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.out.contains("FAILED"), "{}", done.out);
    let result = newsroom.canonical();
    assert_eq!(
        (&result["success"], &result["error"]),
        (&json!(false), &json!("spiked by The editor: The source withdrew."))
    );
    assert!(
        newsroom
            .run(&["show", "park"])
            .out
            .contains("copydesk decide desk/park reopen: reopens the story: Round 1, decision 2")
    );

    let done = decided(&newsroom, &["reopen"]);
    assert!(
        done.err.contains("Reopened at Round 1, decision 2") && done.err.contains("Waiting for your decision, round 1"),
        "{}",
        done.err
    );
    assert_eq!(newsroom.record("park").decisions(), [by(1, Choice::Feedback { text: TO_DO.into() })]);
    assert_eq!(newsroom.canonical(), result, "until it ends, what was is what is");
    refused(
        &newsroom,
        &["reopen"],
        "This story waits for your decision, round 1. Reopening is possible only once a story has ended",
    );
    decided(&newsroom, &["continue", "--resume"]);
    assert!(server.calls().iter().rfind(|call| call.agent == "revision").unwrap().user.contains(TO_DO));
    assert_eq!(server.calls().len(), 10, "nothing was asked twice");
}

#[test]
fn an_article_that_passed_is_sent_back() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml);
    decided(&newsroom, &["continue", "--resume"]);
    decided(&newsroom, &["continue", "--resume"]);
    let text = "The lead buries the vote.\n- Name the mayor.";
    let done = decided(&newsroom, &["feedback", text, "--resume"]);
    assert!(done.out.contains("your decision, round 3"), "{} {}", done.out, done.err);
    let revision = server.calls().into_iter().rfind(|call| call.agent == "revision").unwrap();
    assert!(
        revision.user.contains("The lead buries the vote.") && revision.user.contains("Name the mayor."),
        "{}",
        revision.user
    );
    assert_eq!(
        file(&newsroom, "iter2_feedback.json")["todo_list"],
        json!(["The lead buries the vote.", "Name the mayor."])
    );
    decided(&newsroom, &["continue", "--resume"]);
    refused(
        &newsroom,
        &["feedback", "More."],
        "this is the last round, and nobody would act on it: add another round first",
    );
    decided(&newsroom, &["sign-off", "--resume"]);
    let report = &newsroom.canonical()["editor_report"];
    assert_eq!((&report["total_iterations"], &report["final_status"]), (&json!(3), &json!("SUCCESS")));
}

#[test]
fn what_cannot_be_decided_says_why_and_changes_nothing() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml);
    newsroom.write("blank.md", b"# Only a headline\n");
    for (words, says) in [
        (&["overrule", "9", "keep", "--reason", "x"][..], "desk/park: round 1 has no verdict on a concern 9"),
        (&["overrule", "1", "keep"], "--reason <TEXT>"),
        (&["overrule", "1", "keep", "--reason", " "], "overruling a verdict needs a reason"),
        (&["overrule", "1", "keep", "--reason", "x", "--fix", "y"], "KEEP leaves the text as it is: it has no fix"),
        (&["overrule", "1", "perhaps", "--reason", "x"], "[possible values: KEEP, REWRITE, REMOVE]"),
        (&["feedback", "- "], "the feedback is empty"),
        (&["feedback"], "<TEXT>"),
        (&["edit", "nowhere.md"], "the draft nowhere.md: nowhere.md cannot be read"),
        (&["edit", "blank.md"], "the draft blank.md: the draft has a headline but no text below it"),
        (&["undo"], "desk/park: you have decided nothing in this round, so there is nothing to undo"),
        (&["undo", "4"], "There is no decision 4 to undo"),
        (&["spike", "--reason", ""], "say why you spike the story"),
        (
            &["sign-off"],
            "This story waits for your decision, round 1. Decide on the round first: continue, or approve the draft as it is. Signing off comes after that",
        ),
        (&["reopen"], "This story waits for your decision, round 1. Reopening is possible only once a story has ended"),
        (&["frob"], "unexpected argument 'frob' found"),
    ] {
        refused(&newsroom, words, says);
    }
    let done = newsroom.run(&["decide", "nowhere", "continue"]);
    assert!(done.code == 2 && done.err.contains("There is no story or run nowhere"), "{}", done.err);

    // A run that was replaced is history.
    let earlier = newsroom.record("park").run.run;
    assert_eq!(newsroom.run(&["fork", "park", "--at", "r1.gate"]).code, 2, "it has not come to its gate's end");
    decided(&newsroom, &["feedback", "Name the day."]);
    assert_eq!(newsroom.run(&["fork", "park", "--at", "r1.d1"]).code, 0);
    let done = newsroom.run(&["decide", &earlier, "continue"]);
    assert!(
        done.code == 2
            && done
                .err
                .contains("Continuing is possible only in a story's current run. A later run has replaced this one"),
        "{}",
        done.err
    );
    assert_eq!(server.calls().len(), 8);
}

#[test]
fn a_decision_stands_although_its_file_cannot_be_written() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server, |yaml| yaml);
    let stet = ["decide", "park", "stet", "--reason", "It is in the minutes.", "--resume"];
    assert_eq!(newsroom.run(&stet).code, 0);
    let in_the_way = newsroom.runs()[0].join("iter1_decisions.json");
    std::fs::remove_file(&in_the_way).unwrap();
    std::fs::create_dir(&in_the_way).unwrap();
    let decided = newsroom.run(&["decide", "park", "sign-off"]);
    assert_eq!(decided.code, 0, "{}", decided.err);
    assert!(decided.err.contains("decided: sign off"), "{}", decided.err);
    assert!(decided.err.contains("the work is safe in the database"), "{}", decided.err);
    std::fs::remove_dir(&in_the_way).unwrap();
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    assert_eq!(newsroom.record("park").run.signed_by.as_deref(), Some("The editor"));
    assert_eq!(file(&newsroom, "iter1_decisions.json").as_array().unwrap().len(), 2);
}
