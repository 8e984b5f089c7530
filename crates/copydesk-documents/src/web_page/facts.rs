//! The facts that a page states about itself: title, byline, publisher, day of publication.
//!
//! Read from what publishers write for programs: Open Graph (<https://ogp.me>), JSON-LD of schema.org, Dublin Core and the usual `meta` names,
//! and the first `time`. A page may lie in all of them.

use std::cmp::Reverse;

use html5ever::tokenizer::Tag;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tokens::{self, TagReader};
use copydesk_text::sanitise;

/// Most characters of a fact.
const LONGEST: usize = 200;
/// Most bytes of JSON-LD that are read.
const MOST_JSON: usize = 512 << 10;
/// Most `meta` elements that are looked at.
const MOST_META: usize = 500;
/// Most names in a byline.
const MOST_NAMES: usize = 8;

/// The facts that a page states about itself, each in one line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFacts {
    pub title: Option<String>,
    /// Who signed it.
    pub byline: Option<String>,
    /// Who published it.
    pub publisher: Option<String>,
    /// The day of its publication, ISO 8601.
    pub published: Option<String>,
}

/// Reads the facts of a page.
pub(crate) fn read(html: &str) -> PageFacts {
    tokens::walk(html, Stated::default()).facts()
}

/// The text that a page has for programs.
pub(super) struct Body {
    pub text: String,
    /// Whether it stands in a field for the text of an article, and in no other.
    pub of_article: bool,
}

/// The text that a page has for programs: the longest of its article's, else of its other texts, else of its descriptions. Of several articles
/// the one with the page's title counts.
pub(super) fn body(html: &str) -> Option<Body> {
    let stated = tokens::walk(html, Stated::default());
    let things = stated.things();
    let titles: Vec<&str> = stated
        .meta
        .iter()
        .filter(|(name, _)| name == "og:title")
        .map(|(_, said)| said.as_str())
        .chain(stated.title.as_deref())
        .collect();
    let is_of_page = |fields: &serde_json::Map<String, Value>| {
        let headline = fields.get("headline").and_then(Value::as_str).and_then(line).filter(|line| !line.is_empty());
        headline.is_some_and(|headline| titles.iter().any(|title| title.contains(&headline)))
    };
    // The rank of its field, whether it is another article's than the page's, and the text.
    let mut found: Option<(usize, bool, String)> = None;
    let mut open: Vec<&Value> = things.iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(all) => open.extend(all),
            Value::Object(fields) => {
                let is_other = !is_of_page(fields);
                for (key, value) in fields {
                    let entries = value.as_array().filter(|_| ENTRIES.contains(&key.as_str()));
                    let told = |entry: &Value| {
                        BODIES.iter().flat_map(|kind| *kind).find_map(|body| paragraphs(entry.get(body)?))
                    };
                    let rank = BODIES.iter().position(|kind| kind.contains(&key.as_str()));
                    let own = rank.and_then(|rank| Some((rank, is_other, paragraphs(value)?)));
                    let all = || Some((0, is_other, entries?.iter().filter_map(told).collect::<Vec<_>>().join("\n\n")));
                    let order =
                        |(rank, is_other, text): &(usize, bool, String)| (*rank, *is_other, Reverse(text.len()));
                    match own.or_else(all).filter(|own| found.as_ref().is_none_or(|known| order(own) < order(known))) {
                        Some(text) => found = Some(text),
                        None => open.push(value),
                    }
                }
            }
            _ => {}
        }
    }
    let told = || stated.meta.iter().find(|(name, _)| matches!(name.as_str(), "og:description" | "description"));
    let found = found.or_else(|| told().map(|(_, said)| (BODIES.len(), true, said.clone())));
    found.map(|(rank, _, text)| Body { text, of_article: rank == 0 })
}

