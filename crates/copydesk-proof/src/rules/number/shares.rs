//! Shares and multiples in words against the source's two values: `two-thirds` for 30 of 90, `doubled` for 210 and 320.
//!
//! Why: the words have no digits that could be looked up, and the values beside them may all be right.

use crate::{
    reading::Bound,
    rules::{number::worked::RULE, prelude::*},
    sources::{common, counted, figures_at, is_label, of_line, restated::tells_of_the_rest, siblings},
};

/// A share or a multiple in plain words may be off by so much of itself.
const ROUND: f64 = 0.13;

/// "Nearly two thirds" is off by so much of itself at most.
const CLOSE: f64 = 0.18;

/// And by so much of the whole: "nine in ten" is not 79 per cent.
const APART: f64 = 0.075;

/// The whole of a share is at most so many words behind it.
const OF: usize = 5;

/// Words of a sentence about the other part.
static OTHERS: WordList = words(
    "other others rest remaining remainder refused rejected against opposed declined failed without absent left abstained except",
);

/// The shares and multiples of a sentence that its passages contradict.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let shares = sentence.figures().iter().filter_map(|figure| in_a_figure(sentence, figure));
    shares.chain(sentence.range.clone().filter_map(|at| in_a_word(sentence, at))).collect()
}

/// The fault of a fraction or of `40 per cent of`.
fn in_a_figure(sentence: &DraftSentence<'_>, figure: &Figure) -> Option<Fault> {
    let next = sentence.reading.word(figure.tokens.end);
    let percent = figure.kind == FigureKind::Percent;
    let value = figure.share().filter(|share| !percent || *share > 0.0 && next == "of")?;
    let bound = Bound::of(sentence.reading, figure);
    let before = sentence.reading.word_before(figure.tokens.start, 1);
    let close = matches!(before, "nearly" | "almost" | "approaching");
    // "Half as many again"
    if sentence.quotes(figure) || next == "as" || stated(sentence, figure) || !is_told(sentence, &figure.tokens) {
        return None;
    }
    share(sentence, &StatedShare { value, bound, close, percent, words: figure.tokens.clone() })
}

/// The fault of `most`, `a majority of`, `doubled`.
fn in_a_word(sentence: &DraftSentence<'_>, at: usize) -> Option<Fault> {
    let token = sentence.reading.tokens.get(at).filter(|token| !token.quoted())?;
    let next = sentence.reading.word(at + 1);
    let half = |bound| StatedShare { value: 0.5, bound, close: false, percent: false, words: at..at + 1 };
    match token.word.as_str() {
        "most" if next.ends_with('s') || next == "of" => share(sentence, &half(Bound::Above)),
        "majority" if next == "of" => share(sentence, &half(Bound::Above)),
        "minority" if next == "of" => share(sentence, &half(Bound::Below)),
        _ => multiple(sentence, at).filter(|_| is_told(sentence, &(at..at + 1))),
    }
}

/// A passage that has less of a sentence of so many words may be about something else.
const TOLD: f64 = 0.6;
const WORDS: usize = 7;

/// Whether the figures of a sentence's best passage are those that it tells of.
fn is_told(sentence: &DraftSentence<'_>, tokens: &Range<usize>) -> bool {
    sentence.alignment().words.len() < WORDS || sentence.ledger.carried(sentence.field, tokens) >= TOLD
}

/// A fraction stands for a percentage that is off by at most so much: nearly nine in ten for 87.3 per cent.
const FRACTION: f64 = 0.03;

/// Whether a passage of the sentence has a share as a percentage or a fraction of its own.
fn stated(sentence: &DraftSentence<'_>, figure: &Figure) -> bool {
    let own = figure.share().filter(|_| figure.kind == FigureKind::Fraction);
    let is = |theirs: f64| own.is_some_and(|own| (theirs - own).abs() <= FRACTION);
    let alignment = sentence.alignment();
    let figures = alignment.windows.iter().flat_map(|window| figures_at(sentence.archive, window.place));
    figures.filter_map(Figure::share).any(is)
}

/// A share in the draft's words.
struct StatedShare {
    value: f64,
    bound: Bound,
    /// "Nearly" and "almost" tell of a share that is close.
    close: bool,
    /// Another percentage beside it is another fact.
    percent: bool,
    words: Range<usize>,
}

