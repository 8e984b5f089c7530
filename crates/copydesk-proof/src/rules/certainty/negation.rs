//! Negation: only one of sentence and source denies the same thing.
//!
//! Why: one dropped “not” reverses a report. A sentence of a source is nearly the draft's, with a denial right before a word that both have,
//! on one side only. Or the sources deny a word of the draft wherever they have it with other words of the sentence.

use crate::{reading::hedges::softens, rules::prelude::*, sources::content};

pub static RULE: Rule = Rule {
    name: "certainty.negation",
    why: "The source says the opposite: only one of the two says “not”.",
    source: "A denial beside the same words reverses them.",
    measured: Some(Measured { right: 7, of: 7, on: SUMMARIES }),
    ..Rule::OPPOSITE
};

/// The share that each of the two sentences must have of the other.
const SAME: f64 = 0.72;

/// Words that reverse a statement without denying it.
const TURNS: &[&str] = &[
    "fail", "refus", "reject", "lack", "unlik", "against", "avoid", "stop", "hardly", "few", "instead", "rather",
    "declin", "rul", "wrong", "erred", "doubt", "dismiss", "miss", "whether", "only", "except", "unless", "until",
    "depend", "deni", "deny", "no", "neither",
];

/// The source's sentence that says the opposite.
pub fn opposite(archive: &SourceArchive<'_>, spoken: &[Token], stems: &[&str]) -> Option<SourceLine> {
    if stems.len() < 4 || turned(spoken) {
        return None;
    }
    let denials = spoken.iter().filter(|token| denies(token)).count();
    let hits = archive.passages(stems, 4);
    let near: Vec<_> = hits.iter().filter(|hit| hit.cover >= SAME).collect();
    let place = near.first()?.place;
    let tokens = archive.tokens(place);
    let theirs = tokens.iter().filter(|token| denies(token)).count();
    if denials + theirs != 1
        || turned(tokens)
        || near.iter().skip(1).any(|hit| archive.tokens(hit.place).iter().any(denies) != (theirs > 0))
    {
        return None;
    }
    let own = content(tokens);
    let back: f64 = own.iter().filter(|stem| stems.contains(stem)).map(|stem| archive.weight(stem)).sum();
    let whole: f64 = own.iter().map(|stem| archive.weight(stem)).sum();
    let (denied, stated) = if denials == 1 { (spoken, tokens) } else { (tokens, spoken) };
    let word = denied_word(denied)?;
    let said = stated.iter().any(|token| token.stem == word.stem);
    (said && back >= 0.6 * whole).then_some(place)
}

/// The source's sentence that denies what the draft says, in other words beside it: `officers have made arrests` for "no arrests". Wherever a
/// source has this word with others of the sentence, it denies it.
pub fn lost(archive: &SourceArchive<'_>, spoken: &[Token], stems: &[&str]) -> Option<SourceLine> {
    if stems.len() < 3 || turned(spoken) || softens(spoken) || spoken.iter().any(denies) {
        return None;
    }
    let weight = |stems: &[&str]| stems.iter().map(|stem| archive.weight(stem)).sum::<f64>();
    let own = spoken.iter().filter(|token| !token.stop && stems.contains(&token.stem.as_str()));
    own.filter(|token| !token.class.has(Class::NUMBER) && !token.capital).find_map(|token| {
        let places: Vec<SourceLine> = archive.places_of(&token.word).take(PLACES + 1).collect();
        let denied = |place: SourceLine| {
            let (reading, tokens) = (archive.reading(place), archive.tokens(place));
            !turned(tokens) && reading.is_some_and(|reading| only_denied(reading, tokens, &token.stem))
        };
        // Hardly any word is denied anywhere.
        if places.len() > PLACES || !places.iter().copied().any(denied) {
            return None;
        }
        let others: Vec<&str> = stems.iter().copied().filter(|stem| *stem != token.stem).collect();
        let total = weight(&others).max(f64::MIN_POSITIVE);
        let mut best: Option<(f64, SourceLine)> = None;
        for place in places {
            let tokens = archive.tokens(place);
            let here = |stem: &&str| tokens.iter().any(|token| token.stem == **stem);
            let around = || archive.window(place, 1).flat_map(|line| archive.tokens(SourceLine { line, ..place }));
            let beside = |stem: &&str| around().any(|token| token.stem == **stem);
            let (held, rest): (Vec<&str>, Vec<&str>) = others.iter().copied().partition(here);
            let near: Vec<&str> = rest.into_iter().filter(beside).collect();
            let share = (weight(&held) + BESIDE * weight(&near)) / total;
            if share < TOUCHES {
                continue;
            }
            if !denied(place) {
                return None;
            }
            if best.is_none_or(|(most, _)| share > most) {
                best = Some((share, place));
            }
        }
        best.filter(|(share, _)| *share >= ABOUT).map(|(_, place)| place)
    })
}

