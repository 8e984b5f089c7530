//! Everything that changes a story: beginning, deciding, pausing, stopping, forking, retrying, deleting. A decision is in the
//! database before the screen is told; then the story continues.

use std::{
    collections::{HashSet, VecDeque},
    path::PathBuf,
    sync::Arc,
};

use jiff::tz::TimeZone;

use crate::app::{Backlog, Beginning, News, StandingRun, Ticket, Trouble, WorkKind};
use crate::screens::forms::DecisionPoint;
use crate::screens::gate::waiting::kept_name;
use crate::widgets::words;
use crate::worker::errands::{Errand, Errands, change_story, no_story};
use crate::worker::followed::Followed;
use crate::worker::indexing::IndexBells;
use crate::worker::keeping::Keeping;
use crate::worker::roster::DutyRoster;
use crate::worker::{AddedFile, Reply, RequestResult, StartingStories, WorkerContext, Working, files};
use copydesk_core::desk::{
    self, Assignment, DeskError, FailedStep, Forked, Reached, RecordedDecision, Replaces, WorkerNews,
};
use copydesk_core::ports::{RunKey, StoreError, StoryChange};
use copydesk_newsroom::{Choice, ExaminedObject, Gates, Priority, Source, StoryKey, Wait, deadline};
use copydesk_text::{in_marks, sanitise};

/// The message for a draft that replaces an earlier one.
const AGAIN: &str = "Draft or sources have changed: this is a new run; the earlier one is under Runs.";

/// Most looks for the work of other programs that are left out because no commit was heard of.
const LEFT_OUT: u32 = 4;

pub(crate) struct StoryWork {
    pub(crate) context: WorkerContext,
    pub(crate) roster: DutyRoster,
    pub(crate) followed: Followed,
    pub(crate) keeping: Keeping,
    pub(crate) errands: Errands,
    pub(crate) index: IndexBells,
    /// Stories that the command named and that have not begun yet.
    pub(crate) handed_in: VecDeque<Assignment>,
    /// The story that was to begin although a version of it is signed: its editor is asked which is meant.
    asked: Option<(RunKey, Assignment)>,
    /// Decisions on stories whose files are still being written at their gate.
    later: Vec<(DecisionPoint, Choice, Reply)>,
    /// Stories that were decided on before the report of the work up to their gate was here.
    decided: HashSet<StoryKey>,
    /// What was heard of commits before the last look.
    heard: Option<u64>,
    /// How many looks were left out since.
    left_out: u32,
}

impl StoryWork {
    pub(crate) fn new(context: WorkerContext, backlog: Backlog) -> Self {
        Self {
            roster: DutyRoster::new(context.clone()),
            context,
            followed: Followed::new(backlog),
            keeping: Keeping::default(),
            errands: Errands::default(),
            index: IndexBells::default(),
            handed_in: VecDeque::new(),
            asked: None,
            later: Vec::new(),
            decided: HashSet::new(),
            heard: None,
            left_out: 0,
        }
    }

    /// The same from time to time: less often as long as the desk's server tells of no commit.
    pub(crate) async fn look_again(&mut self) {
        let heard = self.context.tools.desk.locks.commits();
        if std::mem::replace(&mut self.heard, heard) != heard || heard.is_none() || self.left_out >= LEFT_OUT {
            self.left_out = 0;
            self.catch_up().await;
        } else {
            self.left_out += 1;
        }
    }

    pub(crate) async fn catch_up(&mut self) {
        self.followed.catch_up(&self.context).await;
    }

    pub(crate) async fn read_desk(&mut self) -> RequestResult {
        self.followed.read_desk(&self.context).await?;
        self.roster.tell();
        self.followed.read_failed_steps(&self.context).await
    }

    /// Uses the result of an errand.
    pub(crate) async fn finish_errand(&mut self, errand: Errand) {
        match errand {
            Errand::Done => {}
            Errand::Read(reply, ticket, Ok(StartingStories { assignments, notes })) => {
                let begun = self.begin_all(assignments, ticket).await;
                self.tell(notes);
                reply.end(begun);
            }
            Errand::Read(reply, _, Err(trouble)) | Errand::Source(_, reply, Err(trouble)) => reply.end(Err(trouble)),
            Errand::Source(at, reply, Ok(AddedFile { source, hidden, recorded, notes })) => {
                self.tell(notes);
                let Source { name, text } = source;
                self.decide(*at, Choice::AddSource { name, text, hidden, recorded: recorded.map(Box::new) }, reply)
                    .await;
            }
            Errand::Deleted(run) => self.followed.deleted(&self.context, run).await,
        }
    }

    /// Tells remarks on what was read.
    fn tell(&self, notes: Vec<String>) {
        for note in notes {
            self.context.say(News::Done(note));
        }
    }

