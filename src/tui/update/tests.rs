//! Key strings in, whole state out.

use std::{fmt::Write as _, sync::Arc};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, Input, update};
use crate::{
    desk::Known,
    editorial::{
        changes,
        decisions::tests::{at_gate, decide, go_on, overrule},
        next_steps::tests::{add, add_round, article, opening, verdict},
    },
    newsroom::{Choice, Draft, Event, EventRecord, Journal, ListedRun, Outcome, Priority, Specialist, Status, Step},
    ports::{CallRow, CallState, RunKey},
    tui::{
        keymap::KeyMap,
        model::{
            House, Model, Overlay, Screen,
            compared::Compared,
            desk::{DeskRow, Hands, Standing},
            form::Input as FormInput,
            panes,
            story::{Tab, shown_article},
        },
        msg::{Beginning, Laid, News, Request, Ticket},
        page::Page,
        theme::{Theme, ThemeName},
    },
};

/// Somebody at the keyboard.
struct Seat {
    model: Model,
    /// What was asked for since it was last looked at.
    effects: Vec<Effect>,
    /// The ticket of what was asked for last.
    ticket: Ticket,
}

fn listed(story: &str, state: &str) -> ListedRun {
    ListedRun {
        story: story.into(),
        title: format!("About {story}"),
        desk: None,
        run: format!("run-of-{story}"),
        state: state.into(),
        waits: None,
        signed_by: None,
        priority: Priority::Normal,
        paused: false,
        current: true,
        took_over: None,
        rounds: 1,
        max_rounds: 2,
        open_concerns: 0,
        flags: vec![],
        prompt_tokens: 0,
        completion_tokens: 0,
        opened_at: "2026-10-06T12:00:00.000Z".into(),
        updated_at: "2026-10-06T12:00:00.000Z".into(),
        error: None,
    }
}

impl Seat {
    fn at_desk() -> Self {
        let house = House {
            editor: "Ada".into(),
            engine: "llm".into(),
            servers: vec![],
            prices: vec![],
            database: "desk.db".into(),
            bell: true,
            countdown: None,
        };
        let now = "2026-10-06T12:05:00Z".parse().unwrap();
        let model = Model::new(house, KeyMap::default(), Theme::named(ThemeName::Dark), false, now);
        let mut seat = Self { model, effects: vec![], ticket: Ticket::default() };
        let mut waits = listed("desk/park", "open");
        waits.waits = Some("r1.gate".into());
        let mut flagged = listed("desk/fire", "failed");
        flagged.flags = vec!["rounds used up with concerns open".into()];
        seat.hear(News::Desk(vec![
            (RunKey(1), waits),
            (RunKey(2), flagged),
            (RunKey(3), listed("city/water", "success")),
        ]));
        seat
    }

    /// With the story that waits at its gate open.
    fn at_gate() -> Self {
        Self::with(at_gate())
    }

    fn with(journal: Journal) -> Self {
        let mut seat = Self::at_desk();
        seat.open(journal);
        seat
    }

    /// Opens the story that is selected, with this journal.
    fn open(&mut self, journal: Journal) {
        self.keys("enter");
        assert_eq!(self.asked(), [Request::Open(RunKey(1))]);
        let seq = i64::try_from(journal.entries().len()).unwrap();
        let run = listed("desk/park", "open");
        self.hear(News::Opened { ticket: Some(self.ticket), key: RunKey(1), run, journal: Arc::new(journal), seq });
        self.answer(Ok(()));
        self.effects.clear();
    }

    /// Ends what was asked for last.
    fn answer(&mut self, result: Result<(), &str>) {
        self.hear(News::Answered { ticket: self.ticket, result: result.map_err(str::to_owned) });
    }

    fn hear(&mut self, news: News) {
        let effects = update(&mut self.model, Input::News(Box::new(news)));
        self.take(effects);
    }

