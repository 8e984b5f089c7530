//! Whether a source says a figure of the same thing.
//!
//! Every value of the kind in the passages competes: the draft's own value, wherever the sources have it, and the other values that stand
//! beside its words. The words around a figure are those of its stretch, from comma to comma; words in the stretch of another figure belong
//! to that one.

use std::ops::Range;

use copydesk_text::tagger::Tag;
use foldhash::HashSet;

use crate::{
    binding::alignment::{Alignment, tells, worth},
    reading::{
        Figure, FigureKind, ParsedText, Token,
        grammar::{measured, parties},
    },
    sources::{SourceArchive, SourceLine, companions, counted, is_label, siblings},
    words::{Class, WordList, words},
};

/// Words of a meeting or a paper whose day its heading has.
static THEN: WordList = words(
    "met meets meeting hearing heard session held debate debated voted approved issued published dated decision \
     ruling agreed adopted passed rejected refused ordered announced decided resolved elected appointed recommended \
     vote minutes statement release letter reported",
);

/// Words of a document's head, in a line that may be longer.
static HEADS: WordList = words(
    "minutes meeting release statement letter hearing session transcript proceedings agenda dated date published memo memorandum report",
);

/// A head is among the first lines of its document.
const TOP: usize = 6;

/// A report's date stands behind so many words of its place.
const DATELINE: usize = 3;

/// A value is bound to a place that has so much of what the draft says around it.
const BOUND: f64 = 0.45;

/// Or of the stretch around it, if no other value has nearly as much of that.
const AT_ONCE: f64 = 0.7;
const ALONE: f64 = 0.3;

/// Or of nearly the whole stretch, if it has so many digits.
const CLOSE: f64 = 0.9;
const DIGITS: usize = 4;

/// Or of the stretch, if other figures of the sentence stand beside it.
const ACCOMPANIED: f64 = 0.6;

/// A value that nothing competes with needs less.
const UNRIVALLED: f64 = 0.4;

/// Another value that fits better by so much makes it doubtful.
const DOUBT: f64 = 0.1;

/// The share of a word's weight that counts if the word is in another stretch of the sentence.
const FAR: f64 = 0.4;

/// A line that dates its source has at most so many other words.
const HEADING: usize = 4;

/// The preposition before a figure is at most so many words away.
const LEADS: usize = 4;

/// The weight of a figure in the same stretch, such as the year of an amount.
const BESIDE: f64 = 4.0;

/// At most so many sentences are compared that have so much of what the figure is told with.
const STRETCHES: usize = 6;
const COVERED: f64 = 0.45;

/// At most so many places of a value are compared.
const PLACES: usize = 24;

/// A place of a value in the sources, and how well its words fit the draft's, 0 to 1.
#[derive(Debug, Clone)]
pub struct FigureFit {
    pub place: SourceLine,
    pub whole: f64,
    /// The same for the words of the figure's own stretch alone.
    pub near: f64,
    /// Whether it names by whom, for whom and of what, as the draft does.
    pub named: bool,
    /// How many other figures of the draft's sentence its sentence has.
    company: usize,
}

/// A figure of the draft, tied to the sources.
#[derive(Debug, Clone, Default)]
pub struct Tie {
    /// The best place of the same value.
    pub same: Option<FigureFit>,
    /// The best place of another value of the kind.
    pub other: Option<FigureFit>,
    /// The place of another value that has most of the words right around the figure.
    pub nearest: Option<FigureFit>,
    /// The heading that dates the source, if the figure is its day.
    pub heading: Option<SourceLine>,
}

