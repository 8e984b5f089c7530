//! Under which key a version of a story goes to a target.

use sha2::{Digest as _, Sha256};

use crate::{
    editorial::export::ExportFormat,
    newsroom::{ArticleResponse, StoryKey},
};

/// Hex digits of a key: 128 bits.
const KEY_LENGTH: usize = 32;

/// A version of an article: SHA-256 of its four fields, hex. A fork that is signed with the same text has the same version.
#[must_use]
pub fn version_of(article: &ArticleResponse) -> String {
    let fields = article.fields();
    digest(fields.iter().map(|(_, text)| *text))
}

/// The key of a delivery: the same for the same story, version and target, whoever sends it and from whatever run.
#[must_use]
pub fn idempotency_key(story: &StoryKey, version: &str, target: &str) -> String {
    digest([story.folded().as_str(), version, target].into_iter()).chars().take(KEY_LENGTH).collect()
}

/// The name that a mail has for its receivers (RFC 5322), so that a mail that was sent twice can be told.
#[must_use]
pub fn message_id(key: &str, from: &str) -> String {
    let domain = from.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    format!("<{key}.copydesk@{domain}>")
}

/// The name of the story's file, such as `desk-park.html`.
#[must_use]
pub fn file_name(story: &StoryKey, format: ExportFormat) -> String {
    format!("{}-{}.{}", story.channel, story.slug, format.ending())
}

/// SHA-256 over texts, each with its length before it, so that no two lists of texts are one.
fn digest<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    }
    hex::encode(digest.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{editorial::next_steps::tests::article, newsroom::PathName};

    fn story(slug: &str) -> StoryKey {
        StoryKey::new(PathName::new("desk").unwrap(), PathName::new(slug).unwrap())
    }

    #[test]
    fn a_key_is_of_one_story_one_version_and_one_target() {
        let (version, other) = (version_of(&article("Text.")), version_of(&article("Text!")));
        let key = idempotency_key(&story("park"), &version, "wire");
        assert_eq!(key.len(), KEY_LENGTH);
        assert_eq!(key, idempotency_key(&story("PARK"), &version_of(&article("Text.")), "wire"), "whatever its case");
        for another in [
            idempotency_key(&story("mill"), &version, "wire"),
            idempotency_key(&story("park"), &other, "wire"),
            idempotency_key(&story("park"), &version, "wires"),
        ] {
            assert_ne!(key, another);
        }
        assert_eq!(message_id("ab", "desk@news.example"), "<ab.copydesk@news.example>");
        assert_eq!(file_name(&story("park"), ExportFormat::Ninjs), "desk-park.ninjs.json");
    }
}
