//! The embedder behind a server, over real HTTP: what it asks, what it keeps, and what it says of each bad day.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use copydesk::{
    config::{EmbeddingServer, Endpoint, Secret, Secrets},
    llm::Embeddings,
    ports::{CallError, EmbedError, Embedder},
};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::support::{
    newsroom::Newsroom,
    server::{Call, Reply, Server},
};

const KEY: &str = "sk-embedder-0123456789";

fn server(base: &str) -> EmbeddingServer {
    EmbeddingServer {
        model: "bge-large".into(),
        endpoint: Endpoint {
            base: base.parse().unwrap(),
            setting: "article_generation.knowledge_base.embedding.api_base".into(),
        },
        api_key: Secret::new(KEY.into()),
        timeout_seconds: 5.0,
    }
}

fn with(server: EmbeddingServer) -> Embeddings {
    let secrets = Secrets::new(vec![server.api_key.clone()]);
    Embeddings::new(server, secrets, true).patience(2, Duration::from_millis(1))
}

fn embedder(base: &str) -> Embeddings {
    with(server(base))
}

fn texts(count: usize) -> Vec<String> {
    (1..=count).map(|number| "x".repeat(number)).collect()
}

fn whole(body: &Value) -> Reply {
    Reply::Raw("application/json", body.to_string().into_bytes())
}

/// A vector that says how long its text is, the last text first.
fn vectors(call: &Call) -> Value {
    let inputs = call.body["input"].as_array().unwrap().iter().enumerate().rev();
    let items = inputs.map(|(index, text)| {
        json!({"object": "embedding", "index": index, "embedding": [text.as_str().unwrap().len(), 1.0, 0.0]})
    });
    json!({"object": "list", "data": items.collect::<Vec<_>>(), "model": "bge-large", "usage": {"prompt_tokens": 9}})
}

fn usual(call: &Call) -> Reply {
    whole(&vectors(call))
}

/// The usual answers, but for the first `times`.
fn but(times: usize, reply: Reply) -> impl Fn(&Call) -> Reply + Send + Sync {
    move |call| if call.before < times { reply.clone() } else { usual(call) }
}

/// The length of the text that a vector was made of.
fn length(vector: &[f32]) -> f32 {
    let squares: f32 = vector.iter().map(|value| value * value).sum();
    assert!((squares - 1.0).abs() < 1e-5, "{vector:?}");
    (vector[0] / vector[1]).round()
}

/// Apart from the server's own runtime, and one for all: connections are kept.
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap());

fn embed(embedder: &Embeddings, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
    RUNTIME.block_on(embedder.embed(texts))
}

fn refusal(embedder: &Embeddings) -> EmbedError {
    embed(embedder, texts(2)).unwrap_err()
}

#[test]
fn texts_are_asked_for_in_batches_and_vectors_come_in_their_order() {
    let server = Server::start(usual);
    let embedder = embedder(&server.base());
    let vectors = embed(&embedder, texts(70)).unwrap();
    let lengths: Vec<f32> = vectors.iter().map(|vector| length(vector)).collect();
    assert_eq!(lengths, (1u8..=70).map(f32::from).collect::<Vec<_>>());
    let calls = server.calls();
    let asked: Vec<usize> = calls.iter().map(|call| call.body["input"].as_array().unwrap().len()).collect();
    assert_eq!(asked, [32, 32, 6]);
    assert_eq!(calls[2].body, json!({"model": "bge-large", "input": texts(70)[64..]}));
    assert_eq!(calls[0].authorization, format!("Bearer {KEY}"));
    assert_eq!(embedder.identity(), "server bge-large");
    server.forget();
    assert_eq!(embed(&embedder, vec![]), Ok(vec![]));
    assert_eq!(server.calls().len(), 0, "nobody is asked for nothing");
}

#[test]
fn a_server_that_is_down_is_named() {
    // Nobody listens there, and no test may.
    let said = refusal(&embedder("http://127.0.0.1:1/v1")).to_string();
    assert!(said.contains("the embedder (knowledge_base.embedding): no connection to 127.0.0.1:1: "), "{said}");
    assert!(said.contains("refused"), "{said}");
    assert!(said.ends_with("is the model server running there?"), "{said}");
}

