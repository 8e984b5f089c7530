//! Finds the source's figure that the draft may have meant, and how closely both are tied to the same thing.

use crate::{
    rules::{number::figure::DraftFigure, prelude::*},
    sources::{Bond, around, common, companions, counted, is_label, nearest, of_line, shared, siblings},
};

/// A sentence with more figures than these is a table.
pub const FIGURES: usize = 24;

/// Another value could be meant as well if it has this share of the best rival's strength.
const CONTEST: f64 = 0.75;

pub struct Rival<'d> {
    pub place: SourceLine,
    pub figure: &'d Figure,
    pub strength: f64,
    /// Whether another value of the sources fits the draft's words nearly as well.
    pub contested: bool,
}

/// The source's best figure of the same kind on the same thing, except those that the draft's sentence already has.
pub fn candidate<'c>(draft: &DraftFigure<'c>, bond: &Bond<'_>) -> Option<Rival<'c>> {
    let (archive, reading, figure) = (draft.archive, draft.reading, draft.figure);
    let mut stems = of_line(reading, draft.line);
    let number = |token: &&Token| token.stem.starts_with(|c: char| c.is_ascii_digit());
    let own = figure.start..figure.end;
    let others = draft.tokens().iter().filter(number).filter(|token| !own.contains(&token.start));
    stems.extend(others.map(|token| token.stem.as_str()));
    let mine = nearest(reading, figure);
    let mut all: Vec<Rival<'_>> = Vec::new();
    for hit in archive.passages(&stems, 14) {
        let Some(source) = archive.reading(hit.place) else { continue };
        let siblings = siblings(source, hit.place.line);
        for theirs in siblings.iter().take(FIGURES) {
            // "18:00 UTC (2 p.m. EDT)" is one moment twice.
            let twice = || siblings.iter().any(|other| other.same(theirs) && figure.same(other));
            let used = companions(reading, figure).any(|other| other.same(theirs)) || twice();
            let withdrawn = draft.ledger.texts.withdrawals().iter().any(|withdrawal| withdrawal.wrong.same(theirs));
            if used
                || withdrawn
                || !figure.comparable(theirs)
                || figure.same(theirs)
                || theirs.partner.is_some() != figure.partner.is_some()
                || is_label(source, theirs)
            {
                continue;
            }
            let near = shared(archive, &mine, &nearest(source, theirs));
            let strength = bond.strength(archive, hit.place, theirs) + likeness(figure, theirs) + 0.5 * near;
            all.push(Rival { place: hit.place, figure: theirs, strength, contested: false });
        }
    }
    all.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let mut all = all.into_iter();
    let best = all.next()?;
    // If both values are in one sentence, the words around each decide later.
    let contested = all.any(|other| {
        other.place != best.place && !other.figure.same(best.figure) && other.strength >= CONTEST * best.strength
    });
    Some(Rival { contested, ..best })
}

/// How much two values look like a typing error: the same digits in another order, or one digit off.
fn likeness(one: &Figure, other: &Figure) -> f64 {
    let digits = |value: f64| -> Vec<char> { format!("{value}").chars().filter(char::is_ascii_digit).collect() };
    let (mut a, mut b) = (digits(one.value), digits(other.value));
    if a.len() != b.len() {
        return 0.0;
    }
    let differing = a.iter().zip(&b).filter(|(x, y)| x != y).count();
    a.sort_unstable();
    b.sort_unstable();
    match differing {
        1 => 1.5,
        2.. if a == b => 5.0,
        _ => 0.0,
    }
}

/// Whether the words before a figure and its colon have a noun: `Entries received: 84`.
pub fn is_named(source: &ParsedText<'_>, line: usize, figure: &Figure, noun: &Token) -> bool {
    let before = source.line_tokens(line).iter().take_while(|token| token.end <= figure.start);
    source.slice(0..figure.start).trim_end().ends_with(':') && before.into_iter().any(|token| token.stem == noun.stem)
}

/// Whether both figures count the same noun, or need none, and share words around them.
pub fn same_count(draft: &DraftFigure<'_>, place: SourceLine, theirs: &Figure) -> bool {
    let Some(source) = draft.archive.reading(place) else { return false };
    let near = common(&around(draft.reading, draft.figure), &around(source, theirs));
    match (draft.noun(), counted(source, theirs)) {
        _ if draft.figure.kind != FigureKind::Count => near >= 2,
        (Some(mine), Some(other)) => mine.stem == other.stem && near >= 2,
        (Some(mine), None) => is_named(source, place.line, theirs, mine) && near >= 2,
        (None, _) => false,
    }
}

/// Whether any place with the value has the same noun, or enough of the draft's words around it.
pub fn any_binds(draft: &DraftFigure<'_>) -> bool {
    let mine = around(draft.reading, draft.figure);
    let noun = draft.noun().map(|token| &token.stem);
    draft.matches.iter().any(|(place, theirs)| {
        draft.archive.reading(*place).is_some_and(|source| {
            let counts = noun.is_some() && counted(source, theirs).map(|token| &token.stem) == noun;
            counts || common(&mine, &around(source, theirs)) > 1
        })
    })
}

/// Whether another figure of the draft's sentence is also within `reach` sentences of a place.
pub fn accompanied(draft: &DraftFigure<'_>, place: SourceLine, reach: usize) -> bool {
    let Some(source) = draft.archive.reading(place) else { return false };
    draft.archive.window(place, reach).any(|line| {
        companions(draft.reading, draft.figure)
            .any(|other| siblings(source, line).iter().any(|theirs| other.same(theirs)))
    })
}
