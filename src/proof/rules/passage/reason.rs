//! The added reason: `because of a drop in orders`, where the passage gives no reason, or another.

use std::ops::Range;

use crate::proof::rules::{passage::sentence::AlignedSentence, prelude::*};

pub static RULE: Rule = Rule {
    name: "cause.unfounded",
    kind: SpanKind::Certainty,
    standing: Standing::NotFound,
    why: "The passage does not give this reason.",
    source: "What follows because, due to, thanks to, as a result of, blamed on and the like must stand in the passage.",
    measured: Some(Measured { right: 5, of: 6, on: SUMMARIES }),
    ..Rule::USUAL
};

/// The same, if only some of the reason is missing.
pub static DISTANT: Rule = Rule {
    name: "cause.distant",
    gravity: Gravity::Note,
    why: "No sentence of the passage has this reason whole.",
    measured: Some(Measured { right: 7, of: 14, on: SUMMARIES }),
    ..RULE
};

/// Words that begin a reason, each with the words right behind it; the reason follows.
static BEGIN: [&[&str]; 34] = [
    &["because"],
    &["due", "to"],
    &["owing", "to"],
    &["thanks", "to"],
    &["as", "a", "result", "of"],
    &["on", "account", "of"],
    &["in", "response", "to"],
    &["in", "protest", "at"],
    &["in", "protest", "against"],
    &["in", "order", "to"],
    &["in", "a", "bid", "to"],
    &["in", "an", "effort", "to"],
    &["in", "an", "attempt", "to"],
    &["in", "light", "of"],
    &["in", "view", "of"],
    &["for", "fear", "of"],
    &["out", "of", "concern"],
    &["out", "of", "fear"],
    &["prompted", "by"],
    &["caused", "by"],
    &["driven", "by"],
    &["spurred", "by"],
    &["triggered", "by"],
    &["forced", "by"],
    &["fuelled", "by"],
    &["fueled", "by"],
    &["blamed", "on"],
    &["attributed", "to"],
    &["stemming", "from"],
    &["amid"],
    &["citing"],
    &["fearing"],
    &["hoping"],
    &["blaming"],
];

/// Words that give a reason in a source.
static GIVES: WordList = words(
    "because since due owing thanks result results resulted resulting led cause causes caused causing therefore reason reasons why \
     prompted driven reflect reflects reflecting reflected attributed attributable",
);

/// The passage has so much of the rest of the sentence, at least.
const REST: f64 = 0.5;

/// And less than so much of the reason.
const REASON: f64 = 0.35;

/// Less than so much is some of it.
const SOME: f64 = 0.5;

/// The reason may stand in so many sentences before and behind.
const BESIDE: usize = 2;

/// A reason has so many words at most.
const LONGEST: usize = 16;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.looks(&RULE) {
        return;
    }
    for (at, _) in sentence.own() {
        let Some(begin) = BEGIN.iter().find(|words| {
            words.iter().enumerate().all(|(offset, word)| sentence.token(at + offset).is_some_and(|t| t.word == *word))
        }) else {
            continue;
        };
        let Some(passage) = sentence.passages.first() else { return };
        let range = reason(sentence, at, begin.len());
        let said = at + begin.len()..range.end;
        let archive = sentence.archive;
        let lines = archive.window(passage.place, BESIDE);
        let stands = |tokens: &[&Token], at: usize| {
            sentence.token(at).is_some_and(|token| {
                let like = archive.alike(token);
                tokens.iter().any(|other| other.stem == token.stem || like.contains(&other.stem_id))
            })
        };
        let share = |inside: bool, tokens: &[&Token]| {
            let words = sentence
                .alignment
                .words
                .iter()
                .filter(|word| if inside { said.contains(&word.at) } else { !range.contains(&word.at) });
            let words: Vec<_> = words.collect();
            let total: f64 = words.iter().map(|word| word.weight).sum();
            let held: f64 = words.iter().filter(|word| stands(tokens, word.at)).map(|word| word.weight).sum();
            (held, total)
        };
        let of_line = |line: usize| archive.tokens(SourceLine { line, ..passage.place }).iter().collect::<Vec<_>>();
        let mine = lines
            .clone()
            .map(|line| share(true, &of_line(line)))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .unwrap_or_default();
        let rest = share(false, &of_line(passage.place.line));
        let gives = passage.words.iter().any(|token| GIVES.contains(&token.word));
        let rule = if mine.0 < if gives { f64::MIN_POSITIVE } else { REASON * mine.1 } { &RULE } else { &DISTANT };
        if mine.1 > 0.0
            && rest.1 > 0.0
            && mine.0 < SOME * mine.1
            && rest.0 >= REST * rest.1
            && let Some(fault) = sentence.found(rule, range, rule.why.to_owned(), Some(passage.place))
        {
            ledger.enter(fault);
        }
    }
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
    use crate::proof::trial::check_texts;

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
    fn a_reason_that_the_passage_gives_may_stand() {
        for fine in
            ["The captain left because the engine had failed twice.", "The captain left owing to a failed engine."]
        {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
