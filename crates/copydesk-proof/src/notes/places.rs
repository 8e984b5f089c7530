//! The page, line or paragraph of a source that a footnote names, held against the place of the quoted words.

use std::ops::Range;

use crate::{ledger::row_of, reading::cells::raw_lines};
use copydesk_newsroom::{ArticleResponse, ConcernType, LedgerRow, Source, SourceSpan, SpanKind, Standing};
use copydesk_text::{
    count,
    footnotes::{Footnote, marks, only},
    pattern::TextPattern,
    places::{line, page},
    sentences::sentences_around,
};

/// The field that has footnotes.
pub const BODY: &str = "articleBody";

/// Proves an article against sources. With `true` the rows that are in order come, too.
pub type Prove<'p> = &'p dyn Fn(&ArticleResponse, &[Source], bool) -> Vec<LedgerRow>;

/// An article of a body alone.
pub fn alone(body: String) -> ArticleResponse {
    ArticleResponse { articleBody: body, ..ArticleResponse::default() }
}

/// The mark of a row about a place where the source does not have the words.
pub const PLACE: &str = "footnote.place";

/// A place, or a list of places: `line 3`, `pp. 3-5`, `lines 1, 3 and 9`.
static NAMED: TextPattern = TextPattern::new(
    r"(?ix) (\blines? | \bll?\. | \bpara(?:graph)?s?\.? | ¶+ | \bpages? | \bpp?\.)
            \s* (\d{1,6} (?: \s* (?: ,\s*and\b | , | & | and\b | [-–—] | to\b ) \s* \d{1,6} )*)",
);

/// One number in such a list, or two with all between them, behind its comma.
static NUMBERS: TextPattern = TextPattern::new(r"(?i)(,(?:\s*and)?)?[^\d,]*?(\d{1,6})(?:\s*(?:[-–—]|to)\s*(\d{1,6}))?");

/// Endings of files whose text has other lines than the file.
const WITHOUT_LINES: [&str; 7] = [".pdf", ".docx", ".docm", ".epub", ".html", ".htm", ".xhtml"];

/// The unit in which a place in a source is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Line,
    Paragraph,
    Page,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Paragraph => "paragraph",
            Self::Page => "page",
        }
    }

    /// The number of the one that a byte of a text is in, from 1.
    fn of(self, text: &str, at: usize) -> usize {
        let before = text.get(..at).unwrap_or_default();
        match self {
            Self::Line => line(text, at),
            Self::Page => page(text, at).unwrap_or(1),
            Self::Paragraph => {
                let above = before.rsplit_once("\n\n").map_or("", |(above, _)| above);
                above.split("\n\n").filter(|part| !part.trim().is_empty()).count() + 1
            }
        }
    }
}

/// A place that a note names.
struct NamedPlace {
    /// Its bytes in the note.
    range: Range<usize>,
    first: usize,
    last: usize,
}

/// The places of one unit that a note names.
struct NamedPlaces {
    /// Their bytes in the note, from the first word for them on.
    range: Range<usize>,
    /// The word for one, as the note has it.
    word: String,
    unit: Unit,
    all: Vec<NamedPlace>,
    /// Whether they are one list.
    is_one_list: bool,
}

