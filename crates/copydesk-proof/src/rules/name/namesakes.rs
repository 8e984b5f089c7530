//! Namesakes: a surname goes with the first names that the sources put before it.
//!
//! Why: two people with one surname are easily confused. A first name that no person with that surname has is a slip, or belongs to another
//! person.

use crate::{
    reading::{KnownPerson, month, weekday},
    rules::{
        name::{not_found, roles, spelling, swapped},
        prelude::*,
    },
    words::{COMMON, base, distance, first_names_agree, names::names_no_person, slips},
};
use copydesk_text::capital;

/// Two first names that differ in so many letters have nothing in common.
const FAR: usize = 12;

/// Articles of other languages.
static ARTICLES: WordList = words("der die das den dem des ein eine le la les un une el los las il lo gli het een");

/// A first name that no person with that surname has in the sources: `Tom Reyes`, if they know Daniel and Ana Reyes. The same holds for
/// places: `Upper Brandle`, if they know only Lower Brandle.
pub fn check(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let known = texts.roster.of(name.last());
    // "Berg Boats" has the name of its owner, and "Berg Boats Ltd" is the same.
    let there = |other: &Name| other.words.len() > name.words.len() && other.words.starts_with(&name.words);
    // "Der Gemeinderat von Lindau"
    let article = field.reading.tokens.get(name.tokens.start).is_some_and(|first| ARTICLES.contains(&first.word));
    if known.is_empty() || article || !name.personal() || texts.source_names.iter().flatten().any(there) {
        return None;
    }
    if let Some(found) = other_of_that_name(texts, field, name) {
        return Some(found);
    }
    let first = name.first().filter(|first| !not_found::without_marks(texts, first))?;
    let ends = |other: &Name| other.words.ends_with(&name.words) || name.words.ends_with(&other.words);
    // "JR Brook" is "J. R. Brook".
    let short = |known: &Name| {
        let given = known.words.iter().take(known.words.len() - 1);
        given.filter_map(|word| word.chars().next()).collect::<String>() == first
    };
    let initials = |name: &Name| -> String {
        let given = name.words.iter().take(name.words.len() - 1);
        given.map_while(|word| word.chars().next().filter(|_| word.chars().count() == 1)).collect()
    };
    let agrees = known.iter().any(|known| {
        if initials(&known.name).len() > 1 && initials(name).len() > 1 {
            return initials(&known.name) == initials(name);
        }
        ends(&known.name)
            || short(&known.name)
            || known.name.words.iter().any(|word| first_names_agree(word, first) && word != name.last())
    });
    let tokens = field.reading.tokens.get(name.tokens.clone())?;
    let token = tokens.first()?;
    let word = base(&token.word);
    let general = COMMON.contains(word) || names_no_person(word) || month(token).is_some() || weekday(token).is_some();
    // A word that begins the sentence and is ordinary in the sources is no first name.
    let initial = word.chars().count() == 1;
    let ordinary =
        !initial && (texts.archive.seen(word).is_some_and(|seen| seen.lower) || token.stop || word.ends_with("ly"));
    let everyones = texts.roster.everyone().any(|other| other.name.words.first().is_some_and(|w| w == word));
    if agrees || general || (ordinary && !everyones) || word.ends_with("ing") || word.ends_with("ed") {
        return None;
    }
    // The word is part of another name (a street, a company) and no person's first name: the run is a new compound.
    let elsewhere = texts.archive.seen(word).is_some();
    if elsewhere && !everyones && !initial {
        return None;
    }
    let far = |known: &KnownPerson| Some(distance(word, known.name.first()?, FAR).unwrap_or(FAR));
    let near = || known.iter().filter_map(|known| Some((far(known)?, &known.name, known.text)));
    let (apart, right, text) = near().min_by_key(|(apart, ..)| *apart)?;
    let slip = apart <= slips(word).max(1) && word.chars().next() == right.first().and_then(|w| w.chars().next());
    // Another person's first name beside this surname: either half may be the wrong one.
    let torn = everyones && !slip;
    let ties = near().any(|(other, known, _)| other == apart && known.words != right.words);
    let decided = !torn && (slip && !ties || known.len() == 1);
    let reading = texts.archive.readings.get(text)?;
    let shown = one_line(reading.slice(right.start..right.end));
    let plain = shown.chars().any(char::is_lowercase);
    let place = SourceLine { source: text, line: reading.line_of(&right.tokens) };
    let note = if decided { "The sources have" } else { "No source has this name. The closest is" };
    let found = Fault::new(if slip { &spelling::RULE } else { &swapped::RULE }, field, name.start..name.end);
    let found = found.note(format!("{note} {shown}.")).passage(texts.archive.sentence(place));
    Some(found.replacement((decided && plain && roles::agrees(texts, field, name, right)).then_some(shown)))
}

