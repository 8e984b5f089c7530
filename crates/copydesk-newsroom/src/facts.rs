//! The figures of a period, from the record. Metrics, pages of a day and tables of an evaluation are made of these alone, so that they
//! agree. Two periods that follow each other add up to one.

mod spread;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Event, Usage};
pub use spread::Spread;

/// Who asked whom.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallLine {
    pub agent: String,
    pub model: String,
    /// The host with its port.
    pub server: String,
}

/// How an attempt at a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    Answered,
    /// An answer came, and could not be used.
    Unusable,
    /// No answer came.
    Failed,
    /// The answer was known from an earlier run: nobody was asked.
    Known,
}

/// An attempt at a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallFact {
    pub line: CallLine,
    pub end: AttemptEnd,
    /// 1 for the first.
    pub attempt: u32,
    /// How often it was sent again after an interruption.
    pub repeats: u64,
    pub usage: Usage,
    pub waited_ms: Option<u64>,
    pub worked_ms: Option<u64>,
    pub prompt_bytes: Option<u64>,
    pub answer_bytes: Option<u64>,
    /// Amount and currency.
    pub cost: Option<(f64, String)>,
}

/// The calls of an agent to a model of a server.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallFacts {
    pub answered: u64,
    pub unusable: u64,
    pub failed: u64,
    /// Answers that were known, so that no call was made.
    pub known: u64,
    /// Attempts after the first.
    pub retries: u64,
    /// Calls that were sent again after an interruption.
    pub repeats: u64,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub cached_tokens: u64,
    /// Answers whose server did not say what they used.
    pub uncounted: u64,
    pub prompt_bytes: u64,
    pub answer_bytes: u64,
    /// By currency.
    pub cost: BTreeMap<String, f64>,
    /// Milliseconds in the queue.
    pub waited: Spread,
    /// Milliseconds from sent to ended.
    pub worked: Spread,
    /// The usable answers that were counted: what their agents read and said (W), and what was passed on (o), in tokens.
    pub contexts: Contexts,
}

/// Contexts of delegated tasks, and their results (docs/reference/context.md).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contexts {
    pub tasks: u64,
    pub context_tokens: u64,
    pub output_tokens: u64,
}

/// The calls of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolFacts {
    pub done: u64,
    /// It said that it could not do it.
    pub failed: u64,
    /// It may have done it, and nobody knows.
    pub unknown: u64,
    /// Nothing came back.
    pub lost: u64,
    pub waited: Spread,
    pub worked: Spread,
}

/// The steps of a pool, with or without a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoolFacts {
    pub steps: u64,
    pub waited: Spread,
    pub worked: Spread,
}

/// Runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFacts {
    pub opened: u64,
    pub succeeded: u64,
    pub failed: u64,
    pub flagged: u64,
    /// Rounds of the runs that ended.
    pub rounds: Spread,
    /// Concerns that they left open.
    pub open_concerns: u64,
    /// Milliseconds from the opening to the end; waiting for an editor counts.
    pub took: Spread,
}

/// The counts of the queue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueFacts {
    /// Steps that were put in again.
    pub redelivered: u64,
    /// Steps that waited for a server.
    pub parked: u64,
    /// Steps that were given up.
    pub dead: u64,
    /// How often a server was left alone.
    pub servers_down: u64,
}

/// The look-ups in the memory and the passages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookUpFacts {
    pub asked: u64,
    /// An earlier verdict was found.
    pub remembered: u64,
    /// Tokens of the passages that were found, and of the whole sources that would have been read otherwise.
    pub retrieved_tokens: u64,
    pub source_tokens: u64,
}

/// The questions of research.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoverageFacts {
    pub questions: u64,
    pub answered: u64,
}

/// All numbers of a period.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    pub calls: BTreeMap<CallLine, CallFacts>,
    /// By the tool's name.
    pub tools: BTreeMap<String, ToolFacts>,
    /// By the pool's name.
    pub pools: BTreeMap<String, PoolFacts>,
    pub runs: RunFacts,
    pub queue: QueueFacts,
    /// By status.
    pub verdicts: BTreeMap<String, u64>,
    /// Decisions of editors, by the word for each; `override` counts verdicts that were overruled.
    pub decisions: BTreeMap<String, u64>,
    pub look_ups: LookUpFacts,
    pub coverage: CoverageFacts,
}