    /// What other threads work out is there at once; the rest is looked at by the test.
    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Ask(Request::Compare { key, journal, pair }) => {
                    let comparison = changes::between(&journal, pair.0, pair.1).map(Arc::new);
                    self.hear(News::Compared { key, pair, comparison });
                }
                Effect::Ask(Request::FindExcerpts { key, journal, round }) => {
                    self.hear(News::Excerpts { key, round, places: panes::places(&journal, round) });
                }
                effect => self.effects.push(effect),
            }
        }
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys.trim_start();
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix('"') {
                let (text, behind) = quoted.split_once('"').unwrap();
                for c in text.chars() {
                    self.press(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
                }
                rest = behind.trim_start();
                continue;
            }
            let (name, behind) = rest.split_once(' ').unwrap_or((rest, ""));
            self.press(event(name));
            rest = behind.trim_start();
        }
        self
    }

    fn press(&mut self, event: KeyEvent) {
        let effects = update(&mut self.model, Input::Key(event));
        self.take(effects);
    }

    /// What was asked for; asked once.
    fn asked(&mut self) -> Vec<Request> {
        let mut asked = Vec::new();
        for effect in std::mem::take(&mut self.effects) {
            match effect {
                Effect::Ask(Request::FindPassage { .. }) => {}
                Effect::Ask(request) => asked.push(request),
                Effect::AskFor(ticket, request) => {
                    self.ticket = ticket;
                    asked.push(request);
                }
                _ => {}
            }
        }
        asked
    }

    /// Does what the back room does with decisions: commits them and tells of it.
    fn commit(&mut self) -> Vec<Choice> {
        let mut made = Vec::new();
        for request in self.asked() {
            let Request::Decide { run, choice, .. } = request else { continue };
            let story = self.model.story.as_ref().unwrap();
            let mut journal = (*story.journal).clone();
            let before = journal.entries().len();
            let round = journal.rounds();
            decide(&mut journal, round, choice.clone());
            go_on(&mut journal);
            let entries = journal
                .entries()
                .iter()
                .enumerate()
                .skip(before)
                .map(|(place, entry)| (i64::try_from(place).unwrap() + 1, entry.clone()));
            let entries = entries.collect();
            self.hear(News::Added { key: run, entries });
            self.hear(News::Decided { run, choice: choice.clone() });
            self.answer(Ok(()));
            made.push(choice);
        }
        made
    }

    /// The whole state in words.
    fn state(&self) -> String {
        let model = &self.model;
        let mut said = String::new();
        if let (Some(story), Screen::Story) = (&model.story, model.screen) {
            let waits = story.waits().map_or("nobody".into(), |wait| wait.to_string());
            writeln!(
                said,
                "{}: {} round {} concern {} of {} pane {} waits {waits}",
                story.run.story,
                story.tab.name(),
                story.round,
                story.selected_concern().map_or(0, |concern| concern.id),
                story.concerns.len(),
                story.pane.name(),
            )
            .unwrap();
            for row in &story.concerns {
                let verdict = row.verdict.as_ref().map_or("-", |verdict| verdict.status.name());
                let own = row.overruled.as_ref().map_or(String::new(), |own| {
                    format!(
                        ", {} by {}: {}{}",
                        own.status.name(),
                        own.by,
                        own.reason,
                        own.fix.as_ref().map_or(String::new(), |fix| format!(" [{fix}]"))
                    )
                });
                writeln!(said, "  {} {verdict}{own}", row.id).unwrap();
            }
        } else {
            writeln!(said, "desk: filter {:?} {}", model.desk.filter, model.desk.order.words()).unwrap();
            for (place, row) in model.desk.shown().enumerate() {
                let mark = if place == model.desk.selected { ">" } else { " " };
                writeln!(said, "{mark} {} {}", row.run.story, row.standing().words().1).unwrap();
            }
        }
        for overlay in &model.overlays {
            match overlay {
                Overlay::Help { .. } => writeln!(said, "help").unwrap(),
                Overlay::Notices { top } => writeln!(said, "what was said, from row {top}").unwrap(),
                Overlay::Palette { query, selected } => writeln!(said, "palette {query:?} {selected}").unwrap(),
                Overlay::Question(question) => {
                    writeln!(said, "question: {} enter: {}", question.title, question.yes).unwrap();
                }
                Overlay::Form(form) => {
                    writeln!(said, "form: {}{}", form.title, if form.is_sent() { " (sent)" } else { "" }).unwrap();
                    for (place, field) in form.fields.iter().enumerate() {
                        let mark = if place == form.focus { ">" } else { " " };
                        writeln!(said, "{mark} {}: {:?}", field.label, field.value()).unwrap();
                    }
                    if let Some(problem) = &form.problem {
                        writeln!(said, "  problem: {problem}").unwrap();
                    }
                }
            }
        }
        if let Some(notice) = &model.notice {
            writeln!(said, "{:?}: {}", notice.tone, notice.text).unwrap();
        }
        if model.leaving {
            writeln!(said, "leaving").unwrap();
        }
        said
    }
}

