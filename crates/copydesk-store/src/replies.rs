//! Whom stories asked for a reply: rows of the story, each change with its event.

use super::events::append_event;
use crate::prelude::*;
use copydesk_newsroom::{ReplyAnswer, StoryReply};
use copydesk_text::same_person;

const COLUMNS: &str = "reply.name, about, asked_at, asked_by, reply.due, answer, answered_at, noted_by";

/// A key, and the reply in the columns behind it.
fn reply_in(row: &DbRow<'_>) -> Result<(i64, StoryReply), DbFault> {
    let answer: Option<String> = row.get(6)?;
    let (at, by): (Option<String>, Option<String>) = (row.get(7)?, row.get(8)?);
    let reply = StoryReply {
        name: row.get(1)?,
        about: row.get(2)?,
        asked_at: row.get(3)?,
        asked_by: row.get(4)?,
        due: row.get(5)?,
        answer: answer.map(|text| ReplyAnswer { text, at: at.unwrap_or_default(), by: by.unwrap_or_default() }),
    };
    Ok((row.get(0)?, reply))
}

/// The replies of a story, each with its key.
pub(super) fn of_story(db: &Database, folded: &str) -> Result<Vec<(i64, StoryReply)>, DbFault> {
    let sql = format!(
        "SELECT reply.id, {COLUMNS} FROM reply JOIN story ON story.id = reply.story WHERE folded = ?1 ORDER BY reply.id"
    );
    db.rows(&sql, [folded], reply_in)
}

/// Every reply with the key of its story, in the order of asking.
pub(super) fn all(db: &Database) -> Result<Vec<(i64, StoryReply)>, DbFault> {
    db.rows(&format!("SELECT story, {COLUMNS} FROM reply ORDER BY id"), [], reply_in)
}

fn current_run(db: &Database, folded: &str) -> Result<Option<(i64, RunKey)>, DbFault> {
    let sql = "SELECT id, current_run FROM story WHERE folded = ?1 AND current_run IS NOT NULL";
    db.one(sql, [folded], |row| Ok((row.get(0)?, RunKey(row.get(1)?))))
}

/// Notes that a person was asked. False if there is no such story.
pub(super) fn ask(db: &Database, folded: &str, reply: &StoryReply) -> Result<bool, DbFault> {
    let Some((story, run)) = current_run(db, folded)? else { return Ok(false) };
    let StoryReply { name, about, asked_at, asked_by, due, .. } = reply.clone();
    db.write(
        "INSERT INTO reply (story, name, about, asked_at, asked_by, due) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![story, name, about, asked_at, asked_by, due],
    )?;
    append_event(db, run, &reply.asked_at, &Event::ReplyAsked { name, about, due, by: asked_by })?;
    Ok(true)
}

/// Notes an answer at the oldest question to that person that has none. False if there is no such question.
pub(super) fn answer_to(db: &Database, folded: &str, name: &str, answer: &ReplyAnswer) -> Result<bool, DbFault> {
    let Some((_, run)) = current_run(db, folded)? else { return Ok(false) };
    let open = of_story(db, folded)?.into_iter().filter(|(_, reply)| reply.answer.is_none());
    let mut open: Vec<(i64, String)> = open.map(|(id, reply)| (id, reply.name)).collect();
    // The name as it is, before one that may be the same person's.
    open.sort_by_key(|(id, known)| (known != name, *id));
    let Some((id, name)) = open.into_iter().find(|(_, known)| same_person(known, name)) else { return Ok(false) };
    let ReplyAnswer { text, at, by } = answer;
    db.write("UPDATE reply SET answer = ?2, answered_at = ?3, noted_by = ?4 WHERE id = ?1", params![id, text, at, by])?;
    append_event(db, run, at, &Event::ReplyAnswered { name, text: text.clone(), by: by.clone() })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{AT, open, opening_of, store, story};
    use copydesk_core::ports::{Archive as _, Commit, Records as _, Stories as _};

    fn asked(name: &str) -> StoryReply {
        StoryReply {
            name: name.into(),
            about: "the money".into(),
            asked_at: AT.into(),
            asked_by: "Ada".into(),
            due: Some("2026-10-07T12:00:00.000Z".into()),
            answer: None,
        }
    }

    #[tokio::test]
    async fn who_was_asked_and_what_they_said_is_kept_with_its_events_until_the_story_goes() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        for name in ["Ann Lee", "Bob Lee"] {
            assert!(store.ask_reply(&story("PARK"), asked(name)).await.unwrap());
        }
        assert!(!store.ask_reply(&story("mill"), asked("x")).await.unwrap());
        assert!(!store.answer_reply(&story("park"), "Carl Day", "No.", "Ada", AT).await.unwrap());
        assert!(store.answer_reply(&story("park"), "Bob Lee", "No.", "Ada", AT).await.unwrap());
        assert!(store.answer_reply(&story("park"), "Lee", "Yes.", "Ada", AT).await.unwrap());
        assert!(!store.answer_reply(&story("park"), "Lee", "Again.", "Ada", AT).await.unwrap(), "all are answered");
        let said: Vec<(String, String)> = store
            .replies(&story("park"))
            .await
            .unwrap()
            .into_iter()
            .map(|reply| (reply.name, reply.answer.unwrap().text))
            .collect();
        assert_eq!(said, [("Ann Lee".to_owned(), "Yes.".to_owned()), ("Bob Lee".to_owned(), "No.".to_owned())]);
        assert_eq!(store.events(run).await.unwrap().len(), 5);
        let audit = store.audit(vec![]).await.unwrap();
        assert_eq!((audit.events, audit.flaws), (5, vec![]));
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
        store.delete_story(&story("park"), "Ada", AT).await.unwrap().unwrap();
        assert_eq!(store.replies(&story("park")).await.unwrap(), []);
        assert!(store.audit(vec![]).await.unwrap().flaws.is_empty());
    }

    #[tokio::test]
    async fn a_list_says_who_is_accused_and_was_not_asked_and_whose_answer_is_due() {
        let (_folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let accused = Some(vec!["Ann Lee".to_owned(), "Carl Day".to_owned()]);
        store.commit(run, Commit { at: AT.into(), accused, ..Commit::default() }, None).await.unwrap();
        let listed = || async { store.listed(&[run]).await.unwrap().remove(0).1 };
        assert_eq!(listed().await.unasked, ["Ann Lee", "Carl Day"]);
        assert!(store.ask_reply(&story("park"), asked("Lee")).await.unwrap());
        assert_eq!((listed().await.unasked, listed().await.replies_due.len()), (vec!["Carl Day".to_owned()], 1));
        assert!(store.answer_reply(&story("park"), "Lee", "No.", "Ada", AT).await.unwrap());
        assert_eq!(listed().await.replies_due, Vec::<StoryReply>::new());
    }
}
