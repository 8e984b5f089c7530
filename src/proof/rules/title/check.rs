//! Titles: the office that the draft gives somebody is the one that the sources give them.
//!
//! Why: a councilmember who is made mayor in print, or a deputy who loses the word, writes to the editor. A finding needs an
//! office that no source puts near the person, and a source that gives it to somebody else, or gives them another.

use std::ops::Range;

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter},
        reading::{people::Name, text::ParsedText, token::Token},
        rule::{Gravity, Rule},
        rules::name::roles::beside_any,
        sources::{
            archive::SourceLine,
            texts::{ProofTexts, Spot},
        },
        words::thesaurus::canonical,
    },
    text::words::stem,
};

/// Somebody in another's office.
pub static RULE: Rule = Rule {
    name: "name.title",
    kind: SpanKind::Name,
    standing: Standing::Swapped,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "The sources give this person another title.",
    source: "A title before a name, or right behind it between commas or in brackets, is an office; one person's is not another's.",
    measured: None,
};

/// The rules of this file.
pub static RULES: [&Rule; 1] = [&RULE];

/// Offices, each with its other names.
const OFFICES: &[&[&str]] = &[
    &["mayor"],
    &["chief"],
    &["councilmember", "councilman", "councilwoman", "councillor", "councilor", "councilperson", "cllr"],
    &["chair", "chairman", "chairwoman", "chairperson"],
    &["president"],
    &["commissioner"],
    &["superintendent"],
    &["principal"],
    &["governor"],
    &["senator"],
    &["representative", "congressman", "congresswoman", "congressperson"],
    &["judge", "justice"],
    &["sheriff"],
    &["captain"],
    &["lieutenant"],
    &["sergeant"],
    &["inspector"],
    &["detective"],
    &["general"],
    &["colonel"],
    &["minister"],
    &["chancellor"],
    &["secretary"],
    &["treasurer"],
    &["director"],
    &["manager"],
    &["administrator"],
    &["engineer"],
    &["clerk"],
    &["coach"],
    &["bishop"],
    &["spokesman", "spokeswoman", "spokesperson"],
];

/// Words that make an office a smaller one, or one of another time.
const QUALIFIERS: [&str; 8] = ["deputy", "vice", "acting", "interim", "assistant", "associate", "former", "retired"];

/// How far in front of an office its qualifier stands, in words.
const BEFORE: usize = 4;

/// How far from a name an office is still taken for theirs, in words.
const REACH: usize = 12;

/// Somebody's office as a text has it.
#[derive(Debug)]
struct Title {
    office: usize,
    qualifier: Option<&'static str>,
    /// Its bytes, from the qualifier on.
    range: Range<usize>,
}

/// Enters every name with an office that is not theirs.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let desk = ledger.desk;
    for Spot { at, field, item: name, .. } in desk.names().filter(|spot| spot.item.personal()) {
        let quoted = field.reading.tokens.get(name.tokens.start).is_none_or(Token::quoted);
        for title in titles(&field.reading, name).filter(|_| !quoted) {
            let (start, end) = (title.range.start.min(name.start), title.range.end.max(name.end));
            let Some((note, place)) = judge(desk, &field.reading, name, &title) else { continue };
            ledger
                .enter(Fault::new(&RULE, at, start..end).note(note).passage(desk.archive.sentence(place)).removable());
        }
    }
}