impl Tie {
    /// The place that the value is bound to, if it is.
    pub fn bound(&self, figure: &Figure) -> Option<SourceLine> {
        let date = matches!(figure.kind, FigureKind::Year | FigureKind::Date | FigureKind::Time);
        if self.heading.is_some() {
            return self.heading;
        }
        let same = self.same.as_ref().filter(|same| same.named)?;
        let rival = |of: fn(&FigureFit) -> f64, fit: &Option<FigureFit>| fit.as_ref().map_or(0.0, of);
        let (whole, near) = (rival(|fit| fit.whole, &self.other), rival(|fit| fit.near, &self.nearest));
        // No other amount is likely to have all the digits of 12,843.
        let alone = near <= same.near - ALONE || exact(figure.value) && same.near >= CLOSE;
        let at_once = !date && same.near >= AT_ONCE && alone;
        let least = if whole == 0.0 && !date { UNRIVALLED } else { BOUND };
        // The other figures of the sentence stand there as well, and nothing else fits better.
        let (others, company) = self.nearest.as_ref().map_or((0.0, 0), |other| (other.near, other.company));
        let accompanied =
            same.company > 0 && same.company >= company && same.near >= ACCOMPANIED && same.near >= others;
        (at_once || accompanied && whole <= same.whole + DOUBT || same.whole >= least && whole <= same.whole + DOUBT)
            .then_some(same.place)
    }
}

/// Ties a figure to its places in the sources, `same`, and to those of other values.
pub fn tie(
    archive: &SourceArchive<'_>,
    reading: &ParsedText<'_>,
    alignment: &Alignment,
    figure: &Figure,
    same: &[(SourceLine, &Figure)],
) -> Tie {
    let around = Around::of(archive, reading, figure);
    let mut passages: Vec<SourceLine> = alignment.places().collect();
    // A sentence may tell several facts, and the passage of this one may have little of the others.
    let own = reading.tokens.get(domain(reading, figure)).unwrap_or_default();
    let own: Vec<&str> = own.iter().filter(|token| tells(token)).map(|token| token.stem.as_str()).collect();
    let hits = archive.passages(&own, STRETCHES).into_iter().filter(|hit| hit.cover >= COVERED);
    passages.extend(hits.map(|hit| hit.place));
    passages.sort_unstable();
    passages.dedup();
    let others = passages.into_iter().flat_map(|place| {
        let source = archive.reading(place);
        let figures = source.map_or(&[][..], |source| siblings(source, place.line));
        let figures = figures.iter().filter(|theirs| figure.comparable(theirs) && !figure.same(theirs));
        figures.filter_map(move |theirs| source.map(|source| (place, source, theirs)))
    });
    let others = others.filter(|(_, source, theirs)| !is_label(source, theirs) && around.may_count(source, theirs));
    let others: Vec<FigureFit> = others.filter_map(|(place, _, theirs)| around.fit(archive, place, theirs)).collect();
    let nearest = others.iter().max_by(|one, other| one.near.total_cmp(&other.near)).cloned();
    let same = same.iter().take(PLACES).filter_map(|(place, theirs)| around.fit(archive, *place, theirs));
    // A heading dates what was said and decided then, and nothing that is only told of that day.
    let then = |token: &Token| token.class.has(Class::SAYS) || THEN.contains(&token.word);
    let line = reading.line_tokens(reading.line_of(&figure.tokens));
    let heading = if line.iter().any(then) { dated(archive, figure) } else { None };
    Tie { same: best(same), other: best(others.into_iter()), nearest, heading }
}

/// The words that a figure is told with: its stretch, and the one before if nothing else stands there (`eight months ago, in May last
/// year`).
fn domain(reading: &ParsedText<'_>, figure: &Figure) -> Range<usize> {
    let line = reading.line_of(&figure.tokens);
    let grammar = reading.grammar(line);
    let stretch = grammar.stretch(figure.tokens.start);
    let figures = siblings(reading, line);
    let tells_more = |at: usize| {
        !figures.iter().any(|figure| figure.tokens.contains(&at)) && reading.tokens.get(at).is_some_and(tells)
    };
    if stretch.clone().any(tells_more) {
        return stretch;
    }
    let before = grammar.stretches().iter().rfind(|other| other.end <= stretch.start);
    let rival =
        |other: &Figure| other.comparable(figure) && before.is_some_and(|before| before.contains(&other.tokens.start));
    let before = before.filter(|_| !figures.iter().any(rival));
    before.map_or(stretch.start, |before| before.start)..stretch.end
}

