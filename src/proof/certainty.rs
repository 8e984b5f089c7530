//! Certainty: what a source leaves open, the draft leaves open; what a source denies, the draft does not assert.
//!
//! Why: “may help” that becomes “will help” is the commonest way for copy to say more than anybody said. The rule needs a
//! passage that plainly is the one the sentence was made from, a hedge right beside the words they share, no hedge in the
//! draft's sentence, and no passage as near that states the thing as fact.

use std::ops::Range;

use crate::newsroom::{ConcernType, SpanKind, Standing};

use super::{
    archive::{Archive, Hit, Place, content},
    bindings::siblings,
    class::Class,
    desk::{Found, Ledger, Sound},
    hedges::{associates, claims_cause, denies, disclaims, openings, settles, softens},
    negation,
    reading::Reading,
    rules::{Gravity, Rule},
    token::Token,
};

/// What the source leaves open.
pub(super) static INFLATED: Rule = Rule {
    name: "certainty.inflated",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    gravity: Gravity::Concern,
    why: "The source leaves this open; the draft does not.",
    source: "Hedges (may, could, expected, estimated) belong to what they stand beside; a promise is no expectation.",
    measured: None,
};

/// An association told as a cause.
pub(super) static CAUSE: Rule = Rule {
    name: "certainty.cause",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    gravity: Gravity::Concern,
    why: "The source says that these go together, not that one causes the other.",
    source: "Associations are no causes; who reports a study should say which of the two it found.",
    measured: None,
};

/// What the source denies.
pub(super) static NEGATION: Rule = Rule {
    name: "certainty.negation",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "The source says the opposite: one of the two denies it.",
    source: "A denial beside the same words turns them round.",
    measured: None,
};

/// The rules of this file.
pub(super) static RULES: [&Rule; 3] = [&INFLATED, &CAUSE, &NEGATION];

/// Share of a sentence's weight that a hedged sentence must carry by itself to be the same told otherwise.
const COVER: f64 = 0.42;

/// Share that it must carry with its neighbours, where the very word that it hedges is asserted.
const AROUND: f64 = 0.42;

/// Share from which an unhedged passage counts as speaking of the same.
const PLAIN: f64 = 0.3;

/// Weight of a word that stands everywhere in the sources.
const COMMONPLACE: f64 = 1.2;

/// How far behind a hedge the word stands that it leaves open.
const REACH: usize = 6;

/// Enters every sentence that says more surely what its source leaves open.
pub(super) fn check(ledger: &mut Ledger<'_, '_>) {
    let desk = ledger.desk;
    for (at, field) in desk.fields.iter().enumerate() {
        for (index, line) in field.reading.lines.iter().enumerate() {
            // "Brewery to fill old cannery": in a headline that is the future, and the future is open.
            let announces = at < 2 && only_announces(field.reading.line_tokens(index));
            if line.heading || announces || ledger.covered(at, line.start, line.end) {
                continue;
            }
            let Some((rule, place)) = judge(&desk.archive, &field.reading, index) else {
                held(ledger, at, index);
                continue;
            };
            ledger.enter_around(Found {
                kind: None,
                rule,
                field: at,
                start: line.start,
                end: line.end,
                note: rule.why.to_owned(),
                replacement: Some(statement(&desk.archive, place).unwrap_or_default()),
                passage: desk.archive.sentence(place),
            });
        }
    }
}

/// Enters a sentence with which the rules found no fault, where there was something to judge: it or the passage that it was made
/// from leaves a thing open or denies it. Where only one of the two does, no rule can tell.
fn held(ledger: &mut Ledger<'_, '_>, field: usize, index: usize) {
    let desk = ledger.desk;
    if !ledger.whole {
        return;
    }
    let Some((reading, line)) =
        desk.fields.get(field).and_then(|field| Some((&field.reading, field.reading.lines.get(index)?)))
    else {
        return;
    };
    let tokens = reading.line_tokens(index);
    let stems = content(tokens);
    let hits = desk.archive.passages(&stems, 8);
    let Some(hit) = hits.first().filter(|hit| stems.len() >= 3 && hit.cover >= COVER) else { return };
    let theirs = desk.archive.tokens(hit.place);
    let open = (softens(tokens), !openings(theirs).is_empty() || softens(theirs));
    let denied = (tokens.iter().any(denies), theirs.iter().any(denies));
    if !(open.0 || open.1 || denied.0 || denied.1) {
        return;
    }
    let both = open.0 == open.1 && denied.0 == denied.1;
    ledger.pass(|| Sound {
        kind: SpanKind::Certainty,
        standing: if both { Standing::Found } else { Standing::Unchecked },
        rule: "certainty.held",
        field,
        start: line.start,
        end: line.end,
        passage: desk.archive.sentence(hit.place),
    });
}

