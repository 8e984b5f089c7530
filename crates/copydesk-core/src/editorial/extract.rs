//! The fact sheet of a run without a writer: what the draft takes from its sources, each with its line, and what the draft leaves out.
//! It names who, when, figures and quotations. Rules make such a draft, of the sources' own sentences. It is notes until a person writes in it.

use std::collections::HashSet;

use super::{decisions, listed::is_listed};
use copydesk_newsroom::{Choice, Entry, Journal, Step, Usage};
use copydesk_proof::{TextFact, TextFactKind, facts};
use copydesk_text::{
    sanitise::one_line,
    sentences::{is_unnamed_speaker, sentences, speaker},
    words::{fold, words},
};

/// Fewest words of a sentence that counts.
const LEAST: usize = 4;

/// The parts of a fact sheet, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
pub enum FactKind {
    /// A sentence of the sources that the draft has.
    #[strum(serialize = "What:")]
    What,
    #[strum(serialize = "Who:")]
    Who,
    #[strum(serialize = "When:")]
    When,
    #[strum(serialize = "Figures:")]
    Figure,
    /// A quotation, or the words of a speaker, that the draft has.
    #[strum(serialize = "Said:")]
    Said,
    /// A sentence of the sources that the draft does not have.
    #[strum(serialize = "Left out:")]
    LeftOut,
}

impl FactKind {
    /// All parts.
    pub const ALL: [Self; 6] = [Self::What, Self::Who, Self::When, Self::Figure, Self::Said, Self::LeftOut];

    /// All but the sentences of the draft, for a page that shows the draft beside them.
    pub const BESIDE_DRAFT: [Self; 5] = [Self::Who, Self::When, Self::Figure, Self::Said, Self::LeftOut];
}

/// A line of the fact sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub kind: FactKind,
    /// In one line.
    pub text: String,
    /// `line 4`; with several sources also the name.
    pub place: String,
}

/// The fact sheet of the draft of a run without a writer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extract {
    /// Sentences of the sources that the draft has.
    pub used: usize,
    /// The facts, each once, in the order of the sources.
    pub facts: Vec<Fact>,
}

