//! The progress of the to-dos that went to the writer: the specialists', then the editor's.
//!
//! A rule decides first:
//!
//! - Nothing changed in the sentence of the concern's excerpt, nor elsewhere because of the to-do: not done. Nor is any if nothing
//!   changed at all.
//! - The to-do quotes words that are to go, or that are to come: done if all are as wanted, not done if none is, else partly. If
//!   a REMOVE quotes none, its excerpt is to go; if a REWRITE quotes only what is to come, its excerpt is to go too.
//! - It quotes none, the words that the proof found are gone, and its replacement stands there: done.
//!
//! Otherwise the next review decides. A concern is done if no open concern has its place or its words again. An editor's free to-do is
//! partly done if an open concern is about a change made for it. In all other cases the progress is unknown, and the editor looks.

use std::ops::Range;

use super::{
    compare::between,
    comparison::{AskedFor, Change, ChangeKind, ChangeReason, Comparison, Segment},
    instruction::{DraftWords, FieldRange, Wanted},
    passage::folded,
    why::meets,
};
use crate::editorial::{
    decisions,
    excerpts::{finding, place_of},
    remarks::is_remark,
    report,
};
use copydesk_newsroom::{ArticleResponse, Journal};
use copydesk_text::{
    diff::DiffPiece,
    sanitise,
    words::{fold, is_stop_word, words},
};

/// How far a to-do is done; what an editor should see first comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
pub enum Progress {
    #[strum(serialize = "Not done")]
    NotDone,
    #[strum(serialize = "Partly done")]
    Partly,
    /// No rule can tell.
    #[strum(serialize = "Look yourself")]
    Unknown,
    Done,
}

/// A to-do after the writer's revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUp {
    /// The to-do's text; if the writer said why it is not done, with that.
    pub to_do: String,
    pub progress: Progress,
}

impl FollowUp {
    /// The to-do in one line: `Not done: Name the mayor.`
    pub fn line(&self) -> String {
        let progress: &str = self.progress.into();
        let to_do = sanitise::one_line(&self.to_do);
        if is_remark(&to_do) { to_do } else { format!("{progress}: {to_do}") }
    }
}

/// The to-dos that an editor still has to look at in the draft of a round. Those that its writer said it could not do
/// come first, then those that are not known to be done.
pub fn left(journal: &Journal, round: u32) -> Vec<FollowUp> {
    let followed = follow_up(journal, round);
    let is_done = |said: &str| followed.iter().any(|one| one.progress == Progress::Done && said.contains(&one.to_do));
    let undone = report::undone(journal, round).into_iter().filter(|said| !is_done(said));
    let mut left: Vec<FollowUp> = undone.map(|to_do| FollowUp { to_do, progress: Progress::NotDone }).collect();
    let said = left.len();
    for one in followed {
        let is_said = left.iter().take(said).any(|undone| undone.to_do.contains(one.to_do.trim()));
        if one.progress != Progress::Done && !is_said {
            left.push(one);
        }
    }
    // An editor's text that waits to be checked may have done it.
    if let Some(edit) = decisions::edit(journal, round) {
        let now = DraftWords::new(edit);
        left.retain(|one| !is_met(&Wanted::of(&one.to_do), &now));
    }
    left.sort_by_key(|one| one.progress);
    left
}

/// The progress of the to-dos that the draft of `round` was to carry out, in their order. An editor's own text is compared with the to-dos
/// of the writer before it. Empty if no writer had any.
pub fn follow_up(journal: &Journal, round: u32) -> Vec<FollowUp> {
    let mut before = round.saturating_sub(1);
    while decisions::is_rewritten(journal, before) {
        before = before.saturating_sub(1);
    }
    let Some(feedback) = journal.feedback(before) else { return Vec::new() };
    let Some(revision) = Revision::read(journal, before, round) else { return Vec::new() };
    let asked = revision.comparison.asked.iter().enumerate();
    asked
        .filter(|(_, asked)| feedback.todo_list.contains(&asked.to_do))
        .map(|(index, asked)| FollowUp { to_do: asked.to_do.clone(), progress: revision.progress(index, asked) })
        .collect()
}

/// Whether a text has none of the words that are to go, and all that are to come in their place.
fn is_met(wanted: &Wanted, text: &DraftWords) -> bool {
    let is_gone = |words: &Vec<String>| apart(text, words, &wanted.comes).is_empty();
    let is_there = |words: &Vec<String>| !text.find(words).is_empty();
    !wanted.goes.is_empty() && wanted.goes.iter().all(is_gone) && wanted.comes.iter().all(is_there)
}

/// A concern of the next review that is open.
struct Raised {
    place: Option<FieldRange>,
    words: Vec<String>,
}

