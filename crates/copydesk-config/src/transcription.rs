//! `transcription`: the server that turns recordings into text.

use super::{
    TranscriptionServer,
    fields::{endpoint, seconds},
    reader::Section,
};

pub(super) fn read_transcription(root: &Section<'_>) -> Option<TranscriptionServer> {
    root.section_or_null("transcription", "the section of the transcription server", |section| {
        let endpoint = endpoint(section, "api_base");
        let api_key = section.secret("api_key", "the server's key (any word where it asks for none)");
        let model = section.text("model", "the model's name as the server knows it");
        let language = section.text_or_null("language", "a language's code, such as en,");
        let timeout_seconds = seconds(section);
        let longest_mb = section.whole("longest_mb", 1..=4_096, "the size of the largest recording in MB");
        Some(TranscriptionServer { endpoint: endpoint?, api_key, model, language, timeout_seconds, longest_mb })
    })
    .flatten()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{ConfigError, Settings, TEMPLATE, load};

    const SERVER: &str = "transcription:\n  api_base: http://127.0.0.1:8080/v1\n  api_key: sk-recorder-0123456789\n  model: whisper-1\n  language: en\n  timeout_seconds: 1800\n  longest_mb: 500";

    fn read(section: &str) -> Result<Settings, ConfigError> {
        let yaml = TEMPLATE.replace("transcription: null", section);
        load(Path::new("config/config.yaml"), &yaml, Path::new("/desk"))
    }

    fn problems(section: &str) -> Vec<String> {
        let error = read(section).unwrap_err();
        error.problems.into_iter().map(|p| format!("{} {}", p.key, p.message)).collect()
    }

    #[test]
    fn a_server_has_an_address_and_a_secret_of_the_file() {
        assert_eq!(read("transcription: null").unwrap().transcription, None);
        let settings = read(SERVER).unwrap();
        let server = settings.transcription.clone().unwrap();
        assert_eq!((server.model.as_str(), server.language.as_deref()), ("whisper-1", Some("en")));
        assert_eq!((server.timeout_seconds, server.longest_mb), (1800.0, 500));
        assert!(settings.endpoints().contains(&&server.endpoint));
        assert_eq!(settings.secrets().hide_in_message("no key sk-recorder-0123456789"), "no key [secret]");
        assert_eq!(read(&SERVER.replace(": en", ": null")).unwrap().transcription.unwrap().language, None);
    }

    #[test]
    fn each_key_that_is_wrong_or_missing_is_told() {
        let bad = SERVER
            .replace("http://127.0.0.1:8080/v1", "127.0.0.1")
            .replace("language: en", "language: \"\"")
            .replace("longest_mb: 500", "longest_mb: 0\n  speed: fast")
            .replace("  model: whisper-1\n", "");
        let found = problems(&bad);
        let wanted = [
            "transcription.model is missing; the model's name as the server knows it belongs there",
            "transcription.api_base is no address; a server's address such as http://127.0.0.1:1234/v1 belongs there",
            "transcription.language is empty; null, or a language's code, such as en, belongs there",
            "transcription.longest_mb is out of range; the size of the largest recording in MB, a whole number from 1 to 4096, belongs there",
            "transcription.speed is not a key of this section; its keys are api_base, api_key, model, language, timeout_seconds, longest_mb",
        ];
        assert_eq!(found, wanted);
        let away = problems(&SERVER.replace("127.0.0.1:8080", "api.example.com"));
        assert!(
            away[0].starts_with("transcription.api_base names api.example.com, which is not this machine"),
            "{away:?}"
        );
    }
}
