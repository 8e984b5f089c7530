//! Version 12: the generation of a story's lease, by which a program that hung and woke knows that another has its story.

pub(super) const TWELFTH: &str = "
ALTER TABLE story ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;    -- of its lease: a commit that builds on an earlier one is refused
";
