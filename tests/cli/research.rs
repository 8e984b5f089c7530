//! Triage, research and sources at a gate, by commands: offline, with a knowledge folder that the rules search.

use copydesk::newsroom::{Choice, TriageWay};
use serde_json::Value;

use crate::support::{
    newsroom::{Done, Newsroom},
    record::Made,
    script,
    server::Server,
};

/// A newsroom whose usual story waits at its first gate, with verdicts that were triaged. Tools are called by the rules of this program.
fn at_gate(server: &Server) -> Newsroom {
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("  triage: false", "  triage: true"));
    newsroom.write(
        "data/knowledgebase/works.md",
        b"---\ntitle: Public works plan\ndate: 2026-09-30\n---\nThe park plan passes in stages: work on the paths will begin in April, and \
          lighting is a fifth of the budget.\n",
    );
    newsroom.write("notes.md", b"My notes: the parks director named no month.\n");
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--plain", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    newsroom
}

#[track_caller]
fn decided(newsroom: &Newsroom, words: &[&str]) -> Done {
    newsroom.ran(&[&["decide", "park"], words].concat())
}

#[track_caller]
fn refused(newsroom: &Newsroom, words: &[&str], says: &str) {
    let before = newsroom.record("park").decisions();
    let done = newsroom.run(&[&["decide", "park"], words].concat());
    assert_eq!(done.code, 2, "{words:?}: {}", done.err);
    assert!(done.err.contains(says), "{words:?}: {}", done.err);
    assert_eq!(newsroom.record("park").decisions(), before, "{words:?}");
}

fn choices(newsroom: &Newsroom) -> Vec<Choice> {
    newsroom.record("park").decisions().into_iter().map(|Made { choice, .. }| choice).collect()
}

