//! `publisher`: the checks before an article is signed, and the places where it may go afterwards.

use std::path::Path;

use url::Url;

use super::{
    Endpoint, PublisherSettings,
    fields::{endpoint, seconds},
    mcp_settings::McpServer,
    reader::Section,
    target_settings::{MailSecurity, MailTarget, PublishTarget, TargetPlace, WebhookTarget},
};
use copydesk_core::editorial::export::ExportFormat;
use copydesk_newsroom::{Disclosure, TargetKind};

/// Most characters of a target's name.
const LONGEST_NAME: usize = 40;

/// Fewest characters of a webhook's secret: fewer can be guessed from one signed request.
const SHORTEST_SECRET: usize = 16;

/// Reads the section; relative folders start from `workspace`.
pub(super) fn read_publisher(publisher: &Section<'_>, workspace: &Path) -> PublisherSettings {
    let checks = publisher.yes_or_no("checks", "whether the Publisher looks at each draft that passed");
    let auto = publisher.yes_or_no("auto", "whether stories of `run --auto` may be published without a sign-off");
    let disclosure =
        publisher.one_of("disclosure", &Disclosure::ALL, "what articles say about artificial intelligence");
    let key =
        publisher.text_or_null("signing_key", "a file of a private key for Ed25519, such as ./config/editor.pem,");
    let targets = publisher.sections_or_null("targets", "a list of targets", |target| read_target(target, workspace));
    let targets: Vec<PublishTarget> = targets.into_iter().flatten().collect();
    for (at, target) in targets.iter().enumerate() {
        if targets.iter().take(at).any(|other| other.name == target.name) {
            publisher.problem(
                &format!("targets[{at}].name"),
                format!("is {:?}, as another target's; a name of its own belongs there", target.name),
            );
        }
    }
    PublisherSettings {
        checks,
        auto,
        disclosure: disclosure.unwrap_or_default(),
        signing_key: key.map(|key| workspace.join(key).components().collect()),
        targets,
    }
}

/// Reports each target whose MCP server is not configured.
pub(super) fn check_servers(root: &Section<'_>, targets: &[PublishTarget], servers: &[McpServer]) {
    for target in targets {
        if let TargetPlace::Mcp { server, .. } = &target.at
            && !servers.iter().any(|known| known.name == *server)
        {
            let message = format!("is {server:?}, which is none of mcp.servers: add it there, or name one of them");
            root.problem(&format!("{}.server", target.setting), message);
        }
    }
}

fn read_target(target: &Section<'_>, workspace: &Path) -> Option<PublishTarget> {
    let name = target.text("name", "a short name for the target");
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)) || name.len() > LONGEST_NAME {
        target.problem("name", format!("is {name:?}; at most {LONGEST_NAME} letters, digits, _ and - belong there"));
    }
    let kind = target.one_of("kind", &TargetKind::ALL.map(|kind| (kind.name(), kind)), "the kind of target");
    let format: Option<ExportFormat> = target.one_of("format", &ExportFormat::OUTSIDE, "what is sent");
    let at = match kind {
        Some(TargetKind::Folder) => {
            let folder = target.text("folder", "the folder that the files go to");
            Some(TargetPlace::Folder(workspace.join(folder).components().collect()))
        }
        Some(TargetKind::Email) => read_mail(target).map(TargetPlace::Email),
        Some(TargetKind::Webhook) => {
            let at = endpoint(target, "url");
            let secret = target.secret("secret", "the secret that signs each request");
            if !secret.reveal().is_empty() && secret.reveal().len() < SHORTEST_SECRET {
                target.problem("secret", format!("is too short; at least {SHORTEST_SECRET} characters belong there"));
            }
            let timeout_seconds = seconds(target);
            at.map(|endpoint| TargetPlace::Webhook(WebhookTarget { endpoint, secret, timeout_seconds }))
        }
        Some(TargetKind::Mcp) => Some(TargetPlace::Mcp {
            server: target.text("server", "the name of one of mcp.servers"),
            tool: target.text("tool", "the server's tool that publishes, such as publish"),
        }),
        None => {
            // Of its keys nothing can be said.
            target.pass_over(&[
                "folder",
                "server",
                "port",
                "security",
                "user",
                "password",
                "from",
                "to",
                "url",
                "secret",
                "timeout_seconds",
                "tool",
            ]);
            None
        }
    };
    Some(PublishTarget { name, at: at?, format: format?, setting: target.path_of("").trim_end_matches('.').to_owned() })
}

