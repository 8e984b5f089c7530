//! A draft as Markdown: how it is written for people, and how a draft that a person hands in is read.

use std::borrow::Cow;

use copydesk_newsroom::ArticleResponse;
use copydesk_text::sanitise;

use crate::{
    hidden::Hidden,
    markdown::{self, MarkdownRead},
};

/// A draft that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// No text.
    #[error("the draft is empty; it needs at least a headline and a paragraph")]
    Empty,
    /// A headline and nothing below.
    #[error("the draft has a headline but no text below it")]
    NoBody,
    /// A JSON draft that is not an article.
    #[error("the draft is not an article in JSON: {0}")]
    NotAnArticle(String),
}

/// Renders `article` as it is kept in `iter{n}_writer_draft.md`: `# headline`, `*alternative*`, `> description`, body. A part that is empty is
/// left out.
pub fn to_markdown(article: &ArticleResponse) -> String {
    let part = |before: &str, text: &str, after: &str| {
        if text.is_empty() { String::new() } else { format!("{before}{text}{after}\n\n") }
    };
    format!(
        "# {}\n\n{}{}{}\n",
        article.headline.trim(),
        part("*", article.alternativeHeadline.trim(), "*"),
        part("> ", &sanitise::one_line(&article.description), ""),
        article.articleBody.trim()
    )
}

/// Reads what [`to_markdown`] writes, the JSON of an article, and plain text. The first line is the headline, a first
/// paragraph in emphasis the alternative headline, a first block quotation the description. Either of these may be missing.
///
/// # Errors
/// [`DraftError`] if there is no headline, no text, or JSON that is no article.
pub fn from_text(text: &str) -> Result<ArticleResponse, DraftError> {
    let text = sanitise::clean(text);
    let text = below_front_matter(&text).trim();
    if text.starts_with('{') {
        return from_json(text);
    }
    let mut blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()).peekable();
    let first = blocks.next().ok_or(DraftError::Empty)?;
    let (headline, below) = first.split_once('\n').unwrap_or((first, ""));
    let headline = sanitise::one_line(headline.trim_start_matches('#'));
    let mut body: Vec<&str> = Vec::new();
    if !below.trim().is_empty() {
        body.push(below.trim());
    }
    let mut alternative = None;
    let mut description = None;
    if body.is_empty() {
        alternative = blocks.next_if(|block| emphasised(block).is_some()).and_then(emphasised);
        // Only where `to_markdown` puts it: a body may begin with a quotation.
        if alternative.is_some() {
            description = blocks.next_if(|block| block.starts_with('>')).map(unquote);
        }
    }
    body.extend(blocks);
    // Exports have these above the text. They are made anew at each export.
    let notices = body.iter().take_while(|block| is_notice(block)).count();
    body.drain(..notices);
    if body.iter().all(|block| is_heading(block)) {
        return Err(DraftError::NoBody);
    }
    Ok(ArticleResponse {
        alternativeHeadline: alternative.unwrap_or_default(),
        description: description.unwrap_or_default(),
        headline,
        articleBody: body.join("\n\n"),
    })
}

/// As [`from_text`]; a text of one paragraph is all body.
///
/// # Errors
/// [`DraftError`] if there is no text, or JSON that is no article.
pub fn own(text: &str) -> Result<ArticleResponse, DraftError> {
    match from_text(text) {
        Err(DraftError::NoBody) => Ok(ArticleResponse {
            articleBody: below_front_matter(&sanitise::clean(text)).trim().to_owned(),
            ..ArticleResponse::default()
        }),
        read => read,
    }
}

/// A draft while it is typed, read as its file will be: with marks for character references and quotations in HTML. Every byte keeps its
/// place, because NUL fills up what is shorter now. It goes as soon as a text is cleaned.
pub fn read_typed(text: &str) -> Cow<'_, str> {
    if text.trim_start().starts_with('{') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(markdown::read(text.to_owned(), MarkdownRead::Typed, &mut Hidden::default()))
}

