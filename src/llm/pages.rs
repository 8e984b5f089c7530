//! Opens the pages that a search cites. A page or its citation may be hostile, so addresses and redirections are checked and bodies are
//! bounded.

use std::{path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use reqwest::{
    Response,
    header::{CONTENT_TYPE, LOCATION},
};
use sha2::{Digest, Sha256};
use url::Url;

use super::{
    egress::Egress,
    stream::{self, Broken},
};
use crate::{
    config::Endpoint,
    ports::{PageError, Pages, WebPage},
    text::sanitise,
};

/// Most bytes of a page's body.
const MOST_BODY: usize = 8 << 20;
/// Most bytes of a page's text that are kept: a book.
const MOST_TEXT: usize = 1 << 20;
/// Most redirections that are followed.
const MOST_SENT_ON: usize = 3;
/// Most characters of a title.
const LONGEST_TITLE: usize = 160;

/// Turns a body into text, given the page's address, the name of a file of its kind, and its bytes. It may block and keeps its own time
/// limit.
pub type PageReader = Arc<dyn Fn(&str, &str, &[u8]) -> Result<String, PageError> + Send + Sync>;

/// Opens pages over HTTP.
pub struct WebPages {
    egress: Egress,
    read: PageReader,
    seconds: f64,
}

impl WebPages {
    /// Opens each page within so many seconds. With `local_only`, pages must be on this machine; otherwise they must be on the public
    /// internet.
    #[must_use]
    pub fn new(local_only: bool, seconds: f64, read: PageReader) -> Self {
        Self { egress: Egress::new(local_only), read, seconds }
    }

    /// The body, its final address, and the name of a file of its kind.
    async fn body(&self, address: &str) -> Result<(Url, &'static str, Vec<u8>), PageError> {
        let mut page = checked(Url::parse(address.trim()).map_err(|_| PageError::NoAddress)?)?;
        let mut response = self.egress.page(&page).await?;
        let mut sent_on = 0;
        while response.status().is_redirection() {
            if sent_on == MOST_SENT_ON {
                return Err(PageError::SentOn { most: MOST_SENT_ON });
            }
            sent_on += 1;
            let next = header(&response, LOCATION).and_then(|location| page.base.join(&location).ok());
            page = checked(next.ok_or_else(|| PageError::Nowhere { host: page.authority() })?)?;
            response = self.egress.page(&page).await?;
        }
        let host = page.authority();
        if !response.status().is_success() {
            return Err(PageError::Status { host, status: response.status().as_u16() });
        }
        let kind = header(&response, CONTENT_TYPE).unwrap_or_default();
        let too_large = || PageError::TooLarge { limit_mb: MOST_BODY >> 20 };
        if response.content_length().is_some_and(|length| length > MOST_BODY as u64) {
            return Err(too_large());
        }
        let body = stream::collect(response, MOST_BODY).await.map_err(|broken| match broken {
            Broken::TooLarge => too_large(),
            _ => PageError::CutOff { host },
        })?;
        let name = file_name(&kind, &page.base, &body);
        Ok((page.base, name, body))
    }
}

#[async_trait]
impl Pages for WebPages {
    async fn open(&self, address: &str) -> Result<WebPage, PageError> {
        let limit = Duration::from_secs_f64(self.seconds);
        let (found, name, body) = tokio::time::timeout(limit, self.body(address))
            .await
            .unwrap_or(Err(PageError::TimedOut { seconds: self.seconds }))?;
        let address = sanitise::one_line(found.as_str());
        let (read, of) = (Arc::clone(&self.read), address.clone());
        let text = tokio::task::spawn_blocking(move || read(&of, name, &body))
            .await
            .unwrap_or_else(|error| Err(PageError::Unreadable(error.to_string())))?;
        let text = text.get(..text.floor_char_boundary(MOST_TEXT)).unwrap_or_default().to_owned();
        Ok(WebPage { title: title(&text), digest: hex::encode(Sha256::digest(&text)), address, text })
    }
}

/// Checks the form of an address. [`Egress::page`] checks its host.
fn checked(address: Url) -> Result<Endpoint, PageError> {
    if !matches!(address.scheme(), "http" | "https") || address.host_str().is_none_or(str::is_empty) {
        return Err(PageError::NoAddress);
    }
    if !address.username().is_empty() || address.password().is_some() {
        return Err(PageError::Credentials);
    }
    Ok(Endpoint { base: address, setting: String::new() })
}

fn header(response: &Response, name: reqwest::header::HeaderName) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_owned)
}

/// The name of a file of the body's kind, from its content type, or else its address, or else its first bytes.
fn file_name(kind: &str, address: &Url, body: &[u8]) -> &'static str {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_pdf = Path::new(address.path()).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"));
    let begins = String::from_utf8_lossy(body.get(..body.len().min(512)).unwrap_or_default()).to_ascii_lowercase();
    let begins = begins.trim_start_matches('\u{FEFF}').trim_start();
    match kind.as_str() {
        "text/html" | "application/xhtml+xml" => "page.html",
        "application/pdf" => "page.pdf",
        "text/csv" => "page.csv",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "page.docx",
        _ if is_pdf => "page.pdf",
        _ if begins.starts_with("<!doctype html") || begins.starts_with("<html") => "page.html",
        _ => "page.txt",
    }
}

/// The first heading near the page's beginning, or else its first line.
fn title(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty()).take(40);
    let line = lines().find(|line| line.starts_with("# ")).or_else(|| lines().next()).unwrap_or_default();
    sanitise::excerpt(line.trim_start_matches(['#', ' ']), LONGEST_TITLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(local_only: bool, address: &str) -> PageError {
        let read: PageReader = Arc::new(|_, _, _| Ok("text".to_owned()));
        let pages = WebPages::new(local_only, 5.0, read);
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
        let named = |kind: &str, address: &str, body: &[u8]| file_name(kind, &Url::parse(address).unwrap(), body);
        let (page, paper) = ("https://a.example/x", "https://a.example/paper.PDF");
        assert_eq!(named("text/html; charset=utf-8", paper, b""), "page.html");
        assert_eq!(named("Application/PDF", page, b""), "page.pdf");
        assert_eq!(named("application/octet-stream", paper, b""), "page.pdf");
        assert_eq!(named("", page, b"\xEF\xBB\xBF\n<!DOCTYPE html><p>x"), "page.html");
        assert_eq!(named("text/csv", page, b""), "page.csv");
        assert_eq!(named("text/plain", page, b"words"), "page.txt");
    }

    #[test]
    fn a_page_is_called_by_its_heading_or_its_first_line() {
        assert_eq!(title("Menu\n\n# The  park\n\nText."), "The park");
        assert_eq!(title("\nFirst line.\nSecond."), "First line.");
        assert_eq!(title(&"word ".repeat(100)).chars().count(), LONGEST_TITLE);
    }
}
