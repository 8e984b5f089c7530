//! The sources of an article for its readers: numbered, with title, publisher, day and address, as notes or as links in the text.

use std::ops::Range;

use crate::editorial::citations;
use copydesk_newsroom::{
    ArticleResponse, CitationStyle, Claim, FoundSource, Journal, Ledger, LedgerRow, OpenedPage, Outcome, Stance,
    Witness,
};
use copydesk_proof as proof;
use copydesk_text::{
    footnotes::{body_only, footnotes, is_heading, marks},
    sanitise::one_line,
    sentences::sentences,
};

/// The label of a note about a source begins so: no writer's note does.
const LABEL: &str = "source-";

/// A source as a reader is told of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReaderSource {
    /// Its name in the journal.
    pub name: String,
    pub title: String,
    /// Its address on the web, if it has one.
    pub address: Option<String>,
    pub publisher: Option<String>,
    pub byline: Option<String>,
    /// The day of its publication, as the source or the topic states it.
    pub published: Option<String>,
    /// The day on which it was read, ISO 8601, if the program opened it.
    pub opened: Option<String>,
}

impl ReaderSource {
    /// Whether a note of the writer's cites it, by its name, its address or its title.
    fn is_cited_in(&self, note: &str) -> bool {
        let names = [Some(self.name.as_str()), self.address.as_deref(), Some(citations::distinct(&self.title))];
        names.into_iter().flatten().any(|name| proof::cites(note, name))
    }

    /// All of it in a line: `Minutes of 6 October. City of Springfield, 2026-10-06. https://a.example (opened 2026-11-28)`.
    pub fn line(&self) -> String {
        let origin: Vec<&str> =
            [&self.byline, &self.publisher, &self.published].into_iter().flatten().map(String::as_str).collect();
        let mut line = self.title.trim_end_matches('.').to_owned();
        if !origin.is_empty() {
            line = format!("{line}. {}", origin.join(", "));
        }
        match (&self.address, &self.opened) {
            (Some(address), Some(day)) => format!("{line}. {address} (opened {day})"),
            (Some(address), None) => format!("{line}. {address}"),
            (None, _) => line,
        }
    }
}

impl From<&FoundSource> for ReaderSource {
    fn from(found: &FoundSource) -> Self {
        let FoundSource { title, address, publisher, byline, published, read_at, .. } = found;
        let is_page = address.starts_with("https://") || address.starts_with("http://");
        Self {
            name: address.clone(),
            title: one_line(title),
            address: is_page.then(|| address.clone()),
            publisher: publisher.as_deref().map(one_line),
            byline: byline.as_deref().map(one_line),
            published: published.clone(),
            opened: is_page.then(|| read_at.get(..10).unwrap_or_default().to_owned()),
        }
    }
}

impl From<&OpenedPage> for ReaderSource {
    fn from(opened: &OpenedPage) -> Self {
        let OpenedPage { title, address, of_itself, opened_at, .. } = opened;
        let of_itself: Vec<String> = of_itself.iter().map(|told| one_line(told)).collect();
        Self {
            name: address.clone(),
            title: one_line(title),
            address: Some(address.clone()),
            publisher: (!of_itself.is_empty()).then(|| of_itself.join(", ")),
            opened: Some(opened_at.get(..10).unwrap_or_default().to_owned()),
            ..Self::default()
        }
    }
}

/// The sources that a story rests on, in their order; none that an editor removed or distrusts.
pub fn reader_sources(journal: &Journal) -> Vec<ReaderSource> {
    let metadata = &journal.opening.topic.source_metadata;
    let described = |(name, _): (&str, &str)| match journal.found_source(name) {
        Some(found) => ReaderSource { name: name.to_owned(), ..ReaderSource::from(found.source) },
        None => ReaderSource {
            name: name.to_owned(),
            title: one_line(name),
            published: metadata.publish_date.clone().filter(|_| *name == metadata.video_title),
            ..ReaderSource::default()
        },
    };
    journal.texts().filter(|(_, text)| !text.is_empty()).map(described).collect()
}

