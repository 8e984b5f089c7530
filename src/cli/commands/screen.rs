//! `copydesk`, `copydesk review` and `copydesk run` without `--auto`: the desk in the terminal.

use std::io::IsTerminal as _;

use crate::cli::intake::{
    house_style::DictionaryKeeper,
    own_draft::{self, Story},
    topics::{ReadTopic, TopicRead},
    typed::{Reader, to_begin},
};
use crate::cli::prelude::*;
use crate::cli::wiring::{
    embedder,
    house_settings::{self, SettingsKeeper},
    librarian::Keeper,
    observing::{self, Observing},
    recorded_story::{self, RecordedStory},
    targets,
};
use crate::cli::work::worked::write_rejection;
use crate::config::{Endpoint, Engine};
use crate::desk::{Assignment, Replaces};
use crate::newsroom::Gates;
use crate::ports::Archive as _;
use crate::text::capital;
use crate::tui::{
    app::{
        messages::{Beginning, Request},
        model::{House, Model, Opens, Screen, Server},
        open::{self, Lines, OpenError},
        run::Left,
    },
    screens::{
        files,
        settings::{model::FirstStory, update as setup},
        story::tabs::Tab,
    },
    terminal::{
        background,
        screen::{self, HeldScreen},
    },
    widgets::theme::{Theme, ThemeName},
    worker::context::{PlayerCall, StartingStories, Tools},
};

/// The first page of the screen.
pub(crate) enum First {
    /// The list of stories.
    Desk,
    /// The first story of the review queue.
    Review,
    /// Stories that were handed in.
    Begin(Vec<ReadTopic>),
    /// A story whose first draft was handed in, on its Proof page.
    Prove(ReadTopic),
}

/// Whether there is a terminal for a screen.
pub(crate) fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// `copydesk` and `copydesk review`.
pub(crate) async fn desk(config: Option<&Path>, first: First) -> Result<Exit> {
    if !is_possible() {
        return Err(wrong_use(
            "The screen needs a terminal. Without one, use: copydesk run --auto TOPIC, copydesk --plain, copydesk list, copydesk list --review, copydesk show STORY, \
             copydesk decide STORY CHOICE; \
             copydesk --help names them all.",
        ));
    }
    let (settings, written) = settings::load_or_write(config)?;
    Box::pin(open_telling(settings, first, written, &mut None)).await
}

/// Opens the screen and works until it is left. If settings are changed there, it opens again with them.
pub(crate) async fn open(settings: Settings, first: First) -> Result<Exit> {
    Box::pin(open_telling(settings, first, None, &mut None)).await
}

/// The same, with a message for its list of messages: on standard error it would flash up before the screen. The screen that is `held` goes
/// on, and is not closed where another opens after it.
async fn open_telling(
    mut settings: Settings,
    mut first: First,
    mut told: Option<String>,
    held: &mut Option<HeldScreen>,
) -> Result<Exit> {
    let mut before: Option<Model> = None;
    loop {
        let (left, mut model) = opened(&settings, first, before.take(), told.take(), held).await?;
        if left == Left::Again {
            let recorded = settings.article_generation.record_to.take();
            settings = settings::read(&settings.file)?;
            if let Some(file) = recorded {
                let file = sanitise::one_line(&file.display().to_string());
                model.warn(format!(
                    "the recording {file} has ended, because settings were saved; to record again, leave and name a new file (run --record)"
                ));
            }
            (first, before) = (First::Desk, Some(model));
            continue;
        }
        if left == Left::ForRecorded {
            (model.first_story, model.wants_recorded) = (None, false);
            match watch(&settings, held).await {
                Ok(Exit::Interrupted) => return Ok(Exit::Interrupted),
                Ok(_) => {}
                Err(error) => model.warn(format!("{error:#}")),
            }
            (first, before) = (First::Desk, Some(model));
            continue;
        }
        if model.desk.at_work() > 0 && model.house.recorded.is_none() {
            let stories = if model.desk.at_work() == 1 { "One story was" } else { "Several stories were" };
            headless::message(&format!(
                "{stories} still running. Finished steps are saved; `copydesk resume` continues from there."
            ));
        }
        return Ok(match left {
            Left::Quit | Left::Again | Left::ForRecorded => Exit::Fine,
            Left::Told { outside, .. } => {
                if let Some(file) = outside {
                    headless::message(&format!("Your unsaved text is kept in {}", file.display()));
                }
                Exit::Interrupted
            }
        });
    }
}

