//! The right number in the wrong unit: 1,200 feet instead of 1,200 meters.
//!
//! Why: the digits agree, and yet the bridge is only a third as long. If the number has another unit wherever the
//! sources have it, it is another figure.

use crate::{
    reading::{Bound, near},
    rules::{
        number::{absent::MOSTLY, figure::DraftFigure},
        prelude::*,
    },
    sources::{
        common, counted, of_line,
        units::{converted, unit},
    },
};

pub static RULE: Rule = Rule {
    name: "number.unit",
    why: "The source has this number in another unit.",
    source: "A number and its unit are one figure: lengths, weights, areas, volumes and times.",
    measured: Some(Measured { right: 5, of: 5, on: SUMMARIES }),
    ..Rule::FIGURE
};

/// Reports a figure that every source has in another unit. If a source has the bare number too, or the draft's unit of something else, the
/// passage on the same must have the other unit.
pub fn measure(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, reading, figure) = (draft.archive, draft.reading, draft.figure);
    // "Almost two months after 11 July" follows from dates.
    if period(reading, figure).is_some() && Bound::of(reading, figure) != Bound::Exact {
        return None;
    }
    let mine = unit(reading, figure).or_else(|| period(reading, figure))?;
    let own = of_line(reading, draft.line);
    let (mut others, mut bare, mut same) = (Vec::new(), false, Vec::new());
    for (place, theirs) in &draft.matches {
        let source = archive.reading(*place)?;
        // "2.4m a yr" are millions and no metres.
        let rate = mine.0 == 'p';
        let Some((kind, size)) = unit(source, theirs).filter(|_| !rate).or_else(|| period(source, theirs)) else {
            // A number without a unit may have any, but "fourteen incidents" are no days.
            let thing = counted(source, theirs);
            bare |= thing.is_none_or(|thing| draft.tokens().iter().any(|own| own.stem == thing.stem));
            continue;
        };
        if kind == mine.0 && near(size, mine.1) {
            same.push(*place);
            continue;
        }
        // "Half a million pounds" are £500,000, and no weight.
        if matches!(theirs.kind, FigureKind::Money(_)) && mine.0 != kind {
            return None;
        }
        others.push((*place, source, *theirs, kind));
    }
    let places = draft.places();
    if !same.is_empty() && (others.is_empty() || draft.carried() < MOSTLY) {
        return None;
    }
    let beside = |place: &SourceLine| {
        let paragraph = archive.reading(*place).map_or(0..0, |source| source.paragraph(place.line));
        same.iter().any(|at| at.source == place.source && paragraph.contains(&at.line))
    };
    let mut others = others.into_iter().filter(|(place, source, _, kind)| {
        let passage = || figure.value > 1.0 && *kind == mine.0 && places.contains(place);
        if bare || !same.is_empty() {
            passage() && !beside(place)
        } else {
            common(&own, &of_line(source, place.line)) > 0
        }
    });
    let (place, source, theirs, _) = others.next().filter(|_| converted(archive, reading, figure).is_none())?;
    let named = |reading: &ParsedText<'_>, figure: &Figure| {
        // "Cubic metres"
        let compound = matches!(reading.word(figure.tokens.end), "cubic" | "square" | "cu" | "sq");
        let words = usize::from(period(reading, figure).is_some()) + usize::from(compound);
        let last = reading.tokens.get(figure.tokens.end + words);
        last.map_or(figure.end, |token| token.end.max(figure.end))
    };
    let note = format!("The source has {}.", one_line(source.slice(theirs.start..named(source, theirs))));
    Some(draft.found(&RULE, figure.start..named(reading, figure), note, Some(place)))
}

