//! Removes the wrapping that servers and models put around an answer: reasoning, channels, the tokens of chat templates, code fences.
//!
//! Taking it off is a pure function of the answer. Nothing is taken off between quotation marks: an article may quote
//! such a token.

use std::{fmt, ops::Range};

use super::{count, pattern::TextPattern, sanitise};

/// A kind of wrapping that was taken off an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapping {
    /// Words of reasoning.
    Thinking(usize),
    /// Tokens that mark turns, roles and ends.
    Tokens(usize),
    /// Code fences.
    Fences(usize),
    /// Words before the answer.
    Before(usize),
    /// Words after it.
    After(usize),
}

impl fmt::Display for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Thinking(words) => write!(f, "{} of thinking", count(words, "word")),
            Self::Tokens(tokens) => f.write_str(&count(tokens, "control token")),
            Self::Fences(fences) => f.write_str(&count(fences, "code fence")),
            Self::Before(words) => write!(f, "{} before the answer", count(words, "word")),
            Self::After(words) => write!(f, "{} after the answer", count(words, "word")),
        }
    }
}

/// An answer without what was wrapped around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwrapped {
    /// The answer without its wrapping, cleaned and trimmed. It is empty if the model only thought.
    pub text: String,
    pub taken_off: Vec<Wrapping>,
    /// Whether the model went on behind its answer: it thought again, or took another turn.
    pub goes_on: bool,
}

/// Names of tags that enclose reasoning.
const THOUGHTS: &str = "think|thinking|thought|thoughts|reasoning|reason|reflection|scratchpad|analysis|inner_monologue|seed:think|antml:thinking";

/// A tag that opens or closes reasoning; a group `close` if it closes.
static THOUGHT: TextPattern = TextPattern::joined(|| {
    format!(
        r"(?ix)
        (?P<close>
            < \s* / \s* (?:{THOUGHTS}) \s* > | \[ / (?:THINK|THINKING|REASONING) \] | <\| \s* end_of_thought \s* \|> | <\|END_THINKING\|>
            | <\| / (?:think|thinking) \|> | ◁/think▷ | <channel\|> | <｜end▁of▁thinking｜> | <unused95>
        )
        | < \s* (?:{THOUGHTS}) (?:\s [^<>\n]{{0,80}})? > | \[ (?:THINK|THINKING|REASONING) \] | <\| \s* begin_of_thought \s* \|>
        | <\|START_THINKING\|> | <\| (?:think|thinking) \|> | ◁think▷ | <\|channel> \s* thought | <｜begin▁of▁thinking｜>
        | <unused94> \s* thought"
    )
});

/// The header of a channel, as gpt-oss writes it.
static CHANNEL: TextPattern =
    TextPattern::new(r"(?i)<\|channel\|>\s*([a-z]*)[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,80})?<\|message\|>\s*");

/// Tokens of chat templates, with the role that follows one which opens a turn.
static TOKEN: TextPattern = TextPattern::new(
    r"(?ix)
        (?: <\|im_start\|> | <\|start_header_id\|> | <start_of_turn> | <\|start\|> | <\|start_of_role\|> | <\|turn> )
            [\ \t]* (?P<turn> assistant | model | user | system | tool | human | developer | ipython )?
            [\ \t]* (?: <\|end_header_id\|> | <\|end_of_role\|> | <\|im_sep\|> | <\|message\|> )?
        | <\| (?P<bar> assistant | user | system | observation ) \|>
        | <｜ (?P<wide> assistant | user | system ) ｜>
        | (?P<inst> \[INST\] )
        | <\| [a-z_/] [a-z0-9_\ ▁-]{0,40} \|> | <｜ [^｜<>\n]{1,40} ｜>
        | \[\| [a-z]{3,20} \|\] | </?seed:[a-z]{3,12}> | <\| [a-z_]{2,20} $
        | </?s> | </? (?: bos | eos | pad | unk | bot | eot | eod | eos_token | endoftext ) >
        | < (?: start | end | begin ) _of_ [a-z_]{1,20} > | \[/INST\] | <</?SYS>> | <turn\|>
        ",
);

/// A role that a server left of a header whose tokens it took off, or that a model learned to write: `Assistant:`, `### Response:`.
static ROLE: TextPattern = TextPattern::new(
    r"(?i)^(?:\*\*)?(?:assistant|model)[ \t]*(?::(?:\*\*)?|(?:\*\*)?\n)|^\#{1,4}[ \t]*(?:response|assistant)[ \t]*:?[ \t]*\n",
);

