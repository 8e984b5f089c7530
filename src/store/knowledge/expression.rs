//! From words to an expression of FTS5.

use rusqlite::{Connection, params};

use super::Place;
use crate::{ports::StoreError, store::session::Session};

/// Passages from which on a shelf is large: below it every word is looked up, since reading all its passages takes no time.
const LARGE: i64 = 10_000;

/// In a large shelf a word that stands in more than one passage of this many is left out while rarer ones remain: it says next to
/// nothing, and most of the time goes into it. Measured over 100,000 passages: 11 ms a query in place of 67 to 87.
const COMMON: i64 = 10;

/// Most words of a query that are looked up, the rarest: a query of 10,000 words must not take a minute.
const MOST_WORDS: usize = 64;

/// How many of the rarest are looked up where all are common.
const FEWEST: usize = 3;

impl Session {
    /// An expression that any of `words` satisfies; none where no word is left.
    pub(super) fn expression(&self, place: Place, words: &[String]) -> Result<Option<String>, StoreError> {
        let passages = self.tally(place)?;
        if passages < LARGE && words.len() <= MOST_WORDS {
            return Ok(any_of(words.iter().map(String::as_str)));
        }
        let mut counted: Vec<(i64, &str)> = Vec::with_capacity(words.len());
        for (word, passages) in words.iter().zip(self.passages_with(place, words)?) {
            if passages > 0 {
                counted.push((passages, word));
            }
        }
        counted.sort_by_key(|(passages, _)| *passages);
        if passages >= LARGE {
            let rare = counted.iter().take_while(|(with, _)| with.saturating_mul(COMMON) <= passages).count();
            counted.truncate(if rare == 0 { FEWEST } else { rare });
        }
        counted.truncate(MOST_WORDS);
        Ok(any_of(counted.into_iter().map(|(_, word)| word)))
    }

    /// How many passages a shelf has.
    pub(super) fn tally(&self, place: Place) -> Result<i64, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT passages FROM tally WHERE shelf = ?1")?
                .query_row([place.name()], |row| row.get(0))
        })
    }

    /// In how many passages each word stands; of a word that is several to the index, the rarest of them.
    fn passages_with(&self, place: Place, words: &[String]) -> Result<Vec<i64>, StoreError> {
        let stems = self.stems(words)?;
        let mut counts: Vec<Option<i64>> = vec![None; words.len()];
        self.sql(|connection| {
            let mut with =
                connection.prepare_cached(&format!("SELECT doc FROM {}_vocabulary WHERE term = ?1", place.name()))?;
            for (word, stem) in &stems {
                let mut rows = with.query([stem])?;
                let count = rows.next()?.map_or(Ok(0), |row| row.get::<_, i64>(0))?;
                if let Some(known) = counts.get_mut(*word) {
                    *known = Some(known.map_or(count, |known| known.min(count)));
                }
            }
            Ok(())
        })?;
        Ok(counts.into_iter().map(|count| count.unwrap_or(0)).collect())
    }

    /// The words as the index has them, each with its place in `words`: they are put into a full text of one's own and read back.
    fn stems(&self, words: &[String]) -> Result<Vec<(usize, String)>, StoreError> {
        let mut own = self.stemmer.borrow_mut();
        let failed = |error: rusqlite::Error| self.error(&error);
        if own.is_none() {
            let connection = Connection::open_in_memory().map_err(failed)?;
            connection
                .execute_batch(
                    "CREATE VIRTUAL TABLE word USING fts5 (text, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
                     CREATE VIRTUAL TABLE stem USING fts5vocab (word, instance);",
                )
                .map_err(failed)?;
            *own = Some(connection);
        }
        let Some(connection) = own.as_ref() else { return Ok(Vec::new()) };
        let read = || -> rusqlite::Result<Vec<(usize, String)>> {
            connection.execute_batch("INSERT INTO word (word) VALUES ('delete-all'); BEGIN")?;
            let mut put = connection.prepare_cached("INSERT INTO word (rowid, text) VALUES (?1, ?2)")?;
            for (word, number) in words.iter().zip(0_i64..) {
                put.execute(params![number, word])?;
            }
            connection.execute_batch("COMMIT")?;
            connection
                .prepare_cached("SELECT doc, term FROM stem")?
                .query_map([], |row| Ok((usize::try_from(row.get::<_, i64>(0)?).unwrap_or(usize::MAX), row.get(1)?)))?
                .collect()
        };
        read().map_err(failed)
    }
}

/// The words, each quoted, so that nothing in one is an operator.
fn any_of<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let quoted: Vec<String> = words.map(quoted).collect();
    (!quoted.is_empty()).then(|| quoted.join(" OR "))
}

/// A word as FTS5 reads it, whatever it is. A null byte would end the expression.
pub(super) fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\0', " ").replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_an_operator() {
        let words = ["near(", "\"", "*", "a\0b"].map(String::from);
        let expression = any_of(words.iter().map(String::as_str)).unwrap();
        assert_eq!(expression, "\"near(\" OR \"\"\"\" OR \"*\" OR \"a b\"");
        assert_eq!(any_of(std::iter::empty()), None);
    }
}
