//! Support: what a sentence speaks of stands somewhere in a source.
//!
//! Why: the sentence that nobody said is the one that reads best. This is the weakest rule, and it speaks last and seldom:
//! only of sentences most of whose content no passage carries.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter, Sound},
        reading::{figure::FigureKind, hedges::softens, people::opens, text::ParsedText, token::Token},
        rule::{Gravity, Measured, Rule, SUMMARIES},
        sources::{
            archive::{SourceArchive, SourceLine, content},
            bindings::siblings,
            sums::{derived, rounded},
            texts::{ProofTexts, Spot},
        },
        words::list::{WordList, words},
    },
};

/// A sentence that nobody said.
pub static NONE: Rule = Rule {
    name: "support.none",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "No close match in the sources.",
    source: "Most content words of a sentence, weighted by how rare they are in the sources, stand together in one passage that it came from.",
    measured: Some(Measured { right: 41, of: 56, on: SUMMARIES }),
};

/// The rules of this file.
pub static RULES: [&Rule; 1] = [&NONE];

/// Words of every story: that no source has one tells nothing of where a sentence comes from.
static GENERAL: WordList = words(
    "about again ago agree almost already although always another answer anyone around away bad bear became become \
     before began begin behind believe best better between big both break bring brought call came care case catch \
     change clear come could day days deal decide different difficult early easy either else end enough even evening \
     ever every explain face fact far feel felt few figure find fine first follow former found front full gave get give \
     given glad go goes gone good got great grow half hand happen hard have head hear heard held help here high \
     hold home hope hour idea instead just keep kept kind knew know known large last late later learn leave \
     left less let like little live long look lose lost lot made make many matter mean meant mention might mind mistake \
     moment month months more morning most move much must name near need never new next night nobody note nothing now \
     number offer often old once one only open other others own part past pay people perhaps person place plain point \
     possible put quarter question quick quite ran rather reach read ready real reason remain right round run \
     said same saw say second see seem seen sense set several shall short should show side simple simply since small soon \
     sort sound speak spoke stand start state stay still stop story sure take taken talk tell than thing think \
     third thought time today told tomorrow too took toward tried trouble true try turn turned under until use usual \
     very want watch way week weeks well went whole why wish without word work worry worth would write wrong wrote year \
     years yesterday yet",
);

/// Sentences of fewer content words than these say too little to be looked up.
const FEWEST: usize = 7;

/// A draft of fewer sentences than these has no habit of its own that one of them could stand out from.
const SENTENCES: usize = 5;

/// Enters every sentence that no passage carries.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let desk = ledger.desk;
    let usual = usual(desk);
    for Spot { at, field, index, item: line } in desk.sentences() {
        let sums_up = field.name != BODY;
        if line.heading || ledger.taken(at, line.start, line.end) {
            continue;
        }
        if describes(field.reading.line_tokens(index)) || carried(&desk.archive, &field.reading, index, sums_up, usual)
        {
            ledger.pass(|| in_order(desk, at, index));
            continue;
        }
        ledger.enter(Fault::new(&NONE, at, line.start..line.end).removable());
    }
}

/// Whether a sentence says what a text is about: no passage of the text says that.
fn describes(tokens: &[Token]) -> bool {
    let subject = tokens.iter().take(HEAD).position(|token| TEXTS.contains(&token.word));
    let pointed = tokens.first().is_some_and(|token| matches!(token.word.as_str(), "it" | "they"));
    let behind = if pointed { Some(0) } else { subject };
    behind.is_some_and(|at| tokens.iter().skip(at + 1).take(HEAD).any(|token| DESCRIBES.contains(&token.word)))
}

/// Words for a text, as those name it who tell what it is about.
static TEXTS: WordList = words(
    "article author authors book chapter conversation dialogue document discussion episode essay host hosts interview letter \
     paper passage podcast recording report show speaker speakers story study summary text transcript video",
);

/// What a text does with what it is about.
static DESCRIBES: WordList = words(
    "addresses asks comprises concerns contains covers deals describes discuss discussed discusses discussing entails \
     examine examines explain explains explores features focuses includes incorporates introduces involves mention mentions \
     presents shares talk talks tells",
);

