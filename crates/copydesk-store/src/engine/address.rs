//! The address of a desk on a server, and the way there.

use std::{error::Error as _, future::poll_fn, pin::Pin};

use rustls_tokio_postgres::{MakeRustlsConnect, config_from_ca_cert, config_platform_verifier};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, config::TargetSessionAttrs};
use url::Url;

use copydesk_core::ports::{StoreError, address_of_each};

/// How long a server may take to be reached.
const REACHED: std::time::Duration = std::time::Duration::from_secs(10);

/// The address of a desk, read once.
pub(crate) struct ServerAddress {
    config: Config,
    /// None on this machine.
    tls: Option<MakeRustlsConnect>,
    /// The schema of its tables; none: the user's usual one.
    schema: Option<String>,
    name: String,
}

impl ServerAddress {
    /// From `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the options `sslrootcert=FILE`, for a certificate authority of one's own,
    /// `schema=NAME`, for one of several desks in a database, and those of the protocol. Another machine is asked through TLS alone, and its certificate must be for its name.
    /// Of several hosts, with commas between them, the first that takes changes is used.
    ///
    /// # Errors
    /// [`StoreError::NotUsable`] if the address cannot be read. The message does not repeat it: it may have a password.
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        let each = address_of_each(url).iter().map(|url| Url::parse(url)).collect::<Result<Vec<_>, _>>();
        let mut each = each.map_err(|error| refused("postgres://…", &error))?;
        let name = named(&each);
        let is_here = each.iter().all(is_here);
        let mut url = each.remove(0);
        let mut certificate = None;
        let (mut mode, mut schema) = (None, None);
        let mut others = Vec::new();
        for (key, value) in url.query_pairs() {
            match &*key {
                "sslmode" => mode = Some(value.into_owned()),
                "sslrootcert" => certificate = Some(value.into_owned()),
                "schema" => schema = Some(value.into_owned()),
                "host" | "hostaddr" | "port" => {
                    return Err(refused(
                        &name,
                        &format!("{key} must stand before the database's name, not among its options"),
                    ));
                }
                _ => others.push((key.into_owned(), value.into_owned())),
            }
        }
        url.set_query(None);
        if !others.is_empty() {
            url.query_pairs_mut().extend_pairs(others);
        }
        // The library reads a blank as `%20` alone.
        let mut config: Config =
            url.as_str().replace('+', "%20").parse().map_err(|error| refused(&name, &told(&error)))?;
        config.application_name(own_name());
        for other in &each {
            config.host(host_of(other)).port(other.port().unwrap_or(5432));
        }
        if !each.is_empty() && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(REACHED);
        }
        if let Some(schema) = &schema {
            if schema.is_empty()
                || !schema.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
            {
                return Err(refused(&name, &"schema must be a name of small letters, digits and _"));
            }
            config.options(format!("-c search_path={schema},public"));
        }
        let tls = match mode.as_deref() {
            None | Some("disable") if is_here => None,
            None | Some("verify-full") => Some(tls(certificate.as_deref(), &name)?),
            Some(other) => {
                return Err(refused(&name, &format!("sslmode is {other}, and must be verify-full")));
            }
        };
        if tls.is_some() {
            config.ssl_mode(tokio_postgres::config::SslMode::Require);
        }
        Ok(Self { config, tls, schema, name })
    }

    /// The address as a person may see it: without user and password.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// A client, and its connection: a future that works until the connection is cut, and calls `heard` with the payload of each
    /// notification.
    pub(crate) async fn connect(
        &self,
        heard: impl Fn(&str) + Send + 'static,
    ) -> Result<(Client, Pin<Box<dyn Future<Output = ()> + Send>>), tokio_postgres::Error> {
        if let Some(tls) = &self.tls {
            let (client, connection) = self.config.connect(tls.clone()).await?;
            return Ok((client, Box::pin(hear(connection, heard))));
        }
        let (client, connection) = self.config.connect(NoTls).await?;
        Ok((client, Box::pin(hear(connection, heard))))
    }
}

async fn hear<S, T>(mut connection: Connection<S, T>, heard: impl Fn(&str))
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
    T: AsyncRead + AsyncWrite + Unpin + Send,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(news) = message {
            heard(news.payload());
        }
    }
}

fn tls(certificate: Option<&str>, name: &str) -> Result<MakeRustlsConnect, StoreError> {
    // A second call changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = match certificate {
        Some(file) => config_from_ca_cert(file).map_err(|error| refused(name, &format!("sslrootcert: {error}")))?,
        None => config_platform_verifier().map_err(|error| refused(name, &error))?,
    };
    Ok(MakeRustlsConnect::new(config))
}

fn named(each: &[Url]) -> String {
    let host = |url: &Url| {
        let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
        format!("{}{port}", url.host_str().unwrap_or_default())
    };
    let path = each.first().map_or("", Url::path);
    format!("postgres://{}{path}", each.iter().map(host).collect::<Vec<_>>().join(","))
}

fn host_of(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_matches(['[', ']'])
}

fn is_here(url: &Url) -> bool {
    let host = host_of(url);
    host.is_empty() || host == "localhost" || host.parse().is_ok_and(|host: std::net::IpAddr| host.is_loopback())
}

/// This program, as others that share the desk see it.
fn own_name() -> String {
    #[cfg(unix)]
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let machine = "another machine";
    format!("copydesk on {machine}, process {}", std::process::id())
}

fn refused(name: &str, detail: &dyn ToString) -> StoreError {
    StoreError::NotUsable { file: name.to_owned(), detail: detail.to_string() }
}

/// The server's message, or the reason why it could not be asked. The library's own message leaves the reason to the error below.
pub(crate) fn told(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => said.message().to_owned(),
        (None, Some(reason)) => format!("{error}: {reason}"),
        (None, None) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why_not(url: &str) -> String {
        ServerAddress::parse(url).map(drop).unwrap_err().to_string()
    }

    #[test]
    fn another_machine_is_asked_through_tls_alone() {
        let other = ServerAddress::parse("postgres://desk:geheim@db.example/newsroom").unwrap();
        assert!(other.tls.is_some());
        assert_eq!(other.name(), "postgres://db.example/newsroom");
        assert!(ServerAddress::parse("postgres://desk@127.0.0.1:5499/newsroom").unwrap().tls.is_none());
        let open = why_not("postgres://desk:geheim@db.example/newsroom?sslmode=disable");
        assert!(open.contains("must be verify-full") && !open.contains("geheim"), "{open}");
        let either = ServerAddress::parse("postgres://desk@127.0.0.1:5499,db.example/newsroom").unwrap();
        assert!(either.tls.is_some() && either.name() == "postgres://127.0.0.1:5499,db.example/newsroom");
        assert_eq!((either.config.get_hosts().len(), either.config.get_ports()), (2, &[5499, 5432][..]));
        let missing = why_not("postgres://desk@db.example/newsroom?sslrootcert=/none/there.pem");
        assert!(missing.contains("sslrootcert"), "{missing}");
    }

    #[test]
    fn options_of_the_protocol_are_kept_and_an_unknown_one_is_refused() {
        assert!(
            ServerAddress::parse("postgres://desk@localhost/newsroom?options=-csearch_path%3Ddesk%20-cx%3D1").is_ok()
        );
        assert!(why_not("postgres://desk@localhost/newsroom?colour=red").contains("colour"));
        assert!(
            why_not("postgres://desk@localhost/newsroom?hostaddr=192.0.2.1").contains("hostaddr must stand before")
        );
        assert!(why_not("postgres://desk@localhost/newsroom?schema=a;b").contains("schema"));
    }
}
