//! `publisher.targets`: the places where a signed story may go.

use std::{fmt, path::PathBuf};

use serde::{Deserialize, Deserializer, de::Error};
use serde_yaml::Mapping;
use url::Url;

use super::{
    Endpoint, Secret,
    fields::{nullable, read, seconds, take, whole},
};
use copydesk_core::editorial::export::ExportFormat;
use copydesk_newsroom::TargetKind;

/// A place for signed stories.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PublishTarget {
    /// Letters, digits, `_` and `-`; no other target has it.
    pub name: String,
    /// The place itself. It also refuses unknown keys.
    #[serde(flatten)]
    pub at: TargetPlace,
    /// The format of the files that are sent there.
    pub format: ExportFormat,
    /// The key of this target, such as `publisher.targets[0]`.
    #[serde(skip)]
    pub setting: String,
}

/// How a target is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetPlace {
    /// A folder, resolved against the workspace.
    Folder(PathBuf),
    Email(MailTarget),
    Webhook(WebhookTarget),
    Mcp(ToolTarget),
    Bucket(BucketTarget),
}

impl<'de> Deserialize<'de> for TargetPlace {
    /// Reads `kind` and the keys that depend on it.
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Folder {
            folder: PathBuf,
        }
        let mut keys = Mapping::deserialize(value)?;
        Ok(match take(&mut keys, "kind")? {
            TargetKind::Folder => Self::Folder(read::<Folder, _>(keys)?.folder),
            TargetKind::Email => Self::Email(read(keys)?),
            TargetKind::Webhook => Self::Webhook(read(keys)?),
            TargetKind::Mcp => Self::Mcp(read(keys)?),
            TargetKind::Bucket => Self::Bucket(read(keys)?),
        })
    }
}

/// Mail by a server for outgoing mail.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailTarget {
    /// The server; its address is a host alone.
    #[serde(rename = "server", deserialize_with = "host")]
    pub endpoint: Endpoint,
    #[serde(deserialize_with = "whole::<1, 65_535, _, _>")]
    pub port: u16,
    pub security: MailSecurity,
    /// None if the server asks for none; user and password go together.
    #[serde(deserialize_with = "nullable")]
    pub user: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub password: Option<Secret>,
    #[serde(deserialize_with = "address")]
    pub from: String,
    #[serde(deserialize_with = "addresses")]
    pub to: Vec<String>,
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
}

/// How the way to a mail server is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailSecurity {
    /// Not at all.
    None,
    /// From the first byte on, usually at port 465.
    Tls,
    /// After a greeting in the clear, usually at port 587. A server that does not offer it gets no mail.
    Starttls,
}

/// An address that takes a POST.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookTarget {
    #[serde(rename = "url")]
    pub endpoint: Endpoint,
    /// The key with which each request is signed.
    #[serde(deserialize_with = "signing_secret")]
    pub secret: Secret,
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
}

/// A tool of one of `mcp.servers`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolTarget {
    pub server: String,
    pub tool: String,
}

/// A bucket of an object store that speaks S3's protocol.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BucketTarget {
    #[serde(rename = "bucket")]
    pub place: BucketPlace,
    /// The store's address; the bucket's name is added to it as the first part of the path.
    #[serde(rename = "url")]
    pub endpoint: Endpoint,
    pub region: String,
    /// The name of the key that signs the requests; it is sent with each of them.
    pub access_key_id: String,
    pub secret_access_key: Secret,
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
}

impl fmt::Display for BucketTarget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at {}", self.place, self.endpoint.authority())
    }
}

/// A bucket with the beginning of the names in it, written as `s3://BUCKET/PREFIX`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketPlace {
    pub bucket: String,
    /// Empty if the files have no folder; neither begins nor ends with a slash.
    pub prefix: String,
}

impl fmt::Display for BucketPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(out, "s3://{}{slash}{}", self.bucket, self.prefix)
    }
}

impl<'de> Deserialize<'de> for BucketPlace {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        let text = String::deserialize(value)?;
        let (bucket, prefix) =
            text.strip_prefix("s3://").map_or(("", ""), |rest| rest.split_once('/').unwrap_or((rest, "")));
        // Amazon's rule for the name of a bucket; other stores have the same, or a narrower one.
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c);
        if !(3..=63).contains(&bucket.len()) || !bucket.chars().all(is_name) || prefix.chars().any(char::is_control) {
            return Err(D::Error::custom(format!(
                "must be a bucket such as s3://newsroom/published; {text:?} is none"
            )));
        }
        Ok(Self { bucket: bucket.to_owned(), prefix: prefix.trim_matches('/').to_owned() })
    }
}

