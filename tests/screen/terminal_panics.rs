//! A panic in the whole program, in a terminal of its own: in the screen, in the back room, in the work on a story, in a worker's thread.
//! The real loop and the real back room run; a clock, a knowledge base or an intake, all behind ports, breaks off.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use async_trait::async_trait;
use copydesk::agents::Agents;
use copydesk::desk::Assignment;
use copydesk::desk::Desk;
use copydesk::desk::Distribution;
use copydesk::desk::Outputs;
use copydesk::desk::QueueRules;
use copydesk::desk::RetrievalRules;
use copydesk::desk::SendRetries;
use copydesk::editorial::drafts;
use copydesk::editorial::topic_file;
use copydesk::newsroom::Agent;
use copydesk::newsroom::Answer;
use copydesk::newsroom::ArticleResponse;
use copydesk::newsroom::FoundSource;
use copydesk::newsroom::Pool;
use copydesk::newsroom::ResearchRules;
use copydesk::newsroom::Source;
use copydesk::newsroom::StoryKey;
use copydesk::newsroom::Tier;
use copydesk::newsroom::Tool;
use copydesk::newsroom::ToolCall;
use copydesk::newsroom::ToolResult;
use copydesk::ports::Ask;
use copydesk::ports::Breaker;
use copydesk::ports::Budget;
use copydesk::ports::CallError;
use copydesk::ports::Clock;
use copydesk::ports::Found;
use copydesk::ports::Heard;
use copydesk::ports::ModelClient;
use copydesk::ports::ModelProfile;
use copydesk::ports::PageError;
use copydesk::ports::Pages;
use copydesk::ports::Passages;
use copydesk::ports::Query;
use copydesk::ports::StoreError;
use copydesk::ports::StoryText;
use copydesk::ports::ToolError;
use copydesk::ports::Toolbox;
use copydesk::ports::WorkProgress;
use copydesk::store::Store;
use copydesk::style::StyleReview;
use copydesk::tui::worker::context::{AddedFile, StartingStories};
use copydesk::tui::{
    app::{
        keymap::KeyMap,
        messages::Beginning,
        model::{House, Model},
        open::{self, Lines},
        trouble::Trouble,
    },
    screens::settings::model::{ChoosableModel, FoundServer, MeasuredModel, NewSettings, SeenSettings, ServerAt},
    widgets::theme::{Theme, ThemeName},
    worker::context::{HouseSettings, Intake, Librarian, Speller, Tools},
};
use jiff::Timestamp;

use crate::support::{
    newsroom::Newsroom,
    press,
    terminal::{Program, Terminal},
};

/// Names the part that breaks off in the child.
const SCENE: &str = "COPYDESK_TEST_SCENE";
/// Where the child works.
const FOLDER: &str = "COPYDESK_TEST_FOLDER";
/// The file that makes it break off.
const BREAK: &str = "break";
/// Its message; the terminal obeys nothing of it.
const SAID: &str = "it broke\u{1b}[2J\u{9b}1m off";

const AT_GATE: &str = "Round 1 waits for you";
const STORY: &str = "miller-park-renovation";

// The program's side.

/// A part that breaks off in one scene, as soon as the file is there.
#[derive(Clone)]
struct Part {
    scene: String,
    folder: PathBuf,
}

impl Part {
    fn holds(&self, scene: &str) {
        assert!(self.scene != scene || !self.folder.join(BREAK).exists(), "{SAID}");
    }
}

impl Clock for Part {
    fn now(&self) -> Timestamp {
        // The back room has a thread of its own.
        self.holds(if thread::current().name() == Some("desk") { "back room" } else { "screen" });
        "2026-10-06T12:00:00Z".parse().unwrap()
    }
}

#[async_trait]
impl HouseSettings for Part {
    async fn servers(&self, _: Option<&ServerAt>) -> Result<Vec<FoundServer>, Trouble> {
        Ok(Vec::new())
    }

    async fn save(&self, new: &NewSettings) -> Result<SeenSettings, Trouble> {
        Ok(new.after.clone())
    }

    async fn measure(&self, _: &ChoosableModel, _: Heard<'_>) -> Result<MeasuredModel, Trouble> {
        Err(Trouble::new("there is no server"))
    }
}

impl Speller for Part {
    fn notes(&self, _: &ArticleResponse, _: &[Source]) -> Result<StyleReview, Trouble> {
        Ok(StyleReview::default())
    }

    fn learn(&self, _: &str) -> Result<bool, Trouble> {
        Ok(false)
    }
}

impl Intake for Part {
    fn source(&self, _: &Path, _: &copydesk::newsroom::Secrecy) -> Result<AddedFile, Trouble> {
        Err(Trouble::new("there is no such file"))
    }

