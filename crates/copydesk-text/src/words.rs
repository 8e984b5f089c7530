//! Words with their places, and the forms in which two words are compared.
//!
//! There are three forms, from strict to lenient. The first is the word as written. [`fold`] puts case, compatibility
//! forms and typographic marks aside, for quotations and names. [`stem`] puts inflection aside too, for what a sentence
//! is about. English only; a word of another language is compared as it is folded.

use std::sync::LazyLock;

use foldhash::{HashMap, HashSet};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// One word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word as written.
    pub text: &'a str,
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// The words of `text`, in order: runs of letters, marks and digits, with apostrophes and hyphens inside (`don’t`,
/// `two-step`), points and commas between digits (`2,480,000`, `8.5`, `8·5`) and spaces between thousands (`12 450`).
pub fn words(text: &str) -> Vec<Word<'_>> {
    each_word(text).collect()
}

/// The same words one by one, for a text of megabytes.
pub fn each_word(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut open: Option<usize> = None;
        while let Some(byte) = text.as_bytes().get(at) {
            // Most letters are one byte, and most of them need no look at what stands beside.
            let (length, inside) = if byte.is_ascii_alphanumeric() {
                (1, true)
            } else {
                let c = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
                let joined = || open.is_some_and(|start| joins(text, at, c) || thousands(text, start, at, c));
                (c.len_utf8(), is_letter(c) || joined())
            };
            let ended = if inside { None } else { open };
            if inside {
                open.get_or_insert(at);
            }
            let end = at;
            at += length;
            if let Some(start) = ended {
                return Some(Word { text: text.get(start..end)?, start, end });
            }
        }
        let start = open.take()?;
        Some(Word { text: text.get(start..)?, start, end: text.len() })
    })
}

/// Whether a mark at a byte of a text is part of the word around it.
fn joins(text: &str, at: usize, mark: char) -> bool {
    let before = || text.get(..at).and_then(|head| head.chars().next_back()).unwrap_or(' ');
    let after = || text.get(at + mark.len_utf8()..).and_then(|tail| tail.chars().next()).unwrap_or(' ');
    match mark {
        '\'' | '’' | '-' | '‑' | '\u{AD}' => is_letter(before()) && is_letter(after()),
        // `1·7`: British papers set a raised point.
        '.' | ',' | '·' => before().is_ascii_digit() && after().is_ascii_digit(),
        _ => false,
    }
}

/// Whether a space at a byte parts the thousands of a number that is open since `start`. A plain space may also part two numbers:
/// those of a table's row, or a day from what follows it.
fn thousands(text: &str, start: usize, at: usize, space: char) -> bool {
    if !matches!(space, ' ' | '\u{A0}' | '\u{2007}' | '\u{2009}' | '\u{202F}') {
        return false;
    }
    let (Some(open), Some(rest)) = (text.get(start..at), text.get(at + space.len_utf8()..)) else { return false };
    // "R1 250 000" are rand.
    let open = open.strip_prefix('R').unwrap_or(open);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    if digits(rest) != 3 || !(1..=3).contains(&digits(open)) || open.starts_with('0') {
        return false;
    }
    let mut groups = open.split(space);
    let first = groups.next().unwrap_or_default();
    let of_digits = digits(first) == first.len() && groups.all(|group| digits(group) == 3 && group.len() == 3);
    of_digits && (space != ' ' || alone(text, start, rest))
}

/// Whether a number with plain spaces stands neither in a row of numbers nor behind a month or a sign of dialling.
fn alone(text: &str, start: usize, rest: &str) -> bool {
    let head = text.get(..start).unwrap_or_default();
    let before = head.trim_end_matches(' ');
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut behind = rest;
    while let Some(next) = behind.get(3..).and_then(|next| next.strip_prefix(' ')) {
        match next.bytes().take_while(u8::is_ascii_digit).count() {
            0 => break,
            3 => behind = next,
            _ => return false,
        }
    }
    // Two blanks part columns, and one parts the thousands in them.
    let row = head.ends_with(' ') && !head.ends_with("  ") && before.ends_with(|c: char| c.is_ascii_digit());
    let dated = word.len() <= 9 && month.iter().any(|month| word.starts_with(month));
    !(row || dated || before.ends_with('+'))
}

/// Letters and digits, and the marks that combine with them. A raised figure is the number of a note, or a power.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_raised(c) || matches!(c, '\u{300}'..='\u{36F}')
}

