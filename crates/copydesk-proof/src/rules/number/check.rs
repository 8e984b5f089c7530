//! Figures: a source gives each amount, share, count, year, date and time of the draft for the same thing.
//!
//! Why: programs find no error more reliably than a wrong figure. A figure that no source has is reported. One that a
//! source has for something else is reported only if a passage clearly speaks of the thing in question and gives
//! another figure.

use crate::{
    binding::tie,
    reading::Bound,
    rules::{
        meaning::antonym::opposites,
        number::{
            absent,
            address::{is_address, is_dialled},
            bound::{self, BoundCheck},
            contradicted, direction, exchanged,
            figure::{DraftFigure, occurrences},
            misplaced, order, quarters,
            reckoned::reckoned,
            rivals::{FIGURES, Rival, accompanied, any_binds, candidate, same_count},
            shares, states, unit, weekdays, withdrawn, worked,
        },
        prelude::*,
    },
    sources::{Bond, companions, counted, derived::derivation_of, restated::restated, sums::derived},
};

pub static RULES: [&Rule; 10] = [
    &contradicted::RULE,
    &withdrawn::RULE,
    &absent::RULE,
    &absent::UNSURE,
    &unit::RULE,
    &exchanged::RULE,
    &quarters::RULE,
    &worked::RULE,
    &bound::RULE,
    &order::RULE,
];

/// Enters every figure that the sources contradict, take back or do not have.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    enter_each(ledger, order::faults);
    enter_each(ledger, worked::faults);
    enter_each(ledger, direction::faults);
    enter_each(ledger, shares::faults);
    enter_each(ledger, bound::faults);
    enter_where(ledger, |_| true, quarters::faults);
    exchanged::check(ledger);
    enter_each(ledger, |sentence| weekdays::fault(sentence).into_iter().collect());
    let texts = ledger.texts;
    for Spot { field, index, item: figure } in texts.figures() {
        // A sentence with more figures is a table, and its words say nothing about each figure.
        let line = |figure: &Figure| field.reading.tokens.get(figure.tokens.start).map(|token| token.line);
        let before = index.checked_sub(FIGURES).and_then(|at| field.reading.figures.get(at));
        if before.is_some_and(|before| line(before) == line(figure)) {
            continue;
        }
        let quoted = field.reading.tokens.get(figure.tokens.start).is_some_and(Token::quoted);
        let dialled = || is_dialled(&texts.archive, &field.reading, figure);
        if quoted || ledger.taken(field, figure.start, figure.end) || is_address(&field.reading, figure) || dialled() {
            continue;
        }
        let (draft, kind) = (DraftFigure::new(ledger, field, figure), kind(figure));
        if let Some(fault) = judge(&draft) {
            ledger.enter(Fault { kind, ..fault });
        } else if ledger.whole {
            let (standing, passage, note) = standing(&draft);
            let span = figure.start..figure.end;
            ledger.pass(|| Sound::new("number.found", kind, standing, field, span, passage).note(note));
        }
    }
}

/// Whether a figure is a number or a date.
pub fn kind(figure: &Figure) -> SpanKind {
    match figure.kind {
        FigureKind::Year | FigureKind::Date | FigureKind::Time => SpanKind::Date,
        _ => SpanKind::Number,
    }
}

/// The standing of a figure that no rule objects to, with its passage and note.
fn standing(draft: &DraftFigure<'_>) -> (Standing, Option<SourceSpan>, Option<String>) {
    let (archive, reading, figure, alignment) = (draft.archive, draft.reading, draft.figure, draft.alignment());
    let places = draft.matches.iter().take(FIGURES).filter(|(place, theirs)| !of_another(draft, *place, theirs));
    let places: Vec<(SourceLine, &Figure)> = places.copied().collect();
    let tie = tie(archive, reading, &alignment, figure, &places);
    if let Some(place) = tie.bound(figure) {
        // A bound that only one of both has is another statement.
        let own = Bound::of(reading, figure);
        let theirs = places.iter().filter(|(at, _)| *at == place);
        let read = |(at, theirs): &(SourceLine, &Figure)| {
            let zone =
                figure.written.zone.is_none() || theirs.written.zone.is_some() || theirs.kind != FigureKind::Time;
            zone && archive.reading(*at).is_none_or(|source| own.agrees(Bound::of(source, theirs)))
        };
        let earned = theirs.clone().next().is_none() || theirs.clone().any(read);
        let standing = if earned { Standing::Matches } else { Standing::StandsThere };
        return (standing, archive.sentence(place), None);
    }
    if let Some(same) = tie.same {
        return (Standing::StandsThere, archive.sentence(same.place), None);
    }
    let Some(from) = derivation_of(draft.ledger.texts, reading, figure) else {
        return (Standing::Unchecked, None, None);
    };
    let (start, end) = (from.range.start, from.range.end);
    let source = archive.readings.get(from.source);
    let within = alignment.windows.first().filter(|window| window.place.source == from.source).is_some_and(|window| {
        let lines = source.and_then(|source| source.lines.get(window.lines.clone())).unwrap_or_default();
        lines.iter().any(|line| line.start < end && start < line.end)
    });
    // "A quarter was empty" does not follow from a quarter that was taken.
    let passage = source.map_or(&[][..], |source| source.between(start, end));
    let has = |word: &str| passage.iter().any(|token| token.word == word);
    let mut own = draft.tokens().iter().filter(|token| !has(&token.word));
    let turned = figure.kind == FigureKind::Fraction && own.any(|token| !opposites(token, has).is_empty());
    let standing = if within && !turned { Standing::Derived } else { Standing::StandsThere };
    (standing, archive.span(from.source, start, end), Some(from.note))
}

