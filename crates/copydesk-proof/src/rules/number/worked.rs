//! Arithmetic in words: `a third less`, `two-thirds of those`. The figures beside it decide.
//!
//! Why: such a sum needs no source that says it, and no search finds it wrong. A reader with a pencil does.

use crate::{
    reading::grammar::Grammar,
    rules::{number::absent::SMALL, prelude::*},
    sources::{
        companions, counted, figures_at,
        lasted::{Lasting, lasted, length_told},
    },
};
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "number.worked",
    why: "The figures do not work out to this.",
    source: "A share, a change or a multiple, worked out from the draft's or the passage's own figures.",
    measured: Some(Measured { right: 14, of: 14, on: SUMMARIES }),
    ..Rule::FIGURE
};

/// A share may be off by so much of itself.
const ROUND: f64 = 0.15;

/// The share and its figure stand so close together.
const CLOSE: usize = 6;

/// Words that say that the first of two is larger, or smaller.
static MORE: WordList = words("more higher larger greater bigger");
static LESS: WordList = words("less lower smaller fewer");

/// What a sentence works out wrong.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let own = sentence.figures().iter().filter(|figure| !sentence.quotes(figure));
    let faults = own.filter_map(|figure| match figure.kind {
        FigureKind::Fraction => changed(sentence, figure).or_else(|| share(sentence, figure)),
        FigureKind::Percent => changed(sentence, figure),
        FigureKind::Count => lasting(sentence, figure),
        _ => None,
    });
    faults.collect()
}

/// Whether a passage of the sentence has the share itself.
fn stated(sentence: &DraftSentence<'_>, share: &Figure, places: impl IntoIterator<Item = SourceLine>) -> bool {
    let mut figures = places.into_iter().flat_map(|place| figures_at(sentence.archive, place));
    figures.any(|theirs| theirs.same(share))
}

/// `About two-thirds of those admitted, 6,715,` where the sentence before has 12,843 admitted.
fn share(sentence: &DraftSentence<'_>, share: &Figure) -> Option<Fault> {
    let &DraftSentence { reading, line, .. } = sentence;
    let next = reading.tokens.get(share.tokens.end)?;
    if !matches!(next.word.as_str(), "of" | "as") || next.line != line {
        return None;
    }
    let part = companions(reading, share).find(|other| {
        let (first, second) = if other.start < share.start { (*other, share) } else { (share, *other) };
        let gap = first.tokens.end..second.tokens.start;
        let set_off = reading.slice(first.end..second.start).contains(',');
        let grammar = reading.grammar(line);
        let told = gap.clone().any(|at| matches!(grammar.tag(at), Tag::Present | Tag::Past) && !owned(grammar, at));
        let counted = matches!(other.kind, FigureKind::Money(_) | FigureKind::Count);
        counted && set_off && gap.len() <= CLOSE && !told
    })?;
    let before = line.checked_sub(1).and_then(|line| reading.lines.get(line)).map_or(0, |line| line.start);
    let wholes = reading.figures_between(before, part.start).iter();
    // Twenty minutes are no part of 29 years.
    let another = |whole: &Figure| {
        counted(reading, whole).zip(counted(reading, part)).is_some_and(|(one, other)| one.stem != other.stem)
    };
    let wholes: Vec<&Figure> =
        wholes.filter(|whole| whole.comparable(part) && whole.value > part.value && !another(whole)).collect();
    let whole = *wholes.last()?;
    let fits = |whole: &&Figure| (part.value / whole.value - share.value).abs() <= ROUND * share.value;
    if wholes.iter().any(fits) || stated(sentence, share, sentence.places()) {
        return None;
    }
    let shown = |figure: &Figure| one_line(reading.slice(figure.start..figure.end));
    let note = format!("{} are {:.0} per cent of {}.", shown(part), 100.0 * part.value / whole.value, shown(whole));
    Some(sentence.found(&RULE, share.start..share.end, note, None))
}

/// A change that is told in per cent is off by at most so much of itself, or by so much.
const EXACT: f64 = 0.05;
const POINT: f64 = 0.006;

/// Words that lead from one amount to the other.
static LEADS: WordList = words("instead against from to compared after up down rather not");

