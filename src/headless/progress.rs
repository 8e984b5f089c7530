//! A progress line for each story while it runs.

use std::{
    collections::HashMap,
    io::IsTerminal,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::message;
use crate::{
    newsroom::{Event, EventRecord, Step, StoryKey},
    ports::Watch,
    text::sanitise,
};

/// Shows where each story stands on standard error: one line that changes where that is a terminal, else a line for each
/// stage.
pub struct Progress {
    bars: Option<Mutex<HashMap<String, ProgressBar>>>,
}

impl Progress {
    /// For standard error as it is.
    #[must_use]
    pub fn new() -> Self {
        Self { bars: std::io::stderr().is_terminal().then(Mutex::default) }
    }

    fn show(&self, story: &str, stage: &str, over: bool) {
        let Some(bars) = &self.bars else {
            message(&format!("{story}: {stage}"));
            return;
        };
        let mut bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = bars.entry(story.to_owned()).or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(story.to_owned());
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        bar.set_message(stage.to_owned());
        if over {
            bar.finish();
            bars.remove(story);
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Watch for Progress {
    fn happened(&self, record: &EventRecord) {
        let story = &record.story;
        match &record.event {
            Event::RunOpened { engine, max_rounds, .. } => {
                self.show(story, &format!("opened ({engine}, up to {max_rounds} rounds)"), false);
            }
            Event::RunResumed { steps_done } => self.show(story, &format!("goes on after {steps_done} steps"), false),
            Event::RunForked { from, at: None } => {
                self.show(story, &format!("prompts or settings have changed: a new run takes over from {from}"), false);
            }
            Event::RunForked { from, at: Some(step) } => {
                self.show(story, &format!("a new run takes over from {from} at {step}"), false);
            }
            Event::GateWaits { gate, question } => self.show(story, &format!("{gate} waits: {question}"), true),
            Event::Decided { step, by, choice, .. } => {
                self.show(story, &format!("{step}: {by} decided: {choice}"), false);
            }
            Event::PauseSet { paused, by } => {
                let how = if *paused { "paused" } else { "no longer paused" };
                self.show(story, &format!("{how} by {by}"), false);
            }
            Event::PrioritySet { priority, by } => {
                self.show(story, &format!("priority {} by {by}", priority.name()), false);
            }
            Event::StoryDeleted { by, .. } => self.show(story, &format!("deleted by {by}"), true),
            Event::CallStarted { step, attempt, agent, model, host } => {
                let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                self.show(story, &format!("{step}: {agent} asks {model} at {host}{again}"), false);
            }
            Event::CallRepeated { step, .. } => {
                self.show(story, &format!("{step}: asked again, may have been billed twice"), false);
            }
            Event::CallFailed { step, message, again_in_seconds, .. } => {
                let again = again_in_seconds.map_or_else(String::new, |seconds| format!("; again in {seconds} s"));
                self.show(story, &format!("{step}: {}{again}", sanitise::excerpt(message, 160)), false);
            }
            Event::StepDone { step, summary } => {
                self.show(story, &format!("{step}: {}", sanitise::excerpt(summary, 160)), false);
            }
            Event::VerdictGiven { .. } => {}
            Event::Noted { step, message } => {
                self.show(story, &format!("{step}: {}", sanitise::excerpt(message, 160)), false);
            }
            Event::RunClosed { success, rounds, .. } => {
                let how = if *success { "success" } else { "failed" };
                self.show(story, &format!("{how} after {rounds} round{}", if *rounds == 1 { "" } else { "s" }), true);
            }
        }
    }

    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}
