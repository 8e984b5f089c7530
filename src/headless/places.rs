//! The place of a span, in words for a reader with the file open: the line of the text as it was read, and the time in a recording.

use std::{collections::HashMap, ops::Range};

use crate::{
    documents::DocumentKind,
    editorial::drafts,
    newsroom::{ArticleResponse, LedgerRow, Source, SourceSpan, SpanKind, UnsureBySource, UnsureWords, field_in_words},
    text::{
        in_marks,
        places::place,
        sanitise::{self, CleanedText},
    },
};

/// The texts that spans are counted in.
#[derive(Debug)]
pub struct LineNumbers<'t> {
    draft: Lines<'t>,
    /// What the draft's file is.
    kind: DocumentKind,
    /// The draft without what cannot be seen, as the article has its text.
    cleaned: CleanedText<'t>,
    /// By the field's contract name: its text, and where its blocks stand in the draft.
    fields: HashMap<&'static str, Field<'t>>,
    /// By the source's name.
    sources: HashMap<&'t str, Lines<'t>>,
    /// The words that a recogniser was unsure of, by the source's name.
    unsure: Option<&'t UnsureBySource>,
}

impl<'t> LineNumbers<'t> {
    /// `draft` is the draft's text as it was read. A field that the draft does not hold word for word has only its own lines. So has JSON,
    /// in which a text is one line.
    pub fn new(draft: &'t str, article: &'t ArticleResponse, sources: &'t [Source]) -> Self {
        let cleaned = CleanedText::of(if draft.trim_start().starts_with('{') { "" } else { draft });
        let whole = cleaned.text();
        let above = drafts::front_matter(whole).map_or(0, |(_, below)| whole.len() - below.len());
        let headline = whole.get(above..).and_then(|below| below.find(&article.headline));
        // Fields above the body are looked for from the draft's beginning, the body behind the headline.
        let head = headline.map_or(above, |at| above + at + article.headline.len());
        let field = |(name, text): (&'static str, &'t str)| {
            let from = if name == "articleBody" { head } else { above };
            (!text.is_empty()).then(|| (name, Field { lines: Lines::of(text), blocks: blocks(whole, from, text) }))
        };
        let fields = article.fields().into_iter().filter_map(field).collect();
        Self {
            draft: Lines::of(draft),
            kind: DocumentKind::Text,
            cleaned,
            fields,
            sources: sources.iter().map(|source| (source.name.as_str(), Lines::of(&source.text))).collect(),
            unsure: None,
        }
    }

    /// The same for a draft whose file is of a kind. A Word document has paragraphs where a text has lines.
    #[must_use]
    pub fn of_a(self, kind: DocumentKind) -> Self {
        Self { kind, ..self }
    }

    /// The same, with the words of the sources that a recogniser was unsure of, by the source's name.
    #[must_use]
    pub fn with_unsure(self, unsure: &'t UnsureBySource) -> Self {
        Self { unsure: Some(unsure), ..self }
    }

    /// Where to listen, if a passage rests on words that a recogniser was unsure of: `listen: 00:00:10 (“fairy dog”)`.
    pub fn listen(&self, span: &SourceSpan) -> Option<String> {
        listen(self.unsure?, &span.source, span.start, &span.text)
    }

    /// The same for a statement in order whose own words may have been heard wrongly. Whole sentences are left out: their quotations,
    /// figures and names have rows.
    pub fn to_be_heard(&self, row: &LedgerRow) -> Option<String> {
        let own = row.passage.as_ref().filter(|_| !row.is_finding() && row.kind != SpanKind::Sentence);
        own.and_then(|passage| self.listen(passage))
    }

    /// `body, line 12`; of a draft that is one text, `line 12`; of a Word document `body, paragraph 7`.
    pub(super) fn in_draft(&self, field: &str, start: usize) -> String {
        let named = field_in_words(field);
        let Some(known) = self.fields.get(field) else { return named.to_owned() };
        let block = known.blocks.iter().rev().find(|block| block.in_field <= start);
        let (lines, at) = match block {
            Some(Block { in_field, in_draft: Some(at) }) => (&self.draft, self.cleaned.before(at + (start - in_field))),
            _ => (&known.lines, start),
        };
        let place = self.kind.place(lines.text, at, lines.line(at));
        if self.fields.len() == 1 { place } else { format!("{named}, {place}") }
    }

