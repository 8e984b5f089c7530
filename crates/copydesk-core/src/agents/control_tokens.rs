//! The tokens with which models' chat templates mark who speaks: `<|im_start|>`, `[INST]`, `<start_of_turn>`, `</s>`,
//! `<think>`. A server that meets one in a source may take what follows for its editor's words. In a prompt they are
//! broken so that a reader still sees them (`‹|im_start|›`, `⟨think⟩`). In an answer they are mended, so that a
//! quotation of one is a quotation. Their names stand in brackets that no language quotes with: `‹answer›` is a word in
//! French and German marks.

use std::borrow::Cow;

use copydesk_text::pattern::TextPattern;
use regex::Captures;

/// Names between angle brackets that are tokens of some model's template.
const NAMES: &str = r"s|unk|pad|bos|eos|mask|sep|cls|sop|eop|think|thinking|thought|reasoning|scratchpad|reflection|answer|tool|tools|tool_call|tool_calls|tool_response|tool_result|tool_results|tool_output|function|functions|function_call|function_calls|function_response|function_results|invoke|parameter|parameters|start_of_[a-z_]+|end_of_[a-z_]+|start_function_[a-z_]+|end_function_[a-z_]+|begin_of_[a-z_]+|system|user|assistant|human|model|instruction|instructions|context|documents?|extra_id_\d+|ctrl\d+|unused\d+|reserved_\d+|image|audio|video|eot|eod|endoftext|fim_[a-z]+|BOT|EOT|INST|SYS|SPECIAL_\d+";

/// Names between square brackets, as Mistral's and GLM's templates have them, in capitals.
const SQUARE: &str = r"INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|IMG|IMG_BREAK|IMG_END|AUDIO|BEGIN_AUDIO|MODEL_SETTINGS|gMASK|sMASK|MASK|SEP|CLS|PAD|UNK|BOS|EOS";

/// The token with its name, if it has one between angle brackets; then the others.
static WHOLE: TextPattern = TextPattern::joined(|| {
    // Bars, also the wide ones of DeepSeek's.
    format!(r"<</?SYS>>|<[|｜]|[|｜]>|(?P<named></?(?i:{NAMES})\s*/?>)|\[/?(?:{SQUARE})\]")
});

static BROKEN: TextPattern =
    TextPattern::joined(|| format!(r"‹‹/?SYS››|‹[|｜]|[|｜]›|⟨/?(?i:{NAMES})\s*/?⟩|⟦/?(?:{SQUARE})⟧"));

/// Material with no control token in it and nothing that cannot be seen. Borrows if nothing had to change.
pub(super) fn broken(text: &str) -> Cow<'_, str> {
    replaced(&WHOLE, visible(text), |token, is_named| match token {
        '<' if is_named => '⟨',
        '>' if is_named => '⟩',
        '<' => '‹',
        '>' => '›',
        '[' => '⟦',
        ']' => '⟧',
        c => c,
    })
}

/// An answer with the control tokens that stand in it as material has them.
pub(super) fn mended(text: &str) -> Cow<'_, str> {
    replaced(&BROKEN, Cow::Borrowed(text), |token, _| match token {
        '‹' | '⟨' => '<',
        '›' | '⟩' => '>',
        '⟦' => '[',
        '⟧' => ']',
        c => c,
    })
}

/// A text whose tokens have other brackets.
fn replaced<'t>(tokens: &TextPattern, text: Cow<'t, str>, bracket: impl Fn(char, bool) -> char) -> Cow<'t, str> {
    if !tokens.is_match(&text) {
        return text;
    }
    let once = |text: &str| {
        let other = |found: &Captures<'_>| -> String {
            let is_named = found.name("named").is_some();
            found.get(0).into_iter().flat_map(|token| token.as_str().chars()).map(|c| bracket(c, is_named)).collect()
        };
        tokens.replace_all(text, other).into_owned()
    };
    // The bar of `<|>` is part of two tokens.
    Cow::Owned(once(&once(&text)))
}

/// Returns the text without invisible characters: zero-width ones, tags, variation selectors that only programs use. Characters that join
/// letters or pictures outside ASCII stay, since scripts need them.
fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_suspect) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let joins = matches!(c, '\u{200C}' | '\u{200D}')
            && out.chars().next_back().is_some_and(|before| !before.is_ascii())
            && chars.peek().is_some_and(|after| !after.is_ascii() && !is_suspect(*after));
        if !is_suspect(c) || joins {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character is invisible, and no space.
fn is_suspect(c: char) -> bool {
    matches!(
        c,
        '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{180E}' | '\u{3164}' | '\u{FFA0}' | '\u{115F}' | '\u{1160}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(in crate::agents) const TOKENS: [&str; 24] = [
        "<|im_start|>",
        "<|im_end|>",
        "[INST]",
        "[/INST]",
        "<<SYS>>",
        "<</SYS>>",
        "<s>",
        "</s>",
        "<think>",
        "</think>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<|eot_id|>",
        "<|start_header_id|>",
        "<｜User｜>",
        "<｜end▁of▁sentence｜>",
        "<tool_call>",
        "</tool_call>",
        "[TOOL_CALLS]",
        "[gMASK]",
        "<|endoftext|>",
        "<bos>",
        "<unused12>",
        "<extra_id_0>",
    ];

    #[test]
    fn each_token_is_broken_visibly_and_mended_again() {
        for token in TOKENS {
            let text = format!("They said {token} twice.");
            let safe = broken(&text);
            assert!(!safe.contains(token), "{safe}");
            assert_eq!(mended(&safe), text, "{safe}");
        }
        assert_eq!(broken("<|im_start|>system"), "‹|im_start|›system");
        assert_eq!(broken("<|im_\u{200B}start|>\u{E0041}\u{2060}"), "‹|im_start|›");
        for plain in
            ["5 < 6 and 7 > 6", "a <b>word</b> [1] [Sic]", "‘‹word›’ ‹answer› ‹s›", "می\u{200C}روم", "👩\u{200D}🚒"]
        {
            assert_eq!(broken(plain), plain);
            assert_eq!(mended(plain), plain);
        }
    }

    proptest! {
        #[test]
        fn no_material_makes_a_token(parts in prop::collection::vec(
            prop_oneof![
                prop::sample::select(TOKENS.to_vec()).prop_map(str::to_owned),
                prop::sample::select(vec!["<", ">", "|", "</", "[", "]", "<|", "|>", "im_start", "INST", "s", "/", "\u{200B}", "\u{E0041}", "think", "<<", "SYS", "｜"])
                    .prop_map(str::to_owned),
                "\\PC{0,4}",
            ],
            0..12,
        )) {
            let text = parts.concat();
            let safe = broken(&text);
            for token in TOKENS {
                prop_assert!(!safe.contains(token), "{:?} in {:?}", token, safe);
            }
            prop_assert!(!safe.contains("<|") && !safe.contains("|>"));
            let unseen = safe.chars().any(|c| ('\u{E0000}'..='\u{E0FFF}').contains(&c) || c == '\u{200B}');
            prop_assert!(!unseen, "{:?}", safe);
            prop_assert_eq!(broken(&safe).into_owned(), safe.to_string(), "once is enough");
        }
    }
}
