//! Roles: a source gives this person the title or description that the draft puts beside the name.
//!
//! Why: two people with one surname, or two officials at one hearing, are easily swapped. A finding needs the role to stand nearly word for
//! word beside another person, and never beside the person named.

use crate::{
    reading::is_address,
    rules::{name::swapped, prelude::*},
    words::{entries, nicknames::is_first_name},
};

/// How far a role reaches from its name, in words.
const REACH: usize = 9;

/// Verbs of who is at the head of something.
static LEADS: WordList =
    words("directs directed chairs chaired heads headed leads led runs ran manages managed edits owns");

/// A role before a name has at most so many words, its article among them.
const ROLE: usize = 5;

/// Reports a full name whose role in the draft is another person's in the sources.
pub fn check(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    // The sources may have the surname only behind a title: "Lord Hutton".
    let known = || texts.archive.seen(name.last()).is_some_and(|seen| seen.capital && !seen.lower);
    if name.words.len() < 2 || !name.personal() || texts.roster.of(name.last()).is_empty() && !known() {
        return None;
    }
    let role = role(texts, &field.reading, name);
    // One word tells only namesakes apart.
    let before = name.tokens.start.checked_sub(1).and_then(|at| field.reading.tokens.get(at));
    let single = role.len() == 1 && name.titled && before.is_some_and(|title| !is_address(&title.word));
    if role.len() < 2 && !single {
        return None;
    }
    let mut other: Option<(&Name, usize)> = None;
    let mut several = false;
    for (text, reading) in texts.archive.readings.iter().enumerate() {
        for theirs in texts.names_beside(text, &role).filter(|theirs| theirs.personal()) {
            let beside = beside(reading, theirs);
            let carried = role.iter().filter(|stem| beside.contains(stem)).count();
            let namesake = theirs.last() == name.last();
            let named = theirs.may_be(name) && (namesake || theirs.is_turned(name));
            // One place is enough, however often the name stands in the sources. "Director" alone says no more than "chief".
            if named && carried * 2 >= role.len() {
                return None;
            }
            let another = !named && theirs.words.len() > 1 && (!single || namesake);
            if another && carried == role.len() && known_person(texts, theirs) {
                let (first, _) = other.get_or_insert((theirs, text));
                several |= !first.may_be(theirs);
            }
        }
    }
    let (right, text) = other?;
    // "Arden Arcade" of "Arden Arcade Charter", and "Chicano Studies" beside "African American Studies", are no people.
    let thing = name.last().ends_with('s') && !entries(name.last()).is_empty();
    if thing || right.words.starts_with(&name.words) {
        return None;
    }
    let reading = texts.archive.readings.get(text)?;
    let shown = one_line(reading.slice(right.start..right.end));
    let plain = shown.chars().any(char::is_lowercase);
    // With another surname, the role may be the error, so only a namesake's name is offered as a repair.
    let sure = plain && !several && !single && right.last() == name.last() && agrees(texts, field, name, right);
    let place = SourceLine { source: text, line: reading.line_of(&right.tokens) };
    let found = Fault::new(&swapped::RULE, field, name.start..name.end).note(format!("In the source this is {shown}."));
    Some(found.passage(texts.archive.sentence(place)).replacement(sure.then_some(shown)))
}

/// Whether a word shows that the person is a woman (true) or a man (false).
fn gender(word: &str) -> Option<bool> {
    match word {
        "she" | "her" | "hers" | "herself" | "ms" | "mrs" | "miss" | "woman" | "mother" | "wife" | "sister"
        | "daughter" => Some(true),
        "he" | "him" | "his" | "himself" | "mr" | "man" | "father" | "husband" | "brother" | "son" => Some(false),
        _ => None,
    }
}

/// Whether the draft's sentence fits another person of the sources: no role, age or pronoun in it contradicts them.
pub fn agrees(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name, other: &Name) -> bool {
    let draft = &field.reading;
    let line = draft.line_of(&name.tokens);
    let role = role(texts, draft, name);
    let tail = draft.tokens.get(name.tokens.end..).unwrap_or_default().iter().take(REACH);
    let age = |token: &&Token| token.stem.len() == 2 && token.stem.parse::<u8>().is_ok_and(|age| age > 15);
    let years: Vec<&str> =
        tail.filter(|token| token.line == line).filter(age).map(|token| token.stem.as_str()).collect();
    let told: Vec<bool> =
        draft.line_tokens(line).iter().filter(|t| !t.quoted()).filter_map(|t| gender(&t.word)).collect();
    let (mut carried, mut dated, mut theirs) = (role.is_empty(), years.is_empty(), Vec::new());
    for (reading, names) in texts.archive.readings.iter().zip(&texts.source_names) {
        for known in names.iter().filter(|known| known.last() == other.last() && known.may_be(other)) {
            let beside = beside(reading, known);
            carried |= role.iter().any(|stem| beside.contains(stem));
            let Some(at) = reading.tokens.get(known.tokens.start).map(|token| token.line) else { continue };
            let around = reading.line_tokens(at);
            dated |= years.iter().any(|age| around.iter().any(|token| token.stem == **age));
            let next = if reading.paragraph(at).contains(&(at + 1)) { reading.line_tokens(at + 1) } else { &[] };
            theirs.extend(around.iter().chain(next).filter(|t| !t.quoted()).filter_map(|t| gender(&t.word)));
        }
    }
    let uniform = |told: &[bool]| told.first().copied().filter(|first| told.iter().all(|one| one == first));
    let contradicted = uniform(&told).zip(uniform(&theirs)).is_some_and(|(one, other)| one != other);
    carried && dated && !contradicted
}

