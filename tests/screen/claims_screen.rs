//! The claims of a draft in a real terminal: a false figure beside the true passage, and witnesses that contradict each other.

use crate::support::{
    newsroom::Newsroom,
    press, script,
    server::{Call, Reply, Server},
    terminal::Terminal,
};

const AT_GATE: &str = "Round 1 waits for you";

/// The usual story, but its writer has another figure than the source.
fn with_a_false_figure(call: &Call) -> Reply {
    match call.agent.as_str() {
        "writer" => Reply::Text(
            script::article(1)
                .replace("voted seven to two on Tuesday to renovate", "voted on Tuesday to spend $2.8 million on"),
        ),
        _ => script::usual(call),
    }
}

/// A newsroom whose claims are checked.
fn checking(server: &Server) -> Newsroom {
    let newsroom =
        Newsroom::at_with(&server.base(), |yaml| yaml.replace("claims:\n  enabled: false", "claims:\n  enabled: true"));
    newsroom.topic_with(|topic| {
        let said = "The council of Eastbrook voted on Tuesday to spend $1.8 million on Miller Park. The minutes name no month.";
        topic["source_text"] = said.into();
    });
    newsroom
}

fn at_gate(newsroom: &Newsroom, rows: u16, columns: u16) -> Terminal {
    let terminal = Terminal::start(newsroom, &["run", "park.json"], rows, columns);
    terminal.wait_for(AT_GATE);
    terminal
}

#[test]
fn a_false_figure_stands_beside_the_passage_that_has_the_true_one() {
    let server = Server::start(with_a_false_figure);
    let newsroom = checking(&server);
    let terminal = at_gate(&newsroom, 24, 80);
    let calls = server.calls().len();
    terminal.keys(press::CLAIMS).wait_for("Claims of draft 1");
    let shot = terminal.wait_for("Against it: 1 finding");
    for said in
        ["✗ disputed  1 finding against it", "match a source", "“The council voted on Tuesday to spend $2.8 million"]
    {
        assert!(shot.contains(said), "{said}\n{}", shot.text());
    }
    // The list makes room for the claim that is read.
    terminal.keys(press::OPEN).wait_gone("Match    Findings");
    let shot = terminal.wait_for("“The council of Eastbrook voted on Tuesday to spend $1.8 million");
    assert!(shot.contains("Minutes, line 1") && shot.contains(" · source"), "{}", shot.text());
    terminal.keys(press::SEARCH).wait_for("Capital letters make no difference.");
    terminal.keys("\"no such words\" enter").wait_for("is not in these claims");
    // On to the passage itself, in its source.
    terminal.keys(press::OPEN).wait_gone("Claims of draft 1");
    terminal.wait_for("The minutes name no month.");
    terminal.leave();
    assert_eq!(server.calls().len(), calls, "looking costs nothing");
}

#[test]
fn witnesses_that_contradict_each_other_stand_below_each_other() {
    let server = Server::start(with_a_false_figure);
    let newsroom = checking(&server);
    let chronicle = "---\ncredibility: 0.8\ndate: 2026-10-07\n---\n# Chronicle\n\nThe council voted on Tuesday to spend $2.8 million on Miller Park.\n";
    newsroom.write("data/knowledgebase/chronicle.md", chronicle.as_bytes());
    let terminal = at_gate(&newsroom, 50, 160);
    terminal.keys(press::CLAIMS).wait_for("1 needs your decision");
    let shot = terminal.wait_for("You decide.");
    assert!(shot.contains("? you decide"), "{}", shot.text());
    let rows = shot.text();
    let (carries, contradicts) = rows.split_once("- Against it (1)").unwrap();
    assert!(carries.contains("+ For the claim (1)"), "{rows}");
    assert!(contradicts.contains("“The council of Eastbrook voted on Tuesday to spend $1.8 million"), "{rows}");
    assert!(rows.contains("chronicle.md") && rows.contains("Minutes, line 1"), "{rows}");
    terminal.keys("esc").wait_gone("Claims of draft 1");
    terminal.leave();
}
