//! `tokenizer.json`: from a text to the numbers of its word pieces.

use tokenizers::{PostProcessor, Tokenizer, TruncationParams};

use super::{config::Config, files::ModelFolder};
use crate::ports::EmbedError;

pub(super) const FILE: &str = "tokenizer.json";

/// Most bytes of a text that are looked at, for each token that there may be. A word piece of English has five; without a bound, a book
/// would be taken apart to its last word for the sake of its first page.
const BYTES_A_TOKEN: usize = 256;

/// Takes texts apart.
pub(super) struct WordPieces {
    tokenizer: Tokenizer,
    most_bytes: usize,
}

impl WordPieces {
    /// Reads the file. What it says of padding and truncation is overridden: those are left from somebody's training or export.
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
        let marks = tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(false));
        let truncation = TruncationParams { max_length: most_tokens, ..TruncationParams::default() };
        // Without a mark, an empty text would have no token to take the mean of.
        if marks == 0 || marks >= most_tokens || tokenizer.with_truncation(Some(truncation)).is_err() {
            return Err(wrong(format!(
                "it puts {marks} marks around a text; a BERT has [CLS] and [SEP] there, and {most_tokens} tokens of a text with them"
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

    /// The numbers of a text's word pieces with the marks around them, from its beginning.
    pub(super) fn numbers(&self, text: &str) -> Result<Vec<u32>, String> {
        let text = text.get(..text.floor_char_boundary(self.most_bytes)).unwrap_or(text);
        let encoding = self.tokenizer.encode_fast(text, true).map_err(|error| error.to_string())?;
        Ok(encoding.get_ids().to_vec())
    }
}
