//! Version 15: the numbers of the versions of a story.

/// In an earlier database versions are numbered in the order of their runs, and each notice follows the version that it withdraws.
pub(super) const FIFTEENTH: &str = "
ALTER TABLE run ADD COLUMN version INTEGER;      -- from 1; null before the run is signed off or sent

UPDATE run SET version = 1 + (
    SELECT count(*) + count(killed) FROM run AS earlier WHERE earlier.story = run.story AND earlier.id < run.id
        AND (signed_by IS NOT NULL AND state = 'success' OR id IN (SELECT run FROM outbox)))
WHERE signed_by IS NOT NULL AND state = 'success' OR id IN (SELECT run FROM outbox);
UPDATE run SET killed = json_set(killed, '$.number', version + 1) WHERE json_valid(killed) AND version IS NOT NULL;
";

/// Takes it back.
#[cfg(test)]
pub(super) const UNDONE: &str = "ALTER TABLE run DROP COLUMN version;";
