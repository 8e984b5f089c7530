//! Random keys, pasted texts, clicks and news on every page at four sizes. After each of them the page fits its window; in the end there is a
//! way out; and no story passed a gate without a decision of its editor.
//!
//! `COPYDESK_RANDOM_MINUTES` is how long it goes on, for the long run of a release; `COPYDESK_RANDOM_SEED` is the first seed.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::{buffer::Buffer, layout::Rect};

use crate::{
    app::{
        self, Effect,
        actions::Action,
        hints::place,
        key::Key,
        messages::Request,
        model::{Model, Question, Screen},
        news::{FolderListing, News},
        ticket::Ticket,
        trouble::Trouble,
        update::{Arrival, update},
        view::view,
    },
    screens::{concerns::panes, forms::model::Form, gate::margin::OpenRound, proof::proved::Proved, story::tabs::Tab},
    testing::{demo_story, dump::dump},
    widgets::words,
};
use copydesk_core::{
    editorial::{
        changes, choices, decisions,
        extract::Extract,
        testing::{add, at_gate, go_on, verdict},
    },
    ports::{Book, RunKey},
};
use copydesk_newsroom::{
    ArticleReviewRaw, ArticleReviewResult, Choice, Concern, ConcernMapping, ConcernMappingResult, ConcernType,
    Confidence, Decision, Draft, GateOutcome, Gates, Journal, Outcome, Review, Specialist, Status, Step, Wait,
};
use copydesk_proof::{ReadSources, TypedProof, Witnesses};

pub(crate) const SIZES: [(u16, u16); 4] = [(60, 15), (80, 24), (120, 36), (160, 50)];

/// Keys on a page in an ordinary run of the tests, which takes one page of so many, each in one size.
const KEYS: usize = 12;
const ONE_OF: u64 = 4;

/// Keys on a page in each size in a long run, which takes all pages, again and again.
const MANY_KEYS: usize = 20;

/// Actions that get a story on: they are tried more often than their share of the keyboard.
const DECIDING: [Action; 12] = [
    Action::Continue,
    Action::SignOff,
    Action::SendBack,
    Action::Stet,
    Action::EditDraft,
    Action::UndoDecision,
    Action::AnotherRound,
    Action::Feedback,
    Action::Confirm,
    Action::Save,
    Action::Open,
    Action::ShowArticle,
];

/// Most steps that a way out may take.
const WAY_OUT: usize = 60;

/// Numbers that a seed decides, by `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 1).unwrap() % sides.max(1)
    }

    fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.roll(of.len())]
    }
}

/// Every key that a terminal sends.
fn all_keys() -> Vec<KeyEvent> {
    let plain = (' '..='~').map(|c| (KeyCode::Char(c), KeyModifiers::NONE));
    let letters = |modifiers| ('a'..='z').map(move |c| (KeyCode::Char(c), modifiers));
    let functions = (1..=12).map(|number| (KeyCode::F(number), KeyModifiers::NONE));
    let named = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
    ];
    let shifted = [KeyCode::BackTab, KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::End];
    plain
        .chain(letters(KeyModifiers::CONTROL))
        .chain(letters(KeyModifiers::ALT))
        .chain(functions)
        .chain(named.map(|code| (code, KeyModifiers::NONE)))
        .chain(shifted.map(|code| (code, KeyModifiers::SHIFT)))
        .map(|(code, modifiers)| KeyEvent::new(code, modifiers))
        .collect()
}

/// The desk behind the screen: it commits decisions, and a writer and a reviewer go on with each story.
struct World {
    model: Model,
    dice: Dice,
    keys: Vec<KeyEvent>,
    /// Requests whose answers are on the way.
    waiting: Vec<(Option<Ticket>, Request)>,
    size: (u16, u16),
    /// The story that had ended before the first key.
    ended: Option<RunKey>,
    /// How often each choice was made with keys.
    made: BTreeMap<&'static str, usize>,
    /// A planted mistake: an edit opens the gate.
    edit_opens_gate: bool,
    /// Everything that happened, to do it again by hand.
    log: Vec<String>,
}

