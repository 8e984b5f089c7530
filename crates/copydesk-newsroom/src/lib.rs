//! The words of the trade: plain data that every other room speaks.
//!
//! Nothing here reads a file, a clock or a network. The types of docs/reference/contract.md keep their field names, refuse
//! unknown fields, and serialise to exactly the JSON that downstream systems read. What the desk adds (steps, the
//! journal, events) is beside them, never inside them.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "a test that meets the unexpected should stop there and say so"
    )
)]

mod article;
mod call;
mod citation;
mod claim;
mod correction;
mod deadline;
mod decision;
mod delivery;
mod disclosure;
mod errand;
mod event;
mod examined;
mod facts;
mod feedback;
mod finding;
mod flag;
mod found;
mod hidden_text;
mod journal;
mod ledger;
mod listed_run;
mod local_time;
mod mapping;
mod memory;
mod name;
mod named;
mod opening;
mod opinion;
mod outcome;
mod passage;
mod passage_use;
mod pool;
mod price;
mod publishing;
mod reply;
mod report;
mod research;
mod returned;
mod review;
mod secrecy;
mod step;
mod story_state;
#[doc(hidden)]
pub mod testing;
mod tool;
mod topic;
mod verdict;
mod withdrawal;
mod workflow;
mod writing;

pub use article::{ArticleMetadata, ArticleResponse, field_in_words};
pub use call::{Agent, Answer, CallKey, Message, Part, Prompt, Role, Usage};
pub use citation::{Carries, CitationState, OpenedCitation, OpenedPage};
pub use claim::{
    Claim, ClaimRules, Claims, ConflictResolution, LeastSimilarity, Resolved, SimilarityMeasure, Stance, Witness,
};
pub use correction::{CorrectedVersion, Correction};
pub use deadline::{DeadlineError, deadline, due_in_words};
pub use decision::{Choice, Decided, Decision, Gates, Wait};
pub use delivery::{DeliveryState, StoryDelivery, TargetKind};
pub use disclosure::Disclosure;
pub use errand::ResearchErrand;
pub use event::{Event, EventRecord, Priority};
pub use examined::ExaminedObject;
pub use facts::{
    AttemptEnd, CallFact, CallFacts, CallLine, Contexts, CoverageFacts, Facts, LookUpFacts, PoolFacts, QueueFacts,
    RunFacts, Spread, ToolFacts,
};
pub use feedback::WriterFeedback;
pub use finding::{Finding, SourceSpan};
pub use flag::{Flag, FlagRules, Sensitive};
pub use found::{Credibility, FoundSource};
pub use hidden_text::{HiddenText, HidingSource};
pub use journal::{Entry, Journal};
pub use ledger::{Footing, Ledger, LedgerRow, SpanKind, Standing};
pub use listed_run::{ListedRun, RunState};
pub use local_time::{age, hours_of, local_minute, local_time, seconds_since, utc_minute};
pub use mapping::{ConcernMapping, ConcernMappingResult, Confidence, Specialist};
pub use memory::{EvidenceRecord, FactCheckRecord, MemoryRecord};
pub use name::{PathName, PathNameError, StoryKey, fold_name};
pub use named::NameInText;
pub use opening::{Opening, PinnedRule};
pub use opinion::{Doubt, Opinion, Opinions, Thought};
pub use outcome::{
    Draft, EvidenceFound, Failure, GateOutcome, KeptLedger, LastBullet, LookUp, Outcome, Proof, Publication, Review,
    SharedBullet,
};
pub use passage::{Passage, SentenceSources, ShownSources, SourcePlace, Tier};
pub use passage_use::{PassageUse, SharingStory};
pub use pool::Pool;
pub use price::{Cost, TokenPrice, amount};
pub use publishing::{PublishingCheck, PublishingNote};
pub use reply::{ReplyAnswer, StoryReply};
pub use report::{ArticleGenerationResult, EditorReport, FinalStatus, IterationReport};
pub use research::{
    Covered, CredibilityView, Dossier, DossierParagraph, ErrandLimits, LeftOut, NumberedSource, QuestionCoverage,
    ResearchFinding, ResearchRules, ResearchTurn, SourceJudgement, TriageWay, Triaged,
};
pub use returned::{PendingChange, ReturnedComment, ReturnedDocument, ReturnedParagraph};
pub use review::{ArticleReviewRaw, ArticleReviewResult, Concern, ConcernType, DraftPart, DraftSection, ReviewRoom};
pub use secrecy::{Alias, Secrecy};
pub use step::{Step, UnknownStep};
pub use story_state::{StoryHolder, StoryState};
pub use tool::{Tool, ToolCall, ToolEffect, ToolResult};
pub use topic::{Source, SourceMetadata, Topic};
pub use verdict::{Status, Verdict};
pub use withdrawal::StoryWithdrawal;
pub use workflow::Workflow;
pub use writing::{
    ArticlePlan, Headlines, PlannedSection, SectionFault, UnknownWriting, WriterMode, Writing, WrittenSection,
};
