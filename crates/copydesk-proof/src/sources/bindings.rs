//! The subject of a figure: the words around it show whether two figures are about the same thing.

use std::ops::Range;

use crate::{
    reading::{Figure, FigureKind, ParsedText, Token, month, weekday},
    sources::{SourceArchive, SourceLine},
    words::{Class, WordList, list},
};
use copydesk_text::thousands;

/// Words before a number that make it a name: `Table 2`, `Room 212`.
static LABELS: WordList = list::words(
    "table figure fig item engine room line section document memo ward page chapter grade route bus no number slide \
     appendix exhibit option phase step article paragraph case unit version district platform gate flight channel \
     volume part clause act schedule annex tram train flat apartment suite lot building class level type",
);

/// Words up to this distance stand right around a figure.
const NEAREST: usize = 4;

/// Words up to this distance are about a figure.
const REACH: usize = 8;

/// The content words around a figure in its sentence, without figures.
pub fn around<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> Vec<&'r str> {
    words(beside(reading, figure).iter())
}

/// The words around a figure in its sentence.
fn beside<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> &'r [Token] {
    let line = reading.line_of(&figure.tokens);
    let range = reading.lines.get(line).map_or(0..0, |l| l.tokens.clone());
    let start = figure.tokens.start.saturating_sub(REACH).max(range.start);
    let end = (figure.tokens.end + REACH).min(range.end);
    reading.tokens.get(start..end).unwrap_or_default()
}

/// The content words of a sentence, without figures.
pub fn of_line<'r>(reading: &'r ParsedText<'_>, line: usize) -> Vec<&'r str> {
    words(reading.line_tokens(line).iter())
}

/// Content words without figures. If a person speaks, also without the speaker's name and title, which are not the topic.
fn words<'r>(tokens: impl Iterator<Item = &'r Token> + Clone) -> Vec<&'r str> {
    let mut known: Vec<u32> = Vec::new();
    let mut stems = Vec::new();
    for token in telling(tokens) {
        if !known.contains(&token.stem_id) {
            known.push(token.stem_id);
            stems.push(token.stem.as_str());
        }
    }
    stems
}

/// The words that [`words`] takes, with repetitions.
fn telling<'r>(tokens: impl Iterator<Item = &'r Token> + Clone) -> impl Iterator<Item = &'r Token> {
    let spoken = tokens.clone().any(|token| token.class.has(Class::SAYS));
    tokens.enumerate().filter_map(move |(at, token)| {
        let who = spoken && at > 0 && token.capital;
        (!token.stop && !token.class.has(Class::NUMBER) && !who).then_some(token)
    })
}

