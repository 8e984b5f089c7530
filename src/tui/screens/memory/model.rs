//! The memory on the screen: the list of its records, and one of them laid out for reading.

use crate::newsroom::{MemoryRecord, Verdict};
use crate::ports::{Book, Remembered, Strike};
use crate::text::sanitise;
use crate::tui::widgets::{mark::Role, page::Page, sheet::Sheet, words};

/// The list of records.
#[derive(Debug, Clone, Default)]
pub struct MemoryList {
    /// What is typed: only records that hold each of its words are shown.
    pub query: String,
    /// The selected one of those that are shown.
    pub selected: usize,
    /// The first that is in sight.
    pub top: usize,
    /// From when on a record is offered.
    pub since: Option<String>,
    /// How many records cannot be read.
    pub unreadable: usize,
    /// All records, each with the words that it is found by; none before they are read.
    rows: Option<Vec<(Remembered, String)>>,
    shown: Vec<usize>,
}

impl MemoryList {
    /// A list that is still to be read.
    #[must_use]
    pub fn new(since: Option<String>) -> Self {
        Self { since, ..Self::default() }
    }

    /// Takes in what the memory holds.
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

    /// Takes in what became of the records under a key.
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

    /// Whether the records are read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.rows.is_some()
    }

    /// Finds anew what is shown. What was selected stays so where it is shown.
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

    /// The records that are shown, in order.
    pub fn shown(&self) -> impl Iterator<Item = &Remembered> {
        let rows = self.rows.as_deref().unwrap_or_default();
        self.shown.iter().filter_map(|place| rows.get(*place)).map(|(kept, _)| kept)
    }

    /// How many records are shown, and how many there are.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        (self.shown.len(), self.rows.as_ref().map_or(0, Vec::len))
    }

    /// The selected record.
    #[must_use]
    pub fn row(&self) -> Option<&Remembered> {
        self.shown().nth(self.selected)
    }

    /// Moves the selection.
    pub fn select(&mut self, by: isize) {
        self.selected = self.selected.saturating_add_signed(by).min(self.shown.len().saturating_sub(1));
    }
}

/// What a record is found by.
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

/// The concern whose verdict was reused from a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reused {
    /// The story.
    pub story: String,
    /// The concern.
    pub concern: u32,
}

/// How a record stands, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    /// It is being looked up.
    NotYet,
    /// As the memory has it.
    As(Box<Remembered>),
    /// The memory has it no more.
    Gone,
}

/// A record laid out for reading.
#[derive(Debug, Clone)]
pub struct RecordPage {
    /// What was checked and found.
    pub record: MemoryRecord,
    /// The concern that it was opened from, where it was.
    pub reused: Option<Reused>,
    /// Its text.
    pub page: Page,
    since: Option<String>,
    known: Known,
}

impl RecordPage {
    /// A record that was opened from the list.
    #[must_use]
    pub fn listed(kept: Remembered, since: Option<String>) -> Self {
        Self::laid(kept.record.clone(), None, Known::As(Box::new(kept)), since)
    }

    /// The record that a concern's verdict was reused from; how it stands is to be looked up.
    #[must_use]
    pub fn reused(record: MemoryRecord, reused: Reused, since: Option<String>) -> Self {
        Self::laid(record, Some(reused), Known::NotYet, since)
    }

    fn laid(record: MemoryRecord, reused: Option<Reused>, known: Known, since: Option<String>) -> Self {
        let mut page = Self { record, reused, page: Page::new("".into()), since, known };
        page.lay();
        page
    }

    /// Takes in what the memory has under the record's key.
    pub fn know(&mut self, book: &Book) {
        let kept = book.records.iter().find(|kept| kept.record == self.record);
        self.known = kept.map_or(Known::Gone, |kept| Known::As(Box::new(kept.clone())));
        self.lay();
    }

    fn strike(&self) -> Option<&Strike> {
        match &self.known {
            Known::As(kept) => kept.strike(),
            Known::NotYet | Known::Gone => None,
        }
    }

