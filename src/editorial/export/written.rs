//! A story's article as a file in one of the formats.

use std::io;

use super::{Imprint, corrected::with_corrections, docx, embargo::embargo_line, html::to_html, ninjs::to_ninjs};
use crate::{
    editorial::{corrections::PrintedCorrection, drafts::to_markdown, report},
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
        ExportFormat::Markdown => Some(to_markdown(&marked(article, &imprint)).into_bytes()),
        ExportFormat::Html => Some(to_html(article, &imprint).into_bytes()),
        ExportFormat::Json => Some(format!("{}\n", serde_json::to_string_pretty(&marked(article, &imprint))?).into()),
        ExportFormat::Ninjs => {
            Some(format!("{}\n", serde_json::to_string_pretty(&to_ninjs(article, &imprint))?).into())
        }
        ExportFormat::Docx => Some(docx::to_docx(&marked(article, &imprint))?),
        ExportFormat::DocxReview => docx::to_review_docx(journal, notices(&imprint).as_deref())?,
    })
}

/// What stands above an article for a colleague: that it is under embargo, and what it corrects.
fn notices(imprint: &Imprint) -> Option<String> {
    let corrections = imprint.corrections.iter().map(PrintedCorrection::line);
    let notices: Vec<String> = imprint.embargo.as_deref().map(embargo_line).into_iter().chain(corrections).collect();
    (!notices.is_empty()).then(|| notices.join(" \u{b7} "))
}

/// The article with its notices as its first paragraphs, for formats that have no other place for them.
fn marked(article: &ArticleResponse, imprint: &Imprint) -> ArticleResponse {
    let mut article = article.clone();
    article.articleBody = with_corrections(&article.articleBody, &imprint.corrections);
    if let Some(until) = &imprint.embargo {
        article.articleBody = format!("**{}**\n\n{}", embargo_line(until), article.articleBody);
    }
    article
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::next_steps::tests::{add_round, opening},
        newsroom::{CorrectedVersion, Correction, Specialist},
    };

    #[test]
    fn every_format_has_the_correction_and_none_does_without_one() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let corrects = CorrectedVersion {
            run: "R1".into(),
            number: 1,
            article: String::new(),
            signed_by: None,
            opened_at: "2026-10-05T12:00:00Z".into(),
            at: "2026-10-06T12:00:00Z".into(),
        };
        let correction =
            Correction { note: "It was *four* & more.".into(), by: "Ada".into(), at: "t".into(), corrects };
        let mut corrected = journal.clone();
        corrected.opening.corrections.push(correction);
        for (_, format) in ExportFormat::OUTSIDE.into_iter().chain([("", ExportFormat::DocxReview)]) {
            let text = |journal: &Journal| {
                let bytes = written(journal, format, None).unwrap().unwrap();
                if format.is_text() { String::from_utf8(bytes).unwrap() } else { docx::tests::read(&bytes) }
            };
            let (before, now) = (text(&journal), text(&corrected));
            assert!(!before.contains("Correction"), "{format:?}: {before}");
            assert!(now.contains("Correction") && now.contains("four"), "{format:?}: {now}");
            let article = serde_json::from_str::<ArticleResponse>(&now);
            assert_eq!(article.is_ok(), format == ExportFormat::Json, "what the desk reads back is read back");
        }
    }

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
