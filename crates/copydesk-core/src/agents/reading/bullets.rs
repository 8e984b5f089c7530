//! The bullets of a review as models write them, put into the contract's form. An empty answer is no review.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    Read, ReadingNote, UnusableAnswer,
    denials::{folded, is_denial, is_harmless, is_plain, says_nothing, sentences, unmarked},
    listed::listed,
    read_text,
};
use copydesk_newsroom::ConcernType;
use copydesk_text::wrapping::{Wrapping, unwrap, words_of};

/// Most words of a heading.
const HEADING: usize = 4;

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

/// Whether a bullet begins by saying that there is no concern. With more words behind that, it is neither a concern nor a plain denial.
fn denies(bullet: &str) -> bool {
    !bullet.contains(['“', '"']) && sentences(&folded(bullet)).next().is_some_and(is_denial)
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

    fn read_back(raw: &str) -> Option<String> {
        bullets(raw).ok().map(|read| read.value)
    }

    #[test]
    fn a_review_in_another_form_is_a_list_of_bullets() {
        let two = "- “a” unsupported_fact: x\n- “b” editorializing: y";
        let json = r#"[{"excerpt":"a","kind":"unsupported_fact","reason":"x"},{"excerpt":"b","kind":"Editorializing","reason":"y"}]"#;
        for text in [
            json.to_owned(),
            format!("Here they are:\n```json\n{{\"concerns\": {json}, \"count\": 2}}\n```"),
            format!("{{\"result\": {{\"concerns\": {json}}}}}"),
            format!("[{}]", two.lines().map(|line| format!("{line:?}")).collect::<Vec<_>>().join(",")),
            format!("{{\"review\": {two:?}}}"),
            "| excerpt | kind | why |\n|---|---|---|\n| a | unsupported_fact | x |\n| b | editorializing | y |"
                .to_owned(),
            "<ul><li>“a” unsupported_fact: x</li><li>“b” editorializing: y</li></ul>".to_owned(),
            "a) “a” unsupported_fact: x\n(b) “b” editorializing: y".to_owned(),
            "Concern 1: “a” unsupported_fact: x\nConcern 2: “b” editorializing: y".to_owned(),
            "🔹 “a” unsupported_fact: x\n🔹 “b” editorializing: y".to_owned(),
            "- “a” unsupported_fact: x; - “b” editorializing: y".to_owned(),
        ] {
            assert_eq!(read_back(&text).as_deref(), Some(two), "{text}");
        }
        let kinds = r#"{"unsupported_fact": ["“a” x"], "editorializing": []}"#;
        assert_eq!(read_back(kinds).as_deref(), Some("- unsupported_fact: “a” x"));
        for text in
            [r#"["No concerns."]"#, "<p>No concerns.</p>", r#"{"concerns": "none", "summary": "All is supported."}"#]
        {
            assert_eq!(read_back(text).as_deref(), Some(""), "{text}");
        }
    }

    #[test]
    fn another_form_hides_no_doubt() {
        for text in [
            "[{}]",
            "[null]",
            r#"{"concerns": null}"#,
            r#"{"concerns": [], "error": "source missing"}"#,
            r#"{"concerns": ["None"], "error": "source missing"}"#,
            r#"{"concerns": "none", "read": false}"#,
            r#"{"unsupported_fact": []}"#,
            "| excerpt | kind |\n|---|---|",
            "<p>April is wrong.</p>",
        ] {
            assert_eq!(read_back(text), None, "{text}");
        }
    }
}
