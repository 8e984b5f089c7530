//! Where the desk is kept: in a file, or on a PostgreSQL server.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, de::Error};
use url::Url;

use super::{Endpoint, Secret};
use copydesk_core::ports::address_of_each;

/// The key `database`.
#[derive(Debug, Clone)]
pub enum DatabasePlace {
    /// A SQLite file.
    File(PathBuf),
    Server(DatabaseServer),
}

/// A desk on a server.
#[derive(Debug, Clone)]
pub struct DatabaseServer {
    /// The address with its user and password.
    pub url: Secret,
    /// The same without them and without options, for each of its hosts.
    pub endpoints: Vec<Endpoint>,
}

impl DatabasePlace {
    /// Reads a path, or an address that begins with `postgres://`.
    ///
    /// # Errors
    /// The end of a sentence about an address that cannot be one. It does not repeat the address, which may have a password.
    pub fn named(text: &str) -> Result<Self, &'static str> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Ok(Self::File(text.into()));
        }
        let refused = "must be a file, or an address such as postgres://desk@127.0.0.1:5432/newsroom";
        let endpoint = |address: &String| {
            let mut base = Url::parse(address).map_err(|_| refused)?;
            if base.host_str().is_none_or(str::is_empty) || base.path().len() < 2 {
                return Err(refused);
            }
            base.set_username("").and_then(|()| base.set_password(None)).map_err(|()| refused)?;
            base.set_query(None);
            base.set_fragment(None);
            Ok(Endpoint { base, setting: "database".to_owned() })
        };
        let endpoints = address_of_each(text).iter().map(endpoint).collect::<Result<_, _>>()?;
        Ok(Self::Server(DatabaseServer { url: Secret::new(text.to_owned()), endpoints }))
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file),
            Self::Server(_) => None,
        }
    }

    /// The folder for what is kept beside the database on this machine, such as locks.
    pub fn folder(&self, workspace: &Path) -> PathBuf {
        match self {
            Self::File(file) => file.parent().unwrap_or_else(|| Path::new(".")).to_owned(),
            Self::Server(_) => workspace.join("data"),
        }
    }
}

impl fmt::Display for DatabasePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(out, "{}", file.display()),
            Self::Server(server) => {
                let hosts: Vec<String> = server.endpoints.iter().map(Endpoint::authority).collect();
                let path = server.endpoints.first().map_or("", |first| first.base.path());
                write!(out, "postgres://{}{path}", hosts.join(","))
            }
        }
    }
}

impl<'de> Deserialize<'de> for DatabasePlace {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        Self::named(&String::deserialize(value)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<DatabasePlace, serde_yaml::Error> {
        serde_yaml::from_str(text)
    }

    #[test]
    fn a_servers_address_is_shown_without_user_password_and_options() {
        let place = read("postgres://desk:geheim12345@db.example:5433/newsroom?sslmode=verify-full").unwrap();
        assert_eq!(place.to_string(), "postgres://db.example:5433/newsroom");
        let two = read("postgres://desk@db.example,db2.example:5433/newsroom").unwrap();
        assert_eq!(two.to_string(), "postgres://db.example,db2.example:5433/newsroom");
        assert!(!format!("{place:?}").contains("geheim"), "{place:?}");
        assert_eq!(place.folder(Path::new("/desk")), Path::new("/desk/data"));
    }

    #[test]
    fn whatever_else_is_a_file() {
        let place = read("./data/copydesk.db").unwrap();
        assert_eq!(place.file(), Some(Path::new("./data/copydesk.db")));
        assert!(read("postgres://").is_err());
        assert!(read("postgres://desk@127.0.0.1").is_err(), "no database");
        assert!(read("postgres://desk@127.0.0.1,/news").is_err(), "a second host without a name");
    }
}
