//! Opens pages: fetches them and has their text read.

use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

use async_trait::async_trait;
use regex::bytes::Regex;
use sha2::{Digest, Sha256};
use url::Url;

use super::fetch::{Fetched, Fetcher};
use copydesk_config::Endpoint;
use copydesk_core::ports::{PageError, Pages};
use copydesk_documents::{Document, PageFacts};
use copydesk_newsroom::FoundSource;
use copydesk_text::{sanitise, sentences::sentences};

/// Most bytes of a page's text that are kept: a book.
const MOST_TEXT: usize = 1 << 20;
/// Most characters of a title.
const LONGEST_TITLE: usize = 160;

/// Turns a body into text, given the page's address, the name of a file of its kind, and its bytes. It is [`PageError::Empty`] if there is
/// none. It may block and keeps its own time limit.
pub type PageReader = Arc<dyn Fn(&str, &str, &[u8]) -> Result<Document, PageError> + Send + Sync>;

/// Opens pages over HTTP.
pub struct WebPages {
    pub fetcher: Arc<Fetcher>,
    pub read: PageReader,
}

impl WebPages {
    async fn read_page(&self, address: &Url, name: &'static str, body: Vec<u8>) -> Result<LookedAt, PageError> {
        let (read, of) = (Arc::clone(&self.read), sanitise::one_line(address.as_str()));
        tokio::task::spawn_blocking(move || LookedAt::read(&read, &of, name, &body))
            .await
            .unwrap_or_else(|error| Err(PageError::Unreadable(error.to_string())))
    }
}

#[async_trait]
impl Pages for WebPages {
    async fn open(&self, address: &str) -> Result<FoundSource, PageError> {
        let Fetched { address, kind, body } = self.fetcher.fetch(address).await?;
        let name = file_name(&kind, &address, &body)?;
        let mut looked = self.read_page(&address, name, body).await?;
        let is_drawn = looked.is_drawn;
        if looked.page.is_none()
            && is_drawn
            && let Some(drawn) = self.fetcher.drawn(&address).await?
        {
            looked = self.read_page(&address, WEB_PAGE, drawn).await?;
        }
        if looked.asks_for_login {
            return Err(PageError::Login { host: Endpoint { base: address, setting: String::new() }.authority() });
        }
        let sends_to = looked.sends_to.take();
        let none = || match sends_to {
            Some(to) => PageError::Moved { to },
            None if is_drawn => self.fetcher.no_text(),
            None => PageError::Empty,
        };
        let Document { text, hidden, facts, .. } = looked.page.ok_or_else(none)?;
        let PageFacts { title: named, byline, publisher, published } = facts;
        Ok(FoundSource {
            title: named.unwrap_or_else(|| title(&text)),
            digest: hex::encode(Sha256::digest(&text)),
            address: sanitise::one_line(address.as_str()),
            text,
            byline,
            publisher,
            published,
            hidden,
            ..FoundSource::default()
        })
    }
}

/// A body as it was read.
struct LookedAt {
    /// None if it is a web page that shows no text.
    page: Option<Document>,
    /// Whether it is a form for a name and a password, and hardly anything else.
    asks_for_login: bool,
    /// Whether scripts may draw a text on it.
    is_drawn: bool,
    /// The address that a page without text sends a browser on to.
    sends_to: Option<String>,
}

impl LookedAt {
    fn read(read: &PageReader, address: &str, name: &str, body: &[u8]) -> Result<Self, PageError> {
        let is_web_page = name == WEB_PAGE;
        let page = match read(address, name, body) {
            Ok(page) => Some(Document { text: bounded(&page.text), ..page }),
            Err(PageError::Empty) if is_web_page => None,
            Err(error) => return Err(error),
        };
        let shown = page.as_ref().map_or("", |page| page.text.as_str());
        let heading = page.as_ref().and_then(|page| page.facts.title.clone()).unwrap_or_else(|| title(shown));
        let words = shown.split_whitespace().count();
        let asks_for_login = is_web_page && (asks_for_login(body, &heading, words) || is_wall(shown));
        let asks_for_scripts = shown.to_lowercase().contains("javascript");
        let page = page.filter(|page| !is_web_page || !shows_no_text(&page.text));
        let sends_to = if is_web_page && page.is_none() { sends_to(address, body) } else { None };
        Ok(Self { page, asks_for_login, is_drawn: is_web_page && (has_scripts(body) || asks_for_scripts), sends_to })
    }
}

