use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use tempfile::TempDir;

use super::*;

/// How far a component may be from the reference, whose last digit is the seventh.
const NEAR: f32 = 1e-6;

#[derive(Deserialize)]
struct Reference {
    text: String,
    vector: Vec<f32>,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/minilm")
}

fn references(file: &str) -> Vec<Reference> {
    serde_json::from_slice(&fs::read(fixtures().join(file)).unwrap()).unwrap()
}

/// A copy of the tiny model, to be spoilt.
fn copied() -> TempDir {
    let folder = TempDir::new().unwrap();
    for file in fs::read_dir(fixtures().join("model")).unwrap().flatten() {
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    folder
}

fn rewritten(file: &str, from: &str, to: &str) -> TempDir {
    let folder = copied();
    let path = folder.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} holds {from}");
    fs::write(path, text.replace(from, to)).unwrap();
    folder
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The refusal of a folder, when it is opened or at the first text.
async fn refusal(folder: &Path) -> String {
    let refused = match Minilm::open(folder).await {
        Ok(embedder) => embedder.embed(texts(&["The council voted."])).await.unwrap_err(),
        Err(refused) => refused,
    };
    assert!(matches!(refused, EmbedError::Folder { .. }) && !refused.may_retry(), "{refused:?}");
    let said = refused.to_string();
    assert!(said.contains("knowledge_base.embedding.model_dir"), "{said}");
    said.replace(&format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR), "")
}

async fn equals_its_references(folder: &Path, file: &str) {
    let references = references(file);
    let embedder = Minilm::open(folder).await.unwrap();
    let all: Vec<String> = references.iter().map(|reference| reference.text.clone()).collect();
    let vectors = embedder.embed(all).await.unwrap();
    assert_eq!(vectors.len(), references.len());
    for (reference, vector) in references.iter().zip(&vectors) {
        assert_eq!(reference.vector.len(), vector.len());
        let off = reference.vector.iter().zip(vector).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < NEAR, "{:?} is {off} away", reference.text);
        // A text alone gets the same vector as among others.
        let alone = embedder.embed(vec![reference.text.clone()]).await.unwrap();
        let off = alone[0].iter().zip(vector).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < NEAR, "{:?} alone is {off} away", reference.text);
    }
}

#[tokio::test]
async fn the_tiny_model_equals_its_references() {
    equals_its_references(&fixtures().join("model"), "tiny.json").await;
}

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the real weights are too large for the repository; what the test did must be told where they are not at hand"
)]
async fn all_minilm_l6_v2_equals_its_references() {
    match std::env::var_os("COPYDESK_MINILM") {
        Some(folder) => equals_its_references(Path::new(&folder), "real.json").await,
        None => eprintln!("not run: COPYDESK_MINILM names no folder with the weights of all-MiniLM-L6-v2"),
    }
}

#[tokio::test]
async fn many_texts_keep_their_order_and_are_of_length_one() {
    let embedder = Minilm::open(&fixtures().join("model")).await.unwrap();
    let sentences = ["The mayor voted.", "A new bridge", "people of the town read the report by monday and tuesday"];
    let each = embedder.embed(texts(&sentences)).await.unwrap();
    let many: Vec<String> = sentences.iter().cycle().take(100).map(|text| (*text).to_owned()).collect();
    let vectors = embedder.embed(many).await.unwrap();
    assert_eq!(vectors.len(), 100);
    for (vector, alone) in vectors.iter().zip(each.iter().cycle()) {
        assert!(vector.iter().zip(alone).all(|(a, b)| (a - b).abs() < NEAR));
        let length: f64 = vector.iter().map(|value| f64::from(*value).powi(2)).sum();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
    }
    assert_eq!(embedder.embed(vec![]).await, Ok(vec![]));
}

#[tokio::test]
async fn a_long_text_is_read_from_its_beginning() {
    let embedder = Minilm::open(&fixtures().join("model")).await.unwrap();
    let start = "the council voted on the bridge ".repeat(20);
    // A megabyte after it, cut within a character of more than one byte.
    let vectors = embedder.embed(vec![start.clone(), format!("{start}{}", "é".repeat(500_000))]).await.unwrap();
    assert_eq!(vectors[0], vectors[1]);
}

