//! `copydesk decide`: the gate's choices without a screen.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use clap::Args;

use super::{
    Exit, WrongUse,
    choice::{Meant, Words},
    foreground, settings, story, wiring,
};
use crate::{
    config::Price,
    desk::{self, Desk, DeskError, Made},
    editorial::{choices::Seen, decisions},
    headless::{self, JsonLines, Progress, Quiet},
    newsroom::{Choice, Journal, ListedRun, StoryKey},
    ports::{Archive as _, Records, RunKey, Watch},
    store::Store,
};

/// Arguments of `decide`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// channel/slug, or a slug.
    story: String,
    #[command(subcommand)]
    words: Words,
    /// Go on at once, until the next gate or the end.
    #[arg(long, global = true)]
    go_on: bool,
    /// Print one JSON event a line on standard output instead of the result table.
    #[arg(long, global = true)]
    json: bool,
}

pub(super) async fn decide(config: Option<&Path>, arguments: Arguments) -> Result<Exit> {
    let Arguments { story: name, words, go_on, json } = arguments;
    let settings = settings::load(config)?;
    let records = wiring::store(&settings)?;
    let (key, listed) = story::run(&records, &name).await?;
    let journal = records.load(key).await?.journal;
    let meant = words.meant(&journal)?;
    // What the choice was read against: concerns and decisions are named by numbers.
    let seen = decisions::waits(&journal).map(|wait| Seen::of(&journal, wait));
    let watch: Arc<dyn Watch> = match (json, go_on) {
        (true, _) => Arc::new(JsonLines),
        (false, true) => Arc::new(Progress::new()),
        (false, false) => Arc::new(Quiet),
    };
    let desk = wiring::desk(&settings, &records, watch).await?;
    let story = story::key(&listed)?;
    match meant {
        Meant::Choice(choice) => {
            let made = desk.decide(key, &story, choice.clone(), seen).await.map_err(mendable)?;
            say_unwritten(&made);
            headless::message(&format!("{story}: decided: {}.", said(&choice)));
            if !go_on {
                say_what_stands(&records, key, &listed).await?;
            }
        }
        Meant::LetStand(reason) => {
            desk.let_stand(key, &story, &reason).await.map_err(mendable)?;
            headless::message(&format!("{story}: its flags stand, and it is no longer in review."));
            return Ok(Exit::Fine);
        }
        Meant::Reopen => {
            let forked = desk.reopen(key, &story).await.map_err(mendable)?;
            headless::message(&format!(
                "{story}: reopened at {}. The new run {} shares everything before that with {}.",
                forked.at, forked.run_id, listed.run
            ));
            if let Some(kept) = forked.kept {
                headless::message(&format!("{story}: {} (`copydesk fork {story} --at {}`).", kept.note(), kept.at));
            }
            if !go_on {
                say_what_stands(&records, forked.key, &listed).await?;
            }
        }
    }
    if go_on { going_on(&desk, &records, &story, &settings.prices, json).await } else { Ok(Exit::Fine) }
}

/// A refusal is for the person to mend, and so is a step or a letter that does not exist.
pub(super) fn mendable(error: DeskError) -> anyhow::Error {
    match error {
        DeskError::Refused { .. } | DeskError::NoSuchStep { .. } | DeskError::NoLetter { .. } => {
            WrongUse(error.to_string()).into()
        }
        other => other.into(),
    }
}

/// Says which file of a decision could not be written.
pub(super) fn say_unwritten(made: &Made) {
    if let Some(error) = &made.unwritten {
        headless::message(&error.to_string());
    }
}

/// A choice in words.
fn said(choice: &Choice) -> String {
    let (concern, _) = desk::particulars(choice);
    let of = match (choice, concern) {
        (Choice::Undo { number }, _) => format!(" of decision {number}"),
        (_, Some(concern)) => format!(" of concern {concern}"),
        (_, None) => String::new(),
    };
    format!("{}{of}", choice.name().replace('_', " "))
}

/// Says where the run waits now, or what goes on with it.
async fn say_what_stands(records: &Store, key: RunKey, listed: &ListedRun) -> Result<()> {
    let story = &listed.story;
    let journal: Journal = records.load(key).await?.journal;
    headless::message(&match decisions::waits(&journal) {
        Some(wait) => {
            format!("{} waits: {} `copydesk show {story}` says what is possible.", wait, desk::question(&journal, wait))
        }
        None if listed.paused => {
            format!("{story} is paused: after `copydesk unpause {story}`, `copydesk resume` goes on with it.")
        }
        None => "`copydesk resume` goes on with it.".to_owned(),
    });
    Ok(())
}

/// Goes on with the story's current run until it waits again or ends.
pub(super) async fn going_on(
    desk: &Arc<Desk>,
    records: &Store,
    story: &StoryKey,
    prices: &[Price],
    json: bool,
) -> Result<Exit> {
    let run = records.runs_of(&story.to_string()).await?.into_iter().find(|(_, run)| run.current);
    let Some((run, _)) = run else { return Ok(Exit::Fine) };
    foreground::to_its_end(desk, records, story, run, prices, json).await
}
