//! The parts of a story that must not leave this machine. Each run's opening has its own; the story has those of all its runs together, for
//! work on the story without a run.

use std::borrow::Cow;

use rusqlite::types::ValueRef;

use super::blobs::record_in;
use crate::prelude::*;
use copydesk_newsroom::{Opening, Secrecy};

/// Reads the secrecy in a column; empty if the column is null.
pub(super) fn secrecy_in(value: ValueRef<'_>) -> Result<Secrecy, DbFault> {
    match value {
        ValueRef::Null => Ok(Secrecy::default()),
        // A story whose secrecy cannot be read must not be worked for.
        value => serde_json::from_slice(value.as_bytes()?).map_err(|error| unreadable("the secrecy of a story", error)),
    }
}

pub(super) fn of_story(db: &Database, folded: &str) -> Result<Secrecy, DbFault> {
    let found = db.one("SELECT secrecy FROM story WHERE folded = ?1", [folded], |row| secrecy_in(row.get_ref(0)?))?;
    Ok(found.unwrap_or_default())
}

/// Adds what a run keeps secret to what its story does.
pub(super) fn keep(db: &Database, story: i64, secrecy: &Secrecy) -> Result<(), DbFault> {
    let kept = db.first("SELECT secrecy FROM story WHERE id = ?1", [story], |row| secrecy_in(row.get_ref(0)?))?;
    let both = kept.clone().and(secrecy);
    if both == kept {
        return Ok(());
    }
    let both = serde_json::to_string(&both).map_err(|error| unreadable("the secrecy of a story", error))?;
    db.write("UPDATE story SET secrecy = ?2 WHERE id = ?1", params![story, both])
}

/// The opening as it is kept: a user of a server who begins a confidential story is one of its readers.
pub(super) fn with_user<'o>(db: &Database, opening: &'o Opening) -> Cow<'o, Opening> {
    let mut kept = Cow::Borrowed(opening);
    if let Some(user) = db.user().filter(|user| opening.secrecy.confidential && !opening.secrecy.readers.contains(user))
    {
        kept.to_mut().secrecy.readers.push(user);
    }
    kept
}

/// The error for a story that is there, and that the server does not show to its user.
pub(super) fn hidden(db: &Database, story: &StoryKey) -> DbFault {
    let detail =
        format!("{story} is a confidential story, and you are none of its readers: choose another name for yours");
    DbFault::Store(StoreError::NotUsable { file: db.name().to_owned(), detail })
}

/// The stories that do not keep secret what their runs say.
pub(super) fn laid_open(db: &Database) -> Result<Vec<String>, DbFault> {
    let mut stories: Vec<(i64, String, Option<Secrecy>, Secrecy)> = Vec::new();
    db.each(
        "SELECT story.id, channel || '/' || slug, secrecy, size, packed, body FROM run JOIN story ON story.id = run.story
         JOIN blob ON blob.id = run.opening ORDER BY story.id, run.id",
        [],
        |row| {
            let id: i64 = row.get(0)?;
            // An opening that cannot be read is a flaw of its own.
            let Ok(opening) = record_in::<Opening>(db, row, 3) else { return Ok(()) };
            match stories.last_mut().filter(|(known, ..)| *known == id) {
                Some((.., wanted)) => *wanted = std::mem::take(wanted).and(&opening.secrecy),
                None => stories.push((id, row.get(1)?, secrecy_in(row.get_ref(2)?).ok(), opening.secrecy)),
            }
            Ok(())
        },
    )?;
    let open = stories.into_iter().filter(|(_, _, found, wanted)| found.as_ref() != Some(wanted));
    Ok(open.map(|(_, name, ..)| name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{open, opening_of, store_in_a_file, story};
    use copydesk_core::ports::{Archive as _, Stories as _};
    use copydesk_newsroom::Alias;

    fn secret(confidential: bool, name: &str) -> Secrecy {
        let aliases = vec![Alias { name: name.into(), label: format!("SOURCE-{}", name.len()) }];
        Secrecy { confidential, aliases, readers: vec![name.into()] }
    }

    #[tokio::test]
    async fn a_story_keeps_secret_whatever_one_of_its_runs_did_and_whoever_changes_that_is_found() {
        let (folder, store) = store_in_a_file();
        for (run, secrecy) in
            [("R1", Secrecy::default()), ("R2", secret(true, "Ann")), ("R3", secret(false, "Bob Ray"))]
        {
            let mut opening = opening_of("park", run, "Text.");
            opening.secrecy = secrecy;
            open(&store, opening, None).await;
        }
        open(&store, opening_of("mill", "R4", "Text."), None).await;
        assert_eq!(store.secrecy(&story("Park")).await.unwrap(), secret(true, "Ann").and(&secret(true, "Bob Ray")));
        assert_eq!(store.secrecy(&story("mill")).await.unwrap(), Secrecy::default());
        assert_eq!(store.secrecy(&story("none")).await.unwrap(), Secrecy::default());
        assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
        let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
        for change in ["secrecy = NULL", "secrecy = '{\"confidential\":true}'", "secrecy = 'x'"] {
            db.write(&format!("UPDATE story SET {change} WHERE slug = 'park'"), []).unwrap();
            let said: Vec<String> = store.audit(vec![]).await.unwrap().flaws.iter().map(ToString::to_string).collect();
            assert_eq!(said, ["somebody changed that desk/park is confidential, or whose names it hides"], "{change}");
        }
        assert!(store.secrecy(&story("park")).await.is_err(), "what cannot be read is not taken for nothing");
    }
}
