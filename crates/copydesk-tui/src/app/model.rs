//! The state of the screen: plain data. Only `update` changes it, and only `view` draws it.

use std::{any::Any, collections::HashMap};

use crossterm::event::KeyEvent;
use jiff::Timestamp;
use ratatui::prelude::{Buffer, Position, Rect};

use crate::app::notices::Notices;
use crate::app::on_screen::OnScreen;
use crate::app::under_way::Works;
use crate::app::{Action, Effect, KeyContext, KeyMap, News, Notice, Request, Ticket, Tone, Ways, listed};
use crate::screens::desk::DeskList;
use crate::screens::live::Live;
use crate::screens::review::Walk;
use crate::screens::search::SearchPage;
use crate::screens::settings::{FirstStory, SeenSettings};
use crate::screens::story::{StoryView, Tab};
use crate::widgets::{ListAndText, ListStage, ScrolledText as _, Theme, ThemeName, words};
pub use copydesk_config::{Price, WatchedRecording};
use copydesk_core::desk::FailedStep;
use copydesk_core::editorial::expiry;
use copydesk_core::ports::{RunKey, ServerDown};
use copydesk_newsroom::Passage;

/// A server that gets text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// `host:port`.
    pub host: String,
    /// Whether it runs on this machine.
    pub here: bool,
}

/// Settings that do not change while the screen is open.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct House {
    /// The name that decisions carry.
    pub editor: String,
    /// The recorded story that is watched, if the desk was opened for one.
    pub recorded: Option<WatchedRecording>,
    /// The servers that get text; empty for `offline`.
    pub servers: Vec<Server>,
    /// The configured prices of models.
    pub prices: Vec<Price>,
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

/// What follows from an answer.
pub type AfterAnswer = Box<dyn FnOnce(&mut Model)>;

/// A question that is answered with a key.
pub struct Question {
    pub title: String,
    /// The question and the effect of a yes.
    pub text: String,
    /// The effect of Enter, in a word or two.
    pub yes: String,
    /// The effect of Esc.
    pub no: &'static str,
    pub(crate) then: AfterAnswer,
    /// Whether a yes sends the form below, too.
    pub(crate) sends_form: bool,
}

impl Question {
    pub(crate) fn new(
        title: &str,
        text: impl Into<String>,
        yes: &str,
        then: impl FnOnce(&mut Model) + 'static,
    ) -> Self {
        Self {
            title: title.into(),
            text: text.into(),
            yes: yes.into(),
            no: "no",
            then: Box::new(then),
            sends_form: false,
        }
    }

    /// Esc is named by what it leads to.
    pub(crate) fn or(self, no: &'static str) -> Self {
        Self { no, ..self }
    }

    /// A yes also sends the form that the question is about.
    pub(crate) fn sending(self) -> Self {
        Self { sends_form: true, ..self }
    }
}

/// The parts of the model that a page over the screen may read while it changes itself.
pub(crate) struct Scene<'a> {
    pub(crate) now: Timestamp,
    pub(crate) theme: Theme,
    pub(crate) house: &'a House,
    pub(crate) notices: &'a Notices,
    pub(crate) under_way: &'a Works,
}

/// The reaction of a page to a key or to news.
pub(crate) enum Reaction {
    /// It is nothing that this page knows.
    Ignored,
    Done(Vec<Effect>),
    /// The rest needs the whole model, with the page still in its place.
    Then(fn(&mut Model)),
    /// Another page opens over it.
    Open(Box<dyn Overlay>),
    /// The page closes.
    Close,
}

impl Reaction {
    /// The page has changed; nobody is asked for anything.
    pub(crate) const CHANGED: Self = Self::Done(Vec::new());

    pub(crate) fn open(page: impl Overlay) -> Self {
        Self::Open(Box::new(page))
    }
}