/// How many words a subject, and its verb behind it, are looked for in.
const HEAD: usize = 4;

/// Enters every sentence as one that no rule can judge: those that could do not know its language.
pub fn leave_unjudged(ledger: &mut LedgerWriter<'_, '_>) {
    let desk = ledger.desk;
    for (at, field) in desk.fields.iter().enumerate() {
        for line in field.reading.lines.iter().filter(|line| !line.heading) {
            let (start, end) = (line.start, line.end);
            ledger.pass(|| Sound {
                kind: SpanKind::Support,
                standing: Standing::Unchecked,
                rule: "support.language",
                field: at,
                start,
                end,
                passage: None,
            });
        }
    }
}

/// A sentence that nothing speaks against: where it comes from.
fn in_order(desk: &ProofTexts<'_>, field: usize, line: usize) -> Sound {
    let reading = desk.fields.get(field).map(|field| &field.reading);
    let place = reading.and_then(|reading| {
        let found = measure(&desk.archive, reading, line);
        // A sentence of few words can come from anywhere.
        let passages = desk.archive.passages(&content(reading.line_tokens(line)), 1);
        passages.first().filter(|_| found.words >= FEWEST && found.best > 0.0).map(|hit| hit.place)
    });
    let range = reading.and_then(|reading| reading.lines.get(line)).map_or(0..0, |line| line.start..line.end);
    Sound {
        kind: SpanKind::Support,
        standing: if place.is_some() { Standing::Found } else { Standing::Unchecked },
        rule: "support.carried",
        field,
        start: range.start,
        end: range.end,
        passage: place.and_then(|place| desk.archive.sentence(place)),
    }
}

const BODY: &str = "articleBody";

/// How far the sources carry the body's sentences as a rule (the median), where there are enough of them to tell.
fn usual(desk: &ProofTexts<'_>) -> Option<f64> {
    let body = desk.fields.iter().find(|field| field.name == BODY)?;
    let mut all: Vec<f64> = (0..body.reading.lines.len())
        .map(|index| measure(&desk.archive, &body.reading, index))
        .filter(|found| found.words >= 5)
        .map(|found| found.best)
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().filter(|_| all.len() >= SENTENCES)
}

/// How far the sources carry a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Carried {
    /// Content words.
    pub words: usize,
    /// Of these, how many no source has.
    pub unknown: usize,
    /// Weight that the best passage carries with the sentences beside it.
    pub best: f64,
}

