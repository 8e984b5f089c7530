//! Questions to the sources of a finished story in a real terminal: with a model, stopped, and without a model.

use serde_json::json;

use crate::support::{
    newsroom::Newsroom,
    press, script,
    server::{Call, Reply, Server},
    terminal::Terminal,
};

/// The usual story. One question is never answered.
fn with_answers(call: &Call) -> Reply {
    let sentences = json!({"sentences": [{"text": "They said yes, seven to two.", "passages": [1]}]});
    match call.agent.as_str() {
        "ask" if call.user.contains("zebra") => Reply::Hang,
        "ask" => Reply::Text(sentences.to_string()),
        _ => script::usual(call),
    }
}

/// The page of a finished story on which one asks.
fn asking(newsroom: &Newsroom) -> Terminal {
    assert!(newsroom.auto(&newsroom.topic()).code < 2);
    let terminal = Terminal::start(newsroom, &[], 24, 80);
    terminal.wait_for("desk/park");
    terminal.keys(press::OPEN).wait_for("8 Proof");
    terminal.keys(press::ASK).wait_for("Type a question and press Enter");
    terminal
}

#[test]
fn the_answer_leads_to_its_passage_and_a_question_can_be_stopped() {
    let server = Server::start(with_answers);
    let newsroom = Newsroom::at(&server.base());
    let terminal = asking(&newsroom);
    terminal.keys("\"How did the council vote?\" enter").wait_for("They said yes, seven to two.");
    terminal.wait_for("[1] Minutes, line 1");
    terminal.keys(press::OPEN).wait_gone("From the sources alone");
    terminal.wait_for("[Source]");
    terminal.keys(press::ASK).wait_for("They said yes, seven to two.");
    terminal.keys("ctrl-u \"Which council zebra?\" enter").wait_for("Reading the sources… Esc stops.");
    terminal.wait_until("the model to be asked", |_| server.count("ask") == 2);
    terminal.keys("esc").wait_for("Stopped. Enter asks again.");
    terminal.keys("esc").wait_gone("Stopped. Enter asks again.");
    terminal.keys("esc esc").wait_for("Desk of");
    terminal.leave();
    assert_eq!(server.count("ask"), 2);
}

#[test]
fn without_a_model_the_passages_answer_and_where_there_is_none_the_page_says_so() {
    let newsroom = Newsroom::offline();
    let terminal = asking(&newsroom);
    terminal.keys("\"council\" enter").wait_for("No model is configured, so these are the passages alone.");
    terminal.wait_for("[1] Minutes, line 1");
    terminal.keys("ctrl-u \"zebra\" enter").wait_for("No passage answers this. Try other words.");
    terminal.keys("esc").wait_gone("No passage answers this");
    terminal.keys("esc").wait_for("Desk of");
    terminal.leave();
}
