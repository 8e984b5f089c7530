//! Short forms of titles: a `Gov.` is a governor.
//!
//! Why: a report writes `Gen. Howe` for the transcript's `General Howe`. The short form is no name, and it gives him the same office.

/// Each short form before its title.
const SHORT: [(&str, &str); 22] = [
    ("gov", "governor"),
    ("govs", "governors"),
    ("gen", "general"),
    ("gens", "generals"),
    ("sen", "senator"),
    ("sens", "senators"),
    ("rep", "representative"),
    ("reps", "representatives"),
    ("col", "colonel"),
    ("lt", "lieutenant"),
    ("capt", "captain"),
    ("maj", "major"),
    ("sgt", "sergeant"),
    ("cpl", "corporal"),
    ("pvt", "private"),
    ("adm", "admiral"),
    ("cmdr", "commander"),
    ("brig", "brigadier"),
    ("insp", "inspector"),
    ("det", "detective"),
    ("supt", "superintendent"),
    ("amb", "ambassador"),
];

/// The title that a folded word is the short form of.
pub fn long_title(word: &str) -> Option<&'static str> {
    SHORT.iter().find(|(short, _)| *short == word).map(|(_, title)| *title)
}