impl Facts {
    /// Counts an attempt at a call.
    pub fn add_call(&mut self, call: CallFact) {
        let CallFact { line, end, attempt, repeats, usage, waited_ms, worked_ms, prompt_bytes, answer_bytes, cost } =
            call;
        let facts = self.calls.entry(line).or_default();
        match end {
            AttemptEnd::Answered => facts.answered += 1,
            AttemptEnd::Unusable => facts.unusable += 1,
            AttemptEnd::Failed => facts.failed += 1,
            AttemptEnd::Known => {
                facts.known += 1;
                return;
            }
        }
        facts.retries += u64::from(attempt > 1);
        add(&mut facts.repeats, repeats);
        add(&mut facts.prompt_tokens, usage.prompt_tokens.unwrap_or(0));
        add(&mut facts.completion_tokens, usage.completion_tokens.unwrap_or(0));
        add(&mut facts.cached_tokens, usage.cached_tokens.unwrap_or(0));
        match (usage.prompt_tokens, usage.completion_tokens, end) {
            (Some(prompt), Some(output), AttemptEnd::Answered) => {
                facts.contexts.tasks += 1;
                add(&mut facts.contexts.context_tokens, prompt.saturating_add(output));
                add(&mut facts.contexts.output_tokens, output);
            }
            (Some(_), Some(_), _) | (_, _, AttemptEnd::Failed | AttemptEnd::Known) => {}
            (_, _, AttemptEnd::Answered | AttemptEnd::Unusable) => facts.uncounted += 1,
        }
        add(&mut facts.prompt_bytes, prompt_bytes.unwrap_or(0));
        add(&mut facts.answer_bytes, answer_bytes.unwrap_or(0));
        if let Some((amount, currency)) = cost {
            *facts.cost.entry(currency).or_default() += amount;
        }
        facts.waited.add_known(waited_ms);
        facts.worked.add_known(worked_ms);
    }

    /// Counts an event. `ran_ms` is how long its run had been open.
    pub fn add_event(&mut self, event: &Event, ran_ms: Option<u64>) {
        match event {
            Event::RunOpened { .. } => self.runs.opened += 1,
            Event::RunClosed { success, rounds, open_concerns, flags, .. } => {
                *(if *success { &mut self.runs.succeeded } else { &mut self.runs.failed }) += 1;
                self.runs.flagged += u64::from(!flags.is_empty());
                self.runs.rounds.add(u64::from(*rounds));
                add(&mut self.runs.open_concerns, u64::from(*open_concerns));
                self.runs.took.add_known(ran_ms);
            }
            Event::VerdictGiven { status, .. } => *self.verdicts.entry(status.name().to_owned()).or_default() += 1,
            Event::Decided { choice, .. } => *self.decisions.entry(choice.clone()).or_default() += 1,
            Event::StepRedelivered { .. } => self.queue.redelivered += 1,
            Event::StepParked { .. } => self.queue.parked += 1,
            Event::StepDead { .. } => self.queue.dead += 1,
            Event::ServerDown { .. } => self.queue.servers_down += 1,
            _ => {}
        }
    }

    /// The contexts of all calls.
    pub fn contexts(&self) -> Contexts {
        let mut all = Contexts::default();
        self.calls.values().for_each(|facts| all.merge(&facts.contexts));
        all
    }
}

impl Contexts {
    /// The share of the contexts that was not passed on, from 0 to 1: ρ. None if no context was counted.
    pub fn reduction(self) -> Option<f64> {
        (self.context_tokens > 0).then(|| 1.0 - super::amount(self.output_tokens) / super::amount(self.context_tokens))
    }
}

impl CallFacts {
    /// Calls that were made, however they ended.
    pub fn asked(&self) -> u64 {
        self.answered.saturating_add(self.unusable).saturating_add(self.failed)
    }

    /// Tokens of prompts and answers.
    pub fn tokens(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}
fn add(total: &mut u64, more: u64) {
    *total = total.saturating_add(more);
}

/// A figure of two periods that follow each other.
trait SumUp {
    fn sum_up(&mut self, more: &Self);
}

impl SumUp for u64 {
    fn sum_up(&mut self, more: &Self) {
        add(self, *more);
    }
}

impl SumUp for f64 {
    fn sum_up(&mut self, more: &Self) {
        *self += more;
    }
}

impl SumUp for Spread {
    fn sum_up(&mut self, more: &Self) {
        self.merge(more);
    }
}

impl<K: Clone + Ord, V: SumUp + Default> SumUp for BTreeMap<K, V> {
    fn sum_up(&mut self, more: &Self) {
        for (key, more) in more {
            self.entry(key.clone()).or_default().sum_up(more);
        }
    }
}

/// Each kind of facts with the figures that are summed up: all that it has.
macro_rules! sums {
    ($($facts:ident: $($field:ident)+;)+) => {$(
        impl $facts {
            /// Adds a period that follows.
            pub fn merge(&mut self, more: &Self) {
                let Self { $($field),+ } = more;
                $(self.$field.sum_up($field);)+
            }
        }

        impl SumUp for $facts {
            fn sum_up(&mut self, more: &Self) {
                self.merge(more);
            }
        }
    )+};
}

sums! {
    Facts: calls tools pools runs queue verdicts decisions look_ups coverage;
    CallFacts: answered unusable failed known retries repeats prompt_tokens completion_tokens cached_tokens uncounted
        prompt_bytes answer_bytes cost waited worked contexts;
    Contexts: tasks context_tokens output_tokens;
    ToolFacts: done failed unknown lost waited worked;
    PoolFacts: steps waited worked;
    RunFacts: opened succeeded failed flagged rounds open_concerns took;
    QueueFacts: redelivered parked dead servers_down;
    LookUpFacts: asked remembered retrieved_tokens source_tokens;
    CoverageFacts: questions answered;
}

#[cfg(test)]
mod tests;
