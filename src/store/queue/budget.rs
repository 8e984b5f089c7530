//! What is used of a budget: of a story's runs, and of a batch's, with what calls on their way may use. A server that does not say how many
//! tokens it used counts with those that were reckoned with.

use rusqlite::params;

use super::super::{calls::natural, session::Session};
use crate::ports::{Budget, Intent, OverBudget, RunKey, StoreError};

/// The runs that belong together, and the keys of their limits.
const SCOPES: [(&str, &str, &str); 2] = [
    (
        "run IN (SELECT id FROM run WHERE story = (SELECT story FROM run WHERE id = ?1))",
        "desk.budget.story_tokens",
        "desk.budget.story_cost",
    ),
    (
        "run IN (SELECT id FROM run WHERE batch = (SELECT batch FROM run WHERE id = ?1))",
        "desk.budget.batch_tokens",
        "desk.budget.batch_cost",
    ),
];

impl Session {
    /// The first budget that a call of `run` could pass.
    pub(super) fn over_budget(
        &self,
        run: RunKey,
        call: &Intent,
        budget: &Budget,
    ) -> Result<Option<OverBudget>, StoreError> {
        for ((which, tokens_key, cost_key), (tokens, cost)) in
            SCOPES.into_iter().zip(budget.tokens.into_iter().zip(budget.cost))
        {
            if tokens.is_none() && cost.is_none() {
                continue;
            }
            let (mut used, mut spent) = (0, 0.0);
            self.each(
                &format!(
                    "SELECT model,
                         sum(iif(state = 'rejected', coalesce(prompt_tokens, 0), coalesce(prompt_tokens, reckoned_prompt, 0))),
                         sum(iif(state = 'rejected', coalesce(completion_tokens, 0), coalesce(completion_tokens, reckoned_answer, 0)))
                     FROM llm_call WHERE {which} GROUP BY model"
                ),
                params![run.0],
                |row| {
                    let (model, prompt, answer): (String, Option<i64>, Option<i64>) =
                        self.columns(|| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                    let counted = (natural(prompt).unwrap_or(0), natural(answer).unwrap_or(0));
                    used += counted.0.saturating_add(counted.1);
                    spent += budget.cost_of(&model, counted);
                    Ok(())
                },
            )?;
            let may_use = call.reckoned.0.saturating_add(call.reckoned.1);
            if let Some(limit) = tokens.filter(|limit| used.saturating_add(may_use) > *limit) {
                return Ok(Some(OverBudget {
                    key: tokens_key,
                    limit: number(limit),
                    used: number(used),
                    call: number(may_use),
                }));
            }
            let may_cost = budget.cost_of(&call.model, call.reckoned);
            if let Some(limit) = cost.filter(|limit| spent + may_cost > *limit) {
                return Ok(Some(OverBudget { key: cost_key, limit, used: spent, call: may_cost }));
            }
        }
        Ok(None)
    }
}

/// Tokens as a number to be told.
fn number(tokens: u64) -> f64 {
    f64::from(u32::try_from(tokens).unwrap_or(u32::MAX))
}
