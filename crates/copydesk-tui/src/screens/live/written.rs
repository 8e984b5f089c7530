//! The text that a model is writing, with marks.

use crate::{
    screens::live::streaming::PartialText,
    widgets::{
        mark::{Mark, TextRole},
        said::agent_words,
        sheet::Sheet,
    },
};
use copydesk_newsroom::ConcernType;

pub fn on_its_way(shown: &PartialText) -> (String, Vec<Mark>) {
    let mut sheet = Sheet::default();
    match shown {
        PartialText::Thinking(text) => sheet.add(text, TextRole::Dim),
        PartialText::Article { headline, alternative, description, body } => {
            sheet.paragraph(headline, TextRole::Heading);
            sheet.paragraph(alternative, TextRole::Emphasis);
            sheet.paragraph(description, TextRole::Quote);
            sheet.add(body, TextRole::Text);
        }
        PartialText::Text(text) => sheet.add(text, TextRole::Text),
        PartialText::Review(bullets) => {
            for bullet in bullets {
                sheet.add("• ", TextRole::Dim);
                sheet.paragraph(bullet, TextRole::Text);
            }
        }
        PartialText::Verdict { status, rationale, fix, evidence } => {
            sheet.paragraph(status, TextRole::Heading);
            sheet.named("Rationale", rationale);
            sheet.named("To do", fix);
            sheet.named("Evidence", evidence);
        }
        PartialText::Mappings(rows) => {
            for row in rows {
                sheet.add(&format!("concern {}", row.concern), TextRole::Strong);
                sheet.add(&format!(" → {}", agent_words(&row.agent)), TextRole::Name);
                sheet.add(&format!("  {}  {}\n", kind(&row.kind), row.reason), TextRole::Dim);
            }
        }
    }
    sheet.into_parts()
}

/// The kind of a concern, once its name has arrived.
fn kind(name: &str) -> &str {
    let known = ConcernType::ALL.into_iter().find(|kind| kind.name() == name);
    known.map_or("", ConcernType::words)
}
