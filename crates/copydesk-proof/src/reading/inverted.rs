//! Names whose surname stands first, as lists have them: `Brook, Anna; Dale, Tom`, `Brook, J. R.`, `Brook A, Dale T`.

use crate::{
    reading::{Name, ParsedText, Token, names::as_written, shouted},
    words::{WordList, nicknames::is_first_name, words},
};

/// Words over a list of people.
static PEOPLE: WordList = words(
    "present absent apologies attending attended attendance member members jury juries judges panel board committee council councillors \
     councilors signed signatories authors editors players squad team reserve reserves candidates elected winners nominees trustees \
     directors staff crew cast participants delegates speakers witnesses",
);

/// A head of a list is at most so long.
const LONGEST_HEAD: usize = 80;

/// The names of a text, with two that are one person's joined in the order in which they are spoken.
pub fn names(reading: &ParsedText<'_>) -> Vec<Name> {
    let names = initialled(reading, as_written(reading));
    let pairs: Vec<usize> = (0..names.len()).filter(|at| is_pair(reading, &names, *at)).collect();
    if pairs.is_empty() {
        return names;
    }
    let initials = |at: usize| names.get(at + 1).is_some_and(only_initials);
    // "ABEL, Ruth"
    let loud = |at: usize| {
        let all = |at: usize| names.get(at).and_then(|name| reading.tokens.get(name.tokens.clone()));
        let shouts = |tokens: &[Token]| tokens.iter().all(|token| shouted(reading, token));
        all(at).is_some_and(shouts) && all(at + 1).is_some_and(|given| !shouts(given))
    };
    let paragraph = |at: usize| {
        names.get(at).and_then(|name| reading.lines.get(reading.line_of(&name.tokens))).map(|line| line.paragraph)
    };
    let known = |at: &&usize| {
        names.get(**at + 1).is_some_and(|given| {
            given.words.iter().any(|word| word.chars().count() == 1)
                || given.words.first().is_some_and(|word| is_first_name(word))
        })
    };
    // "Lund, Sweden; Oslo, Norway" is a list, too.
    let is_of_people = |list: &[usize]| {
        let headed = || list.first().is_some_and(|first| is_headed(reading, names.get(*first)));
        list.len() > 1 && (list.iter().filter(known).count() * 3 >= list.len() || headed())
    };
    // One alone is in the form of the text's lists.
    let all = is_of_people(&pairs);
    let lists = pairs.chunk_by(|one, two| paragraph(*one) == paragraph(*two));
    let turn: Vec<usize> = lists
        .flat_map(|list| {
            let listed = if list.len() > 1 { is_of_people(list) } else { all };
            list.iter().copied().filter(move |at| listed || initials(*at) || loud(*at))
        })
        .collect();
    let mut out: Vec<Name> = Vec::with_capacity(names.len());
    let mut next = names.into_iter().enumerate();
    while let Some((at, surname)) = next.next() {
        let given = if turn.binary_search(&at).is_ok() { next.next() } else { None };
        out.push(match given {
            Some((_, given)) => Name {
                tokens: surname.tokens.start..given.tokens.end,
                end: given.end,
                addressed: true,
                words: given.words.into_iter().chain(surname.words).collect(),
                ..surname
            },
            None => surname,
        });
    }
    out
}

/// Whether the line before a list's first name says that people follow: `Present:`.
fn is_headed(reading: &ParsedText<'_>, first: Option<&Name>) -> bool {
    let head = first.and_then(|first| reading.text.get(..first.start)).unwrap_or_default();
    let head = head.trim_end_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || matches!(c, '-' | '•' | '.'));
    let line = head.rsplit(['\n', ';']).next().unwrap_or_default();
    let people = |word: &str| PEOPLE.contains(word.to_lowercase().as_str());
    line.len() <= LONGEST_HEAD && line.split(|c: char| !c.is_alphabetic()).any(people)
}

fn only_initials(name: &Name) -> bool {
    name.words.iter().all(|word| word.chars().count() == 1)
}

/// The names of a text. In a list of surnames with initials behind them, the initials come first.
fn initialled(reading: &ParsedText<'_>, mut names: Vec<Name>) -> Vec<Name> {
    let behind = |name: &Name| match name.words.as_slice() {
        [surname, initials] => {
            let written = name.end.saturating_sub(initials.len() + 1);
            surname.chars().count() > 1
                && initials.chars().count() < 3
                && reading.text.get(written..name.end).is_some_and(|tail| {
                    tail.starts_with(' ') && tail.chars().skip(1).all(|letter| letter.is_ascii_uppercase())
                })
        }
        _ => false,
    };
    let next = |one: &Name, two: &Name| {
        behind(one) && behind(two) && matches!(reading.text.get(one.end..two.start), Some(", " | "; "))
    };
    let joined: Vec<bool> = names.windows(2).map(|pair| matches!(pair, [one, two] if next(one, two))).collect();
    let is_listed =
        |at: usize| at.checked_sub(1).into_iter().chain([at]).any(|at| joined.get(at).copied().unwrap_or_default());
    for (_, name) in names.iter_mut().enumerate().filter(|(at, _)| is_listed(*at)) {
        // "Lindqvist PA" is P. A. Lindqvist.
        let initials = name.words.pop().unwrap_or_default();
        name.words.splice(..0, initials.chars().map(String::from));
    }
    names
}

/// Whether a name and the next one stand by themselves between two marks of a list, with a comma between them.
fn is_pair(reading: &ParsedText<'_>, names: &[Name], at: usize) -> bool {
    let (Some(one), Some(two)) = (names.get(at), names.get(at + 1)) else { return false };
    let short = (1..=2).contains(&one.words.len()) && (1..=3).contains(&two.words.len());
    let head = reading.text.get(..one.start).unwrap_or_default().trim_end_matches([' ', '\t', '*', '_']);
    let tail = reading.text.get(two.end..).unwrap_or_default();
    let rest = tail.trim_start_matches(['.', ' ', '\t']);
    let number = head.trim_end_matches(['.', ')']).trim_end_matches(|c: char| c.is_ascii_digit());
    let begins = only_initials(two) || number.is_empty() || number.ends_with([';', ':', '\n', '-', '•', '/', '|']);
    let ends = rest.is_empty()
        || rest.starts_with([';', '\n', '/', '|', '(', ','])
        || rest.starts_with("and ")
        || number.ends_with(';') && rest.starts_with(char::is_lowercase)
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
        assert_eq!(found("Ruud, Ada; Berg, Tom left."), ["ada ruud", "tom berg"]);
        assert_eq!(found("Ruud, A. M.; Berg, T."), ["a m ruud", "t berg"]);
        assert_eq!(found("Prize jury: Ferrari, Paolo; Dao, Linh."), ["prize", "paolo ferrari", "linh dao"]);
        assert_eq!(
            found("It plays in Lund, Sweden; Oslo, Norway; Turku, Finland."),
            ["lund", "sweden", "oslo", "norway", "turku", "finland"]
        );
        assert_eq!(found("Ruud, Ada and Berg left."), ["ruud", "ada", "berg"]);
        assert_eq!(
            found("1. RUUD, Ada\n2. BERG, Tom\nReserve: LIE, Eva."),
            ["ada ruud", "tom berg", "reserve", "eva lie"]
        );
        assert_eq!(found("Checked by Ruud, A. M., and Berg, T."), ["checked", "a m ruud", "t berg"]);
        assert_eq!(found("Written by Ruud KA, Berg T; Lie E and others."), ["written", "k a ruud", "t berg", "e lie"]);
    }
}
