use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use serde::Deserialize;
use tempfile::TempDir;

use super::*;

/// How far a logit may be from the reference.
const NEAR: f32 = 1e-4;

#[derive(Deserialize)]
struct Reference {
    premise: String,
    hypothesis: String,
    logits: Vec<f32>,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/entailment")
}

fn references(kind: &str) -> Vec<Reference> {
    serde_json::from_slice(&fs::read(fixtures().join(format!("{kind}.json"))).unwrap()).unwrap()
}

fn pairs(references: &[Reference]) -> Vec<(String, String)> {
    references.iter().map(|reference| (reference.premise.clone(), reference.hypothesis.clone())).collect()
}

/// A copy of a model whose file has other words in it.
fn rewritten(kind: &str, file: &str, from: &str, to: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    for file in fs::read_dir(fixtures().join(kind)).unwrap().flatten() {
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let path = folder.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} holds {from}");
    fs::write(path, text.replace(from, to)).unwrap();
    folder
}

async fn refusal(folder: &Path) -> String {
    let refused = CrossEncoder::new(folder).weigh(vec![("a".into(), "b".into())]).await.unwrap_err();
    assert!(matches!(refused, EntailmentError::Folder { .. }), "{refused:?}");
    refused.to_string()
}

#[test]
fn bert_and_roberta_equal_hugging_faces_own_output() {
    for kind in ["bert", "roberta"] {
        let references = references(kind);
        let model = Loaded::read(&fixtures().join(kind)).unwrap();
        let gone = AtomicBool::new(false);
        let outputs = model.outputs(&pairs(&references), &gone).unwrap();
        assert_eq!(outputs.len(), references.len());
        for (reference, outputs) in references.iter().zip(outputs) {
            let outputs = outputs.unwrap();
            assert_eq!(outputs.len(), reference.logits.len());
            let off = reference.logits.iter().zip(&outputs).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < NEAR, "{kind}: {:?} is {off} away: {outputs:?}", reference.hypothesis);
        }
    }
}

#[tokio::test]
async fn the_likeliest_label_is_what_the_model_thinks() {
    let references = references("roberta");
    let weighed = CrossEncoder::new(&fixtures().join("roberta")).weigh(pairs(&references)).await.unwrap();
    assert!(weighed.by.starts_with("roberta, weights ") && weighed.by.len() == 25, "{}", weighed.by);
    // 0.872 of 0.240, 0.872, 0.236; and 1.163 of 1.163, 1.103, -0.091.
    assert_eq!(weighed.each[0], Some(Weighing { thought: Thought::NotCarried, percent: 49 }));
    assert_eq!(weighed.each[3], Some(Weighing { thought: Thought::Contradicts, percent: 45 }));
    let none = CrossEncoder::new(&fixtures().join("bert")).weigh(vec![]).await.unwrap();
    assert_eq!(none.each, []);
}

#[tokio::test]
async fn a_sentence_that_leaves_its_passage_no_room_is_not_weighed() {
    let long = "the council voted on the bridge ".repeat(20);
    let model = CrossEncoder::new(&fixtures().join("bert"));
    let weighed = model.weigh(vec![("The town.".into(), long.clone()), (long, "The town.".into())]).await.unwrap();
    assert!(weighed.each[0].is_none() && weighed.each[1].is_some());
}

#[tokio::test]
async fn xlm_roberta_is_computed_as_roberta() {
    let references = references("roberta");
    let (pair, logits) = (pairs(&references[..1]), &references[0].logits);
    let folder = rewritten("roberta", "config.json", "\"model_type\": \"roberta\"", "\"model_type\": \"xlm-roberta\"");
    let outputs = Loaded::read(folder.path()).unwrap().outputs(&pair, &AtomicBool::new(false)).unwrap();
    assert!((outputs[0].as_ref().unwrap()[0] - logits[0]).abs() < NEAR);
    // Without its number the padding is 1, as in every RoBERTa.
    let folder = rewritten("roberta", "config.json", "\"pad_token_id\": 1,", "");
    let outputs = Loaded::read(folder.path()).unwrap().outputs(&pair, &AtomicBool::new(false)).unwrap();
    assert!((outputs[0].as_ref().unwrap()[0] - logits[0]).abs() < NEAR);
}