fn bounded(text: &str) -> String {
    text.get(..text.floor_char_boundary(MOST_TEXT)).unwrap_or_default().to_owned()
}

/// Most words of a page that says only that it needs its scripts.
const MOST_EXCUSE: usize = 40;

/// The words of a page that has not drawn its text yet, in small letters and without marks.
const WAITING: [&str; 5] = ["", "loading", "loading please wait", "please wait", "just a moment"];

/// Words of a page that stands before the one that was asked for, in small letters: it wants to know whether a person reads it, or has its
/// cookies accepted.
const BEFORE_PAGE: [&str; 8] = [
    "checking your browser",
    "verify you are human",
    "verify that you are human",
    "you are not a robot",
    "unusual traffic from",
    "accept all cookies",
    "and our partners store",
    "before you continue to",
];

/// Whether a web page shows no text but a title, and perhaps the request to wait or to turn scripts on.
fn shows_no_text(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let mut lines = text.lines().map(str::trim).filter(|line| !sanitise::is_blank(line)).peekable();
    // The title of a page without a heading is its first line.
    let _ = lines.next_if(|line| line.starts_with("# "));
    let plain = |line: &str| {
        let kept = line.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()).collect::<String>();
        kept.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let lower = text.to_lowercase();
    let is_before = lower.contains("javascript") || BEFORE_PAGE.iter().any(|said| lower.contains(said));
    (words <= MOST_EXCUSE && is_before) || lines.all(|line| WAITING.contains(&plain(line).as_str()))
}

static REFRESH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?i)<meta\b[^>]*http-equiv\s*=\s*["']?refresh\b[^>]*?\burl\s*=\s*["']?([^"'>\s]{1,2000})"#).ok()
});

/// The address that a page sends a browser on to (`<meta http-equiv=refresh>`).
fn sends_to(address: &str, html: &[u8]) -> Option<String> {
    let to = REFRESH.as_ref()?.captures(html)?.get(1)?;
    let to = Url::parse(address).ok()?.join(&String::from_utf8_lossy(to.as_bytes())).ok()?;
    matches!(to.scheme(), "http" | "https").then(|| sanitise::one_line(to.as_str()))
}

static SCRIPT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)<script\b[^>]*>").ok());

/// Whether a web page has scripts that could draw a text. Data for programs draws none.
fn has_scripts(html: &[u8]) -> bool {
    let is_data = |tag: &[u8]| String::from_utf8_lossy(tag).to_ascii_lowercase().contains("json");
    SCRIPT.as_ref().is_some_and(|script| script.find_iter(html).any(|found| !is_data(found.as_bytes())))
}

/// Most words of a page that has a field for a password and still is no article.
const MOST_LOGIN: usize = 150;

/// The beginnings of titles of forms for a login, in small letters.
const LOGINS: [&str; 7] = ["log in", "log on", "log-in", "login", "sign in", "sign on", "sign-in"];

static PASSWORD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)<input\b[^>]*\btype\s*=\s*["']?password"#).ok());

static INPUT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)<(?:input|button)\b").ok());

/// Whether a web page of so many words asks for a login: it has a field for a password, or a title that says so above a form.
fn asks_for_login(html: &[u8], title: &str, words: usize) -> bool {
    let has = |wanted: &LazyLock<Option<Regex>>| wanted.as_ref().is_some_and(|wanted| wanted.is_match(html));
    let title = title.to_lowercase().replace(" - ", "|");
    let mut parts = title.split(['|', '–', '—', '·', ':']).map(str::trim);
    let is_named = parts.any(|part| LOGINS.iter().any(|login| part.starts_with(login)));
    (words <= MOST_LOGIN && has(&PASSWORD)) || (words <= MOST_EXCUSE && is_named && has(&INPUT))
}

static WALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let to_do = r"(?:sign|log)(?:\s|-)?(?:in|on|up)|subscribe|register|(?:create|open) an? (?:free )?account";
    let to_get = "continue|go on|read|view|see|access|unlock|get access";
    let kept = "(?:for|to|by) (?:our )?(?:subscribers|members)";
    Regex::new(&format!(r"(?i)\b(?:(?:{to_do})\b[^.!?]{{0,40}}\bto (?:{to_get})|only {kept}|{kept} only)\b")).ok()
});

