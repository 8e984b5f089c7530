//! The record page: the story's versions, whom it asked for a reply, and its control record, a section at a time.

use ratatui::prelude::{Buffer, Rect, Style};

use crate::app::{Action, KeyContext, Model, News, Overlay, Reaction, Request, Scene, StoryRecord, Ways, listed};
use crate::screens::forms::{FieldName, Form};
use crate::widgets::{Column, Field, ListAndText, Sheet, Table, TextRole, Theme, draw, words};
use copydesk_core::editorial::control_record::RecordSection;
use copydesk_core::editorial::{control_record, replies};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ListedRun, StoryKey};
use copydesk_text::{count, sanitise};

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

    fn lay(&mut self) {
        let mut sheet = Sheet::default();
        let (Some(known), Some(section)) = (&self.known, self.sections.get(self.list.selected)) else {
            sheet.line("Reading the record, and checking the desk's log…", TextRole::Dim);
            return self.list.set_text(sheet);
        };
        for line in section.lines.iter().chain(&section.remarks) {
            sheet.paragraph(line, TextRole::Text);
        }
        if section.lines.is_empty() && section.remarks.is_empty() {
            sheet.paragraph("None.", TextRole::Dim);
        }
        sheet.line(known.record.notice, TextRole::Dim);
        self.list.set_text(sheet);
    }

    fn ask_for_reply(&self, known: &StoryRecord) -> Form {
        let (run, story) = (self.run, self.story.clone());
        let name = known.unasked.first().map_or("", String::as_str);
        let fields = vec![
            Field::line(FieldName::Who, "who was asked", name),
            Field::line(FieldName::About, "what they were asked about", ""),
            Field::line(FieldName::Due, "18:00, tomorrow 18:00, +2h, +3d; empty: no time", ""),
        ];
        let explanation = "This notes that you have asked. Copydesk sends nothing.";
        Form::asking("Asked for a reply", explanation, fields, move |form| {
            let name = replies::named(&form.line(FieldName::Who))?;
            let (about, due) = (form.line(FieldName::About), form.line(FieldName::Due));
            Ok(Request::AskForReply { run, story: story.clone(), name, about, due })
        })
    }

    fn note_reply(&self, known: &StoryRecord) -> Form {
        let (run, story) = (self.run, self.story.clone());
        let name = known.open_replies().next().map_or("", |reply| reply.name.as_str());
        let fields = vec![
            Field::line(FieldName::Who, "who was asked", name),
            Field::text(FieldName::Said, "their words, or that they said nothing", ""),
        ];
        Form::asking("Reply", "It is kept with the time and your name.", fields, move |form| {
            let name = replies::named(&form.line(FieldName::Who))?;
            let text = replies::said(&form.value(FieldName::Said))?;
            Ok(Request::NoteReply { run, story: story.clone(), name, text })
        })
    }

    fn correct(&self) -> Form {
        let (run, story) = (self.run, self.story.clone());
        let fields = vec![Field::text(FieldName::Note, "what was wrong and what is right; readers see it", "")];
        let explanation =
            "A new run opens at the sign-off: edit the text there, then sign it. Nothing goes out before that.";
        Form::asking("Correct the signed version", explanation, fields, move |form| {
            let note = form.filled(FieldName::Note, "tell readers what was wrong, and what is right")?;
            Ok(Request::Correct { run, story: story.clone(), note })
        })
        .doing("Correct")
    }

    fn withdraw(&self) -> Form {
        let (run, story) = (self.run, self.story.clone());
        let fields = vec![Field::text(FieldName::Reason, "why; readers see it in the notice", "")];
        let explanation =
            "The published version is withdrawn. Nobody is told until you send the notice on the publish page.";
        Form::asking("Withdraw the story", explanation, fields, move |form| {
            let reason = form.filled(FieldName::Reason, "say why: readers see it in the notice")?;
            Ok(Request::Withdraw { run, story: story.clone(), reason })
        })
        .doing("Withdraw")
    }
}

