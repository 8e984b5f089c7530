//! Other work of an editor at the desk, each by keys in a real terminal: looking about, taking a story up again, forking,
//! searching, copying, saving, deleting, several stories at once, the mouse, other keys.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use copydesk::newsroom::Priority;
use serde_json::json;

use crate::support::{
    newsroom::Newsroom,
    press,
    record::Record,
    script,
    server::{Latch, Reply, Server},
    terminal::{Terminal, shot::Shot},
};

const AT_GATE: &str = "Round 1 waits for you";
const HELP: &str = "Keys that work here";

/// A newsroom whose only story was finished by a batch.
fn finished(server: &Server) -> Newsroom {
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    newsroom
}

/// A terminal in which a story waits at its first gate.
fn at_gate(newsroom: &Newsroom, environment: &[(&str, &str)]) -> Terminal {
    newsroom.topic();
    let terminal = Terminal::start_with(newsroom, &["run", "park.json"], 36, 120, environment);
    terminal.wait_for(AT_GATE);
    terminal
}

/// A topic of the usual story under another slug.
fn topic(newsroom: &Newsroom, slug: &str) {
    let path = newsroom.topic_with(|topic| {
        topic["source_metadata"]["topic_slug"] = json!(slug);
        topic["source_metadata"]["topic_title"] = json!(format!("About {slug}"));
    });
    std::fs::rename(path, newsroom.path().join(format!("{slug}.json"))).unwrap();
}

#[test]
fn a_to_do_that_the_writer_ignored_stands_above_the_footer() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    assert_eq!(newsroom.run(&["run", "--plain", "park.json"]).code, 0);
    assert_eq!(newsroom.run(&["decide", "park", "feedback", "Delete “more shade”."]).code, 0);
    assert_eq!(newsroom.run(&["decide", "park", "continue", "--resume"]).code, 0);
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 80);
    terminal.wait_for("Round 2 waits for you");
    terminal.keys(press::CONCERNS).wait_for("! Not done: Delete “more shade”.");
    terminal.leave();
}

#[test]
fn a_signed_story_that_is_begun_again_is_asked_about() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    newsroom.run(&["run", "--plain", "park.json"]);
    newsroom.ran(&["decide", "park", "stet", "--reason", "It is right.", "--resume"]);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 80);
    terminal.wait_for("is already signed (");
    terminal.keys("enter").wait_for("[4 Article]");
    terminal.leave();
    assert_eq!(newsroom.records("park").len(), 1, "no version was begun");
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 24, 80);
    terminal.wait_for("Start a new version");
    terminal.keys("down enter").wait_for("Round 1 waits for you");
    terminal.leave();
    assert_eq!(newsroom.records("park").len(), 2, "the editor wanted one");
}

#[test]
fn every_page_of_a_finished_story_opens_and_leads_back() {
    let server = Server::start(script::usual);
    let newsroom = finished(&server);
    let calls = server.calls().len();
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    terminal.wait_for("desk/park");
    terminal.keys(press::OPEN).wait_for("[4 Article]");
    for (key, text) in [
        (press::CONCERNS, "Concerns of round 2"),
        (press::CHANGES, "Changes from draft 1 to draft 2"),
        (press::ARTICLE, "A park plan passes (draft 2)"),
        (press::CALLS, "Review"),
        (press::LOG, "Passed after"),
        (press::RUNS, "passed"),
        (press::LIVE, "Steps"),
    ] {
        terminal.keys(key).wait_for(text);
    }
    terminal.keys(press::HELP).wait_for(HELP);
    terminal.keys("esc").wait_gone(HELP);
    terminal.keys("esc").wait_for("desk/park");
    terminal.leave();
    assert_eq!(server.calls().len(), calls, "looking costs nothing");
}

