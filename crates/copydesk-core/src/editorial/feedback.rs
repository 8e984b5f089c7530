//! Verdicts become feedback, without a model (docs/reference/contract.md).

use copydesk_newsroom::{Status, Verdict, WriterFeedback};

/// Most rationales of kept text that are passed on.
const MAX_SUGGESTIONS: usize = 5;

/// Compiles the feedback that closes `iteration`. `verdicts` are the effective ones, in concern order.
///
/// To-dos are the fixes of REWRITE and REMOVE verdicts that have one. Suggestions are the rationales of up to five KEEP
/// verdicts. The rating is 10 less two for each to-do and one for each suggestion, within 1 to 10.
#[must_use]
pub fn compile(iteration: u32, verdicts: &[Verdict]) -> WriterFeedback {
    let todo_list: Vec<String> = verdicts
        .iter()
        .filter(|verdict| matches!(verdict.status, Status::Rewrite | Status::Remove))
        .filter_map(|verdict| verdict.suggested_fix.clone())
        .collect();
    let improvement_suggestions: Vec<String> = verdicts
        .iter()
        .filter(|verdict| verdict.status == Status::Keep)
        .take(MAX_SUGGESTIONS)
        .map(|verdict| verdict.rationale.clone())
        .collect();
    let cost = todo_list.len().saturating_mul(2).saturating_add(improvement_suggestions.len());
    let rating = u8::try_from(10usize.saturating_sub(cost).max(1)).unwrap_or(1);
    let reasoning = if todo_list.is_empty() {
        "No to-do: the open verdicts name no fix.".to_owned()
    } else {
        let numbered: Vec<String> =
            todo_list.iter().zip(1..).map(|(to_do, number): (_, u32)| format!("{number}. {to_do}")).collect();
        numbered.join("\n")
    };
    WriterFeedback {
        iteration,
        rating,
        passed: false,
        reasoning,
        improvement_suggestions,
        todo_list,
        verdicts: verdicts.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::verdict;

    #[test]
    fn to_dos_suggestions_and_rating_follow_the_seed() {
        let mut verdicts = vec![
            verdict(1, Status::Rewrite, Some("fix one")),
            verdict(2, Status::Remove, None),
            verdict(3, Status::Remove, Some("fix three")),
        ];
        verdicts.extend((4..=10).map(|id| verdict(id, Status::Keep, Some("ignored"))));
        let feedback = compile(2, &verdicts);
        assert_eq!(
            feedback,
            WriterFeedback {
                iteration: 2,
                rating: 1,
                passed: false,
                reasoning: "1. fix one\n2. fix three".into(),
                improvement_suggestions: (4..=8).map(|id| format!("rationale {id}")).collect(),
                todo_list: vec!["fix one".into(), "fix three".into()],
                verdicts,
            }
        );
    }

    #[test]
    fn the_rating_stays_within_one_and_ten() {
        let many: Vec<Verdict> = (1..=50).map(|id| verdict(id, Status::Rewrite, Some("x"))).collect();
        assert_eq!(compile(1, &many).rating, 1);
        assert_eq!(compile(1, &[verdict(1, Status::Rewrite, None)]).rating, 10);
        assert_eq!(compile(1, &[verdict(1, Status::Rewrite, Some("x"))]).rating, 8);
    }
}