fn read_mail(target: &Section<'_>) -> Option<MailTarget> {
    let host = target.text("server", "the server for outgoing mail, such as mail.example.com");
    let port = target.whole("port", 1..=65_535, "the server's port, such as 587");
    let securities = [("starttls", MailSecurity::Starttls), ("tls", MailSecurity::Tls), ("none", MailSecurity::None)];
    let security = target.one_of("security", &securities, "how the way to the server is kept private");
    let user = target.text_or_null("user", "the user that the server knows");
    let password = target.secret_or_null("password", "that user's password");
    let from = address(target, "from", &target.text("from", "the address that sends"));
    let to = target.texts("to", "a list of addresses");
    let to: Vec<String> = to.into_iter().filter_map(|text| address(target, "to", &text)).collect();
    let timeout_seconds = seconds(target);
    let login = match (user, password) {
        (Some(user), Some(password)) => Some((user, password)),
        (None, None) => None,
        _ => {
            target.problem("password", "and user go together: give both, or null for both");
            None
        }
    };
    let address = Url::parse(&format!("http://{host}:{port}")).ok().filter(|url| {
        url.host_str().is_some_and(|host| !host.is_empty()) && url.username().is_empty() && url.path() == "/"
    });
    let Some(base) = address else {
        if !host.is_empty() {
            target.problem("server", format!("is {host:?}; a host's name such as mail.example.com belongs there"));
        }
        return None;
    };
    let endpoint = Endpoint { base, setting: target.path_of("server") };
    if security == Some(MailSecurity::None) && login.is_some() && !endpoint.is_loopback() {
        target.problem(
            "security",
            "is none, and the password would cross the network for all to read: starttls or tls belongs there",
        );
    }
    Some(MailTarget {
        endpoint,
        port: u16::try_from(port).ok()?,
        security: security?,
        login,
        from: from?,
        to,
        timeout_seconds,
    })
}

/// An address that cannot end a header, begin another, or be two.
fn address(target: &Section<'_>, key: &'static str, text: &str) -> Option<String> {
    let is_one = |text: &str| {
        let (name, host) = text.rsplit_once('@')?;
        let fits = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_graphic() && !"@<>()[],;:\\\"".contains(c))
        };
        (fits(name) && fits(host)).then_some(())
    };
    if text.is_empty() {
        return None;
    }
    if is_one(text).is_none() {
        target.problem(key, format!("holds {text:?}; an address such as desk@example.com belongs there"));
        return None;
    }
    Some(text.to_owned())
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
        assert_eq!((partners.kind(), partners.format), (TargetKind::Email, ExportFormat::Docx));
        let TargetPlace::Email(mail) = &partners.at else { panic!() };
        assert_eq!((mail.endpoint.authority().as_str(), mail.port, mail.to.len()), ("127.0.0.1:2525", 2525, 2));
        assert_eq!(cms.secret(), Some(&Secret::new("secret-0123456789".into())));
        let named: Vec<&str> = settings.endpoints().iter().map(|endpoint| endpoint.setting.as_str()).collect();
        assert!(named.ends_with(&["publisher.targets[1].server", "publisher.targets[2].url"]), "{named:?}");
        let said = settings.secrets().hide_in_message("pass-0123456789 secret-0123456789");
        assert_eq!(said, "[secret] [secret]");
    }

    #[test]
    fn each_problem_is_told_with_its_key() {
        let wrong = problems(&[
            ("name: cms", "name: site"),
            ("name: partners", "name: our partners"),
            ("[a@b.example, c@d.example]", "[\"a@b.example\\r\\nBcc: x@y.example\", \"Ada <a@b.example>\"]"),
            ("secret: secret-0123456789", "secret: short"),
            ("password: pass-0123456789", "password: null"),
            ("folder: ./site", "folder: ./site, url: x"),
        ]);
        assert_eq!(
            wrong,
            [
                "publisher.targets[0].url is not a key of this section; its keys are name, kind, format, folder",
                "publisher.targets[1].name is \"our partners\"; at most 40 letters, digits, _ and - belong there",
                "publisher.targets[1].to holds \"a@b.example\\r\\nBcc: x@y.example\"; an address such as desk@example.com belongs there",
                "publisher.targets[1].to holds \"Ada <a@b.example>\"; an address such as desk@example.com belongs there",
                "publisher.targets[1].password and user go together: give both, or null for both",
                "publisher.targets[2].secret is too short; at least 16 characters belong there",
                "publisher.targets[2].name is \"site\", as another target's; a name of its own belongs there",
            ]
        );
        let kind = problems(&[("kind: folder", "kind: fax"), ("server: 127.0.0.1", "server: \"x@mail/y\"")]);
        assert!(kind[0].starts_with("publisher.targets[0].kind is \"fax\"") && kind.len() == 2, "{kind:?}");
        assert!(kind[1].starts_with("publisher.targets[1].server is \"x@mail/y\""), "{kind:?}");
    }

    #[test]
    fn a_local_desk_sends_nothing_away_and_no_password_in_the_clear() {
        let away = [("server: 127.0.0.1", "server: mail.example"), ("http://127.0.0.1:8080", "https://cms.example")];
        let said = problems(&away);
        assert!(said[0].starts_with("publisher.targets[1].security is none, and the password"), "{said:?}");
        assert!(said[1].starts_with("publisher.targets[1].server names mail.example"), "{said:?}");
        assert!(said[2].starts_with("publisher.targets[2].url names cms.example"), "{said:?}");
    }

    #[test]
    fn a_tool_is_of_a_server_that_is_configured() {
        let tool = "targets:\n    - {name: wire, kind: mcp, format: ninjs, server: wire, tool: publish}";
        let problems = read(tool).unwrap_err().problems;
        assert_eq!(problems[0].key, "publisher.targets[0].server");
        let server = "servers:\n    - {name: wire, url: \"http://127.0.0.1:9/mcp\", bearer: null, agents: [], tools: null, acts: [], timeout_seconds: 5, longest_result_kb: 64, sources: []}";
        let yaml = TEMPLATE.replace("targets: null", tool).replace("servers: null", server);
        let settings = load(Path::new("config.yaml"), &yaml, Path::new("/desk")).unwrap();
        assert_eq!(settings.publisher.targets[0].kind(), TargetKind::Mcp);
    }
}
