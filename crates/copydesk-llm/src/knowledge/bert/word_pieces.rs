//! `tokenizer.json`: turns a text into the numbers of its word pieces.

use tokenizers::{PostProcessor, Tokenizer, TruncationParams};

use super::{config::Config, files::ModelFolder};
use copydesk_core::ports::EmbedError;

pub(super) const FILE: &str = "tokenizer.json";

/// Most bytes of a text that are read for each token that the model takes. An English word piece has five. Without a bound, a whole book
/// would be tokenized for the sake of its first page.
const BYTES_A_TOKEN: usize = 256;

/// A text as the model reads it: the number of each word piece, and of its segment.
pub(super) struct Pieces {
    numbers: Vec<u32>,
    segments: Vec<u32>,
}

impl Pieces {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn of_segments(&self) -> impl Iterator<Item = (u32, u32)> {
        self.numbers.iter().copied().zip(self.segments.iter().copied())
    }
}

/// Splits texts into word pieces.
pub(super) struct WordPieces {
    tokenizer: Tokenizer,
    most_bytes: usize,
}

impl WordPieces {
    /// Reads the file. Its settings for padding and truncation are replaced: they are left from a training or an export.
    pub(super) fn read(
        folder: &ModelFolder,
        bytes: &[u8],
        config: &Config,
        most_tokens: usize,
    ) -> Result<Self, EmbedError> {
        let wrong = |problem: String| folder.wrong(FILE, problem);
        let mut tokenizer = Tokenizer::from_bytes(bytes)
            .map_err(|error| wrong(format!("it is not what the tokenizers library writes ({error})")))?;
        tokenizer.with_padding(None);
        let marks = tokenizer.get_post_processor();
        let marks = marks.map_or(0, |processor| processor.added_tokens(false));
        let truncation = TruncationParams { max_length: most_tokens, ..TruncationParams::default() };
        // Without a mark, an empty text would have no token, and so no mean.
        if marks == 0 || marks >= most_tokens || tokenizer.with_truncation(Some(truncation)).is_err() {
            return Err(wrong(format!(
                "it puts {marks} marks around a text; such a model has [CLS] and [SEP] there, and reads {most_tokens} tokens with \
                 them"
            )));
        }
        let largest = tokenizer.get_vocab(true).into_values().max().unwrap_or(0);
        if largest as usize >= config.vocab_size {
            return Err(wrong(format!(
                "it has a word piece number {largest}, and the model knows {} (vocab_size in config.json); the two files are of \
                 different models",
                config.vocab_size
            )));
        }
        Ok(Self { tokenizer, most_bytes: most_tokens.saturating_mul(BYTES_A_TOKEN) })
    }

    /// The word pieces at a text's beginning, with the marks around them.
    pub(super) fn text(&self, text: &str) -> tokenizers::Result<Pieces> {
        let start = text.get(..text.floor_char_boundary(self.most_bytes)).unwrap_or(text);
        let encoding = self.tokenizer.encode_fast(start, true)?;
        Ok(Pieces { numbers: encoding.get_ids().to_vec(), segments: encoding.get_type_ids().to_vec() })
    }
}
