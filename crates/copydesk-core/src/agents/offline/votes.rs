//! Joins a vote to its motion. `The main motion carried 5–2` says nothing without the motion, and the motion nothing without the vote.
//! Minutes have them apart; the article prints them together, in the minutes' own sentences.

use std::ops::Range;

use super::copy::{folded, is_roll};

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