/// Whether a headline promises nothing and settles nothing: it tells of what is to come, or names what the story is about.
fn only_announces(tokens: &[Token]) -> bool {
    let asserts = tokens.iter().any(|token| {
        matches!(token.word.as_str(), "will" | "is" | "are" | "was" | "were" | "has" | "have" | "had" | "does" | "did")
    });
    tokens.iter().any(|token| token.word == "to") || !asserts && settles(tokens).is_none() && !claims_cause(tokens)
}

/// A source's sentence as it can stand in a draft, in one line: only where nobody speaks in it of himself, no mark is left
/// open, and it points back to nothing that the draft need not have.
fn statement(archive: &Archive<'_>, place: Place) -> Option<String> {
    let text = archive.reading(place)?.line_text(place.line);
    if archive.line(place)?.label.is_some() || archive.tokens(place).iter().any(Token::quoted) {
        return None;
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.contains(['“', '”', '"', '[', ']', '(', '\u{2018}']) {
        return None;
    }
    let reading = Reading::new(&line);
    let speaks = |token: &Token| {
        let word = token.word.split('\'').next().unwrap_or_default();
        matches!(word, "i" | "we" | "my" | "our" | "me" | "us" | "you" | "your" | "mine" | "ours")
    };
    let named = |at: usize| reading.tokens.iter().take(at).skip(1).any(|token| token.capital);
    let points = |(at, token): (usize, &Token)| match token.word.as_str() {
        "this" | "these" | "those" => true,
        // Somebody whom the sentence itself does not name: in the draft she would be the last woman before it.
        "he" | "she" | "they" | "his" | "her" | "their" | "him" | "them" => !named(at),
        "it" | "its" | "and" | "but" | "so" | "also" | "there" => at == 0,
        "that" => at == 0 || at + 3 > reading.tokens.len(),
        _ => false,
    };
    let whole = line.starts_with(char::is_uppercase) && line.ends_with(['.', '!']);
    let stands = !reading.tokens.iter().any(speaks) && !reading.tokens.iter().enumerate().any(points);
    (whole && stands && reading.lines.len() == 1).then_some(line)
}

fn judge(archive: &Archive<'_>, reading: &Reading<'_>, index: usize) -> Option<(&'static Rule, Place)> {
    let spoken: Vec<Token> = reading.line_tokens(index).iter().filter(|token| !token.quoted()).cloned().collect();
    let stems = matter(&spoken);
    // A hedge inside a quotation hedges what leads to it, too.
    let quoted: Vec<Token> = reading.line_tokens(index).iter().filter(|token| token.quoted()).cloned().collect();
    let settled_at = settles(&spoken);
    if stems.len() < 3 && settled_at.is_none() || softens(&quoted) || reading.line_text(index).ends_with('?') {
        return None;
    }
    let unquoted = spoken.len() == reading.line_tokens(index).len();
    if unquoted && let Some(place) = negation::opposite(archive, &spoken, &stems) {
        return Some((&NEGATION, place));
    }
    if softens(&spoken) || spoken.iter().any(denies) {
        return None;
    }
    let hits = archive.passages(&stems, 8);
    if let Some(hit) = inflated(archive, &stems, &hits).filter(|_| stems.len() >= 3) {
        return Some((&INFLATED, hit.place));
    }
    if let Some(at) = settled_at
        && let Some(place) = settled(archive, (reading, index), &spoken, at, &hits)
    {
        return Some((&INFLATED, place));
    }
    if claims_cause(&spoken)
        && let Some(place) = cause(archive, &stems)
    {
        return Some((&CAUSE, place));
    }
    None
}

/// What a sentence speaks of: its content without the names and titles of those who say it.
fn matter(tokens: &[Token]) -> Vec<&str> {
    let says = tokens.iter().any(|token| token.class.has(Class::SAYS) || token.word == "according");
    let named = |at: usize, token: &Token| token.class.has(Class::SAYS) || says && at > 0 && token.capital;
    let mut stems = content(tokens);
    let speakers: Vec<&str> = tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| named(*at, token))
        .map(|(_, token)| token.stem.as_str())
        .collect();
    stems.retain(|stem| !speakers.contains(stem));
    stems
}

