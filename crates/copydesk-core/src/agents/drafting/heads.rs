//! Headline, second headline and description, from the text that they stand above.

use crate::{
    agents::{
        reading::{self, UnusableAnswer},
        template::{Prompts, without_fences},
    },
    editorial::drafting,
    ports::Ask,
};
use copydesk_newsroom::{Agent, Answer, Headlines, Journal};
use copydesk_text::sanitise;

/// So many words of the text are shown: the news stands at its beginning.
const WORDS: usize = 600;

pub(super) fn ask(prompts: &Prompts, journal: &Journal) -> Option<Ask> {
    let body = drafting::body(journal)?;
    let shown: Vec<&str> = body.split_inclusive(char::is_whitespace).take(WORDS).collect();
    let title = sanitise::one_line(&journal.opening.topic.source_metadata.topic_title);
    let values = [("TOPIC_TITLE", title), ("BODY", shown.concat())];
    prompts.ask(Agent::Writer, "draft_heads", &values, Some(reading::schema::<Headlines>("heads")))
}

pub(super) fn read(answer: &Answer) -> Result<Headlines, UnusableAnswer> {
    let heads: Headlines = reading::json(&answer.text)?;
    let line =
        |field, text: &str| reading::required(field, text).map(|text| sanitise::one_line(&without_fences(&text)));
    Ok(Headlines {
        headline: line("headline", &heads.headline)?,
        alternativeHeadline: line("alternativeHeadline", &heads.alternativeHeadline)?,
        description: line("description", &heads.description)?,
    })
}
