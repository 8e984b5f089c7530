//! The record page: the story's versions, whom it asked for a reply, and its control record, a section at a time.

use jiff::Timestamp;

use crate::widgets::{list_and_text::ListAndText, mark::TextRole, sheet::Sheet};
use copydesk_core::editorial::control_record::{self, ControlRecord, RecordSection};
use copydesk_core::editorial::replies;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ListedRun, StoryKey, StoryReply, local_minute};
use copydesk_text::{count, sanitise};

/// The data on the page.
#[derive(Debug, Clone, PartialEq)]
pub struct StoryRecord {
    pub record: ControlRecord,
    /// The runs of the story that were signed off, the latest first.
    pub versions: Vec<ListedRun>,
    pub replies: Vec<StoryReply>,
    /// The persons whom the draft accuses and who have not been asked for a reply.
    pub unasked: Vec<String>,
    /// When it was read.
    pub at: Timestamp,
}

impl StoryRecord {
    /// Those who were asked and have not answered, the oldest question first.
    pub fn open_replies(&self) -> impl Iterator<Item = &StoryReply> {
        self.replies.iter().filter(|reply| reply.answer.is_none())
    }
}

#[derive(Debug, Clone)]
pub struct StoryRecordPage {
    pub run: RunKey,
    pub story: StoryKey,
    pub list: ListAndText,
    /// None until it is read.
    pub known: Option<StoryRecord>,
    pub sections: Vec<RecordSection>,
}

impl StoryRecordPage {
    pub fn new(run: RunKey, story: StoryKey) -> Self {
        let mut page = Self { run, story, list: ListAndText::default(), known: None, sections: Vec::new() };
        page.lay();
        page
    }

    /// Takes what was read.
    pub fn know(&mut self, known: StoryRecord) {
        self.sections = vec![versions(&known), right_of_reply(&known)];
        self.sections.extend(control_record::sections(&known.record));
        self.known = Some(known);
        self.lay();
    }

    pub fn select(&mut self, by: isize) {
        if self.list.select(by, self.sections.len()) {
            self.lay();
            self.list.page.home();
        }
    }

    fn lay(&mut self) {
        let mut sheet = Sheet::default();
        let (Some(known), Some(section)) = (&self.known, self.sections.get(self.list.selected)) else {
            sheet.line("Reading the record, and checking the desk's log…", TextRole::Dim);
            return self.list.set_text(sheet);
        };
        for line in &section.lines {
            sheet.paragraph(line, TextRole::Text);
        }
        if section.lines.is_empty() {
            sheet.paragraph("None.", TextRole::Dim);
        }
        sheet.line(known.record.notice, TextRole::Dim);
        self.list.set_text(sheet);
    }
}

fn versions(known: &StoryRecord) -> RecordSection {
    let current = known.record.corrections.last().map(|correction| {
        format!(
            "This run corrects version {}: {}",
            correction.corrects.number,
            sanitise::excerpt(&correction.note, 300)
        )
    });
    let one = |run: &ListedRun| {
        let by = run.signed_by.as_deref().unwrap_or("nobody");
        let withdrawn = run.withdrawn.as_ref().map_or_else(String::new, |withdrawal| {
            format!(
                " Withdrawn {} by {}: {}",
                local_minute(&withdrawal.at),
                sanitise::one_line(&withdrawal.by),
                sanitise::excerpt(&withdrawal.reason, 300)
            )
        });
        format!(
            "Version {}, signed off by {}, {}, run {}.{withdrawn}",
            run.version,
            sanitise::one_line(by),
            local_minute(&run.stands_since),
            run.run
        )
    };
    let withdrawn = known.versions.first().is_some_and(|run| run.withdrawn.is_some());
    RecordSection {
        name: "Versions",
        warning: withdrawn.then_some("withdrawn"),
        lines: current.into_iter().chain(known.versions.iter().map(one)).collect(),
    }
}

fn right_of_reply(known: &StoryRecord) -> RecordSection {
    let asked = known.replies.iter().map(|reply| replies::in_a_line(reply, known.at));
    let unasked = known.unasked.iter().map(|name| format!("{}: accused, and not asked.", sanitise::one_line(name)));
    let is_late = known.replies.iter().any(|reply| reply.is_overdue(known.at));
    let warning = match (is_late, known.unasked.is_empty(), known.open_replies().next()) {
        (true, ..) => Some("OVERDUE"),
        (false, false, _) => Some("not asked"),
        (false, true, Some(_)) => Some("open"),
        (false, true, None) => None,
    };
    RecordSection { name: "Right of reply", warning, lines: asked.chain(unasked).collect() }
}

/// How much a section holds, in words.
pub(super) fn size(section: &RecordSection) -> String {
    if section.lines.is_empty() { "none".to_owned() } else { count(section.lines.len(), "entry") }
}