/// The passage that the sentence was made from, where it leaves open what the sentence asserts and no passage as near
/// asserts it.
fn inflated<'h>(archive: &Archive<'_>, stems: &[&str], hits: &'h [Hit]) -> Option<&'h Hit> {
    hits.iter().find(|hit| {
        let tokens = archive.tokens(hit.place);
        let reading = archive.reading(hit.place);
        // "Could you take care of it?" leaves nothing open but an answer.
        if reading.is_some_and(|reading| {
            reading.line_text(hit.place.line).trim_end_matches(['”', '"', ' ', '.']).ends_with('?')
        }) {
            return false;
        }
        openings(tokens).into_iter().any(|at| {
            let clause = clause(reading, tokens, at);
            let same_thing = predicate(tokens, at, &clause).is_some_and(|stem| {
                let shared =
                    tokens.iter().filter(|t| !t.stop && t.stem != stem && stems.contains(&t.stem.as_str())).count();
                stems.contains(&stem)
                    && shared >= 1
                    && hit.around >= AROUND
                    && archive.weight(stem) > COMMONPLACE
                    && !asserted(archive, hits, stem)
            });
            same_thing || retold(archive, stems, hits, hit, tokens, at, &clause)
        })
    })
}

/// The words that belong together around a place: up to a mark, or to an `and` that begins another statement.
fn clause(reading: Option<&Reading<'_>>, tokens: &[Token], at: usize) -> Range<usize> {
    let breaks = |left: usize| {
        let (Some(one), Some(two)) = (tokens.get(left), tokens.get(left + 1)) else { return true };
        let gap = reading.and_then(|reading| reading.text.get(one.end..two.start)).unwrap_or_default();
        let verb = tokens.get(left + 2).map_or("", |token| token.word.as_str());
        let statement = matches!(
            verb,
            "is" | "are"
                | "was"
                | "were"
                | "has"
                | "have"
                | "will"
                | "could"
                | "may"
                | "would"
                | "it"
                | "they"
                | "the"
                | "he"
                | "she"
        );
        gap.contains([';', ':', '(', ')', '–', '—'])
            || gap.contains(',') && !matches!(two.word.as_str(), "maybe" | "perhaps" | "possibly" | "probably")
            || matches!(two.word.as_str(), "and" | "but" | "which" | "because" | "although") && statement
    };
    let mut start = at;
    while start > 0 && !breaks(start - 1) {
        start -= 1;
    }
    let mut end = at + 1;
    while end < tokens.len() && !breaks(end - 1) {
        end += 1;
    }
    start..end
}

/// What a hedge leaves open: the first content word behind it.
fn predicate<'t>(tokens: &'t [Token], at: usize, clause: &Range<usize>) -> Option<&'t str> {
    let tail = tokens.get(at + 1..clause.end.min(at + 1 + REACH))?;
    let vague =
        |token: &Token| matches!(token.word.as_str(), "roughly" | "approximately" | "least" | "close" | "there" | "be");
    let says = |token: &&Token| !token.stop && !vague(token) && openings(std::slice::from_ref(*token)).is_empty();
    tail.iter().find(says).map(|token| token.stem.as_str())
}

/// Whether a passage that is near enough says the word without a hedge.
fn asserted(archive: &Archive<'_>, hits: &[Hit], stem: &str) -> bool {
    hits.iter().filter(|hit| hit.cover >= PLAIN).any(|hit| {
        let tokens = archive.tokens(hit.place);
        openings(tokens).is_empty() && tokens.iter().any(|token| token.stem == stem)
    })
}

