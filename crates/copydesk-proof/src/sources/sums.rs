//! Figures that follow from a source's figures: roundings and calculations that a reader can repeat.

use foldhash::{HashSet, HashSetExt as _};

use crate::{
    reading::{Bound, Figure, FigureKind, ParsedText, Token},
    sources::{
        SourceArchive, SourceLine, around, common, companions, counted,
        derivation::{DIFFERENCE, Derivation, PRODUCT, follows, shown},
        of_line, of_the_day, siblings, tables,
    },
    words::{
        WordList,
        changes::{DOWN, UP},
        list,
    },
};

/// At most so many figures of two neighbouring sentences are combined.
const FIGURES: usize = 24;

/// At most so many sentences are searched. If more share the draft's words, those that share most.
const PLACES: usize = 200;

/// The whole of a share stands at most so many words behind it.
const WHOLE: usize = 6;

/// A sum's sentence shares so many words with the draft's.
const SHARED: usize = 2;

/// A figure that is given as exact may be off by so much of itself: 1.35 million are not "1 million".
const ROUNDED: f64 = 0.15;

/// The place of the last digit that a figure gives: 100 for 2,300, 0.1 million for $2.5 million.
pub fn last_place(figure: &Figure) -> f64 {
    let mut place = if figure.slack > 0.0 { figure.slack * 2.0 } else { 1.0 };
    if figure.value <= 0.0 || (figure.value / place).fract().abs() > 1e-9 {
        return place;
    }
    while (figure.value / (place * 10.0)).fract().abs() < 1e-9 {
        place *= 10.0;
    }
    place
}

/// Whether the draft gives a percentage in fewer digits than the source: 30 per cent for 29.9.
fn shortened(figure: &Figure, theirs: &Figure) -> bool {
    let whole = |places: &f64| (figure.value * places).fract().abs() < 1e-6;
    let Some(places) = [1.0, 10.0].into_iter().find(whole) else { return false };
    let finer = (theirs.value * places).fract().abs() > 1e-6;
    let close = ((theirs.value - figure.value) * places).abs() <= 0.5001;
    matches!(figure.kind, FigureKind::Percent | FigureKind::Points) && finer && close
}

/// The figure of a source that the draft's fairly rounds: of the same kind, and with a word in common. It is off by at most one in the
/// last digit that the draft gives: "more than 2,300" are not 2,800.
pub fn rounded(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let bound = Bound::of(reading, figure);
    let percent = matches!(figure.kind, FigureKind::Percent | FigureKind::Points);
    // "£322" for £322.33: a newspaper drops the pence.
    let whole = figure.value.fract() == 0.0 && figure.value >= 10.0;
    let dropped = |theirs: &Figure| whole && theirs.value.fract() > 0.0 && (theirs.value - figure.value).abs() <= 0.5;
    if bound == Bound::Exact && figure.slack <= 0.0 && !percent && !whole {
        return None;
    }
    let line = reading.line_of(&figure.tokens);
    let own = of_line(reading, line);
    let amount = matches!(figure.kind, FigureKind::Money(_));
    // An amount with three digits that count hardly stands for another one; the words around may be of another language.
    let close = amount && figure.slack > 0.0 && figure.slack < 0.005 * figure.value
        || bound != Bound::Exact
            && figure.value >= 1_000.0
            && last_place(figure) < if amount { 0.03 } else { 0.01 } * figure.value;
    let fits = |theirs: &Figure| {
        let off = (theirs.value - figure.value).abs();
        match bound {
            Bound::Exact => {
                let rounds = off <= figure.slack * 1.0001 && figure.slack > 0.0;
                rounds && off <= ROUNDED * theirs.value || shortened(figure, theirs) || dropped(theirs)
            }
            _ if off > last_place(figure) * 1.0001 && !shortened(figure, theirs) => false,
            _ => bound.holds(figure.value, theirs.value) && (0.85..=1.25).contains(&(theirs.value / figure.value)),
        }
    };
    archive.readings.iter().enumerate().find_map(|(at, source)| {
        let theirs = source.figures.iter().find(|theirs| {
            figure.comparable(theirs)
                && !figure.across_zero(theirs)
                && !matches!(theirs.kind, FigureKind::Date | FigureKind::Year)
                && fits(theirs)
                && of_the_day(reading, figure, source, source.line_of(&theirs.tokens))
                    .is_none_or(|of| of.start == theirs.start)
                && (close
                    || dropped(theirs)
                    || amount && bound != Bound::Exact && (theirs.value - figure.value).abs() <= 0.01 * figure.value
                    || common(&own, &around(source, theirs)) > 0)
        })?;
        let line = source.tokens.get(theirs.tokens.start)?.line;
        let note = format!("Rounded from {}.", shown(source, theirs));
        Derivation::of(source, at, line..line + 1, note)
    })
}