/// The secret of a webhook: fewer characters can be guessed from one signed request.
fn signing_secret<'de, D: Deserializer<'de>>(value: D) -> Result<Secret, D::Error> {
    const SHORTEST: usize = 16;
    let secret = Secret::deserialize(value)?;
    if secret.reveal().len() < SHORTEST {
        return Err(D::Error::custom(format!("must have at least {SHORTEST} characters")));
    }
    Ok(secret)
}

/// The host of a mail server.
fn host<'de, D: Deserializer<'de>>(value: D) -> Result<Endpoint, D::Error> {
    let host = String::deserialize(value)?;
    let is_host = |url: &Url| url.has_host() && url.username().is_empty() && url.path() == "/" && url.port().is_none();
    let base = Url::parse(&format!("http://{host}")).ok().filter(is_host);
    let base = base
        .ok_or_else(|| D::Error::custom(format!("must be a host's name such as mail.example.com; {host:?} is none")))?;
    Ok(Endpoint { base, setting: String::new() })
}

/// A mail address that cannot end a header, begin another, or be two.
fn address<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let text = String::deserialize(value)?;
    let fits =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_graphic() && !"@<>()[],;:\\\"".contains(c));
    match text.rsplit_once('@') {
        Some((name, host)) if fits(name) && fits(host) => Ok(text),
        _ => Err(D::Error::custom(format!("must be an address such as desk@example.com; {text:?} is none"))),
    }
}

fn addresses<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    struct Address(#[serde(deserialize_with = "address")] String);
    let addresses = Vec::<Address>::deserialize(value)?;
    if addresses.is_empty() {
        return Err(D::Error::custom("must be a list of at least one address"));
    }
    Ok(addresses.into_iter().map(|address| address.0).collect())
}

