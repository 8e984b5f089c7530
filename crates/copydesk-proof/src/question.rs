//! Which sentence of a passage can answer a question: it speaks of what the question names, and it has what the question asks for.
//!
//! The rules know the questions of a newsroom: how long, how many, how much, who, when, where, why. Any other question is answered by a
//! sentence that has most of its words.

use std::ops::Range;

use foldhash::HashSet;

use crate::{
    reading::{Figure, FigureKind, ParsedText, Token, month, names, weekday},
    words::{LexiconEntry, WordList, canonical, entries, is_title, words},
};
use copydesk_text::{sanitise, words::stem};

/// The thing that a question asks for.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// A figure with a unit of this kind.
    Measured(&'static str),
    Money,
    Share,
    /// How many there are of something.
    Number,
    /// How much: money, a share, or anything that is measured.
    Amount,
    Person,
    Time,
    Place,
    Reason,
    /// The question's own words.
    Words,
}

/// The words that ask for a measure, and behind a colon the units of its answer; a measure a line.
const MEASURES: &str = include_str!("../../../assets/words/measures.txt");

/// The other words that ask, and what for.
static ASKS: [(&str, Wanted); 8] = [
    ("who whom whose", Wanted::Person),
    ("when date day month year time hour deadline week", Wanted::Time),
    ("where place location address", Wanted::Place),
    ("why reason cause", Wanted::Reason),
    ("many number total turnout tally", Wanted::Number),
    ("much", Wanted::Amount),
    ("share percentage percent proportion rate", Wanted::Share),
    ("cost price budget fee fine salary wage amount sum bill levy rent", Wanted::Money),
];

/// Words of a question that its answer need not have, beside those without content.
static ASKING: WordList = words(
    "long old tall high wide deep big large heavy fast hot cold warm often soon late early does did are was were been being is will know \
     tell take takes took last lasts lasted cost costs price pay paid pays spend spent charge people person persons thing things kind \
     sort happen happens happened exactly please",
);
static WHEN: WordList = words(
    "today yesterday tomorrow tonight morning afternoon evening noon midday midnight spring summer autumn winter week weekend month year \
     decade century",
);
static BEFORE_PLACE: WordList = words(
    "in at on near beside along around behind between across from to outside inside under opposite off through towards toward by",
);
static BECAUSE: WordList = words(
    "because since due owing thanks reason reasons cause caused causes blame blamed led prompted after amid therefore so as",
);
static GROUPS: WordList = words(
    "council committee board commission company firm agency police residents officials voters members court jury spokesman spokeswoman \
     spokesperson resident owner neighbours neighbors parents teachers workers contractor developer union",
);
static AUXILIARY: WordList =
    words("do does did is are was were will can could has have had may might would should shall must");
static POINTING: WordList = words("it its they them their he she his her this that these those");

/// Least share of a question's words that a sentence and the one before it must have.
const SPEAKS_FROM: f64 = 0.6;

/// Words behind a figure in which its unit stands, and the thing that is measured: "miles of new paths".
const UNIT: usize = 4;

/// The weight of a word without content.
const OTHER: f64 = 0.2;

/// Most questions of a text that are answered each by itself.
const MOST_PARTS: usize = 8;

/// A question that was read.
#[derive(Debug)]
pub struct AskedQuestion {
    /// As it was asked.
    pub text: String,
    wanted: Wanted,
    /// Its words in small letters, each with the words that mean the same.
    subject: Vec<HashSet<String>>,
    /// Its names; the passage has them, if not the sentence.
    names: Vec<String>,
    /// Its other words, such as `cost` and `against`: a sentence that has them is nearer.
    asking: HashSet<String>,
}

