//! The places where a signed story may go, as configured.

use std::path::PathBuf;

use super::{Endpoint, Secret};
use copydesk_core::editorial::export::ExportFormat;
use copydesk_newsroom::TargetKind;

/// `publisher.targets`: a place for signed stories.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishTarget {
    /// Letters, digits, `_` and `-`; no other target has it.
    pub name: String,
    pub at: TargetPlace,
    /// The format of the files that are sent there.
    pub format: ExportFormat,
    /// The key of this target, such as `publisher.targets[0]`.
    pub setting: String,
}

/// How a target is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetPlace {
    /// A folder, resolved against the workspace.
    Folder(PathBuf),
    Email(MailTarget),
    Webhook(WebhookTarget),
    /// A tool of one of `mcp.servers`.
    Mcp {
        server: String,
        tool: String,
    },
}

/// Mail by a server for outgoing mail.
#[derive(Debug, Clone, PartialEq)]
pub struct MailTarget {
    /// The server; its address is a host and a port alone.
    pub endpoint: Endpoint,
    pub port: u16,
    pub security: MailSecurity,
    /// User and password; none if the server asks for none.
    pub login: Option<(String, Secret)>,
    pub from: String,
    pub to: Vec<String>,
    pub timeout_seconds: f64,
}

/// How the way to a mail server is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailSecurity {
    /// Not at all.
    None,
    /// From the first byte on, usually at port 465.
    Tls,
    /// After a greeting in the clear, usually at port 587. A server that does not offer it gets no mail.
    Starttls,
}

/// An address that takes a POST.
#[derive(Debug, Clone, PartialEq)]
pub struct WebhookTarget {
    pub endpoint: Endpoint,
    /// The key with which each request is signed.
    pub secret: Secret,
    pub timeout_seconds: f64,
}

impl PublishTarget {
    #[must_use]
    pub fn kind(&self) -> TargetKind {
        match self.at {
            TargetPlace::Folder(_) => TargetKind::Folder,
            TargetPlace::Email(_) => TargetKind::Email,
            TargetPlace::Webhook(_) => TargetKind::Webhook,
            TargetPlace::Mcp { .. } => TargetKind::Mcp,
        }
    }

    /// The address that it sends to; none for a folder, and for a tool, whose server has its own key.
    #[must_use]
    pub fn endpoint(&self) -> Option<&Endpoint> {
        match &self.at {
            TargetPlace::Email(mail) => Some(&mail.endpoint),
            TargetPlace::Webhook(webhook) => Some(&webhook.endpoint),
            TargetPlace::Folder(_) | TargetPlace::Mcp { .. } => None,
        }
    }

    /// Its secret, if it has one.
    #[must_use]
    pub fn secret(&self) -> Option<&Secret> {
        match &self.at {
            TargetPlace::Email(mail) => mail.login.as_ref().map(|(_, password)| password),
            TargetPlace::Webhook(webhook) => Some(&webhook.secret),
            TargetPlace::Folder(_) | TargetPlace::Mcp { .. } => None,
        }
    }
}
