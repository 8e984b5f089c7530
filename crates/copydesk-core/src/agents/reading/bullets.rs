//! The bullets of a review as models write them, put into the contract's form; and the words for a review without a
//! concern. Silence is not among them: an empty answer is no review.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::{Read, ReadingNote, UnusableAnswer, listed::listed, read_text};
use copydesk_newsroom::ConcernType;
use copydesk_text::wrapping::{Wrapping, unwrap, words_of};

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

/// Most words of a heading.
const HEADING: usize = 4;

/// A sentence which says that there is no concern, in lower case and without its end.
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

/// Matches a bullet that denies a kind of concern, such as “no errors were found in the draft”.
static OF_A_KIND: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^no (?:[a-z_]+ ){0,3}[a-z_]+(?: (?:were|was|is|are))?(?: (?:found|identified|detected|present|noted))?(?: in (?:the|this) (?:article|draft|text))?$").ok()
});

/// Reads a review: its bullets, each with the contract's mark, or none if it says in words that there is no concern.
///
/// # Errors
/// [`UnusableAnswer`] if it is empty, only thinking, or neither of the two.
pub(crate) fn bullets(raw: &str) -> Result<Read<String>, UnusableAnswer> {
    let empty =
        |UnusableAnswer(why)| UnusableAnswer(format!("{why}; a review without a concern must say “No concerns.”"));
    let Read { value: text, mut notes } = read_text(raw).map_err(empty)?;
    let text = listed(&text);
    let (found, around) = found(&text);
    let (nothing, mut kept): (Vec<String>, Vec<String>) = found.into_iter().partition(|bullet| is_nothing(bullet));
    if says_nothing(&text) || kept.is_empty() && is_complete(&nothing) && beside_bullets(&text) {
        if unwrap(raw).goes_on {
            return Err(UnusableAnswer::new(
                "it goes on behind its “No concerns.”: the whole answer must be “No concerns.”",
            ));
        }
        return Ok(Read { value: String::new(), notes });
    }
    if kept.iter().all(|bullet| denies(bullet)) {
        let why = "it has no bullet: each concern must start on a line of its own with “- ”, or the whole answer must be “No concerns.”";
        return Err(UnusableAnswer::new(why));
    }
    notes.extend(around);
    notes.extend((!nothing.is_empty()).then_some(ReadingNote::Nothing(nothing.len())));
    for bullet in &mut kept {
        bullet.insert_str(0, "- ");
    }
    Ok(Read { value: kept.join("\n"), notes })
}

/// Whether what stands beside bullets without a concern is harmless.
fn beside_bullets(text: &str) -> bool {
    is_plain(text) && text.lines().all(|line| is_nothing(line) || sentences(&folded(line)).all(is_harmless))
}

/// Whether a text says that there is no concern, and nothing else.
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

fn is_denial(sentence: &str) -> bool {
    NOTHING.as_ref().is_some_and(|regex| regex.is_match(sentence))
}

/// Whether a bullet begins by saying that there is no concern, whatever it says then: it is no concern, and no plain silence.
fn denies(bullet: &str) -> bool {
    !bullet.contains(['“', '"']) && sentences(&folded(bullet)).next().is_some_and(is_denial)
}

