//! What the Publisher notes on an article before it is signed, by rule.

use crate::{
    editorial::publishing::{self, ReadArticle},
    newsroom::{ArticleResponse, PublishingNote, Source},
    proof::{self, Gravity},
    style::Readability,
};

/// Every note on an article.
pub(super) fn prepared(article: &ArticleResponse) -> Vec<PublishingNote> {
    let heads = ArticleResponse { articleBody: String::new(), description: String::new(), ..article.clone() };
    let body = Source { name: "the article".to_owned(), text: article.articleBody.clone() };
    publishing::notes(&ReadArticle {
        article,
        names: &proof::named(&article.articleBody),
        headlines: &proof::ledger(&heads, &[body], Gravity::Concern).rows,
        grade: Readability::of(article).map(|measured| measured.flesch_kincaid_grade),
    })
}
