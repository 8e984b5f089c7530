//! The right figure of the wrong state: the injured told as dead, what is needed as what was raised, households as people.
//!
//! Why: the figure is in the source, and so are most words of the sentence. Only the word for what became of the things counted differs.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    binding::belonging,
    rules::{
        number::{contradicted::RULE, figure::DraftFigure},
        prelude::*,
    },
};

/// Words that exclude each other: lines of sides.
static STATES: LazyLock<HashMap<&str, Vec<(usize, usize)>>> = LazyLock::new(|| {
    let lines = include_str!("../../../../../assets/words/states.txt").lines().filter(|line| !line.starts_with('#'));
    let mut sides: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (line, text) in lines.enumerate() {
        for (side, words) in text.split('|').enumerate() {
            for word in words.split_ascii_whitespace() {
                sides.entry(word).or_default().push((line, side));
            }
        }
    }
    sides
});

/// The words with a state that are said of a figure. None if one of them is denied, or only wanted: `to be raised`.
fn states<'r>(reading: &'r ParsedText<'_>, line: usize, figure: &Figure, own: bool) -> Option<Vec<&'r Token>> {
    let words = belonging(reading, line, figure);
    let said: Vec<&Token> = words.iter().filter_map(|at| reading.tokens.get(*at)).collect();
    // "More than in 1974"
    let open = |token: &&Token| {
        let year = figure.kind == FigureKind::Year && matches!(&*token.word, "than" | "more" | "fewer" | "less");
        denies(token) && token.word != "without"
            || token.quoted()
            || year
            || token.word == "or"
            || own && token.word == "be"
    };
    if said.iter().any(open) {
        return None;
    }
    Some(said.into_iter().filter(|token| STATES.contains_key(&*token.word)).collect())
}

/// The finding for a figure that each passage gives for another state of what the draft tells.
pub fn another(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, reading, figure, matches) = (draft.archive, draft.reading, draft.figure, &draft.matches);
    let fault = |note: String, place: SourceLine| Some(draft.fault(&RULE, note, Some(place)));
    if matches.iter().all(|place| denied(draft, place)) {
        return fault("Only one of the two says “not” of this.".to_owned(), matches.first()?.0);
    }
    let rated = |(place, theirs): &(SourceLine, &Figure)| {
        let theirs = rate(archive.reading(*place)?, theirs)?;
        (rate(reading, figure)? != theirs).then_some((*place, theirs))
    };
    let other_rates: Vec<_> = matches.iter().filter_map(rated).collect();
    if let Some((place, theirs)) = other_rates.first().filter(|_| other_rates.len() == matches.len()) {
        return fault(format!("The source has this a {theirs}."), *place);
    }
    let former = |(place, theirs): &(SourceLine, &Figure)| {
        archive.reading(*place).is_some_and(|source| is_former(source, theirs))
    };
    let earlier = draft.tokens().iter().any(|token| FORMER.contains(&token.word));
    if !earlier && matches.iter().all(former) {
        return fault("The source has this as it was before.".to_owned(), matches.first()?.0);
    }
    let own = states(reading, draft.line, figure, true).filter(|own| !own.is_empty())?;
    let sides = |tokens: &[&Token], group: usize| -> Vec<usize> {
        let all = tokens.iter().filter_map(|token| STATES.get(&*token.word)).flatten();
        all.filter(|(line, _)| *line == group).map(|(_, side)| *side).collect()
    };
    let wrong = |(place, theirs): &(SourceLine, &Figure)| -> Option<(SourceLine, String, String)> {
        let there = states(archive.reading(*place)?, place.line, theirs, false)?;
        let of = |token: &&&Token| {
            STATES.get(&*token.word).into_iter().flatten().any(|(group, side)| {
                let (mine, theirs) = (sides(&own, *group), sides(&there, *group));
                !theirs.is_empty() && mine.iter().all(|own| own == side) && !theirs.contains(side)
            })
        };
        let word = own.iter().find(of)?;
        let theirs = there.iter().find(|other| {
            let groups = STATES.get(&*word.word).into_iter().flatten();
            groups.into_iter().any(|(group, _)| !sides(&[other], *group).is_empty())
        })?;
        Some((*place, word.word.to_string(), theirs.word.to_string()))
    };
    let found = matches.iter().map(wrong).collect::<Option<Vec<_>>>()?;
    let (place, mine, theirs) = found.into_iter().next()?;
    fault(format!("The source has this figure with “{theirs}”, not with “{mine}”."), place)
}

/// Words for an earlier value.
static FORMER: WordList = words(
    "previously previous earlier before former formerly until now was were had from instead last originally first initially against compared \
     up down after rose fell grew dropped increased than",
);