fn known_person(texts: &ProofTexts<'_>, name: &Name) -> bool {
    texts.roster.of(name.last()).iter().any(|known| known.name.words == name.words)
}

/// The role that the draft gives a name: the words behind it (`, chair of the Friends,`), or its title.
fn role<'r>(texts: &ProofTexts<'_>, reading: &'r ParsedText<'_>, name: &Name) -> Vec<&'r str> {
    let tail = reading.tokens.get(name.tokens.end..).unwrap_or_default();
    let comma =
        tail.first().is_some_and(|next| reading.text.get(name.end..next.start).is_some_and(|gap| gap.trim() == ","));
    let mut stems: Vec<&str> = Vec::new();
    // "Ana Reyes, who directs the board,"
    let who = reading.word(name.tokens.end) == "who" && LEADS.contains(reading.word(name.tokens.end + 1));
    if comma {
        let tail = if who { tail.get(2..).unwrap_or_default() } else { tail };
        let mut last = tail.first().map_or(name.end, |first| first.start);
        for token in tail.iter().take(REACH) {
            let gap = reading.text.get(last..token.start).unwrap_or_default();
            let over = stems.is_empty()
                && matches!(
                    token.word.as_str(),
                    "who" | "and" | "but" | "which" | "whose" | "told" | "of" | "from" | "as"
                )
                || stems.is_empty() && token.class.has(Class::SAYS);
            if over || !stems.is_empty() && gap.contains([',', '.', ';', ':', '(', '“', '"', '?', '!']) {
                break;
            }
            add(&mut stems, [token]);
            last = token.end;
        }
    } else {
        // Title in front: capitalised words right before the name.
        let line = reading.line_of(&name.tokens);
        let title = |token: &&Token| token.capital && token.line == line && !token.stop;
        add(&mut stems, reading.words_before(name.tokens.start, 4).iter().rev().take_while(title));
        if stems.is_empty() {
            named_behind(reading, name, &mut stems);
        }
        // "Ana Reyes of ETH Zurich"
        let titled = |theirs: &Name| theirs.titled && theirs.last() == name.last();
        let person =
            name.titled || name.first().is_some_and(is_first_name) || texts.source_names.iter().flatten().any(titled);
        let of = matches!(reading.word(name.tokens.end), "of" | "from" | "at");
        if stems.is_empty() && person && of {
            let body = tail.iter().skip(1).skip_while(|token| token.word == "the");
            add(&mut stems, body.take_while(|token| token.capital && token.line == line));
        }
    }
    stems
}

/// The words of a role before a name and its comma: `the deputy mayor, Ana Reyes, said`.
fn named_behind<'r>(reading: &'r ParsedText<'_>, name: &Name, stems: &mut Vec<&'r str>) {
    let before = reading.words_before(name.tokens.start, ROLE);
    let article =
        before.iter().rposition(|token| matches!(&*token.word, "the" | "its" | "their" | "his" | "her" | "our"));
    let role = article.and_then(|at| before.get(at + 1..)).unwrap_or_default();
    let comma = role.last().is_some_and(|last| reading.slice(last.end..name.start) == ", ");
    let whole = role.first().zip(role.last()).map_or("", |(first, last)| reading.slice(first.start..last.end));
    if comma && !whole.contains([',', ';', '(']) && role.iter().all(|token| token.line == reading.line_of(&name.tokens))
    {
        add(stems, role);
    }
}

/// Adds the stems of content words, each once.
fn add<'r>(stems: &mut Vec<&'r str>, tokens: impl IntoIterator<Item = &'r Token>) {
    for token in tokens {
        let small = matches!(token.word.as_str(), "mr" | "mrs" | "ms" | "dr" | "prof");
        let number = token.stem.starts_with(|c: char| c.is_ascii_digit());
        if !token.stop && !small && !number && !stems.contains(&token.stem.as_str()) {
            stems.push(&token.stem);
        }
    }
}

