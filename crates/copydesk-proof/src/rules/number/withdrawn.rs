//! A figure that a source takes back, unless the draft says so.
//!
//! Why: notes contain the wrong figure beside its correction, and the wrong one comes first.

use crate::{
    rules::prelude::*,
    sources::{Withdrawal, around, common, counted, fitted, shared, siblings},
    words::Class,
};
use copydesk_newsroom::SourceSpan;

pub static RULE: Rule = Rule {
    name: "number.withdrawn",
    kind: SpanKind::Number,
    standing: Standing::Withdrawn,
    concern_type: ConcernType::InferredFact,
    why: "The source itself corrects this figure.",
    source: "A correction in a source counts more than what it corrects.",
    ..Rule::USUAL
};

/// A figure that a source takes back, unless the draft says so.
pub fn withdrawn(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
    taken_back: &[Withdrawal],
) -> Option<Fault> {
    let archive = &texts.archive;
    let reading = &field.reading;
    let mine = around(reading, figure);
    let found = taken_back.iter().filter(|w| w.wrong.same(figure)).find(|withdrawal| {
        let Some(source) = archive.reading(withdrawal.place) else { return false };
        let mut theirs = around(source, &withdrawal.wrong);
        theirs.extend(around(source, &withdrawal.right));
        let bound = shared(archive, &mine, &theirs);
        let elsewhere = matches
            .iter()
            .filter(|(place, _)| *place != withdrawal.place)
            .filter_map(|(place, other)| archive.reading(*place).map(|reading| around(reading, other)))
            .filter(|words| common(words, &theirs) == 0)
            .map(|words| shared(archive, &mine, &words))
            .fold(0.0_f64, f64::max);
        bound > elsewhere && bound > 0.0
    })?;
    if tells(reading, figure, &found.right) {
        return None;
    }
    let source = archive.reading(found.place)?;
    let nouns = [(found.place, &found.wrong), (found.right_place, &found.right)];
    let noun = counted(reading, figure).map(|token| &token.stem);
    let theirs = nouns.iter().filter_map(|(at, other)| counted(archive.reading(*at)?, other)).map(|token| &token.stem);
    let mut theirs = theirs.peekable();
    let same = noun.is_none() || theirs.peek().is_none() || theirs.any(|stem| Some(stem) == noun);
    let repair = archive.reading(found.right_place).filter(|_| same);
    let repair = repair.and_then(|right| fitted(reading, figure, right, &found.right));
    let (from, to) = (found.place.line.min(found.right_place.line), found.place.line.max(found.right_place.line));
    let passage: Option<SourceSpan> = match (source.lines.get(from), source.lines.get(to)) {
        (Some(first), Some(last)) => archive.span(found.place.source, first.start, last.end),
        _ => None,
    };
    Some(
        Fault::new(&RULE, field, figure.start..figure.end)
            .note(format!(
                "The source corrects this figure to {}.",
                one_line(source.slice(found.right.start..found.right.end))
            ))
            .passage(passage)
            .replacement(repair),
    )
}

/// Verbs behind or before `first` that tell what was said earlier: `first gave`, `said first`.
static SPEAKS: WordList = words("said gave put announced reported stated had spoke");

/// Whether the draft itself corrects the figure, in this sentence or beside it, or says that it was wrong.
fn tells(reading: &ParsedText<'_>, figure: &Figure, right: &Figure) -> bool {
    let line = reading.line_of(&figure.tokens);
    let beside = line.saturating_sub(1)..(line + 2).min(reading.lines.len());
    let gives = beside.clone().any(|at| siblings(reading, at).iter().any(|other| other.same(right)));
    let tokens = reading.line_tokens(line);
    let cue = tokens.iter().any(|token| {
        token.class.has(Class::CORRECTS)
            || matches!(token.word.as_str(), "earlier" | "originally" | "initially" | "mistakenly")
    });
    let first = tokens.windows(2).any(|pair| match pair {
        [one, two] => {
            one.word == "first" && SPEAKS.contains(&two.word) || two.word == "first" && SPEAKS.contains(&one.word)
        }
        _ => false,
    });
    gives || cue || first
}

#[cfg(test)]
mod tests {
    use crate::rules::number::given::{found, one, repair, repairs};

    #[test]
    fn a_withdrawn_figure_is_wrong_unless_the_draft_says_so() {
        assert_eq!(
            found("The saving is estimated at $640,000 a year."),
            one("number.withdrawn", "$640,000", "$460,000")
        );
        assert_eq!(found("The saving, first given as $640,000, is $460,000 a year."), []);
    }

    #[test]
    fn a_withdrawn_figure_is_put_right() {
        let source = "We wrote that the yard would build 45 boats. That was wrong. The number of boats is 28.";
        assert_eq!(repairs("The yard would build 45 boats.", source), repair("45", "28"));
    }
}