impl World {
    fn new(model: Model, seed: u64, size: (u16, u16)) -> Self {
        let ended = model.story.as_deref().filter(|story| story.journal.publication().is_some());
        let ended = ended.map(|story| story.key);
        let (dice, keys, made) = (Dice(seed), all_keys(), BTreeMap::new());
        Self { model, dice, keys, waiting: Vec::new(), size, ended, made, edit_opens_gate: false, log: Vec::new() }
    }

    #[track_caller]
    fn wrong(&self, why: &str) -> ! {
        let from = self.log.len().saturating_sub(60);
        panic!("{why}, at {:?} after\n{}", self.size, self.log[from..].join("\n"));
    }

    fn arrive(&mut self, arrival: Arrival) {
        let by_hand = matches!(arrival, Arrival::Key(_) | Arrival::Mouse(_));
        let effects = update(&mut self.model, arrival);
        for effect in effects {
            match effect {
                Effect::Ask(request) => self.waiting.push((None, request)),
                Effect::AskFor(ticket, request) => {
                    self.check_decision(&request, by_hand);
                    self.waiting.push((Some(ticket), request));
                }
                Effect::EditOutside(text) => {
                    let text = [Some(format!("{text} It rained.")), None][self.dice.roll(2)].clone();
                    let problem = text.is_none().then(|| "nothing was saved".to_owned());
                    self.arrive(Arrival::EditedOutside { text, problem });
                }
                _ => {}
            }
        }
    }

    /// A decision is made with a key, at the place that is shown, and a draft is signed only by who has it on the screen.
    fn check_decision(&self, request: &Request, by_hand: bool) {
        let Request::Decide { at, choice } = request else { return };
        if choice.leaves() && !by_hand {
            self.wrong(&format!("{choice:?} was decided without a key"));
        }
        let Some(story) = self.model.story.as_deref() else { self.wrong("a decision without an open story") };
        if story.key != at.run || self.model.screen != Screen::Story {
            self.wrong("a decision on a story that is not shown");
        }
        if matches!(choice, Choice::SignOff { .. }) && story.round != at.round() {
            self.wrong("another draft is signed than the one that is shown");
        }
    }

    /// Draws the page, which must fit its window.
    fn draw(&mut self) {
        let (width, height) = self.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        app::hints::before_frame(&mut self.model);
        let ways = app::offer::offer(&self.model);
        view(&mut self.model, &ways, area, &mut buffer);
        if buffer.area != area {
            self.wrong("the page has another size than its window");
        }
        if let Some(line) = dump(&buffer).lines().find(|line| words::width(line) > usize::from(width)) {
            self.wrong(&format!("a line is wider than the page: {line}"));
        }
        if let Some(at) = self.model.drawn.caret.filter(|at| !area.contains(*at)) {
            self.wrong(&format!("the caret stands outside, at {at}"));
        }
    }

