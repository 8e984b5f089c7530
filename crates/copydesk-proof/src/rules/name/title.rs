//! Offices: `Teresa Cox, the chief executive`, where every office that a source gives her is another one.
//!
//! Why: a wrong office misleads about who decided. The error shows even if nobody else in the sources has this office.

use crate::{
    rules::prelude::*,
    words::{base, list::WordGroups},
};
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "name.title",
    kind: SpanKind::Name,
    standing: Standing::Contradicted,
    why: "The sources give this person another office.",
    source: "An office (assets/words/offices.txt) stands right before or behind its holder. No source may have the draft's near this name.",
    measured: Some(Measured { right: 0, of: 2, on: SUMMARIES }),
    ..Rule::USUAL
};

static OFFICES: WordGroups = WordGroups::new(include_str!("../../../../../assets/words/offices.txt"));

/// An office has at most so many words.
const LONGEST: usize = 3;

/// An office stands at most so many words from its holder.
const REACH: usize = 12;

/// A source that has the office so many words before or behind the name may give it to its bearer.
const BEFORE: usize = 14;
const BEHIND: usize = 18;

/// At most so many places of a name are read.
const PLACES: usize = 400;

/// A deputy has another office.
static BELOW: WordList = words("deputy vice");

/// Words between a name and an office that are none.
static DEGREES: WordList = words("jr sr esq kc qc md phd ii iii iv");

/// Words behind an office. They show that the person does not hold it: `candidate`, `emeritus`.
static NOT_HELD: WordList = words("candidate candidates nominee elect designate hopeful emeritus");

/// An office in a text: the first word of its line in the list, and its words.
struct Office {
    group: String,
    tokens: Range<usize>,
}

impl Office {
    /// Whether both can be one: a director may be the finance director.
    fn may_be(&self, other: &Self) -> bool {
        let plain =
            |one: &str, other: &str| one.strip_suffix(other).is_some_and(|head| head.is_empty() || head.ends_with('-'));
        plain(&self.group, &other.group) || plain(&other.group, &self.group)
    }
}

/// Reports a person whose office in the draft is none that the sources give.
pub fn check(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let office = given(&field.reading, name).filter(|_| name.personal())?;
    let bearers = texts.roster.of(name.last());
    let full = texts.draft_roster.resolve(name).map_or(name, |known| &known.name);
    if full.words.len() == 1 && bearers.len() > 1 {
        return None;
    }
    let mut other: Option<(SourceLine, Office)> = None;
    let mut places = 0;
    for (source, (reading, names)) in texts.archive.readings.iter().zip(&texts.source_names).enumerate() {
        for theirs in names.iter().filter(|theirs| theirs.last() == name.last() && theirs.may_be(full)) {
            places += 1;
            let place = SourceLine { source, line: reading.line_of(&theirs.tokens) };
            let own = given(reading, theirs);
            let near = near(reading, theirs);
            let first = names.partition_point(|other| other.tokens.start < near.start);
            let others = names.iter().skip(first).take_while(|other| other.tokens.start < near.end);
            let others = others.filter(|other| !other.may_be(full));
            let others: Vec<usize> = others.filter_map(|other| Some(given(reading, other)?.tokens.start)).collect();
            let held = |near: &Office| !others.contains(&near.tokens.start) && near.may_be(&office);
            if places > PLACES || own.iter().any(|own| own.may_be(&office)) || offices(reading, near).iter().any(held) {
                return None;
            }
            other = other.or(own.map(|own| (place, own)));
        }
    }
    let (place, other) = other?;
    let reading = texts.archive.reading(place)?;
    let theirs = one_line(reading.slice(reading.span_of(&other.tokens)?));
    let found = Fault::new(&RULE, field, field.reading.span_of(&office.tokens)?);
    let found = found.note(format!("The source has “{theirs}” with this name."));
    Some(found.passage(texts.archive.sentence(place)))
}

