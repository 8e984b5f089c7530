//! The attribution of a quotation, in a draft and in a source alike.

use crate::{
    reading::{Name, ParsedText, Token},
    words::{Class, WordList, speech::VOICING, words},
};
use copydesk_text::marks::{Quotation, QuoteMark};

/// Nouns for somebody's own words: `Ana Reyes's verdict: “`.
static WORDS: WordList = words(
    "verdict view answer reply response words comment message advice warning conclusion explanation summary assessment position plea \
     question opinion argument motto promise",
);

/// Whether a verb beside a quotation says who spoke.
fn voices(token: &Token) -> bool {
    token.class.has(Class::SAYS) || VOICING.contains(&token.word)
}

/// The information in a text about a quotation's speaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Voice {
    /// The name beside the quotation, by index into the names of the text.
    Named(usize),
    /// A person named earlier: `he said`, or a quotation that continues another.
    Somebody,
    /// The text does not say.
    Untold,
}

/// The speaker of the quotation at `index`, from the words beside it.
pub fn voice(reading: &ParsedText<'_>, names: &[Name], index: usize) -> Voice {
    // A quotation that continues has the speaker of the one before.
    for at in (0..=index).rev().take(4) {
        let told = reading.quotations.get(at).and_then(|quotation| beside(reading, names, quotation));
        if told.is_some() || !at.checked_sub(1).is_some_and(|earlier| goes_on(reading, names, earlier)) {
            return told.unwrap_or(Voice::Untold);
        }
    }
    Voice::Untold
}

/// Whether only an attribution stands between `earlier` and the next quotation, in the same paragraph.
fn goes_on(reading: &ParsedText<'_>, names: &[Name], earlier: usize) -> bool {
    let (Some(one), Some(two)) = (reading.quotations.get(earlier), reading.quotations.get(earlier + 1)) else {
        return false;
    };
    let gap = reading.between(one.end, two.start);
    let inside = names.iter().filter(|name| name.start >= one.end && name.end <= two.start).count();
    gap.len() <= 20
        && inside <= 2
        && gap.iter().any(voices)
        && !reading.text.get(one.end..two.start).unwrap_or("\n\n").contains("\n\n")
}

fn beside(reading: &ParsedText<'_>, names: &[Name], quotation: &Quotation) -> Option<Voice> {
    let is_over = reading.slice(quotation.start..quotation.end).trim_end().ends_with(['.', '…']);
    let behind = || if is_over { None } else { after(reading, names, quotation) };
    signed(reading, names, quotation).or_else(behind).or_else(|| before(reading, names, quotation))
}

/// `.” — Ana Reyes`, `” (Ana Reyes)`: a name set apart behind the words, and nothing of a sentence behind it.
fn signed(reading: &ParsedText<'_>, names: &[Name], quotation: &Quotation) -> Option<Voice> {
    let tail = reading.text.get(quotation.end..)?;
    let mark = |c: char| c.is_whitespace() || !c.is_alphanumeric() && !"—–―-([~/|:".contains(c);
    let rest = tail.trim_start_matches(mark);
    let gap = tail.get(..tail.len() - rest.len())?;
    let sign = rest.chars().next()?;
    let inner = reading.text.get(quotation.start..quotation.end)?.trim_end();
    // The words and who said them are the whole paragraph.
    let opens = reading.text.get(..quotation.start)?.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\n');
    let alone = (opens.is_empty() || opens.ends_with('\n')) && !rest.trim_end().contains(['.', '\n']);
    let whole = alone
        || inner.ends_with(['.', '!', '?', '…', ','])
        || gap.contains(['.', ',', '\n'])
        || quotation.mark == QuoteMark::Block;
    // "a-b", and “a disaster” — Reyes praised it.
    let set = match sign {
        '—' | '–' | '―' | '~' | '/' | '|' | ':' => whole,
        '-' => whole && rest.starts_with("- "),
        '(' | '[' => !gap.contains('\n'),
        // "*Ana Reyes, mayor*" in a line of its own
        _ => {
            let line = rest.split('\n').next().unwrap_or_default().trim_end();
            gap.contains('\n') && gap.ends_with(['*', '_']) && line.ends_with(['*', '_'])
        }
    };
    let from = quotation.end + gap.len() + if sign.is_alphabetic() { 0 } else { sign.len_utf8() };
    let place = names.partition_point(|name| name.start < from);
    let name = names.get(place).filter(|name| set && name.personal())?;
    let titles = reading.text.get(from..name.start)?;
    let behind = reading.text.get(name.end..)?;
    let line = behind.split('\n').next().unwrap_or_default();
    let over = match sign {
        '(' | '[' => line.split([')', ']']).next().is_some_and(|inner| {
            line.len() > inner.len() && (inner.is_empty() || inner.starts_with(',') && inner.len() < ROLE)
        }),
        _ => {
            let after = line.trim_start_matches(['.', '*', '_']).trim();
            after.is_empty()
                || line.starts_with('.')
                || line.starts_with(',') && line.len() < ROLE && !line.contains('.')
                || line.starts_with(", ")
                    && !reading.between(name.end, name.end + line.len()).iter().any(voices)
                    && line.len() < ROLE
        }
    };
    let near = titles.split_whitespace().count() <= 4 && !titles.contains([',', ';', ':', '.', '\n', '“', '"']);
    (near && over).then_some(Voice::Named(place))
}

