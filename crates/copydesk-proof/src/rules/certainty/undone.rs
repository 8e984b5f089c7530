//! The deed that was not done: the draft says that something has been approved, decided or raised, and its sources only deny or consider it.
//!
//! Why: `has not yet been approved` becomes `has been approved` when two sentences become one. A finding needs the rest of the sentence in
//! one passage, and the verb nowhere in the sources without a denial, or without a word that only considers it.

use copydesk_text::tagger::Tag;

use crate::{
    binding::Alignment,
    reading::{denies, hedges::considers, month, weekday},
    rules::{
        certainty::{inflated, negation},
        prelude::*,
    },
    sources::{content, siblings},
    words::Class,
};

/// The passage has so much of the rest of the sentence, at least.
const REST: f64 = 0.8;

/// Or this passage shares so many words with it, and others have the rest.
const SHARED: usize = 3;

/// A denial stands at most so many words before the verb.
const DENIED: usize = 4;

/// A word that considers stands at most so many words before it.
const CONSIDERED: usize = 2;

/// Words of one family have so many letters in common.
const ROOT: usize = 4;

/// Words with which a denial is of something else, or only of a time.
static LIMITS: WordList =
    words("until unless before only except without but if whether when since other others another further more than");

/// Words for something put off.
static PUT_OFF: WordList =
    words("defer deferred postpone postponed table tabled delay delayed shelve shelved withdraw withdrew withdrawn");

/// Words for something done, in whatever other words.
static DONE: WordList = words(
    "carry carried pass passed approve approved adopt adopted agree agreed vote voted accept accepted sign signed",
);

/// The rule that a sentence breaks, with the passage that only denies or considers what the sentence says was done.
pub fn undone(
    archive: &SourceArchive<'_>,
    reading: &ParsedText<'_>,
    index: usize,
    alignment: &Alignment,
) -> Option<(&'static Rule, SourceLine)> {
    let window = alignment.windows.first()?;
    let mut places: Vec<SourceLine> = Vec::new();
    for window in &alignment.windows {
        let paragraph = archive.reading(window.place)?.paragraph(window.place.line);
        let lines = archive.window(window.place, 2).filter(|line| paragraph.contains(line));
        places.extend(lines.map(|line| SourceLine { line, ..window.place }));
    }
    let near = |place: SourceLine| place.source == window.place.source && place.line.abs_diff(window.place.line) <= 2;
    let source = archive.reading(window.place)?;
    let held = |figure: &Figure| {
        let mut own = places.iter().filter(|place| place.source == window.place.source);
        own.any(|place| siblings(source, place.line).iter().any(|other| other.same(figure)))
    };
    if !siblings(reading, index).iter().all(held) {
        return None;
    }
    let range = reading.lines.get(index)?.tokens.clone();
    range.filter(|at| done(reading, index, *at)).find_map(|at| {
        let own = alignment.words.iter().filter(|word| word.at != at);
        let total: f64 = own.clone().map(|word| word.weight).sum();
        let rest = |most: usize| {
            let held = own.clone().filter(|word| word.held.is_some_and(|(window, _)| window < most));
            held.map(|word| word.weight).sum::<f64>() >= REST * total
        };
        rest(usize::MAX).then_some(())?;
        let (rule, place) = judge(archive, reading, reading.tokens.get(at)?, &places)?;
        // The rest may stand in other passages, if this one has most of the statement.
        let stems = content(reading.line_tokens(index));
        let shared = content(archive.tokens(place)).into_iter().filter(|stem| stems.contains(stem)).count();
        let denied = *rule == negation::RULE;
        (rest(1) && (denied || near(place)) || shared >= SHARED && denied).then_some(())?;
        // "Ann teaches him to cook" may be an offer that was taken.
        if reading.grammar(index).tag(at) == Tag::Present && *rule != negation::RULE {
            return None;
        }
        // Another day is another matter.
        let days = reading.line_tokens(index).iter().filter(|token| month(token).is_some() || weekday(token).is_some());
        let same = |day: &Token| archive.tokens(place).iter().any(|token| token.word == day.word);
        days.into_iter().all(same).then_some((rule, place))
    })
}

