//! Figures that a source takes back: “isn’t $5.30. It’s $3.50”, “45 jobs. That was wrong”, “an earlier figure of 70”.
//!
//! Why: the source contains a withdrawn figure word for word, and still it is wrong.

use crate::{
    reading::{Figure, FigureKind, ParsedText, Token},
    sources::{SourceArchive, SourceLine, around, common, siblings},
    words::{Class, WordList, words},
};

/// With more corrections than this, a source is a list of corrections, and each stands alone.
const CORRECTIONS: usize = 64;

/// A word for a wish stands so many words before what it asks for, at most.
const WISHED: usize = 6;

/// A figure that a source takes back, and the one that it puts in its place.
#[derive(Debug, Clone)]
pub struct Withdrawal {
    /// The sentence of the correction.
    pub place: SourceLine,
    pub wrong: Figure,
    pub right: Figure,
    /// The sentence of the right figure.
    pub right_place: SourceLine,
}

/// Words that set an earlier statement against a later one.
fn earlier(word: &str) -> bool {
    matches!(word, "earlier" | "first" | "previously" | "originally" | "initially" | "previous")
}

/// Whether a sentence corrects an earlier statement. "They will correct its optics" does not.
fn corrects(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.class.has(Class::CORRECTS))
        && tokens.iter().any(|token| REPORTS.contains(&token.word))
}

/// Words for an earlier statement.
static REPORTS: WordList = words(
    "said say says wrote written reported stated gave given told figure figures number numbers article story version caption statement \
     sum amount price date i read misread listed minutes report",
);

/// A figure that a source takes back, the right one, and the sentence of that.
type Replaced<'r> = (&'r Figure, &'r Figure, usize);

/// Every figure that a source takes back.
pub fn all(archive: &SourceArchive<'_>) -> Vec<Withdrawal> {
    let mut found = Vec::new();
    for (source, reading) in archive.readings.iter().enumerate() {
        let mut announced = 0;
        let line_of = |at: usize| reading.tokens.get(at).map(|token| token.line);
        let withdrawing: Vec<usize> = archive.of_class(source, Class::WITHDRAWS).filter_map(line_of).collect();
        let mut lines: Vec<usize> = reading.figures.iter().filter_map(|figure| line_of(figure.tokens.start)).collect();
        lines.extend(&withdrawing);
        lines.sort_unstable();
        lines.dedup();
        for line in lines {
            let place = SourceLine { source, line };
            let tokens = reading.line_tokens(line);
            let figures = siblings(reading, line);
            let withdrawal = |(wrong, right, line): Replaced<'_>| {
                let right_place = SourceLine { line, ..place };
                Withdrawal { place, wrong: wrong.clone(), right: right.clone(), right_place }
            };
            // Each sentence that corrects or announces a correction has a word that withdraws.
            let withdraws = withdrawing.binary_search(&line).is_ok();
            let cue = withdraws && !figures.is_empty() && corrects(tokens);
            if (cue || withdraws && announces(tokens)) && announced < CORRECTIONS {
                announced += 1;
                found.extend(replaced(archive, reading, place).into_iter().map(withdrawal));
            }
            if figures.is_empty() && short_retraction(tokens) {
                found.extend(taken_back(reading, line).into_iter().map(withdrawal));
            }
            let back = figures.iter().filter(|figure| denied(reading, figure) || cue && dated(reading, figure));
            found.extend(back.take(8).filter_map(|wrong| successor(reading, line, wrong)).map(withdrawal));
        }
    }
    found
}

/// `not 45`, `isn’t $5.30`, `rather than the 45`: the text denies the figure itself.
fn denied(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let before = reading.words_before(figure.tokens.start, 3);
    if !before.iter().any(|token| token.class.has(Class::DENIES)) {
        return false;
    }
    let line = reading.line_of(&figure.tokens);
    let mut back = before.iter().rev().filter(|token| token.line == line).map(|token| token.word.as_str());
    let (nearest, second) = (back.next().unwrap_or_default(), back.next().unwrap_or_default());
    // "There should be not £1 million but £7 million" asks for more, and takes nothing back.
    let wished = reading.words_before(figure.tokens.start, WISHED);
    let next = |at: usize| wished.get(at + 1).map_or("", |token| token.word.as_str());
    if wished.iter().enumerate().any(|(at, token)| {
        token.line == line
            && matches!(token.word.as_str(), "should" | "ought")
            && !matches!(next(at), "have" | "read" | "say")
    }) {
        return false;
    }
    let denies = |word: &str| matches!(word, "not" | "isn't" | "wasn't" | "aren't" | "weren't");
    denies(nearest) || denies(second) && matches!(nearest, "the" | "a" | "about" | "as")
}

/// `first said 70`, `an earlier figure of 70`: in a sentence that speaks of a correction.
fn dated(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let before = reading.words_before(figure.tokens.start, 6);
    let line = reading.line_of(&figure.tokens);
    before.iter().filter(|token| token.line == line).any(|token| earlier(&token.word))
        || before.last().is_some_and(|token| matches!(token.word.as_str(), "said" | "of"))
            && before.iter().any(|token| matches!(token.word.as_str(), "i" | "we" | "said" | "figure" | "number"))
}

/// `I have to correct myself`, `I need to fix something I said`, `I misspoke`, `CORRECTION`.
fn announces(tokens: &[Token]) -> bool {
    // "the slide is wrong, the figure is 86"
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word.as_str()));
    has(&["misspoke", "correction", "corrections"])
        || has(&["correct", "fix", "amend", "wrong"]) && has(&["myself", "said", "earlier", "gave", "read", "told"])
}

