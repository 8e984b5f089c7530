//! Who speaks in a line of a transcript.

use std::ops::Range;

use super::openings::lists;

/// The speaker's label at the head of a line (`VOSS: …`, `[00:01:05] R. HALE: …`, `Dr. Mary Poe: …`) as a byte range of
/// the line without time code and colon: up to five words, each capitalised or all in capitals. Behind an office, it is the name in
/// brackets (`The Minister for Health (Mr. John Major): …`); with a full stop, a title and a surname in capitals (`Mr. SECORD. …`).
pub fn speaker(line: &str) -> Option<Range<usize>> {
    let mut start = line.len() - line.trim_start().len();
    if line.get(start..)?.starts_with(['[', '(']) {
        let close = line.get(start..)?.find([']', ')'])?;
        // "[SPEAKER_00]: …"
        if is_unnamed_speaker(line.get(start + 1..start + close)?) {
            return Some(start + 1..start + close);
        }
        if !line.get(start..start + close)?.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        start += close + 1;
        start += line.get(start..)?.len() - line.get(start..)?.trim_start().len();
    }
    // Captions set ">> " before somebody else's words.
    let rest = line.get(start..)?;
    let start = start + rest.strip_prefix(">>").map_or(0, |own| rest.len() - own.trim_start_matches(['>', ' ']).len());
    let rest = line.get(start..)?;
    let bold = rest.len() - rest.trim_start_matches(['*', '_']).len();
    let start = start + bold;
    let rest = line.get(start..)?;
    // "Q.  And then?", "A.  I left.", as court reporters set them; "A. Ruud" has one blank.
    let asked = rest.strip_prefix(['Q', 'A']).map(|own| own.strip_prefix('.').unwrap_or(own));
    if asked.is_some_and(|own| own.starts_with("  ") || own.starts_with('\t')) {
        return Some(start..start + 1);
    }
    if let Some(range) = in_capitals(rest).or_else(|| in_brackets(rest)).or_else(|| of_a_seat(rest)) {
        return Some(start + range.start..start + range.end);
    }
    // "Speaker 1 - I own it."
    let head = rest.get(..rest.floor_char_boundary(MOST_OF_A_LABEL)).unwrap_or_default();
    if let Some((label, _)) = [" - ", " – ", " — "].iter().find_map(|dash| head.split_once(dash))
        && is_unnamed_speaker(label)
    {
        return Some(start..start + label.len());
    }
    let colon = rest.char_indices().take(MOST_OF_AN_OFFICE).find(|(_, c)| *c == ':').map(|(at, _)| at)?;
    let label = rest.get(..colon)?.trim_end_matches(['*', '_']);
    let after = rest.get(colon + 1..)?.trim_start_matches(['*', '_']);
    let spaced = after.is_empty() || after.starts_with(char::is_whitespace);
    if spaced && is_unnamed_speaker(label) {
        return Some(start..start + label.len());
    }
    // Brackets behind the name hold a role, a seat or a party, not a part of the name: "Mr. Tom Berg (Lund, North) (Lab)".
    let name = if label.ends_with(')') { label.split('(').next().unwrap_or_default().trim_end() } else { label };
    // "Tom Berg, of the seamen's union: We warned them."
    let name = name.split_once(", ").filter(|(name, _)| name.contains(' ')).map_or(name, |(name, _)| name);
    let behind = label.get(name.len()..).unwrap_or_default();
    // "11. Mr. Tom Berg": the number of a question.
    let number = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = if number > 0 && name.get(number..)?.starts_with(". ") { number + 2 } else { 0 };
    let name = name.get(number..)?;
    let count = name.split_whitespace().count();
    let named = name
        .split_whitespace()
        .all(|word| word.starts_with(char::is_uppercase) || matches!(word, "de" | "van" | "von" | "of"));
    let mark = |c: char| matches!(c, ' ' | '.' | '-' | '\'' | '’');
    let plain = name.chars().all(|c| c.is_alphanumeric() || mark(c)) && name.len() <= MOST_OF_A_LABEL;
    let role = behind.chars().all(|c| c.is_alphanumeric() || mark(c) || matches!(c, '(' | ')' | ',' | '&' | '–' | '/'));
    // "Enrolment (2023–24, all schools): 412" is a figure.
    let figures = behind.contains(|c: char| c.is_ascii_digit()) && behind.contains([',', '&', '–']);
    // "FY2024: 12 boats"
    let figures = figures || count == 1 && name.bytes().filter(u8::is_ascii_digit).count() > 1;
    (spaced && named && plain && role && !figures && (1..=5).contains(&count))
        .then(|| start + number..start + label.len())
}

