//! Two things in the wrong order: 1–3 for 3–1, `from B to A` for `from A to B`, `B beat A` for `A beat B`, `sold to B` for `sold to A`.
//!
//! Why: every word and figure is in the source, so that only their order shows the error.

use crate::{
    reading::{month, near, weekday},
    rules::prelude::*,
    sources::{common, of_line, siblings},
    words::{base, calendar::small_ordinal},
};

pub static RULE: Rule = Rule {
    name: "number.order",
    why: "The source has this the other way round.",
    source: "The two numbers of a result, the two ends of a way or a change, and who beat whom, in the order of the passages.",
    ..Rule::FIGURE
};

/// Between a verb and `to` whom stand at most so many words.
const OBJECT: usize = 8;

/// Verbs of who has the higher number of a result, and of who has the lower.
static WON: WordList =
    words("won win wins beat beats defeated defeats passed approved carried adopted led leads leading ahead");
static LOST: WordList = words("lost lose loses rejected fell failed trailed trails trailing behind");

/// Two things that a sentence has in the wrong order.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let tallies = sentence.figures().iter().filter_map(|figure| tally(sentence, figure));
    let turned = sentence.range.clone().filter_map(|at| turned(sentence, at));
    tallies.chain(turned).chain(sentence.range.clone().find_map(|at| handed(sentence, at))).collect()
}

/// How a sentence says that a result came out: whether somebody has the higher number, and who.
struct Outcome<'r> {
    won: bool,
    subject: Option<&'r str>,
}

impl<'r> Outcome<'r> {
    /// By the verb that is nearest before the figure, or else by the first behind it.
    fn of(reading: &'r ParsedText<'_>, line: usize, figure: &Figure) -> Option<Self> {
        let tokens = reading.line_tokens(line);
        let verb = |token: &Token| WON.contains(&token.word) || LOST.contains(&token.word);
        let at = tokens.iter().rposition(|token| token.end <= figure.start && verb(token));
        let at = at.or_else(|| tokens.iter().position(verb))?;
        let subject = tokens.get(..at)?.iter().rfind(|token| !token.stop).filter(|token| token.capital);
        Some(Self { won: WON.contains(&tokens.get(at)?.word), subject: subject.map(|token| base(&token.word)) })
    }
}

/// A result with its numbers turned round, or with the other outcome for the same side.
fn tally(sentence: &DraftSentence<'_>, figure: &Figure) -> Option<Fault> {
    let &DraftSentence { archive, reading, line, .. } = sentence;
    let leads = figure.written.leads && !sentence.quotes(figure);
    let second = figure.partner.filter(|second| leads && !near(*second, figure.value))?;
    let (own, told) = (of_line(reading, line), Outcome::of(reading, line, figure));
    let mut reversed = None;
    for (place, theirs) in archive.equal(figure) {
        let Some(source) = archive.reading(place) else { continue };
        if !theirs.partner.is_some_and(|partner| near(partner, second)) {
            continue;
        }
        let outcome = Outcome::of(source, place.line, theirs);
        let both = told.as_ref().zip(outcome.as_ref());
        let shared = common(&own, &of_line(source, place.line));
        if both.is_some_and(|(one, other)| one.won != other.won) {
            if both.is_some_and(|(one, other)| one.subject.is_some() && one.subject == other.subject) && shared > 1 {
                reversed = Some(place);
                continue;
            }
            // "A won 2-1" is "B lost 2-1".
        } else if !theirs.written.leads {
            // Whoever won has the higher number, wherever it stands.
            let agrees = both.is_some_and(|(one, _)| one.won == (figure.value > second));
            let voted = |tokens: &[Token]| tokens.iter().any(|token| matches!(&*token.word, "vote" | "voted"));
            let alike = both.is_some() || voted(reading.line_tokens(line)) && voted(source.line_tokens(place.line));
            if !agrees && (alike && shared > 1 || shared > 0 && shared == own.len()) {
                reversed = Some(place);
            }
            continue;
        }
        if theirs.written.leads {
            return None;
        }
    }
    let place = reversed?;
    let next = sentence.figures().iter().find(|other| other.start > figure.start);
    let end = next.map_or(figure.end, |next| next.end);
    Some(Fault::new(&RULE, sentence.field, figure.start..end).passage(archive.sentence(place)))
}

/// The meaning of two ends: those of a way or a change, or of a result.
#[derive(PartialEq)]
enum Course {
    Way,
    Won,
}

