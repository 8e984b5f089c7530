//! The two instructions of the offline agents: `Replace “A” with “B”.` and `Delete “A”.`; and `Write “B” instead of “A”.`, as the prompts
//! of the specialists have it.
//!
//! A specialist writes them, an editor may type them, and the reviser carries them out. A and B may contain quotation marks: the
//! outermost marks count.

use std::ops::Range;

use copydesk_newsroom::{ArticleResponse, Finding};
use copydesk_text::{
    sentences::sentences,
    words::{Word, words},
};

/// An instruction that can be carried out without judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Repair {
    /// Replace words.
    Replace {
        old: String,
        new: String,
    },
    Delete {
        old: String,
    },
}

/// The to-do for a replacement.
pub(super) fn replace(old: &str, new: &str) -> String {
    format!("Replace “{old}” with “{new}”.")
}

/// Every way to read a to-do, the likeliest first; none if it is not such an instruction. There are several ways if the words themselves
/// contain `” with “`.
pub(super) fn readings(to_do: &str) -> Vec<Repair> {
    let text = to_do.trim();
    let text = text.strip_suffix('.').unwrap_or(text).trim_end();
    let inner = |verb: &str| -> Option<&str> {
        let head = text.get(..verb.len())?;
        let rest = text.get(verb.len()..)?.trim_start();
        if !head.eq_ignore_ascii_case(verb) {
            return None;
        }
        let rest = rest.strip_prefix('“').or_else(|| rest.strip_prefix('"'))?;
        rest.strip_suffix('”').or_else(|| rest.strip_suffix('"'))
    };
    if let Some(old) = inner("Delete") {
        return vec![Repair::Delete { old: old.to_owned() }];
    }
    let between = |both: &str, words: &str| -> Vec<(String, String)> {
        let hinges =
            [('”', '“'), ('"', '"'), ('”', '"'), ('"', '“')].map(|(ends, begins)| format!("{ends} {words} {begins}"));
        let at = hinges.iter().flat_map(|hinge| both.match_indices(hinge.as_str()));
        let halves = |(at, hinge): (usize, &str)| Some((both.get(..at)?, both.get(at + hinge.len()..)?));
        at.filter_map(halves).map(|(first, second)| (first.to_owned(), second.to_owned())).collect()
    };
    if let Some(both) = inner("Replace") {
        return between(both, "with").into_iter().map(|(old, new)| Repair::Replace { old, new }).collect();
    }
    let Some(both) = inner("Write") else { return Vec::new() };
    between(both, "instead of").into_iter().map(|(new, old)| Repair::Replace { old, new }).collect()
}

/// Most words that are added around a finding's words.
const WIDEST: usize = 24;

/// A finding's words and their replacement, both widened until the old words occur only once in the article. Words of the sentence are
/// added on the right and the left in turn, up to the whole sentence or [`WIDEST`] words.
pub(super) fn in_one_place(finding: &Finding, new: &str, article: &ArticleResponse) -> (String, String) {
    let fields = article.fields();
    let as_found = || (finding.text.clone(), new.to_owned());
    let Some((_, text)) = fields.into_iter().find(|(name, _)| *name == finding.field) else { return as_found() };
    let span = finding.start..finding.end;
    let sentence = sentences(text).into_iter().find(|range| range.start < span.end && span.start < range.end);
    let sentence = sentence.map_or(span.clone(), |range| range.start.min(span.start)..range.end.max(span.end));
    let all = words(text);
    let once = |old: &str| fields.iter().map(|(_, text)| text.matches(old).count()).sum::<usize>() <= 1;
    let mut wide = span.clone();
    for step in 0.. {
        let (Some(old), Some(head), Some(tail)) =
            (text.get(wide.clone()), text.get(wide.start..span.start), text.get(span.end..wide.end))
        else {
            return as_found();
        };
        if step == WIDEST || wide == sentence || once(old) {
            return (old.to_owned(), format!("{head}{new}{tail}"));
        }
        wide = wider(&wide, &sentence, step % 2 == 0, &all);
    }
    as_found()
}

/// A stretch with one more word of its sentence; at one end of the sentence the word comes from the other end.
fn wider(stretch: &Range<usize>, sentence: &Range<usize>, right: bool, words: &[Word<'_>]) -> Range<usize> {
    if right && stretch.end < sentence.end || stretch.start <= sentence.start {
        let next = words.iter().find(|word| word.end > stretch.end).map_or(sentence.end, |word| word.end);
        stretch.start..next.min(sentence.end)
    } else {
        let next = words.iter().rev().find(|word| word.start < stretch.start).map_or(sentence.start, |word| word.start);
        next.max(sentence.start)..stretch.end
    }
}

#[cfg(test)]
mod tests {
    use super::{super::given::article, *};
    use copydesk_newsroom::ConcernType;

    #[test]
    fn what_is_written_is_read_back() {
        let (old, new) = ("he said: “No.”", "“Yes,” she said");
        assert_eq!(readings(&replace(old, new)), [Repair::Replace { old: old.to_owned(), new: new.to_owned() }]);
        assert_eq!(readings(&format!("Delete “{old}”.")), [Repair::Delete { old: old.to_owned() }]);
        assert_eq!(readings("Make it livelier"), []);
        assert_eq!(
            readings("replace \"a\" with \"b\""),
            [Repair::Replace { old: "a".to_owned(), new: "b".to_owned() }]
        );
    }

    /// Returns the words of a repair that replaces the last `old` in `body` by `new`.
    fn replaced(body: &str, old: &str, new: &str) -> (String, String) {
        let start = body.rfind(old).unwrap();
        let finding = Finding {
            concern_type: ConcernType::InferredFact,
            rule: "number.contradicted".to_owned(),
            field: "articleBody".to_owned(),
            start,
            end: start + old.len(),
            text: old.to_owned(),
            note: String::new(),
            passage: None,
            blocks: false,
            replacement: Some(new.to_owned()),
        };
        in_one_place(&finding, new, &article(body))
    }

    #[test]
    fn a_repair_means_one_place() {
        let of = |body: &str| replaced(body, "5", "7");
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert_eq!(of("We saw 5 birds."), pair("5", "7"));
        assert_eq!(of("They have 5 dogs. We saw 5 birds."), pair("5 birds", "7 birds"));
        assert_eq!(of("They saw 5 birds. We saw 5 birds."), pair("We saw 5 birds.", "We saw 7 birds."));
        assert_eq!(of("They saw 5.\n\nWe saw 5."), pair("We saw 5.", "We saw 7."));
        assert_eq!(of("We saw 5. We saw 5."), pair("We saw 5.", "We saw 7."), "there is no telling the two apart");
        let long = "very ".repeat(60);
        let (old, _) = of(&format!("A {long}5 {long}B. A {long}5 {long}B."));
        assert_eq!(old.split_whitespace().count(), WIDEST + 1);
    }
}
