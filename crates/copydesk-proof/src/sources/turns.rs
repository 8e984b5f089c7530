//! Who speaks each sentence of a source, as its labels and its headings tell.
//!
//! A label (`VOSS:`, `The Prime Minister:`) holds until the next one, over paragraphs. A heading ends it. A heading can itself name who
//! speaks below: `Statement of Ana Reyes`, `Justice Berg, dissenting.`

use std::ops::Range;

use foldhash::HashMap;

use crate::{
    reading::{Name, ParsedText, Roster, Token, shouted},
    words::{WordList, base, entries, is_title, names::NO_PERSON, nicknames::is_first_name, words},
};

use copydesk_text::sentences::is_unnamed_speaker;

/// A text with at least so many labels is a transcript: a label holds until the next one.
const TRANSCRIPT: usize = 3;

/// A heading that says whose words follow has at most so many words.
const HEADING: usize = 40;

/// A name stands at most so many words from the head of such a heading.
const HEAD: usize = 6;

/// A label of at most so many capital letters can be the initials of a person.
const INITIALS: usize = 3;

/// Whose words follow a heading with `of` or `by`.
static SPEECHES: WordList = words("statement testimony remarks speech address keynote");

/// Words for a judge's part, in the line above an opinion.
static OPINIONS: WordList = words("delivered announced dissenting concurring dissents concurs filed");

/// Offices that a label names instead of a person.
pub static CHAIRS: WordList = words("speaker moderator operator interviewer court witness clerk chair presenter host");

/// Who speaks each sentence of a source.
#[derive(Debug, Default)]
pub struct SpokenTurns {
    voices: Vec<Name>,
    /// The number of each sentence's voice; 0 if the source leaves it open.
    lines: Vec<usize>,
    /// The number of each voice, by its words.
    numbers: HashMap<Vec<String>, usize>,
    /// Whether it is a letter that quotes the one it answers.
    pub letter: bool,
}

impl SpokenTurns {
    pub fn of(reading: &ParsedText<'_>, names: &[Name], roster: &Roster) -> Self {
        let mut turns = Self { lines: Vec::with_capacity(reading.lines.len()), ..Self::default() };
        let transcript = reading.labels.len() >= TRANSCRIPT;
        let again = Repeated::of(reading, names);
        // One alone may be "Q Magazine".
        let questions =
            !reading.labels.is_empty() || (0..reading.lines.len()).filter(|line| asks(reading, *line)).nth(1).is_some();
        let (mut label, mut section, mut paragraph) = (0, 0, usize::MAX);
        for (at, line) in reading.lines.iter().enumerate() {
            if line.paragraph != paragraph {
                paragraph = line.paragraph;
                if let Some(own) = reading.label(at) {
                    let voice = of_label(reading, names, roster, &again, own);
                    label = voice.map_or(0, |voice| turns.number(voice));
                } else if questions && asks(reading, at) {
                    label = turns.number(questioner());
                } else if let Some(voice) = of_heading(reading, names, at) {
                    section = turns.number(voice.clone());
                    label = 0;
                } else if reading.heads(at) {
                    label = 0;
                    // "II" is a part of the same opinion.
                    if line.tokens.len() > 1 {
                        section = 0;
                    }
                } else if !transcript {
                    label = 0;
                }
            }
            turns.lines.push(if label > 0 { label } else { section });
        }
        turns.answers(reading, names);
        turns
    }

    /// Gives the lines of a letter that begin with `>` to the one who `wrote:` them, and the others to its sender.
    fn answers(&mut self, reading: &ParsedText<'_>, names: &[Name]) {
        let depth = |start: usize| {
            let begin = reading.text.get(..start).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
            let marks = reading.text.get(begin..).unwrap_or_default().chars().take_while(|c| matches!(c, '>' | ' '));
            marks.filter(|c| *c == '>').count()
        };
        let mut writers: Vec<(usize, usize, Option<&Name>)> = Vec::new();
        let (mut start, mut last) = (0, 0);
        for line in reading.text.split_inclusive('\n') {
            let bare = line.trim_start_matches(['>', ' ', '*']);
            let (sent, wrote) = (bare.starts_with("From:"), line.trim_end().ends_with(" wrote:"));
            if sent || wrote {
                // A mail program may cut "On Monday, Ana Reyes wrote:" in two.
                let begins = if sent || bare.starts_with("On ") { start } else { last };
                let behind = start + line.len();
                let mut own = names.iter().filter(|name| begins <= name.start && name.end <= behind);
                let name = own.rfind(|name| name.personal() && name.words.len() > 1);
                let below = reading.text.get(behind..).map_or(0, |rest| rest.len() - rest.trim_start().len());
                let quoted = if sent { depth(start) } else { depth(behind + below) };
                writers.push((behind, quoted, name));
            }
            (last, start) = (start, start + line.len());
        }
        self.letter =
            writers.iter().any(|(_, quoted, _)| *quoted > 0) && writers.iter().all(|writer| writer.2.is_some());
        if self.letter {
            let numbers: Vec<usize> =
                writers.iter().filter_map(|(_, _, name)| Some(self.number((*name)?.clone()))).collect();
            for (own, line) in self.lines.iter_mut().zip(&reading.lines) {
                let first = reading.tokens.get(line.tokens.start).map_or(line.start, |token| token.start);
                let here = writers.iter().rposition(|(from, quoted, _)| *from <= first && *quoted == depth(first));
                *own = here.and_then(|at| numbers.get(at)).copied().unwrap_or(0);
            }
        }
    }