/// A page, question or form that lies over the screen. The top one gets the keys. All that is known of a page is in its own file.
pub(crate) trait Overlay: Any {
    /// Where the keys go while it is on top, and the actions that the footer offers, the most useful first.
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::Dialog, listed![PageDown Close])
    }

    /// The actions that have another title here than usual.
    fn titles(&self) -> Vec<(Action, String)> {
        Vec::new()
    }

    /// Why an action cannot be used here now; `None` if it can.
    fn why_not(&self, _action: Action, _model: &Model) -> Option<String> {
        None
    }

    /// Runs an action of the page. Moving, and closing it, need no arm of their own.
    fn act(&mut self, _action: Action, _scene: &Scene<'_>) -> Reaction {
        Reaction::Ignored
    }

    /// The list of a page that has a list with a text, and how many entries it has.
    fn list(&mut self) -> Option<(&mut ListAndText, usize)> {
        None
    }

    /// Another entry of the list was selected: lays out its text.
    fn lay_selected(&mut self) -> Reaction {
        Reaction::CHANGED
    }

    /// Moves the selection, or the text, by lines.
    fn move_by(&mut self, by: isize, _scene: &Scene<'_>) -> Reaction {
        let Some((list, count)) = self.list() else { return Reaction::CHANGED };
        if let Some(page) = list.read_page() {
            page.scroll_by(by);
            return Reaction::CHANGED;
        }
        if list.select(by, count) { self.lay_selected() } else { Reaction::CHANGED }
    }

    fn type_key(&mut self, _event: KeyEvent) -> Reaction {
        Reaction::CHANGED
    }

    fn paste(&mut self, _text: &str) -> Reaction {
        Reaction::CHANGED
    }

    /// A click into the page. Returns the action that it stands for.
    fn click(&mut self, _at: Position) -> Option<Action> {
        None
    }

    /// Takes in news that the page waits for.
    fn hear(&mut self, _news: &News, _scene: &Scene<'_>) -> Reaction {
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, ways: &Ways, area: Rect, buf: &mut Buffer);
}

impl dyn Overlay {
    /// Where the keys go while it is on top.
    pub(crate) fn context(&self) -> KeyContext {
        self.keys().0
    }

    pub(crate) fn page<P: Overlay>(&self) -> Option<&P> {
        (self as &dyn Any).downcast_ref()
    }

    pub(crate) fn page_mut<P: Overlay>(&mut self) -> Option<&mut P> {
        (self as &mut dyn Any).downcast_mut()
    }

    /// Runs an action: one of the page itself, or one that is alike on all pages.
    pub(crate) fn run(&mut self, action: Action, scene: &Scene<'_>) -> Reaction {
        let own = self.act(action, scene);
        if !matches!(own, Reaction::Ignored) {
            return own;
        }
        match (action, self.list()) {
            (Action::NextPane | Action::PreviousPane, Some((list, count))) => list.turn(count),
            (Action::MoveLeft, Some((list, count))) => list.sideways(-1, count),
            (Action::MoveRight, Some((list, count))) => list.sideways(1, count),
            (Action::Back, Some((list, count))) if list.stage == ListStage::Text => list.turn(count),
            (Action::NextPane | Action::PreviousPane | Action::MoveLeft | Action::MoveRight, None) => {}
            (Action::Back | Action::Close | Action::Cancel | Action::Confirm | Action::Save, _) => {
                return Reaction::Close;
            }
            _ => return Reaction::Ignored,
        }
        Reaction::CHANGED
    }
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
#[derive(Debug, Clone, Default)]
pub struct LastFrame {
    /// The area of the list, for the mouse.
    pub list: Rect,
    /// The clickable places, the footer's hints and the tabs, each with its action.
    pub spots: Vec<(Rect, Action)>,
    /// Rows of the window.
    pub height: u16,
    /// The cell into which the next character goes; none if nothing takes text.
    pub caret: Option<Position>,
}

/// The screen below the overlays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Screen {
    #[default]
    Desk,
    Story,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
#[derive(Default)]
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
    pub(crate) overlays: Vec<Box<dyn Overlay>>,
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
    /// What the worker and the terminal are to do, in this order. `update` hands it out.
    pub(crate) effects: Vec<Effect>,
}

impl Model {
    pub fn new(house: House, keys: KeyMap, theme: Theme, mouse: bool, now: Timestamp) -> Self {
        let drawn = LastFrame { height: 24, ..LastFrame::default() };
        Self { house, keys, theme, mouse, now, drawn, ..Self::default() }
    }

    /// Rows of a page, for keys that go by pages.
    pub(crate) fn page_rows(&self) -> isize {
        isize::try_from(self.drawn.height.saturating_sub(8).max(3)).unwrap_or(10)
    }

    /// Changes the theme. Everything that depends on it is laid out again.
    pub(crate) fn set_theme(&mut self, name: ThemeName) {
        self.theme = Theme::named(name);
        if let Some(compared) = self.story.as_mut().and_then(|story| story.changes.compared.as_mut()) {
            compared.page = None;
        }
    }

    /// Opens an overlay. It is about the page under it, so a story that was asked for before does not open any more.
    pub(crate) fn lay_over(&mut self, overlay: impl Overlay) {
        self.lay(Box::new(overlay));
    }

