//! The publisher's tools: headline, search, metadata, accessibility, formats, sending.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ServedDesk, ServedTool, ToolRefusal, ToolWork, arguments,
    places::{NumberedText, TextPlace},
    sending::{SendAnswer, SendArguments},
    tool::{Capped, capped_as},
};
use copydesk_core::editorial::{
    export::{self, Imprint},
    publishing::{self, ReadArticle},
};
use copydesk_newsroom::{ArticleResponse, PublishingCheck, PublishingNote, TargetKind};
use copydesk_style::Readability;

pub(super) fn tools() -> Vec<ServedTool> {
    vec![
        ServedTool::texts(
            "convert_format",
            "Convert the format",
            "Writes an article as Markdown, as one HTML page that runs nothing, or as ninjs 3.1 with the status \"withheld\", and lists what \
             the format does not carry. Nothing is published: only a person can sign an article.",
            converted,
        ),
        ServedTool::texts(
            "check_search",
            "Check for search",
            "Says what a search engine would show of an article (title, description, the last part of its address), and what keeps a search \
             from meeting it. Each note has its place and what to do.",
            |_, given| checked(given, PublishingCheck::Search, publishing::search_entry),
        ),
        ServedTool::texts(
            "score_headline",
            "Score a headline",
            "Gives a headline up to 8 points: whether the article's text bears it out, whether it names somebody, a place or a figure, its \
             length, and whether it baits. A headline that the text contradicts gets none. It does not judge whether it is clear.",
            |_, given| checked(given, PublishingCheck::Headline, publishing::headline_score),
        ),
        ServedTool::texts(
            "generate_metadata",
            "Generate metadata",
            "Lists the people, organisations and places that an article names, its keywords and its language, from its own words alone. \
             Names of which no rule can tell the kind are listed as unsure. It ties no name to a record elsewhere.",
            |_, given| checked(given, PublishingCheck::Metadata, publishing::metadata),
        ),
        ServedTool::texts(
            "check_accessibility",
            "Check accessibility",
            "Finds what keeps people from reading an article who listen to it or need plain words: heading levels, words of links, \
             descriptions of pictures, abbreviations, reading level. Each note has its place and what to write instead.",
            |_, given| {
                let level = |read: &ReadArticle| ReadingLevel { readability: Readability::of(read.article) };
                checked(given, PublishingCheck::Accessibility, level)
            },
        ),
        ServedTool::new::<SendArguments, SendAnswer>(
            "publish",
            "Publish a story",
            "Sends a story of this desk to the targets that its configuration names. The story must be signed off by a person, and not be \
             under embargo. Each version goes to a target once: a second call sends nothing again.",
            ToolWork::Sending(None),
        ),
        ServedTool::new::<SendArguments, SendAnswer>(
            "send_email",
            "Send a story by e-mail",
            "Sends a story of this desk to the receivers that its configuration names, as `publish` does. Other addresses cannot be given.",
            ToolWork::Sending(Some(TargetKind::Email)),
        ),
    ]
}

/// An article as a caller hands it over.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GivenArticle {
    /// The article's text in Markdown, without its headline.
    #[serde(deserialize_with = "arguments::text")]
    text: String,
    /// The headline. It may have several lines, which is noted.
    #[serde(deserialize_with = "arguments::text")]
    headline: String,
    /// A second headline for another channel.
    #[serde(default, deserialize_with = "arguments::text")]
    alternative_headline: String,
    /// One or two sentences that say what the article is about.
    #[serde(default, deserialize_with = "arguments::text")]
    description: String,
}

impl GivenArticle {
    fn article(self) -> Result<ArticleResponse, ToolRefusal> {
        Ok(ArticleResponse {
            headline: self.headline,
            alternativeHeadline: self.alternative_headline,
            articleBody: arguments::filled(self.text, "text")?,
            description: self.description,
        })
    }
}

/// What is to be done about a place, before an article goes out.
#[derive(Debug, Serialize, JsonSchema)]
struct ServedPublishingNote {
    /// The text of the call: `headline`, `alternative_headline`, `description` or `text`.
    within: &'static str,
    #[serde(flatten)]
    place: TextPlace,
    what: String,
    fix: String,
    /// What to write instead; empty text means: leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement: Option<String>,
}

fn notes_of(read: &ReadArticle, check: PublishingCheck) -> Capped<ServedPublishingNote> {
    let texts = read.article.fields().map(|(name, text)| (name, NumberedText::new(text)));
    let [headline, alternative, description, body] = &texts;
    capped_as(publishing::notes_of(read, check), |note: PublishingNote| {
        let (within, text) = match note.field.as_str() {
            "headline" => ("headline", &headline.1),
            "alternativeHeadline" => ("alternative_headline", &alternative.1),
            "description" => ("description", &description.1),
            _ => ("text", &body.1),
        };
        ServedPublishingNote {
            within,
            place: text.place(note.start..note.end),
            what: note.what,
            fix: note.fix,
            replacement: note.replacement,
        }
    })
}

#[derive(Debug, Serialize, JsonSchema)]
struct CheckedArticle<T> {
    #[serde(flatten)]
    found: T,
    notes: Capped<ServedPublishingNote>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ReadingLevel {
    /// None if the text has no word.
    readability: Option<Readability>,
}

/// What `find` finds in an article, with the notes of a check.
fn checked<T>(
    given: GivenArticle,
    check: PublishingCheck,
    find: impl FnOnce(&ReadArticle) -> T,
) -> Result<CheckedArticle<T>, ToolRefusal> {
    let article = given.article()?;
    let read = ReadArticle::of(&article);
    Ok(CheckedArticle { found: find(&read), notes: notes_of(&read, check) })
}

/// An article to be written in another format.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FormatArguments {
    /// The article.
    article: GivenArticle,
    /// The format to write.
    to: ServedFormat,
    /// Who wrote the text. The page and the object say so.
    written_by: WrittenBy,
    /// The name of the desk or section.
    #[serde(default, deserialize_with = "arguments::line")]
    desk: String,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ServedFormat {
    Markdown,
    Html,
    Ninjs,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum WrittenBy {
    Person,
    Model,
    Both,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FormatAnswer {
    /// The article in that format, as one text.
    content: String,
    notes: Capped<ServedPublishingNote>,
}

fn converted(desk: &ServedDesk, given: FormatArguments) -> Result<FormatAnswer, ToolRefusal> {
    let FormatArguments { article, to, written_by, desk: section } = given;
    let article = article.article()?;
    let read = ReadArticle::of(&article);
    let slug = publishing::search_entry(&read).slug.unwrap_or_else(|| "article".to_owned());
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let section = if section.is_empty() { "desk".to_owned() } else { section };
    let imprint = Imprint {
        uri: format!("urn:x-copydesk:{}:{slug}", encoded(&section)),
        channel: section,
        standing: "Nobody has signed it off.".to_owned(),
        opened_at: desk.clock.now().to_string(),
        digital_source: match written_by {
            WrittenBy::Person => "digitalCreation",
            WrittenBy::Model => "trainedAlgorithmicMedia",
            WrittenBy::Both => "compositeWithTrainedAlgorithmicMedia",
        },
        number: 1,
        language: publishing::metadata(&read).language.unwrap_or_else(|| "und".to_owned()),
        ..Imprint::default()
    };
    let content = match to {
        ServedFormat::Markdown => export::to_markdown(read.article),
        ServedFormat::Html => export::to_html(read.article, &imprint),
        ServedFormat::Ninjs => export::to_ninjs(read.article, &imprint).to_string(),
    };
    Ok(FormatAnswer { content, notes: notes_of(&read, PublishingCheck::Formats) })
}