/// The kind and the length in days of a rate's period: `$310,000 a month`, `40 percent per year`.
fn period(reading: &ParsedText<'_>, figure: &Figure) -> Option<(char, f64)> {
    let [each, of] = reading.tokens.get(figure.tokens.end..figure.tokens.end + 2)? else { return None };
    let gap = reading.text.get(figure.end..of.start)?;
    // "2,735 a year ago" is not a rate.
    if matches!(reading.word(figure.tokens.end + 2), "ago" | "earlier" | "before" | "later" | "old" | "on") {
        return None;
    }
    let rate =
        matches!(each.word.as_str(), "a" | "an" | "per" | "each" | "every") && !gap.contains([',', ';', '.', '(']);
    let days = match of.word.as_str() {
        "hour" => 1.0 / 24.0,
        "day" | "night" => 1.0,
        "week" => 7.0,
        "month" => 30.0,
        "quarter" => 91.0,
        "year" | "yr" => 365.0,
        _ => return None,
    };
    rate.then_some(('p', days))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    fn found(draft: &str) -> Vec<(String, String, String)> {
        let source = "The new bridge is 1,200 meters long and took 18 months. The bell weighs 420 kg. The path is 3.5 kilometres \
                      long. The town has 900 trees. It would save $310,000 a year. The tank of the mill holds 3,200 cubic metres.";
        check_texts(draft, source).into_iter().map(|f| (f.rule, f.text, f.note)).collect()
    }

    #[test]
    fn a_number_in_another_unit_is_another_figure() {
        let one = |text: &str, note: &str| [("number.unit".to_owned(), text.to_owned(), note.to_owned())];
        assert_eq!(found("The new bridge is 1,200 feet long."), one("1,200 feet", "The source has 1,200 meters."));
        assert_eq!(found("The bridge took 18 years."), one("18 years", "The source has 18 months."));
        assert_eq!(found("The bell weighs 420 tonnes."), one("420 tonnes", "The source has 420 kg."));
        assert_eq!(
            found("It would save $310,000 a month."),
            one("$310,000 a month", "The source has $310,000 a year.")
        );
        assert_eq!(
            found("The tank of the mill holds 3,200 litres."),
            one("3,200 litres", "The source has 3,200 cubic metres.")
        );
    }

    #[test]
    fn small_weights_degrees_and_nautical_miles_are_units() {
        let source = "The reading was 18 micrograms per litre. She drifted 40 nautical miles. Port Asher reached 38°C.";
        for (draft, wrong) in [
            ("The reading was 18 milligrams per litre.", true),
            ("The reading was 18 µg per litre.", false),
            ("She drifted 40 kilometres.", true),
            ("She drifted 40 nautical miles, some 74 kilometres.", false),
            ("Port Asher reached 38°F.", true),
            ("Port Asher reached 38 degrees Celsius.", false),
            ("Port Asher reached 100 degrees Fahrenheit.", false),
        ] {
            assert_eq!(!check_texts(draft, source).is_empty(), wrong, "{draft}");
        }
    }

    #[test]
    fn a_bare_number_elsewhere_leaves_the_unit_to_the_passage() {
        let source = "The home rostered three and one.\n\nTwo people went without a prescribed medicine for three days because the \
                      pharmacy had closed.";
        for (draft, wrong) in [
            ("Two people had to do without a prescribed medicine for three weeks.", true),
            ("Two people had to do without a prescribed medicine for three days.", false),
            ("Three nurses were on duty.", false),
        ] {
            let units = check_texts(draft, source).into_iter().filter(|found| found.rule == "number.unit").count();
            assert_eq!(units == 1, wrong, "{draft}");
        }
    }

    #[test]
    fn the_drafts_unit_of_something_else_does_not_cover_for_the_passage() {
        let source = "The council will vote in two weeks.\n\nThe pink engine will make appearances all around the district over the \
                      next two months.";
        for (draft, wrong) in [
            ("The pink engine will make appearances around the district over the next two weeks.", true),
            ("The pink engine will make appearances around the district over the next two months.", false),
            ("The council will vote in two weeks.", false),
            ("The engine was late by two weeks.", false),
        ] {
            let units = check_texts(draft, source).into_iter().filter(|found| found.rule == "number.unit").count();
            assert_eq!(units == 1, wrong, "{draft}");
        }
    }

    #[test]
    fn a_number_of_other_things_has_no_unit() {
        let source = "Rain at the mill: 64 mm. Fourteen incidents were told. You get a full refund within 14 days.";
        for (draft, wrong) in [
            ("The mill had 64 centimetres of rain.", true),
            ("The mill had 64 millimetres of rain.", false),
            ("Buyers get a refund within 14 weeks.", true),
            ("Buyers get a refund within 14 days.", false),
            ("Buyers get a refund within two weeks.", false),
        ] {
            let rules: Vec<String> = check_texts(draft, source).into_iter().map(|found| found.rule).collect();
            assert_eq!(rules.contains(&"number.unit".to_owned()), wrong, "{draft}: {rules:?}");
        }
    }

    #[test]
    fn the_same_unit_a_conversion_and_a_number_without_one_may_stand() {
        for fine in [
            "The new bridge is 1,200 metres long.",
            "The new bridge is 1.2 kilometers long.",
            "The path is 3,500 metres long.",
            "The town has 900 acres of trees.",
            "The bridge took 18 months.",
            "It would save $310,000 per year.",
            "It would save $310,000.",
            "It would save $310,000 a month later.",
        ] {
            assert!(found(fine).iter().all(|(rule, ..)| rule != "number.unit"), "{fine}: {:?}", found(fine));
        }
    }
}
