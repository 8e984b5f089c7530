//! The imports of nearly every rule: the ledger, the draft and its sentences, the sources.

pub use crate::{
    ledger::{Fault, LedgerWriter, Sound},
    reading::{Figure, FigureKind, Name, ParsedText, Token, denies},
    rule::{Gravity, Measured, Rule, SUMMARIES},
    rules::sentence::{DraftSentence, enter_each, enter_where},
    sources::{DraftField, ProofTexts, SourceArchive, SourceLine, Spot, one_line},
    words::{Class, WordList, words},
};
pub use copydesk_newsroom::{ConcernType, SourceSpan, SpanKind, Standing};
pub use std::ops::Range;