impl StatedShare {
    fn fits(&self, share: f64) -> bool {
        let off = (share / self.value - 1.0).abs();
        match self.bound {
            Bound::Exact | Bound::About => off <= ROUND && (share - self.value).abs() <= APART,
            Bound::Above | Bound::AtLeast => self.bound.holds(self.value, share),
            Bound::Below | Bound::AtMost => share <= self.value * 1.002 && (!self.close || off <= CLOSE),
        }
    }
}

fn share(sentence: &DraftSentence<'_>, told: &StatedShare) -> Option<Fault> {
    let &DraftSentence { archive, reading, line, .. } = sentence;
    let mut behind = sentence.behind(told.words.end.checked_sub(1)?).iter().take(OF);
    let noun = behind.find(|token| !token.stop && !token.stem.starts_with(|c: char| c.is_ascii_digit()))?;
    let own: Vec<&str> = of_line(reading, line).into_iter().filter(|stem| *stem != noun.stem).collect();
    let others = |tokens: &[Token]| tokens.iter().any(|token| denies(token) || OTHERS.contains(&token.word));
    let negated = others(reading.line_tokens(line));
    let mut wrong = None;
    for place in sentence.places() {
        let Some(source) = archive.reading(place) else { continue };
        let tokens = source.line_tokens(place.line);
        // "Of them, 30 left": the whole stands in the sentence before.
        let of_them = tokens.windows(2).any(|pair| match pair {
            [of, them] => matches!(&*of.word, "of" | "among") && matches!(&*them.word, "them" | "those" | "these"),
            _ => false,
        });
        let first = place.line.saturating_sub(usize::from(of_them));
        // "The firm polled 1,204 adults. It found 46% in favour": the sentence before names them.
        let found = matches!(tokens, [it, found, ..] if it.word == "it" && matches!(&*found.word, "found" | "showed"));
        let named = (place.line.saturating_sub(usize::from(of_them || found))..=place.line)
            .any(|line| source.line_tokens(line).iter().any(|token| token.stem == noun.stem));
        let shared = common(&own, &of_line(source, place.line));
        if !named || shared == 0 && !own.is_empty() {
            continue;
        }
        let figures: Vec<&Figure> = (first..=place.line)
            .flat_map(|line| siblings(source, line))
            .filter(|figure| !is_label(source, figure))
            .collect();
        let of_noun = |figure: &Figure| {
            let behind = source.tokens.get(figure.tokens.end..).unwrap_or_default().iter().take(OF);
            behind.take_while(|token| token.line == place.line).any(|token| token.stem == noun.stem)
        };
        // "Among these, 38% recovered (95% CI 31 to 45)"
        let first_share = siblings(source, place.line).iter().find(|figure| figure.share().is_some());
        let first_share = first_share.map(|figure| figure.start);
        let of_those = |figure: &Figure| of_them && first_share == Some(figure.start);
        let is_share = |figure: &&&Figure| figure.share().is_some() && (of_noun(figure) || of_those(figure));
        let stated: Vec<&&Figure> = figures.iter().filter(is_share).collect();
        let counts: Vec<&&Figure> =
            figures.iter().filter(|figure| figure.kind == FigureKind::Count && !lasts(source, figure)).collect();
        let several = stated.is_empty() && counts.len() != 2;
        let of_the_rest = |share: f64| if tells_of_the_rest(source, place.line, &own) { 1.0 - share } else { share };
        let is = match (stated.as_slice(), counts.as_slice()) {
            ([], [one, two]) => {
                let (part, whole) = if one.value < two.value { (one, two) } else { (two, one) };
                (part.value > 0.0 && of_it(source, part, whole, noun)).then(|| part.value / whole.value)
            }
            ([], counts) if !told.percent && counts.len() > 1 => part_of(source, counts, noun, &own, negated),
            _ if told.percent && !stated.is_empty() => return None,
            ([stated], _) => stated.share().map(of_the_rest),
            ([], _) if !told.percent => {
                let percentages: Vec<&&Figure> =
                    figures.iter().filter(|figure| figure.kind == FigureKind::Percent).collect();
                told_of(source, &percentages, &own).map(|share| of_the_rest(share.value / 100.0))
            }
            // A place without a share decides nothing. Several shares compete for the words, and it is unknown which one wins.
            ([], _) => None,
            _ => return None,
        };
        let Some(is) = is.filter(|is| *is > 0.0 && *is < 1.0) else { continue };
        if told.fits(is) || !several && negated != others(tokens) && told.fits(1.0 - is) {
            return None;
        }
        wrong = if of_them { Some((place, is)) } else { wrong.or(Some((place, is))) };
    }
    let (place, is) = wrong?;
    let note = format!("The source's figures make {:.0} per cent.", is * 100.0);
    Some(sentence.found(&RULE, reading.span_of(&told.words)?, note, Some(place)))
}

