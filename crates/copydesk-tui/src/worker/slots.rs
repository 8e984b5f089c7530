//! The place of a text while it is typed. If more than one terminal types it, each keeps its own, and none is written
//! over.

use std::collections::HashMap;

use copydesk_core::ports::{RunKey, SavedText, Scratch, StoreError};

/// Most terminals that type one text.
const MOST: u32 = 9;

/// The place of each text that this terminal types: its name, and when it was written there last.
#[derive(Default)]
pub(crate) struct KeptPlaces(HashMap<(RunKey, String), (String, Option<String>)>);

fn name(what: &str, number: u32) -> String {
    if number == 1 { what.to_owned() } else { format!("{what}.{number}") }
}

impl KeptPlaces {
    /// Stores a text in a place of its own. Returns whether another terminal had taken its place.
    pub(crate) async fn keep(
        &mut self,
        scratch: &dyn Scratch,
        (run, what): (RunKey, &str),
        text: &str,
        at: &str,
    ) -> Result<bool, StoreError> {
        let key = (run, what.to_owned());
        let (slot, last) = self.0.get(&key).cloned().unwrap_or_else(|| (what.to_owned(), None));
        let there = scratch.kept(run, &slot).await?;
        let is_ours = there.as_ref().is_none_or(|there| Some(&there.at) == last.as_ref() || there.text == text);
        let mut own = slot;
        if !is_ours {
            for number in 1..=MOST {
                own = name(what, number);
                if scratch.kept(run, &own).await?.is_none() {
                    break;
                }
            }
        }
        scratch.keep(run, &own, text, at).await?;
        self.0.insert(key, (own, Some(at.to_owned())));
        Ok(!is_ours)
    }

    /// The latest of the unfinished texts, which this terminal continues, and how many others there are.
    pub(crate) async fn read(
        &mut self,
        scratch: &dyn Scratch,
        run: RunKey,
        what: &str,
    ) -> Result<(Option<SavedText>, usize), StoreError> {
        let mut found: Vec<(String, SavedText)> = Vec::new();
        for number in 1..=MOST {
            let name = name(what, number);
            if let Some(kept) = scratch.kept(run, &name).await? {
                found.push((name, kept));
            }
        }
        found.sort_by(|(_, one), (_, other)| one.at.cmp(&other.at));
        let latest = found.pop();
        let (slot, at) = latest.as_ref().map_or((what, None), |(name, kept)| (name.as_str(), Some(kept.at.clone())));
        self.0.insert((run, what.to_owned()), (slot.to_owned(), at));
        Ok((latest.map(|(_, kept)| kept), found.len()))
    }

    /// Deletes the text of this terminal.
    pub(crate) async fn forget(&mut self, scratch: &dyn Scratch, run: RunKey, what: &str) -> Result<(), StoreError> {
        let slot = self.0.remove(&(run, what.to_owned())).map_or_else(|| what.to_owned(), |(slot, _)| slot);
        scratch.forget(run, &slot).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;

    use super::*;

    #[derive(Default)]
    struct Book(Mutex<HashMap<String, SavedText>>);

    #[async_trait]
    impl Scratch for Book {
        async fn keep(&self, _: RunKey, what: &str, text: &str, at: &str) -> Result<(), StoreError> {
            self.0.lock().unwrap().insert(what.into(), SavedText { text: text.into(), at: at.into() });
            Ok(())
        }

        async fn kept(&self, _: RunKey, what: &str) -> Result<Option<SavedText>, StoreError> {
            Ok(self.0.lock().unwrap().get(what).cloned())
        }

        async fn forget(&self, _: RunKey, what: &str) -> Result<(), StoreError> {
            self.0.lock().unwrap().remove(what);
            Ok(())
        }
    }

    #[tokio::test]
    async fn two_terminals_type_one_text_and_neither_writes_over_the_other() {
        let (book, run) = (Book::default(), RunKey(1));
        let (mut one, mut other) = (KeptPlaces::default(), KeptPlaces::default());
        let place = (run, "r1.edit");
        assert!(one.read(&book, run, "r1.edit").await.unwrap().0.is_none());
        assert!(!one.keep(&book, place, "The council", "10:00").await.unwrap());
        // The second sees what the first has typed.
        let seen = other.read(&book, run, "r1.edit").await.unwrap();
        assert_eq!((seen.0.unwrap().text.as_str(), seen.1), ("The council", 0));
        assert!(!one.keep(&book, place, "The council voted", "10:01").await.unwrap());
        assert!(other.keep(&book, place, "The council met", "10:02").await.unwrap(), "it says so");
        assert!(!other.keep(&book, place, "The council met.", "10:03").await.unwrap(), "once");
        assert!(!one.keep(&book, place, "The council voted.", "10:04").await.unwrap());
        // After a crash of both, the latest comes back; once it is thrown away, the other does.
        let mut again = KeptPlaces::default();
        let found = again.read(&book, run, "r1.edit").await.unwrap();
        assert_eq!((found.0.unwrap().text.as_str(), found.1), ("The council voted.", 1));
        again.forget(&book, run, "r1.edit").await.unwrap();
        let found = again.read(&book, run, "r1.edit").await.unwrap();
        assert_eq!((found.0.unwrap().text.as_str(), found.1), ("The council met.", 0));
    }
}