/// A speaker's role behind the name has at most so many bytes.
const ROLE: usize = 80;

/// Who alone is named in the sentence before a quotation that stands by itself, as the one whom it is about: `Ana Reyes was blunt. “…”`.
/// If the quotation is a paragraph, the sentence may end the paragraph before.
pub fn led(reading: &ParsedText<'_>, names: &[Name], index: usize) -> Option<usize> {
    let quotation = reading.quotations.get(index)?;
    let own = reading.line_at(quotation.start);
    let begins = reading.lines.get(own)?.start;
    let before = own.checked_sub(1)?;
    let alone = reading.between(begins.min(quotation.start), quotation.start).is_empty();
    let paragraph = reading.bytes_of(reading.paragraph(before).start..reading.paragraph(own).end)?;
    let plain = |name: &Name| reading.tokens.get(name.tokens.start).is_some_and(|token| !token.quoted());
    let here = names.iter().enumerate().filter(|(_, name)| paragraph.start <= name.start && name.end <= paragraph.end);
    let mut people = here.filter(|(_, name)| name.personal() && plain(name));
    let (at, name) = people.next()?;
    let begins = name.tokens.start == head_start(reading, before, 0) + titles(reading, before, name);
    let subject = alone && begins && reading.line_of(&name.tokens) == before && !reading.heads(before);
    (subject && people.all(|(_, other)| other.last() == name.last())).then_some(at)
}

/// How many words of a title stand between a sentence's beginning and a name.
fn titles(reading: &ParsedText<'_>, line: usize, name: &Name) -> usize {
    let start = head_start(reading, line, 0);
    if name.titled { name.tokens.start.saturating_sub(start).min(4) } else { 0 }
}

/// `,” said Ana Reyes`, `,” Ana Reyes, the mayor, said`, `,” she said`.
fn after(reading: &ParsedText<'_>, names: &[Name], quotation: &Quotation) -> Option<Voice> {
    let first = reading.tokens.partition_point(|token| token.start < quotation.end);
    let line = reading.tokens.get(first)?.line;
    let limit = reading.quotations.iter().find(|q| q.start > quotation.end).map_or(usize::MAX, |q| q.start);
    let tail = reading.tokens.get(first..)?.iter().take_while(|token| token.line == line && token.start < limit);
    let tail: Vec<&Token> = tail.take(24).collect();
    if reading.text.get(quotation.end..tail.first()?.start)?.contains(['\n', '.', ';']) {
        return None;
    }
    if let [according, to, ..] = tail.as_slice()
        && (according.word.as_str(), to.word.as_str()) == ("according", "to")
    {
        let place = names.partition_point(|name| name.start < to.end);
        let near = |name: &&Name| reading.between(to.end, name.start).len() <= 7 && name.start < limit;
        return names.get(place).filter(near).filter(|name| name.personal()).map(|_| Voice::Named(place));
    }
    let (verb, verb_at) = tail.iter().enumerate().find(|(_, token)| voices(token))?;
    if verb == 0 {
        // A name right after the verb, perhaps behind a title in small letters.
        let next = tail.get(1)?;
        if matches!(next.word.as_str(), "he" | "she" | "they" | "i" | "we") {
            return Some(Voice::Somebody);
        }
        let place = names.partition_point(|name| name.start < next.start);
        // "said Orange County Attorney Todd Spitzer": whoever has the title speaks.
        let describes =
            |(name, next): (&Name, &Name)| heads_a_title(reading, name, next) || owns_an_office(reading, name, next);
        let place = place + usize::from(names.get(place).zip(names.get(place + 1)).is_some_and(describes));
        let name = names.get(place)?;
        let close = reading.between(verb_at.end, name.start);
        let gap = reading.text.get(verb_at.end..name.start)?;
        // "said the town's director, Ana Reyes.": the name stands beside the speaker's office, and nothing follows.
        let plain = |gap: &str| !gap.contains([',', ';', ':', '(', '"', '“']);
        let owner = |token: &Token| matches!(&*token.word, "the" | "a" | "an" | "its" | "their" | "his" | "her");
        let ends = |tail: &str| tail.is_empty() || tail.starts_with(['.', ',', ';', '\n']);
        let beside = gap.trim_end().strip_suffix(',').is_some_and(plain)
            && close.first().is_some_and(owner)
            && reading.text.get(name.end..).is_some_and(ends);
        let plain = beside || plain(gap);
        return (close.len() <= 7 && plain && name.start < limit && name.personal()).then_some(Voice::Named(place));
    }
    if matches!(tail.first()?.word.as_str(), "he" | "she" | "they" | "i" | "we") {
        return Some(Voice::Somebody);
    }
    let start = tail.first()?.start;
    let place = names.partition_point(|name| name.start < start);
    let name = names.get(place).filter(|name| name.end <= verb_at.start && name.personal())?;
    let head = reading.between(start, name.start);
    (head.len() <= 7).then_some(Voice::Named(place))
}