/// Whether the text of a page is hardly more than the request to sign in or to subscribe.
fn is_wall(shown: &str) -> bool {
    let asks = || WALL.as_ref().is_some_and(|wall| wall.is_match(shown.as_bytes()));
    shown.split_whitespace().count() <= MOST_EXCUSE && asks()
}

/// The name of a file that is read as a web page.
const WEB_PAGE: &str = "page.html";

/// The name of a file of the body's kind, from its content type; if that says nothing, from its address, or else its first bytes.
fn file_name(kind: &str, address: &Url, body: &[u8]) -> Result<&'static str, PageError> {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_pdf = Path::new(address.path()).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
    let begins = String::from_utf8_lossy(body.get(..body.len().min(512)).unwrap_or_default()).to_ascii_lowercase();
    let begins = begins.trim_start_matches('\u{FEFF}').trim_start();
    let unsaid = matches!(kind.as_str(), "" | "application/octet-stream" | "binary/octet-stream" | "text/plain");
    Ok(match kind.as_str() {
        "text/html" | "application/xhtml+xml" => WEB_PAGE,
        "application/pdf" => "page.pdf",
        "text/csv" => "page.csv",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "page.docx",
        _ if unsaid && is_pdf => "page.pdf",
        _ if unsaid && (begins.starts_with("<!doctype html") || begins.starts_with("<html")) => WEB_PAGE,
        kind if unsaid || (kind.starts_with("text/") && kind != "text/xml") => "page.txt",
        _ => return Err(PageError::Type { kind: sanitise::excerpt(&kind, LONGEST_TITLE) }),
    })
}

