//! A progress line for each story while it runs.

use std::{
    collections::HashMap,
    io::IsTerminal,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{message, plain::what};
use crate::{
    newsroom::{Event, EventRecord, Step, StoryKey},
    ports::Watch,
    text::sanitise,
};

/// Most characters of an event.
const LONGEST: usize = 240;

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
        let over = match &record.event {
            // The step says it, too.
            Event::VerdictGiven { .. } => return,
            Event::GateWaits { .. } | Event::Decided { .. } | Event::StoryDeleted { .. } | Event::RunClosed { .. } => {
                true
            }
            Event::RunOpened { .. }
            | Event::RunResumed { .. }
            | Event::RunForked { .. }
            | Event::PauseSet { .. }
            | Event::PrioritySet { .. }
            | Event::MemoryImported { .. }
            | Event::MemoryStruck { .. }
            | Event::MemoryRestored { .. }
            | Event::RetentionApplied { .. }
            | Event::CallStarted { .. }
            | Event::CallRepeated { .. }
            | Event::CallFailed { .. }
            | Event::StepDone { .. }
            | Event::Noted { .. } => false,
        };
        self.show(&record.story, &sanitise::excerpt(&what(&record.event), LONGEST), over);
    }

    fn heard(&self, _: &StoryKey, _: Step, _: &str) {}
}
