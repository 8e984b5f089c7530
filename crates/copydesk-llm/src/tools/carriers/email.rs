//! By mail: one message to all receivers, over SMTP (RFC 5321).
//!
//! The server has not taken the message until it has been told that it is whole: any error before that is a failure.
//! After that only its answer tells.

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

use crate::llm::Egress;
use copydesk_config::{MailSecurity, MailTarget, Secrets};
use copydesk_core::editorial::{distribution::message_id, export::ExportFormat};
use copydesk_core::ports::{CallError, Carrier, CarryError, Parcel};

/// Sends stories by mail.
pub struct MailCarrier {
    egress: Egress,
    target: MailTarget,
    format: ExportFormat,
    secrets: Secrets,
}

impl MailCarrier {
    /// `secrets` are those of the whole configuration; `local_only` refuses every host that is not this machine. The
    /// copy in `format` is attached, unless it is the mail's text already.
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

    async fn send(&self, parcel: &Parcel, told_whole: &mut bool) -> Result<String, CarryError> {
        let refused = |error: CallError| CarryError::Refused(error.to_string());
        self.egress.allow(&self.target.endpoint).map_err(refused)?;
        let message = self.message(parcel)?;
        // A file is encoded in the message: what it says is looked at before that.
        let file = parcel.file_name.as_bytes();
        let told = [parcel.subject.as_bytes(), parcel.text.as_bytes(), file, &parcel.bytes].join(&b'\n');
        let noted = self.egress.admit(&self.target.endpoint, &told).await.map_err(refused)?;
        let sent = self.deliver(&message, told_whole).await;
        noted.ended(0, if sent.is_ok() { "taken" } else { "not taken, or not known to be" });
        sent
    }

    async fn deliver(&self, message: &Message, told: &mut bool) -> Result<String, CarryError> {
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
            // If the server refuses one recipient, the mail goes to none.
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
        let MailTarget { endpoint, port, security, user, password, timeout_seconds, .. } = &self.target;
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
        if let (Some(user), Some(password)) = (user, password) {
            let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
            server.auth(DEFAULT_MECHANISMS, &credentials).await?;
        }
        Ok(server)
    }

