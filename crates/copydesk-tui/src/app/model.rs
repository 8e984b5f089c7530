//! The state of the screen: plain data. Only `update` changes it, and only `view` draws it.

use std::collections::HashMap;

use jiff::Timestamp;
use ratatui::layout::Rect;

use crate::app::notices::{Notice, Notices, Tone};
use crate::{
    app::{
        action::KeyContext, actions::Action, inquiry::Indexing, keymap::KeyMap, on_screen::OnScreen, ticket::Ticket,
        under_way::Works,
    },
    screens::{
        claims::model::ClaimsPage,
        day::model::DayPage,
        desk::model::DeskList,
        failed_steps::model::FailedStepsPage,
        files::model::FileBrowser,
        forms::{model::Form, purpose::DecisionPoint},
        live::model::Live,
        memory::model::{MemoryList, RecordPage},
        publish::model::PublishPage,
        record::model::StoryRecordPage,
        review::model::Walk,
        search::model::SearchPage,
        settings::model::{FirstStory, SeenSettings},
        story::{model::StoryView, tabs::Tab},
    },
    widgets::{theme::Theme, words},
};
pub use copydesk_config::{Price, WatchedRecording};
use copydesk_core::desk::{FailedStep, ForkedAnswer};
use copydesk_core::editorial::expiry;
use copydesk_core::ports::{RunKey, ServerDown};
use copydesk_newsroom::{Choice, Passage, Step, StoryKey};

/// A server that gets text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// `host:port`.
    pub host: String,
    /// Whether it runs on this machine.
    pub here: bool,
}

/// Settings that do not change while the screen is open.
#[derive(Debug, Clone, PartialEq)]
pub struct House {
    /// The name that decisions carry.
    pub editor: String,
    /// `offline` or `llm`.
    pub engine: String,
    /// The recorded story that is watched, if the desk was opened for one.
    pub recorded: Option<WatchedRecording>,
    /// The servers that get text; empty for `offline`.
    pub servers: Vec<Server>,
    /// The configured prices of models.
    pub prices: Vec<Price>,
    pub database: String,
    /// Whether the terminal rings when a gate begins to wait.
    pub bell: bool,
    /// Whether the desktop tells when a story waits or has failed.
    pub notifies: bool,
    /// Seconds after which a gate continues by itself.
    pub countdown: Option<u64>,
    /// Days after which a memory record is not used any more.
    pub memory_expires_after_days: Option<u32>,
    pub knowledge_folder: String,
    /// The least credibility of a hit, from 0 to 1.
    pub min_credibility: f64,
    /// The styles that a story may have, the default first.
    pub styles: Vec<String>,
    /// The settings that the settings page changes.
    pub settings: SeenSettings,
}

/// A question that is answered with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub title: String,
    /// The question and the effect of a yes.
    pub text: String,
    /// The effect of Enter, in a word or two.
    pub yes: String,
    pub then: ConfirmedAction,
}

/// The effect of a yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmedAction {
    Quit,
    Decide(DecisionPoint, Box<Choice>),
    /// Continue; ask once more if that ends the run.
    Continue(DecisionPoint),
    /// Texts may go to the other machine that the settings name.
    SendOut,
    /// Save the settings that fit a newly chosen model.
    SaveSettings,
    /// Delete the saved hand edit.
    ForgetEdit,
    /// Write a hand edit to a file because its gate does not wait any more.
    SaveEdit(std::path::PathBuf, String),
    /// Leave a form without saving.
    LeaveForm,
    /// Fork at a step.
    Fork(RunKey, StoryKey, Step, ForkedAnswer),
    /// Stop a story.
    Stop(StoryKey),
    /// Reopen a signed story.
    Reopen(RunKey, StoryKey),
    RestoreRecord(String),
    RetryFailedStep(Box<FailedStep>),
    /// Send a story to these targets.
    Publish(RunKey, StoryKey, Vec<String>),
    /// Add a word to the dictionary.
    AddWord(String),
}

/// A page, question or form over the screen. The top one gets the keys.
#[derive(Debug, Clone)]
pub enum Overlay {
    Help {
        top: usize,
        /// The context whose keys are listed.
        place: KeyContext,
    },
    Notices {
        top: usize,
    },
    Palette {
        query: String,
        selected: usize,
    },
    /// The file browser.
    Files(Box<FileBrowser>),
    Memory(Box<MemoryList>),
    /// A record of the memory.
    Record(Box<RecordPage>),
    /// The search.
    Search(Box<SearchPage>),
    Claims(Box<ClaimsPage>),
    /// The failed steps.
    FailedSteps(Box<FailedStepsPage>),
    Publish(Box<PublishPage>),
    /// The record of a story.
    StoryRecord(Box<StoryRecordPage>),
    /// The day in numbers.
    Day(Box<DayPage>),
    Question(Question),
    Form(Box<Form>),
}

/// The page or run that the screen opens once it is available.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Opens {
    #[default]
    Nothing,
    /// The first story of the review queue.
    Review,
    /// A run that has begun, or that the command named.
    Run(RunKey),
}

/// The story that the screen opens next.
#[derive(Debug, Clone, Default)]
pub struct NextStory {
    pub opens: Opens,
    /// The tab of the first opened story, if the command asked for one.
    pub tab: Option<Tab>,
    /// The ticket of the story that opens when it is read; `None` once the person has gone to another page.
    pub ticket: Option<Ticket>,
    /// The passage to show in that story.
    pub passage: Option<Passage>,
}

