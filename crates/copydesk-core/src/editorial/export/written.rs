//! A story's article as a file in one of the formats.

use std::{io, path::Path};

use super::{
    Edition, Imprint, docx,
    html::to_html,
    imprint::{embargo_line, notice, with_corrections},
    ninjs::to_ninjs,
    reader_sources::{plain, with_sources},
};
use crate::editorial::{corrections::PrintedCorrection, drafts::to_markdown, report};
use copydesk_newsroom::{ArticleResponse, Journal, StoryWithdrawal, named};
use copydesk_text::sanitise;

/// A format in which an article can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case")]
pub enum ExportFormat {
    Markdown,
    Html,
    /// The article's four fields.
    Json,
    Ninjs,
    Docx,
    /// For a colleague: changes tracked, open concerns as comments. It is for nobody outside.
    #[serde(skip)]
    DocxReview,
}

named!(ExportFormat);

impl ExportFormat {
    /// Those in which an article goes out.
    pub const OUTSIDE: [Self; 5] = [Self::Markdown, Self::Html, Self::Json, Self::Ninjs, Self::Docx];

    /// The format that the end of a file's name asks for; none if no format has it.
    pub fn by_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_lowercase();
        let ending = |ending: &str| name.len() > ending.len() && name.ends_with(ending);
        let known = [
            (".ninjs.json", Self::Ninjs),
            (".json", Self::Json),
            (".md", Self::Markdown),
            (".markdown", Self::Markdown),
            (".txt", Self::Markdown),
            (".html", Self::Html),
            (".htm", Self::Html),
            (".docx", Self::Docx),
        ];
        known.into_iter().find(|(known, _)| ending(known)).map(|(_, format)| format)
    }

    /// The end of a file's name, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Json => "json",
            Self::Ninjs => "ninjs.json",
            Self::Docx | Self::DocxReview => "docx",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
            Self::Json | Self::Ninjs => "application/json",
            Self::Docx | Self::DocxReview => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        }
    }

    /// Whether a terminal can show it.
    pub fn is_text(self) -> bool {
        !matches!(self, Self::Docx | Self::DocxReview)
    }
}

/// The article as it stands in that format; none if there is no draft.
///
/// # Errors
/// If it cannot be packed or written as JSON.
pub fn written(journal: &Journal, format: ExportFormat, edition: Edition<'_>) -> io::Result<Option<Vec<u8>>> {
    let Some(draft) = report::standing_draft(journal) else { return Ok(None) };
    let imprint = edition.imprint(journal);
    let style = edition.citations.unwrap_or(journal.opening.settings.citations);
    let round = report::shown_round(journal, journal.latest_draft());
    if format == ExportFormat::DocxReview {
        return docx::to_review_docx(journal, notices(&imprint).as_deref());
    }
    let cited = with_sources(journal, round, style);
    in_format(cited.as_ref().unwrap_or(&draft.article), &imprint, format).map(Some)
}

/// The notice that takes the article back, as it stands in that format; none if there is no draft. For a colleague the article stands below
/// it.
///
/// # Errors
/// As [`written`].
pub fn written_notice(
    journal: &Journal,
    withdrawal: &StoryWithdrawal,
    format: ExportFormat,
    edition: Edition<'_>,
) -> io::Result<Option<Vec<u8>>> {
    let Some((article, imprint)) = notice(journal, withdrawal, edition) else { return Ok(None) };
    if format == ExportFormat::DocxReview {
        // The article stands below it, with what it corrects.
        let lines = [Some(imprint.standing.clone()), notices(&edition.imprint(journal))];
        let notice: Vec<String> = lines.into_iter().flatten().collect();
        return docx::to_review_docx(journal, Some(&notice.join(" \u{b7} ")));
    }
    in_format(&article, &imprint, format).map(Some)
}

/// An article in a format.
///
/// # Errors
/// If it cannot be packed or written as JSON.
pub fn in_format(article: &ArticleResponse, imprint: &Imprint, format: ExportFormat) -> io::Result<Vec<u8>> {
    let lines = |text: String| format!("{text}\n").into_bytes();
    Ok(match format {
        ExportFormat::Markdown => to_markdown(&with_notices(article, imprint)).into_bytes(),
        ExportFormat::Html => to_html(article, imprint).into_bytes(),
        ExportFormat::Json => lines(serde_json::to_string_pretty(&with_notices(article, imprint))?),
        ExportFormat::Ninjs => lines(serde_json::to_string_pretty(&to_ninjs(article, imprint))?),
        ExportFormat::Docx | ExportFormat::DocxReview => docx::to_docx(&with_notices(article, imprint))?,
    })
}

