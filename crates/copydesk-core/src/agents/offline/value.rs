//! News value: how much of the news a sentence carries.
//!
//! The value adds up what editors look for first: a decision or an event, whom it affects and how much, its bearing on
//! the assignment, its recency. No weight was learnt; each was chosen so that the order comes out right.
//!
//! Joins a vote to its motion. `The main motion carried 5–2` says nothing without the motion, and the motion nothing without the vote.
//! Minutes have them apart; the article prints them together, in the minutes' own sentences.

use std::{collections::HashMap, ops::Range};

use super::copy::{folded, is_in, is_roll, is_tally};
use copydesk_newsroom::{Source, Topic};
use copydesk_text::words::{NumberWord, fold, is_stop_word, number_word, stem, words};

/// Something was decided, or happened to people.
const OUTCOMES: &str = "approved approves adopted adopts rejected rejects voted carried passed defeated elected appointed \
                        signed banned killed died injured hurt missing arrested charged convicted sentenced won resigned \
                        announced launched evacuated awarded agreed settled replaced investigation ruled \
                        celebrate celebrates loss dividend released";

/// Something grew, shrank, or was measured.
const CHANGES: &str = "rose rise rises fell fall falls grew grow grows increased increase increases decreased cut cuts doubled \
                       gained gain lost reduces reduced reduce raised dropped cost costs spend spent save saves estimate \
                       estimated down found recorded counted total";

/// Something will happen.
const AHEAD: &str = "will expected expects planned plans starts start begins begin begun vote deadline opens closes open finished asking ask proposes proposed first";

/// It is recent.
const NOW: &str =
    "today tonight yesterday tomorrow night week monday tuesday wednesday thursday friday saturday sunday now";

/// Words that make a number an amount, if it is spelled out.
const AMOUNTS: &[&str] = &["percent", "cent", "million", "billion", "hundred", "thousand"];

/// Words of doubt and opinion, which lower the value.
const ASIDE: &str = "think guess suppose maybe honest sorry plain personally laughter cautioned presented";

/// The subject: the words of the assignment, and those that its sources repeat.
pub(super) struct Scale {
    title: Vec<String>,
    angle: Vec<String>,
    recording: Vec<String>,
    /// The title's figures, which the story must have.
    figures: Vec<String>,
    counts: HashMap<String, f64>,
}

impl Scale {
    /// For an assignment.
    pub fn of_topic(topic: &Topic, sources: &[Source]) -> Self {
        let metadata = &topic.source_metadata;
        Self {
            title: subject(&metadata.topic_title),
            angle: stems(topic.optional_angle.as_deref().unwrap_or_default()),
            recording: stems(&metadata.video_title),
            figures: figures(&metadata.topic_title),
            counts: counts(sources),
        }
    }

    /// For an existing article.
    pub fn of_text(text: &str, sources: &[Source]) -> Self {
        Self {
            title: stems(text),
            angle: Vec::new(),
            recording: Vec::new(),
            figures: Vec::new(),
            counts: counts(sources),
        }
    }

    /// How many words of the assignment a sentence has.
    pub fn asked(&self, sentence: &str) -> usize {
        stems(sentence).iter().filter(|stem| self.title.contains(stem) || self.angle.contains(stem)).count()
    }

    /// The value of a sentence; most lie between 0 and 8.
    pub fn value(&self, sentence: &str) -> f64 {
        let own = stems(sentence);
        let list = folded(sentence);
        let any = |names: &str| list.iter().any(|word| is_in(names, word));
        let told = |stems: &[String]| number(own.iter().filter(|stem| stems.contains(stem)).count());
        let worth = |is: bool, weight: f64| if is { weight } else { 0.0 };
        let size = number(own.len().max(6));
        let central: f64 = own.iter().map(|s| self.counts.get(s).copied().unwrap_or(0.0).ln_1p()).sum::<f64>() / size;
        let figure =
            |word: &&String| word.starts_with(|c: char| c.is_ascii_digit()) || AMOUNTS.contains(&word.as_str());
        let figures = list.iter().filter(figure).count();
        let names = words(sentence).iter().skip(1).filter(|word| word.text.starts_with(char::is_uppercase)).count();
        let asked = 0.8 * told(&self.title) + 0.5 * told(&self.angle) + 0.15 * told(&self.recording);
        0.6 * central
            + asked.min(4.5)
            + worth(any(OUTCOMES) || is_tally(sentence), 2.0)
            + worth(any(CHANGES), 1.0)
            + worth(any(AHEAD), 0.7)
            + worth(any(NOW), 0.6)
            + 0.2 * number(figures.min(4))
            + worth(names > 0, 0.3)
            + worth(list.iter().any(|word| self.figures.contains(word)), 1.2)
            - worth(any(ASIDE), 0.8)
            - worth(any("tabled"), 2.0)
            - worth(list.len() < 8, 0.6)
    }
}

/// The content stems of a text, each once. The parts of a compound count separately.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in words(text).iter().flat_map(|word| word.text.split('-')) {
        let folded = fold(part);
        if !is_stop_word(&folded) && folded.chars().count() > 1 {
            let stem = stem(&folded);
            if !found.contains(&stem) {
                found.push(stem);
            }
        }
    }
    found
}