/// Words right before the name of whoever speaks next, and how many words stand there at most.
static TURNS: WordList = words("came comes was is then next by from finally now up spoke followed rose stood lastly");
const SHORT: usize = 4;

/// `Ana Reyes said, “`, `Ana Reyes: “`, `according to Ana Reyes, “`.
fn before(reading: &ParsedText<'_>, names: &[Name], quotation: &Quotation) -> Option<Voice> {
    let first = reading.tokens.partition_point(|token| token.start < quotation.start);
    let line = reading.tokens.get(first)?.line;
    let start = reading.lines.get(line)?.start;
    let earlier = reading.quotations.iter().rev().find(|q| q.end < quotation.start).map_or(0, |q| q.end);
    let start = start.max(earlier);
    let head = reading.between(start, quotation.start);
    let last = head.last()?;
    let gap = reading.text.get(last.end..quotation.start)?;
    // "Ana Reyes answered that the buses “will run”": without punctuation the words are hers, if no other name stands
    // between.
    let led = gap.contains([',', ':', '—', '–'])
        || reading.slice(quotation.start..quotation.end).starts_with(char::is_lowercase)
            && head.iter().rfind(|token| token.class.has(Class::SAYS)).is_some_and(|verb| {
                let next = names.partition_point(|name| name.start < verb.end);
                names.get(next).is_none_or(|name| name.start >= quotation.start)
            });
    if !led {
        return None;
    }
    if gap.contains([':', '—', '–', ',']) {
        let place = names.partition_point(|name| name.end <= last.end).checked_sub(1)?;
        let name = names.get(place)?;
        let begins = head_start(reading, line, start);
        let colon = !gap.contains(',');
        if colon && name.start >= start && name.end == last.end && name.tokens.start == begins {
            return Some(Voice::Named(place));
        }
        // "Ana Reyes was blunt: “": she alone is named, and the sentence begins with her.
        let inside = |name: &&Name| name.start >= start && name.end <= quotation.start && name.personal();
        let mut people = names.iter().filter(inside);
        let alone = people.next().filter(|_| gap.contains([':', ',']) && people.next().is_none());
        // "In the words of Ana Reyes, “", "To quote Ana Reyes, “"
        let leads = |name: &Name| {
            let before = reading.tokens.get(begins..name.tokens.start).unwrap_or_default();
            let mut words = before.iter().map(|token| token.word.as_str());
            match (words.next(), words.next()) {
                (Some("in"), _) if before.iter().any(|token| token.word == "words") => true,
                (Some("in"), _) if !colon => false,
                (Some("in" | "for"), _) => before.iter().all(|token| token.stop || token.word == "words"),
                (Some("to"), quote) => quote == Some("quote"),
                // "From Ana Reyes, for the union: “"
                (Some("from"), None) => colon,
                // "Then came Ana Reyes: “"
                _ => {
                    let right = colon && last.end == name.end;
                    let turn = before.last().is_some_and(|token| TURNS.contains(&token.word));
                    // "Harbour master Ana Reyes: “"
                    let grammar = reading.grammar(line);
                    let noun = |(at, token): (usize, &Token)| !token.stop && !grammar.tag(at).is_verb();
                    right && before.len() <= SHORT && (turn || (begins..).zip(before).all(noun))
                }
            }
        };
        let opens = |name: &Name| colon && name.tokens.start == begins + titles(reading, line, name);
        let own = alone.filter(|name| opens(name) || leads(name));
        let verb = head.iter().any(voices);
        let of_hers = own
            .is_some_and(|name| reading.text.get(name.end..).is_some_and(|tail| tail.starts_with(['\'', '’'])))
            && !matches!(head, [.., possessor, last] if WORDS.contains(&last.word) && possessor.capital);
        if let Some(own) = own.filter(|_| !verb && !of_hers) {
            return names.iter().position(|name| name == own).map(Voice::Named);
        }
    }
    let verb = head.iter().rfind(|token| voices(token) || token.word == "according")?;
    if head.iter().any(|token| matches!(token.word.as_str(), "he" | "she" | "they") && token.end < verb.start)
        && !names.iter().any(|name| name.start >= start && name.end <= verb.start)
    {
        return Some(Voice::Somebody);
    }
    let place = (0..names.partition_point(|name| name.end <= verb.start))
        .rev()
        .take_while(|&at| names.get(at).is_some_and(|name| name.start >= start))
        .filter(|&at| names.get(at).is_some_and(Name::personal))
        .find(|&at| names.get(at).is_some_and(|name| reading.between(name.end, verb.start).len() <= 10));
    // "Staff praised Ana Reyes, and a nurse said that “"
    let unnamed = |at: usize| {
        let words = names.get(at).map_or(&[][..], |name| reading.between(name.end, verb.start));
        let article = words.iter().rposition(|word| matches!(&*word.word, "a" | "an" | "one" | "another"));
        let own = article.and_then(|at| words.get(at..)).unwrap_or_default();
        let set = own.first().is_some_and(|article| reading.slice(article.start..verb.start).contains(','));
        (2..=SHORT).contains(&own.len()) && !set
    };
    if place.is_some_and(unnamed) {
        return Some(Voice::Somebody);
    }
    let place = place.map(|at| described(reading, names, start, at, verb));
    let later = names.partition_point(|name| name.start < verb.end);
    // "Not so, says Ana Reyes: “"
    let beside = |name: &Name| reading.between(verb.end, name.start).is_empty() && name.end == last.end;
    let later = (verb.word == "according" || names.get(later).is_some_and(beside))
        .then_some(later)
        .filter(|&at| names.get(at).is_some_and(|name| name.end <= quotation.start && name.personal()));
    later.or(place).map(Voice::Named)
}

