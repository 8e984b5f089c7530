//! `copydesk show` and `copydesk log`: one story, read back.

use std::{collections::HashMap, time::Duration};

use serde_json::json;

use crate::cli::prelude::*;
use crate::cli::work::{interrupt::Interrupt, measures::StoryMeasures};
use crate::desk;
use crate::editorial::{citations, decisions, drafts, report, research_report::ResearchReport};
use crate::headless::Paint;
use crate::newsroom::{Entry, RunState, local_time};
use crate::ports::{Archive, CallRow, Outbox as _, Records, Stories as _, Times};
use crate::{cli::commands::list, cli::intake::house_style};

/// How often a log that is followed is looked at.
const LOOK: Duration = Duration::from_millis(250);

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// Print one JSON object: run, steps, calls, result.
    #[arg(long)]
    json: bool,
    /// Print only the current draft, in Markdown, as `copydesk decide STORY edit FILE` takes it.
    #[arg(long, conflicts_with = "json")]
    draft: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// channel/slug, a slug, or a run id.
    story: String,
    /// Print one JSON event per line.
    #[arg(long)]
    json: bool,
    /// Go on with what happens, until the run ends. Ctrl-C stops it.
    #[arg(long)]
    follow: bool,
}

pub(crate) async fn show(config: Option<&Path>, arguments: ShowArgs) -> Result<Exit> {
    let (settings, store) = wiring::open_to_look(config)?;
    let (key, listed) = story::run(&store, &arguments.story).await?;
    let journal = store.load(key).await?.journal;
    if arguments.draft {
        let draft =
            report::standing_draft(&journal).ok_or_else(|| WrongUse(format!("{} has no draft yet", listed.story)))?;
        headless::plain_data(drafts::to_markdown(&draft.article).trim_end())?;
        return Ok(Exit::Fine);
    }
    let calls = store.call_log(key).await?;
    let deliveries = store.deliveries(&story::key(&listed)?).await?;
    let replies = store.replies(&story::key(&listed)?).await?;
    let shared = store.sharing(key).await?;
    let removed_at = calls.iter().filter_map(|call| call.removed_at.as_ref()).max();
    let measures = StoryMeasures::of(&settings, &store, &journal, &calls).await?;
    if arguments.json {
        let times = store.times(key).await?;
        let step = |entry: &Entry| {
            let Times { waited_ms, worked_ms } = times.get(&entry.step).copied().unwrap_or_default();
            json!({
                "step": entry.step, "at": entry.at, "usage": entry.usage, "waited_ms": waited_ms, "worked_ms": worked_ms
            })
        };
        let steps: Vec<_> = journal.entries().iter().map(step).collect();
        // Steps that it took over were asked for by an earlier run.
        let runs: HashMap<_, _> = store.runs_of(&listed.story).await?.into_iter().collect();
        let call = |call: &CallRow| headless::call_json(runs.get(&call.run).map_or("", |run| &run.run), call);
        let calls: Vec<_> = calls.iter().map(call).collect();
        let result = journal.publication().map(|publication| report::result(&journal, publication));
        let object = json!({
            "run": listed, "steps": steps, "calls": calls, "result": result, "memory": measures.memory, "retrieval": measures.retrieval,
            "context": measures.context,
            "conversations": measures.talked,
            "research": ResearchReport::of(&journal),
            "citations": citations::of_run(&journal),
            "corrections": journal.opening.corrections,
            "sharing_passages": shared,
            "replies": replies,
            "deliveries": deliveries,
            "claims": report::standing_claims(&journal).map(|claims| json!({
                "score": claims.score(), "verified": claims.verified(), "claims": claims.claims
            })),
            "texts_removed_at": removed_at
        });
        headless::json(&object)?;
        return Ok(Exit::Fine);
    }
    let beside = list::beside(&settings, &store).await?;
    headless::plain_data(&headless::runs_table(std::slice::from_ref(&listed), &beside, headless::terminal_width()))?;
    headless::plain_data("")?;
    if let Some(at) = removed_at {
        headless::plain_data(&format!(
            "Retention deleted the prompts and answers of its calls on {}. Everything else is kept.",
            local_time(at)
        ))?;
        headless::plain_data("")?;
    }
    headless::plain_data(&headless::story_report(&journal, &measures.memory, Paint::Plain))?;
    let context = measures.of_contexts();
    if !context.is_empty() {
        headless::plain_data(&format!("{}\n", context.join("\n")))?;
    }
    let mut lines = Vec::from_iter(house_style::at_gate(&settings, &journal).await?);
    lines.extend(headless::reply_lines(&listed, &replies, SystemClock.now()));
    lines.extend(headless::sharing_lines(&shared));
    let withdrawn = listed.withdrawn.as_ref();
    lines.extend(
        withdrawn.map(|killed| format!("Withdrawn {} by {}: {}", local_time(&killed.at), killed.by, killed.reason)),
    );
    lines.extend(listed.embargo.as_ref().map(|until| format!("Embargo: {}", local_time(until))));
    lines.extend(deliveries.first().map(|_| "Deliveries:".to_owned()));
    lines.extend(deliveries.iter().map(|kept| format!("  {}", headless::kept_line(kept))));
    let undecided = listed.waits.is_some() || listed.state == RunState::Failed || listed.is_flagged();
    if listed.current && undecided {
        let possible = headless::possible(&journal, Some(&listed), &format!("copydesk decide {} ", listed.story));
        let question = decisions::waits(&journal).map(|wait| desk::question(&journal, wait));
        lines.extend([String::new()].into_iter().chain(question).chain([possible]));
    }
    for line in lines {
        headless::plain_data(&line)?;
    }
    Ok(Exit::Fine)
}

pub(crate) async fn log(config: Option<&Path>, arguments: LogArgs) -> Result<Exit> {
    let (_, store) = wiring::open_to_look(config)?;
    let (key, _) = story::run(&store, &arguments.story).await?;
    let mut interrupt = Interrupt::listen();
    let mut shown = 0;
    loop {
        // The state is read before the events: if the run is over by then, all its events are there.
        let over = store.listed(&[key]).await?.first().is_none_or(|(_, run)| run.state != RunState::Open);
        for record in store.events(key).await?.into_iter().skip(shown) {
            shown += 1;
            if arguments.json {
                headless::data(&serde_json::to_string(&record)?)?;
            } else {
                headless::plain_data(&headless::log_line(&record))?;
            }
        }
        if over || !arguments.follow {
            return Ok(Exit::Fine);
        }
        tokio::select! {
            () = interrupt.typed() => return Ok(Exit::Interrupted),
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}
