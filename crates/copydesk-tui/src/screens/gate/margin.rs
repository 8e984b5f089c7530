//! Makes the margin of a draft that is being typed: what is open in the round, what the proof found so far, and house style.

use std::ops::Range;

use crate::screens::concerns::ConcernRow;
use crate::screens::concerns::model::rows;
use crate::screens::forms::margin::{MarginPassage, MarginSentence};
use crate::screens::forms::{Margin, MarginNote, NoteOrigin, NotedChange};
use crate::widgets::words;
use copydesk_core::editorial::changes::{Change, ChangeReason, accepted, accepting, between, by_hand, in_words};
use copydesk_core::editorial::{decisions, own_notes, vouching};
use copydesk_newsroom::{ArticleResponse, Choice, Finding, Journal, PublishingNote};
use copydesk_proof::{TypedProof, Witnesses};
use copydesk_style::StyleNote;
use copydesk_text::{in_marks, sanitise, sentences::sentences_around};

/// Most notes of house style, so that they do not hide the others.
const MOST_OF_STYLE: usize = 40;

/// Most characters of removed words in a note.
const LONGEST_REMOVED: usize = 60;

/// Most bytes of a passage.
const LONGEST_PASSAGE: usize = 1_000;

/// The part of the margin that does not change while the round's draft is typed.
#[derive(Debug, Clone, Default)]
pub struct OpenRound {
    concerns: Vec<(ConcernRow, Option<MarginPassage>)>,
    /// Each with whether an editor let it stand.
    findings: Vec<(Finding, bool)>,
    /// Changes without an acceptance, each with the words of the draft that it is shown at, and its description.
    changes: Vec<(NotedChange, Range<usize>, String, String)>,
    /// The Publisher's notes on the draft.
    prepared: Vec<PublishingNote>,
    /// The editors' notes to themselves.
    own: Vec<String>,
    sources: Vec<(String, String)>,
    target: String,
}

impl OpenRound {
    /// The open notes of `round`. With witnesses, each concern has its passage.
    pub fn of(journal: &Journal, round: u32, witnesses: Option<&Witnesses>) -> Self {
        let sources: Vec<(String, String)> =
            journal.texts().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let passage = |concern: u32| {
            let bearing = witnesses?.passage_for(journal, round, concern)?;
            passage(&sources, bearing.source, bearing.range)
        };
        let concerns = rows(journal, round).into_iter().map(|row| (passage(row.id), row));
        let stands = |number: u32| vouching::accepted(journal, round, number).is_some();
        let findings = vouching::findings(journal, round).map(|(number, finding)| (finding.clone(), stands(number)));
        Self {
            concerns: concerns.map(|(passage, row)| (row, passage)).collect(),
            findings: findings.collect(),
            changes: changes(journal, round),
            prepared: journal.prepared(round).map(<[PublishingNote]>::to_vec).unwrap_or_default(),
            own: own_notes::open(journal),
            target: journal.opening.topic.target_length_words.clone(),
            sources,
        }
    }