/// Whether a word of the draft says that something was done.
fn done(reading: &ParsedText<'_>, index: usize, at: usize) -> bool {
    let helped = (at.saturating_sub(3)..at)
        .filter_map(|at| reading.tokens.get(at))
        .any(|token| matches!(token.word.as_str(), "has" | "have" | "had" | "was" | "were" | "been" | "is" | "are"));
    let grammar = reading.grammar(index);
    let tag = grammar.tag(at);
    // The tagger takes many a past form for a participle.
    let finite = |at: usize| matches!(grammar.tag(at), Tag::Past | Tag::Present | Tag::Modal);
    let alone = || !reading.lines.get(index).map_or(0..0, |line| line.tokens.clone()).any(finite);
    reading.tokens.get(at).is_some_and(|token| {
        let told = matches!(tag, Tag::Past | Tag::Present) || tag == Tag::Participle && (helped || alone());
        told && !token.stop && !token.quoted() && !token.class.has(Class::SAYS)
    })
}

/// What a source says of a verb in one place.
enum Told {
    Denied,
    Considered { past: bool },
    Done,
}

/// What a source says of the verb at a place, by the words right before it in its stretch.
fn told_of(source: &ParsedText<'_>, line: usize, at: usize) -> Told {
    let grammar = source.grammar(line);
    let stretch = grammar.stretch(at);
    let before = |most: usize| source.tokens.get(at.saturating_sub(most).max(stretch.start)..at).unwrap_or_default();
    // "Has not said why it cut 40 jobs": it is the saying that is denied.
    let denial = before(DENIED).iter().rposition(undoes).map(|place| at - before(DENIED).len() + place);
    let between = denial.map_or(at..at, |denial| denial + 1..at);
    let own = between.into_iter().all(|at| {
        source.tokens.get(at).is_some_and(|token| {
            !token.class.has(Class::SAYS)
                && (token.stop || !grammar.tag(at).is_verb())
                && grammar.tag(at) != Tag::Pronoun
        })
    });
    let open = before(CONSIDERED);
    // "Proposed that the limit be cut": nothing helps the verb.
    let helps = |token: &Token| matches!(&*token.word, "will" | "would" | "shall" | "should" | "must" | "can");
    let wished = open.last().is_some_and(|token| token.word == "be") && !before(DENIED).iter().any(helps);
    match denial {
        Some(_) if own => Told::Denied,
        None if wished => Told::Considered { past: false },
        None if open.iter().any(leaves_open) => Told::Considered {
            past: open
                .iter()
                .any(|token| token.word.ends_with("ed") && token.word != "expected" || token.word == "sought"),
        },
        _ => Told::Done,
    }
}

/// Whether a word says that what follows was not done.
fn undoes(token: &Token) -> bool {
    denies(token) || matches!(token.word.as_str(), "yet" | "refused" | "declined" | "failed" | "unable")
}

/// Whether a word says that what follows may be done one day.
fn leaves_open(token: &Token) -> bool {
    considers(token) || !token.capital && matches!(token.word.as_str(), "may" | "might" | "could" | "expected")
}

fn has(archive: &SourceArchive<'_>, place: SourceLine, token: &Token) -> bool {
    archive.tokens(place).iter().any(|other| other.stem == token.stem)
}

