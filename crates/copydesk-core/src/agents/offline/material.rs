//! Cuts the sources into units for the writer. A unit can stand alone and consists of whole sentences: a quotation with its speaker, a
//! vote with its motion, a turn with its speaker. No unit has a figure that the source corrects later.

use std::ops::Range;

use super::{
    chores::is_chore,
    copy::{attributed, balanced, introduced, is_copy, is_roll, is_tally, leans_back, speaks, without_quotations},
    notes::{TableRow, is_note, table_rows, without_mark},
    speech::{attribution, quoted},
    turns::{Turn, names, runs, turn},
    value::{Scale, Vote, VoteLine, votes},
};
use copydesk_newsroom::Source;
use copydesk_proof::Retractions;
use copydesk_text::{
    sanitise::one_line,
    sentences::{sentences, speaker},
    time_code::time_code,
    words::words,
};

/// Most sentences that may depend on one.
const CHAIN: usize = 4;

/// A stretch of a source that can stand alone.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceUnit {
    /// Its place among all units.
    pub order: usize,
    /// The number of its paragraph, counted over all sources.
    pub paragraph: usize,
    /// Its text in one line; the sentences are unchanged.
    pub text: String,
    pub words: usize,
    /// Its sentences, in one line each, without label and marks.
    pub sentences: Vec<String>,
    /// The sentences that are complete by themselves, as a headline must be.
    pub alone: Vec<String>,
    /// The speaker's label that it begins with.
    pub label: Option<String>,
    /// Whether the label is an attribution, and the text attributed speech.
    pub quoted: bool,
    /// The marks around what the speaker says.
    pub marks: (&'static str, &'static str),
    /// Whether it is a line of notes or a row of a table: no whole sentence, printed as an item of a list.
    pub is_note: bool,
    /// How much of the news it carries.
    pub score: f64,
    /// Its source, first byte and last. Units that are neighbours in a source may share a paragraph.
    pub at: (usize, usize, usize),
}

/// The units of all sources, in order.
pub(super) fn units(sources: &[Source], scale: &Scale) -> Vec<SourceUnit> {
    let retractions = Retractions::new(sources);
    let mut found = Vec::new();
    let mut paragraph = 0;
    for (index, source) in sources.iter().enumerate() {
        let desk = Cutter { index, text: &source.text, scale, retractions: &retractions };
        paragraph = desk.cut(paragraph, &mut found);
    }
    found.sort_by_key(|unit: &SourceUnit| unit.at);
    for (order, unit) in found.iter_mut().enumerate() {
        unit.order = order;
        // A source usually has its news near the beginning.
        #[expect(clippy::cast_precision_loss, reason = "counts of units")]
        let early = 1.0 / (1.0 + order as f64 / 6.0);
        unit.score += 0.6 * early;
    }
    found
}

/// Cuts one source.
struct Cutter<'a> {
    index: usize,
    text: &'a str,
    scale: &'a Scale,
    retractions: &'a Retractions,
}

