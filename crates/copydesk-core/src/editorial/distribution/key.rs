//! Under which key a version of a story goes to a target.

use crate::editorial::{export::ExportFormat, version::digest};
use copydesk_newsroom::{Correction, Disclosure, StoryKey};

/// Hex digits of a key: 128 bits.
const KEY_LENGTH: usize = 32;

/// The version that goes out: the article's own, or if it has corrections or a disclosure, a digest of all of these. So the story goes out
/// again also if only these have changed.
#[must_use]
pub fn sent_version(article: &str, corrections: &[Correction], disclosure: Disclosure) -> String {
    let notes = corrections.iter().map(|correction| correction.note.as_str());
    let corrected = if corrections.is_empty() {
        article.to_owned()
    } else {
        digest([article, "corrected"].into_iter().chain(notes))
    };
    if disclosure.is_none() { corrected } else { digest([&*corrected, "discloses", disclosure.name()].into_iter()) }
}

/// The version of the notice that takes the version of a run back: there is one for each run.
#[must_use]
pub fn notice_version(run: &str) -> String {
    digest(["withdrawn", run].into_iter())
}

/// The key of a delivery: the same for the same story, version and target, whatever the sender and the run.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{testing::article, version::version_of};
    use copydesk_newsroom::PathName;

    fn story(slug: &str) -> StoryKey {
        StoryKey::new(PathName::new("desk").unwrap(), PathName::new(slug).unwrap())
    }

    #[test]
    fn what_readers_are_told_beside_the_text_is_part_of_the_version() {
        let text = version_of(&article("Text."));
        let version = |disclosure| sent_version(&text, &[], disclosure);
        assert_eq!(version(Disclosure::None), text, "as it was before there were disclosures");
        let all = [version(Disclosure::None), version(Disclosure::AiAssisted), version(Disclosure::AiGenerated)];
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2], "{all:?}");
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