    /// One key, text, click, or answer.
    fn step(&mut self) {
        match self.dice.roll(40) {
            0 => {
                let texts = ["The council voted.\n\nIt cost $4.", "x", "  ", "שלום 公園 👩‍👩‍👧\u{202e}", "a\tb\u{1b}[2J"];
                let text = (*self.dice.one_of(&texts)).to_owned();
                self.log.push(format!("paste {text:?}"));
                self.arrive(Arrival::Paste(text));
            }
            1 => {
                let kinds = [
                    MouseEventKind::Down(MouseButton::Left),
                    MouseEventKind::ScrollDown,
                    MouseEventKind::ScrollUp,
                    MouseEventKind::Down(MouseButton::Right),
                ];
                let kind = *self.dice.one_of(&kinds);
                let (column, row) =
                    (self.dice.roll(usize::from(self.size.0)), self.dice.roll(usize::from(self.size.1)));
                let (column, row) = (u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
                self.log.push(format!("{kind:?} at {column},{row}"));
                self.arrive(Arrival::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
            }
            2 => {
                let later = self.model.now.checked_add(jiff::SignedDuration::from_secs(7)).unwrap();
                self.arrive(Arrival::Tick(later));
            }
            3 => self.size = *self.dice.one_of(&SIZES),
            4 => self.others_decide(),
            _ => self.key(),
        }
        // Answers come in their order, some at once and some later.
        while !self.waiting.is_empty() && self.dice.roll(4) > 0 {
            self.answer_next();
        }
        self.draw();
        self.check_gates();
    }

    /// Mostly a key that means something where it goes.
    fn key(&mut self) {
        let at = place(&self.model);
        let action = |event: &KeyEvent| Key::pressed(*event).and_then(|key| self.model.keys.action(at, key));
        let useful: Vec<KeyEvent> = self
            .keys
            .iter()
            .filter(|event| action(event).is_some_and(|action| action != Action::Quit))
            .copied()
            .collect();
        let decides = |event: &&KeyEvent| action(event).is_some_and(|action| DECIDING.contains(&action));
        let deciding: Vec<KeyEvent> = useful.iter().filter(decides).copied().collect();
        let event = match self.dice.roll(6) {
            0 => *self.dice.one_of(&self.keys),
            1 | 2 if !deciding.is_empty() => *self.dice.one_of(&deciding),
            _ if useful.is_empty() => KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE),
            _ => *self.dice.one_of(&useful),
        };
        self.press(event);
    }

    fn press(&mut self, event: KeyEvent) {
        let key = Key::pressed(event).map_or_else(|| format!("{event:?}"), |key| key.to_string());
        self.log.push(format!("{key} in {:?}", place(&self.model)));
        self.arrive(Arrival::Key(event));
    }

    fn answer_next(&mut self) {
        let (ticket, request) = self.waiting.remove(0);
        let result = self.answer(ticket, request);
        if let Some(ticket) = ticket {
            self.hear(News::Answered { ticket, result: result.map_err(Trouble::new) });
        }
    }

    fn hear(&mut self, news: News) {
        self.arrive(Arrival::News(Box::new(news)));
    }

    fn answer(&mut self, ticket: Option<Ticket>, request: Request) -> Result<(), String> {
        match request {
            Request::Compare { key, journal, pair } => {
                let comparison = changes::between(&journal, pair.0, pair.1).map(Arc::new);
                self.hear(News::Compared { key, pair, comparison });
            }
            Request::FindExcerpts { key, journal, round } => {
                self.hear(News::Excerpts { key, round, places: panes::places(&journal, round) });
            }
            Request::FollowUp { key, journal, round } => {
                let (entries, left) = (journal.entries().len(), changes::left(&journal, round));
                self.hear(News::FollowedUp { key, entries, left, extract: Extract::of(&journal, round) });
            }
            Request::FindPassage { key, journal, round, concern } => {
                let bearing = Witnesses::new(&journal).passage_for(&journal, round, concern);
                self.hear(News::Passage { key, round, concern, bearing });
            }
            Request::Prove { key, journal, round } => {
                self.hear(News::Proved { key, round, proof: Proved::of(&journal, round).map(Arc::new) });
            }
            Request::ProveTyped { run, journal, round, article } => {
                let (sources, mut proof) = (journal.sources(), TypedProof::default());
                let read = ReadSources::new(&sources);
                read.typed(&mut proof, &article);
                read.go_on(&mut proof, 10_000, || false);
                let open = OpenRound::of(&journal, round, Some(&Witnesses::new(&journal)));
                self.hear(News::TypedProved { run, round, margin: Box::new(open.margin(&article, &proof, &[])) });
            }
            Request::Open(key) => {
                let open = self.model.story.as_deref().filter(|story| story.key == key);
                let journal = open.map_or_else(|| Arc::new(at_gate()), |story| Arc::clone(&story.journal));
                let run = self.model.desk.shown().find(|row| row.key == key).map(|row| row.run.clone());
                let Some(run) = run else { return Err("there is no such story".into()) };
                let seq = i64::try_from(journal.entries().len()).unwrap();
                self.hear(News::Opened { ticket, key, run, journal, seq });
            }
            Request::Decide { at, choice } => {
                let story = self.model.story.as_deref().filter(|story| story.key == at.run);
                let Some(journal) = story.map(|story| Arc::clone(&story.journal)) else {
                    return Err("the story was closed".into());
                };
                let admitted = choices::admit(&journal, true, choice, Some(at.seen));
                let (step, choice) = admitted.map_err(|refused| refused.to_string())?;
                *self.made.entry(choice.name()).or_default() += 1;
                self.commit(at.run, &journal, step, "Ada", choice.clone());
                self.hear(News::Decided { run: at.run, choice });
            }
            Request::ReadKept { run, what } => self.hear(News::Kept { run, what, text: None }),
            Request::Keep { run, what, .. } => {
                let kept = Ok("2026-10-06T12:05:00.000Z".to_owned());
                self.hear(News::IsKept { run, what, kept });
            }
            Request::ListFolder(folder) => {
                self.hear(News::Folder(FolderListing { folder, entries: Vec::new(), trouble: None }));
            }
            Request::ReadMemory => self.hear(News::Memory(Book::default())),
            Request::ReadLog(run) => self.hear(News::Log(run, Vec::new())),
            Request::ReadCalls(run) => self.hear(News::Calls(run, Vec::new())),
            Request::ReadRuns(story) => self.hear(News::StoryRuns(story, Vec::new())),
            _ if self.dice.roll(3) == 0 => return Err("the disk is full".into()),
            _ => {}
        }
        Ok(())
    }

    /// Another editor decides on the story that is shown.
    fn others_decide(&mut self) {
        let Some(story) = self.model.story.as_deref() else { return };
        let (run, journal) = (story.key, Arc::clone(&story.journal));
        let Some(draft) = journal.draft(journal.latest_draft()) else { return };
        let mut article = draft.article.clone();
        article.articleBody.push_str("\n\nIt rained.");
        let choices = [
            Choice::Edit { article },
            Choice::Continue,
            Choice::Feedback { text: "Replace “x” with “y”.".into() },
            Choice::AnotherRound,
        ];
        let choice = self.dice.one_of(&choices).clone();
        if let Ok((step, choice)) = choices::admit(&journal, true, choice, None) {
            self.log.push(format!("Ben decides: {}", choice.name()));
            self.commit(run, &journal, step, "Ben", choice);
        }
    }

    /// Commits a decision and everything that follows from it, as far as the next gate.
    fn commit(&mut self, run: RunKey, journal: &Journal, step: Step, by: &str, choice: Choice) {
        let mut journal = journal.clone();
        let before = journal.entries().len();
        let is_edit = matches!(choice, Choice::Edit { .. });
        add(&mut journal, step, Outcome::Decision(Decision { by: by.into(), choice }));
        if self.edit_opens_gate
            && is_edit
            && let Some(Wait::Gate { round }) = decisions::waits(&journal)
        {
            add(&mut journal, Step::Gate { round }, Outcome::Gate(GateOutcome::Edited));
        }
        while let Some(Step::Revise { round }) = go_on(&mut journal).first().copied() {
            self.revise(&mut journal, round);
        }
        let entries = journal.entries().iter().enumerate().skip(before);
        let entries = entries.map(|(place, entry)| (i64::try_from(place).unwrap() + 1, entry.clone())).collect();
        self.hear(News::Added { key: run, entries });
    }

    /// The next draft and its review: the editor's own text, or a sentence more.
    fn revise(&mut self, journal: &mut Journal, round: u32) {
        let before = &journal.draft(round).unwrap().article;
        let article = decisions::edit(journal, round).cloned().unwrap_or_else(|| {
            let mut article = before.clone();
            article.articleBody.push_str(" The plan has an x.");
            article
        });
        add(journal, Step::Revise { round }, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
        let round = round + 1;
        let ids = 1..=u32::try_from(self.dice.roll(3)).unwrap();
        let raw = ArticleReviewRaw { markdown_bullets: "- x".repeat(ids.clone().count()) };
        add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, vec![])));
        let concern = |concern_id| Concern { concern_id, excerpt: "x".into(), review_note: "x".into() };
        let concerns = ids.clone().map(concern).collect();
        add(journal, Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns }));
        if ids.is_empty() {
            return;
        }
        let mapping = |concern_id| ConcernMapping {
            concern_id,
            concern_type: ConcernType::UnsupportedFact,
            selected_agent: Specialist::Opinion,
            confidence: Confidence::High,
            reason: "r".into(),
        };
        let mappings = ids.clone().map(mapping).collect();
        add(journal, Step::Map { round }, Outcome::Mapping(ConcernMappingResult { mappings }));
        for concern in ids {
            let status = *self.dice.one_of(&[Status::Keep, Status::Rewrite, Status::Remove]);
            let fix = (status != Status::Keep).then_some("Replace “x” with “y”.");
            add(journal, Step::Judge { round, concern }, Outcome::Verdict(verdict(concern, status, fix)));
        }
    }

    /// No gate that an editor has to open was passed without a decision, and nothing became an article without a signature.
    fn check_gates(&self) {
        let Some(story) = self.model.story.as_deref() else { return };
        if story.journal.opening.gates != Gates::Editor {
            return;
        }
        let mut left = Vec::new();
        for entry in story.journal.entries() {
            match (entry.step, &entry.outcome) {
                (Step::Decide { round, .. }, Outcome::Decision(decision)) if decision.choice.leaves() => {
                    left.push(round);
                }
                (Step::Gate { round }, _) if !left.contains(&round) => {
                    self.wrong(&format!("the gate of round {round} was passed without its editor"));
                }
                _ => {}
            }
        }
        let signed = decisions::signed_by(&story.journal).is_some();
        let succeeded = story.journal.publication().is_some_and(|publication| publication.success);
        if succeeded && !signed && self.ended != Some(story.key) {
            self.wrong("an article that nobody signed");
        }
        if let Some(Wait::SignOff { round }) = story.waits()
            && round < story.latest_round()
        {
            self.wrong("the sign-off is of an earlier draft than the last");
        }
    }

    /// Esc, with a yes to each question that it asks, leads to the desk, and from there out of the program.
    fn way_out(&mut self) {
        let esc = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
        let yes = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        for _ in 0..WAY_OUT {
            while !self.waiting.is_empty() {
                self.answer_next();
            }
            let asked = self.model.on_top::<Question>().is_some();
            let is_left = self.model.overlays.is_empty() && self.model.screen == Screen::Desk;
            if self.model.leaving {
                return;
            }
            if is_left && !self.model.desk.filtering {
                self.press(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE));
            } else {
                self.press(if asked { yes } else { esc });
            }
            self.draw();
        }
        let form = self.model.on_top::<Form>().map(|form| form.title.clone());
        self.wrong(&format!("no way out; the form is {form:?}"));
    }
}

