//! Titles: the sources give this person the office that the draft gives them.
//!
//! Why: a councilmember who is called mayor in print, or a chief who was only deputy chief, complains to the editor.
//! A finding needs an office that no source puts near the person. And a source must give that office to somebody
//! else, or give them another.

use crate::{
    rules::{
        prelude::*,
        title::titles::{Title, names_of, near, titles, which},
    },
    words::canonical,
};
use copydesk_text::words::stem;

pub static RULE: Rule = Rule {
    name: "name.title",
    kind: SpanKind::Name,
    standing: Standing::Swapped,
    why: "The sources give this person another title.",
    source: "A title before a name, or right behind it between commas or in brackets, is an office. Each person holds their own.",
    ..Rule::USUAL
};

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, item: name, .. } in texts.names().filter(|spot| spot.item.personal()) {
        let quoted = field.reading.tokens.get(name.tokens.start).is_none_or(Token::quoted);
        // "Ji" of "Ji-won Baek" is half a name.
        let half = field.reading.text.get(name.end..).is_some_and(|rest| rest.starts_with(['-', '‑']));
        for title in titles(&field.reading, name).filter(|_| !quoted && !half) {
            let (start, end) = (title.range.start.min(name.start), title.range.end.max(name.end));
            let Some((note, place)) = judge(texts, &field.reading, name, &title) else { continue };
            // The names within a wrong office have rows of their own.
            if let Some([first, .., last]) = field.reading.tokens.get(title.phrase.clone()) {
                ledger.doubt(field, first.start..last.end);
            }
            ledger.enter(
                Fault::new(&RULE, field, start..end).note(note).passage(texts.archive.sentence(place)).removable(),
            );
        }
    }
}

/// What contradicts a title, and the sentence that does.
fn judge(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, name: &Name, title: &Title) -> Option<(String, SourceLine)> {
    let last = reading.tokens.get(name.tokens.end.checked_sub(1)?)?.stem.as_str();
    let stems: Vec<String> = names_of(title.office).map(|word| canonical(stem(word))).collect();
    let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
    let (mut theirs, mut others) = (Vec::new(), Vec::new());
    for (source, text) in texts.archive.readings.iter().enumerate() {
        let same = |other: &&Name| other.last() == name.last() && other.may_be(name);
        for known in texts.names_beside(source, &[last]).filter(same) {
            let line = text.tokens.get(known.tokens.start)?.line;
            theirs.push((
                titles(text, known).collect::<Vec<_>>(),
                near(text, texts.source_names.get(source).map_or(&[], Vec::as_slice), known, title.office),
                SourceLine { source, line },
            ));
        }
        for other in texts.names_beside(source, &stems).filter(|other| other.personal() && !other.may_be(name)) {
            let line = text.tokens.get(other.tokens.start)?.line;
            for held in titles(text, other).filter(|held| held.office == title.office) {
                others.push((text.slice(other.start..other.end), SourceLine { source, line }, which(text, &held)));
            }
        }
    }
    let near = theirs.iter().any(|(held, near, _)| *near || held.iter().any(|held| held.office == title.office));
    let known = || theirs.iter().flat_map(|(held, _, place)| held.iter().map(|held| (held, *place)));
    if near {
        // They hold the office. Is its qualifier right, too?
        let whole = name.words.len() > 1;
        let mut same = known().filter(|(held, _)| held.office == title.office).peekable();
        let elsewhere = || {
            let places: Vec<SourceLine> = theirs.iter().map(|(.., place)| *place).collect();
            of_another(texts, reading, title, &others, &places)
        };
        let Some((first, place)) = same.peek().map(|(held, place)| (held.qualifier, *place)) else {
            return elsewhere();
        };
        if !whole {
            return None;
        }
        let differs = same.all(|(held, _)| held.qualifier != title.qualifier && held.qualifier == first);
        if !differs {
            return another(texts, reading, title, known()).or_else(elsewhere);
        }
        let note = match first {
            Some(qualifier) => format!("The source has “{qualifier}” before this title."),
            None => format!("No source has “{}” before this title.", title.qualifier?),
        };
        return Some((note, place));
    }
    let office = names_of(title.office).next()?;
    // A chairman may also be a representative.
    let member = names_of(title.office).any(|word| MEMBERS.contains(word));
    let own = known().find(|(held, _)| held.office != title.office && !member);
    match (others.first(), own) {
        (Some((other, place, _)), _) if !theirs.is_empty() && !held_by_many(&others) => {
            Some((format!("In the sources {other} is {office}."), *place))
        }
        (_, Some((held, place))) => {
            let source = texts.archive.reading(place)?;
            let word = source.tokens.get(held.place)?;
            let before = held.place.checked_sub(1).filter(|_| held.phrase.start < held.place);
            let before = before.and_then(|at| source.tokens.get(at));
            let held = source.slice(before.unwrap_or(word).start..word.end).to_lowercase();
            Some((format!("The sources give this person the title {held}, not {office}."), place))
        }
        _ => past(texts, title, &theirs.iter().map(|(.., place)| *place).collect::<Vec<_>>()),
    }
}

