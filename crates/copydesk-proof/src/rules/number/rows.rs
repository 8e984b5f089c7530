//! Rows of a source that give one value to a label, as notes and releases set them: `Crashes in 2021: 12`.

use crate::{rules::prelude::*, words::Class};

/// A row of a source that gives one value to a label: `Crashes in 2021: 12`.
pub struct LabelledRow<'r> {
    /// The content words of the label, without those that tell when.
    pub label: Vec<&'r str>,
    pub year: Option<&'r str>,
    /// Whether the label is of the time before.
    pub earlier: bool,
    pub figure: &'r Figure,
}

/// Words of a label that tell when.
static WHEN: WordList = words(
    "last this before previous prior earlier ago now today year years season seasons month months week weeks quarter january february march      april may june july august september october november december spring summer autumn winter",
);

impl LabelledRow<'_> {
    /// Whether a draft's sentence has all words of the label, and so many at least.
    pub fn speaks_of(&self, own: &[&str], least: usize) -> bool {
        self.label.len() >= least && self.label.iter().all(|stem| own.contains(stem))
    }
}

/// The labelled rows of the sources. The rows of a table with several columns are none.
pub fn labelled<'d>(archive: &'d SourceArchive<'_>) -> impl Iterator<Item = (SourceLine, LabelledRow<'d>)> {
    archive.readings.iter().enumerate().flat_map(|(place, source)| {
        source.figures.iter().filter_map(move |figure| {
            let head = source.text.get(..figure.start)?;
            let start = head.rfind('\n').map_or(0, |at| at + 1);
            let label = head.get(start..)?.trim_end().strip_suffix(':')?;
            let one = matches!(figure.kind, FigureKind::Count | FigureKind::Money(_) | FigureKind::Percent);
            let tokens = source.between(start, start + label.len());
            let row = LabelledRow {
                label: tokens
                    .iter()
                    .filter(|token| !token.stop && !token.class.has(Class::NUMBER) && !WHEN.contains(&token.word))
                    .map(|token| token.stem.as_str())
                    .collect(),
                year: tokens.iter().map(|token| token.word.as_str()).find(|word| is_year(word)),
                earlier: tokens.iter().any(|token| matches!(&*token.word, "before" | "previous" | "prior" | "earlier")),
                figure,
            };
            let line = source.line_of(&figure.tokens);
            (one && !label.starts_with("- ") && !label.contains(';'))
                .then_some((SourceLine { source: place, line }, row))
        })
    })
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|year: u32| (1800..2100).contains(&year))
}
