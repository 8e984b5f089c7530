//! Figures: a source gives each amount, share, count, year, date and time of the draft for the same thing.
//!
//! Why: programs find no error more reliably than a wrong figure. A figure that no source has is reported. One that a
//! source has for something else is reported only if a passage clearly speaks of the thing in question and gives
//! another figure.

use std::rc::Rc;

use crate::{
    newsroom::SourceSpan,
    proof::{
        binding::{Alignment, tie},
        reading::{TextLine, month, near},
        rules::{
            number::{
                absent, age, calendar, contradicted, direction, misplaced, ordinal, points,
                rivals::{FIGURES, Rival, accompanied, any_binds, candidate, same_count},
                row, unit, weekday, withdrawn, worked,
            },
            prelude::*,
        },
        sources::{
            Bond, Withdrawal, common, counted,
            derived::derivation_of,
            of_line, siblings,
            sums::derived,
            tables::may_be_record,
            withdrawals::{self},
        },
    },
};

pub static RULES: [&Rule; 16] = [
    &direction::RULE,
    &contradicted::RULE,
    &withdrawn::RULE,
    &weekday::RULE,
    &calendar::RULE,
    &age::RULE,
    &absent::RULE,
    &absent::COUNT,
    &unit::RULE,
    &points::RULE,
    &misplaced::RULE,
    &misplaced::EXCHANGED,
    &misplaced::DATE,
    &row::RULE,
    &ordinal::RULE,
    &worked::RULE,
];

/// Enters every figure that the sources contradict, take back or do not have.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    direction::check(ledger);
    worked::check(ledger);
    let texts = ledger.texts;
    let taken_back = withdrawals::all(&texts.archive);
    for Spot { field, index, item: figure } in texts.figures() {
        // A sentence with more figures is a table, and its words say nothing about each figure.
        let line = |figure: &Figure| field.reading.tokens.get(figure.tokens.start).map(|token| token.line);
        let before = index.checked_sub(FIGURES).and_then(|at| field.reading.figures.get(at));
        if before.is_some_and(|before| line(before) == line(figure)) {
            continue;
        }
        let quoted = field.reading.tokens.get(figure.tokens.start).is_some_and(Token::quoted);
        if quoted || ledger.taken(field, figure.start, figure.end) || is_address(&field.reading, figure) {
            continue;
        }
        let kind = kind(figure);
        let judged = judge(ledger, field, figure, &taken_back);
        if judged.is_none() {
            let alignment =
                if ledger.whole { ledger.aligned(field, field.reading.line_of(&figure.tokens)) } else { Rc::default() };
            ledger.pass(|| {
                let (standing, passage, note) = standing(texts, field, figure, &alignment);
                Sound::new("number.found", kind, standing, field, figure.start..figure.end, passage).note(note)
            });
        }
        if let Some(mut found) = judged {
            found.kind = kind;
            ledger.enter(found);
        }
    }
    ordinal::check(ledger);
}

/// Whether a figure is a number or a date.
pub fn kind(figure: &Figure) -> SpanKind {
    match figure.kind {
        FigureKind::Year | FigureKind::Date | FigureKind::Time => SpanKind::Date,
        _ => SpanKind::Number,
    }
}

/// The standing of a figure that no rule objects to, with its passage and note.
fn standing(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    figure: &Figure,
    alignment: &Alignment,
) -> (Standing, Option<SourceSpan>, Option<String>) {
    let archive = &texts.archive;
    let reading = &field.reading;
    let places: Vec<(SourceLine, &Figure)> = occurrences(archive, figure)
        .into_iter()
        .take(FIGURES)
        .filter(|(place, theirs)| !of_another(archive, (reading, figure), *place, theirs))
        .collect();
    let tie = tie(archive, reading, alignment, figure, &places);
    if let Some(place) = tie.bound(figure) {
        return (Standing::Matches, archive.sentence(place), None);
    }
    if let Some(same) = tie.same {
        return (Standing::StandsThere, archive.sentence(same.place), None);
    }
    match derivation_of(texts, reading, figure) {
        Some(from) => {
            let within = alignment.windows.first().is_some_and(|window| {
                let lines = archive.reading(window.place).and_then(|source| source.lines.get(window.lines.clone()));
                let touches = |lines: &[TextLine]| {
                    lines.iter().any(|line| line.start < from.range.end && from.range.start < line.end)
                };
                window.place.source == from.source && lines.is_some_and(touches)
            });
            let standing = if within { Standing::Derived } else { Standing::StandsThere };
            (standing, archive.span(from.source, from.range.start, from.range.end), Some(from.note))
        }
        None => (Standing::Unchecked, None, None),
    }
}

