//! The forward pass: from word pieces to the last layer, and the mean of its rows.
//!
//! Texts of different lengths follow each other, one row for each token and without padding. The products take all rows at once; the
//! attention takes each text by itself.

use super::{
    config::Config,
    kernels::{add, gelu, normalise, softmax},
    matrix::{MatrixShape, Onto, product},
    weights::{Layer, Linear, Weights},
    word_pieces::Pieces,
};

/// Computes each text's last layer, and returns the mean of the rows of its tokens.
///
/// A text must have at least one token and no more than the model has positions, and every word piece must be in the vocabulary.
pub(super) fn forward(weights: &Weights, config: &Config, texts: &[&Pieces]) -> Vec<Vec<f32>> {
    let hidden = config.hidden_size;
    let mut states = embedded(weights, hidden, texts);
    normalise(&mut states, &weights.norm, config.layer_norm_eps);
    let rows = states.len() / hidden;
    let mut room = Room {
        attention: vec![0.0; rows * hidden * 3],
        context: vec![0.0; rows * hidden],
        scores: Vec::new(),
        inner: vec![0.0; rows * config.intermediate_size],
    };
    for layer in &weights.layers {
        pass(layer, config, texts, &mut states, &mut room);
    }
    let mut left = states.as_slice();
    texts
        .iter()
        .map(|text| {
            let (own, others) = left.split_at_checked(text.len() * hidden).unwrap_or_default();
            left = others;
            mean(own, hidden)
        })
        .collect()
}

/// The mean of all rows.
fn mean(states: &[f32], hidden: usize) -> Vec<f32> {
    let mut mean = vec![0.0; hidden];
    for row in states.chunks_exact(hidden) {
        add(&mut mean, row);
    }
    #[expect(clippy::cast_precision_loss, reason = "a text has some thousand tokens at most")]
    let tokens = (states.len() / hidden) as f32;
    for value in &mut mean {
        *value /= tokens;
    }
    mean
}

/// The values between the layers.
struct Room {
    /// One row for each token: its queries, keys and values, each for all heads.
    attention: Vec<f32>,
    /// One row for each token: the attention's output for all heads.
    context: Vec<f32>,
    /// The attention scores of one text's tokens, for one head.
    scores: Vec<f32>,
    inner: Vec<f32>,
}

fn embedded(weights: &Weights, hidden: usize, texts: &[&Pieces]) -> Vec<f32> {
    let mut states = Vec::with_capacity(texts.iter().map(|text| text.len()).sum::<usize>() * hidden);
    for text in texts {
        for (position, (number, segment)) in text.of_segments().enumerate() {
            let start = states.len();
            states.extend_from_slice(row(&weights.words, number as usize, hidden));
            let places = weights.positions.get(segment as usize).map_or(&[][..], Vec::as_slice);
            add(states.get_mut(start..).unwrap_or_default(), row(places, position, hidden));
        }
    }
    states
}

/// A row of a table.
fn row(table: &[f32], number: usize, length: usize) -> &[f32] {
    let start = number.saturating_mul(length);
    table.get(start..start.saturating_add(length)).unwrap_or_default()
}

fn pass(layer: &Layer, config: &Config, texts: &[&Pieces], states: &mut [f32], room: &mut Room) {
    linear(&layer.attention, states, &mut room.attention, Onto::Nothing);
    attend(config, texts, room);
    linear(&layer.attention_output, &room.context, states, Onto::Present);
    normalise(states, &layer.attention_norm, config.layer_norm_eps);
    linear(&layer.intermediate, states, &mut room.inner, Onto::Nothing);
    gelu(&mut room.inner);
    linear(&layer.output, &room.inner, states, Onto::Present);
    normalise(states, &layer.output_norm, config.layer_norm_eps);
}

/// `out = input · weight + bias`, or `out +=` the same. The numbers of rows and inputs follow from the layer's sizes.
fn linear(layer: &Linear, input: &[f32], out: &mut [f32], onto: Onto) {
    let outputs = layer.bias.len();
    let inputs = layer.weight.len() / outputs;
    let rows = out.len() / outputs;
    for row in out.chunks_exact_mut(outputs) {
        match onto {
            Onto::Nothing => row.copy_from_slice(&layer.bias),
            Onto::Present => add(row, &layer.bias),
        }
    }
    product(
        (out, MatrixShape::rows(rows, outputs, outputs)),
        Onto::Present,
        (input, MatrixShape::rows(rows, inputs, inputs)),
        (&layer.weight, MatrixShape::rows(inputs, outputs, outputs)),
    );
}

/// Attention: each token takes from the tokens of its own text, once for each head.
fn attend(config: &Config, texts: &[&Pieces], room: &mut Room) {
    let hidden = config.hidden_size;
    let size = hidden / config.num_attention_heads;
    #[expect(clippy::cast_precision_loss, reason = "a head has some hundred numbers at most")]
    let scale = 1.0 / (size as f32).sqrt();
    let mut attention = room.attention.as_slice();
    let mut context = room.context.as_mut_slice();
    for text in texts {
        let tokens = text.len();
        let (own, others) = attention.split_at_checked(tokens * hidden * 3).unwrap_or_default();
        let (taken, rest) = std::mem::take(&mut context).split_at_mut_checked(tokens * hidden).unwrap_or_default();
        (attention, context) = (others, rest);
        room.scores.resize(tokens * tokens, 0.0);
        let (each, scores) = (MatrixShape::rows(tokens, size, hidden * 3), MatrixShape::rows(tokens, tokens, tokens));
        for head in 0..config.num_attention_heads {
            let from = |part: usize| own.get(part * hidden + head * size..).unwrap_or_default();
            let (queries, keys, values) = (from(0), from(1), from(2));
            product((&mut room.scores, scores), Onto::Nothing, (queries, each), (keys, each.transposed()));
            softmax(&mut room.scores, tokens, scale);
            let place = taken.get_mut(head * size..).unwrap_or_default();
            product(
                (place, MatrixShape::rows(tokens, size, hidden)),
                Onto::Nothing,
                (&room.scores, scores),
                (values, each),
            );
        }
    }
}
