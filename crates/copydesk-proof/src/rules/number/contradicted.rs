//! A figure that differs from the one in the passage on the same thing.
//!
//! Why: readers notice a wrong figure first and forgive it last. The value may stand in a source for something else.
//! It is reported only if a passage clearly speaks of the thing in question and gives another figure.

use crate::{
    rules::{number::figure::DraftFigure, prelude::*},
    sources::{around, common, companions, counted, derivation::shown, fitted, is_label, nearest, of_line, siblings},
    words::distance,
};

pub static RULE: Rule = Rule {
    name: "number.contradicted",
    why: "The matching passage gives another figure.",
    source: "The unit, noun and names around a figure show which passage is on the same thing.",
    measured: Some(Measured { right: 140, of: 145, on: SUMMARIES }),
    ..Rule::FIGURE
};

/// The finding for a figure beside the one of the passage. If it is `contested` which of the passage's is meant, nothing is put right.
pub fn contradicted(draft: &DraftFigure<'_>, place: SourceLine, rival: &Figure, contested: bool) -> Fault {
    let (source, reading, figure) = (draft.archive.reading(place), draft.reading, draft.figure);
    let shown = source.map(|source| shown(source, rival)).unwrap_or_default();
    let repair = source.and_then(|source| {
        // If the draft has the figure elsewhere, it belongs to something else.
        let known =
            draft.ledger.texts.fields.iter().any(|field| field.reading.figures.iter().any(|other| other.same(rival)));
        let safe = !contested && !known && slipped(figure, rival) && decided(draft, source, place, rival);
        safe.then(|| fitted(reading, figure, source, rival)).flatten()
    });
    let note = if repair.is_some() {
        format!("The source has {shown} here.")
    } else {
        let written = one_line(reading.slice(figure.start..figure.end));
        format!("No source gives “{written}” for this. The closest passage has {shown}.")
    };
    draft.fault(&RULE, note, Some(place)).replacement(repair)
}

/// Whether one figure can be a typing error for another: one digit wrong, too many or missing, or the digits in
/// another order. Any other wrong figure may be right for something else.
pub fn slipped(one: &Figure, other: &Figure) -> bool {
    let digits = |figure: &Figure| -> String {
        let value = if figure.kind == FigureKind::Time {
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

/// Whether a source's figure is the only one that can replace the draft's. It must be of the same kind, about the
/// same thing, and in a sentence that clearly has the same topic. There it must be the only candidate, or share the
/// words right around.
fn decided(draft: &DraftFigure<'_>, source: &ParsedText<'_>, place: SourceLine, rival: &Figure) -> bool {
    let (reading, figure) = (draft.reading, draft.figure);
    if figure.kind != rival.kind || figure.partner.is_some() {
        return false;
    }
    let (own, theirs) = (of_line(reading, draft.line), of_line(source, place.line));
    let sharing = common(&own, &theirs);
    if sharing < 2 || sharing < 3 && sharing * 3 < own.len() {
        return false;
    }
    let noun = draft.noun().map(|token| token.stem.as_str());
    let mine = nearest(reading, figure);
    let close = |other: &Figure| common(&mine, &nearest(source, other));
    let counts = |other: &Figure| counted(source, other).map(|token| token.stem.as_str()) == noun;
    let bound = match figure.kind {
        FigureKind::Count => {
            counts(rival) && (noun.is_some() || common(&around(reading, figure), &around(source, rival)) >= 2)
        }
        FigureKind::Year | FigureKind::Date => close(rival) >= 2,
        _ => true,
    };
    let others = siblings(source, place.line).iter().filter(|other| {
        other.start != rival.start
            && figure.comparable(other)
            && !other.same(rival)
            && !is_label(source, other)
            && !companions(reading, figure).any(|beside| beside.same(other))
            && (figure.kind != FigureKind::Count || counts(other))
    });
    bound && others.into_iter().all(|other| close(other) < close(rival))
}

#[cfg(test)]
mod tests {
    use crate::rules::number::given::{found, one, repair, repairs};

    #[test]
    fn the_passage_on_the_same_thing_has_another_figure() {
        assert_eq!(found("The plan lays 1.8 miles of paths to the pond."), one("number.contradicted", "1.8", "1.4"));
        assert_eq!(
            found("Another 260 children missed the spring test."),
            one("number.contradicted", "260", "two hundred and six")
        );
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
}