/// Words that open a bracket with an earlier value.
const WAS: [&str; 6] = ["previously", "formerly", "earlier", "originally", "before", "was"];

/// Whether a source gives a value in a bracket as that of before: `between £44m and £47m (previously £50m to £53m)`.
fn is_former(source: &ParsedText<'_>, figure: &Figure) -> bool {
    let head = source.text.get(..figure.start).unwrap_or_default();
    let Some(inner) = head.rfind('(').and_then(|at| head.get(at + 1..)) else { return false };
    let lower = inner.to_lowercase();
    inner.len() < BRACKET
        && !inner.contains([')', '\n'])
        && (WAS.iter().any(|word| lower.starts_with(word)) || lower.starts_with("until now"))
}

/// A bracket before a value has at most so many bytes.
const BRACKET: usize = 60;

/// The time that a figure is told for each of: `60 containers a day`.
fn rate<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> Option<&'r str> {
    let line = reading.line_of(&figure.tokens);
    let behind = reading.tokens.get(figure.tokens.end..)?.iter().take(RATE).take_while(|token| token.line == line);
    let mut pairs = behind.clone().zip(behind.skip(1));
    let rate = |(each, time): &(&Token, &Token)| {
        matches!(&*each.word, "a" | "an" | "per" | "each" | "every")
            && matches!(&*time.word, "hour" | "day" | "week" | "month" | "year")
    };
    pairs.find(rate).map(|(_, time)| time.word.as_str())
}

/// The time of a rate is at most so many words behind it.
const RATE: usize = 5;

/// Whether only one of the two denies what it says of a share, and both say it with one verb: `71% are not met`.
fn denied(draft: &DraftFigure<'_>, (place, theirs): &(SourceLine, &Figure)) -> bool {
    let Some(source) = draft.archive.reading(*place).filter(|_| draft.figure.share().is_some()) else { return false };
    let verb = |reading: &ParsedText<'_>, figure: &Figure| {
        let line = reading.line_of(&figure.tokens);
        let stretch = reading.grammar(line).stretch(figure.tokens.start);
        let mut behind = (figure.tokens.end..stretch.end).filter_map(|at| Some((at, reading.tokens.get(at)?)));
        let verbs = |at: usize, token: &Token| reading.grammar(line).tag(at).is_verb() && !token.stop;
        let (at, verb) = behind.find(|(at, token)| verbs(*at, token))?;
        let before = reading.tokens.get(figure.tokens.end..at)?;
        Some((verb.stem.clone(), before.iter().any(denies)))
    };
    let told = verb(draft.reading, draft.figure).zip(verb(source, theirs));
    told.is_some_and(|(own, other)| own.0 == other.0 && own.1 != other.1)
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn a_figure_belongs_to_what_became_of_the_things_counted() {
        for (source, draft, wrong) in [
            ("Two people were treated for smoke; nobody was killed.", "Two people were killed in the fire.", true),
            ("Two people were treated for smoke; nobody was killed.", "Two people were hurt in the fire.", false),
            ("Four people died and nine were injured.", "Nine people died.", true),
            ("Four people died and nine were injured.", "Four people were killed, nine were hurt.", false),
            ("Some 700 households lost power.", "Some 700 people lost power.", true),
            ("Some 700 households lost power.", "Some 700 homes lost power.", false),
            ("The club needs £4 million; it has 900,000.", "The club has raised £4 million.", true),
            ("The club needs £4 million; it has 900,000.", "The club hopes that £4 million will be raised.", false),
            ("The clerk was suspended on 2 April.", "The clerk was fired on 2 April.", true),
            ("The yard has 52 jobs. Seventeen jobs will go.", "Only seventeen jobs will remain at the yard.", true),
            ("The ferry leaves Merrin at 6:10 and reaches Lie at 7:45.", "The ferry leaves Merrin at 7:45.", true),
            ("Some 71% of requests are met in time.", "Some 71 per cent of requests are not met in time.", true),
            ("We lift 60 containers a day.", "The crane lifts 60 containers a week.", true),
            ("We lift 60 containers a day.", "The crane lifts 60 containers every day.", false),
            ("It expects a profit of £44m (previously £50m).", "It now expects a profit of £50 million.", true),
            (
                "It expects a profit of £44m (previously £50m).",
                "It expects a profit of £44 million, not £50 million as before.",
                false,
            ),
            ("The levy will be set at £18 per household.", "The levy will cost every resident £18.", true),
            ("Sustained winds were 72 mph with gusts of 98 mph.", "It had sustained winds of 98 mph.", true),
            ("Les prix sont en baisse de 22 % sur un an.", "Les prix sont en hausse de 22 % sur un an.", true),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"number.contradicted".to_owned()), wrong, "{draft}");
        }
    }
}
