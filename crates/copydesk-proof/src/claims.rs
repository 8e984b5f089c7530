//! Finds the sentences of a draft that can be checked, and what a passage says about one.

use std::ops::Range;

use crate::{
    check::ledger,
    reading::{Figure, FigureKind, ParsedText},
    rule::Gravity,
    rules::number::absent,
    sources::lookup::verbatim,
};
use copydesk_newsroom::{ArticleResponse, Footing, Ledger, LedgerRow, Source, SourceSpan, SpanKind, Stance, Standing};
use copydesk_text::{
    footnotes::body_only,
    overlap::{Sentences, Stems},
    sentences::sentences,
};

/// A sentence is about a claim if it has at least this share of the claim's words, and at least so many of them.
/// Among a hundred texts, some sentence always has one of the claim's words and another figure beside it.
const SPEAKS_FROM: (f64, usize) = (0.5, 2);

/// At most so many sentences of a passage are compared alone.
const HEARD: usize = 3;

/// A sentence of a draft's body that a source could support or contradict, and what the proof found against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkable {
    /// Its place in the body.
    pub range: Range<usize>,
    /// The reasons for doubt, a sentence each; empty if there are none.
    pub findings: Vec<String>,
    /// Whether the only objection is that the sources do not have it.
    pub only_missing: bool,
    /// The supporting passage, if there is one.
    pub carried_by: Option<SourceSpan>,
}

/// The checkable sentences of the body: those with a row in the ledger that a rule could judge, and statements that are `grave` in a reader's
/// eyes although no rule could.
pub fn checkable(article: &ArticleResponse, ledger: &Ledger, grave: impl Fn(&str) -> bool) -> Vec<Checkable> {
    let judged = |row: &&LedgerRow| row.field == "articleBody" && row.standing != Standing::Unchecked;
    let rows: Vec<&LedgerRow> = ledger.rows.iter().filter(judged).collect();
    let mut claims = Vec::new();
    for range in sentences(&body_only(&article.articleBody)) {
        let of_it: Vec<&&LedgerRow> =
            rows.iter().filter(|row| row.start < range.end && range.start < row.end).collect();
        let text = article.articleBody.get(range.clone()).unwrap_or_default().trim();
        let is_statement = || !text.starts_with('#') && !text.ends_with('?');
        if of_it.is_empty() && !(is_statement() && grave(text)) {
            continue;
        }
        let against = || of_it.iter().filter(|row| row.is_finding());
        let doubt = |row: &&&LedgerRow| row.note.clone().unwrap_or_else(|| row.standing.name().to_owned());
        let carrying = of_it.iter().filter(|row| says_it(row, &range)).filter_map(|row| row.passage.clone());
        claims.push(Checkable {
            findings: against().map(doubt).collect(),
            only_missing: against().all(|row| row.standing == Standing::NotFound),
            carried_by: carrying.max_by_key(|span| span.text.len()),
            range,
        });
    }
    claims
}

/// Whether a row of the ledger speaks for its whole sentence: the sentence matches, or it is hardly more than words that its source has. A
/// known name or figure alone does not support it.
#[must_use]
pub fn says_it(row: &LedgerRow, sentence: &Range<usize>) -> bool {
    let quoted = || (row.end - row.start) * 2 >= sentence.len();
    match (row.kind, row.standing) {
        (SpanKind::Sentence, Standing::Matches) => true,
        (SpanKind::Quotation, Standing::Verbatim | Standing::Normalised | Standing::Partial) => quoted(),
        _ => false,
    }
}

/// The statement of a passage about a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Testimony {
    pub stance: Stance,
    /// How it contradicts the claim.
    pub note: Option<String>,
    /// The sentence of the passage that says so.
    pub range: Range<usize>,
}

/// The statement about a claim with the words `wanted` in a passage with the sentences `said`. None if the passage is about something else,
/// or leaves part of the claim open. Only a single sentence about the same thing contradicts; another figure elsewhere in the passage does
/// not.
#[must_use]
pub fn testimony(claim: &str, wanted: &Stems, passage: &Source, said: &Sentences) -> Option<Testimony> {
    let mut near = said.nearest(wanted);
    // Most passages that a search finds are about something else, and need no closer look.
    near.retain(|near| near.share >= SPEAKS_FROM.0 && near.shared >= SPEAKS_FROM.1.min(wanted.count()));
    near.truncate(HEARD);
    let heard = |range: Range<usize>| {
        let text = passage.text.get(range)?.to_owned();
        stance(claim, &Source { name: passage.name.clone(), text })
    };
    let speak = near.iter().filter_map(|near| Some((near.range.clone(), heard(near.range.clone())?)));
    let testimony = |(range, (stance, note))| Testimony { stance, note, range };
    match speak.min_by_key(|(_, (stance, _))| *stance != Stance::Carries) {
        Some(said) if said.1.0 == Stance::Carries => Some(testimony(said)),
        otherwise => {
            // Two sentences together may say what neither says alone.
            let best = near.first()?.range.clone();
            let together = heard(said.around(&best)).filter(|(stance, _)| *stance == Stance::Carries);
            together.map(|said| testimony((best, said))).or(otherwise.map(testimony))
        }
    }
}

