//! The way that a change goes: `fell by 18 per cent to 23,410`. The draft's two figures, or the source's, decide.
//!
//! Why: every figure is right, so that only the verb shows the error.

use crate::{
    reading::{Sign, month},
    rules::{number::worked::RULE, prelude::*},
    sources::{common, figures_at, of_line, siblings},
    words::changes::{DOWN, UP},
};

/// The verb stands at most so many words before its figure.
const REACH: usize = 10;

/// At most so many places of a figure are compared.
const PLACES: usize = 12;

/// A percentage may be off by so much, an amount by so much of itself.
const POINT: f64 = 0.6;
const EXACT: f64 = 0.005;

/// "About a quarter" may be off by so many per cent.
const WORDS: f64 = 2.5;

/// Words between `to` and its figure.
static ABOUT: WordList =
    words("nearly almost about around roughly some just over under exactly more less than only approximately the a");

/// Words behind a difference, which say that the other figure is larger or smaller.
static MORE: WordList = words("more higher larger greater up longer above");
static LESS: WordList = words("less fewer lower smaller down shorter below");

/// A change that a sentence tells.
struct Change<'r> {
    /// The word that says which way it goes.
    word: usize,
    rises: bool,
    /// How much it is.
    by: Option<&'r Figure>,
    /// The figure after it.
    to: &'r Figure,
}

/// The changes of a sentence that go the other way than their figures.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let against = changes(sentence).into_iter().filter_map(|change| against(sentence, &change));
    let contrary = sentence.figures().iter().filter_map(|figure| contrary(sentence, figure));
    turned(sentence).into_iter().chain(against).chain(contrary).collect()
}

fn is_amount(figure: &Figure) -> bool {
    matches!(figure.kind, FigureKind::Count | FigureKind::Money(_) | FigureKind::Percent) && figure.partner.is_none()
}

/// The time with which a change compares is told within so many words.
const THEN: usize = 6;

/// Words for a time before.
static TIMES: WordList = words("year years month months week weeks quarter season earlier before last previous same");

fn is_time(token: &Token) -> bool {
    TIMES.contains(&token.word) || month(token).is_some() || token.word.len() == 4 && token.word.starts_with(['1', '2'])
}

/// The word before a figure, or before words such as `nearly`.
fn lead(reading: &ParsedText<'_>, figure: &Figure) -> Option<usize> {
    let about = |at: &usize| reading.tokens.get(*at).is_some_and(|token| ABOUT.contains(&token.word));
    (0..figure.tokens.start).rev().find(|at| !about(at))
}

/// The way of a verb, if it has only one.
fn way(word: &str) -> Option<bool> {
    (UP.contains(word) != DOWN.contains(word)).then(|| UP.contains(word))
}

/// A word of a sentence, unless it is quoted.
fn own<'r>(reading: &'r ParsedText<'_>, line: usize, at: usize) -> Option<&'r Token> {
    reading.tokens.get(at).filter(|token| token.line == line && !token.quoted())
}

/// The nearest verb before a word, if it goes one way, and whether that is up.
fn verb(reading: &ParsedText<'_>, line: usize, lead: usize) -> Option<(usize, bool)> {
    let verb = (lead.saturating_sub(REACH)..lead).rev().find(|at| reading.grammar(line).tag(*at).is_verb())?;
    way(&own(reading, line, verb)?.word).map(|rises| (verb, rises))
}

/// A change whose verb goes the other way than its figures: `rose from 50 to 40`.
fn turned(sentence: &DraftSentence<'_>) -> Option<Fault> {
    let &DraftSentence { reading, line, .. } = sentence;
    let lead = |figure: &Figure| reading.word_before(figure.tokens.start, 1);
    let behind = |word: &str| {
        let mut found = sentence.figures().iter().filter(|figure| is_amount(figure) && lead(figure) == word);
        found.next().filter(|_| found.next().is_none())
    };
    let (from, to) = (behind("from")?, behind("to")?);
    let first = from.tokens.start.min(to.tokens.start).checked_sub(1)?;
    // The verb stands right before the first of both, or one adverb before it.
    let changes = |at: &usize| reading.grammar(line).tag(*at).is_verb() && way(reading.word(*at)).is_some();
    let verb = (first.saturating_sub(2)..first).rev().find(changes)?;
    let token = own(reading, line, verb)?;
    let rises = UP.contains(&token.word);
    // A minus turns everything round.
    let plain = [from, to].iter().all(|figure| figure.written.sign != Sign::Minus);
    let wrong = from.comparable(to) && plain && if rises { from.value > to.value } else { from.value < to.value };
    let shown = |figure: &Figure| one_line(reading.slice(figure.start..figure.end));
    let note = format!("From {} to {} is no {}.", shown(from), shown(to), if rises { "rise" } else { "fall" });
    wrong.then(|| sentence.found(&RULE, token.start..token.end, note, None))
}