fn event(name: &str) -> KeyEvent {
    let (modifiers, name) = match (name.strip_prefix("ctrl-"), name.strip_prefix("shift-")) {
        (Some(name), _) => (KeyModifiers::CONTROL, name),
        (_, Some(name)) => (KeyModifiers::SHIFT, name),
        _ => (KeyModifiers::NONE, name),
    };
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        "tab" => KeyCode::Tab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "pgdn" => KeyCode::PageDown,
        "backspace" => KeyCode::Backspace,
        "end" => KeyCode::End,
        "space" => KeyCode::Char(' '),
        one => KeyCode::Char(
            one.chars().next().filter(|_| one.chars().count() == 1).unwrap_or_else(|| panic!("no key {one}")),
        ),
    };
    KeyEvent::new(code, modifiers)
}

#[track_caller]
fn is(seat: &Seat, expected: &str) {
    let expected: String =
        expected.trim().lines().map(|line| line.trim_start_matches("        ").trim_end().to_owned() + "\n").collect();
    assert_eq!(seat.state(), expected);
}

#[test]
fn what_was_said_at_the_same_time_can_be_read_afterwards() {
    let mut seat = Seat::at_desk();
    seat.hear(News::Trouble("the disk is full".into()));
    seat.hear(News::Done("saved".into()));
    assert!(seat.state().ends_with("Trouble: the disk is full\n"), "{}", seat.state());
    assert_eq!(seat.model.notice.as_ref().unwrap().others, 1);
    seat.keys("! j");
    assert!(seat.state().ends_with("what was said, from row 1\n"), "{}", seat.state());
    let said: Vec<&str> = seat.model.notices.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(said, ["saved", "the disk is full"]);
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty() && seat.model.notice.is_none());
}

#[test]
fn the_desk_shows_what_needs_somebody_first_and_filters_as_one_types() {
    let mut seat = Seat::at_desk();
    let all = "\
desk: filter \"\" what needs you first
> desk/park waits for you
  desk/fire flagged
  city/water passed";
    is(&seat, all);
    seat.keys("down down down");
    assert_eq!(seat.model.desk.selected().unwrap().run.story, "city/water");
    seat.keys("/ \"fi\"");
    is(&seat, "desk: filter \"fi\" what needs you first\n> desk/fire flagged");
    seat.keys("esc");
    is(&seat, &all.replace("> desk/park", "  desk/park").replace("  desk/fire", "> desk/fire"));
    seat.keys("/ \"FLAGGED\" enter");
    is(&seat, "desk: filter \"FLAGGED\" what needs you first\n> desk/fire flagged");
    seat.keys("esc s s");
    is(
        &seat,
        "desk: filter \"\" by name\n  city/water passed\n> desk/fire flagged\n  desk/park waits for you\nDone: sorted: by name",
    );
    seat.keys("enter");
    assert_eq!(seat.asked(), [Request::Open(RunKey(2))]);
}

#[test]
fn a_story_that_waits_opens_at_its_concerns() {
    let seat = Seat::at_gate();
    is(&seat, "desk/park: Concerns round 1 concern 1 of 2 pane List waits r1.gate\n  1 KEEP\n  2 REWRITE");
}

#[test]
fn an_override_is_shown_once_it_is_in_the_database() {
    let mut seat = Seat::at_gate();
    seat.keys("j o");
    is(
        &seat,
        "desk/park: Concerns round 1 concern 2 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE
form: Overrule the verdict on concern 2
> Verdict: \"KEEP\"
  Reason: \"\"
  To do: \"the agent's fix\"",
    );
    seat.keys("right tab \"Legal checked it.\" ctrl-s");
    assert!(seat.state().contains("(sent)"), "{}", seat.state());
    assert!(seat.state().contains("  2 REWRITE\n"), "nothing is said before it is committed");
    let fix = Some("the agent's fix");
    let choice = Choice::Override {
        concern: 2,
        status: Status::Rewrite,
        fix: fix.map(str::to_owned),
        reason: "Legal checked it.".into(),
    };
    assert_eq!(seat.commit(), [choice]);
    is(
        &seat,
        "desk/park: Concerns round 1 concern 2 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE, REWRITE by Ada: Legal checked it. [the agent's fix]
Done: concern 2: REWRITE is in the record",
    );
    seat.keys("z");
    assert_eq!(seat.commit(), [Choice::Undo { number: 1 }]);
    is(
        &seat,
        "desk/park: Concerns round 1 concern 2 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE
Done: decision 1 is undone; the record keeps both",
    );
}

