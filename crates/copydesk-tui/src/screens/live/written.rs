//! The text that a model is writing, with marks.

use crate::{
    screens::live::streaming::PartialText,
    widgets::{
        mark::{Mark, TextRole},
        page::Page,
        said::{agent_words, capital, step_words},
        sheet::Sheet,
    },
};
use copydesk_newsroom::{ConcernType, Journal, Outcome, Step};

#[must_use]
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

/// The latest result of the run: what is shown while no call runs.
#[must_use]
pub fn latest(journal: &Journal) -> Page {
    let mut sheet = Sheet::default();
    let last = journal.entries().iter().rev().find(|entry| !matches!(entry.step, Step::Decide { .. }));
    match last.map(|entry| (&entry.outcome, entry.step)) {
        None => sheet.add("Nothing is written yet.", TextRole::Dim),
        Some((Outcome::Failure(failure), step)) => {
            sheet.paragraph(&format!("{} failed", capital(&step_words(step))), TextRole::Heading);
            sheet.paragraph(&failure.message, TextRole::Text);
            sheet.add("Reopen the story to retry this step. No other call is repeated.", TextRole::Dim);
        }
        Some(_) => {
            if let Some((step, failure)) = journal.failure() {
                sheet.paragraph(&format!("{} failed", capital(&step_words(step))), TextRole::Heading);
                sheet.paragraph(&failure.message, TextRole::Text);
                sheet.paragraph("Reopen the story to retry this step. No other call is repeated.", TextRole::Dim);
            }
            if let Some(draft) = journal.draft(journal.latest_draft()) {
                let article = &draft.article;
                sheet.paragraph(&article.headline, TextRole::Heading);
                sheet.paragraph(&article.alternativeHeadline, TextRole::Emphasis);
                sheet.paragraph(&article.description, TextRole::Quote);
                sheet.add(&article.articleBody, TextRole::Text);
            }
        }
    }
    sheet.into_page()
}