/// The two ends that begin at a word: `from A to B`, `to B from A`, `A beat B`, `B lost to A`, `A 4, B 1`.
fn ends(reading: &ParsedText<'_>, at: usize) -> Option<(Range<usize>, Range<usize>, Course)> {
    let token = reading.tokens.get(at)?;
    let on_line = |at: usize| reading.tokens.get(at).filter(|other| other.line == token.line);
    if let Some(other) = [("from", "to"), ("to", "from")].iter().find(|(word, _)| token.word == *word) {
        let Some(first) = end(reading, at + 1) else { return things(reading, at) };
        on_line(first.end).filter(|next| next.word == other.1)?;
        let second = end(reading, first.end + 1).filter(|second| on_line(second.start).is_some())?;
        return Some(if other.0 == "from" { (first, second, Course::Way) } else { (second, first, Course::Way) });
    }
    let capital = |at: usize| on_line(at).is_some_and(|other| other.capital && !other.stop);
    let begin = |end: usize| (0..end).rev().take_while(|at| end - at < 4 && capital(*at)).last();
    let named = |at: usize| end(reading, at).filter(|name| capital(name.end - 1));
    let won =
        |first, second, wins: bool| if wins { (first, second, Course::Won) } else { (second, first, Course::Won) };
    if let Some(result) = siblings(reading, token.line).iter().find(|figure| figure.tokens.start == at) {
        // "A - B 1:4"
        if let Some(partner) = result.partner.filter(|_| result.written.leads) {
            let parted = |at: usize| {
                let (one, two) = (reading.tokens.get(at.checked_sub(1)?)?, reading.tokens.get(at)?);
                reading.text.get(one.end..two.start).filter(|gap| matches!(*gap, " - " | " – "))
            };
            let middle = (at.saturating_sub(3)..at).rev().find(|place| parted(*place).is_some())?;
            let (first, second) = (begin(middle)?..middle, middle..at);
            return Some(won(first, second, result.value > partner));
        }
        // "A 4, B 1"
        let (first, second) = (begin(at)?..at, named(result.tokens.end)?);
        let other = siblings(reading, token.line).iter().find(|figure| figure.tokens.start == second.end)?;
        let counts = result.kind == FigureKind::Count && other.kind == FigureKind::Count && !result.spelled;
        return counts.then_some(won(first, second, result.value > other.value));
    }
    // "Lost to B", "lost 2-1 at B", "won 2-1 at B"
    let result = |figure: &&Figure| figure.tokens.start == at + 1 && figure.partner.is_some();
    let scored = siblings(reading, token.line).iter().find(result);
    let behind = scored.map_or(at + 1, |first| first.tokens.end + usize::from(first.partner.is_some()));
    let is = |words: &[&str]| on_line(behind).is_some_and(|next| words.contains(&next.word.as_str()));
    let beaten = matches!(token.word.as_str(), "lost" | "loses" | "fell");
    let lost = beaten && (is(&["to"]) || scored.is_some() && is(&["at", "against"]));
    let wins = matches!(token.word.as_str(), "won" | "wins") && scored.is_some() && is(&["at", "against"]);
    let beat = matches!(token.word.as_str(), "beat" | "beats" | "defeated" | "defeats");
    if !lost && !wins && !beat {
        return None;
    }
    let (first, second) = (begin(at)?..at, named(if beat { at + 1 } else { behind + 1 })?);
    Some(won(first, second, !lost))
}

/// The ends of a way between two things: `from the slip toward the road`.
fn things(reading: &ParsedText<'_>, at: usize) -> Option<(Range<usize>, Range<usize>, Course)> {
    let noun = |at: usize| {
        let place = at + usize::from(matches!(reading.word(at), "the" | "a" | "an" | "his" | "her" | "its" | "their"));
        let token = reading.tokens.get(place)?;
        let counts = token.counts && small_ordinal(&token.word).is_none();
        (!token.stop && !counts && token.line == reading.tokens.get(at)?.line).then_some(place..place + 1)
    };
    let first = noun(at + 1).filter(|_| reading.word(at) == "from")?;
    let second =
        noun(first.end + 1).filter(|_| matches!(reading.word(first.end), "to" | "toward" | "towards" | "into"))?;
    Some((first, second, Course::Way))
}

