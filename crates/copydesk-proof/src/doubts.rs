//! The sentences of a draft that the proof does not call matching, each beside its passages. A model may be asked about
//! them.

use crate::{
    binding::Alignment,
    reading::TextLine,
    sources::{ProofTexts, Spot},
};
use copydesk_newsroom::{ArticleResponse, Doubt, Footing, Ledger, Source, SourceSpan};

/// The sentences with a row of `ledger` that does not match, in the order of the draft. A sentence that has nothing in common with any
/// passage is left out: a model cannot say more about it than the proof does.
#[must_use]
pub fn doubts(article: &ArticleResponse, sources: &[Source], ledger: &Ledger) -> Vec<Doubt> {
    let texts = ProofTexts::new(article, sources);
    let loose: Vec<_> = ledger.rows.iter().filter(|row| row.standing.footing() != Footing::Matches).collect();
    let doubt = |Spot { field, index, item: line }: Spot<'_, '_, TextLine>| {
        let inside = loose.iter().any(|row| row.field == field.name && row.start < line.end && line.start < row.end);
        if line.heading || !inside {
            return None;
        }
        let alignment = Alignment::of(&texts.archive, &field.reading, index);
        let windows = alignment.windows.into_iter();
        let passages = windows.filter_map(|window| texts.archive.sentences(window.place.source, window.lines));
        let passages: Vec<SourceSpan> = passages.collect();
        let text = field.reading.slice(line.start..line.end).to_owned();
        let doubt = Doubt { field: field.name.to_owned(), start: line.start, end: line.end, text, passages };
        (!doubt.passages.is_empty()).then_some(doubt)
    };
    texts.sentences().filter_map(doubt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gravity, ledger, testing::texts};

    #[test]
    fn what_does_not_match_is_in_doubt_beside_its_passages() {
        let source = "The council voted on Tuesday to spend $1.8 million on the park.\n\nThe park opened in 1958. It has no pond. The \
                      gate is on Canal Road.";
        let body = "The council voted on Tuesday to spend $1.8 million on the park. The park, which opened in 1959, has a gate on Canal \
                    Road. Giraffes xylophone quietly.";
        let (article, sources) = texts(body, source);
        let ledger = ledger(&article, &sources, Gravity::Concern);
        let found = doubts(&article, &sources, &ledger);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].text, "The park, which opened in 1959, has a gate on Canal Road.");
        assert_eq!(body.get(found[0].start..found[0].end), Some(&*found[0].text));
        for passage in &found[0].passages {
            assert_eq!(source.get(passage.start..passage.end), Some(&*passage.text));
        }
        assert!(found[0].passages.iter().any(|passage| passage.text.contains("opened in 1958")), "{found:?}");
    }
}
