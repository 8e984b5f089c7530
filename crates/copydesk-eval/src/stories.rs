//! Stories for an evaluation: topics read once, each run in an empty desk of its own, measured from its record.

use std::{fmt, sync::Arc};

use copydesk::{
    cli::{
        intake::topics::{self, ReadTopic, TopicRead, TopicRequest},
        wiring,
        work::{
            batch::{Batch, BatchEnd},
            worked::WorkedStory,
        },
    },
    config::{DatabasePlace, FolderSetting},
    desk::Assignment,
    editorial::report,
    headless::{self, ProgressLines, Quiet, RowState},
    newsroom::{Claim, ClaimRules, Gates, Journal, PathName, SimilarityMeasure, Workflow},
    ports::{Archive as _, CallRow, Records as _, Watch},
    style::Readability,
};
use sha2::{Digest as _, Sha256};

use crate::prelude::*;
use crate::{
    basis,
    evaluation::{Evaluation, StoryMeasured, StoryUnit, story_notes},
    kept::{EvalDone, EvalKeeping, KeptUnits},
};

/// The topics of an evaluation, and what is kept of it.
#[derive(Debug, Args)]
pub(crate) struct StoryRunArgs {
    /// Topics: files, or folders of them.
    #[arg(long, required = true, value_name = "TOPIC", num_args = 1..)]
    pub(crate) topics: Vec<PathBuf>,
    /// How often each topic is run in each way.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeat: u32,
    #[command(flatten)]
    pub(crate) keeping: EvalKeeping,
}

/// A topic that can be measured.
pub(crate) struct EvalTopic {
    pub(crate) assignment: Assignment,
    /// SHA-256 of its file.
    digest: String,
}

impl EvalTopic {
    pub(crate) fn story(&self) -> String {
        self.assignment.topic.story().to_string()
    }

    fn desk(&self) -> String {
        let channel = || self.assignment.topic.source_metadata.channel_name.to_string();
        self.assignment.desk.clone().unwrap_or_else(channel)
    }
}

/// The topics that can be used, and a line on each that cannot.
pub(crate) fn read(settings: &Settings, paths: &[PathBuf]) -> Result<(Vec<EvalTopic>, Vec<String>)> {
    let mut problems: Vec<String> = paths.iter().flat_map(|path| lost(path)).collect();
    let wanted = TopicRequest { topics: paths.to_vec(), gates: Gates::Auto, ..TopicRequest::default() };
    let mut usable = Vec::new();
    for ReadTopic { file, what, .. } in topics::take(settings, &wanted)? {
        match what {
            TopicRead::Assignment(assignment) => {
                usable.push(EvalTopic { assignment: *assignment, digest: basis::of_file(Path::new(&file))? });
            }
            TopicRead::Rejected { message, .. } => problems.push(format!("{file}: {message}")),
        }
    }
    headless::messages(&problems);
    if usable.is_empty() {
        return Err(wrong_use("none of the topics can be used, so there is nothing to measure"));
    }
    let unusable = problems.len();
    let note = format!("{unusable} of {} topics could not be used: they are in no figure.", unusable + usable.len());
    Ok((usable, if unusable == 0 { Vec::new() } else { vec![note] }))
}

/// Topics of a folder that are listed there and cannot be opened: links to files that are gone.
fn lost(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let gone = entries.filter(|path| path.extension().is_some_and(|ending| ending == "json") && !path.exists());
    gone.map(|path| format!("{}: it leads to a file that does not exist", path.display())).collect()
}

/// A way of running stories.
pub(crate) struct EvalWay {
    pub(crate) key: String,
    pub(crate) settings: Settings,
    pub(crate) workflow: Workflow,
    /// Whether the story is run twice in its desk, under two names, and measured the second time.
    pub(crate) remembers: bool,
}

