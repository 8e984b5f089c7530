//! Whether a sentence says no more than its passages do.

use std::ops::Range;

use compact_str::CompactString;

use crate::{
    binding::alignment::Alignment,
    reading::{
        Figure, FigureKind, ParsedText, Token, denies,
        hedges::{considers, openings, softens},
        month, weekday,
    },
    sources::{SourceArchive, SourceLine, siblings},
    words::{Class, WordList, base, words},
};
use copydesk_text::tagger::Tag;

/// The passages must have at least so much of the sentence, by weight.
const CARRIED: f64 = 0.85;

/// A word that weighs less than this part of the sentence may be the reporter's own.
const OWN: f64 = 0.06;

/// Words that give a reason, or put one thing before another.
static REASONS: WordList = words(
    "because since after before following amid over due prompted prompting led leading caused causing thanks despite \
     although unless until so therefore",
);

/// Words that say how much of a whole, or which of several.
static EXTENT: WordList =
    words("all every each most none only first last largest biggest highest lowest unanimously always never both");

/// Words before a noun or a title without which it is another thing: who acts as mayor is not the mayor.
static QUALIFIERS: WordList = words(
    "deputy vice former acting interim assistant associate alleged suspected proposed draft planned attempted suspended \
     partial provisional conditional",
);

/// Words for somebody or something that an earlier sentence named.
static PRONOUNS: WordList =
    words("he him his she her hers it its they them their theirs i me my we us our this that these those who");

/// Whether the passages say everything that the sentence says: no word is the draft's alone, and it is as sure, denies as much and gives no
/// other reason. Other checks judge its figures and names.
pub fn says_no_more(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, line: usize, alignment: &Alignment) -> bool {
    let Some(first) = alignment.windows.first().map(|window| window.place) else { return false };
    let Some(source) = archive.reading(first) else { return false };
    if alignment.share_without(&(0..0)) < CARRIED {
        return false;
    }
    let total: f64 = alignment.words.iter().map(|word| word.weight).sum();
    let own = |token: &&Token| !token.quoted() && !token.aside();
    let mine: Vec<&Token> = reading.line_tokens(line).iter().filter(own).collect();
    let passage = archive.tokens(first);
    // An adverb may be the reporter's own, unless it says how much.
    let grammar = reading.grammar(line);
    let loose = |at: usize| grammar.tag(at) != Tag::Adverb;
    if alignment.words.iter().any(|word| word.held.is_none() && word.weight > OWN * total && loose(word.at)) {
        return false;
    }
    // The action and what it is done to stand in one sentence. Only a name may stand beside it, if a pronoun means it.
    let told = |at: usize, place: SourceLine| {
        let Some(token) = reading.tokens.get(at) else { return true };
        let (stem, same) = (archive.forms.stem(&token.stem), archive.alike(token));
        let mut own = archive.tokens(place).iter();
        own.any(|other| Some(other.stem_id) == stem || same.contains(&other.stem_id))
    };
    let whole = |place: SourceLine| {
        let goes_on = goes_on(archive, place);
        let earlier = |at: usize| {
            let mut before = alignment.places().filter(|other| other.source == place.source && other.line < place.line);
            before.any(|other| told(at, other)) || labelled(archive, place, reading.tokens.get(at))
        };
        let passes = |at: usize| {
            let named = goes_on && reading.tokens.get(at).is_some_and(|token| token.capital);
            grammar.tag(at) == Tag::Adverb || told(at, place) || named && earlier(at)
        };
        alignment.words.iter().filter(|word| word.held.is_some()).all(|word| passes(word.at))
    };
    if !alignment.windows.iter().any(|window| whole(window.place)) {
        return false;
    }
    // A figure that no passage has is another one.
    let counted = |figure: &Figure| {
        let money = matches!(figure.kind, FigureKind::Money(_));
        alignment.places().filter_map(|place| Some((archive.reading(place)?, place))).any(|(source, place)| {
            let foreign = |other: &Figure| money && of_a_country(source, other, &mine);
            siblings(source, place.line).iter().any(|other| other.same(figure) && !foreign(other))
        })
    };
    if !siblings(reading, line).iter().all(counted) {
        return false;
    }
    if !in_order(&mine, passage)
        || unqualified(passage, &mine)
        || turned_round((reading, line), (source, first.line))
        // Who asks says nothing.
        || source.line_text(first.line).ends_with('?')
    {
        return false;
    }
    // "In May" is not "may begin".
    let dated = |token: &&&Token| token.capital && (month(token).is_some() || weekday(token).is_some());
    let theirs: Vec<&Token> = alignment.windows.iter().flat_map(|window| archive.tokens(window.place)).collect();
    let stands = |token: &&Token| theirs.iter().any(|other| other.capital && other.word == token.word);
    if !mine.iter().filter(dated).all(stands) {
        return false;
    }
    // Who considers adopting a budget has not adopted it.
    if passage.iter().any(|token| considers(token) && !mine.iter().any(|own| own.stem == token.stem)) {
        return false;
    }
    let spoken: Vec<Token> = mine.iter().copied().cloned().collect();
    let denied = (spoken.iter().any(denies), theirs.iter().any(|token| denies(token)));
    let open = (softens(&spoken), !openings(passage).is_empty() || softens(passage));
    let keeps = |list: &WordList| {
        let mut listed = mine.iter().filter(|token| list.contains(&token.word));
        listed.all(|token| theirs.iter().any(|other| other.stem == token.stem || list.contains(&other.word)))
    };
    let turned = |tokens: &[&Token]| tokens.iter().any(|token| token.class.has(Class::TURNS));
    let mut extent = mine.iter().filter(|token| EXTENT.contains(&token.word));
    denied.0 == denied.1
        && (open.0 || !open.1)
        && turned(&mine) == turned(&theirs)
        && keeps(&REASONS)
        && extent.all(|token| theirs.iter().any(|other| other.word == token.word))
}

