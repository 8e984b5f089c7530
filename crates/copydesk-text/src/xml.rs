//! Text that stands in XML.

/// The characters that XML 1.0 allows.
pub fn legal(text: &str) -> String {
    text.chars()
        .filter(|c| matches!(c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..))
        .collect()
}