/// The words around a name, those of the paragraph and the next sentence on both sides.
fn near(reading: &ParsedText<'_>, name: &Name) -> Range<usize> {
    let lines = reading.paragraph(reading.line_of(&name.tokens));
    let begin = |line: usize| reading.lines.get(line).map_or(0, |line| line.tokens.start);
    let end = reading.lines.get(lines.end).or(reading.lines.last()).map_or(0, |line| line.tokens.end);
    let first = name.tokens.start.saturating_sub(BEFORE).max(begin(lines.start.saturating_sub(1)));
    first..(name.tokens.end + BEHIND).min(end)
}

/// The office that a text gives a person right behind the name or right before it.
fn given(reading: &ParsedText<'_>, name: &Name) -> Option<Office> {
    // "The mayor's brother"
    let holds = |office: &Office| {
        let last = office.tokens.end.checked_sub(1).and_then(|at| reading.tokens.get(at));
        last.is_some_and(|last| base(&last.word).len() == last.word.len())
    };
    behind(reading, name).or_else(|| before(reading, name)).filter(holds)
}

/// `Ana Reyes, chair of the board,`: up to the next mark.
fn behind(reading: &ParsedText<'_>, name: &Name) -> Option<Office> {
    let line = reading.line_of(&name.tokens);
    let grammar = reading.grammar(line);
    let mut end = name.end;
    let mut last = name.tokens.end;
    let mut begin = name.tokens.end;
    for token in reading.tokens.get(name.tokens.end..).unwrap_or_default().iter().take(REACH) {
        let gap = reading.text.get(end..token.start).unwrap_or(";");
        // "Donald Verrilli, Jr., Esq., solicitor general"
        let opened = matches!(gap.trim(), "," | "(" | ", (" | ".,");
        if DEGREES.contains(&token.word) && last == begin {
            (end, last, begin) = (token.end, last + 1, last + 1);
            continue;
        }
        let goes_on = if last == begin { opened } else { !ends(gap) };
        if !goes_on || token.line != line || token.quoted() || tells(grammar.tag(last)) {
            break;
        }
        (end, last) = (token.end, last + 1);
    }
    // "With Ana Reyes, the president signed it": no more than the office stands between two marks.
    let first = offices(reading, begin..last).into_iter().next()?;
    let leads = |at: usize| matches!(grammar.tag(at), Tag::Preposition | Tag::Conjunction) || grammar.tag(at).is_verb();
    let plain = !(begin..first.tokens.start).any(leads);
    // "Ana Reyes, Mayor Berg and others"
    let next = reading.tokens.get(first.tokens.end).filter(|next| next.capital && next.line == line);
    let of_next = next.zip(reading.span_of(&first.tokens));
    let of_next = of_next.is_some_and(|(next, office)| reading.text.get(office.end..next.start) == Some(" "));
    let goes_on = |next: &Token| next.line == line && !reading.text.get(end..next.start).is_some_and(ends);
    (plain && !reading.tokens.get(last).is_some_and(goes_on) && !of_next).then_some(first)
}

/// `The finance director Ana Reyes`, `Battalion Chief Reyes`, and `the deputy mayor, Ana Reyes, said`.
fn before(reading: &ParsedText<'_>, name: &Name) -> Option<Office> {
    let line = reading.line_of(&name.tokens);
    let grammar = reading.grammar(line);
    // A title in capitals is read as a part of the name: "SURGEON GENERAL MURTHY".
    let end = name.tokens.end.checked_sub(1)?;
    let (mut first, mut begin) = (name.tokens.start, name.start);
    let mut apart = false;
    while let Some(at) = first.checked_sub(1).filter(|at| name.tokens.start - at <= REACH) {
        let Some(token) = reading.tokens.get(at).filter(|token| token.line == line && !token.quoted()) else { break };
        let gap = reading.text.get(token.end..begin).unwrap_or(";");
        let tag = grammar.tag(at);
        let inside = matches!(&*token.word, "of" | "for" | "the");
        let comma = first == name.tokens.start && gap == ", ";
        // "Under-Secretary"
        let joined = gap == "-";
        let apart_from = token.stop || tag.is_verb() || tag == Tag::Preposition;
        if ends(gap) && !comma || !inside && !joined && apart_from {
            break;
        }
        apart |= comma;
        (first, begin) = (at, token.start);
    }
    let found = offices(reading, first..end).pop()?;
    // "The mayor, Ana Reyes, and the clerk" can be three people.
    let listed = matches!(reading.word(name.tokens.end), "and" | "or")
        || !reading.text.get(name.end..)?.starts_with([',', '.'])
        || reading.word(first) != "the";
    (!apart || !listed).then_some(found)
}