/// Whether a passage goes on about a person or a thing that an earlier sentence names: it has a pronoun, and no subject with a name before it.
fn goes_on(archive: &SourceArchive<'_>, place: SourceLine) -> bool {
    let Some(source) = archive.reading(place) else { return false };
    let range = source.lines.get(place.line).map_or(0..0, |line| line.tokens.clone());
    let token = |at: usize| source.tokens.get(at);
    let Some(pronoun) = range.clone().find(|at| token(*at).is_some_and(|token| PRONOUNS.contains(&token.word))) else {
        return false;
    };
    let grammar = source.grammar(place.line);
    let verb = range.clone().find(|at| matches!(grammar.tag(*at), Tag::Modal | Tag::Past | Tag::Present));
    let named = |at: usize| {
        token(at)
            .is_some_and(|token| token.capital && !token.stop && month(token).is_none() && weekday(token).is_none())
            && grammar.tag(at) == Tag::Name
    };
    // "In Lisle it will hire": Lisle is the place, and does not hire.
    let subject = verb.filter(|verb| *verb < pronoun).map_or(pronoun..pronoun, |verb| range.start..verb);
    let within = subject.clone().any(|at| grammar.tag(at) == Tag::Preposition);
    within || !subject.into_iter().any(named)
}

/// Whether a word stands in the label of the person whose words a passage is.
fn labelled(archive: &SourceArchive<'_>, place: SourceLine, token: Option<&Token>) -> bool {
    let Some((source, token)) = archive.reading(place).zip(token) else { return false };
    source.label_tokens(place.line).iter().any(|other| other.stem == token.stem)
}

/// Whether the sentence leaves out a word without which the passage's next word is another thing.
fn unqualified(passage: &[Token], mine: &[&Token]) -> bool {
    let has = |token: &Token| mine.iter().any(|own| own.stem == token.stem);
    passage.windows(2).any(
        |pair| matches!(pair, [one, next] if QUALIFIERS.contains(&one.word) && !next.stop && has(next) && !has(one)),
    )
}

