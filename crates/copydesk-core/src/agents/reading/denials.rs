//! The words for a review without a concern. Silence is not among them, and neither is doubt.

use copydesk_text::pattern::TextPattern;
use serde_json::Value;

/// The mark of a bullet or of a numbered item; a group for its indent, and one for the text behind it.
static MARK: TextPattern = TextPattern::new(
    r#"(?x) ^ ([\ \t]*) (?:\*\*)?
        (?:
            (?: [-*+–—·∙] | \(?\d{1,3}[.)] | \(?[a-h][.)] | (?i:concern|issue|finding|problem|item)\ \#?\d{1,3}[.:)] )
                (?:\*\*)? (?: [\ \t]+ | (?: [“"] ) )
            | (?: \#\d{1,2} | \[\d{1,2}\] | \d{1,2}\ ?[-–:] | [ivx]{1,4}[.)] | \d\x{FE0F}?\x{20E3} | [-−‑✗✘⚠❌❗]\x{FE0F}? | \#{1,6}\ \d{1,2}[.)] )
                (?:\*\*)? [\ \t]+ [“"]
            | [•‣◦●▪▫■➢➤🔹🔸🔷🔶🔵🔴🟠🟡▶►▸→➔★☆◆◇○□❖◼◾]\x{FE0F}? (?:\*\*)? [\ \t]*
        )
        "#,
);

/// Matches a sentence that says that there is no concern. It is in lower case and has no full stop.
static NOTHING: TextPattern = TextPattern::joined(|| {
    const CONCERN: &str = r"(?:such\ |new\ )?(?:unsupported\ )?(?:concerns?|objections?|issues?|problems?|discrepanc(?:y|ies)|additions?|findings?)(?:\ (?:or|and)\ (?:concerns?|issues?|problems?))?";
    const TEXT: &str = r"(?:the|this|your)\ (?:article|draft|text|story|piece|source(?:_|\ )?(?:text)?)(?:\ (?:and|or|against|beside)\ (?:its|the|this)\ source(?:(?:_|\ )text)?)?";
    const TAIL: &str = r"(?:\ (?:to\ (?:report|list|raise|note|flag|address|name)|(?:were\ |was\ |are\ |have\ been\ )?(?:found|identified|detected|noted|present|raised|necessary|needed)|here|at\ all|at\ this\ (?:time|point)|exist|in\ it|(?:with|about|in|for|regarding|on|to)\ TEXT))*";
    const NOUN: &str = "(?:article|draft|text|story|piece|review)";
    let tail = TAIL.replace("TEXT", TEXT);
    format!(
        r"(?x)^(?:(?:ok|okay|sure|yes|so|therefore|thus|hence|overall|boxed|text|answer|response|review|result)\ )*(?:i(?:'ve|\ have)?\ (?:reviewed|checked|compared|read|examined)\ [a-z\ ]{{1,60}}\ and\ )?(?:
            none|nothing|\[\ ?\]|none\ at\ all
            |(?:none|nothing)(?:\ to\ (?:report|list|raise|note|flag))|(?:none|nothing)(?:\ (?:was|were))?\ (?:found|identified|detected|noted)
            |(?:(?:(?:i|we)\ )?(?:have|see|find|found|identified|detected|noted|raise|have\ found|have\ identified|could\ find)\ |there\ (?:are|were|is|was)\ |the\ {NOUN}\ has\ )?(?:no|zero|0)\ {CONCERN}{tail}
            |(?:i|we)\ (?:do\ not|don't|did\ not|didn't|could\ not|couldn't|cannot|can't|have\ not|haven't)\ (?:have|see|find|found|identify|identified|detect|detected|note|raise)\ any\ {CONCERN}{tail}
            |there\ (?:are\ not|aren't|were\ not|weren't|is\ not|isn't)\ any\ {CONCERN}{tail}
            |(?:the|this)\ {NOUN}\ (?:has|raises|contains|shows|presents|had)\ no\ {CONCERN}{tail}
            |(?:the|this)\ {NOUN}\ (?:does\ not|doesn't)\ (?:have|contain|raise|show|present)\ any\ {CONCERN}{tail}
        )$"
    )
});

/// The words of a sentence that may stand beside it: praise, a heading, "I compared each statement with the source". None of them names
/// anything in the draft, and none takes anything back, so a sentence with any other word is no silence.
const HARMLESS: &str = include_str!("../../../../../assets/words/harmless.txt");

/// The same words at the beginning of an order.
const ORDERS: [&str; 8] = ["correct", "cover", "match", "quote", "read", "reflect", "represent", "state"];

/// Headings above the answer.
const HEADINGS: [&str; 6] =
    ["concerns", "list of concerns", "the concerns", "the list of concerns", "article concerns", "findings"];

/// Matches a courtesy behind the statement, without a word that takes it back.
static COURTESY: TextPattern = TextPattern::new(
    r"^(?:please )?(?:let me know|feel free|i hope|i am happy to|i'm happy to|happy to|thanks|thank you|(?:great|good|nice|excellent|solid) (?:article|work|job|piece|draft|story)|well (?:written|done)|end of (?:the )?(?:review|list|answer|report))\b",
);

/// Words that take back what was said before them.
pub(super) const TAKES_BACK: [&str; 12] =
    ["but", "except", "however", "though", "although", "wrong", "unless", "until", "not", "should", "missing", "error"];

/// Names under which a list of concerns may stand.
const LISTS: &str =
    "concern issue problem finding bullet review result list item response answer objection discrepancy error markdown";

/// Marks that stand in a plain statement and in Markdown around it. With any other mark, such as “?”, “~~” or “❌”, it is not plainly said.
const PLAIN: &str = ".,;:!/'’‘_-–—[]()*`#\"“”„«»{}\\>。！•‣◦●▪∙·✅✔✓☑👍👌🎉🙂😊\u{FE0F}";

/// Whether a text says only that there is no concern.
pub(super) fn says_nothing(text: &str) -> bool {
    if let Ok(json) = serde_json::from_str::<Value>(text) {
        return match json {
            Value::Array(items) => items.is_empty(),
            Value::Object(map) => {
                map.len() == 1
                    && map.iter().all(|(key, value)| key != "error" || !value.is_string())
                    && map.keys().all(|key| LISTS.split(' ').any(|name| key.to_lowercase().contains(name)))
                    && map.values().all(|value| match value {
                        Value::Array(items) => items.is_empty(),
                        Value::String(text) => says_nothing(text),
                        _ => false,
                    })
            }
            Value::String(text) => says_nothing(&text),
            _ => false,
        };
    }
    let closes = |open: char, close: char| text.matches(open).count() == text.matches(close).count();
    if !is_plain(text) || breaks_off(text) || !closes('{', '}') || !closes('[', ']') {
        return false;
    }
    let folded = folded(text);
    let (nothing, rest): (Vec<&str>, Vec<&str>) = sentences(&folded).partition(|sentence| is_denial(sentence));
    !nothing.is_empty() && rest.into_iter().all(is_harmless)
}

pub(super) fn is_denial(sentence: &str) -> bool {
    NOTHING.is_match(sentence)
}

/// The sentences of a folded text, and their parts.
pub(super) fn sentences(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(['.', '!', ';', ',', ':', '\n', '。', '！']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// Whether a sentence has harmless words alone, or is a heading. One that begins with an order asks for a change.
pub(super) fn is_harmless(sentence: &str) -> bool {
    let mut words = sentence.split(' ');
    if COURTESY.is_match(sentence) && !words.any(|word| TAKES_BACK.contains(&word)) {
        return true;
    }
    HEADINGS.contains(&sentence.trim_start_matches("here are ").trim_start_matches("here is "))
        || sentence.split(' ').all(|word| HARMLESS.split_ascii_whitespace().any(|known| known == word))
            && sentence.split(' ').next().is_some_and(|first| !ORDERS.contains(&first))
            // “The source says: …” quotes somebody else.
            && !sentence.ends_with(" says")
}

/// Whether a text has no mark of doubt, of taking back or of crossing out.
pub(super) fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || PLAIN.contains(c))
}

/// Whether a text ends with a mark after which more is to come, as in “No concerns, but …”.
fn breaks_off(text: &str) -> bool {
    let last = text.lines().rfind(|line| line.contains(char::is_alphanumeric)).unwrap_or_default();
    let last =
        last.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '”' | '"' | '’' | '\''));
    last.ends_with([',', ';', ':', '-', '–', '—', '…'])
}

/// A text in lower case, without marks of Markdown, bullets and quotation, on one line for each of its lines.
pub(super) fn folded(text: &str) -> String {
    let line = |line: &str| {
        let line = unmarked(line).map_or(line, |(_, rest)| rest);
        let line: String = line
            .chars()
            .filter(|c| !matches!(c, '(' | ')'))
            .map(|c| match c {
                '’' => '\'',
                '.' | ',' | ';' | ':' | '!' | '/' | '\'' | '-' | '–' | '—' | '[' | ']' | '。' | '！' => c,
                _ if c.is_alphanumeric() => c,
                _ => ' ',
            })
            .flat_map(char::to_lowercase)
            .collect();
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = line.trim_end_matches(['.', ':', ',', ' ', '\'']).trim_start_matches(['\'', ' ']);
        line.trim_end_matches(['.', ' ']).to_owned()
    };
    text.lines()
        .map(line)
        .filter(|line| line.contains(|c: char| c.is_alphanumeric() || c == '['))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the indent of a marked line, and the text behind its mark.
pub(super) fn unmarked(line: &str) -> Option<(usize, &str)> {
    let mark = MARK.captures(line)?;
    let (indent, whole) = (mark.get(1)?.as_str().len(), mark.get(0)?.as_str());
    // A quotation mark directly after the bullet belongs to the concern.
    let quoted = whole.chars().next_back().filter(|c| matches!(c, '“' | '"'));
    let rest = line.get(whole.len() - quoted.map_or(0, char::len_utf8)..)?;
    (!rest.trim().is_empty()).then_some((indent, rest.trim_end()))
}