    /// Reads the file or text of a story; the story begins when it is read.
    pub(crate) fn begin(&mut self, beginning: Beginning, ticket: Option<Ticket>, reply: Reply) {
        let intake = Arc::clone(&self.context.tools.intake);
        let read = tokio::task::spawn_blocking(move || intake.begin(&beginning));
        let working = Working::begin(&self.context, WorkKind::Reading);
        self.errands.run(async move {
            let _working = working;
            let broken = |error| Err(Trouble::new(format!("reading it failed ({error}); no story was begun")));
            Errand::Read(reply, ticket, read.await.unwrap_or_else(broken))
        });
    }

    /// Reads the file of a source; it is decided on when it is read.
    pub(crate) fn read_source(&mut self, at: DecisionPoint, path: PathBuf, name: Option<String>, reply: Reply) {
        let tools = Arc::clone(&self.context.tools);
        let working = Working::begin(&self.context, WorkKind::Reading);
        self.errands.run(async move {
            let _working = working;
            let secrecy = match tools.desk.stories.secrecy(&at.story).await {
                Ok(secrecy) => secrecy,
                Err(error) => return Errand::Source(Box::new(at), reply, Err(error.into())),
            };
            let read = tokio::task::spawn_blocking(move || tools.intake.source(&path, &secrecy));
            let broken = |error| Err(Trouble::new(format!("reading it failed ({error}); no source was added")));
            let mut read = read.await.unwrap_or_else(broken);
            if let (Ok(file), Some(name)) = (&mut read, name) {
                file.source.name = name;
            }
            Errand::Source(Box::new(at), reply, read)
        });
    }

    /// Begins the next story that the command named.
    pub(crate) async fn begin_next(&mut self) {
        let Some(assignment) = self.handed_in.pop_front() else { return };
        let again = assignment.replaces == Replaces::Waiting;
        match self.begin_all(vec![assignment], None).await {
            Ok(()) if again => self.context.say(News::Done(AGAIN.into())),
            Ok(()) => {}
            Err(trouble) => self.context.say(News::Trouble(trouble)),
        }
    }

    /// Begins the new version of a signed story that its editor was asked about.
    pub(crate) async fn begin_version(&mut self, signed: RunKey, ticket: Option<Ticket>) -> RequestResult {
        let asked = self.asked.take_if(|(run, _)| *run == signed);
        let (_, assignment) =
            asked.ok_or_else(|| Trouble::new("the notes are not at hand any more: begin the story again"))?;
        self.begin_all(vec![Assignment { replaces: Replaces::Signed, ..assignment }], ticket).await
    }

    /// The run that a new one may not take over from.
    async fn standing(&self, assignment: &Assignment) -> Result<Option<StandingRun>, Trouble> {
        let story = assignment.topic.story();
        let current = self.context.tools.desk.archive.current_run(&story.to_string()).await?;
        Ok(current.filter(|_| assignment.replaces != Replaces::Signed).and_then(|(key, run)| {
            let is_signed = run.signed_by.is_some();
            let blank = sanitise::is_blank(&run.title);
            let title = if blank { story.to_string() } else { sanitise::excerpt(&run.title, 60) };
            let said = match (&run.signed_by, run.waits_at()) {
                (Some(by), _) => {
                    let signed = words::day_and_time(&run.stands_since);
                    format!("{} is already signed ({signed}, {by})", in_marks(&title))
                }
                (None, Some(wait)) if assignment.replaces == Replaces::Nothing => {
                    format!("{story} waits already for {}, and opens here: decide it first", wait.in_words())
                }
                _ => return None,
            };
            Some(StandingRun { run: key, said, is_signed })
        }))
    }

    /// Begins each story; the screen opens the first. If only some can begin, the others are told in messages: an error
    /// would make the person begin all of them again.
    async fn begin_all(&mut self, assignments: Vec<Assignment>, ticket: Option<Ticket>) -> Result<(), Trouble> {
        let mut problems = Vec::new();
        let (mut first, mut stands) = (None, None);
        for assignment in assignments {
            if let Some(why) = assignment.unusable.clone() {
                problems.push(match self.context.tools.desk.enlist_unusable(assignment).await {
                    Ok(_) => why,
                    Err(error) => format!("{why} (it is not on the desk: {error})"),
                });
                continue;
            }
            if let Some(standing) = self.standing(&assignment).await? {
                match stands {
                    None => {
                        self.asked = standing.is_signed.then_some((standing.run, assignment));
                        stands = Some(standing);
                    }
                    Some(_) => problems.push(standing.said),
                }
                continue;
            }
            // The run is in the records at once: a story that waits for its turn survives this program.
            match self.roster.begin(Assignment { gates: Gates::Editor, ..assignment }).await {
                Ok(begun) if first.is_none() => first = Some(begun),
                Ok(_) => {}
                Err(problem) => problems.push(String::from(problem)),
            }
        }
        match (&first, stands) {
            (None, Some(standing)) => self.context.say(News::Stands { ticket, standing }),
            (_, stands) => problems.extend(stands.map(|standing| standing.said)),
        }
        let Some((story, run)) = first else {
            return if problems.is_empty() { Ok(()) } else { Err(Trouble::new(problems.join("; "))) };
        };
        self.context.say(News::Begun { ticket, story, run });
        for problem in problems {
            self.context.say(News::Trouble(Trouble::new(format!("not begun: {problem}"))));
        }
        Ok(())
    }