/// The changes of a sentence: `rose by A to B`, `rose to B`, `B, A more than`.
fn changes<'c>(sentence: &DraftSentence<'c>) -> Vec<Change<'c>> {
    let (figures, &DraftSentence { reading, line, .. }) = (sentence.figures(), sentence);
    let word = |at: usize| own(reading, line, at);
    let is = |at: Option<usize>, wanted: &str| at.and_then(word).is_some_and(|token| token.word == wanted);
    let ways = |at: usize| {
        let token = word(at)?;
        if MORE.contains(&token.word) { Some(true) } else { LESS.contains(&token.word).then_some(false) }
    };
    let mut found = Vec::new();
    // "From A to B" says it all.
    let from = figures.iter().any(|figure| is(lead(reading, figure), "from"));
    for to in figures.iter().filter(|figure| is_amount(figure)) {
        let lead = lead(reading, to).filter(|at| !from && is(Some(*at), "to"));
        if let Some((verb, rises)) = lead.and_then(|lead| verb(reading, line, lead)) {
            let between = |figure: &&Figure| figure.tokens.start > verb && figure.end <= to.start;
            let by = figures.iter().filter(|figure| is_amount(figure) || figure.share().is_some()).find(between);
            found.push(Change { word: verb, rises, by, to });
        }
        // "£500 less than that" compares with the figure itself, "less than a year earlier" with the one before it.
        let behind = reading.tokens.get(to.tokens.end + 2..).unwrap_or_default().iter().take(THEN);
        let timed = behind.take_while(|token| token.line == line).any(is_time);
        if let Some(rises) = ways(to.tokens.end).filter(|_| timed && is(Some(to.tokens.end + 1), "than")) {
            let whole = figures.iter().filter(|other| other.end <= to.start && is_amount(other));
            let mut whole = whole.filter(|other| other.kind != FigureKind::Percent && ways(other.tokens.end).is_none());
            if let Some(whole) = whole.next_back() {
                found.push(Change { word: to.tokens.end, rises, by: Some(to), to: whole });
            }
        }
    }
    // "$23.86 million, an increase of about 5 percent"
    for by in figures.iter().filter(|by| by.share().is_some()) {
        let whole = |figure: &&Figure| {
            let amount = matches!(figure.kind, FigureKind::Count | FigureKind::Money(_)) && figure.partner.is_none();
            amount && figure.end <= by.start && reading.slice(figure.end..by.start).starts_with(',')
        };
        let change = way_of(reading, line, by).zip(figures.iter().rfind(whole));
        found.extend(change.map(|((word, rises), to)| Change { word, rises, by: Some(by), to }));
    }
    found
}

/// The word that says which way a figure goes, and whether that is up: `rose by A`, `a rise of A`, `A more than`, `down A`.
fn way_of(reading: &ParsedText<'_>, line: usize, figure: &Figure) -> Option<(usize, bool)> {
    let word = |at: usize| own(reading, line, at).map_or("", |token| token.word.as_str());
    let told = |at: usize| way(word(at)).map(|rises| (at, rises));
    let side = |at: usize| (MORE.contains(word(at)) || LESS.contains(word(at))).then(|| (at, MORE.contains(word(at))));
    let end = figure.tokens.end;
    let grammar = reading.grammar(line);
    let behind = side(end).filter(|_| word(end + 1) == "than" || matches!(word(end), "above" | "below"));
    let noun = || told(end).filter(|_| grammar.tag(end).is_noun());
    let before = || {
        let lead = lead(reading, figure)?;
        match word(lead) {
            "of" => told(lead.checked_sub(1)?),
            "by" | "to" => verb(reading, line, lead),
            "up" | "down" => side(lead),
            _ => told(lead),
        }
    };
    behind.or_else(noun).or_else(before)
}

