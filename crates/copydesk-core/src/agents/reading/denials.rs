//! The words for a review without a concern. Silence is not among them, and neither is doubt.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// The mark of a bullet or of a numbered item; a group for its indent, and one for the text behind it.
static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x) ^ ([\ \t]*) (?:\*\*)?
        (?:
            (?: [-*+–—·∙] | \(?\d{1,3}[.)] | \(?[a-h][.)] | (?i:concern|issue|finding|problem|item)\ \#?\d{1,3}[.:)] )
                (?:\*\*)? (?: [\ \t]+ | (?: [“"] ) )
            | [•‣◦●▪▫■➢➤🔹🔸🔷🔶🔵🔴🟠🟡▶►▸→➔★☆◆◇○□❖◼◾]\x{FE0F}? (?:\*\*)? [\ \t]*
        )
        "#,
    )
    .ok()
});

/// Matches a sentence that says that there is no concern. It is in lower case and has no full stop.
static NOTHING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const CONCERN: &str = r"(?:such\ |new\ )?(?:unsupported\ )?(?:concerns?|issues?|problems?|discrepanc(?:y|ies)|additions?|findings?)(?:\ (?:or|and)\ (?:concerns?|issues?|problems?))?";
    const TEXT: &str = r"(?:the|this|your)\ (?:article|draft|text|story|piece|source(?:_|\ )?(?:text)?)(?:\ (?:and|or|against|beside)\ (?:its|the|this)\ source(?:(?:_|\ )text)?)?";
    const TAIL: &str = r"(?:\ (?:to\ (?:report|list|raise|note|flag|address|name)|(?:were\ |was\ |are\ |have\ been\ )?(?:found|identified|detected|noted|present|raised|necessary|needed)|here|at\ all|at\ this\ (?:time|point)|exist|in\ it|(?:with|about|in|for|regarding|on|to)\ TEXT))*";
    const NOUN: &str = "(?:article|draft|text|story|piece|review)";
    let tail = TAIL.replace("TEXT", TEXT);
    Regex::new(&format!(
        r"(?x)^(?:(?:ok|okay|sure|yes|so|therefore|thus|hence|overall|boxed|text|answer|response|review|result)\ )*(?:i(?:'ve|\ have)?\ (?:reviewed|checked|compared|read|examined)\ [a-z\ ]{{1,60}}\ and\ )?(?:
            none|n/?a|nothing|nil|null|empty|\[\ ?\]|not\ applicable|none\ at\ all
            |(?:none|nothing)(?:\ to\ (?:report|list|raise|note|flag))|(?:none|nothing)(?:\ (?:was|were))?\ (?:found|identified|detected|noted)
            |(?:(?:(?:i|we)\ )?(?:have|see|find|found|identified|detected|noted|raise|have\ found|have\ identified|could\ find)\ |there\ (?:are|were|is|was)\ |the\ {NOUN}\ has\ )?(?:no|zero|0)\ {CONCERN}{tail}
            |(?:i|we)\ (?:do\ not|don't|did\ not|didn't|could\ not|couldn't|cannot|can't|have\ not|haven't)\ (?:have|see|find|found|identify|identified|detect|detected|note|raise)\ any\ {CONCERN}{tail}
            |there\ (?:are\ not|aren't|were\ not|weren't|is\ not|isn't)\ any\ {CONCERN}{tail}
            |(?:the|this)\ {NOUN}\ (?:has|raises|contains|shows|presents|had)\ no\ {CONCERN}{tail}
            |(?:the|this)\ {NOUN}\ (?:does\ not|doesn't)\ (?:have|contain|raise|show|present)\ any\ {CONCERN}{tail}
        )$"
    ))
    .ok()
});

/// The words of a sentence that may stand beside it: praise, a heading, "I compared each statement with the source". None of them names
/// anything in the draft, and none takes anything back, so a sentence with any other word is no silence.
const HARMLESS: &str = "a above accordingly accurate accurately after against agree agrees align aligned aligns all also am an and answer appear \
 appears are article article's as assessment attributed back backed base based been by can careful carefully carried carries carry \
 checked checking claim claims close closely compared comparing comparison complete completely conclude conclusion \
 confirmed confirms consistent contain contained contains content correct correctly cover covered detail details directly \
 draft each entire entirely every everything evidence exactly examined examining fact facts faithful faithfully figure \
 figures final finally find fine following follows for found from fully given good grounded has have having headline hence here i in \
 information is it its line lines list match matched matches matching material me my names numbers of ok okay on one's original \
 output overall paragraph paragraphs piece present properly provided quotation quotations quote quotes read reading reflect \
 reflected reflects represent represents response result review reviewed reviewing same say says sentence sentences so source \
 source's sources stand stands state stated statement statements states stays story summarised summarises summarize summarizes \
 summary support supported supports sure term terms text that the their them there therefore these they this thorough thoroughly \
 those thus to traceable true upon us verified verifying ve was we well were which with word words work yes";

/// The same words at the beginning of an order.
const ORDERS: [&str; 8] = ["correct", "cover", "match", "quote", "read", "reflect", "represent", "state"];

/// Headings above the answer.
const HEADINGS: [&str; 6] =
    ["concerns", "list of concerns", "the concerns", "the list of concerns", "article concerns", "findings"];

/// Marks that stand in a plain statement and in Markdown around it. With any other mark, such as “?”, “~~” or “❌”, it is not plainly said.
const PLAIN: &str = ".,;:!/'’‘_-–—[]()*`#\"“”„«»{}\\>|。！✅✔✓☑👍👌🎉🙂😊\u{FE0F}";

/// Whether a text says only that there is no concern.
pub(super) fn says_nothing(text: &str) -> bool {
    if let Ok(json) = serde_json::from_str::<Value>(text) {
        return match json {
            Value::Array(items) => items.is_empty(),
            Value::Object(map) => {
                map.len() == 1
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
    if !is_plain(text) || breaks_off(text) {
        return false;
    }
    let folded = folded(text);
    let (nothing, rest): (Vec<&str>, Vec<&str>) = sentences(&folded).partition(|sentence| is_denial(sentence));
    !nothing.is_empty() && rest.into_iter().all(is_harmless)
}

pub(super) fn is_denial(sentence: &str) -> bool {
    NOTHING.as_ref().is_some_and(|regex| regex.is_match(sentence))
}

/// The sentences of a folded text, and their parts.
pub(super) fn sentences(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(['.', '!', ';', ',', ':', '\n', '。', '！']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// Whether a sentence has harmless words alone, or is a heading. One that begins with an order asks for a change.
pub(super) fn is_harmless(sentence: &str) -> bool {
    HEADINGS.contains(&sentence.trim_start_matches("here are ").trim_start_matches("here is "))
        || sentence.split(' ').all(|word| HARMLESS.split(' ').any(|known| known == word))
            && sentence.split(' ').next().is_some_and(|first| !ORDERS.contains(&first))
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
    last.ends_with([',', ';', ':', '-', '–', '—', '…']) || last.ends_with("..")
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
        line.trim_end_matches(['.', ':', ',', ' ']).to_owned()
    };
    text.lines()
        .map(line)
        .filter(|line| line.contains(|c: char| c.is_alphanumeric() || c == '['))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the indent of a marked line, and the text behind its mark.
pub(super) fn unmarked(line: &str) -> Option<(usize, &str)> {
    let mark = MARK.as_ref()?.captures(line)?;
    let (indent, whole) = (mark.get(1)?.as_str().len(), mark.get(0)?.as_str());
    // A quotation mark directly after the bullet belongs to the concern.
    let quoted = whole.chars().next_back().filter(|c| matches!(c, '“' | '"'));
    let rest = line.get(whole.len() - quoted.map_or(0, char::len_utf8)..)?;
    (!rest.trim().is_empty()).then_some((indent, rest.trim_end()))
}
