//! Renderings: the same words, as house style, layout and an honest editor may have them.

use super::{Case, texts::Text};

/// Words that leave open what follows them.
pub fn opens(word: &str) -> bool {
    ["if", "whether", "unless", "doubt"].contains(&word.to_lowercase().as_str())
}

/// Words that an ellipsis must not leave out and a part must not begin behind.
fn denies(word: &str) -> bool {
    let word: String =
        word.to_lowercase().replace('’', "'").chars().filter(|c| c.is_alphabetic() || *c == '\'').collect();
    word.ends_with("n't")
        || [
            "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "without", "hardly",
            "barely", "scarcely", "seldom", "rarely",
        ]
        .contains(&word.as_str())
}

pub fn cases(text: &Text) -> Vec<Case> {
    let mut found = Vec::new();
    for quote in &text.quotes {
        renderings(quote, &mut found);
    }
    for (quote, speaker) in &text.said {
        attributed(quote, speaker, &mut found);
    }
    found
}

/// As it stands between marks: closing stops become commas.
fn comma(quote: &str) -> String {
    match quote.strip_suffix('.') {
        Some(rest) => format!("{rest},"),
        None => quote.to_owned(),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn renderings(quote: &str, found: &mut Vec<Case>) {
    let mut add = |kind, draft| found.push(Case { kind, draft, alone: false });
    let words: Vec<&str> = quote.split(' ').collect();
    let count = words.len();
    let own = comma(quote);
    add("as it stands", format!("“{own}” one of them said."));
    add("straight marks", format!("\"{}\" one of them said.", own.replace('’', "'")));
    add("curly apostrophes", format!("“{}” one of them said.", own.replace('\'', "’")));
    add("single marks", format!("‘{}’ one of them said.", own.replace('\'', "’")));
    add("straight single marks", format!("'{}' one of them said.", own.replace('’', "'")));
    add("other marks", format!("So it was put: „{quote}“"));
    add("guillemets", format!("So it was put: « {quote} »"));
    add(
        "dashes",
        format!("“{}” one of them said.", own.replace(['–', '—'], "-").replace(" - ", " – ").replace("--", "—")),
    );
    add("first letter", format!("One of them said that “{}”", lower_first(quote)));
    add("capitals", format!("“{}” ran the poster.", quote.to_uppercase()));
    let lines: Vec<String> = words.chunks(5).map(|line| line.join(" ")).collect();
    add("line wraps", format!("One of them said, “{}”", lines.join("\n")));
    add("block", format!("One of them put it so:\n\n> {}\n\nThen the others left.", lines.join("\n> ")));
    let middle = count / 2;
    for mark in ["*", "_", "**"] {
        let marked: Vec<String> = words
            .iter()
            .enumerate()
            .map(|(at, word)| if at == middle { format!("{mark}{word}{mark}") } else { (*word).to_owned() })
            .collect();
        add("emphasis", format!("“{}” one of them said.", comma(&marked.join(" "))));
    }
    for (ellipsis, at) in [("…", 2), ("...", 3), ("[...]", 2), ("(…)", 3), (". . .", 2), ("[…]", 4)] {
        let left_out = words.get(at..(at + 2).min(count - 1)).unwrap_or_default();
        if left_out.is_empty() || left_out.iter().any(|word| denies(word)) {
            continue;
        }
        let kept = format!("{} {ellipsis} {}", words[..at].join(" "), words[at + left_out.len()..].join(" "));
        add("elision", format!("“{}” one of them said.", comma(&kept)));
    }
    let put_in = |at: usize, inserted: &str, gone: usize| {
        format!("{} {inserted} {}", words[..at].join(" "), words[at + gone..].join(" "))
    };
    add("words in brackets", format!("“{}” one of them said.", comma(&put_in(middle, "[in this town]", 0))));
    add("sic", format!("“{}” one of them said.", comma(&put_in(middle, "[sic]", 0))));
    if !denies(words[middle]) {
        add(
            "a word replaced in brackets",
            format!("“{}” one of them said.", comma(&put_in(middle, "[that thing]", 1))),
        );
    }
    let mut first = quote.chars();
    if let Some(letter) = first.next().filter(|c| c.is_alphabetic()) {
        add("a letter in brackets", format!("One of them said that “[{}]{}”", letter.to_lowercase(), first.as_str()));
    }
    let half = |from: usize, to: usize| words[from..to].join(" ").trim_end_matches([',', ';', ':', '.']).to_owned();
    add("its first half", format!("“{},” one of them said.", half(0, middle)));
    if !denies(words[middle - 1]) && !opens(words[middle - 1]) {
        add("its second half", format!("One of them said it was “{}.”", half(middle, count)));
        add("its second half, capital", format!("“{},” one of them said.", upper_first(&half(middle, count))));
        add("interrupted", format!("“{},” one of them said, “{}.”", half(0, middle), half(middle, count)));
    }
    if !denies(words[0]) && !opens(words[0]) {
        add("its middle", format!("One of them spoke of “{}” and left.", half(1, count - 1)));
    }
}

fn attributed(quote: &str, speaker: &str, found: &mut Vec<Case>) {
    let last = speaker.rsplit(' ').next().unwrap();
    let whole = upper_first(quote);
    for draft in [
        format!("“{whole},” {speaker} said."),
        format!("“{whole},” said {speaker}."),
        format!("{speaker} said, “{whole}.”"),
        format!("{speaker}: “{whole}.”"),
        format!("{speaker} came late. “{whole},” {last} said."),
        format!("{speaker}, who came late, told the others: “{whole}.”"),
    ] {
        found.push(Case { kind: "its speaker", draft, alone: true });
    }
}