/// A figure that goes the other way in the passages, and in none of them this way.
fn contrary(sentence: &DraftSentence<'_>, figure: &Figure) -> Option<Fault> {
    let &DraftSentence { archive, reading, line, .. } = sentence;
    let (at, rises) = way_of(reading, line, figure).filter(|_| is_amount(figure))?;
    let denied = reading.words_before(at, BESIDE).iter().any(denies);
    let passages = sentence.places();
    let own = of_line(reading, line);
    let mut found = None;
    let places = archive.equal(figure);
    if places.len() > 2 * PLACES {
        return None;
    }
    for (place, theirs) in places {
        let source = archive.reading(place)?;
        // A growth of −3.1 per cent is a fall.
        if theirs.written.sign == Sign::Minus {
            return None;
        }
        let Some((there, other)) = way_of(source, place.line, theirs) else { continue };
        if other == rises {
            return None;
        }
        if passages.contains(&place) && common(&own, &of_line(source, place.line)) >= SHARED {
            found = found.or_else(|| Some((place, source.tokens.get(there)?)));
        }
    }
    let (place, other) = found.filter(|_| !denied)?;
    let token = reading.tokens.get(at)?;
    let note = format!("The source says “{}” here, not “{}”.", other.word, token.word);
    Some(sentence.found(&RULE, token.start..token.end, note, Some(place)))
}

/// A denial stands at most so many words before the change.
const BESIDE: usize = 4;

/// The passage shares so many words with the sentence.
const SHARED: usize = 2;

/// A change that goes the other way in the source: the figure before it stands beside the one after it.
fn against(sentence: &DraftSentence<'_>, change: &Change<'_>) -> Option<Fault> {
    let archive = sentence.archive;
    let mut places: Vec<(SourceLine, &Figure)> = archive.equal(change.to);
    // "Nearly 21 weeks" for 20.9.
    let off = change.to.slack.max(0.01 * change.to.value);
    for place in sentence.places() {
        let close = |theirs: &&Figure| {
            theirs.comparable(change.to) && !theirs.same(change.to) && (theirs.value - change.to.value).abs() <= off
        };
        places.extend(figures_at(archive, place).iter().filter(close).map(|theirs| (place, theirs)));
    }
    let (mut wrong, mut right) = (None, false);
    for (place, now) in places.into_iter().take(PLACES) {
        let Some(source) = archive.reading(place) else { continue };
        let before: Vec<&Figure> = match change.by {
            Some(by) => {
                let around = archive.window(place, 1).flat_map(|line| siblings(source, line));
                let moved = |then: &Figure| {
                    let moved = (now.value - then.value).abs();
                    match by.share().filter(|_| now.kind != FigureKind::Percent) {
                        Some(share) => {
                            let off = if by.kind == FigureKind::Percent { POINT.max(by.slack) } else { WORDS };
                            then.value > 0.0 && 100.0 * (moved / then.value - share).abs() <= off
                        }
                        None => (moved - by.value).abs() <= by.slack.max(EXACT * by.value),
                    }
                };
                around.filter(|then| then.start != now.start && then.comparable(now) && moved(then)).collect()
            }
            None => earlier(source, place.line, now),
        };
        let rose = before.iter().filter(|then| then.value < now.value).count();
        right |= if change.rises { rose > 0 } else { rose < before.len() };
        if !before.is_empty() && rose == if change.rises { 0 } else { before.len() } {
            wrong = wrong.or(before.first().map(|then| (place, now, *then)));
        }
    }
    let (place, now, then) = wrong.filter(|_| !right)?;
    let (source, token) = (archive.reading(place)?, sentence.reading.tokens.get(change.word)?);
    let shown = |figure: &Figure| one_line(source.slice(figure.start..figure.end));
    let note = format!("The source has {}, and {} before.", shown(now), shown(then));
    Some(sentence.found(&RULE, token.start..token.end, note, Some(place)))
}