    /// Decides, and resumes the story if it does not wait any more.
    pub(crate) async fn decide(&mut self, at: DecisionPoint, choice: Choice, reply: Reply) {
        match self.context.tools.desk.decide(at.run, &at.story, choice.clone(), Some(at.seen)).await {
            Ok(RecordedDecision { waits, unwritten }) => {
                // A fix that was made in the text does not end the typing.
                if matches!(choice, Choice::Edit { .. }) {
                    // The decision stands even if the text that was kept while it was typed cannot be deleted.
                    let _ = self.keeping.forget(&self.context, at.run, &kept_name(at.round())).await;
                }
                self.catch_up().await;
                self.context.say(News::Decided { run: at.run, choice });
                reply.end(Ok::<_, Trouble>(()));
                if let Some(error) = unwritten {
                    self.context.say(News::Trouble(error.into()));
                }
                if waits.is_none() {
                    self.go_on(&at.story).await;
                }
            }
            // The screen shows the gate as soon as it is in the database; its files may still be written.
            Err(DeskError::Locked { .. }) if self.roster.runs(&at.story) => self.later.push((at, choice, reply)),
            Err(error) => reply.end(Err(error)),
        }
    }

    /// Resumes a story after a decision, unless a worker has it already.
    async fn go_on(&mut self, story: &StoryKey) {
        if self.roster.has(story) {
            // These may be the hands that brought it to its gate: their report is still on the way.
            self.decided.insert(story.clone());
        } else if !self.roster.is_elsewhere(story)
            && let Err(trouble) = self.roster.resume(story).await
        {
            self.context.say(News::Trouble(trouble));
        }
    }

    /// Has a story worked on that was decided on meanwhile, unless it waits again.
    async fn go_on_after(&mut self, story: &StoryKey) {
        if !self.decided.remove(story) || self.roster.has(story) {
            return;
        }
        // If the records cannot be read, the look at their changes says so, and the queue offers the story.
        let unfinished = self.context.tools.desk.records.unfinished().await.unwrap_or_default();
        if unfinished.iter().any(|run| run.story == *story && !run.waits) {
            self.go_on(story).await;
        }
    }

    pub(crate) async fn accept_flags(&mut self, run: RunKey, story: &StoryKey, reason: &str) -> RequestResult {
        self.context.tools.desk.accept_flags(run, story, reason).await?;
        self.catch_up().await;
        self.context.say(News::Settled(run));
        Ok(())
    }

    /// Notes what was on the screen. A database that cannot be written to takes no decision either: then there is nothing to note.
    pub(crate) async fn note_examined(&self, run: RunKey, gate: Option<Wait>, what: ExaminedObject) -> RequestResult {
        match self.context.tools.desk.note_examined(run, gate, what).await {
            Err(DeskError::Store(StoreError::ReadOnly { .. })) => Ok(()),
            noted => Ok(noted?),
        }
    }

    /// Refuses the pending decisions on a story that can no longer be decided.
    fn refuse_later(&mut self, story: &StoryKey, why: &str) {
        for (_, _, reply) in self.later.extract_if(.., |(at, ..)| at.story == *story) {
            reply.end(Err(Trouble::new(format!("{why}; nothing was decided"))));
        }
    }

    async fn decide_later(&mut self, story: &StoryKey) {
        let now: Vec<_> = self.later.extract_if(.., |(at, ..)| at.story == *story).collect();
        for (at, choice, reply) in now {
            self.decide(at, choice, reply).await;
        }
    }

