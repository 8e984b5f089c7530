//! What the screen knows: plain data. `update` changes it, `view` draws it, nothing else does either.

use std::collections::HashMap;

use jiff::Timestamp;
use ratatui::layout::Rect;

pub use crate::config::Price;
use crate::desk::{DeadLetter, Known};
use crate::editorial::expiry;
use crate::newsroom::{Passage, StoryKey};
use crate::ports::{RunKey, ServerDown};
use crate::tui::app::notices::{Notice, Notices, Tone};
use crate::tui::{
    app::{action::Place, inquiry::Shelving, keymap::KeyMap, ticket::Ticket},
    screens::{
        claims::model::ClaimsPage,
        dead_letters::model::DeadPage,
        desk::model::DeskList,
        forms::{model::Form, purpose::At},
        live::model::Live,
        memory::model::{MemoryList, RecordPage},
        review::model::Walk,
        search::model::SearchPage,
        story::{model::StoryView, tabs::Tab},
    },
    widgets::theme::Theme,
};

/// A server that sees text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// `host:port`.
    pub host: String,
    /// Whether it is this machine.
    pub here: bool,
}

/// What does not change while the screen is open.
#[derive(Debug, Clone, PartialEq)]
pub struct House {
    /// The name that decisions carry.
    pub editor: String,
    /// `offline` or `llm`.
    pub engine: String,
    /// The servers that see text; empty for `offline`.
    pub servers: Vec<Server>,
    /// What models cost, where it is configured.
    pub prices: Vec<Price>,
    /// The database's file.
    pub database: String,
    /// Whether a gate that begins to wait rings.
    pub bell: bool,
    /// Seconds after which a gate continues by itself.
    pub countdown: Option<u64>,
    /// Days after which a record of the memory is not offered any more.
    pub memory_expires_after_days: Option<u32>,
    /// The folder of the knowledge base.
    pub knowledge_folder: String,
    /// The least credibility of what is found, from 0 to 1.
    pub min_credibility: f64,
}

/// A question that is answered with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What it is about.
    pub title: String,
    /// What is asked and what the answer does.
    pub text: String,
    /// The answer's key is Enter; this is what it does, in a word.
    pub yes: String,
    /// What it leads to.
    pub then: Then,
}

/// What a question leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    /// The program ends.
    Quit,
    /// The gate is left without a hand edit that is kept.
    ContinueWithoutEdit(At),
    /// The gate is left although a verdict says again what the editor overruled before.
    ContinueAgainstBefore(At),
    /// The article is signed.
    SignOff(At),
    /// The run ends at its last round.
    ContinueToTheEnd(At),
    /// A hand edit that is kept is thrown away.
    ForgetEdit,
    /// A hand edit whose gate was left is written to a file.
    SaveEdit(std::path::PathBuf, String),
    /// A form is left without saving.
    LeaveForm,
    /// A new run from the selected step.
    Fork(RunKey, StoryKey, crate::newsroom::Step, Known),
    /// The work on a story stops.
    Stop(StoryKey),
    /// A story that was signed off is taken up again.
    Reopen(RunKey, StoryKey),
    /// The striking of a memory record is taken back.
    RestoreRecord(String),
    /// A step that was given up is tried again.
    RetryLetter(Box<DeadLetter>),
}

/// What lies over the screen; the top one has the keyboard.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// The keys.
    Help {
        /// First row.
        top: usize,
        /// The place that is explained.
        place: Place,
    },
    /// What was said.
    Notices {
        /// First row.
        top: usize,
    },
    /// Any action by its name.
    Palette {
        /// What is typed.
        query: String,
        /// The selected row.
        selected: usize,
    },
    /// The records of the memory.
    Memory(Box<MemoryList>),
    /// One of them.
    Record(Box<RecordPage>),
    /// The search.
    Search(Box<SearchPage>),
    /// The claims of the open story.
    Claims(Box<ClaimsPage>),
    /// The dead letters.
    Dead(Box<DeadPage>),
    /// A question.
    Question(Question),
    /// A form.
    Form(Box<Form>),
}

/// What is opened as soon as it is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Opens {
    /// Nothing.
    #[default]
    Nothing,
    /// The first story of the review queue.
    Review,
    /// A run: one that has begun, or was asked for with the command.
    Run(RunKey),
}

/// Which screen is below the overlays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Screen {
    /// The list of stories.
    #[default]
    Desk,
    /// One story.
    Story,
}