#[test]
fn what_was_wrong_is_said_in_the_form_and_nothing_typed_is_lost() {
    let mut seat = Seat::at_gate();
    seat.keys("o tab \"Because.\" ctrl-s");
    seat.asked();
    seat.answer(Err("the database is locked"));
    is(
        &seat,
        "desk/park: Concerns round 1 concern 1 of 2 pane List waits r1.gate
  1 KEEP
  2 REWRITE
form: Overrule the verdict on concern 1
  Verdict: \"REWRITE\"
> Reason: \"Because.\"
  To do: \"\"
  problem: the database is locked",
    );
    seat.keys("esc");
    assert!(seat.state().contains("question: Throw it away? enter: throw it away"), "{}", seat.state());
    seat.keys("esc");
    assert!(seat.state().contains("> Reason: \"Because.\""));
    seat.keys("esc enter");
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn continuing_leaves_the_gate_and_shows_the_writer_at_work() {
    let mut seat = Seat::at_gate();
    seat.keys("f \"Name the chair.\" enter \"Say when.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::Feedback { text: "Name the chair.\nSay when.".into() }]);
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "2 to-dos added");
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue]);
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!((story.tab, story.waits()), (Tab::Live, None));
    assert_eq!(story.journal.feedback(1).unwrap().todo_list, ["the agent's fix", "Name the chair.", "Say when."]);
    seat.keys("c");
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "Continuing is possible while a story waits for you; this story is being worked on"
    );
}

#[test]
fn a_key_that_is_pressed_twice_decides_once() {
    let mut seat = Seat::at_gate();
    seat.keys("c c c");
    assert_eq!(seat.commit(), [Choice::Continue]);
    let mut seat = Seat::at_gate();
    seat.keys("c");
    seat.asked();
    seat.answer(Err("the database is locked"));
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue], "what was refused can be tried again");
}

#[test]
fn a_clock_never_ends_a_run() {
    let mut journal = at_gate();
    journal.opening.max_rounds = 1;
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(journal);
    assert_eq!(seat.model.continues_at, None);
}

#[test]
fn the_last_round_asks_before_it_ends_the_run() {
    let mut journal = at_gate();
    journal.opening.max_rounds = 1;
    let mut seat = Seat::with(journal);
    seat.keys("c");
    assert!(seat.state().contains("question: The last round enter: end the run"), "{}", seat.state());
    assert_eq!(seat.asked(), []);
    seat.keys("n f");
    assert_eq!(
        seat.model.notice.as_ref().unwrap().text,
        "Feedback: this is the last round, and nobody would act on the feedback: add another round first"
    );
    seat.keys("a");
    assert_eq!(seat.commit(), [Choice::AnotherRound]);
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue]);
}

#[test]
fn signing_off_after_stet() {
    let mut seat = Seat::at_gate();
    seat.keys("s \"It is right.\" ctrl-s");
    assert_eq!(seat.commit(), [Choice::Stet { reason: "It is right.".into() }]);
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Article);
    seat.keys("o");
    assert!(seat.model.overlays.is_empty(), "no verdict can be overruled any more");
    seat.keys("S");
    assert_eq!(seat.commit(), [Choice::SignOff { chain: String::new() }]);
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!(story.waits(), None);
    assert!(shown_article(&story.journal, 1).is_some());
}

#[test]
fn a_hand_edit_is_kept_as_it_is_typed_and_comes_back() {
    let mut seat = Seat::at_gate();
    seat.keys("e");
    assert_eq!(seat.asked(), [Request::ReadKept { run: RunKey(1), what: "r1.edit".into() }]);
    seat.keys("\"Oh. \"");
    assert_eq!(seat.asked(), [], "what is typed waits for what was kept");
    seat.answer(Ok(()));
    seat.keys("end \"Yes.\"");
    let kept: Vec<Request> = seat.asked();
    assert_eq!(kept.len(), 5, "once for what waited, then one a key: {kept:?}");
    let Some(Request::Keep { what, text, .. }) = kept.last() else { panic!("{kept:?}") };
    assert_eq!(what, "r1.edit");
    let (what, text) = (what.clone(), text.clone());
    // The program ends in the middle of it, and is started again.
    let mut again = Seat::at_gate();
    let kept = |text: &str| News::Kept {
        run: RunKey(1),
        what: what.clone(),
        text: Some((text.to_owned(), "2026-10-06T12:04:00.000Z".into())),
    };
    again.hear(kept(&text));
    again.keys("c");
    assert!(again.state().contains("question: Continue without your edit?"), "{}", again.state());
    again.keys("esc e");
    again.asked();
    again.hear(kept(&text));
    again.answer(Ok(()));
    let Some(Overlay::Form(form)) = again.model.overlays.last() else { panic!() };
    assert!(form.value(3).contains("Oh. ") && form.value(3).contains("Yes."), "{}", form.value(3));
    assert_eq!(form.kept_at.as_deref(), Some("2026-10-06T12:04:00.000Z"));
    again.keys("ctrl-s");
    let made = again.asked();
    assert!(
        matches!(&made[..], [Request::Decide { choice: Choice::Edit { .. }, forget: Some(kept), .. }] if kept == "r1.edit"),
        "{made:?}"
    );
}

