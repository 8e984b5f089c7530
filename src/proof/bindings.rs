//! What a figure is bound to: the words around it, by which two figures can be seen to speak of one thing.

use super::{
    archive::{Archive, Place},
    figure::Figure,
    reading::Reading,
    speakers::is_saying,
    token::Token,
};

/// How many words on either side bind a figure.
const REACH: usize = 8;

/// The content around a figure in its sentence, without the figures there.
pub(super) fn around<'r>(reading: &'r Reading<'_>, figure: &Figure) -> Vec<&'r str> {
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let range = reading.lines.get(line).map_or(0..0, |l| l.tokens.clone());
    let start = figure.tokens.start.saturating_sub(REACH).max(range.start);
    let end = (figure.tokens.end + REACH).min(range.end);
    let tokens = reading.tokens.get(start..end).unwrap_or_default();
    words(tokens.iter())
}

/// The content of a sentence without its figures.
pub(super) fn of_line<'r>(reading: &'r Reading<'_>, line: usize) -> Vec<&'r str> {
    words(reading.line_tokens(line).iter())
}

/// Content without figures, and where somebody speaks without the speaker's name and title: they tell who, not of what.
fn words<'r>(tokens: impl Iterator<Item = &'r Token>) -> Vec<&'r str> {
    let tokens: Vec<&Token> = tokens.collect();
    let spoken = tokens.iter().any(|token| is_saying(&token.word));
    let mut stems: Vec<&str> = Vec::new();
    for (at, token) in tokens.into_iter().enumerate() {
        let counts = token.stem.starts_with(|c: char| c.is_ascii_digit())
            || matches!(token.word.as_str(), "percent" | "cent" | "million" | "billion" | "thousand" | "hundred");
        let who = spoken && at > 0 && token.capital;
        if !token.stop && !counts && !who && !stems.contains(&token.stem.as_str()) {
            stems.push(&token.stem);
        }
    }
    stems
}

/// The first content word behind a figure, within three words and before any mark: what is counted.
pub(super) fn counted<'r>(reading: &'r Reading<'_>, figure: &Figure) -> Option<&'r Token> {
    let last = reading.tokens.get(figure.tokens.end.checked_sub(1)?)?;
    let mut end = figure.end.max(last.end);
    for token in reading.tokens.get(figure.tokens.end..)?.iter().take(3) {
        let gap = reading.text.get(end..token.start)?;
        if token.line != last.line || gap.contains([',', ';', ':', '(', ')', '"', '“', '”', '–', '—']) {
            return None;
        }
        if !token.stop && !token.stem.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(token);
        }
        if matches!(token.word.as_str(), "in" | "on" | "at" | "by" | "from" | "to" | "and" | "or" | "for" | "with") {
            return None;
        }
        end = token.end;
    }
    None
}

/// Weight of what two lists of stems share.
pub(super) fn shared(archive: &Archive<'_>, one: &[&str], other: &[&str]) -> f64 {
    one.iter().filter(|stem| other.contains(stem)).map(|stem| archive.weight(stem)).sum()
}

/// How many stems two lists share.
pub(super) fn common(one: &[&str], other: &[&str]) -> usize {
    one.iter().filter(|stem| other.contains(stem)).count()
}

/// How much binds a figure of the draft to one of a source: what is around both counts twice, what the sentences share
/// once, and so do the other figures that both sentences hold.
pub(super) fn strength(archive: &Archive<'_>, draft: (&Reading<'_>, &Figure), place: Place, figure: &Figure) -> f64 {
    let Some(reading) = archive.reading(place) else { return 0.0 };
    let line = draft.0.tokens.get(draft.1.tokens.start).map_or(0, |token| token.line);
    let own = of_line(draft.0, line);
    let near = shared(archive, &around(draft.0, draft.1), &around(reading, figure));
    let mut wide = of_line(reading, place.line);
    for beside in archive.window(place, 1) {
        wide.extend(of_line(reading, beside));
    }
    let companions = companions(draft.0, draft.1)
        .take(12)
        .filter(|other| siblings(reading, place.line).iter().take(24).any(|theirs| other.same(theirs)))
        .count();
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    let companions = companions as f64;
    2.0 * near + shared(archive, &own, &wide) + 3.0 * companions
}

/// The figures of a sentence.
pub(super) fn siblings<'r>(reading: &'r Reading<'_>, line: usize) -> &'r [Figure] {
    reading.lines.get(line).map_or(&[], |l| reading.figures_between(l.start, l.end))
}

/// The other figures of a figure's sentence.
pub(super) fn companions<'r>(reading: &'r Reading<'_>, figure: &Figure) -> impl Iterator<Item = &'r Figure> {
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let start = figure.start;
    siblings(reading, line).iter().filter(move |other| other.start != start)
}