/// The content stems of a title without its amounts: two sentences with the word “million” need not share a subject.
fn subject(title: &str) -> Vec<String> {
    let amount = |stem: &String| {
        stem.starts_with(|c: char| c.is_ascii_digit()) || AMOUNTS.iter().any(|word| self::stem(word) == *stem)
    };
    stems(title).into_iter().filter(|stem| !amount(stem)).collect()
}

/// The figures of a title, in digits or in a word.
fn figures(title: &str) -> Vec<String> {
    let counts = |word: &String| {
        matches!(number_word(word), Some(NumberWord::Unit(value)) if value > 2)
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    folded(title).into_iter().filter(counts).collect()
}

fn counts(sources: &[Source]) -> HashMap<String, f64> {
    let mut counts = HashMap::new();
    for source in sources {
        for word in words(&source.text) {
            let folded = fold(word.text);
            if !is_stop_word(&folded) {
                *counts.entry(stem(&folded)).or_insert(0.0) += 1.0;
            }
        }
    }
    counts
}

#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn number(count: usize) -> f64 {
    count as f64
}

/// How many sentences back a main motion may lie.
const REACH: usize = 60;

/// A sentence of a source and the paragraph that it stands in.
pub(super) struct VoteLine {
    /// Its bytes in the source.
    pub range: Range<usize>,
    pub block: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Vote {
    /// The sentences that tell of it, by index: the motion, the outcome, who voted how.
    pub told: Vec<usize>,
    /// Whether it is a vote on an amendment, before the main vote.
    pub amendment: bool,
}

/// The votes that sentences tell of.
pub(super) fn votes(text: &str, lines: &[VoteLine]) -> Vec<Vote> {
    let words = |at: usize| -> Vec<String> {
        lines.get(at).and_then(|line| text.get(line.range.clone())).map(folded).unwrap_or_default()
    };
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let said = words(at);
        let Some(what) = outcome(&said) else { continue };
        let amendment = what == "amendment";
        let motion = (at.saturating_sub(REACH)..at).rev().find(|&before| {
            let Some(earlier) = lines.get(before) else { return false };
            let here = earlier.block == line.block;
            let amends = || {
                let block = lines.iter().enumerate().skip(before.saturating_sub(4)).take(9);
                block.filter(|(_, l)| l.block == earlier.block).any(|(i, _)| words(i).iter().any(|w| w == "amendment"))
            };
            is_motion(&words(before)) && if amendment { here } else { here || !amends() }
        });
        let Some(motion) = motion else { continue };
        let mut told = vec![motion, at];
        for (next, other) in lines.iter().enumerate().skip(at + 1) {
            if other.block != line.block || !text.get(other.range.clone()).is_some_and(is_roll) {
                break;
            }
            told.push(next);
        }
        found.push(Vote { told, amendment });
    }
    found
}

/// The motion in a sentence such as `The main motion, as amended, carried 5–2`.
fn outcome(words: &[String]) -> Option<&str> {
    let head = words.get(..words.len().min(4))?;
    let what = head.iter().find(|word| matches!(word.as_str(), "amendment" | "motion" | "resolution" | "proposal"))?;
    let decided = |word: &String| {
        matches!(word.as_str(), "carried" | "failed" | "passed" | "adopted" | "defeated" | "approved" | "rejected")
    };
    (words.first().is_some_and(|word| word == "the") && words.iter().any(decided)).then_some(what)
}

/// `Councilmember Foley moved, and Councilmember Imbert seconded, to approve …`.
fn is_motion(words: &[String]) -> bool {
    let at = words.iter().position(|word| word == "moved");
    at.is_some_and(|at| words.iter().skip(at + 1).any(|word| word == "to" || word == "that"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_worth_more_than_its_preparation() {
        let scale = Scale::of_text("Council approves park", &[]);
        let vote = scale.value("The council approved the park for $2 million on Tuesday, 5–2.");
        let plan = scale.value("Ms. Marchand presented the plan for the park to the council.");
        assert!(vote > plan + 2.0, "{vote} {plan}");
    }
}

#[cfg(test)]
mod votes_tests {
    use super::*;
    use copydesk_text::sentences::sentences;

    #[test]
    fn a_vote_is_told_with_its_motion_and_the_names() {
        let text = "Foley moved, and Imbert seconded, to approve the park. First amendment. Baek moved to add a pond. Oduya \
                    seconded. The amendment failed, 3–4. In favor: Baek. The main motion carried 5–2. Opposed: Pruitt.";
        let blocks = [0, 1, 1, 1, 1, 1, 2, 2];
        let lines: Vec<VoteLine> =
            sentences(text).into_iter().zip(blocks).map(|(range, block)| VoteLine { range, block }).collect();
        assert_eq!(
            votes(text, &lines),
            [Vote { told: vec![2, 4, 5], amendment: true }, Vote { told: vec![0, 6, 7], amendment: false }]
        );
    }
}