/// Whether a sign is a raised figure.
pub fn is_raised(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// The form for comparison: NFKC, and Unicode's full case folding as far as names need it (`Strauß` and `STRAUSS`, `Işık` and `IŞIK`).
/// Typographic apostrophes and hyphens become plain ones, soft hyphens go, and a comma stands for the space of a number's thousands.
pub fn fold(word: &str) -> String {
    // Of a number only: a name may be folded whole.
    let number = word.strip_prefix('R').unwrap_or(word);
    let spaced = number.starts_with(|c: char| c.is_ascii_digit())
        && number.split(char::is_whitespace).all(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    if word.is_ascii() {
        let lower = word.to_ascii_lowercase();
        return if spaced { lower.replace(' ', ",") } else { lower };
    }
    let folded = word.nfkc().flat_map(char::to_lowercase).filter_map(|c| match c {
        'ı' => Some('i'),
        'ς' => Some('σ'),
        '’' | '‘' | 'ʼ' | '′' => Some('\''),
        '‐' | '‑' | '–' | '—' | '−' => Some('-'),
        // Only between digits.
        '·' => Some('.'),
        ' ' if spaced => Some(','),
        // A soft hyphen, and the dot that Turkish capitals keep.
        '\u{AD}' | '\u{307}' => None,
        c => Some(c),
    });
    let folded: String = folded.collect();
    if folded.contains('ß') { folded.replace('ß', "ss") } else { folded }
}

/// A folded word without accents.
pub fn unaccented(word: &str) -> String {
    word.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// Common words whose forms no rule of endings brings together.
static IRREGULAR: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    "men:man women:woman children:child people:person feet:foot teeth:tooth mice:mouse lives:life wives:wife \
     halves:half leaves:leave left:leave said:say told:tell paid:pay fell:fall fallen:fall rose:rise risen:rise \
     grew:grow grown:grow growth:grow went:go gone:go goes:go got:get gotten:get gave:give given:give took:take \
     taken:take made:make built:build spoke:speak spoken:speak taught:teach thought:think brought:bring \
     bought:buy sold:sell sale:sell sales:sell kept:keep held:hold found:find founded:found began:begin \
     begun:begin ran:run came:come became:become saw:see seen:see knew:know known:know wrote:write written:write \
     drove:drive driven:drive driver:drive drivers:drive chose:choose chosen:choose broke:break broken:break \
     spent:spend sent:send lent:lend lost:lose loss:lose losses:lose won:win met:meet led:lead meant:mean \
     felt:feel heard:hear hearing:hear stood:stand understood:understand sought:seek caught:catch fought:fight \
     shown:show drew:draw drawn:draw withdrew:withdraw withdrawn:withdraw laid:lay died:die dying:die death:die \
     deaths:die stole:steal stolen:steal worse:bad worst:bad better:good"
        .split_ascii_whitespace()
        .filter_map(|pair| pair.split_once(':'))
        .collect()
});

/// The word that an irregular form is of, if the list has it.
pub fn irregular(folded: &str) -> Option<&'static str> {
    IRREGULAR.get(folded).copied()
}

/// A light stem of a folded word: no possessive, no plural, no verb ending, and the commonest endings of nouns and
/// adverbs gone. Two forms of one word meet; now and then two words do, which only ever makes a rule more lenient.
pub fn stem(folded: &str) -> String {
    let word = folded.strip_suffix("'s").or_else(|| folded.strip_suffix('\'')).unwrap_or(folded);
    if let Some(base) = IRREGULAR.get(word) {
        return base.trim_end_matches('e').to_owned();
    }
    let mut word = word.to_owned();
    if word.len() <= 3 || !word.is_ascii() || word.bytes().any(|b| b.is_ascii_digit()) {
        return word;
    }
    singular(&mut word);
    cut(&mut word, &["fully", "ably", "ly"], 3);
    base_of_verb(&mut word);
    let _ = cut(&mut word, &["ization", "isation", "ation", "ition", "ement", "ment", "ness", "ship"], 3)
        || cut_if(&mut word, "ion", |rest| rest.len() >= 3 && rest.ends_with(['t', 's']))
        || cut(&mut word, &["ator", "ance", "ence", "ate", "at", "ery", "ive", "al", "er", "or"], 4);
    if cut_if(&mut word, "y", |rest| rest.len() >= 3) {
        word.push('i');
    } else {
        cut_if(&mut word, "e", |rest| rest.len() >= 3);
    }
    word
}

fn singular(word: &mut String) {
    if cut_if(word, "ies", |rest| rest.len() >= 2) {
        word.push('y');
    } else if ["sses", "ches", "shes", "xes", "zes"].iter().any(|ending| word.ends_with(ending)) {
        cut(word, &["es"], 0);
    } else if !(word.ends_with("ss") || word.ends_with("us") || word.ends_with("is")) {
        cut(word, &["s"], 0);
    }
}

fn base_of_verb(word: &mut String) {
    if cut_if(word, "ied", |rest| rest.len() >= 2) {
        return word.push('y');
    }
    let eed = word.ends_with("eed");
    let is_verb = |rest: &str| rest.len() >= 3 && !eed && rest.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    if cut_if(word, "ing", is_verb) || cut_if(word, "ed", is_verb) {
        let mut letters = word.chars().rev();
        let (last, before) = (letters.next(), letters.next());
        if last == before && last.is_some_and(|c| !matches!(c, 'l' | 's' | 'z' | 'e' | 'o')) {
            word.pop();
        }
    }
}

/// Cuts off the first of `endings` that a word has, if at least `keep` letters stay. Whether it did.
fn cut(word: &mut String, endings: &[&str], keep: usize) -> bool {
    let ending = endings.iter().find(|ending| word.ends_with(**ending));
    ending.is_some_and(|ending| cut_if(word, ending, |rest| rest.len() >= keep))
}

