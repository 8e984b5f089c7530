//! Holds each footnote of a draft against what it cites, and against nothing else. The body is proved without them.

mod places;

use std::ops::Range;

use crate::ledger::row_of;
use copydesk_newsroom::{ArticleResponse, ConcernType, Ledger, LedgerRow, Source, SpanKind, Standing};
use copydesk_text::{
    footnotes::{OPENINGS, footnotes, only, title_of_file},
    pattern::TextPattern,
};

pub use places::PLACE;
use places::{BODY, Prove, alone};

/// The mark of a row about a note whose page is not at hand.
const RULE: &str = "footnote.page";

const NOT_KEPT: &str = "No text of what it cites was kept: read it yourself.";

const NEVER_READ: &str = "What it cites could not be read, or no longer counts, so it supports nothing.";

const NOT_OPENED: &str =
    "Its page was not opened again, and the record of the earlier check does not have all of this: read it yourself.";

/// The place that a citation names, and the day on which its page was opened: these are the citation's own, not words of the page.
static LOCATOR: TextPattern = TextPattern::new(
    r"(?ix) (?: \b(?: lines? | ll?\. | pages? | pp?\.? | para(?:graph)?s?\.? | sections? | chapters? | items? | records? | slides? | bytes | at ) | [¶§]+ )
            \s* \d[\d:.,–-]*(?: \s* (?:,|and|to) \s* \d[\d:.–-]* )*
        | \b(?: last \s+ )? (?: accessed | opened | retrieved | read | viewed | visited ) (?: \s+ on )? :? \s+ [^.;:)\n\x22“”]{4,30}",
);

/// The rows on the notes of an article. `pages` are cited pages beside the story's own sources, each by its address. `prove` holds an article
/// against sources; with `whole` a note that cannot be held against anything has a row, too.
pub fn rows(
    article: &ArticleResponse,
    sources: &[Source],
    pages: &[Source],
    whole: bool,
    prove: Prove<'_>,
) -> Vec<LedgerRow> {
    let body = &article.articleBody;
    let mut rows = Vec::new();
    for note in footnotes(body) {
        let Some(text) = body.get(note.text.clone()) else { continue };
        let cited: Vec<(&Source, Vec<Range<usize>>)> =
            sources.iter().chain(pages).filter_map(|source| Some((source, cited_at(text, &source.name)?))).collect();
        let (cited, empty): (Vec<_>, Vec<_>) = cited.into_iter().partition(|(source, _)| !source.text.is_empty());
        let is_read = |(page, _): &(&Source, _)| cited.iter().any(|(source, _)| source.name == page.name);
        if empty.iter().any(|page| !is_read(page)) {
            rows.push(unread(text, note.text.clone(), Some(ConcernType::UnsupportedFact)));
        } else if cited.is_empty() {
            rows.extend(whole.then(|| unread(text, note.text.clone(), None)));
        }
        if cited.is_empty() {
            continue;
        }
        let mut names: Vec<Range<usize>> = cited.iter().flat_map(|(_, places)| places.iter().cloned()).collect();
        names.extend(LOCATOR.find_iter(text).map(|found| found.range()));
        let own = alone(only(body, &within(&note.text, &names)));
        // A page of the same name only says more of the source.
        if let [(source, _), rest @ ..] = cited.as_slice()
            && rest.iter().all(|(other, _)| other.name == source.name)
            && sources.iter().any(|own| own.name == source.name)
        {
            rows.extend(places::rows(body, &note, source, &own, prove));
        }
        let cited: Vec<Source> = cited.into_iter().map(|(source, _)| source.clone()).collect();
        for row in prove(&own, &cited, whole).into_iter().filter(|row| row.field == BODY) {
            let text = body.get(row.start..row.end).unwrap_or_default().to_owned();
            rows.push(LedgerRow { text, ..row });
        }
    }
    rows
}