/// The front matter of a draft and the text below it, if it has any, as Markdown editors and site generators write it. It is YAML between
/// two lines of `---`, the first at the very beginning.
pub fn front_matter(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches('\u{feff}').strip_prefix("---")?;
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let bare = line.trim_end();
        if bare == "---" {
            return rest.get(..at).zip(rest.get(at + line.len()..));
        }
        // A draft may begin with a rule, too.
        let key = bare.split_once(':').is_some_and(|(key, _)| !key.contains(' '));
        if !key && !bare.is_empty() && !line.starts_with([' ', '\t', '-', '#']) {
            return None;
        }
        at += line.len();
    }
    None
}

fn below_front_matter(text: &str) -> &str {
    front_matter(text).map_or(text, |(_, below)| below)
}

/// The same draft as the desk takes it, with a headline: without one of its own, the beginning of its text.
pub fn completed(article: ArticleResponse) -> ArticleResponse {
    if !sanitise::is_blank(&article.headline) {
        return article;
    }
    let lead = article.articleBody.split("\n\n").map(sanitise::one_line).find(|block| !block.is_empty());
    ArticleResponse { headline: sanitise::excerpt(&lead.unwrap_or_default(), LONGEST_HEADLINE), ..article }
}

/// Most characters of a headline that is made from a text.
const LONGEST_HEADLINE: usize = 120;

/// An article in JSON, its fields cleaned: an escape may hide behind JSON's own.
fn from_json(text: &str) -> Result<ArticleResponse, DraftError> {
    let article: ArticleResponse =
        serde_json::from_str(text).map_err(|error| DraftError::NotAnArticle(error.to_string()))?;
    if sanitise::is_blank(&article.headline) {
        return Err(DraftError::NotAnArticle("headline is empty".to_owned()));
    }
    let article = cleaned(&article);
    let has_text =
        article.articleBody.split("\n\n").any(|block| !sanitise::is_blank(block) && !is_heading(block.trim()));
    if has_text { Ok(article) } else { Err(DraftError::NoBody) }
}

/// Whether a paragraph is a notice that an export puts above an article: an embargo, or that artificial intelligence was used.
fn is_notice(block: &str) -> bool {
    let embargo = block.strip_prefix("**EMBARGOED UNTIL ").is_some_and(|rest| rest.ends_with("UTC**"));
    let disclosure = block.strip_prefix("*This article was ").is_some_and(|rest| rest.ends_with('*'));
    embargo || disclosure && block.contains("artificial intelligence (AI).")
}

/// Whether a paragraph is a heading, as Markdown has it: `#budget` is a word.
fn is_heading(block: &str) -> bool {
    let after = block.trim_start_matches('#');
    after.len() < block.len() && (after.is_empty() || after.starts_with([' ', '\t', '\n']))
}

/// The article with its fields cleaned: the body keeps its lines, every other field is one line.
pub fn cleaned(article: &ArticleResponse) -> ArticleResponse {
    article.map(|field, text| match field {
        "articleBody" => sanitise::clean(text).into_owned(),
        _ => sanitise::one_line(text),
    })
}

/// The text of a paragraph that is wholly in emphasis.
fn emphasised(block: &str) -> Option<String> {
    let inside = block.strip_prefix('*')?.strip_suffix('*')?;
    (!inside.starts_with('*') && !inside.contains('\n') && !inside.trim().is_empty())
        .then(|| sanitise::one_line(inside))
}