/// Offices that many people hold, each perhaps with another one beside it.
static MEMBERS: WordList = words(
    "representative representatives senator senators congressman congresswoman member members councillor councilmember councilman \
     councilwoman commissioner delegate deputy director trustee supervisor justice judge minister lord baroness",
);

/// Whether several people hold an office, as senators and commissioners do: then somebody else may, too.
fn held_by_many(others: &[(&str, SourceLine, [Vec<&str>; 2])]) -> bool {
    let mut names = others.iter().filter_map(|(name, ..)| name.split_whitespace().next_back()).map(str::to_lowercase);
    let first = names.next();
    names.any(|name| Some(name) != first)
}

/// What no source says of somebody's past: `a former prosecutor`, if none has a prosecutor or says that they were anything before.
fn past(texts: &ProofTexts<'_>, title: &Title, theirs: &[SourceLine]) -> Option<(String, SourceLine)> {
    let qualifier = title.qualifier.filter(|word| matches!(*word, "former" | "retired"))?;
    let archive = &texts.archive;
    let held = names_of(title.office).any(|word| archive.seen(word).is_some() || archive.has(word));
    let was = |place: &&SourceLine| {
        let lines = archive.window(**place, 1);
        let told = |token: &Token| {
            matches!(token.word.as_str(), "former" | "formerly" | "retired" | "ex" | "previously" | "served")
        };
        lines.into_iter().any(|line| archive.tokens(SourceLine { line, ..**place }).iter().any(told))
    };
    let place = theirs.first().filter(|_| !held && !theirs.iter().any(|place| was(&place)))?;
    let office = names_of(title.office).next()?;
    Some((format!("No source has a {qualifier} {office}."), *place))
}

/// Somebody else who holds exactly this office of its kind, if nothing near the one named says so: `counsel for the Harbour Office`.
fn of_another(
    texts: &ProofTexts<'_>,
    reading: &ParsedText<'_>,
    title: &Title,
    others: &[(&str, SourceLine, [Vec<&str>; 2])],
    theirs: &[SourceLine],
) -> Option<(String, SourceLine)> {
    let [_, behind] = which(reading, title);
    let has = |words: &[&str]| behind.iter().all(|word| words.contains(word));
    let beside = |place: &SourceLine| {
        let words: Vec<&str> = texts.archive.tokens(*place).iter().map(|token| token.word.as_str()).collect();
        has(&words)
    };
    let (other, place, _) = others.iter().find(|(.., [_, held])| !behind.is_empty() && has(held))?;
    let phrase = reading.tokens.get(title.place)?.start..reading.tokens.get(title.phrase.end - 1)?.end;
    let open = !theirs.iter().any(beside);
    open.then(|| (format!("In the sources {other} is {}.", one_line(reading.slice(phrase))), *place))
}