/// A word with more places in the sources says too little.
const PLACES: usize = 40;

/// A place has to do with the sentence if it has this part of its other words; the best place has more.
const TOUCHES: f64 = 0.12;
const ABOUT: f64 = 0.22;

/// What a word counts that stands in the sentence before or behind.
const BESIDE: f64 = 0.5;

/// Whether a denial stands right before a word, wherever a sentence has it: no mark parts them.
fn only_denied(reading: &ParsedText<'_>, tokens: &[Token], stem: &str) -> bool {
    let mut places = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|token| token.stem == stem));
    places.all(|at| {
        let before = tokens.get(..=at).unwrap_or_default().windows(2).rev();
        let joined = before.map_while(|pair| {
            let [one, next] = pair else { return None };
            let gap = reading.text.get(one.end..next.start)?;
            (!gap.contains([',', ';', ':', '.', '(', ')'])).then_some(one)
        });
        joined.into_iter().find(|token| !helps(token)).is_some_and(denies)
    })
}

/// The source's sentence that says there is none of what the draft says there is: `there were serious adverse events`.
pub fn none(archive: &SourceArchive<'_>, spoken: &[Token]) -> Option<SourceLine> {
    let is = |pair: &[Token]| match pair {
        [there, be] => there.word == "there" && matches!(&*be.word, "is" | "are" | "was" | "were"),
        _ => false,
    };
    let at = spoken.windows(2).position(is)?;
    let phrase = spoken.get(at + 2..)?.iter().take_while(|token| !token.stop);
    let phrase: Vec<&Token> = phrase.take(PHRASE).collect();
    let last = phrase.last().filter(|_| phrase.len() > 1)?;
    let mut found = None;
    for place in archive.places_of(&last.word) {
        let tokens = archive.tokens(place);
        if phrase.iter().all(|word| tokens.iter().any(|token| token.stem == word.stem)) {
            found = found.or(Some(tokens.iter().any(denies).then_some(place)?));
        }
    }
    found
}

/// What there is has at most so many words.
const PHRASE: usize = 4;

/// The content word right after a denial, with only helping words between.
fn denied_word(tokens: &[Token]) -> Option<&Token> {
    let at = tokens.iter().position(denies)?;
    tokens.get(at + 1..)?.iter().find(|token| !helps(token)).filter(|token| !token.stop)
}

/// Whether a word can stand between a denial and what it denies.
fn helps(token: &Token) -> bool {
    matches!(
        token.word.as_str(),
        "be" | "been" | "have" | "has" | "a" | "an" | "the" | "yet" | "to" | "in" | "any" | "being"
    )
}

fn turned(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| {
        !denies(token)
            && (TURNS.iter().any(|head| token.word == *head || head.len() > 3 && token.word.starts_with(head))
                || token.word.starts_with("un"))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The fixed charge of $11.75 a month does not change in either year. The ball fields stay open during the 2027 season.";

    fn rules(draft: &str) -> Vec<String> {
        check_texts(draft, SOURCE).into_iter().map(|f| f.rule).collect()
    }

    #[test]
    fn a_dropped_or_added_denial_is_found() {
        assert_eq!(rules("The fixed charge of $11.75 a month changes in either year."), ["certainty.negation"]);
        assert_eq!(rules("The ball fields do not stay open during the 2027 season."), ["certainty.negation"]);
        assert_eq!(rules("The fixed charge of $11.75 a month does not change in either year."), [""; 0]);
        assert_eq!(rules("The fixed charge of $11.75 a month is unchanged in either year."), [""; 0]);
        let source = "Officers searched two boats in the harbour. There were no arrests. The permit for the kiosk has not been signed.";
        assert_eq!(check_texts("Officers made arrests in the harbour after they searched boats.", source).len(), 1);
        assert_eq!(check_texts("The permit for the kiosk on the square has been signed.", source).len(), 1);
        let two = format!("{source} On Monday officers reported arrests in the harbour.");
        assert_eq!(check_texts("Officers made arrests in the harbour after they searched boats.", &two), []);
        let source = "Two swimmers fainted; there were no serious adverse events.";
        assert_eq!(check_texts("There were serious adverse events, they say.", source).len(), 1);
        assert_eq!(check_texts("There were no serious adverse events, they say.", source), []);
    }
}
