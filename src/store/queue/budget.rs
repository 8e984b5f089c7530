//! What is used of a budget: of a story's runs, and of a batch's, with what calls on their way may use. A server that does not say how many
//! tokens it used counts with those that were reckoned with.

use rusqlite::params;

use super::super::{calls::natural, session::Session};
use crate::ports::{Budget, Intent, OverBudget, RunKey, StoreError, amount};

/// Whether there is enough for a call.
pub(super) enum Affords {
    /// There is, whatever it uses.
    Yes,
    /// There may be, once calls on their way have said what they used.
    NotYet,
    /// There is not.
    No(OverBudget),
}

/// What calls have used, and what those on their way may use.
#[derive(Default)]
struct Used {
    tokens: u64,
    cost: f64,
    on_their_way: u64,
    cost_on_its_way: f64,
}

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
    /// Whether a call of `run` may be made now.
    pub(super) fn affords(&self, run: RunKey, call: &Intent, budget: &Budget) -> Result<Affords, StoreError> {
        let mut waits = false;
        for ((which, tokens_key, cost_key), (tokens, cost)) in
            SCOPES.into_iter().zip(budget.tokens.into_iter().zip(budget.cost))
        {
            if tokens.is_none() && cost.is_none() {
                continue;
            }
            let used = self.used(run, which, budget)?;
            let may_use = call.reckoned.0.saturating_add(call.reckoned.1);
            if let Some(limit) = tokens {
                if used.tokens.saturating_add(may_use) > limit {
                    let (limit, used, call) = (amount(limit), amount(used.tokens), amount(may_use));
                    return Ok(Affords::No(OverBudget { key: tokens_key, limit, used, call }));
                }
                waits |= used.tokens.saturating_add(used.on_their_way).saturating_add(may_use) > limit;
            }
            let may_cost = budget.cost_of(&call.model, call.reckoned);
            if let Some(limit) = cost {
                if used.cost + may_cost > limit {
                    return Ok(Affords::No(OverBudget { key: cost_key, limit, used: used.cost, call: may_cost }));
                }
                waits |= used.cost + used.cost_on_its_way + may_cost > limit;
            }
        }
        Ok(if waits { Affords::NotYet } else { Affords::Yes })
    }

    fn used(&self, run: RunKey, which: &str, budget: &Budget) -> Result<Used, StoreError> {
        let mut used = Used::default();
        self.each(
            // A call on its way whose step nobody has was given up, or its program ended: what it used nobody knows, so it counts.
            &format!(
                "WITH call AS (
                     SELECT model, iif(state = 'rejected' AND answer IS NULL, coalesce(prompt_tokens, 0),
                                       coalesce(prompt_tokens, reckoned_prompt, 0)) AS prompt,
                         iif(state = 'rejected' AND answer IS NULL, coalesce(completion_tokens, 0),
                             coalesce(completion_tokens, reckoned_answer, 0)) AS answer,
                         state = 'asked' AND EXISTS (SELECT 1 FROM message WHERE message.run = llm_call.run
                             AND message.step = llm_call.step AND message.state = 'leased') AS flies
                     FROM llm_call WHERE {which})
                 SELECT model, flies, sum(prompt), sum(answer) FROM call GROUP BY model, flies"
            ),
            params![run.0],
            |row| {
                let (model, flies, prompt, answer): (String, bool, Option<i64>, Option<i64>) =
                    self.columns(|| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
                let counted = (natural(prompt).unwrap_or(0), natural(answer).unwrap_or(0));
                let (tokens, cost) = (counted.0.saturating_add(counted.1), budget.cost_of(&model, counted));
                if flies {
                    used.on_their_way = used.on_their_way.saturating_add(tokens);
                    used.cost_on_its_way += cost;
                } else {
                    used.tokens = used.tokens.saturating_add(tokens);
                    used.cost += cost;
                }
                Ok(())
            },
        )?;
        Ok(used)
    }
}
