//! A page as a row of tags and words. Of elements with thousands of attributes only the first few are left, because the tokenizer compares
//! each with all before it.

use std::{borrow::Cow, cell::RefCell};

use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states::RawKind,
    },
};

/// Most attributes of an element; a page's own have some twenty.
const MOST: usize = 200;

/// What is told of the tags and words of a page, one after another.
pub(super) trait TagReader {
    fn open(&mut self, tag: &Tag);
    fn shut(&mut self, name: &str);
    fn say(&mut self, text: &str);
}

struct Sink<R>(RefCell<R>);

impl<R: TagReader> TokenSink for Sink<R> {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut reader = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                reader.open(&tag);
                return content_of(&tag);
            }
            Token::TagToken(tag) => reader.shut(tag.name.as_ref()),
            Token::CharacterTokens(text) => reader.say(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Tells `reader` the page's tags and words, and returns it.
pub(super) fn walk<R: TagReader>(html: &str, reader: R) -> R {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(&bounded(html)));
    let tokenizer = Tokenizer::new(Sink(RefCell::new(reader)), TokenizerOpts::default());
    // A script would pause the tokenizer; none is ever run.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

/// How the content of an element that begins is read.
fn content_of(tag: &Tag) -> TokenSinkResult<()> {
    match tag.name.as_ref() {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "iframe" | "noframes" | "xmp" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}

/// The page, its elements with no more attributes than anybody writes.
fn bounded(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut out = String::new();
    // Up to here the page is in `out`.
    let mut kept = 0;
    let mut at = 0;
    while let Some(start) = html.get(at..).and_then(|rest| rest.find('<')).map(|start| at + start) {
        at = start + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let mut attributes = 0;
        let mut cut = None;
        let mut blank = false;
        let mut quote = None;
        while let Some(&byte) = bytes.get(at) {
            match (quote, byte) {
                (Some(open), byte) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'>') => break,
                (None, b'"' | b'\'') if bytes.get(at - 1) == Some(&b'=') => quote = Some(byte),
                (None, byte) => {
                    let begins = blank && !byte.is_ascii_whitespace() && byte != b'=';
                    attributes += usize::from(begins);
                    if begins && attributes == MOST + 1 {
                        cut = Some(at);
                    }
                    blank = byte.is_ascii_whitespace() || byte == b'/';
                }
            }
            at += 1;
        }
        if let Some(cut) = cut {
            out.push_str(html.get(kept..cut).unwrap_or_default());
            kept = at;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(html.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_keeps_its_first_attributes() {
        for page in ["<p class=\"a b\" id=x>1 < 2</p>", "", "<", "<a", "<a b='>'>c", "é<é a>"] {
            assert!(matches!(bounded(page), Cow::Borrowed(same) if same == page), "{page}");
        }
        let many = (0..MOST + 50).map(|number| format!(" é{number}='>'")).collect::<Vec<_>>().concat();
        let page = format!("<p>One</p><p{many}>Two</p>");
        let cut = bounded(&page);
        assert!(cut.len() < page.len() && cut.ends_with(">Two</p>") && cut.starts_with("<p>One</p><p é0='>'"), "{cut}");
        assert_eq!(cut.matches('\'').count(), 2 * MOST);
    }
}