/// The rows about the places that a note names. Its source does not have the quoted words at any of them, or has no such place. The words are
/// those that the note quotes, else the last quotation before its mark. `own` is the note without its citation.
pub fn rows(body: &str, note: &Footnote, source: &Source, own: &ArticleResponse, prove: Prove<'_>) -> Vec<LedgerRow> {
    let text = body.get(note.text.clone()).unwrap_or_default();
    let places = named(text).filter(|places| match places.unit {
        Unit::Line => has_lines(&source.name),
        Unit::Paragraph => true,
        Unit::Page => page(&source.text, 0).is_some(),
    });
    let Some(NamedPlaces { range, word, unit, all, is_one_list }) = &places else { return Vec::new() };
    let words = if quotation(own, source, prove).is_some() {
        vec![own.clone()]
    } else {
        let marks = marks(body).into_iter().filter(|mark| mark.label == note.label);
        marks.filter_map(|mark| before(body, &mark.range, source, prove)).collect()
    };
    let row = |range: Range<usize>, said: String| {
        let span = note.text.start + range.start..note.text.start + range.end;
        let text = text.get(range).unwrap_or_default();
        let row = row_of(PLACE, SpanKind::Sentence, Standing::NotFound, BODY, span, text);
        LedgerRow { concern_type: Some(ConcernType::UnsupportedFact), note: Some(said), ..row }
    };
    if let Some(passage) = words.iter().find_map(|words| elsewhere(words, source, *unit, all, prove)) {
        let number = unit.of(&source.text, passage.start);
        let preposition = if *unit == Unit::Page { "on" } else { "in" };
        let said = format!("These words stand {preposition} {} {number}.", unit.name());
        let replacement = is_one_list.then(|| format!("{word} {number}"));
        return vec![LedgerRow { passage: Some(passage), replacement, ..row(range.clone(), said) }];
    }
    let [end, lines] = [*unit, Unit::Line].map(|unit| unit.of(&source.text, source.text.trim_end().len()));
    // Some people count each line as a paragraph.
    let is_missing = |place: &&NamedPlace| place.first > end && (*unit == Unit::Page || place.first > lines);
    let missing = all.iter().filter(is_missing);
    missing.map(|place| row(place.range.clone(), format!("{} has {}.", source.name, count(end, unit.name())))).collect()
}

fn has_lines(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !WITHOUT_LINES.iter().any(|ending| name.ends_with(ending))
}