static SPANS: WordList = words("year years month months week weeks day days hour hours minute minutes");

/// Whether a figure counts time.
fn lasts(source: &ParsedText<'_>, figure: &Figure) -> bool {
    counted(source, figure).is_some_and(|token| SPANS.contains(&token.word))
}

/// The share of the one part among several that has most of the draft's words behind it: `60 growers: 15 sold, 40 stayed`. If the draft
/// denies these words and the part does not, the share of all others.
fn part_of(source: &ParsedText<'_>, counts: &[&&Figure], noun: &Token, own: &[&str], denied: bool) -> Option<f64> {
    let (whole, parts) = counts.split_first()?;
    let whole_is = counted(source, whole).is_some_and(|token| token.stem == noun.stem);
    let all: f64 = parts.iter().map(|part| part.value).sum();
    let part = told_of(source, parts, own)?;
    let next = parts.iter().find(|next| next.start > part.start).map_or(source.text.len(), |next| next.start);
    let behind = source.between(part.end, next.min(source.lines.get(source.line_of(&part.tokens))?.end));
    let share = part.value / whole.value;
    let share = if denied && !behind.iter().any(denies) { 1.0 - share } else { share };
    (whole_is && (0.5..=1.001).contains(&(all / whole.value))).then_some(share)
}