/// Whether a label counts somebody instead of naming them, as programs that listen do: `SPEAKER_00`, `spk_0`, `Speaker 1`, `S2`.
pub fn is_unnamed_speaker(label: &str) -> bool {
    let label = label.trim();
    let head = label.trim_end_matches(|c: char| c.is_ascii_digit());
    let lettered = head.strip_suffix(|c: char| c.is_ascii_uppercase()).filter(|rest| rest.ends_with([' ', '_', '-']));
    let (head, counted) = match lettered {
        Some(rest) if head.len() == label.len() => (rest, true),
        _ => (head, (1..=3).contains(&(label.len() - head.len()))),
    };
    let kind = head.trim_end_matches([' ', '_', '-', '#', '.']).rsplit([' ', '_']).next().unwrap_or_default();
    let lower = kind.to_lowercase();
    counted && head.len() <= MOST_OF_A_NAME && lists(COUNTED, &lower)
        || lower == "speaker" && matches!(label.to_lowercase().as_str(), "unknown speaker" | "unidentified speaker")
}

/// The words that such a label numbers.
const COUNTED: &str = "speaker spk spkr participant interviewer interviewee respondent person voice guest caller panelist panellist \
     moderator host channel witness delegate attendee audience man woman male female member user student sprecher intervenant s p";

/// `Mr. SECORD. It was …`, as the United States Congress prints it.
fn in_capitals(line: &str) -> Option<Range<usize>> {
    let (title, behind) = line.split_once(' ').filter(|(title, _)| title.starts_with(char::is_uppercase))?;
    // "Capt. OCHOA.", "Rep. PRUITT."
    let short = title
        .strip_suffix('.')
        .is_some_and(|title| (2..=5).contains(&title.len()) && title.chars().skip(1).all(char::is_lowercase));
    if !short && !lists(TITLES, title) {
        return None;
    }
    let stop = behind.char_indices().take(MOST_OF_A_NAME).find(|(_, c)| *c == '.').map(|(at, _)| at)?;
    let spoken = behind.get(stop + 1..)?;
    let mut words = behind.get(..stop)?.split(' ');
    let capitals =
        |word: &str| word.len() > 1 && word.chars().all(|c| c.is_uppercase() || matches!(c, '-' | '\'' | '’'));
    // "Mr. SMITH of New Jersey."
    let named =
        words.next().is_some_and(capitals) && words.all(|word| word == "of" || word.starts_with(char::is_uppercase));
    (named && spoken.starts_with(' ')).then(|| 0..title.len() + 1 + stop)
}

/// Words that stand before a surname in capitals.
const TITLES: &str = "Miss The Senator Representative Congressman Congresswoman Delegate Member Chair Chairman Chairwoman Chairperson Speaker \
    President Secretary Governor Mayor Commissioner Director Councillor Councilmember Supervisor Ambassador Judge Justice Professor Captain Major \
    Colonel General Admiral Sergeant Lieutenant Officer Detective Sir Dame Lord Lady Madam";

/// The name in a label is at most so long.
const MOST_OF_A_LABEL: usize = 60;

/// A surname in capitals is at most so long, with its state.
const MOST_OF_A_NAME: usize = 40;

/// The name in brackets behind an office, as Hansard prints it.
fn in_brackets(line: &str) -> Option<Range<usize>> {
    let colon = line.char_indices().take(MOST_OF_AN_OFFICE).find(|(_, c)| *c == ':').map(|(at, _)| at)?;
    let label = line.get(..colon)?.strip_suffix(')')?;
    let open = label.rfind('(')?;
    let name = label.get(open + 1..)?;
    let titles =
        ["Mr.", "Mrs.", "Ms.", "Miss", "Dr.", "Mr ", "Mrs ", "Ms ", "Dr ", "Sir ", "Dame ", "Lord ", "Baroness "];
    let plain = name.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '\'' | '’'));
    let office = plain && label.starts_with("The ") && !label.get(..open)?.contains(['.', ',', '(']);
    (office && titles.iter().any(|title| name.starts_with(title))).then(|| open + 1..open + 1 + name.len())
}