#[expect(clippy::disallowed_methods, reason = "it says how much is tried, and is no setting of the program")]
pub(crate) fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Presses keys on one page in each of the sizes, looks for the way out, and returns the decisions.
fn press_on(name: &str, model: Model, seed: u64, keys: usize, sizes: &[(u16, u16)]) -> BTreeMap<&'static str, usize> {
    let mut world = World::new(model, seed, SIZES[0]);
    world.log.push(format!("{name}, seed {seed}"));
    for size in sizes {
        world.size = *size;
        for _ in 0..keys {
            if world.model.leaving {
                break;
            }
            world.step();
        }
    }
    world.way_out();
    world.made
}

#[test]
#[expect(clippy::print_stdout, reason = "a long run says how much it tried")]
fn random_keys_break_no_page_and_pass_no_gate() {
    let (minutes, first) = (number("COPYDESK_RANDOM_MINUTES", 0), number("COPYDESK_RANDOM_SEED", 1));
    let (began, lasts) = (Instant::now(), Duration::from_secs(60 * minutes));
    let mut made: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut seed, mut pages) = (first, 0);
    loop {
        for (name, model) in super::pictures::screens() {
            let size = usize::try_from(seed).unwrap() % SIZES.len();
            let pressed = match minutes {
                0 if seed % ONE_OF != 0 => BTreeMap::new(),
                0 => press_on(name, model, seed, KEYS, &SIZES[size..=size]),
                _ => press_on(name, model, seed, MANY_KEYS, &SIZES),
            };
            for (choice, times) in pressed {
                *made.entry(choice).or_default() += times;
            }
            (seed, pages) = (seed + 1, pages + 1);
            if minutes > 0 && began.elapsed() >= lasts {
                break;
            }
        }
        if began.elapsed() >= lasts {
            break;
        }
    }
    let decided: usize = made.values().sum();
    assert!(decided > 5, "the keys decide too little to find anything: {made:?}");
    println!("{pages} pages from seed {first}: {decided} decisions, {made:?}");
}

#[test]
#[should_panic(expected = "was passed without its editor")]
fn a_gate_that_an_edit_opens_is_found() {
    let model = demo_story::story(at_gate(), Tab::Article);
    let mut world = World::new(model, 1, SIZES[1]);
    world.edit_opens_gate = true;
    for _ in 0..2000 {
        world.step();
    }
}
