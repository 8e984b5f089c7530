//! Version 10: when a story is due, and which editor has it.

pub(super) const TENTH: &str = "
ALTER TABLE story ADD COLUMN due TEXT;          -- ISO 8601, UTC
ALTER TABLE story ADD COLUMN assigned TEXT;     -- the editor's name
";
