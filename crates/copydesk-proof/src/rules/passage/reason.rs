//! The added reason: `because of a drop in orders`, where the passage gives no reason, or another.

use crate::{rules::prelude::*, sources::content, words::list::WordGroups};

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
static BEGIN: WordGroups = WordGroups::new(include_str!("../../../../../assets/words/beginning_reasons.txt"));

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

pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let looks = sentence.ledger.looks(&RULE);
    sentence.own().filter(|_| looks).filter_map(|(at, _)| fault(sentence, at)).collect()
}

/// The fault of a reason that begins at a word, if its sentence has passages and none of them gives it.
fn fault(sentence: &DraftSentence<'_>, at: usize) -> Option<Fault> {
    let (archive, tokens, alignment) = (sentence.archive, &sentence.reading.tokens, sentence.alignment());
    let has = |(at, word): (usize, &str)| sentence.reading.word(at) == word;
    let begins = |words: &std::str::Split<'_, char>| (at..).zip(words.clone()).all(has);
    let begin = BEGIN.all().find(begins)?.count();
    let whole = reason(sentence, at, begin);
    let (said, near) = (at + begin..whole.end, at.saturating_sub(REACH)..whole.end + REACH);
    // The content words of the reason, or of what is said to have it.
    let words = |inside: bool| {
        let own = |at: &usize| if inside { said.contains(at) } else { near.contains(at) && !whole.contains(at) };
        let words = alignment.words.iter().filter(|word| own(&word.at));
        words.filter_map(|word| Some((tokens.get(word.at)?, word.weight))).collect::<Vec<(&Token, f64)>>()
    };
    let (reason, rest) = (words(true), words(false));
    let passages = |words: &[(&Token, f64)]| {
        let asked: Vec<Token> = words.iter().map(|(token, _)| (*token).clone()).collect();
        archive.passages(&content(&asked), PASSAGES)
    };
    // The passages are those of what is said to have this reason: the reason's own words would lead to others.
    let lines: Vec<SourceLine> = passages(&rest).into_iter().map(|hit| hit.place).collect();
    let share = |words: &[(&Token, f64)], place: SourceLine| {
        let there = archive.tokens(place);
        let held = |token: &Token| {
            let like = archive.alike(token);
            there.iter().any(|other| other.stem == token.stem || like.contains(&other.stem_id))
        };
        let total: f64 = words.iter().map(|(_, weight)| weight).sum();
        let own = words.iter().filter(|(token, _)| held(token));
        own.map(|(_, weight)| weight).sum::<f64>() / total.max(f64::MIN_POSITIVE)
    };
    let told = lines.iter().copied().filter(|place| is_sentence(archive, *place) && share(&rest, *place) >= REST);
    let told: Vec<SourceLine> = told.collect();
    let place = *told.first().filter(|_| !reason.is_empty())?;
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
        share(&reason, place) >= least
    };
    let mine = around.chain(lines.iter().copied()).any(is_given);
    // The same reason, given elsewhere: of something else, or of the same in other words.
    let elsewhere = || passages(&reason).into_iter().any(|hit| hit.cover >= GIVEN && tells(hit.place));
    if mine || elsewhere() {
        return None;
    }
    Some(sentence.found(&RULE, sentence.reading.span_of(&whole)?, RULE.why.to_owned(), Some(place)))
}

/// Whether a line is a sentence, and no heading.
fn is_sentence(archive: &SourceArchive<'_>, place: SourceLine) -> bool {
    let text = archive.reading(place).map_or("", |reading| reading.line_text(place.line));
    text.trim_end_matches(['"', '”', '’', ')']).ends_with(['.', '!', '?', ';', ':', ','])
}

/// The words of a reason, from the word that begins it to the next mark.
fn reason(sentence: &DraftSentence<'_>, at: usize, begin: usize) -> Range<usize> {
    let reading = sentence.reading;
    let mut end = (at + begin).min(sentence.range.end);
    while end < sentence.range.end && end - at < LONGEST {
        let gap = reading.tokens.get(end - 1).zip(reading.tokens.get(end));
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
