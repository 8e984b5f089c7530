//! Figures: each amount, share, count, year, date and time of the draft is one that a source gives for the same thing.
//!
//! Why: a wrong figure is the error that readers find first and forgive last, and the one that a program finds surest. A
//! figure that is nowhere is reported; one that a source has for something else only where a passage speaks plainly of the
//! thing in question and gives another.

use crate::newsroom::{ConcernType, SourceSpan, SpanKind, Standing};

use super::{
    archive::{Archive, Place},
    bindings::{
        around, common, companions, counted, fitted, is_label, nearest, of_line, one_line, sentence, shared, siblings,
        strength,
    },
    desk::{Desk, Found, Ledger, Sound},
    figure::{Figure, Kind, near},
    reading::Reading,
    spelling::distance,
    sums::{derived, rounded},
    token::Token,
    withdrawals::{self, Withdrawal, corrects},
};

/// A sentence with more figures than these is a table.
const FIGURES: usize = 24;

/// Share of the best rival's strength from which another value could be meant as well.
const CONTEST: f64 = 0.75;

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
            let kind = match figure.kind {
                Kind::Year | Kind::Date | Kind::Time => SpanKind::Date,
                _ => SpanKind::Number,
            };
            let judged = judge(desk, at, figure, &taken_back);
            if judged.is_none() {
                ledger.pass(|| {
                    let (standing, passage) = standing(desk, at, figure);
                    let (start, end) = (figure.start, figure.end);
                    Sound { kind, standing, rule: "number.found", field: at, start, end, passage }
                });
            }
            if let Some(mut found) = judged {
                found.kind = Some(kind);
                // What cannot be put right goes with its sentence.
                let whole = sentence(&field.reading, found.start, found.end);
                if found.replacement.as_deref() == Some("") && !ledger.taken(at, whole.start, whole.end) {
                    (found.start, found.end) = (whole.start, whole.end);
                }
                ledger.enter(found);
            }
        }
    }
}

/// How a figure stands that nothing speaks against, and where.
fn standing(desk: &Desk<'_>, field: usize, figure: &Figure) -> (Standing, Option<SourceSpan>) {
    let archive = &desk.archive;
    let Some(reading) = desk.fields.get(field).map(|field| &field.reading) else { return (Standing::Unchecked, None) };
    let best = occurrences(archive, figure)
        .into_iter()
        .take(FIGURES)
        .map(|(place, theirs)| (strength(archive, (reading, figure), place, theirs), place))
        .max_by(|(one, _), (other, _)| one.total_cmp(other));
    match best {
        Some((_, place)) => (Standing::Found, archive.sentence(place)),
        None if rounded(archive, reading, figure) || derived(archive, reading, figure) => (Standing::Derived, None),
        None => (Standing::Unchecked, None),
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
    let Rival { place, figure: rival, strength: rivals, contested } = candidate(archive, reading, figure, taken_back)?;
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
    (wrong && !derived(archive, reading, figure)).then(|| contradicted(desk, field, figure, (place, rival), contested))
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
    if rounded(archive, reading, figure) || derived(archive, reading, figure) {
        return None;
    }
    let small = figure.kind == Kind::Fraction
        || figure.kind == Kind::Count && figure.value <= SMALL && (figure.spelled || figure.partner.is_none());
    let candidate = candidate(archive, reading, figure, taken_back);
    if let Some(Rival { place, figure: rival, strength, contested }) = candidate {
        let plainly = same_count(reading, figure, archive, place, rival);
        let near = archive.reading(place).map_or(0, |source| common(&around(reading, figure), &around(source, rival)));
        let least = if matches!(figure.kind, Kind::Year | Kind::Date) { 2 } else { 1 };
        if !small && strength > 6.0 && near >= least || plainly && strength > 9.0 {
            return Some(contradicted(desk, field, figure, (place, rival), contested));
        }
    }
    if small {
        return None;
    }
    Some(Found {
        kind: None,
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

/// A figure of a source that could be meant.
struct Rival<'d> {
    place: Place,
    figure: &'d Figure,
    strength: f64,
    /// Whether another value of the sources is bound to the draft's words nearly as much.
    contested: bool,
}

/// The source's figure of the same kind that speaks of the same thing: not one that the draft's sentence already has.
fn candidate<'d>(
    archive: &'d Archive<'_>,
    reading: &Reading<'_>,
    figure: &Figure,
    taken_back: &[Withdrawal],
) -> Option<Rival<'d>> {
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let mut stems = of_line(reading, line);
    let tokens = reading.line_tokens(line);
    let others =
        tokens.iter().filter(|t| t.stem.starts_with(|c: char| c.is_ascii_digit())).filter(|t| t.start != figure.start);
    stems.extend(others.map(|token| token.stem.as_str()));
    let mine = nearest(reading, figure);
    let mut all: Vec<Rival<'d>> = Vec::new();
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
                || is_label(source, theirs)
            {
                continue;
            }
            let near = shared(archive, &mine, &nearest(source, theirs));
            let strength =
                strength(archive, (reading, figure), hit.place, theirs) + likeness(figure, theirs) + 0.5 * near;
            all.push(Rival { place: hit.place, figure: theirs, strength, contested: false });
        }
    }
    all.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let rest = all.split_off(1.min(all.len()));
    let mut best = all.pop()?;
    // Of two values in one sentence the words around each decide, later.
    best.contested = rest.iter().any(|other| {
        other.place != best.place && !other.figure.same(best.figure) && other.strength >= CONTEST * best.strength
    });
    Some(best)
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