    /// The bytes of the draft in which a stretch of a field stands; none if the draft does not have it in these words.
    pub fn bytes_in_draft(&self, field: &str, span: &Range<usize>) -> Option<Range<usize>> {
        let blocks = &self.fields.get(field)?.blocks;
        let place = |at: usize| {
            let block = blocks.iter().rev().find(|block| block.in_field <= at)?;
            Some(self.cleaned.before(block.in_draft? + (at - block.in_field)))
        };
        let start = place(span.start)?;
        let end = if span.is_empty() { start } else { place(span.end - 1)? + 1 };
        Some(start..end)
    }

    /// `notes.txt, line 3`; of a recording `talk.vtt, 00:01:02`, of a document with pages `report.pdf, page 3`, of one without
    /// `plan.docx, paragraph 3`.
    pub fn in_source(&self, span: &SourceSpan) -> String {
        let name = sanitise::one_line(&span.source);
        let Some(source) = self.sources.get(span.source.as_str()) else { return name };
        let line = || in_file(&name, source.text, span.start, source.line(span.start));
        format!("{name}, {}", place(source.text, &(span.start..span.end), line))
    }
}

/// The place of a byte in a source without pages and times. `line` is its line, from 1.
pub fn in_file(name: &str, text: &str, at: usize, line: usize) -> String {
    DocumentKind::by_name(name).unwrap_or(DocumentKind::Text).place(text, at, line)
}

/// Most characters of unsure words: a whole segment can be unsure.
const LONGEST: usize = 100;

/// Where to listen, if the passage `text` at byte `start` of a source rests on words that a recogniser was unsure of.
pub fn listen(unsure: &UnsureBySource, source: &str, start: usize, text: &str) -> Option<String> {
    let advice = |(words, said): (UnsureWords, &str)| {
        format!("{} ({})", words.advice(), in_marks(&sanitise::excerpt(said, LONGEST)))
    };
    let advice: Vec<String> = UnsureWords::within(unsure.get(source)?, start, text).map(advice).collect();
    (!advice.is_empty()).then(|| advice.join(", "))
}

/// A text with the places of its line feeds: a large source is asked for many lines.
#[derive(Debug)]
struct Lines<'t> {
    text: &'t str,
    feeds: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, feeds: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    /// The line of a byte, from 1.
    fn line(&self, byte: usize) -> usize {
        self.feeds.partition_point(|feed| *feed < byte) + 1
    }
}

#[derive(Debug)]
struct Field<'t> {
    lines: Lines<'t>,
    blocks: Vec<Block>,
}

/// A paragraph of a field.
#[derive(Debug)]
struct Block {
    in_field: usize,
    /// In bytes of the cleaned draft. None if the draft does not have it in these words.
    in_draft: Option<usize>,
}

