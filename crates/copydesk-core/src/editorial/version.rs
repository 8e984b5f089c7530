//! Which version of an article a text is.

use sha2::{Digest as _, Sha256};

use copydesk_newsroom::ArticleResponse;

/// A version of an article: SHA-256 of its four fields, hex. A fork that is signed with the same text has the same version.
pub fn version_of(article: &ArticleResponse) -> String {
    digest(article.fields().into_iter().map(|(_, text)| text))
}

/// SHA-256 over texts, each with its length before it, so that no two lists of texts are one. Hex.
pub fn digest<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    }
    hex::encode(digest.finalize())
}
