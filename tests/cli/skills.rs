//! Skills in the prompts of models (`skills.enabled`), over real HTTP.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde_json::json;

use super::questions::own_prompts;
use crate::support::{newsroom::Newsroom, script, server::Server};

/// Turns skills on in a configuration.
fn taught(yaml: &str) -> String {
    let (before, section) = yaml.split_once("\nskills:\n").expect("the section");
    format!("{before}\nskills:\n{}", section.replacen("enabled: false", "enabled: true", 1))
}

fn teach(newsroom: &Newsroom) {
    newsroom.write("config/config.yaml", taught(&newsroom.read("config/config.yaml")).as_bytes());
}

fn untaught(newsroom: &Newsroom) {
    let yaml = newsroom.read("config/config.yaml");
    let (before, section) = yaml.split_once("\nskills:\n").expect("the section");
    let yaml = format!("{before}\nskills:\n{}", section.replacen("enabled: true", "enabled: false", 1));
    newsroom.write("config/config.yaml", yaml.as_bytes());
}

/// The skills whose text the system message of each agent's prompt has; none may stand in a task.
fn opened(server: &Server) -> BTreeMap<String, BTreeSet<String>> {
    let mut opened: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for call in server.calls() {
        let system = call.body["messages"][0]["content"].as_str().unwrap().to_owned();
        assert!(!call.user.contains("<skill name="), "{}", call.agent);
        let names = system.split("<skill name=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0.to_owned());
        opened.entry(call.agent).or_default().extend(names);
    }
    opened
}

fn told(server: &Server, agent: &str) -> String {
    let call = server.calls().into_iter().find(|call| call.agent == agent).unwrap();
    call.body["messages"][0]["content"].as_str().unwrap().to_owned()
}

fn pins(newsroom: &Newsroom) -> i64 {
    let database = Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    database.query_row("SELECT count(DISTINCT pins) FROM run", [], |row| row.get(0)).unwrap()
}

/// Another story of the same sources.
fn run(newsroom: &Newsroom, slug: &str) -> (i32, String) {
    let topic = newsroom.topic_with(|topic| {
        topic["source_metadata"]["topic_slug"] = json!(slug);
        // Nothing is answered from the memory.
        topic["source_text"] = json!(format!("{} The file is {slug}.", topic["source_text"].as_str().unwrap()));
    });
    let done = newsroom.auto(&topic);
    (done.code, done.err)
}

#[test]
fn each_skill_stands_in_exactly_the_prompts_that_it_names() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| taught(&yaml));
    let (code, err) = run(&newsroom, "park");
    assert_eq!(code, 0, "{err}");
    let expected = [
        ("article_review", "fact-identification"),
        ("attribution", "actionable-feedback-generation"),
        ("concern_mapping", ""),
        ("evidence_finding", "credibility-scoring"),
        ("fact_check", "cross-reference-verification"),
        ("opinion", "actionable-feedback-generation"),
        ("revision", ""),
        ("style_review", "style-consistency"),
        ("writer", ""),
    ];
    let skill = |name: &str| [name.to_owned()].into_iter().filter(|name| !name.is_empty()).collect();
    let expected: BTreeMap<String, BTreeSet<String>> =
        expected.into_iter().map(|(agent, name)| (agent.to_owned(), skill(name))).collect();
    assert_eq!(opened(&server), expected);
    let review = told(&server, "article_review");
    assert!(review.starts_with("You are the Article-Review agent"), "the prompt comes first: {review}");
    assert!(
        review.contains("\n- gap-analysis: Compares research") && review.contains("\n## Facts that hide\n"),
        "{review}"
    );
    assert!(!review.contains("\n- claim-extraction:"), "that is the fact-checker's: {review}");
    assert!(!told(&server, "concern_mapping").contains("These are your skills"));
}

