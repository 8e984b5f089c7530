//! The bullets of a review as models write them, put into the contract's form. An empty answer is no review.

use super::{
    Read, ReadingNote, UnusableAnswer,
    denials::{folded, is_denial, is_harmless, is_plain, says_nothing, sentences, unmarked},
    listed::{listed, names_kind},
    meant::is_none,
    read_text,
    texts::is_refusal,
};
use copydesk_newsroom::ConcernType;
use copydesk_text::{
    pattern::TextPattern,
    sanitise,
    wrapping::{Wrapping, unwrap, words_of},
};

/// Most words of a heading.
const HEADING: usize = 4;

/// Longest excerpt of bullets without a concern, in characters.
const EXCERPT: usize = 80;

/// Matches a bullet that denies a kind of concern, such as “no errors were found in the draft”.
static OF_A_KIND: TextPattern = TextPattern::new(
    r"^no (?:[a-z_]+ ){0,3}[a-z_]+(?: (?:were|was|is|are))?(?: (?:found|identified|detected|present|noted))?(?: in (?:the|this) (?:article|draft|text))?$",
);

/// Matches what names a part of a concern at the beginning of a line.
static LABEL: TextPattern = TextPattern::new(
    r"(?i)^[*_ \t]*(excerpt|quote|quotation|article|passage|text|sentence|words|statement|(?:concern )?(?:type|kind)|kind of concern|category|note|reason|explanation|source|why|detail|details|comment)[*_ ]*:",
);

/// Matches a bullet, in lower case, that says that the reviewer cannot review.
static CANNOT: TextPattern = TextPattern::new(
    r"^(?:(?:i'm |i am )?sorry,? )?(?:but )?(?:i (?:cannot|can't|could not|couldn't|am unable to|am not able to) (?:compare|review|assess|check|access|see|open|read|provide|help|assist|do|complete|perform|identify|list)\b)",
);

/// Matches a part of a bullet that fills its place, in lower case.
static FILLER: TextPattern = TextPattern::new(
    r"^(?:ok|okay|done|yes|no|sure|certainly|understood|error|null|nil|n/?a|not applicable|empty|end|\[[a-z_ ]*\]|(?:end of )?(?:the )?(?:review|list)|here are the concerns|of course)$",
);

/// Matches a bullet behind others that says that they are all.
static NO_OTHERS: TextPattern = TextPattern::new(
    r"^no (?:other|further|more|additional) (?:concerns?|issues?|problems?)(?: (?:were )?(?:found|identified|noted))?$",
);

/// The reviewer's instructions. If a model repeats a bullet of them, it has not answered.
const PROMPTS: [&str; 2] = [
    include_str!("../../../../../prompts/article_editor/article_review.md"),
    include_str!("../../../../../prompts/article_editor/article_review.short.md"),
];

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
    let (answers, fillers): (Vec<String>, Vec<String>) = found.into_iter().partition(|bullet| !is_filler(bullet));
    let is_none = |bullet: &String| is_nothing(bullet) || NO_OTHERS.is_match(&folded(bullet));
    let (mut nothing, mut kept): (Vec<String>, Vec<String>) = answers.into_iter().partition(is_none);
    if kept.is_empty() && !fillers.is_empty() {
        let why = format!("“{}” is no concern", sanitise::excerpt(&fillers.join(" "), EXCERPT));
        return Err(UnusableAnswer::new(why));
    }
    nothing.extend(fillers);
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

