//! Figures: each amount, share, count, year, date and time of the draft is one that a source gives for the same thing.
//!
//! Why: a wrong figure is the error that readers find first and forgive last, and the one that a program finds surest. A
//! figure that is nowhere is reported; one that a source has for something else only where a passage speaks plainly of the
//! thing in question and gives another.

use crate::newsroom::{ConcernType, SourceSpan};

use super::{
    archive::{Archive, Place},
    bindings::{around, common, companions, counted, of_line, shared, siblings, strength},
    desk::{Desk, Found, Ledger},
    figure::{Figure, Kind, near},
    reading::Reading,
    sums::{derived, rounded},
    token::Token,
    withdrawals::{self, Withdrawal, corrects},
};

/// A sentence with more figures than these is a table.
const FIGURES: usize = 24;

/// Spelled-out counts up to this one are often the reporter's own counting of a list.
const SMALL: f64 = 12.0;

/// Enters every figure that the sources contradict, withdraw or do not have.
pub(super) fn check(ledger: &mut Ledger<'_, '_>) {
    let desk = ledger.desk;
    let taken_back = withdrawals::all(&desk.archive);
    for (at, field) in desk.fields.iter().enumerate() {
        for (index, figure) in field.reading.figures.iter().enumerate() {
            // Beyond that many in one sentence it is a table, and a table binds nothing by its words.
            let line = |figure: &Figure| field.reading.tokens.get(figure.tokens.start).map(|token| token.line);
            let before = index.checked_sub(FIGURES).and_then(|at| field.reading.figures.get(at));
            if before.is_some_and(|before| line(before) == line(figure)) {
                continue;
            }
            let quoted = field.reading.tokens.get(figure.tokens.start).is_some_and(Token::quoted);
            if quoted || ledger.taken(at, figure.start, figure.end) || is_address(&field.reading, figure) {
                continue;
            }
            if let Some(found) = judge(desk, at, figure, &taken_back) {
                ledger.enter(found);
            }
        }
    }
}

/// A number in a link or a footnote mark counts nothing.
fn is_address(reading: &Reading<'_>, figure: &Figure) -> bool {
    let head = reading.text.get(..figure.start).unwrap_or_default();
    let tail = reading.text.get(figure.end..).unwrap_or_default();
    let glued = head.chars().next_back().is_some_and(|c| matches!(c, '/' | '^' | '#' | '_' | '=' | '@' | '&'));
    glued || tail.starts_with(['/', '@', '='])
}

fn judge(desk: &Desk<'_>, field: usize, figure: &Figure, taken_back: &[Withdrawal]) -> Option<Found> {
    let archive = &desk.archive;
    let reading = &desk.fields.get(field)?.reading;
    let matches = occurrences(archive, figure);
    if matches.is_empty() {
        return absent(desk, field, figure, taken_back);
    }
    if let Some(found) = weekday(desk, field, figure, &matches) {
        return Some(found);
    }
    if let Some(found) = withdrawn(desk, field, figure, &matches, taken_back) {
        return Some(found);
    }
    // The value is in a source. Is it said of this thing there?
    let best = matches
        .iter()
        .take(FIGURES)
        .map(|(place, theirs)| strength(archive, (reading, figure), *place, theirs))
        .fold(0.0_f64, f64::max);
    let (place, rival, rivals) = candidate(archive, reading, figure, taken_back)?;
    let confirmed = taken_back.iter().any(|withdrawal| withdrawal.right.same(figure));
    let plainly = match figure.kind {
        Kind::Count => same_count(reading, figure, archive, place, rival),
        // Without a noun that tells, another figure of the draft's sentence must stand beside the rival and not here.
        _ => {
            accompanied(archive, reading, figure, place, 0)
                && !matches.iter().any(|(at, _)| accompanied(archive, reading, figure, *at, 1))
        }
    };
    let far_better = rivals > 2.2 * best + 6.0 && best < 9.0 || figure.kind != Kind::Count && rivals > best + 3.0;
    let wrong = plainly && far_better && !confirmed && !any_binds(reading, figure, archive, &matches);
    (wrong && !derived(archive, figure)).then(|| contradicted(desk, field, figure, place, rival))
}

/// Where the sources have a figure of the same value, and for a tally its other number beside it.
fn occurrences<'d>(archive: &'d Archive<'_>, figure: &Figure) -> Vec<(Place, &'d Figure)> {
    let mut found = archive.equal(figure);
    if let Some(mine) = figure.partner {
        found.retain(|(place, theirs)| {
            let beside = || archive.reading(*place).map_or(&[][..], |reading| siblings(reading, place.line));
            theirs.partner.is_none_or(|other| near(other, mine))
                || beside().iter().any(|figure| near(figure.value, mine))
        });
    }
    found
}