/// The writer's draft beside the one that it was to revise.
struct Revision<'j> {
    journal: &'j Journal,
    /// The round that asked.
    before: u32,
    article: &'j ArticleResponse,
    old: DraftWords,
    new: DraftWords,
    comparison: Comparison,
    /// None until the new draft is reviewed.
    raised: Option<Vec<Raised>>,
}

impl<'j> Revision<'j> {
    fn read(journal: &'j Journal, before: u32, round: u32) -> Option<Self> {
        let (old, new) = (&journal.draft(before)?.article, &journal.draft(round)?.article);
        let raised = || {
            let open = report::open_concerns(journal, round).into_iter();
            open.map(|concern| Raised {
                place: numbered(new, place_of(journal, round, concern.concern_id)),
                words: folded(&concern.excerpt),
            })
        };
        Some(Self {
            journal,
            before,
            article: old,
            old: DraftWords::new(old),
            new: DraftWords::new(new),
            comparison: between(journal, before, round)?,
            raised: journal.concerns(round).map(|_| raised().collect()),
        })
    }

    fn progress(&self, index: usize, asked: &AskedFor) -> Progress {
        let place =
            asked.concern.and_then(|concern| numbered(self.article, place_of(self.journal, self.before, concern)));
        let sentence = place.as_ref().map(|place| self.old.sentences(place));
        let changes = &self.comparison.changes;
        let for_it = changes.iter().any(|change| change.why == ChangeReason::Asked(index));
        let in_it = |sentence: &FieldRange| changes.iter().any(|change| self.is_in(change, sentence));
        if changes.is_empty() || sentence.as_ref().is_some_and(|sentence| !for_it && !in_it(sentence)) {
            return Progress::NotDone;
        }
        let now = sentence.as_ref().and_then(|sentence| self.now(sentence));
        self.by_words(asked, place.as_ref(), now.as_ref()).unwrap_or_else(|| self.by_review(index, asked, now.as_ref()))
    }

    /// The progress by the words that the to-do quotes; none if they do not decide it.
    fn by_words(&self, asked: &AskedFor, place: Option<&FieldRange>, now: Option<&FieldRange>) -> Option<Progress> {
        let mut wanted = Wanted::of(&asked.to_do);
        if wanted.names_none() && !asked.removes {
            return self.by_the_proof(asked.concern?, now);
        }
        if wanted.goes.is_empty() && !wanted.adds {
            let excerpt = place.map(|place| folded(self.text(place))).filter(|words| !words.is_empty());
            // A word changed in a long excerpt does not remove it.
            let stands = |words: &Vec<String>| !self.new.find(words).is_empty();
            if wanted.names_none()
                && place.is_some_and(|place| self.is_mostly_kept(place))
                && !excerpt.iter().all(stands)
            {
                return None;
            }
            wanted.goes.extend(excerpt);
        }
        self.as_wanted(&wanted, now)
    }

    /// Done if the proof's finding is gone and its replacement is there. Otherwise none, because another way to do it may be as good.
    fn by_the_proof(&self, concern: u32, now: Option<&FieldRange>) -> Option<Progress> {
        let found = finding(self.journal, self.before, concern)?;
        let comes = folded(found.replacement.as_deref()?);
        let wanted = Wanted { goes: vec![folded(&found.text)], comes: vec![comes], ..Wanted::default() };
        self.as_wanted(&wanted, now).filter(|progress| *progress == Progress::Done)
    }

    /// Whether the words to go are gone, and the words to come are there. None if neither can be told.
    fn as_wanted(&self, wanted: &Wanted, now: Option<&FieldRange>) -> Option<Progress> {
        let mut met = Vec::new();
        for words in &wanted.goes {
            let (before, after) = (apart(&self.old, words, &wanted.comes), apart(&self.new, words, &wanted.comes));
            match (before.len(), after.len()) {
                (0, _) => {}
                (before, after) if after >= before => met.push(false),
                // Without a place, they are to go everywhere.
                (_, after) if after > 0 && now.is_none() => met.extend([true, false]),
                _ => met.push(true),
            }
        }
        for words in &wanted.comes {
            let (before, after) = (apart(&self.old, words, &wanted.goes), apart(&self.new, words, &wanted.goes));
            let is_here = now.map(|now| after.iter().any(|found| overlaps(found, now)));
            match is_here {
                _ if after.len() > before.len() => met.push(true),
                _ if after.is_empty() => met.push(false),
                Some(is_here) => met.push(is_here),
                None => {}
            }
        }
        match (met.contains(&true), met.contains(&false)) {
            (true, false) => Some(Progress::Done),
            (false, true) => Some(Progress::NotDone),
            (true, true) => Some(Progress::Partly),
            (false, false) => None,
        }
    }

