//! The two instructions that the offline desk gives and takes: `Replace “A” with “B”.` and `Delete “A”.`
//!
//! A specialist writes them, an editor may type them, the reviser carries them out. A and B may hold quotation marks of
//! their own: the outermost marks count.

use std::ops::Range;

use crate::{
    newsroom::{ArticleResponse, Finding},
    text::{
        sentences::sentences,
        words::{Word, words},
    },
};

/// An instruction that can be carried out without judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Repair {
    /// Put other words in the place of some.
    Replace {
        /// The words that stand there.
        old: String,
        /// The words that shall.
        new: String,
    },
    Delete {
        /// The words that stand there.
        old: String,
    },
}

/// How the reviser is told to replace.
pub(super) fn replace(old: &str, new: &str) -> String {
    format!("Replace “{old}” with “{new}”.")
}

/// How the reviser is told to delete.
pub(super) fn delete(old: &str) -> String {
    format!("Delete “{old}”.")
}

/// Every way in which a to-do can be read, the likeliest first; none if it is no such instruction. There are several
/// if the words themselves hold `” with “`.
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
    let Some(both) = inner("Replace") else { return Vec::new() };
    let mut found = Vec::new();
    for hinge in ["” with “", "\" with \"", "” with \"", "\" with “"] {
        for (at, _) in both.match_indices(hinge) {
            let (Some(old), Some(new)) = (both.get(..at), both.get(at + hinge.len()..)) else { continue };
            found.push(Repair::Replace { old: old.to_owned(), new: new.to_owned() });
        }
    }
    found
}

/// Most words that are taken in around a finding's.
const WIDEST: usize = 24;

/// A finding's words and what shall stand in their place, both with as many words of the sentence around them as it takes
/// for the old ones to stand in the article once: one right and one left in turn, to no more than the sentence and [`WIDEST`].
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

/// A stretch with one more word of its sentence; at an end of the sentence, with one at the other end.
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
    use crate::newsroom::ConcernType;

    #[test]
    fn what_is_written_is_read_back() {
        let (old, new) = ("he said: “No.”", "“Yes,” she said");
        assert_eq!(readings(&replace(old, new)), [Repair::Replace { old: old.to_owned(), new: new.to_owned() }]);
        assert_eq!(readings(&delete(old)), [Repair::Delete { old: old.to_owned() }]);
        assert_eq!(readings("Make it livelier"), []);
        assert_eq!(
            readings("replace \"a\" with \"b\""),
            [Repair::Replace { old: "a".to_owned(), new: "b".to_owned() }]
        );
    }

    /// What replaces `old` by `new` in `body`, if `old` is the last such words of it.
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