/// The noun that a figure counts: the first content word after it, within three words and before any punctuation. `Five of the twelve
/// wells` are wells.
pub fn counted<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> Option<&'r Token> {
    let last = reading.tokens.get(figure.tokens.end.checked_sub(1)?)?;
    let mut end = figure.end.max(last.end);
    let number = |token: &&Token| token.stem.starts_with(|c: char| c.is_ascii_digit());
    for token in reading.tokens.get(figure.tokens.end..)?.iter().filter(|token| !number(token)).take(3) {
        let gap = reading.text.get(end..token.start)?;
        if token.line != last.line || gap.contains([',', ';', ':', '(', ')', '"', '“', '”', '–', '—']) {
            return None;
        }
        if !token.stop {
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
pub fn shared(archive: &SourceArchive<'_>, one: &[&str], other: &[&str]) -> f64 {
    one.iter().filter(|stem| other.contains(stem)).map(|stem| archive.weight(stem)).sum()
}

/// How many stems two lists share.
pub fn common(one: &[&str], other: &[&str]) -> usize {
    one.iter().filter(|stem| other.contains(stem)).count()
}

/// A figure of the draft and its surroundings, read once and compared with many figures of the sources.
pub struct Bond<'d> {
    pub reading: &'d ParsedText<'d>,
    pub figure: &'d Figure,
    /// The numbers of the stems around it in the sources, with their weights.
    near: Vec<(u32, f64)>,
    /// The stems of its sentence.
    own: Vec<(u32, f64)>,
}

impl<'d> Bond<'d> {
    pub fn of(archive: &SourceArchive<'_>, reading: &'d ParsedText<'d>, figure: &'d Figure) -> Self {
        let line = reading.line_of(&figure.tokens);
        let weighed = |stems: Vec<&str>| -> Vec<(u32, f64)> {
            stems.into_iter().filter_map(|stem| Some((archive.forms.stem(stem)?, archive.weight(stem)))).collect()
        };
        let (near, own) = (weighed(around(reading, figure)), weighed(of_line(reading, line)));
        Self { reading, figure, near, own }
    }

    /// Returns how much it has in common with a figure of a source. The words around both figures count twice, the words that the sentences
    /// share once, and each other figure that both have three.
    pub fn strength(&self, archive: &SourceArchive<'_>, place: SourceLine, figure: &Figure) -> f64 {
        let Some(reading) = archive.reading(place) else { return 0.0 };
        let held: Vec<u32> = telling(beside(reading, figure).iter()).map(|token| token.stem_id).collect();
        let near = carried(&self.near, &held);
        let mut wide = Vec::with_capacity(64);
        for line in archive.window(place, 1) {
            wide.extend(telling(reading.line_tokens(line).iter()).map(|token| token.stem_id));
        }
        let companions = companions(self.reading, self.figure)
            .take(12)
            .filter(|other| siblings(reading, place.line).iter().take(24).any(|theirs| other.same(theirs)))
            .count();
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let companions = companions as f64;
        2.0 * near + carried(&self.own, &wide) + 3.0 * companions
    }
}

/// The weight of those stems that are among some others.
fn carried(stems: &[(u32, f64)], held: &[u32]) -> f64 {
    stems.iter().filter(|(stem, _)| held.contains(stem)).map(|(_, weight)| weight).sum()
}

/// The figures of a sentence.
pub fn siblings<'r>(reading: &'r ParsedText<'_>, line: usize) -> &'r [Figure] {
    reading.lines.get(line).map_or(&[], |l| reading.figures_between(l.start, l.end))
}

/// The figures of a source's sentence.
pub fn figures_at<'s>(archive: &'s SourceArchive<'_>, place: SourceLine) -> &'s [Figure] {
    archive.reading(place).map_or(&[], |source| siblings(source, place.line))
}

/// The figure that a source's sentence has for the one day or month of the draft's sentence, if the source's has a day for each: `90 in May
/// and 110 in June`.
pub fn of_the_day<'r>(
    draft: &ParsedText<'_>,
    figure: &Figure,
    source: &'r ParsedText<'_>,
    line: usize,
) -> Option<&'r Figure> {
    let day = |token: &Token| month(token).map(|month| (month, 0)).or_else(|| weekday(token).map(|day| (0, day)));
    let own = draft.line_tokens(draft.line_of(&figure.tokens)).iter().filter(|token| token.capital);
    let mut own = own.filter_map(day);
    let only = own.next().filter(|_| own.next().is_none() && figure.kind != FigureKind::Date)?;
    let figures = siblings(source, line);
    let kind =
        figures.iter().filter(|theirs| figure.comparable(theirs)).map(|theirs| (theirs.tokens.start, Some(theirs)));
    let is_day = |at: &usize| source.tokens.get(*at).is_some_and(|token| token.capital && day(token).is_some());
    let days = source.lines.get(line)?.tokens.clone().filter(is_day);
    let mut all: Vec<(usize, Option<&Figure>)> = kind.chain(days.map(|at| (at, None))).collect();
    all.sort_unstable_by_key(|(at, _)| *at);
    all.truncate(all.len() / 2 * 2);
    let pairs =
        all.len() > 3 && all.windows(2).all(|two| matches!(two, [one, other] if one.1.is_some() != other.1.is_some()));
    let is = |at: usize| source.tokens.get(at).and_then(day) == Some(only);
    let found =
        all.chunks(2).find(|pair| pair.iter().any(|(at, figure)| figure.is_none() && is(*at))).filter(|_| pairs)?;
    found.iter().find_map(|(_, figure)| *figure)
}

/// The other figures of a figure's sentence.
pub fn companions<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> impl Iterator<Item = &'r Figure> {
    let line = reading.line_of(&figure.tokens);
    let start = figure.start;
    siblings(reading, line).iter().filter(move |other| other.start != start)
}

/// The content words right around a figure, within the punctuation around it.
pub fn nearest<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> Vec<&'r str> {
    let Range { start, end } = figure.tokens;
    let line = reading.tokens.get(start).map_or(0, |token| token.line);
    let marked = |from: usize, to: usize| {
        let gap = reading.text.get(from..to).unwrap_or(";");
        gap.contains([',', ';', ':', '(', ')', '"', '“', '”', '–', '—'])
    };
    let mut found: Vec<&Token> = Vec::new();
    let mut edge = figure.start;
    for token in reading.words_before(start, NEAREST).iter().rev() {
        if token.line != line || marked(token.end, edge) {
            break;
        }
        found.push(token);
        edge = token.start;
    }
    edge = figure.end;
    for token in reading.tokens.get(end..).unwrap_or_default().iter().take(NEAREST) {
        if token.line != line || marked(edge, token.start.max(edge)) {
            break;
        }
        found.push(token);
        edge = token.end;
    }
    words(found.iter().copied())
}

