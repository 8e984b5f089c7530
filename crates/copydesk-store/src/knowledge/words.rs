//! Which words of a query are looked up.

use super::{
    fulltext::passages_with,
    shelves::{ShelfKind, tally},
};
use crate::database::Database;
use crate::fault::DbFault;

/// A shelf with this many passages is large. In a smaller one every word is looked up: reading all its passages takes no time.
const LARGE: i64 = 10_000;

/// In a large shelf, a word that stands in more than one of this many passages is left out while rarer ones remain. It
/// says next to nothing, and most of the time goes into it. Known figures over 100,000 passages (ours:
/// `benches/search.rs`): 11 ms a query instead of 67 to 87.
const COMMON: i64 = 10;

/// Most words of a query that are looked up, the rarest: a query of 10,000 words must not take a minute.
const MOST_WORDS: usize = 64;

/// Most words whose count is remembered.
const MOST_REMEMBERED: usize = 10_000;

/// Those of `words` that are looked up.
pub(super) fn looked_up<'w>(db: &Database, shelf: ShelfKind, words: &'w [String]) -> Result<Vec<&'w str>, DbFault> {
    let passages = tally(db, shelf)?;
    if passages < LARGE && words.len() <= MOST_WORDS {
        return Ok(words.iter().map(String::as_str).collect());
    }
    let most = if passages < LARGE { passages } else { passages / COMMON };
    let mut rare: Vec<(i64, &str)> = Vec::new();
    let mut common: Vec<&str> = Vec::new();
    for word in words {
        match counted(db, shelf, word, passages, most)? {
            0 => {}
            with if with > most => common.push(word),
            with => rare.push((with, word)),
        }
    }
    if rare.is_empty() {
        // The rarest one is enough: each word costs a look at every passage that has it.
        for word in common.into_iter().take(MOST_WORDS) {
            rare.push((passages_with(db, shelf, word, i64::MAX)?, word));
        }
        rare.sort_by_key(|(with, _)| *with);
        rare.truncate(1);
    }
    rare.sort_by_key(|(with, _)| *with);
    rare.truncate(MOST_WORDS);
    Ok(rare.into_iter().map(|(_, word)| word).collect())
}

/// As [`passages_with`], but the count is kept while the shelf has about the same size: claims and questions of one story ask for the same
/// words again and again. A word that is nowhere is counted again each time, since the next file may have it.
fn counted(db: &Database, shelf: ShelfKind, word: &str, passages: i64, most: i64) -> Result<i64, DbFault> {
    let key = (shelf.name(), word.to_owned());
    if let Some((with, then)) = db.searches.counted_words.borrow().get(&key).copied()
        && (then - passages).abs() < passages / COMMON
    {
        return Ok(with);
    }
    let with = passages_with(db, shelf, word, most + 1)?;
    if with > 0 && passages >= LARGE {
        let mut known = db.searches.counted_words.borrow_mut();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(key, (with, passages));
    }
    Ok(with)
}