    fn lay(&mut self, overlay: Box<dyn Overlay>) {
        self.next.ticket = None;
        self.next.opens = Opens::Nothing;
        self.stay();
        self.overlays.push(overlay);
    }

    /// Lays a page over the screen that waits for an answer.
    pub(crate) fn lay_over_and_ask(&mut self, overlay: impl Overlay, request: Request) {
        self.lay_over(overlay);
        self.ask(request);
    }

    /// The page of that type, if it lies on top.
    pub(crate) fn on_top<P: Overlay>(&self) -> Option<&P> {
        self.overlays.last()?.page()
    }

    pub(crate) fn on_top_mut<P: Overlay>(&mut self) -> Option<&mut P> {
        self.overlays.last_mut()?.page_mut()
    }

    /// The page of that type, also if another lies over it.
    pub(crate) fn laid_mut<P: Overlay>(&mut self) -> Option<&mut P> {
        self.overlays.iter_mut().find_map(|overlay| overlay.page_mut())
    }

    /// The pages, and the parts of the model that they may read.
    fn pages(&mut self) -> (&mut [Box<dyn Overlay>], Scene<'_>) {
        let Self { overlays, house, notices, under_way, .. } = self;
        (overlays, Scene { now: self.now, theme: self.theme, house, notices, under_way })
    }

    /// Lets the top page react; false if there is none, or if it ignores this.
    pub(crate) fn react(&mut self, react: impl FnOnce(&mut dyn Overlay, &Scene<'_>) -> Reaction) -> bool {
        let (overlays, scene) = self.pages();
        let Some(page) = overlays.last_mut() else { return false };
        match react(page.as_mut(), &scene) {
            Reaction::Ignored => return false,
            Reaction::Done(effects) => self.effects.extend(effects),
            Reaction::Then(then) => then(self),
            Reaction::Open(page) => self.lay(page),
            Reaction::Close => drop(self.overlays.pop()),
        }
        true
    }

    /// Turns pages in what lies on top. False if nothing lies there.
    pub(crate) fn page_on_top(&mut self, by: isize) -> bool {
        let rows = self.page_rows();
        self.react(|page, scene| {
            if let Some(text) = page.list().and_then(|(list, _)| list.read_page()) {
                text.page_by(by);
                return Reaction::CHANGED;
            }
            page.move_by(by * rows, scene)
        })
    }

    /// Draws the pages, the top one last.
    pub(crate) fn draw_pages(&mut self, ways: &Ways, area: Rect, buf: &mut Buffer) {
        let (overlays, scene) = self.pages();
        for page in overlays {
            page.view(&scene, ways, area, buf);
        }
    }

    /// Lets each page take in news.
    pub(crate) fn tell_pages(&mut self, news: &News) {
        let (overlays, scene) = self.pages();
        let reactions: Vec<Reaction> = overlays.iter_mut().map(|page| page.hear(news, &scene)).collect();
        for reaction in reactions {
            match reaction {
                Reaction::Done(effects) => self.effects.extend(effects),
                Reaction::Then(then) => then(self),
                Reaction::Ignored | Reaction::Open(_) | Reaction::Close => {}
            }
        }
    }

    /// Asks the worker, which answers with news.
    pub(crate) fn ask(&mut self, request: Request) {
        self.effects.push(Effect::Ask(request));
    }

    /// Asks the worker; its answer has the ticket.
    pub(crate) fn ask_for(&mut self, ticket: Ticket, request: Request) {
        self.effects.push(Effect::AskFor(ticket, request));
    }

    /// Asks for a story and shows it when it is read, unless the person has gone to another page by then.
    pub(crate) fn ask_to_open(&mut self, request: Request) {
        let ticket = self.ticket();
        self.next.ticket = Some(ticket);
        self.next.opens = Opens::Nothing;
        self.next.passage = None;
        self.ask_for(ticket, request);
    }

    /// The walk through the review queue stays at the story on the screen.
    fn stay(&mut self) {
        let Some(open) = &self.story else { return };
        if self.walk.as_ref().is_some_and(|walk| walk.story != open.run.story) {
            self.walk = self.desk.row(&open.run.story).map(Walk::at);
        }
    }

    /// The oldest time of a memory record that is still used; `None` for no limit.
    pub(crate) fn memory_since(&self) -> Option<String> {
        expiry::since(self.now, self.house.memory_expires_after_days)
    }

    pub fn ticket(&mut self) -> Ticket {
        self.tickets.0 = self.tickets.0.wrapping_add(1);
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