/// The first heading near the page's beginning, or else its first sentence: who cites a page by its title repeats no more of its text.
fn title(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty()).take(40);
    let first = || {
        let line = lines().next()?;
        line.get(sentences(line).into_iter().next()?).map(|sentence| sentence.trim_end_matches('.'))
    };
    let line = lines().find(|line| line.starts_with("# ")).or_else(first).unwrap_or_default();
    sanitise::excerpt(line.trim_start_matches(['#', ' ']), LONGEST_TITLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_config::FetchSettings;

    fn refused(local_only: bool, address: &str) -> PageError {
        let read: PageReader = Arc::new(|_, _, _| Err(PageError::Empty));
        let settings = FetchSettings { timeout_seconds: 5.0, longest_page_kb: 64, respects_robots: true, render: None };
        let pages = WebPages { fetcher: Arc::new(Fetcher::new(local_only, &settings)), read };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(pages.open(address)).unwrap_err()
    }

    #[test]
    fn what_is_no_web_address_or_names_a_user_is_not_asked_for() {
        for address in
            ["", "Smith et al., 2024", "ftp://a.example/x", "file:///etc/passwd", "javascript:alert(1)", "doi:10.1/x"]
        {
            assert_eq!(refused(false, address), PageError::NoAddress, "{address}");
        }
        for address in ["http://user@a.example", "https://user:word@a.example/x", "http://:word@127.0.0.1/"] {
            assert_eq!(refused(true, address), PageError::Credentials, "{address}");
        }
    }

    #[test]
    fn a_page_that_shows_only_its_title_or_asks_for_its_scripts_has_no_text() {
        for text in [
            "",
            " \u{200b}\n",
            "# Park news\n\n",
            "# Park news\n\nLoading…\n",
            "Loading, please wait...",
            "Please enable JavaScript to read this page.",
            "# Just a moment...\n\nChecking your browser before accessing the site.",
            "We value your privacy. We and our partners store cookies. Accept all. Reject all.",
        ] {
            assert!(shows_no_text(text), "{text}");
        }
        for text in [
            "The pool closes on Tuesday.",
            "# Park news\n\nLoading bay shut.",
            "# Pool\n\n## It closes on Tuesday\n",
            &format!("JavaScript turns 30. {}", "It runs everywhere. ".repeat(20)),
        ] {
            assert!(!shows_no_text(text), "{text}");
        }
    }

    #[test]
    fn a_page_that_sends_its_readers_on_names_the_address() {
        let to = |html: &str| sends_to("https://a.example/old/x", html.as_bytes());
        for html in [
            "<meta http-equiv=refresh content='0; url=/new'>",
            "<META content=\"x\" HTTP-EQUIV=\"Refresh\" content=\"5;URL='../new'\">",
        ] {
            assert_eq!(to(html).as_deref(), Some("https://a.example/new"), "{html}");
        }
        for html in [
            "<meta http-equiv=refresh content=30>",
            "<meta name=url content='url=/new'>",
            "<meta http-equiv=refresh content='0; url=javascript:x()'>",
        ] {
            assert_eq!(to(html), None, "{html}");
        }
    }

    #[test]
    fn a_form_for_a_login_is_told_from_an_article_that_has_one_beside_it() {
        let field = b"<form><INPUT name=p\nType = \"password\"></form>".as_slice();
        assert!(asks_for_login(field, "Gazette", 12) && asks_for_login(field, "", 0));
        assert!(!asks_for_login(field, "Council votes", 400), "an article with a form beside it");
        for title in ["Sign in", "Gazette | Log in to go on", "My account: Login", "Gazette - Sign-in"] {
            assert!(asks_for_login(b"<form><input name=mail></form>", title, 9), "{title}");
        }
        for (html, title, words) in [
            ("<p>The log in the river is gone.</p>", "Log in the river", 9),
            ("<input name=search>", "Login fees rise", 300),
            ("<input name=search><p>Enter no password.</p>", "Council votes", 9),
        ] {
            assert!(!asks_for_login(html.as_bytes(), title, words), "{title}");
        }
    }

    #[test]
    fn a_page_that_only_asks_to_sign_in_or_to_subscribe_has_nothing_to_read() {
        for text in [
            "Please sign in to continue",
            "# Gazette\n\nPlease log in or register to read on. The costs of the plan are for subscribers.",
            "Subscribe now to read what the plan for Miller Park costs.",
            "This article is available only to subscribers.",
        ] {
            assert!(is_wall(text), "{text}");
        }
        for text in [
            "The council voted to register every dog.",
            "Residents subscribe to the plan. They read it.",
            "Voters must register by May. The clerk wants to see them in person.",
            &format!("Sign in to continue. {}", "The council voted for the plan. ".repeat(10)),
        ] {
            assert!(!is_wall(text), "{text}");
        }
    }

    #[test]
    fn nobody_is_led_inside() {
        for address in [
            "http://127.0.0.1:9/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://169.254.169.254/latest",
            "http://[::1]/",
        ]
        .into_iter()
        .chain(["http://[::ffff:10.0.0.1]/", "https://192.168.1.1/", "http://localhost:9/", "http://0/"])
        {
            assert!(matches!(refused(false, address), PageError::NotPublic { .. }), "{address}");
        }
        for address in ["https://a.example/", "http://1.1.1.1/", "http://10.0.0.1/", "http://localhost.example/"] {
            assert!(matches!(refused(true, address), PageError::NotLocal { .. }), "{address}");
        }
    }

    #[test]
    fn a_body_is_read_as_what_it_is() {
        let named =
            |kind: &str, address: &str, body: &[u8]| file_name(kind, &Url::parse(address).unwrap(), body).unwrap();
        let (page, paper) = ("https://a.example/x", "https://a.example/paper.PDF");
        assert_eq!(named("text/html; charset=utf-8", paper, b""), "page.html");
        assert_eq!(named("Application/PDF", page, b""), "page.pdf");
        assert_eq!(named("application/octet-stream", paper, b""), "page.pdf");
        assert_eq!(named("", page, b"\xEF\xBB\xBF\n<!DOCTYPE html><p>x"), "page.html");
        assert_eq!(named("text/csv", page, b""), "page.csv");
        assert_eq!(named("text/plain", page, b"words"), "page.txt");
        assert_eq!(named("text/markdown", page, b"<html>"), "page.txt");
        for other in ["image/png", "application/json", "application/rss+xml", "text/xml; charset=utf-8", "video/mp4"] {
            let kind = other.split(';').next().unwrap().to_owned();
            assert_eq!(file_name(other, &Url::parse(paper).unwrap(), b""), Err(PageError::Type { kind }));
        }
    }

    #[test]
    fn a_page_is_called_by_its_heading_or_its_first_sentence() {
        assert_eq!(title("Menu\n\n# The  park\n\nText."), "The park");
        assert_eq!(title("\nFirst line. And more.\nSecond."), "First line");
        assert_eq!(title(&"word ".repeat(100)).chars().count(), LONGEST_TITLE);
    }
}
