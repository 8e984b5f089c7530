//! Certainty: what a source leaves open, the draft leaves open; what a source denies, the draft does not assert.
//!
//! Why: “may help” that becomes “will help” is the commonest way for copy to say more than anybody said. Each rule needs a
//! passage that plainly is the one the sentence was made from. Each is a file.

use crate::{
    newsroom::{SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter, Sound},
        reading::{
            hedges::{claims_cause, denies, openings, settles, softens},
            text::ParsedText,
            token::Token,
        },
        rule::Rule,
        rules::certainty::{
            cause, inflated,
            matter::{COVER, matter},
            negation, settled, statement,
        },
        sources::{
            archive::{SourceArchive, SourceLine, content},
            texts::Spot,
        },
    },
};

/// The rules of this folder.
pub static RULES: [&Rule; 3] = [&inflated::RULE, &cause::RULE, &negation::RULE];

/// Enters every sentence that says more surely what its source leaves open.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let desk = ledger.desk;
    for Spot { at, field, index, item: line } in desk.sentences() {
        // "Brewery to fill old cannery": in a headline that is the future, and the future is open.
        let announces = at < 2 && only_announces(field.reading.line_tokens(index));
        if line.heading || announces || ledger.covered(at, line.start, line.end) {
            continue;
        }
        let Some((rule, place)) = judge(&desk.archive, &field.reading, index) else {
            held(ledger, at, index);
            continue;
        };
        ledger.enter_around(
            Fault::new(rule, at, line.start..line.end)
                .passage(desk.archive.sentence(place))
                .replacement(Some(statement::of(&desk.archive, place).unwrap_or_default())),
        );
    }
}

/// Enters a sentence with which the rules found no fault, where there was something to judge: it or the passage that it was made
/// from leaves a thing open or denies it. Where only one of the two does, no rule can tell.
fn held(ledger: &mut LedgerWriter<'_, '_>, field: usize, index: usize) {
    let desk = ledger.desk;
    if !ledger.whole {
        return;
    }
    let Some((reading, line)) =
        desk.fields.get(field).and_then(|field| Some((&field.reading, field.reading.lines.get(index)?)))
    else {
        return;
    };
    let tokens = reading.line_tokens(index);
    let stems = content(tokens);
    let hits = desk.archive.passages(&stems, 8);
    let Some(hit) = hits.first().filter(|hit| stems.len() >= 3 && hit.cover >= COVER) else { return };
    let theirs = desk.archive.tokens(hit.place);
    let open = (softens(tokens), !openings(theirs).is_empty() || softens(theirs));
    let denied = (tokens.iter().any(denies), theirs.iter().any(denies));
    if !(open.0 || open.1 || denied.0 || denied.1) {
        return;
    }
    let both = open.0 == open.1 && denied.0 == denied.1;
    ledger.pass(|| Sound {
        kind: SpanKind::Certainty,
        standing: if both { Standing::Found } else { Standing::Unchecked },
        rule: "certainty.held",
        field,
        start: line.start,
        end: line.end,
        passage: desk.archive.sentence(hit.place),
    });
}

/// Whether a headline promises nothing and settles nothing: it tells of what is to come, or names what the story is about.
fn only_announces(tokens: &[Token]) -> bool {
    let asserts = tokens.iter().any(|token| {
        matches!(token.word.as_str(), "will" | "is" | "are" | "was" | "were" | "has" | "have" | "had" | "does" | "did")
    });
    tokens.iter().any(|token| token.word == "to") || !asserts && settles(tokens).is_none() && !claims_cause(tokens)
}

fn judge(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> Option<(&'static Rule, SourceLine)> {
    let spoken: Vec<Token> = reading.line_tokens(index).iter().filter(|token| !token.quoted()).cloned().collect();
    let stems = matter(&spoken);
    // A hedge inside a quotation hedges what leads to it, too.
    let quoted: Vec<Token> = reading.line_tokens(index).iter().filter(|token| token.quoted()).cloned().collect();
    let settled_at = settles(&spoken);
    if stems.len() < 3 && settled_at.is_none() || softens(&quoted) || reading.line_text(index).ends_with('?') {
        return None;
    }
    let unquoted = spoken.len() == reading.line_tokens(index).len();
    if unquoted && let Some(place) = negation::opposite(archive, &spoken, &stems) {
        return Some((&negation::RULE, place));
    }
    if softens(&spoken) || spoken.iter().any(denies) {
        return None;
    }
    let hits = archive.passages(&stems, 8);
    if let Some(hit) = inflated::passage(archive, &stems, &hits).filter(|_| stems.len() >= 3) {
        return Some((&inflated::RULE, hit.place));
    }
    if let Some(at) = settled_at
        && let Some(place) = settled::passage(archive, (reading, index), &spoken, at, &hits)
    {
        return Some((&inflated::RULE, place));
    }
    if claims_cause(&spoken)
        && let Some(place) = cause::associated(archive, &stems)
    {
        return Some((&cause::RULE, place));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{check::ledger, rule::Gravity, rules::certainty::given::SOURCE, trial::texts};

    #[test]
    fn a_sentence_that_keeps_what_its_source_leaves_open_has_a_row() {
        let rows = |draft: &str| {
            let (article, sources) = texts(draft, SOURCE);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().filter(|row| row.kind == SpanKind::Certainty).map(|row| row.standing).collect::<Vec<_>>()
        };
        assert_eq!(rows("The library is believed to be the oldest in Tamarack County."), [Standing::Found]);
        assert_eq!(rows("The town may have laid new pipes in 2019."), [Standing::Unchecked]);
        assert_eq!(rows("The library is the oldest in Tamarack County."), [Standing::Inflated]);
        assert_eq!(rows("The town laid new pipes in 2019."), []);
    }

    #[test]
    fn a_headline_that_names_the_matter_claims_nothing() {
        let source = "It may have been the mast, it may have been the keel, said the surveyor of the wreck.";
        let article = |headline: &str| crate::newsroom::ArticleResponse {
            headline: headline.to_owned(),
            alternativeHeadline: String::new(),
            articleBody: String::new(),
            description: String::new(),
        };
        let sources = [crate::newsroom::Source { name: "s".to_owned(), text: source.to_owned() }];
        assert_eq!(crate::proof::check(&article("Surveyor looks at mast, keel and wreck"), &sources), []);
    }
}
