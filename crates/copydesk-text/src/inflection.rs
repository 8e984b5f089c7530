//! Forms of English words: the dictionary's words that a form can be of, and the forms that such a word takes.
//!
//! A dictionary lists `decline`, a text has `declined`. Both directions are by rule, with the irregular forms that
//! [`super::words`] knows, and both give more than there is: whoever asks looks the candidates up.

use super::words::irregular;

/// Endings, and what stands in their place in the dictionary.
const ENDINGS: [(&str, &str); 17] = [
    ("ies", "y"),
    ("ied", "y"),
    ("ier", "y"),
    ("iest", "y"),
    ("men", "man"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("est", "e"),
    ("ly", ""),
];

/// The words that `folded` can be a form of, itself first, at least two letters each.
pub fn bases(folded: &str) -> Vec<String> {
    let mut found = vec![folded.to_owned()];
    let mut add = |word: String| {
        if word.chars().count() >= 2 && !found.contains(&word) {
            found.push(word);
        }
    };
    if let Some(base) = irregular(folded) {
        add(base.to_owned());
    }
    for (ending, instead) in ENDINGS {
        let Some(rest) = folded.strip_suffix(ending) else { continue };
        add(format!("{rest}{instead}"));
        // stopped, running, bigger
        if instead.is_empty()
            && ending != "ly"
            && let Some(single) = single(rest)
        {
            add(single);
        }
    }
    found
}

/// The forms that a dictionary's word can take, itself first. An adverb is a word of its own: `actually` says little of what
/// is actual.
pub fn forms(base: &str) -> Vec<String> {
    let mut found = Vec::new();
    any_form(base, |form| {
        found.push(form.to_owned());
        false
    });
    found
}

/// Whether one of a word's [`forms`] is such; they are made one after the other, as far as it takes.
pub fn any_form(base: &str, mut is_such: impl FnMut(&str) -> bool) -> bool {
    let mut form = String::with_capacity(base.len() + 5);
    let mut any = |head: &str, endings: &[&str]| {
        endings.iter().any(|ending| {
            form.clear();
            form.push_str(head);
            form.push_str(ending);
            is_such(&form)
        })
    };
    let stem = base.strip_suffix('e').unwrap_or(base);
    if any(base, &["", "s", "es"]) || any(stem, &["ed", "ing", "er", "est"]) {
        return true;
    }
    if let Some(rest) = base.strip_suffix('y')
        && (any(rest, &["ies", "ied", "ier", "iest"]) || any(base, &["ed", "ing"]))
    {
        return true;
    }
    let mut letters = base.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if !is_vowel(last) && is_vowel(before) => {
            any(&format!("{base}{last}"), &["ed", "ing", "er", "est"])
        }
        _ => false,
    }
}

/// Without the second of two equal consonants at the end.
fn single(word: &str) -> Option<String> {
    let mut letters = word.chars();
    let (last, before) = (letters.next_back()?, letters.clone().next_back()?);
    (last == before && !is_vowel(last)).then(|| letters.collect())
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_to_its_word_and_back() {
        for (form, base) in [
            ("declined", "decline"),
            ("stopped", "stop"),
            ("running", "run"),
            ("companies", "company"),
            ("happier", "happy"),
            ("boxes", "box"),
            ("widest", "wide"),
            ("carrying", "carry"),
            ("lower", "low"),
        ] {
            assert!(bases(form).iter().any(|word| word == base), "{form}: {:?}", bases(form));
            assert!(forms(base).iter().any(|word| word == form), "{base}: {:?}", forms(base));
        }
        assert!(bases("openly").contains(&"open".to_owned()));
        assert!(bases("women").contains(&"woman".to_owned()) && bases("fell").contains(&"fall".to_owned()));
        assert_eq!((bases("s"), forms("é").first().map(String::as_str)), (vec!["s".to_owned()], Some("é")));
    }
}
