//! The editorial control record of a run: who examined what and when, what was overruled and edited, who signed which version, and whether
//! that signature still stands.
//!
//! It is read off journals and the audit log, and adds nothing to them. It says what the log has, and nothing of a person's thoughts.

mod decided;
mod entries;
mod model;
mod page;
mod reads;
#[cfg(test)]
mod tests;

pub use decided::decision_in_words;
pub use entries::{RecordSection, sections};
pub use model::{
    AcceptedRow, ArticleOnDisk, CheckedLog, ControlRecord, DecisionRow, DeliveryRow, EditRow, EditedWords, ExaminedRow,
    NOTICE, NotExamined, OverruledRow, RecordedArticle, RecordedDisclosure, RecordedRun, RecordedSignature,
};
pub use page::to_html;
pub use reads::record;