/// How a draft's figure follows from figures of neighbouring sentences of a source. It may be their difference, sum,
/// share or change, a share of a total, or the sum of all of one kind. Those sentences must have the same topic as the
/// draft's, because among a hundred figures some two always lead to a third.
pub fn derived(archive: &SourceArchive<'_>, draft: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let line = draft.line_of(&figure.tokens);
    let own_words = of_line(draft, line);

    // "The older half" is a part of something and not a calculation.
    let least = if figure.kind == FigureKind::Fraction { 1 } else { SHARED.min(own_words.len()) };
    let mut places = archive.sharing(&own_words, least);
    if places.len() > PLACES {
        let hits = archive.passages(&own_words, PLACES);
        places = hits.into_iter().map(|hit| hit.place).collect();
    }
    // Another of its figures may also identify a table's record.
    let beside = companions(draft, figure).flat_map(|other| archive.equal(other)).flat_map(|(place, _)| {
        let before = SourceLine { line: place.line.saturating_sub(1), ..place };
        [place, before]
    });
    let base = whole_of(draft, figure);
    let mut records_read = 0;
    let mut seen = HashSet::new();
    beside.chain(places.iter().copied()).find_map(|SourceLine { source, line }| {
        let reading = archive.readings.get(source)?;
        if tables::may_be_record(reading, line) {
            // In a long table, only the records that its other figures identify, and the beginning.
            records_read += 1;
            if records_read > tables::RECORDS {
                return None;
            }
        }
        let (first, beside) = (reading.lines.get(line)?, reading.lines.get(line + 1));
        let end = beside.filter(|next| next.paragraph == first.paragraph).map_or(first.end, |next| next.end);
        // Words that stand there again lead to nothing new.
        if !seen.insert((reading.text.get(first.start..end), first.end - first.start)) {
            return None;
        }
        let figures = reading.figures_between(first.start, end);
        let mut theirs = of_line(reading, line);
        if end > first.end {
            theirs.extend(of_line(reading, line + 1));
        }
        // A row of a table has few words. Another of the draft's figures is as good as one.
        let beside = companions(draft, figure).filter(|other| figures.iter().any(|theirs| other.same(theirs))).count();
        let shared = common(&own_words, &theirs);
        let shared = if shared > 0 { shared + beside } else { 0 };
        if figure.kind != FigureKind::Fraction && shared < SHARED.min(own_words.len()) {
            return None;
        }
        let figures = figures.get(..figures.len().min(FIGURES)).unwrap_or_default();
        let own = reading.figures_between(first.start, first.end).len();
        // A sentence without any word of the draft's cannot contribute a figure.
        let beside = |line: usize| {
            companions(draft, figure).any(|other| siblings(reading, line).iter().any(|theirs| other.same(theirs)))
        };
        let bound = |line: usize| {
            figure.kind == FigureKind::Fraction || common(&own_words, &of_line(reading, line)) > 0 || beside(line)
        };
        let (here, next) = figures.split_at_checked(own).unwrap_or((figures, &[]));
        let here = if bound(line) { here } else { &[] };
        let next = if bound(line + 1) { next } else { &[] };
        let note = pairs(reading, here, next, (figure, works_out(draft, figure)), |one, other, how| {
            // "Three quarters of the 600 members"
            if base.is_some_and(|base| !base.same(one) && !base.same(other)) {
                return false;
            }
            let amounts = matches!(figure.kind, FigureKind::Money(_) | FigureKind::Count) && one.comparable(figure);
            let sum = how == "The sum of";
            let both = sum && names_both(&own_words, reading, one, other);
            // Four digits are hardly a sum by chance.
            let exact = last_place(figure) * 1_000.0 <= figure.value;
            let told = if sum && !exact { adds_up(draft, figure) } else { works_out(draft, figure) };
            (!amounts || told || both || how == PRODUCT)
                && (figure.kind != FigureKind::Count || counts_the_same(archive, (draft, figure), reading, one, other))
        })?;
        Derivation::of(reading, source, line..line + 1 + usize::from(end > first.end), note)
    })
}