/// The notices above an article for a colleague: that it is under embargo, and its corrections.
fn notices(imprint: &Imprint) -> Option<String> {
    let corrections = imprint.corrections.iter().map(PrintedCorrection::line);
    let notices: Vec<String> = imprint.embargo.as_deref().map(embargo_line).into_iter().chain(corrections).collect();
    (!notices.is_empty()).then(|| notices.join(" \u{b7} "))
}

/// The article with its notices as its first paragraphs, for formats that have no other place for them. They are an
/// embargo, what it corrects, and the line about artificial intelligence, unless a draft that was read back has that
/// line already.
pub fn with_notices(article: &ArticleResponse, imprint: &Imprint) -> ArticleResponse {
    let mut article = article.clone();
    article.articleBody = with_corrections(&article.articleBody, &imprint.corrections);
    let disclosure = imprint
        .disclosure
        .as_deref()
        .map(|line| plain(&sanitise::one_line(line)))
        .filter(|line| !article.articleBody.contains(line));
    if let Some(line) = disclosure {
        article.articleBody = format!("*{line}*\n\n{}", article.articleBody);
    }
    if let Some(until) = &imprint.embargo {
        article.articleBody = format!("**{}**\n\n{}", embargo_line(until), article.articleBody);
    }
    article
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        export::reader_sources::tests::researched,
        testing::{add_round, opening},
    };
    use copydesk_newsroom::{CitationStyle, CorrectedVersion, Correction, Disclosure, Specialist};

    const FIRST: Edition<'static> = Edition { number: 1, embargo: None, citations: None };

    #[test]
    fn the_end_of_a_name_decides_the_format() {
        for (name, format) in [
            ("port.DOCX", Some(ExportFormat::Docx)),
            ("a/port.ninjs.json", Some(ExportFormat::Ninjs)),
            ("port.json", Some(ExportFormat::Json)),
            ("port.htm", Some(ExportFormat::Html)),
            ("port.md", Some(ExportFormat::Markdown)),
            ("port.pdf", None),
            ("port", None),
            (".md", None),
        ] {
            assert_eq!(ExportFormat::by_name(Path::new(name)), format, "{name}");
        }
    }

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
        for format in ExportFormat::OUTSIDE.into_iter().chain([ExportFormat::DocxReview]) {
            let text = |journal: &Journal| {
                let bytes = written(journal, format, FIRST).unwrap().unwrap();
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
    fn every_format_names_the_sources_as_notes_or_in_the_text_or_beside_it() {
        let journal = researched();
        let bytes = |format, style| {
            let edition = Edition { citations: Some(style), ..FIRST };
            written(&journal, format, edition).unwrap().unwrap()
        };
        let text = |format, style| String::from_utf8(bytes(format, style)).unwrap();
        let lines = ["Title of https://a.example. https://a.example (opened 2026-10-06)", "letter.txt"];
        for style in [CitationStyle::None, CitationStyle::Notes, CitationStyle::Inline] {
            let (in_notes, in_text) = (style == CitationStyle::Notes, style == CitationStyle::Inline);
            let markdown = text(ExportFormat::Markdown, style);
            assert_eq!(markdown.contains("[^source-1]: Title of"), in_notes, "{markdown}");
            assert_eq!(markdown.contains("[\\[1\\]](<https://a.example>)"), in_text, "{markdown}");

            // A page has links, and its JSON-LD the notes.
            let html = text(ExportFormat::Html, style);
            let body = html.split_once("<article").and_then(|(_, body)| body.split_once("</article>")).unwrap().0;
            assert_eq!(body.contains("href=\"https://a.example\""), style != CitationStyle::None, "{html}");
            assert!(!html.contains("[^source"), "{html}");
            let data = html.split_once("application/ld+json\">").unwrap().1;
            let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
            let notes = if in_notes { serde_json::json!(lines) } else { serde_json::Value::Null };
            assert_eq!(data["citation"], notes, "{data}");
            assert_eq!(data["isBasedOn"][0]["url"], "https://a.example");
            assert_eq!(data["isBasedOn"][1]["name"], "letter.txt");

            let ninjs: serde_json::Value = serde_json::from_str(&text(ExportFormat::Ninjs, style)).unwrap();
            let [plain, rich] = [0, 1].map(|at| ninjs["bodies"][at]["value"].as_str().unwrap());
            assert_eq!(
                (plain.contains("[^source-2]"), plain.contains("\n## Sources\n")),
                (in_notes, in_text),
                "{plain}"
            );
            assert_eq!(rich.contains("href=\"https://a.example\""), style != CitationStyle::None, "{rich}");
            assert!(!rich.contains("[^"), "{rich}");
            assert_eq!(ninjs["infoSources"][0]["uri"], "https://a.example");

            // Word has footnotes of its own, in a part of their own, each with its mark in the text.
            let word = bytes(ExportFormat::Docx, style);
            let [document, notes] =
                ["word/document.xml", "word/footnotes.xml"].map(|part| docx::tests::part(&word, part));
            assert_eq!(document.matches("<w:footnoteReference ").count(), if in_notes { 2 } else { 0 }, "{document}");
            assert_eq!(notes.contains("Title of https://a.example"), in_notes, "{notes}");
            assert_eq!(notes.contains("letter.txt"), in_notes, "{notes}");
            assert!(!document.contains("source-1") && !document.contains("Footnotes"), "{document}");
            assert_eq!(document.contains(">Sources<"), in_text, "{document}");
            let relations = ["word/_rels/document.xml.rels", "word/_rels/footnotes.xml.rels"];
            let linked = relations.map(|part| docx::tests::part(&word, part).contains("https://a.example"));
            assert_eq!(linked, [in_text, in_notes]);
        }
    }

    #[test]
    fn a_notice_stands_in_the_articles_place_and_only_a_colleague_still_reads_it() {
        let mut journal = Journal::new(opening());
        let withdrawal = StoryWithdrawal {
            at: "2026-10-08T09:00:00.000Z".into(),
            by: "A. Editor".into(),
            reason: "The *letter* was <b>forged</b>.".into(),
            number: 3,
        };
        assert_eq!(written_notice(&journal, &withdrawal, ExportFormat::Html, FIRST).unwrap(), None);
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let body = journal.draft(1).unwrap().article.articleBody.trim().to_owned();
        for format in ExportFormat::OUTSIDE.into_iter().chain([ExportFormat::DocxReview]) {
            let bytes = written_notice(&journal, &withdrawal, format, FIRST).unwrap().unwrap();
            let text = if format.is_text() { String::from_utf8(bytes).unwrap() } else { docx::tests::read(&bytes) };
            assert!(text.contains("This article was withdrawn on 2026-10-08"), "{format:?}: {text}");
            assert_eq!(text.contains(&body), format == ExportFormat::DocxReview, "{format:?}: {text}");
            assert!(!text.contains("<b>") || format != ExportFormat::Html, "{text}");
            if format == ExportFormat::Ninjs {
                let object: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!((&object["pubStatus"], &object["version"]), (&"canceled".into(), &"3".into()));
                assert_eq!(object["versionCreated"], "2026-10-08T09:00:00.000Z");
            }
        }
    }

    #[test]
    fn every_format_says_that_a_story_is_under_embargo_and_none_does_without_one() {
        let mut journal = Journal::new(opening());
        assert_eq!(written(&journal, ExportFormat::Html, FIRST).unwrap(), None);
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        for format in ExportFormat::OUTSIDE.into_iter().chain([ExportFormat::DocxReview]) {
            let text = |embargo| {
                let bytes = written(&journal, format, Edition { embargo, ..FIRST }).unwrap().unwrap();
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
            let bytes = written(journal, format, FIRST).unwrap().unwrap();
            if format.is_text() { String::from_utf8(bytes).unwrap() } else { docx::tests::read(&bytes) }
        };
        for format in ExportFormat::OUTSIDE {
            assert!(!text(&journal, format).contains("artificial intelligence"), "{format:?}");
        }
        journal.opening.settings.disclosure = Disclosure::AiGenerated;
        for format in ExportFormat::OUTSIDE {
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
