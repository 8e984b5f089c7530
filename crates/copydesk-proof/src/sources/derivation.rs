//! A figure that follows from others by a calculation that a reader can repeat.

use std::ops::Range;

use crate::{
    reading::{Figure, FigureKind, ParsedText, near},
    sources::one_line,
};

/// The sentences of a source from which a figure follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivation {
    pub source: usize,
    /// Bytes of the source, its sentences.
    pub range: Range<usize>,
    /// How, in a sentence.
    pub note: String,
}

impl Derivation {
    /// A derivation from a range of sentences.
    pub fn of(reading: &ParsedText<'_>, source: usize, lines: Range<usize>, note: String) -> Option<Self> {
        Some(Self { source, range: reading.bytes_of(lines)?, note })
    }
}

/// A figure as its text has it, in one line.
pub fn shown(reading: &ParsedText<'_>, figure: &Figure) -> String {
    one_line(reading.slice(figure.start..figure.end)).trim_end_matches('.').to_owned()
}

/// A part worked out from its percentage may be off by so much of itself.
const WORKED: f64 = 0.002;

/// How a figure follows from two amounts that lie so far apart.
pub const DIFFERENCE: &str = "The difference of";

/// How a part follows from a percentage and the whole.
pub const PRODUCT: &str = "The product of";

/// How a figure follows from two, a percentage and a whole or two of one kind. A fraction is the part that is left only if the draft tells of a change or a remainder
/// (`worked`). It is the part of both together only if neither is of the other (`apart`).
pub fn follows(one: &Figure, other: &Figure, wanted: &Figure, (worked, apart): (bool, bool)) -> Option<&'static str> {
    // "Federal money would pay 80 percent" of $3.2 million.
    let part = |share: &Figure, whole: &Figure| {
        let amount = matches!(wanted.kind, FigureKind::Money(_) | FigureKind::Count) && whole.comparable(wanted);
        let worked = share.value / 100.0 * whole.value;
        share.kind == FigureKind::Percent
            && amount
            && (worked - wanted.value).abs() <= wanted.slack.max(WORKED * worked)
    };
    if part(one, other) || part(other, one) {
        return Some(PRODUCT);
    }
    if !one.comparable(other) {
        return None;
    }
    let (low, high) = if one.value <= other.value { (one.value, other.value) } else { (other.value, one.value) };
    // The currency may stand only in the column's heading.
    let bare = matches!((wanted.kind, one.kind), (FigureKind::Money(_), FigureKind::Count)) && low >= 1_000.0;
    // Twelve and fifteen percent are three points apart, not three percent.
    let percentages = one.kind == FigureKind::Percent;
    let counts = bare
        || one.comparable(wanted) && !percentages
        || percentages && wanted.kind == FigureKind::Points
        || matches!(wanted.kind, FigureKind::Count)
            && matches!(one.kind, FigureKind::Year | FigureKind::Percent | FigureKind::Time);
    if counts && near(high - low, wanted.value) {
        return Some(DIFFERENCE);
    }
    if counts && !matches!(one.kind, FigureKind::Year | FigureKind::Time) && near(high + low, wanted.value) {
        return Some("The sum of");
    }
    if !matches!(one.kind, FigureKind::Count | FigureKind::Money(_)) || low <= 0.0 {
        return None;
    }
    let ratio = match wanted.kind {
        FigureKind::Percent => wanted.value / 100.0,
        FigureKind::Fraction => wanted.value,
        _ => return None,
    };
    // "17.6 percent" claims a tenth of a point; nearly any two figures come within half a point of something.
    let whole = |places: &f64| (wanted.value * places - (wanted.value * places).round()).abs() < 1e-6;
    let places = [1.0, 10.0, 100.0].into_iter().find(whole);
    let slack = match (wanted.kind, places) {
        (FigureKind::Percent, Some(places)) if places > 1.0 => 0.0055 / places,
        (FigureKind::Percent, None) => 0.000_055,
        (FigureKind::Percent, _) => 0.0055,
        _ => 0.0075,
    };
    let fits = |is: &f64| (is - ratio).abs() < slack;
    let share = fits(&(low / high)) || apart && fits(&(low / (low + high)));
    let changed = worked || wanted.kind != FigureKind::Fraction;
    (share || changed && [(high - low) / low, (high - low) / high].iter().any(fits))
        .then_some("The share or change from")
}

/// Whether the draft's sentence gives the figure as an average.
pub fn averages(draft: &ParsedText<'_>, figure: &Figure) -> bool {
    let line = draft.line_of(&figure.tokens);
    draft.line_tokens(line).iter().any(|token| token.word.starts_with("averag") || token.word == "mean")
}
