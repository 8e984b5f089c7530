//! The words that a sentence says of each of its figures.
//!
//! A figure has the words of its stretch. It also has the stretches before it that have neither a figure of the kind nor a verb, and a
//! relative clause behind it. Of two figures in one stretch, each has the words on its side of a word such as `against`.

use std::ops::Range;

use crate::{
    reading::{Figure, ParsedText},
    sources::companions,
};
use copydesk_text::tagger::Tag;

/// Words that part two figures of one stretch. The words before the first belong to it alone.
const PARTS: [&str; 10] = ["with", "instead", "rather", "than", "against", "versus", "while", "but", "compared", "and"];

/// Words that lead from one value of a thing to another. The words before the first belong to both.
const LEADS: [&str; 4] = ["to", "from", "until", "through"];

/// The words that are said of a figure and of no other of the kind in its sentence, by their indexes.
pub fn belonging(reading: &ParsedText<'_>, line: usize, figure: &Figure) -> Vec<usize> {
    let grammar = reading.grammar(line);
    let stretches = grammar.stretches();
    let rivals: Vec<&Figure> = companions(reading, figure).filter(|other| other.comparable(figure)).collect();
    let is_free = |stretch: &Range<usize>| !rivals.iter().any(|rival| stretch.contains(&rival.tokens.start));
    let Range { start, end } = figure.tokens;
    let Some((at, own)) = stretches.iter().enumerate().find(|(_, stretch)| stretch.contains(&start)) else {
        return Vec::new();
    };
    let beside = |rival: &&&Figure| own.contains(&rival.tokens.start);
    let before = rivals.iter().filter(beside).rfind(|rival| rival.start < figure.start);
    let behind = rivals.iter().filter(beside).find(|rival| rival.start > figure.start);
    let parts = |at: usize| PARTS.contains(&reading.word(at));
    let parted = |gap: Range<usize>| gap.clone().find(|at| parts(*at) || LEADS.contains(&reading.word(*at)));
    let first = match (before, behind) {
        (Some(before), _) => parted(before.tokens.end..start).unwrap_or(start),
        (None, Some(behind)) if !(end..behind.tokens.start).any(parts) => start,
        _ => own.start,
    };
    let last = behind.map_or(own.end, |behind| parted(end..behind.tokens.start).unwrap_or(end));
    let mut words: Vec<usize> = (first..last).filter(|at| !figure.tokens.contains(at)).collect();
    let relative = |stretch: &Range<usize>| {
        (stretch.start..stretch.end.min(stretch.start + 2))
            .any(|at| matches!(grammar.tag(at), Tag::Relative | Tag::Interrogative))
    };
    if before.is_none() && first == own.start {
        let open = stretches.get(..at).unwrap_or_default().iter().rev();
        let acts = |at: usize| matches!(grammar.tag(at), Tag::Past | Tag::Present | Tag::Modal | Tag::Verb);
        let open = open.take_while(|stretch| is_free(stretch) && !(*stretch).clone().any(acts));
        words.extend(open.filter(|stretch| !relative(stretch)).flat_map(Clone::clone));
    }
    if behind.is_none() {
        let open = stretches.get(at + 1..).unwrap_or_default().iter();
        words.extend(open.take_while(|stretch| is_free(stretch) && relative(stretch)).flat_map(Clone::clone));
    }
    words
}
