//! A section of a draft: its lines in, plain prose out. Text that a model puts around the prose is taken off, and so are sentences that an
//! earlier section has.

use super::lines;
use crate::{
    agents::{
        reading::{self, UnusableAnswer},
        template::{Prompts, without_fences},
    },
    editorial::drafting,
    ports::Ask,
};
use copydesk_newsroom::{Agent, Answer, Journal, PlannedSection, SectionFault, WrittenSection};
use copydesk_proof::{UnsaidSentence, unsaid};
use copydesk_text::{
    overlap::Stems,
    sanitise,
    sentences::sentences,
    words::{fold, words},
};

/// So many words of the section before are shown.
const BEFORE: usize = 60;

/// A section may have this many times the words that it was asked for; the rest is left out.
const TIMES: usize = 2;

/// Of so many content words one may differ between a sentence and an earlier one that says it already.
const NEARLY: usize = 5;

/// Words of a sentence that speaks of the model's own material, unless the lines have them.
const OF_ITSELF: [&str; 6] = ["notes", "facts", "information", "paragraph", "article", "passage"];

/// Longest point that is made of a line, in characters.
const POINT: usize = 100;

/// Longest line that only announces the next one, in words.
const ANNOUNCEMENT: usize = 12;

pub(super) fn ask(prompts: &Prompts, journal: &Journal, number: u32) -> Option<Ask> {
    let section = drafting::section(journal, number)?;
    let before = drafting::before(journal, number);
    let words: Vec<&str> = before.split_whitespace().collect();
    let last = words.get(words.len().saturating_sub(BEFORE)..).unwrap_or_default().join(" ");
    let title = sanitise::one_line(&journal.opening.topic.source_metadata.topic_title);
    let values = [
        ("BEFORE", if last.is_empty() { "(This is its first paragraph.)".to_owned() } else { last }),
        ("POINT", point(journal, section).unwrap_or_else(|| title.clone())),
        ("LINES", notes(journal, section)),
        ("WORDS", section.words.to_string()),
        ("TOPIC_TITLE", title),
        ("STYLE_MODE", journal.opening.topic.style_mode.clone()),
    ];
    prompts.ask(Agent::Writer, "draft_section", &values, None)
}

/// Returns the subject of a section: its point, if the lines speak of it; else the beginning of its first line. Small models name a point
/// and then lines about something else, and a paragraph on that point would be invented.
fn point(journal: &Journal, section: &PlannedSection) -> Option<String> {
    let (point, said) = (Stems::of(&section.point), Stems::of(&notes(journal, section)));
    if point.count() > 0 && point.shared(&said) * 2 >= point.count() {
        return Some(section.point.clone());
    }
    section.lines.first().map(|line| sanitise::excerpt(&lines::text(journal, line), POINT))
}

/// The lines of a section, one below the other.
pub(super) fn notes(journal: &Journal, section: &PlannedSection) -> String {
    section.lines.iter().map(|line| format!("- {}", lines::said(journal, line))).collect::<Vec<_>>().join("\n")
}

pub(super) fn read(journal: &Journal, number: u32, answer: &Answer) -> Result<WrittenSection, UnusableAnswer> {
    let missing = || UnusableAnswer::new("there is no such section");
    let section = drafting::section(journal, number).ok_or_else(missing)?;
    let prose = paragraph(&reading::required("the section", &reading::prose(&answer.text)?.value)?);
    let told = drafting::before(journal, number);
    let mut seen: Vec<WrittenSentence> =
        of_sentences(&told).map(|(sentence, key)| WrittenSentence::of(sentence, key)).collect();
    let most = section.words.saturating_mul(TIMES);
    let (mut kept, mut count) = (String::new(), 0);
    for (sentence, key) in of_sentences(&prose) {
        let next = WrittenSentence::of(sentence, key);
        if count >= most || seen.iter().any(|told| told.says(&next)) {
            continue;
        }
        seen.push(next);
        count += sentence.split_whitespace().count();
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(sentence);
    }
    if kept.is_empty() {
        return Err(UnusableAnswer::new("it has no sentence that is new"));
    }
    let tells = |sentence: &&UnsaidSentence| !sentence.unsaid.iter().any(|word| OF_ITSELF.contains(&&*fold(word)));
    let judged = judged(journal, section, &kept);
    let told: Vec<&str> = judged.iter().filter(tells).filter_map(|sentence| kept.get(sentence.range.clone())).collect();
    if told.is_empty() {
        return Err(UnusableAnswer::new("it speaks of what was given instead of telling it"));
    }
    let text = told.join(" ");
    let judged = self::judged(journal, section, &text);
    // “OK.” does not count as a section, nor does a sentence copied from the prompt.
    let given = Stems::of(&notes(journal, section));
    if judged.iter().all(is_comment) || Stems::of(&text).shared(&given) == 0 {
        return Err(UnusableAnswer::new("it says nothing of what was given"));
    }
    Ok(WrittenSection { faults: faults(&judged), text })
}

