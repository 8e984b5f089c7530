//! The memory: the list of earlier checks, and one of them laid out for reading.

use crate::widgets::{mark::TextRole, page::Page, sheet::Sheet, words};
use copydesk_core::editorial::citations::for_reader;
use copydesk_core::ports::{Book, Remembered, Strike};
use copydesk_newsroom::{MemoryRecord, Verdict};
use copydesk_text::sanitise;

#[derive(Debug, Clone, Default)]
pub struct MemoryList {
    /// Only records that contain each typed word are shown.
    pub query: String,
    /// Index among the shown records.
    pub selected: usize,
    pub top: usize,
    /// Older records are expired.
    pub since: Option<String>,
    pub unreadable: usize,
    /// All records, each with the text that is searched; none until they are read.
    rows: Option<Vec<(Remembered, String)>>,
    shown: Vec<usize>,
}

impl MemoryList {
    pub fn new(since: Option<String>) -> Self {
        Self { since, ..Self::default() }
    }

    pub fn set(&mut self, book: Book) {
        let since = self.since.as_deref();
        self.unreadable = book.unreadable;
        let found_by = |kept: Remembered| {
            let words = words_of(&kept, since);
            (kept, words)
        };
        self.rows = Some(book.records.into_iter().map(found_by).collect());
        self.arrange();
    }

    /// Takes the current state of the records with this key.
    pub fn refresh(&mut self, cache_key_hash: &str, book: &Book) {
        let since = self.since.clone();
        let rows = self.rows.iter_mut().flatten();
        for (kept, found_by) in rows.filter(|(kept, _)| kept.record.cache_key_hash() == cache_key_hash) {
            if let Some(now) = book.records.iter().find(|now| now.record == kept.record) {
                *kept = now.clone();
                *found_by = words_of(kept, since.as_deref());
            }
        }
        self.arrange();
    }

    pub fn is_read(&self) -> bool {
        self.rows.is_some()
    }

    /// Filters again. The selected record stays selected while it is shown.
    pub fn arrange(&mut self) {
        let before = self.shown.get(self.selected).copied();
        let typed = self.query.to_lowercase();
        let rows = self.rows.as_deref().unwrap_or_default();
        let fits = |found_by: &str| typed.split_whitespace().all(|word| found_by.contains(word));
        self.shown =
            rows.iter().enumerate().filter(|(_, (_, found_by))| fits(found_by)).map(|(place, _)| place).collect();
        let again = self.shown.iter().position(|place| Some(*place) == before);
        self.selected = again.unwrap_or(0);
    }

    pub fn shown(&self) -> impl Iterator<Item = &Remembered> {
        let rows = self.rows.as_deref().unwrap_or_default();
        self.shown.iter().filter_map(|place| rows.get(*place)).map(|(kept, _)| kept)
    }

    /// How many records are shown, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        (self.shown.len(), self.rows.as_ref().map_or(0, Vec::len))
    }

    pub fn row(&self) -> Option<&Remembered> {
        self.shown().nth(self.selected)
    }

    pub fn select(&mut self, by: isize) {
        self.selected = self.selected.saturating_add_signed(by).min(self.shown.len().saturating_sub(1));
    }
}

/// The text that typed words are looked for in.
fn words_of(kept: &Remembered, since: Option<&str>) -> String {
    let record = &kept.record;
    [
        record.query(),
        record.article_id(),
        record.model_name(),
        record.verdict().status.name(),
        kept.state(since),
        &words::plain(record.specialist().name()),
        record.timestamp(),
        record.cache_key_hash(),
    ]
    .join(" ")
    .to_lowercase()
}

/// The concern whose verdict came from a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reused {
    pub story: String,
    pub concern: u32,
}

/// The known state of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RecordKnown {
    NotYet,
    As(Box<Remembered>),
    Gone,
}

#[derive(Debug, Clone)]
pub struct RecordPage {
    pub record: MemoryRecord,
    pub reused: Option<Reused>,
    pub page: Page,
    since: Option<String>,
    known: RecordKnown,
}

impl RecordPage {
    pub fn listed(kept: Remembered, since: Option<String>) -> Self {
        Self::laid(kept.record.clone(), None, RecordKnown::As(Box::new(kept)), since)
    }

    /// The record behind a concern's verdict; its state is still to be read.
    pub fn reused(record: MemoryRecord, reused: Reused, since: Option<String>) -> Self {
        Self::laid(record, Some(reused), RecordKnown::NotYet, since)
    }

    fn laid(record: MemoryRecord, reused: Option<Reused>, known: RecordKnown, since: Option<String>) -> Self {
        let mut page = Self { record, reused, page: Page::new("".into()), since, known };
        page.lay();
        page
    }

