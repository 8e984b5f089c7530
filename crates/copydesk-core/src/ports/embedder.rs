//! Turns texts into vectors that are close to each other if the texts have similar meanings.

use std::time::Duration;

use async_trait::async_trait;

use super::CallError;

#[async_trait]
pub trait Embedder: Send + Sync {
    /// Everything that the vectors depend on: the kind of provider and the model; for a folder, the digests of its files. Vectors of two
    /// identities cannot be compared, so this is part of an index's version. It contains no address and no path.
    fn identity(&self) -> &str;

    /// Whether texts go to another machine.
    fn is_elsewhere(&self) -> bool {
        false
    }

    /// One vector for each text, in the same order. All have the same number of components, in every answer; they are finite and have
    /// Euclidean length 1. Without texts, no request is made. If a text is longer than the model reads, only its beginning counts.
    ///
    /// Dropping the future cancels the work.
    ///
    /// # Errors
    /// [`EmbedError`]; then there is no vector for any of the texts.
    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why there are no vectors. Each message says what a person can do. `from` is the server's host and port, or the model's folder.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EmbedError {
    #[error("the embedder (knowledge_base.embedding): {0}")]
    Call(CallError),
    #[error(
        "{from} gave {got} vectors for {wanted} texts, so they cannot be matched; use another embedding model or server"
    )]
    Count { from: String, got: usize, wanted: usize },
    #[error(
        "{from} gave a vector that cannot be used (text {text} of {texts}): {problem}; load the model again, or use another one"
    )]
    NoDirection {
        from: String,
        /// The text's number in the request, from 1.
        text: usize,
        texts: usize,
        problem: &'static str,
    },
    /// A vector with another number of components than earlier vectors.
    #[error(
        "{from} gave vectors of {was} numbers and now one of {is}: another model is loaded there than before; load the first one again, or run `copydesk kb index`"
    )]
    Dimension { from: String, was: usize, is: usize },
    /// A file of a model's folder is missing or wrong.
    #[error("the embedding model's file {file}: {problem}; knowledge_base.embedding.model_dir names the folder")]
    Folder {
        file: String,
        /// The fault of the file, and the right form.
        problem: String,
    },
    /// This build cannot compute vectors itself.
    #[error(
        "knowledge_base.embedding.model_dir names a folder, but this build of copydesk has no embedding of its own: use a released binary, \
         build with `--features embedding`, or name a server"
    )]
    NotBuiltIn,
    /// The work ended early, because of a fault of this program.
    #[error("embedding with {from} failed ({detail}); please report this")]
    BrokeOff { from: String, detail: String },
}

impl EmbedError {
    /// Whether another attempt may help. It may after connection errors, time-outs, incomplete or unreadable answers, and after 408, 425, 429
    /// and 5xx. It does not if the same texts would fail again.
    pub fn may_retry(&self) -> bool {
        // An answer that is too large would be as large again.
        matches!(self, Self::Call(error) if error.may_retry() && !matches!(error, CallError::AnswerTooLarge { .. }))
    }

    /// Whether one of the texts may be the cause, so that the others can still get vectors. Some servers answer 500 to a text that is too long.
    pub fn may_lie_in_a_text(&self) -> bool {
        match self {
            Self::Call(CallError::Status { status, .. }) => matches!(status, 400 | 413 | 422 | 500),
            Self::Call(CallError::Withheld(withheld)) => !withheld.passes(),
            Self::Call(CallError::AnswerTooLarge { .. } | CallError::Unreadable { .. } | CallError::Closed { .. })
            | Self::Count { .. }
            | Self::NoDirection { .. }
            | Self::Dimension { .. }
            | Self::BrokeOff { .. } => true,
            _ => false,
        }
    }

    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Call(error) => error.retry_after(),
            _ => None,
        }
    }
}

/// Brings a vector to Euclidean length 1.
///
/// # Errors
/// The fault of the vector, if it has no direction: it is empty, holds a value that is no finite number, or zeros alone.
pub fn normalised(mut vector: Vec<f32>) -> Result<Vec<f32>, &'static str> {
    if vector.is_empty() {
        return Err("it is empty");
    }
    if !vector.iter().all(|value| value.is_finite()) {
        return Err("one of its numbers is not finite");
    }
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err("it holds only zeros");
    }
    for value in &mut vector {
        #[expect(clippy::cast_possible_truncation, reason = "a component of a vector of length 1")]
        let scaled = (f64::from(*value) / length) as f32;
        *value = scaled;
    }
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_brought_to_length_one() {
        assert_eq!(normalised(vec![0.0, -4.0]), Ok(vec![0.0, -1.0]));
        // Squares that no f32 holds, either way.
        for size in [1.0, 1e30, 1e-30] {
            let vector = normalised(vec![3.0 * size, -4.0 * size]).unwrap();
            assert!((vector[0] - 0.6).abs() < 1e-7 && (vector[1] + 0.8).abs() < 1e-7, "{vector:?}");
        }
    }

    #[test]
    fn a_vector_without_direction_is_refused() {
        assert_eq!(normalised(vec![]), Err("it is empty"));
        assert_eq!(normalised(vec![0.0, -0.0]), Err("it holds only zeros"));
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(normalised(vec![1.0, value]), Err("one of its numbers is not finite"));
        }
    }

    #[test]
    fn what_the_same_texts_would_meet_again_is_not_tried_again() {
        let refused = |status, retry_after| {
            let (host, message) = ("127.0.0.1:1".into(), "busy".into());
            EmbedError::Call(CallError::Status { host, status, message, retry_after })
        };
        let wait = Some(Duration::from_secs(3));
        assert!([408, 425, 429, 500, 503].into_iter().all(|status| refused(status, None).may_retry()));
        assert!(![400, 401, 404, 413, 422].into_iter().any(|status| refused(status, None).may_retry()));
        assert_eq!(refused(429, wait).retry_after(), wait);
        assert_eq!(
            refused(429, wait).to_string(),
            "the embedder (knowledge_base.embedding): 127.0.0.1:1 answered 429: busy (it asks to wait 3 s)"
        );
        let changed = EmbedError::Dimension { from: "127.0.0.1:1".into(), was: 384, is: 1024 };
        assert!(!changed.may_retry() && changed.retry_after().is_none());
        let cut_off = EmbedError::Call(CallError::CutOff { host: String::new() });
        assert!(cut_off.may_retry());
        // A single text can cause the first statuses; the others are the server's own.
        assert!([400, 413, 422, 500].into_iter().all(|status| refused(status, None).may_lie_in_a_text()));
        assert!(![401, 404, 429, 503].into_iter().any(|status| refused(status, None).may_lie_in_a_text()));
        assert!(changed.may_lie_in_a_text() && !cut_off.may_lie_in_a_text());
    }
}
