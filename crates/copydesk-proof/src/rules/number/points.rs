//! Per cent for percentage points, and the other way round.
//!
//! Why: from 12 to 15 percent is a rise of 3 percentage points and of 25 percent. Copy that mixes them is wrong by a factor.

use crate::{
    binding::Alignment,
    reading::near,
    rules::prelude::*,
    sources::{common, companions, of_line, siblings},
    words::changes::{DOWN, UP},
};

pub static RULE: Rule = Rule {
    name: "number.points",
    standing: Standing::Contradicted,
    kind: SpanKind::Number,
    concern_type: ConcernType::InferredFact,
    why: "Per cent and percentage points are mixed up.",
    source: "A difference of two percentages is in percentage points; in per cent it is that difference divided by the first.",
    measured: Some(Measured { right: 4, of: 4, on: SUMMARIES }),
    ..Rule::USUAL
};

/// Words before a percentage that is a level.
static LEVELS: WordList =
    words("to at around about of near above below under over than from is was are were and between nearly almost");

/// Reports a figure in per cent that the sources have in percentage points, or that is the difference of two of their
/// percentages. Also reports a figure in points that they have in per cent.
pub fn mixed(texts: &ProofTexts<'_>, field: &DraftField<'_>, figure: &Figure) -> Option<Fault> {
    if !matches!(figure.kind, FigureKind::Percent | FigureKind::Points) {
        return None;
    }
    let archive = &texts.archive;
    let own = of_line(&field.reading, field.reading.line_of(&figure.tokens));
    let other = if figure.kind == FigureKind::Percent { FigureKind::Points } else { FigureKind::Percent };
    let twin = Figure { kind: other, ..figure.clone() };
    // "To 3 percent" is a level, not a change.
    let level = |source: &ParsedText<'_>, theirs: &Figure| {
        let before = theirs.tokens.start.checked_sub(1).and_then(|at| source.tokens.get(at));
        before.is_some_and(|token| LEVELS.contains(&token.word))
    };
    let about = |place: &SourceLine, theirs: &Figure| {
        archive.reading(*place).is_some_and(|source| {
            common(&own, &of_line(source, place.line)) > 0 && (other == FigureKind::Points || !level(source, theirs))
        })
    };
    let stated = archive.equal(&twin).into_iter().find(|(place, theirs)| theirs.kind == other && about(place, theirs));
    let (place, note) = match stated {
        Some((place, theirs)) => {
            let source = archive.reading(place)?;
            (place, format!("The source has {}.", one_line(source.slice(theirs.start..theirs.end))))
        }
        None if figure.kind == FigureKind::Percent => match difference(archive, &own, figure) {
            Some(found) => found,
            None if changes(&field.reading, figure) => return within(archive, field, figure),
            None => return None,
        },
        None => return None,
    };
    Some(Fault::new(&RULE, field, figure.start..figure.end).note(note).passage(archive.sentence(place)))
}

/// The sentence whose first two percentages are so far apart, and what that is.
fn difference(archive: &SourceArchive<'_>, own: &[&str], figure: &Figure) -> Option<(SourceLine, String)> {
    archive.sharing(own, 2.min(own.len())).iter().find_map(|place| difference_at(archive, *place, figure))
}

fn difference_at(archive: &SourceArchive<'_>, place: SourceLine, figure: &Figure) -> Option<(SourceLine, String)> {
    let source = archive.reading(place)?;
    let percents: Vec<&Figure> =
        siblings(source, place.line).iter().filter(|figure| figure.kind == FigureKind::Percent).collect();
    let (one, two) = (percents.first()?, percents.get(1)?);
    let apart = near((one.value - two.value).abs(), figure.value) && percents.len() == 2;
    let shown = |figure: &Figure| one_line(source.slice(figure.start..figure.end));
    apart.then(|| {
        let note = format!("Between {} and {} are {} percentage points.", shown(one), shown(two), figure.value);
        (place, note)
    })
}

/// Words between a change and its figure.
static LOOSELY: WordList =
    words("about around roughly nearly almost approximately some just over under a an only more less than another");

/// At most so many places of a percentage beside the figure are read.
const BESIDE: usize = 3;

/// Whether a percentage is told as a change: `by 7 percent`, `a fall of about 7 percent`, `rose 7 percent`.
fn changes(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let line = reading.line_of(&figure.tokens);
    let before = reading.tokens.get(..figure.tokens.start).unwrap_or_default().iter().rev();
    let mut before = before.take_while(|token| token.line == line).skip_while(|token| LOOSELY.contains(&token.word));
    let moves = |token: &Token| UP.contains(&token.word) || DOWN.contains(&token.word);
    match before.next() {
        Some(token) if token.word == "by" => true,
        Some(token) if token.word == "of" => before.next().is_some_and(moves),
        token => token.is_some_and(moves),
    }
}

/// The two percentages of the draft's own sentence and the one before.
fn two<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> Option<[&'r Figure; 2]> {
    let line = reading.line_of(&figure.tokens);
    let paragraph = reading.paragraph(line);
    let lines = line.saturating_sub(1).max(paragraph.start)..=line;
    let percents = lines.flat_map(|line| siblings(reading, line)).filter(|other| other.kind == FigureKind::Percent);
    let mut percents = percents.filter(|other| other.start != figure.start);
    let found = [percents.next()?, percents.next()?];
    (percents.next().is_none() && !found[0].same(found[1])).then_some(found)
}

/// Whether two percentages are as many points apart as a figure says, as it rounds.
fn points_apart([one, two]: [&Figure; 2], figure: &Figure) -> bool {
    let apart = (one.value - two.value).abs();
    let whole = figure.value.fract() == 0.0 && apart.fract() != 0.0;
    (apart - figure.value).abs() <= if whole { 0.5 } else { 1e-6 }
}

