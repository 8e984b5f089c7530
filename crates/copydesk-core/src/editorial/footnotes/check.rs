//! Takes out addresses and footnotes that no source, editor or verdict supplied.

use super::{
    allowed::Allowed,
    body::{body, running},
};
use copydesk_newsroom::ArticleResponse;

/// The article without addresses and footnotes that [`Allowed`] does not have, and a line for each that was taken out.
///
/// Taking an address out can bring the two halves of another together, so the check is repeated until it finds
/// nothing.
///
/// # Errors
/// [`Nested`] if that takes more than a few passes: no honest text hides addresses in addresses.
pub fn check(article: &ArticleResponse, allowed: &Allowed) -> Result<(ArticleResponse, Vec<String>), Nested> {
    let mut all = Vec::new();
    let mut article = article.clone();
    for _ in 0..MOST_PASSES {
        let mut stripped = Vec::new();
        article = article.map(|field, text| match field {
            "articleBody" => body(text, allowed, &mut stripped),
            _ => running(text, allowed, &mut stripped),
        });
        if stripped.is_empty() {
            return Ok((article, all));
        }
        all.append(&mut stripped);
    }
    Err(Nested)
}

/// Most passes of the check over a text.
const MOST_PASSES: usize = 12;

/// Addresses hidden in addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it hides addresses in addresses")]
pub struct Nested;
