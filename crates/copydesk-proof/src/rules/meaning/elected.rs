//! Who voted how, and who won: the rolls behind a vote (`AYE: Berg, Ruud`), and the votes beside the candidates.
//!
//! Why: a roll has no verb, and a table of results does not say who won. So no sentence of the source contradicts the draft's.

use crate::{
    reading::denies,
    rules::{
        meaning::voted::{NO, SIDE, TALLY, YES, side},
        prelude::*,
    },
    sources::{is_label, siblings},
};

/// Words for winning an election.
static WINS: WordList = words("won win wins elected reelected defeated defeats beat beats ousted unseated");

/// Words of an election.
static VOTES: WordList = words("vote votes voted ballots ballot poll polled election elected candidate candidates");

/// Rows of a table of results that are no candidate's.
static TOTALS: WordList = words(
    "electorate registered total totals turnout rejected spoilt spoiled invalid valid blank void majority ballots papers others write-in yes no vote votes",
);

/// The winner is named at most so many words before the verb.
const NAMED: usize = 6;

/// Between a candidate and the votes stand at most so many words: a party.
const PARTY: usize = 5;

/// The results of one election are at most so many sentences apart.
const RESULTS: usize = 8;

/// Enters a voter on the other side of a roll, and a winner with fewer votes than another candidate.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize) {
    let reading = &field.reading;
    let tokens = reading.line_tokens(line);
    if tokens.iter().any(|token| denies(token) || token.quoted()) {
        return;
    }
    let Some(first) = reading.lines.get(line).map(|line| line.tokens.start) else { return };
    let names = |end: usize| {
        let all = field.names.iter().filter(move |name| name.tokens.start >= first && name.tokens.end <= end);
        all.collect::<Vec<&Name>>()
    };
    let texts = ledger.texts;
    let mut found = Vec::new();
    if let Some((word, favours)) = side(tokens) {
        let end = reading.tokens.partition_point(|token| token.start < word.start);
        found.extend(names(end).into_iter().filter_map(|name| {
            let (place, theirs) = texts.archive.places_of(name.last()).find_map(|place| rolled(texts, name, place))?;
            let note = format!("The source has this vote {} it.", if theirs { "for" } else { "against" });
            let fault = Fault::new(&SIDE, field, name.start..name.end).note(note);
            (theirs != favours).then(|| fault.passage(texts.archive.sentence(place)))
        }));
    }
    let wins = tokens.iter().position(|token| WINS.contains(&token.word)).map(|at| first + at);
    found.extend(wins.and_then(|at| {
        // "Overturning a Civic Alliance majority to win": who wins is the subject.
        let [winner] = *names(at).as_slice() else { return None };
        Some(winner).filter(|name| at - name.tokens.end < NAMED)?;
        let (place, rival) = texts.archive.places_of(winner.last()).find_map(|place| beaten(texts, winner, place))?;
        let note = format!("The source has more votes for {rival}.");
        let fault = Fault::new(&TALLY, field, winner.start..winner.end).note(note);
        Some(fault.passage(texts.archive.sentence(place)))
    }));
    for fault in found {
        ledger.enter(fault);
    }
}

/// The side of a person in a roll: the label before the name in its row.
fn rolled(texts: &ProofTexts<'_>, name: &Name, place: SourceLine) -> Option<(SourceLine, bool)> {
    let (_, name) = names_of(texts, place, |other| other.may_be(name) && other.last() == name.last()).pop()?;
    let head = texts.archive.reading(place)?.text.get(..name.start)?;
    let row = head.rsplit('\n').next()?;
    let label = row.get(..row.rfind(':')?)?.rsplit([';', '.', '|']).next()?.to_lowercase();
    let has = |list: &WordList| label.split(|c: char| !c.is_alphabetic()).any(|word| list.contains(word));
    (has(&YES) != has(&NO)).then(|| (place, has(&YES)))
}