/// Runs each topic in each way, so many times, but what is known. A person may stop it, or a story may not continue for now: the measurements
/// before are kept, and the exit says so.
pub(crate) async fn measure(
    kept: &mut KeptUnits,
    topics: &[EvalTopic],
    ways: &[EvalWay],
    repeat: u32,
    interrupt: &mut Interrupt,
) -> Result<(Vec<StoryUnit>, Exit)> {
    let mut units = Vec::new();
    let mut left = Vec::new();
    for topic in topics {
        for repetition in 1..=repeat {
            for way in ways {
                let twice = if way.remembers { " after-another" } else { "" };
                let name = format!("{} {} {}{twice} {repetition}", topic.story(), topic.digest, way.key);
                match kept.known(&name) {
                    Some(unit) => units.push(unit),
                    None => left.push((name, topic, way, repetition)),
                }
            }
        }
    }
    let progress = ProgressLines::default();
    let (done, all) = (units.len(), left.len());
    if done > 0 {
        headless::message(&format!("Known from before: {}; left: {}.", copydesk::text::count(done, "story"), all));
    }
    for (at, (name, topic, way, repetition)) in left.into_iter().enumerate() {
        progress.at(at, all);
        let measured = if interrupt.was_typed() {
            Err(StoriesStopped(None).into())
        } else {
            run(way, kept.desk()?.path(), topic, interrupt).await
        };
        let measured = match measured {
            Ok(measured) => measured,
            Err(error) => {
                let StoriesStopped(why) = error.downcast()?;
                progress.end();
                let exit = kept.stopped(why, units.len(), "stories");
                return Ok((units, exit));
            }
        };
        let unit = StoryUnit {
            story: topic.story(),
            topic: topic.digest.clone(),
            desk: topic.desk(),
            variant: way.key.clone(),
            repetition,
            measured,
        };
        kept.keep(name, &unit)?;
        units.push(unit);
    }
    progress.at(all, all);
    progress.end();
    Ok((units, Exit::Fine))
}

/// A person stopped the stories, or one could not continue for now, for this reason. Neither is a figure.
#[derive(Debug)]
pub(crate) struct StoriesStopped(pub(crate) Option<String>);

impl fmt::Display for StoriesStopped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the stories were stopped")
    }
}

impl std::error::Error for StoriesStopped {}

/// The stories of a desk that is thrown away. Each succeeded or failed.
///
/// # Errors
/// [`StoriesStopped`], or as [`Batch::work`].
pub(crate) async fn through(batch: Batch<'_>, interrupt: &mut Interrupt) -> Result<Vec<WorkedStory>> {
    let BatchEnd::Through(worked) = batch.without_waits().work(interrupt).await? else {
        return Err(StoriesStopped(None).into());
    };
    if let Some(waits) = worked.iter().find(|worked| worked.row.state == RowState::Waits) {
        let why = format!("{}: {}", waits.row.story, reason(&waits.row.note));
        return Err(StoriesStopped(Some(why)).into());
    }
    Ok(worked)
}

/// Why a story waits, without what to do about it: its desk goes with it, so it is not resumed.
fn reason(note: &str) -> &str {
    let ends = [" The story is queued", "Queued: ", "; this story was not started"];
    let why = ends.iter().fold(note, |why, end| why.split(end).next().unwrap_or_default()).trim_end_matches('.');
    if why.is_empty() { "it could not continue for now" } else { why }
}

/// Runs a story in an empty desk.
///
/// # Errors
/// As [`through`].
async fn run(way: &EvalWay, folder: &Path, topic: &EvalTopic, interrupt: &mut Interrupt) -> Result<StoryMeasured> {
    let settings = in_folder(&way.settings, folder);
    let store = wiring::store(&settings)?;
    let desk = wiring::desk(&settings, &store, Arc::new(Quiet) as Arc<dyn Watch>).await?;
    let mut assignment = topic.assignment.clone();
    assignment.workflow = way.workflow;
    if way.remembers {
        let mut first = assignment.clone();
        let slug = &mut first.topic.source_metadata.topic_slug;
        *slug = PathName::new(format!("{slug}-before"))?;
        let mut batch = Batch::new(&desk, &store, 1, false, None);
        batch.begin(first);
        let worked = through(batch, interrupt).await?;
        // One that used up its rounds has filled the memory like any other.
        let failure = |worked: &WorkedStory| match &worked.ended {
            Some(ended) => ended.summary.error.clone(),
            None => Some(worked.row.note.clone()),
        };
        if let Some(failure) = worked.iter().find_map(failure) {
            let error = Some(format!("the first run, which fills the memory, failed: {failure}"));
            return Ok(StoryMeasured { error, ..StoryMeasured::default() });
        }
    }
    let name = assignment.topic.story().to_string();
    let mut batch = Batch::new(&desk, &store, 1, false, None);
    batch.begin(assignment);
    let worked = through(batch, interrupt).await?.into_iter().next().ok_or(StoriesStopped(None))?;
    let Some((key, _)) = store.current_run(&name).await? else {
        return Ok(StoryMeasured { error: Some(worked.row.note), ..StoryMeasured::default() });
    };
    let journal = store.load(key).await?.journal;
    let calls = store.call_log(key).await?;
    let seconds = worked.ended.as_ref().map_or(0.0, |ended| ended.seconds);
    Ok(measured(&journal, &calls, settings.claims, seconds))
}