    fn begin(&self, beginning: &Beginning) -> Result<StartingStories, Trouble> {
        if matches!(beginning, Beginning::Files(_)) {
            self.holds("worker");
            return Err(Trouble::new("there is no such file"));
        }
        let defaults = topic_file::TopicDefaults {
            allowed_styles: vec!["NATURE_NEWS".into()],
            style_mode: "NATURE_NEWS".into(),
            target_length_words: "250-400".into(),
        };
        let topic = topic_file::parse(include_bytes!("../../assets/topics/miller-park-renovation.json"), &defaults);
        let draft = drafts::from_text(include_str!("../../assets/drafts/miller-park-renovation.md"));
        Ok(Assignment { given_draft: Some(draft.unwrap()), ..Assignment::of(topic.unwrap().0) }.into())
    }
}

fn queue_rules() -> QueueRules {
    QueueRules {
        pools: Pool::ALL.into_iter().map(|pool| (pool, 4)).collect(),
        max_redeliveries: 0,
        backoff: Duration::from_secs(1),
        longest_backoff: Duration::from_secs(1),
        ageing: Duration::from_mins(10),
        lease: Duration::from_mins(1),
        give_up_after: Duration::from_mins(10),
        longest_wait: Duration::from_hours(1),
        breaker: Breaker { failures: 0, rest: Duration::from_secs(1), longest: Duration::from_secs(1) },
        budget: Budget::default(),
        servers: HashMap::new(),
    }
}

#[async_trait]
impl Passages for Part {
    async fn search(&self, _: &Query) -> Result<Found, StoreError> {
        Ok(Found::default())
    }

    async fn search_each(&self, queries: &[Query]) -> Result<Vec<Found>, StoreError> {
        Ok(queries.iter().map(|_| Found::default()).collect())
    }

    async fn similarity(&self, _: &str, _: &str) -> Result<Option<f64>, StoreError> {
        Ok(None)
    }

    async fn shelve(
        &self,
        _: &StoryKey,
        _: Tier,
        _: &[copydesk::ports::ShelvedText],
    ) -> Result<(Vec<StoryText>, u64), StoreError> {
        Ok((Vec::new(), 0))
    }

    async fn version(&self) -> Result<String, StoreError> {
        self.holds("story");
        Ok("none".into())
    }
}

#[async_trait]
impl Pages for Part {
    async fn open(&self, _: &str) -> Result<FoundSource, PageError> {
        unreachable!("offline, nothing is cited")
    }
}

#[async_trait]
impl Toolbox for Part {
    async fn tools(&self, _: Agent) -> Vec<Tool> {
        Vec::new()
    }
    async fn call(&self, _: Agent, _: &ToolCall) -> Result<ToolResult, ToolError> {
        unreachable!("nobody researches")
    }
}

#[async_trait]
impl Librarian for Part {
    async fn refresh(&self, _: &WorkProgress) -> Result<Vec<String>, Trouble> {
        Ok(Vec::new())
    }

    async fn shelve(&self) -> Result<Vec<String>, Trouble> {
        Ok(Vec::new())
    }

