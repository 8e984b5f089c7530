//! The texts within an answer: what a model wraps around one is taken off, and one that says nothing is told from one that does.

use super::{ReadingNote, tagged::TAG};
use copydesk_text::{
    pattern::TextPattern,
    wrapping::{Wrapping, within, words_of},
};

/// Most words of a refusal, and of a remark beside a text.
const REFUSAL: usize = 60;
const REMARK: usize = 12;

/// A line break that was escaped twice: two of them, or one behind the end of a sentence.
static BREAKS: TextPattern = TextPattern::new(r#"(?P<before>[.!?”"’)*_])\\n|(?:\\r)?\\n(?:[ \t]*(?:\\r)?\\n)+"#);

/// A paragraph that announces the text, and one that speaks about it, in lower case.
static ANNOUNCES: TextPattern =
    TextPattern::new(r"^[*_#\s]*(?:here(?:'s| is| are)|below is|sure|certainly|of course|okay|ok)\b[^.]*:[*_\s]*$");
static REMARKS: TextPattern = TextPattern::new(
    r"^[\[(*_\s]*(?:(?:total )?words?(?: count)?\s*[:=]|[~≈]?\d+ words\b|end of (?:the )?(?:article|draft|story)|let me know\b|i hope (?:this|that|it)\b)",
);

/// The end of a block of HTML.
static END: TextPattern = TextPattern::new(r"(?i)</(?:p|div|li)>");

/// A text that stands for one still to come, in lower case and without marks around it.
static STANDS_IN: TextPattern = TextPattern::new(
    r"(?x)^(?: (?:to\ ?do|tb[ad]|n/?a|none|null|nil|undefined|string|text|placeholder|example|sample\ text)
        | lorem\ ipsum\b.*
        | see\ (?:above|below)
        | (?:insert|your|enter|add|write|put|fill\ in|type)\b.{0,60}\bhere
        | (?:markdown,\ )?paragraphs\ separated\ by\ blank\ lines.*
        | one\ or\ two\ sentences
        | what\ the\ source\ says(?:,\ in\ your\ words)?
        | why\ (?:it|the\ source)\ can(?:not)?\ be\ trusted(?:\ so\ far)? )$",
);

static REFUSES: TextPattern = TextPattern::joined(|| {
    const CANNOT: &str = r"(?:can't|can\s?not|couldn't|could not|won't|will not|unable to|not able to|not allowed to|must decline|have to decline)";
    format!(
        r"^(?:(?:please|(?:could|can) you(?: please)?) (?:provide|send|share|give|paste|upload)\b|(?:lo siento|perdón|es tut mir leid|tut mir leid|désolé|je suis désolé|mi dispiace)\b.*\b(?:no puedo|kann|ne peux|ne suis|non posso)\b|(?:很?抱歉|对不起|對不起).*(?:无法|無法|不能)|(?:申し訳|すみません).*(?:できません|できない)|(?:(?:i'm|i am|we're|we are) (?:so |very |truly )?(?:sorry|afraid)|sorry|(?:i|we) apologi[sz]e|my apologies|as an ai)\b.*\b{CANNOT}\b|(?:unfortunately,? )?(?:i|we)(?:'m| am| are)? {CANNOT}(?: to)? (?:(?:help|assist)(?: you)?(?: with\b|[.!]|$)|(?:comply|fulfil|fulfill|write|generate|create|produce|complete|continue|do|process) (?:with )?(?:this|that|the|your|an?)\b|(?:access|see|open|view|read|review) (?:the|your|this|any) (?:article|draft|sources?|source[_ ]text|text|passages?|documents?|files?)\b))"
    )
});

/// The text without what stands around it or was escaped twice, with notes on that.
pub(super) fn bare(text: String, name: &str, notes: &mut Vec<ReadingNote>) -> String {
    let mut text = match within(&text) {
        Some(left) => {
            notes.extend(left.taken_off.into_iter().map(ReadingNote::Wrapped));
            left.text
        }
        None => text,
    };
    if BREAKS.is_match(&text) {
        notes.push(ReadingNote::Form(name.to_owned(), "a text with \\n".to_owned()));
        let paragraphs = BREAKS.replace_all(&text, |found: &regex::Captures<'_>| {
            found.name("before").map_or_else(|| "\n\n".to_owned(), |before| format!("{}\n", before.as_str()))
        });
        text = paragraphs.replace("\\n", "\n").replace("\\\"", "\"");
    }
    let folded = |paragraph: &str| paragraph.to_lowercase().replace('’', "'");
    let is = |pattern: &TextPattern, paragraph: &str| {
        words_of(paragraph) <= REMARK && pattern.is_match(folded(paragraph).trim())
    };
    if let Some((first, rest)) = text.split_once("\n\n").filter(|(first, _)| is(&ANNOUNCES, first)) {
        notes.push(ReadingNote::Wrapped(Wrapping::Before(words_of(first))));
        text = rest.trim_start().to_owned();
    }
    if let Some((rest, last)) = text.rsplit_once("\n\n").filter(|(_, last)| is(&REMARKS, last)) {
        notes.push(ReadingNote::Wrapped(Wrapping::After(words_of(last))));
        text = rest.trim_end().to_owned();
    }
    let plain = unmarked_line(&without_tags(&text)).to_owned();
    if plain != text {
        notes.push(ReadingNote::Form(name.to_owned(), "a text with marks".to_owned()));
    }
    plain
}