    /// The margin of `article`, which is typed over the draft of the round.
    pub fn margin(&self, article: &ArticleResponse, proof: &TypedProof, style: &[StyleNote]) -> Margin {
        let fields = article.fields();
        let index = |name: &str| fields.iter().position(|(field, _)| *field == name);
        let within = |field: &str, range: &Range<usize>| Some((index(field)?, range.clone()));
        // Concerns that the proof raised are left out: the draft is proved again.
        let open = self.concerns.iter().filter(|(concern, _)| concern.is_open() && concern.finding.is_none());
        let mut notes: Vec<MarginNote> = open
            .map(|(concern, passage)| {
                let about = concern.excerpt.trim();
                let stands = |(at, (_, text)): (usize, &(&str, &str))| {
                    text.find(about).map(|start| (at, start..start + about.len()))
                };
                // The body comes last, and is where most concerns are.
                let place = fields.iter().enumerate().rev().find_map(stands).filter(|_| !about.is_empty());
                let about = if place.is_some() || concern.quotes() { about } else { "" };
                MarginNote {
                    concern: Some(concern.id),
                    is_gone: !about.is_empty() && place.is_none(),
                    passage: passage.clone(),
                    ..MarginNote::new(NoteOrigin::Concern, place, about, said(concern))
                }
            })
            .collect();
        notes.extend(proof.findings().iter().filter_map(|finding| {
            let field = index(&finding.field)?;
            self.of_finding(finding, field, fields.get(field)?.1)
        }));
        notes.extend(self.changes.iter().map(|(noted, place, about, said)| MarginNote {
            change: Some(Box::new(noted.clone())),
            ..MarginNote::new(NoteOrigin::Change, within(noted.change.field, place), about, said)
        }));
        notes.extend(self.prepared.iter().filter_map(|noted| of_publisher(noted, index(&noted.field)?, &fields)));
        notes.extend(style.iter().take(MOST_OF_STYLE).map(|note| MarginNote {
            fix: note.replacement.clone(),
            ..MarginNote::new(NoteOrigin::Style, within(note.field, &(note.start..note.end)), &note.text, &note.message)
        }));
        notes.extend(self.own.iter().map(|note| MarginNote::new(NoteOrigin::Own, None, note, "Your note to yourself")));
        let sentences = proof.sentences().iter().filter_map(|sentence| {
            let place = sentence.passages.first()?;
            let passage = passage(&self.sources, place.source, place.start..place.end)?;
            Some(MarginSentence { field: index(&sentence.field)?, range: sentence.start..sentence.end, passage })
        });
        Margin { notes, sentences: sentences.collect(), target: self.target.clone(), is_checking: false }
    }

    /// The note of a finding in a field; none if an editor let the same words stand.
    fn of_finding(&self, finding: &Finding, field: usize, text: &str) -> Option<MarginNote> {
        let same = |other: &Finding| other.rule == finding.rule && other.text == finding.text;
        let concern = self.concerns.iter().find(|(row, _)| row.finding.as_ref().is_some_and(same)).map(|(row, _)| row);
        let known = (1..).zip(&self.findings).find(|(_, (known, _))| same(known));
        // A fix that stands in the text raises nothing; if it was typed over again, its words are raised again.
        let is_settled = concern.is_some_and(|row| !row.is_open() && !row.applied);
        if known.map_or(is_settled, |(_, (_, stands))| *stands) {
            return None;
        }
        // A specialist's KEEP is no editor's word: the words stay noted.
        let kept = concern.filter(|_| is_settled).map(|row| row.judge().unwrap_or_else(|| "a specialist".to_owned()));
        let kept = kept.map_or_else(String::new, |judge| format!(" {} said KEEP; you decide.", words::capital(&judge)));
        let then = becomes(text, finding).map_or_else(String::new, |then| format!(" Then: {}", in_marks(&then)));
        let (passage, place) = (finding.passage.as_ref(), Some((field, finding.start..finding.end)));
        Some(MarginNote {
            concern: concern.filter(|_| !is_settled).map(|row| row.id),
            finding: known.map(|(number, _)| number),
            fix: finding.replacement.clone(),
            passage: passage.map(|span| MarginPassage { source: span.source.clone(), text: span.text.clone() }),
            ..MarginNote::new(NoteOrigin::Proof, place, &finding.text, format!("{}{kept}{then}", finding.note))
        })
    }
}

/// The sentence of a finding with its replacement; none if it has none.
fn becomes(text: &str, finding: &Finding) -> Option<String> {
    let (fix, range) = (finding.replacement.as_ref()?, finding.start..finding.end);
    let sentence = sentences_around(text, &range);
    let (head, tail) = (text.get(sentence.start..range.start)?, text.get(range.end..sentence.end)?);
    Some(sanitise::one_line(&format!("{head}{fix}{tail}")))
}

