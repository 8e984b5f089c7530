//! Natural-language inference in process (Liu et al. 2019): a BERT, `RoBERTa` or `XLM-RoBERTa` reads two texts at once.
//! Its classification head says whether the first carries the second. Such models are published as
//! `…ForSequenceClassification`.

#[cfg(test)]
mod tests;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use async_trait::async_trait;
use tokio::{sync::OnceCell, task::spawn_blocking};

use super::{
    Caller,
    config::{self, BERT, Config},
    files::{ModelFolder, WrongFile},
    forward::{first, linear},
    matrix::Onto,
    model::{Encoder, Opened},
    weights::{Linear, WeightsFile},
    word_pieces::Reads,
};
use copydesk_core::ports::{Entailment, EntailmentError, Weighing, Weighings};
use copydesk_newsroom::Thought;

const KINDS: [&str; 3] = [BERT, "roberta", "xlm-roberta"];
/// Digits of the weights' digest in the model's name.
const DIGITS: usize = 8;

/// The model of a folder. Its files are read when the first pair comes.
pub struct CrossEncoder {
    folder: PathBuf,
    model: OnceCell<Arc<Loaded>>,
}

impl CrossEncoder {
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), model: OnceCell::new() }
    }

    /// The model with its weights. If they cannot be read, the next call tries again.
    async fn model(&self) -> Result<Arc<Loaded>, EntailmentError> {
        let load = || async {
            let folder = self.folder.clone();
            self.blocking(move || Loaded::read(&folder).map(Arc::new)).await
        };
        self.model.get_or_try_init(load).await.cloned()
    }

    /// Runs work off the runtime's threads, which serve stories.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, WrongFile> + Send + 'static,
    ) -> Result<T, EntailmentError> {
        let broke = |detail: String| EntailmentError::BrokeOff { from: self.folder.display().to_string(), detail };
        Ok(spawn_blocking(work).await.map_err(|error| broke(error.to_string()))??)
    }
}

#[async_trait]
impl Entailment for CrossEncoder {
    async fn weigh(&self, pairs: Vec<(String, String)>) -> Result<Weighings, EntailmentError> {
        let model = self.model().await?;
        let caller = Caller::default();
        let gone = Arc::clone(&caller.gone);
        let by = model.name.clone();
        let outputs = self.blocking(move || {
            let outputs = model.outputs(&pairs, &gone)?;
            Ok(outputs.iter().map(|outputs| model.weighing(outputs.as_deref()?)).collect())
        });
        Ok(Weighings { by, each: outputs.await? })
    }
}

/// A model with its weights in memory.
struct Loaded {
    encoder: Encoder,
    head: Head,
    /// The meaning of each output of the head.
    labels: Vec<Thought>,
    name: String,
}

/// The classification head: a layer, tanh, a layer with an output for each label.
struct Head {
    dense: Linear,
    output: Linear,
}

impl Head {
    fn read(file: &WeightsFile<'_>, config: &Config, labels: usize) -> Result<Self, WrongFile> {
        // A BERT counts the first of the two layers to its encoder.
        let (dense, output) = match config.model_type.as_str() {
            BERT => ("pooler.dense", "classifier"),
            _ => ("classifier.dense", "classifier.out_proj"),
        };
        let hidden = config.hidden_size;
        Ok(Self {
            dense: file.linear(&[dense.to_owned()], hidden, hidden)?,
            output: file.linear(&[output.to_owned()], labels, hidden)?,
        })
    }

    fn outputs(&self, state: &[f32]) -> Vec<f32> {
        let (mut inner, mut outputs) = (vec![0.0; self.dense.bias.len()], vec![0.0; self.output.bias.len()]);
        linear(&self.dense, state, &mut inner, Onto::Nothing);
        for value in &mut inner {
            *value = value.tanh();
        }
        linear(&self.output, &inner, &mut outputs, Onto::Nothing);
        outputs
    }
}

impl Loaded {
    fn read(path: &Path) -> Result<Self, WrongFile> {
        let opened = Arc::new(Opened::read(path, &KINDS, Reads::Pair)?);
        let labels = labels_of(&opened.folder, &opened.config)?;
        let config = Arc::clone(&opened);
        let (encoder, head) = Encoder::load(opened, |file| Head::read(file, &config.config, labels.len()))?;
        let folder = path.file_name().map_or_else(|| "model".into(), |name| name.to_string_lossy());
        let name = format!("{folder}, weights {}", encoder.opened.digest(DIGITS));
        Ok(Self { encoder, head, labels, name })
    }

    /// The outputs of the head for each pair; none for one that the model cannot read.
    fn outputs(
        &self,
        pairs: &[(String, String)],
        caller_gone: &AtomicBool,
    ) -> Result<Vec<Option<Vec<f32>>>, WrongFile> {
        let states =
            self.encoder.encode(pairs, |pieces, (premise, said)| pieces.pair(premise, said), first, caller_gone)?;
        Ok(states.into_iter().map(|state| Some(self.head.outputs(&state?))).collect())
    }

    /// The likeliest label, with its share of all (softmax).
    fn weighing(&self, outputs: &[f32]) -> Option<Weighing> {
        let (output, thought) = outputs.iter().zip(&self.labels).max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let all: f32 = outputs.iter().map(|other| (other - output).exp()).sum();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number from 0 to 100")]
        let percent = (100.0 / all).round().clamp(0.0, 100.0) as u8;
        Some(Weighing { thought: *thought, percent })
    }
}

/// The meaning of each output of the head, by the names in `config.json`.
fn labels_of(folder: &ModelFolder, config: &Config) -> Result<Vec<Thought>, WrongFile> {
    let wrong = |problem: String| {
        let wanted = "a cross-encoder for natural-language inference names its labels entailment, neutral and contradiction, or \
                      entailment and not_entailment; if this one means these, write them there";
        folder.wrong(config::FILE, format!("{problem}; {wanted}"))
    };
    let named = &config.id2label;
    if !(named.len() == 2 || named.len() == 3) || !named.keys().copied().eq(0..named.len()) {
        return Err(wrong(format!("id2label has {} labels", named.len())));
    }
    let labels = named.values().map(|name| {
        thought_of(name)
            .ok_or_else(|| wrong(format!("id2label has a label {name:?}, which this program does not know")))
    });
    let labels = labels.collect::<Result<Vec<_>, _>>()?;
    let times = |thought| labels.iter().filter(|label| **label == thought).count();
    if [Thought::Carried, Thought::NotCarried, Thought::Contradicts].map(times).iter().any(|times| *times > 1) {
        return Err(wrong("id2label has two labels that mean the same".to_owned()));
    }
    if times(Thought::Carried) == 0 {
        return Err(wrong("id2label has no label entailment".to_owned()));
    }
    Ok(labels)
}

fn thought_of(label: &str) -> Option<Thought> {
    match label.trim().to_lowercase().replace(['-', ' '], "_").as_str() {
        "entailment" | "entails" | "entailed" => Some(Thought::Carried),
        "neutral" | "not_entailment" | "non_entailment" | "no_entailment" => Some(Thought::NotCarried),
        "contradiction" | "contradicts" => Some(Thought::Contradicts),
        _ => None,
    }
}
