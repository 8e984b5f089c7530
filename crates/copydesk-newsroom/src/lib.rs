//! The words of the trade: plain data that every other room speaks.
//!
//! Nothing here reads a file, a clock or a network. The types of docs/reference/contract.md keep their field names, refuse
//! unknown fields, and serialise to exactly the JSON that downstream systems read. What the desk adds (steps, the
//! journal, events) is beside them, never inside them.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test that cuts at a wrong place should stop there"))]

/// Gives an enum whose variants have names the method that tells them.
#[macro_export]
macro_rules! named {
    ($of:ident) => {
        impl $of {
            /// Its name, as files, the configuration and other programs have it.
            pub fn name(self) -> &'static str {
                self.into()
            }
        }
    };
}

mod article;
mod call;
mod citation;
mod claim;
mod decision;
mod delivery;
mod event;
mod facts;
mod flag;
mod found;
mod journal;
mod ledger;
mod listed_run;
mod local_time;
mod memory;
mod name;
mod opening;
mod opinion;
mod outcome;
mod passage;
mod publishing;
mod report;
mod research;
mod returned;
mod review;
mod secrecy;
mod step;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tool;
mod topic;
mod workflow;
mod writing;

pub use article::{ArticleMetadata, ArticleResponse, field_in_words};
pub use call::{Agent, Answer, CallKey, Cost, Message, Part, Prompt, Role, TokenPrice, Usage, amount};
pub use citation::{Carries, CitationState, OpenedCitation, OpenedPage};
pub use claim::{
    Claim, ClaimRules, Claims, ConflictResolution, LeastSimilarity, Resolved, SimilarityMeasure, Stance, Witness,
};
pub use decision::{Choice, Decided, Decision, Gates, Wait};
pub use delivery::{
    CitationStyle, CorrectedVersion, Correction, DeliveryState, Disclosure, StoryDelivery, StoryWithdrawal, TargetKind,
};
pub use event::{Event, EventRecord, ExaminedObject, Priority};
pub use facts::{
    AttemptEnd, CallFact, CallFacts, CallLine, Contexts, CoverageFacts, Facts, LookUpFacts, PoolFacts, QueueFacts,
    RunFacts, Spread, ToolFacts,
};
pub use flag::{Flag, FlagRules, Sensitive};
pub use found::{
    Credibility, FoundSource, HiddenText, HidingSource, RecordedSource, UnsureBySource, UnsureWords, clock_of,
};
pub use journal::{Entry, Journal};
pub use ledger::{Finding, Footing, Ledger, LedgerRow, SourceSpan, SpanKind, Standing};
pub use listed_run::{ListedRun, ReplyAnswer, RunState, SPIKED_BY, StoryHolder, StoryReply, StoryState};
pub use local_time::{
    DeadlineError, age, deadline, due_in_words, hours_of, local_minute, local_time, seconds_since, utc_minute,
};
pub use memory::{EvidenceRecord, FactCheckRecord, MemoryRecord};
pub use name::{PathName, PathNameError, StoryKey, fold_name};
pub use opening::{Opening, PinnedRule, RunSettings};
pub use opinion::{Doubt, Opinion, Opinions, Thought};
pub use outcome::{
    Draft, EvidenceFound, Failure, GateOutcome, KeptLedger, LastBullet, LookUp, Outcome, Proof, Publication, Review,
    SharedBullet,
};
pub use passage::{NameInText, Passage, PassageUse, SentenceSources, SharingStory, ShownSources, SourcePlace, Tier};
pub use publishing::{PublishingCheck, PublishingNote};
pub use report::{ArticleGenerationResult, EditorReport, FinalStatus, IterationReport, WriterFeedback};
pub use research::{
    Covered, CredibilityView, Dossier, DossierParagraph, ErrandLimits, LeftOut, NumberedSource, QuestionCoverage,
    ResearchErrand, ResearchFinding, ResearchRules, ResearchTurn, SourceJudgement, ToolUsers, TriageWay, Triaged,
};
pub use returned::{PendingChange, ReturnedComment, ReturnedDocument, ReturnedParagraph};
pub use review::{
    ArticleReviewRaw, ArticleReviewResult, Concern, ConcernMapping, ConcernMappingResult, ConcernType, Confidence,
    DraftPart, DraftSection, ReviewRoom, Specialist, Status, Verdict,
};
pub use secrecy::{Alias, Secrecy};
pub use step::{Pool, Step, UnknownStep};
pub use tool::{Tool, ToolCall, ToolEffect, ToolResult};
pub use topic::{Source, SourceMetadata, Topic};
pub use workflow::Workflow;
pub use writing::{ArticlePlan, Headlines, PlannedSection, SectionFault, WriterMode, Writing, WrittenSection};
