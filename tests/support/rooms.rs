//! The plan of the house: what `tests/house.rs` holds, and what `examples/drawings.rs` draws.

/// A room, its floor (0 is the ground), and the neighbours on its floor that it may use.
pub const ROOMS: [(&str, u8, &[&str]); 19] = [
    ("cli", 4, &[]),
    ("headless", 3, &[]),
    ("observability", 3, &[]),
    ("tui", 3, &[]),
    ("desk", 2, &["agents"]),
    ("agents", 2, &[]),
    ("llm", 2, &[]),
    ("knowledge", 2, &[]),
    ("store", 2, &[]),
    // What its tools send goes out through the one place that sends.
    ("tools", 2, &["llm"]),
    ("ports", 1, &[]),
    ("config", 1, &[]),
    ("documents", 0, &["newsroom", "text"]),
    ("editorial", 0, &["documents", "newsroom", "text"]),
    ("proof", 0, &["newsroom", "text"]),
    ("skills", 0, &["text"]),
    ("style", 0, &["newsroom", "text"]),
    ("newsroom", 0, &[]),
    ("text", 0, &[]),
];