/// Whether one figure can be a slip of the pen for another: one digit wrong, too many or missing, or the same digits in another
/// order. Any other false figure may be a true one of something else.
fn slipped(one: &Figure, other: &Figure) -> bool {
    let digits = |figure: &Figure| -> String {
        let value = if figure.kind == Kind::Time {
            (figure.value % 720.0 / 60.0).floor() * 100.0 + figure.value % 60.0
        } else {
            figure.value
        };
        format!("{value}").chars().filter(char::is_ascii_digit).collect()
    };
    let (a, b) = (digits(one), digits(other));
    let sorted = |text: &str| {
        let mut all: Vec<char> = text.chars().collect();
        all.sort_unstable();
        all
    };
    distance(&a, &b, 1).is_some_and(|apart| apart <= 1) || sorted(&a) == sorted(&b)
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

fn contradicted(
    desk: &Desk<'_>,
    field: usize,
    figure: &Figure,
    (place, rival): (Place, &Figure),
    contested: bool,
) -> Found {
    let archive = &desk.archive;
    let shown = archive.reading(place).map_or("", |source| source.slice(rival.start..rival.end));
    let shown = one_line(shown);
    let reading = desk.fields.get(field).map(|field| &field.reading);
    let repair = reading.zip(archive.reading(place)).and_then(|(reading, source)| {
        // A figure that the draft has elsewhere is there for a thing of its own.
        let known = desk.fields.iter().any(|field| field.reading.figures.iter().any(|other| other.same(rival)));
        let safe = !contested && !known && slipped(figure, rival) && decided(reading, figure, source, place, rival);
        safe.then(|| fitted(reading, figure, source, rival)).flatten()
    });
    let written = reading.map_or("", |reading| reading.slice(figure.start..figure.end));
    Found {
        kind: None,
        concern_type: ConcernType::InferredFact,
        rule: "number.contradicted",
        field,
        start: figure.start,
        end: figure.end,
        note: if repair.is_some() {
            format!("The source has {} here.", shown.trim_end_matches('.'))
        } else {
            format!(
                "No source gives “{}” for this; the passage nearest to it has {}.",
                one_line(written),
                shown.trim_end_matches('.')
            )
        },
        passage: archive.sentence(place),
        replacement: Some(repair.unwrap_or_default()),
    }
}

/// Whether a source's figure is the only one that can stand in the draft's place: of the same kind and of the same thing, in a
/// sentence that plainly speaks of what the draft's does, and alone there or bound to it by the words right around.
fn decided(reading: &Reading<'_>, figure: &Figure, source: &Reading<'_>, place: Place, rival: &Figure) -> bool {
    if figure.kind != rival.kind || figure.partner.is_some() {
        return false;
    }
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let (own, theirs) = (of_line(reading, line), of_line(source, place.line));
    let sharing = common(&own, &theirs);
    if sharing < 2 || sharing < 3 && sharing * 3 < own.len() {
        return false;
    }
    let noun = counted(reading, figure).map(|token| token.stem.as_str());
    let mine = nearest(reading, figure);
    let close = |other: &Figure| common(&mine, &nearest(source, other));
    let counts = |other: &Figure| counted(source, other).map(|token| token.stem.as_str()) == noun;
    let bound = match figure.kind {
        Kind::Count => {
            counts(rival) && (noun.is_some() || common(&around(reading, figure), &around(source, rival)) >= 2)
        }
        Kind::Year | Kind::Date => close(rival) >= 2,
        _ => true,
    };
    let others = siblings(source, place.line).iter().filter(|other| {
        other.start != rival.start
            && figure.comparable(other)
            && !other.same(rival)
            && !is_label(source, other)
            && !companions(reading, figure).any(|beside| beside.same(other))
            && (figure.kind != Kind::Count || counts(other))
    });
    bound && others.into_iter().all(|other| close(other) < close(rival))
}

/// A date whose weekday every source tells otherwise.
fn weekday(desk: &Desk<'_>, field: usize, figure: &Figure, matches: &[(Place, &Figure)]) -> Option<Found> {
    let mine = figure.weekday?;
    let told: Vec<&(Place, &Figure)> = matches.iter().filter(|(_, theirs)| theirs.weekday.is_some()).collect();
    let (place, rival) = told.first().copied()?;
    if told.iter().any(|(_, theirs)| theirs.weekday == Some(mine)) {
        return None;
    }
    let agreed = told.iter().all(|(_, theirs)| theirs.weekday == rival.weekday);
    let source = desk.archive.reading(*place)?;
    let right = source.tokens.get(rival.tokens.start)?;
    let right = source.text.get(right.start..right.end)?;
    let reading = &desk.fields.get(field)?.reading;
    let wrong = reading.tokens.get(figure.tokens.start)?;
    Some(Found {
        kind: None,
        concern_type: ConcernType::InferredFact,
        rule: "number.weekday",
        field,
        start: figure.start,
        end: figure.end,
        note: format!("The source has {right} for this date."),
        passage: desk.archive.sentence(*place),
        replacement: Some(if agreed {
            format!("{right}{}", reading.text.get(wrong.end..figure.end)?)
        } else {
            String::new()
        }),
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
        // Said of something else, the same value may stand; and a correction may affirm it for what the draft speaks of.
        if affirmed(archive, reading, figure, withdrawal, matches) {
            return false;
        }
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
    let nouns = [(found.place, &found.wrong), (found.right_place, &found.right)];
    let noun = counted(reading, figure).map(|token| &token.stem);
    let theirs = nouns.iter().filter_map(|(at, other)| counted(archive.reading(*at)?, other)).map(|token| &token.stem);
    let mut theirs = theirs.peekable();
    let same = noun.is_none() || theirs.peek().is_none() || theirs.any(|stem| Some(stem) == noun);
    let repair = archive.reading(found.right_place).filter(|_| same);
    let repair = repair.and_then(|right| fitted(reading, figure, right, &found.right)).unwrap_or_default();
    let (from, to) = (found.place.line.min(found.right_place.line), found.place.line.max(found.right_place.line));
    let passage: Option<SourceSpan> = match (source.lines.get(from), source.lines.get(to)) {
        (Some(first), Some(last)) => archive.span(found.place.source, first.start, last.end),
        _ => None,
    };
    Some(Found {
        kind: None,
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
        replacement: Some(repair),
    })
}

/// Whether the correction itself, or what follows it there, gives the same value for what the draft's sentence speaks of.
fn affirmed(
    archive: &Archive<'_>,
    reading: &Reading<'_>,
    figure: &Figure,
    withdrawal: &Withdrawal,
    matches: &[(Place, &Figure)],
) -> bool {
    let line = |reading: &Reading<'_>, figure: &Figure| reading.tokens.get(figure.tokens.start).map_or(0, |t| t.line);
    let Some(source) = archive.reading(withdrawal.place) else { return false };
    let paragraph = source.paragraph(withdrawal.right_place.line);
    let own = of_line(reading, line(reading, figure));
    let taken = shared(archive, &own, &of_line(source, line(source, &withdrawal.wrong)));
    matches.iter().any(|(place, other)| {
        let corrected = place.source == withdrawal.place.source
            && paragraph.contains(&place.line)
            && other.start != withdrawal.wrong.start;
        let tokens = source.line_tokens(place.line);
        let says =
            tokens.iter().any(|token| matches!(token.word.as_str(), "is" | "are" | "stands" | "remains" | "was"));
        let disowns =
            tokens.iter().any(|token| corrects(&token.word) || matches!(token.word.as_str(), "wrong" | "wrote"))
                || tokens.iter().any(super::hedges::denies);
        corrected && says && !disowns && {
            let words = of_line(source, place.line);
            common(&own, &words) >= 1 && shared(archive, &own, &words) > taken
        }
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

    fn repairs(draft: &str, source: &str) -> Vec<(String, Option<String>)> {
        check_texts(draft, source).into_iter().map(|f| (f.text, f.replacement)).collect()
    }

    fn repair(text: &str, new: &str) -> Vec<(String, Option<String>)> {
        vec![(text.to_owned(), Some(new.to_owned()))]
    }

    #[test]
    fn a_label_is_no_figure() {
        let draft = "Over the whole season 161 divers were injured off the coast.";
        let only = "Table 3 lists divers injured off the coast over the whole season.";
        let found = repairs(draft, only);
        assert!(found.iter().all(|(_, new)| new.as_deref().is_none_or(str::is_empty)), "{found:?}");
        let both = "Table 3 shows the coast. Over the whole season 61 divers were injured off the coast.";
        assert_eq!(repairs(draft, both), repair("161", "61"));
    }

    #[test]
    fn only_a_slip_of_the_pen_is_put_right() {
        let source = "The guild of bakers had 61 members in the spring of its first year.";
        assert_eq!(repairs("The guild of bakers had 67 members in its first year.", source), repair("67", "61"));
        let found = repairs("The guild of bakers had 340 members in its first year.", source);
        assert!(found.iter().all(|(_, new)| new.as_deref().is_none_or(str::is_empty)), "{found:?}");
        let twice = "The guild of bakers had 67 members in its first year. It now has 61 ovens.";
        assert!(repairs(twice, source).iter().all(|(_, new)| new.as_deref().is_none_or(str::is_empty)));
    }

    #[test]
    fn of_two_times_the_one_that_the_words_bind() {
        let source = "The lantern gates open at 18:15, and the last bus leaves the square at 11:40 p.m.";
        assert_eq!(repairs("The last bus leaves the square at 10:40 p.m.", source), repair("10:40 p.m.", "11:40 p.m."));
        let loose = "The lantern bus ran at 18:15 and 19:40, and nobody in the square complained.";
        let draft = "The lantern bus ran until 21:30, and the square did not complain.";
        assert!(repairs(draft, loose).iter().all(|(_, new)| new.as_deref().is_none_or(str::is_empty)));
    }

    #[test]
    fn the_draft_keeps_its_unit_and_no_sentence_begins_with_a_numeral() {
        assert_eq!(
            repairs(
                "Members of the guild pay 3.25 percent of their takings.",
                "Members of the guild pay 2.25% of their takings."
            ),
            repair("3.25 percent", "2.25 percent")
        );
        assert_eq!(
            repairs("Sixteen divers were injured off the coast.", "Last year 61 divers were injured off the coast."),
            repair("Sixteen", "Sixty-one")
        );
    }

    #[test]
    fn a_correction_may_affirm_a_figure_for_something_else() {
        let source = "We wrote that the yard would build 45 boats. That was wrong. Forty-five is the number of sailors who will sail \
                      from the yard. The number of boats is 28.";
        assert_eq!(repairs("Forty-five is how many sailors will sail from there.", source), []);
        assert_eq!(repairs("The yard would build 45 boats.", source), repair("45", "28"));
    }

    #[test]
    fn the_weekday_must_fit_the_date() {
        assert_eq!(
            found("The board votes on Friday, October 22."),
            one("number.weekday", "Friday, October 22", "Thursday, October 22")
        );
    }
}
