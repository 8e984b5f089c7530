//! The stretches of a sentence between its commas and conjunctions: a figure and the words beside it in one stretch belong together.
//!
//! Nothing is read ahead: rules ask for the sentences that they compare, and a source of five megabytes has few of these.
//! A text keeps what was asked for.

use std::ops::Range;

use crate::{
    reading::Token,
    words::{WordList, words},
};

/// A sentence longer than this is a table or a list: only its first words are read.
const LONGEST: usize = 240;

/// A phrase of at most so many words before the first comma says when or where.
const OPENING: usize = 5;

/// Words that join two statements.
static JOINS: WordList = words("and but while whereas or which who whom");

/// Words with which a phrase begins that says when or where.
static LEADS: WordList =
    words("in on at by after before during since for from under over within until with as of among despite through");

/// Cuts the words of a sentence, which begin with the word `first` of the text, at its marks and conjunctions.
pub fn stretches(text: &str, tokens: &[Token], first: usize) -> Vec<Range<usize>> {
    let tokens = tokens.get(..tokens.len().min(LONGEST)).unwrap_or_default();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for at in 1..=tokens.len() {
        let (Some(before), next) = (tokens.get(at - 1), tokens.get(at)) else { break };
        let gap = next.map_or(";", |next| text.get(before.end..next.start).unwrap_or_default());
        let cut = gap.contains([',', ';', ':', '(', ')', '–', '—', '"', '“', '”', '\n']);
        let joins = next.is_some_and(|next| JOINS.contains(&next.word));
        // "On March 14, the board approved it": the day belongs to what follows.
        let opens = found.is_empty() && at <= OPENING && tokens.first().is_some_and(|word| LEADS.contains(&word.word));
        if (cut || joins) && !(opens && next.is_some()) {
            found.push(first + start..first + at);
            start = at;
        }
    }
    found
}