    /// Why it cannot be struck, or restored, now; none where it can.
    #[must_use]
    pub fn why_not(&self, strike: bool) -> Option<&'static str> {
        match &self.known {
            Known::NotYet => Some("it is still being looked up in the memory"),
            Known::Gone => Some("the memory does not have this record any more"),
            Known::As(kept) => match (strike, kept.strike()) {
                (true, Some(_)) => Some("it is struck already"),
                (false, None) => Some("it is not struck"),
                _ => None,
            },
        }
    }

    /// Scrolls by rows.
    pub fn scroll_by(&mut self, rows: isize) {
        self.page.scroll_by(i32::try_from(rows).unwrap_or(if rows < 0 { i32::MIN } else { i32::MAX }));
    }

    /// Lays it out: the verdict, how the record stands, whose it is, what it rests on.
    fn lay(&mut self) {
        let (record, verdict) = (&self.record, self.record.verdict());
        let mut sheet = Sheet::default();
        let state = match &self.known {
            Known::NotYet => "being looked up",
            Known::Gone => "not in the memory any more",
            Known::As(kept) => kept.state(self.since.as_deref()),
        };
        sheet.add(verdict.status.name(), Role::Heading);
        sheet.line(&format!("  {}, {state}", words::plain(record.specialist().name())), Role::Dim);
        sheet.line(&verdict.rationale, Role::Text);
        if let Some(fix) = &verdict.suggested_fix {
            sheet.line(&format!("To do: {fix}"), Role::Strong);
        }
        if let Some(Reused { story, concern }) = &self.reused {
            sheet.line("", Role::Text);
            let said = format!(
                "The verdict on concern {concern} of {story} was reused from this check. It stands until you overrule it there, \
                 whatever becomes of the record."
            );
            sheet.line(&said, Role::Emphasis);
        }
        if let Some(Strike { by, at, reason }) = self.strike() {
            sheet.section(&format!("Struck by {by}, {} UTC", words::day_and_time(at)));
            sheet.line(reason, Role::Text);
        }
        sheet.section("What was asked");
        sheet.line(&format!("“{}”", sanitise::one_line(record.query())), Role::Quote);
        let made = match &self.known {
            Known::As(kept) => kept.run.as_deref().unwrap_or("imported"),
            Known::NotYet | Known::Gone => "",
        };
        sheet.named("Story", &words::dotted([record.article_id(), &format!("concern {}", verdict.concern_id), made]));
        sheet.named("Checked", &format!("{} UTC", words::day_and_time(record.timestamp())));
        sheet.named("By", record.model_name());
        sheet.named("Key", record.cache_key_hash());
        evidence(&mut sheet, verdict);
        found(&mut sheet, record);
        let (text, marks) = sheet.into_parts();
        self.page.replace_text(text.into());
        self.page.mark(marks);
    }
}

/// What the verdict says it rests on.
fn evidence(sheet: &mut Sheet, verdict: &Verdict) {
    let citations = verdict.citations.as_deref().unwrap_or_default();
    if verdict.evidence.is_none() && citations.is_empty() {
        return;
    }
    sheet.section("Evidence");
    if let Some(text) = &verdict.evidence {
        sheet.line(text, Role::Quote);
    }
    for citation in citations {
        sheet.add("· ", Role::Dim);
        sheet.line(citation, Role::Name);
    }
}

/// What the search returned.
fn found(sheet: &mut Sheet, record: &MemoryRecord) {
    sheet.section(match record {
        MemoryRecord::FactCheck(_) => "Passages that were found",
        MemoryRecord::Evidence(_) => "What the search answered",
    });
    match record.found().trim() {
        "" => sheet.line("None.", Role::Dim),
        text => sheet.line(text, Role::Text),
    }
    if let MemoryRecord::Evidence(search) = record {
        for citation in &search.citations {
            sheet.add("· ", Role::Dim);
            sheet.line(citation, Role::Name);
        }
    }
}
