//! A story's article as a file in one of the formats.

use std::io;

use super::{Imprint, docx, embargo::embargo_line, html::to_html, ninjs::to_ninjs};
use crate::{
    editorial::{drafts::to_markdown, report},
    newsroom::{ArticleResponse, Journal},
    text::sanitise,
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
    let marked = || with_notices(article, &imprint);
    Ok(match format {
        ExportFormat::Markdown => Some(to_markdown(&marked()).into_bytes()),
        ExportFormat::Html => Some(to_html(article, &imprint).into_bytes()),
        ExportFormat::Json => Some(format!("{}\n", serde_json::to_string_pretty(&marked())?).into()),
        ExportFormat::Ninjs => {
            Some(format!("{}\n", serde_json::to_string_pretty(&to_ninjs(article, &imprint))?).into())
        }
        ExportFormat::Docx => Some(docx::to_docx(&marked())?),
        ExportFormat::DocxReview => docx::to_review_docx(journal, embargo.map(embargo_line).as_deref())?,
    })
}

/// The article with what readers are told as its first paragraphs, for formats that have no other place for it: an embargo's notice, and
/// the line about artificial intelligence, unless a draft that was read back has it already.
#[must_use]
pub fn with_notices(article: &ArticleResponse, imprint: &Imprint) -> ArticleResponse {
    let mut article = article.clone();
    let disclosure = imprint.disclosure.as_deref().map(plain).filter(|line| !article.articleBody.contains(line));
    if let Some(line) = disclosure {
        article.articleBody = format!("*{line}*\n\n{}", article.articleBody);
    }
    if let Some(until) = &imprint.embargo {
        article.articleBody = format!("**{}**\n\n{}", embargo_line(until), article.articleBody);
    }
    article
}

/// A line in which no character is a sign of Markdown: it may hold a name.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in sanitise::one_line(line).chars() {
        if "\\`*_{}[]<>#|~&!".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::next_steps::tests::{add_round, opening},
        newsroom::{Disclosure, Specialist},
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

    #[test]
    fn every_format_says_what_the_newsroom_discloses_once_and_none_does_without() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let text = |journal: &Journal, format: ExportFormat| {
            let bytes = written(journal, format, None).unwrap().unwrap();
            if format.is_text() { String::from_utf8(bytes).unwrap() } else { docx::tests::read(&bytes) }
        };
        for (_, format) in ExportFormat::OUTSIDE {
            assert!(!text(&journal, format).contains("artificial intelligence"), "{format:?}");
        }
        journal.opening.disclosure = Disclosure::AiGenerated;
        for (_, format) in ExportFormat::OUTSIDE {
            let told = text(&journal, format);
            assert!(told.contains("was written by artificial intelligence"), "{format:?}: {told}");
        }
        let mut imprint = Imprint::of(&journal);
        let article = &report::standing_draft(&journal).unwrap().article;
        let once = with_notices(article, &imprint);
        assert_eq!(with_notices(&once, &imprint), once, "what was exported and read back");
        imprint.disclosure = Some("Made by *A* <b>\n[B](http://x)".into());
        let body = with_notices(article, &imprint).articleBody;
        assert!(body.starts_with("*Made by \\*A\\* \\<b\\> \\[B\\](http://x)*\n\n"), "{body}");
    }
}
