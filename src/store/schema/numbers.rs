//! Version 7: the numbers of each step and each attempt at a call: how long it waited and worked, how much went to the server and came
//! back, what it cost.

/// Null wherever nothing was measured, or the server did not say it; so all rows of earlier versions.
pub(super) const SEVENTH: &str = "
ALTER TABLE journal ADD COLUMN cached_tokens INTEGER;      -- of the prompts, that the server had in its cache
ALTER TABLE journal ADD COLUMN waited_ms INTEGER;          -- ready until begun, all attempts together
ALTER TABLE journal ADD COLUMN worked_ms INTEGER;          -- begun until ended
ALTER TABLE llm_call ADD COLUMN cached_tokens INTEGER;
ALTER TABLE llm_call ADD COLUMN waited_ms INTEGER;
ALTER TABLE llm_call ADD COLUMN worked_ms INTEGER;
ALTER TABLE llm_call ADD COLUMN prompt_bytes INTEGER;
ALTER TABLE llm_call ADD COLUMN answer_bytes INTEGER;
ALTER TABLE llm_call ADD COLUMN cost REAL;                 -- by the price of that day
ALTER TABLE llm_call ADD COLUMN currency TEXT;             -- of the cost
";