/// What speaks against a title, and where.
fn judge(desk: &ProofTexts<'_>, reading: &ParsedText<'_>, name: &Name, title: &Title) -> Option<(String, SourceLine)> {
    let last = reading.tokens.get(name.tokens.end.checked_sub(1)?)?.stem.as_str();
    let words = OFFICES.get(title.office)?;
    let stems: Vec<String> = words.iter().map(|word| canonical(stem(word))).collect();
    let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
    let (mut theirs, mut others) = (Vec::new(), Vec::new());
    for (source, (text, names)) in desk.archive.readings.iter().zip(&desk.source_names).enumerate() {
        let same = |other: &&Name| other.last() == name.last() && other.may_be(name);
        for known in beside_any(desk, source, names, &[last]).filter(same) {
            let line = text.tokens.get(known.tokens.start)?.line;
            theirs.push((
                titles(text, known).collect::<Vec<_>>(),
                near(text, known, words),
                SourceLine { source, line },
            ));
        }
        for other in beside_any(desk, source, names, &stems).filter(|other| other.personal() && !other.may_be(name)) {
            let line = text.tokens.get(other.tokens.start)?.line;
            if titles(text, other).any(|held| held.office == title.office) {
                others.push((text.slice(other.start..other.end), SourceLine { source, line }));
            }
        }
    }
    let near = theirs.iter().any(|(_, near, _)| *near);
    let known = || theirs.iter().flat_map(|(held, _, place)| held.iter().map(|held| (held, *place)));
    if near {
        // The office is theirs: is it the whole of it?
        let whole = name.words.len() > 1;
        let mut same = known().filter(|(held, _)| held.office == title.office).peekable();
        let (first, place) = same.peek().filter(|_| whole).map(|(held, place)| (held.qualifier, *place))?;
        let differs = same.all(|(held, _)| held.qualifier != title.qualifier && held.qualifier == first);
        let note = match first {
            Some(qualifier) => format!("The source has “{qualifier}” before this title."),
            None => format!("No source has “{}” before this title.", title.qualifier?),
        };
        return differs.then_some((note, place));
    }
    let office = words.first()?;
    let own = known().find(|(held, _)| held.office != title.office).map(|(held, place)| (held.office, place));
    match (others.first(), own) {
        (Some((other, place)), _) if !theirs.is_empty() => {
            Some((format!("In the sources {other} is {office}."), *place))
        }
        (_, Some((held, place))) => {
            let held = OFFICES.get(held)?.first()?;
            Some((format!("The sources give this person the title {held}, not {office}."), place))
        }
        _ => None,
    }
}

/// The office that a word names.
fn office(word: &str) -> Option<usize> {
    OFFICES.iter().position(|words| words.contains(&word))
}

fn qualifier(word: &str) -> Option<&'static str> {
    QUALIFIERS.into_iter().find(|known| *known == word)
}

/// The offices right before a name (`Deputy Fire Chief Omar Haddad`) and right behind it, between commas or in brackets (`Ana
/// Reyes, the mayor,`, `Ana Reyes (Vice-Chair)`).
fn titles(reading: &ParsedText<'_>, name: &Name) -> impl Iterator<Item = Title> {
    [before(reading, name), behind(reading, name)].into_iter().flatten().filter_map(|place| whole(reading, place))
}

/// Whether nothing but a space or a hyphen stands between two words.
fn touches(reading: &ParsedText<'_>, one: usize, other: usize) -> bool {
    let both = reading.tokens.get(one).zip(reading.tokens.get(other));
    let gap = both.and_then(|(one, other)| reading.text.get(one.end..other.start));
    matches!(gap, Some(" " | "\u{A0}" | "-" | "\n"))
}

/// Where an office stands right before a name.
fn before(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let line = reading.tokens.get(name.tokens.start)?.line;
    let place = name.tokens.start.checked_sub(1)?;
    let token = reading.tokens.get(place)?;
    let held = token.line == line && office(&token.word).is_some() && touches(reading, place, name.tokens.start);
    held.then_some(place)
}

/// Where one stands behind it: a comma or a bracket, an article perhaps, the office, and no name of its own behind that.
fn behind(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let at = |index: usize| reading.tokens.get(index);
    let line = at(name.tokens.start)?.line;
    let first = at(name.tokens.end)?;
    let set_off = reading.text.get(name.end..first.start).is_some_and(|gap| matches!(gap.trim(), "," | "("));
    let mut tail = name.tokens.end..=name.tokens.end + BEFORE;
    let place = tail.find(|&index| at(index).is_some_and(|token| office(&token.word).is_some()))?;
    let close = (name.tokens.end..place).all(|index| {
        touches(reading, index, index + 1)
            && at(index).is_some_and(|token| token.stop || token.capital || qualifier(&token.word).is_some())
    });
    let names = at(place + 1).is_some_and(|next| next.capital && touches(reading, place, place + 1));
    (set_off && close && !names && at(place)?.line == line).then_some(place)
}

/// The office at a place, with what qualifies it.
fn whole(reading: &ParsedText<'_>, place: usize) -> Option<Title> {
    let at = |index: usize| reading.tokens.get(index);
    let line = at(place)?.line;
    let mut first = place;
    let mut found = None;
    while let Some(index) =
        first.checked_sub(1).filter(|&index| place - index <= BEFORE && touches(reading, index, index + 1))
    {
        let token = at(index).filter(|token| token.line == line)?;
        let qualifies = qualifier(&token.word);
        if qualifies.is_none() && (token.stop || !token.capital) {
            break;
        }
        found = qualifies.or(found);
        first = index;
        if qualifies.is_some() {
            break;
        }
    }
    let start = if found.is_some() { first } else { place };
    Some(Title { office: office(&at(place)?.word)?, qualifier: found, range: at(start)?.start..at(place)?.end })
}

