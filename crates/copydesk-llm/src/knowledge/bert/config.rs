//! `config.json`: the sizes and functions that decide how the model computes.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::files::ModelFolder;
use copydesk_core::ports::EmbedError;

pub(super) const FILE: &str = "config.json";
const LIMITS: &str = "sentence_bert_config.json";
const POOLING: &str = "1_Pooling/config.json";
const MEAN: &str = "pooling_mode_mean_tokens";
/// Most tokens if no file gives a number, as in BERT.
const USUAL_TOKENS: usize = 512;
/// The marks around a text, and a token.
const FEWEST_TOKENS: usize = 3;

/// The sizes of a BERT. Other keys of the file concern only training.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Config {
    pub(super) model_type: String,
    hidden_act: String,
    position_embedding_type: Option<String>,
    pub(super) vocab_size: usize,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) intermediate_size: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) type_vocab_size: usize,
    pub(super) layer_norm_eps: f32,
}

/// `sentence_bert_config.json`.
#[derive(Deserialize)]
struct Limits {
    max_seq_length: Option<usize>,
}

impl Config {
    pub(super) fn read(folder: &ModelFolder, bytes: &[u8]) -> Result<Self, EmbedError> {
        let config: Self = parse(folder, FILE, bytes)?;
        let wrong = |problem: String| Err(folder.wrong(FILE, problem));
        for (key, value, known) in [
            ("model_type", config.model_type.as_str(), "bert"),
            ("hidden_act", config.hidden_act.as_str(), "gelu"),
            ("position_embedding_type", config.position_embedding_type.as_deref().unwrap_or("absolute"), "absolute"),
        ] {
            if value != known {
                return wrong(format!(
                    "{key} is {value:?}, and this program can compute only {known:?}; use another model, or a server"
                ));
            }
        }
        for (key, value, most) in [
            ("vocab_size", config.vocab_size, 1_000_000),
            ("hidden_size", config.hidden_size, 4096),
            ("num_hidden_layers", config.num_hidden_layers, 64),
            ("num_attention_heads", config.num_attention_heads, 64),
            ("intermediate_size", config.intermediate_size, 16_384),
            ("max_position_embeddings", config.max_position_embeddings, 8192),
            ("type_vocab_size", config.type_vocab_size, 16),
        ] {
            if !(1..=most).contains(&value) {
                return wrong(format!("{key} is {value}; a number from 1 to {most} belongs there"));
            }
        }
        let (hidden, heads) = (config.hidden_size, config.num_attention_heads);
        if !hidden.is_multiple_of(heads) {
            return wrong(format!("hidden_size ({hidden}) is not a multiple of num_attention_heads ({heads})"));
        }
        if !(config.layer_norm_eps > 0.0 && config.layer_norm_eps < 0.1) {
            return wrong(format!(
                "layer_norm_eps is {}; a small number above 0, such as 1e-12, belongs there",
                config.layer_norm_eps
            ));
        }
        if config.max_position_embeddings < FEWEST_TOKENS {
            return wrong(format!(
                "max_position_embeddings ({}) leaves no room for a text",
                config.max_position_embeddings
            ));
        }
        Ok(config)
    }

    /// Most tokens of a text, with the marks around it: the folder's number, or else as many as the model has positions, but no more than a
    /// BERT usually has.
    pub(super) fn most_tokens(&self, folder: &ModelFolder) -> Result<usize, EmbedError> {
        let places = self.max_position_embeddings;
        let limits: Option<Limits> = folder.optional(LIMITS)?.map(|bytes| parse(folder, LIMITS, &bytes)).transpose()?;
        let most = limits.and_then(|limits| limits.max_seq_length);
        let (file, key, tokens) = match most {
            Some(tokens) => (LIMITS, "max_seq_length", tokens),
            None => (FILE, "max_position_embeddings", places.min(USUAL_TOKENS)),
        };
        if (FEWEST_TOKENS..=places).contains(&tokens) {
            return Ok(tokens);
        }
        Err(folder.wrong(
            file,
            format!("{key} is {tokens}; a number from {FEWEST_TOKENS} to {} belongs there", places.max(FEWEST_TOKENS)),
        ))
    }

    /// Refuses a folder whose vectors are not the mean of the tokens. A folder that does not say counts as mean.
    pub(super) fn check_pooling(folder: &ModelFolder) -> Result<(), EmbedError> {
        let Some(bytes) = folder.optional(POOLING)? else { return Ok(()) };
        let pooling: Map<String, Value> = parse(folder, POOLING, &bytes)?;
        // The file has one key for each way of pooling, true or false.
        let chosen = pooling.iter().filter(|(_, value)| **value == Value::Bool(true)).map(|(key, _)| key.as_str());
        let ways = chosen.filter(|key| key.starts_with("pooling_mode_"));
        if ways.eq([MEAN]) {
            return Ok(());
        }
        Err(folder.wrong(
            POOLING,
            "the model's vectors are not the mean of its tokens (pooling_mode_mean_tokens), which is all that this program computes; use \
             another model, or a server",
        ))
    }
}

fn parse<T: for<'a> Deserialize<'a>>(folder: &ModelFolder, file: &str, bytes: &[u8]) -> Result<T, EmbedError> {
    serde_json::from_slice(bytes)
        .map_err(|error| folder.wrong(file, format!("it is not what a model of this kind has there ({error})")))
}