/// The text without tags of HTML: the end of a block ends a paragraph.
fn without_tags(text: &str) -> String {
    if !TAG.is_match(text) {
        return text.to_owned();
    }
    let blocks = END.replace_all(text, "\n\n");
    let plain = TAG.replace_all(&blocks, |tag: &regex::Captures<'_>| {
        if tag.get(0).is_some_and(|tag| tag.as_str().to_lowercase().starts_with("<br")) { "\n" } else { "" }
    });
    let paragraphs = plain.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// A text of one line without the marks of a heading, and of emphasis around the whole of it.
fn unmarked_line(text: &str) -> &str {
    if text.contains('\n') {
        return text;
    }
    let line = text.trim_start_matches('#').strip_prefix(' ').filter(|_| text.starts_with('#')).unwrap_or(text);
    let inner = line.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    inner.filter(|inner| !inner.is_empty() && !inner.contains("**")).unwrap_or(line)
}

/// Whether a text has an end. Broken off, it would be a text all the same.
pub(super) fn has_end(text: &str) -> bool {
    text.trim_end_matches(['*', '_']).ends_with(['.', '!', '?', '”', '"', '’', '\'', ')', ']', '»'])
}

/// Whether a text only stands for one: it has no letter, is the prompt's own form, or is an instruction in brackets.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let bracketed = [('[', ']'), ('<', '>'), ('{', '}')].into_iter().any(|(open, close)| {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(|inner| !inner.trim_start_matches(open).trim_end_matches(close).contains([open, close]))
    });
    let plain = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    !text.is_empty() && (bracketed || plain.is_empty() || STANDS_IN.is_match(&plain))
}

/// Whether a text refuses instead of saying what was asked for.
pub(crate) fn is_refusal(text: &str) -> bool {
    let folded = text.trim().to_lowercase().replace('’', "'");
    words_of(&folded) <= REFUSAL && REFUSES.is_match(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_a_text_is_taken_off_and_noted() {
        for text in [
            "<think>Let me write.</think>\n\nOne.\n\nTwo.",
            "One.\n\nTwo.<|im_end|>",
            "Here is the article:\n\nOne.\n\nTwo.\n\n[Word count: 30]",
            "One.\\n\\nTwo.",
            "**Here’s the draft:**\n\nOne.\n\nTwo.\n\n(2 words)",
        ] {
            let mut notes = Vec::new();
            assert_eq!(bare(text.to_owned(), "t", &mut notes), "One.\n\nTwo.", "{text}");
            assert!(!notes.is_empty(), "{text}");
        }
        for text in ["The tag <think> and C:\\new\\names.", "Here is what they ask:\n\nMore.", "One.\n\n“30 words.”"]
        {
            let mut notes = Vec::new();
            let expected = if text.starts_with("Here") { "More." } else { text };
            assert_eq!(bare(text.to_owned(), "t", &mut notes), expected, "{text}");
        }
    }

    #[test]
    fn a_placeholder_or_a_refusal_is_no_text() {
        for text in ["...", "—", "[Insert article here]", "<headline>", "{{BODY}}", "TODO", "N/A", "Your headline here"]
        {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["", "7", "A park.", "[Sic] he wrote [so]", "<b>x</b>", "Text messages", "None of them came."] {
            assert!(!is_placeholder(text), "{text}");
        }
        for text in [
            "I'm sorry, but I can't help with that.",
            "I cannot assist with this request.",
            "Unfortunately, I am unable to write this article.",
            "I can’t help with that.",
            "I cannot see the passages.",
            "Please provide the source text.",
            "Lo siento, pero no puedo ayudar con eso.",
            "抱歉，我无法协助完成此请求。",
        ] {
            assert!(is_refusal(text), "{text}");
        }
        for text in [
            "I cannot find it in the passages.",
            "Unfortunately, the source does not say so.",
            "“I can't help it,” she said.",
            "The mayor said he cannot help with that.",
            "Sorry seems to be the hardest word.",
        ] {
            assert!(!is_refusal(text), "{text}");
        }
    }
}
