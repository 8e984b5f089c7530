//! Roles: the title or description that the draft puts beside a name is one that a source gives to that person.
//!
//! Why: two people of one surname, or two officials of one hearing, change places in a sentence more easily than in life.
//! A finding needs the role to stand, nearly word for word, beside somebody else, and nowhere beside the one named.

use crate::newsroom::ConcernType;

use super::{
    archive::Place,
    desk::{Desk, Found},
    people::Name,
    reading::Reading,
    token::Token,
};

/// How far a role reaches from its name, in words.
const REACH: usize = 9;

/// A full name whose role in the draft is somebody else's in the sources.
pub(super) fn check(desk: &Desk<'_>, field: usize, name: &Name) -> Option<Found> {
    let draft = desk.fields.get(field)?;
    if name.words.len() < 2 || !name.personal() || desk.roster.of(name.last()).is_empty() {
        return None;
    }
    let role = role(&draft.reading, name);
    if role.len() < 2 {
        return None;
    }
    let mut held = false;
    let mut other: Option<(&Name, usize)> = None;
    for (text, (reading, names)) in desk.archive.readings.iter().zip(&desk.source_names).enumerate() {
        for theirs in names.iter().filter(|theirs| theirs.personal()) {
            let beside = beside(reading, theirs);
            let carried = role.iter().filter(|stem| beside.contains(stem)).count();
            if theirs.may_be(name) && theirs.last() == name.last() {
                held |= carried > 0;
            } else if carried == role.len() && theirs.words.len() > 1 && known_person(desk, theirs) {
                other.get_or_insert((theirs, text));
            }
        }
    }
    let (right, text) = other.filter(|_| !held)?;
    let reading = desk.archive.readings.get(text)?;
    let shown = reading.slice(right.start..right.end).split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = shown.chars().any(char::is_lowercase);
    let line = reading.tokens.get(right.tokens.start)?.line;
    Some(Found {
        concern_type: ConcernType::UnsupportedFact,
        rule: "name.swapped",
        field,
        start: name.start,
        end: name.end,
        note: format!("In the source this is {shown}."),
        passage: desk.archive.sentence(Place { source: text, line }),
        replacement: plain.then_some(shown),
    })
}

fn known_person(desk: &Desk<'_>, name: &Name) -> bool {
    desk.roster.of(name.last()).iter().any(|known| known.name.words == name.words)
}

/// The draft's role of a name: the apposition behind it (`, chair of the Friends,`), or the words of its title.
fn role<'r>(reading: &'r Reading<'_>, name: &Name) -> Vec<&'r str> {
    let tail = reading.tokens.get(name.tokens.end..).unwrap_or_default();
    let comma =
        tail.first().is_some_and(|next| reading.text.get(name.end..next.start).is_some_and(|gap| gap.trim() == ","));
    let mut stems: Vec<&str> = Vec::new();
    if comma {
        let mut last = name.end;
        for token in tail.iter().take(REACH) {
            let gap = reading.text.get(last..token.start).unwrap_or_default();
            let over = stems.is_empty()
                && matches!(
                    token.word.as_str(),
                    "who" | "and" | "but" | "which" | "whose" | "said" | "of" | "from" | "as"
                );
            if over || last > name.end && gap.contains([',', '.', ';', ':', '(', '“', '"', '?', '!']) {
                break;
            }
            push(token, &mut stems);
            last = token.end;
        }
    } else {
        // Title in front: capitalised words right before the name.
        for token in
            reading.tokens.get(name.tokens.start.saturating_sub(4)..name.tokens.start).unwrap_or_default().iter().rev()
        {
            if !token.capital || token.line != reading.tokens.get(name.tokens.start).map_or(0, |t| t.line) || token.stop
            {
                break;
            }
            push(token, &mut stems);
        }
    }
    stems
}

fn push<'r>(token: &'r Token, stems: &mut Vec<&'r str>) {
    let small = matches!(token.word.as_str(), "mr" | "mrs" | "ms" | "dr" | "prof");
    let number = token.stem.starts_with(|c: char| c.is_ascii_digit());
    if !token.stop && !small && !number && !stems.contains(&token.stem.as_str()) {
        stems.push(&token.stem);
    }
}

/// Content right around a name in a source, within its sentence and up to the next semicolon.
fn beside<'r>(reading: &'r Reading<'_>, name: &Name) -> Vec<&'r str> {
    let Some(line) = reading.tokens.get(name.tokens.start).map(|token| token.line) else { return Vec::new() };
    let mut stems: Vec<&str> = Vec::new();
    let mut last = name.end;
    for token in reading.tokens.get(name.tokens.end..).unwrap_or_default().iter().take(REACH + 2) {
        let gap = reading.text.get(last..token.start).unwrap_or(";");
        if token.line != line || gap.contains([';', '“', '"', ':']) {
            break;
        }
        push(token, &mut stems);
        last = token.end;
    }
    let mut first = name.start;
    for token in
        reading.tokens.get(name.tokens.start.saturating_sub(REACH)..name.tokens.start).unwrap_or_default().iter().rev()
    {
        let gap = reading.text.get(token.end..first).unwrap_or(";");
        if token.line != line || gap.contains([';', '“', '"', ':']) {
            break;
        }
        push(token, &mut stems);
        first = token.start;
    }
    stems
}

#[cfg(test)]
mod tests {
    use crate::proof::check_texts;

    #[test]
    fn a_role_belongs_to_whom_the_source_gives_it() {
        let source = "Inspector Maren Holt, head of the statistics unit, spoke. Dr Anders Holt, traffic engineer of the city, \
                      answered.";
        let found = check_texts("Dr Maren Holt, traffic engineer of the city, answered.", source);
        let found: Vec<_> = found.into_iter().map(|f| (f.rule, f.text, f.replacement)).collect();
        assert_eq!(found, [("name.swapped".to_owned(), "Maren Holt".to_owned(), Some("Anders Holt".to_owned()))]);
        assert_eq!(check_texts("Anders Holt, the city’s traffic engineer, answered.", source), []);
    }
}
