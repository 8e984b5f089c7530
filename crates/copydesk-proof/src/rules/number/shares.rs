//! Shares and multiples in words against the source's two values: `two-thirds` for 30 of 90, `doubled` for 210 and 320.
//!
//! Why: the words have no digits that could be looked up, and the values beside them may all be right.

use crate::{
    reading::{Bound, denies},
    rules::{
        number::{bound::places, worked::RULE},
        prelude::*,
    },
    sources::{common, counted, is_label, of_line, siblings},
};

/// A share or a multiple in plain words may be off by so much of itself.
const ROUND: f64 = 0.13;

/// The whole of a share is at most so many words behind it.
const OF: usize = 5;

/// Words of a sentence about the other part.
static OTHERS: WordList = words(
    "other others rest remaining remainder refused rejected against opposed declined failed without absent left abstained except",
);

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index: line, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        let reading = &field.reading;
        for figure in reading.figures_between(item.start, item.end) {
            let of = reading.tokens.get(figure.tokens.end).is_some_and(|token| token.word == "of");
            let value = match figure.kind {
                FigureKind::Fraction => figure.value,
                FigureKind::Percent if of && figure.value > 0.0 => figure.value / 100.0,
                _ => continue,
            };
            let bound = Bound::of(reading, figure);
            let percent = figure.kind == FigureKind::Percent;
            let told = StatedShare { value, bound, percent, first: figure.tokens.start, end: figure.tokens.end };
            let quoted = reading.tokens.get(told.first).is_none_or(Token::quoted);
            if !quoted && let Some(found) = share(ledger, field, line, &told) {
                ledger.enter(found);
            }
        }
        for at in item.tokens.clone() {
            let Some(token) = reading.tokens.get(at).filter(|token| !token.quoted()) else { continue };
            let next = reading.tokens.get(at + 1).map_or("", |token| token.word.as_str());
            let half = |bound| StatedShare { value: 0.5, bound, percent: false, first: at, end: at + 1 };
            let found = match (token.word.as_str(), next) {
                ("most", next) if next.ends_with('s') => share(ledger, field, line, &half(Bound::Above)),
                ("majority" | "most", "of") => share(ledger, field, line, &half(Bound::Above)),
                ("minority", "of") => share(ledger, field, line, &half(Bound::Below)),
                _ => multiple(ledger, field, line, at),
            };
            if let Some(found) = found {
                ledger.enter(found);
            }
        }
    }
}

/// A share in the draft's words.
struct StatedShare {
    value: f64,
    bound: Bound,
    /// Another percentage beside it is another fact.
    percent: bool,
    first: usize,
    end: usize,
}

impl StatedShare {
    fn fits(&self, share: f64) -> bool {
        let off = (share / self.value - 1.0).abs();
        match self.bound {
            Bound::Exact | Bound::About => off <= ROUND,
            Bound::Above | Bound::AtLeast => self.bound.holds(self.value, share),
            Bound::Below | Bound::AtMost => share <= self.value * 1.002,
        }
    }
}

fn share(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, told: &StatedShare) -> Option<Fault> {
    let reading = &field.reading;
    let own_line = |at: &usize| reading.tokens.get(*at).filter(|token| token.line == line);
    let mut behind = (told.end..told.end + 5).map_while(|at| own_line(&at));
    let noun = behind.find(|token| !token.stop && !token.stem.starts_with(|c: char| c.is_ascii_digit()))?;
    let archive = &ledger.texts.archive;
    let own: Vec<&str> = of_line(reading, line).into_iter().filter(|stem| *stem != noun.stem).collect();
    let others = |tokens: &[Token]| tokens.iter().any(|token| denies(token) || OTHERS.contains(&token.word));
    let negated = others(reading.line_tokens(line));
    let mut wrong = None;
    for place in places(ledger, field, line) {
        let Some(source) = archive.reading(place) else { continue };
        let tokens = source.line_tokens(place.line);
        if !tokens.iter().any(|token| token.stem == noun.stem) || common(&own, &of_line(source, place.line)) == 0 {
            continue;
        }
        let figures: Vec<&Figure> =
            siblings(source, place.line).iter().filter(|figure| !is_label(source, figure)).collect();
        let of_noun = |figure: &Figure| {
            let behind = source.tokens.get(figure.tokens.end..).unwrap_or_default().iter().take(OF);
            behind.take_while(|token| token.line == place.line).any(|token| token.stem == noun.stem)
        };
        let is_share =
            |figure: &&&Figure| matches!(figure.kind, FigureKind::Percent | FigureKind::Fraction) && of_noun(figure);
        let stated: Vec<&&Figure> = figures.iter().filter(is_share).collect();
        let counts: Vec<&&Figure> = figures.iter().filter(|figure| figure.kind == FigureKind::Count).collect();
        let is = match (stated.as_slice(), counts.as_slice()) {
            ([], [one, two]) => {
                let (part, whole) = if one.value < two.value { (one, two) } else { (two, one) };
                (part.value > 0.0 && of_it(source, part, whole, noun)).then(|| part.value / whole.value)
            }
            _ if told.percent && !stated.is_empty() => return None,
            ([stated], _) if stated.kind == FigureKind::Percent => Some(stated.value / 100.0),
            ([stated], _) => Some(stated.value),
            // A place without a share decides nothing. Several shares compete for the words, and it is unknown which one wins.
            ([], _) => None,
            _ => return None,
        };
        let Some(is) = is.filter(|is| *is > 0.0 && *is < 1.0) else { continue };
        if told.fits(is) || negated != others(tokens) && told.fits(1.0 - is) {
            return None;
        }
        wrong = wrong.or(Some((place, is)));
    }
    let (place, is) = wrong?;
    let (start, end) = (reading.tokens.get(told.first)?.start, reading.tokens.get(told.end.checked_sub(1)?)?.end);
    let note = format!("The source's figures make {:.0} per cent.", is * 100.0);
    Some(Fault::new(&RULE, field, start..end).note(note).passage(archive.sentence(place)))
}