/// The paragraphs of a field. The draft may have more white space between them.
fn blocks(draft: &str, mut from: usize, text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut in_field = 0;
    for block in text.split("\n\n") {
        let in_draft = draft.get(from..).and_then(|rest| rest.find(block)).map(|at| from + at);
        from = in_draft.map_or(from, |at| at + block.len());
        found.push(Block { in_field, in_draft });
        in_field += block.len() + 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAFT: &str = "# Council votes\n\nIt voted.\n\n\n\nIt voted.\nIt met.\n";

    fn article(draft: &str) -> ArticleResponse {
        drafts::own(draft).unwrap()
    }

    #[test]
    fn a_line_of_the_draft_is_the_files_line() {
        let article = article(DRAFT);
        let places = LineNumbers::new(DRAFT, &article, &[]);
        let body = |part: &str| places.in_draft("articleBody", article.articleBody.rfind(part).unwrap());
        assert_eq!(places.in_draft("headline", 3), "headline, line 1");
        assert_eq!(
            (body("It voted.\n\n"), body("voted.\nIt"), body("met")),
            ("body, line 3".into(), "body, line 7".into(), "body, line 8".into())
        );
        assert_eq!(places.in_draft("description", 0), "description", "which the draft does not have");
    }

    #[test]
    fn a_draft_of_one_text_has_lines_alone_and_one_in_json_those_of_its_fields() {
        let one = "\n\nIt voted. It met.";
        assert_eq!(LineNumbers::new(one, &article(one), &[]).in_draft("articleBody", 12), "line 3");
        let json = r#"{"headline":"A","alternativeHeadline":"B","description":"C","articleBody":"One.\n\nTwo."}"#;
        let read = article(json);
        assert_eq!(LineNumbers::new(json, &read, &[]).in_draft("articleBody", 7), "body, line 3");
    }

    #[test]
    fn a_stretch_has_its_bytes_in_the_draft_below_front_matter() {
        let draft = format!("---\ntitle: Council votes\n---\n{DRAFT}");
        let article = article(&draft);
        let places = LineNumbers::new(&draft, &article, &[]);
        let text = |field: &str, span: Range<usize>| places.bytes_in_draft(field, &span).and_then(|at| draft.get(at));
        assert_eq!(text("headline", 0..7), Some("Council"));
        assert_eq!(places.bytes_in_draft("headline", &(0..7)).unwrap().start, draft.find("# Council").unwrap() + 2);
        let met = article.articleBody.find("met").unwrap();
        assert_eq!(text("articleBody", met..met + 3), Some("met"));
        assert_eq!(text("articleBody", 0..article.articleBody.len()), Some("It voted.\n\n\n\nIt voted.\nIt met."));
        assert_eq!(text("description", 0..1), None);
    }

    #[test]
    fn what_cannot_be_seen_moves_no_place() {
        let draft = "# A \u{2068}vote\u{2069}\n\nIt \u{202A}cost\u{202C} $2.8 million.\n\nMore\u{feff} text.\n";
        let article = article(draft);
        let places = LineNumbers::new(draft, &article, &[]);
        let text = |words: &str| {
            let at = article.articleBody.find(words).unwrap();
            places.bytes_in_draft("articleBody", &(at..at + words.len())).and_then(|at| draft.get(at))
        };
        assert_eq!((text("$2.8 million"), text("text")), (Some("$2.8 million"), Some("text")));
        assert_eq!(places.in_draft("articleBody", article.articleBody.find("text").unwrap()), "body, line 5");
        assert_eq!(places.bytes_in_draft("headline", &(0..1)), Some(2..3));
    }

    #[test]
    fn a_source_says_its_line_and_a_recording_its_time() {
        let source = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
        let sources =
            [source("notes.txt", "One.\nTwo.\n"), source("talk.vtt", "[00:00:01] VOSS: One.\n\n[00:01:02] TULL: Two.")];
        let article = article(DRAFT);
        let places = LineNumbers::new(DRAFT, &article, &sources);
        let place = |source: &str, start| {
            places.in_source(&SourceSpan { source: source.into(), start, end: start + 2, text: String::new() })
        };
        assert_eq!(
            (place("notes.txt", 5), place("talk.vtt", 40)),
            ("notes.txt, line 2".into(), "talk.vtt, 00:01:02".into())
        );
        assert_eq!(place("elsewhere\n.txt", 5), "elsewhere .txt");
    }

    #[test]
    fn a_word_document_has_paragraphs() {
        let read = "Council votes\n\nIt voted.\n\nIt met.";
        let sources = [Source { name: "plan.docx".into(), text: "One.\n\nTwo.".into() }];
        let article = article(read);
        let places = LineNumbers::new(read, &article, &sources).of_a(DocumentKind::Word);
        assert_eq!(places.in_draft("articleBody", article.articleBody.find("met").unwrap()), "body, paragraph 3");
        let two = SourceSpan { source: "plan.docx".into(), start: 6, end: 9, text: "Two".into() };
        assert_eq!(places.in_source(&two), "plan.docx, paragraph 2");
    }
}
