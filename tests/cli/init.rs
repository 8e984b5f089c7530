//! `init` asks a server what it is and writes what it learned; `doctor --probe` asks again.
//!
//! llama.cpp, Ollama, LM Studio and vLLM are copies after their documents (`support/model_pages.rs`).

use serde_json::json;
use serde_yaml::Value;

use crate::support::{
    model_pages::{Manners, listed, llama_cpp, lm_studio, ollama},
    newsroom::{Done, Newsroom},
    server::Server,
};

/// The output of `init` for a server, and the file that it wrote.
struct Written {
    newsroom: Newsroom,
    done: Done,
    yaml: String,
    root: Value,
}

impl Written {
    fn for_server(server: &Server) -> Self {
        let newsroom = Newsroom::offline();
        let done = newsroom.run(&["init", "--force", "--server", &server.base()]);
        assert_eq!(done.code, 0, "{}", done.err);
        let yaml = newsroom.read("config/config.yaml");
        let root = serde_yaml::from_str(&yaml).unwrap();
        Self { newsroom, done, yaml, root }
    }

    fn value(&self, path: &str) -> Value {
        let at = |path: &str| path.split('.').fold(self.root.clone(), |section, key| section[key].clone());
        match (at(path), path.rsplit_once('.')) {
            // The agent has it from the model that it shares.
            (Value::Null, Some((section, key))) if section.contains(".agents.") => {
                let shared = at(&format!("{section}.use"));
                at(&format!("article_generation.models.{}.{key}", shared.as_str().unwrap_or_default()))
            }
            (value, _) => value,
        }
    }

    fn writer(&self, key: &str) -> Value {
        self.value(&format!("article_generation.agents.writer_llm.{key}"))
    }

    fn numbers(&self, keys: [&str; 3]) -> [u64; 3] {
        keys.map(|key| self.writer(key).as_u64().unwrap())
    }
}

const SIZES: [&str; 3] = ["context_window", "max_tokens", "context_window_threshold"];

