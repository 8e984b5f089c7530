//! Sources held beside each other and beside claims.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    arguments::body,
    places::{NumberedText, TextPlace},
};
use copydesk_newsroom::{Passage, Source, Stance, Tier, Witness};
use copydesk_proof::{self as proof, Gravity, Testimony};
use copydesk_text::overlap::{Sentences, Stems};

/// A source whose sentences and lines are read once.
#[derive(Debug)]
pub(super) struct ReadSource<'s> {
    pub(super) source: &'s Source,
    sentences: Sentences,
    lines: NumberedText<'s>,
}

/// A sentence that shares words with a question or a claim.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct NearPlace {
    #[serde(flatten)]
    pub(super) place: TextPlace,
    /// The share of the question's words that it has, from 0 to 1.
    pub(super) shared_words: f64,
}

impl NearPlace {
    pub(super) fn new(place: TextPlace, share: f64) -> Self {
        Self { place, shared_words: (share * 100.0).round() / 100.0 }
    }
}

/// What a source says of a claim.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct SourceSaid {
    pub(super) stance: &'static str,
    /// How it says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    pub(super) place: TextPlace,
}

impl<'s> ReadSource<'s> {
    pub(super) fn of(source: &'s Source) -> Self {
        Self { source, sentences: Sentences::of(&source.text), lines: NumberedText::named(&source.name, &source.text) }
    }

    pub(super) fn all(sources: &'s [Source]) -> Vec<Self> {
        sources.iter().map(Self::of).collect()
    }

    pub(super) fn place(&self, range: Range<usize>) -> TextPlace {
        self.lines.place(range)
    }

    /// Its sentences with at least `least` of the words, at most `most` of them, best first.
    pub(super) fn near(&self, wanted: &Stems, least: f64, most: usize) -> Vec<NearPlace> {
        let near = self.sentences.nearest(wanted).into_iter().filter(|near| near.share >= least).take(most);
        near.map(|near| NearPlace::new(self.place(near.range), near.share)).collect()
    }

    /// Its statement about a claim; none if it is about something else or leaves part of the claim open.
    pub(super) fn testimony(&self, claim: &str, wanted: &Stems) -> Option<Testimony> {
        proof::testimony(claim, wanted, self.source, &self.sentences)
    }

    pub(super) fn said(&self, testimony: &Testimony) -> SourceSaid {
        SourceSaid {
            stance: stance_name(testimony.stance),
            note: testimony.note.clone(),
            place: self.place(testimony.range.clone()),
        }
    }

    /// The source as a witness; `first`: it is the primary one.
    pub(super) fn witness(&self, testimony: Testimony, first: bool) -> Witness {
        let passage = Passage {
            file: self.source.name.clone(),
            // Two sources are copies of each other only if their whole texts are.
            text: self.source.text.clone(),
            tier: if first { Tier::Source } else { Tier::Knowledge },
            ..Passage::default()
        };
        Witness { passage, stance: testimony.stance, note: testimony.note }
    }
}

pub(super) fn stance_name(stance: Stance) -> &'static str {
    match stance {
        Stance::Carries => "supports",
        Stance::Contradicts => "contradicts",
    }
}

/// The sentences of a text that a source could support or contradict, at most `most`.
pub(super) fn claims(text: &str, most: usize) -> Vec<Range<usize>> {
    let article = body(text.to_owned());
    // Without a source every span that a rule can judge has a row: what is looked for here.
    let ledger = proof::ledger(&article, &[], Gravity::Concern);
    // No rule judges a figure that no source has, but its sentence is still a claim.
    let has_figure = |sentence: &str| sentence.contains(|c: char| c.is_ascii_digit());
    let checkable = proof::checkable(&article, &ledger, has_figure);
    checkable.into_iter().map(|claim| claim.range).take(most).collect()
}