/// Whether the hedge's clause is the sentence told in other words: most of what the sentence speaks of, on both sides of the
/// hedge or behind it, and no unhedged passage with as much.
fn retold(
    archive: &Archive<'_>,
    stems: &[&str],
    hits: &[Hit],
    hit: &Hit,
    tokens: &[Token],
    at: usize,
    clause: &Range<usize>,
) -> bool {
    let asked = |token: &&Token| !token.stop && stems.contains(&token.stem.as_str());
    let within = tokens.get(clause.clone()).unwrap_or_default().iter().filter(asked).count();
    let behind = tokens.get(at + 1..clause.end).unwrap_or_default().iter().filter(asked).count();
    let plain = hits
        .iter()
        .filter(|other| openings(archive.tokens(other.place)).is_empty())
        .map(|other| other.cover)
        .fold(0.0_f64, f64::max);
    within >= 3 && behind >= 2 && hit.cover >= COVER && hit.cover > plain + 0.05
}

/// The passage that a promise or a proof was made from, where it leaves the thing open and shares the figures or nearly all
/// that the sentence speaks of; and no passage with as much says it plainly.
fn settled(
    archive: &Archive<'_>,
    (reading, index): (&Reading<'_>, usize),
    spoken: &[Token],
    at: usize,
    hits: &[Hit],
) -> Option<Place> {
    let marker = spoken.get(at).map_or("", |token| token.stem.as_str());
    let mut asked = matter(spoken);
    asked.retain(|stem| *stem != marker);
    let figures = siblings(reading, index);
    // What the hedge's own clause shares: "the number is 28, and we expect to fill them soon" leaves no number open.
    let shares = |place: Place| {
        let (tokens, source) = (archive.tokens(place), archive.reading(place));
        let hedged = openings(tokens).into_iter().map(|at| clause(source, tokens, at));
        let whole = disclaimed(archive, place).then_some(0..tokens.len());
        hedged
            .chain(whole)
            .map(|range| {
                let tokens = tokens.get(range).unwrap_or_default();
                let words = asked.iter().filter(|stem| tokens.iter().any(|token| token.stem == ***stem)).count();
                let bytes = tokens.first().map_or(0, |token| token.start)..tokens.last().map_or(0, |token| token.end);
                let held = source.map_or(&[][..], |source| source.figures_between(bytes.start, bytes.end));
                (words, figures.iter().filter(|figure| held.iter().any(|theirs| figure.same(theirs))).count())
            })
            .max()
            .unwrap_or_default()
    };
    let open = |place: Place| !openings(archive.tokens(place)).is_empty() || disclaimed(archive, place);
    let plain = hits.iter().filter(|hit| !open(hit.place)).map(|hit| hit.cover).fold(0.0_f64, f64::max);
    let found = hits.iter().filter(|hit| open(hit.place)).find(|hit| {
        let (words, same) = shares(hit.place);
        let nearly = words + 1 >= asked.len() && words >= 2;
        (words >= 3 && same >= 1 || nearly) && hit.cover >= PLAIN && hit.cover > plain + 0.05
    });
    found.map(|hit| hit.place)
}

/// Whether the sentence behind one says that this is not known, promised or tested.
fn disclaimed(archive: &Archive<'_>, place: Place) -> bool {
    let next = Place { line: place.line + 1, ..place };
    let beside = archive.line(place).zip(archive.line(next)).is_some_and(|(a, b)| a.paragraph == b.paragraph);
    beside && disclaims(archive.tokens(next))
}

/// A passage that says of the sentence's matter that things go together, or that no cause can be told.
fn cause(archive: &Archive<'_>, stems: &[&str]) -> Option<Place> {
    let mut places: Vec<(f64, Place)> = Vec::new();
    for (source, reading) in archive.readings.iter().enumerate() {
        for line in 0..reading.lines.len() {
            let tokens = reading.line_tokens(line);
            if !associates(tokens) {
                continue;
            }
            let own = content(tokens);
            let shared: Vec<&&str> = stems.iter().filter(|stem| own.contains(stem)).collect();
            if shared.len() >= 2 {
                places.push((shared.iter().map(|stem| archive.weight(stem)).sum(), Place { source, line }));
            }
        }
    }
    places.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    places.first().filter(|(weight, _)| *weight > 4.0).map(|(_, place)| *place)
}

#[cfg(test)]
mod tests {
    use crate::proof::check_texts;

    const SOURCE: &str = "A preliminary computer model suggests the basin could reduce the depth of flooding on Canal Road by about \
                          one third in a ten-year storm. The library is believed to be the oldest in Tamarack County. Tutoring in \
                          small groups was associated with better word reading. The town laid new pipes in 2019.";

    fn rules(draft: &str) -> Vec<String> {
        check_texts(draft, SOURCE).into_iter().map(|f| f.rule).collect()
    }

    #[test]
    fn what_the_source_leaves_open_is_no_fact() {
        assert_eq!(
            rules("It will reduce flooding on Canal Road by one third in a ten-year storm."),
            ["certainty.inflated"]
        );
        assert_eq!(rules("The library is the oldest in Tamarack County."), ["certainty.inflated"]);
        assert_eq!(
            rules("A model suggests it could reduce flooding on Canal Road by one third in a ten-year storm."),
            [""; 0]
        );
        assert_eq!(rules("The town laid new pipes in 2019."), [""; 0]);
    }

    #[test]
    fn a_sentence_that_keeps_what_its_source_leaves_open_has_a_row() {
        use crate::{
            newsroom::{SpanKind, Standing},
            proof::{Gravity, ledger, texts},
        };
        let rows = |draft: &str| {
            let (article, sources) = texts(draft, SOURCE);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().filter(|row| row.kind == SpanKind::Certainty).map(|row| row.standing).collect::<Vec<_>>()
        };
        assert_eq!(rows("The library is believed to be the oldest in Tamarack County."), [Standing::Found]);
        assert_eq!(rows("The town may have laid new pipes in 2019."), [Standing::Unchecked]);
        assert_eq!(rows("The library is the oldest in Tamarack County."), [Standing::Inflated]);
        assert_eq!(rows("The town laid new pipes in 2019."), []);
    }

    #[test]
    fn a_promise_is_no_expectation() {
        let source = "BERG: I would expect the first trial report in about nine weeks.\n\nBERG: Part of the drop in catches may be \
                      due to the warm spring.\n\nLUND: We would expect spills to fall, maybe four or five percentage points. I can’t \
                      promise it.\n\nThe number of boats is 28, and we expect to sell two of them.";
        let rules = |draft: &str| check_texts(draft, source).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        for faulty in [
            "A first trial report will be out in nine weeks.",
            "That explains part of the drop in catches.",
            "The plan will cut spills by four or five points.",
        ] {
            assert_eq!(rules(faulty), ["certainty.inflated"], "{faulty}");
        }
        for fine in [
            "A first trial report is due to be out in nine weeks.",
            "The report is set to be out in nine weeks.",
            "That may explain part of the drop in catches.",
            "The harbour will have 28 boats.",
        ] {
            assert_eq!(rules(fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn what_a_speaker_says_of_himself_stands_in_no_draft() {
        let repairs = |source: &str| {
            let draft = "The old mill will open in the spring of next year with eleven rooms.";
            check_texts(draft, source).into_iter().map(|f| f.replacement).collect::<Vec<_>>()
        };
        let plain = "The old mill could open in the spring of next year with eleven rooms.";
        assert_eq!(repairs(plain), [Some(plain.to_owned())]);
        for spoken in [
            "LUND: The old mill could open in the spring of next year with eleven rooms.",
            "I guess that the old mill could open in the spring of next year with eleven rooms.",
            "This old mill could open in the spring of next year with eleven rooms.",
        ] {
            assert_eq!(repairs(spoken), [Some(String::new())], "{spoken}");
        }
    }

    #[test]
    fn a_headline_that_names_the_matter_claims_nothing() {
        let source = "It may have been the mast, it may have been the keel, said the surveyor of the wreck.";
        let article = |headline: &str| crate::newsroom::ArticleResponse {
            headline: headline.to_owned(),
            alternativeHeadline: String::new(),
            articleBody: String::new(),
            description: String::new(),
        };
        let sources = [crate::newsroom::Source { name: "s".to_owned(), text: source.to_owned() }];
        assert_eq!(crate::proof::check(&article("Surveyor looks at mast, keel and wreck"), &sources), []);
    }

    #[test]
    fn going_together_is_no_cause() {
        assert_eq!(rules("Tutoring in small groups improved word reading."), ["certainty.cause"]);
        assert_eq!(rules("Tutoring in small groups was linked to better word reading."), [""; 0]);
    }
}