impl Extract {
    /// Of the draft of a round. None if the run has a writer, a person wrote in the draft, or there is no such draft.
    pub fn of(journal: &Journal, round: u32) -> Option<Self> {
        let draft = journal.draft(round).filter(|_| is_untouched(journal, round))?;
        let article = &draft.article;
        let said = key(&format!("{} {} {}", article.headline, article.description, article.articleBody));
        let mut extract = Self::default();
        let sources = journal.sources();
        for source in &sources {
            let known = facts(&source.text);
            let people: Vec<&str> = known
                .iter()
                .filter(|fact| fact.kind == TextFactKind::Person)
                .filter_map(|fact| source.text.get(fact.range.clone()))
                .collect();
            let is_speaker = |label: &str| is_speakers(label, &people, &source.text);
            let labels: HashSet<&str> = source.text.lines().filter_map(|line| line.get(speaker(line)?)).collect();
            let place = |line: usize| match sources.len() {
                1 => format!("line {line}"),
                _ => format!("{}, line {line}", one_line(&source.name)),
            };
            for (line, number) in source.text.lines().zip(1..) {
                let label = speaker(line).filter(|label| line.get(label.clone()).is_some_and(is_speaker));
                let spoken = label.as_ref().and_then(|label| line.get(label.end..)).unwrap_or(line);
                for sentence in sentences(spoken).into_iter().filter_map(|range| spoken.get(range)) {
                    let sentence = sentence.trim_start_matches([':', ' ', '*', '_']);
                    let asks = sentence.trim_end_matches(['”', '"']).ends_with('?');
                    if asks || words(sentence).len() < LEAST {
                        continue;
                    }
                    let label = label.as_ref().and_then(|label| line.get(label.clone()));
                    let used = has_said(&said, sentence);
                    extract.used += usize::from(used);
                    let (kind, text) = match (used, label) {
                        (false, _) => (FactKind::LeftOut, one_line(sentence)),
                        (true, Some(label)) => (FactKind::Said, format!("{}: {}", one_line(label), one_line(sentence))),
                        // A sentence that quotes stands among the quotations.
                        (true, None) if sentence.contains(['“', '"']) => continue,
                        (true, None) => (FactKind::What, one_line(sentence)),
                    };
                    extract.facts.push(Fact { kind, text, place: place(number) });
                }
            }
            let starts: Vec<usize> =
                std::iter::once(0).chain(source.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
            let mut seen = HashSet::new();
            for fact in &known {
                let text = one_line(source.text.get(fact.range.clone()).unwrap_or_default());
                let by = fact.speaker.as_deref().filter(|by| !labels.contains(by) || is_speaker(by));
                let (kind, text) = match (fact.kind, by) {
                    (TextFactKind::Person, _) => (FactKind::Who, text),
                    (TextFactKind::Time, _) => (FactKind::When, text),
                    (TextFactKind::Figure, _) if is_hour(&source.text, fact) => (FactKind::When, text),
                    (TextFactKind::Figure, _) => (FactKind::Figure, text),
                    (TextFactKind::Quotation, by) => {
                        let own = key(&text);
                        let is_told = |told: &Fact| {
                            matches!(told.kind, FactKind::Said | FactKind::LeftOut) && key(&told.text).contains(&own)
                        };
                        // A sentence of the draft, or one that it leaves out, has it already.
                        if extract.facts.iter().any(is_told) {
                            continue;
                        }
                        let kind = if has_said(&said, &text) { FactKind::Said } else { FactKind::LeftOut };
                        match by {
                            Some(by) => (kind, format!("{}: “{text}”", one_line(by))),
                            None => (kind, format!("“{text}” (speaker not named beside it)")),
                        }
                    }
                };
                let number = starts.partition_point(|start| *start <= fact.range.start);
                if seen.insert((kind, text.to_lowercase())) {
                    extract.facts.push(Fact { kind, text, place: place(number) });
                }
            }
        }
        Some(extract)
    }

    /// Describes the sheet in a sentence.
    pub fn line(&self) -> String {
        let all = self.used + self.of_kind(FactKind::LeftOut).count();
        format!("A fact sheet, made without a model: {} of the {all} sentences of your notes.", self.used)
    }

    fn of_kind(&self, kind: FactKind) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(move |fact| fact.kind == kind)
    }

    /// The parts that have facts, each a heading with its lines, at most `most` facts of each. A last line counts the rest.
    pub fn parts(&self, kinds: &[FactKind], most: usize) -> Vec<(&'static str, Vec<String>)> {
        let part = |kind: &FactKind| {
            let shown = self.of_kind(*kind).take(most);
            let mut lines: Vec<String> = shown.map(|fact| format!("- {} ({})", fact.text, fact.place)).collect();
            let more = self.of_kind(*kind).count().saturating_sub(most);
            if more > 0 {
                lines.push(format!("- and {more} more"));
            }
            (!lines.is_empty()).then(|| (<&str>::from(kind), lines))
        };
        kinds.iter().filter_map(part).collect()
    }
}

/// Whether the label of a line names a speaker, and not the subject of a note such as `Damage:`. A speaker's label is a person's name,
/// is in capitals, has a number (`Speaker 2`), or stands before several lines.
fn is_speakers(label: &str, people: &[&str], text: &str) -> bool {
    let last = |name: &str| name.split_whitespace().next_back().map(fold);
    let is_person = last(label).is_some() && people.iter().any(|person| last(person) == last(label));
    let in_capitals = label.contains(char::is_alphabetic) && !label.contains(char::is_lowercase);
    let has_it = |line: &&str| speaker(line).and_then(|own| line.get(own)) == Some(label);
    is_person || in_capitals || is_unnamed_speaker(label) || text.lines().filter(has_it).count() > 1
}

/// Words before a figure that may be an hour.
const BEFORE_HOURS: &str = "about after around at before by since until";

