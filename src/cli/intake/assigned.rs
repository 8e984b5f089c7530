//! A story that starts from a question, typed on the command line or into the screen.

use crate::cli::prelude::*;
use crate::{agents::questions_by_rule, desk::Assignment, editorial::topic_file, newsroom::PathName};

/// Longest question, in bytes.
const LONGEST: usize = 20_000;

/// The story of a question, with gates for an editor. `title` is none for the question's first words, `channel` and `desk` for the
/// configured ones; an empty desk is no desk.
///
/// # Errors
/// The problem and what to do.
pub(crate) fn assigned(
    settings: &Settings,
    question: &str,
    title: Option<&str>,
    channel: Option<&str>,
    desk: Option<&str>,
) -> Result<Assignment> {
    let text = sanitise::clean(question).trim().to_owned();
    if sanitise::is_blank(&text) {
        return Err(wrong_use("the assignment is empty: say what the story is to be about"));
    }
    if text.len() > LONGEST {
        return Err(wrong_use(format!(
            "the assignment is longer than {LONGEST} bytes: put what you have into a file and give it with --source"
        )));
    }
    let channel = match channel {
        Some(name) => PathName::new(name).map_err(|error| WrongUse(format!("--channel {error}")))?,
        None => settings.article_generation.default_channel.clone(),
    };
    let defaults = wiring::topic_defaults(settings);
    // Its pages are no part of what it asks.
    let named = title.map_or_else(|| questions_by_rule(&text).join(" "), str::to_owned);
    let named = sanitise::excerpt(&sanitise::one_line(&named), 80);
    let mut topic = topic_file::from_plain_source("assignment", &named, text, channel, &defaults)
        .map_err(|error| WrongUse(format!("the assignment: {error}")))?;
    topic.source_metadata.topic_title = named;
    Ok(Assignment {
        assigned: true,
        desk: match desk {
            Some(desk) => Some(sanitise::one_line(desk)).filter(|desk| !desk.is_empty()),
            None => settings.article_generation.default_desk.clone(),
        },
        ..Assignment::of(topic)
    })
}
