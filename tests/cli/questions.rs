//! Questions that a model writes for a fact check (`knowledge_base.questions: model`), over real HTTP, and those of a journalist to a story.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
};

use rusqlite::Connection;
use serde_json::json;

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Latch, Reply, Server},
};

/// The claim of the fact check is “begin in April”; this shares no word with it.
const ORDINANCE: &[u8] = b"# Ordinance\n\nNobody may disturb nesting herons at the pond between February and July.\n";

fn questions(call: &Call) -> Reply {
    match call.agent.as_str() {
        "questions" => {
            Reply::Text(json!({"questions": ["When do herons nest at the pond?", "When does work start?"]}).to_string())
        }
        _ => script::usual(call),
    }
}

fn newsroom(server: &Server) -> Newsroom {
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("questions: rule", "questions: model"));
    newsroom.write("data/knowledgebase/ordinance.md", ORDINANCE);
    newsroom
}

/// The user message of the first call of an agent.
fn told(server: &Server, agent: &str) -> String {
    server.calls().into_iter().find(|call| call.agent == agent).unwrap().user
}

#[test]
fn a_fact_check_finds_by_its_questions_what_the_claim_does_not_name() {
    let server = Server::start(questions);
    let newsroom = newsroom(&server);
    let done = newsroom.run(&["run", "--auto", "--json", newsroom.topic().to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!((server.count("questions"), server.count("fact_check")), (1, 1));
    let asked = told(&server, "questions");
    assert!(asked.contains("begin in April") && asked.contains("Council votes to renovate park"), "{asked}");
    assert!(!asked.contains("The minutes name no month"), "no source is read for it: {asked}");
    let judged = told(&server, "fact_check");
    assert!(judged.contains("citation: ordinance.md, bytes") && judged.contains("nesting herons"), "{judged}");
    let place = |step: &str| done.out.find(&format!("\"step_done\",\"step\":\"{step}\"")).unwrap_or(usize::MAX);
    let order = ["r1.c1.questions", "r1.c1.lookup", "r1.c1.judge"].map(place);
    assert!(order.is_sorted() && order[2] < usize::MAX, "{order:?}");

    // Where the memory has the answer nobody writes questions.
    server.forget();
    let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("park-again"));
    let again = newsroom.auto(&topic);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!((server.count("questions"), server.count("fact_check")), (0, 0));
    let shown = newsroom.run(&["show", "park-again"]).out;
    assert!(shown.contains("1 answered from earlier checks: 2 calls not made"), "{shown}");
}

#[test]
fn by_rule_no_call_is_made_and_no_prompt_is_needed() {
    let server = Server::start(questions);
    let newsroom = Newsroom::at(&server.base());
    newsroom.write("data/knowledgebase/ordinance.md", ORDINANCE);
    let prompts = own_prompts(&newsroom);
    fs::remove_file(prompts.join("specialists/questions.md")).unwrap();
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    assert_eq!(server.count("questions"), 0);
    assert!(!told(&server, "fact_check").contains("nesting herons"));

    let config = newsroom.read("config/config.yaml").replace("questions: rule", "questions: model");
    newsroom.write("config/config.yaml", config.as_bytes());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("questions.md cannot be read"), "{}", done.err);
}

/// Gives the newsroom prompts of its own.
pub fn own_prompts(newsroom: &Newsroom) -> std::path::PathBuf {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts");
    for folder in ["article_editor", "article_editor/specialists", "styles"] {
        for file in fs::read_dir(shipped.join(folder)).unwrap().flatten().filter(|file| file.path().is_file()) {
            let name = format!("prompts/{folder}/{}", file.file_name().to_str().unwrap());
            newsroom.write(&name, &fs::read(file.path()).unwrap());
        }
    }
    let theirs = json!(shipped.join("article_editor")).to_string();
    let config = newsroom.read("config/config.yaml").replace(&theirs, "./prompts/article_editor");
    newsroom.write("config/config.yaml", config.as_bytes());
    newsroom.path().join("prompts/article_editor")
}

/// Those of the Reporter and the Editor beside them, without an `AGENTS.md`.
pub fn research_prompts(newsroom: &Newsroom) {
    for file in ["reporter/plan.md", "reporter/research.md", "editor/coverage.md", "editor/triage.md"] {
        let name = format!("prompts/agents/{file}");
        newsroom.write(&name, &fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(&name)).unwrap());
    }
}