    /// The error of a mail that the server has not taken.
    fn unsent(&self, error: &SmtpError) -> CarryError {
        let detail = self.shown(&format!("{} did not take the mail: {error}", self.host()));
        // A permanent refusal, and a limit of this program, would be the same the next time.
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

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead as _, BufReader, Write as _},
        net::TcpListener,
        sync::mpsc,
    };

    use super::*;
    use copydesk_config::Endpoint;

    /// How a scripted server ends a conversation.
    #[derive(Clone, Copy, PartialEq)]
    enum Script {
        Takes,
        /// Answers this to the second receiver.
        RefusesReceiver(&'static str),
        /// Answers this to the whole mail.
        RefusesMail(&'static str),
        /// Closes the connection once it has the whole mail.
        BreaksOff,
        /// Never answers the whole mail.
        SaysNothing,
        /// Never greets.
        NeverGreets,
    }

    /// A server for one conversation, which hands over what it was sent.
    fn server(script: Script) -> (u16, mpsc::Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let (mut said, mut receivers) = (String::new(), 0);
            if script != Script::NeverGreets {
                stream.write_all(b"220 mail.test\r\n").unwrap();
            }
            while let Some(line) = lines.next() {
                said.extend([line.as_str(), "\n"]);
                receivers += usize::from(line.starts_with("RCPT"));
                let answer = match (script, line.split(' ').next().unwrap_or_default()) {
                    (Script::RefusesReceiver(answer), "RCPT") if receivers == 2 => answer,
                    (_, "DATA") => {
                        stream.write_all(b"354 go on\r\n").unwrap();
                        for line in lines.by_ref().take_while(|line| line != ".") {
                            said.extend([line.as_str(), "\n"]);
                        }
                        match script {
                            Script::RefusesMail(answer) => answer,
                            Script::BreaksOff => break,
                            Script::SaysNothing => continue,
                            _ => "250 queued as 17",
                        }
                    }
                    (_, "QUIT") => "221 bye",
                    _ => "250 ok",
                };
                stream.write_all(format!("{answer}\r\n").as_bytes()).unwrap();
            }
            let _ = tell.send(said);
        });
        (port, told)
    }

    fn carrier(port: u16, format: ExportFormat) -> MailCarrier {
        let base = format!("http://127.0.0.1:{port}").parse().unwrap();
        let target = MailTarget {
            endpoint: Endpoint { base, setting: "publisher.targets[0].server".into() },
            port,
            security: MailSecurity::None,
            user: None,
            password: None,
            from: "desk@news.example".into(),
            to: vec!["a@b.example".into(), "c@d.example".into()],
            timeout_seconds: 1.0,
        };
        MailCarrier::new(target, format, Secrets::default(), true)
    }

    fn parcel() -> Parcel {
        Parcel {
            key: "0123".into(),
            story: "desk/park".into(),
            file_name: "desk-pärk\"\r\nX.html".into(),
            media_type: "text/html; charset=utf-8",
            bytes: b"<p>page</p>".to_vec(),
            subject: "Der Rat stimmte für den Park Bcc: all@news.example".into(),
            text: "The council voted.\n.\nBcc: x\n".into(),
            replaces: false,
            earlier: vec![],
        }
    }

    #[tokio::test]
    async fn a_mail_has_its_key_in_its_name_and_no_header_but_its_own() {
        let (port, told) = server(Script::Takes);
        let answer = carrier(port, ExportFormat::Html).carry(&parcel()).await.unwrap();
        assert!(answer.ends_with("answered 250 queued as 17"), "{answer}");
        let said = told.recv().unwrap();
        let head = said.split_once("DATA\n").unwrap().1.split("\n\n").next().unwrap();
        assert!(head.contains("Message-ID: <0123.copydesk@news.example>\n"), "{head}");
        assert!(head.contains("To: a@b.example, c@d.example\n") && head.contains("Subject: "), "{head}");
        assert!(head.is_ascii(), "{head}");
        for line in head.lines() {
            assert!(!line.starts_with("Bcc") && !line.starts_with("X."), "{head}");
        }
        assert_eq!(said.matches("RCPT TO:").count(), 2);
        assert!(said.contains("The council voted.\n..\nBcc: x"), "a line of one dot does not end the mail: {said}");
    }

    type Expected = fn(&CarryError) -> bool;

    #[tokio::test]
    async fn what_a_server_has_not_taken_has_failed_and_what_it_may_have_is_doubtful() {
        let refused = |error: &CarryError| matches!(error, CarryError::Refused(_));
        let not_now = |error: &CarryError| matches!(error, CarryError::NotNow { .. });
        let doubtful = |error: &CarryError| matches!(error, CarryError::Doubtful(_));
        let cases: [(Script, Expected); 7] = [
            (Script::RefusesReceiver("550 no such user"), refused),
            (Script::RefusesReceiver("450 try later"), not_now),
            (Script::RefusesMail("554 spam"), refused),
            (Script::RefusesMail("451 try later"), not_now),
            (Script::BreaksOff, doubtful),
            (Script::SaysNothing, doubtful),
            (Script::NeverGreets, not_now),
        ];
        for (at, (script, wanted)) in cases.into_iter().enumerate() {
            let (port, _told) = server(script);
            let error = carrier(port, ExportFormat::Markdown).carry(&parcel()).await.unwrap_err();
            assert!(wanted(&error), "case {at}: {error:?}");
        }
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let error = carrier(nobody, ExportFormat::Markdown).carry(&parcel()).await.unwrap_err();
        assert!(not_now(&error), "{error:?}");
    }

    #[tokio::test]
    async fn a_local_desk_sends_no_mail_away_and_no_plain_server_gets_what_asks_for_tls() {
        let mut away = carrier(25, ExportFormat::Markdown);
        away.target.endpoint.base = "http://mail.example:25".parse().unwrap();
        let error = away.carry(&parcel()).await.unwrap_err();
        assert!(matches!(&error, CarryError::Refused(why) if why.contains("privacy.local_only")), "{error:?}");
        let (port, told) = server(Script::Takes);
        let mut private = carrier(port, ExportFormat::Markdown);
        private.target.security = MailSecurity::Starttls;
        let error = private.carry(&parcel()).await.unwrap_err();
        assert!(matches!(error, CarryError::Refused(_)), "{error:?}");
        assert!(!told.recv().unwrap().contains("MAIL"));
    }
}