#[test]
fn labels_are_known_by_their_names() {
    use Thought::{Carried, Contradicts, NotCarried};
    let of = |labels: &str| {
        let folder = fixtures().join("bert");
        let config = fs::read_to_string(folder.join("config.json")).unwrap();
        let mut config: serde_json::Value = serde_json::from_str(&config).unwrap();
        config["id2label"] = serde_json::from_str(labels).unwrap();
        let folder = ModelFolder::new(&folder);
        let config = Config::read(&folder, config.to_string().as_bytes(), &KINDS).unwrap();
        labels_of(&folder, &config)
    };
    assert_eq!(
        of(r#"{"0": "Entailment", "1": "NEUTRAL", "2": "contradiction"}"#).unwrap(),
        [Carried, NotCarried, Contradicts]
    );
    assert_eq!(of(r#"{"0": "not-entailment", "1": "entailment"}"#).unwrap(), [NotCarried, Carried]);
    assert_eq!(of(r#"{"1": "contradiction", "0": "entailment"}"#).unwrap(), [Carried, Contradicts]);
    for (labels, said) in [
        ("{}", "id2label has 0 labels; a cross-encoder for natural-language inference names its labels entailment,"),
        (r#"{"0": "entailment"}"#, "id2label has 1 labels"),
        (r#"{"0": "entailment", "2": "neutral"}"#, "id2label has 2 labels"),
        (r#"{"0": "LABEL_0", "1": "LABEL_1"}"#, "id2label has a label \"LABEL_0\", which this program does not know"),
        (r#"{"0": "entailment", "1": "ENTAILMENT"}"#, "id2label has two labels that mean the same"),
        (r#"{"0": "neutral", "1": "contradiction"}"#, "id2label has no label entailment"),
    ] {
        let refused = EntailmentError::from(of(labels).unwrap_err()).to_string();
        assert!(refused.contains(said) && refused.contains("config.json"), "{labels}: {refused}");
    }
}

#[tokio::test]
async fn a_folder_that_is_no_such_model_says_what_is_wrong_where_and_what_to_do() {
    let config = |from, to| rewritten("roberta", "config.json", from, to);
    for (folder, said) in [
        (
            config("\"roberta\"", "\"deberta-v2\""),
            "config.json: model_type is \"deberta-v2\", and this program can compute only \"bert\" or \"roberta\" or \"xlm-roberta\"; use another model",
        ),
        (
            config("\"max_position_embeddings\": 98", "\"max_position_embeddings\": 4"),
            "max_position_embeddings (4) leaves no room for a text",
        ),
        (
            config("\"model_type\": \"roberta\"", "\"model_type\": \"bert\""),
            "model.safetensors: pooler.dense.weight is missing; the file is of another kind of model than config.json says",
        ),
        (
            rewritten("bert", "config.json", "\"hidden_size\": 32", "\"hidden_size\": 64"),
            "config.json asks for [2, 64]",
        ),
        (rewritten("bert", "tokenizer.json", "\"post_processor\"", "\"was\""), "tokenizer.json: it"),
    ] {
        let refused = refusal(folder.path()).await;
        assert!(refused.contains(said), "{said}: {refused}");
        assert!(refused.ends_with("proof.entailment.model_dir names the folder"), "{refused}");
    }
    let refused = refusal(Path::new("/nowhere/at all")).await;
    assert!(refused.contains("config.json: there is no such folder"), "{refused}");
    // The embedder's model has the encoder, and no head.
    let minilm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/minilm/model");
    assert!(refusal(&minilm).await.contains("id2label has 0 labels"));
    let folder = TempDir::new().unwrap();
    for file in fs::read_dir(minilm).unwrap().flatten() {
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let path = folder.path().join("config.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, text.replacen('{', r#"{"id2label": {"0": "entailment", "1": "neutral"},"#, 1)).unwrap();
    assert!(refusal(folder.path()).await.contains("model.safetensors: pooler.dense.weight is missing"));
}

#[test]
fn nothing_is_computed_for_a_caller_who_is_gone() {
    let model = Loaded::read(&fixtures().join("bert")).unwrap();
    let gone = AtomicBool::new(false);
    gone.store(true, Ordering::Relaxed);
    assert_eq!(model.outputs(&pairs(&references("bert")[..1]), &gone).unwrap(), [None]);
}

#[tokio::test]
async fn work_that_breaks_off_is_an_error() {
    let broken: Result<(), _> = CrossEncoder::new(Path::new("models")).blocking(|| panic!("beyond its numbers")).await;
    let said = broken.unwrap_err().to_string();
    assert!(said.starts_with("weighing with models failed (") && said.contains("beyond its numbers"), "{said}");
}
