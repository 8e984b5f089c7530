//! A story's article as a file in one of the formats.

use std::io;

use super::{Imprint, docx, embargo::embargo_line, html::to_html, ninjs::to_ninjs};
use crate::{
    editorial::{drafts::to_markdown, report},
    newsroom::{ArticleResponse, Journal},
};

/// What an article can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Markdown,
    Html,
    /// The article's four fields.
    Json,
    Ninjs,
    Docx,
    /// For a colleague: changes tracked, open concerns as comments. It is for nobody outside.
    DocxReview,
}

impl ExportFormat {
    /// Those in which an article goes out, each by its word in the configuration.
    pub const OUTSIDE: [(&'static str, Self); 5] = [
        ("markdown", Self::Markdown),
        ("html", Self::Html),
        ("json", Self::Json),
        ("ninjs", Self::Ninjs),
        ("docx", Self::Docx),
    ];

    /// Its word in the configuration and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        let outside = Self::OUTSIDE.into_iter().find(|(_, format)| *format == self);
        outside.map_or("docx-review", |(name, _)| name)
    }

    /// The end of a file's name, without the dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Json => "json",
            Self::Ninjs => "ninjs.json",
            Self::Docx | Self::DocxReview => "docx",
        }
    }

    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
            Self::Json | Self::Ninjs => "application/json",
            Self::Docx | Self::DocxReview => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        }
    }

    /// Whether a terminal can show it.
    #[must_use]
    pub fn is_text(self) -> bool {
        !matches!(self, Self::Docx | Self::DocxReview)
    }
}

/// The article as it stands in that format; none if there is no draft. `embargo`: the time before which it may not be published, if that is
/// still to come; the file says so.
///
/// # Errors
/// If it cannot be packed or written as JSON.
pub fn written(journal: &Journal, format: ExportFormat, embargo: Option<&str>) -> io::Result<Option<Vec<u8>>> {
    let Some(draft) = report::standing_draft(journal) else { return Ok(None) };
    let article = &draft.article;
    let imprint = Imprint { embargo: embargo.map(str::to_owned), ..Imprint::of(journal) };
    Ok(match format {
        ExportFormat::Markdown => Some(to_markdown(&marked(article, embargo)).into_bytes()),
        ExportFormat::Html => Some(to_html(article, &imprint).into_bytes()),
        ExportFormat::Json => Some(format!("{}\n", serde_json::to_string_pretty(&marked(article, embargo))?).into()),
        ExportFormat::Ninjs => {
            Some(format!("{}\n", serde_json::to_string_pretty(&to_ninjs(article, &imprint))?).into())
        }
        ExportFormat::Docx => Some(docx::to_docx(&marked(article, embargo))?),
        ExportFormat::DocxReview => docx::to_review_docx(journal, embargo.map(embargo_line).as_deref())?,
    })
}

/// The article with the notice as its first paragraph, for formats that have no other place for it.
fn marked(article: &ArticleResponse, embargo: Option<&str>) -> ArticleResponse {
    let mut article = article.clone();
    if let Some(until) = embargo {
        article.articleBody = format!("**{}**\n\n{}", embargo_line(until), article.articleBody);
    }
    article
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::next_steps::tests::{add_round, opening},
        newsroom::Specialist,
    };

    #[test]
    fn every_format_says_that_a_story_is_under_embargo_and_none_does_without_one() {
        let mut journal = Journal::new(opening());
        assert_eq!(written(&journal, ExportFormat::Html, None).unwrap(), None);
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        for (_, format) in ExportFormat::OUTSIDE.into_iter().chain([("", ExportFormat::DocxReview)]) {
            let text = |embargo| {
                let bytes = written(&journal, format, embargo).unwrap().unwrap();
                if format.is_text() { String::from_utf8(bytes).unwrap() } else { docx::tests::read(&bytes) }
            };
            let until = "2026-10-07T16:00:00.000Z";
            let (free, held) = (text(None), text(Some(until)));
            assert!(!free.contains("EMBARGOED"), "{format:?}: {free}");
            assert!(held.contains("EMBARGOED UNTIL 2026-10-07 16:00 UTC"), "{format:?}: {held}");
            assert_eq!(held.contains(&format!("\"embargoedUntil\": \"{until}\"")), format == ExportFormat::Ninjs);
        }
        assert_eq!(embargo_line("some day"), "EMBARGOED UNTIL some day");
    }
}