impl Cutter<'_> {
    fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// All units of the source; gives the number of the last paragraph.
    fn cut(&self, first: usize, found: &mut Vec<SourceUnit>) -> usize {
        let mut paragraph = first;
        let mut lines: Vec<VoteLine> = Vec::new();
        let mut held: Option<String> = None;
        let mut asked = false;
        let names = names(self.text);
        for (place, range) in blocks(self.text).into_iter().enumerate() {
            paragraph += 1;
            let block = self.slice(&range);
            // The first paragraph of minutes, a release or a transcript is often its letterhead.
            if place == 0 && is_letterhead(block) {
                continue;
            }
            if let Some(turn) = turn(block, held.as_deref(), &names) {
                self.speak(&turn, range.start, paragraph, asked, found);
                let after = range.start + turn.after.start..range.start + turn.after.end;
                self.lines(&after, paragraph, &mut lines);
                asked = turn.asks || super::copy::is_question(block);
                held = if turn.asks || turn.marks.0.is_empty() { None } else { turn.label };
            } else {
                for TableRow { told, place, .. } in table_rows(block) {
                    self.note(&told, range.start + place.start..range.start + place.end, paragraph, found);
                }
                self.lines(&range, paragraph, &mut lines);
                held = signed(block);
                asked = false;
            }
        }
        self.print(&lines, found);
        paragraph
    }

    fn lines(&self, range: &Range<usize>, block: usize, lines: &mut Vec<VoteLine>) {
        for sentence in sentences(self.slice(range)) {
            lines.push(VoteLine { range: sentence.start + range.start..sentence.end + range.start, block });
        }
    }

    /// The printable runs of a turn.
    fn speak(&self, turn: &Turn, offset: usize, paragraph: usize, answers: bool, found: &mut Vec<SourceUnit>) {
        let Some(label) = turn.label.as_deref().filter(|_| !turn.asks) else { return };
        let attributed = attribution(label, self.text);
        let said = turn.said.start + offset..turn.said.end + offset;
        for run in runs((self.index, self.text), &said, answers, self.scale, self.retractions) {
            let sentences: Vec<String> = run.sentences.iter().map(|range| one_line(self.slice(range))).collect();
            let quoted = attributed.as_ref().and_then(|by| Some((by.clone(), quoted(by, turn.marks, &sentences)?)));
            let is_quoted = quoted.is_some();
            let (label, text) = quoted.unwrap_or_else(|| {
                (label.to_owned(), format!("{label}: {}{}{}", turn.marks.0, sentences.join(" "), turn.marks.1))
            });
            let at = self.place(&run.sentences);
            found.push(SourceUnit {
                paragraph,
                words: words(&text).len(),
                text,
                alone: self.alone(&run.sentences),
                sentences,
                label: Some(label),
                quoted: is_quoted,
                marks: turn.marks,
                score: run.score - 0.6,
                at,
                ..SourceUnit::default()
            });
        }
    }

    /// Running text: votes with their motions, and the other sentences with those that depend on them.
    fn print(&self, lines: &[VoteLine], found: &mut Vec<SourceUnit>) {
        let votes = votes(self.text, lines);
        let mut told = vec![false; lines.len()];
        for Vote { told: vote, amendment } in votes {
            let ranges: Vec<Range<usize>> =
                vote.iter().filter_map(|at| lines.get(*at)).map(|line| line.range.clone()).collect();
            if vote.iter().any(|at| told.get(*at).copied().unwrap_or(true)) {
                continue;
            }
            for at in &vote {
                if let Some(told) = told.get_mut(*at) {
                    *told = true;
                }
            }
            let block = vote.first().and_then(|at| lines.get(*at)).map_or(0, |line| line.block);
            let values: f64 = ranges.iter().take(2).map(|range| self.scale.value(self.slice(range))).sum();
            self.push(&ranges, block, values * if amendment { 0.5 } else { 0.9 }, found);
        }
        let mut open: Vec<Range<usize>> = Vec::new();
        let mut block = 0;
        for (line, told) in lines.iter().zip(told) {
            let sentence = self.slice(&line.range);
            let held = open.iter().map(|range| self.slice(range)).collect::<Vec<_>>().join(" ");
            let hangs = !balanced(&held)
                || leans_back(sentence)
                || is_roll(sentence) && is_tally(&held)
                || self.retractions.spoils(self.index, &open);
            if told || line.block != block || !hangs || open.len() >= CHAIN {
                self.close(&mut open, block, found);
                // A sentence that depends on one that is missing is not printed, and no other may depend on it.
                block = line.block;
                if told || leans_back(sentence) {
                    continue;
                }
            }
            if !open.is_empty() || !leans_back(sentence) {
                open.push(line.range.clone());
            }
        }
        self.close(&mut open, block, found);
    }

    /// A sentence with the sentences that depend on it, as far as they can be printed.
    fn close(&self, open: &mut Vec<Range<usize>>, block: usize, found: &mut Vec<SourceUnit>) {
        let mut ranges = std::mem::take(open);
        let clean = ranges.iter().take_while(|range| !is_chore(self.slice(range))).count();
        ranges.truncate(clean.min(introduced(ranges.iter().map(|range| self.slice(range)))));
        while self.retractions.spoils(self.index, &ranges) {
            ranges.pop();
        }
        let Some(first) = ranges.first().map(|range| self.slice(range)) else { return };
        if !is_copy(first) {
            if let Some(range) = ranges.first().filter(|_| is_note(first)) {
                self.note(without_mark(first), range.clone(), block, found);
            }
            return;
        }
        // The news may follow the sentences that lead to it.
        let best = ranges.iter().map(|range| self.scale.value(self.slice(range))).fold(f64::MIN, f64::max);
        let value = self.scale.value(first).max(best - 0.5);
        let rest: f64 = ranges.iter().skip(1).map(|range| self.scale.value(self.slice(range)).max(0.0)).sum();
        self.push(&ranges, block, value + (0.12 * rest).min(1.0), found);
    }

    fn push(&self, ranges: &[Range<usize>], paragraph: usize, score: f64, found: &mut Vec<SourceUnit>) {
        let list: Vec<String> = ranges.iter().map(|range| one_line(self.slice(range))).collect();
        let whole = list.join(" ");
        let text = if attributed(&whole) { whole } else { without_quotations(&whole) };
        let list: Vec<String> =
            sentences(&text).into_iter().filter_map(|range| text.get(range).map(str::to_owned)).collect();
        if !is_copy(&text) || !balanced(&text) || speaks(&text) || self.retractions.spoils(self.index, ranges) {
            return;
        }
        let at = self.place(ranges);
        found.push(SourceUnit {
            paragraph,
            words: words(&text).len(),
            text,
            alone: self.alone(ranges),
            sentences: list,
            score,
            at,
            ..SourceUnit::default()
        });
    }

    /// A line of notes or a row of a table, as an item of a list.
    fn note(&self, line: &str, range: Range<usize>, paragraph: usize, found: &mut Vec<SourceUnit>) {
        let line = one_line(line);
        let range = std::slice::from_ref(&range);
        if self.retractions.spoils(self.index, range) {
            return;
        }
        found.push(SourceUnit {
            order: 0,
            paragraph,
            words: words(&line).len(),
            text: format!("- {line}"),
            // A sentence is better copy.
            score: self.scale.value(&line) - 0.8,
            sentences: vec![line],
            alone: Vec::new(),
            label: None,
            quoted: false,
            marks: ("", ""),
            is_note: true,
            at: self.place(range),
        });
    }

    fn place(&self, ranges: &[Range<usize>]) -> (usize, usize, usize) {
        (self.index, ranges.first().map_or(0, |range| range.start), ranges.last().map_or(0, |range| range.end))
    }

    /// The sentences that stand alone: no speaker's own words, no reference to the sentence before, no figure that is corrected later.
    fn alone(&self, ranges: &[Range<usize>]) -> Vec<String> {
        let stands = |range: &&Range<usize>| {
            let text = self.slice(range);
            is_copy(text)
                && !leans_back(text)
                && !speaks(text)
                && !text.contains(['“', '”', '"', ':', '(', ';'])
                && !self.retractions.touch(self.index, range)
        };
        ranges.iter().filter(stands).map(|range| one_line(self.slice(range))).collect()
    }
}