/// The pages that were opened for the story, under each name that a verdict may cite them by.
fn opened_pages(journal: &Journal) -> Vec<ReaderSource> {
    let mut pages = reader_sources(journal);
    for entry in journal.entries() {
        match &entry.outcome {
            Outcome::Tool(result) => pages.extend(result.found.iter().map(ReaderSource::from)),
            Outcome::Opened(opened) => pages.extend(opened.iter().filter_map(|cited| {
                // A page that redirects is cited by the address that led to it.
                Some(ReaderSource { name: cited.citation.clone(), ..ReaderSource::from(cited.page()?) })
            })),
            _ => {}
        }
    }
    pages.retain(|page| page.address.is_some() && !journal.is_no_witness(&page.name));
    pages
}

/// A text of JSON in which each page that was opened, and each passage of one, is cited as in a list of sources: with title, address and day.
pub fn with_pages(journal: &Journal, json: &str) -> String {
    let pages = opened_pages(journal);
    let written = |text: &str| serde_json::Value::from(text).to_string();
    let (mut out, mut at) = (String::new(), 0);
    for found in citations::BYTES.find_iter(json) {
        let head = json.get(at..found.start()).unwrap_or_default();
        let named = pages.iter().filter(|page| head.ends_with(&page.name)).max_by_key(|page| page.name.len());
        if let Some(page) = named {
            out.extend([head.strip_suffix(&page.name).unwrap_or(head), written(&page.line()).trim_matches('"')]);
            at = found.end();
        }
    }
    out += json.get(at..).unwrap_or_default();
    pages.iter().fold(out, |out, page| out.replace(&written(&page.name), &written(&page.line())))
}

