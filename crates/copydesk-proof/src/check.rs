//! Runs the proof: compares each span of a draft with the sources.

use crate::{
    fixes,
    ledger::LedgerWriter,
    notes, passages,
    registry::{ask, run},
    rule::Gravity,
    rules::{
        quotation::{check::moved_to_the_name, speaker},
        support::new_fact,
    },
    sources::ProofTexts,
};
use copydesk_newsroom::{ArticleResponse, Finding, LedgerRow, SentenceSources, Source};

/// Every span of `article` that the sources do not support as it is written, in the order of the draft: headline,
/// alternative headline, description, body. Spans are byte offsets into the field that the finding names.
///
/// Takes time nearly linear in the length of the sources. It never panics, whatever the texts.
#[must_use]
pub fn check(article: &ArticleResponse, sources: &[Source]) -> Vec<Finding> {
    check_beside(article, sources, &[])
}

/// As [`check`]. Footnotes are held against `pages`, too: the cited pages that are no sources.
#[must_use]
pub fn check_beside(article: &ArticleResponse, sources: &[Source], pages: &[Source]) -> Vec<Finding> {
    let mut rows = prove(article, sources, false, Gravity::Concern).rows;
    rows.extend(noted(article, sources, pages, false, Gravity::Concern));
    rows.into_iter().filter_map(LedgerRow::finding).collect()
}

/// The whole ledger: every span of `article` that can be compared with `sources`, also those in order, and the
/// findings of all rules that are at least as grave as `least`. Otherwise it is as [`check`], which asks all rules
/// from [`Gravity::Concern`] on.
#[must_use]
pub fn ledger(article: &ArticleResponse, sources: &[Source], least: Gravity) -> copydesk_newsroom::Ledger {
    let mut ledger = prove(article, sources, true, least);
    ledger.rows.extend(noted(article, sources, &[], true, least));
    ledger
}

/// The proof of one draft of a story.
#[derive(Debug)]
pub struct DraftLedger {
    pub ledger: copydesk_newsroom::Ledger,
    /// The passages of each sentence.
    pub passages: Vec<SentenceSources>,
    /// As `new_facts` gives them; none of a first draft.
    pub new_facts: Vec<LedgerRow>,
}

/// As [`ledger`], with the passages of each sentence. Footnotes are held against `pages`, too: the cited pages that are no sources.
/// `before` is the draft before, with the feedback on it.
#[must_use]
pub fn ledger_beside(
    article: &ArticleResponse,
    sources: &[Source],
    pages: &[Source],
    before: Option<(&ArticleResponse, &[String])>,
    least: Gravity,
) -> DraftLedger {
    let texts = ProofTexts::new(article, sources);
    let mut ledger = LedgerWriter::new(&texts, true, least);
    run(&mut ledger);
    let passages = passages::of_ledger(&ledger);
    let mut ledger = ledger.close();
    ledger.rows.extend(noted(article, sources, pages, true, least));
    // Nothing that the sources have is new, so that the draft before is mostly not read.
    let brought = before.filter(|_| !new_fact::unknown(&texts).is_empty());
    let new_facts = brought.map(|(before, feedback)| new_fact::new_facts(before, article, sources, feedback));
    DraftLedger { ledger, passages, new_facts: new_facts.unwrap_or_default() }
}

/// A finding about a wrong speaker, moved to the speaker's name in the draft. Its fix is the right name, if the sources leave no doubt
/// and the sentence is right with it. None for any other finding. The ledger's own row is at the quotation.
#[must_use]
pub fn at_the_name(finding: &Finding, article: &ArticleResponse, sources: &[Source]) -> Option<Finding> {
    if finding.rule != speaker::RULE.name {
        return None;
    }
    let mut texts = ProofTexts::new(article, sources);
    let moved = moved_to_the_name(finding, &texts)?;
    Some(fixes::tried_speaker(&mut texts, moved, Gravity::Concern, ask))
}

/// The rows on the footnotes of an article.
fn noted(
    article: &ArticleResponse,
    sources: &[Source],
    pages: &[Source],
    whole: bool,
    least: Gravity,
) -> Vec<LedgerRow> {
    notes::rows(article, sources, pages, whole, &|own, cited, whole| prove(own, cited, whole, least).rows)
}