/// The one figure that has most of some words behind it.
fn told_of<'f>(source: &ParsedText<'_>, parts: &[&&'f Figure], own: &[&str]) -> Option<&'f Figure> {
    let words = |at: usize| {
        let part = parts.get(at)?;
        let end = parts.get(at + 1).map_or(source.tokens.len(), |next| next.tokens.start);
        let line = source.line_of(&part.tokens);
        let behind = source.tokens.get(part.tokens.end..end)?.iter().take_while(|token| token.line == line);
        Some(behind.filter(|token| own.contains(&token.stem.as_str())).count())
    };
    let told: Vec<usize> = (0..parts.len()).filter_map(words).collect();
    let most = told.iter().copied().max().filter(|most| *most > 0)?;
    let mut best = told.iter().zip(parts).filter(|(words, _)| **words == most);
    best.next().filter(|_| best.next().is_none()).map(|(_, part)| **part)
}

/// Whether a source counts a part of a whole: `of the 90 captains, 30`, `30 of 90 captains`.
fn of_it(source: &ParsedText<'_>, part: &Figure, whole: &Figure, noun: &Token) -> bool {
    let before = |figure: &Figure, steps: usize| source.word_before(figure.tokens.start, steps);
    let (one, two) = (before(whole, 1), before(whole, 2));
    let of = matches!(one, "of" | "among")
        || matches!(one, "the" | "its" | "all" | "their") && matches!(two, "of" | "among");
    // "60 growers, of which 15 left"
    let of_which = before(part, 2) == "of" && matches!(before(part, 1), "which" | "whom" | "them");
    // "Faults in 40 of them"
    let behind = part.tokens.end;
    let of_them = source.word(behind) == "of" && matches!(source.word(behind + 1), "them" | "those" | "these");
    let counts = |figure: &Figure| counted(source, figure).is_some_and(|token| token.stem == noun.stem);
    of_them || (of || of_which) && (counts(whole) || counts(part))
}

/// The factor of a verb or an adverb.
fn multiplies(word: &str) -> Option<f64> {
    match word {
        "halved" | "halving" => Some(0.5),
        "doubled" | "doubling" | "twofold" => Some(2.0),
        "tripled" | "tripling" | "trebled" | "threefold" => Some(3.0),
        "quadrupled" | "fourfold" => Some(4.0),
        "quintupled" | "fivefold" => Some(5.0),
        "tenfold" => Some(10.0),
        _ => None,
    }
}

fn multiple(sentence: &DraftSentence<'_>, at: usize) -> Option<Fault> {
    let &DraftSentence { archive, reading, line, .. } = sentence;
    let word = |at: usize| sentence.word(at);
    let as_many =
        matches!(word(at + 1), "as") && matches!(word(at + 2), "many" | "much" | "large" | "high" | "big" | "long");
    let part = |figure: &&Figure| figure.tokens.start == at + 1 && figure.kind == FigureKind::Fraction;
    // "Cut by a third"
    let by = match (word(at), word(at + 1)) {
        ("by", "half") => Some((0.5, at + 2)),
        ("by", _) => reading.figures.iter().find(part).map(|part| (part.value, part.tokens.end)),
        _ => None,
    };
    let (factor, end) = match multiplies(word(at)) {
        Some(factor) => (factor, at + 1),
        None if as_many && word(at) == "twice" => (2.0, at + 3),
        None if as_many && word(at) == "half" && word(at + 3) == "again" => (1.5, at + 4),
        None if as_many && word(at) == "times" => {
            (reading.figures.iter().find(|figure| figure.tokens.end == at)?.value, at + 3)
        }
        None => by?,
    };
    let before = (at.saturating_sub(3)..at).map(word).collect::<Vec<_>>();
    if before.iter().any(|word| matches!(*word, "not" | "never" | "if" | "could" | "would" | "may" | "might")) {
        return None;
    }
    let more = before.contains(&"more") || before.contains(&"over");
    let nearly = before
        .iter()
        .any(|word| matches!(*word, "nearly" | "almost" | "about" | "roughly" | "around" | "less" | "virtually"));
    let fits = |ratio: f64| {
        // A part of the first value is taken away or added.
        let ratio = if by.is_some() { (ratio - 1.0).abs() } else { ratio } / factor;
        let (low, high) = match (more, nearly) {
            (true, _) if factor < 1.0 => (0.5, 1.01),
            (true, _) => (0.99, 1.6),
            (_, true) => (0.78, 1.22),
            _ => (1.0 - ROUND, 1.0 + ROUND),
        };
        (low..=high).contains(&ratio)
    };
    let own = of_line(reading, line);
    // "By a third, from 2,610 to 1,740": the draft has both.
    change(reading, line).is_none_or(|(from, to)| from.value <= 0.0 || !fits(to.value / from.value)).then_some(())?;
    let mut wrong = None;
    for place in sentence.places() {
        let Some(source) = archive.reading(place) else { continue };
        let tokens = source.line_tokens(place.line);
        if by.is_some() && siblings(source, place.line).iter().any(|figure| figure.kind == FigureKind::Fraction) {
            return None;
        }
        let told = |token: &Token| matches!(&*token.word, "double" | "twice" | "triple" | "half" | "times");
        if tokens.iter().any(|token| told(token) || multiplies(&token.word).is_some()) {
            return None;
        }
        // One change of several may be meant: 1,500 in 2018, 6,000 in 2022 and 3,000 in 2023.
        let amounts = amounts(source, place.line);
        let meant = |(at, from): (usize, &&Figure)| {
            let later = amounts.iter().skip(at + 1).filter(|to| from.comparable(to) && from.value > 0.0);
            later.map(|to| to.value / from.value).any(|ratio| fits(ratio) || as_many && fits(1.0 / ratio))
        };
        if amounts.len() > 2 && amounts.iter().enumerate().any(meant) {
            return None;
        }
        let Some((from, to)) = change(source, place.line) else { continue };
        if common(&own, &of_line(source, place.line)) == 0 || from.value <= 0.0 || to.value <= 0.0 {
            continue;
        }
        let ratio = to.value / from.value;
        if fits(ratio) || as_many && fits(1.0 / ratio) {
            return None;
        }
        wrong = wrong.or(Some((place, from, to)));
    }
    let (place, from, to) = wrong?;
    let source = archive.reading(place)?;
    let shown = |figure: &Figure| one_line(source.slice(figure.start..figure.end));
    let note = format!("The source goes from {} to {}.", shown(from), shown(to));
    Some(sentence.found(&RULE, reading.span_of(&(at..end))?, note, Some(place)))
}

/// The counts, sums of money and percentages of a sentence.
fn amounts<'r>(source: &'r ParsedText<'_>, line: usize) -> Vec<&'r Figure> {
    let amount = |figure: &&Figure| {
        matches!(figure.kind, FigureKind::Count | FigureKind::Money(_) | FigureKind::Percent)
            && !is_label(source, figure)
    };
    siblings(source, line).iter().filter(amount).collect()
}

/// The values of two lines of a list, in their order, if no third line beside them has one: `2015: 9 kronor`, `Today: 18 kronor`.
fn of_two_lines<'r>(source: &'r ParsedText<'_>, line: usize, own: &'r Figure) -> Option<(&'r Figure, &'r Figure)> {
    let labelled = |figure: &Figure| source.slice(0..figure.start).trim_end().ends_with(':');
    let value = |line: Option<usize>| {
        let amounts = amounts(source, line?);
        let [only] = amounts.as_slice() else { return None };
        Some(*only).filter(|other| labelled(other) && other.comparable(own))
    };
    let before = |steps: usize| value(line.checked_sub(steps));
    let behind = |steps: usize| value(Some(line + steps));
    match (before(2), before(1), behind(1), behind(2)) {
        _ if !labelled(own) => None,
        (None, Some(other), None, _) => Some((other, own)),
        (_, None, Some(other), None) => Some((own, other)),
        _ => None,
    }
}

