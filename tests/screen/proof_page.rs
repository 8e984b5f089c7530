//! The Proof page, by keys alone: the real program in a terminal, no model.

use copydesk::newsroom::{Choice, Status};

use crate::support::{newsroom::Newsroom, press, terminal::Terminal};

const AT_GATE: &str = "Round 1 waits for you";
const REASON: &str = "I was there and hold the tape.";

const NOTES: &str = "Inez Calloway spoke in favor of the ramp. \"I can get to the gate,\" she said. \"In eleven years I have not once \
                     got to the pond.\"\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.\n";

const DRAFT: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $2.8 million on the park, which \
                     opened in 1958.\n\n“In eleven years I have only once got to the pond,” Inez Calloway said.\n";

/// Waits for a message that is broken at the screen's edge: a row with its beginning, and below it a row that goes on.
fn wait_for_rows(terminal: &Terminal, [first, then]: [&str; 2]) {
    terminal.wait_until(&format!("{first:?} and below it {then:?}"), |shot| {
        shot.find(first).is_some_and(|(row, _)| {
            shot.row(row).trim_end_matches(['│', ' ']).ends_with(first)
                && shot.row(row + 1).trim_start_matches(['│', ' ']).starts_with(then)
        })
    });
}

#[test]
fn a_finding_is_looked_up_in_its_source_and_accepted_with_a_reason() {
    let newsroom = Newsroom::offline();
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    terminal.wait_for("Sample story");
    terminal.keys(press::SAMPLE).wait_for(AT_GATE);

    // Findings first, each a word for how it stands; a quotation with its source's words and the contract.
    terminal.keys(press::PROOF).wait_for(" statements");
    let shot = terminal.wait_for("findings first");
    assert!(shot.contains("CONTRADICTED") && shot.contains("ALTERED"), "{}", shot.text());
    let row = |text: &str| (0..24).find(|row| terminal.row(*row).contains(text)).unwrap();
    for _ in 0..row("ALTERED") - 4 {
        terminal.keys(press::NEXT);
    }
    terminal.wait_for("ALTERED  quotation");

    // Into the passage and back.
    terminal.keys("enter").wait_for("compared with this passage");
    terminal.wait_for("[Source]");
    terminal.keys("esc").wait_for("[List]");

    // Accepted with a reason; without one it is refused in the form.
    terminal.keys(press::ACCEPT).wait_for("Let finding");
    terminal.keys(press::SAVE);
    terminal.wait_for("✗ overruling a verdict needs a reason");
    terminal.keys(&format!("\"{REASON}\" {}", press::SAVE));
    terminal.wait_until("who accepted it", |shot| {
        shot.contains("accepted by The editor") && shot.contains("Accepted by The editor in round 1")
    });
    let decisions = newsroom.record("miller-park-renovation").decisions();
    let [made] = &decisions[..] else { panic!("{decisions:?}") };
    assert!(
        matches!(&made.choice, Choice::Override { status: Status::Keep, reason, .. } if reason == REASON),
        "the verdict on its concern was open: {made:?}"
    );

    // Undone, nobody vouches for it any more.
    terminal.keys(press::UNDO).wait_gone("accepted by The editor");
    terminal.leave();
}

#[test]
fn a_draft_that_was_corrected_is_a_new_run_and_one_that_was_not_is_shown_where_it_stands() {
    let newsroom = Newsroom::offline();
    newsroom.write("draft.md", DRAFT.as_bytes());
    newsroom.write("notes.txt", NOTES.as_bytes());
    let command = ["check", "draft.md", "--source", "notes.txt", "--open"];
    let terminal = Terminal::start(&newsroom, &command, 24, 80);
    terminal.wait_for(AT_GATE);
    terminal.wait_for("2 findings");
    terminal.keys(press::ACCEPT).wait_for("Let finding");
    terminal.keys(&format!("\"{REASON}\" {}", press::SAVE)).wait_for("accepted by The editor");
    terminal.leave();

    // Nothing has changed: what was accepted stays accepted.
    let terminal = Terminal::start(&newsroom, &command, 24, 80);
    terminal.wait_for("accepted by The editor");
    terminal.leave();
    let runs = || newsroom.run(&["list", "--all"]).out.lines().filter(|line| line.contains("council-votes")).count();
    assert_eq!(runs(), 1);

    newsroom.write("draft.md", DRAFT.replace("$2.8", "$1.8").as_bytes());
    let terminal = Terminal::start(&newsroom, &command, 24, 80);
    wait_for_rows(&terminal, ["Draft or sources have changed: this is a new run; the earlier one is under", "Runs."]);
    terminal.wait_for(" 1 finding ");
    terminal.wait_for(AT_GATE);
    terminal.leave();
    assert_eq!(runs(), 2, "the run before is kept");
    assert_eq!(newsroom.record("council-votes-for-a-ramp-at-the-park").decisions(), []);

    // So is one whose sources have.
    newsroom.write("notes.txt", NOTES.replace("not once", "only once").as_bytes());
    let terminal = Terminal::start(&newsroom, &command, 24, 80);
    terminal.wait_for(" 0 findings ");
    terminal.leave();
    assert_eq!(runs(), 3);
}