#[test]
fn a_story_that_failed_is_taken_up_again_and_no_other_call_is_repeated() {
    let broken = Arc::new(AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let server = Server::start(move |call| match call.agent.as_str() {
        "revision" if is_broken.load(Ordering::SeqCst) => Reply::Status(400, vec![], "no".into()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    assert_ne!(newsroom.auto(&newsroom.topic()).code, 0);
    broken.store(false, Ordering::SeqCst);
    server.forget();

    let terminal = Terminal::start(&newsroom, &[], 30, 100);
    terminal.wait_for("failed");
    terminal.keys(press::REOPEN).wait_for("Round 2 waits for you");
    let asked: Vec<String> = server.calls().into_iter().map(|call| call.agent).collect();
    assert_eq!(asked, ["revision", "article_review"], "only what failed and what follows");

    // Both runs are there, and the older one still shows how it ended.
    terminal.keys(press::RUNS);
    terminal
        .wait_until("both runs", |shot| newsroom.records("park").iter().all(|one| shot.contains(&one.run.run[..16])));
    let states: Vec<String> =
        newsroom.records("park").into_iter().map(|one| one.run.state.as_str().to_owned()).collect();
    assert_eq!(states, ["open", "failed"]);
    terminal.leave();
}

#[test]
fn a_story_that_waits_is_opened_by_its_command_not_begun_again() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    topic(&newsroom, "other");
    let terminal = Terminal::start(&newsroom, &["run", "other.json"], 24, 80);
    terminal.wait_for(AT_GATE);
    terminal.leave();
    at_gate(&newsroom, &[]).leave();
    for (story, title) in [("park", "Council votes"), ("other", "About other")] {
        let terminal = Terminal::start(&newsroom, &["run", &format!("{story}.json")], 24, 100);
        terminal.wait_for(&format!("Copydesk · {title}"));
        terminal.wait_for(&format!(
            "desk/{story} waits already for your decision, round 1, and opens here: decide it first"
        ));
        assert_eq!(newsroom.records(story).len(), 1);
        terminal.leave();
    }
}

#[test]
fn a_fork_from_the_log_shares_what_came_before_and_asks_nothing_twice() {
    let server = Server::start(script::usual);
    let newsroom = finished(&server);
    server.forget();
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("desk/park");
    terminal.keys(press::OPEN).wait_for("[4 Article]");
    terminal.keys(press::LOG).wait_for("Passed after");
    // The latest record is selected; the revision is before it.
    terminal.keys(press::SEARCH).wait_for("Capital letters make no difference.");
    terminal.keys("\"\\\"step\\\":\\\"r1.revise\" enter").wait_gone("Capital letters make no difference.");
    terminal.keys(press::FORK).wait_for("Restart from here?");
    terminal.keys(press::YES);
    terminal.wait_until("the new run", |_| newsroom.records("park").len() == 2);
    terminal.wait_for("Round 2 waits for you");
    let [new, old] = &newsroom.records("park")[..] else { panic!("two runs") };
    assert_eq!((new.run.took_over.as_deref(), old.run.state.as_str()), (Some(old.run.run.as_str()), "success"));
    assert!(new.steps().starts_with(&old.steps()[..old.steps().len() - 3]), "{:?}\n{:?}", new.steps(), old.steps());
    let asked: Vec<String> = server.calls().into_iter().map(|call| call.agent).collect();
    assert_eq!(asked, Vec::<String>::new(), "the same questions have their answers");
    terminal.keys(press::RUNS);
    terminal.wait_until("both runs", |shot| [new, old].iter().all(|one: &&Record| shot.contains(&one.run.run[..16])));
    terminal.leave();
}

#[test]
fn what_is_shown_is_searched_copied_and_saved() {
    let server = Server::start(script::usual);
    let newsroom = finished(&server);
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("desk/park");
    terminal.keys(press::OPEN).wait_for("[4 Article]");

    // The source beside a concern; past the draft and the verdict.
    terminal.keys(press::CONCERNS).wait_for("The minutes name no month.");
    terminal.keys("tab tab tab").keys(press::SEARCH).wait_for("Capital letters make no difference.");
    terminal.keys("\"MINUTES\" enter").wait_for("1 hit");
    terminal.keys(press::SEARCH).wait_for("Capital letters make no difference.");
    terminal.keys("\"submarine\" enter").wait_for("“submarine” is not in this pane");
    terminal.keys(")").wait_for("Search for something first");

    // The clipboard, of the terminal.
    assert_eq!(terminal.clipboard(), None);
    terminal.keys(press::COPY_ARTICLE).wait_for("sent to the terminal's clipboard");
    let copied = terminal.clipboard().unwrap();
    assert!(copied.starts_with("# A park plan passes (draft 2)\n") && copied.contains("“more shade”"), "{copied}");

    // Files: by key, and by the palette; none is replaced.
    terminal.keys(press::SAVE_MARKDOWN).wait_for("Save the article");
    terminal.keys(press::YES).wait_for("Saved: park.md");
    assert_eq!(newsroom.read("park.md"), copied);
    terminal.keys(press::SAVE_MARKDOWN).wait_for("Save the article");
    terminal.keys(press::YES).wait_for("park.md exists already; choose another name");
    terminal.keys("esc").wait_gone("exists already");
    terminal.keys(press::PALETTE).keys("\"save html\"").wait_for("Save as HTML");
    terminal.keys(press::YES).wait_for("A path starts in");
    terminal.keys(press::YES).wait_for("Saved: park.html");
    assert!(
        newsroom.read("park.html").contains("<h1>A park plan passes (draft 2)</h1>"),
        "{}",
        newsroom.read("park.html")
    );
    terminal.leave();
}

#[test]
fn a_backup_is_made_and_a_story_is_deleted_wholly() {
    let server = Server::start(script::usual);
    let newsroom = finished(&server);
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    terminal.wait_for("desk/park");
    terminal.keys(press::BACK_UP).wait_for("Back up the desk");
    terminal.keys("ctrl-a").keys("\"kept.db\" enter").wait_for("The desk is in kept.db");
    terminal.keys(press::DELETE).wait_for("This cannot be undone. Type");
    terminal.wait_for("park to confirm.");
    terminal.keys("\"pork\" enter").wait_for("that is not park; nothing was deleted");
    terminal.keys("ctrl-a").keys("\"park\" enter").wait_for("desk/park is deleted: 1 run");
    terminal.wait_for("Sample story");
    assert!(!newsroom.path().join("data/output/articles/desk/park.json").exists());
    assert_eq!(newsroom.runs(), Vec::<std::path::PathBuf>::new());
    terminal.leave();
    assert_eq!(newsroom.run(&["restore", "kept.db"]).code, 0);
    assert_eq!(newsroom.record("park").run.state.as_str(), "success");
}

#[test]
fn a_story_that_is_at_work_can_be_deleted() {
    let server = Server::start(script::held(&Latch::default()));
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 30, 100);
    terminal.wait_for("A park plan passes");
    terminal.keys("esc").wait_for("> at work");
    terminal.keys(press::DELETE).wait_for("This cannot be undone. Type");
    terminal.wait_for("park to confirm.");
    terminal.keys("\"park\" enter").wait_for("desk/park is deleted: 1 run");
    terminal.wait_for("Sample story");
    terminal.leave();
    assert_eq!(newsroom.ask("SELECT count(*) FROM story"), "0");
}

#[test]
fn a_story_is_paused_stopped_resumed_and_put_before_others() {
    let latch = Latch::default();
    let server = Server::start(script::held(&latch));
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &["run", "park.json"], 30, 100);
    terminal.wait_for("A park plan passes");
    let run = || newsroom.record("park").run;

    // Stopped: the call is cancelled, and made again when the story goes on.
    terminal.keys(press::STOP).wait_for("Stop the story?");
    terminal.keys(press::YES).wait_for("desk/park is stopped");
    terminal.keys("esc").wait_for("interrupted");
    terminal.keys(press::RESUME).wait_for("at work");
    terminal.wait_until("the writer to be asked again", |_| server.count("writer") == 2);

    // Priority.
    terminal.keys(press::RAISE).wait_for("priority high");
    assert_eq!(run().priority, Priority::High);
    terminal.keys(press::LOWER).wait_for("priority normal");

    // Paused: what is on its way arrives, and nothing else is asked.
    terminal.keys(press::PAUSE).wait_for("stops after the running call");
    latch.open();
    terminal.wait_for("= paused");
    assert_eq!((server.count("writer"), server.count("article_review")), (2, 0));
    assert!(run().paused);
    terminal.keys(press::PAUSE).wait_for("? waits for you");
    assert_eq!((server.count("writer"), server.count("article_review")), (2, 1));
    terminal.leave();
}

#[test]
fn several_stories_are_live_at_once_and_run_opens_its_own() {
    let latch = Latch::default();
    let server = Server::start(script::held(&latch));
    let newsroom = Newsroom::at(&server.base());
    for slug in ["alder", "birch", "cedar"] {
        topic(&newsroom, slug);
    }
    let terminal = Terminal::start(&newsroom, &["run", "birch.json", "alder.json", "cedar.json"], 36, 120);
    // The first one that was named is open.
    terminal.wait_for("Copydesk · About birch");
    terminal.wait_until("three writers", |_| server.count("writer") == 3);
    for slug in ["alder", "cedar", "birch"] {
        terminal.keys("esc").wait_for("desk/alder");
        terminal.keys(&format!("/ \"{slug}\" enter"));
        terminal.wait_until("its row alone", |shot| shot.contains("1 of 3") && shot.contains(&format!("desk/{slug}")));
        terminal.keys(press::OPEN).wait_for(&format!("Copydesk · About {slug}"));
        terminal.wait_for("A park plan passes");
        terminal.keys("esc").wait_for(&format!("desk/{slug}"));
        terminal.keys("esc").wait_for("desk/alder");
    }
    latch.open();
    terminal.wait_until("three gates", |shot| {
        (0..36).filter(|row| shot.row(*row).contains("? waits for you")).count() >= 3
    });
    terminal.leave();
}

#[test]
fn a_batch_in_another_process_is_seen_as_it_goes() {
    let latch = Latch::default();
    let server = Server::start(script::held(&latch));
    let newsroom = Newsroom::at(&server.base());
    let terminal = Terminal::start(&newsroom, &[], 30, 100);
    terminal.wait_for("Sample story");
    let topic = newsroom.topic();
    let batch = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    terminal.wait_for("desk/park");
    terminal.wait_for("at work elsewhere");
    terminal.keys(press::OPEN).wait_for("Another program is working on it");
    // A commit of the other program is here within a second; a slow machine is no failure.
    latch.open();
    let mut committed = None;
    terminal.wait_until("the draft", |shot| {
        if committed.is_none() && newsroom.record("park").journal.draft(1).is_some() {
            committed = Some(Instant::now());
        }
        shot.contains("Draft             42 words")
    });
    let late = committed.map_or(Duration::ZERO, |at| at.elapsed());
    eprintln!("a step of another process was on the screen after at most {late:?}");
    assert!(late < Duration::from_secs(10), "{late:?}");
    assert!(batch.wait_with_output().unwrap().status.success());
    terminal.wait_for("A park plan passes (draft 2)");
    terminal.keys("esc").wait_for("+ passed");
    terminal.leave();
}

#[test]
fn a_story_begins_from_a_file_from_pasted_text_and_from_a_form() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic();
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("Sample story");
    terminal.keys(press::NEW_FROM_FILE).wait_for("New story from a file");
    terminal.keys("\"pork.json\" enter").wait_for("There is no file or folder pork.json");
    terminal.keys("ctrl-a").keys("\"park.json\" enter").wait_for(AT_GATE);
    terminal.keys("esc").wait_for("desk/park");

    // On the desk, pasted text is a new story's.
    terminal
        .paste("The harbour reopens on Friday.\nThe dredger left on Monday.")
        .wait_for("New story from pasted text");
    terminal.keys(press::SAVE).wait_for(AT_GATE);
    terminal.wait_for("The harbour reopens on Friday.");
    terminal.keys("esc").wait_for("desk/park");

    terminal.keys(press::NEW_BY_FORM).wait_for("Tab moves to the next field.");
    terminal.keys("\"The bridge\" tab \"The bridge is closed for repairs.\" tab \"city\" tab tab \"Local\"");
    terminal.keys(press::SAVE).wait_for(AT_GATE);
    terminal.wait_for("Copydesk · The bridge");
    let stories = newsroom.ask("SELECT group_concat(channel, ' ') FROM (SELECT channel FROM story ORDER BY id)");
    assert_eq!(stories.split(' ').count(), 3, "{stories}");
    assert!(stories.ends_with(" city"), "{stories}");
    terminal.leave();
}