/// The finding at a first name and a surname that the sources have, if what stands between or behind them is another's: `Anna K. Brook`
/// for `Anna M. Brook`, `van` for `von`, `Sr` for `Jr`.
fn other_of_that_name(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let known = texts.roster.of(name.last());
    let telling = !name.particles.is_empty() || name.generation.is_some() || !name.middle().is_empty();
    let called = |known: &&KnownPerson| match (name.first(), known.name.first()) {
        (Some(mine), Some(theirs)) => first_names_agree(mine, theirs),
        _ => true,
    };
    let alike: Vec<&KnownPerson> = known.iter().filter(called).collect();
    // "Pilot Anna M. Brook": what stands before the name may be no name.
    let there = name.first().is_some()
        && known.iter().any(|known| known.name.words.ends_with(&name.words) && known.name.words != name.words);
    if !telling || there {
        return None;
    }
    let other = |known: &&KnownPerson| {
        let theirs = &known.name;
        let (mine, their) = (name.middle(), theirs.middle());
        let agree = mine.iter().any(|word| their.iter().any(|other| first_names_agree(word, other)));
        let both = !name.particles.is_empty() && !theirs.particles.is_empty();
        let generations = name.generation.as_ref().zip(theirs.generation.as_ref());
        both && name.particles != theirs.particles
            || generations.is_some_and(|(mine, theirs)| mine != theirs)
            || !mine.is_empty() && !their.is_empty() && !agree
    };
    let right = alike.first().filter(|_| alike.iter().all(other))?;
    let reading = texts.archive.readings.get(right.text)?;
    let mut shown = one_line(reading.slice(right.name.start..right.name.end));
    let plain = alike.len() == 1 && right.plain && right.name.generation == name.generation;
    let replacement = plain.then(|| shown.clone());
    if let Some(generation) = &right.name.generation {
        let roman = generation.starts_with(['i', 'v']);
        let written = if roman { generation.to_uppercase() } else { format!("{}.", capital(generation)) };
        shown = format!("{shown} {written}");
    }
    let place = SourceLine { source: right.text, line: reading.line_of(&right.name.tokens) };
    let found = Fault::new(&swapped::RULE, field, name.start..name.end).note(format!("The sources have {shown}."));
    Some(found.passage(texts.archive.sentence(place)).replacement(replacement))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn what_stands_within_a_name_tells_people_apart() {
        let source = "Ada M. Ruud, Bo von Stein, Tom Berg Jr., Eva van der Lie, J. R. Holt and Jan Peter Dahl met. Anna Lund, too. \
                      So did Luca della Torre, Ahmed ibn Yusuf and Kim, D.-H. (the host).";
        for fine in [
            "Ada Ruud left.",
            "Ada Marie Ruud left.",
            "Bo Von Stein left.",
            "Von Stein left.",
            "Tom Berg left.",
            "Then Tom Berg, Jr., left.",
            "Eva Van Der Lie left.",
            "Van der Lie left.",
            "J.R. Holt left.",
            "JR Holt left.",
            "Jan P. Dahl left.",
            "Anna K. Lund left.",
            "D.-H. Kim left.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in [
            "Ada K. Ruud left.",
            "Bo van Stein left.",
            "Then Tom Berg Sr. left.",
            "Then Tom Berg III left.",
            "Eva van den Lie left.",
            "Van den Lie left.",
            "J. B. Holt left.",
            "Jan Erik Dahl left.",
            "Luca dalla Torre left.",
            "Ahmed abu Yusuf left.",
            "D.-J. Kim left.",
        ] {
            let rules: Vec<String> = check_texts(wrong, source).into_iter().map(|found| found.rule).collect();
            assert_eq!(rules, ["name.swapped"], "{wrong}");
        }
    }

    #[test]
    fn one_person_has_a_name_in_several_forms() {
        let source = "Lie-Holt Ågot, a keeper, and Tom T. Berg, Sr., met. Petitioner: Tom T. Berg, Jr. Ruud Boats Ltd sold it to Ada Ruud. \
                      Nguyễn Thị Minh Khai, a fellow, and Eva Dahl left.";
        for fine in [
            "Ågot Lie-Holt, a keeper, met them.",
            "Then Tom T. Berg Jr. testified.",
            "They saw Tom T. Berg Jr.",
            "It was sold by Ruud Boats.",
            "Then Nguyen Thi Minh Khai, a fellow, left.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for (wrong, rule) in [
            ("Then Ågot Lie-Holts left.", "name.spelling"),
            ("It was sold by Eva Ruud.", "name.swapped"),
            ("Then Nguyen Thi Minh Kai left.", "name.not_found"),
        ] {
            let rules: Vec<String> = check_texts(wrong, source).into_iter().map(|found| found.rule).collect();
            assert!(rules.contains(&rule.to_owned()), "{wrong}: {rules:?}");
        }
    }

    #[test]
    fn initials_and_surnames_of_a_list_belong_together() {
        let source =
            "Jury\n1. RUUD, Ada Lise\n2. MARKET, Bo T.\nReserve: LIE, Eva.\n\nSigned by M. T. Holt and Berg, K. A.";
        for fine in
            ["Then Ada Ruud, Bo Market and Eva Lie met.", "M.T. Holt and K. A. Berg signed it.", "M. Holt signed it."]
        {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in ["Eva Ruud sat there.", "Bo Lie sat there.", "T.M. Holt signed it.", "A.K. Berg signed it."] {
            let rules: Vec<String> = check_texts(wrong, source).into_iter().map(|found| found.rule).collect();
            assert_eq!(rules, ["name.swapped"], "{wrong}");
        }
    }

    #[test]
    fn nobody_of_that_surname_has_that_first_name() {
        let council = "Gemeinde Lindau\nDer Gemeinderat beschließt den Verkauf.";
        assert_eq!(check_texts("Der Gemeinderat von Lindau beschloss den Verkauf.", council), []);
        let found = |draft: &str, source: &str| {
            let found = check_texts(draft, source).into_iter();
            found.map(|f| (f.rule, f.text, f.replacement)).collect::<Vec<_>>()
        };
        let swapped =
            |text: &str, right: Option<&str>| ("name.swapped".to_owned(), text.to_owned(), right.map(str::to_owned));
        let places = "The cannery is in Lower Brandle.";
        assert_eq!(found("Upper Brandle has a cannery.", places), [swapped("Upper Brandle", Some("Lower Brandle"))]);
        let people = "Denise Pruitt chairs the Friends of Miller Park. She and Thomas Pruitt are not related.";
        assert_eq!(found("The friends are chaired by Walter Pruitt.", people), [swapped("Walter Pruitt", None)]);
        let notice = "NOTICES\n\nPETRA LINDQVIST has left the swim club. GRACE CHURCH is shut.";
        assert_eq!(found("Peter Lindqvist has left the swim club.", notice), [swapped("Peter Lindqvist", None)]);
        assert_eq!(found("Petra Lindqvist has left the swim club.", notice), []);
    }

    #[test]
    fn a_title_of_several_people_is_nobodys_first_name() {
        let source = "Councillor Peter Saddler and Councillor Anita Mehra voted against it.";
        for fine in
            ["Councillors Saddler and Mehra voted against it.", "Cllrs Peter Saddler and Mehra voted against it."]
        {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        let wrong = check_texts("Councillors Paul Saddler and Anita Mehra voted against it.", source);
        assert_eq!(wrong.iter().map(|found| found.text.as_str()).collect::<Vec<_>>(), ["Paul Saddler"]);
    }

    #[test]
    fn a_name_torn_from_two_people_is_nobodys() {
        // No program can tell which half is wrong.
        let source = "Ingrid Solberg, 71, cleans the hall. Outside, Peter Quill, retired baker, laughed. He has a dog.";
        let repairs = |draft: &str| check_texts(draft, source).into_iter().map(|f| f.replacement).collect::<Vec<_>>();
        assert_eq!(repairs("Ingrid Quill cleans the hall."), [None]);
        assert_eq!(repairs("Nora Quill, 71, cleans the hall."), [None]);
        assert_eq!(repairs("Nora Quill said that her dog laughed."), [None]);
        assert_eq!(repairs("Pieter Quill, a retired baker, laughed."), [Some("Peter Quill".to_owned())]);
    }
}
