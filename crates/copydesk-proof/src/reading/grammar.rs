//! The grammar of one sentence: the part of speech of each word, and the stretches between its commas and conjunctions.
//!
//! Nothing is read ahead: rules ask for the sentences that they compare, and a source of five megabytes has few of these.
//! A text keeps what was asked for.

use std::ops::Range;

use crate::{
    reading::{Token, month, weekday},
    words::{WordList, words},
};
use copydesk_text::tagger::{Tag, tag};

/// A sentence longer than this is a table or a list: only its first words are read.
const LONGEST: usize = 240;

/// A phrase that names a person has at most so many words.
const PHRASE: usize = 6;

/// A phrase of at most so many words before the first comma says when or where.
const OPENING: usize = 5;

/// The grammar of a sentence.
#[derive(Debug)]
pub struct Grammar {
    /// The index of its first word in the text.
    first: usize,
    /// The part of speech of each of its words.
    tags: Vec<Tag>,
    /// Its words between commas, semicolons, dashes and conjunctions, in order; each by indexes into the text.
    stretches: Vec<Range<usize>>,
}

impl Grammar {
    /// Reads the sentence of `text` that ends at the byte `end`. Its words are `tokens`; the first of them is the word
    /// `first` of the text.
    pub fn of(text: &str, tokens: &[Token], first: usize, end: usize) -> Self {
        let tokens = tokens.get(..tokens.len().min(LONGEST)).unwrap_or_default();
        let pieces = Pieces::of(text, tokens, end);
        let words: Vec<&str> = pieces.words.iter().map(|(word, _)| *word).collect();
        let mut tags = vec![Tag::Other; tokens.len()];
        for (tag, (_, token)) in tag(&words).into_iter().zip(&pieces.words).rev() {
            if let Some(own) = token.and_then(|token| tags.get_mut(token)) {
                *own = tag;
            }
        }
        // The first half of a word with a hyphen describes the second.
        for at in pieces.joined {
            if let [first, second] = tags.get_mut(at..at + 2).unwrap_or_default() {
                if first.is_noun() && *second == Tag::Other {
                    *second = *first;
                }
                *first = Tag::Adjective;
            }
        }
        let stretches = stretches(text, tokens, &tags, first);
        Self { first, tags, stretches }
    }

    /// That of a sentence without words.
    pub const fn none() -> Self {
        Self { first: 0, tags: Vec::new(), stretches: Vec::new() }
    }

    /// The part of speech of a word, by its index in the text.
    pub fn tag(&self, at: usize) -> Tag {
        at.checked_sub(self.first).and_then(|at| self.tags.get(at)).copied().unwrap_or(Tag::Other)
    }

    /// The stretch that has a word.
    pub fn stretch(&self, at: usize) -> Range<usize> {
        self.stretches.iter().find(|stretch| stretch.contains(&at)).cloned().unwrap_or(at..at + 1)
    }

    /// Its words between commas, semicolons, dashes and conjunctions, in order.
    pub fn stretches(&self) -> &[Range<usize>] {
        &self.stretches
    }
}

/// Who did or gave what a sentence tells in the passive, and for whom or what. It is the last noun of each phrase that
/// begins with `by` behind a participle, or with `for` behind a noun, or behind a figure that is `paid`. Days and
/// months say when, not who.
pub fn parties(tokens: &[Token], grammar: &Grammar, within: Range<usize>, paid: bool) -> Vec<usize> {
    let token = |at: usize| tokens.get(at).filter(|_| within.contains(&at));
    let heads = within.clone().filter_map(|at| {
        let before = grammar.tag(at.checked_sub(1)?);
        let begins = match token(at)?.word.as_str() {
            "by" => matches!(before, Tag::Participle | Tag::Past),
            "for" => before.is_noun() || paid && matches!(before, Tag::Number | Tag::Other),
            _ => false,
        };
        let belongs = |at: &usize| {
            let tag = grammar.tag(*at);
            tag.is_noun() || matches!(tag, Tag::Determiner | Tag::Adjective | Tag::Owner | Tag::Possessive)
        };
        let phrase = (at + 1..within.end.min(at + 1 + PHRASE)).take_while(|at| begins && belongs(at));
        let head = phrase.filter(|at| grammar.tag(*at).is_noun()).last()?;
        token(head).filter(|token| month(token).is_none() && weekday(token).is_none()).map(|_| head)
    });
    heads.collect()
}