/// The sentences of a folded text, and their parts.
fn sentences(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(['.', '!', ';', ',', ':', '\n', '。', '！']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// Whether a sentence has harmless words alone, or is a heading. One that begins with an order asks for a change.
fn is_harmless(sentence: &str) -> bool {
    HEADINGS.contains(&sentence.trim_start_matches("here are ").trim_start_matches("here is "))
        || sentence.split(' ').all(|word| HARMLESS.split(' ').any(|known| known == word))
            && sentence.split(' ').next().is_some_and(|first| !ORDERS.contains(&first))
}

/// Whether a text has no mark of doubt, of taking back or of crossing out.
fn is_plain(text: &str) -> bool {
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
fn folded(text: &str) -> String {
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

/// Returns the bullets of a text without their marks, and notes on prose around them and on other marks.
fn found(text: &str) -> (Vec<String>, Vec<ReadingNote>) {
    let marked: Vec<(usize, &str)> = text.lines().filter_map(unmarked).collect();
    let outermost = marked.iter().map(|(indent, _)| *indent).min();
    let quoting = marked.iter().filter(|(_, rest)| rest.contains(['“', '"'])).map(|(indent, _)| *indent).min();
    // Headings above bullets that quote are no concerns.
    let headings =
        |level: &usize| marked.iter().filter(|(indent, _)| indent < level).all(|(_, rest)| words_of(rest) <= HEADING);
    let Some(level) = quoting.filter(headings).or(outermost) else {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let names_kind = |line: &str| ConcernType::ALL.into_iter().any(|kind| line.contains(kind.name()));
        let is_bare = |line: &&str| line.starts_with(['“', '"']) && names_kind(line) || kind_of(line).is_some();
        if lines.is_empty() || !lines.iter().all(is_bare) {
            return (Vec::new(), Vec::new());
        }
        return (lines.iter().map(|line| (*line).to_owned()).collect(), vec![ReadingNote::Bullets(lines.len())]);
    };
    let mut bullets: Vec<String> = Vec::new();
    let (mut before, mut rewritten, mut dropped) = (0, 0, false);
    for line in text.lines() {
        match unmarked(line) {
            Some((indent, rest)) if indent == level => {
                rewritten += usize::from(!line.starts_with("- ") && !line.starts_with("* "));
                bullets.push(rest.to_owned());
                dropped = false;
            }
            Some((indent, _)) if indent < level => dropped = true,
            _ if is_heading(line) => dropped = true,
            _ if bullets.is_empty() => before += words_of(line),
            _ if dropped => {}
            _ => {
                if let Some(bullet) = bullets.last_mut() {
                    bullet.push('\n');
                    bullet.push_str(line);
                }
            }
        }
    }
    let after = bullets.last_mut().map_or(0, without_closing);
    for bullet in &mut bullets {
        bullet.truncate(bullet.trim_end().len());
    }
    let notes = [
        (before > 0).then_some(ReadingNote::Wrapped(Wrapping::Before(before))),
        (after > 0).then_some(ReadingNote::Wrapped(Wrapping::After(after))),
        (rewritten > 0).then_some(ReadingNote::Bullets(rewritten)),
    ];
    (bullets, notes.into_iter().flatten().collect())
}

fn is_heading(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#')
        || (line.starts_with("**") && line.trim_end_matches(':').ends_with("**") && !line.contains(['“', '"']))
}

/// Takes a closing remark off the last bullet, and counts its words: paragraphs that are not indented and quote nothing.
fn without_closing(bullet: &mut String) -> usize {
    let Some((own, rest)) = bullet.split_once("\n\n") else { return 0 };
    let remark = |line: &str| !line.starts_with([' ', '\t']) && !line.contains(['“', '"']);
    if !rest.lines().all(remark) {
        return 0;
    }
    let (own, words) = (own.len(), words_of(rest));
    bullet.truncate(own);
    words
}

/// Returns the kind of concern that a line begins with, and the text behind it.
fn kind_of(line: &str) -> Option<(ConcernType, String)> {
    let folded = folded(line).replace(' ', "_");
    ConcernType::ALL.into_iter().find_map(|kind| {
        let rest = folded.strip_prefix(kind.name())?;
        let rest = rest.strip_prefix("s").unwrap_or(rest);
        (rest.is_empty() || rest.starts_with([':', '_', '-', '–', '—'])).then(|| {
            let rest = rest.trim_start_matches([':', '_', '-', '–', '—']).replace('_', " ");
            (kind, rest)
        })
    })
}

/// Whether a bullet says that there is no concern, or none of its kind.
fn is_nothing(bullet: &str) -> bool {
    if bullet.contains(['“', '"']) {
        return says_nothing(bullet);
    }
    says_nothing(bullet)
        || kind_of(bullet).is_some_and(|(_, rest)| {
            rest.is_empty() || says_nothing(&rest) || OF_A_KIND.as_ref().is_some_and(|regex| regex.is_match(&rest))
        })
}

/// Whether bullets without a concern speak of the whole draft: one says so, or each kind of concern has one.
fn is_complete(bullets: &[String]) -> bool {
    let kinds: Vec<ConcernType> = bullets.iter().filter_map(|bullet| kind_of(bullet)).map(|(kind, _)| kind).collect();
    let whole = bullets.iter().any(|bullet| kind_of(bullet).is_none() && says_nothing(bullet));
    whole || ConcernType::ALL.into_iter().all(|kind| kinds.contains(&kind))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(raw: &str) -> Option<String> {
        bullets(raw).ok().map(|read| read.value)
    }

    #[test]
    fn no_concerns_is_said_in_words() {
        for text in [
            "No concerns.",
            "no concerns",
            "NO CONCERNS",
            "No concerns found.",
            "No concerns!",
            "None",
            "None.",
            "- No concerns.",
            "* None",
            "1. No concerns.",
            "**No concerns.**",
            "“No concerns.”",
            "`No concerns.`",
            "```\nNo concerns.\n```",
            "I have no concerns about this article.",
            "I found no concerns.",
            "I don’t see any concerns with this article.",
            "There are no concerns.",
            "There are no concerns to report in this article.",
            "There aren't any issues.",
            "The article has no concerns.",
            "The draft contains no unsupported additions.",
            "No issues were found.",
            "No unsupported additions found in the article.",
            "N/A",
            "Nothing to report.",
            "[]",
            "{\"concerns\": []}",
            "{\"review\": \"No concerns.\"}",
            "Concerns: none",
            "## Concerns\n\nNo concerns.\n\n---",
            "Concerns:\n- None",
            "✅ No concerns 👍",
            "I have reviewed the article and found no concerns.",
            "After reviewing the article, I found no concerns.",
            "Based on the source text, there are no concerns with this article.",
            "No concerns, the article is consistent with its source.",
            "No issues or concerns.",
            "No concerns to raise about the article.",
            "<think>All is well.</think>\n\nNo concerns.",
            "No concerns.<|im_end|>",
            "No concerns. The article is consistent with its source.",
            "No concerns. Every statement of the article stands in the source.",
            "I compared each statement with the source and all are supported.\n\nNo concerns.",
            "Final answer: No concerns.",
            "\\boxed{No concerns.}",
            "_No concerns._",
            "Here are the concerns:\n- None",
            "No concerns.\n\nAll statements are supported by the source text.",
            "unsupported_fact: none\ninferred_fact: none\nscope_expansion: none\neditorializing: none\nstructured_addition: none\nattribution_gap: none\ncertainty_inflation: none\ntruncation_completion: none",
            "- unsupported_fact: None\n- inferred_fact: None\n- scope_expansion: No scope expansion found.\n- **editorializing**: N/A\n- structured addition: none\n- attribution_gap: None.\n- certainty_inflation: None\n- truncation_completion: None",
        ] {
            assert_eq!(read(text).as_deref(), Some(""), "{text}");
        }
    }

    #[test]
    fn anything_less_is_no_review() {
        for text in [
            "",
            " \n",
            "<think>No concerns.</think>",
            "<think>No concerns.",
            "<|im_end|>",
            "No concerns about the figures, but the quotation is wrong.",
            "No concerns. But the mayor never said that.",
            "No concerns about the first paragraph.",
            "No major concerns.",
            "No concerns, but the date is wrong.",
            "No concerns except one.",
            "No concerns about the first paragraph, the article matches its source.",
            "I have reviewed the article and found some concerns.",
            "After reviewing the article, the article is consistent with the source.",
            "No concern is too small.",
            "No other concerns.",
            "The article is fine.",
            "The article is consistent with its source.",
            "I have some concerns.",
            "I cannot review this.",
            "““““",
            "“We cannot wait,” the mayor said.",
            "None of the figures is right.",
            "- unsupported_fact: none",
            "Here are the concerns:",
            "{\"concerns\": 3}",
            "Yes.",
            "...",
            "No concerns?",
            "No concerns (?)",
            "None?",
            "- No concerns?",
            "No concerns,",
            "No concerns …",
            "No concerns ❌",
            "❌ No concerns",
            "~~No concerns.~~",
            "No concerns.<think>But wait",
            "- No concerns.<think>But wait",
            "No concerns.<|im_end|>\n<|im_start|>user\nSure?<|im_end|>\n<|im_start|>assistant\n- “a” unsupported_fact: x",
            "No concerns. Correct the headline.",
            "No concerns. April is supported.",
            "April stands nowhere in the source.\n\n- No concerns.",
            "- No concerns.\n\nBut April is wrong.",
            "I checked April which is wrong, and found no concerns.",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(
            bullets("")
                .unwrap_err()
                .to_string()
                .ends_with("it is empty; a review without a concern must say “No concerns.”")
        );
    }

    #[test]
    fn bullets_with_other_marks_get_the_contracts() {
        let two = Some("- “a” unsupported_fact: x\n- “b” editorializing: y");
        for text in [
            "- “a” unsupported_fact: x\n- “b” editorializing: y",
            "* “a” unsupported_fact: x\n* “b” editorializing: y",
            "+ “a” unsupported_fact: x\n+ “b” editorializing: y",
            "1. “a” unsupported_fact: x\n2. “b” editorializing: y",
            "1) “a” unsupported_fact: x\n\n2) “b” editorializing: y",
            "(1) “a” unsupported_fact: x\n(2) “b” editorializing: y",
            "• “a” unsupported_fact: x\n•“b” editorializing: y",
            "– “a” unsupported_fact: x\n– “b” editorializing: y",
            "-“a” unsupported_fact: x\n-“b” editorializing: y",
            "  - “a” unsupported_fact: x\n  - “b” editorializing: y",
            "“a” unsupported_fact: x\n“b” editorializing: y",
            "Here are the concerns:\n\n- “a” unsupported_fact: x\n- “b” editorializing: y\n\nLet me know if you need more.",
            "```markdown\n- “a” unsupported_fact: x\n- “b” editorializing: y\n```",
            "<think>hm\n- no</think>\n- “a” unsupported_fact: x\n- “b” editorializing: y<|im_end|>",
            "1. **Unsupported facts**\n   - “a” unsupported_fact: x\n2. **Editorializing**\n   - “b” editorializing: y",
            "### Unsupported\n- “a” unsupported_fact: x\n### Editorializing\n- “b” editorializing: y",
            "- “a” unsupported_fact: x\n- “b” editorializing: y\n- scope_expansion: none\n- attribution_gap: No attribution gap.",
            "No concerns.\n- “a” unsupported_fact: x\n- “b” editorializing: y",
            "- “a” unsupported_fact: x\n- “b” editorializing: y\n\nNo other concerns.",
        ] {
            let read = read(text).map(|text| text.replace("\n\n", "\n"));
            assert_eq!(read.as_deref(), two, "{text}");
        }
    }

    #[test]
    fn the_lines_below_a_bullet_are_its_own() {
        for text in
            ["- “a” x\n  more\n  - nested “c”\n- y", "- “a\nb” x", "- one “a”\n\n  and its second paragraph\n- two"]
        {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        let nested = "- The article lists eight schools\n  - the source has “seven”";
        assert_eq!(read(nested).as_deref(), Some(nested));
        assert_eq!(read("1. one\n   - detail\n2. two").as_deref(), Some("- one\n   - detail\n- two"));
    }

    proptest! {
        #[test]
        fn what_is_read_keeps_the_contract(
            text in "([-*+•–] |1\\. |2\\) |  |\n|“|”|\"|a|None|No concerns\\.|unsupported_fact: |\\*\\*|#|<think>|</think>){0,40}"
        ) {
            if let Ok(read) = bullets(&text) {
                prop_assert!(read.value.is_empty() || read.value.starts_with("- "), "{}", read.value);
            }
        }
    }
}