/// Whether a source counts something else with the same number: `23 days` does not support 23 volunteers.
fn of_another(
    archive: &SourceArchive<'_>,
    (reading, figure): (&ParsedText<'_>, &Figure),
    place: SourceLine,
    theirs: &Figure,
) -> bool {
    let Some(source) = archive.reading(place) else { return true };
    if figure.kind != FigureKind::Count {
        return false;
    }
    let (Some(mine), Some(other)) = (counted(reading, figure), counted(source, theirs)) else { return false };
    let there =
        || archive.window(place, 1).flat_map(|line| source.line_tokens(line)).any(|token| token.stem == mine.stem);
    let here = || reading.line_tokens(mine.line).iter().any(|token| token.stem == other.stem);
    mine.stem != other.stem && !there() && !here()
}

/// At most so many figures of a passage are combined in pairs, from so many sentences on each side.
const PAIRED: usize = 24;
const NEIGHBOURS: usize = 2;

/// Words of a sentence that compares or adds up.
static WORKS_OUT: WordList = words(
    "more less fewer higher lower larger smaller longer up down rose fell rise increase increased decrease drop dropped gap difference \
     total totals together combined both above below left remaining remains savings later earlier apart \
     margin outnumbered exceeds exceeded",
);

/// At most so many figures of a sentence are added up.
const PARTS: usize = 12;

/// Whether a figure is called a sum, and is the sum of figures before it in its own sentence: `twelve came, eight called and three wrote,
/// making 23 in all`.
fn added_up(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let line = reading.line_of(&figure.tokens);
    let word = |at: usize| reading.tokens.get(at).filter(|token| token.line == line).map_or("", |token| &token.word);
    let (first, end) = (figure.tokens.start, figure.tokens.end);
    let behind = (end..end + 3).any(|at| {
        let (this, next) = (word(at), word(at + 1));
        matches!(this, "altogether" | "together" | "combined" | "total")
            || matches!((this, next), ("in", "all" | "total") | ("between", "them"))
    });
    let before = (first.saturating_sub(4)..first).any(|at| matches!(word(at), "total" | "totalling" | "totaling"));
    if !behind && !before {
        return false;
    }
    let begins = reading.lines.get(line).map_or(0, |line| line.start);
    let parts = reading.figures_between(begins, figure.start).iter().rev().filter(|other| figure.comparable(other));
    let sums = parts.take(PARTS).scan(0.0, |sum, part| {
        *sum += part.value;
        Some(*sum)
    });
    sums.skip(1).any(|sum| near(sum, figure.value))
}

/// Whether a figure is, as it rounds, the sum, difference or share of two figures in its passages. A reporter works out
/// what a reader asks next.
fn worked_out(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure, alignment: &Alignment) -> bool {
    let text = reading.slice(figure.start..figure.end);
    let decimals = text.split_once('.').map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
    let place = 10f64.powi(-i32::try_from(decimals).unwrap_or(0));
    let off = match figure.kind {
        FigureKind::Percent | FigureKind::Points => place / 2.0,
        FigureKind::Fraction => 0.02,
        FigureKind::Money(_) | FigureKind::Count => figure.slack,
        _ => return false,
    } + figure.value.abs() * 1e-9;
    let fits = |value: f64| (value - figure.value).abs() <= off;
    let same = |other: &Figure| {
        figure.comparable(other) || figure.kind == FigureKind::Points && other.kind == FigureKind::Percent
    };
    let parts = matches!(figure.kind, FigureKind::Percent | FigureKind::Fraction);
    let scale = if figure.kind == FigureKind::Percent { 100.0 } else { 1.0 };
    let told =
        || reading.line_tokens(reading.line_of(&figure.tokens)).iter().any(|token| WORKS_OUT.contains(&token.word));
    let cue = !matches!(figure.kind, FigureKind::Count | FigureKind::Money(_)) || told();
    let leads = |one: &Figure, other: &Figure| {
        let (low, high) = (one.value.min(other.value), one.value.max(other.value));
        let counts = matches!(one.kind, FigureKind::Count | FigureKind::Money(_)) && low > 0.0;
        let sums = cue && same(one) && figure.kind != FigureKind::Percent && (fits(high - low) || fits(high + low));
        let years = cue && figure.kind == FigureKind::Count && one.kind == FigureKind::Year && fits(high - low);
        let share = |part: f64| fits(part * scale);
        let changed = told() && (share((high - low) / low) || share((high - low) / high));
        let shares = parts && decimals == 0 && counts && (changed || share(low / high));
        sums || years || shares
    };
    let stems: Vec<&str> =
        reading.line_tokens(reading.line_of(&figure.tokens)).iter().map(|token| token.stem.as_str()).collect();
    // A share is one of what the draft speaks of: "of the pupils".
    let spoken_of = |source: &ParsedText<'_>, other: &Figure| {
        !parts || counted(source, other).is_none_or(|thing| stems.contains(&thing.stem.as_str()))
    };
    let own = of_line(reading, reading.line_of(&figure.tokens));
    alignment.windows.iter().any(|window| {
        // Tables have a way of their own.
        let source = archive.reading(window.place).filter(|source| !may_be_record(source, window.place.line));
        let Some(source) = source else { return false };
        let bears = |line: &usize| common(&own, &of_line(source, *line)) > 0;
        let lines = archive.window(window.place, NEIGHBOURS).filter(bears);
        let figures = lines.flat_map(|line| siblings(source, line)).filter(|other| spoken_of(source, other));
        let figures: Vec<&Figure> = figures.take(PAIRED).collect();
        figures.iter().enumerate().any(|(at, one)| {
            figures.iter().skip(at + 1).filter(|other| one.comparable(other)).any(|other| leads(one, other))
        })
    })
}

