//! Agents beside the Reporter that call tools and open skills (`research.agents`), over real HTTP.

use serde_json::{Value, json};

use super::{
    assign::{self, PAGE, artifact, calls, obeys, replays},
    questions::{own_prompts, research_prompts},
};
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

/// Turns skills on, also those of the Editor: the style review has some of them.
fn taught(yaml: &str) -> String {
    let yaml = yaml.replace("\n  agents: [fact-checker]", "\n  agents: [editor, fact-checker]");
    let (before, section) = yaml.split_once("\nskills:\n").expect("the section");
    format!("{before}\nskills:\n{}", section.replacen("enabled: false", "enabled: true", 1))
}

fn with_tools(yaml: &str, server: &Server) -> String {
    let search = format!(
        "\n  search:\n    provider: searxng\n    api_base: {}\n    timeout_seconds: 20\n    most_results: 5",
        server.page("")
    );
    yaml.replace("\n  agents: []", "\n  agents: [fact-checker]")
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
    // A person reads what it looked up, and which page it opened.
    let shown = newsroom.run(&["show", "desk/park"]).out;
    assert!(shown.contains("  Round 1, concern 1\n"), "{shown}");
    assert!(
        shown.lines().any(|line| line.contains("fetch_content “") && line.contains(&format!(": {report} "))),
        "{shown}"
    );
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
    // A verdict for which nothing was called is remembered as any other.
    let listed: Value = serde_json::from_str(&newsroom.ran(&["memory", "list", "--json"]).out).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
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
            (true, 0) => calls(&[
                ("search_web", json!({"query": "Miller Park objections"})),
                ("load_skill", json!({"name": "gap-analysis"})),
            ]),
            _ => usual(call),
        }
    });
    let newsroom = assign::newsroom(&server);
    let yaml = taught(&with_tools(&newsroom.read("config/config.yaml"), &server));
    newsroom.write("config/config.yaml", yaml.as_bytes());
    let assignment = format!("How did the council vote? See {}/minutes.", server.base());
    let done = newsroom.run(&["assign", &assignment, "--auto", "--json"]);
    assert!(done.code < 2, "{}\n{}", done.out, done.err);
    assert!(searched(&server).iter().any(|query| query.contains("objections")), "{:?}", searched(&server));
    assert!(done.out.contains("\"g1.t1.k1\"") && done.out.contains("\"p1.coverage\""), "{}", done.out);
    // It opens a skill of its own: by name and one line at first, its text on demand.
    let all = server.calls();
    let looks: Vec<&Call> = all.iter().filter(|call| system(call).contains("Before the first draft")).collect();
    assert!(system(looks[0]).contains("\n- gap-analysis: ") && !system(looks[0]).contains("<skill name="));
    assert!(results(looks[1])[1].contains("This is a skill of the newsroom"), "{:?}", results(looks[1]));
    replays(&newsroom);
}

/// The usual story with the fact checker's tools and a proof; the second draft has this note.
fn with_note(report: &str, note: String) -> (Server, Newsroom) {
    let usual = looks(report.to_owned());
    let server = Server::start(move |call| match call.agent.as_str() {
        "revision" => {
            let mut article: Value = serde_json::from_str(&script::article(2)).unwrap();
            article["articleBody"] = json!(format!(
                "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.[^1]\n\n## Footnotes\n\n[^1]: {note}\n"
            ));
            Reply::Text(article.to_string())
        }
        _ => usual(call),
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let yaml = taught(&with_tools(&yaml, &server));
        let (before, proof) = yaml.split_once("\nproof:").expect("the section");
        format!("{before}\nproof:{}", proof.replacen("enabled: false", "enabled: true", 1))
    });
    (server, newsroom)
}

#[test]
fn a_footnote_is_held_against_the_page_that_the_fact_checker_opened() {
    let site = Server::start(|_| Reply::raw("text/html", REPORT));
    let report = site.page("/report");
    for (quoted, wrong) in [
        ("the paths of Miller Park will begin in April 2027", false),
        ("Miller Park will never begin in May 2031", true),
    ] {
        let note = format!("Works report, {report}, opened on 28 November 2026: “{quoted}”.");
        let (_server, newsroom) = with_note(&report, note);
        let done = newsroom.auto(&newsroom.topic());
        assert!(done.code < 2, "{}", done.err);
        let draft = artifact(&newsroom, "iter2_writer_draft.json");
        assert!(draft.contains("[^1]: Works report"), "a verdict cites it: {draft}");
        let review = artifact(&newsroom, "iter2_article_review.json");
        assert_eq!(review.contains(quoted), wrong, "{review}");
        assert!(!review.contains("28 November") && !review.contains("Works report"), "{review}");
        let ledger = newsroom.run(&["show", "desk/park", "--json"]).out;
        assert!(!ledger.contains("No text of what it cites was kept"), "{ledger}");
        replays(&newsroom);
    }
}

