//! The publish page: the targets, what went where, and the article as it would go out.

use crate::widgets::{list_and_text::ListAndText, mark::TextRole, sheet::Sheet, words};
use copydesk_core::desk::{PublishStanding, TargetStanding};
use copydesk_core::editorial::distribution::NextSending;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{DeliveryState, StoryKey, local_minute};
use copydesk_text::{count, sanitise};

#[derive(Debug, Clone)]
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

    /// Takes what was read.
    pub fn know(&mut self, standing: PublishStanding) {
        self.standing = Some(standing);
        self.list.selected = self.list.selected.min(self.targets().len().saturating_sub(1));
        self.lay();
    }

    pub fn select(&mut self, by: isize) {
        let count = self.targets().len();
        if self.list.select(by, count) {
            self.lay();
            self.list.page.home();
        }
    }

    pub fn turn(&mut self) {
        // The text can be read also if there is no target.
        self.list.turn(self.targets().len().max(1));
    }

    /// Why nothing can be sent now, if so.
    pub fn why_not(&self) -> Option<String> {
        match &self.standing {
            None => Some("the story is still being read".into()),
            Some(_) if self.sending => Some("it is being sent".into()),
            Some(standing) => standing.held_back.clone(),
        }
    }

    fn lay(&mut self) {
        let mut sheet = Sheet::default();
        let Some(standing) = &self.standing else {
            sheet.line("Reading the story…", TextRole::Dim);
            return self.list.set_text(sheet);
        };
        if let Some(why) = &standing.held_back {
            sheet.named("Nothing can go out", &sanitise::one_line(why));
        }
        if let Some(until) = &standing.embargo {
            sheet.named("Embargo", &format!("until {}", local_minute(until)));
        }
        let disclosure = standing.disclosure.as_deref().unwrap_or("nothing");
        sheet.named("Readers are told about AI", &sanitise::one_line(disclosure));
        let checks = standing.checks.as_deref().map(|checks| match checks.len() {
            0 => "nothing to mend".to_owned(),
            several => count(several, "note"),
        });
        sheet.named("Publisher's checks", &checks.unwrap_or_else(|| "not made yet".to_owned()));
        for line in standing.checks.iter().flatten() {
            sheet.line(&format!("  {}", sanitise::one_line(line)), TextRole::Text);
        }
        if let Some(target) = self.target() {
            sheet.named("Target", &words::dotted([&*sanitise::one_line(&target.name), target.kind.name()]));
            sheet.named("Place", &sanitise::one_line(&target.place));
            let last = target.last.as_ref();
            let said = last.map(|kept| format!("{}: {}", words::day_and_time(&kept.changed_at), kept.delivery.line()));
            sheet.named("Last", &sanitise::one_line(&said.unwrap_or_else(|| "nothing was sent there".to_owned())));
        }
        sheet.section(if standing.withdraws {
            "The notice as it would go out"
        } else {
            "The article as it would go out"
        });
        sheet.add(&standing.preview, TextRole::Text);
        self.list.set_text(sheet);
    }
}

/// The state of a target in a few words, and whether it is good.
pub(super) fn state(target: &TargetStanding) -> (&'static str, Option<bool>) {
    match (target.last.as_ref().map(|kept| kept.delivery.state), target.next) {
        (_, Some(NextSending::Already)) => ("✓ has it", Some(true)),
        (Some(DeliveryState::Sent), Some(_)) => ("has an earlier version", None),
        (Some(DeliveryState::Sent), None) => ("✓ sent before", Some(true)),
        (Some(DeliveryState::Failed), _) => ("✗ failed", Some(false)),
        (Some(DeliveryState::Unknown), _) => ("? unknown", Some(false)),
        (Some(DeliveryState::Waiting | DeliveryState::Sending), _) => ("begun", None),
        (None, _) => ("not sent", None),
    }
}
