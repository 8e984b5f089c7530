//! Services that requests go to.

use std::net::IpAddr;

use serde::{Deserialize, Deserializer, de::Error};
use url::Url;

use super::{
    Secret,
    fields::{nullable, seconds, whole},
};

/// An address and the key that names it, so that a refusal can say where to look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The address that paths such as `/chat/completions` are added to.
    pub base: Url,
    /// The key, such as `article_generation.perplexity.api_base`.
    pub setting: String,
}

impl Endpoint {
    /// The host that sees the text.
    pub fn host(&self) -> &str {
        self.base.host_str().unwrap_or("")
    }

    /// `host:port` as a person would write it.
    pub fn authority(&self) -> String {
        self.base.port().map_or_else(|| self.host().to_owned(), |port| format!("{}:{port}", self.host()))
    }

    /// The server's name for its limits: all names of this machine are one.
    pub fn server(&self) -> String {
        let host = if self.is_loopback() { "127.0.0.1" } else { self.host() };
        self.base.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Whether the host is this machine: a loopback address, or the name `localhost`.
    pub fn is_loopback(&self) -> bool {
        match self.base.host() {
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            // The address of a database has its numbers as a name.
            Some(url::Host::Domain(name)) => {
                name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|host: IpAddr| host.is_loopback())
            }
            None => false,
        }
    }
}

impl<'de> Deserialize<'de> for Endpoint {
    /// Reads an address; the settings then fill in its key.
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let refuse =
            |why: &str| D::Error::custom(format!("must be a server's address such as http://127.0.0.1:1234/v1{why}"));
        let base = Url::parse(&String::deserialize(value)?).map_err(|_| refuse(""))?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none_or(str::is_empty) {
            return Err(refuse(""));
        }
        if !base.username().is_empty()
            || base.password().is_some()
            || base.query().is_some()
            || base.fragment().is_some()
        {
            // A key in an address would reach logs and messages; api_key is where it belongs.
            return Err(refuse(", without a user name, a password, a query or a fragment"));
        }
        Ok(Self { base, setting: String::new() })
    }
}

/// The search for outside evidence.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perplexity {
    /// The service; `/chat/completions` is added.
    #[serde(rename = "api_base")]
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// The model.
    pub model: String,
    /// Seconds that one call may take.
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
}

/// `transcription`: a server with `OpenAI`'s `/audio/transcriptions`, which turns recordings into text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TranscriptionServer {
    /// The server; `/audio/transcriptions` is added.
    #[serde(rename = "api_base")]
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// The model's name as the server knows it.
    pub model: String,
    /// The spoken language, such as `en`; none if the server is to find out.
    #[serde(deserialize_with = "nullable")]
    pub language: Option<String>,
    /// Seconds that one recording may take, its upload included.
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
    /// The largest recording that is sent, in MB (2^20 bytes).
    #[serde(deserialize_with = "whole::<1, 4_096, _, _>")]
    pub longest_mb: u64,
    /// The program that plays a place of a recording; none if it is not played here.
    #[serde(default)]
    pub player: Option<RecordingPlayer>,
}

/// `transcription.player`: a program and its arguments, such as `[mpv, "--start={start}", "--length={length}", "{file}"]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct RecordingPlayer(Vec<String>);

impl TryFrom<Vec<String>> for RecordingPlayer {
    type Error = &'static str;

    fn try_from(words: Vec<String>) -> Result<Self, Self::Error> {
        let has_file = words.iter().skip(1).any(|word| word.contains("{file}"));
        if has_file && words.first().is_some_and(|program| !program.is_empty()) {
            Ok(Self(words))
        } else {
            Err(
                "must be null, or a program and its arguments, one of them with {file}, such as [mpv, \"--start={start}\", \"{file}\"]",
            )
        }
    }
}

impl RecordingPlayer {
    /// The program and its arguments as they stand in the configuration.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// The same for a place of `file`, in seconds.
    pub fn call(&self, file: &str, start: u32, length: u32) -> Vec<String> {
        let with = |word: &String| {
            word.replace("{start}", &start.to_string()).replace("{length}", &length.to_string()).replace("{file}", file)
        };
        self.0.iter().map(with).collect()
    }
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
        assert!(settings.endpoints().contains(&server.endpoint));
        assert_eq!(settings.secrets().hide_in_message("no key sk-recorder-0123456789"), "no key [secret]");
        assert_eq!(read(&SERVER.replace(": en", ": null")).unwrap().transcription.unwrap().language, None);
        let player = |value: &str| read(&format!("{SERVER}\n  player: {value}"));
        let plays = player("[mpv, \"--start={start}\", \"{file}\"]").unwrap().transcription.unwrap().player.unwrap();
        assert_eq!(plays.call("a b.mp3", 7, 10), ["mpv", "--start=7", "a b.mp3"]);
        assert_eq!(player("null").unwrap().transcription.unwrap().player, None);
        for wrong in ["[mpv]", "[]", "[mpv, --loud]"] {
            assert!(player(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_key_that_is_wrong_or_missing_is_told() {
        for (from, to, says) in [
            (
                "http://127.0.0.1:8080/v1",
                "127.0.0.1",
                "transcription.api_base must be a server's address such as http://127.0.0.1:1234/v1",
            ),
            ("language: en", "language: \"\"", "transcription.language is empty"),
            ("longest_mb: 500", "longest_mb: 0", "transcription.longest_mb must be a whole number from 1 to 4096"),
            (
                "longest_mb: 500",
                "longest_mb: 500\n  speed: fast",
                "transcription.speed is not a key of this section; its keys are api_base, api_key, model, language, timeout_seconds, longest_mb, player",
            ),
            ("  model: whisper-1\n", "", "transcription.model is missing"),
        ] {
            assert_eq!(problems(&SERVER.replace(from, to)), [says]);
        }
        let away = problems(&SERVER.replace("127.0.0.1:8080", "api.example.com"));
        assert!(
            away[0].starts_with("transcription.api_base names api.example.com, which is not this machine"),
            "{away:?}"
        );
    }
}
