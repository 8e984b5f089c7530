//! The sources as numbered lines: a sentence each, with its speaker.
//!
//! A number is a line's place among all lines of all sources. So an answer that names numbers copies nothing, and nothing can be copied
//! wrongly.

use copydesk_newsroom::{Journal, SourcePlace};
use copydesk_text::{
    sanitise,
    sentences::{sentences, speaker},
    words::words,
};

/// Fewest words of a line: anything shorter is a label or a heading.
const LEAST: usize = 3;

/// All lines of the sources, in their order; of an assignment, those that its dossier chose.
pub(super) fn lines(journal: &Journal) -> Vec<SourcePlace> {
    let mut found = Vec::new();
    let chosen = journal.dossier_places();
    let is_chosen = |source: usize, start: usize, end: usize| {
        chosen.is_empty() || chosen.iter().any(|place| place.source == source && place.start < end && start < place.end)
    };
    for (source, (_, text)) in journal.texts().enumerate() {
        let mut voice: Option<String> = None;
        let mut end = 0;
        for range in sentences(text) {
            let said = text.get(range.clone()).unwrap_or_default();
            // A turn ends with its paragraph.
            if text.get(end..range.start).is_some_and(|between| between.matches('\n').count() > 1) {
                voice = None;
            }
            end = range.end;
            let mut start = range.start;
            if let Some(label) = speaker(said) {
                voice = said.get(label.clone()).map(sanitise::one_line);
                let rest = said.get(label.end..).unwrap_or_default();
                start += label.end + rest.len() - rest.trim_start_matches([':', '.', '*', '_', ' ', '\t', '\n']).len();
            }
            if is_chosen(source, start, end) && text.get(start..end).is_some_and(|line| words(line).len() >= LEAST) {
                found.push(SourcePlace { source, start, end, speaker: voice.clone() });
            }
        }
    }
    found
}

/// Returns a line in one line, with its speaker: `Dana Ruiz: We begin in April.`
pub(super) fn said(journal: &Journal, line: &SourcePlace) -> String {
    let text = text(journal, line);
    match &line.speaker {
        Some(speaker) => format!("{speaker}: {text}"),
        None => text,
    }
}

/// A line's own words, in one line.
pub(super) fn text(journal: &Journal, line: &SourcePlace) -> String {
    let (_, source) = journal.texts().nth(line.source).unwrap_or_default();
    sanitise::one_line(source.get(line.start..line.end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;
    use copydesk_newsroom::Source;

    #[test]
    fn a_line_is_a_sentence_with_its_speaker() {
        let mut opening = opening();
        opening.topic.source_text =
            "# Minutes\n\nThe council voted\non Tuesday. It was late.\n\nDANA RUIZ: We begin in April. It will\ntake a year.\n\nNobody spoke against it."
                .into();
        opening.more_sources = vec![Source { name: "Letter".into(), text: "No. The pond is deep.".into() }];
        let journal = Journal::new(opening);
        let said: Vec<String> = lines(&journal).iter().map(|line| said(&journal, line)).collect();
        assert_eq!(
            said,
            [
                "The council voted on Tuesday.",
                "It was late.",
                "DANA RUIZ: We begin in April.",
                "DANA RUIZ: It will take a year.",
                "Nobody spoke against it.",
                "The pond is deep.",
            ]
        );
    }
}
