//! The right figure of the wrong thing: the sum of exports told of imports, the gross profit as the net one.
//!
//! Why: the figure and the thing stand side by side in one passage, so that a search finds both. Only the words at the figure show it.

use crate::{
    binding::{belonging, day_of},
    reading::{Bound, month, near, weekday},
    rules::{
        number::{absent::MOSTLY, contradicted::contradicted, figure::DraftFigure},
        prelude::*,
    },
    sources::{common, companions, derivation::averages, is_label, of_line, siblings},
};
use copydesk_text::tagger::Tag;

/// The passage's other figure is at most so many sentences away.
const BESIDE: usize = 1;

/// So many words of each side are at a figure.
const NEAR: usize = 4;

/// Two values that can be taken for each other: 18,000 and two are not.
const LIKE: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// The words at a figure that are said of it, the nearest first: before it, then behind it.
fn sides<'r>(reading: &'r ParsedText<'_>, line: usize, figure: &Figure) -> [Vec<(usize, &'r Token)>; 2] {
    let tells = |at: &usize| {
        let token = reading.tokens.get(*at).filter(|token| !token.stop && !token.class.has(Class::NUMBER))?;
        // "The first half brought $21m, H2 $23m": both name a stretch of time.
        let period = matches!(&*token.word, "half" | "quarter") || token.word.contains(|c: char| c.is_ascii_digit());
        let day = weekday(token).is_some() || month(token).is_some();
        Some((*at, token)).filter(|_| !token.quoted() && !period && !day)
    };
    let mut words = belonging(reading, line, figure);
    words.sort_unstable();
    let (before, behind): (Vec<usize>, Vec<usize>) = words.into_iter().partition(|at| *at < figure.tokens.start);
    [before.iter().rev().filter_map(tells).take(NEAR).collect(), behind.iter().filter_map(tells).take(NEAR).collect()]
}

