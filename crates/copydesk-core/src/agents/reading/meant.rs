//! The number, the choice or the nothing that a short text means, in the words in which models write it.

/// Longest range of numbers, such as `1-6`, that is read.
const LONGEST_RANGE: u64 = 100;

/// The degrees of an estimate.
pub(super) const DEGREES: [&str; 3] = ["low", "medium", "high"];

/// That of a number between 0 and 1, or in per cent.
pub(super) fn degree(text: &str) -> Option<&'static str> {
    let number: f64 = text.trim().trim_end_matches('%').trim_end().parse().ok()?;
    let share = if number > 1.0 || text.contains('%') { number / 100.0 } else { number };
    Some(if share >= 0.75 {
        "high"
    } else if share >= 0.4 {
        "medium"
    } else {
        "low"
    })
}

/// The choice that another word stands for.
fn same(word: String) -> String {
    let choice = match word.as_str() {
        "kept" | "keeping" | "retain" | "retained" => "keep",
        "rewritten" | "rewriting" | "revise" | "revised" | "reword" | "rephrase" => "rewrite",
        "removed" | "delete" | "deleted" | "drop" => "remove",
        _ => return word,
    };
    choice.to_owned()
}

/// Words with which a choice is denied or left open.
const OPEN: [&str; 9] = ["not", "no", "never", "don't", "cannot", "or", "but", "unless", "if"];

/// The one choice that a short text names: `NEEDS REWRITE`, `very high`, `fact_check_llm`.
pub(super) fn named<'c>(text: &str, choices: &[&'c str]) -> Option<&'c str> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        words.map(str::to_lowercase).map(same).collect()
    };
    let said = words(text);
    if said.len() > 5 || text.contains(['|', '/']) || said.iter().any(|word| OPEN.contains(&word.as_str())) {
        return None;
    }
    let names = |choice: &&&str| {
        let choice = words(choice);
        said.windows(choice.len().max(1)).any(|part| part == choice)
    };
    let mut found = choices.iter().filter(names);
    if let Some(first) = found.next() {
        return found.next().is_none().then_some(*first);
    }
    // `Fact-Checking Agent`, `unsupported_facts`
    let plain = plain(text);
    let begins = |choice: &&&str| choice.len() >= LONG_CHOICE && plain.starts_with(&self::plain(choice));
    let mut begun = choices.iter().filter(begins);
    begun.next().filter(|_| begun.next().is_none()).copied()
}

/// A choice of so many letters is meant by a longer word that begins with it.
const LONG_CHOICE: usize = 9;

/// Letters and digits alone, in lower case.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a text is a word for nothing.
pub(super) fn is_none(text: &str) -> bool {
    matches!(plain(text).as_str(), "" | "null" | "none" | "na" | "nil" | "notapplicable")
}

/// The whole numbers of a text such as `1, 2 and 4`, `lines 1-6` or `[3] The words of that line`.
pub(super) fn numbers_in(text: &str) -> Option<Vec<u64>> {
    let begins = text.trim_start().trim_start_matches(['[', '(', '#', '<']);
    let begins = ["lines", "line", "Lines", "Line"].iter().find_map(|word| begins.strip_prefix(word)).unwrap_or(begins);
    let listed = begins.replace(" and ", ",").replace(" to ", "-").replace(['–', '—'], "-");
    let is_list = |c: char| c.is_ascii_digit() || " ,;-[]()#&".contains(c);
    if !listed.chars().all(is_list) {
        // The number of a line before its words.
        let begins = begins.trim_start();
        let end = begins.find(|c: char| !c.is_ascii_digit())?;
        let (number, rest) = begins.split_at_checked(end)?;
        return rest.starts_with([']', ')', '.', ':', '>']).then(|| number.parse().ok().map(|number| vec![number]))?;
    }
    let parts = listed.split([',', ';', '&']).map(|part| part.trim_matches(|c: char| !c.is_ascii_digit()));
    let mut numbers = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if last < first || last - first > LONGEST_RANGE {
            return None;
        }
        numbers.extend(first..=last);
    }
    (!numbers.is_empty()).then_some(numbers)
}

/// The one number of a short text, such as `1`, `#1`, `Concern 1` or `1.0`.
pub(super) fn number_in(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return Some(number);
    }
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit()).trim_end_matches(|c: char| !c.is_ascii_digit());
    (text.chars().count() <= 20 && !text.contains('-')).then(|| digits.parse().ok()).flatten()
}