/// The values of two sentences, and the second says "now": `It had 25 singers. It now has 75 singers.`
fn then_and_now<'r>(source: &'r ParsedText<'_>, line: usize, now: &'r Figure) -> Option<(&'r Figure, &'r Figure)> {
    let says = |token: &Token| matches!(&*token.word, "now" | "today" | "currently");
    let before = line.checked_sub(1).filter(|_| source.line_tokens(line).iter().any(says))?;
    let amounts = amounts(source, before);
    let [then] = amounts.as_slice() else { return None };
    let word = |figure| counted(source, figure).map(|token| token.stem_id);
    (then.comparable(now) && word(then).is_some() && word(then) == word(now)).then_some((*then, now))
}

/// The two values of a change, or the two values of a sentence that has no others of their kind.
fn change<'r>(source: &'r ParsedText<'_>, line: usize) -> Option<(&'r Figure, &'r Figure)> {
    let amounts = amounts(source, line);
    if let [only] = amounts.as_slice()
        && let Some(pair) = of_two_lines(source, line, only).or_else(|| then_and_now(source, line, only))
    {
        return Some(pair);
    }
    // The cells of a table's row are of different things.
    if source.line_text(line).starts_with("- ") {
        return None;
    }
    let before =
        |figure: &Figure| source.word_before(source.tokens.partition_point(|token| token.end <= figure.start), 1);
    let from = amounts.iter().filter(|figure| before(figure) == "from").collect::<Vec<_>>();
    let to = amounts.iter().filter(|figure| before(figure) == "to").collect::<Vec<_>>();
    match (from.as_slice(), to.as_slice(), amounts.as_slice()) {
        ([from], [to], _) if from.comparable(to) => Some((from, to)),
        (_, _, [one, two]) if one.comparable(two) && before(one) != "by" && before(two) != "by" => {
            let word = |figure| counted(source, figure).map(|token| token.stem_id);
            // "320 ships, up from 210", "320 ships (210)", "320 ships, against 210"
            let bracket = source.text.get(..two.start).is_some_and(|head| head.ends_with('('));
            let turned = bracket || matches!(before(two), "from" | "against" | "after" | "versus" | "with");
            let alike = word(one).is_none() || word(two).is_none() || word(one) == word(two);
            alike.then_some(if turned { (*two, *one) } else { (*one, *two) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    fn worked(draft: &str, source: &str) -> bool {
        rules_of(draft, source).contains(&"number.worked".to_owned())
    }

    #[test]
    fn a_share_is_that_of_its_part() {
        let source = "Of the 60 growers, 15 sold their land to the county. Of 200 tenants in the block, 88 voted. The poll found that 40 \
                      per cent of pupils cycle to school. The club asked 900 rowers: 300 want a new pier, 500 want none. The ferry has 80 \
                      cabins, of which 20 are empty. Of 412 patients, 206 had the drug. Among these, 38% slept better. The firm \
                      polled 1,204 adults. It found 46% in favour of the toll, 38% against. Of the 240 nurses, 180 work nights and 60 \
                      do not. Of the keepers 55 per cent said they swim badly; all the others said they swim well.";
        for wrong in [
            "Three-quarters of the growers sold their land to the county.",
            "Half of the growers sold their land to the county.",
            "Most growers sold their land to the county.",
            "Some 75 per cent of the growers sold their land to the county.",
            "Most of the growers sold their land to the county.",
            "A majority of the tenants in the block voted.",
            "One in five pupils cycles to school, the poll found.",
            "Half of the cabins on the ferry are empty.",
            "Two in three rowers want a new pier.",
            "Nearly two thirds of the patients who had the drug slept better.",
            "A majority of adults favour the toll.",
            "Three quarters of the nurses do not work nights.",
            "A majority of the keepers said they swim well.",
        ] {
            assert!(worked(wrong, source), "{wrong}");
        }
        for fine in [
            "A quarter of the growers sold their land to the county.",
            "Three-quarters of the growers did not sell their land to the county.",
            "A minority of the tenants in the block voted.",
            "Less than half of the tenants in the block voted.",
            "Two in five pupils cycle to school, the poll found.",
            "A quarter of the cabins on the ferry are empty.",
            "A third of the rowers want a new pier.",
            "Nearly two in five of the patients who had the drug slept better.",
            "A quarter of the nurses do not work nights.",
            "Three quarters of the nurses work nights.",
            "A majority of the keepers said they swim badly.",
        ] {
            assert!(!worked(fine, source), "{fine}");
        }
    }

    #[test]
    fn a_multiple_is_that_of_its_two_values() {
        let source =
            "Membership of the club rose from 140 people to 290 people. Rent of the hall went from $900 to $610.";
        for wrong in [
            "Membership of the club tripled to 290 people.",
            "Membership of the club more than tripled.",
            "Rent of the hall halved to $610.",
            "Rent of the hall fell by two thirds to $610.",
            "Rent of the hall fell by half.",
        ] {
            assert!(worked(wrong, source), "{wrong}");
        }
        for fine in [
            "Membership of the club doubled to 290 people.",
            "Membership of the club more than doubled.",
            "The hall's rent fell.",
            "Rent of the hall fell by a third to $610.",
        ] {
            assert!(!worked(fine, source), "{fine}");
        }
        let listed = "Post office, price of a stamp\n2015: 9 kronor\nToday: 18 kronor\n\nNests in the north marsh: 48\nNests in the south marsh: 31";
        for (draft, wrong) in [
            ("The price of a stamp has tripled to 18 kronor since 2015.", true),
            ("The price of a stamp has doubled to 18 kronor since 2015.", false),
            ("There are twice as many nests in the north marsh as in the south marsh.", true),
        ] {
            assert_eq!(worked(draft, listed), wrong, "{draft}");
        }
        let choirs = "The choir had 25 singers in spring. It now has 75 singers. The ward took in 42 children, against 14 in September.";
        for (draft, wrong) in [
            ("The choir has quadrupled to 75 singers since spring.", true),
            ("The choir has tripled to 75 singers since spring.", false),
            ("The ward took in 42 children: the number tripled.", false),
            ("The ward took in 42 children: the number doubled.", true),
        ] {
            assert_eq!(worked(draft, choirs), wrong, "{draft}");
        }
        let rides =
            "There were 1,500 rides in 2018, 6,000 in 2022 and 3,000 in 2023. The fleet grew from 40 bikes to 60.";
        for fine in ["Rides quadrupled from 2018 to 2022.", "There were twice as many rides in 2023 as in 2018."] {
            assert!(!worked(fine, rides), "{fine}");
        }
    }
}