/// The pages, lines or paragraphs that a note names; none if it names places of two units.
fn named(text: &str) -> Option<NamedPlaces> {
    let mut found: Option<NamedPlaces> = None;
    for list in NAMED.captures_iter(text) {
        let (word, numbers) = (list.get(1)?, list.get(2)?);
        let mut all: Vec<NamedPlace> = Vec::new();
        let is_plural = matches!(word.as_str().trim_end_matches('.').to_lowercase().as_str(), "ll" | "pp")
            || word.as_str().trim_end_matches('.').ends_with(['s', 'S']);
        for one in NUMBERS.captures_iter(numbers.as_str()) {
            let number = |group| one.get(group).and_then(|number| number.as_str().parse::<usize>().ok());
            let (whole, first) = (one.get(0)?, number(2)?);
            let end = numbers.start() + whole.end();
            let start = if all.is_empty() { word.start() } else { numbers.start() + one.get(2)?.start() };
            // "line 3, 6 October", "line 3, 2026", "line 3 and 99 members": no places.
            let behind = text.get(end..).unwrap_or_default();
            let goes_on = behind.trim_start().starts_with(char::is_alphabetic)
                || behind.strip_prefix(['.', '/']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let is_other = first > 999 || whole.end() == numbers.len() && goes_on;
            let is_alone = !is_plural || one.get(1).is_some_and(|comma| comma.as_str() == ",");
            if !all.is_empty() && is_other && is_alone {
                break;
            }
            all.push(NamedPlace { range: start..end, first, last: number(3).unwrap_or(first).max(first) });
        }
        let unit = match word.as_str().to_lowercase() {
            word if word.starts_with('l') => Unit::Line,
            word if word.starts_with("pag") || matches!(&*word, "p." | "pp.") => Unit::Page,
            _ => Unit::Paragraph,
        };
        let range = word.start()..all.last()?.range.end;
        match &mut found {
            None => {
                let one = word.as_str().strip_suffix('s').unwrap_or(word.as_str()).to_owned();
                found = Some(NamedPlaces { range, word: one, unit, all, is_one_list: true });
            }
            Some(found) if found.unit == unit => {
                found.all.extend(all);
                found.is_one_list = false;
            }
            Some(_) => return None,
        }
    }
    found
}

/// The body without all but the last quotation before a mark, if it reaches into the sentence of the mark and the source has it.
fn before(body: &str, mark: &Range<usize>, source: &Source, prove: Prove<'_>) -> Option<ArticleResponse> {
    let head = body.get(..mark.start)?;
    let start = head.rfind("\n\n").map_or(0, |at| at + 2);
    let end = body.get(mark.end..)?.find("\n\n").map_or(body.len(), |at| mark.end + at);
    let sentence = sentences_around(body, &(mark.start.saturating_sub(1)..mark.start));
    let rows = prove(&alone(only(body, std::slice::from_ref(&(start..end)))), std::slice::from_ref(source), true);
    let reaches = |row: &LedgerRow| row.start < mark.start && row.end > sentence.start;
    let last =
        rows.into_iter().filter(|row| row.kind == SpanKind::Quotation && reaches(row)).max_by_key(|row| row.start)?;
    // With its marks, which stand beside it.
    let start = body.floor_char_boundary(last.start.saturating_sub(3));
    let end = body.ceil_char_boundary(last.end.saturating_add(3)).min(body.len());
    Some(alone(only(body, std::slice::from_ref(&(start..end)))))
}

/// The place in a source of the first quotation of an article that it has.
fn quotation(own: &ArticleResponse, source: &Source, prove: Prove<'_>) -> Option<SourceSpan> {
    let rows = prove(own, std::slice::from_ref(source), true).into_iter();
    rows.filter(|row| row.kind == SpanKind::Quotation && row.concern_type.is_none()).find_map(|row| row.passage)
}

/// The place in a source of a quotation that does not stand where the note says.
fn elsewhere(
    own: &ArticleResponse,
    source: &Source,
    unit: Unit,
    named: &[NamedPlace],
    prove: Prove<'_>,
) -> Option<SourceSpan> {
    let passage = quotation(own, source, prove)?;
    let touches = |unit: Unit| {
        let at = |byte| unit.of(&source.text, byte);
        let (start, end) = (at(passage.start), at(passage.end.saturating_sub(1).max(passage.start)));
        named.iter().any(|place| start <= place.last && place.first <= end)
    };
    // The words may stand in several places, and in one that is named.
    if touches(unit) || unit == Unit::Paragraph && touches(Unit::Line) {
        return None;
    }
    let is_named = |at: usize| {
        let number = unit.of(&source.text, at);
        named.iter().any(|place| (place.first..=place.last).contains(&number))
    };
    let named = raw_lines(&source.text).filter(|(at, _)| is_named(*at)).map(|(at, row)| at..at + row.len());
    let named: Vec<Range<usize>> = named.collect();
    let there = Source { name: source.name.clone(), text: only(&source.text, &named) };
    quotation(own, &there, prove).is_none().then_some(passage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gravity, ledger, testing::texts};

    const MINUTES: &str = "Minutes of 6 October.\n\nThe council voted seven to two to spend $1.8 million\non the park. It opens in December.\n\n\
                           \"We will mend the pond,\" Mayor Dana Voss said.\n\"Nobody has touched it for ten years.\"\n\nThey ate. \"We will mend the pond,\" she repeated.\n";

    fn found(draft: &str, name: &str) -> Vec<(String, String, Option<String>)> {
        found_in(MINUTES, draft, name)
    }

    fn found_in(source: &str, draft: &str, name: &str) -> Vec<(String, String, Option<String>)> {
        let (article, mut sources) = texts(draft, source);
        sources[0].name = name.into();
        let rows = ledger(&article, &sources, Gravity::Concern).rows.into_iter().filter(LedgerRow::is_finding);
        rows.map(|row| (row.text, row.note.unwrap_or_default(), row.replacement)).collect()
    }

    #[test]
    fn a_note_says_where_its_words_stand_or_the_place_is_a_finding() {
        let draft =
            |mark: &str, note: &str| format!("The mayor said: {mark} It opens in December.\n\n## Notes\n\n{note}\n");
        let (body, years) = ("“We will mend the pond.”[^1]", "“Nobody has touched it for ten years.”");
        for (mark, note) in [
            (body, "[^1]: minutes.txt, line 6"),
            (body, "[^1]: Minutes, line 9."),
            (body, "[^1]: Minutes, ll. 3-7"),
            (body, "[^1]: Minutes, para. 3"),
            (body, "[^1]: Minutes, paragraph 6"),
            (body, "[^1]: Minutes, p. 40"),
            ("“We will[^1] mend the pond.”", "[^1]: See Minutes, line 6."),
            ("“We will mend the pond.”[1]", "1. Minutes, line 6"),
            ("“We will mend the pond,” the mayor said.[^1]", &format!("[^1]: Minutes, line 7: {years}")),
            (
                "“We will mend the pond.”[^2] The council voted seven to two.[^1]",
                "[^1]: Minutes, line 3\n[^2]: Minutes, line 6",
            ),
            ("The council voted.[^1]", "[^1]: Minutes, line 9"),
            (body, "[^1]: https://a.example/minutes, line 40"),
            (body, "[^1]: Minutes, lines 3 and 6"),
            ("The council voted.[^1]", "[^1]: Minutes, lines 1, 3 and 9, 40 copies"),
            ("The council voted.[^1]", "[^1]: Minutes, line 3, 40.5 acres"),
            ("The council voted.[^1]", "[^1]: Minutes, line 3 and 10 other papers"),
        ] {
            assert_eq!(found(&draft(mark, note), "minutes.txt"), [], "{mark} {note}");
        }
        let six = "These words stand in line 6.";
        for (mark, note, text, said, put) in [
            (body, "[^1]: Minutes, line 3", "line 3", six, Some("line 6")),
            (body, "[^1]: Minutes, lines 40–41.", "lines 40–41", six, Some("line 6")),
            (body, "[^1]: Minutes, para. 2", "para. 2", "These words stand in paragraph 3.", Some("para. 3")),
            ("“We will[2] mend the pond.”", "2) Minutes, line 3", "line 3", six, Some("line 6")),
            (
                "The mayor spoke.[^1]",
                &format!("[^1]: Minutes, line 3: {years}"),
                "line 3",
                "These words stand in line 7.",
                Some("line 7"),
            ),
            ("The council voted.[^1]", "[^1]: Minutes, line 40", "line 40", "minutes.txt has 9 lines.", None),
            ("The council voted.[^1]", "[^1]: Minutes, ¶ 40", "¶ 40", "minutes.txt has 4 paragraphs.", None),
            // Each place of a list is held against the source.
            ("The council voted.[^1]", "[^1]: Minutes, lines 1 and 99", "99", "minutes.txt has 9 lines.", None),
            ("The council voted.[^1]", "[^1]: Minutes, lines 99, 3", "lines 99", "minutes.txt has 9 lines.", None),
            (body, "[^1]: Minutes, line 6 and line 99", "line 99", "minutes.txt has 9 lines.", None),
            (body, "[^1]: Minutes, ll. 1-2, 3 and 4", "ll. 1-2, 3 and 4", six, Some("ll. 6")),
        ] {
            let put = put.map(str::to_owned);
            assert_eq!(
                found(&draft(mark, note), "minutes.txt"),
                [(text.to_owned(), said.to_owned(), put)],
                "{mark} {note}"
            );
        }
        assert_eq!(found(&draft(body, "[^1]: Minutes, line 40"), "minutes.pdf"), [], "a PDF has no lines of its own");
    }

    #[test]
    fn a_page_is_held_against_a_document_that_has_pages() {
        use copydesk_text::places::PAGE_END;

        let minutes = MINUTES
            .replacen("\n\n\"We", &format!("{PAGE_END}\n\n\"We"), 1)
            .replace("They ate", &format!("{PAGE_END}They ate"));
        let told = |place: &str| {
            let draft = format!(
                "The council met.[^1]\n\n## Footnotes\n\n[^1]: Minutes, {place}: “Nobody has touched it for ten years.”"
            );
            found_in(&minutes, &draft, "Minutes").into_iter().next()
        };
        for right in ["page 2", "p. 2", "pages 1-2", "pp. 2–3"] {
            assert_eq!(told(right), None, "{right}");
        }
        let wrong = told("page 3").expect("a finding");
        assert_eq!((&*wrong.1, wrong.2.as_deref()), ("These words stand on page 2.", Some("page 2")));
        assert_eq!(told("page 9").expect("a finding").1, "These words stand on page 2.");
        let none = found_in(&minutes, "The council met.[^1]\n\n## Footnotes\n\n[^1]: Minutes, page 9", "Minutes");
        assert_eq!(none[0].1, "Minutes has 3 pages.");
    }
}
