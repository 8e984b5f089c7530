//! Carries signed stories out of the house: into a folder, by mail, to a tool of another program. Webhooks and buckets are beside the
//! other requests over HTTP, in `llm`.
//!
//! Each says of an attempt whether the target has the story, surely does not have it, or may have it. Nothing is tried again here.

#[cfg(feature = "mail")]
mod email;
mod folder;
#[cfg(feature = "mcp")]
mod tool;

#[cfg(feature = "mail")]
pub use email::MailCarrier;
pub use folder::{FileWriter, FolderCarrier};
#[cfg(feature = "mcp")]
pub use tool::ToolCarrier;
