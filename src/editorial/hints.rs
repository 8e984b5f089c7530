//! Hints from earlier stories: which of them bear on a sentence, and how they are told.
//!
//! A hint is no witness. It stands beside the passages in a look-up and never among them. So neither the proof nor the
//! claims read it, no citation can name it, and evidence that quotes it is marked as found nowhere.

use serde::Serialize;

use crate::{
    newsroom::{EarlierHint, Journal, LearnedKind, Outcome, Step},
    text::{
        overlap::{Sentences, Stems},
        sanitise::{excerpt, one_line},
    },
};

/// Most hints of one kind for one sentence.
const MOST: usize = 2;

/// Claim and sentence share at least so many words, and that many in ten of the shorter one's.
const SHARED_WORDS: usize = 3;
const SHARED_IN_TEN: usize = 6;

/// Letters of a name to one that may be mistyped, and the most that may be.
const LETTERS_TO_A_SLIP: usize = 6;
const MOST_SLIPS: usize = 2;

/// Most characters of a hint's text.
const LONGEST: usize = 300;

/// What stands above hints, for models and people.
pub const HEADING: &str = "Hints from earlier stories (not evidence)";

/// What a sentence is asked for.
#[derive(Debug, Clone, Copy)]
pub struct HintSubject<'a> {
    pub sentence: &'a str,
    /// Names in it that the story's own sources do not have.
    pub names: &'a [String],
    /// Addresses of found sources that speak of it.
    pub addresses: &'a [String],
}

/// Of what the memory has, that which bears on a sentence: claims that say nearly the same, names that are nearly the same, the credibility of
/// its sources. The latest story speaks for a text.
#[must_use]
pub fn bearing(subject: HintSubject<'_>, mut found: Vec<EarlierHint>) -> Vec<EarlierHint> {
    found.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.story.cmp(&other.story)));
    let stems = Stems::of(subject.sentence);
    let bears = |hint: &EarlierHint| {
        let text = hint.learned.text.as_str();
        match hint.learned.kind {
            LearnedKind::Claim => {
                let shorter = stems.count().min(Stems::of(text).count());
                Sentences::of(text)
                    .nearest(&stems)
                    .first()
                    .is_some_and(|near| near.shared >= SHARED_WORDS && near.shared * 10 >= shorter * SHARED_IN_TEN)
            }
            LearnedKind::Name => subject.names.iter().any(|name| nearly(name, text)),
            LearnedKind::Source => subject.addresses.iter().any(|address| address == text),
        }
    };
    let mut kept: Vec<EarlierHint> = Vec::new();
    for hint in found {
        let of_kind = kept.iter().filter(|known| known.learned.kind == hint.learned.kind);
        if of_kind.clone().count() < MOST
            && of_kind.clone().all(|known| known.learned.text != hint.learned.text)
            && bears(&hint)
        {
            kept.push(hint);
        }
    }
    kept
}

/// Whether two names differ by a slip or two. The same name in other capitals is no other spelling.
fn nearly(name: &str, known: &str) -> bool {
    let (name, known) = (name.to_lowercase(), known.to_lowercase());
    let slips = (known.chars().count() / LETTERS_TO_A_SLIP).min(MOST_SLIPS);
    name != known
        && name.split_whitespace().count() == known.split_whitespace().count()
        && strsim::damerau_levenshtein(&name, &known) <= slips
}

/// A hint in a line, with its origin.
#[must_use]
pub fn line(hint: &EarlierHint) -> String {
    let EarlierHint { learned, story, at } = hint;
    let (text, source) = (excerpt(&one_line(&learned.text), LONGEST), excerpt(&one_line(&learned.source), LONGEST));
    let day = at.get(..10).unwrap_or(at);
    match learned.kind {
        LearnedKind::Claim => format!("{story}, {day}: “{text}” (matched {source})"),
        LearnedKind::Name => format!("{story}, {day}: the name “{text}” (as {source} spells it)"),
        LearnedKind::Source if learned.credibility.is_some_and(|score| score <= 0.0) => {
            format!("{story}, {day}: an editor distrusted {text} ({source})")
        }
        LearnedKind::Source => {
            let score = learned.credibility.map_or_else(|| "unknown".to_owned(), |score| format!("{score:.2}"));
            format!("{story}, {day}: {text} had credibility {score}")
        }
    }
}

/// The hints as a model reads them; empty if there are none.
#[must_use]
pub fn told(hints: &[EarlierHint]) -> String {
    if hints.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = hints.iter().map(|hint| format!("- {}", line(hint))).collect();
    format!(
        "\n\n{HEADING}. Other stories found this in their sources; it may be out of date, and it decides nothing. Do not cite or quote it.\n{}",
        lines.join("\n")
    )
}

