//! The settings of a desk: one YAML file, read strictly, every problem of it reported at once (DESIGN.md, section 5).
//!
//! Knows what belongs in each key and on which line it stands. Reads no file but the text it is given, asks no server,
//! and holds secrets so that nothing else can print them.

mod load;
mod reader;
mod secret;
mod settings;

pub use load::{TEMPLATE, load};
pub use reader::{ConfigError, Problem};
pub use secret::{Secret, Secrets};
pub use settings::{
    ArticleGeneration, Endpoint, Engine, Folder, InstitutionalMemory, KnowledgeBase, Model, Models, Output, Perplexity,
    Prompts, ResponseFormat, Settings,
};