#[test]
fn a_verdict_that_came_with_tools_is_remembered_with_its_citations_and_serves_the_same_sources_again() {
    let site = Server::start(|_| Reply::raw("text/html", REPORT));
    let report = site.page("/report");
    let server = Server::start(looks(report.clone()));
    let newsroom = Newsroom::at_with(&server.base(), |yaml| taught(&with_tools(&yaml, &server)));
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let listed: Value = serde_json::from_str(&newsroom.ran(&["memory", "list", "--json"]).out).unwrap();
    let [record] = &listed.as_array().unwrap()[..] else { panic!("{listed}") };
    let key = record["cache_key_hash"].as_str().unwrap();
    let shown = newsroom.ran(&["memory", "list", key]).out;
    assert!(shown.contains(&format!("{report} (opened ")) && shown.contains("Works report"), "{shown}");
    let mut files = newsroom.files().into_iter().map(|(name, _)| name);
    let file = files.rfind(|name| name.starts_with("data/institutional_memory")).expect("its file");
    let kept = newsroom.json(&file);
    assert_eq!(kept["verdict"]["citations"], json!([report]), "{kept}");
    let prompt = kept["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("asked in turns with tools\n") && prompt.contains("fetch_content {"), "{prompt}");

    // The same sources again: nobody is asked.
    let asked = server.count("fact_check");
    let again = |slug: &str, more: &str| {
        let topic = newsroom.topic_with(|topic| {
            topic["source_metadata"]["topic_slug"] = json!(slug);
            topic["source_text"] = json!(format!("{}{more}", topic["source_text"].as_str().unwrap()));
        });
        let done = newsroom.auto(&topic);
        assert_eq!(done.code, 0, "{}", done.err);
        let result = newsroom.json(&format!("data/output/articles/desk/{slug}.json"));
        result["editor_report"]["iterations"][0]["verdicts"][0]["citations"].clone()
    };
    assert_eq!(again("same", ""), json!([report]));
    assert_eq!(server.count("fact_check"), asked);
    // Other sources: the page is no part of the knowledge base, so it is checked anew.
    assert_eq!(again("other", "\n\nThe clerk closed the meeting."), json!([report]));
    assert!(server.count("fact_check") > asked);
}

#[test]
fn the_doctor_tells_what_each_agent_may_call_and_what_its_file_names_in_vain() {
    let server = Server::start(quiet);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("\n  agents: []", "\n  agents: [editor, fact-checker]")
            .replace("editor_llm: null", "editor_llm:\n      use: local")
    });
    own_prompts(&newsroom);
    research_prompts(&newsroom);
    let profile = |agent: &str, tools: &str| {
        let text = format!("---\nname: {agent}\ndescription: d\ntools: [{tools}]\n---\nYou work here.\n");
        newsroom.write(&format!("prompts/agents/{agent}/AGENTS.md"), text.as_bytes());
    };
    profile("fact-checker", "search_web, fetch_contents, search_knowledge_base, load_skill");
    profile("writer", "search_web");
    let lines = |render: &str| {
        let yaml = newsroom.read("config/config.yaml");
        let (before, after) = yaml.split_once("\n    render: ").expect("the key");
        let (_, after) = after.split_once('\n').unwrap();
        newsroom.write("config/config.yaml", format!("{before}\n    render: {render}\n{after}").as_bytes());
        newsroom.run(&["doctor", "--trust"]).out
    };
    let doctor = lines("null");
    for said in [
        "TO DO  agents: fact-checker/AGENTS.md names fetch_contents, but nothing offers that to the Fact-Checker: correct the name, ",
        "fine   tools of the Fact-Checker: search_knowledge_base; fact-checker/AGENTS.md does not name fetch_content, parse_RSS, so the \
         Fact-Checker may not call that; off: search_web (tools.search: null), load_skill (skills.enabled: false)\n",
        "fine   tools of the Editor: fetch_content, parse_RSS, search_knowledge_base\n",
        "TO DO  agents: writer/AGENTS.md names search_web, but this agent calls no tools: ",
        "fine   pages that need scripts: refused (tools.fetch.render: null)\n",
    ] {
        assert!(doctor.contains(said), "{said}: {doctor}");
    }
    let here = std::env::current_exe().unwrap().display().to_string();
    for (program, found) in [(here.as_str(), true), ("no-such-browser-9", false), ("/nowhere/chromium", false)] {
        let doctor = lines(&json!([program, "{url}"]).to_string());
        let said = if found {
            format!("fine   pages that need scripts: {program} draws them (found, not started)\n")
        } else {
            format!("TO DO  pages that need scripts: the program {program} is not found: install it, ")
        };
        assert!(doctor.contains(&said), "{said}: {doctor}");
    }
}