/// A note of the Publisher. Of a missing text there is no place to go to.
fn of_publisher(noted: &PublishingNote, field: usize, fields: &[(&str, &str)]) -> Option<MarginNote> {
    let text = fields.get(field)?.1;
    let is_gone = !noted.text.trim().is_empty() && !text.contains(noted.text.trim());
    let place = (!is_gone).then_some((field, noted.start..noted.end));
    let said = format!("{}: {} {}", noted.head(), noted.what, noted.fix);
    let fix = noted.replacement.clone();
    Some(MarginNote { fix, is_gone, ..MarginNote::new(NoteOrigin::Publisher, place, &noted.text, said) })
}

/// The changes of a draft that its writer made and no editor has accepted yet.
fn changes(journal: &Journal, round: u32) -> Vec<(NotedChange, Range<usize>, String, String)> {
    let from = round.saturating_sub(1);
    let Some(comparison) = between(journal, from, round).filter(|_| from > 0) else { return Vec::new() };
    let settled = accepted(journal, (from, round), &comparison);
    // Words that the editor has put there since are no change of the writer's any more.
    let draft = journal.draft(round).map(|draft| &draft.article);
    let by_editor = decisions::edit(journal, round).zip(draft).map(|(edit, draft)| by_hand(draft, edit));
    let is_edited = |change: &Change| {
        let made = by_editor.as_ref().map(|by_editor| by_editor.changes.as_slice()).unwrap_or_default();
        made.iter().any(|own| own.field == change.field && touch(&own.old, &change.new))
    };
    let open = comparison
        .changes
        .iter()
        .enumerate()
        .filter(|(at, change)| change.why != ChangeReason::ByHand && !settled.contains(at) && !is_edited(change));
    let noted = |(_, change): (usize, &Change)| {
        let accepting = accepting(journal, (from, round), change)?;
        let Choice::AcceptChange { removed, added, .. } = &accepting else { return None };
        let why = comparison
            .asked_for(change)
            .map_or("nobody asked for this".to_owned(), |asked| format!("asked for: {}", asked.to_do));
        let fields = journal.draft(round)?.article.fields();
        let text = fields.into_iter().find(|(name, _)| *name == change.field)?.1;
        let place = shown_at(text, change.new.clone());
        let about = text.get(place.clone())?.to_owned();
        let said = if added.trim().is_empty() {
            let side = if place.start < change.new.start { "after" } else { "before" };
            let removed = sanitise::excerpt(&sanitise::one_line(removed), LONGEST_REMOVED);
            format!("Removed {side} {}: {}; {why}", in_marks(&sanitise::one_line(&about)), in_marks(&removed))
        } else {
            format!("Changed: {}; {why}", in_words(removed, added))
        };
        Some((NotedChange { from, change: change.clone(), accepting }, place, about, said))
    };
    open.filter_map(noted).collect()
}

/// Whether two stretches of a text share words; one without words has its place beside the other.
fn touch(one: &Range<usize>, other: &Range<usize>) -> bool {
    if one.is_empty() || other.is_empty() {
        return one.start <= other.end + 1 && other.start <= one.end + 1;
    }
    one.start < other.end && other.start < one.end
}

