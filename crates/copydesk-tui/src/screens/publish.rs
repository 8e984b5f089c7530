//! The publish page: the targets, what went where, the article as it would go out; sending, the embargo, the preview.

use ratatui::prelude::{Buffer, Rect, Style};

use crate::app::{Action, Effect, KeyContext, Model, News, Overlay, Question, Reaction, Request, Scene, Ways, listed};
use crate::screens::forms::{FieldName, Form};
use crate::widgets::{Column, Field, ListAndText, Sheet, Table, TextRole, Theme, draw, words};
use copydesk_core::desk::{PublishStanding, TargetStanding};
use copydesk_core::editorial::distribution::NextSending;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{DeliveryState, StoryKey, local_minute};
use copydesk_text::{count, sanitise};

/// Most columns of a target's place; its end says which it is.
const LONGEST_PLACE: usize = 60;

/// On the screen the settings page has what the command has in the configuration.
const NO_TARGET: &str = "there is no target yet: add one on the settings page, at Publish to";

pub struct PublishPage {
    pub run: RunKey,
    pub story: StoryKey,
    pub list: ListAndText,
    /// None until it is read.
    pub standing: Option<PublishStanding>,
    /// Whether something is being sent.
    pub sending: bool,
}

impl PublishPage {
    pub fn new(run: RunKey, story: StoryKey) -> Self {
        let mut page = Self { run, story, list: ListAndText::default(), standing: None, sending: false };
        page.lay();
        page
    }

    pub fn targets(&self) -> &[TargetStanding] {
        self.standing.as_ref().map_or(&[], |standing| &standing.targets)
    }

    pub fn target(&self) -> Option<&TargetStanding> {
        self.targets().get(self.list.selected)
    }

    /// Why nothing can be sent now, if so.
    fn held_back(&self) -> Option<String> {
        match &self.standing {
            None => Some("the story is still being read".into()),
            Some(_) if self.sending => Some("it is being sent".into()),
            Some(standing) if standing.targets.is_empty() => Some(NO_TARGET.to_owned()),
            Some(standing) => standing.held_back.clone(),
        }
    }

    fn lay(&mut self) {
        let mut sheet = Sheet::default();
        let Some(standing) = &self.standing else {
            sheet.line("Reading the story…", TextRole::Dim);
            return self.list.set_text(sheet);
        };
        if standing.targets.is_empty() {
            sheet.named("Nothing can go out", NO_TARGET);
        } else if let Some(why) = &standing.held_back {
            sheet.named("Nothing can go out", &sanitise::one_line(why));
        }
        if let Some(until) = &standing.embargo {
            sheet.named("Embargo", &format!("until {}", words::day_and_time(until)));
        }
        let disclosure = standing.disclosure.as_deref().unwrap_or("none");
        sheet.named("AI notice", &sanitise::one_line(disclosure));
        let checks = standing.checks.as_deref().map(|checks| match checks.len() {
            0 => "no problems".to_owned(),
            several => count(several, "note"),
        });
        sheet.named("Publisher's checks", &checks.unwrap_or_else(|| "none made".to_owned()));
        for line in standing.checks.iter().flatten() {
            sheet.line(&format!("  {}", sanitise::one_line(line)), TextRole::Text);
        }
        if let Some(target) = self.target() {
            sheet.named("Target", &words::dotted([&*sanitise::one_line(&target.name), target.kind.name()]));
            sheet.named("Place", &words::fit_end(&sanitise::one_line(&target.place), LONGEST_PLACE));
            let last = target.last.as_ref();
            let said = last.map(|kept| format!("{}: {}", words::day_and_time(&kept.changed_at), kept.delivery.line()));
            sheet.named("Last", &sanitise::one_line(&said.unwrap_or_else(|| "nothing sent yet".to_owned())));
        }
        sheet.section(if standing.withdraws {
            "The notice as it would go out"
        } else {
            "The article as it would go out"
        });
        sheet.add(&standing.preview, TextRole::Text);
        self.list.set_text(sheet);
    }

    fn ask_to_send(&self, everywhere: bool) -> Reaction {
        let names: Vec<&str> = match self.target() {
            Some(target) if !everywhere => vec![&target.name],
            _ => self.targets().iter().map(|target| target.name.as_str()).collect(),
        };
        if names.is_empty() {
            return Reaction::CHANGED;
        }
        let (story, names) = (self.story.clone(), names.join(", "));
        let text = if self.standing.as_ref().is_some_and(|standing| standing.withdraws) {
            format!("The notice that withdraws {story} goes to {names}, if they have the story.")
        } else {
            format!(
                "{story} goes to {names}, in the version that is signed off. A target that has this version does not get it again."
            )
        };
        // No name stands for all of them.
        let targets = self.target().filter(|_| !everywhere).map(|target| target.name.clone()).into_iter().collect();
        let run = self.run;
        Reaction::open(Question::new("Send the story out?", text, "send it", move |model| {
            send(model, run, Request::Publish { run, story, targets });
        }))
    }

