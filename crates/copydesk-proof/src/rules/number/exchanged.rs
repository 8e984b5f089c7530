//! Two figures of a sentence, each where the source has the other.
//!
//! Why: both are in the source, so that a search finds each of them, and often their words too. Only the words beside each show it.

use std::{cmp::Ordering, sync::Arc};

use foldhash::HashSet;

use crate::{
    binding::{belonging, tells, worth},
    rules::prelude::*,
    sources::{fitted, siblings},
};

pub static RULE: Rule = Rule {
    name: "number.exchanged",
    why: "The source has these two figures the other way round.",
    source: "What the draft says of the one the source says of the other, and hardly anything that it says of either stands where it should.",
    measured: Some(Measured { right: 3, of: 3, on: SUMMARIES }),
    ..Rule::FIGURE
};

/// A sentence with more figures is a list.
const PAIRED: usize = 10;

/// At most so many places of a value are compared.
const PLACES: usize = 12;

/// The two figures are in sentences so close together.
const CLOSE: usize = 10;

/// The words about the other figure weigh so much, at least, on both sides together.
const BOTH: f64 = 3.0;

/// And so many times what is said of the right one.
const OVER: f64 = 3.0;

/// Enters each pair of figures that was exchanged.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        let found = faults(&DraftSentence::new(ledger, field, index));
        for fault in found {
            ledger.enter(fault);
            // The words and the years beside them are now said of the wrong figure.
            ledger.doubt(field, item.start..item.end);
        }
    }
}

/// The pairs of figures of a sentence that were exchanged.
fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let figures = Some(sentence.figures()).filter(|figures| figures.len() <= PAIRED).unwrap_or_default();
    let pairs = figures.iter().enumerate().flat_map(|(at, one)| figures.iter().skip(at + 1).map(move |two| (one, two)));
    pairs.filter_map(|(one, two)| pair(sentence, one, two)).collect()
}

/// The finding from one figure to the other, if they were exchanged.
fn pair(sentence: &DraftSentence<'_>, one: &Figure, other: &Figure) -> Option<Fault> {
    let &DraftSentence { archive, reading, line, .. } = sentence;
    let gap = reading.slice(one.end..other.start);
    // "Sixty of the society's 1,312 jobs" are a part and its whole.
    let part = gap.trim_start().starts_with("of ") || gap.contains("out of");
    let range = part || matches!(gap.trim(), "to" | "and" | "or" | "-" | "–" | "—" | "‑" | "");
    if one.kind == FigureKind::Fraction
        || !one.comparable(other)
        || one.same(other)
        || sentence.quotes(one)
        || sentence.quotes(other)
        || range
        || one.partner.is_some()
    {
        return None;
    }
    let [first, second] = [one, other].map(|figure| archive.equal(figure));
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let said = [one, other].map(|figure| said(archive, reading, figure, belonging(reading, line, figure)));
    let mut best: Option<(f64, [SourceLine; 2], [&Figure; 2])> = None;
    for (place, theirs) in first.iter().take(PLACES) {
        for (beside, others) in second.iter().take(PLACES) {
            let apart = place.source != beside.source || place.line.abs_diff(beside.line) > CLOSE;
            // A tally of votes counts no things.
            let tally = theirs.partner.is_some() || others.partner.is_some();
            // In the order of two sentences of the source they hardly changed places.
            let in_order = place.line < beside.line;
            if apart || tally || in_order || theirs.start == others.start {
                continue;
            }
            let Some(source) = archive.reading(*place) else { continue };
            let [here, there] = [(place, *theirs), (beside, *others)].map(|(place, figure)| -> HashSet<u32> {
                let words = belonging(source, place.line, figure).into_iter();
                words.filter_map(|at| source.tokens.get(at)).map(|token| token.stem_id).collect()
            });
            let [one_straight, one_crossed] = told_apart(&said[0], &here, &there);
            let [other_crossed, other_straight] = told_apart(&said[1], &here, &there);
            let (straight, weight) = (one_straight + other_straight, one_crossed + other_crossed);
            if straight > 0.0 && straight >= weight {
                return None;
            }
            // A word for another may stand anywhere.
            let both = one_crossed > 0.0 && other_crossed > 0.0 && weight >= BOTH.max(straight * OVER);
            if both && best.as_ref().is_none_or(|best| best.0 < weight) {
                best = Some((weight, [*place, *beside], [*theirs, *others]));
            }
        }
    }
    let (_, [place, beside], [theirs, others]) = best?;
    let source = archive.reading(place)?;
    let shown = |reading: &ParsedText<'_>, figure: &Figure| one_line(reading.slice(figure.start..figure.end));
    let note = format!(
        "The source has these figures the other way round: {} for “{}”, and {} for “{}”.",
        shown(source, others),
        shown(reading, one),
        shown(source, theirs),
        shown(reading, other)
    );
    let [there, here] = [fitted(reading, one, reading, other), fitted(reading, other, reading, one)];
    let new = there.zip(here).map(|(first, last)| format!("{first}{gap}{last}"));
    Some(sentence.found(&RULE, one.start..other.end, note, Some(beside)).replacement(new))
}

/// A word that is said of a figure: its stem in the sources, those like it, and its weight.
struct FigureWord {
    stem: Option<u32>,
    like: Arc<HashSet<u32>>,
    weight: f64,
}

