//! A figure behind the wrong word of a change: `rose by 900` for `rose to 900`, `moved to 3 May` for `moved from 3 May to 5 May`.
//!
//! Why: the verb and the figure are right, and only the small word between them is not.

use crate::{
    rules::{
        number::{contradicted::contradicted, order},
        prelude::*,
    },
    sources::siblings,
};

/// The verb stands at most so many words before its figure.
const VERB: usize = 7;

/// The word that leads to a figure, and the stem of the verb before it. `Fell 12 per cent` is `fell by 12 per cent`.
fn led<'r>(reading: &'r ParsedText<'_>, line: usize, figure: &Figure) -> Option<(&'r str, &'r str)> {
    let first = reading.lines.get(line)?.tokens.start;
    let grammar = reading.grammar(line);
    let word = |at: usize| reading.tokens.get(at).map_or("", |token| token.word.as_str());
    let before = figure.tokens.start.checked_sub(1).filter(|at| *at >= first)?;
    let dated = matches!(figure.kind, FigureKind::Year | FigureKind::Date | FigureKind::Time);
    let lead = match word(before) {
        "to" | "until" | "till" => "to",
        lead @ ("by" | "from") => lead,
        "of" => "of",
        _ if grammar.tag(before).is_verb() && !dated => "by",
        _ => return None,
    };
    let mut verbs = (first.max(before.saturating_sub(VERB))..=before).rev();
    let verb = verbs.find(|at| grammar.tag(*at).is_verb())?;
    Some((lead, reading.tokens.get(verb)?.stem.as_str()))
}

/// The finding for a figure, if the passages lead to it with another word behind the same verb.
pub fn otherwise(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let archive = &ledger.texts.archive;
    let reading = &field.reading;
    let (lead, verb) = led(reading, reading.line_of(&figure.tokens), figure).filter(|(lead, _)| *lead != "of")?;
    let mut wrong = None;
    for (place, theirs) in matches {
        let source = archive.reading(*place)?;
        let to = |other: &&Figure| {
            theirs.comparable(other)
                && !theirs.same(other)
                && led(source, place.line, other).is_some_and(|(word, of)| word == lead && of == verb)
        };
        let rival = siblings(source, place.line).iter().find(to);
        match led(source, place.line, theirs) {
            Some((word, of)) if word != lead && (of == verb && word != "of" || rival.is_some()) => {}
            _ => return None,
        }
        wrong = wrong.or(Some((*place, rival, *theirs)));
    }
    let (place, rival, theirs) = wrong?;
    if let Some(rival) = rival {
        return Some(contradicted(ledger.texts, field, figure, (place, rival), true));
    }
    let source = archive.reading(place)?;
    let (word, _) = led(source, place.line, theirs)?;
    let note = format!("The source says “{word} {}” here.", one_line(source.slice(theirs.start..theirs.end)));
    let fault = Fault::new(&order::RULE, field, figure.start..figure.end);
    Some(fault.note(note).passage(archive.sentence(place)))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn the_word_before_a_figure_belongs_to_it() {
        for (source, draft, wrong) in [
            ("The waiting list rose to 900 in May.", "The waiting list rose by 900.", true),
            ("The waiting list rose to 900 in May.", "The waiting list rose to 900.", false),
            ("Prices fell 12 per cent to 40 euros.", "Prices fell to 12 per cent.", true),
            ("Prices fell 12 per cent to 40 euros.", "Prices fell by 12 per cent.", false),
            ("The match was moved from 3 May to 5 May.", "The match was moved to 3 May.", true),
            ("The match was moved from 3 May to 5 May.", "The match was moved to 5 May.", false),
            ("It is closed from 4 May 2024 to 28 June 2024.", "It will close from 4 May until 28 June.", false),
            ("The pilot ran 2019–2021.", "The pilot ran from 2019 to 2021.", false),
        ] {
            let found = rules_of(draft, source);
            assert_eq!(
                found.iter().any(|rule| matches!(&**rule, "number.contradicted" | "number.order")),
                wrong,
                "{draft}"
            );
        }
    }
}