impl AskedQuestion {
    /// The questions of a text, in order; "What does the plan cost, and when does it begin?" asks two. One that says `it` or `they` is about
    /// the names of the one before, and one that says nothing but "and when?" about all that the one before is about.
    #[must_use]
    pub fn all(text: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for range in parts(text) {
            let mut next = Self::new(&sanitise::one_line(text.get(range).unwrap_or_default()));
            if let Some(before) = all.last() {
                let is_bare = next.subject.is_empty() && next.names.is_empty();
                let points = next.asking.iter().any(|word| POINTING.contains(word));
                if is_bare && !points {
                    next.subject.clone_from(&before.subject);
                }
                if is_bare || points {
                    next.names.extend(before.names.iter().cloned());
                }
            }
            all.push(next);
        }
        all
    }

    #[must_use]
    pub fn new(text: &str) -> Self {
        let reading = ParsedText::new(text);
        let all = reading.tokens.as_slice();
        let (wanted, noun) = wanted(all);
        let (subject, names, asking) = Default::default();
        let mut found = Self { text: text.to_owned(), wanted, subject, names, asking };
        for (at, token) in all.iter().enumerate() {
            if Some(at) == noun || ASKING.contains(&token.word) {
                found.asking.insert(token.word.to_string());
            } else if token.capital && at > 0 {
                found.names.push(token.stem.to_string());
            } else if token.stop {
                found.asking.insert(token.word.to_string());
            } else {
                let alike = entries(&token.word).into_iter().flat_map(LexiconEntry::like);
                let alike = alike.map(|word| canonical(stem(word)));
                found.subject.push(alike.chain([token.stem.to_string()]).collect());
            }
        }
        found
    }