    fn number(&mut self, voice: Name) -> usize {
        if let Some(known) = self.numbers.get(&voice.words) {
            return *known;
        }
        self.numbers.insert(voice.words.clone(), self.voices.len() + 1);
        self.voices.push(voice);
        self.voices.len()
    }

    /// Who speaks a sentence.
    pub fn voice(&self, line: usize) -> Option<&Name> {
        self.voices.get(self.lines.get(line)?.checked_sub(1)?)
    }

    /// Everybody who has a turn.
    pub fn voices(&self) -> &[Name] {
        &self.voices
    }
}

/// How often each label stands in a text, and whom the text names behind a label without a name: `Witness 1 is Ana Reyes.`
struct Repeated<'a>(HashMap<&'a str, usize>, HashMap<&'a str, Name>);

/// Who says a name of their own does so in so many bytes behind the label.
const SAYS: usize = 30;

/// A text with more different labels is a list.
const INTRODUCED: usize = 40;

impl<'a> Repeated<'a> {
    fn of(reading: &ParsedText<'a>, names: &[Name]) -> Self {
        let mut counts = HashMap::default();
        for label in &reading.labels {
            *counts.entry(reading.slice(label.clone())).or_default() += 1;
        }
        let unnamed = counts.keys().copied().filter(|label| is_unnamed_speaker(label)).take(INTRODUCED);
        let introduced = unnamed.filter_map(|label| Some((label, introduced(reading, names, label)?))).collect();
        Self(counts, introduced)
    }
}

/// The full name that a text gives for a label: `Witness 1 is Ana Reyes`, `Ana Reyes (Witness 1)`.
fn introduced(reading: &ParsedText<'_>, names: &[Name], label: &str) -> Option<Name> {
    let full = |name: &&Name| name.personal() && name.words.len() > 1;
    // Names and labels stand in the order of the text, and a long transcript has a label in each line.
    let starting = |at: usize| {
        names.get(names.partition_point(|name| name.start < at)).filter(|name| name.start == at).filter(full)
    };
    let ending =
        |at: usize| names.get(names.partition_point(|name| name.end < at)).filter(|name| name.end == at).filter(full);
    let mut places = reading.text.match_indices(label).map(|(at, _)| at);
    places.find_map(|at| {
        let rest = reading.text.get(at + label.len()..)?;
        // "SPEAKER_02: I am Ana Reyes"
        let own = ["I am ", "I'm ", "I’m ", "My name is ", "my name is ", "This is "].iter().find_map(|words| {
            let line = rest.split('\n').next()?;
            line.find(words).filter(|place| *place <= SAYS).map(|place| at + label.len() + place + words.len())
        });
        let spoken = reading.labels.binary_search_by_key(&at, |other| other.start).is_ok();
        if let Some(name) = own.filter(|_| spoken).and_then(starting) {
            return Some(name.clone());
        }
        let behind = [" is ", " = ", "=", " was ", " – ", " - ", " ("].iter().find(|link| rest.starts_with(**link));
        let begin = behind.map(|link| at + label.len() + link.len());
        let before = [" is ", " = ", "=", " (", ", "].iter().find(|link| reading.slice(0..at).ends_with(**link));
        let end = before.map(|link| at - link.len());
        begin.and_then(starting).or_else(|| end.and_then(ending)).cloned()
    })
}