/// The ledger of an article without its footnotes.
fn prove(article: &ArticleResponse, sources: &[Source], whole: bool, least: Gravity) -> copydesk_newsroom::Ledger {
    let texts = ProofTexts::new(article, sources);
    let mut ledger = LedgerWriter::new(&texts, whole, least);
    run(&mut ledger);
    ledger.close()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{check_texts, texts};
    use copydesk_newsroom::{SpanKind, Standing};

    const NOTES: &str = "Inez Calloway spoke. \"I can get to the gate,\" she said. \"In eleven years I have not once got to the \
                         pond.\"\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.";

    fn rows(body: &str, kind: SpanKind) -> Vec<(String, Standing)> {
        let (article, sources) = texts(body, NOTES);
        let rows = ledger(&article, &sources, Gravity::Concern).rows;
        rows.into_iter().filter(|row| row.kind == kind).map(|row| (row.text, row.standing)).collect()
    }

    #[test]
    fn a_quotation_says_how_its_source_has_it() {
        for (quoted, standing) in [
            ("In eleven years I have not once got to the pond.", Standing::Verbatim),
            ("I have not once got to the pond,", Standing::Partial),
            ("in  eleven years I have NOT once got to the pond", Standing::Normalised),
            ("In eleven years … not once got to the pond", Standing::Elided),
            ("In eleven years I have only once got to the pond", Standing::Altered),
            ("The swings are rusty and somebody will be hurt", Standing::NotFound),
            ("a pond", Standing::Unchecked),
        ] {
            let found = rows(&format!("“{quoted}” Calloway said."), SpanKind::Quotation);
            assert_eq!(found, [(quoted.to_owned(), standing)]);
        }
    }

    #[test]
    fn a_speakers_label_inside_an_open_quotation_is_nobodys_words() {
        for text in [
            "\"May 5\nAa:\n",
            "\"May 5 is fine\nAa:\n\"",
            "“We vote on Thursday, and so\nVOSS: I would not call it a party.”",
        ] {
            let found = check_texts(text, text);
            assert!(found.iter().all(|found| found.rule == "quotation.unclosed"), "{text}: {found:?}");
        }
    }

    #[test]
    fn figures_dates_names_and_sentences_in_order_have_rows_too() {
        let body = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.";
        assert_eq!(rows(body, SpanKind::Number), [("$1.8 million".to_owned(), Standing::Matches)]);
        assert_eq!(rows(body, SpanKind::Date), [("1958".to_owned(), Standing::Matches)]);
        assert_eq!(rows(body, SpanKind::Sentence), [(body.to_owned(), Standing::Matches)]);
        assert_eq!(rows("Inez Calloway spoke.", SpanKind::Name), [("Inez Calloway".to_owned(), Standing::Matches)]);
        let differs =
            |body: &str, kind: SpanKind| rows(body, kind).into_iter().map(|(_, standing)| standing).collect::<Vec<_>>();
        let wrong = "The council voted on Tuesday to spend $2.8 million on the park, which opened in 1985.";
        assert_eq!(differs(wrong, SpanKind::Number), [Standing::Contradicted]);
        assert_eq!(differs(wrong, SpanKind::Date), [Standing::Contradicted]);
        assert_eq!(differs("Inez Caloway left.", SpanKind::Name), [Standing::Misspelt]);
        let (article, sources) = texts("The plan costs about $2.5 million.", "The plan costs $2,480,000 in all.");
        let rounded =
            ledger(&article, &sources, Gravity::Concern).rows.into_iter().find(|row| row.kind == SpanKind::Number);
        assert_eq!(rounded.map(|row| row.standing), Some(Standing::Derived));
    }

    /// Text that contains everything the rules look for.
    const BUSY: &str = "([A-Z][a-z]{1,6}|[a-z]{1,7}|\\$?[0-9]{1,7}(\\.[0-9])?%?|“|”|\"|[,.:;!?–-]|\n|\n\n|not|said|may|correction|Mr\\.|May 5|7 p\\.m\\.| ){0,60}";

    proptest! {
        #[test]
        fn any_draft_against_any_source(draft in "\\PC*", source in "\\PC*", busy in BUSY, other in BUSY) {
            for (draft, source) in [(&draft, &source), (&busy, &other), (&busy, &source), (&draft, &busy)] {
                let (article, sources) = texts(draft, source);
                let whole = ledger(&article, &sources, Gravity::Concern);
                let (checked, total) = whole.coverage();
                prop_assert!(checked <= total);
                for row in &whole.rows {
                    prop_assert_eq!(draft.get(row.start..row.end), Some(row.text.as_str()));
                    if let Some(span) = &row.passage {
                        prop_assert_eq!(source.get(span.start..span.end), Some(span.text.as_str()));
                    }
                }
                let found = check_texts(draft, source);
                prop_assert_eq!(whole.findings().count(), found.len());
                // A span is raised once by the rules of a family.
                let all = ledger(&article, &sources, Gravity::Note).rows;
                let all: Vec<_> = all.iter().filter(|row| row.is_finding()).collect();
                for (at, one) in all.iter().enumerate() {
                    let family = |row: &LedgerRow| row.rule.split('.').next().map(str::to_owned);
                    let twice = all.iter().skip(at + 1).find(|other| {
                        family(one) == family(other) && one.start < other.end && other.start < one.end
                    });
                    prop_assert!(twice.is_none(), "{one:?}: {twice:?}");
                }
                for finding in found {
                    prop_assert_eq!(draft.get(finding.start..finding.end), Some(finding.text.as_str()));
                    if let Some(span) = finding.passage {
                        prop_assert_eq!(source.get(span.start..span.end), Some(span.text.as_str()));
                    }
                }
            }
        }

        #[test]
        fn a_source_carries_itself_but_for_what_it_takes_back(text in BUSY) {
            let fine = |rule: &str| rule.starts_with("number.withdrawn") || matches!(rule, "quotation.speaker" | "quotation.unclosed");
            for finding in check_texts(&text, &text) {
                prop_assert!(fine(&finding.rule), "{finding:?}");
            }
        }
    }
}