/// Whether a value has several digits in front of its zeros.
fn exact(value: f64) -> bool {
    let digits = format!("{value}");
    digits.trim_end_matches('0').bytes().filter(u8::is_ascii_digit).count() >= DIGITS
}

/// The heading with the day that a figure is.
fn dated(archive: &SourceArchive<'_>, figure: &Figure) -> Option<SourceLine> {
    let day = figure.kind == FigureKind::Date && figure.value % 100.0 > 0.0;
    let days = archive.readings.iter().enumerate().filter(|_| day);
    days.filter_map(|(source, reading)| Some((source, reading, day_of(reading)?)))
        .find(|(.., first)| first.same(figure))
        .map(|(source, reading, first)| SourceLine { source, line: reading.line_of(&first.tokens) })
}

/// The day of a source, from its heading: a line with little else than a date. All such lines of it have the same day.
pub fn day_of<'r>(reading: &'r ParsedText<'_>) -> Option<&'r Figure> {
    let heads = |date: &&Figure| {
        let line = reading.line_of(&date.tokens);
        let other =
            |(at, token): (usize, &Token)| !token.stop && !date.tokens.contains(&at) && !token.class.has(Class::NUMBER);
        let first = reading.lines.get(line).map_or(0, |line| line.tokens.start);
        let words = reading.line_tokens(line);
        let told = words.iter().any(|token| token.class.has(Class::SAYS));
        // "LUND, 9 May 2023 - The council has approved a toll."
        let behind = reading.text.get(date.end..).unwrap_or_default().trim_start_matches([' ', ')']);
        if line < TOP && date.tokens.start <= first + DATELINE && behind.starts_with(['-', '–', '—']) {
            return true;
        }
        // "Next meeting", "the minutes of May 3 were approved"
        if words.iter().any(|token| OF_ANOTHER.contains(&token.word)) {
            return false;
        }
        // "Tel. with the coastguard, Wed 9 Apr 2025"
        if line == 0 && date.written.weekday.is_some() {
            return true;
        }
        if line < TOP && !told && words.iter().any(|token| HEADS.contains(&token.word)) {
            return true;
        }
        let others = words.iter().enumerate().map(|(at, token)| (first + at, token)).filter(|one| other(*one));
        // "The board voted on May 3": a sentence is no heading.
        let grammar = reading.grammar(line);
        let sentence = (first + 1..first + words.len()).any(|at| matches!(grammar.tag(at), Tag::Present | Tag::Past));
        !sentence && others.take(HEADING + 1).count() <= HEADING
    };
    let day = |figure: &Figure| figure.kind == FigureKind::Date && figure.value % 100.0 > 0.0;
    let mut days = reading.figures.iter().filter(|date| day(date) && date.year.is_some()).filter(heads);
    let first = days.next()?;
    days.all(|other| other.same(first)).then_some(first)
}

/// Words of a line that dates another document.
static OF_ANOTHER: WordList =
    words("will shall next previous approved approval adopted signed confirmed corrected effective due deadline");

/// How a sentence leads to a figure: `fell by 2` is a change, `fell to 2` is where it ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    Change,
    Level,
    Other,
}

/// Words between a figure and the preposition that leads to it.
static LOOSE: WordList = words("about around roughly nearly almost just some over under more less than only an a");

fn lead(reading: &ParsedText<'_>, figure: &Figure) -> Lead {
    let line = reading.line_of(&figure.tokens);
    let before = reading.words_before(figure.tokens.start, LEADS).iter().rev();
    let word = before.filter(|token| token.line == line).find(|token| !LOOSE.contains(&token.word));
    match word.map(|token| token.word.as_str()) {
        Some("by") => Lead::Change,
        Some("to" | "at" | "from") => Lead::Level,
        _ => Lead::Other,
    }
}