/// Whether a stretch ends in the gap between two words.
fn ends(gap: &str) -> bool {
    gap.contains([',', ';', ':', '(', ')', '“', '”', '"', '?', '!'])
}

/// Whether a clause has its verb here.
fn tells(tag: Tag) -> bool {
    matches!(tag, Tag::Past | Tag::Present | Tag::Modal)
}

/// The offices in a stretch of words.
fn offices(reading: &ParsedText<'_>, range: Range<usize>) -> Vec<Office> {
    let word = |at: usize| reading.tokens.get(at).filter(|_| at < range.end).map(|token| base(&token.word));
    let mut found = Vec::new();
    let mut at = range.start;
    while word(at).is_some() {
        let matched = (1..=LONGEST).rev().find_map(|long| {
            let words: Vec<&str> = (at..at + long).map(word).collect::<Option<_>>()?;
            let group = OFFICES.beside(&words.join("-")).next()?;
            Some((long, group))
        });
        let Some((long, group)) = matched else {
            at += 1;
            continue;
        };
        let below = at.checked_sub(1).filter(|before| word(*before).is_some_and(|word| BELOW.contains(word)));
        let group = if below.is_some() { format!("deputy {group}") } else { group.to_owned() };
        let tokens = below.unwrap_or(at)..at + long;
        at += long;
        if !word(at).is_some_and(|next| NOT_HELD.contains(next)) {
            found.push(Office { group, tokens });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "Faiola reported to Teresa Cox, Apco's vice president of sales. EPA Director Ada Ruud and Captain Robert Holt spoke. \
                          Deputy Administrator Eva Lie left. The clerk, Tom Berg, read the motion. Present: Olaf Vik (treasurer), R Dahl.\n\n\
                          SURGEON GENERAL MURTHY: It is so.\n\nDonald Lund, Jr., Esq., Solicitor General. Commissioner Leo Wray and \
                          Eva Ness, Medical Director, spoke.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "name.title");
        found.map(|found| (found.text, found.note)).collect()
    }

    #[test]
    fn another_office_than_the_sources_give_is_found() {
        for (draft, office, theirs) in [
            ("Teresa Cox, the chief executive, told her.", "chief executive", "vice president"),
            ("Dr. Murthy, the health secretary, agreed.", "secretary", "SURGEON GENERAL"),
            ("Battalion Chief Robert Holt retired.", "Battalion Chief", "Captain"),
            ("The director, Tom Berg, read the motion.", "director", "clerk"),
            ("Eva Lie, the administrator, left.", "administrator", "Deputy Administrator"),
            ("The finance director Olaf Vik spoke.", "finance director", "treasurer"),
            ("Donald Lund, the attorney general, argued it.", "attorney general", "Solicitor General"),
            ("Eva Ness, the commissioner, agreed.", "commissioner", "Medical Director"),
        ] {
            let note = format!("The source has “{theirs}” with this name.");
            assert_eq!(found(draft), [(office.to_owned(), note)], "{draft}");
        }
    }

    #[test]
    fn an_office_in_other_words_and_one_of_somebody_else_are_not() {
        for fine in [
            "Teresa Cox, a VP, told her.",
            "Ada Ruud, director of the agency, spoke.",
            "Eva Ness, the director, spoke.",
            "Ada Ruud, who met the president, spoke.",
            "After a talk with Ada Ruud, the president signed it.",
            "Ada Ruud, the president's sister, spoke.",
            "The mayor, Ada Ruud, and the clerk spoke.",
            "Ada Ruud, a candidate for mayor, spoke.",
            "Mayor candidate Ada Ruud spoke.",
            "R Dahl, the mayor, spoke.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