/// How an amount that the draft compares follows from two that stand further apart. They stand in one row of a table, under a label that the
/// draft has, or some sentences from each other. There it needs three digits: among many amounts some two lead to any round one.
pub fn compared(archive: &SourceArchive<'_>, draft: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let amount =
        matches!(figure.kind, FigureKind::Money(_)) || figure.kind == FigureKind::Count && figure.value >= LARGE;
    if !amount || !works_out(draft, figure) {
        return None;
    }
    let exact = last_place(figure) * LARGE <= figure.value;
    let own = of_line(draft, draft.line_of(&figure.tokens));
    archive.passages(&own, NEAREST).into_iter().find_map(|hit| {
        let SourceLine { source, line } = hit.place;
        let reading = archive.reading(hit.place)?;
        let here = siblings(reading, line);
        let here = here.get(..here.len().min(FIGURES)).unwrap_or_default();
        let difference = |first: &[Figure], second: &[Figure]| {
            pairs(reading, first, second, (figure, true), |_, _, how| how == DIFFERENCE)
        };
        let beside = || {
            let lines = archive.window(hit.place, APART).filter(|other| *other != line);
            let beside: Vec<Figure> = lines.flat_map(|line| siblings(reading, line)).take(FIGURES).cloned().collect();
            difference(here, &beside)
        };
        let row = || {
            let rows = here.chunk_by(|one, other| !reading.slice(one.end..other.start).contains('\n'));
            rows.filter(|row| row.len() > 1).find_map(|row| {
                let label = reading.text.get(..row.first()?.start)?.rfind('\n').map_or(0, |at| at + 1);
                let label = reading.between(label, row.first()?.start);
                let told = label.iter().any(|token| !token.stop && own.contains(&token.stem.as_str()));
                difference(row, &[]).filter(|_| told)
            })
        };
        let note = row().or_else(|| beside().filter(|_| exact))?;
        Derivation::of(reading, source, line..line + 1, note)
    })
}

/// So many passages of a comparison are read, and so many sentences around each.
const NEAREST: usize = 24;
const APART: usize = 10;

/// A count that is compared so has three digits.
const LARGE: f64 = 100.0;

/// The number that a draft takes a share of: `two thirds of the 90 captains`.
fn whole_of<'r>(draft: &'r ParsedText<'_>, figure: &Figure) -> Option<&'r Figure> {
    let end = figure.tokens.end;
    let share = matches!(figure.kind, FigureKind::Fraction | FigureKind::Percent);
    draft.tokens.get(end).filter(|of| share && of.word == "of")?;
    companions(draft, figure)
        .find(|whole| whole.kind == FigureKind::Count && (end + 1..end + WHOLE).contains(&whole.tokens.start))
}

/// How a figure follows from two of a sentence, or from one of it and one of the next.
fn pairs(
    reading: &ParsedText<'_>,
    first: &[Figure],
    second: &[Figure],
    (wanted, worked): (&Figure, bool),
    same: impl Fn(&Figure, &Figure, &str) -> bool,
) -> Option<String> {
    // "It found faults in 40 of them": a part of the other figure does not add up with it to the whole.
    let end = second.last().or(first.last()).map_or(0, |last| last.tokens.end + 2);
    let words = first.first().and_then(|one| reading.tokens.get(one.tokens.start..end.min(reading.tokens.len())));
    let them = |token: &Token| matches!(&*token.word, "them" | "those" | "these" | "which" | "whom" | "the");
    let mut pairs = words.unwrap_or_default().windows(2);
    let of_them = pairs.any(|pair| matches!(pair, [of, next] if of.word == "of" && them(next)));
    first.iter().enumerate().find_map(|(at, one)| {
        first.iter().skip(at + 1).chain(second).find_map(|other| {
            let (one_shown, other_shown) = (shown(reading, one), shown(reading, other));
            // "It needs 2.4 million kroner; so far it has 900,000": a bare number beside an amount is one, too.
            let bare = matches!(one.kind, FigureKind::Money(_))
                && other.kind == FigureKind::Count
                && other.value >= 1_000.0
                && counted(reading, other).is_none();
            let second = if bare { &Figure { kind: one.kind, ..other.clone() } } else { other };
            let how = follows(one, second, wanted, (worked, !of_them)).filter(|how| same(one, other, how));
            how.map(|how| format!("{how} {one_shown} and {other_shown}."))
        })
    })
}