/// Whether a number is part of a link or a footnote mark, and so counts nothing.
fn is_address(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let head = reading.text.get(..figure.start).unwrap_or_default();
    let tail = reading.text.get(figure.end..).unwrap_or_default();
    // 555-010-0199: groups of digits in a row are dialled.
    let group = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count() > 1;
    let ends = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = head.strip_suffix(['-', '.']).filter(|head| ends(head) > 1);
    let third =
        |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['-', '.']).is_some_and(group);
    // "(555) 010-0199"
    let bracketed = |head: &str| head.trim_end().strip_suffix(')').is_some_and(|head| ends(head) > 2);
    let after = tail.strip_prefix(['-', '.']).filter(|tail| group(tail));
    let earlier = |head: &str| {
        let rest = head.trim_end_matches(|c: char| c.is_ascii_digit());
        rest.strip_suffix(['-', '.']).is_some_and(|head| ends(head) > 1) || bracketed(rest)
    };
    let dialled = match (before, after) {
        (Some(_), Some(_)) => true,
        (None, Some(tail)) => third(tail) || bracketed(head),
        (Some(head), None) => earlier(head),
        (None, None) => false,
    };
    if dialled && !figure.spelled && figure.kind != FigureKind::Date {
        return true;
    }
    let glued = head.chars().next_back().is_some_and(|c| matches!(c, '/' | '^' | '#' | '_' | '=' | '@' | '&'));
    glued || tail.starts_with(['/', '@', '='])
}

#[cfg(test)]
mod worked_out {
    use crate::proof::trial::check_texts;

    #[test]
    fn what_follows_from_figures_of_the_passage_may_stand() {
        let source = "The harbour has 312 berths for yachts.\n\nThe warden counted 187 yachts in the berths of the harbour. It paid $81,000 for \
                      paint and $50,200 for rope.";
        for fine in [
            "About 60 percent of the berths in the harbour had yachts, the warden counted.",
            "The harbour has 125 more berths than the warden counted yachts.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        let wrong = "The harbour paid $38,800 for paint and rope, the warden counted.";
        assert_eq!(check_texts(wrong, source).len(), 1);
        let school = "The school has 412 pupils, 37 masters, 23 rooms and 5 gyms.";
        assert_eq!(check_texts("About 62 percent of the pupils walk.", school).len(), 1);
    }
}

#[cfg(test)]
mod added_up {
    use crate::proof::trial::{check_texts, rules_of};