/// A figure that no source has: rounded, redone, contradicted by the passage on the same thing, or simply not there.
fn absent(desk: &Desk<'_>, field: usize, figure: &Figure, taken_back: &[Withdrawal]) -> Option<Found> {
    let archive = &desk.archive;
    let reading = &desk.fields.get(field)?.reading;
    if rounded(archive, reading, figure) || derived(archive, figure) {
        return None;
    }
    let small = figure.kind == Kind::Fraction
        || figure.kind == Kind::Count && figure.value <= SMALL && (figure.spelled || figure.partner.is_none());
    let candidate = candidate(archive, reading, figure, taken_back);
    if let Some((place, rival, strength)) = candidate {
        let plainly = same_count(reading, figure, archive, place, rival);
        let near = archive.reading(place).map_or(0, |source| common(&around(reading, figure), &around(source, rival)));
        let least = if matches!(figure.kind, Kind::Year | Kind::Date) { 2 } else { 1 };
        if !small && strength > 6.0 && near >= least || plainly && strength > 9.0 {
            return Some(contradicted(desk, field, figure, place, rival));
        }
    }
    if small {
        return None;
    }
    Some(Found {
        concern_type: ConcernType::InferredFact,
        rule: "number.not_found",
        field,
        start: figure.start,
        end: figure.end,
        note: "No source gives this figure, and none of its figures leads to it.".to_owned(),
        passage: None,
        replacement: None,
    })
}

/// The source's figure of the same kind that speaks of the same thing: not one that the draft's sentence already has.
fn candidate<'d>(
    archive: &'d Archive<'_>,
    reading: &Reading<'_>,
    figure: &Figure,
    taken_back: &[Withdrawal],
) -> Option<(Place, &'d Figure, f64)> {
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let mut stems = of_line(reading, line);
    let tokens = reading.line_tokens(line);
    let others =
        tokens.iter().filter(|t| t.stem.starts_with(|c: char| c.is_ascii_digit())).filter(|t| t.start != figure.start);
    stems.extend(others.map(|token| token.stem.as_str()));
    let mut best: Option<(Place, &Figure, f64)> = None;
    for hit in archive.passages(&stems, 14) {
        let Some(source) = archive.reading(hit.place) else { continue };
        for theirs in siblings(source, hit.place.line).iter().take(FIGURES) {
            let used = companions(reading, figure).any(|other| other.same(theirs));
            let withdrawn = taken_back.iter().any(|withdrawal| withdrawal.wrong.same(theirs));
            if used
                || withdrawn
                || !figure.comparable(theirs)
                || figure.same(theirs)
                || theirs.partner.is_some() != figure.partner.is_some()
            {
                continue;
            }
            let strength = strength(archive, (reading, figure), hit.place, theirs) + likeness(figure, theirs);
            if best.is_none_or(|(_, _, held)| strength > held) {
                best = Some((hit.place, theirs, strength));
            }
        }
    }
    best
}

/// Slips of the pen: the same digits in another order, or one digit off.
fn likeness(one: &Figure, other: &Figure) -> f64 {
    let digits = |value: f64| -> Vec<char> { format!("{value}").chars().filter(char::is_ascii_digit).collect() };
    let (a, b) = (digits(one.value), digits(other.value));
    if a.len() != b.len() {
        return 0.0;
    }
    let differing = a.iter().zip(&b).filter(|(x, y)| x != y).count();
    let (mut x, mut y) = (a.clone(), b.clone());
    x.sort_unstable();
    y.sort_unstable();
    if x == y && differing > 0 {
        5.0
    } else if differing == 1 {
        1.5
    } else {
        0.0
    }
}

/// Whether both figures count the same noun, or are of a kind that needs none, with something in common around them.
fn same_count(reading: &Reading<'_>, figure: &Figure, archive: &Archive<'_>, place: Place, theirs: &Figure) -> bool {
    let Some(source) = archive.reading(place) else { return false };
    let near = common(&around(reading, figure), &around(source, theirs));
    match (counted(reading, figure), counted(source, theirs)) {
        _ if figure.kind != Kind::Count => near >= 2,
        (Some(mine), Some(other)) => mine.stem == other.stem && near >= 2,
        _ => false,
    }
}

