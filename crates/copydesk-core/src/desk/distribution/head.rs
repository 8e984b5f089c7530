//! The end of the audit log, kept outside the database: its holder can show that the log was not written anew since.

use std::sync::Arc;

use serde_json::json;

use super::{Distribution, DistributionError};
use crate::{
    editorial::version::digest,
    ports::{Occasion, Parcel, RequestBooks},
};

/// The end of the log, and the result of sending it to a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadSent {
    pub events: u64,
    /// Hex.
    pub head: String,
    /// The article's place there, as the target tells it; none if it went nowhere.
    pub answer: Option<String>,
}

impl Distribution {
    /// The end of the log; to a target, if one is named. Only of a record that is as it was written.
    ///
    /// # Errors
    /// [`DistributionError`] if the record was changed, if there is no such target, or if it did not take it.
    pub async fn head(&self, target: Option<&str>) -> Result<HeadSent, DistributionError> {
        let found = self.untouched().await?;
        let head = self.archive.chain_head().await?;
        let Some(name) = target else { return Ok(HeadSent { events: found.events, head, answer: None }) };
        let target = self.target(name)?;
        let at = self.now();
        let line = format!("{at}: {} events, the last link is {head}", found.events);
        let bytes = json!({"at": at, "events": found.events, "head": head}).to_string().into_bytes();
        let parcel = Parcel {
            key: digest(["head", head.as_str(), name].into_iter()).chars().take(32).collect(),
            story: "audit log".to_owned(),
            file_name: format!("audit-log-{}-{}.json", found.events, head.chars().take(12).collect::<String>()),
            media_type: "application/json",
            bytes,
            subject: format!("Copydesk audit log: {} events", found.events),
            text: format!("{line}\n\nKeep this. `copydesk audit verify` prints the link of the log as it is.\n"),
            replaces: false,
            earlier: Vec::new(),
        };
        let books = RequestBooks { ledger: Arc::clone(&self.ledger), clock: Arc::clone(&self.clock) };
        let occasion = Occasion::of_house(&format!("audit head: {name}"), Some(books));
        let carried = occasion.during(target.carrier.carry(&parcel)).await;
        let answer = carried
            .map_err(|error| DistributionError::NotCarried { target: name.to_owned(), detail: error.to_string() })?;
        Ok(HeadSent { events: found.events, head, answer: Some(answer) })
    }
}