#[test]
fn a_useless_answer_is_asked_for_again_and_then_ends_the_story() {
    let useless = |times: usize| {
        Server::start(move |call| match call.agent.as_str() {
            "questions" if call.before < times => Reply::Text(r#"{"questions":[]}"#.into()),
            _ => questions(call),
        })
    };
    let server = useless(1);
    let newsroom_of = |server: &Server| {
        let newsroom = newsroom(server);
        let done = newsroom.auto(&newsroom.topic());
        (done.code, done.err, server.count("questions"))
    };
    let (code, err, asked) = newsroom_of(&server);
    assert_eq!((code, asked), (0, 2), "{err}");
    let server = useless(9);
    let (code, err, asked) = newsroom_of(&server);
    assert_eq!((code, asked), (1, 2), "{err}");
    assert!(err.contains("it has 0 questions; 1 to 5 are wanted"), "{err}");
}

#[test]
fn questions_that_are_written_are_not_asked_for_again_after_a_crash_and_another_setting_pins_another_run() {
    let latch = Latch::default();
    let held = latch.clone();
    let server = Server::start(move |call| match call.agent.as_str() {
        "fact_check" => Reply::Held(script::text(call), 5, held.clone()),
        _ => questions(call),
    });
    let newsroom = newsroom(&server);
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    let written = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .any(|line| line.contains("step_done") && line.contains("r1.c1.lookup"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(written);
    latch.open();
    let pinned = || -> i64 {
        let database = Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
        database.query_row("SELECT count(DISTINCT pins) FROM run", [], |row| row.get(0)).unwrap()
    };
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!((server.count("questions"), pinned()), (1, 1));
    let rule = newsroom.read("config/config.yaml").replace("questions: model", "questions: rule");
    newsroom.write("config/config.yaml", rule.as_bytes());
    let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("other"));
    assert_eq!(newsroom.auto(&topic).code, 0);
    assert_eq!(pinned(), 2);
}

#[test]
fn without_a_model_the_passage_that_answers_comes_first_and_a_question_without_one_is_said() {
    let newsroom = Newsroom::offline();
    let filler = "The paths are old and the paths are wet. Walkers complain of the paths.\n\n".repeat(40);
    let answers = "The plan lays 1.4 miles of paths around the pond. It costs $2.4 million. DANA RUIZ spoke in April.";
    let source = format!("{filler}{answers}\n\n{filler}");
    let topic = newsroom.topic_with(|topic| topic["source_text"] = json!(source));
    assert!(newsroom.auto(&topic).code < 2);
    let ask = |question: &str| {
        let asked = newsroom.ran(&["ask", "park", question, "--json"]);
        serde_json::from_str::<serde_json::Value>(&asked.out).unwrap()
    };
    for (question, answer) in
        [("How long are the paths?", "1.4 miles"), ("What does it cost?", "$2.4 million"), ("Who spoke?", "RUIZ")]
    {
        let told = ask(question);
        assert!(told["passages"][0]["text"].as_str().unwrap().contains(answer), "{question}: {told}");
    }
    // Each part of a question has its passage, or is told to have none.
    let told = ask("What does it cost, and who spoke?");
    assert!(
        told["passages"].to_string().contains("$2.4 million") && told["passages"].to_string().contains("RUIZ"),
        "{told}"
    );
    assert!(!told["note"].as_str().unwrap().contains("No passage"), "{told}");
    let told = ask("How long are the paths, and how deep is the pond?");
    assert!(told["passages"][0]["text"].as_str().unwrap().contains("1.4 miles"), "{told}");
    assert_eq!(told["note"], "No passage answers “how deep is the pond?”.");
    for listed in
        ["1. How long are the paths?\n2. how deep is the pond?", "How long are the paths; how deep is the pond?"]
    {
        assert_eq!(ask(listed)["note"], "No passage answers “how deep is the pond?”.", "{listed}");
    }
    for question in ["How deep is the pond?", "How tall is the tower?", "When do the walkers complain?"] {
        let told = ask(question);
        assert!(told["note"].as_str().unwrap().starts_with("No passage answers this."), "{question}: {told}");
    }
    assert!(newsroom.ran(&["ask", "park", "How deep is the pond?"]).err.contains("No passage answers this."));
}