pub fn measure(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> Carried {
    let spoken: Vec<Token> = reading.line_tokens(index).iter().filter(|token| !token.quoted()).cloned().collect();
    let stems = content(&spoken);
    let unknown = stems.iter().filter(|stem| !archive.knows(stem)).count();
    let best = archive.passages(&stems, 8).iter().map(|hit| hit.around).fold(0.0_f64, f64::max);
    Carried { words: stems.len(), unknown, best }
}

/// Whether the sources carry a sentence far enough that a human would look for its place there. A free retelling is measured
/// by its own habit; headlines and descriptions sum up, and get more room than the body.
fn carried(
    archive: &SourceArchive<'_>,
    reading: &ParsedText<'_>,
    index: usize,
    sums_up: bool,
    usual: Option<f64>,
) -> bool {
    let found = measure(archive, reading, index);
    if found.words < FEWEST {
        return true;
    }
    if told_otherwise(archive, reading, index) {
        return true;
    }
    let Some(usual) = usual else { return found.unknown < 5 || found.best > 0.15 };
    if sums_up {
        return found.unknown < 4 || found.best > 0.2_f64.min(usual * 0.4);
    }
    if !brings(archive, reading, index) {
        return true;
    }
    let barely = found.best <= 0.27_f64.min(usual * 0.5) && found.unknown >= 2;
    let strange = found.best <= 0.36_f64.min(usual * 0.6)
        && found.unknown >= 4
        && found.unknown * 3 > found.words
        && !names_someone(archive, reading, index);
    !(barely || strange)
}

/// Whether a sentence brings what no source has in any form: a name, a figure that is no sum and no stretch of time, or at
/// least two words that are not every story's.
fn brings(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> bool {
    let range = reading.lines.get(index).map_or(0..0, |line| line.tokens.clone());
    let unknown = |token: &Token| {
        let known = archive.knows(&token.stem) || archive.seen(&token.word).is_some();
        let number = token.stem.starts_with(|c: char| c.is_ascii_digit());
        !token.stop && !token.quoted() && !known && !number
    };
    let name = range
        .clone()
        .filter_map(|at| Some((at, reading.tokens.get(at)?)))
        .any(|(at, token)| token.capital && unknown(token) && !opens(reading, at));
    let mut rare: Vec<&str> = reading
        .line_tokens(index)
        .iter()
        .filter(|token| unknown(token) && !GENERAL.contains(&token.word) && !GENERAL.contains(&token.stem))
        .map(|token| token.stem.as_str())
        .collect();
    rare.sort_unstable();
    rare.dedup();
    let figure = siblings(reading, index).iter().any(|figure| {
        let counts = figure.kind != FigureKind::Count || figure.value > 12.0 || !figure.spelled;
        let lasts = reading.tokens.get(figure.tokens.end).is_some_and(|token| {
            let unit = token.word.trim_end_matches('s');
            matches!(unit, "day" | "week" | "month" | "year" | "hour" | "minute" | "decade")
        });
        counts
            && !lasts
            && archive.equal(figure).is_empty()
            && rounded(archive, reading, figure).is_none()
            && derived(archive, reading, figure).is_none()
    });
    name || figure || rare.len() >= 2
}

/// Whether a sentence is a source's in the reporter's words: one sentence there has two of its figures and more, or it leaves
/// open what a source leaves open as well.
fn told_otherwise(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> bool {
    let figures = siblings(reading, index);
    let spoken: Vec<Token> = reading.line_tokens(index).iter().filter(|token| !token.quoted()).cloned().collect();
    let stems = content(&spoken);
    let soft = softens(&spoken);
    archive.passages(&stems, 8).iter().any(|hit| {
        let SourceLine { source, line } = hit.place;
        let Some(theirs) = archive.readings.get(source) else { return false };
        let held = siblings(theirs, line);
        let same = figures.iter().filter(|figure| held.iter().any(|other| figure.same(other))).count();
        let open = soft && softens(theirs.line_tokens(line)) && {
            let own = theirs.line_tokens(line);
            stems.iter().filter(|stem| own.iter().any(|token| token.stem == ***stem)).count() >= 2
        };
        same >= 2 || open
    })
}

/// Whether a sentence names somebody or something that the sources name: then it has at least its subject from there.
fn names_someone(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> bool {
    reading.line_tokens(index).iter().skip(1).any(|token| {
        token.capital
            && !token.stop
            && !token.quoted()
            && archive.seen(&token.word).is_some_and(|seen| seen.capital && !seen.lower)
    })
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    #[test]
    fn the_reporters_own_words_bring_nothing_new() {
        let source = "The harbour office refused two of 41 licences for moorings since 2017. The pump may have failed, or a hose may have \
                      burst. Correction, Friday, 8:15 a.m., by telephone from the harbour master. The ferry was late on Monday.";
        let rules = |draft: &str| check_texts(draft, source).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        for fine in [
            "Since 2017 it has turned down two of 41 such wishes, which sounds kind until one hears about the price of rope.",
            "A broken pump or a torn hose could be behind it, though nobody there would swear to either of them.",
            "She called back early on the Friday, at a quarter past eight, and put it all right again.",
        ] {
            assert_eq!(rules(fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn a_sentence_that_nobody_said() {
        let source = "The council approved a new playground for Miller Park. It will cost $2.48 million, and work begins in April.";
        let rules = |draft: &str| check_texts(draft, source).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        assert_eq!(rules("The park’s new playground was approved by the council."), [""; 0]);
        assert_eq!(
            rules("Vandals smashed windows at a nearby swimming pool during summer holidays."),
            ["support.none"]
        );
    }
}