/// Verbs that give the size, price or number of their subject.
static MEASURE: WordList = words(
    "cost costs total totals totaled totalled amount amounts amounted is was are were be been measure measures measured weigh weighs weighed \
     cover covers covered employ employs employed last lasts lasted seat seats seated",
);

/// Nouns that need another one: the cost of something.
static OF_SOMETHING: WordList = words(
    "cost costs price prices total totals bill value amount sum number share rate size length width height weight",
);

/// The noun whose size, price or number a figure is: the subject of the verb that leads to the figure, within a stretch of a sentence. None
/// if another verb leads there, or the subject is a pronoun.
pub fn measured(tokens: &[Token], grammar: &Grammar, within: Range<usize>, figure: usize) -> Option<usize> {
    let is_in = |list: &WordList, at: usize| tokens.get(at).is_some_and(|token| list.contains(&token.word));
    // The tagger takes many a "cost" for a noun.
    let loose = |at: usize| {
        let before = at.checked_sub(1).map(|before| grammar.tag(before));
        let opens = matches!(before, Some(Tag::Determiner | Tag::Adjective | Tag::Owner | Tag::Preposition));
        tokens.get(at).is_some_and(|token| matches!(token.word.as_str(), "cost" | "costs")) && !opens
    };
    let verb = (within.start..figure).rev().take(PHRASE).find(|at| grammar.tag(*at).is_verb() || loose(*at))?;
    if !is_in(&MEASURE, verb) {
        return None;
    }
    let noun = |at: &usize| grammar.tag(*at).is_noun();
    let head = |from: usize| {
        let first = (from..verb).find(noun)?;
        (first..verb).take_while(noun).last()
    };
    let subject = head(within.start)?;
    if is_in(&OF_SOMETHING, subject) { head(subject + 1) } else { Some(subject) }
}

/// The words and marks
struct Pieces<'a> {
    /// Each with the index of the token whose part of speech it decides.
    words: Vec<(&'a str, Option<usize>)>,
    /// The tokens that a hyphen joins to the next one.
    joined: Vec<usize>,
}

impl<'a> Pieces<'a> {
    fn of(text: &'a str, tokens: &[Token], stop: usize) -> Self {
        let slice = |range: Range<usize>| text.get(range).unwrap_or_default();
        let mut pieces = Self { words: Vec::with_capacity(tokens.len() + 8), joined: Vec::new() };
        let mut end = tokens.first().map_or(0, |token| token.start);
        for (at, token) in tokens.iter().enumerate() {
            let gap = slice(end..token.start);
            if at > 0 && matches!(gap, "-" | "‑") {
                pieces.joined.push(at - 1);
            } else {
                pieces.marks(gap);
            }
            pieces.word(slice(token.start..token.end), at);
            end = token.end;
        }
        pieces.marks(slice(end..stop.max(end)));
        pieces
    }

    fn marks(&mut self, gap: &'a str) {
        let marks = gap.char_indices().filter(|(_, c)| !c.is_whitespace());
        self.words.extend(marks.map(|(at, c)| {
            let mark = gap.get(at..at + c.len_utf8()).unwrap_or_default();
            (if matches!(c, '–' | '—') { "--" } else { mark }, None)
        }));
    }

    /// `city’s` is `city` and `'s`; `don’t` is `do` and `n't`.
    fn word(&mut self, word: &'a str, at: usize) {
        let Some(mark) = word.rfind(['\'', '’']).filter(|mark| *mark > 0) else {
            self.words.push((word, Some(at)));
            return;
        };
        let (head, tail) = word.split_at(mark);
        let ending = match tail.trim_start_matches(['\'', '’']) {
            "s" | "S" => "'s",
            "re" => "'re",
            "ve" => "'ve",
            "ll" => "'ll",
            "d" => "'d",
            "m" => "'m",
            "t" => "n't",
            _ => "",
        };
        let head = if ending == "n't" { head.strip_suffix('n').unwrap_or(head) } else { head };
        self.words.push((if ending.is_empty() { word } else { head }, Some(at)));
        if !ending.is_empty() {
            self.words.push((ending, None));
        }
    }
}

