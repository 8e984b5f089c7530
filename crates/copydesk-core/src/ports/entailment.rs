//! Weighs whether one text carries another, by a model for natural-language inference.

use async_trait::async_trait;

use copydesk_newsroom::{Doubt, Opinion, Opinions, Thought};

#[async_trait]
pub trait Entailment: Send + Sync {
    /// Weighs whether each first text carries its second. Without pairs, nothing is computed.
    ///
    /// Dropping the future cancels the work.
    ///
    /// # Errors
    /// [`EntailmentError`]; then no pair is weighed.
    async fn weigh(&self, pairs: Vec<(String, String)>) -> Result<Weighings, EntailmentError>;
}

/// A model's weighings of some pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighings {
    /// The model's name. It contains no path.
    pub by: String,
    /// One for each pair, in the same order; none for a second text that leaves the first no room. If both are too long together, the end of
    /// the first is left out.
    pub each: Vec<Option<Weighing>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weighing {
    pub thought: Thought,
    /// The share that the model gives to it, in per cent.
    pub percent: u8,
}

/// The model's opinions on some sentences. It reads the passages of each together, because a sentence may be made of several.
pub async fn opinions(entailment: &dyn Entailment, doubts: &[Doubt]) -> Opinions {
    if doubts.is_empty() {
        return Opinions::default();
    }
    let premise = |doubt: &Doubt| doubt.passages.iter().map(|span| &*span.text).collect::<Vec<_>>().join(" ");
    let pairs = doubts.iter().map(|doubt| (premise(doubt), doubt.text.clone())).collect();
    let Weighings { by, each } = match entailment.weigh(pairs).await {
        Ok(weighings) => weighings,
        Err(error) => return Opinions { problem: Some(error.to_string()), ..Opinions::default() },
    };
    let given = doubts.iter().zip(each).filter_map(|(doubt, weighing)| {
        let Weighing { thought, percent } = weighing?;
        Some(Opinion::of(doubt, thought, Some(percent)))
    });
    Opinions { by, given: given.collect(), problem: None }
}

/// Why nothing was weighed. Each message says what a person can do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntailmentError {
    /// A file of the model's folder is missing or wrong.
    #[error("the entailment model's file {file}: {problem}; proof.entailment.model_dir names the folder")]
    Folder {
        file: String,
        /// The fault of the file, and the right form.
        problem: String,
    },
    /// This build cannot compute with a model itself.
    #[error(
        "proof.entailment.model_dir names a folder, but this build of copydesk cannot use it: use a released binary, or build with \
         `--features embedding`"
    )]
    NotBuiltIn,
    /// The work ended early, because of a fault of this program.
    #[error("weighing with {from} failed ({detail}); please report this")]
    BrokeOff { from: String, detail: String },
}
