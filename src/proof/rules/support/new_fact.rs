//! From draft to draft: what a new draft brings that neither a source nor the draft before it nor the feedback has.
//!
//! Why: whoever is asked to mend a sentence now and then invents one. Only sources are witnesses, and an earlier draft is none;
//! this is another question: where did this figure come from between yesterday and today?

use crate::{
    newsroom::{ArticleResponse, ConcernType, LedgerRow, Source, SpanKind, Standing},
    proof::{
        reading::{figure::FigureKind, token::Token},
        rule::{Gravity, Rule},
        rules::{name, number, quotation},
        sources::texts::ProofTexts,
    },
};

/// The rule.
pub static RULE: Rule = Rule {
    name: "draft.new_fact",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "New: not in the sources, the draft before or the feedback.",
    source: "A revision does what it is asked, with what the sources have; what is in neither was invented on the way.",
    measured: None,
};

/// The rules of this file.
pub static RULES: [&Rule; 1] = [&RULE];

/// Figures, dates, names and quotations of `next` that stand neither in `sources` nor in `previous` nor in `feedback`, in the
/// order of the draft. What follows from the sources' figures (sums, roundings) is not new. An additional view of two drafts: the
/// ledger of `next` itself knows no witness but the sources.
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
    let desk = ProofTexts::new(next, &known);
    let mut found: Vec<(SpanKind, usize, usize, usize)> = Vec::new();
    for (at, range) in quotation::check::unknown(&desk) {
        found.push((SpanKind::Quotation, at, range.start, range.end));
    }
    for (at, field) in desk.fields.iter().enumerate() {
        let plain = |token: usize| field.reading.tokens.get(token).is_some_and(|token: &Token| !token.quoted());
        for figure in field.reading.figures.iter().filter(|figure| plain(figure.tokens.start)) {
            if number::check::is_new(&desk, &field.reading, figure) {
                let date = matches!(figure.kind, FigureKind::Year | FigureKind::Date | FigureKind::Time);
                let kind = if date { SpanKind::Date } else { SpanKind::Number };
                found.push((kind, at, figure.start, figure.end));
            }
        }
        for name in field.names.iter().filter(|name| plain(name.tokens.start)) {
            if name::check::is_new(&desk, at, name) {
                found.push((SpanKind::Name, at, name.start, name.end));
            }
        }
    }
    found.sort_by_key(|(kind, field, start, end)| (*field, *start, *kind, *end));
    found.into_iter().filter_map(|(kind, field, start, end)| row(&desk, kind, field, start, end)).collect()
}

fn row(desk: &ProofTexts<'_>, kind: SpanKind, field: usize, start: usize, end: usize) -> Option<LedgerRow> {
    let field = desk.fields.get(field)?;
    Some(LedgerRow {
        kind,
        standing: RULE.standing,
        rule: RULE.name.to_owned(),
        field: field.name.to_owned(),
        start,
        end,
        text: field.reading.text.get(start..end)?.to_owned(),
        concern_type: Some(RULE.concern_type),
        blocks: false,
        note: Some(RULE.why.to_owned()),
        passage: None,
        replacement: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::trial::texts;

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
