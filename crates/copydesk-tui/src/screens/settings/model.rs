//! The settings, and the models that can be chosen.

use crate::widgets::ThemeName;
use copydesk_config::{KeyChange, Secret};
use copydesk_core::editorial::export::ExportFormat;
use copydesk_newsroom::{Disclosure, TargetKind};
use copydesk_text::spelling::HouseSpelling;

/// A model for all agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelAt {
    /// The server's address, as the configuration has it.
    pub address: String,
    /// Its name as the server knows it.
    pub model: String,
}

/// A server that is asked for its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAt {
    pub address: String,
    pub key: Option<Secret>,
}

/// A model server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundServer {
    /// Such as `LM Studio`.
    pub name: String,
    pub at: ServerAt,
    /// `host:port`.
    pub host: String,
    /// Whether it runs on this machine.
    pub here: bool,
    pub models: Vec<String>,
}

/// The findings about a model, and the settings that fit it.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredModel {
    pub at: ModelAt,
    /// The findings, a line each.
    pub said: Vec<String>,
    /// The settings that fit, for every agent.
    pub changes: Vec<KeyChange>,
}

/// How far the measuring of a model is.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Measuring {
    #[default]
    Nothing,
    /// It is being asked; the question of the moment.
    UnderWay(ModelAt, String),
    Done(Box<MeasuredModel>),
}

/// The settings as the screen knows them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeenSettings {
    /// The configuration file.
    pub file: String,
    /// The name that decisions carry.
    pub editor: String,
    pub theme: ThemeName,
    pub mouse: bool,
    pub bell: bool,
    /// The writer's model; none if rules do the work.
    pub model: Option<ModelAt>,
    /// Whether every other machine is refused.
    pub local_only: bool,
    /// The length of stories that name none, in words, such as `250-400`.
    pub length: String,
    /// The style of stories that name none.
    pub style: String,
    /// The channel of stories that name none.
    pub channel: String,
    /// The newsroom desk of stories that name none; empty for no desk.
    pub desk: String,
    pub spelling: HouseSpelling,
    /// What readers are told about artificial intelligence.
    pub disclosure: Disclosure,
    /// The places that signed stories can be sent to, in the file's order.
    pub targets: Vec<SeenTarget>,
}

/// A place that signed stories can be sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenTarget {
    pub name: String,
    /// Its place and the format: `folder ./data/published, html`.
    pub said: String,
}

/// A new place for signed stories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTarget {
    pub name: String,
    pub format: ExportFormat,
    pub at: NewTargetAt,
}

/// How a new place is reached, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewTargetAt {
    Folder(String),
    Email {
        /// Addresses, separated by commas.
        to: String,
        from: String,
        /// The server, with its port if it has one: `mail.example.com:587`.
        server: String,
        /// None if the server asks for none.
        login: Option<(String, Secret)>,
    },
    Webhook {
        url: String,
        /// It signs each request.
        secret: Secret,
    },
}

impl NewTargetAt {
    pub fn kind(&self) -> TargetKind {
        match self {
            Self::Folder(_) => TargetKind::Folder,
            Self::Email { .. } => TargetKind::Email,
            Self::Webhook { .. } => TargetKind::Webhook,
        }
    }

    /// Its place.
    pub(crate) fn said(&self) -> &str {
        match self {
            Self::Folder(at) | Self::Email { to: at, .. } | Self::Webhook { url: at, .. } => at,
        }
    }

    /// The machine that the stories go to; none if they stay on this one.
    pub fn other_machine(&self) -> Option<String> {
        let host = match self {
            Self::Folder(_) => return None,
            Self::Email { server, .. } => server.as_str(),
            Self::Webhook { url, .. } => url.split_once("://").map_or(url.as_str(), |(_, rest)| rest),
        };
        let host = host.split(['/', '?']).next().unwrap_or_default();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        (!["localhost", "127.0.0.1", "[::1]"].contains(&name)).then(|| host.to_owned())
    }
}

