//! The ledger: what a program can prove about a draft, held against its sources.
//!
//! Each rule is one file that begins with why. The rules run from the strongest to the weakest, quotations, figures,
//! names, certainty, support, and a stretch of the draft that one has reported is not reported by a later one. They look
//! things up; they never guess at meaning, and where a source leaves a thing open, so do they: a finding that a journalist
//! must wave away costs more than one that a human reviewer adds. Nothing here reads a file, a clock or a network.

mod archive;
mod calendar;
mod desk;
mod figures;
mod marks;
mod people;
mod quotations;
mod reading;
mod speakers;
mod stream;
mod thesaurus;
mod voices;

use crate::newsroom::{ArticleResponse, Finding, Source};

use desk::{Desk, Ledger};

/// Every span of `article` that `sources` do not carry as it stands, in the order of the draft: headline, alternative
/// headline, description, body. Spans are byte offsets into the field that the finding names.
///
/// Near-linear in the length of the sources; never panics, whatever the texts.
#[must_use]
pub fn check(article: &ArticleResponse, sources: &[Source]) -> Vec<Finding> {
    let desk = Desk::new(article, sources);
    let mut ledger = Ledger::new(&desk);
    quotations::check(&mut ledger);
    ledger.close()
}

/// A body against one source, for the tests of the rules.
#[cfg(test)]
pub(crate) fn check_texts(body: &str, source: &str) -> Vec<Finding> {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: body.to_owned(),
        description: String::new(),
    };
    check(&article, &[Source { name: "source.txt".to_owned(), text: source.to_owned() }])
}