/// The one whom the name right before a verb only describes: `Ana Reyes, a friend of Tom Berg, said`, `Ana Reyes of the Red Lion said`.
fn described(reading: &ParsedText<'_>, names: &[Name], start: usize, at: usize, verb: &Token) -> usize {
    let before = reading.tokens.partition_point(|token| token.end <= verb.start);
    let last =
        before.checked_sub(1).and_then(|before| reading.tokens.get(before)).map_or(verb.start, |token| token.end);
    let closed = reading.text.get(last..verb.start).is_some_and(|gap| gap.contains(','));
    let people = (0..at).filter(|at| names.get(*at).is_some_and(|name| name.start >= start && name.personal()));
    let describes = |other: &usize| {
        let (Some(one), Some(two)) = (names.get(*other), names.get(at)) else { return false };
        let between = reading.between(one.end, two.start);
        let opened = reading.text.get(one.end..).is_some_and(|tail| tail.starts_with(','));
        let joined = between.iter().any(|token| matches!(token.word.as_str(), "and" | "then" | "but"));
        // "The director of Works, Ana Reyes, said"
        let office = matches!(reading.word_before(one.tokens.start, 1), "of" | "for");
        let of = between.first().is_some_and(|of| matches!(&*of.word, "of" | "from" | "for" | "at" | "with"));
        closed && opened && !office && !joined || of && between.len() < 3 && between.iter().all(|token| token.stop)
    };
    people.into_iter().find(describes).unwrap_or(at)
}

/// Whether a name stands before a title, and the one who has the title right behind.
pub fn heads_a_title(reading: &ParsedText<'_>, name: &Name, next: &Name) -> bool {
    let between = reading.between(name.end, next.start);
    let gap = reading.slice(name.end..next.start.max(name.end));
    next.titled
        && !between.is_empty()
        && !gap.contains([',', ';', '.', '\n'])
        && between.iter().all(|token| token.capital)
}

/// Whether a name only says whose office the next one has: `Meridian's head of research, Ana Reyes`.
fn owns_an_office(reading: &ParsedText<'_>, name: &Name, next: &Name) -> bool {
    let Some(gap) = reading.text.get(name.end..next.start) else { return false };
    let owns = gap.strip_prefix(['\'', '’']).is_some_and(|rest| rest.starts_with("s "));
    let parts = gap.matches([',', ';', '.', '\n', '"', '“', '”']).count();
    owns && parts == 1 && gap.ends_with(", ") && reading.between(name.end, next.start).len() <= 7
}

