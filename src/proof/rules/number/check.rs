//! Figures: each amount, share, count, year, date and time of the draft is one that a source gives for the same thing.
//!
//! Why: a wrong figure is the error that a program finds surest. A figure that is nowhere is reported; one that a source has
//! for something else only where a passage speaks plainly of the thing in question and gives another. Each rule is a file.

use crate::{
    newsroom::{SourceSpan, SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter, Sound},
        reading::{
            figure::{Figure, FigureKind, near},
            text::ParsedText,
            token::Token,
        },
        rule::Rule,
        rules::number::{
            absent, age, calendar, contradicted, direction, ordinal,
            rivals::{FIGURES, Rival, accompanied, any_binds, candidate, same_count},
            row, unit, weekday, withdrawn,
        },
        sources::{
            archive::{SourceArchive, SourceLine},
            bindings::{Bond, counted, siblings},
            derived::derivation_of,
            sums::derived,
            texts::{ProofTexts, Spot},
            withdrawals::{self, Withdrawal},
        },
    },
};

/// The rules of this folder.
pub static RULES: [&Rule; 10] = [
    &direction::RULE,
    &contradicted::RULE,
    &withdrawn::RULE,
    &weekday::RULE,
    &calendar::RULE,
    &age::RULE,
    &absent::RULE,
    &unit::RULE,
    &row::RULE,
    &ordinal::RULE,
];

/// Enters every figure that the sources contradict, withdraw or do not have.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    direction::check(ledger);
    let desk = ledger.desk;
    let taken_back = withdrawals::all(&desk.archive);
    for Spot { at, field, index, item: figure } in desk.figures() {
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
            FigureKind::Year | FigureKind::Date | FigureKind::Time => SpanKind::Date,
            _ => SpanKind::Number,
        };
        let judged = judge(desk, at, figure, &taken_back);
        if judged.is_none() {
            ledger.pass_noted(|| {
                let (standing, passage, note) = standing(desk, at, figure);
                let (start, end) = (figure.start, figure.end);
                (Sound { kind, standing, rule: "number.found", field: at, start, end, passage }, note)
            });
        }
        if let Some(mut found) = judged {
            found.kind = Some(kind);
            ledger.enter(found);
        }
    }
    ordinal::check(ledger);
}

/// How a figure stands that nothing speaks against, and where.
fn standing(desk: &ProofTexts<'_>, field: usize, figure: &Figure) -> (Standing, Option<SourceSpan>, Option<String>) {
    let archive = &desk.archive;
    let Some(reading) = desk.fields.get(field).map(|field| &field.reading) else {
        return (Standing::Unchecked, None, None);
    };
    let bond = Bond::of(archive, reading, figure);
    let best = occurrences(archive, figure)
        .into_iter()
        .take(FIGURES)
        .filter(|(place, theirs)| !of_another(archive, (reading, figure), *place, theirs))
        .map(|(place, theirs)| (bond.strength(archive, place, theirs), place))
        .filter(|(strength, _)| *strength > 0.0)
        .max_by(|(one, _), (other, _)| one.total_cmp(other));
    match best {
        Some((_, place)) => (Standing::Found, archive.sentence(place), None),
        None => match derivation_of(desk, reading, figure) {
            Some(from) => {
                (Standing::Derived, archive.span(from.source, from.range.start, from.range.end), Some(from.note))
            }
            None => (Standing::Unchecked, None, None),
        },
    }
}

/// Whether a source counts something else with the same number: `23 days` is no proof of 23 volunteers.
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

/// A number in a link or a footnote mark counts nothing.
fn is_address(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let head = reading.text.get(..figure.start).unwrap_or_default();
    let tail = reading.text.get(figure.end..).unwrap_or_default();
    let glued = head.chars().next_back().is_some_and(|c| matches!(c, '/' | '^' | '#' | '_' | '=' | '@' | '&'));
    glued || tail.starts_with(['/', '@', '='])
}

fn judge(desk: &ProofTexts<'_>, field: usize, figure: &Figure, taken_back: &[Withdrawal]) -> Option<Fault> {
    let archive = &desk.archive;
    let reading = &desk.fields.get(field)?.reading;
    let matches = occurrences(archive, figure);
    if let Some(found) = calendar::impossible(desk, field, figure, &matches) {
        return Some(found);
    }
    if matches.is_empty() {
        if let Some(found) = age::impossible(desk, field, figure) {
            return Some(found);
        }
        return absent::absent(desk, field, figure, taken_back);
    }
    if let Some(found) = weekday::weekday(desk, field, figure, &matches) {
        return Some(found);
    }
    if let Some(found) = withdrawn::withdrawn(desk, field, figure, &matches, taken_back) {
        return Some(found);
    }
    if let Some(found) = unit::measure(desk, field, figure, &matches) {
        return Some(found);
    }
    if let Some(found) = row::row(desk, field, figure, &matches) {
        return Some(found);
    }
    // The value is in a source. Is it said of this thing there?
    let bond = Bond::of(archive, reading, figure);
    let strengths = matches.iter().take(FIGURES).map(|(place, theirs)| bond.strength(archive, *place, theirs));
    let best = strengths.fold(0.0_f64, f64::max);
    let Rival { place, figure: rival, strength: rivals, contested } = candidate(archive, &bond, taken_back)?;
    let confirmed = taken_back.iter().any(|withdrawal| withdrawal.right.same(figure));
    let plainly = match figure.kind {
        FigureKind::Count => same_count(reading, figure, archive, place, rival),
        // Without a noun that tells, another figure of the draft's sentence must stand beside the rival and not here.
        _ => {
            accompanied(archive, reading, figure, place, 0)
                && !matches.iter().any(|(at, _)| accompanied(archive, reading, figure, *at, 1))
        }
    };
    let far_better = rivals > 2.2 * best + 6.0 && best < 9.0 || figure.kind != FigureKind::Count && rivals > best + 3.0;
    let wrong = plainly && far_better && !confirmed && !any_binds(reading, figure, archive, &matches);
    (wrong && derived(archive, reading, figure).is_none())
        .then(|| contradicted::contradicted(desk, field, figure, (place, rival), contested))
}

/// Whether no source has a figure and none leads to it; small counts are the reporter's own.
pub fn is_new(desk: &ProofTexts<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let counts =
        figure.kind == FigureKind::Fraction || figure.kind == FigureKind::Count && figure.value <= absent::SMALL;
    !counts
        && !is_address(reading, figure)
        && occurrences(&desk.archive, figure).is_empty()
        && derivation_of(desk, reading, figure).is_none()
}

/// Where the sources have a figure of the same value, and for a tally its other number beside it.
fn occurrences<'d>(archive: &'d SourceArchive<'_>, figure: &Figure) -> Vec<(SourceLine, &'d Figure)> {
    let mut found = archive.equal(figure);
    // "8 percent" is no eight drivers; in a table or a list the word for it stands once, at the head.
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
        assert_eq!(of("The fair had 34 volunteers."), Some(Standing::Found));
        assert_eq!(of("On route 3 it was 81.4 percent."), Some(Standing::Found));
        for other in ["The club has 23 volunteers.", "The loan runs over fifty years.", "Riders fell by 8 percent."] {
            assert_ne!(of(other), Some(Standing::Found), "{other}");
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
