//! Prints a turn of a transcript as attributed speech: `“It closes on Monday,” Lopez said. “It stays closed for a week.”`

use copydesk_text::words::words;

/// Most words after a speaker's name that can stand in an attribution.
const ROLE: usize = 8;

/// The attribution of a label, such as `Lopez said` or `said Sam Whitlow, spokesman`. None if the label is too long for a sentence.
pub(super) fn attribution(label: &str, source: &str) -> Option<String> {
    let cut = [", ", " ("].iter().filter_map(|mark| label.find(mark)).min();
    let (name, role) = label.split_at(cut.unwrap_or(label.len()));
    if words(name).is_empty() || words(name).len() > 4 || words(role).len() > ROLE || label.contains([':', '“', '"'])
    {
        return None;
    }
    let name = name.split(' ').map(|word| spelled(word, source)).collect::<Vec<_>>().join(" ");
    Some(if role.is_empty() { format!("{name} said") } else { format!("said {name}{role}") })
}

/// A word of a name as the source writes it in running text; in capitals only if it is nowhere else.
fn spelled(word: &str, source: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 2 || word.contains(char::is_lowercase) {
        return word.to_owned();
    }
    let bare = word.trim_matches(|c: char| !c.is_alphabetic());
    let known = words(source).into_iter().map(|known| known.text).find(|known| {
        known.contains(char::is_lowercase)
            && known.starts_with(char::is_uppercase)
            && known.to_lowercase() == bare.to_lowercase()
    });
    if let Some(known) = known {
        return word.replace(bare, known);
    }
    let mut begins = true;
    let lowered = |c: char| {
        let next = if begins { c.to_string() } else { c.to_lowercase().to_string() };
        begins = !c.is_alphabetic() && c != '’' && c != '\'';
        next
    };
    word.chars().map(lowered).collect()
}

/// Returns the sentences as speech with that attribution. None if they have quotations themselves.
pub(super) fn quoted(attribution: &str, marks: (&str, &str), sentences: &[String]) -> Option<String> {
    let (first, rest) = sentences.split_first()?;
    if sentences.iter().any(|sentence| sentence.contains(['“', '”', '"'])) {
        return None;
    }
    let (open, close) = if marks.0 == "\"" { ("\"", "\"") } else { ("“", "”") };
    let first = if first.ends_with(['!', '?', '…']) {
        first.clone()
    } else {
        // `9 p.m.` keeps its stop, `$5.30.` does not.
        let is_short =
            |last: &str| last.trim_end_matches('.').contains('.') && !last.contains(|c: char| c.is_ascii_digit());
        let short = first.rsplit(' ').next().is_some_and(is_short);
        format!("{},", if short { first } else { first.trim_end_matches('.') })
    };
    let rest = if rest.is_empty() { String::new() } else { format!(" {open}{}{close}", rest.join(" ")) };
    Some(format!("{open}{first}{close} {attribution}.{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_becomes_an_attribution() {
        for (label, said) in [
            ("LOPEZ", Some("Lopez said")),
            ("R. HALE", Some("R. Hale said")),
            ("MCDONALD", Some("McDonald said")),
            ("ANNA-LENA O’NEILL", Some("Anna-Lena O’neill said")),
            ("SAM WHITLOW, public information officer", Some("said Sam Whitlow, public information officer")),
            ("Denise Corrie (finance director)", Some("said Denise Corrie (finance director)")),
            ("Ada Vale, 44, who has led the choir of the old town hall since 2019", None),
        ] {
            assert_eq!(attribution(label, "Mr. McDonald spoke.").as_deref(), said);
        }
    }

    #[test]
    fn a_turn_is_speech_with_its_speaker_after_the_first_sentence() {
        let said = |list: &[&str]| {
            quoted("Lopez said", ("", ""), &list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(
            said(&["It closes on Monday.", "It stays closed."]).as_deref(),
            Some("“It closes on Monday,” Lopez said. “It stays closed.”")
        );
        assert_eq!(said(&["It ends at 9 p.m."]).as_deref(), Some("“It ends at 9 p.m.,” Lopez said."));
        assert_eq!(said(&["It closes!"]).as_deref(), Some("“It closes!” Lopez said."));
        assert_eq!(said(&["He said “no” to it."]), None);
    }
}
