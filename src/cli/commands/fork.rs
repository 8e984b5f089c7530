//! `copydesk fork`: a new run that shares an earlier one's journal up to a step.

use crate::cli::prelude::*;
use crate::cli::work::{deciding::mendable, results};
use crate::desk::ForkedAnswer;
use crate::newsroom::{Gates, Step};

#[derive(Debug, Args)]
pub(crate) struct ForkArgs {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// The first step to repeat, as `copydesk log` names it: draft, r1.review, r1.c2.judge, r1.gate, publish.
    #[arg(long, value_name = "STEP")]
    at: String,
    /// Ask that step again even if its answer is known. Without this, only changed questions are asked.
    #[arg(long)]
    again: bool,
    /// Work on the new run at once, and decide its rounds by the verdicts.
    #[arg(long)]
    auto: bool,
    /// With --auto: print one JSON event per line on standard output instead of the result table.
    #[arg(long, requires = "auto")]
    json: bool,
}

pub(crate) async fn fork(config: Option<&Path>, arguments: ForkArgs) -> Result<Exit> {
    let at: Step = arguments.at.parse().map_err(|error| WrongUse(format!("--at: {error}")))?;
    let (settings, records) = wiring::open(config)?;
    let (key, listed) = story::run(&records, &arguments.story).await?;
    let story = story::key(&listed)?;
    let desk = wiring::desk(&settings, &records, headless::listener(arguments.json).0).await?;
    let gates = if arguments.auto { Gates::Auto } else { Gates::Editor };
    let known = if arguments.again { ForkedAnswer::AskedAgain } else { ForkedAnswer::Taken };
    let forked = desk.fork(key, &story, at, gates, known).await.map_err(mendable)?;
    if !arguments.auto {
        headless::data(&forked.run_id)?;
        headless::message(&format!(
            "{story}: the new run {} reuses everything before “{}” of {}. {}",
            forked.run_id,
            at.in_words(),
            listed.run,
            if forked.waits.is_some() {
                format!("It waits for you: `copydesk` opens it; `copydesk show {story}` lists your choices.")
            } else {
                "`copydesk` opens it; `copydesk resume` resumes it. You approve each step.".to_owned()
            }
        ));
        return Ok(Exit::Fine);
    }
    results::work_to_the_end(&desk, &records, (&story, forked.key), arguments.json).await
}
