//! Support: the sources have what a sentence says.
//!
//! Why: an invented sentence often reads best. This is the weakest rule. It is asked last, and it reports only
//! sentences whose content mostly is in no passage.

use std::rc::Rc;

use crate::{
    binding::{Alignment, Telling, office, same_voice, says_no_more, teller, voice_of},
    reading::{TextLine, hedges::softens, opens},
    rules::prelude::*,
    sources::{
        content,
        known::known,
        siblings,
        sums::{derived, rounded},
    },
    words::Class,
};

pub static RULE: Rule = Rule {
    name: "support.none",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    why: "No close match in the sources.",
    source: "If a sentence comes from a passage, that passage has most of its content words. Rare words count more.",
    measured: None,
    ..Rule::USUAL
};

/// Words that occur in every story. If no source has one, that does not matter.
static GENERAL: WordList = words(include_str!("../../../../../assets/words/every_story.txt"));

/// Sentences with fewer content words say too little to be looked up.
const FEWEST: usize = 7;

/// A sentence with so many quoted words is held against its source by them.
const QUOTED: usize = 6;

/// A sentence with so many names of the sources tells what they tell of them, in words of its own.
const NAMES: usize = 4;

/// A shorter draft has too few sentences to compare one with the rest.
const SENTENCES: usize = 5;

/// Enters every sentence that no passage supports.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    let usual = usual(texts);
    let aligned = usually_aligned(ledger);
    for Spot { field, index, item: line } in texts.sentences() {
        let sums_up = !field.is_body();
        let quotes = field.reading.line_tokens(index).iter().filter(|token| token.quoted()).count() >= QUOTED;
        if line.heading
            || quotes
            || only_quotes(field.reading.line_tokens(index))
            || ledger.taken(field, line.start, line.end)
        {
            continue;
        }
        // In an article, how much its other sentences owe to their passages is the measure of a sentence.
        let part = || aligned.map(|usual| ledger.aligned(field, index).share() / usual).filter(|_| !sums_up);
        // The lede sums up.
        let leads = field.reading.lines.iter().position(|line| !line.heading) == Some(index);
        let fine = describes(field.reading.line_tokens(index))
            || carried(&texts.archive, &field.reading, index, sums_up, usual)
                && part().is_none_or(|part| {
                    leads || part >= APART || !strange(&texts.archive, field, index, &ledger.aligned(field, index))
                })
            || part().is_some_and(|part| part >= HELD);
        if fine {
            let alignment = if ledger.whole { ledger.aligned(field, index) } else { Rc::default() };
            ledger.pass(|| in_order(texts, field, (index, line), &alignment));
            continue;
        }
        ledger.enter(Fault::new(&RULE, field, line.start..line.end).removable());
    }
}

/// Whether a sentence has nothing but a quotation and who said it. Both have rows of their own.
fn only_quotes(tokens: &[Token]) -> bool {
    let own = |token: &&Token| !token.quoted() && !token.aside();
    let tells = |token: &Token| !token.stop && !token.capital && !token.class.has(Class::SAYS);
    tokens.iter().any(Token::quoted) && !tokens.iter().filter(own).any(tells)
}

/// Whether a sentence says what a text is about. No passage of the text says that.
fn describes(tokens: &[Token]) -> bool {
    let subject = tokens.iter().take(HEAD).position(|token| TEXTS.contains(&token.word));
    let pointed = tokens.first().is_some_and(|token| matches!(token.word.as_str(), "it" | "they"));
    let behind = if pointed { Some(0) } else { subject };
    behind.is_some_and(|at| tokens.iter().skip(at + 1).take(HEAD).any(|token| DESCRIBES.contains(&token.word)))
}

/// Words for a text in a sentence about it.
static TEXTS: WordList = words(include_str!("../../../../../assets/words/words_for_texts.txt"));

/// Verbs that say what a text does with its topic.
static DESCRIBES: WordList = words(include_str!("../../../../../assets/words/describing.txt"));

/// The subject is within so many words, and so is the verb behind it.
const HEAD: usize = 4;

/// Enters every sentence as unchecked, because the rules do not know its language.
pub fn leave_unjudged(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, item: line, .. } in texts.sentences().filter(|spot| !spot.item.heading) {
        let span = line.start..line.end;
        ledger.pass(|| Sound::found_if("support.language", SpanKind::Support, field, span, None));
    }
}

/// The row of a sentence that no rule objects to, with its passage.
fn in_order(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    (index, line): (usize, &TextLine),
    alignment: &Alignment,
) -> Sound {
    let archive = &texts.archive;
    let first = alignment.windows.first().filter(|window| {
        let theirs = voice_of(texts, window.place);
        let voice = match teller(&field.reading, &field.names, index) {
            None => true,
            Some(Telling::Open) => theirs.is_none(),
            Some(Telling::Office(tokens)) => {
                theirs.is_none_or(|theirs| same_voice(texts, &office(&field.reading, tokens), theirs))
            }
            Some(Telling::By(name)) => theirs.is_none_or(|theirs| same_voice(texts, name, theirs)),
        };
        voice && says_no_more(archive, &field.reading, index, alignment)
    });
    let bound = first.and_then(|window| archive.sentence(window.place));
    let span = line.start..line.end;
    let found = measure(&texts.archive, &field.reading, index);
    // A sentence of few words can come from anywhere.
    let passages = texts.archive.passages(&content(field.reading.line_tokens(index)), 1);
    let first = passages.first().filter(|_| found.words >= FEWEST && found.best > 0.0);
    let passage = first.and_then(|hit| texts.archive.sentence(hit.place));
    Sound::bound_if("support.carried", SpanKind::Support, field, span, bound, || passage)
}