#[test]
fn quitting_asks_only_if_something_would_stop() {
    let mut seat = Seat::at_desk();
    seat.keys("q");
    assert!(seat.model.leaving);
    let mut seat = Seat::at_desk();
    seat.hear(News::Hands(vec![("city/water".into(), crate::tui::model::desk::Hands::Ours)]));
    seat.keys("q");
    assert!(seat.state().contains("question: Quit? enter: quit"), "{}", seat.state());
    let Some(Overlay::Question(question)) = seat.model.overlays.last() else { panic!() };
    assert!(question.text.contains("`copydesk resume` goes on"), "{}", question.text);
    seat.keys("esc");
    assert!(!seat.model.leaving);
    seat.keys("q enter");
    assert!(seat.model.leaving);
}

#[test]
fn the_palette_runs_any_action_by_its_name_and_says_why_not() {
    let mut seat = Seat::at_desk();
    seat.keys("ctrl-p \"sample-story\" enter");
    assert_eq!(seat.asked(), [Request::Begin(Beginning::Sample)]);
    seat.keys("ctrl-p \"sign-off\" enter");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "Sign off: open a story first");
}

#[test]
fn pasted_text_on_the_desk_becomes_a_new_story() {
    let mut seat = Seat::at_desk();
    let effects = update(&mut seat.model, Input::Paste("Minutes.\r\n\x1b[31mThe council voted.".into()));
    seat.effects.extend(effects);
    is(
        &seat,
        "desk: filter \"\" what needs you first
> desk/park waits for you
  desk/fire flagged
  city/water passed
form: New story from pasted text
> Source: \"Minutes.\\nThe council voted.\"
  Title: \"\"",
    );
    seat.keys("ctrl-s");
    let asked = seat.asked();
    assert!(
        matches!(&asked[..], [Request::Begin(Beginning::Text { text, .. })] if text == "Minutes.\nThe council voted."),
        "{asked:?}"
    );
    seat.answer(Err("the source is empty"));
    assert!(seat.state().contains("problem: the source is empty"), "{}", seat.state());
}

#[test]
fn a_megabyte_too_much_is_refused_and_the_form_stays() {
    let mut seat = Seat::at_desk();
    seat.keys("v");
    update(&mut seat.model, Input::Paste("x".repeat(9 << 20)));
    assert!(seat.state().contains("problem: that is more than 8 MiB"), "{}", seat.state().len());
}

#[test]
fn deleting_wants_the_slug() {
    let mut seat = Seat::at_desk();
    seat.keys("D \"par\" ctrl-s");
    assert_eq!(seat.asked(), []);
    assert!(seat.state().contains("problem: that is not park; nothing was deleted"), "{}", seat.state());
    seat.keys("\"k\" ctrl-s");
    let story = opening().topic.story();
    assert_eq!(seat.asked(), [Request::Delete(story.clone())]);
    seat.hear(News::Deleted(story));
    seat.answer(Ok(()));
    assert!(seat.model.overlays.is_empty());
    assert!(!seat.state().contains("desk/park waits"), "{}", seat.state());
}

#[test]
fn forking_names_the_step_and_asks_first() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(2, Status::Keep, None));
    let mut seat = Seat::with(journal);
    seat.keys("F");
    let Some(Overlay::Question(question)) = seat.model.overlays.last() else { panic!("{}", seat.state()) };
    assert!(question.text.contains("everything before r1.review"), "{}", question.text);
    seat.keys("enter");
    let story = opening().topic.story();
    assert_eq!(
        seat.asked(),
        [Request::Fork { run: RunKey(1), story, at: Step::Review { round: 1 }, known: Known::Taken }]
    );
}

