//! From an empty folder to a signed story, by keys alone. A key that is pressed counts as one, and so does a word that is typed.

use std::fs;

use tempfile::TempDir;

use crate::support::{
    press,
    server::{Reply, Server},
    terminal::{Terminal, keys},
};

/// An empty folder, and a home in which nothing is configured.
struct Fresh {
    folder: TempDir,
    pressed: std::cell::Cell<usize>,
}

impl Fresh {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("ada")).unwrap();
        fs::create_dir_all(folder.path().join("work")).unwrap();
        Self { folder, pressed: std::cell::Cell::new(0) }
    }

    fn start(&self, arguments: &[&str], more: &[(&str, &str)]) -> Terminal {
        let home = self.folder.path().join("ada").into_os_string();
        let more = more.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
        let program = crate::support::terminal::Program {
            path: env!("CARGO_BIN_EXE_copydesk").into(),
            arguments: arguments.iter().map(Into::into).collect(),
            folder: self.folder.path().join("work"),
            environment: std::iter::once(("HOME".to_owned(), home)).chain(more).collect(),
        };
        Terminal::run(&program, 24, 80)
    }

    fn press<'t>(&self, terminal: &'t Terminal, keys: &str) -> &'t Terminal {
        let count = keys::split(keys).len();
        self.pressed.set(self.pressed.get() + count);
        terminal.keys(keys)
    }

    fn configuration(&self) -> std::path::PathBuf {
        self.folder.path().join("ada/.config/copydesk/config.yaml")
    }
}

/// The story is at its first gate: two rounds, and the sign-off.
fn sign(fresh: &Fresh, terminal: &Terminal) {
    terminal.wait_until("the first gate", |shot| shot.contains("Round 1 waits for you") || shot.contains("Round 1: "));
    fresh.press(terminal, press::CONTINUE);
    let shot = terminal.wait_until("the next decision", |shot| {
        shot.contains("Round 2 waits for you") || shot.contains("for your sign-off")
    });
    if shot.contains("Round 2 waits for you") {
        fresh.press(terminal, press::CONTINUE).wait_for("for your sign-off");
    }
    let asks = fresh.press(terminal, press::SIGN_OFF);
    let shot = asks.wait_until("whose name it bears", |shot| {
        shot.contains("under your name,") || shot.contains("Article, or notes?")
    });
    let key = if shot.contains("Article, or notes?") { press::SAVE } else { press::YES };
    let signed = if key == press::SAVE { "Signed as notes by Ada" } else { "Signed off by Ada" };
    fresh.press(terminal, key).wait_for(signed);
}

/// The shell was not seen: the alternate screen is left at the end alone.
fn stays_open(terminal: &Terminal) {
    assert!(!String::from_utf8_lossy(&terminal.raw()).contains("\x1b[?1049l"), "the screen was left");
}

#[test]
fn the_sample_is_signed_after_five_keys_in_a_terminal_that_says_nothing_of_its_colours() {
    let fresh = Fresh::new();
    let terminal = fresh.start(&[], &[]);
    terminal.wait_for("Welcome to Copydesk");
    fresh.press(&terminal, "enter");
    sign(&fresh, &terminal);
    assert!(fresh.pressed.get() <= 5, "{} keys", fresh.pressed.get());
    terminal.leave();
    let yaml = fs::read_to_string(fresh.configuration()).unwrap();
    assert!(yaml.contains("\neditor: Ada\n") && yaml.contains("# The name that your decisions carry."), "{yaml}");
    // It is asked once.
    let terminal = fresh.start(&[], &[("NO_COLOR", "1")]);
    assert!(!terminal.wait_for("Desk of Ada").contains("Welcome"));
    terminal.leave();
}

#[test]
fn a_recorded_story_is_watched_from_the_first_page_and_the_own_desk_stays_empty() {
    let fresh = Fresh::new();
    let terminal = fresh.start(&[], &[]);
    terminal.wait_for("Welcome to Copydesk");
    fresh.press(&terminal, "right right enter").wait_for("Recorded 20");
    terminal.wait_for("[1 Live]");
    // A story of one's own is not begun on a desk that is thrown away.
    terminal.keys("esc").wait_gone("[1 Live]");
    terminal.keys("n").wait_for("this is a recorded story");
    terminal.keys("q").wait_for("Your desk is empty.");
    assert!(!terminal.screen().contains("Recorded 20"), "{}", terminal.screen());
    stays_open(&terminal);
    terminal.leave();
}