/// Whether a passage gives a country for an amount of money that the sentence leaves out: `75 million Egyptian pounds`.
fn of_a_country(source: &ParsedText<'_>, figure: &Figure, mine: &[&Token]) -> bool {
    let next = source.tokens.get(figure.tokens.start..figure.tokens.end + 1).unwrap_or_default();
    let gap = |token: &Token| token.start <= figure.end || source.slice(figure.end..token.start) == " ";
    let country = |token: &&Token| token.capital && !token.stop && token.word.len() > 3 && gap(token);
    next.iter().filter(country).any(|token| !mine.iter().any(|own| own.stem == token.stem))
}

/// Whether who acts and who is acted upon change places: `the tenant sued the bank` for `the bank sued the tenant`. If only
/// one of both says `by`, it may be the same in the passive.
fn turned_round((own, line): (&ParsedText<'_>, usize), (source, place): (&ParsedText<'_>, usize)) -> bool {
    let sides = |text: &ParsedText<'_>, line: usize, verb: usize| {
        let tokens = text.lines.get(line).map_or(0..0, |line| line.tokens.clone());
        let grammar = text.grammar(line);
        let nouns = |range: Range<usize>| {
            let noun = range.filter(|at| grammar.tag(*at).is_noun()).filter_map(|at| text.tokens.get(at));
            noun.filter(|token| !token.stop).map(|token| token.stem.clone()).collect::<Vec<_>>()
        };
        (nouns(tokens.start..verb), nouns(verb + 1..tokens.end))
    };
    let verbs = |text: &ParsedText<'_>, line: usize| {
        let tokens = text.lines.get(line).map_or(0..0, |line| line.tokens.clone());
        let grammar = text.grammar(line);
        tokens.filter(|at| matches!(grammar.tag(*at), Tag::Past | Tag::Present | Tag::Participle)).collect::<Vec<_>>()
    };
    let stem = |text: &ParsedText<'_>, at: usize| text.tokens.get(at).map(|token| token.stem.clone());
    let same = verbs(own, line).into_iter().find_map(|at| {
        let theirs = verbs(source, place).into_iter().find(|other| stem(source, *other) == stem(own, at))?;
        Some((at, theirs))
    });
    let Some((at, theirs)) = same else { return false };
    let by = |text: &ParsedText<'_>, line: usize| text.line_tokens(line).iter().any(|token| token.word == "by");
    let ((subject, object), (their_subject, their_object)) = (sides(own, line, at), sides(source, place, theirs));
    let moved = |words: &[CompactString], same: &[CompactString], other: &[CompactString]| {
        words.iter().any(|word| !same.contains(word) && other.contains(word))
    };
    by(own, line) == by(source, place)
        && moved(&subject, &their_subject, &their_object)
        && moved(&object, &their_object, &their_subject)
}

/// Whether a passage has the names and the numbers of a sentence in the sentence's order, and every number in words that is no figure. The time
/// may stand elsewhere: "On Tuesday it voted" is "it voted on Tuesday".
fn in_order(mine: &[&Token], passage: &[Token]) -> bool {
    let word =
        |token: &Token| if token.class.has(Class::NUMBER) { token.stem.clone() } else { base(&token.word).into() };
    let there = |token: &Token| passage.iter().any(|other| word(other) == word(token));
    let is_year =
        |token: &Token| token.word.len() == 4 && (token.word.starts_with("19") || token.word.starts_with("20"));
    let is_time = |at: usize| {
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| mine.get(at));
        mine.get(at).is_some_and(|token| month(token).is_some() || weekday(token).is_some() || is_year(token))
            || beside.into_iter().any(|token| token.capital && month(token).is_some())
    };
    let told = mine
        .iter()
        .enumerate()
        .filter(|(at, token)| !token.stop && (token.capital || token.class.has(Class::NUMBER)) && !is_time(*at));
    let mut rest = passage.iter();
    told.filter(|(_, token)| there(token)).all(|(_, token)| rest.any(|other| word(other) == word(token)))
}