#[test]
fn a_gate_counts_down_only_where_nobody_touches_a_key() {
    let mut seat = Seat::at_desk();
    seat.model.house.countdown = Some(30);
    seat.open(at_gate());
    let at = |seconds: i64| seat.model.now.checked_add(jiff::SignedDuration::from_secs(seconds)).unwrap();
    let (early, late) = (at(29), at(31));
    assert_eq!(update(&mut seat.model, Input::Tick(early)), []);
    let effects = update(&mut seat.model.clone(), Input::Tick(late));
    assert!(
        matches!(&effects[..], [Effect::AskFor(_, Request::Decide { choice: Choice::Continue, .. })]),
        "{effects:?}"
    );
    seat.keys("down");
    assert_eq!(update(&mut seat.model, Input::Tick(late)), [], "somebody is there");
}

#[test]
fn what_is_typed_in_one_line_stays_one_line() {
    let mut seat = Seat::at_desk();
    seat.keys("n");
    update(&mut seat.model, Input::Paste("a\nb".into()));
    let Some(Overlay::Form(form)) = seat.model.overlays.last() else { panic!() };
    assert!(matches!(form.fields[0].input, FormInput::Line(_)));
    assert_eq!(form.value(0), "a b");
}

#[test]
fn a_story_that_begins_is_at_work_as_soon_as_its_row_is_there() {
    let mut seat = Seat::at_desk();
    // The back room says who has it before the records know it.
    seat.hear(News::Hands(vec![("desk/storm".into(), Hands::Ours), ("desk/fire".into(), Hands::Others)]));
    seat.hear(News::Runs { changed: vec![(RunKey(4), listed("desk/storm", "open"))], gone: vec![] });
    assert_eq!(seat.model.desk.row("desk/storm").map(DeskRow::standing), Some(Standing::AtWork));
    // So leaving would stop it.
    seat.keys("q");
    assert!(!seat.model.leaving);
    assert!(matches!(seat.model.overlays.last(), Some(Overlay::Question(question)) if question.title == "Quit?"));
}

#[test]
fn a_story_that_has_begun_is_opened_whichever_way_its_row_comes() {
    let storm = || (RunKey(4), listed("desk/storm", "open"));
    let key = opening().topic.story();
    let of = |key: &crate::newsroom::StoryKey| listed(&key.to_string(), "open");
    let changed = vec![(RunKey(5), of(&key))];
    for list in [News::Desk(vec![storm(), (RunKey(5), of(&key))]), News::Runs { changed, gone: vec![] }] {
        let mut seat = Seat::at_desk();
        seat.model.desk.set(vec![]);
        seat.hear(News::Begun(key.clone()));
        seat.effects.clear();
        seat.hear(list);
        assert_eq!(seat.asked(), [Request::Open(RunKey(5))]);
    }
}

#[test]
fn what_arrived_while_another_page_was_shown_is_there_on_the_way_back() {
    let mut seat = Seat::with(Journal::new(opening()));
    let shown = |seat: &mut Seat| {
        super::before_frame(&mut seat.model);
        seat.model.story.as_ref().unwrap().live_page.text().to_string()
    };
    let heard = |text: &str| News::Heard { story: "desk/park".into(), step: Step::Draft, text: text.into() };
    seat.hear(News::Happened(EventRecord {
        story: "desk/park".into(),
        run: "run-of-desk/park".into(),
        at: "2026-10-06T12:00:00.000Z".into(),
        event: Event::CallStarted {
            step: Step::Draft,
            attempt: 1,
            agent: "writer".into(),
            model: "m".into(),
            host: "127.0.0.1".into(),
        },
    }));
    seat.hear(heard("{\"headline\": \"A park"));
    assert!(shown(&mut seat).contains("A park"));
    seat.keys("4");
    seat.hear(heard(" plan passes"));
    shown(&mut seat);
    seat.keys("1");
    assert!(shown(&mut seat).contains("A park plan passes"));
    // Stopped: nothing is on its way any more.
    seat.hear(News::Hands(vec![]));
    assert!(!super::moves(&seat.model));
}

#[test]
fn an_answer_reaches_only_the_form_that_waits_for_it() {
    let mut seat = Seat::at_gate();
    seat.keys("o tab \"Because.\" ctrl-s");
    seat.asked();
    let ours = seat.ticket;
    seat.hear(News::Answered { ticket: ours.next(), result: Err("no room on the disk".into()) });
    seat.hear(News::Trouble("city/water: the server is down".into()));
    seat.hear(News::Done("saved: a.md".into()));
    assert!(seat.state().contains("form: Overrule the verdict on concern 1 (sent)"), "{}", seat.state());
    // What lies over the form does not hide it from its answer.
    seat.model.overlays.push(Overlay::Help { top: 0, place: super::place(&seat.model) });
    seat.answer(Ok(()));
    assert!(matches!(&seat.model.overlays[..], [Overlay::Help { .. }]));
}

