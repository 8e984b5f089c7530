//! The draft as one edits it: notes while one types, and two terminals on one draft.

use copydesk::newsroom::Choice;

use crate::support::{newsroom::Newsroom, press, script, server::Server, terminal::Terminal};

const AT_GATE: &str = "Round 1 waits for you";
const EDITING: &str = "Edit the draft of round 1";

fn editing(terminal: &Terminal) {
    terminal.keys(press::EDIT).wait_for(EDITING);
    terminal.wait_gone("loading your earlier edit…");
}

#[test]
fn what_the_proof_finds_in_typed_words_stands_below_them_and_undo_takes_it_away() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 80);
    terminal.wait_for(AT_GATE);
    editing(&terminal);
    terminal.keys("\"It costs $987,654 in all. \"").wait_for("“$987,654”");
    terminal.wait_for("words");
    terminal.keys("ctrl-z ctrl-z ctrl-z ctrl-z ctrl-z ctrl-z").wait_gone("987,654");
    terminal.keys("ctrl-y ctrl-y ctrl-y").wait_for("$987,654");
    terminal.keys("ctrl-f \"987\" tab \"123\" tab right ctrl-s").wait_for("1 place replaced");
    terminal.wait_for("$123,654");
    terminal.keys(press::SAVE).wait_for("Your edit is ready; c checks it");
    terminal.leave();
}

#[test]
fn the_terminal_s_cursor_stands_where_the_next_character_goes() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 80);
    terminal.wait_for(AT_GATE);
    let stands_behind = |typed: &str| {
        terminal.wait_until("the cursor behind what is typed", |shot| {
            let (row, column) = terminal.caret();
            let before: String = shot.row(row.into()).chars().take(column.into()).collect();
            before.ends_with(typed.trim_end())
        });
    };
    editing(&terminal);
    terminal.keys("\"Typed in the text.\"");
    stands_behind("Typed in the text.");
    terminal.keys("tab ctrl-a \"A headline\"");
    stands_behind("A headline");
    terminal.keys("esc").wait_gone(EDITING);
    terminal.keys("L \"park swings\"");
    stands_behind("> park swings");
    terminal.keys("esc");
    terminal.leave();
}

#[test]
fn two_terminals_edit_one_draft_and_no_text_is_lost() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let one = Terminal::start(&newsroom, &["run", "park.json"], 36, 120);
    one.wait_for(AT_GATE);
    editing(&one);
    one.keys("\"From the first. \"").wait_for("saved at");
    let kept = |name: &str, words: &str| newsroom.kept("park", name).is_some_and(|text| text.contains(words));
    one.wait_until("all of it to be kept", |_| kept("r1.edit", "From the first. "));
    let other = Terminal::start(&newsroom, &[], 36, 120);
    other.wait_for("waits for you");
    other.keys(press::OPEN).wait_for(AT_GATE);
    // The second sees what the first has typed.
    other.keys(press::EDIT).wait_for("From the first.");
    other.keys("\"From the second. \"");
    other.wait_until("all of it to be kept", |_| kept("r1.edit", "From the second. "));
    one.keys("\"Again. \"").wait_for("edited in another terminal, too");
    one.wait_until("its own text to be kept", |_| kept("r1.edit.2", "Again. "));
    assert!(kept("r1.edit", "From the second. "));
    other.keys(press::SAVE).wait_for("Your edit is ready; c checks it");
    // Both put words at the beginning: the first is told before its text is the next draft.
    one.wait_for("Another window changed this passage to “From the second. From");
    one.keys(press::SAVE).keys(press::SAVE).wait_for("Your edit is ready; c checks it");
    let choices: Vec<Choice> = newsroom.record("park").decisions().into_iter().map(|made| made.choice).collect();
    let [Choice::Edit { article: first }, Choice::Edit { article: second }] = &choices[..] else {
        panic!("{choices:?}")
    };
    assert!(first.articleBody.contains("From the second.") && second.articleBody.contains("Again."));
    other.leave();
    one.leave();
}