/// A text: a string, a value of JSON-LD, or a list of paragraphs.
fn paragraphs(value: &Value) -> Option<String> {
    let one = |value: &Value| Some(value.as_str().or_else(|| value.get("@value")?.as_str())?.to_owned());
    match value.as_array() {
        Some(all) => {
            all.iter().map(one).collect::<Option<Vec<_>>>().map(|all| all.join("\n\n")).filter(|text| !text.is_empty())
        }
        None => one(value),
    }
}

/// The fields that hold the entries of a page that grows.
const ENTRIES: [&str; 4] = ["liveBlogUpdate", "blogPost", "hasPart", "entries"];

/// The fields in which a text is kept: an article's, any text's, and a line about the whole.
const BODIES: [&[&str]; 3] =
    [&["articleBody"], &["text", "body", "bodyText", "bodyHtml", "content", "html", "rendered"], &["description"]];

/// The statements read so far.
#[derive(Default)]
struct Stated {
    /// Names of `meta` elements, in small letters, with their contents.
    meta: Vec<(String, String)>,
    title: Option<String>,
    time: Option<String>,
    json: Vec<String>,
    json_bytes: usize,
    /// The text that is being read.
    inside: Option<Inside>,
}

#[derive(Clone, Copy)]
enum Inside {
    Title,
    Json,
}

fn attribute(tag: &Tag, name: &str) -> Option<String> {
    tag.attrs.iter().find(|attribute| &*attribute.name.local == name).map(|found| found.value.to_string())
}

impl TagReader for Stated {
    fn open(&mut self, tag: &Tag) {
        self.inside = None;
        match tag.name.as_ref() {
            "meta" if self.meta.len() < MOST_META => {
                let names = ["property", "name", "itemprop"];
                let name = names.into_iter().find_map(|name| attribute(tag, name));
                if let (Some(name), Some(content)) = (name, attribute(tag, "content")) {
                    self.meta.push((name.trim().to_ascii_lowercase(), content));
                }
            }
            "time" if self.time.is_none() => self.time = attribute(tag, "datetime"),
            "title" if self.title.is_none() => {
                self.title = Some(String::new());
                self.inside = Some(Inside::Title);
            }
            "script" => {
                let kind = attribute(tag, "type").unwrap_or_default();
                let kind = kind.split(';').next().unwrap_or_default().trim();
                if ["application/ld+json", "application/json"].iter().any(|json| kind.eq_ignore_ascii_case(json)) {
                    self.json.push(String::new());
                    self.inside = Some(Inside::Json);
                }
            }
            _ => {}
        }
    }

    fn shut(&mut self, _name: &str) {
        self.inside = None;
    }

    fn say(&mut self, text: &str) {
        match self.inside {
            Some(Inside::Title) => self.title.get_or_insert_default().push_str(text),
            Some(Inside::Json) if self.json_bytes + text.len() <= MOST_JSON => {
                self.json_bytes += text.len();
                if let Some(last) = self.json.last_mut() {
                    last.push_str(text);
                }
            }
            _ => {}
        }
    }
}

impl Stated {
    /// The data that can be read, without the comments that hide it from old programs.
    fn things(&self) -> Vec<Value> {
        let bare = |text: &String| {
            ["<![CDATA[", "]]>", "<!--", "-->"].iter().fold(text.clone(), |text, mark| text.replacen(mark, "", 1))
        };
        let around = |c: char| c.is_whitespace() || matches!(c, '/' | '*' | ';');
        let read = |text: &String| {
            let bare = bare(text);
            let bare = bare.trim_matches(around);
            serde_json::from_str(bare).or_else(|_| serde_json::from_str(&mended(bare))).ok()
        };
        self.json.iter().filter_map(read).collect()
    }