#[tokio::test]
async fn the_identity_names_what_the_vectors_depend_on_and_no_folder() {
    let identity = async |folder: &Path| Minilm::open(folder).await.unwrap().identity().to_owned();
    let own = identity(&fixtures().join("model")).await;
    let digest = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(
        fs::read(fixtures().join("model/model.safetensors")).unwrap(),
    ));
    let start = format!("folder bert 2x32 48 tokens, weights {}, words ", &digest[..16]);
    assert!(own.starts_with(&start) && own.len() == start.len() + 16, "{own}");
    assert_eq!(identity(copied().path()).await, own, "wherever it lies");
    for (file, from, to) in [
        ("sentence_bert_config.json", "48", "47"),
        ("config.json", "1e-12", "1e-5"),
        ("tokenizer.json", "\"lowercase\": true", "\"lowercase\": false"),
    ] {
        assert_ne!(identity(rewritten(file, from, to).path()).await, own, "{file}");
    }
}

#[tokio::test]
async fn as_many_tokens_are_read_as_the_folder_says() {
    let most = async |folder: &TempDir| {
        let identity = Minilm::open(folder.path()).await.unwrap().identity().to_owned();
        identity.split(' ').nth(3).unwrap().to_owned()
    };
    let folder = copied();
    fs::remove_file(folder.path().join("sentence_bert_config.json")).unwrap();
    assert_eq!(most(&folder).await, "64", "as many as there are places");
    assert_eq!(most(&rewritten("sentence_bert_config.json", "48", "null")).await, "64");
    for wrong in ["65", "2"] {
        let said = refusal(rewritten("sentence_bert_config.json", "48", wrong).path()).await;
        assert!(
            said.contains(&format!("sentence_bert_config.json: max_seq_length is {wrong}; a number from 3 to 64")),
            "{said}"
        );
    }
}

#[tokio::test]
async fn each_file_that_is_missing_or_cannot_be_read_is_named() {
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let folder = copied();
        fs::remove_file(folder.path().join(file)).unwrap();
        let said = refusal(folder.path()).await;
        assert!(said.contains(&format!("file {file}: it is missing; config.json, tokenizer.json and")), "{said}");
    }
    let said = refusal(Path::new("/nowhere/at all")).await;
    assert!(said.contains("config.json: there is no such folder"), "{said}");
    let folder = copied();
    for (file, size, most) in [("model.safetensors", 3u64 << 30, "2048 MB"), ("config.json", 65 << 20, "64 MB")] {
        // A sparse file.
        fs::File::create(folder.path().join(file)).unwrap().set_len(size).unwrap();
        let said = refusal(folder.path()).await;
        assert!(said.contains(&format!("file {file}: it has {} MB", size >> 20)) && said.contains(most), "{said}");
    }
    fs::remove_file(folder.path().join("config.json")).unwrap();
    fs::create_dir(folder.path().join("config.json")).unwrap();
    assert!(refusal(folder.path()).await.contains("file config.json: it cannot be read ("));
}