    #[test]
    fn a_sum_of_the_sentence_itself_may_stand() {
        let source = "Twelve anglers came to the weir. Eight anglers called the weir by phone. Three anglers of the weir wrote. The boats \
                      cost £41,000 and the nets £18,000. The weir had 17 visitors.";
        for fine in [
            "Twelve anglers came to the weir, eight called and three wrote, making 23 in all.",
            "The boats cost £41,000 and the nets £18,000, or £59,000 between them.",
            "A total of 23 answered: twelve came to the weir, eight called and three wrote, 23 altogether.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        let wrong = "The boats cost £41,000 and the nets £18,000, or £69,000 between them.";
        assert_eq!(rules_of(wrong, source), ["number.not_found"]);
    }
}

#[cfg(test)]
mod telephone {
    use crate::proof::trial::{check_texts, notes};

    #[test]
    fn a_telephone_number_counts_nothing() {
        let source = "The pool of 45 swimmers closes at noon. It cost $91 in 2019.";
        for fine in ["Call 555-010-0199.", "Call (555) 010-0199.", "Call 555.010.0199 at noon."] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for found in ["The pool cost $93-95.", "The pool (for children) has 93-95 swimmers."] {
            assert!(check_texts(found, source).len() + notes(found, source).len() > 0, "{found}");
        }
    }
}

fn judge(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    taken_back: &[Withdrawal],
) -> Option<Fault> {
    let texts = ledger.texts;
    let archive = &texts.archive;
    let reading = &field.reading;
    let matches = occurrences(archive, figure);
    if let Some(found) = calendar::impossible(texts, field, figure, &matches) {
        return Some(found);
    }
    if matches.is_empty() {
        return age::impossible(texts, field, figure)
            .or_else(|| derivation_of(texts, reading, figure).is_none().then(|| points::mixed(texts, field, figure))?)
            .or_else(|| {
                let found = absent::absent(texts, field, figure, taken_back)?;
                let alignment = ledger.aligned(field, reading.line_of(&figure.tokens));
                (!worked_out(archive, reading, figure, &alignment)).then_some(found)
            })
            .filter(|_| !added_up(reading, figure));
    }
    if added_up(reading, figure) {
        return None;
    }
    let found = weekday::weekday(texts, field, figure, &matches)
        .or_else(|| withdrawn::withdrawn(texts, field, figure, &matches, taken_back))
        .or_else(|| unit::measure(texts, field, figure, &matches))
        .or_else(|| points::apart(ledger, field, figure))
        .or_else(|| row::row(texts, field, figure, &matches))
        .or_else(|| misplaced::misplaced(ledger, field, figure, &matches));
    if found.is_some() {
        return found;
    }
    // A source has the value. Is it about the same thing there?
    let bond = Bond::of(archive, reading, figure);
    let strengths = matches.iter().take(FIGURES).map(|(place, theirs)| bond.strength(archive, *place, theirs));
    let best = strengths.fold(0.0_f64, f64::max);
    let Rival { place, figure: rival, strength: rivals, contested } = candidate(archive, &bond, taken_back)?;
    let confirmed = taken_back.iter().any(|withdrawal| withdrawal.right.same(figure));
    let plainly = match figure.kind {
        FigureKind::Count => same_count(reading, figure, archive, place, rival),
        // Without a noun to compare, another figure of the draft's sentence must stand beside the rival, and not
        // beside this value.
        _ => {
            accompanied(archive, reading, figure, place, 0)
                && !matches.iter().any(|(at, _)| accompanied(archive, reading, figure, *at, 1))
        }
    };
    let far_better = rivals > 2.2 * best + 6.0 && best < 9.0 || figure.kind != FigureKind::Count && rivals > best + 3.0;
    let wrong = plainly && far_better && !confirmed && !any_binds(reading, figure, archive, &matches);
    (wrong && derived(archive, reading, figure).is_none())
        .then(|| contradicted::contradicted(texts, field, figure, (place, rival), contested))
}

/// Whether no source has a figure and it follows from none. Small counts are the reporter's own.
pub fn is_new(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let counts =
        figure.kind == FigureKind::Fraction || figure.kind == FigureKind::Count && figure.value <= absent::SMALL;
    !counts
        && !is_address(reading, figure)
        && occurrences(&texts.archive, figure).is_empty()
        && derivation_of(texts, reading, figure).is_none()
}

/// The places in the sources with the same value, and for a tally with its other number beside it.
fn occurrences<'d>(archive: &'d SourceArchive<'_>, figure: &Figure) -> Vec<(SourceLine, &'d Figure)> {
    let mut found = archive.equal(figure);
    if found.is_empty() {
        found = in_parts(archive, figure);
    }
    // "8 percent" is not eight drivers. But in a table or a list, the word for it may stand only in the heading.
    if figure.kind == FigureKind::Percent {
        found.retain(|(place, theirs)| {
            theirs.kind != FigureKind::Count || !theirs.spelled && of_shares(archive, *place)
        });
    }
    if let Some(mine) = figure.partner {
        found.retain(|(place, theirs)| {
            let beside = || archive.reading(*place).map_or(&[][..], |reading| siblings(reading, place.line));
            theirs.partner.is_none_or(|other| near(other, mine))
                || beside().iter().any(|figure| near(figure.value, mine))
        });
    }
    found
}

/// The sentences of the sources that have the month and the year of a date apart from each other: `in April, in the last
/// week of 1986` for April 1986.
fn in_parts<'d>(archive: &'d SourceArchive<'_>, figure: &Figure) -> Vec<(SourceLine, &'d Figure)> {
    let month_alone = figure.kind == FigureKind::Date && near(figure.value % 100.0, 0.0);
    let Some(year) = figure.year.filter(|_| month_alone) else { return Vec::new() };
    let mut found = archive.equal(&Figure { kind: FigureKind::Year, value: f64::from(year), ..figure.clone() });
    found.retain(|(place, theirs)| {
        let told = |token: &Token| month(token).is_some_and(|month| near(f64::from(month * 100), figure.value));
        theirs.kind == FigureKind::Year && archive.tokens(*place).iter().any(told)
    });
    found
}