/// The names of a sentence of a source that are so.
fn names_of<'t>(
    texts: &'t ProofTexts<'_>,
    place: SourceLine,
    is: impl Fn(&Name) -> bool,
) -> Vec<(SourceLine, &'t Name)> {
    let range = texts.archive.line(place).map_or(0..0, |line| line.tokens.clone());
    let names = texts.source_names.get(place.source).map_or(&[][..], Vec::as_slice);
    let first = names.partition_point(|name| name.tokens.start < range.start);
    let own = names.get(first..).unwrap_or_default().iter().take_while(|name| name.tokens.start < range.end);
    own.filter(|name| is(name)).map(|name| (place, name)).collect()
}

/// The candidates of a sentence with their votes.
fn results<'t>(texts: &'t ProofTexts<'_>, place: SourceLine) -> Vec<(&'t Name, f64)> {
    let Some(source) = texts.archive.reading(place) else { return Vec::new() };
    let votes = |name: &Name| {
        let behind = name.tokens.end..name.tokens.end + PARTY;
        let is = |figure: &&Figure| behind.contains(&figure.tokens.start) && figure.kind == FigureKind::Count;
        let figure = siblings(source, place.line).iter().find(is).filter(|figure| !is_label(source, figure))?;
        let gap = source.text.get(name.end..figure.start)?;
        (figure.partner.is_none() && !gap.contains('\n')).then_some(figure.value)
    };
    let person = |name: &Name| name.personal() && !name.words.iter().any(|word| TOTALS.contains(word));
    names_of(texts, place, person).into_iter().filter_map(|(_, name)| Some((name, votes(name)?))).collect()
}

/// The candidate who has more votes than the one named, if the source does not say that the latter was elected.
fn beaten(texts: &ProofTexts<'_>, winner: &Name, place: SourceLine) -> Option<(SourceLine, String)> {
    let source = texts.archive.reading(place)?;
    let is = |name: &Name| name.may_be(winner) && name.last() == winner.last();
    let own = results(texts, place).into_iter().find(|(name, _)| is(name))?.1;
    let window = texts.archive.window(place, RESULTS);
    let told = |line: usize| source.line_tokens(line).iter().any(|token| VOTES.contains(&token.word));
    let elected = |line: usize| source.line_tokens(line).iter().any(|token| WINS.contains(&token.word));
    if !window.clone().any(told) || elected(place.line) {
        return None;
    }
    let all = window.map(|line| SourceLine { line, ..place });
    let all = all.flat_map(|place| results(texts, place).into_iter().map(move |(name, votes)| (place, name, votes)));
    let (place, rival, _) = all
        .filter(|(_, name, _)| !is(name))
        .max_by(|one, two| one.2.total_cmp(&two.2))
        .filter(|(.., votes)| *votes > own)?;
    Some((place, one_line(source.slice(rival.start..rival.end))))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn the_totals_of_a_table_are_no_candidates() {
        let source =
            "Votes: Ada Lund 4,120\nVotes: Jo Marsh 3,890\nVotes: Electorate 9,900\nVotes: Spoilt Papers 5,000";
        assert_eq!(rules_of("Ada Lund won the election.", source), [""; 0]);
        assert_eq!(rules_of("Jo Marsh won the election.", source), ["vote.tally"]);
    }

    #[test]
    fn who_voted_how_and_who_won() {
        let source = "Resolution 25-88, a bond for the pool.\nAYE: Bascom, Nguyen, Kim\nNAY: Purdy\n\n\
                      Votes in North Ward: Ada Lund (Labour) 4,120, Jo Marsh (Green) 3,890.";
        for (draft, rule) in [
            ("Purdy voted for the bond.", Some("vote.side")),
            ("Nguyen voted against the bond.", Some("vote.side")),
            ("Purdy voted against the bond, and Kim voted for it.", None),
            ("Jo Marsh won North Ward.", Some("vote.tally")),
            ("Jo Marsh defeated Ada Lund in North Ward.", Some("vote.tally")),
            ("Ada Lund won North Ward.", None),
            ("Jo Marsh did not win North Ward.", None),
        ] {
            let found: Vec<String> =
                rules_of(draft, source).into_iter().filter(|rule| rule.starts_with("vote.")).collect();
            assert_eq!(found, rule.map(str::to_owned).into_iter().collect::<Vec<_>>(), "{draft}");
        }
    }
}
