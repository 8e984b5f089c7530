//! Per cent for percentage points, and the other way round.
//!
//! Why: from 12 to 15 percent is a rise of 3 percentage points and of 25 percent. Copy that mixes them is wrong by a factor.

use crate::proof::{
    reading::near,
    rules::prelude::*,
    sources::{common, of_line, siblings},
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
        None if figure.kind == FigureKind::Percent => difference(archive, &own, figure)?,
        None => return None,
    };
    Some(Fault::new(&RULE, field, figure.start..figure.end).note(note).passage(archive.sentence(place)).removable())
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

/// Reports `rose by 2 percent` if the very passage has two percentages that are two points apart, wherever else the sources have 2
/// percent.
pub fn apart(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, figure: &Figure) -> Option<Fault> {
    let before = figure.tokens.start.checked_sub(1).and_then(|at| field.reading.tokens.get(at));
    if figure.kind != FigureKind::Percent || before.is_none_or(|token| token.word != "by") {
        return None;
    }
    let archive = &ledger.texts.archive;
    let alignment = ledger.aligned(field, field.reading.line_of(&figure.tokens));
    let mut places = alignment.windows.iter().flat_map(|window| {
        let SourceLine { source, .. } = window.place;
        window.lines.clone().map(move |line| SourceLine { source, line })
    });
    let (at, note) = places.find_map(|place| difference_at(archive, place, figure))?;
    Some(Fault::new(&RULE, field, figure.start..figure.end).note(note).passage(archive.sentence(at)).removable())
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

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
