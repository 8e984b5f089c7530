//! Ages: the number beside a name is the age that the sources give this person.
//!
//! Why: two people of one report are easily confused, and the ages with them. A finding needs another age beside the person in the sources,
//! and this one nowhere near the person.

use std::ops::Range;

use crate::rules::{number::contradicted, prelude::*};

/// Reports the age of a full name if the sources give the person another one.
pub fn check(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let own = age(&field.reading, name).filter(|_| name.words.len() > 1 && name.personal())?;
    let stem = |reading: &ParsedText<'_>, at: usize| reading.tokens.get(at).map(|token| token.stem.clone());
    let told = stem(&field.reading, own)?;
    let mut right = None;
    for (source, (reading, names)) in texts.archive.readings.iter().zip(&texts.source_names).enumerate() {
        for theirs in names.iter().filter(|theirs| theirs.may_be(name)) {
            let line = reading.line_of(&theirs.tokens);
            let first =
                names.partition_point(|name| name.tokens.start < reading.lines.get(line).map_or(0, |l| l.tokens.start));
            let here = names.get(first..)?.iter().take_while(|name| reading.line_of(&name.tokens) <= line + 1);
            let others: Vec<usize> =
                here.filter(|other| !other.may_be(name)).filter_map(|name| age(reading, name)).collect();
            let around: Range<usize> = reading.lines.get(line)?.tokens.start
                ..reading.lines.get(line + 1).or_else(|| reading.lines.get(line))?.tokens.end;
            if around.into_iter().any(|at| stem(reading, at).as_ref() == Some(&told) && !others.contains(&at)) {
                return None;
            }
            right = right.or_else(|| Some((stem(reading, age(reading, theirs)?)?, SourceLine { source, line })));
        }
    }
    let (right, place) = right?;
    let token = field.reading.tokens.get(own)?;
    let note =
        format!("The source gives {right} as the age of {}.", one_line(field.reading.slice(name.start..name.end)));
    let fault = Fault::new(&contradicted::RULE, field, token.start..token.end);
    Some(fault.note(note).passage(texts.archive.sentence(place)))
}

/// The word that tells a person's age: `Ana Reyes, 44,`, `Ana Reyes (44)`, `Ana Reyes, aged 44`, `44-year-old Ana Reyes`.
fn age(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let token = |at: usize| reading.tokens.get(at);
    let number = |at: &usize| {
        // "Ana Reyes (2)" may be her goals.
        token(*at).is_some_and(|token| token.word.len() == 2 && token.word.bytes().all(|c| c.is_ascii_digit()))
    };
    let first = name.tokens.start;
    let before = first.checked_sub(3).filter(number).filter(|at| {
        token(at + 1).is_some_and(|year| year.word == "year") && token(at + 2).is_some_and(|old| old.word == "old")
    });
    let aged = usize::from(token(name.tokens.end).is_some_and(|token| token.word == "aged"));
    let behind = Some(name.tokens.end + aged).filter(number).filter(|at| {
        let (Some(next), Some(age)) = (token(name.tokens.end), token(*at)) else { return false };
        let tail = reading.text.get(age.end..).unwrap_or_default();
        match reading.slice(name.end..next.start) {
            " (" => tail.starts_with(')'),
            ", " => tail.is_empty() || tail.starts_with([',', '.', ';', ':', '\n']) || aged > 0,
            " " => aged > 0,
            _ => false,
        }
    });
    before.or(behind)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn an_age_belongs_to_its_person() {
        let source = "Eva Quill, 47, broke a wrist, and her son Bo Quill (19) was unhurt. Tom Berg, aged 62, drove. Ada Ruud turned 33; 32-year-old Ada Ruud ran.";
        for fine in
            ["Bo Quill, 19, was unhurt.", "Tom Berg, 62, drove.", "Ada Ruud, 33, ran.", "Eva Quill (47) broke a wrist."]
        {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in [
            "Bo Quill, 47, was unhurt.",
            "Then 47-year-old Bo Quill was unhurt.",
            "Tom Berg (47) drove.",
            "Eva Quill, aged 62, broke a wrist.",
        ] {
            let rules: Vec<String> = check_texts(wrong, source).into_iter().map(|found| found.rule).collect();
            assert_eq!(rules, ["number.contradicted"], "{wrong}");
        }
    }
}