    fn ask_for_embargo(&self) -> Form {
        let (run, story) = (self.run, self.story.clone());
        let until = self.standing.as_ref().and_then(|standing| standing.embargo.as_deref()).map(local_minute);
        let hint = "18:00, tomorrow 18:00, +2h, +3d; empty: none";
        let fields = vec![Field::line(FieldName::Until, hint, &until.unwrap_or_default())];
        let explanation = "Before this time nothing of the story goes out. In your local time.";
        Form::asking("Embargo", explanation, fields, move |form| {
            Ok(Request::SetEmbargo { run, story: story.clone(), typed: form.line(FieldName::Until) })
        })
    }
}

impl Overlay for PublishPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        let can_go = self.standing.as_ref().is_none_or(|standing| !standing.targets.is_empty());
        let keys: &[Action] = if can_go {
            listed![SendStory SendEverywhere SetEmbargo OpenPreview ShowSettings NextPane Help Back]
        } else {
            listed![ShowSettings SetEmbargo OpenPreview NextPane Help Back]
        };
        (KeyContext::Publish, keys)
    }

    fn titles(&self) -> Vec<(Action, String)> {
        let name = self.target().map(|target| format!("Send to {}", sanitise::excerpt(&target.name, 24)));
        name.into_iter().map(|name| (Action::SendStory, name)).collect()
    }

    fn why_not(&self, action: Action, _: &Model) -> Option<String> {
        if matches!(action, Action::SendStory | Action::SendEverywhere) { self.held_back() } else { None }
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match action {
            Action::SendStory => self.ask_to_send(false),
            Action::SendEverywhere => self.ask_to_send(true),
            Action::SetEmbargo => Reaction::open(self.ask_for_embargo()),
            Action::OpenPreview => {
                let request = Request::OpenPreview { run: self.run, story: self.story.clone() };
                Reaction::Done(vec![Effect::Ask(request)])
            }
            _ => Reaction::Ignored,
        }
    }

    /// The text can be read also if there is no target.
    fn list(&mut self) -> Option<(&mut ListAndText, usize)> {
        let count = self.targets().len().max(1);
        Some((&mut self.list, count))
    }

    fn lay_selected(&mut self) -> Reaction {
        self.lay();
        self.list.page.home();
        Reaction::CHANGED
    }

    /// How the story stands was read; also after something was sent.
    fn hear(&mut self, news: &News, _: &Scene<'_>) -> Reaction {
        if let News::Publishing(run, standing) = news
            && self.run == *run
        {
            self.sending = false;
            self.standing = Some((**standing).clone());
            self.list.selected = self.list.selected.min(self.targets().len().saturating_sub(1));
            self.lay();
        }
        Reaction::Ignored
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let theme = &scene.theme;
        let story = sanitise::one_line(&self.story.to_string());
        let title = words::dotted([Action::ShowPublish.title(), &story, if self.sending { "sending…" } else { "" }]);
        let inner = draw::cover(buf, area, &title, theme);
        let columns = [
            Column::text("Target", 12, 24, 0),
            Column::text("Kind", 8, 8, 1),
            Column::text("Format", 8, 9, 2),
            Column::text("Now", 22, 22, 0),
            Column::path("Place", 16, 200, 1),
        ];
        let Self { list, standing, .. } = self;
        let targets = standing.as_ref().map_or(&[][..], |standing| &standing.targets);
        let cells = |place: usize, _: &Table<'_>| targets.get(place).map(|target| cells(target, theme));
        let title = targets.get(list.selected).map_or("Preview", |target| target.name.as_str());
        list.view(&sanitise::one_line(title), targets.len(), &columns, cells, (area, inner), buf, theme);
    }
}

pub(crate) fn show(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    let page = PublishPage::new(story.key, story.journal.opening.topic.story());
    let request = Request::ReadPublishing { run: page.run, story: page.story.clone() };
    model.lay_over_and_ask(page, request);
}

/// Sends it, after the question.
fn send(model: &mut Model, run: RunKey, request: Request) {
    if let Some(page) = model.on_top_mut::<PublishPage>().filter(|page| page.run == run) {
        page.sending = true;
    }
    model.ask(request);
}

/// The state of a target in a few words, and their style.
fn state(target: &TargetStanding, theme: &Theme) -> (&'static str, Style) {
    match (target.last.as_ref().map(|kept| kept.delivery.state), target.next) {
        (_, Some(NextSending::Already)) | (Some(DeliveryState::Sent), None) => ("✓ sent", theme.good),
        (Some(DeliveryState::Sent), Some(_)) => ("earlier version sent", theme.text),
        (Some(DeliveryState::Failed), _) => ("✗ failed", theme.bad),
        (Some(DeliveryState::Unknown), _) => ("? unknown", theme.bad),
        (Some(DeliveryState::Waiting | DeliveryState::Sending), _) => ("sending", theme.text),
        (None, _) => ("not sent", theme.text),
    }
}

fn cells(target: &TargetStanding, theme: &Theme) -> [(String, Style); 5] {
    let (said, style) = state(target, theme);
    [
        (sanitise::excerpt(&target.name, 60), theme.text),
        (target.kind.name().to_owned(), theme.dim),
        (target.format.name().to_owned(), theme.dim),
        (said.to_owned(), style),
        (sanitise::excerpt(&target.place, 200), theme.dim),
    ]
}

#[cfg(test)]
mod tests;
