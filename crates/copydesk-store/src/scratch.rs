//! Texts that are being typed.

use crate::prelude::*;
use copydesk_core::ports::{SavedText, Scratch};

#[async_trait]
impl Scratch for Store {
    async fn keep(&self, run: RunKey, what: &str, text: &str, at: &str) -> Result<(), StoreError> {
        let (what, text, at) = (what.to_owned(), text.to_owned(), at.to_owned());
        self.write(move |db| {
            db.write(
                "INSERT INTO scratch (run, what, at, text) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (run, what) DO UPDATE SET at = excluded.at, text = excluded.text",
                params![run.0, what, at, text],
            )
        })
        .await
    }

    async fn kept(&self, run: RunKey, what: &str) -> Result<Option<SavedText>, StoreError> {
        let what = what.to_owned();
        self.read(move |db| {
            let sql = "SELECT text, at FROM scratch WHERE run = ?1 AND what = ?2";
            db.one(sql, params![run.0, what], |row| Ok(SavedText { text: row.get(0)?, at: row.get(1)? }))
        })
        .await
    }

    async fn forget(&self, run: RunKey, what: &str) -> Result<(), StoreError> {
        let what = what.to_owned();
        self.write(move |db| db.write("DELETE FROM scratch WHERE run = ?1 AND what = ?2", params![run.0, what])).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{open, opening_of, store_in_a_file};

    #[tokio::test]
    async fn what_is_being_typed_is_kept_until_it_is_forgotten() {
        let (folder, store) = store_in_a_file();
        let run = open(&store, opening_of("park", "R1", "One."), None).await;
        assert_eq!(store.kept(run, "r1.edit").await.unwrap(), None);
        store.keep(run, "r1.edit", "The counc", "10:00").await.unwrap();
        store.keep(run, "r1.feedback", "Name the vote.", "10:01").await.unwrap();
        store.keep(run, "r1.edit", "The council", "10:02").await.unwrap();
        drop(store);
        let store = Store::open(&folder.path().join("copydesk.db")).unwrap();
        let kept = |text: &str, at: &str| Some(SavedText { text: text.into(), at: at.into() });
        assert_eq!(store.kept(run, "r1.edit").await.unwrap(), kept("The council", "10:02"));
        store.forget(run, "r1.edit").await.unwrap();
        assert_eq!(store.kept(run, "r1.edit").await.unwrap(), None);
        assert_eq!(store.kept(run, "r1.feedback").await.unwrap(), kept("Name the vote.", "10:01"));
    }
}