/// The nearest words in which two figures of one passage differ, verb beside verb and noun beside noun: one of the first figure, one of the
/// other.
fn apart<'r>(reading: &'r ParsedText<'_>, figure: &Figure, other: &Figure) -> Vec<(&'r Token, &'r Token)> {
    let [line, beside_line] = [figure, other].map(|figure| reading.line_of(&figure.tokens));
    let (mine, theirs) = (sides(reading, line, figure), sides(reading, beside_line, other));
    let has = |sides: &[Vec<(usize, &Token)>; 2], word: &Token| {
        sides.iter().flatten().any(|(_, token)| token.stem == word.stem)
    };
    let acts = |line: usize, at: usize| matches!(reading.grammar(line).tag(at), Tag::Past | Tag::Present | Tag::Verb);
    let pairs = mine.iter().zip(&theirs).flat_map(|(one, two)| {
        let alone = one.len() == 1 && two.len() == 1;
        let of = |words: &[(usize, &'r Token)], line: usize, verbs: bool| -> Vec<&'r Token> {
            words.iter().filter(|(at, _)| alone || acts(line, *at) == verbs).map(|(_, token)| *token).collect()
        };
        [true, false].map(|verbs| (of(one, line, verbs), of(two, beside_line, verbs)))
    });
    // "37 percent of the payments in 1996, 32 percent in 1999": the thing is told once for both.
    let pairs = pairs.filter(|(one, two)| one.len() == two.len());
    let nearest = pairs.filter_map(|(one, two)| one.into_iter().zip(two).find(|(one, two)| one.stem != two.stem));
    // "High 31, low 17", "the north wing cost 4 million and the south wing 7"
    let at =
        |words: &[(usize, &'r Token)], place: usize| words.iter().find(|(at, _)| *at == place).map(|(_, word)| *word);
    let beside = [
        (figure.tokens.start.checked_sub(1), other.tokens.start.checked_sub(1), 0),
        (Some(figure.tokens.end), Some(other.tokens.end), 1),
    ];
    let beside = beside.into_iter().filter_map(|(one, two, side)| {
        let (one, two) = (one?, two?);
        let alike = acts(line, one) == acts(beside_line, two);
        Some((at(mine.get(side)?, one)?, at(theirs.get(side)?, two)?)).filter(|_| alike)
    });
    let [before, _] = &mine;
    let [their_before, _] = &theirs;
    let told_of = before.iter().find_map(|(one, word)| {
        let (two, _) = their_before.iter().find(|(_, other)| other.stem == word.stem)?;
        Some((at(before, one.checked_sub(1)?)?, at(their_before, two.checked_sub(1)?)?))
    });
    let found = nearest.chain(beside).chain(told_of);
    found.filter(|(one, two)| one.stem != two.stem && !has(&theirs, one) && !has(&mine, two)).collect()
}

/// Whether a sentence leaves it to the one before to say of what it tells: `It will be paid $1.14 million`.
pub fn names_nothing(reading: &ParsedText<'_>, line: usize) -> bool {
    let first = reading.line_tokens(line).first().filter(|_| reading.paragraph(line).start < line);
    first.is_some_and(|first| matches!(&*first.word, "it" | "they" | "this" | "that" | "these" | "those"))
}

/// The finding for a figure that each passage gives for something else, beside another figure for what the draft says.
pub fn another(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, reading, figure) = (draft.archive, draft.reading, draft.figure);
    let value = matches!(Bound::of(reading, figure), Bound::Exact | Bound::About) && !averages(reading, figure);
    if !value || names_nothing(reading, draft.line) {
        return None;
    }
    let near = sides(reading, draft.line, figure);
    let near: Vec<&Token> = near.iter().flatten().map(|(_, token)| *token).collect();
    let clause = belonging(reading, draft.line, figure);
    let clause: Vec<&Token> = clause.into_iter().filter_map(|at| reading.tokens.get(at)).collect();
    let said = |word: &Token| {
        clause.iter().any(|token| token.stem == word.stem || archive.alike(token).contains(&word.stem_id))
    };
    let has = |tokens: &[Token], word: &Token| tokens.iter().any(|token| token.stem == word.stem);
    let named: Vec<&Token> = clause.iter().filter(|token| token.capital && !token.stop).copied().collect();
    // Whether the one sentence has a name of the draft's clause that the other one has not.
    let tells = |one: &[Token], other: &[Token]| named.iter().any(|name| has(one, name) && !has(other, name));
    let wrong = |(place, theirs): &(SourceLine, &Figure)| {
        // The words before a figure that begins a line of notes are of the line before.
        let begins = |source: &ParsedText<'_>, figure: &Figure| {
            source.text.get(..figure.start).is_some_and(|head| head.trim_end_matches(' ').ends_with('\n'))
        };
        let source = archive.reading(*place).filter(|source| !begins(source, theirs))?;
        let paragraph = source.paragraph(place.line);
        let lines = archive.window(*place, BESIDE).filter(|line| paragraph.contains(line));
        let mut rivals = lines.flat_map(|line| siblings(source, line).iter().map(move |other| (line, other)));
        let (line, rival) = rivals.find(|(line, other)| {
            let plain = theirs.written.other.is_none() && other.written.other.is_none();
            let another = plain && theirs.comparable(other) && !theirs.same(other) && !figure.same(other);
            let like = LIKE.contains(&(other.value / theirs.value)) && !is_label(source, other);
            // "Seven in ten accepted the 5 per cent": the draft has the other one, too.
            let both = || companions(reading, figure).any(|own| own.same(other));
            // "NorthCare will be paid": the source has this name beside the same figure.
            let its_own = || tells(source.line_tokens(place.line), source.line_tokens(*line));
            another && like && !begins(source, other) && !both() && !its_own() && {
                let pairs = apart(source, theirs, other);
                !pairs.iter().any(|(own, _)| said(own))
                    && pairs.iter().any(|(_, other)| near.iter().any(|token| token.stem == other.stem))
            }
        })?;
        Some((SourceLine { line, ..*place }, rival))
    };
    // "5,200 homes in the county. Of these, 1,900 were in Thornaby."
    let part = |(place, theirs): &(SourceLine, &Figure)| {
        let source = archive.reading(*place)?;
        let line = Some(place.line + 1).filter(|line| source.paragraph(place.line).contains(line))?;
        let tokens = source.line_tokens(line);
        let of_them =
            matches!(tokens, [of, them, ..] if of.word == "of" && matches!(&*them.word, "these" | "those" | "them"));
        let rival =
            siblings(source, line).iter().find(|other| theirs.comparable(other) && other.value < theirs.value)?;
        let told = tells(tokens, source.line_tokens(place.line));
        Some((SourceLine { line, ..*place }, rival)).filter(|_| of_them && told)
    };
    let found = draft.matches.iter().map(|place| wrong(place).or_else(|| part(place))).collect::<Option<Vec<_>>>()?;
    let (place, rival) = *found.first()?;
    Some(contradicted(draft, place, rival, true))
}

/// A passage that is about the same thing has at least this part of the sentence.
const PARTLY: f64 = 0.4;

/// The finding for a day of something else, if the passage gives none and its document has another in its head. The day on which a budget
/// takes effect is not the day of the vote.
pub fn another_day(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (reading, figure, matches) = (draft.reading, draft.figure, &draft.matches);
    // "In the year to 27 June", "until 18 December"
    let on = reading.word_before(figure.tokens.start, 1) == "on";
    if figure.kind != FigureKind::Date || figure.bare_month() || !on {
        return None;
    }
    let past = draft.range.clone().any(|at| reading.grammar(draft.line).tag(at) == Tag::Past);
    let alignment = draft.alignment();
    // The head of a letter says who wrote to whom.
    let whole = if matches.is_empty() { alignment.share_without(&figure.tokens) } else { 0.0 };
    let carried = draft.carried().max(whole);
    if !past || carried < PARTLY {
        return None;
    }
    let date = reading.tokens.get(figure.tokens.clone())?;
    let mut own = of_line(reading, draft.line);
    own.retain(|stem| date.iter().all(|token| token.stem != *stem));
    let window = alignment.windows.first()?;
    let source = draft.archive.reading(window.place)?;
    let told = window.lines.clone().max_by_key(|line| common(&own, &of_line(source, *line)))?;
    let place = SourceLine { line: told, ..window.place };
    let day = day_of(source).filter(|day| !day.same(figure))?;
    // A day that no source has, in the month of the head, is likely meant for that day.
    let month = |date: &Figure| (date.value / 100.0).floor();
    if carried < MOSTLY && !(matches.is_empty() && near(month(figure), month(day))) {
        return None;
    }
    let dates =
        |figure: &Figure| matches!(figure.kind, FigureKind::Date | FigureKind::Year) && figure.start != day.start;
    // "Voted on 1 May to close the gate" is not "voted to close the gate on 1 May".
    let aim = reading.tokens.get(figure.tokens.end..figure.tokens.end + 2);
    let aim = aim.and_then(|two| matches!(two, [to, _] if to.word == "to").then(|| two.last()).flatten());
    let turned = |(at, theirs): &(SourceLine, &Figure)| {
        let aimed =
            |pair: &[Token]| matches!((pair, aim), ([to, verb], Some(aim)) if to.word == "to" && verb.stem == aim.stem);
        let before = source.line_tokens(at.line).iter().take_while(|token| token.end <= theirs.start).count();
        source.line_tokens(at.line).get(..before).is_some_and(|before| before.windows(2).any(aimed))
    };
    let apart = |found: &(SourceLine, &Figure)| {
        let at = found.0;
        // "An inspection on 18 February"
        let before = figure.tokens.start.checked_sub(2).and_then(|at| reading.tokens.get(at));
        let its = before.is_some_and(|own| source.line_tokens(at.line).iter().any(|token| token.stem == own.stem));
        let elsewhere = || at.line != place.line && !its && common(&own, &of_line(source, at.line)) <= 1;
        at.source == place.source && (turned(found) || elsewhere())
    };
    let other = !siblings(source, place.line).iter().any(|date| dates(date) && !figure.same(date));
    let other = other
        && matches.iter().all(apart)
        && (matches.iter().all(turned) || !siblings(source, place.line).iter().any(dates));
    let at = SourceLine { line: source.line_of(&day.tokens), ..place };
    other.then(|| contradicted(draft, at, day, true))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn the_day_of_something_else_is_not_that_of_the_document() {
        let notice = "LUND, 9 May 2023 - The council of Lund today approved a toll of 18 crowns.\nThe toll takes effect on 1 July.";
        let minutes = "Toll committee\nMeeting held: 11 October 2022\nMinutes signed: 8 November 2022\n\nThe committee rejected the toll \
                       by 6 votes to 3.";
        let closing =
            "Minutes of the council, 4 February 2025\n\nThe council voted 7-2 to close the pier on 30 April 2025.";
        for (source, draft, wrong) in [
            (notice, "The council of Lund approved a toll of 18 crowns on 1 July.", true),
            (notice, "The council of Lund approved a toll of 18 crowns on 9 May 2023.", false),
            (notice, "The council of Lund approved a toll of 18 crowns, which takes effect on 1 July.", false),
            (minutes, "The toll committee rejected the toll by 6 votes to 3 on 8 November 2022.", true),
            (closing, "The council voted 7-2 on 30 April 2025 to close the pier.", true),
            (closing, "The council voted 7-2 to close the pier on 30 April 2025.", false),
            (minutes, "The toll committee rejected the toll by 6 votes to 3 on 11 October 2022.", false),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.contradicted".to_owned()), wrong, "{draft}");
        }
    }

    #[test]
    fn a_figure_belongs_to_what_the_source_says_it_of() {
        for (source, draft, wrong) in [
            ("Gross profit was £12.4 million. Net profit was £3.1 million.", "The net profit was £12.4 million.", true),
            ("Gross profit was £12.4 million. Net profit was £3.1 million.", "The net profit was £3.1 million.", false),
            ("The crash killed 4 people and injured 17.", "Seventeen people were killed in the crash.", true),
            ("The crash killed 4 people and injured 17.", "Four people died in the crash.", false),
            ("Exports rose to $2.1 billion and imports to $1.8 billion.", "Imports rose to $2.1 billion.", true),
            ("Tuesday in Kirra: high 31, low 17, no rain.", "Tuesday's low in Kirra was 31 degrees.", true),
            ("Tuesday in Kirra: high 31, low 17, no rain.", "The high in Kirra was 31 degrees, the low 17.", false),
            ("The north wing cost $4 million and the south wing $7 million.", "The south wing cost $4 million.", true),
            ("Adults pay $12, children $6.", "Children pay $12.", true),
            (
                "The jail goes to NorthCare at $1,140,000. The present provider is paid $962,000.",
                "NorthCare will be paid $1.14 million.",
                false,
            ),
            (
                "The jail goes to NorthCare at $1,140,000. The present provider is paid $962,000.",
                "The board chose a provider for the jail. It will be paid $1.14 million.",
                false,
            ),
            (
                "In the ballot 70 per cent voted to accept the offer and 30 per cent to reject it. It is worth 5 per cent.",
                "Seven in ten who voted accepted the 5 per cent offer.",
                false,
            ),
            ("Adults pay $12, children $6.", "Adults pay $12 and children half of it.", false),
            // None of these is said of the wrong thing: a noun that both figures share, a bound, and a log with one entry a line.
            (
                "It was 37 percent of improper claims in 1996, 32 percent in 1999.",
                "In 1999, 32 percent of claims were improper.",
                false,
            ),
            ("Visibility: 40 m\nLimit set at: 50 km/h", "Visibility was under 50 metres.", false),
            ("Port Skerrow log\n14:02 pager\n15:55 alongside, no injuries", "It was back in port at 15:55.", false),
            (
                "The storm cut off 5,200 homes in the county. Of these, 1,900 were in Thorn Vale.",
                "The storm cut off 5,200 homes in Thorn Vale.",
                true,
            ),
            (
                "The storm cut off 5,200 homes in the county. Of these, 1,900 were in Thorn Vale.",
                "The storm cut off 5,200 homes.",
                false,
            ),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.contradicted".to_owned()), wrong, "{draft}");
        }
    }
}