fn head_start(reading: &ParsedText<'_>, line: usize, start: usize) -> usize {
    let first = reading.lines.get(line).map_or(0, |l| l.tokens.start);
    first.max(reading.tokens.partition_point(|token| token.start < start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::names;

    fn speaker(text: &str, quotation: usize) -> Option<String> {
        let reading = ParsedText::new(text);
        let names = names(&reading);
        match voice(&reading, &names, quotation) {
            Voice::Named(at) => names.get(at).map(|name| reading.slice(name.start..name.end).to_owned()),
            Voice::Somebody => Some("somebody".to_owned()),
            Voice::Untold => None,
        }
    }

    #[test]
    fn a_name_beside_the_marks_speaks() {
        let ana = Some("Ana Reyes".to_owned());
        assert_eq!(speaker("“It is so,” said Ana Reyes, the mayor.", 0), ana);
        assert_eq!(speaker("“It is so,” chief executive Ana Reyes said.", 0), ana);
        assert_eq!(speaker("“It is so,” said the town’s director, Ana Reyes.", 0), ana);
        assert_eq!(speaker("“It is so,” said the town’s director, Ana Reyes having left.", 0), None);
        assert_eq!(speaker("Ana Reyes, the mayor, answered that the buses “will run on time.”", 0), ana);
        assert_eq!(speaker("Ana Reyes said Tom Berg had “never run on time.”", 0), None);
        let somebody = Some("somebody".to_owned());
        assert_eq!(
            speaker("Staff praised Ana Reyes, and a nurse remarked that “things get written down.”", 0),
            somebody
        );
        assert_eq!(speaker("Ana Reyes, a nurse from Lund, remarked that “things get written down.”", 0), ana);
        assert_eq!(speaker("Asked twice, Ana Reyes laughed: “It is so.”", 0), ana);
        assert_eq!(speaker("Ana Reyes, of Mill Street, said, “It is so.”", 0), ana);
        assert_eq!(speaker("Ana Reyes: “It is so.”", 0), ana);
        assert_eq!(speaker("From Ana Reyes, for the union: “It is so.”", 0), ana);
        assert_eq!(speaker("Deputy harbour master Ana Reyes: “It is so.”", 0), ana);
        assert_eq!(speaker("The clerk thanked Ana Reyes: “It is so.”", 0), None);
        for described in [
            "Ana Reyes, who runs the Red Lion, said",
            "Ana Reyes of the Red Lion said",
            "Ana Reyes, a friend of Tom Berg, said",
        ] {
            assert_eq!(speaker(&format!("{described}: “It is so.”"), 0), ana, "{described}");
        }
        let tom = Some("Tom Berg".to_owned());
        assert_eq!(speaker("Ana Reyes left, and Tom Berg, the mayor, said: “It is so.”", 0), tom);
        assert_eq!(speaker("“It is so,” said Ana Reyes. “It was so.”", 1), ana);
        assert_eq!(speaker("“It is so,” she said.", 0), Some("somebody".to_owned()));
        for signed in [
            "“It is so.” — Ana Reyes",
            "“It is so,” – Ana Reyes.",
            "“It is so” (Ana Reyes).",
            "“It is so.”\n— mayor Ana Reyes, Lund",
            "“It is so” (Ana Reyes, mayor).",
            "> It is so.\n> — Ana Reyes",
            "> It is so.\n\n— Ana Reyes",
            "> “It is so.”\n>\n> *Ana Reyes, mayor*",
            "Ana Reyes was blunt: “It is so.”",
            "Mayor Ana Reyes, 44, on the pier: “It is so.”",
            "Tom Berg spoke first. Then came Ana Reyes: “It is so.”",
            "After that it was Ana Reyes: “It is so.”",
            "In the words of mayor Ana Reyes: “It is so.”",
        ] {
            assert_eq!(speaker(signed, 0), ana, "{signed}");
        }
        for open in [
            "It was “a disaster” — Ana Reyes praised it.",
            "The sign near Ana Reyes was new: “It is so.”",
            "Ana Reyes met Tom Berg: “It is so.”",
            "the “pier” (Ana Reyes left)",
            "Ana Reyes’s sign: “It is so.”",
            "He sent a note to Ana Reyes: “It is so.”",
        ] {
            assert_eq!(speaker(open, 0), None, "{open}");
        }
        assert_eq!(speaker("Ana Reyes left. The sign says it is “so”.", 0), None);
    }
}
