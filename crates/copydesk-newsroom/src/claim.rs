//! Checkable claims of a draft, each with the passage that bears most on it.

use serde::{Deserialize, Serialize};

use super::Passage;

/// Who decides where witnesses contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ConflictResolution {
    /// The witness with the highest credibility.
    Credibility,
    /// The witness that was published last.
    Recency,
    /// The side with more witnesses.
    Majority,
    /// The story's own sources, before the knowledge base.
    PrimarySource,
    /// Nobody but a human.
    Human,
}

named!(ConflictResolution);

/// The least similarity of a verified claim to its passage, in per cent, for each measure: a cosine and a share of words are not the same
/// scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeastSimilarity {
    pub cosine: u8,
    pub words: u8,
}

impl LeastSimilarity {
    /// The value for a measure, from 0 to 1.
    pub fn by(self, measure: SimilarityMeasure) -> f64 {
        let per_cent = match measure {
            SimilarityMeasure::Cosine => self.cosine,
            SimilarityMeasure::Words => self.words,
        };
        f64::from(per_cent) / 100.0
    }
}

/// How claims are checked in a run. Whole per cents, so that openings can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimRules {
    pub similarity: LeastSimilarity,
    /// The score below which a story is flagged, in per cent; none: never.
    pub score_floor: Option<u8>,
    /// Who decides between witnesses.
    pub conflict_resolution: ConflictResolution,
}

/// The measure of a similarity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SimilarityMeasure {
    /// The cosine of two vectors.
    Cosine,
    /// The share of the claim's words that the passage's best sentence has, if there is no embedder.
    Words,
}

/// The stance of a witness on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It carries the claim.
    Carries,
    /// It says otherwise.
    Contradicts,
}

/// A witness that speaks of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    pub passage: Passage,
    /// Its stance on the claim.
    pub stance: Stance,
    /// How it says otherwise.
    pub note: Option<String>,
}

/// How a contradiction between witnesses was resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// The rule that decided.
    pub by: ConflictResolution,
    /// The side that prevails; none if it is left to a human.
    pub prevails: Option<Stance>,
    /// Why, for an editor.
    pub reason: String,
}

/// A checkable claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// First byte in the draft's body.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    pub text: String,
    /// The passage that bears most on it; none if nothing does.
    pub passage: Option<Passage>,
    /// How like the passage's best sentence it is, from 0 to 1.
    pub similarity: Option<f64>,
    /// The measure of that similarity.
    pub measure: SimilarityMeasure,
    /// The findings of the proof against it, a sentence each.
    pub findings: Vec<String>,
    /// The witnesses, one voice a text, where any of them says otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<Witness>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<Resolved>,
    /// The statements about it in sources that an editor distrusts. They decide nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distrusted: Vec<Witness>,
    /// The found pages that alone say it, if all of them are below `knowledge_base.min_credibility`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weak_pages: Vec<String>,
    /// Whether a passage of a source that is trusted says the whole of it, is similar to it, and nothing speaks against it.
    pub verified: bool,
}

impl Claim {
    /// Whether the proof or a witness speaks against it. A claim that is neither verified nor disputed stands there,
    /// and nothing binds it.
    pub fn is_disputed(&self) -> bool {
        !self.findings.is_empty() || self.is_contradicted()
    }

    /// Whether a source says otherwise.
    pub fn is_contradicted(&self) -> bool {
        self.witnesses.iter().any(|witness| witness.stance == Stance::Contradicts)
    }

    /// Counts, in words, the findings of the proof against it and the witnesses that say otherwise.
    pub fn against(&self) -> String {
        let otherwise = self.witnesses.iter().filter(|witness| witness.stance == Stance::Contradicts).count();
        let count = |number: usize, one: &str, verb: &str| match number {
            1 => format!("1 {one} {verb}s"),
            several => format!("{several} {one}s {verb}"),
        };
        let findings =
            (!self.findings.is_empty()).then(|| count(self.findings.len(), "finding", "speak") + " against it");
        let witnesses =
            (otherwise > 0).then(|| count(otherwise, "witness", "say").replace("witnesss", "witnesses") + " otherwise");
        let told: Vec<String> = findings.into_iter().chain(witnesses).collect();
        if told.is_empty() { "nothing speaks against it".to_owned() } else { told.join(", ") }
    }

