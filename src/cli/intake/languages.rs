//! Which language the texts of a check are in, and which rules do not apply for it.

use crate::{
    newsroom::{ArticleResponse, Source},
    proof,
    text::language::{self, Language},
};

/// Notes on the languages of a draft and its sources, a sentence each. A text too short to tell counts as English.
pub(crate) fn notes(article: &ArticleResponse, sources: &[Source]) -> Vec<String> {
    let texts = std::iter::once(("the draft".to_owned(), article.articleBody.as_str()))
        .chain(sources.iter().map(|source| (format!("the source {}", source.name), source.text.as_str())));
    let foreign = texts.filter_map(|(what, text)| {
        let language: Language = language::detect(text).filter(|language| !language.is_english())?;
        Some(format!("{what} is in {language}"))
    });
    let mut notes: Vec<String> = foreign.collect();
    if !notes.is_empty() {
        let left_out: Vec<&str> = proof::not_applied(article, sources).into_iter().map(|rule| rule.name).collect();
        notes.push(format!(
            "Rules for English words are off ({}). Quotations, figures, dates and the spelling of names are checked",
            left_out.join(", ")
        ));
    }
    notes
}
