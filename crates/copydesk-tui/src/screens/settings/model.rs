//! The settings, and the models that can be chosen.

use crate::widgets::theme::ThemeName;
use copydesk_config::{KeyChange, Secret};

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

/// A model that is asked what it can take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedModel {
    pub at: ModelAt,
    pub key: Option<Secret>,
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// Whether this is the first start.
    pub first: bool,
    /// The models behind the entries of the list; its first entry is no model.
    pub models: Vec<ChoosableModel>,
    /// Whether texts may go to another machine.
    pub agreed: bool,
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
