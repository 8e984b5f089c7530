//! The knowledge base and the search: which files are in the folder, what changed, how texts are cut into passages, how they are ranked.
//!
//! It reads files and hands their passages to the `Shelf` port, and ranks what the `Index` port finds. It speaks no SQL.

#[cfg(feature = "embedding")]
mod bert;
mod chunking;
mod file;
mod folder;
mod front_matter;
mod fusion;
mod library;
mod pieces;
mod ranking;
pub mod reading;
mod refresh;
pub mod regular;
mod stories;
mod vectors;
mod words;

#[cfg(feature = "embedding")]
pub use bert::Minilm;
pub use chunking::{Chunking, Markup};
pub use library::{Library, Open};
pub use ranking::{By, Ranked, Ranking};
pub use refresh::{FolderStatus, Refreshed, absence, refresh, standing};
pub use stories::shelve_stories;
pub use vectors::{Embedded, VectorError, embed_all, waiting};