    /// The sentence of a passage that answers best, in bytes, and how well it does; none if no sentence can be the answer.
    #[must_use]
    pub fn answered_by(&self, passage: &str) -> Option<(f64, Range<usize>)> {
        let reading = ParsedText::new(passage);
        let everywhere: HashSet<&str> = reading.tokens.iter().map(|token| token.stem.as_str()).collect();
        if !self.names.iter().all(|name| everywhere.contains(name.as_str())) {
            return None;
        }
        let answer = |line: usize| Some((self.answers(&reading, line)?, reading.lines.get(line)?));
        let found = (0..reading.lines.len()).rev().filter_map(answer).max_by(|one, other| one.0.total_cmp(&other.0));
        found.map(|(score, line)| (score, line.start..line.end))
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    fn answers(&self, reading: &ParsedText<'_>, line: usize) -> Option<f64> {
        let own = reading.line_tokens(line);
        let earlier = line.checked_sub(1).map_or(&[][..], |line| reading.line_tokens(line));
        let has =
            |tokens: &[Token], word: &HashSet<String>| tokens.iter().any(|token| word.contains(token.stem.as_str()));
        let here = self.subject.iter().filter(|word| has(own, word)).count();
        let around = self.subject.iter().filter(|word| has(own, word) || has(earlier, word)).count();
        let named =
            self.names.iter().filter(|name| own.iter().any(|token| token.stem.as_str() == name.as_str())).count();
        let points = own.iter().take(2).any(|token| POINTING.contains(&token.word));
        let all = self.subject.len();
        if (around as f64) < SPEAKS_FROM * all as f64 || here + named == 0 && !points && all + self.names.len() > 0 {
            return None;
        }
        let nearness = self.nearness(reading, line, own)?;
        let others = self.asking.iter().filter(|word| own.iter().any(|token| token.word == word.as_str())).count();
        Some(nearness + 2.0 * here as f64 + (around + named) as f64 + OTHER * others as f64)
    }

    /// Whether a sentence has what is asked for; the nearer that is to the question's words, the more it counts, up to 1.
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    fn nearness(&self, reading: &ParsedText<'_>, line: usize, own: &[Token]) -> Option<f64> {
        let place = reading.lines.get(line)?;
        let is_subject = |token: &Token| self.subject.iter().any(|word| word.contains(token.stem.as_str()));
        let is_new = |token: &Token| !is_subject(token) && !self.names.iter().any(|name| *name == token.stem.as_str());
        let figures = reading.figures_between(place.start, place.end);
        let near = |at: usize| {
            let gaps = (0..own.len()).filter(|other| own.get(*other).is_some_and(is_subject));
            1.0 / (1.0 + gaps.map(|other| other.abs_diff(at)).min().unwrap_or(own.len()) as f64)
        };
        let of_figures = |is: &dyn Fn(&Figure) -> bool| {
            let found = figures.iter().filter(|figure| is(figure));
            found.map(|figure| near(figure.tokens.end.saturating_sub(place.tokens.start + 1))).max_by(f64::total_cmp)
        };
        let unit = |figure: &Figure, units: &str| {
            let behind = reading.tokens.get(figure.tokens.end..).unwrap_or_default().iter();
            let behind: Vec<&Token> = behind.take_while(|token| token.line == line).take(UNIT).collect();
            let at = behind.iter().take(2).position(|token| units.split(' ').any(|unit| token.word == unit));
            // "1.4 miles of paths" measures nothing else.
            let of = at.and_then(|at| behind.get(at + 1..)).filter(|of| of.first().is_some_and(|of| of.word == "of"));
            let is_of_it = of.is_none_or(|of| self.subject.is_empty() || of.iter().any(|token| is_subject(token)));
            (matches!(figure.kind, FigureKind::Measure(_)) || at.is_some()) && is_of_it
        };
        let is_time = |figure: &Figure| matches!(figure.kind, FigureKind::Date | FigureKind::Time | FigureKind::Year);
        let is_money = |figure: &Figure| matches!(figure.kind, FigureKind::Money(_));
        let is_share =
            |figure: &Figure| matches!(figure.kind, FigureKind::Percent | FigureKind::Points | FigureKind::Fraction);
        let some = |is: bool| is.then_some(0.5);
        match self.wanted {
            Wanted::Measured(units) => of_figures(&|figure| unit(figure, units)),
            Wanted::Money => of_figures(&is_money),
            Wanted::Share => of_figures(&is_share),
            Wanted::Number => of_figures(&|figure| !is_time(figure) && !is_money(figure)),
            Wanted::Amount => of_figures(&|figure| {
                is_money(figure) || is_share(figure) || measures().any(|(_, units)| unit(figure, units))
            }),
            Wanted::Person => {
                let told = names(reading);
                let told = told.iter().filter(|name| name.personal() && place.tokens.contains(&name.tokens.start));
                let mut of_names = told.filter_map(|name| reading.tokens.get(name.tokens.clone())).flatten();
                let first = own.first().filter(|first| first.capital && !first.stop && entries(&first.word).is_empty());
                some(
                    of_names.any(is_new)
                        || first.is_some_and(is_new)
                        || own
                            .iter()
                            .any(|token| is_new(token) && (is_title(&token.word) || GROUPS.contains(&token.word))),
                )
            }
            Wanted::Time => {
                let told =
                    |token: &Token| WHEN.contains(&token.word) || month(token).is_some() || weekday(token).is_some();
                of_figures(&is_time).or_else(|| some(own.iter().any(|token| is_new(token) && told(token))))
            }
            Wanted::Place => some(own.windows(2).enumerate().any(|(at, pair)| {
                let [before, place] = pair else { return false };
                let noun = own.get(at + 2).filter(|_| matches!(&*place.word, "the" | "a" | "an")).unwrap_or(place);
                let is_place = noun.capital || noun.start != place.start && !noun.stop;
                let is_when = month(noun).is_some() || weekday(noun).is_some() || WHEN.contains(&noun.word);
                BEFORE_PLACE.contains(&before.word) && is_place && !is_when && !noun.counts && is_new(noun)
            })),
            Wanted::Reason => some(own.iter().any(|token| BECAUSE.contains(&token.word))),
            Wanted::Words => Some(0.0),
        }
    }
}

fn measures() -> impl Iterator<Item = (&'static str, &'static str)> {
    MEASURES.lines().filter_map(|line| line.split_once(": "))
}

/// The thing that a word asks for.
fn asked_by(word: &str) -> Option<Wanted> {
    let has = |words: &str| words.split(' ').any(|one| one == word);
    let measure = measures().find(|(words, _)| has(words)).map(|(_, units)| Wanted::Measured(units));
    measure.or_else(|| ASKS.iter().find(|(words, _)| has(words)).map(|(_, wanted)| *wanted))
}

fn is(token: &Token, words: &str) -> bool {
    words.split(' ').any(|word| token.word == word)
}

fn asks(token: &Token) -> bool {
    is_asking(&token.word)
}

fn is_asking(word: &str) -> bool {
    matches!(word, "how" | "who" | "whom" | "whose" | "when" | "where" | "why" | "what" | "which")
}

/// The questions of a text, in bytes: the items of its list and its lines, and of each the questions that follow one another in it.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for item in items(text) {
        for part in in_a_row(text.get(item.clone()).unwrap_or_default()) {
            let (start, end) = (item.start + part.start, item.start + part.end);
            let is_full = all.len() >= MOST_PARTS;
            match all.last_mut().filter(|_| is_full) {
                Some(last) => last.end = end,
                None => all.push(start..end),
            }
        }
    }
    if all.is_empty() {
        all.push(0..text.len());
    }
    all
}