/// Plays the recorded story of the program on a desk of its own, with the person's screen.
async fn watch(own: &Settings, held: &mut Option<HeldScreen>) -> Result<Exit> {
    let speed = Some(recorded_story::USUAL_SPEED);
    let RecordedStory { mut settings, topic, folder: _folder } =
        RecordedStory::open(recorded_story::FIRST, Gates::Editor, speed)?;
    settings.tui = own.tui.clone();
    settings.editor.clone_from(&own.editor);
    Box::pin(open_telling(settings, First::Begin(topic), None, held)).await
}

/// Opens the screen once: where `before` was, if new settings opened it again.
async fn opened(
    settings: &Settings,
    first: First,
    before: Option<Model>,
    told: Option<String>,
    held: &mut Option<HeldScreen>,
) -> Result<(Left, Model)> {
    let shows_desk = matches!(first, First::Desk);
    let (StartingStories { assignments: handed_in, notes }, opens, begins_at) = match first {
        First::Begin(taken) => (begun(settings, taken).await?, Opens::Nothing, None),
        First::Prove(taken) => (begun(settings, vec![taken]).await?, Opens::Nothing, Some(Tab::Proof)),
        First::Desk => (StartingStories::default(), Opens::Nothing, None),
        First::Review => (StartingStories::default(), Opens::Review, None),
    };
    let keys = settings::keys(settings)?;
    let store = wiring::store(settings)?;
    let (assignments, opens) = if begins_at.is_some() {
        proved(&store, handed_in).await?
    } else {
        let opens = waiting(&store, &handed_in).await?.map_or(opens, Opens::Run);
        (handed_in, opens)
    };
    let lines = Lines::default();
    let library = Arc::new(wiring::library(settings, &store));
    let watch = observing::logged(settings, lines.watch(), lines.say());
    let desk = Arc::new(wiring::desk_with(settings, &store, watch, Arc::clone(&library))?);
    let mut model = Model::new(house(settings), keys, theme(settings), settings.tui.mouse, SystemClock.now());
    model.next.opens = opens;
    model.next.tab = begins_at;
    for note in told.into_iter().chain(notes) {
        model.say(note);
    }
    if let Some(before) = before {
        model.notices = before.notices;
        model.notice = before.notice;
        match before.first_story {
            Some(FirstStory::Sample) => lines.ask(Request::Begin(Beginning::Sample)),
            // It asks for nothing before a file is named.
            Some(FirstStory::Own) => files::show(&mut model),
            Some(FirstStory::Recorded) => model.wants_recorded = true,
            None => {}
        }
        if let Some(story) = before.story.filter(|_| before.screen == Screen::Story) {
            model.next.opens = Opens::Run(story.key);
            model.next.tab = Some(story.tab);
        }
    } else if shows_desk && settings::is_first(&settings.file) {
        let light = if screen::no_color() { None } else { background::is_light() };
        setup::first(&mut model, account().as_deref(), light);
        lines.ask(Request::ListModels(None));
    }
    // Standard error would be written over the screen.
    let told = &mut |text: &str| model.say(text);
    let _observing = Observing::begin(settings, &store, lines.say(), told).await;
    let words = wiring::library_with(settings, &store, embedder::opened(None));
    let librarian = Keeper::new(settings, &store, Arc::clone(&library));
    let distribution = targets::distribution(settings, &store, settings.editor.clone());
    let tools = Tools {
        desk,
        distribution: Arc::new(distribution),
        passages: library,
        words: Arc::new(words),
        index: Arc::new(store.clone()),
        librarian: Arc::new(librarian),
        scratch: Arc::new(store.clone()),
        facts: Arc::new(store),
        pools: observing::slots(settings),
        stories_at_once: settings.desk.stories_at_once,
        database: settings.database.file().map(Path::to_owned).unwrap_or_default(),
        speller: Arc::new(DictionaryKeeper::new(settings.clone())),
        player: settings.transcription.as_ref().and_then(|server| server.player.clone()).map(|player| {
            let call: Arc<PlayerCall> = Arc::new(move |file: &str, start, length| player.call(file, start, length));
            call
        }),
        settings: Arc::new(SettingsKeeper { file: settings.file.clone() }),
        intake: Arc::new(Reader { settings: settings.clone() }),
    };
    let left = open::open(lines, &mut model, tools, assignments, held).await;
    let left = left.map_err(|error| match error {
        OpenError::Screen(error) => WrongUse(error.to_string()).into(),
        OpenError::Worker(_) => anyhow::Error::from(error),
    })?;
    Ok((left, model))
}

