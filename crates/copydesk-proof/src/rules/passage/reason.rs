//! The added reason: `because of a drop in orders`, where the passage gives no reason, or another.

use std::{ops::Range, sync::LazyLock};

use crate::{
    rules::{passage::sentence::AlignedSentence, prelude::*},
    sources::content,
};

pub static RULE: Rule = Rule {
    name: "cause.unfounded",
    kind: SpanKind::Certainty,
    standing: Standing::NotFound,
    why: "The passage does not give this reason.",
    source: "What follows because, due to, thanks to, as a result of, blamed on and the like must stand in the passage.",
    measured: Some(Measured { right: 5, of: 6, on: SUMMARIES }),
    ..Rule::USUAL
};

/// Words that begin a reason; the reason follows.
static BEGIN: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("../../../../../assets/words/beginning_reasons.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect()).collect()
});

/// Words that give a reason in a source.
static GIVES: WordList = words(
    "because since due owing thanks result results resulted resulting led cause causes caused causing therefore reason reasons why \
     lack prompted driven reflect reflects reflecting reflected attributed attributable arose arises arising stems stemmed stemming blamed explains \
     explained",
);

/// The passage has so much of the rest of the sentence, at least.
const REST: f64 = 0.5;

/// And less than so much of the reason.
const REASON: f64 = 0.35;

/// A sentence elsewhere that gives a reason and has so much of it gives this one.
const GIVEN: f64 = 0.65;

/// So many passages are asked for what the reason is given for.
const PASSAGES: usize = 4;

/// The reason is of something within so many words.
const REACH: usize = 14;

/// The reason may stand in so many sentences before and behind; in another paragraph, in one less.
const BESIDE: usize = 2;

/// A reason has so many words at most.
const LONGEST: usize = 16;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.looks(&RULE) {
        return;
    }
    let archive = sentence.archive;
    for (at, _) in sentence.own() {
        let Some(begin) = BEGIN.iter().find(|words| {
            words.iter().enumerate().all(|(offset, word)| sentence.token(at + offset).is_some_and(|t| t.word == *word))
        }) else {
            continue;
        };
        let range = reason(sentence, at, begin.len());
        let said = at + begin.len()..range.end;
        let near = at.saturating_sub(REACH)..range.end + REACH;
        let (said, near, whole) = (&said, &near, &range);
        let words = |inside: bool| {
            sentence.alignment.words.iter().filter(move |word| {
                if inside { said.contains(&word.at) } else { near.contains(&word.at) && !whole.contains(&word.at) }
            })
        };
        // The passages are those of what is said to have this reason: the reason's own words would lead to others.
        let asked: Vec<Token> = words(false).filter_map(|word| sentence.token(word.at)).cloned().collect();
        let lines = archive.passages(&content(&asked), PASSAGES).into_iter().map(|hit| hit.place);
        let share = |inside: bool, place: SourceLine| {
            let tokens = archive.tokens(place);
            let held = |token: &Token| {
                let like = archive.alike(token);
                tokens.iter().any(|other| other.stem == token.stem || like.contains(&other.stem_id))
            };
            let total: f64 = words(inside).map(|word| word.weight).sum();
            let own = words(inside).filter(|word| sentence.token(word.at).is_some_and(held));
            own.map(|word| word.weight).sum::<f64>() / total.max(f64::MIN_POSITIVE)
        };
        let lines: Vec<SourceLine> = lines.collect();
        let told: Vec<SourceLine> = lines
            .iter()
            .copied()
            .filter(|place| is_sentence(archive, *place) && share(false, *place) >= REST)
            .collect();
        let Some(place) = told.first().copied().filter(|_| words(true).next().is_some()) else { continue };
        // The sentences around each, in which the reason may stand.
        let around = told.iter().flat_map(|place| {
            let paragraph = archive.reading(*place).map_or(0..0, |reading| reading.paragraph(place.line));
            let own = move |line: &usize| line.abs_diff(place.line) < BESIDE || paragraph.contains(line);
            archive.window(*place, BESIDE).filter(own).map(|line| SourceLine { line, ..*place })
        });
        let tells = |place: SourceLine| archive.tokens(place).iter().any(|token| GIVES.contains(&token.word));
        let told_there = tells(place);
        let is_given = |place: SourceLine| {
            let least = if told_there || tells(place) { f64::MIN_POSITIVE } else { REASON };
            share(true, place) >= least
        };
        let mine = around.chain(lines.iter().copied()).any(is_given);
        // The same reason, given elsewhere: of something else, or of the same in other words.
        let reason: Vec<Token> = words(true).filter_map(|word| sentence.token(word.at)).cloned().collect();
        let elsewhere =
            archive.passages(&content(&reason), PASSAGES).into_iter().any(|hit| hit.cover >= GIVEN && tells(hit.place));
        if elsewhere || mine {
            continue;
        }
        if let Some(fault) = sentence.found(&RULE, whole.clone(), RULE.why.to_owned(), Some(place)) {
            ledger.enter(fault);
        }
    }
}

/// Whether a line is a sentence, and no heading.
fn is_sentence(archive: &SourceArchive<'_>, place: SourceLine) -> bool {
    let text = archive.reading(place).map_or("", |reading| reading.line_text(place.line));
    text.trim_end_matches(['"', '”', '’', ')']).ends_with(['.', '!', '?', ';', ':', ','])
}

/// The words of a reason, from the word that begins it to the next mark.
fn reason(sentence: &AlignedSentence<'_, '_>, at: usize, begin: usize) -> Range<usize> {
    let reading = &sentence.field.reading;
    let mut end = (at + begin).min(sentence.range.end);
    while end < sentence.range.end && end - at < LONGEST {
        let gap = sentence.token(end - 1).zip(sentence.token(end));
        let gap = gap.map_or("", |(one, two)| reading.slice(one.end..two.start));
        if gap.contains([',', ';', ':', '(', ')', '–', '—', '"', '“', '”']) {
            break;
        }
        end += 1;
    }
    at..end
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The ferry line stopped its evening service in March.\n\nThe town bought two snow ploughs.\n\nThe captain left \
                          because the engine had failed twice.\n\nThe old mill opened again in June.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "cause.unfounded");
        found.map(|found| (found.rule, found.text)).collect()
    }

    #[test]
    fn a_reason_that_no_passage_gives_is_found() {
        for (draft, reason) in [
            (
                "The ferry line stopped its evening service in March because passengers had complained about prices.",
                "because passengers had complained about prices",
            ),
            (
                "Citing a dispute with the union, the ferry line stopped its evening service in March.",
                "Citing a dispute with the union",
            ),
        ] {
            assert_eq!(found(draft), [("cause.unfounded".to_owned(), reason.to_owned())], "{draft}");
        }
    }

    #[test]
    fn a_reason_is_given_in_other_words() {
        let source = "Expenditure stood at £214,600 against a profile of £231,000; the underspend arose from the vacant groundsman's post.";
        let draft = "Spending was below plan because the post of groundsman remains vacant.";
        assert!(check_texts(draft, source).into_iter().all(|found| found.rule != "cause.unfounded"));
    }

    #[test]
    fn a_reason_that_the_passage_gives_may_stand() {
        for fine in
            ["The captain left because the engine had failed twice.", "The captain left owing to a failed engine."]
        {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
