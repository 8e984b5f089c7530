//! A reversed vote: `voted against` for `voted for`, `eight to two` for `seven to two`.
//!
//! Why: no dictionary lists `for` and `against` as opposites, both are everywhere, and so are small numbers in words.
//! But a vote is always told in one short sentence. The rule reads the sources' sentences on a vote with the same
//! topic, and reports the draft only if all of them differ from it.

use crate::{
    reading::near,
    rules::prelude::*,
    sources::{content, siblings},
};

pub static SIDE: Rule = Rule {
    name: "vote.side",
    why: "The source reports the other side of this vote.",
    source: "“For”, “in favour of” and “against” after a verb of voting, in sentences on a vote with the same names.",
    ..Rule::OPPOSITE
};

pub static TALLY: Rule = Rule {
    name: "vote.tally",
    standing: Standing::Contradicted,
    kind: SpanKind::Number,
    why: "The source reports another result of this vote.",
    source: "The two numbers of a tally, in the sentences on the same vote.",
    ..SIDE
};

static VOTES: WordList = words("vote voted votes voting");

/// Words for a vote, or for what is voted on.
static MOTIONS: WordList = words(
    "vote votes voted voting motion motions resolution amendment carried lost proposed moved ayes noes yeas nays abstentions",
);

/// Results of a motion.
static PASSED: WordList = words("approved passed adopted carried backed endorsed ratified granted");
static FAILED: WordList = words("failed fails defeated rejected reject rejects denied refused");

/// Results only of what is asked for: who denies a story decides nothing.
static ASKED: WordList = words("granted denied refused");
static REQUESTS: WordList = words(
    "motion motions petition application request appeal permission permit bid injunction bail leave stay planning consent licence license",
);

/// Words with which a motion that passes stops something.
static TURNED: WordList = words(
    "deny denying reject rejecting refuse decline postpone table defer continue disapprove rescind repeal overturn override veto not \
     reconsider oppose",
);

/// Labels of the two numbers of a tally.
pub static YES: WordList = words("ayes aye yes yeas yea for favour favor");
pub static NO: WordList = words("noes no nays nay against opposed");

/// A sentence of a source is about the same motion if it has this share of the words that the sources know.
const MOVED: f64 = 0.6;

/// The result of a motion stands at most so many sentences behind it.
const BEHIND: usize = 5;

/// A sentence of a source is about the same vote if it has this share of the weight.
const COVER: f64 = 0.5;

/// A vote that the sources report otherwise.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    let (ledger, archive, tokens) = (sentence.ledger, sentence.archive, sentence.tokens());
    let mut faults = Vec::new();
    let votes = tokens.iter().any(|token| VOTES.contains(&token.word));
    let outcome_told = outcome(tokens, true);
    if !(ledger.asks(&SIDE) || ledger.asks(&TALLY)) || !votes && outcome_told.is_none() {
        return faults;
    }
    let motions = motions(sentence);
    // The first place, if all of them tell it otherwise.
    let other = |told: Vec<(SourceLine, bool)>, own: bool| {
        told.first().filter(|_| told.iter().all(|(_, theirs)| *theirs != own)).map(|(place, _)| *place)
    };
    if let Some((token, passed)) = outcome_told
        && let Some(place) = other(motions.iter().filter_map(|lines| result(sentence, lines)).collect(), passed)
    {
        let note = format!("The source reports that it {}.", if passed { "failed" } else { "passed" });
        faults.push(sentence.found(&SIDE, token.start..token.end, note, Some(place)));
    }
    if !votes {
        return faults;
    }
    let hits = archive.passages(&content(tokens), 6);
    let places: Vec<SourceLine> = hits.into_iter().filter(|hit| hit.cover >= COVER).map(|hit| hit.place).collect();
    if let Some((token, side)) = side(tokens) {
        // The passage must name the same person, since members vote differently.
        let named = |place: SourceLine| {
            let theirs = archive.tokens(place);
            let mut names = tokens.iter().filter(|token| sentence.names(token)).peekable();
            names.peek().is_none() || names.any(|name| theirs.iter().any(|token| token.word == name.word))
        };
        let told = |place: &SourceLine| Some((*place, self::side(archive.tokens(*place))?.1));
        let sides = places.iter().filter(|place| named(**place)).filter_map(told).collect();
        if let Some(place) = other(sides, side) {
            let there = if side { "against" } else { "for" };
            let note = format!("The source reports a vote {there} it.");
            faults.push(sentence.found(&SIDE, token.start..token.end, note, Some(place)));
        }
    }
    let Some((figure, mine)) = tally(sentence.figures()) else { return faults };
    let told = |place: &SourceLine| {
        // "From 61 to 54 routes" is not the result of a vote.
        let votes =
            |token: &Token| [&MOTIONS, &PASSED, &FAILED, &YES, &NO].iter().any(|list| list.contains(&token.word));
        let source = archive.reading(*place).filter(|_| archive.tokens(*place).iter().any(votes))?;
        let figures = siblings(source, place.line);
        Some((*place, tally(figures).map(|(_, tally)| tally).or_else(|| labelled(source, figures))?))
    };
    let counted = motions.iter().filter_map(|lines| lines.iter().find_map(told));
    let tallies: Vec<(SourceLine, (f64, f64))> = places.iter().filter_map(told).chain(counted).collect();
    let same = |theirs: (f64, f64)| near(theirs.0, mine.0) && near(theirs.1, mine.1);
    if let Some((place, theirs)) = tallies.first()
        && !tallies.iter().any(|(_, theirs)| same(*theirs))
        && let Some(token) = sentence.reading.tokens.get(figure.tokens.start)
    {
        let note = format!("The source has {} to {} here.", theirs.0, theirs.1);
        faults.push(sentence.found(&TALLY, token.start..token.end, note, Some(*place)));
    }
    faults
}

