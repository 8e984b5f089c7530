//! Agents beside the Reporter that call tools and open skills (`research.agents`), over real HTTP.

use serde_json::{Value, json};

use super::assign::{self, PAGE, artifact, calls, obeys, replays};
use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

const REPORT: &str = "<html><head><title>Works report</title></head><body><main><p>Work on the paths of Miller Park will begin in April \
    2027, the parks director told the council, and nobody objected to the date that the plan names for it.</p></main></body></html>";

fn messages(call: &Call) -> &[Value] {
    call.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// What the tools have answered so far.
fn results(call: &Call) -> Vec<&str> {
    let results = messages(call).iter().filter(|message| message["role"] == "tool");
    results.filter_map(|message| message["content"].as_str()).collect()
}

fn system(call: &Call) -> &str {
    messages(call).first().and_then(|message| message["content"].as_str()).unwrap_or_default()
}

/// The usual story, but the fact checker and the style reviewer use their tools; a search finds the page `report`.
fn looks(report: String) -> impl Fn(&Call) -> Reply + Send + Sync + 'static {
    move |call| match (call.agent.as_str(), results(call).len()) {
        ("page", _) => {
            let found = json!({"url": report, "title": "Works report", "content": "The paths.", "engine": "own"});
            Reply::raw("application/json", json!({ "results": [found] }).to_string())
        }
        ("fact_check", 0) => calls(&[
            ("search_web", json!({"query": "Miller Park work begin April"})),
            ("search_web", json!({"query": "minutes name no month"})),
            ("fetch_content", json!({"url": "http://127.0.0.1:9/minutes-name-no-month"})),
        ]),
        ("fact_check", 3) => calls(&[("fetch_content", json!({ "url": report }))]),
        ("fact_check", 4) => calls(&[
            ("load_skill", json!({"name": "contradiction-detection"})),
            ("load_skill", json!({"name": "gap-analysis"})),
        ]),
        ("fact_check", _) => {
            let mut verdict: Value = serde_json::from_str(&script::verdict(1)).unwrap();
            verdict["citations"] = json!([report, "http://127.0.0.1/invented"]);
            verdict["evidence"] = json!("The report: “will begin in April 2027”.");
            Reply::Text(verdict.to_string())
        }
        ("style_review", 0) => calls(&[("load_skill", json!({"name": "grammar-checking"}))]),
        _ => script::usual(call),
    }
}

/// The usual story; a search finds nothing.
fn quiet(call: &Call) -> Reply {
    match call.agent.as_str() {
        "page" => Reply::raw("application/json", json!({"results": []}).to_string()),
        _ => script::usual(call),
    }
}

/// Turns skills on.
fn taught(yaml: &str) -> String {
    let (before, section) = yaml.split_once("\nskills:\n").expect("the section");
    format!("{before}\nskills:\n{}", section.replacen("enabled: false", "enabled: true", 1))
}

fn with_tools(yaml: &str, server: &Server) -> String {
    let search = format!(
        "\n  search:\n    provider: searxng\n    api_base: {}\n    timeout_seconds: 20\n    most_results: 5",
        server.page("")
    );
    yaml.replace("\n  agents: []", "\n  agents: [editor, fact-checker]")
        .replace("\n  search: null", &search)
        .replace("respects_robots: true", "respects_robots: false")
        .replace("local_only: false", "local_only: true")
}

/// The queries that the search got.
fn searched(server: &Server) -> Vec<String> {
    let calls = server.calls().into_iter().filter(|call| call.user == "/search");
    calls.map(|call| call.body.to_string()).collect()
}