#[tokio::test]
async fn each_model_of_another_kind_is_refused_with_what_it_is() {
    for (from, to, said) in [
        ("\"bert\"", "\"roberta\"", "model_type is \"roberta\", and this program can compute only \"bert\""),
        ("\"gelu\"", "\"gelu_new\"", "hidden_act is \"gelu_new\", and this program can compute only \"gelu\""),
        ("\"absolute\"", "\"relative_key\"", "position_embedding_type is \"relative_key\""),
        (
            "\"num_attention_heads\": 4",
            "\"num_attention_heads\": 5",
            "hidden_size (32) is not a multiple of num_attention_heads (5)",
        ),
        ("\"num_attention_heads\": 4", "\"num_attention_heads\": 0", "num_attention_heads is 0; a number from 1 to 64"),
        ("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 65", "num_hidden_layers is 65; a number from 1 to 64"),
        ("\"hidden_size\": 32", "\"hidden_size\": 8192", "hidden_size is 8192; a number from 1 to 4096"),
        ("\"intermediate_size\": 64", "\"intermediate_size\": 0", "intermediate_size is 0"),
        ("\"max_position_embeddings\": 64", "\"max_position_embeddings\": 100000", "max_position_embeddings is 100000"),
        ("\"type_vocab_size\": 2", "\"type_vocab_size\": 0", "type_vocab_size is 0"),
        ("1e-12", "0", "layer_norm_eps is 0; a small number above 0"),
        ("1e-12", "0.5", "layer_norm_eps is 0.5"),
        ("1e-12", "\"small\"", "it is not what a model of this kind has there (invalid type"),
        ("\"vocab_size\"", "\"words\"", "it is not what a model of this kind has there (missing field `vocab_size`"),
    ] {
        let refused = refusal(rewritten("config.json", from, to).path()).await;
        assert!(refused.contains(&format!("file config.json: {said}")), "{to}: {refused}");
    }
    let words = refusal(rewritten("tokenizer.json", "[", "(").path()).await;
    assert!(words.contains("file tokenizer.json: it is not what the tokenizers library writes"), "{words}");
    let few = refusal(rewritten("config.json", "\"vocab_size\": ", "\"vocab_size\": 1, \"was\": ").path()).await;
    assert!(
        few.contains("file tokenizer.json: it has a word piece number") && few.contains("knows 1 (vocab_size"),
        "{few}"
    );
}

#[tokio::test]
async fn word_pieces_that_cannot_serve_are_refused() {
    let mark = r#"{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, "#;
    let folder = rewritten("tokenizer.json", mark, &mark.repeat(2));
    fs::write(folder.path().join("sentence_bert_config.json"), r#"{"max_seq_length": 3}"#).unwrap();
    let said = refusal(folder.path()).await;
    assert!(
        said.contains("tokenizer.json: it puts 3 marks around a text; such a model has [CLS] and [SEP] there"),
        "{said}"
    );
    let folder = copied();
    let file = folder.path().join("tokenizer.json");
    let mut words: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    words["post_processor"].take();
    fs::write(&file, words.to_string()).unwrap();
    assert!(refusal(folder.path()).await.contains("tokenizer.json: it puts 0 marks around a text"));
    let folder = rewritten("tokenizer.json", r#""unk_token": "[UNK]""#, r#""unk_token": "[NONE]""#);
    let embedder = Minilm::open(folder.path()).await.unwrap();
    let said = embedder.embed(texts(&["A vote", "\u{2603}"])).await.unwrap_err().to_string();
    assert!(
        said.contains("tokenizer.json: a text cannot be split into word pieces (") && said.contains("Missing [UNK]"),
        "{said}"
    );
}

#[tokio::test]
async fn a_model_that_is_not_pooled_by_the_mean_is_refused() {
    let folder = copied();
    fs::create_dir(folder.path().join("1_Pooling")).unwrap();
    let file = folder.path().join("1_Pooling/config.json");
    fs::write(
        &file,
        r#"{"word_embedding_dimension": 32, "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}"#,
    )
    .unwrap();
    assert!(Minilm::open(folder.path()).await.is_ok());
    for other in [
        r#"{"pooling_mode_cls_token": true}"#,
        r#"{"pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true}"#,
        r#"{"pooling_mode_mean_tokens": true, "pooling_mode_mean_sqrt_len_tokens": true}"#,
        r#"{"pooling_mode_mean_tokens": true, "pooling_mode_weightedmean_tokens": true}"#,
        r#"{"pooling_mode_mean_tokens": true, "pooling_mode_lasttoken": true}"#,
    ] {
        fs::write(&file, other).unwrap();
        let said = refusal(folder.path()).await;
        assert!(said.contains("the model's vectors are not the mean of its tokens"), "{other}: {said}");
    }
}

/// The tiny model's weights with their header rewritten, padded to the length that it had.
fn with_header(rewrite: impl Fn(&str) -> String) -> TempDir {
    let folder = copied();
    let path = folder.path().join("model.safetensors");
    let bytes = fs::read(&path).unwrap();
    let length = usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    let (header, numbers) = bytes[8..].split_at(length);
    let before = String::from_utf8(header.to_vec()).unwrap();
    let after = rewrite(&before);
    assert_ne!(before, after);
    let all = [&(after.len() as u64).to_le_bytes(), after.as_bytes(), numbers].concat();
    fs::write(path, all).unwrap();
    folder
}

#[tokio::test]
async fn weights_that_are_not_what_the_configuration_says_are_refused() {
    let query = "encoder.layer.1.attention.self.query.bias";
    let said = refusal(with_header(|header| header.replace(query, "x")).path()).await;
    assert!(said.contains(&format!("file model.safetensors: {query} is missing")), "{said}");
    let said = refusal(with_header(|header| header.replacen("\"F32\"", "\"I32\"", 99)).path()).await;
    assert!(said.contains("embeddings.token_type_embeddings.weight is of I32; save the model in F32"), "{said}");
    let said =
        refusal(rewritten("config.json", "\"intermediate_size\": 64", "\"intermediate_size\": 128").path()).await;
    assert!(
        said.contains("intermediate.dense.weight has the shape [64, 32], and config.json asks for [128, 32]"),
        "{said}"
    );
    let said = refusal(rewritten("config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3").path()).await;
    assert!(said.contains("encoder.layer.2.attention.self.query.weight is missing"), "{said}");
}

#[tokio::test]
async fn damaged_weights_are_refused() {
    let folder = copied();
    let path = folder.path().join("model.safetensors");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 4]).unwrap();
    let said = refusal(folder.path()).await;
    assert!(said.contains("file model.safetensors: it is damaged, or not in the safetensors format"), "{said}");
    fs::write(&path, b"").unwrap();
    assert!(refusal(folder.path()).await.contains("it is damaged"));
    let nan = [&bytes[..bytes.len() - 4], &f32::NAN.to_le_bytes()].concat();
    fs::write(&path, nan).unwrap();
    assert!(refusal(folder.path()).await.contains("has a number that is not finite; the file is damaged"));
}

