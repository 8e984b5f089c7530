//! The proof: its findings, and its ledger with one row for each span of a draft that a program can hold against its sources.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ConcernType, Passage, Tier};

/// The kind of a span. It is stored by its [`name`](Self::name).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr,
)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum SpanKind {
    /// Words between quotation marks.
    Quotation,
    /// An amount, a share, a count; money and percentages too.
    Number,
    /// A day, a year, a time of day.
    Date,
    /// Somebody or something named.
    Name,
    /// How sure a sentence is, and whether it affirms or denies.
    Certainty,
    /// A whole sentence: whether a passage says all of it.
    Sentence,
}

named!(SpanKind);

/// How well the sources bear out a span, as a person reads it first. The fifth value says that no rule can judge it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Footing {
    /// One passage has the words or the value, and says them of the same thing, with the same unit, time and speaker.
    Matches,
    /// The sources have the words or the value. Whether they say it of the same thing is for the reader.
    StandsThere,
    /// The sources say otherwise.
    Conflicts,
    /// No source has it.
    NotInSources,
    /// No rule can judge it.
    NotChecked,
}

impl Footing {
    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::StandsThere => "similar passage: compare",
            Self::Conflicts => "conflicts",
            Self::NotInSources => "not in the sources",
            Self::NotChecked => "unchecked: read this yourself",
        }
    }
}

/// How a span stands. It is stored by its [`name`](Self::name).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub enum Standing {
    /// The source says it in the same words.
    Verbatim,
    /// The source says it; only case, spaces or typography differ.
    Normalised,
    /// The source has its parts, in this order.
    Elided,
    /// The source says it within a longer sentence.
    Partial,
    /// The source uses other words.
    Altered,
    /// The source gives it to another speaker.
    #[serde(rename = "WRONG SPEAKER")]
    #[strum(serialize = "WRONG SPEAKER")]
    WrongSpeaker,
    /// The source says it of the same thing.
    Matches,
    /// The source has it, but nothing binds it to the same thing.
    #[serde(rename = "STANDS THERE")]
    #[strum(serialize = "STANDS THERE")]
    StandsThere,
    /// It is rounded or follows from the source.
    Derived,
    /// The source says something else about the same thing.
    Contradicted,
    /// The source corrects itself later.
    Withdrawn,
    /// The source spells it differently.
    Misspelt,
    /// The source says it of someone else.
    Swapped,
    /// The draft is more certain than the source.
    Inflated,
    /// One says yes, the other no.
    Denied,
    /// No source has it.
    #[serde(rename = "NOT FOUND")]
    #[strum(serialize = "NOT FOUND")]
    NotFound,
    /// No rule can judge it.
    Unchecked,
}

named!(Standing);