/// Whether a source counts something else with the same number: `23 days` does not support 23 volunteers.
fn of_another(draft: &DraftFigure<'_>, place: SourceLine, theirs: &Figure) -> bool {
    let Some(source) = draft.archive.reading(place) else { return true };
    if draft.figure.kind != FigureKind::Count {
        return false;
    }
    let (Some(mine), Some(other)) = (draft.noun(), counted(source, theirs)) else { return false };
    let around = || draft.archive.window(place, 1).flat_map(|line| source.line_tokens(line));
    let there = || around().any(|token| token.stem == mine.stem);
    let here = || draft.reading.line_tokens(mine.line).iter().any(|token| token.stem == other.stem);
    mine.stem != other.stem && !there() && !here()
}

fn judge(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, reading, figure) = (draft.archive, draft.reading, draft.figure);
    match bound::checked(draft) {
        BoundCheck::Broken(found) => return Some(found),
        BoundCheck::Kept => return None,
        BoundCheck::Open => {}
    }
    let missing = draft.matches.is_empty();
    let found = bound::turned(draft).or_else(|| missing.then(|| bound::across_zero(draft))?);
    if found.is_some() {
        return found;
    }
    if missing {
        let found = misplaced::another_day(draft).or_else(|| absent::absent(draft));
        return found.filter(|_| !reckoned(draft));
    }
    // "12 hours less" for 38 and 26
    let behind = reading.tokens.get(figure.tokens.end..figure.tokens.end + COMPARED).unwrap_or_default();
    let compared = behind.iter().any(|token| matches!(&*token.word, "more" | "less" | "fewer" | "longer" | "shorter"));
    if compared && derived(archive, reading, figure).is_some() {
        return None;
    }
    // A value that stands everywhere, a heading and a tally have nothing said of them beside it.
    let told = draft.matches.len() <= FIGURES && !reading.heads(draft.line) && figure.partner.is_none();
    let found = withdrawn::withdrawn(draft)
        .or_else(|| unit::measure(draft))
        .or_else(|| told.then(|| states::another(draft))?);
    // "Shortly after six" may be 6:11, and "nearly 21" may be 20.9, although a source has six o'clock and 21, too.
    let hedged = figure.kind == FigureKind::Time && restated(archive, reading, figure)
        || Bound::of(reading, figure) != Bound::Exact && derivation_of(draft.ledger.texts, reading, figure).is_some();
    if hedged {
        return found;
    }
    found
        .or_else(|| of_another_thing(draft))
        .or_else(|| told.then(|| misplaced::another(draft))?)
        .or_else(|| misplaced::another_day(draft))
}

/// Behind a figure and its unit, a comparison begins within so many words.
const COMPARED: usize = 2;

/// A change of the sentence may be off by so much of itself.
const ABOUT: f64 = 0.06;

/// Whether a sentence tells how far its figure is from another one: `climbed by £16 million to £168.3 million`.
fn leads_to(reading: &ParsedText<'_>, figure: &Figure, other: &Figure) -> bool {
    let apart = (figure.value - other.value).abs();
    companions(reading, figure).any(|change| {
        let told = match change.kind {
            FigureKind::Percent => change.value / 100.0 * other.value,
            _ if change.comparable(figure) => change.value,
            _ => return false,
        };
        apart > 0.0 && (apart - told).abs() <= ABOUT * told
    })
}

/// A date is another passage's if what that shares with the sentence weighs so much, and what the places of the draft's date share at most so
/// much of it. On 1 December no date of 143 in true articles came near both.
const DATED: f64 = 22.0;
const LITTLE: f64 = 0.45;