#[test]
fn a_slow_server_is_given_up_and_asked_again() {
    let limit = |base: &str| with(EmbeddingServer { timeout_seconds: 0.5, ..server(base) });
    let hangs = Server::start(|_| Reply::Hang);
    let refused = refusal(&limit(&hangs.base()));
    assert!(matches!(refused, EmbedError::Call(CallError::TimedOut { seconds: 0.5, .. })), "{refused}");
    assert_eq!(hangs.calls().len(), 3);
    let wakes = Server::start(but(2, Reply::Hang));
    assert_eq!(embed(&limit(&wakes.base()), texts(2)).unwrap().len(), 2);
    // Headers in time and no end of the body are no answer either.
    let drips = Server::start(|_| Reply::Slow("x".repeat(100), 1, Duration::from_millis(50)));
    assert!(matches!(refusal(&limit(&drips.base())), EmbedError::Call(CallError::TimedOut { .. })));
}

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    let busy =
        |wait: &str| Reply::Status(429, vec![("retry-after", wait.into())], r#"{"error": {"message": "busy"}}"#.into());
    let server = Server::start(but(1, busy("1")));
    let began = Instant::now();
    assert_eq!(embed(&embedder(&server.base()), texts(2)).unwrap().len(), 2);
    assert!(began.elapsed() >= Duration::from_secs(1), "it waited as long as it was told to");
    assert_eq!(server.calls().len(), 2);
    let tomorrow = Server::start(but(1, busy("86400")));
    let refused = refusal(&embedder(&tomorrow.base()));
    assert!(refused.to_string().ends_with("answered 429: busy (it asks to wait 86400 s)"), "{refused}");
    assert_eq!(tomorrow.calls().len(), 1);
}

#[test]
fn failures_of_the_server_are_tried_again_and_refusals_are_not() {
    for (status, attempts) in [(500, 3), (503, 3), (408, 3), (400, 1), (401, 1), (404, 1), (413, 1)] {
        let server = Server::start(move |_| Reply::Status(status, vec![], format!("key {KEY} is\u{7} wrong")));
        let refused = refusal(&embedder(&server.base()));
        let said = refused.to_string();
        assert!(said.ends_with(&format!("answered {status}: key [secret] is wrong")), "{said}");
        assert_eq!(server.calls().len(), attempts, "{status}");
    }
    let mended = Server::start(but(2, Reply::Status(500, vec![], String::new())));
    assert_eq!(embed(&embedder(&mended.base()), texts(2)).unwrap().len(), 2);
    // Within a body that is a success otherwise.
    let inside = Server::start(|_| whole(&json!({"error": {"message": format!("no model, {KEY}"), "code": 404}})));
    let said = refusal(&embedder(&inside.base())).to_string();
    assert!(said.ends_with("answered 404: no model, [secret]"), "{said}");
    assert_eq!(inside.calls().len(), 1);
}

#[test]
fn what_is_no_answer_of_an_embedder_says_so() {
    let garbage = Server::start(|_| Reply::Raw("text/html", b"<html>Welcome</html>".to_vec()));
    let said = refusal(&embedder(&garbage.base())).to_string();
    assert!(said.contains("did not answer as an OpenAI-compatible server does: the body is not JSON"), "{said}");
    assert_eq!(garbage.calls().len(), 3);
    let chat = Server::start(|_| Reply::Whole("Hello".into()));
    let said = refusal(&embedder(&chat.base())).to_string();
    assert!(said.ends_with("the body has no list of vectors (data)"), "{said}");
    let cut = Server::start(|_| Reply::Cut("x".repeat(100), 50));
    let refused = refusal(&embedder(&cut.base()));
    assert!(matches!(refused, EmbedError::Call(CallError::CutOff { .. })), "{refused}");
    let huge = Server::start(|_| Reply::Raw("application/json", vec![b' '; 9 << 20]));
    let refused = refusal(&embedder(&huge.base()));
    assert!(matches!(refused, EmbedError::Call(CallError::AnswerTooLarge { limit_mb: 8, .. })), "{refused}");
    assert_eq!(huge.calls().len(), 1, "it would be as large again");
}

#[test]
fn vectors_that_cannot_be_used_are_refused_at_once() {
    let last = |call: &Call, vector: &str| {
        let text = vectors(call).to_string();
        // The last text of a batch stands first.
        let (start, rest) = text.split_once("\"embedding\":[").unwrap();
        let (_, rest) = rest.split_once(']').unwrap();
        Reply::Raw("application/json", format!("{start}\"embedding\":{vector}{rest}").into_bytes())
    };
    for (vector, problem) in [
        ("[NaN,1,0]", "one of its numbers is not finite"),
        ("[null,1,0]", "one of its numbers is not finite"),
        ("[1e99,1,0]", "one of its numbers is not finite"),
        ("[0,0,0]", "it holds only zeros"),
        ("[]", "it is empty"),
    ] {
        let server = Server::start(move |call| if call.before == 0 { usual(call) } else { last(call, vector) });
        let embedder = embedder(&server.base());
        let refused = embed(&embedder, texts(40)).unwrap_err();
        let said = refused.to_string();
        assert!(said.contains(&format!("a vector that cannot be used (text 40 of 40): {problem}")), "{vector}: {said}");
        assert_eq!(server.calls().len(), 2, "{vector}");
    }
}

#[test]
fn too_few_or_too_many_vectors_are_refused() {
    for (data, got) in [(json!([{"embedding": [1, 0]}]), 1), (json!([]), 0), (json!([1, 2, 3]), 3)] {
        let server = Server::start(move |_| whole(&json!({"data": data})));
        let refused = refusal(&embedder(&server.base()));
        let host = server.base().trim_start_matches("http://").trim_end_matches("/v1").to_owned();
        assert_eq!(refused, EmbedError::Count { from: host, got, wanted: 2 });
        assert_eq!(server.calls().len(), 1);
    }
}