/// Whom a label names. "Buses:" is a heading: whoever speaks does so more than once, or is named elsewhere.
fn of_label(
    reading: &ParsedText<'_>,
    names: &[Name],
    roster: &Roster,
    again: &Repeated<'_>,
    label: &Range<usize>,
) -> Option<Name> {
    let written = reading.slice(label.clone());
    if written == "Q" {
        return Some(questioner());
    }
    // "SPEAKER_00" is not a name.
    if is_unnamed_speaker(written) {
        return again.1.get(written).cloned();
    }
    let repeated = again.0.get(written).is_some_and(|count| *count > 1);
    if let Some(office) = office(reading, label) {
        return Some(office).filter(|_| repeated);
    }
    if written.chars().filter(|c| c.is_alphabetic()).count() <= INITIALS && written == written.to_uppercase() {
        // "A:" answers "Q:".
        // One letter alone may count the points of a list.
        let person = written.len() > 1 || repeated && !(written == "A" && again.0.contains_key("Q"));
        if let Some(known) = roster.initialled(written).filter(|_| person) {
            return Some(known.name.clone());
        }
    }
    let first = names.partition_point(|name| name.end <= label.start);
    let name = names.get(first).filter(|name| name.start < label.end && name.personal())?;
    let loud = reading.tokens.get(name.tokens.clone())?.iter().all(|word| shouted(reading, word));
    // "Mark:" is Mark Rousskov; the word is in the dictionary, too.
    let given = name.words.len() == 1 && (roster.called(name.last()).is_some() || is_first_name(name.last()));
    // "MAIN STREET:" heads a list.
    if NO_PERSON.contains(name.last()) && !name.titled && !(loud && reading.labels.len() >= TRANSCRIPT) {
        return None;
    }
    // Captions set “>>” before the name of each new speaker, and before nothing else.
    let caption = reading.text.get(..label.start).is_some_and(|head| head.trim_end().ends_with(">>"));
    let person = name.titled || name.words.len() > 1 || !roster.of(name.last()).is_empty() || given || caption;
    (person || repeated && (loud || entries(name.last()).is_empty())).then(|| name.clone())
}

/// Whether a paragraph is a question whose asker has no name: `Q  Thank you. …`
fn asks(reading: &ParsedText<'_>, line: usize) -> bool {
    let text = reading.line_text(line);
    let rest = text.strip_prefix('Q').map(|rest| rest.trim_start_matches(['.', ':']));
    rest.is_some_and(|rest| {
        rest.starts_with([' ', '\t', '\u{A0}']) && rest.trim_start().starts_with(char::is_uppercase)
    })
}

/// An unnamed person who asks.
fn questioner() -> Name {
    let words = ["the", "questioner"].map(str::to_owned).to_vec();
    Name { words, ..Name::default() }
}

/// Whether what speaks is an office, and its holder is not named. No person's name begins with an article.
pub fn is_office(name: &Name) -> bool {
    name.words.first().is_some_and(|word| word == "the")
}

/// The office that a label names instead of a person: `The Prime Minister`, `THE CHAIRMAN`.
fn office(reading: &ParsedText<'_>, label: &Range<usize>) -> Option<Name> {
    let tokens = reading.words_between(label.start, label.end);
    let all = reading.tokens.get(tokens.clone())?;
    let holds = |token: &Token| is_title(&token.word) || CHAIRS.contains(&token.word);
    let named = all.first()?.word == "the" || all.iter().all(holds);
    let address = |token: &&Token| !matches!(token.word.as_str(), "the" | "mr" | "mrs" | "ms" | "madam");
    let words = all.iter().filter(address).map(|token| base(&token.word).to_owned());
    let words: Vec<String> = std::iter::once("the".to_owned()).chain(words).collect();
    let Range { start, end } = *label;
    let holds = named && words.len() > 1 && all.last().is_some_and(holds);
    holds.then_some(Name { tokens, start, end, words, ..Name::default() })
}