/// `$100,000 instead of $75,000, a quarter more`: the sentence has two amounts before the share, and no others.
fn changed(sentence: &DraftSentence<'_>, share: &Figure) -> Option<Fault> {
    let &DraftSentence { archive, reading, .. } = sentence;
    let end = share.tokens.end;
    let more = MORE.contains(sentence.word(end));
    if !more && !LESS.contains(sentence.word(end)) || sentence.word(end + 1) == "than" {
        return None;
    }
    let amount = |figure: &&Figure| match figure.kind {
        FigureKind::Money(_) => true,
        FigureKind::Count => figure.value > SMALL,
        _ => false,
    };
    let amounts: Vec<&Figure> = sentence.figures().iter().filter(amount).collect();
    let [one, two] = amounts.as_slice() else { return None };
    let (low, high) = (one.value.min(two.value), one.value.max(two.value));
    if !one.comparable(two) || two.start > share.start || low <= 0.0 {
        return None;
    }
    // "340 children and 120 adults" are no change.
    let between = reading.between(one.end, two.start);
    if !between.iter().any(|token| LEADS.contains(&token.word)) {
        return None;
    }
    let told = share.share()?;
    let off = if share.kind == FigureKind::Percent { POINT.max(EXACT * told) } else { ROUND * told };
    let is = (high - low) / if more { low } else { high };
    let places: Vec<SourceLine> = sentence.alignment().windows.iter().map(|window| window.place).collect();
    if (is - told).abs() <= off || stated(sentence, share, places) {
        return None;
    }
    let shown = |figure: &Figure| one_line(reading.slice(figure.start..figure.end));
    let note = format!("From {} to {} is a change of {:.0} per cent.", shown(two), shown(one), 100.0 * is);
    let place = archive.equal(one).first().map(|(place, _)| *place);
    Some(sentence.found(&RULE, share.start..share.end, note, place))
}

/// `A 36-minute call`, where the source begins at 11:05 and ends at 11:31.
fn lasting(sentence: &DraftSentence<'_>, figure: &Figure) -> Option<Fault> {
    let archive = sentence.archive;
    let minutes = length_told(sentence.reading, figure)?;
    if !archive.equal(figure).is_empty() {
        return None;
    }
    let all: Vec<Lasting<'_>> = archive.readings.iter().enumerate().filter_map(|(at, text)| lasted(at, text)).collect();
    let [only] = all.as_slice() else { return None };
    let source = archive.readings.get(only.source)?;
    let shown = |figure: &Figure| one_line(source.slice(figure.start..figure.end));
    let note = format!("The source goes from {} to {}: {} minutes.", shown(only.from), shown(only.to), only.minutes);
    let place = SourceLine { source: only.source, line: source.line_of(&only.to.tokens) };
    (!only.fits(minutes)).then(|| sentence.found(&RULE, figure.start..figure.end, note, Some(place)))
}

/// Whether a word in the past tense describes a noun: `those admitted`.
fn owned(grammar: &Grammar, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| grammar.tag(before) == Tag::Determiner || grammar.tag(before).is_noun())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The harbour fund has revenues of $10.8 million and expenses of $12.2 million. Of 4,800 sailors who applied, 1,200 were \
                          licensed.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "number.worked");
        found.map(|found| (found.text, found.note)).collect()
    }

    #[test]
    fn what_does_not_work_out_is_found() {
        let one = |text: &str, note: &str| [(text.to_owned(), note.to_owned())];
        assert_eq!(
            found("Some 4,800 sailors applied. Two-thirds of those, 1,200, were licensed."),
            one("Two-thirds", "1,200 are 25 per cent of 4,800.")
        );
        assert_eq!(
            found("The fund spent $10.8 million instead of $12.2 million, a third less."),
            one("a third", "From $12.2 million to $10.8 million is a change of 11 per cent.")
        );
    }

    #[test]
    fn what_works_out_may_stand() {
        for fine in [
            "Some 4,800 sailors applied. A quarter of those, 1,200, were licensed.",
            "Some 4,800 sailors applied. A half of the 2,400 on the list, the clerk said on a day when 1,200 came, were late.",
            "The fund spent $12.2 million instead of $9.1 million, a third more.",
            "The fund spent $12.2 million instead of $9.1 million, a third more than the school.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