impl Overlay for StoryRecordPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        (KeyContext::StoryRecord, listed![AskForReply NoteReply CorrectStory WithdrawStory NextPane Help Back])
    }

    fn why_not(&self, action: Action, _: &Model) -> Option<String> {
        let replies = matches!(action, Action::AskForReply | Action::NoteReply);
        let versions = matches!(action, Action::CorrectStory | Action::WithdrawStory);
        match &self.known {
            None if replies || versions => Some("the record is still being read".into()),
            Some(known) if action == Action::NoteReply && known.open_replies().next().is_none() => {
                Some("nobody's reply is open".into())
            }
            Some(known) if versions && known.versions.is_empty() => Some("no version of it is signed off".into()),
            _ => None,
        }
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        let Some(known) = &self.known else { return Reaction::Ignored };
        Reaction::open(match action {
            Action::AskForReply => self.ask_for_reply(known),
            Action::NoteReply => self.note_reply(known),
            Action::CorrectStory => self.correct(),
            Action::WithdrawStory => self.withdraw(),
            _ => return Reaction::Ignored,
        })
    }

    fn list(&mut self) -> Option<(&mut ListAndText, usize)> {
        Some((&mut self.list, self.sections.len()))
    }

    fn lay_selected(&mut self) -> Reaction {
        self.lay();
        self.list.page.home();
        Reaction::CHANGED
    }

    /// The record was read; also after it grew.
    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        if let News::StoryRecord(run, known) = news
            && self.run == *run
        {
            self.sections = vec![versions(known), right_of_reply(known)];
            self.sections.extend(control_record::sections(&known.record));
            self.known = Some((**known).clone());
            self.lay();
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let theme = &scene.theme;
        let story = sanitise::one_line(&self.story.to_string());
        let title = words::dotted([Action::ShowRecord.title(), &story]);
        let inner = draw::cover(buf, area, &title, theme);
        let columns =
            [Column::text("Section", 16, 24, 0), Column::text("Holds", 12, 14, 1), Column::text("Note", 12, 60, 0)];
        let Self { list, sections, .. } = self;
        let cells = |place: usize, _: &Table<'_>| sections.get(place).map(|section| cells(section, theme));
        let title = sections.get(list.selected).map_or("Record", |section| section.name);
        list.view(title, sections.len(), &columns, cells, (area, inner), buf, theme);
    }
}

pub(crate) fn show(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    let page = StoryRecordPage::new(story.key, story.journal.opening.topic.story());
    let request = Request::ReadStoryRecord { run: page.run, story: page.story.clone() };
    model.lay_over_and_ask(page, request);
}

fn versions(known: &StoryRecord) -> RecordSection {
    let current = known.record.corrections.last().map(|correction| {
        let note = sanitise::excerpt(&correction.note, 300);
        format!("This run corrects version {}: {note}", correction.corrects.number)
    });
    let one = |run: &ListedRun| {
        let signed = run.signed_in_words().unwrap_or_else(|| "not signed".to_owned());
        let withdrawn = run.withdrawn.as_ref().map_or_else(String::new, |withdrawal| {
            format!(
                " Withdrawn {} by {}: {}",
                words::day_and_time(&withdrawal.at),
                sanitise::one_line(&withdrawal.by),
                sanitise::excerpt(&withdrawal.reason, 300)
            )
        });
        format!(
            "Version {}, {}, {}, run {}.{withdrawn}",
            run.version,
            sanitise::one_line(&signed),
            words::day_and_time(&run.stands_since),
            run.run
        )
    };
    let withdrawn = known.versions.first().is_some_and(|run| run.withdrawn.is_some());
    RecordSection {
        name: "Versions",
        warning: withdrawn.then_some("withdrawn"),
        lines: known.versions.iter().map(one).collect(),
        remarks: current.into_iter().collect(),
        holds: None,
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
    RecordSection {
        name: "Right of reply",
        warning,
        lines: asked.chain(unasked).collect(),
        remarks: Vec::new(),
        holds: None,
    }
}

/// How much a section holds, in words.
fn size(section: &RecordSection) -> String {
    match (&section.holds, section.lines.len()) {
        (Some(holds), _) => holds.clone(),
        (None, 0) => "none".to_owned(),
        (None, entries) => count(entries, "entry"),
    }
}

fn cells(section: &RecordSection, theme: &Theme) -> [(String, Style); 3] {
    [
        (section.name.to_owned(), theme.text),
        (size(section), theme.dim),
        (section.warning.unwrap_or_default().to_owned(), theme.bad),
    ]
}

#[cfg(test)]
mod tests;
