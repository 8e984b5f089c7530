//! A change against the value that the source sets in brackets behind the new one: `Debt £918m (2022: £1,002m)`.
//!
//! Why: a table of results tells the way of a change only by the year of the older value.

use crate::{
    reading::near,
    rules::{number::order::RULE, prelude::*},
    sources::siblings,
    words::changes::{DOWN, UP},
};

/// A multiple in words may be off by so much of itself.
const ROUND: f64 = 0.15;

/// Enters each change to a value that went another way.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index: line, item } in texts.sentences().filter(|spot| !spot.item.heading) {
        let figures = field.reading.figures_between(item.start, item.end).iter();
        for fault in figures.filter_map(|figure| turned(texts, field, line, figure)).collect::<Vec<Fault>>() {
            ledger.enter(fault);
        }
    }
}

fn turned(texts: &ProofTexts<'_>, field: &DraftField<'_>, line: usize, new: &Figure) -> Option<Fault> {
    let (archive, reading) = (&texts.archive, &field.reading);
    let to = new.tokens.start.checked_sub(1).and_then(|at| reading.tokens.get(at))?;
    let before = reading.line_tokens(line).iter().rev().filter(|token| token.end < new.start && !token.quoted());
    let mut verbs = before.filter_map(|token| match token.word.as_str() {
        "doubled" => Some(Ok(2.0)),
        "tripled" => Some(Ok(3.0)),
        "quadrupled" => Some(Ok(4.0)),
        "halved" => Some(Ok(0.5)),
        word => UP.contains(word).then_some(Err(true)).or(DOWN.contains(word).then_some(Err(false))),
    });
    let verb = verbs.next().filter(|_| to.word == "to" && !to.quoted())?;
    let fits = |was: f64, is: f64| match verb {
        Ok(multiple) => (is / was / multiple - 1.0).abs() <= ROUND,
        Err(up) => near(is, was) || up == (is > was),
    };
    let mut wrong = None;
    for (place, theirs) in archive.equal(new) {
        let source = archive.reading(place)?;
        let all = siblings(source, place.line);
        let told = |figure: &Figure| siblings(reading, line).iter().any(|own| own.same(figure));
        let behind = all.iter().find(|other| other.start >= theirs.end && older(source, theirs, other));
        let ahead = all.iter().find(|other| other.end <= theirs.start && older(source, other, theirs));
        match (behind, ahead) {
            (Some(was), _) if !fits(was.value, theirs.value) => wrong = Some(place),
            // It went from the older value, and not to it.
            (None, Some(is)) if told(is) => wrong = Some(place),
            _ => return None,
        }
    }
    let found = Fault::new(&RULE, field, new.start..new.end).passage(archive.sentence(wrong?));
    Some(found.note("The source has the value before in brackets, and it went another way.".to_owned()))
}

/// Whether brackets behind a figure give the value of an earlier year.
fn older(source: &ParsedText<'_>, is: &Figure, was: &Figure) -> bool {
    let gap = source.slice(is.end..was.start).trim();
    let year = |text: &str| text.split(|c: char| !c.is_ascii_digit()).any(|part| part.len() == 4);
    let lower = gap.to_lowercase();
    let told = year(gap) || ["previous", "prior", "last year", "year before"].iter().any(|word| lower.contains(word));
    gap.starts_with('(') && gap.ends_with([':', ' ', '£', '$', '€']) && told && is.comparable(was) && !gap.contains(')')
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn a_change_against_the_value_before_is_found() {
        let source = "Marsk Ferries, results for 2019\n\nFares €m      310.4    (2018: 290.7)\nCosts €m      118      (2018: 131)\n";
        for (draft, found) in [
            ("Costs of Marsk Ferries rose to €118 million.", true),
            ("Costs of Marsk Ferries rose from €118 million to €131 million.", true),
            ("Fares of Marsk Ferries doubled to €310.4 million.", true),
            ("Costs of Marsk Ferries fell to €118 million.", false),
            ("Costs of Marsk Ferries fell from €131 million to €118 million.", false),
            ("Fares of Marsk Ferries rose to €310.4 million.", false),
            // It follows from two figures of a row that has but one word.
            ("Costs were €118 million, €13 million less than a year before.", false),
        ] {
            let rules = rules_of(draft, source);
            assert_eq!(rules.contains(&"number.order".to_owned()), found, "{draft}");
            assert_eq!(rules.is_empty(), !found, "{draft}");
        }
    }
}