/// The positions of clickable and scrollable parts in the last frame.
#[derive(Debug, Clone)]
pub struct LastFrame {
    /// The area of the list, for the mouse.
    pub list: Rect,
    /// The clickable places, the footer's hints and the tabs, each with its action.
    pub spots: Vec<(Rect, Action)>,
    /// The rows of the palette, and the first of them.
    pub palette: (Rect, usize),
    /// Rows of the window.
    pub height: u16,
}

/// The screen below the overlays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Screen {
    #[default]
    Desk,
    Story,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
#[derive(Debug, Clone)]
pub struct Model {
    pub house: House,
    pub keys: KeyMap,
    pub theme: Theme,
    /// Whether the program gets the mouse.
    pub mouse: bool,
    /// Whether it was said how the terminal selects text meanwhile.
    pub told_of_selection: bool,
    /// When a key or the mouse was used last.
    pub touched: Option<Timestamp>,
    /// When the last desktop notification was sent.
    pub notified: Option<Timestamp>,
    /// The time, as of the last tick.
    pub now: Timestamp,
    pub screen: Screen,
    pub desk: DeskList,
    /// The failed steps, those of the most urgent stories first.
    pub failed_steps: Vec<FailedStep>,
    pub story: Option<Box<StoryView>>,
    /// The running calls, by story.
    pub live: HashMap<String, Live>,
    /// Whether text has arrived since the open story's live text was laid out.
    pub streamed: bool,
    /// The servers that are resting, which stories wait for.
    pub servers_down: Vec<ServerDown>,
    /// The top one is the last.
    pub overlays: Vec<Overlay>,
    /// The message in the footer until the next key.
    pub notice: Option<Notice>,
    /// All messages.
    pub notices: Notices,
    /// When the gate on the screen continues by itself.
    pub continues_at: Option<Timestamp>,
    /// The story that the screen opens once it is available.
    pub next: NextStory,
    /// The walk through the review queue.
    pub walk: Option<Walk>,
    /// The story that the editor ended last on a walk, until the records say so, too.
    pub ended: Option<String>,
    /// The search as it was left.
    pub searched: Option<Box<SearchPage>>,
    /// The progress of the work on the index.
    pub indexing: Indexing,
    /// Work beside the stories.
    pub under_way: Works,
    /// The last ticket.
    tickets: Ticket,
    pub drawn: LastFrame,
    /// The parts of the open story that are on the screen, for the story's log.
    pub on_screen: OnScreen,
    /// The story to begin with after the first settings.
    pub first_story: Option<FirstStory>,
    /// Whether the recorded story is to be watched: the screen closes, and a desk opens for it.
    pub wants_recorded: bool,
    /// Whether new settings wait to be used: the screen opens anew with them.
    pub has_new_settings: bool,
    /// Whether the program ends now.
    pub leaving: bool,
}

impl Model {
    #[must_use]
    pub fn new(house: House, keys: KeyMap, theme: Theme, mouse: bool, now: Timestamp) -> Self {
        Self {
            house,
            keys,
            theme,
            mouse,
            told_of_selection: false,
            touched: None,
            notified: None,
            now,
            screen: Screen::Desk,
            desk: DeskList::default(),
            failed_steps: Vec::new(),
            story: None,
            live: HashMap::new(),
            streamed: false,
            servers_down: Vec::new(),
            overlays: Vec::new(),
            notice: None,
            notices: Notices::default(),
            continues_at: None,
            next: NextStory::default(),
            walk: None,
            ended: None,
            searched: None,
            indexing: Indexing::Rests,
            under_way: Works::default(),
            tickets: Ticket::default(),
            drawn: LastFrame { list: Rect::ZERO, spots: Vec::new(), palette: (Rect::ZERO, 0), height: 24 },
            on_screen: OnScreen::default(),
            first_story: None,
            wants_recorded: false,
            has_new_settings: false,
            leaving: false,
        }
    }

    /// Rows of a page, for keys that go by pages.
    #[must_use]
    pub fn page_rows(&self) -> u16 {
        self.drawn.height.saturating_sub(8).max(3)
    }

    /// Lays out again everything that depends on the theme.
    pub fn relay(&mut self) {
        if let Some(compared) = self.story.as_mut().and_then(|story| story.changes.compared.as_mut()) {
            compared.page = None;
        }
    }

    /// Opens an overlay. It is about the page under it, so a story that was asked for before does not open any more.
    pub fn lay_over(&mut self, overlay: Overlay) {
        self.next.ticket = None;
        self.next.opens = Opens::Nothing;
        self.stay();
        self.overlays.push(overlay);
    }

    /// The walk through the review queue stays at the story on the screen.
    fn stay(&mut self) {
        let Some(open) = &self.story else { return };
        if self.walk.as_ref().is_some_and(|walk| walk.story != open.run.story) {
            self.walk = self.desk.row(&open.run.story).map(Walk::at);
        }
    }

    /// The oldest time of a memory record that is still used; `None` for no limit.
    #[must_use]
    pub fn memory_since(&self) -> Option<String> {
        expiry::since(self.now, self.house.memory_expires_after_days)
    }

    pub fn ticket(&mut self) -> Ticket {
        self.tickets = self.tickets.next();
        self.tickets
    }

    /// Shows a message that something is done.
    pub fn say(&mut self, text: impl Into<String>) {
        self.tell(Tone::Done, text.into());
    }

    /// Shows a message that something failed or is not possible.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.tell(Tone::Trouble, text.into());
    }

    fn tell(&mut self, tone: Tone, text: String) {
        let text = words::sentence(text);
        self.notices.add(self.now, tone, &text);
        self.notice = Some(Notice::after(self.notice.take(), tone, text));
    }
}
