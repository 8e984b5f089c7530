//! A record of the memory: an earlier check laid out for reading, striking it and restoring it.

use ratatui::prelude::{Buffer, Rect};

use crate::app::{Action, KeyContext, Model, News, Overlay, Question, Reaction, Request, Scene, Ways, listed};
use crate::screens::concerns::panes;
use crate::screens::forms::{FieldName, Form};
use crate::screens::story::StoryView;
use crate::widgets::{Field, Page, ScrolledText as _, Sheet, TextRole, draw, words};
use copydesk_core::editorial::citations::for_reader;
use copydesk_core::ports::{Remembered, Strike};
use copydesk_newsroom::{MemoryRecord, Verdict};
use copydesk_text::{in_marks, sanitise};

/// The concern whose verdict came from a record.
pub struct Reused {
    pub story: String,
    pub concern: u32,
}

/// The known state of a record.
enum RecordKnown {
    NotYet,
    As(Box<Remembered>),
    Gone,
}

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

    fn strike(&self) -> Option<&Strike> {
        match &self.known {
            RecordKnown::As(kept) => kept.strike(),
            RecordKnown::NotYet | RecordKnown::Gone => None,
        }
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
        panes::reason(&mut sheet, &verdict.rationale, verdict.suggested_fix.as_deref(), TextRole::Strong);
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
        sheet.line(&in_marks(&sanitise::one_line(&asked(record))), TextRole::Quote);
        let made = match &self.known {
            RecordKnown::As(kept) if kept.run.is_none() => "imported",
            _ => "",
        };
        sheet.named("Story", &words::dotted([record.article_id(), &format!("concern {}", verdict.concern_id), made]));
        sheet.named("Checked", &words::day_and_time(record.timestamp()));
        sheet.named("Model", record.model_name());
        evidence(&mut sheet, verdict);
        show_passages(&mut sheet, record);
        let (text, marks) = sheet.into_parts();
        self.page.replace_text(text.into());
        self.page.mark(marks);
    }

    fn ask_to_strike(&self) -> Form {
        let asked = in_marks(&sanitise::excerpt(&asked(&self.record), 120));
        let stands = match &self.reused {
            Some(Reused { story, concern }) => {
                format!("The verdict on concern {concern} of {story} stands until you overrule it there.")
            }
            None => "Stories that already used it keep their verdicts until you overrule them there.".to_owned(),
        };
        let status = self.record.verdict().status.name();
        let explanation = format!("{asked}: {status}. It is not used again for the same question. {stands}");
        let cache_key_hash = self.record.cache_key_hash().to_owned();
        let hint = "why not to use it again; kept under your name";
        let fields = vec![Field::text(FieldName::Reason, hint, "")];
        Form::asking("Strike this record?", explanation, fields, move |form| {
            let reason = form.filled(FieldName::Reason, "say why it must not be used again")?;
            Ok(Request::StrikeRecord { cache_key_hash: cache_key_hash.clone(), reason })
        })
    }

    fn ask_to_restore(&self) -> Question {
        let text = format!(
            "{}: its verdict is used for the same question again, unless it has expired or was overruled.",
            in_marks(&sanitise::excerpt(&asked(&self.record), 120))
        );
        let request = Request::RestoreRecord(self.record.cache_key_hash().to_owned());
        Question::new("Restore this record?", text, "restore it", |model| model.ask(request))
    }
}

impl Overlay for RecordPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::Memory, listed![StrikeRecord RestoreRecord MoveDown PageDown Help Close])
    }

    fn why_not(&self, action: Action, _: &Model) -> Option<String> {
        if !matches!(action, Action::StrikeRecord | Action::RestoreRecord) {
            return None;
        }
        let why = match &self.known {
            RecordKnown::NotYet => "the record is still loading; try again in a moment",
            RecordKnown::Gone => "the record is no longer in the memory",
            RecordKnown::As(kept) => match (action, kept.strike()) {
                (Action::StrikeRecord, Some(_)) => "the record is already struck",
                (Action::RestoreRecord, None) => "the record is not struck",
                _ => return None,
            },
        };
        Some(why.into())
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match action {
            Action::StrikeRecord => Reaction::open(self.ask_to_strike()),
            Action::RestoreRecord => Reaction::open(self.ask_to_restore()),
            _ => Reaction::Ignored,
        }
    }

    fn move_by(&mut self, by: isize, _: &Scene<'_>) -> Reaction {
        self.page.scroll_by(by);
        Reaction::CHANGED
    }

    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        if let News::Record(hash, book) = news
            && self.record.cache_key_hash() == hash
        {
            let kept = book.records.iter().find(|kept| kept.record == self.record);
            self.known = kept.map_or(RecordKnown::Gone, |kept| RecordKnown::As(Box::new(kept.clone())));
            self.lay();
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let (record, theme) = (self, &scene.theme);
        draw::clear(buf, area);
        let title = match &record.reused {
            Some(reused) => format!("Earlier check for concern {}", reused.concern),
            None => "Earlier check".to_owned(),
        };
        draw::page(&record.page, &title, "", true, area, buf, theme);
    }
}

/// The record behind the selected concern's verdict.
pub(crate) fn remembered(story: &StoryView) -> Option<&MemoryRecord> {
    let concern = story.selected_concern()?;
    story.journal.look_up(story.round, concern.id)?.remembered.as_ref()
}

pub(crate) fn show_remembered(model: &mut Model) {
    let since = model.memory_since();
    let Some(story) = model.story.as_deref() else { return };
    let (Some(record), Some(concern)) = (remembered(story), story.selected_concern()) else { return };
    let reused = Reused { story: story.run.story.clone(), concern: concern.id };
    let hash = record.cache_key_hash().to_owned();
    let page = RecordPage::reused(record.clone(), reused, since);
    model.lay_over_and_ask(page, Request::ReadRecord(hash));
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

/// The question of a record, without the marks around the words that it is about.
fn asked(record: &MemoryRecord) -> String {
    record.query().replace(['⟦', '⟧'], "")
}

fn show_passages(sheet: &mut Sheet, record: &MemoryRecord) {
    sheet.section(match record {
        MemoryRecord::FactCheck(_) => "Passages found",
        MemoryRecord::Evidence(_) => "Search answer",
    });
    match record.passages_found().trim() {
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