/// The office of its kind that they hold, if it is another one: `solicitor general` for `attorney general`, the ministry of
/// health for that of energy.
fn another<'t>(
    texts: &ProofTexts<'_>,
    reading: &ParsedText<'_>,
    title: &Title,
    known: impl Iterator<Item = (&'t Title, SourceLine)>,
) -> Option<(String, SourceLine)> {
    let own = which(reading, title);
    let mut first = None;
    for (held, place) in known.filter(|(held, _)| held.office == title.office) {
        let source = texts.archive.reading(place)?;
        let theirs = which(source, held);
        // "General Verrilli" does not say which one.
        if theirs.iter().all(Vec::is_empty) {
            continue;
        }
        let lacks = |one: &[&str], other: &[&str]| one.iter().any(|word| !other.contains(word));
        let differ = own.iter().zip(&theirs).any(|(own, theirs)| lacks(own, theirs) && lacks(theirs, own));
        if !differ {
            return None;
        }
        let words = source.tokens.get(held.phrase.start).zip(source.tokens.get(held.phrase.end - 1));
        let phrase = words.map_or("", |(one, two)| source.slice(one.start..two.end));
        first.get_or_insert((format!("The source has the title “{}”.", one_line(phrase)), place));
    }
    first
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

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
    fn a_short_form_is_the_same_office() {
        let found = |draft: &str, source: &str| {
            check_texts(draft, source).into_iter().map(|found| (found.rule, found.text)).collect::<Vec<_>>()
        };
        let short = "Sen. Ada Ruud met Gen. Mark Howe and Rep. Tom Berg at the harbour.";
        let long = "Senator Ada Ruud met General Mark Howe and Representative Tom Berg at the harbour.";
        assert_eq!(found(short, long), []);
        assert_eq!(found(long, short), []);
        // The name behind a title is no part of it.
        assert_eq!(
            found(
                "General Mark Howe and Mayor Tom Berg met at the harbour.",
                "General Mark Howe and Rep. Ada Ruud met at the harbour. Mayor Tom Berg came to the harbour, too."
            ),
            []
        );
        assert_eq!(found("Lt. Col. Bo Strand left.", "Lieutenant Colonel Bo Strand left."), []);
        let wrong = "Gov. Ada Ruud met General Mark Howe and Representative Tom Berg at the harbour.";
        assert_eq!(found(wrong, long), [("name.title".to_owned(), "Gov. Ada Ruud".to_owned())]);
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
    fn another_office_of_that_kind_is_found() {
        let found = |draft: &str, source: &str| {
            let titles = check_texts(draft, source).into_iter().filter(|found| found.rule == "name.title");
            titles.map(|found| found.note).collect::<Vec<_>>()
        };
        let call = "Marcus Ode, Chief Financial Officer, presented the accounts. Jo Berg, District Attorney, came, joined by the \
                    attorneys of the port. Mr. Ode left.";
        assert_eq!(
            found("Marcus Ode, the chief operating officer, presented the accounts.", call),
            ["The source has the title “Chief Financial Officer”."]
        );
        assert_eq!(found("Marcus Ode, the chief financial officer, presented the accounts.", call), [""; 0]);
        assert_eq!(
            found("Jo Berg, the county sheriff, came.", call),
            ["The sources give this person the title district attorney, not sheriff."]
        );
        assert_eq!(found("Jo Berg, a critic of the sheriff, came.", call), [""; 0]);
        let court = "DONALD B. VERRILLI, JR., ESQ., Solicitor General, for the petitioners.\n\nMs. Poe spoke to Donald Verrilli.";
        assert_eq!(
            found("Donald B. Verrilli Jr., the attorney general, replied.", court),
            ["The source has the title “Solicitor General”."]
        );
        assert_eq!(found("Donald B. Verrilli Jr., the solicitor general, replied.", court), [""; 0]);
        let house = "The Parliamentary Under-Secretary of State for Health and Social Security (Mr. John Marr): I listened. Ask the \
                     Secretary of State for Energy.";
        assert_eq!(
            found("Mr John Marr, the Secretary of State for Energy, replied.", house),
            ["The source has the title “Secretary of State for Health and Social Security”."]
        );
        assert_eq!(found("Mr John Marr, the under-secretary for health, replied.", house), [""; 0]);
        let hearing =
            "Ada Ruud KC, counsel for Harbour Office and others, is here. I am Tom Berg KC, and I am the lead counsel.";
        assert_eq!(
            found("Tom Berg KC, counsel for the Harbour Office, opened.", hearing),
            ["In the sources Ada Ruud is counsel for the Harbour Office."]
        );
        assert_eq!(
            found("Tom Berg KC, lead counsel, opened. Ada Ruud, counsel for the Harbour Office, came.", hearing),
            [""; 0]
        );
        let plea = "TOM BERG, ESQ., for the harbour, spoke first. Lise Dahl was a prosecutor.";
        assert_eq!(found("Tom Berg, a former tax inspector, spoke.", plea), ["No source has a former inspector."]);
        assert_eq!(found("Tom Berg, a former tax prosecutor, spoke.", plea), [""; 0]);
        let state = "California Attorney General Rob Bonta announced it, with District Attorneys. “Good,” said District Attorney Pam Price.";
        assert_eq!(found("U.S. Attorney Rob Bonta announced it.", state), ["In the sources Pam Price is attorney."]);
        assert_eq!(found("State Attorney General Rob Bonta announced it.", state), [""; 0]);
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
