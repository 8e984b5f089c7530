//! The tools that need no server of their own. Each is a toolbox of one tool; [`super::ToolRegistry`] joins them, limits their time and bounds what
//! they bring.

mod arguments;
mod fetch_content;
mod frame;
mod load_skill;
mod parse_rss;
mod search_knowledge_base;
mod search_web;

pub use fetch_content::FetchContent;
pub use load_skill::LoadSkill;
pub use parse_rss::ParseRss;
pub use search_knowledge_base::SearchKnowledgeBase;
pub use search_web::{NotSearched, SearchWeb};