#[test]
fn a_dimension_that_changes_is_refused() {
    let item = |length: usize| json!({"embedding": vec![1.0; length]});
    let within = Server::start(move |_| whole(&json!({"data": [item(3), item(4)]})));
    let refused = refusal(&embedder(&within.base()));
    assert!(matches!(refused, EmbedError::Dimension { was: 3, is: 4, .. }), "{refused}");
    let later = Server::start(move |call| {
        let length = if call.before == 0 { 4 } else { 3 };
        whole(&json!({"data": [item(length), item(length)]}))
    });
    let embedder = embedder(&later.base());
    assert!(embed(&embedder, texts(2)).is_ok());
    let said = refusal(&embedder).to_string();
    assert!(
        said.contains("gave vectors of 4 numbers and now one of 3: another model is loaded there than before"),
        "{said}"
    );
    assert_eq!(later.calls().len(), 2);
}

#[test]
fn vectors_that_are_nested_one_level_deeper_are_read() {
    let server = Server::start(|call| {
        let mut answer = vectors(call);
        for item in answer["data"].as_array_mut().unwrap() {
            item["embedding"] = json!([item["embedding"]]);
        }
        whole(&answer)
    });
    let vectors = embed(&embedder(&server.base()), texts(3)).unwrap();
    assert_eq!(vectors.iter().map(|vector| length(vector)).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
}

#[test]
fn local_only_holds_at_the_door() {
    for base in ["https://api.openai.com/v1", "http://192.168.1.20:1234/v1", "http://localhost.evil.example/v1"] {
        let refused = refusal(&embedder(base));
        assert!(matches!(refused, EmbedError::Call(CallError::NotLocal { .. })) && !refused.may_retry(), "{refused}");
        assert!(
            refused.to_string().ends_with("article_generation.knowledge_base.embedding.api_base names it"),
            "{refused}"
        );
    }
}

/// The lines of `doctor` on the embedder.
fn doctor(embedding: &str) -> (i32, String) {
    let newsroom = Newsroom::with(|yaml| yaml.replace("embedding: null", &format!("embedding: {embedding}")));
    // A file with a key that others can read needs attention.
    let config = newsroom.path().join("config/config.yaml");
    std::fs::set_permissions(config, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let done = newsroom.run(&["doctor"]);
    let line = done.out.lines().find(|line| line.contains("embedder: ")).unwrap_or_else(|| panic!("{}", done.out));
    (done.code, line.to_owned())
}

#[test]
fn doctor_tries_the_embedder_out() {
    let eight = json!({"data": [{"index": 0, "embedding": [1, 0, 0, 0, 0, 0, 0, 0]}]}).to_string();
    let server = Server::start(move |_| Reply::Raw("application/json", eight.clone().into_bytes()));
    let at = |base: &str| {
        format!(
            "{{provider: lmstudio, model_name: bge-large, api_base: \"{base}\", api_key: {KEY}, timeout_seconds: 2}}"
        )
    };
    let host = server.base().trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let (code, said) = doctor(&at(&server.base()));
    assert_eq!((code, said), (0, format!("fine   embedder: bge-large at {host}: vectors of 8 numbers")));
    let three = Server::start(usual);
    let (code, said) = doctor(&at(&three.base()));
    assert!(code == 1 && said.contains("have 3 numbers, and only multiples of 8 can be stored"), "{said}");
    assert_eq!(
        doctor("null"),
        (0, "fine   embedder: none: the search matches words only (knowledge_base.embedding: null)".into())
    );
    let wrong = Server::start(|_| Reply::Status(500, vec![], format!("no model for {KEY}")));
    let (code, said) = doctor(&at(&wrong.base()));
    assert!(code == 1 && said.starts_with("TO DO  embedder: bge-large at 127.0.0.1:"), "{said}");
    assert!(said.ends_with("answered 500: no model for [secret] (embedding: null turns it off)"), "{said}");
    assert_eq!(wrong.calls().len(), 1, "asked once");
}

#[cfg(not(feature = "embedding"))]
#[test]
fn a_build_without_embedding_says_what_to_do() {
    let (code, said) = doctor("{provider: folder, model_dir: ./models/none}");
    assert!(code == 1 && said.contains("build with `--features embedding`"), "{said}");
}

#[cfg(feature = "embedding")]
#[test]
fn doctor_tries_a_folders_model_out() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/minilm/model");
    let folder = |folder: &str| doctor(&format!("{{provider: folder, model_dir: {folder}}}"));
    assert_eq!(folder(model), (0, format!("fine   embedder: {model}: vectors of 32 numbers")));
    let (code, said) = folder("./models/none");
    assert!(code == 1 && said.contains("models/none/config.json: there is no such folder"), "{said}");
}
