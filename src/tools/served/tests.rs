//! Each tool, on texts that a newsroom would give it.
