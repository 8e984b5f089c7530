//! Whom a story asked for a reply, and what they said.

use async_trait::async_trait;

use super::StoreError;
use copydesk_newsroom::{StoryKey, StoryReply};

/// The replies of stories. If a method returns, its change is durable.
#[async_trait]
pub trait Replies: Send + Sync {
    /// Everybody whom the story asked, in the order of asking.
    async fn replies(&self, story: &StoryKey) -> Result<Vec<StoryReply>, StoreError>;

    /// Notes that a person was asked, with the event. False if there is no such story.
    async fn ask_reply(&self, story: &StoryKey, reply: StoryReply) -> Result<bool, StoreError>;

    /// Notes a person's answer at the oldest question to them that has no answer, with the event. False if there is no such question.
    async fn answer_reply(
        &self,
        story: &StoryKey,
        name: &str,
        text: &str,
        by: &str,
        at: &str,
    ) -> Result<bool, StoreError>;
}
