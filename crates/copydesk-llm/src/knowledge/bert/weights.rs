//! `model.safetensors`: the weights of the layers, with the shapes that `config.json` gives.

use safetensors::{Dtype, SafeTensors};

use super::{config::Config, files::ModelFolder};
use copydesk_core::ports::EmbedError;

pub(super) const FILE: &str = "model.safetensors";
const WORDS: &str = "embeddings.word_embeddings.weight";

/// A linear layer: one row of outputs for each input, which the product reads fastest (the file has it the other way round), and a bias
/// for each output.
pub(super) struct Linear {
    pub(super) weight: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// A layer that scales a token's numbers to mean 0 and variance 1, then multiplies and shifts each.
pub(super) struct Norm {
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
}

/// One layer of the encoder.
pub(super) struct Layer {
    /// Queries, keys and values in one layer, in this order.
    pub(super) attention: Linear,
    pub(super) attention_output: Linear,
    pub(super) attention_norm: Norm,
    pub(super) intermediate: Linear,
    pub(super) output: Linear,
    pub(super) output_norm: Norm,
}

/// All weights. Each row of a table is `hidden_size` numbers.
pub(super) struct Weights {
    pub(super) words: Vec<f32>,
    /// For each segment one row for each position in a text, with the row of the segment added.
    pub(super) positions: Vec<Vec<f32>>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
}

impl Weights {
    /// Reads the weights of the encoder.
    pub(super) fn read(reader: &WeightsFile<'_>, config: &Config) -> Result<Self, EmbedError> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let segments = reader.tensor("embeddings.token_type_embeddings.weight", &[config.type_vocab_size, hidden])?;
        let positions =
            reader.tensor("embeddings.position_embeddings.weight", &[config.max_position_embeddings, hidden])?;
        let positions = segments.chunks_exact(hidden).map(|segment| {
            let mut positions = positions.clone();
            for row in positions.chunks_exact_mut(hidden) {
                row.iter_mut().zip(segment).for_each(|(value, segment)| *value += segment);
            }
            positions
        });
        Ok(Self {
            positions: positions.collect(),
            words: reader.tensor(WORDS, &[config.vocab_size, hidden])?,
            norm: reader.norm("embeddings.LayerNorm", hidden)?,
            layers: (0..config.num_hidden_layers)
                .map(|number| reader.layer(number, hidden, inner))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// The file's tensors by their names, without what stands before those of the encoder.
pub(super) struct WeightsFile<'a> {
    folder: &'a ModelFolder,
    tensors: SafeTensors<'a>,
    prefix: &'static str,
}

impl<'a> WeightsFile<'a> {
    pub(super) fn of(folder: &'a ModelFolder, bytes: &'a [u8]) -> Result<Self, EmbedError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| {
            folder.wrong(FILE, format!("it is damaged, or not in the safetensors format ({error})"))
        })?;
        // sentence-transformers saves plain names. A model that was trained with a head has `bert.` before them.
        let prefix = if tensors.tensor(&format!("bert.{WORDS}")).is_ok() { "bert." } else { "" };
        Ok(Self { folder, tensors, prefix })
    }

    fn layer(&self, number: usize, hidden: usize, inner: usize) -> Result<Layer, EmbedError> {
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let attention = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        Ok(Layer {
            attention: self.linear(&attention, hidden, hidden)?,
            attention_output: self.linear(&[name("attention.output.dense")], hidden, hidden)?,
            attention_norm: self.norm(&name("attention.output.LayerNorm"), hidden)?,
            intermediate: self.linear(&[name("intermediate.dense")], inner, hidden)?,
            output: self.linear(&[name("output.dense")], hidden, inner)?,
            output_norm: self.norm(&name("output.LayerNorm"), hidden)?,
        })
    }

    /// Joins the layers of these names into one, with their outputs in sequence.
    fn linear(&self, names: &[String], outputs: usize, inputs: usize) -> Result<Linear, EmbedError> {
        let (mut weight, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            weight.extend(self.tensor(&format!("{name}.weight"), &[outputs, inputs])?);
            bias.extend(self.tensor(&format!("{name}.bias"), &[outputs])?);
        }
        Ok(Linear { weight: transposed(&weight, inputs), bias })
    }

    fn norm(&self, name: &str, size: usize) -> Result<Norm, EmbedError> {
        Ok(Norm {
            scale: self.tensor(&format!("{name}.weight"), &[size])?,
            shift: self.tensor(&format!("{name}.bias"), &[size])?,
        })
    }

    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EmbedError> {
        let wrong = |problem: String| self.folder.wrong(FILE, format!("{name} {problem}"));
        let inside = self.tensors.tensor(&format!("{}{name}", self.prefix));
        let view = inside
            .or_else(|_| self.tensors.tensor(name))
            .map_err(|_| wrong("is missing; the file is of another kind of model than config.json says".to_owned()))?;
        if view.dtype() != Dtype::F32 {
            return Err(wrong(format!("is of {}; save the model in F32", view.dtype())));
        }
        if view.shape() != shape {
            return Err(wrong(format!("has the shape {:?}, and config.json asks for {shape:?}", view.shape())));
        }
        let (numbers, _) = view.data().as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if numbers.iter().all(|number| number.is_finite()) {
            Ok(numbers)
        } else {
            Err(wrong("has a number that is not finite; the file is damaged".to_owned()))
        }
    }
}

/// Exchanges rows and columns; `columns` is the length of a row.
fn transposed(numbers: &[f32], columns: usize) -> Vec<f32> {
    let column = |column: usize| numbers.iter().skip(column).step_by(columns);
    (0..columns).flat_map(column).copied().collect()
}
