//! Rules that know words know English ones. Which language the texts of a check are in, and what follows for its ledger.

use crate::{
    newsroom::{ArticleResponse, Ledger, Source, SpanKind, Standing},
    text::language::{self, Language},
};

/// What the languages of a draft and its sources mean for a check.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Spoken {
    /// What a reader should know, a sentence each.
    pub(super) notes: Vec<String>,
    /// Whether a sentence of the draft can be compared with one of a source word by word.
    words_compare: bool,
}

/// Judges by the draft's body and each source's text. A text too short to tell counts as English.
pub(super) fn of(article: &ArticleResponse, sources: &[Source]) -> Spoken {
    let foreign = |text: &str| language::detect(text).filter(|language| !language.is_english());
    let said = |what: &str, language: Language| {
        format!(
            "{what} is in {language}: the rules for certainty and support know English words and do not apply to it; \
             quotations, figures, dates and names are checked"
        )
    };
    let own = foreign(&article.articleBody);
    let theirs: Vec<Option<Language>> = sources.iter().map(|source| foreign(&source.text)).collect();
    let mut notes: Vec<String> = own.map(|language| said("the draft", language)).into_iter().collect();
    notes.extend(sources.iter().zip(&theirs).filter_map(|(source, language)| {
        language.map(|language| said(&format!("the source {}", source.name), language))
    }));
    Spoken { notes, words_compare: own.is_none() && theirs.iter().any(Option::is_none) }
}

impl Spoken {
    /// The ledger without what rules of another language had to say: those rows are unchecked.
    pub(super) fn applied(&self, mut ledger: Ledger) -> Ledger {
        if self.words_compare {
            return ledger;
        }
        for row in ledger.rows.iter_mut().filter(|row| matches!(row.kind, SpanKind::Certainty | SpanKind::Support)) {
            row.standing = Standing::Unchecked;
            row.concern_type = None;
            row.blocks = false;
            row.note = None;
            row.passage = None;
            row.replacement = None;
        }
        ledger
    }
}
