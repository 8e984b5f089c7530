//! The contents of the audit log, read once from its first event to its last, and compared with the copies elsewhere.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::prelude::*;
use crate::{
    events::{ACCUSED, OUTPUT, PASSAGES, RawEvent, walk},
    head::{HeadFile, KeptHead},
};
use copydesk_core::ports::{Flaw, SignedOff};
use copydesk_newsroom::{ReplyAnswer, StoryDelivery, StoryReply};

#[derive(Default)]
pub(super) struct LogBook {
    pub(super) events: u64,
    /// Those of stories that are hidden from the user: nothing but their links can be checked.
    pub(super) hidden: u64,
    last: u64,
    broken: Option<i64>,
    /// Events without a text, with their runs.
    emptied: Vec<(i64, i64)>,
    runs: BTreeSet<i64>,
    /// Runs that were deleted with their stories.
    deleted: u64,
    /// Links that are kept elsewhere, with the event at which the log has them.
    places: HashMap<String, u64>,
    /// Who signed off on what chain.
    pub(super) sign_offs: BTreeSet<(String, String)>,
    /// The last end of each run: [`Event::RunClosed`].
    pub(super) closed: BTreeMap<i64, Event>,
    /// The digests of what came out of steps, and of what a run was opened with (no step).
    pub(super) outputs: HashMap<(i64, Option<Step>), String>,
    /// The last event about each delivery, by its key, with its run.
    pub(super) deliveries: BTreeMap<String, (i64, StoryDelivery)>,
    /// The last embargo that was set on a run's story, with its event.
    pub(super) embargoes: BTreeMap<i64, (i64, Option<String>)>,
    /// Runs whose version was taken back, by whom and why.
    pub(super) killed: HashMap<i64, (String, String)>,
    /// Whom a run accuses, as it was told last: JSON.
    pub(super) accused: HashMap<i64, String>,
    /// The replies of the persons who were asked, in the order in which they were noted.
    pub(super) answers: Vec<(i64, String, ReplyAnswer)>,
    /// Whom stories asked for a reply, in the order of asking, each with the run whose log has it.
    pub(super) replies: Vec<(i64, StoryReply)>,
    /// The digest of the passages that a run rests on, as it was told last.
    pub(super) passages: HashMap<i64, String>,
    /// Who was asked: agent, model, host.
    pub(super) calls: HashMap<(i64, Step, u32), [String; 3]>,
}

impl LogBook {
    /// Calls `one` for each event.
    pub(super) fn read(
        db: &Database,
        kept: &KeptHead,
        signed: &[SignedOff],
        mut one: impl FnMut(),
    ) -> Result<Self, DbFault> {
        let mut told = Self::default();
        let mut wanted: BTreeSet<String> = signed.iter().map(|signed| signed.chain.clone()).collect();
        if let KeptHead::End(_, link) = kept {
            wanted.insert(link.clone());
        }
        told.broken = walk(db, |event, link| {
            one();
            let link = hex::encode(link);
            if wanted.contains(&link) {
                told.places.insert(link, natural(event.seq));
            }
            told.take(event);
            Ok(())
        })?;
        Ok(told)
    }

    fn take(&mut self, event: &RawEvent<'_>) {
        self.events += 1;
        self.last = natural(event.seq);
        let run = event.run;
        if event.hidden {
            self.hidden += 1;
            return;
        }
        if run != RunKey::HOUSE.0 {
            self.runs.insert(run);
        }
        let Some(payload) = event.payload else { return self.emptied.push((event.seq, run)) };
        // An event of a later version, or a damaged one; the chain tells of the damage.
        let Ok(value) = serde_json::from_str::<serde_json::Value>(payload) else { return };
        let field = |name: &str| value.get(name).and_then(|field| field.as_str()).map(str::to_owned);
        let (output, passages) = (field(OUTPUT), field(PASSAGES));
        if let Some(accused) = field(ACCUSED) {
            self.accused.insert(run, accused);
        }
        if let Some(passages) = passages {
            self.passages.insert(run, passages);
        }
        let Ok(told) = serde_json::from_value(value) else { return };
        match told {
            Event::RunOpened { .. } => self.put(run, None, output),
            Event::StepDone { step, .. } => self.put(run, Some(step), output),
            Event::Decided { step, by, choice, reason, .. } => {
                self.put(run, Some(step), output);
                if choice == "sign_off"
                    && let Some(chain) = reason.split_whitespace().next_back()
                {
                    self.sign_offs.insert((by, chain.to_owned()));
                }
            }
            Event::DeliveryMade { delivery } => {
                self.deliveries.insert(delivery.key.clone(), (run, delivery));
            }
            Event::ReplyAsked { name, about, due, by } => {
                let reply = StoryReply { name, about, asked_at: String::new(), asked_by: by, due, answer: None };
                self.replies.push((run, reply));
            }
            Event::ReplyAnswered { name, text, by } => {
                self.answers.push((run, name, ReplyAnswer { text, at: String::new(), by }));
            }
            Event::StoryKilled { by, reason } => {
                self.killed.insert(run, (by, reason));
            }
            Event::EmbargoSet { until, .. } => {
                self.embargoes.insert(run, (event.seq, until));
            }
            Event::StoryDeleted { runs, .. } => self.deleted += runs,
            closed @ Event::RunClosed { .. } => {
                self.closed.insert(run, closed);
            }
            Event::CallStarted { step, attempt, agent, model, host } => {
                self.calls.insert((run, step, attempt), [agent, model, host]);
            }
            _ => {}
        }
    }

    fn put(&mut self, run: i64, step: Option<Step>, output: Option<String>) {
        if let Some(output) = output {
            self.outputs.insert((run, step), output);
        }
    }

    /// Adds the flaws of the log itself.
    pub(super) fn flaws(
        &self,
        db: &Database,
        head: Option<&HeadFile>,
        kept: &KeptHead,
        flaws: &mut Vec<Flaw>,
    ) -> Result<(), DbFault> {
        if let Some(seq) = self.broken {
            flaws.push(Flaw::Broken(seq));
        }
        // SQLite itself counts the events.
        let mut once = natural(db.counted("event")?);
        if let (KeptHead::End(events, link), Some(head)) = (kept, head) {
            once = once.max(*events);
            if *events > 0 && *events <= self.last && self.places.get(link) != Some(events) {
                flaws.push(Flaw::Rewritten(head.path().display().to_string()));
            }
        }
        if once > self.last {
            flaws.push(Flaw::CutOff { last: self.last, once });
        }
        if let Some(head) = head {
            let has_file = db.exists("SELECT 1 FROM setting WHERE key = ?1", [HeadFile::SETTING])?;
            if *kept == KeptHead::Unreadable || (has_file && *kept == KeptHead::None) {
                flaws.push(Flaw::HeadGone(head.path().display().to_string()));
            }
        }
        let known: BTreeSet<i64> = db.column("SELECT id FROM run", [])?.into_iter().collect();
        let emptied = self.emptied.iter().find(|(_, run)| known.contains(run));
        flaws.extend(emptied.map(|(seq, _)| Flaw::Emptied(*seq)));
        if natural(i64::try_from(self.runs.difference(&known).count()).unwrap_or(i64::MAX)) > self.deleted {
            flaws.push(Flaw::StoriesGone);
        }
        Ok(())
    }

    /// Whether the log has the link that a sign-off outside the database names.
    pub(super) fn has_link(&self, link: &str) -> bool {
        link.is_empty() || self.places.contains_key(link)
    }
}