#[test]
fn files_of_a_folder_that_begin_no_story_are_named_on_the_screen() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    std::fs::create_dir(newsroom.path().join("day")).unwrap();
    std::fs::copy(newsroom.topic(), newsroom.path().join("day/park.json")).unwrap();
    newsroom.write("day/pool.txt", b"The pool opens.");
    newsroom.write("day/plan.sketch", b"x");
    let passed = "Not begun, because they are not topics (.json): pool.txt, plan.sketch";
    let terminal = Terminal::start(&newsroom, &[], 36, 120);
    terminal.wait_for("Sample story");
    terminal.keys(press::NEW_FROM_FILE).wait_for("New story from a file");
    terminal.keys("\"day\" enter").wait_for(AT_GATE);
    terminal.keys("!").wait_for(passed);
    terminal.keys("esc").leave();
    // Handed in by the command.
    let terminal = Terminal::start(&newsroom, &["run", "--replace", "day"], 36, 120);
    terminal.wait_for(AT_GATE);
    terminal.keys("!").wait_for(passed);
    terminal.keys("esc").leave();
}

#[test]
fn the_mouse_selects_and_scrolls_while_it_is_on() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    for slug in ["alder", "birch", "cedar"] {
        topic(&newsroom, slug);
    }
    assert_eq!(newsroom.run(&["run", "--auto", "alder.json", "birch.json", "cedar.json"]).code, 0);
    let terminal = Terminal::start(&newsroom, &[], 24, 80);
    let shot = terminal.wait_for("3 stories");
    let shown =
        |shot: &Shot| ["alder", "birch", "cedar"].into_iter().find(|slug| shot.contains(&format!("desk/{slug}")));
    // A click on the row that is selected would open it; which one that is depends on what ended last.
    let selected = shown(&shot);
    let rows = (0..24).filter(|row| shot.row(*row).contains("+ passed  ") && !shot.row(*row).contains('›'));
    let (row, column) = (rows.min().unwrap(), 24);
    let has_mouse = |terminal: &Terminal| terminal.left_behind().iter().any(|what| what.contains("the mouse"));
    assert!(has_mouse(&terminal), "from the first");
    let clicked = terminal.click(row, column);
    clicked.wait_until("another story", |shot| shown(shot).is_some_and(|slug| Some(slug) != selected));
    terminal.click(row, column).wait_for("Copydesk · A park plan passes");
    let (tabs, concerns) = terminal.wait_for("Concerns").find("Concerns").unwrap();
    terminal.click(tabs, concerns).wait_for("Concerns of round");
    terminal.keys(",").wait_for("begin in April");
    // The list has the selected verdict below it: that is what follows a click.
    let shot = terminal.wait_for("Verdict on concern 1");
    let (row, column) = shot.find("a fifth of the budget").unwrap();
    terminal.click(row, column).wait_for("Verdict on concern 2");
    terminal.wheel(row, column, true);
    terminal.wait_for("Verdict on concern 5");
    terminal.keys("enter").wait_for("[Verdict]");
    terminal.keys("esc").wait_for("[List]");
    terminal.keys(press::MOUSE).wait_for("The mouse is off here; your terminal selects text");
    assert!(!has_mouse(&terminal));
    terminal.leave();
}

