//! A whole draft once more, because it is far too short or too long, or repeats its sources word for word.
//!
//! The question is the first one, the draft, and a program's remarks on it. So a server that keeps the beginning of a prompt reads
//! little anew.

use crate::{
    agents::{
        key_points,
        material::{self, Windows},
        reading::UnusableAnswer,
        template::{Prompts, defused},
        writer,
    },
    editorial::{remarks, target_length::TargetLength},
    ports::Ask,
};
use copydesk_newsroom::{Agent, Answer, Draft, Journal, Message, Outcome, Part, Role, Step};
use copydesk_text::{overlap::Stems, sanitise};

/// Most key points that are named, and characters of each.
const POINTS: usize = 8;
const POINT: usize = 240;

pub(super) fn ask(prompts: &Prompts, windows: &Windows, style: &str, journal: &Journal) -> Option<Ask> {
    let draft = first(journal)?;
    let said = vec![Part { name: "DRAFT".into(), text: defused(&writer::article_json(&draft.article)) }];
    let note = vec![Part { name: "REMARKS".into(), text: defused(&note(journal, draft)) }];
    let more = [Message::new(Role::Assistant, said), Message::new(Role::User, note)];
    let taken: u64 =
        more.iter().flat_map(|message| &message.parts).map(|part| windows.tokens(&part.text) + material::FRAME).sum();
    let mut narrower = windows.clone();
    if let Some(limit) = narrower.prompts.get_mut(&Agent::Writer) {
        *limit = limit.saturating_sub(taken);
    }
    let draught = material::formed(writer::draft(style, journal), prompts, windows);
    // The places are those of the first draft.
    let mut ask = material::ask(draught, prompts, &narrower, journal, Step::Draft);
    ask.prompt.messages.extend(more);
    Some(ask)
}

/// Reads the second draft and keeps the better of both.
pub(super) fn read(journal: &Journal, answer: &Answer) -> Result<Draft, UnusableAnswer> {
    let again = writer::read(journal, answer)?;
    let Some(first) = first(journal) else { return Ok(again) };
    Ok(if distance(journal, &again) < distance(journal, first) { again } else { first.clone() })
}

/// The first draft.
fn first(journal: &Journal) -> Option<&Draft> {
    journal.outcome(Step::Draft)?.try_as_draft_ref()
}

/// Returns the distance of a draft from its task: its remarks, then the words that it lacks or has too many.
fn distance(journal: &Journal, draft: &Draft) -> (usize, usize) {
    let remarks = draft.undone.iter().filter(|undone| remarks::is_remark(undone)).count();
    let words = draft.article.words();
    let off = TargetLength::of(&journal.opening.topic.target_length_words)
        .map_or(0, |target| target.least.saturating_sub(words).saturating_add(words.saturating_sub(target.most)));
    (remarks, off)
}

/// Returns the note to the writer on the faults of the draft.
fn note(journal: &Journal, draft: &Draft) -> String {
    let asked = sanitise::one_line(&journal.opening.topic.target_length_words);
    let words = draft.article.words();
    let has = |mark: &str| draft.undone.iter().find(|undone| undone.starts_with(mark));
    let mut said = vec!["A program read your draft.".to_owned()];
    if has(remarks::SHORT).is_some() {
        said.push(format!("It has {words} words, and {asked} were asked for."));
        let points = left_out(journal, &draft.article.articleBody);
        if !points.is_empty() {
            said.push(format!("It leaves these points of SOURCE_TEXT out:\n{}", points.join("\n")));
        }
    }
    if has(remarks::LONG).is_some() {
        said.push(format!("It has {words} words, and {asked} were asked for. Keep the points that matter most."));
    }
    if let Some(copied) = has(remarks::WORD_FOR_WORD) {
        let copied = copied.trim_start_matches(remarks::WORD_FOR_WORD);
        said.push(format!("{copied}. Tell it in your own sentences; only quotations keep their words."));
    }
    said.push(format!("Write the whole article once more, in {asked} words, from SOURCE_TEXT alone. Answer with the JSON object alone."));
    said.join("\n\n")
}

/// The key points of the sources that a text leaves out: it has less than half of their words.
fn left_out(journal: &Journal, body: &str) -> Vec<String> {
    let texts: Vec<&str> = journal.texts().map(|(_, text)| text).collect();
    let said = Stems::of(body);
    let is_left_out = |block: &&str| {
        let block = Stems::of(block);
        block.count() > 0 && block.shared(&said) * 2 < block.count()
    };
    key_points::places(journal, 0)
        .iter()
        .filter_map(|place| texts.get(place.source)?.get(place.start..place.end))
        .filter(is_left_out)
        .take(POINTS)
        .map(|block| format!("- {}", sanitise::excerpt(&sanitise::one_line(block), POINT)))
        .collect()
}

/// The first draft, which the run keeps if the second never comes.
pub(super) fn without(journal: &Journal) -> Option<Outcome> {
    journal.outcome(Step::Draft).filter(|outcome| matches!(outcome, Outcome::Draft(_))).cloned()
}