/// The sentences on the motions that a sentence may tell of: each with those behind it that can have its result.
fn motions(sentence: &DraftSentence<'_>) -> Vec<Vec<SourceLine>> {
    let (archive, tokens) = (sentence.archive, sentence.tokens());
    let tells = |token: &&Token| {
        !(PASSED.contains(&token.word) || FAILED.contains(&token.word) || MOTIONS.contains(&token.word))
    };
    // Who decides stands before the verb, unless the motion itself does: "the motion was carried".
    let verb = outcome(tokens, true).map_or(0, |(verb, _)| verb.start);
    let helped = tokens.iter().take_while(|token| token.start < verb).last().is_some_and(|token| token.stop);
    let decider = |token: &&Token| !helped && token.capital && token.start < verb;
    let own = tokens.iter().filter(tells).filter(|token| !decider(token) && !token.class.has(Class::NUMBER));
    let own: Vec<Token> = own.cloned().collect();
    let stems = content(&own);
    let known: Vec<&str> = stems.iter().copied().filter(|stem| archive.knows(stem)).collect();
    let fewest = 2 - usize::from(tokens.iter().any(|token| matches!(&*token.word, "motion" | "request")));
    if known.len() < fewest || known.len() * 3 < stems.len() * 2 {
        return Vec::new();
    }
    let hits = archive.passages(&known, 4).into_iter().filter(|hit| hit.cover >= MOVED);
    let lines = hits.map(|hit| {
        let paragraph = archive.reading(hit.place).map_or(0..0, |reading| reading.paragraph(hit.place.line));
        let place = |line| SourceLine { line, ..hit.place };
        if outcome(archive.tokens(hit.place), false).is_some() {
            return vec![hit.place];
        }
        let next = |line: &usize| {
            let tokens = archive.tokens(place(*line));
            let opens = tokens.first().is_some_and(|token| token.word == "item" || token.word == "motion");
            *line == hit.place.line || !opens || outcome(tokens, false).is_some()
        };
        (hit.place.line..paragraph.end.min(hit.place.line + BEHIND)).take_while(next).map(place).collect()
    });
    lines.collect()
}