#[test]
fn every_theme_says_the_same_and_no_color_has_none() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let terminal = at_gate(&newsroom, &[]);
    terminal.keys(press::CONCERNS).wait_for("begin in April");
    for theme in ["light", "high_contrast", "colour_blind", "monochrome", "dark"] {
        terminal.keys(press::THEME).wait_for(&format!("Theme: {theme}"));
        terminal.wait_for("begin in April");
    }
    terminal.leave();
    let terminal = Terminal::start_with(&newsroom, &["review"], 36, 120, &[("NO_COLOR", "1")]);
    terminal.wait_for(AT_GATE);
    let shot = terminal.wait_for("begin in April");
    let coloured = |look: &crate::support::terminal::shot::Look| {
        look.fg != vt100::Color::Default || look.bg != vt100::Color::Default
    };
    assert_eq!(shot.rows.iter().flatten().find(|cell| coloured(&cell.look)), None);
    terminal.leave();
}

#[test]
fn keys_are_those_of_the_configuration() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("  keys: {}", "  keys: {quit: [f10], help: [f2], continue: [ctrl-g], sort: []}")
    });
    let terminal = at_gate(&newsroom, &[]);
    terminal.keys("q c").keys("f2 G").wait_for("f10");
    terminal.keys("esc").wait_gone("f10");
    assert_eq!(newsroom.record("park").decisions().len(), 0);
    terminal.keys("ctrl-g").wait_for("Round 2 waits for you");
    // The last files of a story that has just come to its gate are still being written: then it is asked first.
    terminal.keys("f10");
    let shot = terminal.wait_until("the end, or a question", |shot| terminal.has_closed() || shot.contains("Quit?"));
    if !terminal.has_closed() && shot.contains("Quit?") {
        terminal.keys("enter");
    }
    terminal.ended();
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn keys_that_clash_are_all_told_of_before_the_terminal_is_touched() {
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("  keys: {}", "  keys:\n    stet: [c]\n    make-coffee: [f9]\n    pause: [strg-p]\n    quit: []")
    });
    let terminal = Terminal::start(&newsroom, &[], 30, 160);
    assert_eq!(terminal.exit_code(), 2);
    for what in [
        "tui.keys.stet: gives two actions the key c",
        "tui.keys.make-coffee: is not an action",
        "\"strg-p\" is not a key",
        "tui.keys.quit: has no key",
    ] {
        assert!(terminal.screen().contains(what), "{what}\n{}", terminal.screen());
    }
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
    let raw = terminal.raw();
    assert!(!raw.contains(&0x1b), "no sequence at all: {}", String::from_utf8_lossy(&raw));
    assert!(!Path::new(&newsroom.path().join("data")).exists(), "nothing was begun");
}