/// Whether a figure is the change from one of two percentages to the other, in per cent.
fn change([one, two]: [&Figure; 2], figure: &Figure) -> bool {
    let apart = (one.value - two.value).abs() * 100.0;
    [one, two].iter().any(|whole| whole.value > 0.0 && (apart / whole.value - figure.value).abs() <= 1.0)
}

/// So many sentences before are of the same comparison.
const BEFORE: usize = 2;

/// Whether points are the difference of a percentage that the draft has just before or behind them and one of the draft or of its passages.
fn compares(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure, alignment: &Alignment) -> bool {
    let line = reading.line_of(&figure.tokens);
    let lines = line.saturating_sub(BEFORE).max(reading.paragraph(line).start)..=line;
    let percent = |other: &&Figure| other.kind == FigureKind::Percent;
    let own: Vec<&Figure> = lines.flat_map(|line| siblings(reading, line)).filter(percent).collect();
    let theirs: Vec<&Figure> = alignment
        .places()
        .filter_map(|place| Some(siblings(archive.reading(place)?, place.line)))
        .flatten()
        .filter(percent)
        .collect();
    own.iter().any(|one| own.iter().chain(&theirs).any(|two| points_apart([*one, *two], figure)))
}

/// Whether the reporter has worked out a figure from two percentages of the draft, or points from one of the draft and one of its passages.
pub fn worked_out(
    archive: &SourceArchive<'_>,
    reading: &ParsedText<'_>,
    figure: &Figure,
    alignment: &Alignment,
) -> bool {
    figure.kind == FigureKind::Points && compares(archive, reading, figure, alignment)
        || two(reading, figure).is_some_and(|two| match figure.kind {
            FigureKind::Points => points_apart(two, figure),
            FigureKind::Percent => change(two, figure) && changes(reading, figure),
            _ => false,
        })
}

/// Reports `a fall of 7 percent` if the draft itself has the two percentages, and they are seven points apart.
fn within(archive: &SourceArchive<'_>, field: &DraftField<'_>, figure: &Figure) -> Option<Fault> {
    let both = two(&field.reading, figure).filter(|two| points_apart(*two, figure) && !change(*two, figure))?;
    let [one, two] = both.map(|figure| one_line(field.reading.slice(figure.start..figure.end)));
    let note = format!("Between {one} and {two} are about {} percentage points.", figure.value);
    let place = both.iter().rev().find_map(|percent| archive.equal(percent).first().map(|(place, _)| *place));
    let passage = place.and_then(|place| archive.sentence(place));
    Some(Fault::new(&RULE, field, figure.start..figure.end).note(note).passage(passage))
}

/// Reports `rose by 2 percent` if the very passage, or that of a percentage beside it, has two percentages that are two points apart,
/// wherever else the sources have 2 percent.
pub fn apart(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, figure: &Figure) -> Option<Fault> {
    let reading = &field.reading;
    if figure.kind != FigureKind::Percent || !changes(reading, figure) {
        return None;
    }
    let archive = &ledger.texts.archive;
    let alignment = ledger.aligned(field, reading.line_of(&figure.tokens));
    let beside = companions(reading, figure).filter(|other| other.kind == FigureKind::Percent);
    let beside = beside.map(|other| archive.equal(other)).filter(|places| places.len() <= BESIDE);
    let mut places = alignment.places().chain(beside.flatten().map(|(place, _)| place));
    let found = places.find_map(|place| difference_at(archive, place, figure));
    found.map_or_else(
        || within(archive, field, figure),
        |(at, note)| Some(Fault::new(&RULE, field, figure.start..figure.end).note(note).passage(archive.sentence(at))),
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The jobless rate of the county rose from 12 percent to 15 percent in May. Turnout in the town was up 4 percentage \
                          points. Rents in the town went up 6 percent.";

    fn found(draft: &str) -> Vec<(String, String, String)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.note)).collect()
    }

    #[test]
    fn points_are_no_per_cent() {
        let one = |text: &str, note: &str| [("number.points".to_owned(), text.to_owned(), note.to_owned())];
        assert_eq!(
            found("Turnout in the town rose 4 percent."),
            one("4 percent", "The source has 4 percentage points.")
        );
        assert_eq!(
            found("Rents in the town rose 6 percentage points."),
            one("6 percentage points", "The source has 6 percent.")
        );
        assert_eq!(
            found("The jobless rate of the county rose 3 percent in May."),
            one("3 percent", "Between 12 percent and 15 percent are 3 percentage points.")
        );
    }

    #[test]
    fn the_drafts_own_percentages_tell_the_change() {
        let source = "Of the berths 14 percent were empty in May, and 6.8 percent in June. Seven boats sank.";
        let of = |draft: &str| -> Vec<(String, String)> {
            check_texts(draft, source).into_iter().map(|found| (found.rule, found.text)).collect()
        };
        let before = "In June 6.8 percent of the berths were empty, against 14 percent in May.";
        assert_eq!(
            of(&format!("{before} That is a fall of about 7 percent.")),
            [("number.points".to_owned(), "7 percent".to_owned())]
        );
        for fine in ["That is a fall of about 7 percentage points.", "That is a fall of about 51 percent."] {
            assert_eq!(of(&format!("{before} {fine}")), [], "{fine}");
        }
    }

    #[test]
    fn what_is_right_may_stand() {
        for fine in [
            "Turnout in the town rose by four percentage points.",
            "Rents in the town rose 6 per cent.",
            "The jobless rate of the county rose 3 percentage points in May.",
            "The jobless rate of the county rose 3 points, to 15 percent.",
            "The jobless rate of the county rose by a quarter in May.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
