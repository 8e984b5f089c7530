//! Models of BERT's kind (Devlin et al. 2018), computed in process from a folder of files as Hugging Face lays them out: `config.json`,
//! `tokenizer.json`, `model.safetensors`. They turn texts into vectors. No server sees the texts.
//!
//! If a file asks for something that this code does not compute, the model is refused and the message names the file. A
//! wrong number would look like a right one.

mod config;
mod files;
mod forward;
mod kernels;
mod matrix;
mod minilm;
mod model;
mod weights;
mod word_pieces;

pub use minilm::Minilm;