#[test]
fn a_draft_of_ones_own_takes_no_story_of_the_desks_from_its_editor() {
    let newsroom = Newsroom::offline();
    newsroom.write("notes.txt", NOTES.as_bytes());
    let run = newsroom.run(&["run", "--plain", "notes.txt"]);
    assert_eq!(run.code, 0, "{}", run.err);
    newsroom.write("draft.md", format!("# Notes\n\n{DRAFT}").as_bytes());
    let terminal = Terminal::start(&newsroom, &["check", "draft.md", "--source", "notes.txt", "--open"], 24, 80);
    terminal.wait_for("newsroom/notes waits for its editor, and its draft is the desk's");
}

#[test]
fn a_draft_of_ones_own_opens_on_its_proof_page() {
    let newsroom = Newsroom::offline();
    let invented = "“We never heard of any of it at the time,” a clerk said.";
    newsroom.write("draft.md", format!("{DRAFT}\n{invented}\n").as_bytes());
    newsroom.write("notes.txt", NOTES.as_bytes());
    let command = ["check", "draft.md", "--source", "notes.txt", "--open"];
    let terminal = Terminal::start(&newsroom, &command, 24, 80);
    let shot = terminal.wait_for(" statements");
    assert!(shot.row(0).contains("Council votes for a ramp at the park"), "{}", shot.text());
    assert!(shot.contains("CONTRADICTED") && shot.contains("ALTERED"), "{}", shot.text());
    // The writer changes a finding that has a fix. The invented quotation has none, so the page announces no change.
    terminal.wait_for("row 1 of ");
    terminal.wait_for(", finding 1 ");
    terminal.wait_for("the writer changes it");
    for number in 2..=3 {
        terminal.keys(press::NEXT_FINDING).wait_for(&format!(", finding {number} "));
    }
    assert!(!terminal.shot().contains("the writer changes it"));
    // It is a story like any other: its gate waits, and the draft is the person's own.
    terminal.wait_for(AT_GATE);
    terminal.keys("tab").wait_for("$2.8 million on the park, which");
    terminal.leave();
    let record = newsroom.record("council-votes-for-a-ramp-at-the-park");
    assert_eq!(record.journal.draft(1).unwrap().article.headline, "Council votes for a ramp at the park");

    // Without a terminal there is no screen.
    let done = newsroom.run(&command);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(
        done.err.contains("there is no terminal for one here. Without --open the result is printed"),
        "{}",
        done.err
    );
}

#[test]
fn a_word_is_added_to_the_dictionary_and_its_note_is_gone_here_and_in_the_next_check() {
    let newsroom = Newsroom::offline();
    newsroom.write("draft.md", format!("{DRAFT}\nThe zorbing begins in spring.\n").as_bytes());
    newsroom.write("notes.txt", NOTES.as_bytes());
    let command = ["check", "draft.md", "--source", "notes.txt", "--open"];
    let terminal = Terminal::start(&newsroom, &command, 24, 80);
    terminal.wait_for("1 on style and spelling");
    terminal.keys(press::ADD_WORD).wait_for("this row is not about spelling");
    terminal.keys(press::PREVIOUS_FINDING).wait_for("“zorbing” is in no dictionary and in no source.");

    if cfg!(target_os = "linux") {
        // A file that cannot be written changes nothing, and the page says why.
        let dictionary = newsroom.path().join("config/dictionary.txt");
        std::os::unix::fs::symlink("/proc/version", &dictionary).unwrap();
        terminal.keys(press::ADD_WORD).wait_for("Add this word?");
        terminal.keys(press::YES).wait_for("config/dictionary.txt cannot be read");
        terminal.wait_for("1 on style and spelling");
        std::fs::remove_file(&dictionary).unwrap();
    }

    terminal.keys(press::ADD_WORD).wait_for("Add this word?");
    terminal.keys(press::YES).wait_for("“zorbing” is in the dictionary");
    terminal.wait_gone("1 on style and spelling");
    terminal.leave();
    assert_eq!(newsroom.read("config/dictionary.txt"), "zorbing\n");

    // So it is when the story is opened again, and in a check of any draft.
    let terminal = Terminal::start(&newsroom, &command, 24, 80);
    terminal.wait_for("J Next finding");
    assert!(!terminal.wait_for(" findings").contains("on style and spelling"));
    terminal.leave();
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]);
    assert!(!checked.out.contains("zorbing"), "{}", checked.out);
}