/// The items of a list, the lines and the halves around semicolons, in bytes. A line in the middle of a sentence is no item of its
/// own.
fn items(text: &str) -> Vec<Range<usize>> {
    let mut cuts = list_marks(text);
    cuts.extend(text.match_indices(';').map(|(at, sign)| at..at + sign.len()));
    let is_open = |at: usize| {
        let (before, after) = (text.get(..at).unwrap_or_default().trim_end(), text.get(at..).unwrap_or_default());
        let first = after.split_whitespace().next().unwrap_or_default().to_lowercase();
        let is_blank = after.trim_start_matches([' ', '\r']).starts_with("\n\n");
        before.ends_with(['?', '.', '!', ':', ',']) || is_blank || is_asking(&first) || AUXILIARY.contains(&first)
    };
    let is_of_words = !has_asking_word(text);
    let breaks = text.match_indices('\n').filter(|(at, _)| is_of_words || is_open(*at));
    cuts.extend(breaks.map(|(at, sign)| at..at + sign.len()));
    cuts.sort_by_key(|cut| cut.start);
    let (mut all, mut start) = (Vec::new(), 0);
    for cut in cuts.into_iter().chain(std::iter::once(text.len()..text.len())) {
        if text.get(start..cut.start).is_some_and(|part| part.contains(char::is_alphanumeric)) {
            all.push(start..cut.start);
        }
        start = cut.end.max(start);
    }
    // "I have two questions:" asks nothing.
    let asks_something = |range: &Range<usize>| {
        let part = text.get(range.clone()).unwrap_or_default();
        !part.trim_end().ends_with(':') || has_asking_word(part)
    };
    if all.iter().any(asks_something) {
        all.retain(asks_something);
    }
    all
}

fn has_asking_word(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| is_asking(&word.to_lowercase()))
}

/// The numbers and other marks of a list's items, in bytes: `1.`, `(2)`, `b)`, `Q3:`, and a dash at the head of a line. Numbers count that
/// begin with the first at the head of a text or line or behind a colon, and go on one by one.
fn list_marks(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut numbered: Vec<Range<usize>> = Vec::new();
    let mut next = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let start = next;
        next += word.len();
        let word = word.trim_end();
        if word.is_empty() {
            continue;
        }
        let before = text.get(..start).unwrap_or_default().trim_end_matches([' ', '\t', '\r']);
        let is_head = before.is_empty() || before.ends_with('\n');
        let range = start..start + word.len();
        if is_head && matches!(word, "-" | "*" | "•" | "–" | "—") {
            found.push(range);
        } else if item_number(word) == Some(numbered.len() + 1)
            && (!numbered.is_empty() || is_head || before.ends_with(':'))
        {
            numbered.push(range);
        }
    }
    if numbered.len() > 1 {
        found.append(&mut numbered);
    }
    found
}

