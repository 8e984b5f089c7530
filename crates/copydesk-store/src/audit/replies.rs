//! Whom stories asked for a reply, and whom their drafts accuse, against what the audit log tells of both.

use std::collections::HashMap;

use super::log_book::LogBook;
use crate::{
    database::{Database, readable},
    fault::DbFault,
    replies,
};
use copydesk_core::ports::Flaw;
use copydesk_newsroom::StoryReply;

pub(super) fn replies(db: &Database, told: &LogBook, flaws: &mut Vec<Flaw>) -> Result<(), DbFault> {
    let mut stories: HashMap<i64, (i64, String)> = HashMap::new();
    db.each(
        "SELECT run.id, story.id, channel || '/' || slug, run_id, accused FROM run JOIN story ON story.id = run.story",
        [],
        |row| {
            let run: i64 = row.get(0)?;
            stories.insert(run, (row.get(1)?, row.get(2)?));
            if told.accused.get(&run).is_some_and(|told| row.get::<String>(4).ok().as_ref() != Some(told)) {
                flaws.push(Flaw::Run { run: row.get(3)?, what: "list of persons whom it accuses" });
            }
            Ok(())
        },
    )?;
    let kept = readable(replies::all(db))?;
    let mut expected: HashMap<i64, Vec<StoryReply>> = HashMap::new();
    for (run, reply) in &told.replies {
        if let Some((story, _)) = stories.get(run) {
            expected.entry(*story).or_default().push(reply.clone());
        }
    }
    for (run, name, answer) in &told.answers {
        let asked = stories.get(run).and_then(|(story, _)| expected.get_mut(story)).into_iter().flatten();
        if let Some(reply) = asked.into_iter().find(|reply| reply.name == *name && reply.answer.is_none()) {
            reply.answer = Some(answer.clone());
        }
    }
    let mut found: HashMap<i64, Vec<StoryReply>> = HashMap::new();
    for (story, mut reply) in kept.into_iter().flatten() {
        // The events have these times beside them.
        reply.asked_at.clear();
        if let Some(answer) = &mut reply.answer {
            answer.at.clear();
        }
        found.entry(story).or_default().push(reply);
    }
    let mut wrong: Vec<String> = stories
        .into_values()
        .collect::<HashMap<_, _>>()
        .into_iter()
        .filter_map(|(story, name)| (expected.get(&story) != found.get(&story)).then_some(name))
        .collect();
    wrong.sort();
    flaws.extend(wrong.into_iter().map(Flaw::Replies));
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{
        database::Database,
        testing::{AT, open, opening_of, store_in_a_file, story},
    };
    use copydesk_core::ports::{Archive as _, Commit, Records as _, Stories as _};
    use copydesk_newsroom::{Event, StoryReply};

    #[tokio::test]
    async fn whoever_changes_who_was_asked_or_is_accused_is_found() {
        for (change, found) in [
            ("DELETE FROM reply WHERE name = 'Ann Lee'", "those whom desk/park asked for a reply"),
            ("UPDATE reply SET answer = 'Yes.' WHERE answer IS NOT NULL", "those whom desk/park asked for a reply"),
            ("UPDATE reply SET answer = NULL, answered_at = NULL", "those whom desk/park asked for a reply"),
            ("UPDATE reply SET due = NULL", "those whom desk/park asked for a reply"),
            ("UPDATE run SET accused = '[]'", "list of persons whom it accuses"),
        ] {
            let (folder, store) = store_in_a_file();
            let run = open(&store, opening_of("park", "R1", "Text."), None).await;
            let waits = Event::GateWaits { gate: "r1.gate".into(), question: "?".into() };
            let accused = Some(vec!["Ann Lee".to_owned()]);
            let commit = Commit { at: AT.into(), accused, events: vec![waits], ..Commit::default() };
            store.commit(run, commit, None).await.unwrap();
            for name in ["Ann Lee", "Bob Ray", "Ann Lee"] {
                let reply = StoryReply {
                    name: name.into(),
                    about: String::new(),
                    asked_at: AT.into(),
                    asked_by: "Ada".into(),
                    due: Some(AT.into()),
                    answer: None,
                };
                assert!(store.ask_reply(&story("park"), reply).await.unwrap());
            }
            assert!(store.answer_reply(&story("park"), "Ann Lee", "No.", "Ada", AT).await.unwrap());
            assert_eq!(store.audit(vec![]).await.unwrap().flaws, []);
            let db = Database::open_for_upkeep(&folder.path().join("copydesk.db")).unwrap();
            db.write(change, []).unwrap();
            let said: Vec<String> = store.audit(vec![]).await.unwrap().flaws.iter().map(ToString::to_string).collect();
            assert!(said.iter().any(|said| said.contains(found)), "{change}: {said:?}");
        }
    }
}