/// Whether any place that has the value binds it to the same noun, or to what the draft has around it.
fn any_binds(reading: &Reading<'_>, figure: &Figure, archive: &Archive<'_>, matches: &[(Place, &Figure)]) -> bool {
    let mine = around(reading, figure);
    let noun = counted(reading, figure).map(|token| &token.stem);
    matches.iter().any(|(place, theirs)| {
        archive.reading(*place).is_some_and(|source| {
            let counts = noun.is_some() && counted(source, theirs).map(|token| &token.stem) == noun;
            counts || common(&mine, &around(source, theirs)) > 1
        })
    })
}

/// Whether another figure of the draft's sentence stands in a sentence of a source.
fn accompanied(archive: &Archive<'_>, reading: &Reading<'_>, figure: &Figure, place: Place, reach: usize) -> bool {
    let Some(source) = archive.reading(place) else { return false };
    archive.window(place, reach).any(|line| {
        companions(reading, figure).any(|other| siblings(source, line).iter().any(|theirs| other.same(theirs)))
    })
}

fn contradicted(desk: &Desk<'_>, field: usize, figure: &Figure, place: Place, rival: &Figure) -> Found {
    let reading = desk.fields.get(field).map(|field| &field.reading);
    let shown = desk.archive.reading(place).map_or("", |source| source.slice(rival.start..rival.end));
    Found {
        concern_type: ConcernType::InferredFact,
        rule: "number.contradicted",
        field,
        start: figure.start,
        end: figure.end,
        note: format!("The source has {} here.", one_line(shown)),
        passage: desk.archive.sentence(place),
        replacement: reading.map(|reading| written(desk, reading, figure, place, rival)),
    }
}

