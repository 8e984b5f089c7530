//! Falsifications: words that nobody said so, or that somebody else said.

use super::{Case, rendered::opens, texts::Text};

/// Sentences that no text here has.
const NOWHERE: &[&str] = &[
    "Whoever painted that fence purple owes this village an apology and a brush",
    "We will sue the circus until the last elephant has been paid for",
    "My grandmother sold that orchard twice and kept the apples both times",
    "The moon landing was rehearsed behind our bakery in the summer of 1957",
];

/// Words that stand in the place of others.
const OTHERS: &[&str] = &["walrus", "harvested", "purple", "trombone", "quarrel", "astonishing", "sailed", "velvet"];

pub fn cases(text: &Text) -> Vec<Case> {
    let mut found = Vec::new();
    for (number, quote) in text.quotes.iter().enumerate() {
        falsifications(quote, number, text, &mut found);
    }
    for (quote, speaker) in &text.said {
        for other in text.speakers.iter().filter(|other| *other != speaker) {
            attributed(quote, other, &mut found);
        }
    }
    found
}

fn content(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphabetic()).count() > 4 && !word.contains('-')
}

/// A word with the marks of another around it.
fn dressed(word: &str, like: &str) -> String {
    let inner = like.trim_matches(|c: char| !c.is_alphanumeric());
    if inner.is_empty() { word.to_owned() } else { like.replacen(inner, word, 1) }
}

fn folded(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

fn folded_words(text: &str) -> String {
    let words: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(folded).filter(|w| !w.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

fn falsifications(quote: &str, number: usize, text: &Text, found: &mut Vec<Case>) {
    let words: Vec<&str> = quote.split(' ').collect();
    let count = words.len();
    for at in (0..count.saturating_sub(4)).filter(|at| opens(words[*at])) {
        let rest = words[at + 1..].join(" ");
        let draft = format!("“{},” one of them said.", rest.trim_end_matches('.'));
        found.push(Case { kind: "begun behind what leaves it open", draft, alone: false });
    }
    let source = folded_words(&text.words);
    let mut add = |kind, words: Vec<String>| {
        // Words that stand elsewhere in the text are no falsification.
        if source.contains(&folded_words(&words.join(" "))) {
            return;
        }
        let line = words.join(" ");
        let line = line.strip_suffix('.').unwrap_or(&line);
        found.push(Case { kind, draft: format!("“{line},” one of them said."), alone: false });
    };
    let with = |at: usize, new: &[String], gone: usize| -> Vec<String> {
        let head = words[..at].iter().map(|word| (*word).to_owned());
        head.chain(new.iter().cloned()).chain(words[at + gone..].iter().map(|word| (*word).to_owned())).collect()
    };
    let places: Vec<usize> = (0..count).filter(|at| content(words[*at])).collect();
    for (turn, at) in places.iter().enumerate().filter(|(turn, _)| turn % 2 == 0) {
        let other = OTHERS[(number + turn) % OTHERS.len()];
        add("a word changed", with(*at, &[dressed(other, words[*at])], 1));
        // Another word of the same text is harder to tell than one that it does not have.
        let near = text.quotes[(number + 1) % text.quotes.len()].split(' ').find(|word| content(word));
        if let Some(near) = near.filter(|near| folded(near) != folded(words[*at])) {
            add("a word changed", with(*at, &[dressed(&folded(near), words[*at])], 1));
        }
        add("a word inserted", with((*at).max(1), &[other.to_owned()], 0));
    }
    for at in 1..count {
        let auxiliary =
            ["is", "are", "was", "were", "will", "can", "could", "would", "has", "have", "had", "do", "did"];
        let denied = words.get(at).is_some_and(|word| matches!(folded(word).as_str(), "not" | "never" | "no"));
        if auxiliary.contains(&folded(words[at - 1]).as_str()) && !denied {
            add("“not” inserted", with(at, &["not".to_owned()], 0));
        }
        let denial = matches!(folded(words[at]).as_str(), "not" | "never" | "nobody" | "no" | "cannot" | "without");
        if denial && at + 1 < count {
            add("“not” dropped", with(at, &[], 1));
        }
        let contraction = words[at].replace('’', "'").to_lowercase();
        if let Some(base) = contraction.strip_suffix("n't").filter(|base| base.len() > 1) {
            add("“not” dropped", with(at, &[base.to_owned()], 1));
        }
        if words[at].chars().any(|c| c.is_ascii_digit()) {
            let changed: String = words[at]
                .chars()
                .map(|c| c.to_digit(10).map_or(c, |d| char::from_digit((d + 3) % 10, 10).unwrap()))
                .collect();
            add("a number changed", with(at, &[changed], 1));
        }
    }
    for at in (1..count.saturating_sub(2)).step_by(3) {
        if folded(words[at]) != folded(words[at + 1]) {
            let (one, two) = (dressed(words[at + 1], words[at]), words[at].to_owned());
            add("two words swapped", with(at, &[one, two], 2));
        }
        if folded(words[at]) != folded(words[at + 1])
            && folded(words[at]) != folded(words[at - 1])
            && !folded(words[at]).is_empty()
        {
            add("a word dropped", with(at, &[], 1));
        }
    }
    let middle = count / 2;
    let turned: Vec<String> = words[middle..].iter().chain(&words[..middle]).map(|word| (*word).to_owned()).collect();
    add("halves turned round", turned);
    add("from nowhere", NOWHERE[number % NOWHERE.len()].split(' ').map(str::to_owned).collect());
    if let Some(at) = places.last().filter(|at| **at >= 3) {
        let mut elided = with(*at, &[dressed(OTHERS[number % OTHERS.len()], words[*at])], 1);
        "…".clone_into(&mut elided[1]);
        add("a word changed beside an ellipsis", elided);
    }
}

fn attributed(quote: &str, other: &str, found: &mut Vec<Case>) {
    let mut chars = quote.chars();
    let whole: String = chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect());
    let last = other.rsplit(' ').next().unwrap();
    for draft in [
        format!("“{whole},” {other} said."),
        format!("“{whole},” said {other}."),
        format!("{other} said, “{whole}.”"),
        format!("{other}: “{whole}.”"),
        format!("{other} came late. “{whole},” {last} said."),
    ] {
        found.push(Case { kind: "another speaker", draft, alone: true });
    }
}
