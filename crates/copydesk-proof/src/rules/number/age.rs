//! Ages: what follows from the year of a birth and the year of a story.
//!
//! Why: a reporter works out an age from a birthday, and may be a year or ten off. People are a year younger before
//! the birthday of that year, so two ages are right.

use crate::{
    rules::prelude::*,
    sources::{births::birth, derivation::Derivation},
};

pub static RULE: Rule = Rule {
    name: "number.age",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "The year of birth in the source gives another age.",
    source: "The year less the year of birth, or one less before the birthday.",
    ..Rule::USUAL
};

/// Reports an age that no source gives and that the birth in the source rules out.
pub fn impossible(texts: &ProofTexts<'_>, field: &DraftField<'_>, figure: &Figure) -> Option<Fault> {
    let reading = &field.reading;
    let birth = birth(&texts.archive, reading, figure).filter(|birth| !birth.ages.contains(&figure.value))?;
    let Derivation { source, range, note } = birth.derivation;
    Some(
        Fault::new(&RULE, field, figure.start..figure.end)
            .note(note)
            .passage(texts.archive.span(source, range.start, range.end))
            .removable(),
    )
}

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, texts},
    };
    use copydesk_newsroom::Standing;

    const SOURCE: &str = "Port Ellery, October 6, 2026. Inez Calloway was born in 1958 on Canal Road. She has worked at the mill since she \
                          left school.";

    #[test]
    fn an_age_follows_from_a_birth() {
        for fine in [
            "Inez Calloway, 67, spoke.",
            "Inez Calloway, 68, spoke.",
            "Inez Calloway was aged 41 in 1999.",
            "Calloway, who is 68 years old, spoke.",
        ] {
            let found = check_texts(fine, SOURCE);
            assert!(found.iter().all(|found| found.rule != "number.age" && found.text != "41"), "{fine}: {found:?}");
        }
        let (article, sources) = texts("Inez Calloway, 68, spoke.", SOURCE);
        let rows = ledger(&article, &sources, Gravity::Concern).rows;
        let row = rows.into_iter().find(|row| row.text == "68").unwrap();
        assert_eq!(
            (row.standing, row.note),
            (Standing::Derived, Some("Born in 1958, so 67 or 68 in 2026.".to_owned()))
        );
    }

    #[test]
    fn now_is_the_day_of_the_source_and_an_age_that_it_tells_outweighs_a_birth() {
        let source =
            "Notes of September 12, 2026. Maureen Teague was born in 1954. The tank will be done by August 1, 2028.";
        let rules =
            |draft: &str, source: &str| check_texts(draft, source).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        assert_eq!(rules("Maureen Teague, 71, swims.", source), [""; 0]);
        assert_eq!(rules("Maureen Teague, 74, swims.", source), ["number.age"]);
        let told = source.replace("Teague was", "Teague, 72, was");
        assert_eq!(rules("Maureen Teague, 72, swims.", &told), [""; 0]);
        assert_eq!(rules("Maureen Teague, 71, swims.", &told), ["number.contradicted"]);
        // The year is another's.
        assert_eq!(rules("Maureen Teague, 71, swims in a tank of 2028.", source), [""; 0]);
    }

    #[test]
    fn an_age_that_no_birthday_allows_is_found() {
        let rules = |draft: &str| check_texts(draft, SOURCE).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        assert_eq!(rules("Inez Calloway, 58, spoke."), ["number.age"]);
        assert_eq!(
            rules("Calloway, aged 47 in 1999, spoke."),
            ["number.age", "number.not_found"],
            "the year is new, too"
        );
    }
}
