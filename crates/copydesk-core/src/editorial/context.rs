//! How much of what agents read stays with them: each delegated task has a context of its own, and only its result goes up.

use serde::Serialize;

use copydesk_newsroom::{Usage, amount};
use copydesk_text::{count, thousands};

/// The contexts of a story's delegated tasks, in tokens as the servers counted them. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ContextReduction {
    /// Tasks that are counted.
    pub delegations: u64,
    /// Tokens of their contexts, Σ|W|.
    pub context_tokens: u64,
    /// Tokens of their results, Σ|o|.
    pub output_tokens: u64,
    /// ρ = 1 − Σ|o| / Σ|W|, from 0 to 1 (docs/reference/context.md). Null if nothing was counted.
    pub rho: Option<f64>,
    /// Tasks whose server did not say what they used.
    pub uncounted: u64,
}

impl ContextReduction {
    /// Of the last call of each delegated task. Its prompt holds everything that the agent read and said before, and its answer is the result.
    pub fn of(calls: impl IntoIterator<Item = Usage>) -> Self {
        let mut all = Self::default();
        for usage in calls {
            let (Some(prompt), Some(output)) = (usage.prompt_tokens, usage.completion_tokens) else {
                all.uncounted += 1;
                continue;
            };
            all.delegations += 1;
            all.context_tokens = all.context_tokens.saturating_add(prompt).saturating_add(output);
            all.output_tokens = all.output_tokens.saturating_add(output);
        }
        all.rho = (all.context_tokens > 0).then(|| 1.0 - amount(all.output_tokens) / amount(all.context_tokens));
        all
    }

    /// In a sentence; none if nothing was counted.
    pub fn words(&self) -> Option<String> {
        let rho = self.rho?;
        let uncounted = match self.uncounted {
            0 => String::new(),
            number => format!(" The servers did not count {}.", count(number, "more task")),
        };
        Some(format!(
            "Context: {} read and wrote {} tokens and passed on {}, so {:.0} % stayed with the agents.{uncounted}",
            count(self.delegations, "task"),
            thousands(self.context_tokens),
            thousands(self.output_tokens),
            rho * 100.0,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(prompt: u64, completion: u64) -> Usage {
        Usage { prompt_tokens: Some(prompt), completion_tokens: Some(completion), cached_tokens: None }
    }

    #[test]
    fn what_stays_with_the_agents_is_the_share_of_their_contexts_that_is_no_result() {
        assert_eq!(ContextReduction::of([]), ContextReduction::default());
        assert_eq!(ContextReduction::of([Usage::default()]).words(), None);
        // Contexts of 2,180 tokens, results of 340.
        let measured = ContextReduction::of([used(1_840, 340), used(1_840, 340), Usage::default()]);
        let rho = 1.0 - 680.0 / 4_360.0;
        let expected = ContextReduction {
            delegations: 2,
            context_tokens: 4_360,
            output_tokens: 680,
            rho: Some(rho),
            uncounted: 1,
        };
        assert_eq!(measured, expected);
        assert_eq!(
            measured.words().unwrap(),
            "Context: 2 tasks read and wrote 4,360 tokens and passed on 680, so 84 % stayed with the agents. The servers did not count 1 more \
             task."
        );
        assert_eq!(
            ContextReduction::of([used(90, 10)]).words().unwrap(),
            "Context: 1 task read and wrote 100 tokens and passed on 10, so 90 % stayed with the agents."
        );
    }
}