/// Whether a passage speaks of shares.
fn of_shares(archive: &SourceArchive<'_>, place: SourceLine) -> bool {
    let Some(reading) = archive.reading(place) else { return false };
    archive.window(place, 1).any(|line| {
        let told = |token: &Token| {
            matches!(token.word.as_str(), "percent" | "percentage" | "pct" | "share" | "rate" | "points")
        };
        reading.line_text(line).contains('%') || reading.line_tokens(line).iter().any(told)
    })
}

#[cfg(test)]
mod tests {
    use crate::{
        newsroom::{SpanKind, Standing},
        proof::{check::ledger, rule::Gravity, rules::number::given::found, trial::texts},
    };

    #[test]
    fn a_number_is_found_where_it_is_said_of_the_same() {
        let source = "We are short of eight drivers. The fair ran on 23 days. It rained. Everybody came, \
                      34 volunteers among them. The show is over in fifty minutes.\n\n- Route: 3; Percent on time: 81.4";
        let of = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().find(|row| row.kind == SpanKind::Number).map(|row| row.standing)
        };
        assert_eq!(of("The fair had 34 volunteers."), Some(Standing::Matches));
        assert_eq!(of("On route 3 it was 81.4 percent."), Some(Standing::Matches));
        for other in ["The club has 23 volunteers.", "The loan runs over fifty years.", "Riders fell by 8 percent."] {
            assert_ne!(of(other), Some(Standing::Matches), "{other}");
        }
    }

    #[test]
    fn a_number_is_bound_only_if_its_passage_names_by_whom_and_for_what() {
        let source =
            "Forty lamps in the old hall were repaired by volunteers on Saturday. The town paid $900 for paint.";
        let of = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().find(|row| row.kind == SpanKind::Number).map(|row| row.standing)
        };
        for same in ["Forty lamps in the hall were repaired by volunteers.", "The town paid $900 for new paint."] {
            assert_eq!(of(same), Some(Standing::Matches), "{same}");
        }
        for other in ["Forty lamps in the hall were repaired by the mayor.", "The town paid $900 for chairs."] {
            assert_ne!(of(other), Some(Standing::Matches), "{other}");
        }
    }

    #[test]
    fn the_parts_of_a_date_may_stand_apart() {
        let source = "The mill was sold in April, in the last week of 1986. It burned down on December 9, 1992. It was rebuilt on a June day \
                      in 1995. The sale of the yard came in May, before the flood of June 1988.";
        let of = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().filter(|row| row.kind == SpanKind::Date).map(|row| row.standing).collect::<Vec<_>>()
        };
        for same in [
            "The mill was sold in April 1986.",
            "The mill was rebuilt in June 1995.",
            "The mill burned down on a December day in 1992.",
            "The mill burned down in December 1992.",
        ] {
            assert_eq!(of(same), [Standing::Matches], "{same}");
        }
        for other in
            ["The mill was sold in May 1986.", "The mill was rebuilt in June 1986.", "The yard went in May 1988."]
        {
            assert_ne!(of(other), [Standing::Matches], "{other}");
        }
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
}