/// Whether a paragraph begins with a line in capitals.
pub(super) fn is_letterhead(block: &str) -> bool {
    let heads: Vec<_> = words(block).into_iter().filter(|word| word.text.chars().count() > 1).take(3).collect();
    let quoted = block.chars().take(300).any(|c| matches!(c, '“' | '"'));
    !quoted
        && speaker(block).is_none()
        && heads.len() == 3
        && heads.iter().all(|word| !word.text.chars().any(char::is_lowercase))
}

/// Paragraphs as byte ranges, without time codes that have no speaker. Each labelled line of a transcript begins a paragraph.
pub(super) fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() || speaker(line).is_some() {
            found.push(start..at);
            start = at;
        }
        at += line.len();
    }
    found.push(start..text.len());
    let trimmed = |range: Range<usize>| {
        let block = text.get(range.clone())?;
        let from = range.start + (block.len() - block.trim_start().len());
        let end = from + block.trim().len();
        // A time code without a name begins no turn. The line is running text, and the time code is not part of it.
        let unnamed = time_code(block).filter(|_| speaker(block).is_none());
        let from = unnamed.map_or(from, |(_, words)| end - words.trim_end().len());
        (from < end).then_some(from..end)
    };
    found.into_iter().filter_map(trimmed).collect()
}