/// The verdict of a ledger of only the claim against only the passage.
fn stance(claim: &str, passage: &Source) -> Option<(Stance, Option<String>)> {
    let article = ArticleResponse { articleBody: claim.to_owned(), ..ArticleResponse::default() };
    let sources = std::slice::from_ref(passage);
    let concerns = ledger(&article, sources, Gravity::Concern);
    let otherwise = concerns.findings().find(|row| {
        let slight = matches!(row.standing, Standing::Misspelt | Standing::Inflated);
        row.standing.footing() == Footing::Conflicts && !slight
    });
    // A draft is not accused of another figure by a loose passage. This passage is known to be about the same thing.
    let unsure = |row: &LedgerRow| row.rule == absent::UNSURE.name && row.standing == Standing::Contradicted;
    let otherwise =
        otherwise.cloned().or_else(|| ledger(&article, sources, Gravity::Note).rows.into_iter().find(unsure));
    if let Some(row) = otherwise {
        return Some((Stance::Contradicts, row.note));
    }
    let supported = |row: &LedgerRow| row.kind == SpanKind::Sentence && row.standing == Standing::Matches;
    let carries = concerns.findings().next().is_none()
        && counts_alike(claim, &passage.text)
        && (concerns.rows.iter().any(supported) || verbatim(claim, sources).is_some());
    carries.then_some((Stance::Carries, None))
}

/// Whether a passage has every amount of money and every percentage of a claim as such: 1.8 million bricks are not
/// $1.8 million.
fn counts_alike(claim: &str, passage: &str) -> bool {
    let (claim, passage) = (ParsedText::new(claim), ParsedText::new(passage));
    let bound = |figure: &&Figure| matches!(figure.kind, FigureKind::Money(_) | FigureKind::Percent);
    let has = |figure: &Figure| passage.figures.iter().any(|theirs| figure.same(theirs) && figure.comparable(theirs));
    claim.figures.iter().filter(bound).all(has)
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
        let cases = [(
            "The town council voted 5–2 on Tuesday to renovate Miller Park.",
            "The town council voted 4-3 on Tuesday to renovate Miller Park, the park on Canal Road that opened in 1958.",
        )];
        for (claim, text) in cases {
            assert_eq!(testimony(claim, &source(text)).map(|said| said.stance), Some(Stance::Contradicts), "{claim}");
        }
    }

    #[test]
    fn two_passages_that_contradict_each_other_do_so_from_both_sides() {
        let minutes = "The plan for Miller Park costs 2.4 million dollars and lays 1.4 miles of paths.";
        let blog = "The plan for Miller Park costs 3.4 million dollars.";
        for (claim, text) in [(minutes, blog), (blog, minutes)] {
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
    fn the_words_of_a_claim_in_another_order_carry_nothing() {
        let heard = "I won't say strike today. On December 1 the members meet.";
        assert_eq!(testimony("The members will strike on December 1.", &source(heard)), None);
        let asked = "Will the members strike on December 1? The union would not say.";
        assert_eq!(testimony("The members will strike on December 1.", &source(asked)), None);
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
    fn a_sentence_that_is_a_quotation_is_carried_by_its_words() {
        let body =
            "“In eleven years I have not once got to the pond,” she said. Calloway of the pond spoke of “the gate”.";
        let article = ArticleResponse {
            headline: "The park".into(),
            alternativeHeadline: String::new(),
            articleBody: body.into(),
            description: String::new(),
        };
        let notes = "Inez Calloway spoke. \"I can get to the gate,\" she said. \"In eleven years I have not once got to the pond.\"";
        let ledger = ledger(&article, &[source(notes)], Gravity::Concern);
        let carried: Vec<bool> =
            checkable(&article, &ledger, |_| false).iter().map(|claim| claim.carried_by.is_some()).collect();
        assert_eq!(carried, [true, false]);
    }

    #[test]
    fn claims_are_sentences_that_can_be_checked_with_what_speaks_against_them() {
        let article = ArticleResponse {
            headline: "The park".into(),
            alternativeHeadline: String::new(),
            articleBody: "The park opened in 1985.[^1] Inez Calloway spoke. Conrad Ohm spoke. Why not? The clerk took bribes.\n\n## Footnotes\n\n\
                          [^1]: notes, line 1: it opened in 1958.\n"
                    .into(),
            description: String::new(),
        };
        let ledger = ledger(&article, &[source(NOTES)], Gravity::Concern);
        let claims = checkable(&article, &ledger, |text| text.contains("took") || text.contains("not"));
        let told: Vec<(&str, bool, bool)> = claims
            .iter()
            .map(|claim| (&article.articleBody[claim.range.clone()], claim.findings.is_empty(), claim.only_missing))
            .collect();
        assert_eq!(
            told,
            [
                ("The park opened in 1985.", false, false),
                ("Inez Calloway spoke.", true, true),
                ("Conrad Ohm spoke.", false, true),
                ("The clerk took bribes.", true, true)
            ]
        );
    }
}
