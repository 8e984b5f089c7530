//! The text of a hit, with the words that matched marked.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::widgets::{
    mark::{Mark, TextRole},
    sheet::Sheet,
};
use copydesk_core::ports::{Around, Hit};
use copydesk_newsroom::Passage;
use copydesk_text::{inflection, sanitise};

/// The text, its marks, and where the passage begins. Lines above and below the passage separate it without colour.
pub(crate) fn laid(hit: &Hit, around: Option<&Around>) -> (String, Vec<Mark>, usize) {
    let Passage { text, .. } = &hit.passage;
    let mut sheet = Sheet::default();
    let before = around.map(|around| sanitise::clean(&around.before)).unwrap_or_default();
    if !before.trim().is_empty() {
        sheet.line(before.trim_end(), TextRole::Dim);
    }
    sheet.line("▼ passage", TextRole::Name);
    let shown = sheet.len();
    let words = hit.text.as_ref().map_or(&[][..], |text| &text.words);
    marked(&mut sheet, sanitise::clean(text).trim_end(), words);
    sheet.line("", TextRole::Text);
    let after = around.map(|around| sanitise::clean(&around.after)).unwrap_or_default();
    if !after.trim().is_empty() {
        sheet.line("▲ end of the passage", TextRole::Name);
        sheet.line(after.trim_start_matches([' ', '\n']).trim_end(), TextRole::Dim);
    }
    let (text, marks) = sheet.into_parts();
    (text, marks, shown)
}

/// A text with each form of the matched words marked.
fn marked(sheet: &mut Sheet, text: &str, words: &[String]) {
    let wanted: HashSet<String> = words.iter().flat_map(|word| roots(word)).collect();
    for piece in text.split_word_bounds() {
        let is_word = piece.chars().any(char::is_alphanumeric);
        let role = if is_word && roots(piece).iter().any(|root| wanted.contains(root)) {
            TextRole::Hit
        } else {
            TextRole::Text
        };
        sheet.add(piece, role);
    }
}

/// The forms that a word can have. The index compares stems, so this marks too much rather than too little.
fn roots(word: &str) -> Vec<String> {
    const ENDINGS: [&str; 8] = ["ation", "ment", "ness", "able", "ion", "ive", "al", "or"];
    let mut roots = inflection::bases(&word.to_lowercase());
    for ending in ENDINGS {
        let cut: Vec<String> = roots.iter().filter_map(|root| Some(root.strip_suffix(ending)?.to_owned())).collect();
        roots.extend(cut.into_iter().filter(|root| root.chars().count() >= 4));
    }
    roots
}