fn unquote(block: &str) -> String {
    let lines: Vec<&str> = block.lines().map(|line| line.trim_start_matches('>').trim()).collect();
    sanitise::one_line(&lines.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_an_export_are_no_part_of_a_draft() {
        let notice =
            "*This article was made with the help of artificial intelligence (AI). Ada approved it for publication.*";
        let text =
            format!("# A\n\n*B*\n\n> C\n\n**EMBARGOED UNTIL 2026-10-07 16:00 UTC**\n\n{notice}\n\nText.\n\n{notice}\n");
        assert_eq!(from_text(&text).unwrap().articleBody, format!("Text.\n\n{notice}"), "only above the text");
    }

    #[test]
    fn a_word_behind_a_hash_is_text_and_a_heading_is_none() {
        let json = |body: &str| {
            format!(r#"{{"headline": "A", "alternativeHeadline": "B", "description": "C", "articleBody": "{body}"}}"#)
        };
        let read = from_text(&json("#budget day")).unwrap();
        assert_eq!(from_text(&to_markdown(&read)).unwrap(), read);
        for body in ["# Budget", "##", "\u{200b}"] {
            assert!(from_text(&json(body)).is_err(), "{body}");
        }
        assert_eq!(from_text("# A\n\n## Budget"), Err(DraftError::NoBody));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let article = ArticleResponse {
            headline: "Council votes".into(),
            alternativeHeadline: "Seven to two".into(),
            description: "A vote.".into(),
            articleBody: "First.\n\n## Sub\n\n> A quotation.\n\nLast.".into(),
        };
        assert_eq!(from_text(&to_markdown(&article)).as_ref(), Ok(&article));
        assert_eq!(from_text(&serde_json::to_string(&article).unwrap()).as_ref(), Ok(&article));
    }

    #[test]
    fn a_plain_draft_has_what_it_has() {
        let read = from_text("Council votes\r\n\r\nThe council\nvoted.\r\n\r\nMore.").unwrap();
        assert_eq!(
            read,
            ArticleResponse {
                headline: "Council votes".into(),
                alternativeHeadline: String::new(),
                description: String::new(),
                articleBody: "The council\nvoted.\n\nMore.".into(),
            }
        );
        assert_eq!(from_text(&to_markdown(&read)), Ok(read));
    }

    #[test]
    fn an_own_draft_without_a_headline_begins_with_its_text() {
        let read = |text: &str| completed(own(text).unwrap());
        assert_eq!(
            read("Council votes\n\nThe council voted."),
            from_text("Council votes\n\nThe council voted.").unwrap()
        );
        let bare = read("The council voted.");
        assert_eq!((bare.headline.as_str(), bare.articleBody.as_str()), ("The council voted.", "The council voted."));
    }

    #[test]
    fn front_matter_is_no_part_of_a_draft() {
        let text = "---\ntitle: Council votes\nsources:\n  - notes.txt\n---\n# Council votes\n\nIt voted.\n";
        assert_eq!(front_matter(text).unwrap().0, "title: Council votes\nsources:\n  - notes.txt\n");
        let read = from_text(&text.replace('\n', "\r\n")).unwrap();
        assert_eq!((read.headline.as_str(), read.articleBody.as_str()), ("Council votes", "It voted."));
        assert_eq!(own("---\na: b\n---\nIt voted.").unwrap().articleBody, "It voted.");
        // A rule above the text, and front matter without an end.
        for other in ["---\n\nIt voted at last: five to two.\n\n---\n\nMore.", "---\ntitle: Council votes\n"] {
            assert_eq!(front_matter(other), None, "{other}");
        }
    }

    #[test]
    fn a_draft_is_read_while_it_is_typed_as_from_its_file() {
        let text = "# A &amp; B\n\nIt cost $2&nbsp;million. &ldquo;No,&rdquo; <q>he</q> said.";
        let read = "# A & B\n\nIt cost $2\u{a0}million. “No,” “he” said.";
        let shown = read_typed(text);
        assert_eq!((shown.len(), from_text(&shown)), (text.len(), from_text(read)));
        assert_eq!(read_typed("{\"headline\": \"A &amp; B\"}"), "{\"headline\": \"A &amp; B\"}");
    }

    #[test]
    fn a_draft_without_text_is_refused() {
        assert_eq!(from_text(" \n"), Err(DraftError::Empty));
        assert_eq!(from_text("# Only a headline"), Err(DraftError::NoBody));
        assert!(matches!(from_text("{\"headline\": 1}"), Err(DraftError::NotAnArticle(_))));
    }

    #[test]
    fn json_that_is_nested_a_million_deep_is_refused() {
        for deep in ["[", "{\"a\":"] {
            let text = format!("{{\"headline\":\"A\",\"articleBody\":{}", deep.repeat(1_000_000));
            assert!(from_text(&text).is_err() && own(&text).is_err());
        }
    }
}