#[test]
fn an_editor_sends_the_reporter_and_changes_the_sources_by_commands() {
    let server = Server::start(script::usual);
    let newsroom = at_gate(&server);
    let shown = newsroom.ran(&["show", "park"]).out;
    for line in [
        "  copydesk decide desk/park research [TEXT] --concern NUMBER [--skip]: sends a concern to the Reporter first; \
         with --skip straight to the writer",
        "  copydesk decide desk/park research TEXT: sends the Reporter to find something out before the writer revises",
        "  copydesk decide desk/park add-source FILE [--name NAME]: adds a source to the story",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
    assert!(shown.contains("     triage: to "), "{shown}");
    assert!(!shown.contains("remove-source"), "the story's own text stays: {shown}");

    // The commands of triage.
    decided(&newsroom, &["research", "--concern", "3", "--skip"]);
    let question = "When will work on the paths begin?";
    decided(&newsroom, &["research", question, "--concern", "1"]);
    decided(&newsroom, &["research", "What share of the budget is lighting?"]);
    let done = decided(&newsroom, &["add-source", "notes.md"]);
    assert!(done.err.starts_with("desk/park: decided: add source."), "{}", done.err);
    decided(&newsroom, &["add-source", "notes.md", "--name", "The director"]);
    decided(&newsroom, &["remove-source", "The director", "--reason", "It is the same text."]);
    let text = "My notes: the parks director named no month.\n";
    let added =
        |name: &str| Choice::AddSource { name: name.into(), text: text.into(), hidden: Vec::new(), recorded: None };
    assert_eq!(
        choices(&newsroom),
        [
            Choice::Triage { concern: 3, way: TriageWay::Rewrite, question: None },
            Choice::Triage { concern: 1, way: TriageWay::Research, question: Some(question.into()) },
            Choice::Research { question: "What share of the budget is lighting?".into() },
            added("notes.md"),
            added("The director"),
            Choice::RemoveSource { name: "The director".into(), reason: "It is the same text.".into() },
        ]
    );
    for (words, says) in [
        (&["research", "--concern", "9", "--skip"][..], "9"),
        (&["research", "Who?", "--concern", "1", "--skip"], "cannot be used with"),
        (&["research", " "], "say what is to be found out"),
        (&["add-source", "notes.md"], "a source of this story has that name: choose another"),
        (&["add-source", "absent.md"], "absent.md"),
        (&["add-source", "data"], "data is a folder: add its files one by one"),
        (&["remove-source", "absent", "--reason", "x"], "absent"),
        (&["remove-source", "Minutes", "--reason", "x"], "the story's own text cannot be removed"),
    ] {
        refused(&newsroom, words, says);
    }

    // The Reporter goes before the writer revises, and what it found is a source.
    decided(&newsroom, &["continue", "--resume"]);
    let shown = newsroom.ran(&["show", "park"]).out;
    let research = shown.split("\nResearch\n").nth(1).unwrap_or_else(|| panic!("no section\n{shown}"));
    for part in [
        "  Round 1, research\n",
        &format!(": {question}\n"),
        "    search_knowledge_base “What share of the budget is lighting?”: S1 Public works plan\n",
        "    kept to question ",
        "    S1 Public works plan, works.md, 2026-09-30 (found): kept; ",
        "       credibility 0.",
        "    notes.md (added): kept; ",
        "    The director (added): removed by The editor: It is the same text.; ",
    ] {
        assert!(research.contains(part), "{part}\n{research}");
    }
    let revision = server.calls().into_iter().find(|call| call.agent == "revision").unwrap();
    let told = format!("For “{question}”: Public works plan (works.md) says “");
    assert!(revision.user.contains(&told), "{}", revision.user);

    // A distrusted source is shown as before; nothing rests on it.
    assert!(
        shown.contains("remove-source NAME --distrust --reason TEXT: lets nothing rest on the source notes.md"),
        "{shown}"
    );
    refused(
        &newsroom,
        &["remove-source", "--distrust", "works.md", "--reason", " "],
        "say why you distrust the source",
    );
    decided(&newsroom, &["remove-source", "--distrust", "works.md", "--reason", "The plan was withdrawn."]);
    refused(
        &newsroom,
        &["remove-source", "--distrust", "works.md", "--reason", "Again."],
        "already removed or distrusted",
    );
    let told = newsroom.ran(&["show", "park"]).out;
    let line = "    S1 Public works plan, works.md, 2026-09-30 (found): distrusted by The editor, so nothing rests on it: The plan was \
                withdrawn.; ";
    assert!(told.contains(line), "{told}");
    assert!(newsroom.ran(&["log", "park"]).out.contains("distrust source"));
    decided(&newsroom, &["stet", "--reason", "It may stand."]);
    assert_eq!(newsroom.run(&["replay", "park", "--into", "again", "--json"]).code, 0);

    let json: Value = serde_json::from_str(&newsroom.ran(&["show", "park", "--json"]).out).unwrap();
    assert_eq!(json["research"]["sources"][3]["distrusted"]["by"], "The editor");
    let research = &json["research"];
    assert_eq!(research["errands"][0]["errand"], "r1");
    assert_eq!(research["errands"][0]["calls"][0]["state"], "found");
    assert_eq!(research["triage"][0]["ways"][0]["way"], "research");
    let sources: Vec<(&str, &str)> = research["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| (source["name"].as_str().unwrap(), source["origin"].as_str().unwrap()))
        .collect();
    assert_eq!(sources, [("Minutes", "own"), ("notes.md", "added"), ("The director", "added"), ("works.md", "found")]);
}

#[test]
fn without_triage_nobody_is_sent_but_sources_can_be_added() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    newsroom.ran(&["run", "--plain", topic.to_str().unwrap()]);
    newsroom.write("notes.md", b"My notes.\n");
    refused(&newsroom, &["research", "Who pays?"], "research.triage was false when it was opened");
    decided(&newsroom, &["add-source", "notes.md"]);
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("\nResearch\n  Sources\n") && shown.contains("remove-source NAME"), "{shown}");
    assert!(!shown.contains("--concern NUMBER [--skip]") && !shown.contains("park research TEXT"), "{shown}");
}