/// Whose words a heading says to follow.
fn of_heading<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize) -> Option<&'n Name> {
    let own = reading.lines.get(line)?;
    let tokens = reading.line_tokens(line);
    if tokens.len() > HEADING || reading.paragraph(line).len() > 1 {
        return None;
    }
    let first = names.partition_point(|name| name.start < own.start);
    let mut here = names.get(first..)?.iter().take_while(|name| name.end <= own.end).filter(|name| name.personal());
    let title = |token: &Token| is_title(&token.word);
    here.find(|name| {
        let before = reading.tokens.get(own.tokens.start..name.tokens.start).filter(|before| before.len() <= HEAD);
        let Some(before) = before else { return false };
        let opinion =
            name.titled && before.iter().all(title) && tokens.iter().any(|token| OPINIONS.contains(&token.word));
        let speech = before.iter().rposition(|token| matches!(token.word.as_str(), "of" | "by")).is_some_and(|of| {
            let (kind, titles) = (before.get(..of).unwrap_or_default(), before.get(of + 1..).unwrap_or_default());
            kind.iter().any(|token| SPEECHES.contains(&token.word)) && titles.iter().all(title)
        });
        let person = name.titled || name.first().is_some_and(is_first_name);
        // A sentence with an end is no heading.
        opinion || speech && person && !reading.line_text(line).trim_end().ends_with(['.', '!', '?'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::names;

    fn voices(text: &str) -> Vec<String> {
        let reading = ParsedText::new(text);
        let names = names(&reading);
        let roster = Roster::new([(&reading, names.as_slice())]);
        let turns = SpokenTurns::of(&reading, &names, &roster);
        let said = |at: usize| turns.voice(at).map_or_else(|| "-".to_owned(), |voice| voice.words.join(" "));
        (0..reading.lines.len()).map(said).collect()
    }

    #[test]
    fn a_label_holds_until_the_next_or_a_heading() {
        let text = "ANA REYES: It opens in March.\n\nWe have two wardens.\n\nTOM BERG: Good.\n\nANA REYES: Yes.\n\nAPPENDIX\n\nThe gate is old.";
        assert_eq!(voices(text), ["ana reyes", "ana reyes", "tom berg", "ana reyes", "-", "-"]);
        assert_eq!(voices("ANA REYES: It opens.\n\nWe have two wardens."), ["ana reyes", "-"]);
    }

    #[test]
    fn a_label_can_be_an_office_or_a_first_name() {
        let text = "Present: Mark Strand.\n\nThe Prime Minister: No.\n\nMark: Why?\n\nThe Prime Minister: It is late.\n\nBuses: none.";
        assert_eq!(voices(text), ["-", "the prime minister", "mark", "the prime minister", "-"]);
    }

    #[test]
    fn captions_mark_each_speaker() {
        assert_eq!(voices(">> BROOK: It is late.\n>> DALE: No."), ["brook", "dale"]);
        assert_eq!(voices("BROOK: It is late.\nDALE: No."), ["-", "-"]);
    }

    #[test]
    fn a_label_can_be_initials() {
        let key = "Key: TB = Tom Berg; AL = Ada Lie.\n\nTB: It is shut.\n\nAL: No.\n\nAR: Why?";
        assert_eq!(voices(key), ["-", "tom berg", "ada lie", "-"]);
        let letters =
            "We met Tom Berg and Ada Lie.\n\nB: It is shut.\n\nB: No.\n\nL: Why?\n\nQ: Who?\n\nA: He.\n\nA: She.";
        assert_eq!(voices(letters), ["-", "tom berg", "tom berg", "-", "the questioner", "-", "-"]);
        assert_eq!(voices("We met Tom Berg and Bo Lie.\n\nB: It is shut.\n\nB: No."), ["-", "-", "-"]);
    }

    #[test]
    fn an_answer_quotes_the_letter_before() {
        let head = "From: Eva Lie <lie@port.example>\nTo: Tom Berg\n\nIt is safe.\n\n";
        for wrote in [
            "On Sunday, Tom Berg <berg@dock.example> wrote:\n",
            "> On Sunday, Tom Berg\n> <berg@dock.example> wrote:\n>\n",
        ] {
            let said = voices(&format!("{head}{wrote}> It shakes.\n>> Is it new?"));
            assert!(said.contains(&"eva lie".to_owned()) && said.contains(&"tom berg".to_owned()), "{said:?}");
            assert_eq!(said.last().map(String::as_str), Some("-"), "{said:?}");
        }
        assert_eq!(voices(&format!("{head}> It shakes.")).last().map(String::as_str), Some("-"));
    }

    #[test]
    fn a_question_without_a_name_ends_a_turn() {
        let text = "MS. LIE: Last one.\n\nQ  Is it open? I doubt it.\n\nMS. LIE: Yes.\n\nMS. LIE: Thanks.";
        assert_eq!(voices(text), ["lie", "the questioner", "the questioner", "lie", "lie"]);
        assert_eq!(voices("Q Magazine wrote of it.\n\nThe pool is shut."), ["-", "-"]);
    }

    #[test]
    fn a_heading_says_whose_words_follow() {
        let court = "JUSTICE BERG delivered the opinion of the Court.\n\nThe gate is old.\n\nII\n\nIt falls.\n\nJUSTICE DAHL, with whom \
                     JUSTICE LIE joins, dissenting.\n\nThe gate is new.";
        assert_eq!(voices(court), ["berg", "berg", "berg", "berg", "dahl", "dahl"]);
        let speech = "Testimony of Thomas Berg, Harbour Master\n\nThe gate is old.";
        assert_eq!(voices(speech), ["thomas berg", "thomas berg"]);
        let report = format!("{speech}\n\nReport of the Harbour Office\n\nThe bar closes at noon.");
        assert_eq!(voices(&report), ["thomas berg", "thomas berg", "-", "-"]);
        assert_eq!(voices("The testimony of Thomas Berg was long.\n\nThe gate is old."), ["-", "-"]);
    }
}
