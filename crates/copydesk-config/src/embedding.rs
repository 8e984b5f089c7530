//! `article_generation.knowledge_base.embedding`: the embedder, which turns passages into vectors.

use std::path::{Path, PathBuf};

use super::{
    Embedding, EmbeddingServer,
    fields::{endpoint, seconds},
    reader::Section,
};

/// The kind of embedder that a word of `provider` names.
#[derive(Clone, Copy)]
enum Provider {
    Server,
    Folder,
}

pub(super) fn read_embedding(section: &Section<'_>, workspace: &Path) -> Option<Embedding> {
    let words = [("openai_compatible", Provider::Server), ("lmstudio", Provider::Server), ("folder", Provider::Folder)];
    match section.one_of("provider", &words, "where vectors are made") {
        Some(Provider::Server) => {
            let model = section.text("model_name", "the embedding model's name as the server knows it");
            let endpoint = endpoint(section, "api_base");
            let api_key = section.secret("api_key", "the server's key (any word where it asks for none)");
            let timeout_seconds = seconds(section);
            Some(Embedding::Server(EmbeddingServer { model, endpoint: endpoint?, api_key, timeout_seconds }))
        }
        Some(Provider::Folder) => {
            let folder = section.text("model_dir", "the folder of a sentence-transformers model");
            let model_dir: PathBuf = workspace.join(folder).components().collect();
            Some(Embedding::Folder { model_dir })
        }
        None => {
            // Which keys belong here, the provider would say.
            section.pass_over(&["model_name", "api_base", "api_key", "timeout_seconds", "model_dir"]);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConfigError, Secret, Settings, TEMPLATE, load};

    const SERVER: &str = "embedding:\n      provider: lmstudio\n      model_name: text-embedding-bge-large-en-v1.5\n      api_base: http://127.0.0.1:1234/v1\n      api_key: sk-embedder-0123456789\n      timeout_seconds: 30";

    fn read(embedding: &str) -> Result<Settings, ConfigError> {
        let yaml = TEMPLATE.replace("embedding: null", embedding);
        load(Path::new("config/config.yaml"), &yaml, Path::new("/desk"))
    }

    fn problems(embedding: &str) -> Vec<String> {
        let error = read(embedding).unwrap_err();
        let first = TEMPLATE.lines().position(|line| line.contains("embedding: null")).unwrap() + 1;
        let prefix = "article_generation.knowledge_base.";
        let problems = error.problems.into_iter();
        problems
            .map(|p| format!("+{}: {} {}", p.line - first, p.key.strip_prefix(prefix).unwrap(), p.message))
            .collect()
    }

    #[test]
    fn a_server_has_an_address_and_a_secret_of_the_file() {
        for word in ["lmstudio", "openai_compatible"] {
            let settings = read(&SERVER.replace("lmstudio", word)).unwrap();
            let generation = &settings.article_generation;
            let server = generation.knowledge_base.embedding_server().unwrap();
            assert_eq!(generation.knowledge_base.embedding, Some(Embedding::Server(server.clone())));
            assert_eq!(
                (server.model.as_str(), server.endpoint.base.as_str(), server.timeout_seconds),
                ("text-embedding-bge-large-en-v1.5", "http://127.0.0.1:1234/v1", 30.0)
            );
            assert_eq!(server.endpoint.setting, "article_generation.knowledge_base.embedding.api_base");
            assert_eq!(server.api_key, Secret::new("sk-embedder-0123456789".into()));
            assert!(settings.endpoints().contains(&&server.endpoint));
            let said = settings.secrets().hide_in_message("no key sk-embedder-0123456789 here");
            assert_eq!(said, "no key [secret] here");
        }
    }

    #[test]
    fn a_folder_is_resolved_against_the_workspace_and_asks_nobody() {
        let settings = read("embedding:\n      provider: folder\n      model_dir: ./models/all-MiniLM-L6-v2").unwrap();
        let base = &settings.article_generation.knowledge_base;
        assert_eq!(base.embedding, Some(Embedding::Folder { model_dir: "/desk/models/all-MiniLM-L6-v2".into() }));
        assert_eq!(base.embedding_server(), None);
        assert_eq!(settings.endpoints().len(), 8, "the agents' alone");
        assert_eq!(read("embedding: null").unwrap().article_generation.knowledge_base.embedding, None);
    }

    #[test]
    fn each_key_that_is_wrong_or_missing_or_another_providers_is_told_with_its_line() {
        let bad = SERVER
            .replace("model_name: text-embedding-bge-large-en-v1.5", "model_dir: ./models")
            .replace("http://127.0.0.1:1234/v1", "127.0.0.1")
            .replace("api_key: sk-embedder-0123456789", "api_key: \"\"")
            .replace("timeout_seconds: 30", "timeout_seconds: 0");
        assert_eq!(
            problems(&bad),
            [
                "+0: embedding.model_name is missing; the embedding model's name as the server knows it belongs there",
                "+2: embedding.model_dir is not a key of this section; its keys are provider, model_name, api_base, api_key, timeout_seconds",
                "+3: embedding.api_base is no address; a server's address such as http://127.0.0.1:1234/v1 belongs there",
                "+4: embedding.api_key is empty; the server's key (any word where it asks for none) belongs there",
                "+5: embedding.timeout_seconds is out of range; the seconds after which to give up, a number from 0.1 to 86400, belongs there",
            ]
        );
        assert_eq!(
            problems("embedding:\n      provider: folder\n      api_key: k\n      model_dir:"),
            [
                "+2: embedding.api_key is not a key of this section; its keys are provider, model_dir",
                "+3: embedding.model_dir is empty; the folder of a sentence-transformers model belongs there",
            ]
        );
        assert_eq!(
            problems(&SERVER.replace("lmstudio", "ollama")),
            [
                "+1: embedding.provider is \"ollama\"; where vectors are made, one of openai_compatible, lmstudio, folder, belongs there"
            ]
        );
        assert_eq!(
            problems("embedding:\n      model_dir: ./models\n      dimension: 384"),
            [
                "+0: embedding.provider is missing; where vectors are made, one of openai_compatible, lmstudio, folder, belongs there",
                "+2: embedding.dimension is not a key of this section; its keys are provider, model_name, api_base, api_key, timeout_seconds, model_dir",
            ]
        );
    }
}