#[tokio::test]
async fn weights_with_the_name_of_a_head_before_them_are_read() {
    let named = with_header(|header| {
        header.replace("\"embeddings.", "\"bert.embeddings.").replace("\"encoder.", "\"bert.encoder.")
    });
    equals_its_references(named.path(), "tiny.json").await;
}

#[tokio::test]
async fn weights_that_change_between_opening_and_the_first_text_are_refused() {
    let folder = copied();
    let embedder = Minilm::open(folder.path()).await.unwrap();
    let path = folder.path().join("model.safetensors");
    let bytes = fs::read(&path).unwrap();
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    fs::write(&path, changed).unwrap();
    let refused = embedder.embed(texts(&["A vote"])).await.unwrap_err();
    assert!(refused.to_string().contains("it has changed since it was opened; start the program again"), "{refused}");
    // A file that was repaired in the meantime is read.
    fs::write(&path, bytes).unwrap();
    assert!(embedder.embed(texts(&["A vote"])).await.is_ok());
}

#[tokio::test]
async fn nothing_is_computed_for_a_caller_who_is_gone() {
    let opened = Arc::new(Opened::read(&fixtures().join("model")).unwrap());
    let model = Encoder::load(opened).unwrap();
    let caller = Arc::new(());
    let waiting = Arc::downgrade(&caller);
    assert_eq!(embed(&model, &texts(&["A vote", "A town"]), &waiting).unwrap().len(), 2);
    drop(caller);
    assert_eq!(embed(&model, &texts(&["A vote", "A town"]), &waiting), Ok(vec![]));
}

#[tokio::test]
async fn a_vector_without_direction_is_no_vector() {
    let folder = copied();
    let path = folder.path().join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let length = usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    bytes[8 + length..].fill(0);
    fs::write(&path, bytes).unwrap();
    let embedder = Minilm::open(folder.path()).await.unwrap();
    let refused = embedder.embed(texts(&["A vote", "A town"])).await.unwrap_err();
    let from = folder.path().display().to_string();
    assert_eq!(refused, EmbedError::NoDirection { from, text: 1, texts: 2, problem: "it holds only zeros" });
}

#[tokio::test]
async fn work_that_breaks_off_is_an_error() {
    let broken: Result<(), EmbedError> = blocking(Path::new("models"), || panic!("a matrix beyond its numbers")).await;
    let said = broken.unwrap_err().to_string();
    assert!(said.starts_with("embedding with models failed (") && said.contains("a matrix beyond"), "{said}");
}