#[test]
fn a_decision_says_at_which_gate_it_was_made() {
    let mut seat = Seat::at_gate();
    seat.keys("f \"Name the chair.\" ctrl-s");
    let asked = seat.asked();
    let [Request::Decide { seen, .. }] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!((seen.at.to_string(), seen.made), ("r1.gate".into(), 0));
    // While it is on its way, nothing else is decided, and the second form says so.
    seat.model.overlays.clear();
    seat.keys("X \"Dead.\" ctrl-s");
    assert!(seat.state().contains("problem: another decision is being saved"), "{}", seat.state());
}

#[test]
fn a_story_that_comes_late_does_not_fetch_back_who_has_gone_elsewhere() {
    let mut seat = Seat::at_desk();
    seat.keys("enter");
    seat.asked();
    let first = seat.ticket;
    seat.keys("down enter");
    seat.asked();
    let opened = |ticket| News::Opened {
        ticket: Some(ticket),
        key: RunKey(1),
        run: listed("desk/park", "open"),
        journal: Arc::new(at_gate()),
        seq: 0,
    };
    seat.hear(opened(first));
    assert!(seat.model.story.is_none(), "another story was asked for since");
    seat.hear(opened(seat.ticket));
    assert!(seat.model.story.is_some());
    seat.keys("7 enter");
    seat.keys("esc esc");
    seat.hear(opened(seat.ticket));
    assert_eq!(seat.model.screen, Screen::Desk);
}

#[test]
fn what_other_programs_do_is_said_and_rings() {
    let mut seat = Seat::at_desk();
    let mut water = listed("city/water", "open");
    let changed = |run: &ListedRun| News::Runs { changed: vec![(RunKey(3), run.clone())], gone: vec![] };
    seat.hear(changed(&water));
    assert_eq!(seat.effects, []);
    water.waits = Some("r1.gate".into());
    seat.hear(changed(&water));
    assert_eq!(seat.effects, [Effect::Bell]);
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "city/water: waits for you");
    seat.effects.clear();
    seat.hear(changed(&water));
    assert_eq!(seat.effects, [], "once");
    seat.open(at_gate());
    seat.hear(News::Runs { changed: vec![], gone: vec![RunKey(1)] });
    assert_eq!((seat.model.screen, seat.model.desk.row("desk/park")), (Screen::Desk, None));
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "desk/park was deleted");
}

#[test]
fn a_kept_edit_can_be_thrown_away() {
    let mut seat = Seat::at_gate();
    seat.keys("e");
    seat.asked();
    seat.answer(Ok(()));
    seat.keys("\"Oh. \" ctrl-t");
    assert!(seat.state().contains("question: Throw your edit away?"), "{}", seat.state());
    seat.asked();
    seat.keys("enter");
    assert_eq!(seat.asked(), [Request::Forget { run: RunKey(1), what: "r1.edit".into() }]);
    seat.keys("c");
    assert_eq!(seat.commit(), [Choice::Continue], "nothing is asked");
}

#[test]
fn the_persons_own_editor_begins_with_what_was_kept() {
    let mut seat = Seat::at_gate();
    seat.keys("E");
    assert_eq!(seat.asked(), [Request::ReadKept { run: RunKey(1), what: "r1.edit".into() }]);
    let mut kept = article("Half a sentence");
    kept.headline = "H".into();
    let text = serde_json::to_string(&kept).unwrap();
    let at = "2026-10-06T12:04:00.000Z".to_owned();
    seat.hear(News::Kept { run: RunKey(1), what: "r1.edit".into(), text: Some((text, at)) });
    seat.answer(Ok(()));
    assert_eq!(seat.effects, [Effect::EditOutside("Half a sentence".into())]);
}

