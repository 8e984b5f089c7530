//! The Publisher between the gate and the sign-off: its notes, accepted or left, and its runs that are replayed.

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    server::{Call, Reply, Server},
};

const SOURCE: &str = "Council minutes\n\nThe Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park. \
                      Ruth Voss came with a plan for the park, and the council heard her.\n";

const DRAFT: &str = "# Eastbrook council votes 7-2 to renovate Miller Park\n\n*The park*\n\n> **The council voted 7-2 on Tuesday to renovate Miller Park in Eastbrook.**\n\n\
                     **The council voted 7-2 on Tuesday to renovate Miller Park in Eastbrook.**\n\n\
                     The Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.\n\n#### The plan\n\n\
                     Ruth Voss came w/ a plan for the park, and the council heard her.\n";

/// A story that waits for its sign-off.
fn at_sign_off(checks: bool) -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replace("  checks: false", &format!("  checks: {checks}")));
    newsroom.write("park.txt", SOURCE.as_bytes());
    newsroom.write("draft.md", DRAFT.as_bytes());
    let done = newsroom.run(&["run", "--plain", "park.txt", "--draft", "draft.md"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let done = newsroom.run(&["decide", "park", "stet", "--reason", "It is right.", "--resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    newsroom
}

/// The notes of the first round, as the story's only run keeps them.
fn kept(newsroom: &Newsroom) -> Option<String> {
    let runs = std::fs::read_dir(newsroom.path().join("data/output/article_editor_runs/newsroom/park")).unwrap();
    let runs: Vec<_> = runs.map(|run| run.unwrap().path()).collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    std::fs::read_to_string(runs[0].join("iter1_publisher.json")).ok()
}

#[test]
fn what_the_publisher_notes_is_accepted_as_an_edit_and_replayed() {
    let newsroom = at_sign_off(true);
    let shown = newsroom.run(&["show", "park"]).out;
    let number = |shown: &str, about: &str| {
        let line = shown.lines().find(|line| line.contains("Publisher, note") && line.contains(about));
        let line = line.unwrap_or_else(|| panic!("{about}: {shown}")).trim();
        line.strip_prefix("Publisher, note ").unwrap().split(':').next().unwrap().to_owned()
    };
    let (heading, sign) = (number(&shown, "#### The plan"), number(&shown, "“w/”"));
    let refused = newsroom.run(&["decide", "park", "accept", "note", "99"]);
    assert!(
        refused.code == 2 && refused.err.contains("the Publisher has no note 99: it has notes 1 to"),
        "{}",
        refused.err
    );

    let done = newsroom.run(&["decide", "park", "accept", "note", &heading, &sign, "--resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    newsroom.ran(&["decide", "park", "continue", "--resume"]);
    let draft = newsroom.run(&["show", "park", "--draft"]).out;
    assert!(draft.contains("\n## The plan\n") && draft.contains("came with a plan"), "{draft}");
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(!shown.contains("“w/”"), "the next draft is looked at anew: {shown}");
    let done = newsroom.run(&["decide", "park", "sign-off", "--resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(kept(&newsroom).unwrap().contains("#### The plan"));
    newsroom.ran(&["replay", "park", "--into", "again"]);
}

#[test]
fn a_newsroom_that_does_not_ask_the_publisher_has_no_step_and_says_so() {
    let newsroom = at_sign_off(false);
    assert!(!newsroom.run(&["show", "park"]).out.contains("Publisher"));
    let refused = newsroom.run(&["decide", "park", "accept", "note", "1"]);
    assert!(refused.code == 2 && refused.err.contains("the Publisher has not looked at this draft"), "{}", refused.err);
    newsroom.run(&["decide", "park", "sign-off", "--resume"]);
    let refused = newsroom.run(&["decide", "park", "accept", "note", "1"]);
    assert!(refused.code == 2 && refused.err.contains("does not wait for that"), "{}", refused.err);
    assert_eq!(kept(&newsroom), None);
}

/// The configuration with a model of this server that notes what the Publisher sees.
pub fn asks_model(yaml: &str, base: &str) -> String {
    let model = format!(
        "publisher_llm:\n      model: scripted\n      api_base: {base}\n      api_key: lm-studio\n      context_window: 32768\n      \
         max_tokens: 2048\n      temperature: 0.3\n      context_window_threshold: 90\n      max_retries: 1\n      retry_delay: 0.0\n      \
         timeout_seconds: 60\n      response_format: none\n      request: null"
    );
    yaml.replace("publisher_llm: null", &model).replace("  checks: false", "  checks: true")
}

/// A note on words of the description, one that the rules have as well, and one on words that nobody wrote.
fn notes() -> Value {
    let note = |check: &str, field: &str, text: &str, replacement: Value| {
        json!({"check": check, "field": field, "text": text,
        "what": "A reader looks for the town.", "fix": "Name it.", "replacement": replacement})
    };
    json!({"notes": [
        note("search", "description", "The council", json!("The Eastbrook Town Council")),
        note("accessibility", "articleBody", "came w/ a plan", json!(null)),
        note("headline", "headline", "Mayor resigns", json!("Mayor stays")),
    ]})
}

fn script(call: &Call) -> Reply {
    Reply::Text(match call.agent.as_str() {
        "article_review" => "No concerns.".to_owned(),
        "publisher" => notes().to_string(),
        other => panic!("nobody asks {other}"),
    })
}

/// A newsroom with this draft and these answers, and what its run said.
fn with_model(server: &Server, change: impl FnOnce(String) -> String, gates: &str) -> (Newsroom, Done) {
    let newsroom = Newsroom::at_with(&server.base(), |yaml| change(asks_model(&yaml, &server.base())));
    newsroom.write("park.txt", SOURCE.as_bytes());
    newsroom.write("draft.md", DRAFT.as_bytes());
    let done = newsroom.run(&["run", gates, "park.txt", "--draft", "draft.md"]);
    (newsroom, done)
}

/// The Publisher's lines.
fn lines(newsroom: &Newsroom) -> Vec<String> {
    let shown = newsroom.ran(&["show", "park"]).out;
    let is_one = |line: &&str| line.starts_with("Publisher, note ") || line.starts_with("The notes of the Publisher’s");
    shown.lines().map(str::trim).filter(is_one).map(str::to_owned).collect()
}

#[test]
fn the_notes_of_a_model_stand_after_those_of_the_rules_to_accept_or_to_leave() {
    let server = Server::start(script);
    let (newsroom, done) = with_model(&server, |yaml| yaml, "--plain");
    assert_eq!(done.code, 0, "{}", done.err);
    let told = newsroom.run(&["doctor"]).out;
    assert!(told.contains("publisher: rules, and notes of the model scripted\n"), "{told}");
    newsroom.ran(&["decide", "park", "stet", "--reason", "It is right.", "--resume"]);
    assert_eq!(server.count("publisher"), 1);
    let call = server.calls().into_iter().find(|call| call.agent == "publisher").unwrap();
    let (_, known) = call.user.split_once("<known>").unwrap();
    assert!(known.contains("#### The plan"), "{known}");

    let noted = lines(&newsroom);
    let by_rule = noted.iter().filter(|line| !line.contains("(model)")).count();
    let (number, of_model) = (by_rule + 1, noted.iter().filter(|line| line.contains("(model)")).collect::<Vec<_>>());
    let line = format!("Publisher, note {number}: Search (model), description: A reader looks for the town. Name it.");
    assert_eq!((of_model, by_rule > 1), (vec![&line], true), "{noted:?}");
    assert_eq!(noted.last(), Some(&line));

    // The first run again from its records, from the step on, and with another answer.
    newsroom.ran(&["replay", "park", "--into", "again"]);
    newsroom.ran(&["fork", "park", "--at", "r1.prepare"]);
    newsroom.ran(&["resume"]);
    assert_eq!((server.count("publisher"), lines(&newsroom)), (1, noted.clone()), "what is known is not asked again");
    newsroom.ran(&["replay", "park", "--into", "forked"]);
    newsroom.ran(&["fork", "park", "--at", "r1.prepare", "--again"]);
    newsroom.ran(&["resume"]);
    assert_eq!((server.count("publisher"), lines(&newsroom)), (2, noted));
    newsroom.ran(&["replay", "park", "--into", "anew"]);

    newsroom.ran(&["decide", "park", "accept", "note", &number.to_string(), "--resume"]);
    newsroom.ran(&["decide", "park", "continue", "--resume"]);
    let draft = newsroom.run(&["show", "park", "--draft"]).out;
    assert!(draft.contains("**The Eastbrook Town Council voted 7-2 on Tuesday to renovate"), "{draft}");
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    newsroom.ran(&["replay", "park", "--into", "signed"]);
}

#[test]
fn a_model_that_gives_no_notes_holds_no_story_up_and_a_line_says_so() {
    type Bad = fn() -> Reply;
    let refused: Bad = || Reply::Text("It is a fine article.".into());
    let down: Bad = || Reply::Status(503, vec![], "busy".into());
    for (reply, said) in [(refused, "not the JSON that was asked for"), (down, "503")] {
        let server = Server::start(move |call| if call.agent == "publisher" { reply() } else { script(call) });
        let (newsroom, done) = with_model(&server, |yaml| yaml, "--auto");
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(server.count("publisher"), 2, "it is asked once more");
        let noted = lines(&newsroom);
        let (last, by_rule) = noted.split_last().unwrap();
        assert!(
            last.starts_with("The notes of the Publisher’s model are missing (") && last.contains(said),
            "{noted:?}"
        );
        assert!(by_rule.len() > 1 && by_rule.iter().all(|line| line.starts_with("Publisher, note ")), "{noted:?}");
        let log = newsroom.run(&["log", "park"]).out;
        assert_eq!(log.matches("; the notes of its model are missing").count(), 1, "{log}");
        newsroom.ran(&["replay", "park", "--into", "again"]);
    }
}

#[test]
fn a_budget_that_the_model_could_pass_costs_its_notes_and_not_the_story() {
    let server = Server::start(script);
    let limited = |yaml: String| {
        let (before, publisher) = yaml.split_once("    publisher_llm:").unwrap();
        let publisher = publisher.replacen("max_tokens: 2048", "max_tokens: 60000", 1);
        format!("{before}    publisher_llm:{publisher}").replace("story_tokens: null", "story_tokens: 40000")
    };
    let (newsroom, done) = with_model(&server, limited, "--auto");
    assert_eq!((done.code, server.count("publisher")), (0, 0), "{}", done.err);
    let last = lines(&newsroom).pop().unwrap();
    assert!(last.contains("are missing (the budget is used up: ") && !last.contains("reopen"), "{last}");
    newsroom.ran(&["replay", "park", "--into", "again"]);
    newsroom.ran(&["fork", "park", "--at", "r1.prepare", "--auto"]);
    assert_eq!(lines(&newsroom).pop().unwrap(), last);
    newsroom.ran(&["replay", "park", "--into", "forked"]);
}

#[test]
fn a_model_that_is_not_asked_changes_no_run() {
    let server = Server::start(script);
    let without = |yaml: String| {
        let (before, rest) = yaml.split_once("    publisher_llm:").unwrap();
        format!(
            "{before}    publisher_llm: null\n{}",
            rest.split_once("response_format: none\n      request: null").unwrap().1
        )
    };
    let off = |yaml: String| yaml.replace("  checks: true", "  checks: false");
    let pins = |newsroom: &Newsroom| newsroom.record("park").journal.opening.pins.clone();
    let (asked, _) = with_model(&server, |yaml| yaml, "--auto");
    let (by_rule, _) = with_model(&server, without, "--auto");
    assert_eq!(server.count("publisher"), 1);
    assert!(!lines(&by_rule).iter().any(|line| line.contains("model")));
    assert_ne!(pins(&asked), pins(&by_rule));
    let (checks_off, _) = with_model(&server, off, "--auto");
    let (neither, _) = with_model(&server, |yaml| off(without(yaml)), "--auto");
    assert_eq!(pins(&checks_off), pins(&neither), "nobody asks it");
    assert_eq!(server.count("publisher"), 1);
    let told = checks_off.run(&["doctor"]).out;
    assert!(told.contains("publisher: looks at no draft (publisher.checks: false)\n"), "{told}");
    assert!(by_rule.run(&["doctor"]).out.contains("publisher: rules\n"));
}