    fn facts(self) -> PageFacts {
        let meta = |names: &[&str]| {
            let named =
                |name: &&str| self.meta.iter().find(|(known, _)| known == name).and_then(|(_, said)| line(said));
            names.iter().find_map(named)
        };
        let things = self.things();
        let all = described(&things);
        let article = article(&all);
        let said = |key: &str| article.and_then(|article| names(article.get(key)?, &all));
        let day_of = |names: &[&str]| {
            self.meta.iter().filter(|(known, _)| names.contains(&known.as_str())).find_map(|(_, said)| day(said))
        };
        PageFacts {
            title: meta(&["og:title"])
                .or_else(|| said("headline"))
                .or_else(|| meta(&["dc.title", "citation_title"]))
                .or_else(|| self.title.as_deref().and_then(line)),
            // An address is no byline, though Open Graph asks for one in article:author.
            byline: said("author")
                .or_else(|| meta(&["author", "article:author", "byl", "dc.creator", "citation_author"]))
                .filter(|name| !name.contains("://")),
            publisher: meta(&["og:site_name"])
                .or_else(|| said("publisher"))
                .or_else(|| meta(&["dc.publisher", "citation_publisher", "application-name"])),
            published: day_of(&["article:published_time"])
                .or_else(|| article.and_then(|article| day(article.get("datePublished")?.as_str()?)))
                .or_else(|| day_of(&["datepublished", "date", "dc.date", "dc.date.issued", "dcterms.issued"]))
                .or_else(|| day_of(&["citation_publication_date", "pubdate", "parsely-pub-date"]))
                .or_else(|| self.time.as_deref().and_then(day)),
        }
    }
}

/// Most things of the JSON-LD that are looked at.
const MOST_THINGS: usize = 1_000;

/// The things that the JSON-LD describes: each by itself, in a list, in a graph, and as what a page is about.
fn described(things: &[Value]) -> Vec<&Value> {
    let mut all: Vec<&Value> = Vec::new();
    let mut open: Vec<&Value> = things.iter().rev().collect();
    while let Some(value) = open.pop().filter(|_| all.len() < MOST_THINGS) {
        match value {
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::Object(fields) => {
                all.push(value);
                open.extend(["mainEntity", "@graph"].into_iter().filter_map(|key| fields.get(key)));
            }
            _ => {}
        }
    }
    all
}

/// JSON without what people and templates get wrong in it: line ends within a string, and a comma behind the last of a list.
fn mended(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        match c {
            '\n' if in_string => out.push_str("\\n"),
            c if in_string && c.is_control() => out.push(' '),
            '}' | ']' if !in_string => {
                if let Some(kept) = out.trim_end().strip_suffix(',').map(str::len) {
                    out.truncate(kept);
                }
                out.push(c);
            }
            c => out.push(c),
        }
        in_string ^= c == '"' && !escaped;
        escaped = in_string && c == '\\' && !escaped;
    }
    out
}

/// The thing that is the article: the first whose type says so, or else the first that has a day of publication.
fn article<'v>(all: &[&'v Value]) -> Option<&'v Value> {
    let is_article = |thing: &&&Value| {
        let kinds = thing
            .get("@type")
            .map_or(&[][..], |kind| kind.as_array().map_or_else(|| std::slice::from_ref(kind), Vec::as_slice));
        kinds
            .iter()
            .filter_map(Value::as_str)
            .any(|kind| ["Article", "Posting", "Report", "Review"].iter().any(|ending| kind.ends_with(ending)))
    };
    all.iter().find(is_article).or_else(|| all.iter().find(|thing| thing.get("datePublished").is_some())).copied()
}

/// A text, a thing's name, or those of a list. A thing can be named by its `@id`, under which it is described elsewhere.
fn names(value: &Value, all: &[&Value]) -> Option<String> {
    let own = |value: &Value| value.as_str().or_else(|| value.get("name")?.as_str()).and_then(line);
    let name = |value: &Value| {
        let elsewhere = || {
            let id = value.get("@id")?.as_str()?;
            all.iter().filter(|thing| thing.get("@id").and_then(Value::as_str) == Some(id)).find_map(|thing| own(thing))
        };
        own(value).or_else(elsewhere)
    };
    match value.as_array() {
        Some(list) => line(&list.iter().filter_map(name).take(MOST_NAMES).collect::<Vec<_>>().join(", ")),
        None => name(value),
    }
}

fn line(text: &str) -> Option<String> {
    Some(sanitise::excerpt(text, LONGEST)).filter(|text| !sanitise::is_blank(text))
}