/// How much of the body's sentences the sources usually support (the median), if there are enough sentences.
fn usual(texts: &ProofTexts<'_>) -> Option<f64> {
    let body = texts.fields.iter().find(|field| field.is_body())?;
    let mut all: Vec<f64> = (0..body.reading.lines.len())
        .map(|index| measure(&texts.archive, &body.reading, index))
        .filter(|found| found.words >= 5)
        .map(|found| found.best)
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().filter(|_| all.len() >= SENTENCES)
}

/// How much of the body's sentences their passages usually have, if the body is an article.
fn usually_aligned(ledger: &LedgerWriter<'_, '_>) -> Option<f64> {
    let field = ledger.texts.fields.iter().find(|field| field.is_body())?;
    if field.reading.lines.len() < ARTICLE {
        return None;
    }
    let aligned = (0..field.reading.lines.len()).map(|index| ledger.aligned(field, index));
    let mut all: Vec<f64> =
        aligned.filter(|alignment| alignment.words.len() >= TOLD).map(|alignment| alignment.share()).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().filter(|_| all.len() >= SENTENCES)
}

/// A text of so many sentences is an article. A summary tells more freely.
const ARTICLE: usize = 8;

/// A sentence with fewer words of its own says too little to stand apart.
const TOLD: usize = 4;

/// A sentence of an article is carried if its passages have so much of it, against what they have of the others.
const HELD: f64 = 0.65;

/// It stands apart if they have less than so much.
const APART: f64 = 0.5;

/// And if so many of its words are in no source, in no form and no other word.
const STRANGE: usize = 2;

/// Whether a sentence of an article has words that no source knows, and paraphrases no passage.
fn strange(archive: &SourceArchive<'_>, field: &DraftField<'_>, index: usize, alignment: &Alignment) -> bool {
    let words = alignment.words.iter().filter(|word| word.held.is_none());
    let grammar = field.reading.grammar(index);
    let names_something = |at: usize| grammar.tag(at).is_noun() || grammar.tag(at).is_verb();
    let words = words.filter(|word| names_something(word.at)).filter_map(|word| field.reading.tokens.get(word.at));
    alignment.words.len() >= TOLD
        && words.filter(|token| !known(archive, &token.word, &token.stem)).count() >= STRANGE
        && !told_otherwise(archive, &field.reading, index)
}

/// How much of a sentence the sources support.
#[derive(Debug, Clone, Copy)]
pub struct Carried {
    /// Content words.
    pub words: usize,
    /// How many of these no source has.
    pub unknown: usize,
    /// The share of the weight that the best passage has, with the sentences beside it.
    pub best: f64,
}

pub fn measure(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> Carried {
    let spoken: Vec<Token> = reading.line_tokens(index).iter().filter(|token| !token.quoted()).cloned().collect();
    let stems = content(&spoken);
    let unknown = stems.iter().filter(|stem| !archive.knows(stem)).count();
    let best = archive.passages(&stems, 8).iter().map(|hit| hit.around).fold(0.0_f64, f64::max);
    Carried { words: stems.len(), unknown, best }
}

/// Whether the sources support enough of a sentence that a person would find its place there. The draft's usual share
/// is the measure, since a free retelling has less. Headlines and descriptions summarise, so they need less than the
/// body.
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
        && names_of_the_sources(archive, reading, index) == 0;
    !(barely || strange) || names_of_the_sources(archive, reading, index) >= NAMES
}

/// Whether a sentence has something that no source has in any form. That is a name, a figure that is neither a sum nor
/// a duration, or at least two words that do not occur in every story.
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

/// Whether a sentence paraphrases a source's: one sentence there has at least two of its figures, or leaves the same
/// thing open.
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

/// How many names from the sources a sentence has. With one, at least its subject comes from there.
fn names_of_the_sources(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> usize {
    let named = |token: &&Token| {
        let known = || archive.seen(&token.word).is_some_and(|seen| seen.capital && !seen.lower);
        token.capital && !token.stop && !token.quoted() && known()
    };
    reading.line_tokens(index).iter().skip(1).filter(named).count()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

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
    fn a_sentence_of_an_article_that_stands_apart_from_the_rest_is_found() {
        let source = "The council approved the new pier in May. The pier will cost $2 million. The harbour office lends the boats. The \
                      ferry runs on Sundays. The old mill stays open in winter. The school gets a second hall. The bridge needs paint. \
                      The market moves to the square.";
        let draft = format!("{source} A spokesman for the office declined to comment.");
        let found = check_texts(&draft, source);
        assert_eq!(found.iter().map(|found| found.rule.as_str()).collect::<Vec<_>>(), ["support.none"]);
        assert_eq!(found[0].text, "A spokesman for the office declined to comment.");
        assert_eq!(check_texts(&format!("{source} The paint of the bridge comes later."), source), []);
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