#[test]
fn llama_cpp_is_waited_for_and_its_window_slots_and_size_are_written_with_a_comment() {
    let server = llama_cpp(1, 8192, 2, Manners::default());
    let written = Written::for_server(&server);
    let said = &written.done.err;
    assert!(said.contains("is loading its model; waiting for it"), "{said}");
    for line in [
        "window: 8,192 tokens (llama.cpp says 1 slot of 8,192 tokens)",
        "at once: 1 request (llama.cpp says 1 slot of 8,192 tokens)",
        "JSON: json_schema (it kept to a schema that it was sent)",
        "tools: the model calls them",
        "size: 1.5 billion parameters (llama.cpp says so)",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(written.numbers(SIZES), [8192, 2048, 75]);
    assert_eq!(written.writer("response_format"), "json_schema");
    let mapping = |key: &str| written.value(&format!("article_generation.agents.concern_mapping_llm.{key}"));
    assert_eq!((mapping("context_window"), mapping("response_format")), (8192.into(), "json_schema".into()));
    assert_eq!(written.value("desk.specialists_of_a_story"), 1);
    assert_eq!(written.value("desk.stories_at_once"), 1);
    let own = format!(
        "[{{host: {}, requests_at_once: 1, requests_per_minute: null, tokens_per_minute: null}}]",
        json!(host(&server))
    );
    assert_eq!(written.value("desk.servers.own"), serde_yaml::from_str::<Value>(&own).unwrap());
    // The note on what was learned stands beside the value, before the template's comment.
    let line = |key: &str| written.yaml.lines().find(|line| line.trim_start().starts_with(key)).unwrap();
    let window = line("context_window:");
    assert!(
        window.contains(" # Learned 20")
            && window.ends_with(": llama.cpp says 1 slot of 8,192 tokens · tokens the model can see"),
        "{window}"
    );
    let own = line("own:");
    assert!(own.contains("}] # Learned 20") && own.ends_with(": llama.cpp says 1 slot of 8,192 tokens"), "{own}");
    // The trial said nothing of a story, and the file works.
    assert_eq!(server.count("unknown"), server.calls().iter().filter(|call| call.agent != "page").count());
    let doctor = written.newsroom.run(&["doctor", "--probe"]);
    assert_eq!(doctor.code, 0, "{}", doctor.out);
    assert!(doctor.out.contains("settings: those for qwen-1.5b fit"), "{}", doctor.out);
}

fn host(server: &Server) -> String {
    server.base().trim_start_matches("http://").trim_end_matches("/v1").to_owned()
}

#[test]
fn four_slots_of_llama_cpp_may_share_one_memory() {
    let small = Written::for_server(&llama_cpp(4, 8192, 0, Manners::default()));
    assert_eq!((small.writer("context_window"), small.value("desk.specialists_of_a_story")), (8192.into(), 1.into()));
    let large = Written::for_server(&llama_cpp(4, 131_072, 0, Manners::default()));
    assert_eq!((large.writer("context_window"), large.value("desk.specialists_of_a_story")), (32_768.into(), 4.into()));
    let two = Written::for_server(&llama_cpp(2, 8192, 0, Manners::default()));
    assert_eq!((two.writer("context_window"), two.value("desk.specialists_of_a_story")), (8192.into(), 2.into()));
}

#[test]
fn ollama_is_asked_for_the_window_that_it_loaded_and_not_for_the_model_s_most() {
    for (version, loaded, num_ctx, window) in [
        ("0.40.12", Some(16_384), None, 16_384),
        ("0.9.0", None, Some(12_288), 12_288),
        ("0.9.0", None, None, 4096),
        ("0.5.13", None, None, 2048),
    ] {
        let server = ollama(version, loaded, num_ctx, Manners::default());
        let written = Written::for_server(&server);
        assert_eq!(written.writer("context_window"), window, "{version}");
        assert_eq!(written.value("desk.specialists_of_a_story"), 1);
        assert!(written.done.err.contains("size: 7.6 billion parameters (Ollama says so)"), "{}", written.done.err);
    }
}

#[test]
fn lm_studio_answers_every_address_and_is_known_by_its_list() {
    let written = Written::for_server(&lm_studio(Some(16_384), Manners::default()));
    assert_eq!(written.numbers(SIZES), [16_384, 4096, 75]);
    assert!(written.done.err.contains("size: 3.0 billion parameters (by its name)"), "{}", written.done.err);
    // An older version tells the most alone, which it did not load.
    let older = Written::for_server(&lm_studio(None, Manners::default()));
    assert_eq!(older.numbers(SIZES), [4096, 1536, 62]);
}

#[test]
fn vllm_takes_many_requests_at_once() {
    let entry = json!({"id": "Qwen/Qwen2.5-14B", "object": "model", "owned_by": "vllm", "max_model_len": 32_768});
    let written = Written::for_server(&listed(entry, Manners::default()));
    assert_eq!(written.numbers(SIZES), [32_768, 8192, 75]);
    assert_eq!(written.value("desk.specialists_of_a_story"), 8);
    assert_eq!(written.value("desk.servers.own")[0]["requests_at_once"], 16);
}

#[test]
fn a_server_that_says_nothing_gets_a_careful_window_and_that_is_said() {
    let entry = json!({"id": "model", "object": "model", "owned_by": "me"});
    let manners = Manners { schema: Some("json_object"), tools: false, ..Manners::default() };
    let written = Written::for_server(&listed(entry, manners));
    let said = &written.done.err;
    assert!(said.contains("window: the server does not say, so 4,096 tokens are taken"), "{said}");
    assert!(said.contains("tools: the model does not call them"), "{said}");
    assert_eq!(written.numbers(SIZES), [4096, 1536, 62]);
    assert_eq!(written.writer("response_format"), "json_object");
    assert_eq!(written.value("desk.specialists_of_a_story"), 1);
}

#[test]
fn a_server_that_names_its_window_in_a_refusal_is_understood() {
    const WORDS: &str = "This model's maximum context length is 2048 tokens. However, you requested 9000020 tokens (20 in the messages, 9000000 in the completion).";
    let server = Server::with_pages(
        |path, _| {
            let list = json!({"object": "list", "data": [{"id": "model", "object": "model", "owned_by": "me"}]});
            (path == "/v1/models").then(|| crate::support::server::Reply::raw("application/json", list.to_string()))
        },
        |call| {
            if call.body["max_tokens"].as_u64() > Some(2048) {
                let error = json!({"error": {"message": WORDS, "type": "invalid_request_error", "code": "context_length_exceeded"}});
                return crate::support::server::Reply::Status(400, Vec::new(), error.to_string());
            }
            crate::support::model_pages::answer(call, Manners::default())
        },
    );
    let written = Written::for_server(&server);
    assert_eq!(written.writer("context_window"), 2048, "{}", written.done.err);
}

#[test]
fn a_server_that_refuses_a_long_answer_is_asked_for_a_shorter_one() {
    const WORDS: &str = "max_tokens is too large: 9000000. This model supports at most 1024 completion tokens.";
    let entry = json!({"id": "model", "object": "model", "context_length": 32_768});
    let server = Server::with_pages(
        move |path, _| {
            let list = json!({"object": "list", "data": [entry]});
            (path == "/v1/models").then(|| crate::support::server::Reply::raw("application/json", list.to_string()))
        },
        |call| {
            if call.body["max_tokens"].as_u64() > Some(1024) {
                let error =
                    json!({"error": {"message": WORDS, "type": "invalid_request_error", "param": "max_tokens"}});
                return crate::support::server::Reply::Status(400, Vec::new(), error.to_string());
            }
            crate::support::model_pages::answer(call, Manners::default())
        },
    );
    let written = Written::for_server(&server);
    let said = &written.done.err;
    assert!(said.contains("answers: 1,024 tokens (it refused a longer answer and named 1,024)"), "{said}");
    assert_eq!(written.numbers(SIZES)[..2], [32_768, 1024]);
}

#[test]
fn a_model_that_keeps_to_no_schema_is_asked_for_none() {
    let written = Written::for_server(&llama_cpp(1, 8192, 0, Manners { schema: None, ..Manners::default() }));
    assert_eq!(written.writer("response_format"), "none");
    assert!(
        written.done.err.contains("JSON: without a schema (it did not keep to a schema that it was sent)"),
        "{}",
        written.done.err
    );
}

#[test]
fn a_refused_field_is_left_out_and_written_for_every_agent() {
    const OPENAI: &str =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const REFUSALS: [(&[(&str, &str)], &str); 3] = [
        (&[("max_tokens", OPENAI)], "the field max_tokens"),
        (
            &[
                ("stream_options", "stream_options: Extra inputs are not permitted"),
                ("system", "System role not supported"),
            ],
            "the field stream_options and the system message",
        ),
        (
            &[("temperature", "Unsupported value: 'temperature' does not support 0 with this model.")],
            "the field temperature",
        ),
    ];
    let entry = json!({"id": "model", "object": "model", "context_length": 32_768});
    let requests = [
        json!({"max_tokens": "max_completion_tokens", "stream_options": true, "system_role": true, "extra": null}),
        json!({"max_tokens": null, "stream_options": false, "system_role": false, "extra": null}),
        json!({"max_tokens": null, "stream_options": true, "system_role": true, "extra": {"temperature": null}}),
    ];
    for ((refuses, how), request) in REFUSALS.into_iter().zip(requests) {
        let server = listed(entry.clone(), Manners { refuses, ..Manners::default() });
        let written = Written::for_server(&server);
        let wanted: Value = serde_yaml::from_str(&request.to_string()).unwrap();
        assert_eq!(written.writer("request"), wanted, "{}", written.yaml);
        assert_eq!(written.value("article_generation.agents.specialists.opinion_llm.request"), wanted);
        assert!(written.yaml.contains(&format!(": it refused {how}")), "{}", written.yaml);
        // The stories' calls leave it out too.
        server.forget();
        let topic = written.newsroom.topic();
        written.newsroom.auto(&topic);
        assert!(server.count("writer") + server.count("unknown") > 0, "asked");
    }
}

#[test]
fn a_model_that_gives_no_answer_leaves_the_usual_settings_and_says_so() {
    let server = Server::start(|_| crate::support::server::Reply::Status(500, Vec::new(), "out of memory".into()));
    let written = Written::for_server(&server);
    assert!(written.done.err.contains("scripted gave no answer"), "{}", written.done.err);
    assert!(written.done.err.contains("`copydesk doctor --probe` asks again"), "{}", written.done.err);
    assert_eq!(written.writer("context_window"), 32_768);
}

#[test]
fn the_doctor_names_the_line_of_each_setting_that_does_not_fit_and_writes_nothing() {
    let server = llama_cpp(1, 8192, 0, Manners::default());
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("your-model-name", "qwen-1.5b").replace("specialists_of_a_story: 1", "specialists_of_a_story: 4")
    });
    let before = newsroom.read("config/config.yaml");
    let plain = newsroom.run(&["doctor"]);
    assert!(!plain.out.contains("probe:") && server.count("unknown") == 0, "{}", plain.out);
    let doctor = newsroom.run(&["doctor", "--probe"]);
    assert_eq!(doctor.code, 1, "{}", doctor.out);
    let line = |key: &str, from: &str| {
        before
            .lines()
            .position(|line| line.trim_start().starts_with(key))
            .map(|at| format!("line {}: set {from}{key}", at + 1))
            .unwrap()
    };
    let (writer, shared) = ("article_generation.agents.writer_llm.", "article_generation.models.local.");
    for wanted in [
        format!("{} to 8192; it is 32768 (llama.cpp says 1 slot of 8,192 tokens)", line("context_window", shared)),
        line("max_tokens: 8192", writer).replace(": 8192", " to 2048; it is 8192"),
        format!(
            "{} to json_schema; it is none (it kept to a schema that it was sent)",
            line("response_format", shared)
        ),
        format!("{} to 1; it is 4", line("specialists_of_a_story", "desk.")),
        format!("{} to [{{host: ", line("own", "desk.servers.")),
    ] {
        assert!(doctor.out.contains(&wanted), "{wanted}\n{}", doctor.out);
    }
    assert!(doctor.err.contains("trying whether it keeps to a JSON schema"), "{}", doctor.err);
    assert_eq!(newsroom.read("config/config.yaml"), before);
    let offline = Newsroom::offline().run(&["doctor", "--probe"]);
    assert!(offline.out.contains("probe: no model to ask (engine: offline)"), "{}", offline.out);
}
