//! New facts: what a new draft has that is not in the sources, the draft before, or the feedback.
//!
//! Why: whoever revises a sentence may invent one. The ledger asks only the sources; this rule asks where a fact came
//! from since the last draft.

use crate::{
    ledger::row,
    rules::{name, number, prelude::*, quotation},
};
use copydesk_newsroom::{ArticleResponse, LedgerRow, Source};

pub static RULE: Rule = Rule {
    name: "draft.new_fact",
    kind: SpanKind::Sentence,
    standing: Standing::NotFound,
    why: "New: not in the sources, the draft before or the feedback.",
    source: "A revision does what the feedback asks, with what the sources have. Anything else was invented.",
    ..Rule::USUAL
};

/// Figures, dates, names and quotations of `next` that are not in `sources`, `previous` or `feedback`, in the order of the draft. Figures
/// that follow from the sources' figures (sums, roundings) are not new. This compares two drafts; the ledger of `next` itself compares with
/// the sources only.
#[must_use]
pub fn new_facts(
    previous: &ArticleResponse,
    next: &ArticleResponse,
    sources: &[Source],
    feedback: &[String],
) -> Vec<LedgerRow> {
    let before =
        previous.fields().into_iter().map(|(name, text)| Source { name: name.to_owned(), text: text.to_owned() });
    let asked = feedback.iter().map(|text| Source { name: "feedback".to_owned(), text: text.clone() });
    let known: Vec<Source> = sources.iter().cloned().chain(before).chain(asked).collect();
    let texts = ProofTexts::new(next, &known);
    let rows = unknown(&texts).into_iter().filter_map(|(kind, field, span)| {
        let row = row(&texts, RULE.name, kind, RULE.standing, field, span)?;
        Some(LedgerRow { concern_type: Some(RULE.concern_type), note: Some(RULE.why.to_owned()), ..row })
    });
    rows.collect()
}

/// Figures, dates, names and quotations that the sources do not have, each with its field, in the order of the draft.
pub fn unknown(texts: &ProofTexts<'_>) -> Vec<(SpanKind, usize, Range<usize>)> {
    let plain = |field: &DraftField<'_>, tokens: &Range<usize>| {
        field.reading.tokens.get(tokens.start).is_some_and(|token: &Token| !token.quoted())
    };
    let mut found: Vec<(SpanKind, usize, Range<usize>)> =
        quotation::check::unknown(texts).map(|(at, range)| (SpanKind::Quotation, at, range)).collect();
    for Spot { field, item: figure, .. } in texts.figures().filter(|spot| plain(spot.field, &spot.item.tokens)) {
        if number::check::is_new(texts, &field.reading, figure) {
            found.push((number::check::kind(figure), field.at, figure.start..figure.end));
        }
    }
    for Spot { field, item: name, .. } in texts.names().filter(|spot| plain(spot.field, &spot.item.tokens)) {
        if name::check::is_new(texts, field, name) {
            found.push((SpanKind::Name, field.at, name.start..name.end));
        }
    }
    found.sort_by_key(|(kind, field, span)| (*field, span.start, *kind, span.end));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::texts;

    const SOURCE: &str =
        "Inez Calloway spoke on Tuesday. “I have not once got to the pond,” she said. The plan costs $4,870.";

    fn brought(next: &str, feedback: &[&str]) -> Vec<(SpanKind, String)> {
        let (previous, sources) = texts("The pond of Garlow Falls is 900 years old.", SOURCE);
        let (next, _) = texts(next, SOURCE);
        let feedback: Vec<String> = feedback.iter().map(|text| (*text).to_owned()).collect();
        new_facts(&previous, &next, &sources, &feedback).into_iter().map(|row| (row.kind, row.text)).collect()
    }

    #[test]
    fn what_nobody_gave_the_writer_is_new() {
        assert_eq!(
            brought("Then Leopold Marsh paid $7,300 on May 5, 2024. “We never saw that pond,” he said.", &[]),
            [
                (SpanKind::Name, "Leopold Marsh".to_owned()),
                (SpanKind::Number, "$7,300".to_owned()),
                (SpanKind::Date, "May 5, 2024".to_owned()),
                (SpanKind::Quotation, "We never saw that pond,".to_owned()),
            ]
        );
    }

    #[test]
    fn what_a_source_a_draft_or_an_editor_gave_is_not() {
        for next in [
            "Inez Calloway spoke. “I have not once got to the pond,” she said. The plan costs nearly $4,900.",
            "The pond of Garlow Falls is 900 years old.",
            "There are two ponds.",
        ] {
            assert_eq!(brought(next, &[]), [], "{next}");
        }
        assert_eq!(brought("Then Leopold Marsh paid $7,300.", &["Say that Leopold Marsh paid $7,300."]), []);
    }
}