/// Where another's turn begins after an end token.
static OTHERS_TURN: TextPattern = TextPattern::new(r"(?i)^\s*(?:user|human|system)[ \t]*(?::|\n)");

/// A further turn of the model in what stands behind the answer.
static OWN_TURN: TextPattern = TextPattern::new(r"(?i)(?:^|[\n>])[ \t]*(?:<\|)?(?:assistant|model)\b|\[/INST\]\s*\S");

/// Tags around the whole answer, beside its reasoning.
static ENVELOPE: TextPattern = TextPattern::new(
    r"(?i)^\s*<(?:answer|response|output|final|final_answer|result)>\s*|\s*</(?:answer|response|output|final|final_answer|result)>\s*$",
);

/// Takes off an answer what is wrapped around it, and cleans it.
pub fn unwrap(raw: &str) -> Unwrapped {
    let text = sanitise::clean(raw);
    let mut taken_off = Vec::new();
    let (mut thought, mut goes_on) = (0, false);
    let text = channels(&text, &mut thought);
    let text = thoughts(&text, &mut thought, &mut goes_on);
    if thought > 0 {
        taken_off.push(Wrapping::Thinking(thought));
    }
    let text = tokens(&text, &mut taken_off, &mut goes_on);
    let text = fences(&text, &mut taken_off);
    Unwrapped { text, taken_off, goes_on }
}

/// Takes off a text within an answer what stands at its edges: reasoning before it, and tokens before and after it.
pub fn within(text: &str) -> Option<Unwrapped> {
    let (mut left, mut thoughts, mut tokens) = (text.trim(), 0, 0);
    loop {
        let opens = THOUGHT.captures(left).filter(|found| found.name("close").is_none()).and_then(|found| found.get(0));
        if opens.is_some_and(|tag| tag.start() == 0) {
            let closes = THOUGHT.captures_iter(left).filter(|found| found.name("close").is_some()).last();
            let end = closes.and_then(|found| found.get(0)).map_or(left.len(), |tag| tag.end());
            thoughts += words_of(left.get(..end).unwrap_or_default());
            left = left.get(end..).unwrap_or_default().trim_start();
            continue;
        }
        let mut found = TOKEN.find_iter(left);
        match (found.next(), found.last()) {
            (Some(first), _) if first.start() == 0 => left = left.get(first.end()..).unwrap_or_default().trim_start(),
            (Some(last), None) | (Some(_), Some(last)) if last.end() == left.len() => {
                left = left.get(..last.start()).unwrap_or_default().trim_end();
            }
            _ => break,
        }
        tokens += 1;
    }
    let taken_off = [Wrapping::Thinking(thoughts), Wrapping::Tokens(tokens)];
    let taken_off = taken_off.into_iter().filter(|taken| !matches!(taken, Wrapping::Thinking(0) | Wrapping::Tokens(0)));
    let taken_off: Vec<Wrapping> = taken_off.collect();
    (!taken_off.is_empty()).then(|| Unwrapped { text: left.to_owned(), taken_off, goes_on: false })
}

/// The lines of a code fence: three or more backticks or tildes, and at most the name of a language.
pub fn is_fence(line: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches(if line.starts_with('~') { '~' } else { '`' });
    line.len() - rest.len() >= 3 && !rest.contains(['`', '~']) && rest.split_whitespace().nth(1).is_none()
}

