use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;
use crate::editorial::{export::imprint::imprint, testing::article};

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes
        .chunks(3)
        .flat_map(|chunk| {
            let bits =
                chunk.iter().chain([0, 0].iter()).take(3).fold(0usize, |bits, byte| bits << 8 | usize::from(*byte));
            (0..4).map(move |sign| if sign <= chunk.len() { SIGNS[bits >> (18 - 6 * sign) & 63] as char } else { '=' })
        })
        .collect()
}

#[test]
fn the_policy_names_the_style() {
    assert_eq!(base64(b"Man"), "TWFu");
    assert_eq!(base64(b"M"), "TQ==");
    let page = to_html(&article("x"), &imprint());
    let style: String = STYLE.lines().collect();
    assert!(page.contains(&format!("style-src 'sha256-{}';", base64(&Sha256::digest(&style)))), "{page}");
    assert!(page.contains(&format!("<style>{style}</style>")), "{page}");
}

#[test]
fn an_article_is_a_page_of_its_own() {
    let text =
        "The council **voted**.[^b]\n\n> “No,” Voss said.[^b]\n\n## Footnotes\n\n[^b]: Minutes, https://m.example.\n";
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
        ("[^\"><script>]: x", "<h2>Footnotes</h2>\n<ol class=\"notes\">\n<li id=\"note-1\"><p>x</p>\n</li>\n</ol>\n"),
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