/// The content words right around a name in a source, within its sentence and up to the next semicolon.
fn beside<'r>(reading: &'r ParsedText<'_>, name: &Name) -> Vec<&'r str> {
    let Some(line) = reading.tokens.get(name.tokens.start).map(|token| token.line) else { return Vec::new() };
    let range = &name.tokens;
    let behind = reading.tokens.get(range.end..).unwrap_or_default().iter().take(REACH + 2);
    let before = reading.words_before(range.start, REACH);
    // "T Berg (deputy mayor), R Dahl"
    let closed =
        |from: usize, to: usize| reading.text.get(from..to).is_none_or(|gap| gap.contains([';', '“', '"', ':', ')']));
    let behind = behind.scan(name.end, |last, token| {
        let from = std::mem::replace(last, token.end);
        Some(token).filter(|_| token.line == line && !closed(from, token.start))
    });
    let before = before.iter().rev().scan(name.start, |first, token| {
        let to = std::mem::replace(first, token.start);
        Some(token).filter(|_| token.line == line && !closed(token.end, to))
    });
    let mut stems: Vec<&str> = Vec::new();
    add(&mut stems, behind.chain(before));
    stems
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn a_title_of_one_word_tells_namesakes_apart_and_a_body_its_people() {
        let source = "The trust is chaired by Tom Berg. Its treasurer is Ada Berg. Tom Berg, chair, Harbour Trust: We meet. Prof. Eva Lie, ETH Lund: It fell.\n\nDr. Bo Ruud, Oslo Tech: We saw it. Mr Jan Dahl, Director of Parks; Ms Ada Holt, Chief Gate Officer.";
        let found =
            |draft: &str| check_texts(draft, source).into_iter().map(|f| (f.rule, f.replacement)).collect::<Vec<_>>();
        for fine in [
            "Treasurer Ada Berg spoke.",
            "It fell, said Eva Lie of ETH Lund.",
            "Mr Tom Berg spoke.",
            "Tom Berg, who chairs the harbour trust, spoke.",
            "Jan Dahl, parks director, left.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
        for wrong in [
            "Treasurer Tom Berg spoke.",
            "It fell, said Eva Lie of Oslo Tech.",
            "Jan Dahl, the chief gate officer, left.",
        ] {
            assert_eq!(found(wrong), [("name.swapped".to_owned(), None)], "{wrong}");
        }
        let namesake = [("name.swapped".to_owned(), Some("Tom Berg".to_owned()))];
        assert_eq!(found("Ada Berg, who chairs the harbour trust, spoke."), namesake);
    }

    #[test]
    fn a_role_before_a_comma_is_a_role() {
        let source =
            "Present: Cllrs T Berg (Deputy Mayor), R Coombes, H Lie, M Novak.\n\nCllr Lie asked about the desk.";
        let found = |draft: &str| check_texts(draft, source).into_iter().map(|found| found.text).collect::<Vec<_>>();
        assert_eq!(found("The motion was backed by the deputy mayor, H Lie."), ["H Lie"]);
        for fine in
            ["The motion was backed by the deputy mayor, T Berg.", "The motion was lost in the count, H Lie said."]
        {
            assert_eq!(found(fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn a_role_of_two_people_puts_nobody_in() {
        let source =
            "Lise Dahl, keeper of the lighthouse, and Tom Berg, keeper of the lighthouse, spoke. Ada Ruud, cook, left.";
        let found = check_texts("Ada Ruud, keeper of the lighthouse, spoke.", source);
        assert_eq!(found.into_iter().map(|f| f.replacement).collect::<Vec<_>>(), [None]);
    }

    #[test]
    fn a_role_of_another_surname_puts_nobody_in() {
        let source = "Oliver Strand, the chief executive, spoke. Gavin Trout asked who pays for it.";
        let found = check_texts("Gavin Trout, the chief executive, wants it.", source);
        let found: Vec<_> = found.into_iter().map(|f| (f.rule, f.text, f.note, f.replacement)).collect();
        let note = "In the source this is Oliver Strand.".to_owned();
        assert_eq!(found, [("name.swapped".to_owned(), "Gavin Trout".to_owned(), note, None)]);
    }

    #[test]
    fn a_surname_that_stands_only_behind_a_title_is_known() {
        let source = "The keeper of the harbour lighthouse, Anders Lie, has left. Lord Dahl wrote the report.";
        let found = check_texts("Anders Dahl, the keeper of the harbour lighthouse, has left.", source);
        let found: Vec<_> = found.into_iter().map(|f| (f.rule, f.text, f.note)).collect();
        let note = "In the source this is Anders Lie.".to_owned();
        assert_eq!(found, [("name.swapped".to_owned(), "Anders Dahl".to_owned(), note)]);
    }

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