/// The day of a date as pages write it: ISO 8601, with or without a time, with hyphens, slashes or neither.
fn day(text: &str) -> Option<String> {
    let text = text.trim();
    let digits: String = text.chars().take(10).filter(|c| !matches!(c, '-' | '/')).collect();
    let date = digits.get(..8).filter(|date| date.bytes().all(|byte| byte.is_ascii_digit()))?;
    Date::strptime("%Y%m%d", date).ok().map(|date| date.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_graph_and_json_ld_say_who_and_when() {
        let page = r#"<!doctype html><html><head><title>Park plan | Gazette</title>
            <meta property="og:title" content="Park plan &amp; pond"><meta property="og:site_name" content="Eastbrook Gazette">
            <meta property="article:author" content="https://gazette.example/ada">
            <script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"x"},{"@type":["NewsArticle"],
            "headline":"h","datePublished":"2026-10-06T23:30:00-05:00","author":[{"name":"Ada Quill"},"Ben Ott"]}]}</script>
            </head><body><time datetime="2020-01-01">x</time></body>"#;
        assert_eq!(
            read(page),
            PageFacts {
                title: Some("Park plan & pond".to_owned()),
                byline: Some("Ada Quill, Ben Ott".to_owned()),
                publisher: Some("Eastbrook Gazette".to_owned()),
                published: Some("2026-10-06".to_owned()),
            }
        );
    }

    #[test]
    fn other_words_for_the_same_are_read_and_the_time_comes_last() {
        let page = "<title> Minutes\n of May </title><meta name=Author content='Clerk'><meta name='DC.Publisher' content='City'>\
                    <meta name=date content='soon'><p>x<time>now</time><time datetime='2026-05-04T10:00'>4 May</time>";
        let facts = read(page);
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(
            (facts.title, facts.byline, facts.publisher),
            (named("Minutes of May"), named("Clerk"), named("City"))
        );
        assert_eq!(facts.published.as_deref(), Some("2026-05-04"), "the first time that has a date");
        let dated = |meta: &str| read(meta).published;
        assert_eq!(dated("<time datetime='2026-05-04T10:00'>"), Some("2026-05-04".to_owned()));
        assert_eq!(dated("<meta name=citation_publication_date content='2026/05/04'>"), Some("2026-05-04".to_owned()));
        assert_eq!(dated("<meta name=pubdate content=20260504>"), Some("2026-05-04".to_owned()));
        assert_eq!(dated("<meta name=pubdate content=20261304>"), None);
    }

    #[test]
    fn who_wrote_and_published_is_found_by_reference_and_within_the_page() {
        let graph = r##"{"@graph":[{"@type":"WebPage","@id":"#page"},{"@type":"NewsArticle","headline":"Pier","author":{"@id":"#ann"},
            "publisher":{"@id":"#org"},"datePublished":"2026-05-03"},{"@type":"Person","@id":"#ann","name":"Ann Lee"},
            {"@type":"Organization","@id":"#org","name":"Harbour Post"}]}"##;
        let about = r#"[{"@type":"WebPage","datePublished":"2020-01-01","mainEntity":{"@type":"Article","headline":"Pier",
            "author":[{"name":"Ann Lee"}],"publisher":{"name":"Harbour Post"},"datePublished":"2026-05-03"}}]"#;
        for json in [graph, about] {
            let facts = read(&format!("<script type='application/ld+json'>{json}</script>"));
            let found = [facts.title, facts.byline, facts.publisher, facts.published].map(Option::unwrap_or_default);
            assert_eq!(found, ["Pier", "Ann Lee", "Harbour Post", "2026-05-03"], "{json}");
        }
    }

    #[test]
    fn the_text_for_programs_is_read_in_each_of_its_forms() {
        for json in [
            "/*<![CDATA[*/[{\"@type\":[\"Report\"],\"articleBody\":\"The pier shut.\\n\\nIt rained & froze.\"}]/*]]>*/",
            "<!-- {\"liveBlogUpdate\":[{\"articleBody\":\"The pier shut.\"},{\"articleBody\":\"It rained &amp; froze.\"}]} -->",
            "{\"@context\":\"https://schema.org\",\"@graph\":{\"@type\":\"NewsArticle\",\"articleBody\":[\"The pier shut.\",\"It rained & froze.\"]}}",
            "{\"@type\":\"WebPage\",\"mainEntity\":{\"articleBody\":{\"@value\":\"The pier shut.\\n\\nIt rained & froze.\",\"@language\":\"en\"}}}",
            "{\"articleBody\":\"The pier shut.\n\nIt rained & froze.\", \"tags\":[\"a,]\",],}",
            "[{\"headline\":\"Pier\",\"articleBody\":\"The pier shut.\\n\\nIt rained & froze.\"},{\"headline\":\"Ducks\",\"articleBody\":\"Ducks swim. Ducks swim. Ducks swim. Ducks swim. Ducks swim.\"}]",
            "{\"articleBody\":\"&lt;p&gt;The pier shut.&lt;/p&gt;&lt;p&gt;It&nbsp;rained &amp;amp; froze.&lt;/p&gt;\"}",
        ] {
            let page = format!(
                "<meta property='og:title' content='Pier | Post'><script type='application/ld+json'>{json}</script>"
            );
            let text = super::super::source(&page, &mut Vec::new(), &mut crate::hidden::Hidden::default());
            assert_eq!(text.trim().replace('\u{A0}', " "), "The pier shut.\n\nIt rained & froze.", "{json}");
        }
    }

    #[test]
    fn an_articles_own_text_comes_before_longer_ones_and_what_is_shown_stays() {
        let source = |page: &str| super::super::source(page, &mut Vec::new(), &mut crate::hidden::Hidden::default());
        let long = |text: &str| text.repeat(12);
        let article = r#"<script type="application/ld+json; charset=utf-8">{"@type":"NewsArticle","articleBody":"The pier shut."}</script>"#;
        let of = |kind: &str, value: &str| format!("<script type='application/{kind}'>{value}</script>");
        let cookies = of("json", &format!(r#"{{"consent":{{"text":"{}"}}}}"#, long("We use cookies. ")));
        let publisher =
            of("ld+json", &format!(r#"{{"@type":"Organization","description":"{}"}}"#, long("We report. ")));
        let meta = format!("<meta name=description content='{}'>", long("The official site. "));
        for other in [&cookies, &publisher, &meta] {
            for page in [format!("{article}{other}"), format!("{other}{article}")] {
                assert_eq!(source(&page).trim(), "The pier shut.", "{page}");
            }
            let shown = "<p>The plan costs 2.4 million dollars.</p>";
            assert_eq!(source(&format!("{other}{shown}")).trim(), "The plan costs 2.4 million dollars.", "{other}");
            let both = source(&format!("{article}{other}{shown}"));
            assert_eq!(both.trim(), "The plan costs 2.4 million dollars.\n\nThe pier shut.", "{other}");
        }
        // A page that shows no sentence has nothing else.
        for label in ["<h1>Park</h1>", "<p>Loading …</p>", "<p>You need to turn on JavaScript to read this.</p>"] {
            assert!(source(&format!("{meta}{label}")).contains("The official site."), "{label}");
        }
    }

    #[test]
    fn a_page_that_says_nothing_or_nonsense_has_no_facts() {
        let nested = format!("<script type='application/ld+json'>{}</script>", "[".repeat(100_000));
        let endless = format!("<meta name=author content='{}\x1b[31m'>", "x".repeat(5_000));
        for page in ["", "<p>x", "<script type='application/ld+json'>{</script><meta name=author content=' '>", &nested]
        {
            assert_eq!(read(page), PageFacts::default(), "{page:.40}");
        }
        assert_eq!(read(&endless).byline.unwrap().chars().count(), LONGEST);
        assert_eq!(read("<meta name=author content='https://a.example'>").byline, None);
    }
}