/// Leaves a section out whose readable answer tells nothing, as long as the draft has another one. The plan's spare sections take its
/// place, and the draft says what it lacks.
pub(super) fn left_out(journal: &Journal, number: u32, answer: &Answer) -> Option<WrittenSection> {
    reading::required("the section", &reading::prose(&answer.text).ok()?.value).ok()?;
    let follows = drafting::section(journal, number.checked_add(1)?).is_some();
    let told = !drafting::before(journal, number).is_empty();
    (told || follows).then(|| WrittenSection { text: String::new(), faults: Vec::new() })
}

/// The sentences of a section's text, each with the words that its lines do not have.
pub(super) fn judged(journal: &Journal, section: &PlannedSection, text: &str) -> Vec<UnsaidSentence> {
    let title = &journal.opening.topic.source_metadata.topic_title;
    unsaid(text, &format!("{}\n\n{title}", notes(journal, section)), &journal.sources())
}

/// Whether most content words of a sentence are the writer's own.
fn is_comment(sentence: &UnsaidSentence) -> bool {
    sentence.unsaid.len() * 2 > sentence.content
}

pub(super) fn faults(sentences: &[UnsaidSentence]) -> Vec<SectionFault> {
    (1..)
        .zip(sentences)
        .filter(|(_, sentence)| !sentence.unsaid.is_empty())
        .map(|(number, sentence)| SectionFault { sentence: number, words: sentence.unsaid.clone() })
        .collect()
}

/// A sentence that was written already.
struct WrittenSentence {
    key: String,
    stems: Stems,
    /// Its words with a digit, in order.
    figures: Vec<String>,
}

impl WrittenSentence {
    fn of(sentence: &str, key: String) -> Self {
        let figures =
            key.split(' ').filter(|word| word.contains(|c: char| c.is_ascii_digit())).map(str::to_owned).collect();
        Self { key, stems: Stems::of(sentence), figures }
    }

    /// Whether it says nearly the same with the same figures: all content words but one in [`NEARLY`].
    fn says(&self, other: &Self) -> bool {
        let longer = self.stems.count().max(other.stems.count());
        self.key == other.key
            || longer >= NEARLY
                && self.figures == other.figures
                && self.stems.shared(&other.stems) * NEARLY >= longer * (NEARLY - 1)
    }
}

/// Prose in one paragraph: without headings, announcements and the marks of lists.
pub(crate) fn paragraph(text: &str) -> String {
    let text = &*without_fences(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut kept: Vec<&str> = Vec::new();
    for line in lines {
        let bold = line.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
        let heading = line.starts_with('#') || bold.is_some_and(|bold| !bold.ends_with(['.', '!', '?', '”', '"']));
        let announces = kept.is_empty() && line.ends_with(':') && words(line).len() <= ANNOUNCEMENT;
        if !heading && !announces {
            kept.push(bold.unwrap_or(line).trim_start_matches(['-', '*', '•', '>', ' ']));
        }
    }
    sanitise::one_line(&kept.join(" "))
}

/// The sentences of a text, each with its words folded.
fn of_sentences(text: &str) -> impl Iterator<Item = (&str, String)> {
    let sentences = sentences(text).into_iter().filter_map(|range| text.get(range));
    sentences.filter_map(|sentence| {
        let key: Vec<String> = words(sentence).into_iter().map(|word| fold(word.text)).collect();
        (!key.is_empty()).then(|| (sentence, key.join(" ")))
    })
}