fn best(fits: impl Iterator<Item = FigureFit>) -> Option<FigureFit> {
    fits.max_by(|one, other| {
        let order = one.whole.total_cmp(&other.whole).then(one.near.total_cmp(&other.near));
        order.then(other.place.cmp(&one.place))
    })
}

/// The words and figures around a figure in the draft.
struct Around {
    /// The words of its stretch, and the others of its sentence: the stems that a source may have for each, and its
    /// weight.
    near: Vec<(HashSet<u32>, f64)>,
    far: Vec<(HashSet<u32>, f64)>,
    /// The noun that it counts: the stems that a source may have for that. None if it does not count.
    counted: Option<HashSet<u32>>,
    /// By whom, for whom or what, and of what, in its stretch: a source that gives the figure must name each of them.
    parties: Vec<HashSet<u32>>,
    lead: Lead,
    /// The other figures of its stretch, and of its sentence.
    pairs: Vec<Figure>,
    company: Vec<Figure>,
}

impl Around {
    fn of(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Self {
        let at = reading.line_of(&figure.tokens);
        let stretch = domain(reading, figure);
        let line = reading.lines.get(at).map_or(0..0, |line| line.tokens.clone());
        let stems = |token: &Token| {
            let mut stems = HashSet::clone(&archive.alike(token));
            stems.extend(archive.forms.stem(&token.stem));
            stems
        };
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for at in line {
            let Some(token) = reading.tokens.get(at).filter(|token| tells(token) && !figure.tokens.contains(&at))
            else {
                continue;
            };
            if stretch.contains(&at) {
                near.push((stems(token), worth(archive, token)));
            } else {
                far.push((archive.forms.stem(&token.stem).into_iter().collect(), worth(archive, token) * FAR));
            }
        }
        let counted = (figure.kind == FigureKind::Count).then(|| counted(reading, figure)).flatten();
        let paid = matches!(figure.kind, FigureKind::Money(_));
        let named = parties(&reading.tokens, reading.grammar(at), stretch.clone(), paid);
        let named = named.into_iter().filter_map(|at| reading.tokens.get(at)).filter(|token| tells(token));
        // A noun that no source has may be the writer's word for the thing.
        let thing = measured(&reading.tokens, reading.grammar(at), stretch.clone(), figure.tokens.start);
        let thing = thing.and_then(|at| reading.tokens.get(at)).filter(|token| tells(token)).map(stems);
        let named = named.map(stems).chain(thing.filter(|stems| !stems.is_empty()));
        let pairs = siblings(reading, at).iter().filter(|other| stretch.contains(&other.tokens.start));
        let pairs = pairs.filter(|other| other.start != figure.start).cloned().collect();
        let lead = lead(reading, figure);
        let company = companions(reading, figure).filter(|other| !other.same(figure)).cloned().collect();
        Self { near, far, counted: counted.map(stems), parties: named.collect(), lead, pairs, company }
    }

    /// Whether a figure of a source can count the same: 30 inspections are no other number of samples.
    fn may_count(&self, source: &ParsedText<'_>, theirs: &Figure) -> bool {
        let Some(own) = self.counted.as_ref() else { return true };
        counted(source, theirs).is_none_or(|thing| own.contains(&thing.stem_id))
    }

    fn fit(&self, archive: &SourceArchive<'_>, place: SourceLine, figure: &Figure) -> Option<FigureFit> {
        let there = FigureContext::of(archive, place, figure)?;
        let source = archive.reading(place)?;
        if matches!((self.lead, lead(source, figure)), (Lead::Change, Lead::Level) | (Lead::Level, Lead::Change)) {
            return None;
        }
        let has = |stems: &HashSet<u32>| stems.iter().any(|stem| there.has(*stem) > 0.3);
        let counts = self.counted.as_ref().is_none_or(has);
        let named = self.parties.iter().all(has);
        let (near, far) = (there.holds(&self.near), there.holds(&self.far));
        let stretch = domain(source, figure);
        let beside = siblings(source, place.line).iter().filter(|other| stretch.contains(&other.tokens.start));
        let held = |pair: &&Figure| beside.clone().any(|other| other.start != figure.start && pair.same(other));
        let another = |pair: &&Figure| {
            beside.clone().any(|other| other.start != figure.start && pair.comparable(other) && !pair.same(other))
        };
        let paired = self.pairs.iter().filter(held).count();
        let apart = self.pairs.iter().filter(|pair| !held(pair) && another(pair)).count();
        #[expect(clippy::cast_precision_loss, reason = "a sentence has few figures")]
        let weigh = |count: usize| count as f64 * BESIDE;
        let near = (near.0 + weigh(paired), near.1 + weigh(paired + apart));
        let share = |(held, total): (f64, f64)| if total > 0.0 { held / total } else { 0.0 };
        let fit = share((near.0 + far.0, near.1 + far.1)) * if counts { 1.0 } else { 0.5 };
        let stands = |other: &&Figure| siblings(source, place.line).iter().any(|theirs| other.same(theirs));
        let company = self.company.iter().filter(|other| !other.same(figure)).filter(stands).count();
        Some(FigureFit { place, whole: fit, near: share(near), named, company })
    }
}

/// The stems around a figure in a source.
struct FigureContext {
    /// The stems of its stretch, and of those that have no figure of the kind.
    own: HashSet<u32>,
    /// Those of the stretches of other figures.
    others: HashSet<u32>,
    /// Those of the sentences beside it and of the speaker's label.
    beside: HashSet<u32>,
}

impl FigureContext {
    fn of(archive: &SourceArchive<'_>, place: SourceLine, figure: &Figure) -> Option<Self> {
        let reading = archive.reading(place)?;
        let line = reading.lines.get(place.line)?;
        let rivals: Vec<&Figure> = companions(reading, figure).filter(|other| other.comparable(figure)).collect();
        let (mut own, mut others) = (HashSet::default(), HashSet::default());
        let stem = |at: usize| reading.tokens.get(at).map(|token| token.stem_id);
        if rivals.is_empty() {
            own.extend(line.tokens.clone().filter_map(stem));
        } else {
            for stretch in reading.grammar(place.line).stretches() {
                let has = |figure: &Figure| stretch.contains(&figure.tokens.start);
                let foreign = !has(figure) && rivals.iter().any(|rival| has(rival));
                if foreign { &mut others } else { &mut own }.extend(stretch.clone().filter_map(stem));
            }
        }
        let paragraph = reading.paragraph(place.line);
        let window = archive.window(place, 1);
        let lines = window.start.max(paragraph.start)..window.end.min(paragraph.end);
        let mut beside: HashSet<u32> = reading.label_tokens(place.line).iter().map(|token| token.stem_id).collect();
        for line in lines.filter(|line| *line != place.line) {
            // Another figure has the words of its own sentence.
            let foreign = siblings(reading, line).iter().any(|other| other.comparable(figure) && !other.same(figure));
            if foreign { &mut others } else { &mut beside }
                .extend(reading.line_tokens(line).iter().map(|token| token.stem_id));
        }
        Some(Self { own, others, beside })
    }

    /// The weight of some words that it has, and their whole weight.
    fn holds(&self, words: &[(HashSet<u32>, f64)]) -> (f64, f64) {
        let held =
            words.iter().map(|(stems, weight)| weight * stems.iter().map(|stem| self.has(*stem)).fold(0.0, f64::max));
        (held.sum(), words.iter().map(|(_, weight)| weight).sum())
    }

    fn has(&self, stem: u32) -> f64 {
        if self.own.contains(&stem) {
            1.0
        } else if self.beside.contains(&stem) {
            0.5
        } else if self.others.contains(&stem) {
            0.2
        } else {
            0.0
        }
    }
}