    /// The names of the texts that say it: that of its passage, and its witnesses' without those that say otherwise.
    pub fn carried_by(&self) -> impl Iterator<Item = &str> {
        let otherwise = |name: &str| {
            let mut against = self.witnesses.iter().filter(|witness| witness.stance == Stance::Contradicts);
            against.any(|witness| witness.passage.file == name)
        };
        let passages = self.passage.iter().filter(move |passage| !otherwise(&passage.file));
        let carrying = self.witnesses.iter().filter(|witness| witness.stance == Stance::Carries);
        passages.chain(carrying.map(|witness| &witness.passage)).map(|passage| passage.file.as_str())
    }

    /// That only weak pages say it, with their names; none if a better source does.
    pub fn weakness(&self) -> Option<String> {
        match self.weak_pages.as_slice() {
            [] => None,
            [page] => Some(format!("rests on one weak page, {page}")),
            pages => Some(format!("rests on weak pages alone, {}", pages.join(", "))),
        }
    }

    /// Both figures of a claim in a sentence: how like its passage it is, and what speaks against it. `cited` names the passage.
    pub fn likeness(&self, cited: impl FnOnce(&Passage) -> String) -> String {
        let against = self.against();
        let Some((passage, similarity)) = self.passage.as_ref().zip(self.similarity) else {
            return format!("no passage bears on it; {against}");
        };
        let measure = match self.measure {
            SimilarityMeasure::Cosine => "similarity (cosine)",
            SimilarityMeasure::Words => "similarity (shared words)",
        };
        format!("{measure} {similarity:.2} to {}; {against}", cited(passage))
    }
}

/// The claims of a draft.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// In the order of the draft.
    pub claims: Vec<Claim>,
    /// Why passages were found by their words alone, where an embedder should have been asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_only: Option<String>,
}

impl Claims {
    /// How many are verified.
    pub fn verified(&self) -> usize {
        self.claims.iter().filter(|claim| claim.verified).count()
    }

    /// How many of them weak pages alone say; none of these is verified.
    pub fn on_weak_pages(&self) -> usize {
        self.claims.iter().filter(|claim| !claim.weak_pages.is_empty()).count()
    }

    /// How many match, as in `2 of 4 claims match a source`, and how many rest on weak pages alone.
    pub fn in_words(&self) -> (String, Option<String>) {
        let (verified, all, weak) = (self.verified(), self.claims.len(), self.on_weak_pages());
        let claims = if all == 1 { "claim" } else { "claims" };
        let source = if weak > 0 { "a trusted source" } else { "a source" };
        let rests = if weak == 1 { "rests" } else { "rest" };
        let weak = (weak > 0).then(|| format!("{weak} {rests} on weak pages alone"));
        (format!("{verified} of {all} {claims} match {source}"), weak)
    }

    /// The fact-check score: verified claims over all. None where there is no claim.
    #[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
    pub fn score(&self) -> Option<f64> {
        (!self.claims.is_empty()).then(|| self.verified() as f64 / self.claims.len() as f64)
    }

    /// Those whose witnesses a human must judge.
    pub fn left_to_a_human(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.resolved.as_ref().is_some_and(|resolved| resolved.prevails.is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measure_has_its_least_similarity() {
        let similarity = LeastSimilarity { cosine: 70, words: 60 };
        let least = [SimilarityMeasure::Cosine, SimilarityMeasure::Words].map(|measure| similarity.by(measure));
        assert_eq!(least.map(|least| format!("{least:.2}")), ["0.70", "0.60"]);
    }
}
