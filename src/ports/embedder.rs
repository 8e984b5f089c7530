//! Turning texts into vectors that lie near each other where the texts mean alike.

use std::time::Duration;

use async_trait::async_trait;

/// Turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// What the vectors depend on: the kind of provider and the model; for a folder the digests of its files. Vectors of two
    /// identities cannot be compared, so that this is part of an index's version. Neither an address nor a path is in it.
    fn identity(&self) -> &str;

    /// One vector a text, in the texts' order; all of one length, that of every earlier answer too; finite, and of Euclidean
    /// length 1. No text, no vector, and nobody is asked. A text longer than the model reads is read from its beginning.
    ///
    /// Dropping the future gives the work up.
    ///
    /// # Errors
    /// [`EmbedError`]; then there is no vector for any of the texts.
    async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why there are no vectors. The message of each says what a person can do about it. `from` is the server's host and port, or the
/// model's folder.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EmbedError {
    /// The host is not allowed.
    #[error("{host} is not this machine and privacy.local_only is true; {setting} names it")]
    NotLocal { host: String, setting: String },
    /// Nobody listens.
    #[error("no connection to the embedder at {host}: {detail}; is the model server running there?")]
    Unreachable { host: String, detail: String },
    /// No whole answer in time.
    #[error(
        "the embedder at {host} gave no whole answer within {seconds} s; is it busy? knowledge_base.embedding.timeout_seconds is the limit"
    )]
    TimedOut { host: String, seconds: f64 },
    /// An answer that is an error.
    #[error("the embedder at {host} answered {status}: {message}{}", .retry_after.map_or_else(String::new, |wait| format!(" (it asks to wait {} s)", wait.as_secs())))]
    Refused {
        host: String,
        status: u16,
        /// What the server said, shortened and without secrets.
        message: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// The connection ended before the answer.
    #[error("the embedder at {host} broke off in the middle of its answer; its own log may say why")]
    CutOff { host: String },
    /// More than is read.
    #[error(
        "the answer of the embedder at {host} is larger than {limit_mb} MB and was not read to its end; is this an embedding model?"
    )]
    TooLarge { host: String, limit_mb: usize },
    /// Not an answer of an embedder.
    #[error("{host} did not answer as an OpenAI-compatible embedder does: {detail}")]
    Unreadable { host: String, detail: String },
    /// Another number of vectors than of texts.
    #[error(
        "{from} gave {got} vectors for {wanted} texts, so nobody knows which belongs to which; use another embedding model or server"
    )]
    Count { from: String, got: usize, wanted: usize },
    /// A vector that has no direction.
    #[error(
        "{from} gave a vector that cannot be used (text {text} of {texts}): {problem}; load the model again, or use another one"
    )]
    NoDirection {
        from: String,
        /// The text's number among those that were asked for, from 1.
        text: usize,
        texts: usize,
        problem: &'static str,
    },
    /// A vector of another length than the vectors before.
    #[error(
        "{from} gave vectors of {was} numbers and now one of {is}: another model is loaded there than before; load the first again, or index anew"
    )]
    Dimension { from: String, was: usize, is: usize },
    /// A file of a model's folder is not there, or not what it should be.
    #[error("the embedding model's file {file}: {problem}; knowledge_base.embedding.model_dir names the folder")]
    Folder {
        file: String,
        /// What is wrong, and what belongs there.
        problem: String,
    },
    /// This build leaves embedding in process out.
    #[error(
        "knowledge_base.embedding.model_dir names a folder, but this build of copydesk has no embedding of its own: use a released binary, \
         build with `--features embedding`, or name a server"
    )]
    NotBuiltIn,
    /// The work ended before it was done: a fault of this program.
    #[error("embedding with {from} broke off ({detail}); please report this")]
    BrokeOff { from: String, detail: String },
}

impl EmbedError {
    /// Whether another attempt may help: connections, time-outs, answers that broke off or make no sense, 408, 425, 429, 5xx. What the
    /// same texts would meet again stays what it is.
    #[must_use]
    pub fn may_retry(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 408 | 425 | 429 | 500..=599),
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::CutOff { .. } | Self::Unreadable { .. } => true,
            Self::NotLocal { .. }
            | Self::TooLarge { .. }
            | Self::Count { .. }
            | Self::NoDirection { .. }
            | Self::Dimension { .. }
            | Self::Folder { .. }
            | Self::NotBuiltIn
            | Self::BrokeOff { .. } => false,
        }
    }

    /// Whether it can lie in one of the texts, so that the others may have vectors all the same. Some servers answer 500 to a text that is
    /// too long for them.
    #[must_use]
    pub fn may_lie_in_a_text(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 400 | 413 | 422 | 500),
            Self::TooLarge { .. }
            | Self::Unreadable { .. }
            | Self::Count { .. }
            | Self::NoDirection { .. }
            | Self::Dimension { .. }
            | Self::BrokeOff { .. } => true,
            Self::NotLocal { .. }
            | Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::CutOff { .. }
            | Self::NotBuiltIn
            | Self::Folder { .. } => false,
        }
    }

    /// How long the server asks to wait, if it does.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Brings a vector to Euclidean length 1.
///
/// # Errors
/// What is wrong with it, if it has no direction: it is empty, holds a value that is no finite number, or zeros alone.
pub fn normalised(mut vector: Vec<f32>) -> Result<Vec<f32>, &'static str> {
    if vector.is_empty() {
        return Err("it is empty");
    }
    if !vector.iter().all(|value| value.is_finite()) {
        return Err("it holds a value that is no finite number");
    }
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err("it holds zeros alone");
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
        assert_eq!(normalised(vec![0.0, -0.0]), Err("it holds zeros alone"));
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(normalised(vec![1.0, value]), Err("it holds a value that is no finite number"));
        }
    }

    #[test]
    fn what_the_same_texts_would_meet_again_is_not_tried_again() {
        let refused = |status, retry_after| EmbedError::Refused {
            host: "127.0.0.1:1".into(),
            status,
            message: "busy".into(),
            retry_after,
        };
        let wait = Some(Duration::from_secs(3));
        assert!([408, 425, 429, 500, 503].into_iter().all(|status| refused(status, None).may_retry()));
        assert!(![400, 401, 404, 413, 422].into_iter().any(|status| refused(status, None).may_retry()));
        assert_eq!(refused(429, wait).retry_after(), wait);
        assert_eq!(
            refused(429, wait).to_string(),
            "the embedder at 127.0.0.1:1 answered 429: busy (it asks to wait 3 s)"
        );
        let changed = EmbedError::Dimension { from: "127.0.0.1:1".into(), was: 384, is: 1024 };
        assert!(!changed.may_retry() && changed.retry_after().is_none());
        assert!(EmbedError::CutOff { host: String::new() }.may_retry());
        // What one text can bring about, and what is the server's own.
        assert!([400, 413, 422, 500].into_iter().all(|status| refused(status, None).may_lie_in_a_text()));
        assert!(![401, 404, 429, 503].into_iter().any(|status| refused(status, None).may_lie_in_a_text()));
        assert!(changed.may_lie_in_a_text() && !EmbedError::CutOff { host: String::new() }.may_lie_in_a_text());
    }
}