/// The hints that a concern was given.
#[must_use]
pub fn of_concern(journal: &Journal, round: u32, concern: u32) -> &[EarlierHint] {
    journal.look_up(round, concern).map(|look_up| look_up.hints.as_slice()).unwrap_or_default()
}

/// The hints of a concern, for a program.
#[derive(Debug, Serialize)]
pub struct ConcernHints<'j> {
    pub round: u32,
    pub concern: u32,
    pub hints: &'j [EarlierHint],
}

/// Every concern of a run that was given hints.
#[must_use]
pub fn of_run(journal: &Journal) -> Vec<ConcernHints<'_>> {
    let looked_up = journal.entries().iter().filter_map(|entry| match (entry.step, &entry.outcome) {
        (Step::LookUp { round, concern }, Outcome::LookUp(look_up)) if !look_up.hints.is_empty() => {
            Some(ConcernHints { round, concern, hints: &look_up.hints })
        }
        _ => None,
    });
    looked_up.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newsroom::Learned;

    fn hint(kind: LearnedKind, text: &str, story: &str, day: u32) -> EarlierHint {
        let learned = Learned { kind, text: text.into(), source: "minutes.txt".into(), credibility: None };
        EarlierHint { learned, story: story.into(), at: format!("2026-10-{day:02}T12:00:00.000Z") }
    }

    fn bearing_on(sentence: &str, names: &[&str], found: Vec<EarlierHint>) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let addresses = ["https://town.example/minutes".to_owned()];
        bearing(HintSubject { sentence, names: &names, addresses: &addresses }, found).iter().map(line).collect()
    }

    #[test]
    fn only_what_bears_on_the_sentence_is_a_hint() {
        use LearnedKind::{Claim, Name, Source};
        let found = || {
            vec![
                hint(Claim, "The council of Eastbrook has nine members.", "desk/one", 1),
                hint(Claim, "The council of Eastbrook has nine members.", "desk/two", 2),
                hint(Claim, "The council met.", "desk/one", 1),
                hint(Name, "Inez Calloway", "desk/one", 1),
                hint(Source, "https://town.example/minutes", "desk/one", 1),
                hint(Source, "https://town.example/plan", "desk/one", 1),
            ]
        };
        assert_eq!(
            bearing_on("The Eastbrook council has eleven members, Inez Caloway said.", &["Inez Caloway"], found()),
            [
                "desk/two, 2026-10-02: “The council of Eastbrook has nine members.” (matched minutes.txt)",
                "desk/one, 2026-10-01: the name “Inez Calloway” (as minutes.txt spells it)",
                "desk/one, 2026-10-01: https://town.example/minutes had credibility unknown",
            ]
        );
        let others = bearing_on("Herons nest at the pond.", &["Inez Calloway", "Ines Galloway Roe"], found());
        assert_eq!(others.len(), 1, "{others:?}");
    }

    #[test]
    fn a_source_that_an_editor_distrusted_is_told_with_the_reason() {
        let mut of = hint(LearnedKind::Source, "https://town.example/minutes", "desk/one", 1);
        of.learned.credibility = Some(0.34);
        assert!(line(&of).ends_with("https://town.example/minutes had credibility 0.34"));
        (of.learned.credibility, of.learned.source) = (Some(0.0), "The minutes were forged.".into());
        assert_eq!(
            line(&of),
            "desk/one, 2026-10-01: an editor distrusted https://town.example/minutes (The minutes were forged.)"
        );
    }

    #[test]
    fn a_name_is_nearly_another_by_a_slip_or_two_and_no_more() {
        for (one, other, near) in [
            ("Inez Caloway", "Inez Calloway", true),
            ("Ines Caloway", "Inez Calloway", true),
            ("INEZ CALLOWAY", "Inez Calloway", false),
            ("Ana Ray", "Ann Roy", false),
            ("Inez Holloway", "Inez Calloway", true),
            ("Inez Marie Calloway", "Inez Calloway", false),
        ] {
            assert_eq!(nearly(one, other), near, "{one}, {other}");
        }
    }

    #[test]
    fn hostile_text_of_an_earlier_story_is_one_short_line() {
        let told =
            told(&[hint(LearnedKind::Claim, &format!("a\n\nIgnore \u{1b}[1m{}", "x".repeat(900)), "desk/one", 1)]);
        let (head, last) = told.rsplit_once('\n').unwrap();
        assert!(head.starts_with("\n\nHints from earlier stories (not evidence)") && head.contains("Do not cite"));
        assert!(last.starts_with("- desk/one, 2026-10-01: “a Ignore ") && last.chars().count() < 400, "{last}");
        assert_eq!(super::told(&[]), "");
    }
}
