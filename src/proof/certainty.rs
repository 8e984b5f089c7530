//! Certainty: what a source leaves open, the draft leaves open; what a source denies, the draft does not assert.
//!
//! Why: “may help” that becomes “will help” is the commonest way for copy to say more than anybody said. The rule needs a
//! passage that plainly is the one the sentence was made from, a hedge right beside the words they share, no hedge in the
//! draft's sentence, and no passage as near that states the thing as fact.

use std::ops::Range;

use crate::newsroom::{ConcernType, SourceSpan};

use super::{
    archive::{Archive, Hit, Place, content},
    desk::{Found, Ledger},
    hedges::{associates, claims_cause, denies, openings, softens},
    negation,
    reading::Reading,
    speakers::is_saying,
    token::Token,
};

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
            let announces = at < 2 && field.reading.line_tokens(index).iter().any(|token| token.word == "to");
            if line.heading || announces || ledger.taken(at, line.start, line.end) {
                continue;
            }
            let Some((rule, passage)) = judge(&desk.archive, &field.reading, index) else { continue };
            let (concern_type, note) = match rule {
                "certainty.inflated" => {
                    (ConcernType::CertaintyInflation, "The source leaves this open; the draft does not.")
                }
                "certainty.cause" => (
                    ConcernType::CertaintyInflation,
                    "The source says that these go together, not that one causes the other.",
                ),
                _ => (ConcernType::UnsupportedFact, "The source says the opposite: one of the two denies it."),
            };
            ledger.enter(Found {
                concern_type,
                rule: if rule == "certainty.cause" { "certainty.inflated" } else { rule },
                field: at,
                start: line.start,
                end: line.end,
                note: note.to_owned(),
                replacement: passage.as_ref().map(|span| statement(&span.text)),
                passage,
            });
        }
    }
}

/// A source's sentence as it can stand in a draft: in one line, without a time code or a speaker's label.
fn statement(text: &str) -> String {
    let label = crate::text::sentences::speaker(text).and_then(|range| text.get(range.end + 1..)).unwrap_or(text);
    label.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn judge(archive: &Archive<'_>, reading: &Reading<'_>, index: usize) -> Option<(&'static str, Option<SourceSpan>)> {
    let spoken: Vec<Token> = reading.line_tokens(index).iter().filter(|token| !token.quoted()).cloned().collect();
    let stems = matter(&spoken);
    // A hedge inside a quotation hedges what leads to it, too.
    let quoted: Vec<Token> = reading.line_tokens(index).iter().filter(|token| token.quoted()).cloned().collect();
    if stems.len() < 3 || softens(&quoted) || reading.line_text(index).ends_with('?') {
        return None;
    }
    let unquoted = spoken.len() == reading.line_tokens(index).len();
    if unquoted && let Some(place) = negation::opposite(archive, &spoken, &stems) {
        return Some(("certainty.negation", archive.sentence(place)));
    }
    if softens(&spoken) || spoken.iter().any(denies) {
        return None;
    }
    let hits = archive.passages(&stems, 8);
    if let Some(hit) = inflated(archive, &stems, &hits) {
        return Some(("certainty.inflated", archive.sentence(hit.place)));
    }
    if claims_cause(&spoken)
        && let Some(place) = cause(archive, &stems)
    {
        return Some(("certainty.cause", archive.sentence(place)));
    }
    None
}

/// What a sentence speaks of: its content without the names and titles of those who say it.
fn matter(tokens: &[Token]) -> Vec<&str> {
    let says = tokens.iter().any(|token| is_saying(&token.word) || token.word == "according");
    let named = |at: usize, token: &Token| is_saying(&token.word) || says && at > 0 && token.capital;
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
    fn going_together_is_no_cause() {
        assert_eq!(rules("Tutoring in small groups improved word reading."), ["certainty.inflated"]);
        assert_eq!(rules("Tutoring in small groups was linked to better word reading."), [""; 0]);
    }
}