    /// Tells how far a story came.
    pub(crate) async fn tell_worked(&mut self, told: WorkerNews) {
        if let WorkerNews::Trouble(error) = &told {
            self.context.say(News::Trouble(error.into()));
        }
        let Some((story, Some(result))) = self.roster.hear(told).await else {
            return self.roster.tell();
        };
        // Its sources, its article or its evidence may be new.
        self.index.stories.notify_one();
        match result {
            // The list and the story show it. The queue offers a locked story again, and the terminal's hook tells a panic.
            Ok(Some(Reached::End(_) | Reached::Gate(_) | Reached::Later(_)) | None)
            | Err(DeskError::Locked { .. } | DeskError::BrokeOff { .. }) => {}
            // It may have been unpaused while it was stopping.
            Ok(Some(Reached::Paused)) => {
                if self.roster.resume(&story).await.is_err() {
                    self.context.say(News::Done(format!("{story} is paused")));
                }
            }
            Err(error) => self.context.say(News::Trouble(Trouble::new(format!("{story}: {error}")))),
        }
        self.roster.tell();
        self.catch_up().await;
        self.decide_later(&story).await;
        self.go_on_after(&story).await;
    }

    /// Shows a run that was just opened, says what it is, and resumes it unless it waits.
    pub(crate) async fn open_forked(
        &mut self,
        story: StoryKey,
        forked: Result<Forked, DeskError>,
        ticket: Option<Ticket>,
        said: &str,
    ) -> RequestResult {
        let forked = forked?;
        self.followed.open(&self.context, forked.key, ticket).await?;
        let note = forked.kept.map_or_else(String::new, |kept| format!("; {}", kept.note()));
        self.context.say(News::Done(format!("{said}{note}")));
        if forked.waits.is_none() { self.roster.resume(&story).await } else { Ok(()) }
    }

    pub(crate) async fn pause(&mut self, story: &StoryKey, paused: bool) -> RequestResult {
        let has = self.roster.has(story);
        let how = match (paused, has) {
            (true, true) => "stops after the running call",
            (true, false) => "is paused",
            (false, _) => "is resumed",
        };
        self.change(story, StoryChange::Paused(paused), format!("{story} {how}")).await?;
        if paused || has { Ok(()) } else { self.roster.resume(story).await }
    }

    pub(crate) async fn stop(&mut self, story: &StoryKey) -> RequestResult {
        self.roster.stop(story).await?;
        self.context.say(News::Done(format!("{story} is stopped; finished steps are kept, and you can resume it")));
        // Deciding it would start the story again.
        self.refuse_later(story, "the story was stopped");
        Ok(())
    }

    pub(crate) async fn set_priority(&mut self, story: &StoryKey, priority: Priority) -> RequestResult {
        let said = format!("{story}: priority {}", priority.name());
        self.change(story, StoryChange::Priority(priority), said).await
    }

    pub(crate) async fn set_due(&mut self, story: &StoryKey, typed: &str) -> RequestResult {
        let due = deadline(typed, self.context.tools.desk.clock.now(), &TimeZone::system())?;
        let said = due.as_ref().map_or_else(
            || format!("{story} has no deadline"),
            |due| format!("{story} is due {}", words::day_and_time(due)),
        );
        self.change(story, StoryChange::Due(due), said).await
    }

    pub(crate) async fn assign(&mut self, story: &StoryKey, editor: Option<String>) -> RequestResult {
        let said = format!("{story} is now with {}", editor.as_deref().unwrap_or("nobody"));
        self.change(story, StoryChange::Editor(editor), said).await
    }

    /// Changes a property of a story, and tells so.
    async fn change(&mut self, story: &StoryKey, change: StoryChange, said: String) -> RequestResult {
        change_story(&self.context, story, change).await?;
        self.catch_up().await;
        self.context.say(News::Done(said));
        Ok(())
    }

    pub(crate) async fn delete(&mut self, story: StoryKey, reply: Reply) {
        let run = match self.context.current(&story).await {
            Ok(Some(run)) => run,
            Ok(None) => return reply.end(Err(no_story(&story))),
            Err(error) => return reply.end(Err(error)),
        };
        self.roster.let_go(&story).await;
        self.refuse_later(&story, "the story is being deleted");
        self.roster.tell();
        self.followed.deleting(run);
        let deleting = files::delete(self.context.clone(), story);
        self.errands.run(async move {
            reply.end(deleting.await);
            Errand::Deleted(run)
        });
    }

    /// Retries the failed step in a new run.
    pub(crate) async fn retry_failed_step(&mut self, failed: &FailedStep) -> RequestResult {
        self.context.tools.desk.retry(failed).await?;
        self.catch_up().await;
        self.context.say(News::Done(format!("{}: retried in a new run", failed.story)));
        self.roster.resume(&failed.story).await
    }

    pub(crate) async fn drop_failed_step(&mut self, failed: &FailedStep, reason: &str) -> RequestResult {
        let desk = &self.context.tools.desk;
        desk::drop_failed_step(&*desk.queue, failed, reason, &desk.editor, &self.context.now()).await?;
        self.catch_up().await;
        self.context.say(News::Done(format!("{}: the failed step is dropped; the story stays failed", failed.story)));
        Ok(())
    }
}