impl FigureWord {
    /// How surely some words have it: in itself, or in another word for it.
    fn held(&self, words: &HashSet<u32>) -> u8 {
        if self.stem.is_some_and(|stem| words.contains(&stem)) {
            2
        } else {
            u8::from(self.like.iter().any(|stem| words.contains(stem)))
        }
    }
}

fn said(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure, words: Vec<usize>) -> Vec<FigureWord> {
    let line = reading.line_of(&figure.tokens);
    let of_a_figure = |at: usize| siblings(reading, line).iter().any(|other| other.tokens.contains(&at));
    let words = words.into_iter().filter_map(|at| {
        let token = reading.tokens.get(at)?;
        let digits = token.word.starts_with(|c: char| c.is_ascii_digit()) && !token.quoted();
        let weight = match (of_a_figure(at), digits) {
            (true, true) => archive.weight(&token.stem),
            (false, false) if tells(token) => worth(archive, token),
            _ => return None,
        };
        Some(FigureWord { stem: archive.forms.stem(&token.stem), like: archive.alike(token), weight })
    });
    words.collect()
}

/// The weight of the words that only `one` has, and of those that only `other` has.
fn told_apart(said: &[FigureWord], one: &HashSet<u32>, other: &HashSet<u32>) -> [f64; 2] {
    said.iter().fold([0.0, 0.0], |[first, second], told| match told.held(one).cmp(&told.held(other)) {
        Ordering::Greater => [first + told.weight, second],
        Ordering::Less => [first, second + told.weight],
        Ordering::Equal => [first, second],
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{check::ledger, rule::Gravity, testing::texts};

    const SOURCE: &str = "The judgment requires the laboratory to pay $3,999,500 in civil penalties, $700,000 in costs, and $300,000 for a training \
                          project. Over 40 million masks were sewn and over 35 million masks mailed to schools. From 1981 to 1986 the rate of decay \
                          averaged 7.4 percent a year. Nobody knows why. The average rate of decay from 1987 to 1990 was 2.9 percent. They spent about \
                          90k on lamps (rather than the 60k we budgeted). The bus leaves Merrin at 6:10 p.m. and reaches Oxley at 7:45 p.m.";

    fn found(draft: &str) -> Vec<(String, String, Option<String>)> {
        let (article, sources) = texts(draft, SOURCE);
        let rows = ledger(&article, &sources, Gravity::Concern).rows.into_iter().filter(|row| row.rule == RULE.name);
        rows.map(|row| (row.text, row.note.unwrap_or_default(), row.replacement)).collect()
    }

    #[test]
    fn figures_that_were_exchanged_are_found() {
        for (draft, text, notes, new) in [
            (
                "The laboratory is to pay $3,999,500 in civil penalties, $300,000 in costs and $700,000 for a training project.",
                "$300,000 in costs and $700,000",
                "$700,000 for “$300,000”, and $300,000 for “$700,000”",
                "$700,000 in costs and $300,000",
            ),
            (
                "More than 40 million masks were mailed, which is a record, and more than 35 million were sewn.",
                "40 million masks were mailed, which is a record, and more than 35 million",
                "35 million for “40 million”, and 40 million for “35 million”",
                "35 million masks were mailed, which is a record, and more than 40 million",
            ),
            (
                "Decay averaged 2.9 percent a year from 1981 to 1986 but 7.4 percent from 1987 to 1990.",
                "2.9 percent a year from 1981 to 1986 but 7.4 percent",
                "7.4 percent for “2.9 percent”, and 2.9 percent for “7.4 percent”",
                "7.4 percent a year from 1981 to 1986 but 2.9 percent",
            ),
            (
                "The guild wants more money, after spending about $60,000 instead of the $90,000 that it had budgeted.",
                "$60,000 instead of the $90,000",
                "90k for “$60,000”, and 60k for “$90,000”",
                "$90,000 instead of the $60,000",
            ),
            (
                "The bus leaves Merrin at 7:45 p.m. and reaches Oxley at 6:10 p.m.",
                "7:45 p.m. and reaches Oxley at 6:10 p.m.",
                "6:10 p.m. for “7:45 p.m.”, and 7:45 p.m. for “6:10 p.m.”",
                "6:10 p.m. and reaches Oxley at 7:45 p.m.",
            ),
        ] {
            let note = format!("The source has these figures the other way round: {notes}.");
            assert_eq!(found(draft), [(text.to_owned(), note, Some(new.to_owned()))], "{draft}");
        }
    }

    #[test]
    fn figures_in_their_place_may_stand() {
        for fine in [
            "The laboratory is to pay $3,999,500 in civil penalties, $700,000 in costs and $300,000 for a training project.",
            "Some $300,000 goes to a training project, and $700,000 covers costs.",
            "More than 35 million masks were mailed, and more than 40 million were sewn.",
            "Decay averaged 2.9 percent a year from 1987 to 1990, against 7.4 percent from 1981 to 1986.",
            "The guild spent about $90,000 instead of the $60,000 that it had budgeted.",
            "The bus reaches Oxley at 7:45 p.m., having left Merrin at 6:10 p.m.",
            "Between 35 million and 40 million masks were mailed.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
