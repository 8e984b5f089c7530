//! What a model is writing, as text with marks.

use crate::newsroom::{ConcernType, Journal, Outcome, Step};
use crate::tui::{
    screens::{concerns::model::kind_words, live::streaming::PartialText},
    widgets::{
        mark::{Mark, Role},
        page::Page,
        said::{agent_words, capital, step_words},
        sheet::Sheet,
    },
};

#[must_use]
pub fn on_its_way(shown: &PartialText) -> (String, Vec<Mark>) {
    let mut sheet = Sheet::default();
    match shown {
        PartialText::Thinking(text) => sheet.add(text, Role::Dim),
        PartialText::Article { headline, alternative, description, body } => {
            sheet.paragraph(headline, Role::Heading);
            sheet.paragraph(alternative, Role::Emphasis);
            sheet.paragraph(description, Role::Quote);
            sheet.add(body, Role::Text);
        }
        PartialText::Text(text) => sheet.add(text, Role::Text),
        PartialText::Review(bullets) => {
            for bullet in bullets {
                sheet.add("• ", Role::Dim);
                sheet.paragraph(bullet, Role::Text);
            }
        }
        PartialText::Verdict { status, rationale, fix, evidence } => {
            sheet.paragraph(status, Role::Heading);
            sheet.named("Rationale", rationale);
            sheet.named("To do", fix);
            sheet.named("Evidence", evidence);
        }
        PartialText::Mappings(rows) => {
            for row in rows {
                sheet.add(&format!("concern {}", row.concern), Role::Strong);
                sheet.add(&format!(" → {}", agent_words(&row.agent)), Role::Name);
                sheet.add(&format!("  {}  {}\n", kind(&row.kind), row.reason), Role::Dim);
            }
        }
    }
    sheet.into_parts()
}

/// The kind of a concern, once its name has arrived.
fn kind(name: &str) -> &str {
    let known = ConcernType::ALL.into_iter().find(|kind| kind.name() == name);
    known.map_or("", kind_words)
}

/// The latest result of the run: what is shown while no call runs.
#[must_use]
pub fn latest(journal: &Journal) -> Page {
    let mut sheet = Sheet::default();
    let last = journal.entries().iter().rev().find(|entry| !matches!(entry.step, Step::Decide { .. }));
    match last.map(|entry| (&entry.outcome, entry.step)) {
        None => sheet.add("Nothing is written yet.", Role::Dim),
        Some((Outcome::Failure(failure), step)) => {
            sheet.paragraph(&format!("{} failed", capital(&step_words(step))), Role::Heading);
            sheet.paragraph(&failure.message, Role::Text);
            sheet.add("Reopen the story to retry this step. No other call is repeated.", Role::Dim);
        }
        Some(_) => {
            if let Some((step, failure)) = journal.failure() {
                sheet.paragraph(&format!("{} failed", capital(&step_words(step))), Role::Heading);
                sheet.paragraph(&failure.message, Role::Text);
                sheet.paragraph("Reopen the story to retry this step. No other call is repeated.", Role::Dim);
            }
            if let Some(draft) = journal.draft(journal.latest_draft()) {
                let article = &draft.article;
                sheet.paragraph(&article.headline, Role::Heading);
                sheet.paragraph(&article.alternativeHeadline, Role::Emphasis);
                sheet.paragraph(&article.description, Role::Quote);
                sheet.add(&article.articleBody, Role::Text);
            }
        }
    }
    sheet.into_page()
}