/// The draft of a round with its sources told in that style. A sentence cites the sources of the passages that support it, without those that
/// its own footnotes cite. In a row of sentences from the same sources the last one does. A page that a note of the writer's cites is cited by
/// that note.
pub fn with_sources(journal: &Journal, round: u32, style: CitationStyle) -> Option<ArticleResponse> {
    let article = &journal.draft(round)?.article;
    let ledger = proof::ledger_of(journal, round, citations::pages).filter(|_| style != CitationStyle::None)?;
    let sources = reader_sources(journal);
    let body = &article.articleBody;
    let supporting = |sentence: &Range<usize>| -> Vec<usize> {
        let names = supporting(journal, round, &ledger, sentence);
        let mut cited: Vec<usize> =
            names.iter().filter_map(|name| sources.iter().position(|source| source.name == *name)).collect();
        cited.sort_unstable();
        cited.dedup();
        cited
    };
    let notes = footnotes(body);
    let marks = marks(body);
    let said = sentences(&body_only(body));
    let own_notes = |at: usize, sentence: &Range<usize>| {
        let next = said.get(at + 1).map_or(body.len(), |next| next.start);
        let own = marks.iter().filter(move |mark| (sentence.start..next).contains(&mark.range.start));
        let own = own.filter_map(|mark| notes.iter().find(|note| note.label == mark.label));
        own.filter_map(|note| body.get(note.text.clone())).collect::<Vec<&str>>()
    };
    let cited: Vec<(&Range<usize>, Vec<usize>)> =
        said.iter().map(|sentence| (sentence, supporting(sentence))).collect();
    let mut places: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, (sentence, of_it)) in cited.iter().enumerate() {
        let goes_on = cited.get(at + 1).is_some_and(|(next, of_next)| {
            of_next == of_it && body.get(sentence.end..next.start).is_some_and(|between| !between.contains("\n\n"))
        });
        let (own, mut of_it) = (own_notes(at, sentence), of_it.clone());
        of_it.retain(|at| !sources.get(*at).is_some_and(|source| own.iter().any(|note| source.is_cited_in(note))));
        if !of_it.is_empty() && !goes_on {
            places.push((sentence.end, of_it));
        }
    }
    // A note on another text may name a line, which is that of one sentence alone.
    let own_mark = |at: usize| {
        let page = sources.get(at).filter(|source| source.address.is_some())?;
        // A note within the text has no mark that can stand a second time.
        let mut listed = notes.iter().filter(|note| !note.label.starts_with('^'));
        let note = listed.find(|note| body.get(note.text.clone()).is_some_and(|note| page.is_cited_in(note)))?;
        let raised = if body.contains(&format!("[^{}]:", note.label)) { "^" } else { "" };
        Some(format!("[{raised}{}]", note.label))
    };
    let mut order: Vec<usize> = Vec::new();
    for source in places.iter().flat_map(|(_, sources)| sources) {
        if !order.contains(source) && own_mark(*source).is_none() {
            order.push(*source);
        }
    }
    let number = |source: &usize| order.iter().position(|known| known == source).map_or(0, |at| at + 1);
    let mut text = body.clone();
    for (end, of_it) in places.iter().rev() {
        let mark = |at: &usize| own_mark(*at).unwrap_or_else(|| mark(style, number(at), sources.get(*at)));
        let marks: String = of_it.iter().map(mark).collect();
        // A heading and a row of a table have no end of a sentence.
        let line = body.get(..*end).and_then(|head| head.rsplit('\n').next()).unwrap_or_default();
        if !line.starts_with(['#', '|']) {
            text.insert_str(*end, &marks);
        }
    }
    let lines: Vec<String> = (1..)
        .zip(order.iter().filter_map(|source| sources.get(*source)))
        .map(|(number, source): (usize, _)| match style {
            CitationStyle::Notes => format!("[^{LABEL}{number}]: {}\n", linked(source)),
            _ => format!("{number}. {}\n", linked(source)),
        })
        .collect();
    if !lines.is_empty() {
        text.truncate(text.trim_end().len());
        let is_own = |line: &&str| line.starts_with('#') && is_heading(line);
        let own_heading = text.lines().rfind(is_own).and_then(|line| text.rfind(line));
        let (heading, at) = match (style, own_heading) {
            (CitationStyle::Notes, Some(_)) => ("\n\n", text.len()),
            (CitationStyle::Notes, None) => ("\n\n## Footnotes\n\n", text.len()),
            // The writer's own notes stay below their heading.
            (_, own) => ("\n\n## Sources\n\n", own.unwrap_or(text.len())),
        };
        let notes = text.split_off(at);
        text.truncate(text.trim_end().len());
        text.extend([heading, &lines.concat()]);
        text.extend((!notes.is_empty()).then(|| format!("\n{notes}\n")));
    }
    Some(ArticleResponse { articleBody: text, ..article.clone() })
}

/// The names of the sources that support a sentence of a round's draft. Its verified claim names them, and so do the words that the proof
/// bound to one passage. None if the proof or the check of its claim speaks against it.
fn supporting<'j>(journal: &'j Journal, round: u32, ledger: &'j Ledger, sentence: &Range<usize>) -> Vec<&'j str> {
    let touches = |start: usize, end: usize| start < sentence.end && sentence.start < end;
    let rows = || ledger.rows.iter().filter(|row| row.field == "articleBody" && touches(row.start, row.end));
    let claims = journal.claims(round).map(|claims| claims.claims.as_slice()).unwrap_or_default();
    let claim = claims.iter().find(|claim| touches(claim.start, claim.end));
    let verified = claim.filter(|claim| claim.verified);
    if verified.is_none() && (rows().any(LedgerRow::is_finding) || claim.is_some_and(Claim::is_disputed)) {
        return Vec::new();
    }
    let mut names: Vec<&str> = rows()
        .filter(|row| proof::says_it(row, sentence))
        .filter_map(|row| row.passage.as_ref())
        .map(|span| &*span.source)
        .collect();
    // A reader is told of a weak page, too: a mark says where a sentence comes from.
    names.extend(claim.iter().flat_map(|claim| &claim.weak_pages).map(String::as_str));
    if let Some(claim) = verified {
        let contradicts = |witness: &&Witness| witness.stance == Stance::Contradicts;
        names.retain(|name| !claim.witnesses.iter().filter(contradicts).any(|witness| witness.passage.file == *name));
        names.extend(claim.passage.iter().map(|passage| &*passage.file));
        names.extend(
            claim.witnesses.iter().filter(|witness| !contradicts(witness)).map(|witness| &*witness.passage.file),
        );
    }
    names
}