/// The number of an item, from 1: `1.`, `2)`, `(c)`, `Q4:`.
fn item_number(word: &str) -> Option<usize> {
    let inner = word.strip_suffix(['.', ')', ':'])?.trim_start_matches(['(', 'Q', 'q']);
    match inner.as_bytes() {
        [letter @ b'a'..=b'h'] if !word.ends_with(':') => Some(usize::from(letter - b'a') + 1),
        digits if (1..3).contains(&digits.len()) => inner.parse().ok(),
        _ => None,
    }
}

/// The questions of an item, in bytes. A new one begins behind a question mark, with a sentence that asks, and with an asking word behind
/// `and`, `also` or a comma.
fn in_a_row(text: &str) -> Vec<Range<usize>> {
    let reading = ParsedText::new(text);
    let tokens = reading.tokens.as_slice();
    let gap = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map_or(0, |before| before.end);
        tokens.get(at).and_then(|token| text.get(before..token.start)).unwrap_or_default()
    };
    let mut all: Vec<Range<usize>> = Vec::new();
    let (mut start, mut has_asked) = (0, false);
    for (at, token) in tokens.iter().enumerate() {
        let before = |at: usize| at.checked_sub(1).and_then(|before| tokens.get(before));
        let hangs = asks(token) && before(at).is_some_and(|token| is(token, "at in on for from to by of with"));
        let first = at - usize::from(hangs);
        let mut joint = first;
        while before(joint).is_some_and(|token| is(token, "and or also plus then but")) {
            joint -= 1;
        }
        let before = before(joint);
        let Some(before) = before.filter(|before| before.start >= start) else {
            has_asked |= asks(token);
            continue;
        };
        let comma = gap(joint).contains([',', '–', '—']);
        let also = || tokens.get(joint..first).unwrap_or_default().iter().any(|token| is(token, "also"));
        let new_sentence = || {
            let own = reading.line_tokens(token.line);
            token.line != before.line
                && (own.iter().any(asks) || own.first().is_some_and(|first| AUXILIARY.contains(&first.word)))
        };
        let is_over = gap(at).contains('?') || has_asked && joint == at && new_sentence();
        let follows = if asks(token) {
            joint < first || comma && opens_question(tokens, at, before)
        } else {
            comma && joint < first && (AUXILIARY.contains(&token.word) || is(token, "the") && also())
        };
        if is_over || has_asked && follows {
            let end = if is_over { token.start } else { before.end };
            all.push(start..end);
            start = if is_over { token.start } else { tokens.get(first).map_or(token.start, |first| first.start) };
            has_asked = false;
        }
        has_asked |= asks(token);
    }
    all.push(start..text.len());
    let trimmed = |range: Range<usize>| {
        let part = text.get(range.clone()).unwrap_or_default();
        let begins = range.start + part.len() - without_lead(part).len();
        begins..range.start + part.trim_end_matches([' ', ',', '\n', '\r']).len().max(begins - range.start)
    };
    all.into_iter().map(trimmed).filter(|range| range.start < range.end || text.trim().is_empty()).collect()
}