/// Whether a motion passed, if its sentences say so, and all the same.
fn result(sentence: &DraftSentence<'_>, lines: &[SourceLine]) -> Option<(SourceLine, bool)> {
    let tokens = |place: &SourceLine| sentence.archive.tokens(*place);
    let all = || lines.iter().flat_map(tokens);
    // "Motion to deny the permit carried": the permit did not pass.
    let own = || sentence.tokens().iter().filter(|token| !FAILED.contains(&token.word));
    let turned = |token: &Token| TURNED.contains(&token.word) && !own().any(|own| own.stem == token.stem);
    if all().any(turned) || !all().any(|token| MOTIONS.contains(&token.word)) {
        return None;
    }
    let mut told = lines.iter().filter_map(|place| Some((*place, outcome(tokens(place), false)?.1)));
    let first = told.next()?;
    told.all(|(_, passed)| passed == first.1).then_some(first)
}

/// The word that says whether a motion passed. A verb in the draft after `voted to` says so, too.
fn outcome(tokens: &[Token], own: bool) -> Option<(&Token, bool)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let denied = |at: usize| tokens.get(at.saturating_sub(2)..at).unwrap_or_default().iter().any(denies);
    let (mut passed, mut failed, mut voted) = (None, None, None);
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.quoted()) {
        // "Failed to appear" is not the result of a vote.
        let motion = |token: &Token| token.word != "lost" && MOTIONS.contains(&token.word);
        let lost = token.word == "lost" && (tokens.len() == 1 || tokens.iter().any(motion));
        let asked = || tokens.iter().any(|token| REQUESTS.contains(&token.word));
        if ASKED.contains(&token.word) && !asked() {
            continue;
        }
        let fails = lost || FAILED.contains(&token.word) && word(at + 1) != "to";
        if fails || PASSED.contains(&token.word) && denied(at) {
            failed = Some(token);
        } else if PASSED.contains(&token.word) {
            passed = Some(token);
        } else if own && VOTES.contains(&token.word) {
            let verb = (at + 1..at + 6).any(|at| {
                let next = tokens.get(at + 1).is_some_and(|next| !next.class.has(Class::NUMBER) && !next.stop);
                word(at) == "to" && next && !TURNED.contains(word(at + 1))
            });
            let favours = (at + 1..at + 8).any(|at| word(at) == "in" && matches!(word(at + 1), "favour" | "favor"));
            voted = voted.or((verb || favours).then_some(token));
        }
    }
    match (passed, failed) {
        (None, Some(token)) => Some((token, false)),
        (Some(token), None) => Some((token, true)),
        (None, None) => voted.map(|token| (token, true)),
        (Some(_), Some(_)) => None,
    }
}

/// A tally in labels, the larger number first: `Ayes 7, Noes 4`, `7 in favour, 4 against`.
fn labelled(reading: &ParsedText<'_>, figures: &[Figure]) -> Option<(f64, f64)> {
    let beside = |list: &WordList| {
        figures.iter().find(|figure| {
            let token = |at: Option<usize>| at.and_then(|at| reading.tokens.get(at));
            let gap = |start: usize, end: usize| reading.slice(start..end).trim().trim_matches(':').is_empty();
            let before = token(figure.tokens.start.checked_sub(1)).filter(|token| gap(token.end, figure.start));
            let behind = token(Some(figure.tokens.end)).filter(|token| gap(figure.end, token.start));
            let favour = behind.is_some_and(|token| token.word == "in").then(|| token(Some(figure.tokens.end + 1)));
            [before, behind, favour.flatten()].into_iter().flatten().any(|token| list.contains(&token.word))
        })
    };
    let (yes, no) = (beside(&YES)?.value, beside(&NO)?.value);
    Some((yes.max(no), yes.min(no)))
}

/// The side of a vote and the word that says so; true means in favour.
pub fn side(tokens: &[Token]) -> Option<(&Token, bool)> {
    tokens.iter().enumerate().find_map(|(at, verb)| {
        if !VOTES.contains(&verb.word) {
            return None;
        }
        let next = tokens.get(at + 1..(at + 3).min(tokens.len()))?;
        next.iter().find_map(|token| match token.word.as_str() {
            "for" | "favor" | "favour" => Some((token, true)),
            "against" => Some((token, false)),
            _ => None,
        })
    })
}