/// Whether a heading names the speaker of the quotation below it: `CORRECTION, sent on Monday by Margit Haldane, operations manager`.
pub(super) fn signed(block: &str) -> Option<String> {
    let last = sentences(block).pop()?;
    let head = block.get(last)?;
    let (_, name) = head.split_once(" by ")?;
    let named = words(name).iter().take(2).all(|word| word.text.starts_with(char::is_uppercase));
    let open = !head.ends_with(['.', '!', '?', '”', '"', ':']) && words(name).len() >= 2;
    (named && open).then(|| one_line(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let sources = [Source { name: "s".to_owned(), text: text.to_owned() }];
        let scale = Scale::of_text("", &sources);
        units(&sources, &scale).into_iter().map(|unit| unit.text).collect()
    }

    #[test]
    fn a_quotation_stays_with_its_speaker() {
        assert_eq!(
            texts(
                "Inez Calloway spoke in favor of the plan. \"I can get to the gate,\" she said. The plan was approved at half past eight."
            ),
            [
                "Inez Calloway spoke in favor of the plan. \"I can get to the gate,\" she said.",
                "The plan was approved at half past eight."
            ]
        );
    }

    #[test]
    fn a_turn_keeps_its_speaker_and_loses_its_time_code_and_its_greeting() {
        assert_eq!(
            texts(
                "[00:01:05] TULL: Thank you, Madam Chair. You replace the pipe or you fix the street.\n[00:02] VOSS: Thanks."
            ),
            ["“You replace the pipe or you fix the street,” Tull said."]
        );
    }

    #[test]
    fn an_answer_stands_without_its_question_or_not_at_all() {
        assert_eq!(
            texts(
                "INTERVIEWER: Does the beer change?\n\nANNA SOLHEIM: It shouldn't. The water is the same water.\n\n\
                   INTERVIEWER: And the bottles?\n\nANNA SOLHEIM: Yes, they do."
            ),
            ["“The water is the same water,” Anna Solheim said."]
        );
    }

    #[test]
    fn headings_and_lists_are_no_copy() {
        assert_eq!(
            texts("# Minutes of the meeting\n\nPresent: Roth, Quill, Osei, Baek, Foley, Imbert\n\nTO DO: call them."),
            [""; 0]
        );
    }

    #[test]
    fn a_correction_is_printed_whole_and_what_it_corrects_is_not() {
        assert_eq!(
            texts(
                "MS POE: The household would pay $5.30 more a month. The pipes are old, and they leak.\n\n\
                 MS POE: For the household the step isn’t $5.30. It’s $3.50 more a month."
            ),
            [
                "“The pipes are old, and they leak,” Ms Poe said.",
                "“For the household the step isn’t $5.30,” Ms Poe said. “It’s $3.50 more a month.”"
            ]
        );
    }
}

#[cfg(test)]
mod blocks_tests {
    use super::*;

    #[test]
    fn labelled_lines_are_paragraphs() {
        let text = "VOSS: Good evening.\nTULL: Thanks.\n\nThe end\nof it.";
        let found: Vec<&str> = blocks(text).into_iter().filter_map(|range| text.get(range)).collect();
        assert_eq!(found, ["VOSS: Good evening.", "TULL: Thanks.", "The end\nof it."]);
        let text = "[00:01] VOSS: Good evening.\n\n[00:00:05] The end\nof it. \n\n[00:00:09]\n";
        let found: Vec<&str> = blocks(text).into_iter().filter_map(|range| text.get(range)).collect();
        assert_eq!(found, ["[00:01] VOSS: Good evening.", "The end\nof it."]);
    }

    #[test]
    fn a_heading_can_sign_what_is_below() {
        assert_eq!(
            signed("DOCUMENT 3. CORRECTION, sent on Monday by Margit Haldane, operations manager").as_deref(),
            Some("CORRECTION, sent on Monday by Margit Haldane, operations manager")
        );
        assert_eq!(signed("The park was opened by Ada Roth."), None);
        assert!(is_letterhead("TOWN OF BRANDLE. Minutes of May 5.") && !is_letterhead("The town of Brandle met."));
    }
}