/// Words of a sentence that compares or adds up, or tells of what is left.
static WORKS_OUT: WordList = list::words(
    "more less fewer higher lower larger smaller longer shorter up down gap difference total totals together combined both above below \
     left remaining remains remainder rest savings saving saves saved later earlier apart margin outnumber outnumbers outnumbered exceeds \
     exceeded outrun outruns outpaced another other others additional extra further instead without no not never nobody none surplus deficit \
     including still shortfall profit loss net change changed added adds adding plus all altogether than cheaper dearer short worth lose loses lost losing gains gained \
     mehr weniger moins menos meer minder unchanged ahead behind lead deficit majority trail trailed trailing longer further deeper wider saved drop dropped leaving \
     bajado bajó aumentado subido baissé augmenté gesunken gestiegen gefallen",
);

/// Words of a draft that say that amounts are added up.
static ADDS_UP: WordList = list::words(
    "total totals totalled totaled totalling totaling together combined both all altogether overall sum sums added adds adding plus including \
     included count counting between bring brings brought taking makes making insgesamt zusammen total totale ensemble juntos samen",
);

/// Whether a sentence of the draft says that its figure is a sum.
fn adds_up(draft: &ParsedText<'_>, figure: &Figure) -> bool {
    draft.line_tokens(draft.line_of(&figure.tokens)).iter().any(|token| ADDS_UP.contains(&token.word))
}

/// Whether a word compares or adds up.
pub fn works(token: &Token) -> bool {
    [&WORKS_OUT, &UP, &DOWN].iter().any(|list| list.contains(&token.word))
}

/// Whether a sentence of the draft says that it compares or adds up: among a source's amounts some two always lead to a third.
pub fn works_out(draft: &ParsedText<'_>, figure: &Figure) -> bool {
    // "26 mph over the limit"
    let behind = |steps: usize| draft.word(figure.tokens.end + steps);
    let over =
        (0..2).any(|at| matches!(behind(at), "over" | "under") && matches!(behind(at + 1), "the" | "its" | "their"));
    // "Beating its goal by almost $6,500"
    let by = (1..=3).any(|steps| draft.word_before(figure.tokens.start, steps) == "by");
    // A tally has a rule of its own.
    figure.partner.is_some() || by || over || draft.line_tokens(draft.line_of(&figure.tokens)).iter().any(works)
}

/// Whether a draft has a word of what stands behind each of two figures: `£310,000 towards a school and £85,000 towards a bus stop`.
fn names_both(own: &[&str], reading: &ParsedText<'_>, one: &Figure, other: &Figure) -> bool {
    let behind = |figure: &Figure| {
        let line = reading.line_of(&figure.tokens);
        let tokens = reading.tokens.get(figure.tokens.end..).unwrap_or_default().iter().take(WHOLE);
        let tokens = tokens.take_while(|token| token.line == line && token.start != other.start);
        tokens.filter(|token| !token.stop).map(|token| token.stem.as_str()).collect::<Vec<_>>()
    };
    let (first, second) = (behind(one), behind(other));
    let has = |mine: &[&str], theirs: &[&str]| mine.iter().any(|word| own.contains(word) && !theirs.contains(word));
    has(&first, &second) && has(&second, &first)
}

/// Words behind a figure that do not say what it counts.
static NO_THING: WordList =
    list::words("more fewer less additional extra other others people members remaining left total");