/// Whether an office stands anywhere near a name in its sentence.
fn near(reading: &ParsedText<'_>, name: &Name, words: &[&str]) -> bool {
    let Some(line) = reading.tokens.get(name.tokens.start).map(|token| token.line) else { return false };
    let around = name.tokens.start.saturating_sub(REACH)..name.tokens.end + REACH;
    let end = around.end.min(reading.tokens.len());
    let tokens = reading.tokens.get(around.start..end).unwrap_or_default();
    tokens.iter().any(|token| {
        token.line == line && {
            // "who chairs the committee"
            let plain = stem(&token.word);
            words.iter().any(|word| stem(word) == plain)
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    const SOURCE: &str = "Mayor Tom Berg opened the meeting. Councilmember Ana Reyes, who chairs the parks committee, voted against it. \
                          Deputy Fire Chief Omar Haddad spoke. Lise Dahl, the superintendent, left. Walter Quist came. \
                          Present: Cllr Hilary Dunmore (Vice-Chair) and Cllr Paul Ames (Chair).";

    fn found(draft: &str) -> Vec<(String, String)> {
        let titles = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "name.title");
        titles.map(|found| (found.text, found.note)).collect()
    }

    #[test]
    fn an_office_of_somebody_else_is_found() {
        let one = |text: &str, note: &str| [(text.to_owned(), note.to_owned())];
        let berg = "In the sources Tom Berg is mayor.";
        assert_eq!(found("Mayor Ana Reyes voted against it."), one("Mayor Ana Reyes", berg));
        assert_eq!(found("Ana Reyes, the mayor, voted against it."), one("Ana Reyes, the mayor", berg));
        assert_eq!(found("Mayor Walter Quist came."), one("Mayor Walter Quist", berg));
        let note = "The sources give this person the title superintendent, not principal.";
        assert_eq!(found("Principal Lise Dahl left."), one("Principal Lise Dahl", note));
    }

    #[test]
    fn a_part_of_an_office_is_not_the_whole() {
        let one = |text: &str, note: &str| [(text.to_owned(), note.to_owned())];
        let note = "The source has “deputy” before this title.";
        assert_eq!(found("Chief Omar Haddad spoke."), one("Chief Omar Haddad", note));
        let note = "No source has “former” before this title.";
        assert_eq!(found("Former Mayor Tom Berg opened it."), one("Former Mayor Tom Berg", note));
    }

    #[test]
    fn an_office_in_brackets_is_one() {
        let note = "The source has “vice” before this title.";
        let text = "Hilary Dunmore, the chair".to_owned();
        assert_eq!(found("Hilary Dunmore, the chair of the committee, came."), [(text, note.to_owned())]);
        let text = "Chair Hilary Dunmore".to_owned();
        assert_eq!(found("Chair Hilary Dunmore came."), [(text, note.to_owned())]);
        let text = "Hilary Dunmore (chair".to_owned();
        assert_eq!(found("Hilary Dunmore (chair) came."), [(text, note.to_owned())]);
        // Both offices of one person are looked at.
        let text = "Hilary Dunmore, the chair".to_owned();
        assert_eq!(found("Councillor Hilary Dunmore, the chair of the committee, came."), [(text, note.to_owned())]);
        assert_eq!(found("Hilary Dunmore, the vice-chair, and Paul Ames, the chair, came."), []);
        assert_eq!(found("Councillor Hilary Dunmore and Chair Paul Ames came."), []);
    }

    #[test]
    fn an_office_that_is_theirs_may_stand() {
        for fine in [
            "Mayor Berg opened the meeting.",
            "Councilwoman Ana Reyes voted against it.",
            "Tom Berg, mayor of the town, opened the meeting.",
            "Chair Ana Reyes voted.",
            "Deputy Chief Omar Haddad spoke.",
            "Chief Haddad spoke.",
            "Superintendent Lise Dahl left.",
            "Judge Walter Quist came.",
            "Walter Quist, Mayor Tom Berg and others came.",
            "“Mayor Ana Reyes,” somebody said.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