/// The words of a text.
pub fn words_of(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The last final channel, if there are channels. A model that wrote in no final channel only thought.
fn channels(text: &str, thought: &mut usize) -> String {
    let mut quotations = Quotations::of(text);
    let headers: Vec<_> = CHANNEL
        .captures_iter(text)
        .filter_map(|found| Some((found.get(0)?.range(), found.get(1)?.as_str())))
        .filter(|(place, _)| !quotations.hold(place))
        .collect();
    let Some((first, _)) = headers.first() else { return leaked(text, thought) };
    let before = text.get(..first.start).unwrap_or_default();
    let mut answer = None;
    for (number, (place, name)) in headers.iter().enumerate() {
        let end = headers.get(number + 1).map_or(text.len(), |(next, _)| next.start);
        let said = text.get(place.end..end).unwrap_or_default();
        if name.eq_ignore_ascii_case("final") {
            answer = Some(said);
        } else {
            *thought += words_of(said);
        }
    }
    // An answer before the first channel: the channels follow it.
    answer.unwrap_or(before).to_owned()
}

/// The same where the server took the tokens away and left the channels' names: `analysisWe must …assistantfinal{…}`.
fn leaked(text: &str, thought: &mut usize) -> String {
    let begun = text.trim_start();
    let between = |opens: &str, closes: &str| begun.strip_prefix(opens)?.rsplit_once(closes);
    let told = between("analysis", "assistantfinal")
        // Granite's own words, and the block in which Open WebUI folds reasoning.
        .or_else(|| between("Here is my thought process:", "Here is my response:"))
        .or_else(|| between("<details type=\"reasoning\"", "</details>"));
    let Some((reasoning, answer)) = told else { return text.to_owned() };
    *thought += words_of(reasoning);
    answer.to_owned()
}

/// The text without its reasoning: a block that is never closed goes to the end, and one that was never opened begins with the text.
fn thoughts(text: &str, thought: &mut usize, goes_on: &mut bool) -> String {
    let (mut kept, mut from, mut inside) = (String::new(), 0, false);
    let mut quotations = Quotations::of(text);
    for found in THOUGHT.captures_iter(text) {
        let Some(place) = found.get(0).map(|place| place.range()) else { continue };
        let closes = found.name("close").is_some();
        // In reasoning quotation marks often have no partner.
        if if inside { is_named(text, &place) } else { quotations.hold(&place) } {
            continue;
        }
        let said = text.get(from..place.start).unwrap_or_default();
        match (closes, inside) {
            (false, false) => {
                kept.push_str(said);
                inside = true;
            }
            (false, true) => continue,
            (true, true) => {
                *thought += words_of(said);
                inside = false;
            }
            (true, false) => {
                *thought += words_of(&kept) + words_of(said);
                kept.clear();
            }
        }
        from = place.end;
    }
    let rest = text.get(from..).unwrap_or_default();
    let said = if inside { "" } else { rest };
    let is_last = from > 0 && TOKEN.replace_all(said, "").trim().is_empty();
    *goes_on |= is_last && !kept.trim().is_empty();
    if inside {
        *thought += words_of(rest);
    } else {
        kept.push_str(rest);
    }
    kept
}

/// The text without the tokens of chat templates. Another's turn after the answer goes too.
fn tokens(text: &str, taken_off: &mut Vec<Wrapping>, goes_on: &mut bool) -> String {
    let (mut kept, mut from, mut gone, mut after) = (String::new(), 0, 0, 0);
    let mut quotations = Quotations::of(text);
    for found in TOKEN.captures_iter(text) {
        let Some(place) = found.get(0).map(|place| place.range()) else { continue };
        if quotations.hold(&place) {
            continue;
        }
        kept.push_str(text.get(from..place.start).unwrap_or_default());
        from = place.end;
        gone += 1;
        let rest = text.get(from..).unwrap_or_default();
        let role = ["turn", "bar", "wide"].into_iter().find_map(|name| found.name(name));
        let anothers = found.name("inst").is_some()
            || role.is_some_and(|role| !matches!(&*role.as_str().to_lowercase(), "assistant" | "model"))
            || OTHERS_TURN.is_match(rest);
        if anothers && !kept.trim().is_empty() {
            after = words_of(rest);
            *goes_on |= OWN_TURN.is_match(rest);
            from = text.len();
            break;
        }
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    let mut left = trimmed(&kept);
    if let Some(role) = ROLE.find(left) {
        left = trimmed(left.get(role.end()..).unwrap_or_default());
        gone += 1;
    }
    gone += ENVELOPE.find_iter(left).count();
    let left = ENVELOPE.replace_all(left, "");
    if gone > 0 {
        taken_off.push(Wrapping::Tokens(gone));
    }
    if after > 0 {
        taken_off.push(Wrapping::After(after));
    }
    trimmed(&left).to_owned()
}

/// The text without the lines of code fences.
fn fences(text: &str, taken_off: &mut Vec<Wrapping>) -> String {
    let lines = text.lines().filter(|line| is_fence(line)).count();
    if lines == 0 {
        return text.to_owned();
    }
    taken_off.push(Wrapping::Fences(lines.div_ceil(2)));
    let left: Vec<&str> = text.lines().filter(|line| !is_fence(line)).collect();
    trimmed(&left.join("\n")).to_owned()
}

/// A text without white space around it. The indent of a list's first item stays: it is that of the others.
fn trimmed(text: &str) -> &str {
    let text = text.trim_end();
    let begins = text.trim_start();
    let indent = text.len() - begins.len();
    let line = text.get(..indent).and_then(|space| space.rfind('\n')).map_or(0, |at| at + 1);
    let is_list = begins.starts_with(|c: char| matches!(c, '-' | '*' | '+' | '•') || c.is_ascii_digit());
    if is_list { text.get(line..).unwrap_or_default() } else { begins }
}

/// Marks of quotation, each with what closes it.
const MARKS: [(char, char); 5] = [('“', '”'), ('„', '“'), ('«', '»'), ('"', '"'), ('`', '`')];

/// Tells whether a place is between quotation marks or backticks of its line. The caller asks about places in order; the text is read once.
struct Quotations<'t> {
    text: &'t str,
    at: usize,
    /// Which marks are open where it is.
    open: [bool; MARKS.len()],
    /// Where each mark closes last on this line.
    last: [Option<usize>; MARKS.len()],
}

impl<'t> Quotations<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, at: 0, open: [false; MARKS.len()], last: Self::closings(text, 0) }
    }

    /// Where each mark closes last on the line that begins there.
    fn closings(text: &str, from: usize) -> [Option<usize>; MARKS.len()] {
        let line = text.get(from..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
        MARKS.map(|(_, close)| line.rfind(close).map(|at| from + at))
    }

    fn hold(&mut self, place: &Range<usize>) -> bool {
        let from = self.at;
        for (at, c) in self.text.get(from..place.start).unwrap_or_default().char_indices() {
            if c == '\n' {
                self.open = [false; MARKS.len()];
                self.last = Self::closings(self.text, from + at + 1);
                continue;
            }
            for (open, (opens, closes)) in self.open.iter_mut().zip(MARKS) {
                *open = if opens == closes { *open != (c == opens) } else { (*open || c == opens) && c != closes };
            }
        }
        self.at = self.at.max(place.start);
        self.open.iter().zip(self.last).any(|(open, last)| *open && last.is_some_and(|last| last >= place.end))
    }
}

