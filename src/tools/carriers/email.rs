//! By mail: one message to all receivers, over SMTP (RFC 5321).
//!
//! Until the server has been told that the message is whole it has not taken it: whatever goes wrong before that is a failure. After that
//! only its answer tells.

use std::time::Duration;

use async_trait::async_trait;
use lettre::{
    Address, Message,
    message::{Attachment, Mailbox, MultiPart, SinglePart, header::ContentType},
    transport::smtp::{
        Error as SmtpError,
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::{ClientId, Extension, MailBodyParameter, MailParameter},
    },
};

use crate::{
    config::{MailSecurity, MailTarget, Secrets},
    editorial::{distribution::message_id, export::ExportFormat},
    llm::Egress,
    newsroom::TargetKind,
    ports::{Carrier, CarryError, Parcel},
};

/// Sends stories by mail.
pub struct MailCarrier {
    egress: Egress,
    target: MailTarget,
    format: ExportFormat,
    secrets: Secrets,
}

impl MailCarrier {
    /// `secrets` are those of the whole configuration; `local_only` refuses every host that is not this machine. What is sent in `format`
    /// is attached, unless it is the mail's text already.
    #[must_use]
    pub fn new(target: MailTarget, format: ExportFormat, secrets: Secrets, local_only: bool) -> Self {
        Self { egress: Egress::new(local_only), target, format, secrets }
    }

    fn address(text: &str) -> Result<Address, CarryError> {
        text.parse().map_err(|error| CarryError::Refused(format!("{text} is no address: {error}")))
    }

    /// The whole message.
    fn message(&self, parcel: &Parcel) -> Result<Message, CarryError> {
        let mut builder = Message::builder()
            .from(Mailbox::new(None, Self::address(&self.target.from)?))
            .message_id(Some(message_id(&parcel.key, &self.target.from)))
            .subject(parcel.subject.clone());
        for to in &self.target.to {
            builder = builder.to(Mailbox::new(None, Self::address(to)?));
        }
        let unwritable =
            |error: &dyn std::fmt::Display| CarryError::Refused(format!("no mail can be made of it: {error}"));
        let text = SinglePart::plain(parcel.text.clone());
        let message = if self.format == ExportFormat::Markdown {
            builder.singlepart(text)
        } else {
            let media_type = ContentType::parse(parcel.media_type).map_err(|error| unwritable(&error))?;
            let file = Attachment::new(parcel.file_name.clone()).body(parcel.bytes.clone(), media_type);
            builder.multipart(MultiPart::mixed().singlepart(text).singlepart(file))
        };
        message.map_err(|error| unwritable(&error))
    }

    async fn send(&self, parcel: &Parcel, told: &mut bool) -> Result<String, CarryError> {
        self.egress.allow(&self.target.endpoint).map_err(|error| CarryError::Refused(error.to_string()))?;
        let message = self.message(parcel)?;
        let before = |error: SmtpError| self.unsent(&error);
        let mut server = self.connected().await.map_err(before)?;
        let bytes = message.formatted();
        let mut parameters = Vec::new();
        if !bytes.is_ascii() && server.server_info().supports_feature(Extension::EightBitMime) {
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        let sender = Some(Self::address(&self.target.from)?);
        server.command(Mail::new(sender, parameters)).await.map_err(before)?;
        for to in &self.target.to {
            // One that is refused: nobody gets it, rather than some.
            server.command(Rcpt::new(Self::address(to)?, vec![])).await.map_err(before)?;
        }
        server.command(Data).await.map_err(before)?;
        *told = true;
        let taken = server.message(&bytes).await;
        match taken {
            Ok(response) => {
                let words = response.message().collect::<Vec<_>>().join(" ");
                // It has the mail, whatever becomes of the connection.
                let _ = server.quit().await;
                Ok(self.shown(&format!("{} answered {} {words}", self.host(), response.code())))
            }
            // The server says itself that it has not taken it.
            Err(error) if error.status().is_some() => Err(self.unsent(&error)),
            Err(error) => Err(CarryError::Doubtful(
                self.shown(&format!("{} broke off after the mail was sent to it: {error}", self.host())),
            )),
        }
    }

    /// A connection that may send.
    async fn connected(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let MailTarget { endpoint, port, security, login, timeout_seconds, .. } = &self.target;
        let host = endpoint.host();
        // This name means this machine, even if a hosts file says otherwise.
        let at = if host.eq_ignore_ascii_case("localhost") { "127.0.0.1" } else { host.trim_matches(['[', ']']) };
        let hello = ClientId::default();
        let tls = || TlsParameters::new(host.to_owned());
        let first = if *security == MailSecurity::Tls { Some(tls()?) } else { None };
        let within = Some(Duration::from_secs_f64(*timeout_seconds));
        let mut server = AsyncSmtpConnection::connect_tokio1((at, *port), within, &hello, first, None).await?;
        if *security == MailSecurity::Starttls {
            server.starttls(tls()?, &hello).await?;
        }
        if let Some((user, password)) = login {
            let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
            server.auth(DEFAULT_MECHANISMS, &credentials).await?;
        }
        Ok(server)
    }

    /// What went wrong before the server had the mail.
    fn unsent(&self, error: &SmtpError) -> CarryError {
        let detail = self.shown(&format!("{} did not take the mail: {error}", self.host()));
        // What a server says for good, and what this program cannot do, would be the same the next time.
        let for_good = error.is_permanent() || error.is_client() || error.is_tls();
        if for_good { CarryError::Refused(detail) } else { CarryError::NotNow { detail, after: None } }
    }

    fn shown(&self, text: &str) -> String {
        self.secrets.hide_in_message(text)
    }

    fn host(&self) -> String {
        self.target.endpoint.authority()
    }
}

#[async_trait]
impl Carrier for MailCarrier {
    fn kind(&self) -> TargetKind {
        TargetKind::Email
    }

    fn place(&self) -> String {
        format!("{} by {}", self.target.to.join(", "), self.host())
    }

    async fn carry(&self, parcel: &Parcel) -> Result<String, CarryError> {
        let seconds = self.target.timeout_seconds;
        let mut told = false;
        let sent = tokio::time::timeout(Duration::from_secs_f64(seconds), self.send(parcel, &mut told)).await;
        sent.unwrap_or_else(|_| {
            let detail = format!("{} gave no answer within {seconds} s (timeout_seconds)", self.host());
            Err(if told { CarryError::Doubtful(detail) } else { CarryError::NotNow { detail, after: None } })
        })
    }
}