/// A question without the words that only tie it to the one before: `Also, when …`, `Second: who …`.
fn without_lead(part: &str) -> &str {
    const LEADS: [&str; 12] =
        ["and", "or", "also", "plus", "then", "but", "first", "firstly", "second", "secondly", "third", "finally"];
    let mut rest = part.trim_start();
    while let Some((word, tail)) = rest.split_once(char::is_whitespace) {
        let bare = word.trim_end_matches([',', ':']).to_lowercase();
        let next = tail.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
        let next = next.to_lowercase();
        let goes_on =
            is_asking(&next) || AUXILIARY.contains(&next) || LEADS.contains(&&*next) || word.len() > bare.len();
        if !LEADS.contains(&&*bare) || !goes_on {
            break;
        }
        rest = tail.trim_start();
    }
    rest
}

/// Whether an asking word behind a comma opens a question, and no clause on the word before: `Miller Park, where the pond is`.
fn opens_question(tokens: &[Token], at: usize, before: &Token) -> bool {
    let next = tokens.get(at + 1);
    match tokens.get(at).map_or("", |token| &*token.word) {
        "when" | "where" => next.is_some_and(|next| AUXILIARY.contains(&next.word)),
        "who" => !before.capital,
        "which" => false,
        _ => true,
    }
}

