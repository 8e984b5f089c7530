//! The frame of a page for the newsroom itself: HTML that stands alone, loads nothing and runs nothing.
//!
//! Every text in such a page is untrusted: it is cleaned and escaped here, and the page's policy allows nothing but its own style.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

use copydesk_newsroom::StoryWithdrawal;
use copydesk_text::{in_marks, sanitise};

/// The style of these pages. A word repeats each meaning of a colour.
const STYLE: &str = include_str!("../../../../assets/pages/report.css");

/// A whole page. `title` is a text, `body` HTML that was written with the functions of this file.
pub fn page(title: &str, body: &str) -> String {
    let (title, body) = (line(title), format!("<body>\n<main>\n{body}</main>\n</body>"));
    HtmlDocument { language: "en", title: &title, description: "", style: STYLE, data: "", body: &body }.to_html()
}

/// A page that stands alone, in parts. All but the style is HTML.
pub(super) struct HtmlDocument<'a> {
    pub language: &'a str,
    pub title: &'a str,
    /// An element that describes it; may be empty.
    pub description: &'a str,
    /// The whole style.
    pub style: &'a str,
    /// An element for search engines; may be empty.
    pub data: &'a str,
    /// The element `body`.
    pub body: &'a str,
}

impl HtmlDocument<'_> {
    /// The page. Its policy allows nothing but its own style: a browser may only show it.
    pub(super) fn to_html(&self) -> String {
        let Self { language, title, description, style, data, body } = self;
        let style: String = style.lines().collect();
        let digest = STANDARD.encode(Sha256::digest(&style));
        format!(
            "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{description}<title>{title}</title>\n\
             <style>{style}</style>\n{data}</head>\n{body}\n</html>\n"
        )
    }
}

/// Text as it stands in HTML, in an attribute, too.
pub(super) fn escaped(text: &str) -> String {
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

/// The items of a list; each is HTML.
pub(super) fn items(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().fold(String::new(), |list, item| list + "<li>" + &item + "</li>\n")
}

/// A part that a reader opens. Both are HTML.
pub(super) fn details(summary: &str, body: &str) -> String {
    format!("<details>\n<summary>{summary}</summary>\n{body}</details>\n")
}

/// A banner, which a reader sees first. `class` is `good`, `bad` or empty; `text` is HTML.
pub(super) fn banner(class: &str, text: &str) -> String {
    let class = if class.is_empty() { "banner".to_owned() } else { format!("banner {class}") };
    format!("<p class=\"{class}\">{text}</p>\n")
}

/// A text in one line, as it stands in HTML.
pub fn line(text: &str) -> String {
    escaped(&sanitise::one_line(text))
}

/// Likewise, kept apart from the direction of the words around it: a name in Arabic or Hebrew does not turn the sentence.
pub fn name(text: &str) -> String {
    format!("<bdi>{}</bdi>", line(text))
}

/// A text of several lines, as it stands in HTML.
pub fn lines(text: &str) -> String {
    let clean = sanitise::clean(text);
    let lines: Vec<String> = clean.trim().lines().map(escaped).collect();
    lines.join("<br>")
}

/// A quotation in its own direction.
pub fn quote(text: &str) -> String {
    format!("<bdi>{}</bdi>", line(&in_marks(text)))
}

/// A digest or another name that is not read aloud.
pub fn code(text: &str) -> String {
    format!("<code>{}</code>", line(text))
}

/// A section with its heading; it can be linked to.
pub fn section(id: &str, heading: &str, body: &str) -> String {
    format!("<section id=\"{id}\">\n<h2>{heading}</h2>\n{body}</section>\n")
}

/// A table; each cell is HTML. A heading that begins with `#` stands over numbers.
pub fn table(headings: &[&str], rows: impl IntoIterator<Item: AsRef<[String]>>) -> String {
    let class = |heading: &str| if heading.starts_with('#') { " class=\"n\"" } else { "" };
    let mut out = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    for heading in headings {
        out.extend(["<th scope=\"col\"", class(heading), ">", heading.trim_start_matches('#'), "</th>"]);
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (cell, heading) in row.as_ref().iter().zip(headings) {
            out.extend(["<td", class(heading), ">", cell, "</td>"]);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    out
}

/// A time for a person, in UTC: the page is read in any zone. Text that is no time stays as it is.
pub fn time(at: &str) -> String {
    let read = at.parse::<jiff::Timestamp>();
    let shown = read.map_or_else(|_| at.to_owned(), |at| at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string());
    format!("<time datetime=\"{}\">{}</time>", line(at), line(&shown))
}

/// The banner of a withdrawn article: by whom, when and why.
pub fn withdrawn_banner(withdrawal: &StoryWithdrawal) -> String {
    let (by, at) = (name(&withdrawal.by), time(&withdrawal.at));
    banner("bad", &format!("<strong>Withdrawn by {by}, {at}: {}</strong>", line(&withdrawal.reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup_or_turns_a_line() {
        let hostile = "<script>alert(\"1\")</script>\u{1b}[2J\u{202e}evil\u{2066}\u{0}'&\nsecond";
        for made in [line(hostile), name(hostile), lines(hostile), quote(hostile), code(hostile), time(hostile)] {
            assert!(!made.contains("<script") && made.contains("&lt;script&gt;alert("), "{made}");
            assert!(!made.chars().any(|c| c.is_control() || "\u{202e}\u{2066}".contains(c)), "{made:?}");
        }
        assert!(lines(hostile).contains("<br>second"));
        let page = page(hostile, "");
        assert!(page.contains("<title>&lt;script&gt;") && !page.contains("<script"), "{page}");
    }

    #[test]
    fn times_are_read_in_any_zone_and_numbers_stand_right() {
        assert!(time("2026-10-06T12:00:09.123Z").ends_with(">2026-10-06 12:00:09 UTC</time>"));
        let made = table(&["What", "#Tokens"], &[vec!["a".into(), "3".into()]]);
        assert!(made.contains("<th scope=\"col\" class=\"n\">Tokens</th>") && made.contains("<td class=\"n\">3</td>"));
    }
}