/// The figure, or the name in capitals, that begins at a word.
fn end(reading: &ParsedText<'_>, at: usize) -> Option<Range<usize>> {
    let first = reading.tokens.get(at)?;
    let figure = reading.figures.partition_point(|figure| figure.tokens.end <= at);
    if let Some(figure) = reading.figures.get(figure).filter(|figure| {
        figure.tokens.start <= at + usize::from(!first.capital)
            && !matches!(figure.kind, FigureKind::Year | FigureKind::Time)
    }) {
        return Some(figure.tokens.clone());
    }
    let capital = |at: usize| {
        reading.tokens.get(at).is_some_and(|token| token.capital && token.line == first.line && !token.stop)
    };
    let start = if first.word == "the" { at + 1 } else { at };
    let close = |at: usize| {
        let (Some(one), Some(two)) = (reading.tokens.get(at - 1), reading.tokens.get(at)) else { return false };
        at == start
            || reading.text.get(one.end..two.start).is_some_and(|gap| matches!(gap, " " | "-" | "\u{A0}" | "\n"))
    };
    let end = (start.max(1)..start + 4).take_while(|at| capital(*at) && close(*at)).last()? + 1;
    Some(start..end)
}

/// Two ends that the passages have only the other way round.
fn turned(sentence: &DraftSentence<'_>, at: usize) -> Option<Fault> {
    let &DraftSentence { archive, reading, .. } = sentence;
    reading.tokens.get(at).filter(|own| !own.quoted())?;
    let (first, second, course) = ends(reading, at)?;
    let same = |one: &Range<usize>, source: &ParsedText<'_>, other: &Range<usize>| {
        let figure = |reading: &ParsedText<'_>, range: &Range<usize>| {
            reading.figures.iter().find(|figure| figure.tokens == *range).cloned()
        };
        match (figure(reading, one), figure(source, other)) {
            (Some(one), Some(other)) => one.same(&other),
            (None, None) => alike(reading, one, source, other),
            _ => false,
        }
    };
    if same(&first, reading, &second) {
        return None;
    }
    let mut reversed = None;
    for place in sentence.places() {
        let Some(source) = archive.reading(place) else { continue };
        let words = archive.line(place).map_or(0..0, |line| line.tokens.clone());
        for (one, two, _) in words.filter_map(|at| ends(source, at)).filter(|(.., theirs)| *theirs == course) {
            if same(&first, source, &one) && same(&second, source, &two) {
                return None;
            }
            if same(&first, source, &two) && same(&second, source, &one) {
                reversed = Some(place);
            }
        }
    }
    let span = reading.span_of(&(first.start.min(second.start)..first.end.max(second.end)))?;
    Some(Fault::new(&RULE, sentence.field, span).passage(archive.sentence(reversed?)))
}

/// Whether one of two runs of words has all words of the other: `Harlow` is `Harlow Town`.
fn alike(one: &ParsedText<'_>, here: &Range<usize>, other: &ParsedText<'_>, there: &Range<usize>) -> bool {
    let [mine, theirs] = [(one, here), (other, there)].map(|(reading, range)| -> Vec<&str> {
        let tokens = reading.tokens.get(range.clone()).unwrap_or_default();
        tokens.iter().filter(|token| !token.stop).map(|token| base(&token.word)).collect()
    });
    let shared = mine.iter().filter(|word| theirs.contains(word)).count();
    shared > 0 && shared == mine.len().min(theirs.len())
}

/// The object of a verb, and the name to or from which it goes: `sold the striker Ada Lee to Harlow`.
fn moved(reading: &ParsedText<'_>, verb: usize) -> Option<(Range<usize>, Range<usize>)> {
    let own = reading.tokens.get(verb).filter(|own| !own.stop && !own.capital && !own.quoted())?;
    let toward = (verb + 2..verb + OBJECT).find(|at| {
        reading.tokens.get(*at).is_some_and(|token| token.line == own.line && matches!(&*token.word, "to" | "from"))
    })?;
    let whom = end(reading, toward + 1)?;
    let named = reading.tokens.get(whom.end - 1).is_some_and(|last| last.capital && last.line == own.line);
    named.then_some((verb + 1..toward, whom))
}

