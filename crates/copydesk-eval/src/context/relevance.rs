//! Measures the losses of a source if only the sentences that bear on a task are kept. Each planted error has the passages that a
//! fact-checker needs: those must stay.

use copydesk::text::{overlap::Stems, relevance::relevant, sentences::sentences};

use super::RelevanceScores;
use crate::{
    evaluation::MeasuredShare,
    planted::{PlantedDocument, PlantedError},
};

/// The most that is kept, in per cent of a source's tokens. The first keeps as much as docs/measurements.md aims at: 37 % less.
const LIMITS: [u64; 4] = [63, 50, 25, 10];

/// How the words of a task are found.
type Tasks = (&'static str, fn(&PlantedDocument, &PlantedError) -> String);

/// A sentence asks for little, a headline for anything that belongs to the story.
const TASKS: [Tasks; 2] = [
    ("sentence", |_, error| {
        let around = sentences(&error.body).into_iter().find(|range| range.end > error.wrong.start);
        around.and_then(|range| error.body.get(range)).unwrap_or_default().to_owned()
    }),
    ("headline", |document, _| document.article.headline.clone()),
];

pub(crate) fn measured(documents: &[PlantedDocument], count: &impl Fn(&str) -> u64) -> Vec<RelevanceScores> {
    let all = TASKS.into_iter().flat_map(|task| LIMITS.map(|limit| (task, limit)));
    all.map(|(task, limit)| of_limit(documents, task, limit, count)).collect()
}

fn of_limit(
    documents: &[PlantedDocument],
    (task, words): Tasks,
    limit: u64,
    count: &impl Fn(&str) -> u64,
) -> RelevanceScores {
    let (mut tokens, mut tokens_kept) = (0, 0);
    let (mut needed, mut kept, mut at_the_beginning) = (0, 0, 0);
    for document in documents {
        let source = &document.source;
        let whole = count(source);
        let most = whole * limit / 100;
        let beginning = beginning(source, most, count);
        for error in &document.errors {
            let found = relevant(source, &Stems::of(&words(document, error)), most, count);
            tokens += whole;
            tokens_kept += count(&found.text);
            for passage in &error.passages {
                needed += 1;
                kept += usize::from(source.get(passage.clone()).is_some_and(|text| found.text.contains(text)));
                at_the_beginning += usize::from(passage.end <= beginning);
            }
        }
    }
    RelevanceScores {
        task,
        limit,
        tokens,
        tokens_kept,
        passages: MeasuredShare::new(kept, needed),
        passages_of_beginning: MeasuredShare::new(at_the_beginning, needed),
    }
}

/// Where the sentences end that a limit of tokens lets through from the beginning.
fn beginning(text: &str, limit: u64, count: &impl Fn(&str) -> u64) -> usize {
    let mut left = limit;
    let fits = |range: &std::ops::Range<usize>| {
        let size = text.get(range.clone()).map_or(0, count);
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    };
    sentences(text).into_iter().take_while(fits).last().map_or(0, |range| range.end)
}