/// Cuts off an ending if the rest will do. Whether it did.
fn cut_if(word: &mut String, ending: &str, will_do: impl Fn(&str) -> bool) -> bool {
    let rest = word.strip_suffix(ending).filter(|rest| will_do(rest)).map(str::len);
    rest.inspect(|length| word.truncate(*length)).is_some()
}

/// Words that say nothing of a sentence's subject. A reporter adds the last ones to any sentence.
const STOP_WORDS: &str = "a about above across after again against ago all almost along already also although always am among an and \
    another any are as at away be because been before being below between both but by can cannot could did do \
    does doing done down during each either else even ever every few for from further had has have having he her \
    here hers herself him himself his how however i if in instead into is it its itself just least less like \
    many may me meanwhile might mine more most much must my nearly neither no nor not now of off on once only or \
    other others our ours out over own per perhaps rather s same say says she should since so some still such t \
    than that the their theirs them then there these they this those though through thus to too under until up \
    upon us very was we were what when where whether which while who whom whose why will with within \
    according accordingly added asked around came come go going made make said saying told without would yet you your yours";

static STOPS: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.split_ascii_whitespace().collect());

/// Whether a folded word carries no content of its own.
pub fn is_stop_word(folded: &str) -> bool {
    STOPS.contains(folded)
        || folded.ends_with("n't")
        || ["'s", "'re", "'ve", "'ll", "'d", "'m"]
            .iter()
            .any(|ending| folded.strip_suffix(ending).is_some_and(|word| STOPS.contains(word) || word == "let"))
}

/// The value of a word in a spelled-out number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberWord {
    /// A number below a hundred that counts by itself.
    Unit(u32),
    /// A factor for what stands before it: hundred, thousand, million, …
    Scale(u64),
}

static UNITS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    "zero:0 one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 thirteen:13 \
     fourteen:14 fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 \
     fourty:40 fifty:50 sixty:60 seventy:70 eighty:80 ninety:90 dozen:12"
        .split_ascii_whitespace()
        .filter_map(|pair| pair.split_once(':'))
        .filter_map(|(word, value)| Some((word, value.parse().ok()?)))
        .collect()
});

/// Returns the value of a folded word in a number, if it is a number word.
pub fn number_word(folded: &str) -> Option<NumberWord> {
    match folded {
        "hundred" => Some(NumberWord::Scale(100)),
        "thousand" | "k" => Some(NumberWord::Scale(1_000)),
        "million" | "mn" | "mln" => Some(NumberWord::Scale(1_000_000)),
        "billion" | "bn" => Some(NumberWord::Scale(1_000_000_000)),
        "trillion" => Some(NumberWord::Scale(1_000_000_000_000)),
        _ => UNITS.get(folded).copied().map(NumberWord::Unit),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        words(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn a_word_keeps_its_apostrophe_its_hyphen_and_its_decimal_point() {
        assert_eq!(
            texts("It’s a two-step rise, of 8.5 percent: $2,480,000."),
            ["It’s", "a", "two-step", "rise", "of", "8.5", "percent", "2,480,000"]
        );
        assert_eq!(texts("the teachers’ vote, 4–3 -- 'so'"), ["the", "teachers", "vote", "4", "3", "so"]);
        assert_eq!(texts("Zoë’s cafés"), ["Zoë’s", "cafés"]);
    }

    #[test]
    fn a_space_may_part_thousands() {
        for text in ["7 310 tonnes", "7\u{A0}310 tonnes", "7\u{202F}310 tonnes", "7\u{2009}310 tonnes"] {
            assert_eq!(fold(texts(text)[0]), "7,310", "{text}");
        }
        assert_eq!(texts("about 3 700 000 kr"), ["about", "3 700 000", "kr"]);
        for apart in [
            "in 2019 450 ships",
            "on May 12 450 ships",
            "45 120 72 300",
            "+1 202 555 0143",
            "012 450",
            "4 1000",
            "2.5 450",
        ] {
            assert!(texts(apart).iter().all(|word| !word.contains(' ')), "{apart}");
        }
    }

    #[test]
    fn forms_of_one_word_meet() {
        for (one, other) in [
            ("renovation", "renovated"),
            ("closing", "closed"),
            ("estimates", "estimated"),
            ("cities", "city"),
            ("children", "child"),
            ("planned", "plans"),
            ("brewery", "brewing"),
            ("town's", "towns"),
            ("measurement", "measured"),
            ("rose", "rising"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} and {other}");
        }
        assert_ne!(stem("university"), stem("universe"));
    }

    #[test]
    fn contractions_of_stop_words_are_stop_words() {
        assert!(is_stop_word("don't") && is_stop_word("it's") && is_stop_word("the") && !is_stop_word("park"));
    }

    proptest! {
        #[test]
        fn every_word_is_where_it_says(text in "\\PC*") {
            for word in words(&text) {
                prop_assert_eq!(text.get(word.start..word.end), Some(word.text));
                let _ = stem(&fold(word.text));
            }
        }
    }
}