/// The change of the places for signed stories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetChange {
    Add(NewTarget),
    /// The place of this number, from 0.
    Remove(usize),
}

/// What the list of places offers, in this order: to leave them as they are, a new one of each kind, and one to take out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetChoice {
    Keep,
    Add(TargetKind),
    Remove(usize),
}

impl TargetChoice {
    /// The kinds that can be added on the screen.
    const KINDS: [TargetKind; 3] = [TargetKind::Folder, TargetKind::Email, TargetKind::Webhook];

    pub(crate) fn at(chosen: usize) -> Self {
        match chosen.checked_sub(1) {
            None => Self::Keep,
            Some(place) => match Self::KINDS.get(place) {
                Some(kind) => Self::Add(*kind),
                None => Self::Remove(place - Self::KINDS.len()),
            },
        }
    }

    /// The entries of the list.
    pub(crate) fn texts(targets: &[SeenTarget]) -> Vec<String> {
        let now = match targets {
            [] => "nowhere".to_owned(),
            some => some.iter().map(|target| target.name.as_str()).collect::<Vec<_>>().join(", "),
        };
        let added = ["add a folder…", "add an e-mail address…", "add a web address…"].map(str::to_owned);
        let removed = targets.iter().map(|target| format!("take out {} ({})", target.name, target.said));
        std::iter::once(now).chain(added).chain(removed).collect()
    }
}

#[cfg(test)]
impl SeenSettings {
    /// Of a desk with a model on this machine.
    pub(crate) fn example() -> Self {
        Self {
            file: "config/config.yaml".into(),
            editor: "Ada".into(),
            theme: ThemeName::Dark,
            mouse: false,
            bell: true,
            model: Some(ModelAt { address: "http://127.0.0.1:1234/v1".into(), model: "small".into() }),
            local_only: true,
            length: "900-1200".into(),
            style: "MAGAZINE".into(),
            channel: "newsroom".into(),
            desk: String::new(),
            spelling: HouseSpelling::Either,
            disclosure: Disclosure::None,
            targets: Vec::new(),
        }
    }
}

/// Settings to write.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSettings {
    /// The settings when the page was opened. A change that another program made since then is not overwritten.
    pub before: SeenSettings,
    pub after: SeenSettings,
    /// The key of the new model's server, if it has one.
    pub key: Option<Secret>,
    /// The settings that fit a newly chosen model.
    pub learned: Vec<KeyChange>,
    pub target: Option<TargetChange>,
    /// Whether they are the first.
    pub first: bool,
}

/// A model that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoosableModel {
    pub at: ModelAt,
    pub key: Option<Secret>,
    /// `host:port`.
    pub host: String,
    pub here: bool,
}

/// The story that a first start begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstStory {
    Sample,
    /// A file of the person's own.
    Own,
    /// A story that a real model told.
    Recorded,
}

/// The state of the settings page: the old settings, the list of models, and the answers so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub before: SeenSettings,
    /// The styles behind the entries of the list.
    pub styles: Vec<String>,
    /// Whether this is the first start.
    pub first: bool,
    /// The models behind the entries of the list; its first entry is no model.
    pub models: Vec<ChoosableModel>,
    /// Whether texts may go to another machine.
    pub agreed: bool,
    /// A new place for signed stories that was described.
    pub target: Option<NewTarget>,
    pub measuring: Measuring,
    /// The theme on the screen before the page showed others.
    pub theme: ThemeName,
}

impl Asked {
    /// The model of an entry of the list; none for its first entry.
    pub(crate) fn model(&self, chosen: usize) -> Option<&ChoosableModel> {
        self.models.get(chosen.checked_sub(1)?)
    }

    /// The settings that were learned for a model; none if it was not asked yet.
    pub(crate) fn learned(&self, model: &ModelAt) -> Option<&[KeyChange]> {
        match &self.measuring {
            Measuring::Done(measured) if measured.at == *model => Some(&measured.changes),
            _ => None,
        }
    }
}
