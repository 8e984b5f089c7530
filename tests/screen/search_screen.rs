//! The search in a real terminal: what the knowledge folder, stories and articles hold, as one types.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    press, script,
    server::{Call, NOBODY, Reply, Server},
    terminal::Terminal,
};

const SEARCH: &str = "L";

fn ordinance(newsroom: &Newsroom) {
    let text = "---\ncredibility: 0.9\ndate: 2019-03-05\n---\n# The ordinance on parks\n\n## When work may begin\n\nWork on parks \
                must not begin in April\u{1b}[2J, when birds breed.\n\n## Fines\n\nWhoever begins earlier pays a hundred dollars.\n";
    newsroom.write("data/knowledgebase/ordinance.md", text.as_bytes());
    newsroom.write(
        "data/knowledgebase/gossip.md",
        b"---\ncredibility: 0.2\n---\n# Gossip\n\nThe keeper of the birds is a zealot.\n",
    );
}

#[test]
fn passages_are_found_read_copied_and_lead_to_their_story() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    ordinance(&newsroom);
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let calls = server.calls().len();
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("desk/park");

    // Nothing is typed; what there is, is said.
    terminal.keys(SEARCH).wait_for("Type a name");
    terminal.keys("\"birds april\"").wait_for("The ordinance on parks");
    terminal.wait_for("Found: birds, april");
    terminal.wait_for("ordinance.md");
    terminal.wait_for("pays a hundred dollars");
    let shot = terminal.wait_for("trusted texts only");
    assert!(!shot.contains("zealot") && shot.contains("no model for that is configured"), "{}", shot.text());
    // Less trusted texts, another place.
    terminal.keys("ctrl-g").wait_for("Gossip");
    terminal.keys("ctrl-o").wait_for("[Knowledge base]");
    terminal.keys("ctrl-o").wait_gone("ordinance.md");
    terminal.keys("ctrl-o").wait_for("ordinance.md");

    // Into what was found, and its citation.
    terminal.keys("enter y").wait_for("The citation: ");
    terminal.keys("enter").wait_for("▼ passage");
    terminal.keys("esc esc esc").wait_gone("Search everywhere ─");

    // The query is still there. The article and its sources are found, and lead to their story.
    terminal.keys(SEARCH).wait_for("birds april");
    terminal.keys("ctrl-u").wait_for("Type a name");
    terminal.keys("\"council park vote\"").wait_for("desk/park");
    terminal.keys("enter enter").wait_gone("Search everywhere ─");
    // At the passage, in its source.
    terminal.wait_for("Concerns of round");
    terminal.keys("esc esc").wait_for("Desk of");
    terminal.leave();
    assert_eq!(server.calls().len(), calls, "searching asks no model");
}

#[test]
fn without_anything_indexed_the_search_says_what_to_do() {
    let newsroom = Newsroom::offline();
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    terminal.keys(SEARCH).wait_for("Nothing is indexed yet. Put files into");
    terminal.keys("\"park\"").wait_for("They are indexed when this page opens");
    terminal.keys("esc").wait_gone("Search everywhere ─");
    // A story's own sources are searched at once.
    terminal.keys(press::SAMPLE).wait_for("Round 1 waits for you");
    terminal.keys(SEARCH).wait_for("This story");
    terminal.keys("ctrl-o").wait_for("[This story]");
    terminal.keys("ctrl-u \"council\"").wait_for("▼ passage");
    terminal.keys("esc").wait_gone("Search everywhere ─");
    terminal.leave();
}

/// The usual newsroom without models, with an embedder at `base`.
fn with_embedder(base: &str) -> Newsroom {
    let newsroom = Newsroom::with(|yaml| {
        let server = format!(
            "embedding:\n      provider: openai_compatible\n      model_name: bge\n      api_base: {base}\n      api_key: any\n      timeout_seconds: 5"
        );
        yaml.replace("embedding: null", &server)
    });
    ordinance(&newsroom);
    newsroom
}

/// Vectors of equal direction, at once; for a question only after a while.
fn slow_for_questions(call: &Call) -> Reply {
    let inputs = call.body["input"].as_array().unwrap();
    if inputs.len() == 1 && inputs[0] == "birds" {
        std::thread::sleep(Duration::from_millis(1_500));
    }
    let data: Vec<Value> = (0..inputs.len())
        .map(|index| json!({"index": index, "embedding": [3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]}))
        .collect();
    Reply::Raw("application/json", json!({"data": data, "model": "bge"}).to_string().into_bytes())
}

#[test]
fn vectors_follow_in_the_background_and_words_are_found_before_them() {
    let server = Server::start(slow_for_questions);
    let newsroom = with_embedder(&server.base());
    let terminal = Terminal::start(&newsroom, &[], 30, 120);
    let host = server.base().replace("http://", "").replace("/v1", "");
    // Who sees what is searched for is said, whichever engine writes.
    terminal.wait_for(&format!("text stays on this machine: {host}"));
    terminal.wait_until("the vectors to be made", |_| !server.calls().is_empty());
    terminal.keys(SEARCH).wait_for("Type a name");
    terminal.keys("\"birds\"").wait_for("found by words; the search by meaning has not answered yet");
    terminal.wait_for("Found: birds");
    terminal.wait_for("similar in meaning");
    terminal.wait_gone("the search by meaning has not answered yet");
    terminal.keys("esc").wait_gone("Search everywhere ─");
    let made = server.calls().len();
    terminal.leave();

    // Where nothing is new, nobody is asked.
    let terminal = Terminal::start(&newsroom, &[], 30, 120);
    terminal.keys(SEARCH).wait_for("Type a name");
    terminal.keys("esc").wait_gone("Search everywhere ─");
    terminal.leave();
    assert_eq!(server.calls().len(), made);
}

#[test]
fn without_its_embedder_the_search_goes_on_by_words_and_says_so() {
    let newsroom = with_embedder(&format!("http://{NOBODY}/v1"));
    let terminal = Terminal::start(&newsroom, &[], 30, 120);
    terminal.keys(SEARCH).wait_for("Type a name");
    terminal.keys("\"birds\"").wait_for("Found: birds");
    terminal.wait_for("Matched by words alone");
    terminal.wait_for("still matches");
    terminal.keys("esc").wait_gone("Search everywhere ─");
    terminal.leave();
}
