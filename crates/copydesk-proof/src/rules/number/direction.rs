//! A verb that contradicts its figures: `rose from 6.2 percent to 5.1 percent`.
//!
//! Why: the verb or one of the figures is wrong. No source is needed to see that.

use crate::{
    reading::denies,
    rules::prelude::*,
    words::changes::{DOWN, UP},
};

pub static RULE: Rule = Rule {
    name: "number.direction",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "The verb and the figures disagree.",
    source: "What rises ends higher than it began. What falls ends lower.",
    ..Rule::USUAL
};

/// How far before `from`, in words, the verb can stand.
const REACH: usize = 6;

/// Enters every pair of figures that moves the other way than its verb.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for field in &texts.fields {
        for pair in field.reading.figures.windows(2) {
            let [one, two] = pair else { continue };
            let Some(rises) = told(&field.reading, one, two) else { continue };
            let quoted = field.reading.tokens.get(one.tokens.start).is_some_and(Token::quoted);
            let other_way = if rises { two.value < one.value } else { two.value > one.value };
            if quoted || !other_way {
                continue;
            }
            let [from, to] = [one, two].map(|figure| field.reading.slice(figure.start..figure.end));
            let way = if rises { "up" } else { "down" };
            ledger
                .enter(Fault::new(&RULE, field, one.start..two.end).note(format!("From {from} to {to} is not {way}.")));
        }
    }
}

/// Whether the sentence says that something goes up, or down, from one figure to the next.
fn told(reading: &ParsedText<'_>, one: &Figure, two: &Figure) -> Option<bool> {
    let measured =
        |figure: &Figure| matches!(figure.kind, FigureKind::Money(_) | FigureKind::Percent | FigureKind::Count);
    let from = one.tokens.start.checked_sub(1)?;
    let to = two.tokens.start.checked_sub(1)?;
    let is = |at: usize, word: &str| reading.tokens.get(at).is_some_and(|token| token.word == word);
    let comparable = measured(one) && one.comparable(two);
    if !comparable || to != one.tokens.end || !is(from, "from") || !is(to, "to") {
        return None;
    }
    let line = reading.tokens.get(from)?.line;
    let before = reading.tokens.get(from.saturating_sub(REACH)..from)?;
    let mut before = before.iter().rev().take_while(|token| token.line == line);
    if before.clone().any(denies) {
        return None;
    }
    before.find_map(|token| match (UP.contains(&token.word), DOWN.contains(&token.word)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    fn found(draft: &str) -> Vec<(String, String)> {
        let source = "The rate went from 6.2 percent to 5.1 percent, the budget from $10 to $12 million, the crowd from 40 to 60.";
        check_texts(draft, source).into_iter().map(|f| (f.rule, f.text)).collect()
    }

    #[test]
    fn figures_that_go_the_other_way_are_found() {
        let one = |text: &str| [("number.direction".to_owned(), text.to_owned())];
        assert_eq!(found("The rate rose from 6.2 percent to 5.1 percent."), one("6.2 percent to 5.1 percent"));
        assert_eq!(found("The crowd fell sharply from 40 to 60."), one("40 to 60"));
    }

    #[test]
    fn figures_that_go_with_their_verb_are_not() {
        for fine in [
            "The rate fell from 6.2 percent to 5.1 percent.",
            "The crowd grew from 40 to 60.",
            "The rate did not rise from 6.2 percent to 5.1 percent.",
            "The rate went from 6.2 percent to 5.1 percent.",
            "“The rate rose from 6.2 percent to 5.1 percent.”",
        ] {
            assert!(found(fine).iter().all(|(rule, _)| rule != "number.direction"), "{fine}");
        }
    }
}
