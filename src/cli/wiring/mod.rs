//! Puts the adapters into the desk, as the configuration says. The only place that knows every room.

mod assembly;
pub mod clock;
pub mod embedder;
pub mod files;
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
pub mod settings;
pub mod shipped_skills;
pub mod skills;
pub(crate) mod targets;
pub(crate) mod trust;

pub(crate) use assembly::{
    books, desk_with, is_there, left_behind, library, lock_folder, locks, open, open_to_look, outputs, store_to_look,
    topic_defaults, windows,
};
pub use assembly::{desk, house, library_with, store, store_at};