/// What the sources say of a verb: only that it was not done, or only that it is considered.
fn judge(
    archive: &SourceArchive<'_>,
    reading: &ParsedText<'_>,
    verb: &Token,
    places: &[SourceLine],
) -> Option<(&'static Rule, SourceLine)> {
    let is = |token: &Token| token.stem == verb.stem;
    let stands = (0..archive.readings.len()).flat_map(|source| {
        let lines = archive.lines_with(source, &[verb.stem.as_str()]);
        lines.into_iter().map(move |line| SourceLine { source, line })
    });
    let (mut denied, mut considered, mut done) = (None, None, Vec::new());
    for place in stands {
        let near = places.contains(&place);
        let source = archive.reading(place)?;
        for at in source.lines.get(place.line)?.tokens.clone().filter(|at| source.tokens.get(*at).is_some_and(is)) {
            match told_of(source, place.line, at) {
                Told::Denied => denied = denied.or(near.then_some(place)),
                Told::Considered { past } => considered = considered.or(near.then_some((place, past))),
                Told::Done => done.push(place),
            }
        }
    }
    let theirs = || places.iter().flat_map(|place| archive.tokens(*place));
    // "We did not close it because of mould. We closed it because of the boiler."
    let behind = reading.line_tokens(verb.line).iter().filter(|token| token.start > verb.start && !token.stop);
    let pair: Vec<&Token> = behind.filter(|token| denied.is_some_and(|place| has(archive, place, token))).collect();
    let of_it = |place: &SourceLine| pair.is_empty() || pair.iter().any(|token| has(archive, *place, token));
    if done.iter().any(of_it) {
        return None;
    }
    if let Some(place) = denied {
        let like = archive.alike(verb);
        let own = reading.line_tokens(verb.line);
        let known = |token: &Token| own.iter().any(|own| own.stem == token.stem);
        let tokens = archive.tokens(place);
        // "Jones was not charged": that is another person.
        let other = tokens.iter().skip(1).any(|token| token.capital && !token.aside() && !known(token));
        let limited = tokens.iter().any(|token| LIMITS.contains(&token.word));
        // The same in another verb.
        let elsewhere =
            places.iter().filter_map(|place| Some((archive.reading(*place)?, place.line))).any(|(text, line)| {
                let mut all = text.lines.get(line).map_or(0..0, |line| line.tokens.clone());
                all.any(|at| {
                    text.grammar(line).tag(at).is_verb()
                        && text.tokens.get(at).is_some_and(|token| !is(token) && like.contains(&token.stem_id))
                })
            });
        return (!other && !limited && !elsewhere).then_some((&negation::RULE, place));
    }
    let (place, past) = considered.filter(|_| done.is_empty())?;
    // "The closure took effect."
    let root = verb.stem.get(..ROOT).unwrap_or(&verb.stem);
    if theirs().any(|token| !is(token) && token.stem.starts_with(root)) {
        return None;
    }
    let put_off = theirs().any(|token| PUT_OFF.contains(&token.word));
    // A later sentence on the same matter may say that it was done.
    let own = content(reading.line_tokens(verb.line));
    let again = |other: &SourceLine| {
        let shared = content(archive.tokens(*other)).into_iter().filter(|stem| own.contains(stem)).count();
        other.line > place.line && shared > 1
    };
    let done = theirs().any(|token| DONE.contains(&token.word) && !is(token));
    (!done && (put_off || !past && !places.iter().any(again))).then_some((&inflated::RULE, place))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    fn found(draft: &str, source: &str) -> bool {
        check_texts(draft, source).iter().any(|found| found.rule.starts_with("certainty."))
    }

    #[test]
    fn what_was_only_denied_or_considered_was_not_done() {
        for (draft, source) in [
            (
                "Marlon Whitby, 26, has been charged with arson, police said.",
                "Police said Marlon Whitby, 26, has been arrested on suspicion of arson. He has not been charged.",
            ),
            (
                "The drug has been approved by the European Medicines Agency, Talmira Pharma said.",
                "The drug has not yet been approved by the European Medicines Agency. Talmira Pharma said it would file in the autumn.",
            ),
            (
                "The committee raised the landing fee from $210 to $260.",
                "Staff propose to raise the landing fee from $210 to $260. The committee deferred the item to its June meeting.",
            ),
            (
                "The Commission has decided on a fine of €40 million.",
                "The Commission is considering a fine of up to €40 million. No decision has been made.",
            ),
            (
                "The Oak School was closed because of the mould.",
                "We moved 412 pupils out of the Oak School. We did not close it because of the mould. We closed it because the boiler failed.",
            ),
            (
                "The work shows that the stock of eels in Lake Orre is recovering.",
                "Eels in Lake Orre live long. The oldest was 131. Nobody expected it. The work does not show that the stock is recovering.",
            ),
            (
                "The speed limit on Mill Lane has been cut to 30 mph.",
                "Cllr Merrow proposed that the speed limit on Mill Lane be cut to 30 mph. The proposal was deferred.",
            ),
        ] {
            assert!(found(draft, source), "{draft}");
        }
        for (draft, source) in [
            (
                "Marlon Whitby, 26, was charged with arson.",
                "Marlon Whitby, 26, was indicted for arson on Monday. His brother Lee was not charged with arson.",
            ),
            (
                "The committee raised the landing fee from $210 to $260.",
                "Staff propose to raise the landing fee from $210 to $260. Motion carried.",
            ),
            ("The old bridge opened in May.", "The old bridge will not be opened until May."),
        ] {
            assert!(!found(draft, source), "{draft}");
        }
    }
}
