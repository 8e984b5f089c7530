//! Tables, indexes and triggers against those that this version makes.

use std::{collections::BTreeMap, path::Path};

use rusqlite::OpenFlags;

use crate::{database::Database, fault::DbFault, knowledge::make_vector_tables, schema};
use copydesk_core::ports::Flaw;

/// Names with the statements that made them.
type Objects = BTreeMap<(String, String), String>;

/// Finds what a program of ours did not make, and what is missing.
pub(super) fn objects(db: &Database, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let fresh = Database::with(Path::new(":memory:"), OpenFlags::default())?;
    schema::make(fresh.sqlite()?)?;
    let settings: Vec<(String, String)> =
        db.rows("SELECT key, value FROM setting", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for setting in settings {
        fresh.write(
            "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [setting.0, setting.1],
        )?;
    }
    if make_vector_tables(&fresh).is_err() {
        flaws.push(Flaw::Lacking("a possible length of its vectors".into()));
    }
    let (here, ours) = (read(db)?, read(&fresh)?);
    let named = |(kind, name): &(String, String)| format!("the {kind} {name}");
    for (object, made_by) in &here {
        match ours.get(object) {
            None => flaws.push(Flaw::Foreign(named(object))),
            // SQLite makes the objects below the search tables, and their form depends on its version.
            Some(ours_by) if ours_by != made_by && !is_below_search(&object.1) => {
                flaws.push(Flaw::Lacking(named(object)));
            }
            Some(_) => {}
        }
    }
    flaws.extend(ours.keys().filter(|object| !here.contains_key(object)).map(|object| Flaw::Lacking(named(object))));
    Ok(())
}

fn read(db: &Database) -> Result<Objects, DbFault> {
    let sql = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let rows = db.rows(sql, [], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    Ok(rows.into_iter().collect())
}

fn is_below_search(name: &str) -> bool {
    ["_fts_", "_vec_"].iter().any(|part| name.contains(part))
}