#[test]
fn own_notes_are_signed_after_eight_keys() {
    let fresh = Fresh::new();
    let notes = include_str!("../../assets/topics/miller-park-renovation.json");
    let text = serde_json::from_str::<serde_json::Value>(notes).unwrap()["source_text"].as_str().unwrap().to_owned();
    fs::write(fresh.folder.path().join("work/notes.txt"), text).unwrap();
    let terminal = fresh.start(&[], &[]);
    terminal.wait_for("Welcome to Copydesk");
    fresh.press(&terminal, "right enter").wait_for("a topic (.json), a folder of topics");
    fresh.press(&terminal, "\"notes.txt\" enter");
    sign(&fresh, &terminal);
    assert!(fresh.pressed.get() <= 8, "{} keys", fresh.pressed.get());
    terminal.leave();
}

#[test]
fn overruling_feedback_a_hand_edit_undo_and_the_sign_off_take_at_most_thirty_keys() {
    let fresh = Fresh::new();
    let terminal = fresh.start(&[], &[]);
    terminal.wait_for("Welcome to Copydesk");
    fresh.press(&terminal, "enter").wait_for("Round 1 waits for you");
    fresh.press(&terminal, "2 o").wait_for("Overrule the verdict on concern 1");
    fresh.press(&terminal, "tab \"The engineer confirmed it.\" ctrl-s").wait_for("1 overruled");
    fresh.press(&terminal, "f").wait_for("Feedback to the writer");
    fresh.press(&terminal, "\"Delete “A motion to add a splash pad for a further $410,000 failed, 3–4.”\" ctrl-s");
    terminal.wait_for("1 to-do from you");
    fresh.press(&terminal, "e").wait_for("ctrl-s Save");
    fresh.press(&terminal, "\"Late news: \" ctrl-s").wait_for("edit is ready; c checks it");
    fresh.press(&terminal, "z").wait_for("Undone: edited the draft by hand");
    sign(&fresh, &terminal);
    assert!(fresh.pressed.get() <= 30, "{} keys", fresh.pressed.get());
    terminal.leave();
}

#[test]
fn a_few_letters_of_a_name_begin_a_story_from_a_folder_whose_work_is_called_a_fact_sheet() {
    let fresh = Fresh::new();
    let folder = fresh.folder.path().join("work/interviews");
    fs::create_dir_all(&folder).unwrap();
    let interview = "HOST: When will the harbor bridge close?\n\nLOPEZ: The harbor bridge will close for repairs on Monday, June 8. \
                     It will stay closed for eleven weeks.\n\nHOST: Thank you very much for coming, Ms. Lopez.";
    fs::write(folder.join("lopez.txt"), interview).unwrap();
    let terminal = fresh.start(&[], &[]);
    terminal.wait_for("Welcome to Copydesk");
    fresh.press(&terminal, "right enter").wait_for("interviews/");
    fresh.press(&terminal, "\"int\" tab").wait_for("lopez.txt");
    fresh.press(&terminal, "enter").wait_for("A fact sheet, made without a model");
    terminal.wait_for("C connects a model");
    terminal.keys("4").wait_for("Fact sheet, draft 1");
    terminal.wait_for("Lopez said.");
    terminal.leave();
}

#[test]
fn a_command_without_a_screen_asks_nothing() {
    let fresh = Fresh::new();
    let terminal = fresh.start(&["list"], &[]);
    assert_eq!(terminal.exit_code(), 0);
    assert!(!terminal.screen().contains("Welcome"));
    // Nobody has chosen anything yet, so the screen asks.
    let terminal = fresh.start(&[], &[("NO_COLOR", "1")]);
    terminal.wait_for("Welcome to Copydesk");
    terminal.keys("esc").wait_for("Your desk is empty.");
    terminal.leave();
}