/// Whether a figure without digits and without anything that it counts is an hour: `came at six`.
fn is_hour(text: &str, fact: &TextFact) -> bool {
    let own = text.get(fact.range.clone()).unwrap_or_default();
    let before = text.get(..fact.range.start).and_then(|head| head.split_whitespace().next_back());
    own.chars().all(char::is_alphabetic) && before.is_some_and(|word| is_listed(&fold(word), BEFORE_HOURS))
}

/// Whether the draft of a round is only what rules took from the sources: no person and no model has written in it.
pub fn is_untouched(journal: &Journal, round: u32) -> bool {
    // A run that was forked under another engine shares the drafts of a model.
    let writes = |entry: &Entry| matches!(entry.step, Step::Draft | Step::Write(_) | Step::Revise { .. });
    let by_model = || journal.entries().iter().any(|entry| writes(entry) && entry.usage != Usage::default());
    let is_draft = journal.draft(round).is_some();
    is_draft && journal.opening.extract && !by_model() && !(2..=round).any(|round| has_a_hand(journal, round))
}

/// Whether an editor wrote in the draft of a round, or a to-do of theirs changed it.
fn has_a_hand(journal: &Journal, round: u32) -> bool {
    let before = round.saturating_sub(1);
    let text = |round| journal.draft(round).map(|draft| &draft.article);
    decisions::is_by_hand(journal, round)
        || !decisions::to_dos(journal, before).is_empty() && text(before) != text(round)
}

/// The choice that signs the draft of a round. A fact sheet that nobody has edited is signed as notes.
pub fn signing(journal: &Journal, round: u32) -> Choice {
    Choice::SignOff { chain: String::new(), as_notes: is_untouched(journal, round) }
}

/// Whether the key of a draft has a text. The draft may put the speaker behind the words or between them: each part of it counts alone.
fn has_said(draft: &str, text: &str) -> bool {
    let parts = text.split(['“', '”', '"']);
    let mut told = parts.flat_map(|part| sentences(part).into_iter().filter_map(|range| part.get(range)));
    draft.contains(&key(text)) || told.all(|sentence| draft.contains(&key(sentence)))
}