/// The words that a change is shown at: its own; if it only removed words, the word there.
fn shown_at(text: &str, range: Range<usize>) -> Range<usize> {
    let own = text.get(range.clone()).unwrap_or_default();
    if !own.trim().is_empty() {
        let start = range.start + (own.len() - own.trim_start().len());
        return start..start + own.trim().len();
    }
    let (head, tail) = (text.get(..range.end).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    let start = head.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let end = range.end + tail.find(char::is_whitespace).unwrap_or(tail.len());
    start..end
}

fn passage(sources: &[(String, String)], source: usize, range: Range<usize>) -> Option<MarginPassage> {
    let (name, text) = sources.get(source)?;
    let end = text.floor_char_boundary(range.end.min(range.start + LONGEST_PASSAGE));
    Some(MarginPassage { source: name.clone(), text: text.get(range.start..end)?.to_owned() })
}

/// `Concern 2, REWRITE: why. To do: what`.
fn said(concern: &ConcernRow) -> String {
    let status = concern.status().map_or("not judged yet", |status| status.name());
    let verdict = concern.verdict.as_ref();
    let fix = concern
        .overruled
        .as_ref()
        .map_or(verdict.and_then(|verdict| verdict.suggested_fix.as_ref()), |over| over.fix.as_ref());
    let why = verdict.map_or_else(|| concern.note_alone(), |verdict| verdict.rationale.clone());
    let fix = fix.map_or_else(String::new, |fix| format!(" To do: {fix}"));
    format!("Concern {}, {status}: {why}{fix}", concern.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_core::editorial::testing::{add_round, article, at_gate, decide, go_on};
    use copydesk_newsroom::Specialist;
    use copydesk_proof::ReadSources;

    #[test]
    fn words_that_went_are_shown_at_the_word_that_stands_there() {
        let text = "It costs $1 now. It rained.";
        let at = |range: Range<usize>| &text[shown_at(text, range)];
        assert_eq!((at(8..11), at(9..9), at(27..27), at(16..16)), ("$1", "$1", "rained.", "now."));
        assert_eq!(shown_at("", 0..0), 0..0);
    }

    #[test]
    fn what_a_specialist_set_aside_stays_noted_and_what_an_editor_let_stand_does_not() {
        let journal = crate::testing::demo_proof::held_back();
        let (sources, draft) = (journal.sources(), &journal.draft(1).unwrap().article);
        let read = ReadSources::new(&sources);
        let mut proof = TypedProof::default();
        read.typed(&mut proof, draft);
        read.go_on(&mut proof, 4_000, || false);
        let notes = OpenRound::of(&journal, 1, None).margin(draft, &proof, &[]).notes;
        let accepted = vouching::finding(&journal, 1, 2).unwrap();
        let set_aside: Vec<&str> = vouching::set_aside(&journal, 1).map(|(_, finding)| finding.text.as_str()).collect();
        assert!(!set_aside.is_empty() && notes.iter().all(|note| note.about != accepted.text), "{notes:?}");
        for words in set_aside {
            let note = notes.iter().find(|note| note.about == words).unwrap();
            assert!(note.said.contains("said KEEP; you decide.") && note.finding.is_some(), "{note:?}");
        }
    }

    #[test]
    fn a_change_that_the_editor_took_back_is_noted_no_more() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Continue);
        go_on(&mut journal);
        add_round(&mut journal, 2, &[Specialist::Opinion]);
        assert!(!changes(&journal, 2).is_empty());
        let before = journal.draft(1).unwrap().article.clone();
        decide(&mut journal, 2, Choice::Edit { article: before });
        assert_eq!(changes(&journal, 2), []);
    }

    #[test]
    fn a_changed_figure_of_a_long_draft_is_found() {
        let sentences = (1..=60).map(|number| {
            let cost = 1_000 + number * 37;
            format!("The council voted on Tuesday to spend ${cost} on gate {number} of the park, Denise Pruitt said.")
        });
        let text = sentences.collect::<Vec<_>>().join("\n\n");
        let mut journal = at_gate();
        journal.opening.topic.source_text.clone_from(&text);
        let mut draft = article(&text);
        let sources = journal.sources();
        let (read, round) = (ReadSources::new(&sources), OpenRound::of(&journal, 1, None));
        let mut proof = TypedProof::default();
        read.typed(&mut proof, &draft);
        read.go_on(&mut proof, 4_000, || false);
        for number in 1..=20 {
            let cost = 1_000 + number * 37;
            let wrong = format!("${} on", cost + 1);
            draft.articleBody = draft.articleBody.replacen(&format!("${cost} on"), &wrong, 1);
            read.typed(&mut proof, &draft);
            let margin = round.margin(&draft, &proof, &[]);
            assert!(margin.notes.iter().any(|note| wrong.contains(&note.about)), "{:?}", margin.notes);
        }
    }
}