/// Something that goes to another one than in the passage, whom the passage names for something else.
fn handed(sentence: &DraftSentence<'_>, verb: usize) -> Option<Fault> {
    let &DraftSentence { archive, reading, .. } = sentence;
    let (what, whom) = moved(reading, verb)?;
    // "From December" is a time.
    if reading.tokens.get(whom.clone())?.iter().any(|token| month(token).is_some() || weekday(token).is_some()) {
        return None;
    }
    let word = |reading: &ParsedText<'_>, at: usize| reading.tokens.get(at).map(|token| token.stem.clone());
    let mut other = None;
    for place in sentence.places() {
        let Some(source) = archive.reading(place) else { continue };
        let all = archive.line(place).map_or(0..0, |line| line.tokens.clone());
        let named = all.clone().any(|at| alike(reading, &whom, source, &(at..at + 1)));
        for theirs in all {
            let Some((object, receiver)) = moved(source, theirs) else { continue };
            let same = word(reading, verb) == word(source, theirs)
                && word(reading, what.end) == word(source, object.end)
                && alike(reading, &what, source, &object);
            if same && alike(reading, &whom, source, &receiver) {
                return None;
            }
            // Or the draft names its receiver for something else.
            let mut own = sentence.range.clone();
            if same && (named || own.any(|at| alike(reading, &(at..at + 1), source, &receiver))) {
                other = Some(place);
            }
        }
    }
    Some(Fault::new(&RULE, sentence.field, reading.span_of(&whom)?).passage(archive.sentence(other?)))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    fn order(draft: &str, source: &str) -> bool {
        rules_of(draft, source).contains(&"number.order".to_owned())
    }

    #[test]
    fn the_other_way_round_is_found() {
        let source = "The Elm Ward bowlers lost 2-5. The tram was moved from Elm Street to Quay Road. The fare went from $4 to $6. \
                      Fenwick beat Harlow in the final. The board voted 7–2 for it. A man was walking from the slip toward the road.";
        for wrong in [
            "A man walked from the road to the slip.",
            "The Elm Ward bowlers lost 5-2.",
            "The tram was moved from Quay Road to Elm Street.",
            "The fare went from $6 to $4.",
            "Harlow beat Fenwick in the final.",
            "The board voted 2-7 for it.",
        ] {
            assert!(order(wrong, source), "{wrong}");
        }
        for fine in [
            "The bowlers of Elm Ward lost 2-5.",
            "The tram moved from Elm Street to Quay Road.",
            "The fare rose from $4 to $6.",
            "Fenwick beat Harlow.",
            "The board won the vote, 7–2.",
            "The others beat the Elm Ward bowlers 5-2.",
            "A man walked from the slip to the road.",
        ] {
            assert!(!order(fine, source), "{fine}");
        }
    }

    #[test]
    fn an_order_is_read_in_any_form() {
        let source = "The Larks beat the Herons 3-1 on Sunday. The mast came to Oxley from Merrin in May. Finches 2, Terns 5. Harlow Town - Rovers 1:6 (0:2). The Wrens led 4-0 at                       the break. The odds on the Wrens are 7 to 4. The Terns sold the keeper Ida Moe to the Finches and the winger Jo Lunde                       to the Larks. The mix of sand to lime is 5:2.";
        for wrong in [
            "The Larks won 1-3 on Sunday.",
            "The Herons beat the Larks on Sunday.",
            "The Larks lost to the Herons on Sunday.",
            "The mast came from Oxley to Merrin in May.",
            "The Finches beat the Terns 5-2.",
            "Harlow Town beat Rovers 6-1.",
            "The Terns lost 5-2 at the Finches.",
            "The Finches won 5-2 against the Terns.",
            "The Wrens trailed 0-4 at the break.",
            "The odds on the Wrens are 4 to 7.",
            "The Terns sold the keeper Ida Moe to the Larks.",
            "The mix of sand to lime is 2:5.",
        ] {
            assert!(order(wrong, source), "{wrong}");
        }
        for fine in [
            "The Larks won 3-1 on Sunday.",
            "The Herons lost to the Larks 1-3 on Sunday.",
            "The Gulls lost 2-6.",
            "The mast came from Merrin to Oxley in May.",
            "The Terns beat the Finches 5-2.",
            "Rovers beat Harlow Town 6-1.",
            "The Finches lost 5-2 at the Terns.",
            "The Terns won 5-2 against the Finches.",
            "The Wrens’ rivals trailed 0-4 at the break.",
            "The Terns sold the winger Jo Lunde to the Larks.",
            "The mix of sand to lime is 5:2.",
        ] {
            assert!(!order(fine, source), "{fine}");
        }
    }
}
