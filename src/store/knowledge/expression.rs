//! From words to an expression of FTS5.

use rusqlite::params;

use super::Place;
use crate::{ports::StoreError, store::session::Session};

/// Passages from which on a shelf is large: below it every word is looked up, since reading all its passages takes no time.
const LARGE: i64 = 10_000;

/// In a large shelf a word that stands in more than one passage of this many is left out while rarer ones remain: it says next to
/// nothing, and most of the time goes into it. Known figures over 100,000 passages (ours: `benches/search.rs`): 11 ms a query in place of 67 to 87.
const COMMON: i64 = 10;

/// Most words of a query that are looked up, the rarest: a query of 10,000 words must not take a minute.
const MOST_WORDS: usize = 64;

/// Most words whose count is remembered.
const MOST_REMEMBERED: usize = 10_000;

impl Session {
    /// An expression that any of `words` satisfies; none where no word is left.
    pub(super) fn expression(&self, place: Place, words: &[String]) -> Result<Option<String>, StoreError> {
        let passages = self.tally(place)?;
        if passages < LARGE && words.len() <= MOST_WORDS {
            return Ok(any_of(words.iter().map(String::as_str)));
        }
        let most = if passages < LARGE { passages } else { passages / COMMON };
        let mut rare: Vec<(i64, &str)> = Vec::new();
        let mut common: Vec<&str> = Vec::new();
        for word in words {
            match self.counted(place, word, passages, most)? {
                0 => {}
                with if with > most => common.push(word),
                with => rare.push((with, word)),
            }
        }
        if rare.is_empty() {
            // One is enough, the rarest: each costs a look at every passage that has it.
            for word in common.into_iter().take(MOST_WORDS) {
                rare.push((self.passages_with(place, word, i64::MAX)?, word));
            }
            rare.sort_by_key(|(with, _)| *with);
            rare.truncate(1);
        }
        rare.sort_by_key(|(with, _)| *with);
        rare.truncate(MOST_WORDS);
        Ok(any_of(rare.into_iter().map(|(_, word)| word)))
    }

    /// How many passages a shelf has.
    pub(super) fn tally(&self, place: Place) -> Result<i64, StoreError> {
        self.sql(|connection| {
            connection
                .prepare_cached("SELECT passages FROM tally WHERE shelf = ?1")?
                .query_row([place.name()], |row| row.get(0))
        })
    }

    /// In how many passages a word stands; it is not counted further than to `most`.
    fn passages_with(&self, place: Place, word: &str, most: i64) -> Result<i64, StoreError> {
        let name = place.name();
        self.sql(|connection| {
            connection
                .prepare_cached(&format!(
                    "SELECT count(*) FROM (SELECT 1 FROM {name}_fts WHERE {name}_fts MATCH ?1 LIMIT ?2)"
                ))?
                .query_row(params![quoted(word), most], |row| row.get(0))
        })
    }

    /// As [`Self::passages_with`]; what was counted while the shelf was of about this size is not counted anew: claims and questions
    /// of one story ask for the same words again and again. That a word is nowhere is never remembered, since the next file may have it.
    fn counted(&self, place: Place, word: &str, passages: i64, most: i64) -> Result<i64, StoreError> {
        let key = (place.name(), word.to_owned());
        if let Some((with, then)) = self.counted_words.borrow().get(&key).copied()
            && (then - passages).abs() < passages / COMMON
        {
            return Ok(with);
        }
        let with = self.passages_with(place, word, most + 1)?;
        if with > 0 && passages >= LARGE {
            let mut known = self.counted_words.borrow_mut();
            if known.len() >= MOST_REMEMBERED {
                known.clear();
            }
            known.insert(key, (with, passages));
        }
        Ok(with)
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