    async fn embed(&self, _: &WorkProgress) -> Result<Vec<String>, Trouble> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl ModelClient for Part {
    fn card(&self, _: Agent) -> ModelProfile {
        unreachable!("offline, no model is asked")
    }

    async fn ask(&self, _: &Ask, _: Heard<'_>) -> Result<Answer, CallError> {
        unreachable!("offline, no model is asked")
    }
}

fn house() -> House {
    House {
        editor: "Ada".into(),
        servers: vec![],
        prices: vec![],
        recorded: None,
        notifies: false,
        countdown: None,
        memory_expires_after_days: Some(90),
        knowledge_folder: "data/knowledgebase".into(),
        min_credibility: 0.7,
        styles: vec!["NATURE_NEWS".into()],
        settings: SeenSettings {
            file: "config/config.yaml".into(),
            editor: "Ada".into(),
            theme: ThemeName::Dark,
            mouse: true,
            bell: false,
            model: None,
            local_only: true,
            length: "900-1200".into(),
            style: "NATURE_NEWS".into(),
            channel: "newsroom".into(),
            desk: String::new(),
            spelling: copydesk::text::spelling::HouseSpelling::Either,
            disclosure: copydesk::newsroom::Disclosure::None,
            targets: Vec::new(),
        },
    }
}

/// Sends nothing: there is no target.
fn nowhere(desk: &Desk, store: &Store, clock: &Arc<dyn Clock>, locks: PathBuf) -> Distribution {
    Distribution {
        archive: Arc::new(store.clone()),
        records: Arc::new(store.clone()),
        outbox: Arc::new(store.clone()),
        ledger: Arc::new(store.clone()),
        stories: Arc::new(store.clone()),
        clock: Arc::clone(clock),
        outputs: desk.outputs.clone(),
        locks: locks.into(),
        targets: Vec::new(),
        auto: false,
        by: "Ada".into(),
        retries: SendRetries {
            most: 0,
            backoff: Duration::ZERO,
            longest_backoff: Duration::ZERO,
            longest_wait: Duration::ZERO,
        },
    }
}

/// Not a test of its own: what the tests below start. Without a scene it does nothing.
#[test]
#[ignore = "is started by the other tests, in a terminal"]
fn a_scene() {
    #[expect(clippy::disallowed_methods, reason = "the tests tell their own child what to play")]
    let (Ok(scene), Ok(folder)) = (std::env::var(SCENE), std::env::var(FOLDER)) else { return };
    let part = Part { scene, folder: folder.into() };
    let data = part.folder.join("data");
    let store = Store::open(&data.join("copydesk.db")).unwrap();
    let lines = Lines::default();
    let desk = Desk {
        agents: Arc::new(Agents::Offline),
        engine: "offline",
        model: Arc::new(part.clone()),
        records: Arc::new(store.clone()),
        queue: Arc::new(store.clone()),
        queue_rules: Arc::new(queue_rules()),
        ledger: Arc::new(store.clone()),
        stories: Arc::new(store.clone()),
        memory: Arc::new(store.clone()),
        memory_expires_after_days: None,
        archive: Arc::new(store.clone()),
        passages: Arc::new(part.clone()),
        pages: Arc::new(part.clone()),
        toolbox: Arc::new(part.clone()),
        research: ResearchRules {
            assigned: false,
            triages: false,
            passes: 1,
            turns: 2,
            calls: 1,
            limits: copydesk::newsroom::ErrandLimits::NONE,
        },
        fails_with_tools: false,
        retrieval: RetrievalRules {
            top_k: 5,
            budget_tokens: 2500,
            min_credibility: 0.7,
            timeout: Duration::from_secs(10),
        },
        clock: Arc::new(part.clone()),
        watch: lines.watch(),
        outputs: Outputs {
            workspace: part.folder.clone(),
            articles: data.join("articles"),
            runs: "data/runs".into(),
            fact_checks: data.join("facts"),
            evidence_searches: data.join("evidence"),
            save_intermediate_results: true,
            group_readable: false,
        },
        locks: data.join("locks").into(),
        editor: "Ada".into(),
        settings: copydesk::newsroom::RunSettings { max_rounds: 2, concerns_limit: Some(40), ..Default::default() },
        specialists_of_a_story: 1,
        pins: String::new(),
    };
    let clock: Arc<dyn Clock> = Arc::new(part.clone());
    let distribution = nowhere(&desk, &store, &clock, data.join("locks"));
    let tools = Tools {
        desk: Arc::new(desk),
        distribution: Arc::new(distribution),
        passages: Arc::new(part.clone()),
        words: Arc::new(part.clone()),
        index: Arc::new(store.clone()),
        librarian: Arc::new(part.clone()),
        scratch: Arc::new(store.clone()),
        facts: Arc::new(store),
        pools: Vec::new(),
        intake: Arc::new(part.clone()),
        speller: Arc::new(part.clone()),
        player: None,
        settings: Arc::new(part),
        stories_at_once: 2,
        database: data.join("copydesk.db"),
    };
    let now = "2026-10-06T12:00:00Z".parse().unwrap();
    let mut model = Model::new(house(), KeyMap::default(), Theme::named(ThemeName::Dark), true, now);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(open::open(lines, &mut model, tools, Vec::new(), &mut None)).unwrap();
}

// The terminal's side.

struct Stage {
    newsroom: Newsroom,
    terminal: Terminal,
}

impl Stage {
    fn set(scene: &str) -> Self {
        let newsroom = Newsroom::offline();
        let terminal = play(&newsroom, scene);
        Self { newsroom, terminal }
    }

    /// The story that comes with the program waits at its gate.
    fn at_gate(scene: &str) -> Self {
        let stage = Self::set(scene);
        stage.terminal.keys(press::SAMPLE).wait_for(AT_GATE);
        stage
    }

    fn breaks(&self) {
        self.newsroom.write(BREAK, b"");
    }

    fn is_mended(&self) {
        std::fs::remove_file(self.newsroom.path().join(BREAK)).unwrap();
    }