/// The thing that a question asks for, and the place of the noun that says so.
fn wanted(all: &[Token]) -> (Wanted, Option<usize>) {
    let Some(at) = all.iter().position(asks) else { return (Wanted::Words, None) };
    let word = |at: usize| all.get(at).map_or("", |token| &*token.word);
    let costs = all.iter().any(|token| is(token, "cost costs pay paid spend spent"));
    let wanted = match word(at) {
        "how" if word(at + 1) == "much" && costs => Some(Wanted::Money),
        "how" => asked_by(word(at + 1)),
        "what" | "which" => {
            let noun = (at + 1..all.len().min(at + 5)).find(|at| all.get(*at).is_some_and(|token| !token.stop));
            if let Some((noun, wanted)) = noun.and_then(|noun| Some((noun, asked_by(word(noun))?))) {
                return (wanted, Some(noun));
            }
            costs.then_some(Wanted::Money)
        }
        word => asked_by(word),
    };
    (wanted.unwrap_or(Wanted::Words), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTES: &str = "Minutes of Tuesday. The council of Eastbrook voted seven to two to renovate Miller Park. Pell voted no.\n\nDANA \
                           RUIZ: We may begin in April. The pond will be cleaned first, because it smells.\n\nThe paths are old. The plan \
                           lays 1.4 miles of paths around the pond. It costs $2 million, a fifth of the budget. Some 200 residents came to \
                           the town hall on Canal Street. The lamps burn for 12 hours. Nobody has said who pays for the lamps.";

    #[test]
    fn a_sentence_answers_if_it_has_what_the_question_asks_for() {
        for (question, answer) in [
            ("How long are the paths?", "1.4 miles"),
            ("How long is the path in Miller Park?", "1.4 miles"),
            ("How long do the lamps burn?", "12 hours"),
            ("How much does the plan cost?", "$2 million"),
            ("What does the plan cost?", "$2 million"),
            ("What is the cost of the plan?", "$2 million"),
            ("What share of the budget does it cost?", "a fifth"),
            ("How many residents came?", "200 residents"),
            ("How many people came to the town hall?", "200 residents"),
            ("Who voted no?", "Pell"),
            ("Who voted to renovate the park?", "council"),
            ("When will they begin?", "April"),
            ("Where did the residents come?", "Canal Street"),
            ("Why will the pond be cleaned?", "because it smells"),
            ("How did the council vote?", "seven to two"),
            ("lamps", "lamps"),
        ] {
            let found = AskedQuestion::new(question).answered_by(MINUTES);
            let said = found.map_or("nothing", |(_, range)| &MINUTES[range]);
            assert!(said.contains(answer), "{question}: {said}");
        }
    }

    #[test]
    fn a_text_of_several_questions_is_answered_one_by_one() {
        for (asked, answers) in [
            ("What does the plan cost, and when may they begin?", &["$2 million", "April"][..]),
            ("Who voted no and how did the council vote?", &["Pell", "seven to two"]),
            ("How long are the paths? How many residents came?", &["1.4 miles", "200 residents"]),
            ("Who spoke and came?", &["nothing"]),
            ("How long are the paths in Central Park, and what do they cost?", &["nothing", "nothing"]),
            ("", &["Minutes"]),
        ] {
            let found = AskedQuestion::all(asked).into_iter().map(|one| one.answered_by(MINUTES));
            let said: Vec<&str> = found.map(|found| found.map_or("nothing", |(_, range)| &MINUTES[range])).collect();
            assert_eq!(said.len(), answers.len(), "{asked}: {said:?}");
            assert!(said.iter().zip(answers).all(|(said, answer)| said.contains(answer)), "{asked}: {said:?}");
        }
    }

    #[test]
    fn questions_are_told_apart_however_they_are_listed() {
        let split = |text: &str| AskedQuestion::all(text).into_iter().map(|one| one.text).collect::<Vec<_>>();
        let both = ["What does the plan cost", "who voted no"];
        for text in [
            "What does the plan cost? who voted no",
            "What does the plan cost; who voted no",
            "What does the plan cost\nwho voted no",
            "What does the plan cost, who voted no",
            "What does the plan cost, also who voted no",
            "What does the plan cost and also who voted no",
            "1. What does the plan cost\n2. who voted no",
            "1) What does the plan cost 2) who voted no",
            "I have two questions: (1) What does the plan cost, (2) who voted no",
            "Please find out:\n- What does the plan cost\n- who voted no\n",
            "a) What does the plan cost; b) who voted no",
            "Q1: What does the plan cost Q2: who voted no",
            "First, What does the plan cost. Second, who voted no",
        ] {
            let found: Vec<String> =
                split(text).iter().map(|one| one.trim_end_matches(['?', '.']).to_owned()).collect();
            assert_eq!(found, both, "{text:?}");
        }
        assert_eq!(
            split("Who spoke, when may they begin, at what time and why?"),
            ["Who spoke", "when may they begin", "at what time", "why?"]
        );
        assert_eq!(
            split("What does the plan cost? Also, when may they begin? Finally: did Pell vote no, and did Ruiz speak?"),
            ["What does the plan cost?", "when may they begin?", "did Pell vote no, and did Ruiz speak?"]
        );
        for one in [
            "How long are the paths in Miller Park, where the pond is?",
            "How long are the paths\nin Miller Park?",
            "Who is Dana Ruiz, who spoke in April?",
            "What became of the lamps, which burn for 12 hours?",
            "What happened in 1. FC Eastbrook?",
            "The lamps burn for 12 hours. Who pays for them?",
        ] {
            assert_eq!(split(one), [sanitise::one_line(one)], "{one:?}");
        }
    }

    #[test]
    fn a_bare_question_is_about_what_the_one_before_is_about() {
        let found =
            AskedQuestion::all("Who voted no, and how?").into_iter().map(|one| one.answered_by(MINUTES).is_some());
        assert_eq!(found.collect::<Vec<_>>(), [true, true]);
        let [_, why] = &AskedQuestion::all("Who cleans the pond, and why?")[..] else { panic!() };
        let (_, range) = why.answered_by(MINUTES).unwrap();
        assert!(MINUTES[range].contains("because it smells"));
    }

    #[test]
    fn a_question_that_no_sentence_answers_has_no_answer() {
        for question in [
            "How deep is the pond?",
            "How old are the lamps?",
            "When will the lamps burn?",
            "Who cleans the pond?",
            "How long are the paths in Central Park?",
            "How tall is the tower?",
            "What colour is the mayor's car?",
            "How much do the lamps cost?",
            "Why did Pell vote no?",
            "zebra",
        ] {
            let found = AskedQuestion::new(question).answered_by(MINUTES);
            assert!(found.is_none(), "{question}: {:?}", found.map(|(_, range)| &MINUTES[range]));
        }
    }
}
