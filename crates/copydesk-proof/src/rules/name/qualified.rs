//! Titles that lost a word: the draft calls a deputy mayor the mayor, or a former minister the minister.
//!
//! Why: without its qualifier the title is that of another person. A person is reported if the sources never give the title without
//! such a word, and the draft never gives it with one.

use crate::{
    reading::opens,
    rules::{name::swapped, prelude::*},
    words::{base, is_title},
};

/// Words before a title that make it another one.
static QUALIFIERS: WordList = words("vice deputy former acting interim assistant shadow ex outgoing");

/// Words behind a title that make it another one.
static BEHIND: WordList = words("elect designate emeritus");

/// Words of a draft that put a title in the past or in doubt.
static PAST: WordList = words("then once previously formerly until was late served retired serving standing");

/// Words before a title in an apposition.
static OWNERS: WordList = words("the a an its their his her our");

/// A title stands at most so many words from its bearer.
const REACH: usize = 5;

/// Reports a person whose title the sources give only with a qualifier that the draft leaves out.
pub fn check(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let title = title(&field.reading, name)?;
    let limited = |token: &Token| [&QUALIFIERS, &BEHIND, &PAST].iter().any(|list| list.contains(&token.word));
    let one = |other: &&Name| other.last() == name.last() && other.may_be(name);
    let told = texts.fields.iter().any(|field| {
        let lines = field.names.iter().filter(one).map(|name| field.reading.line_of(&name.tokens));
        lines.into_iter().any(|line| field.reading.line_tokens(line).iter().any(limited))
    });
    if told {
        return None;
    }
    let mut found = None;
    for (source, (reading, names)) in texts.archive.readings.iter().zip(&texts.source_names).enumerate() {
        for theirs in names.iter().filter(one) {
            let line = reading.line_of(&theirs.tokens);
            let tokens = reading.lines.get(line)?.tokens.clone();
            for at in tokens.filter(|at| reading.tokens.get(*at).is_some_and(|token| base(&token.word) == title)) {
                let bearer = names.iter().find(|other| {
                    (at + 1..=at + 2).contains(&other.tokens.start) && reading.line_of(&other.tokens) == line
                });
                match (qualifier(reading, at), bearer.is_none_or(|other| other.may_be(name))) {
                    (None, true) => return None,
                    (Some(words), true) if beside(reading, names, theirs, at) => {
                        found = found.or(Some((words, SourceLine { source, line })));
                    }
                    _ => {}
                }
            }
        }
    }
    let (words, place) = found?;
    let note = format!("The source has “{}” as the title.", one_line(texts.archive.reading(place)?.slice(words)));
    let fault = Fault::new(&swapped::RULE, field, name.start..name.end);
    Some(fault.note(note).passage(texts.archive.sentence(place)))
}

/// The title that the draft gives a person: `Mayor Ana Reyes`, `Ana Reyes, the mayor of Lund`.
fn title<'r>(reading: &'r ParsedText<'_>, name: &Name) -> Option<&'r str> {
    let token = |at: usize| reading.tokens.get(at);
    let head = |token: &&Token| is_title(base(&token.word)) && !QUALIFIERS.contains(&token.word);
    let before = name.tokens.start.checked_sub(1).and_then(token).filter(head);
    let front = before.filter(|token| reading.slice(token.end..name.start) == " " && name.titled);
    let behind = || {
        let owner = token(name.tokens.end).filter(|token| OWNERS.contains(&token.word));
        let head = token(name.tokens.end + usize::from(owner.is_some())).filter(head)?;
        let first = owner.map_or(head.start, |owner| owner.start);
        (name.words.len() > 1 && reading.slice(name.end..first) == ", ").then_some(head)
    };
    let title = front.or_else(behind)?;
    Some(base(&title.word)).filter(|word| *word != "professor" && name.personal())
}

/// A title with the word that qualifies it, as bytes: `Acting Town Manager`.
fn qualifier(reading: &ParsedText<'_>, at: usize) -> Option<std::ops::Range<usize>> {
    let token = |at: usize| reading.tokens.get(at);
    let title = token(at)?;
    let next = token(at + 1).filter(|next| BEHIND.contains(&next.word));
    if let Some(next) = next.filter(|next| matches!(reading.slice(title.end..next.start), "-" | " ")) {
        return Some(title.start..next.end);
    }
    let mut at = at;
    while let Some(before) = at.checked_sub(1).and_then(token) {
        let close = matches!(reading.slice(before.end..token(at)?.start), "-" | " ");
        let limits = QUALIFIERS.contains(&before.word);
        if !close || !limits && !before.capital && !is_title(&before.word) {
            return None;
        }
        if limits {
            return Some(before.start..title.end);
        }
        at -= 1;
    }
    None
}

/// Whether a title stands by a name, with no other name and no end of a clause between them.
fn beside(reading: &ParsedText<'_>, names: &[Name], name: &Name, at: usize) -> bool {
    let Some(title) = reading.tokens.get(at) else { return false };
    let (from, to) = if at < name.tokens.start { (title.end, name.start) } else { (name.end, title.start) };
    let words = reading.between(from, to);
    let other =
        names.iter().any(|other| from < other.start && other.end < to && other.personal() && other.words.len() > 1);
    let listed = reading.slice(title.end..reading.text.len()).starts_with(", ")
        && reading.tokens.get(at + 1).is_some_and(|next| next.capital && !opens(reading, at + 1))
        && at > name.tokens.start;
    words.len() <= REACH && !other && !listed && !reading.slice(from..to).contains([';', ':', '.', '“', '"'])
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_title_keeps_its_qualifier() {
        let source = "Deputy Mayor Bo Ruud opened it. Mayor Eva Lie was abroad. Former Minister of Mines Ada Berg spoke. Tom Dahl, the \
                      vice chair, and Mayor-elect Jan Holt left. Acting Chief Kim Strand met Chief Ola Lund. Then Chief Lund left. \
                      Former clerk Siv Moe opened it when she was clerk. Mayor Lie left.";
        for fine in [
            "Deputy Mayor Bo Ruud opened it.",
            "Mayor Eva Lie was abroad.",
            "Ada Berg, the former minister of mines, spoke.",
            "Ada Berg, the minister of mines until May, spoke.",
            "Tom Dahl, vice chair of the board, left.",
            "Later, Chief Ola Lund left.",
            "Clerk Siv Moe opened it then.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in [
            "Mayor Bo Ruud opened it.",
            "Ada Berg, the minister of mines, spoke.",
            "Tom Dahl, chair of the board, left.",
            "Mayor Jan Holt left.",
            "Chief Kim Strand met them.",
        ] {
            let rules: Vec<String> = check_texts(wrong, source).into_iter().map(|found| found.rule).collect();
            assert_eq!(rules, ["name.swapped"], "{wrong}");
        }
    }
}
