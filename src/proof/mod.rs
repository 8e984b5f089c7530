//! The ledger: what a program can prove about a draft, held against its sources.
//!
//! Each rule is one file that begins with why. The rules run from the strongest to the weakest, quotations, figures,
//! names, certainty, support, and a stretch of the draft that one has reported is not reported by a later one. They look
//! things up; they never guess at meaning, and where a source leaves a thing open, so do they: a finding that a journalist
//! must wave away costs more than one that a human reviewer adds. Nothing here reads a file, a clock or a network.

mod abbreviations;
mod archive;
mod bearing;
mod bindings;
mod calendar;
mod certainty;
mod claims;
mod class;
mod completed;
mod demonyms;
mod denials;
mod desk;
mod figure;
mod figures;
mod first_mention;
mod halves;
mod hedges;
mod identities;
mod index;
mod languages;
mod lexicon;
mod lists;
mod living;
mod lookup;
mod meaning;
mod namesakes;
mod new_facts;
mod nicknames;
mod novel;
mod numbers;
mod people;
mod quotations;
mod reading;
mod recent;
mod retractions;
mod roles;
mod rules;
mod scoring;
mod speakers;
mod spelling;
mod stream;
mod sums;
mod support;
mod thesaurus;
mod titles;
mod token;
mod vicinity;
mod voices;
mod withdrawals;

use crate::newsroom::{self, ArticleResponse, Finding, LedgerRow, Source};

pub use bearing::{Bearing, Ground, Witnesses};
pub use claims::{Checkable, Testimony, checkable, testimony};
pub use languages::{applies, not_applied};
pub use living::living;
pub use lookup::{carried, verbatim};
pub use new_facts::new_facts;
pub use recent::recent;
pub use retractions::Retractions;
pub use rules::{Gravity, Measured, Rule, asks_an_editor, rule, rules};
pub use scoring::{FileScore, Judged, RuleScore, Scores, judges, score};
pub use voices::at_the_name;

use desk::{Desk, Ledger};

/// Every span of `article` that `sources` do not carry as it stands, in the order of the draft: headline, alternative
/// headline, description, body. Spans are byte offsets into the field that the finding names.
///
/// Near-linear in the length of the sources; never panics, whatever the texts.
#[must_use]
pub fn check(article: &ArticleResponse, sources: &[Source]) -> Vec<Finding> {
    prove(article, sources, false, Gravity::Concern).rows.into_iter().filter_map(LedgerRow::finding).collect()
}

/// The whole ledger: every span of `article` that can be held against `sources`, those that stand in order too; with the
/// findings of all rules that are at least as grave as `least`. Otherwise as [`check`], which asks from
/// [`Gravity::Concern`] on.
#[must_use]
pub fn ledger(article: &ArticleResponse, sources: &[Source], least: Gravity) -> newsroom::Ledger {
    prove(article, sources, true, least)
}

fn prove(article: &ArticleResponse, sources: &[Source], whole: bool, least: Gravity) -> newsroom::Ledger {
    let desk = Desk::new(article, sources);
    let mut ledger = Ledger::new(&desk, whole, least);
    quotations::check(&mut ledger);
    numbers::check(&mut ledger);
    identities::check(&mut ledger);
    if desk.foreign {
        support::leave_unjudged(&mut ledger);
    } else {
        titles::check(&mut ledger);
        certainty::check(&mut ledger);
        completed::check(&mut ledger);
        meaning::check(&mut ledger);
        support::check(&mut ledger);
        novel::check(&mut ledger);
        // Last, so that a matter of manners hides no matter of fact in its sentence.
        first_mention::check(&mut ledger);
    }
    ledger.close()
}

/// A body against one source, for the tests of the rules.
#[cfg(test)]
pub(crate) fn check_texts(body: &str, source: &str) -> Vec<Finding> {
    let (article, sources) = texts(body, source);
    check(&article, &sources)
}

#[cfg(test)]
fn texts(body: &str, source: &str) -> (ArticleResponse, [Source; 1]) {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: body.to_owned(),
        description: String::new(),
    };
    (article, [Source { name: "source.txt".to_owned(), text: source.to_owned() }])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::newsroom::{SpanKind, Standing};

    /// The findings of the rules that only those ask who want every doubt.
    pub(in crate::proof) fn notes(body: &str, source: &str) -> Vec<LedgerRow> {
        let (article, sources) = texts(body, source);
        let grave = |row: &LedgerRow| rule(&row.rule).is_none_or(|rule| rule.gravity > Gravity::Note);
        let rows = ledger(&article, &sources, Gravity::Note).rows;
        rows.into_iter().filter(|row| row.is_finding() && !grave(row)).collect()
    }

    /// The rules of all findings.
    pub(in crate::proof) fn rules_of(body: &str, source: &str) -> Vec<String> {
        let (article, sources) = texts(body, source);
        let rows = ledger(&article, &sources, Gravity::Note).rows;
        rows.into_iter().filter(LedgerRow::is_finding).map(|row| row.rule).collect()
    }

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
            assert_eq!(check_texts(text, text), [], "{text}");
        }
    }

    #[test]
    fn figures_dates_names_and_sentences_in_order_have_rows_too() {
        let body = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.";
        assert_eq!(rows(body, SpanKind::Number), [("$1.8 million".to_owned(), Standing::Found)]);
        assert_eq!(rows(body, SpanKind::Date), [("1958".to_owned(), Standing::Found)]);
        assert_eq!(rows(body, SpanKind::Support), [(body.to_owned(), Standing::Found)]);
        assert_eq!(rows("Inez Calloway left.", SpanKind::Name), [("Inez Calloway".to_owned(), Standing::Found)]);
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

    /// Text with everything in it that the rules look for.
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
            let fine = |rule: &str| rule.starts_with("number.withdrawn") || rule.starts_with("quotation.speaker");
            for finding in check_texts(&text, &text) {
                prop_assert!(fine(&finding.rule), "{finding:?}");
            }
        }
    }
}