/// The source's figure as it can stand in the draft: its own words, in small letters within a sentence, and without a unit
/// that the draft has after its figure.
fn written(desk: &Desk<'_>, reading: &Reading<'_>, figure: &Figure, place: Place, rival: &Figure) -> String {
    let text = desk.archive.reading(place).map_or("", |source| source.slice(rival.start..rival.end));
    let text = one_line(text);
    let begins = reading.lines.get(reading.line_at(figure.start)).is_some_and(|line| line.start == figure.start);
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if rival.spelled && begins => first.to_uppercase().chain(chars).collect(),
        Some(first) if rival.spelled => first.to_lowercase().chain(chars).collect(),
        _ => text,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A date whose weekday every source tells otherwise.
fn weekday(desk: &Desk<'_>, field: usize, figure: &Figure, matches: &[(Place, &Figure)]) -> Option<Found> {
    let mine = figure.weekday?;
    let told: Vec<&(Place, &Figure)> = matches.iter().filter(|(_, theirs)| theirs.weekday.is_some()).collect();
    let (place, rival) = told.first().copied()?;
    if told.iter().any(|(_, theirs)| theirs.weekday == Some(mine)) {
        return None;
    }
    let source = desk.archive.reading(*place)?;
    let right = source.tokens.get(rival.tokens.start)?;
    let right = source.text.get(right.start..right.end)?;
    let reading = &desk.fields.get(field)?.reading;
    let wrong = reading.tokens.get(figure.tokens.start)?;
    Some(Found {
        concern_type: ConcernType::InferredFact,
        rule: "number.weekday",
        field,
        start: figure.start,
        end: figure.end,
        note: format!("The source has {right} for this date."),
        passage: desk.archive.sentence(*place),
        replacement: Some(format!("{right}{}", reading.text.get(wrong.end..figure.end)?)),
    })
}

/// A figure that a source takes back, where the draft does not tell so.
fn withdrawn(
    desk: &Desk<'_>,
    field: usize,
    figure: &Figure,
    matches: &[(Place, &Figure)],
    taken_back: &[Withdrawal],
) -> Option<Found> {
    let archive = &desk.archive;
    let reading = &desk.fields.get(field)?.reading;
    let mine = around(reading, figure);
    let found = taken_back.iter().filter(|w| w.wrong.same(figure)).find(|withdrawal| {
        let Some(source) = archive.reading(withdrawal.place) else { return false };
        let mut theirs = around(source, &withdrawal.wrong);
        theirs.extend(around(source, &withdrawal.right));
        let bound = shared(archive, &mine, &theirs);
        // Said of something else, the same value may stand.
        let elsewhere = matches
            .iter()
            .filter(|(place, _)| *place != withdrawal.place)
            .filter_map(|(place, other)| archive.reading(*place).map(|reading| around(reading, other)))
            .filter(|words| common(words, &theirs) == 0)
            .map(|words| shared(archive, &mine, &words))
            .fold(0.0_f64, f64::max);
        bound > elsewhere && bound > 0.0
    })?;
    let known = desk.fields.iter().any(|field| field.reading.figures.iter().any(|other| other.same(&found.right)));
    if tells(reading, figure, &found.right) || known && reports(reading, figure) {
        return None;
    }
    let source = archive.reading(found.place)?;
    let (from, to) = (found.place.line.min(found.right_place.line), found.place.line.max(found.right_place.line));
    let passage: Option<SourceSpan> = match (source.lines.get(from), source.lines.get(to)) {
        (Some(first), Some(last)) => archive.span(found.place.source, first.start, last.end),
        _ => None,
    };
    Some(Found {
        concern_type: ConcernType::InferredFact,
        rule: "number.withdrawn",
        field,
        start: figure.start,
        end: figure.end,
        note: format!(
            "The source takes this figure back; it is {}.",
            one_line(source.slice(found.right.start..found.right.end))
        ),
        passage,
        replacement: Some(written(desk, reading, figure, found.right_place, &found.right)),
    })
}

/// Whether a sentence tells of what some paper said, as a draft does that has the right figure elsewhere.
fn reports(reading: &Reading<'_>, figure: &Figure) -> bool {
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    reading.line_tokens(line).iter().any(|token| {
        matches!(
            token.word.as_str(),
            "still"
                | "had"
                | "announcement"
                | "announced"
                | "release"
                | "statement"
                | "memo"
                | "memorandum"
                | "slide"
                | "spoke"
        )
    })
}

/// Whether the draft itself sets the figure right, in this sentence or beside it, or says that it was wrong.
fn tells(reading: &Reading<'_>, figure: &Figure, right: &Figure) -> bool {
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let beside = line.saturating_sub(1)..(line + 2).min(reading.lines.len());
    let gives = beside.clone().any(|at| siblings(reading, at).iter().any(|other| other.same(right)));
    let tokens = reading.line_tokens(line);
    let cue = tokens.iter().any(|token| {
        corrects(&token.word) || matches!(token.word.as_str(), "earlier" | "originally" | "initially" | "mistakenly")
    });
    let first = tokens.windows(2).any(|pair| match pair {
        [one, two] => {
            let speaks = |word: &str| {
                matches!(word, "said" | "gave" | "put" | "announced" | "reported" | "stated" | "had" | "spoke")
            };
            one.word == "first" && speaks(&two.word) || two.word == "first" && speaks(&one.word)
        }
        _ => false,
    });
    gives || cue || first
}

#[cfg(test)]
mod tests {
    use crate::proof::check_texts;

    const SOURCE: &str = "The capital reserve would fall from $1,640,000 to $460,000. The plan lays 1.4 miles of paths as far as \
                          the pond. Two hundred and six children missed the spring test. Half of 4,870 households got a survey in \
                          May. The board votes on Thursday, October 22, in the town hall. The estimated saving is $460,000 a year, \
                          not $640,000.";

    fn found(draft: &str) -> Vec<(String, String, Option<String>)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.replacement)).collect()
    }

    fn one(rule: &str, text: &str, replacement: &str) -> Vec<(String, String, Option<String>)> {
        vec![(rule.to_owned(), text.to_owned(), Some(replacement.to_owned()))]
    }

    #[test]
    fn a_figure_may_take_another_form() {
        for fine in [
            "The capital reserve would fall to $460 thousand.",
            "Another 206 children missed the spring test.",
            "Nearly 5,000 households got a survey.",
            "The board votes on October 22.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }

    #[test]
    fn the_passage_on_the_same_thing_has_another_figure() {
        assert_eq!(found("The plan lays 1.8 miles of paths to the pond."), one("number.contradicted", "1.8", "1.4"));
        assert_eq!(
            found("Another 260 children missed the spring test."),
            one("number.contradicted", "260", "two hundred and six")
        );
    }

    #[test]
    fn a_withdrawn_figure_is_wrong_unless_the_draft_says_so() {
        assert_eq!(
            found("The saving is estimated at $640,000 a year."),
            one("number.withdrawn", "$640,000", "$460,000")
        );
        assert_eq!(found("The saving, first given as $640,000, is $460,000 a year."), []);
    }

    #[test]
    fn the_weekday_must_fit_the_date() {
        assert_eq!(
            found("The board votes on Friday, October 22."),
            one("number.weekday", "Friday, October 22", "Thursday, October 22")
        );
    }
}
