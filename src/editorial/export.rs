//! An article as a page of its own: HTML that stands alone, opens nowhere else and runs nothing.
//!
//! A model wrote the text, so nothing in it is trusted: raw HTML is shown as text, a link goes to the web or a mail address or is
//! text, an image is its description. The page's policy forbids everything but its own style.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

use crate::{
    editorial::{decisions, drafts, report},
    newsroom::{ArticleResponse, Journal},
};

/// The page's whole style. Its digest stands in [`POLICY`].
const STYLE: &str = "body{max-width:42em;margin:2em auto;padding:0 1em;font:1.1em/1.5 Georgia,serif}h1{line-height:1.2}\
.alternative,footer{color:#555}.lead{font-weight:bold}blockquote{border-left:.2em solid #999;margin-left:0;padding-left:1em;\
font-style:italic}table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2em .6em}.notes,footer{font-size:.85em}\
footer{border-top:1px solid #999;margin-top:3em}pre{overflow-x:auto}";

/// What a browser may do with the page: show it.
const POLICY: &str = "default-src 'none'; style-src 'sha256-STYLE'; base-uri 'none'; form-action 'none'";

/// What stands below an exported article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imprint {
    /// The channel.
    pub channel: String,
    /// The source's title.
    pub source: String,
    /// Its date, as the topic states it.
    pub source_date: Option<String>,
    /// How far the article has come, in a sentence.
    pub standing: String,
    /// When it was finished: ISO 8601, UTC; none before.
    pub finished_at: Option<String>,
    /// The article's language, as BCP 47 has it.
    pub language: String,
}

impl Imprint {
    /// Of the draft that the run keeps. The pipeline writes English.
    #[must_use]
    pub fn of(journal: &Journal) -> Self {
        let source = &journal.opening.topic.source_metadata;
        let round = report::kept_round(journal).unwrap_or_default();
        let open = report::open_concerns(journal, round).len();
        let standing = match (decisions::signed_by(journal), report::succeeded(journal)) {
            (Some(editor), _) => format!("Signed off by {editor}."),
            (None, true) => format!("Passed its review in round {round}; not signed off."),
            (None, false) if journal.concerns(round).is_none() => format!("Draft of round {round}, not reviewed."),
            (None, false) if open == 1 => format!("Draft of round {round}, not passed: 1 concern is open."),
            (None, false) => format!("Draft of round {round}, not passed: {open} concerns are open."),
        };
        Self {
            channel: source.channel_name.to_string(),
            source: source.video_title.clone(),
            source_date: source.publish_date.clone(),
            standing,
            finished_at: journal.publication().map(|publication| publication.generated_at.clone()),
            language: "en".to_owned(),
        }
    }

    fn html(&self) -> String {
        let date = self.source_date.as_ref().map_or_else(String::new, |date| format!(", {}", escaped(date)));
        let finished = self.finished_at.as_ref();
        let finished = finished.map_or_else(String::new, |at| format!(" Finished <time>{}</time>.", escaped(at)));
        format!(
            "<footer>\n<p>{}{finished}</p>\n<p>Source: {}{date}. Channel: {}.</p>\n</footer>\n",
            escaped(&self.standing),
            escaped(&self.source),
            escaped(&self.channel),
        )
    }
}

/// The article as Markdown, as its drafts are kept.
#[must_use]
pub fn to_markdown(article: &ArticleResponse) -> String {
    drafts::to_markdown(article)
}

/// The article as a whole HTML page.
#[must_use]
pub fn to_html(article: &ArticleResponse, imprint: &Imprint) -> String {
    let headline = escaped(article.headline.trim());
    let body = body(&article.articleBody);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"description\" content=\"{description}\">\n\
         <title>{headline}</title>\n<style>{STYLE}</style>\n</head>\n<body dir=\"auto\">\n<article>\n<h1>{headline}</h1>\n\
         <p class=\"alternative\">{alternative}</p>\n<p class=\"lead\">{description}</p>\n{body}</article>\n{footer}</body>\n\
         </html>\n",
        language = escaped(&imprint.language),
        policy = POLICY.replace("STYLE", STYLE_DIGEST),
        description = escaped(article.description.trim()),
        alternative = escaped(article.alternativeHeadline.trim()),
        footer = imprint.html(),
    )
}

/// SHA-256 of [`STYLE`], base64.
const STYLE_DIGEST: &str = "Egg1DccRWYIVpw/EU3QcrkQ6x45tbrOpfszT9PV3cfY=";

/// The body's Markdown as HTML, its footnotes below it.
fn body(markdown: &str) -> String {
    let options = Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut page = Page::default();
    for event in Parser::new_ext(markdown, options) {
        page.take(event);
    }
    page.close()
}

