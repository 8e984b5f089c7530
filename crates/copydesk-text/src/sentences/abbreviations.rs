//! Abbreviations: words whose point does not end a sentence by itself.

/// Abbreviations that are followed by what they belong to, so that their point never ends a sentence.
pub(super) const BEFORE_A_NAME: &[&str] = &[
    "mr", "mrs", "ms", "mx", "dr", "prof", "sen", "rep", "gov", "gen", "col", "lt", "lieut", "sgt", "cpl", "pvt",
    "capt", "cmdr", "adm", "maj", "brig", "insp", "det", "supt", "rev", "fr", "msgr", "hon", "pres", "amb", "messrs",
    "mme", "mlle", "vol", "art", "sec", "chap", "mt", "ft", "vs", "no", "nos", "fig", "figs", "pp", "approx", "ca",
    "cf", "viz",
];

/// Abbreviations whose point ends a sentence only if the next word could begin no name.
const ANYWHERE: &[&str] = &[
    "u.s", "u.k", "u.n", "e.u", "u.s.a", "d.c", "e.g", "i.e", "inc", "ltd", "co", "cos", "corp", "bros", "plc", "jr",
    "sr", "st", "ave", "blvd", "rd", "hwy", "dept", "univ", "assn", "ed", "eds", "al", "est", "ph.d", "m.d", "b.a",
    "m.a", "a.k.a", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "mon", "tue",
    "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
];

/// Abbreviations of places, which are words or names of their own in small letters.
pub(super) const PLACES: &[&str] = &[
    "Ala", "Ariz", "Ark", "Calif", "Colo", "Conn", "Del", "Fla", "Ga", "Ill", "Ind", "Kan", "Ky", "La", "Md", "Mass",
    "Mich", "Minn", "Miss", "Mo", "Mont", "Neb", "Nev", "Okla", "Ore", "Pa", "Penn", "Tenn", "Tex", "Va", "Vt", "Wash",
    "Wis", "Wyo", "Ont", "Que", "Alta",
];

pub(super) fn is_shortened(word: &str) -> bool {
    // "j.r", and "d.-j" of a name in two halves
    let initials = word.len() > 2
        && word.contains('.')
        && word.replace(".-", ".").split('.').all(|part| part.chars().count() == 1);
    ANYWHERE.contains(&word) || initials && !matches!(word, "a.m" | "p.m")
}