impl PublishTarget {
    /// Its secret, if it has one.
    pub fn secret(&self) -> Option<&Secret> {
        match &self.at {
            TargetPlace::Email(mail) => mail.password.as_ref(),
            TargetPlace::Webhook(webhook) => Some(&webhook.secret),
            TargetPlace::Bucket(bucket) => Some(&bucket.secret_access_key),
            TargetPlace::Folder(_) | TargetPlace::Mcp(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{ConfigError, Secret, Settings, TEMPLATE, load};

    const TARGETS: &str = "targets:
    - {name: site, kind: folder, format: html, folder: ./site}
    - {name: partners, kind: email, format: docx, server: 127.0.0.1, port: 2525, security: none, user: desk,
       password: pass-0123456789, from: desk@news.example, to: [a@b.example, c@d.example], timeout_seconds: 5}
    - {name: cms, kind: webhook, format: ninjs, url: \"http://127.0.0.1:8080/hook\", secret: secret-0123456789,
       timeout_seconds: 5}";

    fn read(targets: &str) -> Result<Settings, ConfigError> {
        load(Path::new("config.yaml"), &TEMPLATE.replace("targets: null", targets), Path::new("/desk"))
    }

    fn problems(changes: &[(&str, &str)]) -> Vec<String> {
        let mut targets = TARGETS.to_owned();
        for (from, to) in changes {
            assert!(targets.contains(from), "{from}");
            targets = targets.replace(from, to);
        }
        let problems = read(&targets).unwrap_err().problems;
        problems.into_iter().map(|problem| format!("{} {}", problem.key, problem.message)).collect()
    }

    #[test]
    fn the_template_has_no_target_and_wants_a_signature() {
        let publisher = read("targets: null").unwrap().publisher;
        assert_eq!((publisher.targets, publisher.auto), (vec![], false));
    }

    #[test]
    fn targets_are_folders_mails_webhooks_and_tools() {
        let settings = read(TARGETS).unwrap();
        let [site, partners, cms] = settings.publisher.targets.as_slice() else { panic!() };
        assert_eq!(site.at, TargetPlace::Folder("/desk/site".into()));
        assert_eq!(partners.format, ExportFormat::Docx);
        let TargetPlace::Email(mail) = &partners.at else { panic!() };
        assert_eq!((mail.endpoint.authority().as_str(), mail.port, mail.to.len()), ("127.0.0.1:2525", 2525, 2));
        assert_eq!(cms.secret(), Some(&Secret::new("secret-0123456789".into())));
        let named: Vec<String> = settings.endpoints().into_iter().map(|endpoint| endpoint.setting).collect();
        assert!(
            named.ends_with(&["publisher.targets[1].server", "publisher.targets[2].url"].map(str::to_owned)),
            "{named:?}"
        );
        let said = settings.secrets().hide_in_message("pass-0123456789 secret-0123456789");
        assert_eq!(said, "[secret] [secret]");
    }

    #[test]
    fn each_problem_is_told_with_its_key() {
        for (from, to, says) in [
            (
                "folder: ./site",
                "folder: ./site, url: x",
                "publisher.targets[0].url is not a key of this section; its keys are folder",
            ),
            (
                "[a@b.example, c@d.example]",
                "[\"a@b.example\\r\\nBcc: x@y.example\"]",
                "publisher.targets[1].to[0] must be an address such as desk@example.com; \"a@b.example\\r\\nBcc",
            ),
            ("a@b.example, ", "\"Ada <a@b.example>\", ", "publisher.targets[1].to[0] must be an address such as desk@"),
            (
                "secret: secret-0123456789",
                "secret: short",
                "publisher.targets[2].secret must have at least 16 characters",
            ),
            (
                "kind: folder",
                "kind: fax",
                "publisher.targets[0].kind must be one of folder, email, webhook, mcp, bucket",
            ),
            ("server: 127.0.0.1", "server: \"x@mail/y\"", "publisher.targets[1].server must be a host's name"),
            (
                "password: pass-0123456789",
                "password: null",
                "publisher.targets[1].password and user go together: give both, or null for both",
            ),
            (
                "name: cms",
                "name: site",
                "publisher.targets[2].name must be a name of its own; \"site\" stands there twice",
            ),
            (
                "name: partners",
                "name: our partners",
                "publisher.targets[1].name must be at most 40 letters, digits, _ and -",
            ),
        ] {
            let told = problems(&[(from, to)]);
            assert!(told.len() == 1 && told[0].starts_with(says), "{told:?}");
        }
    }

    #[test]
    fn a_local_desk_sends_nothing_away_and_no_password_in_the_clear() {
        let away = [("server: 127.0.0.1", "server: mail.example"), ("http://127.0.0.1:8080", "https://cms.example")];
        let said = problems(&away);
        assert!(
            said[0].starts_with("publisher.targets[1].security must be starttls or tls; with none the password"),
            "{said:?}"
        );
        assert!(said[1].starts_with("publisher.targets[1].server names mail.example"), "{said:?}");
        assert!(said[2].starts_with("publisher.targets[2].url names cms.example"), "{said:?}");
    }

    #[test]
    fn a_bucket_has_its_name_and_its_prefix_and_shows_no_key() {
        let target = |bucket: &str| {
            format!(
                "targets:\n    - {{name: archive, kind: bucket, format: html, bucket: {bucket}, url: \"http://127.0.0.1:9000\",\n       \
                 region: eu-central-1, access_key_id: AKIA0123, secret_access_key: geheim-0123456789, timeout_seconds: 5}}"
            )
        };
        let settings = read(&target("s3://newsroom/site/news/")).unwrap();
        let TargetPlace::Bucket(bucket) = &settings.publisher.targets[0].at else { panic!() };
        assert_eq!(bucket.to_string(), "s3://newsroom/site/news at 127.0.0.1:9000");
        assert_eq!(settings.secrets().hide_in_message("geheim-0123456789"), "[secret]");
        assert_eq!(
            settings.endpoints().last().map(|endpoint| endpoint.setting.as_str()),
            Some("publisher.targets[0].url")
        );
        let alone = BucketPlace { bucket: "newsroom".into(), prefix: String::new() };
        assert_eq!(serde_yaml::from_str::<BucketPlace>("s3://newsroom").unwrap(), alone);
        for none in ["newsroom", "s3://", "s3://News/x", "s3://ab", "https://newsroom/x"] {
            let told = read(&target(none)).unwrap_err().problems;
            assert!(
                told[0].key == "publisher.targets[0].bucket" && told[0].message.contains("s3://newsroom/"),
                "{told:?}"
            );
        }
        let away = read(&target("s3://newsroom").replace("127.0.0.1:9000", "s3.example")).unwrap_err().problems;
        assert!(away[0].message.starts_with("names s3.example, which is not this machine"), "{away:?}");
    }

    #[test]
    fn a_tool_is_of_a_server_that_is_configured() {
        let tool = "targets:\n    - {name: wire, kind: mcp, format: ninjs, server: wire, tool: publish}";
        let problems = read(tool).unwrap_err().problems;
        assert_eq!(problems[0].key, "publisher.targets[0].server");
        let server = "servers:\n    - {name: wire, url: \"http://127.0.0.1:9/mcp\", bearer: null, agents: [], tools: null, acts: [], timeout_seconds: 5, longest_result_kb: 64, sources: []}";
        let yaml = TEMPLATE.replace("targets: null", tool).replace("servers: null", server);
        let settings = load(Path::new("config.yaml"), &yaml, Path::new("/desk")).unwrap();
        assert!(matches!(settings.publisher.targets[0].at, TargetPlace::Mcp(_)));
    }
}