/// Whether a number is a name and counts nothing: `Table 2`, `Engine 6`, the `3.` of a list, `26/114`.
pub fn is_label(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    if !matches!(figure.kind, FigureKind::Count | FigureKind::Year) || figure.spelled {
        return false;
    }
    let head = reading.text.get(..figure.start).unwrap_or_default();
    let tail = reading.text.get(figure.end..).unwrap_or_default();
    let row = head.rsplit('\n').next().unwrap_or_default();
    if head.ends_with(['/', '#', '№']) || tail.starts_with('/') || row.trim().is_empty() && tail.starts_with(['.', ')'])
    {
        return true;
    }
    let at = figure.tokens.start;
    let Some(before) = at.checked_sub(1).and_then(|at| reading.tokens.get(at)) else { return false };
    let opens = reading.lines.get(before.line).is_some_and(|line| line.start == before.start);
    let gap = reading.text.get(before.end..figure.start).unwrap_or_default();
    // "Market Street 96 in 2021" counts.
    let dated = tail.strip_prefix(" in ").is_some_and(|year| year.starts_with(|c: char| c.is_ascii_digit()));
    let named = before.capital && !before.stop && !opens && !dated && figure.value < 100.0;
    matches!(gap.trim(), "" | ".") && (LABELS.contains(&before.word) || named)
}

/// The source's figure in the draft's form: unit, currency, full stop, capital letter. None if the new sentence would
/// not read as the source's figure.
pub fn fitted(reading: &ParsedText<'_>, figure: &Figure, source: &ParsedText<'_>, other: &Figure) -> Option<String> {
    let old = reading.slice(figure.start..figure.end);
    let shown = one_line(source.slice(other.start..other.end));
    let sentence = reading.lines.get(reading.line_at(figure.start));
    let start = sentence.map_or(figure.start, |line| line.start.min(figure.start));
    let end = sentence.map_or(figure.end, |line| line.end.max(figure.end));
    let (head, tail) = (reading.text.get(start..figure.start)?, reading.text.get(figure.end..end)?);
    let symbol = |text: &str| text.chars().next().filter(|c| matches!(c, '$' | '£' | '€' | '¥'));
    let mut new = match figure.kind {
        FigureKind::Percent => {
            let unit = reading.slice(number_end(reading, figure)..figure.end);
            let mixed = other.spelled && !figure.spelled;
            let number = if mixed {
                format!("{}", other.value)
            } else {
                one_line(source.slice(other.start..number_end(source, other)))
            };
            format!("{number}{unit}")
        }
        FigureKind::Money(_) => match (symbol(old), symbol(&shown)) {
            (Some(mine), Some(theirs)) if mine != theirs => return None,
            (Some(mine), None) => format!("{mine}{}", grouped(other.value)?),
            (None, Some(_)) => return None,
            _ => shown,
        },
        _ => shown,
    };
    if new.ends_with('.') && tail.starts_with('.') {
        new.pop();
    } else if old.ends_with('.') && !new.ends_with('.') && !tail.chars().any(char::is_alphanumeric) {
        new.push('.');
    }
    let begins = !head.chars().any(char::is_alphanumeric);
    if begins && new.starts_with(|c: char| c.is_ascii_digit()) {
        new = (figure.kind == FigureKind::Count).then(|| in_words(other.value)).flatten()?;
    }
    if begins || other.spelled {
        let mut chars = new.chars();
        let first = chars.next()?;
        let first: String = if begins { first.to_uppercase().collect() } else { first.to_lowercase().collect() };
        new = format!("{first}{}", chars.as_str());
    }
    // The new sentence must read as the source's figure, and no other figure may change.
    let line = format!("{head}{new}{tail}");
    let again = ParsedText::new(&line);
    let before = reading.figures_between(start, end).len();
    let read = again.figures.iter().find(|read| read.start == head.len())?;
    let stands = read.kind == other.kind && read.same(other) && read.half_day >= figure.half_day;
    (stands && again.figures.len() == before).then_some(new)
}

/// The byte at which a figure's number ends and its unit begins.
fn number_end(reading: &ParsedText<'_>, figure: &Figure) -> usize {
    let tokens = reading.tokens.get(figure.tokens.clone()).unwrap_or_default();
    let unit = |token: &Token| matches!(token.word.as_str(), "percent" | "percentage" | "pct" | "per" | "cent");
    tokens.iter().rfind(|token| !unit(token)).map_or(figure.end, |token| token.end)
}

/// A number in digits, in groups of three. None if it is too large.
fn grouped(value: f64) -> Option<String> {
    if value.fract().abs() > 1e-9 {
        return (value < 1_000.0).then(|| format!("{value:.2}"));
    }
    format!("{value:.0}").parse().ok().map(thousands)
}

/// A whole number below a hundred in words, for the start of a sentence.
pub fn in_words(value: f64) -> Option<String> {
    const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
                        sixteen seventeen eighteen nineteen";
    const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
    let nth =
        |list: &'static str, wanted: u32| list.split(' ').zip(0..).find(|(_, at)| *at == wanted).map(|(word, _)| word);
    let whole = (0..100u32).find(|whole| (f64::from(*whole) - value).abs() < 1e-9)?;
    if whole < 20 {
        return nth(ONES, whole).map(str::to_owned);
    }
    let tens = nth(TENS, whole / 10 - 2)?;
    if whole % 10 == 0 { Some(tens.to_owned()) } else { Some(format!("{tens}-{}", nth(ONES, whole % 10)?)) }
}

/// A text in one line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