/// The name of the account, as far as its home folder tells: a proposal for the byline.
fn account() -> Option<String> {
    let folders = directories::UserDirs::new()?;
    let name = folders.home_dir().file_name()?.to_str()?;
    let is_person = name.starts_with(char::is_alphabetic)
        && !["root", "home", "user", "users", "admin"].contains(&name.to_lowercase().as_str());
    is_person.then(|| capital(name))
}

/// The stories that were handed in. A topic that cannot be used leaves its failure in a file, too.
async fn begun(settings: &Settings, taken: Vec<ReadTopic>) -> Result<StartingStories> {
    for ReadTopic { file, what, .. } in &taken {
        if let TopicRead::Rejected { message, story: Some(story) } = what {
            write_rejection(settings, story, &format!("{file}: {message}")).await;
        }
    }
    let mut stories = to_begin(settings, taken).map_err(|error| wrong_use(format!("{error} (nothing was started)")))?;
    for assignment in &mut stories.assignments {
        assignment.gates = Gates::Editor;
    }
    Ok(stories)
}

/// The run of the first story that was handed in, if it waits for its editor. It opens beside the message that nothing was begun.
async fn waiting(store: &Store, handed_in: &[Assignment]) -> Result<Option<RunKey>> {
    let Some(first) = handed_in.first().filter(|first| first.replaces == Replaces::Nothing) else { return Ok(None) };
    let current = store.current_run(&first.topic.story().to_string()).await?;
    Ok(current.filter(|(_, run)| run.waits.is_some()).map(|(key, _)| key))
}

/// The stories to begin, and the one to open, for drafts that were handed in to be proved.
async fn proved(store: &Store, drafts: Vec<Assignment>) -> Result<(Vec<Assignment>, Opens)> {
    let (mut begins, mut opens) = (Vec::new(), Opens::Nothing);
    for assignment in drafts {
        match own_draft::story_of(store, assignment).await? {
            Story::Begins(assignment) => begins.push(*assignment),
            Story::Stands(run) => opens = Opens::Run(run),
        }
    }
    Ok((begins, opens))
}

fn house(settings: &Settings) -> House {
    let generation = &settings.article_generation;
    let mut servers: Vec<Server> = Vec::new();
    let mut sees = |endpoint: &Endpoint| {
        let server = Server { host: endpoint.authority(), here: endpoint.is_loopback() };
        if !servers.contains(&server) {
            servers.push(server);
        }
    };
    if generation.engine == Engine::Llm {
        let models = generation.models.all().map(|model| &model.endpoint);
        models.chain(generation.perplexity.as_ref().map(|search| &search.endpoint)).for_each(&mut sees);
    }
    // Whichever engine writes, the embedder's server sees the texts that are indexed and the words of each search.
    generation.knowledge_base.embedding_server().map(|server| &server.endpoint).into_iter().for_each(&mut sees);
    House {
        editor: settings.editor.clone(),
        recorded: generation.watched.clone(),
        servers,
        prices: settings.prices.clone(),
        notifies: settings.tui.notify,
        countdown: settings.tui.gate_countdown_seconds,
        memory_expires_after_days: generation.institutional_memory.expires_after_days,
        knowledge_folder: generation.knowledge_base.data_dir.path.display().to_string(),
        min_credibility: generation.knowledge_base.min_credibility,
        styles: styles(settings),
        settings: house_settings::seen(settings),
    }
}

/// The styles that a story may have, the default first.
fn styles(settings: &Settings) -> Vec<String> {
    let generation = &settings.article_generation;
    let others = generation.allowed_styles.iter().filter(|style| **style != generation.default_style_mode);
    std::iter::once(&generation.default_style_mode).chain(others).cloned().collect()
}

/// The configured theme; without colour where the terminal's owner wants none (no-color.org).
fn theme(settings: &Settings) -> Theme {
    if screen::no_color() {
        return Theme::named(ThemeName::Monochrome);
    }
    Theme::named(settings.tui.theme)
}