/// Whether a source counts a part of a whole: `of the 90 captains, 30`, `30 of 90 captains`.
fn of_it(source: &ParsedText<'_>, part: &Figure, whole: &Figure, noun: &Token) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| source.tokens.get(at)).map_or("", |token| token.word.as_str());
    let start = whole.tokens.start;
    let (one, two) = (word(start.checked_sub(1)), word(start.checked_sub(2)));
    let of = matches!(one, "of" | "among")
        || matches!(one, "the" | "its" | "all" | "their") && matches!(two, "of" | "among");
    let counts = |figure: &Figure| counted(source, figure).is_some_and(|token| token.stem == noun.stem);
    of && (counts(whole) || counts(part))
}

/// Verbs and adverbs that multiply.
const MULTIPLES: &[(&str, f64)] = &[
    ("doubled", 2.0),
    ("doubling", 2.0),
    ("twofold", 2.0),
    ("tripled", 3.0),
    ("tripling", 3.0),
    ("trebled", 3.0),
    ("threefold", 3.0),
    ("quadrupled", 4.0),
    ("fourfold", 4.0),
    ("quintupled", 5.0),
    ("fivefold", 5.0),
    ("tenfold", 10.0),
    ("halved", 0.5),
    ("halving", 0.5),
];

fn multiple(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize, at: usize) -> Option<Fault> {
    let reading = &field.reading;
    let word =
        |at: usize| reading.tokens.get(at).filter(|token| token.line == line).map_or("", |token| token.word.as_str());
    let as_many =
        matches!(word(at + 1), "as") && matches!(word(at + 2), "many" | "much" | "large" | "high" | "big" | "long");
    let part = |figure: &&Figure| figure.tokens.start == at + 1 && figure.kind == FigureKind::Fraction;
    // "Cut by a third"
    let by = match (word(at), word(at + 1)) {
        ("by", "half") => Some((0.5, at + 2)),
        ("by", _) => reading.figures.iter().find(part).map(|part| (part.value, part.tokens.end)),
        _ => None,
    };
    let (factor, end) = match MULTIPLES.iter().find(|(known, _)| *known == word(at)) {
        Some((_, factor)) => (*factor, at + 1),
        None if as_many && word(at) == "twice" => (2.0, at + 3),
        None if word(at) == "times" && as_many => {
            let before = at.checked_sub(1)?;
            let figure =
                reading.figures.iter().find(|figure| figure.tokens.end == at && figure.tokens.start <= before)?;
            (figure.value, at + 3)
        }
        None => by?,
    };
    let before = (at.saturating_sub(3)..at).map(word).collect::<Vec<_>>();
    if before.iter().any(|word| matches!(*word, "not" | "never" | "if" | "could" | "would" | "may" | "might")) {
        return None;
    }
    let more = before.contains(&"more") || before.contains(&"over");
    let nearly = before
        .iter()
        .any(|word| matches!(*word, "nearly" | "almost" | "about" | "roughly" | "around" | "less" | "virtually"));
    let fits = |ratio: f64| {
        // What is taken away or added is a part of the first value.
        let ratio = if by.is_some() { (ratio - 1.0).abs() } else { ratio } / factor;
        let (low, high) = match (more, nearly) {
            (true, _) if factor < 1.0 => (0.5, 1.01),
            (true, _) => (0.99, 1.6),
            (_, true) => (0.78, 1.22),
            _ => (1.0 - ROUND, 1.0 + ROUND),
        };
        (low..=high).contains(&ratio)
    };
    let archive = &ledger.texts.archive;
    let own = of_line(reading, line);
    let mut wrong = None;
    for place in places(ledger, field, line) {
        let Some(source) = archive.reading(place) else { continue };
        let tokens = source.line_tokens(place.line);
        if by.is_some() && siblings(source, place.line).iter().any(|figure| figure.kind == FigureKind::Fraction) {
            return None;
        }
        if tokens.iter().any(|token| {
            MULTIPLES.iter().any(|(known, _)| *known == token.word)
                || matches!(&*token.word, "double" | "twice" | "triple" | "half" | "times")
        }) {
            return None;
        }
        let Some((from, to)) = change(source, place.line) else { continue };
        if common(&own, &of_line(source, place.line)) == 0 || from.value <= 0.0 || to.value <= 0.0 {
            continue;
        }
        let ratio = to.value / from.value;
        if fits(ratio) || as_many && fits(1.0 / ratio) {
            return None;
        }
        wrong = wrong.or(Some((place, from, to)));
    }
    let (place, from, to) = wrong?;
    let source = archive.reading(place)?;
    let shown = |figure: &Figure| one_line(source.slice(figure.start..figure.end));
    let note = format!("The source goes from {} to {}.", shown(from), shown(to));
    let (start, end) = (reading.tokens.get(at)?.start, reading.tokens.get(end - 1)?.end);
    Some(Fault::new(&RULE, field, start..end).note(note).passage(archive.sentence(place)))
}