    pub fn know(&mut self, book: &Book) {
        let kept = book.records.iter().find(|kept| kept.record == self.record);
        self.known = kept.map_or(RecordKnown::Gone, |kept| RecordKnown::As(Box::new(kept.clone())));
        self.lay();
    }

    fn strike(&self) -> Option<&Strike> {
        match &self.known {
            RecordKnown::As(kept) => kept.strike(),
            RecordKnown::NotYet | RecordKnown::Gone => None,
        }
    }

    /// Why it cannot be struck, or restored, if it cannot.
    pub fn why_not(&self, strike: bool) -> Option<&'static str> {
        match &self.known {
            RecordKnown::NotYet => Some("the record is still loading; try again in a moment"),
            RecordKnown::Gone => Some("the record is no longer in the memory"),
            RecordKnown::As(kept) => match (strike, kept.strike()) {
                (true, Some(_)) => Some("the record is already struck"),
                (false, None) => Some("the record is not struck"),
                _ => None,
            },
        }
    }

    pub fn scroll_by(&mut self, rows: isize) {
        self.page.scroll_by(i32::try_from(rows).unwrap_or(if rows < 0 { i32::MIN } else { i32::MAX }));
    }

    /// Lays it out: verdict, state, origin, evidence.
    fn lay(&mut self) {
        let (record, verdict) = (&self.record, self.record.verdict());
        let mut sheet = Sheet::default();
        let state = match &self.known {
            RecordKnown::NotYet => "loading",
            RecordKnown::Gone => "no longer in the memory",
            RecordKnown::As(kept) => kept.state(self.since.as_deref()),
        };
        sheet.add(verdict.status.name(), TextRole::Heading);
        sheet.line(&format!("  {}, {state}", words::plain(record.specialist().name())), TextRole::Dim);
        sheet.line(&verdict.rationale, TextRole::Text);
        if let Some(fix) = &verdict.suggested_fix {
            sheet.line(&format!("To do: {fix}"), TextRole::Strong);
        }
        if let Some(Reused { story, concern }) = &self.reused {
            sheet.line("", TextRole::Text);
            let said = format!(
                "The verdict on concern {concern} of {story} comes from this check. It stands until you overrule it there, \
                 even if you strike this record."
            );
            sheet.line(&said, TextRole::Emphasis);
        }
        if let Some(Strike { by, at, reason }) = self.strike() {
            sheet.section(&format!("Struck by {by}, {}", words::day_and_time(at)));
            sheet.line(reason, TextRole::Text);
        }
        sheet.section("Question");
        sheet.line(&format!("“{}”", sanitise::one_line(record.query())), TextRole::Quote);
        let made = match &self.known {
            RecordKnown::As(kept) => kept.run.as_deref().unwrap_or("imported"),
            RecordKnown::NotYet | RecordKnown::Gone => "",
        };
        sheet.named("Story", &words::dotted([record.article_id(), &format!("concern {}", verdict.concern_id), made]));
        sheet.named("Checked", &words::day_and_time(record.timestamp()));
        sheet.named("Model", record.model_name());
        sheet.named("Key", record.cache_key_hash());
        evidence(&mut sheet, verdict);
        found(&mut sheet, record);
        let (text, marks) = sheet.into_parts();
        self.page.replace_text(text.into());
        self.page.mark(marks);
    }
}

fn evidence(sheet: &mut Sheet, verdict: &Verdict) {
    let citations = verdict.citations.as_deref().unwrap_or_default();
    if verdict.evidence.is_none() && citations.is_empty() {
        return;
    }
    sheet.section("Evidence");
    if let Some(text) = &verdict.evidence {
        sheet.line(text, TextRole::Quote);
    }
    for citation in citations {
        sheet.add("· ", TextRole::Dim);
        sheet.line(&for_reader(citation, &[]), TextRole::Name);
    }
}

fn found(sheet: &mut Sheet, record: &MemoryRecord) {
    sheet.section(match record {
        MemoryRecord::FactCheck(_) => "Passages found",
        MemoryRecord::Evidence(_) => "Search answer",
    });
    match record.found().trim() {
        "" => sheet.line("None.", TextRole::Dim),
        text => text.lines().for_each(|line| sheet.line(&for_reader(line, &[]), TextRole::Text)),
    }
    if let MemoryRecord::Evidence(search) = record {
        for citation in &search.citations {
            sheet.add("· ", TextRole::Dim);
            sheet.line(citation, TextRole::Name);
        }
    }
}
