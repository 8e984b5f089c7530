//! The story and the time that a person means.

use jiff::tz::TimeZone;

use crate::cli::prelude::*;
use crate::newsroom::{ListedRun, PathName, deadline};
use crate::ports::Archive;

/// The run that a person means: the story's current one where a story is named.
pub(crate) async fn run(store: &Store, name: &str) -> Result<(RunKey, ListedRun)> {
    let mut found = store.find(name).await?;
    let mut stories: Vec<String> = found.iter().map(|(_, run)| run.story.clone()).collect();
    stories.sort();
    stories.dedup();
    if stories.len() > 1 {
        return Err(wrong_use(format!(
            "{name} is the slug of several stories: {}. Name one with its channel",
            stories.join(", ")
        )));
    }
    if found.is_empty() {
        return Err(wrong_use(format!("There is no story or run {name}. `copydesk list` lists the stories")));
    }
    Ok(found.swap_remove(0))
}

/// The story that a person means, with its current run as in [`run`]. A run's name is refused, because a command on a story affects
/// all its runs.
pub(crate) async fn story(store: &Store, name: &str) -> Result<(StoryKey, RunKey, ListedRun)> {
    let (at, run) = run(store, name).await?;
    if run.run == name {
        return Err(wrong_use(format!("{name} is one run of the story {0}; name the story: {0}", run.story)));
    }
    Ok((key(&run)?, at, run))
}

/// The story of a listed run.
pub(crate) fn key(run: &ListedRun) -> Result<StoryKey> {
    let (channel, slug) = run.story.split_once('/').unwrap_or_default();
    let part = |text: &str| PathName::new(text).map_err(|error| WrongUse(format!("the story {}: {error}", run.story)));
    Ok(StoryKey::new(part(channel)?, part(slug)?))
}

/// The time that words name in the reader's zone, as ISO 8601 in UTC; none for the word none.
pub(crate) fn when(words: &str) -> Result<Option<String>, WrongUse> {
    deadline(words, SystemClock.now(), &TimeZone::system()).map_err(|problem| WrongUse(problem.to_string()))
}
