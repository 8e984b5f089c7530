//! Puts the adapters into the desk, as the configuration says. The only place that knows every room.

mod assembly;
pub(crate) mod clock;
pub(crate) mod embedder;
pub(crate) mod entailment;
pub(crate) mod files;
pub(crate) mod fitting;
pub(crate) mod house_settings;
pub(crate) mod librarian;
pub(crate) mod mcp;
pub(crate) mod model_servers;
pub(crate) mod models;
pub(crate) mod observing;
pub(crate) mod passphrase;
pub(crate) mod readers;
pub(crate) mod recorded_story;
pub(crate) mod research_tools;
pub(crate) mod settings;
pub(crate) mod shipped_skills;
pub(crate) mod skills;
pub(crate) mod targets;
pub(crate) mod trust;

pub(crate) use assembly::{
    books, desk, desk_with, house, library, library_with, locks, outputs, store, store_to_look, topic_defaults, windows,
};