/// The finding for a value that the sources have for something else, if a passage clearly gives another one for this.
fn of_another_thing(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, reading, figure, matches) = (draft.archive, draft.reading, draft.figure, &draft.matches);
    if misplaced::names_nothing(reading, draft.line) {
        return None;
    }
    // The best passage has it of the same thing: 120,000 shares that were sold, beside 310,000 that are held.
    let passages = draft.places();
    let same = |(place, theirs): &(SourceLine, &Figure)| {
        let thing = archive.reading(*place).and_then(|source| counted(source, theirs));
        passages.contains(place) && draft.noun().zip(thing).is_some_and(|(own, it)| it.stem == own.stem)
    };
    if matches.iter().any(same) {
        return None;
    }
    let bond = Bond::of(archive, reading, figure);
    let strengths = matches.iter().take(FIGURES).map(|(place, theirs)| bond.strength(archive, *place, theirs));
    let best = strengths.fold(0.0_f64, f64::max);
    let Rival { place, figure: rival, strength: rivals, contested } = candidate(draft, &bond)?;
    let confirmed = draft.ledger.texts.withdrawals().iter().any(|withdrawal| withdrawal.right.same(figure));
    let plainly = match figure.kind {
        // A passage that shares much more with the sentence than any place of this date does.
        FigureKind::Date | FigureKind::Year if rivals >= DATED && best <= LITTLE * rivals => {
            !contested && figure.bare_month() == rival.bare_month()
        }
        FigureKind::Count => same_count(draft, place, rival),
        // Without a noun to compare, another figure of the draft's sentence must stand beside the rival, and not
        // beside this value.
        _ => accompanied(draft, place, 0) && !matches.iter().any(|(at, _)| accompanied(draft, *at, 1)),
    };
    let far_better = rivals > 2.2 * best + 6.0 && best < 9.0 || figure.kind != FigureKind::Count && rivals > best + 3.0;
    let wrong = plainly && far_better && !confirmed && !leads_to(reading, figure, rival) && !any_binds(draft);
    (wrong && derived(archive, reading, figure).is_none())
        .then(|| contradicted::contradicted(draft, place, rival, contested))
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

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        rules::number::given::found,
        testing::{check_texts, texts},
    };
    use copydesk_newsroom::{SpanKind, Standing};

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
    fn figures_are_read_as_their_texts_write_them() {
        for (source, draft, wrong) in [
            ("He left at 23:50.", "He left at ten to midnight.", false),
            ("He left at 23:50.", "He left at ten past midnight.", true),
            ("The outlay is Rs 4,250 crore.", "The outlay is 42.5 billion rupees.", false),
            ("The costs: 1.234.567 €", "The costs were €1.2 million.", false),
            ("The pier cost 45 Mio. €", "The pier cost 45 million euros.", false),
            ("The mill dates from the 19th century.", "The mill dates from the 18th century.", true),
            ("The mill dates from the nineteenth century.", "The mill dates from the 19th century.", false),
            ("The mill was built in 1884.", "The mill is of the 19th century.", false),
            ("The mill was built in 1884.", "The mill is of the twentieth century.", true),
            ("Das kostet 0,41 Mrd. Euro, 3,5 Prozent mehr.", "It costs €410 million, 3.5 per cent more.", false),
            ("Cela coûte 3,5 millions d'euros.", "It costs 3.5 million euros.", false),
            ("The market costs 75 million Egyptian pounds.", "The market costs £75 million.", true),
            ("The market costs 75 million Egyptian pounds.", "The market costs 75 million pounds.", false),
            (
                "Right, we start. It cost sixty-one thousand pounds.\n\nAchebe   0:15\nIt is the staff.",
                "It cost £61,000.",
                false,
            ),
            (
                "NOTES 4/22 sheriff\n- on leave since 4/11",
                "They have been on leave since April 11, he said on April 22.",
                false,
            ),
            ("The hearing opened on Tuesday, 5 March 2024.", "The hearing opened on Wednesday, 5 March 2024.", true),
        ] {
            assert_eq!(!check_texts(draft, source).is_empty(), wrong, "{draft}: {:?}", check_texts(draft, source));
        }
    }

    #[test]
    fn figures_follow_from_their_sources() {
        for (source, draft, wrong) in [
            (
                "Nitrate was above the limit in 24 of 64 wells.",
                "Nitrate was above the limit in five eighths of the 64 wells.",
                true,
            ),
            (
                "Nitrate was above the limit in 24 of 64 wells.",
                "Nitrate was above the limit in three eighths of the 64 wells.",
                false,
            ),
            (
                "Of 1,000 parents, 46 per cent favoured it and 41 per cent were against.",
                "Most parents favoured it.",
                true,
            ),
            (
                "Of 1,000 parents, 56 per cent favoured it and 41 per cent were against.",
                "Most parents favoured it.",
                false,
            ),
            ("It inspected 160 care homes. It found faults in 40 of them.", "One in five care homes had faults.", true),
            (
                "It inspected 160 care homes. It found faults in 40 of them.",
                "One in four care homes had faults.",
                false,
            ),
            ("It gave out 8,000 parcels. The year before it gave out 4,000.", "Parcels doubled to 8,000.", false),
            (
                "The jury awarded $1.35 million, of which $350,000 is punitive.",
                "Of $1.35 million, $1 million is punitive.",
                true,
            ),
            (
                "The budget was £4.1 million. Now it is £4.6 million.",
                "The budget rose by £500,000 to £4.6 million.",
                false,
            ),
            (
                "The firm will pay £310,000 towards a school and £85,000 towards a bus stop.",
                "The firm will pay £395,000 towards a school and a bus stop.",
                false,
            ),
            (
                "The trust needs 2.4 million kroner; so far it has 900,000.",
                "The trust still needs 1.5 million kroner.",
                false,
            ),
            (
                "He was cited for speeding (71 mph in a 45 mph zone).",
                "He was cited for driving 26 mph over the limit.",
                false,
            ),
            (
                "In 2024 the department saw 78,400 patients. Of these, 61% were seen within four hours.",
                "In 2024, 39% of patients were not seen within four hours.",
                false,
            ),
            (
                "In 2024 the department saw 78,400 patients. Of these, 61% were seen within four hours.",
                "In 2024, 39% of patients were seen within four hours.",
                true,
            ),
            ("One household in eight was below the poverty line.", "12.5 percent of households were poor.", false),
            (
                "La récolte a atteint 14 300 tonnes, en baisse de 22 % sur un an.",
                "It fell by 22 per cent to 14,300 tonnes.",
                false,
            ),
            ("Gusts to 60 km/h on exposed hills.", "Gusts may reach 60 mph on exposed hills.", true),
            ("Gusts to 60 km/h on exposed hills.", "Gusts may reach 37 mph on exposed hills.", false),
            ("The median age of the fish was 38 years.", "The mean age of the fish was 38 years.", true),
            ("61% of patients were seen within four hours.", "61% of patients waited longer than four hours.", true),
            ("The museum counted 214 visitors.", "Fewer than 200 people visited the museum.", true),
            ("Call 01632-960147 for help.", "Call 01632 960 147 for help.", false),
            ("AYE: Bascom, Nguyen, Kim\nNAY: Purdy\nResolution 25-88", "The council voted 3-1 for it.", false),
            (
                "In thousands of dollars\n\n           FY2024    FY2025\n           Actual    Revised\nPolice     18,412    19,050\nFire       11,906    12,240\n",
                "Police will get $19.05 million in 2025.",
                false,
            ),
        ] {
            assert_eq!(!check_texts(draft, source).is_empty(), wrong, "{draft}: {:?}", check_texts(draft, source));
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
    fn a_number_is_bound_only_to_the_thing_whose_measure_it_is() {
        let source = "The library in Dane Street cost $2.8 million, the clerk said.\n\nThe pond was drained in May.\n\n\
                      The crane weighs 40 tonnes.\n\nThe bridge is closed.";
        let of = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().find(|row| row.kind == SpanKind::Number).map(|row| row.standing)
        };
        for same in ["The library cost $2.8 million.", "It cost $2.8 million.", "The crane weighs 40 tonnes."] {
            assert_eq!(of(same), Some(Standing::Matches), "{same}");
        }
        for other in [
            "The pond will cost $2.8 million.",
            "The cost of the pond was $2.8 million, the clerk said.",
            "The bridge weighs 40 tonnes.",
        ] {
            assert_eq!(of(other), Some(Standing::StandsThere), "{other}");
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
    fn a_rounded_figure_and_its_neighbour_may_stand() {
        let source = "Average waiting time in weeks\n\nCentre 2023 2025\nTullyross 21 19\nNational avg. 13.2 20.9\n\n\
                      Of fifteen residents we spoke to, thirteen said they felt well treated.\n\n\
                      Around 6:00 p.m. an officer returned the call. At 6:11 p.m. a man called 911 to say that she had threatened him.";
        for (draft, wrong) in [
            ("The national average has risen to nearly 21 weeks.", false),
            ("Thirteen of the 15 residents interviewed said they felt well treated.", false),
            ("Thirteen of the 17 residents interviewed said they felt well treated.", true),
            ("Shortly after 6 p.m. a man told a 911 operator that she had threatened him.", false),
        ] {
            assert_eq!(!check_texts(draft, source).is_empty(), wrong, "{draft}");
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