/// The two values of a change, or the two values of a sentence that has no others of their kind.
fn change<'r>(source: &'r ParsedText<'_>, line: usize) -> Option<(&'r Figure, &'r Figure)> {
    let amounts = siblings(source, line).iter().filter(|figure| {
        matches!(figure.kind, FigureKind::Count | FigureKind::Money(_) | FigureKind::Percent)
            && !is_label(source, figure)
    });
    let amounts: Vec<&Figure> = amounts.collect();
    let before = |figure: &Figure| {
        let first = source.tokens.partition_point(|token| token.end <= figure.start);
        first.checked_sub(1).and_then(|at| source.tokens.get(at)).map_or("", |token| token.word.as_str())
    };
    let from = amounts.iter().filter(|figure| before(figure) == "from").collect::<Vec<_>>();
    let to = amounts.iter().filter(|figure| before(figure) == "to").collect::<Vec<_>>();
    match (from.as_slice(), to.as_slice(), amounts.as_slice()) {
        ([from], [to], _) if from.comparable(to) => Some((from, to)),
        (_, _, [one, two]) if one.comparable(two) && before(one) != "by" && before(two) != "by" => {
            let word = |figure| counted(source, figure).map(|token| token.stem_id);
            // "320 ships, up from 210"
            let turned = before(two) == "from";
            let alike = word(one).is_none() || word(two).is_none() || word(one) == word(two);
            alike.then_some(if turned { (*two, *one) } else { (*one, *two) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    fn worked(draft: &str, source: &str) -> bool {
        rules_of(draft, source).contains(&"number.worked".to_owned())
    }

    #[test]
    fn a_share_is_that_of_its_part() {
        let source = "Of the 60 growers, 15 sold their land to the county. Of 200 tenants in the block, 88 voted. The poll found that 40 \
                      per cent of pupils cycle to school.";
        for wrong in [
            "Three-quarters of the growers sold their land to the county.",
            "Half of the growers sold their land to the county.",
            "Most growers sold their land to the county.",
            "Some 75 per cent of the growers sold their land to the county.",
            "Most of the growers sold their land to the county.",
            "A majority of the tenants in the block voted.",
            "One in five pupils cycles to school, the poll found.",
        ] {
            assert!(worked(wrong, source), "{wrong}");
        }
        for fine in [
            "A quarter of the growers sold their land to the county.",
            "Three-quarters of the growers did not sell their land to the county.",
            "A minority of the tenants in the block voted.",
            "Less than half of the tenants in the block voted.",
            "Two in five pupils cycle to school, the poll found.",
        ] {
            assert!(!worked(fine, source), "{fine}");
        }
    }

    #[test]
    fn a_multiple_is_that_of_its_two_values() {
        let source =
            "Membership of the club rose from 140 people to 290 people. Rent of the hall went from $900 to $610.";
        for wrong in [
            "Membership of the club tripled to 290 people.",
            "Membership of the club more than tripled.",
            "Rent of the hall halved to $610.",
            "Rent of the hall fell by two thirds to $610.",
            "Rent of the hall fell by half.",
        ] {
            assert!(worked(wrong, source), "{wrong}");
        }
        for fine in [
            "Membership of the club doubled to 290 people.",
            "Membership of the club more than doubled.",
            "The hall's rent fell.",
            "Rent of the hall fell by a third to $610.",
        ] {
            assert!(!worked(fine, source), "{fine}");
        }
    }
}
