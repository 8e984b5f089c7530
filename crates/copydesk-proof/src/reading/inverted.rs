//! Names whose surname stands first, as lists have them: `Brook, Anna; Dale, Tom`, `Brook, J. R.`.

use crate::{
    reading::{Name, ParsedText},
    words::nicknames::is_first_name,
};

/// The names of a text, with two that are one person's joined in the order in which they are spoken.
pub fn turned(reading: &ParsedText<'_>, names: Vec<Name>) -> Vec<Name> {
    let pairs: Vec<usize> = (0..names.len()).filter(|at| is_pair(reading, &names, *at)).collect();
    if pairs.is_empty() {
        return names;
    }
    let given = |at: usize| names.get(at + 1).and_then(|name| name.words.first());
    let initials =
        |at: usize| names.get(at + 1).is_some_and(|name| name.words.iter().all(|word| word.chars().count() == 1));
    let paragraph = |at: usize| {
        names.get(at).and_then(|name| reading.lines.get(reading.line_of(&name.tokens))).map(|line| line.paragraph)
    };
    // "Lund, Sweden; Oslo, Norway" is a list, too.
    let listed = |at: usize| {
        let beside: Vec<usize> = pairs.iter().copied().filter(|other| paragraph(*other) == paragraph(at)).collect();
        let known = beside.iter().filter(|at| given(**at).is_some_and(|word| is_first_name(word))).count();
        beside.len() > 1 && known * 3 >= beside.len()
    };
    let turn: Vec<usize> = pairs.iter().copied().filter(|at| initials(*at) || listed(*at)).collect();
    let mut out: Vec<Name> = Vec::with_capacity(names.len());
    let mut next = names.into_iter().enumerate();
    while let Some((at, surname)) = next.next() {
        let given = if turn.contains(&at) { next.next() } else { None };
        out.push(match given {
            Some((_, given)) => Name {
                tokens: surname.tokens.start..given.tokens.end,
                end: given.end,
                words: given.words.into_iter().chain(surname.words).collect(),
                ..surname
            },
            None => surname,
        });
    }
    out
}

/// Whether a name and the next one stand by themselves between two marks of a list, with a comma between them.
fn is_pair(reading: &ParsedText<'_>, names: &[Name], at: usize) -> bool {
    let (Some(one), Some(two)) = (names.get(at), names.get(at + 1)) else { return false };
    let short = (1..=2).contains(&one.words.len()) && (1..=3).contains(&two.words.len());
    let head = reading.text.get(..one.start).unwrap_or_default().trim_end_matches([' ', '\t', '*', '_']);
    let tail = reading.text.get(two.end..).unwrap_or_default();
    let rest = tail.trim_start_matches(['.', ' ', '\t']);
    let begins = head.is_empty() || head.ends_with([';', ':', '\n', '-', '•', '/', '|']);
    let ends = rest.is_empty()
        || rest.starts_with([';', '\n', '/', '|', '(', ','])
        || rest.starts_with("and ")
        || tail.starts_with(". ");
    short && reading.text.get(one.end..two.start) == Some(", ") && begins && ends
}

#[cfg(test)]
mod tests {
    use crate::reading::{ParsedText, names};

    #[test]
    fn a_list_of_surnames_is_read_as_it_is_spoken() {
        let found = |text: &str| {
            let reading = ParsedText::new(text);
            names(&reading).iter().map(|name| name.words.join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(found("Absent: Ruud, Ada; Berg, Tom; Lie, Eva."), ["absent", "ada ruud", "tom berg", "eva lie"]);
        assert_eq!(found("Ruud, Ada\nBerg, Tom"), ["ada ruud", "tom berg"]);
        assert_eq!(found("Ruud, A. M.; Berg, T."), ["a m ruud", "t berg"]);
        assert_eq!(
            found("It plays in Lund, Sweden; Oslo, Norway; Turku, Finland."),
            ["lund", "sweden", "oslo", "norway", "turku", "finland"]
        );
        assert_eq!(found("Ruud, Ada and Berg left."), ["ruud", "ada", "berg"]);
    }
}