#[test]
fn a_fact_checker_searches_opens_and_cites_and_each_specialist_opens_its_own_skills() {
    let site = Server::start(|_| Reply::raw("text/html", REPORT));
    let report = site.page("/report");
    let server = Server::start(looks(report.clone()));
    let newsroom = Newsroom::at_with(&server.base(), |yaml| taught(&with_tools(&yaml, &server)));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let all = server.calls();
    let turns: Vec<&Call> = all.iter().filter(|call| call.agent == "fact_check").collect();
    assert_eq!(turns.len(), 4, "{turns:#?}");
    let names = |call: &Call| -> Vec<String> {
        let tools = call.body["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(turns[0]), ["fetch_content", "search_knowledge_base", "search_web", "load_skill"]);
    // Names and one line at first; a text after it was asked for, and its own alone.
    assert!(system(turns[0]).contains("\n- contradiction-detection: ") && !system(turns[0]).contains("<skill name="));
    let last = results(turns[3]);
    assert_eq!(last.len(), 6, "{last:#?}");
    assert!(last[4].contains("This is a skill of the newsroom") && last[5].contains("There is no skill"), "{last:#?}");
    // Only words of the draft leave the house, and only pages that a search brought are opened.
    assert!(last[1].contains("These do not stand there: minutes, name, month."), "{}", last[1]);
    assert!(last[2].contains("stands neither in the draft nor in a result"), "{}", last[2]);
    assert!(searched(&server).iter().any(|query| query.contains("begin")), "{:?}", searched(&server));
    assert!(!searched(&server).iter().any(|query| query.contains("month")), "{:?}", searched(&server));
    // The verdict cites the page that was opened, and its quotation stands there.
    let verdicts: Value = serde_json::from_str(&artifact(&newsroom, "iter1_verdicts.json")).unwrap();
    let verdicts = verdicts.to_string();
    assert!(verdicts.contains(&report) && !verdicts.contains("invented"), "{verdicts}");
    assert!(verdicts.contains("will begin in April 2027") && !verdicts.contains("Not found"), "{verdicts}");
    // Words alone: the style reviewer opens skills and searches nothing.
    let style: Vec<&Call> = all.iter().filter(|call| call.agent == "style_review").collect();
    assert_eq!((style.len(), names(style[0])), (2, vec!["load_skill".to_owned()]));
    assert!(results(style[1])[0].contains("This is a skill of the newsroom"), "{:?}", results(style[1]));
    replays(&newsroom);
}

#[test]
fn a_model_that_calls_nothing_is_asked_once_and_a_server_without_tools_too() {
    let server = Server::start(quiet);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| with_tools(&yaml, &server));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!((done.code, server.count("fact_check")), (0, 1), "{}", done.err);
    // Without skills the style reviewer has no tool, and its request is the usual one.
    let style = server.calls().into_iter().find(|call| call.agent == "style_review").unwrap();
    assert!(style.body.get("tools").is_none() && !system(&style).contains("call tools"), "{}", style.body);
    let verdicts = artifact(&newsroom, "iter1_verdicts.json");
    replays(&newsroom);

    let refusing = Server::start(|call| {
        if call.body.get("tools").is_some() {
            return Reply::Status(400, vec![], json!({"error": "this model does not support tools"}).to_string());
        }
        quiet(call)
    });
    let newsroom = Newsroom::at_with(&refusing.base(), |yaml| with_tools(&yaml, &refusing));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(artifact(&newsroom, "iter1_verdicts.json"), verdicts);
}

#[test]
fn a_model_that_gives_no_useful_answer_with_tools_is_asked_without() {
    let server = Server::start(|call| {
        if call.agent == "fact_check" && call.body.get("tools").is_some() {
            return Reply::Text("I would rather not.".to_owned());
        }
        quiet(call)
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| with_tools(&yaml, &server));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let last = server.calls().into_iter().rfind(|call| call.agent == "fact_check").unwrap();
    assert!(last.body.get("tools").is_none(), "{}", last.body);
    replays(&newsroom);
}

#[test]
fn an_editor_looks_what_can_be_found_before_it_asks_for_more() {
    let usual = obeys(PAGE);
    let server = Server::start(move |call| {
        let searches = system(call).starts_with("You are the Editor of a newsroom. Before the first draft");
        match (searches, results(call).len()) {
            _ if call.user == "/search" => Reply::raw("application/json", json!({"results": []}).to_string()),
            (true, 0) => calls(&[("search_web", json!({"query": "Miller Park objections"}))]),
            _ => usual(call),
        }
    });
    let newsroom = assign::newsroom(&server);
    let yaml = with_tools(&newsroom.read("config/config.yaml"), &server);
    newsroom.write("config/config.yaml", yaml.as_bytes());
    let assignment = format!("How did the council vote? See {}/minutes.", server.base());
    let done = newsroom.run(&["assign", &assignment, "--auto", "--json"]);
    assert!(done.code < 2, "{}\n{}", done.out, done.err);
    assert!(searched(&server).iter().any(|query| query.contains("objections")), "{:?}", searched(&server));
    assert!(done.out.contains("\"g1.t1.k1\"") && done.out.contains("\"p1.coverage\""), "{}", done.out);
    replays(&newsroom);
}