impl Standing {
    /// The name as a person reads it in a narrow column.
    pub fn label(self) -> &'static str {
        match self {
            Self::StandsThere => "COMPARE",
            other => other.name(),
        }
    }

    /// How well the sources bear out the span, as a person reads it first.
    pub fn footing(self) -> Footing {
        match self {
            Self::Verbatim | Self::Normalised | Self::Elided | Self::Partial | Self::Matches | Self::Derived => {
                Footing::Matches
            }
            Self::StandsThere => Footing::StandsThere,
            Self::Altered
            | Self::WrongSpeaker
            | Self::Contradicted
            | Self::Withdrawn
            | Self::Misspelt
            | Self::Swapped
            | Self::Inflated
            | Self::Denied => Footing::Conflicts,
            Self::NotFound => Footing::NotInSources,
            Self::Unchecked => Footing::NotChecked,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerRow {
    /// The kind of the span.
    pub kind: SpanKind,
    /// How it stands.
    pub standing: Standing,
    /// The rule that decided, such as `quotation.altered`.
    pub rule: String,
    /// The article's field that the span is in, by its contract name.
    pub field: String,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The span's text.
    pub text: String,
    /// The kind of concern that it raises; none if it stands in order.
    pub concern_type: Option<ConcernType>,
    /// Whether it is one about which a human must decide before the story is signed.
    pub blocks: bool,
    /// The problem, or the values that the span was derived from, in a sentence for the editor.
    pub note: Option<String>,
    /// The place in the source that decides, if one does.
    pub passage: Option<SourceSpan>,
    /// The words of the source to put instead of the span, if the sentence with them was proved again and raises nothing.
    pub replacement: Option<String>,
}

impl LedgerRow {
    /// The row as a finding, if it is one.
    pub fn finding(self) -> Option<Finding> {
        Some(Finding {
            concern_type: self.concern_type?,
            rule: self.rule,
            field: self.field,
            start: self.start,
            end: self.end,
            text: self.text,
            blocks: self.blocks,
            note: self.note?,
            passage: self.passage,
            replacement: self.replacement,
        })
    }

    /// Whether it is for an editor's eyes.
    pub fn is_finding(&self) -> bool {
        self.concern_type.is_some()
    }
}

/// The rows in the order of the draft: headline, alternative headline, description, body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    pub rows: Vec<LedgerRow>,
}

impl Ledger {
    /// How many spans a rule has judged, and how many there are.
    pub fn coverage(&self) -> (usize, usize) {
        let checked = self.rows.iter().filter(|row| row.standing != Standing::Unchecked).count();
        (checked, self.rows.len())
    }

    /// How much of the draft the rules could check, in a sentence.
    pub fn coverage_in_words(&self) -> String {
        let (checked, total) = self.coverage();
        let statements = if total == 1 { "1 statement".to_owned() } else { format!("{total} statements") };
        match total - checked {
            0 if total == 0 => "Nothing to check.".to_owned(),
            0 => format!("Checked {statements}."),
            unread => format!("Checked {checked} of {statements}; read the other {unread} yourself."),
        }
    }

    /// The rows that are for an editor's eyes.
    pub fn findings(&self) -> impl Iterator<Item = &LedgerRow> {
        self.rows.iter().filter(|row| row.is_finding())
    }
}

/// A place in one of the story's sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSpan {
    /// The source's name.
    pub source: String,
    /// First byte in the source's text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text between.
    pub text: String,
}

impl SourceSpan {
    /// The same stretch as a passage of such a text.
    pub fn into_passage(self, tier: Tier) -> Passage {
        let Self { source, start, end, text } = self;
        Passage { file: source, start: start as u64, end: end as u64, text, tier, ..Passage::default() }
    }
}

/// One finding: a span of the draft that its sources do not carry as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The kind of concern.
    pub concern_type: ConcernType,
    /// The rule that decided, such as `quotation.altered`.
    pub rule: String,
    /// The article's field that the span is in, by its contract name.
    pub field: String,
    /// First byte in that field.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The span's text.
    pub text: String,
    /// The problem, in a sentence for the editor.
    pub note: String,
    /// The place in the source that bears on it, if one does.
    pub passage: Option<SourceSpan>,
    /// Whether a human must decide about it before the story can be signed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocks: bool,
    /// The words of the source to put instead of the span, if the sentence with them was proved again and raises nothing.
    pub replacement: Option<String>,
}

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;

    #[test]
    fn kinds_and_standings_are_stored_by_their_names() {
        let stored = |value: serde_json::Value| value.as_str().unwrap().to_owned();
        for &kind in SpanKind::VARIANTS {
            assert_eq!(stored(serde_json::json!(kind)), kind.name());
            assert_eq!(serde_json::from_value::<SpanKind>(kind.name().into()).unwrap(), kind);
        }
        for &standing in Standing::VARIANTS {
            assert_eq!(stored(serde_json::json!(standing)), standing.name());
            assert_eq!(serde_json::from_value::<Standing>(standing.name().into()).unwrap(), standing);
        }
    }
}
