//! Key strings in, whole state out. The seat stands here, what is done in it in a file a subject.

use std::{fmt::Write as _, sync::Arc};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::{
    app::{
        Effect,
        frame::{help::HelpPage, notices::NoticesPage, palette::Palette},
        keymap::KeyMap,
        messages::Request,
        model::{House, Model, Overlay, Question, Screen},
        news::News,
        tests::pictures::drawn,
        ticket::Ticket,
        trouble::Trouble,
        update::{Arrival, update},
    },
    screens::{
        ask::model::AskPage,
        claims::model::ClaimsPage,
        concerns::panes,
        day::model::DayPage,
        failed_steps::FailedStepsPage,
        files::FileBrowser,
        forms::model::Form,
        gate::margin::OpenRound,
        memory::{list::MemoryList, record::RecordPage},
        proof::proved::Proved,
        publish::PublishPage,
        record::StoryRecordPage,
        search::model::SearchPage,
    },
    testing::dump::dump,
    widgets::theme::{Theme, ThemeName},
};
use copydesk_core::editorial::{
    changes,
    testing::{at_gate, decide, go_on},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{Choice, Journal, ListedRun};
use copydesk_proof::{ReadSources, TypedProof, Witnesses};

/// A test user at the keyboard.
pub(crate) struct Seat {
    pub(crate) model: Model,
    /// The effects since the last look.
    pub(crate) effects: Vec<Effect>,
    /// The ticket of what was asked for last.
    pub(crate) ticket: Ticket,
}

pub(crate) fn listed(story: &str, state: &str) -> ListedRun {
    ListedRun {
        run: format!("run-of-{story}"),
        max_rounds: 2,
        ..ListedRun::example(story, &format!("About {story}"), state)
    }
}

impl Seat {
    pub(crate) fn at_desk() -> Self {
        let house = House {
            editor: "Ada".into(),
            recorded: None,
            servers: vec![],
            prices: vec![],
            notifies: true,
            countdown: None,
            memory_expires_after_days: Some(90),
            knowledge_folder: "data/knowledgebase".into(),
            min_credibility: 0.7,
            styles: vec!["MAGAZINE".into(), "NEWS".into()],
            settings: crate::screens::settings::model::SeenSettings::example(),
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
    pub(crate) fn at_gate() -> Self {
        Self::with(at_gate())
    }

    pub(crate) fn with(journal: Journal) -> Self {
        let mut seat = Self::at_desk();
        seat.open(journal);
        seat
    }

    /// Opens the story that is selected, with this journal.
    pub(crate) fn open(&mut self, journal: Journal) {
        self.keys("enter");
        assert_eq!(self.asked(), [Request::Open(RunKey(1))]);
        let seq = i64::try_from(journal.entries().len()).unwrap();
        let run = listed("desk/park", "open");
        self.hear(News::Opened { ticket: Some(self.ticket), key: RunKey(1), run, journal: Arc::new(journal), seq });
        self.answer(Ok(()));
        self.effects.clear();
    }

    /// Ends what was asked for last.
    pub(crate) fn answer(&mut self, result: Result<(), &str>) {
        self.hear(News::Answered { ticket: self.ticket, result: result.map_err(Trouble::new) });
    }

    pub(crate) fn hear(&mut self, news: News) {
        let effects = update(&mut self.model, Arrival::News(Box::new(news)));
        self.take(effects);
    }

    /// Results of other threads are there at once; the test looks at the other effects.
    pub(crate) fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Ask(Request::Compare { key, journal, pair }) => {
                    let comparison = changes::between(&journal, pair.0, pair.1).map(Arc::new);
                    self.hear(News::Compared { key, pair, comparison });
                }
                Effect::Ask(Request::FindExcerpts { key, journal, round }) => {
                    self.hear(News::Excerpts { key, round, places: panes::places(&journal, round) });
                }
                Effect::Ask(Request::FollowUp { key, journal, round }) => {
                    let (entries, left) = (journal.entries().len(), changes::left(&journal, round));
                    let extract = copydesk_core::editorial::extract::Extract::of(&journal, round);
                    self.hear(News::FollowedUp { key, entries, left, extract });
                }
                Effect::Ask(Request::ProveTyped { run, journal, round, article }) => {
                    let (sources, mut proof) = (journal.sources(), TypedProof::default());
                    let read = ReadSources::new(&sources);
                    read.typed(&mut proof, &article);
                    read.go_on(&mut proof, 10_000, || false);
                    let witnesses = Witnesses::new(&journal);
                    let open = OpenRound::of(&journal, round, Some(&witnesses));
                    let margin = Box::new(open.margin(&article, &proof, &[]));
                    self.hear(News::TypedProved { run, round, margin });
                }
                Effect::Ask(Request::Prove { key, journal, round }) => {
                    let proof = Proved::of(&journal, round).map(Arc::new);
                    self.hear(News::Proved { key, round, proof });
                }
                effect => self.effects.push(effect),
            }
        }
    }

    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
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

    /// The screen in a window of that size.
    pub(crate) fn shown(&mut self, width: u16, height: u16) -> String {
        dump(&drawn(&mut self.model, width, height))
    }

    pub(crate) fn press(&mut self, event: KeyEvent) {
        let effects = update(&mut self.model, Arrival::Key(event));
        self.take(effects);
    }

    /// Returns the requests since the last call, and clears them.
    pub(crate) fn asked(&mut self) -> Vec<Request> {
        let mut asked = Vec::new();
        for effect in std::mem::take(&mut self.effects) {
            match effect {
                Effect::Ask(Request::FindPassage { .. } | Request::Watch { .. }) => {}
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

    /// Does what the worker does with decisions: commits them and tells of it.
    pub(crate) fn commit(&mut self) -> Vec<Choice> {
        let mut made = Vec::new();
        for request in self.asked() {
            let Request::Decide { at, choice } = request else { continue };
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
            self.hear(News::Added { key: at.run, entries });
            self.hear(News::Decided { run: at.run, choice: choice.clone() });
            self.answer(Ok(()));
            made.push(choice);
        }
        made
    }

    /// The whole state in words.
    pub(crate) fn state(&self) -> String {
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
                story.concerns.rows.len(),
                story.concerns.pane.name(),
            )
            .unwrap();
            for row in &story.concerns.rows {
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
            self.describe(&**overlay, &mut said);
        }
        if let Some(notice) = &model.notice {
            writeln!(said, "{:?}: {}", notice.tone, notice.text).unwrap();
        }
        if model.leaving {
            writeln!(said, "leaving").unwrap();
        }
        said
    }

    /// A page over the screen, in words.
    fn describe(&self, overlay: &dyn Overlay, said: &mut String) {
        let model = &self.model;
        if overlay.page::<HelpPage>().is_some() {
            writeln!(said, "help").unwrap();
        } else if let Some(NoticesPage { top }) = overlay.page() {
            writeln!(said, "what was said, from row {top}").unwrap();
        } else if let Some(Palette { query, selected, .. }) = overlay.page() {
            writeln!(said, "palette {query:?} {selected}").unwrap();
        } else if let Some(files) = overlay.page::<FileBrowser>() {
            writeln!(said, "files {:?}, {} marked", files.typed, files.marked.len()).unwrap();
        } else if let Some(list) = overlay.page::<MemoryList>() {
            writeln!(said, "memory {:?}, {} of {} shown", list.query, list.count().0, list.count().1).unwrap();
            for (place, kept) in list.shown().enumerate() {
                let mark = if place == list.selected { ">" } else { " " };
                let state = kept.state(list.since.as_deref());
                writeln!(said, "{mark} {} {state}", kept.record.query()).unwrap();
            }
        } else if let Some(page) = overlay.page::<RecordPage>() {
            let first = page.page.text().lines().next().unwrap_or_default().to_owned();
            writeln!(said, "record {}: {first}", page.record.query()).unwrap();
        } else if let Some(search) = overlay.page::<SearchPage>() {
            writeln!(said, "search {:?} {:?}, {} found", search.query, search.stage, search.hits().len()).unwrap();
        } else if let Some(page) = overlay.page::<ClaimsPage>() {
            let (place, all, stage) = (page.list.selected + 1, page.claims().len(), page.list.stage);
            writeln!(said, "claims of draft {}, {place} of {all}, {stage:?}", page.round).unwrap();
        } else if let Some(page) = overlay.page::<AskPage>() {
            let (row, all) = (page.list.selected + 1, page.rows().len());
            writeln!(said, "ask {:?}, {row} of {all}, {:?}", page.question, page.list.stage).unwrap();
        } else if let Some(page) = overlay.page::<FailedStepsPage>() {
            writeln!(said, "failed steps, {:?}", page.list.stage).unwrap();
            for (place, failed) in page.failed_steps.iter().enumerate() {
                let mark = if place == page.list.selected { ">" } else { " " };
                writeln!(said, "{mark} {} {}", failed.story, failed.step).unwrap();
            }
        } else if let Some(page) = overlay.page::<PublishPage>() {
            writeln!(said, "publish {}", page.story).unwrap();
        } else if let Some(page) = overlay.page::<DayPage>() {
            let slow = page.slowest(model.now).get(page.selected).map(|call| call.story.to_string());
            writeln!(said, "day {}, {:?}, {slow:?}", page.date(model.now), page.stage).unwrap();
        } else if let Some(page) = overlay.page::<StoryRecordPage>() {
            writeln!(said, "record {}, {:?}", page.story, page.list.stage).unwrap();
        } else if let Some(Question { title, yes, .. }) = overlay.page() {
            writeln!(said, "question: {title} enter: {yes}").unwrap();
        } else if let Some(form) = overlay.page::<Form>() {
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

pub(crate) fn event(name: &str) -> KeyEvent {
    let (modifiers, name) = match (name.strip_prefix("ctrl-"), name.strip_prefix("shift-"), name.strip_prefix("alt-")) {
        (Some(name), _, _) => (KeyModifiers::CONTROL, name),
        (_, Some(name), _) => (KeyModifiers::SHIFT, name),
        (_, _, Some(name)) => (KeyModifiers::ALT, name),
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
        "pgup" => KeyCode::PageUp,
        "backspace" => KeyCode::Backspace,
        "end" => KeyCode::End,
        "home" => KeyCode::Home,
        "space" => KeyCode::Char(' '),
        "f1" => KeyCode::F(1),
        "f3" => KeyCode::F(3),
        one => KeyCode::Char(
            one.chars().next().filter(|_| one.chars().count() == 1).unwrap_or_else(|| panic!("no key {one}")),
        ),
    };
    KeyEvent::new(code, modifiers)
}

#[track_caller]
pub(crate) fn is(seat: &Seat, expected: &str) {
    let expected: String =
        expected.trim().lines().map(|line| line.trim_start_matches("        ").trim_end().to_owned() + "\n").collect();
    assert_eq!(seat.state(), expected);
}