/// A passage that announces a correction, repeats the earlier figure, and gives a new one for the same thing: `I said
/// seventy … so the number is eighty-six`.
fn replaced<'r>(archive: &'r SourceArchive<'_>, reading: &'r ParsedText<'_>, place: SourceLine) -> Vec<Replaced<'r>> {
    let paragraph = reading.paragraph(place.line);
    let passage = place.line..paragraph.end.min(place.line + 6);
    let Some(bytes) = reading.bytes_of(passage) else { return Vec::new() };
    let here = reading.figures_between(bytes.start, bytes.end);
    let here = here.get(..here.len().min(12)).unwrap_or_default();
    let Some(first) = reading.lines.get(paragraph.start) else { return Vec::new() };
    let before = |figure: &Figure| {
        let equal = archive.equal(figure).into_iter().filter(|(stand, _)| stand.source == place.source);
        equal.map(|(_, known)| known).filter(|known| known.start < first.start)
    };
    let mut found = Vec::new();
    for (at, repeated) in here.iter().enumerate() {
        if matches!(repeated.kind, FigureKind::Date | FigureKind::Year) {
            continue;
        }
        for old in before(repeated).take(4) {
            let words = around(reading, old);
            let least = if repeated.kind == FigureKind::Count { 2 } else { 1 };
            let right = here.iter().skip(at + 1).find(|right| {
                right.comparable(old)
                    && asserted(reading, right)
                    && before(right).next().is_none()
                    && common(&words, &around(reading, right)) >= least
            });
            found.extend(right.map(|right| (old, right, reading.line_at(right.start))));
        }
    }
    found
}

/// `is 86`, `was therefore 86`, `should read 86`.
fn asserted(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    reading.words_before(figure.tokens.start, 3).iter().any(|token| {
        matches!(
            token.word.as_str(),
            "is" | "was" | "are" | "were" | "be" | "been" | "it's" | "read" | "now" | "actually"
        )
    })
}

/// `That was wrong.`: a short sentence without a figure that takes back the one before.
fn short_retraction(tokens: &[Token]) -> bool {
    tokens.len() <= 14
        && tokens.iter().any(|token| matches!(token.word.as_str(), "wrong" | "mistake" | "error" | "incorrect"))
        && tokens.iter().take(3).any(|token| matches!(token.word.as_str(), "that" | "this" | "it" | "which"))
}

/// The figures before a short retraction that get a successor after it.
fn taken_back<'r>(reading: &'r ParsedText<'_>, line: usize) -> Vec<Replaced<'r>> {
    let Some(before) = line.checked_sub(1) else { return Vec::new() };
    let timed = |figure: &Figure| matches!(figure.kind, FigureKind::Date | FigureKind::Year | FigureKind::Time);
    let before = siblings(reading, before).iter().take(8).filter(|wrong| !timed(wrong));
    let found = before.filter_map(|wrong| {
        let words = around(reading, wrong);
        let counted = crate::sources::bindings::counted(reading, wrong).map(|token| token.stem.as_str());
        let after = (line + 1..reading.lines.len().min(line + 6))
            .flat_map(|line| siblings(reading, line).iter().map(move |figure| (line, figure)));
        let right = after
            .filter(|(_, figure)| figure.comparable(wrong) && !figure.same(wrong))
            .filter(|(_, figure)| {
                let theirs = around(reading, figure);
                counted.is_some_and(|stem| theirs.contains(&stem)) || common(&words, &theirs) >= 2
            })
            .max_by_key(|(line, figure)| (common(&words, &around(reading, figure)), std::cmp::Reverse(*line)));
        right.map(|(line, right)| (wrong, right, line))
    });
    found.collect()
}

/// The figure that replaces a denied one: in the same sentence, or in the next two.
fn successor<'r>(reading: &'r ParsedText<'_>, line: usize, wrong: &'r Figure) -> Option<Replaced<'r>> {
    (line..(line + 3).min(reading.lines.len())).find_map(|line| {
        let fits = siblings(reading, line).iter().filter(|figure| {
            figure.start != wrong.start && figure.comparable(wrong) && !figure.same(wrong) && !denied(reading, figure)
        });
        fits.min_by_key(|figure| figure.start.abs_diff(wrong.start)).map(|figure| (wrong, figure, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::Source;

    fn pairs(text: &str) -> Vec<(f64, f64)> {
        let sources = [Source { name: "s".to_owned(), text: text.to_owned() }];
        let archive = SourceArchive::new(&sources);
        all(&archive).iter().map(|w| (w.wrong.value, w.right.value)).collect()
    }

    #[test]
    fn corrections_come_in_many_forms() {
        assert_eq!(pairs("For this household the step isn’t $5.30. It’s $3.50 a month."), [(5.3, 3.5)]);
        assert_eq!(pairs("The saving is $460,000 a year, not $640,000."), [(640_000.0, 460_000.0)]);
        assert_eq!(pairs("The number of lanterns is 1,580 and not 1,850."), [(1850.0, 1580.0)]);
        assert_eq!(
            pairs("We wrote that the move would create 45 jobs. That was wrong. The number of new jobs is 28."),
            [(45.0, 28.0)]
        );
        assert_eq!(pairs("I have to correct myself, I first said 70 firefighters. It was 86."), [(70.0, 86.0)]);
        assert_eq!(pairs("It costs not more than $30. The fee is $5."), []);
        assert_eq!(pairs("The report should have said 86 firefighters, not 70."), [(70.0, 86.0)]);
        assert_eq!(pairs("There should be not £1 million for the school but £7 million."), []);
        // A repair and a payment error are no corrections of a text.
        assert_eq!(
            pairs("They went to correct its mirror on the first flight in 1993. The last flight was in 1997."),
            []
        );
    }
}