/// The events of the page that is being made. What is HTML in it was written here.
#[derive(Default)]
struct Page<'a> {
    text: Vec<Event<'a>>,
    /// For each open link whether it leads where a link may lead; else its address.
    links: Vec<Option<CowStr<'a>>>,
    /// Number of each footnote's label, in the order in which the text refers to them, and how often it does.
    notes: HashMap<String, (usize, usize)>,
    definitions: Vec<(String, Vec<Event<'a>>)>,
    /// Labels and what stood before the footnotes that are open.
    outside: Vec<(String, Vec<Event<'a>>)>,
}

impl<'a> Page<'a> {
    fn take(&mut self, event: Event<'a>) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => self.text.push(Event::Text(text)),
            Event::Start(Tag::HtmlBlock) => self.text.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => self.text.push(Event::End(TagEnd::Paragraph)),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                if link_type == LinkType::Email || leads_out(&dest_url) {
                    self.links.push(None);
                    self.text.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                } else {
                    self.links.push(Some(dest_url));
                }
            }
            Event::End(TagEnd::Link) => match self.links.pop().flatten() {
                None => self.text.push(Event::End(TagEnd::Link)),
                Some(address) if address.is_empty() => {}
                Some(address) => self.text.push(Event::Text(format!(" ({address})").into())),
            },
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.links.push(Some(dest_url));
                self.text.push(Event::Text("[image: ".into()));
            }
            Event::End(TagEnd::Image) => {
                let address = self.links.pop().flatten().unwrap_or(CowStr::Borrowed(""));
                self.text.push(Event::Text(format!(", {address}]").into()));
            }
            // Alignment would be a style of its own, which the policy forbids.
            Event::Start(Tag::Table(columns)) => {
                self.text.push(Event::Start(Tag::Table(vec![pulldown_cmark::Alignment::None; columns.len()])));
            }
            Event::FootnoteReference(label) => {
                let next = self.notes.len() + 1;
                let (number, count) = self.notes.entry(label.to_lowercase()).or_insert((next, 0));
                *count += 1;
                let link = format!("<sup id=\"ref-{number}-{count}\"><a href=\"#note-{number}\">{number}</a></sup>");
                self.text.push(Event::InlineHtml(link.into()));
            }
            Event::Start(Tag::FootnoteDefinition(label)) => {
                let text = std::mem::take(&mut self.text);
                self.outside.push((label.to_lowercase(), text));
            }
            Event::End(TagEnd::FootnoteDefinition) => {
                let Some((label, text)) = self.outside.pop() else { return };
                let note = std::mem::replace(&mut self.text, text);
                self.definitions.push((label, note));
            }
            other => self.text.push(other),
        }
    }

    fn close(mut self) -> String {
        let mut out = String::new();
        for (label, _) in &self.definitions {
            let next = self.notes.len() + 1;
            self.notes.entry(label.clone()).or_insert((next, 0));
        }
        let headed = ends_with_heading(&self.text);
        html::push_html(&mut out, self.text.into_iter());
        if self.definitions.is_empty() {
            return out;
        }
        if !headed {
            out.push_str("<h2>Footnotes</h2>\n");
        }
        self.definitions.sort_by_key(|(label, _)| self.notes.get(label).copied());
        out.push_str("<ol class=\"notes\">\n");
        for (label, note) in self.definitions {
            let (number, count) = self.notes.get(&label).copied().unwrap_or_default();
            out.extend(["<li id=\"note-", &number.to_string(), "\">"]);
            html::push_html(&mut out, note.into_iter());
            for reference in 1..=count {
                let back = format!("<a href=\"#ref-{number}-{reference}\" title=\"back to the text\">↩</a> ");
                out.push_str(&back);
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ol>\n");
        out
    }
}

/// Whether the text ends with its own heading for the footnotes.
fn ends_with_heading(text: &[Event<'_>]) -> bool {
    match text {
        [.., Event::Text(title), Event::End(TagEnd::Heading(_))] => title.trim().eq_ignore_ascii_case("footnotes"),
        _ => false,
    }
}

/// Whether an address is one that a link may lead to.
fn leads_out(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    ["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme))
}

/// Text as it stands in HTML, in an attribute, too.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::{
        editorial::next_steps::tests::{add, add_round, article, opening, verdict},
        newsroom::{Decision, GateOutcome, Outcome, Publication, Specialist, Status, Step},
    };

    fn imprint() -> Imprint {
        Imprint {
            channel: "desk".into(),
            source: "Minutes <1>".into(),
            source_date: Some("6 October".into()),
            standing: "Signed off by A. Editor.".into(),
            finished_at: Some("2026-10-06T12:00:09.000Z".into()),
            language: "en".into(),
        }
    }

    fn base64(bytes: &[u8]) -> String {
        const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        bytes
            .chunks(3)
            .flat_map(|chunk| {
                let bits =
                    chunk.iter().chain([0, 0].iter()).take(3).fold(0usize, |bits, byte| bits << 8 | usize::from(*byte));
                (0..4).map(
                    move |sign| if sign <= chunk.len() { SIGNS[bits >> (18 - 6 * sign) & 63] as char } else { '=' },
                )
            })
            .collect()
    }

    #[test]
    fn the_policy_names_the_style() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(b"M"), "TQ==");
        assert_eq!(STYLE_DIGEST, base64(&Sha256::digest(STYLE)));
    }

    #[test]
    fn an_article_is_a_page_of_its_own() {
        let text = "The council **voted**.[^b]\n\n> “No,” Voss said.[^b]\n\n## Footnotes\n\n[^b]: Minutes, https://m.example.\n";
        let page = to_html(&article(text), &imprint());
        insta::assert_snapshot!(page);
    }

    #[test]
    fn nothing_in_a_text_runs_or_leads_astray() {
        for (text, wanted) in [
            ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
            ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"),
            ("[x](javascript:alert(1))", "<p>x (javascript:alert(1))</p>\n"),
            ("[x](JavaScript&#58;alert)", "<p>x (JavaScript:alert)</p>\n"),
            ("[x](data:text/html,y) [z](/local)", "<p>x (data:text/html,y) z (/local)</p>\n"),
            ("[x](https://a.example/?q=\"y)", "<p><a href=\"https://a.example/?q=%22y\">x</a></p>\n"),
            ("<a@b.example>", "<p><a href=\"mailto:a@b.example\">a@b.example</a></p>\n"),
            ("![alt](http://x/y.png)", "<p>[image: alt, http://x/y.png]</p>\n"),
            (
                "[^\"><script>]: x",
                "<h2>Footnotes</h2>\n<ol class=\"notes\">\n<li id=\"note-1\"><p>x</p>\n</li>\n</ol>\n",
            ),
        ] {
            assert_eq!(body(text), wanted, "{text}");
        }
        let mut hostile = article("x");
        hostile.headline = "</title><script>".into();
        hostile.description = "\"><script>".into();
        hostile.alternativeHeadline = "<script>".into();
        assert!(!to_html(&hostile, &imprint()).contains("<script>"));
    }

    #[test]
    fn footnotes_are_linked_both_ways_in_the_order_of_the_text() {
        assert_eq!(
            body("One.[^b] Two.[^a] Three.[^b]\n\n[^a]: A.\n[^b]: B.\n\nEnd."),
            "<p>One.<sup id=\"ref-1-1\"><a href=\"#note-1\">1</a></sup> \
             Two.<sup id=\"ref-2-1\"><a href=\"#note-2\">2</a></sup> \
             Three.<sup id=\"ref-1-2\"><a href=\"#note-1\">1</a></sup></p>\n<p>End.</p>\n<h2>Footnotes</h2>\n\
             <ol class=\"notes\">\n<li id=\"note-1\"><p>B.</p>\n<a href=\"#ref-1-1\" title=\"back to the text\">↩</a> \
             <a href=\"#ref-1-2\" title=\"back to the text\">↩</a> </li>\n\
             <li id=\"note-2\"><p>A.</p>\n<a href=\"#ref-2-1\" title=\"back to the text\">↩</a> </li>\n</ol>\n"
        );
    }

    #[test]
    fn the_imprint_says_how_far_the_article_has_come() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        assert_eq!(Imprint::of(&journal).standing, "Draft of round 1, not passed: 1 concern is open.");
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(verdict(1, Status::Keep, None)));
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Passed));
        assert_eq!(Imprint::of(&journal).standing, "Passed its review in round 1; not signed off.");
        let choice = crate::newsroom::Choice::SignOff { chain: String::new() };
        let decision = Decision { by: "A. Editor".into(), choice };
        add(&mut journal, Step::Decide { round: 1, number: 1 }, Outcome::Decision(decision));
        let publication = Publication { generated_at: "2026-10-06T12:00:09.000Z".into(), success: true, flags: vec![] };
        add(&mut journal, Step::Publish, Outcome::Publication(publication));
        let imprint = Imprint::of(&journal);
        assert_eq!(
            (imprint.standing.as_str(), imprint.finished_at.as_deref()),
            ("Signed off by A. Editor.", Some("2026-10-06T12:00:09.000Z"))
        );
    }

    proptest! {
        #[test]
        fn no_markdown_makes_a_tag_of_its_own(text in "([a-z]{1,5}|[ \n]|[<>\"'&/=*_`#|\\[\\]()!^:-]|<script|<img src=x>|javascript:|\\]\\(|\\[\\^1\\](: )?|https://a){0,40}") {
            let known = [
                "p", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6",
                "hr", "br", "a", "sup", "table", "thead", "tbody", "tr", "th", "td",
            ];
            let html = body(&text);
            for tag in html.split('<').skip(1) {
                let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
                prop_assert!(known.contains(&name.as_str()), "<{tag}");
                if let Some((_, address)) = tag.split_once("href=\"") {
                    prop_assert!(address.starts_with('#') || leads_out(address), "{address}");
                }
            }
        }
    }
}