/// The first tally among figures, the larger number first.
fn tally(figures: &[Figure]) -> Option<(&Figure, (f64, f64))> {
    figures.iter().find_map(|figure| {
        let partner = figure.partner?;
        Some((figure, (figure.value.max(partner), figure.value.min(partner))))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    const SOURCE: &str = "Councilmember Thomas Pruitt voted for the park plan on Tuesday. Ada Lee voted against the park plan. \
                          The council voted seven to two to renovate Miller Park. The board voted 6-1 to close the old bridge.";

    fn found(draft: &str) -> Vec<String> {
        let found = rules_of(draft, SOURCE).into_iter();
        found.filter(|rule| rule.starts_with("vote.") || rule == "number.contradicted").collect()
    }

    #[test]
    fn the_other_side_of_a_vote_is_found() {
        assert_eq!(found("Councilmember Thomas Pruitt voted against the park plan."), ["vote.side"]);
        assert_eq!(found("Ada Lee voted in favor of the park plan."), ["vote.side"]);
        assert!(found("Councilmember Thomas Pruitt voted for the park plan.").is_empty());
        assert!(found("Ada Lee voted against the park plan on Tuesday.").is_empty());
        assert!(found("Piet de Vries voted against the museum budget.").is_empty(), "nobody speaks of that vote");
    }

    #[test]
    fn a_motion_that_failed_did_not_pass() {
        for (draft, source, rules) in [
            (
                "The council approved the rezoning of the mill site by 7 votes to 4.",
                "Item 9, rezoning of the mill site. The motion was put and failed, 4 votes to 7.",
                &["vote.side"][..],
            ),
            (
                "The trustees voted 4-3 to close the Elm Street branch.",
                "MOTION by Trustee Okonjo to close the Elm Street branch. Motion failed 3-4.",
                &["vote.side"],
            ),
            (
                "The trustees rejected the closing of the Elm Street branch.",
                "MOTION by Trustee Okonjo to close the Elm Street branch. Motion failed 3-4.",
                &[],
            ),
            (
                "The board rejected the permit for the old quarry.",
                "Motion to deny the permit for the old quarry. Motion carried.",
                &[],
            ),
            (
                "The motion to lower the speed limit in Quarry Lane was carried by 7 votes to 2.",
                "Motion 14: to lower the speed limit in Quarry Lane. Ayes 7, Noes 4, abstentions 2. Carried.",
                &["vote.tally"],
            ),
            (
                "The committee refused permission for 48 flats on Gasworks Road by six votes to four.",
                "25/00417: 48 flats, Gasworks Road. Moved by Cllr Yates: that permission be granted. For 6, against 4. Carried.",
                &["vote.side"],
            ),
            (
                "Councillors voted by four to three in favour of raising the parking charge to £1.50 an hour.",
                "63. Parking charges. Cllr Fenn proposed that the charge be increased to £1.50 an hour. For 3, against 4. Lost.",
                &["vote.side"],
            ),
            (
                "Judge Ruth Lie granted the motion to dismiss.",
                "The motion to dismiss is DENIED. The motion to stay discovery is GRANTED.\n\nRUTH LIE, Judge",
                &["vote.side"],
            ),
            (
                "Judge Ruth Lie granted the motion to stay discovery.",
                "The motion to dismiss is DENIED. The motion to stay discovery is GRANTED.\n\nRUTH LIE, Judge",
                &[],
            ),
            (
                "The motion to lower the speed limit in Quarry Lane was carried by 7 votes to 4.",
                "Motion 14: to lower the speed limit in Quarry Lane. 7 in favour, 4 against, 2 abstentions. Carried.",
                &[],
            ),
        ] {
            let found = rules_of(draft, source).into_iter().filter(|rule| rule.starts_with("vote."));
            assert_eq!(found.collect::<Vec<_>>(), rules, "{draft}");
        }
    }

    #[test]
    fn another_result_of_a_vote_is_found() {
        for wrong in ["eight to two", "8–2"] {
            assert_eq!(found(&format!("The council voted {wrong} to renovate Miller Park.")).len(), 1, "{wrong}");
        }
        assert!(found("The council voted seven to two to renovate Miller Park.").is_empty());
        assert!(found("The council voted 7-2 to renovate Miller Park.").is_empty());
        assert!(found("The board voted six to one to close the old bridge.").is_empty());
    }
}
