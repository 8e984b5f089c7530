//! What stories learned: kept with the run that learned it, found by its words.

use rusqlite::params;

use super::database::{Database, DbFault};
use crate::{
    newsroom::{EarlierHint, Learned, LearnedKind},
    ports::{HintQuery, RunKey},
};

/// Most candidates of a kind; the caller decides which of them bear on its sentence.
const CANDIDATES: i64 = 24;

pub(super) fn keep_learned(db: &Database, run: RunKey, at: &str, learned: &Learned) -> Result<(), DbFault> {
    let Learned { kind, text, source, credibility } = learned;
    db.write(
        "INSERT INTO learned (run, at, kind, text, source, credibility) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![run.0, at, kind.name(), text, source, credibility],
    )
}

/// What other stories learned, of their current run alone: what a story took back is no hint.
pub(super) fn learned(db: &Database, query: &HintQuery) -> Result<Vec<EarlierHint>, DbFault> {
    let standing = "JOIN run ON run.id = learned.run JOIN story ON story.current_run = run.id
         WHERE learned.kind = ?1 AND story.folded <> ?2 AND (?3 IS NULL OR learned.at >= ?3)";
    let columns = "learned.text, learned.source, learned.credibility, story.channel || '/' || story.slug, learned.at";
    let mut found = Vec::new();
    for (kind, words) in [(LearnedKind::Claim, &query.words), (LearnedKind::Name, &query.name_words)] {
        if words.is_empty() {
            continue;
        }
        // Each word is quoted, so that nothing in it is an operator.
        let quoted: Vec<String> =
            words.iter().map(|word| format!("\"{}\"", word.replace('\0', " ").replace('"', "\"\""))).collect();
        found.extend(db.rows(
            &format!(
                "SELECT {columns} FROM learned_fts CROSS JOIN learned ON learned.id = learned_fts.rowid {standing}
                 AND learned_fts MATCH ?4 ORDER BY learned_fts.rank, learned.id DESC LIMIT ?5"
            ),
            params![kind.name(), query.story, query.since, quoted.join(" OR "), CANDIDATES],
            |row| hint(kind, row),
        )?);
    }
    for address in &query.addresses {
        found.extend(db.rows(
            &format!("SELECT {columns} FROM learned {standing} AND learned.text = ?4 ORDER BY learned.id DESC LIMIT 1"),
            params![LearnedKind::Source.name(), query.story, query.since, address],
            |row| hint(LearnedKind::Source, row),
        )?);
    }
    Ok(found)
}

fn hint(kind: LearnedKind, row: &rusqlite::Row<'_>) -> Result<EarlierHint, DbFault> {
    let learned = Learned { kind, text: row.get(0)?, source: row.get(1)?, credibility: row.get(2)? };
    Ok(EarlierHint { learned, story: row.get(3)?, at: row.get(4)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ports::{Commit, Memory as _, Records as _, Retention as _, Stories as _},
        store::testing::{AT, open, opening_of, store, story},
    };

    fn known(kind: LearnedKind, text: &str) -> Learned {
        Learned { kind, text: text.into(), source: "minutes.txt".into(), credibility: Some(0.5) }
    }

    fn asked(story: &str, since: Option<&str>) -> HintQuery {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        HintQuery {
            story: story.into(),
            words: words(&["council", "near(", "\""]),
            name_words: words(&["inez"]),
            addresses: words(&["https://town.example"]),
            since: since.map(str::to_owned),
        }
    }

    #[tokio::test]
    async fn what_a_story_learned_is_found_by_others_until_it_is_rerun_expires_or_is_deleted() {
        let (folder, store) = store();
        let run = open(&store, opening_of("park", "R1", "Text."), None).await;
        let learned = vec![
            known(LearnedKind::Claim, "The council met."),
            known(LearnedKind::Claim, "Herons nest."),
            known(LearnedKind::Name, "Inez Calloway"),
            known(LearnedKind::Source, "https://town.example"),
        ];
        store.commit(run, Commit { at: AT.into(), learned, ..Commit::default() }, None).await.unwrap();
        let texts = async |query| -> Vec<String> {
            store.learned(query).await.unwrap().into_iter().map(|hint| hint.learned.text).collect()
        };
        let all = ["The council met.", "Inez Calloway", "https://town.example"];
        assert_eq!(texts(asked("desk/mill", None)).await, all);
        assert_eq!(texts(asked("desk/mill", Some(AT))).await, all);
        assert_eq!(texts(asked("desk/mill", Some("2027-01-01T00:00:00.000Z"))).await, [""; 0]);
        assert_eq!(texts(asked("desk/park", None)).await, [""; 0], "a story gives itself no hints");

        store.drop_expired("2026-01-01", "ito", AT, true).await.unwrap();
        assert_eq!(texts(asked("desk/mill", None)).await.len(), 3);
        open(&store, opening_of("park", "R2", "Text."), None).await;
        assert_eq!(texts(asked("desk/mill", None)).await, [""; 0], "the story is worked on anew");
        store.delete_story(&story("park"), "ito", AT).await.unwrap().unwrap();
        let db = rusqlite::Connection::open(folder.path().join("copydesk.db")).unwrap();
        let left: i64 = db.query_row("SELECT count(*) FROM learned", [], |row| row.get(0)).unwrap();
        let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!((left, sound.as_str()), (0, "ok"));
    }
}