    /// The progress by the concerns of the next review; unknown if there is no such review.
    fn by_review(&self, index: usize, asked: &AskedFor, now: Option<&FieldRange>) -> Progress {
        let Some(raised) = &self.raised else { return Progress::Unknown };
        let about =
            |place: &FieldRange| raised.iter().any(|one| one.place.as_ref().is_some_and(|at| overlaps(at, place)));
        if asked.concern.is_some() {
            let words = folded(asked.excerpt.as_deref().unwrap_or_default());
            // Two concerns that quote nothing are not thereby the same.
            let same_words = !words.is_empty() && raised.iter().any(|one| one.words == words);
            return match now {
                _ if same_words => Progress::NotDone,
                Some(now) if about(now) => Progress::NotDone,
                Some(_) => Progress::Done,
                None => Progress::Unknown,
            };
        }
        let for_it = self.comparison.changes.iter().filter(|change| change.why == ChangeReason::Asked(index));
        let mut places = for_it.filter_map(|change| self.numbered(change.field, change.new.clone()));
        if places.any(|place| about(&place)) { Progress::Partly } else { Progress::Unknown }
    }

    fn is_in(&self, change: &Change, (field, place): &FieldRange) -> bool {
        let at = change.old.start;
        // The mark of a footnote stands behind the sentence.
        let ends = at < place.end || (at == place.end && change.why == ChangeReason::Citation);
        self.numbered(change.field, change.old.clone()).is_some_and(|(of, _)| of == *field)
            && (meets(&change.old, place) || (change.old.is_empty() && place.start < at && ends))
    }

    /// The place in the new draft of a place in the old one.
    fn now(&self, sentence: &FieldRange) -> Option<FieldRange> {
        let (field, place) = sentence;
        let kept = self.kept(*field).filter(|segment| meets(&segment.old, place)).map(|segment| {
            let start = segment.new.start + place.start.saturating_sub(segment.old.start);
            start..segment.new.end.saturating_sub(segment.old.end.saturating_sub(place.end)).max(start)
        });
        let changed = self
            .comparison
            .changes
            .iter()
            .filter(|change| change.kind == ChangeKind::Wording && self.is_in(change, sentence));
        let ranges = kept.chain(changed.map(|change| change.new.clone()));
        let whole = ranges.reduce(|one, next| one.start.min(next.start)..one.end.max(next.end))?;
        Some((*field, whole))
    }

    /// The stretches of a field that both drafts have.
    fn kept(&self, field: usize) -> impl Iterator<Item = &Segment> {
        let name = self.article.fields().get(field).map(|(name, _)| *name);
        let paragraphs = self.comparison.paragraphs.iter().filter(move |paragraph| Some(paragraph.field) == name);
        let segments = paragraphs.flat_map(|paragraph| &paragraph.segments);
        segments.filter(|segment| matches!(segment.piece, DiffPiece::Same(_)))
    }

    /// Whether more than half of the words of a place that say something are in the new draft as they were.
    fn is_mostly_kept(&self, place: &FieldRange) -> bool {
        let (field, range) = place;
        let same: Vec<&Range<usize>> = self.kept(*field).map(|segment| &segment.old).collect();
        let said: Vec<usize> = words(self.text(place))
            .into_iter()
            .filter(|word| !is_stop_word(&fold(word.text)))
            .map(|word| range.start + word.start)
            .collect();
        let kept = said.iter().filter(|at| same.iter().any(|segment| segment.contains(at))).count();
        kept * 2 > said.len()
    }

    fn text(&self, (field, range): &FieldRange) -> &'j str {
        self.article.fields().get(*field).and_then(|(_, text)| text.get(range.clone())).unwrap_or_default()
    }

    fn numbered(&self, field: &'static str, range: Range<usize>) -> Option<FieldRange> {
        numbered(self.article, Some((field, range)))
    }
}

/// A place with its field's number instead of its name.
fn numbered(article: &ArticleResponse, place: Option<(&'static str, Range<usize>)>) -> Option<FieldRange> {
    let (field, range) = place?;
    Some((article.fields().iter().position(|(name, _)| *name == field)?, range))
}

/// The places of words, except those within any longer text of `others`.
fn apart(draft: &DraftWords, words: &[String], others: &[Vec<String>]) -> Vec<FieldRange> {
    let longer = others.iter().filter(|other| other.len() > words.len());
    let around: Vec<FieldRange> = longer.flat_map(|other| draft.find(other)).collect();
    let mut found = draft.find(words);
    found.retain(|place| !around.iter().any(|wide| overlaps(wide, place)));
    found
}

fn overlaps((field, one): &FieldRange, (of, other): &FieldRange) -> bool {
    field == of && meets(one, other)
}

#[cfg(test)]
mod tests;