/// The words of a text, folded, so that marks and line breaks do not matter.
fn key(text: &str) -> String {
    words(text).iter().map(|word| fold(word.text)).fold(" ".to_owned(), |mut all, word| {
        all.push_str(&word);
        all.push(' ');
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        choices::check,
        testing::{add, article, decide, go_on, opening},
    };
    use copydesk_newsroom::{ArticleReviewRaw, ArticleReviewResult, Draft, Gates, Opening, Outcome, Review};

    /// A draft that rules made, at its gate.
    fn made(source: &str, body: &str) -> Journal {
        let mut opening = Opening { extract: true, gates: Gates::Editor, ..opening() };
        opening.topic.source_text = source.into();
        let mut journal = Journal::new(opening);
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let raw = ArticleReviewRaw { markdown_bullets: String::new() };
        add(&mut journal, Step::Review { round: 1 }, Outcome::Review(Review::new(raw, Vec::new())));
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![] }));
        journal
    }

    #[test]
    fn a_quotation_whose_speaker_stands_elsewhere_in_the_draft_is_not_left_out() {
        let notes = "Ravi Anand, runs the bakery at the pier: \"I bake for the seven o'clock boat. No boat, no bread.\" He sells rolls there.";
        let body = "\"I bake for the seven o'clock boat,\" said Ravi Anand, runs the bakery at the pier. \"No boat, no bread.\"";
        let sheet = Extract::of(&made(notes, body), 1).unwrap();
        let of = |kind| sheet.of_kind(kind).map(|fact| fact.text.as_str()).collect::<Vec<_>>();
        assert_eq!(of(FactKind::LeftOut), ["He sells rolls there."]);
        assert_eq!(of(FactKind::Said), ["Ravi Anand: “I bake for the seven o'clock boat. No boat, no bread.”"]);
        assert_eq!(of(FactKind::Who), ["Ravi Anand"]);
    }

    #[test]
    fn a_fact_sheet_names_its_facts_with_their_lines_and_what_is_left_out() {
        let notes = "HOST: What does it cost the city?\nLOPEZ: The bridge closes on Monday. The repairs cost $4.2 million. Yes.\n\n\
                     Mayor Ada Roth signed the order on May 5, 2026.";
        let mut journal = made(notes, "“The bridge closes on Monday,” Lopez said.");
        let sheet = Extract::of(&journal, 1).unwrap();
        assert_eq!(sheet.line(), "A fact sheet, made without a model: 1 of the 3 sentences of your notes.");
        let part = |heading: &str| {
            let parts = sheet.parts(&FactKind::ALL, 9);
            parts.into_iter().find(|(of, _)| *of == heading).map(|(_, lines)| lines).unwrap_or_default()
        };
        assert_eq!(part("Said:"), ["- LOPEZ: The bridge closes on Monday. (line 2)"]);
        assert_eq!(part("Who:"), ["- Ada Roth (line 4)"]);
        assert_eq!(part("When:"), ["- May 5, 2026 (line 4)"]);
        assert_eq!(part("Figures:"), ["- $4.2 million (line 2)"]);
        assert_eq!(
            part("Left out:"),
            ["- The repairs cost $4.2 million. (line 2)", "- Mayor Ada Roth signed the order on May 5, 2026. (line 4)"]
        );
        let short = sheet.parts(&[FactKind::LeftOut], 1);
        assert_eq!(short[0].1[1], "- and 1 more");
        journal.opening.extract = false;
        assert_eq!(Extract::of(&journal, 1), None);
    }

    #[test]
    fn the_subject_of_a_note_speaks_nothing_and_nothing_is_told_twice() {
        let notes = "Damage: agent was not reached so no figure.\nChief Stephen Hask came at six. “We had flames through the roof,” \
                     Hask said.\nMaria Bell of Harden Lane: “I heard the glass go, and then the alarm.”";
        let journal =
            made(notes, "Damage: agent was not reached so no figure. “We had flames through the roof,” Hask said.");
        let sheet = Extract::of(&journal, 1).unwrap();
        let of = |kind| -> Vec<&str> { sheet.of_kind(kind).map(|fact| fact.text.as_str()).collect() };
        assert_eq!(of(FactKind::Said), ["Stephen Hask: “We had flames through the roof,”"]);
        assert!(of(FactKind::What).contains(&"Damage: agent was not reached so no figure."), "{:?}", sheet.facts);
        let left_out = of(FactKind::LeftOut);
        assert_eq!(left_out.iter().filter(|text| text.contains("heard the glass")).count(), 1, "{left_out:?}");
        assert!(of(FactKind::When).contains(&"six") && !of(FactKind::Figure).contains(&"six"), "{:?}", sheet.facts);
    }

    #[test]
    fn a_fact_sheet_is_signed_as_notes_and_an_article_after_an_edit() {
        let mut journal = made("The bridge closes on Monday.", "The bridge closes on Monday.");
        decide(&mut journal, 1, Choice::Continue);
        go_on(&mut journal);
        let sign = |as_notes| Choice::SignOff { chain: String::new(), as_notes };
        let refused = check(&journal, &sign(false)).unwrap_err().to_string();
        assert!(refused.starts_with("This is a fact sheet, not an article"), "{refused}");
        assert!(check(&journal, &sign(true)).is_ok() && signing(&journal, 1) == sign(true));
        let mut article = article("The bridge closes on Monday.");
        article.headline = "Bridge closes".into();
        decide(&mut journal, 1, Choice::Edit { article: article.clone() });
        let draft = Draft { article, stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
        assert!(!is_untouched(&journal, 2) && signing(&journal, 2) == sign(false));
        assert_eq!(Extract::of(&journal, 2), None, "what a person wrote in is no fact sheet");
        // A fork without a model shares the draft of one.
        let mut forked = Journal::new(journal.opening.clone());
        let usage = Usage { prompt_tokens: Some(9), ..Usage::default() };
        let first = journal.entries()[0].clone();
        forked.push(Entry { usage, ..first });
        assert!(is_untouched(&journal, 1) && !is_untouched(&forked, 1));
        assert!(!is_untouched(&Journal::new(journal.opening.clone()), 0), "nothing is written yet");
    }
}