/// Whether a difference or a sum can count what the draft counts. Nine nurses less three nurses are six nurses, and no six days.
fn counts_the_same(
    archive: &SourceArchive<'_>,
    (draft, wanted): (&ParsedText<'_>, &Figure),
    reading: &ParsedText<'_>,
    one: &Figure,
    other: &Figure,
) -> bool {
    let thing = |text, figure| counted(text, figure).filter(|token| !NO_THING.contains(&token.word));
    let (Some(own), Some(first), Some(second)) = (thing(draft, wanted), thing(reading, one), thing(reading, other))
    else {
        return true;
    };
    first.stem != second.stem || own.stem == first.stem || archive.alike(own).contains(&first.stem_id)
}

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, rules_of, texts},
    };
    use copydesk_newsroom::{SpanKind, Standing};

    #[test]
    fn what_follows_says_from_what() {
        let source = "The number of bus routes falls from 61 to 54. Half of the 4,870 households answered. The town has 12 rangers, \
                      31 nurses and 40 clerks.";
        for (draft, note, passage) in [
            (
                "The district will run 7 fewer bus routes.",
                "The difference of 61 and 54.",
                "The number of bus routes falls from 61 to 54. Half of the 4,870 households answered.",
            ),
            ("Nearly 5,000 households were asked.", "Rounded from 4,870.", "Half of the 4,870 households answered."),
        ] {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            let row = rows.into_iter().find(|row| row.kind == SpanKind::Number).unwrap();
            let shown = (row.standing, row.note, row.passage.map(|span| span.text));
            assert_eq!(shown, (Standing::Derived, Some(note.to_owned()), Some(passage.to_owned())), "{draft}");
        }
        assert_eq!(check_texts("Some 2,535 households answered the town.", source).len(), 1);
    }

    #[test]
    fn two_figures_are_a_sum_only_if_the_draft_adds_up() {
        let source =
            "The generator is to be tested every six months. Its last test in the log was eleven months before.";
        for (draft, wrong) in [
            ("The generator's last test in the log was 17 months before, and not every six.", true),
            ("The generator's last test in the log was eleven months before.", false),
            ("Both tests of the generator took 17 months in all.", false),
        ] {
            assert_eq!(!check_texts(draft, source).is_empty(), wrong, "{draft}");
        }
    }

    #[test]
    fn a_rounding_keeps_to_the_last_digit_that_is_given() {
        let source = "The plan adds 2,800 homes near the station.";
        for fine in ["About 2,800", "Nearly 3,000", "More than 2,700", "Some 3,000"] {
            assert_eq!(check_texts(&format!("{fine} homes are planned near the station."), source), [], "{fine}");
        }
        for wrong in ["More than 2,300", "About 2,600", "Nearly 3,200"] {
            assert_eq!(
                check_texts(&format!("{wrong} homes are planned near the station."), source).len(),
                1,
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_difference_counts_what_its_figures_count() {
        let source = "The ward has 9 nurses by day and 3 nurses by night, and the nurses went on strike.";
        assert_eq!(check_texts("The ward has 6 fewer nurses by night.", source), []);
        let rows = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().find(|row| row.kind == SpanKind::Number).map(|row| row.standing)
        };
        assert_eq!(rows("The ward has 6 fewer nurses by night."), Some(Standing::Derived));
        assert_ne!(rows("The nurses of the ward went on strike for 6 more days."), Some(Standing::Derived));
        // Of the amounts of a sentence some two always lead to a third.
        let source = "The harbour fund paid $912,000 for paint and $307,000 for rope.";
        assert_eq!(rules_of("The harbour fund paid $605,000 more for paint than for rope.", source), [""; 0]);
        assert_eq!(rules_of("The harbour fund paid $625,000 for paint.", source), ["number.contradicted"]);
        // A difference is left to a person even if no word tells of one.
        assert_eq!(rules_of("The harbour fund paid $605,000 for paint.", source), [""; 0]);
    }

    #[test]
    fn amounts_that_lie_apart_can_be_compared() {
        let source = "The contract goes to NorthCare at $1,140,000 for the first year.\n\nThe present provider is MedStaff.\n\nTwo bids were \
                      received.\n\nThe other bid, from Corvell, was $1,265,000.\n\n        2025 adopted    2026 proposed\n  Highway   4,120,000   \
                      4,180,000\n  Library   1,015,000     948,000\n\nThe bridge is estimated at $3.2 million; federal funds would pay 80 percent.";
        for (draft, wrong) in [
            ("The only other bid, Corvell's, was $125,000 higher.", false),
            ("The only other bid, Corvell's, was $175,000 higher.", true),
            ("The library would lose $67,000.", false),
            ("The library would lose $64,000.", true),
            ("The bridge is estimated at $3.2 million, and federal funds would pay $2.56 million.", false),
            ("The bridge is estimated at $3.2 million, and federal funds would pay $2.16 million.", true),
        ] {
            assert_eq!(!check_texts(draft, source).is_empty(), wrong, "{draft}");
        }
    }

    #[test]
    fn a_reader_can_redo_the_sum() {
        let source = "The number of bus routes falls from 61 to 54. The budget rose from €61,500 to €74,000.";
        for fine in [
            "The district will run 7 fewer bus routes, and the budget rose by €12,500.",
            "The budget rose by about 20 percent.",
            "The budget rose to nearly €75,000.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        assert_eq!(check_texts("The budget rose by €13,700.", source).len(), 1);
        // 74,000 is 20.3 percent more than 61,500, and no other two figures give 20.8.
        assert_eq!(check_texts("The budget rose by 20.3 percent.", source), []);
        assert_eq!(rules_of("The budget rose by 20.8 percent.", source), ["number.uncounted"]);
    }
}