/// Whether a bullet only fills its place: it refuses, has no words, or repeats the instructions.
fn is_filler(bullet: &str) -> bool {
    let bullet = bullet.trim();
    if !bullet.contains(char::is_alphanumeric) {
        return true;
    }
    let repeats = |line: &str| line.strip_prefix("- ").is_some_and(|line| line == bullet);
    if PROMPTS.iter().any(|prompt| prompt.lines().any(repeats)) {
        return true;
    }
    if bullet.contains(['“', '"']) {
        return false;
    }
    let said = bullet.to_lowercase().replace('’', "'");
    is_refusal(bullet) || CANNOT.is_match(&said) || sentences(&folded(bullet)).all(|part| FILLER.is_match(part))
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
    // Parts of a concern below its kind belong to it.
    let inner = quoting.filter(headings);
    let of_parts = |level: &usize| {
        marked.iter().any(|(indent, rest)| indent == level && LABEL.is_match(rest)) && outermost < Some(*level)
    };
    let Some(level) = inner.filter(|level| !of_parts(level)).or(outermost) else {
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| line.contains(char::is_alphanumeric)).collect();
        if let Some(first) = lines.iter().find_map(|line| label_of(line)) {
            let begins = |line: &&str| label_of(line).as_ref() == Some(&first);
            let lines: Vec<String> =
                lines.iter().map(|line| if begins(line) { format!("- {line}") } else { (*line).to_owned() }).collect();
            return self::found(&lines.join("\n"));
        }
        let is_bare = |line: &&str| line.contains(['“', '"']) && names_kind(line) || kind_of(line).is_some();
        if lines.is_empty() || !lines.iter().all(is_bare) {
            return (Vec::new(), Vec::new());
        }
        return (lines.iter().map(|line| (*line).to_owned()).collect(), vec![ReadingNote::Bullets(lines.len())]);
    };
    let mut bullets: Vec<String> = Vec::new();
    let (mut before, mut rewritten, mut dropped) = (0, 0, false);
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines() {
        let label = unmarked(line).filter(|(indent, _)| *indent == level).and_then(|(_, rest)| label_of(rest));
        let goes_on = label.as_ref().is_some_and(|label| !bullets.is_empty() && !parts.contains(label));
        match unmarked(line) {
            Some((_, rest)) if goes_on && !dropped => {
                rewritten += 1;
                parts.extend(label);
                if let Some(bullet) = bullets.last_mut() {
                    bullet.push_str("\n  - ");
                    bullet.push_str(rest);
                }
            }
            None if is_bare(line) => {
                rewritten += 1;
                bullets.push(line.to_owned());
                (dropped, parts) = (false, Vec::new());
            }
            Some((indent, rest)) if indent == level || bullets.is_empty() && indent > level => {
                rewritten += usize::from(!line.starts_with("- ") && !line.starts_with("* "));
                bullets.push(rest.to_owned());
                (dropped, parts) = (false, label.into_iter().collect());
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

/// The name of the part of a concern that a line gives.
fn label_of(line: &str) -> Option<String> {
    Some(LABEL.captures(line)?.get(1)?.as_str().to_lowercase())
}

/// Whether a line is a concern without its mark: a quotation and its kind.
fn is_bare(line: &str) -> bool {
    line.starts_with(['“', '"']) && names_kind(line)
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
        || kind_of(bullet).is_some_and(|(_, rest)| is_none(&rest) || says_nothing(&rest) || OF_A_KIND.is_match(&rest))
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
            "Verdict: No concerns.",
            "## Evaluation\n\nNo concerns.",
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
    fn what_only_looks_like_a_review_without_concerns_is_none() {
        for text in [
            // Nothing was filled in.
            "N/A",
            "Not applicable.",
            "null",
            "concerns: null",
            "- N/A",
            "| Excerpt | Kind | Note |\n|---|---|---|",
            "| Excerpt | Kind | Note |\n|---|---|---|\n| | | |",
            "| Excerpt | Kind | Note |\n|---|---|---|\n| N/A | N/A | N/A |",
            "| No concerns |",
            "No concerns\n|---|",
            "excerpt,kind,note",
            "excerpt,kind,note\nN/A,N/A,N/A",
            "<concerns></concerns>",
            "<review/>",
            "<error>No concerns.</error>",
            // Thinking, a refusal, somebody else's words.
            "<think>I see no concerns.</think>",
            "<thinking>No concerns.",
            "I cannot say that there are no concerns.",
            "I'm sorry, but I can't review this article.",
            "The mayor said: “No concerns.”",
            "“No concerns,” the council said.",
            "The instructions say to write “No concerns.” if there are none.",
            "If there are no concerns, say “No concerns.”",
            "<article>The mayor has no concerns.</article>",
            // Taken back.
            "<review>No concerns.</review>\nThe figure of 1.8 miles is wrong.",
            "<review>The figure is wrong.<verdict>No concerns.</verdict></review>",
            "<review><verdict>No concerns.</verdict><note>The figure is wrong.</note></review>",
            "<p>No concerns.</p>\n<p>The figure is wrong.</p>",
            "<p>No concerns.</p>\n\nThe figure is wrong.",
            "verdict,note\nNo concerns,The figure is wrong",
            "{\"concerns\": [], \"note\": \"The figure is wrong.\"}",
            "[]\n\nThe figure is wrong.",
            "I have no concerns except for the 1.8 miles.",
            "I have no concerns except one.",
            "No concerns. The figure of 1.8 miles is wrong.",
            "No concerns.\n\nOn second thought: 1.8 miles is not in the source.",
            "No concerns, apart from the headline.",
            "No concerns yet.",
            "No concerns?",
            "No major concerns.",
            "It is not true that there are no concerns.",
            "There are not no concerns.",
            "~~No concerns.~~",
            "Concerns: none so far, I only read the first paragraph.",
            // In another language, with more behind it.
            "Keine Bedenken, außer bei der Zahl.",
            "No hay objeciones, salvo la cifra.",
            "Aucune remarque, sauf le chiffre.",
            "没有问题，除了数字。",
        ] {
            let read = bullets(text);
            assert!(!read.as_ref().is_ok_and(|read| read.value.is_empty()), "{text}: {read:?}");
        }
    }

    #[test]
    fn a_review_in_tags_in_values_between_commas_and_in_prose_is_read() {
        let wanted = "- “1.8 miles of paths” unsupported_fact: the source says 1.4";
        for text in [
            "<concerns><concern><excerpt>1.8 miles of paths</excerpt><kind>unsupported_fact</kind><note>the source says 1.4</note></concern></concerns>",
            "excerpt,kind,note\n\"1.8 miles of paths\",unsupported_fact,\"the source says 1.4\"",
            "| Excerpt | Kind | Note |\n|---|---|---|\n| 1.8 miles of paths | unsupported_fact | the source says 1.4 |",
        ] {
            assert_eq!(read(text).as_deref(), Some(wanted), "{text}");
        }
        let prose = "The article says “1.8 miles of paths”, which is an unsupported_fact.";
        assert_eq!(read(prose), Some(format!("- {prose}")));
        let page = "<html><body><ul><li>“1.8 miles” unsupported_fact: no</li><li>“a triumph” editorializing: no</li></ul></body></html>";
        assert_eq!(read(page).map(|read| read.lines().count()), Some(2));
    }

    #[test]
    fn anything_less_is_no_review() {
        for text in [
            "",
            " \n",
            "<think>No concerns.</think>",
            "<think>No concerns.",
            "<|im_end|>",
            "{\"error\": \"no concerns\"}",
            "{\"concerns\": []",
            "The source says: “No concerns.”",
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

    #[test]
    fn each_form_of_a_list_is_its_two_bullets() {
        let rest = "“a” unsupported_fact: x\n- “b” editorializing: y";
        let two = format!("- {rest}");
        let before = [
            " ",
            "\u{A0}",
            "\u{200B}",
            "\u{FEFF}",
            "<think>hm</think> ",
            "[/INST] ",
            "<s> ",
            "Answer: ",
            "Concerns: ",
            "**Concerns:** ",
            "Final answer: ",
            "Sure! ",
            "assistant ",
            "Assistant: ",
            ": ",
            "\"",
            "```- ",
            "Here are the concerns: ",
            "Here are the concerns:\n ",
        ];
        for before in before {
            let text = format!("{before}{two}");
            assert_eq!(read(&text).as_deref(), Some(&*two), "{text}");
        }
        for text in [
            rest.to_owned(),
            two.replace("\n- ", "\n"),
            two.replace("\n- ", "\n\n"),
            two.replace('\n', "\\n"),
            two.replace("- ", "> - "),
            two.replace("- ", "\\- "),
            two.replace("- ", "− "),
            two.replace("- ", "\u{2011} "),
            two.replace("- ", "✗ "),
            two.replace("- ", "⚠️ "),
            "#1 “a” unsupported_fact: x\n#2 “b” editorializing: y".to_owned(),
            "[1] “a” unsupported_fact: x\n[2] “b” editorializing: y".to_owned(),
            "1: “a” unsupported_fact: x\n2: “b” editorializing: y".to_owned(),
            "1 - “a” unsupported_fact: x\n2 - “b” editorializing: y".to_owned(),
            "i. “a” unsupported_fact: x\nii. “b” editorializing: y".to_owned(),
            "1️⃣ “a” unsupported_fact: x\n2️⃣ “b” editorializing: y".to_owned(),
            "### 1. “a” unsupported_fact: x\n### 2. “b” editorializing: y".to_owned(),
            "“a” unsupported_fact: x\n---\n“b” editorializing: y\n---".to_owned(),
            r#"{"excerpt": "a", "kind": "unsupported_fact", "note": "x"}
{"excerpt": "b", "kind": "editorializing", "note": "y"}"#
                .to_owned(),
            format!("{two}\n- No other concerns."),
            format!("{two}\n- ..."),
            format!("{two}\n- Done."),
            format!("- “a triumph of engineering” editorializing: no source judges the wells.\n{two}"),
        ] {
            let read = read(&text).map(|text| text.replace("\n\n", "\n"));
            assert_eq!(read.as_deref(), Some(&*two), "{text}");
        }
    }

    #[test]
    fn the_parts_of_a_concern_are_one_bullet() {
        for text in [
            "1. **unsupported_fact**\n   - Excerpt: “a”\n   - Explanation: x\n2. **editorializing**\n   - Excerpt: “b”\n   - Explanation: y",
            "- **unsupported_fact**\n  - Article: “a”\n  - Source: x\n- **editorializing**\n  - Article: “b”\n  - Source: y",
            "**Concern 1**\n- Excerpt: “a”\n- Type: unsupported_fact\n- Note: x\n\n**Concern 2**\n- Excerpt: “b”\n- Type: editorializing\n- Note: y",
            "Excerpt: “a”\nKind: unsupported_fact\nNote: x\n\nExcerpt: “b”\nKind: editorializing\nNote: y",
            "- “a” unsupported_fact\nNote: x\n- “b” editorializing\nNote: y",
            "- “a” unsupported_fact\n- Note: x\n- “b” editorializing\n- Note: y",
            "- “a” unsupported_fact: x\n  - see “c”\n- “b” editorializing: y\n  Note: z",
        ] {
            let read = read(text).unwrap();
            let raw = copydesk_newsroom::ArticleReviewRaw { markdown_bullets: read };
            let concerns = crate::editorial::bullets::parse(&raw).unwrap().concerns;
            let excerpts: Vec<&str> = concerns.iter().map(|concern| &*concern.excerpt).collect();
            assert_eq!(excerpts, ["a", "b"], "{text}: {concerns:?}");
        }
    }

    #[test]
    fn what_only_fills_the_place_of_a_review_is_none() {
        let prompt = PROMPTS[0].lines().filter(|line| line.starts_with("- ")).collect::<Vec<_>>().join("\n");
        for text in [
            "[empty]",
            "{empty}",
            "(empty)",
            "[EMPTY]",
            "[blank]",
            r#"{"mappings": []}"#,
            "[TOOL_CALLS]",
            "[PAD]",
            "[PAD][PAD][PAD]",
            "[No response]",
            "[END]",
            "[DONE]",
            "[No]",
            "[OUT]",
            "[object Object]",
            "[review]",
            "[End of review]",
            "[List of concerns]",
            "[Insert concerns here]",
            "[TOOL_CALLS]review",
            r#"[TOOL_CALLS] [{"name":"x","arguments":{}}]"#,
            r#"["OK"]"#,
            r#"["error"]"#,
            "- I'm sorry, but I can't assist with that.",
            "- I cannot compare the article with its source.",
            "1. Please provide the article.",
            "- OK",
            "- Done.",
            "- ...",
            "* * *",
            "- Sure! Here are the concerns:",
            "- “…” …",
            "- “the exact words of the article” kind_of_concern: what the source says instead, or that it says nothing of it.",
            &prompt,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_courtesy_takes_nothing_back() {
        for text in [
            "No concerns. Great article!",
            "No concerns. Let me know if you would like a different style.",
            "No concerns.\n\nLet me know if you need anything else!",
            "No concerns.\n\n**End of review**",
            "No concerns...",
            "‘No concerns.’",
            "• No concerns.",
            "No concerns.<br>",
            "No concerns.\u{200B}",
            "No objections.",
        ] {
            assert_eq!(read(text).as_deref(), Some(""), "{text}");
        }
        for text in ["No concerns. Great article but the date is wrong.", "- No other concerns."] {
            assert_eq!(read(text), None, "{text}");
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