/// The earlier values of a source's figure: `23,410 (2024: 19,870)`, or those before it in the row of a table whose head has years.
fn earlier<'s>(source: &'s ParsedText<'_>, line: usize, now: &Figure) -> Vec<&'s Figure> {
    let row: Vec<&Figure> = siblings(source, line).iter().filter(|figure| figure.comparable(now)).collect();
    let at = row.iter().position(|figure| figure.start == now.start);
    if let Some(then) = at.and_then(|at| row.get(at + 1)) {
        let gap = source.slice(now.end..then.start);
        if let Some((_, label)) = gap.rsplit_once('(').filter(|(_, label)| label.ends_with(": ")) {
            let tokens = source.between(now.end, then.start);
            let dated = tokens.iter().any(|token| month(token).is_some())
                || label.trim_end_matches(": ").chars().all(|c| c.is_ascii_digit());
            return if dated { vec![then] } else { Vec::new() };
        }
    }
    // The nearest line above with as many years.
    let head = (line.saturating_sub(HEAD)..line).rev().find_map(|above| {
        let years: Vec<&Figure> = siblings(source, above).iter().collect();
        (years.len() == row.len() && row.len() > 1 && years.iter().all(|year| year.kind == FigureKind::Year))
            .then_some(years)
    });
    let Some(head) = head else { return Vec::new() };
    let own = at.and_then(|at| head.get(at)).map_or(0.0, |year| year.value);
    let last = head.iter().all(|year| year.value <= own);
    let before = row.into_iter().zip(head).filter(|(_, year)| last && year.value < own);
    before.map(|(figure, _)| figure).collect()
}

/// The head of a table stands at most so many lines above a row.
const HEAD: usize = 24;

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn a_change_goes_the_way_of_its_figures() {
        let source = "Sales were 50 in April and 40 in May. The loss was $2.3 million, after $4.1 million.";
        for (draft, wrong) in [
            ("Sales rose sharply to 40 in May from 50 in April.", true),
            ("Sales fell to 40 in May from 50 in April.", false),
            ("The loss widened to $2.3 million from $4.1 million.", true),
            ("The loss narrowed to $2.3 million from $4.1 million.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.worked".to_owned()), wrong, "{draft}");
        }
    }

    #[test]
    fn a_change_goes_the_way_of_the_sources_figures() {
        let source = "Visits to the pier in 2025 were 23,410 (2024: 19,870). The debt stood at $74 million in 2019; it is $128 million today. Lost \
                      bags numbered 83,700, compared with 71,200 in May. Fees of the marina declined 2.4 per cent.\n\nBerths let\n\nPort    2023    2024    2025\nLund    13.2    18.6    20.9\nOslo    9    14    13";
        for (rise, fall) in [
            (
                "Visits to the pier rose by nearly 18 per cent to 23,410.",
                "Visits to the pier fell by nearly 18 per cent to 23,410.",
            ),
            ("Visits to the pier rose to 23,410.", "Visits to the pier fell to 23,410."),
            (
                "The debt climbed by $54 million since 2019, to $128 million.",
                "The debt dropped by $54 million since 2019, to $128 million.",
            ),
            (
                "Some 83,700 bags were lost, 12,500 more than in May.",
                "Some 83,700 bags were lost, 12,500 fewer than in May.",
            ),
            ("The berths let in Lund have risen to nearly 21.", "The berths let in Lund have dropped to nearly 21."),
            ("Fees of the marina saw a drop of 2.4 per cent.", "Fees of the marina saw an increase of 2.4 per cent."),
            (
                "Visits to the pier were 23,410, a rise of nearly 18 per cent.",
                "Visits to the pier were 23,410, a drop of nearly 18 per cent.",
            ),
            ("Lost bags rose by about a sixth, to 83,700.", "Lost bags fell by about a sixth, to 83,700."),
            ("Fees of the marina fell 2.4 per cent.", "Fees of the marina climbed 2.4 per cent."),
        ] {
            let wrong = |draft: &str| rules_of(draft, source).contains(&"number.worked".to_owned());
            assert_eq!((wrong(rise), wrong(fall)), (false, true), "{fall}");
        }
    }
}
