//! The run's name and its folder (docs/reference/contract.md).

use sha2::{Digest, Sha256};

use copydesk_newsroom::{StoryKey, Topic};

/// `<YYYYMMDDTHHMMSSZ>_<8 hex of sha256(source_file + topic_slug + style_mode + target_length_words)>`.
///
/// `stamp` is the UTC time in that form. Two runs of one topic within a second would share a name: the caller moves
/// the stamp on until the name is free.
pub fn run_id(stamp: &str, topic: &Topic) -> String {
    let mut hash = Sha256::new();
    hash.update(&topic.source_metadata.source_file);
    hash.update(topic.source_metadata.topic_slug.as_str());
    hash.update(&topic.style_mode);
    hash.update(&topic.target_length_words);
    let hex: String = hex::encode(hash.finalize()).chars().take(8).collect();
    format!("{stamp}_{hex}")
}

/// `<run_artifacts_dir>/<channel>/<topic_slug>/<run_id>` with forward slashes and without a leading `./`.
pub fn artifacts_dir(run_artifacts_dir: &str, story: &StoryKey, run_id: &str) -> String {
    let root = run_artifacts_dir.replace('\\', "/");
    let root = root.strip_prefix("./").unwrap_or(&root).trim_end_matches('/');
    format!("{root}/{}/{}/{run_id}", story.channel, story.slug)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;

    #[test]
    fn the_name_is_the_digest_of_the_four_fields() {
        // printf 'park.jsonparkSCIAM_MAGAZINE250-400' | sha256sum
        let topic = opening().topic;
        assert_eq!(run_id("20261006T120000Z", &topic), "20261006T120000Z_9f60c6eb");
        assert_eq!(artifacts_dir("./data/runs/", &topic.story(), "R"), "data/runs/desk/park/R");
    }
}