/// `Tom Berg (Lund, North) (Lab)` in a line of its own, with a seat and a party, as a parliament's site prints it.
fn of_a_seat(line: &str) -> Option<Range<usize>> {
    let (name, behind) = line.trim_end().split_once(" (")?;
    let (seat, party) = behind.strip_suffix(')')?.split_once(") (")?;
    let plain = |text: &str, most: usize| {
        text.len() <= most
            && text.starts_with(char::is_uppercase)
            && text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | ',' | '.' | '-' | '\'' | '’' | '/'))
    };
    let named =
        name.split(' ').all(|word| word.starts_with(char::is_uppercase) || matches!(word, "de" | "van" | "von" | "of"));
    let words = (2..=5).contains(&name.split(' ').count());
    (named && words && plain(name, MOST_OF_A_NAME) && plain(seat, MOST_OF_A_LABEL) && plain(party, MOST_OF_A_PARTY))
        .then_some(0..name.len())
}

/// The name of a party in brackets is at most so long: `Lab/Co-op`.
const MOST_OF_A_PARTY: usize = 12;

/// An office is at most so long, with its holder's name.
const MOST_OF_AN_OFFICE: usize = 160;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_few_capitalised_words_before_a_colon() {
        let label = |line: &'static str| speaker(line).and_then(|range| line.get(range));
        assert_eq!(label("[00:11:50] R. HALE: I own it."), Some("R. HALE"));
        assert_eq!(label("Elena Castellan: \"No.\""), Some("Elena Castellan"));
        assert_eq!(label("Mr. SECORD. It was my belief."), Some("Mr. SECORD"));
        assert_eq!(label("Mr. SMITH of New Jersey. Yes."), Some("Mr. SMITH of New Jersey"));
        assert_eq!(label("The CHAIRMAN. Order."), Some("The CHAIRMAN"));
        assert_eq!(label("    Capt. OCHOA. I'll be brief."), Some("Capt. OCHOA"));
        assert_eq!(label("Chair ODELL. We are adjourned."), Some("Chair ODELL"));
        assert_eq!(label("About NASA. It flies."), None);
        assert_eq!(label("The Minister of State for Health (Mr. John Major): I listened."), Some("Mr. John Major"));
        assert_eq!(label("Mr. Tom Berg (Lund, North) (Lab): I ask."), Some("Mr. Tom Berg (Lund, North) (Lab)"));
        assert_eq!(label("11. Mr. Tom Berg (Lund): I ask."), Some("Mr. Tom Berg (Lund)"));
        assert_eq!(label("Tom Berg (see below; and above): I ask."), None);
        assert_eq!(label("Mr Tom Berg (Lund, North) (Lab/Co-op)"), Some("Mr Tom Berg"));
        assert_eq!(label("Tom Berg (Lund) (see above) left"), None);
        assert_eq!(label("Tom Berg (clerk)"), None);
        for counted in
            ["SPEAKER_00", "Speaker 1", "spk_0", "Participant 2", "Speaker A", "S1", "Unknown Speaker", "Male Voice 2"]
        {
            assert!(is_unnamed_speaker(counted) && speaker(&format!("{counted}: I own it.")).is_some(), "{counted}");
        }
        assert_eq!(label("[SPEAKER_01]: I own it."), Some("SPEAKER_01"));
        assert_eq!(label("[00:00.000 --> 00:03.000] Speaker 12: I own it."), Some("Speaker 12"));
        assert_eq!(label("Witness 2 – I own it."), Some("Witness 2"));
        assert_eq!(label(">> ANA REYES: I own it."), Some("ANA REYES"));
        assert_eq!(label("Ana Reyes (she/her): I own it."), Some("Ana Reyes (she/her)"));
        for none in ["Table 1: Costs.", "Step 2: Mix.", "room 12: the vote", "Vitamin A: none."] {
            assert!(!is_unnamed_speaker(none.split(':').next().unwrap()), "{none}");
        }
        assert_eq!(label("Mr. Berg. He left."), None);
        assert_eq!(label("The board met (Mr. Berg, too): it voted."), None);
        assert_eq!(label("It is 7:30 now"), None);
        assert_eq!(label("The vote was this: no."), None);
    }
}
