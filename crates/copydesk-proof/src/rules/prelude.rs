//! The imports of nearly every rule: the ledger, the draft, the sources, a rule's description.

pub use crate::{
    ledger::{Fault, LedgerWriter, Sound},
    reading::{Figure, FigureKind, Name, ParsedText, Token},
    rule::{Gravity, Measured, Rule, SUMMARIES},
    sources::{DraftField, ProofTexts, SourceArchive, SourceLine, Spot, one_line},
    words::{WordList, words},
};
pub use copydesk_newsroom::{ConcernType, SpanKind, Standing};
