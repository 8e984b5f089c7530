//! A server's database when it is opened: whether a desk can be there, and its tables if there are none yet.

use std::sync::Arc;

use super::{DatabaseEngine, address::ServerAddress, postgresql::Session};
use crate::{database::Database, fault::DbFault, schema};
use copydesk_core::ports::StoreError;

/// The oldest version of the server, as PostgreSQL counts it.
const OLDEST: i64 = 160_000;

/// A session with a server. Makes the tables in a schema that has none.
///
/// # Errors
/// [`StoreError::NotUsable`] if no desk can be kept there, [`StoreError::Newer`], or as the server.
pub(crate) fn open(address: &Arc<ServerAddress>) -> Result<Database, StoreError> {
    let session = Session::open(address)?;
    let db = Database::over(DatabaseEngine::Postgres(Box::new(session)), address.name().to_owned());
    make(&db, address.schema()).map_err(|fault| db.explain(fault))?;
    Ok(db)
}

fn make(db: &Database, schema: Option<&str>) -> Result<(), DbFault> {
    can_be_used(db)?;
    if let Some(schema) = schema {
        let is_there = || db.exists("SELECT 1 FROM pg_namespace WHERE nspname = ?1", [schema]);
        if !is_there()?
            && let Err(error) = db.set(&format!("CREATE SCHEMA IF NOT EXISTS {schema}"))
            // Another program may just have made it.
            && !is_there()?
        {
            return Err(error.into());
        }
    }
    let now: Option<String> = db.value("SELECT current_schema()", [])?;
    if now.is_none() || schema.is_some() && now.as_deref() != schema {
        let detail = "the user may not use its schema: the schema's owner runs GRANT USAGE, CREATE ON SCHEMA";
        return Err(not_usable(db, detail));
    }
    if is_made(db)? {
        return Ok(());
    }
    db.begin_to_write()?;
    let made = || {
        if !is_made(db)? {
            has_vectors(db)?;
            db.set(&tables(schema::TABLES_SQL))?;
            db.set(include_str!("postgresql.sql"))?;
            db.write("INSERT INTO setting (key, value) VALUES ('schema', ?1)", [schema::VERSION.to_string()])?;
        }
        Ok(db.commit()?)
    };
    made().inspect_err(|_| _ = db.transact("ROLLBACK"))
}

