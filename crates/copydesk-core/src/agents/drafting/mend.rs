//! The tightening pass: sentences with words that their lines do not have go back to the writer once.
//!
//! Of both sentences the one with fewer such words is kept: the reviewer and the proof still read it. A sentence that is mostly such words
//! in both forms is the writer's own comment, and is left out. So is one for which the answer is OUT.

use super::section::{faults, judged, notes, paragraph};
use crate::{
    agents::{
        reading::{self, UnusableAnswer},
        template::Prompts,
    },
    editorial::drafting,
    ports::Ask,
};
use copydesk_newsroom::{Agent, Answer, Journal, PlannedSection, WrittenSection};
use copydesk_proof::UnsaidSentence;

pub(super) fn ask(prompts: &Prompts, journal: &Journal, number: u32) -> Option<Ask> {
    let (section, written) = (drafting::section(journal, number)?, drafting::written(journal, number)?);
    let judged = judged(journal, section, &written.text);
    let faulty = judged.iter().filter(|sentence| !sentence.unsaid.is_empty());
    let sentences = (1..).zip(faulty).map(|(at, sentence): (u32, _)| {
        let text = written.text.get(sentence.range.clone()).unwrap_or_default();
        format!("{at}. {text} (without: {})", sentence.unsaid.join(", "))
    });
    let values = [("LINES", notes(journal, section)), ("SENTENCES", sentences.collect::<Vec<_>>().join("\n"))];
    prompts.ask(Agent::Writer, "draft_mend", &values, None)
}

pub(super) fn read(journal: &Journal, number: u32, answer: &Answer) -> Result<WrittenSection, UnusableAnswer> {
    let missing = || UnusableAnswer::new("there is no such section");
    let section = drafting::section(journal, number).ok_or_else(missing)?;
    let written = drafting::written(journal, number).ok_or_else(missing)?;
    let answers = reading::numbered(&answer.text)?;
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    for sentence in judged(journal, section, &written.text) {
        let before = written.text.get(sentence.range.clone()).unwrap_or_default();
        if sentence.unsaid.is_empty() {
            kept.push(before.to_owned());
            continue;
        }
        at += 1;
        kept.extend(better(
            journal,
            section,
            (before, &sentence),
            answers.get(&at).and_then(|lines| lines.first()).map(|said| said_anew(said)).as_deref(),
        ));
    }
    let text = kept.join(" ");
    Ok(WrittenSection { faults: faults(&judged(journal, section, &text)), text })
}

/// A sentence as the model wrote it. The question put a remark behind it, which is not part of it.
fn said_anew(said: &str) -> String {
    paragraph(said.split_once("(without:").map_or(said, |(sentence, _)| sentence))
}

/// The sentence that is kept; none if it is left out.
fn better(
    journal: &Journal,
    section: &PlannedSection,
    (before, sentence): (&str, &UnsaidSentence),
    again: Option<&str>,
) -> Option<String> {
    let is_comment = |unsaid: usize, content: usize| unsaid * 2 > content;
    let kept = || (!is_comment(sentence.unsaid.len(), sentence.content)).then(|| before.to_owned());
    let Some(again) = again.filter(|again| !again.is_empty()) else { return kept() };
    if reading::is_out(again) {
        return None;
    }
    let judged = judged(journal, section, again);
    let unsaid: usize = judged.iter().map(|sentence| sentence.unsaid.len()).sum();
    let content: usize = judged.iter().map(|sentence| sentence.content).sum();
    if content == 0 || unsaid >= sentence.unsaid.len() {
        return kept();
    }
    (!is_comment(unsaid, content)).then(|| again.to_owned())
}