fn measured(journal: &Journal, calls: &[CallRow], rules: Option<ClaimRules>, seconds: f64) -> StoryMeasured {
    let article = report::kept_draft(journal).map(|draft| &draft.article);
    let read = article.and_then(Readability::of);
    let reviewed = |round: &u32| journal.opening.workflow.reviews(*round) && journal.gate(*round).is_some();
    let mut story = StoryMeasured {
        passed: report::succeeded(journal) && journal.publication().is_some(),
        error: journal.failure().map(|(step, failure)| format!("{step}: {}", failure.message)),
        words: read.as_ref().map(|read| read.words as u64),
        flesch: read.map(|read| read.flesch_reading_ease),
        rounds: u32::try_from((1..=journal.rounds()).filter(reviewed).count()).unwrap_or(u32::MAX),
        seconds,
        article: article.map(|article| hex::encode(Sha256::digest(&article.articleBody))),
        ..StoryMeasured::default()
    };
    if let Some((claims, rules)) = report::standing_claims(journal).zip(rules) {
        let similar =
            |claim: &&Claim| claim.similarity.is_some_and(|similarity| similarity > rules.similarity.by(claim.measure));
        story.claims = Some(claims.claims.len() as u64);
        story.verified = Some(claims.verified() as u64);
        story.similar = Some(claims.claims.iter().filter(similar).count() as u64);
        for claim in &claims.claims {
            let measure = match claim.measure {
                SimilarityMeasure::Cosine => "cosine",
                SimilarityMeasure::Words => "words",
            };
            *story.similarity_by.entry(measure.to_owned()).or_default() += 1;
        }
    }
    for call in calls {
        story.calls += 1;
        match (call.usage.prompt_tokens, call.usage.completion_tokens) {
            (None, None) => story.uncounted += u64::from(call.answer_bytes.is_some()),
            (sent, received) => {
                let [all_sent, all_received] = story.tokens.entry(call.agent.clone()).or_default();
                *all_sent += sent.unwrap_or(0);
                *all_received += received.unwrap_or(0);
            }
        }
        if let Some(cost) = &call.numbers.cost {
            *story.cost.entry(cost.currency.clone()).or_default() += cost.amount;
        }
    }
    story
}

/// The settings with everything that a desk writes below `folder`.
pub(crate) fn in_folder(settings: &Settings, folder: &Path) -> Settings {
    let mut settings = settings.clone();
    let below = |name: &str| FolderSetting { configured: name.to_owned(), path: folder.join(name) };
    folder.clone_into(&mut settings.workspace);
    settings.database = DatabasePlace::File(folder.join("copydesk.db"));
    settings.observability.log = None;
    let generation = &mut settings.article_generation;
    generation.editor.output.final_articles_dir = below("articles");
    generation.editor.output.run_artifacts_dir = below("runs");
    generation.editor.output.save_intermediate_results = false;
    generation.institutional_memory.data_dir = below("memory");
    settings
}

/// Makes the tables of what was measured, and says whether that is all.
pub(crate) fn publish(
    kept: &KeptUnits,
    mut evaluation: Evaluation,
    (units, exit): (Vec<StoryUnit>, Exit),
    problems: Vec<String>,
    tables: &dyn Fn(&[StoryUnit]) -> Vec<EvalTable>,
) -> Result<EvalDone> {
    evaluation.notes.extend(story_notes(&units).into_iter().chain(problems));
    kept.publish(evaluation, &units, tables, exit)
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn a_story_whose_desk_is_gone_is_not_told_to_be_resumed() {
        let down = "127.0.0.1:9 is down (refused)";
        for (note, said) in [
            (format!("{down}. The story is queued; `copydesk resume` resumes it"), down),
            (
                format!(
                    "{down}. The story is queued; `copydesk resume` resumes it; this story was not started: run its topic again"
                ),
                down,
            ),
            ("the disk is full; this story was not started: run its topic again".to_owned(), "the disk is full"),
            ("Queued: `copydesk resume` resumes it".to_owned(), "it could not continue for now"),
        ] {
            assert_eq!(reason(&note), said);
        }
    }
}