#[test]
fn a_model_is_connected_tried_and_written_with_every_comment_kept() {
    let ready = || Server::start(|_| Reply::Text("ready".into()));
    let (gone, server) = (ready(), ready());
    let fresh = Fresh::new();
    let terminal = fresh.start(&[], &[]);
    terminal.wait_for("Welcome to Copydesk");
    terminal.keys("left enter").wait_for("Your desk is empty.");
    let before = fs::read_to_string(fresh.configuration()).unwrap();
    // Nobody listens there: the page says so and stays.
    terminal.keys("C").wait_for("Another server");
    terminal.keys("tab \"http://127.0.0.1:9/v1\" enter").wait_for("does not answer as a model server does");
    // Somebody edits the file meanwhile: what they wrote stays.
    let edited = before.replacen("bell: true", "bell: false # mine", 1);
    fs::write(fresh.configuration(), &edited).unwrap();
    terminal.keys(&format!("ctrl-a \"{}\" enter", gone.base())).wait_for("scripted · server,");
    // A server that ends between listing and choosing: nothing is changed.
    drop(gone);
    terminal.keys("enter").wait_for("did not answer");
    assert_eq!(fs::read_to_string(fresh.configuration()).unwrap(), edited);
    terminal.keys(&format!("tab \"{}\" enter", server.base()));
    terminal.wait_until("both servers' models", |shot| shot.text().matches("scripted · server,").count() == 2);
    terminal.keys("enter").wait_for("Save these settings?");
    assert!(terminal.screen().contains("so 4,096 tokens are taken"), "{}", terminal.screen());
    assert_eq!(fs::read_to_string(fresh.configuration()).unwrap(), edited, "nothing is saved yet");
    terminal.keys("enter").wait_for("The settings are saved");
    let after = fs::read_to_string(fresh.configuration()).unwrap();
    assert!(after.contains("bell: false # mine") && after.contains("engine: llm"), "{after}");
    assert!(after.contains(&format!("api_base: \"{}\" # LM Studio;", server.base())), "{after}");
    assert_eq!(after.lines().count(), edited.lines().count());
    assert!(after.contains("context_window: 4096") && after.contains("# Learned 20"), "{after}");
    terminal.wait_for("text stays on this machine: 127.0.0.1");
    stays_open(&terminal);
    terminal.leave();
}

#[test]
fn saved_settings_end_a_recording_and_that_is_said() {
    use crate::support::{newsroom::Newsroom, script};
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let arguments = ["run", "--record", "tape.jsonl", topic.to_str().unwrap()];
    let terminal = Terminal::start(&newsroom, &arguments, 36, 120);
    terminal.wait_for("Round 1 waits for you");
    let recorded = newsroom.read("tape.jsonl");
    assert_eq!(recorded.lines().count(), server.calls().len() + 1);
    terminal.keys("O").wait_for("the byline of your decisions");
    terminal.keys("ctrl-a \"Bea\" ctrl-s");
    terminal.wait_for("The recording tape.jsonl has ended, because settings were saved");
    assert_eq!(newsroom.read("tape.jsonl"), recorded);
    stays_open(&terminal);
    terminal.leave();
}

#[test]
fn a_folder_s_configuration_is_asked_about_at_the_terminal_before_it_is_used() {
    use crate::support::newsroom::Newsroom;
    let elsewhere = tempfile::tempdir().unwrap();
    let database = elsewhere.path().join("desk.db");
    let newsroom = Newsroom::at_with("http://127.0.0.1:9/v1", |yaml| {
        yaml.replace("./data/copydesk.db", database.to_str().unwrap())
    });
    let asked = || {
        let terminal = Terminal::start(&newsroom, &["list"], 24, 80);
        terminal.wait_for("Use it? [y/N]");
        assert!(terminal.screen().contains("outside this folder (database)"), "{}", terminal.screen());
        terminal
    };
    for no in ["enter", "n enter", "ctrl-d"] {
        let terminal = asked();
        terminal.keys(no);
        assert_eq!(terminal.exit_code(), 2, "{no}: {}", terminal.screen());
        assert!(terminal.screen().contains("Nothing of it was used"), "{no}: {}", terminal.screen());
        assert!(!database.exists(), "{no}");
    }
    let terminal = asked();
    terminal.keys("y enter");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert!(database.exists());
    let terminal = Terminal::start(&newsroom, &["list"], 24, 80);
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert!(!terminal.screen().contains("Use it?"), "it is asked once");
}