/// Cuts a sentence at its marks and conjunctions.
fn stretches(text: &str, tokens: &[Token], tags: &[Tag], first: usize) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for at in 1..=tokens.len() {
        let (Some(before), next) = (tokens.get(at - 1), tokens.get(at)) else { break };
        let gap = next.map_or(";", |next| text.get(before.end..next.start).unwrap_or_default());
        let cut = gap.contains([',', ';', ':', '(', ')', '–', '—', '"', '“', '”', '\n']);
        let joins = next.is_some_and(|next| matches!(next.word.as_str(), "and" | "but" | "while" | "whereas" | "or"))
            || tags.get(at) == Some(&Tag::Relative);
        // "On March 14, the board approved it": the day belongs to what follows.
        let opens = found.is_empty()
            && at <= OPENING
            && tags.first() == Some(&Tag::Preposition)
            && !tags.get(..at).unwrap_or_default().iter().any(|tag| tag.is_verb());
        if (cut || joins) && !(opens && next.is_some()) {
            found.push(first + start..first + at);
            start = at;
        }
    }
    found
}

/// Stretches of time.
static TIMES: WordList = words("year month week day night season hour minute decade morning evening");

/// Whether `before` or `after` only tells when, as in `the year before`: then it relates to no word behind it.
pub fn tells_when(earlier: &Token, token: &Token) -> bool {
    matches!(token.word.as_str(), "before" | "after") && TIMES.contains(earlier.word.trim_end_matches('s'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::ParsedText;

    fn read(text: &str) -> (Vec<(String, Tag)>, Vec<String>) {
        let reading = ParsedText::new(text);
        let grammar = reading.grammar(0);
        let tags =
            reading.tokens.iter().enumerate().map(|(at, token)| (token.word.to_string(), grammar.tag(at))).collect();
        let words = |range: &Range<usize>| {
            reading.tokens[range.clone()].iter().map(|token| token.word.as_str()).collect::<Vec<_>>().join(" ")
        };
        (tags, grammar.stretches().iter().map(words).collect())
    }

    #[test]
    fn each_word_has_its_part_of_speech() {
        let (tags, _) = read("The city’s well-known clerk didn’t say $2.48 million – she left.");
        let of = |word: &str| tags.iter().find(|(own, _)| own == word).map(|(_, tag)| *tag);
        assert_eq!(of("city's"), Some(Tag::Noun));
        assert_eq!(of("clerk"), Some(Tag::Noun));
        assert_eq!(of("well"), Some(Tag::Adjective));
        assert_eq!(of("didn't"), Some(Tag::Past));
        assert_eq!(of("say"), Some(Tag::Verb));
        assert_eq!(of("2.48"), Some(Tag::Number));
        assert_eq!(of("left"), Some(Tag::Past));
    }

    #[test]
    fn a_sentence_is_cut_at_its_commas_and_conjunctions() {
        let (_, stretches) = read("The plan has $1.4 million for paths and $640,000 for the pond, which is closed.");
        assert_eq!(stretches, ["the plan has 1.4 million for paths", "and 640,000 for the pond", "which is closed"]);
    }

    #[test]
    fn what_says_when_belongs_to_what_follows() {
        let (_, stretches) = read("On March 14, the board approved it, and two left.");
        assert_eq!(stretches, ["on march 14 the board approved it", "and two left"]);
    }

    #[test]
    fn a_figure_measures_the_subject_of_its_verb() {
        let of = |text: &str| {
            let reading = ParsedText::new(text);
            let figure = reading.figures.last().unwrap().tokens.start;
            let grammar = reading.grammar(0);
            let noun = measured(&reading.tokens, grammar, grammar.stretch(figure), figure)?;
            Some(reading.tokens[noun].word.to_string())
        };
        for (text, noun) in [
            ("The pond will cost $2.8 million.", Some("pond")),
            ("The library in Dane Street cost about $2.8 million.", Some("library")),
            ("The cost of the pond is $2.8 million.", Some("pond")),
            ("It cost $2.8 million.", None),
            ("The council approved $2.8 million.", None),
            ("The fire was reported at 3:10 a.m.", None),
        ] {
            assert_eq!(of(text).as_deref(), noun, "{text}");
        }
    }

    #[test]
    fn any_sentence_has_a_grammar() {
        for text in ["", "’s ’ n’t -", "a-b-c –", "1-2 ’tis"] {
            let reading = ParsedText::new(text);
            let grammar = reading.grammar(0);
            assert_eq!(grammar.tag(usize::MAX), Tag::Other);
        }
    }
}