/// Puts one row in place of the findings on each note that cites one of these addresses. Of their pages only the record of an earlier check is
/// kept: what that lacks, the page may have.
pub fn remembered_only(ledger: &mut Ledger, article: &ArticleResponse, addresses: &[String]) {
    for note in footnotes(&article.articleBody) {
        let Some(text) = article.articleBody.get(note.text.clone()) else { continue };
        let is_of_it = |row: &LedgerRow| row.field == BODY && row.is_finding() && note.text.contains(&row.start);
        if addresses.iter().all(|address| cited_at(text, address).is_none()) || !ledger.rows.iter().any(is_of_it) {
            continue;
        }
        ledger.rows.retain(|row| !is_of_it(row));
        let row = unread(text, note.text.clone(), Some(ConcernType::UnsupportedFact));
        ledger.rows.push(LedgerRow { note: Some(NOT_OPENED.to_owned()), ..row });
    }
}

/// Whether a note cites a source of that name: a text by its title, or a page by its address.
#[must_use]
pub fn cites(note: &str, name: &str) -> bool {
    cited_at(note, name).is_some()
}

/// The places at which a note names a source; none if it does not.
fn cited_at(note: &str, name: &str) -> Option<Vec<Range<usize>>> {
    let (note, name) = (note.to_ascii_lowercase(), name.to_ascii_lowercase());
    let address =
        name.split_once("://").map(|(_, rest)| rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/'));
    let wanted = address.unwrap_or(name.trim());
    let whole = |start: usize| {
        let (head, tail) =
            (note.get(..start).unwrap_or_default(), note.get(start + wanted.len()..).unwrap_or_default());
        // `https://a.example/minutes-2` is another page than `https://a.example/minutes`.
        let tail = if address.is_some() { tail.trim_start_matches(|c| "/?&=-_.~%+".contains(c)) } else { tail };
        !head.ends_with(char::is_alphanumeric) && !tail.starts_with(char::is_alphanumeric)
    };
    let places: Vec<Range<usize>> = note
        .match_indices(wanted)
        .filter(|(start, _)| !wanted.is_empty() && whole(*start))
        .map(|(start, found)| match address {
            // A link goes with its scheme and all that follows.
            Some(_) => {
                let first = note.get(..start).and_then(|head| head.rfind(char::is_whitespace)).map_or(0, |at| at + 1);
                let rest = note.get(start..).unwrap_or_default();
                first..start + rest.find(char::is_whitespace).unwrap_or(rest.len())
            }
            None => start..start + found.len(),
        })
        .collect();
    if places.is_empty() { by_title(&note, &name) } else { Some(places) }
}

/// The place at which a note begins with the title of a file, or has it between commas; none if it does not.
fn by_title(note: &str, name: &str) -> Option<Vec<Range<usize>>> {
    let (title, note) = (title_of_file(name)?, note.replace(['_', '-'], " "));
    let mut rest = note.trim_start_matches(|c: char| !c.is_alphanumeric());
    for opening in OPENINGS {
        rest = rest.strip_prefix(opening).unwrap_or(rest);
    }
    let head = note.len() - rest.len();
    let parts = note.match_indices(", ").map(|(comma, found)| comma + found.len()).filter(|start| *start > head);
    let is_its = |start: &usize| {
        let behind = note.get(*start..).and_then(|rest| rest.strip_prefix(title.as_str()));
        behind.is_some_and(|behind| {
            let is_part = || behind.is_empty() || behind.starts_with([',', ':']);
            if *start == head { !behind.starts_with(char::is_alphanumeric) } else { is_part() }
        })
    };
    let start = std::iter::once(head).chain(parts).find(is_its)?;
    Some(vec![Range { start, end: start + title.len() }])
}

/// What is left of a note in its text without some stretches of it.
fn within(note: &Range<usize>, gone: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut gone: Vec<Range<usize>> =
        gone.iter().map(|range| note.start + range.start..note.start + range.end).collect();
    gone.sort_by_key(|range| range.start);
    let mut left = Vec::new();
    let mut at = note.start;
    for range in gone {
        if at < range.start {
            left.push(at..range.start);
        }
        at = at.max(range.end);
    }
    left.push(at..note.end.max(at));
    left
}

/// A note whose page is not at hand. It is a concern if the page could not be read, or counts no more.
fn unread(text: &str, range: Range<usize>, concern_type: Option<ConcernType>) -> LedgerRow {
    let blank = text.len() - text.trim_start().len();
    let span = range.start + blank..range.start + text.trim_end().len().max(blank);
    let (standing, note) =
        if concern_type.is_some() { (Standing::NotFound, NEVER_READ) } else { (Standing::Unchecked, NOT_KEPT) };
    let row = row_of(RULE, SpanKind::Sentence, standing, BODY, span, text.trim());
    LedgerRow { concern_type, note: Some(note.to_owned()), ..row }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gravity, ledger_beside, testing::texts};

    const MINUTES: &str = "Minutes of 6 October.\n\nThe council voted seven to two to spend $1.8 million on the park. It opens in December.";
    const PAGE: &str = "By Ann Lee\n\nThe pond leaks, \"and nobody will mend it this year,\" the engineer wrote. It holds 40 litres. The council voted to spend $2.8 million.";

    fn found(body: &str) -> Vec<String> {
        let (article, mut sources) = texts(body, MINUTES);
        sources[0].name = "Council minutes".into();
        let page = Source { name: "https://a.example/pond".into(), text: PAGE.into() };
        let ledger = ledger_beside(&article, &sources, &[page], None, Gravity::Concern).ledger;
        ledger.rows.into_iter().filter(LedgerRow::is_finding).map(|row| format!("{}: {}", row.rule, row.text)).collect()
    }

    #[test]
    fn a_note_is_held_against_what_it_cites() {
        let body = "The council voted to spend $1.8 million. It opens in December.[^1]\n\n## Footnotes\n\n[^1]: ";
        for fine in [
            "Council minutes, line 3.",
            "Council minutes, bytes 1555-2101",
            "Council minutes, page 3: \"seven to two\".",
            "Ann Lee, https://a.example/pond, opened on 28 November 2026: \"and nobody will mend it this year\".",
            "The pond holds 40 litres (https://www.a.example/pond/).",
            "https://a.example/pond (accessed 3 May 2026)",
            "Ann Lee, https://a.example/pond, para. 4. Last accessed 2026-05-03.",
            "Council minutes, p.3, item 12 and § 7",
            "See the council minutes, ch. 14.",
            "https://b.example/other, nobody kept it, 99 litres",
        ] {
            assert_eq!(found(&format!("{body}{fine}\n")), [""; 0], "{fine}");
        }
        for (wrong, said) in [
            ("The pond holds 45 litres (https://a.example/pond).", "45"),
            ("https://a.example/pond: \"nobody will ever mend it this year\".", "nobody will ever mend it this year"),
            ("Council minutes: \"nobody will mend it this year\".", "nobody will mend it this year"),
        ] {
            let found = found(&format!("{body}{wrong}\n"));
            assert!(found.len() == 1 && found[0].ends_with(said), "{wrong}: {found:?}");
        }
    }

    #[test]
    fn a_file_is_cited_by_its_title_at_the_head_of_a_note() {
        let title = |note: &str, name: &str| cited_at(note, name).map(|found| note[found[0].clone()].to_owned());
        for (note, name, found) in [
            (" Minutes, p. 3", "minutes.txt", Some("Minutes")),
            ("See Council Minutes, p. 3", "council-minutes.pdf", Some("Council Minutes")),
            ("“Council minutes”, p. 3", "papers/council_minutes.docx", Some("Council minutes")),
            ("Minutes.txt, line 3", "minutes.txt", Some("Minutes.txt")),
            ("Minuteswork, p. 3", "minutes.txt", None),
            ("Ann Lee’s minutes of 1912", "minutes.txt", None),
            ("See also Minutes, p. 3", "minutes.txt", Some("Minutes")),
            ("According to the Minutes, p. 3", "minutes.txt", Some("Minutes")),
            ("Town clerk, Minutes, p. 3", "minutes.txt", Some("Minutes")),
            ("Town clerk, Minutes of 1912, p. 3", "minutes.txt", None),
            ("Minutes, p. 3", "https://a.example/minutes.html", None),
            ("(http://www.a.example/minutes/).", "https://a.example/minutes", Some("(http://www.a.example/minutes/).")),
            ("https://a.example/minutes-2, p. 3", "https://a.example/minutes", None),
            ("https://a.example/minutes/2", "https://a.example/minutes/", None),
        ] {
            assert_eq!(title(note, name).as_deref(), found, "{note} {name}");
        }
    }

    #[test]
    fn a_page_that_was_never_read_supports_nothing() {
        let page = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
        let pages = [
            page("https://a.example/login", ""),
            page("https://a.example/pond", PAGE),
            page("https://a.example/pond", ""),
            page("The pond of Miller Park", PAGE),
        ];
        let found = |note: &str| {
            let (article, sources) =
                texts(&format!("It opens in December.[^1]\n\n## Footnotes\n\n[^1]: {note}\n"), MINUTES);
            let ledger = ledger_beside(&article, &sources, &pages, None, Gravity::Concern).ledger;
            ledger.rows.into_iter().filter(LedgerRow::is_finding).map(|row| (row.rule, row.text)).collect::<Vec<_>>()
        };
        let note = "The Times, https://a.example/login";
        assert_eq!(found(note), [(RULE.to_owned(), note.to_owned())]);
        let both = "https://a.example/pond. See also https://a.example/login";
        assert_eq!(found(both), [(RULE.to_owned(), both.to_owned())]);
        assert_eq!(found("https://a.example/pond: it holds 40 litres."), []);
        // A title serves as well as an address.
        assert_eq!(found("“The Pond of Miller Park”: it holds 40 litres."), []);
        let wrong = found("The pond of Miller Park: it holds 45 litres.");
        assert!(wrong.len() == 1 && wrong[0].1.contains("45"), "{wrong:?}");
    }

    #[test]
    fn what_the_record_of_an_earlier_check_lacks_is_one_concern() {
        let note = |said: &str| format!("It opens in December.[^1]\n\n[^1]: https://a.example/pond: {said}\n");
        let found = |said: &str| {
            let (article, sources) = texts(&note(said), MINUTES);
            let page = Source { name: "https://a.example/pond".into(), text: PAGE.into() };
            let mut ledger = ledger_beside(&article, &sources, &[page], None, Gravity::Concern).ledger;
            remembered_only(&mut ledger, &article, &["https://a.example/pond".into()]);
            ledger
                .rows
                .into_iter()
                .filter(LedgerRow::is_finding)
                .map(|row| row.note.unwrap_or_default())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("it holds 40 litres."), [""; 0]);
        assert_eq!(found("Institute of Coastal Studies, 3 May 2024, 45 litres."), [NOT_OPENED]);
    }

    #[test]
    fn marks_that_lead_nowhere_or_twice_to_a_note_or_stand_in_a_quotation_count_nothing() {
        let notes = "\n\n[^2]: Council minutes, line 3, as in [^1].\n[^1]: Council minutes, line 3.\n";
        for body in [
            "It opens in December.[^7]",
            "It opens in December.[^2] The council voted seven to two.[^1] The park opens in December.[^2]",
            "The minutes say: “The council voted seven to two[^1] to spend $1.8 million on the park.[^2]”",
        ] {
            assert_eq!(found(&format!("{body}{notes}")), [""; 0], "{body}");
        }
        let altered = "The minutes say: “The council voted seven to two[^1] to spend $2.8 million on the park.”";
        assert!(!found(&format!("{altered}{notes}")).is_empty());
    }

    #[test]
    fn the_body_is_proved_by_its_own_sources_and_its_marks_count_nothing() {
        for mark in ["December.[^1]", "December[^1].", "December[^12] of the year."] {
            let body = format!(
                "The council voted to spend $1.8 million. It opens in {mark}\n\n[^1]: Council minutes, line 3.\n"
            );
            assert_eq!(found(&body), [""; 0], "{mark}");
        }
        let body = "The council voted to spend $2.8 million on the park.[^1]\n\n[^1]: https://a.example/pond\n";
        assert_eq!(
            found(body),
            ["number.contradicted: $2.8 million"],
            "a page in a footnote carries nothing of the body"
        );
    }
}
