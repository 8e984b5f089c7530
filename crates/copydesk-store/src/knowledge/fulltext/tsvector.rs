//! The same on a server. PostgreSQL's own ranks know no rare words. So BM25 is computed from the words of passages, with FTS5's constants
//! (<https://www.sqlite.org/fts5.html#the_bm25_function>).

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::knowledge::shelves::ShelfKind;
use crate::prelude::*;
use copydesk_core::ports::PassageHit;

pub(super) fn remove_words(db: &Database, passage: i64) -> Result<(), DbFault> {
    db.write("DELETE FROM passage_words WHERE passage = ?1", [passage])
}

pub(super) fn add_words(
    db: &Database,
    shelf: ShelfKind,
    passage: i64,
    (title, body): (&str, &str),
) -> Result<(), DbFault> {
    let (title, body) = (plain(title), plain(body));
    let length = title.split_whitespace().chain(body.split_whitespace()).count();
    db.write(
        "INSERT INTO passage_words (passage, shelf, length, words)
         VALUES (?1, ?2, ?3, setweight(to_tsvector('words', ?4), 'A') || to_tsvector('words', ?5))",
        params![passage, shelf.name(), whole(length as u64), title, body],
    )
}

pub(super) fn clear_words(db: &Database, shelf: ShelfKind) -> Result<(), DbFault> {
    db.write("DELETE FROM passage_words WHERE shelf = ?1", [shelf.name()])
}

pub(super) fn ranked(
    db: &Database,
    shelf: ShelfKind,
    words: &[&str],
    between: Option<(i64, i64)>,
    limit: i64,
) -> Result<Vec<PassageHit>, DbFault> {
    let wanted: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let (first, last) = between.unwrap_or((i64::MIN, i64::MAX));
    db.rows(
        "SELECT passage, score FROM ranked_passages(?1, ?2, ?3, ?4, ?5)",
        params![shelf.name(), wanted.join(" "), first, last, limit],
        |row| Ok(PassageHit { passage: row.get(0)?, score: row.get(1)? }),
    )
}

pub(super) fn passages_with(db: &Database, shelf: ShelfKind, word: &str, most: i64) -> Result<i64, DbFault> {
    db.value(
        "SELECT count(*) FROM (SELECT 1 FROM passage_words
             WHERE shelf = ?1 AND words @@ phraseto_tsquery('words', ?2) LIMIT ?3) AS found",
        params![shelf.name(), plain(word), most],
    )
}

pub(super) fn has(db: &Database, passage: i64, word: &str) -> Result<bool, DbFault> {
    db.exists(
        "SELECT 1 FROM passage_words WHERE passage = ?1 AND words @@ phraseto_tsquery('words', ?2)",
        params![passage, plain(word)],
    )
}

/// The words of a text between blanks, in small letters without diacritics. Every character but letters and digits ends a word, as in FTS5.
fn plain(text: &str) -> String {
    let letters = text.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase);
    letters.map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_the_other_engine_cuts_them() {
        assert_eq!(plain("Café, 1.4 km (e-mail)"), "cafe  1 4 km  e mail ");
    }
}