#[test]
fn a_call_that_is_laid_out_late_does_not_stand_under_another() {
    let mut seat = Seat::at_gate();
    let row = |attempt| CallRow {
        run: RunKey(1),
        step: Step::Draft,
        attempt,
        agent: "writer".into(),
        model: "m".into(),
        host: "h".into(),
        state: CallState::Answered,
        error: None,
        prompt_tokens: None,
        completion_tokens: None,
        asked_at: "2026-10-06T12:00:00.000Z".into(),
        ended_at: None,
        repeats: 0,
    };
    seat.keys("5");
    seat.hear(News::Calls(RunKey(1), vec![row(1), row(2)]));
    let laid = |attempt, raw| News::CallLaid {
        laid: Laid { run: RunKey(1), step: Step::Draft, attempt, raw },
        page: Box::new(Page::new(Arc::from(format!("call {attempt} {raw}")))),
    };
    let shown = |seat: &Seat| seat.model.story.as_ref().unwrap().call_page.text().to_string();
    seat.hear(laid(2, false));
    seat.hear(laid(1, true));
    assert_eq!(shown(&seat), "");
    seat.hear(laid(1, false));
    assert_eq!(shown(&seat), "call 1 false");
}

/// A run with a second draft, which is the editor's own.
fn edited() -> Journal {
    let mut journal = at_gate();
    let mut edited = journal.draft(1).unwrap().article.clone();
    edited.articleBody.push_str("\n\nThe mayor stayed away.\n\nThe mayor of Garlow came.");
    decide(&mut journal, 1, Choice::Edit { article: edited.clone() });
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let draft = Draft { article: edited, stripped: vec![], undone: vec![] };
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    journal
}

#[test]
fn drafts_are_compared_on_another_thread_and_each_pair_once() {
    let mut seat = Seat::with(edited());
    let mut press = |key: &str| update(&mut seat.model, Input::Key(event(key)));
    let asked = press("3");
    let [Effect::Ask(Request::Compare { key, journal, pair })] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(*pair, (1, 2));
    // The article's page waits for the same.
    assert_eq!(press("4"), []);
    assert_eq!(press("3"), []);
    let story = |seat: &Seat| seat.model.story.as_ref().unwrap().compared.as_ref().map(Compared::pair);
    assert_eq!(story(&seat), None);
    let comparison = changes::between(journal, 1, 2).map(Arc::new);
    seat.hear(News::Compared { key: *key, pair: *pair, comparison });
    assert_eq!(story(&seat), Some((1, 2)));
}

#[test]
fn excerpts_are_looked_for_on_another_thread_and_none_is_missing_before_that() {
    let mut seat = Seat::with(edited());
    let effects = update(&mut seat.model, Input::Key(event("2")));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Ask(Request::FindExcerpts { .. }))), "known");
    seat.model.story.as_mut().unwrap().show_round(1);
    assert!(!seat.model.story.as_ref().unwrap().has_no_excerpt());
    seat.keys("2");
    assert_eq!(seat.model.story.as_ref().unwrap().places().map(Vec::len), Some(2));
}

#[test]
fn the_changes_are_searched_and_their_words_copied() {
    let mut seat = Seat::with(edited());
    seat.keys("3");
    let story = seat.model.story.as_mut().unwrap();
    story.compared.as_mut().unwrap().lay(60, 5, &seat.model.theme);
    seat.keys("/ \"MAYOR\" enter");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "2 hits");
    seat.keys("n");
    assert_eq!(seat.model.notice.as_ref().unwrap().text, "hit 2 of 2");
    seat.effects.clear();
    seat.keys("y");
    let [Effect::Copy { text, .. }] = &seat.effects[..] else { panic!("{:?}", seat.effects) };
    assert!(text.starts_with("+ ") && text.contains("The mayor stayed away."), "{text}");
    seat.keys("esc");
    assert_eq!(
        (seat.model.screen, seat.model.story.as_ref().unwrap().compared.as_ref().unwrap().hit()),
        (Screen::Story, None)
    );
}

#[test]
fn a_concern_that_comes_again_offers_what_was_decided_before() {
    let mut journal = at_gate();
    decide(&mut journal, 1, overrule(1, Status::Remove, Some("Cut it.")));
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    add_round(&mut journal, 2, &[Specialist::Opinion]);
    let judged = Outcome::Verdict(verdict(1, Status::Keep, None));
    add(&mut journal, Step::Judge { round: 2, concern: 1 }, judged);
    let mut seat = Seat::with(journal);
    seat.keys("o");
    is(
        &seat,
        "desk/park: Concerns round 2 concern 1 of 1 pane List waits r2.gate
  1 KEEP
form: Overrule the verdict on concern 1
> Verdict: \"REMOVE\"
  Reason: \"I know about 1\"
  To do: \"Cut it.\"",
    );
}