fn mark(style: CitationStyle, number: usize, source: Option<&ReaderSource>) -> String {
    match (style, source.and_then(|source| source.address.as_deref())) {
        (CitationStyle::Notes, _) => format!("[^{LABEL}{number}]"),
        (_, Some(address)) => format!(" [\\[{number}\\]](<{}>)", address.replace(['<', '>'], "")),
        (_, None) => format!(" \\[{number}\\]"),
    }
}

/// Text that Markdown reads as the words that it is: no mark in it means anything (backslash escapes of `CommonMark`).
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation()
            && !matches!(c, '.' | ',' | ';' | ':' | '?' | '\'' | '"' | '(' | ')' | '/' | '%' | '-')
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The line of a source as Markdown, its address a link.
fn linked(source: &ReaderSource) -> String {
    let bare = ReaderSource { address: None, ..source.clone() }.line();
    let opened = source.opened.as_ref().map_or_else(String::new, |day| format!(" (opened {day})"));
    match &source.address {
        Some(address) => format!("{}. <{}>{opened}", plain(&bare), address.replace(['<', '>', ' '], "")),
        None => plain(&bare),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::editorial::{
        dossier::dossier,
        export::html,
        testing::research::{MINUTES, assigned, first_pass},
        testing::{add, claim},
    };
    use copydesk_newsroom::{Claims, Draft, Outcome, Source, Step, testing::article};

    /// A story that rests on a page and a letter, with its draft.
    pub(in crate::editorial::export) fn researched() -> Journal {
        let mut journal = assigned();
        journal.opening.more_sources =
            vec![Source { name: "letter.txt".into(), text: "A neighbour, Ann Lee, swam there for 61 years.".into() }];
        first_pass(&mut journal);
        let made = dossier(&journal).unwrap();
        add(&mut journal, Step::Dossier, Outcome::Dossier(made));
        assert_eq!(journal.texts().next(), Some(("https://a.example", MINUTES)));
        let body = "The council voted seven to two on Tuesday to close the pool. It cost $400,000 a year.\n\nAnn Lee swam there for 61 years.\n";
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        journal
    }

    fn told(style: CitationStyle) -> String {
        with_sources(&researched(), 1, style).map(|article| article.articleBody).unwrap_or_default()
    }

    #[test]
    fn sources_are_numbered_in_the_order_in_which_the_text_uses_them() {
        assert_eq!(told(CitationStyle::None), "");
        assert_eq!(
            told(CitationStyle::Inline),
            "The council voted seven to two on Tuesday to close the pool. It cost $400,000 a year. [\\[1\\]](<https://a.example>)\n\n\
             Ann Lee swam there for 61 years. \\[2\\]\n\n## Sources\n\n1. Title of https://a.example. <https://a.example> (opened 2026-10-06)\n\
             2. letter.txt\n"
        );
        let notes = told(CitationStyle::Notes);
        assert!(notes.contains("a year.[^source-1]\n\nAnn Lee swam there for 61 years.[^source-2]\n\n## Footnotes\n\n[^source-1]: Title of"), "{notes}");
        let page = html::body(&notes);
        assert!(page.contains("href=\"https://a.example\"") && !page.contains("[^"), "{page}");
    }

    #[test]
    fn the_writers_own_footnotes_keep_their_heading_and_no_sentence_cites_a_page_twice() {
        let mut journal = researched();
        let body = "The council voted seven to two on Tuesday to close the pool.[^1]\n\nAnn Lee swam there for 61 years.\n\n\
                    It cost $400,000 a year.\n\n### Notes\n\n[^1]: Minutes, https://a.example/\n";
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let told = |style| with_sources(&journal, 1, style).unwrap().articleBody;
        let said =
            "The council voted seven to two on Tuesday to close the pool.[^1]\n\nAnn Lee swam there for 61 years.";
        let own = "### Notes\n\n[^1]: Minutes, https://a.example/\n";
        // Another sentence from the page leads to the same note.
        let more = "It cost $400,000 a year.[^1]";
        assert_eq!(
            told(CitationStyle::Inline),
            format!("{said} \\[1\\]\n\n{more}\n\n## Sources\n\n1. letter.txt\n\n{own}")
        );
        let notes = told(CitationStyle::Notes);
        assert_eq!(notes, format!("{said}[^source-1]\n\n{more}\n\n{own}\n[^source-1]: letter.txt\n"));
        // So does one that comes before, and a page may be named by its title.
        let body = "It cost $400,000 a year.\n\nThe council voted seven to two on Tuesday to close the pool.[1]\n\n## Notes\n\n\
                    1. Title of https://a.example, 6 October 2026\n";
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let notes = with_sources(&journal, 1, CitationStyle::Notes).unwrap().articleBody;
        assert_eq!(notes, body.replace("a year.", "a year.[1]"));
    }

    #[test]
    fn only_a_sentence_that_its_passage_supports_has_a_mark() {
        let mut journal = researched();
        let body = "The council voted seven to two on Tuesday to close the park. It cost $600,000 a year.\n\n\
                    Ann Lee swam in the council for 400,000 years.\n\nThe council voted seven to two on Tuesday to close the pool.\n";
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let marked = |journal: &Journal| {
            let text = with_sources(journal, 1, CitationStyle::Inline).unwrap().articleBody;
            text.split("\n\n## Sources")
                .next()
                .unwrap_or_default()
                .lines()
                .filter(|line| line.contains("\\["))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let last = "The council voted seven to two on Tuesday to close the pool.";
        assert_eq!(marked(&journal), [format!("{last} [\\[1\\]](<https://a.example>)")]);
        // A claim that a weak page alone supports names it all the same.
        let start = body.rfind(last).unwrap();
        let weak = vec!["https://a.example".to_owned()];
        let rests_on_it = Claim { start, end: start + last.len(), weak_pages: weak, ..claim(last, false) };
        let claims = Claims { claims: vec![rests_on_it], words_only: None };
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(claims));
        assert_eq!(marked(&journal), [format!("{last} [\\[1\\]](<https://a.example>)")]);
        // One that a page contradicts has no mark.
        let against = vec!["It says otherwise.".to_owned()];
        let disputed = Claim { start, end: start + last.len(), findings: against, ..claim(last, false) };
        let claims = Claims { claims: vec![disputed], words_only: None };
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(claims));
        assert_eq!(marked(&journal), [""; 0]);
    }

    #[test]
    fn the_writer_gets_a_page_with_its_title_and_its_day_and_another_source_as_it_is() {
        let told = with_pages(
            &researched(),
            r#"["https://a.example, bytes 9-40", "https://a.example", "letter.txt, bytes 0-5", "See https://a.example"]"#,
        );
        let page = "Title of https://a.example. https://a.example (opened 2026-10-06)";
        assert_eq!(told, format!(r#"["{page}", "{page}", "letter.txt, bytes 0-5", "See https://a.example"]"#));
    }

    #[test]
    fn a_line_names_what_is_known() {
        let source = ReaderSource {
            title: "Minutes.".into(),
            publisher: Some("City of Springfield".into()),
            published: Some("2026-10-06".into()),
            address: Some("https://a.example".into()),
            opened: Some("2026-11-28".into()),
            ..ReaderSource::default()
        };
        assert_eq!(source.line(), "Minutes. City of Springfield, 2026-10-06. https://a.example (opened 2026-11-28)");
        assert_eq!(ReaderSource { title: "Notes".into(), ..ReaderSource::default() }.line(), "Notes");
    }
}