#[test]
fn a_folder_that_is_dropped_in_is_used_and_a_changed_skill_pins_another_run() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    own_prompts(&newsroom);
    assert_eq!(run(&newsroom, "without").0, 0);
    let plain = told(&server, "fact_check");
    assert_eq!(opened(&server).values().map(BTreeSet::len).sum::<usize>(), 0, "they are off");

    teach(&newsroom);
    let (code, err) = run(&newsroom, "missing");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("there are no skills: ") && err.contains("skills.enabled: false does without"), "{err}");
    let doctor = newsroom.run(&["doctor"]);
    assert!(doctor.out.contains("TO DO  skills: there are no skills: "), "{}", doctor.out);

    let drop_in = |body: &str| {
        let text = format!(
            "---\nname: roll-calls\ndescription: Reads votes.\nmetadata:\n  prompts: fact_check\n---\n{body}\n"
        );
        newsroom.write("prompts/agents/fact-checker/skills/roll-calls/SKILL.md", text.as_bytes());
    };
    drop_in("Count the hands.");
    server.forget();
    assert_eq!(run(&newsroom, "with").0, 0);
    let taught = told(&server, "fact_check");
    let added = taught.strip_prefix(&plain).expect("the prompt is as it was, then come the skills");
    assert!(added.contains("- roll-calls: Reads votes.\n"), "{added}");
    assert!(added.ends_with("<skill name=\"roll-calls\">\nCount the hands.\n</skill>"), "{added}");
    assert_eq!(pins(&newsroom), 2);
    assert_eq!(run(&newsroom, "same").0, 0);
    assert_eq!(pins(&newsroom), 2);
    drop_in("Count the hands twice.");
    assert_eq!(run(&newsroom, "changed").0, 0);
    assert_eq!(pins(&newsroom), 3);
    let doctor = newsroom.run(&["doctor"]);
    assert!(doctor.out.contains("fine   skills: 1 in "), "{}", doctor.out);
    assert!(
        doctor.out.contains("Tokens they add to a call: fact_check ") && doctor.out.contains("(roll-calls)"),
        "{}",
        doctor.out
    );

    // A run is replayed as it was, with or without them.
    let calls = server.calls().len();
    for story in ["without", "with"] {
        let replayed = newsroom.run(&["replay", story, "--into", &format!("again-{story}"), "--json"]);
        assert_eq!(replayed.code, 0, "{} {}", replayed.out, replayed.err);
        let told: serde_json::Value = serde_json::from_str(&replayed.out).unwrap();
        assert_eq!((&told["differences"], &told["missing"]), (&json!([]), &json!([])), "{told}");
    }
    assert_eq!(server.calls().len(), calls, "no model is asked");
}

#[test]
fn a_skill_that_cannot_be_used_stops_a_story_before_anything_is_spent_and_the_doctor_names_each_problem() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| taught(&yaml));
    own_prompts(&newsroom);
    newsroom.write("prompts/agents/editor/skills/gaps/SKILL.md", b"---\nname: gap\nversion: 1\n---\nLook.\n");
    newsroom.write("prompts/agents/edtior/skills/gaps/SKILL.md", b"");
    let problems = [
        "editor/skills/gaps/SKILL.md:1: description is missing; add a line `description: ",
        "editor/skills/gaps/SKILL.md:2: the name is gap, but the folder is gaps: make them the same",
        "editor/skills/gaps/SKILL.md:3: version is no field of a skill; ",
        "edtior: there is no such agent; rename the folder to one of ",
    ];
    let (code, err) = run(&newsroom, "park");
    assert_eq!(code, 2, "{err}");
    for problem in problems {
        assert!(err.contains(problem), "{problem}: {err}");
    }
    assert!(server.calls().is_empty() && newsroom.runs().is_empty());
    for on in [true, false] {
        let doctor = newsroom.run(&["doctor"]);
        assert_eq!(doctor.code, 1);
        for problem in problems {
            let line = doctor.out.lines().find(|line| line.contains(problem));
            assert!(line.is_some_and(|line| line.starts_with("TO DO  skill: ")), "{on}: {problem}: {}", doctor.out);
        }
        untaught(&newsroom);
    }
    let (code, err) = run(&newsroom, "park");
    assert_eq!(code, 0, "what is off stops nobody: {err}");
}

#[test]
fn skills_may_not_crowd_out_the_material_of_a_small_window() {
    let server = Server::start(script::usual);
    let small = |yaml: String| taught(&yaml).replace("context_window: 32768", "context_window: 4096");
    let newsroom = Newsroom::at_with(&server.base(), small);
    let (code, err) = run(&newsroom, "park");
    assert_eq!(code, 2, "{err}");
    assert!(
        err.contains("tokens to the prompt fact_check, and a third of what fact_check_llm can take is 682: "),
        "{err}"
    );
    let doctor = newsroom.run(&["doctor"]);
    assert!(doctor.out.contains("TO DO  skills: cross-reference-verification adds "), "{}", doctor.out);
    // Nobody counts what is off.
    untaught(&newsroom);
    let doctor = newsroom.run(&["doctor"]);
    assert!(
        doctor.out.contains("fine   skills: 16 in ") && doctor.out.contains("off (skills.enabled: false)"),
        "{}",
        doctor.out
    );
}

#[test]
fn offline_no_skill_is_read_and_none_can_be_turned_on() {
    let newsroom = Newsroom::offline();
    own_prompts(&newsroom);
    newsroom.write("prompts/agents/editor/skills/gaps/SKILL.md", b"no skill");
    let done = newsroom.auto(&newsroom.topic());
    assert!(done.code != 2, "{}", done.err);
    let refused = Newsroom::with(|yaml| taught(&yaml)).run(&["list"]);
    assert!(
        refused.code == 2 && refused.err.contains("skills.enabled: has no effect with engine: offline"),
        "{}",
        refused.err
    );
}
