//! A paragraph of prose in an answer: without the label, the JSON, the tags, the heading and the remarks that a model puts around it.

use serde_json::Value;

use super::{
    Read, ReadingNote, UnusableAnswer,
    parsing::{pieces, readings},
    read_text,
    texts::bare,
};
use copydesk_text::{
    pattern::TextPattern,
    sentences::sentences,
    wrapping::{Wrapping, words_of},
};

/// Most words of a heading, and around JSON.
const HEADING: usize = 12;
const AROUND: usize = 12;

/// Fewest words of a text in JSON that is prose, rather than a name or a number.
const PROSE: usize = 4;

/// Most sentences of a text in quotation marks that may be a quotation.
const QUOTATION: usize = 2;

/// What a model says before its prose: a word of consent, an announcement, a label.
static LABEL: TextPattern = TextPattern::new(
    r"(?x)(?i)^[\s*_\#>]*(?:
        (?:sure(?:\ thing)?|certainly|of\ course|okay|ok|understood|got\ it|absolutely)[*_]*[!.][*_\s]+
        | (?:(?:sure|certainly|of\ course|okay|ok)[,!.]?\s+)?(?:here(?:['’]s|\ is|\ are)|below\ is)\b[^.!?:\n]{0,80}:[*_\s]+
        | (?:(?:the|my|your|next|first|last|final|news|new|revised|this)\s+){0,3}
          (?:paragraph|section|text|body|answer|response|output|draft|prose|continuation)
          (?:\s+(?:no\.?\s*)?\d{1,2})?(?:\s*\([^)\n]{0,40}\))?[*_]*\s*[:：][*_\s]*
    )",
);

/// What a model says behind its prose: the number of its words, or a note on its own work.
static REMARK: TextPattern = TextPattern::new(
    r"(?x)(?i)\s*(?:
        [\[(*_]+\s*(?:(?:total\ )?words?(?:\ count)?\s*[:=]\s*\d+(?:\ words)?|(?:about\ |approx(?:imately|\.)?\ |[~≈])?\d+\ words)\s*[\])*_.]+
        | [*_]*(?:total\ )?word\ count[*_]*\s*[:=][*_]*\s*\d+(?:\ words)?[.*_]*
        | \n[ \t]*[~≈]?\d+\ words\.?
        | \n[ \t]*[(\[*_]*note[*_]*:[*_]*\s+(?:i|this|the\ (?:paragraph|text|section)|no|nothing)\b[^\n]*
    )\s*$",
);

/// A text that answers the request instead of fulfilling it, in lower case.
static CONSENT: TextPattern = TextPattern::new(
    r"(?x)^(?:(?:sure|certainly|of\ course|okay|ok|understood|got\ it|absolutely|yes|great)\b[,.!\s]*)?
        (?: i(?:'ll|'d|'m|\ will|\ can|\ would|\ am)\b.{0,40}\b(?:write|writing|help|provide|do\ (?:that|so)|ready|happy|glad)\b
        | please\ (?:provide|send|share|give|paste)\b | how\ can\ i\b | (?:done|ready)?[.!]*$ )",
);

/// Most words of such a text.
const CONSENTS: usize = 30;

/// Returns the prose of an answer with notes on what was around it.
///
/// # Errors
/// [`UnusableAnswer`] if nothing is left, or if it only consents to write.
pub(crate) fn prose(answer: &str) -> Result<Read<String>, UnusableAnswer> {
    let Read { value: mut text, mut notes } = read_text(answer)?;
    if let Some(told) = in_json(&text) {
        notes.push(ReadingNote::Form("the text".to_owned(), "JSON".to_owned()));
        text = told;
    }
    text = bare(text, "the text", &mut notes);
    let (mut left, mut before, mut after) = (text.trim(), 0, 0);
    while let Some(found) = LABEL.find(left) {
        before += words_of(found.as_str());
        left = left.get(found.end()..).unwrap_or_default().trim_start();
    }
    if let Some((heading, rest)) = left.split_once('\n').filter(|(first, rest)| is_heading(first, rest)) {
        before += words_of(heading);
        left = rest.trim_start();
    }
    while let Some(found) = REMARK.find(left) {
        after += words_of(found.as_str());
        left = left.get(..found.start()).unwrap_or_default().trim_end();
    }
    let folded = left.to_lowercase().replace('’', "'");
    if words_of(&folded) <= CONSENTS && CONSENT.is_match(&folded) {
        return Err(UnusableAnswer::new("it answers the request, and has no text"));
    }
    let around = [Wrapping::Before(before), Wrapping::After(after)];
    let said = |wrapping: &Wrapping| !matches!(wrapping, Wrapping::Before(0) | Wrapping::After(0));
    notes.extend(around.into_iter().filter(said).map(ReadingNote::Wrapped));
    Ok(Read { value: unquoted(left).to_owned(), notes })
}

/// The prose in a text that is JSON: its texts of several words, each a paragraph.
fn in_json(text: &str) -> Option<String> {
    // Without an escape it may be a quotation.
    if let Ok(told) = serde_json::from_str::<String>(text) {
        return (told.len() + 2 < text.len()).then_some(told);
    }
    let all = pieces(text);
    let piece = all.first().filter(|piece| words_of(text.get(..piece.start).unwrap_or_default()) <= AROUND)?;
    let rest = text.get(piece.start + piece.text.len()..).unwrap_or_default();
    let (value, _) = readings(*piece, &[]).ok()?.into_iter().next().filter(|_| words_of(rest) <= AROUND)?;
    let mut told = Vec::new();
    collect(&value, &mut told);
    (!told.is_empty()).then(|| told.join("\n\n"))
}

fn collect(value: &Value, told: &mut Vec<String>) {
    match value {
        Value::String(text) if words_of(text) >= PROSE => told.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, told)),
        Value::Object(map) => map.values().for_each(|value| collect(value, told)),
        _ => {}
    }
}

/// Whether a first line is a heading: a few words without the end of a sentence, and the text below an empty line.
fn is_heading(first: &str, rest: &str) -> bool {
    let first = first.trim();
    let ends = first.trim_end_matches(['*', '_', '"', '”', ')']).ends_with(['.', '!', '?', ':', ',', ';', '…']);
    let is_item = first.starts_with(['-', '•', '“', '"']) || first.starts_with(|c: char| c.is_ascii_digit());
    !ends && !is_item && words_of(first) <= HEADING && rest.starts_with(['\n', '\r'])
}

/// The text without quotation marks around the whole of it, unless it may be a quotation.
fn unquoted(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return text };
    let opens = |at: usize| inner.get(..at).is_some_and(|before| before.ends_with(char::is_whitespace));
    let is_whole = match inner.find('"') {
        Some(at) => opens(at),
        None => sentences(inner).len() > QUOTATION,
    };
    if is_whole { inner.trim() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The council voted on Tuesday. “It was late,” Dana Ruiz said. It costs $2 million.";

    #[test]
    fn what_a_model_puts_around_its_prose_is_taken_off_and_no_sentence_is_lost() {
        for around in [
            "{}",
            "Paragraph: {}",
            "**Paragraph:**\n\n{}",
            "Section 2: {}",
            "**Section 2 (about 80 words):** {}",
            "Text: {}",
            "The next paragraph:\n{}",
            "Here is the paragraph:\n\n{}",
            "Here’s the paragraph, in 77 words: {}",
            "Sure! Here's the next paragraph:\n\n{}",
            "Certainly. {}",
            "OK. Paragraph: {}",
            "{}\n\n(77 words)",
            "{} (77 words)",
            "{}\n\n*[Word count: 77]*",
            "{}\nWord count: 77",
            "{}\n77 words",
            "{}\n\nNote: I did not add anything.",
            "<p>{}</p>",
            "<div class=\"x\"><p>{}</p></div>",
            "{}\\n\\n",
            "\"{}\"",
            "```json\n{\"paragraph\": \"{}\"}\n```",
            "{\"text\": \"{}\", \"words\": 77}",
            "Here it is: [{\"section\": 1, \"text\": \"{}\"}]",
            "<tool_call>\n{\"name\": \"write\", \"arguments\": {\"paragraph\": \"{}\"}}\n</tool_call>",
            "{\"text\": \"{}\",}",
            "```\n{}\n```",
            "Council votes for the park\n\n{}",
        ] {
            let answer = around.replace("{}", TEXT);
            assert_eq!(prose(&answer).unwrap().value, TEXT, "{answer}");
        }
        let note = prose("Paragraph: One two.\n\n(2 words)").unwrap().notes;
        assert_eq!(note.len(), 2, "{note:?}");
    }

    #[test]
    fn what_belongs_to_the_prose_stays() {
        for text in [
            "Text messages came late. It was dark.",
            "Sure of the vote, she left.",
            "The paragraph of the law was read: it is short.",
            "\"It is late,\" she said. \"We go.\"",
            "\"It is late. We go.\"",
            "- The council voted.\n- It was late.",
            "The council voted\non Tuesday. It was late.",
            "They wrote 77 words.",
        ] {
            assert_eq!(prose(text).unwrap(), Read { value: text.to_owned(), notes: vec![] });
        }
        assert!(prose("```\n```").is_err());
    }
}
