//! Prints the results of stories: the table or the JSON line, and what needs an editor.

use std::io::IsTerminal as _;

use serde_json::json;

use crate::cli::exit::written;
use crate::cli::prelude::*;
use crate::cli::work::{
    batch::{Batch, BatchEnd},
    interrupt::Interrupt,
    spending,
    worked::WorkedStory,
};
use crate::desk::Desk;
use crate::headless::{Paint, RowState};
use crate::ports::{Archive as _, MessageState, Queue as _};
use crate::text::count;

/// The message after a person stops the program.
pub(crate) const INTERRUPTED: &str = "Interrupted. Finished steps are saved; `copydesk resume` continues from there.";

/// Whose results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultsOf {
    Batch,
    /// With its report.
    Story,
    /// Likewise, without its files: they are deleted with its folder.
    WatchedStory,
}

/// Prints the results; for one story its report as well.
pub(crate) async fn finish(
    desk: &Desk,
    store: &Store,
    worked: &[WorkedStory],
    json: bool,
    of: ResultsOf,
) -> Result<Exit> {
    let single = of != ResultsOf::Batch;
    let failed = worked.iter().filter(|worked| worked.failed()).count();
    let succeeded = worked.iter().filter(|worked| worked.row.state == RowState::Success).count();
    let waiting = worked.len() - succeeded - failed;
    let at_work = worked.iter().filter(|worked| !worked.refused).map(|worked| worked.row.story.as_str());
    let saved = spending::saved_by_stories(store, at_work).await?;
    let mut rows = Vec::new();
    let (mut tokens, mut cost) = (0_u64, None);
    for worked in worked {
        let (row, its_cost) = worked.standing(desk, store).await?;
        tokens = tokens.saturating_add(row.tokens);
        if let Some(its_cost) = its_cost {
            *cost.get_or_insert(0.0) += its_cost;
        }
        rows.push(row);
    }
    let cost = cost.map(|cost| spending::amount(desk, cost));
    let shown;
    if json {
        let closed = json!({
            "event": "batch_closed", "succeeded": succeeded, "failed": failed, "waiting": waiting, "tokens": tokens, "cost": cost,
            "memory": saved, "stories": rows
        });
        shown = written(headless::data(&closed.to_string()));
    } else {
        if single && let Some(ended) = worked.first().and_then(|worked| worked.ended.as_ref()) {
            if let Some((key, _)) = store.find(&ended.run_id).await?.first() {
                let journal = desk.records.load(*key).await?.journal;
                let saved = spending::saved_by_run(store, &journal).await?;
                let paint = paint(std::io::stderr().is_terminal());
                headless::painted(&format!("\n{}\n", headless::story_report(&journal, &saved, paint)));
            }
            if of == ResultsOf::Story {
                headless::message(&format!("Article and report: {}", ended.canonical.display()));
            }
            if of == ResultsOf::Story && desk.outputs.save_intermediate_results {
                headless::message(&format!("Every draft, review and verdict: {}", ended.artifacts.display()));
            }
            headless::message("");
        }
        shown = written(headless::data(&headless::results_table(&rows, headless::terminal_width())));
        if !single {
            let cost = cost.map_or_else(String::new, |cost| format!(", {cost}"));
            // Their topics were not run, or not to the end, which the exit code says. The stories themselves have not failed.
            let left = worked.iter().filter(|worked| worked.failed() && worked.row.state == RowState::Waits).count();
            let others = [(failed - left, "failed"), (left, "not finished"), (waiting, "waiting")].into_iter();
            let said = others.filter(|(count, _)| *count > 0).map(|(count, how)| format!(", {count} {how}"));
            let others = said.collect::<Vec<_>>().concat();
            headless::message(&format!("{succeeded} of {} succeeded{others}; {tokens} tokens{cost}.", worked.len()));
            say_what_needs_an_editor(store).await?;
        }
        // Of one story its report has said it.
        if !single && let Some(saved) = saved.words() {
            headless::message(&saved);
        }
    }
    Ok(if failed == 0 { shown } else { Exit::Failed })
}

/// Prints the results of a batch, also as far as it came if a person stopped it.
pub(crate) async fn finish_batch(desk: &Desk, store: &Store, end: BatchEnd, json: bool) -> Result<Exit> {
    match end {
        BatchEnd::Through(rows) => finish(desk, store, &rows, json, ResultsOf::Batch).await,
        BatchEnd::Interrupted { rows, .. } => {
            finish(desk, store, &rows, json, ResultsOf::Batch).await?;
            headless::message(INTERRUPTED);
            Ok(Exit::Interrupted)
        }
    }
}

/// Resumes a run until it waits again or ends, and says how that went.
pub(crate) async fn work_to_the_end(
    desk: &Arc<Desk>,
    store: &Store,
    (key, run): (&StoryKey, RunKey),
    json: bool,
) -> Result<Exit> {
    let mut interrupt = Interrupt::listen();
    let mut batch = Batch::of_story(desk, store, key, json);
    batch.resume(key.to_string(), run).await;
    match batch.work(&mut interrupt).await? {
        BatchEnd::Through(rows) => finish(desk, store, &rows, json, ResultsOf::Story).await,
        BatchEnd::Interrupted { .. } => {
            headless::message(INTERRUPTED);
            Ok(Exit::Interrupted)
        }
    }
}

/// Reports the stories and failed steps of the desk that wait for an editor, and the commands that show them.
async fn say_what_needs_an_editor(store: &Store) -> Result<()> {
    let now = SystemClock.now();
    let in_review = store.list(false).await?.iter().filter(|(_, run)| run.is_due_for_review(now)).count();
    let dead = store.messages(Some(MessageState::Dead)).await?.len();
    if in_review > 0 {
        headless::message(&format!("{} in review: `copydesk review`.", count(in_review, "story")));
    }
    if dead > 0 {
        headless::message(&format!("{}: `copydesk dead list`.", count(dead, "failed step")));
    }
    Ok(())
}

/// Colour on an output that is a terminal, where `NO_COLOR` (no-color.org) does not speak against it.
pub(crate) fn paint(is_terminal: bool) -> Paint {
    #[expect(clippy::disallowed_methods, reason = "NO_COLOR is a convention of terminals, not a setting of ours")]
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if is_terminal && !unwanted { Paint::Colour } else { Paint::Plain }
}