/// Whether quotation marks or backticks stand directly around a place.
fn is_named(text: &str, place: &Range<usize>) -> bool {
    let mark = |c: Option<char>| c.is_some_and(|c| matches!(c, '"' | '“' | '”' | '`' | '\'' | '‘' | '’'));
    mark(text.get(..place.start).and_then(|before| before.chars().next_back()))
        && mark(text.get(place.end..).and_then(|after| after.chars().next()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn left(raw: &str) -> String {
        unwrap(raw).text
    }

    #[test]
    fn reasoning_goes_in_any_of_its_forms() {
        for raw in [
            "<think>hm</think>\n{}",
            "<Thinking>\nhm\n</THINKING>{}",
            "<reasoning>hm</reasoning>\n\n{}",
            "[THINK]hm[/THINK]{}",
            "[think]hm[/think]{}",
            "<|begin_of_thought|>hm<|end_of_thought|>\n<|begin_of_solution|>{}<|end_of_solution|>",
            "<think>one</think>\n<think>two</think>{}",
            "<think>one</think><reflection>two</reflection>\n{}",
            "It may be so.\n</think>\n\n{}",
            "- “a” is fine</think>{}",
            "<think>I close it with `</think>`, then answer</think>{}",
            "<think>one <think> two </think> three </think>{}",
            "<think>the pipe is 6\" wide</think>{\"a\":1}",
            "<seed:think>hm</seed:think>{}",
            "◁think▷hm◁/think▷{}",
            "<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>{}<|END_RESPONSE|>",
            "<|channel>thought\nhm<channel|>{}",
            "<think lang=\"en\">hm</think ><answer>{}</answer>",
            "{}\n<think>Was that right?",
            "<unused94>thought\nhm<unused95>{}",
            "Here is my thought process: hm\n\nHere is my response: {}",
            "<details type=\"reasoning\" done=\"true\">\n> hm\n</details>\n{}",
            "<thought>hm</thought>{}[|endofturn|]",
            "<seed:think>hm</seed:think>{}<seed:eos>",
        ] {
            let text = left(raw);
            assert!(text == "{}" || text == "{\"a\":1}", "{raw}: {text}");
        }
        assert_eq!(unwrap("<think>one two</think> three").taken_off, [Wrapping::Thinking(2)]);
    }

    #[test]
    fn a_model_that_only_thought_said_nothing() {
        for raw in [
            "<think>hm",
            "<think>hm</think>",
            "<think>\n\n</think>\n\n",
            "hm.\n</think>",
            "[THINK]hm",
            "<|channel|>analysis<|message|>hm<|end|>",
        ] {
            assert_eq!(left(raw), "", "{raw}");
        }
    }

    #[test]
    fn the_final_channel_is_the_answer() {
        for raw in [
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
            "<|start|>assistant<|channel|>final <|constrain|>json<|message|>{}<|end|>",
            "<|channel|>commentary to=functions.x<|message|>hm<|call|><|channel|>Final<|message|>{}",
            "analysisWe must answer.assistantfinal{}",
        ] {
            assert_eq!(left(raw), "{}", "{raw}");
        }
    }

    #[test]
    fn tokens_of_chat_templates_go_and_so_does_anothers_turn() {
        for raw in [
            "{}<|im_end|>",
            "{}<|eot_id|>",
            "{}</s>",
            "{}<end_of_turn>\n",
            "{}<|end|><|endoftext|>",
            "{} [/INST]",
            "{}<｜end▁of▁sentence｜>",
            "<|im_start|>assistant\n{}<|im_end|>",
            "<|start_header_id|>assistant<|end_header_id|>\n\n{}",
            "<start_of_turn>model\n{}",
            "<s>[INST] {}",
            "assistant\n\n{}",
            "Assistant: {}",
            "{}<|im_end|>\n<|im_start|>user\nThanks!<|im_end|>",
            "{}</s>\nUser: and now?",
            "{}[INST] Go on [/INST] More",
            "<|assistant|>\n{}",
            "**Assistant:**\n\n{}",
            "### Response:\n{}",
            "{}<|im_end",
        ] {
            assert_eq!(left(raw), "{}", "{raw}");
        }
        assert_eq!(left("- a<|im_end|>\n- b"), "- a\n- b", "between two bullets");
    }

    #[test]
    fn a_model_that_goes_on_behind_its_answer_is_told_apart() {
        for raw in ["{}<think>But wait", "{}\n<think>hm</think><|im_end|>", "{}</s>\nUser: sure?\nAssistant: no"] {
            assert!(unwrap(raw).goes_on, "{raw}");
        }
        for raw in [
            "<think>hm</think>{}",
            "Sure.<think>hm</think>{}",
            "{}<|im_end|>\n<|im_start|>user\nThanks!",
            "{}</s>[INST] thanks [/INST]",
            "{}",
        ] {
            assert!(!unwrap(raw).goes_on, "{raw}");
        }
    }

    #[test]
    fn a_text_within_an_answer_loses_what_stands_at_its_edges_alone() {
        let left = |text: &str| within(text).map(|within| within.text);
        for text in
            ["<think>I write {}.</think>\n\nOne. Two.", "One. Two.<|im_end|>\n</s>", "<|im_start|>assistant\nOne. Two."]
        {
            assert_eq!(left(text).as_deref(), Some("One. Two."), "{text}");
        }
        assert_eq!(left("<think>I only think."), Some(String::new()));
        for text in ["The tag </think> and <|im_end|> end it.", "It ends with “<|im_end|>”", "One. Two."] {
            assert_eq!(left(text), None, "{text}");
        }
    }

    #[test]
    fn fences_go_with_prose_around_them_kept() {
        assert_eq!(
            unwrap("```markdown\n- a\n```"),
            Unwrapped { text: "- a".into(), taken_off: vec![Wrapping::Fences(1)], goes_on: false }
        );
        assert_eq!(left("~~~\n- a\n~~~"), "- a");
        assert_eq!(left("Here:\n```\n- a\n```\nand\n```\n- b\n```"), "Here:\n- a\nand\n- b");
        assert_eq!(left("- the word ``` is code"), "- the word ``` is code");
    }

    #[test]
    fn what_stands_in_quotation_marks_is_a_quotation() {
        for raw in [
            "- “The tag </think> ends it” unsupported_fact: no.",
            "- \"<|im_end|>\" is code",
            "- `<think>` is code",
            "- “<think>hm</think>” unsupported_fact: no.",
            "- „</s>“ is code",
        ] {
            assert_eq!(unwrap(raw), Unwrapped { text: raw.into(), taken_off: vec![], goes_on: false });
        }
    }

    #[test]
    fn a_long_line_of_tokens_and_marks_is_read_once() {
        // If each token read its line again, this would take minutes.
        for (piece, left) in [("<|im_end|>'", 20_000), ("</think>`", 10), ("«<think>", 1)] {
            assert_eq!(unwrap(&piece.repeat(20_000)).text.chars().count(), left, "{piece}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_unwrapped_and_nothing_is_added(
            text in "(<think>|</think>|<\\|channel\\|>|final|<\\|message\\|>|<\\|im_end\\|>|```|\"|“|”|`|\\[THINK\\]|\n|- a|é|user:|analysis){0,40}"
        ) {
            let unwrapped = unwrap(&text);
            prop_assert!(unwrapped.text.len() <= text.len());
            prop_assert!(!unwrapped.text.ends_with(char::is_whitespace));
        }
    }
}
