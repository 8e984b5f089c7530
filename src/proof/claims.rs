//! Which sentences of a draft can be checked, and what a passage says of one.

use std::ops::Range;

use crate::{
    newsroom::{ArticleResponse, Ledger, LedgerRow, Source, SourceSpan, SpanKind, Stance, Standing},
    proof::{
        check::ledger,
        reading::{
            figure::{Figure, FigureKind},
            text::ParsedText,
        },
        rule::Gravity,
        sources::lookup::{carried, verbatim},
    },
    text::{
        overlap::{Sentences, Stems},
        sentences::sentences,
    },
};

/// A sentence speaks of a claim where it has at least this share of the claim's words, and at least so many of them. In a collection of
/// a hundred texts some sentence always has one of the claim's words and another figure beside it.
const SPEAKS_FROM: (f64, usize) = (0.5, 2);

/// Most sentences of a passage that are heard by themselves.
const HEARD: usize = 3;

/// A sentence of a draft's body that says something a witness could carry or contradict, and what the proof holds against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkable {
    /// Its place in the body.
    pub range: Range<usize>,
    /// Why it is in doubt, a sentence each; empty where nothing speaks against it.
    pub findings: Vec<String>,
    /// Whether all that is held against it is that the sources do not have it.
    pub only_missing: bool,
    /// What the sources have of it, where they carry it.
    pub carried_by: Option<SourceSpan>,
}

/// The checkable sentences of the body: those of which the ledger has a row that a rule could judge.
#[must_use]
pub fn checkable(article: &ArticleResponse, ledger: &Ledger) -> Vec<Checkable> {
    let rows: Vec<&LedgerRow> = ledger.rows.iter().filter(|row| row.field == "articleBody").collect();
    let judged = |row: &&&LedgerRow| row.standing != Standing::Unchecked;
    let mut claims = Vec::new();
    for range in sentences(&article.articleBody) {
        let of_it: Vec<&&LedgerRow> =
            rows.iter().filter(|row| row.start < range.end && range.start < row.end).filter(judged).collect();
        if of_it.is_empty() {
            continue;
        }
        let against: Vec<&&&LedgerRow> = of_it.iter().filter(|row| row.is_finding()).collect();
        claims.push(Checkable {
            findings: against
                .iter()
                .map(|row| row.note.clone().unwrap_or_else(|| row.standing.name().to_owned()))
                .collect(),
            only_missing: against.iter().all(|row| row.standing == Standing::NotFound),
            carried_by: of_it
                .iter()
                // That a name or a figure of it is known carries nothing yet.
                .filter(|row| row.kind == SpanKind::Support && row.standing == Standing::Found)
                .filter_map(|row| row.passage.clone())
                .max_by_key(|span| span.text.len()),
            range,
        });
    }
    claims
}

/// What a passage says of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Testimony {
    /// Whether it carries it.
    pub stance: Stance,
    /// How it says otherwise.
    pub note: Option<String>,
    /// The sentence of the passage that says so.
    pub range: Range<usize>,
}

/// What a passage, of which `said` are the sentences, says of a claim with the words `wanted`; none where it does not speak of it, or
/// leaves some of it open. A contradiction is one sentence's, which speaks of the same thing: that a passage has another figure somewhere
/// is none.
#[must_use]
pub fn testimony(claim: &str, wanted: &Stems, passage: &Source, said: &Sentences) -> Option<Testimony> {
    let mut near = said.nearest(wanted);
    // Most passages that a search finds speak of something else: nothing more is asked of them.
    near.retain(|near| near.share >= SPEAKS_FROM.0 && near.shared >= SPEAKS_FROM.1.min(wanted.count()));
    near.truncate(HEARD);
    let heard = |range: Range<usize>| {
        let text = passage.text.get(range)?.to_owned();
        stance(claim, &Source { name: passage.name.clone(), text })
    };
    let mut speak: Vec<_> =
        near.iter().filter_map(|near| Some((near.range.clone(), heard(near.range.clone())?))).collect();
    speak.sort_by_key(|(_, (stance, _))| *stance != Stance::Carries);
    let testimony = |(range, (stance, note))| Testimony { stance, note, range };
    match speak.into_iter().next() {
        Some(said) if said.1.0 == Stance::Carries => Some(testimony(said)),
        otherwise => {
            // What two sentences say together one need not say.
            let best = near.first()?.range.clone();
            let together = heard(said.around(&best)).filter(|(stance, _)| *stance == Stance::Carries);
            together.map(|said| testimony((best, said))).or(otherwise.map(testimony))
        }
    }
}

/// What the ledger of a claim alone, held against a passage alone, comes to.
fn stance(claim: &str, passage: &Source) -> Option<(Stance, Option<String>)> {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: claim.to_owned(),
        description: String::new(),
    };
    let ledger = ledger(&article, std::slice::from_ref(passage), Gravity::Concern);
    let otherwise = ledger.findings().find(|row| {
        matches!(
            row.standing,
            Standing::Contradicted
                | Standing::Altered
                | Standing::WrongSpeaker
                | Standing::Withdrawn
                | Standing::Swapped
                | Standing::Denied
        )
    });
    if let Some(row) = otherwise {
        return Some((Stance::Contradicts, row.note.clone()));
    }
    let sources = std::slice::from_ref(passage);
    let supported = |row: &LedgerRow| row.kind == SpanKind::Support && row.standing == Standing::Found;
    let carries = ledger.findings().next().is_none()
        && counts_alike(claim, &passage.text)
        && (ledger.rows.iter().any(supported)
            || verbatim(claim, sources).is_some()
            || carried(claim, sources).is_some());
    carries.then_some((Stance::Carries, None))
}

