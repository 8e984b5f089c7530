//! `copydesk decide`: the gate's choices without a screen.

use crate::cli::intake::choice::{DecideCommand, DecideRequest};
use crate::cli::prelude::*;
use crate::cli::work::deciding::{decide_all, mendable, resume_current};
use crate::desk;
use crate::editorial::{decisions, event_words::choice_in_words};
use crate::headless::Quiet;
use crate::newsroom::{Choice, Journal, ListedRun};
use crate::ports::Records;

#[derive(Debug, Args)]
pub(crate) struct DecideArgs {
    /// channel/slug, or a slug.
    story: String,
    #[command(subcommand)]
    words: DecideCommand,
    /// Resume at once, until the next decision or the end.
    #[arg(long, global = true)]
    resume: bool,
    /// Print one JSON event per line on standard output instead of the result table.
    #[arg(long, global = true)]
    json: bool,
}

pub(crate) async fn decide(config: Option<&Path>, arguments: DecideArgs) -> Result<Exit> {
    let DecideArgs { story: name, words, resume, json } = arguments;
    let (settings, records) = wiring::open(config)?;
    let (key, listed) = story::run(&records, &name).await?;
    let journal = records.load(key).await?.journal;
    let meant = words.meant(&journal, &settings)?;
    let watch = if json || resume { headless::listener(json).0 } else { Arc::new(Quiet) };
    let desk = wiring::desk(&settings, &records, watch).await?;
    let story = story::key(&listed)?;
    match meant {
        DecideRequest::Choices(choices) => {
            if choices.is_empty() {
                headless::message(&format!("{story}: The copy decides nothing new."));
                return Ok(Exit::Fine);
            }
            let told = |choice: &Choice| headless::message(&format!("{story}: decided: {}.", said(choice)));
            decide_all(&desk, &records, (key, &story), &journal, choices, told).await?;
            if !resume {
                say_what_stands(&records, key, &listed).await?;
            }
        }
        DecideRequest::AcceptFlags(reason) => {
            desk.accept_flags(key, &story, &reason).await.map_err(mendable)?;
            headless::message(&format!("{story}: You accepted its flags. It is no longer in the review queue."));
            return Ok(Exit::Fine);
        }
        DecideRequest::Reopen => {
            let forked = desk.reopen(key, &story).await.map_err(mendable)?;
            headless::message(&format!(
                "{story}: Reopened at {}. The new run {} reuses everything before that from {}.",
                forked.at.in_words(),
                forked.run_id,
                listed.run
            ));
            if let Some(kept) = forked.kept {
                headless::message(&format!("{story}: {} (`copydesk fork {story} --at {}`).", kept.note(), kept.at));
            }
            if !resume {
                say_what_stands(&records, forked.key, &listed).await?;
            }
        }
    }
    if resume { resume_current(&desk, &records, &story, json).await } else { Ok(Exit::Fine) }
}

/// A choice in words.
fn said(choice: &Choice) -> String {
    let (concern, _) = desk::particulars(choice);
    let of = match (choice, concern) {
        (Choice::Undo { number }, _) => format!(" of decision {number}"),
        (_, Some(concern)) => format!(", concern {concern}"),
        (_, None) => String::new(),
    };
    format!("{}{of}", choice_in_words(choice.name()))
}

/// Says where the run waits now, or how to resume it.
async fn say_what_stands(records: &Store, key: RunKey, listed: &ListedRun) -> Result<()> {
    let story = &listed.story;
    let journal: Journal = records.load(key).await?.journal;
    headless::message(&match decisions::waits(&journal) {
        Some(wait) => {
            format!(
                "Waiting for {}: {} `copydesk show {story}` lists your choices.",
                wait.in_words(),
                desk::question(&journal, wait)
            )
        }
        None if listed.paused => {
            format!("{story} is paused. First `copydesk set {story} --unpause`, then `copydesk resume`.")
        }
        None => "`copydesk resume` resumes it.".to_owned(),
    });
    Ok(())
}
