//! Certainty: the draft leaves open what its source leaves open, and asserts nothing that its source denies.
//!
//! Why: copy most often overstates by turning “may help” into “will help”. Each rule needs a passage from which the
//! sentence clearly was made.

use crate::{
    reading::hedges::{claims_cause, settles, softens},
    rules::{
        certainty::{inflated, matter::matter, negation, statement},
        prelude::*,
    },
};

pub static RULES: [&Rule; 2] = [&inflated::RULE, &negation::RULE];

/// Enters every sentence that is more certain than its source.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index, item: line } in texts.sentences() {
        // "Brewery to fill old cannery": in a headline that is the future, and the future is open.
        let announces = field.at < 2 && only_announces(field.reading.line_tokens(index));
        if line.heading || announces || ledger.covered(field, line.start, line.end) {
            continue;
        }
        let Some((rule, place)) = judge(ledger, field, index) else { continue };
        let repair = as_open(texts, field, index, place).or_else(|| statement::of(&texts.archive, place));
        let found = Fault::new(rule, field, line.start..line.end).passage(texts.archive.sentence(place));
        ledger.enter_around(found.replacement(repair));
    }
}

/// The sentence with the source's own `could`, `may` or `might` for its only `will`.
fn as_open(texts: &ProofTexts<'_>, field: &DraftField<'_>, index: usize, place: SourceLine) -> Option<String> {
    let open = texts.archive.tokens(place).iter().find(|token| matches!(&*token.word, "could" | "may" | "might"))?;
    let mut promises = field.reading.line_tokens(index).iter().filter(|token| token.word == "will" && !token.quoted());
    let (promise, line) = (promises.next()?, field.reading.lines.get(index)?);
    let text = field.reading.text;
    let (before, behind) = (text.get(line.start..promise.start)?, text.get(promise.end..line.end)?);
    promises.next().is_none().then(|| format!("{before}{}{behind}", open.word))
}

/// Whether a headline only announces what will come, or names the topic, so that it asserts nothing.
fn only_announces(tokens: &[Token]) -> bool {
    let asserts = tokens.iter().any(|token| {
        matches!(token.word.as_str(), "will" | "is" | "are" | "was" | "were" | "has" | "have" | "had" | "does" | "did")
    });
    tokens.iter().any(|token| token.word == "to") || !asserts && settles(tokens).is_none() && !claims_cause(tokens)
}

fn judge(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, index: usize) -> Option<(&'static Rule, SourceLine)> {
    let (archive, reading) = (&ledger.texts.archive, &field.reading);
    let (quoted, spoken): (Vec<Token>, Vec<Token>) =
        reading.line_tokens(index).iter().cloned().partition(Token::quoted);
    let stems = matter(&spoken);
    // A hedge inside a quotation also hedges the words that introduce it.
    if softens(&quoted) || reading.line_text(index).ends_with('?') {
        return None;
    }
    let denial = spoken.iter().any(denies);
    let denied = || negation::opposite(archive, &spoken, &stems).or_else(|| negation::lost(archive, &spoken, &stems));
    let opposite = if quoted.is_empty() { denied() } else { None };
    let none = || if denial { None } else { negation::none(archive, &spoken) };
    if let Some(place) = opposite.or_else(none) {
        return Some((&negation::RULE, place));
    }
    // "Will open" for "could open" promises; "opens" may only be shorter.
    if stems.len() < 3 || softens(&spoken) || denial || settles(&spoken).is_none() {
        return None;
    }
    let hits = archive.passages(&stems, 8);
    inflated::passage(archive, &stems, &hits).map(|hit| (&inflated::RULE, hit.place))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_promise_becomes_as_open_as_its_source() {
        let source =
            "A model suggests that the basin could reduce flooding on Canal Road by one third in a ten-year storm.";
        let fix = |draft: &str| check_texts(draft, source).into_iter().find_map(|found| found.replacement);
        assert_eq!(
            fix("The basin will reduce flooding on Canal Road by one third in a ten-year storm.").as_deref(),
            Some("The basin could reduce flooding on Canal Road by one third in a ten-year storm.")
        );
    }

    #[test]
    fn a_headline_that_names_the_matter_claims_nothing() {
        let source = "It may have been the mast, it may have been the keel, said the surveyor of the wreck.";
        let article = |headline: &str| copydesk_newsroom::ArticleResponse {
            headline: headline.to_owned(),
            alternativeHeadline: String::new(),
            articleBody: String::new(),
            description: String::new(),
        };
        let sources = [copydesk_newsroom::Source { name: "s".to_owned(), text: source.to_owned() }];
        assert_eq!(crate::check(&article("Surveyor looks at mast, keel and wreck"), &sources), []);
    }
}