/// Whether a passage has every sum of money and every percentage of a claim as such: 1.8 million bricks are not $1.8 million.
fn counts_alike(claim: &str, passage: &str) -> bool {
    let (claim, passage) = (ParsedText::new(claim), ParsedText::new(passage));
    let bound = |figure: &&Figure| matches!(figure.kind, FigureKind::Money(_) | FigureKind::Percent);
    claim
        .figures
        .iter()
        .filter(bound)
        .all(|figure| passage.figures.iter().any(|theirs| figure.same(theirs) && figure.comparable(theirs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTES: &str =
        "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958. Inez Calloway spoke.";

    fn source(text: &str) -> Source {
        Source { name: "notes".into(), text: text.into() }
    }

    fn testimony(claim: &str, passage: &Source) -> Option<Testimony> {
        super::testimony(claim, &Stems::of(claim), passage, &Sentences::of(&passage.text))
    }

    #[test]
    fn a_passage_carries_contradicts_or_is_silent() {
        let says = |claim: &str, text: &str| testimony(claim, &source(text)).map(|said| said.stance);
        assert_eq!(says("The council voted to spend $1.8 million on the park.", NOTES), Some(Stance::Carries));
        assert_eq!(says("The council voted to spend $2.8 million on the park.", NOTES), Some(Stance::Contradicts));
        assert_eq!(says("The bridge over the river was closed in 1970.", NOTES), None);
        let said = testimony("The park opened in 1985.", &source(NOTES)).unwrap();
        assert!(said.note.unwrap().contains("1958"));
        assert_eq!(
            &NOTES[said.range],
            "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958."
        );
    }

    #[test]
    fn what_speaks_of_something_else_contradicts_nothing() {
        let cases = [
            (
                "In 2021 we had thirty-eight main breaks.",
                "MAIN OUTCOME MEASURE Level of ATP 1 hour after fructose infusion in patients vs controls.",
            ),
            (
                "The capital reserve would fall from $1,640,000 to $460,000.",
                "A survey of capital and operating costs from five sites was used for radiosurgery.",
            ),
            ("The park opened in 1985.", "The library opened in 1958, and so did the school of the old mill quarter."),
        ];
        for (claim, text) in cases {
            assert_eq!(testimony(claim, &source(text)), None, "{claim}");
        }
    }

    #[test]
    fn a_witness_that_says_the_opposite_contradicts() {
        let cases = [
            ("Councilmember Thomas Pruitt voted against the plan.", "Councilmember Thomas Pruitt voted for the plan."),
            (
                "The town council voted 5–2 on Tuesday to renovate Miller Park.",
                "The town council voted 4-3 on Tuesday to renovate Miller Park, the park on Canal Road that opened in 1958.",
            ),
        ];
        for (claim, text) in cases {
            assert_eq!(testimony(claim, &source(text)).map(|said| said.stance), Some(Stance::Contradicts), "{claim}");
        }
    }

    #[test]
    fn a_number_of_something_else_carries_nothing() {
        let claim = "Work on the bridge will cost $1.8 million and take nine months.";
        let bricks = "Work on the bridge will take nine months and 1.8 million bricks; what it will cost nobody knows.";
        assert_eq!(testimony(claim, &source(bricks)), None);
        let dollars = "Work on the bridge will cost 1.8 million dollars and take nine months.";
        assert_eq!(testimony(claim, &source(dollars)).map(|said| said.stance), Some(Stance::Carries));
    }

    #[test]
    fn the_sentence_that_carries_a_claim_stands_for_its_passage() {
        let text = "Minutes of the town council of Eastbrook\n\nThe council met on Tuesday. The motion to renovate the park carried 5-2. \
                    The town council of Eastbrook voted 5-2 on Tuesday to renovate the old park.";
        let said =
            testimony("The town council of Eastbrook voted 5-2 on Tuesday to renovate the old park.", &source(text))
                .unwrap();
        assert_eq!(said.stance, Stance::Carries);
        assert!(text[said.range].starts_with("The town council of Eastbrook voted"));
    }

    #[test]
    fn claims_are_sentences_that_can_be_checked_with_what_speaks_against_them() {
        let article = ArticleResponse {
            headline: "The park".into(),
            alternativeHeadline: String::new(),
            articleBody: "The park opened in 1985. Inez Calloway spoke. The river flooded in 1911. Why not?".into(),
            description: String::new(),
        };
        let ledger = ledger(&article, &[source(NOTES)], Gravity::Concern);
        let claims = checkable(&article, &ledger);
        let told: Vec<(&str, bool, bool)> = claims
            .iter()
            .map(|claim| (&article.articleBody[claim.range.clone()], claim.findings.is_empty(), claim.only_missing))
            .collect();
        assert_eq!(
            told,
            [
                ("The park opened in 1985.", false, false),
                ("Inez Calloway spoke.", true, true),
                ("The river flooded in 1911.", false, true)
            ]
        );
    }
}
