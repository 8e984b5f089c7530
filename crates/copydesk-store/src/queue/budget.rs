//! How much of a story's or a batch's budget its runs have used, and how much calls under way may use. If a server does not say how many
//! tokens it used, the estimate counts.

use crate::columns::usage;
use crate::prelude::*;
use copydesk_core::ports::{Budget, Intent, OverBudget};
use copydesk_newsroom::{Usage, amount};

/// Whether there is enough for a call.
pub(super) enum Affords {
    Yes,
    /// Perhaps, once calls under way have said what they used.
    NotYet,
    No(OverBudget),
}

/// The tokens and cost that calls have used, and those that calls under way may use.
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

/// Whether a call of `run` may be made now.
pub(super) fn affords(db: &Database, run: RunKey, call: &Intent, budget: &Budget) -> Result<Affords, DbFault> {
    let mut waits = false;
    for ((which, tokens_key, cost_key), (tokens, cost)) in
        SCOPES.into_iter().zip(budget.tokens.into_iter().zip(budget.cost))
    {
        if tokens.is_none() && cost.is_none() {
            continue;
        }
        let used = used(db, run, which, budget)?;
        let may_use = call.reckoned.0.saturating_add(call.reckoned.1);
        if let Some(limit) = tokens {
            if used.tokens.saturating_add(may_use) > limit {
                let (limit, used, call) = (amount(limit), amount(used.tokens), amount(may_use));
                return Ok(Affords::No(OverBudget { key: tokens_key, limit, used, call }));
            }
            waits |= used.tokens.saturating_add(used.on_their_way).saturating_add(may_use) > limit;
        }
        let (prompt_tokens, completion_tokens) = (Some(call.reckoned.0), Some(call.reckoned.1));
        let may_cost = budget.cost_of(&call.model, &Usage { prompt_tokens, completion_tokens, ..Usage::default() });
        if let Some(limit) = cost {
            if used.cost + may_cost > limit {
                return Ok(Affords::No(OverBudget { key: cost_key, limit, used: used.cost, call: may_cost }));
            }
            waits |= used.cost + used.cost_on_its_way + may_cost > limit;
        }
    }
    Ok(if waits { Affords::NotYet } else { Affords::Yes })
}

fn used(db: &Database, run: RunKey, which: &str, budget: &Budget) -> Result<Used, DbFault> {
    let mut used = Used::default();
    db.each(
        // If no worker has the step of an open call, the call was given up or its program ended. Its use is unknown, so its estimate
        // counts.
        &format!(
            "WITH call AS (
                 SELECT model, iif(state = 'rejected' AND answer IS NULL, coalesce(prompt_tokens, 0),
                                   coalesce(prompt_tokens, reckoned_prompt, 0)) AS prompt,
                     iif(state = 'rejected' AND answer IS NULL, coalesce(completion_tokens, 0),
                         coalesce(completion_tokens, reckoned_answer, 0)) AS answer,
                     coalesce(cached_tokens, 0) AS cached,
                     state = 'asked' AND EXISTS (SELECT 1 FROM message WHERE message.run = llm_call.run
                         AND message.step = llm_call.step AND message.state = 'leased') AS under_way
                 FROM llm_call WHERE {which})
             SELECT model, under_way, CAST(sum(prompt) AS BIGINT), CAST(sum(answer) AS BIGINT), CAST(sum(cached) AS BIGINT) FROM call GROUP BY model, under_way"
        ),
        params![run.0],
        |row| {
            let (model, under_way): (String, bool) = (row.get(0)?, row.get(1)?);
            let counted = usage(row, 2)?;
            let tokens = counted.tokens();
            let cost = budget.cost_of(&model, &counted);
            if under_way {
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