/// Refuses a server on which no desk can be kept, before anything is changed.
fn can_be_used(db: &Database) -> Result<(), DbFault> {
    let sql = "SELECT current_setting('server_version_num')::bigint, current_setting('server_version'),
                   pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on'";
    let (version, name, is_copy, is_closed): (i64, String, bool, bool) =
        db.first(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    if version < OLDEST {
        return Err(not_usable(db, &format!("it is PostgreSQL {name}, and Copydesk needs 16 or later")));
    }
    if is_copy {
        return Err(not_usable(
            db,
            "it is a copy of another server, which takes no changes: name the primary server in the key `database`",
        ));
    }
    if is_closed {
        return Err(not_usable(
            db,
            "it takes no changes (default_transaction_read_only is on): its administrator can turn that off, or name another server in the key `database`",
        ));
    }
    Ok(())
}

/// Whether the tables are there, in this program's version.
fn is_made(db: &Database) -> Result<bool, DbFault> {
    let known = schema::TABLES.map(|table| format!("'{table}'")).join(", ");
    let sql = format!(
        "SELECT count(*) FILTER (WHERE relname IN ({known})), count(*), coalesce(bool_or(relname = 'setting'), FALSE) FROM pg_class
         WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
             AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')"
    );
    // Tables of ours by their name, all that no extension made, and whether the one with the version is there.
    let (ours, all, has_version): (i64, i64, bool) =
        db.first(&sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if all == 0 {
        return Ok(false);
    }
    if usize::try_from(ours) != Ok(schema::TABLES.len()) || !has_version {
        return Err(not_usable(
            db,
            "another program has tables there. Name an empty database in the key `database`, or add ?schema=NAME for a schema of the desk's own",
        ));
    }
    let sql = "SELECT max(value) FROM setting WHERE key = 'schema'";
    let version: Option<String> = db.value(sql, [])?;
    match version.and_then(|version| version.parse().ok()) {
        Some(schema::VERSION) => Ok(true),
        Some(version) if version > schema::VERSION => {
            Err(DbFault::Store(StoreError::Newer { file: db.name().to_owned() }))
        }
        _ => Err(not_usable(db, "its tables are of a version that this copydesk does not know")),
    }
}

/// Makes the extension for vectors, if it is not there.
fn has_vectors(db: &Database) -> Result<(), DbFault> {
    if db.set("SAVEPOINT extension; CREATE EXTENSION IF NOT EXISTS vector").is_ok() {
        return Ok(());
    }
    db.set("ROLLBACK TO extension")?;
    Err(not_usable(
        db,
        "it lacks the extension pgvector, and the user cannot add it: its administrator installs pgvector and runs CREATE EXTENSION vector in this database",
    ))
}

fn not_usable(db: &Database, detail: &str) -> DbFault {
    DbFault::Store(StoreError::NotUsable { file: db.name().to_owned(), detail: detail.to_owned() })
}

/// The statements that make the tables, with PostgreSQL's types. References are checked at the commit, since stories and runs refer to each
/// other. References to texts are not checked: no index leads from a text to the rows that name it.
fn tables(sqlite: &str) -> String {
    let mut made = String::new();
    let mut references = String::new();
    let mut table = "";
    for line in sqlite.lines() {
        if let Some(name) = line.strip_prefix("CREATE TABLE ") {
            table = name.split_whitespace().next().unwrap_or_default();
        }
        let (line, comment) = line.split_once("--").map_or((line, ""), |(line, comment)| (line, comment));
        let (column, rest) = line.split_once(" REFERENCES ").unwrap_or((line, ""));
        let (referred, end) = rest.split_once(')').unwrap_or((rest, ""));
        if let Some(name) =
            column.split_whitespace().next().filter(|_| !referred.is_empty() && !referred.starts_with("blob"))
        {
            references.extend([
                "ALTER TABLE ",
                table,
                " ADD FOREIGN KEY (",
                name,
                ") REFERENCES ",
                referred,
                ") DEFERRABLE INITIALLY DEFERRED;\n",
            ]);
        }
        let column = column
            .replace("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
            .replace("INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
            .replace("INTEGER", "BIGINT")
            .replace("BLOB", "BYTEA")
            .replace("REAL", "DOUBLE PRECISION")
            .replace("TEXT", "TEXT COLLATE \"C\"")
            .replace(") STRICT, WITHOUT ROWID", ")")
            .replace(") STRICT", ")");
        made.extend([&*column, end, " --", comment, "\n"]);
    }
    made + &references
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, testing::server_url};

    /// A desk that was made at this address, and a session there.
    fn desk() -> Option<(String, Session)> {
        let url = server_url()?;
        drop(Store::connect(&url).unwrap());
        let session = session(&url);
        Some((url, session))
    }

    fn session(url: &str) -> Session {
        Session::open(&Arc::new(ServerAddress::parse(url).unwrap())).unwrap()
    }

    fn schema_of(url: &str) -> &str {
        url.rsplit_once("schema=").unwrap().1
    }

    fn why_not(url: &str) -> String {
        Store::connect(url).map(drop).unwrap_err().to_string()
    }

    /// The address for another user, who is made with `rights`.
    fn as_another(url: &str, session: &Session, rights: &str) -> String {
        let name = format!("user_of_{}", schema_of(url));
        session.run(&format!("CREATE ROLE {name} LOGIN; {}", rights.replace("THEM", &name))).unwrap();
        url.replacen("desk@", &format!("{name}@"), 1)
    }

    #[test]
    fn a_database_that_somebody_else_filled_is_left_alone() {
        let Some(url) = server_url() else { return };
        let name = schema_of(&url);
        let session = session(&url);
        session.run(&format!("CREATE SCHEMA {name}; CREATE TABLE orders (id INTEGER)")).unwrap();
        let refused = why_not(&url);
        assert!(refused.contains("another program has tables there") && refused.contains("?schema=NAME"), "{refused}");
        session.run("CREATE TABLE setting (key TEXT, value TEXT)").unwrap();
        assert!(why_not(&url).contains("another program has tables there"));
        assert_eq!(session.rows("SELECT 1 FROM pg_tables WHERE schemaname = ?1", [name]).unwrap().len(), 2);
    }

    #[test]
    fn a_desk_of_another_version_is_not_touched() {
        let Some((url, session)) = desk() else { return };
        session.run("UPDATE setting SET value = '99' WHERE key = 'schema'").unwrap();
        assert!(why_not(&url).contains("newer version of copydesk"));
        session.run("UPDATE setting SET value = '0' WHERE key = 'schema'").unwrap();
        assert!(why_not(&url).contains("of a version that this copydesk does not know"));
    }

    #[test]
    fn a_user_without_rights_is_told_the_rights_that_are_missing() {
        let Some((url, session)) = desk() else { return };
        let theirs = as_another(&url, &session, "");
        assert!(why_not(&theirs).contains("may not use its schema"), "{}", why_not(&theirs));
        let (schema, user) = (schema_of(&url), format!("user_of_{}", schema_of(&url)));
        session.run(&format!("GRANT USAGE ON SCHEMA {schema} TO {user}")).unwrap();
        let refused = why_not(&theirs);
        assert!(refused.contains("permission denied") && refused.contains("can give that right"), "{refused}");
        session.run(&format!("GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {user}")).unwrap();
        let store = Store::connect(&theirs).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let closed = runtime.block_on(store.server()).unwrap().unwrap().closed;
        assert!(closed.contains(&"story".to_owned()), "{closed:?}");
        let refused = runtime.block_on(store.write(|db| db.write("DELETE FROM story", [])));
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("permission denied") && refused.contains("nothing was changed"), "{refused}");
    }

    #[test]
    fn a_database_that_takes_no_changes_is_refused_at_once() {
        let Some((url, session)) = desk() else { return };
        let theirs = as_another(
            &url,
            &session,
            "ALTER ROLE THEM SUPERUSER; ALTER ROLE THEM SET default_transaction_read_only = on",
        );
        assert!(why_not(&theirs).contains("default_transaction_read_only is on"), "{}", why_not(&theirs));
    }

    #[test]
    fn a_database_without_the_extension_is_named_to_its_administrator() {
        let Some((url, session)) = desk() else { return };
        let bare = format!("bare_{}", schema_of(&url));
        session.run(&format!("CREATE DATABASE {bare}")).unwrap();
        let theirs = as_another(&url, &session, "").replacen("/desks", &format!("/{bare}"), 1);
        let owner = url.replacen("/desks", &format!("/{bare}"), 1);
        let (schema, user) = (schema_of(&url), format!("user_of_{}", schema_of(&url)));
        let inside = self::session(&owner);
        inside.run(&format!("CREATE SCHEMA {schema} AUTHORIZATION {user}")).unwrap();
        let refused = why_not(&theirs);
        assert!(
            refused.contains("lacks the extension pgvector") && refused.contains("CREATE EXTENSION vector"),
            "{refused}"
        );
        assert!(inside.rows("SELECT 1 FROM pg_tables WHERE schemaname = ?1", [schema]).unwrap().is_empty());
    }

    #[test]
    fn programs_that_make_one_desk_at_once_all_open_it() {
        let Some(url) = server_url() else { return };
        std::thread::scope(|threads| {
            let opening: Vec<_> = (0..6).map(|_| threads.spawn(|| Store::connect(&url).map(drop))).collect();
            for one in opening {
                one.join().unwrap().unwrap();
            }
        });
    }
}