/// Everything that the screen knows.
#[derive(Debug, Clone)]
pub struct Model {
    /// What does not change.
    pub house: House,
    /// Which key does what.
    pub keys: KeyMap,
    /// Colours and marks.
    pub theme: Theme,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// The time, as of the last tick.
    pub now: Timestamp,
    /// Which screen is shown.
    pub screen: Screen,
    /// The list of stories.
    pub desk: DeskList,
    /// The steps that were given up, those of the most urgent stories first.
    pub letters: Vec<DeadLetter>,
    /// The open story.
    pub story: Option<Box<StoryView>>,
    /// What is on its way, by story.
    pub live: HashMap<String, Live>,
    /// Whether something has arrived since the open story's live text was made.
    pub streamed: bool,
    /// The servers that are left alone, which stories wait for.
    pub servers_down: Vec<ServerDown>,
    /// What lies over the screen, the top one last.
    pub overlays: Vec<Overlay>,
    /// What stands at the foot of the screen until the next key.
    pub notice: Option<Notice>,
    /// All that stood there.
    pub notices: Notices,
    /// When the gate that is shown continues by itself.
    pub continues_at: Option<Timestamp>,
    /// What is opened as soon as it is there.
    pub opens: Opens,
    /// The page at which the first story begins that is opened, where the command asked for one.
    pub begins_at: Option<Tab>,
    /// What the story was asked for with that is shown as soon as it is read; none once its person has gone elsewhere.
    pub opening: Option<Ticket>,
    /// The passage at which the story that is being opened is to be shown.
    pub opening_at: Option<Passage>,
    /// The walk through the review queue, where somebody is on it.
    pub walk: Option<Walk>,
    /// The story that was ended by hand last, on a walk, until the records say so, too.
    pub ended: Option<String>,
    /// The search as it was left.
    pub searched: Option<Box<SearchPage>>,
    /// How the work on the index stands.
    pub shelving: Shelving,
    /// The last ticket.
    tickets: Ticket,
    /// Where the list of the page was drawn last, for the mouse.
    pub list_area: Rect,
    /// Rows of the page that was drawn last.
    pub height: u16,
    /// Whether the program is to end.
    pub leaving: bool,
}

impl Model {
    /// An empty desk.
    #[must_use]
    pub fn new(house: House, keys: KeyMap, theme: Theme, mouse: bool, now: Timestamp) -> Self {
        Self {
            house,
            keys,
            theme,
            mouse,
            now,
            screen: Screen::Desk,
            desk: DeskList::default(),
            letters: Vec::new(),
            story: None,
            live: HashMap::new(),
            streamed: false,
            servers_down: Vec::new(),
            overlays: Vec::new(),
            notice: None,
            notices: Notices::default(),
            continues_at: None,
            opens: Opens::Nothing,
            begins_at: None,
            opening: None,
            opening_at: None,
            walk: None,
            ended: None,
            searched: None,
            shelving: Shelving::Rests,
            tickets: Ticket::default(),
            list_area: Rect::ZERO,
            height: 24,
            leaving: false,
        }
    }

    /// Rows of a page, for keys that go by pages.
    #[must_use]
    pub fn page_rows(&self) -> u16 {
        self.height.saturating_sub(8).max(3)
    }

    /// Makes everything anew that depends on the theme.
    pub fn relay(&mut self) {
        if let Some(compared) = self.story.as_mut().and_then(|story| story.compared.as_mut()) {
            compared.page = None;
        }
    }

    /// Lays something over the screen. The page under it stays the one that it is about: what was asked to be opened before is not
    /// shown any more.
    pub fn lay_over(&mut self, overlay: Overlay) {
        self.opening = None;
        self.opens = Opens::Nothing;
        self.stay();
        self.overlays.push(overlay);
    }

    /// The walk through the review queue stays at the story that is shown, whichever was asked for.
    fn stay(&mut self) {
        let Some(open) = &self.story else { return };
        if self.walk.as_ref().is_some_and(|walk| walk.story != open.run.story) {
            self.walk = self.desk.row(&open.run.story).map(Walk::at);
        }
    }

    /// From when on a record of the memory is offered; none where it always is.
    #[must_use]
    pub fn memory_since(&self) -> Option<String> {
        expiry::since(self.now, self.house.memory_expires_after_days)
    }

    /// A new ticket.
    pub fn ticket(&mut self) -> Ticket {
        self.tickets = self.tickets.next();
        self.tickets
    }

    /// Says that something is done.
    pub fn say(&mut self, text: impl Into<String>) {
        self.tell(Tone::Done, text.into());
    }

    /// Says what went wrong or why something is not possible.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.tell(Tone::Trouble, text.into());
    }

    fn tell(&mut self, tone: Tone, text: String) {
        self.notices.add(self.now, tone, &text);
        self.notice = Some(Notice::after(self.notice.take(), tone, text));
    }
}