    /// The screen is where it was, and says so.
    fn stays(&self, said: &str) {
        self.terminal.wait_for(said);
        self.terminal.keys(press::HELP).wait_for("Keys that work here");
        self.terminal.keys("esc").wait_gone("Keys that work here");
        let left = self.terminal.left_behind();
        for held in
            ["the alternate screen", "the cursor is hidden", "bracketed paste", "the mouse", "the line's settings"]
        {
            assert!(left.iter().any(|what| what.contains(held)), "{held}: {left:?}");
        }
        assert!(!String::from_utf8_lossy(&self.terminal.raw()).contains("\x1b[?1049l"), "it was never left");
    }

    /// Nothing of what the panic said is obeyed: neither where the screen shows it nor after that.
    fn is_not_obeyed(&self) {
        let raw = String::from_utf8_lossy(&self.terminal.raw()).into_owned();
        assert!(!raw.contains("\u{9b}") && !raw.contains("broke\x1b[2J"), "{raw:?}");
    }
}

fn play(newsroom: &Newsroom, scene: &str) -> Terminal {
    let program = Program {
        path: std::env::current_exe().unwrap(),
        arguments: ["terminal_panics::a_scene", "--exact", "--ignored", "--nocapture", "--test-threads=1"]
            .map(Into::into)
            .into(),
        folder: newsroom.path().to_owned(),
        environment: vec![(SCENE.into(), scene.into()), (FOLDER.into(), newsroom.path().into())],
    };
    let terminal = Terminal::run(&program, 36, 120);
    terminal.wait_for("Copydesk ·");
    terminal
}

#[test]
fn a_panic_in_the_screen_restores_the_terminal_says_what_happened_and_loses_nothing() {
    let Stage { newsroom, terminal } = {
        let stage = Stage::at_gate("screen");
        stage.breaks();
        stage
    };
    let before = newsroom.record(STORY);
    terminal.keys(press::NEXT);
    assert_ne!(terminal.exit_code(), 0);
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
    let screen = terminal.screen();
    assert!(screen.contains("The screen failed. The database is safe; please report this:"), "{screen}");
    assert!(screen.contains("it broke off"), "{screen}");
    let stage = Stage { newsroom, terminal };
    stage.is_not_obeyed();
    // It is there as it was, and goes on.
    let after = stage.newsroom.record(STORY);
    assert_eq!((after.journal, after.log), (before.journal, before.log));
    stage.is_mended();
    let terminal = play(&stage.newsroom, "none");
    terminal.wait_for("? waits for you");
    terminal.keys(press::WAITING).wait_for(AT_GATE);
    terminal.leave();
}

#[test]
fn a_panic_in_a_workers_thread_leaves_the_screen_which_says_so() {
    let stage = Stage::at_gate("worker");
    stage.terminal.keys("esc").wait_for(STORY);
    stage.breaks();
    stage.terminal.keys(press::NEW_FROM_FILE).wait_for("New story from a file");
    stage.terminal.keys("\"any.json\" enter").wait_for("Reading it failed");
    stage.is_mended();
    stage.terminal.keys("enter").wait_for("There is no such file");
    stage.terminal.keys("esc");
    stage.stays(STORY);
    stage.is_not_obeyed();
    stage.terminal.leave();
}

#[test]
fn a_panic_in_the_work_on_a_story_leaves_the_screen_and_the_story_can_go_on() {
    let stage = Stage::set("story");
    stage.breaks();
    stage.terminal.keys(press::SAMPLE).wait_for("A part of the program failed (it broke off (thread desk, ");
    stage.is_not_obeyed();
    stage.stays("Copydesk ·");
    stage.is_mended();
    let entries = stage.newsroom.record(STORY).journal.entries().len();
    stage.terminal.keys(press::RESUME).wait_for(AT_GATE);
    let record = stage.newsroom.record(STORY);
    assert!(entries > 0 && record.journal.entries().len() > entries, "it went on where it was");
    assert_eq!(stage.newsroom.ask("SELECT count(*) FROM run"), "1");
    stage.terminal.leave();
}

#[test]
fn a_panic_in_the_back_room_leaves_the_screen_which_says_what_to_do() {
    let stage = Stage::at_gate("back room");
    let before = stage.newsroom.record(STORY);
    stage.breaks();
    stage.terminal.keys(press::CONTINUE);
    stage.stays("A part of the program has stopped. The database is safe; quit and start the program again");
    stage.is_not_obeyed();
    stage.is_mended();
    stage.terminal.leave();
    let after = stage.newsroom.record(STORY);
    assert_eq!((after.journal, after.log), (before.journal, before.log));
    let terminal = play(&stage.newsroom, "none");
    terminal.wait_for("? waits for you");
    terminal.keys(press::WAITING).wait_for(AT_GATE);
    terminal.leave();
}
